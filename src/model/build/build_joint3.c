// Joints in space. With an axis n, given in world axes at the start, and s, t that complete it to a right-handed frame,
// all carried by both bodies from there:
//     coincide   x_a = x_b along x, y, z
//     across     s_b.(x_a - x_b), t_b.(x_a - x_b) as at the start        (along: the same with n_b)
//     parallel   n_a.s_b = n_a.t_b = 0
//     no turning the same and s_a.t_b = 0
// Equations of right angles also hold where an axis points backwards, but no motion leads there.
#include "model/joint/joint.h"
#include "model/model.h"

static const char *name_of(const zn_joint_def *def) { return def->name ? def->name : "joint"; }

// n, s, t in world axes at the start.
typedef struct axes {
    zn_vec3 n, s, t;
    bool    world; // x, y, z
} axes;

static zn_status unit_of(const zn_model *model, const zn_joint_def *def, zn_vec3 axis, zn_vec3 *out)
{
    double length = zn_vec3_norm(axis);
    if (!(length > 0) || !isfinite(length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': zero axis", name_of(def));
    *out = zn_vec3_scale(1 / length, axis);
    return ZN_OK;
}

static axes axes_around(zn_vec3 n)
{
    zn_vec3 across[2];
    zn_contact_tangents(n, false, across);
    return (axes){n, across[0], across[1], false};
}

static zn_status axes_of(const zn_model *model, const zn_joint_def *def, axes *out)
{
    zn_vec3 n = {0, 0, 0};
    ZN_TRY(unit_of(model, def, def->axis, &n));
    *out = axes_around(n);
    return ZN_OK;
}

// Both bodies can turn; the ground counts as one that does not.
static zn_status check_turning(const zn_model *model, const zn_joint_def *def, const zn_joint *joint)
{
    const zn_node_id id[2] = {joint->a.node, joint->b.node};
    for (int i = 0; i < 2; i++) {
        char text[80];
        if (id[i].value == 0 || zn_node_rotates(model->node[id[i].value - 1].kind))
            continue;
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "joint '%s': '%s' is a point mass and has no rotation; give it an inertia", name_of(def),
                       zn_model_node_name(model, id[i].value - 1, text, sizeof text));
    }
    return ZN_OK;
}

// A vector in world axes at the start, in the axes of a body.
static zn_vec3 carried(const zn_model *model, zn_node_id body, zn_vec3 world)
{
    return zn_quat_rotate(zn_quat_conjugate(zn_model_initial_rotation(model, body)), world);
}

// --- equations -----------------------------------------------------------------------------------

static void add_coincidence(zn_joint *joint)
{
    static const zn_vec3     direction[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const char *const label[3] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++)
        zn_joint_add_equation(joint,
                              (zn_equation){.kind = ZN_EQUATION_POINT, .direction = direction[i], .label = label[i]});
}

// direction_b.(x_a - x_b) stays.
static void add_offset(const zn_model *model, zn_joint *joint, zn_vec3 direction, const char *label)
{
    zn_vec3 body = carried(model, joint->b.node, direction);
    zn_vec3 world = zn_quat_rotate(zn_model_initial_rotation(model, joint->b.node), body);
    double  value = zn_vec3_dot(world, zn_joint_initial_span(model, joint));
    zn_joint_add_equation(joint,
                          (zn_equation){.kind = ZN_EQUATION_ACROSS, .direction = body, .value = value, .label = label});
}

// u_a.w_b = 0: its multiplier is a moment on a about u x w.
static void add_right(const zn_model *model, zn_joint *joint, zn_vec3 u, zn_vec3 w, const char *label)
{
    zn_joint_add_equation(joint, (zn_equation){.kind = ZN_EQUATION_RIGHT,
                                               .direction = carried(model, joint->b.node, w),
                                               .other = carried(model, joint->a.node, u),
                                               .label = label});
}

static void add_parallel(const zn_model *model, zn_joint *joint, const axes *x)
{
    add_right(model, joint, x->n, x->s, x->world ? "moment_z" : "moment_t");
    add_right(model, joint, x->n, zn_vec3_scale(-1, x->t), x->world ? "moment_y" : "moment_s");
}

static void add_no_turning(const zn_model *model, zn_joint *joint, const axes *x)
{
    add_parallel(model, joint, x);
    add_right(model, joint, x->s, x->t, x->world ? "moment_x" : "moment_n");
}

// --- joints --------------------------------------------------------------------------------------

zn_status zn_joint3_spherical(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    (void)model, (void)def;
    add_coincidence(joint);
    return ZN_OK;
}

zn_status zn_joint3_fixed(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    const axes x = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, true};
    ZN_TRY(check_turning(model, def, joint));
    add_coincidence(joint);
    add_no_turning(model, joint, &x);
    return ZN_OK;
}

zn_status zn_joint3_revolute(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    axes x = {0};
    ZN_TRY(axes_of(model, def, &x));
    ZN_TRY(check_turning(model, def, joint));
    add_coincidence(joint);
    add_parallel(model, joint, &x);
    return ZN_OK;
}

zn_status zn_joint3_prismatic(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    axes x = {0};
    ZN_TRY(axes_of(model, def, &x));
    ZN_TRY(check_turning(model, def, joint));
    add_offset(model, joint, x.s, "s");
    add_offset(model, joint, x.t, "t");
    add_no_turning(model, joint, &x);
    return ZN_OK;
}

zn_status zn_joint3_cylindrical(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    axes x = {0};
    ZN_TRY(axes_of(model, def, &x));
    ZN_TRY(check_turning(model, def, joint));
    add_offset(model, joint, x.s, "s");
    add_offset(model, joint, x.t, "t");
    add_parallel(model, joint, &x);
    return ZN_OK;
}

zn_status zn_joint3_planar(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    axes x = {0};
    ZN_TRY(axes_of(model, def, &x));
    ZN_TRY(check_turning(model, def, joint));
    add_offset(model, joint, x.n, "n");
    add_parallel(model, joint, &x);
    return ZN_OK;
}

zn_status zn_joint3_universal(const zn_model *model, const zn_joint_def *def, zn_joint *joint)
{
    zn_vec3 u = {0, 0, 0}, w = {0, 0, 0};
    ZN_TRY(unit_of(model, def, def->axis, &u));
    ZN_TRY(unit_of(model, def, def->axis2, &w));
    ZN_TRY(check_turning(model, def, joint));
    if (!(fabs(zn_vec3_dot(u, w)) <= 1e-9))
        return zn_fail(&model->log, ZN_ERR_MODEL, "joint '%s': its two axes are not perpendicular: their cosine is %g",
                       name_of(def), zn_vec3_dot(u, w));
    w = zn_vec3_sub(w, zn_vec3_scale(zn_vec3_dot(u, w), u)); // to rounding
    add_coincidence(joint);
    add_right(model, joint, u, w, "moment");
    return ZN_OK;
}
