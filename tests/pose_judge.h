/// Where two features meet, in quadruple precision and by formulas of its own, and how well that is determined.
#ifndef ZN_TESTS_POSE_JUDGE_H
#define ZN_TESTS_POSE_JUDGE_H

#include "pose_figure.h"

typedef struct exact_feature {
    zn_feature_kind kind;
    quad3           at, along, out;
    quad            size, radius;
} exact_feature;

typedef struct exact_place {
    quad3  n;
    quad   gap;
    quad3  on[2]; ///< points of the features, without radii
    double sure;  ///< a pose that is off by e has a normal that is off by e / sure
} exact_place;

static inline exact_feature exact_at(const zn_rigid *body, const zn_feature *own)
{
    exact_feature f = {.kind = own->kind, .size = own->size, .radius = own->radius};
    f.at = quad_add(quad_of(body->position), turned(&body->rotation, quad_of(own->at), false));
    if (own->kind != ZN_FEATURE_POINT)
        f.along = quad_unit(turned(&body->rotation, quad_of(own->along), false));
    if (own->kind == ZN_FEATURE_EDGE)
        f.out = turned(&body->rotation, quad_of(own->out), false);
    return f;
}

/// From the centre of a circle to its farthest point along n; its tangent there; how it bends.
static inline quad3 exact_rim(const exact_feature *f, quad3 n, quad3 *tangent, quad *bend)
{
    *tangent = (quad3){0, 0, 0}, *bend = 0;
    if (f->kind != ZN_FEATURE_CIRCLE)
        return *tangent;
    quad3 side = quad_cross(f->along, n);
    quad  sine = quad_norm(side);
    if (sine < 1e-13) // on its axis
        return *tangent;
    *tangent = quad_scale(1 / sine, side);
    *bend = f->size / sine;
    return quad_scale(f->size, quad_cross(*tangent, f->along));
}

/// Newton's method for the normal at which the separation of a circle and a line or circle is stationary, from one that
/// is right in double precision.
static inline double exact_newton(const exact_feature *a, const exact_feature *b, quad3 *n)
{
    const exact_feature *line = a->kind == ZN_FEATURE_EDGE ? a : b->kind == ZN_FEATURE_EDGE ? b : NULL;
    double               sure = 0;
    for (int i = 0; i < 3; i++) {
        quad3 t[2], e[2], r = quad_sub(a->at, b->at);
        quad  bend[2];
        r = quad_sub(r, exact_rim(a, *n, &t[0], &bend[0]));
        r = quad_sub(r, exact_rim(b, *n, &t[1], &bend[1]));
        e[0] = quad_unit(line ? quad_cross(line->along, *n) : quad_across((quad3){1, 0.5, 0.25}, *n));
        e[1] = quad_cross(*n, e[0]);
        quad s = quad_dot(r, *n), m[3] = {s, 0, s}, f[2] = {quad_dot(r, e[0]), quad_dot(r, e[1])};
        for (int k = 0; k < 2; k++) {
            quad x = quad_dot(t[k], e[0]), y = quad_dot(t[k], e[1]);
            m[0] += bend[k] * x * x, m[1] += bend[k] * x * y, m[2] += bend[k] * y * y;
        }
        quad det = m[0] * m[2] - m[1] * m[1];
        quad x = line ? f[0] / m[0] : (f[0] * m[2] - f[1] * m[1]) / det;
        quad y = line ? 0 : (f[1] * m[0] - f[0] * m[1]) / det;
        *n = quad_unit(quad_add(*n, quad_add(quad_scale(x, e[0]), quad_scale(y, e[1]))));
        if (line)
            *n = quad_unit(quad_across(*n, line->along));
        sure = (double)(line ? m[0] : det / (m[0] + m[2]));
    }
    return sure;
}

static inline void exact_toward(quad3 d, int side, exact_place *out)
{
    out->sure = (double)quad_norm(d);
    out->n = quad_scale(side / quad_norm(d), d);
}

/// A circle and a point, d from the circle's centre to it: from its nearest point.
static inline quad3 exact_from_circle(const exact_feature *circle, quad3 d)
{
    return quad_sub(d, quad_scale(circle->size, quad_unit(quad_across(d, circle->along))));
}

static inline void exact_edges(const exact_feature *a, const exact_feature *b, quad3 d, exact_place *out)
{
    quad3 c = quad_cross(a->along, b->along), way = quad_sub(b->out, a->out);
    quad  sine = quad_norm(c), side = quad_dot(c, quad_dot(way, way) > 0 ? way : d);
    out->n = quad_scale((side < 0 ? -1 : 1) / sine, c);
    out->sure = (double)sine;
}

static inline bool exact_flat(const exact_feature *f, zn_vec3 n)
{
    return f->kind == ZN_FEATURE_CIRCLE && zn_vec3_norm(zn_vec3_cross(quad_round(f->along), n)) < 1e-13;
}

/// Points of edges slide until what is between the points lies along the normal.
static inline void exact_slide(const exact_feature *a, const exact_feature *b, exact_place *p)
{
    quad3 r = quad_sub(p->on[0], p->on[1]);
    bool  A = a->kind == ZN_FEATURE_EDGE, B = b->kind == ZN_FEATURE_EDGE;
    quad  cosine = A && B ? quad_dot(a->along, b->along) : 0, square = 1 - cosine * cosine;
    quad  ra = A ? quad_dot(r, a->along) : 0, rb = B ? quad_dot(r, b->along) : 0;
    if (A)
        p->on[0] = quad_add(p->on[0], quad_scale((cosine * rb - ra) / square, a->along));
    if (B)
        p->on[1] = quad_add(p->on[1], quad_scale((rb - cosine * ra) / square, b->along));
    if (a->kind == ZN_FEATURE_FACE)
        p->on[0] = quad_add(p->on[1], quad_scale(quad_dot(p->n, r), p->n));
    if (b->kind == ZN_FEATURE_FACE)
        p->on[1] = quad_sub(p->on[0], quad_scale(quad_dot(p->n, r), p->n));
}

/// A rim along an edge, or two rims along each other, have more normals than one: what they are apart along that one.
static inline exact_place exact_along(const exact_feature *a, const exact_feature *b, zn_vec3 about)
{
    exact_place p = {.n = quad_unit(quad_of(about))};
    quad3       t;
    quad        bend;
    p.on[0] = quad_sub(a->at, exact_rim(a, p.n, &t, &bend));
    p.on[1] = quad_add(b->at, exact_rim(b, p.n, &t, &bend));
    p.gap = quad_dot(p.n, quad_sub(p.on[0], p.on[1])) - a->radius - b->radius;
    exact_slide(a, b, &p);
    return p;
}

/// `about`: the normal in double precision.
static inline exact_place exact_meet(const exact_feature *a, const exact_feature *b, zn_vec3 about)
{
    exact_place     p = {.n = quad_of(about), .sure = 1};
    quad3           d = quad_sub(a->at, b->at), t;
    quad            bend;
    zn_feature_kind A = a->kind, B = b->kind;
    bool            circle = A == ZN_FEATURE_CIRCLE || B == ZN_FEATURE_CIRCLE;
    bool            point = A == ZN_FEATURE_POINT || B == ZN_FEATURE_POINT;
    if (A == ZN_FEATURE_FACE || B == ZN_FEATURE_FACE)
        p.n = A == ZN_FEATURE_FACE ? quad_scale(-1, a->along) : b->along;
    else if (circle && point) {
        quad3 e = A == ZN_FEATURE_CIRCLE ? exact_from_circle(a, quad_scale(-1, d)) : exact_from_circle(b, d);
        exact_toward(e, A == ZN_FEATURE_CIRCLE ? -1 : 1, &p);
        p.gap = quad_norm(e) - a->radius - b->radius;
        p.on[0] = A == ZN_FEATURE_CIRCLE ? quad_add(b->at, quad_scale(quad_norm(e), p.n)) : a->at;
        p.on[1] = quad_sub(p.on[0], quad_scale(quad_norm(e), p.n));
        return p;
    } else if (circle) {
        const exact_feature *flat = exact_flat(a, about) ? a : exact_flat(b, about) ? b : NULL;
        if (flat) // a summit with an edge: over the inside of its disc
            p.n = quad_scale(quad_dot(p.n, flat->along) < 0 ? -1 : 1, flat->along);
        else if (!((p.sure = exact_newton(a, b, &p.n)) >= 1e-8))
            return exact_along(a, b, about);
    } else if (A == ZN_FEATURE_EDGE && B == ZN_FEATURE_EDGE)
        exact_edges(a, b, d, &p);
    else
        exact_toward(A == ZN_FEATURE_EDGE   ? quad_across(d, a->along)
                     : B == ZN_FEATURE_EDGE ? quad_across(d, b->along)
                                            : d,
                     1, &p);
    p.on[0] = quad_sub(a->at, exact_rim(a, p.n, &t, &bend));
    p.on[1] = quad_add(b->at, exact_rim(b, p.n, &t, &bend));
    p.gap = quad_dot(p.n, quad_sub(p.on[0], p.on[1])) - a->radius - b->radius;
    exact_slide(a, b, &p);
    return p;
}

#endif
