// zeno-mjcf FILE.xml OUTPUT PART: an MJCF scene, as MuJoCo compiles it, written as a model file. PART is 1 for a file
// without gravity and run. Messages go to the standard error, one line.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene.h"

static void put_left_out(const scene *s)
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
static void put_inertia(const scene *s, int b)
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
            fprintf(s->out, "%s%.15g", k > 0 ? ", " : "",
                    fabs(value) < 1e-15 * (moment[0] + moment[1] + moment[2]) ? 0 : value);
        }
        fputs("]", s->out);
    }
    fputs("]", s->out);
}

static int put_bodies(const scene *s)
{
    int count = 0;
    for (int b = 1; b < s->model->nbody; b++) {
        if (body_of(s, b) != b)
            continue;
        fputs(count++ == 0 ? "bodies:\n" : "", s->out);
        fprintf(s->out, "  %s: {mass: ", s->body[b]);
        put_number(s->out, s->model->body_mass[b]);
        put_inertia(s, b);
        fputs(", position: ", s->out);
        put_vector(s->out, &s->data->xipos[3 * b]);
        put_quaternion(s->out, &s->data->xquat[4 * b]);
        fputs("}\n", s->out);
    }
    return count;
}

static bool put_scene(const scene *s, const char *file, bool part)
{
    const char *slash = strrchr(file, '/');
    fprintf(s->out, "# Made by 'zeno import' from %s, read by MuJoCo %s. Bodies have the axes of the file.\n",
            slash != NULL ? slash + 1 : file, mj_versionString());
    put_left_out(s);
    fputs("zeno: 1\n", s->out);
    if (!part) {
        fputs("gravity: ", s->out);
        put_vector(s->out, s->model->opt.gravity);
        fputs("\n", s->out);
    }
    if (put_bodies(s) == 0) {
        fputs("nothing in it moves\n", stderr);
        return false;
    }
    put_shapes(s);
    if (!put_joints(s))
        return false;
    put_contacts(s);
    if (!part)
        fprintf(s->out, "run: {scheme: combined_projection, step: %.15g, until: 1 s}\n", s->model->opt.timestep);
    return fflush(s->out) == 0;
}

static void say_error(const char *message)
{
    fprintf(stderr, "%s\n", message);
    exit(1);
}

int main(int argc, char **argv)
{
    char why[400] = "";
    if (argc != 4)
        return fputs("usage: zeno-mjcf FILE.xml OUTPUT PART\n", stderr), 2;
    mju_user_error = say_error;
    mjModel *model = mj_loadXML(argv[1], NULL, why, sizeof why);
    mjData  *data = model != NULL ? mj_makeData(model) : NULL;
    if (data == NULL) {
        for (char *c = why; *c != '\0'; c++) // one line
            *c = *c == '\n' ? ' ' : *c;
        return fprintf(stderr, "%s\n", why[0] != '\0' ? why : "MuJoCo does not read it"), 1;
    }
    mj_kinematics(model, data);
    scene s = {.model = model, .data = data, .out = fopen(argv[2], "w")};
    bool  good = s.out != NULL && scene_name(&s) && put_scene(&s, argv[1], argv[3][0] == '1');
    if (s.out != NULL)
        fclose(s.out);
    scene_free(&s);
    mj_deleteData(data);
    mj_deleteModel(model);
    return good ? 0 : 1;
}
