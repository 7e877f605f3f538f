// Contacts: check the def, then add a rule to the model.
#include "model/cookie.h"
#include "model/model.h"
#include "model/nodes_plane.h"

zn_contact_def zn_contact_def_default(void) { return (zn_contact_def){.cookie = ZN_COOKIE}; }

static const char *name_of(const zn_contact_def *def) { return def->name ? def->name : "contact"; }

static zn_status check_law(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': restitution %g is not in [0, 1]", name, def->restitution);
    if (!(def->friction >= 0) || !isfinite(def->friction))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': friction %g is not at least 0", name, def->friction);
    if (!(fabs(def->tangential_restitution) <= 1))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': tangential restitution %g is not in [-1, 1]", name,
                       def->tangential_restitution);
    if (!(def->radius >= 0) || !isfinite(def->radius))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': radius %g m is not at least 0", name, def->radius);
    return ZN_OK;
}

// Unit vector along `a`; `what` has it.
static zn_status unit_of(const zn_model *model, const char *name, const char *what, zn_vec3 a, zn_vec3 *out)
{
    double length = zn_vec3_norm(a);
    if (!(length > 0) || !isfinite(length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': the %s has no direction", name, what);
    if (model->planar && a.z != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': a z component in a planar model", name);
    *out = zn_vec3_scale(1 / length, a);
    return ZN_OK;
}

static zn_status check_size(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    bool          round = def->surface == ZN_SURFACE_CIRCLE || def->surface == ZN_SURFACE_HOLE;
    if (round && (!(def->surface_radius > 0) || !isfinite(def->surface_radius)))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the radius %g m of its surface is not positive", name,
                       def->surface_radius);
    if (def->surface == ZN_SURFACE_HOLE && !(def->surface_radius > def->radius))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a hole of radius %g m is too small for radius %g m", name,
                       def->surface_radius, def->radius);
    if (def->surface == ZN_SURFACE_SLOT && (!(def->width > 2 * def->radius) || !isfinite(def->width)))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a slot of width %g m is too small for radius %g m", name,
                       def->width, def->radius);
    if (def->surface == ZN_SURFACE_SLOT && !model->planar)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "contact '%s': slots are planar", name);
    return ZN_OK;
}

static zn_status check_points(const zn_model *model, const zn_contact_def *def)
{
    if (def->point.node.value != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': it has both a point and points", name_of(def));
    if (def->surface != ZN_SURFACE_PLANE || def->surface_node.value != 0)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "contact '%s': sets of nodes meet fixed planes only",
                       name_of(def));
    zn_attachment surface = {def->surface_node, def->through};
    ZN_TRY(zn_model_check_attachment(model, &surface, "contact", name_of(def)));
    return check_law(model, def);
}

static zn_status check_contact(const zn_model *model, const zn_contact_def *def)
{
    if (def->points)
        return check_points(model, def);
    const char   *name = name_of(def);
    zn_attachment surface = {def->surface_node, def->through};
    ZN_TRY(zn_model_check_attachment(model, &def->point, "contact", name));
    ZN_TRY(zn_model_check_attachment(model, &surface, "contact", name));
    if (def->point.node.value == 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': its point is on the ground", name);
    if (def->point.node.value == def->surface_node.value)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': point and surface are on the same body", name);
    if (def->surface > ZN_SURFACE_SLOT)
        return zn_fail(&model->log, ZN_ERR_ARGUMENT, "contact '%s': no such surface", name);
    ZN_TRY(check_law(model, def));
    return check_size(model, def);
}

static int rows_of(const zn_model *model, const zn_contact_def *def)
{
    return def->friction == 0 ? 1 : model->planar ? 2 : 3;
}

// Whether sliding is no displacement: on round surfaces, and of balls in space.
static bool rolls(const zn_model *model, const zn_contact_def *def)
{
    bool straight = def->surface == ZN_SURFACE_PLANE || def->surface == ZN_SURFACE_SLOT;
    return !straight || (!model->planar && def->radius > 0);
}

static zn_status add_fixed_plane(zn_model *model, const zn_contact_def *def, zn_vec3 normal)
{
    zn_point_plane rule = {
        .point = def->point,
        .normal = normal,
        .through = zn_vec3_add(def->through, zn_vec3_scale(def->radius, normal)),
        .restitution = def->restitution,
        .radius = def->radius,
        .friction = def->friction,
        .tangential_restitution = def->tangential_restitution,
        .planar = model->planar,
    };
    zn_contact_tangents(normal, model->planar, rule.tangent);
    const zn_contact_ops *ops = def->friction == 0  ? &zn_point_plane_ops
                                : rolls(model, def) ? &zn_point_plane_rolling_ops
                                                    : &zn_point_plane_friction_ops;
    return zn_model_add_rows_rule(model, def->name, ops, 1, rows_of(model, def), &rule, sizeof rule);
}

static zn_status add_surface(zn_model *model, const zn_contact_def *def, zn_vec3 normal)
{
    bool             slot = def->surface == ZN_SURFACE_SLOT;
    bool             round_surface = def->surface == ZN_SURFACE_CIRCLE || def->surface == ZN_SURFACE_HOLE;
    zn_rigid_contact rule = {
        .point = def->point,
        .surface = {def->surface_node, def->through},
        .kind = def->surface,
        .normal = normal,
        .radius = def->radius,
        .size = slot ? def->width / 2 : def->surface_radius,
        .restitution = def->restitution,
        .friction = def->friction,
        .tangential_restitution = def->tangential_restitution,
        .planar = model->planar,
        .log = &model->log,
    };
    if (!round_surface)
        zn_contact_tangents(normal, model->planar, rule.tangent);
    const zn_contact_ops *ops = rolls(model, def) ? &zn_rigid_contact_rolling_ops : &zn_rigid_contact_ops;
    ZN_TRY(zn_model_add_rows_rule(model, def->name, ops, slot ? 2 : 1, rows_of(model, def), &rule, sizeof rule));
    const zn_contact_rule *added = &model->rule[model->rules - 1];
    ((zn_rigid_contact *)added->parameter)->name = added->name;
    return ZN_OK;
}

zn_status zn_model_add_contact(zn_model *model, const zn_contact_def *def)
{
    ZN_CHECK_DEF(def, &model->log);
    ZN_TRY(check_contact(model, def));
    zn_vec3 normal = {0, 0, 0}, axis = {0, 0, 0};
    if (def->surface == ZN_SURFACE_PLANE)
        ZN_TRY(unit_of(model, name_of(def), "plane", def->normal, &normal));
    if (def->surface == ZN_SURFACE_SLOT) {
        ZN_TRY(unit_of(model, name_of(def), "slot", def->axis, &axis));
        normal = (zn_vec3){-axis.y, axis.x, 0}; // to the left of the axis
    }
    if (def->points)
        return zn_model_add_nodes_plane(model, def, normal, rows_of(model, def));
    if (def->surface == ZN_SURFACE_PLANE && def->surface_node.value == 0)
        return add_fixed_plane(model, def, normal);
    return add_surface(model, def, normal);
}
