/// Products with a symmetric sparse matrix many times over. Neighbouring rows that look alike, their entries at the
/// same distance from the diagonal, make a stripe and are worked on in vectors: where degrees of freedom are numbered
/// direction by direction, rows along a chain of elements do.
#ifndef ZN_MATH_STRIPES_H
#define ZN_MATH_STRIPES_H

#include "zn/math.h"

/// `rows` rows from `first` on with as many entries each: value[k rows + i] in column first + i + shift[k].
typedef struct zn_stripe {
    int           first, rows, entries;
    const int    *shift;
    const double *value;
} zn_stripe;

typedef struct zn_stripes {
    int        count;
    zn_stripe *stripe;
    int       *shift;
    double    *value;
} zn_stripes;

/// The values are copied.
zn_status zn_stripes_create(const zn_sparse *a, zn_stripes *out);
void      zn_stripes_destroy(zn_stripes *s); ///< accepts an empty one
/// y = b - A x; y is neither b nor x.
void      zn_stripes_subtract(const zn_stripes *s, const double *b, const double *x, double *y);

#endif
