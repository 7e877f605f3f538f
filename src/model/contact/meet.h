/// Which features of two shapes are near: what the files meet_NAME.c answer for pairs of shapes.
#ifndef ZN_MODEL_CONTACT_MEET_H
#define ZN_MODEL_CONTACT_MEET_H

#include "model/contact/feature.h"
#include "model/contact/shape.h"

/// Two shapes on bodies A and B that move. A pair of features is near when its gap may close within the horizon, and
/// then the point where it would touch belongs to both features. Answers depend on this alone, not on what was before.
typedef struct zn_near {
    zn_rigid          A, B;
    zn_feature_motion a, b;    ///< of the bodies in world axes; zero: nothing moves
    double            horizon; ///< [s]
    double            slack;   ///< [m] gap that is near whatever the motion
    bool              planar;
    double            fall;   ///< [m] of the slack, what loads may close within the horizon
    double            weight; ///< [m] of the fall, that of gravity alone: twice what it closes
    double            deeper; ///< [m] shapes that are less deep inside each other need not be told; 0: all
} zn_near;

static inline int64_t zn_feature_pair(int a, int b) { return (int64_t)a << 32 | (int64_t)(uint32_t)b; }
static inline int     zn_feature_first(int64_t pair) { return (int)(pair >> 32); }
static inline int     zn_feature_second(int64_t pair) { return (int)(pair & 0xffffffff); }

/// One more pair; grows the list where it must.
zn_status zn_feature_found(zn_feature_list *list, int a, int b);

/// Largest gap at x that is near: the slack, and what the bodies close there if they move straight at each other.
double zn_near_reach(const zn_near *at, zn_vec3 x);

/// How shapes of two kinds meet; kind of a >= kind of b.
typedef zn_status zn_meet(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out);

/// NULL: there is none. `*swapped`: it wants b first.
zn_meet *zn_meet_of(zn_shape_kind a, zn_shape_kind b, bool planar, bool *swapped);

/// What two shapes have near each other, less what is kept apart by another pair of theirs. Kind of a >= kind of b.
zn_status zn_meet_shapes(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out);

#define ZN_RESTS 0.1 ///< of the depth along the direction by which bodies leave: that of what they rest on

#define ZN_SAME_PLANE 0.9 ///< cosine: planes nearer to each other hold the same thing

/// A pair slides past a plane through its place that keeps the bodies apart for the whole horizon, unless both hold the
/// same thing: up to which cosine of their normals? What closes by `closing` within the horizon, more than the length
/// `tiny`, would only be in the way.
static inline double zn_past_cosine(double closing, double tiny)
{
    return closing > 4 * tiny ? 1 - 1e-9 : ZN_SAME_PLANE;
}

#endif
