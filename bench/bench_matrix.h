/// Times what a step does with its iteration matrix: assemble, analyze, factor, solve.
#ifndef BENCH_MATRIX_H
#define BENCH_MATRIX_H

#include "zn/sim.h"

typedef struct matrix_times {
    const char *backend;
    int         dofs, entries;
    double      flops; ///< of a factorization, as the automatic choice estimates them
    double      assembly, analysis;
    double      factor;   ///< with a fresh choice of pivots
    double      refactor; ///< with the pivots of before, where the backend can; otherwise as `factor`
    double      solve;
} matrix_times;

/// M + h/2 C + h^2/4 K at the state of `sim`; smallest of `rounds`. backend NULL: the automatic choice.
zn_status time_matrix(const zn_system *sys, const zn_state *state, double h, const char *backend, int rounds,
                      matrix_times *out);

/// Processor time [s]: one thread does all, and what else runs on the machine does not count.
double seconds(void);

#endif
