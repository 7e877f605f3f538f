// Momenta: how far a scheme that keeps them has changed them since the start, along and about the axes along and about
// which nothing acts from outside (outside.c): p, L about the origin, and L - c x p about the centre of mass c.
//
// Changes are relative to the largest sum of the sizes of momenta so far, |p_i| and |x_i| |p_i| + |S_i| of all nodes:
// the momentum of bodies that move towards each other may be zero. With velocities e_x and e_y of all nodes, M e and
// its moment are the mass and the place of its centre: L(e_x) = m c x e_x.
#include <math.h>
#include <string.h>

#include "sim/momenta.h"

// --- measuring -----------------------------------------------------------------------------------

void zn_momenta_set_unit(const zn_sim *sim, int axis)
{
    memset(sim->unit, 0, sizeof *sim->unit * (size_t)sim->sys->info.n_all);
    for (int i = 0; i < sim->sys->layout.nodes; i++) {
        const zn_layout_node *node = &sim->sys->layout.node[i];
        if (zn_node_dimension(node->kind) >= 2 && node->dof[axis] >= 0)
            sim->unit[node->dof[axis]] = 1;
    }
}

zn_status zn_momenta_of(const zn_sim *sim, int part, zn_momenta *out)
{
    const zn_state *state = sim->state;
    zn_at           at = {state->q, sim->unit, state->t, 0};
    zn_vec3         p[2], l[2];
    for (int axis = 0; axis < 2; axis++) {
        zn_momenta_set_unit(sim, axis);
        ZN_TRY(zn_system_momentum(sim->sys, at, part, sim->work, &p[axis], &l[axis]));
    }
    out->mass = p[0].x;
    out->centre = out->mass > 0 ? zn_vec3_scale(1 / out->mass, (zn_vec3){l[1].z, -l[0].z, l[0].y}) : (zn_vec3){0};
    at.v = state->v;
    ZN_TRY(zn_system_momentum(sim->sys, at, part, sim->work, &out->linear, &out->angular));
    out->spin = zn_vec3_sub(out->angular, zn_vec3_cross(out->centre, out->linear));
    return ZN_OK;
}

// Sums of sizes, from M v that the measurement has left.
static void add_sizes(const zn_sim *sim, zn_vec3 centre, double size[ZN_MOMENTA])
{
    double sum[ZN_MOMENTA] = {0};
    for (int i = 0; i < sim->sys->layout.nodes; i++) {
        const zn_layout_node *node = &sim->sys->layout.node[i];
        const double         *x = sim->state->q + node->q, *p = sim->work;
        int                   dim = zn_node_dimension(node->kind);
        double                turn = 0;
        if (dim < 2)
            continue;
        zn_vec3 at = {node->origin.x + x[0], node->origin.y + x[1], node->origin.z + (dim == 3 ? x[2] : 0)};
        zn_vec3 push = {p[node->dof[0]], p[node->dof[1]], dim == 3 ? p[node->dof[2]] : 0};
        for (int slot = 3; slot < 6; slot++)
            turn += node->dof[slot] >= 0 ? fabs(p[node->dof[slot]]) : 0;
        sum[0] += zn_vec3_norm(push);
        sum[1] += zn_vec3_norm(at) * zn_vec3_norm(push) + turn;
        sum[2] += zn_vec3_norm(zn_vec3_sub(at, centre)) * zn_vec3_norm(push) + turn;
    }
    for (int k = 0; k < ZN_MOMENTA; k++)
        size[k] = fmax(size[k], zn_system_sum(sim->sys, sum[k]));
}

// --- the certificate -----------------------------------------------------------------------------

static void gather(const zn_momenta *m, zn_vec3 out[ZN_MOMENTA])
{
    out[ZN_MOMENTUM_LINEAR] = m->linear;
    out[ZN_MOMENTUM_ANGULAR] = m->angular;
    out[ZN_MOMENTUM_SPIN] = m->spin;
}

static zn_worst *line_of(zn_certificate *c, int momentum)
{
    return momentum == ZN_MOMENTUM_LINEAR    ? &c->linear_momentum
           : momentum == ZN_MOMENTUM_ANGULAR ? &c->angular_momentum
                                             : &c->spin_momentum;
}

zn_status zn_momenta_start(zn_sim *sim)
{
    zn_kept_momenta *k = &sim->momenta;
    zn_momenta       now;
    *k = (zn_kept_momenta){0};
    if (sim->scheme && zn_scheme_keeps_momentum(sim->scheme)) {
        ZN_TRY(zn_momenta_find_kept(sim, k->kept));
        ZN_TRY(zn_momenta_of(sim, -1, &now));
        gather(&now, k->start);
        add_sizes(sim, now.centre, k->size);
    }
    for (int m = 0; m < ZN_MOMENTA; m++)
        if (!k->kept[m][0] && !k->kept[m][1] && !k->kept[m][2])
            line_of(&sim->certificate, m)->value = NAN;
        else
            k->measured = true;
    return ZN_OK;
}

static double change_of(zn_vec3 from, zn_vec3 to, const bool kept[3])
{
    zn_vec3 d = zn_vec3_sub(to, from);
    return hypot(hypot(kept[0] ? d.x : 0, kept[1] ? d.y : 0), kept[2] ? d.z : 0);
}

zn_status zn_momenta_account(zn_sim *sim)
{
    zn_kept_momenta *k = &sim->momenta;
    zn_vec3          now[ZN_MOMENTA];
    zn_momenta       all;
    zn_sim_look(sim);
    ZN_TRY(zn_momenta_of(sim, -1, &all));
    gather(&all, now);
    add_sizes(sim, all.centre, k->size);
    for (int m = 0; m < ZN_MOMENTA; m++) {
        zn_worst *worst = line_of(&sim->certificate, m);
        double    change = change_of(k->start[m], now[m], k->kept[m]);
        if (change > k->most[m]) {
            k->most[m] = change;
            worst->time = sim->state->t;
        }
        if (!isnan(worst->value))
            worst->value = k->size[m] > 0 ? k->most[m] / k->size[m] : 0;
    }
    return ZN_OK;
}
