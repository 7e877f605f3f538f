/// Friction problems of rigid bodies on more contacts than they need have many answers: forces are not determined, and
/// with some distributions of them a body at rest could even start to slide. Where all contacts can stay as they are,
/// they do, and the forces are those of least norm (z'D z, D the diagonal of W).
#ifndef ZN_CONSTRAINT_STICK_H
#define ZN_CONSTRAINT_STICK_H

#include <stdbool.h>

#include "zn/solve.h"

enum { ZN_STICK_ROWS = 200 }; ///< beyond, a dense factorization costs more than it saves

/// Doubles of scratch that zn_stick needs for n rows.
size_t zn_stick_scratch(int n);

/// Impulses z of least norm with W z + q = 0 in all rows, if they lie in the friction cones; false, with z untouched,
/// when there are none. `floor`: what may be left of a row where q itself is rounded, so that no z can do better.
bool zn_stick(const zn_fc_problem *p, double floor, double *z, double *scratch);

#endif
