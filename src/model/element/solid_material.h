/// Elastic materials of solids: energy density, stress and tangent as functions of the strain.
#ifndef ZN_MODEL_ELEMENT_SOLID_MATERIAL_H
#define ZN_MODEL_ELEMENT_SOLID_MATERIAL_H

#include "zn/model.h"

/// Ready to use. Strains and stresses are vectors: xx, yy, zz, xy, yz, zx in space; xx, yy, xy in the plane; shear
/// strains are doubled. Strain: Green-Lagrange E = (F'F - I)/2; of the linear model (H + H')/2 with H = grad u.
/// Stress: second Piola-Kirchhoff S = dW/dE.
typedef struct zn_solid_material {
    zn_solid_model model;
    bool           planar;
    bool           plane_stress; ///< neo-Hookean: the strain across the plane is found by iteration
    bool           thin;         ///< plane stress, whatever the model
    double         lambda, mu;   ///< Lame; linear and St. Venant-Kirchhoff in plane stress: the reduced lambda
} zn_solid_material;

enum { ZN_STRAINS_SPACE = 6, ZN_STRAINS_PLANE = 3 };

/// From Young's modulus and Poisson's ratio (-1 < nu < 1/2).
zn_solid_material zn_solid_material_make(zn_solid_model model, bool planar, bool plane_stress, double young,
                                         double poisson);

/// The same material for small strains about the reference state: its tangent there.
zn_solid_material zn_solid_material_reference(const zn_solid_material *m);

/// Stress S_zz across the plane that goes with the stresses in it (xx, yy, xy) and the determinant J of F: what keeps
/// the strain there 0, or 0 in plane stress and in space.
double zn_solid_material_across(const zn_solid_material *m, const double *stress, double J);

/// Any of the results may be NULL: energy per reference volume, stress, tangent dS/dE (row-major). False when no such
/// state exists (no volume left).
bool zn_solid_material_evaluate(const zn_solid_material *m, const double *strain, double *energy, double *stress,
                                double *tangent);

/// The tangent alone. pressure: of the neo-Hookean material, not in plane stress, in place of lambda ln J and given: it
/// does not change with the strain. NULL: none.
bool zn_solid_material_tangent(const zn_solid_material *m, const double *strain, const double *pressure,
                               double *tangent);

#endif
