/// A shape seen from another one: where it is and how it moves in the axes of the other's body. A search for features
/// asks where points are now and where they will be when they touch; motion is taken as straight, x + t v(x).
#ifndef ZN_MODEL_CONTACT_MEET_VIEW_H
#define ZN_MODEL_CONTACT_MEET_VIEW_H

#include "model/contact/meet.h"

typedef struct zn_view {
    zn_mat3 R; ///< axes of the body that is seen to those of the one that sees it
    zn_vec3 p;
    zn_vec3 origin, spin; ///< v(x) = origin + spin x x
    double  horizon;
    double  bend;  ///< how far turning takes points off the straight line within the horizon
    double  slack; ///< that of the question, and the bend
} zn_view;

/// How body A is seen from B, and B from A. `reach`: how far the shapes stretch from the centres of their bodies.
zn_view zn_view_from_b(const zn_near *at, double reach_a, double reach_b);
zn_view zn_view_from_a(const zn_near *at, double reach_a, double reach_b);

static inline zn_vec3 zn_view_point(const zn_view *v, zn_vec3 x) { return zn_vec3_add(v->p, zn_mat3_apply(v->R, x)); }
static inline zn_vec3 zn_view_vector(const zn_view *v, zn_vec3 x) { return zn_mat3_apply(v->R, x); }
/// A direction of the one that sees, in the axes of the other.
static inline zn_vec3 zn_view_back(const zn_view *v, zn_vec3 x)
{
    return (zn_vec3){v->R.m[0][0] * x.x + v->R.m[1][0] * x.y + v->R.m[2][0] * x.z,
                     v->R.m[0][1] * x.x + v->R.m[1][1] * x.y + v->R.m[2][1] * x.z,
                     v->R.m[0][2] * x.x + v->R.m[1][2] * x.y + v->R.m[2][2] * x.z};
}
static inline zn_vec3 zn_view_velocity(const zn_view *v, zn_vec3 x)
{
    return zn_vec3_add(v->origin, zn_vec3_cross(v->spin, x));
}

/// Ask `meet`, which wants b first.
zn_status zn_meet_swapped(zn_meet *meet, const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                          zn_feature_list *out);

/// When a gap that changes at this rate is to be looked at: now, and a second time where that matters.
typedef struct zn_when {
    int    count; ///< 0: it is not near
    double time[2];
    bool   touch; ///< it is closed then
} zn_when;

/// A gap that closes within the horizon: when it does. One that is open but near, at most `most`, so that it may close
/// when an impact turns the motion round: now and at the end. Closed up to `tiny`: now. Deeper: never.
static inline zn_when zn_when_within(const zn_view *v, double tiny, double gap, double rate, double most)
{
    if (gap < -tiny || gap > most)
        return (zn_when){0, {0, 0}, false};
    if (gap <= tiny)
        return (zn_when){1, {0, 0}, true};
    if (gap + v->horizon * rate <= 0)
        return (zn_when){1, {-gap / rate, 0}, true};
    return (zn_when){v->horizon > 0 ? 2 : 1, {0, v->horizon}, false};
}

/// The same of a point with this speed.
static inline zn_when zn_when_near(const zn_view *v, double tiny, double gap, double rate, double speed)
{
    return zn_when_within(v, tiny, gap, rate, v->slack + v->horizon * speed);
}

#endif
