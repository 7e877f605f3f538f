// A pile on several processes. See parallel.h.
//
// Every process holds the whole model and the whole state, and does most for itself: motion, rows of contacts, ledger,
// records. What they share is what takes most of the time, the problem of contacts (pile_sweeps.c), and the search for
// pairs of spheres; all get the answer of all. So all of them come to the same state with the same bits, whatever one
// of them may be asked for is there, and the first one writes what one process alone would write.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "parallel/pile_sweeps.h"
#include "scheme/scheme.h"

struct zn_pile {
    zn_world       *world;
    zn_system      *sys;
    zn_pile_sweeps *sweeps;
    zn_peers        peers;
    zn_search_peers search;
    int            *count, *place; // of pairs that each process has found
    zn_recorder     inner;
    zn_status       trouble; // of the inner recorder, first process only
};

// --- what is one, and what is not done -----------------------------------------------------------

// Contacts that come and go between bodies that nothing else couples.
static zn_status is_pile(const zn_system *sys, bool *out)
{
    zn_node_blocks *blocks = NULL;
    zn_status       status = zn_node_blocks_create(sys, &blocks);
    *out = blocks != NULL;
    zn_node_blocks_destroy(blocks);
    return status;
}

static bool may_be_one(const zn_model *model, const zn_sim_def *def)
{
    bool grows = false;
    for (int r = 0; r < model->rules; r++)
        grows |= model->rule[r].grows;
    return grows && !def->statics && strcmp(def->scheme.scheme, "moreau_jean") == 0;
}

static zn_status refuse(const zn_model *model, const zn_sim_def *def)
{
    const char *what = NULL;
    if (def->start_at_equilibrium)
        what = "starts at an equilibrium ('start: equilibrium')";
    else if (def->scheme.observer.problem)
        what = "dumps of contact problems";
    else if (def->scheme.impact != ZN_IMPACT_NEWTON)
        what = "laws of impact other than Newton's";
    else if (strcmp(def->scheme.solver, "auto") != 0)
        what = "solvers other than auto";
    for (int r = 0; r < model->rules && !what; r++) {
        what = model->rule[r].cohesion > 0 ? "contacts with cohesion" : NULL;
        what = model->rule[r].turns > 0 ? "contacts with rolling or spinning friction" : what;
    }
    return what ? zn_fail(&def->log, ZN_ERR_UNSUPPORTED, "run: %s are not distributed in piles: use one process", what)
                : ZN_OK;
}

// --- life ----------------------------------------------------------------------------------------

static zn_status agree(void *user, zn_status own) { return zn_world_agree(((zn_pile *)user)->world, own); }

static zn_status solve(void *user, zn_pile_task *task) { return zn_pile_sweeps_solve(((zn_pile *)user)->sweeps, task); }

// Pairs of all processes in their order, which is that of one alone.
static zn_status join(void *user, zn_status own, zn_contact_list *list)
{
    zn_pile  *pile = user;
    zn_world *w = pile->world;
    int       all = 0;
    ZN_TRY(zn_world_agree(w, own));
    zn_world_gather(w, &list->count, sizeof list->count, pile->count);
    for (int r = 0; r < w->size; all += pile->count[r++])
        pile->place[r] = all;
    ZN_TRY(zn_world_agree(w, zn_contact_list_reserve(list, all)));
    zn_clock start = zn_clock_now();
    MPI_Allgatherv(list->number, list->count, MPI_INT64_T, list->spare, pile->count, pile->place, MPI_INT64_T, w->comm);
    zn_clock_stop(w, start, &w->times.halo);
    int64_t *found = list->spare;
    list->spare = list->number;
    list->number = found;
    list->count = all;
    return ZN_OK;
}

static zn_status compile(zn_pile *pile, const zn_model *model, const zn_sim_def *def, bool *out)
{
    ZN_TRY(zn_system_create(model, &pile->sys));
    ZN_TRY(is_pile(pile->sys, out));
    if (!*out)
        return ZN_OK;
    ZN_TRY(refuse(model, def));
    pile->count = ZN_NEW(int, pile->world->size);
    pile->place = ZN_NEW(int, pile->world->size);
    if (!pile->count || !pile->place)
        return ZN_ERR_MEMORY;
    return zn_pile_sweeps_create(pile->world, pile->sys, &pile->sweeps);
}

zn_status zn_pile_create(zn_world *world, const zn_model *model, zn_sim_def *def, zn_pile **out)
{
    *out = NULL;
    if (world->size == 1 || !may_be_one(model, def))
        return ZN_OK;
    bool      pile = false;
    zn_pile  *p = ZN_NEW(zn_pile, 1);
    zn_status status = p ? ZN_OK : ZN_ERR_MEMORY;
    if (p) {
        p->world = world;
        status = compile(p, model, def, &pile);
    }
    status = zn_world_agree(world, status);
    if (status != ZN_OK || !pile) {
        zn_pile_destroy(p);
        return status;
    }
    p->search = (zn_search_peers){p, world->rank, world->size, join};
    p->peers = (zn_peers){p, agree, solve, &p->search};
    p->sys->peers = &p->peers;
    if (def->scheme.threads == 0)
        def->scheme.threads = 1; // processors have other processes
    *out = p;
    return ZN_OK;
}

zn_pile *zn_pile_destroy(zn_pile *pile)
{
    if (!pile)
        return NULL;
    zn_system_destroy(pile->sys);
    zn_pile_sweeps_destroy(pile->sweeps);
    free(pile->count);
    free(pile->place);
    free(pile);
    return NULL;
}

zn_system *zn_pile_system(const zn_pile *pile) { return pile->sys; }
zn_status  zn_pile_trouble(const zn_pile *pile) { return pile->trouble; }

// --- the recorder --------------------------------------------------------------------------------
//
// All have the same results, and only the first process writes them. What goes wrong there it keeps to itself until
// everybody asks. The others are asked for rows and checkpoints as well: a run that writes them has other bits.

static bool writes(const zn_pile *pile) { return pile->world->rank == 0; }

static zn_status keep_trouble(zn_pile *pile, zn_status status)
{
    if (pile->trouble == ZN_OK)
        pile->trouble = status;
    return ZN_OK;
}

static zn_status begin(void *user, int series_count, const zn_series *series, int columns)
{
    zn_pile *pile = user;
    return writes(pile) && pile->inner.begin
               ? keep_trouble(pile, pile->inner.begin(pile->inner.user, series_count, series, columns))
               : ZN_OK;
}

static zn_status row(void *user, double t, const double *values)
{
    zn_pile *pile = user;
    return writes(pile) ? keep_trouble(pile, pile->inner.row(pile->inner.user, t, values)) : ZN_OK;
}

static zn_status event(void *user, const zn_event *e)
{
    zn_pile *pile = user;
    return writes(pile) ? keep_trouble(pile, pile->inner.event(pile->inner.user, e)) : ZN_OK;
}

static zn_status frame(void *user, const zn_frame *f)
{
    zn_pile *pile = user;
    return writes(pile) ? keep_trouble(pile, pile->inner.frame(pile->inner.user, f)) : ZN_OK;
}

static zn_status checkpoint(void *user, double t, const void *data, size_t size)
{
    zn_pile *pile = user;
    return writes(pile) ? keep_trouble(pile, pile->inner.checkpoint(pile->inner.user, t, data, size)) : ZN_OK;
}

static zn_status end(void *user, const zn_certificate *certificate, zn_status outcome)
{
    zn_pile *pile = user;
    if (writes(pile) && pile->inner.end)
        keep_trouble(pile, pile->inner.end(pile->inner.user, certificate, outcome));
    return zn_world_agree(pile->world, pile->trouble);
}

zn_recorder zn_pile_recorder(zn_pile *pile, zn_recorder inner)
{
    int wanted[4] = {inner.event != NULL, inner.frame != NULL, inner.checkpoint != NULL, inner.row != NULL};
    MPI_Bcast(wanted, 4, MPI_INT, 0, pile->world->comm);
    pile->inner = inner;
    pile->trouble = ZN_OK;
    return (zn_recorder){.user = pile,
                         .begin = begin,
                         .row = wanted[3] ? row : NULL,
                         .event = wanted[0] ? event : NULL,
                         .end = end,
                         .frame = wanted[1] ? frame : NULL,
                         .checkpoint = wanted[2] ? checkpoint : NULL};
}
