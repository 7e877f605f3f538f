// Options of a verb, by a table. Unknown ones are answered with the nearest known one.
#include "options.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suggest.h"
#include "terminal.h"

enum { OPTIONS_MAX = 32 };

text_list allowed_paths;

bool parse_number(const char *text, double *out)
{
    char *end;
    if (*text == '\0' || isspace((unsigned char)*text))
        return false;
    double value = strtod(text, &end);
    if (*end != '\0' || !isfinite(value))
        return false;
    *out = value;
    return true;
}

// "0.5", "0.5 ms", "0.5ms": seconds, or one of the units of time of a model file behind the number.
static bool parse_time(const char *text, double *out)
{
    static const struct {
        const char *name;
        double      per_second;
        double      seconds;
    } units[] = {{"", 1, 1},     {"s", 1, 1},    {"ms", 1e3, 1}, {"us", 1e6, 1},
                 {"ns", 1e9, 1}, {"min", 1, 60}, {"h", 1, 3600}};
    char  *end;
    double value = strtod(text, &end);
    if (end == text || isspace((unsigned char)*text) || !isfinite(value))
        return false;
    end += strspn(end, " ");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(end, units[i].name) == 0) {
            *out = value * units[i].seconds / units[i].per_second; // a quotient: 0.1 ms has the bits of 1e-4
            return isfinite(*out);
        }
    return false;
}

// A time, or "0.9 cfl" or "0.9cfl".
static bool parse_step(const char *text, step_option *out)
{
    char   number[64];
    size_t length = strlen(text);
    out->cfl = length > 3 && strcmp(text + length - 3, "cfl") == 0;
    if (!out->cfl)
        return parse_time(text, &out->value);
    length -= 3;
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length == 0 || length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = '\0';
    return parse_number(number, &out->value);
}

void text_list_free(text_list *list)
{
    free((void *)list->items);
    *list = (text_list){0};
}

bool text_list_push(text_list *list, const char *text)
{
    const char **items = realloc((void *)list->items, sizeof *items * (size_t)(list->count + 1));
    if (items == NULL) {
        print_error("out of memory");
        return false;
    }
    list->items = items;
    items[list->count++] = text;
    return true;
}

static const option *find(int count, const option *options, const char *name, size_t length)
{
    for (int i = 0; i < count; i++)
        if (strlen(options[i].name) == length && strncmp(options[i].name, name, length) == 0)
            return &options[i];
    return NULL;
}

static const option *find_letter(int count, const option *options, char letter)
{
    for (int i = 0; i < count; i++)
        if (options[i].letter != 0 && options[i].letter == letter)
            return &options[i];
    return NULL;
}

static void print_unknown(const char *verb, int count, const option *options, const char *argument)
{
    const char *names[OPTIONS_MAX];
    char        word[64];
    for (int i = 0; i < count && i < OPTIONS_MAX; i++)
        names[i] = options[i].name;
    const char *name = argument + strspn(argument, "-");
    snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "="), name);
    const char *near = suggest(word, count < OPTIONS_MAX ? count : OPTIONS_MAX, names);
    if (near != NULL)
        print_error("unknown option '%s'; did you mean '--%s'? (zeno help %s)", argument, near, verb);
    else
        print_error("unknown option '%s' (zeno help %s)", argument, verb);
}

static bool store(const option *o, const char *text)
{
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->value = true;
        return true;
    case OPTION_TEXT:
    case OPTION_OPTIONAL:
        *(const char **)o->value = text;
        return true;
    case OPTION_NUMBER:
        if (parse_number(text, o->value))
            return true;
        print_error("option '--%s': '%s' is not a number", o->name, text);
        return false;
    case OPTION_TIME:
        if (parse_time(text, o->value))
            return true;
        print_error("option '--%s': '%s' is not a time, such as 0.5 or '500 ms'", o->name, text);
        return false;
    case OPTION_STEP:
        if (parse_step(text, o->value))
            return true;
        print_error(
            "option '--%s': '%s' is neither a time, such as 1e-4 or '0.1 ms', nor a number with 'cfl' behind it",
            o->name, text);
        return false;
    case OPTION_LIST:
    case OPTION_MARK:
        return text_list_push(o->value, text);
    }
    return false;
}

// One option at argv[*index]; moves on over its value.
static bool parse_one(const char *verb, int count, const option *options, int argc, char **argv, int *index)
{
    const char   *argument = argv[*index];
    bool          is_long = argument[1] == '-';
    const char   *value = is_long ? strchr(argument, '=') : argument[2] != '\0' ? argument + 1 : NULL;
    size_t        length = value != NULL ? (size_t)(value - argument) - 2 : strlen(argument) - 2;
    const option *o = is_long ? find(count, options, argument + 2, length) : find_letter(count, options, argument[1]);
    if (o == NULL) {
        print_unknown(verb, count, options, argument);
        return false;
    }
    if ((o->kind == OPTION_FLAG || o->kind == OPTION_MARK) && value != NULL) {
        print_error("option '--%s' takes no value", o->name);
        return false;
    }
    if (o->kind == OPTION_MARK)
        return store(o, argument);
    if (o->kind == OPTION_FLAG || o->kind == OPTION_OPTIONAL)
        return store(o, value != NULL ? value + 1 : "");
    if (value != NULL)
        return store(o, value + 1);
    if (*index + 1 >= argc) {
        print_error("option '--%s' needs a value (zeno help %s)", o->name, verb);
        return false;
    }
    return store(o, argv[++*index]);
}

bool options_parse(const char *verb, int count, const option *options, int argc, char **argv, text_list *rest)
{
    bool only_rest = false;
    for (int i = 1; i < argc; i++) {
        if (!only_rest && strcmp(argv[i], "--") == 0)
            only_rest = true;
        else if (only_rest || argv[i][0] != '-' || argv[i][1] == '\0') {
            if (!text_list_push(rest, argv[i]))
                return false;
        } else if (!parse_one(verb, count, options, argc, argv, &i))
            return false;
    }
    return true;
}

// Characters that need no quotes in a shell.
static bool is_plain(const char *text)
{
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++)
        if (!isalnum((unsigned char)*text) && strchr("-_=+./:,@%", *text) == NULL)
            return false;
    return true;
}

static char *put_quoted(char *at, const char *text)
{
    *at++ = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            at += sprintf(at, "'\\'");
        *at++ = *text;
    }
    *at++ = '\'';
    return at;
}

char *command_line(int argc, char **argv)
{
    size_t bytes = sizeof "zeno";
    for (int i = 0; i < argc; i++)
        bytes += 4 * strlen(argv[i]) + 3; // each character at most '\'' and two quotes around
    char *line = malloc(bytes), *at = line;
    if (line == NULL)
        return NULL;
    at += sprintf(at, "zeno");
    for (int i = 0; i < argc; i++) {
        *at++ = ' ';
        if (is_plain(argv[i]))
            at += sprintf(at, "%s", argv[i]);
        else
            at = put_quoted(at, argv[i]);
    }
    *at = '\0';
    return line;
}
