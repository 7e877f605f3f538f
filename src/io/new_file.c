// A new file is written beside its place and takes it when it is whole and on the disk: a full disk, an interrupt or a
// fault leaves what was there. It is created and never opened, so that a link laid in its way leads nowhere.
#include "io/new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alive.h"
#include "base/array.h"
#include "io/text_file.h"

struct zn_new_file {
    zn_log log;
    FILE  *stream;
    char  *path, *part; // part NULL: written in its place, a pipe or a device
    bool   hurry;
};

char *zn_part_name(const char *path)
{
    char *part = zn_new_array(strlen(path) + sizeof ".part", 1);
    if (part != NULL)
        sprintf(part, "%s.part", path);
    return part;
}

const char *zn_new_file_error(int error)
{
    return error == EAGAIN   ? "another run is writing this file"
           : error == ESTALE ? "something else has cut this file short"
           : error == EIDRM  ? "something else has removed or replaced this file"
           : error == ELOOP  ? "a symbolic link is in its place"
           : error == EEXIST ? "something is in its place that is no regular file"
                             : strerror(error);
}

const char *zn_new_file_culprit(int error, const char *path, const char *part)
{
    return error == EAGAIN || error == ELOOP || error == EEXIST ? part : path;
}

// An advisory lock, so that two runs do not write one file; gone when the process is.
static int lock_whole(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    if (fcntl(fd, F_SETLK, &lock) == 0)
        return 0;
    // a file system without locks is no reason to stop
    return errno == EACCES || errno == EAGAIN ? EAGAIN : 0;
}

// Remove what an ended run left. It is locked meanwhile: who has just created it and not locked it yet will notice.
static int remove_left(const char *name)
{
    struct stat status;
    int         fd = open(name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    int         error = fd < 0 ? errno : fstat(fd, &status) != 0 ? errno : S_ISREG(status.st_mode) ? 0 : EEXIST;
    if (error == 0)
        error = lock_whole(fd);
    if (error == 0 && unlink(name) != 0)
        error = errno;
    if (fd >= 0)
        close(fd);
    return error == ENOENT ? 0 : error;
}

// Is the file of that name still the one that was created?
static bool is_at(const char *name, const struct stat *status)
{
    struct stat there;
    return lstat(name, &there) == 0 && there.st_dev == status->st_dev && there.st_ino == status->st_ino;
}

int zn_new_file_create(const char *name, struct stat *status, int *error)
{
    const int how = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int       fd = open(name, how, 0666);
    *error = fd < 0 ? errno : 0;
    if (*error == EEXIST && (*error = remove_left(name)) == 0) {
        fd = open(name, how, 0666);
        *error = fd >= 0 ? 0 : errno == EEXIST ? EAGAIN : errno;
    }
    if (*error != 0)
        return -1;
    *error = lock_whole(fd);
    if (*error == 0 && fstat(fd, status) != 0)
        *error = errno;
    if (*error == 0 && !is_at(name, status))
        *error = EAGAIN; // another run removed it, before the lock
    if (*error == 0)
        return fd;
    close(fd);
    return -1;
}

static bool write_bytes(int fd, const char *bytes, ssize_t size)
{
    while (size > 0) {
        ssize_t put = write(fd, bytes, (size_t)size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        bytes += put;
        size -= put;
    }
    return true;
}

static bool copy_bytes(int from, int to)
{
    char    buffer[1 << 16];
    ssize_t got;
    while ((got = read(from, buffer, sizeof buffer)) != 0)
        if (got < 0 ? errno != EINTR : !write_bytes(to, buffer, got))
            return false;
    return true;
}

int zn_new_file_copy(const char *from, const char *name)
{
    struct stat status;
    int         error = 0, source = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (source < 0)
        return errno;
    int target = zn_new_file_create(name, &status, &error);
    if (target >= 0 && !copy_bytes(source, target))
        error = errno;
    if (target >= 0 && close(target) != 0 && error == 0)
        error = errno;
    if (target >= 0 && error != 0)
        unlink(name);
    close(source);
    return error;
}

// A folder that cannot be opened or synchronised holds the new name all the same.
static void sync_folder(const char *path)
{
    char *folder = zn_text_file_beside(path, ".");
    int   fd = folder != NULL ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
    free(folder);
}

int zn_new_file_place(const char *part, const char *path)
{
    if (rename(part, path) != 0)
        return errno;
    sync_folder(path);
    return 0;
}

// --- streams ---------------------------------------------------------------------------------------

static bool is_standard(const char *path) { return strcmp(path, "-") == 0; }

// Nothing can be lost of a pipe or a device, and nothing renamed to it.
static bool is_passage(const char *path)
{
    struct stat there;
    return strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode));
}

static zn_status open_beside(zn_new_file *f)
{
    struct stat status;
    int         error = 0;
    const char *why = zn_file_in_the_way(f->path);
    if (why != NULL)
        return zn_fail(&f->log, ZN_ERR_IO, "%s: %s", f->path, why);
    f->part = zn_part_name(f->path);
    if (f->part == NULL)
        return ZN_ERR_MEMORY;
    int fd = zn_new_file_create(f->part, &status, &error);
    if (fd < 0)
        return zn_fail(&f->log, ZN_ERR_IO, "%s: %s", zn_new_file_culprit(error, f->path, f->part),
                       zn_new_file_error(error));
    f->stream = fdopen(fd, "wb");
    if (f->stream != NULL)
        return ZN_OK;
    close(fd);
    unlink(f->part);
    return ZN_ERR_MEMORY;
}

static zn_status open_stream(zn_new_file *f)
{
    if (f->path == NULL)
        return ZN_ERR_MEMORY;
    if (!is_standard(f->path) && !is_passage(f->path))
        return open_beside(f);
    f->stream = is_standard(f->path) ? stdout : fopen(f->path, "wb");
    return f->stream != NULL ? ZN_OK : zn_fail(&f->log, ZN_ERR_IO, "%s: %s", f->path, strerror(errno));
}

static void clear(zn_new_file *f)
{
    free(f->path);
    free(f->part);
}

zn_status zn_new_file_open(const char *path, zn_log log, zn_new_file **out)
{
    if (!out)
        return ZN_ERR_ARGUMENT;
    zn_new_file *f = ZN_NEW(zn_new_file, 1);
    if (f == NULL)
        return ZN_ERR_MEMORY;
    f->log = log;
    f->path = zn_copy_string(path);
    zn_status status = open_stream(f);
    if (status == ZN_OK)
        *out = f;
    else
        clear(f), free(f);
    errno = 0;
    return status;
}

void zn_new_file_hurry(zn_new_file *file) { file->hurry = true; }

FILE *zn_new_file_stream(const zn_new_file *file)
{
    ZN_ALIVE(file);
    return file ? file->stream : NULL;
}

// 0, or why what was written is not whole. Some file systems tell only when the data go to the disk.
static int finish(const zn_new_file *f)
{
    int error = !ferror(f->stream) ? 0 : errno != 0 ? errno : EIO; // errno is that of the write that failed
    if (fflush(f->stream) != 0 && error == 0)
        error = errno;
    if (error == 0 && f->part != NULL && !f->hurry && fsync(fileno(f->stream)) != 0 && errno != EINVAL &&
        errno != ENOSYS)
        error = errno;
    if (f->stream != stdout && fclose(f->stream) != 0 && error == 0)
        error = errno;
    return error;
}

zn_status zn_new_file_close(zn_new_file *file, zn_status status)
{
    ZN_ALIVE(file);
    if (file == NULL)
        return status;
    int error = finish(file);
    if (file->part != NULL && (status != ZN_OK || error != 0))
        unlink(file->part);
    else if (file->part != NULL)
        error = !file->hurry                          ? zn_new_file_place(file->part, file->path)
                : rename(file->part, file->path) != 0 ? errno
                                                      : 0;
    if (status == ZN_OK && error != 0)
        status = zn_fail(&file->log, ZN_ERR_IO, "%s: cannot be written: %s",
                         is_standard(file->path) ? "standard output" : file->path, strerror(error));
    clear(file);
    zn_retire(file, sizeof *file);
    return status;
}
