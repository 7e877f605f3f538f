// JSON and base64 into a page. '<' is written as an escape, so that no text can end the element it stands in.
#include "view/report_out.h"

#include <inttypes.h>
#include <math.h>

void zn_report_json_begin(zn_report_out *out, const char *name)
{
    fprintf(out->file, "<script type=\"application/json\" data-zeno=\"%s\">", name);
    out->comma = false;
}

void zn_report_json_end(zn_report_out *out) { fputs("</script>\n", out->file); }

void zn_report_array_begin(zn_report_out *out, const char *name, const char *type)
{
    fprintf(out->file, "<script type=\"text/plain\" data-zeno=\"%s\" data-type=\"%s\">", name, type);
    out->base64 = (zn_base64){0};
}

void zn_report_bytes(zn_report_out *out, const void *bytes, size_t size)
{
    zn_base64_put(&out->base64, out->file, bytes, size);
}

void zn_report_array_end(zn_report_out *out)
{
    zn_base64_end(&out->base64, out->file);
    fputs("</script>\n", out->file);
}

void zn_report_array(zn_report_out *out, const char *name, const char *type, const void *bytes, size_t size)
{
    zn_report_array_begin(out, name, type);
    zn_report_bytes(out, bytes, size);
    zn_report_array_end(out);
}

// --- JSON ----------------------------------------------------------------------------------------

static void put_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text != '\0'; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 0x20 || c == '<' || c == '>' || c == '&' || c == 0x7f)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void begin_member(zn_report_out *out, const char *key)
{
    if (out->comma)
        fputc(',', out->file);
    if (key != NULL) {
        put_text(out->file, key);
        fputc(':', out->file);
    }
    out->comma = true;
}

void zn_report_open(zn_report_out *out, const char *key, char bracket)
{
    begin_member(out, key);
    fputc(bracket, out->file);
    out->comma = false;
}

void zn_report_close(zn_report_out *out, char bracket)
{
    fputc(bracket, out->file);
    out->comma = true;
}

void zn_report_text(zn_report_out *out, const char *key, const char *text)
{
    begin_member(out, key);
    put_text(out->file, text != NULL ? text : "");
}

void zn_report_number(zn_report_out *out, const char *key, double value)
{
    begin_member(out, key);
    if (isfinite(value))
        fprintf(out->file, "%.17g", value);
    else
        fputs("null", out->file);
}

void zn_report_count(zn_report_out *out, const char *key, int64_t value)
{
    begin_member(out, key);
    fprintf(out->file, "%" PRId64, value);
}

void zn_report_bool(zn_report_out *out, const char *key, bool value)
{
    begin_member(out, key);
    fputs(value ? "true" : "false", out->file);
}

void zn_report_numbers(zn_report_out *out, const char *key, int count, const double *values)
{
    zn_report_open(out, key, '[');
    for (int i = 0; i < count; i++)
        zn_report_number(out, NULL, values[i]);
    zn_report_close(out, ']');
}
