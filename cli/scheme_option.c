// Scheme and its options from the command line, e.g. moreau_jean:theta=1,forecast=free.
#include "scheme_option.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "suggest.h"
#include "terminal.h"

static const char *const keys[] = {
    "theta",  "gamma",        "forecast", "newton_tolerance", "newton_iterations", "gap_tolerance", "solver_tolerance",
    "solver", "linear_solver", "metric", "coupled", "rho_inf", "neglect", "characteristic_mass",
    "penalty_factor", "position_friction", "smooth"};
enum { KEYS = sizeof keys / sizeof *keys };

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

static bool set_option(zn_scheme_def *scheme, const char *key, const char *value)
{
    if (strcmp(key, "theta") == 0)
        return set_number(key, value, &scheme->theta);
    if (strcmp(key, "gamma") == 0)
        return set_number(key, value, &scheme->gamma);
    if (strcmp(key, "newton_tolerance") == 0)
        return set_number(key, value, &scheme->newton_tolerance);
    if (strcmp(key, "gap_tolerance") == 0)
        return set_number(key, value, &scheme->gap_tolerance);
    if (strcmp(key, "solver_tolerance") == 0)
        return set_number(key, value, &scheme->solver_tolerance);
    if (strcmp(key, "newton_iterations") == 0)
        return set_count(key, value, &scheme->newton_iterations);
    if (strcmp(key, "forecast") == 0)
        return set_forecast(value, &scheme->forecast);
    if (strcmp(key, "rho_inf") == 0)
        return set_number(key, value, &scheme->rho_inf);
    if (strcmp(key, "characteristic_mass") == 0)
        return set_number(key, value, &scheme->characteristic_mass);
    if (strcmp(key, "penalty_factor") == 0)
        return set_number(key, value, &scheme->penalty_factor);
    if (strcmp(key, "neglect") == 0)
        return set_flag(key, value, &scheme->neglect);
    if (strcmp(key, "position_friction") == 0)
        return set_flag(key, value, &scheme->position_friction);
    if (strcmp(key, "smooth") == 0)
        return set_smooth(value, &scheme->smooth);
    if (strcmp(key, "metric") == 0)
        return set_metric(value, &scheme->metric);
    if (strcmp(key, "coupled") == 0)
        return set_flag(key, value, &scheme->coupled);
    if (strcmp(key, "solver") == 0) {
        scheme->solver = value;
        return true;
    }
    if (strcmp(key, "linear_solver") == 0) {
        scheme->linear_solver = strcmp(value, "auto") == 0 ? NULL : value;
        return true;
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
        if (strcmp(keys[i], name) == 0)
            return true;
    return false;
}
