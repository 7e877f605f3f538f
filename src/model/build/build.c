// Bars and loads: check the def, then add nodes and elements to the model.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/attachment.h"
#include "model/build/build_motor.h"
#include "model/model.h"

#define NAME_OF(def, fallback) ((def)->name ? (def)->name : (fallback))

// --- carried points ------------------------------------------------------------------------------

zn_status zn_model_check_attachment(const zn_model *model, const zn_attachment *a, const char *what, const char *name)
{
    if (a->node.value < 0 || a->node.value > model->nodes)
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': no such node", what, name);
    if (!zn_finite3(a->at))
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': its point is not finite", what, name);
    if (model->planar && a->at.z != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': a z component in a planar model", what, name);
    if (a->node.value == 0)
        return ZN_OK;
    if (model->node[a->node.value - 1].kind == ZN_SCALAR)
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': a generalized coordinate has no points", what, name);
    bool rotates = zn_node_rotates(model->node[a->node.value - 1].kind);
    if (!rotates && zn_vec3_norm(a->at) > 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "%s '%s': a point mass has no other point than itself", what, name);
    return ZN_OK;
}

zn_quat zn_model_initial_rotation(const zn_model *model, zn_node_id id)
{
    if (id.value == 0)
        return (zn_quat){1, 0, 0, 0};
    const zn_node_def *node = &model->node[id.value - 1];
    return node->kind == ZN_FRAME2 ? zn_so3_exp(zn_vec3_make(0, 0, node->angle)) : node->rotation;
}

zn_vec3 zn_model_initial_position(const zn_model *model, const zn_attachment *a)
{
    if (a->node.value == 0)
        return a->at;
    zn_quat turn = zn_model_initial_rotation(model, a->node);
    return zn_vec3_add(model->node[a->node.value - 1].position, zn_quat_rotate(turn, a->at));
}

// --- bars ----------------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_bar_def, .elements = 1)

static zn_status check_bar(const zn_model *model, const zn_bar_def *def, double length)
{
    const char *name = NAME_OF(def, "bar");
    struct {
        const char *what;
        double      value;
    } positive[] = {
        {"Young's modulus", def->young}, {"density", def->density}, {"area", def->area}, {"length", length}};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i].value > 0) || !isfinite(positive[i].value))
            return zn_fail(&model->log, ZN_ERR_MODEL, "bar '%s': %s %g is not positive and finite", name,
                           positive[i].what, positive[i].value);
    if (def->elements < 1 || def->elements > 100000000)
        return zn_fail(&model->log, ZN_ERR_MODEL, "bar '%s': %d elements", name, def->elements);
    if (!zn_finite3(def->velocity))
        return zn_fail(&model->log, ZN_ERR_MODEL, "bar '%s': its velocity is not finite", name);
    if (!zn_rayleigh_is_valid((zn_rayleigh){def->mass_damping, def->stiffness_damping}))
        return zn_fail(&model->log, ZN_ERR_MODEL, "bar '%s': damping must be at least 0 and finite", name);
    if (model->planar && (def->from.z != 0 || def->to.z != 0 || def->velocity.z != 0))
        return zn_fail(&model->log, ZN_ERR_MODEL, "bar '%s': a z component in a planar model", name);
    return ZN_OK;
}

// A node that exists as an end: it has a position, the right one.
static zn_status check_bar_end(const zn_model *model, const zn_bar_def *def, zn_node_id id, zn_vec3 at)
{
    char text[80];
    if (id.value == 0)
        return ZN_OK;
    if (id.value < 0 || id.value > model->nodes || model->node[id.value - 1].kind == ZN_SCALAR)
        return zn_fail(&model->log, ZN_ERR_MODEL, "bar '%s': no such node", NAME_OF(def, "bar"));
    double off = zn_vec3_norm(zn_vec3_sub(model->node[id.value - 1].position, at));
    if (off <= 1e-9 * (1 + zn_vec3_norm(at)))
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL, "bar '%s': node '%s' is %g m away from the end of the bar",
                   NAME_OF(def, "bar"), zn_model_node_name(model, id.value - 1, text, sizeof text), off);
}

// Nodes of the line but for ends that exist; their coordinates are displacements from the undeformed position.
static zn_status add_bar_nodes(zn_model *model, const zn_bar_def *def, zn_vec3 span)
{
    for (int i = def->first_node.value > 0; i <= def->elements - (def->last_node.value > 0); i++) {
        zn_node_def node = zn_node_def_default();
        node.kind = model->planar ? ZN_POINT2 : ZN_POINT3;
        node.origin = zn_vec3_add(def->from, zn_vec3_scale((double)i / def->elements, span));
        node.position = node.origin;
        node.velocity = def->velocity;
        node.fixed = def->fixed;
        ZN_TRY(zn_model_push_node(model, &node, NAME_OF(def, "bar")));
    }
    return ZN_OK;
}

// Of a node at the start, along the bar; 0 where coordinates are displacements.
static double coordinate_along(const zn_model *model, const zn_bar *bar, int node)
{
    zn_vec3 u = zn_vec3_sub(model->node[node].position, model->node[node].origin);
    return bar->direction[0] * u.x + bar->direction[1] * u.y + bar->direction[2] * u.z;
}

zn_status zn_model_add_bar(zn_model *model, const zn_bar_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_bar_def, def, &model->log);
    zn_vec3 span = zn_vec3_sub(def->to, def->from);
    double  length = zn_vec3_norm(span);
    ZN_TRY(check_bar(model, def, length));
    ZN_TRY(check_bar_end(model, def, def->first_node, def->from));
    ZN_TRY(check_bar_end(model, def, def->last_node, def->to));
    int             first = model->nodes - (def->first_node.value > 0), part;
    zn_named        what = zn_model_name_line(model, def->elements, def->first_node, def->last_node);
    const zn_named *entry = NULL;
    ZN_TRY(zn_model_add_name(model, def->name, "bar", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    ZN_TRY(add_bar_nodes(model, def, span));
    double size = length / def->elements;
    zn_bar bar = {.direction = {span.x / length, span.y / length, span.z / length},
                  .stiffness = def->young * def->area / size,
                  .mass = def->density * def->area * size,
                  .coupling = def->mass == ZN_MASS_CONSISTENT ? 1.0 / 6.0 : 0.0,
                  .damping = {def->mass_damping, def->stiffness_damping}};
    for (int e = 0; e < def->elements; e++) {
        int node[2] = {e == 0 && def->first_node.value > 0 ? def->first_node.value - 1 : first + e,
                       e == def->elements - 1 && def->last_node.value > 0 ? def->last_node.value - 1 : first + e + 1};
        bar.rest = coordinate_along(model, &bar, node[1]) - coordinate_along(model, &bar, node[0]);
        ZN_TRY(zn_model_add_element(model, model->planar ? &zn_bar2_ops : &zn_bar3_ops, part, node, &bar));
    }
    return ZN_OK;
}

// --- loads ---------------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_force_def, .name = NULL)
ZN_DEFINE_DEF(zn_acceleration_def, .name = NULL)

zn_status zn_model_adopt(zn_model *model, zn_signal *signal)
{
    ZN_ALIVE(signal);
    if (!signal)
        return ZN_OK;
    zn_status status = ZN_PUSH(model->signal, model->signals, model->signal_capacity, signal);
    if (status != ZN_OK)
        zn_signal_destroy(signal);
    return status;
}

static zn_status adopt_all(zn_model *model, zn_signal *const signal[3], zn_signal *last)
{
    zn_status status = zn_model_adopt(model, last);
    for (int i = 0; i < 3; i++) {
        zn_status next = zn_model_adopt(model, signal[i]);
        status = status != ZN_OK ? status : next;
    }
    return status;
}

// Each component of a load with feedback is a force of its own.
static zn_status add_feedback_force(zn_model *model, const zn_force_def *def, int part)
{
    for (int i = 0; i < 3; i++)
        if (def->force[i])
            ZN_TRY(zn_model_push_motor(
                model, part, (zn_motor){.kind = ZN_MOTOR_POINT, .a = def->point, .axis = {i == 0, i == 1, i == 2}},
                def->force[i]));
    if (!def->torque)
        return ZN_OK;
    zn_motor motor = {.kind = ZN_MOTOR_TORQUE, .a.node = def->point.node, .axis = {0, 0, 1}};
    return zn_model_push_motor(model, part, motor, def->torque);
}

zn_status zn_model_add_force(zn_model *model, const zn_force_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_force_def, def, &model->log);
    ZN_TRY(adopt_all(model, def->force, def->torque));
    const char *name = NAME_OF(def, "force");
    ZN_TRY(zn_model_check_attachment(model, &def->point, "load", name));
    if (def->point.node.value == 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': it acts on the ground", name);
    int node = def->point.node.value - 1;
    if (def->torque && model->node[node].kind != ZN_FRAME2)
        return zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': a torque needs a planar rigid body", name);
    if (model->planar && def->force[2])
        return zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': a z component in a planar model", name);
    zn_named        what = {.kind = ZN_NAMED_LOAD, .node = -1, .part = model->parts, .rule = -1};
    const zn_named *entry = NULL;
    int             part;
    ZN_TRY(zn_model_add_name(model, def->name, "load", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    if (zn_signal_is_feedback(def->torque) || zn_signal_is_feedback(def->force[0]) ||
        zn_signal_is_feedback(def->force[1]) || zn_signal_is_feedback(def->force[2]))
        return add_feedback_force(model, def, part);
    zn_force force = {def->point, {def->force[0], def->force[1], def->force[2]}, def->torque};
    return zn_model_add_element(model, &zn_force_ops, part, &node, &force);
}

// Indices of the named bodies and bars.
static zn_status find_parts(const zn_model *model, const zn_acceleration_def *def, int *part)
{
    for (int i = 0; i < def->part_count; i++) {
        const zn_named *entry = zn_names_find(&model->names, def->parts[i]);
        if (!entry || (entry->kind != ZN_NAMED_BODY && entry->kind != ZN_NAMED_BAR))
            return zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': there is no body or part '%s'",
                           NAME_OF(def, "acceleration"), def->parts[i]);
        part[i] = entry->part;
    }
    return ZN_OK;
}

zn_status zn_model_add_acceleration(zn_model *model, const zn_acceleration_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_acceleration_def, def, &model->log);
    ZN_TRY(adopt_all(model, def->acceleration, NULL));
    ZN_TRY(zn_model_refuse_feedback(model, "load", NAME_OF(def, "acceleration"), 3, def->acceleration));
    if (model->planar && def->acceleration[2])
        return zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': a z component in a planar model",
                       NAME_OF(def, "acceleration"));
    zn_acceleration load = {.parts = def->part_count};
    if (def->part_count > 0) {
        load.part = ZN_NEW(int, def->part_count);
        zn_status status = load.part ? find_parts(model, def, load.part) : ZN_ERR_MEMORY;
        if (status != ZN_OK) {
            free(load.part);
            return status;
        }
    }
    for (int i = 0; i < 3; i++)
        load.signal[i] = def->acceleration[i];
    zn_named        what = {.kind = ZN_NAMED_LOAD, .node = -1, .part = -1, .rule = -1};
    const zn_named *entry = NULL;
    zn_status       status = zn_model_add_name(model, def->name, "acceleration", what, &entry);
    if (status == ZN_OK) {
        load.name = entry->name;
        status = ZN_PUSH(model->acceleration, model->accelerations, model->acceleration_capacity, load);
    }
    if (status != ZN_OK)
        free(load.part);
    return status;
}
