// Life of the search for an equilibrium, and its room: contacts of piles come in any number.
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/def.h"
#include "base/option.h"
#include "math/linsolver.h"
#include "statics/equilibrium.h"

// --- room ----------------------------------------------------------------------------------------

static zn_status allocate(zn_equilibrium *e)
{
    zn_equilibrium_point *points[] = {&e->now, &e->trial, &e->keep, &e->round, &e->anchor};
    double **dofs[] = {&e->matrix.inertia,   &e->at.force,     &e->at.residual,   &e->at.moved,     &e->way.d,
                       &e->way.terms,        &e->scratch.zero, &e->scratch.scale, &e->scratch.load, &e->scratch.size,
                       &e->scratch.rounding, &e->scratch.work, &e->scratch.probe, &e->scratch.free};
    double **configuration[] = {&e->start};
    ZN_TRY(zn_arena_create_growing(1 << 14, &e->memory));
    for (size_t i = 0; i < ZN_COUNT(points); i++) {
        points[i]->q = ZN_ARENA_NEW(e->memory, double, e->nq);
        if (!points[i]->q)
            return ZN_ERR_MEMORY;
    }
    ZN_TRY(zn_arena_vectors(e->memory, 1, configuration, (size_t)e->nq));
    return zn_arena_vectors(e->memory, ZN_COUNT(dofs), dofs, (size_t)e->n_all);
}

// All that has an entry per contact, per row, or per entry of rows.
static zn_status allocate_contacts(zn_equilibrium *e, zn_arena *memory, size_t contacts, size_t entries)
{
    size_t   n = (size_t)e->n_all, rows = contacts * (size_t)e->sys->contact_rows;
    double **per_contact[] = {&e->hold, &e->give, &e->friction.across};
    double **per_row[] = {&e->now.l, &e->trial.l,      &e->keep.l,        &e->round.l,           &e->anchor.l,
                          &e->way.l, &e->direct.yield, &e->friction.slip, &e->friction.direction};
    double **both[] = {&e->direct.x, &e->direct.rest}, **values[] = {&e->anchor_rows};
    ZN_TRY(zn_arena_vectors(memory, ZN_COUNT(per_contact), per_contact, contacts));
    ZN_TRY(zn_arena_vectors(memory, ZN_COUNT(per_row), per_row, rows));
    ZN_TRY(zn_arena_vectors(memory, ZN_COUNT(both), both, n + rows));
    ZN_TRY(zn_arena_vectors(memory, ZN_COUNT(values), values, entries));
    e->chosen = ZN_ARENA_NEW(memory, bool, contacts);
    e->direct.hold = ZN_ARENA_NEW(memory, zn_contact_hold, contacts);
    e->direct.next = ZN_ARENA_NEW(memory, zn_contact_hold, contacts);
    e->anchor_dofs = ZN_ARENA_NEW(memory, int, entries);
    return e->chosen && e->direct.hold && e->direct.next && e->anchor_dofs ? ZN_OK : ZN_ERR_MEMORY;
}

zn_status zn_equilibrium_make_room(zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    int                   entries = set->row_start[set->count * set->stride];
    if (e->room.memory && set->count <= e->room.contacts && entries <= e->room.entries)
        return ZN_OK;
    bool      grows = e->room.memory != NULL;
    int       contacts = grows ? 2 * set->count : e->sys->contact_capacity, old = e->room.contacts * set->stride;
    double   *l[] = {e->now.l, e->keep.l, e->round.l, e->anchor.l};
    zn_arena *memory, *before = e->room.memory;
    contacts = contacts > set->count ? contacts : set->count;
    entries = grows || e->sys->entry_capacity < entries ? 2 * entries : e->sys->entry_capacity;
    ZN_TRY(zn_arena_create_growing(1 << 14, &memory));
    zn_status status = allocate_contacts(e, memory, (size_t)contacts, (size_t)entries);
    double   *next[] = {e->now.l, e->keep.l, e->round.l, e->anchor.l};
    for (size_t i = 0; i < ZN_COUNT(l) && status == ZN_OK && old > 0; i++)
        memcpy(next[i], l[i], sizeof *l[i] * (size_t)old);
    zn_arena_destroy(before);
    e->room.memory = memory; // of no use unless all was allocated
    e->room.contacts = contacts;
    e->room.entries = entries;
    zn_response_destroy(&e->response);
    zn_row_list_destroy(&e->list);
    e->response = (zn_response){0};
    e->list = (zn_row_list){0};
    return status;
}

zn_status zn_equilibrium_make_problem(zn_equilibrium *e)
{
    int contacts = e->room.contacts, rows = contacts * e->friction.rows;
    if (e->response.sys)
        return ZN_OK;
    ZN_TRY(zn_row_list_create(rows, contacts, &e->list));
    ZN_TRY(zn_response_create_lent(e->sys, contacts, &e->response));
    return zn_constraints_reserve(&e->problem, rows, contacts, rows);
}

// --- life ----------------------------------------------------------------------------------------

static zn_status check_def(const zn_equilibrium_def *def)
{
    ZN_TRY(zn_options_check(zn_equilibrium_options(), def, "equilibrium", &def->log));
    if (!zn_linsolver_is_built(def->linear_solver))
        return zn_fail(&def->log, ZN_ERR_ARGUMENT, "equilibrium: linear_solver '%s' is not part of this build",
                       def->linear_solver);
    return ZN_OK;
}

static double size_of(const zn_equilibrium *e)
{
    const zn_contact_set *set = e->set;
    double                length = zn_system_resolution(e->sys, e->now.q, NULL) / DBL_EPSILON;
    for (int k = 0; k < set->row_start[set->count * set->stride]; k++)
        length = e->sys->rotational[set->row_dof[k]] ? fmax(length, fabs(set->row_value[k])) : length;
    return zn_system_max(e->sys, length);
}

static zn_status set_up(zn_equilibrium *e, const zn_state *from)
{
    ZN_TRY(allocate(e));
    memcpy(e->now.q, from->q, sizeof *e->now.q * (size_t)e->nq);
    memcpy(e->start, from->q, sizeof *e->start * (size_t)e->nq);
    ZN_TRY(zn_contact_set_create(e->sys, &e->set));
    ZN_TRY(zn_contact_set_refresh(e->set, e->sys, e->now.q, e->loads.t));
    ZN_TRY(zn_equilibrium_make_room(e));
    e->length = size_of(e);
    ZN_TRY(zn_system_matrix(e->sys, &e->matrix.stiffness));
    ZN_TRY(zn_system_matrix(e->sys, &e->matrix.mass));
    e->matrix.whole.border = e->friction.rows;
    if (!e->sys->fixed_contacts)
        ZN_TRY(zn_contact_set_create(e->sys, &e->kept));
    const zn_constraint_settings settings = {"auto", 1e-12, ZN_FC_MEASURE_NATURAL, {0}};
    ZN_TRY(zn_constraints_create(e->sys, &settings, &e->problem));
    return zn_constraints_detect_redundant(&e->problem, e->def.linear_solver);
}

static zn_status refuse_laws(const zn_system *sys, const zn_equilibrium_def *def)
{
    for (int i = 0; i < sys->model->rules; i++)
        if (sys->model->rule[i].cohesion > 0)
            return zn_fail(&sys->model->log, ZN_ERR_UNSUPPORTED,
                           "equilibrium: contact '%s' has cohesion, which the search for an equilibrium does not know; "
                           "a run comes to rest with it",
                           sys->model->rule[i].name);
    for (int i = 0; i < sys->model->rules && def->friction; i++)
        if (sys->model->rule[i].turns > 0)
            return zn_fail(&sys->model->log, ZN_ERR_UNSUPPORTED,
                           "equilibrium: contact '%s' has rolling or spinning friction, which the search for an "
                           "equilibrium does not know; a run comes to rest with it, 'friction: false' leaves all out",
                           sys->model->rule[i].name);
    return ZN_OK;
}

zn_status zn_equilibrium_create(const zn_system *sys, const zn_equilibrium_def *def, const zn_state *from,
                                zn_equilibrium **out)
{
    ZN_ASSERT(sys && from && out);
    ZN_TAKE_DEF(zn_equilibrium_def, def, &sys->model->log);
    ZN_TRY(check_def(def));
    if (zn_system_motor(sys))
        return zn_fail(&sys->model->log, ZN_ERR_UNSUPPORTED,
                       "equilibrium: '%s' is a motor or depends on the motion (feedback); an equilibrium with "
                       "controllers is what a "
                       "run comes to",
                       zn_system_motor(sys));
    ZN_TRY(refuse_laws(sys, def));
    zn_equilibrium *e = ZN_NEW(zn_equilibrium, 1);
    if (!e)
        return ZN_ERR_MEMORY;
    e->sys = sys;
    e->def = *def;
    e->n = sys->info.n;
    e->n_all = sys->info.n_all;
    e->nq = sys->info.nq;
    e->friction.rows = def->friction ? sys->contact_rows : 1;
    e->loads.t = from->t;
    e->loads.stride = INFINITY;
    zn_status status = set_up(e, from);
    if (status != ZN_OK)
        zn_equilibrium_destroy(e);
    else
        *out = e;
    return status;
}

zn_equilibrium *zn_equilibrium_destroy(zn_equilibrium *e)
{
    if (!e)
        return NULL;
    zn_curved_matrix_destroy(&e->matrix.plain);
    zn_curved_matrix_destroy(&e->matrix.whole);
    zn_contact_set_destroy(e->set);
    zn_contact_set_destroy(e->kept);
    zn_sparse_destroy(e->matrix.stiffness);
    zn_sparse_destroy(e->matrix.mass);
    zn_response_destroy(&e->response);
    zn_constraints_destroy(&e->problem);
    zn_row_list_destroy(&e->list);
    zn_arena_destroy(e->room.memory);
    zn_arena_destroy(e->memory);
    free(e);
    return NULL;
}
