// Reads reference.csv: id,options,measure,expected,tolerance,source with RFC 4180 quotes; lines that begin with '#' are
// comments, a line that begins with "id," is a heading.
#include "reference_values.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "terminal.h"

enum { ID, OPTIONS, MEASURE, EXPECTED, TOLERANCE, SOURCE, FIELDS };

typedef struct reader {
    const char *path;
    char       *at; // in the text
    int         line;
} reader;

static char *read_all(const char *path)
{
    FILE  *file = fopen(path, "rb");
    char  *text = NULL;
    size_t used = 0, room = 0, got;
    if (file == NULL)
        return NULL;
    do {
        char *grown = realloc(text, (room += 1 << 16) + 1);
        if (grown == NULL)
            break;
        text = grown;
        got = fread(text + used, 1, room - used, file);
        used += got;
    } while (used == room);
    if (text != NULL)
        text[used] = '\0';
    fclose(file);
    return text;
}

// Next field, unquoted in place; *last when its line ends with it. NULL: a quote is not closed.
static char *next_field(reader *r, bool *last)
{
    char *field = r->at, *out = r->at, *in = r->at;
    bool  quoted = *in == '"';
    in += quoted;
    for (; *in != '\0'; in++) {
        if (quoted && *in == '"' && in[1] != '"') {
            quoted = false;
            continue;
        }
        if (!quoted && (*in == ',' || *in == '\n'))
            break;
        in += quoted && *in == '"'; // doubled
        r->line += *in == '\n';
        *out++ = *in;
    }
    if (quoted)
        return NULL;
    *last = *in != ',';
    r->line += *in == '\n';
    r->at = *in == '\0' ? in : in + 1;
    if (*last && out > field && out[-1] == '\r')
        out--;
    *out = '\0';
    return field;
}

static bool fault(const reader *r, int line, const char *what, const char *text)
{
    print_error("%s:%d:1: %s%s%s%s", r->path, line, what, text ? " '" : "", text ? text : "", text ? "'" : "");
    return false;
}

static bool interpret(const reader *r, char *const *fields, int line, reference_value *v)
{
    *v = (reference_value){.id = fields[ID],
                           .options = fields[OPTIONS],
                           .measure = fields[MEASURE],
                           .source = fields[SOURCE],
                           .tolerance_text = fields[TOLERANCE],
                           .slow = strncmp(fields[ID], "slow-", 5) == 0,
                           .line = line};
    const char *expected = fields[EXPECTED];
    v->at_most = strncmp(expected, "<=", 2) == 0;
    expected += v->at_most ? 2 + strspn(expected + 2, " ") : 0;
    if (!parse_number(expected, &v->expected))
        return fault(r, line, "expected: not a number:", fields[EXPECTED]);
    if (fields[TOLERANCE][0] == '\0')
        return v->at_most || fault(r, line, "a tolerance is missing", NULL);
    char   number[64];
    size_t length = strlen(fields[TOLERANCE]);
    bool   percent = fields[TOLERANCE][length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - percent), fields[TOLERANCE]);
    if (!parse_number(number, &v->tolerance) || v->tolerance < 0)
        return fault(r, line, "tolerance: not a number or percentage:", fields[TOLERANCE]);
    if (percent)
        v->tolerance *= 0.01 * fabs(v->expected);
    return true;
}

static bool push(reference_list *list, const reference_value *value)
{
    reference_value *values = realloc(list->values, sizeof *values * (size_t)(list->count + 1));
    if (values == NULL)
        return false;
    list->values = values;
    values[list->count++] = *value;
    return true;
}

// One line of values; its fields are in `text` from r->at on.
static bool read_line(reader *r, reference_list *list)
{
    char *fields[FIELDS];
    int   count = 0, line = r->line;
    bool  last = false;
    for (; !last; count++) {
        char *field = next_field(r, &last);
        if (field == NULL)
            return fault(r, line, "a quote is not closed", NULL);
        if (count < FIELDS)
            fields[count] = field;
    }
    if (count != FIELDS)
        return fault(r, line, "six fields are wanted: id,options,measure,expected,tolerance,source", NULL);
    if (strcmp(fields[ID], "id") == 0)
        return true;
    reference_value value;
    return interpret(r, fields, line, &value) && push(list, &value);
}

bool reference_list_read(const char *path, reference_list *out)
{
    *out = (reference_list){.text = read_all(path)};
    if (out->text == NULL) {
        print_error("%s: %s", path, strerror(errno));
        return false;
    }
    zn_text_tame(out->text);
    reader r = {.path = path, .at = out->text, .line = 1};
    while (*r.at != '\0') {
        if (*r.at == '#' || *r.at == '\n' || (*r.at == '\r' && r.at[1] == '\n')) {
            r.at += strcspn(r.at, "\n");
            r.at += *r.at == '\n';
            r.line++;
        } else if (!read_line(&r, out)) {
            reference_list_free(out);
            return false;
        }
    }
    return true;
}

void reference_list_free(reference_list *list)
{
    free(list->values);
    free(list->text);
    *list = (reference_list){0};
}
