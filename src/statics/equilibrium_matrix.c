// Matrices of an equilibrium, the plain and the whole one:
//     A = K - d(G'l)/dq + alpha M + sum over joint equations of c_i G_i'G_i,      | A   -G' |
//                                                                                 | -G   .  |
// The last term of A changes nothing, because Newton's method keeps G_i d = -g_i and the right-hand side has -c_i g_i
// G_i' to match, but it makes A regular where joints alone hold a body. The whole matrix does without:
// equilibrium_direct.c.
//
// The curvature of constraints couples the bodies they join, which elements may not: A has a pattern of its own, the
// union of the system's pattern and of one clique per contact, made anew when contacts come or go. A point that slides
// to another facet within Newton's iteration changes its degrees of freedom: its curvature, which only speeds the
// iteration up, is left out then.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "statics/equilibrium.h"

// --- pattern -------------------------------------------------------------------------------------

// Free degrees of freedom of all elements and normal rows, which a border ends with that of the multiplier; the others
// count as absent.
static zn_status list_cliques(const zn_equilibrium *e, bool bordered, zn_dof_block *block, int **dof)
{
    const zn_system      *sys = e->sys;
    const zn_contact_set *set = e->set;
    for (int i = 0; i < sys->blocks + set->count; i++) {
        bool       element = i < sys->blocks;
        int        row = (i - sys->blocks) * set->stride, more = !element && bordered;
        int        count = element ? sys->block[i].count : 1;
        int        size = element ? sys->block[i].ops->dofs : set->row_start[row + 1] - set->row_start[row];
        const int *from = element ? sys->block[i].dof : set->row_dof + set->row_start[row];
        dof[i] = ZN_NEW(int, (size_t)count *(size_t)size + (size_t)more);
        if (!dof[i])
            return ZN_ERR_MEMORY;
        for (int k = 0; k < count * size; k++)
            dof[i][k] = from[k] < e->n ? from[k] : -1;
        if (more)
            dof[i][size] = e->n + i - sys->blocks;
        block[i] = (zn_dof_block){count, size + more, dof[i]};
    }
    return ZN_OK;
}

static void remember(const zn_equilibrium *e, zn_equilibrium_matrix *a, int i)
{
    int first = e->set->row_start[i * e->set->stride], size = e->set->row_start[i * e->set->stride + 1] - first;
    for (int k = 0; k < e->sys->max_entries; k++)
        a->known_dof[i * e->sys->max_entries + k] = k < size ? e->set->row_dof[first + k] : -1;
    a->known[i] = e->set->id[i];
}

static bool is_known(const zn_equilibrium *e, const zn_equilibrium_matrix *a, int i)
{
    int first = e->set->row_start[i * e->set->stride], size = e->set->row_start[i * e->set->stride + 1] - first;
    for (int k = 0; k < e->sys->max_entries; k++)
        if (a->known_dof[i * e->sys->max_entries + k] != (k < size ? e->set->row_dof[first + k] : -1))
            return false;
    return true;
}

static zn_status build_pattern(const zn_equilibrium *e, zn_equilibrium_matrix *a)
{
    int           elements = e->sys->blocks, contacts = e->set->count, count = elements + contacts;
    zn_dof_block *block = ZN_NEW(zn_dof_block, count);
    int         **dof = ZN_NEW(int *, count), **scatter = ZN_NEW(int *, count);
    zn_status     status = block && dof && scatter ? list_cliques(e, a->bordered, block, dof) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_sparse_create(e->n + (a->bordered ? contacts : 0), count, block, scatter, &a->sum);
    for (int i = 0; i < count; i++) {
        if (dof)
            free(dof[i]);
        if (scatter && status == ZN_OK && i >= elements)
            a->clique[i - elements] = scatter[i];
        else if (scatter)
            free(scatter[i]);
    }
    a->contacts = status == ZN_OK ? contacts : 0;
    for (int i = 0; i < a->contacts; i++)
        remember(e, a, i);
    free(block);
    free(dof);
    free(scatter);
    return status;
}

// Both patterns list the rows of a column in ascending order.
static void map_entries(const zn_equilibrium *e, zn_equilibrium_matrix *a)
{
    const zn_sparse *from = e->stiffness, *to = a->sum;
    for (int j = 0; j < e->n; j++)
        for (int k = from->start[j], p = to->start[j]; k < from->start[j + 1]; k++) {
            while (to->row[p] < from->row[k])
                p++;
            a->place[k] = p;
        }
}

zn_status zn_equilibrium_attach(zn_equilibrium *e)
{
    ZN_TRY(zn_system_matrix(e->sys, &e->stiffness));
    e->whole.bordered = true;
    return zn_system_matrix(e->sys, &e->mass);
}

static void add_work(const zn_equilibrium_matrix *a, zn_linsolver_info *sum)
{
    if (!a->solver)
        return;
    zn_linsolver_info own = zn_linsolver_get_info(a->solver);
    *sum = (zn_linsolver_info){own.backend, sum->factorizations + own.factorizations,
                               sum->refactorizations + own.refactorizations, sum->solves + own.solves};
}

zn_linsolver_info zn_equilibrium_work(const zn_equilibrium *e)
{
    zn_linsolver_info sum = e->done;
    add_work(&e->plain, &sum);
    add_work(&e->whole, &sum);
    return sum;
}

static void detach(zn_equilibrium *e, zn_equilibrium_matrix *a)
{
    add_work(a, &e->done);
    for (int i = 0; i < a->contacts; i++)
        free(a->clique[i]);
    free(a->clique);
    free(a->place);
    free(a->known);
    free(a->known_dof);
    zn_sparse_destroy(a->sum);
    zn_linsolver_destroy(a->solver);
    *a = (zn_equilibrium_matrix){.bordered = a->bordered};
}

void zn_equilibrium_detach(zn_equilibrium *e)
{
    detach(e, &e->plain);
    detach(e, &e->whole);
}

bool zn_equilibrium_connected(const zn_equilibrium *e, const zn_equilibrium_matrix *a)
{
    bool same = a->solver && a->contacts == e->set->count;
    for (int i = 0; i < e->set->count && same; i++)
        same = a->known[i] == e->set->id[i] && is_known(e, a, i);
    return same;
}

zn_status zn_equilibrium_connect(zn_equilibrium *e, zn_equilibrium_matrix *a)
{
    int m = e->set->count;
    detach(e, a);
    a->place = ZN_NEW(int, e->stiffness->start[e->n]);
    a->clique = ZN_NEW(int *, m);
    a->known = ZN_NEW(int64_t, m);
    a->known_dof = ZN_NEW(int, (size_t)m *(size_t)e->sys->max_entries);
    if (!a->place || !a->clique || !a->known || !a->known_dof)
        return ZN_ERR_MEMORY;
    ZN_TRY(build_pattern(e, a));
    map_entries(e, a);
    return zn_linsolver_create(a->sum, e->def.linear_solver, &a->solver);
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
static zn_status add_curvature(zn_equilibrium *e, zn_equilibrium_matrix *a, int i)
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
        zn_status status =
            rule->ops->curvature(rule->parameter, &e->sys->layout, number, e->q, e->t, lambda, e->probe, e->work);
        e->probe[dof[c]] = 0;
        for (int r = 0; r < size; r++) {
            int place = a->clique[i][r * (size + a->bordered) + c];
            if (place >= 0)
                a->sum->value[place] -= e->work[dof[r]];
            e->work[dof[r]] = 0;
        }
        ZN_TRY(status);
    }
    return ZN_OK;
}

static double largest_ratio(const zn_equilibrium *e, const zn_sparse *a)
{
    double top = 0;
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
    const int *clique = e->plain.clique[i];
    for (int k = 0; k < size * size; k++)
        if (clique[k] >= 0)
            e->plain.sum->value[clique[k]] += e->hold[i] * row[k / size] * row[k % size];
}

zn_status zn_equilibrium_assemble(zn_equilibrium *e, zn_equilibrium_matrix *a, double alpha)
{
    int entries = e->stiffness->start[e->n];
    ZN_TRY(zn_system_operators(e->sys, zn_equilibrium_at(e, e->q), 0, 0, 1, e->stiffness));
    zn_sparse_clear(a->sum);
    for (int k = 0; k < entries; k++)
        a->sum->value[a->place[k]] = e->stiffness->value[k];
    memset(e->work, 0, sizeof *e->work * (size_t)e->n_all);
    memset(e->probe, 0, sizeof *e->probe * (size_t)e->n_all);
    for (int i = 0; i < e->set->count && e->bending; i++)
        if (e->l[i] != 0 && is_known(e, a, i))
            ZN_TRY(add_curvature(e, a, i));
    e->top = largest_ratio(e, a->sum);
    for (int k = 0; k < entries && alpha > 0; k++)
        a->sum->value[a->place[k]] += alpha * e->mass->value[k];
    return ZN_OK;
}

zn_status zn_equilibrium_factor(zn_equilibrium *e)
{
    ZN_TRY(zn_equilibrium_assemble(e, &e->plain, e->alpha));
    for (int i = 0; i < e->set->count; i++)
        if (e->set->bilateral[i])
            add_joint(e, i);
    zn_delassus_invalidate(&e->columns);
    return zn_linsolver_factor(e->plain.solver, e->plain.sum);
}

// y = (K - d(G'l)/dq) x with K as assembled last.
static zn_status bend(zn_equilibrium *e, const double *x, double *y)
{
    for (int i = 0; i < e->set->count; i++)
        e->l_rows[i * e->set->stride] = e->l[i];
    ZN_TRY(zn_contact_set_curvature(e->set, e->sys, e->q, e->t, e->l_rows, x, y));
    zn_sparse_multiply(e->stiffness, x, e->work);
    for (int i = 0; i < e->n; i++)
        y[i] = e->work[i] - y[i];
    return ZN_OK;
}

zn_status zn_equilibrium_stiffness(zn_equilibrium *e, const double *x, double *out)
{
    ZN_TRY(bend(e, x, e->probe));
    double stiff = zn_system_dot(e->sys, x, e->probe);
    zn_sparse_multiply(e->mass, x, e->work);
    double mass = zn_system_dot(e->sys, x, e->work);
    *out = mass > 0 ? stiff / mass : 0;
    return ZN_OK;
}
