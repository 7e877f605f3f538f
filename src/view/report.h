/// A report being written: what its files offer each other.
#ifndef ZN_VIEW_REPORT_H
#define ZN_VIEW_REPORT_H

#include "view/report_out.h"
#include "zn/scene.h"
#include "zn/view.h"

typedef struct zn_report {
    zn_report_out out;
    zn_log        log;
    int           run;           ///< number of the result, names its elements "runN..."
    double        series_values; ///< how many numbers the series of one run may have
    double        scene_values;  ///< and its frames
} zn_report;

/// "runN.what" into `name`.
enum { ZN_REPORT_NAME = 64 };
const char *zn_report_name(const zn_report *report, const char *what, int number, char *name);

/// Recorded series, thinned to what fits.
zn_status zn_report_series(zn_report *report, const zn_result *result);
/// The machine and its frames, thinned to what fits.
zn_status zn_report_scene(zn_report *report, zn_scene *scene);
/// What the scene looks like when nothing moves.
void      zn_report_geometry(zn_report *report, const zn_scene_info *info, int64_t frames);

#endif
