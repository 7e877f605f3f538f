// A rim between two states is a point of its body. Let Φ(q, θ) be the distance of the point at the angle θ of the rim
// from the axis or plane, and θ_0, θ_1 the extreme ones at both ends: the gaps are those of Φ_0(θ_0) and Φ_1(θ_1).
// There is an angle θ between them with
//     D(θ) = [Φ_1(θ) - Φ_1(θ_1)] - [Φ_0(θ) - Φ_0(θ_0)] = 0
// for D has different signs at θ_0 and θ_1, where one bracket vanishes and the other is that of an extreme. The
// distance of this one material point changes by exactly as much as the gap, so that the rows of points
// (touch_between.c) serve: a contact that lasts does no work. θ is near the mean; brackets are written as products, to
// be exact however near the ends are. As the end moves,
//     D' dθ = -ν.u(x) + ν_1.u(y_1)     u: velocity of A against B at the end, ν: direction of the distance
// and half of what the extreme does where the ends coincide. When the contact crosses to the other side it is that of
// the end, as for round surfaces.
#include "model/contact/cylinder_between.h"

#include "model/contact/cylinder_place.h"
#include "model/contact/touch_between.h"

// One end of the step, as seen from the rim: its directions are in the axes of A.
typedef struct end {
    zn_cylinder_place at;
    zn_vec3           W, T; // of the extreme point: outwards, along the rim
} end;

typedef struct creeper {
    const zn_cylinder_side *c;
    end                     from, to;
    zn_vec3                 W, T;  // of the point that stands for the rim
    double                  slope; // D'; 0: it does `share` of what the extreme of the end does
    double                  share;
    zn_vec3                 x, v; // the point at the end, and the direction of its distance
} creeper;

static zn_vec3 to_body(const zn_rigid *b, zn_vec3 a) { return zn_mat3_apply(zn_mat3_transpose(b->rotation), a); }

static zn_vec3 turn_by(const end *e, double angle)
{
    return zn_vec3_add(zn_vec3_scale(zn_cos(angle), e->W), zn_vec3_scale(zn_sin(angle), e->T));
}

// --- the point -----------------------------------------------------------------------------------

// Vector of the distance at an angle from the extreme of an end, m; for planes the normal.
static zn_vec3 distance_at(const zn_cylinder_side *c, const end *e, double angle, zn_vec3 *change)
{
    double  half = zn_sin(0.5 * angle);
    zn_vec3 moved = zn_vec3_add(zn_vec3_scale(-2 * half * half, e->W), zn_vec3_scale(zn_sin(angle), e->T));
    *change = zn_vec3_scale(c->radius, zn_rigid_vector(&e->at.A, moved));
    if (c->kind == ZN_SURFACE_PLANE)
        return e->at.normal;
    *change = zn_vec3_sub(*change, zn_vec3_scale(zn_vec3_dot(*change, e->at.axis), e->at.axis));
    return zn_vec3_add(e->at.m, *change);
}

// Φ(θ) less its extreme, and its derivative.
static double excess(const zn_cylinder_side *c, const end *e, double angle, double *slope)
{
    zn_vec3 change, m = distance_at(c, e, angle, &change);
    zn_vec3 t =
        zn_rigid_vector(&e->at.A, zn_vec3_sub(zn_vec3_scale(zn_cos(angle), e->T), zn_vec3_scale(zn_sin(angle), e->W)));
    double length = zn_vec3_norm(m);
    *slope = c->radius * zn_vec3_dot(t, m) / length;
    if (c->kind == ZN_SURFACE_PLANE)
        return zn_vec3_dot(m, change);
    return zn_vec3_dot(change, zn_vec3_add(m, e->at.m)) / (length + e->at.length);
}

// The angle from that of the start; `apart`: that of the end. Newton's method from the middle, kept inside.
static double find_angle(const creeper *r, double apart, double *slope)
{
    double angle = 0.5 * apart;
    for (int i = 0; i < 20; i++) {
        double slope0, slope1;
        double D = excess(r->c, &r->to, angle - apart, &slope1) - excess(r->c, &r->from, angle, &slope0);
        *slope = slope1 - slope0;
        double next = *slope != 0 ? angle - D / *slope : angle;
        if (!(next / apart > 0) || !(next / apart < 1))
            break;
        bool done = fabs(next - angle) <= 1e-15 * fabs(apart);
        angle = next;
        if (done)
            break;
    }
    return angle;
}

static end end_of(const zn_cylinder_side *c, const zn_cylinder_place *at)
{
    end e = {.at = *at, .W = to_body(&at->A, at->w)};
    e.T = zn_vec3_cross(c->rim, e.W);
    return e;
}

static void settle(creeper *r)
{
    double apart = zn_atan2(zn_vec3_dot(r->from.T, r->to.W), zn_vec3_dot(r->from.W, r->to.W));
    bool   axis = r->c->kind != ZN_SURFACE_PLANE;
    bool   crossed = fabs(apart) > 1.5 ||
                   (axis && (r->from.at.sign != r->to.at.sign || r->from.at.length == 0 || r->to.at.length == 0 ||
                             zn_vec3_dot(to_body(&r->from.at.B, r->from.at.m), to_body(&r->to.at.B, r->to.at.m)) <= 0));
    double angle = crossed ? apart : 0.5 * apart;
    r->share = crossed ? 1 : 0.5;
    if (!crossed && fabs(apart) > 1e-7)
        angle = find_angle(r, apart, &r->slope);
    r->W = turn_by(&r->from, angle);
    r->T = zn_vec3_cross(r->c->rim, r->W);
    zn_vec3 change, m = distance_at(r->c, &r->to, angle - apart, &change);
    r->v = zn_vec3_scale(1 / zn_vec3_norm(m), m);
    r->x = zn_vec3_add(r->to.at.centre, zn_rigid_vector(&r->to.at.A, zn_vec3_scale(r->c->radius, r->W)));
}

// Velocity of A against B at a point, along d.
static double closing(const end *e, const zn_rigid_motion *A, const zn_rigid_motion *B, zn_vec3 point, zn_vec3 d)
{
    return zn_vec3_dot(d, zn_vec3_sub(zn_rigid_motion_at(&e->at.A, A, point), zn_rigid_motion_at(&e->at.B, B, point)));
}

static double pace(const void *user, const zn_rigid_motion *A, const zn_rigid_motion *B)
{
    const creeper *r = user;
    if (r->slope == 0)
        return r->share * zn_cylinder_change_with(r->c, &r->to.at, A, B).creep;
    bool    plane = r->c->kind == ZN_SURFACE_PLANE;
    zn_vec3 v1 = plane ? r->to.at.normal : zn_vec3_scale(r->to.at.sign, r->to.at.normal);
    return (closing(&r->to, A, B, r->to.at.y, v1) - closing(&r->to, A, B, r->x, r->v)) / r->slope;
}

// --- the contact ---------------------------------------------------------------------------------

static zn_status touch_of(const zn_cylinder_contact *p, const zn_layout *layout, int number, zn_between s, creeper *r,
                          zn_touch *out)
{
    const zn_cylinder_side *c = &p->side[number];
    zn_cylinder_place       from, to;
    ZN_TRY(zn_cylinder_place_at(p, layout, number, s.from.q, &from));
    ZN_TRY(zn_cylinder_place_at(p, layout, number, s.to.q, &to));
    *out = (zn_touch){.point = c->point, .surface = c->surface, .tangents = p->friction > 0 ? 2 : 0};
    if (c->kind == ZN_SURFACE_PLANE) {
        out->normal = c->axis;
        out->tangent = c->tangent[0];
    } else {
        out->axis = out->tangent = c->axis;
        out->round = to.sign;
    }
    if (!zn_cylinder_is_rim(c)) {
        out->radius = c->radius;
        return ZN_OK;
    }
    *r = (creeper){.c = c, .from = end_of(c, &from), .to = end_of(c, &to)};
    settle(r);
    out->point.at = zn_vec3_add(c->point.at, zn_vec3_scale(c->radius, r->W));
    out->creep = zn_vec3_scale(c->radius, r->T);
    out->pace = pace;
    out->user = r;
    return ZN_OK;
}

zn_status zn_cylinder_evaluate_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                       zn_contact_product *out, double *const force[3])
{
    creeper  r;
    zn_touch touch;
    ZN_TRY(zn_cylinder_contact_ops.evaluate(rule, layout, key, s.to.q, s.to.t, out));
    if (!out->dof)
        return ZN_OK;
    ZN_TRY(touch_of(rule, layout, (int)key.number, s, &r, &touch));
    zn_touch_rows_between(&touch, layout, s, out, force);
    return ZN_OK;
}

zn_status zn_cylinder_curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                        const double *lambda, const double *x, double *y)
{
    creeper  r;
    zn_touch touch;
    ZN_TRY(touch_of(rule, layout, (int)key.number, s, &r, &touch));
    zn_touch_curvature_between(&touch, layout, s, lambda, x, y);
    return ZN_OK;
}
