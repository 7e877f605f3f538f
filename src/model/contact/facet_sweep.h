/// Points that move too far in a step for the search of facets.
#ifndef ZN_MODEL_CONTACT_FACET_SWEEP_H
#define ZN_MODEL_CONTACT_FACET_SWEEP_H

#include "model/contact/nodes_facets.h"

/// After zn_facet_search with the same memory: fails with a reason when a point passes a facet within the motion that
/// the search has not found it near. The work is linear in points and facets, and little unless they move against each
/// other by more than the search looks.
zn_status zn_facet_sweep(const zn_nodes_facets *p, const zn_layout *layout, const double *q, zn_motion motion,
                         const zn_nearest *best, void *memory);

#endif
