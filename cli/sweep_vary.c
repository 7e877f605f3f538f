// What a sweep varies: values between two, lists of them, values that are drawn.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sample.h"
#include "sweep.h"
#include "terminal.h"

enum { VALUES_DEFAULT = 8, VALUES_MOST = 10000, SAMPLES_MOST = 1000000, MESSAGE = 240 };

static bool refuse_vary(const char *text)
{
    print_error("option '--vary': '%s' is not of the form NAME=A:B, NAME=A:B:K, NAME=A:B:K:log or NAME=A,B,...", text);
    return false;
}

// "A,B,C"
static bool parse_values(char *list, const char *text, vary *out)
{
    text_list words = {0};
    bool      good = split_list(list, &words);
    out->values = good ? calloc((size_t)words.count, sizeof *out->values) : NULL;
    for (out->count = 0; out->values != NULL && out->count < words.count && good; out->count++)
        good = parse_number(words.items[out->count], &out->values[out->count]) || refuse_vary(text);
    text_list_free(&words);
    return good && out->values != NULL;
}

// 0.1, not 0.099999999999999992.
static double plain(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.14g", value);
    return strtod(text, NULL);
}

// "A:B[:K][:log]"
static bool parse_span(char *list, const char *text, vary *out)
{
    char       *rest;
    const char *word[5];
    int         words = 0;
    double      a, b, count = VALUES_DEFAULT;
    for (char *w = strtok_r(list, ":", &rest); w != NULL && words < 5; w = strtok_r(NULL, ":", &rest))
        word[words++] = w;
    if (words > 2 && strcmp(word[words - 1], "log") == 0) {
        out->log = true;
        words--;
    }
    if (words < 2 || words > 3 || !parse_number(word[0], &a) || !parse_number(word[1], &b) ||
        (words == 3 && !parse_number(word[2], &count)))
        return refuse_vary(text);
    if (count < 1 || count > VALUES_MOST || count != (int)count || (out->log && !(a > 0 && b > 0))) {
        print_error("option '--vary': '%s': 1 to %d values%s", text, (int)VALUES_MOST,
                    out->log ? ", all positive with 'log'" : "");
        return false;
    }
    out->count = (int)count;
    out->values = calloc((size_t)out->count, sizeof *out->values);
    for (int i = 0; out->values != NULL && i < out->count; i++) {
        double s = out->count > 1 ? (double)i / (out->count - 1) : 0;
        out->values[i] = i == 0 ? a : i == out->count - 1 ? b : plain(out->log ? a * pow(b / a, s) : a + s * (b - a));
    }
    return out->values != NULL;
}

bool sweep_vary_parse(const char *text, vary *out)
{
    const char *equals = strchr(text, '=');
    size_t      length = equals != NULL ? (size_t)(equals - text) : 0;
    if (length == 0 || length >= sizeof out->name || equals[1] == '\0')
        return refuse_vary(text);
    memcpy(out->name, text, length);
    char *list = strdup(equals + 1);
    bool  good =
        list != NULL && (strchr(list, ':') != NULL ? parse_span(list, text, out) : parse_values(list, text, out));
    free(list);
    return good;
}

// --- values that are drawn -----------------------------------------------------------------------

// "NAME=DISTRIBUTION(A,B)"
static bool draw(const sweep_options *o, const char *text, vary *out)
{
    char         message[MESSAGE] = "";
    distribution d;
    const char  *equals = strchr(text, '=');
    size_t       length = (size_t)(equals - text);
    if (length == 0 || length >= sizeof out->name) {
        print_error("option '--sample': '%s' is not of the form NAME=DISTRIBUTION(A,B)", text);
        return false;
    }
    memcpy(out->name, text, length);
    if (!distribution_parse(equals + 1, &d, message, sizeof message)) {
        print_error("option '--sample': '%s': %s", out->name, message);
        return false;
    }
    out->count = (int)o->samples;
    out->values = calloc((size_t)out->count, sizeof *out->values);
    if (out->values != NULL && sample_draw(&d, out->name, (uint64_t)o->seed, o->hypercube, out->count, out->values))
        return true;
    print_error("out of memory");
    return false;
}

static bool is_whole(double x, double least, double most) { return x >= least && x <= most && x == floor(x); }

bool sweep_draw(sweep_work *w)
{
    const sweep_options *o = &w->options;
    if (!is_whole(o->samples, 1, SAMPLES_MOST)) {
        print_error("option '--sample': %g is not a number of samples, 1 to %d", o->samples, (int)SAMPLES_MOST);
        return false;
    }
    if (!is_whole(o->seed, 0, 0x1p53)) {
        print_error("option '--seed': %g is not a whole number from 0 on", o->seed);
        return false;
    }
    if (o->distributions.count == 0 || o->distributions.count > SWEEP_TOGETHER) {
        print_error("option '--sample': 1 to %d distributions are expected, such as 'mu=normal(0.2,0.02)'",
                    (int)SWEEP_TOGETHER);
        return false;
    }
    for (; w->together < o->distributions.count; w->together++) {
        vary *v = &w->first[w->together];
        if (!draw(o, o->distributions.items[w->together], v)) {
            w->together++; // what it has is freed
            return false;
        }
        for (int i = 0; i < w->together; i++)
            if (strcmp(w->first[i].name, v->name) == 0) {
                print_error("option '--sample': '%s' has two distributions", v->name);
                w->together++;
                return false;
            }
    }
    return true;
}
