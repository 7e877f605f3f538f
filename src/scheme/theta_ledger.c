// Energy ledger and contact results of a theta step.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/seldom.h"
#include "scheme/theta.h"

// Energy without the projection, and the power at the theta point without it. The shift also moves the theta point at
// which forces act; what that changes belongs to the projection, not to the scheme's own dissipation.
ZN_APART static zn_status evaluate_unprojected(zn_theta *w, zn_energy *before, zn_power *power)
{
    double th = w->def.theta, h = w->step.h;
    zn_at  end = w->step.end;
    end.q = w->middle.q;
    end.v = w->now.v;
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = h * w->middle.v[i];
    zn_system_retract(w->sys, w->step.from->q, w->work, w->middle.q);
    ZN_TRY(zn_system_energy(w->sys, end, before));
    for (int i = 0; i < w->n_all; i++)
        w->work[i] *= th;
    zn_system_retract(w->sys, w->step.from->q, w->work, w->middle.q);
    return zn_system_power(w->sys, w->step.theta, w->middle.v, power);
}

static bool has_projection(const zn_theta *w)
{
    bool moved = false;
    if (w->project == ZN_PROJECT_NONE)
        return false;
    for (int i = 0; i < w->contacts->count; i++)
        moved |= w->now.tau[i] != 0;
    return zn_system_max(w->sys, moved) > 0;
}

// A mass that depends on q: the scheme knows M(q_th) only, and inertia forces n(q, v) balance the change of M. What the
// kinetic energy changes beyond (v + v_k)/2 . M(q_th) (v - v_k), plus the work of n, is the scheme's own.
ZN_APART static zn_status add_inertia_defect(zn_theta *w, double kinetic, double gyroscopic_work, double *numerical)
{
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = w->now.v[i] - w->step.from->v[i];
    ZN_TRY(zn_system_whole_inertia(w->sys, w->middle.mass_q, w->work, w->scale));
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = 0.5 * (w->now.v[i] + w->step.from->v[i]);
    *numerical += kinetic - w->step.from->energy.kinetic - zn_system_dot(w->sys, w->work, w->scale) + gyroscopic_work;
    return ZN_OK;
}

// The energy ledger of a theta step. With Delta v = v - v_k and the work of forces taken at theta,
//     kinetic change = h F.v_th - (th - 1/2) h F.Delta v + P.(U+ + U-)/2 ;
// the difference of potential change and work is the scheme's own, and projection is energy after minus before.
static zn_status book_energy(zn_theta *w)
{
    double          *ledger = w->step.info->ledger, h = w->step.h, th = w->def.theta;
    zn_at            end = w->step.end;
    zn_energy        unprojected, *after = &w->energy;
    const zn_energy *before = after;
    zn_power         power, unprojected_power;
    const zn_power  *plain = &power;
    end.q = w->now.q;
    end.v = w->now.v;
    ZN_TRY(zn_system_power(w->sys, w->step.theta, w->middle.v, &power));
    ZN_TRY(zn_system_energy(w->sys, end, after));
    if (w->sys->varying_mass)
        memcpy(w->middle.mass_q, w->middle.q, sizeof *w->middle.mass_q * (size_t)w->nq); // q_theta is overwritten below
    w->step.projected = has_projection(w);
    if (w->step.projected) {
        ZN_TRY(evaluate_unprojected(w, &unprojected, &unprojected_power));
        before = &unprojected;
        plain = &unprojected_power;
        ledger[ZN_LEDGER_PROJECTION] = after->kinetic - before->kinetic + after->strain - before->strain +
                                       after->gravity - before->gravity +
                                       h * (power.strain - plain->strain + power.gravity - plain->gravity);
    }
    ledger[ZN_LEDGER_KINETIC] = after->kinetic;
    ledger[ZN_LEDGER_STRAIN] = after->strain;
    ledger[ZN_LEDGER_GRAVITY] = after->gravity;
    ledger[ZN_LEDGER_LOAD] = h * power.load;
    ledger[ZN_LEDGER_MOTOR] = h * power.motor;
    ledger[ZN_LEDGER_DAMPER] = h * power.damper;
    double numerical = before->strain - w->step.from->energy.strain + h * plain->strain;
    numerical += before->gravity - w->step.from->energy.gravity + h * plain->gravity;
    if (th != 0.5) {
        for (int i = 0; i < w->n; i++)
            w->work[i] = w->now.v[i] - w->step.from->v[i];
        numerical -= (th - 0.5) * h * zn_system_dot(w->sys, w->now.force, w->work);
    }
    if (w->sys->varying_mass)
        ZN_TRY(add_inertia_defect(w, before->kinetic, h * power.gyroscopic, &numerical));
    ledger[ZN_LEDGER_NUMERICAL] = numerical;
    return ZN_OK;
}

// Work of rows by lines of the ledger.
typedef struct works {
    double contact, friction, joint;
    double turned; // of all these, what U- has gained by rows that turned
} works;

static void add_work(works *sum, const zn_contact_set *set, int row, int contact, double work)
{
    if (set->bilateral[contact])
        sum->joint += work;
    else if (row == contact * set->stride)
        sum->contact += work;
    else
        sum->friction += work;
}

// U- with the rows at the end. Rows that stay have it from the start of the step.
static double velocity_before(const zn_theta *w, int row, bool stays)
{
    return stays ? w->step.U_k[row] : zn_row_dot(w->contacts, row, w->n, w->step.from->v);
}

// Those of all processes.
ZN_SELDOM static void sum_works(const zn_system *sys, zn_step_info *info)
{
    double *ledger = info->ledger;
    double  values[] = {ledger[ZN_LEDGER_CONTACT], ledger[ZN_LEDGER_FRICTION], ledger[ZN_LEDGER_JOINT],
                        info->contact_gave, info->turned_work};
    zn_system_sums(sys, values, ZN_COUNT(values));
    ledger[ZN_LEDGER_CONTACT] = values[0];
    ledger[ZN_LEDGER_FRICTION] = values[1];
    ledger[ZN_LEDGER_JOINT] = values[2];
    info->contact_gave = values[3];
    info->turned_work = values[4];
}

// U+ - U* of a row of a contact, where the law has the velocity before along the row at the end.
static double beyond_law(const zn_theta *w, int row, double before)
{
    const zn_contact_set *set = w->contacts;
    if (w->impact.law != ZN_IMPACT_NEWTON && zn_row_place(set, row) == 0)
        return set->velocity[row] - w->impact.target[zn_row_contact(set, row)];
    return set->velocity[row] + zn_theta_restitution(w, row) * before;
}

// Does the row only keep what is so, a joint or a contact that stays closed? Then it does no work but that of a
// prescribed motion, and what U- has gained by turning is the step's doing. Where bodies meet it is their approach, and
// where a contact goes on to another piece of a surface it is the edge between them.
static bool holds(const zn_theta *w, int row, int contact)
{
    double closed = 10 * w->step.gap_tolerance;
    if (w->contacts->bilateral[contact])
        return true;
    return row == contact * w->contacts->stride && w->step.g_k[contact] <= closed &&
           w->step.h * fabs(w->step.U_k[row]) <= closed &&
           !w->sys->model->rule[zn_contact_id_rule(w->contacts->id[contact])].ops->settle;
}

// Works P.(U+ + U-)/2 of the rows with the rows at the end: sums by line, and what contacts gave.
static void book_works(zn_theta *w)
{
    const zn_contact_set *set = w->contacts;
    zn_step_info         *info = w->step.info;
    double                of_contact = 0, beyond = 0, pushes = 0;
    bool                  stays = zn_theta_keeps_rows(w);
    works                 sum = {0};
    zn_contact_works_begin(w->contacts);
    for (int k = 0; k < w->list.rows; k++) {
        int    row = w->list.row[k], i = zn_row_contact(set, row);
        double before = velocity_before(w, row, stays);
        double own = 0.5 * w->now.P[k] * (set->velocity[row] + before);
        add_work(&sum, set, row, i, own);
        if (!stays && holds(w, row, i))
            sum.turned += 0.5 * w->now.P[k] * (before - w->step.U_k[row]);
        of_contact += own;
        beyond += set->bilateral[i] ? 0 : 0.5 * w->now.P[k] * beyond_law(w, row, before);
        pushes += fabs(w->now.P[k]);
        if (k + 1 < w->list.rows && w->list.row[k + 1] < (i + 1) * set->stride && w->list.row[k + 1] > row)
            continue; // rows of a contact follow each other
        if (pushes > 0)
            zn_contact_works_add(w->contacts, i, of_contact - zn_impact_excess(&w->impact, i), beyond);
        of_contact = beyond = pushes = 0;
    }
    zn_step_info_add_works(info, set, w->sys);
    info->ledger[ZN_LEDGER_CONTACT] = sum.contact;
    info->ledger[ZN_LEDGER_FRICTION] = sum.friction;
    info->ledger[ZN_LEDGER_JOINT] = sum.joint;
    info->turned_work = sum.turned;
    if (w->sys->reductions.sum)
        sum_works(w->sys, info);
}

// Moments of impulses through the centre of a body are rounding of lever arms, whatever the impulse: P times the
// rounding of positions, for each degree of freedom that turns.
static void add_moments(const zn_theta *w, int k, double factor)
{
    const zn_contact_set *set = w->contacts;
    double                push = fabs(w->now.P[k]), arm = 0;
    for (int e = set->row_start[w->list.row[k]]; e < set->row_start[w->list.row[k] + 1]; e++)
        if (!w->sys->rotational[set->row_dof[e]])
            arm = zn_larger(arm, fabs(set->row_value[e])); // of the direction
    for (int e = set->row_start[w->list.row[k]]; e < set->row_start[w->list.row[k] + 1]; e++)
        if (w->sys->rotational[set->row_dof[e]])
            w->scale[set->row_dof[e]] += factor * push * arm * w->sys->extent;
}

// The residual relative to its terms, and to what the rounding of momenta and of moments would need to be for the
// tolerance, where it is less than `out`. Where a body goes on as it is (a ball that rolls, one that is hit through its
// centre), all terms are rounding.
ZN_APART static zn_status take_off_rounding(zn_theta *w, double *out)
{
    const zn_contact_set *set = w->contacts;
    const double         *v[] = {w->now.v, w->step.from->v}, rounding = 8 * DBL_EPSILON / w->def.newton_tolerance;
    for (int i = 0; i < w->n_all; i++)
        w->scale[i] = fabs(w->step.h * w->now.force[i]);
    for (int k = 0; k < w->list.rows; k++) {
        for (int e = set->row_start[w->list.row[k]]; e < set->row_start[w->list.row[k] + 1]; e++)
            w->scale[set->row_dof[e]] += fabs(set->row_value[e] * w->now.P[k]);
        if (w->sys->has_rotations)
            add_moments(w, k, rounding);
    }
    for (int k = 0; k < 2; k++) {
        ZN_TRY(zn_system_whole_inertia(w->sys, w->now.q, v[k], w->work));
        for (int i = 0; i < w->n; i++)
            w->scale[i] += rounding * fabs(w->work[i]);
    }
    double beyond = zn_system_relative_norm(w->sys, w->now.residual, w->scale);
    *out = beyond < *out ? beyond : *out;
    return ZN_OK;
}

// The residual of the equations of motion as it is reported: as it was judged, but for rounding.
static zn_status judge_residual(zn_theta *w, double *out)
{
    *out = w->step.residual < w->step.correction ? w->step.residual : w->step.correction;
    return *out <= w->def.newton_tolerance ? ZN_OK : take_off_rounding(w, out);
}

// The reduced mass of what a contact pushes apart, 1 / sum of n^2 / m: an impulse too much is a velocity of the lighter
// one.
static double reduced_mass(const zn_theta *w, int row)
{
    const zn_contact_set *set = w->contacts;
    double                sum = 0;
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        if (set->row_dof[e] < w->n && w->mass[set->row_dof[e]] > 0)
            sum += set->row_value[e] * set->row_value[e] / w->mass[set->row_dof[e]];
    return sum > 0 ? 1 / sum : w->law_mass;
}

ZN_SELDOM static void take_worst(const zn_system *sys, zn_step_info *info)
{
    double *worst[] = {&info->joint_velocity, &info->coulomb_velocity, &info->rolling_velocity,
                       &info->velocity_violation},
           values[ZN_COUNT(worst)];
    for (size_t i = 0; i < ZN_COUNT(worst); i++)
        values[i] = *worst[i];
    zn_system_maxima(sys, values, ZN_COUNT(worst));
    for (size_t i = 0; i < ZN_COUNT(worst); i++)
        *worst[i] = values[i];
}

// Distance from the laws at velocity level of the committed state, with the rows at its end (second row of Acary's
// (41)): what the last linearized problem left because the rows turned or q moved; of joints alone, of rolling and
// spinning alone; and by how much a normal velocity is too small.
static void judge_laws(zn_theta *w)
{
    const zn_contact_set *set = w->contacts;
    zn_step_info         *info = w->step.info;
    double                worst = 0, turning = 0, violation = 0;
    int                   active = 0;
    for (int k = 0; k < w->list.equations; k++) {
        int row = w->list.row[k];
        worst = zn_larger(worst, fabs(set->velocity[row] + set->rate[zn_row_contact(set, row)]));
    }
    info->joint_velocity = worst;
    for (int j = 0; j < w->list.contacts; j++) {
        int    k = w->list.first[j], row = w->list.row[k], i = zn_row_contact(set, row);
        int    rows = zn_contact_row_count(set, i);
        double c[ZN_CONTACT_ROWS], P[ZN_CONTACT_ROWS];
        if (w->list.leader[j] >= 0)
            continue; // with its leader, whose rows come right before
        active++;
        c[0] = zn_theta_beyond(w, row);
        violation = zn_larger(violation, -c[0]);
        for (int r = 0; r < rows; r++)
            P[r] = w->now.P[k + r] + (r == 0 ? w->list.bond[j] : 0);
        for (int r = 1; r < rows; r++)
            c[r] = set->velocity[row + r] + set->approach[row + r] * zn_theta_restitution(w, row + r);
        double mass = reduced_mass(w, row);
        worst = zn_larger(worst, zn_contact_distance(set, i, rows, mass, P, c));
        if (set->turns[i] > 0)
            turning = zn_larger(turning, zn_contact_turn_distance(set, i, rows, mass, P, c));
    }
    info->active = active;
    info->coulomb_velocity = worst;
    info->rolling_velocity = turning;
    info->velocity_violation = violation;
    if (w->sys->reductions.max)
        take_worst(w->sys, info);
}

// Results per row, works, violations at velocity level.
static void book_contacts(zn_theta *w)
{
    zn_contact_set *set = w->contacts;
    int             rows = set->count * set->stride;
    for (int k = 0; k < rows; k++) {
        set->impulse[k] = set->projection[k] = 0;
        set->velocity[k] = zn_row_dot(set, k, w->n, w->now.v);
        set->approach[k] = zn_theta_approach(w, k);
    }
    for (int i = 0; i < set->count && w->project != ZN_PROJECT_NONE; i++)
        set->projection[i * set->stride] = w->now.tau[i];
    for (int k = 0; k < w->list.rows; k++)
        set->impulse[w->list.row[k]] = w->now.P[k];
    book_works(w);
    judge_laws(w);
    w->step.info->unfinished_impacts = w->list.contacts > 0 ? w->impact.unfinished : 0;
}

// Gaps at the end without the projection.
static zn_status evaluate_gaps_before(zn_theta *w, double *gap)
{
    for (int i = 0; i < w->n_all; i++)
        w->work[i] = w->step.h * w->middle.v[i];
    zn_system_retract(w->sys, w->step.from->q, w->work, w->middle.q);
    return zn_contact_set_gaps(w->contacts, w->sys, w->middle.q, w->step.end.t, gap);
}

// How far the projection went.
ZN_APART static zn_status judge_reach(zn_theta *w)
{
    const zn_correction c = {w->sys, w->contacts, w->now.shift, w->step.gap_tolerance, w->scale, w->work};
    const zn_way        way = {w->step.from->v, w->now.v, w->step.h, ZN_WAY_PART};
    zn_reached          reached;
    if (zn_correction_is_large(&c, &way, &reached)) {
        ZN_TRY(zn_system_agree(w->sys, evaluate_gaps_before(w, w->position_gap)));
        reached = zn_correction_reach(&c, &way, w->position_gap);
    }
    w->step.info->reach = reached.ratio;
    w->step.info->reach_contact = reached.contact;
    return ZN_OK;
}

zn_status zn_theta_book(zn_theta *w)
{
    ZN_TRY(book_energy(w));
    book_contacts(w);
    if (w->step.projected)
        ZN_TRY(judge_reach(w));
    if (w->project != ZN_PROJECT_NONE && isnan(w->step.shift))
        ZN_TRY(zn_theta_shift_residual(w, &w->now, &w->step.shift));
    w->step.info->shift = w->step.shift; // NaN: nothing to measure
    return judge_residual(w, &w->step.info->newton_residual);
}
