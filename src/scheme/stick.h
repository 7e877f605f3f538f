/// Friction problems of rigid bodies on more contacts than they need have many answers: forces are not determined, and
/// with some distributions of them a body at rest could even start to slide. Where all contacts can stay as they are,
/// they do, and the forces are those of least norm.
#ifndef ZN_SCHEME_STICK_H
#define ZN_SCHEME_STICK_H

#include <stdbool.h>

#include "zn/solve.h"

/// Doubles of scratch that zn_stick needs for n rows.
size_t zn_stick_scratch(int n);

/// Impulses z of least norm with W z + q = 0 in all rows, if they lie in the friction cones; false, with z untouched,
/// when there are none.
bool zn_stick(const zn_fc_problem *p, double *z, double *scratch);

#endif
