// A ball (centre x, radius r >= 0) or a rim (circle of radius r about x, across u = R_A u_A) of body A against a
// cylinder or bore of body B with the axis e = R_B e_B through s, radius R; P = I - e e'. A ball is met in y = x, a rim
// in its point y = x + r w that is nearest to the axis or, in a bore, farthest from it (rim.c). With m = P(y - s):
//     cylinder   ball:           g = |m| - R - r     n = m / |m|
//                rim beside it:  g = |m| - R         n = m / |m|
//                ring around it: g = |m| - R         n = m / |m|       r > R
//     bore       ball:           g = R - r - |m|     n = -m / |m|
//                rim:            g = R - |m|         n = -m / |m|      r < R
//     plane      rim:            g = n.(y - s)       n = R_B n_B, y the lowest point
// As y is an extreme of the distance, the change of w does not enter that of the gap: rows are those of the material
// points at c (rigid_row.c), c = y for a rim, x - r n for a ball. Tangents: e x n and e; of planes those carried by B.
// The second derivatives need dw = S_A x w + t dθ, t = u x w, where t.m = 0 stays (F' of rim.c):
//     F' dθ = -(S_A x t).m - t.dm',    dm' = P(v_A(y) - v_B(s)) - (e.f) de - (de.f) e,   f = y - s, de = S_B x e
// Circumferential sliding is the derivative of no function, as on round surfaces (rigid_contact.c).
#include "model/contact/cylinder_contact.h"

#include "base/assert.h"
#include "model/contact/rim.h"
#include "model/rigid_row.h"

typedef struct placement {
    zn_rigid A, B;
    zn_vec3  centre; // x
    zn_vec3  base;   // s
    zn_vec3  axis;   // e
    zn_vec3  rim;    // u
    zn_vec3  w;      // of a rim
    zn_vec3  y, m;
    double   length; // |m|; 0: there is no direction
    double   sign;   // of n along m
    zn_vec3  normal;
    double   gap;
    zn_vec3  tangent[2];
} placement;

// Below this length a direction is lost in underflow.
static const double no_length = 1e-150;

static zn_vec3 across(zn_vec3 a, zn_vec3 e) { return zn_vec3_sub(a, zn_vec3_scale(zn_vec3_dot(a, e), e)); }
static bool    is_rim(const zn_cylinder_side *c) { return zn_vec3_dot(c->rim, c->rim) > 0; }

// --- where ---------------------------------------------------------------------------------------

static void place_on_plane(const zn_cylinder_side *c, placement *at)
{
    at->normal = at->axis;
    at->w = zn_rim_lowest(at->rim, at->normal);
    at->y = zn_vec3_add(at->centre, zn_vec3_scale(c->radius, at->w));
    at->gap = zn_vec3_dot(at->normal, zn_vec3_sub(at->y, at->base));
    for (int i = 0; i < 2; i++)
        at->tangent[i] = zn_rigid_vector(&at->B, c->tangent[i]);
}

// |m| - r of a rim around or in something, without the difference of large numbers.
static double excess(const zn_cylinder_side *c, const placement *at, zn_vec3 d)
{
    double r = c->radius, we = zn_vec3_dot(at->w, at->axis);
    return (zn_vec3_dot(d, d) + 2 * r * zn_vec3_dot(d, at->w) - r * r * we * we) / (at->length + r);
}

static void measure_ball(const zn_cylinder_side *c, placement *at)
{
    bool bore = c->kind == ZN_SURFACE_BORE;
    at->y = at->centre;
    at->m = across(zn_vec3_sub(at->centre, at->base), at->axis);
    at->length = zn_vec3_norm(at->m);
    at->sign = bore ? -1 : 1;
    at->gap = bore ? c->size - c->radius - at->length : at->length - c->size - c->radius;
}

// Beyond the axis of the cylinder the distance of a rim counts as negative.
static void measure_rim(const zn_cylinder_side *c, placement *at)
{
    bool    bore = c->kind == ZN_SURFACE_BORE;
    zn_vec3 d = across(zn_vec3_sub(at->centre, at->base), at->axis);
    at->w = zn_rim_extreme(at->rim, at->axis, d, c->radius, bore);
    at->y = zn_vec3_add(at->centre, zn_vec3_scale(c->radius, at->w));
    at->m = zn_vec3_add(d, zn_vec3_scale(c->radius, across(at->w, at->axis)));
    at->length = zn_vec3_norm(at->m);
    bool around = zn_vec3_dot(at->m, at->w) > 0;
    at->sign = bore || around != c->ring ? -1 : 1;
    if (bore)
        at->gap = (c->size - c->radius) - excess(c, at, d);
    else if (c->ring && around)
        at->gap = (c->radius - c->size) + excess(c, at, d);
    else
        at->gap = at->sign * at->length - c->size;
}

static zn_status place_on_axis(const zn_cylinder_contact *p, const zn_cylinder_side *c, placement *at)
{
    (is_rim(c) ? measure_rim : measure_ball)(c, at);
    if (!(at->length > no_length)) {
        zn_vec3 any[2];
        if (c->kind != ZN_SURFACE_BORE)
            return zn_fail_here(p->log, ZN_INVALID_STATE,
                                "contact '%s': the point is on the axis of the cylinder, so the contact has no "
                                "direction",
                                p->name);
        zn_contact_tangents(at->axis, false, any);
        at->length = 0;
        at->normal = any[0];
    } else
        at->normal = zn_vec3_scale(at->sign / at->length, at->m);
    at->tangent[0] = zn_vec3_cross(at->axis, at->normal);
    at->tangent[1] = at->axis;
    return ZN_OK;
}

static zn_status find_placement(const zn_cylinder_contact *p, const zn_layout *layout, int number, const double *q,
                                placement *at)
{
    ZN_ASSERT(number >= 0 && number < p->sides);
    const zn_cylinder_side *c = &p->side[number];
    zn_rigid_place(layout, c->point.node, q, true, &at->A);
    zn_rigid_place(layout, c->surface.node, q, true, &at->B);
    at->centre = zn_rigid_point(&at->A, c->point.at);
    at->base = zn_rigid_point(&at->B, c->surface.at);
    at->axis = zn_rigid_vector(&at->B, c->axis);
    at->rim = zn_rigid_vector(&at->A, c->rim);
    if (c->kind != ZN_SURFACE_PLANE)
        return place_on_axis(p, c, at);
    place_on_plane(c, at);
    return ZN_OK;
}

static zn_vec3 contact_point(const zn_cylinder_side *c, const placement *at)
{
    return is_rim(c) ? at->y : zn_vec3_sub(at->centre, zn_vec3_scale(c->radius, at->normal));
}

static zn_status evaluate(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                          zn_contact_product *out)
{
    (void)t;
    const zn_cylinder_contact *p = rule;
    placement                  at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    out->gap = at.gap;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    zn_vec3 c = contact_point(&p->side[number], &at);
    out->entries = zn_rigid_relative_row(&at.A, &at.B, c, at.normal, out->dof, out->value);
    if (!out->tangent[0])
        return ZN_OK;
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    for (int i = 0; i < 2; i++)
        zn_rigid_relative_row(&at.A, &at.B, c, at.tangent[i], out->dof, out->tangent[i]);
    return ZN_OK;
}

// --- how it changes ------------------------------------------------------------------------------

typedef struct change {
    zn_vec3 y, normal, tangent[2];
} change;

static change change_on_plane(const zn_cylinder_side *c, const placement *at, const double *x)
{
    zn_vec3 spin = zn_rigid_spin(&at->B, x), du = zn_vec3_cross(zn_rigid_spin(&at->A, x), at->rim);
    change  d = {.normal = zn_vec3_cross(spin, at->normal)};
    zn_vec3 dw = zn_rim_lowest_change(at->rim, at->normal, du, d.normal);
    d.y = zn_vec3_add(zn_rigid_velocity(&at->A, x, at->centre), zn_vec3_scale(c->radius, dw));
    for (int i = 0; i < 2; i++)
        d.tangent[i] = zn_vec3_cross(spin, at->tangent[i]);
    return d;
}

// Of m, where y moves with the body.
static zn_vec3 carried_change(const placement *at, zn_vec3 de, const double *x)
{
    zn_vec3 apart = zn_vec3_sub(zn_rigid_velocity(&at->A, x, at->y), zn_rigid_velocity(&at->B, x, at->base));
    zn_vec3 f = zn_vec3_sub(at->y, at->base);
    zn_vec3 turned =
        zn_vec3_add(zn_vec3_scale(zn_vec3_dot(at->axis, f), de), zn_vec3_scale(zn_vec3_dot(de, f), at->axis));
    return zn_vec3_sub(across(apart, at->axis), turned);
}

// How the extreme point moves along the rim, times its radius.
static zn_vec3 creep(const zn_cylinder_side *c, const placement *at, zn_vec3 dm, const double *x)
{
    zn_vec3 t = zn_vec3_cross(at->rim, at->w), along = across(t, at->axis);
    double  slope = c->radius * zn_vec3_dot(along, along) - zn_vec3_dot(at->w, at->m);
    double  F = zn_vec3_dot(zn_vec3_cross(zn_rigid_spin(&at->A, x), t), at->m) + zn_vec3_dot(t, dm);
    return zn_vec3_scale(slope != 0 ? -c->radius * F / slope : 0, t);
}

static change change_on_axis(const zn_cylinder_side *c, const placement *at, const double *x)
{
    zn_vec3 spin = zn_rigid_spin(&at->B, x), de = zn_vec3_cross(spin, at->axis), dm = carried_change(at, de, x);
    change  d = {.y = zn_rigid_velocity(&at->A, x, at->y)};
    if (is_rim(c)) {
        zn_vec3 move = creep(c, at, dm, x);
        d.y = zn_vec3_add(d.y, move);
        dm = zn_vec3_add(dm, across(move, at->axis));
    }
    if (at->length > 0)
        d.normal = zn_vec3_scale(at->sign / at->length, across(dm, at->normal));
    else
        d.normal = zn_vec3_cross(spin, at->normal);
    d.tangent[0] = zn_vec3_add(zn_vec3_cross(de, at->normal), zn_vec3_cross(at->axis, d.normal));
    d.tangent[1] = de;
    return d;
}

static zn_status curvature(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                           const double *lambda, const double *x, double *y)
{
    (void)t;
    const zn_cylinder_contact *p = rule;
    const zn_cylinder_side    *c = &p->side[number];
    placement                  at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    change  d = (c->kind == ZN_SURFACE_PLANE ? change_on_plane : change_on_axis)(c, &at, x);
    zn_vec3 point = contact_point(c, &at);
    zn_vec3 dpoint = is_rim(c) ? d.y : zn_vec3_sub(d.y, zn_vec3_scale(c->radius, d.normal));
    zn_rigid_relative_change(&at.A, &at.B, at.y, at.normal, d.y, d.normal, *lambda, x, y);
    for (int i = 0; i < 2 && p->friction > 0; i++)
        zn_rigid_relative_change(&at.A, &at.B, point, at.tangent[i], dpoint, d.tangent[i], lambda[1 + i], x, y);
    return ZN_OK;
}

// --- what is near, and where ---------------------------------------------------------------------

// Is the contact point over the surface, that may end?
static bool is_over(const zn_cylinder_side *c, const placement *at)
{
    zn_vec3 f = zn_vec3_sub(at->y, at->base);
    bool    plane = c->kind == ZN_SURFACE_PLANE;
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
        placement at;
        ZN_TRY(find_placement(p, layout, i, q, &at));
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

static zn_status locate(const void *rule, const zn_layout *layout, int number, const double *q,
                        zn_contact_location *out)
{
    const zn_cylinder_contact *p = rule;
    const zn_cylinder_side    *c = &p->side[number];
    placement                  at;
    ZN_TRY(find_placement(p, layout, number, q, &at));
    *out = (zn_contact_location){.position = contact_point(c, &at),
                                 .normal = at.normal,
                                 .tangent = {at.tangent[0], at.tangent[1]},
                                 .surface = (int)c->kind,
                                 .carrier = c->surface.node,
                                 .through = c->surface.at,
                                 .direction = c->axis,
                                 .along = c->tangent[0],
                                 .size = c->size,
                                 .half = {c->half[0], c->half[1]},
                                 .point = c->point.node,
                                 .rim = c->rim,
                                 .rim_at = c->point.at,
                                 .rim_radius = c->radius};
    return ZN_OK;
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
        double  angle = 2 * acos(-1) * i / POINTS;
        zn_vec3 out = zn_vec3_add(zn_vec3_scale(radius * cos(angle), a[0]), zn_vec3_scale(radius * sin(angle), a[1]));
        zn_attachment at = {centre.node, zn_vec3_add(centre.at, out)};
        visit(user, &at, 0);
    }
}

static void touch(const void *rule, zn_touch_visit *visit, void *user)
{
    const zn_cylinder_contact *p = rule;
    for (int i = 0; i < p->sides; i++) {
        const zn_cylinder_side *c = &p->side[i];
        if (is_rim(c))
            touch_around(c->point, c->rim, c->radius, visit, user);
        else
            visit(user, &c->point, c->radius);
        if (c->kind != ZN_SURFACE_CYLINDER || c->half[0] == 0)
            continue;
        for (int side = -1; side <= 1; side += 2) { // the ends of a pin
            zn_attachment end = c->surface;
            end.at = zn_vec3_add(end.at, zn_vec3_scale(side * c->half[0], c->axis));
            touch_around(end, c->axis, c->size, visit, user);
        }
    }
}

#define CYLINDER_OPS(word, detection, behind)                                                                          \
    {                                                                                                                  \
        .name = (word), .max_entries = 2 * ZN_RIGID_DOFS, .detect = (detection), .depth = (behind),                    \
        .visit = visit_nodes, .evaluate = evaluate, .curvature = curvature, .locate = locate, .grounded = grounded,    \
        .touch = touch,                                                                                                \
    }

const zn_contact_ops zn_cylinder_contact_ops = CYLINDER_OPS("contact with a cylinder", NULL, NULL);
const zn_contact_ops zn_cylinder_end_ops = CYLINDER_OPS("contact with a cylinder that ends", detect, depth);
