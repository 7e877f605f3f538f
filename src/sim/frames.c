// Frames: the whole configuration now and then, with what the contacts did and what the steps cost in between. An
// impact lasts one step and would be missed by looking at the frames alone, so impulses are summed.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "constraint/rows.h"
#include "sim/sim.h"

enum { USUAL = 500, LEAST = 20, VALUES = 1 << 24 }; // frames; values in all of them

typedef struct zn_frames {
    int64_t           every; // steps between frames
    double            last;  // time of the last one
    bool              any;
    double            effort[ZN_EFFORT_COLUMNS];
    int64_t           retries; // of the run, at the last frame
    int               count, capacity;
    zn_frame_contact *contact; // ascending ids; the second half receives the next list
} zn_frames;

int zn_frames_usual(int nq, int n_all)
{
    int64_t fit = VALUES / (1 + (int64_t)nq + n_all);
    return (int)(fit < LEAST ? LEAST : fit > USUAL ? USUAL : fit);
}

static int64_t number_of_frames(const zn_sim *sim)
{
    return sim->def.frames >= 0 ? sim->def.frames : zn_frames_usual(sim->sys->info.nq, sim->sys->info.n_all);
}

// Two lists of `contacts`. Those of a pile come and go between two frames and may become more.
static zn_status make_room(zn_frames *f, int contacts)
{
    ZN_ASSERT(contacts >= 0);
    if (contacts <= f->capacity && f->contact != NULL)
        return ZN_OK;
    int               capacity = contacts + contacts / 4;
    zn_frame_contact *contact = ZN_NEW(zn_frame_contact, 2 * (size_t)capacity);
    if (contact == NULL)
        return ZN_ERR_MEMORY;
    if (f->count > 0)
        memcpy(contact, f->contact, sizeof *contact * (size_t)f->count);
    free(f->contact);
    f->contact = contact;
    f->capacity = capacity;
    return ZN_OK;
}

zn_status zn_frames_begin(zn_sim *sim)
{
    int64_t wanted = number_of_frames(sim);
    if (sim->def.recorder.frame == NULL || wanted == 0)
        return ZN_OK;
    zn_frames *f = sim->frames = ZN_NEW(zn_frames, 1);
    if (f == NULL)
        return ZN_ERR_MEMORY;
    f->every = (sim->grid_steps + wanted - 1) / wanted;
    f->every = f->every > 1 ? f->every : 1;
    f->every = (f->every + sim->period - 1) / sim->period * sim->period; // of whole states
    return make_room(f, 2 * sim->sys->contact_capacity);
}

struct zn_frames *zn_frames_destroy(struct zn_frames *f)
{
    if (f != NULL)
        free(f->contact);
    free(f);
    return NULL;
}

// --- since the last frame ------------------------------------------------------------------------

static void add_iterations(zn_frames *f, int column, int most, int count)
{
    f->effort[column] += count;
    if (count > f->effort[most])
        f->effort[most] = count;
}

// Slipping: the friction impulse is on its cone.
static zn_contact_state state_of(const zn_contact_set *set, int i)
{
    ZN_ASSERT(i >= 0 && i < set->count);
    const double *P = set->impulse + (size_t)i * (size_t)set->stride;
    int           own = zn_contact_parts_of(set, i, zn_contact_row_count(set, i)).own;
    double        tangent = own > 1 ? hypot(P[1], own > 2 ? P[2] : 0) : 0;
    if (!(set->friction[i] > 0))
        return ZN_CONTACT_CLOSED;
    return tangent < (1 - 1e-9) * set->friction[i] * P[0] ? ZN_CONTACT_STICKING : ZN_CONTACT_SLIPPING;
}

static void add_contact(zn_frame_contact *c, const zn_contact_set *set, int i)
{
    ZN_ASSERT(i >= 0 && i < set->count);
    c->contact = set->id[i];
    c->state = state_of(set, i);
    c->steps += c->steps < INT_MAX;
    for (int r = 0; r < zn_contact_parts_of(set, i, zn_contact_row_count(set, i)).own; r++)
        c->impulse[r] += set->impulse[i * set->stride + r];
}

// Merge the ascending lists of contacts that acted before and that acted now.
static zn_status add_contacts(zn_frames *f, const zn_contact_set *set)
{
    ZN_TRY(make_room(f, f->count + set->count));
    zn_frame_contact *next = f->contact + f->capacity;
    int               count = 0, j = 0;
    for (int i = 0; i < set->count; i++) {
        if (set->bilateral[i] || !(set->impulse[i * set->stride] > 0))
            continue;
        while (j < f->count && zn_contact_id_compare(f->contact[j].contact, set->id[i]) < 0)
            next[count++] = f->contact[j++];
        bool known = j < f->count && zn_contact_id_same(f->contact[j].contact, set->id[i]);
        next[count] = known ? f->contact[j++] : (zn_frame_contact){0};
        add_contact(&next[count++], set, i);
    }
    while (j < f->count)
        next[count++] = f->contact[j++];
    memcpy(f->contact, next, sizeof *next * (size_t)count);
    f->count = count;
    return ZN_OK;
}

zn_status zn_frames_account(zn_sim *sim)
{
    zn_frames *f = sim->frames;
    f->effort[ZN_EFFORT_steps]++;
    add_iterations(f, ZN_EFFORT_newton, ZN_EFFORT_newton_max, sim->last.newton_iterations);
    add_iterations(f, ZN_EFFORT_projection, ZN_EFFORT_projection_max, sim->last.projection_iterations);
    add_iterations(f, ZN_EFFORT_activation, ZN_EFFORT_activation_max, sim->last.activation_iterations);
    add_iterations(f, ZN_EFFORT_solver, ZN_EFFORT_solver_max, sim->last.solver_iterations);
    if (sim->def.statics)
        f->count = 0; // forces, not impulses: they do not add up
    if (!sim->def.statics && sim->last.active == 0)
        return ZN_OK;
    return add_contacts(f, sim->state->contacts);
}

// --- a frame -------------------------------------------------------------------------------------

zn_status zn_frames_record(zn_sim *sim, bool anyway)
{
    zn_frames *f = sim->frames;
    double     t = sim->state->t;
    if (f == NULL || !(anyway || sim->grid_index % f->every == 0) || (f->any && f->last == t) || !sim->state->whole)
        return ZN_OK;
    const zn_state *state = zn_sim_look(sim);
    f->effort[ZN_EFFORT_retries] = (double)(sim->certificate.retries - f->retries);
    zn_frame  frame = {.t = t,
                       .nq = sim->sys->info.nq,
                       .n_all = sim->sys->info.n_all,
                       .q = state->q,
                       .v = state->v,
                       .ledger = sim->certificate.ledger,
                       .effort = f->effort,
                       .contact_count = f->count,
                       .contacts = f->contact};
    zn_status status = sim->def.recorder.frame(sim->def.recorder.user, &frame);
    f->retries = sim->certificate.retries;
    memset(f->effort, 0, sizeof f->effort);
    f->count = 0;
    f->last = t;
    f->any = true;
    return status;
}

// Runs that differ in their frames exchange what both have.
zn_status zn_frames_exchange(zn_sim *sim, zn_blob *blob)
{
    zn_frames none = {0}, *f = sim->frames ? sim->frames : &none;
    int       any = f->any;
    zn_blob_exchange(blob, &f->last, 1, sizeof f->last);
    zn_blob_exchange(blob, &any, 1, sizeof any);
    f->any = any != 0;
    zn_blob_exchange(blob, f->effort, ZN_EFFORT_COLUMNS, sizeof *f->effort);
    zn_blob_exchange(blob, &f->retries, 1, sizeof f->retries);
    blob->failed |= f->retries < 0 || f->retries > sim->certificate.retries;
    int count = f->count;
    zn_blob_exchange_count(blob, &count, sizeof *f->contact);
    if (f == &none)
        return ZN_OK;
    ZN_TRY(make_room(f, count));
    zn_blob_exchange(blob, f->contact, (size_t)count, sizeof *f->contact);
    f->count = count;
    return ZN_OK;
}
