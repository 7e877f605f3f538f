// Curves into polylines: thinned without hiding anything that could be seen, interrupted where values are missing.
#include "view/figure_curve.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"

typedef struct point {
    double  x, y;
    int64_t index;
} point;

// A polyline under construction.
typedef struct pencil {
    zn_canvas *canvas;
    zn_pen     pen;
    int        count, capacity; // doubles in xy
    double    *xy;
    zn_status  status;
    // points of the current pixel column
    int64_t    column;
    bool       filled;
    point      first, last, least, greatest;
} pencil;

static void put(pencil *p, double x, double y)
{
    zn_status status = ZN_PUSH(p->xy, p->count, p->capacity, x);
    if (status == ZN_OK)
        status = ZN_PUSH(p->xy, p->count, p->capacity, y);
    if (status != ZN_OK)
        p->status = status;
}

// --- pixel columns -------------------------------------------------------------------------------

static void end_column(pencil *p)
{
    if (!p->filled)
        return;
    point       low = p->least, high = p->greatest;
    bool        rising = low.index < high.index;
    const point order[] = {p->first, rising ? low : high, rising ? high : low, p->last};
    for (int i = 0; i < 4; i++)
        if (i == 0 || order[i].index > order[i - 1].index)
            put(p, order[i].x, order[i].y);
    p->filled = false;
}

static void add_to_column(pencil *p, point q)
{
    int64_t column = (int64_t)floor(q.x);
    if (p->filled && column != p->column)
        end_column(p);
    if (!p->filled) {
        p->first = p->least = p->greatest = q;
        p->column = column;
        p->filled = true;
    }
    p->last = q;
    if (q.y < p->least.y)
        p->least = q;
    if (q.y > p->greatest.y)
        p->greatest = q;
}

// --- any path ------------------------------------------------------------------------------------

static void add_if_apart(pencil *p, point q)
{
    double dx = p->count > 0 ? q.x - p->xy[p->count - 2] : 1, dy = p->count > 0 ? q.y - p->xy[p->count - 1] : 1;
    if (dx * dx + dy * dy >= 1.0 / 16)
        put(p, q.x, q.y);
}

static void end_line(pencil *p)
{
    end_column(p);
    if (p->count == 2) // a single point still shows
        put(p, p->xy[0] + 1, p->xy[1]);
    if (p->count > 2 && p->status == ZN_OK)
        p->canvas->ops->line(p->canvas, p->pen, p->count / 2, p->xy);
    p->count = 0;
}

bool zn_curve_is_forward(const zn_curve *curve)
{
    double before = -INFINITY;
    for (int64_t i = 0; i < curve->count; i++) {
        if (curve->x[i] < before)
            return false;
        before = isnan(curve->x[i]) ? before : curve->x[i];
    }
    return true;
}

static double bounded(double pixel) { return isfinite(pixel) ? fmax(-1e5, fmin(1e5, pixel)) : NAN; }

zn_status zn_curve_draw_line(const zn_curve *curve, const zn_axis *x, const zn_axis *y, zn_pen pen, zn_canvas *canvas)
{
    pencil p = {.canvas = canvas, .pen = pen};
    bool   columns = curve->count > 4 * canvas->width && zn_curve_is_forward(curve);
    bool   all = curve->count <= 4 * canvas->width;
    for (int64_t i = 0; i < curve->count && p.status == ZN_OK; i++) {
        point q = {bounded(zn_axis_pixel(x, curve->x[i])), bounded(zn_axis_pixel(y, curve->y[i])), i};
        if (isnan(q.x) || isnan(q.y))
            end_line(&p);
        else if (columns)
            add_to_column(&p, q);
        else if (all || i == curve->count - 1)
            put(&p, q.x, q.y);
        else
            add_if_apart(&p, q);
    }
    end_line(&p);
    free(p.xy);
    return p.status;
}

// --- symbols -------------------------------------------------------------------------------------

void zn_curve_draw_marker(int kind, double x, double y, uint32_t colour, zn_canvas *canvas)
{
    // corners on a circle: how many, radius, angle of the first in turns
    static const struct {
        int    corners;
        double radius, start;
    } shapes[] = {{20, 3.6, 0}, {4, 4.4, 0.125}, {3, 4.9, 0.75}, {4, 4.9, 0}};
    double       xy[40];
    const double turn = 6.28318530717958648;
    kind = (kind < 0 ? 0 : kind) % 4;
    for (int i = 0; i < shapes[kind].corners; i++) {
        double angle = turn * (shapes[kind].start + (double)i / shapes[kind].corners);
        xy[2 * i] = x + shapes[kind].radius * cos(angle);
        xy[2 * i + 1] = y + shapes[kind].radius * sin(angle);
    }
    canvas->ops->area(canvas, colour, shapes[kind].corners, xy);
}

static bool is_on(const zn_axis *a, double pixel)
{
    return pixel >= fmin(a->first, a->last) - 1 && pixel <= fmax(a->first, a->last) + 1;
}

void zn_curve_draw_markers(const zn_curve *curve, const zn_axis *x, const zn_axis *y, uint32_t colour,
                           zn_canvas *canvas)
{
    for (int64_t i = 0; i < curve->count; i++) {
        double px = bounded(zn_axis_pixel(x, curve->x[i])), py = bounded(zn_axis_pixel(y, curve->y[i]));
        if (is_on(x, px) && is_on(y, py))
            zn_curve_draw_marker(curve->colour, px, py, colour, canvas);
    }
}
