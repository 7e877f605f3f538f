// Points (centre x, radius r >= 0) against the outer facets of a solid that deforms. With the foot X = sum N_a x_a of x
// on its nearest facet and the normal n of that facet at the foot (not averaged with its neighbours'):
//     g = n.(x - X) - r,   rows  + row(body of the point, c, d),  - N_a d on the corners,   c = x - r n
// for d = n and the tangents alike. The feet of points beside a facet are on its continuation, so forces sum to zero
// and their moments to that of the tangential ones over the gap. The gap is continuous where a point goes from facet to
// facet, its row turns by the angle between them.
// In a hollow of the surface a point rests on several facets at once, and no single row bears it: where a step finds no
// answer it is split into contacts that stay on a facet each (hollow.c, system/hollows.c).
// The first tangent is along the first side of the facet; tangents turn with it, and change from facet to facet. The
// changes of n, the tangents and N_a are in facet.c, those of the other row in rigid_row.c.
#include "model/contact/nodes_facets.h"

static zn_status find_foot(const zn_nodes_facets *p, const zn_layout *layout, zn_contact_key key, const double *q,
                           zn_on_facet *out)
{
    bool stays = key.feature > 0; // one of several in a hollow
    return (stays ? zn_facet_stay : zn_facet_walk)(p, layout, (int)key.number, key.piece / p->splits, q, out);
}

static bool knows(const void *rule, zn_contact_key key)
{
    return key.number >= 0 && key.number < ((const zn_nodes_facets *)rule)->points && key.feature >= 0 &&
           key.feature <= ZN_HOLLOW_PIECES;
}

static zn_vec3 contact_point(const zn_nodes_facets *p, const zn_on_facet *at)
{
    return zn_vec3_sub(at->centre, zn_vec3_scale(p->radius, at->foot.normal));
}

static int write_row(const zn_nodes_facets *p, const zn_layout *layout, const zn_on_facet *at, zn_vec3 d, int *dof,
                     double *value)
{
    const double along[3] = {d.x, d.y, d.z};
    int          count = zn_rigid_row(&at->body, contact_point(p, at), d, dof, value);
    for (int a = 0; a < p->corners; a++) {
        const zn_layout_node *node = &layout->node[p->node[at->facet * p->corners + a]];
        for (int i = 0; i < (p->planar ? 2 : 3); i++) {
            dof[count] = node->dof[i];
            value[count++] = -at->foot.N[a] * along[i];
        }
    }
    return count;
}

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    (void)t;
    const zn_nodes_facets *p = rule;
    const zn_found_feet   *feet = out->memo && key.feature == 0 ? out->memo->feet : NULL;
    zn_on_facet            at;
    if (!feet || !zn_facet_known(p, layout, (int)key.number, key.piece / p->splits, feet, q, &at))
        ZN_TRY(find_foot(p, layout, key, q, &at));
    out->gap = at.foot.gap - p->radius;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    out->entries = write_row(p, layout, &at, at.foot.normal, out->dof, out->value);
    if (!out->tangent[0])
        return ZN_OK;
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    for (int i = 0; i < (p->planar ? 1 : 2); i++)
        write_row(p, layout, &at, at.foot.tangent[i], out->dof, out->tangent[i]);
    return ZN_OK;
}

static zn_vec3 node_motion(const zn_layout_node *node, const double *x, bool planar)
{
    return (zn_vec3){x[node->dof[0]], x[node->dof[1]], planar ? 0 : x[node->dof[2]]};
}

// y += lambda times the change of the row along d, when d changes by dd.
static void add_change(const zn_nodes_facets *p, const zn_layout *layout, const zn_on_facet *at, zn_vec3 d, zn_vec3 dd,
                       zn_vec3 dc, const double *dN, double lambda, const double *x, double *y)
{
    zn_rigid_row_change(&at->body, contact_point(p, at), d, dc, dd, lambda, x, y);
    for (int a = 0; a < p->corners; a++) {
        const zn_layout_node *node = &layout->node[p->node[at->facet * p->corners + a]];
        zn_vec3               change = zn_vec3_add(zn_vec3_scale(dN[a], d), zn_vec3_scale(at->foot.N[a], dd));
        y[node->dof[0]] -= lambda * change.x;
        y[node->dof[1]] -= lambda * change.y;
        if (!p->planar)
            y[node->dof[2]] -= lambda * change.z;
    }
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)t;
    const zn_nodes_facets *p = rule;
    zn_on_facet            at;
    zn_vec3                dx[ZN_FACET_CORNERS];
    ZN_TRY(find_foot(p, layout, key, q, &at));
    for (int a = 0; a < p->corners; a++)
        dx[a] = node_motion(&layout->node[p->node[at.facet * p->corners + a]], x, p->planar);
    zn_vec3        dp = zn_rigid_velocity(&at.body, x, at.centre);
    zn_foot_change change = zn_facet_change(p->corners, &at.foot, dx, dp);
    zn_vec3        dc = zn_vec3_sub(dp, zn_vec3_scale(p->radius, change.normal));
    add_change(p, layout, &at, at.foot.normal, change.normal, dc, change.N, lambda[0], x, y);
    for (int i = 0; p->friction > 0 && i < (p->planar ? 1 : 2); i++)
        add_change(p, layout, &at, at.foot.tangent[i], change.tangent[i], dc, change.N, lambda[1 + i], x, y);
    return ZN_OK;
}

static zn_contact_pair between_what(const void *rule, zn_contact_key key)
{
    const zn_nodes_facets *p = rule;
    return (zn_contact_pair){.node = {p->point[key.number].node}, .name = {NULL, ""}};
}

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    const zn_nodes_facets *p = rule;
    zn_on_facet            at;
    ZN_TRY(find_foot(p, layout, key, q, &at));
    *out = (zn_contact_location){.position = contact_point(p, &at),
                                 .normal = at.foot.normal,
                                 .tangent = {at.foot.tangent[0], at.foot.tangent[1]},
                                 .surface = -1,
                                 .point = p->point[key.number].node,
                                 .corners = p->corners};
    for (int a = 0; a < p->corners; a++) {
        out->corner[a].value = p->node[at.facet * p->corners + a] + 1;
        out->share[a] = at.foot.N[a];
    }
    return ZN_OK;
}

static void visit_nodes(const void *rule, void (*visit)(void *user, int node), void *user)
{
    const zn_nodes_facets *p = rule;
    for (int i = 0; i < p->points; i++)
        visit(user, p->point[i].node.value - 1);
    for (int i = 0; i < p->facets * p->corners; i++)
        visit(user, p->node[i]);
}

static double depth(const void *rule) { return ((const zn_nodes_facets *)rule)->depth; }

static bool grounded(const void *rule, zn_vec3 *along)
{
    (void)rule, (void)along;
    return false;
}

const zn_contact_ops zn_nodes_facets_ops = {
    .name = "points on facets",
    .max_entries = ZN_RIGID_DOFS + 3 * ZN_FACET_CORNERS,
    .detect = zn_facet_detect,
    .visit = visit_nodes,
    .depth = depth,
    .scratch = zn_facet_scratch,
    .knows = knows,
    .hollow = zn_facet_hollow,
    .evaluate = evaluate,
    .curvature = curvature,
    .lacks_between = zn_nodes_facets_lack_between,
    .evaluate_between = zn_nodes_facets_between,
    .curvature_between = zn_nodes_facets_curvature_between,
    .settle = zn_nodes_facets_settle,
    .locate = locate,
    .pair = between_what,
    .grounded = grounded,
};
