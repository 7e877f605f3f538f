// Memory of the theta step: one slab for all vectors, so that a step allocates nothing.
#include <stdlib.h>

#include "base/array.h"
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

static void lay_out_point(slab *s, const zn_theta *w, zn_theta_point *x)
{
    size_t n = (size_t)w->n_all, m = (size_t)w->contacts_max;
    x->v = take(s, n);
    x->q = take(s, (size_t)w->nq);
    x->shift = take(s, n);
    x->force = take(s, n);
    x->GP = take(s, n);
    x->residual = take(s, n);
    x->P = take(s, m);
    x->tau = take(s, m);
}

static void lay_out(slab *s, zn_theta *w)
{
    size_t   n = (size_t)w->n_all, nq = (size_t)w->nq, m = (size_t)w->contacts_max;
    double **vectors[] = {&w->free_v, &w->predicted_v, &w->next_v, &w->next_shift, &w->increment,
                          &w->v_theta, &w->scale, &w->work, &w->solved_GP};
    double **per_contact[] = {&w->U_k, &w->g_k, &w->next_P, &w->next_tau, &w->predicted_gap,
                              &w->lcp_b, &w->lcp_z, &w->lcp_w};
    lay_out_point(s, w, &w->now);
    lay_out_point(s, w, &w->trial);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = take(s, n);
    for (size_t i = 0; i < sizeof per_contact / sizeof *per_contact; i++)
        *per_contact[i] = take(s, m);
    w->free_q = take(s, nq);
    w->q_theta = take(s, nq);
    w->lcp_A = take(s, m * m);
    w->lcp_W = take(s, m * m);
}

static zn_status allocate(zn_theta *w)
{
    slab s = {0};
    lay_out(&s, w);
    w->memory = s.base = ZN_NEW(double, s.used);
    if (!s.base)
        return ZN_ERR_MEMORY;
    s.used = 0;
    lay_out(&s, w);
    w->active = ZN_NEW(int, w->contacts_max);
    w->order = ZN_NEW(int, w->contacts_max);
    w->is_active = ZN_NEW(bool, w->contacts_max);
    w->lcp_scratch = zn_new_array(zn_lcp_scratch(w->contacts_max), 1);
    if (!w->active || !w->order || !w->is_active || !w->lcp_scratch)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_delassus_create(w->sys, &w->delassus));
    ZN_TRY(zn_contact_set_create(w->sys, &w->contacts));
    ZN_TRY(zn_system_matrix(w->sys, &w->iteration_matrix));
    return zn_linsolver_create(w->iteration_matrix, w->def.linear_solver, &w->solver);
}

zn_status zn_theta_create(const zn_scheme_def *def, const zn_system *sys, zn_theta **out)
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
    w->activation_tolerance = 10 * def->gap_tolerance;
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
    zn_contact_set_destroy(w->contacts);
    zn_sparse_destroy(w->iteration_matrix);
    zn_linsolver_destroy(w->solver);
    free(w->lcp_scratch);
    free(w->active);
    free(w->order);
    free(w->is_active);
    free(w->memory);
    free(w);
}
