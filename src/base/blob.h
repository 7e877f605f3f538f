/// Bytes of a checkpoint. The same calls, in the same order, write, count, check and read them: what is listed once
/// cannot differ.
#ifndef ZN_BASE_BLOB_H
#define ZN_BASE_BLOB_H

#include <stdbool.h>

#include "zn/base.h"

typedef struct zn_blob {
    bool           loading;
    bool           dry;      ///< nothing is copied: bytes are counted, or those to be read are checked
    bool           blank;    ///< values are saved as zeros: nothing has begun
    bool           failed;   ///< sticky: memory is exhausted, or what is read is not what was asked for
    bool           fixed;    ///< the memory is of somebody else and does not grow
    unsigned char *data;     ///< saving: owned, grows, unless fixed; loading: borrowed
    size_t         size, at; ///< bytes that are there, bytes that were passed
    size_t         capacity;
} zn_blob;

/// Empty again, memory kept.
void    zn_blob_begin_saving(zn_blob *blob);
zn_blob zn_blob_of(const void *data, size_t size); ///< for loading
zn_blob zn_blob_into(void *data, size_t size);     ///< for saving into that memory, borrowed
zn_blob zn_blob_counting(void);                    ///< for finding the size of what would be saved
/// For finding out whether loading would succeed, as far as versions, sizes and ranges tell.
zn_blob zn_blob_checking(const void *data, size_t size);
void    zn_blob_free(zn_blob *blob); ///< of one that saves

/// `count` values of `size` bytes from or into the blob, then up to the next multiple of eight. Values that cannot be
/// read stay as they are.
void zn_blob_exchange(zn_blob *blob, void *values, size_t count, size_t size);
/// How many things follow that take at least `size` bytes each; a number that cannot be true reads as 0 and fails.
void zn_blob_exchange_count(zn_blob *blob, int *count, size_t size);

// Histories: what takes its place as numbers, so that all of it is an array of doubles. Another version, another number
// of values or a whole number out of range fails.
void zn_blob_version(zn_blob *blob, int version); ///< of what follows
void zn_blob_doubles(zn_blob *blob, double *values, int count);
void zn_blob_double(zn_blob *blob, double *value);
void zn_blob_int(zn_blob *blob, int *value, int least, int most);
void zn_blob_bool(zn_blob *blob, bool *value);

#endif
