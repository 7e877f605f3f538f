// Figures as SVG, written straight to the file. Text stays text.
#include <stdlib.h>

#include "base/array.h"
#include "view/figure_canvas.h"

typedef struct svg {
    zn_canvas base;
    FILE     *out;
    int       clips; // so far, to give each a name
} svg;

const double zn_dashes[ZN_DASHES][ZN_DASH_LENGTHS] = {{0}, {7, 4, 0}, {2, 3, 0}, {9, 3, 2, 3, 0}};

static void put_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc(*text, out);
        }
}

static void put_points(FILE *out, int count, const double *xy)
{
    fputs(" points=\"", out);
    for (int i = 0; i < count; i++)
        fprintf(out, "%s%.2f,%.2f", i > 0 ? " " : "", xy[2 * i], xy[2 * i + 1]);
    fputs("\"/>\n", out);
}

static void line(zn_canvas *canvas, zn_pen pen, int count, const double *xy)
{
    FILE         *out = ((svg *)canvas)->out;
    const double *dash = zn_dashes[pen.dash];
    fprintf(out, "<polyline fill=\"none\" stroke=\"#%06x\" stroke-width=\"%.4g\"", (unsigned)pen.colour, pen.width);
    if (dash[0] > 0)
        fputs(" stroke-dasharray=\"", out);
    for (int i = 0; dash[i] > 0; i++)
        fprintf(out, "%s%.4g%s", i > 0 ? " " : "", dash[i], dash[i + 1] > 0 ? "" : "\"");
    put_points(out, count, xy);
}

static void area(zn_canvas *canvas, uint32_t colour, int count, const double *xy)
{
    FILE *out = ((svg *)canvas)->out;
    fprintf(out, "<polygon fill=\"#%06x\"", (unsigned)colour);
    put_points(out, count, xy);
}

static void text(zn_canvas *canvas, const zn_text *t)
{
    FILE                    *out = ((svg *)canvas)->out;
    static const char *const anchors[] = {"start", "middle", "end"};
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.4g\" fill=\"#%06x\"", t->x, t->y, t->size,
            (unsigned)t->colour);
    if (t->anchor != ZN_ANCHOR_START)
        fprintf(out, " text-anchor=\"%s\"", anchors[t->anchor]);
    if (t->bold)
        fputs(" font-weight=\"bold\"", out);
    if (t->upright)
        fprintf(out, " transform=\"rotate(-90 %.2f %.2f)\"", t->x, t->y);
    fputs(">", out);
    put_escaped(out, t->text);
    fputs("</text>\n", out);
}

static void clip(zn_canvas *canvas, double x, double y, double width, double height)
{
    svg *s = (svg *)canvas;
    fprintf(s->out, "<clipPath id=\"clip%d\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/></clipPath>\n",
            ++s->clips, x, y, width, height);
    fprintf(s->out, "<g clip-path=\"url(#clip%d)\" stroke-linejoin=\"round\" stroke-linecap=\"butt\">\n", s->clips);
}

static void unclip(zn_canvas *canvas) { fputs("</g>\n", ((svg *)canvas)->out); }

static zn_status finish(zn_canvas *canvas)
{
    fputs("</svg>\n", ((svg *)canvas)->out);
    free(canvas);
    return ZN_OK;
}

static const zn_canvas_ops svg_ops = {line, area, text, clip, unclip, finish};

zn_canvas *zn_canvas_svg(FILE *out, int width, int height, const char *title)
{
    svg *s = ZN_NEW(svg, 1);
    if (s == NULL)
        return NULL;
    *s = (svg){.base = {&svg_ops, width, height}, .out = out};
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" ", width,
            height, width, height);
    fputs("font-family=\"DejaVu Sans, Verdana, Helvetica, Arial, sans-serif\">\n<title>", out);
    put_escaped(out, title);
    fputs("</title>\n", out);
    return &s->base;
}
