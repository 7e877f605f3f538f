// Figures as PNG, by cairo, which is loaded for the first of them; the only file that knows it.
#include <cairo.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/late.h"
#include "view/figure_canvas.h"

// clang-format off
#define CALLS(X) \
    X(clip) X(close_path) X(create) X(destroy) X(fill) X(image_surface_create) X(line_to) X(move_to) X(new_path) \
    X(rectangle) X(restore) X(rotate) X(save) X(select_font_face) X(set_dash) X(set_font_size) X(set_line_join) \
    X(set_line_width) X(set_source_rgb) X(show_text) X(status) X(stroke) X(surface_destroy) \
    X(surface_write_to_png_stream) X(text_extents) X(translate)
// clang-format on

#define POINTER(name) __typeof__(&cairo_##name) name;
static struct {
    CALLS(POINTER)
} cairo; // once it is loaded
#undef POINTER

zn_status zn_canvas_png_load(const zn_log *log)
{
#define CALL(name) {"cairo_" #name, &cairo.name, false},
    static const zn_late_call calls[] = {CALLS(CALL)};
#undef CALL
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    static bool            loaded;
    pthread_mutex_lock(&turn);
    zn_status status = loaded ? ZN_OK : zn_late_load(ZN_CAIRO, sizeof calls / sizeof *calls, calls, log);
    loaded = status == ZN_OK;
    pthread_mutex_unlock(&turn);
    return status;
}

typedef struct png {
    zn_canvas        base;
    FILE            *out;
    cairo_surface_t *surface;
    cairo_t         *cairo;
} png;

static cairo_t *cairo_of(zn_canvas *canvas) { return ((png *)canvas)->cairo; }

static void set_colour(cairo_t *c, uint32_t colour)
{
    cairo.set_source_rgb(c, (colour >> 16 & 255) / 255.0, (colour >> 8 & 255) / 255.0, (colour & 255) / 255.0);
}

static void trace(cairo_t *c, int count, const double *xy)
{
    cairo.new_path(c);
    for (int i = 0; i < count; i++)
        cairo.line_to(c, xy[2 * i], xy[2 * i + 1]);
}

static void line(zn_canvas *canvas, zn_pen pen, int count, const double *xy)
{
    cairo_t *c = cairo_of(canvas);
    int      lengths = 0;
    while (zn_dashes[pen.dash][lengths] > 0)
        lengths++;
    set_colour(c, pen.colour);
    cairo.set_line_width(c, pen.width);
    cairo.set_dash(c, zn_dashes[pen.dash], lengths, 0);
    trace(c, count, xy);
    cairo.stroke(c);
}

static void area(zn_canvas *canvas, uint32_t colour, int count, const double *xy)
{
    cairo_t *c = cairo_of(canvas);
    set_colour(c, colour);
    trace(c, count, xy);
    cairo.close_path(c);
    cairo.fill(c);
}

static void text(zn_canvas *canvas, const zn_text *t)
{
    cairo_t             *c = cairo_of(canvas);
    cairo_text_extents_t extents;
    const double         quarter = 1.57079632679489662;
    set_colour(c, t->colour);
    cairo.select_font_face(c, "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           t->bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo.set_font_size(c, t->size);
    cairo.text_extents(c, t->text, &extents);
    double shift = t->anchor == ZN_ANCHOR_START ? 0 : t->anchor == ZN_ANCHOR_MIDDLE ? 0.5 : 1;
    cairo.save(c);
    cairo.translate(c, t->x, t->y);
    if (t->upright)
        cairo.rotate(c, -quarter);
    cairo.move_to(c, -shift * extents.x_advance, 0);
    cairo.show_text(c, t->text);
    cairo.restore(c);
}

static void clip(zn_canvas *canvas, double x, double y, double width, double height)
{
    cairo_t *c = cairo_of(canvas);
    cairo.save(c);
    cairo.rectangle(c, x, y, width, height);
    cairo.clip(c);
    cairo.set_line_join(c, CAIRO_LINE_JOIN_ROUND);
}

static void unclip(zn_canvas *canvas) { cairo.restore(cairo_of(canvas)); }

static cairo_status_t write_bytes(void *user, const unsigned char *data, unsigned length)
{
    return fwrite(data, 1, length, user) == length ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

static zn_status finish(zn_canvas *canvas)
{
    png           *p = (png *)canvas;
    cairo_status_t drawn = cairo.status(p->cairo);
    cairo_status_t written = cairo.surface_write_to_png_stream(p->surface, write_bytes, p->out);
    cairo.destroy(p->cairo);
    cairo.surface_destroy(p->surface);
    free(p);
    if (drawn == CAIRO_STATUS_NO_MEMORY || written == CAIRO_STATUS_NO_MEMORY)
        return ZN_ERR_MEMORY;
    return drawn == CAIRO_STATUS_SUCCESS && written == CAIRO_STATUS_SUCCESS ? ZN_OK : ZN_ERR_IO;
}

static const zn_canvas_ops png_ops = {line, area, text, clip, unclip, finish};

// Fonts are sought in files: that crashes, or does not end, where no memory is left.
static bool is_room_for(int width, int height)
{
    const size_t fonts = (size_t)32 << 20;
    return zn_has_room(fonts + 4 * (size_t)width * (size_t)height);
}

zn_canvas *zn_canvas_png(FILE *out, int width, int height)
{
    png *p = is_room_for(width, height) ? ZN_NEW(png, 1) : NULL;
    if (p == NULL)
        return NULL;
    *p = (png){.base = {&png_ops, width, height}, .out = out};
    p->surface = cairo.image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    p->cairo = cairo.create(p->surface);
    return &p->base; // a surface that failed makes every call do nothing; finish tells
}
