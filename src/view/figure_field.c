// A field over place and time as a surface, in parallel projection: time to the right, place to the back (right and
// upwards), the value upwards. Strips between two places are painted from the back to the front and from left to right,
// so that what is nearer covers what is behind it; each quadrilateral has the colour of its mean value.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "view/figure_axis.h"
#include "view/figure_file.h"
#include "view/figure_text.h"

enum {
    EDGE = 14,
    COLUMNS = 160, // of time at most
    SHADES = 32,
    LEAST = 60, // of each direction of the box [pixels]
    LINES_MOST = 2000,
    TICK = 4,
};

static const double   font_ticks = 12, font_label = 13, font_title = 15;
static const uint32_t ink = 0x222222, frame_grey = 0x777777, grid_grey = 0xe2e2e2, line_grey = 0x3c3c3c;

typedef struct layout {
    const zn_field *field;
    zn_canvas      *canvas;
    zn_axis         time, place, value;
    double          x, y;          // of the corner in front, on the left, below
    double          width, height; // of time and value
    double          right, up;     // of place
    int             columns;
    int64_t         row[COLUMNS]; // that the columns show
} layout;

typedef struct spot {
    double x, y;
} spot;

// --- projection ----------------------------------------------------------------------------------

static double share(const zn_axis *a, double value) { return (value - a->min) / (a->max - a->min); }

static spot project(const layout *l, double t, double place, double value)
{
    double a = share(&l->time, t), b = share(&l->place, place), c = share(&l->value, value);
    return (spot){l->x + a * l->width + b * l->right, l->y - c * l->height - b * l->up};
}

static spot node(const layout *l, int line, int column)
{
    const zn_field *f = l->field;
    int64_t         row = l->row[column];
    return project(l, f->t[row], f->place[line], f->value[line * f->count + row]);
}

static double value_at(const layout *l, int line, int column)
{
    return l->field->value[line * l->field->count + l->row[column]];
}

// --- layout --------------------------------------------------------------------------------------

static zn_axis axis_over(int64_t count, const double *values, double margin, int wanted)
{
    double min = INFINITY, max = -INFINITY;
    for (int64_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            min = fmin(min, values[i]);
            max = fmax(max, values[i]);
        }
    return zn_axis_make(min, max, false, margin, wanted);
}

// Rows at equal distances in time, with the first and the last.
static void choose_columns(layout *l)
{
    const zn_field *f = l->field;
    l->columns = f->count < COLUMNS ? (int)f->count : COLUMNS;
    int64_t row = 0;
    for (int k = 0; k < l->columns; k++) {
        double wanted = f->t[0] + (f->t[f->count - 1] - f->t[0]) * k / (l->columns > 1 ? l->columns - 1 : 1);
        while (row < f->count - 1 && fabs(f->t[row + 1] - wanted) <= fabs(f->t[row] - wanted))
            row++;
        l->row[k] = row;
    }
}

static zn_status lay_out(layout *l)
{
    const zn_field *f = l->field;
    double          widest = 0, last = 0;
    l->value = axis_over(f->lines * f->count, f->value, 0.02, 6);
    l->time = axis_over(f->count, f->t, 0, 8);
    l->place = axis_over(f->lines, f->place, 0, 5);
    for (int i = 0; i < l->value.count; i++)
        widest = fmax(widest, zn_text_width(l->value.label[i], font_ticks));
    for (int i = 0; i < l->place.count; i++)
        last = fmax(last, zn_text_width(l->place.label[i], font_ticks));
    double top = EDGE + (f->title != NULL && f->title[0] != '\0' ? 30 : 8), bottom = EDGE + 42;
    l->x = floor(EDGE + 22 + widest + TICK + 5) + 0.5;
    l->y = floor(l->canvas->height - bottom) + 0.5;
    double room = l->canvas->width - l->x - EDGE - TICK - 4 - last - 24, high = l->y - top;
    l->right = 0.3 * room;
    l->width = room - l->right;
    l->up = 0.45 * high;
    l->height = high - l->up;
    if (!(l->width >= LEAST && l->height >= LEAST))
        return ZN_ERR_ARGUMENT;
    choose_columns(l);
    return ZN_OK;
}

// --- axes ----------------------------------------------------------------------------------------

static void draw_text(const layout *l, spot at, double size, zn_anchor anchor, const char *text)
{
    char fitted[ZN_FIGURE_TEXT];
    l->canvas->ops->text(l->canvas, &(zn_text){.x = at.x,
                                               .y = at.y,
                                               .size = size,
                                               .anchor = anchor,
                                               .colour = ink,
                                               .text = zn_text_fit(text, size, l->canvas->width, fitted)});
}

static void draw_path(const layout *l, uint32_t colour, int count, const spot *at)
{
    double xy[6];
    for (int i = 0; i < count; i++) {
        xy[2 * i] = at[i].x;
        xy[2 * i + 1] = at[i].y;
    }
    l->canvas->ops->line(l->canvas, (zn_pen){colour, 1, 0}, count, xy);
}

// Lines of the floor, of the wall behind and of the wall on the left.
static void draw_grid(const layout *l)
{
    double t0 = l->time.min, t1 = l->time.max, p0 = l->place.min, p1 = l->place.max, v0 = l->value.min;
    double v1 = l->value.max;
    for (int i = 0; i < l->time.count; i++) {
        double t = l->time.tick[i];
        draw_path(l, grid_grey, 3, (spot[]){project(l, t, p0, v0), project(l, t, p1, v0), project(l, t, p1, v1)});
    }
    for (int i = 0; i < l->place.count; i++) {
        double p = l->place.tick[i];
        draw_path(l, grid_grey, 3, (spot[]){project(l, t1, p, v0), project(l, t0, p, v0), project(l, t0, p, v1)});
    }
    for (int i = 0; i < l->value.count; i++) {
        double v = l->value.tick[i];
        draw_path(l, grid_grey, 3, (spot[]){project(l, t0, p0, v), project(l, t0, p1, v), project(l, t1, p1, v)});
    }
}

static void draw_value_axis(const layout *l)
{
    for (int i = 0; i < l->value.count; i++) {
        spot at = project(l, l->time.min, l->place.min, l->value.tick[i]);
        draw_path(l, frame_grey, 2, (spot[]){{at.x - TICK, at.y}, at});
        draw_text(l, (spot){at.x - TICK - 4, at.y + 0.36 * font_ticks}, font_ticks, ZN_ANCHOR_END, l->value.label[i]);
    }
    spot top = project(l, l->time.min, l->place.min, l->value.max);
    if (l->value.factor[0] != '\0')
        draw_text(l, (spot){top.x - TICK, top.y - 6}, font_ticks, ZN_ANCHOR_END, l->value.factor);
    char text[ZN_FIGURE_TEXT];
    if (l->field->label != NULL)
        l->canvas->ops->text(l->canvas,
                             &(zn_text){.x = EDGE + 9,
                                        .y = l->y - l->height / 2,
                                        .size = font_label,
                                        .anchor = ZN_ANCHOR_MIDDLE,
                                        .upright = true,
                                        .colour = ink,
                                        .text = zn_text_fit(l->field->label, font_label, l->canvas->height, text)});
}

static void draw_time_axis(const layout *l)
{
    for (int i = 0; i < l->time.count; i++) {
        spot at = project(l, l->time.tick[i], l->place.min, l->value.min);
        draw_path(l, frame_grey, 2, (spot[]){at, {at.x, at.y + TICK}});
        draw_text(l, (spot){at.x, at.y + TICK + 13}, font_ticks, ZN_ANCHOR_MIDDLE, l->time.label[i]);
    }
    char text[ZN_FIGURE_TEXT];
    snprintf(text, sizeof text, "%.200s%s%s", l->field->time_label != NULL ? l->field->time_label : "",
             l->time.factor[0] != '\0' ? "  " : "", l->time.factor);
    draw_text(l, (spot){l->x + l->width / 2, l->y + TICK + 33}, font_label, ZN_ANCHOR_MIDDLE, text);
}

static void draw_place_axis(const layout *l)
{
    for (int i = 0; i < l->place.count; i++) {
        spot at = project(l, l->time.max, l->place.tick[i], l->value.min);
        draw_path(l, frame_grey, 2, (spot[]){at, {at.x + TICK, at.y}});
        draw_text(l, (spot){at.x + TICK + 4, at.y + 0.36 * font_ticks}, font_ticks, ZN_ANCHOR_START, l->place.label[i]);
    }
    char text[ZN_FIGURE_TEXT];
    snprintf(text, sizeof text, "%.200s%s%s", l->field->place_label != NULL ? l->field->place_label : "",
             l->place.factor[0] != '\0' ? "  " : "", l->place.factor);
    spot end = {l->canvas->width - EDGE, l->y + TICK + 33};
    draw_text(l, end, font_label, ZN_ANCHOR_END, text);
}

static void draw_frame(const layout *l)
{
    double t0 = l->time.min, t1 = l->time.max, p0 = l->place.min, p1 = l->place.max, v0 = l->value.min;
    draw_path(l, frame_grey, 3,
              (spot[]){project(l, t0, p0, l->value.max), project(l, t0, p0, v0), project(l, t1, p0, v0)});
    draw_path(l, frame_grey, 2, (spot[]){project(l, t1, p0, v0), project(l, t1, p1, v0)});
    draw_value_axis(l);
    draw_time_axis(l);
    draw_place_axis(l);
}

// --- surface -------------------------------------------------------------------------------------

// From dark blue over green to yellow (viridis), which also reads in grey.
static uint32_t shade_colour(int shade)
{
    static const double points[][3] = {{68, 1, 84},    {71, 44, 122}, {59, 81, 139},  {44, 113, 142}, {33, 144, 141},
                                       {39, 173, 129}, {92, 200, 99}, {170, 220, 50}, {253, 231, 37}};
    enum { LAST = sizeof points / sizeof *points - 1 };
    double   s = LAST * (double)shade / (SHADES - 1);
    int      k = s < LAST ? (int)s : LAST - 1;
    uint32_t colour = 0;
    for (int i = 0; i < 3; i++)
        colour = colour << 8 | (uint32_t)lround(points[k][i] + (s - k) * (points[k + 1][i] - points[k][i]));
    return colour;
}

// Of the quadrilateral between two lines and two columns; -1: a corner is missing.
static int shade_of(const layout *l, int line, int column)
{
    double mean = (value_at(l, line, column) + value_at(l, line + 1, column) + value_at(l, line, column + 1) +
                   value_at(l, line + 1, column + 1)) /
                  4;
    if (!isfinite(mean))
        return -1;
    int shade = (int)(share(&l->value, mean) * SHADES);
    return shade < 0 ? 0 : shade >= SHADES ? SHADES - 1 : shade;
}

// Columns [first, last] of a strip as one area.
static void draw_area(const layout *l, int line, int first, int last, int shade)
{
    double xy[4 * COLUMNS];
    int    count = 0;
    for (int k = first; k <= last; k++, count++) {
        spot at = node(l, line, k);
        xy[2 * count] = at.x;
        xy[2 * count + 1] = at.y;
    }
    for (int k = last; k >= first; k--, count++) {
        spot at = node(l, line + 1, k);
        xy[2 * count] = at.x;
        xy[2 * count + 1] = at.y;
    }
    l->canvas->ops->area(l->canvas, shade_colour(shade), count, xy);
}

// Neighbours of one colour are one area; each goes on below the next, so that no seam shows.
static void draw_strip(const layout *l, int line)
{
    for (int k = 0, end; k < l->columns - 1; k = end) {
        int shade = shade_of(l, line, k);
        for (end = k + 1; end < l->columns - 1 && shade_of(l, line, end) == shade;)
            end++;
        bool more = end < l->columns - 1 && shade_of(l, line, end) >= 0;
        if (shade >= 0)
            draw_area(l, line, k, more ? end + 1 : end, shade);
    }
}

static void draw_line(const layout *l, int line)
{
    double xy[2 * COLUMNS];
    int    count = 0;
    for (int k = 0; k <= l->columns; k++) {
        if (k < l->columns && isfinite(value_at(l, line, k))) {
            spot at = node(l, line, k);
            xy[2 * count] = at.x;
            xy[2 * count++ + 1] = at.y;
            continue;
        }
        if (count > 1)
            l->canvas->ops->line(l->canvas, (zn_pen){line_grey, 0.6, 0}, count, xy);
        count = 0;
    }
}

static zn_status draw(zn_canvas *canvas, const void *user)
{
    layout l = {.field = user, .canvas = canvas};
    double w = canvas->width, h = canvas->height;
    char   text[ZN_FIGURE_TEXT];
    ZN_TRY(lay_out(&l));
    canvas->ops->area(canvas, 0xffffff, 4, (double[]){0, 0, w, 0, w, h, 0, h});
    if (l.field->title != NULL && l.field->title[0] != '\0')
        canvas->ops->text(canvas,
                          &(zn_text){.x = EDGE,
                                     .y = EDGE + 12,
                                     .size = font_title,
                                     .bold = true,
                                     .colour = ink,
                                     .text = zn_text_fit(l.field->title, 1.08 * font_title, w - 2 * EDGE, text)});
    draw_grid(&l);
    draw_line(&l, l.field->lines - 1);
    for (int i = l.field->lines - 2; i >= 0; i--) {
        draw_strip(&l, i);
        draw_line(&l, i);
    }
    draw_frame(&l);
    return ZN_OK;
}

static bool ascends(int64_t count, const double *values)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(values[i]) || (i > 0 && !(values[i] > values[i - 1])))
            return false;
    return true;
}

zn_status zn_field_write(const zn_field *f, const char *path, zn_log log)
{
    if (!f)
        return ZN_ERR_ARGUMENT;
    if (f->lines < 2 || f->lines > LINES_MOST || f->count < 2)
        return zn_fail(&log, ZN_ERR_ARGUMENT, "%s: a surface has 2 to %d places and at least 2 times", path,
                       (int)LINES_MOST);
    if (!ascends(f->count, f->t) || !ascends(f->lines, f->place))
        return zn_fail(&log, ZN_ERR_ARGUMENT, "%s: times and places of a surface ascend", path);
    return zn_figure_file(path, f->width != 0 ? f->width : 900, f->height != 0 ? f->height : 560, f->title, "the axes",
                          draw, f, log);
}
