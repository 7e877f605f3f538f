/// A shape that lies on another one and slides, rocks and rolls over it: how high it lies is a continuous function of
/// the way. From above it is lowered by what the nearest contact is open, again and again, until one is closed.
#ifndef ZN_TESTS_SHAPE_PATHS_H
#define ZN_TESTS_SHAPE_PATHS_H

#include <math.h>

#include "check.h"

/// Where the upper shape is: beside, above, and turned by an angle about the horizontal axis across its way.
typedef struct perch {
    double x, height, angle;
} perch;

/// Smallest gap of all contacts that are listed for a shape that comes down from there, INFINITY: none; `rise`: of the
/// normals of those that are closed, the smallest part upwards.
typedef double perch_gap(void *user, const perch *at, double *rise);

/// Lowers the shape until it touches. False: it falls past the other one, or is on the last `sliver` of a cap.
static inline bool settle(perch_gap *gap_of, void *user, double sliver, perch *at, double *rise)
{
    for (int i = 0; i < 400 && at->height > -3; i++) {
        double gap = gap_of(user, at, rise);
        if (gap < 1e-11) {
            CHECK_BELOW(-gap, 1e-9 + sliver); // what it has come into was not listed before
            return gap > -1e-9;
        }
        at->height -= fmin(gap, 0.03);
    }
    return false;
}

/// Goes on from x = 0 with so much turn along the way. Heights of neighbours differ by no more than points move, over
/// the part of the normal upwards. Ends where what it touches is steep; returns how far it came. `sliver`: between the
/// rim of a cap that lies flat and the chords that stand for it.
static inline double follow(perch_gap *gap_of, void *user, double slide, double turn, double sliver)
{
    const double step = 0.012, reach = 1.2;
    double       most = step * (slide + fabs(turn) * reach), rise, was = 0, way = 0, height = 2.5;
    for (; way < 0.9; way += step) {
        perch at = {slide * way, height, (slide > 0 ? 0 : -0.35) + turn * way};
        if (!settle(gap_of, user, sliver, &at, &rise) || rise < 0.3)
            break;
        if (way > 0)
            CHECK_BELOW(fabs(at.height - (height - 4 * most)), most / fmin(rise, was) + 1e-4);
        height = at.height + 4 * most;
        was = rise;
    }
    return way;
}

#endif
