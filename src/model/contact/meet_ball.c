// A ball and a polyhedron have one contact: the feature nearest to the centre where they touch. With the distance d
// from the nearest feature, closed at the rate d' while it stays the nearest, the ball goes on to where that one would
// be touched, and looks again; a ball that is near but does not touch within the horizon has the feature nearest now.
#include "model/contact/meet_ball.h"

#include <math.h>

#include "model/contact/meet_polyhedra.h"

// How fast the distance from a feature grows.
static double rate_of(const zn_polyhedron *p, int feature, zn_vec3 x, zn_vec3 velocity)
{
    zn_feature f;
    zn_polyhedron_feature(p, feature, &f);
    if (f.kind == ZN_FEATURE_FACE)
        return zn_vec3_dot(f.along, velocity);
    zn_vec3 d = zn_vec3_sub(x, f.at);
    if (f.kind == ZN_FEATURE_EDGE)
        d = zn_vec3_sub(d, zn_vec3_scale(zn_vec3_dot(d, f.along), f.along));
    double length = zn_vec3_norm(d);
    return length > 0 ? zn_vec3_dot(d, velocity) / length : 0;
}

int zn_ball_on_polyhedron(const zn_polyhedron *p, const zn_view *v, zn_vec3 x, double radius)
{
    enum { LOOKS = 16 };
    zn_vec3 velocity = zn_view_velocity(v, x);
    double  distance, t = 0, tiny = 1e-9 * radius;
    if (zn_vec3_norm(zn_vec3_sub(x, p->centre)) > p->radius + radius + v->slack + v->horizon * zn_vec3_norm(velocity))
        return -1;
    int  now = zn_polyhedron_nearest(p, x, &distance), feature = now;
    bool near = distance - radius <= v->slack;
    for (int k = 0; k < LOOKS && distance - radius > tiny; k++) {
        zn_vec3 at = zn_vec3_add(x, zn_vec3_scale(t, velocity));
        double  rate = rate_of(p, feature, at, velocity);
        if (!(rate < 0) || t - (distance - radius) / rate > v->horizon) {
            if (t > 0 || rate < 0) // how near it comes by the end
                zn_polyhedron_nearest(p, zn_vec3_add(x, zn_vec3_scale(v->horizon, velocity)), &distance);
            near = near || distance - radius <= v->slack;
            return near ? now : -1;
        }
        t -= (distance - radius) / rate;
        feature = zn_polyhedron_nearest(p, zn_vec3_add(x, zn_vec3_scale(t, velocity)), &distance);
    }
    return feature;
}

zn_status zn_meet_polyhedron_sphere(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                    zn_feature_list *out)
{
    const zn_polyhedron *p = a->data;
    zn_view              v = zn_view_from_a(at, p->reach, zn_vec3_norm(b->at));
    int                  feature = zn_ball_on_polyhedron(p, &v, zn_view_point(&v, b->at), b->radius);
    return feature >= 0 ? zn_feature_found(out, feature, 0) : ZN_OK;
}
