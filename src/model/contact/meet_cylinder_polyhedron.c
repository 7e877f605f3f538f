// Cylinders with boxes and hulls. Features are tried (near_pair.h), those whose bounding balls are near:
//     rims on faces; where a cap lies flat on a face its corners, and crossings of chords with edges
//     vertices on caps and on the mantle; edges on the mantle and on rims
#include <math.h>

#include "model/contact/meet_cylinder.h"
#include "model/contact/near_pair.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape_cylinder.h"

enum { CORNERS = ZN_CYLINDER_CORNERS };

static const zn_polyhedron *polyhedron_of(const zn_pair_shape *s) { return s->data; }

static bool polyhedron_holds(const zn_pair_shape *s, int index, zn_vec3 x, zn_vec3 n, double length, double angle)
{
    const zn_polyhedron *p = polyhedron_of(s);
    if (index < p->vertices)
        return true;
    if (index >= p->vertices + p->edges)
        return zn_polyhedron_over(p, index - p->vertices - p->edges, x) >= -length;
    const zn_polyhedron_edge *e = &p->edge[index - p->vertices];
    double                    z = zn_vec3_dot(e->along, zn_vec3_sub(x, p->vertex[e->vertex[0]]));
    return z >= -length && z <= e->length + length && zn_vec3_dot(n, e->inward[0]) <= angle &&
           zn_vec3_dot(n, e->inward[1]) <= angle;
}

static zn_vec3 polyhedron_farthest(const zn_pair_shape *s, zn_vec3 n)
{
    const zn_polyhedron *p = polyhedron_of(s);
    return p->vertex[zn_polyhedron_farthest(p, n, 0)];
}

// The cylinder a in the axes of the polyhedron b.
typedef struct search {
    const zn_pair_shape *a;
    const zn_near       *at;
    const zn_polyhedron *P;
    zn_vec3              centre, axis;
    double               reach; // of features that are near, from the surface
    zn_near_pairs        p;
} search;

// n . x of the lowest point of the cylinder along n.
static double lowest(const search *s, zn_vec3 n)
{
    return zn_vec3_dot(n, s->centre) - fabs(zn_vec3_dot(n, s->axis)) * s->a->length / 2 -
           s->a->radius * zn_vec3_norm(zn_vec3_cross(n, s->axis));
}

static bool is_flat(const search *s, zn_vec3 n, double sine)
{
    return sine < zn_near_flat(s->at, zn_rigid_vector(&s->at->B, n)).high;
}

static void on_faces(search *s)
{
    const zn_polyhedron *P = s->P;
    double               least = -INFINITY; // as deep as they are in each other
    for (int f = 0; f < P->faces; f++)
        least = fmax(least, lowest(s, P->face[f].normal) - P->face[f].offset);
    least = fmin(least, 0) - s->reach;
    for (int f = 0; f < P->faces; f++) {
        zn_vec3 n = P->face[f].normal;
        double  before = lowest(s, n) - P->face[f].offset;
        int     face = P->vertices + P->edges + f;
        if (before > s->reach || before < least)
            continue;
        for (int end = 0; end < 2; end++)
            zn_near_pair(&s->p, ZN_CYLINDER_RIM + end, face);
        if (!is_flat(s, n, zn_vec3_norm(zn_vec3_cross(n, s->axis))))
            continue;
        int end = zn_vec3_dot(n, s->axis) > 0; // the one that faces it
        for (int i = 0; i < CORNERS; i++)
            zn_near_pair(&s->p, ZN_CYLINDER_POINT + end * CORNERS + i, face);
    }
}

// Vertices on the cap that the polyhedron is in front of.
static void on_caps(search *s)
{
    double before[2];
    for (int end = 0; end < 2; end++) {
        zn_vec3 n = zn_vec3_scale(end ? -1 : 1, s->axis);
        int     v = zn_polyhedron_farthest(s->P, zn_vec3_scale(-1, n), 0);
        before[end] = zn_vec3_dot(n, zn_vec3_sub(s->P->vertex[v], s->centre)) - s->a->length / 2;
    }
    int end = before[1] > before[0];
    if (before[end] > s->reach)
        return;
    for (int v = 0; v < s->P->vertices; v++)
        zn_near_pair(&s->p, ZN_CYLINDER_CAP + end, v);
}

// Is x beside the disc of a cap, now or then?
static bool is_beside(const search *s, zn_vec3 x)
{
    return zn_vec3_norm(zn_vec3_cross(zn_vec3_sub(x, s->centre), s->axis)) > s->a->radius - (s->reach - s->at->slack);
}

// An edge that is flat over a cap crosses chords; within the disc its ends say the same.
static void cross_chords(search *s, int edge)
{
    const zn_polyhedron_edge *e = &s->P->edge[edge];
    if (!is_flat(s, s->axis, fabs(zn_vec3_dot(e->along, s->axis))) ||
        !(is_beside(s, s->P->vertex[e->vertex[0]]) || is_beside(s, s->P->vertex[e->vertex[1]])))
        return;
    for (int i = 0; i < 2 * CORNERS; i++) {
        zn_feature chord;
        s->a->ops->feature(s->a, ZN_CYLINDER_CHORD + i, false, &chord);
        zn_vec3 w = zn_rigid_vector(&s->at->A, chord.along), u = zn_rigid_vector(&s->at->B, e->along);
        if (zn_vec3_norm(zn_vec3_cross(w, u)) > ZN_CHORD_SINE)
            zn_near_pair(&s->p, ZN_CYLINDER_CHORD + i, s->P->vertices + edge);
    }
}

static double distance_to_edge(const zn_polyhedron *P, const zn_polyhedron_edge *e, zn_vec3 x)
{
    zn_vec3 d = zn_vec3_sub(x, P->vertex[e->vertex[0]]);
    double  z = fmax(0, fmin(e->length, zn_vec3_dot(d, e->along)));
    return zn_vec3_norm(zn_vec3_sub(d, zn_vec3_scale(z, e->along)));
}

static void on_edges(search *s)
{
    double around = hypot(s->a->radius, s->a->length / 2) + s->reach;
    for (int e = 0; e < s->P->edges; e++) {
        if (distance_to_edge(s->P, &s->P->edge[e], s->centre) > around)
            continue;
        int edge = s->P->vertices + e;
        if (s->a->length > 0)
            zn_near_pair(&s->p, ZN_CYLINDER_MANTLE, edge);
        for (int end = 0; end < 2; end++) {
            zn_vec3 cap = zn_vec3_add(s->centre, zn_vec3_scale((end ? -0.5 : 0.5) * s->a->length, s->axis));
            if (distance_to_edge(s->P, &s->P->edge[e], cap) <= s->a->radius + s->reach)
                zn_near_pair(&s->p, ZN_CYLINDER_RIM + end, edge);
        }
        cross_chords(s, e);
    }
}

static void on_mantle(search *s)
{
    for (int v = 0; s->a->length > 0 && v < s->P->vertices; v++)
        zn_near_pair(&s->p, ZN_CYLINDER_MANTLE, v);
}

// Planes of faces and caps that they may slide past each other along.
static void past_planes(search *s)
{
    for (int f = 0; f < s->P->faces; f++)
        if (fabs(lowest(s, s->P->face[f].normal) - s->P->face[f].offset) <= s->at->slack)
            zn_near_plane(&s->p, zn_rigid_vector(&s->at->B, s->P->face[f].normal), false);
    for (int end = 0; end < 2; end++)
        zn_near_plane(&s->p, zn_rigid_vector(&s->at->A, zn_vec3_scale(end ? 1 : -1, zn_cylinder_axis(s->a))), true);
}

// Cylinder a, polyhedron b; `swapped`: the list wants the polyhedron first.
static zn_status meet(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, bool swapped,
                      zn_feature_list *out)
{
    zn_mat3 back = zn_mat3_transpose(at->B.rotation);
    zn_vec3 centre = zn_rigid_point(&at->A, a->at), spin = zn_vec3_sub(at->a.spin, at->b.spin);
    double  around = hypot(a->radius, a->length / 2);
    search  s = {.a = a, .at = at, .P = polyhedron_of(b)};
    s.centre = zn_mat3_apply(back, zn_vec3_sub(centre, at->B.position));
    s.axis = zn_mat3_apply(back, zn_rigid_vector(&at->A, zn_cylinder_axis(a)));
    s.reach = zn_near_reach(at, centre) + at->horizon * around * zn_vec3_norm(spin);
    s.p = (zn_near_pairs){.a = a, .b = b, .at = at, .a_holds = zn_cylinder_holds, .b_holds = polyhedron_holds};
    s.p.a_farthest = zn_cylinder_farthest, s.p.b_farthest = polyhedron_farthest;
    s.p.size = fmin(a->radius + a->length, s.P->radius);
    s.p.out = out;
    s.p.swapped = swapped;
    on_faces(&s);
    on_caps(&s);
    on_mantle(&s);
    on_edges(&s);
    if (s.p.found > 0)
        past_planes(&s);
    return zn_near_list(&s.p);
}

zn_status zn_meet_cylinder_polyhedron(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                      zn_feature_list *out)
{
    return meet(a, b, at, false, out);
}

zn_status zn_meet_polyhedron_cylinder(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                      zn_feature_list *out)
{
    zn_near turned = *at;
    turned.A = at->B, turned.B = at->A, turned.a = at->b, turned.b = at->a;
    return meet(b, a, &turned, true, out);
}
