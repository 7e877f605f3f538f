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
typedef enum value_kind { NUMBER, COUNT, FLAG, TEXT, FORECAST, METRIC, SMOOTH } value_kind;

static const struct scheme_key {
    const char *key;
    value_kind  kind;
    size_t      offset;
} table[] = {
#define OPTION(kind, field) {#field, kind, offsetof(zn_scheme_def, field)}
    OPTION(NUMBER, theta), OPTION(NUMBER, gamma), OPTION(NUMBER, beta), OPTION(FORECAST, forecast),
    OPTION(METRIC, metric), OPTION(FLAG, coupled), OPTION(NUMBER, rho_inf), OPTION(FLAG, neglect), OPTION(SMOOTH, smooth),
    OPTION(FLAG, position_friction), OPTION(NUMBER, characteristic_mass), OPTION(NUMBER, penalty_factor),
    OPTION(TEXT, fine), OPTION(NUMBER, within), OPTION(COUNT, ratio), OPTION(FLAG, fine_implicit),
    OPTION(FLAG, coarse_explicit), OPTION(COUNT, threads), OPTION(NUMBER, newton_tolerance),
    OPTION(COUNT, newton_iterations), OPTION(NUMBER, gap_tolerance), OPTION(NUMBER, solver_tolerance), OPTION(TEXT, solver),
    OPTION(TEXT, linear_solver),
#undef OPTION
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

static bool set_forecast(const char *value, zn_forecast *out)
{
    if (strcmp(value, "explicit") != 0 && strcmp(value, "free") != 0) {
        print_error("option '--scheme': forecast: '%s' is neither 'explicit' nor 'free'", value);
        return false;
    }
    *out = strcmp(value, "free") == 0 ? ZN_FORECAST_FREE : ZN_FORECAST_EXPLICIT;
    return true;
}

static bool set_smooth(const char *value, zn_smooth *out)
{
    for (zn_smooth m = ZN_SMOOTH_JOINTS; m <= ZN_SMOOTH_NONE; m++)
        if (strcmp(value, zn_smooth_name(m)) == 0) {
            *out = m;
            return true;
        }
    print_error("option '--scheme': smooth: '%s' is none of joints, forces, none", value);
    return false;
}

static bool set_metric(const char *value, zn_metric *out)
{
    for (zn_metric m = ZN_METRIC_IDENTITY; m <= ZN_METRIC_ITERATION; m++)
        if (strcmp(value, zn_metric_name(m)) == 0) {
            *out = m;
            return true;
        }
    print_error("option '--scheme': metric: '%s' is none of identity, mass, iteration", value);
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
    case NUMBER: return set_number(item->key, value, out);
    case COUNT: return set_count(item->key, value, out);
    case FLAG: return set_flag(item->key, value, out);
    case FORECAST: return set_forecast(value, out);
    case METRIC: return set_metric(value, out);
    case SMOOTH: return set_smooth(value, out);
    case TEXT: break;
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
    int count = zn_scheme_count() < 64 ? zn_scheme_count() : 64;
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
