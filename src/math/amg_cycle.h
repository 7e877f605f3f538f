/// A cycle of multigrid in single precision, for one process that has all of a matrix or many that have parts of it.
///
/// A cycle smooths by Chebyshev's polynomials of degree 3 in D^-1 A on [l/10, l], goes to the next level, adds what
/// comes back, and smooths once more: symmetric but for rounding. The last level is solved with directly, in double.
/// With S = D^-1/2 on each level its matrix is taken as
///
///     SAS,   whose diagonal is 1,   P as S^-1 P S_coarse,   b as S b,   x as S^-1 x:
///
/// whatever the units are, no number leaves the range of single precision, and D is gone. Rounding e = 6e-8 changes
/// what a cycle gains by some e sqrt(k), k the condition number of SAS: S. McCormick, J. Benzaken, R. Tamstorf, SIAM J.
/// Sci. Comput. 43 (2021) S392-S419.
#ifndef ZN_MATH_AMG_CYCLE_H
#define ZN_MATH_AMG_CYCLE_H

#include "math/amg_blocks.h"

typedef struct zn_cycle_level {
    int       n, rows; ///< unknowns, and rows of blocks that they are in
    int       ahead;   ///< rows after which others can be told: nothing is added to what they have as well
    int      *place;   ///< n: in the vectors below
    double   *scale;   ///< n: S
    double    largest; ///< eigenvalue of D^-1 A, or a little more
    bool     *owned;   ///< per place, of unknowns that other processes have as well; NULL: all
    zn_blocks a, P;    ///< scaled
    float    *x, *b, *r, *d, *y;
} zn_cycle_level;

/// A vector of a level, unknown i in place[i].
typedef struct zn_cycle_vector {
    const int *place;
    float     *x;
    double    *exact; ///< NULL: x
} zn_cycle_vector;

/// What it takes where others have parts; without functions: nothing.
typedef struct zn_cycle_others {
    void *user;
    void (*begin)(void *user, int level, zn_cycle_vector v); ///< the sum of all copies of each unknown
    void (*end)(void *user, int level, zn_cycle_vector v);
    void (*add)(void *user, double *sums, int count); ///< over all processes
} zn_cycle_others;

/// What a level is made of, of a matrix of this process.
typedef struct zn_cycle_source {
    const zn_sparse *a;
    const double    *inverse; ///< of the diagonal of the whole
    int              nodes;
    const int       *node;     ///< of each unknown
    const bool      *owned;    ///< NULL: all
    int              near;     ///< nodes that others have, or that have to do with such: the first ones; or all
    bool             smoothed; ///< else it is solved with directly
} zn_cycle_source;

typedef struct zn_cycle {
    zn_cycle_level  level[ZN_AMG_LEVELS];
    int             levels;
    zn_cycle_others others;
    double         *exact_x, *exact_y;                               ///< in places of the first level
    double          unit;                                            ///< of S on the first level
    zn_status (*solve_last)(void *user, const double *b, double *x); ///< NULL: the last level is smoothed only
    void   *last_user;
    double *last_b, *last_x;
} zn_cycle;

/// One level more; nothing is borrowed.
zn_status zn_cycle_add_level(zn_cycle *c, const zn_cycle_source *from);
/// The largest eigenvalue of the last level, which is `smoothed`; number: of each unknown in the whole (NULL: its own).
void      zn_cycle_measure(zn_cycle *c, const int *number);
/// P from the last level to the one before.
zn_status zn_cycle_link(zn_cycle *c, const zn_amg_rows *P);
/// Nothing more will come; `solve` with the last level.
zn_status zn_cycle_finish(zn_cycle *c, zn_status (*solve)(void *user, const double *b, double *x), void *user);
/// z is about A^-1 r; size: |r|.
zn_status zn_cycle_run(zn_cycle *c, double size, const double *r, double *z);
/// y = A x in double precision, to rounding.
void      zn_cycle_multiply(zn_cycle *c, const double *x, double *y);
void      zn_cycle_release(zn_cycle *c); ///< but for what others do

#endif
