// A run in the processes of mpirun. Each holds its errors back until all have ended: then the first process prints
// those of the one that failed, with its number. One that fails where the others do not ends all of them.
#include "ranks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "command.h"
#include "parallel/parallel.h"
#include "terminal.h"

static zn_world *world;
static zn_part  *part;   // of a model that is in parts,
static zn_pile  *pile;   // or what all hold together
static char     *errors; // of this process so far, one per line
static double    loop_seconds;
static double    used_before, used_after; // processor time when the first step was done, and after the last [s]

enum { PATIENCE = 5 }; // [s] after which a process that failed ends the others

// --- messages ------------------------------------------------------------------------------------

static bool keep_message(zn_severity severity, const char *message)
{
    if (severity != ZN_LOG_ERROR)
        return !ranks_first();
    size_t before = errors != NULL ? strlen(errors) : 0;
    char  *more = realloc(errors, before + strlen(message) + 2);
    if (more == NULL)
        return false;
    errors = more;
    sprintf(errors + before, "%s\n", message);
    return true;
}

// rank < 0: of all.
static void print_errors(char *text, int rank)
{
    divert_messages(NULL);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char whole[2048];
        snprintf(whole, sizeof whole, "rank %d: %s", rank, line);
        print_message(ZN_LOG_ERROR, rank >= 0 ? whole : line);
    }
    divert_messages(keep_message);
}

// --- life ----------------------------------------------------------------------------------------

bool ranks_begin(void)
{
    if (zn_world_create(NULL, NULL, &world) != ZN_OK) {
        print_error("MPI or PETSc did not start");
        return false;
    }
    if (zn_world_size(world) > 1)
        divert_messages(keep_message);
    if (!ranks_first() && freopen("/dev/null", "w", stdout) == NULL)
        print_error("standard output cannot be closed");
    return true;
}

static double processor_time(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
           1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

// What each process took, for those who ask for it.
static void print_times(void)
{
    if (getenv("ZENO_MPI_TIMES") == NULL)
        return;
    zn_world_times t = zn_world_measure(world);
    struct rusage  use;
    char           own[256];
    getrusage(RUSAGE_SELF, &use);
    snprintf(
        own, sizeof own,
        "rank %d: elements %d, shared %d, loop %.6f s, halo %.6f s, wait %.6f s, processor %.6f s, in steps %.6f s, of "
        "which messages %.6f s, "
        "memory %ld kB",
        zn_world_rank(world), t.elements, t.shared, loop_seconds, t.halo, t.wait, processor_time(),
        used_after - used_before, t.used, use.ru_maxrss);
    for (int r = 0; r < zn_world_size(world); r++) {
        char *line = zn_world_tell(world, r, own);
        if (line != NULL)
            fprintf(stderr, "%s\n", line);
        free(line);
    }
}

// Everybody is here: the first process tells what the culprit said. Has anybody failed?
static bool tell_errors(bool failed)
{
    int  culprit = zn_world_culprit(world);
    bool all = zn_world_agree(world, failed ? ZN_ERR_ARGUMENT : ZN_OK) == ZN_OK;
    if (culprit < 0)
        culprit = zn_world_culprit(world);
    char *text = zn_world_tell(world, culprit < 0 ? 0 : culprit, errors != NULL ? errors : "");
    if (text != NULL && *text != '\0') {
        print_errors(text, culprit);
        forget_reason(); // of this process, which told or ended with another
    }
    free(text);
    return !all;
}

int ranks_end(int exit_status)
{
    bool failed = exit_status >= EXIT_INPUT;
    if (!zn_world_meet(world, failed ? PATIENCE : INFINITY)) {
        if (errors != NULL)
            print_errors(errors, zn_world_rank(world));
        zn_world_abort(world, exit_status);
    }
    if (zn_world_size(world) > 1 && tell_errors(failed) && !failed)
        exit_status = EXIT_NUMERIC;
    print_times();
    exit_status = ranks_first() ? exit_status : EXIT_FINE; // one is enough for mpirun
    world = zn_world_destroy(world);
    free(errors);
    errors = NULL;
    divert_messages(NULL); // for last words
    return exit_status;
}

int  ranks_count(void) { return world != NULL ? zn_world_size(world) : 1; }
bool ranks_first(void) { return world == NULL || zn_world_rank(world) == 0; }

// --- the system ----------------------------------------------------------------------------------

zn_status ranks_compile(zn_model *model, zn_sim_def *def, zn_system **out)
{
    if (ranks_count() == 1)
        return zn_system_create(model, out);
    ZN_TRY(zn_pile_create(world, model, def, &pile));
    if (pile != NULL) {
        *out = zn_pile_system(pile);
        return ZN_OK;
    }
    ZN_TRY(zn_part_create(world, model, def, &part));
    *out = zn_part_system(part);
    return ZN_OK;
}

void ranks_release(zn_system *sys)
{
    if (part == NULL && pile == NULL)
        zn_system_destroy(sys);
    part = zn_part_destroy(part);
    pile = zn_pile_destroy(pile);
}

// --- results -------------------------------------------------------------------------------------

zn_recorder ranks_recorder(zn_recorder of_first)
{
    if (pile != NULL)
        return zn_pile_recorder(pile, of_first);
    return part != NULL ? zn_part_recorder(part, of_first) : of_first;
}

zn_status ranks_checkpoint(const void *data, size_t size, const void **own, size_t *own_size)
{
    *own = data;
    *own_size = size;
    return part != NULL ? zn_part_checkpoint(part, data, size, own, own_size) : ZN_OK;
}

zn_status ranks_agree(zn_status own)
{
    if (used_before == 0)
        used_before = processor_time();
    if (part == NULL && pile == NULL)
        return own;
    zn_status trouble = pile != NULL ? zn_pile_trouble(pile) : zn_part_trouble(part);
    return zn_world_agree(world, trouble != ZN_OK ? trouble : own);
}

double *ranks_final(const zn_sim *sim, int *count, const zn_series **series)
{
    int     columns = part != NULL ? zn_part_columns(part) : zn_sim_columns(sim);
    double *values = calloc((size_t)columns + 1, sizeof *values);
    used_after = processor_time();
    loop_seconds = zn_sim_certificate(sim)->loop_seconds;
    if (ranks_agree(values != NULL ? ZN_OK : ZN_ERR_MEMORY) != ZN_OK ||
        (part != NULL ? zn_part_values(part, sim, values) : zn_sim_values(sim, values)) != ZN_OK) {
        free(values);
        return NULL;
    }
    *count = part != NULL ? zn_part_series_count(part) : zn_sim_series_count(sim);
    *series = part != NULL ? zn_part_series(part) : zn_sim_series(sim);
    return values;
}
