// A round feature (centre x, radius r >= 0) of contour P and a wall of contour Q:
//     straight   g = n.(x - a) - r             n of the side
//     convex     g = |x - c| - R - r           n = (x - c) / |x - c|
//     hollow     g = |R| - |x - c| - r         n = (c - x) / |x - c|,  r < |R|
// They are near when they touch within the horizon, or are closer than the slack, and the place where they then touch
// belongs to both. A place on the wall is found by tangents: x is beside a side when it is past the normal through its
// start and before that through its end. Each side owns its start: at a smooth corner exactly one of both is chosen,
// and what passes from one to the other does so without a jump, because gap and normal agree on the common normal.
//
// Corners against straight walls are material points that may not enter, whatever the angle: a box that rocks has the
// corner that is up as well. Only where the corner of P comes to a corner of Q there is a choice: of the four sides
// that meet there, those whose normal lies in the Gauss arcs of both corners separate them, and that with the largest
// gap is taken, as a separating axis would be. A corner against a convex arc counts inside its own Gauss arc only,
// beyond it its sides are nearer.
//
// An arc in a hollow arc of the same radius has no single place: the ends of both that lie on the other are taken.
#include "model/contact/contour_near.h"

#include <math.h>
#include <stdlib.h>

#include "base/assert.h"

static const double nothing = 1e-9; // of the size: a length that does not count

// --- places --------------------------------------------------------------------------------------

static zn_seat sit(const zn_contour *c, const zn_rigid *body, const zn_feature_motion *m)
{
    zn_seat s = {.c = c,
                 .body = {body->rotation.m[0][0], body->rotation.m[1][0], {body->position.x, body->position.y, 0}},
                 .origin = {m->origin.x, m->origin.y, 0},
                 .spin = m->spin.z};
    s.velocity = (zn_vec3){s.origin.x - s.spin * s.body.at.y, s.origin.y + s.spin * s.body.at.x, 0};
    return s;
}

// P seen from Q after a time of straight motion and constant spins.
static zn_seen see(const zn_seat *P, const zn_seat *Q, double t)
{
    zn_seen q = Q->body, p = P->body;
    if (t != 0) {
        double a = P->spin * t, b = Q->spin * t;
        p = (zn_seen){p.c * cos(a) - p.s * sin(a), p.s * cos(a) + p.c * sin(a),
                      zn_vec3_add(p.at, zn_vec3_scale(t, P->velocity))};
        q = (zn_seen){q.c * cos(b) - q.s * sin(b), q.s * cos(b) + q.c * sin(b),
                      zn_vec3_add(q.at, zn_vec3_scale(t, Q->velocity))};
    }
    return (zn_seen){q.c * p.c + q.s * p.s, q.c * p.s - q.s * p.c, zn_seen_back(&q, zn_vec3_sub(p.at, q.at))};
}

zn_two_contours zn_two_contours_at(const zn_contour *a, const zn_contour *b, const zn_near *at)
{
    double          size = a->endless ? b->size : b->endless ? a->size : fmin(a->size, b->size);
    zn_two_contours w = {.seat = {sit(a, &at->A, &at->a), sit(b, &at->B, &at->b)},
                         .horizon = at->horizon,
                         .slack = at->slack,
                         .deep = fmax(at->slack, 0.05 * size),
                         .touch = nothing * size};
    w.now[0] = see(&w.seat[0], &w.seat[1], 0);
    w.now[1] = see(&w.seat[1], &w.seat[0], 0);
    return w;
}

// Distance of x from the wall, without its radius, and the normal. False: it is in the centre of an arc.
static bool wall_gap(const zn_edge *wall, zn_vec3 x, double *gap, zn_vec3 *n)
{
    if (wall->radius == 0) {
        *n = wall->normal;
        *gap = zn_vec3_dot(*n, zn_vec3_sub(x, wall->from));
        return true;
    }
    zn_vec3 d = zn_vec3_sub(x, wall->centre);
    double  length = zn_vec3_norm(d);
    if (!(length > ZN_NO_LENGTH))
        return false;
    *n = zn_vec3_scale(wall->radius > 0 ? 1 / length : -1 / length, d);
    *gap = wall->radius > 0 ? length - wall->radius : -wall->radius - length;
    return true;
}

// Is x beside the side? Behind a hollow corner sides go on: what is there is inside anyway, and must come out.
static bool beside(const zn_contour *c, int edge, zn_vec3 x, double touch, double depth)
{
    if (c->corners == 0)
        return true;
    const zn_edge *e = &c->edge[edge];
    zn_corner_kind first = e->corner, last = zn_corner_of(c, zn_corner_after(c, edge));
    double         behind = fmax(touch, 4 * depth);
    double         before = first == ZN_CORNER_HOLLOW ? behind : touch;
    double         after = last == ZN_CORNER_HOLLOW ? behind : last == ZN_CORNER_SMOOTH ? -0.5 * touch : touch;
    bool           begun = zn_vec3_dot(e->leaving, zn_vec3_sub(x, e->from)) >= -before;
    bool           going = zn_vec3_dot(e->arriving, zn_vec3_sub(x, e->to)) <= after;
    return e->wide ? begun || going : begun && going;
}

// --- the round feature ----------------------------------------------------------------------------

// Does the arc face along m, in its own axes?
static bool arc_faces(const zn_contour *c, int edge, zn_vec3 m, double touch)
{
    const zn_edge *e = &c->edge[edge];
    return beside(c, edge, zn_vec3_add(e->centre, zn_vec3_scale(e->radius, m)), touch, 0);
}

// The end of a straight side that goes over into an arc: it ends the place where the side lies on another, unless the
// arc faces there itself.
static bool smooth_corner_faces(const zn_contour *c, int corner, zn_vec3 m, double touch)
{
    int  sides[2] = {zn_edge_before(c, corner), zn_edge_after(c, corner)};
    bool straight = false, curved = false;
    for (int k = 0; k < 2; k++) {
        double radius = c->edge[sides[k]].radius;
        straight |= radius == 0;
        curved |= radius != 0;
        if (radius > 0 && arc_faces(c, sides[k], m, touch))
            return false;
    }
    return straight && curved;
}

// Is x in the Gauss arc of a corner?
static bool corner_faces(const zn_contour *c, int corner, zn_vec3 x, double touch)
{
    int     before = zn_edge_before(c, corner), after = zn_edge_after(c, corner);
    zn_vec3 d = zn_vec3_sub(x, zn_corner_at(c, corner));
    return (before < 0 || zn_vec3_dot(c->edge[before].arriving, d) > 0.5 * touch) &&
           (after < 0 || zn_vec3_dot(c->edge[after].leaving, d) < -0.5 * touch);
}

// Does an arc of the same radius, hollow where the wall is not, end in this corner?
static bool ends_equal(const zn_contour *c, int corner, const zn_edge *wall, double touch)
{
    int before = zn_edge_before(c, corner), after = zn_edge_after(c, corner);
    return wall->radius != 0 && ((before >= 0 && fabs(c->edge[before].radius + wall->radius) <= touch) ||
                                 (after >= 0 && fabs(c->edge[after].radius + wall->radius) <= touch));
}

// --- two corners ----------------------------------------------------------------------------------

static bool in_cone(const zn_contour *c, int corner, zn_vec3 m)
{
    int before = zn_edge_before(c, corner), after = zn_edge_after(c, corner);
    return (before < 0 || zn_vec3_dot(c->edge[before].arriving, m) >= -nothing) &&
           (after < 0 || zn_vec3_dot(c->edge[after].leaving, m) <= nothing);
}

static zn_vec3 outward(zn_vec3 tangent) { return (zn_vec3){tangent.y, -tangent.x, 0}; }

// A corner of P at a corner of Q: is it this wall of Q that separates them? Equal gaps (flush sides with a common end)
// go to the corner of A, then to the side before it.
static bool chosen(const zn_two_contours *w, int mover, const zn_seen *f, int corner, int other, int wall)
{
    const zn_contour *P = w->seat[mover].c, *Q = w->seat[!mover].c;
    int               edge[4] = {zn_edge_before(Q, other), zn_edge_after(Q, other), zn_edge_before(P, corner),
                                 zn_edge_after(P, corner)};
    zn_vec3           d = zn_vec3_sub(zn_seen_point(f, zn_corner_at(P, corner)), zn_corner_at(Q, other));
    double            best = -INFINITY;
    int               winner = -1;
    for (int k = 0; k < 4; k++) {
        if (edge[k] < 0)
            continue;
        const zn_edge *e = k < 2 ? &Q->edge[edge[k]] : &P->edge[edge[k]];
        zn_vec3        n = outward(k % 2 == 0 ? e->arriving : e->leaving);
        zn_vec3        m = k < 2 ? n : zn_vec3_scale(-1, zn_seen_vector(f, n));
        bool           separates = in_cone(Q, other, m) && in_cone(P, corner, zn_vec3_scale(-1, zn_seen_back(f, m)));
        int            rank = ((k < 2) == (mover == 0) ? 2 : 0) + (k % 2 == 0);
        double         score = zn_vec3_dot(m, d) + 1e-4 * w->touch * rank - (separates ? 0 : 4 * w->deep);
        if (score > best) {
            best = score;
            winner = k;
        }
    }
    return winner >= 0 && winner < 2 && edge[winner] == wall;
}

// Where the foot of the corner on the straight wall is at one of its ends, the corner there has a say.
static bool wins(const zn_two_contours *w, int mover, const zn_seen *f, int corner, zn_vec3 x, int wall, double depth)
{
    const zn_contour *Q = w->seat[!mover].c;
    if (Q->corners == 0)
        return true;
    const zn_edge *e = &Q->edge[wall];
    double         s = zn_vec3_dot(e->leaving, zn_vec3_sub(x, e->from)), near = w->touch + 2 * depth;
    int            last = zn_corner_after(Q, wall);
    if (s <= near && e->corner == ZN_CORNER_SHARP && !chosen(w, mover, f, corner, wall, wall))
        return false;
    return !(e->length - s <= near && zn_corner_of(Q, last) == ZN_CORNER_SHARP) ||
           chosen(w, mover, f, corner, last, wall);
}

// --- depth ----------------------------------------------------------------------------------------

// What has come in through a wall may be behind others too: through which one did it come?
typedef struct way_out {
    const zn_two_contours *w;
    int                    mover, wall;
    bool                   corner; // the round feature is a corner
    zn_vec3                x;      // its centre, from Q
    double                 radius, gap;
    zn_vec3                n;
} way_out;

static bool adjacent(const zn_contour *c, int i, int j)
{
    int apart = abs(i - j);
    return apart == 1 || (!c->open && apart == c->edges - 1);
}

static bool nearer(const way_out *o, int edge)
{
    const zn_contour *Q = o->w->seat[!o->mover].c;
    double            gap;
    zn_vec3           n;
    if (edge == o->wall || adjacent(Q, edge, o->wall) || !beside(Q, edge, o->x, o->w->touch, 0) ||
        !wall_gap(&Q->edge[edge], o->x, &gap, &n))
        return false;
    return gap - o->radius > o->gap + o->w->touch && (o->corner || zn_vec3_dot(n, o->n) < 0);
}

static bool any_nearer(const way_out *o, int node, int first, int last)
{
    const zn_contour *Q = o->w->seat[!o->mover].c;
    double            around = o->radius - o->gap;
    if (Q->box) {
        const zn_edge_box *b = &Q->box[node];
        if (fabs(o->x.x - b->centre.x) > b->half.x + around || fabs(o->x.y - b->centre.y) > b->half.y + around)
            return false;
        int middle = (first + last) / 2;
        if (last - first > 1)
            return any_nearer(o, 2 * node, first, middle) || any_nearer(o, 2 * node + 1, middle, last);
    }
    for (int i = first; i < last; i++)
        if (nearer(o, i))
            return true;
    return false;
}

// --- near -----------------------------------------------------------------------------------------

// Do they touch in places of their own, when P is seen like this from Q? Depth 0: they are not inside each other.
static bool belong(const zn_two_contours *w, int mover, zn_round round, int wall, const zn_seen *f, double depth)
{
    const zn_contour *P = w->seat[mover].c, *Q = w->seat[!mover].c;
    const zn_edge    *e = &Q->edge[wall];
    zn_vec3           x, n, m;
    double            gap;
    x = zn_seen_point(f, round.edge >= 0 ? P->edge[round.edge].centre : zn_corner_at(P, round.corner));
    if (!wall_gap(e, x, &gap, &n) || !beside(Q, wall, x, w->touch, depth))
        return false;
    m = zn_vec3_scale(-1, zn_seen_back(f, n));
    if (round.edge >= 0)
        return arc_faces(P, round.edge, m, w->touch);
    zn_corner_kind kind = zn_corner_of(P, round.corner);
    if (ends_equal(P, round.corner, e, w->touch))
        return true;
    if (kind == ZN_CORNER_HOLLOW)
        return false;
    if (e->radius > 0) {
        zn_seen back = {f->c, -f->s, zn_vec3_scale(-1, zn_seen_back(f, f->at))};
        return kind != ZN_CORNER_SMOOTH && corner_faces(P, round.corner, zn_seen_point(&back, e->centre), w->touch);
    }
    if (kind == ZN_CORNER_SMOOTH)
        return e->radius == 0 && smooth_corner_faces(P, round.corner, m, w->touch);
    return e->radius < 0 || wins(w, mover, f, round.corner, x, wall, depth);
}

// Velocity of what both bodies have at x (seen from Q), along n.
static double opening(const zn_seat *P, const zn_seat *Q, zn_vec3 x, zn_vec3 n)
{
    zn_vec3 c = zn_seen_point(&Q->body, x), m = zn_seen_vector(&Q->body, n), v = zn_vec3_sub(P->origin, Q->origin);
    double  spin = P->spin - Q->spin;
    return m.x * (v.x - spin * c.y) + m.y * (v.y + spin * c.x);
}

bool zn_round_near(const zn_two_contours *w, int mover, zn_round round, int wall)
{
    const zn_seat *P = &w->seat[mover], *Q = &w->seat[!mover];
    const zn_edge *e = &Q->c->edge[wall];
    const zn_seen *now = &w->now[mover];
    double         radius = round.edge >= 0 ? P->c->edge[round.edge].radius : 0, gap;
    zn_vec3 x = zn_seen_point(now, round.edge >= 0 ? P->c->edge[round.edge].centre : zn_corner_at(P->c, round.corner)),
            n;
    ZN_ASSERT(radius >= 0);
    if ((e->radius < 0 && radius >= -e->radius - w->touch) || !wall_gap(e, x, &gap, &n))
        return false;
    gap -= radius;
    if (gap < 0) {
        way_out o = {w, mover, wall, round.edge < 0, x, radius, gap, n};
        return gap >= -w->deep && belong(w, mover, round, wall, now, -gap) && !any_nearer(&o, 1, 0, Q->c->edges);
    }
    double rate = opening(P, Q, zn_vec3_sub(x, zn_vec3_scale(radius, n)), n);
    if (gap <= w->slack && belong(w, mover, round, wall, now, 0))
        return true;
    if (!(gap < -rate * w->horizon))
        return false;
    zn_seen then = see(P, Q, gap / -rate);
    return belong(w, mover, round, wall, &then, 0);
}
