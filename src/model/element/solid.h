/// Solid elements: what they share. An element file gives shape functions and quadrature (zn_solid_kind), what it
/// is as a cell, and takes its loops from solid_loop.h.
#ifndef ZN_MODEL_ELEMENT_SOLID_H
#define ZN_MODEL_ELEMENT_SOLID_H

#include "model/element/element.h"
#include "model/element/solid_material.h"

/// Point of a quadrature rule on the parent element.
typedef struct zn_quadrature_point {
    double at[3], weight;
} zn_quadrature_point;

struct zn_solid;
typedef struct zn_solid_kind {
    const zn_element_ops      *ops;
    int                        nodes, dim;
    int                        points; ///< of the stiffness
    const zn_quadrature_point *point;
    int                        mass_points; ///< of the mass
    const zn_quadrature_point *mass_point;
    /// Shape functions N[nodes] and their derivatives dN[nodes][3] at a point of the parent element.
    void (*shape)(const double at[3], double *N, double (*dN)[3]);
    /// What its data has beside or in place of the mapping; NULL: nothing. False as zn_solid_prepare.
    bool (*prepare)(const struct zn_solid_kind *kind, const zn_vec3 *X, struct zn_solid *out);
    bool own_data; ///< in place of the mapping
    bool mean;     ///< mean dilatation
    bool nodal;    ///< mean dilatation around nodes, by elements of its own (nodal_dilatation.h)
} zn_solid_kind;

extern const zn_solid_kind zn_quad4_kind, zn_quad4_reduced_kind, zn_quad4_mean_kind, zn_quad4_enhanced_kind,
    zn_tet4_kind, zn_tet4_mean_kind, zn_hex8_kind, zn_hex8_reduced_kind, zn_hex8_mean_kind, zn_hex8_enhanced_kind;

extern const zn_element_ops zn_quad4_ops, zn_tet4_ops, zn_hex8_ops;
extern const zn_element_ops zn_quad4_enhanced_ops, zn_hex8_enhanced_ops, zn_quad4_reduced_ops, zn_hex8_reduced_ops;

/// NULL: there is none.
const zn_solid_kind *zn_solid_kind_of(zn_solid_shape shape, zn_solid_formulation formulation);

/// Parameter of one element, followed by `data`: weights (volumes) [points], and the inverse of the mapping from the
/// parent element, dxi_l/dX_k, as [l][k][points]. Gradients and masses follow from them. Enhanced and reduced elements
/// have more, or something else: solid_loop.h.
typedef struct zn_solid {
    zn_solid_material material;
    double            mass_damping, stiffness_damping; ///< C = alpha M + beta K0
    bool              lumped;                          ///< the mass matrix is diagonal
    bool              mean;                            ///< mean dilatation
    int               number;                          ///< of the element in its part
    double            thickness;                       ///< in the plane; contained in the weights
    double            density;
    double            data[];
} zn_solid;

enum { ZN_SOLID_ROOM = 8 * (1 + 3 * 3) + 1 + 9 + 9 * 9 }; ///< numbers of the largest: an enhanced hexahedron

/// Volume of the mapping at a point of the parent element, and the rows of its inverse, row[l] = dxi_l/dX.
double zn_solid_map(const zn_solid_kind *kind, const zn_vec3 *X, const double at[3], zn_vec3 row[3]);

/// Fill out->data from the positions of the nodes; the other fields are set. False when the element has no volume.
bool zn_solid_prepare(const zn_solid_kind *kind, const zn_vec3 *X, zn_solid *out);

/// Faces (edges in the plane) under pressure p(t): f_a = -p int N_a n da, on the current face (follower) or on the
/// undeformed one (dead).
extern const zn_element_ops zn_pressure_edge_ops, zn_pressure_triangle_ops, zn_pressure_quad_ops;

typedef struct zn_pressure {
    const zn_signal *value;
    double           thickness; ///< edges only
    bool             follower;
} zn_pressure;

#endif
