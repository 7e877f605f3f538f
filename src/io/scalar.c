// Single values: "expression unit" in the text of a scalar, truth values, signals.
#include "io/scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/csv_series.h"
#include "io/pool.h"
#include "io/schema_table.h"
#include "model/signal.h"

// A scalar taken apart.
typedef struct scalar {
    char    expression[ZN_EXPRESSION_LENGTH + 1];
    int     unit_at; // byte where the unit begins; -1: none
    zn_unit unit;
} scalar;

// What is wrong with a scalar, and at which byte.
typedef struct trouble {
    int  at;
    char message[256];
} trouble;

// Does the expression end, outside of brackets, with a term of a sum or of a comparison? "b + 1 mm" could mean
// b + 0.001 or (b + 1)/1000, so only units that change nothing may follow it.
static bool is_sum(const char *s)
{
    int  depth = 0;
    bool operand = false, sum = false;
    while (*s != '\0') {
        size_t number = zn_number_length(s), word = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
        if (number > 0 || word > 0) {
            s += number > 0 ? number : word;
            operand = true;
            continue;
        }
        depth += (*s == '(') - (*s == ')');
        bool sign = *s == '+' || *s == '-';
        if (depth == 0 && ((sign && operand) || strchr("<>=!&|?:", *s) != NULL))
            sum = true;
        if (strchr(" \t\r\n", *s) == NULL)
            operand = *s == ')';
        s++;
    }
    return sum;
}

static bool changes_values(const zn_unit *unit) { return unit->decade != 0 || unit->numerator != unit->denominator; }

static bool split(const char *text, scalar *s, trouble *why)
{
    size_t border = zn_unit_split(text), length = border;
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL)
        length--;
    why->at = 0;
    if (length > ZN_EXPRESSION_LENGTH) {
        snprintf(why->message, sizeof why->message, "the expression has more than 4096 characters");
        return false;
    }
    memcpy(s->expression, text, length);
    s->expression[length] = '\0';
    s->unit = (zn_unit){1, 1, 0, {0}};
    s->unit_at = -1;
    if (text[border] == '\0')
        return true;
    s->unit_at = why->at = (int)border;
    char message[ZN_UNIT_MESSAGE];
    if (!zn_unit_parse(text + border, &s->unit, message))
        snprintf(why->message, sizeof why->message, "%s", message);
    else if (changes_values(&s->unit) && is_sum(s->expression))
        snprintf(why->message, sizeof why->message,
                 "does the unit '%.40s' belong to the last term or to all? Use brackets, (a + b) %.40s, or SI units",
                 text + border, text + border);
    else
        return true;
    return false;
}

static void explain(const zn_expression_error *error, zn_constants constants, trouble *why)
{
    char     hint[96] = "";
    zn_guess guess = zn_guess_begin(error->unknown);
    for (int i = 0; error->unknown[0] != '\0' && i < constants.count; i++)
        zn_guess_offer(&guess, constants.names[i]);
    for (int i = 0; error->unknown[0] != '\0' && zn_expression_function(i) != NULL; i++)
        zn_guess_offer(&guess, zn_expression_function(i));
    why->at = error->position;
    snprintf(why->message, sizeof why->message, "%s%s", error->message, zn_guess_text(&guess, hint));
}

static zn_status evaluate(const scalar *s, zn_constants constants, double *out, trouble *why)
{
    zn_expression_error error = {0};
    zn_status           status = zn_expression_value(s->expression, constants, &error, out);
    if (status == ZN_OK)
        *out = zn_unit_apply(&s->unit, *out);
    else
        explain(&error, constants, why);
    return status;
}

bool zn_scalar_evaluate(const char *text, zn_constants constants, double *out, char *message, size_t size)
{
    scalar  s;
    trouble why = {0};
    if (split(text, &s, &why) && evaluate(&s, constants, out, &why) == ZN_OK) {
        if (isfinite(*out))
            return true;
        snprintf(why.message, sizeof why.message, "the value is not finite");
    }
    snprintf(message, size, "%s", why.message);
    return false;
}

static void complain_scalar(zn_reader *r, const zn_yaml_node *node, const char *what, const trouble *why)
{
    zn_complain_at(r, node->line, zn_yaml_column(node, why->at), "'%s': %s", what, why->message);
}

// Scalar of the right kind and unit.
static bool open_scalar(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension, scalar *s)
{
    trouble why = {0};
    if (node->kind != ZN_YAML_SCALAR || zn_yaml_is_null(node)) {
        zn_complain(r, node, "'%s' must be %s, found %s", what,
                    dimension == ZN_DIM_ANY ? "a number or expression" : zn_dimension_text(dimension),
                    zn_yaml_describe(node));
        return false;
    }
    if (!split(node->text, s, &why)) {
        complain_scalar(r, node, what, &why);
        return false;
    }
    if (s->unit_at >= 0 && !zn_unit_fits(&s->unit, dimension)) {
        zn_complain_at(r, node->line, zn_yaml_column(node, s->unit_at), "wrong unit '%s' for '%s', expected %s",
                       node->text + s->unit_at, what, zn_dimension_text(dimension));
        return false;
    }
    return true;
}

static bool in_range(zn_range range, double x)
{
    if (range.min == 0 && range.max == 0)
        return true;
    return (range.open ? x > range.min : x >= range.min) && x <= range.max;
}

bool zn_read_number(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension, zn_range range,
                    double *out)
{
    scalar  s;
    trouble why = {0};
    double  value;
    if (!open_scalar(r, node, what, dimension, &s))
        return false;
    zn_status status = evaluate(&s, r->constants, &value, &why);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        complain_scalar(r, node, what, &why);
    else if (!isfinite(value))
        zn_complain(r, node, "'%s' is not a finite number", what);
    else if (!in_range(range, value)) {
        char text[64];
        zn_complain(r, node, "'%s' must be %s%s%s, but is %.9g", what, zn_range_text(range, text),
                    dimension == ZN_DIM_NONE ? "" : " ", zn_dimension_unit(dimension), value);
    } else {
        *out = value;
        return true;
    }
    return false;
}

bool zn_read_step(zn_reader *r, const zn_yaml_node *node, const char *what, zn_step_entry *out)
{
    const zn_range positive = {0, INFINITY, true}, stable = {0, 1, true};
    size_t         border = node->kind == ZN_YAML_SCALAR ? zn_unit_split(node->text) : 0;
    out->cfl = border > 0 && strcmp(node->text + border, "cfl") == 0;
    if (!out->cfl)
        return zn_read_number(r, node, what, ZN_DIM_TIME, positive, &out->value);
    char        *text = zn_pool_copy(r->pool, node->text, border);
    zn_yaml_node number = *node;
    number.text = text;
    r->faults->out_of_memory |= text == NULL;
    return text != NULL && zn_read_number(r, &number, what, ZN_DIM_NONE, stable, &out->value);
}

bool zn_read_bool(zn_reader *r, const zn_yaml_node *node, const char *what, bool *out)
{
    static const char *const words[2][3] = {{"false", "False", "FALSE"}, {"true", "True", "TRUE"}};
    for (int value = 0; node->kind == ZN_YAML_SCALAR && node->plain && value < 2; value++)
        for (int i = 0; i < 3; i++)
            if (strcmp(node->text, words[value][i]) == 0) {
                *out = value == 1;
                return true;
            }
    zn_complain(r, node, "'%s' must be true or false, found %s%s%s", what,
                node->kind == ZN_YAML_SCALAR ? "'" : zn_yaml_describe(node),
                node->kind == ZN_YAML_SCALAR ? node->text : "", node->kind == ZN_YAML_SCALAR ? "'" : "");
    return false;
}

// --- signals ---------------------------------------------------------------------------------------

static bool read_csv(zn_reader *r, const zn_yaml_node *node, zn_signal **out)
{
    zn_series_entry entry;
    zn_schema_series.defaults(&entry);
    if (!zn_schema_read(r, &zn_schema_series, node, &entry, NULL))
        return false;
    char          message[256] = "";
    zn_input_text file;
    zn_csv_series series = {0};
    const char   *name = zn_reader_file(r, entry.csv);
    if (name == NULL)
        return false;
    zn_status status = zn_inputs_read(r->inputs, r->path, name, &file, message, sizeof message);
    if (status == ZN_OK)
        status = zn_csv_series_parse(file.text, file.length, file.path, entry.column, &series, message, sizeof message);
    free(file.text);
    free(file.path);
    if (status == ZN_OK)
        status = zn_signal_series(series.count, series.t, series.y, out);
    zn_csv_series_clear(&series);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        zn_complain(r, node, "%s", message);
    return status == ZN_OK;
}

// The formula as a signal, times a factor.
static bool make_signal(zn_reader *r, const zn_yaml_node *node, const char *what, const char *formula, double factor,
                        zn_signal **out)
{
    trouble             why = {0};
    zn_expression_error error = {0};
    zn_expression      *e;
    zn_status           status = zn_expression_create(formula, r->constants, true, &error, &e);
    if (status == ZN_ERR_ARGUMENT) {
        explain(&error, r->constants, &why);
        complain_scalar(r, node, what, &why);
        return false;
    }
    if (status == ZN_OK)
        status = zn_signal_take(e, out);
    if (status == ZN_OK)
        zn_signal_scale(*out, factor);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK || (zn_signal_is_constant(*out) && !isfinite(zn_signal_at(*out, 0))))
        zn_complain(r, node, "'%s' is not a finite number", what);
    else
        return true;
    return false;
}

bool zn_read_signal(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension, zn_signal **out)
{
    scalar s;
    if (node->kind == ZN_YAML_MAP)
        return read_csv(r, node, out);
    return open_scalar(r, node, what, dimension, &s) &&
           make_signal(r, node, what, s.expression, zn_unit_apply(&s.unit, 1), out);
}

// Is it a signal by itself? Then a sum with it is one, too.
static bool check_signal(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension, scalar *s)
{
    zn_signal *alone = NULL;
    if (node->kind == ZN_YAML_MAP) {
        zn_complain(r, node, "'%s': a table cannot be turned with its group", what);
        return false;
    }
    bool good = open_scalar(r, node, what, dimension, s) && make_signal(r, node, what, s->expression, 1, &alone);
    zn_signal_destroy(alone);
    return good;
}

bool zn_read_signal_sum(zn_reader *r, int count, const zn_yaml_node *const *nodes, const double *weights,
                        const char *what, zn_dimension dimension, zn_signal **out)
{
    char   sum[ZN_EXPRESSION_LENGTH + 1] = "0";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        scalar s;
        if (!check_signal(r, nodes[i], what, dimension, &s))
            return false;
        if (weights[i] == 0)
            continue;
        size_t room = sizeof sum - used;
        int    n = snprintf(sum + used, room, "%s(%.17g)*(%s)", used > 0 ? "+" : "",
                            weights[i] * zn_unit_apply(&s.unit, 1), s.expression);
        if (n < 0 || (size_t)n >= room) {
            zn_complain(r, nodes[i], "'%s': the expression is too long to be turned with its group", what);
            return false;
        }
        used += (size_t)n;
    }
    return make_signal(r, nodes[0], what, sum, 1, out);
}
