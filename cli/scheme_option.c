// Scheme and its options from the command line, e.g. moreau_jean:theta=1,forecast=free.
#include "scheme_option.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "suggest.h"
#include "terminal.h"

static bool set_number(const char *key, const char *value, double *out)
{
    if (parse_number(value, out))
        return true;
    print_error("option '--scheme': %s: '%s' is not a number", key, value);
    return false;
}

static bool set_count(const char *key, const char *value, int *out)
{
    double number;
    if (!set_number(key, value, &number))
        return false;
    if (number < 0 || number > INT_MAX || number != (int)number) {
        print_error("option '--scheme': %s: '%s' is not a count", key, value);
        return false;
    }
    *out = (int)number;
    return true;
}

static bool set_choice(const zn_option *o, const char *value, int *out)
{
    char words[256];
    *out = zn_option_place(o, value);
    if (*out >= 0)
        return true;
    zn_option_describe(o, words, sizeof words);
    print_error("option '--scheme': %s: '%s' is none of %s", o->name, value, words + strlen("one of "));
    return false;
}

static bool set_text(const zn_option *o, const char *value, const char **out)
{
    int place;
    *out = value;
    return o->choices == NULL || set_choice(o, value, &place);
}

static bool set_flag(const char *key, const char *value, bool *out)
{
    if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0) {
        print_error("option '--scheme': %s: '%s' is neither 'true' nor 'false'", key, value);
        return false;
    }
    *out = value[0] == 't';
    return true;
}

static bool set_value(const zn_option *o, const char *value, void *out)
{
    switch (o->kind) {
    case ZN_OPTION_NUMBER:
        return set_number(o->name, value, out);
    case ZN_OPTION_COUNT:
        return set_count(o->name, value, out);
    case ZN_OPTION_FLAG:
        return set_flag(o->name, value, out);
    case ZN_OPTION_CHOICE:
        return set_choice(o, value, out);
    case ZN_OPTION_TEXT:
        return set_text(o, value, out);
    }
    return false;
}

static bool complain_unknown(const char *key)
{
    enum { MOST = 64 };
    const char *keys[MOST];
    zn_options  all = zn_scheme_options();
    int         count = all.count < MOST ? all.count : MOST;
    for (int i = 0; i < count; i++)
        keys[i] = all.items[i].name;
    const char *near = suggest(key, count, keys);
    print_error("option '--scheme': unknown scheme option '%s'%s%s%s", key, near ? "; did you mean '" : "",
                near ? near : "", near ? "'?" : " (zeno help run lists them)");
    return false;
}

static bool set_option(zn_scheme_def *scheme, const char *key, const char *value)
{
    const zn_option *o = zn_option_find(zn_scheme_options(), key);
    return o != NULL ? set_value(o, value, (char *)scheme + o->offset) : complain_unknown(key);
}

static bool set_name(zn_scheme_def *scheme, const char *name)
{
    const char *known[64];
    int         count = zn_scheme_count() < 64 ? zn_scheme_count() : 64;
    for (int i = 0; i < count; i++) {
        known[i] = zn_scheme_name(i);
        if (strcmp(known[i], name) != 0)
            continue;
        if (scheme->scheme == NULL || strcmp(scheme->scheme, name) != 0)
            *scheme = zn_scheme_def_default();
        scheme->scheme = name;
        return true;
    }
    const char *near = suggest(name, count, known);
    print_error("option '--scheme': unknown scheme '%s'%s%s%s", name, near ? "; did you mean '" : "", near ? near : "",
                near ? "'?" : " (zeno help run lists them)");
    return false;
}

bool scheme_option_apply(const char *text, zn_scheme_def *scheme, char **memory)
{
    char *copy = strdup(text), *rest;
    *memory = copy;
    if (copy == NULL) {
        print_error("out of memory");
        return false;
    }
    char *options = strchr(copy, ':');
    if (options != NULL)
        *options++ = '\0';
    if ((copy[0] != '\0' || options == NULL) && !set_name(scheme, copy))
        return false;
    if (options == NULL)
        return true;
    for (char *word = strtok_r(options, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
        char *value = strchr(word, '=');
        if (value == NULL) {
            print_error("option '--scheme': '%s' is not of the form name=value", word);
            return false;
        }
        *value++ = '\0';
        if (!set_option(scheme, word, value))
            return false;
    }
    return true;
}

// --- help ----------------------------------------------------------------------------------------

enum { INDENT = 23, WIDTH = 100 };

// Words of a text in lines of at most WIDTH; `at` is the column, returned is where it ends.
static int print_words(FILE *out, const char *text, int at)
{
    while (*(text += strspn(text, " ")) != '\0') {
        int length = (int)strcspn(text, " ");
        if (at > INDENT && at + 1 + length > WIDTH) {
            fprintf(out, "\n%*s", INDENT, "");
            at = INDENT;
        }
        at += fprintf(out, "%s%.*s", at > INDENT ? " " : "", length, text);
        text += length;
    }
    return at;
}

static const char *default_text(const zn_option *o, const void *defaults, char buffer[ZN_WORD_BYTES])
{
    const char *text = zn_option_text(o, defaults, buffer);
    double      number = zn_option_number(o, defaults);
    if (o->kind == ZN_OPTION_TEXT || o->kind == ZN_OPTION_CHOICE)
        return text != NULL ? text : "none";
    if (o->kind == ZN_OPTION_FLAG)
        return number != 0 ? "true" : "false";
    snprintf(buffer, ZN_WORD_BYTES, "%.9g", number);
    return buffer;
}

void scheme_options_print(FILE *out)
{
    zn_options all = zn_scheme_options();
    for (int i = 0; i < all.count; i++) {
        const zn_option *o = &all.items[i];
        char             kind[256], line[512], word[ZN_WORD_BYTES];
        zn_option_describe(o, kind, sizeof kind);
        snprintf(line, sizeof line, "%s (default %s): ", kind, default_text(o, all.defaults, word));
        fprintf(out, "  %-*s", INDENT - 2, o->name);
        int at = print_words(out, line, INDENT);
        at = print_words(out, o->help, at);
        if (o->owners != NULL) {
            fputs(".", out);
            at = print_words(out, "Of", at + 1);
            print_words(out, o->owners, at);
        }
        fputc('\n', out);
    }
}

bool scheme_option_is_known(const char *name) { return zn_option_find(zn_scheme_options(), name) != NULL; }
