/// The direction along which two convex polyhedra are apart, or inside each other.
#ifndef ZN_MODEL_CONTACT_MEET_DIRECTION_H
#define ZN_MODEL_CONTACT_MEET_DIRECTION_H

#include "model/contact/meet_view.h"
#include "model/contact/polyhedron.h"

typedef struct zn_apart {
    bool    far;     ///< nothing can touch within the horizon
    bool    deep;    ///< they overlap by more than `tiny`, then `normal` is the way by which they came
    zn_vec3 normal;  ///< unit, from B to A, in the axes of B
    double  gap;     ///< A lies above B along the normal by this
    int     ends[2]; ///< vertices of A and B not far from those that are lowest and highest: where to look from
} zn_apart;

enum { ZN_FRONTS = 64 }; ///< faces of a body beyond these are looked at each time

/// What is known of the faces of both bodies: does the other one stay in front of it for the whole horizon? 1: yes,
/// -1: no, 0: nobody has asked.
typedef struct zn_fronts {
    signed char of[2][ZN_FRONTS];
} zn_fronts;

/// `v`: A seen from B. `fronts` is told what comes by the way, unless they are far apart.
zn_apart zn_polyhedra_apart(const zn_polyhedron *A, const zn_polyhedron *B, const zn_view *v, double tiny,
                            zn_fronts *fronts);

#endif
