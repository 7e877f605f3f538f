/// @file view.h
/// What people look at: report pages and figures. Scenes, on which reports and exports stand, are in scene.h.
#ifndef ZN_VIEW_H
#define ZN_VIEW_H

#include "zn/io.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- reports -------------------------------------------------------------------------------------

/// Write one self-contained HTML page about results (runs to compare) and convergence studies (texts of `zeno converge
/// --json`). A machine that cannot be rebuilt is left out with a warning. Memory does not grow with the length of a
/// run: long series are thinned, the least and the greatest value of each interval stay.
ZN_API zn_status zn_report_write(const char *path, int result_count, const zn_result *const *results, int study_count,
                                 const char *const *studies, zn_log log);

// --- figures -------------------------------------------------------------------------------------

typedef struct zn_curve {
    const char   *label; ///< in the legend; NULL: not in it
    int64_t       count;
    const double *x, *y;   ///< a value that is not finite interrupts the line
    int           colour;  ///< place in the palette, which repeats; -1: grey, for guides
    int           dash;    ///< 0 solid, 1 dashed, 2 dotted, 3 dash-dotted
    bool          markers; ///< a symbol at each point
} zn_curve;

/// Axes with curves. Panels stand below each other and share the x axis.
typedef struct zn_panel {
    const char     *label; ///< of the y axis; NULL: none
    bool            log;   ///< y axis in decades; values that are not positive interrupt the line
    int             curve_count;
    const zn_curve *curves;
    double          min, max; ///< of the y axis; min >= max: by the values
} zn_panel;

typedef struct zn_figure {
    const char     *title, *label; ///< label of the x axis; NULL: none
    bool            log;           ///< x axis in decades
    int             width, height; ///< pixels, 0: by the number of panels
    int             panel_count;
    const zn_panel *panels;
    double          min, max; ///< of the x axis; min >= max: by the values
} zn_figure;

/// Draw into a file; its name ends with .svg or .png. Long curves are thinned to what can be seen: the first, last,
/// least and greatest value of each pixel column stay.
ZN_API zn_status zn_figure_write(const zn_figure *figure, const char *path, zn_log log);

/// A field over place and time, drawn as a surface: time to the right, place to the back, the value upwards and as
/// colour.
typedef struct zn_field {
    const char   *title, *time_label, *place_label, *label; ///< NULL: none
    int           width, height;                            ///< pixels, 0: 900 x 560
    int64_t       count;
    const double *t; ///< count times, ascending
    int           lines;
    const double *place; ///< lines places, ascending
    const double *value; ///< lines x count; where one is not finite there is a hole
} zn_field;

/// Draw into a file as above. Of long series about 160 times are shown, at equal distances.
ZN_API zn_status zn_field_write(const zn_field *field, const char *path, zn_log log);

#ifdef __cplusplus
}
#endif

#endif
