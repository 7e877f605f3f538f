// Memory of the nonsmooth generalized-alpha scheme; parameters that follow from rho_inf.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "scheme/nsga.h"
#include "scheme/redundant.h"
#include "scheme/stick.h"

// (35)
static void set_parameters(nsga *s, double rho)
{
    s->alpha_m = (2 * rho - 1) / (rho + 1);
    s->alpha_f = rho / (rho + 1);
    s->gamma = 0.5 + s->alpha_f - s->alpha_m;
    s->beta = 0.25 * (s->gamma + 0.5) * (s->gamma + 0.5);
}

// Mean translational mass of a free degree of freedom: the diagonal of M at the start.
static zn_status characteristic_mass(nsga *s)
{
    const zn_sparse *m = s->velocity.matrix;
    double           sum = 0;
    int              count = 0;
    ZN_TRY(zn_system_operators(s->sys, (zn_at){s->sys->q0, s->sys->v0, 0, 0}, 1, 0, 0, s->velocity.matrix));
    for (int j = 0; j < m->n; j++)
        for (int p = m->start[j]; p < m->start[j + 1]; p++)
            if (m->row[p] == j && !s->sys->rotational[j]) {
                sum += m->value[p];
                count++;
            }
    s->mass = s->def.characteristic_mass > 0 ? s->def.characteristic_mass : count > 0 ? sum / count : 1;
    return ZN_OK;
}

static zn_status create_problem(nsga *s, nsga_problem *p)
{
    size_t n = (size_t)s->n_all, m = (size_t)s->contacts_max, rows = m * (size_t)s->sys->contact_rows;
    p->x = ZN_NEW(double, n);
    p->x_next = ZN_NEW(double, n);
    p->x_trial = ZN_NEW(double, n);
    p->r0 = ZN_NEW(double, n);
    p->l = ZN_NEW(double, rows);
    p->l_next = ZN_NEW(double, rows);
    p->l_trial = ZN_NEW(double, rows);
    p->c = ZN_NEW(double, rows);
    p->closed = ZN_NEW(bool, m);
    if (!p->x || !p->x_next || !p->x_trial || !p->r0 || !p->l || !p->l_next || !p->l_trial || !p->c || !p->closed)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_system_matrix(s->sys, &p->matrix));
    ZN_TRY(zn_linsolver_create(p->matrix, s->def.linear_solver, &p->solver));
    p->costly = strcmp(zn_linsolver_get_info(p->solver).backend, "mumps") == 0;
    return zn_delassus_create(s->sys, &p->columns);
}

static void destroy_problem(nsga_problem *p)
{
    zn_sparse_destroy(p->matrix);
    zn_linsolver_destroy(p->solver);
    zn_delassus_destroy(&p->columns);
    free(p->x);
    free(p->x_next);
    free(p->x_trial);
    free(p->r0);
    free(p->l);
    free(p->l_next);
    free(p->l_trial);
    free(p->c);
    free(p->closed);
}

void nsga_destroy(void *self)
{
    nsga *s = self;
    if (!s)
        return;
    destroy_problem(&s->smooth);
    destroy_problem(&s->position);
    destroy_problem(&s->velocity);
    zn_contact_set_destroy(s->contacts);
    free(s->memory);
    free(s->allowed);
    free(s->repeated);
    free(s->list);
    free(s->row);
    free(s->first);
    free(s->scratch);
    zn_fc_workspace_destroy(s->workspace);
    free(s);
}

// Of the solvers and of the search for dependent equations, one at a time.
static size_t scratch_size(int rows)
{
    size_t lcp = zn_lcp_scratch(rows), equations = (size_t)rows * (size_t)(rows + 1) * sizeof(double);
    size_t stick = zn_stick_scratch(rows) * sizeof(double), own = stick > equations ? stick : equations;
    return lcp > own ? lcp : own;
}

static zn_status allocate(nsga *s)
{
    size_t   n = (size_t)s->n_all, nq = (size_t)s->nq, m = (size_t)s->contacts_max;
    double **vectors[] = {&s->a,          &s->acceleration, &s->joint_force, &s->start_acceleration,
                          &s->start_joint, &s->accel_next,  &s->smooth_v,    &s->smooth_force,
                          &s->smooth_joint, &s->v,          &s->v_predicted, &s->increment_predicted,
                          &s->force,      &s->extra,        &s->scale,       &s->work,
                          &s->work2,      &s->correction_old, &s->rounding};
    size_t   count = sizeof vectors / sizeof *vectors, rows = m * (size_t)s->sys->contact_rows;
    double  *slab = ZN_NEW(double, count * n + 2 * nq + rows + rows * rows + 3 * (rows + 1) + m);
    s->memory = slab;
    s->allowed = ZN_NEW(bool, m);
    s->repeated = ZN_NEW(bool, m);
    s->list = ZN_NEW(int, m);
    s->row = ZN_NEW(int, rows);
    s->first = ZN_NEW(int, m + 1);
    s->scratch = zn_new_array(scratch_size((int)rows), 1);
    if (!slab || !s->allowed || !s->repeated || !s->list || !s->row || !s->first || !s->scratch)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_fc_workspace_create(&s->workspace));
    ZN_TRY(zn_fc_workspace_reserve(s->workspace, (int)rows, s->contacts_max));
    for (size_t i = 0; i < count; i++, slab += n)
        *vectors[i] = slab;
    s->smooth_q = slab;
    s->q = s->smooth_q + nq;
    s->U_k = s->q + nq;
    s->W = s->U_k + rows;
    s->b = s->W + rows * rows;
    s->z = s->b + rows + 1;
    s->w = s->z + rows + 1;
    s->mu = s->w + rows + 1;
    ZN_TRY(zn_contact_set_create(s->sys, &s->contacts));
    ZN_TRY(create_problem(s, &s->smooth));
    ZN_TRY(create_problem(s, &s->position));
    ZN_TRY(create_problem(s, &s->velocity));
    ZN_TRY(zn_redundant_detect(s->sys, s->def.linear_solver, &s->redundant));
    return characteristic_mass(s);
}

zn_status nsga_create(const zn_scheme_def *def, const zn_system *sys, bool coupled, nsga **out)
{
    nsga *s = ZN_NEW(nsga, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    zn_system_info info = zn_system_get_info(sys);
    s->sys = sys;
    s->def = *def;
    s->coupled = coupled;
    s->n = info.n;
    s->n_all = info.n_all;
    s->nq = info.nq;
    s->contacts_max = info.contacts_max;
    set_parameters(s, def->rho_inf);
    zn_status status = allocate(s);
    if (status != ZN_OK)
        nsga_destroy(s);
    else
        *out = s;
    return status;
}
