// A step looks for contacts at its start, with the velocities it has there. What an impact within the step sets moving
// may end in something that was not near. So at the end, before anything is committed, one looks again:
//     1. is any pair inside that is not in the set? Only pairs of shapes are asked whose motion against each other was
//        another one than that of the search at the start, by more than the tolerance: what rests or flies on costs
//        nothing;
//     2. if so, which features did it come in by? Those that a search at the start finds with the motion that the step
//        has turned out to have. Where that finds none, they are the ones inside.
// They join the set and the step is taken again from its start. All of this is a function of the state at the start.
#include "system/late_contacts.h"

#include <stdlib.h>

#include "base/array.h"
#include "system/capture.h"
#include "system/contact_scratch.h"

enum { LOOKS = 10 }; // that may find something in one step

zn_status zn_late_contacts_create(const zn_system *sys, zn_late_contacts *out)
{
    bool watches = false;
    for (int r = 0; r < sys->model->rules; r++)
        watches |= sys->model->rule[r].found;
    if (!(zn_system_max(sys, watches) > 0))
        return ZN_OK;
    out->way = ZN_NEW(double, sys->info.n_all);
    out->strayed = ZN_NEW(double, sys->info.n_all);
    return out->way && out->strayed ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_late_contacts_clear(zn_late_contacts *late)
{
    free(late->id);
    free(late->piece);
    free(late->way);
    free(late->strayed);
    free(late->other);
    free(late->other_piece);
    zn_held_places_clear(&late->places);
    *late = (zn_late_contacts){0};
}

zn_status zn_late_contacts_join(zn_late_contacts *late, const zn_system *sys, zn_contact_set *set,
                                const zn_contact_set *last, const double *q, double t)
{
    if (late->count > 0) {
        ZN_TRY(zn_contact_set_join(set, sys, late->count, late->id, late->piece));
        ZN_TRY(zn_contact_set_evaluate(set, sys, q, t));
    }
    const zn_held_ends ends = {last, late->count, late->id};
    return zn_held_places_hold(&late->places, sys, set, last ? &ends : NULL, q, t);
}

// --- looking -------------------------------------------------------------------------------------

typedef struct look {
    const zn_system      *sys;
    const zn_contact_set *set;
    const double         *q; // at the end
    double                t, tolerance;
} look;

static zn_status push(zn_late_contacts *late, zn_contact_id id, int piece)
{
    int same = late->spares; // the arrays grow alike
    ZN_TRY(zn_grow(&late->other_piece, &same, late->others + 1, sizeof *late->other_piece));
    ZN_TRY(zn_grow(&late->other, &late->spares, late->others + 1, sizeof *late->other));
    late->other_piece[late->others] = piece;
    late->other[late->others++] = id;
    return ZN_OK;
}

// Of what rule r finds at `search`, that which is inside at the end without being in the set.
static zn_status find_inside(zn_late_contacts *late, const look *l, int r, const double *search, double t)
{
    zn_contact_list       *list = &l->set->scratch->near;
    const zn_contact_rule *rule = &l->sys->model->rule[r];
    ZN_TRY(zn_contact_rule_find(l->sys, rule, search, t, list));
    for (int k = 0; k < list->count; k++) {
        zn_contact_product product = {0};
        zn_contact_id      id = zn_contact_id_make(r, list->number[k], list->feature[k]);
        if (zn_contact_set_has(l->set, id))
            continue;
        ZN_TRY(rule->ops->evaluate(rule->parameter, &l->sys->layout, zn_contact_key_of(id, list->piece[k]), l->q, l->t,
                                   &product));
        if (product.gap < -l->tolerance && !zn_held_places_have(&late->places, l->sys, id, l->q))
            ZN_TRY(push(late, id, list->piece[k]));
    }
    return ZN_OK;
}

// Likewise of all rules.
static zn_status find_all(zn_late_contacts *late, const look *l, const double *search, double t)
{
    late->others = 0;
    for (int r = 0; r < l->sys->model->rules; r++)
        if (l->sys->model->rule[r].found)
            ZN_TRY(find_inside(late, l, r, search, t));
    return ZN_OK;
}

static zn_status look_at_end(zn_late_contacts *late, const look *l)
{
    zn_contact_list *list = &l->set->scratch->near;
    zn_contact_list_rest(list);
    list->strayed = late->strayed;
    list->way = late->way;
    list->stray = l->tolerance;
    zn_status status = find_all(late, l, l->q, l->t);
    list->strayed = list->way = NULL;
    return status;
}

// `way` becomes the mean velocity of the step.
static zn_status look_at_start(zn_late_contacts *late, const look *l, zn_at from, double h)
{
    zn_contact_list *list = &l->set->scratch->near;
    for (int i = 0; i < l->sys->info.n_all; i++)
        late->way[i] /= h;
    zn_contact_list_rest(list);
    list->v = late->way;
    list->horizon = h;
    return find_all(late, l, from.q, from.t);
}

// What was found last into the ids, both ascend.
static zn_status merge(zn_late_contacts *late)
{
    int all = late->count + late->others, same = late->capacity;
    ZN_TRY(zn_grow(&late->piece, &same, all, sizeof *late->piece));
    ZN_TRY(zn_grow(&late->id, &late->capacity, all, sizeof *late->id));
    for (int i = late->count - 1, k = late->others - 1; k >= 0;) {
        bool old = i >= 0 && zn_contact_id_compare(late->id[i], late->other[k]) > 0;
        int  to = i + k + 1;
        late->id[to] = old ? late->id[i] : late->other[k];
        late->piece[to] = old ? late->piece[i] : late->other_piece[k];
        *(old ? &i : &k) -= 1;
    }
    late->count = all;
    return ZN_OK;
}

// Whoever has found something again names it.
static zn_status fail(const zn_late_contacts *late, const zn_system *sys)
{
    if (late->others == 0)
        return ZN_OK;
    return zn_fail_here(&sys->model->log, ZN_INVALID_STATE,
                        "contact '%s': whenever the step is taken again, it ends inside something that was not near: a "
                        "smaller step",
                        zn_contact_name(sys, late->other[0]));
}

// What comes in is searched for by every part of a system for itself; all of them take the step again if one does.
zn_status zn_late_contacts_look(zn_late_contacts *late, const zn_system *sys, const zn_contact_set *set, zn_at from,
                                const double *q, double h, double tolerance, zn_held_acts who, bool *more)
{
    ZN_ASSERT(q && from.q && from.v && h > 0);
    look l = {sys, set, q, from.t + h, tolerance};
    *more = false;
    if (!late->way)
        return ZN_OK;
    ZN_TRY(zn_held_places_look(&late->places, sys, set, q, tolerance / 2, who, more));
    if (*more)
        return ZN_OK;
    zn_system_difference(sys, q, from.q, late->way);
    for (int i = 0; i < sys->info.n_all; i++)
        late->strayed[i] = late->way[i] - h * from.v[i];
    ZN_TRY(zn_system_agree(sys, look_at_end(late, &l)));
    *more = zn_system_max(sys, late->others) > 0;
    if (!*more)
        return ZN_OK;
    if (late->looks++ == LOOKS)
        return zn_system_agree(sys, fail(late, sys));
    ZN_TRY(zn_system_agree(sys, look_at_start(late, &l, from, h)));
    if (!(zn_system_max(sys, late->others) > 0))
        ZN_TRY(zn_system_agree(sys, look_at_end(late, &l)));
    ZN_TRY(zn_system_agree(sys, merge(late)));
    late->found = (int)zn_system_sum(sys, late->count);
    return ZN_OK;
}
