// The journal of a study: a head of text, then one record for each row that is done: its number, the bytes of its
// result and a checksum. Records are only ever added, each with one write, so that a process killed at any time leaves
// at most a piece of a record at the end; it is cut off. The head holds digests of the model and of the settings, and
// the version of the program, whose results may differ in the last bits.
#include "journal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "terminal.h"

enum { HEAD = 256 };

struct journal {
    char          *path;
    int            file;
    size_t         size;   // of a result
    unsigned char *record; // number, result, checksum
};

// --- digests -------------------------------------------------------------------------------------

uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ ((const unsigned char *)bytes)[i]) * UINT64_C(0x100000001b3);
    return digest;
}

uint64_t digest_text(uint64_t digest, const char *text)
{
    return text == NULL ? digest_bytes(digest, "\1", 2) : digest_bytes(digest, text, strlen(text) + 1);
}

uint64_t digest_number(uint64_t digest, double number) { return digest_bytes(digest, &number, sizeof number); }

uint64_t digest_problem(const zn_problem *problem)
{
    uint64_t digest = digest_bytes(DIGEST_BEGIN, problem->text, problem->text_size);
    for (int i = 0; i < problem->input_count; i++) {
        if (problem->inputs[i].drawn)
            continue;
        digest = digest_text(digest, problem->inputs[i].name);
        digest = digest_text(digest, problem->inputs[i].digest);
    }
    return digest;
}

// --- head ----------------------------------------------------------------------------------------

enum { HEAD_KIND, HEAD_VERSION, HEAD_MODEL, HEAD_SETTINGS, HEAD_ROWS, HEAD_LINES };

static void make_head(journal_key key, const row_work *w, char head[HEAD])
{
    memset(head, ' ', HEAD);
    int length =
        snprintf(head, HEAD, "zeno study\nversion %.40s\nmodel %016llx\nsettings %016llx\nrows %d of %zu\n",
                 zn_version(), (unsigned long long)key.model, (unsigned long long)key.settings, w->count, w->size);
    head[length] = ' ';
    head[HEAD - 1] = '\n';
}

// The first line in which two heads differ, or HEAD_LINES.
static int compare_heads(const char *one, const char *other)
{
    int line = 0;
    for (int i = 0; i < HEAD; i++) {
        if (one[i] != other[i])
            return line;
        line += one[i] == '\n';
    }
    return HEAD_LINES;
}

static bool refuse_head(const char *path, int line)
{
    static const char *const reasons[HEAD_LINES] = {
        [HEAD_KIND] = "this is no file of a study",
        [HEAD_VERSION] = "the study was begun by another version of zeno",
        [HEAD_MODEL] = "the study was begun with another model, or a file it reads has changed",
        [HEAD_SETTINGS] = "the study was begun with other settings",
        [HEAD_ROWS] = "the study was begun with other rows",
    };
    print_error("%s: %s", path, reasons[line < HEAD_LINES ? line : HEAD_KIND]);
    return false;
}

// --- file ----------------------------------------------------------------------------------------

static bool complain(const char *path)
{
    print_error("%s: %s", path, strerror(errno));
    return false;
}

static size_t record_size(const journal *j) { return sizeof(int64_t) + j->size + sizeof(uint64_t); }

static uint64_t checksum(const journal *j)
{
    return digest_bytes(DIGEST_BEGIN, j->record, record_size(j) - sizeof(uint64_t));
}

static bool begin_file(const char *path, const char *head)
{
    zn_new_file *file;
    if (zn_new_file_open(path, terminal_log(), &file) != ZN_OK)
        return false;
    fwrite(head, 1, HEAD, zn_new_file_stream(file));
    return zn_new_file_close(file, ZN_OK) == ZN_OK;
}

static bool read_whole(int file, void *bytes, size_t size)
{
    for (size_t got = 0; got < size;) {
        ssize_t now = read(file, (char *)bytes + got, size - got);
        if (now == 0 || (now < 0 && errno != EINTR))
            return false;
        got += now > 0 ? (size_t)now : 0;
    }
    return true;
}

// Rows up to the first record that is not whole, which is cut off with all behind it.
static bool load(journal *j, row_work *w)
{
    int64_t  row;
    uint64_t sum;
    off_t    end = HEAD;
    while (read_whole(j->file, j->record, record_size(j))) {
        memcpy(&row, j->record, sizeof row);
        memcpy(&sum, j->record + sizeof row + j->size, sizeof sum);
        if (sum != checksum(j) || row < 0 || row >= w->count)
            break;
        memcpy(w->results + (size_t)row * w->size, j->record + sizeof row, j->size);
        w->states[row] = ROW_DONE;
        end += (off_t)record_size(j);
    }
    return (ftruncate(j->file, end) == 0 && lseek(j->file, end, SEEK_SET) == end) || complain(j->path);
}

// A regular file that nobody else writes.
static bool open_file_of(journal *j)
{
    struct stat status;
    j->file = open(j->path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (j->file < 0 || fstat(j->file, &status) != 0)
        return complain(j->path);
    if (!S_ISREG(status.st_mode)) {
        print_error("%s: this is not a regular file", j->path);
        return false;
    }
    if (flock(j->file, LOCK_EX | LOCK_NB) == 0)
        return true;
    print_error("%s: another study is writing it", j->path);
    return false;
}

bool journal_open(const char *path, journal_key key, row_work *w, journal **out)
{
    char     head[HEAD], there[HEAD] = {0};
    journal *j = calloc(1, sizeof *j);
    *out = NULL;
    if (j == NULL || (j->path = strdup(path)) == NULL ||
        (j->record = malloc(sizeof(int64_t) + w->size + sizeof(uint64_t))) == NULL) {
        print_error("out of memory");
        if (j != NULL)
            j->file = -1;
        journal_close(j);
        return false;
    }
    j->file = -1;
    j->size = w->size;
    make_head(key, w, head);
    bool good = (access(path, F_OK) == 0 || begin_file(path, head)) && open_file_of(j);
    if (good)
        read_whole(j->file, there, HEAD); // a file that is too short differs
    int line = good ? compare_heads(head, there) : HEAD_LINES;
    good = good && (line == HEAD_LINES || refuse_head(path, line)) && load(j, w);
    if (good)
        *out = j;
    else
        journal_close(j);
    return good;
}

bool journal_add(journal *j, int row, const void *result)
{
    int64_t number = row;
    memcpy(j->record, &number, sizeof number);
    memcpy(j->record + sizeof number, result, j->size);
    uint64_t sum = checksum(j);
    memcpy(j->record + sizeof number + j->size, &sum, sizeof sum);
    for (size_t put = 0; put < record_size(j);) {
        ssize_t now = write(j->file, j->record + put, record_size(j) - put);
        if (now < 0 && errno != EINTR)
            return complain(j->path);
        put += now > 0 ? (size_t)now : 0;
    }
    return true;
}

const char *journal_path(const journal *j) { return j->path; }

journal *journal_close(journal *j)
{
    if (j != NULL) {
        if (j->file >= 0)
            close(j->file);
        free(j->path);
        free(j->record);
        free(j);
    }
    return NULL;
}
