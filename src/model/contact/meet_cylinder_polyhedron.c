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

static zn_status on_faces(search *s)
{
    const zn_polyhedron *P = s->P;
    for (int f = 0; f < P->faces; f++) {
        zn_vec3 n = P->face[f].normal;
        double  before = lowest(s, n) - P->face[f].offset;
        int     face = P->vertices + P->edges + f;
        if (before > s->reach || before < -s->reach)
            continue;
        for (int end = 0; end < 2; end++)
            ZN_TRY(zn_near_pair(&s->p, ZN_CYLINDER_RIM + end, face));
        if (!is_flat(s, n, zn_vec3_norm(zn_vec3_cross(n, s->axis))))
            continue;
        int end = zn_vec3_dot(n, s->axis) > 0; // the one that faces it
        for (int i = 0; i < CORNERS; i++)
            ZN_TRY(zn_near_pair(&s->p, ZN_CYLINDER_POINT + end * CORNERS + i, face));
    }
    return ZN_OK;
}

// Vertices on the cap that the polyhedron is in front of.
static zn_status on_caps(search *s)
{
    double before[2];
    for (int end = 0; end < 2; end++) {
        zn_vec3 n = zn_vec3_scale(end ? -1 : 1, s->axis);
        int     v = zn_polyhedron_farthest(s->P, zn_vec3_scale(-1, n), 0);
        before[end] = zn_vec3_dot(n, zn_vec3_sub(s->P->vertex[v], s->centre)) - s->a->length / 2;
    }
    int end = before[1] > before[0];
    if (before[end] > s->reach || before[end] < -s->reach)
        return ZN_OK;
    for (int v = 0; v < s->P->vertices; v++)
        ZN_TRY(zn_near_pair(&s->p, ZN_CYLINDER_CAP + end, v));
    return ZN_OK;
}

static bool is_beside(const search *s, zn_vec3 x)
{
    return zn_vec3_norm(zn_vec3_cross(zn_vec3_sub(x, s->centre), s->axis)) > s->a->radius;
}

// An edge that is flat over a cap crosses chords; within the disc its ends say the same.
static zn_status cross_chords(search *s, int edge)
{
    const zn_polyhedron_edge *e = &s->P->edge[edge];
    if (!is_flat(s, s->axis, fabs(zn_vec3_dot(e->along, s->axis))) ||
        !(is_beside(s, s->P->vertex[e->vertex[0]]) || is_beside(s, s->P->vertex[e->vertex[1]])))
        return ZN_OK;
    for (int i = 0; i < 2 * CORNERS; i++) {
        zn_feature chord;
        s->a->ops->feature(s->a, ZN_CYLINDER_CHORD + i, false, &chord);
        zn_vec3 w = zn_rigid_vector(&s->at->A, chord.along), u = zn_rigid_vector(&s->at->B, e->along);
        if (zn_vec3_norm(zn_vec3_cross(w, u)) > ZN_CHORD_SINE)
            ZN_TRY(zn_near_pair(&s->p, ZN_CYLINDER_CHORD + i, s->P->vertices + edge));
    }
    return ZN_OK;
}

static double distance_to_edge(const zn_polyhedron *P, const zn_polyhedron_edge *e, zn_vec3 x)
{
    zn_vec3 d = zn_vec3_sub(x, P->vertex[e->vertex[0]]);
    double  z = fmax(0, fmin(e->length, zn_vec3_dot(d, e->along)));
    return zn_vec3_norm(zn_vec3_sub(d, zn_vec3_scale(z, e->along)));
}

static zn_status on_edges(search *s)
{
    double around = hypot(s->a->radius, s->a->length / 2) + s->reach;
    for (int e = 0; e < s->P->edges; e++) {
        if (distance_to_edge(s->P, &s->P->edge[e], s->centre) > around)
            continue;
        int edge = s->P->vertices + e;
        if (s->a->length > 0)
            ZN_TRY(zn_near_pair(&s->p, ZN_CYLINDER_MANTLE, edge));
        for (int end = 0; end < 2; end++) {
            zn_vec3 cap = zn_vec3_add(s->centre, zn_vec3_scale((end ? -0.5 : 0.5) * s->a->length, s->axis));
            if (distance_to_edge(s->P, &s->P->edge[e], cap) <= s->a->radius + s->reach)
                ZN_TRY(zn_near_pair(&s->p, ZN_CYLINDER_RIM + end, edge));
        }
        ZN_TRY(cross_chords(s, e));
    }
    return ZN_OK;
}

static zn_status on_mantle(search *s)
{
    for (int v = 0; s->a->length > 0 && v < s->P->vertices; v++)
        ZN_TRY(zn_near_pair(&s->p, ZN_CYLINDER_MANTLE, v));
    return ZN_OK;
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
    s.p.size = fmin(a->radius + a->length, s.P->radius);
    s.p.out = out;
    s.p.swapped = swapped;
    ZN_TRY(on_faces(&s));
    ZN_TRY(on_caps(&s));
    ZN_TRY(on_mantle(&s));
    return on_edges(&s);
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
