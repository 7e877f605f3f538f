// Two convex polyhedra. Where faces lie on each other the corners of their overlap are vertices of A over a face of B,
// vertices of B over a face of A, and crossings of edges; every other way to touch is one of these as well. Such a pair
// is listed when its gap is closed or may close, and then the vertex is over the face, or the crossing on both edges
// with its normal between those of their faces: looked at where they will be when they touch (zn_when_near), so that
// what falls past an edge is not held by the face beside it.
// - A vertex need not be the lowest one: all corners of a face that comes down tilted are listed. It must not be hidden
//   behind a neighbour, though: edges go down from it by at most the angle `tilt`.
// - Edges: the same angle beyond their arcs is allowed while the gap is open; lines that cross are apart then, too.
//   Below a sine of 1e-6 edges are parallel and have no pair: the ends of one are over a face of the other, up to what
//   that angle makes of their length. Two ridges one on the other rest on the ends of each over both slopes of the
//   other.
// - Bodies that slide past each other, along a plane that keeps them apart (meet_past.c), do not meet the sides of it.
// - Bodies inside each other (meet_direction.c): only what lies about the direction by which they came, or, where that
//   is nothing, of least depth.
// - Copies, at one point with one normal: a vertex on a face stays, then a face on a vertex, then edges.
#include "model/contact/meet_polyhedra.h"

#include <math.h>

#include "model/contact/meet_copies.h"
#include "model/contact/meet_direction.h"
#include "model/contact/meet_past.h"

enum { CHUNK = 48 };

typedef struct search {
    zn_two_polyhedra two; // A, B
    double           tilt;
    double           reach; // how far points can go, and the slack
    zn_apart         apart;
    zn_feature_list *out;
    zn_copies        copies; // in the axes of B
} search;

static zn_vec3 along(zn_vec3 x, double s, zn_vec3 u) { return zn_vec3_add(x, zn_vec3_scale(s, u)); }

// One more pair, unless a copy of it is there. Point and normal in the axes of B.
static zn_status found(search *s, int a, int b, zn_vec3 point, zn_vec3 normal)
{
    return zn_copies_know(&s->copies, point, normal) ? ZN_OK : zn_feature_found(s->out, a, b);
}

// --- vertices over faces -------------------------------------------------------------------------

// Points of one body (0: A) that may touch, in the axes of the other one.
typedef struct corner {
    int     vertex;
    zn_vec3 x, v;
    double  speed;
} corner;

// Do its neighbours hide a vertex from the face?
static bool is_hidden(const search *s, int side, const corner *c, zn_vec3 normal)
{
    const zn_polyhedron *p = s->two.P[side];
    zn_vec3              up = zn_view_back(&s->two.view[side], normal);
    for (int k = p->first[c->vertex]; k < p->first[c->vertex + 1]; k++) {
        zn_vec3 way = zn_vec3_sub(p->vertex[p->neighbour[k]], p->vertex[c->vertex]);
        double  rise = zn_vec3_dot(up, way);
        if (rise < 0 && rise * rise > s->tilt * s->tilt * zn_vec3_dot(way, way))
            return true;
    }
    return false;
}

static bool is_inside(const zn_polyhedron *p, zn_vec3 x, double depth)
{
    for (int i = 0; i < p->faces; i++)
        if (zn_vec3_dot(p->face[i].normal, x) - p->face[i].offset > -depth)
            return false;
    return true;
}

static zn_status found_on_face(search *s, int side, const corner *c, int face)
{
    const zn_polyhedron *F = s->two.P[1 - side];
    zn_vec3              n = F->face[face].normal;
    int                  number = F->vertices + F->edges + face;
    if (side == 0)
        return found(s, c->vertex, number, c->x, n);
    return found(s, number, c->vertex, s->two.P[1]->vertex[c->vertex],
                 zn_vec3_scale(-1, zn_view_vector(&s->two.view[0], n)));
}

// A vertex inside the other body is held by the face by which it came.
static bool is_deep_in(const search *s, int side, const corner *c, int face, zn_vec3 up)
{
    const zn_polyhedron *F = s->two.P[1 - side];
    return s->apart.deep && zn_vec3_dot(up, F->face[face].normal) > 0.9 && is_inside(F, c->x, s->two.tiny) &&
           !is_hidden(s, side, c, F->face[face].normal);
}

// The vertex, then at x, and the face slide past each other.
static bool goes_past(const search *s, int side, const corner *c, int face, zn_vec3 x)
{
    zn_vec3 n = s->two.P[1 - side]->face[face].normal;
    zn_vec3 back = zn_view_back(&s->two.view[side], zn_vec3_scale(-1, n));
    return !s->apart.deep && (zn_slides_past(&s->two, 1 - side, x, n) ||
                              zn_slides_past(&s->two, side, s->two.P[side]->vertex[c->vertex], back));
}

static bool is_over(const search *s, int side, const corner *c, int face, zn_when when)
{
    for (int k = 0; k < when.count; k++) {
        double  beside = when.time[k] > 0 ? s->two.tiny + s->two.view[side].bend : s->two.tiny;
        zn_vec3 x = along(c->x, when.time[k], c->v);
        if (zn_polyhedron_over(s->two.P[1 - side], face, x) >= -beside)
            return !when.touch || !goes_past(s, side, c, face, x);
    }
    return false;
}

// `up`: the direction apart, out of the body with the faces; `chosen`: its face nearest to that.
static zn_status try_face(search *s, int side, const corner *c, int face, int chosen, zn_vec3 up)
{
    const zn_polyhedron_face *f = &s->two.P[1 - side]->face[face];
    const zn_view            *v = &s->two.view[side];
    double                    gap = zn_vec3_dot(f->normal, c->x) - f->offset, rate = zn_vec3_dot(f->normal, c->v);
    if (gap < -s->two.tiny)
        return face == chosen && is_deep_in(s, side, c, face, up) ? found_on_face(s, side, c, face) : ZN_OK;
    zn_when when = zn_when_near(v, s->two.tiny, gap, rate, c->speed);
    if (when.count == 0 || !is_over(s, side, c, face, when) || is_hidden(s, side, c, f->normal))
        return ZN_OK;
    return found_on_face(s, side, c, face);
}

// The face nearest to a direction.
static int face_along(const zn_polyhedron *p, zn_vec3 up)
{
    int best = 0;
    for (int i = 1; i < p->faces; i++)
        if (zn_vec3_dot(up, p->face[i].normal) > zn_vec3_dot(up, p->face[best].normal))
            best = i;
    return best;
}

static zn_status try_corners(search *s, int side, int count, const corner *c, int chosen, zn_vec3 up)
{
    for (int i = 0; i < s->two.P[1 - side]->faces; i++)
        for (int k = 0; k < count; k++)
            ZN_TRY(try_face(s, side, &c[k], i, chosen, up));
    return ZN_OK;
}

// Vertices of one body over faces of the other: those not higher than it along the direction apart, as far as they go.
static zn_status vertices_on_faces(search *s, int side)
{
    const zn_polyhedron *P = s->two.P[side], *F = s->two.P[1 - side];
    const zn_view       *v = &s->two.view[side];
    zn_vec3              up = side == 0 ? s->apart.normal : zn_view_back(&s->two.view[0], s->apart.normal);
    if (side == 1)
        up = zn_vec3_scale(-1, up);
    zn_vec3 own = zn_view_back(v, up);
    double  top = zn_vec3_dot(up, F->vertex[zn_polyhedron_farthest(F, up, 0)]) + s->reach - zn_vec3_dot(up, v->p);
    int     count = 0, chosen = s->apart.deep ? face_along(F, up) : -1;
    corner  c[CHUNK];
    for (int i = 0; i < P->vertices; i++) {
        if (zn_vec3_dot(own, P->vertex[i]) > top)
            continue;
        zn_vec3 x = zn_view_point(v, P->vertex[i]);
        zn_vec3 velocity = zn_view_velocity(v, x);
        c[count++] = (corner){i, x, velocity, zn_vec3_norm(velocity)};
        if (count == CHUNK) {
            ZN_TRY(try_corners(s, side, count, c, chosen, up));
            count = 0;
        }
    }
    return try_corners(s, side, count, c, chosen, up);
}

// --- edges across edges --------------------------------------------------------------------------

// In the axes of B.
typedef struct line {
    int     edge;
    zn_vec3 x, u, out, inward[2];
    double  length;
} line;

static line line_of_a(const search *s, int edge)
{
    const zn_polyhedron_edge *e = &s->two.P[0]->edge[edge];
    const zn_view            *v = &s->two.view[0];
    return (line){.edge = edge,
                  .x = zn_view_point(v, s->two.P[0]->vertex[e->vertex[0]]),
                  .u = zn_view_vector(v, e->along),
                  .out = zn_view_vector(v, e->out),
                  .inward = {zn_view_vector(v, e->inward[0]), zn_view_vector(v, e->inward[1])},
                  .length = e->length};
}

static line line_of_b(const search *s, int edge)
{
    const zn_polyhedron_edge *e = &s->two.P[1]->edge[edge];
    return (line){edge, s->two.P[1]->vertex[e->vertex[0]], e->along, e->out, {e->inward[0], e->inward[1]}, e->length};
}

// The line of A as it will be.
static line moved(const zn_view *v, const line *a, double t)
{
    line    out = *a;
    zn_vec3 end = along(a->x, a->length, a->u);
    out.x = along(a->x, t, zn_view_velocity(v, a->x));
    out.u = zn_vec3_sub(along(end, t, zn_view_velocity(v, end)), out.x);
    out.length = zn_vec3_norm(out.u);
    out.u = zn_vec3_scale(1 / out.length, out.u);
    for (int i = 0; i < 2; i++)
        out.inward[i] = along(a->inward[i], t, zn_vec3_cross(v->spin, a->inward[i]));
    out.out = along(a->out, t, zn_vec3_cross(v->spin, a->out));
    return out;
}

typedef struct crossing {
    zn_vec3 n, x; // normal from B to A, point on the line of A
    double  gap, sine;
    double  beyond; // how far it is beyond the ends of the edges, < 0: on both
} crossing;

// Lines of edges as they are: false, quickly: they are parallel, deeper than `least`, or farther apart than `most`.
static bool may_cross(const line *a, const line *b, double least, double most)
{
    zn_vec3 c = zn_vec3_cross(a->u, b->u), d = zn_vec3_sub(a->x, b->x);
    double  square = zn_vec3_dot(c, c), apart = zn_vec3_dot(c, d); // the gap times the sine
    if (square < 1e-12 || (apart * apart > most * most * square && fabs(apart) > -least))
        return false; // on whichever side
    if (zn_vec3_dot(c, zn_vec3_sub(b->out, a->out)) < 0)
        apart = -apart;
    return apart >= least && apart * fabs(apart) <= most * most * square;
}

// False: they are parallel.
static bool cross(const line *a, const line *b, crossing *out)
{
    zn_vec3 c = zn_vec3_cross(a->u, b->u), d = zn_vec3_sub(b->x, a->x);
    double  square = zn_vec3_dot(c, c);
    if (square < 1e-12)
        return false;
    double s = zn_vec3_dot(zn_vec3_cross(d, b->u), c) / square, r = zn_vec3_dot(zn_vec3_cross(d, a->u), c) / square;
    out->sine = sqrt(square);
    out->n = zn_vec3_scale(copysign(1 / out->sine, zn_vec3_dot(c, zn_vec3_sub(b->out, a->out))), c);
    out->gap = -zn_vec3_dot(out->n, d);
    out->beyond = fmax(fmax(-s, s - a->length), fmax(-r, r - b->length));
    out->x = along(a->x, s, a->u);
    return true;
}

static bool in_arcs(const line *a, const line *b, zn_vec3 n, double tilt)
{
    return zn_vec3_dot(n, b->inward[0]) <= tilt && zn_vec3_dot(n, b->inward[1]) <= tilt &&
           -zn_vec3_dot(n, a->inward[0]) <= tilt && -zn_vec3_dot(n, a->inward[1]) <= tilt;
}

static bool is_deep_across(const search *s, const line *a, const line *b, const crossing *c)
{
    return s->apart.deep && c->gap >= 2 * s->apart.gap - s->two.tiny && zn_vec3_dot(c->n, s->apart.normal) > 0.9 &&
           c->beyond <= s->two.tiny && in_arcs(a, b, c->n, s->tilt);
}

// The point of A that will be at x, and the crossing there, slide past the other body.
static bool crosses_past(const search *s, const crossing *c, double t)
{
    const zn_view *v = &s->two.view[0];
    zn_vec3        now = zn_vec3_sub(along(c->x, -t, zn_view_velocity(v, c->x)), v->p);
    return !s->apart.deep &&
           (zn_slides_past(&s->two, 1, c->x, c->n) ||
            zn_slides_past(&s->two, 0, zn_view_back(v, now), zn_view_back(v, zn_vec3_scale(-1, c->n))));
}

static bool is_across(const search *s, const line *a, const line *b, const crossing *now)
{
    const zn_view *v = &s->two.view[0];
    double         turn = v->horizon * zn_vec3_norm(v->spin);
    if (now->beyond > (s->reach + turn * (a->length + b->length)) / now->sine)
        return false;
    zn_vec3 velocity = zn_view_velocity(v, now->x);
    zn_when when = zn_when_near(v, s->two.tiny, now->gap, zn_vec3_dot(now->n, velocity), zn_vec3_norm(velocity));
    for (int k = 0; k < when.count; k++) {
        crossing c = *now;
        line     later = *a;
        double   beside = s->two.tiny;
        if (when.time[k] > 0) {
            beside += v->bend / now->sine;
            later = moved(v, a, when.time[k]);
            if (!cross(&later, b, &c))
                continue;
        }
        if (c.beyond <= beside && in_arcs(&later, b, c.n, s->tilt))
            return !when.touch || !crosses_past(s, &c, when.time[k]);
    }
    return false;
}

static zn_status try_lines(search *s, const line *a, int count, const line *b)
{
    double least = s->apart.deep ? 2 * s->apart.gap - s->two.tiny : -s->two.tiny;
    for (int k = 0; k < count; k++) {
        crossing c;
        if (!may_cross(a, &b[k], least, s->reach) || !cross(a, &b[k], &c))
            continue;
        if (c.gap < -s->two.tiny ? is_deep_across(s, a, &b[k], &c) : is_across(s, a, &b[k], &c))
            ZN_TRY(found(s, s->two.P[0]->vertices + a->edge, s->two.P[1]->vertices + b[k].edge, c.x, c.n));
    }
    return ZN_OK;
}

// Does an edge go below a height along a direction?
static bool goes_below(const zn_polyhedron *p, int edge, zn_vec3 up, double end)
{
    const int *vertex = p->edge[edge].vertex;
    return zn_vec3_dot(up, p->vertex[vertex[0]]) <= end || zn_vec3_dot(up, p->vertex[vertex[1]]) <= end;
}

static zn_status lines_across(search *s, int count, const line *b, zn_vec3 own, double end)
{
    for (int i = 0; i < s->two.P[0]->edges && count > 0; i++)
        if (goes_below(s->two.P[0], i, own, end)) {
            line a = line_of_a(s, i);
            ZN_TRY(try_lines(s, &a, count, b));
        }
    return ZN_OK;
}

static zn_status edges_across_edges(search *s)
{
    const zn_polyhedron *B = s->two.P[1];
    zn_vec3              n = s->apart.normal, down = zn_vec3_scale(-1, n), own = zn_view_back(&s->two.view[0], n);
    double               high = zn_vec3_dot(n, B->vertex[zn_polyhedron_farthest(B, n, 0)]), low = high + s->apart.gap;
    double               end = high + s->reach - zn_vec3_dot(n, s->two.view[0].p);
    int                  count = 0;
    line                 b[CHUNK];
    for (int j = 0; j < B->edges; j++) {
        if (!goes_below(B, j, down, s->reach - low))
            continue;
        b[count++] = line_of_b(s, j);
        if (count == CHUNK) {
            ZN_TRY(lines_across(s, count, b, own, end));
            count = 0;
        }
    }
    return lines_across(s, count, b, own, end);
}

// --- all -----------------------------------------------------------------------------------------

// A vertex and a face.
typedef struct held {
    int    vertex, face;
    double gap;
} held;

// Of the faces of one body, the one that the other (side 0: A) is least behind, and the vertex that is deepest there.
static held least_behind(const search *s, int side)
{
    const zn_polyhedron *P = s->two.P[side], *F = s->two.P[1 - side];
    const zn_view       *v = &s->two.view[side];
    held                 best = {0, 0, -INFINITY};
    for (int i = 0; i < F->faces; i++) {
        zn_vec3 n = F->face[i].normal;
        int     vertex = zn_polyhedron_farthest(P, zn_vec3_scale(-1, zn_view_back(v, n)), best.vertex);
        double  gap = zn_vec3_dot(n, zn_view_point(v, P->vertex[vertex])) - F->face[i].offset;
        if (gap > best.gap)
            best = (held){vertex, i, gap};
    }
    return best;
}

// When nothing else is listed of bodies inside each other: a vertex behind a face, by no more than they overlap there.
static zn_status hold_deepest(search *s)
{
    held                 a = least_behind(s, 0), b = least_behind(s, 1);
    const zn_polyhedron *A = s->two.P[0], *B = s->two.P[1];
    return a.gap >= b.gap ? zn_feature_found(s->out, a.vertex, B->vertices + B->edges + a.face)
                          : zn_feature_found(s->out, A->vertices + A->edges + b.face, b.vertex);
}

static zn_status list_pairs(search *s)
{
    ZN_TRY(vertices_on_faces(s, 0));
    ZN_TRY(vertices_on_faces(s, 1));
    return edges_across_edges(s);
}

// Bodies inside each other of which the way by which they came has nothing to list (an edge that passes beside another
// one): what lies about the direction of least depth.
static zn_status list_shallow_pairs(search *s)
{
    zn_view still = s->two.view[0];
    int     before = s->out->count;
    still.horizon = 0;
    s->apart = zn_polyhedra_apart(s->two.P[0], s->two.P[1], &still, s->two.tiny);
    ZN_TRY(list_pairs(s));
    return s->out->count == before ? hold_deepest(s) : ZN_OK;
}

zn_status zn_meet_polyhedra(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    search s;
    s.two.P[0] = a->data;
    s.two.P[1] = b->data;
    s.two.view[0] = zn_view_from_b(at, s.two.P[0]->reach, s.two.P[1]->reach);
    double small = fmin(s.two.P[0]->radius, s.two.P[1]->radius);
    s.two.tiny = 1e-9 * small;
    s.apart = zn_polyhedra_apart(s.two.P[0], s.two.P[1], &s.two.view[0], s.two.tiny);
    if (s.apart.far)
        return ZN_OK;
    s.two.view[1] = zn_view_from_a(at, s.two.P[0]->reach, s.two.P[1]->reach);
    s.out = out;
    s.copies.count = 0;
    s.copies.tiny = s.two.tiny;
    double         turn = at->horizon * zn_vec3_norm(s.two.view[0].spin);
    const zn_view *near = &s.two.view[s.two.P[0]->radius <= s.two.P[1]->radius ? 0 : 1];
    zn_vec3        centre = zn_view_point(near, s.two.P[near == &s.two.view[0] ? 0 : 1]->centre);
    s.tilt = fmin(0.1 + turn, 0.5);
    s.reach = near->slack + at->horizon * zn_vec3_norm(zn_view_velocity(near, centre)) + turn * small;
    int before = out->count;
    ZN_TRY(list_pairs(&s));
    return s.apart.deep && out->count == before ? list_shallow_pairs(&s) : ZN_OK;
}
