// Figures: panels below each other with one x axis. From top to bottom: title; for each panel its legend and its axes;
// labels of the x axis. The legend stands above the axes, so it never covers data.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "view/figure_curve.h"
#include "view/figure_file.h"
#include "view/figure_text.h"

enum {
    EDGE = 12,         // free around everything [pixels]
    LINE_HEIGHT = 18,  // of legends
    TICK = 4,          // length of a tick
    SAMPLE = 26,       // length of a line in the legend
    HEIGHT_LEAST = 40, // of axes
    PANELS_MOST = 64,
};

static const double font_ticks = 12, font_legend = 12.5, font_label = 13, font_title = 15;

static const uint32_t ink = 0x222222, frame_grey = 0x555555, grid_grey = 0xe2e2e2, minor_grey = 0xf1f1f1,
                      guide_grey = 0x9a9a9a;

// Colours that people with any kind of colour vision can tell apart, on white.
static uint32_t colour_of(const zn_curve *curve)
{
    static const uint32_t palette[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x333333};
    enum { COLOURS = sizeof palette / sizeof *palette };
    return curve->colour < 0 ? guide_grey : palette[curve->colour % COLOURS];
}

static zn_pen pen_of(const zn_curve *curve)
{
    return (zn_pen){colour_of(curve), curve->colour < 0 ? 1.2 : 1.7, (curve->dash < 0 ? 0 : curve->dash) % ZN_DASHES};
}

// Where one panel stands.
typedef struct box {
    double  header; // height of its legend
    double  top, bottom;
    zn_axis y;
} box;

typedef struct layout {
    const zn_figure *figure;
    zn_canvas       *canvas;
    double           left, right; // of all axes
    zn_axis          x;
    box             *boxes;
} layout;

// --- ranges --------------------------------------------------------------------------------------

typedef struct range {
    double min, max;
} range;

// Range of the values a curve shows; `log`: only positive ones.
static void include(range *r, int64_t count, const double *values, const double *others, bool log)
{
    for (int64_t i = 0; i < count; i++)
        if (isfinite(values[i]) && isfinite(others[i]) && (!log || values[i] > 0)) {
            r->min = fmin(r->min, values[i]);
            r->max = fmax(r->max, values[i]);
        }
}

// As it was asked for, or that of the values.
static zn_axis choose_range(double min, double max, const range *r, bool log, double margin, int wanted)
{
    return min < max ? zn_axis_make(min, max, log, 0, wanted) : zn_axis_make(r->min, r->max, log, margin, wanted);
}

static zn_axis make_x(const zn_figure *f, double pixels)
{
    range  r = {INFINITY, -INFINITY};
    double margin = 0;
    for (int i = 0; i < f->panel_count; i++)
        for (int j = 0; j < f->panels[i].curve_count; j++) {
            const zn_curve *c = &f->panels[i].curves[j];
            include(&r, c->count, c->x, c->y, f->log);
            if (c->markers || !zn_curve_is_forward(c))
                margin = 0.04;
        }
    return choose_range(f->min, f->max, &r, f->log, margin, (int)fmin(pixels / 70, 14));
}

static zn_axis make_y(const zn_panel *p, double pixels)
{
    range r = {INFINITY, -INFINITY};
    for (int j = 0; j < p->curve_count; j++)
        include(&r, p->curves[j].count, p->curves[j].y, p->curves[j].x, p->log);
    return choose_range(p->min, p->max, &r, p->log, 0.06, (int)fmin(pixels / 23, 9));
}

// --- legend --------------------------------------------------------------------------------------

static void draw_text(zn_canvas *canvas, double x, double y, double size, zn_anchor anchor, const char *text)
{
    canvas->ops->text(canvas, &(zn_text){.x = x, .y = y, .size = size, .anchor = anchor, .colour = ink, .text = text});
}

static void draw_sample(zn_canvas *canvas, const zn_curve *c, double x, double y)
{
    canvas->ops->line(canvas, pen_of(c), 2, (double[]){x, y, x + SAMPLE, y});
    if (c->markers)
        zn_curve_draw_marker(c->colour, x + SAMPLE / 2.0, y, colour_of(c), canvas);
}

// Entries from left to right, as many rows as it takes; draws when there is a canvas. Returns the number of rows.
static int flow_legend(const zn_panel *panel, zn_canvas *canvas, double left, double right, double top)
{
    double x = left;
    int    rows = 0;
    char   text[ZN_FIGURE_TEXT];
    for (int i = 0; i < panel->curve_count; i++) {
        const zn_curve *c = &panel->curves[i];
        if (c->label == NULL)
            continue;
        zn_text_fit(c->label, font_legend, right - left - SAMPLE - 6, text);
        double width = SAMPLE + 6 + zn_text_width(text, font_legend);
        if (rows == 0 || x + width > right) {
            rows++;
            x = left;
        }
        double middle = top + (rows - 0.5) * LINE_HEIGHT;
        if (canvas != NULL) {
            draw_sample(canvas, c, x, middle);
            draw_text(canvas, x + SAMPLE + 6, middle + 4.5, font_legend, ZN_ANCHOR_START, text);
        }
        x += width + 16;
    }
    return rows;
}

// --- layout --------------------------------------------------------------------------------------

static double widest_label(const zn_axis *a)
{
    double width = 0;
    for (int i = 0; i < a->count; i++)
        width = fmax(width, zn_text_width(a->label[i], font_ticks));
    return width;
}

// Left edge of the legend: behind the factor of the labels, if there is one.
static double legend_left(const layout *l, const box *b)
{
    return l->left + (b->y.factor[0] != '\0' ? zn_text_width(b->y.factor, font_ticks) + 12 : 0);
}

// Heights of legends by the width there is; the axes share what is left; ticks follow the heights, the left edge the
// ticks.
static zn_status place(layout *l)
{
    const zn_figure *f = l->figure;
    double           top = EDGE + (f->title != NULL && f->title[0] != '\0' ? 24 : 0);
    double           bottom = l->canvas->height - EDGE - 20 - (f->label != NULL ? 20 : 0), headers = 0, widest = 0;
    for (int i = 0; i < f->panel_count; i++) {
        int rows = flow_legend(&f->panels[i], NULL, legend_left(l, &l->boxes[i]), l->right, 0);
        l->boxes[i].header = (i > 0 ? 10 : 0) + (rows > 0 ? rows * LINE_HEIGHT + 8 : 12);
        headers += l->boxes[i].header;
    }
    double height = (bottom - top - headers) / f->panel_count;
    if (!(height >= HEIGHT_LEAST))
        return ZN_ERR_ARGUMENT;
    for (int i = 0; i < f->panel_count; i++) {
        box *b = &l->boxes[i];
        b->top = floor(top + b->header) + 0.5;
        b->bottom = floor(top + b->header + height) + 0.5;
        b->y = make_y(&f->panels[i], height);
        b->y.first = b->bottom;
        b->y.last = b->top;
        widest = fmax(widest, widest_label(&b->y));
        top = b->bottom;
    }
    l->left = floor(EDGE + 22 + widest + TICK + 5) + 0.5;
    return l->right - l->left < HEIGHT_LEAST ? ZN_ERR_ARGUMENT : ZN_OK;
}

// The width of the legends depends on the ticks and these on the heights: once with a guess, once with the result.
static zn_status lay_out(layout *l)
{
    const zn_figure *f = l->figure;
    l->left = 80;
    l->right = l->canvas->width - 2 * EDGE - 0.5;
    ZN_TRY(place(l));
    ZN_TRY(place(l));
    l->x = make_x(f, l->right - l->left);
    l->x.first = l->left;
    l->x.last = l->right;
    return ZN_OK;
}

// --- drawing -------------------------------------------------------------------------------------

static void draw_segment(zn_canvas *canvas, uint32_t colour, double x1, double y1, double x2, double y2)
{
    canvas->ops->line(canvas, (zn_pen){colour, 1, 0}, 2, (double[]){x1, y1, x2, y2});
}

static double crisp(double pixel) { return floor(pixel) + 0.5; }

static void draw_grid(const layout *l, const box *b)
{
    zn_canvas *canvas = l->canvas;
    for (int i = 0; i < l->x.minor_count; i++) {
        double x = crisp(zn_axis_pixel(&l->x, l->x.minor[i]));
        draw_segment(canvas, minor_grey, x, b->top, x, b->bottom);
    }
    for (int i = 0; i < b->y.minor_count; i++) {
        double y = crisp(zn_axis_pixel(&b->y, b->y.minor[i]));
        draw_segment(canvas, minor_grey, l->left, y, l->right, y);
    }
    for (int i = 0; i < l->x.count; i++) {
        double x = crisp(zn_axis_pixel(&l->x, l->x.tick[i]));
        draw_segment(canvas, grid_grey, x, b->top, x, b->bottom);
    }
    for (int i = 0; i < b->y.count; i++) {
        double y = crisp(zn_axis_pixel(&b->y, b->y.tick[i]));
        draw_segment(canvas, grid_grey, l->left, y, l->right, y);
    }
}

static void draw_frame(const layout *l, const box *b)
{
    zn_canvas *canvas = l->canvas;
    draw_segment(canvas, frame_grey, l->left, b->top, l->left, b->bottom + 0.5);
    draw_segment(canvas, frame_grey, l->left - 0.5, b->bottom, l->right, b->bottom);
    for (int i = 0; i < l->x.count; i++) {
        double x = crisp(zn_axis_pixel(&l->x, l->x.tick[i]));
        draw_segment(canvas, frame_grey, x, b->bottom, x, b->bottom + TICK);
    }
    double above = INFINITY; // labels that would touch the one below are left out
    for (int i = 0; i < b->y.count; i++) {
        double y = crisp(zn_axis_pixel(&b->y, b->y.tick[i]));
        draw_segment(canvas, frame_grey, l->left - TICK, y, l->left, y);
        if (y > above - font_ticks)
            continue;
        draw_text(canvas, l->left - TICK - 4, y + 0.36 * font_ticks, font_ticks, ZN_ANCHOR_END, b->y.label[i]);
        above = y;
    }
}

static void draw_y_label(const layout *l, const box *b, const char *label)
{
    char text[ZN_FIGURE_TEXT];
    zn_text_fit(label, font_label, b->bottom - b->top + 16, text);
    l->canvas->ops->text(l->canvas, &(zn_text){.x = EDGE + 9,
                                               .y = (b->top + b->bottom) / 2,
                                               .size = font_label,
                                               .anchor = ZN_ANCHOR_MIDDLE,
                                               .upright = true,
                                               .colour = ink,
                                               .text = text});
}

static zn_status draw_panel(const layout *l, const zn_panel *panel, const box *b)
{
    zn_canvas *canvas = l->canvas;
    double     legend = legend_left(l, b);
    draw_grid(l, b);
    draw_frame(l, b);
    if (panel->label != NULL)
        draw_y_label(l, b, panel->label);
    if (b->y.factor[0] != '\0')
        draw_text(canvas, l->left - TICK, b->top - 5, font_ticks, ZN_ANCHOR_START, b->y.factor);
    int rows = flow_legend(panel, NULL, legend, l->right, 0);
    flow_legend(panel, canvas, legend, l->right, b->top - 5 - rows * LINE_HEIGHT);
    canvas->ops->clip(canvas, l->left, b->top - 1, l->right - l->left + 1, b->bottom - b->top + 2);
    zn_status status = ZN_OK;
    for (int i = 0; i < panel->curve_count && status == ZN_OK; i++)
        status = zn_curve_draw_line(&panel->curves[i], &l->x, &b->y, pen_of(&panel->curves[i]), canvas);
    canvas->ops->unclip(canvas);
    for (int i = 0; i < panel->curve_count && status == ZN_OK; i++)
        if (panel->curves[i].markers)
            zn_curve_draw_markers(&panel->curves[i], &l->x, &b->y, colour_of(&panel->curves[i]), canvas);
    return status;
}

static void draw_x_labels(const layout *l)
{
    const zn_figure *f = l->figure;
    zn_canvas       *canvas = l->canvas;
    double           y = l->boxes[f->panel_count - 1].bottom + TICK + 14, end = -INFINITY;
    for (int i = 0; i < l->x.count; i++) {
        double x = zn_axis_pixel(&l->x, l->x.tick[i]), half = zn_text_width(l->x.label[i], font_ticks) / 2;
        if (x - half < end + 4)
            continue;
        draw_text(canvas, x, y, font_ticks, ZN_ANCHOR_MIDDLE, l->x.label[i]);
        end = x + half;
    }
    if (l->x.factor[0] != '\0')
        draw_text(canvas, l->right, y + 20, font_ticks, ZN_ANCHOR_END, l->x.factor);
    if (f->label != NULL) {
        char text[ZN_FIGURE_TEXT];
        zn_text_fit(f->label, font_label, l->right - l->left, text);
        draw_text(canvas, (l->left + l->right) / 2, y + 20, font_label, ZN_ANCHOR_MIDDLE, text);
    }
}

static zn_status draw(layout *l)
{
    const zn_figure *f = l->figure;
    zn_canvas       *canvas = l->canvas;
    double           w = canvas->width, h = canvas->height;
    char             text[ZN_FIGURE_TEXT];
    ZN_TRY(lay_out(l));
    canvas->ops->area(canvas, 0xffffff, 4, (double[]){0, 0, w, 0, w, h, 0, h});
    if (f->title != NULL && f->title[0] != '\0')
        canvas->ops->text(canvas,
                          &(zn_text){.x = l->left,
                                     .y = EDGE + 14,
                                     .size = font_title,
                                     .bold = true,
                                     .colour = ink,
                                     .text = zn_text_fit(f->title, 1.08 * font_title, l->right - l->left, text)});
    for (int i = 0; i < f->panel_count; i++)
        ZN_TRY(draw_panel(l, &f->panels[i], &l->boxes[i]));
    draw_x_labels(l);
    return ZN_OK;
}

// --- files ---------------------------------------------------------------------------------------

static zn_status draw_boxes(zn_canvas *canvas, const void *user)
{
    const zn_figure *f = user;
    layout           l = {.figure = f, .canvas = canvas, .boxes = ZN_NEW(box, f->panel_count)};
    zn_status        status = l.boxes != NULL ? draw(&l) : ZN_ERR_MEMORY;
    free(l.boxes);
    return status;
}

zn_status zn_figure_write(const zn_figure *f, const char *path, zn_log log)
{
    if (!f)
        return ZN_ERR_ARGUMENT;
    int  width = f->width != 0 ? f->width : 900;
    int  height = f->height != 0 ? f->height : f->panel_count == 1 ? 480 : 80 + 190 * f->panel_count;
    char what[32];
    snprintf(what, sizeof what, "%d panels", f->panel_count);
    if (f->panel_count < 1 || f->panel_count > PANELS_MOST)
        return zn_fail(&log, ZN_ERR_ARGUMENT, "%s: a figure has 1 to %d panels", path, (int)PANELS_MOST);
    return zn_figure_file(path, width, height, f->title, what, draw_boxes, f, log);
}
