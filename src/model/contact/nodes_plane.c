// Every node of a set against a fixed half-space:  g = n.(x - p) = n.u + offset,  row n.  One rule with as many
// contacts as nodes, numbered in the order of the set; nothing but the gaps ever changes. Tangential rows: the tangents
// of the plane.
#include <stdlib.h>

#include "model/attachment.h"
#include "model/contact/contact_points.h"

/// Parameter of the rule, with the offsets and the nodes behind it.
typedef struct nodes_plane {
    int     points;
    zn_vec3 normal, tangent[2];
    int     tangents;
    double  restitution, friction, tangential_restitution;
    struct {
        int    node;
        double offset; // n.(origin - p)
    } point[];
} nodes_plane;

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    int number = (int)key.number;
    (void)t;
    const nodes_plane    *p = rule;
    const zn_layout_node *node = &layout->node[p->point[number].node];
    const double         *u = q + node->q, n[3] = {p->normal.x, p->normal.y, p->normal.z};
    int                   dim = zn_node_dimension(node->kind);
    double                gap = p->point[number].offset;
    for (int i = 0; i < dim; i++)
        gap += n[i] * u[i];
    out->gap = gap;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    out->entries = dim;
    for (int i = 0; i < dim; i++) {
        out->dof[i] = node->dof[i];
        out->value[i] = n[i];
    }
    for (int k = 0; out->tangent[0] && k < p->tangents; k++) {
        const double along[3] = {p->tangent[k].x, p->tangent[k].y, p->tangent[k].z};
        for (int i = 0; i < dim; i++)
            out->tangent[k][i] = along[i];
    }
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    return ZN_OK;
}

static bool straight(const void *rule, const zn_layout *layout)
{
    (void)rule, (void)layout;
    return true;
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)rule, (void)layout, (void)key, (void)q, (void)t, (void)lambda, (void)x, (void)y;
    return ZN_OK; // none
}

static zn_status slip(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q_from,
                      double t_from, const double *q, double t, double out[2])
{
    (void)t_from, (void)t;
    const nodes_plane    *p = rule;
    const zn_layout_node *node = &layout->node[p->point[key.number].node];
    for (int k = 0; k < p->tangents; k++) {
        const double along[3] = {p->tangent[k].x, p->tangent[k].y, p->tangent[k].z};
        out[k] = 0;
        for (int i = 0; i < zn_node_dimension(node->kind); i++)
            out[k] += along[i] * (q[node->q + i] - q_from[node->q + i]);
    }
    return ZN_OK;
}

static zn_contact_pair between_what(const void *rule, zn_contact_key key)
{
    const nodes_plane *p = rule;
    return (zn_contact_pair){.node = {{p->point[key.number].node + 1}, {0}}};
}

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    const nodes_plane *p = rule;
    zn_contact_product at = {0};
    zn_attachment      node = {{p->point[key.number].node + 1}, {0, 0, 0}};
    zn_vec3            x = zn_attachment_position(layout, &node, q);
    ZN_TRY(evaluate(rule, layout, key, q, 0, &at));
    *out = (zn_contact_location){.position = x,
                                 .normal = p->normal,
                                 .tangent = {p->tangent[0], p->tangent[1]},
                                 .surface = ZN_SURFACE_PLANE,
                                 .through = zn_vec3_sub(x, zn_vec3_scale(at.gap, p->normal)),
                                 .direction = p->normal,
                                 .point = node.node};
    return ZN_OK;
}

static void visit_nodes(const void *rule, void (*visit)(void *user, int node), void *user)
{
    const nodes_plane *p = rule;
    for (int i = 0; i < p->points; i++)
        visit(user, p->point[i].node);
}

static bool grounded(const void *rule, zn_vec3 *along)
{
    const nodes_plane *p = rule;
    if (p->friction == 0)
        *along = p->normal;
    return true;
}

static const zn_contact_ops ops = {
    .name = "nodes on plane",
    .max_entries = 3,
    .straight = straight,
    .visit = visit_nodes,
    .evaluate = evaluate,
    .curvature = curvature,
    .slip = slip,
    .locate = locate,
    .pair = between_what,
    .grounded = grounded,
};

zn_status zn_model_add_nodes_plane(zn_model *model, const zn_contact_def *def, zn_vec3 normal,
                                   const zn_contact_points *points, int rows)
{
    int          count = points->count;
    nodes_plane *p;
    size_t       size = sizeof *p + (size_t)count * sizeof p->point[0];
    p = malloc(size);
    if (!p)
        return ZN_ERR_MEMORY;
    *p = (nodes_plane){.points = count,
                       .normal = normal,
                       .restitution = def->restitution,
                       .friction = def->friction,
                       .tangential_restitution = def->tangential_restitution};
    p->tangents = zn_contact_tangents(normal, model->planar, p->tangent);
    zn_vec3 through = zn_vec3_add(def->through, zn_vec3_scale(def->radius, normal));
    for (int i = 0; i < count; i++) {
        int node = points->point[i].node.value - 1;
        p->point[i].node = node;
        p->point[i].offset = zn_vec3_dot(normal, zn_vec3_sub(model->node[node].origin, through));
    }
    zn_status status = zn_model_add_rows_rule(model, def->name, &ops, count, rows, p, size);
    free(p);
    return status;
}
