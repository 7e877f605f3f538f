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

static zn_seat moved(const zn_seat *s, double t)
{
    zn_seat out = *s;
    double  c, n;
    zn_sincos(s->spin * t, &n, &c);
    out.body = (zn_seen){s->body.c * c - s->body.s * n, s->body.s * c + s->body.c * n,
                         zn_vec3_add(s->body.at, zn_vec3_scale(t, s->velocity))};
    return out;
}

// P seen from Q, now and after a time of straight motion and constant spins.
static zn_seen see_now(const zn_seat *P, const zn_seat *Q)
{
    const zn_seen *q = &Q->body, *p = &P->body;
    return (zn_seen){q->c * p->c + q->s * p->s, q->c * p->s - q->s * p->c, zn_seen_back(q, zn_vec3_sub(p->at, q->at))};
}

static zn_seen see(const zn_seat *P, const zn_seat *Q, double t)
{
    zn_seat p = moved(P, t), q = moved(Q, t);
    return see_now(&p, &q);
}

// An upper bound of the speed of any point of the smaller one against the other.
static double fastest(const zn_seat *A, const zn_seat *B)
{
    const zn_seat *s = A->c->endless ? B : A;
    zn_vec3        middle = s->c->box ? s->c->box[1].centre : zn_contour_box(s->c, 0, s->c->edges).centre;
    zn_vec3        c = zn_seen_point(&s->body, middle), v = zn_vec3_sub(A->origin, B->origin);
    double         spin = A->spin - B->spin;
    return hypot(v.x - spin * c.y, v.y + spin * c.x) + fabs(spin) * s->c->size;
}

zn_two_contours zn_two_contours_at(const zn_contour *a, const zn_contour *b, const zn_near *at)
{
    double          size = a->endless ? b->size : b->endless ? a->size : fmin(a->size, b->size);
    double          grain = a->endless ? b->grain : b->endless ? a->grain : fmin(a->grain, b->grain);
    zn_two_contours w = {.seat = {sit(a, &at->A, &at->a), sit(b, &at->B, &at->b)},
                         .horizon = at->horizon,
                         .slack = at->slack,
                         .deep = fmax(at->slack, grain),
                         .touch = nothing * size};
    w.now[0] = see_now(&w.seat[0], &w.seat[1]);
    w.now[1] = see_now(&w.seat[1], &w.seat[0]);
    w.fastest = at->horizon > 0 ? fastest(&w.seat[0], &w.seat[1]) : 0;
    return w;
}

// Velocity of a point of P, as Q sees it.
static zn_vec3 drift(const zn_seat *P, const zn_seat *Q, zn_vec3 own)
{
    zn_vec3 c = zn_vec3_sub(zn_seen_point(&P->body, own), P->body.at);
    zn_vec3 v = {P->velocity.x - P->spin * c.y, P->velocity.y + P->spin * c.x, 0};
    c = zn_vec3_sub(zn_vec3_add(c, P->body.at), Q->body.at);
    v = zn_vec3_sub(v, (zn_vec3){Q->velocity.x - Q->spin * c.y, Q->velocity.y + Q->spin * c.x, 0});
    return zn_seen_back(&Q->body, v);
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

// How far x is past the end of the side before a corner, and before the start of the side after it.
static double past(const zn_contour *c, int corner, zn_vec3 x)
{
    int before = zn_edge_before(c, corner);
    return zn_vec3_dot(c->edge[before].arriving, zn_vec3_sub(x, c->edge[before].to));
}

static double short_of(const zn_contour *c, int corner, zn_vec3 x)
{
    int after = zn_edge_after(c, corner);
    return -zn_vec3_dot(c->edge[after].leaving, zn_vec3_sub(x, c->edge[after].from));
}

static double depth_behind(const zn_edge *wall, zn_vec3 x)
{
    double  gap;
    zn_vec3 n;
    return wall_gap(wall, x, &gap, &n) ? -gap : INFINITY;
}

// Is x behind a hollow corner, not deeper than `deep` behind its other side? Where the contour turns by an angle, what
// is behind both sides is as far from the corner as it is deep, over the cosine of half of it; with arcs nearly so, and
// what is farther away is behind their circles, not behind the corner.
static bool behind_hollow(const zn_contour *c, int corner, int other, zn_vec3 x, double touch, double deep)
{
    const zn_edge *in = &c->edge[zn_edge_before(c, corner)], *out = &c->edge[zn_edge_after(c, corner)];
    double         half = sqrt(fmax(0, (1 + zn_vec3_dot(in->arriving, out->leaving)) / 2));
    double         away = zn_vec3_norm(zn_vec3_sub(x, zn_corner_at(c, corner)));
    return depth_behind(&c->edge[other], x) < deep &&
           away * half <= 2 * fmax(depth_behind(in, x), depth_behind(out, x)) + touch;
}

// Is x beside the side? What is inside (not deeper than `deep`, which is 0 outside), behind a hollow corner, is beside
// neither of its sides and must get past both.
static bool beside(const zn_contour *c, int edge, zn_vec3 x, double touch, double deep)
{
    if (c->corners == 0)
        return true;
    const zn_edge *e = &c->edge[edge];
    int            end = zn_corner_after(c, edge);
    zn_corner_kind last = zn_corner_of(c, end);
    double         late = zn_vec3_dot(e->arriving, zn_vec3_sub(x, e->to));
    bool           begun = zn_vec3_dot(e->leaving, zn_vec3_sub(x, e->from)) >= -touch;
    bool           going = late <= (last == ZN_CORNER_SMOOTH ? -0.5 * touch : touch);
    if (deep > 0 && !begun && e->corner == ZN_CORNER_HOLLOW)
        begun = past(c, edge, x) > -touch && behind_hollow(c, edge, zn_edge_before(c, edge), x, touch, deep);
    if (deep > 0 && !going && last == ZN_CORNER_HOLLOW)
        going = short_of(c, end, x) > -touch && behind_hollow(c, end, zn_edge_after(c, end), x, touch, deep);
    if (!e->wide)
        return begun && going;
    zn_vec3 chord = zn_vec3_sub(e->to, e->from); // along the tangent of the middle: first half, second half
    return zn_vec3_dot(chord, zn_vec3_sub(x, e->centre)) <= 0 ? begun : going;
}

// --- the round feature ----------------------------------------------------------------------------

// Does the arc face along m, in its own axes?
static bool arc_faces(const zn_contour *c, int edge, zn_vec3 m, double touch)
{
    const zn_edge *e = &c->edge[edge];
    return beside(c, edge, zn_vec3_add(e->centre, zn_vec3_scale(e->radius, m)), touch, 0);
}

static zn_vec3 outward(zn_vec3 tangent) { return (zn_vec3){tangent.y, -tangent.x, 0}; }

// The end of a straight side that goes over into an arc: it ends the place where the side lies on another, unless the
// arc faces there itself.
static bool smooth_corner_faces(const zn_contour *c, int corner, zn_vec3 m, double touch)
{
    int  sides[2] = {zn_edge_before(c, corner), zn_edge_after(c, corner)};
    bool straight = false, curved = false;
    if (zn_vec3_dot(outward(c->edge[sides[1]].leaving), m) < 0.5)
        return false; // a wall that it cannot lie on
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

// A corner of Q at a smooth joint of P meets the side that starts there: a straight one always, an arc within its own
// Gauss arc.
static bool meets_corner(const zn_two_contours *w, int mover, const zn_seen *f, int joint, int corner)
{
    const zn_contour *P = w->seat[mover].c, *Q = w->seat[!mover].c;
    const zn_edge    *after = &P->edge[zn_edge_after(P, joint)];
    return after->radius == 0 ||
           (after->radius > 0 && corner_faces(Q, corner, zn_seen_point(f, after->centre), w->touch));
}

// A smooth joint, where a side of P starts, on an end of the wall is one contact: that of the end when it is a
// corner, that of A when it is smooth as well.
static bool starts_there(const zn_two_contours *w, int mover, const zn_seen *f, int corner, int wall, zn_vec3 x)
{
    const zn_contour *Q = w->seat[!mover].c;
    if (Q->corners == 0)
        return false;
    int  end = zn_corner_after(Q, wall), before = zn_edge_before(Q, wall);
    bool at_start = zn_corner_of(Q, wall) == ZN_CORNER_SHARP && fabs(short_of(Q, wall, x)) <= w->touch;
    bool at_end = zn_corner_of(Q, end) == ZN_CORNER_SHARP && fabs(past(Q, end, x)) <= w->touch;
    if ((at_start || at_end) && meets_corner(w, mover, f, corner, at_end ? end : wall))
        return true;
    return mover == 1 && before >= 0 && Q->edge[wall].corner == ZN_CORNER_SMOOTH && Q->edge[before].radius != 0 &&
           fabs(short_of(Q, wall, x)) <= w->touch;
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

// A corner of P at a corner of Q: is it this wall of Q that separates them? Of equal gaps that counts which lasts, so
// that what slides over the joint of two flush tops is not caught by the side there; at rest (flush sides with a common
// end) the corner of A goes first, then the side before it.
static bool chosen(const zn_two_contours *w, int mover, const zn_seen *f, int corner, int other, int wall)
{
    const zn_contour *P = w->seat[mover].c, *Q = w->seat[!mover].c;
    int               edge[4] = {zn_edge_before(Q, other), zn_edge_after(Q, other), zn_edge_before(P, corner),
                                 zn_edge_after(P, corner)};
    zn_vec3           d = zn_vec3_sub(zn_seen_point(f, zn_corner_at(P, corner)), zn_corner_at(Q, other));
    zn_vec3           u = drift(&w->seat[mover], &w->seat[!mover], zn_corner_at(P, corner));
    double            speed = zn_vec3_norm(u), best = -INFINITY;
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
        if (speed * w->horizon > w->touch)
            score += 0.25 * w->touch * zn_vec3_dot(m, u) / speed;
        if (score > best) {
            best = score;
            winner = k;
        }
    }
    return winner >= 0 && winner < 2 && edge[winner] == wall;
}

// Is the foot of x on the side so near one of its ends, and x so deep, that it may have come through either side there?
static bool at_corner(const zn_two_contours *w, const zn_contour *Q, int wall, int corner, zn_vec3 x, double depth)
{
    zn_vec3 d = zn_vec3_sub(x, zn_corner_at(Q, corner));
    return fabs(zn_vec3_dot(Q->edge[wall].leaving, d)) <= w->touch + 2 * depth;
}

// Where the foot of the corner on the straight wall is at one of its ends, the corner there has a say.
static bool wins(const zn_two_contours *w, int mover, const zn_seen *f, int corner, zn_vec3 x, int wall, double depth)
{
    const zn_contour *Q = w->seat[!mover].c;
    if (Q->corners == 0)
        return true;
    int ends[2] = {wall, zn_corner_after(Q, wall)};
    for (int k = 0; k < 2; k++)
        if (zn_corner_of(Q, ends[k]) == ZN_CORNER_SHARP && at_corner(w, Q, wall, ends[k], x, depth) &&
            !chosen(w, mover, f, corner, ends[k], wall))
            return false;
    return true;
}

// Beside a corner of P its sides go on. One that goes behind the wall is in Q, from the foot of the corner to its own
// end or that of the wall: more than it can have come in, less the gap, and the corner cannot have come here.
static bool goes_behind(const zn_two_contours *w, const zn_seen *f, zn_vec3 way, double length, const zn_edge *wall,
                        zn_vec3 x, bool endless)
{
    zn_vec3 u = zn_seen_vector(f, way), d = zn_vec3_sub(x, wall->from);
    double in = -zn_vec3_dot(wall->normal, u), along = zn_vec3_dot(wall->leaving, u), s = zn_vec3_dot(wall->leaving, d);
    if (!(in > 0))
        return false;
    if (!endless && along > nothing)
        length = fmin(length, fmax(0, wall->length - s) / along);
    else if (!endless && along < -nothing)
        length = fmin(length, fmax(0, s) / -along);
    return in * length - zn_vec3_dot(wall->normal, d) > w->deep;
}

static bool possible(const zn_two_contours *w, int mover, const zn_seen *f, int corner, zn_vec3 x, int wall)
{
    const zn_contour *P = w->seat[mover].c, *Q = w->seat[!mover].c;
    int               before = zn_edge_before(P, corner), after = zn_edge_after(P, corner);
    for (int k = 0; k < 2; k++) {
        int i = k == 0 ? before : after;
        if (i < 0 || P->edge[i].radius < 0) // the chord of a hollow arc is not in P
            continue;
        const zn_edge *e = &P->edge[i];
        zn_vec3        chord = zn_vec3_sub(e->to, e->from);
        double         length = zn_vec3_norm(chord);
        chord = zn_vec3_scale((k == 0 ? -1 : 1) / length, chord);
        if (goes_behind(w, f, chord, length, &Q->edge[wall], x, Q->endless))
            return false;
    }
    return true;
}

// --- depth ----------------------------------------------------------------------------------------

// What has come in through a wall may be behind others too: through which one did it come?
typedef struct way_out {
    const zn_two_contours *w;
    int                    mover, wall;
    bool                   corner; // the round feature is a corner
    zn_vec3                centre; // of it, from Q
    double                 radius;
    zn_vec3                x; // where it is deepest
    double                 gap;
    zn_vec3                n;
} way_out;

// The corner that two sides have in common; -1: none.
static int common(const zn_contour *c, int i, int j)
{
    if (c->corners == 0)
        return -1;
    return zn_corner_after(c, i) == j ? j : zn_corner_after(c, j) == i ? i : -1;
}

// Is it another side that it has come through? Of two sides that meet in a corner that points outwards the nearer one;
// but where a corner comes to a corner that has been settled. An arc only looks at sides that face the other way.
static bool nearer(const way_out *o, int edge)
{
    const zn_contour *Q = o->w->seat[!o->mover].c;
    double            gap, touch = o->w->touch;
    zn_vec3           n;
    int               corner = common(Q, edge, o->wall);
    if (edge == o->wall || !beside(Q, edge, o->x, touch, 0) || !wall_gap(&Q->edge[edge], o->x, &gap, &n))
        return false;
    if (!(gap > o->gap + touch))
        return false;
    if (corner < 0 && o->corner)
        return zn_vec3_dot(n, o->n) < 0 || gap <= 0;
    if (corner < 0) // all of the arc, too, is less deep behind that side
        return zn_vec3_dot(n, o->n) < 0 && wall_gap(&Q->edge[edge], o->centre, &gap, &n) && gap - o->radius > o->gap;
    if (zn_corner_of(Q, corner) != ZN_CORNER_SHARP)
        return false;
    bool settled = o->corner && at_corner(o->w, Q, o->wall, corner, o->x, -o->gap);
    return gap > touch || (!settled && o->corner);
}

static bool any_nearer(const way_out *o, int node, int first, int last)
{
    const zn_contour *Q = o->w->seat[!o->mover].c;
    double            around = -o->gap;
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
    if (!wall_gap(e, x, &gap, &n) || !beside(Q, wall, x, w->touch, depth > 0 ? w->deep : 0))
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
        return e->radius == 0 && smooth_corner_faces(P, round.corner, m, w->touch) &&
               !starts_there(w, mover, f, round.corner, wall, x) && possible(w, mover, f, round.corner, x, wall);
    return e->radius < 0 ||
           (possible(w, mover, f, round.corner, x, wall) && wins(w, mover, f, round.corner, x, wall, depth));
}

static zn_vec3 centre_of(const zn_contour *c, zn_round round)
{
    return round.edge >= 0 ? c->edge[round.edge].centre : zn_corner_at(c, round.corner);
}

// When x, which moves straight with u, comes to the distance `radius` of the wall: into a circle by the first root,
// out of a hollow one by the last. Beyond all times: never.
static double arrival(const zn_edge *wall, zn_vec3 x, zn_vec3 u, double radius)
{
    if (wall->radius == 0) {
        double gap = zn_vec3_dot(wall->normal, zn_vec3_sub(x, wall->from)) - radius,
               rate = zn_vec3_dot(wall->normal, u);
        return rate < 0 ? gap / -rate : INFINITY;
    }
    zn_vec3 d = zn_vec3_sub(x, wall->centre);
    double  R = wall->radius > 0 ? wall->radius + radius : -wall->radius - radius;
    double  uu = zn_vec3_dot(u, u), du = zn_vec3_dot(d, u), c = zn_vec3_dot(d, d) - R * R, rest = du * du - uu * c;
    if (!(uu > 0) || rest < 0)
        return INFINITY;
    if (wall->radius < 0) // c <= 0: one root of each sign
        return du > 0 ? -c / (du + sqrt(rest)) : (sqrt(rest) - du) / uu;
    return du < 0 ? c / (sqrt(rest) - du) : INFINITY;
}

// When the pair closes, and how P is seen then. Spins bend the way: Newton's method goes on from the straight one.
static double closing(const zn_seat *P, const zn_seat *Q, zn_vec3 own, double radius, const zn_edge *wall, double until,
                      zn_seen *then)
{
    zn_seen now = see_now(P, Q);
    double  t = arrival(wall, zn_seen_point(&now, own), drift(P, Q, own), radius);
    for (int i = 0; i < 3 && t <= 2 * until && (P->spin != 0 || Q->spin != 0); i++) {
        zn_seat p = moved(P, t), q = moved(Q, t);
        zn_vec3 x, n;
        double  gap;
        now = see_now(&p, &q);
        x = zn_seen_point(&now, own);
        if (!wall_gap(wall, x, &gap, &n))
            return INFINITY;
        double rate = zn_vec3_dot(n, drift(&p, &q, own));
        t = rate < 0 ? fmax(0, t + (gap - radius) / -rate) : INFINITY;
    }
    if (t <= until)
        *then = see(P, Q, t);
    return t;
}

// Where the corner at the end of a straight wall of Q is behind the sides of P that meet in a corner, seen like this:
// its gap, of those sides that it is beside. False: it has come past the corner.
static bool gap_of_end(const zn_contour *P, int corner, zn_vec3 end, double *gap)
{
    int  sides[2] = {zn_edge_before(P, corner), zn_edge_after(P, corner)};
    bool beside_any = false;
    for (int k = 0; k < 2; k++) {
        if (sides[k] < 0)
            continue;
        double  beyond = k == 0 ? past(P, corner, end) : short_of(P, corner, end), g;
        zn_vec3 n;
        if (beyond > 0 || !wall_gap(&P->edge[sides[k]], end, &g, &n))
            continue;
        *gap = beside_any ? fmax(*gap, g) : g;
        beside_any = true;
    }
    return beside_any;
}

// Does the corner at the end of a straight wall of Q lie on one of the sides of P that meet in a corner, seen like
// this?
// `*gap`: at most so much as counts as nothing, negative where it is inside.
static bool end_lies(const zn_two_contours *w, int mover, int corner, const zn_seen *f, zn_vec3 end, double *gap)
{
    zn_seen back = {f->c, -f->s, zn_vec3_scale(-1, zn_seen_back(f, f->at))};
    return gap_of_end(w->seat[mover].c, corner, zn_seen_point(&back, end), gap) && *gap <= w->touch &&
           *gap >= -w->slack;
}

// Will the wall slide off over the corner of P? Its end lies on P, now and as the gap of the corner closes, and comes
// to the corner then: neither touches the other. The straight motion is off by what forces hold the end back, the depth
// to which it would go; by so much earlier or later the gap is closed.
static bool slides_off(const zn_two_contours *w, int mover, int corner, int wall, const zn_seen *then, double speed)
{
    const zn_contour *P = w->seat[mover].c, *Q = w->seat[!mover].c;
    const zn_edge    *e = &Q->edge[wall];
    if (corner < 0 || e->radius != 0 || Q->corners == 0)
        return false;
    int     ends[2] = {wall, zn_corner_after(Q, wall)};
    zn_vec3 u = drift(&w->seat[mover], &w->seat[!mover], zn_corner_at(P, corner)),
            x = zn_seen_point(then, zn_corner_at(P, corner));
    for (int k = 0; k < 2; k++) {
        zn_vec3 end = zn_corner_at(Q, ends[k]), out = k == 0 ? zn_vec3_scale(-1, e->leaving) : e->arriving;
        double  gap, rate = zn_vec3_dot(out, u), left = zn_vec3_dot(out, zn_vec3_sub(end, x));
        if (zn_corner_of(Q, ends[k]) == ZN_CORNER_SHARP && rate > 0 &&
            end_lies(w, mover, corner, &w->now[mover], end, &gap) && end_lies(w, mover, corner, then, end, &gap) &&
            left * speed <= 2 * rate * (w->touch - gap))
            return true;
    }
    return false;
}

bool zn_round_near(const zn_two_contours *w, int mover, zn_round round, int wall)
{
    const zn_seat *P = &w->seat[mover], *Q = &w->seat[!mover];
    const zn_edge *e = &Q->c->edge[wall];
    const zn_seen *now = &w->now[mover];
    double         radius = round.edge >= 0 ? P->c->edge[round.edge].radius : 0, gap;
    zn_vec3        own = centre_of(P->c, round), x = zn_seen_point(now, own), n;
    ZN_ASSERT(radius >= 0);
    if ((e->radius < 0 && radius >= -e->radius - w->touch) || !wall_gap(e, x, &gap, &n))
        return false;
    gap -= radius;
    if (gap < 0) {
        way_out o = {w, mover, wall, round.edge < 0, x, radius, zn_vec3_sub(x, zn_vec3_scale(radius, n)), gap, n};
        return gap >= -w->deep && belong(w, mover, round, wall, now, -gap) && !any_nearer(&o, 1, 0, Q->c->edges);
    }
    zn_seen then;
    bool    here = gap <= w->slack && belong(w, mover, round, wall, now, 0);
    if (here && gap <= w->touch)
        return true;
    if (gap > w->fastest * w->horizon || closing(P, Q, own, radius, e, w->horizon, &then) > w->horizon)
        return here;
    // What will touch counts where it does: a wall may end before, and who is over it now slides off.
    double closes = -zn_vec3_dot(n, drift(P, Q, own));
    return belong(w, mover, round, wall, &then, 0) && !slides_off(w, mover, round.corner, wall, &then, closes);
}
