// The end of hex8.h and quad4.h: all points of the rule, or the one in the middle, by POINTS. Masses have all.
static const zn_quadrature_point middle[1] = {{{0, 0, 0}, 1}};

#define SOLID_KIND                                                                                                     \
    .nodes = NODES, .dim = DIM, .points = POINTS, .point = POINTS == 1 ? middle : gauss, .mass_points = NODES,         \
    .mass_point = gauss, .shape = shape
