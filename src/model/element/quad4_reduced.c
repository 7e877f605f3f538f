// Four-node quadrilateral with one point and a resistance against hourglasses.
#define POINTS  1
#define REDUCED 1
#include "model/element/quad4.h"

const zn_element_ops zn_quad4_reduced_ops = SOLID_OPS("one-point quadrilateral");

const zn_solid_kind zn_quad4_reduced_kind = {
    .ops = &zn_quad4_reduced_ops, SOLID_KIND, .prepare = prepare, .own_data = true};

static const zn_solid_kind *own_kind(void) { return &zn_quad4_reduced_kind; }
