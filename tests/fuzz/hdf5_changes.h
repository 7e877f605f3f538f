/// Changes of a good HDF5 file for the fuzz targets of its readers. An input is a list of changes of seven bytes each:
/// which (three), how (one), and three values. `how` from 128 on changes what the file says, by HDF5 itself, so that
/// readers behind HDF5 get to see it: values, numbers of values, kinds of attributes and datasets, names, groups. Below
/// 128 it changes bytes, wherever they are; these come last, and are none where the third byte of the input is odd.
#ifndef ZN_FUZZ_HDF5_CHANGES_H
#define ZN_FUZZ_HDF5_CHANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_CHANGE = 7 };

/// A file, as it is on the disk, is kept in memory, a zero behind it. Free what `bytes` points to.
typedef struct fuzz_file {
    unsigned char *bytes;
    size_t         size;
} fuzz_file;

/// A name for a file of this process, where files cost little.
void   fuzz_path(const char *name, char path[64]);
/// False: it cannot be read.
bool   fuzz_load(const char *path, fuzz_file *out);
/// Write the changed file to `path`. False: it cannot be written.
bool   fuzz_write_changed(const fuzz_file *good, const uint8_t *data, size_t size, const char *path);
/// As it is.
bool   fuzz_write(const fuzz_file *file, const char *path);
/// One change of bytes (`how` below 128); the new length.
size_t fuzz_change_bytes(unsigned char *bytes, size_t length, const uint8_t *c);

#endif
