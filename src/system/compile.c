// From the editable model to constant equations: numbering, element blocks, constant load vectors.
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/assert.h"
#include "model/control.h"
#include "model/element/motor.h"
#include "model/memory.h"
#include "system/system.h"

// --- numbering: free degrees of freedom first, leading ones before others, then states, then the fixed ones ---

static bool is_state(const zn_model *model, int node)
{
    for (int i = 0; i < model->states; i++)
        if (model->state[i].node == node)
            return true;
    return false;
}

static void number_dofs(zn_system *sys, const zn_model *model, zn_leading leading)
{
    int next = 0;
    for (; next < leading.count; next++)
        sys->layout.node[leading.slot[next] / 6].dof[leading.slot[next] % 6] = next;
    for (int pass = 0; pass < 3; pass++) { // free, states, then fixed
        if (pass == 1)
            for (int i = 0; i < model->states; i++)
                sys->layout.node[model->state[i].node].dof[0] = next++;
        for (int i = 0; pass != 1 && i < model->nodes; i++)
            for (int slot = 0; slot < 6; slot++)
                if (zn_node_has(model->node[i].kind, slot) && zn_node_fixes(&model->node[i], slot) == (pass == 2) &&
                    sys->layout.node[i].dof[slot] < 0 && !is_state(model, i))
                    sys->layout.node[i].dof[slot] = next++;
        if (pass == 0)
            sys->mechanical = next;
        if (pass == 1)
            sys->info.n = next;
    }
    sys->info.n_all = next;
    ZN_ASSERT(leading.count <= sys->info.n);
}

static zn_status build_layout(zn_system *sys, const zn_model *model, zn_leading leading)
{
    sys->layout.nodes = model->nodes;
    sys->layout.node = ZN_NEW(zn_layout_node, model->nodes);
    sys->frame3 = ZN_NEW(int, model->nodes);
    if (!sys->layout.node || !sys->frame3)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->nodes; i++) {
        zn_layout_node *node = &sys->layout.node[i];
        node->kind = model->node[i].kind;
        node->origin = model->node[i].origin;
        node->start = model->node[i].rotation;
        node->q = sys->info.nq;
        sys->info.nq += zn_node_coordinates(node->kind);
        for (int slot = 0; slot < 6; slot++)
            node->dof[slot] = -1;
        if (node->kind == ZN_FRAME3)
            sys->frame3[sys->frames3++] = i;
    }
    sys->layout.memory = sys->info.nq;
    sys->info.nq += model->memories;
    number_dofs(sys, model, leading);
    return ZN_OK;
}

static zn_status build_maps(zn_system *sys)
{
    sys->coordinate_dof = ZN_NEW(int, sys->info.nq);
    sys->rotational = ZN_NEW(bool, sys->info.n_all);
    sys->dof_node = ZN_NEW(int, sys->info.n_all);
    if (!sys->coordinate_dof || !sys->rotational || !sys->dof_node)
        return ZN_ERR_MEMORY;
    for (int i = sys->layout.memory; i < sys->info.nq; i++)
        sys->coordinate_dof[i] = -1;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        int                   dim = zn_node_dimension(node->kind);
        for (int k = 0; k < zn_node_coordinates(node->kind); k++)
            sys->coordinate_dof[node->q + k] = k < dim ? node->dof[k] : node->kind == ZN_FRAME2 ? node->dof[5] : -1;
        for (int slot = 0; slot < 6; slot++)
            if (node->dof[slot] >= 0)
                sys->dof_node[node->dof[slot]] = i;
        for (int slot = 3; slot < 6; slot++)
            if (node->dof[slot] >= 0)
                sys->rotational[node->dof[slot]] = sys->has_rotations = true;
    }
    return ZN_OK;
}

static void set_initial_node(zn_system *sys, const zn_node_def *def, const zn_layout_node *node)
{
    const double velocity[3] = {def->velocity.x, def->velocity.y, def->velocity.z};
    const double spin[3] = {def->spin.x, def->spin.y, def->spin.z};
    zn_node_initial(def, sys->q0 + node->q);
    for (int slot = 0; slot < 6; slot++) {
        int dof = node->dof[slot];
        if (dof >= 0 && dof < sys->info.n) // fixed ones stay at rest
            sys->v0[dof] = slot < 3 ? velocity[slot] : spin[slot - 3];
    }
}

static zn_status build_initial_state(zn_system *sys, const zn_model *model)
{
    sys->q0 = ZN_NEW(double, sys->info.nq);
    sys->v0 = ZN_NEW(double, sys->info.n_all);
    if (!sys->q0 || !sys->v0)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->nodes; i++)
        set_initial_node(sys, &model->node[i], &sys->layout.node[i]);
    for (int i = 0; i < model->memories; i++)
        sys->q0[sys->layout.memory + i] = model->memory[i].start;
    return ZN_OK;
}

// Positions alone.
static zn_status place_nodes(zn_system *sys, const zn_model *model)
{
    sys->q0 = ZN_NEW(double, sys->info.nq);
    for (int i = 0; sys->q0 && i < model->nodes; i++)
        zn_node_initial(&model->node[i], sys->q0 + sys->layout.node[i].q);
    return sys->q0 ? ZN_OK : ZN_ERR_MEMORY;
}

// --- element blocks ------------------------------------------------------------------------------

// Degrees of freedom of one node as an element with `per_node` of them sees it.
static void node_dofs(const zn_layout *layout, int index, int per_node, int *dof)
{
    ZN_ASSERT(index < layout->nodes && per_node > 0 && per_node <= 6);
    for (int i = 0; i < per_node; i++)
        dof[i] = -1;
    if (index < 0)
        return;
    const zn_layout_node *node = &layout->node[index];
    if (node->kind == ZN_SCALAR)
        dof[0] = node->dof[0];
    else if (per_node == 3 && node->kind == ZN_FRAME2) {
        dof[0] = node->dof[0];
        dof[1] = node->dof[1];
        dof[2] = node->dof[5];
    } else
        memcpy(dof, node->dof, sizeof *dof * (size_t)per_node);
}

// Rotations that elements tie to positions resolve no better than positions over the length of the element.
static void note_levers(zn_system *sys, const zn_element_group *group)
{
    for (int e = 0; group->ops->lever && e < group->count; e++) {
        const int         *node = group->node + 2 * e;
        const zn_node_def *def = sys->model->node;
        double             length = zn_vec3_norm(zn_vec3_sub(def[node[1]].position, def[node[0]].position));
        for (int i = 0; i < 2; i++) {
            double *lever = &sys->layout.node[node[i]].lever;
            *lever = *lever == 0 || length < *lever ? length : *lever;
        }
    }
}

// Frames of elements with small rotations, before anybody asks what is linear there.
static void note_small(zn_system *sys, const zn_element_group *group)
{
    for (int i = 0; group->ops->small_rotations && i < group->count * group->ops->nodes; i++)
        sys->layout.node[group->node[i]].small = zn_node_rotates(sys->layout.node[group->node[i]].kind);
}

static zn_status build_block(zn_system *sys, const zn_element_group *group, int index)
{
    const zn_element_ops *ops = group->ops;
    int                   per_node = ops->dofs / ops->nodes;
    ZN_ASSERT(ops->dofs == per_node * ops->nodes);
    int *dof = ZN_NEW(int, (size_t)group->count *(size_t)ops->dofs);
    if (!dof)
        return ZN_ERR_MEMORY;
    sys->dof[index] = dof;
    for (int i = 0; i < group->count * ops->nodes; i++)
        node_dofs(&sys->layout, group->node[i], per_node, dof + (size_t)i * (size_t)per_node);
    sys->block[index] = (zn_element_block){
        .ops = ops,
        .layout = &sys->layout,
        .log = &sys->model->log,
        .part_name = sys->model->part_name,
        .count = group->count,
        .part = group->part,
        .node = group->node,
        .dof = dof,
        .parameter = group->parameter,
    };
    note_levers(sys, group);
    sys->info.elements += group->count;
    if (group->count == 0)
        return ZN_OK; // of a part that has none of these elements
    if (ops->linear && !ops->linear(&sys->block[index]))
        sys->info.linear = false;
    sys->varying_mass |= ops->varying_mass;
    sys->constant_force = sys->constant_force && !ops->force;
    return ZN_OK;
}

static zn_status build_blocks(zn_system *sys, const zn_model *model)
{
    sys->block = ZN_NEW(zn_element_block, model->groups);
    sys->dof = ZN_NEW(int *, model->groups);
    sys->scatter = ZN_NEW(int *, model->groups);
    sys->chunks = ZN_NEW(zn_chunks, model->groups);
    sys->velocity = ZN_NEW(zn_velocity_force, model->groups);
    if (!sys->velocity || !sys->block || !sys->dof || !sys->scatter || !sys->chunks)
        return ZN_ERR_MEMORY;
    sys->blocks = model->groups;
    sys->info.linear = true;
    sys->constant_force = model->accelerations == 0;
    for (int i = 0; i < model->groups; i++)
        note_small(sys, &model->group[i]);
    for (int i = 0; i < model->groups; i++)
        ZN_TRY(build_block(sys, &model->group[i], i));
    for (int i = 0; i < model->groups; i++) {
        const zn_element_block *b = &sys->block[i];
        sys->velocity[i] = b->ops->velocity_force ? b->ops->velocity_force(b) : ZN_VELOCITY_NONE;
        ZN_TRY(zn_chunks_create(b, model->nodes, &sys->chunks[i]));
    }
    return ZN_OK;
}

// --- uniform accelerations: f = M e_i, constant because masses of nodes with a position are
// ----------------------------

// a = the unit acceleration in world direction i at every node.
static void unit_acceleration(const zn_system *sys, int direction, double *a)
{
    ZN_ASSERT(direction >= 0 && direction < 3);
    memset(a, 0, sizeof *a * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->layout.nodes; i++)
        if (sys->layout.node[i].kind != ZN_SCALAR && sys->layout.node[i].dof[direction] >= 0)
            a[sys->layout.node[i].dof[direction]] = 1;
}

static zn_status add_inertia(const zn_system *sys, int part, const double *a, double *f)
{
    for (int i = 0; i < sys->blocks; i++)
        if (sys->block[i].ops->inertia)
            ZN_TRY(sys->block[i].ops->inertia(&sys->block[i], sys->q0, part, a, f));
    return ZN_OK;
}

static zn_status build_uniform_load(zn_system *sys, const zn_acceleration *load, zn_uniform_load *out, double *a)
{
    out->load = load;
    for (int i = 0; i < 3; i++) {
        if (!load->signal[i])
            continue;
        out->column[i] = ZN_NEW(double, sys->info.n_all);
        if (!out->column[i])
            return ZN_ERR_MEMORY;
        unit_acceleration(sys, i, a);
        for (int k = 0; k < load->parts; k++)
            ZN_TRY(add_inertia(sys, load->part[k], a, out->column[i]));
        if (!load->part)
            ZN_TRY(add_inertia(sys, -1, a, out->column[i]));
    }
    return ZN_OK;
}

// Coordinates along which gravity pulls, for its potential.
static zn_status list_weights(zn_system *sys)
{
    sys->weight = ZN_NEW(zn_weight, sys->info.n_all);
    if (!sys->weight)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const double          origin[3] = {node->origin.x, node->origin.y, node->origin.z};
        for (int k = 0; node->kind != ZN_SCALAR && k < zn_node_dimension(node->kind); k++)
            if (sys->gravity_force[node->dof[k]] != 0)
                sys->weight[sys->weights++] = (zn_weight){node->q + k, sys->gravity_force[node->dof[k]], origin[k]};
    }
    return ZN_OK;
}

static zn_status build_loads(zn_system *sys, const zn_model *model)
{
    double *a = ZN_NEW(double, sys->info.n_all), *f = ZN_NEW(double, sys->info.n_all);
    sys->gravity_force = ZN_NEW(double, sys->info.n_all);
    sys->uniform = ZN_NEW(zn_uniform_load, model->accelerations);
    zn_status    status = a && f && sys->gravity_force && sys->uniform ? ZN_OK : ZN_ERR_MEMORY;
    const double g[3] = {model->gravity.x, model->gravity.y, model->gravity.z};
    for (int i = 0; status == ZN_OK && i < 3; i++) {
        memset(f, 0, sizeof *f * (size_t)sys->info.n_all);
        unit_acceleration(sys, i, a);
        status = add_inertia(sys, -1, a, f);
        for (int k = 0; k < sys->info.n_all; k++)
            sys->gravity_force[k] += g[i] * f[k];
    }
    if (status == ZN_OK)
        status = list_weights(sys);
    for (int i = 0; status == ZN_OK && i < model->accelerations; i++) {
        sys->uniform_loads = i + 1;
        status = build_uniform_load(sys, &model->acceleration[i], &sys->uniform[i], a);
    }
    free(a);
    free(f);
    return status;
}

// --- contacts ------------------------------------------------------------------------------------

static void size_contacts(zn_system *sys, const zn_model *model)
{
    sys->fixed_contacts = sys->straight_contacts = true;
    sys->contact_rows = 1;
    for (int i = 0; i < model->rules; i++) {
        const zn_contact_rule *rule = &model->rule[i];
        sys->contact_capacity += rule->room;
        sys->entry_capacity += rule->room * rule->ops->max_entries * rule->rows;
        sys->info.contacts_grow |= rule->grows;
        sys->missable_contacts |= rule->found || rule->ops->tells_inside;
        sys->info.joints += rule->ops->bilateral ? (int)rule->max_contacts : 0;
        if (rule->rows > sys->contact_rows)
            sys->contact_rows = rule->rows;
        if (rule->ops->max_entries > sys->max_entries)
            sys->max_entries = rule->ops->max_entries;
        if (rule->ops->detect)
            sys->fixed_contacts = false;
        if (!rule->ops->straight || !rule->ops->straight(rule->parameter, &sys->layout))
            sys->straight_contacts = false;
    }
    sys->straight_contacts = sys->straight_contacts && sys->fixed_contacts;
    sys->info.contacts_max = sys->contact_capacity;
}

// --- size ---------------------------------------------------------------------------------------

// Largest distance from the origin at the start, anchors of springs on the ground included: differences of positions
// are rounded relative to it.
static double extent_of(const zn_system *sys, const zn_model *model)
{
    double extent = 0;
    for (int i = 0; i < model->nodes; i++)
        if (model->node[i].kind != ZN_SCALAR)
            extent = fmax(extent, zn_vec3_norm(model->node[i].position));
    for (int g = 0; g < sys->blocks; g++) {
        const zn_element_block *b = &sys->block[g];
        for (int e = 0; b->ops->link && e < b->count; e++) {
            zn_link link = b->ops->link((const char *)b->parameter + (size_t)e * b->ops->parameter_size);
            extent = fmax(extent, fmax(zn_vec3_norm(link.a.at), zn_vec3_norm(link.b.at)));
        }
    }
    return extent;
}

// Diagonal of the box around all nodes at the start, wherever the origin is; of one place its distance from there.
static double size_of(const zn_model *model, double extent)
{
    zn_vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < model->nodes; i++) {
        zn_vec3 x = model->node[i].position;
        if (model->node[i].kind == ZN_SCALAR)
            continue;
        low = (zn_vec3){fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z)};
        high = (zn_vec3){fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z)};
    }
    double size = low.x <= high.x ? zn_vec3_norm(zn_vec3_sub(high, low)) : 0;
    return size > 0 ? size : extent;
}

// --- coordinates by the way they move ------------------------------------------------------------

static bool is_upright(const zn_layout_node *node)
{
    return node->kind == ZN_FRAME3 && node->small && node->start.x == 0 && node->start.y == 0 && node->start.z == 0;
}

static zn_upright upright_of(const zn_layout_node *node)
{
    zn_upright u = {.q = node->q};
    memcpy(u.dof, node->dof, sizeof u.dof);
    return u;
}

static zn_status sort_coordinates(zn_system *sys)
{
    const zn_layout_node *node = sys->layout.node;
    int                   upright = 0;
    sys->upright = ZN_NEW(zn_upright, sys->frames3 + 3);
    sys->straight_coordinate = ZN_NEW(int, sys->info.nq);
    if (!sys->upright || !sys->straight_coordinate)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < sys->frames3; k++) {
        int i = sys->frame3[k];
        if (is_upright(&node[i]))
            sys->upright[upright++] = upright_of(&node[i]);
        else
            sys->frame3[sys->turning++] = i;
    }
    for (int i = 0, k = sys->turning; i < sys->layout.nodes; i++)
        if (node[i].kind == ZN_FRAME3 && is_upright(&node[i]))
            sys->frame3[k++] = i;
    for (; upright % 4 != 0; upright++)
        sys->upright[upright] = sys->upright[upright - 1];
    sys->upright_fours = upright / 4;
    ZN_ASSERT(sys->turning <= sys->frames3);
    for (int i = 0; i < sys->layout.nodes; i++)
        for (int k = 0; node[i].kind != ZN_FRAME3 && k < zn_node_coordinates(node[i].kind); k++)
            sys->straight_coordinate[sys->straight++] = node[i].q + k;
    return ZN_OK;
}

// --- life ----------------------------------------------------------------------------------------

// All of a model; where things are in it; or a part of one that is valid as a whole, and may lack masses by itself.
typedef enum compiled { WHOLE, LAYOUT, PART } compiled;

static zn_status compile(zn_system *sys, const zn_model *model, zn_leading leading, compiled kind)
{
    sys->model = model;
    sys->info.planar = model->planar;
    sys->info.nodes = model->nodes;
    sys->info.parts = model->parts;
    sys->pattern = zn_pattern_create();
    sys->critical = zn_known_critical_create();
    if (!sys->pattern || !sys->critical)
        return ZN_ERR_MEMORY;
    ZN_TRY(build_layout(sys, model, leading));
    if (sys->info.n == 0 && kind != PART)
        return zn_fail(&model->log, ZN_ERR_MODEL, "nothing in the model can move");
    if (kind == LAYOUT)
        return place_nodes(sys, model);
    ZN_TRY(build_maps(sys));
    ZN_TRY(build_initial_state(sys, model));
    ZN_TRY(build_blocks(sys, model));
    ZN_TRY(build_loads(sys, model));
    ZN_TRY(sort_coordinates(sys));
    size_contacts(sys, model);
    sys->extent = extent_of(sys, model);
    sys->size = size_of(model, sys->extent);
    return ZN_OK;
}

static zn_status create(const zn_model *model, zn_leading leading, compiled kind, zn_system **out)
{
    ZN_ASSERT(model && out && leading.count >= 0);
    if (kind != PART)
        ZN_TRY(zn_model_validate(model));
    zn_system *sys = ZN_NEW(zn_system, 1);
    if (!sys)
        return ZN_ERR_MEMORY;
    zn_status status = compile(sys, model, leading, kind);
    if (status == ZN_OK) {
        *out = sys;
        return ZN_OK;
    }
    zn_system_destroy(sys);
    return status < 0
               ? status
               : zn_fail(&model->log, ZN_ERR_MODEL, "the model as it is at the start: %s", zn_status_text(status));
}

zn_status zn_system_create_leading(const zn_model *model, zn_leading leading, zn_system **out)
{
    return create(model, leading, WHOLE, out);
}

zn_status zn_system_create_layout(const zn_model *model, zn_system **out)
{
    return create(model, (zn_leading){0, NULL}, LAYOUT, out);
}

zn_status zn_system_create_part(const zn_model *part, zn_system **out)
{
    return create(part, (zn_leading){0, NULL}, PART, out);
}

zn_status zn_system_create(const zn_model *model, zn_system **out)
{
    ZN_ALIVE(model);
    if (!model || !out)
        return ZN_ERR_ARGUMENT;
    return zn_system_create_leading(model, (zn_leading){0, NULL}, out);
}

zn_system *zn_system_destroy(zn_system *sys)
{
    ZN_ALIVE(sys);
    if (!sys)
        return NULL;
    for (int i = 0; i < sys->blocks; i++) {
        free(sys->scatter[i]);
        free(sys->dof[i]);
        zn_chunks_destroy(&sys->chunks[i]);
    }
    free(sys->chunks);
    free(sys->velocity);
    for (int i = 0; i < sys->uniform_loads; i++)
        for (int k = 0; k < 3; k++)
            free(sys->uniform[i].column[k]);
    zn_pattern_destroy(sys->pattern);
    zn_known_critical_destroy(sys->critical);
    free(sys->scatter);
    free(sys->dof);
    free(sys->block);
    free(sys->uniform);
    free(sys->gravity_force);
    free(sys->weight);
    free(sys->q0);
    free(sys->v0);
    free(sys->coordinate_dof);
    free(sys->rotational);
    free(sys->dof_node);
    free(sys->frame3);
    free(sys->upright);
    free(sys->straight_coordinate);
    free(sys->layout.node);
    zn_retire(sys, sizeof *sys);
    return NULL;
}

const char *zn_system_motor(const zn_system *sys)
{
    for (int g = 0; g < sys->blocks; g++)
        if (zn_is_motor(sys->block[g].ops) && sys->block[g].count > 0)
            return sys->model->part_name[sys->block[g].part[0]];
    return NULL;
}

zn_system_info zn_system_get_info(const zn_system *sys)
{
    ZN_ALIVE(sys);
    return sys ? sys->info : (zn_system_info){0};
}
