// Single values: "expression unit" in the text of a scalar, truth values, signals.
#include "io/scalar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/csv_series.h"
#include "io/pool.h"
#include "io/schema_table.h"
#include "model/feedback.h"
#include "model/signal.h"

// What is wrong with a scalar, and at which byte.
typedef struct trouble {
    int  at;
    char message[256];
} trouble;

// Units of formulas are those of io/units.h.
static bool read_unit(const char *text, zn_expression_unit *out, char message[160])
{
    _Static_assert(ZN_UNIT_MESSAGE == 160, "messages of units and of their reader have one size");
    zn_unit unit;
    size_t  length;
    if (!zn_unit_read(text, &unit, &length, message))
        return false;
    double ten = zn_pow(10, fabs((double)unit.decade)); // exact up to 10^22
    bool   same = unit.numerator == unit.denominator;
    *out = (zn_expression_unit){.length = (int)length,
                                .factor = {same ? 1 : unit.numerator, same ? 1 : unit.denominator,
                                           unit.decade > 0 ? ten : 1, unit.decade < 0 ? ten : 1}};
    memcpy(out->power, unit.power, sizeof out->power);
    return true;
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

// Variables of feedback: what the model has of that name.
typedef struct finder {
    zn_reader          *r;
    zn_feedback        *feedback;
    const zn_yaml_node *node;
    const char         *what;
    char                message[160]; // why there is no such variable
    bool                told;         // one has faults of its own
} finder;

// Does a quantity have components in world axes?
static bool is_in_world_axes(const char *quantity, size_t length)
{
    static const char *const words[] = {"position", "displacement", "velocity",        "acceleration", "world_spin",
                                        "force",    "impulse",      "reaction_moment", "reaction",     "eccentricity"};
    for (size_t i = 0; i < ZN_COUNT(words); i++)
        if (strlen(words[i]) == length && strncmp(quantity, words[i], length) == 0)
            return true;
    return false;
}

// "object.position.x" of a group that is moved along x, other components and angles of bodies of one that is turned:
// world axes stay behind, and forces of the group would not follow them. Spans may have the axes of a body.
static bool stays_behind(const zn_reader *r, const char *name)
{
    const char *quantity = strchr(name, '.'), *axis = strrchr(name, '.');
    if (r->level == NULL || !r->level->frame.moved || strstr(name, ZN_SCOPE_MARK) == NULL || quantity == NULL)
        return false;
    char object[64];
    snprintf(object, sizeof object, "%.*s", (int)(quantity - name), name);
    const zn_axes  *frame = &r->level->frame;
    const zn_named *entry = zn_names_find(&r->model->names, object);
    bool            span = entry != NULL && entry->kind == ZN_NAMED_SPAN;
    if (strcmp(quantity, ".angle") == 0)
        return frame->turned && zn_names_find_node(&r->model->names, object) >= 0;
    if (axis == quantity || strchr("xyz", axis[1]) == NULL || (span && r->model->span[entry->rule].axes.value != 0))
        return false;
    zn_vec3 e = {axis[1] == 'x', axis[1] == 'y', axis[1] == 'z'}, turned = zn_axes_direction(frame, e);
    bool    place = !span && strncmp(quantity, ".position.", 10) == 0;
    return (zn_vec3_norm(zn_vec3_sub(turned, e)) > 1e-12 &&
            is_in_world_axes(quantity + 1, (size_t)(axis - quantity - 1))) ||
           (place && zn_vec3_dot(frame->origin, e) != 0);
}

static int find_variable(void *user, const char *name)
{
    finder      *f = user;
    zn_reference ref = {name, f->node->line, f->node->column};
    if (!zn_read_reference(f->r, f->what, false, &ref)) {
        f->told = true;
        return -1;
    }
    if (strchr(name, '.') == NULL)
        f->told = f->r->declare(f->r->declare_user, ref.name) || f->told;
    if (stays_behind(f->r, ref.name)) {
        snprintf(f->message, sizeof f->message,
                 "'%.60s' is in world axes, which do not move with a group; read a joint, spring or span with 'axes'",
                 name);
        return -1;
    }
    return zn_feedback_input_of(f->feedback, ref.name, f->message, sizeof f->message);
}

static zn_status compile(const char *text, zn_constants constants, bool time, zn_expression **out, trouble *why)
{
    zn_expression_error error;
    zn_expression_def   def = {.text = text, .constants = constants, .time = time, .unit = read_unit};
    zn_status           status = zn_expression_compile(&def, &error, out);
    if (status == ZN_ERR_ARGUMENT)
        explain(&error, constants, why);
    return status;
}

bool zn_scalar_evaluate(const char *text, zn_constants constants, double *out, char *message, size_t size)
{
    zn_expression *e;
    trouble        why = {.message = "out of memory"};
    if (compile(text, constants, false, &e, &why) == ZN_OK) {
        *out = zn_expression_at(e, 0);
        zn_expression_destroy(e);
        if (isfinite(*out))
            return true;
        snprintf(why.message, sizeof why.message, "the value is not finite");
    }
    snprintf(message, size, "%s", why.message);
    return false;
}

// Velocities that depend on the place are read elsewhere (bind_solid.c): bodies and sections of beams would need a
// spin.
static const char *advice_of(const zn_yaml_node *node, const char *what, const char *message)
{
    if (node->plain && strcmp(message, "a ')' is missing") == 0) // inside brackets a comma ends the value
        return "; a text with ',' needs quotes inside [ ] and { }";
    bool place = strcmp(what, "velocity") == 0 &&
                 (strcmp(message, "unknown name 'x'") == 0 || strcmp(message, "unknown name 'y'") == 0 ||
                  strcmp(message, "unknown name 'z'") == 0);
    return place ? "; only solids have velocities by the place x, y, z" : "";
}

static void complain_scalar(zn_reader *r, const zn_yaml_node *node, const char *what, const trouble *why)
{
    zn_complain_at(r, node->line, zn_yaml_column(node, why->at), "'%s': %s%s", what, why->message,
                   advice_of(node, what, why->message));
}

// Is it measured in what the key asks for?
static bool fits(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension,
                 const zn_expression *e)
{
    zn_expression_dimension d = zn_expression_measure(e);
    zn_unit                 unit = {.numerator = 1, .denominator = 1};
    memcpy(unit.power, d.power, sizeof unit.power);
    if (!d.known || zn_unit_fits(&unit, dimension))
        return true;
    zn_complain_at(r, node->line, zn_yaml_column(node, d.at), "wrong unit '%.*s' for '%s', expected %s", d.length,
                   node->text + d.at, what, zn_dimension_text(dimension));
    return false;
}

// The formula of a scalar of the right kind and unit; NULL after a message.
static zn_expression *open_scalar(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension,
                                  bool time)
{
    trouble        why = {0};
    zn_expression *e = NULL;
    if (node->kind != ZN_YAML_SCALAR || zn_yaml_is_null(node)) {
        zn_complain(r, node, "'%s' must be %s, found %s", what,
                    dimension == ZN_DIM_ANY ? "a number or expression" : zn_dimension_text(dimension),
                    zn_yaml_describe(node));
        return NULL;
    }
    zn_status status = compile(node->text, r->constants, time, &e, &why);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        complain_scalar(r, node, what, &why);
    if (status != ZN_OK)
        return NULL;
    return fits(r, node, what, dimension, e) ? e : zn_expression_destroy(e);
}

bool zn_read_formula(zn_reader *r, const zn_yaml_node *node, const char *what,
                     int (*variable)(void *user, const char *name), void *user, zn_expression **out)
{
    trouble             why = {0};
    zn_expression_error error;
    if (node->kind != ZN_YAML_SCALAR || zn_yaml_is_null(node)) {
        zn_complain(r, node, "'%s' must be an expression, found %s", what, zn_yaml_describe(node));
        return false;
    }
    zn_expression_def def = {node->text, r->constants, true, read_unit, variable, user};
    zn_status         status = zn_expression_compile(&def, &error, out);
    r->faults->out_of_memory |= status == ZN_ERR_MEMORY;
    if (status == ZN_ERR_ARGUMENT) {
        explain(&error, r->constants, &why);
        complain_scalar(r, node, what, &why);
    }
    return status == ZN_OK;
}

static bool in_range(zn_range range, double x)
{
    if (range.min == 0 && range.max == 0)
        return true;
    return (range.open ? x > range.min : x >= range.min) && x <= range.max;
}

// An angle of more than a turn without a unit is rarely meant: 30 for 30 deg.
static void warn_of_turns(zn_reader *r, const zn_yaml_node *node, const char *what, double value)
{
    static const double turn = 6.2831853071795865;
    bool                unit = node->text[zn_unit_split(node->text)] != '\0';
    if (fabs(value) <= turn * (1 + 1e-9) || unit || strstr(node->text, "pi") != NULL)
        return;
    zn_warn_at(r->faults, node->line, node->column,
               "%s%s'%s' is %.9g rad, more than a turn; write 'rad' behind it if that is meant, or 'deg'", r->where,
               r->where[0] != '\0' ? ": " : "", what, value);
}

bool zn_read_number(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension, zn_range range,
                    double *out)
{
    zn_expression *e = open_scalar(r, node, what, dimension, false);
    if (e == NULL)
        return false;
    double value = zn_expression_at(e, 0);
    zn_expression_destroy(e);
    if (!isfinite(value)) {
        zn_complain(r, node, "'%s' is not a finite number", what);
    } else if (!in_range(range, value)) {
        char text[64];
        zn_complain(r, node, "'%s' must be %s%s%s, but is %.9g", what, zn_range_text(range, text),
                    dimension == ZN_DIM_NONE ? "" : " ", zn_dimension_unit(dimension), value);
    } else {
        *out = value;
        if (dimension == ZN_DIM_ANGLE)
            warn_of_turns(r, node, what, value);
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
    char                message[600] = "";
    const zn_csv_table *table = NULL;
    zn_csv_series       series = {0};
    const char         *name = zn_reader_file(r, entry.csv);
    if (name == NULL)
        return false;
    zn_status status = zn_inputs_table(r->inputs, r->path, name, &table, message, sizeof message);
    if (status == ZN_OK)
        status = zn_csv_table_series(table, entry.column, &series, message, sizeof message);
    if (status == ZN_OK)
        status = zn_signal_series(series.count, series.t, series.y, out);
    zn_csv_series_clear(&series);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        zn_complain(r, node, "%s", message);
    return status == ZN_OK;
}

// A signal that may look at the model. An unknown name without a dot may be a parameter that is misspelled.
static zn_status compile_feedback(zn_reader *r, const char *text, finder *f, zn_expression **out, trouble *why)
{
    zn_expression_error error;
    zn_expression_def   def = {
          .text = text, .constants = r->constants, .time = true, .unit = read_unit, .variable = find_variable, .user = f};
    zn_status status = zn_expression_compile(&def, &error, out);
    if (status != ZN_ERR_ARGUMENT)
        return status;
    explain(&error, r->constants, why);
    if (strchr(error.unknown, '.') != NULL)
        snprintf(why->message, sizeof why->message, "%s", f->message);
    if (f->told)
        why->at = -1;
    return status;
}

static bool read_feedback(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension,
                          zn_signal **out)
{
    trouble        why = {0};
    finder         f = {.r = r, .feedback = zn_feedback_create(r->model), .node = node, .what = what};
    zn_expression *e = NULL;
    zn_status      status = f.feedback == NULL ? ZN_ERR_MEMORY : compile_feedback(r, node->text, &f, &e, &why);
    if (status == ZN_OK && !fits(r, node, what, dimension, e)) {
        zn_expression_destroy(e);
        zn_feedback_destroy(f.feedback);
        return false;
    }
    if (status == ZN_OK) {
        status = zn_signal_take_feedback(f.feedback, e, out);
        why.at = 0;
        snprintf(why.message, sizeof why.message, "it is not a finite number");
    } else
        zn_feedback_destroy(f.feedback);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK && e != NULL)
        zn_complain(r, node, "'%s' is not a finite number", what);
    else if (status != ZN_OK && why.at >= 0)
        complain_scalar(r, node, what, &why);
    return status == ZN_OK;
}

bool zn_read_signal(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension, zn_signal **out)
{
    if (node->kind == ZN_YAML_MAP && node->first != NULL && strchr(node->first->key, '?') != NULL) {
        zn_complain(r, node, "'%s': a text with ': ' needs quotes, 't < 1 ? 2 : 3'", what);
        return false;
    }
    if (node->kind == ZN_YAML_MAP)
        return read_csv(r, node, out);
    if (r->model != NULL && node->kind == ZN_YAML_SCALAR && !zn_yaml_is_null(node))
        return read_feedback(r, node, what, dimension, out);
    zn_expression *e = open_scalar(r, node, what, dimension, true);
    zn_status      status = e != NULL ? zn_signal_take(e, out) : ZN_OK;
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        zn_complain(r, node, "'%s' is not a finite number", what);
    else if (e != NULL && dimension == ZN_DIM_ANGLE && zn_signal_is_constant(*out))
        warn_of_turns(r, node, what, zn_signal_at(*out, 0));
    return e != NULL && status == ZN_OK;
}

// Is it a signal by itself? Then a sum with it is one, too.
static bool check_signal(zn_reader *r, const zn_yaml_node *node, const char *what, zn_dimension dimension)
{
    zn_signal *alone = NULL;
    if (node->kind == ZN_YAML_MAP) {
        zn_complain(r, node, "'%s': a table cannot be turned with its group", what);
        return false;
    }
    bool good = zn_read_signal(r, node, what, dimension, &alone);
    zn_signal_destroy(alone);
    return good;
}

// weight * (expression), its unit taken into the weight; the number of characters, as snprintf.
static int write_term(const char *text, double weight, char *out, size_t room, const char *sign)
{
    size_t             border = zn_unit_split(text);
    zn_expression_unit unit = {.factor = {1, 1, 1, 1}};
    char               message[160];
    if (border > 0 && text[border] != '\0' && read_unit(text + border, &unit, message))
        weight *= unit.factor[0] / unit.factor[1] * unit.factor[2] / unit.factor[3];
    else
        border = strlen(text);
    return snprintf(out, room, "%s(%.17g)*(%.*s)", sign, weight, (int)border, text);
}

bool zn_read_signal_sum(zn_reader *r, int count, const zn_yaml_node *const *nodes, const double *weights,
                        const char *what, zn_dimension dimension, zn_signal **out)
{
    char   sum[ZN_EXPRESSION_LENGTH + 1] = "0";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        if (!check_signal(r, nodes[i], what, dimension))
            return false;
        if (weights[i] == 0)
            continue;
        size_t room = sizeof sum - used;
        int    n = write_term(nodes[i]->text, weights[i], sum + used, room, used > 0 ? "+" : "");
        if (n < 0 || (size_t)n >= room) {
            zn_complain(r, nodes[i], "'%s': the expression is too long to be turned with its group", what);
            return false;
        }
        used += (size_t)n;
    }
    zn_yaml_node whole = *nodes[0];
    whole.text = sum;
    return zn_read_signal(r, &whole, what, ZN_DIM_ANY, out);
}
