/// Where the parts of a machine are: points, axes that bodies carry, travels of joints, rims, gaps.
#ifndef ZN_TESTS_MACHINE_PLACES_H
#define ZN_TESTS_MACHINE_PLACES_H

#include "machines/machine.h"

static inline vec point_of(const pose *p, int owner, vec at)
{
    return owner == GROUND ? at : add(p[owner].x, apply(p[owner].r, at));
}

/// A direction given in world axes at the start, which a body carries along.
static inline vec carried(const machine *m, const pose *p, int owner, vec world)
{
    return owner == GROUND ? world : apply(p[owner].r, apply(transposed(m->body[owner].start.r), world));
}

static inline vec velocity_of(const pose *at, const pose *moving, int owner, vec arm)
{
    return owner == GROUND ? origin : add(moving[owner].v, apply(at[owner].r, cross(moving[owner].spin, arm)));
}

static inline vec spin_of(const pose *p, int owner)
{
    return owner == GROUND ? origin : apply(p[owner].r, p[owner].spin);
}

static inline vec across_of(vec n) { return cross(n, fabs(n.x) < 0.8 * length(n) ? ex : ey); }

// --- travels -------------------------------------------------------------------------------------

static inline vec axis_of(const machine *m, vec axis, bool turns) { return m->planar && turns ? ez : axis; }

/// Angle of body a against b about an axis that b carries: 0 at the start, within half a turn. It is the turn about the
/// axis in the product of that turn and a tilt; 2 atan2(n.p, p_0) of the unit quaternion p of both.
static inline double angle_of(const machine *m, const pose *p, int a, int b, vec axis)
{
    mat    seen; // how a has turned, as b sees it, in world axes of the start
    double q[4];
    for (int i = 0; i < 3; i++) {
        vec e = i == 0 ? ex : i == 1 ? ey : ez, now = carried(m, p, b, e);
        seen.row[i] =
            (vec){dot(now, carried(m, p, a, ex)), dot(now, carried(m, p, a, ey)), dot(now, carried(m, p, a, ez))};
    }
    to_quaternion(seen, q);
    return 2 * atan((q[1] * axis.x + q[2] * axis.y + q[3] * axis.z) / length(axis) / q[0]);
}

static inline double travel_of(const machine *m, const joint *j, const pose *p)
{
    if (!slides(j))
        return angle_of(m, p, j->a, j->b, axis_of(m, j->axis, true));
    vec n = carried(m, p, j->b, times(1 / length(j->axis), j->axis));
    return dot(n, sub(point_of(p, j->a, j->at), point_of(p, j->b, j->to_at)));
}

static inline double travel_rate(const machine *m, const joint *j, const pose *p)
{
    vec axis = axis_of(m, j->axis, !slides(j)), n = carried(m, p, j->b, times(1 / length(axis), axis));
    if (!slides(j))
        return dot(n, sub(spin_of(p, j->a), spin_of(p, j->b)));
    vec there = velocity_of(p, p, j->b, j->to_at);
    vec d = sub(point_of(p, j->a, j->at), point_of(p, j->b, j->to_at));
    there = add(there, cross(spin_of(p, j->b), d)); // the point of b that is where the point of a is
    return dot(n, sub(velocity_of(p, p, j->a, j->at), there));
}

// --- gaps of joints ------------------------------------------------------------------------------

/// Largest distance of a circle (centre c from a point of an axis n, axis r, radius) from that axis: seen along n the
/// circle is an ellipse with half axes `radius` and `radius` |r.n|. Found by search.
static inline double reach_of_rim(vec c, vec n, vec r, double radius)
{
    vec u = across_of(r), w;
    u = times(radius / length(u), u);
    w = times(1 / length(r), cross(r, u));
    c = sub(c, times(dot(c, n), n)), u = sub(u, times(dot(u, n), n)), w = sub(w, times(dot(w, n), n));
    double best = 0, at = 0, step = 0.1;
    for (int i = 0; i < 64; i++) {
        double phi = step * i, far = length(add(c, add(times(cos(phi), u), times(sin(phi), w))));
        if (far > best)
            best = far, at = phi;
    }
    for (step /= 2; step > 1e-8; step /= 2)
        for (int side = -1; side <= 1; side += 2) {
            double phi = at + side * step, far = length(add(c, add(times(cos(phi), u), times(sin(phi), w))));
            if (far > best)
                best = far, at = phi;
        }
    return best;
}

static inline double pin_gap(const machine *m, const joint *j, const pose *p)
{
    vec    axis = times(1 / length(j->axis), j->axis), n = carried(m, p, j->b, axis), r = carried(m, p, j->a, axis);
    vec    d = sub(point_of(p, j->a, j->at), point_of(p, j->b, j->to_at));
    double gap = INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        vec c = add(d, times(side * j->play.length / 2, r));
        gap = fmin(gap, j->play.radius + j->play.clear - reach_of_rim(c, n, r, j->play.radius));
        if (j->type == REVOLUTE)
            gap = fmin(gap, j->play.axial + side * dot(n, d));
    }
    return gap;
}

static inline double block_gap(const machine *m, const joint *j, const pose *p)
{
    vec    axis = times(1 / length(j->axis), j->axis), up = m->planar ? cross(ez, axis) : j->play.across;
    vec    side[2] = {times(1 / length(up), up), cross(axis, times(1 / length(up), up))};
    vec    d = sub(point_of(p, j->a, j->at), point_of(p, j->b, j->to_at));
    double gap = INFINITY, half = j->play.height / 2;
    for (int k = 0; k < 8; k++) {
        vec corner = times((k & 1 ? 0.5 : -0.5) * j->play.length, axis);
        corner = add(corner, times(k & 2 ? half : -half, side[0]));
        corner = m->planar ? corner : add(corner, times(k & 4 ? half : -half, side[1]));
        corner = add(d, carried(m, p, j->a, corner));
        for (int s = 0; s < (m->planar ? 1 : 2); s++)
            gap = fmin(gap, half + j->play.clear - fabs(dot(corner, carried(m, p, j->b, side[s]))));
    }
    return gap;
}

static inline double play_gap(const machine *m, const joint *j, const pose *p)
{
    if (j->type == PRISMATIC)
        return block_gap(m, j, p);
    if (!m->planar && j->type != SPHERICAL)
        return pin_gap(m, j, p);
    return j->play.clear - length(sub(point_of(p, j->a, j->at), point_of(p, j->b, j->to_at)));
}

static inline double sum_of_travels(const machine *m, const joint *j, const pose *p)
{
    return j->factor[0] * travel_of(m, &m->joint[j->a], p) + j->factor[1] * travel_of(m, &m->joint[j->b], p);
}

/// What is open at a joint: play, stops, backlash.
static inline double joint_gap(const machine *m, const joint *j, const pose *p)
{
    if (j->type == COUPLING)
        return j->backlash > 0
                   ? (j->backlash / 2 - fabs(sum_of_travels(m, j, p))) / fmax(fabs(j->factor[0]), fabs(j->factor[1]))
                   : INFINITY;
    if (j->play.clear > 0)
        return play_gap(m, j, p);
    if (!j->travel.limited)
        return INFINITY;
    double s = travel_of(m, j, p);
    return fmin(s - j->travel.low, j->travel.high - s);
}

/// How far the two points of a joint are from each other, across the axis of a prismatic joint.
static inline double apart_of(const machine *m, const joint *j, const pose *p, double t)
{
    if (j->type == COUPLING)
        return j->backlash > 0 ? 0 : fabs(sum_of_travels(m, j, p));
    vec d = sub(point_of(p, j->a, j->at), point_of(p, j->b, j->to_at));
    if (j->play.clear > 0)
        return 0;
    if (j->type == MOTION)
        return fabs(p[j->a].x.x - m->body[j->a].start.x.x - j->swing * (1 - cos(j->rate * t)));
    double driven = j->travel.driven ? fabs(travel_of(m, j, p) - j->swing * (1 - cos(j->rate * t))) : 0;
    if (j->type == ROD) {
        pose start[MOST_BODIES];
        for (int i = 0; i < m->bodies; i++)
            start[i] = m->body[i].start;
        return fabs(length(d) - length(sub(point_of(start, j->a, j->at), point_of(start, j->b, j->to_at))));
    }
    vec n = carried(m, p, j->b, times(1 / fmax(length(j->axis), 1e-300), j->axis));
    return fmax(driven, length(slides(j) || j->type == CYLINDRICAL ? cross(d, n) : d));
}

// --- gaps of contacts ----------------------------------------------------------------------------

/// Lowest point of a circle above a plane, over the height of its centre.
static inline double rim_over_plane(const contact *c, const pose *p, vec n)
{
    vec    r = apply(p[c->a].r, c->rim);
    double cosine = dot(n, r) / length(n) / length(r);
    return c->radius * sqrt(fmax(0, 1 - cosine * cosine));
}

static inline double cylinder_gap(const contact *c, const pose *p, vec d)
{
    vec    n = c->b == GROUND ? c->axis : apply(p[c->b].r, c->axis);
    double along;
    n = times(1 / length(n), n);
    along = dot(n, d);
    if (c->type == BORE && length(c->rim) > 0)
        return c->size - reach_of_rim(d, n, apply(p[c->a].r, c->rim), c->radius);
    double off = length(sub(d, times(along, n)));
    return c->type == BORE ? c->size - c->radius - off : off - c->size - c->radius;
}

/// How far a contact is open. Bounded faces end: a point beside one has no gap.
static inline double gap_of(const machine *m, const contact *c, const pose *p)
{
    vec a = point_of(p, c->a, c->at), b = point_of(p, c->b, c->through);
    if (c->type == PAIR)
        return length(sub(p[c->a].x, p[c->b].x)) - m->body[c->a].sphere - m->body[c->b].sphere;
    if (c->type == CIRCLE)
        return length(sub(a, b)) - c->size - c->radius;
    if (c->type == HOLE)
        return c->size - c->radius - length(sub(a, b));
    if (c->type == CYLINDER || c->type == BORE)
        return cylinder_gap(c, p, sub(a, b));
    vec    n = c->b == GROUND ? c->normal : apply(p[c->b].r, c->normal), d = sub(a, b);
    double gap = dot(n, d) / length(n) - (length(c->rim) > 0 ? rim_over_plane(c, p, n) : c->radius);
    vec    beside = sub(d, times(dot(n, d) / dot(n, n), n));
    return c->bounded > 0 && length(beside) > 0.499 * c->bounded ? INFINITY : gap;
}

#endif
