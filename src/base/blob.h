/// Bytes of a checkpoint. The same calls, in the same order, write and read them: what is listed once cannot differ.
#ifndef ZN_BASE_BLOB_H
#define ZN_BASE_BLOB_H

#include <stdbool.h>

#include "zn/base.h"

typedef struct zn_blob {
    bool           loading;
    bool           failed;   ///< sticky: memory is exhausted, or there is less to read than was asked for
    unsigned char *data;     ///< saving: owned, grows; loading: borrowed
    size_t         size, at; ///< bytes that are there, bytes that were passed
    size_t         capacity;
} zn_blob;

/// Empty again, memory kept.
void    zn_blob_begin_saving(zn_blob *blob);
zn_blob zn_blob_of(const void *data, size_t size); ///< for loading
void    zn_blob_free(zn_blob *blob);               ///< of one that saves

/// `count` values of `size` bytes from or into the blob, then up to the next multiple of eight. Values that cannot be
/// read stay as they are.
void zn_blob_exchange(zn_blob *blob, void *values, size_t count, size_t size);
/// How many things follow that take at least `size` bytes each; a number that cannot be true reads as 0 and fails.
void zn_blob_exchange_count(zn_blob *blob, int *count, size_t size);

#endif
