/// One answer of many, where contacts that repeat each other slide.
#ifndef ZN_SOLVE_FRICTION_EVEN_H
#define ZN_SOLVE_FRICTION_EVEN_H

#include "solve/friction.h"

/// r: an answer in; out, in each part of the problem where contacts slide and repeat each other, the one of equally
/// soft contacts, if it meets the tolerance of the natural measure. u = W r + q likewise. `iterations` is counted on.
zn_status zn_fc_even(const zn_fc_problem *p, double tolerance, zn_fc_workspace *memory, double *r, double *u,
                     int *iterations);

#endif
