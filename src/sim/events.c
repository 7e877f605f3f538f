// The event table: one event per stay in contact, from the first step with an impulse to the last.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sim/sim.h"

static zn_status report(zn_sim *sim, const zn_event *event, int steps, bool open)
{
    zn_event done = *event;
    done.open = open;
    done.impact = steps == 1;
    if (done.impact)
        sim->certificate.impacts++;
    else
        sim->certificate.lasting_contacts++;
    return sim->def.recorder.event ? sim->def.recorder.event(sim->def.recorder.user, &done) : ZN_OK;
}

static zn_event begin_event(const zn_sim *sim, int64_t id, double approach, double t)
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
        if (j == sim->closed_count || sim->closed[j].contact != set->id[i])
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
    if (sim->closed_count == 0 && sim->last.active == 0)
        return ZN_OK;
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
        for (; j < sim->closed_count && sim->closed[j].contact < set->id[i]; j++)
            status = status == ZN_OK ? report(sim, &sim->closed[j], sim->closed_steps[j], true) : status;
        bool stays = j < sim->closed_count && sim->closed[j].contact == set->id[i];
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
    zn_blob_exchange_count(blob, &count, 7 * sizeof(double));
    ZN_TRY(make_room(sim, count));
    for (int i = 0; i < count; i++) {
        zn_event *e = &sim->closed[i];
        double   *numbers[] = {&e->closed_at, &e->opened_at, &e->impulse, &e->peak_force, &e->approach};
        zn_blob_exchange(blob, &e->contact, 1, sizeof e->contact);
        zn_blob_exchange(blob, &sim->closed_steps[i], 1, sizeof *sim->closed_steps);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            zn_blob_exchange(blob, numbers[k], 1, sizeof(double));
        blob->failed |= sim->closed_steps[i] < 0;
        e->name = zn_contact_name(sim->sys, e->contact);
    }
    sim->closed_count = count;
    return ZN_OK;
}
