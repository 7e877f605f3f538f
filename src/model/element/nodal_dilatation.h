/// Mean dilatation of tetrahedra around a node: an element of its own, beside tetrahedra without lambda. See the file.
#ifndef ZN_MODEL_ELEMENT_NODAL_DILATATION_H
#define ZN_MODEL_ELEMENT_NODAL_DILATATION_H

#include "model/element/element.h"
#include "model/element/solid_material.h"

/// One of the tetrahedra: a quarter of its volume, gradients of the shape functions of its nodes 1, 2 and 3, and
/// which nodes of the element its own are.
typedef struct zn_dilatation_cell {
    double weight;
    double gradient[3][3]; ///< [node - 1][direction]
    int    node[4];
} zn_dilatation_cell;

typedef struct zn_nodal_dilatation {
    zn_solid_model     model;
    double             lambda;                          ///< of Lame
    double             mass_damping, stiffness_damping; ///< C = alpha M + beta K0
    bool               lumped;
    int                number; ///< of the node in its part
    int                nodes, cells;
    double             density; ///< that part of it which goes with lambda
    double             volume;  ///< sum of the weights
    zn_dilatation_cell cell[];
} zn_nodal_dilatation;

/// The table of the smallest element that has room; NULL: there is none.
const zn_element_ops *zn_nodal_dilatation_ops(int nodes, int cells);

/// With how many nodes and cells at most.
enum { ZN_DILATATION_NODES = 64, ZN_DILATATION_CELLS = 2 * ZN_DILATATION_NODES };

#endif
