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

// Free degrees of freedom of all elements and normal rows, which a border ends with that of the multiplier; the others
// count as absent.
static zn_status list_cliques(const zn_system *sys, const zn_contact_set *set, bool bordered, cliques *out)
{
    int n = sys->info.n;
    for (int i = 0; i < sys->blocks + set->count; i++) {
        bool       element = i < sys->blocks;
        int        row = (i - sys->blocks) * set->stride, more = !element && bordered;
        int        count = element ? sys->block[i].count : 1;
        int        size = element ? sys->block[i].ops->dofs : set->row_start[row + 1] - set->row_start[row];
        const int *from = element ? sys->block[i].dof : set->row_dof + set->row_start[row];
        int       *dof = out->dof[i] = ZN_NEW(int, (size_t)count *(size_t)size + (size_t)more);
        if (!dof)
            return ZN_ERR_MEMORY;
        for (int k = 0; k < count * size; k++)
            dof[k] = from[k] < n ? from[k] : -1;
        if (more)
            dof[size] = n + i - sys->blocks;
        out->block[i] = (zn_dof_block){count, size + more, dof};
    }
    return ZN_OK;
}

static void remember(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, int i)
{
    ZN_ASSERT(i >= 0 && i < set->count);
    int first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    for (int k = 0; k < sys->max_entries; k++)
        a->known_dof[i * sys->max_entries + k] = k < size ? set->row_dof[first + k] : -1;
    a->known[i] = set->id[i];
}

static bool is_known(const zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, int i)
{
    ZN_ASSERT(i >= 0 && i < a->contacts && i < set->count);
    int first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    for (int k = 0; k < sys->max_entries; k++)
        if (a->known_dof[i * sys->max_entries + k] != (k < size ? set->row_dof[first + k] : -1))
            return false;
    return true;
}

static zn_status build_pattern(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set)
{
    int       elements = sys->blocks, contacts = set->count, count = elements + contacts;
    cliques   c = {ZN_NEW(zn_dof_block, count), ZN_NEW(int *, count), ZN_NEW(int *, count)};
    zn_status status = c.block && c.dof && c.scatter ? list_cliques(sys, set, a->bordered, &c) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_sparse_create(sys->info.n + (a->bordered ? contacts : 0), count, c.block, c.scatter, &a->sum);
    for (int i = 0; i < count; i++) {
        if (c.dof)
            free(c.dof[i]);
        if (c.scatter && status == ZN_OK && i >= elements)
            a->clique[i - elements] = c.scatter[i];
        else if (c.scatter)
            free(c.scatter[i]);
    }
    a->contacts = status == ZN_OK ? contacts : 0;
    for (int i = 0; i < a->contacts; i++)
        remember(a, sys, set, i);
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
    *a = (zn_curved_matrix){.bordered = a->bordered, .done = done};
}

bool zn_curved_matrix_is_connected(const zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set)
{
    bool same = a->solver && a->contacts == set->count;
    for (int i = 0; i < set->count && same; i++)
        same = a->known[i] == set->id[i] && is_known(a, sys, set, i);
    return same;
}

zn_status zn_curved_matrix_connect(zn_curved_matrix *a, const zn_system *sys, const zn_sparse *system,
                                   const zn_contact_set *set, const char *linear_solver)
{
    ZN_ASSERT(system->n == sys->info.n);
    int m = set->count;
    zn_curved_matrix_destroy(a);
    a->place = ZN_NEW(int, system->start[system->n]);
    a->clique = ZN_NEW(int *, m);
    a->known = ZN_NEW(int64_t, m);
    a->known_dof = ZN_NEW(int, (size_t)m *(size_t)sys->max_entries);
    if (!a->place || !a->clique || !a->known || !a->known_dof)
        return ZN_ERR_MEMORY;
    ZN_TRY(build_pattern(a, sys, set));
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
    ZN_ASSERT(!a->bordered);
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

// Subtract the curvature of one contact, column by column.
static zn_status bend(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, int i, double p,
                      const double *q, double t, double *unit, double *work)
{
    ZN_ASSERT(i >= 0 && i < a->contacts);
    const zn_contact_rule *rule = &sys->model->rule[set->id[i] >> 32];
    int                    number = (int)(set->id[i] & 0xffffffff) + set->piece[i] * rule->max_contacts;
    int                    first = set->row_start[i * set->stride];
    int                    size = set->row_start[i * set->stride + 1] - first;
    const int             *dof = set->row_dof + first;
    const double           lambda[3] = {p};
    for (int c = 0; c < size; c++) {
        if (dof[c] >= sys->info.n || repeats(dof, c))
            continue;
        unit[dof[c]] = 1;
        zn_status status = rule->ops->curvature(rule->parameter, &sys->layout, number, q, t, lambda, unit, work);
        unit[dof[c]] = 0;
        for (int r = 0; r < size; r++) {
            int place = a->clique[i][r * (size + a->bordered) + c];
            if (place >= 0)
                a->sum->value[place] -= work[dof[r]];
            work[dof[r]] = 0;
        }
        ZN_TRY(status);
    }
    return ZN_OK;
}

zn_status zn_curved_matrix_bend(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, const double *p,
                                const double *q, double t, double *zero, double *work)
{
    ZN_ASSERT(a->sum && a->contacts == set->count && p && q && zero != work);
    for (int i = 0; i < set->count; i++)
        if (p[i] != 0 && is_known(a, sys, set, i))
            ZN_TRY(bend(a, sys, set, i, p[i], q, t, zero, work));
    return ZN_OK;
}
