// A face that ends has a back, where points may be that have come around its edge. So a point behind it (gap g < 0) is
// a contact only when it has come through:
//     it was a contact in the last step, for all points in front are, or
//     -g <= max(0, -U_N) s + p + rounding    it came across the edge and the face within the time s since contacts were
//                                            listed last, moving with U_N = G v + dg/dt; or it slides over from a
//                                            neighbour, as deep as the scheme leaves contacts that act: by p
// or where the user has said how deep it may be.
#include "system/capture.h"

#include <math.h>

// What the scheme has left of the contacts that acted.
static double left_by(const zn_contact_set *from)
{
    double left = 0;
    for (int i = 0; i < from->count; i++)
        if (!from->bilateral[i] && from->impulse[i * from->stride] > 0 && -from->gap[i] > left)
            left = -from->gap[i];
    return left;
}

zn_capture zn_capture_begin(const zn_system *sys, const zn_contact_set *from, const double *q, const double *v,
                            double t, double moved)
{
    double span = t - from->listed_at;
    return (zn_capture){
        .sys = sys,
        .from = from,
        .q = q,
        .v = v,
        .t = t,
        .span = span > 0 && isfinite(span) ? span : 0,
        .margin = left_by(from) + moved + ZN_CAPTURE_ROUNDING * sys->extent,
        .id = -1,
    };
}

bool zn_contact_set_has(const zn_contact_set *set, int64_t id)
{
    int low = 0, high = set->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (set->id[middle] < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < set->count && set->id[low] == id;
}

static zn_status look(zn_capture *c, int r, int number, int place, bool *keep)
{
    const zn_contact_rule *rule = &c->sys->model->rule[r];
    int                    dof[ZN_CONTACT_ENTRIES];
    double                 row[3][ZN_CONTACT_ENTRIES], given = rule->ops->depth(rule->parameter);
    zn_contact_product     product = {.dof = dof, .value = row[0]};
    if (rule->rows > 1)
        product.tangent[0] = row[1], product.tangent[1] = row[2];
    ZN_TRY(rule->ops->evaluate(rule->parameter, &c->sys->layout, number + place * rule->max_contacts, c->q, c->t,
                               &product));
    double velocity = product.rate;
    for (int e = 0; c->v && e < product.entries; e++)
        velocity += row[0][e] * c->v[dof[e]];
    double depth = -product.gap, allowed = given > 0 ? given : c->span * fmax(0, -velocity) + c->margin;
    *keep = depth <= allowed;
    if (*keep && depth > c->deepest) {
        c->deepest = depth;
        c->id = (int64_t)r << 32 | number;
    }
    return ZN_OK;
}

zn_status zn_capture_filter(zn_capture *c, int r, zn_contact_list *list)
{
    int kept = 0;
    for (int k = 0; k < list->count; k++) {
        bool keep = true;
        if (!zn_contact_set_has(c->from, (int64_t)r << 32 | list->number[k]))
            ZN_TRY(look(c, r, list->number[k], list->piece[k], &keep));
        list->number[kept] = list->number[k];
        list->piece[kept] = list->piece[k];
        kept += keep;
    }
    list->count = kept;
    return ZN_OK;
}
