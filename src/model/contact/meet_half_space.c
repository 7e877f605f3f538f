// A plane and what ends in points: vertices of a polyhedron, ends of a capsule. All that touch it or may do so within
// the horizon are listed; but no vertex from which an edge goes steeply down to a lower one (meet_polyhedra.c).
#include "model/contact/meet_half_space.h"

#include <math.h>

#include "model/contact/meet_view.h"
#include "model/contact/polyhedron_cap.h"
#include "model/contact/shape_capsule.h"

// However deep it is: behind a plane there is nothing else.
static bool is_near(const zn_view *v, double gap, zn_vec3 x)
{
    return gap <= v->slack || gap <= v->slack + v->horizon * zn_vec3_norm(zn_view_velocity(v, x));
}

// No vertex of a polyhedron is near that is higher.
static double most_near(const zn_view *v, const zn_polyhedron *p)
{
    double fastest = zn_vec3_norm(zn_view_velocity(v, zn_view_point(v, p->centre))) + zn_vec3_norm(v->spin) * p->radius;
    return v->slack + (1 + 1e-9) * v->horizon * fastest;
}

static bool is_hidden(const zn_polyhedron *p, int vertex, zn_vec3 up, double tilt)
{
    for (int k = p->first[vertex]; k < p->first[vertex + 1]; k++) {
        zn_vec3 way = zn_vec3_sub(p->vertex[p->neighbour[k]], p->vertex[vertex]);
        double  rise = zn_vec3_dot(up, way);
        if (rise < 0 && rise * rise > tilt * tilt * zn_vec3_dot(way, way))
            return true;
    }
    return false;
}

zn_status zn_meet_polyhedron_plane(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                   zn_feature_list *out)
{
    const zn_polyhedron *p = a->data;
    zn_view              v = zn_view_from_b(at, p->reach, zn_vec3_norm(b->at));
    zn_vec3              up = zn_view_back(&v, b->normal);
    double               offset = zn_vec3_dot(b->normal, zn_vec3_sub(b->at, v.p));
    double               tilt = fmin(0.1 + at->horizon * zn_vec3_norm(v.spin), 0.5);
    zn_cap               low;
    zn_cap_above(p, zn_vec3_scale(-1, up), -offset - most_near(&v, p), 0, &low);
    for (int i = zn_cap_vertex(&low, 0); i < p->vertices; i = zn_cap_vertex(&low, i + 1)) {
        double gap = zn_vec3_dot(up, p->vertex[i]) - offset;
        if (is_near(&v, gap, zn_view_point(&v, p->vertex[i])) && !is_hidden(p, i, up, tilt))
            ZN_TRY(zn_feature_found(out, i, 0));
    }
    return ZN_OK;
}

zn_status zn_meet_plane_polyhedron(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                   zn_feature_list *out)
{
    return zn_meet_swapped(zn_meet_polyhedron_plane, a, b, at, out);
}

zn_status zn_meet_capsule_plane(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    zn_view v = zn_view_from_b(at, zn_vec3_norm(a->at) + 0.5 * a->length + a->radius, zn_vec3_norm(b->at));
    for (int i = 0; i < 2; i++) {
        zn_vec3 x = zn_view_point(&v, zn_capsule_end(a, i));
        double  gap = zn_vec3_dot(b->normal, zn_vec3_sub(x, b->at)) - a->radius;
        if (is_near(&v, gap, x))
            ZN_TRY(zn_feature_found(out, i, 0));
    }
    return ZN_OK;
}
