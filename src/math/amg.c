// Conjugate gradients with algebraic multigrid. See amg.h.
//
// A cycle smooths by Chebyshev's polynomials of degree 3 in D^-1 A on [l/10, l], goes to the next level, adds what
// comes back, and smooths once more: symmetric, as conjugate gradients want it. The last level is solved with directly.
// Sums are taken in one order: equal bits for equal input.
#include "math/amg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/symmetric.h"

enum { DEGREE = 3, LAST_ROWS = 1500, MOST_ITERATIONS = 500, M = ZN_AMG_BLOCK };

typedef struct amg {
    int                 n;
    const zn_near_null *near;
    zn_near_null        none; // where nothing is known: each unknown alone
    zn_amg_level        level[ZN_AMG_LEVELS];
    int                 levels;
    zn_linsolver       *last;           // of the last level; NULL: it is smoothed only
    double             *r, *z, *p, *Ap; // conjugate gradients
    double             *copy;           // of a right-hand side
    int64_t             iterations;     // of all solves
    double              size;           // of A: largest entry of its diagonal times `largest`
} amg;

// --- vectors -------------------------------------------------------------------------------------

static double dot(int n, const double *a, const double *b)
{
    double sum[4] = {0};
    int    i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// y = A x, A symmetric: its columns are its rows.
static void multiply(const zn_sparse *a, const double *x, double *y)
{
    for (int j = 0; j < a->n; j++) {
        double sum = 0;
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            sum += a->value[e] * x[a->row[e]];
        y[j] = sum;
    }
}

// r -= A d
static void subtract(const zn_sparse *a, const double *d, double *r)
{
    for (int j = 0; j < a->n; j++) {
        double sum = 0;
        for (int e = a->start[j]; e < a->start[j + 1]; e++)
            sum += a->value[e] * d[a->row[e]];
        r[j] -= sum;
    }
}

// --- levels --------------------------------------------------------------------------------------

static void release_level(zn_amg_level *l)
{
    zn_sparse_destroy(l->own);
    free(l->inverse);
    free(l->P.start);
    free(l->P.aggregate);
    free(l->P.value);
    free(l->x);
    free(l->b);
    free(l->r);
    free(l->d);
    *l = (zn_amg_level){0};
}

static void release_levels(amg *s)
{
    for (int i = 0; i < s->levels; i++)
        release_level(&s->level[i]);
    s->levels = 0;
    s->last = zn_linsolver_destroy(s->last);
}

// False: a diagonal entry is not positive.
static bool invert_diagonal(zn_amg_level *l)
{
    for (int j = 0; j < l->a->n; j++) {
        double own = 0;
        for (int e = l->a->start[j]; e < l->a->start[j + 1]; e++)
            own = l->a->row[e] == j ? l->a->value[e] : own;
        if (!(own > 0))
            return false;
        l->inverse[j] = 1 / own;
    }
    return true;
}

// The power method on D^-1/2 A D^-1/2 from a vector without a pattern, and a little more.
static double largest_eigenvalue(const zn_amg_level *l)
{
    enum { STEPS = 15 };
    const double more = 1.15;
    int          n = l->a->n;
    unsigned     seed = 12345;
    double       value = 1;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        l->d[i] = (double)(seed >> 8) / (1 << 24) - 0.5;
    }
    for (int step = 0; step < STEPS; step++) {
        double length = sqrt(dot(n, l->d, l->d));
        for (int i = 0; i < n; i++)
            l->x[i] = l->d[i] / length * sqrt(l->inverse[i]);
        multiply(l->a, l->x, l->r);
        for (int i = 0; i < n; i++)
            l->d[i] = sqrt(l->inverse[i]) * l->r[i];
        value = sqrt(dot(n, l->d, l->d));
    }
    return more * value;
}

static zn_status begin_level(amg *s, const zn_sparse *a, zn_sparse *own)
{
    zn_amg_level *l = &s->level[s->levels++];
    *l = (zn_amg_level){.a = a, .own = own, .inverse = ZN_NEW(double, a->n), .x = ZN_NEW(double, a->n)};
    l->b = ZN_NEW(double, own ? a->n : 0);
    l->r = ZN_NEW(double, a->n);
    l->d = ZN_NEW(double, a->n);
    if (!l->inverse || !l->x || !l->b || !l->r || !l->d)
        return ZN_ERR_MEMORY;
    if (!invert_diagonal(l))
        return ZN_SINGULAR;
    l->largest = largest_eigenvalue(l);
    return ZN_OK;
}

// One level more, `*coarser`, with its nodes; or none.
static zn_status add_level(amg *s, zn_amg_nodes *nodes, bool *coarser)
{
    zn_amg_level     *l = &s->level[s->levels - 1];
    zn_amg_coarsening c = {0};
    zn_sparse        *next = NULL;
    *coarser = false;
    zn_status status = zn_amg_find_aggregates(l->a, nodes, &c);
    if (status == ZN_OK && zn_amg_is_coarser(c.count, l->a->n))
        status = zn_amg_coarsen(l, l->a->n, c.aggregate_of, c.count, c.P0, &next);
    zn_amg_release_nodes(nodes);
    int *node = ZN_NEW(int, next ? next->n : 0);
    if (status == ZN_OK && next) {
        for (int i = 0; node && i < next->n; i++)
            node[i] = i / M;
        l->coarse = next->n;
        status = begin_level(s, next, next);
        status = node ? status : ZN_ERR_MEMORY;
        *coarser = status == ZN_OK;
    }
    if (*coarser) {
        if (s->levels > 2) {
            free((void *)nodes->node);
            free((void *)nodes->motion);
        }
        *nodes = (zn_amg_nodes){.nodes = c.count, .node = node, .motion = c.motion};
        c.motion = NULL;
    } else
        free(node);
    zn_amg_release_coarsening(&c);
    return status;
}

static zn_status solve_last(amg *s)
{
    enum { DIRECT_ROWS = 20000 };
    const zn_sparse *a = s->level[s->levels - 1].a;
    if (a->n > DIRECT_ROWS) // it could not be made coarser: hardly anything is coupled
        return ZN_OK;
    ZN_TRY(zn_linsolver_create(a, "klu", &s->last)); // which allocates nothing when it solves
    return zn_linsolver_factor_kept(s->last, a, true);
}

static zn_status build(amg *s, const zn_sparse *a)
{
    zn_amg_nodes nodes = {.nodes = s->near->nodes, .node = s->near->node, .motion = s->near->motion};
    zn_status    status = begin_level(s, a, NULL);
    for (bool more = true; more && status == ZN_OK;) {
        const zn_sparse *now = s->level[s->levels - 1].a;
        more = now->n > LAST_ROWS && s->levels < ZN_AMG_LEVELS;
        if (more)
            status = add_level(s, &nodes, &more);
    }
    if (s->levels > 1) {
        free((void *)nodes.node);
        free((void *)nodes.motion);
    }
    return status == ZN_OK ? solve_last(s) : status;
}

// --- cycle ---------------------------------------------------------------------------------------

// Chebyshev's polynomial: x += what it makes of the residual in l->r, which is only kept up to date where `kept`.
static void smooth(zn_amg_level *l, double *x, bool kept)
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
        subtract(l->a, l->d, l->r);
        for (int i = 0; i < n; i++) {
            l->d[i] = keep * l->d[i] + add * l->inverse[i] * l->r[i];
            x[i] += l->d[i];
        }
        rho = next;
    }
    if (kept)
        subtract(l->a, l->d, l->r);
}

static void restrict_to(const zn_amg_level *l, double *b)
{
    memset(b, 0, sizeof *b * (size_t)l->coarse);
    for (int i = 0; i < l->a->n; i++)
        for (int k = l->P.start[i]; k < l->P.start[i + 1]; k++)
            for (int c = 0; c < M; c++)
                b[l->P.aggregate[k] * M + c] += l->P.value[(size_t)k * M + (size_t)c] * l->r[i];
}

static void prolong(const zn_amg_level *l, const double *coarse, double *x)
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
static zn_status cycle(amg *s, int k, const double *b, double *x)
{
    zn_amg_level *l = &s->level[k];
    size_t        bytes = sizeof *x * (size_t)l->a->n;
    if (k == s->levels - 1 && s->last) {
        memcpy(x, b, bytes);
        return zn_linsolver_solve(s->last, 1, x);
    }
    memset(x, 0, bytes);
    memcpy(l->r, b, bytes);
    smooth(l, x, k + 1 < s->levels);
    if (k + 1 == s->levels)
        return ZN_OK;
    zn_amg_level *next = &s->level[k + 1];
    restrict_to(l, next->b);
    ZN_TRY(cycle(s, k + 1, next->b, next->x));
    prolong(l, next->x, x);
    memcpy(l->r, b, bytes);
    subtract(l->a, x, l->r);
    smooth(l, x, false);
    return ZN_OK;
}

// --- conjugate gradients -------------------------------------------------------------------------

// Until |r| <= `wanted` by the recursion, from the residual in s->r on.
static zn_status run(amg *s, double wanted, int *left, double *x)
{
    const zn_sparse *a = s->level[0].a;
    int              n = s->n;
    double           before = 0;
    for (bool first = true; sqrt(dot(n, s->r, s->r)) > wanted; first = false) {
        if ((*left)-- == 0)
            return ZN_NOT_CONVERGED;
        s->iterations++;
        ZN_TRY(cycle(s, 0, s->r, s->z));
        double now = dot(n, s->r, s->z), ratio = first ? 0 : now / before;
        for (int i = 0; i < n; i++)
            s->p[i] = s->z[i] + ratio * s->p[i];
        multiply(a, s->p, s->Ap);
        double curvature = dot(n, s->p, s->Ap);
        if (!(now > 0) || !(curvature > 0)) // neither is, of a matrix that is not positive definite
            return ZN_SINGULAR;
        double step = now / curvature;
        for (int i = 0; i < n; i++) {
            x[i] += step * s->p[i];
            s->r[i] -= step * s->Ap[i];
        }
        before = now;
    }
    return ZN_OK;
}

static double residual(amg *s, const double *b, const double *x)
{
    memcpy(s->r, b, sizeof *b * (size_t)s->n);
    subtract(s->level[0].a, x, s->r);
    return sqrt(dot(s->n, s->r, s->r));
}

// The residual itself decides, which the recursion leaves behind near rounding: from there on once more, as long as
// that helps.
static zn_status solve_to(void *self, const double *b, double tolerance, double *x)
{
    amg   *s = self;
    double size = sqrt(dot(s->n, b, b)), left = residual(s, b, x), before = INFINITY;
    int    iterations = MOST_ITERATIONS;
    if (!isfinite(size) || !isfinite(left))
        return ZN_NOT_FINITE;
    while (left > tolerance * size && left < 0.5 * before) {
        before = left;
        ZN_TRY(run(s, 0.5 * tolerance * size, &iterations, x));
        left = residual(s, b, x);
    }
    double rounding = 64 * DBL_EPSILON * (size + s->size * sqrt(dot(s->n, x, x)));
    return left <= fmax(tolerance * size, rounding) ? ZN_OK : ZN_NOT_CONVERGED;
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
    free(s->r);
    free(s->z);
    free(s->p);
    free(s->Ap);
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
    s->r = ZN_NEW(double, a->n);
    s->z = ZN_NEW(double, a->n);
    s->p = ZN_NEW(double, a->n);
    s->Ap = ZN_NEW(double, a->n);
    s->copy = ZN_NEW(double, a->n);
    zn_status status = s->r && s->z && s->p && s->Ap && s->copy ? ZN_OK : ZN_ERR_MEMORY;
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
    int *next = ZN_NEW(int, a->n);
    if (!next)
        return ZN_ERR_MEMORY;
    bool symmetric = zn_sparse_is_symmetric(a, slack, next, s->copy);
    free(next);
    zn_status status = symmetric ? build(s, a) : ZN_ERR_UNSUPPORTED;
    if (status != ZN_OK) {
        release_levels(s);
        return status;
    }
    double diagonal = 0;
    for (int i = 0; i < s->n; i++)
        diagonal = fmax(diagonal, 1 / s->level[0].inverse[i]);
    s->size = diagonal * s->level[0].largest;
    return ZN_OK;
}

static int64_t iterations(const void *self) { return ((const amg *)self)->iterations; }

const zn_linsolver_ops zn_linsolver_amg = {.name = "amg",
                                           .create = create,
                                           .create_near = create_near,
                                           .factor = factor,
                                           .solve = solve,
                                           .solve_to = solve_to,
                                           .iterations = iterations,
                                           .destroy = destroy};
