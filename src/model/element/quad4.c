// Four-node quadrilateral with all its points, plain or with mean dilatation.
#define POINTS 4
#include "model/element/quad4.h"

const zn_element_ops zn_quad4_ops = SOLID_OPS("quadrilateral");

const zn_solid_kind zn_quad4_kind = {.ops = &zn_quad4_ops, SOLID_KIND};
const zn_solid_kind zn_quad4_mean_kind = {.ops = &zn_quad4_ops, SOLID_KIND, .mean = true};

static const zn_solid_kind *own_kind(void) { return &zn_quad4_kind; }
