// Dry friction on a travel. See dry_friction.h.
//     g = x of the clamp,   rows: the clamp; the travel; in space, the idle scalar
// Over the entries clamp, idle, travel.
#include "model/joint/dry_friction.h"

#include <string.h>

#include "base/assert.h"

static int dof_of(const zn_layout *layout, zn_node_id node) { return layout->node[node.value - 1].dof[0]; }

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    (void)key, (void)t;
    const zn_dry_friction *p = rule;
    bool                   space = p->idle.value != 0;
    out->restitution = 0;
    out->friction = 1;
    out->gap = q[layout->node[p->clamp.value - 1].q];
    if (!out->dof)
        return ZN_OK;
    int first = space ? 2 : 1;
    out->dof[0] = dof_of(layout, p->clamp);
    if (space)
        out->dof[1] = dof_of(layout, p->idle);
    out->entries = first + zn_travel_row(&p->travel, layout, q, out->dof + first, out->tangent[0] + first);
    memset(out->value, 0, sizeof *out->value * (size_t)out->entries);
    out->value[0] = 1;
    for (int i = 0; i < first; i++)
        out->tangent[0][i] = 0;
    if (space) {
        memset(out->tangent[1], 0, sizeof *out->tangent[1] * (size_t)out->entries);
        out->tangent[1][1] = 1;
    }
    return ZN_OK;
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)key, (void)t;
    zn_travel_change(&((const zn_dry_friction *)rule)->travel, layout, q, lambda[1], x, y);
    return ZN_OK;
}

static zn_status slip(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q_from,
                      double t_from, const double *q, double t, double out[2])
{
    (void)key, (void)t_from, (void)t;
    const zn_dry_friction *p = rule;
    out[0] = zn_travel_value(&p->travel, layout, q) - zn_travel_value(&p->travel, layout, q_from);
    if (p->idle.value != 0) {
        int place = layout->node[p->idle.value - 1].q;
        out[1] = q[place] - q_from[place];
    }
    return ZN_OK;
}

// Along the axis, about which or along which it acts.
static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    (void)key;
    const zn_dry_friction *p = rule;
    *out = (zn_contact_location){.surface = -1, .carrier = p->travel.b.node, .point = p->travel.a.node};
    zn_travel_place(&p->travel, layout, q, &out->position, &out->tangent[0]);
    zn_vec3 across[2];
    zn_contact_tangents(out->tangent[0], false, across);
    out->normal = across[0];
    out->tangent[1] = across[1];
    return ZN_OK;
}

static bool grounded(const void *rule, zn_vec3 *along)
{
    (void)along;
    const zn_dry_friction *p = rule;
    return p->travel.a.node.value == 0 || p->travel.b.node.value == 0;
}

// It bounds the moment of a travel that is an angle.
static bool angular(const void *rule, int row)
{
    (void)row;
    return ((const zn_dry_friction *)rule)->travel.turn;
}

const zn_contact_ops zn_dry_friction_ops = {
    .name = "dry friction",
    .max_entries = ZN_TRAVEL_ENTRIES + 2,
    .evaluate = evaluate,
    .curvature = curvature,
    .slip = slip,
    .locate = locate,
    .grounded = grounded,
    .angular = angular,
};
