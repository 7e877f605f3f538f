// Scheme and its options from the command line, e.g. moreau_jean:theta=1,forecast=free.
#include "scheme_option.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "suggest.h"
#include "terminal.h"

// Options by name: what kind of value they take and where it goes.
typedef enum value_kind { NUMBER, COUNT, FLAG, TEXT, CHOICE } value_kind;

static const char *const forecast_words[] = {"explicit", "free", NULL};
static const char *const metric_words[] = {"identity", "mass", "iteration", NULL};
static const char *const smooth_words[] = {"joints", "forces", "none", NULL};
static const char *const solver_measure_words[] = {"natural", "fclib", NULL};

static const struct scheme_key {
    const char        *key;
    value_kind         kind;
    size_t             offset;
    const char *const *words; // of a choice, in the order of its enumeration
} table[] = {
#define OPTION(kind, field)                                                                                            \
    {                                                                                                                  \
#field, kind, offsetof(zn_scheme_def, field), NULL                                                             \
    }
#define WORD(field)                                                                                                    \
    {                                                                                                                  \
#field, CHOICE, offsetof(zn_scheme_def, field), field##_words                                                  \
    }
    OPTION(NUMBER, theta),
    OPTION(NUMBER, gamma),
    OPTION(NUMBER, beta),
    WORD(forecast),
    WORD(metric),
    OPTION(FLAG, coupled),
    OPTION(FLAG, frozen_rows),
    OPTION(NUMBER, rho_inf),
    OPTION(FLAG, neglect),
    WORD(smooth),
    OPTION(FLAG, position_friction),
    OPTION(NUMBER, characteristic_mass),
    OPTION(NUMBER, penalty_factor),
    OPTION(TEXT, fine),
    OPTION(NUMBER, within),
    OPTION(COUNT, ratio),
    OPTION(FLAG, fine_implicit),
    OPTION(FLAG, coarse_explicit),
    OPTION(COUNT, threads),
    OPTION(NUMBER, newton_tolerance),
    OPTION(COUNT, newton_iterations),
    OPTION(NUMBER, gap_tolerance),
    OPTION(NUMBER, solver_tolerance),
    WORD(solver_measure),
    OPTION(TEXT, solver),
    OPTION(TEXT, linear_solver),
#undef OPTION
#undef WORD
};
enum { KEYS = sizeof table / sizeof *table };

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

static bool set_choice(const struct scheme_key *item, const char *value, int *out)
{
    char words[80] = "";
    for (int i = 0; item->words[i] != NULL; i++) {
        if (strcmp(value, item->words[i]) == 0) {
            *out = i;
            return true;
        }
        size_t length = strlen(words);
        snprintf(words + length, sizeof words - length, "%s%s", i > 0 ? ", " : "", item->words[i]);
    }
    print_error("option '--scheme': %s: '%s' is none of %s", item->key, value, words);
    return false;
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

static bool set_value(const struct scheme_key *item, const char *value, void *out)
{
    switch (item->kind) {
    case NUMBER:
        return set_number(item->key, value, out);
    case COUNT:
        return set_count(item->key, value, out);
    case FLAG:
        return set_flag(item->key, value, out);
    case CHOICE:
        return set_choice(item, value, out);
    case TEXT:
        break;
    }
    *(const char **)out = value;
    return true;
}

static bool set_option(zn_scheme_def *scheme, const char *key, const char *value)
{
    const char *keys[KEYS];
    for (int i = 0; i < KEYS; i++) {
        keys[i] = table[i].key;
        if (strcmp(key, keys[i]) != 0)
            continue;
        bool ok = set_value(&table[i], value, (char *)scheme + table[i].offset);
        if (scheme->linear_solver && strcmp(scheme->linear_solver, "auto") == 0)
            scheme->linear_solver = NULL;
        return ok;
    }
    const char *near = suggest(key, KEYS, keys);
    print_error("option '--scheme': unknown scheme option '%s'%s%s%s", key, near ? "; did you mean '" : "",
                near ? near : "", near ? "'?" : "");
    return false;
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

bool scheme_option_is_known(const char *name)
{
    for (int i = 0; i < KEYS; i++)
        if (strcmp(table[i].key, name) == 0)
            return true;
    return false;
}
