// The section `springs` of a model file. Each type has a table of keys of its own.
#include "io/bind.h"

#include <string.h>

#include "model/element/spring_law.h"

// --- laws ------------------------------------------------------------------------------------------

// The pair [elongation, force] of a table; false after a message.
static bool read_pair(zn_reader *r, const zn_yaml_node *item, const zn_dimension unit[2], double *x, double *force)
{
    const zn_range any = {0};
    if (item->kind == ZN_YAML_LIST && item->count == 2)
        return zn_read_number(r, item->first, "table", unit[0], any, x) &&
               zn_read_number(r, item->first->next, "table", unit[1], any, force);
    zn_complain(r, item, "'table' must be a list of pairs, each of them [elongation, force]");
    return false;
}

static zn_spring_law *read_table(zn_reader *r, const zn_yaml_node *node, const zn_dimension unit[2])
{
    zn_spring_law *law = NULL;
    if (node->kind != ZN_YAML_LIST || node->count < 2) {
        zn_complain(r, node, "'table' must be a list of at least two pairs [elongation, force]");
        return NULL;
    }
    double *x = zn_pool_alloc(r->pool, 2 * (size_t)node->count, sizeof *x), *force = x + node->count;
    r->faults->out_of_memory |= x == NULL;
    int i = 0;
    for (const zn_yaml_node *item = node->first; x != NULL && item != NULL; item = item->next, i++) {
        if (!read_pair(r, item, unit, &x[i], &force[i]))
            return NULL;
        if (i > 0 && !(x[i] > x[i - 1])) {
            zn_complain(r, item, "'table' must ascend: %g follows %g", x[i], x[i - 1]);
            return NULL;
        }
    }
    if (x != NULL && zn_spring_law_table(i, x, force, &law) == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    return law;
}

// Table or formula; false after a message.
static bool read_law(zn_reader *r, const zn_yaml_node *table, const zn_yaml_node *formula, const char *what,
                     const char *coordinate, const zn_dimension unit[2], zn_spring_law **out)
{
    zn_expression *e;
    if (table != NULL && formula != NULL) {
        zn_complain_key(r, formula, "'%s' does not go with 'table'", what);
        return false;
    }
    if (table != NULL)
        return (*out = read_table(r, table, unit)) != NULL;
    if (formula == NULL)
        return true;
    if (!zn_read_formula(r, formula, what, zn_spring_variable, (void *)coordinate, &e))
        return false;
    zn_status status = zn_spring_law_take(e, out);
    r->faults->out_of_memory |= status == ZN_ERR_MEMORY;
    return status == ZN_OK;
}

// --- springs along a line --------------------------------------------------------------------------

// A length that stays is a number; false after a message.
static bool settle_rest(zn_reader *r, const zn_yaml_node *node, zn_spring_def *def)
{
    if (def->rest == NULL || !zn_signal_is_constant(def->rest))
        return true;
    def->rest_length = zn_signal_at(def->rest, 0);
    def->rest = zn_signal_destroy(def->rest);
    if (def->rest_length >= 0)
        return true;
    zn_complain(r, zn_yaml_get(node, "rest_length"), "'rest_length' must be >= 0 m, but is %.9g", def->rest_length);
    return false;
}

static void bind_line(zn_builder *b, const zn_yaml_node *node)
{
    static const zn_dimension unit[2] = {ZN_DIM_LENGTH, ZN_DIM_FORCE};
    zn_reader                *r = &b->reader;
    zn_spring_entry           e;
    bool                      good = zn_bind_entry(b, &zn_schema_spring, node, &e, NULL);
    e.def.name = node->key;
    good = good && settle_rest(r, node, &e.def);
    bool from = good && zn_bind_attachment(b, "from", &e.from, true, &e.def.from);
    bool to = good && zn_bind_attachment(b, "to", &e.to, true, &e.def.to);
    bool law = good && read_law(r, e.table, e.force, "force", "length", unit, &e.def.law);
    int  before = r->faults->count;
    if (from && to && law) {
        zn_bind_check(b, zn_model_add_spring(b->model, &e.def), before);
        return;
    }
    zn_signal_destroy(e.def.rest);
    zn_spring_law_destroy(e.def.law);
}

void zn_bind_spring(zn_builder *b, const zn_yaml_node *node) { bind_line(b, node); }
