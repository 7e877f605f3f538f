// Modes of small motion about a state of rest: equations in linearized.h.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "math/linsolver.h"

#include "statics/linearized.h"

static const double pi = 3.14159265358979323846;

ZN_DEFINE_DEF(zn_modes_def, .count = 10, .linear_solver = "auto", .friction = true)

zn_modes *zn_modes_destroy(zn_modes *modes)
{
    ZN_ALIVE(modes);
    for (int i = 0; modes && modes->mode && i < modes->count; i++)
        free((double *)modes->mode[i].shape);
    if (modes)
        free(modes->mode);
    zn_retire(modes, sizeof *modes);
    return NULL;
}

// A search for equilibrium that stands where the state is.
static zn_status stand(const zn_system *sys, const zn_modes_def *def, const zn_state *state, zn_equilibrium **out)
{
    zn_equilibrium_def search = zn_equilibrium_def_default();
    zn_equilibrium    *e;
    search.linear_solver = def->linear_solver;
    search.friction = def->friction;
    search.log = def->log;
    ZN_TRY(zn_equilibrium_create(sys, &search, state, &e));
    zn_status status = zn_contact_set_copy(state->contacts, e->set);
    if (status == ZN_OK)
        status = zn_equilibrium_make_room(e);
    for (int k = 0; k < e->set->count * e->set->stride && status == ZN_OK; k++)
        e->now.l[k] = e->set->impulse[k];
    if (status == ZN_OK)
        *out = e;
    else
        zn_equilibrium_destroy(e);
    return status;
}

// --- participating masses ------------------------------------------------------------------------

// Shift of everything along an axis, fixed supports included.
static void shift_along(const zn_system *sys, int axis, double *r)
{
    memset(r, 0, sizeof *r * (size_t)sys->info.n_all);
    for (int i = 0; i < sys->layout.nodes; i++)
        if (sys->layout.node[i].kind != ZN_SCALAR && sys->layout.node[i].dof[axis] >= 0)
            r[sys->layout.node[i].dof[axis]] = 1;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static zn_status find_masses(const zn_equilibrium *e, zn_modes *modes)
{
    for (int axis = 0; axis < 3; axis++) {
        double *r = e->scratch.free, *mr = e->scratch.probe;
        shift_along(e->sys, axis, r);
        ZN_TRY(zn_system_inertia(e->sys, e->now.q, r, mr));
        double *total[] = {&modes->mass.x, &modes->mass.y, &modes->mass.z};
        *total[axis] = dot(e->n_all, r, mr);
        for (int i = 0; i < modes->count; i++) {
            double *own[] = {&modes->mode[i].mass.x, &modes->mode[i].mass.y, &modes->mode[i].mass.z};
            double  part = dot(e->n, modes->mode[i].shape, mr);
            *own[axis] = part * part;
        }
    }
    return ZN_OK;
}

// --- all of it -----------------------------------------------------------------------------------

// The largest entry of a shape is positive, so that it does not depend on the way it was found.
static void copy_shape(int n, const double *from, double *to)
{
    int top = 0;
    for (int j = 0; j < n; j++)
        top = fabs(from[j]) > (1 + 1e-6) * fabs(from[top]) ? j : top;
    for (int j = 0; j < n; j++)
        to[j] = from[top] < 0 ? -from[j] : from[j];
}

static double find_amplitude(const zn_equilibrium *e, const double *x)
{
    double shift = 0, turn = 0, size = zn_system_resolution(e->sys, e->now.q, NULL) / DBL_EPSILON;
    for (int j = 0; j < e->n; j++) {
        double *own = e->sys->rotational[j] ? &turn : &shift;
        *own = fmax(*own, fabs(x[j]));
    }
    double by_shift = shift > 0 ? 0.05 * (size > 0 ? size : 1) / shift : INFINITY;
    double by_turn = turn > 0 ? 0.2 / turn : INFINITY;
    return fmin(fmin(by_shift, by_turn), DBL_MAX);
}

static zn_status keep_modes(zn_equilibrium *e, int found, const double *square, const double *shape, zn_modes *out)
{
    for (int i = 0; i < found; i++) {
        double  *own = ZN_NEW(double, e->n_all);
        zn_mode *mode = &out->mode[i];
        if (!own)
            return ZN_ERR_MEMORY;
        copy_shape(e->n, shape + (size_t)i * (size_t)e->n, own);
        *mode = (zn_mode){.square = square[i], .amplitude = find_amplitude(e, own), .shape = own};
        mode->frequency = square[i] < 0 ? NAN : sqrt(square[i]) / (2 * pi);
        out->count = i + 1;
    }
    return find_masses(e, out);
}

static zn_status find_modes(zn_linearized *a, int wanted, zn_modes *out)
{
    size_t    n = (size_t)a->e->n;
    int       found = 0, count = wanted < a->e->n ? wanted : a->e->n;
    double   *square = ZN_NEW(double, count), *shape = ZN_NEW(double, n *(size_t)count);
    zn_status status = square && shape ? ZN_OK : ZN_ERR_MEMORY;
    out->negative = a->negative;
    out->neutral = a->neutral;
    out->mode = ZN_NEW(zn_mode, count);
    if (status == ZN_OK && out->mode)
        status = zn_linearized_modes(a, count, &found, square, shape);
    if (status == ZN_OK)
        status = out->mode ? keep_modes(a->e, found, square, shape, out) : ZN_ERR_MEMORY;
    free(square);
    free(shape);
    return status;
}

static zn_status find_about(zn_equilibrium *e, const zn_modes_def *def, zn_modes *out)
{
    zn_linearized a;
    zn_status     status = zn_linearized_create(e, &a);
    if (status == ZN_ERR_UNSUPPORTED)
        return zn_fail(&def->log, status,
                       "modes: the stiffness is not symmetric (a load that follows a body, a moment in space), or the "
                       "model is too large for a build without MUMPS");
    ZN_TRY(status);
    status = find_modes(&a, def->count, out);
    if (status > 0)
        zn_log_write(&def->log, ZN_LOG_ERROR,
                     "modes: %d of them: %s; what may help: fewer modes, or an equilibrium first", def->count,
                     status == ZN_NOT_CONVERGED ? "not all below the last were found" : zn_status_text(status));
    zn_linearized_destroy(&a);
    return status;
}

zn_status zn_modes_find(const zn_system *sys, const zn_modes_def *def, const zn_state *state, zn_modes **out)
{
    ZN_ALIVE(sys);
    ZN_ALIVE(state);
    if (!sys)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_modes_def, def, &sys->model->log);
    if (def->count <= 0)
        return zn_fail(&def->log, ZN_ERR_ARGUMENT, "modes: count %d is not positive", def->count);
    zn_equilibrium *e;
    ZN_TRY(stand(sys, def, state, &e));
    zn_modes *modes = ZN_NEW(zn_modes, 1);
    zn_status status = modes ? find_about(e, def, modes) : ZN_ERR_MEMORY;
    zn_equilibrium_destroy(e);
    if (status == ZN_OK)
        *out = modes;
    else
        zn_modes_destroy(modes);
    return status;
}
