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

zn_status zn_equilibrium_assemble(zn_equilibrium *e, zn_curved_matrix *a, double alpha)
{
    ZN_ASSERT(alpha >= 0);
    ZN_TRY(zn_system_operators(e->sys, zn_equilibrium_at(e, e->now.q), 0, 0, 1, e->matrix.stiffness));
    zn_curved_matrix_write(a, e->matrix.stiffness);
    memset(e->scratch.work, 0, sizeof *e->scratch.work * (size_t)e->n_all);
    memset(e->scratch.probe, 0, sizeof *e->scratch.probe * (size_t)e->n_all);
    if (e->matrix.bending)
        ZN_TRY(zn_curved_matrix_bend(a, e->sys, e->set, e->now.l, e->now.q, e->loads.t, NULL, e->scratch.probe,
                                     e->scratch.work));
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
    ZN_TRY(zn_contact_set_curvature(e->set, e->sys, e->now.q, e->loads.t, e->now.l, x, y));
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

// Rows of a contact are over the same degrees of freedom.
static double entry_of(const zn_contact_set *set, int i, int r, int k)
{
    return set->row_value[set->row_start[i * set->stride + r] + k];
}

// Row r of a contact in the border: what multiplies its rows, its normal force, and its own.
static zn_friction_row border_row(const zn_equilibrium *e, int i, int r)
{
    int row = i * e->set->stride + r;
    if (r >= zn_equilibrium_held(e, i))
        return (zn_friction_row){.self = -1};
    return r > 0 ? zn_equilibrium_friction_row(e, i, r)
                 : (zn_friction_row){.self = -e->direct.ease * e->direct.yield[row]};
}

// Rows and columns of one contact; an open one stands for itself.
static void fill_border(zn_equilibrium *e, int i)
{
    const zn_contact_set *set = e->set;
    int                   first = set->row_start[i * set->stride], size = set->row_start[i * set->stride + 1] - first;
    int                   own = zn_equilibrium_held(e, i), border = e->friction.rows, width = size + border;
    const int            *clique = e->matrix.whole.clique[i];
    double               *value = e->matrix.whole.sum->value;
    for (int k = 0; k < size * border; k++) { // a degree of freedom may come twice
        int down = clique[(size + k / size) * width + k % size], across = clique[(k % size) * width + size + k / size];
        if (down >= 0)
            value[down] = value[across] = 0;
    }
    for (int r = 0; r < border; r++) {
        const zn_friction_row row = border_row(e, i, r);
        for (int c = 0; c < border; c++)
            value[clique[(size + r) * width + size + c]] = c == r ? row.self : c == 0 ? row.normal : 0;
        for (int k = 0; k < size && r < own; k++) {
            int down = clique[(size + r) * width + k], across = clique[k * width + size + r];
            if (down < 0)
                continue;
            value[across] -= entry_of(set, i, r, k);
            value[down] += r == 0 ? -entry_of(set, i, 0, k) : row.tangent[0] * entry_of(set, i, 1, k);
            if (r > 0 && own > 2)
                value[down] += row.tangent[1] * entry_of(set, i, 2, k);
        }
    }
}

void zn_equilibrium_fill_border(zn_equilibrium *e)
{
    for (int i = 0; i < e->set->count; i++)
        fill_border(e, i);
}
