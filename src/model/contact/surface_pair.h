/// Two surfaces of solids against each other, or one against itself: nodes of each are points on the facets of the
/// other (nodes_facets.h), so that both boundaries stay outside.
#ifndef ZN_MODEL_CONTACT_SURFACE_PAIR_H
#define ZN_MODEL_CONTACT_SURFACE_PAIR_H

#include "model/contact/nodes_facets.h"

/// Parameter of the rule; sides and their arrays are behind it in the same block. Contacts are numbered through the
/// nodes of side 0 (of surface A, on the facets of B), then those of side 1 (of B, on the facets of A); pieces
/// likewise. Points of a side ascend by node.
typedef struct zn_surface_pair {
    double           restitution; ///< as the user has given it; NaN: not at all, then the sides have 0
    int              sides;       ///< 2; 1: self-contact
    zn_nodes_facets *side[2];
} zn_surface_pair;

extern const zn_contact_ops zn_surface_pair_ops;

#endif
