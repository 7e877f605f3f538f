// Four-node quadrilateral with enhanced strains, for bending.
#define POINTS   4
#define ENHANCED 1
#include "model/element/quad4.h"

const zn_element_ops zn_quad4_enhanced_ops = SOLID_OPS("enhanced quadrilateral");

const zn_solid_kind zn_quad4_enhanced_kind = {.ops = &zn_quad4_enhanced_ops, SOLID_KIND, .prepare = prepare};

static const zn_solid_kind *own_kind(void) { return &zn_quad4_enhanced_kind; }
