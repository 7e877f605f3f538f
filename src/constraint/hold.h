/// Many contacts that all hold, without W: a pile or wall at rest. In the space of the bodies it costs one
/// factorization of a matrix with six rows for each of them.
#ifndef ZN_CONSTRAINT_HOLD_H
#define ZN_CONSTRAINT_HOLD_H

#include "constraint/node_blocks.h"

typedef struct zn_hold {
    int     nodes, units;                 ///< room for
    int    *place, *queue;                ///< nodes: place in the order, and who is there; -1: nobody holds it
    int    *first;                        ///< nodes: of the first neighbour in the order
    size_t *row;                          ///< nodes in the order: where their six rows of the factor begin
    double *y;                            ///< dofs in the order
    bool   *closed;                       ///< units
    int     rows;                         ///< room for
    double *diagonal, *residual, *answer; ///< rows
    size_t  entries;
    double *factor;
} zn_hold;

void zn_hold_destroy(zn_hold *h);

/// The shares of the problem are in `b`. Impulses z near those given that hold every contact which has one (where none
/// has: each that closes) against velocities q without impulses, u = q + W z = 0, the others being open; `*residual` of
/// the law as zn_fc_residual has it, or more. False: there are none within the tolerance, z is as it was.
zn_status zn_hold_solve(zn_hold *h, const zn_node_blocks *b, const zn_row_list *list, const double *q, double tolerance,
                        double *z, double *u, double *residual, bool *held);

#endif
