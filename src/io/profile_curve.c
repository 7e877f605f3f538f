// Curves as arcs. Between two points a, b with unit tangents s, t there is a pair of arcs that leaves along s, arrives
// along t and has no corner where they join: with v = b - a and control points at the same distance d from both ends,
//     v.v - 2 d v.(s + t) - 2 d^2 (1 - s.t) = 0,
// they join in the middle of a + d s and b - d t. A piece that is too far from the curve is halved; pieces are off by
// h^3, so that a tolerance of 1e-6 of the size needs some hundred arcs at most.
#include "io/profile.h"

#include <math.h>

// Of the distance from the centre of the shape: gaps to an arc are known as well as its radius, to 16 digits, and steps
// ask for 1e-13 m. What is flatter is a chord, with corners of less than a hundred thousandth.
static const double flattest = 1e3;

typedef struct piece {
    double  a, b;
    zn_vec3 p, q, s, t; // ends and unit tangents
} piece;

static double cross(zn_vec3 a, zn_vec3 b) { return a.x * b.y - a.y * b.x; }

static bool place(zn_curve c, double t, zn_vec3 *point, zn_vec3 *tangent)
{
    zn_vec3 d;
    c.at(c.user, t, point, &d);
    double length = hypot(d.x, d.y);
    *tangent = zn_vec3_scale(1 / length, d);
    return isfinite(point->x) && isfinite(point->y) && length > 0 && isfinite(length);
}

static double bulge(zn_vec3 tangent, zn_vec3 chord) // tan of half the angle from the tangent to the chord
{
    double length = hypot(chord.x, chord.y);
    return cross(tangent, chord) / (length + zn_vec3_dot(tangent, chord));
}

// Where both arcs join.
static zn_vec3 middle_of(const piece *p)
{
    zn_vec3 v = zn_vec3_sub(p->q, p->p), sum = zn_vec3_add(p->s, p->t), apart = zn_vec3_sub(p->s, p->t);
    double  vv = zn_vec3_dot(v, v), vt = zn_vec3_dot(v, sum);
    double  d = vv / (vt + sqrt(vt * vt + zn_vec3_dot(apart, apart) * vv));
    return zn_vec3_scale(
        0.5, zn_vec3_add(zn_vec3_add(p->p, zn_vec3_scale(d, p->s)), zn_vec3_sub(p->q, zn_vec3_scale(d, p->t))));
}

// Distance of x from the arc from a to b: from its circle where x is beside it. With h the height of x over the chord
// and s its place on it, the circle through both has power (x - a).(x - b) - h c (1 - k^2) / 2k.
static double away(zn_vec3 a, zn_vec3 b, double k, zn_vec3 x)
{
    zn_vec3 c = zn_vec3_sub(b, a), d = zn_vec3_sub(x, a);
    double  length = hypot(c.x, c.y), h = cross(c, d) / length;
    if (fabs(k) < 1e-8)
        return fabs(h);
    double radius = length * (1 + k * k) / (4 * k);
    double power = zn_vec3_dot(d, zn_vec3_sub(d, c)) - h * length * (1 - k * k) / (2 * k);
    return fabs(power) / (fabs(radius) + sqrt(fmax(0, radius * radius + power)));
}

// Largest distance of the curve from the arcs, where it is looked at.
static double error_of(zn_curve c, const piece *p, zn_vec3 m)
{
    enum { LOOKS = 8 };
    double k0 = bulge(p->s, zn_vec3_sub(m, p->p)), worst = 0;
    double k1 = -bulge(zn_vec3_scale(-1, p->t), zn_vec3_sub(m, p->q));
    for (int i = 1; i < LOOKS; i++) {
        zn_vec3 x, d;
        if (!place(c, p->a + (p->b - p->a) * i / LOOKS, &x, &d))
            return NAN;
        zn_vec3 v = zn_vec3_sub(p->q, p->p);
        bool    first = zn_vec3_dot(zn_vec3_sub(x, m), v) < 0;
        worst = fmax(worst, first ? away(p->p, m, k0, x) : away(m, p->q, k1, x));
    }
    return worst;
}

// The arc from a to b, which leaves with bulge k, or its chord.
static zn_status add_arc(zn_profile *out, zn_vec3 a, zn_vec3 b, double k)
{
    double length = hypot(b.x - a.x, b.y - a.y);
    bool   flat = length > 4 * fabs(k) * flattest * hypot(a.x, a.y);
    if (flat)
        out->error = fmax(out->error, 0.5 * fabs(k) * length);
    return zn_profile_add(out, a.x, a.y, flat ? 0 : k);
}

static zn_status add_piece(zn_profile *out, zn_curve c, const piece *p, double tolerance, int depth, double *where)
{
    zn_vec3 m = middle_of(p), v = zn_vec3_sub(p->q, p->p);
    bool    simple = zn_vec3_dot(p->s, v) > 0 && zn_vec3_dot(p->t, v) > 0;
    double  error = simple ? error_of(c, p, m) : INFINITY;
    *where = p->a;
    if (error <= tolerance) {
        out->error = fmax(out->error, error);
        ZN_TRY(add_arc(out, p->p, m, bulge(p->s, zn_vec3_sub(m, p->p))));
        return add_arc(out, m, p->q, -bulge(zn_vec3_scale(-1, p->t), zn_vec3_sub(m, p->q)));
    }
    piece half[2] = {*p, *p};
    half[0].b = half[1].a = 0.5 * (p->a + p->b);
    if (depth == 0 || isnan(error) || out->count > ZN_PROFILE_SIDES || !place(c, half[0].b, &half[0].q, &half[0].t))
        return ZN_ERR_MODEL;
    half[1].p = half[0].q;
    half[1].s = half[0].t;
    ZN_TRY(add_piece(out, c, &half[0], tolerance, depth - 1, where));
    return add_piece(out, c, &half[1], tolerance, depth - 1, where);
}

zn_status zn_profile_add_curve(zn_profile *out, zn_curve c, double a, double b, double tolerance, double *where)
{
    enum { PIECES_DEPTH = 40 };
    piece p = {.a = a, .b = b};
    *where = a;
    if (!place(c, a, &p.p, &p.s) || !place(c, b, &p.q, &p.t))
        return ZN_ERR_MODEL;
    return add_piece(out, c, &p, tolerance, PIECES_DEPTH, where);
}
