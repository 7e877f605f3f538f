/// A figure into its file, whatever it shows.
#ifndef ZN_VIEW_FIGURE_FILE_H
#define ZN_VIEW_FIGURE_FILE_H

#include "view/figure_canvas.h"
#include "zn/view.h"

/// What draws. ZN_ERR_ARGUMENT: it does not fit.
typedef zn_status (*zn_figure_draw)(zn_canvas *canvas, const void *user);

/// Draw on a canvas of that size, SVG or PNG by the end of the name, with numbers that have a decimal point whatever
/// the locale of the process. `what`: for the message that it does not fit, "3 panels".
zn_status zn_figure_file(const char *path, int width, int height, const char *title, const char *what,
                         zn_figure_draw draw, const void *user, zn_log log);

#endif
