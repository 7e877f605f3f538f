/// One element of a linear beam, and what it is made from.
#ifndef ZN_MODEL_ELEMENT_BEAM_LINEAR_H
#define ZN_MODEL_ELEMENT_BEAM_LINEAR_H

#include "model/element/element.h"

/// Matrices in the axes of the nodes: n x n with n = 12 in space, 6 in the plane.
typedef struct zn_beam_linear {
    double      K[144], M[144];
    double      mass;
    zn_rayleigh damping;
    zn_vec3     start[2];  ///< coordinates of the nodes at the start
    double      angle[2];  ///< in the plane
    zn_quat     node[2];   ///< rotations of the nodes at the start
    zn_quat     axes;      ///< of the beam and its section, to world axes
    bool        turned[2]; ///< which are not the world axes
} zn_beam_linear;

typedef struct zn_beam_linear_def {
    zn_beam_theory  theory;
    double          length, young, shear_modulus, density;
    zn_beam_section section; ///< complete
    bool            lumped;
    zn_rayleigh     damping;
    zn_quat         axes; ///< of the beam, to world axes
    zn_quat         node[2];
    zn_vec3         start[2];
    double          angle[2];
} zn_beam_linear_def;

void zn_beam_linear_prepare(const zn_beam_linear_def *def, bool planar, zn_beam_linear *out);

extern const zn_element_ops zn_beam_linear2_ops, zn_beam_linear3_ops;

#endif
