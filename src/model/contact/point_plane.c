// A carried point or circle against a fixed half-space:  g = n.(x - p),  row n'J,  curvature of x along n. The radius
// of a circle is part of p. With friction the tangential rows are those of the material point c = x - r n.
// The fast special case of rigid_contact.c: without friction it is called millions of times, so it has a table of
// its own.
#include "base/seldom.h"
#include "model/attachment.h"
#include "model/contact/touch_between.h"
#include "model/rigid_row.h"

// x, and the row of the contact.
static inline zn_vec3 position_row(const zn_point_plane *p, const zn_layout *layout, const double *q, zn_turn *turn,
                                   zn_contact_product *out)
{
    return zn_attachment_position_row(layout, &p->point, q, p->normal, turn, out->dof, out->value, &out->entries);
}

ZN_SELDOM static zn_vec3 position_row_alone(const zn_point_plane *p, const zn_layout *layout, const double *q,
                                            zn_contact_product *out)
{
    zn_turn none = {.angle = NAN};
    return position_row(p, layout, q, &none, out);
}

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    (void)key, (void)t;
    const zn_point_plane *p = rule;
    zn_vec3               x = !out->dof   ? zn_attachment_position(layout, &p->point, q)
                              : out->memo ? position_row(p, layout, q, &out->memo->turn, out)
                                          : position_row_alone(p, layout, q, out);
    out->gap = zn_vec3_dot(p->normal, zn_vec3_sub(x, p->through));
    out->restitution = p->restitution;
    return ZN_OK;
}

// On a node that does not turn, the row is the normal itself.
static bool straight(const void *rule, const zn_layout *layout)
{
    return !zn_node_rotates(layout->node[((const zn_point_plane *)rule)->point.node.value - 1].kind);
}

static zn_status evaluate_friction(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                   double t, zn_contact_product *out)
{
    const zn_point_plane *p = rule;
    ZN_TRY(evaluate(rule, layout, key, q, t, out));
    if (!out->tangent[0])
        return ZN_OK;
    zn_rigid body = zn_rigid_at(layout, p->point.node, q);
    zn_vec3  c = zn_vec3_sub(zn_rigid_point(&body, p->point.at), zn_vec3_scale(p->radius, p->normal));
    for (int i = 0; i < (p->planar ? 1 : 2); i++)
        zn_rigid_row(&body, c, p->tangent[i], out->dof, out->tangent[i]); // the same dofs as the normal row
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    return ZN_OK;
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)key, (void)t;
    const zn_point_plane *p = rule;
    zn_mat3               S = zn_attachment_curvature(layout, &p->point, q, p->normal);
    int                   dof[ZN_ATTACHMENT_DOFS];
    zn_attachment_dofs(layout, &p->point, dof);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (dof[3 + i] >= 0 && dof[3 + j] >= 0)
                y[dof[3 + i]] += *lambda * S.m[i][j] * x[dof[3 + j]];
    return ZN_OK;
}

// c stays below x, as far as it is.
static zn_status curvature_friction(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                    double t, const double *lambda, const double *x, double *y)
{
    const zn_point_plane *p = rule;
    ZN_TRY(curvature(rule, layout, key, q, t, lambda, x, y));
    zn_rigid body = zn_rigid_at(layout, p->point.node, q);
    zn_vec3  centre = zn_rigid_point(&body, p->point.at), c = zn_vec3_sub(centre, zn_vec3_scale(p->radius, p->normal));
    zn_vec3  dc = zn_rigid_velocity(&body, x, centre), none = {0, 0, 0};
    for (int i = 0; i < (p->planar ? 1 : 2); i++)
        zn_rigid_row_change(&body, c, p->tangent[i], dc, none, lambda[1 + i], x, y);
    return ZN_OK;
}

// The way of x along the tangents; a wheel that turns by a takes r a of it back.
static zn_status slip(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q_from,
                      double t_from, const double *q, double t, double out[2])
{
    (void)key, (void)t_from, (void)t;
    const zn_point_plane *p = rule;
    zn_rigid              from = zn_rigid_at(layout, p->point.node, q_from), to = zn_rigid_at(layout, p->point.node, q);
    zn_vec3               way = zn_vec3_sub(zn_rigid_point(&to, p->point.at), zn_rigid_point(&from, p->point.at));
    for (int i = 0; i < (p->planar ? 1 : 2); i++)
        out[i] = zn_vec3_dot(p->tangent[i], way);
    if (p->radius > 0)
        out[0] -= p->radius * (zn_rigid_angle(&to, q) - zn_rigid_angle(&from, q_from));
    return ZN_OK;
}

// --- between two states ----------------------------------------------------------------------------

static zn_touch touch_of(const zn_point_plane *p)
{
    return (zn_touch){.point = p->point,
                      .normal = p->normal,
                      .tangent = p->tangent[0],
                      .radius = p->radius,
                      .planar = p->planar,
                      .tangents = p->friction == 0 ? 0
                                  : p->planar      ? 1
                                                   : 2};
}

static zn_status evaluate_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                  zn_contact_product *out, double *const force[3])
{
    const zn_point_plane *p = rule;
    ZN_TRY((p->friction == 0 ? evaluate : evaluate_friction)(rule, layout, key, s.to.q, s.to.t, out));
    zn_touch touching = touch_of(p);
    if (out->dof)
        zn_touch_rows_between(&touching, layout, s, out, force);
    return ZN_OK;
}

static zn_status curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                   const double *lambda, const double *x, double *y)
{
    (void)key;
    zn_touch touching = touch_of(rule);
    zn_touch_curvature_between(&touching, layout, s, lambda, x, y);
    return ZN_OK;
}

// --- where it is -------------------------------------------------------------------------------------

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    (void)key;
    const zn_point_plane *p = rule;
    zn_vec3               below = zn_vec3_scale(-p->radius, p->normal);
    *out = (zn_contact_location){.position = zn_vec3_add(zn_attachment_position(layout, &p->point, q), below),
                                 .normal = p->normal,
                                 .tangent = {p->tangent[0], p->tangent[1]},
                                 .surface = ZN_SURFACE_PLANE,
                                 .through = zn_vec3_add(p->through, below),
                                 .direction = p->normal,
                                 .point = p->point.node};
    return ZN_OK;
}

static bool grounded(const void *rule, zn_vec3 *along)
{
    const zn_point_plane *p = rule;
    if (p->friction == 0)
        *along = p->normal;
    return true;
}

static void touch(const void *rule, zn_touch_visit *visit, void *user)
{
    const zn_point_plane *p = rule;
    visit(user, &p->point, p->radius);
}

static zn_contact_pair between_what(const void *rule, zn_contact_key key)
{
    (void)key;
    return (zn_contact_pair){.node = {((const zn_point_plane *)rule)->point.node}};
}

const zn_contact_ops zn_point_plane_ops = {
    .name = "point on plane",
    .max_entries = ZN_ATTACHMENT_DOFS,
    .straight = straight,
    .evaluate = evaluate,
    .curvature = curvature,
    .evaluate_between = evaluate_between,
    .curvature_between = curvature_between,
    .locate = locate,
    .pair = between_what,
    .grounded = grounded,
    .touch = touch,
};

const zn_contact_ops zn_point_plane_friction_ops = {
    .name = "point on plane with friction",
    .max_entries = ZN_ATTACHMENT_DOFS,
    .straight = straight,
    .evaluate = evaluate_friction,
    .curvature = curvature_friction,
    .evaluate_between = evaluate_between,
    .curvature_between = curvature_between,
    .locate = locate,
    .pair = between_what,
    .grounded = grounded,
    .touch = touch,
    .slip = slip,
};

const zn_contact_ops zn_point_plane_rolling_ops = {
    .name = "ball on plane",
    .max_entries = ZN_ATTACHMENT_DOFS,
    .straight = straight,
    .evaluate = evaluate_friction,
    .curvature = curvature_friction,
    .evaluate_between = evaluate_between,
    .curvature_between = curvature_between,
    .locate = locate,
    .pair = between_what,
    .grounded = grounded,
    .touch = touch,
};
