// Bodies: point masses, rigid bodies in the plane and in space, and boxes whose corners are nodes of their own.
#include <math.h>
#include <stdio.h>

#include "base/alive.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/element/inertia.h"
#include "model/model.h"

#define NAME_OF(def) ((def)->name ? (def)->name : "body")

ZN_DEFINE_DEF(zn_body_def, .rotation = {1, 0, 0, 0})

// --- checks --------------------------------------------------------------------------------------

static bool is_zero3(zn_vec3 a) { return a.x == 0 && a.y == 0 && a.z == 0; }

static bool is_turned(const zn_body_def *def)
{
    zn_quat r = def->rotation;
    return r.w != 1 || r.x != 0 || r.y != 0 || r.z != 0 || !is_zero3(def->spin3);
}

static zn_status check_planar(const zn_model *model, const zn_body_def *def)
{
    const char   *name = NAME_OF(def);
    const zn_log *log = &model->log;
    if (!(def->inertia >= 0) || !isfinite(def->inertia))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': inertia %g kg m^2 is not positive and finite", name,
                       def->inertia);
    if (!zn_inertia_is_zero(def->inertia3) || is_turned(def))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': a planar body has inertia, angle and spin about z only", name);
    if (def->inertia == 0 && (def->angle != 0 || def->spin != 0))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': a point mass has no angle; give it an inertia", name);
    return ZN_OK;
}

static zn_status check_spatial(const zn_model *model, const zn_body_def *def)
{
    const char   *name = NAME_OF(def);
    const zn_log *log = &model->log;
    if (def->inertia != 0 || def->angle != 0 || def->spin != 0)
        return zn_fail(log, ZN_ERR_MODEL,
                       "body '%s': in space it has a tensor of inertia, a rotation and a spin vector", name);
    if (!zn_inertia_is_zero(def->inertia3))
        return zn_inertia_check(def->inertia3, log, name);
    if (is_turned(def))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': a point mass has no rotation; give it an inertia", name);
    return ZN_OK;
}

static zn_status check_body(const zn_model *model, const zn_body_def *def)
{
    if (!(def->mass > 0) || !isfinite(def->mass))
        return zn_fail(&model->log, ZN_ERR_MODEL, "body '%s': mass %g kg is not positive and finite", NAME_OF(def),
                       def->mass);
    return model->planar ? check_planar(model, def) : check_spatial(model, def);
}

// --- one body ------------------------------------------------------------------------------------

static zn_node_kind kind_of(const zn_model *model, const zn_body_def *def)
{
    if (model->planar)
        return def->inertia > 0 ? ZN_FRAME2 : ZN_POINT2;
    return zn_inertia_is_zero(def->inertia3) ? ZN_POINT3 : ZN_FRAME3;
}

// The node of the body, with its name and a part of its own.
static zn_status add_node(zn_model *model, const zn_body_def *def, int *index, int *part)
{
    zn_node_def node = zn_node_def_default();
    node.kind = kind_of(model, def);
    node.position = def->position;
    node.angle = def->angle;
    node.rotation = def->rotation;
    node.velocity = def->velocity;
    node.spin = model->planar ? zn_vec3_make(0, 0, def->spin) : def->spin3;
    node.fixed = def->fixed;
    ZN_TRY(zn_model_push_node(model, &node, NAME_OF(def)));
    *index = model->nodes - 1;
    zn_named        what = {.kind = ZN_NAMED_BODY, .node = *index, .nodes = 1, .part = model->parts, .rule = -1};
    const zn_named *entry = NULL;
    zn_status       status = zn_model_add_name(model, def->name, "body", what, &entry);
    if (status != ZN_OK) {
        model->nodes--;
        return status;
    }
    return zn_model_add_part(model, entry->name, part);
}

static zn_status add_mass(zn_model *model, int index, int part, double mass, double inertia, zn_mat3 inertia3)
{
    zn_rigid_body3 spatial = {mass, zn_inertia_symmetric(inertia3)};
    switch (model->node[index].kind) {
    case ZN_FRAME2:
        return zn_model_add_element(model, &zn_rigid_body2_ops, part, &index, &(zn_rigid_body2){mass, inertia});
    case ZN_FRAME3:
        if (zn_inertia_is_round(spatial.inertia))
            return zn_model_add_element(model, &zn_round_body_ops, part, &index,
                                        &(zn_round_body){mass, spatial.inertia.m[0][0]});
        return zn_model_add_element(model, &zn_rigid_body3_ops, part, &index, &spatial);
    default:
        return zn_model_add_element(model, &zn_point_mass_ops, part, &index, &(zn_point_mass){mass});
    }
}

zn_status zn_model_add_body(zn_model *model, const zn_body_def *def, zn_node_id *out)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    int index, part;
    ZN_TAKE_DEF(zn_body_def, def, &model->log);
    ZN_TRY(check_body(model, def));
    ZN_TRY(add_node(model, def, &index, &part));
    ZN_TRY(add_mass(model, index, part, def->mass, def->inertia, def->inertia3));
    if (out)
        out->value = index + 1;
    return ZN_OK;
}

// --- a box with nodes at its corners -------------------------------------------------------------
//
// Mass and inertia are those of the whole. Nodes need mass: each corner gets m s / 8, which is taken out of the frame,
//     m_0 = (1 - s) m,   J_0 = J - sum m_c (|r|^2 I - r r'),
// so that the tied whole has exactly m and J, whatever the share s. For a homogeneous box J_0 = (1 - 3 s) J.

enum { CORNERS = 8 };

ZN_DEFINE_DEF_WITH(zn_tied_body_def, (ZN_INNER_DEF(zn_tied_body_def, body)), .body = zn_body_def_default(),
                   .share = 0.01)

// Corner i: bits 0, 1, 2 choose the sides +x, +y, +z.
static zn_vec3 corner_of(zn_vec3 box, int i)
{
    return (zn_vec3){(i & 1 ? 0.5 : -0.5) * box.x, (i & 2 ? 0.5 : -0.5) * box.y, (i & 4 ? 0.5 : -0.5) * box.z};
}

static zn_status check_tied(const zn_model *model, const zn_tied_body_def *def)
{
    const char   *name = NAME_OF(&def->body);
    const zn_log *log = &model->log;
    if (model->planar)
        return zn_fail(log, ZN_ERR_UNSUPPORTED, "body '%s': corners are spatial", name);
    if (!(def->box.x > 0 && def->box.y > 0 && def->box.z > 0) || !zn_finite3(def->box))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': a side of its box is not positive and finite", name);
    if (!(def->share > 0 && def->share < 1))
        return zn_fail(log, ZN_ERR_MODEL, "body '%s': the share %g of mass at the corners is not between 0 and 1", name,
                       def->share);
    return ZN_OK;
}

// Mass and inertia that remain for the frame.
static zn_status frame_inertia(const zn_model *model, const zn_tied_body_def *def, zn_mat3 *out)
{
    zn_mat3 rest = def->body.inertia3;
    for (int i = 0; i < CORNERS; i++)
        rest = zn_inertia_without(rest, def->share * def->body.mass / CORNERS, corner_of(def->box, i));
    *out = rest;
    if (zn_inertia_check(rest, NULL, "") == ZN_OK)
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL,
                   "body '%s': its inertia is too small for a share %g of the mass at the corners of its box",
                   NAME_OF(&def->body), def->share);
}

// Velocity of the corner at r that goes with the frame, whose fixed degrees of freedom rest.
static zn_vec3 corner_velocity(const zn_body_def *body, zn_vec3 r)
{
    zn_vec3 v = {body->fixed & ZN_FIX_X ? 0 : body->velocity.x, body->fixed & ZN_FIX_Y ? 0 : body->velocity.y,
                 body->fixed & ZN_FIX_Z ? 0 : body->velocity.z};
    if (body->fixed & ZN_FIX_ROTATION)
        return v;
    return zn_vec3_add(v, zn_quat_rotate(body->rotation, zn_vec3_cross(body->spin3, r)));
}

// One corner: its node with a share of the mass, and the joint that ties it to the frame.
static zn_status add_corner(zn_model *model, const zn_tied_body_def *def, zn_node_id frame, int part, int i)
{
    zn_attachment place = {frame, corner_of(def->box, i)};
    const char   *body = model->part_name[part];
    char          name[80], tie[88];
    zn_node_def   node = zn_node_def_default();
    zn_joint_def  joint = zn_joint_def_default();
    zn_node_id    id;
    snprintf(name, sizeof name, "%s[%d]", body, i);
    snprintf(tie, sizeof tie, "%s_tie[%d]", body, i);
    node.name = name;
    node.kind = ZN_POINT3;
    node.position = zn_model_initial_position(model, &place);
    node.velocity = corner_velocity(&def->body, place.at);
    ZN_TRY(zn_model_add_node(model, &node, &id));
    ZN_TRY(zn_model_add_element(model, &zn_point_mass_ops, part, (int[1]){id.value - 1},
                                &(zn_point_mass){def->share * def->body.mass / CORNERS}));
    joint.name = tie;
    joint.kind = ZN_JOINT_SPHERICAL;
    joint.a.node = id;
    joint.b = place;
    return zn_model_add_joint(model, &joint);
}

zn_status zn_model_add_tied_body(zn_model *model, const zn_tied_body_def *def, zn_node_id *out)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_tied_body_def, def, &model->log);
    zn_tied_body_def whole = *def;
    zn_mat3          rest;
    int              index, part;
    ZN_TRY(check_tied(model, def));
    if (zn_inertia_is_zero(def->body.inertia3))
        whole.body.inertia3 = zn_inertia_of_box(def->body.mass, def->box);
    ZN_TRY(check_body(model, &whole.body));
    ZN_TRY(frame_inertia(model, &whole, &rest));
    ZN_TRY(add_node(model, &whole.body, &index, &part));
    ZN_TRY(add_mass(model, index, part, (1 - def->share) * def->body.mass, 0, rest));
    whole.body.rotation = model->node[index].rotation; // of unit length
    for (int i = 0; i < CORNERS; i++)
        ZN_TRY(add_corner(model, &whole, (zn_node_id){index + 1}, part, i));
    if (out)
        out->value = index + 1;
    return ZN_OK;
}
