// KLU backend: sparse LU for circuit-like and banded matrices, symmetric or not.
//
// klu_refactor reuses the pivots of the last klu_factor. It is several times faster but blind: when the values drift
// the old pivots may become tiny and the answer wrong without any error. The reciprocal pivot growth
//     rgrowth = min_j  max_i |A_ij| / max_i |U_ij|     (row-scaled A)
// falls in step with the lost digits and costs one pass over the factors, so it decides when to pivot afresh.
//
// Factors that stay can be arranged for many solves, by sweeps in levels.
//
// Reference: T. A. Davis, E. Palamadai Natarajan, "Algorithm 907: KLU", ACM Trans. Math. Softw. 37 (2010) 36.
#include <klu.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/linsolver.h"
#include "base/blame.h"
#include "math/sweep.h"

#define WORST_GROWTH_LOSS 100.0 // about two digits may be lost before new pivots pay

typedef struct klu_backend {
    klu_common    common;
    klu_symbolic *symbolic;
    klu_numeric  *numeric;      // NULL: no factors
    double        fresh_growth; // rgrowth after the last choice of pivots
    int           n;
    double       *row_max; // n, scratch
    // factors arranged for many solves: A = R P' L U Q'
    bool          settled;
    zn_sweep      forward, backward;
    double       *y;      // n for each sweep, per lane
    int          *column; // Q in the order of the backward sweep, n
} klu_backend;

static zn_status status_of(const klu_common *common)
{
    switch (common->status) {
    case KLU_OK:
        return ZN_OK;
    case KLU_SINGULAR:
        return ZN_SINGULAR;
    case KLU_OUT_OF_MEMORY:
    case KLU_TOO_LARGE:
        return ZN_ERR_MEMORY;
    default:
        return ZN_ERR_ARGUMENT;
    }
}

static void unsettle(klu_backend *k)
{
    zn_sweep_destroy(&k->forward);
    zn_sweep_destroy(&k->backward);
    free(k->y);
    free(k->column);
    k->y = NULL;
    k->column = NULL;
    k->settled = false;
}

static void destroy(void *self)
{
    klu_backend *k = self;
    unsettle(k);
    klu_free_numeric(&k->numeric, &k->common);
    klu_free_symbolic(&k->symbolic, &k->common);
    free(k->row_max);
    free(k);
}

static zn_status create(const zn_sparse *a, void **self)
{
    ZN_ASSERT(a->n > 0);
    klu_backend *k = ZN_NEW(klu_backend, 1);
    if (k == NULL)
        return ZN_ERR_MEMORY;
    klu_defaults(&k->common);
    k->n = a->n;
    k->row_max = ZN_NEW(double, a->n);
    if (k->row_max == NULL) {
        destroy(k);
        return ZN_ERR_MEMORY;
    }
    k->symbolic = klu_analyze(a->n, a->start, a->row, &k->common);
    if (k->symbolic == NULL) {
        zn_status status = status_of(&k->common);
        destroy(k);
        return status;
    }
    *self = k;
    return ZN_OK;
}

// Largest entry of column j of A, rows scaled by their largest entry as KLU does.
static double scaled_column(const klu_backend *k, const zn_sparse *a, int j)
{
    double largest = 0;
    for (int p = a->start[j]; p < a->start[j + 1]; p++)
        if (fabs(a->value[p]) > largest * k->row_max[a->row[p]])
            largest = fabs(a->value[p]) / k->row_max[a->row[p]];
    return largest;
}

// KLU reports exact zeros only, but of dependent rows round-off usually leaves a pivot of a few eps. Scaled entries
// are at most 1, so the columns need a closer look only when a pivot is that small.
static bool has_zero_pivot(klu_backend *k, const zn_sparse *a)
{
    ZN_ASSERT(k->numeric && a->n == k->n);
    const double *pivot = k->numeric->Udiag;
    int           first = 0;
    while (first < k->n && fabs(pivot[first]) > ZN_LINSOLVER_ZERO_PIVOT)
        first++;
    if (first == k->n)
        return false;

    for (int i = 0; i < k->n; i++)
        k->row_max[i] = 0;
    for (int p = 0; p < a->start[k->n]; p++)
        if (fabs(a->value[p]) > k->row_max[a->row[p]])
            k->row_max[a->row[p]] = fabs(a->value[p]);
    for (int c = first; c < k->n; c++)
        if (!(fabs(pivot[c]) > ZN_LINSOLVER_ZERO_PIVOT * scaled_column(k, a, k->symbolic->Q[c])))
            return true;
    return false;
}

static zn_status blame_column(int column)
{
    zn_blame_last = (zn_blame){.kind = ZN_BLAME_SINGULAR, .contact = zn_contact_id_none(), .column = column};
    return ZN_SINGULAR;
}

static zn_status factor_fresh(klu_backend *k, const zn_sparse *a)
{
    klu_free_numeric(&k->numeric, &k->common);
    k->numeric = klu_factor(a->start, a->row, a->value, k->symbolic, &k->common);
    if (k->numeric == NULL)
        return k->common.status == KLU_SINGULAR ? blame_column(k->common.singular_col) : status_of(&k->common);
    if (has_zero_pivot(k, a) || !klu_rgrowth(a->start, a->row, a->value, k->symbolic, k->numeric, &k->common)) {
        klu_free_numeric(&k->numeric, &k->common);
        return ZN_SINGULAR;
    }
    k->fresh_growth = k->common.rgrowth;
    return ZN_OK;
}

// True when the old pivots still serve.
static bool refactor(klu_backend *k, const zn_sparse *a)
{
    if (k->numeric == NULL || !klu_refactor(a->start, a->row, a->value, k->symbolic, k->numeric, &k->common))
        return false;
    if (!klu_rgrowth(a->start, a->row, a->value, k->symbolic, k->numeric, &k->common))
        return false;
    return k->common.rgrowth * WORST_GROWTH_LOSS >= k->fresh_growth && !has_zero_pivot(k, a);
}

static zn_status factor(void *self, const zn_sparse *a, bool *fresh)
{
    klu_backend *k = self;
    ZN_ASSERT(a->n == k->n && a->start[a->n] == k->symbolic->nz);
    unsettle(k);
    *fresh = !refactor(k, a);
    return *fresh ? factor_fresh(k, a) : ZN_OK;
}

// Both factors out of KLU, by columns, into sweeps.
static zn_status arrange(klu_backend *k, int *index, double *value)
{
    ZN_ASSERT(k->numeric && k->numeric->nzoff == 0);
    int     n = k->n, lower = k->numeric->lnz;
    int    *L = index, *U = L + n + 1, *row = U + n + 1, *L_row = row + n, *U_row = L_row + lower;
    double *scale = value, *L_value = scale + n, *U_value = L_value + lower;
    if (!klu_extract(k->numeric, k->symbolic, L, L_row, L_value, U, U_row, U_value, NULL, NULL, NULL, row, k->column,
                     scale, NULL, &k->common))
        return status_of(&k->common);
    ZN_TRY(zn_sweep_create((zn_triangle){n, false, L, L_row, L_value}, row, scale, &k->forward));
    int *place = row; // of each unknown after the forward sweep
    for (int i = 0; i < n; i++)
        place[k->forward.row[i]] = i;
    ZN_TRY(zn_sweep_create((zn_triangle){n, true, U, U_row, U_value}, place, NULL, &k->backward));
    int *column = L;
    memcpy(column, k->column, sizeof *column * (size_t)n);
    for (int i = 0; i < n; i++)
        k->column[i] = column[k->backward.row[i]];
    return ZN_OK;
}

static zn_status settle(void *self)
{
    klu_backend *k = self;
    ZN_ASSERT(k->settled || k->numeric);
    if (k->settled || k->numeric->nzoff > 0) // blocks that follow from one another: left to KLU
        return ZN_OK;
    size_t  n = (size_t)k->n, entries = (size_t)k->numeric->lnz + (size_t)k->numeric->unz;
    int    *index = ZN_NEW(int, 3 * n + 2 + entries);
    double *value = ZN_NEW(double, n + entries);
    k->y = ZN_NEW(double, 2 * ZN_SWEEP_LANES * n);
    k->column = ZN_NEW(int, n);
    zn_status status = index && value && k->y && k->column ? arrange(k, index, value) : ZN_ERR_MEMORY;
    free(index);
    free(value);
    if (status != ZN_OK) {
        unsettle(k);
        return status;
    }
    k->settled = true;
    klu_free_numeric(&k->numeric, &k->common); // twice the memory for nothing
    return ZN_OK;
}

static void sweep(klu_backend *k, double *x)
{
    ZN_ASSERT(k->settled);
    double *y = k->y, *z = y + k->n;
    zn_sweep_run(&k->forward, x, y);
    zn_sweep_run(&k->backward, y, z);
    for (int i = 0; i < k->n; i++)
        x[k->column[i]] = z[i];
}

static void sweep_lanes(klu_backend *k, double *x)
{
    ZN_ASSERT(k->settled);
    size_t  n = (size_t)k->n;
    double *y = k->y, *z = y + ZN_SWEEP_LANES * n;
    zn_sweep_run_lanes(&k->forward, x, 1, n, y);
    zn_sweep_run_lanes(&k->backward, y, ZN_SWEEP_LANES, 1, z);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < ZN_SWEEP_LANES; c++)
            x[c * n + (size_t)k->column[i]] = z[i * ZN_SWEEP_LANES + c];
}

static void solve_settled(klu_backend *k, int count, double *x)
{
    int c = 0;
    for (; c + ZN_SWEEP_LANES <= count; c += ZN_SWEEP_LANES)
        sweep_lanes(k, x + (size_t)c * (size_t)k->n);
    for (; c < count; c++)
        sweep(k, x + (size_t)c * (size_t)k->n);
}

static zn_status solve(void *self, int count, double *x)
{
    klu_backend *k = self;
    ZN_ASSERT(count > 0 && x && (k->settled || k->numeric));
    if (k->settled) {
        solve_settled(k, count, x);
        return ZN_OK;
    }
    if (!klu_solve(k->symbolic, k->numeric, k->n, count, x, &k->common))
        return status_of(&k->common);
    return ZN_OK;
}

static void forget(void *self)
{
    klu_backend *k = self;
    unsettle(k);
    klu_free_numeric(&k->numeric, &k->common);
}

const zn_linsolver_ops zn_linsolver_klu = {.name = "klu",
                                           .create = create,
                                           .factor = factor,
                                           .solve = solve,
                                           .settle = settle,
                                           .destroy = destroy,
                                           .forget = forget};

double zn_klu_estimate(const void *self) { return ((const klu_backend *)self)->symbolic->est_flops; }
