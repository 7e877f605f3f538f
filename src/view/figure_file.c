// A figure into its file: checks, canvas, locale, and what is told when it fails.
#include "view/figure_file.h"

#include <locale.h>
#include <string.h>

#include "view/figure_text.h"

enum { SIZE_MOST = 20000 };

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static zn_status check(const char *path, int width, int height, const zn_log *log)
{
    if (!ends_with(path, ".svg") && !ends_with(path, ".png"))
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: a figure is a file .svg or .png", path);
    if (width < 1 || height < 1 || width > SIZE_MOST || height > SIZE_MOST)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: size %d x %d is not within 1 to %d pixels", path, width, height,
                       (int)SIZE_MOST);
    return ZN_OK;
}

static zn_status draw_to(zn_canvas *canvas, zn_figure_draw draw, const void *user)
{
    locale_t c = canvas != NULL ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
    if (c == (locale_t)0) {
        if (canvas != NULL)
            canvas->ops->finish(canvas);
        return ZN_ERR_MEMORY;
    }
    locale_t  before = uselocale(c);
    zn_status status = draw(canvas, user), finished = canvas->ops->finish(canvas);
    uselocale(before);
    freelocale(c);
    return status != ZN_OK ? status : finished;
}

zn_status zn_figure_file(const char *path, int width, int height, const char *title, const char *what,
                         zn_figure_draw draw, const void *user, zn_log log)
{
    zn_new_file *file;
    char         text[ZN_FIGURE_TEXT];
    ZN_TRY(check(path, width, height, &log));
    if (!ends_with(path, ".svg"))
        ZN_TRY(zn_canvas_png_load(&log));
    ZN_TRY(zn_new_file_open(path, log, &file));
    FILE     *out = zn_new_file_stream(file);
    zn_status status =
        draw_to(ends_with(path, ".svg") ? zn_canvas_svg(out, width, height, zn_text_fit(title, 1, ZN_FIGURE_TEXT, text))
                                        : zn_canvas_png(out, width, height),
                draw, user);
    status = zn_new_file_close(file, status == ZN_ERR_IO ? ZN_OK : status); // which tells what went wrong
    if (status == ZN_ERR_ARGUMENT)
        zn_fail(&log, status, "%s: %s do not fit into %d x %d pixels", path, what, width, height);
    return status;
}
