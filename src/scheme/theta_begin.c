// The start of a theta step: its contacts, and what rounding leaves of its tolerances. See theta.h.
#include <math.h>

#include "base/assert.h"
#include "base/seldom.h"
#include "scheme/theta.h"
#include "system/contact_scratch.h"

// What floating point cannot resolve: gaps below the rounding of positions, and velocities that would change positions
// by less than their rounding. Tolerances are not asked for below these. (A block that falls flat turns by rounding
// only: relative to nothing, its spin would never converge.)
static void set_floors(zn_theta *w)
{
    bool exact = w->linear && zn_theta_keeps_rows(w); // nothing to iterate but gaps
    w->step.gap_tolerance = w->def.gap_tolerance;
    w->step.resolution = 0;
    if (exact && w->project == ZN_PROJECT_NONE && !w->position_law)
        return;
    double rounding = zn_system_resolution(w->sys, w->step.from->q, exact ? NULL : w->step.velocity_floor);
    w->step.gap_tolerance = zn_larger(w->step.gap_tolerance, 16 * rounding);
    w->step.resolution = rounding;
    for (int i = 0; i < w->n && !exact; i++)
        w->step.velocity_floor[i] *= 8 / (w->step.h * w->def.newton_tolerance);
}

// How far ahead a step looks for contacts.
static zn_reach reach_of(const zn_theta *w)
{
    zn_reach reach = {.v = w->step.from->v, .horizon = w->step.h * zn_larger(1, w->def.gamma), .ahead = w->step.h};
    if (w->project != ZN_PROJECT_NONE)
        reach.margin = zn_reach_of_projection(w->sys, w->step.from->v, w->step.h);
    return reach;
}

// The contacts of the step, evaluated at its start.
ZN_APART static zn_status find_contacts(zn_theta *w)
{
    zn_contact_set_share(w->contacts, w->team, w->sys->peers);
    ZN_TRY(zn_contact_set_follow(w->contacts, w->step.from->contacts, w->sys, w->step.from->q, w->step.from->t,
                                 reach_of(w)));
    if (w->project == ZN_PROJECT_NONE && !w->position_law)
        zn_contact_set_inherit(w->contacts, w->step.from->contacts);
    ZN_TRY(zn_late_contacts_join(&w->late, w->sys, w->contacts,
                                 w->project == ZN_PROJECT_NONE ? NULL : w->step.from->contacts, w->step.from->q,
                                 w->step.from->t));
    ZN_TRY(
        zn_hollows_split(&w->hollows, w->sys, w->contacts, w->step.from->contacts, w->step.from->q, w->step.from->t));
    return zn_theta_reserve(w, w->contacts->count);
}

// What an earlier step knew of its contacts.
static void forget_contacts(zn_theta *w, int count)
{
    bool          *active = w->is_active, *pressed = w->was_pressed;
    unsigned char *lost = w->lost;
    for (int i = 0; i < count; i++) {
        active[i] = pressed[i] = false;
        lost[i] = 0;
    }
}

zn_status zn_theta_begin(zn_theta *w, const zn_state *from, double h, zn_step_info *info)
{
    ZN_ASSERT(from->q && from->v && h > 0 && info);
    bool known = w->sys->fixed_contacts && w->contacts->has_rows && !w->frozen; // the last step has evaluated them
    const zn_contact_set *at_start = known ? from->contacts : w->contacts;
    w->step.from = from;
    w->step.h = h;
    w->step.theta = (zn_at){w->middle.q, w->middle.v, from->t + w->def.theta * h, 0};
    w->step.end = (zn_at){NULL, NULL, from->t + h, 0};
    w->step.info = info;
    w->step.conflict = false;
    w->step.refactor = true;
    w->has_stiffness &= w->linear;
    w->step.iteration = 0;
    w->step.rough = false;
    w->step.plain = true;
    w->step.shift = NAN;
    w->step.exact = zn_theta_is_exact(w);
    ZN_TRY(zn_system_agree(w->sys, known ? ZN_OK : find_contacts(w)));
    forget_contacts(w, at_start->count);
    zn_copy(at_start->count, at_start->gap, w->step.g_k);
    for (int k = 0, rows = at_start->count * at_start->stride; k < rows; k++)
        w->step.U_k[k] = zn_row_dot(at_start, k, w->n, from->v);
    zn_row_list_clear(&w->list);
    if (w->sys->info.joints > 0) // their equations are in every problem
        zn_row_list_add_joints(&w->list, w->contacts);
    set_floors(w);
    return ZN_OK;
}
