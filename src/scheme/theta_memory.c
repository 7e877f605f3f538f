// Memory of the theta step: one slab for all vectors, so that a step allocates nothing.
#include <stdlib.h>

#include "base/array.h"
#include "scheme/redundant.h"
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

static void lay_out_point(slab *s, const zn_theta *w, size_t rows, zn_theta_point *x)
{
    size_t n = (size_t)w->n_all;
    x->v = take(s, n);
    x->q = take(s, (size_t)w->nq);
    x->shift = take(s, n);
    x->force = take(s, n);
    x->GP = take(s, n);
    x->residual = take(s, n);
    x->P = take(s, rows);
    x->tau = take(s, (size_t)w->contacts_max);
}

static void lay_out(slab *s, zn_theta *w, size_t rows)
{
    size_t   n = (size_t)w->n_all, nq = (size_t)w->nq, contacts = (size_t)w->contacts_max;
    size_t   total = rows + contacts; // rows of the coupled problem
    double **vectors[] = {&w->free_v,  &w->predicted_v, &w->next_v, &w->next_shift, &w->increment,
                          &w->v_theta, &w->scale,       &w->work,   &w->solved_GP,  &w->velocity_floor};
    double **per_row[] = {&w->U_k, &w->next_P, &w->solved_u};
    double **per_contact[] = {&w->g_k, &w->next_tau, &w->position_gap, &w->mu};
    double **per_problem[] = {&w->b, &w->z, &w->w, &w->coupled_mu};
    lay_out_point(s, w, rows, &w->now);
    lay_out_point(s, w, rows, &w->trial);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = take(s, n);
    for (size_t i = 0; i < sizeof per_row / sizeof *per_row; i++)
        *per_row[i] = take(s, rows);
    for (size_t i = 0; i < sizeof per_contact / sizeof *per_contact; i++)
        *per_contact[i] = take(s, contacts);
    for (size_t i = 0; i < sizeof per_problem / sizeof *per_problem; i++)
        *per_problem[i] = take(s, total);
    w->free_q = take(s, nq);
    w->q_theta = take(s, nq);
    w->mass_q = take(s, nq);
    w->W = take(s, total * total);
    w->coupled = take(s, w->def.coupled ? contacts * (size_t)w->n : 0);
}

static zn_status allocate_lists(zn_theta *w, int rows)
{
    int    total = rows + w->contacts_max;
    w->row = ZN_NEW(int, rows);
    w->active = ZN_NEW(int, w->contacts_max);
    w->first = ZN_NEW(int, w->contacts_max + 1);
    w->slot = ZN_NEW(int, total);
    w->problem_first = ZN_NEW(int, total + 1);
    w->is_active = ZN_NEW(bool, w->contacts_max);
    w->scratch = zn_new_array(zn_lcp_scratch(total), 1);
    if (!w->row || !w->active || !w->first || !w->slot || !w->problem_first || !w->is_active || !w->scratch)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_fc_workspace_create(&w->friction));
    return zn_fc_workspace_reserve(w->friction, total, 2 * w->contacts_max);
}

static zn_status allocate(zn_theta *w)
{
    int  rows = w->contacts_max * w->sys->contact_rows;
    slab s = {0};
    lay_out(&s, w, (size_t)rows);
    w->memory = s.base = ZN_NEW(double, s.used);
    if (!s.base)
        return ZN_ERR_MEMORY;
    s.used = 0;
    lay_out(&s, w, (size_t)rows);
    ZN_TRY(allocate_lists(w, rows));
    ZN_TRY(zn_delassus_create(w->sys, &w->delassus));
    ZN_TRY(zn_contact_set_create(w->sys, &w->contacts));
    ZN_TRY(zn_system_matrix(w->sys, &w->iteration_matrix));
    ZN_TRY(zn_linsolver_create(w->iteration_matrix, w->def.linear_solver, &w->solver));
    ZN_TRY(zn_redundant_detect(w->sys, w->def.linear_solver, &w->redundant));
    if (w->def.coupled)
        ZN_TRY(zn_system_matrix(w->sys, &w->stiffness));
    if (w->def.metric == ZN_METRIC_MASS) {
        ZN_TRY(zn_delassus_create(w->sys, &w->metric));
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
    w->contacts_max = info.contacts_max;
    w->linear = info.linear;
    w->project = project;
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
    zn_delassus_destroy(&w->delassus);
    zn_delassus_destroy(&w->metric);
    zn_contact_set_destroy(w->contacts);
    zn_sparse_destroy(w->iteration_matrix);
    zn_sparse_destroy(w->mass_matrix);
    zn_sparse_destroy(w->stiffness);
    zn_linsolver_destroy(w->solver);
    zn_linsolver_destroy(w->mass_solver);
    free(w->scratch);
    zn_fc_workspace_destroy(w->friction);
    free(w->row);
    free(w->active);
    free(w->first);
    free(w->slot);
    free(w->problem_first);
    free(w->is_active);
    free(w->memory);
    free(w);
}
