// Matrices with the curvature of constraints. See curved_matrix.h.
#include "constraint/curved_matrix.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "system/system.h"

// --- pattern -------------------------------------------------------------------------------------

typedef struct cliques {
    zn_dof_block *block;
    int         **dof, **scatter;
} cliques;

// Clique k: free degrees of freedom of an element block, or of a normal row, which a border ends with `more`
// multipliers from `border` on; the others count as absent.
static zn_status add_clique(cliques *out, int k, int n, int count, int size, const int *from, int border, int more)
{
    int *dof = out->dof[k] = ZN_NEW(int, (size_t)count *(size_t)size + (size_t)more);
    if (!dof)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < count * size; i++)
        dof[i] = from[i] < n ? from[i] : -1;
    for (int r = 0; r < more; r++)
        dof[size + r] = border + r;
    out->block[k] = (zn_dof_block){count, size + more, dof};
    return ZN_OK;
}

static void remember(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, int j, int i)
{
    int first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    for (int k = 0; k < sys->max_entries; k++)
        a->known_dof[j * sys->max_entries + k] = k < size ? set->row_dof[first + k] : -1;
    a->known[j] = set->id[i];
}

// Is contact i of the set, with the degrees of freedom it has now, the j-th that the matrix is made for?
static bool is_known(const zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, int j, int i)
{
    int first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    for (int k = 0; k < sys->max_entries; k++)
        if (a->known_dof[j * sys->max_entries + k] != (k < size ? set->row_dof[first + k] : -1))
            return false;
    return zn_contact_id_same(a->known[j], set->id[i]);
}

static zn_status list_cliques(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, bool joints,
                              cliques *out)
{
    int n = sys->info.n;
    for (int i = 0; i < sys->blocks; i++)
        ZN_TRY(add_clique(out, i, n, sys->block[i].count, sys->block[i].ops->dofs, sys->block[i].dof, n, 0));
    for (int i = 0; i < set->count; i++) {
        int row = i * set->stride, size = set->row_start[row + 1] - set->row_start[row];
        if (joints && !set->bilateral[i])
            continue;
        ZN_TRY(add_clique(out, sys->blocks + a->contacts, n, 1, size, set->row_dof + set->row_start[row],
                          n + a->border * a->contacts, a->border));
        remember(a, sys, set, a->contacts++, i);
    }
    return ZN_OK;
}

static zn_status build_pattern(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, bool joints)
{
    int       elements = sys->blocks, most = elements + set->count;
    cliques   c = {ZN_NEW(zn_dof_block, most), ZN_NEW(int *, most), ZN_NEW(int *, most)};
    zn_status status = c.block && c.dof && c.scatter ? list_cliques(a, sys, set, joints, &c) : ZN_ERR_MEMORY;
    int       size = sys->info.n + a->border * a->contacts, count = elements + a->contacts;
    if (status == ZN_OK)
        status = zn_sparse_create(size, count, c.block, c.scatter, &a->sum);
    for (int i = 0; i < most; i++) {
        if (c.dof)
            free(c.dof[i]);
        if (c.scatter && status == ZN_OK && i >= elements && i < count)
            a->clique[i - elements] = c.scatter[i];
        else if (c.scatter)
            free(c.scatter[i]);
    }
    if (status != ZN_OK)
        a->contacts = 0;
    free(c.block);
    free(c.dof);
    free(c.scatter);
    return status;
}

// Both patterns list the rows of a column in ascending order.
static void map_entries(zn_curved_matrix *a, const zn_sparse *from)
{
    ZN_ASSERT(from->n <= a->sum->n);
    const zn_sparse *to = a->sum;
    for (int j = 0; j < from->n; j++)
        for (int k = from->start[j], p = to->start[j]; k < from->start[j + 1]; k++) {
            while (to->row[p] < from->row[k])
                p++;
            a->place[k] = p;
            ZN_ASSERT(to->row[p] == from->row[k]);
        }
}

void zn_curved_matrix_add_work(const zn_curved_matrix *a, zn_linsolver_info *sum)
{
    const zn_linsolver_info own = a->solver ? zn_linsolver_get_info(a->solver) : (zn_linsolver_info){0};
    const char             *backend = own.backend ? own.backend : a->done.backend ? a->done.backend : sum->backend;
    *sum = (zn_linsolver_info){backend, sum->factorizations + own.factorizations + a->done.factorizations,
                               sum->refactorizations + own.refactorizations + a->done.refactorizations,
                               sum->solves + own.solves + a->done.solves};
}

void zn_curved_matrix_destroy(zn_curved_matrix *a)
{
    zn_linsolver_info done = {0};
    zn_curved_matrix_add_work(a, &done);
    for (int i = 0; i < a->contacts; i++)
        free(a->clique[i]);
    free(a->clique);
    free(a->place);
    free(a->known);
    free(a->known_dof);
    zn_sparse_destroy(a->sum);
    zn_linsolver_destroy(a->solver);
    *a = (zn_curved_matrix){.border = a->border, .done = done};
}

bool zn_curved_matrix_is_connected(const zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set)
{
    bool same = a->solver && a->contacts == set->count;
    for (int i = 0; i < set->count && same; i++)
        same = is_known(a, sys, set, i, i);
    return same;
}

zn_status zn_curved_matrix_connect(zn_curved_matrix *a, const zn_system *sys, const zn_sparse *system,
                                   const zn_contact_set *set, bool joints, const char *linear_solver)
{
    ZN_ASSERT(system->n == sys->info.n);
    int m = set->count;
    zn_curved_matrix_destroy(a);
    a->place = ZN_NEW(int, system->start[system->n]);
    a->clique = ZN_NEW(int *, m);
    a->known = ZN_NEW(zn_contact_id, m);
    a->known_dof = ZN_NEW(int, (size_t)m *(size_t)sys->max_entries);
    if (!a->place || !a->clique || !a->known || !a->known_dof)
        return ZN_ERR_MEMORY;
    ZN_TRY(build_pattern(a, sys, set, joints));
    map_entries(a, system);
    return zn_linsolver_create(a->sum, linear_solver, &a->solver);
}

// --- values --------------------------------------------------------------------------------------

void zn_curved_matrix_write(zn_curved_matrix *a, const zn_sparse *system)
{
    ZN_ASSERT(a->sum && system->n <= a->sum->n);
    zn_sparse_clear(a->sum);
    for (int k = 0; k < system->start[system->n]; k++)
        a->sum->value[a->place[k]] = system->value[k];
}

void zn_curved_matrix_add(zn_curved_matrix *a, double factor, const zn_sparse *system)
{
    ZN_ASSERT(a->sum && system->n <= a->sum->n);
    for (int k = 0; k < system->start[system->n]; k++)
        a->sum->value[a->place[k]] += factor * system->value[k];
}

void zn_curved_matrix_add_square(zn_curved_matrix *a, const zn_contact_set *set, int i, double factor)
{
    int           first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    const double *row = set->row_value + first;
    ZN_ASSERT(a->border == 0);
    for (int k = 0; k < size * size; k++)
        if (a->clique[i][k] >= 0)
            a->sum->value[a->clique[i][k]] += factor * row[k / size] * row[k % size];
}

static bool repeats(const int *dof, int c)
{
    for (int i = 0; i < c; i++)
        if (dof[i] == dof[c])
            return true;
    return false;
}

typedef struct place {
    const double *q, *increment;
    double        t;
} place;

// Subtract the curvature of contact i of the set, clique j, column by column.
static zn_status bend(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, int j, int i,
                      const double *p, const place *at, double *unit, double *work)
{
    ZN_ASSERT(i >= 0 && i < set->count && j >= 0 && j < a->contacts);
    const zn_contact_rule *rule = &sys->model->rule[zn_contact_id_rule(set->id[i])];
    zn_contact_key         key = zn_contact_key_of(set->id[i], set->piece[i]);
    int                    first = set->row_start[i * set->stride];
    int                    size = set->row_start[i * set->stride + 1] - first;
    const int             *dof = set->row_dof + first;
    for (int c = 0; c < size; c++) {
        if (dof[c] >= sys->info.n || repeats(dof, c))
            continue;
        unit[dof[c]] = 1;
        if (at->increment)
            zn_system_tangent(sys, at->increment, unit, unit);
        zn_status status = rule->ops->curvature(rule->parameter, &sys->layout, key, at->q, at->t, p, unit, work);
        for (int r = 0; r < size; r++) {
            int entry = a->clique[j][r * (size + a->border) + c];
            if (entry >= 0)
                a->sum->value[entry] -= work[dof[r]];
            work[dof[r]] = unit[dof[r]] = 0;
        }
        ZN_TRY(status);
    }
    return ZN_OK;
}

zn_status zn_curved_matrix_bend(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, const double *p,
                                const double *q, double t, const double *increment, double *zero, double *work)
{
    ZN_ASSERT(a->sum && p && q && zero != work);
    for (int j = 0, i = 0; j < a->contacts && i < set->count; i++) { // both ascend by id
        const double *own = p + i * set->stride;
        bool          pushes = false;
        while (j < a->contacts && zn_contact_id_compare(a->known[j], set->id[i]) < 0)
            j++;
        for (int r = 0; r < set->stride; r++)
            pushes |= own[r] != 0;
        if (j < a->contacts && pushes && is_known(a, sys, set, j, i))
            ZN_TRY(bend(a, sys, set, j, i, own, &(place){q, increment, t}, zero, work));
    }
    return ZN_OK;
}
