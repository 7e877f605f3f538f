// Names, axes and numbers.
#include "scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool scene_refuse(scene *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->why, s->why_size, format, arguments);
    va_end(arguments);
    return false;
}

// --- names ---------------------------------------------------------------------------------------

static void make_name(const char *text, const char *kind, int number, char out[NAME_BYTES])
{
    enum { MOST = 45 }; // of 63 in a model file: a number and what kind it is may follow
    static const char *const reserved[] = {"ground", "t", "pi", "all", "none", "true", "false"};
    size_t                   n = 0;
    if (text == NULL || text[0] == '\0') {
        snprintf(out, NAME_BYTES, "%s%d", kind, number);
        return;
    }
    if (strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", *text) == NULL)
        out[n++] = '_';
    for (; *text != '\0' && n < MOST; text++)
        out[n++] =
            strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", *text) != NULL ? *text : '_';
    out[n] = '\0';
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(out, reserved[i]) == 0)
            strcat(out, "_");
}

static bool is_taken(const scene *s, const char *name, int bodies, int joints, int geoms)
{
    for (int i = 1; i < bodies; i++)
        if (strcmp(s->body[i], name) == 0)
            return true;
    for (int i = 0; i < joints; i++)
        if (strcmp(s->joint[i], name) == 0)
            return true;
    for (int i = 0; i < geoms; i++)
        if (strcmp(s->geom[i], name) == 0)
            return true;
    return false;
}

// Bodies, joints and shapes share one set of names in a model file.
static void name_one(const scene *s, int kind, const char *word, int id, int bodies, int joints, int geoms, char *name)
{
    make_name(mj_id2name(s->model, kind, id), word, id, name);
    size_t length = strlen(name);
    for (int i = 1; is_taken(s, name, bodies, joints, geoms); i++)
        snprintf(name + length, NAME_BYTES - length, i > 1 ? "_%s%d" : "_%s", word, i);
}

bool scene_name(scene *s)
{
    const mjModel *m = s->model;
    s->body = calloc((size_t)m->nbody + 1, NAME_BYTES);
    s->joint = calloc((size_t)m->njnt + 1, NAME_BYTES);
    s->geom = calloc((size_t)m->ngeom + 1, NAME_BYTES);
    if (s->body == NULL || s->joint == NULL || s->geom == NULL)
        return scene_refuse(s, "out of memory");
    for (int i = 1; i < m->nbody; i++)
        name_one(s, mjOBJ_BODY, "body", i, i, 0, 0, s->body[i]);
    for (int i = 0; i < m->njnt; i++)
        name_one(s, mjOBJ_JOINT, "joint", i, m->nbody, i, 0, s->joint[i]);
    for (int i = 0; i < m->ngeom; i++)
        name_one(s, mjOBJ_GEOM, "geom", i, m->nbody, m->njnt, i, s->geom[i]);
    return true;
}

void scene_free(scene *s)
{
    free(s->body);
    free(s->joint);
    free(s->geom);
}

// --- axes ----------------------------------------------------------------------------------------

// Without mass of its own it is a part of what it is welded to.
int body_of(const scene *s, int body)
{
    const mjModel *m = s->model;
    int            weld = m->body_weldid[body];
    return weld == 0 || (weld != body && !(m->body_mass[body] > 0)) ? weld : body;
}

void turn_to_body(const scene *s, int body, const mjtNum world[3], mjtNum out[3])
{
    mjtNum back[4];
    if (body == 0) {
        mju_copy3(out, world);
        return;
    }
    mju_negQuat(back, &s->data->xquat[4 * body]);
    mju_rotVecQuat(out, world, back);
}

void to_body(const scene *s, int body, const mjtNum world[3], mjtNum out[3])
{
    mjtNum from[3];
    mju_copy3(from, world);
    if (body > 0)
        mju_subFrom3(from, &s->data->xipos[3 * body]);
    turn_to_body(s, body, from, out);
}

// --- numbers -------------------------------------------------------------------------------------

void put_number(scene *s, double x)
{
    s->odd += !isfinite(x);
    fprintf(s->out, "%.15g", x);
}

void put_vector(scene *s, const mjtNum x[3])
{
    for (int i = 0; i < 3; i++) {
        fputs(i == 0 ? "[" : ", ", s->out);
        put_number(s, fabs(x[i]) < 1e-15 ? 0 : x[i]); // rounding
    }
    fputs("]", s->out);
}

void put_quaternion(scene *s, const mjtNum q[4])
{
    if (hypot(q[1], hypot(q[2], q[3])) < 1e-15)
        return;
    fputs(", rotation: [", s->out);
    for (int i = 0; i < 4; i++) {
        fputs(i == 0 ? "" : ", ", s->out);
        put_number(s, fabs(q[i]) < 1e-15 ? 0 : q[i]);
    }
    fputs("]", s->out);
}
