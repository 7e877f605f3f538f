// Beams: check the def, lay the nodes along a line or an arc, add the elements. Moments on spatial frames.
//     arc: turned by a = s angle about the axis k after the part s, with tangent t and n = k x t at the start,
//     x = from +- radius (sin a t + (1 - cos a) n),  R = exp(a k) R_0
#include <math.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "math/finite.h"
#include "model/element/beam_linear.h"
#include "model/build/build_motor.h"
#include "model/model.h"

#define NAME_OF(def, fallback) ((def)->name ? (def)->name : (fallback))

ZN_DEFINE_DEF(zn_beam_def, .tangent = {1, 0, 0}, .arc_axis = {0, 0, 1}, .elements = 1, .shear_modulus = NAN)

// --- what a def says -------------------------------------------------------------------------------

static double or_else(double value, double standard) { return value != 0 ? value : standard; }

// With the values that a zero stands for.
static zn_beam_section complete(zn_beam_section s)
{
    s.shear_y = or_else(s.shear_y, 5 * s.area / 6);
    s.shear_z = or_else(s.shear_z, 5 * s.area / 6);
    s.rotary_x = or_else(s.rotary_x, s.moment_y + s.moment_z);
    s.rotary_y = or_else(s.rotary_y, s.moment_y);
    s.rotary_z = or_else(s.rotary_z, s.moment_z);
    return s;
}

static double shear_modulus(const zn_beam_def *def)
{
    return isnan(def->shear_modulus) ? def->young / (2 * (1 + def->poisson)) : def->shear_modulus;
}

static zn_status check_numbers(const zn_model *model, const zn_beam_def *def, const zn_beam_section *s)
{
    struct {
        const char *what;
        double      value;
        bool        spatial; // asked for in space only
    } positive[] = {
        {"Young's modulus", def->young, false},
        {"shear modulus", shear_modulus(def), false},
        {"density", def->density, false},
        {"area", s->area, false},
        {"shear area shear_y", s->shear_y, false},
        {"second moment moment_z", s->moment_z, false},
        {"rotary inertia rotary_z", s->rotary_z, false},
        {"shear area shear_z", s->shear_z, true},
        {"second moment moment_y", s->moment_y, true},
        {"torsion constant", s->torsion, true},
        {"rotary inertia rotary_x", s->rotary_x, true},
        {"rotary inertia rotary_y", s->rotary_y, true},
    };
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i].spatial && model->planar) && !(positive[i].value > 0 && isfinite(positive[i].value)))
            return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': %s %g is not positive and finite",
                           NAME_OF(def, "beam"), positive[i].what, positive[i].value);
    return ZN_OK;
}

// What only pictures need is wrong or right all the same.
static zn_status check_shape(const zn_model *model, const zn_beam_def *def)
{
    const zn_beam_section *s = &def->section;
    if ((unsigned)s->shape > ZN_SECTION_CIRCLE)
        return zn_fail(&model->log, ZN_ERR_ARGUMENT, "beam '%s': no such shape of a section", NAME_OF(def, "beam"));
    if (s->shape == ZN_SECTION_GENERAL)
        return ZN_OK;
    if (!(s->height > 0 && s->width > 0 && s->thickness >= 0 && isfinite(s->height + s->width + s->thickness)))
        return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': a side of its section is not positive and finite",
                       NAME_OF(def, "beam"));
    return ZN_OK;
}

static zn_status check_beam(const zn_model *model, const zn_beam_def *def)
{
    const char   *name = NAME_OF(def, "beam");
    const zn_log *log = &model->log;
    if (def->elements < 1 || def->elements > 100000000)
        return zn_fail(log, ZN_ERR_MODEL, "beam '%s': %d elements", name, def->elements);
    if (!zn_finite3(def->velocity) || !zn_finite3(def->from) || !zn_finite3(def->to) || !zn_finite3(def->y_axis))
        return zn_fail(log, ZN_ERR_MODEL, "beam '%s': a value is not finite", name);
    if (model->planar && (def->from.z != 0 || def->to.z != 0 || def->velocity.z != 0 || def->tangent.z != 0))
        return zn_fail(log, ZN_ERR_MODEL, "beam '%s': a z component in a planar model", name);
    if (def->radius == 0)
        return ZN_OK;
    if (!(def->radius > 0) || !isfinite(def->radius) || !isfinite(def->angle) || def->angle == 0)
        return zn_fail(log, ZN_ERR_MODEL, "beam '%s': an arc needs a radius > 0 and an angle other than 0", name);
    if (fabs(def->angle) / def->elements > 1)
        return zn_fail(log, ZN_ERR_MODEL, "beam '%s': one element turns by more than 1 rad; use more of them", name);
    return ZN_OK;
}

// --- where its nodes are ---------------------------------------------------------------------------

typedef struct axis_line {
    zn_vec3 from, tangent, normal, axis; // normal: axis x tangent
    zn_quat start;                       // rotation of the first node
    double  length, radius, angle;       // radius 0: straight
} axis_line;

// The part of a perpendicular to the unit vector t, as a unit vector; zero when they are parallel.
static zn_vec3 perpendicular(zn_vec3 a, zn_vec3 t)
{
    double  size = zn_vec3_norm(a);
    zn_vec3 rest = zn_vec3_sub(a, zn_vec3_scale(zn_vec3_dot(a, t), t));
    double  length = zn_vec3_norm(rest);
    return zn_vec3_scale(length > 1e-9 * size ? 1 / length : 0, rest);
}

// Rotation whose columns are x, y and x cross y, orthonormal; the largest component first, for accuracy.
static zn_quat rotation_from(zn_vec3 x, zn_vec3 y)
{
    zn_vec3 z = zn_vec3_cross(x, y);
    double  square[4] = {1 + x.x + y.y + z.z, 1 + x.x - y.y - z.z, 1 - x.x + y.y - z.z, 1 - x.x - y.y + z.z};
    int     largest = 0;
    for (int i = 1; i < 4; i++)
        largest = square[i] > square[largest] ? i : largest;
    double  s = square[largest];
    zn_quat q = largest == 0   ? (zn_quat){s, y.z - z.y, z.x - x.z, x.y - y.x}
                : largest == 1 ? (zn_quat){y.z - z.y, s, x.y + y.x, z.x + x.z}
                : largest == 2 ? (zn_quat){z.x - x.z, x.y + y.x, s, y.z + z.y}
                               : (zn_quat){x.y - y.x, z.x + x.z, y.z + z.y, s};
    return zn_quat_normalize(q);
}

static zn_status lay_out(const zn_model *model, const zn_beam_def *def, axis_line *line)
{
    bool    arc = def->radius > 0;
    zn_vec3 span = arc ? def->tangent : zn_vec3_sub(def->to, def->from), up = {0, 0, 1};
    double  length = zn_vec3_norm(span);
    if (!(length > 0) || !isfinite(length))
        return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': %s", NAME_OF(def, "beam"),
                       arc ? "the tangent of its arc has no direction" : "its length is not positive and finite");
    line->from = def->from;
    line->tangent = zn_vec3_scale(1 / length, span);
    line->radius = def->radius;
    line->angle = arc ? def->angle : 0;
    line->length = arc ? def->radius * fabs(def->angle) : length;
    line->axis = perpendicular(model->planar || !arc ? up : def->arc_axis, line->tangent);
    if (zn_vec3_norm(line->axis) == 0 && !arc) // along z
        line->axis = perpendicular((zn_vec3){-1, 0, 0}, line->tangent);
    line->normal = zn_vec3_cross(line->axis, line->tangent);
    zn_vec3 y = line->normal;
    if (!model->planar && zn_vec3_norm(def->y_axis) > 0)
        y = perpendicular(def->y_axis, line->tangent);
    if (!(zn_vec3_norm(y) > 0.5))
        return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': the %s is along the beam", NAME_OF(def, "beam"),
                       zn_vec3_norm(line->axis) > 0 ? "y axis of its section" : "axis of its arc");
    line->start = rotation_from(line->tangent, y);
    return ZN_OK;
}

static zn_vec3 place(const axis_line *line, double s)
{
    if (line->radius == 0)
        return zn_vec3_add(line->from, zn_vec3_scale(s * line->length, line->tangent));
    double a = s * line->angle, r = line->angle > 0 ? line->radius : -line->radius, half = zn_sin(0.5 * a);
    return zn_vec3_add(line->from, zn_vec3_add(zn_vec3_scale(r * zn_sin(a), line->tangent),
                                               zn_vec3_scale(2 * r * half * half, line->normal)));
}

static zn_quat rotation_at(const axis_line *line, double s)
{
    return zn_quat_product(zn_so3_exp(zn_vec3_scale(s * line->angle, line->axis)), line->start);
}

// But for the ends that exist. `shared` as in zn_named.
static zn_status add_nodes(zn_model *model, const zn_beam_def *def, const axis_line *line, const int shared[2])
{
    double angle = zn_atan2(line->tangent.y, line->tangent.x);
    for (int i = shared[0] > 0; i <= def->elements - (shared[1] > 0); i++) {
        double      s = (double)i / def->elements;
        zn_node_def node = zn_node_def_default();
        node.kind = model->planar ? ZN_FRAME2 : ZN_FRAME3;
        node.origin = place(line, s);
        node.position = node.origin;
        node.angle = model->planar ? angle + s * line->angle : 0;
        node.rotation = rotation_at(line, s);
        node.velocity = def->velocity;
        node.fixed = def->fixed | (i == 0 ? def->fix_first : 0) | (i == def->elements ? def->fix_last : 0);
        ZN_TRY(zn_model_push_node(model, &node, NAME_OF(def, "beam")));
    }
    return ZN_OK;
}

// --- elements --------------------------------------------------------------------------------------

// Nodes of element e, once those of the beam were added.
static void nodes_of(const zn_model *model, const zn_beam_def *def, const int shared[2], int e, int out[2])
{
    int own = def->elements + 1 - (shared[0] > 0) - (shared[1] > 0), first = model->nodes - own - (shared[0] > 0);
    out[0] = e == 0 && shared[0] > 0 ? shared[0] - 1 : first + e;
    out[1] = e == def->elements - 1 && shared[1] > 0 ? shared[1] - 1 : first + e + 1;
}

// Difference of the displacements that coordinates of the nodes begin with: positions of bodies count from the origin.
static zn_vec3 start_of(const zn_model *model, const int node[2])
{
    const zn_node_def *a = &model->node[node[0]], *b = &model->node[node[1]];
    return zn_vec3_sub(zn_vec3_sub(b->position, b->origin), zn_vec3_sub(a->position, a->origin));
}

// Strain that a chord of this length has in the middle axes: along x, because arcs are laid symmetrically.
static double chord_ratio(const axis_line *line, int elements)
{
    double half = 0.5 * line->angle / elements;
    return half != 0 ? zn_sin(half) / half : 1;
}

static zn_status add_planar(zn_model *model, const zn_beam_def *def, const axis_line *line, const zn_beam_section *s,
                            int part, const int shared[2])
{
    double   l = line->length / def->elements, angle = zn_atan2(line->tangent.y, line->tangent.x);
    int      node[2];
    zn_beam2 beam = {.length = l,
                     .axial = def->young * s->area,
                     .shear = shear_modulus(def) * s->shear_y,
                     .bending = def->young * s->moment_z,
                     .strain0 = {chord_ratio(line, def->elements), 0},
                     .curvature0 = line->angle / line->length,
                     .mass = def->density * s->area * l,
                     .rotary = def->density * s->rotary_z * l,
                     .coupling = def->mass == ZN_MASS_CONSISTENT ? 1.0 / 6.0 : 0.0};
    for (int e = 0; e < def->elements; e++) {
        beam.middle0 = angle + (e + 0.5) / def->elements * line->angle;
        nodes_of(model, def, shared, e, node);
        zn_vec3 start = start_of(model, node);
        beam.start[0] = start.x;
        beam.start[1] = start.y;
        double ahead[2]; // of the frames of the nodes, before their sections
        for (int i = 0; i < 2; i++)
            ahead[i] = model->node[node[i]].angle - (angle + (double)(e + i) / def->elements * line->angle);
        beam.ahead = 0.5 * (ahead[0] + ahead[1]);
        beam.curvature0 = line->angle / line->length + (ahead[1] - ahead[0]) / l;
        ZN_TRY(zn_model_add_element(model, &zn_beam2_ops, part, node, &beam));
    }
    return ZN_OK;
}

// A section in axes of its node; those of a node that was turned by hand are off by rounding.
static bool has_other_axes(zn_quat off) { return zn_vec3_norm((zn_vec3){off.x, off.y, off.z}) > 1e-9; }

static zn_status add_spatial(zn_model *model, const zn_beam_def *def, const axis_line *line, const zn_beam_section *s,
                             int part, const int shared[2])
{
    double   l = line->length / def->elements, E = def->young, G = shear_modulus(def), mass = def->density * l;
    int      node[2];
    zn_vec3  axis = zn_quat_rotate(zn_quat_conjugate(line->start), line->axis); // the same in all sections
    zn_beam3 beam = {.length = l,
                     .force = {E * s->area, G * s->shear_y, G * s->shear_z},
                     .moment = {G * s->torsion, E * s->moment_y, E * s->moment_z},
                     .strain0 = {chord_ratio(line, def->elements), 0, 0},
                     .curvature0 = zn_vec3_scale(line->angle / line->length, axis),
                     .mass = mass * s->area,
                     .rotary = {mass * s->rotary_x, mass * s->rotary_y, mass * s->rotary_z},
                     .coupling = def->mass == ZN_MASS_CONSISTENT ? 1.0 / 6.0 : 0.0};
    for (int e = 0; e < def->elements; e++) {
        beam.middle0 = rotation_at(line, (e + 0.5) / def->elements);
        nodes_of(model, def, shared, e, node);
        beam.start = start_of(model, node);
        beam.turned = false;
        for (int i = 0; i < 2; i++) {
            zn_quat section = rotation_at(line, (double)(e + i) / def->elements);
            beam.axes[i] =
                zn_quat_normalize(zn_quat_product(zn_quat_conjugate(model->node[node[i]].rotation), section));
            beam.turned = beam.turned || has_other_axes(beam.axes[i]);
        }
        ZN_TRY(zn_model_add_element(model, &zn_beam3_ops, part, node, &beam));
    }
    return ZN_OK;
}

// --- linear beams ----------------------------------------------------------------------------------

// A node that exists as an end: a frame at the right place.
static zn_status check_end(const zn_model *model, const zn_beam_def *def, zn_node_id id, zn_vec3 at)
{
    const char *name = NAME_OF(def, "beam");
    if (id.value == 0)
        return ZN_OK;
    if (id.value < 0 || id.value > model->nodes)
        return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': no such node", name);
    const zn_node_def *node = &model->node[id.value - 1];
    double             off = zn_vec3_norm(zn_vec3_sub(node->position, at));
    char               text[80];
    if (!zn_node_rotates(node->kind))
        return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': node '%s' does not rotate; a beam needs a frame", name,
                       zn_model_node_name(model, id.value - 1, text, sizeof text));
    if (!(off <= 1e-9 * (1 + zn_vec3_norm(at))))
        return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': node '%s' is %g m away from the end of the beam", name,
                       zn_model_node_name(model, id.value - 1, text, sizeof text), off);
    return ZN_OK;
}

static zn_status check_linear(const zn_model *model, const zn_beam_def *def)
{
    if (def->theory > ZN_BEAM_EULER_BERNOULLI)
        return zn_fail(&model->log, ZN_ERR_ARGUMENT, "beam '%s': no such theory", NAME_OF(def, "beam"));
    if (!zn_rayleigh_is_valid((zn_rayleigh){def->mass_damping, def->stiffness_damping}))
        return zn_fail(&model->log, ZN_ERR_MODEL, "beam '%s': damping must be at least 0 and finite",
                       NAME_OF(def, "beam"));
    if (def->theory == ZN_BEAM_EXACT && (def->mass_damping > 0 || def->stiffness_damping > 0))
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED,
                       "beam '%s': only linear beams have damping; choose another theory", NAME_OF(def, "beam"));
    if (def->theory == ZN_BEAM_EULER_BERNOULLI && (def->section.rotary_y != 0 || def->section.rotary_z != 0))
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "beam '%s': in the theory of Euler and Bernoulli sections have no rotary inertia of bending, so "
                       "rotary_y and rotary_z have no meaning; choose the theory timoshenko, or leave them out",
                       NAME_OF(def, "beam"));
    if (def->theory != ZN_BEAM_EXACT && def->radius > 0)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "beam '%s': linear beams are straight", NAME_OF(def, "beam"));
    return ZN_OK;
}

// Of an exact beam: its nodes turn at will.
static zn_status check_frame(const zn_model *model, const zn_beam_def *def, zn_node_id id)
{
    const char *name = NAME_OF(def, "beam");
    char        text[80];
    if (id.value == 0 || def->theory != ZN_BEAM_EXACT)
        return ZN_OK;
    zn_model_node_name(model, id.value - 1, text, sizeof text);
    for (int g = 0; g < model->groups; g++)
        for (int i = 0; model->group[g].ops->small_rotations && i < model->group[g].count * model->group[g].ops->nodes;
             i++)
            if (model->group[g].node[i] == id.value - 1)
                return zn_fail(
                    &model->log, ZN_ERR_UNSUPPORTED,
                    "beam '%s': node '%s' is one of a linear beam, with small rotations; an exact beam needs "
                    "nodes that turn at will, or a fixed joint",
                    name, text);
    return ZN_OK;
}

static zn_status check_ends(const zn_model *model, const zn_beam_def *def, const axis_line *line)
{
    ZN_TRY(check_end(model, def, def->first_node, def->from));
    ZN_TRY(check_end(model, def, def->last_node, def->radius > 0 ? place(line, 1) : def->to));
    ZN_TRY(check_frame(model, def, def->first_node));
    return check_frame(model, def, def->last_node);
}

// Nodes in world axes, but for the ends that exist. `shared` as in zn_named.
static zn_status add_linear_nodes(zn_model *model, const zn_beam_def *def, const axis_line *line, const int shared[2])
{
    for (int i = shared[0] > 0; i <= def->elements - (shared[1] > 0); i++) {
        zn_node_def node = zn_node_def_default();
        node.kind = model->planar ? ZN_FRAME2 : ZN_FRAME3;
        node.origin = node.position = place(line, (double)i / def->elements);
        node.velocity = def->velocity;
        node.fixed = def->fixed | (i == 0 ? def->fix_first : 0) | (i == def->elements ? def->fix_last : 0);
        ZN_TRY(zn_model_push_node(model, &node, NAME_OF(def, "beam")));
    }
    return ZN_OK;
}

static zn_status add_linear(zn_model *model, const zn_beam_def *def, const axis_line *line, const zn_beam_section *s,
                            int part, const int shared[2])
{
    zn_beam_linear_def d = {.theory = def->theory,
                            .length = line->length / def->elements,
                            .young = def->young,
                            .shear_modulus = shear_modulus(def),
                            .density = def->density,
                            .section = *s,
                            .lumped = def->mass == ZN_MASS_LUMPED,
                            .damping = {def->mass_damping, def->stiffness_damping},
                            .axes = line->start};
    for (int e = 0; e < def->elements; e++) {
        zn_beam_linear beam = {0};
        int            node[2];
        nodes_of(model, def, shared, e, node);
        for (int i = 0; i < 2; i++) {
            const zn_node_def *at = &model->node[node[i]];
            d.node[i] = at->kind == ZN_FRAME3 ? at->rotation : (zn_quat){1, 0, 0, 0};
            d.start[i] = zn_vec3_sub(at->position, at->origin);
            d.angle[i] = at->angle;
        }
        zn_beam_linear_prepare(&d, model->planar, &beam);
        ZN_TRY(zn_model_add_element(model, model->planar ? &zn_beam_linear2_ops : &zn_beam_linear3_ops, part, node,
                                    &beam));
    }
    return ZN_OK;
}

zn_status zn_model_add_beam(zn_model *model, const zn_beam_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_beam_def, def, &model->log);
    zn_beam_section section = complete(def->section);
    axis_line       line = {0};
    int             part;
    ZN_TRY(check_beam(model, def));
    ZN_TRY(check_numbers(model, def, &section));
    ZN_TRY(check_shape(model, def));
    ZN_TRY(check_linear(model, def));
    ZN_TRY(lay_out(model, def, &line));
    ZN_TRY(check_ends(model, def, &line));
    zn_named        what = zn_model_name_line(model, def->elements, def->first_node, def->last_node);
    const zn_named *entry = NULL;
    ZN_TRY(zn_model_add_name(model, def->name, "beam", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    bool            exact = def->theory == ZN_BEAM_EXACT;
    zn_part_section drawn = {part, section, .carried = exact, .axes = line.start};
    ZN_TRY(ZN_PUSH(model->section, model->sections, model->section_capacity, drawn));
    if (!exact) {
        ZN_TRY(add_linear_nodes(model, def, &line, what.shared));
        return add_linear(model, def, &line, &section, part, what.shared);
    }
    ZN_TRY(add_nodes(model, def, &line, what.shared));
    return model->planar ? add_planar(model, def, &line, &section, part, what.shared)
                         : add_spatial(model, def, &line, &section, part, what.shared);
}

// --- moments ---------------------------------------------------------------------------------------

ZN_DEFINE_DEF(zn_moment_def, .name = NULL)

zn_status zn_model_add_moment(zn_model *model, const zn_moment_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_moment_def, def, &model->log);
    const char *name = NAME_OF(def, "moment");
    zn_status   status = ZN_OK;
    for (int i = 0; i < 3; i++) {
        zn_status next = zn_model_adopt(model, def->moment[i]);
        status = status != ZN_OK ? status : next;
    }
    ZN_TRY(status);
    int node = def->node.value - 1;
    if (node < 0 || node >= model->nodes)
        return zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': no such node", name);
    if (model->node[node].kind != ZN_FRAME3)
        return zn_fail(&model->log, ZN_ERR_MODEL, "load '%s': a moment needs a spatial frame, such as a node of a beam",
                       name);
    if (def->follower)
        ZN_TRY(zn_model_refuse_feedback(model, "load", name, 3, def->moment));
    bool            feedback = false;
    zn_named        what = {.kind = ZN_NAMED_LOAD, .node = -1, .part = model->parts, .rule = -1};
    const zn_named *entry = NULL;
    int             part;
    ZN_TRY(zn_model_add_name(model, def->name, "load", what, &entry));
    ZN_TRY(zn_model_add_part(model, entry->name, &part));
    for (int i = 0; i < 3; i++)
        feedback |= zn_signal_is_feedback(def->moment[i]);
    for (int i = 0; feedback && i < 3; i++) {
        zn_motor motor = {.kind = ZN_MOTOR_TORQUE, .a.node = def->node, .axis = {i == 0, i == 1, i == 2}};
        if (def->moment[i])
            ZN_TRY(zn_model_push_motor(model, part, motor, def->moment[i]));
    }
    if (feedback)
        return ZN_OK;
    zn_moment moment = {def->node, {def->moment[0], def->moment[1], def->moment[2]}, def->follower};
    return zn_model_add_element(model, &zn_moment_ops, part, &node, &moment);
}
