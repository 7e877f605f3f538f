// The rule of balls and rims on cylinders, bores and planes: cylinder_place.c has the geometry, cylinder_between.c what
// lies between two states. Circumferential sliding is the derivative of no function, as on round surfaces
// (rigid_contact.c): there is no slip.
#include "model/contact/cylinder_contact.h"

#include "model/contact/cylinder_between.h"
#include "model/contact/cylinder_place.h"

static zn_status evaluate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                          zn_contact_product *out)
{
    int number = (int)key.number;
    (void)t;
    const zn_cylinder_contact *p = rule;
    zn_cylinder_place          at;
    ZN_TRY(zn_cylinder_place_at(p, layout, number, q, &at));
    out->gap = at.gap;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    zn_vec3 c = zn_cylinder_point(&p->side[number], &at);
    out->entries = zn_rigid_relative_row(&at.A, &at.B, c, at.normal, out->dof, out->value);
    if (!out->tangent[0])
        return ZN_OK;
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    for (int i = 0; i < 2; i++)
        zn_rigid_relative_row(&at.A, &at.B, c, at.tangent[i], out->dof, out->tangent[i]);
    return ZN_OK;
}

static zn_rigid_motion motion_of(const zn_rigid *b, const double *x)
{
    return (zn_rigid_motion){.shift = zn_rigid_velocity(b, x, b->position), .spin = zn_rigid_spin(b, x)};
}

static zn_status curvature(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    int number = (int)key.number;
    (void)t;
    const zn_cylinder_contact *p = rule;
    const zn_cylinder_side    *c = &p->side[number];
    zn_cylinder_place          at;
    ZN_TRY(zn_cylinder_place_at(p, layout, number, q, &at));
    zn_rigid_motion    A = motion_of(&at.A, x), B = motion_of(&at.B, x);
    zn_cylinder_change d = zn_cylinder_change_with(c, &at, &A, &B);
    zn_vec3            point = zn_cylinder_point(c, &at);
    zn_vec3            dpoint = zn_cylinder_is_rim(c) ? d.y : zn_vec3_sub(d.y, zn_vec3_scale(c->radius, d.normal));
    zn_rigid_relative_change(&at.A, &at.B, at.y, at.normal, d.y, d.normal, *lambda, x, y);
    for (int i = 0; i < 2 && p->friction > 0; i++)
        zn_rigid_relative_change(&at.A, &at.B, point, at.tangent[i], dpoint, d.tangent[i], lambda[1 + i], x, y);
    return ZN_OK;
}

// --- what is near, and where ---------------------------------------------------------------------

// Is the contact point over the surface, that may end?
static bool is_over(const zn_cylinder_side *c, const zn_cylinder_place *at)
{
    zn_vec3 f = zn_vec3_sub(at->y, at->base);
    if (c->taper != 0) // the foot
        f = zn_vec3_sub(f, zn_vec3_scale(at->gap + c->radius, at->normal));
    bool plane = c->kind == ZN_SURFACE_PLANE;
    for (int k = 0; k < (plane ? 2 : 1); k++) {
        double along = fabs(zn_vec3_dot(plane ? at->tangent[k] : at->axis, f));
        if (c->half[k] > 0 && !(c->open ? along < c->half[k] : along <= c->half[k]))
            return false;
    }
    return true;
}

static zn_status detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    const zn_cylinder_contact *p = rule;
    for (int i = 0; i < p->sides; i++) {
        zn_cylinder_place at;
        ZN_TRY(zn_cylinder_place_at(p, layout, i, q, &at));
        if ((p->depth == 0 || at.gap >= -p->depth) && is_over(&p->side[i], &at))
            out->number[out->count++] = i;
    }
    return ZN_OK;
}

static double depth(const void *rule) { return ((const zn_cylinder_contact *)rule)->depth; }

static void visit_nodes(const void *rule, void (*visit)(void *user, int node), void *user)
{
    const zn_cylinder_contact *p = rule;
    for (int i = 0; i < p->sides; i++) {
        if (p->side[i].point.node.value > 0)
            visit(user, p->side[i].point.node.value - 1);
        if (p->side[i].surface.node.value > 0)
            visit(user, p->side[i].surface.node.value - 1);
    }
}

static zn_contact_pair between_what(const void *rule, zn_contact_key key)
{
    const zn_cylinder_side *c = &((const zn_cylinder_contact *)rule)->side[key.number];
    return (zn_contact_pair){.node = {c->point.node, c->surface.node}};
}

static zn_status locate(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                        zn_contact_location *out)
{
    int                        number = (int)key.number;
    const zn_cylinder_contact *p = rule;
    const zn_cylinder_side    *c = &p->side[number];
    zn_cylinder_place          at;
    ZN_TRY(zn_cylinder_place_at(p, layout, number, q, &at));
    *out = (zn_contact_location){.position = zn_cylinder_point(c, &at),
                                 .normal = at.normal,
                                 .tangent = {at.tangent[0], at.tangent[1]},
                                 .surface = (int)c->kind,
                                 .carrier = c->surface.node,
                                 .through = c->surface.at,
                                 .direction = c->axis,
                                 .along = c->tangent[0],
                                 .size = c->size,
                                 .taper = c->taper,
                                 .half = {c->half[0], c->half[1]},
                                 .point = c->point.node,
                                 .rim = c->rim,
                                 .rim_at = c->point.at,
                                 .rim_radius = c->radius};
    return ZN_OK;
}

static const char *lacks_between(const void *rule, const zn_layout *layout)
{
    (void)layout;
    const zn_cylinder_contact *p = rule;
    return p->side[0].taper != 0 ? "its surface is a cone" : NULL;
}

static bool grounded(const void *rule, zn_vec3 *along)
{
    const zn_cylinder_contact *p = rule;
    bool                       ground = false;
    for (int i = 0; i < p->sides; i++) {
        const zn_cylinder_side *c = &p->side[i];
        ground |= c->point.node.value == 0 || c->surface.node.value == 0;
        if (p->friction == 0 && c->kind == ZN_SURFACE_PLANE && c->surface.node.value == 0)
            *along = c->axis;
    }
    return ground;
}

// A circle, by points of it.
static void touch_around(zn_attachment centre, zn_vec3 axis, double radius, zn_touch_visit *visit, void *user)
{
    enum { POINTS = 16 };
    zn_vec3 a[2];
    zn_contact_tangents(axis, false, a);
    for (int i = 0; i < POINTS; i++) {
        double  angle = 2 * zn_acos(-1) * i / POINTS;
        zn_vec3 out =
            zn_vec3_add(zn_vec3_scale(radius * zn_cos(angle), a[0]), zn_vec3_scale(radius * zn_sin(angle), a[1]));
        zn_attachment at = {centre.node, zn_vec3_add(centre.at, out)};
        visit(user, &at, 0);
    }
}

static void touch(const void *rule, zn_touch_visit *visit, void *user)
{
    const zn_cylinder_contact *p = rule;
    for (int i = 0; i < p->sides; i++) {
        const zn_cylinder_side *c = &p->side[i];
        if (zn_cylinder_is_rim(c))
            touch_around(c->point, c->rim, c->radius, visit, user);
        else
            visit(user, &c->point, c->radius);
        if (c->kind != ZN_SURFACE_CYLINDER || c->half[0] == 0)
            continue;
        for (int side = -1; side <= 1; side += 2) { // the ends of a pin
            zn_attachment end = c->surface;
            end.at = zn_vec3_add(end.at, zn_vec3_scale(side * c->half[0], c->axis));
            touch_around(end, c->axis, c->size + side * c->half[0] * zn_tan(c->taper), visit, user);
        }
    }
}

#define CYLINDER_OPS(word, detection, behind)                                                                          \
    {                                                                                                                  \
        .name = (word), .max_entries = 2 * ZN_RIGID_DOFS, .detect = (detection), .depth = (behind),                    \
        .visit = visit_nodes, .evaluate = evaluate, .curvature = curvature, .lacks_between = lacks_between,            \
        .evaluate_between = zn_cylinder_evaluate_between, .curvature_between = zn_cylinder_curvature_between,          \
        .locate = locate, .pair = between_what, .grounded = grounded, .touch = touch,                                  \
    }

const zn_contact_ops zn_cylinder_contact_ops = CYLINDER_OPS("contact with a cylinder", NULL, NULL);
const zn_contact_ops zn_cylinder_end_ops = CYLINDER_OPS("contact with a cylinder that ends", detect, depth);
