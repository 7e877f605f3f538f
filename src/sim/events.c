// The event table: one event per stay in contact, from the first step with an impulse to the last.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sim/sim.h"

// --- which two -------------------------------------------------------------------------------------

enum { PAIR_TEXT = 96, TEXT = 80 };

// Owners of all nodes at once: one by one they would have to be looked for (zn_model_owner).
zn_status zn_events_begin(zn_sim *sim)
{
    const zn_model *model = sim->sys->model;
    if (!sim->def.recorder.event)
        return ZN_OK;
    sim->owner = ZN_NEW(int, model->nodes);
    if (!sim->owner)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->nodes; i++)
        sim->owner[i] = -1;
    for (int i = 0; i < model->names.count; i++) {
        const zn_named *e = &model->names.entry[i];
        for (int k = 0; e->node >= 0 && k < e->nodes; k++)
            sim->owner[e->node + k] = i;
    }
    return ZN_OK;
}

// Name of a node as zn_model_node_name has it.
static void name_node(const zn_sim *sim, zn_node_id id, char text[TEXT])
{
    int             owner = id.value > 0 ? sim->owner[id.value - 1] : -1;
    const zn_named *e = owner >= 0 ? &sim->sys->model->names.entry[owner] : NULL;
    int             number = e ? id.value - 1 - e->node : 0;
    if (e && e->kind == ZN_NAMED_BAR)
        snprintf(text, TEXT, "%s[%d]", e->name, e->map ? e->number[number] : number + (e->shared[0] > 0));
    else
        snprintf(text, TEXT, "%s", e ? e->name : id.value > 0 ? "a node" : "ground");
}

// Shapes of many bodies have one name, that of a lattice: the body "pile[3]" says more than its shape "pile".
static void name_side(const zn_sim *sim, const zn_contact_pair *pair, int side, char text[TEXT])
{
    const char *shape = pair->name[side];
    name_node(sim, pair->node[side], text);
    size_t stem = strcspn(text, "[");
    if (shape && (strlen(shape) != stem || strncmp(shape, text, stem) != 0))
        snprintf(text, TEXT, "%s", shape);
}

static const char *describe_pair(const zn_sim *sim, zn_contact_id id, char text[PAIR_TEXT])
{
    const zn_contact_rule *rule = &sim->sys->model->rule[zn_contact_id_rule(id)];
    char                   side[2][TEXT];
    text[0] = '\0';
    if (!sim->owner || !rule->ops->pair)
        return text;
    zn_contact_pair pair = rule->ops->pair(rule->parameter, zn_contact_key_of(id, 0));
    name_side(sim, &pair, 0, side[0]);
    name_side(sim, &pair, 1, side[1]);
    snprintf(text, PAIR_TEXT, "%.46s%s%.46s", side[0], side[1][0] ? ", " : "", side[1]);
    return text;
}

// --- stays -----------------------------------------------------------------------------------------

static zn_status report(zn_sim *sim, const zn_event *event, int steps, bool open)
{
    char     text[PAIR_TEXT];
    zn_event done = *event;
    done.pair = describe_pair(sim, event->contact, text);
    done.open = open;
    done.impact = steps == 1;
    if (done.impact)
        sim->certificate.impacts++;
    else
        sim->certificate.lasting_contacts++;
    return sim->def.recorder.event ? sim->def.recorder.event(sim->def.recorder.user, &done) : ZN_OK;
}

static zn_event begin_event(const zn_sim *sim, zn_contact_id id, double approach, double t)
{
    return (zn_event){.contact = id, .name = zn_contact_name(sim->sys, id), .closed_at = t, .approach = approach};
}

// Room for as many closed contacts as there are contacts, twice.
static zn_status make_room(zn_sim *sim, int contacts)
{
    ZN_ASSERT(contacts >= 0);
    if (contacts <= sim->closed_capacity)
        return ZN_OK;
    int       capacity = contacts + contacts / 4;
    zn_event *closed = ZN_NEW(zn_event, 2 * (size_t)capacity);
    int      *steps = ZN_NEW(int, 2 * (size_t)capacity);
    if (!closed || !steps) {
        free(closed);
        free(steps);
        return ZN_ERR_MEMORY;
    }
    memcpy(closed, sim->closed, sizeof *closed * (size_t)sim->closed_count);
    memcpy(steps, sim->closed_steps, sizeof *steps * (size_t)sim->closed_count);
    free(sim->closed);
    free(sim->closed_steps);
    sim->closed = closed;
    sim->closed_steps = steps;
    sim->closed_capacity = capacity;
    return ZN_OK;
}

static void prolong(zn_event *event, int *steps, double t, double impulse, double h)
{
    ZN_ASSERT(h > 0);
    double force = impulse / h;
    event->opened_at = t;
    event->impulse += impulse;
    event->peak_force = force > event->peak_force ? force : event->peak_force;
    *steps += *steps < INT_MAX;
}

// Are the contacts with an impulse the closed ones of the step before?
static bool all_stay(const zn_sim *sim)
{
    const zn_contact_set *set = sim->state->contacts;
    int                   j = 0;
    for (int i = 0; i < set->count; i++) {
        if (set->bilateral[i] || !(set->impulse[i * set->stride] > 0))
            continue;
        if (j == sim->closed_count || !zn_contact_id_same(sim->closed[j].contact, set->id[i]))
            return false;
        j++;
    }
    return j == sim->closed_count;
}

static void prolong_all(zn_sim *sim, double h)
{
    const zn_contact_set *set = sim->state->contacts;
    double                t = sim->state->t;
    for (int i = 0, j = 0; j < sim->closed_count; i++)
        if (!set->bilateral[i] && set->impulse[i * set->stride] > 0) {
            prolong(&sim->closed[j], &sim->closed_steps[j], t, set->impulse[i * set->stride], h);
            j++;
        }
}

// Merge the ascending lists of closed contacts (before) and contacts with an impulse (now).
zn_status zn_events_account(zn_sim *sim, double h)
{
    ZN_ASSERT(h > 0);
    const zn_contact_set *set = sim->state->contacts;
    int                   next = 0, j = 0;
    if (all_stay(sim)) {
        prolong_all(sim, h);
        return ZN_OK;
    }
    ZN_TRY(make_room(sim, set->count));
    zn_event *list = sim->closed + sim->closed_capacity;
    int      *steps = sim->closed_steps + sim->closed_capacity;
    zn_status status = ZN_OK;
    for (int i = 0; i < set->count; i++) {
        double impulse = set->impulse[i * set->stride];
        if (set->bilateral[i] || !(impulse > 0))
            continue;
        for (; j < sim->closed_count && zn_contact_id_compare(sim->closed[j].contact, set->id[i]) < 0; j++)
            status = status == ZN_OK ? report(sim, &sim->closed[j], sim->closed_steps[j], true) : status;
        bool stays = j < sim->closed_count && zn_contact_id_same(sim->closed[j].contact, set->id[i]);
        list[next] =
            stays ? sim->closed[j] : begin_event(sim, set->id[i], set->approach[i * set->stride], sim->state->t - h);
        steps[next] = stays ? sim->closed_steps[j++] : 0;
        prolong(&list[next], &steps[next], sim->state->t, impulse, h);
        next++;
    }
    for (; j < sim->closed_count; j++)
        status = status == ZN_OK ? report(sim, &sim->closed[j], sim->closed_steps[j], true) : status;
    memcpy(sim->closed, list, sizeof *list * (size_t)next);
    memcpy(sim->closed_steps, steps, sizeof *steps * (size_t)next);
    sim->closed_count = next;
    return status;
}

zn_status zn_events_finish(zn_sim *sim)
{
    zn_status status = ZN_OK;
    for (int i = 0; i < sim->closed_count; i++)
        status = status == ZN_OK ? report(sim, &sim->closed[i], sim->closed_steps[i], false) : status;
    sim->closed_count = 0;
    return status;
}

// Each with its number of steps; names are known from ids.
zn_status zn_events_exchange(zn_sim *sim, zn_blob *blob)
{
    int count = sim->closed_count;
    zn_blob_exchange_count(blob, &count, 8 * sizeof(double));
    ZN_TRY(make_room(sim, count));
    for (int i = 0; i < count; i++) {
        zn_event *e = &sim->closed[i];
        double   *numbers[] = {&e->closed_at, &e->opened_at, &e->impulse, &e->peak_force, &e->approach};
        zn_blob_exchange(blob, &e->contact, 1, sizeof e->contact);
        zn_blob_exchange(blob, &sim->closed_steps[i], 1, sizeof *sim->closed_steps);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            zn_blob_exchange(blob, numbers[k], 1, sizeof(double));
        if (sim->closed_steps[i] < 0 || !zn_model_knows_contact(sim->sys->model, e->contact, 0)) {
            blob->failed = true;
            return ZN_OK;
        }
        e->name = zn_contact_name(sim->sys, e->contact);
    }
    sim->closed_count = count;
    return ZN_OK;
}
