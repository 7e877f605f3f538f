// A sample as a page for browsers, without scripts: what was drawn, and of each measure its moments, quantiles and
// histogram. Marks below the bars are the quantiles.
#include <math.h>
#include <string.h>

#include "statistics.h"
#include "sweep.h"
#include "terminal.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<style>\n"
    ":root { color-scheme: light dark; --bar: #2a6fb0; --ink: #222; --faint: #777; --back: #fff }\n"
    "@media (prefers-color-scheme: dark) { :root { --bar: #6aa9e4; --ink: #ddd; --faint: #999; --back: #17191c } }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--back); max-width: 52em; "
    "margin: 2em auto; padding: 0 1em }\n"
    "h2 { margin-top: 2em; font-size: 1.15em } .faint { color: var(--faint) }\n"
    "table { border-collapse: collapse } th { font-weight: normal; color: var(--faint) }\n"
    "th, td { padding: 0.15em 0.8em; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }\n"
    "svg { display: block; width: 100%; max-width: 40em; margin: 1em 0 } rect { fill: var(--bar) }\n"
    "text { fill: var(--faint); font-size: 12px } line { stroke: var(--faint) }\n"
    "</style>\n";

static void put_html(FILE *out, const char *text)
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
        default:
            fputc(*text, out);
        }
}

// --- histogram -----------------------------------------------------------------------------------

enum { WIDTH = 640, HEIGHT = 200, SIDE = 20, FOOT = 30 };

static double place_of(const statistics *s, double x)
{
    double first = s->edges[0], range = s->edges[s->bin_count] - first;
    return SIDE + (WIDTH - 2 * SIDE) * (range > 0 ? (x - first) / range : 0.5);
}

static void put_mark(FILE *out, const statistics *s, double value)
{
    double x = place_of(s, value + (s->whole ? 0.5 : 0)); // whole numbers are the left edges of their bins
    fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n", x, x, HEIGHT, HEIGHT + 8);
}

static void put_end(FILE *out, int x, const char *anchor, double value)
{
    fprintf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%.4g</text>\n", x, HEIGHT + 24, anchor, value);
}

static void put_histogram(FILE *out, const statistics *s)
{
    int most = 1;
    for (int i = 0; i < s->bin_count; i++)
        most = s->bins[i] > most ? s->bins[i] : most;
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"histogram\">\n", WIDTH, HEIGHT + FOOT);
    for (int i = 0; i < s->bin_count; i++) {
        double left = s->bin_count > 1 ? place_of(s, s->edges[i]) : SIDE;
        double right = s->bin_count > 1 ? place_of(s, s->edges[i + 1]) : WIDTH - SIDE;
        double height = (double)(HEIGHT - 20) * s->bins[i] / most;
        fprintf(
            out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%d from %.6g to %.6g</title></rect>\n",
            left, HEIGHT - height, fmax(right - left - 1, 0.5), height, s->bins[i], s->edges[i], s->edges[i + 1]);
    }
    fprintf(out, "<line x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n", WIDTH, HEIGHT, HEIGHT);
    for (int i = 0; i < QUANTILES; i++)
        put_mark(out, s, s->quantiles[i]);
    put_end(out, SIDE, "start", s->edges[0]);
    put_end(out, WIDTH - SIDE, "end", s->edges[s->bin_count]);
    fputs("</svg>\n", out);
}

// --- numbers -------------------------------------------------------------------------------------

static void put_numbers(FILE *out, const statistics *s)
{
    fprintf(out, "<p>%d values", s->count);
    if (s->missing > 0)
        fprintf(out, ", <strong>%d missing</strong>", s->missing);
    if (s->count > 0)
        fprintf(out, "; mean %.6g", s->mean);
    if (s->count > 1)
        fprintf(out, " &plusmn; %.2g, deviation %.6g", s->error, s->deviation);
    fputs("</p>\n", out);
    if (s->count == 0)
        return;
    fputs("<table><tr><th>least</th>", out);
    for (int i = 0; i < QUANTILES; i++)
        fprintf(out, "<th>%.0f %%</th>", 100 * quantile_levels[i]);
    fprintf(out, "<th>greatest</th></tr>\n<tr><td>%.6g</td>", s->least);
    for (int i = 0; i < QUANTILES; i++)
        fprintf(out, "<td>%.6g</td>", s->quantiles[i]);
    fprintf(out, "<td>%.6g</td></tr></table>\n", s->greatest);
    put_histogram(out, s);
}

static bool put_measure(FILE *out, const sweep_work *w, int row, int measure)
{
    sweep_place at = sweep_place_of(w, row);
    statistics  s;
    if (!sweep_statistics(w, row, measure, &s))
        return false;
    fputs("<h2>", out);
    put_html(out, w->measures.items[measure]);
    fputs(" <span class=\"faint\">", out);
    put_html(out, w->schemes.items[at.scheme]);
    if (w->second.name[0] != '\0') {
        fputs(", ", out);
        put_html(out, w->second.name);
        fprintf(out, " = %.6g", w->second.values[at.second]);
    }
    fputs("</span></h2>\n", out);
    put_numbers(out, &s);
    return true;
}

static void put_beginning(FILE *out, const sweep_work *w)
{
    const char *title = w->options.title != NULL ? w->options.title : w->title != NULL ? w->title : w->model;
    fputs(head, out);
    fputs("<title>", out);
    put_html(out, title);
    fputs("</title>\n</head>\n<body>\n<h1>", out);
    put_html(out, title);
    fprintf(out, "</h1>\n<p>%d samples%s, seed %.0f:", w->first[0].count,
            w->options.hypercube ? " (Latin hypercube)" : "", w->options.seed);
    for (int i = 0; i < w->together; i++) {
        fputs(i > 0 ? ", <code>" : " <code>", out);
        put_html(out, w->options.distributions.items[i]);
        fputs("</code>", out);
    }
    fputs("</p>\n", out);
}

bool sweep_write_page(const sweep_work *w, const char *path)
{
    zn_new_file *file = open_file(path);
    bool         good = file != NULL;
    if (!good)
        return false;
    FILE *out = zn_new_file_stream(file);
    put_beginning(out, w);
    for (int row = 0; row < w->rows.count && good; row += w->first[0].count)
        for (int m = 0; m < w->measures.count && good; m++)
            good = put_measure(out, w, row, m);
    fputs("</body>\n</html>\n", out);
    return zn_new_file_close(file, good ? ZN_OK : ZN_ERR_MEMORY) == ZN_OK && good;
}
