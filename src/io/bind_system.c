// Systems in minimal coordinates that come compiled in: the model file names one by its word and gives numbers.
#include <stdio.h>
#include <string.h>

#include "io/bind.h"

enum { MAX_PARAMETERS = 64 };

static const zn_code_system *find_code(zn_builder *b, const zn_reference *code)
{
    char     hint[96];
    zn_guess guess = zn_guess_begin(code->name);
    for (int i = 0; i < zn_code_system_count(); i++) {
        if (strcmp(zn_code_system_at(i)->word, code->name) == 0)
            return zn_code_system_at(i);
        zn_guess_offer(&guess, zn_code_system_at(i)->word);
    }
    zn_complain_at(&b->reader, code->line, code->column, "'code': there is no system '%s'%s", code->name,
                   zn_guess_text(&guess, hint));
    return NULL;
}

static zn_dimension dimension_of(const char *unit)
{
    for (zn_dimension d = 0; d < ZN_DIMENSIONS; d++)
        if (strcmp(zn_dimension_unit(d), unit) == 0)
            return d;
    return ZN_DIM_ANY;
}

// One number of the system; unknown names are faults with a suggestion.
static bool read_value(zn_builder *b, const zn_code_system *system, const zn_yaml_node *node, double *values)
{
    char     hint[96];
    zn_guess guess = zn_guess_begin(node->key);
    for (int i = 0; i < system->parameters; i++) {
        const zn_code_parameter *p = &system->parameter[i];
        if (strcmp(p->name, node->key) == 0)
            return zn_read_number(&b->reader, node, node->key, dimension_of(p->unit),
                                  (zn_range){-INFINITY, INFINITY, true}, &values[i]);
        zn_guess_offer(&guess, p->name);
    }
    zn_complain_key(&b->reader, node, "'%s' has no parameter '%s'%s", system->word, node->key,
                    zn_guess_text(&guess, hint));
    return false;
}

void zn_bind_system(zn_builder *b, const zn_yaml_node *node)
{
    zn_system_entry e;
    double          values[MAX_PARAMETERS];
    if (!zn_bind_entry(b, &zn_schema_system, node, &e, NULL))
        return;
    if (b->reader.level != NULL && b->reader.level->frame.moved) {
        zn_complain_key(&b->reader, node, "it has coordinates of its own and cannot be moved with a group");
        return;
    }
    const zn_code_system *system = find_code(b, &e.code);
    if (system == NULL)
        return;
    for (int i = 0; i < system->parameters; i++)
        values[i] = system->parameter[i].standard;
    bool good = true;
    for (const zn_yaml_node *n = e.values != NULL ? e.values->first : NULL; n != NULL; n = n->next)
        good &= read_value(b, system, n, values);
    int before = b->reader.faults->count;
    if (good)
        zn_bind_check(b, system->add(b->model, node->key, values), before);
}
