// Eight-node hexahedron with all its points, plain or with mean dilatation.
#define POINTS 8
#include "model/element/hex8.h"

const zn_element_ops zn_hex8_ops = SOLID_OPS("hexahedron");

const zn_solid_kind zn_hex8_kind = {.ops = &zn_hex8_ops, SOLID_KIND};
const zn_solid_kind zn_hex8_mean_kind = {.ops = &zn_hex8_ops, SOLID_KIND, .mean = true};

static const zn_solid_kind *own_kind(void) { return &zn_hex8_kind; }
