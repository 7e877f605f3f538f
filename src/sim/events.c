// The event table: one event per stay in contact, from the first step with an impulse to the last.
#include <math.h>
#include <string.h>

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

// Merge the ascending lists of closed contacts (before) and contacts with an impulse (now).
zn_status zn_events_account(zn_sim *sim, double h)
{
    const zn_contact_set *set = sim->state->contacts;
    int                   capacity = sim->sys->contact_capacity, next = 0, j = 0;
    zn_event             *list = sim->closed + capacity;
    int                  *steps = sim->closed_steps + capacity;
    zn_status             status = ZN_OK;
    if (sim->closed_count == 0 && sim->last.active == 0)
        return ZN_OK;
    for (int i = 0; i < set->count; i++) {
        double impulse = set->impulse[i * set->stride];
        if (set->bilateral[i] || !(impulse > 0))
            continue;
        for (; j < sim->closed_count && sim->closed[j].contact < set->id[i]; j++)
            status = status == ZN_OK ? report(sim, &sim->closed[j], sim->closed_steps[j], true) : status;
        bool stays = j < sim->closed_count && sim->closed[j].contact == set->id[i];
        list[next] = stays ? sim->closed[j] : begin_event(sim, set->id[i], set->approach[i * set->stride], sim->state->t - h);
        steps[next] = 1 + (stays ? sim->closed_steps[j++] : 0);
        list[next].opened_at = sim->state->t;
        list[next].impulse += impulse;
        list[next].peak_force = fmax(list[next].peak_force, impulse / h);
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
