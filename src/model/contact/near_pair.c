// A pair of features that closes at the speed s, from the gap g, touches at g / s. Whether its point then belongs to
// the parts of lines, planes and circles that the shapes have is asked where the bodies are at that time, moved
// straight on and turned on; where the gap is below the slack also where they are now, and with some angle missing:
// what holds the bodies may turn them that far.
#include "model/contact/near_pair.h"

#include <math.h>

#include "model/contact/separation.h"

static const double exact = 1e-9;       // of the size, or an angle
static const double as_good = 1e-11;    // of the size: steps of that height are what schemes leave of gaps
static const double one_normal = 1e-12; // of normals: over the length of a body another one is another contact
static const double along = 2e-3;       // an angle below which lines lie along each other
static const double turning = 0.05;     // an angle that a body may turn while its gap is below the slack

zn_rigid zn_near_moved(const zn_rigid *b, const zn_feature_motion *m, double t)
{
    zn_rigid out = *b;
    out.position = zn_vec3_add(b->position, zn_vec3_scale(t, zn_feature_velocity(m, b->position)));
    out.rotation = zn_mat3_product(zn_quat_matrix(zn_so3_exp(zn_vec3_scale(t, m->spin))), b->rotation);
    return out;
}

static zn_feature own_feature(const zn_pair_shape *s, int index, bool planar)
{
    zn_feature own = {.kind = ZN_FEATURE_POINT, .at = s->at, .radius = s->radius};
    if (!s->ops->sphere)
        s->ops->feature(s, index, planar, &own);
    return own;
}

typedef struct trial {
    int              number[2];
    zn_feature       own[2], world[2];
    zn_feature_place place;
} trial;

static bool place_at(trial *t, const zn_rigid *A, const zn_rigid *B)
{
    t->world[0] = zn_feature_at(A, &t->own[0]);
    t->world[1] = zn_feature_at(B, &t->own[1]);
    return zn_feature_meet(&t->world[0], &t->world[1], &t->place);
}

static zn_vec3 into(const zn_rigid *b, zn_vec3 v) { return zn_mat3_apply(zn_mat3_transpose(b->rotation), v); }

// `part`, `angle`: what may be missing, of the size and of the normal.
static bool held(const zn_near_pairs *p, const trial *t, const zn_rigid *A, const zn_rigid *B, double part,
                 double angle)
{
    double  length = part * p->size;
    zn_vec3 n = t->place.normal;
    if (t->place.behind)
        return false;
    if (p->a_holds && !p->a_holds(p->a, t->number[0], into(A, zn_vec3_sub(t->place.on[0], A->position)),
                                  into(A, zn_vec3_scale(-1, n)), length, angle))
        return false;
    if (p->b_holds &&
        !p->b_holds(p->b, t->number[1], into(B, zn_vec3_sub(t->place.on[1], B->position)), into(B, n), length, angle))
        return false;
    return !p->belongs || p->belongs(p->user, t->number[0], t->number[1], &t->place, A, B, angle);
}

static double closing_speed(const zn_near *at, const zn_feature_place *p)
{
    zn_vec3 apart = zn_vec3_sub(zn_feature_velocity(&at->b, p->on[1]), zn_feature_velocity(&at->a, p->on[0]));
    return zn_vec3_dot(p->normal, apart);
}

zn_flat_range zn_near_flat(const zn_near *at, zn_vec3 n)
{
    zn_vec3 spin = zn_vec3_sub(at->a.spin, at->b.spin);
    double  turn = at->horizon * zn_vec3_norm(zn_vec3_cross(spin, n));
    return (zn_flat_range){fmax(1e-3, turn / 2), fmax(2e-3, 4 * turn)};
}

// Circles that lie flat: their lowest point may be anywhere in a moment. What a point touches is where it is.
static bool too_flat(const zn_near_pairs *p, const trial *t)
{
    for (int i = 0; i < 2; i++)
        if (t->world[i].kind == ZN_FEATURE_CIRCLE && t->world[1 - i].kind != ZN_FEATURE_POINT &&
            zn_vec3_norm(zn_vec3_cross(t->world[i].along, t->place.normal)) < zn_near_flat(p->at, t->place.normal).low)
            return true;
    return false;
}

// Will it touch parts that are there, when the gap has closed? What is round closes ever slower as it comes past, so
// that each time is too early, and the next one better; circles and what turns may be too late, and go back. Where
// rims and lines are nearly along each other the normal turns fast: it is known as well as the last step has left it.
// One that has turned back, inside, is that of the other side of a disc, by which nothing came. `angle` may be missing.
static bool held_then(const zn_near_pairs *p, const trial *now, double time, double angle)
{
    enum { LOOKS = 16 };
    double  end = p->at->horizon;
    zn_vec3 before = now->place.normal;
    for (int i = 0;; i++) {
        zn_rigid A = zn_near_moved(&p->at->A, &p->at->a, time), B = zn_near_moved(&p->at->B, &p->at->b, time);
        trial    then = *now;
        if (!place_at(&then, &A, &B))
            return false;
        double speed = closing_speed(p->at, &then.place), gap = then.place.gap;
        double turned = zn_vec3_norm(zn_vec3_sub(then.place.normal, before));
        bool   closed = fabs(gap) <= exact * p->size;
        bool   last = i == LOOKS || !(speed > 0) || (gap > 0 && time >= end);
        if (last || (closed && turned <= exact)) {
            double unsure = exact + (closed ? fmin(turned, turning) : 0);
            bool   back = gap < -exact * p->size && zn_vec3_dot(then.place.normal, now->place.normal) < 0;
            return gap >= -p->at->slack - exact * p->size && !back && !too_flat(p, &then) &&
                   held(p, &then, &A, &B, unsure, fmax(angle, unsure));
        }
        before = then.place.normal;
        time = fmax(0, fmin(time + gap / speed, end));
    }
}

static bool known(const zn_near_pairs *p, const zn_feature_place *at)
{
    for (int i = 0; i < p->found; i++)
        if (zn_vec3_norm(zn_vec3_sub(p->pair[i].point, at->point)) < exact * p->size &&
            zn_vec3_norm(zn_vec3_sub(p->pair[i].normal, at->normal)) < one_normal)
            return true;
    return false;
}

static bool has_face(const trial *t) { return t->own[0].kind == ZN_FEATURE_FACE || t->own[1].kind == ZN_FEATURE_FACE; }

void zn_near_pair(zn_near_pairs *p, int a, int b)
{
    const zn_near *at = p->at;
    trial          t = {.number = {a, b}};
    t.own[0] = own_feature(p->a, a, at->planar);
    t.own[1] = own_feature(p->b, b, at->planar);
    if (!place_at(&t, &at->A, &at->B))
        return;
    const zn_feature_place *now = &t.place;
    double                  speed = closing_speed(at, now);
    bool                    closes = speed > 0 && now->gap > 0 && now->gap <= at->slack + speed * at->horizon;
    if (!(now->gap <= at->slack || closes))
        return;
    bool here = now->gap <= at->slack && !too_flat(p, &t) && held(p, &t, &at->A, &at->B, exact, turning);
    bool sure = now->gap > exact * p->size && now->gap <= speed * at->horizon; // it touches where it then is
    if (sure || !here)
        here = closes && held_then(p, &t, fmin(now->gap / speed, at->horizon), here ? along : exact);
    if (!here)
        return;
    if (!known(p, now) && p->found < ZN_NEAR_PAIRS)
        p->pair[p->found++] = (zn_near_found){.a = a,
                                              .b = b,
                                              .face = has_face(&t),
                                              .touch = now->gap <= fmax(exact * p->size, speed * at->horizon),
                                              .gap = now->gap,
                                              .closing = speed,
                                              .point = now->point,
                                              .normal = now->normal};
}

// --- what is too deep ----------------------------------------------------------------------------

// The lowest point of a along n, less the highest one of b.
static zn_vec3 between_at(const zn_near_pairs *p, const zn_rigid *A, const zn_rigid *B, zn_vec3 n)
{
    return zn_vec3_sub(zn_rigid_point(A, p->a_farthest(p->a, into(A, zn_vec3_scale(-1, n)))),
                       zn_rigid_point(B, p->b_farthest(p->b, into(B, n))));
}

static zn_vec3 between(const zn_near_pairs *p, zn_vec3 n) { return between_at(p, &p->at->A, &p->at->B, n); }

static double above(const zn_near_pairs *p, zn_vec3 n) { return zn_vec3_dot(n, between(p, n)); }

static zn_vec3 lowest_difference(const void *user, zn_vec3 n) { return between(user, n); }

// Shapes that touch or overlap: where steps towards the origin lead by Gilbert's algorithm they are in each other by
// little along some of the directions, and touch along one.
static double overlap(const zn_near_pairs *p, zn_vec3 v)
{
    enum { STEPS = 400 };
    double best = -INFINITY;
    for (int i = 0; i < STEPS && best < 0 && zn_vec3_norm(v) > exact * p->size; i++) {
        zn_vec3 w = between(p, v), d = zn_vec3_sub(w, v);
        double  square = zn_vec3_dot(d, d), t = square > 0 ? -zn_vec3_dot(v, d) / square : 0;
        best = fmax(best, zn_vec3_dot(v, w) / zn_vec3_norm(v));
        if (!(t > 0))
            break;
        v = zn_vec3_add(v, zn_vec3_scale(fmin(t, 1), d));
    }
    return best;
}

// What they are apart along some direction, if they are; else the largest of what they are in each other, below zero.
static double apart(const zn_near_pairs *p)
{
    zn_vec3 start = zn_vec3_sub(zn_rigid_point(&p->at->A, p->a->at), zn_rigid_point(&p->at->B, p->b->at));
    double  gap = zn_separate(lowest_difference, p, start, exact * p->size, 0).gap;
    return gap >= 0 ? gap : fmax(gap, overlap(p, start));
}

// What the shapes are in each other: what they are along that of the normals along which it is least; 0: nothing.
static double depth(const zn_near_pairs *p)
{
    double least = apart(p);
    for (int i = 0; i < p->found; i++)
        least = fmax(least, above(p, p->pair[i].normal));
    return fmin(least, 0);
}

// A line through a plate is as deep in it as it is long, and no contact: all of the plate is above the line by much
// less than that, along its normal and along others. A face has all of the other shape before it, up to what they are
// in each other, and what is within reach. When they are not in each other at all nothing is inside: a corner that
// touches a mantle just below the cap is not below the cap.
static bool too_deep(const zn_near_pairs *p, const zn_near_found *f, double *known_depth)
{
    double slack = p->at->slack, little = 0.05 * slack, nothing = exact * p->size;
    if (p->a_farthest == NULL || p->b_farthest == NULL || f->gap >= -nothing)
        return false;
    if (*known_depth > 0)
        *known_depth = depth(p);
    if (*known_depth >= -nothing)
        return true;
    if (!f->face && f->gap >= -little)
        return false;
    double over = above(p, f->normal), reach = zn_near_reach(p->at, f->point);
    if (f->face)
        return over < *known_depth - reach;
    return f->gap < *known_depth - little || (f->gap < -slack && f->gap > over + slack);
}

// --- what slides past ----------------------------------------------------------------------------

static bool rests(const zn_near_pairs *p, const zn_near_found *f)
{
    return f->closing * p->at->horizon <= exact * p->size;
}

void zn_near_plane(zn_near_pairs *p, zn_vec3 normal, bool of_a)
{
    const zn_near *at = p->at;
    double         nothing = exact * p->size, over = above(p, normal);
    if (p->planes == ZN_NEAR_PLANES || !(fabs(over) <= nothing))
        return;
    zn_rigid A = zn_near_moved(&at->A, &at->a, at->horizon), B = zn_near_moved(&at->B, &at->b, at->horizon);
    zn_vec3  then = of_a ? zn_rigid_vector(&A, into(&at->A, normal)) : zn_rigid_vector(&B, into(&at->B, normal));
    if (zn_vec3_dot(then, between_at(p, &A, &B, then)) >= -nothing)
        p->plane[p->planes++] = (zn_near_front){normal, over};
}

// A rim nearly along an edge touches it within the height R θ²/2 of a chord, and is behind both faces beside the edge
// by as much: planes that keep the shapes apart, though not as well as the pair. Where that does not close it is in
// nobody's way, and stays.
static bool goes_past(const zn_near_pairs *p, const zn_near_found *f)
{
    double same = zn_past_cosine(f->closing * p->at->horizon, exact * p->size);
    for (int i = 0; f->touch && i < p->planes; i++) {
        const zn_near_front *by = &p->plane[i];
        if (zn_vec3_dot(by->normal, f->normal) < same &&
            (!rests(p, f) || by->over >= above(p, f->normal) - as_good * p->size))
            return true;
    }
    return false;
}

static zn_status list(const zn_near_pairs *p, const zn_near_found *f)
{
    return zn_feature_found(p->out, p->swapped ? f->b : f->a, p->swapped ? f->a : f->b);
}

// Where ridges lie on each other each side of one keeps the shapes apart for the pairs of the others: what does not
// close is listed after all when nothing else touches; but nothing is inside of what a plane keeps it apart from, as
// the rim of a can that has come over the joint of two tiles, and none of its corners yet, is not in the side of one.
zn_status zn_near_list(const zn_near_pairs *p)
{
    double known_depth = 1; // when it is asked for
    bool   touches = false;
    for (int i = 0; i < p->found; i++) {
        const zn_near_found *f = &p->pair[i];
        if (goes_past(p, f) || too_deep(p, f, &known_depth))
            continue;
        ZN_TRY(list(p, f));
        touches |= f->touch;
    }
    for (int i = 0; i < p->found && !touches; i++) {
        const zn_near_found *f = &p->pair[i];
        if (f->gap >= -exact * p->size && goes_past(p, f) && rests(p, f) && !too_deep(p, f, &known_depth))
            ZN_TRY(list(p, f));
    }
    return ZN_OK;
}
