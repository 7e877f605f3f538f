// What slides off an edge. A corner C of one body comes to the end E of the face that it slides on, and the face F of
// its own that goes up from C comes down to E: the gap of E and F closes exactly as both end. When that is, is known as
// well as the gap divided by the sine of their angle; so it is not asked where E would touch F, but whether it can.
//
// The pair by which the bodies touch, of C here, has a plane with one body on each side: with the normal n of the pair,
// out of the place where it is on each of them. While the pair does not close, its features stay where they are,
//     n.x >= n.p_A  for what A has,    n.x <= n.p_B  for what B has,    n.(p_A - p_B) = gap,
// and another pair whose features are on those two sides, now and until the end has come past, cannot touch: F would
// have to have places behind the plane. As places count from those of the pair itself, a depth in which a scheme of
// velocities leaves bodies makes no difference: E inside of F by no more than C is inside of its face has never come
// through F. It is closed because C is too deep, and a contact there would turn sliding into a push.
//
// A body that comes down on F by turning about C goes down on the plane there, too, as fast as its pair closes: that
// pair stays. So does one near the same direction that closes by less in a step than weight alone: both hold the body,
// and a push that is no larger than what weight gives in a step vanishes with it. (Where these were left out, heaps of
// bodies that had come to rest, millimetres deep in each other, rocked on and sank without end.) And one that does not
// close, which pushes nobody and may hold what the next impact turns round. Where round lines lie along each other the
// line and its ends are one contact, which runs from end to end: none of them keeps another apart.
#include "model/contact/kept_apart.h"

#include <math.h>

#include "model/contact/contour.h"
#include "model/contact/near_pair.h"
#include "model/contact/round_lines.h"
#include "model/contact/shape_capsule.h"
#include "model/contact/shape_cylinder.h"
#include "model/contact/shape_height.h"

enum { MOST = 256 }; // of more pairs the others are not asked

typedef struct pair {
    int              number[2];
    zn_feature       own[2];
    zn_feature_place now;
    double           closing; // [m/s]
    zn_vec3          slip;    // how fast B moves against A there
    bool             meets, dropped;
} pair;

typedef struct question {
    const zn_pair_shape *shape[2];
    const zn_near       *at;
    double               tiny;  // a length that is nothing
    double               size;  // of the smaller shape
    double               force; // how far weight and turning take what touches off its straight way
} question;

// Half of what goes around it; INFINITY: it does not end.
static double size_of(const zn_pair_shape *s, bool planar)
{
    zn_vec3 centre, half;
    bool    ends =
        planar ? zn_contour_bound(s, &centre, &half) : s->ops->sphere || s->ops->bound(s, planar, &centre, &half);
    return !ends ? INFINITY : !planar && s->ops->sphere ? s->radius : zn_vec3_norm(half);
}

static question ask(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at)
{
    question q = {{a, b}, at, .size = fmin(size_of(a, at->planar), size_of(b, at->planar))};
    double   turn = at->horizon * (zn_vec3_norm(at->a.spin) + zn_vec3_norm(at->b.spin));
    q.tiny = 1e-9 * q.size;
    q.force = fmin(at->weight + 0.5 * turn * turn * q.size, 1e-3 * q.size) + q.tiny;
    return q;
}

static zn_feature own_feature(const zn_pair_shape *s, int index, bool planar)
{
    zn_feature own = {.kind = ZN_FEATURE_POINT, .at = s->at, .radius = s->radius};
    if (planar)
        zn_contour_feature(s, index, &own);
    else if (!s->ops->sphere)
        s->ops->feature(s, index, planar, &own);
    return own;
}

static bool place_at(const pair *p, const zn_rigid body[2], zn_feature_place *out)
{
    zn_feature f = zn_feature_at(&body[0], &p->own[0]), g = zn_feature_at(&body[1], &p->own[1]);
    return zn_feature_meet(&f, &g, out);
}

// --- round lines along each other ----------------------------------------------------------------

typedef struct lines {
    int count, number[3];
} lines;

static void add_line(lines *l, int number)
{
    for (int i = 0; i < l->count; i++)
        if (l->number[i] == number)
            return;
    l->number[l->count++] = number;
}

// Of one shape: its own, and those of two pairs.
static lines lines_of(const question *q, int which, const pair *a, const pair *b)
{
    lines         l = {0};
    zn_shape_kind kind = q->shape[which]->kind;
    if (!q->at->planar && (kind == ZN_SHAPE_CAPSULE || kind == ZN_SHAPE_CYLINDER))
        add_line(&l, kind == ZN_SHAPE_CAPSULE ? ZN_CAPSULE_LINE : ZN_CYLINDER_MANTLE);
    if (a->own[which].kind == ZN_FEATURE_EDGE)
        add_line(&l, a->number[which]);
    if (b->own[which].kind == ZN_FEATURE_EDGE)
        add_line(&l, b->number[which]);
    return l;
}

static bool run_along(const question *q, int first, int second)
{
    zn_feature a = own_feature(q->shape[0], first, q->at->planar), b = own_feature(q->shape[1], second, q->at->planar);
    zn_feature f = zn_feature_at(&q->at->A, &a), g = zn_feature_at(&q->at->B, &b);
    zn_nearest_place nearest;
    return zn_round_lines_nearest(&f, &g, 0, &nearest) && nearest.runs;
}

// Is it these lines, or an end of one on the other?
static bool is_of(const pair *p, int first, int second)
{
    bool has[2] = {p->number[0] == first, p->number[1] == second};
    return (has[0] || has[1]) && (has[0] || p->own[0].kind != ZN_FEATURE_EDGE) &&
           (has[1] || p->own[1].kind != ZN_FEATURE_EDGE);
}

static bool are_of_the_same_lines(const question *q, const pair *a, const pair *b)
{
    lines first = lines_of(q, 0, a, b), second = lines_of(q, 1, a, b);
    for (int i = 0; i < first.count; i++)
        for (int k = 0; k < second.count; k++)
            if (is_of(a, first.number[i], second.number[k]) && is_of(b, first.number[i], second.number[k]) &&
                run_along(q, first.number[i], second.number[k]))
                return true;
    return false;
}

// --- pairs ---------------------------------------------------------------------------------------

static bool make_pair(const question *q, int64_t number, pair *p)
{
    const zn_rigid body[2] = {q->at->A, q->at->B};
    *p = (pair){.number = {zn_feature_first(number), zn_feature_second(number)}};
    for (int i = 0; i < 2; i++)
        p->own[i] = own_feature(q->shape[i], p->number[i], q->at->planar);
    if (!place_at(p, body, &p->now))
        return false;
    p->slip = zn_vec3_sub(zn_feature_velocity(&q->at->b, p->now.point), zn_feature_velocity(&q->at->a, p->now.point));
    p->closing = zn_vec3_dot(p->now.normal, p->slip);
    return true;
}

// How long a closing pair takes to close.
static double time_to_close(const pair *p) { return fmax(0, p->now.gap / p->closing); }

// Does it close within the horizon, unless forces prevent it?
static bool closes(const question *q, const pair *p)
{
    double way = p->closing * q->at->horizon;
    return p->meets && way > 4 * q->tiny && p->now.gap <= way + q->force;
}

static zn_vec3 into(const zn_rigid *b, zn_vec3 v) { return zn_mat3_apply(zn_mat3_transpose(b->rotation), v); }

// The height of what shape `which` has of a pair along n, in the world, when its body is there. Its feature is looked
// at where the other one is and goes until their gap closes.
static double height(const question *q, const pair *p, int which, const zn_rigid *body, zn_vec3 n)
{
    const zn_rigid *now = which == 0 ? &q->at->A : &q->at->B;
    zn_vec3         goes = zn_vec3_scale((which == 0 ? 1 : -1) * time_to_close(p), p->slip),
            x = zn_vec3_sub(p->now.on[which], now->position);
    const zn_vec3 way[2] = {into(now, x), into(now, zn_vec3_add(x, goes))};
    return zn_shape_height(q->shape[which], p->number[which], q->at->planar, way, into(body, n)) +
           zn_vec3_dot(n, body->position);
}

// When all that B has of a pair has come past what A has of it, as it slides along the plane of `by`; not before they
// touch.
static double time_past(const question *q, const pair *p, const pair *by)
{
    zn_vec3 n = by->now.normal, slide = zn_vec3_sub(p->slip, zn_vec3_scale(zn_vec3_dot(n, p->slip), n));
    double  way = height(q, p, 0, &q->at->A, slide) + height(q, p, 1, &q->at->B, zn_vec3_scale(-1, slide)),
           square = zn_vec3_dot(slide, slide), horizon = q->at->horizon;
    way -= (p->own[0].radius + p->own[1].radius) * sqrt(square); // what is round touches below its middle
    double past = way < horizon * square ? way / square : horizon;
    return fmin(fmax(past, time_to_close(p)), horizon);
}

// Are the features of `p` on the two sides of `by`, with the bodies there and its place at `at`?
static bool on_both_sides(const question *q, const pair *p, const zn_rigid body[2], const pair *by,
                          const zn_feature_place *at)
{
    zn_vec3 n = at->normal, down = zn_vec3_scale(-1, n);
    double above = zn_vec3_dot(n, at->on[0]) - by->own[0].radius, below = zn_vec3_dot(n, at->on[1]) + by->own[1].radius;
    double room = q->tiny + 0.1 * q->force;
    return height(q, p, 1, &body[1], n) <= below + room && height(q, p, 0, &body[0], down) <= room - above;
}

// What closes by less than weight does, and not far from the same direction.
static bool hold_the_same(const question *q, const pair *by, const pair *p)
{
    return p->closing * q->at->horizon <= q->force && zn_vec3_dot(by->now.normal, p->now.normal) > ZN_SAME_PLANE;
}

// Does the pair `by`, as it moves, keep `p` apart until that has come past? Planes that lean by less than the bodies
// are off over their size hold the same thing.
static bool keeps_apart(const question *q, const pair *by, const pair *p)
{
    const zn_near *at = q->at;
    const zn_rigid now[2] = {at->A, at->B};
    double         deep = fmax(0, -by->now.gap), sinks = zn_vec3_dot(by->now.normal, p->slip);
    if (2 * fmax(by->closing, sinks) > p->closing || hold_the_same(q, by, p) || !on_both_sides(q, p, now, by, &by->now))
        return false; // most, and for little
    double t = time_past(q, p, by);
    if (by->now.gap - by->closing * t < -deep - q->force)
        return false;
    const zn_rigid   then[2] = {zn_near_moved(&at->A, &at->a, t), zn_near_moved(&at->B, &at->b, t)};
    zn_feature_place by_then, p_then;
    if (!place_at(by, then, &by_then) || !place_at(p, then, &p_then) || by_then.gap < -deep - q->force)
        return false;
    double lean = zn_vec3_norm(zn_vec3_cross(by_then.normal, p_then.normal));
    return lean * q->size > q->force + deep && on_both_sides(q, p, then, by, &by_then);
}

// Is it the side by which the bodies leave? What slides off lies far less deep in what it rests on, and a pair that is
// deeper than what they rest on keeps nothing apart.
static bool is_way_out(const question *q, int count, const pair *all, const pair *by)
{
    for (int i = 0; i < count && by->now.gap < -q->tiny; i++)
        if (all[i].meets && !closes(q, &all[i]) && all[i].now.gap <= q->tiny && all[i].now.gap > ZN_RESTS * by->now.gap)
            return true;
    return false;
}

void zn_drop_kept_apart(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *list,
                        int first)
{
    pair     all[MOST];
    int      count = list->count - first < MOST ? list->count - first : MOST, kept = first;
    question q = ask(a, b, at);
    if (count < 2 || !(at->horizon > 0))
        return;
    bool any = false;
    for (int i = 0; i < count; i++) {
        all[i].meets = make_pair(&q, list->pair[first + i], &all[i]);
        any |= closes(&q, &all[i]);
    }
    for (int k = 0; k < count && any; k++)
        for (int i = 0; i < count && closes(&q, &all[k]) && !all[k].dropped; i++)
            all[k].dropped = i != k && all[i].meets && keeps_apart(&q, &all[i], &all[k]) &&
                             !is_way_out(&q, count, all, &all[i]) && !are_of_the_same_lines(&q, &all[i], &all[k]);
    for (int i = 0; i < list->count - first; i++)
        if (i >= count || !all[i].dropped)
            list->pair[kept++] = list->pair[first + i];
    list->count = kept;
}
