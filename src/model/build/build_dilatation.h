/// Mean dilatation of tetrahedra (nodal_dilatation.h): one element for each node of a mesh.
#ifndef ZN_MODEL_BUILD_BUILD_DILATATION_H
#define ZN_MODEL_BUILD_BUILD_DILATATION_H

#include "model/model.h"
#include "model/element/nodal_dilatation.h"

/// `like`: what all of them have; its nodes, cells, number and volume are those of each.
zn_status zn_model_add_dilatation(zn_model *model, const zn_solid_def *def, const zn_nodal_dilatation *like, int part,
                                  const zn_named *own);

#endif
