// Contacts: check the def, then add a rule to the model.
#include <stdlib.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "model/contact/cylinder_contact.h"
#include "model/contact/rolling.h"

ZN_DEFINE_DEF(zn_contact_def, .name = NULL)

static const char *name_of(const zn_contact_def *def) { return def->name ? def->name : "contact"; }

static zn_status check_rolling(const zn_model *model, const zn_contact_def *def, const char *what, double length)
{
    if (!(length >= 0) || !isfinite(length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': %s friction %g m is not at least 0", name_of(def),
                       what, length);
    if (length > 0 && def->friction == 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': it has %s friction, but no friction against sliding",
                       name_of(def), what);
    return ZN_OK;
}

zn_status zn_model_check_law(const zn_model *model, const zn_contact_def *def)
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
    ZN_TRY(check_rolling(model, def, "rolling", def->rolling_friction));
    ZN_TRY(check_rolling(model, def, "spinning", def->spinning_friction));
    if (model->planar && def->spinning_friction > 0)
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': nothing spins about a normal in the plane", name);
    if (!(def->restitution_from >= 0) || !isfinite(def->restitution_from))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': restitution from %g m/s on: not at least 0", name,
                       def->restitution_from);
    if (!(def->cohesion >= 0) || !isfinite(def->cohesion))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': cohesion %g N is not at least 0", name, def->cohesion);
    if (!(def->radius >= 0) || !isfinite(def->radius))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': radius %g m is not at least 0", name, def->radius);
    return ZN_OK;
}

void zn_model_set_restitution_from(zn_model *model, int first, double speed)
{
    for (int i = first; i < model->rules; i++)
        model->rule[i].restitution_from = speed;
}

void zn_model_set_cohesion(zn_model *model, int first, double force)
{
    for (int i = first; i < model->rules; i++)
        model->rule[i].cohesion = force;
}

zn_status zn_model_contact_unit(const zn_model *model, const char *name, const char *what, zn_vec3 a, zn_vec3 *out)
{
    double length = zn_vec3_norm(a);
    if (!(length > 0) || !isfinite(length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': the %s has no direction", name, what);
    if (model->planar && a.z != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': a z component in a planar model", name);
    *out = zn_vec3_scale(1 / length, a);
    return ZN_OK;
}

static zn_status check_round(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    if (!(def->surface_radius > 0) || !isfinite(def->surface_radius))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the radius %g m of its surface is not positive", name,
                       def->surface_radius);
    if (def->surface == ZN_SURFACE_HOLE && !(def->surface_radius > def->radius))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a hole of radius %g m is too small for radius %g m", name,
                       def->surface_radius, def->radius);
    return ZN_OK;
}

static zn_status check_slot(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    if (!(def->width > 2 * def->radius) || !isfinite(def->width))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a slot of width %g m is too small for radius %g m", name,
                       def->width, def->radius);
    if (!model->planar)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "contact '%s': slots are planar", name);
    if (def->points)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "contact '%s': sets of nodes do not meet slots", name);
    return ZN_OK;
}

static bool is_bounded(const zn_contact_def *def)
{
    return def->surface == ZN_SURFACE_PLANE && (def->length != 0 || def->breadth != 0);
}

static zn_status check_face(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    if (!is_bounded(def))
        return ZN_OK;
    if (!(def->length > 0) || !isfinite(def->length))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the length %g m of its face is not positive", name,
                       def->length);
    if (model->planar && def->breadth != 0)
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a face in the plane has no breadth", name);
    if (!model->planar && (!(def->breadth > 0) || !isfinite(def->breadth)))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the breadth %g m of its face is not positive", name,
                       def->breadth);
    if (!(def->depth >= 0) || !isfinite(def->depth))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the depth %g m of its face is not at least 0", name,
                       def->depth);
    return ZN_OK;
}

// The surface is that of a solid or of a shape, which know where they are.
static bool is_named(const zn_contact_def *def)
{
    return def->surface == ZN_SURFACE_FACETS || def->surface == ZN_SURFACE_SHAPE;
}

static zn_status check_surface(const zn_model *model, const zn_contact_def *def)
{
    zn_attachment surface = {def->surface_node, def->through};
    if (def->surface > ZN_SURFACE_SHAPE)
        return zn_fail(&model->log, ZN_ERR_ARGUMENT, "contact '%s': no such surface", name_of(def));
    if (!is_named(def))
        ZN_TRY(zn_model_check_attachment(model, &surface, "contact", name_of(def)));
    if (def->surface == ZN_SURFACE_CIRCLE || def->surface == ZN_SURFACE_HOLE)
        ZN_TRY(check_round(model, def));
    if (def->surface == ZN_SURFACE_SLOT)
        ZN_TRY(check_slot(model, def));
    if (zn_contact_is_turned(def))
        ZN_TRY(zn_model_check_cylinder(model, def));
    return check_face(model, def);
}

static zn_status check_contact(const zn_model *model, const zn_contact_def *def)
{
    const char *name = name_of(def);
    if (def->points && def->point.node.value != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': it has both a point and points", name);
    if (!def->points) {
        ZN_TRY(zn_model_check_attachment(model, &def->point, "contact", name));
        if (def->point.node.value == 0 && (is_named(def) || def->surface_node.value == 0))
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': its point is on the ground%s", name,
                           is_named(def) ? "" : ", as its surface is");
    }
    ZN_TRY(zn_model_check_law(model, def));
    return check_surface(model, def);
}

// --- points --------------------------------------------------------------------------------------

// Nodes; against a solid the corners of a shape, which may have the name of its body.
static zn_status list_set(const zn_model *model, const zn_contact_def *def, zn_contact_points *out)
{
    int               count = 0;
    const zn_node_id *node = zn_model_find_node_set(model, def->points, &count);
    const zn_named   *part = node ? NULL : zn_names_find(&model->names, def->points);
    bool              nodes = node || (part && part->node >= 0 && zn_named_count(part) > 0),
         shape = !node && zn_model_count_shapes(model, def->points) > 0;
    if (shape && def->surface == ZN_SURFACE_FACETS && !(nodes && !zn_model_has_corners(model, def->points)))
        return zn_model_shape_corners(model, name_of(def), def->points, out);
    if (!nodes && shape)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED,
                       "contact '%s': corners of a shape meet surfaces of solids; shapes meet each other",
                       name_of(def));
    if (!nodes)
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "contact '%s': there is no node set '%s', nor a part or shape of that name", name_of(def),
                       def->points);
    count = node ? count : zn_named_count(part);
    out->point = ZN_NEW(zn_attachment, count);
    if (!out->point)
        return ZN_ERR_MEMORY;
    out->count = count;
    for (int i = 0; i < count; i++)
        out->point[i].node = node ? node[i] : (zn_node_id){zn_named_node(part, i) + 1};
    return ZN_OK;
}

// The points of the def, allocated.
static zn_status list_points(const zn_model *model, const zn_contact_def *def, zn_contact_points *out)
{
    if (def->points)
        return list_set(model, def, out);
    out->point = ZN_NEW(zn_attachment, 1);
    if (!out->point)
        return ZN_ERR_MEMORY;
    out->count = 1;
    out->point[0] = def->point;
    return ZN_OK;
}

static zn_status check_points(const zn_model *model, const zn_contact_def *def, const zn_contact_points *points)
{
    for (int i = 0; i < points->count; i++) {
        zn_node_id node = points->point[i].node;
        char       text[ZN_NODE_TEXT];
        if (node.value > 0 && model->node[node.value - 1].kind == ZN_SCALAR)
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': node '%s' has no position", name_of(def),
                           zn_model_node_name(model, node.value - 1, text, sizeof text));
        if (!is_named(def) && node.value == def->surface_node.value)
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': point and surface are on the same body",
                           name_of(def));
    }
    return ZN_OK;
}

// --- rules ---------------------------------------------------------------------------------------

static int rows_of(const zn_model *model, const zn_contact_def *def)
{
    return def->friction == 0 ? 1 : model->planar ? 2 : 3;
}

static zn_rolling rolling_of(const zn_model *model, const zn_contact_def *def)
{
    return (zn_rolling){def->rolling_friction, def->spinning_friction, model->planar};
}

static bool turns(const zn_model *model, zn_node_id node)
{
    return node.value > 0 && zn_node_rotates(model->node[node.value - 1].kind);
}

// Which contacts may have friction against rolling and spinning.
static zn_status refuse_rolling(const zn_model *model, const zn_contact_def *def, const zn_contact_points *points)
{
    zn_rolling rolling = rolling_of(model, def);
    bool       any = !is_named(def) && turns(model, def->surface_node);
    if (zn_rolling_count(&rolling) == 0)
        return ZN_OK;
    if (is_named(def) || zn_contact_is_turned(def))
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED,
                       "contact '%s': rolling and spinning friction are for points and balls on planes, circles, holes "
                       "and slots, and for shapes",
                       name_of(def));
    for (int i = 0; i < points->count; i++)
        any |= turns(model, points->point[i].node);
    if (!any)
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "contact '%s': neither its point nor its surface can turn, so nothing rolls or spins",
                       name_of(def));
    return ZN_OK;
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

zn_status zn_model_face_tangents(const zn_model *model, const zn_contact_def *def, zn_vec3 normal, zn_vec3 tangent[2])
{
    zn_contact_tangents(normal, model->planar, tangent);
    if (model->planar || !is_bounded(def) || zn_vec3_norm(def->along) == 0)
        return ZN_OK;
    zn_vec3 along = zn_vec3_sub(def->along, zn_vec3_scale(zn_vec3_dot(def->along, normal), normal));
    double  length = zn_vec3_norm(along);
    if (!(length > 1e-6 * zn_vec3_norm(def->along)) || !isfinite(length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': the length of its face has no direction",
                       name_of(def));
    tangent[0] = zn_vec3_scale(1 / length, along);
    tangent[1] = zn_vec3_cross(normal, tangent[0]);
    return ZN_OK;
}

static zn_status fill_surface(const zn_model *model, const zn_contact_def *def, zn_vec3 normal,
                              const zn_contact_points *points, zn_rigid_contact *rule)
{
    *rule = (zn_rigid_contact){
        .surface = {def->surface_node, def->through},
        .kind = def->surface,
        .normal = normal,
        .radius = def->radius,
        .size = def->surface == ZN_SURFACE_SLOT ? def->width / 2 : def->surface_radius,
        .restitution = def->restitution,
        .friction = def->friction,
        .tangential_restitution = def->tangential_restitution,
        .turn = rolling_of(model, def),
        .planar = model->planar,
        .half = {def->length / 2, def->breadth / 2},
        .depth = def->depth,
        .log = &model->log,
        .points = points->count,
    };
    for (int i = 0; i < points->count; i++)
        rule->point[i] = points->point[i];
    bool straight = def->surface == ZN_SURFACE_PLANE || def->surface == ZN_SURFACE_SLOT;
    return straight ? zn_model_face_tangents(model, def, normal, rule->tangent) : ZN_OK;
}

static zn_status add_surface(zn_model *model, const zn_contact_def *def, zn_vec3 normal,
                             const zn_contact_points *points)
{
    bool                  rolling = rolls(model, def);
    const zn_contact_ops *free_ops = rolling ? &zn_rigid_contact_rolling_ops : &zn_rigid_contact_ops;
    const zn_contact_ops *bounded_ops = rolling ? &zn_bounded_contact_rolling_ops : &zn_bounded_contact_ops;
    size_t                size = sizeof(zn_rigid_contact) + (size_t)points->count * sizeof(zn_attachment);
    zn_rigid_contact     *rule = malloc(size);
    int                   contacts = (def->surface == ZN_SURFACE_SLOT ? 2 : 1) * points->count;
    if (!rule)
        return ZN_ERR_MEMORY;
    zn_status status = fill_surface(model, def, normal, points, rule);
    if (status == ZN_OK)
        status = zn_model_add_rows_rule(model, def->name, is_bounded(def) ? bounded_ops : free_ops, contacts,
                                        rows_of(model, def) + zn_rolling_count(&rule->turn), rule, size);
    int more = zn_rolling_count(&rule->turn);
    free(rule);
    ZN_TRY(status);
    zn_contact_rule *added = &model->rule[model->rules - 1];
    added->turns = more;
    ((zn_rigid_contact *)added->parameter)->name = added->name;
    return ZN_OK;
}

// Bodies that roll need rows of their own.
static bool is_simple_set(const zn_model *model, const zn_contact_def *def, const zn_contact_points *points)
{
    for (int i = 0; i < points->count; i++)
        if (def->radius > 0 && def->friction > 0 && zn_node_rotates(model->node[points->point[i].node.value - 1].kind))
            return false;
    return def->points != NULL;
}

static zn_status add_rule(zn_model *model, const zn_contact_def *def, const zn_contact_points *points)
{
    zn_vec3 normal = {0, 0, 0}, axis = {0, 0, 0};
    ZN_TRY(check_points(model, def, points));
    ZN_TRY(refuse_rolling(model, def, points));
    if (def->surface == ZN_SURFACE_FACETS)
        return zn_model_add_nodes_facets(model, def, points, rows_of(model, def));
    if (def->surface == ZN_SURFACE_SHAPE)
        return zn_model_add_points_shape(model, def, points);
    if (zn_contact_is_turned(def))
        return zn_model_add_cylinder_contact(model, def, points, rows_of(model, def));
    if (def->surface == ZN_SURFACE_PLANE)
        ZN_TRY(zn_model_contact_unit(model, name_of(def), "plane", def->normal, &normal));
    if (def->surface == ZN_SURFACE_SLOT) {
        ZN_TRY(zn_model_contact_unit(model, name_of(def), "slot", def->axis, &axis));
        normal = (zn_vec3){-axis.y, axis.x, 0}; // to the left of the axis
    }
    bool fixed = def->surface == ZN_SURFACE_PLANE && def->surface_node.value == 0 && !is_bounded(def) &&
                 def->rolling_friction == 0 && def->spinning_friction == 0;
    if (fixed && is_simple_set(model, def, points))
        return zn_model_add_nodes_plane(model, def, normal, points, rows_of(model, def));
    if (fixed && !def->points)
        return add_fixed_plane(model, def, normal);
    return add_surface(model, def, normal, points);
}

zn_status zn_model_add_contact(zn_model *model, const zn_contact_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_contact_def, def, &model->log);
    ZN_TRY(check_contact(model, def));
    zn_contact_points points = {0};
    int               first = model->rules;
    zn_status         status = list_points(model, def, &points);
    if (status == ZN_OK)
        status = add_rule(model, def, &points);
    zn_model_set_restitution_from(model, first, def->restitution_from);
    zn_model_set_cohesion(model, first, def->cohesion);
    free(points.point);
    return status;
}
