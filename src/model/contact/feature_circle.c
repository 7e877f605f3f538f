// With d = c_a - c_b between the centres (or points) and P across the axis of a circle, its extreme points along n are
//     x_a = c_a - R_a w_a,  x_b = c_b + R_b w_b,  w = P n / |P n|,  t = u x w its tangent there
// and the separation  s = n.(x_a - x_b) = n.d - R_a |P_a n| - R_b |P_b n|  is stationary on the unit sphere where
//     r = x_a - x_b - s n = 0.  Newton's method:  (k_a t_a t_a' + k_b t_b t_b' + s I) dn = r,  k = R / |P n|
// whose matrix is positive where s > 0: the step climbs. With s <= 0 (the discs are in each other) there may be more
// than one hill. The one that counts is found from the sum of the discs, a convex set with the support function
// h(n) = R_a |P_a n| + R_b |P_b n|: the ray along d leaves it where n.d / h(n) is largest, so h is smallest over the
// plane n.d = 1, which is a convex problem; for s = 0 both are the same point. Against a line n is across it, and its
// start is that of the nearest point of an ellipse.
#include "model/contact/feature_circle.h"

#include <float.h>
#include <math.h>

#include "model/contact/contact.h"
#include "model/contact/shape.h"

static zn_vec3 sub(zn_vec3 a, zn_vec3 b) { return zn_vec3_sub(a, b); }
static zn_vec3 add(zn_vec3 a, zn_vec3 b) { return zn_vec3_add(a, b); }
static zn_vec3 scale(double s, zn_vec3 a) { return zn_vec3_scale(s, a); }
static double  dot(zn_vec3 a, zn_vec3 b) { return zn_vec3_dot(a, b); }
static zn_vec3 unit(zn_vec3 a) { return scale(1 / zn_vec3_norm(a), a); }
static zn_vec3 across(zn_vec3 a, zn_vec3 u) { return sub(a, scale(dot(a, u), u)); }

// --- what a circle shows along n -----------------------------------------------------------------

typedef struct side {
    zn_vec3 far;     // R w, from the centre
    zn_vec3 tangent; // t
    double  bend;    // k
} side;

// n has any length > 0. On the axis any w is as good.
static side look(const zn_feature *f, zn_vec3 n)
{
    if (f->kind != ZN_FEATURE_CIRCLE)
        return (side){.bend = 0};
    zn_vec3 turned = zn_vec3_cross(f->along, n), any[2];
    double  length = zn_vec3_norm(turned);
    if (length > 0)
        turned = scale(1 / length, turned);
    else {
        zn_contact_tangents(f->along, false, any);
        turned = any[0];
    }
    return (side){.far = scale(f->size, zn_vec3_cross(turned, f->along)),
                  .tangent = turned,
                  .bend = f->size / fmax(length, DBL_MIN * f->size)};
}

// R |P n|
static double lift(const zn_feature *f, zn_vec3 n)
{
    return f->kind == ZN_FEATURE_CIRCLE ? f->size * zn_vec3_norm(zn_vec3_cross(f->along, n)) : 0;
}

typedef struct problem {
    const zn_feature *a, *b;
    zn_vec3           d;
} problem;

static double separation(const problem *p, zn_vec3 n) { return dot(n, p->d) - lift(p->a, n) - lift(p->b, n); }

// --- Newton's method across a direction ----------------------------------------------------------

// The step of M y = r with M = k_a t_a t_a' + k_b t_b t_b' + shift I across e. False: M is singular.
static bool newton_step(const side *a, const side *b, double shift, zn_vec3 e, zn_vec3 r, zn_vec3 *y)
{
    zn_vec3 base[2];
    zn_contact_tangents(e, false, base);
    double m[2][2], f[2] = {dot(base[0], r), dot(base[1], r)};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            m[i][j] = a->bend * dot(base[i], a->tangent) * dot(base[j], a->tangent) +
                      b->bend * dot(base[i], b->tangent) * dot(base[j], b->tangent) + (i == j ? shift : 0);
    double det = m[0][0] * m[1][1] - m[0][1] * m[1][0], trace = m[0][0] + m[1][1];
    if (!(trace > 0) || !(det > 1e-22 * trace * trace))
        return false;
    *y = add(scale((f[0] * m[1][1] - m[0][1] * f[1]) / det, base[0]),
             scale((m[0][0] * f[1] - m[1][0] * f[0]) / det, base[1]));
    return true;
}

// --- summits -------------------------------------------------------------------------------------

// What is made large, over n in the plane n.e = 1: the separation per length of n, or how soon the ray leaves (1 / h).
typedef struct hill {
    const problem *p;
    bool           ray;
    zn_vec3        e;       // of the ray
    bool           outward; // n is out of the solids behind the discs
} hill;

static bool leads_out(const problem *p, zn_vec3 n)
{
    return (p->a->thin || dot(n, p->a->along) <= 0) && (p->b->thin || dot(n, p->b->along) >= 0);
}

// The normal out of a solid along the axis of its circle; of a disc on the side where d, from the other one, is.
static zn_vec3 outward(const zn_feature *f, zn_vec3 d)
{
    return scale(f->thin && dot(f->along, d) > 0 ? -1 : 1, f->along);
}

static double height(const hill *f, zn_vec3 n)
{
    if (f->outward && !leads_out(f->p, n))
        return -INFINITY;
    return f->ray ? -lift(f->p->a, n) - lift(f->p->b, n) : separation(f->p, n);
}

// n as the hill wants it.
static zn_vec3 placed(const hill *f, zn_vec3 n) { return f->ray ? scale(1 / dot(n, f->e), n) : unit(n); }

// Goes from n along the unit vector y as far as is best, in coarse steps. False: nothing is higher.
static bool rise(const hill *f, zn_vec3 y, zn_vec3 *n)
{
    double  best = height(f, *n);
    zn_vec3 from = *n;
    for (double t = 4; t > 1e-15; t /= 2) {
        zn_vec3 next = placed(f, add(from, scale(t, y)));
        if (height(f, next) > best)
            best = height(f, next), *n = next;
        else if (best > height(f, from))
            return true;
    }
    return best > height(f, from);
}

// On the axis of a circle the hill has an edge. Is it the summit: is the other one over the inside of its disc? Else n
// goes off the axis to where it is higher.
static bool axis_summit(const hill *f, const zn_feature *of, zn_vec3 *n)
{
    const zn_feature *other = of == f->p->a ? f->p->b : f->p->a;
    zn_vec3           off = look(other, *n).far;
    if (f->ray)
        off = sub(scale(dot(off, of->along) / dot(f->e, of->along), f->e), off);
    else
        off = sub(f->p->d, off);
    off = across(off, of->along);
    if (zn_vec3_norm(off) <= of->size)
        return true;
    return !rise(f, unit(off), n);
}

// The highest of n, the axes and what is between them, and off the edge there. True: that is the summit.
static bool start(const hill *f, zn_vec3 *n)
{
    const zn_feature *at = NULL;
    double            best = height(f, *n), even = 1e-14 * (f->p->a->size + f->p->b->size);
    zn_vec3           down = scale(-1, outward(f->p->a, f->p->d)), up = outward(f->p->b, scale(-1, f->p->d));
    zn_vec3           axis[3] = {down, up, add(up, down)};
    for (int i = 0; i < 3; i++) {
        const zn_feature *of = i == 0 ? f->p->a : i == 1 ? f->p->b : NULL;
        zn_vec3           m = axis[i];
        if (f->ray && !(dot(m, f->e) > 1e-9)) // behind the plane
            continue;
        m = placed(f, m);
        if (height(f, m) >= best - even)
            best = height(f, m), *n = m, at = of;
    }
    return at != NULL && axis_summit(f, at, n);
}

// Tangents that are nearly parallel: n is determined by 1e-16 over the square of their angle, the separation still by
// 1e-16. What a step gains then is the square of that.
static bool is_noise(double step, double gain, double size) { return step < 1e-11 || gain < 1e-22 * size; }

// Climbs from n, not through the edges, which are lower. False: it does not get there.
static bool climb(const hill *f, zn_vec3 *n)
{
    const problem *p = f->p;
    for (int i = 0; i < 100; i++) {
        side    a = look(p->a, *n), b = look(p->b, *n);
        zn_vec3 slope = sub(sub(f->ray ? (zn_vec3){0, 0, 0} : p->d, a.far), b.far), y;
        zn_vec3 e = f->ray ? f->e : *n;
        double  s = height(f, *n), t = 1, shift = f->ray ? 1e-12 * (a.bend + b.bend) : s;
        if (!newton_step(&a, &b, shift, e, slope, &y) && !newton_step(&a, &b, fabs(shift), e, slope, &y))
            return false;
        double step = zn_vec3_norm(y), gain = fabs(dot(slope, y)), size = p->a->size + p->b->size;
        for (; step > 1e-5 && gain > 1e-15 * size && t > 1e-4; t /= 2) // less is lost in rounding
            if (height(f, placed(f, add(*n, scale(t, y)))) > s)
                break;
        if (t > 1e-4)
            *n = placed(f, add(*n, scale(t, y)));
        else if (!rise(f, unit(across(slope, e)), n)) // an edge is in the way
            return false;
        if (step < 4 * DBL_EPSILON || (i > 10 && is_noise(step, gain, size)) || (f->ray && t * step < 1e-6))
            return true;
    }
    return false;
}

// --- pairs ---------------------------------------------------------------------------------------

// Discs in one plane: where they touch, every normal along d and their axis is as good; that in the plane.
static bool in_one_plane(const problem *p)
{
    const double same = 1e-12;
    return p->a->thin && p->b->thin && zn_vec3_norm(zn_vec3_cross(p->a->along, p->b->along)) < same &&
           fabs(dot(p->d, p->a->along)) < same * (p->a->size + p->b->size);
}

static bool of_circles(const problem *p, zn_vec3 *n)
{
    if (!(zn_vec3_norm(p->d) > ZN_NO_LENGTH))
        return false;
    if (in_one_plane(p)) {
        *n = unit(across(p->d, p->a->along));
        return true;
    }
    hill ray = {p, true, unit(p->d), true}, apart = {p, false, {0, 0, 0}, true};
    *n = ray.e;
    if (!start(&ray, n))
        climb(&ray, n);
    *n = unit(*n);
    if (start(&apart, n))
        return true;
    zn_vec3 from = *n;
    if (leads_out(p, from) && climb(&apart, n))
        return true;
    apart.outward = false; // across an axis, or beyond
    *n = from;
    return climb(&apart, n);
}

// The circle a and a point.
static bool of_point(const problem *p, zn_vec3 *n)
{
    zn_vec3 flat = across(p->d, p->a->along);
    double  off = zn_vec3_norm(flat);
    if (!(off > ZN_NO_LENGTH))
        return false;
    zn_vec3 away = sub(p->d, scale(p->a->size / off, flat));
    double  length = zn_vec3_norm(away);
    if (!(length > ZN_NO_LENGTH))
        return false;
    *n = scale(1 / length, away);
    return true;
}

// The circle a and a line e: n turns about it to where it is stationary. False: there it is a valley, or far.
static bool settle(const problem *p, zn_vec3 d, zn_vec3 e, zn_vec3 *n)
{
    for (int i = 0; i < 60; i++) {
        side    a = look(p->a, *n);
        zn_vec3 round = unit(zn_vec3_cross(e, *n)), r = sub(d, a.far);
        double  slope = a.bend * dot(a.tangent, round) * dot(a.tangent, round) + dot(*n, r);
        double  turn = dot(round, r) / slope, limit = 0.5 * fabs(dot(*n, p->a->along));
        if (!(slope > 0))
            return false;
        turn = fmax(-fmax(limit, 1e-3), fmin(turn, fmax(limit, 1e-3)));
        zn_vec3 next = unit(across(add(*n, scale(turn, round)), e));
        for (; fabs(turn) > 1e-5 && separation(p, next) < separation(p, *n); turn /= 2) // less is lost in rounding
            next = unit(across(add(*n, scale(turn / 2, round)), e));
        *n = next;
        if (fabs(turn) < 4 * DBL_EPSILON || (i > 10 && is_noise(fabs(turn), fabs(turn * dot(round, r)), p->a->size)))
            return true;
    }
    return false;
}

// Are the disc and the line apart along what is across both the axis and the line?
static bool apart_beside(const problem *p)
{
    zn_vec3 across_both = zn_vec3_cross(p->a->along, p->b->along);
    double  sine = zn_vec3_norm(across_both);
    return sine > 1e-6 && fabs(dot(across_both, p->d)) > sine * (p->a->size + p->a->radius + p->b->radius);
}

// A rim along the edge of a solid, with w to its point there: what is between them is along the normal, and where they
// touch, so that there is none, one half way between what is out of both. False: none.
static bool of_parallel(const problem *p, zn_vec3 d, zn_vec3 w, zn_vec3 *n)
{
    zn_vec3 out = w, apart = across(add(d, scale(p->a->size, w)), p->b->along);
    double  length = zn_vec3_norm(apart);
    if (!p->a->thin)
        out = unit(add(out, p->a->along));
    out = across(sub(p->b->out, out), p->b->along);
    if (!(dot(p->b->out, p->b->out) > 0) || !(zn_vec3_norm(out) > 1e-3))
        return false;
    *n = length > 1e-9 * p->a->size ? scale(copysign(1 / length, dot(apart, out)), apart) : unit(out);
    // In front of the cap or of the mantle but behind the other, the edge is outside, and not before the rim: a normal
    // that is none of the rim's, so that nothing is held there.
    bool capped = dot(apart, p->a->along) < 0, beside = dot(apart, w) < 0;
    if (!p->a->thin && capped != beside && dot(apart, out) < 0) {
        zn_vec3 front = capped ? p->a->along : w, other = capped ? w : p->a->along;
        *n = unit(across(sub(other, scale(0.3, front)), p->b->along));
    }
    return true;
}

// Seen along a line e, which is a point then, a circle is an ellipse with the half axes A = R along e x u and
// B = R |u.e| along u' = P u. The normal at its point nearest to (x, y), x, y >= 0 in its quadrant, is along
//     (x / (z + A^2 - B^2), y / z)        with  (B y / z)^2 + (A x / (z + A^2 - B^2))^2 = 1,  z > 0
// which falls and is bent upwards, so that Newton's method climbs to it from where one term is 1. A rim nearly along
// the line touches it at the tip, of the radius B^2 / A, 1e-10 R at 1e-5 rad: there 1 less the second term is a product
// with A - x in it, which is exact. `n` is the point first, then the normal. Returns the sine of the angle between the
// circle there and the line.
static double ellipse_normal(double A, double B, double n[2])
{
    double x = n[0], y = fmax(n[1], 1e-30 * A); // on the axis: to either side
    double wide = (A - B) * (A + B), z = fmax(B * y, A * (x - A) + B * B), high, rest;
    for (int i = 0;; i++) {
        double D = z + wide;
        high = A * x / D;
        rest = (z - B * B + A * (A - x)) * (z - B * B + A * (A + x)) / (D * D); // 1 - high^2
        if (i == 40 || !(z > 0))
            break;
        double low = B * y / z, step = (low * low - rest) / (2 * (low * low / z + high * high / D));
        if (!(step > DBL_EPSILON * z))
            break;
        z += step;
    }
    double nx = x * z, ny = y * (z + wide), length = hypot(nx, ny);
    n[0] = nx / length, n[1] = ny / length;
    return sqrt(fmax(rest, 0) + B / A * B / A * high * high);
}

// The normal of the point of the circle that is nearest to the line, d from which it has. *w: the direction from the
// centre in which the circle is along the line; returns the sine of the angle between them at the point.
static double nearest_normal(const problem *p, zn_vec3 d, zn_vec3 *w, zn_vec3 *n)
{
    zn_vec3 u = p->a->along, e = p->b->along, up = across(u, e), any[2];
    zn_contact_tangents(e, false, any);
    up = zn_vec3_norm(up) > 1e-15 ? unit(across(unit(up), e)) : any[0]; // along the axis it is a circle
    zn_vec3 right = zn_vec3_cross(e, up);
    double  x = dot(right, d), y = dot(up, d), normal[2] = {fabs(x), fabs(y)};
    double  sine = ellipse_normal(p->a->size, p->a->size * fabs(dot(u, e)), normal);
    *n = add(scale(copysign(normal[0], x), right), scale(copysign(normal[1], y), up));
    *w = scale(copysign(1, -x), right);
    return sine;
}

// The nearest point of an ellipse; when that is behind the disc, the one before it.
static bool of_line(const problem *p, bool round, zn_vec3 *n)
{
    zn_vec3 u = p->a->along, e = p->b->along, d = across(p->d, e), w, m, other;
    if (!(zn_vec3_norm(across(d, u)) > ZN_NO_LENGTH)) // over the centre
        return false;
    bool parallel = !(nearest_normal(p, d, &w, &m) > 1e-12);
    if (parallel && !round)
        return of_parallel(p, d, w, n);
    if (parallel) { // what is between them is along the normal
        m = across(add(d, scale(p->a->size, w)), e);
        if (!(zn_vec3_norm(m) > ZN_NO_LENGTH))
            return false;
        m = unit(m);
    }
    *n = m;
    if (!settle(p, d, e, n))
        *n = m;
    if (dot(*n, u) <= 0)
        return true;
    zn_vec3 across_line = unit(across(u, e));
    zn_vec3 mirror = sub(*n, scale(2 * dot(*n, across_line), across_line));
    other = mirror;
    bool settled = settle(p, d, e, &other);
    if (!settled && dot(mirror, u) < -1 + 8 * DBL_EPSILON && separation(p, mirror) > separation(p, *n))
        *n = mirror; // flat over the disc: the summit has an edge
    else if (settled && dot(other, u) <= 0) {
        *n = other;
        return !apart_beside(p); // then what is behind the rim is nearer than it
    }
    return true;
}

bool zn_feature_circle_normal(const zn_feature *a, const zn_feature *b, zn_vec3 *n)
{
    problem p = {a, b, sub(a->at, b->at)};
    bool    found;
    if (a->kind == ZN_FEATURE_CIRCLE && b->kind == ZN_FEATURE_CIRCLE)
        return of_circles(&p, n);
    bool swapped = a->kind != ZN_FEATURE_CIRCLE;
    if (swapped)
        p = (problem){b, a, sub(b->at, a->at)};
    found = p.b->kind == ZN_FEATURE_POINT ? of_point(&p, n)
                                          : p.b->kind == ZN_FEATURE_EDGE && of_line(&p, a->radius + b->radius > 0, n);
    if (found && swapped)
        *n = scale(-1, *n);
    return found;
}
