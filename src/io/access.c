// Files that a model may read. A path is compared after realpath: `..`, absolute paths and links are as good as any
// other as long as they lead into a folder that is open.
#define _XOPEN_SOURCE 700 // realpath
#include "io/access.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "io/text_file.h"

static void say_why(char reason[128])
{
    if (strerror_r(errno, reason, 128) != 0)
        snprintf(reason, 128, "unknown reason");
}

static zn_status follow_folder(const char *name, const zn_log *log, char **out)
{
    struct stat info;
    char        reason[128] = "not a folder";
    *out = realpath(name, NULL);
    if (*out == NULL && errno == ENOMEM)
        return ZN_ERR_MEMORY;
    if (*out != NULL && stat(*out, &info) == 0 && S_ISDIR(info.st_mode))
        return ZN_OK;
    if (*out == NULL)
        say_why(reason);
    return zn_fail(log, ZN_ERR_IO, "allowed path '%s': %s", name, reason);
}

zn_status zn_access_open(const char *file, int count, const char *const *folders, const zn_log *log, zn_access *out)
{
    char *beside = zn_text_file_beside(file, ".");
    *out = (zn_access){0};
    if (beside == NULL)
        return ZN_ERR_MEMORY;
    out->home = realpath(beside, NULL);
    bool full = out->home == NULL && errno == ENOMEM;
    free(beside);
    if (full)
        return ZN_ERR_MEMORY;
    zn_status status = ZN_OK;
    for (int i = 0; i < count && status == ZN_OK; i++) {
        char *there = NULL;
        if (folders == NULL || folders[i] == NULL)
            return zn_fail(log, ZN_ERR_ARGUMENT, "allowed path %d: there is none (NULL)", i);
        status = follow_folder(folders[i], log, &there);
        if (status == ZN_OK)
            status = zn_access_add(out, there);
        free(there);
    }
    return status;
}

zn_status zn_access_add(zn_access *access, const char *folder)
{
    char *own = zn_copy_string(folder);
    if (own != NULL && ZN_PUSH(access->folder, access->count, access->capacity, own) == ZN_OK)
        return ZN_OK;
    free(own);
    return ZN_ERR_MEMORY;
}

void zn_access_close(zn_access *access)
{
    for (int i = 0; i < access->count; i++)
        free(access->folder[i]);
    free(access->folder);
    free(access->home);
    *access = (zn_access){0};
}

static bool is_below(const char *folder, const char *path)
{
    size_t length = strlen(folder);
    if (strcmp(folder, "/") == 0)
        return true;
    return strncmp(folder, path, length) == 0 && path[length] == '/';
}

char *zn_access_follow(const zn_access *access, const char *path, bool *allowed)
{
    char *there = realpath(path, NULL);
    *allowed = there != NULL && access->home != NULL && is_below(access->home, there);
    for (int i = 0; there != NULL && i < access->count; i++)
        *allowed |= is_below(access->folder[i], there);
    return there;
}

void zn_access_missing(const char *path, char *message, size_t size)
{
    char reason[128];
    say_why(reason);
    snprintf(message, size, "%s: %s", path, reason);
}

void zn_access_explain(const char *file, const char *there, char *message, size_t size)
{
    const char *slash = strrchr(there, '/');
    int         folder = slash != NULL && slash > there ? (int)(slash - there) : 1;
    snprintf(message, size, "%s: it is outside the folder of the model; to let it be read: --allow-path %.*s", file,
             folder, there);
}
