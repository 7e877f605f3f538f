// The summary of a run as one JSON object: numbers with all their digits, NaN and infinity as null.
#include "json.h"

#include <inttypes.h>
#include <string.h>

// Where a value stands: decides commas and indentation.
typedef struct writer {
    FILE *out;
    int depth;
    bool first;
} writer;

static void put_text(FILE *out, const char *text)
{
    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", out);
        else if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void put_double(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, "%.17g", value);
    else
        fputs("null", out);
}

static void start_member(writer *w, const char *key)
{
    fprintf(w->out, "%s\n%*s", w->first ? "" : ",", 2 * w->depth, "");
    put_text(w->out, key);
    fputs(": ", w->out);
    w->first = false;
}

static void open_object(writer *w, const char *key)
{
    if (key != NULL)
        start_member(w, key);
    fputc('{', w->out);
    w->depth++;
    w->first = true;
}

static void close_object(writer *w)
{
    w->depth--;
    fprintf(w->out, "\n%*s}", 2 * w->depth, "");
    w->first = false;
}

static void text(writer *w, const char *key, const char *value)
{
    start_member(w, key);
    put_text(w->out, value);
}

static void number(writer *w, const char *key, double value)
{
    start_member(w, key);
    put_double(w->out, value);
}

static void count(writer *w, const char *key, int64_t value)
{
    start_member(w, key);
    fprintf(w->out, "%" PRId64, value);
}

static void list(writer *w, const char *key, int size, const double *values)
{
    start_member(w, key);
    fputc('[', w->out);
    for (int i = 0; i < size; i++) {
        if (i > 0)
            fputs(", ", w->out);
        put_double(w->out, values[i]);
    }
    fputc(']', w->out);
}

static void vector(writer *w, const char *key, zn_vec3 v)
{
    list(w, key, 3, (double[]){v.x, v.y, v.z});
}

static void iterations(writer *w, const char *key, zn_iterations n)
{
    open_object(w, key);
    count(w, "total", n.total);
    count(w, "max", n.max);
    close_object(w);
}

static void worst(writer *w, const summary *s)
{
    for (int i = 0; i < SUMMARY_WORST; i++) {
        const summary_worst *v = &s->worst[i];
        open_object(w, v->key);
        number(w, "value", v->value);
        text(w, "unit", v->unit);
        number(w, "time", v->time);
        text(w, "contact", v->contact[0] != '\0' ? v->contact : NULL);
        number(w, "limit", v->limit);
        if (!isnan(v->limit)) {
            start_member(w, "kept");
            fputs(v->value <= v->limit ? "true" : "false", w->out);
        }
        close_object(w);
    }
}

static void effort(writer *w, const zn_certificate *c)
{
    open_object(w, "iterations");
    iterations(w, "newton", c->newton_iterations);
    iterations(w, "projection", c->projection_iterations);
    iterations(w, "activation", c->activation_iterations);
    iterations(w, "solver", c->solver_iterations);
    close_object(w);
    open_object(w, "linear_solver");
    text(w, "backend", c->linear_solver.backend);
    count(w, "factorizations", c->linear_solver.factorizations);
    count(w, "refactorizations", c->linear_solver.refactorizations);
    count(w, "solves", c->linear_solver.solves);
    close_object(w);
}

static void physics(writer *w, const zn_certificate *c)
{
    open_object(w, "energy");
    number(w, "start", c->energy_start);
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        number(w, zn_ledger_name((zn_ledger_line)i), c->ledger[i]);
    close_object(w);
    count(w, "impacts", c->impacts);
    count(w, "lasting_contacts", c->lasting_contacts);
    vector(w, "momentum_start", c->momentum_start);
    vector(w, "momentum", c->momentum);
    vector(w, "angular_momentum_start", c->angular_start);
    vector(w, "angular_momentum", c->angular);
}

static void last_row(writer *w, const summary *s)
{
    open_object(w, "final");
    for (int i = 0; i < s->series_count; i++) {
        const zn_series *series = &s->series[i];
        if (series->columns == 1)
            number(w, series->name, s->final[series->offset]);
        else
            list(w, series->name, series->columns, s->final + series->offset);
    }
    close_object(w);
}

void json_print(FILE *out, const summary *s)
{
    writer w = {.out = out};
    open_object(&w, NULL);
    text(&w, "zeno", zn_version());
    text(&w, "title", s->title);
    text(&w, "model", s->model);
    text(&w, "result", s->result);
    text(&w, "outcome", s->outcome);
    text(&w, "scheme", s->scheme);
    number(&w, "start", s->start);
    number(&w, "step", s->step);
    number(&w, "until", s->until);
    count(&w, "steps", s->certificate.steps);
    count(&w, "retries", s->certificate.retries);
    worst(&w, s);
    effort(&w, &s->certificate);
    physics(&w, &s->certificate);
    if (s->series != NULL)
        last_row(&w, s);
    number(&w, "loop_seconds", s->certificate.loop_seconds);
    number(&w, "steps_per_second", summary_rate(s));
    close_object(&w);
    fputc('\n', out);
}
