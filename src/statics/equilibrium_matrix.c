// Matrices of an equilibrium, the plain and the whole one:
//     A = K - d(G'l)/dq + alpha M + sum over joint equations of c_i G_i'G_i,      | A   -G' |
//                                                                                 | -G   .  |
// The last term of A changes nothing, because Newton's method keeps G_i d = -g_i and the right-hand side has -c_i g_i
// G_i' to match, but it makes A regular where joints alone hold a body. The whole matrix does without:
// equilibrium_direct.c.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "statics/equilibrium.h"

zn_status zn_equilibrium_connect(zn_equilibrium *e, zn_curved_matrix *a)
{
    if (zn_curved_matrix_is_connected(a, e->sys, e->set))
        return ZN_OK;
    return zn_curved_matrix_connect(a, e->sys, e->matrix.stiffness, e->set, false, e->def.linear_solver);
}

static double largest_ratio(const zn_equilibrium *e, const zn_sparse *a)
{
    double top = 0;
    for (int j = 0; j < e->n; j++)
        for (int p = a->start[j]; p < a->start[j + 1]; p++)
            if (a->row[p] == j && e->matrix.inertia[j] > 0)
                top = fmax(top, fabs(a->value[p]) / e->matrix.inertia[j]);
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
        if (dof[c] < e->n && e->matrix.inertia[dof[c]] > 0)
            mobility += row[c] * row[c] / e->matrix.inertia[dof[c]];
    e->hold[i] = mobility > 0 ? fmax(e->matrix.top, e->alpha) / mobility : 0;
    zn_curved_matrix_add_square(&e->matrix.plain, set, i, e->hold[i]);
}

static const double *multipliers_per_row(zn_equilibrium *e)
{
    for (int i = 0; i < e->set->count; i++)
        e->l_rows[i * e->set->stride] = e->now.l[i];
    return e->l_rows;
}

zn_status zn_equilibrium_assemble(zn_equilibrium *e, zn_curved_matrix *a, double alpha)
{
    ZN_ASSERT(alpha >= 0);
    ZN_TRY(zn_system_operators(e->sys, zn_equilibrium_at(e, e->now.q), 0, 0, 1, e->matrix.stiffness));
    zn_curved_matrix_write(a, e->matrix.stiffness);
    memset(e->scratch.work, 0, sizeof *e->scratch.work * (size_t)e->n_all);
    memset(e->scratch.probe, 0, sizeof *e->scratch.probe * (size_t)e->n_all);
    if (e->matrix.bending) // no friction at rest: normals only
        ZN_TRY(zn_curved_matrix_bend(a, e->sys, e->set, multipliers_per_row(e), e->now.q, e->loads.t, NULL,
                                     e->scratch.probe, e->scratch.work));
    e->matrix.top = largest_ratio(e, a->sum);
    if (alpha > 0)
        zn_curved_matrix_add(a, alpha, e->matrix.mass);
    return ZN_OK;
}

zn_status zn_equilibrium_factor(zn_equilibrium *e)
{
    zn_curved_matrix *a = &e->matrix.plain;
    ZN_TRY(zn_equilibrium_assemble(e, a, e->alpha));
    for (int i = 0; i < e->set->count; i++)
        if (e->set->bilateral[i])
            add_joint(e, i);
    zn_response_lend(&e->response, a->solver);
    return zn_linsolver_factor(a->solver, a->sum);
}

// y = (K - d(G'l)/dq) x with K as assembled last.
static zn_status bend(zn_equilibrium *e, const double *x, double *y)
{
    ZN_TRY(zn_contact_set_curvature(e->set, e->sys, e->now.q, e->loads.t, multipliers_per_row(e), x, y));
    zn_sparse_multiply(e->matrix.stiffness, x, e->scratch.work);
    for (int i = 0; i < e->n; i++)
        y[i] = e->scratch.work[i] - y[i];
    return ZN_OK;
}

zn_status zn_equilibrium_stiffness(zn_equilibrium *e, const double *x, double *out)
{
    ZN_ASSERT(x && out && x != out);
    ZN_TRY(bend(e, x, e->scratch.probe));
    double stiff = zn_system_dot(e->sys, x, e->scratch.probe);
    zn_sparse_multiply(e->matrix.mass, x, e->scratch.work);
    double mass = zn_system_dot(e->sys, x, e->scratch.work);
    *out = mass > 0 ? stiff / mass : 0;
    return ZN_OK;
}

// Row and column of one contact; an open one stands for itself.
static void fill_border(zn_equilibrium *e, int i)
{
    const zn_contact_set *set = e->set;
    int                   first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    const int            *clique = e->matrix.whole.clique[i];
    double               *value = e->matrix.whole.sum->value;
    for (int pass = 0; pass < 2; pass++) // a degree of freedom may come twice
        for (int k = 0; k < size; k++) {
            int down = clique[size * (size + 1) + k], across = clique[k * (size + 1) + size];
            if (down < 0)
                continue;
            double entry = e->direct.closed[i] ? set->row_value[first + k] : 0;
            value[down] = pass == 0 ? 0 : value[down] - entry;
            value[across] = pass == 0 ? 0 : value[across] - entry;
        }
    value[clique[(size + 1) * (size + 1) - 1]] = e->direct.closed[i] ? -e->direct.ease * e->direct.yield[i] : -1;
}

void zn_equilibrium_fill_border(zn_equilibrium *e)
{
    for (int i = 0; i < e->set->count; i++)
        fill_border(e, i);
}
