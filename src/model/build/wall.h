/// How thick a solid is below the nodes of its surface.
#ifndef ZN_MODEL_BUILD_WALL_H
#define ZN_MODEL_BUILD_WALL_H

#include "model/build/facet_table.h"

/// For each of the points, nodes of the surface `own` of a part whose whole surface is `whole`: the distance from its
/// other side in the initial configuration, as far as `limit`.
zn_status zn_wall_find(const zn_model *model, const zn_facet_table *own, const zn_facet_table *whole,
                       const zn_contact_points *points, double limit, double *thickness);

/// Initial places of the corners of a face; initial unit normal of a surface at a node.
void    zn_faces_place(const zn_model *model, const zn_solid_faces *faces, int face, zn_vec3 *x);
zn_vec3 zn_wall_normal(const zn_model *model, const zn_facet_table *own, int node);

#endif
