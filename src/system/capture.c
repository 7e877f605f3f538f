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
        .id = zn_contact_id_none(),
    };
}

// The first contact from `low` on that does not come before this one.
static int place_of(const zn_contact_set *set, int low, zn_contact_id id)
{
    int high = set->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (zn_contact_id_compare(set->id[middle], id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_at(const zn_contact_set *set, int place, zn_contact_id id)
{
    return place < set->count && zn_contact_id_same(set->id[place], id);
}

// Or is the contact split there, in a hollow of its surface?
static bool is_split_at(const zn_contact_set *set, int place, zn_contact_id id, const zn_contact_rule *rule)
{
    return rule->ops->hollow && place < set->count && set->id[place].contact == id.contact;
}

int zn_contact_set_find(const zn_contact_set *set, zn_contact_id id)
{
    int place = place_of(set, 0, id);
    return is_at(set, place, id) ? place : -1;
}

bool zn_contact_set_has(const zn_contact_set *set, zn_contact_id id) { return zn_contact_set_find(set, id) >= 0; }

bool zn_contact_set_holds(const zn_contact_set *set, const zn_system *sys, zn_contact_id id)
{
    int place = place_of(set, 0, id);
    return is_at(set, place, id) || is_split_at(set, place, id, &sys->model->rule[zn_contact_id_rule(id)]);
}

static zn_status look(zn_capture *c, zn_contact_id id, int piece, bool *keep)
{
    const zn_contact_rule *rule = &c->sys->model->rule[zn_contact_id_rule(id)];
    int                    dof[ZN_CONTACT_ENTRIES];
    double                 row[ZN_CONTACT_ROWS][ZN_CONTACT_ENTRIES], given = rule->ops->depth(rule->parameter);
    zn_contact_product     product = {.dof = dof, .value = row[0]};
    for (int r = 1; r < ZN_CONTACT_ROWS && rule->rows > 1; r++)
        product.tangent[r - 1] = row[r];
    ZN_TRY(rule->ops->evaluate(rule->parameter, &c->sys->layout, zn_contact_key_of(id, piece), c->q, c->t, &product));
    double velocity = product.rate;
    for (int e = 0; c->v && e < product.entries; e++)
        velocity += row[0][e] * c->v[dof[e]];
    double depth = -product.gap, allowed = given > 0 ? given : c->span * fmax(0, -velocity) + c->margin;
    *keep = depth <= allowed;
    if (*keep && depth > c->deepest) {
        c->deepest = depth;
        c->id = id;
    }
    return ZN_OK;
}

zn_status zn_capture_filter(zn_capture *c, int r, zn_contact_list *list)
{
    int kept = 0, place = 0; // both lists ascend, mostly with the same contacts
    for (int k = 0; k < list->count; k++) {
        bool          keep = true;
        zn_contact_id id = zn_contact_id_make(r, list->number[k], list->feature[k]);
        if (!is_at(c->from, place, id))
            place = place_of(c->from, place, id);
        bool known = is_at(c->from, place, id) || is_split_at(c->from, place, id, &c->sys->model->rule[r]);
        if (!known)
            ZN_TRY(look(c, id, list->piece[k], &keep));
        place += known;
        list->number[kept] = list->number[k];
        list->feature[kept] = list->feature[k];
        list->piece[kept] = list->piece[k];
        kept += keep;
    }
    list->count = kept;
    return ZN_OK;
}
