// Joints of MuJoCo, of which a body may have several, as joints between two bodies:
//     none, weld: fixed    hinge: revolute    slide: prismatic    ball: spherical    free: none
//     hinge and slide along it: cylindrical    two hinges across each other: universal    three hinges in a point:
//     spherical two slides and a hinge across them: planar
#include <math.h>
#include <string.h>

#include "scene.h"

typedef struct set {
    int first, count, hinges, slides;
} set;

static set joints_of(const mjModel *m, int body)
{
    set j = {m->body_jntadr[body], m->body_jntnum[body], 0, 0};
    for (int i = 0; i < j.count; i++) {
        j.hinges += m->jnt_type[j.first + i] == mjJNT_HINGE;
        j.slides += m->jnt_type[j.first + i] == mjJNT_SLIDE;
    }
    return j;
}

static const mjtNum *axis_of(const scene *s, int j) { return &s->data->xaxis[3 * j]; }
static double        dot(const scene *s, int a, int b) { return fabs(mju_dot3(axis_of(s, a), axis_of(s, b))); }

static bool same_anchor(const scene *s, set j)
{
    for (int i = 1; i < j.count; i++)
        if (mju_dist3(&s->data->xanchor[3 * (j.first + i)], &s->data->xanchor[3 * j.first]) > 1e-9)
            return false;
    return true;
}

// The type of a set of several, and the joint whose axis it has; NULL: there is none.
static const char *type_of(const scene *s, set j, int *axis)
{
    const mjModel *m = s->model;
    int            hinge = j.first;
    while (hinge < j.first + j.count - 1 && m->jnt_type[hinge] != mjJNT_HINGE)
        hinge++;
    *axis = hinge;
    if (j.count == 2 && j.hinges == 1 && j.slides == 1 && dot(s, j.first, j.first + 1) > 1 - 1e-12)
        return "cylindrical";
    if (j.count == 2 && j.hinges == 2 && same_anchor(s, j) && dot(s, j.first, j.first + 1) < 1e-9)
        return *axis = j.first + 1, "universal"; // the first one is carried by the parent
    if (j.count == 3 && j.hinges == 3 && same_anchor(s, j))
        return "spherical";
    if (j.count == 3 && j.hinges == 1 && j.slides == 2) {
        for (int i = j.first; i < j.first + 3; i++)
            if (i != hinge && dot(s, i, hinge) > 1e-9)
                return NULL;
        return "planar";
    }
    return NULL;
}

static void put_place(scene *s, const char *name, const char *type, int body, int parent, const mjtNum *anchor)
{
    mjtNum at[3];
    to_body(s, body, anchor, at);
    fprintf(s->out, "  %s: {type: %s, body: %s, at: ", name, type, s->body[body]);
    put_vector(s, at);
    if (parent > 0)
        fprintf(s->out, ", to: %s", s->body[parent]);
}

static void put_key(scene *s, const char *key, double value)
{
    fprintf(s->out, ", %s: ", key);
    put_number(s, value);
}

// MuJoCo makes 0 of one that overflows.
static bool put_axis(scene *s, const char *key, int j)
{
    fprintf(s->out, ", %s: ", key);
    put_vector(s, axis_of(s, j));
    return mju_norm3(axis_of(s, j)) > 0.5 || scene_refuse(s, "joint '%s' has no axis", s->joint[j]);
}

static bool put_single(scene *s, int j, int body, int parent)
{
    const mjModel *m = s->model;
    bool           hinge = m->jnt_type[j] == mjJNT_HINGE;
    int            dof = m->jnt_dofadr[j], q = m->jnt_qposadr[j];
    const mjtNum  *range = &m->jnt_range[2 * j];
    bool           within = range[0] <= m->qpos0[q] && m->qpos0[q] <= range[1] && range[0] < range[1];
    put_place(s, s->joint[j], hinge ? "revolute" : "prismatic", body, parent, &s->data->xanchor[3 * j]);
    if (!put_axis(s, "axis", j))
        return false;
    if (m->qpos0[q] != 0)
        put_key(s, "start", m->qpos0[q]);
    if (m->jnt_limited[j] && within) {
        fputs(", limits: [", s->out);
        put_number(s, range[0]);
        fputs(", ", s->out);
        put_number(s, range[1]);
        fputs("]", s->out);
    }
    if (m->dof_damping[dof] > 0)
        put_key(s, "damping", m->dof_damping[dof]);
    if (m->dof_frictionloss[dof] > 0)
        put_key(s, "dry_friction", m->dof_frictionloss[dof]);
    if (m->jnt_stiffness[j] > 0) {
        put_key(s, "stiffness", m->jnt_stiffness[j]);
        put_key(s, "rest", m->qpos_spring[q]);
    }
    fputs("}", s->out);
    if (m->jnt_limited[j] && !within)
        fprintf(s->out, "  # left out: limits %g to %g, which it does not start between", range[0], range[1]);
    if (m->dof_armature[dof] > 0)
        fprintf(s->out, "  # armature %g has no counterpart", m->dof_armature[dof]);
    fputs("\n", s->out);
    return true;
}

static bool put_several(scene *s, set j, int body, int parent)
{
    int         axis;
    const char *type = type_of(s, j, &axis);
    if (type == NULL)
        return scene_refuse(
            s, "body '%s' has %d joints that are no joint of two bodies together: put bodies with mass between them",
            s->body[body], j.count);
    put_place(s, s->joint[j.first], type, body, parent, &s->data->xanchor[3 * axis]);
    if ((strcmp(type, "spherical") != 0 && !put_axis(s, "axis", axis)) ||
        (strcmp(type, "universal") == 0 && !put_axis(s, "axis2", j.first)))
        return false;
    fprintf(s->out, "}  # of %d joints; limits, damping and friction of these are left out\n", j.count);
    return true;
}

static bool put_body_joints(scene *s, int body)
{
    const mjModel *m = s->model;
    set            j = joints_of(m, body);
    int            parent = body_of(s, m->body_parentid[body]);
    char           name[NAME_BYTES + 16];
    if (j.count == 0) {
        snprintf(name, sizeof name, "%s_weld", s->body[body]);
        put_place(s, name, "fixed", body, parent, &s->data->xpos[3 * body]);
        fputs("}\n", s->out);
    } else if (j.count > 1)
        return put_several(s, j, body, parent);
    else if (m->jnt_type[j.first] == mjJNT_BALL) {
        put_place(s, s->joint[j.first], "spherical", body, parent, &s->data->xanchor[3 * j.first]);
        fputs("}\n", s->out);
    } else if (m->jnt_type[j.first] == mjJNT_FREE)
        fprintf(s->out, "  # %s is free\n", s->body[body]);
    else
        return put_single(s, j.first, body, parent);
    return true;
}

bool put_joints(scene *s)
{
    const mjModel *m = s->model;
    int            held = 0;
    for (int b = 1; b < m->nbody; b++)
        held += body_of(s, b) == b && !(m->body_jntnum[b] == 1 && m->jnt_type[m->body_jntadr[b]] == mjJNT_FREE);
    if (held == 0)
        return true;
    fputs("joints:\n", s->out);
    for (int b = 1; b < m->nbody; b++)
        if (body_of(s, b) == b && !put_body_joints(s, b))
            return false;
    return true;
}
