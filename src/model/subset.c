// Part of a model as a model of its own. See subset.h.
#include "model/subset.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

// In place of a rule of the other part: it makes no contacts, so that none of its operations is ever asked.
static const zn_contact_ops no_contacts = {.name = "none"};

zn_model *zn_subset_destroy(zn_model *model)
{
    if (!model)
        return NULL;
    for (int i = 0; model->group && i < model->groups; i++) {
        free(model->group[i].node);
        free(model->group[i].part);
        free(model->group[i].parameter);
    }
    free(model->group);
    free(model->rule);
    free(model->node);
    free(model);
    return NULL;
}

static zn_status copy_group(const zn_element_group *from, const bool *chosen, zn_element_group *to)
{
    size_t nodes = (size_t)from->ops->nodes, size = from->ops->parameter_size;
    int    count = 0;
    for (int e = 0; e < from->count; e++)
        count += chosen[e];
    *to = (zn_element_group){.ops = from->ops, .count = count, .capacity = count};
    to->node = ZN_NEW(int, (size_t)count *nodes);
    to->part = ZN_NEW(int, count);
    to->parameter = zn_new_array((size_t)count, size);
    if (!to->node || !to->part || !to->parameter)
        return ZN_ERR_MEMORY;
    for (int e = 0, k = 0; e < from->count; e++) {
        if (!chosen[e])
            continue;
        memcpy(to->node + (size_t)k * nodes, from->node + (size_t)e * nodes, sizeof *to->node * nodes);
        memcpy(to->parameter + (size_t)k * size, from->parameter + (size_t)e * size, size);
        to->part[k++] = from->part[e];
    }
    return ZN_OK;
}

// Chosen elements move to the front, and the group to another model.
static void take_group(zn_element_group *from, const bool *chosen, zn_element_group *to)
{
    size_t nodes = (size_t)from->ops->nodes, size = from->ops->parameter_size;
    int    count = 0;
    for (int e = 0; e < from->count; e++) {
        if (!chosen[e])
            continue;
        memmove(from->node + (size_t)count * nodes, from->node + (size_t)e * nodes, sizeof *from->node * nodes);
        memmove(from->parameter + (size_t)count * size, from->parameter + (size_t)e * size, size);
        from->part[count++] = from->part[e];
    }
    *to = *from;
    to->count = to->capacity = count;
    *from = (zn_element_group){.ops = from->ops};
    // what is behind them is given back; where that fails there is more than is needed
    int  *node = realloc(to->node, sizeof *node * nodes * (size_t)count + 1);
    char *parameter = realloc(to->parameter, size * (size_t)count + 1);
    to->node = node ? node : to->node;
    to->parameter = parameter ? parameter : to->parameter;
}

static zn_status take_groups(zn_model *whole, const bool *element, zn_model *part)
{
    part->group = ZN_NEW(zn_element_group, whole->groups);
    if (!part->group)
        return ZN_ERR_MEMORY;
    for (int g = 0, first = 0; g < whole->groups; g++) {
        int count = whole->group[g].count;
        part->groups = g + 1;
        take_group(&whole->group[g], element + first, &part->group[g]);
        first += count;
    }
    return ZN_OK;
}

// Nodes that no element uses become absent, but for those in `kept` (NULL: none).
static zn_status mark_absent(zn_model *part, const bool *kept)
{
    bool *used = ZN_NEW(bool, part->nodes);
    if (!used)
        return ZN_ERR_MEMORY;
    for (int g = 0; g < part->groups; g++)
        for (int i = 0; i < part->group[g].count * part->group[g].ops->nodes; i++)
            if (part->group[g].node[i] >= 0)
                used[part->group[g].node[i]] = true;
    for (int i = 0; i < part->nodes; i++)
        if (!used[i] && !(kept && kept[i]))
            part->node[i].kind = (zn_node_kind)ZN_ABSENT;
    free(used);
    return ZN_OK;
}

static zn_status copy_nodes(const zn_model *whole, zn_model *part)
{
    part->node = ZN_NEW(zn_node_def, whole->nodes);
    part->node_capacity = whole->nodes;
    if (!part->node)
        return ZN_ERR_MEMORY;
    memcpy(part->node, whole->node, sizeof *part->node * (size_t)whole->nodes);
    return mark_absent(part, NULL);
}

static zn_status take_nodes(zn_model *whole, const bool *kept, zn_model *part)
{
    whole->coordinates = whole->memories;
    for (int i = 0; i < whole->nodes; i++) {
        whole->coordinates += zn_node_coordinates(whole->node[i].kind);
        for (int slot = 0; slot < 6; slot++)
            whole->dofs += zn_node_has(whole->node[i].kind, slot);
    }
    part->node = whole->node;
    whole->node = NULL;
    return mark_absent(part, kept);
}

// Rules keep their numbers, too.
static zn_status copy_rules(const zn_model *whole, const bool *rule, zn_model *part)
{
    part->rule = ZN_NEW(zn_contact_rule, whole->rules);
    if (!part->rule)
        return ZN_ERR_MEMORY;
    part->rule_capacity = part->rules = whole->rules;
    for (int i = 0; i < whole->rules; i++) {
        const zn_contact_rule none = {.ops = &no_contacts, .name = whole->rule[i].name, .rows = whole->rule[i].rows};
        part->rule[i] = rule[i] ? whole->rule[i] : none;
    }
    return ZN_OK;
}

static zn_status copy_groups(const zn_model *whole, const bool *element, zn_model *part)
{
    part->group = ZN_NEW(zn_element_group, whole->groups);
    if (!part->group)
        return ZN_ERR_MEMORY;
    for (int g = 0, first = 0; g < whole->groups; first += whole->group[g++].count) {
        part->groups = g + 1;
        ZN_TRY(copy_group(&whole->group[g], element + first, &part->group[g]));
    }
    part->group_capacity = whole->groups;
    return ZN_OK;
}

// A model with all but elements, nodes and rules of the whole.
static zn_model *begin(const zn_model *whole)
{
    zn_model *part = ZN_NEW(zn_model, 1);
    if (!part)
        return NULL;
    *part = *whole;
    part->group = NULL;
    part->rule = NULL;
    part->node = NULL;
    part->groups = part->rules = 0;
    return part;
}

static zn_status end(zn_status status, zn_model *part, zn_model **out)
{
    if (status != ZN_OK)
        zn_subset_destroy(part);
    else
        *out = part;
    return status;
}

zn_status zn_subset_create(const zn_model *whole, const bool *element, const bool *rule, zn_model **out)
{
    ZN_ASSERT(whole && element && rule && out);
    zn_model *part = begin(whole);
    zn_status status = part ? copy_rules(whole, rule, part) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = copy_groups(whole, element, part);
    if (status == ZN_OK)
        status = copy_nodes(whole, part);
    return end(status, part, out);
}

zn_status zn_subset_take(zn_model *whole, const bool *element, const bool *rule, const bool *node, zn_model **out)
{
    ZN_ASSERT(whole && element && rule && node && out);
    zn_model *part = begin(whole);
    zn_status status = part ? copy_rules(whole, rule, part) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = take_groups(whole, element, part);
    if (status == ZN_OK)
        status = take_nodes(whole, node, part);
    return end(status, part, out);
}
