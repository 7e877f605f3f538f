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
//   Where ridges lie on each other each slope keeps them apart for the pairs of the other ones: what does not close is
//   listed after all when nothing else touches.
// - Bodies inside each other (meet_direction.c): only what lies about the direction by which they came, or, where that
//   is nothing, of least depth.
// - Copies, at one point with one normal: a vertex on a face stays, then a face on a vertex, then edges.
#include "model/contact/meet_polyhedra.h"

#include <math.h>

#include "model/contact/face_memo.h"
#include "model/contact/line_table.h"
#include "model/contact/meet_copies.h"
#include "model/contact/meet_deepest.h"
#include "model/contact/meet_direction.h"
#include "model/contact/meet_past.h"
#include "model/contact/polyhedron_cap.h"

enum { CHUNK = 48, SPARED = 16 };

// A pair that touches, point and normal in the axes of B.
typedef struct touching {
    int     a, b;
    zn_vec3 point, normal;
    double  gap;
} touching;

typedef struct search {
    zn_two_polyhedra two; // A, B
    double           tilt;
    double           reach; // how far points can go, and the slack
    double           turn;  // how far they turn against each other
    zn_apart         apart;
    zn_vec3          up[2];   // the direction apart, in the axes of each body and out of it
    double           high[2]; // how far each goes along its own
    zn_cap           low[2];  // what of each is not higher than the other along that direction, as far as they go
    zn_cap           about;   // faces of the body that is asked whose normals lie about that direction
    zn_face_memo     before;  // how far the other body is before them
    zn_feature_list *out;
    zn_copies        copies;  // in the axes of B
    bool             touches; // one of the pairs that are listed does
    int              spared;  // pairs that slide past something, but do not close
    touching         spare[SPARED];
} search;

static zn_vec3 along(zn_vec3 x, double s, zn_vec3 u) { return zn_vec3_add(x, zn_vec3_scale(s, u)); }

// One more pair, unless a copy of it is there.
static zn_status found(search *s, touching t)
{
    return zn_copies_know(&s->copies, t.point, t.normal) ? ZN_OK : zn_feature_found(s->out, t.a, t.b);
}

// --- vertices over faces -------------------------------------------------------------------------

// Points of one body (0: A) that may touch, in the axes of the other one.
typedef struct corner {
    int     vertex;
    zn_vec3 x, v;
    double  most; // largest gap that is near
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

// How far A is above B along a direction, in the axes of B.
static double above(const search *s, zn_vec3 n)
{
    const zn_view *v = &s->two.view[0];
    return zn_vec3_dot(n, v->p) - zn_polyhedron_height(s->two.P[0], zn_view_back(v, zn_vec3_scale(-1, n)), 0) -
           zn_polyhedron_height(s->two.P[1], n, 0);
}

static double before(const zn_polyhedron *p, int face, zn_vec3 x)
{
    return zn_vec3_dot(p->face[face].normal, x) - p->face[face].offset;
}

static touching on_face(const search *s, int side, const corner *c, int face)
{
    const zn_polyhedron *F = s->two.P[1 - side];
    zn_vec3              n = F->face[face].normal;
    int                  number = F->vertices + F->edges + face;
    double               gap = zn_vec3_dot(n, c->x) - F->face[face].offset;
    if (side == 0)
        return (touching){c->vertex, number, c->x, n, gap};
    return (touching){number, c->vertex, s->two.P[1]->vertex[c->vertex],
                      zn_vec3_scale(-1, zn_view_vector(&s->two.view[0], n)), gap};
}

static bool is_about(const search *s, int body, int face)
{
    return zn_vec3_dot(s->up[body], s->two.P[body]->face[face].normal) > 0.9;
}

// Which faces may hold vertices of the other body (0: A) that are inside.
static void list_about(search *s, int side)
{
    int body = 1 - side, faces = s->two.P[body]->faces;
    zn_cap_add_face(&s->two.faces[body], zn_polyhedron_face_along(s->two.P[body], s->up[body]));
    s->about = s->two.faces[body];
    zn_face_memo_clear(&s->before);
    for (int i = zn_cap_face(&s->about, 0); i < faces; i = zn_cap_face(&s->about, i + 1))
        if (!is_about(s, body, i))
            zn_cap_drop_face(&s->about, i);
}

// How far all of the other body is before a face.
static double all_before(search *s, int side, const corner *c, int face)
{
    double height;
    if (!zn_face_memo_knows(&s->before, face, &height)) {
        height = above(s, on_face(s, side, c, face).normal);
        zn_face_memo_tell(&s->before, face, height);
    }
    return height;
}

// Faces about the direction apart that a vertex is no deeper behind than the bodies are: their number, and the one that
// it is least behind, -1: none. `clear`: of those that all of its own body is so.
static int least_of_faces(search *s, int side, const corner *c, bool clear, int *best)
{
    const zn_polyhedron *F = s->two.P[1 - side];
    double               deepest = 2 * s->apart.gap - s->two.tiny, most = deepest;
    int                  count = 0;
    *best = -1;
    for (int i = zn_cap_face(&s->about, 0); i < F->faces; i = zn_cap_face(&s->about, i + 1)) {
        double gap = before(F, i, c->x);
        if (gap < deepest || !is_about(s, 1 - side, i)) // a cap without bits keeps all
            continue;
        count++;
        if (gap < most || (clear && all_before(s, side, c, i) < deepest))
            continue;
        most = gap;
        *best = i;
    }
    return count;
}

// A vertex inside the other body is held by the face by which it came, not by one beside that which others of its body
// are far behind. One that is as deep as they are may have come out again behind a sharp edge.
static int face_before(search *s, int side, const corner *c)
{
    const zn_polyhedron *F = s->two.P[1 - side];
    int                  best, clear = -1;
    if (least_of_faces(s, side, c, false, &best) > 1 && least_of_faces(s, side, c, true, &clear) > 0 && clear >= 0)
        best = clear;
    if (best < 0)
        return -1;
    bool there =
        zn_polyhedron_is_behind(F, c->x, s->two.tiny) ||
        (on_face(s, side, c, best).gap >= s->apart.gap - s->two.tiny && zn_polyhedron_is_over(F, best, c->x, 0));
    return there && !is_hidden(s, side, c, F->face[best].normal) ? best : -1;
}

// The vertex, then at x, and the face slide past each other.
static bool goes_past(const search *s, int side, const corner *c, int face, zn_vec3 x, double rate)
{
    double  closing = -rate * s->two.view[0].horizon;
    zn_vec3 n = s->two.P[1 - side]->face[face].normal;
    zn_vec3 back = zn_view_back(&s->two.view[side], zn_vec3_scale(-1, n));
    return !s->apart.deep && (zn_slides_past(&s->two, 1 - side, x, n, closing) ||
                              zn_slides_past(&s->two, side, s->two.P[side]->vertex[c->vertex], back, closing));
}

// `x`: where it is then.
static bool is_over(const search *s, int side, const corner *c, int face, const zn_when *when, zn_vec3 *x)
{
    for (int k = 0; k < when->count; k++) {
        double beside = when->time[k] > 0 ? s->two.tiny + s->two.view[side].bend : s->two.tiny;
        *x = along(c->x, when->time[k], c->v);
        if (zn_polyhedron_is_over(s->two.P[1 - side], face, *x, beside))
            return true;
    }
    return false;
}

// A pair that slides past something, at this rate of its gap.
static void spare(search *s, touching t, double rate)
{
    if (rate * s->two.view[0].horizon >= -s->two.tiny && s->spared < SPARED)
        s->spare[s->spared++] = t;
}

// A vertex whose gap is near, and not deep.
static bool meets_face(search *s, int side, const corner *c, int face, double gap)
{
    zn_vec3 n = s->two.P[1 - side]->face[face].normal, x;
    double  rate = zn_vec3_dot(n, c->v);
    zn_when when = zn_when_within(&s->two.view[side], s->two.tiny, gap, rate, c->most);
    if (when.count == 0 || !is_over(s, side, c, face, &when, &x) || is_hidden(s, side, c, n))
        return false;
    if (!when.touch)
        return true;
    if (goes_past(s, side, c, face, x, rate)) {
        spare(s, on_face(s, side, c, face), rate);
        return false;
    }
    s->touches = true;
    return true;
}

// Faces of a body that may touch, some at a time.
typedef struct face_table {
    zn_feature_table planes;
    int              face[CHUNK];
    double           number[4 * CHUNK];
} face_table;

// Those of the cap from `from` on; returns where to go on.
static int list_faces(const search *s, int body, int from, face_table *out)
{
    const zn_polyhedron *F = s->two.P[body];
    const zn_cap        *cap = &s->two.faces[body];
    int                  i = zn_cap_face(cap, from), count = 0;
    for (; i < F->faces && count < CHUNK; i = zn_cap_face(cap, i + 1))
        out->face[count++] = i;
    int room = (count + 3) / 4 * 4;
    out->planes = (zn_feature_table){count, room, out->number};
    for (int j = 0; j < 4; j++)
        for (int k = 0; k < room; k++)
            out->number[j * room + k] = F->planes.number[j * F->planes.room + out->face[k < count ? k : 0]];
    return i;
}

// Most corners are far from a face or behind it.
static zn_status try_faces(search *s, int side, int count, const corner *c, const face_table *f)
{
    uint64_t near[CHUNK], any = 0;
    for (int k = 0; k < count; k++)
        any |= near[k] = zn_feature_table_between(&f->planes, 0, c[k].x, -s->two.tiny, c[k].most);
    while (any) {
        int bit = zn_take_bit(&any), face = f->face[bit];
        for (int k = 0; k < count; k++)
            if (near[k] >> bit & 1 && meets_face(s, side, &c[k], face, before(s->two.P[1 - side], face, c[k].x)))
                ZN_TRY(found(s, on_face(s, side, &c[k], face)));
    }
    return ZN_OK;
}

static zn_status try_corners(search *s, int side, int count, const corner *c)
{
    for (int i = 0; i < s->two.P[1 - side]->faces;) {
        face_table f;
        i = list_faces(s, 1 - side, i, &f);
        ZN_TRY(try_faces(s, side, count, c, &f));
    }
    for (int k = 0; k < count && s->apart.deep; k++) {
        int face = face_before(s, side, &c[k]);
        if (face >= 0)
            ZN_TRY(found(s, on_face(s, side, &c[k], face)));
    }
    return ZN_OK;
}

// Vertices of one body over faces of the other.
static zn_status vertices_on_faces(search *s, int side)
{
    const zn_polyhedron *P = s->two.P[side];
    const zn_view       *v = &s->two.view[side];
    const zn_cap        *low = &s->low[side];
    corner               c[CHUNK];
    int                  count = 0;
    if (s->apart.deep)
        list_about(s, side);
    for (int i = zn_cap_vertex(low, 0); i < P->vertices; i = zn_cap_vertex(low, i + 1)) {
        zn_vec3 x = zn_view_point(v, P->vertex[i]);
        zn_vec3 velocity = zn_view_velocity(v, x);
        c[count++] = (corner){i, x, velocity, v->slack + v->horizon * zn_vec3_norm(velocity)};
        if (count == CHUNK) {
            ZN_TRY(try_corners(s, side, count, c));
            count = 0;
        }
    }
    return count > 0 ? try_corners(s, side, count, c) : ZN_OK;
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
                  .length = e->length};
}

// What most lines are not asked for.
static void complete_line_of_a(const search *s, line *a)
{
    for (int i = 0; i < 2; i++)
        a->inward[i] = zn_view_vector(&s->two.view[0], s->two.P[0]->edge[a->edge].inward[i]);
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

static double larger(double a, double b) { return a > b ? a : b; }

// With an edge of B, which is in its own axes. False: they are parallel.
static bool cross(const search *s, const line *a, const zn_polyhedron_edge *b, crossing *out)
{
    zn_vec3 c = zn_vec3_cross(a->u, b->along), d = zn_vec3_sub(s->two.P[1]->vertex[b->vertex[0]], a->x);
    double  square = zn_vec3_dot(c, c);
    if (square < 1e-12)
        return false;
    double on_a = zn_vec3_dot(zn_vec3_cross(d, b->along), c) / square,
           on_b = zn_vec3_dot(zn_vec3_cross(d, a->u), c) / square;
    out->sine = sqrt(square);
    out->n = zn_vec3_scale(copysign(1 / out->sine, zn_vec3_dot(c, zn_vec3_sub(b->out, a->out))), c);
    out->gap = -zn_vec3_dot(out->n, d);
    out->beyond = larger(larger(-on_a, on_a - a->length), larger(-on_b, on_b - b->length));
    out->x = along(a->x, on_a, a->u);
    return true;
}

static bool in_arcs(const line *a, const zn_polyhedron_edge *b, zn_vec3 n, double tilt)
{
    return zn_vec3_dot(n, b->inward[0]) <= tilt && zn_vec3_dot(n, b->inward[1]) <= tilt &&
           -zn_vec3_dot(n, a->inward[0]) <= tilt && -zn_vec3_dot(n, a->inward[1]) <= tilt;
}

// A crossing inside that is too deep, or not about the direction apart, or not on both edges.
static bool cannot_be_deep(const search *s, const crossing *c)
{
    return c->gap < -s->two.tiny && !(s->apart.deep && c->gap >= 2 * s->apart.gap - s->two.tiny &&
                                      c->beyond <= s->two.tiny && zn_vec3_dot(c->n, s->apart.normal) > 0.9);
}

// The point of A that will be at x, and the crossing there, slide past the other body.
static bool crosses_past(const search *s, const crossing *c, double t, double rate)
{
    const zn_view *v = &s->two.view[0];
    zn_vec3        now = zn_vec3_sub(along(c->x, -t, zn_view_velocity(v, c->x)), v->p);
    return !s->apart.deep && (zn_slides_past(&s->two, 1, c->x, c->n, -rate * v->horizon) ||
                              zn_slides_past(&s->two, 0, zn_view_back(v, now), zn_view_back(v, zn_vec3_scale(-1, c->n)),
                                             -rate * v->horizon));
}

// At time t of those at which it is to be looked at.
static bool is_across_at(const search *s, const line *a, const zn_polyhedron_edge *b, const crossing *now, double t,
                         crossing *then)
{
    const zn_view *v = &s->two.view[0];
    if (!(t > 0)) {
        *then = *now;
        return now->beyond <= s->two.tiny && in_arcs(a, b, now->n, s->tilt);
    }
    line later = moved(v, a, t);
    return cross(s, &later, b, then) && then->beyond <= s->two.tiny + v->bend / now->sine &&
           in_arcs(&later, b, then->n, s->tilt);
}

static touching on_edge(const search *s, const line *a, int edge, const crossing *c)
{
    return (touching){s->two.P[0]->vertices + a->edge, s->two.P[1]->vertices + edge, c->x, c->n, c->gap};
}

static bool is_across(search *s, const line *a, int edge, const crossing *now)
{
    const zn_view            *v = &s->two.view[0];
    const zn_polyhedron_edge *b = &s->two.P[1]->edge[edge];
    zn_vec3                   velocity = zn_view_velocity(v, now->x);
    double                    rate = zn_vec3_dot(now->n, velocity);
    zn_when                   when = zn_when_near(v, s->two.tiny, now->gap, rate, zn_vec3_norm(velocity));
    crossing                  then;
    int                       k = 0;
    while (k < when.count && !is_across_at(s, a, b, now, when.time[k], &then))
        k++;
    if (k == when.count || !when.touch)
        return k < when.count;
    if (crosses_past(s, &then, when.time[k], rate)) {
        spare(s, on_edge(s, a, edge, now), rate);
        return false;
    }
    s->touches = true;
    return true;
}

// A crossing that is too far beyond the ends of the edges now, whatever they do.
static bool is_beyond(const search *s, const line *a, const zn_polyhedron_edge *b, const crossing *now)
{
    return now->beyond * now->sine > s->reach + s->turn * (a->length + b->length);
}

static zn_status try_lines(search *s, line *a, const zn_line_table *b)
{
    double least = s->apart.deep ? 2 * s->apart.gap - s->two.tiny : -s->two.tiny;
    for (uint64_t may = zn_lines_near(b, a->x, a->u, a->out, least, s->reach); may;) {
        int                       edge = b->edge[zn_take_bit(&may)];
        const zn_polyhedron_edge *e = &s->two.P[1]->edge[edge];
        crossing                  c;
        if (!cross(s, a, e, &c) || is_beyond(s, a, e, &c) || cannot_be_deep(s, &c) ||
            zn_copies_has(&s->copies, c.x, c.n))
            continue;
        complete_line_of_a(s, a);
        if (c.gap < -s->two.tiny ? in_arcs(a, e, c.n, s->tilt) : is_across(s, a, edge, &c))
            ZN_TRY(found(s, on_edge(s, a, edge, &c)));
    }
    return ZN_OK;
}

static zn_status lines_across(search *s, const zn_line_table *b)
{
    const zn_cap *low = &s->low[0];
    for (int i = zn_cap_edge(low, 0); i < s->two.P[0]->edges && b->count > 0; i = zn_cap_edge(low, i + 1)) {
        line a = line_of_a(s, i);
        ZN_TRY(try_lines(s, &a, b));
    }
    return ZN_OK;
}

static zn_status edges_across_edges(search *s)
{
    const zn_cap *low = &s->low[1];
    zn_line_table b;
    b.count = 0;
    for (int j = zn_cap_edge(low, 0); j < s->two.P[1]->edges; j = zn_cap_edge(low, j + 1)) {
        zn_lines_add(&b, s->two.P[1], j);
        if (b.count == ZN_LINES) {
            ZN_TRY(lines_across(s, &b));
            b.count = 0;
        }
    }
    return lines_across(s, &b);
}

// --- all -----------------------------------------------------------------------------------------

// What may touch lies about the direction apart. Features of one body are above the top of the other by the gap, and go
// down by no more than the reach; the foot on a face of what is near is below it by no more than that, and what it
// comes closer, the reach each.
static void look_along(search *s)
{
    const zn_view *v = &s->two.view[0];
    s->up[1] = s->apart.normal;
    s->up[0] = zn_vec3_scale(-1, zn_view_back(v, s->apart.normal));
    int top[2] = {0, 0}; // of boxes nobody asks
    for (int i = 0; i < 2; i++) {
        const zn_polyhedron *P = s->two.P[i];
        if (!P->box)
            top[i] = zn_polyhedron_farthest(P, s->up[i], s->apart.ends[i]);
        s->high[i] = P->box ? zn_polyhedron_height(P, s->up[i], 0) : zn_vec3_dot(s->up[i], P->vertex[top[i]]);
    }
    double low[2] = {zn_vec3_dot(s->up[1], v->p) - s->high[1] - s->reach, s->high[1] + s->apart.gap - s->reach};
    for (int i = 0; i < 2; i++)
        zn_cap_two_above(s->two.P[i], s->up[i], low[i],
                         fmin(low[i], s->high[i] + fmin(s->apart.gap, 0) - 3 * s->reach - s->two.tiny), top[i],
                         &s->low[i], &s->two.faces[i]);
}

// Pairs that slide past each other's faces, where nothing else touches: without those that are deeper than the bodies
// are along one of their normals.
static zn_status list_spared(search *s)
{
    const double rounding = 1e-5 * s->two.tiny;
    double       most = -INFINITY;
    for (int i = 0; i < s->spared; i++)
        most = fmax(most, above(s, s->spare[i].normal));
    for (int i = 0; i < s->spared; i++)
        if (s->spare[i].gap >= most - rounding)
            ZN_TRY(found(s, s->spare[i]));
    return ZN_OK;
}

static zn_status list_pairs(search *s)
{
    look_along(s);
    s->touches = false;
    s->spared = 0;
    ZN_TRY(vertices_on_faces(s, 0));
    ZN_TRY(vertices_on_faces(s, 1));
    ZN_TRY(edges_across_edges(s));
    return s->touches ? ZN_OK : list_spared(s);
}

// Bodies inside each other of which the way by which they came has nothing to list (an edge that passes beside another
// one): what lies about the direction of least depth.
static zn_status list_shallow_pairs(search *s)
{
    zn_view   still = s->two.view[0];
    zn_fronts same = {0};
    int       before = s->out->count;
    still.horizon = 0;
    s->apart = zn_polyhedra_apart(s->two.P[0], s->two.P[1], &still, s->two.tiny / 2, &same);
    ZN_TRY(list_pairs(s));
    return s->out->count == before ? zn_hold_deepest(&s->two, s->out) : ZN_OK;
}

// Are they inside each other by less than anybody asks for?
static bool is_shallow(const search *s, double deeper)
{
    zn_view   still = s->two.view[0];
    zn_fronts same = {0};
    still.slack = -deeper; // along some direction they are above that: `far`
    still.horizon = 0;
    return zn_polyhedra_apart(s->two.P[0], s->two.P[1], &still, s->two.tiny, &same).far;
}

zn_status zn_meet_polyhedra(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    search    s;
    zn_fronts fronts = {0};
    s.two.fronts = &fronts;
    s.two.P[0] = a->data;
    s.two.P[1] = b->data;
    s.two.view[0] = zn_view_from_b(at, s.two.P[0]->reach, s.two.P[1]->reach);
    double small = fmin(s.two.P[0]->radius, s.two.P[1]->radius);
    s.two.tiny = 1e-9 * small;
    if (at->deeper > 0 && is_shallow(&s, at->deeper))
        return ZN_OK;
    // half of it: a pair that is closed by rounding more than they are along this direction is not too deep yet
    s.apart = zn_polyhedra_apart(s.two.P[0], s.two.P[1], &s.two.view[0], s.two.tiny / 2, &fronts);
    if (s.apart.far)
        return ZN_OK;
    s.two.view[1] = zn_view_from_a(at, s.two.P[0]->reach, s.two.P[1]->reach);
    s.out = out;
    s.copies.count = 0;
    s.copies.tiny = s.two.tiny;
    s.turn = at->horizon * zn_vec3_norm(s.two.view[0].spin);
    const zn_view *near = &s.two.view[s.two.P[0]->radius <= s.two.P[1]->radius ? 0 : 1];
    zn_vec3        centre = zn_view_point(near, s.two.P[near == &s.two.view[0] ? 0 : 1]->centre);
    s.tilt = fmin(0.1 + s.turn, 0.5);
    s.reach = near->slack + at->horizon * zn_vec3_norm(zn_view_velocity(near, centre)) + s.turn * small;
    int before = out->count;
    ZN_TRY(list_pairs(&s));
    return s.apart.deep && out->count == before ? list_shallow_pairs(&s) : ZN_OK;
}
