/// What a matrix of elasticity hardly resists: rigid motions. A multigrid method must leave them to its coarse levels.
#ifndef ZN_MATH_NEAR_NULL_H
#define ZN_MATH_NEAR_NULL_H

#include <stdbool.h>

enum { ZN_RIGID_MOTIONS = 6 };
/// From so many unknowns on, multigrid takes less memory than the factors of a solid mesh, and soon less time.
enum { ZN_ITERATE_ROWS = 100000 };

typedef struct zn_near_null {
    int     n, nodes;
    int    *node;   ///< n: to which node an unknown belongs
    double *motion; ///< n x ZN_RIGID_MOTIONS, by unknown
    bool    solid;  ///< all unknowns are displacements of nodes in space
} zn_near_null;

#endif
