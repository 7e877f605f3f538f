// Curvature of constraints in the matrix and in rows. See curvature.h.
#include "constraint/curvature.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "math/linsolver.h"
#include "system/system.h"

static zn_status set_up(zn_curvature *c, const zn_system *sys, const zn_sparse *system, const char *linear_solver)
{
    zn_contact_set *set = NULL;
    c->zero = ZN_NEW(double, sys->info.n_all);
    c->work = ZN_NEW(double, sys->info.n_all);
    if (!c->zero || !c->work)
        return ZN_ERR_MEMORY;
    if (c->loose)
        return ZN_OK;
    ZN_TRY(zn_grow(&c->turned, &c->capacity, sys->entry_capacity, sizeof *c->turned));
    zn_status status = zn_contact_set_create(sys, &set);
    if (status == ZN_OK)
        status = zn_contact_set_refresh(set, sys, sys->q0, sys->model->start);
    if (status == ZN_OK)
        status = zn_curved_matrix_connect(&c->matrix, sys, system, set, !sys->fixed_contacts, linear_solver);
    zn_contact_set_destroy(set);
    return status;
}

zn_status zn_curvature_create(const zn_system *sys, const zn_sparse *system, const char *linear_solver, bool loose,
                              zn_curvature **out)
{
    *out = NULL;
    if (sys->straight_contacts || (!loose && !sys->fixed_contacts && sys->info.joints == 0) || sys->info.n == 0)
        return ZN_OK;
    zn_curvature *c = ZN_NEW(zn_curvature, 1);
    if (c) {
        c->loose = loose;
        c->linear_solver = linear_solver;
    }
    zn_status status = c ? set_up(c, sys, system, linear_solver) : ZN_ERR_MEMORY;
    if (status != ZN_OK)
        zn_curvature_destroy(c);
    else
        *out = c;
    return status;
}

zn_curvature *zn_curvature_destroy(zn_curvature *c)
{
    if (!c)
        return NULL;
    zn_curved_matrix_destroy(&c->matrix);
    free(c->zero);
    free(c->work);
    free(c->turned);
    free(c);
    return NULL;
}

void zn_curvature_forget(zn_curvature *c)
{
    c->used = false;
    if (c->matrix.solver)
        zn_linsolver_forget(c->matrix.solver);
}

zn_status zn_curvature_factor(zn_curvature *c, const zn_system *sys, const zn_sparse *system, const zn_bend *bend)
{
    c->used = false;
    if (c->loose && !zn_curved_matrix_is_connected(&c->matrix, sys, bend->set))
        ZN_TRY(zn_curved_matrix_connect(&c->matrix, sys, system, bend->set, false, c->linear_solver));
    zn_curved_matrix_write(&c->matrix, system);
    ZN_TRY(zn_curved_matrix_bend(&c->matrix, sys, bend->set, bend->p, bend->q, bend->t, bend->increment, c->zero,
                                 c->work));
    ZN_TRY(zn_linsolver_factor(c->matrix.solver, c->matrix.sum));
    c->used = true;
    return ZN_OK;
}

// k d(G_i v)/dq of a joint equation, added to its row; second derivatives are symmetric.
static zn_status turn(zn_curvature *c, const zn_system *sys, const zn_contact_set *set, int i, zn_at at, double k)
{
    const zn_contact_rule *rule = &sys->model->rule[zn_contact_id_rule(set->id[i])];
    zn_contact_key         key = zn_contact_key_of(set->id[i], set->piece[i]);
    const double           one[3] = {1};
    int                    row = i * set->stride;
    zn_status status = rule->ops->curvature(rule->parameter, &sys->layout, key, at.q, at.t, one, at.v, c->work);
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        c->turned[e] += k * c->work[set->row_dof[e]];
    for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
        c->work[set->row_dof[e]] = 0;
    return status;
}

// The rows of the set as they are, to be changed; sets of contacts that come and go may hold more of them than a system
// expects.
static zn_status copy_rows(zn_curvature *c, const zn_contact_set *set, zn_rows *out)
{
    int entries = set->row_start[set->count * set->stride];
    ZN_TRY(zn_grow(&c->turned, &c->capacity, entries, sizeof *c->turned));
    if (entries > 0)
        memcpy(c->turned, set->row_value, sizeof *c->turned * (size_t)entries);
    *out = (zn_rows){set->row_start, set->row_dof, c->turned};
    return ZN_OK;
}

zn_status zn_curvature_turn(zn_curvature *c, const zn_system *sys, const zn_contact_set *set, const zn_row_list *list,
                            zn_at at, double k, zn_rows *out)
{
    ZN_TRY(copy_rows(c, set, out));
    for (int j = 0; j < list->equations; j++)
        if (set->bilateral[list->row[j] / set->stride])
            ZN_TRY(turn(c, sys, set, list->row[j] / set->stride, at, k));
    return ZN_OK;
}

// T' = T(-U): the transpose of the right tangent is the left one.
zn_status zn_curvature_pull(zn_curvature *c, const zn_system *sys, const zn_contact_set *set, const zn_row_list *list,
                            const double *increment, zn_rows *out)
{
    ZN_TRY(copy_rows(c, set, out));
    for (int j = 0; j < list->rows; j++) {
        int row = list->row[j];
        zn_row_add(set, row, sys->info.n_all, 1, c->work);
        zn_system_tangent_transposed(sys, increment, c->work, c->work);
        for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
            c->turned[e] = c->work[set->row_dof[e]];
        for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++)
            c->work[set->row_dof[e]] = 0;
    }
    return ZN_OK;
}
