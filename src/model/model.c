// The editable model: its containers, nodes and the check of the whole. Bodies, springs, bars and loads are added in
// files of their own, contacts and joints in build_contact.c and build_joint.c.
#include "model/control.h"
#include "model/model.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/contact/law.h"
#include "model/joint/joint.h"

ZN_DEFINE_DEF(zn_model_def, .planar = false)

ZN_DEFINE_DEF(zn_node_def, .rotation = {1, 0, 0, 0})

zn_status zn_model_create(const zn_model_def *def, zn_model **out)
{
    ZN_TAKE_DEF(zn_model_def, def, NULL);
    if (!zn_finite3(def->gravity))
        return zn_fail(&def->log, ZN_ERR_ARGUMENT, "gravity is not finite");
    if (!isfinite(def->start))
        return zn_fail(&def->log, ZN_ERR_ARGUMENT, "the time of the initial state is not finite");
    if (def->planar && def->gravity.z != 0)
        return zn_fail(&def->log, ZN_ERR_ARGUMENT, "gravity has a z component in a planar model");
    zn_model *model = ZN_NEW(zn_model, 1);
    if (!model)
        return ZN_ERR_MEMORY;
    model->planar = def->planar;
    model->gravity = def->gravity;
    model->start = def->start;
    model->log = def->log;
    model->locate = def->locate;
    *out = model;
    return ZN_OK;
}

zn_model *zn_model_destroy(zn_model *model)
{
    ZN_ALIVE(model);
    if (!model)
        return NULL;
    for (int i = 0; i < model->groups; i++) {
        free(model->group[i].node);
        free(model->group[i].part);
        free(model->group[i].parameter);
    }
    for (int i = 0; i < model->rules; i++)
        free(model->rule[i].parameter);
    for (int i = 0; i < model->accelerations; i++)
        free(model->acceleration[i].part);
    for (int i = 0; i < model->signals; i++)
        zn_signal_destroy(model->signal[i]);
    for (int i = 0; i < model->laws; i++)
        zn_spring_law_destroy(model->law[i]);
    for (int i = 0; i < model->lagrangians; i++)
        zn_lagrangian_destroy(model->lagrangian[i]);
    for (int i = 0; i < model->node_sets; i++) {
        free(model->node_set[i].name);
        free(model->node_set[i].node);
    }
    for (int i = 0; i < model->shapes; i++)
        zn_named_shape_clear(&model->shape[i]);
    free(model->shape);
    zn_names_clear(&model->shape_names);
    zn_names_clear(&model->materials);
    free(model->material_pair);
    for (int i = 0; i < model->pair_tables; i++)
        zn_pair_table_destroy(model->pair_table[i]);
    free(model->pair_table);
    free(model->hold);
    free(model->node_set);
    for (int i = 0; i < model->drawings; i++)
        zn_drawing_clear(&model->drawing[i].drawing);
    free(model->drawing);
    free(model->section);
    free(model->lagrangian);
    free(model->group);
    free(model->rule);
    free(model->journal);
    free(model->acceleration);
    free(model->memory);
    for (int i = 0; i < model->controls; i++)
        if (model->control[i].kind == ZN_CONTROL_QUANTITY)
            free((char *)model->control[i].name);
    free(model->control);
    free(model->state);
    free(model->signal);
    free(model->law);
    free(model->node);
    free(model->point);
    free(model->span);
    free(model->part_name);
    zn_names_clear(&model->names);
    zn_retire(model, sizeof *model);
    return NULL;
}

// --- origins -------------------------------------------------------------------------------------

static void tell_origin(const zn_model *model, int origin)
{
    if (model->locate)
        model->locate(model->log.user, origin);
}

void zn_model_set_origin(zn_model *model, int origin)
{
    ZN_ALIVE(model);
    if (!model)
        return;
    model->origin = origin;
    tell_origin(model, origin);
}

void zn_model_locate(const zn_model *model, const char *name)
{
    const zn_named *entry = zn_names_find(&model->names, name);
    tell_origin(model, entry ? entry->origin : 0);
}

// --- names and containers ------------------------------------------------------------------------

zn_named zn_model_name_line(const zn_model *model, int elements, zn_node_id first, zn_node_id last)
{
    return (zn_named){.kind = ZN_NAMED_BAR,
                      .node = model->nodes,
                      .nodes = elements + 1 - (first.value > 0) - (last.value > 0),
                      .part = model->parts,
                      .rule = -1,
                      .shared = {first.value, last.value}};
}

zn_status zn_model_add_name(zn_model *model, const char *name, const char *fallback, zn_named what,
                            const zn_named **out)
{
    char generated[64];
    for (int i = model->names.count + 1; !name; i++) { // the first free one
        snprintf(generated, sizeof generated, "%s_%d", fallback, i);
        name = zn_names_find(&model->names, generated) ? NULL : generated;
    }
    if (!*name || strlen(name) > 63)
        return zn_fail(&model->log, ZN_ERR_MODEL, "a name must have 1 to 63 characters: '%.80s'", name);
    what.origin = model->origin;
    zn_status status = zn_names_add(&model->names, name, what);
    if (status == ZN_ERR_MODEL)
        return zn_fail(&model->log, status, "the name '%s' is used twice", name);
    if (status == ZN_OK && out)
        *out = &model->names.entry[model->names.count - 1];
    return status;
}

zn_status zn_model_add_part(zn_model *model, const char *name, int *out)
{
    ZN_ASSERT(name && out);
    *out = model->parts;
    return ZN_PUSH(model->part_name, model->parts, model->part_capacity, (char *)name);
}

// Where it fails there is more room than needed, as before.
static void trim(void *array, size_t bytes)
{
    void **at = array, *less = realloc(*at, bytes > 0 ? bytes : 1);
    *at = less ? less : *at;
}

void zn_model_trim(zn_model *model)
{
    for (int i = 0; i < model->groups; i++) {
        zn_element_group *g = &model->group[i];
        size_t            count = (size_t)g->count;
        trim(&g->node, sizeof *g->node * count * (size_t)g->ops->nodes);
        trim(&g->part, sizeof *g->part * count);
        trim(&g->parameter, g->ops->parameter_size * count);
        g->capacity = g->count;
    }
    trim(&model->node, sizeof *model->node * (size_t)model->nodes);
    model->node_capacity = model->nodes;
}

static zn_element_group *group_of(zn_model *model, const zn_element_ops *ops)
{
    for (int i = 0; i < model->groups; i++)
        if (model->group[i].ops == ops)
            return &model->group[i];
    zn_element_group empty = {.ops = ops};
    if (ZN_PUSH(model->group, model->groups, model->group_capacity, empty) != ZN_OK)
        return NULL;
    return &model->group[model->groups - 1];
}

// Nodes of the model, or the ground (for assertions).
static bool are_nodes(const zn_model *model, int count, const int *node)
{
    for (int i = 0; i < count; i++)
        if (node[i] < -1 || node[i] >= model->nodes)
            return false;
    return true;
}

zn_status zn_model_add_element(zn_model *model, const zn_element_ops *ops, int part, const int *node,
                               const void *parameter)
{
    ZN_ASSERT(ops->nodes > 0 && ops->dofs % ops->nodes == 0 && part >= 0 && part < model->parts);
    ZN_ASSERT(are_nodes(model, ops->nodes, node) && parameter);
    zn_element_group *g = group_of(model, ops);
    if (!g)
        return ZN_ERR_MEMORY;
    int capacity[3] = {g->capacity, g->capacity, g->capacity}; // the three arrays grow together
    ZN_TRY(zn_grow(&g->part, &capacity[0], g->count + 1, sizeof *g->part));
    ZN_TRY(zn_grow(&g->node, &capacity[1], g->count + 1, sizeof *g->node * (size_t)ops->nodes));
    ZN_TRY(zn_grow(&g->parameter, &capacity[2], g->count + 1, ops->parameter_size));
    g->capacity = capacity[0];
    g->part[g->count] = part;
    memcpy(g->node + g->count * ops->nodes, node, sizeof *node * (size_t)ops->nodes);
    memcpy(g->parameter + (size_t)g->count * ops->parameter_size, parameter, ops->parameter_size);
    g->count++;
    return ZN_OK;
}

zn_status zn_model_add_rows_rule(zn_model *model, const char *name, const zn_contact_ops *ops, int64_t max_contacts,
                                 int rows, const void *parameter, size_t size)
{
    ZN_ASSERT(ops->evaluate && parameter && size > 0);
    ZN_ASSERT(rows >= 1 && rows <= ZN_CONTACT_ROWS && max_contacts >= 0 &&
              (rows == 1 || ops->max_entries <= ZN_CONTACT_ENTRIES));
    int             room = max_contacts < INT_MAX ? (int)max_contacts : INT_MAX;
    zn_named        what = {.kind = ZN_NAMED_CONTACT, .node = -1, .part = -1, .rule = model->rules};
    const zn_named *entry = NULL;
    ZN_TRY(zn_model_add_name(model, name, ops->bilateral ? "joint" : "contact", what, &entry));
    zn_contact_rule rule = {.ops = ops,
                            .name = entry->name,
                            .max_contacts = max_contacts,
                            .rows = rows,
                            .parameter = malloc(size),
                            .room = room};
    if (!rule.parameter)
        return ZN_ERR_MEMORY;
    memcpy(rule.parameter, parameter, size);
    zn_status status = ZN_PUSH(model->rule, model->rules, model->rule_capacity, rule);
    if (status != ZN_OK)
        free(rule.parameter);
    return status;
}

zn_status zn_model_add_contact_rule(zn_model *model, const char *name, const zn_contact_ops *ops, int64_t max_contacts,
                                    const void *parameter, size_t size)
{
    return zn_model_add_rows_rule(model, name, ops, max_contacts, 1, parameter, size);
}

bool zn_model_knows_contact(const zn_model *model, zn_contact_id id, int piece)
{
    if (zn_contact_id_is_none(id) || zn_contact_id_rule(id) >= model->rules)
        return false;
    const zn_contact_rule *rule = &model->rule[zn_contact_id_rule(id)];
    zn_contact_key         key = zn_contact_key_of(id, piece);
    if (piece < 0 || piece >= (rule->pieces > 0 ? rule->pieces : 1))
        return false;
    return rule->ops->knows ? rule->ops->knows(rule->parameter, key)
                            : key.number < rule->max_contacts && key.feature == 0;
}

#define LARGEST_ANGLE 1e15 // [rad]; the next number is an eighth away

static zn_status check_node(const zn_model *model, const zn_node_def *def, const char *name)
{
    const zn_log *log = &model->log;
    if (!zn_finite3(def->position) || !zn_finite3(def->velocity) || !zn_finite3(def->spin) ||
        !zn_finite3(def->origin) || !isfinite(def->angle))
        return zn_fail(log, ZN_ERR_MODEL, "node '%s': a value is not finite", name);
    if (fabs(def->angle) > LARGEST_ANGLE)
        return zn_fail(log, ZN_ERR_MODEL, "node '%s': an angle of %g rad: beyond 1e15 its sine is not known", name,
                       def->angle);
    bool planar_kind = def->kind == ZN_POINT2 || def->kind == ZN_FRAME2;
    if (planar_kind != model->planar && def->kind != ZN_SCALAR)
        return zn_fail(log, ZN_ERR_MODEL, "node '%s': a %s node in a %s model", name,
                       planar_kind ? "planar" : "spatial", model->planar ? "planar" : "spatial");
    if (planar_kind &&
        (def->position.z != 0 || def->origin.z != 0 || def->velocity.z != 0 || def->spin.x != 0 || def->spin.y != 0))
        return zn_fail(log, ZN_ERR_MODEL, "node '%s': a component out of the plane in a planar model", name);
    zn_quat r = def->rotation;
    if (def->kind == ZN_FRAME3 && !(fabs(r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z - 1) < 1e-6))
        return zn_fail(log, ZN_ERR_MODEL, "node '%s': the rotation is not a unit quaternion", name);
    return ZN_OK;
}

zn_status zn_model_push_node(zn_model *model, const zn_node_def *def, const char *name)
{
    ZN_TRY(check_node(model, def, name));
    zn_node_def copy = *def;
    copy.name = NULL;
    if (copy.kind == ZN_FRAME3)
        copy.rotation = zn_quat_normalize(copy.rotation);
    return ZN_PUSH(model->node, model->nodes, model->node_capacity, copy);
}

zn_status zn_model_add_node(zn_model *model, const zn_node_def *def, zn_node_id *out)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_node_def, def, &model->log);
    ZN_TRY(zn_model_push_node(model, def, def->name ? def->name : "node"));
    zn_named  what = {.kind = ZN_NAMED_NODE, .node = model->nodes - 1, .nodes = 1, .part = -1, .rule = -1};
    zn_status status = zn_model_add_name(model, def->name, "node", what, NULL);
    if (status != ZN_OK)
        model->nodes--;
    else if (out)
        out->value = model->nodes;
    return status;
}

zn_node_id zn_model_find_node(const zn_model *model, const char *name)
{
    ZN_ALIVE(model);
    return model ? (zn_node_id){zn_names_find_node(&model->names, name) + 1} : (zn_node_id){0};
}

bool zn_model_has_name(const zn_model *model, const char *name)
{
    ZN_ALIVE(model);
    return model ? zn_names_find(&model->names, name) != NULL : false;
}

const zn_named *zn_model_owner(const zn_model *model, int node)
{
    for (int i = model->names.count - 1; i >= 0; i--) {
        const zn_named *e = &model->names.entry[i];
        if (e->node >= 0 && node >= e->node && node < e->node + e->nodes)
            return e;
    }
    return NULL;
}

const char *zn_model_node_name(const zn_model *model, int node, char *text, size_t size)
{
    ZN_ASSERT(node >= 0 && node < model->nodes && text && size > 0);
    const zn_named *e = zn_model_owner(model, node);
    if (!e)
        snprintf(text, size, "node %d", node);
    else if (e->kind == ZN_NAMED_BAR)
        snprintf(text, size, "%s[%d]", e->name,
                 e->map ? e->number[node - e->node] : node - e->node + (e->shared[0] > 0));
    else
        snprintf(text, size, "%s", e->name);
    return text;
}

// Every node that can move needs mass.
static int check_masses(const zn_model *model, const bool *has_mass)
{
    int faults = 0;
    for (int i = 0; i < model->nodes; i++) {
        const zn_node_def *node = &model->node[i];
        unsigned           all = ZN_FIX_X | ZN_FIX_Y | (model->planar ? 0u : ZN_FIX_Z) |
                       (zn_node_rotates(node->kind) ? ZN_FIX_ROTATION : 0u);
        if (has_mass[i] || (int)node->kind == ZN_ABSENT || (node->fixed & all) == all)
            continue;
        char            text[80];
        const zn_named *owner = zn_model_owner(model, i);
        zn_model_locate(model, owner ? owner->name : NULL);
        zn_log_write(&model->log, ZN_LOG_ERROR, "node '%s': it can move but has no mass",
                     zn_model_node_name(model, i, text, sizeof text));
        if (++faults == 20)
            break;
    }
    return faults;
}

static int check_states(const zn_model *model)
{
    int faults = 0;
    for (int i = 0; i < model->states; i++)
        if (!model->state[i].given) {
            const char *name = zn_model_owner(model, model->state[i].node)->name;
            zn_model_locate(model, name);
            zn_log_write(&model->log, ZN_LOG_ERROR, "state '%s': it has no rate", name);
            faults++;
        }
    return faults;
}

zn_status zn_model_validate(const zn_model *model)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    bool *has_mass = ZN_NEW(bool, model->nodes);
    if (!has_mass)
        return ZN_ERR_MEMORY;
    for (int g = 0; g < model->groups; g++) {
        const zn_element_group *group = &model->group[g];
        for (int i = 0; group->ops->inertia && i < group->count * group->ops->nodes; i++)
            if (group->node[i] >= 0)
                has_mass[group->node[i]] = true;
    }
    int faults = check_masses(model, has_mass);
    zn_model_locate(model, NULL);
    free(has_mass);
    if (model->nodes == 0) {
        zn_log_write(&model->log, ZN_LOG_ERROR, "the model has no bodies and no parts");
        faults++;
    }
    faults += check_states(model);
    zn_status status = zn_model_check_joints(model, &faults);
    zn_model_locate(model, NULL);
    ZN_TRY(status);
    return faults ? ZN_ERR_MODEL : ZN_OK;
}

int zn_model_joint_rows(const zn_model *model)
{
    int rows = 0;
    for (int i = 0; i < model->rules; i++)
        rows += model->rule[i].ops->bilateral ? (int)model->rule[i].max_contacts : 0;
    return rows;
}
