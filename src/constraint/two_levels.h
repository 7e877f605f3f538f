/// Velocity and position level in one problem (Acary 2013, eqs. 45-55). Impulses P and projections tau act together,
///     v = base + A^-1 H' P - k A^-1 K N H' tau,     shift = N H' tau,
/// on rows of both levels, G v and G (v + shift / k): a shift moves the forces, too. k is h theta. Gaps are written as
/// velocities, and tau in units in which an impulse of 1 and a projection of 1 answer alike in their rows: judged
/// together, metres beside metres per second would leave gaps open that are small beside velocities.
#ifndef ZN_CONSTRAINT_TWO_LEVELS_H
#define ZN_CONSTRAINT_TWO_LEVELS_H

#include "constraint/constraints.h"

typedef struct zn_two_levels {
    zn_sparse   *stiffness; ///< K, written by its owner
    double      *effect;    ///< per row of the position level: A^-1 K N H', n values each
    double      *unit;      ///< per row of the position level: tau = unit z
    double      *work;      ///< n
    double       factor;    ///< k
    int          n;
    // order of the unknowns: impulses of equations, tau of equations, impulses of contacts, tau of inequalities
    int          impulses, impulse_equations, shifts, shift_equations;
    zn_row_list  both;
    zn_response *motion, *metric; ///< borrowed: A^-1 and N
} zn_two_levels;

zn_status zn_two_levels_create(const zn_system *sys, zn_response *motion, zn_response *metric, zn_two_levels *out);
void      zn_two_levels_destroy(zn_two_levels *t);
zn_status zn_two_levels_reserve(zn_two_levels *t, int rows, int contacts);

/// The rows of both levels in one list. Those of the position level are normals.
void      zn_two_levels_list(zn_two_levels *t, const zn_row_list *velocity, const zn_row_list *position, double factor);
/// Is unknown j an impulse? `index`: its place in the list of its level.
bool      zn_two_levels_is_impulse(const zn_two_levels *t, int j, int *index);
/// x = A^-1 K x into `out`.
zn_status zn_two_levels_stiffness(zn_two_levels *t, const double *x, double *out);
/// The operator (54), and the units.
zn_status zn_two_levels_assemble(zn_two_levels *t, zn_constraints *c, const zn_contact_set *set, zn_rows H);
/// Add what the answer z does to v and shift.
void      zn_two_levels_add(const zn_two_levels *t, zn_rows H, const double *z, double *v, double *shift);

#endif
