// Where two features meet, and how that changes. Seen from B, with n the unit normal from B to A, the feature of A has
// its lowest point x_A(n), that of B its highest one x_B(n), and with d = x_A - x_B
//     g = max over n of n.d(n) - r_A - r_B,       n across every edge that takes part; n of a face: that one.
// At the largest value d = λ n: the contact points lie along the normal (on edges x slides until they do). Lowest and
// highest points: of a point itself, of an edge any point, of a circle with centre c, axis e, radius R
//     x = c -+ R w,   w = P n / |P n|,  P = I - e e',      dx/dn = -+ K,  K = R / |P n| t t',  t = e x w
// Faces: n turns with its body. Else, S the spins, v the velocities of the material points, u_i the edges,
//     dd = v_A - v_B - K_A (dn - S_A x n) - K_B (dn - S_B x n) + slides along u_i
//     dd = dλ n + λ dn,      dn.u_i = -n.(S_i x u_i)
// The second line fixes dn along the edges, the first one across them; its parts along the edges are the slides.
// Rows need no dn: the gradient of g is the relative velocity along n, wherever along n, because g is largest in n.
// Hollow arcs (r < 0) in the plane are a smallest value: n = -d/|d|, λ = -|d|, and the same formulas.
#include "model/contact/feature.h"

#include <math.h>

#include "model/contact/contact.h"
#include "model/contact/feature_circle.h"

static zn_vec3 sub(zn_vec3 a, zn_vec3 b) { return zn_vec3_sub(a, b); }
static zn_vec3 add(zn_vec3 a, zn_vec3 b) { return zn_vec3_add(a, b); }
static zn_vec3 scale(double s, zn_vec3 a) { return zn_vec3_scale(s, a); }
static double  dot(zn_vec3 a, zn_vec3 b) { return zn_vec3_dot(a, b); }
static zn_vec3 cross(zn_vec3 a, zn_vec3 b) { return zn_vec3_cross(a, b); }
static zn_vec3 along(zn_vec3 x, double s, zn_vec3 u) { return add(x, scale(s, u)); }
static zn_vec3 across(zn_vec3 a, zn_vec3 u) { return sub(a, scale(dot(a, u), u)); }

static const double no_length = 1e-150; // below it a direction is lost in underflow
static const double parallel = 1e-6;    // sine of the angle between edges that have no normal of their own
static const double flat = 1e-12; // sine of the tilt of a circle on a face below which any of its points is lowest

void zn_feature_carry(const zn_rigid *body, zn_feature *f)
{
    f->at = zn_rigid_point(body, f->at);
    if (f->kind != ZN_FEATURE_POINT)
        f->along = zn_rigid_vector(body, f->along);
    if (f->kind == ZN_FEATURE_EDGE)
        f->out = zn_rigid_vector(body, f->out);
}

zn_feature zn_feature_at(const zn_rigid *body, const zn_feature *own)
{
    zn_feature out = *own;
    zn_feature_carry(body, &out);
    return out;
}

// --- normals -------------------------------------------------------------------------------------

static bool point_point(const zn_feature *a, const zn_feature *b, zn_vec3 *n)
{
    zn_vec3 d = sub(a->at, b->at);
    double  length = zn_vec3_norm(d);
    bool    hollow = a->radius < 0 || b->radius < 0;
    if (!(length > no_length)) {
        *n = (zn_vec3){1, 0, 0}; // in the centre of a hollow arc any direction is as good
        return hollow;
    }
    *n = scale((hollow ? -1 : 1) / length, d);
    return true;
}

static bool point_edge(zn_vec3 point, const zn_feature *edge, double sign, zn_vec3 *n)
{
    zn_vec3 d = across(sub(point, edge->at), edge->along);
    double  length = zn_vec3_norm(d);
    *n = scale(sign / length, d);
    return length > no_length;
}

// Two edges without a normal of their own. Round ones have that of their distance, found at the point of a.
static bool are_parallel(const zn_feature *a, const zn_feature *b)
{
    return a->kind == ZN_FEATURE_EDGE && b->kind == ZN_FEATURE_EDGE &&
           !(zn_vec3_norm(cross(a->along, b->along)) > parallel);
}

static bool edge_edge(const zn_feature *a, const zn_feature *b, zn_vec3 *n)
{
    zn_vec3 c = cross(a->along, b->along), out = sub(b->out, a->out);
    double  sine = zn_vec3_norm(c);
    if (are_parallel(a, b))
        return (dot(a->out, a->out) == 0 || dot(b->out, b->out) == 0) && a->radius + b->radius > 0 &&
               point_edge(a->at, b, 1, n);
    bool solid = dot(out, out) > 0;
    *n = scale(copysign(1 / sine, dot(c, solid ? out : sub(a->at, b->at))), c);
    return true;
}

static bool find_normal(const zn_feature *a, const zn_feature *b, zn_vec3 *n)
{
    if (a->kind == ZN_FEATURE_FACE || b->kind == ZN_FEATURE_FACE) {
        const zn_feature *other = a->kind == ZN_FEATURE_FACE ? b : a;
        *n = a->kind == ZN_FEATURE_FACE ? scale(-1, a->along) : b->along;
        return other->kind == ZN_FEATURE_POINT || other->kind == ZN_FEATURE_CIRCLE;
    }
    if (a->kind == ZN_FEATURE_CIRCLE || b->kind == ZN_FEATURE_CIRCLE)
        return zn_feature_circle_normal(a, b, n);
    if (a->kind == ZN_FEATURE_EDGE)
        return b->kind == ZN_FEATURE_EDGE ? edge_edge(a, b, n) : point_edge(b->at, a, -1, n);
    return b->kind == ZN_FEATURE_EDGE ? point_edge(a->at, b, 1, n) : point_point(a, b, n);
}

// --- points --------------------------------------------------------------------------------------

// Of a circle: w, and how far n is from its axis.
static zn_vec3 rim_direction(const zn_feature *f, zn_vec3 n, double *sine)
{
    zn_vec3 t = cross(f->along, n), any[2]; // then w stays in the plane of the circle, however flat it lies
    *sine = zn_vec3_norm(t);
    if (*sine > flat)
        return scale(1 / *sine, cross(t, f->along));
    zn_contact_tangents(f->along, false, any);
    return any[0];
}

// A circle as a point x sees it along n: where x is over the inside of its disc the nearest point is not the extreme
// one but the one opposite to it, as if the radius was negative.
static zn_feature seen(const zn_feature *f, const zn_feature *other, zn_vec3 n, double side)
{
    zn_feature out = *f;
    if (f->kind == ZN_FEATURE_CIRCLE && other->kind == ZN_FEATURE_POINT &&
        side * dot(across(n, f->along), sub(other->at, f->at)) < 0)
        out.size = -f->size;
    return out;
}

// A circle in a plane with the edge that it meets: the whole disc is lowest, and the edge lies along it.
static bool lies_along(const zn_feature *f, const zn_feature *other, zn_vec3 n)
{
    return f->kind == ZN_FEATURE_CIRCLE && other->kind == ZN_FEATURE_EDGE && !(zn_vec3_norm(cross(f->along, n)) > flat);
}

// Then the middle of what the edge has in common with the disc, in the plane of the disc.
static zn_vec3 middle_of_chord(const zn_feature *f, const zn_feature *edge)
{
    zn_vec3 to = across(across(sub(edge->at, f->at), edge->along), f->along);
    double  length = zn_vec3_norm(to);
    return along(f->at, length > f->size ? f->size / length : 1, to);
}

// The lowest (side -1) or highest (side 1) point along n, as the other one sees it.
static zn_vec3 extreme(const zn_feature *f, const zn_feature *other, zn_vec3 n, double side)
{
    if (f->kind != ZN_FEATURE_CIRCLE)
        return f->at;
    if (lies_along(f, other, n))
        return middle_of_chord(f, other);
    double     sine;
    zn_feature rim = seen(f, other, n, side);
    return along(rim.at, side * rim.size, rim_direction(&rim, n, &sine));
}

// Points of edges slide until what is between the points lies along the normal.
static void slide(const zn_feature *a, const zn_feature *b, zn_vec3 on[2])
{
    zn_vec3 r = sub(on[0], on[1]);
    if (are_parallel(a, b))
        on[1] = along(on[1], dot(r, b->along), b->along);
    else if (a->kind == ZN_FEATURE_EDGE && b->kind == ZN_FEATURE_EDGE) {
        zn_vec3 c = cross(a->along, b->along); // products across the edges: at an angle θ good to 1e-16 / θ
        double  square = dot(c, c);
        on[0] = along(on[0], -dot(cross(r, b->along), c) / square, a->along);
        on[1] = along(on[1], -dot(cross(r, a->along), c) / square, b->along);
    } else if (a->kind == ZN_FEATURE_EDGE)
        on[0] = along(on[0], -dot(r, a->along), a->along);
    else if (b->kind == ZN_FEATURE_EDGE)
        on[1] = along(on[1], dot(r, b->along), b->along);
}

// --- lines with ends -----------------------------------------------------------------------------
//
// Lines that are nearly parallel cross somewhere else with the slightest turn, and beyond their ends the normal of the
// crossing has nothing to do with the way from one to the other. Where both have ends, the one that is nearest stands
// for a line whose crossing lies beyond it: the gap of the pair is the distance of two segments, whose normal is
// continuous.

static double within(double s, double half) { return fmin(fmax(s, -half), half); }

static bool have_ends(const zn_feature *a, const zn_feature *b)
{
    return a->kind == ZN_FEATURE_EDGE && b->kind == ZN_FEATURE_EDGE && a->size > 0 && b->size > 0 &&
           !are_parallel(a, b);
}

// The end at s of a line, or the line itself where that is no end.
static zn_feature end_of(const zn_feature *f, double s)
{
    zn_feature out = *f;
    if (fabs(s) >= f->size) {
        out.kind = ZN_FEATURE_POINT;
        out.at = along(f->at, copysign(f->size, s), f->along);
    }
    return out;
}

// What of two lines with ends is nearest to each other.
static void nearest_ends(const zn_feature *a, const zn_feature *b, zn_feature *low, zn_feature *high)
{
    zn_vec3 r = sub(a->at, b->at), c = cross(a->along, b->along);
    double  cosine = dot(a->along, b->along), ra = dot(r, a->along), rb = dot(r, b->along);
    double  s = within(-dot(cross(r, b->along), c) / dot(c, c), a->size); // on a, then the nearest on b, and back
    double  t = within(rb + s * cosine, b->size);
    s = within(t * cosine - ra, a->size);
    *low = end_of(a, s);
    *high = end_of(b, t);
}

// --- rims that are behind ------------------------------------------------------------------------
//
// The normals of a rim lie between those of its cap and of its mantle. Before it touches, what is nearest may be behind
// it: then the largest separation is along the last of its normals, across the axis, and the mantle stands for the rim,
// a line with the radius of the circle. That is no more than the distance, and goes over into the gap of the rim.

static bool meet_features(const zn_feature *a, const zn_feature *b, zn_feature_place *out)
{
    zn_vec3 n;
    if (!find_normal(a, b, &n))
        return false;
    out->normal = n;
    out->on[0] = extreme(a, b, n, -1);
    out->on[1] = extreme(b, a, n, 1);
    slide(a, b, out->on); // first: nearly parallel edges have an n that is off by 1e-16 over their angle, along them
    double apart = dot(n, sub(out->on[0], out->on[1]));
    out->gap = apart - a->radius - b->radius;
    if (a->kind == ZN_FEATURE_FACE)
        out->on[0] = along(out->on[1], apart, n);
    else if (b->kind == ZN_FEATURE_FACE)
        out->on[1] = along(out->on[0], -apart, n);
    out->point = a->kind == ZN_FEATURE_FACE ? along(out->on[1], b->radius, n) : along(out->on[0], -a->radius, n);
    out->behind = false;
    return true;
}

static zn_feature mantle_of(const zn_feature *f)
{
    return (zn_feature){.kind = ZN_FEATURE_EDGE, .at = f->at, .along = f->along, .radius = f->radius + f->size};
}

static bool is_rim(const zn_feature *f) { return f->kind == ZN_FEATURE_CIRCLE; }

static bool has_mantle(const zn_feature *f) { return is_rim(f) && !f->thin; }

// A normal to a, out of the solid that has the rim.
static bool is_out(const zn_feature *f, zn_vec3 n, double side)
{
    return !has_mantle(f) || side * dot(f->along, n) >= 0;
}

static zn_feature other_side(const zn_feature *f)
{
    zn_feature out = *f;
    out.along = scale(-1, f->along);
    return out;
}

// The mantles that stand for rims, so that the separation is largest, and how they meet; discs from both sides. False:
// none are apart.
static bool meet_mantles(const zn_feature *a, const zn_feature *b, zn_feature used[2], zn_feature_place *out)
{
    bool   found = false;
    double touching = -1e-9 * (a->size + b->size);
    for (int which = 1; which < 7; which++) { // which & 4: a disc, whichever of them is one, from its other side
        zn_feature       f = which & 1 ? mantle_of(a) : which & 4 ? other_side(a) : *a;
        zn_feature       g = which & 2 ? mantle_of(b) : which & 4 ? other_side(b) : *b;
        zn_feature_place at;
        if ((which & 1 && !has_mantle(a)) || (which & 2 && !has_mantle(b)) || (which & 4 && !f.thin && !g.thin) ||
            are_parallel(&f, &g) || !meet_features(&f, &g, &at) || !is_out(&f, at.normal, -1) ||
            !is_out(&g, at.normal, 1))
            continue;
        if (at.gap > (found ? out->gap : touching)) {
            *out = at;
            used[0] = f, used[1] = g;
            found = true;
        }
    }
    out->behind = true;
    return found;
}

static bool may_be_behind(const zn_feature *a, const zn_feature *b)
{
    return (is_rim(a) && (is_rim(b) || b->kind == ZN_FEATURE_EDGE)) || (is_rim(b) && a->kind == ZN_FEATURE_EDGE);
}

bool zn_feature_meet(const zn_feature *a, const zn_feature *b, zn_feature_place *out)
{
    return !are_parallel(a, b) && zn_feature_meet_still(a, b, out);
}

bool zn_feature_meet_still(const zn_feature *a, const zn_feature *b, zn_feature_place *out)
{
    zn_feature used[2];
    if (have_ends(a, b)) {
        nearest_ends(a, b, &used[0], &used[1]);
        return meet_features(&used[0], &used[1], out);
    }
    if (meet_features(a, b, out))
        return true;
    if (!may_be_behind(a, b) || !meet_mantles(a, b, used, out))
        return false;
    out->on[0] = along(out->on[0], a->radius - used[0].radius, out->normal); // of the mantle, which has no radius for a
    out->on[1] = along(out->on[1], used[1].radius - b->radius, out->normal); // rim
    return true;
}

// --- changes -------------------------------------------------------------------------------------

// K of a circle is k t t'; of others k is 0.
typedef struct bow {
    double  k;
    zn_vec3 t;
} bow;

static bow bow_of(const zn_feature *f, zn_vec3 n)
{
    if (f->kind != ZN_FEATURE_CIRCLE)
        return (bow){0};
    double  sine;
    zn_vec3 w = rim_direction(f, n, &sine);
    return (bow){sine > flat ? f->size / sine : 0, cross(f->along, w)};
}

static zn_vec3 bent(bow b, zn_vec3 x) { return scale(b.k * dot(b.t, x), b.t); }

// Both sides of a pair without a face.
typedef struct pair_change {
    const zn_feature *f[2];
    zn_vec3           n, v[2], turned[2]; // turned: S x n
    bow               bow[2];
    double            lambda;
    zn_vec3           edge[2]; // directions of those that are edges
    double            forced[2];
    int               edges;
} pair_change;

// The part of dn along the edges.
static zn_vec3 forced_normal(const pair_change *p)
{
    if (p->edges == 0)
        return (zn_vec3){0, 0, 0};
    if (p->edges == 1)
        return scale(p->forced[0], p->edge[0]);
    zn_vec3 c = cross(p->edge[0], p->edge[1]);
    double  cosine = dot(p->edge[0], p->edge[1]), square = dot(c, c);
    return add(scale((p->forced[0] - cosine * p->forced[1]) / square, p->edge[0]),
               scale((p->forced[1] - cosine * p->forced[0]) / square, p->edge[1]));
}

// What d does when the normal changes by dn and points of edges stay.
static zn_vec3 apart_change(const pair_change *p, zn_vec3 dn)
{
    zn_vec3 dd = sub(p->v[0], p->v[1]);
    for (int i = 0; i < 2; i++)
        dd = sub(dd, bent(p->bow[i], sub(dn, p->turned[i])));
    return dd;
}

// dn: along the edges as they turn, across them so that d stays along n.
static zn_vec3 normal_change(const pair_change *p)
{
    zn_vec3 dn = forced_normal(p), t[2];
    if (p->edges == 2)
        return dn;
    int count = p->edges == 1 ? 1 : 2;
    if (p->edges == 1)
        t[0] = cross(p->edge[0], p->n);
    else
        zn_contact_tangents(p->n, false, t);
    zn_vec3 rest = sub(apart_change(p, dn), scale(p->lambda, dn));
    double  m[2][2] = {{p->lambda, 0}, {0, p->lambda}}, r[2] = {0, 0};
    for (int i = 0; i < count; i++) {
        r[i] = dot(t[i], rest);
        for (int j = 0; j < count; j++)
            m[i][j] += dot(t[i], add(bent(p->bow[0], t[j]), bent(p->bow[1], t[j])));
    }
    if (count == 1)
        return fabs(m[0][0]) > no_length ? along(dn, r[0] / m[0][0], t[0]) : dn;
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    if (!(fabs(det) > no_length))
        return dn; // in the centre of a hollow arc
    dn = along(dn, (r[0] * m[1][1] - r[1] * m[0][1]) / det, t[0]);
    return along(dn, (r[1] * m[0][0] - r[0] * m[1][0]) / det, t[1]);
}

// How fast the point of a's edge slides along it.
static double slide_change(const pair_change *p, zn_vec3 dn)
{
    if (p->f[0]->kind != ZN_FEATURE_EDGE || are_parallel(p->f[0], p->f[1]))
        return 0;
    zn_vec3 u = p->f[0]->along, rest = sub(apart_change(p, dn), scale(p->lambda, dn));
    if (p->f[1]->kind != ZN_FEATURE_EDGE)
        return -dot(u, rest);
    zn_vec3 w = p->f[1]->along, c = cross(u, w);
    return (dot(u, w) * dot(w, rest) - dot(u, rest)) / dot(c, c);
}

static zn_feature_change face_change(const zn_feature *other, const zn_feature_place *at, double side, int on,
                                     const zn_feature_motion *own, const zn_feature_motion *face)
{
    zn_vec3 n = at->normal, dn = cross(face->spin, n);
    zn_vec3 bend = bent(bow_of(other, n), sub(dn, cross(own->spin, n)));
    zn_vec3 dx = along(zn_feature_velocity(own, at->on[on]), side, bend);
    return (zn_feature_change){dn, along(dx, side * other->radius, dn)};
}

zn_feature_change zn_feature_change_with(const zn_feature *a, const zn_feature *b, const zn_feature_place *at,
                                         const zn_feature_motion *A, const zn_feature_motion *B)
{
    zn_feature ends[2];
    if (have_ends(a, b)) {
        nearest_ends(a, b, &ends[0], &ends[1]);
        a = &ends[0];
        b = &ends[1];
    }
    zn_feature_place again;
    if (at->behind && meet_mantles(a, b, ends, &again)) {
        a = &ends[0];
        b = &ends[1];
        at = &again;
    }
    zn_vec3 n = at->normal;
    if (a->kind == ZN_FEATURE_FACE || lies_along(a, b, n))
        return face_change(b, at, 1, 1, B, A);
    if (b->kind == ZN_FEATURE_FACE || lies_along(b, a, n))
        return face_change(a, at, -1, 0, A, B);
    pair_change p = {.f = {a, b}, .n = n, .v = {zn_feature_velocity(A, at->on[0]), zn_feature_velocity(B, at->on[1])}};
    const zn_feature_motion *motion[2] = {A, B};
    p.lambda = dot(n, sub(at->on[0], at->on[1]));
    for (int i = 0; i < 2; i++) {
        p.turned[i] = cross(motion[i]->spin, n);
        zn_feature f = seen(p.f[i], p.f[1 - i], n, i == 0 ? -1 : 1);
        p.bow[i] = bow_of(&f, n);
        if (p.f[i]->kind != ZN_FEATURE_EDGE || (i == 0 && are_parallel(a, b)))
            continue;
        p.edge[p.edges] = p.f[i]->along;
        p.forced[p.edges++] = -dot(n, cross(motion[i]->spin, p.f[i]->along));
    }
    zn_vec3 dn = normal_change(&p);
    zn_vec3 dx = sub(p.v[0], bent(p.bow[0], sub(dn, p.turned[0])));
    dx = along(dx, slide_change(&p, dn), a->along);
    return (zn_feature_change){dn, along(dx, -a->radius, dn)};
}
