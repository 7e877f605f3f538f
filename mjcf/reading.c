// MuJoCo, its libraries and that of C++ open files by fopen, which is the one here.
#define _GNU_SOURCE // RTLD_NEXT, fopen64
#include "reading.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef FILE *opener(const char *path, const char *mode);

static char      **folder; // links followed
static int         folders;
static char       *main_file;
static const char *output_file;
static char        refused[PATH_MAX + 400];

static bool add_folder(const char *name)
{
    struct stat info;
    char      **grown = realloc(folder, sizeof *folder * (size_t)(folders + 1));
    if (grown == NULL)
        return false;
    folder = grown;
    folder[folders] = realpath(name, NULL);
    if (folder[folders] == NULL || stat(folder[folders], &info) != 0 || !S_ISDIR(info.st_mode))
        return false;
    folders++;
    return true;
}

static bool add_folder_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char       *name = slash == NULL ? strdup(".") : strndup(file, (size_t)(slash - file) + 1);
    bool        good = name != NULL && add_folder(name);
    free(name);
    return good;
}

bool reading_begin(const char *scene, const char *output, int count, char *const *allowed, char *why, size_t size)
{
    output_file = output;
    main_file = realpath(scene, NULL);
    if (main_file == NULL || !add_folder_of(scene)) {
        snprintf(why, size, "%s", strerror(errno));
        return false;
    }
    for (int i = 0; i < count; i++)
        if (!add_folder(allowed[i])) {
            snprintf(why, size, "allowed path '%s': no folder", allowed[i]);
            return false;
        }
    return true;
}

const char *reading_refused(void) { return refused; }

static bool is_below(const char *name, const char *path)
{
    size_t length = strlen(name);
    return strcmp(name, "/") == 0 || (strncmp(name, path, length) == 0 && path[length] == '/');
}

static bool refuse(const char *path, const char *there)
{
    const char *slash = strrchr(there, '/');
    int         length = slash > there ? (int)(slash - there) : 1;
    if (refused[0] == '\0')
        snprintf(refused, sizeof refused,
                 "%.200s: it is outside the folder of the scene; to let it be read: --allow-path %.*s", path, length,
                 there);
    errno = EACCES;
    return false;
}

static bool is_allowed(const char *path, const char *there)
{
    bool allowed = strcmp(there, main_file) == 0;
    for (int i = 0; i < folders && !allowed; i++)
        allowed = is_below(folder[i], there);
    return allowed || refuse(path, there);
}

static bool may_read(const char *path)
{
    char *there = realpath(path, NULL);
    bool  allowed = there == NULL || is_allowed(path, there); // what is not there is not read
    free(there);
    return allowed;
}

// A link may have been laid in its way since.
static FILE *look_again(FILE *file, const char *path)
{
    char name[32], there[PATH_MAX];
    snprintf(name, sizeof name, "/proc/self/fd/%d", file != NULL ? fileno(file) : -1);
    ssize_t length = file != NULL ? readlink(name, there, sizeof there - 1) : -1;
    if (length < 0)
        return file;
    there[length] = '\0';
    if (is_allowed(path, there))
        return file;
    fclose(file);
    return NULL;
}

static bool is_read(const char *mode) { return strpbrk(mode, "wa+") == NULL; }

static bool may_open(const char *path, const char *mode)
{
    if (folders == 0) // not begun
        return true;
    return is_read(mode) ? may_read(path) : strcmp(path, output_file) == 0 || refuse(path, path);
}

static FILE *open_by(const char *name, const char *path, const char *mode)
{
    void   *found = dlsym(RTLD_NEXT, name);
    opener *real;
    memcpy(&real, &found, sizeof real); // ISO C has no conversion
    if (found == NULL || !may_open(path, mode))
        return NULL;
    FILE *file = real(path, mode);
    return folders > 0 && is_read(mode) ? look_again(file, path) : file;
}

FILE *fopen(const char *path, const char *mode) { return open_by("fopen", path, mode); }
FILE *fopen64(const char *path, const char *mode) { return open_by("fopen64", path, mode); }
