// Torsion springs of planar bodies between two states. Moments work on the ways 2 tan(Dphi/2) of turns (rigid_way.c).
// With M^ the mean moment on the way of the angle (spring_law.c), the moment g M^ of half_turns.h on both takes its
// energy, so that energy and angular momentum are kept. A damper adds c times the difference of the mean velocities,
// the ways over the step, to M^: as g > 0 it never gives energy.
#include "model/element/half_turns.h"
#include "model/element/torsion.h"

enum { DOFS = ZN_TORSION_DOFS, TO = 5, FROM = ZN_RIGID_DOFS + 5 }; // places of the angles

static const zn_torsion *parameters(const zn_element_block *b) { return b->parameter; }

static bool is_small(const zn_layout *layout, zn_node_id id)
{
    return id.value > 0 && layout->node[id.value - 1].small;
}

static const char *lacks_between(const zn_element_block *b, int e)
{
    const zn_travel *t = &parameters(b)[e].travel;
    if (!t->turn)
        return "it acts on a displacement along a body";
    if (!zn_travel_is_straight(t))
        return "its angle in space is no sum of the ways of both bodies";
    return is_small(b->layout, t->a.node) || is_small(b->layout, t->b.node)
               ? "it acts on a frame of linear beams, whose turns add"
               : NULL;
}

typedef struct torsion_way {
    int           dof[2]; // angles of `to` and `from`; -1: the ground
    zn_half_turns turns;
    zn_pull_value pull;
    double        moment; // Q
} torsion_way;

static zn_status evaluate(const zn_element_block *b, int e, zn_between s, torsion_way *w)
{
    const zn_torsion *p = &parameters(b)[e];
    const zn_node_id  id[2] = {p->travel.a.node, p->travel.b.node};
    double            half[2] = {0, 0}, rate = 0;
    for (int k = 0; k < 2; k++) {
        w->dof[k] = b->dof[DOFS * e + (k == 0 ? TO : FROM)];
        if (id[k].value == 0)
            continue;
        int place = b->layout->node[id[k].value - 1].q + 2;
        half[k] = 0.5 * (s.to.q[place] - s.from.q[place]);
        rate += (k == 0 ? 0.5 : -0.5) * (s.from.v[w->dof[k]] + s.to.v[w->dof[k]]);
    }
    w->turns = zn_half_turns_of(half[0], half[1]);
    const double x[2] = {zn_travel_value(&p->travel, b->layout, s.from.q),
                         zn_travel_value(&p->travel, b->layout, s.to.q)};
    w->pull = zn_pull_between(&p->pull, x, rate, (double[2]){s.from.t, s.to.t});
    w->moment = zn_pull_force(&w->pull) * w->turns.g;
    if (isfinite(w->moment))
        return ZN_OK;
    return zn_fail_here(b->log, ZN_NOT_FINITE, "spring '%s': its moment is not a finite number at t = %g s",
                        b->part_name[b->part[e]], s.to.t);
}

static zn_status force_between(const zn_element_block *b, zn_between s, double *f)
{
    for (int e = 0; e < b->count; e++) {
        torsion_way w;
        ZN_TRY(evaluate(b, e, s, &w));
        for (int k = 0; k < 2; k++)
            if (w.dof[k] >= 0)
                f[w.dof[k]] -= k == 0 ? w.moment : -w.moment;
    }
    return ZN_OK;
}

static zn_status operators_between(const zn_element_block *b, zn_between s, double a, double c, double k,
                                   double *values)
{
    static const int place[2] = {TO, FROM};
    (void)a;
    for (int e = 0; e < b->count; e++) {
        torsion_way w;
        ZN_TRY(evaluate(b, e, s, &w));
        for (int j = 0; j < 2; j++) { // dQ when the end of one angle moves
            double sign = j == 0 ? 1 : -1;
            double slope = k * (sign * w.pull.stiffness * w.turns.g + 0.5 * zn_pull_force(&w.pull) * w.turns.change[j]);
            slope += 0.5 * c * sign * w.pull.damping * w.turns.g;
            zn_element_scatter(b, e, TO, place[j], slope, values);
            zn_element_scatter(b, e, FROM, place[j], -slope, values);
        }
    }
    return ZN_OK;
}

zn_status zn_torsion_growth_between(const zn_element_block *b, zn_between s, double *out)
{
    for (int e = 0; e < b->count; e++) {
        torsion_way w;
        if (!parameters(b)[e].pull.moving)
            continue;
        ZN_TRY(evaluate(b, e, s, &w));
        *out += w.pull.growth;
    }
    return ZN_OK;
}

const zn_between_ops zn_torsion_between = {lacks_between, force_between, operators_between};
