// Joints: check the def, write its scalar equations (in space: build_joint3.c), add a rule to the model; and the check
// of all joints at the start.
#include <stdio.h>
#include <stdlib.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "base/assert.h"
#include "model/build/build_motor.h"
#include "model/joint/joint.h"
#include "model/model.h"

ZN_DEFINE_DEF(zn_joint_def, .b.at = {NAN, NAN, NAN}, .length = NAN, .dof = {{.factor = 1}, {.factor = 1}}, .start = NAN,
              .limits = {-INFINITY, INFINITY}, .rest = NAN, .factor = {1, 1})

static const char *name_of(const zn_joint_def *def) { return def->name ? def->name : "joint"; }

// --- checks --------------------------------------------------------------------------------------

// A body that must have an angle; the ground has one, 0.
static zn_status check_angle(const zn_model *model, const char *name, zn_node_id node)
{
    char text[80];
    if (node.value == 0 || model->node[node.value - 1].kind == ZN_FRAME2)
        return ZN_OK;
    zn_model_node_name(model, node.value - 1, text, sizeof text);
    if (model->node[node.value - 1].kind == ZN_FRAME3)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "joint '%s': '%s' has no single angle", name, text);
    return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': '%s' is a point mass and has no angle; give it an inertia",
                   name, text);
}

static zn_status check_dof(const zn_model *model, const char *name, const zn_joint_dof *dof)
{
    const zn_log *log = &model->log;
    if (dof->node.value <= 0 || dof->node.value > model->nodes)
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': no such node", name);
    if (dof->coordinate > ZN_COORDINATE_ANGLE)
        return zn_fail(log, ZN_ERR_ARGUMENT, "joint '%s': no such coordinate", name);
    bool scalar = model->node[dof->node.value - 1].kind == ZN_SCALAR;
    if (scalar && dof->coordinate != ZN_COORDINATE_X)
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': a generalized coordinate has x only", name);
    if (dof->coordinate == ZN_COORDINATE_Z && model->planar)
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': a z component in a planar model", name);
    if (!isfinite(dof->factor) || dof->factor == 0)
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': a factor is 0 or not finite", name);
    return dof->coordinate == ZN_COORDINATE_ANGLE ? check_angle(model, name, dof->node) : ZN_OK;
}

static zn_status check_dofs(const zn_model *model, const zn_joint_def *def)
{
    const char *name = name_of(def);
    ZN_TRY(check_dof(model, name, &def->dof[0]));
    if (def->kind == ZN_JOINT_MOTION)
        return def->motion ? ZN_OK : zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': it has no motion", name);
    ZN_TRY(check_dof(model, name, &def->dof[1]));
    if (def->dof[0].node.value == def->dof[1].node.value && def->dof[0].coordinate == def->dof[1].coordinate)
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': it couples a degree of freedom with itself", name);
    return ZN_OK;
}

// Body axes of the point of b that is at x in the initial configuration.
static zn_vec3 point_at(const zn_model *model, zn_node_id b, zn_vec3 x)
{
    if (b.value == 0)
        return x;
    const zn_node_def *node = &model->node[b.value - 1];
    if (!zn_node_rotates(node->kind))
        return (zn_vec3){0, 0, 0};
    return zn_quat_rotate(zn_quat_conjugate(zn_model_initial_rotation(model, b)), zn_vec3_sub(x, node->position));
}

// Both points, with the default of b filled in.
static zn_status check_points(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    const char   *name = name_of(def);
    zn_attachment b = def->b;
    bool          given = !isnan(b.at.x) || !isnan(b.at.y) || !isnan(b.at.z);
    if (!given)
        b.at = (zn_vec3){0, 0, 0};
    ZN_TRY(zn_model_check_attachment(model, &def->a, "joint", name));
    ZN_TRY(zn_model_check_attachment(model, &b, "joint", name));
    if (def->a.node.value == 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': its first body is the ground", name);
    if (def->a.node.value == b.node.value)
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': it joins a body with itself", name);
    if (!given && def->kind != ZN_JOINT_ROD)
        b.at = point_at(model, b.node, zn_model_initial_position(model, &def->a));
    joint->a = def->a;
    joint->b = b;
    return ZN_OK;
}

// --- equations -----------------------------------------------------------------------------------

static void add_equation(zn_joint *joint, zn_equation_kind kind, zn_vec3 direction, double value, const char *label)
{
    zn_joint_add_equation(joint, (zn_equation){.kind = kind, .direction = direction, .value = value, .label = label});
}

static double initial_angle(const zn_model *model, zn_node_id node)
{
    return node.value == 0 ? 0 : model->node[node.value - 1].angle;
}

static zn_status add_angle(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    const char *name = name_of(def);
    ZN_TRY(check_angle(model, name, joint->a.node));
    ZN_TRY(check_angle(model, name, joint->b.node));
    add_equation(joint, ZN_EQUATION_ANGLE, (zn_vec3){0, 0, 0},
                 initial_angle(model, joint->a.node) - initial_angle(model, joint->b.node), "moment");
    return ZN_OK;
}

zn_vec3 zn_joint_initial_span(const zn_model *model, const zn_joint *joint)
{
    return zn_vec3_sub(zn_model_initial_position(model, &joint->a), zn_model_initial_position(model, &joint->b));
}

static zn_status add_across(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    double length = zn_vec3_norm(def->axis);
    if (!(length > 0) || !isfinite(length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': zero axis", name_of(def));
    if (def->axis.z != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': a z component in a planar model", name_of(def));
    zn_vec3 n = {-def->axis.y / length, def->axis.x / length, 0};
    zn_vec3 world = zn_quat_rotate(zn_model_initial_rotation(model, joint->b.node), n);
    add_equation(joint, ZN_EQUATION_ACROSS, n, zn_vec3_dot(world, zn_joint_initial_span(model, joint)), "across");
    return ZN_OK;
}

static zn_status add_distance(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    double length = zn_vec3_norm(zn_joint_initial_span(model, joint));
    if (!(length > 0))
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': its ends coincide at the start", name_of(def));
    if (!isnan(def->length) && (!(def->length > 0) || !isfinite(def->length)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': length %g m is not positive", name_of(def), def->length);
    add_equation(joint, ZN_EQUATION_DISTANCE, (zn_vec3){0, 0, 0}, isnan(def->length) ? length : def->length, NULL);
    return ZN_OK;
}

static double initial_coordinate(const zn_model *model, const zn_joint_dof *dof)
{
    const zn_node_def *node = &model->node[dof->node.value - 1];
    const double       value[4] = {node->position.x, node->position.y, node->position.z, node->angle};
    return value[dof->coordinate];
}

static zn_status add_dofs(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    ZN_TRY(check_dofs(model, def));
    bool   motion = def->kind == ZN_JOINT_MOTION;
    double value = 0;
    joint->dofs = motion ? 1 : 2;
    joint->motion = motion ? def->motion : NULL;
    for (int i = 0; i < joint->dofs; i++) {
        joint->dof[i] = def->dof[i];
        if (motion)
            joint->dof[i].factor = 1;
        value += motion ? 0 : def->dof[i].factor * initial_coordinate(model, &def->dof[i]);
    }
    add_equation(joint, ZN_EQUATION_DOFS, (zn_vec3){0, 0, 0}, value, NULL);
    return ZN_OK;
}

static zn_status add_revolute(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    (void)model, (void)def;
    add_equation(joint, ZN_EQUATION_POINT, (zn_vec3){1, 0, 0}, 0, "x");
    add_equation(joint, ZN_EQUATION_POINT, (zn_vec3){0, 1, 0}, 0, "y");
    return ZN_OK;
}

static zn_status add_fixed(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    ZN_TRY(add_revolute(model, def, joint));
    return add_angle(model, def, joint);
}

static zn_status add_prismatic(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    ZN_TRY(add_across(model, def, joint));
    return add_angle(model, def, joint);
}

// What each kind of joint consists of; NULL: there is no such joint.
typedef zn_status add_equations(const zn_model *model, const zn_joint_def *def, zn_joint *joint);

static const struct {
    bool           points;
    add_equations *planar, *spatial;
} table[] = {
    [ZN_JOINT_FIXED] = {true, add_fixed, zn_joint3_fixed},
    [ZN_JOINT_REVOLUTE] = {true, add_revolute, zn_joint3_revolute},
    [ZN_JOINT_PRISMATIC] = {true, add_prismatic, zn_joint3_prismatic},
    [ZN_JOINT_ROD] = {true, add_distance, add_distance},
    [ZN_JOINT_COUPLING] = {false, add_dofs, add_dofs},
    [ZN_JOINT_MOTION] = {false, add_dofs, add_dofs},
    [ZN_JOINT_SPHERICAL] = {true, NULL, zn_joint3_spherical},
    [ZN_JOINT_CYLINDRICAL] = {true, NULL, zn_joint3_cylindrical},
    [ZN_JOINT_PLANAR] = {true, NULL, zn_joint3_planar},
    [ZN_JOINT_UNIVERSAL] = {true, NULL, zn_joint3_universal},
};

// --- equations that hold anyway ------------------------------------------------------------------

// The initial configuration, with degrees of freedom numbered just to tell the fixed ones.
typedef struct initial {
    zn_layout layout;
    double   *q;
    bool     *fixed;
} initial;

static zn_status create_initial(const zn_model *model, initial *s)
{
    *s = (initial){.layout = {model->nodes, ZN_NEW(zn_layout_node, model->nodes), 0},
                   .q = ZN_NEW(double, 7 * (size_t)model->nodes),
                   .fixed = ZN_NEW(bool, 6 * (size_t)model->nodes)};
    if (!s->layout.node || !s->q || !s->fixed)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < model->nodes; i++) {
        zn_layout_node *node = &s->layout.node[i];
        *node = (zn_layout_node){.kind = model->node[i].kind, .q = 7 * i, .origin = model->node[i].origin};
        zn_node_initial(&model->node[i], s->q + node->q);
        for (int slot = 0; slot < 6; slot++) {
            node->dof[slot] = zn_node_has(node->kind, slot) ? 6 * i + slot : -1;
            s->fixed[6 * i + slot] = zn_node_fixes(&model->node[i], slot);
        }
    }
    return ZN_OK;
}

static void destroy_initial(initial *s)
{
    free(s->layout.node);
    free(s->q);
    free(s->fixed);
}

static bool acts_on_something(const initial *s, const zn_contact_product *row)
{
    for (int i = 0; i < row->entries; i++)
        if (row->value[i] != 0 && !s->fixed[row->dof[i]])
            return true;
    return false;
}

// Whether a body turns and a point of it with it.
static bool turns(const zn_model *model, zn_node_id node)
{
    return node.value > 0 && zn_node_rotates(model->node[node.value - 1].kind) &&
           !(model->node[node.value - 1].fixed & ZN_FIX_ROTATION);
}

static bool swings(const zn_model *model, const zn_attachment *a)
{
    return turns(model, a->node) && (a->at.x != 0 || a->at.y != 0 || a->at.z != 0);
}

// An equation without a row at the start might get one later, when something has turned.
static bool stays_idle(const zn_model *model, const zn_joint *joint, const zn_equation *eq)
{
    switch (eq->kind) {
    case ZN_EQUATION_POINT:
    case ZN_EQUATION_DISTANCE:
        return !swings(model, &joint->a) && !swings(model, &joint->b);
    case ZN_EQUATION_ACROSS:
        return !swings(model, &joint->a) && !turns(model, joint->b.node);
    case ZN_EQUATION_ANGLE:
    case ZN_EQUATION_RIGHT:
        return !turns(model, joint->a.node) && !turns(model, joint->b.node);
    case ZN_EQUATION_DOFS:
        return !joint->motion;
    }
    return false;
}

static bool holds_anyway(const zn_model *model, const initial *s, const zn_joint *joint, int k)
{
    int                dof[ZN_CONTACT_ENTRIES];
    double             value[ZN_CONTACT_ENTRIES];
    zn_contact_product row = {.dof = dof, .value = value};
    return zn_joint_ops.evaluate(joint, &s->layout, (zn_contact_key){.number = k}, s->q, model->start, &row) == ZN_OK &&
           fabs(row.gap) <= 1e-9 && !acts_on_something(s, &row) && stays_idle(model, joint, &joint->equation[k]);
}

static bool is_on_fixed(const zn_model *model, const zn_joint *joint)
{
    const zn_node_id node[] = {joint->a.node, joint->b.node, joint->dof[0].node, joint->dof[1].node};
    bool             fixed = false;
    for (int i = 0; i < 4; i++)
        fixed |= node[i].value > 0 && model->node[node[i].value - 1].fixed != 0;
    return fixed;
}

// Equations between fixed degrees of freedom that hold, and will, are left out: they would be rows of zeros.
static zn_status drop_idle(const zn_model *model, zn_joint *joint)
{
    initial s;
    if (!is_on_fixed(model, joint))
        return ZN_OK;
    zn_status status = create_initial(model, &s);
    int       kept = 0;
    bool      idle[ZN_JOINT_EQUATIONS];
    for (int k = 0; status == ZN_OK && k < joint->equations; k++)
        idle[k] = holds_anyway(model, &s, joint, k);
    for (int k = 0; status == ZN_OK && k < joint->equations; k++)
        if (!idle[k])
            joint->equation[kept++] = joint->equation[k];
    destroy_initial(&s);
    ZN_TRY(status);
    joint->equations = kept;
    return kept > 0 ? ZN_OK
                    : zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': it holds nothing that can move", joint->name);
}

static void name_components(zn_joint *joint)
{
    size_t length = 0;
    for (int k = 0; k < joint->equations && joint->equation[k].label; k++)
        length += (size_t)snprintf(joint->components + length, sizeof joint->components - length, "%s%s",
                                   k == 0 ? "" : " ", joint->equation[k].label);
    ZN_ASSERT(length < sizeof joint->components);
}

// Shapes of the two do not meet unless they are asked to. A rod holds nothing together.
static zn_status note_hold(zn_model *model, const zn_joint_def *def, const zn_joint *joint)
{
    int64_t a = joint->a.node.value, b = joint->b.node.value;
    if (!table[def->kind].points || def->kind == ZN_JOINT_ROD)
        return ZN_OK;
    return ZN_PUSH(model->hold, model->holds, model->hold_capacity, a < b ? a << 32 | b : b << 32 | a);
}

zn_status zn_model_add_joint(zn_model *model, const zn_joint_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_joint_def, def, &model->log);
    ZN_TRY(zn_model_adopt(model, def->motion));
    ZN_TRY(zn_model_refuse_feedback(model, "joint", def->name ? def->name : "joint", 1, &def->motion));
    const char *name = name_of(def);
    zn_joint    joint = {.log = &model->log};
    if (def->kind > ZN_JOINT_UNIVERSAL)
        return zn_fail(&model->log, ZN_ERR_ARGUMENT, "joint '%s': no such kind", name);
    add_equations *add = model->planar ? table[def->kind].planar : table[def->kind].spatial;
    if (!add)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "joint '%s': there is no such joint in the plane", name);
    if (table[def->kind].points)
        ZN_TRY(check_points(model, def, &joint));
    if (zn_joint_is_transmission(def)) {
        ZN_TRY(def->joint[0] || def->joint[1] ? ZN_OK : check_dofs(model, def));
        return zn_joint_add_transmission(model, def);
    }
    ZN_TRY(note_hold(model, def, &joint));
    if (def->play)
        return zn_model_add_play(model, def, &joint.a, &joint.b);
    ZN_TRY(add(model, def, &joint));
    ZN_TRY(zn_joint_add_travel(model, def, &joint));
    joint.name = name;
    ZN_TRY(drop_idle(model, &joint));
    name_components(&joint);
    ZN_TRY(zn_model_add_rows_rule(model, def->name, &zn_joint_ops, joint.equations, 1, &joint, sizeof joint));
    const zn_contact_rule *added = &model->rule[model->rules - 1];
    ((zn_joint *)added->parameter)->name = added->name;
    return zn_joint_act_on_travel(model, def, added->parameter);
}

// --- all joints at the start ---------------------------------------------------------------------

// "3 mm", "0.2 rad"
static const char *amount(double value, bool angle, char text[32])
{
    static const char *const unit[] = {"m", "mm", "um", "nm"};
    int                      i = 0;
    for (; !angle && fabs(value) < 1 && i < 3; i++)
        value *= 1000;
    snprintf(text, 32, "%.3g %s", fabs(value), angle ? "rad" : unit[i]);
    return text;
}

static void report_violation(const zn_model *model, const zn_joint *joint, int k, double gap)
{
    char text[32], unit[] = "rad";
    bool angle = zn_joint_ops.angular(joint, k);
    amount(gap, angle, text);
    if (!angle)
        snprintf(unit, sizeof unit, "m");
    if (joint->motion)
        zn_log_write(&model->log, ZN_LOG_ERROR,
                     "joint '%s': violated by %s at the start: the initial value is %.12g %s, but the motion at t = "
                     "%g s is %.12g %s",
                     joint->name, text, initial_coordinate(model, &joint->dof[0]), unit, model->start,
                     zn_signal_at(joint->motion, model->start), unit);
    else
        zn_log_write(&model->log, ZN_LOG_ERROR, "joint '%s': violated by %s at the start", joint->name, text);
}

// What to say of an equation that acts on nothing.
static const char *idle_text(const zn_equation *eq)
{
    if (eq->kind == ZN_EQUATION_ANGLE)
        return "the angle is fixed already";
    return eq->kind == ZN_EQUATION_RIGHT ? "the rotation is fixed already" : "it holds nothing that can move";
}

// One message per joint: its first equation that fails.
static zn_status check_joint(const zn_model *model, const initial *s, const zn_joint *joint, int *faults)
{
    for (int k = 0; k < joint->equations; k++) {
        int                dof[ZN_CONTACT_ENTRIES];
        double             value[ZN_CONTACT_ENTRIES];
        zn_contact_product row = {.dof = dof, .value = value};
        zn_status          status =
            zn_joint_ops.evaluate(joint, &s->layout, (zn_contact_key){.number = k}, s->q, model->start, &row);
        if (status == ZN_OK && fabs(row.gap) <= 1e-9 && acts_on_something(s, &row))
            continue;
        ++*faults;
        if (status == ZN_OK && !(fabs(row.gap) <= 1e-9))
            report_violation(model, joint, k, row.gap);
        else if (status == ZN_OK)
            zn_log_write(&model->log, ZN_LOG_ERROR, "joint '%s': %s", joint->name, idle_text(&joint->equation[k]));
        return ZN_OK;
    }
    return ZN_OK;
}

// In a part of a model (subset.h) rules that do not belong to it are empty.
static bool is_joint(const zn_contact_rule *rule) { return rule->ops == &zn_joint_ops && rule->max_contacts > 0; }

zn_status zn_model_check_joints(const zn_model *model, int *faults)
{
    int joints = 0;
    for (int i = 0; i < model->rules; i++)
        joints += is_joint(&model->rule[i]);
    if (joints == 0)
        return ZN_OK;
    initial   s;
    zn_status status = create_initial(model, &s);
    for (int i = 0; status == ZN_OK && *faults < 20 && i < model->rules; i++)
        if (is_joint(&model->rule[i])) {
            zn_model_locate(model, model->rule[i].name);
            status = check_joint(model, &s, model->rule[i].parameter, faults);
        }
    destroy_initial(&s);
    return status;
}
