// Conjugate gradients with algebraic multigrid, on one process. See amg.h.
#include "math/amg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/amg_cycle.h"
#include "math/conjugate.h"
#include "math/sparse_find.h"
#include "math/symmetric.h"

enum { M = ZN_AMG_BLOCK };

typedef struct amg {
    int                 n;
    const zn_sparse    *a; // borrowed
    const zn_near_null *near;
    zn_near_null        none; // where nothing is known: each unknown alone
    zn_cycle            cycle;
    zn_linsolver       *last; // of the last level; NULL: it is smoothed only
    zn_conjugate        gradients;
    double             *copy; // of a right-hand side
} amg;

// --- levels --------------------------------------------------------------------------------------

// The last level while levels are made, with what is its own.
typedef struct stage {
    zn_amg_level level;
    zn_amg_nodes nodes;
    zn_sparse   *made;
    int         *node;
    double      *motion;
} stage;

static void release_stage(stage *g)
{
    zn_sparse_destroy(g->made);
    free(g->level.inverse);
    free(g->node);
    free(g->motion);
    *g = (stage){0};
}

static void release_levels(amg *s)
{
    zn_cycle_release(&s->cycle);
    s->last = zn_linsolver_destroy(s->last);
}

// False: a diagonal entry is not positive.
static bool invert_diagonal(zn_amg_level *l)
{
    for (int j = 0; j < l->a->n; j++) {
        int    place = zn_sparse_find(l->a, j, j);
        double own = place < 0 ? 0 : l->a->value[place];
        if (!(own > 0))
            return false;
        l->inverse[j] = 1 / own;
    }
    return true;
}

static zn_status begin_level(amg *s, stage *g)
{
    zn_amg_level *l = &g->level;
    bool          smoothed = s->cycle.levels == 0 || l->a->n > ZN_AMG_LAST_ROWS;
    l->inverse = ZN_NEW(double, l->a->n);
    if (!l->inverse)
        return ZN_ERR_MEMORY;
    if (!invert_diagonal(l))
        return ZN_SINGULAR;
    const zn_cycle_source from = {
        .a = l->a, .inverse = l->inverse, .nodes = g->nodes.nodes, .node = g->nodes.node, .smoothed = smoothed};
    ZN_TRY(zn_cycle_add_level(&s->cycle, &from));
    if (smoothed) {
        zn_cycle_measure(&s->cycle, NULL);
        l->largest = s->cycle.level[s->cycle.levels - 1].largest;
    }
    return ZN_OK;
}

// The next stage from the matrix `next` of aggregates with their motions.
static zn_status make_stage(amg *s, zn_sparse *next, zn_amg_coarsening *c, stage *out)
{
    *out = (stage){.level.a = next, .made = next, .node = ZN_NEW(int, next->n), .motion = c->motion};
    c->motion = NULL;
    if (!out->node)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < next->n; i++)
        out->node[i] = i / M;
    out->nodes = (zn_amg_nodes){.nodes = c->count, .node = out->node, .motion = out->motion};
    return begin_level(s, out);
}

// One level more, of which there is none if not `coarser`.
static zn_status add_level(amg *s, stage *g, bool *coarser)
{
    zn_amg_coarsening c = {0};
    zn_amg_rows       P = {0};
    zn_sparse        *made = NULL;
    stage             next = {0};
    zn_status         status = zn_amg_find_aggregates(g->level.a, &g->nodes, &c);
    *coarser = status == ZN_OK && zn_amg_is_coarser(c.count, g->level.a->n);
    zn_amg_release_nodes(&g->nodes);
    if (*coarser)
        status = zn_amg_coarsen(&g->level, c.aggregate_of, c.count, c.P0, &P, &made);
    if (*coarser && status == ZN_OK) {
        status = make_stage(s, made, &c, &next);
        if (status == ZN_OK)
            status = zn_cycle_link(&s->cycle, &P);
        release_stage(g);
        *g = next;
    }
    zn_amg_release_rows(&P);
    zn_amg_release_coarsening(&c);
    return status;
}

static zn_status solve_last(void *user, const double *b, double *x)
{
    amg *s = user;
    int  n = s->cycle.level[s->cycle.levels - 1].n;
    memcpy(x, b, sizeof *x * (size_t)n);
    return zn_linsolver_solve(s->last, 1, x);
}

static zn_status finish(amg *s, const zn_sparse *a)
{
    if (a->n > ZN_AMG_DIRECT_ROWS)
        return zn_cycle_finish(&s->cycle, NULL, NULL);
    ZN_TRY(zn_linsolver_create(a, "klu", &s->last)); // which allocates nothing when it solves
    ZN_TRY(zn_linsolver_factor_kept(s->last, a, true));
    return zn_cycle_finish(&s->cycle, solve_last, s);
}

static double smallest(const double *value, int n)
{
    double found = INFINITY;
    for (int i = 0; i < n; i++)
        found = fmin(found, value[i]);
    return found;
}

static zn_status build(amg *s, const zn_sparse *a)
{
    stage     g = {.level.a = a, .nodes = {.nodes = s->near->nodes, .node = s->near->node, .motion = s->near->motion}};
    zn_status status = begin_level(s, &g);
    bool      more = true;
    if (status == ZN_OK)
        s->gradients.size = s->cycle.level[0].largest / smallest(g.level.inverse, a->n);
    while (more && status == ZN_OK && g.level.a->n > ZN_AMG_LAST_ROWS && s->cycle.levels < ZN_AMG_LEVELS)
        status = add_level(s, &g, &more);
    if (status == ZN_OK)
        status = finish(s, g.level.a);
    release_stage(&g);
    return status;
}

// --- solves --------------------------------------------------------------------------------------

static void multiply(void *self, const double *x, double *y)
{
    zn_sparse_multiply_symmetric(((const amg *)self)->a, x, y);
}

static zn_status precondition(void *self, double length, const double *r, double *z)
{
    return zn_cycle_run(&((amg *)self)->cycle, length, r, z);
}

static void quick(void *self, const double *x, double *y) { zn_cycle_multiply(&((amg *)self)->cycle, x, y); }

static const zn_conjugate_ops gradients_ops = {.quick = quick, .multiply = multiply, .precondition = precondition};

static zn_status solve_to(void *self, const double *b, double tolerance, double *x)
{
    return zn_conjugate_solve(&((amg *)self)->gradients, b, tolerance, x);
}

static zn_status solve(void *self, int count, double *x)
{
    const double exact = 1e-16; // as exact as it can be
    amg         *s = self;
    for (int c = 0; c < count; c++) {
        double *own = x + (size_t)c * (size_t)s->n;
        memcpy(s->copy, own, sizeof *own * (size_t)s->n);
        memset(own, 0, sizeof *own * (size_t)s->n);
        zn_status status = solve_to(s, s->copy, exact, own);
        if (status != ZN_OK) {
            memcpy(own, s->copy, sizeof *own * (size_t)s->n);
            return status;
        }
    }
    return ZN_OK;
}

// --- table ---------------------------------------------------------------------------------------

static void destroy(void *self)
{
    amg *s = self;
    release_levels(s);
    zn_conjugate_destroy(&s->gradients);
    free(s->copy);
    free(s->none.node);
    free(s->none.motion);
    free(s);
}

static zn_status know_nothing(amg *s)
{
    s->none = (zn_near_null){.n = s->n, .nodes = s->n, .node = ZN_NEW(int, s->n)};
    s->none.motion = ZN_NEW(double, (size_t)s->n *M);
    for (int i = 0; s->none.node && s->none.motion && i < s->n; i++) {
        s->none.node[i] = i;
        s->none.motion[(size_t)i * M] = 1;
    }
    return s->none.node && s->none.motion ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status create_near(const zn_sparse *a, const zn_near_null *near, void **self)
{
    amg *s = ZN_NEW(amg, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    *s = (amg){.n = a->n, .near = near ? near : &s->none};
    s->copy = ZN_NEW(double, a->n);
    zn_status status = zn_conjugate_create(a->n, NULL, &gradients_ops, s, &s->gradients);
    status = s->copy ? status : ZN_ERR_MEMORY;
    if (status == ZN_OK && !near)
        status = know_nothing(s);
    if (status != ZN_OK)
        destroy(s);
    else
        *self = s;
    return status;
}

static zn_status create(const zn_sparse *a, void **self) { return create_near(a, NULL, self); }

static zn_status factor(void *self, const zn_sparse *a, bool *fresh)
{
    const double slack = 1e-10;
    amg         *s = self;
    *fresh = true;
    release_levels(s);
    s->a = a;
    int   *next = ZN_NEW(int, a->n);
    double skew;
    if (!next)
        return ZN_ERR_MEMORY;
    bool symmetric = zn_sparse_is_symmetric(a, slack, next, s->copy, &skew);
    s->gradients.skew = skew * zn_sparse_longest(a);
    free(next);
    zn_status status = symmetric ? build(s, a) : ZN_ERR_UNSUPPORTED;
    if (status != ZN_OK)
        release_levels(s);
    return status;
}

static int64_t iterations(const void *self) { return ((const amg *)self)->gradients.iterations; }

const zn_linsolver_ops zn_linsolver_amg = {.name = "amg",
                                           .create = create,
                                           .create_near = create_near,
                                           .factor = factor,
                                           .solve = solve,
                                           .solve_to = solve_to,
                                           .iterations = iterations,
                                           .destroy = destroy};
