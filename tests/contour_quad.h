/// A second geometry of contours in quadruple precision, by formulas of its own: distances of all pairs of sides.
#ifndef ZN_TESTS_CONTOUR_QUAD_H
#define ZN_TESTS_CONTOUR_QUAD_H

#include "check.h"
#include "io/profile.h"

typedef __float128 quad;

typedef struct q2 {
    quad x, y;
} q2;

typedef struct q_side {
    q2   a, b, c; // ends; centre of an arc
    quad R;       // 0: straight
    bool left;    // the arc turns left from a to b
} q_side;

typedef struct q_shape {
    int    count;
    bool   open;
    q_side side[64];
} q_shape;

static inline quad q_root(quad x)
{
    if (x <= 0)
        return 0;
    quad r = (quad)sqrt((double)x);
    for (int i = 0; i < 2; i++)
        r = (r + x / r) / 2;
    return r;
}

static inline q2   q_sub(q2 a, q2 b) { return (q2){a.x - b.x, a.y - b.y}; }
static inline quad q_dot(q2 a, q2 b) { return a.x * b.x + a.y * b.y; }
static inline quad q_cross(q2 a, q2 b) { return a.x * b.y - a.y * b.x; }
static inline quad q_length(q2 a) { return q_root(q_dot(a, a)); }
static inline quad q_abs(quad x) { return x < 0 ? -x : x; }

static inline q2 q_placed(zn_vec3 p, double angle, zn_vec3 at)
{
    quad c = (quad)cos(angle), s = (quad)sin(angle); // what the library gets, too
    return (q2){(quad)at.x + c * (quad)p.x - s * (quad)p.y, (quad)at.y + s * (quad)p.x + c * (quad)p.y};
}

static inline q_shape q_place(const zn_profile *p, double angle, zn_vec3 at)
{
    q_shape out = {.count = p->count - p->open, .open = p->open};
    for (int i = 0; i < out.count; i++) {
        quad   k = (quad)p->side[i].bulge;
        q2     a = q_placed(p->side[i].start, angle, at), b = q_placed(p->side[(i + 1) % p->count].start, angle, at);
        q_side s = {.a = a, .b = b};
        if (k != 0) {
            quad up = (1 - k * k) / (4 * k);
            s.c = (q2){(a.x + b.x) / 2 - up * (b.y - a.y), (a.y + b.y) / 2 + up * (b.x - a.x)};
            s.R = q_length(q_sub(a, s.c));
            s.left = k > 0;
        }
        out.side[i] = s;
    }
    return out;
}

// An arc is on one side of its chord: that of the direction d from the centre?
static inline bool q_on_arc(const q_side *s, q2 d)
{
    quad l = q_length(d);
    if (l == 0)
        return false;
    q2   x = {s->c.x + d.x * s->R / l, s->c.y + d.y * s->R / l};
    quad side = q_cross(q_sub(s->b, s->a), q_sub(x, s->a));
    return s->left ? side <= 0 : side >= 0;
}

typedef struct closest {
    quad d;
    bool corners; // both are ends of sides
} closest;

static inline void closer(closest *c, quad d, bool corners)
{
    if (d < c->d)
        *c = (closest){d, corners};
}

// Point and side; `corner`: the point is one.
static inline void q_point(const q_side *s, q2 x, bool corner, closest *out)
{
    closer(out, q_length(q_sub(x, s->a)), corner);
    closer(out, q_length(q_sub(x, s->b)), corner);
    if (s->R != 0) {
        q2 d = q_sub(x, s->c);
        if (q_on_arc(s, d))
            closer(out, q_abs(q_length(d) - s->R), false);
        return;
    }
    q2   u = q_sub(s->b, s->a);
    quad t = q_dot(q_sub(x, s->a), u) / q_dot(u, u);
    if (t >= 0 && t <= 1)
        closer(out, q_abs(q_cross(u, q_sub(x, s->a))) / q_length(u), false);
}

static inline void q_line_arc(const q_side *line, const q_side *arc, closest *out)
{
    q2   u = q_sub(line->b, line->a), d = q_sub(arc->c, line->a);
    quad t = q_dot(d, u) / q_dot(u, u);
    if (t < 0 || t > 1)
        return;
    q2 foot = {line->a.x + t * u.x, line->a.y + t * u.y};
    if (q_on_arc(arc, q_sub(foot, arc->c)))
        closer(out, q_abs(q_length(q_sub(foot, arc->c)) - arc->R), false);
}

static inline void q_arc_arc(const q_side *a, const q_side *b, closest *out)
{
    q2   d = q_sub(b->c, a->c);
    quad l = q_length(d);
    for (int k = 0; k < 4; k++) {
        int sa = k & 1 ? 1 : -1, sb = k & 2 ? 1 : -1;
        if (q_on_arc(a, (q2){sa * d.x, sa * d.y}) && q_on_arc(b, (q2){sb * d.x, sb * d.y}))
            closer(out, q_abs(l + sb * b->R - sa * a->R), false);
    }
}

static inline closest q_distance(const q_shape *A, const q_shape *B)
{
    closest out = {1e9, false};
    for (int i = 0; i < A->count; i++)
        for (int j = 0; j < B->count; j++) {
            const q_side *a = &A->side[i], *b = &B->side[j];
            q_point(b, a->a, true, &out);
            q_point(a, b->a, true, &out);
            if (a->R != 0 && b->R != 0)
                q_arc_arc(a, b, &out);
            else if (a->R != 0 || b->R != 0)
                q_line_arc(a->R != 0 ? b : a, a->R != 0 ? a : b, &out);
        }
    return out;
}

static inline double q_from(const q_shape *A, zn_vec3 x)
{
    closest out = {1e9, false};
    for (int i = 0; i < A->count; i++)
        q_point(&A->side[i], (q2){(quad)x.x, (quad)x.y}, false, &out);
    return (double)out.d;
}

#endif
