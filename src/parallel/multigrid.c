// Conjugate gradients with multigrid on many processes. See multigrid.h, and math/amg.c for one.
#include "parallel/multigrid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/amg_cycle.h"
#include "math/conjugate.h"
#include "math/symmetric.h"

enum { M = ZN_AMG_BLOCK };

struct zn_multigrid {
    zn_world           *world;
    const zn_numbering *numbers;
    const bool         *owned;
    const zn_near_null *near;
    int                 n;
    const zn_sparse    *a;
    zn_part_level       level[ZN_AMG_LEVELS];
    int                 levels;
    zn_cycle            cycle;
    zn_last_level       last;
    zn_conjugate        gradients;
};

// --- levels --------------------------------------------------------------------------------------

static void release_levels(zn_multigrid *s)
{
    for (int i = 0; i < s->levels; i++)
        zn_part_level_release(&s->level[i]);
    s->levels = 0;
    zn_cycle_release(&s->cycle);
    zn_last_level_release(&s->last);
}

static zn_part_level *last_level(zn_multigrid *s) { return &s->level[s->levels - 1]; }

// Nodes that others have as well, and those that have to do with such, in a pattern that is symmetric: 1.
static void mark_near(const zn_part_level *l, const int *node, int *near)
{
    const zn_meeting *m = &l->copies.meeting;
    for (int k = 0; k < m->count; k++)
        for (int i = m->who[k], e = l->a->start[i]; e < l->a->start[i + 1]; e++)
            near[node[l->a->row[e]]] = 1;
    for (int k = 0; k < m->count; k++)
        near[node[m->who[k]]] = 1;
}

// Those first, then the others: `order` of each unknown. Returns how many there are.
static int put_near_first(const zn_part_level *l, int nodes, const int *node, int *number, int *order)
{
    int near = 0;
    mark_near(l, node, number);
    for (int k = 0; k < nodes; k++)
        near += number[k];
    for (int k = 0, first = 0, next = near; k < nodes; k++)
        number[k] = number[k] ? first++ : next++;
    for (int i = 0; i < l->a->n; i++)
        order[i] = number[node[i]];
    return near;
}

// The last level as one of the cycle, of unknowns of nodes. Unknowns of those that are made stay in their order.
static zn_status begin_level(zn_multigrid *s, int nodes, const int *node)
{
    zn_part_level *l = last_level(s);
    ZN_TRY(zn_part_level_begin(s->world, l));
    bool            first = s->levels == 1;
    int            *number = ZN_NEW(int, nodes), *order = ZN_NEW(int, l->a->n);
    zn_cycle_source from = {.a = l->a,
                            .inverse = l->inverse,
                            .nodes = nodes,
                            .node = first ? order : node,
                            .owned = l->owned,
                            .near = nodes,
                            .smoothed = first || l->total > ZN_AMG_LAST_ROWS};
    if (number && order && first)
        from.near = put_near_first(l, nodes, node, number, order);
    zn_status own = number && order ? zn_cycle_add_level(&s->cycle, &from) : ZN_ERR_MEMORY;
    free(number);
    free(order);
    ZN_TRY(zn_world_agree(s->world, own));
    if (from.smoothed) {
        zn_cycle_measure(&s->cycle, l->number);
        l->largest = s->cycle.level[s->levels - 1].largest;
    }
    return ZN_OK;
}

// The next level in the cycle; all of its unknowns are here by aggregate.
static zn_status link_level(zn_multigrid *s)
{
    zn_part_level *l = last_level(s);
    int           *node = ZN_NEW(int, l->a->n);
    for (int i = 0; node && i < l->a->n; i++)
        node[i] = i / M;
    zn_status status = zn_world_agree(s->world, node ? ZN_OK : ZN_ERR_MEMORY);
    if (status == ZN_OK)
        status = begin_level(s, l->a->n / M, node);
    free(node);
    if (status == ZN_OK)
        status = zn_world_agree(s->world, zn_cycle_link(&s->cycle, &l[-1].P));
    zn_part_level_strip(l - 1);
    return status;
}

// Nodes of the first level: those of others come last.
static zn_status list_nodes(const zn_multigrid *s, zn_amg_nodes *out)
{
    int *node = ZN_NEW(int, s->n);
    for (int i = 0; node && i < s->n; i++)
        node[i] = s->owned[i] ? s->near->node[i] : s->near->nodes;
    *out = (zn_amg_nodes){.nodes = s->near->nodes, .node = node, .motion = s->near->motion};
    return zn_world_agree(s->world, node ? ZN_OK : ZN_ERR_MEMORY);
}

// Levels until they are small, each from the one before.
static zn_status add_levels(zn_multigrid *s, zn_amg_nodes *nodes)
{
    for (bool more = true; more;) {
        zn_part_level *l = last_level(s);
        more = l->total > ZN_AMG_LAST_ROWS && s->levels < ZN_AMG_LEVELS;
        if (!more)
            break;
        const int    *node = nodes->node;
        const double *motion = nodes->motion;
        zn_status     status = zn_part_level_coarsen(s->world, l, nodes, l + 1, &more);
        s->levels += more;
        if (nodes->node != node) {
            free((void *)node);
            if (motion != s->near->motion)
                free((void *)motion);
        }
        ZN_TRY(status);
        if (more)
            ZN_TRY(link_level(s));
    }
    return ZN_OK;
}

static zn_status make_levels(zn_multigrid *s)
{
    zn_amg_nodes nodes;
    zn_status    listed = list_nodes(s, &nodes);
    if (listed != ZN_OK) {
        free((void *)nodes.node);
        return listed;
    }
    s->level[s->levels++] =
        (zn_part_level){.a = s->a, .owned = s->owned, .number = s->numbers->number, .begin = s->numbers->begin};
    zn_status status = begin_level(s, s->near->nodes, s->near->node);
    if (status == ZN_OK) {
        double smallest = INFINITY; // of the inverse of the diagonal
        for (int i = 0; i < s->n; i++)
            smallest = fmin(smallest, s->level[0].inverse[i]);
        s->gradients.size = s->level[0].largest / smallest;
        zn_world_max(s->world, &s->gradients.size, 1);
        status = add_levels(s, &nodes);
    }
    free((void *)nodes.node);
    if (nodes.motion != s->near->motion)
        free((void *)nodes.motion);
    return status;
}

static zn_status solve_last(void *user, const double *b, double *x)
{
    zn_multigrid *s = user;
    return zn_last_level_solve(s->world, &s->last, last_level(s), b, x);
}

static zn_status make_last(zn_multigrid *s)
{
    bool first = s->levels == 1;
    ZN_TRY(zn_last_level_create(s->world, last_level(s), first ? s->numbers->units : 0, s->numbers->unit, &s->last));
    return zn_world_agree(s->world, zn_cycle_finish(&s->cycle, s->last.solver ? solve_last : NULL, s));
}

zn_status zn_multigrid_build(zn_multigrid *s, const zn_sparse *a, double skew)
{
    ZN_ASSERT(a->n == s->n);
    release_levels(s);
    s->a = a;
    s->gradients.skew = skew;
    zn_status status = make_levels(s);
    if (status == ZN_OK)
        status = make_last(s);
    if (status != ZN_OK)
        release_levels(s);
    return status;
}

// --- what many processes add ---------------------------------------------------------------------

static void begin_sum(void *user, int level, zn_cycle_vector v)
{
    zn_meeting_begin(&((zn_multigrid *)user)->level[level].copies.meeting, (zn_met_vector){v.exact, v.x, v.place});
}

static void end_sum(void *user, int level, zn_cycle_vector v)
{
    zn_meeting_end(&((zn_multigrid *)user)->level[level].copies.meeting, (zn_met_vector){v.exact, v.x, v.place});
}

static void add_up(void *user, double *sums, int count) { zn_world_sum(((zn_multigrid *)user)->world, sums, count); }

static void share(void *user, double *x) { zn_copies_share(&((zn_multigrid *)user)->level[0].copies, x); }

static void multiply(void *user, const double *x, double *y)
{
    zn_multigrid *s = user;
    zn_sparse_multiply_symmetric(s->a, x, y);
    zn_copies_sum(&s->level[0].copies, y);
}

static void quick(void *user, const double *x, double *y) { zn_cycle_multiply(&((zn_multigrid *)user)->cycle, x, y); }

static zn_status precondition(void *user, double size, const double *r, double *z)
{
    return zn_cycle_run(&((zn_multigrid *)user)->cycle, size, r, z);
}

// --- solves --------------------------------------------------------------------------------------

zn_status zn_multigrid_solve(zn_multigrid *s, const double *b, double tolerance, double *x)
{
    return zn_conjugate_solve(&s->gradients, b, tolerance, x);
}

int64_t zn_multigrid_iterations(const zn_multigrid *s) { return s->gradients.iterations; }

// --- life ----------------------------------------------------------------------------------------

zn_status zn_multigrid_create(zn_world *world, const zn_numbering *numbers, const bool *owned, const zn_near_null *near,
                              zn_multigrid **out)
{
    static const zn_conjugate_ops ops = {quick, multiply, precondition, share, add_up};
    zn_multigrid                 *s = ZN_NEW(zn_multigrid, 1);
    zn_status                     own = s ? ZN_OK : ZN_ERR_MEMORY;
    if (s) {
        *s = (zn_multigrid){.world = world, .numbers = numbers, .owned = owned, .near = near, .n = numbers->n};
        s->cycle.others = (zn_cycle_others){s, begin_sum, end_sum, add_up};
        own = zn_conjugate_create(s->n, owned, &ops, s, &s->gradients);
    }
    zn_status status = zn_world_agree(world, own);
    if (status != ZN_OK)
        zn_multigrid_destroy(s);
    else
        *out = s;
    return status;
}

zn_multigrid *zn_multigrid_destroy(zn_multigrid *s)
{
    if (!s)
        return NULL;
    release_levels(s);
    zn_conjugate_destroy(&s->gradients);
    free(s);
    return NULL;
}
