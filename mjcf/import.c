// A scene as a model file.
#include <math.h>
#include <string.h>

#include "scene.h"

static void put_left_out(scene *s)
{
    const mjModel *m = s->model;
    const struct {
        int         count;
        const char *what;
    } left[] = {{m->neq, "equality constraints: joints 'fixed', 'spherical' and 'coupling' may stand for them"},
                {m->nu, "actuators: drives are 'motors' on joints"},
                {m->ntendon, "tendons: see 'springs'"},
                {m->nsensor, "sensors: what is measured is told in 'record'"},
                {m->npair, "pairs of geoms with a law of their own: see 'contacts'"}};
    fputs(
        "# solref, solimp and the solver of MuJoCo have no counterpart: contacts are rigid, Coulomb's law is exact.\n",
        s->out);
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i].count > 0)
            fprintf(s->out, "# left out: %d %s\n", left[i].count, left[i].what);
}

// Inertia in body axes, from principal moments m in axes that are turned by q.
static void put_inertia(scene *s, int b)
{
    mjtNum        R[9], rows[9];
    const mjtNum *moment = &s->model->body_inertia[3 * b];
    mju_quat2Mat(R, &s->model->body_iquat[4 * b]);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            rows[3 * i + k] = 0;
            for (int l = 0; l < 3; l++)
                rows[3 * i + k] += R[3 * i + l] * moment[l] * R[3 * k + l];
        }
    fputs(", inertia: [", s->out);
    for (int i = 0; i < 3; i++) {
        fputs(i > 0 ? ", [" : "[", s->out);
        for (int k = 0; k < 3; k++) {
            double value = i <= k ? rows[3 * i + k] : rows[3 * k + i];
            fputs(k > 0 ? ", " : "", s->out);
            put_number(s, fabs(value) < 1e-15 * (moment[0] + moment[1] + moment[2]) ? 0 : value);
        }
        fputs("]", s->out);
    }
    fputs("]", s->out);
}

// For MuJoCo it is enough if something that is fixed to it has both.
static bool has_mass(const scene *s, int b)
{
    const mjtNum *moment = &s->model->body_inertia[3 * b];
    return s->model->body_mass[b] > 0 && moment[0] > 0 && moment[1] > 0 && moment[2] > 0;
}

static bool put_bodies(scene *s)
{
    int count = 0;
    for (int b = 1; b < s->model->nbody; b++) {
        if (body_of(s, b) != b)
            continue;
        if (!has_mass(s, b))
            return scene_refuse(s, "body '%s' moves but has no mass or inertia of its own", s->body[b]);
        fputs(count++ == 0 ? "bodies:\n" : "", s->out);
        fprintf(s->out, "  %s: {mass: ", s->body[b]);
        put_number(s, s->model->body_mass[b]);
        put_inertia(s, b);
        fputs(", position: ", s->out);
        put_vector(s, &s->data->xipos[3 * b]);
        put_quaternion(s, &s->data->xquat[4 * b]);
        fputs("}\n", s->out);
    }
    return count > 0 || scene_refuse(s, "nothing in it moves");
}

static bool put_scene(scene *s, const char *file, bool part)
{
    const char *slash = strrchr(file, '/');
    fprintf(s->out, "# Made by 'zeno import' from %s, read by MuJoCo %s. Bodies have the axes of the file.\n",
            slash != NULL ? slash + 1 : file, mj_versionString());
    put_left_out(s);
    fputs("zeno: 1\n", s->out);
    if (!part) {
        fputs("gravity: ", s->out);
        put_vector(s, s->model->opt.gravity);
        fputs("\n", s->out);
    }
    if (!put_bodies(s))
        return false;
    put_shapes(s);
    if (!put_joints(s))
        return false;
    put_contacts(s);
    if (!part && !(s->model->opt.timestep > 0))
        return scene_refuse(s, "its timestep is %g s", s->model->opt.timestep);
    if (!part) {
        fputs("run: {scheme: combined_projection, step: ", s->out);
        put_number(s, s->model->opt.timestep);
        fputs(", until: 1 s}\n", s->out);
    }
    if (s->odd > 0)
        return scene_refuse(s, "%d numbers in it, as MuJoCo reads them, are none", s->odd);
    return fflush(s->out) == 0 || scene_refuse(s, "the model file cannot be written");
}

bool scene_import(const char *file, const char *output, bool part, char *why, size_t size)
{
    why[0] = '\0';
    mjModel *model = mj_loadXML(file, NULL, why, (int)size);
    mjData  *data = model != NULL ? mj_makeData(model) : NULL;
    bool     good = data != NULL;
    if (model == NULL ? why[0] == '\0' : data == NULL)
        snprintf(why, size, "MuJoCo %s", model == NULL ? "does not read it" : "has no memory for it");
    if (good) {
        mj_kinematics(model, data);
        scene s = {.model = model, .data = data, .why = why, .why_size = size, .out = fopen(output, "w")};
        if (s.out == NULL)
            good = scene_refuse(&s, "the model file cannot be written");
        else
            good = scene_name(&s) && put_scene(&s, file, part);
        if (s.out != NULL && fclose(s.out) != 0 && good)
            good = scene_refuse(&s, "the model file cannot be written");
        scene_free(&s);
    }
    for (char *c = why; *c != '\0'; c++) // one line
        *c = *c == '\n' ? ' ' : *c;
    if (data != NULL)
        mj_deleteData(data);
    if (model != NULL)
        mj_deleteModel(model);
    return good;
}
