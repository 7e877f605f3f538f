// Matrices of an equilibrium:  A = K - d(G'l)/dq + alpha M + sum over joint equations of c_i G_i'G_i.
//
// The last term changes nothing, because Newton's method keeps G_i d = -g_i and the right-hand side has -c_i g_i G_i' to
// match, but it makes A regular where joints alone hold a body.
//
// The curvature of constraints couples the bodies they join, which elements may not: A has a pattern of its own, the
// union of the system's pattern and of one clique per contact, made anew when contacts come or go. A point that slides to
// another facet within Newton's iteration changes its degrees of freedom: its curvature, which only speeds the iteration
// up, is left out then.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sim/equilibrium.h"

// --- pattern -------------------------------------------------------------------------------------

// Free degrees of freedom of all elements and normal rows; the others count as absent.
static zn_status list_cliques(const zn_equilibrium *e, zn_dof_block *block, int **dof)
{
    const zn_system      *sys = e->sys;
    const zn_contact_set *set = e->set;
    for (int i = 0; i < sys->blocks + set->count; i++) {
        bool       element = i < sys->blocks;
        int        row = (i - sys->blocks) * set->stride;
        int        count = element ? sys->block[i].count : 1;
        int        size = element ? sys->block[i].ops->dofs : set->row_start[row + 1] - set->row_start[row];
        const int *from = element ? sys->block[i].dof : set->row_dof + set->row_start[row];
        dof[i] = ZN_NEW(int, (size_t)count * (size_t)size);
        if (!dof[i])
            return ZN_ERR_MEMORY;
        for (int k = 0; k < count * size; k++)
            dof[i][k] = from[k] < e->n ? from[k] : -1;
        block[i] = (zn_dof_block){count, size, dof[i]};
    }
    return ZN_OK;
}

static void remember(zn_equilibrium *e, int i)
{
    int first = e->set->row_start[i * e->set->stride], size = e->set->row_start[i * e->set->stride + 1] - first;
    for (int k = 0; k < e->sys->max_entries; k++)
        e->known_dof[i * e->sys->max_entries + k] = k < size ? e->set->row_dof[first + k] : -1;
    e->known[i] = e->set->id[i];
}

static bool is_known(const zn_equilibrium *e, int i)
{
    int first = e->set->row_start[i * e->set->stride], size = e->set->row_start[i * e->set->stride + 1] - first;
    for (int k = 0; k < e->sys->max_entries; k++)
        if (e->known_dof[i * e->sys->max_entries + k] != (k < size ? e->set->row_dof[first + k] : -1))
            return false;
    return true;
}

static zn_status build_pattern(zn_equilibrium *e)
{
    int           elements = e->sys->blocks, count = elements + e->set->count;
    zn_dof_block *block = ZN_NEW(zn_dof_block, count);
    int         **dof = ZN_NEW(int *, count), **scatter = ZN_NEW(int *, count);
    zn_status     status = block && dof && scatter ? list_cliques(e, block, dof) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_sparse_create(e->n, count, block, scatter, &e->matrix);
    for (int i = 0; i < count; i++) {
        if (dof)
            free(dof[i]);
        if (scatter && status == ZN_OK && i >= elements)
            e->curve[i - elements] = scatter[i];
        else if (scatter)
            free(scatter[i]);
    }
    e->curves = status == ZN_OK ? e->set->count : 0;
    for (int i = 0; i < e->curves; i++)
        remember(e, i);
    free(block);
    free(dof);
    free(scatter);
    return status;
}

// Both patterns list the rows of a column in ascending order.
static void map_entries(zn_equilibrium *e)
{
    const zn_sparse *from = e->stiffness, *to = e->matrix;
    for (int j = 0; j < e->n; j++)
        for (int k = from->start[j], p = to->start[j]; k < from->start[j + 1]; k++) {
            while (to->row[p] < from->row[k])
                p++;
            e->place[k] = p;
        }
}

zn_status zn_equilibrium_attach(zn_equilibrium *e)
{
    ZN_TRY(zn_system_matrix(e->sys, &e->stiffness));
    ZN_TRY(zn_system_matrix(e->sys, &e->mass));
    int m = e->sys->contact_capacity;
    e->place = ZN_NEW(int, e->stiffness->start[e->n]);
    e->curve = ZN_NEW(int *, m);
    e->known = ZN_NEW(int64_t, m);
    e->known_dof = ZN_NEW(int, (size_t)m * (size_t)e->sys->max_entries);
    return e->place && e->curve && e->known && e->known_dof ? ZN_OK : ZN_ERR_MEMORY;
}

bool zn_equilibrium_connected(const zn_equilibrium *e)
{
    return e->matrix && e->curves == e->set->count &&
           (e->curves == 0 || memcmp(e->known, e->set->id, sizeof *e->known * (size_t)e->curves) == 0);
}

zn_status zn_equilibrium_connect(zn_equilibrium *e)
{
    for (int i = 0; i < e->curves; i++)
        free(e->curve[i]);
    e->curves = 0;
    e->matrix = zn_sparse_destroy(e->matrix);
    e->solver = zn_linsolver_destroy(e->solver);
    ZN_TRY(build_pattern(e));
    map_entries(e);
    zn_status status = zn_linsolver_create(e->matrix, e->def.linear_solver, &e->solver);
    if (status == ZN_ERR_ARGUMENT)
        return zn_fail(&e->def.log, status, "equilibrium: there is no linear solver '%s'", e->def.linear_solver);
    return status;
}

// --- values --------------------------------------------------------------------------------------

static bool repeats(const int *dof, int c)
{
    for (int i = 0; i < c; i++)
        if (dof[i] == dof[c])
            return true;
    return false;
}

// Subtract the curvature of one contact, column by column.
static zn_status add_curvature(zn_equilibrium *e, int i)
{
    const zn_contact_set  *set = e->set;
    const zn_contact_rule *rule = &e->sys->model->rule[set->id[i] >> 32];
    int                    number = (int)(set->id[i] & 0xffffffff) + set->place[i] * rule->max_contacts;
    int                    first = set->row_start[i * set->stride];
    int                    size = set->row_start[i * set->stride + 1] - first;
    const int             *dof = set->row_dof + first;
    const double           lambda[3] = {e->l[i]}; // no friction at rest
    for (int c = 0; c < size; c++) {
        if (dof[c] >= e->n || repeats(dof, c))
            continue;
        e->probe[dof[c]] = 1;
        zn_status status = rule->ops->curvature(rule->parameter, &e->sys->layout, number, e->q, e->t, lambda,
                                                e->probe, e->work);
        e->probe[dof[c]] = 0;
        for (int r = 0; r < size; r++) {
            int place = e->curve[i][r * size + c];
            if (place >= 0)
                e->matrix->value[place] -= e->work[dof[r]];
            e->work[dof[r]] = 0;
        }
        ZN_TRY(status);
    }
    return ZN_OK;
}

static double largest_ratio(const zn_equilibrium *e)
{
    const zn_sparse *a = e->matrix;
    double           top = 0;
    for (int j = 0; j < e->n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            if (a->row[p] == j && e->inertia[j] > 0)
                top = fmax(top, fabs(a->value[p]) / e->inertia[j]);
    return zn_system_max(e->sys, top);
}

// Weight of a joint equation: as stiff against the masses as the stiffest part of the model.
static void add_joint(zn_equilibrium *e, int i)
{
    const zn_contact_set *set = e->set;
    int                   first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    const int            *dof = set->row_dof + first;
    const double         *row = set->row_value + first;
    double                mobility = 0;
    for (int c = 0; c < size; c++)
        if (dof[c] < e->n && e->inertia[dof[c]] > 0)
            mobility += row[c] * row[c] / e->inertia[dof[c]];
    e->hold[i] = mobility > 0 ? fmax(e->top, e->alpha) / mobility : 0;
    for (int r = 0; r < size; r++)
        for (int c = 0; c < size; c++)
            if (e->curve[i][r * size + c] >= 0)
                e->matrix->value[e->curve[i][r * size + c]] += e->hold[i] * row[r] * row[c];
}

zn_status zn_equilibrium_factor(zn_equilibrium *e)
{
    int entries = e->stiffness->start[e->n];
    ZN_TRY(zn_system_operators(e->sys, zn_equilibrium_at(e, e->q), 0, 0, 1, e->stiffness));
    zn_sparse_clear(e->matrix);
    for (int k = 0; k < entries; k++)
        e->matrix->value[e->place[k]] = e->stiffness->value[k];
    memset(e->work, 0, sizeof *e->work * (size_t)e->n_all);
    memset(e->probe, 0, sizeof *e->probe * (size_t)e->n_all);
    for (int i = 0; i < e->set->count && e->bending; i++)
        if (e->l[i] != 0 && is_known(e, i))
            ZN_TRY(add_curvature(e, i));
    e->top = largest_ratio(e);
    for (int k = 0; k < entries && e->alpha > 0; k++)
        e->matrix->value[e->place[k]] += e->alpha * e->mass->value[k];
    for (int i = 0; i < e->set->count; i++)
        if (e->set->bilateral[i])
            add_joint(e, i);
    zn_delassus_invalidate(&e->columns);
    return zn_linsolver_factor(e->solver, e->matrix);
}

zn_status zn_equilibrium_bend(zn_equilibrium *e, const double *x, double *y)
{
    for (int i = 0; i < e->set->count; i++)
        e->l_rows[i * e->set->stride] = e->l[i];
    ZN_TRY(zn_contact_set_curvature(e->set, e->sys, e->q, e->t, e->l_rows, x, y));
    zn_sparse_multiply(e->stiffness, x, e->work);
    for (int i = 0; i < e->n; i++)
        y[i] = e->work[i] - y[i];
    return ZN_OK;
}
