// A capsule is a line with a radius r, and ends. It keeps off others when every point of its line does, by r; of these
// the ends count, as balls, and the places where the line is nearest to an edge or a vertex of the other one:
// - an end and what of the other body is nearest to it, where it touches (a ball: meet_ball.c);
// - the line across an edge or past a vertex, when the nearest points lie within both.
// Whatever the angle, these are distances between points of the two bodies, so none of them is wrong; where capsules
// lie along each other or along a face, ends and crossings are the ends of what they share. Normals on a polyhedron
// lie between those of its faces up to the angle `tilt`, so that what a capsule lies flat on is not left out.
#include "model/contact/meet_capsule.h"

#include <math.h>

#include "model/contact/meet_ball.h"
#include "model/contact/meet_copies.h"
#include "model/contact/shape_capsule.h"

typedef struct search {
    const zn_pair_shape *a, *b;
    zn_view              view[2]; // A seen from B, B seen from A
    double               tiny, tilt;
    zn_vec3              end[2]; // of A, in the axes of B
    zn_feature_list     *out;
    zn_copies            copies; // in the axes of B
} search;

// The line of a capsule, in its own axes.
typedef struct core {
    zn_vec3 at, axis;
    double  half;
} core;

static zn_vec3 along(zn_vec3 x, double s, zn_vec3 u) { return zn_vec3_add(x, zn_vec3_scale(s, u)); }

static double reach_of(const zn_pair_shape *c) { return zn_vec3_norm(c->at) + 0.5 * c->length + c->radius; }

static core core_of(const zn_pair_shape *c) { return (core){c->at, zn_capsule_axis(c), 0.5 * c->length}; }

static int nearest_of(const void *line, zn_vec3 x, double *distance, zn_vec3 *away)
{
    const core *c = line;
    double      s = zn_vec3_dot(c->axis, zn_vec3_sub(x, c->at));
    int         feature = s <= -c->half ? 0 : s >= c->half ? 1 : ZN_CAPSULE_LINE;
    zn_vec3     d = zn_vec3_sub(x, along(c->at, fmin(fmax(s, -c->half), c->half), c->axis));
    *distance = zn_vec3_norm(d);
    *away = *distance > 0 ? zn_vec3_scale(1 / *distance, d) : (zn_vec3){0, 0, 0};
    return feature;
}

zn_status zn_meet_capsule_sphere(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                 zn_feature_list *out)
{
    zn_view v = zn_view_from_a(at, reach_of(a), zn_vec3_norm(b->at));
    core    line = core_of(a);
    int     feature = zn_ball_on(&line, nearest_of, &v, zn_view_point(&v, b->at), a->radius + b->radius);
    return feature >= 0 ? zn_feature_found(out, feature, 0) : ZN_OK;
}

// --- pairs that count ----------------------------------------------------------------------------

static void begin(search *s, const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, double reach_b,
                  zn_feature_list *out)
{
    s->a = a;
    s->b = b;
    s->out = out;
    s->view[0] = zn_view_from_b(at, reach_of(a), reach_b);
    s->view[1] = zn_view_from_a(at, reach_of(a), reach_b);
    s->tiny = 1e-9 * a->radius;
    s->tilt = fmin(0.1 + at->horizon * zn_vec3_norm(s->view[0].spin), 0.5);
    s->copies.count = 0;
    s->copies.tiny = s->tiny;
    for (int i = 0; i < 2; i++)
        s->end[i] = zn_view_point(&s->view[0], zn_capsule_end(a, i));
}

// Features of both in the axes of B.
static bool place(const search *s, int a, int b, zn_feature *f, zn_feature *g, zn_feature_place *out)
{
    s->a->ops->feature(s->a, a, false, f);
    s->b->ops->feature(s->b, b, false, g);
    f->at = zn_view_point(&s->view[0], f->at);
    f->along = zn_view_vector(&s->view[0], f->along);
    return zn_feature_meet(f, g, out);
}

// A pair that is near, unless a copy of it is there.
static zn_status found(search *s, int a, int b)
{
    zn_feature       f, g;
    zn_feature_place at;
    if (!place(s, a, b, &f, &g, &at) || zn_copies_know(&s->copies, at.point, at.normal))
        return ZN_OK;
    return zn_feature_found(s->out, a, b);
}

// The line of A after a time.
static zn_feature line_after(const search *s, double t, double *half)
{
    const zn_view *v = &s->view[0];
    zn_vec3        x = along(s->end[0], t, zn_view_velocity(v, s->end[0]));
    zn_vec3        y = along(s->end[1], t, zn_view_velocity(v, s->end[1])), way = zn_vec3_sub(y, x);
    double         length = zn_vec3_norm(way);
    *half = 0.5 * length;
    return (zn_feature){.kind = ZN_FEATURE_EDGE,
                        .at = zn_vec3_scale(0.5, zn_vec3_add(x, y)),
                        .along = zn_vec3_scale(1 / length, way),
                        .radius = s->a->radius};
}

// May the line touch this feature of B, at a place of the line that `belongs` to the feature, too?
typedef bool belongs(const search *s, int b, const zn_feature *line, const zn_feature *feature,
                     const zn_feature_place *at);

static double off_middle(const zn_feature *line, zn_vec3 x)
{
    return fabs(zn_vec3_dot(line->along, zn_vec3_sub(x, line->at)));
}

static bool line_is_on(const search *s, int b, const zn_feature *line, double half, const zn_feature *g,
                       const zn_feature_place *at, belongs *inside)
{
    return off_middle(line, at->on[0]) <= half + s->tiny && inside(s, b, line, g, at);
}

// Where the line touches when it does so at this time or later: past a vertex it closes ever slower, so that each time
// is too early, and the next one better.
static bool line_touches(const search *s, int b, const zn_feature *g, double time, belongs *inside)
{
    enum { LOOKS = 16 };
    for (int k = 0;; k++) {
        zn_feature_place at;
        double           half;
        zn_feature       f = line_after(s, time, &half);
        if (!zn_feature_meet(&f, g, &at))
            return false;
        double rate = zn_vec3_dot(at.normal, zn_view_velocity(&s->view[0], at.on[0]));
        double rest = rate < 0 ? -at.gap / rate : 0, horizon = s->view[0].horizon;
        if (k == LOOKS || !(at.gap > s->tiny) || !(rest > 0) || time >= horizon)
            return line_is_on(s, b, &f, half, g, &at, inside);
        time = fmin(time + rest, horizon);
    }
}

static bool line_meets(const search *s, int b, const zn_feature *g, belongs *inside)
{
    const zn_view   *v = &s->view[0];
    zn_feature_place at;
    double           half;
    zn_feature       f = line_after(s, 0, &half);
    if (!zn_feature_meet(&f, g, &at) || at.gap + f.radius + g->radius < -s->tiny)
        return false; // the line itself is behind it
    zn_vec3 velocity = zn_view_velocity(v, at.on[0]);
    double  gap = fmax(at.gap, 0), rate = zn_vec3_dot(at.normal, velocity);
    zn_when when = zn_when_near(v, s->tiny, gap, rate, zn_vec3_norm(velocity));
    for (int k = 0; k < when.count; k++)
        if (when.time[k] > 0 ? line_touches(s, b, g, when.time[k], inside) : line_is_on(s, b, &f, half, g, &at, inside))
            return true;
    return false;
}

// --- capsules ------------------------------------------------------------------------------------

static bool on_line(const search *s, int b, const zn_feature *line, const zn_feature *feature,
                    const zn_feature_place *at)
{
    (void)b, (void)line;
    return off_middle(feature, at->on[1]) <= 0.5 * s->b->length + s->tiny;
}

// Away from the ends of both.
static bool crosses(const search *s, int b, const zn_feature *line, const zn_feature *feature,
                    const zn_feature_place *at)
{
    (void)b;
    return off_middle(line, at->on[0]) < 0.5 * s->a->length - 4 * s->tiny &&
           off_middle(feature, at->on[1]) < 0.5 * s->b->length - 4 * s->tiny;
}

zn_status zn_meet_capsules(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    search s;
    begin(&s, a, b, at, reach_of(b), out);
    core   lines[2] = {core_of(a), core_of(b)};
    double radius = a->radius + b->radius;
    for (int i = 0; i < 2; i++) {
        int feature = zn_ball_on(&lines[1], nearest_of, &s.view[0], s.end[i], radius);
        if (feature >= 0)
            ZN_TRY(found(&s, i, feature));
    }
    for (int i = 0; i < 2; i++) {
        zn_vec3 end = zn_view_point(&s.view[1], zn_capsule_end(b, i));
        int     feature = zn_ball_on(&lines[0], nearest_of, &s.view[1], end, radius);
        if (feature >= 0)
            ZN_TRY(found(&s, feature, i));
    }
    zn_feature line;
    b->ops->feature(b, ZN_CAPSULE_LINE, false, &line);
    if (line_meets(&s, ZN_CAPSULE_LINE, &line, crosses)) // then, though an end may be nearest now
        return zn_feature_found(out, ZN_CAPSULE_LINE, ZN_CAPSULE_LINE);
    return line_meets(&s, ZN_CAPSULE_LINE, &line, on_line) ? found(&s, ZN_CAPSULE_LINE, ZN_CAPSULE_LINE) : ZN_OK;
}

// --- polyhedra -----------------------------------------------------------------------------------

static bool on_edge(const search *s, int b, const zn_feature *line, const zn_feature *feature,
                    const zn_feature_place *at)
{
    (void)line;
    const zn_polyhedron      *p = s->b->data;
    const zn_polyhedron_edge *e = &p->edge[b - p->vertices];
    double                    r = zn_vec3_dot(feature->along, zn_vec3_sub(at->on[1], feature->at));
    return r >= -s->tiny && r <= e->length + s->tiny && zn_vec3_dot(at->normal, e->inward[0]) <= s->tilt &&
           zn_vec3_dot(at->normal, e->inward[1]) <= s->tilt;
}

static bool on_vertex(const search *s, int b, const zn_feature *line, const zn_feature *feature,
                      const zn_feature_place *at)
{
    (void)line;
    const zn_polyhedron *p = s->b->data;
    for (int k = p->first[b]; k < p->first[b + 1]; k++) {
        zn_vec3 way = zn_vec3_sub(p->vertex[p->neighbour[k]], feature->at);
        if (zn_vec3_dot(at->normal, way) > s->tilt * zn_vec3_norm(way))
            return false;
    }
    return true;
}

zn_status zn_meet_capsule_polyhedron(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                     zn_feature_list *out)
{
    const zn_polyhedron *p = b->data;
    search               s;
    begin(&s, a, b, at, p->reach, out);
    zn_vec3 centre = zn_view_point(&s.view[0], a->at), velocity = zn_view_velocity(&s.view[0], centre);
    double  far = 0.5 * a->length + a->radius;
    double  way = zn_vec3_norm(velocity) + zn_vec3_norm(s.view[0].spin) * far;
    if (zn_vec3_norm(zn_vec3_sub(centre, p->centre)) > p->radius + far + s.view[0].slack + at->horizon * way)
        return ZN_OK;
    for (int i = 0; i < p->vertices + p->edges; i++) {
        zn_feature f;
        zn_polyhedron_feature(p, i, &f);
        if (line_meets(&s, i, &f, i < p->vertices ? on_vertex : on_edge))
            ZN_TRY(found(&s, ZN_CAPSULE_LINE, i));
    }
    for (int i = 0; i < 2; i++) { // of copies the line is nearer
        int feature = zn_ball_on_polyhedron(p, &s.view[0], s.end[i], a->radius);
        if (feature >= 0)
            ZN_TRY(found(&s, i, feature));
    }
    return ZN_OK;
}

zn_status zn_meet_polyhedron_capsule(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                     zn_feature_list *out)
{
    return zn_meet_swapped(zn_meet_capsule_polyhedron, a, b, at, out);
}
