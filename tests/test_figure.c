// Figures: ticks, thinning, text, and files that are what they claim to be.
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "view/figure_axis.h"
#include "view/figure_curve.h"
#include "view/figure_text.h"
#include "model/expression.h"
#include "zn/view.h"

// --- ticks -----------------------------------------------------------------------------------------

static void test_nice_step(void **state)
{
    (void)state;
    static const double cases[][2] = {{1, 1},    {1.01, 2}, {2, 2},     {2.1, 5},   {5, 5},       {5.1, 10},
                                      {9.9, 10}, {10, 10},  {0.3, 0.5}, {0.1, 0.1}, {3e-7, 5e-7}, {1.1e12, 2e12}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_NEAR(zn_nice_step(cases[i][0]), cases[i][1], 1e-12 * cases[i][1]);
}

// Many ranges: ticks inside, evenly spaced by 1, 2 or 5, at least two and not more than wanted and one, labels differ.
static void test_linear_ticks(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int k = 0; k < 2000; k++) {
        seed = seed * 1664525u + 1013904223u;
        double middle = (double)(seed >> 8) / (1 << 24) - 0.5;
        seed = seed * 1664525u + 1013904223u;
        double  span = pow(10, (double)(seed >> 8) / (1 << 24) * 16 - 8);
        zn_axis a = zn_axis_make(middle - span / 2, middle + span / 2, false, 0, 6);
        assert_true(a.count >= 2 && a.count <= 7);
        double step = a.tick[1] - a.tick[0], digit = step / pow(10, floor(log10(step) + 1e-6));
        if (fabs(digit - 1) > 1e-3 && fabs(digit - 2) > 1e-3 && fabs(digit - 5) > 1e-3)
            fail_msg("step %.17g", step);
        for (int i = 0; i < a.count; i++) {
            assert_true(a.tick[i] >= a.min - 1e-6 * span && a.tick[i] <= a.max + 1e-6 * span);
            assert_true(i == 0 || strcmp(a.label[i], a.label[i - 1]) != 0);
        }
    }
}

static void test_linear_labels(void **state)
{
    (void)state;
    zn_axis a = zn_axis_make(-1, 1, false, 0, 4);
    assert_string_equal(a.label[0], "\u22121.0");
    assert_string_equal(a.label[a.count / 2], "0.0");
    assert_string_equal(a.factor, "");
    a = zn_axis_make(0, 3.1e-6, false, 0, 4);
    assert_string_equal(a.label[1], "1");
    assert_string_equal(a.factor, "\u00d710\u207b\u2076");
    a = zn_axis_make(0, 210e9, false, 0, 5);
    assert_string_equal(a.factor, "\u00d710\u2079");
    assert_string_equal(a.label[1], "50");
}

static void test_odd_ranges(void **state)
{
    (void)state;
    static const double ranges[][2] = {{0, 0},         {3, 3},          {-7, -7},    {INFINITY, -INFINITY},
                                       {1, 1 + 1e-15}, {-1e308, 1e308}, {0, 5e-324}, {NAN, NAN}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        for (int log = 0; log < 2; log++) {
            zn_axis a = zn_axis_make(ranges[i][0], ranges[i][1], log, 0.05, 5);
            assert_true(isfinite(a.min) && isfinite(a.max) && a.min < a.max);
            assert_true(!log || a.min > 0);
            assert_true(a.count >= 0 && a.count <= ZN_TICKS);
        }
}

static void test_log_ticks(void **state)
{
    (void)state;
    zn_axis a = zn_axis_make(1e-5, 1e-1, true, 0, 8);
    assert_int_equal(a.count, 5);
    assert_string_equal(a.label[0], "10\u207b\u2075");
    CHECK_NEAR(a.tick[4], 0.1, 1e-15);
    assert_true(a.minor_count > 20);
    a.first = 100;
    a.last = 500;
    CHECK_NEAR(zn_axis_pixel(&a, 1e-4), 200, 1e-9);
    assert_true(isnan(zn_axis_pixel(&a, 0)) && isnan(zn_axis_pixel(&a, -1)));
    a = zn_axis_make(0.02, 0.6, true, 0, 8); // less than two decades
    assert_true(a.count >= 4);
    assert_string_equal(a.label[0], "0.02");
    a = zn_axis_make(1, 1.5, true, 0, 8); // less than a factor of two
    assert_true(a.count >= 2);
    a = zn_axis_make(1e-30, 1e30, true, 0, 8);
    assert_true(a.count >= 2 && a.count <= 9);
}

// --- text ------------------------------------------------------------------------------------------

static void test_text(void **state)
{
    (void)state;
    char out[ZN_FIGURE_TEXT];
    assert_string_equal(zn_text_fit("speed [m/s]", 12, 1000, out), "speed [m/s]");
    assert_string_equal(zn_text_fit(NULL, 12, 1000, out), "");
    assert_string_equal(zn_text_fit("a\tb\x01"
                                    "c",
                                    12, 1000, out),
                        "a b c");
    assert_string_equal(zn_text_fit("\xc3\xa9\xff\xc3", 12, 1000, out), "\u00e9??");
    assert_string_equal(zn_text_fit("\xed\xa0\x80|\xef\xbf\xbf|\xc0\x80", 12, 1000, out), "???|???|??");
    zn_text_fit("a rather long label for so little room", 12, 80, out);
    assert_non_null(strstr(out, "\u2026"));
    CHECK_BELOW(zn_text_width(out, 12), 80 + 12);
    char long_text[3000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    assert_true(strlen(zn_text_fit(long_text, 0.01, 1e9, out)) < ZN_FIGURE_TEXT);
}

// --- thinning --------------------------------------------------------------------------------------

// A canvas that remembers the points of lines.
typedef struct memory_canvas {
    zn_canvas base;
    int       lines, points;
    double    low, high;
} memory_canvas;

static void remember_line(zn_canvas *canvas, zn_pen pen, int count, const double *xy)
{
    memory_canvas *m = (memory_canvas *)canvas;
    (void)pen;
    m->lines++;
    m->points += count;
    for (int i = 0; i < count; i++) {
        m->low = fmin(m->low, xy[2 * i + 1]);
        m->high = fmax(m->high, xy[2 * i + 1]);
    }
}

static const zn_canvas_ops memory_ops = {.line = remember_line};

static memory_canvas draw_curve(int64_t count, const double *x, const double *y, bool log)
{
    memory_canvas m = {.base = {&memory_ops, 500, 300}, .low = INFINITY, .high = -INFINITY};
    zn_curve      curve = {.count = count, .x = x, .y = y};
    zn_axis       ax = {.min = 0, .max = 1, .first = 0, .last = 500};
    zn_axis       ay = {.log = log, .min = log ? 1e-3 : -1, .max = 1, .first = 0, .last = 300};
    CHECK_OK(zn_curve_draw_line(&curve, &ax, &ay, (zn_pen){0}, &m.base));
    return m;
}

// A single spike among a million points survives, at its full height.
static void test_thinning_keeps_extremes(void **state)
{
    (void)state;
    enum { N = 1000000 };
    double *x = calloc(N, sizeof *x), *y = calloc(N, sizeof *y);
    assert_true(x != NULL && y != NULL);
    for (int i = 0; i < N; i++) {
        x[i] = (double)i / N;
        y[i] = 0.1 * sin(50 * x[i]);
    }
    y[123457] = 1;
    y[777777] = -1;
    memory_canvas m = draw_curve(N, x, y, false);
    assert_int_equal(m.lines, 1);
    assert_true(m.points > 500 && m.points <= 4 * 501);
    CHECK_NEAR(m.high, 300, 1e-9);
    CHECK_NEAR(m.low, 0, 1e-9);
    // a closed path: neighbours nearer than a quarter of a pixel go, the shape stays
    for (int i = 0; i < N; i++) {
        x[i] = 0.5 + 0.5 * cos(6.283185307 * i / N);
        y[i] = sin(6.283185307 * i / N);
    }
    m = draw_curve(N, x, y, false);
    assert_true(m.points > 1000 && m.points < 10000);
    CHECK_NEAR(m.high, 300, 0.1);
    free(x);
    free(y);
}

static void test_interrupted_lines(void **state)
{
    (void)state;
    const double  x[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5}, y[] = {0, 0.1, NAN, 0.5, INFINITY, 0.5};
    memory_canvas m = draw_curve(6, x, y, false);
    assert_int_equal(m.lines, 3);
    assert_int_equal(m.points, 2 + 2 + 2); // single points become short strokes
    const double positive[] = {0.1, 0.2, 0, -1, 0.2, 0.1};
    m = draw_curve(6, x, positive, true);
    assert_int_equal(m.lines, 2);
    m = draw_curve(0, x, y, false);
    assert_int_equal(m.lines, 0);
}

// --- files -----------------------------------------------------------------------------------------

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static char *read_all(const char *path, size_t *size)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *data = calloc(1 << 22, 1);
    assert_non_null(data);
    *size = fread(data, 1, (1 << 22) - 1, in);
    fclose(in);
    return data;
}

// Tags open and close in order, attributes are quoted, and there are no loose '<' and '&'.
static bool is_well_formed(const char *s)
{
    char open[64][32];
    int  depth = 0, roots = 0;
    if (strncmp(s, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", 39) != 0)
        return false;
    for (s += 39; *s != '\0'; s++) {
        if (*s == '&' && strncmp(s, "&lt;", 4) && strncmp(s, "&gt;", 4) && strncmp(s, "&amp;", 5) &&
            strncmp(s, "&quot;", 6))
            return false;
        if (*s != '<')
            continue;
        bool        closing = s[1] == '/';
        const char *name = s + 1 + closing;
        size_t      length = strcspn(name, " />\n");
        const char *end = name + length;
        bool        quoted = false;
        for (; *end != '\0' && (quoted || *end != '>'); end++) {
            quoted ^= *end == '"';
            if (*end == '<')
                return false;
        }
        if (*end == '\0' || quoted || length == 0 || length >= 32)
            return false;
        if (closing && (depth == 0 || strncmp(open[depth - 1], name, length) != 0 || open[depth - 1][length] != '\0'))
            return false;
        if (closing)
            depth--;
        else if (end[-1] != '/') {
            roots += depth == 0;
            if (depth == 64)
                return false;
            memcpy(open[depth], name, length);
            open[depth++][length] = '\0';
        }
        s = end;
    }
    return depth == 0 && roots == 1;
}

static const double   sample_x[] = {0, 1, 2, 3}, sample_y[] = {1e-6, 3e-6, NAN, 2e-6};
static const zn_curve sample_curves[] = {
    {.label = "a < b & \"c\"", .count = 4, .x = sample_x, .y = sample_y, .markers = true},
    {.label = "\xff bad \x02 bytes", .count = 4, .x = sample_x, .y = sample_y, .colour = 1, .dash = 3},
    {.count = 0, .colour = -1},
};
static const zn_panel sample_panels[] = {
    {.label = "q [m]", .curve_count = 3, .curves = sample_curves},
    {.label = "<log>", .log = true, .curve_count = 2, .curves = sample_curves},
};
static const zn_figure sample = {.title = "Title & <more>",
                                 .label = "t [s]",
                                 .width = 640,
                                 .height = 480,
                                 .panel_count = 2,
                                 .panels = sample_panels};

static void test_svg(void **state)
{
    (void)state;
    size_t size;
    CHECK_OK(zn_figure_write(&sample, path_of("a.svg"), (zn_log){0}));
    char *text = read_all(path_of("a.svg"), &size);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, "width=\"640\" height=\"480\""));
    assert_non_null(strstr(text, ">Title &amp; &lt;more&gt;</text>"));
    assert_non_null(strstr(text, ">a &lt; b &amp; &quot;c&quot;</text>"));
    assert_non_null(strstr(text, ">? bad   bytes</text>"));
    assert_null(strstr(text, "nan"));
    assert_null(strstr(text, "inf"));
    free(text);
    // the checker itself
    assert_false(is_well_formed("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg><g></svg>"));
    assert_false(is_well_formed("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg>a & b</svg>"));
}

static void test_png(void **state)
{
    (void)state;
    size_t size;
    CHECK_OK(zn_figure_write(&sample, path_of("a.png"), (zn_log){0}));
    unsigned char *data = (unsigned char *)read_all(path_of("a.png"), &size);
    assert_memory_equal(data, "\x89PNG\r\n\x1a\n", 8);
    assert_memory_equal(data + 12, "IHDR", 4);
    assert_int_equal(data[16] << 24 | data[17] << 16 | data[18] << 8 | data[19], 640);
    assert_int_equal(data[20] << 24 | data[21] << 16 | data[22] << 8 | data[23], 480);
    assert_memory_equal(data + size - 8, "IEND", 4);
    assert_true(size > 5000);
    free(data);
}

static void test_default_size(void **state)
{
    (void)state;
    size_t    size;
    zn_figure f = sample;
    f.width = f.height = 0;
    f.title = f.label = NULL;
    CHECK_OK(zn_figure_write(&f, path_of("b.svg"), (zn_log){0}));
    char *text = read_all(path_of("b.svg"), &size);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, "width=\"900\""));
    free(text);
}

// An axis shows what was asked for; symbols outside are left out.
static void test_ranges(void **state)
{
    (void)state;
    size_t         size;
    const double   x[] = {0, 1, 2, 3}, y[] = {10, 20, 30, 900};
    const zn_curve curve = {.count = 4, .x = x, .y = y, .markers = true};
    zn_panel       panel = {.curve_count = 1, .curves = &curve, .min = 0, .max = 40};
    zn_figure      f = {.label = "t", .panel_count = 1, .panels = &panel, .min = 0.5, .max = 2.5};
    CHECK_OK(zn_figure_write(&f, path_of("r.svg"), (zn_log){0}));
    char *text = read_all(path_of("r.svg"), &size);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, ">40</text>"));
    assert_null(strstr(text, ">50</text>"));
    assert_non_null(strstr(text, ">2.4</text>"));
    int symbols = 0;
    for (const char *p = text; (p = strstr(p, "<polygon fill=\"#0072b2\"")) != NULL; p++)
        symbols++;
    assert_int_equal(symbols, 2);
    free(text);
}

// A bump that travels: nearer strips come later, a hole stays one, and a constant field is few areas.
static void test_surface(void **state)
{
    (void)state;
    enum { LINES = 6, TIMES = 50 };
    double   t[TIMES], place[LINES], value[LINES * TIMES];
    size_t   size;
    zn_field f = {.title = "a & b",
                  .time_label = "t [s]",
                  .place_label = "x [m]",
                  .label = "v [m/s]",
                  .count = TIMES,
                  .t = t,
                  .lines = LINES,
                  .place = place,
                  .value = value};
    for (int i = 0; i < LINES; i++)
        for (int k = 0; k < TIMES; k++) {
            t[k] = 0.02 * k;
            place[i] = 0.1 * i;
            value[i * TIMES + k] = exp(-100 * pow(t[k] - 0.2 - place[i], 2));
        }
    CHECK_OK(zn_field_write(&f, path_of("f.svg"), (zn_log){0}));
    char *text = read_all(path_of("f.svg"), &size);
    assert_true(is_well_formed(text));
    assert_non_null(strstr(text, ">v [m/s]</text>"));
    assert_non_null(strstr(text, ">x [m]</text>"));
    assert_non_null(strstr(text, "#440154")); // away from the bump
    int areas = 0, more = 0;
    for (const char *p = text; (p = strstr(p, "<polygon")) != NULL; p++)
        areas++;
    free(text);
    assert_true(areas > 5 * LINES);
    value[2 * TIMES + 7] = NAN;
    CHECK_OK(zn_field_write(&f, path_of("f.svg"), (zn_log){0}));
    text = read_all(path_of("f.svg"), &size);
    assert_null(strstr(text, "nan"));
    free(text);
    for (int i = 0; i < LINES * TIMES; i++)
        value[i] = 3;
    CHECK_OK(zn_field_write(&f, path_of("f.svg"), (zn_log){0}));
    text = read_all(path_of("f.svg"), &size);
    for (const char *p = text; (p = strstr(p, "<polygon")) != NULL; p++)
        more++;
    free(text);
    assert_int_equal(more, 1 + LINES - 1); // the paper, and one for each strip
    CHECK_OK(zn_field_write(&f, path_of("f.png"), (zn_log){0}));
    t[3] = t[2];
    CHECK_STATUS(zn_field_write(&f, path_of("g.svg"), (zn_log){0}), ZN_ERR_ARGUMENT);
    t[3] = 0.06;
    f.lines = 1;
    CHECK_STATUS(zn_field_write(&f, path_of("g.svg"), (zn_log){0}), ZN_ERR_ARGUMENT);
    f.lines = LINES;
    f.width = 90;
    CHECK_STATUS(zn_field_write(&f, path_of("g.svg"), (zn_log){0}), ZN_ERR_ARGUMENT);
}

static void test_refusals(void **state)
{
    (void)state;
    zn_figure f = sample;
    CHECK_STATUS(zn_figure_write(&f, path_of("a.pdf"), (zn_log){0}), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_figure_write(&f, path_of("none/a.svg"), (zn_log){0}), ZN_ERR_IO);
    f.height = 60; // two panels do not fit, and no broken file stays
    CHECK_STATUS(zn_figure_write(&f, path_of("small.svg"), (zn_log){0}), ZN_ERR_ARGUMENT);
    assert_int_equal(access(path_of("small.svg"), F_OK), -1);
    f.height = 30000;
    CHECK_STATUS(zn_figure_write(&f, path_of("a.svg"), (zn_log){0}), ZN_ERR_ARGUMENT);
    f = sample;
    f.panel_count = 0;
    CHECK_STATUS(zn_figure_write(&f, path_of("a.svg"), (zn_log){0}), ZN_ERR_ARGUMENT);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(symlink("/dev/full", path_of("full.png")), 0);
        CHECK_STATUS(zn_figure_write(&sample, path_of("full.png"), (zn_log){0}), ZN_ERR_IO);
        assert_int_equal(symlink("/dev/full", path_of("full.svg")), 0);
        CHECK_STATUS(zn_figure_write(&sample, path_of("full.svg"), (zn_log){0}), ZN_ERR_IO);
    }
}

// --- expressions of variables ----------------------------------------------------------------------

static void test_variables(void **state)
{
    (void)state;
    static const char *const names[] = {"t", "gap_A", "ledger.kinetic", "v.x", "rod.12"};
    double                   values[] = {0.5, 1e-3, 4, -2, 7};
    static const struct {
        const char *text;
        double      value;
    } good[] = {
        {"1e3*gap_A", 1},         {"ledger.kinetic + .5", 4.5}, {"abs(v.x)*2.", 4}, {"t^2 + 2.5e-1", 0.5},
        {"v.x > 0 ? 1 : t", 0.5}, {"rod.12 - 7.", 0},           {"pi*0", 0},
    };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        zn_expression_error error;
        zn_expression      *e = NULL;
        if (zn_expression_create_of(good[i].text, (zn_constants){5, names, values}, &error, &e) != ZN_OK)
            fail_msg("'%s': %s", good[i].text, error.message);
        CHECK_NEAR(zn_expression_at(e, 0), good[i].value, 1e-15);
        zn_expression_destroy(e);
    }
    zn_expression_error error;
    zn_expression      *e = NULL;
    CHECK_OK(zn_expression_create_of("2*t", (zn_constants){5, names, values}, &error, &e));
    values[0] = 3; // read at each evaluation
    CHECK_NEAR(zn_expression_at(e, 0), 6, 0);
    zn_expression_destroy(e);
    CHECK_STATUS(zn_expression_create_of("v.z", (zn_constants){5, names, values}, &error, &e), ZN_ERR_ARGUMENT);
    assert_string_equal(error.unknown, "v.z");
    CHECK_STATUS(zn_expression_create_of("v. x", (zn_constants){5, names, values}, &error, &e), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_expression_create_of("2 +* t", (zn_constants){5, names, values}, &error, &e), ZN_ERR_ARGUMENT);
    double number;
    CHECK_OK(zn_expression_value("round(2.5) + round(-0.4) + log2(8)", (zn_constants){0}, &error, &number));
    CHECK_NEAR(number, 6, 0);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/zn_figure_XXXXXX");
    return mkdtemp(folder) == NULL;
}

static int tear_down(void **state)
{
    (void)state;
    static const char *const names[] = {"r.svg", "f.svg", "f.png",    "g.svg",    "a.svg",
                                        "a.png", "b.svg", "full.png", "full.svg", "small.svg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nice_step),
        cmocka_unit_test(test_linear_ticks),
        cmocka_unit_test(test_linear_labels),
        cmocka_unit_test(test_odd_ranges),
        cmocka_unit_test(test_log_ticks),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_thinning_keeps_extremes),
        cmocka_unit_test(test_interrupted_lines),
        cmocka_unit_test(test_svg),
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_default_size),
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_surface),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_variables),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
