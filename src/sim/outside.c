// What acts on a model from outside, so that momenta change: decided once, from the model.
//
//     gravity g               linear momentum along g; angular momentum about axes across g, but for that about the
//                             centre of mass
//     a fixed displacement    linear momentum along it; both angular momenta about axes across it
//     a fixed rotation        both angular momenta
//     a plane of the ground   as a fixed displacement along its normal; with friction, or if it is no plane, all
//     anything else           all: loads, accelerations, elements and joints at the ground, prescribed motion, damping
//                             of masses
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/model.h"
#include "sim/momenta.h"

// A force along a direction that never changes, at a place of the model; zero: of any kind.
static void hold(bool (*kept)[3], zn_vec3 along)
{
    const double d[3] = {along.x, along.y, along.z};
    bool         any = zn_vec3_norm(along) == 0;
    for (int k = 0; k < 3; k++) {
        bool across = d[(k + 1) % 3] != 0 || d[(k + 2) % 3] != 0;
        kept[0][k] &= !any && d[k] == 0;
        kept[1][k] &= !any && !across;
        kept[2][k] &= !any && !across;
    }
}

static void hold_fixed(const zn_system *sys, bool (*kept)[3])
{
    for (int i = 0; i < sys->layout.nodes; i++)
        for (int slot = 0; slot < 6; slot++) {
            if (sys->layout.node[i].dof[slot] < sys->info.n) // -1: there is none
                continue;
            if (slot < 3)
                hold(kept, (zn_vec3){slot == 0, slot == 1, slot == 2});
            else
                memset(kept[1], 0, 2 * sizeof kept[1]);
        }
}

static bool is_outside(const zn_element_block *b)
{
    bool ground = b->ops->load;
    for (int i = 0; i < b->count * b->ops->nodes; i++)
        ground |= b->node[i] < 0;
    return ground;
}

static zn_status damping_of(const zn_sim *sim, double *rest, double *sum, double *size)
{
    const zn_system *sys = sim->sys;
    zn_at            at = {sim->state->q, sim->unit, sim->state->t, 0};
    ZN_TRY(zn_system_force(sys, at, sim->work));
    *sum = *size = 0;
    for (int i = 0; i < sys->info.n_all; i++) {
        *sum += sim->work[i] - rest[i];
        *size += fabs(sim->work[i] - rest[i]);
    }
    return ZN_OK;
}

// Dampers within the model do not resist when all moves alike. Compared with what they do when nodes move against each
// other.
static zn_status find_damping(zn_sim *sim, double *rest, bool *out)
{
    const zn_system *sys = sim->sys;
    double           sum, size;
    memset(sim->unit, 0, sizeof *sim->unit * (size_t)sys->info.n_all);
    ZN_TRY(zn_system_force(sys, (zn_at){sim->state->q, sim->unit, sim->state->t, 0}, rest));
    for (int i = 0; i < sys->info.n_all; i++)
        sim->unit[i] = fmod(i * 0.61803398874989485, 1) - 0.5; // no two alike
    ZN_TRY(damping_of(sim, rest, &sum, &size));
    double against = size;
    for (int axis = 0; axis < (sys->info.planar ? 2 : 3) && !*out; axis++) {
        zn_momenta_set_unit(sim, axis);
        ZN_TRY(damping_of(sim, rest, &sum, &size));
        *out = fabs(sum) > 1e-9 * against;
    }
    return ZN_OK;
}

static zn_status hold_damped(zn_sim *sim, bool (*kept)[3])
{
    bool      damped = false, outside = false;
    zn_status status = ZN_OK;
    for (int i = 0; i < sim->sys->blocks; i++)
        damped |= sim->sys->velocity[i] == ZN_VELOCITY_DAMPER;
    if (!damped)
        return ZN_OK;
    double *rest = ZN_NEW(double, sim->sys->info.n_all);
    status = rest ? find_damping(sim, rest, &outside) : ZN_ERR_MEMORY;
    if (outside)
        hold(kept, (zn_vec3){0});
    free(rest);
    return status;
}

zn_status zn_momenta_find_kept(zn_sim *sim, bool kept[ZN_MOMENTA][3])
{
    const zn_system *sys = sim->sys;
    const zn_model  *model = sys->model;
    memset(kept, true, sizeof(bool) * ZN_MOMENTA * 3);
    if (zn_vec3_norm(model->gravity) > 0) {
        bool about_centre[3] = {true, true, true};
        hold(kept, model->gravity);
        memcpy(kept[ZN_MOMENTUM_SPIN], about_centre, sizeof about_centre);
    }
    if (model->accelerations > 0 || model->lagrangians > 0)
        hold(kept, (zn_vec3){0});
    hold_fixed(sys, kept);
    for (int i = 0; i < sys->blocks; i++)
        if (is_outside(&sys->block[i]))
            hold(kept, (zn_vec3){0});
    for (int i = 0; i < model->rules; i++) {
        const zn_contact_rule *rule = &model->rule[i];
        zn_vec3                along = {0};
        if (!rule->ops->grounded || rule->ops->grounded(rule->parameter, &along))
            hold(kept, along);
    }
    for (int m = 0; m < ZN_MOMENTA && sys->info.planar; m++) // there is nothing else
        kept[m][m == ZN_MOMENTUM_LINEAR ? 2 : 0] = kept[m][m == ZN_MOMENTUM_LINEAR ? 2 : 1] = false;
    return hold_damped(sim, kept);
}
