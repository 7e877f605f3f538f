// The direct way to an equilibrium: Newton's method for configuration and contact forces at once.
//     | A + s M   -G' | | d  |   | r |      A = K - d(G'l)/dq,   r = f + G'l
//     |  -G       -c  | | dl | = | g |      rows of joints and closed contacts; at the others l = 0
// in one sparse matrix: contacts hold what stiffness does not, and the work grows with the entries, not with the square
// of the contacts. Neither s nor c changes the answer, only the way to it, because they act on the changes d and dl. s
// keeps directions that nothing holds where they are. c shares forces among contacts that repeat each other, those of
// the four feet of a rigid table: of all answers the one with the smallest sum of c l^2.
//
// Contacts with friction stick, which closes their tangents too, or slide: equilibrium_friction.c has those rows, which
// make the matrix unsymmetric.
//
// Which contacts are closed is found by block pivoting (Judice and Pires, Computers Ops Res. 21 (1994) 587-596): a
// contact that would pull opens, one that would be penetrated closes, all at once as long as their number falls, else
// the last one alone. That ends when A + s M is positive definite.
//
// Whatever looks unlike an equilibrium nearby (large motion, a turn, negative stiffness on the way, no convergence) is
// left to the other ways, which leave unstable places and tell what is not held.
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "statics/equilibrium.h"

enum { PIVOTS = 60, PATIENCE = 4 };
static const double far_away = 10;    // of the size of the model
static const double touching = 1e-9;  // of the size of the model: contacts taken for closed at first
static const double give_way = 1e-11; // c over the compliance of the degrees of freedom in the row
static const double turned = 1e-6;    // [rad] what the way of a contact that slides may still turn by
static const double no_pull = 1e-13;  // of the largest contact force

// --- matrix --------------------------------------------------------------------------------------

static double diagonal_of(const zn_sparse *a, int j)
{
    ZN_ASSERT(j >= 0 && j < a->n);
    for (int p = a->start[j]; p < a->start[j + 1]; p++)
        if (a->row[p] == j)
            return a->value[p];
    return 0;
}

// The diagonal is in scratch.work.
static double compliance_of(const zn_equilibrium *e, int row)
{
    const zn_contact_set *set = e->set;
    double                sum = 0;
    for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++) {
        double stiffness = set->row_dof[k] < e->n ? e->scratch.work[set->row_dof[k]] : 0;
        sum += stiffness > 0 ? set->row_value[k] * set->row_value[k] / stiffness : 0;
    }
    return sum;
}

// Compliance of the degrees of freedom in the rows of each contact, each on its own.
static void find_compliance(zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    for (int j = 0; j < e->n; j++)
        e->scratch.work[j] = fmax(diagonal_of(e->matrix.whole.sum, j), e->direct.soft * e->matrix.inertia[j]);
    for (int i = 0; i < set->count; i++) {
        e->give[i] = compliance_of(e, i * set->stride);
        for (int row = i * set->stride; row < i * set->stride + zn_equilibrium_rows(e, i); row++)
            if (!(e->direct.yield[row] > 0))
                e->direct.yield[row] = give_way * compliance_of(e, row);
    }
}

// Right-hand side of row r of contact i less what x makes of it already; `exact`: less what c has left of gaps.
static double rest_of(const zn_equilibrium *e, int i, int r, double exact, double made, double x)
{
    if (r >= zn_equilibrium_held(e, i))
        return 0;
    if (r > 0 && e->direct.hold[i] == ZN_HOLD_SLIDE)
        return zn_equilibrium_friction_row(e, i, r).right - made;
    double gap = r == 0 ? e->set->gap[i] : e->friction.slip[i * e->set->stride + r];
    return gap - (made + exact * e->direct.yield[i * e->set->stride + r] * x);
}

static void find_rest(zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    int                   n = e->n, border = e->friction.rows;
    double                exact = e->direct.ease > 1 ? 0 : 1;
    zn_sparse_multiply(e->matrix.whole.sum, e->direct.x, e->direct.rest);
    for (int j = 0; j < n; j++)
        e->direct.rest[j] = e->at.residual[j] - e->direct.rest[j];
    for (int i = 0; i < set->count; i++)
        for (int r = 0; r < border; r++) {
            int    at = n + i * border + r;
            double l = r < zn_equilibrium_rows(e, i) ? e->now.l[i * set->stride + r] : 0;
            e->direct.rest[at] = rest_of(e, i, r, exact, e->direct.rest[at], e->direct.x[at]);
            if (r >= zn_equilibrium_held(e, i) && l != 0)
                zn_row_add(set, i * set->stride + r, n, -l, e->direct.rest);
        }
}

// The equations for the contacts that are closed now; a second pass takes out rounding and, unless contacts are eased
// on purpose, what c has left of the gaps.
static zn_status solve_closed(zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    int                   n = e->n, border = e->friction.rows, all = n + border * set->count;
    zn_equilibrium_fill_border(e);
    ZN_TRY(zn_fault_point());
    ZN_TRY(zn_equilibrium_poll(e));
    ZN_TRY(zn_linsolver_factor(e->matrix.whole.solver, e->matrix.whole.sum));
    memset(e->direct.x, 0, sizeof *e->direct.x * (size_t)all);
    for (int pass = 0; pass < 2; pass++) {
        find_rest(e);
        ZN_TRY(zn_linsolver_solve(e->matrix.whole.solver, 1, e->direct.rest));
        for (int k = 0; k < all; k++)
            e->direct.x[k] += e->direct.rest[k];
    }
    memcpy(e->way.d, e->direct.x, sizeof *e->way.d * (size_t)n);
    for (int k = 0; k < set->count * set->stride; k++) {
        int i = k / set->stride, r = k % set->stride;
        e->way.l[k] = r < zn_equilibrium_held(e, i) ? e->now.l[k] + e->direct.x[n + i * border + r] : 0;
    }
    return ZN_OK;
}

// --- closed contacts -----------------------------------------------------------------------------

static void guess_closed(zn_equilibrium *e)
{
    for (int i = 0; i < e->set->count; i++) {
        bool closed =
            e->set->bilateral[i] || e->now.l[i * e->set->stride] > 0 || e->set->gap[i] <= touching * e->length;
        e->direct.hold[i] = closed ? ZN_HOLD_STICK : ZN_HOLD_OPEN;
    }
}

// What a gap may be off by rounding of the coordinates and of the motion.
static double gap_rounding(const zn_equilibrium *e, int i)
{
    const zn_contact_set *set = e->set;
    double                sum = 0;
    for (int k = set->row_start[i * set->stride]; k < set->row_start[i * set->stride + 1]; k++) {
        int    dof = set->row_dof[k];
        double motion = dof < e->n ? fabs(e->way.d[dof]) : 0;
        sum += fabs(set->row_value[k]) * (8 * e->scratch.rounding[dof] + 64 * DBL_EPSILON * motion);
    }
    return sum;
}

static zn_contact_hold next_of(zn_equilibrium *e, int i, double most)
{
    const zn_contact_set *set = e->set;
    int                   row = i * set->stride;
    if (set->bilateral[i] || !(e->give[i] > 0))
        return e->direct.hold[i];
    if (e->direct.hold[i] == ZN_HOLD_OPEN) {
        double gap = set->gap[i] + zn_row_dot(set, row, e->n, e->way.d);
        return gap < -gap_rounding(e, i) ? zn_equilibrium_closed_hold(e, i, -gap) : ZN_HOLD_OPEN;
    }
    return e->way.l[row] < -no_pull * most ? ZN_HOLD_OPEN : zn_equilibrium_next_hold(e, i, gap_rounding(e, i));
}

// Contacts that would pull, be penetrated, hold by more friction than there is or be pushed along by it; returns their
// number.
static int find_wrong(zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    double                most = 0;
    int                   count = 0;
    e->friction.turn = 0;
    for (int i = 0; i < set->count; i++)
        most = fmax(most, fabs(e->way.l[i * set->stride]));
    for (int i = 0; i < set->count; i++) {
        e->direct.next[i] = next_of(e, i, most);
        count += e->direct.next[i] != e->direct.hold[i];
    }
    return count;
}

static void turn_over(zn_equilibrium *e, bool all)
{
    for (int i = e->set->count - 1; i >= 0; i--) {
        bool wrong = e->direct.next[i] != e->direct.hold[i];
        e->direct.hold[i] = e->direct.next[i];
        if (wrong && !all)
            return;
    }
}

// Pivot until nothing is wrong. `single`: one by one where blocks do not help; else that is the end.
static zn_status pivot(zn_equilibrium *e, bool single)
{
    int fewest = INT_MAX, patience = PATIENCE;
    for (int k = 0; k < PIVOTS; k++) {
        ZN_TRY(solve_closed(e));
        int wrong = find_wrong(e);
        if (wrong == 0 && e->friction.turn <= (e->direct.ease > 1 ? 0.1 : turned))
            return ZN_OK;
        patience = wrong < fewest || wrong == 0 ? PATIENCE : patience - 1;
        fewest = wrong < fewest ? wrong : fewest;
        if (patience <= 0 && !single)
            return ZN_NOT_CONVERGED;
        turn_over(e, patience > 0);
    }
    return ZN_NOT_CONVERGED;
}

// A beam that lifts off its bed peels off node by node: on a soft bed the pivots find their way in large steps, and the
// bed is made harder and harder.
static zn_status find_forces(zn_equilibrium *e)
{
    e->direct.ease = 1;
    zn_status status = pivot(e, false);
    if (status != ZN_NOT_CONVERGED)
        return status;
    for (e->direct.ease = 1e20; e->direct.ease > 1e9; e->direct.ease *= 1e-3) {
        status = pivot(e, false);
        if (status != ZN_OK && status != ZN_NOT_CONVERGED)
            return status;
    }
    e->direct.ease = 1;
    return pivot(e, true);
}

// --- direction -----------------------------------------------------------------------------------

// The acceleration that all loads together give all masses would need 1/s to move the model by a thousand times its
// size: what is not held goes out of sight.
static double first_soft(const zn_equilibrium *e)
{
    double sum[2] = {0, 0};
    for (int i = 0; i < e->n; i++)
        if (!e->sys->rotational[i]) {
            sum[0] += fabs(e->scratch.load[i]);
            sum[1] += e->matrix.inertia[i];
        }
    double load = zn_system_sum(e->sys, sum[0]), mass = zn_system_sum(e->sys, sum[1]);
    double length = e->length > 0 ? e->length : 1;
    return mass > 0 ? 1e-3 * load / (mass * length) : 0;
}

// Largest shift [m] and turn [rad] of the direction.
static void measure_motion(const zn_equilibrium *e, double *shift, double *turn)
{
    *shift = *turn = 0;
    for (int i = 0; i < e->n; i++) {
        double *own = e->sys->rotational[i] ? turn : shift;
        *own = fmax(*own, fabs(e->way.d[i]));
    }
    *shift = zn_system_max(e->sys, *shift);
    *turn = zn_system_max(e->sys, *turn);
}

static bool goes_far(const zn_equilibrium *e)
{
    double shift, turn;
    measure_motion(e, &shift, &turn);
    return turn > ZN_EQUILIBRIUM_TURN || (e->length > 0 && shift > far_away * e->length);
}

// Against negative stiffness. What closes gaps goes against the constraints, whatever the stiffness, and rounding goes
// anywhere: they tell nothing.
static zn_status check_stable(zn_equilibrium *e, double *stiffness)
{
    double shift, turn, gap = 0;
    measure_motion(e, &shift, &turn);
    for (int i = 0; i < e->set->count; i++)
        gap = e->direct.hold[i] != ZN_HOLD_OPEN ? fmax(gap, fabs(e->set->gap[i])) : gap;
    ZN_TRY(zn_equilibrium_stiffness(e, e->way.d, stiffness));
    double motion = shift + turn * e->length;
    bool   tells = motion > touching * e->length && zn_system_max(e->sys, gap) <= 1e-3 * motion;
    return tells && *stiffness < -0.5 * e->direct.soft ? ZN_NOT_CONVERGED : ZN_OK;
}

static zn_status assemble(zn_equilibrium *e, double alpha)
{
    ZN_TRY(zn_equilibrium_connect(e, &e->matrix.whole));
    ZN_TRY(zn_equilibrium_assemble(e, &e->matrix.whole, alpha));
    find_compliance(e);
    return ZN_OK;
}

static void let_go(zn_equilibrium *e)
{
    for (int i = 0; i < e->set->count; i++) {
        double *l = &e->way.l[i * e->set->stride];
        *l = e->set->bilateral[i] ? *l : fmax(*l, 0);
    }
}

static zn_status solve_for_direction(zn_equilibrium *e)
{
    ZN_TRY(assemble(e, e->direct.soft));
    ZN_TRY(find_forces(e));
    let_go(e);
    return goes_far(e) ? ZN_NOT_CONVERGED : ZN_OK;
}

zn_status zn_equilibrium_aim_from_anchor(zn_equilibrium *e)
{
    ZN_TRY(assemble(e, e->alpha));
    e->direct.ease = 1;
    ZN_TRY(pivot(e, false));
    let_go(e);
    return ZN_OK;
}

// Loads turn with a body and the forces that will balance them do, too: without a good guess of these forces the
// curvature of the constraints is missing, and directions that nothing holds seem to be pushed.
static zn_status guess_forces(zn_equilibrium *e)
{
    double norm;
    memcpy(e->now.l, e->way.l, sizeof *e->now.l * (size_t)(e->set->count * e->set->stride));
    return zn_equilibrium_evaluate(e, e->now.q, e->now.l, &norm);
}

zn_status zn_equilibrium_aim(zn_equilibrium *e)
{
    double    stiffness;
    zn_status status;
    status = solve_for_direction(e);
    for (int k = 0; k < 3 && status == ZN_NOT_CONVERGED && e->way.correction == INFINITY; k++) { // at the start
        ZN_TRY(guess_forces(e));
        status = solve_for_direction(e);
    }
    ZN_TRY(status);
    ZN_TRY(check_stable(e, &stiffness));
    bool slow = e->at.balance > 0.1 * e->direct.balance_before;
    e->direct.balance_before = e->at.balance;
    if (e->at.rounding) // forces do not get smaller than that, and carry off what nothing holds
        e->direct.soft = fmin(10 * e->direct.soft, e->direct.soft_most);
    else if (stiffness > e->direct.soft || slow)
        e->direct.soft =
            fmin(e->direct.soft, fmax(1e-6 * stiffness, fmax(0.01 * e->direct.soft, e->direct.soft_least)));
    return ZN_OK;
}

// --- all of it -----------------------------------------------------------------------------------

zn_status zn_equilibrium_direct(zn_equilibrium *e)
{
    double norm;
    if (e->problem.redundant) // which of the joint equations count must be found in each iteration
        return ZN_NOT_CONVERGED;
    e->alpha = 0;
    e->matrix.bending = true;
    e->way.correction = INFINITY;
    ZN_TRY(zn_equilibrium_anchor(e));
    ZN_TRY(zn_equilibrium_evaluate(e, e->now.q, e->now.l, &norm));
    ZN_TRY(zn_equilibrium_connect(e, &e->matrix.whole));
    ZN_TRY(zn_equilibrium_assemble(e, &e->matrix.whole, 0));
    memset(e->direct.yield, 0, sizeof *e->direct.yield * (size_t)(e->set->count * e->set->stride));
    guess_closed(e);
    e->direct.soft = fmax(first_soft(e), 1e-10 * e->matrix.top);
    e->direct.soft = e->direct.soft > 0 ? e->direct.soft : 1;
    e->direct.soft_most = e->direct.soft;
    e->direct.soft_least = fmax(1e-9 * e->direct.soft, 1e-14 * e->matrix.top);
    e->direct.balance_before = INFINITY;
    zn_status status = zn_equilibrium_newton(e);
    e->direct.soft = 0;
    return status == ZN_OK && zn_equilibrium_strayed(e) ? ZN_NOT_CONVERGED : status;
}
