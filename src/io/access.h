/// Which files a model may read: those in the folder of its own file and below it, and in folders that its user allows.
/// What counts is where a path leads to, links followed.
#ifndef ZN_IO_ACCESS_H
#define ZN_IO_ACCESS_H

#include <stdbool.h>
#include <stddef.h>

#include "zn/base.h"

typedef struct zn_access {
    char  *home; ///< folder of the model, links followed; NULL: there is none
    int    count, capacity;
    char **folder; ///< allowed beside it
} zn_access;

/// `file`: the model, or the result that carries it. A folder that is not there is told. Close it whatever happens.
zn_status zn_access_open(const char *file, int count, const char *const *folders, const zn_log *log, zn_access *out);
void      zn_access_close(zn_access *access);
zn_status zn_access_add(zn_access *access, const char *folder); ///< one more folder, links followed already

/// Where a path leads to (malloc'ed), and whether that may be read; NULL: nowhere, `errno` says why.
char *zn_access_follow(const zn_access *access, const char *path, bool *allowed);
/// Why `path` leads nowhere, as `errno` says.
void  zn_access_missing(const char *path, char *message, size_t size);
/// Why `file`, which leads to `there`, is not read, and what would allow it.
void  zn_access_explain(const char *file, const char *there, char *message, size_t size);

#endif
