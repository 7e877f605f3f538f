// Along a unit n from B to A convex bodies are apart by
//     s(n) = min n.x over A - max n.x over B,
// which is largest for a normal of B, the opposite of a normal of A, or across an edge of each. Boxes: these 15
// directions. Other polyhedra: a few steps towards the point of A - B that is nearest to the origin (Frank and Wolfe's
// method) tell those that are far apart; then the normals, of which a point of the other body tells most to be worse
// than the best one so far; edges only where no normal separates.
//
// Bodies that overlap: which face did they come through? Schemes that know velocities only (moreau_jean) leave them up
// to v h inside each other, while they still close, or part after an impact. It is the direction that they pass within
// a horizon, back or ahead, and of these the one next in time; when there is none, at rest, the one of least depth.
#include "model/contact/meet_direction.h"

#include <math.h>

typedef struct look {
    const zn_polyhedron *A, *B;
    const zn_view       *v;
    double               tiny;
    zn_vec3              centre; // of the smaller body, its velocity, and how fast its farthest point turns
    zn_vec3              velocity;
    double               round;
    zn_apart             best;   // of all
    zn_apart             passed; // of those that they pass within a horizon
    double               time;   // from then, or until
    int                  from_a, from_b;
} look;

static zn_vec3 column(const zn_mat3 *m, int j) { return (zn_vec3){m->m[0][j], m->m[1][j], m->m[2][j]}; }

static bool is_far(const look *l, zn_vec3 n, double gap)
{
    double closing = l->round - zn_vec3_dot(n, l->velocity);
    return gap > l->v->slack + l->v->horizon * fmax(0, closing);
}

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

// A direction that is not above this changes nothing: where they overlap all of them have to be looked at.
static double bar(const look *l) { return l->best.gap >= -l->tiny ? l->best.gap : -INFINITY; }

// One more direction. False: along it they are far apart, and that is all.
static bool take(look *l, zn_vec3 n, double gap, zn_vec3 at)
{
    zn_apart now = {.normal = n, .gap = gap};
    if (is_far(l, n, gap)) {
        now.far = true;
        l->best = now;
        return false;
    }
    if (gap > l->best.gap)
        l->best = now;
    double time = fabs(gap / zn_vec3_dot(n, zn_view_velocity(l->v, at)));
    if (time < l->time) {
        l->passed = now;
        l->time = time;
    }
    return true;
}

// --- boxes ---------------------------------------------------------------------------------------

static bool across_edges(look *l, const zn_vec3 a[3], const zn_vec3 b[3], zn_vec3 d)
{
    const double ha[3] = {l->A->half.x, l->A->half.y, l->A->half.z};
    const double hb[3] = {l->B->half.x, l->B->half.y, l->B->half.z};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            zn_vec3 c = zn_vec3_cross(a[i], b[j]);
            double  square = zn_vec3_dot(c, c);
            if (square < 1e-12)
                continue;
            double t = zn_vec3_dot(c, d), half = 0;
            for (int k = 0; k < 3; k++)
                half += ha[k] * fabs(zn_vec3_dot(c, a[k])) + hb[k] * fabs(zn_vec3_dot(c, b[k]));
            double scale = 1 / sqrt(square), gap = (fabs(t) - half) * scale;
            if (gap <= bar(l) + l->tiny) // faces first: they have more to say
                continue;
            zn_vec3 n = zn_vec3_scale(copysign(scale, t), c);
            if (!take(l, n, gap, lowest_of_a(l, n)))
                return false;
        }
    return true;
}

static void look_at_boxes(look *l)
{
    zn_vec3 a[3], b[3], d = zn_vec3_sub(zn_view_point(l->v, l->A->centre), l->B->centre);
    double  half_a[3] = {l->A->half.x, l->A->half.y, l->A->half.z};
    double  half_b[3] = {l->B->half.x, l->B->half.y, l->B->half.z};
    for (int i = 0; i < 3; i++) {
        zn_vec3 own = column(&l->A->axes, i);
        a[i] = zn_view_vector(l->v, own);
        b[i] = column(&l->B->axes, i);
    }
    for (int i = 0; i < 6; i++) {
        zn_vec3 axis = i < 3 ? b[i] : a[i - 3];
        double  t = zn_vec3_dot(axis, d), half = i < 3 ? half_b[i] : half_a[i - 3];
        for (int k = 0; k < 3; k++)
            half += i < 3 ? half_a[k] * fabs(zn_vec3_dot(axis, a[k])) : half_b[k] * fabs(zn_vec3_dot(axis, b[k]));
        double gap = fabs(t) - half;
        if (gap <= bar(l))
            continue;
        zn_vec3 n = zn_vec3_scale(t < 0 ? -1 : 1, axis);
        if (!take(l, n, gap, i < 3 ? lowest_of_a(l, n) : highest_of_b(l, n)))
            return;
    }
    across_edges(l, a, b, d);
}

// --- other polyhedra -----------------------------------------------------------------------------

// Towards the point of A - B nearest to the origin. False: they are far apart.
static bool approach(look *l)
{
    enum { STEPS = 20 };
    zn_vec3 x = zn_vec3_sub(zn_view_point(l->v, l->A->centre), l->B->centre);
    for (int k = 0; k < STEPS; k++) {
        double length = zn_vec3_norm(x);
        if (!(length > l->tiny))
            return true;
        zn_vec3 n = zn_vec3_scale(1 / length, x), low = lowest_of_a(l, n);
        zn_vec3 p = zn_vec3_sub(low, highest_of_b(l, n)), to = zn_vec3_sub(p, x);
        double  gap = zn_vec3_dot(n, p), square = zn_vec3_dot(to, to);
        if (is_far(l, n, gap) || gap > l->best.gap)
            l->best = (zn_apart){.far = is_far(l, n, gap), .normal = n, .gap = gap};
        if (l->best.far)
            return false;
        if (length - gap <= 1e-3 * length || !(square > 0))
            return true;
        x = zn_vec3_add(x, zn_vec3_scale(fmin(1, -zn_vec3_dot(to, x) / square), to));
    }
    return true;
}

// Normals of one body. The other has a point there, so that along most of them it is clearly no higher than the best.
static bool along_normals(look *l, bool of_a)
{
    const zn_polyhedron *p = of_a ? l->A : l->B;
    zn_vec3              c = l->v->p; // a point of the other one in the axes of p
    c = of_a ? zn_view_back(l->v, zn_vec3_sub(l->B->vertex[l->from_b], c))
             : zn_view_point(l->v, l->A->vertex[l->from_a]);
    for (int i = 0; i < p->faces; i++) {
        const zn_polyhedron_face *f = &p->face[i];
        if (zn_vec3_dot(f->normal, c) - f->offset <= bar(l))
            continue;
        zn_vec3 n = of_a ? zn_vec3_scale(-1, zn_view_vector(l->v, f->normal)) : f->normal;
        zn_vec3 at = of_a ? highest_of_b(l, n) : lowest_of_a(l, n);
        double  gap = of_a ? zn_vec3_dot(f->normal, zn_view_back(l->v, zn_vec3_sub(at, l->v->p))) : zn_vec3_dot(n, at);
        if (!take(l, n, gap - f->offset, at))
            return false;
        c = of_a ? zn_view_back(l->v, zn_vec3_sub(at, l->v->p)) : at;
    }
    return true;
}

static bool in_arc(const zn_vec3 inward[2], zn_vec3 n)
{
    const double rounding = 1e-12;
    return zn_vec3_dot(n, inward[0]) <= rounding && zn_vec3_dot(n, inward[1]) <= rounding;
}

// Edges that reach into the other body; `up` of the best direction in the axes of the body, and where that ends.
static bool reaches(const zn_polyhedron *p, const zn_polyhedron_edge *e, zn_vec3 up, double end)
{
    return fmin(zn_vec3_dot(up, p->vertex[e->vertex[0]]), zn_vec3_dot(up, p->vertex[e->vertex[1]])) <= end;
}

static void across_edge(look *l, const zn_polyhedron_edge *e, zn_vec3 down, double end)
{
    zn_vec3 u = zn_view_vector(l->v, e->along), x = zn_view_point(l->v, l->A->vertex[e->vertex[0]]);
    zn_vec3 in[2] = {zn_view_vector(l->v, e->inward[0]), zn_view_vector(l->v, e->inward[1])};
    for (int j = 0; j < l->B->edges; j++) {
        const zn_polyhedron_edge *f = &l->B->edge[j];
        if (!reaches(l->B, f, down, end))
            continue;
        zn_vec3 c = zn_vec3_cross(u, f->along);
        double  length = zn_vec3_norm(c);
        if (length < 1e-6)
            continue;
        zn_vec3 n = zn_vec3_scale(copysign(1 / length, zn_vec3_dot(c, f->out)), c);
        if (!in_arc(f->inward, n) || !in_arc(in, zn_vec3_scale(-1, n)))
            continue;
        double gap = zn_vec3_dot(n, zn_vec3_sub(x, l->B->vertex[f->vertex[0]]));
        if (gap > bar(l) + l->tiny)
            take(l, n, gap, x);
    }
}

static void across_all_edges(look *l)
{
    zn_vec3 n = l->best.normal, down = zn_vec3_scale(-1, n), own = zn_view_back(l->v, n);
    double  high = zn_vec3_dot(n, highest_of_b(l, n)), low = zn_vec3_dot(n, lowest_of_a(l, n));
    for (int i = 0; i < l->A->edges; i++)
        if (reaches(l->A, &l->A->edge[i], own, high - zn_vec3_dot(n, l->v->p)))
            across_edge(l, &l->A->edge[i], down, -low);
}

zn_apart zn_polyhedra_apart(const zn_polyhedron *A, const zn_polyhedron *B, const zn_view *v, double tiny)
{
    look l = {.A = A, .B = B, .v = v, .tiny = tiny, .best.gap = -INFINITY, .time = INFINITY};
    bool small_a = A->radius <= B->radius;
    l.centre = small_a ? zn_view_point(v, A->centre) : B->centre;
    l.velocity = zn_view_velocity(v, l.centre);
    l.round = zn_vec3_norm(v->spin) * fmin(A->radius, B->radius);
    if (A->box && B->box)
        look_at_boxes(&l);
    else if (approach(&l) && along_normals(&l, false) && along_normals(&l, true) && l.best.gap < -tiny)
        across_all_edges(&l);
    if (l.best.far || l.best.gap >= -tiny)
        return l.best;
    if (l.time <= v->horizon)
        l.best = l.passed;
    l.best.deep = true;
    return l.best;
}
