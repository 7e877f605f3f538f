// Travels of joints and what acts on them: drives, stops, springs, couplings with and without backlash.
#include <stdio.h>

#include "base/assert.h"
#include "model/element/torsion.h"
#include "model/joint/dry_friction.h"
#include "model/joint/joint.h"
#include "model/joint/transmission.h"
#include "model/memory.h"
#include "model/signal.h"

static const char *name_of(const zn_joint_def *def) { return def->name ? def->name : "joint"; }

static bool one_way(zn_joint_kind kind) { return kind == ZN_JOINT_REVOLUTE || kind == ZN_JOINT_PRISMATIC; }

static const char *unit_of(const zn_joint_def *def) { return def->kind == ZN_JOINT_REVOLUTE ? "rad" : "m"; }

// --- the travel ----------------------------------------------------------------------------------

static bool acts(const zn_joint_def *def)
{
    return isfinite(def->start) || def->limits[0] != -INFINITY || def->limits[1] != INFINITY || def->stiffness != 0 ||
           def->damping != 0 || def->dry_friction != 0 || isfinite(def->rest);
}

static zn_status check_travel(const zn_model *model, const zn_joint_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def), *unit = unit_of(def);
    double        first = def->motion ? zn_signal_at(def->motion, model->start) : 0;
    double        start = isnan(def->start) ? first : def->start;
    if (isinf(def->start))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': start is not finite", name);
    if (!(def->limits[0] < def->limits[1]))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': the first of its limits, %g %s, is not below the second, %g %s",
                       name, def->limits[0], unit, def->limits[1], unit);
    if (!(start >= def->limits[0] && start <= def->limits[1]))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': it starts at %g %s, outside its limits %g to %g %s", name, start,
                       unit, def->limits[0], def->limits[1], unit);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': restitution must be in [0, 1]", name);
    if (def->motion && !(fabs(first - start) <= 1e-9))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': it starts at %.12g %s, but its motion at t = %g s is %.12g %s",
                       name, start, unit, model->start, first, unit);
    if (!(def->stiffness >= 0 && def->damping >= 0) || isinf(def->stiffness) || isinf(def->damping) || isinf(def->rest))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': stiffness and damping must be finite and >= 0", name);
    if (!(def->dry_friction >= 0) || isinf(def->dry_friction))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': dry friction must be finite and >= 0", name);
    return ZN_OK;
}

zn_status zn_joint_add_travel(zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    if (!one_way(def->kind)) {
        if (acts(def) || (def->motion && def->kind != ZN_JOINT_MOTION))
            return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': only revolute and prismatic joints have a travel",
                           name_of(def));
        return ZN_OK;
    }
    ZN_TRY(check_travel(model, def));
    double  first = def->motion ? zn_signal_at(def->motion, model->start) : 0;
    double  start = isnan(def->start) ? first : def->start;
    zn_vec3 axis = def->axis;
    joint->travels = true;
    if (def->kind == ZN_JOINT_REVOLUTE) {
        ZN_TRY(zn_model_travel_about(model, joint->a.node, joint->b.node, axis, start, &joint->travel));
        joint->travel.a = joint->a;
        joint->travel.b = joint->b;
        return ZN_OK;
    }
    if (model->planar) // given in the axes of b
        axis = zn_quat_rotate(zn_model_initial_rotation(model, joint->b.node), axis);
    return zn_model_travel_along(model, joint->a, joint->b, axis, start, &joint->travel);
}

const zn_travel *zn_model_find_travel(const zn_model *model, const char *name)
{
    const zn_named *named = zn_names_find(&model->names, name);
    if (!named || named->rule < 0 || model->rule[named->rule].ops != &zn_joint_ops)
        return NULL;
    const zn_joint *joint = model->rule[named->rule].parameter;
    return joint->travels ? &joint->travel : NULL;
}

// Value at the start.
static double start_of(const zn_model *model, const zn_travel *travel)
{
    if (travel->turn && travel->memory >= 0)
        return model->memory[travel->memory].start;
    if (travel->turn) {
        double a = travel->a.node.value ? model->node[travel->a.node.value - 1].angle : 0;
        double b = travel->b.node.value ? model->node[travel->b.node.value - 1].angle : 0;
        return a - b - travel->offset;
    }
    zn_vec3 d = zn_vec3_sub(zn_model_initial_position(model, &travel->a), zn_model_initial_position(model, &travel->b));
    return zn_vec3_dot(zn_quat_rotate(zn_model_initial_rotation(model, travel->b.node), travel->axis), d) -
           travel->offset;
}

// --- rules on travels ----------------------------------------------------------------------------

static zn_status add_rule(zn_model *model, const char *name, const zn_contact_ops *ops, int contacts,
                          zn_transmission *rule)
{
    rule->log = &model->log;
    rule->name = name;
    ZN_TRY(zn_model_add_rows_rule(model, name, ops, contacts, 1, rule, sizeof *rule));
    const zn_contact_rule *added = &model->rule[model->rules - 1];
    ((zn_transmission *)added->parameter)->name = added->name;
    return ZN_OK;
}

static void set_bounds(zn_transmission *rule, double low, double high)
{
    rule->bound[0] = low;
    rule->bound[1] = high;
    if (isfinite(low))
        rule->side[rule->stops++] = false;
    if (isfinite(high))
        rule->side[rule->stops++] = true;
}

// "pin_motion"
static zn_status name_after(const zn_model *model, const zn_joint *joint, const char *what,
                            char out[ZN_NAME_LENGTH + 1])
{
    int length = snprintf(out, ZN_NAME_LENGTH + 1, "%s_%s", joint->name, what);
    return length > 0 && length <= ZN_NAME_LENGTH
               ? ZN_OK
               : zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': its name is too long", joint->name);
}

// A part of elements, named after the joint.
static zn_status add_named_part(zn_model *model, const char *name, int *part)
{
    zn_named        what = {.kind = ZN_NAMED_SPRING, .node = -1, .part = model->parts, .rule = -1};
    const zn_named *entry = NULL;
    ZN_TRY(zn_model_add_name(model, name, NULL, what, &entry));
    return zn_model_add_part(model, entry->name, part);
}

// --- dry friction --------------------------------------------------------------------------------

// 1 / (m_a^-1 + m_b^-1) of the masses or moments of inertia that the travel moves: friction then is as hard to solve as
// any other contact. Bodies of elements have none here and count as fixed.
static double inertia_of(const zn_model *model, const zn_travel *travel)
{
    const zn_node_id end[2] = {travel->a.node, travel->b.node};
    double           softness = 0;
    for (int g = 0; g < model->groups; g++)
        for (int e = 0; model->group[g].ops->body && e < model->group[g].count; e++)
            for (int i = 0; i < 2; i++) {
                if (end[i].value != model->group[g].node[e * model->group[g].ops->nodes] + 1)
                    continue;
                double  mass;
                zn_mat3 J;
                model->group[g].ops->body(model->group[g].parameter + (size_t)e * model->group[g].ops->parameter_size,
                                          &mass, &J);
                softness += 1 / (travel->turn ? fmax(J.m[0][0], fmax(J.m[1][1], J.m[2][2])) : mass);
            }
    return softness > 0 && isfinite(softness) ? 1 / softness : 1;
}

static zn_status add_clamp(zn_model *model, int part, const zn_clamp *clamp, const char *name, zn_node_id *out)
{
    zn_node_def node = zn_node_def_default();
    node.kind = ZN_SCALAR;
    ZN_TRY(zn_model_push_node(model, &node, name));
    *out = (zn_node_id){model->nodes};
    return zn_model_add_element(model, &zn_clamp_ops, part, &(int){model->nodes - 1}, clamp);
}

static zn_status add_friction(zn_model *model, const zn_joint *joint, double bound, const char *name,
                              const char *clamp_name)
{
    zn_dry_friction rule = {.travel = joint->travel};
    zn_clamp        clamp = {inertia_of(model, &joint->travel), bound};
    int             part;
    ZN_TRY(add_named_part(model, clamp_name, &part));
    ZN_TRY(add_clamp(model, part, &clamp, clamp_name, &rule.clamp));
    clamp.force = 0;
    if (!model->planar)
        ZN_TRY(add_clamp(model, part, &clamp, clamp_name, &rule.idle));
    return zn_model_add_rows_rule(model, name, &zn_dry_friction_ops, 1, model->planar ? 2 : 3, &rule, sizeof rule);
}

// --- springs -------------------------------------------------------------------------------------

static zn_status add_spring(zn_model *model, const zn_joint_def *def, const zn_joint *joint, const char *name)
{
    double     rest = isnan(def->rest) ? start_of(model, &joint->travel) : def->rest;
    zn_torsion spring = {.travel = joint->travel,
                         .pull = {.stiffness = def->stiffness, .damping = def->damping, .rest = rest},
                         .from = joint->b,
                         .to = joint->a};
    int        part, node[2] = {joint->a.node.value - 1, joint->b.node.value - 1};
    ZN_TRY(add_named_part(model, name, &part));
    const zn_element_ops *ops = joint->travel.turn ? &zn_torsion_ops : &zn_slide_spring_ops;
    return zn_model_add_element(model, ops, part, node, &spring);
}

// --- what acts on a travel -----------------------------------------------------------------------

zn_status zn_joint_act_on_travel(zn_model *model, const zn_joint_def *def, const zn_joint *joint)
{
    if (!joint->travels)
        return ZN_OK;
    char            name[ZN_NAME_LENGTH + 1];
    zn_transmission rule = {.count = 1, .travel = {joint->travel}, .factor = {1}};
    if (def->motion) {
        zn_transmission drive = rule;
        drive.motion = def->motion;
        ZN_TRY(name_after(model, joint, "motion", name));
        ZN_TRY(add_rule(model, name, &zn_drive_ops, 1, &drive));
    }
    rule.restitution = def->restitution;
    set_bounds(&rule, def->limits[0], def->limits[1]);
    if (rule.stops > 0) {
        ZN_TRY(name_after(model, joint, "limits", name));
        ZN_TRY(add_rule(model, name, &zn_stops_ops, rule.stops, &rule));
    }
    if (def->dry_friction > 0) {
        char clamp[ZN_NAME_LENGTH + 1];
        ZN_TRY(name_after(model, joint, "friction", name));
        ZN_TRY(name_after(model, joint, "clamp", clamp));
        ZN_TRY(add_friction(model, joint, def->dry_friction, name, clamp));
    }
    if (def->stiffness > 0 || def->damping > 0) {
        ZN_TRY(name_after(model, joint, "spring", name));
        ZN_TRY(add_spring(model, def, joint, name));
    }
    return ZN_OK;
}

// --- couplings -----------------------------------------------------------------------------------

bool zn_joint_is_transmission(const zn_joint_def *def)
{
    return def->kind == ZN_JOINT_COUPLING && (def->joint[0] || def->joint[1] || def->backlash != 0);
}

static zn_status travel_of_joint(const zn_model *model, const zn_joint_def *def, const char *joint, zn_travel *out)
{
    const zn_travel *travel = joint ? zn_model_find_travel(model, joint) : NULL;
    if (!travel)
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "joint '%s': '%s' is no revolute or prismatic joint that comes before it, which has a travel",
                       name_of(def), joint ? joint : "");
    *out = *travel;
    return ZN_OK;
}

// A degree of freedom of a node as a travel against the ground.
static zn_status travel_of_dof(zn_model *model, const zn_joint_dof *dof, zn_travel *out)
{
    zn_attachment a = {dof->node, {0, 0, 0}}, ground = {{0}, {0, 0, 0}};
    if (dof->coordinate == ZN_COORDINATE_ANGLE)
        return zn_model_travel_about(model, dof->node, ground.node, (zn_vec3){0, 0, 1},
                                     model->node[dof->node.value - 1].angle, out);
    int     k = (int)dof->coordinate;
    zn_vec3 axis = {k == 0, k == 1, k == 2}, x = model->node[dof->node.value - 1].position;
    return zn_model_travel_along(model, a, ground, axis, zn_vec3_dot(axis, x), out);
}

zn_status zn_joint_add_transmission(zn_model *model, const zn_joint_def *def)
{
    const char     *name = name_of(def);
    bool            joints = def->joint[0] || def->joint[1];
    zn_transmission rule = {.count = 2, .restitution = def->restitution};
    if (!(def->backlash >= 0) || isinf(def->backlash))
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': backlash must be finite and >= 0", name);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': restitution must be in [0, 1]", name);
    for (int i = 0; i < 2; i++) {
        rule.factor[i] = joints ? def->factor[i] : def->dof[i].factor;
        if (!isfinite(rule.factor[i]) || rule.factor[i] == 0)
            return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': a factor is 0 or not finite", name);
        ZN_TRY(joints ? travel_of_joint(model, def, def->joint[i], &rule.travel[i])
                      : travel_of_dof(model, &def->dof[i], &rule.travel[i]));
        rule.value += rule.factor[i] * start_of(model, &rule.travel[i]);
    }
    if (def->backlash == 0)
        return add_rule(model, def->name, &zn_drive_ops, 1, &rule);
    set_bounds(&rule, -0.5 * def->backlash, 0.5 * def->backlash);
    return add_rule(model, def->name, &zn_stops_ops, rule.stops, &rule);
}
