// Energy ledger of the nonsmooth generalized-alpha scheme. With vm = (v + v_n)/2 and M at the end of the step,
//     T - T_n = vm . M (v - v_n) + v_n . (M - M_n) v_n / 2,
//     M (v - v_n) = M h [(1 - gamma) a_n + gamma a] + M W ,    M W = h f* + G' Lambda.
// Contacts take vm . G' Lambda. Works of loads, dampers and smooth joint forces are taken by the trapezoidal rule on
// vm; what accelerations, f* and the change of M give beyond these works, and the difference of potentials and their
// work, is the numerical line. None is the rest of the others: that velocities are those of the accelerations, and that
// problem 3 was solved, is what closure tests. The position correction belongs to the numerical line: in lasting
// contact the smooth motion enters the obstacle and is taken back in every step, so energy after minus before alone
// would book large amounts twice with opposite signs.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "scheme/nsga.h"

typedef struct works {
    zn_power power; // trapezoidal, times h
    double   joint;
    double   smooth;  // vm . (M h [(1 - gamma) a_n + gamma a] + h f*)
    double   inertia; // v_n . (M - M_n) v_n / 2
} works;

typedef struct contact_works {
    double normal, friction, joint;
} contact_works;

static zn_status trapezoidal_power(nsga *s, const double *vm, zn_power *out)
{
    zn_power before, after;
    ZN_TRY(zn_system_power(s->sys, (zn_at){s->step.from->q, s->step.from->v, s->step.from->t, 0}, vm, &before));
    ZN_TRY(zn_system_power(s->sys, (zn_at){s->total.q, s->total.v, s->step.from->t + s->step.h, 0}, vm, &after));
    double h = s->step.h / 2;
    *out = (zn_power){h * (before.strain + after.strain), h * (before.gravity + after.gravity),
                      h * (before.load + after.load),     h * (before.motor + after.motor),
                      h * (before.damper + after.damper), h * (before.gyroscopic + after.gyroscopic)};
    return ZN_OK;
}

// What a mass that depends on q gains while the velocity stays.
static zn_status gain_of_mass(nsga *s, double *out)
{
    const zn_state *from = s->step.from;
    *out = 0;
    if (!s->sys->varying_mass)
        return ZN_OK;
    ZN_TRY(zn_system_whole_inertia(s->sys, s->total.q, from->v, s->scratch.work));
    ZN_TRY(zn_system_whole_inertia(s->sys, from->q, from->v, s->scratch.work2));
    *out = 0.5 * (zn_system_dot(s->sys, from->v, s->scratch.work) - zn_system_dot(s->sys, from->v, s->scratch.work2));
    return ZN_OK;
}

// Problem 3 keeps M W - h f* in r0, zeros where it was not needed.
static zn_status collect(nsga *s, const double *vm, works *out)
{
    double h = s->step.h, factor = (1 - s->alpha.f) / (1 - s->alpha.m);
    ZN_TRY(trapezoidal_power(s, vm, &out->power));
    ZN_TRY(gain_of_mass(s, &out->inertia));
    for (int i = 0; i < s->n_all; i++) {
        double a = (s->alpha.f * s->last->acceleration[i] - s->alpha.m * s->last->a[i]) / (1 - s->alpha.m) +
                   factor * s->motion.acceleration[i];
        s->scratch.work[i] =
            h * ((1 - s->alpha.gamma) * s->last->a[i] + s->alpha.gamma * a) + (i < s->n ? s->velocity.x[i] : 0);
    }
    ZN_TRY(zn_system_whole_inertia(s->sys, s->total.q, s->scratch.work, s->scratch.scale));
    for (int i = 0; i < s->n; i++)
        s->scratch.scale[i] -= s->velocity.r0[i];
    out->smooth = zn_system_dot(s->sys, vm, s->scratch.scale);
    for (int i = 0; i < s->n; i++)
        s->scratch.work[i] = h / 2 * (s->last->joint_force[i] + s->motion.joint[i]);
    out->joint = zn_system_dot(s->sys, vm, s->scratch.work);
    return ZN_OK;
}

// Results of one contact: impulses and velocities per row.
static void book_rows(nsga *s, int i, int rows)
{
    ZN_ASSERT(rows >= 1 && rows <= s->contacts->stride);
    zn_contact_set *set = s->contacts;
    for (int k = i * set->stride; k < i * set->stride + rows; k++) {
        set->velocity[k] = zn_row_dot(set, k, s->n, s->total.v);
        set->approach[k] = nsga_approach(s, k);
        set->projection[k] = s->position.l[k];
        set->impulse[k] = s->velocity.l[k] + (set->bilateral[i] ? s->step.h * s->smooth.l[k] : 0);
    }
}

// P (U+ - U*)/2 over the rows of a contact, where the law has the velocity before along the rows at the end. `mean`: of
// the velocities before and after.
static double work_beyond_law(const nsga *s, int row, int k, double mean)
{
    const zn_contact_set *set = s->contacts;
    bool                  target = s->impact.law != ZN_IMPACT_NEWTON && k == row;
    double                before = 2 * mean - set->velocity[k];
    return 0.5 * s->velocity.l[k] *
           (set->velocity[k] + (target ? -s->impact.target[row / set->stride] : nsga_restitution(s, k) * before));
}

// A joint, or a contact that stays closed where its surface has no edges: does no work of its own (zn_step_info).
static bool holds(const nsga *s, int i)
{
    return s->contacts->bilateral[i] ||
           (s->step.h * fabs(s->U_k[i * s->contacts->stride]) <= 10 * s->position.tolerance &&
            !s->sys->model->rule[zn_contact_id_rule(s->contacts->id[i])].ops->settle);
}

// Works of the multipliers of the velocity jump on vm, and violations.
static void book_contacts(nsga *s, const double *vm, contact_works *out)
{
    zn_contact_set *set = s->contacts;
    double          violation = 0, drift = 0, turned = 0;
    *out = (contact_works){0};
    zn_contact_works_begin(set);
    for (int i = 0; i < set->count; i++) {
        int    row = i * set->stride, rows = nsga_rows(s, &s->velocity, i);
        double normal = zn_row_dot(set, row, s->n, vm), work = s->velocity.l[row] * normal, slip = 0, beyond = 0;
        book_rows(s, i, rows);
        *(set->bilateral[i] ? &out->joint : &out->normal) += work;
        if (holds(s, i))
            turned += 0.5 * s->velocity.l[row] * (2 * normal - set->velocity[row] - s->U_k[row]);
        for (int k = row; k < row + rows && !set->bilateral[i]; k++) {
            double mean = k == row ? normal : zn_row_dot(set, k, s->n, vm);
            slip += k == row ? 0 : s->velocity.l[k] * mean;
            beyond += work_beyond_law(s, row, k, mean);
        }
        out->friction += slip;
        if (set->impulse[row] != 0)
            zn_contact_works_add(set, i, work + slip - zn_impact_excess(&s->impact, i), beyond);
        if (set->bilateral[i])
            drift = fmax(drift, fabs(set->velocity[row] + set->rate[i]));
        else if (s->velocity.closed[i])
            violation = fmax(violation, -nsga_beyond(s, row));
        s->step.info->active += !set->bilateral[i] && s->velocity.l[row] > 0;
    }
    out->normal = zn_system_sum(s->sys, out->normal);
    out->friction = zn_system_sum(s->sys, out->friction);
    out->joint = zn_system_sum(s->sys, out->joint);
    zn_step_info_add_works(s->step.info, set, s->sys);
    s->step.info->contact_gave = zn_system_sum(s->sys, s->step.info->contact_gave);
    s->step.info->turned_work = zn_system_sum(s->sys, turned);
    s->step.info->velocity_violation = zn_system_max(s->sys, violation);
    s->step.info->joint_velocity = zn_system_max(s->sys, drift);
    s->step.info->unfinished_impacts = s->impact.unfinished;
    s->step.info->coulomb_position = s->position.distance;
    s->step.info->coulomb_velocity = s->velocity.distance;
    s->step.info->rolling_velocity = s->velocity.turning;
    s->step.info->rounding_position = s->position.excused;
    s->step.info->rounding_velocity = s->velocity.excused;
}

// How far the position correction went. Where forces are part of it, it goes as far as the velocities that they give.
static zn_status judge_reach(nsga *s)
{
    const zn_correction c = {s->sys,           s->contacts,    s->position.x, s->position.tolerance,
                             s->scratch.scale, s->scratch.work};
    double       part = s->def.smooth == ZN_SMOOTH_NONE ? 1 : ZN_WAY_PART, *gap = s->smooth.c; // no longer needed
    const zn_way way = {s->step.from->v, s->total.v, s->step.h, part};
    zn_reached   reached;
    if (zn_correction_is_large(&c, &way, &reached)) {
        ZN_TRY(zn_system_agree(
            s->sys, zn_contact_set_gaps(s->contacts, s->sys, s->motion.q, s->step.from->t + s->step.h, gap)));
        reached = zn_correction_reach(&c, &way, gap);
    }
    s->step.info->reach = reached.ratio;
    s->step.info->reach_contact = reached.contact;
    return ZN_OK;
}

zn_status nsga_book(nsga *s)
{
    double       *ledger = s->step.info->ledger, *vm = s->scratch.extra;
    contact_works contact;
    works         w;
    zn_energy     after;
    for (int i = 0; i < s->n_all; i++)
        vm[i] = 0.5 * (s->total.v[i] + s->step.from->v[i]);
    ZN_TRY(collect(s, vm, &w));
    ZN_TRY(zn_system_energy(s->sys, (zn_at){s->total.q, s->total.v, s->step.from->t + s->step.h, 0}, &after));
    book_contacts(s, vm, &contact);
    if (s->corrected)
        ZN_TRY(judge_reach(s));
    ledger[ZN_LEDGER_KINETIC] = after.kinetic;
    ledger[ZN_LEDGER_STRAIN] = after.strain;
    ledger[ZN_LEDGER_GRAVITY] = after.gravity;
    ledger[ZN_LEDGER_LOAD] = w.power.load;
    ledger[ZN_LEDGER_MOTOR] = w.power.motor;
    ledger[ZN_LEDGER_DAMPER] = w.power.damper;
    ledger[ZN_LEDGER_CONTACT] = contact.normal;
    ledger[ZN_LEDGER_FRICTION] = contact.friction;
    ledger[ZN_LEDGER_JOINT] = contact.joint + w.joint;
    double beyond =
        w.smooth - w.power.strain - w.power.gravity - w.power.load - w.power.motor - w.power.damper - w.joint;
    double potential = after.strain - s->step.from->energy.strain + w.power.strain + after.gravity -
                       s->step.from->energy.gravity + w.power.gravity;
    ledger[ZN_LEDGER_NUMERICAL] = beyond + potential + w.inertia;
    s->energy = after;
    s->step.info->newton_residual =
        s->step.relative < s->step.current->correction ? s->step.relative : s->step.current->correction;
    return ZN_OK;
}
