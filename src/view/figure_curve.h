/// One curve onto the canvas.
#ifndef ZN_VIEW_FIGURE_CURVE_H
#define ZN_VIEW_FIGURE_CURVE_H

#include "view/figure_axis.h"
#include "view/figure_canvas.h"
#include "zn/view.h"

/// The line of a curve in pixels. Where x does not go back, each pixel column keeps its first, last, least and greatest
/// point; elsewhere points nearer than a quarter of a pixel to the one before are left out.
zn_status zn_curve_draw_line(const zn_curve *curve, const zn_axis *x, const zn_axis *y, zn_pen pen, zn_canvas *canvas);

/// The symbols at its points: circle, square, triangle, diamond by its colour.
void zn_curve_draw_markers(const zn_curve *curve, const zn_axis *x, const zn_axis *y, uint32_t colour,
                           zn_canvas *canvas);
void zn_curve_draw_marker(int kind, double x, double y, uint32_t colour, zn_canvas *canvas);

/// True when x never goes back.
bool zn_curve_is_forward(const zn_curve *curve);

#endif
