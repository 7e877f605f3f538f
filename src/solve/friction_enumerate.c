// Statuses of contacts: the linear equations they stand for, the iteration that corrects them, and their enumeration.
//
//     open    r = 0
//     stick   u = 0
//     slip    u_N = 0,   r_T = -mu r_N t,   t = u_T / |u_T|
// In the plane t = +-1, the equations of given statuses are linear, and the solution is that of one combination which
// has r in the cone, u_N >= 0 at open contacts and u_T along t. With two tangents t is unknown, too: r_T turns by an
// angle, d r_T = -mu t d r_N + t' ds, and t' . u_T = 0 with t' orthogonal to t, linearised
//     t' . (u_T + W_T dr) + |u_T| / (mu r_N) ds = 0.
//
// The iteration reads new statuses from x = r - u / diag(W), as semismooth Newton methods on the cone's projection do.
// It is the fastest of all when it converges, which nothing promises. The enumeration tries all combinations, those of
// the warm start first.
//
// Reference: P. Alart, A. Curnier, Comput. Methods Appl. Mech. Engrg. 92 (1991) 353-375.
#include <math.h>

#include "base/assert.h"
#include "solve/friction.h"

// --- the equations of given statuses -------------------------------------------------------------

// Reactions that the statuses allow, as close to work->r as they can be.
static void start_from(const zn_fc_work *work)
{
    const zn_fc_problem *p = &work->p;
    for (int c = 0; c < p->contacts; c++) {
        double *r = work->r + p->first[c], *t = work->slip + 2 * (size_t)c;
        int     rows = p->first[c + 1] - p->first[c];
        if (work->status[c] == ZN_FC_STICK)
            continue;
        r[0] = work->status[c] == ZN_FC_OPEN ? 0 : r[0];
        for (int k = 1; k < rows; k++)
            r[k] = -p->mu[c] * r[0] * t[k - 1];
    }
}

static void multiply(const zn_fc_problem *p, const double *r, double *u)
{
    for (int i = 0; i < p->n; i++) {
        const double *row = p->W + (size_t)i * p->n;
        double        sum = p->q[i];
        for (int j = 0; j < p->n; j++)
            sum += row[j] * r[j];
        u[i] = sum;
    }
}

// The unknowns of contact c, at most one per row. Returns how many.
static int list_contact(const zn_fc_work *work, int c, zn_fc_unknown *out)
{
    ZN_ASSERT(c >= 0 && c < work->p.contacts);
    const zn_fc_problem *p = &work->p;
    int                  row = p->first[c], tangents = zn_fc_tangents(p, c);
    const double        *t = work->slip + 2 * (size_t)c, *u = work->u + row;
    double               mu = p->mu[c], pressure = mu * work->r[row];
    if (work->status[c] == ZN_FC_OPEN)
        return 0;
    if (work->status[c] == ZN_FC_STICK) {
        for (int k = 0; k <= tangents; k++)
            out[k] = (zn_fc_unknown){.row = row + k, .left_rows = 1, .right_rows = 1, .left = {1}, .right = {1}};
        return tangents + 1;
    }
    out[0] = (zn_fc_unknown){
        .row = row, .left_rows = 1, .right_rows = tangents + 1, .left = {1}, .right = {1, -mu * t[0], -mu * t[1]}};
    if (tangents < 2)
        return 1;
    out[1] = (zn_fc_unknown){.row = row,
                             .left_rows = 3,
                             .right_rows = 3,
                             .shift = pressure > 0 ? sqrt(u[1] * u[1] + u[2] * u[2]) / pressure : 0,
                             .left = {0, -t[1], t[0]},
                             .right = {0, -t[1], t[0]}};
    return 2;
}

static int list_unknowns(const zn_fc_work *work)
{
    const zn_fc_problem *p = &work->p;
    int                  count = 0;
    for (int i = 0; i < p->bilateral; i++)
        work->unknowns[count++] = (zn_fc_unknown){.row = i, .left_rows = 1, .right_rows = 1, .left = {1}, .right = {1}};
    for (int c = 0; c < p->contacts; c++)
        count += list_contact(work, c, work->unknowns + count);
    return count;
}

static double coefficient(const zn_fc_problem *p, const zn_fc_unknown *equation, const zn_fc_unknown *unknown)
{
    double sum = 0;
    for (int k = 0; k < equation->left_rows; k++) {
        const double *row = p->W + (size_t)(equation->row + k) * p->n + unknown->row;
        double        inner = row[0] * unknown->right[0];
        for (int l = 1; l < unknown->right_rows; l++)
            inner += row[l] * unknown->right[l];
        sum += equation->left[k] * inner;
    }
    return sum;
}

static void fill_equations(const zn_fc_work *work, int count)
{
    double *table = work->equations;
    for (int i = 0; i < count; i++) {
        const zn_fc_unknown *equation = work->unknowns + i;
        double               sum = 0;
        for (int j = 0; j < count; j++)
            table[j] = coefficient(&work->p, equation, work->unknowns + j);
        table[i] += equation->shift;
        for (int k = 0; k < equation->left_rows; k++)
            sum += equation->left[k] * work->u[equation->row + k];
        table[count] = -sum;
        table += count + 1;
    }
}

// A turned r_T has left its circle: bring it back.
static void shorten_slip(const zn_fc_work *work)
{
    const zn_fc_problem *p = &work->p;
    for (int c = 0; c < p->contacts; c++) {
        double *r = work->r + p->first[c];
        if (work->status[c] != ZN_FC_SLIP || zn_fc_tangents(p, c) < 2 || !(r[0] > 0))
            continue;
        double length = sqrt(r[1] * r[1] + r[2] * r[2]), factor = length > 0 ? p->mu[c] * r[0] / length : 0;
        r[1] *= factor;
        r[2] *= factor;
    }
}

void zn_fc_solve_statuses(const zn_fc_work *work)
{
    start_from(work);
    multiply(&work->p, work->r, work->u);
    int count = list_unknowns(work);
    ZN_ASSERT(count <= work->p.n);
    fill_equations(work, count);
    double *x = work->equations + (size_t)count * (count + 1);
    // a generous zero: along what redundant contacts leave undetermined, r shall stay and not follow round-off
    zn_lcp_solve_table(count, work->equations, 1e-12, x, work->pivots);
    for (int i = 0; i < count; i++) {
        const zn_fc_unknown *unknown = work->unknowns + i;
        for (int k = 0; k < unknown->right_rows; k++)
            work->r[unknown->row + k] += unknown->right[k] * x[i];
    }
    shorten_slip(work);
}

// --- statuses from reactions ---------------------------------------------------------------------

// Of contact c at a point x of reaction space; its cone is made narrower by `slack`.
static void read_status(const zn_fc_work *work, int c, const double *x, double slack)
{
    int     tangents = zn_fc_tangents(&work->p, c);
    double *t = work->slip + 2 * (size_t)c;
    t[0] = t[1] = 0;
    if (!(x[0] > 0)) {
        work->status[c] = ZN_FC_OPEN;
        return;
    }
    work->status[c] = ZN_FC_SLIP;
    if (tangents == 0)
        return;
    double length = tangents == 1 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
    if (!(length > work->p.mu[c] * x[0] * (1 - slack)))
        work->status[c] = ZN_FC_STICK;
    else
        for (int k = 0; k < tangents; k++)
            t[k] = -x[k + 1] / length;
}

void zn_fc_read_statuses(const zn_fc_work *work)
{
    for (int c = 0; c < work->p.contacts; c++)
        read_status(work, c, work->r + work->p.first[c], 1e-9);
}

// From r and u. Both tangents share one factor, so that r_T along -u_T stays so.
static void correct_statuses(const zn_fc_work *work)
{
    const zn_fc_problem *p = &work->p;
    for (int c = 0; c < p->contacts; c++) {
        int           first = p->first[c], tangents = p->first[c + 1] - first - 1;
        const double *diagonal = p->W + (size_t)first * (p->n + 1), *r = work->r + first, *u = work->u + first;
        double        normal = diagonal[0], tangent = 0, x[3];
        for (int k = 1; k <= tangents; k++)
            tangent += diagonal[(size_t)k * (p->n + 1)] / tangents;
        x[0] = r[0] - u[0] / (normal > 0 ? normal : 1);
        for (int k = 1; k <= tangents; k++)
            x[k] = r[k] - u[k] / (tangent > 0 ? tangent : 1);
        read_status(work, c, x, 0);
    }
}

zn_status zn_fc_statuses(const zn_fc_work *work, int *iterations)
{
    ZN_ASSERT(iterations);
    int limit = work->max_iterations > 0 ? work->max_iterations : work->p.contacts <= 8 ? 12 : 3;
    if (zn_fc_judge_work(work, work->u) <= work->tolerance) // nothing has changed since the last time
        return ZN_OK;
    zn_fc_read_statuses(work);
    for (int step = 0; step < limit; step++) {
        ++*iterations;
        zn_fc_solve_statuses(work);
        double residual = zn_fc_judge_work(work, work->u);
        if (residual <= work->tolerance)
            return ZN_OK;
        if (!isfinite(residual))
            return ZN_NOT_CONVERGED;
        correct_statuses(work);
    }
    return ZN_NOT_CONVERGED;
}

// --- enumeration ---------------------------------------------------------------------------------

// Digits of a combination: open, slip, and with friction stick and the other slip.
static int digits(const zn_fc_problem *p, int c) { return zn_fc_tangents(p, c) > 0 ? 4 : 2; }

static void set_digit(const zn_fc_work *work, int c, int digit)
{
    ZN_ASSERT(digit >= 0 && digit < digits(&work->p, c));
    const zn_fc_status status[4] = {ZN_FC_OPEN, ZN_FC_SLIP, ZN_FC_STICK, ZN_FC_SLIP};
    bool               slips = status[digit] == ZN_FC_SLIP && zn_fc_tangents(&work->p, c) > 0;
    work->status[c] = status[digit];
    work->slip[2 * (size_t)c] = !slips ? 0 : digit == 1 ? 1 : -1;
    work->slip[2 * (size_t)c + 1] = 0;
}

static int get_digit(const zn_fc_work *work, int c)
{
    if (work->status[c] == ZN_FC_OPEN)
        return 0;
    return work->status[c] == ZN_FC_STICK ? 2 : work->slip[2 * (size_t)c] < 0 ? 3 : 1;
}

int zn_fc_count_sets(const zn_fc_problem *p)
{
    int sets = 1;
    for (int c = 0; c < p->contacts; c++) {
        if (p->first[c + 1] - p->first[c] > 2)
            return -1;
        sets *= digits(p, c);
        if (sets > ZN_FC_ENUMERATE_SETS)
            return -1;
    }
    return sets;
}

// Digits count on from those of the warm start, in work->index.
static void set_combination(const zn_fc_work *work, int set)
{
    for (int c = 0; c < work->p.contacts; c++) {
        int base = digits(&work->p, c);
        set_digit(work, c, (work->index[c] + set) % base);
        set /= base;
    }
}

zn_status zn_fc_enumerate(const zn_fc_work *work, int *iterations)
{
    ZN_ASSERT(work->table && work->index && iterations);
    int sets = zn_fc_count_sets(&work->p);
    if (sets < 0)
        return ZN_ERR_ARGUMENT;
    if (work->max_iterations > 0 && work->max_iterations < sets)
        sets = work->max_iterations;
    zn_fc_read_statuses(work);
    for (int c = 0; c < work->p.contacts; c++)
        work->index[c] = get_digit(work, c);

    for (int set = -1; set < sets; set++) { // the first one twice, as it alone may lean on the warm start
        ++*iterations;
        set_combination(work, set < 0 ? 0 : set);
        for (int i = 0; i < work->p.n && set >= 0; i++)
            work->r[i] = 0;
        zn_fc_solve_statuses(work);
        if (zn_fc_judge_work(work, NULL) <= work->tolerance)
            return ZN_OK;
    }
    return ZN_NOT_CONVERGED;
}
