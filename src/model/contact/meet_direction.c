// Along a unit n from B to A convex bodies are apart by
//     s(n) = min n.x over A - max n.x over B,
// which is largest for a normal of B, the opposite of a normal of A, or across an edge of each. Boxes: these 15
// directions. Other polyhedra: a few steps towards the point of A - B that is nearest to the origin (Frank and Wolfe's
// method) tell those that are far apart; then the normals, of which a point of the other body tells most to be worse
// than the best one so far; edges only where no normal separates.
//
// Bodies that overlap: which face did they come through? Schemes that know velocities only (moreau_jean) leave them up
// to v h inside each other, while they still close, or part after an impact. It is the direction that they pass within
// a horizon, back or ahead, and of these the one next in time; when there is none, at rest, the one of least depth. So
// it is when they leave by another one along which they are far deeper: what slides off the face that it lies in has
// not come in by the side beside it. Nor have bodies come in by a side where they rest in another one, by less than a
// quarter of what they move within a horizon: what has sunk into a table slides on over the joint with the next one.
#include "model/contact/meet_direction.h"

#include <math.h>

#include "model/contact/polyhedron_cap.h"

#define HARDLY 0.1  // of a depth: what they move along it within a horizon
#define SUNK   0.25 // of what they move within a horizon: a depth by which they rest in each other

typedef struct look {
    const zn_polyhedron *A, *B;
    const zn_view       *v;
    double               tiny;
    double               reach;  // what they may close, however an impact turns them
    double               way;    // how far a point of either can go within a horizon
    zn_apart             best;   // of all
    zn_apart             passed; // of those that they pass within a horizon
    zn_apart             rests;  // of those along which they hardly move, the one of least depth
    double               time;   // from then, or until
    double               moves;  // [m] how far within a horizon, where they pass it
    bool                 ahead;  // until
    int                  from_a, from_b;
    zn_fronts           *fronts;
} look;

static zn_vec3 column(const zn_mat3 *m, int j) { return (zn_vec3){m->m[0][j], m->m[1][j], m->m[2][j]}; }

static bool is_far(const look *l, double gap) { return gap > l->reach; }

static zn_vec3 lowest_of_a(look *l, zn_vec3 n)
{
    l->from_a = zn_polyhedron_farthest(l->A, zn_vec3_scale(-1, zn_view_back(l->v, n)), l->from_a);
    return zn_view_point(l->v, l->A->vertex[l->from_a]);
}

static zn_vec3 highest_of_b(look *l, zn_vec3 n)
{
    l->from_b = zn_polyhedron_farthest(l->B, n, l->from_b);
    return l->B->vertex[l->from_b];
}

// A direction that is not above this changes nothing: where they overlap those have to be looked at that are less deep
// than the best, or no deeper than anything goes within a horizon.
static double bar(const look *l)
{
    double gap = l->best.gap;
    return gap >= -l->tiny || gap < -l->way ? gap : -l->way;
}

// One more direction. False: along it they are far apart, and that is all.
static bool take(look *l, zn_vec3 n, double gap)
{
    zn_apart now = {.normal = n, .gap = gap};
    if (is_far(l, gap)) {
        now.far = true;
        l->best = now;
        return false;
    }
    if (gap > l->best.gap)
        l->best = now;
    return true;
}

// When do they pass it, with `at` the point where? Nobody asks unless they overlap, and then along all directions.
static void time_passing(look *l, zn_vec3 n, double gap, zn_vec3 at)
{
    zn_vec3 velocity = zn_view_velocity(l->v, at);
    double  rate = zn_vec3_dot(n, velocity), time = fabs(gap / rate);
    if (time * HARDLY > l->v->horizon && gap > l->rests.gap)
        l->rests = (zn_apart){.normal = n, .gap = gap};
    if (time < l->time) {
        l->moves = l->v->horizon * zn_vec3_norm(velocity);
        l->ahead = rate > 0;
        l->passed = (zn_apart){.normal = n, .gap = gap};
        l->time = time;
    }
}

// --- boxes ---------------------------------------------------------------------------------------

// Axes a of A and b of B; C their cosines, d from B to A, along the axes of each.
typedef struct two_boxes {
    zn_vec3 a[3], b[3];
    double  C[3][3], size[3][3]; // size: |C|
    double  half_a[3], half_b[3], along_a[3], along_b[3];
} two_boxes;

static two_boxes boxes_of(const look *l)
{
    zn_vec3   d = zn_vec3_sub(zn_view_point(l->v, l->A->centre), l->B->centre);
    two_boxes x = {.half_a = {l->A->half.x, l->A->half.y, l->A->half.z},
                   .half_b = {l->B->half.x, l->B->half.y, l->B->half.z}};
    for (int i = 0; i < 3; i++) {
        x.a[i] = zn_view_vector(l->v, column(&l->A->axes, i));
        x.b[i] = column(&l->B->axes, i);
        x.along_a[i] = zn_vec3_dot(x.a[i], d);
        x.along_b[i] = zn_vec3_dot(x.b[i], d);
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            x.C[i][j] = zn_vec3_dot(x.a[i], x.b[j]);
            x.size[i][j] = fabs(x.C[i][j]);
        }
    return x;
}

// Directions c = a_i x b_j, of which c.a_i = c.b_j = 0 and the other products are cosines, up to the sign:
// c = C[i+1][j] a_i+2 - C[i+2][j] a_i+1.
static bool across_edges(look *l, const two_boxes *x, bool timed)
{
    static const int next[5] = {0, 1, 2, 0, 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int    i1 = next[i + 1], i2 = next[i + 2], j1 = next[j + 1], j2 = next[j + 2];
            double square = x->C[i1][j] * x->C[i1][j] + x->C[i2][j] * x->C[i2][j];
            double t = x->C[i1][j] * x->along_a[i2] - x->C[i2][j] * x->along_a[i1];
            double over = fabs(t) - x->half_a[i1] * x->size[i2][j] - x->half_a[i2] * x->size[i1][j] -
                          x->half_b[j1] * x->size[i][j2] - x->half_b[j2] * x->size[i][j1];
            if (square < 1e-12 || (over <= 0 && bar(l) + l->tiny >= 0))
                continue;
            double scale = 1 / sqrt(square), gap = over * scale;
            if (gap <= bar(l) + l->tiny) // faces first: they have more to say
                continue;
            zn_vec3 n = zn_vec3_scale(copysign(scale, t), zn_vec3_cross(x->a[i], x->b[j]));
            if (!take(l, n, gap))
                return false;
            if (timed)
                time_passing(l, n, gap, lowest_of_a(l, n));
        }
    return true;
}

// Faces of a box along its axis i that the other body is not in front of, which lies along t beyond them by `gap`.
static void tell_fronts(look *l, bool of_a, int i, double t, double gap)
{
    signed char *face = l->fronts->of[of_a ? 0 : 1] + 2 * i; // the lower one, then the upper one
    bool         upper = of_a ? t < 0 : t > 0;
    if (gap < -l->tiny || upper)
        face[0] = -1;
    if (gap < -l->tiny || !upper)
        face[1] = -1;
}

static bool along_axes(look *l, const two_boxes *x, bool of_a, bool timed)
{
    for (int i = 0; i < 3; i++) {
        double t = of_a ? x->along_a[i] : x->along_b[i], half = of_a ? x->half_a[i] : x->half_b[i];
        for (int k = 0; k < 3; k++)
            half += of_a ? x->half_b[k] * x->size[i][k] : x->half_a[k] * x->size[k][i];
        double gap = fabs(t) - half;
        tell_fronts(l, of_a, i, t, gap);
        if (gap <= bar(l))
            continue;
        zn_vec3 n = zn_vec3_scale(t < 0 ? -1 : 1, of_a ? x->a[i] : x->b[i]);
        if (!take(l, n, gap))
            return false;
        if (timed)
            time_passing(l, n, gap, of_a ? highest_of_b(l, n) : lowest_of_a(l, n));
    }
    return true;
}

static void look_at_boxes(look *l)
{
    two_boxes x = boxes_of(l);
    for (int timed = 0; timed < 2 && !l->best.far && !(l->best.gap >= -l->tiny); timed++)
        if (along_axes(l, &x, false, timed) && along_axes(l, &x, true, timed))
            across_edges(l, &x, timed);
}

// --- other polyhedra -----------------------------------------------------------------------------

// Towards the point of A - B nearest to the origin. False: they are far apart. Bodies that no step has found apart may
// well be inside each other, and then steps lead nowhere.
static bool approach(look *l)
{
    enum { STEPS = 20, FEW = 2 };
    zn_vec3 x = zn_vec3_sub(zn_view_point(l->v, l->A->centre), l->B->centre);
    for (int k = 0; k < STEPS; k++) {
        double length = zn_vec3_norm(x);
        if (!(length > l->tiny))
            return true;
        zn_vec3 n = zn_vec3_scale(1 / length, x), low = lowest_of_a(l, n);
        zn_vec3 p = zn_vec3_sub(low, highest_of_b(l, n)), to = zn_vec3_sub(p, x);
        double  gap = zn_vec3_dot(n, p), square = zn_vec3_dot(to, to);
        if (is_far(l, gap) || gap > l->best.gap)
            l->best = (zn_apart){.far = is_far(l, gap), .normal = n, .gap = gap};
        if (l->best.far)
            return false;
        if (length <= l->reach) // they are not far apart
            return true;
        if (length - gap <= 1e-3 * length || !(square > 0) || (k >= FEW && l->best.gap < 0))
            return true;
        x = zn_vec3_add(x, zn_vec3_scale(fmin(1, -zn_vec3_dot(to, x) / square), to));
    }
    return true;
}

// A point of one body in the axes of the other, from those of B.
static zn_vec3 in_axes_of(const look *l, bool of_a, zn_vec3 x)
{
    return of_a ? zn_view_back(l->v, zn_vec3_sub(x, l->v->p)) : x;
}

// How far the other body is before a face of one, along its normal n in the axes of B, and the point that is nearest.
static double before_face(look *l, bool of_a, const zn_polyhedron_face *f, zn_vec3 *n, zn_vec3 *at)
{
    *n = of_a ? zn_vec3_scale(-1, zn_view_vector(l->v, f->normal)) : f->normal;
    *at = of_a ? highest_of_b(l, *n) : lowest_of_a(l, *n);
    return zn_vec3_dot(f->normal, in_axes_of(l, of_a, *at)) - f->offset;
}

// Some points of a body in the axes of the other, the last ones that were nearest to a face of it: along a normal it is
// no higher than any of them.
enum { FEW_POINTS = 4 };
typedef struct points {
    zn_vec3 x[FEW_POINTS];
    int     count, last;
} points;

static void add_point(points *p, zn_vec3 x)
{
    p->last = p->count < FEW_POINTS ? p->count++ : (p->last + 1) % FEW_POINTS;
    p->x[p->last] = x;
}

// Is one of them no higher before a face than this?
static bool any_below(const points *p, const zn_polyhedron_face *f, double height)
{
    if (zn_vec3_dot(f->normal, p->x[p->last]) - f->offset <= height)
        return true;
    for (int i = 0; i < p->count; i++)
        if (zn_vec3_dot(f->normal, p->x[i]) - f->offset <= height)
            return true;
    return false;
}

// Normals of one body. The other has points there, so that along most of them it is clearly no higher than the best.
static bool along_normals(look *l, bool of_a)
{
    const zn_polyhedron *p = of_a ? l->A : l->B;
    zn_vec3              n, at = of_a ? l->B->vertex[l->from_b] : zn_view_point(l->v, l->A->vertex[l->from_a]);
    zn_vec3              first = in_axes_of(l, of_a, at);
    points               known = {.count = 0};
    add_point(&known, first);
    for (int word = 0; 64 * word < p->faces; word++)
        for (uint64_t left = zn_feature_table_between(&p->planes, word, first, bar(l), INFINITY); left;) {
            const zn_polyhedron_face *f = &p->face[64 * word + zn_take_bit(&left)];
            if (any_below(&known, f, bar(l)))
                continue;
            double gap = before_face(l, of_a, f, &n, &at);
            if (!take(l, n, gap))
                return false;
            time_passing(l, n, gap, at);
            add_point(&known, in_axes_of(l, of_a, at));
        }
    return true;
}

static const double rounding = 1e-12;

// Is s c / |c| outside of an arc in any case, for a sine |c| of at most 1?
static bool is_outside(const zn_vec3 inward[2], double s, zn_vec3 c)
{
    return s * zn_vec3_dot(c, inward[0]) > 2 * rounding || s * zn_vec3_dot(c, inward[1]) > 2 * rounding;
}

static bool in_arc(const zn_vec3 inward[2], zn_vec3 n)
{
    return zn_vec3_dot(n, inward[0]) <= rounding && zn_vec3_dot(n, inward[1]) <= rounding;
}

// An edge of A and those of B that reach into it.
static void across_edge(look *l, const zn_polyhedron_edge *e, const zn_cap *reaches)
{
    zn_vec3 u = zn_view_vector(l->v, e->along), x = zn_view_point(l->v, l->A->vertex[e->vertex[0]]);
    zn_vec3 in[2] = {zn_view_vector(l->v, e->inward[0]), zn_view_vector(l->v, e->inward[1])};
    for (int j = zn_cap_edge(reaches, 0); j < l->B->edges; j = zn_cap_edge(reaches, j + 1)) {
        const zn_polyhedron_edge *f = &l->B->edge[j];
        zn_vec3                   c = zn_vec3_cross(u, f->along);
        double square = zn_vec3_dot(c, c), side = copysign(1, zn_vec3_dot(c, f->out)), least = bar(l);
        double apart = side * zn_vec3_dot(c, zn_vec3_sub(x, l->B->vertex[f->vertex[0]])); // the gap times the sine
        if (square < 1e-12 || (least < 0 && apart < 0 && apart * apart > least * least * square) ||
            is_outside(f->inward, side, c) || is_outside(in, -side, c))
            continue;
        double  scale = 1 / sqrt(square), gap = scale * apart;
        zn_vec3 n = zn_vec3_scale(side * scale, c);
        if (!in_arc(f->inward, n) || !in_arc(in, zn_vec3_scale(-1, n)))
            continue;
        if (gap > least + l->tiny && take(l, n, gap))
            time_passing(l, n, gap, x);
    }
}

// An edge touches along a direction n between the normals of its faces, and then they are apart by no more than n . d
// for any point of the other body, with d from it to the edge, or from the edge to it. That is largest at an end of the
// arc, unless d is between the normals itself. Is it above what counts?
static bool may_count(const look *l, const zn_polyhedron *p, const zn_polyhedron_edge *e, zn_vec3 d)
{
    double most = fmax(zn_vec3_dot(p->face[e->face[0]].normal, d), zn_vec3_dot(p->face[e->face[1]].normal, d));
    return most > bar(l) - l->tiny || (zn_vec3_dot(e->inward[0], d) <= 0 && zn_vec3_dot(e->inward[1], d) <= 0);
}

static void drop_edges(const look *l, const zn_polyhedron *p, zn_vec3 other, zn_cap *cap)
{
    for (int i = zn_cap_edge(cap, 0); i < p->edges; i = zn_cap_edge(cap, i + 1))
        if (!may_count(l, p, &p->edge[i], zn_vec3_sub(other, p->vertex[p->edge[i].vertex[0]])))
            zn_cap_drop_edge(cap, i);
}

static void across_all_edges(look *l)
{
    zn_vec3 n = l->best.normal, down = zn_vec3_scale(-1, zn_view_back(l->v, n)); // of A, in its axes
    zn_vec3 top = highest_of_b(l, n), foot = lowest_of_a(l, n);
    zn_cap  a, b;
    zn_cap_above(l->A, down, zn_vec3_dot(n, l->v->p) - zn_vec3_dot(n, top), l->from_a, &a);
    zn_cap_above(l->B, n, zn_vec3_dot(n, foot), l->from_b, &b);
    drop_edges(l, l->A, in_axes_of(l, true, top), &a);
    drop_edges(l, l->B, foot, &b);
    for (int i = zn_cap_edge(&a, 0); i < l->A->edges; i = zn_cap_edge(&a, i + 1))
        across_edge(l, &l->A->edge[i], &b);
}

static double fastest(const zn_view *v, zn_vec3 centre, double radius)
{
    return zn_vec3_norm(zn_view_velocity(v, centre)) + zn_vec3_norm(v->spin) * radius;
}

zn_apart zn_polyhedra_apart(const zn_polyhedron *A, const zn_polyhedron *B, const zn_view *v, double tiny,
                            zn_fronts *fronts)
{
    look l = {.A = A, .B = B, .v = v, .tiny = tiny, .best.gap = -INFINITY, .time = INFINITY, .fronts = fronts};
    l.rests.gap = -INFINITY;
    double speed_a = fastest(v, zn_view_point(v, A->centre), A->radius), speed_b = fastest(v, B->centre, B->radius);
    l.reach = v->slack + v->horizon * (A->radius <= B->radius ? speed_a : speed_b);
    l.way = (1 + 1e-9) * v->horizon * fmax(speed_a, speed_b);
    if (A->box && B->box)
        look_at_boxes(&l);
    else if (approach(&l) && along_normals(&l, false) && along_normals(&l, true) && l.best.gap < -tiny)
        across_all_edges(&l);
    if (!l.best.far && !(l.best.gap >= -tiny)) {
        if (l.time <= v->horizon && !(l.ahead && l.best.gap > ZN_RESTS * l.passed.gap))
            l.best = l.rests.gap >= -SUNK * l.moves ? l.rests : l.passed;
        l.best.deep = true;
    }
    l.best.ends[0] = l.from_a;
    l.best.ends[1] = l.from_b;
    return l.best;
}
