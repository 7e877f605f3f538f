// Consistent start of the nonsmooth generalized-alpha scheme: accelerations and joint forces, contact forces excluded.
#include <string.h>

#include "scheme/nsga.h"
#include "constraint/redundant.h"

// d(G v)/dq v + d2g/dt2 of each joint equation in s->list, added to b; the second part by a difference in time.
static zn_status add_joint_drift(nsga *s, int m)
{
    zn_at   at = {s->from->q, s->from->v, s->from->t, 0};
    double *unit = s->velocity.l_next, *rate = s->velocity.c, dt = 1e-4 * s->h;
    for (int k = 0; k < m; k++) {
        memset(unit, 0, sizeof *unit * (size_t)nsga_row_count(s));
        unit[s->list[k] * s->contacts->stride] = 1;
        ZN_TRY(zn_contact_set_curvature(s->contacts, s->sys, at.q, at.t, unit, at.v, s->work));
        s->b[k] += zn_system_dot(s->sys, at.v, s->work);
        rate[k] = s->contacts->rate[s->list[k]];
    }
    ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, at.q, at.t + dt));
    for (int k = 0; k < m; k++)
        s->b[k] += (s->contacts->rate[s->list[k]] - rate[k]) / dt;
    return zn_contact_set_evaluate(s->contacts, s->sys, at.q, at.t);
}

// Joint forces that keep G acc + drift = 0, in s->z; columns of M^-1 G' are those of the velocity problem.
static zn_status solve_joint_forces(nsga *s, int m)
{
    nsga_problem *p = &s->velocity;
    int           stride = s->contacts->stride;
    for (int k = 0; k < m; k++) {
        s->b[k] = zn_row_dot(s->contacts, s->list[k] * stride, s->n, s->start_acceleration);
        s->z[k] = 0;
    }
    ZN_TRY(add_joint_drift(s, m));
    for (int k = 0; k < m; k++)
        ZN_TRY(zn_delassus_column(&p->columns, p->solver, s->contacts, s->list[k] * stride));
    for (int k = 0; k < m; k++)
        for (int j = 0; j < m; j++)
            s->W[k * m + j] = zn_row_dot(s->contacts, s->list[k] * stride, s->n,
                                         p->columns.column + (size_t)(s->list[j] * stride) * (size_t)s->n);
    if (s->redundant)
        zn_redundant_isolate(m, m, s->W, s->b, s->scratch);
    zn_lcp_problem  problem = {m, m, s->W, s->b};
    zn_lcp_settings settings = {"auto", 0, 1e-9};
    zn_lcp_info     report;
    return zn_lcp_solve(&problem, &settings, s->z, s->w, s->scratch, &report);
}

// Consistent start: M acc - G' l = f with G acc + drift = 0 for joints, contacts left out; a_0 = acc_0.
zn_status nsga_start(nsga *s)
{
    zn_at         at = {s->from->q, s->from->v, s->from->t, 0};
    nsga_problem *p = &s->velocity;
    int           m = 0;
    memset(s->start_joint, 0, sizeof *s->start_joint * (size_t)s->n_all);
    memset(s->start_acceleration, 0, sizeof *s->start_acceleration * (size_t)s->n_all);
    if (s->def.smooth == ZN_SMOOTH_NONE)
        return ZN_OK;
    p->factored_h = 0;
    zn_delassus_invalidate(&p->columns);
    ZN_TRY(zn_system_operators(s->sys, at, 1, 0, 0, p->matrix));
    ZN_TRY(zn_linsolver_factor(p->solver, p->matrix));
    ZN_TRY(zn_system_force(s->sys, at, s->start_acceleration));
    ZN_TRY(zn_linsolver_solve(p->solver, 1, s->start_acceleration));
    memset(s->start_acceleration + s->n, 0, sizeof *s->start_acceleration * (size_t)(s->n_all - s->n));
    for (int i = 0; i < s->contacts->count; i++)
        if (s->contacts->bilateral[i] && s->def.smooth == ZN_SMOOTH_JOINTS)
            s->list[m++] = i;
    if (m == 0)
        return ZN_OK;
    ZN_TRY(solve_joint_forces(s, m));
    for (int k = 0; k < m; k++) {
        int           row = s->list[k] * s->contacts->stride;
        const double *column = p->columns.column + (size_t)row * (size_t)s->n;
        zn_row_add(s->contacts, row, s->n_all, s->z[k], s->start_joint);
        for (int i = 0; i < s->n; i++)
            s->start_acceleration[i] += s->z[k] * column[i];
    }
    return ZN_OK;
}
