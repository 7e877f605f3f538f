// JSON, member by member.
#include "json_writer.h"

#include <inttypes.h>
#include <math.h>

#include "terminal.h"

static void put_text(FILE *out, const char *text)
{
    if (text == NULL) {
        fputs("null", out);
        return;
    }
    fputc('"', out);
    for (text = tamed(text); *text != '\0'; text++) {
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

static void start_member(json_writer *w, const char *key)
{
    if (w->depth > 0)
        fprintf(w->out, "%s\n%*s", w->first ? "" : ",", 2 * w->depth, "");
    if (key != NULL) {
        put_text(w->out, key);
        fputs(": ", w->out);
    }
    w->first = false;
}

static void open_with(json_writer *w, const char *key, char bracket)
{
    start_member(w, key);
    fputc(bracket, w->out);
    w->depth++;
    w->first = true;
}

static void close_with(json_writer *w, char bracket)
{
    w->depth--;
    fprintf(w->out, "\n%*s%c", 2 * w->depth, "", bracket);
    w->first = false;
}

void json_open(json_writer *w, const char *key) { open_with(w, key, '{'); }

void json_close(json_writer *w) { close_with(w, '}'); }

void json_open_array(json_writer *w, const char *key) { open_with(w, key, '['); }

void json_close_array(json_writer *w) { close_with(w, ']'); }

void json_bool(json_writer *w, const char *key, bool value)
{
    start_member(w, key);
    fputs(value ? "true" : "false", w->out);
}

void json_text(json_writer *w, const char *key, const char *value)
{
    start_member(w, key);
    put_text(w->out, value);
}

void json_number(json_writer *w, const char *key, double value)
{
    start_member(w, key);
    put_double(w->out, value);
}

void json_count(json_writer *w, const char *key, int64_t value)
{
    start_member(w, key);
    fprintf(w->out, "%" PRId64, value);
}

void json_list(json_writer *w, const char *key, int size, const double *values)
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
