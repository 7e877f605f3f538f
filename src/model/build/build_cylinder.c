// Contacts with cylinders and bores, and of rims: check the def, then add a rule to the model.
#include <stdlib.h>

#include "base/alive.h"
#include "base/def.h"
#include "model/contact/cylinder_contact.h"

static const char *name_of(const zn_contact_def *def) { return def->name ? def->name : "contact"; }
static bool        is_rim(const zn_contact_def *def) { return zn_vec3_norm(def->rim) != 0; }

static bool has_axis(zn_surface_kind kind) { return kind == ZN_SURFACE_CYLINDER || kind == ZN_SURFACE_BORE; }

bool zn_contact_is_turned(const zn_contact_def *def)
{
    return has_axis(def->surface) || def->ring || def->rim.x != 0 || def->rim.y != 0 || def->rim.z != 0;
}

// --- checks --------------------------------------------------------------------------------------

static zn_status check_rim(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    int           node = def->point.node.value;
    if (!is_rim(def) || !isfinite(zn_vec3_norm(def->rim)))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': %s", name,
                       def->ring ? "a ring needs a rim" : "the axis of its rim is not finite");
    if (!has_axis(def->surface) && def->surface != ZN_SURFACE_PLANE)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "contact '%s': rims meet planes, cylinders and bores only", name);
    if (def->points)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "contact '%s': sets of nodes have no rims", name);
    if (!(def->radius > 0))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the radius %g m of its rim is not positive", name,
                       def->radius);
    if (node > 0 && !zn_node_rotates(model->node[node - 1].kind))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a point mass has no rim, for it does not turn", name);
    if (def->ring && def->surface != ZN_SURFACE_CYLINDER)
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a ring is around a cylinder only", name);
    return ZN_OK;
}

static zn_status check_cone(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    if (is_rim(def))
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "contact '%s': rims do not meet cones", name);
    if (!(fabs(def->taper) < 1.5))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the taper of %g rad is not below 1.5 rad", name, def->taper);
    if (!(def->length > 0) || !(def->length / 2 * zn_tan(fabs(def->taper)) <= def->surface_radius))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a cone has a length and ends before its apex, %g m away", name,
                       def->surface_radius / zn_tan(fabs(def->taper)));
    return ZN_OK;
}

static zn_status check_size(const zn_model *model, const zn_contact_def *def)
{
    const zn_log *log = &model->log;
    const char   *name = name_of(def);
    double        r = def->radius, size = def->surface_radius;
    if (!(size > 0) || !isfinite(size))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the radius %g m of its surface is not positive", name, size);
    if (def->surface == ZN_SURFACE_BORE && !(size > r))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the %s of radius %g m does not fit in the bore of radius %g m",
                       name, is_rim(def) ? "rim" : "ball", r, size);
    if (def->ring && !(r > size))
        return zn_fail(log, ZN_ERR_MODEL,
                       "contact '%s': the ring of radius %g m does not go around the cylinder of radius %g m", name, r,
                       size);
    if (!(def->length >= 0) || !isfinite(def->length))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the length %g m of its surface is not at least 0", name,
                       def->length);
    if (!(def->depth >= 0) || !isfinite(def->depth))
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the depth %g m is not at least 0", name, def->depth);
    return def->taper != 0 ? check_cone(model, def) : ZN_OK;
}

zn_status zn_model_check_cylinder(const zn_model *model, const zn_contact_def *def)
{
    if (model->planar)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED,
                       "contact '%s': cylinders, bores and rims are in space; in the plane circles and holes are them",
                       name_of(def));
    if (def->ring || is_rim(def) || !has_axis(def->surface))
        ZN_TRY(check_rim(model, def));
    return has_axis(def->surface) ? check_size(model, def) : ZN_OK;
}

// --- rules ---------------------------------------------------------------------------------------

// What all sides have.
static zn_status make_side(const zn_model *model, const zn_contact_def *def, zn_cylinder_side *side)
{
    bool plane = def->surface == ZN_SURFACE_PLANE;
    *side = (zn_cylinder_side){
        .surface = {def->surface_node, def->through},
        .kind = def->surface,
        .ring = def->ring,
        .radius = def->radius,
        .size = def->surface_radius,
        .taper = plane ? 0 : def->taper,
        .half = {def->length / 2, plane ? def->breadth / 2 : 0},
    };
    ZN_TRY(zn_model_contact_unit(model, name_of(def), plane ? "plane" : "cylinder", plane ? def->normal : def->axis,
                                 &side->axis));
    if (is_rim(def))
        side->rim = zn_vec3_scale(1 / zn_vec3_norm(def->rim), def->rim);
    return plane ? zn_model_face_tangents(model, def, side->axis, side->tangent) : ZN_OK;
}

// The rule with its sides, of which memory is the caller's.
static zn_status add_rule(zn_model *model, const char *name, bool ends, int rows, zn_cylinder_contact *rule)
{
    size_t size = sizeof *rule + (size_t)rule->sides * sizeof *rule->side;
    ZN_TRY(zn_model_add_rows_rule(model, name, ends ? &zn_cylinder_end_ops : &zn_cylinder_contact_ops, rule->sides,
                                  rows, rule, size));
    const zn_contact_rule *added = &model->rule[model->rules - 1];
    ((zn_cylinder_contact *)added->parameter)->name = added->name;
    return ZN_OK;
}

static zn_cylinder_contact *make_rule(const zn_model *model, int sides, double restitution, double friction,
                                      double tangential)
{
    zn_cylinder_contact *rule = calloc(1, sizeof *rule + (size_t)sides * sizeof *rule->side);
    if (rule) {
        rule->restitution = restitution;
        rule->friction = friction;
        rule->tangential_restitution = tangential;
        rule->log = &model->log;
        rule->sides = sides;
    }
    return rule;
}

// What is around a pin, or has its centre in a bore, is there to be held, however deep it is in the wall: a wrong place
// at the start is seen. Anything else counts when it came through.
static double usual_depth(const zn_contact_def *def)
{
    return def->ring ? def->surface_radius : def->surface == ZN_SURFACE_BORE ? def->radius : 0;
}

zn_status zn_model_add_cylinder_contact(zn_model *model, const zn_contact_def *def, const zn_contact_points *points,
                                        int rows)
{
    zn_cylinder_side side;
    ZN_TRY(make_side(model, def, &side));
    zn_cylinder_contact *rule =
        make_rule(model, points->count, def->restitution, def->friction, def->tangential_restitution);
    if (!rule)
        return ZN_ERR_MEMORY;
    rule->depth = def->depth > 0 ? def->depth : usual_depth(def);
    for (int i = 0; i < points->count; i++) {
        rule->side[i] = side;
        rule->side[i].point = points->point[i];
    }
    zn_status status = add_rule(model, def->name, def->length > 0, rows, rule);
    free(rule);
    return status;
}

// --- pins in holes -------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_pin_def, .name = NULL)

// One of the two parts, and how its rims meet the other one.
typedef struct pin_part {
    zn_attachment   middle;
    zn_vec3         axis;
    double          radius, length;
    zn_surface_kind kind; // of its surface
} pin_part;

static zn_status check_pin(const zn_model *model, const zn_pin_def *def, zn_contact_def *law)
{
    const zn_log *log = &model->log;
    const char   *name = def->name ? def->name : "pin";
    if (model->planar)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "contact '%s': pins are in space; in the plane a hole is one", name);
    ZN_TRY(zn_model_check_attachment(model, &def->pin, "contact", name));
    ZN_TRY(zn_model_check_attachment(model, &def->hole, "contact", name));
    if (def->pin.node.value == def->hole.node.value)
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': pin and hole are on the same body", name);
    if (!(def->pin_radius > 0) || !(def->hole_radius > def->pin_radius) || !isfinite(def->hole_radius))
        return zn_fail(log, ZN_ERR_MODEL,
                       "contact '%s': the pin of radius %g m does not fit in the hole of radius %g m", name,
                       def->pin_radius, def->hole_radius);
    const int node[] = {def->pin.node.value, def->hole.node.value};
    for (int i = 0; i < 2; i++)
        if (node[i] > 0 && !zn_node_rotates(model->node[node[i] - 1].kind))
            return zn_fail(log, ZN_ERR_MODEL, "contact '%s': a point mass has no %s, for it does not turn", name,
                           i == 0 ? "pin" : "hole");
    const double length[] = {def->pin_length, def->hole_length};
    for (int i = 0; i < 2; i++)
        if (!(length[i] >= 0) || !isfinite(length[i]))
            return zn_fail(log, ZN_ERR_MODEL, "contact '%s': the length %g m of its %s is not at least 0", name,
                           length[i], i == 0 ? "pin" : "hole");
    if (def->pin_length == 0 && def->hole_length == 0)
        return zn_fail(log, ZN_ERR_MODEL, "contact '%s': neither its pin nor its hole has a length", name);
    *law = zn_contact_def_default();
    law->name = name;
    law->restitution = def->restitution;
    law->friction = def->friction;
    law->tangential_restitution = def->tangential_restitution;
    law->restitution_from = def->restitution_from;
    return zn_model_check_law(model, law);
}

// The rims at both ends of `a`, if it has any, against the surface of `b`. At ends that coincide the rim of the hole
// counts, not both. Returns their number.
static int add_rims(const pin_part *a, const pin_part *b, zn_cylinder_side *side)
{
    if (a->length == 0)
        return 0;
    for (int i = 0; i < 2; i++) {
        double along = (i == 0 ? -0.5 : 0.5) * a->length;
        side[i] = (zn_cylinder_side){
            .point = {a->middle.node, zn_vec3_add(a->middle.at, zn_vec3_scale(along, a->axis))},
            .surface = b->middle,
            .kind = b->kind,
            .axis = b->axis,
            .rim = a->axis,
            .ring = b->kind == ZN_SURFACE_CYLINDER,
            .radius = a->radius,
            .size = b->radius,
            .half = {b->length / 2, 0},
            .open = b->kind == ZN_SURFACE_BORE,
        };
    }
    return 2;
}

zn_status zn_model_add_pin(zn_model *model, const zn_pin_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_pin_def, def, &model->log);
    zn_contact_def law;
    pin_part       pin = {.middle = def->pin, .radius = def->pin_radius, .length = def->pin_length};
    pin_part       hole = {.middle = def->hole, .radius = def->hole_radius, .length = def->hole_length};
    pin.kind = ZN_SURFACE_CYLINDER;
    hole.kind = ZN_SURFACE_BORE;
    ZN_TRY(check_pin(model, def, &law));
    ZN_TRY(zn_model_contact_unit(model, law.name, "pin", def->pin_axis, &pin.axis));
    ZN_TRY(zn_model_contact_unit(model, law.name, "hole", def->hole_axis, &hole.axis));
    zn_cylinder_contact *rule = make_rule(model, 4, law.restitution, law.friction, law.tangential_restitution);
    if (!rule)
        return ZN_ERR_MEMORY;
    rule->depth = def->pin_radius; // as usual_depth
    rule->sides = add_rims(&pin, &hole, rule->side);
    rule->sides += add_rims(&hole, &pin, rule->side + rule->sides);
    int       first = model->rules;
    zn_status status = add_rule(model, def->name, true, law.friction == 0 ? 1 : 3, rule);
    zn_model_set_restitution_from(model, first, def->restitution_from);
    free(rule);
    return status;
}
