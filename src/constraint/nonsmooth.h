/// One nonsmooth problem of a step, whichever solver it needs.
#ifndef ZN_CONSTRAINT_NONSMOOTH_H
#define ZN_CONSTRAINT_NONSMOOTH_H

#include "zn/solve.h"

/// u = W z + b with `bilateral` equations first, then contacts with rows first[c] .. first[c + 1] - 1 (zn_fc_problem);
/// without `friction` a complementarity problem.
typedef struct zn_nonsmooth {
    int              n, bilateral, contacts;
    const int       *first;
    const double    *W, *b, *mu;
    bool             friction;
    const char      *solver;
    double           tolerance;
    zn_fc_measure    measure;
    zn_fc_workspace *workspace;
    zn_observer      observer; ///< is shown the problem
    const char      *level;    ///< for it
    double           t;
} zn_nonsmooth;

/// What the problems of a step took, and how well they were solved.
typedef struct zn_effort {
    int    *iterations; ///< pivots or sweeps, summed
    double *residual;   ///< worst
} zn_effort;

/// Bytes of scratch that problems of up to n rows need.
size_t zn_nonsmooth_scratch(int n);

/// z: warm start in, answer out; u: W z + b. Iterations and the worst residual go into effort.
zn_status zn_nonsmooth_solve(const zn_nonsmooth *p, double *z, double *u, void *scratch, zn_effort effort);

/// A problem of many rows with a sparse W: from the warm start in z, and where that leads into a corner, from zero to
/// the tolerance `enough`. Shows it to the observer; iterations go into effort, `residual` gets what is left.
typedef struct zn_sparse_problem {
    zn_fc_problem    problem;
    const char      *solver;
    double           tolerance, enough;
    zn_fc_measure    measure;
    zn_fc_workspace *workspace;
    zn_observer      observer;
    const char      *level;
    double           t;
} zn_sparse_problem;

zn_status zn_nonsmooth_solve_sparse(const zn_sparse_problem *p, double *z, double *u, double *residual,
                                    zn_effort effort);

#endif
