// MUMPS backend: multifrontal LU, and LDL' of positive definite matrices, for large three-dimensional problems,
// sequential. Built only where the library is found.
//
// PORD ordering, because it is repeatable (SCOTCH gives another fill in every run). Values decide each time whether a
// matrix is symmetric and positive definite, which takes half the memory and work. LDL' has no pivots to look at: where
// it comes near a singular matrix, as the answer to a trial shows, or there are negative ones, LU decides. Even a tiny
// factorization costs about a millisecond, so small systems never come here.
//
// Reference: P. R. Amestoy, I. S. Duff, J.-Y. L'Excellent, J. Koster, SIAM J. Matrix Anal. Appl. 23 (2001) 15-41.
#include "math/inertia.h"
#include "math/linsolver.h"
#include "math/symmetric.h"

#ifdef ZN_MUMPS // the file of the library
#include <dmumps_c.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/late.h"

enum { INIT = -1, END = -2, ANALYZE = 1, FACTOR = 2, SOLVE = 3, USE_COMM_WORLD = -987654 };
// PORD ends the whole program on graphs too small to be cut into stages; below this AMD orders as well.
enum { PORD_ROWS = 1000 };
typedef enum symmetry { UNSYMMETRIC = 0, POSITIVE = 1, SYMMETRIC = 2 } symmetry;
enum { SINGULAR = -10, WORKSPACE = -9, WORKSPACE_INTEGERS = -8, MEMORY = -13 };

typedef struct mumps_backend {
    DMUMPS_STRUC_C mumps;
    int           *row, *column; // 1-based places of the entries
    double        *value;        // MUMPS scales and permutes copies, but wants its own array
    bool           begun;
} mumps_backend;

// The library comes with a dozen others and is loaded by the first system that is large enough.
static __typeof__(&dmumps_c) call_mumps;
// OpenBLAS with threads is slower here by far and not repeatable; absent with other BLAS libraries.
static void (*set_blas_threads)(int);

// ICNTL(i) of the manual.
static MUMPS_INT *control(mumps_backend *m, int i)
{
    ZN_ASSERT(i >= 1);
    return &m->mumps.icntl[i - 1];
}

// The library keeps its instances in common variables: one call at a time, whoever calls.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static zn_status load(void)
{
    static const zn_late_call calls[] = {{"dmumps_c", &call_mumps, false},
                                         {"openblas_set_num_threads", &set_blas_threads, true}};
    pthread_mutex_lock(&turn);
    zn_status status = call_mumps != NULL ? ZN_OK : zn_late_load(ZN_MUMPS, sizeof calls / sizeof *calls, calls, NULL);
    pthread_mutex_unlock(&turn);
    return status;
}

// MUMPS and its orderings end the program, or crash, when some of their allocations fail: is there more than a job
// takes? Of factors it has an estimate, in megabytes. OpenBLAS takes a buffer of 128 MB (of addresses) when it is first
// called, and waits for ever where it gets none.
static bool has_room(const mumps_backend *m, int job)
{
    const size_t blas = (size_t)160 << 20, least = (size_t)4 << 20, rows = (size_t)m->mumps.n;
    if (job == INIT && set_blas_threads != NULL && !zn_has_room(blas))
        return false;
    if (job == ANALYZE)
        return zn_has_room(least + 128 * (rows + (size_t)m->mumps.nnz));
    if (job == FACTOR)
        return zn_has_room(least + ((size_t)m->mumps.infog[15] << 20) / 100 * (size_t)(100 + m->mumps.icntl[13]));
    return zn_has_room(job == SOLVE ? least + 32 * rows * (size_t)m->mumps.nrhs : least);
}

static zn_status run(mumps_backend *m, int job)
{
    if (job != END && !has_room(m, job))
        return ZN_ERR_MEMORY;
    m->mumps.job = job;
    pthread_mutex_lock(&turn);
    call_mumps(&m->mumps);
    pthread_mutex_unlock(&turn);
    int code = m->mumps.infog[0];
    if (code >= 0)
        return ZN_OK;
    return code == SINGULAR ? ZN_SINGULAR : code == MEMORY ? ZN_ERR_MEMORY : ZN_ERR_ARGUMENT;
}

static void destroy(void *self)
{
    mumps_backend *m = self;
    if (m->begun)
        run(m, END);
    free(m->row);
    free(m->column);
    free(m->value);
    free(m);
}

// An instance and its arrays. On failure the caller destroys it.
static zn_status begin(const zn_sparse *a, symmetry kind, mumps_backend *m)
{
    ZN_TRY(load());
    if (set_blas_threads != NULL)
        set_blas_threads(1);
    m->mumps.par = 1;
    m->mumps.sym = kind;
    m->mumps.comm_fortran = USE_COMM_WORLD;
    zn_status status = run(m, INIT);
    if (status != ZN_OK)
        return status;
    m->begun = true;
    for (int i = 1; i <= 4; i++)
        *control(m, i) = i == 4 ? 0 : -1;      // silent
    *control(m, 7) = a->n < PORD_ROWS ? 0 : 4; // AMD, PORD
    *control(m, 14) = 40;                      // percent of workspace beyond the estimate
    m->row = ZN_NEW(int, a->start[a->n]);
    m->column = ZN_NEW(int, a->start[a->n]);
    m->value = ZN_NEW(double, a->start[a->n]);
    return status == ZN_OK && (m->row == NULL || m->column == NULL || m->value == NULL) ? ZN_ERR_MEMORY : status;
}

static zn_status factor_values(mumps_backend *m)
{
    zn_status status = run(m, FACTOR);
    for (int tries = 0; tries < 4 && (m->mumps.infog[0] == WORKSPACE || m->mumps.infog[0] == WORKSPACE_INTEGERS);
         tries++) {
        *control(m, 14) *= 2; // pivoting needed more room than estimated
        status = run(m, FACTOR);
    }
    return status;
}

// --- one instance for each kind of matrix ----------------------------------------------------------

typedef struct mumps_pair {
    mumps_backend *kind[2]; // UNSYMMETRIC, POSITIVE; NULL: not needed so far
    int            current;
    int           *next;            // n, scratch
    double        *diagonal, *root; // n: of the last matrix, and its square root
} mumps_pair;

// Entries on and below the diagonal; of unsymmetric matrices all.
static void fill_values(mumps_backend *m, const zn_sparse *a, bool symmetric)
{
    int count = 0;
    for (int j = 0; j < a->n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            if (!symmetric || a->row[p] >= j) {
                m->row[count] = a->row[p] + 1;
                m->column[count] = j + 1;
                m->value[count++] = a->value[p];
            }
    m->mumps.n = a->n;
    m->mumps.nnz = count;
    m->mumps.irn = m->row;
    m->mumps.jcn = m->column;
    m->mumps.a = m->value;
}

static zn_status create_kind(const zn_sparse *a, bool symmetric, mumps_backend **out)
{
    mumps_backend *m = ZN_NEW(mumps_backend, 1);
    if (m == NULL)
        return ZN_ERR_MEMORY;
    zn_status status = begin(a, symmetric ? POSITIVE : UNSYMMETRIC, m);
    if (status == ZN_OK) {
        *control(m, 24) = 1; // report pivots that are zero but for round-off
        m->mumps.cntl[2] = ZN_LINSOLVER_ZERO_PIVOT;
        fill_values(m, a, symmetric);
        status = run(m, ANALYZE);
    }
    if (status != ZN_OK)
        destroy(m);
    else
        *out = m;
    return status;
}

static void destroy_pair(void *self)
{
    mumps_pair *pair = self;
    for (int k = 0; k < 2; k++)
        if (pair->kind[k])
            destroy(pair->kind[k]);
    free(pair->next);
    free(pair->diagonal);
    free(pair->root);
    free(pair);
}

static zn_status create(const zn_sparse *a, void **self)
{
    mumps_pair *pair = ZN_NEW(mumps_pair, 1);
    if (pair == NULL)
        return ZN_ERR_MEMORY;
    *pair = (mumps_pair){.current = 1, .next = ZN_NEW(int, a->n), .diagonal = ZN_NEW(double, a->n)};
    pair->root = ZN_NEW(double, a->n);
    zn_status status =
        pair->next && pair->diagonal && pair->root ? create_kind(a, true, &pair->kind[1]) : ZN_ERR_MEMORY;
    if (status != ZN_OK)
        destroy_pair(pair);
    else
        *self = pair;
    return status;
}

static zn_status factor_kind(mumps_pair *pair, const zn_sparse *a, int kind)
{
    mumps_backend **m = &pair->kind[kind];
    if (*m == NULL)
        ZN_TRY(create_kind(a, kind == POSITIVE, m));
    pair->current = kind;
    fill_values(*m, a, kind == POSITIVE);
    zn_status status = factor_values(*m);
    if (status == ZN_OK && kind == UNSYMMETRIC && (*m)->mumps.infog[27] > 0)
        status = ZN_SINGULAR;
    return status;
}

static zn_status solve(void *self, int count, double *x)
{
    ZN_ASSERT(count > 0 && x);
    const mumps_pair *pair = self;
    mumps_backend    *m = pair->kind[pair->current];
    m->mumps.rhs = x;
    m->mumps.nrhs = count;
    m->mumps.lrhs = m->mumps.n;
    return run(m, SOLVE);
}

// Symmetric, with a positive diagonal.
static bool may_be_positive(mumps_pair *pair, const zn_sparse *a)
{
    const double slack = 1e-14; // rounding of sums in another order
    double       skew;
    if (!zn_sparse_is_symmetric(a, slack, pair->next, pair->diagonal, &skew))
        return false;
    for (int j = 0; j < a->n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            if (a->row[p] == j && !(a->value[p] > 0))
                return false;
    return true;
}

// No negative pivots, and D^-1 A far from singular: what it answers to a right-hand side without a pattern stays small.
static bool is_positive(mumps_pair *pair)
{
    const double far = 1e12;
    double      *x = pair->diagonal, most = 0, *d = pair->root;
    unsigned     seed = 1;
    int          n = pair->kind[POSITIVE]->mumps.n;
    if (pair->kind[POSITIVE]->mumps.infog[11] > 0) // INFOG(12): negative pivots
        return false;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        d[i] = sqrt(x[i]);
        x[i] = d[i] * (0.5 + (double)(seed >> 8) / (1 << 24)) * (seed & 0x800000 ? 1 : -1);
    }
    if (solve(pair, 1, x) != ZN_OK)
        return false;
    for (int i = 0; i < n; i++)
        most = fmax(most, isfinite(x[i]) ? d[i] * fabs(x[i]) : INFINITY);
    return most < far;
}

static zn_status factor(void *self, const zn_sparse *a, bool *fresh)
{
    mumps_pair *pair = self;
    *fresh = true;
    if (may_be_positive(pair, a) && factor_kind(pair, a, POSITIVE) == ZN_OK && is_positive(pair))
        return ZN_OK;
    return factor_kind(pair, a, UNSYMMETRIC);
}

// --- inertia -------------------------------------------------------------------------------------

// The lower triangle of the symmetric part: entries of both triangles at one place are summed.
static void fill_symmetric(mumps_backend *m, const zn_sparse *a)
{
    fill_values(m, a, false);
    for (int p = 0; p < a->start[a->n]; p++) {
        int i = m->row[p], j = m->column[p];
        m->row[p] = i > j ? i : j;
        m->column[p] = i > j ? j : i;
        m->value[p] = i == j ? a->value[p] : 0.5 * a->value[p];
    }
}

zn_status zn_mumps_inertia(const zn_sparse *a, int *negative)
{
    mumps_backend *m = ZN_NEW(mumps_backend, 1);
    if (m == NULL)
        return ZN_ERR_MEMORY;
    zn_status status = begin(a, SYMMETRIC, m);
    if (status == ZN_OK) {
        fill_symmetric(m, a);
        status = run(m, ANALYZE);
    }
    if (status == ZN_OK)
        status = factor_values(m);
    *negative = status == ZN_OK ? m->mumps.infog[11] : 0; // INFOG(12): negative pivots
    destroy(m);
    return status;
}

// BLAS takes another way for another number of columns. Sixteen together cost as much as three alone.
const zn_linsolver_ops zn_linsolver_mumps = {.name = "mumps",
                                             .create = create,
                                             .factor = factor,
                                             .solve = solve,
                                             .destroy = destroy_pair,
                                             .group = ZN_LINSOLVER_GROUP};

#else
const zn_linsolver_ops zn_linsolver_mumps = {.name = "mumps"}; // not built: create is NULL

zn_status zn_mumps_inertia(const zn_sparse *a, int *negative)
{
    (void)a;
    (void)negative;
    return ZN_ERR_UNSUPPORTED;
}
#endif
