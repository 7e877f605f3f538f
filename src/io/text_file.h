/// A whole file in memory.
#ifndef ZN_IO_TEXT_FILE_H
#define ZN_IO_TEXT_FILE_H

#include "zn/base.h"

/// Read a regular file of at most 64 MB; a NUL follows the last byte. Destroy with free(). On an error `message`
/// names the file and the reason.
zn_status zn_text_file_read(const char *path, char **text, size_t *length, char *message, size_t size);

/// Path of `file` beside `model` (the path of another file); absolute paths stay. NULL when memory is exhausted.
char *zn_text_file_beside(const char *model, const char *file);

/// Why a new file must not take the place of what is at `path` (a folder, a device, a link), or NULL if it may.
const char *zn_file_in_the_way(const char *path);

#endif
