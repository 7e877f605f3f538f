/// Solves with a sparse triangular matrix that stays the same for many right-hand sides, by rows in levels: rows of a
/// level depend on earlier levels only. Along chains, where each unknown waits for the one before it, the processor
/// works on many pieces at a time; the usual order is three times as slow. Rows of a level with as many entries each
/// are worked on in fours. Unknowns are kept in the order of the sweep.
#ifndef ZN_MATH_SWEEP_H
#define ZN_MATH_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "zn/base.h"

/// Some rows one after the other, or in fours: entries of four rows are neighbours then.
typedef struct zn_sweep_segment {
    int  first, end;
    bool fours;
} zn_sweep_segment;

/// y[k] = after (before x[from] - sum value y[column]), k after k; y[k] is the unknown of row row[k].
typedef struct zn_sweep {
    int               rows, segments;
    int              *row, *from, *start, *column;
    double           *before, *after, *value;
    zn_sweep_segment *segment;
    bool              pairs; ///< rows are long: they have two sums, so that one addition need not wait for the other
} zn_sweep;

/// Triangular matrix by columns, rows and columns in order of elimination; entries on the diagonal included.
typedef struct zn_triangle {
    int           n;
    bool          upper;
    const int    *start, *row;
    const double *value;
} zn_triangle;

/// Sweep that solves T y = x. `from` and `scale` (NULL: none): the right-hand side of row i is x[from[i]] / scale[i].
zn_status zn_sweep_create(zn_triangle t, const int *from, const double *scale, zn_sweep *out);
void      zn_sweep_destroy(zn_sweep *s);                               ///< accepts an empty one
void      zn_sweep_run(const zn_sweep *s, const double *x, double *y); ///< x and y are different vectors

enum { ZN_SWEEP_LANES = 4 };
/// As many right-hand sides at once, each with the bits it has alone: x[i * step + lane * c] of the c-th, y[k *
/// ZN_SWEEP_LANES + c].
void zn_sweep_run_lanes(const zn_sweep *s, const double *x, size_t step, size_t lane, double *y);

#endif
