// A mesh with a cylinder. Features are tried (near_pair.h), those of triangles that the tree has around the cylinder:
//     rims on faces; where a cap lies flat on a face its corners, and crossings of chords with convex edges
//     points of the mesh on caps and on the mantle; convex edges on the mantle and on rims
// What is inside counts where it came in, as for other solids (meet_mesh_solid.c): neither shape may hold the other by
// its far side.
//
// Flush parts: what slides on one comes to the side of the next exactly at its upper edge. A point, edge or triangle
// behind the plane of a face that all of the cylinder stays in front of, or in front of a cap, is not in its way.
#include <math.h>

#include "model/contact/meet_cylinder.h"
#include "model/contact/meet_mesh.h"
#include "model/contact/mesh_near.h"
#include "model/contact/mesh_past.h"
#include "model/contact/near_pair.h"
#include "model/contact/shape_cylinder.h"

#define DEPTH_SHARE 0.2  // of half the smallest side of the smaller: what is deeper is no contact
#define SURE_DEPTH  1e-9 // of the size: what is less deep needs no proof

enum {
    CORNERS = ZN_CYLINDER_CORNERS,
    PLANES = 8, // that it slides along
    SPARED = 16,
    TOUCHING = 16,
    OF_A_TRIANGLE = 2 + 3 * 3 + 3 * (3 + 2 * CORNERS), // pairs that are tried for it, at most
    ROOM = ZN_NEAR_PAIRS - OF_A_TRIANGLE
};

_Static_assert(ROOM > 0, "what a triangle has is compared with itself");

// A pair that is left out, and the plane because of which that is, in the axes of the mesh.
typedef struct spare {
    zn_near_found pair;
    zn_vec3       plane;
} spare;

// The cylinder in the axes of the mesh.
typedef struct search {
    const zn_mesh_shape *m;
    const zn_pair_shape *cylinder;
    zn_vec3              centre, axis;
    struct {
        zn_vec3 centre, axis;
    } end;               // of the horizon
    double        reach; // of features that are near, from the surface
    double        sure;
    int           triangle; // of the face that is tried
    int           listed;   // by an earlier comparison
    int           planes;   // < 0: nobody has asked
    zn_mesh_face  plane[PLANES];
    int           spared; // pairs that slide past a plane, but do not close
    spare         spare[SPARED];
    int           touching; // normals of pairs that are listed and touch
    zn_vec3       touch[TOUCHING];
    zn_mesh_near  s;
    zn_near_pairs p; // the cylinder is a
} search;

// --- what belongs --------------------------------------------------------------------------------

// Of a point of the mesh, in its axes, from a cylinder that is there; inside negative, to its nearest side. A disc has
// no inside: beside its rim.
static double cylinder_distance(const zn_pair_shape *c, zn_vec3 d, zn_vec3 axis)
{
    double z = zn_vec3_dot(d, axis), beside = zn_vec3_norm(zn_mesh_ahead(d, -z, axis)) - c->radius;
    return c->length > 0 ? fmax(fabs(z) - c->length / 2, beside) : beside;
}

// The same of what is behind a cap or the mantle and goes out so: on the rim it is asked a little off it, inside,
// unless all of it is beside what the rim is the border of.
static double border_distance(const search *s, int a, zn_vec3 d, zn_vec3 axis, const zn_spread *out)
{
    const zn_pair_shape *c = s->cylinder;
    double               z = zn_vec3_dot(d, axis), over = fabs(z) - c->length / 2;
    zn_vec3              off = zn_mesh_ahead(d, -z, axis);
    double               beside = zn_vec3_norm(off) - c->radius;
    bool                 mantle = a == ZN_CYLINDER_MANTLE;
    if (fabs(mantle ? over : beside) <= s->s.tolerance && zn_spread_enters(out, mantle ? zn_vec3_scale(z, axis) : off))
        return mantle ? beside : over;
    return fmax(over, beside);
}

// Of a point that is behind a surface by `depth`, and at this distance from all of it, negative inside.
static bool came_in(const search *s, double depth, double distance)
{
    double tolerance = 10 * s->s.tolerance;
    return distance <= tolerance && depth <= tolerance - 2 * distance;
}

// Where a pair touches, in the axes of the mesh: x on the cylinder, y on the mesh, at d from the cylinder's centre. t:
// along a chord, whose ends are there from x.
typedef struct place {
    zn_vec3 n, x, y, d, axis, t;
    double  gap, low, high;
} place;

// How far to go from x along a rim, with the tangent t, or a chord, so that it is behind both faces beside an edge
// through y by `behind`, if it was straight. False: there is no such place between low and high.
static bool way_behind(const search *s, const zn_mesh_line *e, zn_vec3 off, zn_vec3 t, double behind, double low,
                       double high, double *way)
{
    for (int i = 0; i < 2; i++) {
        zn_vec3 n = s->m->plane[e->face[i]].normal;
        double  room = -behind - zn_vec3_dot(n, off), slope = zn_vec3_dot(n, t);
        if (slope > 0)
            high = fmin(high, room / slope);
        else if (slope < 0)
            low = fmax(low, room / slope);
    }
    *way = fmax(low, fmin(high, 0));
    return low <= high;
}

// The rim of a disc, or a chord of it, is behind an edge: is it in the mesh? Where it is nearly along an edge that
// leans away, or the edge is so sharp that it is beside it, then as near as it is behind both faces beside that.
static bool rim_entered(const search *s, const zn_mesh_line *e, bool chord, const place *at)
{
    enum { ROUNDS = 4 };
    zn_vec3 off = zn_vec3_sub(at->x, at->y), r = zn_vec3_add(at->d, off), x = at->x;
    double  R = s->cylinder->radius, behind = -1e-3 * at->gap, bend = 0, way;
    double  low = chord ? at->low : -0.5 * R, high = chord ? at->high : 0.5 * R;
    zn_vec3 t = chord ? at->t : zn_vec3_scale(1 / R, zn_vec3_cross(at->axis, r));
    for (int k = 0; k < ROUNDS; k++) {
        if (!way_behind(s, e, zn_mesh_ahead(off, -bend / R, r), t, behind, low, high, &way))
            return false;
        bend = chord ? 0 : R - sqrt(R * R - way * way); // a rim bends away from its tangent
        x = zn_mesh_ahead(zn_mesh_ahead(at->x, way, t), -bend / R, r);
    }
    for (int i = 0; i < 2; i++)
        if (zn_vec3_dot(s->m->plane[e->face[i]].normal, zn_vec3_sub(x, at->y)) > -0.5 * behind)
            return false;
    return zn_mesh_contains(s->m, x, 10 * s->s.tolerance);
}

// An edge behind a rim or a chord: both are sharp, the edge is in the cylinder there. Through a disc it goes, from one
// side to the other, or the rim of the disc is in the mesh.
static bool edge_entered(const search *s, const zn_mesh_line *e, int a, const place *at)
{
    double slope = zn_vec3_dot(e->along, at->axis), up = zn_vec3_dot(at->d, at->axis), tolerance = 10 * s->s.tolerance;
    if (s->cylinder->length > 0)
        return cylinder_distance(s->cylinder, at->d, at->axis) <= tolerance;
    double z = zn_vec3_dot(e->along, zn_vec3_sub(at->y, s->m->point[e->a]));
    double ends[2] = {up - z * slope, up + (e->length - z) * slope}, low = fmin(ends[0], ends[1]);
    bool   through = low < -s->s.tolerance && fmax(ends[0], ends[1]) > s->s.tolerance;
    return (through &&
            cylinder_distance(s->cylinder, zn_mesh_ahead(at->d, -up / slope, e->along), at->axis) <= tolerance) ||
           (a >= ZN_CYLINDER_RIM && rim_entered(s, e, a >= ZN_CYLINDER_CHORD, at));
}

// A point behind the cap of a disc: does one of its edges go through it?
static bool tip_entered(const search *s, int point, const place *at)
{
    for (int i = s->m->spokes[point]; i < s->m->spokes[point + 1]; i++)
        if (edge_entered(s, &s->m->edge[s->m->spoke[i]], ZN_CYLINDER_CAP, at))
            return true;
    return false;
}

// What the cylinder has around a place of a rim, at r from its axis.
static zn_spread spread_on_rim(const search *s, zn_vec3 x, zn_vec3 centre, zn_vec3 axis)
{
    zn_vec3   d = zn_vec3_sub(x, centre);
    double    z = zn_vec3_dot(d, axis), R = s->cylinder->radius;
    zn_vec3   in = zn_vec3_scale(-1 / R, zn_mesh_ahead(d, -z, axis)), t = zn_vec3_cross(axis, in);
    zn_spread out = {4, {in, t, zn_vec3_scale(-1, t), zn_vec3_scale(z > 0 ? -1 : 1, axis)}};
    out.count = s->cylinder->length > 0 ? 4 : 3;
    return out;
}

// Did its features come into each other there, if they are inside?
static bool is_entered(const search *s, int a, int b, const place *at)
{
    int edge = b - s->m->points;
    if (at->gap >= -s->sure)
        return true;
    if (at->gap < -s->s.depth)
        return false;
    if (edge >= s->m->edges) {
        zn_spread out = spread_on_rim(s, at->x, zn_vec3_sub(at->y, at->d), at->axis);
        zn_vec3   x = zn_mesh_off_border(&s->s, s->m, s->triangle, at->x, &out, -at->gap);
        return came_in(s, -at->gap, zn_mesh_distance(s->m, x, 4 * s->s.depth));
    }
    if (a >= ZN_CYLINDER_RIM)
        return edge_entered(s, &s->m->edge[edge], a, at);
    if (s->cylinder->length == 0)
        return tip_entered(s, b, at);
    const zn_mat3 same = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    zn_spread     out = edge < 0 ? zn_spread_of_tip((zn_tip){s->m, NULL, b}, &same)
                                 : zn_spread_of_edge(s->m->edge[edge].along, s->m->edge[edge].beyond);
    return came_in(s, -at->gap, border_distance(s, a, at->d, at->axis, &out));
}

static bool tip_faces(const zn_mesh_shape *m, int point, zn_vec3 n, double angle)
{
    for (int i = m->spokes[point]; i < m->spokes[point + 1]; i++)
        if (zn_vec3_dot(n, zn_mesh_spoke(m, m->spoke[i], point)) > angle)
            return false;
    return zn_vec3_dot(n, m->outward[point]) > 0;
}

static bool edge_holds(const search *s, const zn_mesh_line *e, zn_vec3 x, zn_vec3 n, double angle)
{
    double z = zn_vec3_dot(e->along, zn_vec3_sub(x, s->m->point[e->a]));
    return z >= -s->s.tolerance && z <= e->length + s->s.tolerance && zn_mesh_edge_faces(e, n, angle);
}

static bool belongs(const void *user, int a, int b, const zn_feature_place *at, const zn_rigid *A, const zn_rigid *B,
                    double angle)
{
    const search *s = user;
    zn_mat3       back = zn_mat3_transpose(B->rotation);
    place         p = {.gap = at->gap, .n = zn_mat3_apply(back, at->normal)};
    p.x = zn_mat3_apply(back, zn_vec3_sub(at->on[0], B->position));
    p.y = zn_mat3_apply(back, zn_vec3_sub(at->on[1], B->position));
    p.d = zn_mat3_apply(back, zn_vec3_sub(at->on[1], zn_rigid_point(A, s->cylinder->at)));
    p.axis = zn_mat3_apply(back, zn_rigid_vector(A, zn_cylinder_axis(s->cylinder)));
    if (a >= ZN_CYLINDER_CHORD) {
        zn_feature chord;
        s->cylinder->ops->feature(s->cylinder, a, false, &chord);
        p.t = zn_mat3_apply(back, zn_rigid_vector(A, chord.along));
        double z = zn_vec3_dot(zn_rigid_vector(A, chord.along), zn_vec3_sub(at->on[0], zn_rigid_point(A, chord.at)));
        p.low = -ZN_CHORD_HALF * s->cylinder->radius - z, p.high = ZN_CHORD_HALF * s->cylinder->radius - z;
    }
    int  edge = b - s->m->points;
    bool end, holds;
    if (edge < 0)
        holds = tip_faces(s->m, b, p.n, angle);
    else if (edge < s->m->edges)
        holds = edge_holds(s, &s->m->edge[edge], p.y, p.n, angle);
    else
        holds = zn_mesh_outside(&s->s, s->m, s->triangle, p.x, &end) <= s->s.tolerance;
    return holds && is_entered(s, a, b, &p);
}

// --- what slides past ----------------------------------------------------------------------------

static zn_tree_walk walk_around(const search *s)
{
    double  R = s->cylinder->radius, h = s->cylinder->length / 2;
    zn_vec3 u = s->axis;
    zn_vec3 half = {fabs(u.x) * h + R * sqrt(fmax(0, 1 - u.x * u.x)) + s->reach,
                    fabs(u.y) * h + R * sqrt(fmax(0, 1 - u.y * u.y)) + s->reach,
                    fabs(u.z) * h + R * sqrt(fmax(0, 1 - u.z * u.z)) + s->reach};
    return zn_tree_walk_begin(&s->m->tree, zn_vec3_sub(s->centre, half), zn_vec3_add(s->centre, half));
}

// How far all of a cylinder with this centre and axis is in front of a face.
static double before(const search *s, const zn_mesh_face *f, zn_vec3 centre, zn_vec3 axis)
{
    return zn_vec3_dot(f->normal, zn_vec3_sub(centre, f->at)) -
           fabs(zn_vec3_dot(f->normal, axis)) * s->cylinder->length / 2 -
           s->cylinder->radius * zn_vec3_norm(zn_vec3_cross(f->normal, axis));
}

static bool slides_along(const search *s, const zn_mesh_face *f)
{
    return fabs(before(s, f, s->centre, s->axis)) <= s->sure && before(s, f, s->end.centre, s->end.axis) >= -s->sure;
}

static void add_plane(search *s, const zn_mesh_face *f)
{
    for (int i = 0; i < s->planes; i++)
        if (zn_vec3_dot(s->plane[i].normal, f->normal) > 1 - SURE_DEPTH)
            return; // both touch it
    if (s->planes < PLANES && slides_along(s, f))
        s->plane[s->planes++] = *f;
}

static void find_planes(search *s)
{
    zn_tree_walk walk = walk_around(s);
    s->planes = 0;
    for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
        for (int i = 0; i < n->count; i++)
            add_plane(s, &s->m->plane[s->m->face[s->m->tree.order[n->first + i]]]);
}

static bool are_behind(const search *s, const zn_mesh_face *f, int corners, const int *corner)
{
    for (int i = 0; i < corners; i++)
        if (zn_vec3_dot(f->normal, zn_vec3_sub(s->m->point[corner[i]], f->at)) > s->sure)
            return false;
    return true;
}

// Are they beyond the plane of a cap, now and at the end of the horizon?
static bool are_beyond(const search *s, double end, int corners, const int *corner)
{
    double h = s->cylinder->length / 2 - s->sure;
    for (int i = 0; i < corners; i++) {
        zn_vec3 x = s->m->point[corner[i]];
        if (end * zn_vec3_dot(s->axis, zn_vec3_sub(x, s->centre)) < h ||
            end * zn_vec3_dot(s->end.axis, zn_vec3_sub(x, s->end.centre)) < h)
            return false;
    }
    return true;
}

// A part of the mesh with these corners that the cylinder would touch so, and the normal of the plane that it
// slides past.
static bool slides_past(search *s, const zn_near_found *f, int corners, const int *corner, zn_vec3 *plane)
{
    zn_vec3 n = zn_mat3_apply(zn_mat3_transpose(s->p.at->B.rotation), f->normal);
    double  same = zn_past_cosine(f->closing * s->p.at->horizon, s->sure);
    if (s->planes < 0)
        find_planes(s);
    for (int i = 0; i < s->planes; i++) {
        *plane = s->plane[i].normal;
        if (zn_vec3_dot(n, *plane) < same && are_behind(s, &s->plane[i], corners, corner))
            return true;
    }
    for (int end = -1; end < 2 && s->cylinder->length > 0; end += 2) {
        *plane = zn_vec3_scale(-end, s->axis);
        if (zn_vec3_dot(n, *plane) < same && are_beyond(s, end, corners, corner))
            return true;
    }
    return false;
}

// --- what is tried -------------------------------------------------------------------------------

// A feature of the cylinder with one of the mesh, or with the part of it that has these corners.
static void try_pair(search *s, int a, int b, int corners, const int *corner)
{
    int found = s->p.found;
    zn_near_pair(&s->p, a, b);
    const zn_near_found *f = &s->p.pair[found];
    zn_vec3              plane;
    if (s->p.found == found || !f->touch || !slides_past(s, f, corners, corner, &plane))
        return;
    if (f->gap >= -s->sure && f->closing * s->p.at->horizon <= s->sure && s->spared < SPARED)
        s->spare[s->spared++] = (spare){*f, plane};
    s->p.found = found;
}

static void try_face(search *s, int a)
{
    try_pair(s, a, zn_mesh_face_number(s->m, s->m->face[s->triangle]), 3, &s->m->corner[3 * s->triangle]);
}

static void try_point(search *s, int a, int point) { try_pair(s, a, point, 1, &point); }

static void try_edge(search *s, int a, int edge)
{
    const int corner[] = {s->m->edge[edge].a, s->m->edge[edge].b};
    try_pair(s, a, zn_mesh_edge_number(s->m, edge), 2, corner);
}

// What goes through a disc crosses its rim and its caps somewhere, but it came in where it is least deep.
static double deepest(const search *s)
{
    double least = -s->s.depth;
    for (int i = 0; i < s->p.found; i++)
        if (s->p.pair[i].gap < -s->sure)
            least = fmax(least, s->p.pair[i].gap);
    return s->cylinder->length > 0 ? -INFINITY : least - 0.1 * s->s.slack;
}

// An edge of the mesh came into the cylinder where it is least deep: what lies on its mantle beside a cap is not behind
// the cap.
static bool came_otherwise(const search *s, const zn_near_found *f)
{
    if (f->gap >= -s->sure || f->b < s->m->points || f->b >= s->m->points + s->m->edges)
        return false;
    for (int i = 0; i < s->p.found; i++) {
        const zn_near_found *other = &s->p.pair[i];
        if (other->b == f->b && other->gap > 0.5 * f->gap && other->gap <= s->sure &&
            zn_vec3_norm(zn_vec3_sub(other->point, f->point)) <= -2 * f->gap)
            return true;
    }
    return false;
}

// Lists what was found so far; what comes is compared with the numbers of that.
static zn_status make_room(search *s)
{
    zn_feature_list *out = s->p.out;
    double           limit = deepest(s);
    for (int i = 0; i < s->p.found; i++) {
        if (s->p.pair[i].gap < limit || came_otherwise(s, &s->p.pair[i]))
            continue;
        if (s->p.pair[i].touch && s->touching < TOUCHING)
            s->touch[s->touching++] = zn_mat3_apply(zn_mat3_transpose(s->p.at->B.rotation), s->p.pair[i].normal);
        int64_t pair = zn_feature_pair(s->p.pair[i].b, s->p.pair[i].a);
        bool    there = false;
        for (int k = 0; k < s->listed && !there; k++)
            there = out->pair[k] == pair;
        if (!there)
            ZN_TRY(zn_feature_found(out, s->p.pair[i].b, s->p.pair[i].a));
    }
    s->listed = out->count;
    s->p.found = 0;
    return ZN_OK;
}

// A plane that keeps them apart holds the cylinder where a pair with its normal touches. Where ridges lie on each other
// none does: pairs that are left out because of it, and do not close, are listed after all.
static zn_status list_spared(search *s)
{
    ZN_TRY(make_room(s));
    for (int i = 0; i < s->spared; i++) {
        bool held = false;
        for (int k = 0; k < s->touching && !held; k++)
            held = zn_vec3_dot(s->touch[k], s->spare[i].plane) > ZN_SAME_PLANE;
        if (!held)
            s->p.pair[s->p.found++] = s->spare[i].pair;
    }
    return make_room(s);
}

static bool is_flat(const search *s, zn_vec3 n, double sine)
{
    return sine < zn_near_flat(s->p.at, zn_rigid_vector(&s->p.at->B, n)).high;
}

static zn_vec3 cap_centre(const search *s, int end)
{
    return zn_mesh_ahead(s->centre, (end ? -0.5 : 0.5) * s->cylinder->length, s->axis);
}

// Farther beyond a side of the triangle than anything moves?
static bool is_off(const search *s, int t, zn_vec3 x)
{
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &s->m->edge[s->m->side[3 * t + k]];
        if (zn_vec3_dot(zn_vec3_sub(x, s->m->point[e->a]), e->beyond[e->triangle[0] == t ? 0 : 1]) > s->reach)
            return true;
    }
    return false;
}

static void rims_on_face(search *s, int t)
{
    const zn_mesh_face *f = &s->m->plane[s->m->face[t]];
    zn_vec3             down = zn_mesh_ahead(zn_vec3_scale(-1, f->normal), zn_vec3_dot(f->normal, s->axis), s->axis);
    double              sine = zn_vec3_norm(down);
    s->triangle = t;
    for (int end = 0; end < 2 && sine > ZN_NO_LENGTH; end++) {
        zn_vec3 x = zn_mesh_ahead(cap_centre(s, end), s->cylinder->radius / sine, down);
        double  gap = zn_vec3_dot(f->normal, zn_vec3_sub(x, f->at));
        if (gap <= s->reach && gap >= -s->s.depth && !is_off(s, t, x))
            try_face(s, ZN_CYLINDER_RIM + end);
    }
}

static void on_point(search *s, int point)
{
    if (cylinder_distance(s->cylinder, zn_vec3_sub(s->m->point[point], s->centre), s->axis) > s->reach)
        return;
    for (int end = 0; end < 2; end++)
        try_point(s, ZN_CYLINDER_CAP + end, point);
    if (s->cylinder->length > 0)
        try_point(s, ZN_CYLINDER_MANTLE, point);
}

static double distance_to_edge(const zn_mesh_shape *m, const zn_mesh_line *e, zn_vec3 x)
{
    zn_vec3 d = zn_vec3_sub(x, m->point[e->a]);
    return zn_vec3_norm(zn_mesh_ahead(d, -fmax(0, fmin(e->length, zn_vec3_dot(d, e->along))), e->along));
}

// Is x beside the chords of a cap, now or then?
static bool is_beside(const search *s, zn_vec3 x)
{
    return zn_vec3_norm(zn_vec3_cross(zn_vec3_sub(x, s->centre), s->axis)) >
           ZN_CHORD_AWAY * s->cylinder->radius - (s->reach - s->s.slack);
}

// An edge that is flat over a cap crosses chords; within them its ends say the same, or, where they are no corners,
// what goes on there.
static void cross_chords(search *s, int edge)
{
    const zn_mesh_line *e = &s->m->edge[edge];
    if (!is_flat(s, s->axis, fabs(zn_vec3_dot(e->along, s->axis))) ||
        !(is_beside(s, s->m->point[e->a]) || is_beside(s, s->m->point[e->b])))
        return;
    zn_vec3 u = zn_rigid_vector(&s->p.at->B, e->along);
    for (int i = 0; i < 2 * CORNERS; i++) {
        zn_feature chord;
        s->cylinder->ops->feature(s->cylinder, ZN_CYLINDER_CHORD + i, false, &chord);
        if (zn_vec3_norm(zn_vec3_cross(zn_rigid_vector(&s->p.at->A, chord.along), u)) > ZN_CHORD_SINE)
            try_edge(s, ZN_CYLINDER_CHORD + i, edge);
    }
}

static void on_edge(search *s, int edge)
{
    const zn_mesh_line *e = &s->m->edge[edge];
    const double        radius = s->cylinder->radius;
    if (distance_to_edge(s->m, e, s->centre) > hypot(radius, s->cylinder->length / 2) + s->reach)
        return;
    if (s->cylinder->length > 0)
        try_edge(s, ZN_CYLINDER_MANTLE, edge);
    for (int end = 0; end < 2; end++)
        if (distance_to_edge(s->m, e, cap_centre(s, end)) <= radius + s->reach)
            try_edge(s, ZN_CYLINDER_RIM + end, edge);
    cross_chords(s, edge);
}

static zn_status on_triangle(search *s, int t)
{
    if (s->p.found > ROOM)
        ZN_TRY(make_room(s));
    rims_on_face(s, t);
    for (int k = 0; k < 3; k++) {
        if (s->m->owns[t] & ZN_OWNS_POINT << k)
            on_point(s, s->m->corner[3 * t + k]);
        if (s->m->owns[t] & ZN_OWNS_EDGE << k)
            on_edge(s, s->m->side[3 * t + k]);
    }
    return ZN_OK;
}

// All that the tree has around the cylinder.
static zn_status on_triangles(search *s)
{
    zn_tree_walk walk = walk_around(s);
    for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
        for (int i = 0; i < n->count; i++)
            ZN_TRY(on_triangle(s, s->m->tree.order[n->first + i]));
    return ZN_OK;
}

// A corner of a cap on the faces that are flat under it.
static zn_status corner_on_faces(search *s, int corner)
{
    zn_feature own;
    s->cylinder->ops->feature(s->cylinder, ZN_CYLINDER_POINT + corner, false, &own);
    zn_vec3 x = zn_mesh_near_point(&s->s, own.at), out = zn_vec3_scale(corner < CORNERS ? 1 : -1, s->axis);
    zn_vec3 low, high;
    zn_mesh_sweep(&s->s, x, zn_mesh_near_velocity(&s->s, x), s->s.slack + s->s.depth + s->s.tolerance, &low, &high);
    zn_tree_walk walk = zn_tree_walk_begin(&s->m->tree, low, high);
    for (const zn_tree_node *n; (n = zn_tree_walk_next(&walk)) != NULL;)
        for (int i = 0; i < n->count; i++) {
            s->triangle = s->m->tree.order[n->first + i];
            zn_vec3 normal = s->m->plane[s->m->face[s->triangle]].normal;
            if (!(zn_vec3_dot(normal, out) < 0) || !is_flat(s, normal, zn_vec3_norm(zn_vec3_cross(normal, out))))
                continue;
            if (s->p.found == ZN_NEAR_PAIRS)
                ZN_TRY(make_room(s));
            try_face(s, ZN_CYLINDER_POINT + corner);
        }
    return ZN_OK;
}

static double smallest_half(const zn_mesh_shape *m, const zn_pair_shape *c)
{
    double mesh = fmin(m->half.x, fmin(m->half.y, m->half.z));
    return fmin(mesh, c->length > 0 ? fmin(c->radius, c->length / 2) : c->radius);
}

static void place_end(search *s, const zn_near *at)
{
    zn_rigid A = zn_near_moved(&at->A, &at->a, at->horizon), B = zn_near_moved(&at->B, &at->b, at->horizon);
    zn_mat3  back = zn_mat3_transpose(A.rotation);
    s->end.centre = zn_mat3_apply(back, zn_vec3_sub(zn_rigid_point(&B, s->cylinder->at), A.position));
    s->end.axis = zn_mat3_apply(back, zn_rigid_vector(&B, zn_cylinder_axis(s->cylinder)));
}

zn_status zn_meet_mesh_cylinder(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    const zn_mesh_shape *m = a->data;
    double               size = fmin(m->extent, b->radius + b->length);
    zn_near              turned = *at;
    turned.A = at->B, turned.B = at->A, turned.a = at->b, turned.b = at->a;
    search s = {.m = m, .cylinder = b, .s = zn_mesh_near_begin(at, size, out), .sure = SURE_DEPTH * size, .planes = -1};
    s.centre = zn_mesh_near_point(&s.s, b->at);
    s.axis = zn_mat3_apply(s.s.rotation, zn_cylinder_axis(b));
    place_end(&s, at);
    s.s.depth = DEPTH_SHARE * smallest_half(m, b);
    s.reach = zn_near_reach(at, zn_rigid_point(&at->B, b->at)) +
              at->horizon * hypot(b->radius, b->length / 2) * zn_vec3_norm(s.s.spin) + s.s.tolerance;
    s.p = (zn_near_pairs){.a = b, .b = a, .at = &turned, .a_holds = zn_cylinder_holds, .belongs = belongs, .user = &s};
    s.p.size = size;
    s.p.out = out;
    ZN_TRY(on_triangles(&s));
    for (int i = 0; i < 2 * CORNERS; i++)
        ZN_TRY(corner_on_faces(&s, i));
    return list_spared(&s);
}
