// A formula of records is compiled with the names in it replaced by v0, v1 ...: names of quantities have dots and
// brackets that the language of formulas does not know.
#include "sim/formula.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/expression.h"

enum { VARIABLES = 32, UNIT = 32 };

typedef struct variable {
    char        name[ZN_FORMULA_NAME]; // as in the text
    bool        time;
    zn_quantity quantity; // unless it is the time
} variable;

struct zn_formula {
    char           unit[UNIT];
    int            count;
    variable       variable[VARIABLES];
    double        *value;               // of each variable, where the compiled formula reads them
    char           word[VARIABLES][16]; // v0 ...
    const char    *words[VARIABLES];
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

size_t zn_formula_name(const char *s)
{
    size_t n = word_length(s);
    if (n > 0 && s[n] == '[') {
        size_t digits = strspn(s + n + 1, "0123456789");
        n += digits > 0 && s[n + 1 + digits] == ']' ? digits + 2 : 0;
    }
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

// --- what it reads ---------------------------------------------------------------------------------

static zn_status refuse(const zn_sim *sim, const zn_record_def *record, const char *message, const char *name)
{
    return zn_fail(&sim->def.log, ZN_ERR_MODEL, "%srecord '%s': %s '%s'", record->place ? record->place : "",
                   record->name, message, name);
}

// An earlier record of this name (or of that before the first dot, unless an object has it): its path, with the rest of
// the name behind.
static const char *expand(const zn_sim *sim, const char *name, char *path, size_t size)
{
    char   stem[ZN_FORMULA_NAME];
    size_t length = strcspn(name, ".");
    snprintf(stem, sizeof stem, "%.*s", (int)length, name);
    if (name[length] &&
        (zn_model_has_name(sim->sys->model, stem) || zn_names_find_node(&sim->sys->model->names, stem) >= 0))
        return name;
    for (int i = 0; i < sim->series_count; i++)
        if (sim->series[i].name && sim->series[i].path && strcmp(sim->series[i].name, stem) == 0) {
            snprintf(path, size, "%s%s", sim->series[i].path, name + length);
            return path;
        }
    return name;
}

static zn_status resolve(const zn_sim *sim, const zn_record_def *record, variable *v)
{
    char          path[ZN_EXPRESSION_LENGTH];
    zn_record_def own = {record->name, expand(sim, v->name, path, sizeof path), record->place};
    zn_series     series = {0};
    v->time = strcmp(v->name, "t") == 0;
    if (v->time)
        return ZN_OK;
    if (!strchr(own.path, '.') && own.path == v->name)
        return refuse(sim, record, "there is no number", v->name);
    zn_status status = zn_quantity_resolve(sim, &own, &v->quantity, &series);
    if (status == ZN_OK && series.columns != 1)
        status = refuse(sim, record, "name one component of", v->name);
    return status;
}

// The variable of this name, a new one if need be; -1: no more room.
static int variable_of(zn_formula *f, const char *name, size_t length, bool *new)
{
    int k = 0;
    while (k < f->count && (strlen(f->variable[k].name) != length || strncmp(f->variable[k].name, name, length) != 0))
        k++;
    *new = k == f->count;
    if (k == VARIABLES || length >= ZN_FORMULA_NAME)
        return -1;
    if (*new) {
        snprintf(f->variable[k].name, sizeof f->variable[k].name, "%.*s", (int)length, name);
        snprintf(f->word[k], sizeof f->word[k], "v%d", k);
        f->words[k] = f->word[k];
        f->count++;
    }
    return k;
}

// Functions and constants of formulas, which are followed by '(' or are pi.
static bool is_own_word(const char *s, size_t length)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)length, s);
    return length < sizeof word && strcmp(word, "t") != 0 && zn_expression_is_reserved(word);
}

static zn_status translate(const zn_sim *sim, const zn_record_def *record, size_t length, zn_formula *f, char *out)
{
    const char *s = record->path, *end = s + length;
    size_t      used = 0;
    while (s < end) {
        size_t n = zn_number_length(s), name = n ? 0 : zn_formula_name(s);
        if (used + (n > 16 ? n : 16) >= ZN_EXPRESSION_LENGTH)
            return refuse(sim, record, "a formula is too long:", record->path);
        if (name > 0 && !is_own_word(s, name)) {
            bool new;
            int k = variable_of(f, s, name, &new);
            if (k < 0)
                return refuse(sim, record, "a formula has too many or too long names:", record->path);
            if (new)
                ZN_TRY(resolve(sim, record, &f->variable[k]));
            used += (size_t)sprintf(out + used, "%s", f->word[k]);
            s += name;
            continue;
        }
        n = n ? n : name ? name : 1;
        memcpy(out + used, s, n);
        used += n;
        s += n;
    }
    out[used] = '\0';
    return ZN_OK;
}

// --- the formula -----------------------------------------------------------------------------------

static zn_status compile(const zn_sim *sim, const zn_record_def *record, zn_formula *f, char *text)
{
    zn_expression_error error = {0};
    size_t              length = take_unit(record->path, f->unit);
    ZN_TRY(translate(sim, record, length, f, text));
    zn_status status =
        zn_expression_create_of(text, (zn_constants){f->count, f->words, f->value}, &error, &f->expression);
    if (status == ZN_ERR_ARGUMENT)
        return zn_fail(&sim->def.log, ZN_ERR_MODEL, "%srecord '%s': '%s' is no formula: %s",
                       record->place ? record->place : "", record->name, record->path, error.message);
    return status;
}

zn_status zn_formula_create(const zn_sim *sim, const zn_record_def *record, zn_formula **out)
{
    zn_formula *f = ZN_NEW(zn_formula, 1);
    char       *text = ZN_NEW(char, ZN_EXPRESSION_LENGTH);
    if (f)
        f->value = ZN_NEW(double, VARIABLES);
    zn_status status = f && f->value && text ? compile(sim, record, f, text) : ZN_ERR_MEMORY;
    free(text);
    if (status != ZN_OK)
        f = zn_formula_destroy(f);
    *out = f;
    return status;
}

zn_formula *zn_formula_destroy(zn_formula *f)
{
    if (!f)
        return NULL;
    for (int i = 0; i < f->count; i++)
        zn_quantity_clear(&f->variable[i].quantity);
    zn_expression_destroy(f->expression);
    free(f->value);
    free(f);
    return NULL;
}

const char *zn_formula_unit(const zn_formula *f) { return f->unit; }

zn_status zn_formula_evaluate(const zn_sim *sim, const zn_formula *f, double *out)
{
    double *value = f->value;
    for (int i = 0; i < f->count; i++)
        if (f->variable[i].time)
            value[i] = sim->state->t;
        else
            ZN_TRY(zn_quantity_evaluate(sim, &f->variable[i].quantity, 1, &value[i]));
    *out = zn_expression_at(f->expression, 0);
    return ZN_OK;
}

bool zn_formula_any(const zn_formula *f, bool (*does)(const zn_quantity *quantity))
{
    for (int i = 0; i < f->count; i++)
        if (!f->variable[i].time && does(&f->variable[i].quantity))
            return true;
    return false;
}
