/// Nodes of a surface that are inside a body when a simulation starts.
#ifndef ZN_MODEL_BUILD_OVERLAP_H
#define ZN_MODEL_BUILD_OVERLAP_H

#include "model/build/facet_table.h"

typedef struct zn_overlap {
    int    node;  ///< the deepest one
    double depth; ///< [m]; 0: there is none
} zn_overlap;

/// Points inside the solid with the closed surface `whole`.
void zn_overlap_find(const zn_model *model, const zn_facet_table *whole, const zn_contact_points *points,
                     zn_overlap *worst);
/// Points inside the body whose nodes they are, where it is thinner than `limit` below them: elsewhere nothing of it is
/// near. `own` is their surface.
void zn_overlap_find_own(const zn_model *model, const zn_facet_table *whole, const zn_facet_table *own,
                         const zn_contact_points *points, const double *thickness, double limit, zn_overlap *worst);

#endif
