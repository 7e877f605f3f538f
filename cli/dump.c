// Writes the friction problems of a run as FCLIB files. A step solves several problems (Newton iterations, levels): of
// each level the last one that was solved is written, with the result of its iterations in it.
#include "dump.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "terminal.h"

enum { PATH_BYTES = 4096, NUMBERS_MOST = 420000000 }; // 3.4 GB

zn_status dump_begin(dump *d, const char *folder, int every, const char *stem, const char *title)
{
    *d = (dump){.folder = folder, .every = every < 1 ? 1 : every, .stem = stem, .title = title};
    if (folder == NULL || mkdir(folder, 0777) == 0)
        return ZN_OK;
    struct stat status;
    if (errno == EEXIST && stat(folder, &status) == 0 && S_ISDIR(status.st_mode))
        return ZN_OK;
    print_error("%s: %s", folder, strerror(errno == EEXIST ? ENOTDIR : errno));
    return ZN_ERR_IO;
}

void dump_end(dump *d)
{
    for (int i = 0; i <= DUMP_LEVELS; i++) {
        dump_problem *p = i < DUMP_LEVELS ? &d->last[i] : &d->failed;
        free(p->first);
        free(p->data);
    }
    *d = (dump){0};
}

// --- keeping -------------------------------------------------------------------------------------

static bool make_room(dump_problem *to, int integers, int numbers)
{
    if (integers > to->integers) {
        int *grown = realloc(to->first, (size_t)integers * sizeof *grown);
        if (grown == NULL)
            return false;
        to->first = grown;
        to->integers = integers;
    }
    if (numbers > to->numbers) {
        double *grown = realloc(to->data, (size_t)numbers * sizeof *grown);
        if (grown == NULL)
            return false;
        to->data = grown;
        to->numbers = numbers;
    }
    return true;
}

// W of a pile is sparse, that of others dense.
static void keep_sparse(dump_problem *to, const zn_fc_matrix *W, int *start)
{
    int *column = start + W->rows + 1;
    memcpy(start, W->start, ((size_t)W->rows + 1) * sizeof *start);
    memcpy(column, W->column, (size_t)W->start[W->rows] * sizeof *column);
    to->sparse = (zn_fc_matrix){W->rows, W->columns, start, column, to->data};
}

static bool keep(dump_problem *to, const zn_fc_problem *p, const char *level, double t, zn_status status)
{
    bool   dense = p->W != NULL;
    size_t n = (size_t)p->n, contacts = (size_t)p->contacts, entries = dense ? n * n : (size_t)p->sparse->start[n];
    size_t integers = contacts + 1 + (dense ? 0 : n + 1 + entries), numbers = entries + n + contacts;
    to->problem.contacts = 0;
    if (integers > INT_MAX || numbers > NUMBERS_MOST || !make_room(to, (int)integers, (int)numbers))
        return false;
    memcpy(to->first, p->first, (contacts + 1) * sizeof *to->first);
    memcpy(to->data, dense ? p->W : p->sparse->value, entries * sizeof *to->data);
    if (!dense)
        keep_sparse(to, p->sparse, to->first + contacts + 1);
    memcpy(to->data + entries, p->q, n * sizeof *to->data);
    memcpy(to->data + entries + n, p->mu, contacts * sizeof *to->data);
    to->problem = *p;
    to->problem.first = to->first;
    to->problem.W = dense ? to->data : NULL;
    to->problem.sparse = dense ? NULL : &to->sparse;
    to->problem.q = to->data + entries;
    to->problem.mu = to->data + entries + n;
    to->problem.leader = p->leader ? to->first : NULL; // whoever writes it refuses those that follow
    to->level = level;
    to->t = t;
    to->status = status;
    return true;
}

static void look(void *user, const zn_fc_problem *problem, const char *level, double t, zn_status status)
{
    static const char *const levels[DUMP_LEVELS] = {"velocity", "position", "coupled", "smooth"};
    dump                    *d = user;
    if (status != ZN_OK) {
        d->out_of_memory |= !keep(&d->failed, problem, level, t, status);
        return;
    }
    for (int i = 0; d->folder != NULL && i < DUMP_LEVELS; i++)
        if (strcmp(levels[i], level) == 0)
            d->out_of_memory |= !keep(&d->last[i], problem, level, t, status);
}

zn_observer dump_observer(dump *d) { return (zn_observer){look, d, d->folder == NULL}; }

// --- writing -------------------------------------------------------------------------------------

static zn_status write_to(const dump *d, dump_problem *p, const char *path)
{
    char description[256];
    snprintf(description, sizeof description, "Problem of the %s level in the step from t = %.9g s: %s.", p->level,
             p->t, p->status == ZN_OK ? "solved" : zn_status_text(p->status));
    zn_fclib_text text = {d->title, description, NULL};
    zn_status     status = zn_fclib_write(path, &p->problem, &text, terminal_log());
    p->problem.contacts = 0;
    return status == ZN_SINGULAR ? ZN_OK : status; // it was told; the run need not end for it
}

static zn_status write_step(const dump *d, dump_problem *p, int64_t step, char *path)
{
    snprintf(path, PATH_BYTES, "%s/%s-%06" PRId64 "-%s%s.hdf5", d->folder, d->stem, step, p->level,
             p->status == ZN_OK ? "" : "-failed");
    return write_to(d, p, path);
}

zn_status dump_step(dump *d, int64_t step)
{
    char path[PATH_BYTES];
    if (d->folder == NULL)
        return ZN_OK;
    if (d->out_of_memory) {
        print_error("a problem is too large to be dumped");
        return ZN_ERR_MEMORY;
    }
    if (d->failed.problem.contacts > 0) // smaller steps went on
        ZN_TRY(write_step(d, &d->failed, step, path));
    for (int i = 0; i < DUMP_LEVELS; i++) {
        if (d->last[i].problem.contacts > 0 && step % d->every == 0)
            ZN_TRY(write_step(d, &d->last[i], step, path));
        d->last[i].problem.contacts = 0;
    }
    return ZN_OK;
}

void dump_failure(dump *d, double t, int64_t step, const char *path)
{
    char own[PATH_BYTES];
    if (d->failed.problem.contacts == 0 || d->failed.t != t || (d->folder == NULL && path == NULL))
        return;
    zn_status status = d->folder != NULL ? write_step(d, &d->failed, step, own) : write_to(d, &d->failed, path);
    if (status == ZN_OK)
        print_error("the problem that was not solved is in %s (see 'zeno solve')", d->folder != NULL ? own : path);
}
