// Memory of the nonsmooth generalized-alpha scheme; parameters that follow from rho_inf.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "constraint/nonsmooth.h"
#include "scheme/nsga.h"
#include "constraint/redundant.h"

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

static zn_status create_problem(nsga *s, nsga_problem *p, bool contacts)
{
    size_t n = (size_t)s->n_all;
    p->x = ZN_NEW(double, n);
    p->x_next = ZN_NEW(double, n);
    p->x_trial = ZN_NEW(double, n);
    p->r0 = ZN_NEW(double, n);
    if (!p->x || !p->x_next || !p->x_trial || !p->r0)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_system_matrix(s->sys, &p->matrix));
    ZN_TRY(zn_linsolver_create(p->matrix, s->def.linear_solver, &p->solver));
    p->costly = strcmp(zn_linsolver_get_info(p->solver).backend, "mumps") == 0;
    return contacts ? zn_node_blocks_create(s->sys, &p->blocks) : ZN_OK;
}

static void destroy_problem(nsga_problem *p)
{
    zn_sparse_destroy(p->matrix);
    zn_linsolver_destroy(p->solver);
    zn_node_blocks_destroy(p->blocks);
    free(p->x);
    free(p->x_next);
    free(p->x_trial);
    free(p->r0);
}

// --- what grows with the contacts ----------------------------------------------------------------

static void release_contacts(nsga *s)
{
    nsga_problem *all[] = {&s->smooth, &s->position, &s->velocity};
    for (int k = 0; k < 3; k++) {
        zn_delassus_destroy(&all[k]->columns);
        all[k]->columns = (zn_delassus){0};
    }
    free(s->contact_memory);
    free(s->contact_flags);
    free(s->contact_lists);
    free(s->scratch);
    s->contact_memory = s->contact_flags = s->contact_lists = s->scratch = NULL;
    s->contacts_max = -1; // not even for none
}

// Many rows of a pile have no dense matrix.
static size_t dense_rows(const nsga *s, size_t rows)
{
    return s->position.blocks && rows > ZN_DENSE_ROWS ? ZN_DENSE_ROWS : rows;
}

static void lay_out_contacts(nsga *s, size_t m)
{
    nsga_problem *all[] = {&s->smooth, &s->position, &s->velocity};
    size_t        rows = m * (size_t)s->sys->contact_rows, dense = dense_rows(s, rows);
    double       *slab = s->contact_memory;
    bool         *flags = s->contact_flags;
    for (int k = 0; k < 3; k++, slab += 5 * rows, flags += m) {
        all[k]->l = slab;
        all[k]->l_next = slab + rows;
        all[k]->l_trial = slab + 2 * rows;
        all[k]->c = slab + 3 * rows;
        all[k]->known = slab + 4 * rows;
        all[k]->closed = flags;
    }
    s->allowed = flags;
    s->repeated = flags + m;
    s->U_k = slab;
    s->W = s->U_k + rows;
    s->b = s->W + dense * dense;
    s->z = s->b + rows;
    s->w = s->z + rows;
    s->mu = s->w + rows;
    s->row = s->contact_lists;
    s->list = s->row + rows;
    s->first = s->list + m;
}

static zn_status allocate_contacts(nsga *s, int contacts)
{
    nsga_problem *all[] = {&s->smooth, &s->position, &s->velocity};
    size_t        m = (size_t)contacts, rows = m * (size_t)s->sys->contact_rows, dense = dense_rows(s, rows);
    s->contact_memory = ZN_NEW(double, 19 * rows + dense * dense + m);
    s->contact_flags = ZN_NEW(bool, 5 * m);
    s->contact_lists = ZN_NEW(int, rows + 2 * m + 1);
    s->scratch = zn_new_array(zn_nonsmooth_scratch((int)dense), 1);
    if (!s->contact_memory || !s->contact_flags || !s->contact_lists || !s->scratch)
        return ZN_ERR_MEMORY;
    lay_out_contacts(s, m);
    for (int k = 0; k < 3 && !s->position.blocks; k++)
        ZN_TRY(zn_delassus_create_for(s->sys, contacts, &all[k]->columns));
    ZN_TRY(zn_fc_workspace_reserve(s->workspace, (int)dense, contacts < (int)dense ? contacts : (int)dense));
    s->contacts_max = contacts;
    return ZN_OK;
}

zn_status nsga_reserve(nsga *s, int contacts)
{
    if (contacts <= s->contacts_max)
        return ZN_OK;
    release_contacts(s);
    zn_status status = allocate_contacts(s, contacts + contacts / 4);
    if (status != ZN_OK)
        release_contacts(s);
    return status;
}

// --- life ----------------------------------------------------------------------------------------

void nsga_destroy(void *self)
{
    nsga *s = self;
    if (!s)
        return;
    release_contacts(s);
    destroy_problem(&s->smooth);
    destroy_problem(&s->position);
    destroy_problem(&s->velocity);
    zn_contact_set_destroy(s->contacts);
    free(s->memory);
    zn_fc_workspace_destroy(s->workspace);
    free(s);
}

static zn_status allocate(nsga *s)
{
    size_t   n = (size_t)s->n_all, nq = (size_t)s->nq;
    double **vectors[] = {&s->a,
                          &s->acceleration,
                          &s->joint_force,
                          &s->start_acceleration,
                          &s->start_joint,
                          &s->accel_next,
                          &s->smooth_v,
                          &s->smooth_force,
                          &s->smooth_joint,
                          &s->v,
                          &s->v_predicted,
                          &s->increment_predicted,
                          &s->force,
                          &s->extra,
                          &s->scale,
                          &s->work,
                          &s->work2,
                          &s->correction_old,
                          &s->rounding};
    size_t   count = sizeof vectors / sizeof *vectors;
    double  *slab = ZN_NEW(double, count *n + 2 * nq);
    s->memory = slab;
    if (!slab)
        return ZN_ERR_MEMORY;
    for (size_t i = 0; i < count; i++, slab += n)
        *vectors[i] = slab;
    s->smooth_q = slab;
    s->q = s->smooth_q + nq;
    ZN_TRY(zn_fc_workspace_create(&s->workspace));
    ZN_TRY(zn_contact_set_create(s->sys, &s->contacts));
    ZN_TRY(create_problem(s, &s->smooth, false));
    ZN_TRY(create_problem(s, &s->position, true));
    ZN_TRY(create_problem(s, &s->velocity, true));
    bool dense_pile = s->sys->info.contacts_grow && !s->position.blocks; // few contacts are hoped for
    ZN_TRY(allocate_contacts(s, dense_pile ? 0 : s->sys->contact_capacity));
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
    set_parameters(s, def->rho_inf);
    zn_status status = allocate(s);
    if (status != ZN_OK)
        nsga_destroy(s);
    else
        *out = s;
    return status;
}
