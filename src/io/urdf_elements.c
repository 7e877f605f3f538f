// Elements of URDF files and the table that says where they may stand. Angles are roll, pitch and yaw about fixed axes:
//     R = Rz(yaw) Ry(pitch) Rx(roll).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/urdf.h"
#include "model/number.h"

enum { WORD = 64 };

// --- attributes ----------------------------------------------------------------------------------

static const char *find(const zn_urdf_reader *r, const char *name)
{
    for (int i = 0; r->attribute[i] != NULL; i += 2)
        if (strcmp(r->attribute[i], name) == 0)
            return r->attribute[i + 1];
    return NULL;
}

// `count` finite numbers with blanks between them, and no more.
static bool parse_numbers(const char *text, int count, double *value)
{
    for (int i = 0; i < count; i++) {
        char   word[WORD];
        size_t length = 0;
        while (zn_urdf_is_blank(*text))
            text++;
        for (; *text != '\0' && !zn_urdf_is_blank(*text); text++, length++)
            if (length < WORD - 1)
                word[length] = *text;
        if (length == 0 || length >= WORD - 1)
            return false;
        word[length] = '\0';
        if (!zn_number_parse(word[0] == '+' ? word + 1 : word, &value[i]) || !(fabs(value[i]) < 1e100))
            return false;
    }
    while (zn_urdf_is_blank(*text))
        text++;
    return *text == '\0';
}

static void read_numbers(zn_urdf_reader *r, const char *name, int count, double *value)
{
    const char *text = find(r, name);
    if (text != NULL && !parse_numbers(text, count, value))
        ZN_URDF_FAULT(r, "<%s>: %s=\"%.60s\": expected %d finite number%s", r->tag, name, text, count,
                      count > 1 ? "s" : "");
}

static void need_numbers(zn_urdf_reader *r, const char *name, int count, double *value)
{
    if (find(r, name) == NULL)
        ZN_URDF_FAULT(r, "<%s> lacks '%s'", r->tag, name);
    read_numbers(r, name, count, value);
}

static void read_name(zn_urdf_reader *r, const char *name, char out[ZN_ROBOT_NAME])
{
    const char *text = find(r, name);
    if (text == NULL || text[0] == '\0')
        ZN_URDF_FAULT(r, "<%s> lacks '%s'", r->tag, name);
    else if (strlen(text) >= ZN_ROBOT_NAME)
        ZN_URDF_FAULT(r, "<%s>: a name of more than %d characters", r->tag, ZN_ROBOT_NAME - 1);
    else
        strcpy(out, text);
    for (char *c = out; *c != '\0'; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            *c = '?';
}

// --- elements ------------------------------------------------------------------------------------

static zn_robot_link *last_link(zn_urdf_reader *r) { return &r->robot->link[r->robot->links - 1]; }

static void open_robot(zn_urdf_reader *r)
{
    if (find(r, "name") != NULL)
        read_name(r, "name", r->robot->name);
}

static void open_link(zn_urdf_reader *r)
{
    zn_robot_link link = {.line = zn_urdf_line(r), .joint = -1, .body = -1};
    read_name(r, "name", link.name);
    if (r->robot->links >= ZN_ROBOT_LINKS)
        ZN_URDF_FAULT(r, "more than %d links", (int)ZN_ROBOT_LINKS);
    for (int i = 0; i < r->robot->links; i++)
        if (strcmp(r->robot->link[i].name, link.name) == 0)
            ZN_URDF_FAULT(r, "there is a link '%s' already, at line %d", link.name, r->robot->link[i].line);
    if (r->status == ZN_OK)
        ZN_URDF_NEED(r, ZN_PUSH(r->robot->link, r->robot->links, r->robot->link_room, link));
}

static void open_inertial(zn_urdf_reader *r)
{
    r->pose = zn_pose_identity();
    r->inertia = (zn_mat3){0};
}

static void open_mass(zn_urdf_reader *r)
{
    zn_robot_link *link = last_link(r);
    need_numbers(r, "value", 1, &link->mass);
    if (r->status == ZN_OK && link->mass < 0)
        ZN_URDF_FAULT(r, "link '%s': a mass of %g kg", link->name, link->mass);
}

static void open_inertia(zn_urdf_reader *r)
{
    static const char *const names[] = {"ixx", "ixy", "ixz", "iyy", "iyz", "izz"};
    static const int         row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
    for (int i = 0; i < 6; i++) {
        double value = 0;
        (row[i] == column[i] ? need_numbers : read_numbers)(r, names[i], 1, &value);
        r->inertia.m[row[i]][column[i]] = r->inertia.m[column[i]][row[i]] = value;
        if (r->status == ZN_OK && row[i] == column[i] && value < 0)
            ZN_URDF_FAULT(r, "link '%s': a moment of inertia %s of %g kg m^2", last_link(r)->name, names[i], value);
    }
}

static void close_inertial(zn_urdf_reader *r)
{
    zn_robot_link *link = last_link(r);
    zn_mat3        R = zn_quat_matrix(r->pose.turn);
    link->centre = r->pose.at;
    link->inertia = zn_mat3_product(R, zn_mat3_product(r->inertia, zn_mat3_transpose(R)));
}

static void open_origin(zn_urdf_reader *r)
{
    double xyz[3] = {0}, rpy[3] = {0};
    read_numbers(r, "xyz", 3, xyz);
    read_numbers(r, "rpy", 3, rpy);
    zn_quat roll = zn_so3_exp(zn_vec3_make(rpy[0], 0, 0)), pitch = zn_so3_exp(zn_vec3_make(0, rpy[1], 0)),
            yaw = zn_so3_exp(zn_vec3_make(0, 0, rpy[2]));
    r->pose.at = zn_vec3_make(xyz[0], xyz[1], xyz[2]);
    r->pose.turn = zn_quat_product(yaw, zn_quat_product(pitch, roll));
}

static void open_looks(zn_urdf_reader *r)
{
    r->shape = (zn_robot_shape){.line = zn_urdf_line(r), .scale = 1, .visual = strcmp(r->tag, "visual") == 0};
    r->pose = zn_pose_identity();
}

static void close_looks(zn_urdf_reader *r)
{
    zn_robot_shape shape = r->shape;
    shape.pose = r->pose;
    shape.link = r->robot->links - 1;
    r->shape.file = NULL;
    if (shape.form == ZN_ROBOT_NO_FORM)
        ZN_URDF_FAULT(r, "link '%s': <%s> has no geometry", last_link(r)->name, r->tag);
    else if (r->robot->shapes >= ZN_ROBOT_SHAPES)
        ZN_URDF_FAULT(r, "more than %d <visual> and <collision>", (int)ZN_ROBOT_SHAPES);
    else
        ZN_URDF_NEED(r, ZN_PUSH(r->robot->shape, r->robot->shapes, r->robot->shape_room, shape));
    if (r->status != ZN_OK)
        free(shape.file);
}

// A form with sizes that are lengths, all positive.
static void take_form(zn_urdf_reader *r, zn_robot_form form, int count, double *size)
{
    if (r->status == ZN_OK && r->shape.form != ZN_ROBOT_NO_FORM)
        ZN_URDF_FAULT(r, "link '%s': a second geometry in one <geometry>", last_link(r)->name);
    for (int i = 0; i < count && r->status == ZN_OK; i++)
        if (!(size[i] > 0))
            ZN_URDF_FAULT(r, "link '%s': <%s> with a length of %g m", last_link(r)->name, r->tag, size[i]);
    r->shape.form = form;
    r->shape.size = zn_vec3_make(size[0], count > 1 ? size[1] : 0, count > 2 ? size[2] : 0);
}

static void open_box(zn_urdf_reader *r)
{
    double size[3] = {1, 1, 1};
    need_numbers(r, "size", 3, size);
    take_form(r, ZN_ROBOT_BOX, 3, size);
}

static void open_sphere(zn_urdf_reader *r)
{
    double size[3] = {1};
    need_numbers(r, "radius", 1, size);
    take_form(r, ZN_ROBOT_SPHERE, 1, size);
}

static void open_cylinder(zn_urdf_reader *r)
{
    double size[3] = {1, 1};
    need_numbers(r, "radius", 1, &size[0]);
    need_numbers(r, "length", 1, &size[1]);
    take_form(r, strcmp(r->tag, "capsule") == 0 ? ZN_ROBOT_CAPSULE : ZN_ROBOT_CYLINDER, 2, size);
}

static void open_mesh(zn_urdf_reader *r)
{
    double      scale[3] = {1, 1, 1};
    const char *text = find(r, "scale"), *file = find(r, "filename");
    if (text != NULL && !parse_numbers(text, 3, scale)) { // one number stands for all three in some files
        need_numbers(r, "scale", 1, scale);
        scale[1] = scale[2] = scale[0];
    }
    if (file == NULL || file[0] == '\0')
        ZN_URDF_FAULT(r, "<mesh> lacks 'filename'");
    else if (strpbrk(file, "'\n\r") != NULL)
        ZN_URDF_FAULT(r, "a file name with a quote or a line break cannot stand in a model file");
    else if (scale[0] != scale[1] || scale[0] != scale[2])
        ZN_URDF_FAULT(r, "mesh '%.200s': a scale of %g, %g, %g has no counterpart: scale the file itself", file,
                      scale[0], scale[1], scale[2]);
    take_form(r, ZN_ROBOT_MESH, 3, scale);
    r->shape.scale = scale[0];
    if (r->status == ZN_OK && (r->shape.file = zn_copy_string(file)) == NULL)
        zn_urdf_fail(r, ZN_ERR_MEMORY, "out of memory");
}

// Materials may be named anywhere and used before they are; colours are filled in at the end.
static void open_material(zn_urdf_reader *r)
{
    r->material[0] = '\0';
    if (find(r, "name") != NULL && find(r, "name")[0] != '\0')
        read_name(r, "name", r->material);
    strcpy(r->shape.material, r->material);
}

static void open_colour(zn_urdf_reader *r)
{
    double         rgba[4] = {0, 0, 0, 1};
    zn_urdf_colour c;
    need_numbers(r, "rgba", 4, rgba);
    for (int i = 0; i < 4 && r->status == ZN_OK; i++)
        if (!(rgba[i] >= 0 && rgba[i] <= 1))
            ZN_URDF_FAULT(r, "<color>: %g is not between 0 and 1", rgba[i]);
    if (r->status != ZN_OK)
        return;
    strcpy(c.name, r->material);
    snprintf(c.text, sizeof c.text, "#%02x%02x%02x", (unsigned)lround(255 * rgba[0]) & 255u,
             (unsigned)lround(255 * rgba[1]) & 255u, (unsigned)lround(255 * rgba[2]) & 255u);
    strcpy(r->shape.colour, c.text);
    if (c.name[0] != '\0')
        ZN_URDF_NEED(r, ZN_PUSH(r->colour, r->colours, r->colour_room, c));
}

// --- joints --------------------------------------------------------------------------------------

static void read_motion(zn_urdf_reader *r)
{
    static const struct {
        const char     *type;
        zn_robot_motion motion;
    } motions[] = {{"fixed", ZN_ROBOT_FIXED},         {"revolute", ZN_ROBOT_REVOLUTE},
                   {"continuous", ZN_ROBOT_REVOLUTE}, {"prismatic", ZN_ROBOT_PRISMATIC},
                   {"planar", ZN_ROBOT_PLANAR},       {"floating", ZN_ROBOT_FLOATING}};
    const char *type = find(r, "type");
    for (size_t i = 0; i < ZN_COUNT(motions) && type != NULL; i++)
        if (strcmp(type, motions[i].type) == 0) {
            r->joint.motion = motions[i].motion;
            return;
        }
    ZN_URDF_FAULT(
        r, "joint '%s': its type is one of fixed, revolute, continuous, prismatic, planar, floating, not '%.40s'",
        r->joint.name, type != NULL ? type : "");
}

static void open_joint(zn_urdf_reader *r)
{
    r->joint = (zn_robot_joint){.line = zn_urdf_line(r), .parent = -1, .child = -1, .leader = -1, .axis = {1, 0, 0}};
    r->joint.lower = -INFINITY;
    r->joint.upper = INFINITY;
    r->pose = zn_pose_identity();
    read_name(r, "name", r->joint.name);
    for (int i = 0; i < r->robot->joints; i++)
        if (strcmp(r->robot->joint[i].name, r->joint.name) == 0)
            ZN_URDF_FAULT(r, "there is a joint '%s' already, at line %d", r->joint.name, r->robot->joint[i].line);
    if (r->status == ZN_OK)
        read_motion(r);
    // until its end it marks continuous joints, of which <limit> bounds effort and velocity only
    r->joint.set = find(r, "type") != NULL && strcmp(find(r, "type"), "continuous") == 0;
}

static void open_parent(zn_urdf_reader *r) { read_name(r, "link", r->joint.parent_name); }
static void open_child(zn_urdf_reader *r) { read_name(r, "link", r->joint.child_name); }

static void open_axis(zn_urdf_reader *r)
{
    double xyz[3] = {1, 0, 0};
    need_numbers(r, "xyz", 3, xyz);
    zn_vec3 axis = zn_vec3_make(xyz[0], xyz[1], xyz[2]);
    double  norm = zn_vec3_norm(axis);
    if (r->status == ZN_OK && !(norm > 1e-100))
        ZN_URDF_FAULT(r, "joint '%s': its axis has no length", r->joint.name);
    r->joint.axis = zn_vec3_scale(1 / norm, axis);
}

static void open_limit(zn_urdf_reader *r)
{
    double lower = 0, upper = 0;
    read_numbers(r, "lower", 1, &lower);
    read_numbers(r, "upper", 1, &upper);
    read_numbers(r, "effort", 1, &r->joint.effort);
    read_numbers(r, "velocity", 1, &r->joint.velocity);
    if (r->status == ZN_OK && !(lower <= upper))
        ZN_URDF_FAULT(r, "joint '%s': its lower limit %g is above the upper one, %g", r->joint.name, lower, upper);
    if (r->joint.set)
        return;
    r->joint.lower = lower;
    r->joint.upper = upper;
}

static void open_dynamics(zn_urdf_reader *r)
{
    read_numbers(r, "damping", 1, &r->joint.damping);
    read_numbers(r, "friction", 1, &r->joint.friction);
    if (r->status == ZN_OK && !(r->joint.damping >= 0 && r->joint.friction >= 0))
        ZN_URDF_FAULT(r, "joint '%s': negative damping or friction", r->joint.name);
}

static void open_mimic(zn_urdf_reader *r)
{
    r->joint.multiplier = 1;
    read_name(r, "joint", r->joint.leader_name);
    read_numbers(r, "multiplier", 1, &r->joint.multiplier);
    read_numbers(r, "offset", 1, &r->joint.offset);
    if (r->status == ZN_OK && r->joint.multiplier == 0)
        ZN_URDF_FAULT(r, "joint '%s': a multiplier of 0; such a joint is fixed", r->joint.name);
}

// A joint between equal limits cannot move.
static void close_joint(zn_urdf_reader *r)
{
    zn_robot_joint *j = &r->joint;
    bool            turns = j->motion == ZN_ROBOT_REVOLUTE || j->motion == ZN_ROBOT_PRISMATIC;
    j->origin = r->pose;
    if (turns && !j->set && isinf(j->lower))
        ZN_URDF_FAULT(r, "joint '%s': it lacks <limit> (a joint without is 'continuous')", j->name);
    if (turns && j->lower == j->upper) {
        ZN_URDF_NEED(r, zn_robot_note(r->robot, "%s:%d: joint '%s' has equal limits: taken as fixed at %g",
                                      zn_file_name(r->file), j->line, j->name, j->lower));
        j->value = j->lower;
        zn_vec3 way = zn_vec3_scale(j->value, j->axis);
        j->origin =
            zn_pose_product(j->origin, j->motion == ZN_ROBOT_REVOLUTE ? (zn_pose){{0, 0, 0}, zn_so3_exp(way)}
                                                                      : (zn_pose){way, zn_pose_identity().turn});
        j->motion = ZN_ROBOT_FIXED;
    }
    if (!turns && (j->damping > 0 || j->friction > 0))
        ZN_URDF_NEED(r, zn_robot_note(r->robot,
                                      "%s:%d: damping and friction of joint '%s' are left out: it neither turns "
                                      "nor slides along one axis",
                                      zn_file_name(r->file), j->line, j->name));
    j->set = false;
    if (r->status == ZN_OK)
        ZN_URDF_NEED(r, ZN_PUSH(r->robot->joint, r->robot->joints, r->robot->joint_room, *j));
}

// --- the table -----------------------------------------------------------------------------------

const zn_urdf_rule zn_urdf_rules[ZN_URDF_RULES] = {
    {ZN_URDF_NOWHERE, "robot", ZN_URDF_ROBOT, true, true, "name version", open_robot, NULL},
    {ZN_URDF_ROBOT, "link", ZN_URDF_LINK, false, true, "name type", open_link, NULL},
    {ZN_URDF_ROBOT, "joint", ZN_URDF_JOINT, false, false, "name type", open_joint, close_joint},
    {ZN_URDF_ROBOT, "material", ZN_URDF_MATERIAL, false, false, "name", open_material, NULL},
    {ZN_URDF_LINK, "inertial", ZN_URDF_INERTIAL, true, false, "", open_inertial, close_inertial},
    {ZN_URDF_LINK, "visual", ZN_URDF_VISUAL, false, false, "name", open_looks, close_looks},
    {ZN_URDF_LINK, "collision", ZN_URDF_COLLISION, false, false, "name", open_looks, close_looks},
    {ZN_URDF_INERTIAL, "origin", ZN_URDF_PLAIN, true, false, "xyz rpy", open_origin, NULL},
    {ZN_URDF_INERTIAL, "mass", ZN_URDF_PLAIN, true, true, "value", open_mass, NULL},
    {ZN_URDF_INERTIAL, "inertia", ZN_URDF_PLAIN, true, true, "ixx ixy ixz iyy iyz izz", open_inertia, NULL},
    {ZN_URDF_VISUAL, "origin", ZN_URDF_PLAIN, true, false, "xyz rpy", open_origin, NULL},
    {ZN_URDF_VISUAL, "geometry", ZN_URDF_GEOMETRY, true, true, "", NULL, NULL},
    {ZN_URDF_VISUAL, "material", ZN_URDF_MATERIAL, true, false, "name", open_material, NULL},
    {ZN_URDF_COLLISION, "origin", ZN_URDF_PLAIN, true, false, "xyz rpy", open_origin, NULL},
    {ZN_URDF_COLLISION, "geometry", ZN_URDF_GEOMETRY, true, true, "", NULL, NULL},
    {ZN_URDF_GEOMETRY, "box", ZN_URDF_PLAIN, true, false, "size", open_box, NULL},
    {ZN_URDF_GEOMETRY, "sphere", ZN_URDF_PLAIN, true, false, "radius", open_sphere, NULL},
    {ZN_URDF_GEOMETRY, "cylinder", ZN_URDF_PLAIN, true, false, "radius length", open_cylinder, NULL},
    {ZN_URDF_GEOMETRY, "capsule", ZN_URDF_PLAIN, true, false, "radius length", open_cylinder, NULL},
    {ZN_URDF_GEOMETRY, "mesh", ZN_URDF_PLAIN, true, false, "filename scale", open_mesh, NULL},
    {ZN_URDF_MATERIAL, "color", ZN_URDF_PLAIN, true, false, "rgba", open_colour, NULL},
    {ZN_URDF_JOINT, "origin", ZN_URDF_PLAIN, true, false, "xyz rpy", open_origin, NULL},
    {ZN_URDF_JOINT, "parent", ZN_URDF_PLAIN, true, true, "link", open_parent, NULL},
    {ZN_URDF_JOINT, "child", ZN_URDF_PLAIN, true, true, "link", open_child, NULL},
    {ZN_URDF_JOINT, "axis", ZN_URDF_PLAIN, true, false, "xyz", open_axis, NULL},
    {ZN_URDF_JOINT, "limit", ZN_URDF_PLAIN, true, false, "lower upper effort velocity", open_limit, NULL},
    {ZN_URDF_JOINT, "dynamics", ZN_URDF_PLAIN, true, false, "damping friction", open_dynamics, NULL},
    {ZN_URDF_JOINT, "mimic", ZN_URDF_PLAIN, true, false, "joint multiplier offset", open_mimic, NULL},
};
_Static_assert((int)ZN_URDF_RULES <= 32, "a bit for each");
