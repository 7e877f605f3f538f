// Energy ledger of the nonsmooth generalized-alpha scheme. With vm = (v + v_n)/2 and a constant mass,
//     T - T_n = vm . { M h [(1 - gamma) a_n + gamma a] + M W } ,    M W = h f* + G' Lambda.
// Works of loads, dampers and smooth joint forces are taken by the trapezoidal rule on vm; what the scheme's own
// combination of accelerations gives beyond these works, and the difference of potentials and their work, is its
// numerical line. The position correction belongs to it: in lasting contact the smooth motion enters the obstacle and is
// taken back in every step, so energy after minus before alone would book large amounts twice with opposite signs.
#include <math.h>
#include <string.h>

#include "scheme/nsga.h"

typedef struct works {
    zn_power power; // trapezoidal, times h
    double   joint, alpha;
} works;

static zn_status trapezoidal_power(nsga *s, const double *vm, zn_power *out)
{
    zn_power before, after;
    ZN_TRY(zn_system_power(s->sys, (zn_at){s->from->q, s->from->v, s->from->t, 0}, vm, &before));
    ZN_TRY(zn_system_power(s->sys, (zn_at){s->q, s->v, s->from->t + s->h, 0}, vm, &after));
    double h = s->h / 2;
    *out = (zn_power){h * (before.strain + after.strain), h * (before.gravity + after.gravity),
                      h * (before.load + after.load), h * (before.damper + after.damper),
                      h * (before.gyroscopic + after.gyroscopic)};
    return ZN_OK;
}

// alpha = vm . M (h [(1 - gamma) a_n + gamma a] + W) without the contact impulses G' Lambda.
static zn_status collect(nsga *s, const double *vm, works *out)
{
    double h = s->h, factor = (1 - s->alpha_f) / (1 - s->alpha_m);
    ZN_TRY(trapezoidal_power(s, vm, &out->power));
    for (int i = 0; i < s->n_all; i++) {
        double a = (s->alpha_f * s->acc_n[i] - s->alpha_m * s->a_n[i]) / (1 - s->alpha_m) + factor * s->accel_next[i];
        s->work[i] = h * ((1 - s->gamma) * s->a_n[i] + s->gamma * a) + (i < s->n ? s->velocity.x[i] : 0);
    }
    ZN_TRY(zn_system_inertia(s->sys, s->smooth_q, s->work, s->scale));
    out->alpha = zn_system_dot(s->sys, vm, s->scale);
    for (int i = 0; i < s->n; i++)
        s->work[i] = h / 2 * (s->joint_n[i] + s->smooth_joint[i]);
    out->joint = zn_system_dot(s->sys, vm, s->work);
    return ZN_OK;
}

// Impulses per row, their work on vm, violations.
static void book_contacts(nsga *s, const double *vm, double *contact, double *joint)
{
    zn_contact_set *set = s->contacts;
    double          violation = 0, drift = 0;
    *contact = *joint = 0;
    for (int i = 0; i < set->count; i++) {
        int    row = i * set->stride;
        double P = s->velocity.l[i], work = P * zn_row_dot(set, row, s->n, vm);
        set->velocity[row] = zn_row_dot(set, row, s->n, s->v);
        set->approach[row] = s->U_k[row];
        set->projection[row] = s->position.l[i];
        set->impulse[row] = P + (set->bilateral[i] ? s->h * s->smooth.l[i] : 0);
        *(set->bilateral[i] ? joint : contact) += work;
        if (set->bilateral[i])
            drift = fmax(drift, fabs(set->velocity[row] + set->rate[i]));
        else if (s->velocity.closed[i])
            violation = fmax(violation, -(set->velocity[row] + set->restitution[i] * s->U_k[row]));
        s->info->active += !set->bilateral[i] && P > 0;
    }
    *contact = zn_system_sum(s->sys, *contact);
    *joint = zn_system_sum(s->sys, *joint);
    s->info->velocity_violation = zn_system_max(s->sys, violation);
    s->info->joint_velocity = zn_system_max(s->sys, drift);
}

zn_status nsga_book(nsga *s)
{
    double   *ledger = s->info->ledger, contact, joint, *vm = s->extra;
    works     w;
    zn_energy after;
    for (int i = 0; i < s->n_all; i++)
        vm[i] = 0.5 * (s->v[i] + s->from->v[i]);
    ZN_TRY(collect(s, vm, &w));
    ZN_TRY(zn_system_energy(s->sys, (zn_at){s->q, s->v, s->from->t + s->h, 0}, &after));
    book_contacts(s, vm, &contact, &joint);
    ledger[ZN_LEDGER_KINETIC] = after.kinetic;
    ledger[ZN_LEDGER_STRAIN] = after.strain;
    ledger[ZN_LEDGER_GRAVITY] = after.gravity;
    ledger[ZN_LEDGER_LOAD] = w.power.load;
    ledger[ZN_LEDGER_DAMPER] = w.power.damper;
    ledger[ZN_LEDGER_CONTACT] = contact;
    ledger[ZN_LEDGER_JOINT] = joint + w.joint;
    // beyond the works: accelerations, potentials, and for a varying mass the change of M
    double alpha = w.alpha - contact - joint - w.power.strain - w.power.gravity - w.power.load - w.power.damper - w.joint;
    double potential = after.strain - s->from->energy.strain + w.power.strain + after.gravity -
                       s->from->energy.gravity + w.power.gravity;
    double inertia = s->sys->varying_mass ? after.kinetic - s->from->energy.kinetic - w.alpha : 0;
    ledger[ZN_LEDGER_NUMERICAL] = alpha + potential + inertia;
    s->energy = after;
    s->info->newton_residual = s->relative < s->current->correction ? s->relative : s->current->correction;
    return ZN_OK;
}
