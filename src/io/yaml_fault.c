// libyaml tells which token it did not expect. Who writes a model wants to know which character is missing or too many;
// that is told where it is plain from the character at the place and from what was open there.
#include "io/yaml_fault.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// What is at the place; columns count characters of UTF-8.
typedef struct spot {
    char next;  // the character; 0: the end
    bool first; // nothing but blanks is before it in its line
    bool colon; // a ':' is
} spot;

static spot find_spot(const zn_yaml_problem *p)
{
    int  line = 1, column = 0;
    spot s = {.first = true};
    for (size_t i = 0; i < p->size; i++) {
        column += line == p->line && ((unsigned char)p->text[i] & 0xC0) != 0x80;
        if (column == p->column) {
            s.next = p->text[i];
            return s;
        }
        s.first = s.first && (line < p->line || p->text[i] == ' ');
        s.colon = s.colon || (line == p->line && p->text[i] == ':');
        line += p->text[i] == '\n';
    }
    return s;
}

// Inside [ ] or { }, `close` is what ends it.
static void explain_brackets(const zn_yaml_problem *p, char next, char close, char *out, size_t size)
{
    char open = close == '}' ? '{' : '[';
    if (next == '[' || next == '?' || next == '{')
        snprintf(out, size, "a text with '%c' needs quotes inside %c %c, such as 'rod[0].x' and 't < 1 ? 2 : 3'", next,
                 open, close);
    else if (next == ']' || next == '}')
        snprintf(out, size, "found '%c', but the '%c' of line %d, column %d is open", next, open, p->from_line,
                 p->from_column);
    else if (p->line > p->from_line)
        snprintf(out, size, "a '%c' or ',' is missing before this: the '%c' of line %d, column %d is open", close, open,
                 p->from_line, p->from_column);
    else if (next == ':')
        snprintf(out, size, "a second ': ' in one value: before it a ',' is missing, or a text with ': ' needs quotes");
    else
        snprintf(out, size, "a ',' or '%c' is missing before this", close);
}

// A map of lines.
static void explain_lines(const zn_yaml_problem *p, char next, bool first, char *out, size_t size)
{
    if (next == '}' || next == ']')
        snprintf(out, size, "a '%c' too many", next);
    else if (first)
        snprintf(out, size, "indented by %d, but the keys among which this stands, from line %d on, by %d",
                 p->column - 1, p->from_line, p->from_column - 1);
    else
        snprintf(out, size, "the value before this has ended");
}

void zn_yaml_explain(const zn_yaml_problem *p, char *out, size_t size)
{
    spot s = find_spot(p);
    char next = s.next;
    bool lines = p->context != NULL && strstr(p->context, "block mapping") != NULL;
    if (next == '\t')
        snprintf(out, size, "a tab: lines are indented by blanks");
    else if (strstr(p->problem, "cannot start any token") != NULL)
        snprintf(out, size, "no value begins with '%c'; a text that does needs quotes", next);
    else if (strstr(p->problem, "expected ',' or '}'") != NULL)
        explain_brackets(p, next, '}', out, size);
    else if (strstr(p->problem, "expected ',' or ']'") != NULL)
        explain_brackets(p, next, ']', out, size);
    else if (strstr(p->problem, "expected key") != NULL && lines)
        explain_lines(p, next, s.first, out, size);
    else if (strstr(p->problem, "mapping values are not allowed") != NULL)
        snprintf(out, size, "a second ': ' in one value: %s",
                 s.colon ? "a text with ': ' needs quotes"
                         : "this line is indented too far to stand among those before");
    else if (strstr(p->problem, "end of stream") != NULL && p->context != NULL && strstr(p->context, "quoted") != NULL)
        snprintf(out, size, "the quote of line %d, column %d is open", p->from_line, p->from_column);
    else if (p->context != NULL)
        snprintf(out, size, "%s, %s from line %d, column %d", p->problem, p->context, p->from_line, p->from_column);
    else
        snprintf(out, size, "%s", p->problem);
}
