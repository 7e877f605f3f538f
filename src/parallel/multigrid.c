// Conjugate gradients with multigrid on many processes. See multigrid.h, and math/amg.c for one.
#include "parallel/multigrid.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { DEGREE = 3, LAST_ROWS = 1500, MOST_ITERATIONS = 500, M = ZN_AMG_BLOCK };

struct zn_multigrid {
    zn_world           *world;
    const zn_numbering *numbers;
    const bool         *owned;
    const zn_near_null *near;
    int                 n;
    zn_part_level       level[ZN_AMG_LEVELS];
    int                 levels;
    zn_last_level       last;
    double             *r, *z, *p, *Ap; // conjugate gradients
    int64_t             iterations;
    double              size; // of A
};

// --- levels --------------------------------------------------------------------------------------

static void release_levels(zn_multigrid *s)
{
    for (int i = 0; i < s->levels; i++)
        zn_part_level_release(&s->level[i]);
    s->levels = 0;
    zn_last_level_release(&s->last);
}

static double dot(const zn_multigrid *s, const double *a, const double *b)
{
    return zn_part_level_dot(s->world, &s->level[0], a, b);
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
        zn_part_level *l = &s->level[s->levels - 1];
        more = l->total > LAST_ROWS && s->levels < ZN_AMG_LEVELS;
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
            ZN_TRY(zn_part_level_begin(s->world, &s->level[s->levels - 1]));
    }
    return ZN_OK;
}

static zn_status make_levels(zn_multigrid *s, const zn_sparse *a)
{
    zn_amg_nodes nodes;
    zn_status    listed = list_nodes(s, &nodes);
    if (listed != ZN_OK) {
        free((void *)nodes.node);
        return listed;
    }
    s->level[s->levels++] =
        (zn_part_level){.a = a, .owned = s->owned, .number = s->numbers->number, .begin = s->numbers->begin};
    zn_status status = zn_part_level_begin(s->world, &s->level[0]);
    if (status == ZN_OK)
        status = add_levels(s, &nodes);
    free((void *)nodes.node);
    if (nodes.motion != s->near->motion)
        free((void *)nodes.motion);
    return status;
}

static zn_status make_last(zn_multigrid *s)
{
    bool first = s->levels == 1;
    return zn_last_level_create(s->world, &s->level[s->levels - 1], first ? s->numbers->units : 0, s->numbers->unit,
                                &s->last);
}

zn_status zn_multigrid_build(zn_multigrid *s, const zn_sparse *a)
{
    ZN_ASSERT(a->n == s->n);
    release_levels(s);
    zn_status status = make_levels(s, a);
    if (status == ZN_OK)
        status = make_last(s);
    if (status != ZN_OK) {
        release_levels(s);
        return status;
    }
    double diagonal = 0;
    for (int i = 0; i < s->n; i++)
        diagonal = fmax(diagonal, 1 / s->level[0].inverse[i]);
    zn_world_max(s->world, &diagonal, 1);
    s->size = diagonal * s->level[0].largest;
    return ZN_OK;
}

// --- cycle ---------------------------------------------------------------------------------------

// r -= A d
static void subtract(zn_part_level *l, const double *d, double *r)
{
    zn_part_level_multiply(l, d, l->y);
    for (int i = 0; i < l->a->n; i++)
        r[i] -= l->y[i];
}

// Chebyshev's polynomial: x += what it makes of the residual in l->r, which is only kept up to date where `kept`.
static void smooth(zn_part_level *l, double *x, bool kept)
{
    double high = l->largest, low = high / 10, middle = (high + low) / 2, half = (high - low) / 2;
    double sigma = middle / half, rho = 1 / sigma;
    int    n = l->a->n;
    for (int i = 0; i < n; i++) {
        l->d[i] = l->inverse[i] * l->r[i] / middle;
        x[i] += l->d[i];
    }
    for (int k = 1; k < DEGREE; k++) {
        double next = 1 / (2 * sigma - rho), keep = next * rho, add = 2 * next / half;
        subtract(l, l->d, l->r);
        for (int i = 0; i < n; i++) {
            l->d[i] = keep * l->d[i] + add * l->inverse[i] * l->r[i];
            x[i] += l->d[i];
        }
        rho = next;
    }
    if (kept)
        subtract(l, l->d, l->r);
}

// Each unknown once, by its owner.
static void restrict_to(const zn_part_level *l, zn_part_level *next)
{
    memset(next->b, 0, sizeof *next->b * (size_t)next->a->n);
    for (int i = 0; i < l->a->n; i++)
        for (int k = l->P.start[i]; l->owned[i] && k < l->P.start[i + 1]; k++)
            for (int c = 0; c < M; c++)
                next->b[l->P.aggregate[k] * M + c] += l->P.value[(size_t)k * M + (size_t)c] * l->r[i];
    zn_copies_sum(&next->copies, next->b);
}

static void prolong(const zn_part_level *l, const double *coarse, double *x)
{
    for (int i = 0; i < l->a->n; i++) {
        double sum = 0;
        for (int k = l->P.start[i]; k < l->P.start[i + 1]; k++)
            for (int c = 0; c < M; c++)
                sum += l->P.value[(size_t)k * M + (size_t)c] * coarse[l->P.aggregate[k] * M + c];
        x[i] += sum;
    }
}

// x = what a cycle from level k on makes of b.
static zn_status cycle(zn_multigrid *s, int k, const double *b, double *x)
{
    zn_part_level *l = &s->level[k];
    size_t         bytes = sizeof *x * (size_t)l->a->n;
    if (k == s->levels - 1 && s->last.solver)
        return zn_last_level_solve(s->world, &s->last, l, b, x);
    memset(x, 0, bytes);
    memcpy(l->r, b, bytes);
    smooth(l, x, k + 1 < s->levels);
    if (k + 1 == s->levels)
        return ZN_OK;
    zn_part_level *next = &s->level[k + 1];
    restrict_to(l, next);
    ZN_TRY(cycle(s, k + 1, next->b, next->x));
    prolong(l, next->x, x);
    memcpy(l->r, b, bytes);
    subtract(l, x, l->r);
    smooth(l, x, false);
    return ZN_OK;
}

// --- conjugate gradients -------------------------------------------------------------------------

// Until |r| <= `wanted` by the recursion, from the residual in s->r on.
static zn_status run(zn_multigrid *s, double wanted, int *left, double *x)
{
    double before = 0;
    for (bool first = true; sqrt(dot(s, s->r, s->r)) > wanted; first = false) {
        if ((*left)-- == 0)
            return ZN_NOT_CONVERGED;
        s->iterations++;
        ZN_TRY(cycle(s, 0, s->r, s->z));
        double now = dot(s, s->r, s->z), ratio = first ? 0 : now / before;
        for (int i = 0; i < s->n; i++)
            s->p[i] = s->z[i] + ratio * s->p[i];
        zn_part_level_multiply(&s->level[0], s->p, s->Ap);
        double curvature = dot(s, s->p, s->Ap);
        if (!(now > 0) || !(curvature > 0)) // neither is, of a matrix that is not positive definite
            return ZN_SINGULAR;
        double step = now / curvature;
        for (int i = 0; i < s->n; i++) {
            x[i] += step * s->p[i];
            s->r[i] -= step * s->Ap[i];
        }
        before = now;
    }
    return ZN_OK;
}

static double residual(zn_multigrid *s, const double *b, const double *x)
{
    memcpy(s->r, b, sizeof *b * (size_t)s->n);
    zn_copies_share(&s->level[0].copies, s->r);
    subtract(&s->level[0], x, s->r);
    return sqrt(dot(s, s->r, s->r));
}

// The residual itself decides, which the recursion leaves behind near rounding: from there on once more, as long as
// that helps.
zn_status zn_multigrid_solve(zn_multigrid *s, const double *b, double tolerance, double *x)
{
    zn_copies_share(&s->level[0].copies, x);
    double size = sqrt(dot(s, b, b)), left = residual(s, b, x), before = INFINITY;
    int    iterations = MOST_ITERATIONS;
    if (!isfinite(size) || !isfinite(left))
        return ZN_NOT_FINITE;
    while (left > tolerance * size && left < 0.5 * before) {
        before = left;
        ZN_TRY(run(s, 0.5 * tolerance * size, &iterations, x));
        left = residual(s, b, x);
    }
    double rounding = 64 * DBL_EPSILON * (size + s->size * sqrt(dot(s, x, x)));
    return left <= fmax(tolerance * size, rounding) ? ZN_OK : ZN_NOT_CONVERGED;
}

int64_t zn_multigrid_iterations(const zn_multigrid *s) { return s->iterations; }

// --- life ----------------------------------------------------------------------------------------

zn_status zn_multigrid_create(zn_world *world, const zn_numbering *numbers, const bool *owned, const zn_near_null *near,
                              zn_multigrid **out)
{
    int           n = numbers->n;
    zn_multigrid *s = ZN_NEW(zn_multigrid, 1);
    if (s)
        *s = (zn_multigrid){.world = world,
                            .numbers = numbers,
                            .owned = owned,
                            .near = near,
                            .n = n,
                            .r = ZN_NEW(double, n),
                            .z = ZN_NEW(double, n),
                            .p = ZN_NEW(double, n),
                            .Ap = ZN_NEW(double, n)};
    zn_status status = zn_world_agree(world, s && s->r && s->z && s->p && s->Ap ? ZN_OK : ZN_ERR_MEMORY);
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
    free(s->r);
    free(s->z);
    free(s->p);
    free(s->Ap);
    free(s);
    return NULL;
}
