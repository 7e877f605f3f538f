/// A system linearized about an equilibrium: A = K - d(G'l)/dq within joints and the contacts that carry force.
///
///     B(s, d) = | A - s M + d S   -G' |      S: sizes of the terms of A, per degree of freedom
///               |  -G             -c  |      c > 0 small for rows that repeat others, else 0
///
/// B(s, d) has as many negative eigenvalues as A - s M + d S has within the constraints, and one for each row more:
/// with c -> 0 these are the inertia of -c and of A + G'G/c (E. V. Haynsworth, Linear Algebra Appl. 1 (1968) 73-81).
#ifndef ZN_STATICS_LINEARIZED_H
#define ZN_STATICS_LINEARIZED_H

#include "statics/equilibrium.h"

typedef struct zn_linearized {
    zn_equilibrium *e;       ///< borrowed: its whole matrix is B, its mass M
    double         *scale;   ///< S, n + contacts; those of contacts are 0
    double         *held;    ///< S without what contact forces may be off by: what the stiffness holds, n
    bool           *repeats; ///< per row: follows from others; NULL: not known, all give way
    int             negative, neutral;
} zn_linearized;

/// About the unknowns `now` of the search. Counts directions of negative and of no stiffness; ZN_ERR_UNSUPPORTED where
/// they cannot be counted: A is not symmetric, or too large.
zn_status zn_linearized_create(zn_equilibrium *e, zn_linearized *out);
void      zn_linearized_destroy(zn_linearized *a);
/// Write B(s, d).
zn_status zn_linearized_write(zn_linearized *a, double s, double d);
/// Modes with a square below s.
zn_status zn_linearized_count(zn_linearized *a, double s, int *below);

/// The `wanted` lowest modes, ascending: squares, and shapes with n entries each. `found`: how many there are.
zn_status zn_linearized_modes(zn_linearized *a, int wanted, int *found, double *square, double *shape);

/// Is the equilibrium found stable? Fills its info, warns or refuses.
zn_status zn_equilibrium_judge(zn_equilibrium *e);

#endif
