// Memory of the theta step: one slab for all vectors and one for all that belongs to contacts, so that a step allocates
// nothing once there is room for its contacts.
#include <stdlib.h>

#include "base/array.h"
#include "constraint/redundant.h"
#include "constraint/nonsmooth.h"
#include "scheme/theta.h"

// Hands out consecutive pieces of a slab; with a NULL slab it only counts.
typedef struct slab {
    double *base;
    size_t  used;
} slab;

static double *take(slab *s, size_t count)
{
    double *piece = s->base ? s->base + s->used : NULL;
    s->used += (count + 7) & ~(size_t)7; // whole cache lines
    return piece;
}

// What does not depend on the number of contacts.
static void lay_out_vectors(slab *s, zn_theta *w)
{
    size_t          n = (size_t)w->n_all, nq = (size_t)w->nq;
    zn_theta_point *point[] = {&w->now, &w->trial};
    double        **vectors[] = {&w->free_v,  &w->predicted_v, &w->next_v, &w->next_shift, &w->increment,
                                 &w->v_theta, &w->scale,       &w->work,   &w->solved_GP,  &w->velocity_floor};
    for (int i = 0; i < 2; i++) {
        point[i]->v = take(s, n);
        point[i]->q = take(s, nq);
        point[i]->shift = take(s, n);
        point[i]->force = take(s, n);
        point[i]->GP = take(s, n);
        point[i]->residual = take(s, n);
    }
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = take(s, n);
    w->free_q = take(s, nq);
    w->q_theta = take(s, nq);
    w->mass_q = take(s, nq);
}

static size_t dense_rows(const zn_theta *w, size_t total)
{
    return w->blocks && total > ZN_DENSE_ROWS ? ZN_DENSE_ROWS : total;
}

static void lay_out_contacts(slab *s, zn_theta *w, size_t contacts)
{
    size_t   rows = contacts * (size_t)w->sys->contact_rows;
    size_t   total = rows + contacts, dense = dense_rows(w, total); // rows of the coupled problem
    double **per_row[] = {&w->U_k, &w->next_P, &w->solved_u, &w->rounding, &w->now.P, &w->trial.P};
    double **per_contact[] = {&w->g_k, &w->next_tau, &w->position_gap, &w->mu, &w->now.tau, &w->trial.tau};
    double **per_problem[] = {&w->b, &w->z, &w->w, &w->coupled_mu};
    for (size_t i = 0; i < sizeof per_row / sizeof *per_row; i++)
        *per_row[i] = take(s, rows);
    for (size_t i = 0; i < sizeof per_contact / sizeof *per_contact; i++)
        *per_contact[i] = take(s, contacts);
    for (size_t i = 0; i < sizeof per_problem / sizeof *per_problem; i++)
        *per_problem[i] = take(s, total);
    w->W = take(s, dense * dense);
    w->coupled = take(s, w->def.coupled ? contacts * (size_t)w->n : 0);
}

static void release_contacts(zn_theta *w)
{
    zn_delassus_destroy(&w->delassus);
    zn_delassus_destroy(&w->metric);
    w->delassus = w->metric = (zn_delassus){0};
    free(w->scratch);
    free(w->row);
    free(w->active);
    free(w->first);
    free(w->slot);
    free(w->problem_first);
    free(w->position_row);
    free(w->is_active);
    free(w->contact_memory);
    w->scratch = w->contact_memory = NULL;
    w->row = w->active = w->first = w->slot = w->problem_first = w->position_row = NULL;
    w->is_active = NULL;
    w->contacts_max = -1; // not even for none
}

static zn_status allocate_lists(zn_theta *w, int contacts)
{
    int rows = contacts * w->sys->contact_rows, total = rows + contacts;
    int dense = (int)dense_rows(w, (size_t)total), dense_contacts = 2 * contacts < dense ? 2 * contacts : dense;
    w->row = ZN_NEW(int, rows);
    w->active = ZN_NEW(int, contacts);
    w->first = ZN_NEW(int, contacts + 1);
    w->slot = ZN_NEW(int, total);
    w->problem_first = ZN_NEW(int, total + 1);
    w->position_row = ZN_NEW(int, contacts);
    w->is_active = ZN_NEW(bool, contacts);
    w->scratch = zn_new_array(zn_nonsmooth_scratch(dense), 1);
    if (!w->row || !w->active || !w->first || !w->slot || !w->problem_first || !w->position_row || !w->is_active ||
        !w->scratch)
        return ZN_ERR_MEMORY;
    return zn_fc_workspace_reserve(w->friction, dense, dense_contacts);
}

static zn_status allocate_contacts(zn_theta *w, int contacts)
{
    slab s = {0};
    lay_out_contacts(&s, w, (size_t)contacts);
    w->contact_memory = s.base = ZN_NEW(double, s.used);
    if (!s.base)
        return ZN_ERR_MEMORY;
    s.used = 0;
    lay_out_contacts(&s, w, (size_t)contacts);
    ZN_TRY(allocate_lists(w, contacts));
    if (!w->blocks)
        ZN_TRY(zn_delassus_create_for(w->sys, contacts, &w->delassus));
    if (w->def.metric == ZN_METRIC_MASS && !w->blocks)
        ZN_TRY(zn_delassus_create_for(w->sys, contacts, &w->metric));
    w->contacts_max = contacts;
    return ZN_OK;
}

zn_status zn_theta_reserve(zn_theta *w, int contacts)
{
    if (contacts <= w->contacts_max)
        return ZN_OK;
    w->active_count = 0;
    release_contacts(w);
    zn_status status = allocate_contacts(w, contacts + contacts / 4);
    if (status != ZN_OK)
        release_contacts(w);
    return status;
}

static zn_status allocate(zn_theta *w)
{
    slab s = {0};
    lay_out_vectors(&s, w);
    w->memory = s.base = ZN_NEW(double, s.used);
    if (!s.base)
        return ZN_ERR_MEMORY;
    s.used = 0;
    lay_out_vectors(&s, w);
    ZN_TRY(zn_fc_workspace_create(&w->friction));
    if (w->project == ZN_PROJECT_NONE || !w->def.coupled)
        ZN_TRY(zn_node_blocks_create(w->sys, &w->blocks));
    if (w->project != ZN_PROJECT_NONE && w->blocks) {
        ZN_TRY(zn_node_blocks_create(w->sys, &w->metric_blocks));
        zn_node_blocks_identity(w->metric_blocks);
    }
    ZN_TRY(allocate_contacts(w, w->blocks || !w->sys->info.contacts_grow ? w->sys->contact_capacity : 0));
    ZN_TRY(zn_contact_set_create(w->sys, &w->contacts));
    ZN_TRY(zn_system_matrix(w->sys, &w->iteration_matrix));
    ZN_TRY(zn_linsolver_create(w->iteration_matrix, w->def.linear_solver, &w->solver));
    ZN_TRY(zn_redundant_detect(w->sys, w->def.linear_solver, &w->redundant));
    if (w->def.coupled)
        ZN_TRY(zn_system_matrix(w->sys, &w->stiffness));
    if (w->def.metric == ZN_METRIC_MASS) {
        ZN_TRY(zn_system_matrix(w->sys, &w->mass_matrix));
        ZN_TRY(zn_linsolver_create(w->mass_matrix, w->def.linear_solver, &w->mass_solver));
    }
    return ZN_OK;
}

zn_status zn_theta_create(const zn_scheme_def *def, const zn_system *sys, zn_projection project, zn_theta **out)
{
    zn_theta *w = ZN_NEW(zn_theta, 1);
    if (!w)
        return ZN_ERR_MEMORY;
    zn_system_info info = zn_system_get_info(sys);
    w->sys = sys;
    w->def = *def;
    w->n = info.n;
    w->n_all = info.n_all;
    w->nq = info.nq;
    w->linear = info.linear;
    w->project = project;
    w->frozen = def->frozen_rows;
    zn_status status = allocate(w);
    if (status != ZN_OK)
        zn_theta_destroy(w);
    else
        *out = w;
    return status;
}

void zn_theta_destroy(zn_theta *w)
{
    if (!w)
        return;
    release_contacts(w);
    zn_node_blocks_destroy(w->blocks);
    zn_node_blocks_destroy(w->metric_blocks);
    zn_contact_set_destroy(w->contacts);
    zn_sparse_destroy(w->iteration_matrix);
    zn_sparse_destroy(w->mass_matrix);
    zn_sparse_destroy(w->stiffness);
    zn_linsolver_destroy(w->solver);
    zn_linsolver_destroy(w->mass_solver);
    zn_fc_workspace_destroy(w->friction);
    free(w->memory);
    free(w);
}
