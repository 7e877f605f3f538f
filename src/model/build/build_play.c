// Joints with play: contacts in place of equations. The first body carries a pin, ball or block, the second a hole,
// socket or guide that is larger by the clearance c on each side. Names are name[0], name[1] ...:
//     revolute, plane       a disc of radius r in a hole of radius r + c                                        [0]
//     spherical             a ball of radius r in a socket of radius r + c                                      [0]
//     revolute, space       the rims at both ends of a pin in an endless bore, before and after its middle    [0, 1]
//                           the middle of its axis between two stops, before and after it along the axis     [2, 3]
//     cylindrical           the two rims                                                                     [0, 1]
//     prismatic, plane      the corners of a block: to the left of the axis rear and front, to its right     [0..3]
//     prismatic, space      the eight corners, each with two sides of a straight guide: four at each side   [0..15]
// A guide has no end. As c tends to zero the motion tends to that of the ideal joint, whose equations the contacts then
// hold from both sides.
#include <math.h>
#include <stdio.h>

#include "base/array.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/model.h"

ZN_DEFINE_DEF(zn_play_def, .pin_radius = NAN, .axial = NAN, .height = NAN, .breadth = NAN)

// What is being built.
typedef struct play {
    zn_model            *model;
    const char          *name;
    zn_joint_kind        kind;
    const zn_play_def   *def;
    const zn_attachment *a, *b;
    zn_vec3              world; // unit axis at the start; 0: none
    zn_vec3              across;
    int                  added;
} play;

// --- checks --------------------------------------------------------------------------------------

static bool is_block(const play *p) { return p->kind == ZN_JOINT_PRISMATIC; }

// Whether length and axis matter.
static bool is_long(const play *p) { return is_block(p) || (!p->model->planar && p->kind != ZN_JOINT_SPHERICAL); }

static zn_status check_length(const play *p)
{
    const zn_log *log = &p->model->log;
    if (p->def->length != 0 && (!(p->def->length > 0) || !isfinite(p->def->length)))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': the length %g m of its play is not positive", p->name,
                       p->def->length);
    if (is_long(p) && p->def->length == 0)
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': its play needs a length: of the %s, along the axis", p->name,
                       is_block(p) ? "block" : "pin");
    if (is_long(p) && !(p->def->radius < p->def->length))
        return zn_fail(log, ZN_ERR_MODEL, "joint '%s': the play of %g m is not smaller than the length %g m of the %s",
                       p->name, p->def->radius, p->def->length, is_block(p) ? "block" : "pin");
    return ZN_OK;
}

static zn_status check_size(const play *p, const char *what, double value, double least)
{
    if (value >= least && isfinite(value))
        return ZN_OK;
    return zn_fail(&p->model->log, ZN_ERR_MODEL, "joint '%s': the %s %g m of its play is %s", p->name, what, value,
                   least > 0 ? "not positive" : "negative or not finite");
}

// Friction and restitution are checked as those of a contact.
static zn_status check_numbers(const play *p)
{
    const zn_play_def *d = p->def;
    zn_contact_def     law = zn_contact_def_default();
    law.name = p->name;
    law.restitution = d->restitution;
    law.friction = d->friction;
    law.tangential_restitution = d->tangential_restitution;
    law.restitution_from = d->restitution_from;
    ZN_TRY(check_size(p, "radius", d->radius, 1e-300));
    ZN_TRY(check_length(p));
    ZN_TRY(zn_model_check_law(p->model, &law));
    if (!is_block(p) && d->friction > 0 && isnan(d->pin_radius) && d->length == 0)
        return zn_fail(&p->model->log, ZN_ERR_MODEL, "joint '%s': friction in its play needs the radius of the pin",
                       p->name);
    ZN_TRY(isnan(d->pin_radius) ? ZN_OK : check_size(p, "pin radius", d->pin_radius, 0));
    ZN_TRY(isnan(d->axial) ? ZN_OK : check_size(p, "axial clearance", d->axial, 1e-300));
    ZN_TRY(isnan(d->height) ? ZN_OK : check_size(p, "height", d->height, p->model->planar ? 0 : 1e-300));
    return isnan(d->breadth) ? ZN_OK : check_size(p, "breadth", d->breadth, 1e-300);
}

static zn_status check_kind(const play *p, const zn_joint_def *def)
{
    bool has = def->kind == ZN_JOINT_REVOLUTE || def->kind == ZN_JOINT_PRISMATIC || def->kind == ZN_JOINT_CYLINDRICAL ||
               def->kind == ZN_JOINT_SPHERICAL;
    if (!has)
        return zn_fail(&p->model->log, ZN_ERR_UNSUPPORTED,
                       "joint '%s': only revolute, prismatic, cylindrical and spherical joints have play", p->name);
    bool acts = def->motion || isfinite(def->limits[0]) || isfinite(def->limits[1]) || def->dry_friction != 0 ||
                def->stiffness != 0 || def->damping != 0;
    if (acts)
        return zn_fail(&p->model->log, ZN_ERR_MODEL,
                       "joint '%s': motion, limits, friction, springs and dampers are of joints without play", p->name);
    return ZN_OK;
}

// Bodies whose ends touch, or are touched, turn.
static zn_status check_turning(const play *p)
{
    zn_node_id id[2] = {p->a->node, p->b->node};
    for (int i = 0; is_long(p) && i < 2; i++) {
        char text[ZN_NODE_TEXT];
        if (id[i].value > 0 && !zn_node_rotates(p->model->node[id[i].value - 1].kind))
            return zn_fail(&p->model->log, ZN_ERR_MODEL,
                           "joint '%s': '%s' is a point mass and has no rotation; give it an inertia", p->name,
                           zn_model_node_name(p->model, id[i].value - 1, text, sizeof text));
    }
    return ZN_OK;
}

// --- frames --------------------------------------------------------------------------------------

static zn_vec3 carried(const play *p, zn_node_id body, zn_vec3 world)
{
    return zn_quat_rotate(zn_quat_conjugate(zn_model_initial_rotation(p->model, body)), world);
}

// Unit axis and a direction across it at the start, in world axes.
static zn_status find_axes(play *p, const zn_joint_def *def)
{
    if (!is_long(p))
        return ZN_OK;
    double length = zn_vec3_norm(def->axis);
    if (!(length > 0) || !isfinite(length))
        return zn_fail(&p->model->log, ZN_ERR_MODEL, "joint '%s': zero axis", p->name);
    if (p->model->planar && def->axis.z != 0)
        return zn_fail(&p->model->log, ZN_ERR_MODEL, "joint '%s': a z component in a planar model", p->name);
    zn_quat turn = p->model->planar ? zn_model_initial_rotation(p->model, p->b->node) : (zn_quat){1, 0, 0, 0};
    p->world = zn_quat_rotate(turn, zn_vec3_scale(1 / length, def->axis));
    zn_vec3 tangent[2], given = p->def->across;
    zn_contact_tangents(p->world, p->model->planar, tangent);
    p->across = tangent[0];
    if (p->model->planar || zn_vec3_norm(given) == 0)
        return ZN_OK;
    zn_vec3 across = zn_vec3_sub(given, zn_vec3_scale(zn_vec3_dot(given, p->world), p->world));
    double  size = zn_vec3_norm(across);
    if (!(size > 1e-6 * zn_vec3_norm(given)) || !isfinite(size))
        return zn_fail(&p->model->log, ZN_ERR_MODEL, "joint '%s': 'across' is along the axis, or has no direction",
                       p->name);
    p->across = zn_vec3_scale(1 / size, across);
    return ZN_OK;
}

static bool slides(const play *p) { return p->kind == ZN_JOINT_PRISMATIC || p->kind == ZN_JOINT_CYLINDRICAL; }

static double axial_of(const play *p) { return isnan(p->def->axial) ? p->def->radius : p->def->axial; }

static zn_status refuse_start(const play *p, const char *where, double distance, double room)
{
    return zn_fail(&p->model->log, ZN_ERR_MODEL,
                   "joint '%s': its centres are %g m apart%s at the start, more than the play of %g m", p->name,
                   distance, where, room);
}

// Within the clearance, with some rounding.
static zn_status check_start(const play *p)
{
    zn_vec3 d = zn_vec3_sub(zn_model_initial_position(p->model, p->a), zn_model_initial_position(p->model, p->b));
    double  along = zn_vec3_dot(d, p->world), off = zn_vec3_norm(zn_vec3_sub(d, zn_vec3_scale(along, p->world)));
    double  slack = 1 + 1e-9;
    bool    stops = is_long(p) && !slides(p);
    if (off > slack * p->def->radius)
        return refuse_start(p, is_long(p) ? " across the axis" : "", off, p->def->radius);
    return stops && fabs(along) > slack * axial_of(p) ? refuse_start(p, " along the axis", fabs(along), axial_of(p))
                                                      : ZN_OK;
}

// --- contacts ------------------------------------------------------------------------------------

static zn_contact_def contact_of(const play *p)
{
    zn_contact_def c = zn_contact_def_default();
    c.point = *p->a;
    c.surface_node = p->b->node;
    c.through = p->b->at;
    c.restitution = p->def->restitution;
    c.friction = p->def->friction;
    c.tangential_restitution = p->def->friction > 0 ? p->def->tangential_restitution : 0;
    c.restitution_from = p->def->restitution_from;
    return c;
}

static zn_status add(play *p, zn_contact_def c)
{
    char name[256];
    snprintf(name, sizeof name, "%.200s[%d]", p->name, p->added++);
    c.name = name;
    return zn_model_add_contact(p->model, &c);
}

static double pin_radius(const play *p) { return isnan(p->def->pin_radius) ? p->def->length / 2 : p->def->pin_radius; }

static zn_status add_ball(play *p)
{
    zn_contact_def c = contact_of(p);
    c.surface = ZN_SURFACE_HOLE;
    c.radius = pin_radius(p);
    c.surface_radius = c.radius + p->def->radius;
    return add(p, c);
}

// One side of a guide, `out` of it and half the height of the block away, with a corner at x along the axis and y
// across both, in world axes at the start.
static zn_status add_corner(play *p, zn_vec3 out, double half, zn_vec3 side, double x, double y)
{
    zn_contact_def c = contact_of(p);
    zn_vec3        corner = zn_vec3_add(zn_vec3_scale(half, out), zn_vec3_scale(x, p->world));
    corner = zn_vec3_add(corner, zn_vec3_scale(y, side));
    zn_vec3 normal = carried(p, p->b->node, zn_vec3_scale(-1, out));
    c.point.at = zn_vec3_add(c.point.at, carried(p, p->a->node, corner));
    c.through = zn_vec3_sub(c.through, zn_vec3_scale(half + p->def->radius, normal));
    c.normal = normal;
    if (p->model->planar)
        c.point.at.z = c.through.z = c.normal.z = 0;
    return add(p, c);
}

static zn_status add_block(play *p)
{
    double  x = p->def->length / 2, height = isnan(p->def->height) ? p->def->length : p->def->height;
    double  breadth = p->model->planar ? 0 : isnan(p->def->breadth) ? height : p->def->breadth;
    zn_vec3 third = p->model->planar ? zn_vec3_make(0, 0, 0) : zn_vec3_cross(p->world, p->across);
    for (int face = 0; face < (p->model->planar ? 2 : 4); face++) {
        bool    first = face < 2;
        zn_vec3 out = zn_vec3_scale(face % 2 ? -1 : 1, first ? p->across : third), side = first ? third : p->across;
        double  half = (first ? height : breadth) / 2, y = (first ? breadth : height) / 2;
        for (int k = 0; k < (p->model->planar ? 2 : 4); k++)
            ZN_TRY(add_corner(p, out, half, side, k % 2 ? x : -x, k / 2 ? y : -y));
    }
    return ZN_OK;
}

static zn_status add_rim(play *p, double x)
{
    zn_contact_def c = contact_of(p);
    zn_vec3        axis = carried(p, p->a->node, p->world);
    c.point.at = zn_vec3_add(c.point.at, zn_vec3_scale(x, axis));
    c.radius = pin_radius(p);
    if (c.radius > 0)
        c.rim = axis;
    c.surface = ZN_SURFACE_BORE;
    c.surface_radius = c.radius + p->def->radius;
    c.axis = carried(p, p->b->node, p->world);
    return add(p, c);
}

// The middle of the pin stays `side` times the axial clearance from that of the hole; its friction has no lever.
static zn_status add_stop(play *p, double side)
{
    zn_contact_def c = contact_of(p);
    zn_vec3        axis = carried(p, p->b->node, p->world);
    c.normal = zn_vec3_scale(-side, axis);
    c.through = zn_vec3_add(c.through, zn_vec3_scale(side * axial_of(p), axis));
    return add(p, c);
}

static zn_status add_pin(play *p)
{
    ZN_TRY(add_rim(p, -p->def->length / 2));
    ZN_TRY(add_rim(p, p->def->length / 2));
    if (slides(p))
        return ZN_OK;
    ZN_TRY(add_stop(p, -1));
    return add_stop(p, 1);
}

static zn_status add_contacts(play *p)
{
    if (is_block(p))
        return add_block(p);
    return is_long(p) ? add_pin(p) : add_ball(p);
}

zn_status zn_model_add_play(zn_model *model, const zn_joint_def *joint, const zn_attachment *a, const zn_attachment *b)
{
    const zn_play_def *def = joint->play;
    ZN_TAKE_DEF(zn_play_def, def, &model->log);
    play p = {
        .model = model, .name = joint->name ? joint->name : "joint", .kind = joint->kind, .def = def, .a = a, .b = b};
    ZN_TRY(check_kind(&p, joint));
    ZN_TRY(check_numbers(&p));
    ZN_TRY(check_turning(&p));
    ZN_TRY(find_axes(&p, joint));
    ZN_TRY(check_start(&p));
    zn_named        what = {.kind = ZN_NAMED_PLAY, .node = -1, .part = -1, .rule = -1, .play = model->journals};
    const zn_named *entry = NULL;
    ZN_TRY(zn_model_add_name(model, joint->name, "joint", what, &entry));
    p.name = entry->name;
    zn_journal journal = {.name = p.name,
                          .a = *a,
                          .b = *b,
                          .axis = carried(&p, b->node, p.world),
                          .clearance = def->radius,
                          .block = is_block(&p),
                          .pin_radius = pin_radius(&p),
                          .length = is_long(&p) ? def->length : 0,
                          .pin_axis = carried(&p, a->node, p.world),
                          .first = model->rules};
    ZN_TRY(add_contacts(&p));
    journal.rules = model->rules - journal.first;
    return ZN_PUSH(model->journal, model->journals, model->journal_capacity, journal);
}
