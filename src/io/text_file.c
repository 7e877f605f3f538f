// Reading a file whole. Opened without waiting and only if it is a regular file, so that a pipe or a device named in
// a model cannot hang the reader.
#include "io/text_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BYTES_MAX = 1024 * 1024 * 1024 };

// strerror may share its buffer between threads; strerror_r does not.
static const char *reason(int code, char buffer[128])
{
    return strerror_r(code, buffer, 128) == 0 ? buffer : "unknown reason";
}

// Size of an open regular file, or why it cannot be read.
static const char *check_file(int file, size_t *size, char buffer[128])
{
    struct stat info;
    if (fstat(file, &info) != 0)
        return reason(errno, buffer);
    if (!S_ISREG(info.st_mode))
        return "not a regular file";
    if (info.st_size > BYTES_MAX)
        return "more than 1 GB";
    *size = (size_t)info.st_size;
    return NULL;
}

// All bytes up to `size`; fewer when the file shrinks meanwhile.
static const char *read_bytes(int file, char *text, size_t size, size_t *length, char buffer[128])
{
    for (*length = 0; *length < size;) {
        ssize_t n = read(file, text + *length, size - *length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return reason(errno, buffer);
        if (n == 0)
            break;
        *length += (size_t)n;
    }
    return NULL;
}

// Where is the open file, as far as the system tells? A link that was laid in its way leads elsewhere.
static bool is_at(int file, const char *path)
{
    char name[32], there[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    ssize_t length = readlink(name, there, sizeof there - 1);
    if (length < 0)
        return true;
    there[length] = '\0';
    return strcmp(there, path) == 0;
}

static zn_status read_whole(const char *path, bool followed, char **text, size_t *length, char *message, size_t size)
{
    char        buffer[128];
    size_t      bytes = 0;
    int         file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | (followed ? O_NOFOLLOW : 0));
    const char *why = file < 0 ? reason(errno, buffer) : check_file(file, &bytes, buffer);
    char       *data = NULL;
    if (why == NULL && followed && !is_at(file, path)) {
        why = "it changes while it is read";
        bytes = 0;
    }
    if (why == NULL) {
        data = calloc(bytes + 1, 1);
        why = data == NULL ? "out of memory" : read_bytes(file, data, bytes, length, buffer);
    }
    if (file >= 0)
        close(file);
    if (why != NULL) {
        snprintf(message, size, "%s: %s", path, why);
        zn_status status = data == NULL && bytes > 0 ? ZN_ERR_MEMORY : ZN_ERR_IO;
        free(data);
        return status;
    }
    *text = data;
    return ZN_OK;
}

zn_status zn_text_file_read(const char *path, char **text, size_t *length, char *message, size_t size)
{
    return read_whole(path, false, text, length, message, size);
}

zn_status zn_text_file_read_followed(const char *path, char **text, size_t *length, char *message, size_t size)
{
    return read_whole(path, true, text, length, message, size);
}

char *zn_text_file_beside(const char *model, const char *file)
{
    const char *slash = strrchr(model, '/');
    size_t      folder = file[0] == '/' || slash == NULL ? 0 : (size_t)(slash - model) + 1;
    char       *path = malloc(folder + strlen(file) + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, model, folder);
    memcpy(path + folder, file, strlen(file) + 1);
    return path;
}

zn_status zn_data_file_check(const char *path, const zn_log *log, uint64_t *bytes)
{
    char        buffer[128];
    struct stat info;
    const char *why = NULL;
    if (stat(path, &info) != 0)
        why = reason(errno, buffer);
    else if (!S_ISREG(info.st_mode))
        why = S_ISDIR(info.st_mode) ? reason(EISDIR, buffer) : "not a regular file";
    else if (access(path, R_OK) != 0)
        why = reason(errno, buffer);
    else if (info.st_size == 0)
        why = "the file is empty";
    if (why != NULL)
        return zn_fail(log, ZN_ERR_IO, "%s: %s", path, why);
    if (bytes != NULL)
        *bytes = (uint64_t)info.st_size;
    return ZN_OK;
}

bool zn_begins_as_hdf5(const char *bytes, size_t size)
{
    static const char signature[8] = {(char)0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    return size >= sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

bool zn_file_begins_as_hdf5(const char *path)
{
    char        head[8], buffer[128];
    size_t      got = 0;
    struct stat info;
    int         file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    bool        good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode) &&
                read_bytes(file, head, sizeof head, &got, buffer) == NULL;
    if (file >= 0)
        close(file);
    return good && zn_begins_as_hdf5(head, got);
}

bool zn_is_same_file(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

const char *zn_file_in_the_way(const char *path)
{
    struct stat info;
    if (*path == '\0')
        return "a file needs a name";
    if (lstat(path, &info) != 0 || S_ISREG(info.st_mode))
        return NULL;
    return S_ISDIR(info.st_mode)   ? "Is a directory"
           : S_ISLNK(info.st_mode) ? "is a symbolic link, name the file itself"
                                   : "not a regular file";
}
