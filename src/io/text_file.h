/// A whole file in memory.
#ifndef ZN_IO_TEXT_FILE_H
#define ZN_IO_TEXT_FILE_H

#include <stdbool.h>

#include "zn/base.h"

/// Read a regular file of at most 1 GB; a NUL follows the last byte. Destroy with free(). On an error `message`
/// names the file and the reason.
zn_status zn_text_file_read(const char *path, char **text, size_t *length, char *message, size_t size);

/// The same of a path that realpath made: a file that is elsewhere by now, by links, is not read.
zn_status zn_text_file_read_followed(const char *path, char **text, size_t *length, char *message, size_t size);

/// Path of `file` beside `model` (the path of another file); absolute paths stay. NULL when memory is exhausted.
char *zn_text_file_beside(const char *model, const char *file);

/// Can data be read from it? A regular file that is not empty; `bytes` (may be NULL): its size. Else a message says why
/// not.
zn_status zn_data_file_check(const char *path, const zn_log *log, uint64_t *bytes);

/// Do the bytes begin as those of an HDF5 file do?
bool zn_begins_as_hdf5(const char *bytes, size_t size);
/// The same of a regular file.
bool zn_file_begins_as_hdf5(const char *path);

/// Do both names lead to one file? Writing one would destroy the other.
bool zn_is_same_file(const char *a, const char *b);

/// Why a new file must not take the place of what is at `path` (a folder, a device, a link), or NULL if it may.
const char *zn_file_in_the_way(const char *path);

#endif
