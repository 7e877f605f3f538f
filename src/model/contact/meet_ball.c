// A ball and a convex body have one contact: the feature nearest to the centre where they touch. With the distance d
// from the nearest feature, closed at the rate d', the ball goes on to where that one would be touched, and looks
// again: d is convex along a straight way, so that Newton's steps never go too far. A ball that is near but does not
// touch within the horizon has the feature that is nearest now, or, where that would be touched beyond its end, the one
// that the ball comes to instead. One that comes to a face where that ends, on which something slides off, meets the
// edge: of what it touches at once that counts which lasts, a moment later.
#include "model/contact/meet_ball.h"

#include <math.h>

#include "model/contact/meet_polyhedra.h"

int zn_ball_on(const void *core, zn_nearest *nearest, const zn_view *v, zn_vec3 x, double radius)
{
    enum { LOOKS = 16 };
    zn_vec3 velocity = zn_view_velocity(v, x), away;
    double  distance, t = 0, tiny = 1e-9 * radius, speed = zn_vec3_norm(velocity);
    int     feature = nearest(core, x, &distance, &away);
    bool    near = distance - radius <= v->slack + v->horizon * speed;
    for (int k = 0; k < LOOKS && distance - radius > (k == 0 ? tiny : 1e-3 * tiny); k++) {
        double rate = zn_vec3_dot(away, velocity), rest = rate < 0 ? -(distance - radius) / rate : INFINITY;
        if (!near || t + rest > v->horizon) // it does not touch, unless an impact turns it round
            return near ? feature : -1;
        t += rest;
        feature = nearest(core, zn_vec3_add(x, zn_vec3_scale(t, velocity)), &distance, &away);
    }
    if (t == 0 || !(speed > 0))
        return feature;
    t = fmin(t + 1e3 * tiny / speed, v->horizon);
    return nearest(core, zn_vec3_add(x, zn_vec3_scale(t, velocity)), &distance, &away);
}

static int nearest_of(const void *core, zn_vec3 x, double *distance, zn_vec3 *away)
{
    const zn_polyhedron *p = core;
    int                  index = zn_polyhedron_nearest(p, x, distance);
    zn_feature           f;
    zn_polyhedron_feature(p, index, &f);
    *away = f.along;
    if (f.kind == ZN_FEATURE_FACE)
        return index;
    zn_vec3 d = zn_vec3_sub(x, f.at);
    if (f.kind == ZN_FEATURE_EDGE)
        d = zn_vec3_sub(d, zn_vec3_scale(zn_vec3_dot(d, f.along), f.along));
    *away = zn_vec3_scale(1 / zn_vec3_norm(d), d);
    return index;
}

int zn_ball_on_polyhedron(const zn_polyhedron *p, const zn_view *v, zn_vec3 x, double radius)
{
    double speed = zn_vec3_norm(zn_view_velocity(v, x));
    if (zn_vec3_norm(zn_vec3_sub(x, p->centre)) > p->radius + radius + v->slack + v->horizon * speed)
        return -1;
    return zn_ball_on(p, nearest_of, v, x, radius);
}

zn_status zn_meet_polyhedron_sphere(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                    zn_feature_list *out)
{
    const zn_polyhedron *p = a->data;
    zn_view              v = zn_view_from_a(at, p->reach, zn_vec3_norm(b->at));
    int                  feature = zn_ball_on_polyhedron(p, &v, zn_view_point(&v, b->at), b->radius);
    return feature >= 0 ? zn_feature_found(out, feature, 0) : ZN_OK;
}
