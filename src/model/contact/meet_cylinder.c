// Cylinders with planes, spheres, capsules and each other. Pairs of features are tried (near_pair.h); here is which of
// them can touch:
//     rim on a face, or corners of the rim and crossings of its chords with sides of the face where the cap is flat
//     mantle with lines and points, rims with lines, points and rims; a line flat over a cap: chords of the rim
#include "model/contact/meet_cylinder.h"

#include <math.h>

#include "model/contact/meet_ball.h"
#include "model/contact/near_pair.h"
#include "model/contact/shape_capsule.h"
#include "model/contact/shape_cylinder.h"

enum { CORNERS = ZN_CYLINDER_CORNERS };

static zn_vec3 world_axis(const zn_rigid *body, const zn_pair_shape *s)
{
    return zn_rigid_vector(body, zn_cylinder_axis(s));
}

static zn_near_pairs begin(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    return (zn_near_pairs){.a = a,
                           .b = b,
                           .at = at,
                           .a_holds = zn_cylinder_holds,
                           .a_farthest = zn_cylinder_farthest,
                           .size = a->radius + a->length,
                           .out = out};
}

static double sine(zn_vec3 a, zn_vec3 b) { return zn_vec3_norm(zn_vec3_cross(a, b)); }

static zn_feature world_feature(const zn_pair_shape *s, const zn_rigid *body, int index)
{
    zn_feature own;
    s->ops->feature(s, index, false, &own);
    return zn_feature_at(body, &own);
}

// --- plane ---------------------------------------------------------------------------------------

zn_status zn_meet_cylinder_plane(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                 zn_feature_list *out)
{
    zn_near_pairs p = begin(a, b, at, out);
    zn_vec3       n = zn_rigid_vector(&at->B, b->normal);
    bool          flat = sine(n, world_axis(&at->A, a)) < zn_near_flat(at, n).high;
    p.a_holds = NULL; // any point of a rim is one of the body
    for (int end = 0; end < 2; end++)
        zn_near_pair(&p, ZN_CYLINDER_RIM + end, 0);
    for (int i = 0; flat && i < 2 * CORNERS; i++)
        zn_near_pair(&p, ZN_CYLINDER_POINT + i, 0);
    return zn_near_list(&p);
}

// --- sphere --------------------------------------------------------------------------------------

// The feature nearest to a point x in the axes of the body, its distance from the surface and the way there.
static int nearest_of(const void *cylinder, zn_vec3 x, double *distance, zn_vec3 *away)
{
    const zn_pair_shape *s = cylinder;
    zn_vec3              axis = zn_cylinder_axis(s), y = zn_vec3_sub(x, s->at);
    double               z = zn_vec3_dot(y, axis), over = fabs(z) - s->length / 2;
    zn_vec3              up = zn_vec3_scale(z < 0 ? -1 : 1, axis), off = zn_vec3_sub(y, zn_vec3_scale(z, axis));
    double               far = zn_vec3_norm(off), beside = far - s->radius;
    int                  end = z < 0;
    zn_vec3              out = far > 0 ? zn_vec3_scale(1 / far, off) : (zn_vec3){0, 0, 0};
    if (over > 0 && beside > 0) {
        *distance = hypot(over, beside);
        *away = zn_vec3_add(zn_vec3_scale(over / *distance, up), zn_vec3_scale(beside / *distance, out));
        return ZN_CYLINDER_RIM + end;
    }
    bool disc = s->length == 0, cap = over > beside || (disc && !(beside > 0));
    *distance = fmax(over, beside);
    *away = cap ? up : out;
    return cap ? ZN_CYLINDER_CAP + end : disc ? ZN_CYLINDER_RIM : ZN_CYLINDER_MANTLE; // a disc: in its plane
}

zn_status zn_meet_cylinder_sphere(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                  zn_feature_list *out)
{
    double  reach = zn_vec3_norm(a->at) + a->length / 2 + a->radius;
    zn_view v = zn_view_from_a(at, reach, zn_vec3_norm(b->at));
    int     feature = zn_ball_on(a, nearest_of, &v, zn_view_point(&v, b->at), b->radius);
    return feature >= 0 ? zn_feature_found(out, feature, 0) : ZN_OK;
}

// --- capsule -------------------------------------------------------------------------------------

static bool capsule_holds(const zn_pair_shape *s, int index, zn_vec3 x, zn_vec3 n, double length, double angle)
{
    (void)n, (void)angle;
    double z = zn_vec3_dot(zn_vec3_sub(x, s->at), zn_capsule_axis(s));
    return index != ZN_CAPSULE_LINE || fabs(z) <= s->length / 2 + length;
}

static zn_vec3 capsule_farthest(const zn_pair_shape *s, zn_vec3 n)
{
    zn_vec3 u = zn_capsule_axis(s), end = zn_vec3_scale(copysign(s->length / 2, zn_vec3_dot(n, u)), u);
    return zn_vec3_add(zn_vec3_add(s->at, end), zn_vec3_scale(s->radius / zn_vec3_norm(n), n));
}

// The line over a cap: chords of the rim where it is flat.
static void line_on_chords(zn_near_pairs *p, const zn_near *at, zn_vec3 u)
{
    if (!(fabs(zn_vec3_dot(u, world_axis(&at->A, p->a))) < zn_near_flat(at, world_axis(&at->A, p->a)).high))
        return;
    for (int i = 0; i < 2 * CORNERS; i++)
        if (sine(world_feature(p->a, &at->A, ZN_CYLINDER_CHORD + i).along, u) > ZN_CHORD_SINE)
            zn_near_pair(p, ZN_CYLINDER_CHORD + i, ZN_CAPSULE_LINE);
}

zn_status zn_meet_cylinder_capsule(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                   zn_feature_list *out)
{
    zn_near_pairs p = begin(a, b, at, out);
    zn_vec3       away = zn_vec3_sub(zn_rigid_point(&at->B, b->at), zn_rigid_point(&at->A, a->at));
    int           side = zn_vec3_dot(away, world_axis(&at->A, a)) < 0; // it can touch the cap on its side only
    p.b_holds = capsule_holds;
    p.b_farthest = capsule_farthest;
    p.size = fmin(a->radius + a->length, b->radius);
    for (int i = 0; i < (a->length > 0 ? 3 : 0); i++)
        zn_near_pair(&p, ZN_CYLINDER_MANTLE, i);
    for (int end = 0; end < 2; end++)
        zn_near_pair(&p, ZN_CYLINDER_CAP + side, end);
    for (int i = 0; i < 6; i++)
        zn_near_pair(&p, ZN_CYLINDER_RIM + i / 3, i % 3);
    line_on_chords(&p, at, zn_rigid_vector(&at->B, zn_capsule_axis(b)));
    return zn_near_list(&p);
}

// --- cylinder ------------------------------------------------------------------------------------

// How far the cylinder s of one body is in front of the plane of a cap of another one.
static double before_cap(const zn_pair_shape *s, const zn_rigid *body, const zn_feature *cap)
{
    zn_vec3 n = zn_mat3_apply(zn_mat3_transpose(body->rotation), cap->along);
    return zn_cylinder_lowest(s, n) + zn_vec3_dot(cap->along, zn_vec3_sub(body->position, cap->at));
}

typedef struct couple {
    const zn_pair_shape *s[2];
    const zn_rigid      *body[2];
    zn_near_pairs        p;
} couple;

static void try_pair(couple *c, int first, int of_first, int of_second)
{
    zn_near_pair(&c->p, first == 0 ? of_first : of_second, first == 0 ? of_second : of_first);
}

// Is corner i of an end of cylinder k beside the disc of a cap of the other one, now or then?
static void corners_outside(const couple *c, int k, int end, const zn_feature *cap, bool outside[CORNERS])
{
    double within = c->s[1 - k]->radius - (zn_near_reach(c->p.at, cap->at) - c->p.at->slack);
    for (int i = 0; i < CORNERS; i++) {
        zn_feature f = world_feature(c->s[k], c->body[k], ZN_CYLINDER_POINT + end * CORNERS + i);
        zn_vec3    d = zn_vec3_sub(f.at, cap->at);
        outside[i] = sine(d, cap->along) > within; // |d x u|
    }
}

// Crossings of the chords of two caps. One whose ends are both inside the other disc has nothing between them that its
// ends do not have.
static void cross_chords(couple *c, int end_a, int end_b)
{
    bool       outside[2][CORNERS];
    zn_feature cap[2] = {world_feature(c->s[0], c->body[0], ZN_CYLINDER_CAP + end_a),
                         world_feature(c->s[1], c->body[1], ZN_CYLINDER_CAP + end_b)};
    corners_outside(c, 0, end_a, &cap[1], outside[0]);
    corners_outside(c, 1, end_b, &cap[0], outside[1]);
    for (int i = 0; i < CORNERS; i++) {
        if (!outside[0][i] && !outside[0][(i + 1) % CORNERS])
            continue;
        for (int j = 0; j < CORNERS; j++) {
            if (!outside[1][j] && !outside[1][(j + 1) % CORNERS])
                continue;
            int        a = ZN_CYLINDER_CHORD + end_a * CORNERS + i, b = ZN_CYLINDER_CHORD + end_b * CORNERS + j;
            zn_feature u = world_feature(c->s[0], c->body[0], a), w = world_feature(c->s[1], c->body[1], b);
            if (sine(u.along, w.along) > ZN_CHORD_SINE)
                zn_near_pair(&c->p, a, b);
        }
    }
}

// What of cylinder `first` touches a cap of the other one: rims, corners where it is flat.
static void on_cap(couple *c, int first, int end, bool flat)
{
    zn_feature cap = world_feature(c->s[1 - first], c->body[1 - first], ZN_CYLINDER_CAP + end),
               back = world_feature(c->s[1 - first], c->body[1 - first], ZN_CYLINDER_CAP + 1 - end);
    double before = before_cap(c->s[first], c->body[first], &cap), reach = zn_near_reach(c->p.at, cap.at);
    if (before > reach || before < before_cap(c->s[first], c->body[first], &back))
        return;
    for (int e = 0; e < 2; e++) {
        zn_feature rim = world_feature(c->s[first], c->body[first], ZN_CYLINDER_RIM + e);
        try_pair(c, first, ZN_CYLINDER_RIM + e, ZN_CYLINDER_CAP + end);
        if (!flat || !(zn_vec3_dot(rim.along, cap.along) < 0))
            continue;
        for (int i = 0; i < CORNERS; i++)
            try_pair(c, first, ZN_CYLINDER_POINT + e * CORNERS + i, ZN_CYLINDER_CAP + end);
        if (first == 0)
            cross_chords(c, e, end);
    }
}

// The line of `first` over a cap of the other one: chords where it is flat, else rims; and their rims on its mantle.
static void mantle_on_rims(couple *c, int first)
{
    zn_vec3 u = world_axis(c->body[first], c->s[first]), a = world_axis(c->body[1 - first], c->s[1 - first]);
    bool    flat = fabs(zn_vec3_dot(u, a)) < zn_near_flat(c->p.at, a).high;
    if (c->s[first]->length == 0)
        return;
    for (int end = 0; end < 2; end++)
        try_pair(c, first, ZN_CYLINDER_MANTLE, ZN_CYLINDER_RIM + end);
    for (int i = 0; flat && i < 2 * CORNERS; i++) {
        int        chord = ZN_CYLINDER_CHORD + i;
        zn_feature f = world_feature(c->s[1 - first], c->body[1 - first], chord);
        if (sine(f.along, u) > ZN_CHORD_SINE)
            try_pair(c, first, ZN_CYLINDER_MANTLE, chord);
    }
}

// How far two rims are apart at least: what their discs are along some directions.
static double rims_apart(const zn_feature *a, const zn_feature *b)
{
    zn_vec3 d = zn_vec3_sub(a->at, b->at), both = zn_vec3_cross(a->along, b->along);
    double  length = zn_vec3_norm(d), tilt = zn_vec3_norm(both);
    double  far = length > 0 ? length - (a->size * sine(a->along, d) + b->size * sine(b->along, d)) / length : 0;
    far = fmax(far,
               fmax(fabs(zn_vec3_dot(a->along, d)) - b->size * tilt, fabs(zn_vec3_dot(b->along, d)) - a->size * tilt));
    return tilt > 1e-6 ? fmax(far, fabs(zn_vec3_dot(both, d)) / tilt - a->size - b->size) : far;
}

// The rim of a disc from either side; else as any.
static bool rim_holds(const zn_pair_shape *s, int index, zn_vec3 x, zn_vec3 n, double length, double angle)
{
    zn_vec3 off = zn_vec3_sub(x, s->at);
    return s->length > 0 ? zn_cylinder_holds(s, index, x, n, length, angle)
                         : zn_vec3_dot(n, off) >= -angle * zn_vec3_norm(off);
}

// Rims in parallel planes: what touches is a cap or the mantle, which discs have not. Both rims of a disc are the same.
static void rims_on_rims(couple *c)
{
    const double   parallel = 1e-6; // sine
    const zn_near *at = c->p.at;
    zn_vec3        u = world_axis(c->body[0], c->s[0]), w = world_axis(c->body[1], c->s[1]);
    double         turn = at->horizon * (zn_vec3_norm(at->a.spin) + zn_vec3_norm(at->b.spin));
    if (c->s[0]->length > 0 && c->s[1]->length > 0 && sine(u, w) < parallel)
        return;
    c->p.a_holds = c->p.b_holds = rim_holds;
    for (int i = 0; i < (c->s[0]->length > 0 ? 2 : 1); i++)
        for (int j = 0; j < (c->s[1]->length > 0 ? 2 : 1); j++) {
            zn_feature a = world_feature(c->s[0], c->body[0], ZN_CYLINDER_RIM + i),
                       b = world_feature(c->s[1], c->body[1], ZN_CYLINDER_RIM + j);
            if (rims_apart(&a, &b) <= zn_near_reach(at, a.at) + turn * (a.size + b.size))
                zn_near_pair(&c->p, ZN_CYLINDER_RIM + i, ZN_CYLINDER_RIM + j);
        }
    c->p.a_holds = c->p.b_holds = zn_cylinder_holds;
}

static bool some_close(const zn_near_pairs *p)
{
    for (int i = 0; i < p->found; i++)
        if (p->pair[i].closing * p->at->horizon > 1e-9 * p->size)
            return true;
    return false;
}

// Planes of caps that they may slide past each other along: one of them on the other, or on what is flush with it. What
// rests with its rim on a rim is held by that alone.
static void past_caps(couple *c)
{
    if (!some_close(&c->p))
        return;
    for (int end = 0; end < 2; end++) {
        double out = end ? -1 : 1;
        zn_near_plane(&c->p, zn_vec3_scale(-out, world_axis(c->body[0], c->s[0])), true);
        zn_near_plane(&c->p, zn_vec3_scale(out, world_axis(c->body[1], c->s[1])), false);
    }
}

zn_status zn_meet_cylinder_cylinder(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                    zn_feature_list *out)
{
    couple  c = {.s = {a, b}, .body = {&at->A, &at->B}, .p = begin(a, b, at, out)};
    zn_vec3 u = world_axis(&at->A, a), w = world_axis(&at->B, b);
    bool    flat = sine(u, w) < zn_near_flat(at, w).high;
    c.p.b_holds = zn_cylinder_holds;
    c.p.b_farthest = zn_cylinder_farthest;
    c.p.size = fmin(a->radius + a->length, b->radius + b->length);
    if (a->length > 0 && b->length > 0)
        zn_near_pair(&c.p, ZN_CYLINDER_MANTLE, ZN_CYLINDER_MANTLE);
    for (int first = 0; first < 2; first++)
        mantle_on_rims(&c, first);
    for (int first = 0; first < 2; first++)
        for (int end = 0; end < 2; end++)
            on_cap(&c, first, end, flat);
    rims_on_rims(&c);
    past_caps(&c);
    return zn_near_list(&c.p);
}
