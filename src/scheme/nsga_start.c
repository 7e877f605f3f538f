// Consistent start of the nonsmooth generalized-alpha scheme: accelerations and joint forces, contact forces excluded.
#include <string.h>

#include "scheme/nsga.h"

// d(G v)/dq v + d2g/dt2 of each joint equation in the list, added to b; the second part by a difference in time.
static zn_status add_joint_drift(nsga *s, double *b)
{
    zn_at      at = {s->step.from->q, s->step.from->v, s->step.from->t, 0};
    double    *unit = s->velocity.l_next, *rate = s->velocity.c, dt = 1e-4 * s->step.h;
    const int *row = s->list.row, stride = s->contacts->stride;
    for (int k = 0; k < s->list.rows; k++) {
        memset(unit, 0, sizeof *unit * (size_t)nsga_row_count(s));
        unit[row[k]] = 1;
        ZN_TRY(zn_contact_set_curvature(s->contacts, s->sys, at.q, at.t, unit, at.v, s->scratch.work));
        b[k] += zn_system_dot(s->sys, at.v, s->scratch.work);
        rate[k] = s->contacts->rate[row[k] / stride];
    }
    ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, at.q, at.t + dt));
    for (int k = 0; k < s->list.rows; k++)
        b[k] += (s->contacts->rate[row[k] / stride] - rate[k]) / dt;
    return zn_contact_set_evaluate(s->contacts, s->sys, at.q, at.t);
}

// Joint forces that keep G acc + drift = 0; they and the accelerations move along.
static zn_status add_joint_forces(nsga *s, zn_response *mass)
{
    zn_constraints *c = &s->constraints;
    const zn_demand demand = {.level = "smooth", .t = s->step.from->t, .tolerance = 1e-9};
    zn_solved       solved;
    for (int k = 0; k < s->list.rows; k++) {
        c->b[k] = zn_row_dot(s->contacts, s->list.row[k], s->n, s->start.acceleration);
        c->z[k] = 0;
    }
    ZN_TRY(add_joint_drift(s, c->b));
    zn_rows H = zn_gap_rows(s->contacts);
    ZN_TRY(zn_constraints_assemble(c, &s->list, mass, s->contacts, H, H));
    ZN_TRY(zn_constraints_solve(c, &s->list, &demand, &solved));
    zn_response_add(mass, H, &s->list, c->z, s->start.acceleration);
    for (int k = 0; k < s->list.rows; k++)
        zn_row_add(s->contacts, s->list.row[k], s->n_all, c->z[k], s->start.joint_force);
    return ZN_OK;
}

// Consistent start: M acc - G' l = f with G acc + drift = 0 for joints, contacts left out; a_0 = acc_0.
zn_status nsga_start(nsga *s)
{
    zn_at        at = {s->step.from->q, s->step.from->v, s->step.from->t, 0};
    const double mass[3] = {1, 0, 0};
    zn_response *r = &s->velocity.response;
    memset(s->start.joint_force, 0, sizeof *s->start.joint_force * (size_t)s->n_all);
    memset(s->start.acceleration, 0, sizeof *s->start.acceleration * (size_t)s->n_all);
    if (s->def.smooth == ZN_SMOOTH_NONE)
        return ZN_OK;
    ZN_TRY(zn_response_factor(r, at, mass, 0));
    ZN_TRY(zn_system_force(s->sys, at, s->start.acceleration));
    ZN_TRY(zn_response_solve(r, s->start.acceleration));
    memset(s->start.acceleration + s->n, 0, sizeof *s->start.acceleration * (size_t)(s->n_all - s->n));
    zn_row_list_clear(&s->list);
    if (s->def.smooth == ZN_SMOOTH_JOINTS)
        zn_row_list_add_joints(&s->list, s->contacts);
    return s->list.rows > 0 ? add_joint_forces(s, r) : ZN_OK;
}
