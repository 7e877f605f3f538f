// Memory of the nonsmooth generalized-alpha scheme; parameters that follow from rho_inf.
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/nsga.h"

// (35)
static nsga_alpha parameters(double rho)
{
    ZN_ASSERT(rho >= 0 && rho <= 1);
    nsga_alpha a = {.m = (2 * rho - 1) / (rho + 1), .f = rho / (rho + 1)};
    a.gamma = 0.5 + a.f - a.m;
    a.beta = 0.25 * (a.gamma + 0.5) * (a.gamma + 0.5);
    return a;
}

// Mean translational mass of a free degree of freedom: the diagonal of M at the start.
static zn_status characteristic_mass(nsga *s)
{
    zn_sparse  *m = s->velocity.response.matrix;
    const bool *owned = s->sys->halo ? s->sys->halo->owned : NULL;
    double      sum = 0, count = 0;
    ZN_TRY(zn_system_agree(s->sys, zn_system_operators(s->sys, (zn_at){s->sys->q0, s->sys->v0, 0, 0}, 1, 0, 0, m)));
    for (int j = 0; j < m->n; j++)
        for (int p = m->start[j]; p < m->start[j + 1]; p++)
            if (m->row[p] == j && !s->sys->rotational[j]) {
                sum += m->value[p];
                count += !owned || owned[j];
            }
    sum = zn_system_sum(s->sys, sum);
    count = zn_system_sum(s->sys, count);
    s->mass = s->def.characteristic_mass > 0 ? s->def.characteristic_mass : count > 0 ? sum / count : 1;
    return ZN_OK;
}

static zn_status create_problem(nsga *s, nsga_problem *p, bool contacts)
{
    double **vectors[] = {&p->x, &p->x_next, &p->x_trial, &p->r0, &p->pushed};
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(vectors), vectors, (size_t)s->n_all));
    ZN_TRY(zn_response_create(s->sys, s->def.linear_solver, contacts, &p->response));
    if (zn_scheme_may_split(s->sys, &s->def))
        ZN_TRY(zn_response_limit_columns(&p->response, s->def.linear_solver, 1e6 * s->def.column_memory));
    if (p != &s->velocity) // whose unknown moves no row
        ZN_TRY(zn_response_allow_curvature(&p->response, s->def.linear_solver));
    p->costly =
        strcmp(zn_linsolver_get_info(p->response.solver).backend, "mumps") == 0 || zn_response_iterates(&p->response);
    return ZN_OK;
}

// --- what grows with the contacts ----------------------------------------------------------------

static void release_contacts(nsga *s)
{
    zn_row_list_destroy(&s->list);
    s->contact_memory = zn_arena_destroy(s->contact_memory);
    s->contacts_max = -1; // not even for none
}

static zn_status allocate_rows(nsga *s, nsga_problem *p, int contacts)
{
    double **rows[] = {&p->l, &p->l_next, &p->l_trial, &p->c, &p->known};
    ZN_TRY(zn_arena_vectors(s->contact_memory, ZN_COUNT(rows), rows, (size_t)(contacts * s->sys->contact_rows)));
    p->closed = ZN_ARENA_NEW(s->contact_memory, bool, contacts);
    if (!s->position.response.blocks) // of a pile: there are no joints that would need columns in the smooth problem
        ZN_TRY(zn_response_reserve(&p->response, contacts));
    return p->closed ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status allocate_contacts(nsga *s, int contacts)
{
    nsga_problem *all[] = {&s->smooth, &s->position, &s->velocity};
    int           rows = contacts * s->sys->contact_rows;
    ZN_TRY(zn_arena_create_growing(4096, &s->contact_memory));
    for (int k = 0; k < 3; k++)
        ZN_TRY(allocate_rows(s, all[k], contacts));
    s->U_k = ZN_ARENA_NEW(s->contact_memory, double, rows);
    s->allowed = ZN_ARENA_NEW(s->contact_memory, bool, contacts);
    s->repeated = ZN_ARENA_NEW(s->contact_memory, bool, contacts);
    s->held = ZN_ARENA_NEW(s->contact_memory, int, contacts);
    if (!s->U_k || !s->allowed || !s->repeated || !s->held)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_row_list_create(rows, contacts, &s->list));
    int dense = zn_constraints_dense_rows(&s->position.response, rows);
    ZN_TRY(zn_constraints_reserve(&s->constraints, rows, contacts, dense));
    ZN_TRY(zn_impact_reserve(&s->impact, contacts, s->sys->contact_rows));
    s->contacts_max = contacts;
    return ZN_OK;
}

zn_status nsga_reserve(nsga *s, int contacts)
{
    ZN_ASSERT(contacts >= 0);
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
    zn_response_destroy(&s->smooth.response);
    zn_response_destroy(&s->position.response);
    zn_response_destroy(&s->velocity.response);
    zn_contact_set_destroy(s->contacts);
    zn_late_contacts_clear(&s->late);
    zn_hollows_clear(&s->hollows);
    zn_constraints_destroy(&s->constraints);
    zn_impact_destroy(&s->impact);
    zn_arena_destroy(s->memory);
    free(s);
}

static zn_status allocate_vectors(nsga *s)
{
    nsga_motion *m = &s->motion;
    double     **vectors[] = {&s->history.a,
                              &s->history.acceleration,
                              &s->history.joint_force,
                              &s->start.a,
                              &s->start.acceleration,
                              &s->start.joint_force,
                              &m->acceleration,
                              &m->v,
                              &m->force,
                              &m->joint,
                              &m->joint_size,
                              &m->contact_size,
                              &m->contact,
                              &m->v_predicted,
                              &m->increment,
                              &s->total.v,
                              &s->total.force,
                              &s->scratch.extra,
                              &s->scratch.scale,
                              &s->scratch.work,
                              &s->scratch.work2,
                              &s->scratch.pushes,
                              &s->scratch.correction_old,
                              &s->scratch.rounding};
    double     **configurations[] = {&m->q, &s->total.q};
    ZN_TRY(zn_arena_create_growing(1 << 14, &s->memory));
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(vectors), vectors, (size_t)s->n_all));
    return zn_arena_vectors(s->memory, ZN_COUNT(configurations), configurations, (size_t)s->nq);
}

static zn_status allocate(nsga *s)
{
    const zn_constraint_settings settings = {s->def.solver, s->def.solver_tolerance, ZN_FC_MEASURE_NATURAL,
                                             s->def.observer};
    ZN_TRY(allocate_vectors(s));
    ZN_TRY(zn_contact_set_create(s->sys, &s->contacts));
    ZN_TRY(zn_late_contacts_create(s->sys, &s->late));
    ZN_TRY(create_problem(s, &s->smooth, s->def.smooth == ZN_SMOOTH_CONTACTS));
    ZN_TRY(create_problem(s, &s->position, true));
    ZN_TRY(create_problem(s, &s->velocity, true));
    ZN_TRY(zn_constraints_create(s->sys, &settings, &s->constraints));
    ZN_TRY(zn_impact_create(s->sys, s->def.impact, &settings, &s->impact));
    bool dense_pile = s->sys->info.contacts_grow && !s->position.response.blocks; // few contacts are hoped for
    ZN_TRY(allocate_contacts(s, dense_pile ? 0 : s->sys->contact_capacity));
    ZN_TRY(zn_constraints_detect_redundant(&s->constraints, s->def.linear_solver));
    return characteristic_mass(s);
}

zn_status nsga_create(const zn_scheme_def *def, const zn_system *sys, bool coupled, nsga **out)
{
    ZN_ASSERT(def && sys && out);
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
    s->alpha = parameters(def->rho_inf);
    zn_status status = allocate(s);
    if (status != ZN_OK)
        nsga_destroy(s);
    else
        *out = s;
    return status;
}
