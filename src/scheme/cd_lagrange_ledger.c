// Energies, works and results of contacts at the end of a step of cd_lagrange.c, whose head has the equations.
#include <math.h>
#include <string.h>

#include "scheme/cd_lagrange.h"
#include "scheme/delassus.h"
#include "system/system.h"

static double dot(const cd_lagrange *s, const double *a, const double *b) { return zn_system_dot(s->sys, a, b); }

// Velocities of all rows before and after the kick.
static void measure_rows(cd_lagrange *s, const double *before)
{
    zn_contact_set *set = s->contacts;
    for (int k = 0; k < set->count * set->stride; k++) {
        set->approach[k] = zn_row_dot(set, k, s->n, before);
        set->velocity[k] = zn_row_dot(set, k, s->n, s->next);
    }
}

// Powers of the impulses over the step, with the velocities of their rows.
static void row_powers(const cd_lagrange *s, const double *rate, double factor, double out[WORKS])
{
    const zn_contact_set *set = s->contacts;
    double                own[WORKS] = {0};
    for (int k = 0; k < set->count * set->stride; k++)
        if (s->P[k] != 0) {
            int kind = set->bilateral[k / set->stride] ? JOINT : k % set->stride == 0 ? CONTACT : FRICTION;
            own[kind] += factor * s->P[k] / s->h * rate[k];
        }
    for (int kind = CONTACT; kind <= JOINT; kind++)
        out[kind] = zn_system_sum(s->sys, own[kind]);
}

// Powers of the forces on the velocity v.
static void force_powers(const cd_lagrange *s, const double *v, double out[WORKS])
{
    out[STRAIN] = dot(s, s->strain, v);
    out[GRAVITY] = s->kinds.gravity ? dot(s, s->sys->gravity_force, v) : 0;
    out[LOAD] = s->kinds.load ? dot(s, s->load, v) : 0;
    out[DAMPER] = s->kinds.damper ? dot(s, s->damper, v) : 0;
    out[GYROSCOPIC] = s->kinds.gyroscopic ? dot(s, s->gyroscopic, v) : 0;
}

// Powers of the links on the velocities before and after the kick.
static void link_powers(const cd_lagrange *s, const double *before, double *first, double *last)
{
    double a = 0, b = 0;
    for (int i = 0; i < s->links.count; i++) {
        a += s->link[i] * before[s->links.dof[i]];
        b += s->link[i] * s->next[s->links.dof[i]];
    }
    *first = zn_system_sum(s->sys, a);
    *last = zn_system_sum(s->sys, b);
}

// W.M W with W = factor (b - a).
static double square_of(cd_lagrange *s, double factor, const double *a, const double *b)
{
    for (int i = 0; i < s->n_all; i++)
        s->work[i] = factor * (b[i] - a[i]);
    return zn_system_sum(s->sys, zn_lumped_mass_square(&s->mass, s->work));
}

void cd_lagrange_carry(cd_lagrange *s, const double *before, double factor)
{
    measure_rows(s, before);
    force_powers(s, s->next, s->next_carry);
    row_powers(s, s->contacts->velocity, factor, s->next_carry);
    link_powers(s, before, &s->link_before, &s->next_carry[LINK]);
    s->next_square = square_of(s, factor, before, s->next);
}

zn_status cd_lagrange_book(cd_lagrange *s, const zn_state *from)
{
    zn_energy *energy = &s->energy;
    double *ledger = s->info->ledger, end[WORKS], work[WORKS];
    cd_lagrange_carry(s, s->start, 1);
    force_powers(s, s->start, end);
    row_powers(s, s->contacts->approach, 1, end);
    end[LINK] = s->link_before;
    for (int k = 0; k < WORKS; k++)
        work[k] = 0.5 * s->h * (s->begin[k] + end[k]);
    for (int i = s->n; i < s->n_all; i++) // reactions
        s->still[i] = s->h * s->sum[i];
    energy->kinetic = 0.5 * zn_system_sum(s->sys, zn_lumped_mass_square(&s->mass, s->v));
    energy->strain = zn_system_sum(s->sys, s->strain_energy);
    energy->gravity = zn_system_sum(s->sys, zn_system_gravity_potential(s->sys, s->q));
    ledger[ZN_LEDGER_KINETIC] = energy->kinetic;
    ledger[ZN_LEDGER_STRAIN] = energy->strain;
    ledger[ZN_LEDGER_GRAVITY] = energy->gravity;
    ledger[ZN_LEDGER_LOAD] = work[LOAD];
    ledger[ZN_LEDGER_DAMPER] = work[DAMPER];
    ledger[ZN_LEDGER_CONTACT] = work[CONTACT];
    ledger[ZN_LEDGER_FRICTION] = work[FRICTION];
    ledger[ZN_LEDGER_JOINT] = work[JOINT];
    ledger[ZN_LEDGER_COMPLEMENTARY] = (s->next_square - s->begin_square) / 8;
    s->link_work = work[LINK];
    // potentials against the work of their forces by the trapezoidal rule: nothing for linear ones
    ledger[ZN_LEDGER_NUMERICAL] = energy->strain - from->energy.strain + work[STRAIN] + energy->gravity -
                                  from->energy.gravity + work[GRAVITY] + work[GYROSCOPIC];
    return isfinite(energy->kinetic + energy->strain + energy->gravity) ? ZN_OK : ZN_NOT_FINITE;
}

void cd_lagrange_book_contacts(cd_lagrange *s)
{
    zn_contact_set *set = s->contacts;
    double          violation = 0, joint = 0;
    for (int k = 0; k < set->count * set->stride; k++) {
        int i = k / set->stride;
        set->projection[k] = 0;
        set->impulse[k] = s->P[k];
        if (set->bilateral[i])
            joint = fmax(joint, k % set->stride == 0 ? fabs(set->velocity[k] + s->target[i]) : 0);
        else if (s->active[i] && k % set->stride == 0)
            violation = fmax(violation, -(set->velocity[k] + set->restitution[i] * set->approach[k]));
    }
    s->info->velocity_violation = zn_system_max(s->sys, violation);
    s->info->joint_velocity = zn_system_max(s->sys, joint);
    for (int k = 0; k < set->count * set->stride && s->n_all > s->n; k++)
        if (s->P[k] != 0)
            zn_row_add(set, k, s->n_all, s->P[k], s->still);
}
