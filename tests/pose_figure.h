/// Shapes of all kinds in random poses of which it is known where they touch: a point of each with a normal that it has
/// there first, then one shape is turned so that the normals are opposite, then moved so that the points are. What is
/// asked of shapes in a pose (farthest points, what is outside) is answered in quadruple precision.
#ifndef ZN_TESTS_POSE_FIGURE_H
#define ZN_TESTS_POSE_FIGURE_H

#include <stdlib.h>

#include "check.h"
#include "mesh_samples.h"
#include "model/contact/hull.h"
#include "model/contact/meet.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape_cylinder.h"
#include "quad.h"

static inline double part(uint64_t *rng) { return sample_random(rng); }

static inline zn_vec3 direction(uint64_t *rng)
{
    for (;;) {
        zn_vec3 v = {2 * part(rng) - 1, 2 * part(rng) - 1, 2 * part(rng) - 1};
        double  length = zn_vec3_norm(v);
        if (length > 0.1 && length < 1)
            return zn_vec3_scale(1 / length, v);
    }
}

static inline zn_quat rotation(uint64_t *rng) { return zn_so3_exp(zn_vec3_scale(3 * part(rng), direction(rng))); }

static inline zn_vec3 unit(zn_vec3 a) { return zn_vec3_scale(1 / zn_vec3_norm(a), a); }

static inline zn_vec3 ahead(zn_vec3 x, double s, zn_vec3 d) { return zn_vec3_add(x, zn_vec3_scale(s, d)); }

/// A unit vector across u.
static inline zn_vec3 beside(zn_vec3 u, zn_vec3 any)
{
    zn_vec3 x = unit(zn_vec3_cross(u, any));
    return unit(ahead(x, -zn_vec3_dot(u, x), u)); // any may be nearly along it
}

/// In (0, 1], often very small: what nearly is flush or parallel.
static inline double little(uint64_t *rng) { return part(rng) < 0.6 ? 1e-3 + part(rng) : pow(10, -9 * part(rng)); }

// --- shapes --------------------------------------------------------------------------------------

typedef struct figure {
    zn_pair_shape  s;
    zn_rigid       body;
    zn_polyhedron *solid; ///< of boxes and hulls
    zn_mesh_shape *mesh;
} figure;

static inline zn_polyhedron *figure_solid(bool box, uint64_t *rng)
{
    zn_polyhedron *p = NULL;
    const char    *why;
    zn_vec3        x[40], at = zn_vec3_scale(0.3 * part(rng), direction(rng));
    zn_mat3        axes = zn_quat_matrix(rotation(rng));
    int            count = part(rng) < 0.95 ? 5 + (int)(8 * part(rng)) : 12 + (int)(28 * part(rng));
    if (box)
        CHECK_OK(
            zn_polyhedron_box(at, axes, (zn_vec3){0.2 + 0.8 * part(rng), 0.2 + 0.8 * part(rng), 0.1 + part(rng)}, &p));
    for (int i = 0; i < count; i++)
        x[i] = zn_vec3_scale(0.2 + part(rng), direction(rng));
    if (!box)
        CHECK_OK(zn_polyhedron_hull(at, axes, count, x, &p, &why));
    return p;
}

/// Anywhere in its body, the body at the origin. Boxes, hulls and meshes have no `data` yet.
static inline figure figure_make(zn_shape_kind kind, double radius, double length, uint64_t *rng)
{
    figure f = {.s = {.ops = zn_shape_ops_of(kind), .kind = kind, .name = "it", .radius = radius, .length = length}};
    f.s.at = zn_vec3_scale(0.3 * part(rng), direction(rng));
    f.s.axes = zn_quat_matrix(rotation(rng));
    f.s.normal = direction(rng);
    f.body.rotation = zn_mat3_identity();
    return f;
}

// --- in quadruple precision ----------------------------------------------------------------------

static inline quad3 turned(const zn_mat3 *m, quad3 x, bool back)
{
    quad in[3] = {x.x, x.y, x.z}, out[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i] += (back ? m->m[j][i] : m->m[i][j]) * in[j];
    return (quad3){out[0], out[1], out[2]};
}

static inline quad3 axis_of(const figure *f) { return quad_unit(quad_of(zn_cylinder_axis(&f->s))); }

/// Of many points the farthest one. What is lower in double precision by more than its rounding is not looked at again.
static inline quad3 farthest_point(int count, const zn_vec3 *x, quad3 n)
{
    double  most = -INFINITY;
    zn_vec3 m = quad_round(n);
    quad3   best = quad_of(x[0]);
    quad    top = -1e30;
    for (int i = 0; i < count; i++)
        most = fmax(most, zn_vec3_dot(m, x[i]));
    for (int i = 0; i < count; i++) {
        if (zn_vec3_dot(m, x[i]) < most - 1e-13)
            continue;
        quad up = quad_dot(n, quad_of(x[i]));
        if (up > top)
            top = up, best = quad_of(x[i]);
    }
    return best;
}

/// The farthest point of a shape along n, in the axes of its body.
static inline quad3 farthest_own(const figure *f, quad3 n)
{
    if (f->solid)
        return farthest_point(f->solid->vertices, f->solid->vertex, n);
    if (f->mesh)
        return farthest_point(f->mesh->points, f->mesh->point, n);
    quad3 at = quad_of(f->s.at), axis = axis_of(f);
    quad  up = quad_dot(n, axis), side = up < 0 ? -f->s.length / 2 : f->s.length / 2;
    quad3 flat = f->s.kind == ZN_SHAPE_CYLINDER ? quad_sub(n, quad_scale(up, axis)) : n;
    if (f->s.kind != ZN_SHAPE_SPHERE)
        at = quad_add(at, quad_scale(side, axis));
    return quad_norm(flat) > 0 ? quad_add(at, quad_scale(f->s.radius / quad_norm(flat), flat)) : at;
}

static inline quad3 farthest(const figure *f, quad3 n)
{
    return quad_add(quad_of(f->body.position),
                    turned(&f->body.rotation, farthest_own(f, turned(&f->body.rotation, n, true)), false));
}

/// How far a is above b along n.
static inline quad above(const figure *a, const figure *b, quad3 n)
{
    quad3 low = farthest(a, quad_scale(-1, n));
    if (b->s.kind == ZN_SHAPE_PLANE)
        return quad_dot(
            n, quad_sub(low, quad_add(quad_of(b->body.position), turned(&b->body.rotation, quad_of(b->s.at), false))));
    return quad_dot(n, quad_sub(low, farthest(b, n)));
}

static inline quad outside_solid(const zn_polyhedron *p, quad3 y)
{
    zn_vec3 x = quad_round(y);
    quad    worst = -1e30;
    for (int i = 0; i < p->faces; i++)
        if (zn_vec3_dot(p->face[i].normal, x) - p->face[i].offset > -1e-12) {
            quad over = quad_dot(quad_of(p->face[i].normal), y) - p->face[i].offset;
            worst = over > worst ? over : worst;
        }
    return worst;
}

/// How far x is outside of a convex shape; inside: some number below zero.
static inline double outside(const figure *f, quad3 x)
{
    quad3 y = turned(&f->body.rotation, quad_sub(x, quad_of(f->body.position)), true);
    if (f->solid)
        return (double)outside_solid(f->solid, y);
    quad3 d = quad_sub(y, quad_of(f->s.at)), axis = axis_of(f);
    quad  z = quad_dot(d, axis), half = f->s.length / 2;
    if (f->s.kind == ZN_SHAPE_PLANE)
        return (double)quad_dot(quad_of(f->s.normal), d);
    if (f->s.kind == ZN_SHAPE_SPHERE)
        return (double)(quad_norm(d) - f->s.radius);
    if (f->s.kind == ZN_SHAPE_CAPSULE) {
        z = z > half ? half : z < -half ? -half : z;
        return (double)(quad_norm(quad_sub(d, quad_scale(z, axis))) - f->s.radius);
    }
    quad beside = quad_norm(quad_sub(d, quad_scale(z, axis))) - f->s.radius, over = quad_abs(z) - half;
    return (double)(beside > over ? beside : over);
}

// --- points with normals -------------------------------------------------------------------------

/// In the axes of the body: a point of the surface, a normal out of the shape that it has there, a direction across it
/// along which the feature goes. `sharp`: dimension of what other normals are there, 2: a corner.
typedef struct touch {
    zn_vec3 n, x, t;
    int     sharp;
    bool    lying; ///< on a cap
} touch;

static inline touch on_face(const zn_polyhedron *p, uint64_t *rng)
{
    const zn_polyhedron_face *f = &p->face[(int)(part(rng) * p->faces)];
    zn_vec3                   x = {0, 0, 0};
    double                    sum = 0;
    for (int i = 0; i < f->count; i++) {
        double w = part(rng);
        x = ahead(x, w, p->vertex[p->corner[f->first + i]]), sum += w;
    }
    return (touch){f->normal, zn_vec3_scale(1 / sum, x), p->edge[p->side[f->first]].along, 0, false};
}

static inline touch on_edge(const zn_polyhedron *p, uint64_t *rng)
{
    const zn_polyhedron_edge *e = &p->edge[(int)(part(rng) * p->edges)];
    int                       k = part(rng) < 0.5;
    zn_vec3                   n = ahead(p->face[e->face[k]].normal, little(rng), p->face[e->face[!k]].normal);
    return (touch){unit(n), ahead(p->vertex[e->vertex[0]], part(rng) * e->length, e->along), e->along, 1, false};
}

static inline touch on_vertex(const zn_polyhedron *p, uint64_t *rng)
{
    int     v = (int)(part(rng) * p->vertices);
    zn_vec3 n = {0, 0, 0}, t = n;
    for (int i = 0; i < p->edges; i++)
        for (int k = 0; k < 2; k++)
            if (p->edge[i].vertex[0] == v || p->edge[i].vertex[1] == v)
                n = ahead(n, little(rng), p->face[p->edge[i].face[k]].normal), t = p->edge[i].along;
    return (touch){unit(n), p->vertex[v], t, 2, false};
}

static inline touch on_cylinder(const figure *f, uint64_t *rng)
{
    zn_vec3 u = zn_vec3_scale(part(rng) < 0.5 ? -1 : 1, zn_cylinder_axis(&f->s));
    zn_vec3 r = beside(u, direction(rng)), t = zn_vec3_cross(u, r);
    zn_vec3 end = ahead(f->s.at, f->s.length / 2, u);
    int     kind = (int)((f->s.length > 0 ? 3 : 2) * part(rng));
    if (kind == 0) // its corners stand for a rim that lies flat
        return (touch){u, ahead(end, 0.96 * f->s.radius * part(rng), r), r, 0, true};
    if (kind == 2)
        return (touch){r, ahead(ahead(f->s.at, f->s.radius, r), f->s.length * (part(rng) - 0.5), u), u, 0, false};
    double angle = part(rng) < 0.5 ? 2.2e-3 + 1.5 * part(rng) : acos(0.0) - little(rng);
    return (touch){ahead(zn_vec3_scale(cos(angle), u), sin(angle), r), ahead(end, f->s.radius, r), t, 1, false};
}

static inline touch on_round(const figure *f, uint64_t *rng)
{
    zn_vec3 any = direction(rng), u = zn_cylinder_axis(&f->s);
    zn_vec3 side = beside(u, any);
    int     kind = f->s.kind == ZN_SHAPE_SPHERE ? 0 : (int)(3 * part(rng));
    if (kind == 1)
        return (touch){side, ahead(ahead(f->s.at, f->s.radius, side), f->s.length * (part(rng) - 0.5), u), u, 0, false};
    if (kind == 2) // on a tip, often near its border
        any = unit(ahead(side, little(rng), u));
    return (touch){any, quad_round(farthest_own(f, quad_of(any))), kind == 0 ? side : u, 0, false};
}

static inline touch touch_of(const figure *f, uint64_t *rng)
{
    if (f->s.kind == ZN_SHAPE_PLANE) {
        zn_vec3 t = beside(f->s.normal, direction(rng));
        return (touch){f->s.normal, ahead(f->s.at, part(rng), t), t, 0, false};
    }
    if (f->s.kind == ZN_SHAPE_CYLINDER)
        return on_cylinder(f, rng);
    if (!f->solid)
        return on_round(f, rng);
    int kind = (int)(3 * part(rng));
    return kind == 0 ? on_face(f->solid, rng) : kind == 1 ? on_edge(f->solid, rng) : on_vertex(f->solid, rng);
}

// --- placed --------------------------------------------------------------------------------------

static inline zn_mat3 frame_of(zn_vec3 n, zn_vec3 t)
{
    zn_vec3 x = unit(ahead(t, -zn_vec3_dot(n, t), n)), y;
    x = unit(ahead(x, -zn_vec3_dot(n, x), n)); // t may be nearly along n
    y = zn_vec3_cross(n, x);
    return (zn_mat3){{{x.x, y.x, n.x}, {x.y, y.y, n.y}, {x.z, y.z, n.z}}};
}

/// As orthogonal as double precision can be.
static inline zn_mat3 orthogonal(zn_mat3 m)
{
    quad3 x = quad_unit((quad3){m.m[0][0], m.m[1][0], m.m[2][0]}), y = {m.m[0][1], m.m[1][1], m.m[2][1]};
    y = quad_unit(quad_across(y, x));
    zn_vec3 a = quad_round(x), b = quad_round(y), c = quad_round(quad_cross(x, y));
    return (zn_mat3){{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
}

/// Ridges along each other have no normal: the least angle at which they are drawn. Poses have had one number since
/// rims were not right below 1e-3, and keep it; those from a million on are finer, rims again from two millions on.
static inline double least_angle(const figure *a, const figure *b, long number)
{
    if (a->s.kind != ZN_SHAPE_CYLINDER && b->s.kind != ZN_SHAPE_CYLINDER)
        return number < 1000000 ? 1e-5 : 1.5e-6;
    return number < 1000000 ? 1e-3 : number < 2000000 ? 1e-4 : 1e-5;
}

/// Body a so that its touch is opposite to that of b, `gap` away. Where the features have directions these are often
/// parallel, or nearly. Returns the normal from b to a, and the angle between the directions.
static inline zn_vec3 figure_place(figure *a, const touch *of_a, const figure *b, const touch *of_b, double gap,
                                   long number, uint64_t *rng, double *about_out)
{
    double about = part(rng) < 0.5 ? 6.3 * part(rng) : part(rng) < 0.5 ? 0 : little(rng);
    if (of_a->sharp == 1 && of_b->sharp == 1)
        about = fmax(about, least_angle(a, b, number));
    *about_out = about;
    zn_vec3 n = zn_rigid_vector(&b->body, of_b->n), x = zn_rigid_point(&b->body, of_b->x);
    zn_vec3 t = zn_rigid_vector(&b->body, of_b->t), down = zn_vec3_scale(-1, n);
    zn_mat3 turn = zn_quat_matrix(zn_so3_exp(zn_vec3_scale(about, n)));
    zn_mat3 to = frame_of(down, zn_mat3_apply(turn, t)), from = frame_of(of_a->n, of_a->t);
    a->body.rotation = orthogonal(zn_mat3_product(to, zn_mat3_transpose(from)));
    a->body.position = zn_vec3_sub(ahead(x, gap, n), zn_mat3_apply(a->body.rotation, of_a->x));
    return n;
}

#endif
