// Tables of options: values out of a def, what is admissible, what applies.
#include "base/option.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- lists of words ------------------------------------------------------------------------------

// The next word of a list separated by blanks: its length, 0 at the end; `*list` is behind it afterwards.
static size_t next_word(const char **list, const char **word)
{
    *word = *list + strspn(*list, " ");
    size_t length = strcspn(*word, " ");
    *list = *word + length;
    return length;
}

static int place_of(const char *list, const char *word)
{
    size_t      length, wanted = strlen(word);
    const char *at;
    for (int i = 0; (length = next_word(&list, &at)) > 0; i++)
        if (length == wanted && memcmp(at, word, length) == 0)
            return i;
    return -1;
}

const char *zn_option_word(const zn_option *option, int place, char buffer[ZN_WORD_BYTES])
{
    if (!option)
        return NULL;
    const char *list = option->choices != NULL ? option->choices : "", *at;
    size_t      length;
    for (int i = 0; (length = next_word(&list, &at)) > 0; i++)
        if (i == place && length < ZN_WORD_BYTES) {
            memcpy(buffer, at, length);
            buffer[length] = '\0';
            return buffer;
        }
    return NULL;
}

int zn_option_place(const zn_option *option, const char *word)
{
    if (!option)
        return -1;
    return option->choices != NULL ? place_of(option->choices, word) : -1;
}

const zn_option *zn_option_find(zn_options options, const char *name)
{
    for (int i = 0; i < options.count; i++)
        if (strcmp(options.items[i].name, name) == 0)
            return &options.items[i];
    return NULL;
}

bool zn_option_belongs(const zn_option *option, const char *owner)
{
    return option ? option->owners == NULL || place_of(option->owners, owner) >= 0 : false;
}

// --- values --------------------------------------------------------------------------------------

static const void *field_of(const zn_option *option, const void *def) { return (const char *)def + option->offset; }

_Static_assert(sizeof(zn_option_kind) == sizeof(int), "choices are read as int");

double zn_option_number(const zn_option *option, const void *def)
{
    if (!option || !def)
        return NAN;
    const void *field = field_of(option, def);
    switch (option->kind) {
    case ZN_OPTION_NUMBER:
        return *(const double *)field;
    case ZN_OPTION_COUNT:
    case ZN_OPTION_CHOICE:
        return *(const int *)field;
    case ZN_OPTION_FLAG:
        return *(const bool *)field;
    case ZN_OPTION_TEXT:
        break;
    }
    return NAN;
}

const char *zn_option_text(const zn_option *option, const void *def, char buffer[ZN_WORD_BYTES])
{
    if (!option)
        return NULL;
    const void *field = field_of(option, def);
    if (option->kind == ZN_OPTION_TEXT)
        return *(const char *const *)field;
    return option->kind == ZN_OPTION_CHOICE ? zn_option_word(option, *(const int *)field, buffer) : NULL;
}

bool zn_option_is_default(const zn_option *option, zn_options options, const void *def)
{
    if (option->kind != ZN_OPTION_TEXT)
        return zn_option_number(option, def) == zn_option_number(option, options.defaults);
    const char *own = zn_option_text(option, def, NULL), *usual = zn_option_text(option, options.defaults, NULL);
    return own == usual || (own != NULL && usual != NULL && strcmp(own, usual) == 0);
}

void zn_options_complete(zn_options options, void *def)
{
    for (int i = 0; i < options.count; i++) {
        const zn_option *o = &options.items[i];
        const char     **field = (const char **)((char *)def + o->offset);
        if (o->kind == ZN_OPTION_TEXT && o->choices != NULL && *field == NULL)
            *field = zn_option_text(o, options.defaults, NULL);
    }
}

// --- what is admissible --------------------------------------------------------------------------

const char *zn_range_interval(zn_range range, char buffer[64])
{
    if (isinf(range.max))
        snprintf(buffer, 64, "%c%.9g, inf)", range.open ? '(' : '[', range.min);
    else
        snprintf(buffer, 64, "%c%.9g, %.9g]", range.open ? '(' : '[', range.min, range.max);
    return buffer;
}

static bool is_within(zn_range range, double value)
{
    if (!isfinite(value) || (range.min == 0 && range.max == 0))
        return isfinite(value);
    return value <= range.max && (range.open ? value > range.min : value >= range.min);
}

static zn_status check(const zn_option *o, const void *def, const char *what, const zn_log *log)
{
    char        buffer[64];
    double      number = zn_option_number(o, def);
    const char *text = o->kind == ZN_OPTION_TEXT ? zn_option_text(o, def, NULL) : NULL;
    if (text != NULL && o->choices != NULL && place_of(o->choices, text) < 0)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: %s '%s' is not one of: %s", what, o->name, text, o->choices);
    if (o->kind == ZN_OPTION_CHOICE && zn_option_text(o, def, buffer) == NULL)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: %s = %g is not one of: %s", what, o->name, number, o->choices);
    if ((o->kind == ZN_OPTION_NUMBER || o->kind == ZN_OPTION_COUNT) && !is_within(o->range, number))
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: %s = %g is not in %s", what, o->name, number,
                       zn_range_interval(o->range, buffer));
    return ZN_OK;
}

zn_status zn_options_check(zn_options options, const void *def, const char *what, const zn_log *log)
{
    for (int i = 0; i < options.count; i++)
        ZN_TRY(check(&options.items[i], def, what, log));
    return ZN_OK;
}

bool zn_option_refusal(const zn_option *o, const char *owner, char text[ZN_OPTION_REFUSAL])
{
    if (zn_option_belongs(o, owner))
        return false;
    snprintf(text, ZN_OPTION_REFUSAL, "%s does not apply, %s%sit belongs to: %s", o->name,
             o->reason != NULL ? o->reason : "", o->reason != NULL ? "; " : "", o->owners);
    return true;
}

zn_status zn_options_refuse(zn_options options, const void *def, const char *owner, const zn_log *log)
{
    for (int i = 0; i < options.count; i++) {
        char             text[ZN_OPTION_REFUSAL];
        const zn_option *o = &options.items[i];
        if (!zn_option_is_default(o, options, def) && zn_option_refusal(o, owner, text))
            return zn_fail(log, ZN_ERR_ARGUMENT, "%s: %s", owner, text);
    }
    return ZN_OK;
}

// --- in words ------------------------------------------------------------------------------------

static int describe_words(const char *list, char *text, size_t size)
{
    const char *at;
    size_t      length;
    int         used = snprintf(text, size, "one of");
    for (int i = 0; (length = next_word(&list, &at)) > 0; i++)
        used += snprintf((size_t)used < size ? text + used : NULL, (size_t)used < size ? size - (size_t)used : 0,
                         "%s %.*s", i > 0 ? "," : "", (int)length, at);
    return used;
}

static int describe_range(const zn_option *o, const char *noun, char *text, size_t size)
{
    zn_range    r = o->range;
    const char *blank = o->unit[0] != '\0' ? " " : "";
    if (r.min == 0 && r.max == 0)
        return snprintf(text, size, "%s%s%s", noun, blank, o->unit);
    if (isinf(r.max))
        return snprintf(text, size, "%s %s %.9g%s%s", noun, r.open ? ">" : ">=", r.min, blank, o->unit);
    if (r.open)
        return snprintf(text, size, "%s > %.9g and <= %.9g%s%s", noun, r.min, r.max, blank, o->unit);
    return snprintf(text, size, "%s, %.9g to %.9g%s%s", noun, r.min, r.max, blank, o->unit);
}

int zn_option_describe(const zn_option *o, char *text, size_t size)
{
    if (!o || !text)
        return 0;
    if (o->choices != NULL)
        return describe_words(o->choices, text, size);
    switch (o->kind) {
    case ZN_OPTION_NUMBER:
        return describe_range(o, "number", text, size);
    case ZN_OPTION_COUNT:
        return describe_range(o, "whole number", text, size);
    case ZN_OPTION_FLAG:
        return snprintf(text, size, "true or false");
    default:
        return snprintf(text, size, "text");
    }
}
