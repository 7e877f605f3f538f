/// Lumped mass: M is diagonal but for triads, the three rotations of a body whose inertia is not diagonal in its axes.
/// What explicit schemes divide by.
#ifndef ZN_SYSTEM_LUMPED_H
#define ZN_SYSTEM_LUMPED_H

#include "zn/system.h"

typedef struct zn_lumped_triad {
    int     dof[3];
    zn_mat3 inertia, inverse;
    zn_mat3 own; ///< of the inertia: what elements of this process give
} zn_lumped_triad;

typedef struct zn_lumped_mass {
    int     n, n_all;
    double *mass;    ///< n_all: the diagonal
    double *own;     ///< n_all: what elements of this process give to it; `mass` itself where they are all
    double *inverse; ///< n_all: of the diagonal; 0 where a degree of freedom is fixed or belongs to a triad below
    int     triads;  ///< whose inertia is not diagonal
    zn_lumped_triad *triad;
} zn_lumped_mass;

/// Refuses, with a message that names part or node, masses that are not lumped, vary, or are missing.
zn_status zn_lumped_mass_create(const zn_system *sys, const char *scheme, zn_lumped_mass *out);
void      zn_lumped_mass_destroy(zn_lumped_mass *m);
/// M += a diagonal (n_all). Fixed degrees of freedom stay.
zn_status zn_lumped_mass_add(zn_lumped_mass *m, const double *diagonal);
/// y = M x over all degrees of freedom, fixed ones included.
void      zn_lumped_mass_multiply(const zn_lumped_mass *m, const double *x, double *y);
/// x.M x over the free degrees of freedom of this process.
double    zn_lumped_mass_square(const zn_lumped_mass *m, const double *x);
/// y = M^-1 x; 0 at fixed degrees of freedom. y and x are different vectors.
void      zn_lumped_mass_solve(const zn_lumped_mass *m, const double *x, double *y);

#endif
