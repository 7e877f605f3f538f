#include "model/contact/mesh_past.h"

#define SAME  0.9  // cosine: faces that hold the same thing
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

bool zn_tip_slides_past(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity, zn_vec3 normal,
                        zn_vec3 beside)
{
    return zn_vec3_dot(normal, beside) < SAME && zn_vec3_dot(velocity, beside) * s->horizon >= -s->tolerance &&
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
                              const zn_mesh_shape *m, int point)
{
    for (int i = m->spokes[point]; i < m->spokes[point + 1]; i++) {
        const zn_mesh_line *e = &m->edge[m->spoke[i]];
        for (int k = 0; k < 2; k++) {
            zn_vec3 beside = m->plane[e->face[k]].normal;
            if (is_highest(m, point, beside) && zn_tip_slides_past(s, tip, back, velocity, normal, beside))
                return true;
        }
    }
    return false;
}

bool zn_tip_past_triangle(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                          const zn_mesh_shape *m, int triangle, zn_vec3 x)
{
    zn_vec3 normal = m->plane[m->face[triangle]].normal;
    for (int k = 0; k < 3; k++) {
        int point = m->corner[3 * triangle + k];
        if (zn_vec3_norm(zn_vec3_sub(x, m->point[point])) <= 2 * s->tolerance &&
            slides_past_point(s, tip, back, velocity, normal, m, point))
            return true;
        const zn_mesh_line *e = &m->edge[m->side[3 * triangle + k]];
        int                 own = e->triangle[0] == triangle ? 0 : 1;
        if (e->bend == ZN_BEND_CONVEX && zn_vec3_dot(zn_vec3_sub(x, m->point[e->a]), e->beyond[own]) >= -s->tolerance &&
            zn_tip_slides_past(s, tip, back, velocity, normal, m->plane[e->face[1 - own]].normal))
            return true;
    }
    return false;
}

bool zn_tip_past_face(const zn_mesh_near *s, zn_tip tip, const zn_mat3 *back, zn_vec3 velocity,
                      const zn_polyhedron *hull, int face, zn_vec3 x)
{
    const zn_polyhedron_face *f = &hull->face[face];
    for (int k = f->first; k < f->first + f->count; k++) {
        const zn_polyhedron_edge *e = &hull->edge[hull->side[k]];
        int                       own = e->face[0] == face ? 0 : 1;
        if (zn_vec3_dot(zn_vec3_sub(x, hull->vertex[e->vertex[0]]), e->inward[own]) <= s->tolerance &&
            zn_tip_slides_past(s, tip, back, velocity, f->normal, hull->face[e->face[1 - own]].normal))
            return true;
    }
    return false;
}
