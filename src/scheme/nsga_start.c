// Consistent accelerations and joint forces of the nonsmooth generalized-alpha scheme: at the start, contact forces
// excluded; and with option `smooth: contacts` whenever a contact begins to stay closed.
#include <math.h>
#include <string.h>

#include "scheme/nsga.h"

// d(G v)/dq v + d2g/dt2 of each row in the list, added to b; the second part by a difference in time.
static zn_status add_drift(nsga *s, double *b)
{
    zn_at      at = {s->step.from->q, s->step.from->v, s->step.from->t, 0};
    double    *unit = s->velocity.l_next, *rate = s->velocity.c, dt = 1e-4 * s->step.h;
    const int *row = s->list.row, stride = s->contacts->stride;
    for (int k = 0; k < s->list.rows; k++) {
        memset(unit, 0, sizeof *unit * (size_t)nsga_row_count(s));
        unit[row[k]] = 1;
        ZN_TRY(zn_contact_set_curvature(s->contacts, s->sys, at.q, at.t, unit, at.v, s->scratch.work));
        b[k] += zn_system_dot(s->sys, at.v, s->scratch.work);
        rate[k] = row[k] % stride == 0 ? s->contacts->rate[row[k] / stride] : 0;
    }
    ZN_TRY(zn_contact_set_evaluate(s->contacts, s->sys, at.q, at.t + dt));
    for (int k = 0; k < s->list.rows; k++)
        b[k] += row[k] % stride == 0 ? (s->contacts->rate[row[k] / stride] - rate[k]) / dt : 0;
    return zn_contact_set_evaluate(s->contacts, s->sys, at.q, at.t);
}

// Forces of the listed rows that keep G acc + drift = 0 for joints and >= 0 for contacts; accelerations and joint
// forces of `to` move along.
static zn_status add_forces(nsga *s, zn_response *mass, nsga_history *to)
{
    zn_constraints *c = &s->constraints;
    const zn_demand demand = {
        .level = "smooth", .t = s->step.from->t, .tolerance = s->list.contacts > 0 ? 1e-13 : 1e-9, .enough = 1e-9};
    zn_solved solved;
    double   *change = s->scratch.work;
    for (int k = 0; k < s->list.rows; k++) {
        c->b[k] = zn_row_dot(s->contacts, s->list.row[k], s->n, to->acceleration);
        c->z[k] = 0;
    }
    ZN_TRY(add_drift(s, c->b));
    zn_rows H = zn_gap_rows(s->contacts);
    ZN_TRY(zn_constraints_assemble(c, &s->list, mass, s->contacts, H, H));
    ZN_TRY(zn_constraints_solve(c, &s->list, &demand, &solved));
    memset(change, 0, sizeof *change * (size_t)s->n_all);
    zn_response_add(mass, H, &s->list, c->z, change);
    for (int i = 0; i < s->n; i++) {
        to->acceleration[i] += change[i];
        to->a[i] += change[i];
    }
    for (int k = 0; k < s->list.equations; k++)
        zn_row_add(s->contacts, s->list.row[k], s->n_all, c->z[k], to->joint_force);
    return ZN_OK;
}

// Joints that the smooth motion holds, and contacts.
static void list_held(nsga *s)
{
    zn_row_list_clear(&s->list);
    if (nsga_smooth_joints(s))
        zn_row_list_add_joints(&s->list, s->contacts);
    for (int i = 0; i < s->contacts->count && s->holds; i++)
        if (s->held[i] > 0)
            zn_row_list_add_contact(&s->list, s->contacts, i, s->held[i]);
}

// Consistent start: M acc - G' l = f with G acc + drift = 0 for joints; contacts are left out that the smooth motion
// does not hold; a_0 = acc_0.
zn_status nsga_start(nsga *s)
{
    zn_at        at = {s->step.from->q, s->step.from->v, s->step.from->t, 0};
    const double mass[3] = {1, 0, 0};
    size_t       size = sizeof *s->start.a * (size_t)s->n_all;
    zn_response *r = &s->velocity.response;
    memset(s->start.joint_force, 0, size);
    memset(s->start.acceleration, 0, size);
    memset(s->start.a, 0, size);
    if (s->def.smooth == ZN_SMOOTH_NONE)
        return ZN_OK;
    ZN_TRY(zn_response_factor(r, at, mass, 0));
    ZN_TRY(zn_system_whole_force(s->sys, at, s->start.acceleration));
    ZN_TRY(zn_response_solve(r, s->start.acceleration));
    memset(s->start.acceleration + s->n, 0, sizeof *s->start.acceleration * (size_t)(s->n_all - s->n));
    memcpy(s->start.a, s->start.acceleration, size);
    list_held(s);
    return s->list.rows > 0 ? add_forces(s, r, &s->start) : ZN_OK;
}

// --- contacts that the smooth motion holds -------------------------------------------------------

// Closed, and neither approaching nor leaving by more than counts as closed: these stay closed unless forces open them.
// Tangents that stick are held, too; sliding friction is left to the velocity jump.
static int rows_to_hold(const nsga *s, int i)
{
    const zn_contact_set *set = s->contacts;
    double                closed = 10 * s->position.tolerance;
    int                   row = i * set->stride, rows = nsga_rows(s, &s->velocity, i);
    if (set->bilateral[i] || set->gap[i] > closed || s->step.h * fabs(s->U_k[row]) > closed)
        return 0;
    for (int r = 1; r < rows; r++)
        if (s->step.h * fabs(s->U_k[row + r]) > closed)
            return 1;
    return rows;
}

// Did row k move at the begin of the last step?
static bool moved(const nsga *s, int k)
{
    return s->step.h * fabs(s->contacts->approach[k]) > 10 * s->position.tolerance;
}

// Does the history not know yet that this contact stays closed, sticks or slides? It accelerates into the obstacle, or
// the other was true in the last step.
static bool is_new(const nsga *s, int i)
{
    const zn_contact_set *set = s->contacts;
    int                   row = i * set->stride;
    bool                  slid = false;
    for (int k = row + 1; k < row + nsga_rows(s, &s->velocity, i); k++)
        slid |= moved(s, k);
    if (s->held[i] > 0 && nsga_rows(s, &s->velocity, i) > 1 && slid != (s->held[i] == 1))
        return true;
    return s->held[i] > 0 && (moved(s, row) || !(set->impulse[row] > 0)) &&
           zn_row_dot(set, row, s->n, s->history.acceleration) < 0;
}

// After an impact, or where sliding begins or ends, the accelerations of the history are those of before: they are
// found anew, aside, for a step may fail.
zn_status nsga_hold(nsga *s)
{
    bool met = false;
    s->holds = false;
    for (int i = 0; i < s->contacts->count; i++) {
        s->held[i] = s->def.smooth == ZN_SMOOTH_CONTACTS ? rows_to_hold(s, i) : 0;
        s->holds |= s->held[i] > 0;
        met |= is_new(s, i);
    }
    s->last = s->history.started && !met ? &s->history : &s->start;
    return s->last == &s->start ? nsga_start(s) : ZN_OK;
}
