// Contacts that a step of energy_momentum meets on its way: those that go on to another facet, and those that the
// search before it did not show. A corner that comes around a corner is beside all facets half way and inside at the
// end; a node may leave its facet without force and be behind the next one.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "scheme/energy_momentum.h"

static const zn_contact_rule *rule_of(const zn_conserving *s, zn_contact_id id)
{
    return &s->sys->model->rule[zn_contact_id_rule(id)];
}

void zn_conserving_go_half_way(zn_conserving *s, const zn_state *from)
{
    for (int i = 0; i < s->n_all; i++)
        s->work[i] = 0.5 * s->d[i];
    zn_system_retract(s->sys, from->q, s->work, s->middle);
}

zn_status zn_conserving_measure_start(zn_conserving *s, const zn_state *from)
{
    zn_between still = zn_conserving_states(s, from);
    still.to = still.from;
    ZN_TRY(zn_contact_set_evaluate_between(s->set, s->sys, still, s->H));
    for (int i = 0; i < s->set->count; i++) {
        s->start[i] = s->set->gap[i];
        s->target[i] = s->set->bilateral[i] || s->set->gap[i] > 0 ? 0 : s->set->gap[i];
    }
    return ZN_OK;
}

bool zn_conserving_ignores(const zn_conserving *s, zn_contact_id id)
{
    const zn_contact_rule *rule = rule_of(s, id);
    return !s->def.two_sided && rule->ops->reverse && rule->ops->reverse(rule->parameter, zn_contact_key_of(id, 0));
}

// --- to another facet ------------------------------------------------------------------------------

zn_status zn_conserving_settle(zn_conserving *s, const zn_state *from, bool *changed)
{
    *changed = false;
    zn_conserving_go_half_way(s, from);
    for (int i = 0; i < s->set->count; i++) {
        const zn_contact_rule *rule = rule_of(s, s->set->id[i]);
        zn_contact_key         key = zn_contact_key_of(s->set->id[i], s->set->piece[i]);
        int                    piece;
        if (!rule->ops->settle || s->moved[i] || !(s->p[i * s->set->stride] > 0))
            continue;
        ZN_TRY(rule->ops->settle(rule->parameter, &s->sys->layout, key, s->middle, &piece));
        if (piece == s->set->piece[i])
            continue;
        s->set->piece[i] = piece;
        s->moved[i] = *changed = true;
        s->info->segment_changes++;
    }
    return *changed ? zn_conserving_measure_start(s, from) : ZN_OK;
}

// --- found at the end ------------------------------------------------------------------------------

// How far anything moves in the step.
static double longest_way(const zn_conserving *s)
{
    double longest = 0;
    for (int i = 0; i < s->n; i++)
        if (!s->sys->rotational[i])
            longest = fmax(longest, fabs(s->d[i]));
    return longest;
}

// Did contact k of the late ones come through its facet in this step?
static zn_status came_through(const zn_conserving *s, const zn_state *from, int k, double gap, bool *out)
{
    const zn_contact_rule *rule = rule_of(s, s->late->id[k]);
    zn_between             still = zn_conserving_states(s, from);
    zn_contact_product     product = {0};
    double *const          none[3] = {NULL, NULL, NULL};
    *out = false;
    if (!rule->ops->settle || !(s->late->gap[k] < -gap))
        return ZN_OK;
    still.to = still.from;
    ZN_TRY(rule->ops->evaluate_between(rule->parameter, &s->sys->layout,
                                       zn_contact_key_of(s->late->id[k], s->late->piece[k]), still, &product, none));
    *out = product.gap > -gap;
    return ZN_OK;
}

// Places for the new contacts, which are the first `count` of the late ones, among what is known of the others.
static void make_places(zn_conserving *s, int count)
{
    int stride = s->set->stride;
    for (int i = s->set->count - 1, k = count - 1; k >= 0; i--) {
        bool fresh = zn_contact_id_same(s->set->id[i], s->late->id[k]);
        int  old = i - k - 1;
        s->moved[i] = fresh || s->moved[old];
        s->listed[i] = fresh || s->listed[old];
        s->ignored[i] = !fresh && s->ignored[old];
        for (int r = 0; r < stride; r++)
            s->p[i * stride + r] = fresh ? 0 : s->p[old * stride + r];
        k -= fresh;
    }
}

zn_status zn_conserving_seek(zn_conserving *s, const zn_state *from, double gap, bool *changed)
{
    zn_reach reach = {.v = from->v, .moved = longest_way(s)};
    int      count = 0;
    *changed = false;
    if (!s->late)
        return ZN_OK;
    ZN_TRY(zn_contact_set_follow(s->late, s->set, s->sys, s->q, from->t + s->h, reach));
    for (int k = 0, i = 0; k < s->late->count; k++) {
        bool through;
        for (; i < s->set->count && zn_contact_id_compare(s->set->id[i], s->late->id[k]) < 0; i++)
            ;
        bool known = i < s->set->count && zn_contact_id_same(s->set->id[i], s->late->id[k]);
        if (known && (s->moved[i] || s->set->piece[i] == s->late->piece[k] || s->p[i * s->set->stride] > 0))
            continue;
        ZN_TRY(came_through(s, from, k, gap, &through));
        if (!through || zn_conserving_ignores(s, s->late->id[k]))
            continue;
        *changed = true;
        if (known) {
            s->set->piece[i] = s->late->piece[k];
            s->moved[i] = s->listed[i] = true;
            continue;
        }
        s->late->id[count] = s->late->id[k];
        s->late->piece[count++] = s->late->piece[k];
    }
    if (!*changed)
        return ZN_OK;
    ZN_TRY(zn_contact_set_join(s->set, s->sys, count, s->late->id, s->late->piece));
    ZN_TRY(zn_conserving_make_room(s));
    make_places(s, count);
    return zn_conserving_measure_start(s, from);
}
