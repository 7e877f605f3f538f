// How deep contacts are that a search finds anew: what a step left inside, whether it was in the set or not.
#include <math.h>

#include "base/assert.h"
#include "system/capture.h"
#include "system/contact_scratch.h"

// The deepest contact at q that rule r finds at `search`, if it is deeper; `others`: of those that are not in the set.
static zn_status look_anew(const zn_contact_set *set, const zn_system *sys, int r, const double *search,
                           const double *q, double t, bool others, zn_depth *out)
{
    zn_contact_list       *list = &set->scratch->near;
    const zn_contact_rule *rule = &sys->model->rule[r];
    ZN_TRY(zn_contact_rule_find(sys, rule, search, t, list));
    for (int k = 0; k < list->count; k++) {
        zn_contact_product product = {0};
        zn_contact_id      id = zn_contact_id_make(r, list->number[k], list->feature[k]);
        if (others && zn_contact_set_holds(set, sys, id))
            continue;
        ZN_TRY(
            rule->ops->evaluate(rule->parameter, &sys->layout, zn_contact_key_of(id, list->piece[k]), q, t, &product));
        if (product.gap < out->gap)
            *out = (zn_depth){product.gap, id};
    }
    return ZN_OK;
}

zn_status zn_contact_set_deepest(const zn_contact_set *set, const zn_system *sys, const double *q, double t,
                                 double known, zn_depth *out)
{
    ZN_ASSERT(q && out);
    *out = (zn_depth){INFINITY, zn_contact_id_none()};
    zn_contact_list_rest(&set->scratch->near);
    set->scratch->near.deeper = known;
    for (int r = 0; r < sys->model->rules; r++)
        if (sys->model->rule[r].found || sys->model->rule[r].ops->tells_inside)
            ZN_TRY(look_anew(set, sys, r, q, q, t, false, out));
    return ZN_OK;
}

zn_status zn_contact_set_missed(const zn_contact_set *set, const zn_system *sys, const double *middle, zn_at end,
                                double h, zn_depth *out)
{
    ZN_ASSERT(middle && end.q && h > 0);
    *out = (zn_depth){INFINITY, zn_contact_id_none()};
    zn_contact_list_rest(&set->scratch->near);
    set->scratch->near.motion = (zn_motion){end.v, 0.5 * h, 0.5 * h};
    for (int r = 0; r < sys->model->rules; r++)
        if (sys->model->rule[r].ops->tells_inside)
            ZN_TRY(look_anew(set, sys, r, middle, end.q, end.t, true, out));
    return ZN_OK;
}
