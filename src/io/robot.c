// The tree of a robot: who holds whom, where everything is at the start, and which links are one body. Links that are
// fixed to each other are; those that are fixed to the root belong to the ground. With T the axes of a joint in those
// of its parent and q its travel along the unit axis a,
//     child = parent T exp(q a),  or  parent T (1, q a)  if it slides.
#include "io/robot.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/element/inertia.h"
#include "model/expression.h"

#define SAY(...) (snprintf(message, size, __VA_ARGS__), ZN_ERR_MODEL)

// --- axes in axes --------------------------------------------------------------------------------

zn_pose zn_pose_identity(void) { return (zn_pose){{0, 0, 0}, {1, 0, 0, 0}}; }

zn_vec3 zn_pose_apply(zn_pose pose, zn_vec3 x) { return zn_vec3_add(pose.at, zn_quat_rotate(pose.turn, x)); }

zn_pose zn_pose_product(zn_pose outer, zn_pose inner)
{
    return (zn_pose){zn_pose_apply(outer, inner.at), zn_quat_normalize(zn_quat_product(outer.turn, inner.turn))};
}

zn_pose zn_pose_inverse(zn_pose pose)
{
    zn_quat back = zn_quat_conjugate(pose.turn);
    return (zn_pose){zn_vec3_scale(-1, zn_quat_rotate(back, pose.at)), back};
}

// --- robots --------------------------------------------------------------------------------------

void zn_robot_clear(zn_robot *robot)
{
    for (int i = 0; i < robot->shapes; i++)
        free(robot->shape[i].file);
    free(robot->link);
    free(robot->joint);
    free(robot->shape);
    free(robot->note);
    free(robot->order);
    *robot = (zn_robot){0};
}

zn_status zn_robot_note(zn_robot *robot, const char *format, ...)
{
    va_list list;
    ZN_TRY(zn_grow(&robot->note, &robot->note_room, robot->notes + 1, sizeof *robot->note));
    char *note = robot->note[robot->notes++];
    va_start(list, format);
    vsnprintf(note, ZN_ROBOT_NOTE, format, list);
    va_end(list);
    for (; *note != '\0'; note++) // a line each, of what may stand in a comment
        if ((unsigned char)*note < 32 || (unsigned char)*note >= 127)
            *note = '?';
    return ZN_OK;
}

const char *zn_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static int find_link(const zn_robot *robot, const char *name)
{
    for (int i = 0; i < robot->links; i++)
        if (strcmp(robot->link[i].name, name) == 0)
            return i;
    return -1;
}

static int find_joint(const zn_robot *robot, const char *name)
{
    for (int i = 0; i < robot->joints; i++)
        if (strcmp(robot->joint[i].name, name) == 0)
            return i;
    return -1;
}

static bool travels(const zn_robot_joint *j)
{
    return j->motion == ZN_ROBOT_REVOLUTE || j->motion == ZN_ROBOT_PRISMATIC;
}

zn_status zn_robot_set(zn_robot *robot, const char *name, double value, char *message, size_t size)
{
    int i = find_joint(robot, name);
    if (i < 0)
        return SAY("there is no joint '%s'", name);
    zn_robot_joint *j = &robot->joint[i];
    if (!travels(j))
        return SAY("joint '%s' neither turns nor slides by a number", name);
    if (j->leader_name[0] != '\0')
        return SAY("joint '%s' follows '%s': set that one", name, j->leader_name);
    if (!(value >= j->lower && value <= j->upper))
        return SAY("joint '%s': %g is beyond its limits, %g to %g", name, value, j->lower, j->upper);
    j->value = value;
    j->set = true;
    return ZN_OK;
}

// --- the tree ------------------------------------------------------------------------------------

static zn_status join_links(zn_robot *robot, const char *file, char *message, size_t size)
{
    for (int i = 0; i < robot->joints; i++) {
        zn_robot_joint *j = &robot->joint[i];
        j->parent = find_link(robot, j->parent_name);
        j->child = find_link(robot, j->child_name);
        if (j->parent < 0 || j->child < 0)
            return SAY("%s:%d: joint '%s': there is no link '%s'", file, j->line, j->name,
                       j->parent < 0 ? j->parent_name : j->child_name);
        zn_robot_link *child = &robot->link[j->child];
        if (child->joint >= 0)
            return SAY("%s:%d: joint '%s': link '%s' is held by joint '%s' already; a loop is no part of URDF: add its "
                       "joint to the model file",
                       file, j->line, j->name, child->name, robot->joint[child->joint].name);
        child->joint = i;
    }
    return ZN_OK;
}

// From the root on, each behind its parent; what is not reached goes around in a circle.
static zn_status order_links(zn_robot *robot, const char *file, char *message, size_t size)
{
    int roots = 0, done = 0, first_root = -1;
    if (robot->links == 0)
        return SAY("%s: it holds no link", file);
    robot->order = ZN_NEW(int, robot->links);
    if (robot->order == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].joint < 0) {
            if (roots++ > 0)
                return SAY("%s:%d: link '%s' is held by no joint, nor is '%s': only the root may be", file,
                           robot->link[i].line, robot->link[i].name, robot->link[first_root].name);
            first_root = i;
            robot->order[done++] = i;
        }
    for (int k = 0; k < done; k++)
        for (int i = 0; i < robot->joints; i++)
            if (robot->joint[i].parent == robot->order[k])
                robot->order[done++] = robot->joint[i].child;
    for (int i = 0; i < robot->links && done < robot->links; i++) {
        bool reached = false;
        for (int k = 0; k < done && !reached; k++)
            reached = robot->order[k] == i;
        if (!reached)
            return SAY("%s:%d: link '%s' is part of a loop: no way leads to it from the root", file,
                       robot->link[i].line, robot->link[i].name);
    }
    return ZN_OK;
}

// Travels at the start: 0, or the nearest limit; those that follow others, from these.
static zn_status choose_values(zn_robot *robot, const char *file, char *message, size_t size)
{
    for (int i = 0; i < robot->joints; i++) {
        zn_robot_joint *j = &robot->joint[i];
        if (!travels(j) || j->set || j->leader_name[0] != '\0')
            continue;
        j->value = fmin(fmax(0, j->lower), j->upper);
        if (j->value != 0)
            ZN_TRY(zn_robot_note(robot, "%s:%d: joint '%s' begins at its limit %g, as 0 is beyond it",
                                 zn_file_name(file), j->line, j->name, j->value));
    }
    for (int i = 0; i < robot->joints; i++) {
        zn_robot_joint *j = &robot->joint[i];
        if (j->leader_name[0] == '\0')
            continue;
        j->leader = find_joint(robot, j->leader_name);
        const zn_robot_joint *leader = j->leader >= 0 ? &robot->joint[j->leader] : NULL;
        if (leader == NULL || !travels(leader) || !travels(j) || leader->leader_name[0] != '\0')
            return SAY("%s:%d: joint '%s' follows '%s', which %s", file, j->line, j->name, j->leader_name,
                       leader == NULL     ? "is no joint"
                       : !travels(j)      ? "it cannot: it neither turns nor slides"
                       : !travels(leader) ? "neither turns nor slides"
                                          : "follows another one itself: name that one");
        j->value = j->multiplier * leader->value + j->offset;
        if (!(j->value >= j->lower && j->value <= j->upper))
            return SAY("%s:%d: joint '%s' would begin at %g, beyond its limits %g to %g, as '%s' is at %g", file,
                       j->line, j->name, j->value, j->lower, j->upper, leader->name, leader->value);
    }
    return ZN_OK;
}

static void place_links(zn_robot *robot, bool free_root)
{
    int root = robot->order[0];
    robot->link[root].world = zn_pose_identity();
    robot->link[root].body = free_root ? root : -1;
    for (int k = 1; k < robot->links; k++) {
        zn_robot_link        *link = &robot->link[robot->order[k]];
        const zn_robot_joint *j = &robot->joint[link->joint];
        const zn_robot_link  *parent = &robot->link[j->parent];
        zn_vec3               way = zn_vec3_scale(travels(j) ? j->value : 0, j->axis);
        zn_pose               moved = zn_pose_identity();
        if (j->motion == ZN_ROBOT_REVOLUTE)
            moved.turn = zn_so3_exp(way);
        else
            moved.at = way;
        if (j->motion == ZN_ROBOT_FIXED)
            moved.at = zn_vec3_make(0, 0, 0);
        link->world = zn_pose_product(parent->world, zn_pose_product(j->origin, moved));
        link->body = j->motion == ZN_ROBOT_FIXED ? parent->body : robot->order[k];
    }
}

// --- mass ----------------------------------------------------------------------------------------

// J + m (r.r 1 - r r')
static zn_mat3 steiner(zn_mat3 J, double mass, zn_vec3 r)
{
    const double x[3] = {r.x, r.y, r.z};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            J.m[i][k] += mass * ((i == k ? zn_vec3_dot(r, r) : 0) - x[i] * x[k]);
    return J;
}

void zn_robot_mass(const zn_robot *robot, int body, double *mass, zn_vec3 *centre, zn_mat3 *inertia)
{
    zn_pose back = zn_pose_inverse(robot->link[body].world);
    zn_vec3 moment = {0, 0, 0};
    *mass = 0;
    *inertia = (zn_mat3){0};
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].body == body) {
            zn_pose here = i == body ? zn_pose_identity() : zn_pose_product(back, robot->link[i].world);
            *mass += robot->link[i].mass;
            moment =
                zn_vec3_add(moment, zn_vec3_scale(robot->link[i].mass, zn_pose_apply(here, robot->link[i].centre)));
        }
    *centre = *mass > 0 ? zn_vec3_scale(1 / *mass, moment) : moment;
    for (int i = 0; i < robot->links; i++)
        if (robot->link[i].body == body) {
            const zn_robot_link *link = &robot->link[i];
            zn_pose              here = i == body ? zn_pose_identity() : zn_pose_product(back, link->world);
            zn_mat3              R = zn_quat_matrix(here.turn);
            zn_mat3              J = zn_mat3_product(R, zn_mat3_product(link->inertia, zn_mat3_transpose(R)));
            J = steiner(J, link->mass, zn_vec3_sub(zn_pose_apply(here, link->centre), *centre));
            for (int k = 0; k < 9; k++)
                inertia->m[k / 3][k % 3] += J.m[k / 3][k % 3];
        }
    *inertia = zn_inertia_symmetric(*inertia);
}

typedef struct caught {
    char text[300];
} caught;

static void catch_message(void *user, zn_severity severity, const char *message)
{
    (void)severity;
    snprintf(((caught *)user)->text, sizeof((caught *)user)->text, "%s", message);
}

static zn_status check_masses(const zn_robot *robot, const char *file, char *message, size_t size)
{
    int bodies = 0;
    for (int i = 0; i < robot->links; i++) {
        const zn_robot_link *link = &robot->link[i];
        double               mass;
        zn_vec3              centre;
        zn_mat3              inertia;
        caught               why = {""};
        zn_log               log = {catch_message, &why};
        if (link->body != i)
            continue;
        bodies++;
        zn_robot_mass(robot, i, &mass, &centre, &inertia);
        if (!(mass > 0 && mass < 1e100))
            return SAY("%s:%d: link '%s' moves%s%s%s but has %s: give it an <inertial>", file, link->line, link->name,
                       link->joint >= 0 ? " by joint '" : "", link->joint >= 0 ? robot->joint[link->joint].name : "",
                       link->joint >= 0 ? "'" : "", mass > 0 ? "too much mass" : "no mass");
        if (zn_inertia_check(inertia, &log, link->name) != ZN_OK)
            return SAY("%s:%d: %s", file, link->line, why.text);
    }
    return bodies > 0 ? ZN_OK : SAY("%s: nothing in it moves: all links are fixed to the ground", file);
}

// --- names ---------------------------------------------------------------------------------------

void zn_model_name(const char *text, char out[ZN_ROBOT_NAME])
{
    enum { MOST = ZN_NAME_LENGTH - 18 }; // a number and what kind it is may follow
    static const char *const reserved[] = {"ground", "t", "pi", "all", "none", "true", "false"};
    size_t                   n = 0;
    if (!((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || *text == '_'))
        out[n++] = '_';
    for (; *text != '\0' && n < MOST; text++) {
        bool fine = (*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') ||
                    (*text >= '0' && *text <= '9') || *text == '_' || *text == '-';
        out[n++] = fine ? *text : '_';
    }
    out[n] = '\0';
    for (size_t i = 0; i < ZN_COUNT(reserved); i++)
        if (strcmp(out, reserved[i]) == 0)
            strcat(out, "_");
}

// Links and joints share one set of names in a model file.
static bool is_taken(const zn_robot *robot, int links, int joints, const char *name)
{
    for (int i = 0; i < links; i++)
        if (strcmp(robot->link[i].own, name) == 0)
            return true;
    for (int i = 0; i < joints; i++)
        if (strcmp(robot->joint[i].own, name) == 0)
            return true;
    return false;
}

bool zn_robot_has_name(const zn_robot *robot, const char *name)
{
    return is_taken(robot, robot->links, robot->joints, name);
}

static void make_free(const zn_robot *robot, int links, int joints, char name[ZN_ROBOT_NAME])
{
    size_t length = strlen(name);
    for (int i = 2; is_taken(robot, links, joints, name); i++)
        snprintf(name + length, ZN_ROBOT_NAME - length, "_%c%d", joints > 0 || links == robot->links ? 'j' : 'l', i);
}

static void name_all(zn_robot *robot)
{
    for (int i = 0; i < robot->links; i++) {
        zn_model_name(robot->link[i].name, robot->link[i].own);
        make_free(robot, i, 0, robot->link[i].own);
    }
    for (int i = 0; i < robot->joints; i++) {
        zn_model_name(robot->joint[i].name, robot->joint[i].own);
        make_free(robot, robot->links, i, robot->joint[i].own);
    }
}

zn_status zn_robot_place(zn_robot *robot, const char *file, bool free_root, char *message, size_t size)
{
    snprintf(message, size, "%s: out of memory", file);
    ZN_TRY(join_links(robot, file, message, size));
    ZN_TRY(order_links(robot, file, message, size));
    ZN_TRY(choose_values(robot, file, message, size));
    place_links(robot, free_root);
    name_all(robot);
    return check_masses(robot, file, message, size);
}
