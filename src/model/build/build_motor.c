// Motors, feedback loads, first-order states and controls: check the def, then add elements and memory to the model.
#include <math.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/build/build_motor.h"
#include "model/control.h"
#include "model/joint/joint.h"
#include "model/memory.h"
#include "model/signal.h"

ZN_DEFINE_DEF(zn_motor_def, .axis = {0, 0, 1})
ZN_DEFINE_DEF(zn_state_def, .name = NULL)
ZN_DEFINE_DEF(zn_control_def, .period = NAN, .on = NAN, .off = NAN)

// --- elements ------------------------------------------------------------------------------------

zn_status zn_model_push_motor(zn_model *model, int part, zn_motor motor, zn_signal *signal)
{
    const char *name = model->part_name[part];
    int         node[ZN_FEEDBACK_NODES] = {motor.a.node.value - 1, motor.b.node.value - 1}, count = 2;
    ZN_TRY(zn_signal_as_feedback(model, signal, &motor.value));
    count = zn_feedback_nodes(motor.value, count, ZN_FEEDBACK_NODES, node);
    if (count > ZN_FEEDBACK_NODES)
        return zn_fail(&model->log, ZN_ERR_MODEL, "'%s': it looks at more than %d bodies or nodes", name,
                       ZN_FEEDBACK_NODES - 2);
    const zn_element_ops *ops = zn_motor_ops(motor.kind, count);
    for (int i = count; i < ops->nodes; i++)
        node[i] = -1;
    return zn_model_add_element(model, ops, part, node, &motor);
}

bool zn_signal_is_feedback(const zn_signal *signal) { return signal && signal->kind == ZN_SIGNAL_FEEDBACK; }

zn_status zn_model_refuse_feedback(const zn_model *model, const char *what, const char *name, int count,
                                   zn_signal *const *signal)
{
    for (int i = 0; i < count; i++)
        if (zn_signal_is_feedback(signal[i]))
            return zn_fail(&model->log, ZN_ERR_MODEL,
                           "%s '%s': this value may depend on time only; forces, torques, moments in world axes and "
                           "motors take feedback",
                           what, name);
    return ZN_OK;
}

// --- motors --------------------------------------------------------------------------------------

static zn_status of_joint(const zn_model *model, const zn_motor_def *def, const char *name, zn_motor *out)
{
    const zn_travel *travel = zn_model_find_travel(model, def->joint);
    if (!travel)
        return zn_fail(&model->log, ZN_ERR_MODEL, "motor '%s': '%s' is no revolute or prismatic joint", name,
                       def->joint);
    if (travel->turn != (def->torque != NULL))
        return zn_fail(&model->log, ZN_ERR_MODEL, "motor '%s': joint '%s' takes a %s", name, def->joint,
                       travel->turn ? "torque" : "force");
    *out = (zn_motor){.kind = ZN_MOTOR_TRAVEL, .a = travel->a, .b = travel->b, .travel = *travel};
    return ZN_OK;
}

static bool turns(const zn_model *model, zn_node_id id)
{
    return id.value == 0 || zn_node_rotates(model->node[id.value - 1].kind);
}

static zn_status of_bodies(const zn_model *model, const zn_motor_def *def, const char *name, zn_motor *out)
{
    double length = zn_vec3_norm(def->axis);
    ZN_TRY(zn_model_check_attachment(model, &def->a, "motor", name));
    ZN_TRY(zn_model_check_attachment(model, &def->b, "motor", name));
    if (def->a.node.value == 0 || def->a.node.value == def->b.node.value)
        return zn_fail(&model->log, ZN_ERR_MODEL, "motor '%s': it needs a body, and another one or the ground", name);
    *out = (zn_motor){.kind = def->torque ? ZN_MOTOR_TORQUE : ZN_MOTOR_LINE, .a = def->a, .b = def->b};
    if (def->force) {
        zn_vec3 span =
            zn_vec3_sub(zn_model_initial_position(model, &def->a), zn_model_initial_position(model, &def->b));
        if (!(zn_vec3_norm(span) > 0))
            return zn_fail(&model->log, ZN_ERR_MODEL, "motor '%s': its points coincide at the start", name);
        return ZN_OK;
    }
    if (!turns(model, def->a.node) || !turns(model, def->b.node))
        return zn_fail(&model->log, ZN_ERR_MODEL, "motor '%s': a torque needs bodies that turn", name);
    if (!(length > 0) || !zn_finite3(def->axis) || (model->planar && (def->axis.x != 0 || def->axis.y != 0)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "motor '%s': its axis must have a length%s", name,
                       model->planar ? " and be z in the plane" : "");
    out->axis = zn_vec3_scale(1 / length, def->axis);
    return ZN_OK;
}

zn_status zn_model_add_motor(zn_model *model, const zn_motor_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_motor_def, def, &model->log);
    const char *name = def->name ? def->name : "motor";
    zn_status   first = zn_model_adopt(model, def->torque), second = zn_model_adopt(model, def->force);
    ZN_TRY(first);
    ZN_TRY(second);
    if (!def->torque == !def->force)
        return zn_fail(&model->log, ZN_ERR_MODEL, "motor '%s': it needs either a torque or a force", name);
    zn_motor motor;
    ZN_TRY(def->joint ? of_joint(model, def, name, &motor) : of_bodies(model, def, name, &motor));
    zn_named        what = {.kind = ZN_NAMED_LOAD, .node = -1, .part = model->parts, .rule = -1};
    const zn_named *entry = NULL;
    int             part;
    ZN_TRY(zn_model_add_name(model, def->name, "motor", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    return zn_model_push_motor(model, part, motor, def->torque ? def->torque : def->force);
}

// --- states --------------------------------------------------------------------------------------

static zn_status set_rate(zn_model *model, int index, zn_signal *rate)
{
    int             node = model->state[index].node, part;
    const zn_named *owner = zn_model_owner(model, node);
    ZN_TRY(zn_model_add_part(model, owner->name, &part));
    model->state[index].given = true;
    return zn_model_push_motor(model, part, (zn_motor){.kind = ZN_MOTOR_STATE, .a.node = {node + 1}}, rate);
}

zn_status zn_model_add_state(zn_model *model, const zn_state_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_state_def, def, &model->log);
    const char *name = def->name ? def->name : "state";
    ZN_TRY(zn_model_adopt(model, def->rate));
    if (!isfinite(def->start))
        return zn_fail(&model->log, ZN_ERR_MODEL, "state '%s': start is not finite", name);
    zn_node_def node = zn_node_def_default();
    node.kind = ZN_SCALAR;
    node.velocity.x = def->start;
    ZN_TRY(zn_model_push_node(model, &node, name));
    zn_named  what = {.kind = ZN_NAMED_STATE, .node = model->nodes - 1, .nodes = 1, .part = -1, .rule = -1};
    zn_status status = zn_model_add_name(model, def->name, "state", what, NULL);
    if (status != ZN_OK) {
        model->nodes--;
        return status;
    }
    zn_state_rate state = {.node = model->nodes - 1};
    ZN_TRY(ZN_PUSH(model->state, model->states, model->state_capacity, state));
    return def->rate ? set_rate(model, model->states - 1, def->rate) : ZN_OK;
}

zn_status zn_model_set_rate(zn_model *model, const char *name, zn_signal *rate)
{
    ZN_ALIVE(model);
    ZN_ALIVE(rate);
    if (!model)
        return ZN_ERR_ARGUMENT;
    const zn_named *entry = zn_names_find(&model->names, name);
    ZN_TRY(zn_model_adopt(model, rate));
    for (int i = 0; entry && entry->kind == ZN_NAMED_STATE && i < model->states; i++)
        if (model->state[i].node == entry->node && !model->state[i].given && rate)
            return set_rate(model, i, rate);
    return zn_fail(&model->log, ZN_ERR_MODEL, "state '%s': there is none that lacks a rate", name);
}

// --- controls ------------------------------------------------------------------------------------

static zn_status check_control(const zn_model *model, const zn_control_def *def, const char *name)
{
    const zn_log *log = &model->log;
    bool          is_switch = !isnan(def->on) || !isnan(def->off);
    if (!def->value)
        return zn_fail(log, ZN_ERR_MODEL, "control '%s': it needs a value", name);
    if (!isnan(def->period) && !(def->period >= 0 && isfinite(def->period)))
        return zn_fail(log, ZN_ERR_MODEL, "control '%s': the period must be finite and >= 0", name);
    if (def->delay < 0 || def->delay > 10000 || (def->delay > 0 && (isnan(def->period) || is_switch)))
        return zn_fail(log, ZN_ERR_MODEL, "control '%s': a delay of 0 to 10000 samples goes with sampled values", name);
    if (is_switch && (!isfinite(def->on) || !isfinite(def->off) || def->on == def->off))
        return zn_fail(log, ZN_ERR_MODEL, "control '%s': a switch needs two different levels, on and off", name);
    if (!isfinite(def->start) || (is_switch && def->start != 0 && def->start != 1))
        return zn_fail(log, ZN_ERR_MODEL, "control '%s': start must be finite, of a switch 0 or 1", name);
    return ZN_OK;
}

zn_status zn_model_add_control(zn_model *model, const zn_control_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_control_def, def, &model->log);
    const char *name = def->name ? def->name : "control";
    ZN_TRY(zn_model_adopt(model, def->value));
    ZN_TRY(check_control(model, def, name));
    zn_control c = {.kind = !isnan(def->on)       ? ZN_CONTROL_SWITCH
                            : !isnan(def->period) ? ZN_CONTROL_SAMPLED
                                                  : ZN_CONTROL_VALUE,
                    .period = isnan(def->period) ? 0 : def->period,
                    .delay = def->delay,
                    .memory = -1,
                    .on = def->on,
                    .off = def->off};
    ZN_TRY(zn_signal_as_feedback(model, def->value, &c.value));
    for (int k = 0; c.kind != ZN_CONTROL_VALUE && k <= c.delay; k++) {
        int index;
        ZN_TRY(zn_model_add_memory(model, &(zn_memory){.kind = ZN_MEMORY_HELD, .start = def->start}, &index));
        c.memory = k == 0 ? index : c.memory;
    }
    zn_named        what = {.kind = ZN_NAMED_CONTROL, .node = -1, .part = -1, .rule = model->controls};
    const zn_named *entry = NULL;
    ZN_TRY(zn_model_add_name(model, def->name, "control", what, &entry));
    c.name = entry->name;
    return ZN_PUSH(model->control, model->controls, model->control_capacity, c);
}
