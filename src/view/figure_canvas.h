/// What a figure is drawn on: lines, areas and text in pixels, y downwards. One backend per file format.
#ifndef ZN_VIEW_FIGURE_CANVAS_H
#define ZN_VIEW_FIGURE_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "zn/base.h"

typedef struct zn_canvas zn_canvas;

typedef struct zn_pen {
    uint32_t colour; ///< 0xrrggbb
    double   width;  ///< pixels
    int      dash;   ///< place in zn_dashes
} zn_pen;

/// Lengths of dashes and gaps in pixels, ended by 0; the first one is empty: solid.
enum { ZN_DASHES = 4, ZN_DASH_LENGTHS = 5 };
extern const double zn_dashes[ZN_DASHES][ZN_DASH_LENGTHS];

typedef enum zn_anchor { ZN_ANCHOR_START, ZN_ANCHOR_MIDDLE, ZN_ANCHOR_END } zn_anchor;

typedef struct zn_text {
    double      x, y; ///< of the baseline
    double      size; ///< of the font [pixels]
    zn_anchor   anchor;
    bool        upright; ///< turned by a quarter: reads upwards
    bool        bold;
    uint32_t    colour;
    const char *text; ///< valid UTF-8
} zn_text;

typedef struct zn_canvas_ops {
    void (*line)(zn_canvas *canvas, zn_pen pen, int count, const double *xy); ///< through count points
    void (*area)(zn_canvas *canvas, uint32_t colour, int count, const double *xy);
    void (*text)(zn_canvas *canvas, const zn_text *text);
    void (*clip)(zn_canvas *canvas, double x, double y, double width, double height);
    void (*unclip)(zn_canvas *canvas);
    zn_status (*finish)(zn_canvas *canvas); ///< write what is left and destroy the canvas
} zn_canvas_ops;

/// Every backend begins with this.
struct zn_canvas {
    const zn_canvas_ops *ops;
    int                  width, height;
};

/// `out` is borrowed and not closed; errors of writing stay visible in it. NULL when memory is exhausted.
zn_canvas *zn_canvas_svg(FILE *out, int width, int height, const char *title);
/// After zn_canvas_png_load, which finds the library for it.
zn_canvas *zn_canvas_png(FILE *out, int width, int height);
zn_status  zn_canvas_png_load(const zn_log *log);

#endif
