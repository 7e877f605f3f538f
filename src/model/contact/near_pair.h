/// Is a pair of features near? One by one, for shapes that are searched by trying.
#ifndef ZN_MODEL_CONTACT_NEAR_PAIR_H
#define ZN_MODEL_CONTACT_NEAR_PAIR_H

#include "model/contact/meet.h"

/// Does the point x of feature `index`, in the axes of its body, belong to the part of it that the shape has, with n
/// out of the shape there? `length` and `angle`: what may be missing.
typedef bool zn_feature_holds(const zn_pair_shape *s, int index, zn_vec3 x, zn_vec3 n, double length, double angle);

/// The farthest point of a shape along n, not of zero length, in the axes of its body.
typedef zn_vec3 zn_shape_farthest(const zn_pair_shape *s, zn_vec3 n);

/// Does a pair that would touch so, with its bodies there, belong to both shapes? For shapes whose features cannot tell
/// one by one. `angle`: what may be missing.
typedef bool zn_pair_belongs(const void *user, int a, int b, const zn_feature_place *at, const zn_rigid *A,
                             const zn_rigid *B, double angle);

enum { ZN_NEAR_PAIRS = 192 }; ///< those that are compared with each other
enum { ZN_NEAR_PLANES = 4 };

typedef struct zn_near_found {
    int     a, b;
    bool    face;  ///< one of them is a face
    bool    touch; ///< it is closed, or closes within the horizon
    double  gap;
    double  closing; ///< how fast [m/s]
    zn_vec3 point, normal;
} zn_near_found;

/// A plane that shapes slide past each other along.
typedef struct zn_near_front {
    zn_vec3 normal; ///< from b to a
    double  over;   ///< how far a is above b along it
} zn_near_front;

/// Two shapes whose features are tried.
typedef struct zn_near_pairs {
    const zn_pair_shape *a, *b;
    const zn_near       *at;
    zn_feature_holds    *a_holds, *b_holds;       ///< NULL: always
    zn_pair_belongs     *belongs;                 ///< NULL: always
    const void          *user;                    ///< its
    zn_shape_farthest   *a_farthest, *b_farthest; ///< NULL: nothing is too deep
    double               size;                    ///< of the smaller one [m], for what is nothing beside it
    zn_feature_list     *out;
    bool                 swapped; ///< the list wants b first
    int                  found, planes;
    zn_near_found        pair[ZN_NEAR_PAIRS];
    zn_near_front        plane[ZN_NEAR_PLANES];
} zn_near_pairs;

/// Finds the pair when it is near and touches, or will touch, parts that the shapes have: not where another one has
/// been found with the same normal, and a circle only when n is not so near to its axis that its lowest point may be
/// anywhere within the horizon.
void zn_near_pair(zn_near_pairs *p, int a, int b);

/// A body after t seconds, moved straight on and turned on.
zn_rigid zn_near_moved(const zn_rigid *b, const zn_feature_motion *m, double t);

/// A flat side of a shape, with its normal in world axes from b to a, that the other one touches: does it keep them
/// apart as they move, now and at the end of the horizon? Then pairs across it are none (see meet_past.c).
void zn_near_plane(zn_near_pairs *p, zn_vec3 normal, bool of_a);

/// Lists what was found, without pairs that are deeper in each other than the shapes are.
zn_status zn_near_list(const zn_near_pairs *p);

/// Sines of the angle between a cap and what it lies on: above `low` the rim counts, below `high` its corners.
typedef struct zn_flat_range {
    double low, high;
} zn_flat_range;

zn_flat_range zn_near_flat(const zn_near *at, zn_vec3 n);

#endif
