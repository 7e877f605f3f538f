// Which pairs of shapes meet, and by which law. Materials have numbers from 1 on, in the order in which they are first
// heard of; a rule has a table of the laws of all pairs of them, number 0 standing for shapes without one.
#include "model/build/pair_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"

enum { MOST_MATERIALS = 1000 };

static const char *name_of(const zn_pairs_def *def) { return def->name ? def->name : "contact"; }

// --- materials -----------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_material_pair_def, .a = NULL)

zn_status zn_material_number(zn_model *model, const char *material, const char *what, const char *name, int *out)
{
    zn_names *names = &model->materials;
    *out = 0;
    if (!material)
        return ZN_OK;
    if (!*material || strlen(material) > 63 || strchr(material, '-'))
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': a material is a word of 1 to 63 characters without '-'",
                       what, name);
    const zn_named *known = zn_names_find(names, material);
    if (!known && names->count == MOST_MATERIALS)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "%s '%s': more than %d materials", what, name, MOST_MATERIALS);
    if (!known)
        ZN_TRY(zn_names_add(names, material, (zn_named){0}));
    *out = (known ? (int)(known - names->entry) : names->count - 1) + 1;
    return ZN_OK;
}

static const zn_material_law *find_law(const zn_model *model, int a, int b)
{
    for (int i = 0; i < model->material_pairs; i++)
        if (model->material_pair[i].a == (a < b ? a : b) && model->material_pair[i].b == (a < b ? b : a))
            return &model->material_pair[i];
    return NULL;
}

bool zn_model_has_material(const zn_model *model, const char *material)
{
    ZN_ALIVE(model);
    if (!model)
        return false;
    const zn_named *known = material ? zn_names_find(&model->materials, material) : NULL;
    int             number = known ? (int)(known - model->materials.entry) + 1 : 0;
    for (int i = 0; i < model->material_pairs && known; i++)
        if (model->material_pair[i].a == number || model->material_pair[i].b == number)
            return true;
    return false;
}

zn_status zn_model_add_material_pair(zn_model *model, const zn_material_pair_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_material_pair_def, def, &model->log);
    zn_contact_def law = zn_contact_def_default();
    char           name[136];
    int            a, b;
    if (!def->a || !def->b)
        return zn_fail(&model->log, ZN_ERR_MODEL, "a pair of materials lacks a name");
    snprintf(name, sizeof name, "%.64s-%.64s", def->a, def->b);
    law.name = name;
    law.restitution = def->restitution;
    law.friction = def->friction;
    law.tangential_restitution = def->tangential_restitution;
    law.restitution_from = def->restitution_from;
    law.rolling_friction = def->rolling_friction;
    law.spinning_friction = def->spinning_friction;
    ZN_TRY(zn_model_check_law(model, &law));
    ZN_TRY(zn_material_number(model, def->a, "materials", name, &a));
    ZN_TRY(zn_material_number(model, def->b, "materials", name, &b));
    if (find_law(model, a, b))
        return zn_fail(&model->log, ZN_ERR_MODEL, "materials '%s': this pair has a law already", name);
    zn_material_law pair = {a < b ? a : b,
                            a < b ? b : a,
                            {def->restitution, def->friction, def->tangential_restitution, def->restitution_from,
                             def->rolling_friction, def->spinning_friction}};
    return ZN_PUSH(model->material_pair, model->material_pairs, model->material_pair_capacity, pair);
}

static void fill_laws(const zn_model *model, const zn_pairs_def *def, zn_pair_table *table)
{
    int n = table->materials;
    for (int i = 0; i < n * n; i++)
        table->law[i] = (zn_law){def->restitution,      def->friction,         def->tangential_restitution,
                                 def->restitution_from, def->rolling_friction, def->spinning_friction};
    for (int i = 0; i < model->material_pairs; i++) {
        const zn_material_law *pair = &model->material_pair[i];
        table->law[pair->a * n + pair->b] = table->law[pair->b * n + pair->a] = pair->law;
    }
}

static const char *material_of(const zn_model *model, int number)
{
    return number == 0 ? "no material" : model->materials.entry[number - 1].name;
}

static zn_status refuse_pair(const zn_model *model, const zn_pairs_def *def, const zn_pair_shape *a,
                             const zn_pair_shape *b)
{
    return zn_fail(
        &model->log, ZN_ERR_MODEL,
        "contact '%s': '%s' (%s) and '%s' (%s) have no law: 'materials' does not list this pair, and the contact "
        "has neither friction nor restitution of its own",
        name_of(def), a->name, material_of(model, a->material), b->name, material_of(model, b->material));
}

// Any two shapes of these materials that meet must have a law of their own.
static zn_status check_listed(const zn_model *model, const zn_pairs_def *def, const zn_shape_pairs *p, int a, int b)
{
    if (!def->listed || (a == 0 && b == 0) || find_law(model, a, b))
        return ZN_OK;
    for (int i = 0; i < p->shapes; i++)
        for (int j = 0; j < p->shapes && p->shape[i].material == a; j++)
            if (p->shape[j].material == b && zn_shape_pairs_wants(p, i, j))
                return refuse_pair(model, def, &p->shape[i], &p->shape[j]);
    return ZN_OK;
}

// Friction of the rule, of each kind, is the largest that any two of its shapes may have.
static zn_status check_laws(const zn_model *model, const zn_pairs_def *def, zn_shape_pairs *p)
{
    const zn_pair_table *table = p->table;
    int                  n = table->materials;
    bool                *used = ZN_NEW(bool, n);
    zn_status            status = used ? ZN_OK : ZN_ERR_MEMORY;
    for (int i = 0; i < p->shapes && status == ZN_OK; i++)
        used[p->shape[i].material] = true;
    for (int a = 0; a < n && status == ZN_OK; a++)
        for (int b = a; b < n && status == ZN_OK && used[a]; b++)
            if (used[b]) {
                p->friction = fmax(p->friction, table->law[a * n + b].friction);
                p->turn.rolling = fmax(p->turn.rolling, table->law[a * n + b].rolling);
                p->turn.spinning = fmax(p->turn.spinning, table->law[a * n + b].spinning);
                status = check_listed(model, def, p, a, b);
            }
    free(used);
    return status;
}

// --- groups --------------------------------------------------------------------------------------

int zn_pair_group_count(const zn_model *model) { return model->shape_names.count + model->nodes + 1; }

int zn_pair_group(const zn_model *model, const char *name)
{
    const zn_names *names = &model->shape_names;
    const zn_named *known = name ? zn_names_find(names, name) : NULL;
    if (known)
        return (int)(known - names->entry);
    if (!name || strcmp(name, "ground") == 0)
        return name ? names->count : -1;
    int node = zn_names_find_node(&model->names, name);
    return node < 0 ? -1 : names->count + node + 1;
}

static void add_pair(zn_pair_table *table, int a, int b)
{
    table->groups[table->apart++] = a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a;
}

static int ascending(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static zn_status list_apart(const zn_model *model, const zn_pairs_def *def, zn_pair_table *table)
{
    int names = model->shape_names.count;
    for (int i = 0; i < model->holds && !def->joined; i++)
        add_pair(table, names + (int)(model->hold[i] >> 32), names + (int)(model->hold[i] & 0xffffffff));
    for (int i = 0; i < def->except_count; i++) {
        const char *const *name = def->except + 2 * i;
        int                a = zn_pair_group(model, name[0]), b = zn_pair_group(model, name[1]);
        if (a < 0 || b < 0)
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': except: there is no shape or body '%s'",
                           name_of(def), a < 0 ? (name[0] ? name[0] : "") : (name[1] ? name[1] : ""));
        add_pair(table, a, b);
    }
    qsort(table->groups, (size_t)table->apart, sizeof *table->groups, ascending);
    return ZN_OK;
}

// A body on a hinge that passes through the floor would surprise: where a joint keeps shapes of the rule from those of
// the ground, that is told.
static void tell_grounded(const zn_model *model, const zn_pairs_def *def, const zn_shape_pairs *p)
{
    int ground = -1, node = 0;
    for (int i = 0; i < p->shapes && ground < 0; i++)
        ground = p->shape[i].node.value == 0 ? i : -1;
    for (int k = 0; k < model->holds && ground >= 0 && !def->joined; k++)
        for (int i = 0; i < p->shapes && model->hold[k] >> 32 == 0 && node == 0; i++)
            if (p->shape[i].node.value == (int)model->hold[k] && (p->shape[i].side | p->shape[ground].side) == 3) {
                node = p->shape[i].node.value;
                zn_log_write(
                    &model->log, ZN_LOG_WARNING,
                    "contact '%s': a joint holds the body of '%s' to the ground, so it does not meet shapes of "
                    "the ground such as '%s'; 'joined: true' lets them meet",
                    name_of(def), p->shape[i].name, p->shape[ground].name);
            }
}

zn_status zn_pair_table_make(zn_model *model, const zn_pairs_def *def, zn_shape_pairs *p)
{
    zn_pair_table *table = zn_pair_table_create(model->materials.count + 1, model->holds + def->except_count);
    if (!table)
        return ZN_ERR_MEMORY;
    zn_status status = ZN_PUSH(model->pair_table, model->pair_tables, model->pair_table_capacity, table);
    if (status != ZN_OK) {
        zn_pair_table_destroy(table);
        return status;
    }
    fill_laws(model, def, table);
    ZN_TRY(list_apart(model, def, table));
    p->table = table;
    p->parts = table->apart > 0;
    ZN_TRY(check_laws(model, def, p));
    tell_grounded(model, def, p);
    return ZN_OK;
}
