/// How thick a solid is below the nodes of its surface.
#ifndef ZN_MODEL_BUILD_WALL_H
#define ZN_MODEL_BUILD_WALL_H

#include "model/build/facet_table.h"

/// For each of the points, nodes of the surface `own` of a part whose whole surface is `whole`: the distance from its
/// other side in the initial configuration, as far as `limit`.
zn_status zn_wall_find(const zn_model *model, const zn_facet_table *own, const zn_facet_table *whole,
                       const zn_contact_points *points, double limit, double *thickness);

#endif
