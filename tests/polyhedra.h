// Polyhedra for tests, placed and moving, and brute force in quadruple precision over all pairs of features.
#ifndef ZN_TESTS_POLYHEDRA_H
#define ZN_TESTS_POLYHEDRA_H

#include <math.h>
#include <stdlib.h>

#include "model/contact/meet_polyhedra.h"
#include "model/contact/polyhedron.h"

__extension__ typedef __float128 quad;

static unsigned long long random_state = 1;

// Uniform in [a, b].
static inline double uniform(double a, double b)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return a + (b - a) * ((double)(random_state >> 11) / 9007199254740992.0);
}

static inline zn_vec3 any_vector(double size)
{
    return (zn_vec3){uniform(-size, size), uniform(-size, size), uniform(-size, size)};
}

static inline zn_mat3 any_rotation(double angle) { return zn_quat_matrix(zn_so3_exp(any_vector(angle))); }

static inline zn_polyhedron *any_polyhedron(bool box)
{
    zn_polyhedron *p = NULL;
    const char    *why;
    zn_vec3        x[40];
    int            count = (int)(uniform(0, 1) < 0.9 ? uniform(5, 12) : uniform(12, 40));
    if (box) {
        if (zn_polyhedron_box(any_vector(0.1), any_rotation(2), (zn_vec3){uniform(0.2, 1), uniform(0.2, 1), 0.5}, &p) !=
            ZN_OK)
            abort();
        return p;
    }
    for (int i = 0; i < count; i++)
        x[i] = any_vector(1);
    if (zn_polyhedron_hull((zn_vec3){0.1, 0.2, 0}, any_rotation(2), count, x, &p, &why) != ZN_OK)
        abort();
    return p;
}

// --- quadruple precision -------------------------------------------------------------------------

typedef struct qvec {
    quad x, y, z;
} qvec;

static qvec q_of(zn_vec3 a) { return (qvec){a.x, a.y, a.z}; }
static qvec q_add(qvec a, qvec b) { return (qvec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static qvec q_sub(qvec a, qvec b) { return (qvec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static qvec q_scale(quad s, qvec a) { return (qvec){s * a.x, s * a.y, s * a.z}; }
static quad q_dot(qvec a, qvec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static qvec q_cross(qvec a, qvec b)
{
    return (qvec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static quad q_sqrt(quad a)
{
    quad r = sqrt((double)a);
    for (int i = 0; i < 3 && r > 0; i++)
        r = (r + a / r) / 2;
    return r;
}

static qvec q_unit(qvec a) { return q_scale(1 / q_sqrt(q_dot(a, a)), a); }

static qvec q_turn(const zn_mat3 *R, qvec x)
{
    const double(*m)[3] = R->m;
    return (qvec){m[0][0] * x.x + m[0][1] * x.y + m[0][2] * x.z, m[1][0] * x.x + m[1][1] * x.y + m[1][2] * x.z,
                  m[2][0] * x.x + m[2][1] * x.y + m[2][2] * x.z};
}

static qvec q_point(const zn_rigid *body, zn_vec3 x)
{
    return q_add(q_of(body->position), q_turn(&body->rotation, q_of(x)));
}
static qvec q_vector(const zn_rigid *body, zn_vec3 x) { return q_turn(&body->rotation, q_of(x)); }

// A pair of features by brute force, world axes.
typedef struct qpair {
    qvec n;
    quad gap;
    quad inside; // how far the touching point is inside both features, negative: outside
    quad arc;    // how far the normal is inside the arcs of both edges
} qpair;

// How far a point is inside a face, across its sides.
static quad q_over(const zn_polyhedron *p, const zn_rigid *body, int face, qvec x)
{
    const zn_polyhedron_face *f = &p->face[face];
    quad                      least = 1e30;
    for (int k = 0; k < f->count; k++) {
        qvec a = q_point(body, p->vertex[p->corner[f->first + k]]);
        qvec b = q_point(body, p->vertex[p->corner[f->first + (k + 1) % f->count]]);
        quad in = q_dot(q_unit(q_cross(q_vector(body, f->normal), q_sub(b, a))), q_sub(x, a));
        least = in < least ? in : least;
    }
    return least;
}

static inline qpair q_vertex_face(const zn_polyhedron *P, const zn_rigid *at, int vertex, const zn_polyhedron *F,
                                  const zn_rigid *body, int face)
{
    const zn_polyhedron_face *f = &F->face[face];
    qvec                      x = q_point(at, P->vertex[vertex]), n = q_vector(body, f->normal);
    qpair                     out = {.n = n, .arc = 1};
    out.gap = q_dot(n, q_sub(x, q_point(body, F->vertex[F->corner[f->first]])));
    out.inside = q_over(F, body, face, x);
    return out;
}

static quad q_arc(const zn_polyhedron *p, const zn_rigid *body, const zn_polyhedron_edge *e, qvec n)
{
    quad least = 1;
    for (int k = 0; k < 2; k++) {
        const zn_polyhedron_face *f = &p->face[e->face[k]];
        qvec                      along = q_vector(body, e->along), normal = q_vector(body, f->normal);
        qvec                      in = k == 0 ? q_cross(normal, along) : q_cross(along, normal);
        quad                      away = -q_dot(n, in);
        least = away < least ? away : least;
    }
    return least;
}

// False: they are parallel.
static inline bool q_edge_edge(const zn_polyhedron *A, const zn_rigid *a, int i, const zn_polyhedron *B,
                               const zn_rigid *b, int j, qpair *out)
{
    const zn_polyhedron_edge *e = &A->edge[i], *f = &B->edge[j];
    qvec                      u = q_vector(a, e->along), w = q_vector(b, f->along), c = q_cross(u, w);
    quad                      square = q_dot(c, c);
    if (square < 1e-12)
        return false;
    qvec x = q_point(a, A->vertex[e->vertex[0]]), y = q_point(b, B->vertex[f->vertex[0]]), d = q_sub(y, x);
    qvec outward = q_sub(q_vector(b, f->out), q_vector(a, e->out));
    out->n = q_scale(q_dot(c, outward) < 0 ? -1 : 1, q_unit(c));
    out->gap = -q_dot(out->n, d);
    quad s = q_dot(q_cross(d, w), c) / square, r = q_dot(q_cross(d, u), c) / square;
    quad in[4] = {s, e->length - s, r, f->length - r};
    out->inside = in[0];
    for (int k = 1; k < 4; k++)
        out->inside = in[k] < out->inside ? in[k] : out->inside;
    quad of_a = q_arc(A, a, e, q_scale(-1, out->n)), of_b = q_arc(B, b, f, out->n);
    out->arc = of_a < of_b ? of_a : of_b;
    return true;
}

// Pair by its numbers; false: there is none.
static inline bool q_pair(const zn_polyhedron *A, const zn_rigid *a, int i, const zn_polyhedron *B, const zn_rigid *b,
                          int j, qpair *out)
{
    int edges_a = A->vertices + A->edges, edges_b = B->vertices + B->edges;
    if (i < A->vertices && j >= edges_b)
        *out = q_vertex_face(A, a, i, B, b, j - edges_b);
    else if (i >= edges_a && j < B->vertices) {
        *out = q_vertex_face(B, b, j, A, a, i - edges_a);
        out->n = q_scale(-1, out->n);
    } else
        return i >= A->vertices && i < edges_a && j >= B->vertices && j < edges_b &&
               q_edge_edge(A, a, i - A->vertices, B, b, j - B->vertices, out);
    return true;
}

// Is its gap between -1 mm and `most`, in double precision: worth a closer look?
static inline bool is_worth(const zn_polyhedron *A, const zn_rigid *a, int i, const zn_polyhedron *B, const zn_rigid *b,
                            int j, double most)
{
    int edges_a = A->vertices + A->edges, edges_b = B->vertices + B->edges;
    if ((i < A->vertices) != (j >= edges_b) || (i >= edges_a) != (j < B->vertices))
        return false;
    double gap;
    if (i < A->vertices) {
        zn_vec3 n = zn_rigid_vector(b, B->face[j - edges_b].normal);
        gap = zn_vec3_dot(n, zn_vec3_sub(zn_rigid_point(a, A->vertex[i]), b->position)) - B->face[j - edges_b].offset;
    } else if (i >= edges_a) {
        zn_vec3 n = zn_rigid_vector(a, A->face[i - edges_a].normal);
        gap = zn_vec3_dot(n, zn_vec3_sub(zn_rigid_point(b, B->vertex[j]), a->position)) - A->face[i - edges_a].offset;
    } else {
        const zn_polyhedron_edge *e = &A->edge[i - A->vertices], *f = &B->edge[j - B->vertices];
        zn_vec3                   c = zn_vec3_cross(zn_rigid_vector(a, e->along), zn_rigid_vector(b, f->along));
        zn_vec3 d = zn_vec3_sub(zn_rigid_point(a, A->vertex[e->vertex[0]]), zn_rigid_point(b, B->vertex[f->vertex[0]]));
        gap = fabs(zn_vec3_dot(c, d)) / zn_vec3_norm(c); // whatever its sign
    }
    return gap > -1e-3 && gap < most;
}

// A vertex from which an edge goes down to the face, more steeply than nearly flat.
static inline bool is_hidden(const zn_polyhedron *A, const zn_rigid *a, int i, const zn_polyhedron *B,
                             const zn_rigid *b, int j, qvec normal)
{
    if (i >= A->vertices && i < A->vertices + A->edges)
        return false;
    bool                 of_a = i < A->vertices, hidden = false;
    const zn_polyhedron *P = of_a ? A : B;
    int                  v = of_a ? i : j;
    zn_vec3              n = {(double)normal.x, (double)normal.y, (double)normal.z};
    for (int k = P->first[v]; k < P->first[v + 1]; k++) {
        zn_vec3 way = zn_rigid_vector(of_a ? a : b, zn_vec3_sub(P->vertex[P->neighbour[k]], P->vertex[v]));
        hidden |= (of_a ? 1 : -1) * zn_vec3_dot(n, way) < -0.09 * zn_vec3_norm(way);
    }
    return hidden;
}

// --- placed --------------------------------------------------------------------------------------

static inline zn_rigid placed(zn_vec3 position, zn_mat3 rotation) { return (zn_rigid){NULL, position, rotation}; }

// A body after a time: its centre goes straight, it turns about it.
static inline zn_rigid after(const zn_rigid *body, zn_vec3 velocity, zn_vec3 spin, double t)
{
    return placed(zn_vec3_add(body->position, zn_vec3_scale(t, velocity)),
                  zn_mat3_product(zn_quat_matrix(zn_so3_exp(zn_vec3_scale(t, spin))), body->rotation));
}

// Its motion as a question wants it.
static inline zn_feature_motion motion(const zn_rigid *body, zn_vec3 velocity, zn_vec3 spin)
{
    return (zn_feature_motion){zn_vec3_sub(velocity, zn_vec3_cross(spin, body->position)), spin};
}

// How far apart along a direction, by all vertices.
static inline double apart_along(const zn_polyhedron *A, const zn_rigid *a, const zn_polyhedron *B, const zn_rigid *b,
                                 zn_vec3 n)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < A->vertices; i++)
        low = fmin(low, zn_vec3_dot(n, zn_rigid_point(a, A->vertex[i])));
    for (int i = 0; i < B->vertices; i++)
        high = fmax(high, zn_vec3_dot(n, zn_rigid_point(b, B->vertex[i])));
    return low - high;
}

// The largest of all directions that can be: normals of both, and across edges of both.
static inline double apart(const zn_polyhedron *A, const zn_rigid *a, const zn_polyhedron *B, const zn_rigid *b)
{
    double best = -INFINITY;
    for (int i = 0; i < A->faces; i++)
        best = fmax(best, apart_along(A, a, B, b, zn_vec3_scale(-1, zn_rigid_vector(a, A->face[i].normal))));
    for (int i = 0; i < B->faces; i++)
        best = fmax(best, apart_along(A, a, B, b, zn_rigid_vector(b, B->face[i].normal)));
    for (int i = 0; i < A->edges; i++)
        for (int j = 0; j < B->edges; j++) {
            zn_vec3 c = zn_vec3_cross(zn_rigid_vector(a, A->edge[i].along), zn_rigid_vector(b, B->edge[j].along));
            double  length = zn_vec3_norm(c);
            if (length < 1e-6)
                continue;
            zn_vec3 n = zn_vec3_scale(1 / length, c), out = zn_rigid_vector(b, B->edge[j].out);
            best = fmax(best, apart_along(A, a, B, b, zn_vec3_dot(n, out) < 0 ? zn_vec3_scale(-1, n) : n));
        }
    return best;
}

#endif
