// Contacts in hollows. See hollows.h.
#include "system/hollows.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "system/capture.h"
#include "system/contact_scratch.h"

void zn_hollows_clear(zn_hollows *h)
{
    free(h->hollow);
    *h = (zn_hollows){0};
}

static zn_contact_id whole(zn_contact_id id) { return (zn_contact_id){id.contact, 0}; }

// Where this contact is or would be in the list.
static int place_of(const zn_hollows *h, zn_contact_id id)
{
    int i = 0;
    while (i < h->count && zn_contact_id_compare(h->hollow[i].id, id) < 0)
        i++;
    return i;
}

static bool has(const zn_hollows *h, int place, zn_contact_id id)
{
    return place < h->count && zn_contact_id_same(h->hollow[place].id, id);
}

static zn_status insert(zn_hollows *h, int place, const zn_hollow *hollow)
{
    ZN_TRY(zn_grow(&h->hollow, &h->capacity, h->count + 1, sizeof *h->hollow));
    memmove(h->hollow + place + 1, h->hollow + place, sizeof *hollow * (size_t)(h->count - place));
    h->hollow[place] = *hollow;
    h->count++;
    return ZN_OK;
}

// Contact i of the set, if it is in a hollow at q that is not in the list.
static zn_status look(zn_hollows *h, const zn_system *sys, const zn_contact_set *set, int i, const double *q)
{
    const zn_contact_rule *rule = zn_contact_rule_of(sys, set->id[i]);
    zn_hollow              found = {.id = set->id[i]};
    int                    place = place_of(h, found.id);
    if (!rule->ops->hollow || set->id[i].feature != 0 || has(h, place, found.id))
        return ZN_OK;
    found.count = rule->ops->hollow(rule->parameter, &sys->layout, zn_contact_key_at(set, i), q, found.piece);
    return found.count > 1 ? insert(h, place, &found) : ZN_OK;
}

static zn_status split(const zn_hollow *hollow, const zn_system *sys, zn_contact_set *set, int i)
{
    zn_contact_id id[ZN_HOLLOW_PIECES];
    for (int k = 0; k < hollow->count; k++)
        id[k] = (zn_contact_id){hollow->id.contact, k + 1};
    ZN_TRY(zn_contact_set_leave(set, sys, i));
    return zn_contact_set_join(set, sys, hollow->count, id, hollow->piece);
}

// What contacts that stay in their hollow did in the last step.
static void carry(zn_contact_set *set, const zn_contact_set *last)
{
    for (int j = 0; j < last->count; j++) {
        int i = last->id[j].feature > 0 ? zn_contact_set_find(set, last->id[j]) : -1, stride = set->stride;
        for (int r = 0; r < stride && i >= 0; r++) {
            set->impulse[i * stride + r] = last->impulse[j * stride + r];
            set->velocity[i * stride + r] = last->velocity[j * stride + r];
            set->approach[i * stride + r] = last->approach[j * stride + r];
            set->projection[i * stride + r] = last->projection[j * stride + r];
        }
    }
}

zn_status zn_hollows_split(zn_hollows *h, const zn_system *sys, zn_contact_set *set, const zn_contact_set *last,
                           const double *q, double t)
{
    bool any = false;
    for (int i = 0; i < last->count; i++) {
        if (last->id[i].feature != 1 || !zn_contact_rule_of(sys, last->id[i])->ops->hollow)
            continue;
        int k = zn_contact_set_find(set, whole(last->id[i]));
        if (k >= 0)
            ZN_TRY(look(h, sys, set, k, q));
    }
    for (int k = 0; k < h->count; k++) {
        int i = zn_contact_set_find(set, h->hollow[k].id);
        if (i >= 0)
            ZN_TRY(split(&h->hollow[k], sys, set, i));
        any |= i >= 0;
    }
    if (!any)
        return ZN_OK;
    carry(set, last);
    return zn_contact_set_evaluate(set, sys, q, t);
}

static zn_status look_at_all(zn_hollows *h, const zn_system *sys, const zn_contact_set *set, const double *q)
{
    for (int i = 0; i < set->count; i++)
        if (!set->bilateral[i])
            ZN_TRY(look(h, sys, set, i, q));
    return ZN_OK;
}

zn_status zn_hollows_find(zn_hollows *h, const zn_system *sys, const zn_contact_set *set, const double *q, bool *more)
{
    int known = h->count;
    ZN_TRY(zn_system_agree(sys, look_at_all(h, sys, set, q)));
    *more = zn_system_max(sys, h->count > known) > 0;
    return ZN_OK;
}
