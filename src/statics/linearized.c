// A system linearized about an equilibrium: its matrix, how many directions it does not hold, its lowest modes.
// Equations in linearized.h.
//
// What is zero is a matter of size. A is known up to rounding of the terms that it is the sum of, so that a direction x
// counts as neutral when |x'A x| < d x'S x, with S_i the largest entry of row i of K and of A, or what a contact force
// l on a lever as long as the model would make of it.
#include "statics/linearized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "constraint/redundant.h"
#include "math/eigen.h"
#include "math/inertia.h"

static const double rounding = 4e-14;    // d, of K
static const double loosely = 1e-10;     // of contact forces, which are found by iteration
static const double give_way = 1e-11;    // c over the compliance of the degrees of freedom in the row
static const double no_force = 1e-13;    // of the largest contact force
static const double symmetric = 1e-6;    // |a_ij - a_ji| in parts of S
static const double missing_near = 1e-6; // relative distance in which modes are not told apart
static const double mode_tolerance = 1e-11;

enum { COMPARED = 400 }; // rows: as many as are compared with each other

// --- matrix --------------------------------------------------------------------------------------

static void find_closed(zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    double                most = 0;
    for (int i = 0; i < set->count; i++)
        most = fmax(most, fabs(e->now.l[i * set->stride]));
    for (int i = 0; i < set->count; i++) {
        bool moves = false;
        for (int k = set->row_start[i * set->stride]; k < set->row_start[i * set->stride + 1]; k++)
            moves |= set->row_dof[k] < e->n && set->row_value[k] != 0;
        bool holds = moves && (set->bilateral[i] || e->now.l[i * set->stride] > no_force * most);
        bool slides = holds && zn_equilibrium_rows(e, i) > 1 && !zn_equilibrium_sticks(e, i, e->now.l);
        e->direct.hold[i] = slides ? ZN_HOLD_NORMAL : holds ? ZN_HOLD_STICK : ZN_HOLD_OPEN;
    }
}

static void raise(double *scale, double value) { *scale = fmax(*scale, fabs(value)); }

static void raise_by_columns(const zn_sparse *a, int n, double *scale)
{
    for (int j = 0; j < n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            if (a->row[p] < n)
                raise(&scale[j], a->value[p]);
}

// At least factor times what contact forces make on a lever as long as the model.
static void raise_by_forces(const zn_equilibrium *e, double factor, double *scale)
{
    const zn_contact_set *set = e->set;
    double                length = e->length > 0 ? e->length : 1;
    for (int row = 0; row < set->count * set->stride; row++)
        for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++) {
            int    j = set->row_dof[k];
            double size = factor * e->now.l[row];
            if (j < e->n)
                raise(&scale[j], e->sys->rotational[j] ? size * length : size / length);
        }
}

static void find_scale(const zn_linearized *a)
{
    const zn_equilibrium *e = a->e;
    raise_by_columns(e->matrix.stiffness, e->n, a->scale);
    raise_by_columns(e->matrix.whole.sum, e->n, a->scale);
    raise_by_forces(e, 1, a->scale);
    for (int j = 0; j < e->n; j++) // nothing acts on it: any positive number tells that
        a->scale[j] = a->scale[j] > 0 ? a->scale[j] : e->matrix.inertia[j] > 0 ? e->matrix.inertia[j] : 1;
}

// The rows that are held, and how many.
static int list_held(const zn_equilibrium *e, int *row)
{
    int count = 0;
    for (int i = 0; i < e->set->count; i++)
        for (int r = 0; r < zn_equilibrium_held(e, i); r++)
            row[count++] = i * e->set->stride + r;
    return count;
}

// Which of the rows that are held repeat others; NULL: too many to tell, or none is held.
static zn_status find_repeats(zn_linearized *a)
{
    const zn_equilibrium *e = a->e;
    size_t                rows = (size_t)e->set->count * (size_t)e->set->stride;
    int                  *row = ZN_NEW(int, rows), count = row ? list_held(e, row) : 0;
    bool                  few = count > 0 && count <= COMPARED;
    bool                 *repeats = few ? ZN_NEW(bool, count) : NULL;
    zn_status             status = row && (!few || repeats) ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK && few)
        status = zn_rows_that_repeat(e->sys, e->set, e->length > 0 ? e->length : 1, count, row, repeats);
    if (status == ZN_OK && few && !(a->repeats = ZN_NEW(bool, rows)))
        status = ZN_ERR_MEMORY;
    for (int k = 0; status == ZN_OK && few && k < count; k++)
        a->repeats[row[k]] = repeats[k];
    free(row);
    free(repeats);
    return status;
}

// Rows that repeat nothing do not give way: between a stiff part and one that little holds there is no c that is small
// for the one and more than rounding for the other. s: in A - s M masses hold, too.
static void find_yield(zn_linearized *a, double s)
{
    zn_equilibrium       *e = a->e;
    const zn_contact_set *set = e->set;
    e->direct.ease = 1;
    for (int row = 0; row < set->count * set->stride; row++) {
        double compliance = 0;
        for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++) {
            int j = set->row_dof[k];
            if (j < e->n)
                compliance += set->row_value[k] * set->row_value[k] / fmax(a->held[j], fabs(s) * e->matrix.inertia[j]);
        }
        bool holds = a->repeats && !a->repeats[row];
        e->direct.yield[row] = holds ? 0 : compliance > 0 ? give_way * compliance : 1;
    }
}

static void add_diagonal(zn_sparse *a, int n, double factor, const double *scale)
{
    for (int j = 0; j < n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            if (a->row[p] == j)
                a->value[p] += factor * scale[j];
}

zn_status zn_linearized_write(zn_linearized *a, double s, double d)
{
    zn_equilibrium   *e = a->e;
    zn_curved_matrix *b = &e->matrix.whole;
    ZN_TRY(zn_equilibrium_assemble(e, b, 0));
    if (s != 0)
        zn_curved_matrix_add(b, -s, e->matrix.mass);
    if (d != 0)
        add_diagonal(b->sum, e->n, d, a->scale);
    find_yield(a, s);
    zn_equilibrium_fill_border(e);
    return ZN_OK;
}

// --- counting ------------------------------------------------------------------------------------

static zn_status count(zn_linearized *a, double s, double d, int *below)
{
    ZN_TRY(zn_linearized_write(a, s, d));
    ZN_TRY(zn_sparse_inertia(a->e->matrix.whole.sum, below));
    *below -= a->e->set->count * a->e->friction.rows;
    return ZN_OK;
}

zn_status zn_linearized_count(zn_linearized *a, double s, int *below) { return count(a, s, 0, below); }

static zn_status count_stiffness(zn_linearized *a)
{
    int both;
    ZN_TRY(count(a, 0, -rounding, &both));
    a->negative = a->neutral = 0;
    if (both == 0)
        return ZN_OK;
    ZN_TRY(count(a, 0, rounding, &a->negative));
    a->neutral = both - a->negative;
    return ZN_OK;
}

static zn_status set_up(zn_linearized *a)
{
    zn_equilibrium *e = a->e;
    e->matrix.bending = true;
    ZN_TRY(zn_equilibrium_anchor(e)); // rows and mass
    ZN_TRY(zn_equilibrium_connect(e, &e->matrix.whole));
    ZN_TRY(zn_equilibrium_assemble(e, &e->matrix.whole, 0));
    find_closed(e);
    find_scale(a);
    if (zn_sparse_asymmetry(e->matrix.whole.sum, a->scale) > symmetric)
        return ZN_ERR_UNSUPPORTED;
    memcpy(a->held, a->scale, sizeof *a->held * (size_t)e->n);
    raise_by_forces(e, loosely / rounding, a->scale);
    ZN_TRY(find_repeats(a));
    return count_stiffness(a);
}

zn_status zn_linearized_create(zn_equilibrium *e, zn_linearized *out)
{
    zn_linearized a = {.e = e,
                       .scale = ZN_NEW(double, e->n + e->set->count * e->friction.rows),
                       .held = ZN_NEW(double, e->n),
                       .negative = -1,
                       .neutral = -1};
    zn_status     status = a.scale && a.held ? set_up(&a) : ZN_ERR_MEMORY;
    if (status != ZN_OK)
        zn_linearized_destroy(&a);
    else
        *out = a;
    return status;
}

void zn_linearized_destroy(zn_linearized *a)
{
    free(a->scale);
    free(a->held);
    free(a->repeats);
    a->scale = a->held = NULL;
    a->repeats = NULL;
}

// --- modes ---------------------------------------------------------------------------------------

// x = (A - s M)^-1 x within the constraints, with the factors of B; a second pass takes out c.
static zn_status solve(void *user, double *x)
{
    zn_equilibrium   *e = user;
    int               n = e->n, border = e->friction.rows, m = e->set->count * border;
    double           *sum = e->direct.x, *rest = e->direct.rest;
    zn_curved_matrix *b = &e->matrix.whole;
    memset(sum, 0, sizeof *sum * (size_t)(n + m));
    for (int pass = 0; pass < 2; pass++) {
        zn_sparse_multiply(b->sum, sum, rest);
        for (int j = 0; j < n; j++)
            rest[j] = x[j] - rest[j];
        for (int k = 0; k < m; k++) {
            double yield = e->direct.yield[k / border * e->set->stride + k % border];
            rest[n + k] = k % border < zn_equilibrium_held(e, k / border) ? -(rest[n + k] + yield * sum[n + k]) : 0;
        }
        ZN_TRY(zn_linsolver_solve(b->solver, 1, rest));
        for (int k = 0; k < n + m; k++)
            sum[k] += rest[k];
    }
    memcpy(x, sum, sizeof *x * (size_t)n);
    return ZN_OK;
}

static void weigh(void *user, const double *x, double *y)
{
    const zn_equilibrium *e = user;
    zn_sparse_multiply(e->matrix.mass, x, y);
}

// A shift below all modes: 0 where all are held, else far enough from the motions that nothing holds.
static zn_status find_shift(zn_linearized *a, double *shift)
{
    enum { TRIES = 60 };
    int below = a->negative + a->neutral;
    *shift = 0;
    if (below == 0)
        return ZN_OK;
    *shift = a->e->matrix.top > 0 ? -1e-8 * a->e->matrix.top : -1;
    for (int k = 0; k < TRIES; k++) {
        ZN_TRY(zn_linearized_count(a, *shift, &below));
        if (below == 0)
            return ZN_OK;
        *shift *= 10;
    }
    return ZN_NOT_CONVERGED;
}

// w^2 = shift + 1/theta has the rounding of the shift, x'A x that of its terms: take the better one, and 0 where that
// is all there is.
static zn_status refine(zn_linearized *a, double shift, const double *x, double *square)
{
    zn_equilibrium *e = a->e;
    double          size = 0;
    for (int j = 0; j < e->n; j++)
        size += a->scale[j] * x[j] * x[j];
    if (size < fabs(shift)) {
        memset(e->scratch.free, 0, sizeof *x * (size_t)e->n_all);
        memcpy(e->scratch.free, x, sizeof *x * (size_t)e->n);
        ZN_TRY(zn_equilibrium_stiffness(e, e->scratch.free, square));
    }
    if (a->neutral > 0 && fabs(*square) <= 4 * rounding * size)
        *square = 0;
    return ZN_OK;
}

// Sylvester's count below the last mode, which may be one of several that are equal.
static zn_status check_complete(zn_linearized *a, int found, const double *square, bool *complete)
{
    int    below, known = 0;
    double s = square[found - 1] - missing_near * fabs(square[found - 1]);
    *complete = true;
    if (!(s > 0))
        return ZN_OK;
    while (known < found && square[known] < s)
        known++;
    ZN_TRY(zn_linearized_count(a, s, &below));
    *complete = below <= known;
    return ZN_OK;
}

static zn_status search(zn_linearized *a, const zn_eigen_settings *settings, double shift, int *found, double *square,
                        double *shape)
{
    zn_equilibrium        *e = a->e;
    const zn_eigen_problem problem = {e, e->n, solve, weigh};
    ZN_TRY(zn_linearized_write(a, shift, 0));
    ZN_TRY(zn_linsolver_factor(e->matrix.whole.solver, e->matrix.whole.sum));
    ZN_TRY(zn_eigen_largest(&problem, settings, found, square, shape));
    for (int k = 0; k < *found; k++) {
        square[k] = shift + 1 / square[k];
        ZN_TRY(refine(a, shift, shape + (size_t)k * (size_t)e->n, &square[k]));
    }
    double held =
        fmax(e->matrix.top, fabs(shift)) / give_way; // what rows hold moves by c or by rounding: that is no mode
    while (*found > 0 && square[*found - 1] > held)
        --*found;
    return ZN_OK;
}

zn_status zn_linearized_modes(zn_linearized *a, int wanted, int *found, double *square, double *shape)
{
    double shift;
    ZN_TRY(find_shift(a, &shift));
    for (int block = 4; block <= 64; block *= 4) {
        const zn_eigen_settings settings = {wanted, mode_tolerance, block};
        bool                    complete = true;
        ZN_TRY(search(a, &settings, shift, found, square, shape));
        if (*found > 0)
            ZN_TRY(check_complete(a, *found, square, &complete));
        if (complete)
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}
