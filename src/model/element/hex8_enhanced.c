// Eight-node hexahedron with enhanced strains, for bending.
#define POINTS   8
#define ENHANCED 1
#include "model/element/hex8.h"

const zn_element_ops zn_hex8_enhanced_ops = SOLID_OPS("enhanced hexahedron");

const zn_solid_kind zn_hex8_enhanced_kind = {.ops = &zn_hex8_enhanced_ops, SOLID_KIND, .prepare = prepare};

static const zn_solid_kind *own_kind(void) { return &zn_hex8_enhanced_kind; }
