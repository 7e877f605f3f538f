// A robot as a model file. Bodies have the axes of their links and sit at their centres of mass; joints are placed by
// the body they hold, their axes are those in the world at the start.
#include <math.h>
#include <string.h>

#include "io/robot.h"

// --- words ---------------------------------------------------------------------------------------

// Fifteen digits: numbers of people come back as they were, what was computed loses its rounding.
void zn_put_number(FILE *out, double x)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", x);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == ',' ? '.' : *c;
    fputs(text, out);
}

// Components that are rounding of 0 are 0.
void zn_put_vector(FILE *out, zn_vec3 x)
{
    const double value[3] = {x.x, x.y, x.z};
    for (int i = 0; i < 3; i++) {
        fputs(i == 0 ? "[" : ", ", out);
        zn_put_number(out, fabs(value[i]) < 1e-15 ? 0 : value[i]);
    }
    fputc(']', out);
}

void zn_put_text(FILE *out, const char *text)
{
    fputc('\'', out);
    for (; *text != '\0'; text++)
        fprintf(out, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', out);
}

static void put_turn(FILE *out, zn_quat q)
{
    const double value[4] = {q.w, q.x, q.y, q.z};
    if (hypot(q.x, hypot(q.y, q.z)) < 1e-15)
        return;
    fputs(", rotation: ", out);
    for (int i = 0; i < 4; i++) {
        fputs(i == 0 ? "[" : ", ", out);
        zn_put_number(out, fabs(value[i]) < 1e-15 ? 0 : value[i]);
    }
    fputc(']', out);
}

static void put_at(FILE *out, const char *key, zn_vec3 at)
{
    if (zn_vec3_norm(at) < 1e-15)
        return;
    fprintf(out, ", %s: ", key);
    zn_put_vector(out, at);
}

static void put_value(FILE *out, const char *key, double value)
{
    fprintf(out, ", %s: ", key);
    zn_put_number(out, value);
}

// --- bodies --------------------------------------------------------------------------------------

static void put_inertia(FILE *out, zn_mat3 J)
{
    double small = 1e-15 * (J.m[0][0] + J.m[1][1] + J.m[2][2]);
    bool   plain = fabs(J.m[0][1]) < small && fabs(J.m[0][2]) < small && fabs(J.m[1][2]) < small;
    fputs(", inertia: [", out);
    for (int i = 0; i < 3; i++) {
        fputs(i > 0 ? ", " : "", out);
        for (int k = plain ? i : 0; k < (plain ? i + 1 : 3); k++) {
            fputs(plain ? "" : k == 0 ? "[" : ", ", out);
            zn_put_number(out, fabs(J.m[i][k]) < small ? 0 : J.m[i][k]);
        }
        fputs(plain ? "" : "]", out);
    }
    fputs("]", out);
}

// Axes of a shape in those of its body, whose origin is the centre of mass.
static zn_pose pose_in_body(const zn_robot *robot, const zn_robot_shape *shape, zn_vec3 centre)
{
    const zn_robot_link *link = &robot->link[shape->link];
    zn_pose              pose = zn_pose_product(link->world, shape->pose);
    if (link->body >= 0)
        pose = zn_pose_product(zn_pose_inverse(robot->link[link->body].world), pose);
    if (link->body == shape->link)
        pose = shape->pose;
    pose.at = zn_vec3_sub(pose.at, centre);
    return pose;
}

static bool is_round(const zn_robot_shape *shape)
{
    return shape->form == ZN_ROBOT_CYLINDER || shape->form == ZN_ROBOT_CAPSULE;
}

// `draw` turns cylinders and capsules only, and reads STL files.
static bool can_draw(const zn_robot_shape *shape, zn_pose pose)
{
    bool turned = hypot(pose.turn.x, hypot(pose.turn.y, pose.turn.z)) > 1e-12;
    if (is_round(shape) || shape->form == ZN_ROBOT_SPHERE)
        return true;
    return !turned && (shape->form == ZN_ROBOT_BOX || zn_is_stl(shape->file));
}

static void put_look(FILE *out, const zn_robot_shape *shape, zn_pose pose)
{
    fputs("{", out);
    if (shape->form == ZN_ROBOT_BOX) {
        fputs("box: ", out);
        zn_put_vector(out, shape->size);
    } else if (shape->file != NULL) {
        fputs("stl: ", out);
        zn_put_text(out, shape->file);
        put_value(out, "scale", shape->scale);
    } else {
        fputs(shape->form == ZN_ROBOT_SPHERE    ? "sphere: "
              : shape->form == ZN_ROBOT_CAPSULE ? "capsule: "
                                                : "cylinder: ",
              out);
        zn_put_number(out, shape->size.x);
    }
    if (is_round(shape)) {
        put_value(out, "length", shape->size.y);
        fputs(", axis: ", out);
        zn_put_vector(out, zn_quat_rotate(pose.turn, zn_vec3_make(0, 0, 1)));
    }
    put_at(out, "at", pose.at);
    if (shape->colour[0] != '\0')
        fprintf(out, ", colour: '%s'", shape->colour);
    fputs("}", out);
}

// A body that can be touched is seen by its shapes, in the first colour of its looks; another one by its looks.
static void put_looks(FILE *out, const zn_robot *robot, int body, zn_vec3 centre)
{
    const char *colour = "";
    int         solid = 0, drawn = 0, left = 0;
    for (int i = 0; i < robot->shapes; i++)
        if (robot->link[robot->shape[i].link].body == body) {
            solid += !robot->shape[i].visual;
            colour = colour[0] == '\0' ? robot->shape[i].colour : colour;
        }
    if (solid > 0 && colour[0] != '\0')
        fprintf(out, ", draw: {colour: '%s'}", colour);
    for (int i = 0; i < robot->shapes && solid == 0; i++)
        if (robot->link[robot->shape[i].link].body == body) {
            zn_pose pose = pose_in_body(robot, &robot->shape[i], centre);
            if (can_draw(&robot->shape[i], pose)) {
                fputs(drawn++ == 0 ? ", draw: [" : ", ", out);
                put_look(out, &robot->shape[i], pose);
            } else
                left++;
        }
    fputs(drawn > 0 ? "]}" : "}", out);
    if (left > 0)
        fprintf(out, "  # looks left out: %d turned boxes or meshes that are no STL", left);
    fputs("\n", out);
}

static void put_body(FILE *out, const zn_robot *robot, int body)
{
    double  mass;
    zn_vec3 centre;
    zn_mat3 inertia;
    zn_robot_mass(robot, body, &mass, &centre, &inertia);
    int joined = 0;
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].body == body && i != body)
            fprintf(out, "%s%s", joined++ == 0 ? "  # with what is fixed to it: " : ", ", robot->link[i].own);
    fputs(joined > 0 ? "\n" : "", out);
    fprintf(out, "  %s: {mass: ", robot->link[body].own);
    zn_put_number(out, mass);
    put_inertia(out, inertia);
    put_at(out, "position", zn_pose_apply(robot->link[body].world, centre));
    put_turn(out, robot->link[body].world.turn);
    put_looks(out, robot, body, centre);
}

static void put_bodies(FILE *out, const zn_robot *robot)
{
    fputs("bodies:\n", out);
    for (int k = 0; k < robot->links; k++)
        if (robot->link[robot->order[k]].body == robot->order[k])
            put_body(out, robot, robot->order[k]);
}

// --- shapes --------------------------------------------------------------------------------------

static void put_shape(FILE *out, const zn_robot *robot, const zn_robot_shape *shape, int number)
{
    const zn_robot_link *link = &robot->link[shape->link];
    double               mass;
    zn_vec3              centre = {0, 0, 0};
    zn_mat3              inertia;
    char                 name[ZN_ROBOT_NAME + 24];
    if (link->body >= 0)
        zn_robot_mass(robot, link->body, &mass, &centre, &inertia);
    snprintf(name, sizeof name, number > 1 ? "%s_shape%d" : "%s_shape", link->own, number);
    while (zn_robot_has_name(robot, name) && strlen(name) + 2 < sizeof name)
        strcat(name, "_");
    fprintf(out, "  %s: {", name);
    if (link->body >= 0)
        fprintf(out, "body: %s, ", robot->link[link->body].own);
    if (shape->form == ZN_ROBOT_BOX) {
        fputs("box: ", out);
        zn_put_vector(out, shape->size);
    } else if (shape->form == ZN_ROBOT_SPHERE) {
        fputs("sphere: ", out);
        zn_put_number(out, shape->size.x);
    } else if (shape->form == ZN_ROBOT_MESH || shape->form == ZN_ROBOT_HULL) {
        fprintf(out, "%s: {file: ", shape->form == ZN_ROBOT_MESH ? "mesh" : "hull");
        zn_put_text(out, shape->file);
        put_value(out, "scale", shape->scale);
        fputs("}", out);
    } else {
        fprintf(out, "%s: {radius: ", shape->form == ZN_ROBOT_CYLINDER ? "cylinder" : "capsule");
        zn_put_number(out, shape->size.x);
        put_value(out, "length", shape->size.y);
        fputs("}", out);
    }
    zn_pose pose = pose_in_body(robot, shape, centre);
    put_at(out, "at", pose.at);
    put_turn(out, pose.turn);
    fputs("}\n", out);
}

static int put_shapes(FILE *out, const zn_robot *robot)
{
    int count = 0;
    for (int k = 0; k < robot->links; k++)
        for (int i = 0, number = 1; i < robot->shapes; i++)
            if (robot->shape[i].link == robot->order[k] && !robot->shape[i].visual) {
                fputs(count++ == 0 ? "shapes:\n" : "", out);
                put_shape(out, robot, &robot->shape[i], number++);
            }
    return count;
}

// --- joints --------------------------------------------------------------------------------------

static void put_travel(FILE *out, const zn_robot_joint *j)
{
    if (j->value != 0)
        put_value(out, "start", j->value);
    if (isfinite(j->lower)) {
        fputs(", limits: [", out);
        zn_put_number(out, j->lower);
        fputs(", ", out);
        zn_put_number(out, j->upper);
        fputs("]", out);
    }
    if (j->damping > 0)
        put_value(out, "damping", j->damping);
    if (j->friction > 0)
        put_value(out, "dry_friction", j->friction);
}

static void put_joint(FILE *out, const zn_robot *robot, const zn_robot_joint *j)
{
    static const char *const types[] = {"fixed", "revolute", "prismatic", "planar", "floating"};
    bool                     travels = j->motion == ZN_ROBOT_REVOLUTE || j->motion == ZN_ROBOT_PRISMATIC;
    const zn_robot_link     *child = &robot->link[j->child], *parent = &robot->link[j->parent];
    double                   mass;
    zn_vec3                  centre;
    zn_mat3                  inertia;
    zn_pose                  world = zn_pose_product(parent->world, j->origin);
    zn_robot_mass(robot, j->child, &mass, &centre, &inertia);
    fprintf(out, "  %s: {type: %s, body: %s", j->own, types[j->motion], child->own);
    put_at(out, "at", zn_vec3_scale(-1, centre));
    if (parent->body >= 0)
        fprintf(out, ", to: %s", robot->link[parent->body].own);
    fputs(", axis: ", out);
    zn_put_vector(out, zn_quat_rotate(world.turn, j->axis));
    if (travels)
        put_travel(out, j);
    fputs("}", out);
    const char *unit = j->motion == ZN_ROBOT_REVOLUTE ? "N m" : "N",
               *speed = j->motion == ZN_ROBOT_REVOLUTE ? "rad/s" : "m/s";
    if (j->effort > 0)
        fprintf(out, "  # effort %g %s", j->effort, unit);
    if (j->velocity > 0)
        fprintf(out, "%s %g %s", j->effort > 0 ? ", velocity" : "  # velocity", j->velocity, speed);
    fputs("\n", out);
    if (j->leader >= 0) {
        fprintf(out, "  %s_follows: {type: coupling, joints: {%s: 1, %s: ", j->own, j->own,
                robot->joint[j->leader].own);
        zn_put_number(out, -j->multiplier);
        fputs("}}\n", out);
    }
}

static void put_joints(FILE *out, const zn_robot *robot)
{
    int count = 0;
    for (int k = 0; k < robot->links; k++) {
        const zn_robot_link *link = &robot->link[robot->order[k]];
        if (link->joint < 0 || robot->joint[link->joint].motion == ZN_ROBOT_FIXED)
            continue;
        const zn_robot_joint *j = &robot->joint[link->joint];
        if (j->motion == ZN_ROBOT_FLOATING)
            fprintf(out, "# %s is free: joint %s is floating\n", link->own, j->own);
        else {
            fputs(count++ == 0 ? "joints:\n" : "", out);
            put_joint(out, robot, j);
        }
    }
}

static void put_records(FILE *out, const zn_robot *robot)
{
    int count = 0;
    for (int k = 0; k < robot->links; k++) {
        int joint = robot->link[robot->order[k]].joint;
        if (joint < 0)
            continue;
        const zn_robot_joint *j = &robot->joint[joint];
        if (j->motion == ZN_ROBOT_REVOLUTE || j->motion == ZN_ROBOT_PRISMATIC)
            fprintf(out, "%s  %s: %s.%s\n", count++ == 0 ? "record:\n" : "", j->own, j->own,
                    j->motion == ZN_ROBOT_REVOLUTE ? "angle" : "displacement");
    }
}

// --- the file ------------------------------------------------------------------------------------

void zn_robot_write(const zn_robot *robot, const char *file, bool part, FILE *out)
{
    fprintf(out, "# Made by 'zeno import' from %s. Bodies have the axes of their links; joints are as at the start.\n",
            zn_file_name(file));
    for (int i = 0; i < robot->notes; i++)
        fprintf(out, "# %s\n", robot->note[i]);
    fputs("zeno: 1\n", out);
    if (robot->name[0] != '\0') {
        char name[ZN_ROBOT_NAME];
        zn_model_name(robot->name, name);
        fprintf(out, "title: %s\n", name);
    }
    if (!part)
        fputs("gravity: [0, 0, -9.81]\n", out);
    put_bodies(out, robot);
    if (put_shapes(out, robot) > 0)
        fputs("# Nothing touches yet. Links that a joint holds together do not meet; name others that may, and with "
              "which law:\n"
              "# contacts: {touch: {between: [all], friction: 0.5}}\n",
              out);
    put_joints(out, robot);
    put_records(out, robot);
    if (!part)
        fputs("run: {scheme: combined_projection, step: 1 ms, until: 1 s}\n", out);
}
