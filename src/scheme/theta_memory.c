// Memory of the theta step: one arena for all vectors and one for all that belongs to contacts, so that a step
// allocates nothing once there is room for its contacts.
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "scheme/theta.h"

// What does not depend on the number of contacts.
static zn_status allocate_vectors(zn_theta *w)
{
    zn_theta_point *a = &w->now, *b = &w->trial;
    zn_theta_goal  *goal = &w->goal;
    double        **vectors[] = {&a->v,        &a->shift,
                                 &a->force,    &a->GP,
                                 &a->residual, &b->v,
                                 &b->shift,    &b->force,
                                 &b->GP,       &b->residual,
                                 &goal->v,     &goal->shift,
                                 &goal->GP,    &goal->predicted_v,
                                 &w->middle.v, &w->middle.increment,
                                 &w->free.v,   &w->scale,
                                 &w->work,     &w->step.velocity_floor,
                                 &w->kick.v,   &w->mass};
    double        **configurations[] = {&a->q, &b->q, &w->free.q, &w->middle.q, &w->middle.mass_q};
    ZN_TRY(zn_arena_create_growing(1 << 14, &w->memory));
    ZN_TRY(zn_arena_vectors(w->memory, ZN_COUNT(vectors), vectors, (size_t)w->n_all));
    return zn_arena_vectors(w->memory, ZN_COUNT(configurations), configurations, (size_t)w->nq);
}

static void release_contacts(zn_theta *w)
{
    zn_row_list_destroy(&w->list);
    zn_row_list_destroy(&w->places);
    w->contact_memory = zn_arena_destroy(w->contact_memory);
    w->contacts_max = -1; // not even for none
}

// Asked for, or a way out where it costs little: what it keeps is as large as W and the columns A^-1 G'.
static bool wants_coupled(const zn_theta *w, int contacts)
{
    enum { ROWS = 200, ENTRIES = 1 << 20 };
    if (w->def.coupled || w->project == ZN_PROJECT_NONE || w->motion.blocks)
        return w->def.coupled;
    return contacts * (w->sys->contact_rows + 1) <= ROWS && (size_t)contacts * (size_t)w->n <= ENTRIES;
}

static zn_status allocate_contacts(zn_theta *w, int contacts)
{
    w->can_couple = wants_coupled(w, contacts);
    int      rows = contacts * w->sys->contact_rows;
    int      total = rows + (w->project != ZN_PROJECT_NONE && w->can_couple ? contacts : 0);
    double **per_row[] = {&w->step.U_k, &w->now.P, &w->trial.P, &w->goal.P, &w->goal.u, &w->goal.rounding, &w->bend};
    double **per_contact[] = {&w->step.g_k, &w->now.tau, &w->trial.tau, &w->goal.tau, &w->position_gap};
    ZN_TRY(zn_arena_create_growing(4096, &w->contact_memory));
    ZN_TRY(zn_arena_vectors(w->contact_memory, ZN_COUNT(per_row), per_row, (size_t)rows));
    ZN_TRY(zn_arena_vectors(w->contact_memory, ZN_COUNT(per_contact), per_contact, (size_t)contacts));
    ZN_TRY(zn_theta_mix_reserve(w, rows, contacts));
    w->is_active = ZN_ARENA_NEW(w->contact_memory, bool, contacts);
    w->was_pressed = ZN_ARENA_NEW(w->contact_memory, bool, contacts);
    w->lost = ZN_ARENA_NEW(w->contact_memory, unsigned char, contacts);
    w->kept_rows = ZN_ARENA_NEW(w->contact_memory, double, w->motion.blocks ? rows * 2 * ZN_NODE_DOFS : 0);
    w->kept.row = ZN_ARENA_NEW(w->contact_memory, int, rows);
    w->kept.factors = 0;
    if (!w->is_active || !w->was_pressed || !w->lost || !w->kept_rows || !w->kept.row)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_row_list_create(rows, contacts, &w->list));
    ZN_TRY(zn_row_list_create(contacts, contacts, &w->places));
    ZN_TRY(zn_response_reserve(&w->motion, contacts));
    ZN_TRY(zn_response_reserve(&w->own_metric, contacts));
    if (w->can_couple)
        ZN_TRY(zn_two_levels_reserve(&w->coupled, rows, contacts));
    ZN_TRY(zn_impact_reserve(&w->impact, contacts, w->sys->contact_rows));
    ZN_TRY(zn_constraints_reserve(&w->problem, total, 2 * contacts, zn_constraints_dense_rows(&w->motion, total)));
    w->contacts_max = contacts;
    return ZN_OK;
}

zn_status zn_theta_reserve(zn_theta *w, int contacts)
{
    ZN_ASSERT(contacts >= 0);
    if (contacts <= w->contacts_max)
        return ZN_OK;
    release_contacts(w);
    zn_status status = allocate_contacts(w, contacts + contacts / 4);
    if (status != ZN_OK)
        release_contacts(w);
    return status;
}

static zn_status create_metric(zn_theta *w, bool piles)
{
    piles = piles && w->project != ZN_PROJECT_NONE;
    w->metric = w->def.metric == ZN_METRIC_ITERATION ? &w->motion : &w->own_metric;
    return w->def.metric == ZN_METRIC_MASS ? zn_response_create(w->sys, w->def.linear_solver, piles, &w->own_metric)
                                           : zn_response_create_unit(w->sys, piles, &w->own_metric);
}

static zn_status allocate(zn_theta *w)
{
    const zn_scheme_def         *def = &w->def;
    const zn_constraint_settings settings = {def->solver, def->solver_tolerance, def->solver_measure, def->observer};
    bool                         piles = w->project == ZN_PROJECT_NONE || !def->coupled;
    ZN_TRY(allocate_vectors(w));
    ZN_TRY(zn_response_create(w->sys, def->linear_solver, piles, &w->motion));
    if (w->project == ZN_PROJECT_NONE && zn_scheme_may_split(w->sys, def))
        ZN_TRY(zn_response_limit_columns(&w->motion, def->linear_solver, 1e6 * def->column_memory));
    if (def->metric != ZN_METRIC_ITERATION) // which has that matrix in the answer
        ZN_TRY(zn_response_allow_curvature(&w->motion, def->linear_solver));
    ZN_TRY(create_metric(w, piles));
    ZN_TRY(zn_theta_mix_create(w));
    ZN_TRY(zn_theta_past_create(w));
    if (w->project != ZN_PROJECT_NONE && !w->motion.blocks)
        ZN_TRY(zn_two_levels_create(w->sys, &w->motion, w->metric, &w->coupled));
    ZN_TRY(zn_constraints_create(w->sys, &settings, &w->problem));
    ZN_TRY(zn_impact_create(w->sys, def->impact, &settings, &w->impact));
    ZN_TRY(zn_constraints_detect_redundant(&w->problem, def->linear_solver));
    bool few = w->sys->info.contacts_grow && !w->motion.blocks; // are hoped for
    ZN_TRY(allocate_contacts(w, few ? 0 : w->sys->contact_capacity));
    if (w->project != ZN_PROJECT_NONE)
        ZN_TRY(zn_late_contacts_create(w->sys, &w->late));
    return zn_contact_set_create(w->sys, &w->contacts);
}

// Row sums of M over translations, and their mean.
static zn_status measure_mass(zn_theta *w)
{
    const bool *owned = w->sys->halo ? w->sys->halo->owned : NULL;
    double      sum = 0, count = 0;
    for (int i = 0; i < w->n_all; i++)
        w->scale[i] = i < w->n && !(w->sys->has_rotations && w->sys->rotational[i]);
    ZN_TRY(zn_system_whole_inertia(w->sys, w->sys->q0, w->scale, w->work));
    for (int i = 0; i < w->n; i++)
        w->mass[i] = w->scale[i] * w->work[i];
    for (int i = 0; i < w->n; i++)
        if (!owned || owned[i]) {
            sum += w->mass[i];
            count += w->scale[i] != 0;
        }
    sum = zn_system_sum(w->sys, sum);
    count = zn_system_sum(w->sys, count);
    w->law_mass = count > 0 && sum > 0 ? sum / count : 1;
    return ZN_OK;
}

zn_status zn_theta_share(zn_theta *w)
{
    enum { MANY = 64 }; // bodies whose search for contacts is worth sharing
    bool heap = w->sys->info.contacts_grow && w->sys->layout.nodes >= MANY;
    return heap && w->def.threads != 1 ? zn_team_create(w->def.threads, &w->team) : ZN_OK;
}

zn_status zn_theta_create(const zn_scheme_def *def, const zn_system *sys, zn_projection project, zn_theta **out)
{
    ZN_ASSERT(def && sys && out);
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
    if (status == ZN_OK && project != ZN_PROJECT_NONE && def->metric == ZN_METRIC_IDENTITY)
        status = zn_theta_advise_metric(sys);
    if (status == ZN_OK)
        status = measure_mass(w);
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
    zn_constraints_destroy(&w->problem);
    zn_impact_destroy(&w->impact);
    zn_two_levels_destroy(&w->coupled);
    zn_response_destroy(&w->motion);
    zn_response_destroy(&w->own_metric);
    zn_contact_set_destroy(w->contacts);
    zn_late_contacts_clear(&w->late);
    zn_hollows_clear(&w->hollows);
    zn_team_destroy(w->team);
    zn_arena_destroy(w->memory);
    free(w);
}
