// Matrices of newmark_linear.c, and how velocities at the end of a step answer to links there,
//     R = gamma h E' A^-1 E,   E the columns of the identity at the links.
//
// Few links: the columns A^-1 E are made once. Many: with the response D of the other part, which is diagonal,
//     (D + R) L = r     is     A~ x = E D^-1 r,   A~ = A + gamma h E D^-1 E',   L = D^-1 (r - gamma h E' x),
// since then A x = E L. A~ is as sparse as A: the coarse mass at the interface, with 2 gamma m times the mass of the
// other part added when that is explicit. x is what links add to a', so that the end of the step needs no solve.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/newmark_linear.h"

// --- matrices --------------------------------------------------------------------------------------

// *out = a M + c C + k K without zeros.
static zn_status operator_of(newmark_linear *s, zn_at at, double a, double c, double k, zn_sparse **out)
{
    ZN_TRY(zn_system_operators(s->sys, at, a, c, k, s->op.matrix));
    *out = zn_sparse_destroy(*out);
    return zn_sparse_compress(s->op.matrix, out);
}

// With fresh pivots: a resumed run has the same. Beams along the axes leave two thirds of the entries zero.
zn_status newmark_linear_factor(newmark_linear *s, double h, const zn_state *from)
{
    zn_at at = {from->q, from->v, from->t, 0};
    s->op.size = -1;
    s->op.condensed = false;
    s->op.joined = zn_linsolver_destroy(s->op.joined);
    ZN_TRY(operator_of(s, at, 1, h * s->gamma, h * h * s->beta, &s->op.system));
    s->op.solver = zn_linsolver_destroy(s->op.solver);
    ZN_TRY(zn_linsolver_create(s->op.system, s->op.backend, &s->op.solver));
    ZN_TRY(zn_linsolver_factor_kept(s->op.solver, s->op.system, true));
    s->op.size = h;
    return ZN_OK;
}

static zn_status find_heavy_supports(newmark_linear *s, const double *q)
{
    for (int i = 0; i < s->n_all; i++)
        s->end.a[i] = i < s->n ? 1 + 0.1 * (i % 7) : 0;
    ZN_TRY(zn_system_inertia(s->sys, q, s->end.a, s->end.inertia));
    s->op.heavy_supports = false;
    for (int i = s->n; i < s->n_all; i++)
        s->op.heavy_supports = s->op.heavy_supports || s->end.inertia[i] != 0;
    return ZN_OK;
}

static zn_status list_stiffness(newmark_linear *s, zn_at at)
{
    zn_sparse *K = NULL;
    zn_status  status = operator_of(s, at, 0, 0, 1, &K);
    zn_stripes_destroy(&s->op.stiffness);
    if (status == ZN_OK)
        status = zn_stripes_create(K, &s->op.stiffness);
    zn_sparse_destroy(K);
    return status;
}

static zn_status prepare(void *self, const zn_state *from, double h, zn_links links)
{
    newmark_linear *s = self;
    zn_at           at = {from->q, from->v, from->t, 0};
    (void)links;
    if (h == 0)
        return newmark_linear_factor(s, 0, from);
    s->h = h;
    s->begin.known = false;
    ZN_TRY(operator_of(s, at, 1, 0, 0, &s->op.mass));
    s->op.lumped = s->op.mass->start[s->n] == s->n; // every degree of freedom has some mass of its own
    for (int i = 0; i < s->n && s->op.lumped; i++)
        s->op.diagonal[i] = s->op.mass->value[i];
    ZN_TRY(list_stiffness(s, at));
    ZN_TRY(find_heavy_supports(s, from->q));
    s->op.plain = s->op.lumped && !s->op.heavy_supports && !newmark_linear_dissipates(s);
    return newmark_linear_factor(s, h, from);
}

// --- the response ----------------------------------------------------------------------------------

// Of the velocity to the acceleration; of accelerations when the factors are those of the mass.
static double scale_of(const newmark_linear *s) { return s->op.size > 0 ? s->op.size * s->gamma : 1; }

static bool diagonal(void *self, zn_links links, double *out)
{
    const newmark_linear *s = self;
    const zn_sparse      *A = s->op.system;
    bool                  single = true;
    for (int i = 0; i < links.count; i++) {
        int first = A->start[links.dof[i]];
        single = single && A->start[links.dof[i] + 1] == first + 1 && A->row[first] == links.dof[i];
        out[i] = scale_of(s) / A->value[first];
    }
    return single;
}

// out += A^-1 links, over n.
zn_status newmark_linear_add_links(newmark_linear *s, const double *force, double *out)
{
    if (s->op.joined) {
        for (int i = 0; i < s->n; i++) // of the links with the opposite sign
            out[i] -= s->op.x[i];
        return ZN_OK;
    }
    if (!s->op.condensed) {
        for (int i = 0; i < s->n; i++)
            s->still[i] = s->end.push[i];
        ZN_TRY(zn_linsolver_solve(s->op.solver, 1, s->still));
        for (int i = 0; i < s->n; i++)
            out[i] += s->still[i];
        return ZN_OK;
    }
    zn_columns_add(&s->op.columns, force, out);
    return ZN_OK;
}

// Columns of factor A^-1 at the links. What they reach is kept as long as that is cheaper than to solve: few links,
// which move the pieces they belong to only.
static zn_status inverse_columns(newmark_linear *s, zn_links links, int first, int count, double scale, double *X,
                                 double *out)
{
    int most = 3 * s->op.matrix->start[s->n];
    memset(X, 0, sizeof *X * (size_t)count * (size_t)s->n);
    for (int j = 0; j < count; j++)
        X[(size_t)j * (size_t)s->n + (size_t)links.dof[first + j]] = 1;
    ZN_TRY(zn_linsolver_solve(s->op.solver, count, X));
    for (int j = 0; j < count; j++) {
        const double *x = X + (size_t)j * (size_t)s->n;
        for (int i = 0; i < links.count; i++)
            out[i * links.count + first + j] = scale * x[links.dof[i]];
        s->op.condensed = s->op.condensed && s->op.columns.values <= most;
        if (s->op.condensed)
            ZN_TRY(zn_columns_keep(&s->op.columns, first + j, s->n, x));
    }
    return ZN_OK;
}

static zn_status full(void *self, zn_links links, double *out)
{
    enum { TOGETHER = 64 }; // columns
    newmark_linear *s = self;
    double          scale = scale_of(s);
    double         *X = ZN_NEW(double, (size_t)s->n *(links.count < TOGETHER ? (size_t)links.count : TOGETHER));
    zn_status       status = X ? ZN_OK : ZN_ERR_MEMORY;
    zn_columns_clear(&s->op.columns);
    s->op.condensed = true;
    for (int j = 0; j < links.count && status == ZN_OK; j += TOGETHER)
        status = inverse_columns(s, links, j, links.count - j < TOGETHER ? links.count - j : TOGETHER, scale, X, out);
    zn_columns_sort(&s->op.columns);
    free(X);
    return status;
}

static zn_status answer(void *self, zn_links links, const double *force, double *out)
{
    newmark_linear *s = self;
    memset(s->still, 0, sizeof *s->still * (size_t)s->n);
    for (int i = 0; i < links.count; i++)
        s->still[links.dof[i]] = force[i];
    ZN_TRY(zn_linsolver_solve(s->op.solver, 1, s->still));
    for (int i = 0; i < links.count; i++)
        out[i] = scale_of(s) * s->still[links.dof[i]];
    return ZN_OK;
}

// --- many links ------------------------------------------------------------------------------------

static void add_to_diagonal(zn_sparse *a, int i, double value)
{
    int e = a->start[i];
    while (e < a->start[i + 1] && a->row[e] != i)
        e++;
    ZN_ASSERT(e < a->start[i + 1]); // every degree of freedom has mass
    a->value[e] += value;
}

// With fresh pivots, as A.
static zn_status factor_joined(newmark_linear *s, zn_links links, zn_sparse *sum)
{
    for (int i = 0; i < links.count; i++)
        add_to_diagonal(sum, links.dof[i], scale_of(s) / s->op.other[i]);
    ZN_TRY(zn_linsolver_create(sum, s->op.backend, &s->op.joined));
    return zn_linsolver_factor_kept(s->op.joined, sum, true);
}

static zn_status join(void *self, zn_links links, const double *other)
{
    newmark_linear *s = self;
    zn_sparse      *sum = NULL;
    ZN_ASSERT(s->op.size >= 0);
    free(s->op.other);
    s->op.other = ZN_NEW(double, links.count);
    s->op.x = s->op.x ? s->op.x : ZN_NEW(double, s->n);
    s->op.joined = zn_linsolver_destroy(s->op.joined);
    if (!s->op.other || !s->op.x)
        return ZN_ERR_MEMORY;
    memcpy(s->op.other, other, sizeof *other * (size_t)links.count);
    zn_status status = zn_sparse_compress(s->op.system, &sum);
    if (status == ZN_OK)
        status = factor_joined(s, links, sum);
    zn_sparse_destroy(sum);
    if (status != ZN_OK)
        s->op.joined = zn_linsolver_destroy(s->op.joined);
    return status;
}

static zn_status solve(void *self, zn_links links, const double *difference, double *link)
{
    newmark_linear *s = self;
    double         *x = s->op.x, scale = scale_of(s);
    ZN_ASSERT(s->op.joined);
    memset(x, 0, sizeof *x * (size_t)s->n);
    for (int i = 0; i < links.count; i++)
        x[links.dof[i]] = difference[i] / s->op.other[i];
    ZN_TRY(zn_fault_point());
    ZN_TRY(zn_linsolver_solve(s->op.joined, 1, x));
    for (int i = 0; i < links.count; i++)
        link[i] = (difference[i] - scale * x[links.dof[i]]) / s->op.other[i];
    return ZN_OK;
}

const zn_response_ops newmark_linear_response = {prepare, diagonal, full, answer, join, solve};
