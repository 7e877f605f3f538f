/// One axis of a figure: its range, its ticks with their labels, and where a value stands in pixels.
#ifndef ZN_VIEW_FIGURE_AXIS_H
#define ZN_VIEW_FIGURE_AXIS_H

#include <stdbool.h>

enum { ZN_TICKS = 40, ZN_TICK_TEXT = 32 };

typedef struct zn_axis {
    bool   log;
    double min, max;    ///< finite, min < max; both positive when `log`
    double first, last; ///< pixels of min and max
    int    count;
    double tick[ZN_TICKS];
    char   label[ZN_TICKS][ZN_TICK_TEXT]; ///< UTF-8
    int    minor_count;
    double minor[9 * ZN_TICKS];  ///< places between decades, without labels
    char   factor[ZN_TICK_TEXT]; ///< what all labels are to be multiplied with, "x 10^-6"; "" for 1
} zn_axis;

/// Range and ticks for values between `min` and `max`, widened by `margin` times their span on both sides. At most
/// `wanted` labels; an empty or infinite range becomes a sensible one.
zn_axis zn_axis_make(double min, double max, bool log, double margin, int wanted);

/// Pixel of a value; may lie outside [first, last]. NaN for values a logarithmic axis does not have.
double zn_axis_pixel(const zn_axis *axis, double value);

/// 1, 2 or 5 times a power of ten, at least `raw`, which is positive.
double zn_nice_step(double raw);

#endif
