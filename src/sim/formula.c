// A formula of records: the names in it are variables, each with a quantity of its own that is resolved as a record
// would be.
#include "sim/formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression.h"

enum { VARIABLES = 32, UNIT = 32, DEEPEST = 32, MOST = 1000 }; // the last two: formulas inside each other, and in all

typedef struct variable {
    char        name[ZN_FORMULA_NAME]; // as in the text
    zn_quantity quantity;
} variable;

struct zn_formula {
    char           unit[UNIT];
    int            depth, size; // formulas inside each other, and in all, this one with them
    int            count;
    variable       variable[VARIABLES];
    zn_expression *expression;
};

// --- text ------------------------------------------------------------------------------------------

bool zn_formula_is(const char *path)
{
    return strpbrk(path, " +*/^(),<>=!&|?") != NULL || isdigit((unsigned char)*path);
}

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (isalnum((unsigned char)s[n]) || s[n] == '_')
        n++;
    return isdigit((unsigned char)*s) ? 0 : n;
}

// A word and, if there is one, its index in brackets.
static size_t indexed_length(const char *s)
{
    size_t n = word_length(s);
    while (n > 0 && s[n] == '[' && strchr(s + n, ']'))
        n += strcspn(s + n, "]") + 1;
    return n;
}

size_t zn_formula_name(const char *s)
{
    size_t n = indexed_length(s);
    while (n > 0 && strncmp(s + n, "::", 2) == 0 && word_length(s + n + 2) > 0)
        n += 2 + indexed_length(s + n + 2);
    while (n > 0 && s[n] == '.' && (word_length(s + n + 1) > 0 || isdigit((unsigned char)s[n + 1])))
        n += 1 + (word_length(s + n + 1) > 0 ? word_length(s + n + 1) : 1);
    return n;
}

// The unit in brackets at the end, behind a blank; returns the length of what is before it.
static size_t take_unit(const char *path, char unit[UNIT])
{
    size_t      length = strlen(path);
    const char *open = strrchr(path, '[');
    unit[0] = '\0';
    if (!open || open == path || open[-1] != ' ' || path[length - 1] != ']' || length - (size_t)(open - path) > UNIT)
        return length;
    snprintf(unit, UNIT, "%.*s", (int)(path + length - 1 - open - 1), open + 1);
    return (size_t)(open - path);
}

size_t zn_formula_length(const char *path)
{
    char unit[UNIT];
    return take_unit(path, unit);
}

// --- what it reads ---------------------------------------------------------------------------------

typedef struct compiling {
    const zn_sim        *sim;
    const zn_record_def *record;
    zn_formula          *formula;
    zn_status            status; // of the first quantity that cannot be resolved, which has been told
} compiling;

static zn_status refuse(const compiling *c, const char *message, const char *name)
{
    return zn_fail(&c->sim->def.log, ZN_ERR_MODEL, "%srecord '%s': %s '%s'", c->record->place ? c->record->place : "",
                   c->record->name, message, name);
}

static bool is_object(const zn_sim *sim, const char *name)
{
    return zn_model_has_name(sim->sys->model, name) || zn_names_find_node(&sim->sys->model->names, name) >= 0;
}

// The path of a name: its own where an object has it, else that of an earlier record with the rest of the name behind.
// NULL: neither. The record's number goes to `record`, -1: an object.
static const char *path_of(const zn_sim *sim, const char *name, char *path, size_t size, int *record)
{
    *record = -1;
    char   stem[ZN_FORMULA_NAME];
    size_t length = strcspn(name, ".");
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    if (name[length] && is_object(sim, stem))
        return name;
    for (int i = 0; i < sim->series_count; i++)
        if (sim->series[i].name && sim->series[i].path && strcmp(sim->series[i].name, stem) == 0) {
            snprintf(path, size, "%s%s", sim->series[i].path, name + length);
            *record = i;
            return path;
        }
    return name[length] ? name : NULL;
}

static zn_status resolve(const compiling *c, const char *path, variable *v)
{
    zn_record_def own = {c->record->name, path, c->record->place};
    zn_series     series = {0};
    ZN_TRY(zn_quantity_resolve(c->sim, &own, &v->quantity, &series));
    return series.columns == 1 ? ZN_OK : refuse(c, "name one component of", v->name);
}

// A record that is a formula itself is compiled once more inside this one: how deep, and how many? One that has a fault
// has been told of.
static zn_status count_formulas(compiling *c, int record)
{
    if (record < 0 || !zn_formula_is(c->sim->series[record].path))
        return ZN_OK;
    const zn_formula *inner = c->sim->quantity[record].formula;
    zn_formula       *f = c->formula;
    if (!inner)
        return ZN_ERR_MODEL;
    if (inner->depth >= DEEPEST || f->size + inner->size > MOST)
        return refuse(c, "too many formulas of formulas (32 inside each other, 1000 in all), with",
                      c->sim->series[record].name);
    f->depth = inner->depth >= f->depth ? inner->depth + 1 : f->depth;
    f->size += inner->size;
    return ZN_OK;
}

// Of zn_expression_def: the number of a variable, a new one if need be. What cannot be resolved is a variable all the
// same, so that there is one message about it.
static int variable_of(void *user, const char *name)
{
    compiling  *c = user;
    zn_formula *f = c->formula;
    char        text[ZN_EXPRESSION_LENGTH];
    int         record;
    for (int k = 0; k < f->count; k++)
        if (strcmp(f->variable[k].name, name) == 0)
            return k;
    const char *path = path_of(c->sim, name, text, sizeof text, &record);
    if (!path || (path == name && zn_formula_is(path))) // a name that reads as a formula would be one of itself
        return -1;
    if (c->status != ZN_OK)
        return 0;
    if (f->count == VARIABLES || strlen(name) >= ZN_FORMULA_NAME) {
        c->status = refuse(c, "a formula has too many or too long names:", c->record->path);
        return 0;
    }
    variable *v = &f->variable[f->count++];
    snprintf(v->name, sizeof v->name, "%s", name);
    c->status = count_formulas(c, record);
    if (c->status == ZN_OK)
        c->status = resolve(c, path, v);
    return f->count - 1;
}

// --- the formula -----------------------------------------------------------------------------------

static zn_status compile(compiling *c)
{
    zn_expression_error error = {0};
    char                text[ZN_EXPRESSION_LENGTH];
    size_t              length = take_unit(c->record->path, c->formula->unit);
    if (length >= sizeof text)
        return refuse(c, "a formula is too long:", c->record->path);
    snprintf(text, sizeof text, "%.*s", (int)length, c->record->path);
    zn_expression_def def = {.text = text, .time = true, .variable = variable_of, .user = c};
    zn_status         status = zn_expression_compile(&def, &error, &c->formula->expression);
    if (c->status != ZN_OK)
        return c->status;
    if (status != ZN_ERR_ARGUMENT)
        return status;
    if (error.unknown[0])
        return refuse(c, "there is no number", error.unknown);
    return zn_fail(&c->sim->def.log, ZN_ERR_MODEL, "%srecord '%s': '%s' is no formula: %s",
                   c->record->place ? c->record->place : "", c->record->name, c->record->path, error.message);
}

zn_status zn_formula_create(const zn_sim *sim, const zn_record_def *record, zn_formula **out)
{
    compiling c = {sim, record, ZN_NEW(zn_formula, 1), ZN_OK};
    if (c.formula)
        c.formula->depth = c.formula->size = 1;
    zn_status status = c.formula ? compile(&c) : ZN_ERR_MEMORY;
    *out = status == ZN_OK ? c.formula : zn_formula_destroy(c.formula);
    return status;
}

zn_formula *zn_formula_destroy(zn_formula *f)
{
    if (!f)
        return NULL;
    for (int i = 0; i < f->count; i++)
        zn_quantity_clear(&f->variable[i].quantity);
    zn_expression_destroy(f->expression);
    free(f);
    return NULL;
}

const char *zn_formula_unit(const zn_formula *f) { return f->unit; }

zn_status zn_formula_evaluate(const zn_sim *sim, const zn_formula *f, double *out)
{
    double value[VARIABLES];
    for (int i = 0; i < f->count; i++)
        ZN_TRY(zn_quantity_evaluate(sim, &f->variable[i].quantity, 1, &value[i]));
    *out = zn_expression_of(f->expression, value, sim->state->t);
    return ZN_OK;
}

bool zn_formula_any(const zn_formula *f, bool (*does)(const zn_quantity *quantity))
{
    for (int i = 0; i < f->count; i++)
        if (does(&f->variable[i].quantity))
            return true;
    return false;
}
