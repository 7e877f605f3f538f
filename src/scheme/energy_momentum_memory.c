// Memory of the scheme energy_momentum.
#include <stdlib.h>

#include "base/array.h"
#include "scheme/energy_momentum.h"

// What grows with the contacts.
zn_status zn_conserving_make_room(zn_conserving *s)
{
    if (s->list.first && s->room >= s->set->capacity && s->entry_room >= s->set->row_capacity)
        return ZN_OK;
    int room[5] = {s->room, s->room, s->room, s->room, s->room}, rows = s->room * s->set->stride;
    int capacity = s->set->capacity;
    ZN_TRY(zn_grow(&s->target, &room[0], capacity, sizeof *s->target));
    ZN_TRY(zn_grow(&s->start, &room[1], capacity, sizeof *s->start));
    ZN_TRY(zn_grow(&s->listed, &room[2], capacity, sizeof *s->listed));
    ZN_TRY(zn_grow(&s->moved, &room[3], capacity, sizeof *s->moved));
    ZN_TRY(zn_grow(&s->ignored, &room[4], capacity, sizeof *s->ignored));
    ZN_TRY(zn_grow(&s->p, &rows, capacity * s->set->stride, sizeof *s->p));
    ZN_TRY(zn_grow(&s->H, &s->entry_room, s->set->row_capacity, sizeof *s->H));
    zn_row_list_destroy(&s->list);
    ZN_TRY(zn_row_list_create(capacity * s->set->stride, capacity, &s->list));
    s->room = capacity;
    return ZN_OK;
}

void zn_conserving_destroy(zn_conserving *s)
{
    zn_velocity_jump_destroy(&s->jump);
    zn_bent_response_destroy(&s->bent);
    zn_many_contacts_destroy(&s->many);
    zn_constraints_destroy(&s->problem);
    zn_row_list_destroy(&s->list);
    zn_contact_set_destroy(s->set);
    zn_contact_set_destroy(s->late);
    zn_linsolver_destroy(s->solver);
    zn_sparse_destroy(s->matrix);
    free(s->target);
    free(s->start);
    free(s->listed);
    free(s->moved);
    free(s->ignored);
    free(s->p);
    free(s->H);
    zn_arena_destroy(s->memory);
    free(s);
}

// For the contacts of small models, so that steps do not ask for memory; more of it comes as contacts do.
static zn_status reserve_contacts(zn_conserving *s)
{
    const size_t most = 1 << 21; // doubles
    int          contacts = s->sys->contact_capacity < 64 ? s->sys->contact_capacity : 64;
    while (contacts > 0 && (size_t)s->n * (size_t)(contacts * s->sys->max_entries) > most)
        contacts /= 2;
    int rows = contacts * s->sys->contact_rows, dofs = contacts * s->sys->max_entries;
    ZN_TRY(zn_bent_response_reserve(&s->bent, dofs < s->n ? dofs : s->n, rows));
    ZN_TRY(zn_velocity_jump_reserve(&s->jump, s->n, contacts));
    return zn_constraints_reserve(&s->problem, rows, contacts, rows);
}

static zn_status allocate(zn_conserving *s)
{
    zn_constraint_settings settings = {s->def.solver, s->def.solver_tolerance, s->def.solver_measure, s->def.observer};
    double **vectors[] = {&s->last_d, &s->d,    &s->v,     &s->way,    &s->force, &s->inertia, &s->residual,
                          &s->scale,  &s->work, &s->floor, &s->before, &s->step,  &s->rounding};
    double **configuration[] = {&s->q, &s->middle};
    ZN_TRY(zn_arena_create_growing(1 << 14, &s->memory));
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(vectors), vectors, (size_t)s->n_all));
    ZN_TRY(zn_arena_vectors(s->memory, ZN_COUNT(configuration), configuration, (size_t)s->nq));
    ZN_TRY(zn_system_matrix(s->sys, &s->matrix));
    ZN_TRY(zn_linsolver_create(s->matrix, s->def.linear_solver, &s->solver));
    ZN_TRY(zn_contact_set_create(s->sys, &s->set));
    for (int i = 0; i < s->sys->model->rules && !s->late; i++)
        if (s->sys->model->rule[i].ops->settle)
            ZN_TRY(zn_contact_set_create(s->sys, &s->late));
    ZN_TRY(zn_constraints_create(s->sys, &settings, &s->problem));
    if (s->sys->info.joints > 0)
        ZN_TRY(zn_constraints_detect_redundant(&s->problem, s->def.linear_solver));
    ZN_TRY(zn_bent_response_create(s->sys, &s->bent));
    ZN_TRY(zn_many_contacts_create(s->sys, s->def.linear_solver, &s->many));
    ZN_TRY(zn_velocity_jump_create(s, &s->jump));
    ZN_TRY(zn_conserving_make_room(s));
    return reserve_contacts(s);
}

zn_status zn_conserving_create(const zn_scheme_def *def, const zn_system *sys, zn_conserving **out)
{
    zn_conserving *s = ZN_NEW(zn_conserving, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    s->sys = sys;
    s->def = *def;
    s->n = sys->info.n;
    s->n_all = sys->info.n_all;
    s->nq = sys->info.nq;
    for (int i = 0; i < sys->blocks; i++)
        s->damped |= sys->velocity[i] == ZN_VELOCITY_DAMPER;
    zn_status status = allocate(s);
    if (status != ZN_OK)
        zn_conserving_destroy(s);
    else
        *out = s;
    return status;
}
