// A mesh with a box, a hull or another mesh. The corners of what touches are points of one over faces of the other, and
// crossings of convex edges whose common normal lies between the faces of both. What is inside counts where it came in,
// else the far side of a part would hold what rests on its near side: points at faces about as near as any, crossings
// where both solids have what lies between.
#include "model/contact/meet_mesh.h"

#include "model/contact/mesh_lines.h"
#include "model/contact/mesh_past.h"
#include "model/contact/mesh_wedges.h"
#include "model/contact/polyhedron.h"

#define ARC_TOLERANCE 1e-9 // sine
#define DEPTH_SHARE   0.2  // of half the smallest side of the box around the smaller: what is deeper is no contact
#define SURE_DEPTH    1e-9 // of the size: what is less deep needs no proof

enum { SPARED = 32, HOLDING = 16 };

// A contact, in the axes of A: `normal` out of A or into it, whichever the plane has on which it is.
typedef struct meeting {
    int     a, b;
    bool    end;
    zn_vec3 point, normal;
    double  gap, rate;
} meeting;

// One that is left out, and the normal of the plane that it slides past.
typedef struct spare {
    meeting it;
    zn_vec3 plane;
} spare;

typedef struct solids {
    zn_mesh_near         s;
    const zn_mesh_shape *a, *b;
    const zn_polyhedron *hull; // in place of b
    double               sure;
    int                  spared; // pairs that slide past a plane, but do not close
    spare                spare[SPARED];
    int                  holding; // planes on which a pair touches that is listed: a point and the normal
    zn_vec3              held[HOLDING][2];
} solids;

// Axes of A to those of B.
static zn_vec3 turn_back(const zn_mesh_near *s, zn_vec3 v) { return zn_mat3_apply(zn_mat3_transpose(s->rotation), v); }
static zn_vec3 move_back(const zn_mesh_near *s, zn_vec3 x) { return turn_back(s, zn_vec3_sub(x, s->at)); }

// Of a point that is behind a face by `depth`, and at this distance from the surface, negative inside.
static bool came_in(const solids *p, double depth, double distance)
{
    double tolerance = 10 * p->s.tolerance;
    return distance <= tolerance && depth <= tolerance - 2 * distance;
}

// --- what is listed ------------------------------------------------------------------------------
//
// Where ridges or corners lie on each other each slope keeps the solids apart for pairs of the others, and would leave
// them out. A plane holds where a pair with its normal touches it: pairs that do not close are listed after all where
// the plane that they slide past does not.

static bool is_held(const solids *p, zn_vec3 point, zn_vec3 plane)
{
    for (int i = 0; i < p->holding; i++)
        if (zn_vec3_dot(p->held[i][1], plane) > ZN_SAME_PLANE &&
            fabs(zn_vec3_dot(plane, zn_vec3_sub(p->held[i][0], point))) <= 10 * p->s.tolerance)
            return true;
    return false;
}

static zn_status list(solids *p, const meeting *m, bool touch)
{
    if (touch && p->holding < HOLDING && !is_held(p, m->point, m->normal)) {
        p->held[p->holding][0] = m->point;
        p->held[p->holding++][1] = m->normal;
    }
    return zn_mesh_found(&p->s, m->a, m->b, m->end, m->point, m->normal);
}

static zn_status leave_out(solids *p, const meeting *m, zn_vec3 plane)
{
    if (m->gap >= -p->sure && m->rate * p->s.horizon >= -p->s.tolerance && p->spared < SPARED)
        p->spare[p->spared++] = (spare){*m, plane};
    return ZN_OK;
}

static zn_status list_spared(solids *p)
{
    int holding = p->holding;
    for (int i = 0; i < p->spared; i++) {
        p->holding = holding; // those that are listed here do not leave out each other
        if (!is_held(p, p->spare[i].it.point, p->spare[i].plane))
            ZN_TRY(list(p, &p->spare[i].it, false));
    }
    return ZN_OK;
}

// --- points over faces ---------------------------------------------------------------------------

// A point that moves against a face, in the axes of the body of the face.
typedef struct landing {
    zn_vec3 x, velocity; // given
    zn_vec3 point;       // where it lands
    double  gap;
    bool    end; // a side of the face is near
    bool    touch;
} landing;

// Of what is looked at so often (zn_mesh_times): is it closed then?
static bool touches(const zn_mesh_near *s, double gap, int times)
{
    return times == 1 || gap <= s->tolerance + ZN_TOUCHING * s->slack;
}

// When is the point near to this plane? 0: never.
static int lands(const zn_mesh_near *s, zn_vec3 normal, double gap, landing *l, double when[2])
{
    int count = gap < -s->depth ? 0 : zn_mesh_times(s, gap, zn_vec3_dot(normal, l->velocity), when);
    l->gap = gap;
    l->touch = touches(s, gap, count);
    return count;
}

static bool lands_on_triangle(const zn_mesh_near *s, const zn_mesh_shape *m, int t, landing *l)
{
    const zn_mesh_face *f = &m->plane[m->face[t]];
    double              when[2];
    int                 count = lands(s, f->normal, zn_vec3_dot(f->normal, zn_vec3_sub(l->x, f->at)), l, when);
    for (int i = 0; i < count; i++) {
        zn_vec3 then = zn_mesh_ahead(l->x, when[i], l->velocity);
        l->point = zn_mesh_ahead(then, -zn_vec3_dot(f->normal, zn_vec3_sub(then, f->at)), f->normal);
        if (zn_mesh_outside(s, m, t, then, &l->end) <= s->tolerance)
            return true;
    }
    return false;
}

static bool lands_on_hull(const zn_mesh_near *s, const zn_polyhedron *hull, int face, landing *l)
{
    const zn_polyhedron_face *f = &hull->face[face];
    double                    when[2];
    int                       count = lands(s, f->normal, zn_vec3_dot(f->normal, l->x) - f->offset, l, when);
    for (int i = 0; i < count; i++) {
        l->point = zn_mesh_ahead(l->x, when[i], l->velocity);
        double inside = zn_polyhedron_over(hull, face, l->point);
        l->end = inside < s->tolerance;
        if (inside >= -s->tolerance)
            return true;
    }
    return false;
}

// As zn_mesh_is_lowest.
static bool hull_is_lowest(const zn_mesh_near *s, const zn_polyhedron *hull, int vertex, zn_vec3 normal, double gap,
                           double speed)
{
    for (int i = hull->first[vertex]; i < hull->first[vertex + 1]; i++) {
        zn_vec3 way = zn_vec3_sub(hull->vertex[hull->neighbour[i]], hull->vertex[vertex]);
        double  length = zn_vec3_norm(way);
        if (zn_mesh_is_higher(s, zn_vec3_scale(1 / length, way), length, normal, gap, speed))
            return false;
    }
    return true;
}

// Of a point of B, at x in the axes of A.
static double distance_from_a(const solids *p, int number, int t, zn_vec3 x, double depth)
{
    zn_spread out = zn_spread_of_tip((zn_tip){p->b, p->hull, number}, &p->s.rotation);
    return zn_mesh_distance(p->a, zn_mesh_off_border(&p->s, p->a, t, x, &out, depth), 4 * p->s.depth);
}

// A point of B, at x in the axes of A, over a triangle of A.
static zn_status point_on_a(solids *p, int t, zn_vec3 x, int number)
{
    landing l = {.x = x, .velocity = zn_mesh_near_velocity(&p->s, x)};
    int     face = p->a->face[t];
    zn_vec3 normal = p->a->plane[face].normal, back = turn_back(&p->s, normal), plane;
    if (!lands_on_triangle(&p->s, p->a, t, &l) ||
        (l.gap < -p->sure && !came_in(p, -l.gap, distance_from_a(p, number, t, x, -l.gap))))
        return ZN_OK;
    double speed = zn_vec3_dot(l.velocity, normal);
    if (!(p->b ? zn_mesh_is_lowest(&p->s, p->b, number, back, l.gap, speed)
               : hull_is_lowest(&p->s, p->hull, number, back, l.gap, speed)))
        return ZN_OK;
    meeting m = {zn_mesh_face_number(p->a, face), number, l.end, l.point, normal, l.gap, speed};
    if (l.touch && l.end &&
        zn_tip_past_triangle(&p->s, (zn_tip){p->b, p->hull, number}, &p->s.rotation, l.velocity, p->a, t, l.point,
                             &plane))
        return leave_out(p, &m, plane);
    return list(p, &m, l.touch);
}

// As zn_mesh_off_border.
static zn_vec3 off_border(const solids *p, int face, zn_vec3 x, const zn_spread *out, double depth)
{
    const zn_polyhedron *h = p->hull;
    zn_vec3              off = x;
    for (int k = h->face[face].first; k < h->face[face].first + h->face[face].count; k++) {
        const zn_polyhedron_edge *e = &h->edge[h->side[k]];
        int                       own = e->face[0] == face ? 0 : 1;
        const zn_polyhedron_face *f = &h->face[e->face[1 - own]];
        if (zn_vec3_dot(zn_vec3_sub(x, h->vertex[e->vertex[0]]), e->inward[own]) < p->s.tolerance &&
            zn_vec3_dot(f->normal, x) - f->offset <= p->s.tolerance && zn_spread_enters(out, f->normal))
            off = zn_mesh_ahead(off, ZN_OFF_BORDER * depth, e->inward[own]);
    }
    return off;
}

// Of a point of A, `own` in the axes of B.
static double distance_from_b(const solids *p, int point, int face, zn_vec3 own, double depth)
{
    zn_mat3   back = zn_mat3_transpose(p->s.rotation);
    zn_spread out = zn_spread_of_tip((zn_tip){p->a, NULL, point}, &back);
    return p->b ? zn_mesh_distance(p->b, zn_mesh_off_border(&p->s, p->b, face, own, &out, depth), 4 * p->s.depth)
                : zn_polyhedron_level(p->hull, off_border(p, face, own, &out, depth));
}

// `plane`: in the axes of B.
static bool goes_past_b(const solids *p, int point, int face, const landing *l, zn_vec3 *plane)
{
    zn_mat3 back = zn_mat3_transpose(p->s.rotation);
    zn_tip  tip = {p->a, NULL, point};
    if (!l->touch || !l->end)
        return false;
    return p->b ? zn_tip_past_triangle(&p->s, tip, &back, l->velocity, p->b, face, l->point, plane)
                : zn_tip_past_face(&p->s, tip, &back, l->velocity, p->hull, face, l->point, plane);
}

// A point of A over a triangle or a face of B.
static zn_status point_on_b(solids *p, int point, int face)
{
    const zn_mesh_near *s = &p->s;
    zn_vec3             x = p->a->point[point], v = zn_mesh_near_velocity(s, x), normal, plane;
    landing             l = {.x = move_back(s, x), .velocity = zn_vec3_scale(-1, turn_back(s, v))};
    int                 number;
    if (!(p->b ? lands_on_triangle(s, p->b, face, &l) : lands_on_hull(s, p->hull, face, &l)))
        return ZN_OK;
    if (p->b) {
        normal = p->b->plane[p->b->face[face]].normal;
        number = zn_mesh_face_number(p->b, p->b->face[face]);
    } else {
        normal = p->hull->face[face].normal;
        number = p->hull->vertices + p->hull->edges + face;
    }
    zn_vec3 inward = zn_mat3_apply(s->rotation, normal);
    double  speed = zn_vec3_dot(v, inward);
    if ((l.gap < -p->sure && !came_in(p, -l.gap, distance_from_b(p, point, face, l.x, -l.gap))) ||
        !zn_mesh_is_lowest(s, p->a, point, inward, l.gap, speed))
        return ZN_OK;
    meeting m = {zn_mesh_point_number(p->a, point), number, l.end, x, zn_vec3_scale(-1, inward), l.gap, -speed};
    return goes_past_b(p, point, face, &l, &plane)
               ? leave_out(p, &m, zn_vec3_scale(-1, zn_mat3_apply(s->rotation, plane)))
               : list(p, &m, l.touch);
}

// --- edges ---------------------------------------------------------------------------------------

static zn_mesh_bar line_of(const zn_mesh_near *s, zn_vec3 from, zn_vec3 along, double length, zn_vec3 beyond0,
                           zn_vec3 beyond1)
{
    const zn_mat3 *R = &s->rotation;
    return (zn_mesh_bar){.from = zn_mesh_near_point(s, from),
                         .along = zn_mat3_apply(*R, along),
                         .beyond = {zn_mat3_apply(*R, beyond0), zn_mat3_apply(*R, beyond1)},
                         .length = length};
}

// Where a hollow edge ends an edge, it goes on in the solid: what has come in there, held by the walls of the hollow,
// is still over it.
static double beyond_end(const zn_mesh_near *s, const zn_mesh_shape *m, int point)
{
    for (int i = m->spokes[point]; i < m->spokes[point + 1]; i++)
        if (m->edge[m->spoke[i]].bend == ZN_BEND_HOLLOW)
            return s->depth;
    return 0;
}

static zn_mesh_bar mesh_line(const solids *p, int edge)
{
    const zn_mesh_line *e = &p->b->edge[edge];
    zn_mesh_bar         l = line_of(&p->s, p->b->point[e->a], e->along, e->length, e->beyond[0], e->beyond[1]);
    l.number = zn_mesh_edge_number(p->b, edge);
    l.end[0] = e->a, l.end[1] = e->b;
    l.beyond_b[0] = beyond_end(&p->s, p->b, e->a), l.beyond_b[1] = beyond_end(&p->s, p->b, e->b);
    return l;
}

static zn_mesh_bar hull_line(const solids *p, int edge)
{
    const zn_polyhedron_edge *e = &p->hull->edge[edge];
    zn_mesh_bar l = line_of(&p->s, p->hull->vertex[e->vertex[0]], e->along, e->length, zn_vec3_scale(-1, e->inward[0]),
                            zn_vec3_scale(-1, e->inward[1]));
    l.number = p->hull->vertices + edge;
    l.end[0] = e->vertex[0], l.end[1] = e->vertex[1];
    return l;
}

static bool is_in_solids(const solids *p, zn_vec3 x, double tolerance)
{
    zn_vec3 own = move_back(&p->s, x);
    return (p->b ? zn_mesh_contains(p->b, own, tolerance) : zn_polyhedron_level(p->hull, own) <= tolerance) &&
           zn_mesh_contains(p->a, x, tolerance);
}

// Which end of an edge a place along it is: -1: none.
static int end_at(double along, double length, double tolerance)
{
    return along <= tolerance ? 0 : along >= length - tolerance ? 1 : -1;
}

static bool is_end(double along, double length, double tolerance)
{
    return fabs(along) <= tolerance || fabs(along - length) <= tolerance;
}

// Do edges cross exactly at a corner of one, whose faces all of them are entered by what the other has there?
static bool enters_corner(const solids *p, const zn_mesh_line *e, const zn_mesh_bar *l, const zn_mesh_crossing *c)
{
    const zn_mat3 same = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, *turn = &p->s.rotation;
    const zn_vec3 rest = {0, 0, 0};
    bool          a = is_end(c->along_a, e->length, p->s.tolerance), b = is_end(c->along_b, l->length, p->s.tolerance);
    zn_tip        of_a = {p->a, NULL, c->along_a < e->length / 2 ? e->a : e->b};
    zn_tip        of_b = {p->b, p->hull, l->end[c->along_b < l->length / 2 ? 0 : 1]};
    zn_spread     of_e = a ? zn_spread_of_tip(of_a, &same) : zn_spread_of_edge(e->along, e->beyond);
    zn_spread     of_l = b ? zn_spread_of_tip(of_b, turn) : zn_spread_of_edge(l->along, l->beyond);
    zn_vec3       plane;
    return (a || b) && !(a && zn_tip_past_own(&p->s, of_a, &same, rest, zn_vec3_scale(-1, c->normal), &of_l, &plane)) &&
           !(b && zn_tip_past_own(&p->s, of_b, turn, rest, c->normal, &of_e, &plane));
}

// Two edges are inside each other: do both solids have what is behind both? What is nearly nothing is between them.
// Where they cross exactly at a corner other faces begin: it is beyond these by no more than a few depths.
static bool is_in_both(const solids *p, const zn_mesh_line *e, const zn_mesh_bar *l, const zn_mesh_crossing *c)
{
    double   tolerance = 10 * p->s.tolerance; // nothing of the depth: they may touch somewhere else
    zn_wedge a = zn_wedge_of(c->on_a, e->along, e->beyond), b = zn_wedge_of(c->on_b, l->along, l->beyond);
    zn_vec3  x;
    return (zn_wedges_inner(&a, &b, -1e-3 * c->gap, &x) &&
            is_in_solids(p, x, enters_corner(p, e, l, c) ? fmax(tolerance, -ZN_OFF_BORDER * c->gap) : tolerance)) ||
           (-c->gap <= 2 * tolerance && is_in_solids(p, zn_vec3_scale(0.5, zn_vec3_add(c->on_a, c->on_b)), tolerance));
}

// Does one of the edges slide past the other one with its end? Then that is in front of a face of the other, or the
// other of a face of it, `plane` being its normal out of A or into it.
static bool crosses_past(const solids *p, const zn_mesh_line *e, const zn_mesh_bar *l, const zn_mesh_crossing *c,
                         zn_vec3 *plane)
{
    const zn_mesh_near *s = &p->s;
    const zn_mat3       same = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, *turn = &s->rotation;
    zn_vec3  v = zn_mesh_near_velocity(s, c->on_b), away = zn_vec3_scale(-1, v), m = zn_vec3_scale(-1, c->normal);
    int      a = end_at(c->along_a, e->length, s->tolerance), b = end_at(c->along_b, l->length, s->tolerance);
    zn_tip   of_a = {p->a, NULL, a == 0 ? e->a : e->b}, of_b = {p->b, p->hull, l->end[b > 0]};
    zn_wedge on_a = zn_wedge_of(c->on_a, e->along, e->beyond), on_b = zn_wedge_of(c->on_b, l->along, l->beyond);
    for (int i = 0; i < 2; i++) {
        *plane = zn_vec3_scale(-1, on_b.normal[i]);
        if (a >= 0 && zn_vec3_dot(on_b.normal[i], zn_vec3_sub(c->on_a, c->on_b)) >= -s->tolerance &&
            zn_tip_slides_past(s, of_a, &same, away, m, on_b.normal[i]))
            return true;
        *plane = on_a.normal[i];
        if (b >= 0 && zn_vec3_dot(on_a.normal[i], zn_vec3_sub(c->on_b, c->on_a)) >= -s->tolerance &&
            zn_tip_slides_past(s, of_b, turn, v, c->normal, on_a.normal[i]))
            return true;
    }
    if (zn_vec3_norm(zn_vec3_sub(c->on_a, c->on_b)) > 4 * s->tolerance)
        return false;
    zn_spread of_e = a >= 0 ? zn_spread_of_tip(of_a, &same) : zn_spread_of_edge(e->along, e->beyond);
    zn_spread of_l = b >= 0 ? zn_spread_of_tip(of_b, turn) : zn_spread_of_edge(l->along, l->beyond);
    if (b >= 0 && zn_tip_past_own(s, of_b, turn, v, c->normal, &of_e, plane))
        return true;
    bool past = a >= 0 && zn_tip_past_own(s, of_a, &same, away, m, &of_l, plane);
    *plane = zn_vec3_scale(-1, *plane);
    return past;
}

static zn_status edge_on_edge(solids *p, int edge, const zn_mesh_bar *l)
{
    const zn_mesh_near *s = &p->s;
    const zn_mesh_line *e = &p->a->edge[edge];
    zn_mesh_crossing    now, c;
    double              when[2];
    if (!zn_mesh_cross_lines(p->a, e, l, &now) || now.gap < -s->depth)
        return ZN_OK;
    double rate = zn_vec3_dot(now.normal, zn_mesh_near_velocity(s, now.on_b));
    int    count = zn_mesh_times(s, now.gap, rate, when);
    if (count == 1 && when[0] > 0 && zn_vec3_dot(s->spin, s->spin) > 0)
        when[0] = zn_mesh_when_closed(s, p->a, e, l, when[0]);
    for (int i = 0; i < count; i++) {
        zn_mesh_bar then = zn_mesh_line_ahead(s, l, when[i]);
        then.beyond_a[0] = beyond_end(s, p->a, e->a), then.beyond_a[1] = beyond_end(s, p->a, e->b);
        if (!zn_mesh_cross_lines(p->a, e, &then, &c) || !zn_mesh_crossing_belongs(e, &then, &c, s->tolerance, s->tilt))
            continue;
        if (now.gap < -p->sure && !is_in_both(p, e, l, &now))
            return ZN_OK;
        bool touch = touches(s, now.gap, count),
             end = !zn_mesh_crossing_belongs(e, &then, &c, -s->tolerance, -ARC_TOLERANCE);
        meeting m = {zn_mesh_edge_number(p->a, edge), l->number, end, c.on_a, c.normal, now.gap, rate};
        zn_vec3 plane;
        return touch && crosses_past(p, e, &then, &c, &plane) ? leave_out(p, &m, plane) : list(p, &m, touch);
    }
    return ZN_OK;
}

// --- boxes and hulls -----------------------------------------------------------------------------

// All leaves of A around a line that moves.
static zn_tree_walk walk_along(const solids *p, zn_vec3 from, zn_vec3 to)
{
    const zn_mesh_near *s = &p->s;
    zn_vec3             low, high, low2, high2;
    double              grow = s->slack + s->depth + s->tolerance;
    zn_mesh_sweep(s, from, zn_mesh_near_velocity(s, from), grow, &low, &high);
    zn_mesh_sweep(s, to, zn_mesh_near_velocity(s, to), grow, &low2, &high2);
    low = (zn_vec3){fmin(low.x, low2.x), fmin(low.y, low2.y), fmin(low.z, low2.z)};
    high = (zn_vec3){fmax(high.x, high2.x), fmax(high.y, high2.y), fmax(high.z, high2.z)};
    return zn_tree_walk_begin(&p->a->tree, low, high);
}

static zn_status hull_points(solids *p)
{
    for (int i = 0; i < p->hull->vertices; i++) {
        zn_vec3      x = zn_mesh_near_point(&p->s, p->hull->vertex[i]);
        zn_tree_walk walk = walk_along(p, x, x);
        for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
            for (int k = 0; k < n->count; k++)
                ZN_TRY(point_on_a(p, p->a->tree.order[n->first + k], x, i));
    }
    return ZN_OK;
}

static zn_status hull_edges(solids *p)
{
    for (int i = 0; i < p->hull->edges; i++) {
        zn_mesh_bar  l = hull_line(p, i);
        zn_tree_walk walk = walk_along(p, l.from, zn_mesh_ahead(l.from, l.length, l.along));
        for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
            for (int k = 0; k < 3 * n->count; k++) {
                int t = p->a->tree.order[n->first + k / 3];
                if (p->a->owns[t] & ZN_OWNS_EDGE << k % 3)
                    ZN_TRY(edge_on_edge(p, p->a->side[3 * t + k % 3], &l));
            }
    }
    return ZN_OK;
}

static zn_status hull_faces(solids *p, zn_vec3 low, zn_vec3 high)
{
    zn_mesh_block around = zn_mesh_swept(&p->s, low, high);
    zn_tree_walk  walk = zn_tree_walk_begin(&p->a->tree, around.low, around.high);
    for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
        for (int k = 0; k < 3 * n->count; k++) {
            int t = p->a->tree.order[n->first + k / 3];
            if (p->a->owns[t] & ZN_OWNS_POINT << k % 3)
                for (int i = 0; i < p->hull->faces; i++)
                    ZN_TRY(point_on_b(p, p->a->corner[3 * t + k % 3], i));
        }
    return ZN_OK;
}

static double smallest_half(zn_vec3 half) { return fmin(half.x, fmin(half.y, half.z)); }

static solids begin(const zn_mesh_shape *a, const zn_near *at, double size, double half, zn_feature_list *out)
{
    double smaller = fmin(a->extent, size);
    solids p = {.s = zn_mesh_near_begin(at, smaller, out), .a = a, .sure = SURE_DEPTH * smaller};
    p.s.depth = DEPTH_SHARE * fmin(smallest_half(a->half), half);
    return p;
}

zn_status zn_meet_mesh_polyhedron(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                  zn_feature_list *out)
{
    const zn_polyhedron *hull = b->data;
    zn_vec3              low = hull->vertex[0], high = low;
    for (int i = 1; i < hull->vertices; i++) {
        zn_vec3 v = hull->vertex[i];
        low = (zn_vec3){fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z)};
        high = (zn_vec3){fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z)};
    }
    solids p = begin(a->data, at, 2 * hull->radius, smallest_half(zn_vec3_scale(0.5, zn_vec3_sub(high, low))), out);
    p.hull = hull;
    ZN_TRY(hull_points(&p));
    ZN_TRY(hull_edges(&p));
    ZN_TRY(hull_faces(&p, low, high));
    return list_spared(&p);
}

// --- meshes --------------------------------------------------------------------------------------

static zn_status meet_triangles(solids *p, int ta, int tb)
{
    const zn_mesh_shape *a = p->a, *b = p->b;
    for (int k = 0; k < 3; k++) {
        int point = b->corner[3 * tb + k];
        if (b->owns[tb] & ZN_OWNS_POINT << k)
            ZN_TRY(point_on_a(p, ta, zn_mesh_near_point(&p->s, b->point[point]), point));
        if (a->owns[ta] & ZN_OWNS_POINT << k)
            ZN_TRY(point_on_b(p, a->corner[3 * ta + k], tb));
        if (!(b->owns[tb] & ZN_OWNS_EDGE << k))
            continue;
        zn_mesh_bar l = mesh_line(p, b->side[3 * tb + k]);
        for (int i = 0; i < 3; i++)
            if (a->owns[ta] & ZN_OWNS_EDGE << i)
                ZN_TRY(edge_on_edge(p, a->side[3 * ta + i], &l));
    }
    return ZN_OK;
}

static zn_status meet_leaves(solids *p, const zn_tree_node *na, const zn_tree_node *nb)
{
    for (int k = 0; k < nb->count; k++) {
        int           tb = p->b->tree.order[nb->first + k];
        zn_mesh_block own = zn_mesh_block_of(p->b, tb), reach = zn_mesh_swept(&p->s, own.low, own.high);
        for (int i = 0; i < na->count; i++) {
            int           ta = p->a->tree.order[na->first + i];
            zn_mesh_block box = zn_mesh_block_of(p->a, ta);
            if (zn_mesh_overlap(&reach, box.low, box.high))
                ZN_TRY(meet_triangles(p, ta, tb));
        }
    }
    return ZN_OK;
}

static double size_of(const zn_tree_node *n) { return zn_vec3_norm(zn_vec3_sub(n->high, n->low)); }

zn_status zn_meet_mesh_mesh(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    const zn_mesh_shape *A = a->data, *B = b->data;
    solids               p = begin(A, at, B->extent, smallest_half(B->half), out);
    int                  depth = 1, stack[2 * ZN_TREE_DEPTH][2] = {{0, 0}};
    p.b = B;
    while (depth > 0) {
        int                 i = stack[--depth][0], k = stack[depth][1];
        const zn_tree_node *na = &A->tree.node[i], *nb = &B->tree.node[k];
        zn_mesh_block       reach = zn_mesh_swept(&p.s, nb->low, nb->high);
        if (!zn_mesh_overlap(&reach, na->low, na->high))
            continue;
        if (na->count > 0 && nb->count > 0)
            ZN_TRY(meet_leaves(&p, na, nb));
        else if (nb->count > 0 || (na->count == 0 && size_of(na) >= size_of(nb))) {
            stack[depth][0] = na->second, stack[depth++][1] = k;
            stack[depth][0] = i + 1, stack[depth++][1] = k;
        } else {
            stack[depth][0] = i, stack[depth++][1] = nb->second;
            stack[depth][0] = i, stack[depth++][1] = k + 1;
        }
    }
    return list_spared(&p);
}
