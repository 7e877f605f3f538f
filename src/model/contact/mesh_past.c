#include "model/contact/mesh_past.h"

#define LEVEL 1e-9 // sine: an edge that is in a plane

// Do all edges of the corner go up along n, in its own axes?
static bool is_lowest(zn_tip tip, zn_vec3 n)
{
    const zn_mesh_shape *m = tip.mesh;
    const zn_polyhedron *h = tip.hull;
    for (int i = m ? m->spokes[tip.point] : 0; m && i < m->spokes[tip.point + 1]; i++)
        if (zn_vec3_dot(n, zn_mesh_spoke(m, m->spoke[i], tip.point)) < -LEVEL)
            return false;
    for (int i = m ? 0 : h->first[tip.point]; !m && i < h->first[tip.point + 1]; i++) {
        zn_vec3 way = zn_vec3_sub(h->vertex[h->neighbour[i]], h->vertex[tip.point]);
        if (zn_vec3_dot(n, way) < -LEVEL * zn_vec3_norm(way))
            return false;
    }
    return true;
}

static double same_cosine(const zn_mesh_near *s, zn_vec3 velocity, zn_vec3 normal)
{
    return zn_past_cosine(-zn_vec3_dot(velocity, normal) * s->horizon, s->tolerance);
}

bool zn_tip_slides_past(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity, zn_vec3 normal,
                        zn_vec3 beside)
{
    return zn_vec3_dot(normal, beside) < same_cosine(s, velocity, normal) &&
           zn_vec3_dot(velocity, beside) * s->horizon >= -s->tolerance &&
           is_lowest(tip, zn_mat3_apply(zn_mat3_transpose(*back), beside));
}

// Is all of the mesh around one of its points behind the plane with this normal?
static bool is_highest(const zn_mesh_shape *m, int point, zn_vec3 n)
{
    for (int i = m->spokes[point]; i < m->spokes[point + 1]; i++)
        if (zn_vec3_dot(n, zn_mesh_spoke(m, m->spoke[i], point)) > LEVEL)
            return false;
    return true;
}

// At a point of the mesh all faces around it count that have the mesh behind them, not those beside the triangle alone.
static bool slides_past_point(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity, zn_vec3 normal,
                              const zn_mesh_shape *m, int point, zn_vec3 *beside)
{
    for (int i = m->spokes[point]; i < m->spokes[point + 1]; i++) {
        const zn_mesh_line *e = &m->edge[m->spoke[i]];
        for (int k = 0; k < 2; k++) {
            *beside = m->plane[e->face[k]].normal;
            if (is_highest(m, point, *beside) && zn_tip_slides_past(s, tip, back, velocity, normal, *beside))
                return true;
        }
    }
    return false;
}

// --- planes of the corner itself -----------------------------------------------------------------

static void spread_from_edge(zn_spread *out, zn_vec3 along, zn_vec3 in0, zn_vec3 in1)
{
    *out = (zn_spread){4, {along, zn_vec3_scale(-1, along), in0, in1}};
}

static void spread_from_point(zn_spread *out, const zn_mesh_shape *m, int point)
{
    int first = m->spokes[point], count = m->spokes[point + 1] - first;
    if (count == 2) { // an edge goes on
        const zn_mesh_line *e = &m->edge[m->spoke[first]];
        spread_from_edge(out, e->along, zn_vec3_scale(-1, e->beyond[0]), zn_vec3_scale(-1, e->beyond[1]));
    }
    if (count <= 2 || count > ZN_SPREAD)
        return;
    out->count = count;
    for (int i = 0; i < count; i++)
        out->way[i] = zn_mesh_spoke(m, m->spoke[first + i], point);
}

static void spread_from_vertex(zn_spread *out, const zn_polyhedron *h, int vertex)
{
    int first = h->first[vertex], count = h->first[vertex + 1] - first;
    if (count > ZN_SPREAD)
        return;
    out->count = count;
    for (int i = 0; i < count; i++) {
        zn_vec3 way = zn_vec3_sub(h->vertex[h->neighbour[first + i]], h->vertex[vertex]);
        out->way[i] = zn_vec3_scale(1 / zn_vec3_norm(way), way);
    }
}

// At x on a triangle; none inside of it.
static zn_spread spread_on_triangle(const zn_mesh_near *s, const zn_mesh_shape *m, int triangle, zn_vec3 x)
{
    zn_spread out = {.count = 0};
    for (int k = 0; k < 3; k++) {
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        int                 own = e->triangle[0] == triangle ? 0 : 1;
        if (e->bend == ZN_BEND_CONVEX && zn_vec3_dot(zn_vec3_sub(x, m->point[e->a]), e->beyond[own]) >= -s->tolerance)
            spread_from_edge(&out, e->along, zn_vec3_scale(-1, e->beyond[0]), zn_vec3_scale(-1, e->beyond[1]));
    }
    for (int k = 0; k < 3; k++) {
        int point = m->corner[3 * triangle + k];
        if (zn_vec3_norm(zn_vec3_sub(x, m->point[point])) <= 2 * s->tolerance)
            spread_from_point(&out, m, point);
    }
    return out;
}

static zn_spread spread_on_face(const zn_mesh_near *s, const zn_polyhedron *h, int face, zn_vec3 x)
{
    const zn_polyhedron_face *f = &h->face[face];
    zn_spread                 out = {.count = 0};
    for (int k = f->first; k < f->first + f->count; k++) {
        const zn_polyhedron_edge *e = &h->edge[h->side[k]];
        if (zn_vec3_dot(zn_vec3_sub(x, h->vertex[e->vertex[0]]), e->inward[e->face[0] == face ? 0 : 1]) <= s->tolerance)
            spread_from_edge(&out, e->along, e->inward[0], e->inward[1]);
    }
    for (int k = f->first; k < f->first + f->count; k++)
        if (zn_vec3_norm(zn_vec3_sub(x, h->vertex[h->corner[k]])) <= 2 * s->tolerance)
            spread_from_vertex(&out, h, h->corner[k]);
    return out;
}

// Is all that goes out in front of a face of the corner with the normal w, and stays so?
static bool is_before(const zn_mesh_near *s, const zn_spread *out, zn_vec3 w, zn_vec3 velocity)
{
    for (int i = 0; i < out->count; i++)
        if (zn_vec3_dot(w, out->way[i]) < -LEVEL)
            return false;
    return zn_vec3_dot(w, velocity) * s->horizon <= s->tolerance;
}

bool zn_tip_past_own(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity, zn_vec3 normal,
                     const zn_spread *out, zn_vec3 *beside)
{
    const zn_mesh_shape *m = tip.mesh;
    const zn_polyhedron *h = tip.hull;
    int                  first = m ? m->spokes[tip.point] : h->first[tip.point];
    int                  end = m ? m->spokes[tip.point + 1] : h->first[tip.point + 1];
    double               same = same_cosine(s, velocity, normal);
    for (int i = 2 * first; out->count > 0 && i < 2 * end; i++) {
        zn_vec3 f = m ? m->plane[m->edge[m->spoke[i / 2]].face[i % 2]].normal
                      : h->face[h->edge[h->spoke[i / 2]].face[i % 2]].normal;
        zn_vec3 w = zn_mat3_apply(*back, f);
        *beside = zn_vec3_scale(-1, w);
        if (zn_vec3_dot(*beside, normal) < same && is_before(s, out, w, velocity) &&
            (m == NULL || is_highest(m, tip.point, f)))
            return true;
    }
    return false;
}

zn_spread zn_spread_of_tip(zn_tip tip, const zn_mat3 *back)
{
    zn_spread out = {.count = 0};
    if (tip.mesh)
        spread_from_point(&out, tip.mesh, tip.point);
    else
        spread_from_vertex(&out, tip.hull, tip.point);
    for (int i = 0; i < out.count; i++)
        out.way[i] = zn_mat3_apply(*back, out.way[i]);
    return out;
}

zn_spread zn_spread_of_edge(zn_vec3 along, const zn_vec3 beyond[2])
{
    zn_spread out;
    spread_from_edge(&out, along, zn_vec3_scale(-1, beyond[0]), zn_vec3_scale(-1, beyond[1]));
    return out;
}

// --- corners on faces ----------------------------------------------------------------------------

bool zn_tip_past_triangle(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                          const zn_mesh_shape *m, int triangle, zn_vec3 x, zn_vec3 *beside)
{
    zn_vec3 normal = m->plane[m->face[triangle]].normal;
    for (int k = 0; k < 3; k++) {
        int point = m->corner[3 * triangle + k];
        if (zn_vec3_norm(zn_vec3_sub(x, m->point[point])) <= 2 * s->tolerance &&
            slides_past_point(s, tip, back, velocity, normal, m, point, beside))
            return true;
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        int                 own = e->triangle[0] == triangle ? 0 : 1;
        *beside = m->plane[e->face[1 - own]].normal;
        if (e->bend == ZN_BEND_CONVEX && zn_vec3_dot(zn_vec3_sub(x, m->point[e->a]), e->beyond[own]) >= -s->tolerance &&
            zn_tip_slides_past(s, tip, back, velocity, normal, *beside))
            return true;
    }
    zn_spread out = spread_on_triangle(s, m, triangle, x);
    return zn_tip_past_own(s, tip, back, velocity, normal, &out, beside);
}

// At a vertex all faces around it count.
static bool slides_past_vertex(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity, zn_vec3 normal,
                               const zn_polyhedron *h, int vertex, zn_vec3 *beside)
{
    for (int i = 2 * h->first[vertex]; i < 2 * h->first[vertex + 1]; i++) {
        *beside = h->face[h->edge[h->spoke[i / 2]].face[i % 2]].normal;
        if (zn_tip_slides_past(s, tip, back, velocity, normal, *beside))
            return true;
    }
    return false;
}

bool zn_tip_past_face(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                      const zn_polyhedron *hull, int face, zn_vec3 x, zn_vec3 *beside)
{
    const zn_polyhedron_face *f = &hull->face[face];
    for (int k = f->first; k < f->first + f->count; k++) {
        if (zn_vec3_norm(zn_vec3_sub(x, hull->vertex[hull->corner[k]])) <= 2 * s->tolerance &&
            slides_past_vertex(s, tip, back, velocity, f->normal, hull, hull->corner[k], beside))
            return true;
        const zn_polyhedron_edge *e = &hull->edge[hull->side[k]];
        int                       own = e->face[0] == face ? 0 : 1;
        *beside = hull->face[e->face[1 - own]].normal;
        if (zn_vec3_dot(zn_vec3_sub(x, hull->vertex[e->vertex[0]]), e->inward[own]) <= s->tolerance &&
            zn_tip_slides_past(s, tip, back, velocity, f->normal, *beside))
            return true;
    }
    zn_spread out = spread_on_face(s, hull, face, x);
    return zn_tip_past_own(s, tip, back, velocity, f->normal, &out, beside);
}
