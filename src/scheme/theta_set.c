// Which contacts are in the set of a theta step. See theta.h.
#include <math.h>

#include "base/assert.h"
#include "scheme/theta.h"
#include "system/contact_scratch.h"

static double cohesion_of(const zn_theta *w, int contact)
{
    return zn_contact_rule_of(w->sys, w->contacts->id[contact])->cohesion;
}

static bool put_into_set(zn_theta *w, int contact)
{
    ZN_ASSERT(contact >= 0 && contact < w->contacts->count);
    const zn_contact_set *set = w->contacts;
    int                   before = w->list.rows;
    if (w->is_active[contact] || set->bilateral[contact])
        return false;
    w->is_active[contact] = true;
    zn_row_list_add_contact(&w->list, set, contact, zn_contact_row_count(set, contact));
    if (cohesion_of(w, contact) > 0)
        zn_row_list_bond(&w->list, w->step.h * cohesion_of(w, contact));
    for (int k = before; k < w->list.rows; k++)
        w->now.P[k] = 0;
    return true;
}

// What is closed at the start of the step and has cohesion may be held by it, whatever the motion without it does.
static bool is_bonded(const zn_theta *w, int contact)
{
    return !w->contacts->bilateral[contact] && w->step.g_k[contact] <= 10 * w->step.gap_tolerance &&
           cohesion_of(w, contact) > 0;
}

// The free motion runs into contacts that the impulses of others keep open: a tooth that comes into mesh. Together with
// these they would be closed far away only; open as they are, they take no impulse. Each leaves the set once in a step.
static bool leaves_set(zn_theta *w, int contact)
{
    if (!w->is_active[contact] || w->lost[contact] != ZN_THETA_RELEASED ||
        w->contacts->gap[contact] <= 10 * w->step.gap_tolerance)
        return false;
    w->is_active[contact] = false;
    w->lost[contact] = ZN_THETA_DROPPED;
    return true;
}

static bool drop_released(zn_theta *w)
{
    bool dropped = false;
    for (int i = 0; i < w->contacts->count; i++)
        dropped |= leaves_set(w, i);
    if (!dropped)
        return false;
    zn_row_list_clear(&w->list);
    if (w->sys->info.joints > 0)
        zn_row_list_add_joints(&w->list, w->contacts);
    zn_clear(w->list.rows, w->now.P);
    for (int i = 0; i < w->contacts->count; i++)
        if (w->is_active[i]) {
            w->is_active[i] = false;
            put_into_set(w, i);
        }
    return true;
}

bool zn_theta_release_one(zn_theta *w)
{
    const zn_correction c = {w->sys, w->contacts, w->goal.shift, w->step.gap_tolerance, w->scale, w->work};
    const zn_pull       pull = {&w->places, w->position_gap, w->problem.z, &w->list};
    bool                found;
    int                 place = zn_pulled_from_far(&c, &pull, &found);
    if (place >= 0 && w->lost[zn_theta_place(w, place)] < ZN_THETA_RELEASED)
        w->lost[zn_theta_place(w, place)] = ZN_THETA_RELEASED;
    return found;
}

bool zn_theta_activate_closed(zn_theta *w)
{
    bool grew = drop_released(w);
    for (int i = 0; i < w->contacts->count; i++)
        if (w->contacts->gap[i] <= 10 * w->step.gap_tolerance || is_bonded(w, i))
            grew |= put_into_set(w, i);
    return zn_system_max(w->sys, grew) > 0;
}

zn_status zn_theta_activate_held(zn_theta *w)
{
    const zn_contact_set *last = w->sys->fixed_contacts ? w->step.from->contacts : w->contacts; // moved along by id
    bool                  any = false;
    for (int i = 0; i < w->contacts->count; i++) {
        int  row = i * last->stride;
        bool stays = w->step.g_k[i] + w->step.h * w->step.U_k[row] <= 10 * w->step.gap_tolerance;
        if (stays && last->impulse[row] > 0 && !last->bilateral[i]) {
            put_into_set(w, i);
            any = true;
        }
    }
    return zn_system_max(w->sys, any) > 0 && !zn_theta_keeps_rows(w) ? zn_theta_begin_with_last(w) : ZN_OK;
}

bool zn_theta_touches(const zn_theta *w) { return zn_system_max(w->sys, w->list.contacts) > 0; }

// (61): g + gamma h U_k;  (62): g + h ((1 - th) U_k + th U_free).
void zn_theta_activate_forecast(zn_theta *w)
{
    double                h = w->step.h, th = w->def.theta;
    const zn_contact_set *set = w->sys->fixed_contacts && !w->frozen ? w->step.from->contacts : w->contacts;
    for (int i = 0; i < w->contacts->count; i++) {
        int    row = i * set->stride;
        double forecast = w->step.g_k[i];
        if (w->def.forecast == ZN_FORECAST_EXPLICIT)
            forecast += w->def.gamma * h * w->step.U_k[row];
        else
            forecast += h * ((1 - th) * w->step.U_k[row] + th * zn_row_dot(set, row, w->n, w->free.v));
        zn_held_place *place = zn_held_places_of(&w->late.places, w->contacts, i);
        if (!(forecast <= 10 * w->step.gap_tolerance || is_bonded(w, i) || (place && place->acts)))
            continue;
        put_into_set(w, i);
        if (place) // else it would act at one place of the line and not at another, and none would be right
            place->acts = true;
    }
}

static bool acts(const void *scheme, int contact)
{
    const zn_theta *w = scheme;
    if (w->now.tau[contact] != 0)
        return true;
    for (int c = 0; c < w->list.contacts; c++)
        if (zn_row_list_contact(&w->list, w->contacts, c) == contact)
            return w->now.P[w->list.first[c]] != 0;
    return false;
}

zn_status zn_theta_look_again(zn_theta *w, bool *more)
{
    const zn_state *from = w->step.from;
    const double   *end = w->step.at_free ? w->free.q : w->now.q;
    ZN_TRY(zn_late_contacts_look(&w->late, w->sys, w->contacts, (zn_at){from->q, from->v, from->t, 0}, end, w->step.h,
                                 4 * w->step.gap_tolerance, (zn_held_acts){acts, w}, more));
    w->step.info->late_contacts = w->late.found;
    return ZN_OK;
}
