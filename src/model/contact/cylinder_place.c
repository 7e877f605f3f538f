// A ball (centre x, radius r >= 0) or a rim (circle of radius r about x, across u = R_A u_A) of body A against a
// cylinder or bore of body B with the axis e = R_B e_B through s, radius R; P = I - e e'. A ball is met in y = x, a rim
// in its point y = x + r w that is nearest to the axis or, in a bore, farthest from it (rim.c). With m = P(y - s):
//     cylinder   ball:           g = |m| - R - r     n = m / |m|
//                rim beside it:  g = |m| - R         n = m / |m|
//                ring around it: g = |m| - R         n = m / |m|       r > R
//     bore       ball:           g = R - r - |m|     n = -m / |m|
//                rim:            g = R - |m|         n = -m / |m|      r < R
//     plane      rim:            g = n.(y - s)       n = R_B n_B, y the lowest point
//     cone       ball, taper b:  g = +-[(|m| - R) cos b - e.(x - s) sin b] - r,  n = +-(cos b m / |m| - sin b e)
// As y is an extreme of the distance, the change of w does not enter that of the gap: rows are those of the material
// points at c (rigid_row.c), c = y for a rim, x - r n for a ball. Tangents: e and n x e; of planes those carried by B.
// The second derivatives need dw = S_A x w + t dθ, t = u x w, where t.m = 0 stays (F' of rim.c):
//     F' dθ = -(S_A x t).m - t.dm',    dm' = P(v_A(y) - v_B(s)) - (e.f) de - (de.f) e,   f = y - s, de = S_B x e
#include "model/contact/cylinder_place.h"

#include "base/assert.h"
#include "model/contact/rim.h"

// Below this length a direction is lost in underflow.
static const double no_length = 1e-150;

static zn_vec3 across(zn_vec3 a, zn_vec3 e) { return zn_vec3_sub(a, zn_vec3_scale(zn_vec3_dot(a, e), e)); }

// --- where ---------------------------------------------------------------------------------------

static void place_on_plane(const zn_cylinder_side *c, zn_cylinder_place *at)
{
    at->normal = at->axis;
    at->w = zn_rim_lowest(at->rim, at->normal);
    at->y = zn_vec3_add(at->centre, zn_vec3_scale(c->radius, at->w));
    at->gap = zn_vec3_dot(at->normal, zn_vec3_sub(at->y, at->base));
    for (int i = 0; i < 2; i++)
        at->tangent[i] = zn_rigid_vector(&at->B, c->tangent[i]);
}

// |m| - r of a rim around or in something, without the difference of large numbers.
static double excess(const zn_cylinder_side *c, const zn_cylinder_place *at)
{
    zn_vec3 d = at->d;
    double  r = c->radius, we = zn_vec3_dot(at->w, at->axis);
    return (zn_vec3_dot(d, d) + 2 * r * zn_vec3_dot(d, at->w) - r * r * we * we) / (at->length + r);
}

static void measure_ball(const zn_cylinder_side *c, zn_cylinder_place *at)
{
    bool bore = c->kind == ZN_SURFACE_BORE;
    at->y = at->centre;
    at->m = across(zn_vec3_sub(at->centre, at->base), at->axis);
    at->length = zn_vec3_norm(at->m);
    at->sign = bore ? -1 : 1;
    at->gap = bore ? c->size - c->radius - at->length : at->length - c->size - c->radius;
    if (c->taper != 0) {
        double along = zn_vec3_dot(at->axis, zn_vec3_sub(at->centre, at->base));
        double off = (at->length - c->size) * zn_cos(c->taper) - along * zn_sin(c->taper);
        at->gap = at->sign * off - c->radius;
    }
}

// Beyond the axis of the cylinder the distance of a rim counts as negative.
static void measure_rim(const zn_cylinder_side *c, zn_cylinder_place *at)
{
    bool bore = c->kind == ZN_SURFACE_BORE;
    at->d = across(zn_vec3_sub(at->centre, at->base), at->axis);
    at->w = zn_rim_extreme(at->rim, at->axis, at->d, c->radius, bore);
    at->y = zn_vec3_add(at->centre, zn_vec3_scale(c->radius, at->w));
    at->m = zn_vec3_add(at->d, zn_vec3_scale(c->radius, across(at->w, at->axis)));
    at->length = zn_vec3_norm(at->m);
    bool around = zn_vec3_dot(at->m, at->w) > 0;
    at->sign = bore || around != c->ring ? -1 : 1;
    if (bore)
        at->gap = (c->size - c->radius) - excess(c, at);
    else if (c->ring && around)
        at->gap = (c->radius - c->size) + excess(c, at);
    else
        at->gap = at->sign * at->length - c->size;
}

// Of a cone: out of it, and along it; both are linear in m / |m| and e.
static zn_vec3 lean(const zn_cylinder_side *c, zn_vec3 out, zn_vec3 axis)
{
    return c->taper == 0 ? out
                         : zn_vec3_sub(zn_vec3_scale(zn_cos(c->taper), out), zn_vec3_scale(zn_sin(c->taper), axis));
}

static zn_vec3 generator(const zn_cylinder_side *c, zn_vec3 out, zn_vec3 axis)
{
    return c->taper == 0 ? axis
                         : zn_vec3_add(zn_vec3_scale(zn_sin(c->taper), out), zn_vec3_scale(zn_cos(c->taper), axis));
}

static zn_status place_on_axis(const zn_cylinder_contact *p, const zn_cylinder_side *c, zn_cylinder_place *at)
{
    (zn_cylinder_is_rim(c) ? measure_rim : measure_ball)(c, at);
    if (!(at->length > no_length)) {
        zn_vec3 any[2];
        if (c->kind != ZN_SURFACE_BORE)
            return zn_fail_here(p->log, ZN_INVALID_STATE,
                                "contact '%s': the point is on the axis of the cylinder, so the contact has no "
                                "direction",
                                p->name);
        zn_contact_tangents(at->axis, false, any);
        at->length = 0;
        at->out = zn_vec3_scale(at->sign, any[0]);
    } else
        at->out = zn_vec3_scale(1 / at->length, at->m);
    at->normal = zn_vec3_scale(at->sign, lean(c, at->out, at->axis));
    at->tangent[0] = generator(c, at->out, at->axis);
    at->tangent[1] = zn_vec3_cross(at->normal, at->tangent[0]);
    return ZN_OK;
}

zn_status zn_cylinder_place_at(const zn_cylinder_contact *p, const zn_layout *layout, int number, const double *q,
                               zn_cylinder_place *at)
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

zn_vec3 zn_cylinder_point(const zn_cylinder_side *c, const zn_cylinder_place *at)
{
    return zn_cylinder_is_rim(c) ? at->y : zn_vec3_sub(at->centre, zn_vec3_scale(c->radius, at->normal));
}

// --- how it changes ------------------------------------------------------------------------------

zn_vec3 zn_rigid_motion_at(const zn_rigid *b, const zn_rigid_motion *x, zn_vec3 c)
{
    return zn_vec3_add(x->shift, zn_vec3_cross(x->spin, zn_vec3_sub(c, b->position)));
}

static zn_cylinder_change change_on_plane(const zn_cylinder_side *c, const zn_cylinder_place *at,
                                          const zn_rigid_motion *A, const zn_rigid_motion *B)
{
    zn_cylinder_change d = {.normal = zn_vec3_cross(B->spin, at->normal)};
    zn_vec3            dw = zn_rim_lowest_change(at->rim, at->normal, zn_vec3_cross(A->spin, at->rim), d.normal);
    zn_vec3            t = zn_vec3_cross(at->rim, at->w);
    d.creep = zn_vec3_dot(t, zn_vec3_sub(dw, zn_vec3_cross(A->spin, at->w)));
    d.y = zn_vec3_add(zn_rigid_motion_at(&at->A, A, at->centre), zn_vec3_scale(c->radius, dw));
    for (int i = 0; i < 2; i++)
        d.tangent[i] = zn_vec3_cross(B->spin, at->tangent[i]);
    return d;
}

// Of m, where y moves with the body.
static zn_vec3 carried_change(const zn_cylinder_place *at, zn_vec3 de, const zn_rigid_motion *A,
                              const zn_rigid_motion *B)
{
    zn_vec3 apart = zn_vec3_sub(zn_rigid_motion_at(&at->A, A, at->y), zn_rigid_motion_at(&at->B, B, at->base));
    zn_vec3 f = zn_vec3_sub(at->y, at->base);
    zn_vec3 turned =
        zn_vec3_add(zn_vec3_scale(zn_vec3_dot(at->axis, f), de), zn_vec3_scale(zn_vec3_dot(de, f), at->axis));
    return zn_vec3_sub(across(apart, at->axis), turned);
}

// How the extreme point moves along the rim.
static double creep(const zn_cylinder_side *c, const zn_cylinder_place *at, zn_vec3 dm, const zn_rigid_motion *A)
{
    zn_vec3 t = zn_vec3_cross(at->rim, at->w);
    double  we = zn_vec3_dot(at->w, at->axis), te = zn_vec3_dot(t, at->axis);
    double  slope = -zn_vec3_dot(at->w, at->d) + c->radius * (we * we - te * te);
    double  F = zn_vec3_dot(zn_vec3_cross(A->spin, t), at->m) + zn_vec3_dot(t, dm);
    return slope != 0 ? -F / slope : 0;
}

static zn_cylinder_change change_on_axis(const zn_cylinder_side *c, const zn_cylinder_place *at,
                                         const zn_rigid_motion *A, const zn_rigid_motion *B)
{
    zn_vec3            de = zn_vec3_cross(B->spin, at->axis), dm = carried_change(at, de, A, B);
    zn_cylinder_change d = {.y = zn_rigid_motion_at(&at->A, A, at->y)};
    if (zn_cylinder_is_rim(c)) {
        d.creep = creep(c, at, dm, A);
        zn_vec3 move = zn_vec3_scale(c->radius * d.creep, zn_vec3_cross(at->rim, at->w));
        d.y = zn_vec3_add(d.y, move);
        dm = zn_vec3_add(dm, across(move, at->axis));
    }
    zn_vec3 out = zn_vec3_cross(B->spin, at->out);
    if (at->length > 0)
        out = zn_vec3_scale(1 / at->length, across(dm, at->out));
    d.normal = zn_vec3_scale(at->sign, lean(c, out, de));
    d.tangent[0] = generator(c, out, de);
    d.tangent[1] = zn_vec3_add(zn_vec3_cross(d.normal, at->tangent[0]), zn_vec3_cross(at->normal, d.tangent[0]));
    return d;
}

zn_cylinder_change zn_cylinder_change_with(const zn_cylinder_side *c, const zn_cylinder_place *at,
                                           const zn_rigid_motion *A, const zn_rigid_motion *B)
{
    return (c->kind == ZN_SURFACE_PLANE ? change_on_plane : change_on_axis)(c, at, A, B);
}
