// Linear solvers of the whole. See solver.h.
//
// Every process adds the matrix of its part to one that PETSc holds by rows, in the order of the numbering. A
// right-hand side is what owners know of it; an answer goes back to all parts that have an unknown. The residual itself
// decides, as in amg.c: an iteration is repeated on what is left for as long as that helps. Symmetric matrices need
// none of this with multigrid of our own (multigrid.h).
#include "parallel/solver.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/linsolver.h"
#include "math/symmetric.h"
#include "parallel/multigrid.h"
#include "parallel/solver_motions.h"

enum { MOST_ITERATIONS = 1000 };

typedef enum way { MULTIGRID, BOOMER, DIRECT } way;

// What is sent to other processes and comes from them, process by process.
typedef struct mail {
    int    *count, *came; // entries for each process, and from each
    int    *sent, *got;   // ranks + 1: where they begin
    int    *place;        // of what is sent: in the matrix of this part
    int    *row, *column; // of what comes
    double *value, *added;
} mail;

typedef struct solver {
    zn_world           *world;
    const zn_numbering *numbers;
    const zn_halo      *halo;
    const zn_near_null *near;
    way                 way;
    bool                symmetric;
    Mat                 matrix;
    KSP                 ksp;
    Vec                 b, x, r, d;
    double             *shared; // n_all
    double             *right;  // n_all: a right-hand side as owners know it
    int                *column; // n
    double              size;   // of the matrix
    double              skew;   // of a symmetric one: what rounding makes of its halves
    int64_t             iterations;
    mail                mail;
    zn_multigrid       *multigrid; // NULL: matrices are PETSc's
    bool                in_parts;  // this one is multigrid's
} solver;

// --- rows of other processes ----------------------------------------------------------------------
//
// Entries of rows that this part has and another process owns are sent there. PETSc would do so as well, but add them
// in the order in which they come: here it is that of the processes, with the same bits in every run.

static int rank_of(const zn_numbering *numbers, int number)
{
    int low = 0, high = numbers->ranks;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (numbers->begin[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// For whom is entry k of the matrix of this part; -1: for this process.
static int goes_to(const solver *s, const zn_sparse *a, int k)
{
    int i = a->row[k];
    return s->numbers->own[i] ? -1 : rank_of(s->numbers, s->numbers->number[i]);
}

static zn_status count_mail(solver *s, const zn_sparse *a)
{
    mail *m = &s->mail;
    int   ranks = s->numbers->ranks;
    m->sent = ZN_NEW(int, ranks + 1);
    m->got = ZN_NEW(int, ranks + 1);
    m->count = ZN_NEW(int, ranks);
    m->came = ZN_NEW(int, ranks);
    ZN_TRY(zn_world_agree(s->world, m->sent && m->got && m->count && m->came ? ZN_OK : ZN_ERR_MEMORY));
    for (int k = 0; k < a->start[a->n]; k++)
        if (goes_to(s, a, k) >= 0)
            m->count[goes_to(s, a, k)]++;
    MPI_Alltoall(m->count, 1, MPI_INT, m->came, 1, MPI_INT, s->world->comm);
    for (int r = 0; r < ranks; r++) {
        m->sent[r + 1] = m->sent[r] + m->count[r];
        m->got[r + 1] = m->got[r] + m->came[r];
    }
    m->value = ZN_NEW(double, m->sent[ranks]);
    m->added = ZN_NEW(double, m->got[ranks]);
    m->place = ZN_NEW(int, m->sent[ranks]);
    m->row = ZN_NEW(int, m->got[ranks]);
    m->column = ZN_NEW(int, m->got[ranks]);
    return zn_world_agree(s->world, m->value && m->added && m->place && m->row && m->column ? ZN_OK : ZN_ERR_MEMORY);
}

static void send_numbers(const solver *s, const int *own, int *all)
{
    const mail *m = &s->mail;
    MPI_Alltoallv(own, m->count, m->sent, MPI_INT, all, m->came, m->got, MPI_INT, s->world->comm);
}

// Which entries they are.
static zn_status address_mail(solver *s, const zn_sparse *a)
{
    mail *m = &s->mail;
    int   total = m->sent[s->numbers->ranks];
    int  *next = ZN_NEW(int, s->numbers->ranks), *row = ZN_NEW(int, total), *column = ZN_NEW(int, total);
    bool  room = zn_world_agree(s->world, next && row && column ? ZN_OK : ZN_ERR_MEMORY) == ZN_OK;
    for (int j = 0; room && j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++) {
            int rank = goes_to(s, a, k);
            if (rank < 0)
                continue;
            int place = m->sent[rank] + next[rank]++;
            m->place[place] = k;
            row[place] = s->numbers->number[a->row[k]];
            column[place] = s->numbers->number[j];
        }
    if (room) {
        send_numbers(s, row, m->row);
        send_numbers(s, column, m->column);
    }
    free(next);
    free(row);
    free(column);
    return room ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status add_mail(solver *s, const zn_sparse *a)
{
    mail *m = &s->mail;
    for (int i = 0; i < m->sent[s->numbers->ranks]; i++)
        m->value[i] = a->value[m->place[i]];
    MPI_Alltoallv(m->value, m->count, m->sent, MPI_DOUBLE, m->added, m->came, m->got, MPI_DOUBLE, s->world->comm);
    for (int i = 0; i < m->got[s->numbers->ranks]; i++)
        PETSC_TRY(MatSetValue(s->matrix, m->row[i], m->column[i], m->added[i], ADD_VALUES));
    return ZN_OK;
}

static void release_mail(mail *m)
{
    free(m->sent);
    free(m->got);
    free(m->count);
    free(m->came);
    free(m->value);
    free(m->added);
    free(m->place);
    free(m->row);
    free(m->column);
}

// --- pattern -------------------------------------------------------------------------------------

static bool is_own(const zn_numbering *numbers, int number)
{
    return number >= numbers->first && number < numbers->first + numbers->count;
}

// Entries of the rows of this process in columns of its own and of others; those that two parts have count twice.
static void count_entries(const solver *s, const zn_sparse *a, int *own, int *others)
{
    const zn_numbering *numbers = s->numbers;
    const mail         *m = &s->mail;
    for (int i = 0; i < numbers->units; i++)
        own[numbers->unit[i] - numbers->first] = 1;
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            if (s->numbers->own[a->row[k]])
                (is_own(numbers, numbers->number[j]) ? own : others)[numbers->number[a->row[k]] - numbers->first]++;
    for (int i = 0; i < m->got[numbers->ranks]; i++)
        (is_own(numbers, m->column[i]) ? own : others)[m->row[i] - numbers->first]++;
    int rest = numbers->begin[numbers->ranks] - numbers->count;
    for (int i = 0; i < numbers->count; i++) {
        own[i] = own[i] < numbers->count ? own[i] : numbers->count;
        others[i] = others[i] < rest ? others[i] : rest;
    }
}

static zn_status reserve(solver *s, const zn_sparse *a)
{
    ZN_TRY(count_mail(s, a));
    ZN_TRY(address_mail(s, a));
    int *own = ZN_NEW(int, s->numbers->count), *others = ZN_NEW(int, s->numbers->count);
    int  error = !own || !others;
    if (!error)
        count_entries(s, a, own, others);
    zn_status status = zn_world_agree(s->world, error ? ZN_ERR_MEMORY : ZN_OK);
    if (status == ZN_OK)
        error = MatMPIAIJSetPreallocation(s->matrix, 0, own, 0, others) || MatSeqAIJSetPreallocation(s->matrix, 0, own);
    free(own);
    free(others);
    return status != ZN_OK || !error ? status : ZN_ERR_MEMORY;
}

static zn_status create_matrix(solver *s, const zn_sparse *a)
{
    int all = s->numbers->begin[s->numbers->ranks], count = s->numbers->count;
    PETSC_TRY(MatCreate(s->world->comm, &s->matrix));
    PETSC_TRY(MatSetSizes(s->matrix, count, count, all, all));
    PETSC_TRY(MatSetType(s->matrix, MATAIJ));
    PETSC_TRY(MatSetBlockSize(s->matrix, s->numbers->block));
    ZN_TRY(reserve(s, a));
    PETSC_TRY(MatSetOption(s->matrix, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PETSC_TRY(MatSetOption(s->matrix, MAT_NO_OFF_PROC_ENTRIES, PETSC_TRUE));
    PETSC_TRY(MatCreateVecs(s->matrix, &s->x, &s->b));
    PETSC_TRY(VecDuplicate(s->b, &s->r));
    PETSC_TRY(VecDuplicate(s->b, &s->d));
    return ZN_OK;
}

// --- values --------------------------------------------------------------------------------------

// Columns of a symmetric matrix are its rows, which are quicker to add.
static zn_status add_columns(solver *s, const zn_sparse *a)
{
    const int *number = s->numbers->number;
    for (int j = 0; j < a->n; j++) {
        int count = a->start[j + 1] - a->start[j];
        if (s->symmetric && !s->numbers->own[j])
            continue;
        for (int k = 0; k < count; k++) {
            int i = a->row[a->start[j] + k];
            s->column[k] = s->symmetric || s->numbers->own[i] ? number[i] : -1; // PETSc passes over negative ones
        }
        const double *value = a->value + a->start[j];
        if (s->symmetric)
            PETSC_TRY(MatSetValues(s->matrix, 1, number + j, count, s->column, value, ADD_VALUES));
        else
            PETSC_TRY(MatSetValues(s->matrix, count, s->column, 1, number + j, value, ADD_VALUES));
    }
    return add_mail(s, a);
}

// Rows of the unit matrix are as large as the others.
static zn_status add_units(solver *s, const zn_sparse *a)
{
    double mean[2] = {0, a->n};
    for (int j = 0; j < a->n; j++)
        for (int k = a->start[j]; k < a->start[j + 1]; k++)
            mean[0] += a->row[k] == j ? fabs(a->value[k]) : 0;
    zn_world_sum(s->world, mean, 2);
    double value = mean[0] > 0 ? mean[0] / mean[1] : 1;
    for (int i = 0; i < s->numbers->units; i++)
        PETSC_TRY(MatSetValue(s->matrix, s->numbers->unit[i], s->numbers->unit[i], value, ADD_VALUES));
    return ZN_OK;
}

// Of this part: finite, and symmetric?
static zn_status look_at(solver *s, const zn_sparse *a)
{
    const double slack = 1e-10;
    for (int k = 0; k < a->start[a->n]; k++)
        if (!isfinite(a->value[k]))
            return ZN_NOT_FINITE;
    s->symmetric = zn_sparse_is_symmetric(a, slack, s->column, s->shared, &s->skew);
    s->skew *= zn_sparse_longest(a);
    return ZN_OK;
}

static zn_status look_at_all(solver *s, const zn_sparse *a)
{
    ZN_TRY(zn_world_agree(s->world, look_at(s, a)));
    double most[2] = {!s->symmetric, s->skew};
    zn_world_max(s->world, most, 2);
    s->symmetric = most[0] == 0;
    s->skew = most[1];
    return ZN_OK;
}

static zn_status fill(solver *s, const zn_sparse *a)
{
    if (!s->matrix)
        ZN_TRY(create_matrix(s, a));
    PETSC_TRY(MatZeroEntries(s->matrix));
    ZN_TRY(zn_world_agree(s->world, add_columns(s, a)));
    ZN_TRY(add_units(s, a));
    PETSC_TRY(MatAssemblyBegin(s->matrix, MAT_FINAL_ASSEMBLY));
    PETSC_TRY(MatAssemblyEnd(s->matrix, MAT_FINAL_ASSEMBLY));
    PETSC_TRY(MatSetOption(s->matrix, MAT_SYMMETRIC, s->symmetric ? PETSC_TRUE : PETSC_FALSE));
    PETSC_TRY(MatNorm(s->matrix, NORM_INFINITY, &s->size));
    return isfinite(s->size) ? ZN_OK : ZN_NOT_FINITE;
}

// --- preparation ---------------------------------------------------------------------------------

static zn_status choose_multigrid(PC pc)
{
    PETSC_TRY(PCSetType(pc, PCGAMG));
    PETSC_TRY(PCGAMGSetType(pc, PCGAMGAGG));
    return ZN_OK;
}

static zn_status choose_direct(const solver *s, PC pc)
{
    PETSC_TRY(PCSetType(pc, s->symmetric ? PCCHOLESKY : PCLU));
    PETSC_TRY(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
    return ZN_OK;
}

static zn_status choose_boomer(PC pc)
{
    PETSC_TRY(PCSetType(pc, PCHYPRE));
    PETSC_TRY(PCHYPRESetType(pc, "boomeramg"));
    return ZN_OK;
}

static zn_status prepare(solver *s)
{
    PC pc;
    PETSC_TRY(KSPDestroy(&s->ksp));
    PETSC_TRY(KSPCreate(s->world->comm, &s->ksp));
    PETSC_TRY(KSPSetOptionsPrefix(s->ksp, "zeno_"));
    PETSC_TRY(KSPSetOperators(s->ksp, s->matrix, s->matrix));
    PETSC_TRY(KSPSetType(s->ksp, s->way == DIRECT ? KSPPREONLY : s->symmetric ? KSPCG : KSPGMRES));
    if (s->way != DIRECT) {
        PETSC_TRY(KSPSetPCSide(s->ksp, s->symmetric ? PC_LEFT : PC_RIGHT));
        PETSC_TRY(KSPSetNormType(s->ksp, KSP_NORM_UNPRECONDITIONED));
    }
    PETSC_TRY(KSPGetPC(s->ksp, &pc));
    ZN_TRY(s->way == MULTIGRID ? choose_multigrid(pc) : s->way == BOOMER ? choose_boomer(pc) : choose_direct(s, pc));
    PETSC_TRY(KSPSetFromOptions(s->ksp));
    PETSC_TRY(KSPSetUp(s->ksp));
    PCFailedReason reason;
    PETSC_TRY(PCGetFailedReason(pc, &reason));
    return reason == PC_NOERROR ? ZN_OK : ZN_SINGULAR;
}

static zn_status factor(void *self, const zn_sparse *a, bool *fresh)
{
    solver *s = self;
    *fresh = true;
    ZN_TRY(look_at_all(s, a));
    s->in_parts = s->multigrid && s->symmetric;
    if (s->in_parts)
        return zn_multigrid_build(s->multigrid, a, s->skew);
    ZN_TRY(fill(s, a));
    ZN_TRY(zn_solver_tell_motions(s->numbers, s->near, s->b, s->matrix));
    return prepare(s);
}

// --- solves --------------------------------------------------------------------------------------

static zn_status to_vector(const solver *s, const double *x, Vec out)
{
    const zn_numbering *numbers = s->numbers;
    double             *value;
    PETSC_TRY(VecZeroEntries(out));
    PETSC_TRY(VecGetArray(out, &value));
    for (int i = 0; i < numbers->n; i++)
        if (s->numbers->own[i])
            value[numbers->number[i] - numbers->first] = x[i];
    PETSC_TRY(VecRestoreArray(out, &value));
    return ZN_OK;
}

static zn_status from_vector(const solver *s, Vec x, double *out)
{
    const zn_numbering *numbers = s->numbers;
    const double       *value;
    PETSC_TRY(VecGetArrayRead(x, &value));
    for (int i = 0; i < numbers->n; i++)
        s->shared[i] = s->numbers->own[i] ? value[numbers->number[i] - numbers->first] : 0;
    PETSC_TRY(VecRestoreArrayRead(x, &value));
    s->halo->assemble(s->halo->user, s->shared);
    memcpy(out, s->shared, sizeof *out * (size_t)numbers->n);
    return ZN_OK;
}

// s->r = b - A x, and its length.
static zn_status residual(solver *s, double *length)
{
    PETSC_TRY(MatMult(s->matrix, s->x, s->r));
    PETSC_TRY(VecAYPX(s->r, -1, s->b));
    PETSC_TRY(VecNorm(s->r, NORM_2, length));
    return ZN_OK;
}

// x += what is found for the residual, until `part` of it is left.
static zn_status run(solver *s, double part, int *left)
{
    KSPConvergedReason reason;
    int                count;
    PETSC_TRY(KSPSetTolerances(s->ksp, fmin(fmax(part, 1e-15), 0.5), 1e-300, 1e10, *left));
    PETSC_TRY(KSPSolve(s->ksp, s->r, s->d));
    PETSC_TRY(KSPGetConvergedReason(s->ksp, &reason));
    PETSC_TRY(KSPGetIterationNumber(s->ksp, &count));
    s->iterations += count;
    *left -= count;
    if (reason < 0)
        return reason == KSP_DIVERGED_INDEFINITE_MAT || reason == KSP_DIVERGED_INDEFINITE_PC ||
                       reason == KSP_DIVERGED_PC_FAILED
                   ? ZN_SINGULAR
                   : ZN_NOT_CONVERGED;
    PETSC_TRY(VecAXPY(s->x, 1, s->d));
    return ZN_OK;
}

// What owners know of a right-hand side, where others keep their rows.
static const double *from_owners(solver *s, const double *b)
{
    if (!s->numbers->guests)
        return b;
    memcpy(s->right, b, sizeof *b * (size_t)s->numbers->n);
    s->halo->share(s->halo->user, s->right);
    return s->right;
}

static zn_status solve_to(void *self, const double *b, double tolerance, double *x)
{
    solver *s = self;
    double  size, left, length, before = INFINITY;
    int     iterations = MOST_ITERATIONS;
    ZN_TOGETHER(s->world, 0);
    b = from_owners(s, b);
    if (s->in_parts)
        return zn_multigrid_solve(s->multigrid, b, tolerance, x);
    ZN_TRY(to_vector(s, b, s->b));
    ZN_TRY(to_vector(s, x, s->x));
    PETSC_TRY(VecNorm(s->b, NORM_2, &size));
    ZN_TRY(residual(s, &left));
    if (!isfinite(size) || !isfinite(left))
        return ZN_NOT_FINITE;
    while (left > tolerance * size && left < 0.5 * before) {
        before = left;
        ZN_TRY(run(s, 0.5 * tolerance * size / left, &iterations));
        ZN_TRY(residual(s, &left));
    }
    PETSC_TRY(VecNorm(s->x, NORM_2, &length));
    ZN_TRY(from_vector(s, s->x, x));
    double rounding = 64 * DBL_EPSILON * (size + s->size * length);
    return left <= fmax(tolerance * size, rounding) ? ZN_OK : ZN_NOT_CONVERGED;
}

static zn_status solve(void *self, int count, double *x)
{
    const double exact = 1e-16; // as exact as it can be
    solver      *s = self;
    int          n = s->numbers->n;
    double      *own = ZN_NEW(double, n);
    zn_status    status = zn_world_agree(s->world, own ? ZN_OK : ZN_ERR_MEMORY);
    for (int c = 0; c < count && status == ZN_OK; c++, x += n) {
        memset(own, 0, sizeof *own * (size_t)n);
        status = solve_to(s, x, exact, own);
        memcpy(x, own, sizeof *own * (size_t)n);
    }
    free(own);
    return status;
}

static int64_t iterations(const void *self)
{
    const solver *s = self;
    return s->iterations + (s->multigrid ? zn_multigrid_iterations(s->multigrid) : 0);
}

// --- life ----------------------------------------------------------------------------------------

static void destroy(void *self)
{
    solver *s = self;
    zn_multigrid_destroy(s->multigrid);
    KSPDestroy(&s->ksp);
    MatDestroy(&s->matrix);
    VecDestroy(&s->b);
    VecDestroy(&s->x);
    VecDestroy(&s->r);
    VecDestroy(&s->d);
    release_mail(&s->mail);
    free(s->shared);
    free(s->right);
    free(s->column);
    free(s);
}

#define TABLE(word)                                                                                                    \
    {                                                                                                                  \
        .name = word, .factor = factor, .solve = solve, .solve_to = solve_to, .iterations = iterations,                \
        .destroy = destroy                                                                                             \
    }
static const zn_linsolver_ops tables[] = {
    [MULTIGRID] = TABLE("amg"), [BOOMER] = TABLE("boomeramg"), [DIRECT] = TABLE("mumps")};

static zn_status way_of(const char *word, way *out)
{
    static const struct {
        const char *word;
        way         way;
    } ways[] = {{"auto", MULTIGRID}, {"amg", MULTIGRID}, {"boomeramg", BOOMER}, {"mumps", DIRECT}};
    for (size_t i = 0; i < ZN_COUNT(ways); i++)
        if (strcmp(word ? word : "auto", ways[i].word) == 0) {
            *out = ways[i].way;
            return ZN_OK;
        }
    return ZN_ERR_UNSUPPORTED;
}

// Options of PETSc that have no function. Whoever sets one in the environment (PETSC_OPTIONS) has it so.
static zn_status set_options(void)
{
    static const char *const options[][2] = {
        {"-matptap_via", "allatonce_merged"}, // the others need much memory, or add in the order in which messages come
        {"-zeno_mg_levels_ksp_type", "chebyshev"},
        {"-zeno_mg_levels_ksp_max_it", "3"},
        {"-zeno_mg_levels_pc_type", "jacobi"},
    };
    for (size_t i = 0; i < ZN_COUNT(options); i++) {
        PetscBool there;
        PETSC_TRY(PetscOptionsHasName(NULL, NULL, options[i][0], &there));
        if (!there)
            PETSC_TRY(PetscOptionsSetValue(NULL, options[i][0], options[i][1]));
    }
    return ZN_OK;
}

zn_status zn_solver_create(zn_world *world, const zn_numbering *numbers, const zn_halo *halo, const zn_sparse *a,
                           const char *word, const zn_near_null *near, zn_linsolver **out)
{
    way chosen;
    ZN_TRY(way_of(word, &chosen));
    ZN_TRY(set_options());
    solver *s = ZN_NEW(solver, 1);
    if (s)
        *s = (solver){.world = world,
                      .numbers = numbers,
                      .halo = halo,
                      .near = near,
                      .way = chosen,
                      .shared = ZN_NEW(double, numbers->n_all),
                      .right = ZN_NEW(double, numbers->n_all),
                      .column = ZN_NEW(int, numbers->n)};
    zn_status status = zn_world_agree(world, s && s->shared && s->right && s->column ? ZN_OK : ZN_ERR_MEMORY);
    if (status == ZN_OK && chosen == MULTIGRID && near)
        status = zn_multigrid_create(world, numbers, numbers->own, near, &s->multigrid);
    if (status == ZN_OK)
        status = zn_world_agree(world, zn_linsolver_adopt(&tables[chosen], s, a, out));
    if (status != ZN_OK && s)
        destroy(s);
    return status;
}
