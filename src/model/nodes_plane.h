/// Contact of all nodes of a set with a fixed plane.
#ifndef ZN_MODEL_NODES_PLANE_H
#define ZN_MODEL_NODES_PLANE_H

#include "model/model.h"

/// Add the rule of a def with `points` and a plane on the ground; the law has been checked, the normal has unit length.
zn_status zn_model_add_nodes_plane(zn_model *model, const zn_contact_def *def, zn_vec3 normal, int rows);

#endif
