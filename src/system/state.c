// The state: all that moves.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "system/system.h"

zn_status zn_state_create(const zn_system *sys, zn_state **out)
{
    ZN_ALIVE(sys);
    if (!sys || !out)
        return ZN_ERR_ARGUMENT;
    zn_state *state = ZN_NEW(zn_state, 1);
    if (!state)
        return ZN_ERR_MEMORY;
    state->q = ZN_NEW(double, sys->info.nq);
    state->v = ZN_NEW(double, (sys->info.n_all + 3) / 4 * 4); // schemes work on four at a time
    state->reaction = ZN_NEW(double, sys->info.n_all - sys->info.n);
    zn_status status =
        state->q && state->v && state->reaction ? zn_contact_set_create(sys, &state->contacts) : ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        state->t = sys->model->start;
        memcpy(state->q, sys->q0, sizeof *state->q * (size_t)sys->info.nq);
        memcpy(state->v, sys->v0, sizeof *state->v * (size_t)sys->info.n_all);
        status = zn_state_update(sys, state);
    }
    if (status != ZN_OK)
        zn_state_destroy(state);
    else
        *out = state;
    return status;
}

zn_status zn_state_update(const zn_system *sys, zn_state *state)
{
    ZN_ALIVE(sys);
    ZN_ALIVE(state);
    ZN_ASSERT(state->q && state->v && state->contacts);
    zn_contact_set *set = state->contacts;
    ZN_TRY(zn_contact_set_refresh_within(set, sys, state->q, state->t, (zn_reach){.v = state->v}));
    for (int k = 0; k < set->count * set->stride; k++) {
        set->velocity[k] = 0;
        for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++)
            set->velocity[k] += set->row_value[e] * state->v[set->row_dof[e]];
    }
    ZN_TRY(zn_system_energy(sys, (zn_at){state->q, state->v, state->t, 0}, &state->energy));
    state->whole = true;
    return ZN_OK;
}

static bool is_finite(int count, const double *values)
{
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return false;
    return true;
}

zn_status zn_state_exchange(const zn_system *sys, zn_state *state, zn_blob *blob)
{
    const zn_system_info *info = &sys->info;
    state->whole = true; // others are never saved
    zn_blob_exchange(blob, &state->t, 1, sizeof state->t);
    zn_blob_exchange(blob, &state->energy, 1, sizeof state->energy);
    zn_blob_exchange(blob, state->q, (size_t)info->nq, sizeof *state->q);
    zn_blob_exchange(blob, state->v, (size_t)info->n_all, sizeof *state->v);
    zn_blob_exchange(blob, state->reaction, (size_t)(info->n_all - info->n), sizeof *state->reaction);
    if (blob->loading && !(isfinite(state->t) && is_finite(info->nq, state->q) && is_finite(info->n_all, state->v)))
        return ZN_ERR_ARGUMENT;
    return zn_contact_set_exchange(state->contacts, sys, blob);
}

zn_state *zn_state_destroy(zn_state *state)
{
    ZN_ALIVE(state);
    if (!state)
        return NULL;
    zn_contact_set_destroy(state->contacts);
    free(state->q);
    free(state->v);
    free(state->reaction);
    zn_retire(state, sizeof *state);
    return NULL;
}

zn_status zn_state_copy(const zn_system *sys, const zn_state *from, zn_state *to)
{
    ZN_ALIVE(sys);
    ZN_ALIVE(from);
    ZN_ALIVE(to);
    ZN_ASSERT(from && to && from != to);
    ZN_TRY(zn_contact_set_copy(from->contacts, to->contacts));
    to->t = from->t;
    to->energy = from->energy;
    to->whole = from->whole;
    memcpy(to->q, from->q, sizeof *to->q * (size_t)sys->info.nq);
    memcpy(to->v, from->v, sizeof *to->v * (size_t)sys->info.n_all);
    memcpy(to->reaction, from->reaction, sizeof *to->reaction * (size_t)(sys->info.n_all - sys->info.n));
    return ZN_OK;
}
