// MuJoCo: a model in its own language, compiled before the first step. "default" is all defaults; "advised" has what
// its manual names against slip: the elliptic cone, a large ratio of the impedances of friction and normal force, and
// iterations without slip. There is no restitution; "advised" gives stiffness and damping of contacts such that the
// linear oscillator rebounds with it after 10 ms.
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

const char *const peer_settings = "default advised";

static char     text[100000], geom[200];
static size_t   length;
static int      count; // bodies
static mjModel *model;
static mjData  *data;

#define WRITE(...) (length += (size_t)snprintf(text + length, sizeof text - length, __VA_ARGS__))

void peer_begin(const peer_world *w)
{
    const double pi = acos(-1);
    int          advised = strcmp(w->setting, "advised") == 0;
    char         law[100] = "";
    if (advised && w->restitution > 0) {
        double decay = log(w->restitution), omega = 314, zeta = -decay / sqrt(pi * pi + decay * decay);
        snprintf(law, sizeof law, "solref='%g %g' solimp='.99 .99 .001'", -omega * omega, -2 * zeta * omega);
    }
    snprintf(geom, sizeof geom, "friction='%g' %s", w->friction, law);
    length = 0;
    count = 0;
    WRITE("<mujoco><option gravity='%.17g %.17g %.17g' %s/><worldbody>", w->gravity[0], w->gravity[1], w->gravity[2],
          advised && !*law ? "cone='elliptic' impratio='100' noslip_iterations='5'" : "");
    if (w->floor)
        WRITE("<geom type='plane' size='50 50 .1' %s/>", geom);
}

void peer_add(const peer_body *b)
{
    const double *s = b->size;
    count++;
    WRITE("<body pos='%.17g %.17g %.17g'>%s", b->at[0], b->at[1], b->at[2],
          b->rail ? "<joint type='slide' axis='1 0 0'/>" : "<freejoint/>");
    if (b->radius > 0)
        WRITE("<geom type='sphere' size='%.17g' mass='%.17g' %s/></body>", b->radius, b->mass, geom);
    else
        WRITE("<geom type='box' size='%.17g %.17g %.17g' mass='%.17g' %s/></body>", s[0] / 2, s[1] / 2, s[2] / 2,
              b->mass, geom);
}

void peer_ready(double step)
{
    char   error[500];
    mjVFS *files = malloc(sizeof *files);
    WRITE("</worldbody><size njmax='%d' nconmax='%d'/></mujoco>", 60 * count,
          12 * count); // memory grows with the square
    mj_defaultVFS(files);
    mj_makeEmptyFileVFS(files, "model.xml", (int)length);
    memcpy(files->filedata[0], text, length);
    model = mj_loadXML("model.xml", files, error, sizeof error);
    mj_deleteVFS(files);
    free(files);
    if (!model) {
        fprintf(stderr, "mujoco: %s\n", error);
        exit(1);
    }
    model->opt.timestep = step;
    data = mj_makeData(model);
}

// Joint b is that of body b.
void peer_push(int b, double force) { data->qfrc_applied[model->jnt_dofadr[b]] = force; }
void peer_step(void) { mj_step(model, data); }
void peer_position(int b, double x[3]) { memcpy(x, data->qpos + model->jnt_qposadr[b], 3 * sizeof *x); }

double peer_depth(void)
{
    double deepest = 0;
    for (int i = 0; i < data->ncon; i++)
        deepest = fmax(deepest, -data->contact[i].dist);
    return deepest;
}

int peer_contacts(void) { return data->ncon; }

void peer_end(void)
{
    mj_deleteData(data);
    mj_deleteModel(model);
    data = NULL;
    model = NULL;
}
