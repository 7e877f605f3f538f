// Many contacts in one sparse matrix. See many_contacts.h.
#include "constraint/many_contacts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/sparse_find.h"
#include "system/system.h"

// --- life ----------------------------------------------------------------------------------------

zn_status zn_many_contacts_create(const zn_system *sys, const char *linear_solver, zn_many_contacts *out)
{
    int n_all = sys->info.n_all;
    *out = (zn_many_contacts){.sys = sys,
                              .linear_solver = linear_solver,
                              .right = ZN_NEW(double, n_all),
                              .unit = ZN_NEW(double, n_all),
                              .image = ZN_NEW(double, n_all)};
    return out->right && out->unit && out->image ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_many_contacts_forget(zn_many_contacts *m)
{
    zn_curved_matrix_destroy(&m->matrix);
    free(m->bent);
    m->bent = NULL;
}

static void release_rows(zn_many_contacts *m)
{
    free(m->active);
    free(m->e);
    free(m->centre);
    free(m->w);
}

void zn_many_contacts_destroy(zn_many_contacts *m)
{
    zn_many_contacts_forget(m);
    release_rows(m);
    free(m->right);
    free(m->unit);
    free(m->image);
    *m = (zn_many_contacts){0};
}

// By a half more, so that growing contacts do not ask each time.
static zn_status reserve(zn_many_contacts *m, int rows)
{
    if (rows <= m->capacity)
        return ZN_OK;
    int room = rows + rows / 2;
    release_rows(m);
    m->active = ZN_NEW(bool, room);
    m->e = ZN_NEW(double, room);
    m->centre = ZN_NEW(double, room);
    m->w = ZN_NEW(double, room);
    m->capacity = m->active && m->e && m->centre && m->w ? room : 0;
    return m->capacity > 0 ? ZN_OK : ZN_ERR_MEMORY;
}

// --- pattern -------------------------------------------------------------------------------------

static bool has_row(const zn_sparse *a, zn_rows rows, int row)
{
    for (int e = rows.start[row]; e < rows.start[row + 1]; e++)
        for (int k = rows.start[row]; k < rows.start[row + 1]; k++)
            if (rows.dof[e] < a->n && rows.dof[k] < a->n && zn_sparse_find(a, rows.dof[e], rows.dof[k]) < 0)
                return false;
    return true;
}

static bool has_rows(const zn_sparse *a, zn_rows rows, const zn_row_list *list)
{
    for (int k = 0; k < list->rows; k++)
        if (!has_row(a, rows, list->row[k]))
            return false;
    return true;
}

static zn_status connect(zn_many_contacts *m, const zn_sparse *A0, const zn_contact_set *set, const zn_row_list *list)
{
    if (m->bent && has_rows(m->matrix.sum, zn_gap_rows(set), list))
        return ZN_OK;
    zn_many_contacts_forget(m);
    ZN_TRY(zn_curved_matrix_connect(&m->matrix, m->sys, A0, set, false, m->linear_solver));
    m->bent = ZN_NEW(double, m->matrix.sum->start[m->matrix.sum->n]);
    return m->bent ? ZN_OK : ZN_ERR_MEMORY;
}

// --- values --------------------------------------------------------------------------------------

// Column by column: what the force of contact i changes by with each of its degrees of freedom.
static zn_status bend(zn_many_contacts *m, const zn_contact_set *set, int i, zn_between s, const double *p)
{
    const zn_contact_rule *rule = &m->sys->model->rule[zn_contact_id_rule(set->id[i])];
    zn_contact_key         key = zn_contact_key_of(set->id[i], set->piece[i]);
    int                    first = set->row_start[i * set->stride], end = set->row_start[i * set->stride + 1];
    zn_sparse             *sum = m->matrix.sum;
    for (int e = first; e < end; e++) {
        int column = set->row_dof[e];
        if (column >= sum->n)
            continue;
        m->unit[column] = 1;
        zn_status status = rule->ops->curvature_between(rule->parameter, &m->sys->layout, key, s, p, m->unit, m->image);
        for (int k = first; k < end; k++) {
            int row = set->row_dof[k];
            if (row < sum->n && m->image[row] != 0)
                sum->value[zn_sparse_find(sum, row, column)] -= m->image[row];
            m->image[row] = m->unit[row] = 0;
        }
        ZN_TRY(status);
    }
    return ZN_OK;
}

zn_status zn_many_contacts_bend(zn_many_contacts *m, const zn_sparse *A0, const zn_contact_set *set,
                                const zn_row_list *list, zn_between s, const double *p)
{
    ZN_TRY(zn_fault_point());
    ZN_TRY(reserve(m, list->rows));
    ZN_TRY(connect(m, A0, set, list));
    zn_curved_matrix_write(&m->matrix, A0);
    for (int k = 0; k < list->rows; k++) {
        int                    i = list->row[k] / set->stride;
        const zn_contact_rule *rule = &m->sys->model->rule[zn_contact_id_rule(set->id[i])];
        if (p[list->row[k]] != 0 && rule->ops->curvature_between)
            ZN_TRY(bend(m, set, i, s, p + i * set->stride));
    }
    memcpy(m->bent, m->matrix.sum->value, sizeof *m->bent * (size_t)m->matrix.sum->start[m->matrix.sum->n]);
    return ZN_OK;
}

// --- one set of contacts -----------------------------------------------------------------------------

// The weights of proximal points, a part of the diagonal of G A^-1 H', which is guessed from that of A. False where a
// row moves nothing.
static bool weigh(zn_many_contacts *m, const zn_many_problem *p, double part)
{
    const zn_sparse *A = m->matrix.sum;
    for (int k = 0; k < p->list->rows; k++) {
        double sum = 0;
        for (int e = p->G.start[p->list->row[k]]; e < p->G.start[p->list->row[k] + 1]; e++)
            if (p->G.dof[e] < A->n)
                sum += p->G.value[e] * p->H.value[e] / m->bent[zn_sparse_find(A, p->G.dof[e], p->G.dof[e])];
        m->e[k] = part * sum;
        if (!(m->e[k] > 0))
            return false;
    }
    m->part = part;
    return true;
}

// value += factor H_k' G_k
static void add_product(zn_sparse *a, zn_rows G, zn_rows H, int row, double factor)
{
    for (int c = G.start[row]; c < G.start[row + 1]; c++)
        for (int r = H.start[row]; G.dof[c] < a->n && r < H.start[row + 1]; r++)
            if (H.dof[r] < a->n)
                a->value[zn_sparse_find(a, H.dof[r], G.dof[c])] += factor * H.value[r] * G.value[c];
}

static zn_status factor(zn_many_contacts *m, const zn_many_problem *p)
{
    zn_sparse *a = m->matrix.sum;
    memcpy(a->value, m->bent, sizeof *m->bent * (size_t)a->start[a->n]);
    for (int k = 0; k < p->list->rows; k++)
        if (m->active[k])
            add_product(a, p->G, p->H, p->list->row[k], 1 / m->e[k]);
    zn_status status = zn_linsolver_factor(m->matrix.solver, a);
    return status == ZN_SINGULAR ? ZN_NOT_CONVERGED : status;
}

// The proximal point of a set: x, w and z.
static zn_status answer(zn_many_contacts *m, const zn_many_problem *p, double *z, double *x)
{
    int n = m->matrix.sum->n;
    memcpy(x, p->f, sizeof *x * (size_t)n);
    for (int k = 0; k < p->list->rows; k++)
        if (m->active[k])
            zn_rows_add(p->H, p->list->row[k], n, m->centre[k] - p->c[k] / m->e[k], x);
    ZN_TRY(zn_linsolver_solve(m->matrix.solver, 1, x));
    for (int k = 0; k < p->list->rows; k++) {
        m->w[k] = p->c[k] + zn_rows_dot(p->G, p->list->row[k], n, x);
        z[k] = m->active[k] ? m->centre[k] - m->w[k] / m->e[k] : 0;
    }
    return ZN_OK;
}

// --- which contacts act ------------------------------------------------------------------------------

// What forces and gaps are compared with: the largest there are.
typedef struct sizes {
    double z, w;
} sizes;

static sizes measure(const zn_many_contacts *m, const zn_many_problem *p, const double *z)
{
    sizes s = {0, 0};
    for (int k = 0; k < p->list->rows; k++) {
        s.z = fmax(s.z, fmax(fabs(z[k]), fabs(m->centre[k])));
        s.w = fmax(s.w, fabs(p->c[k]) + fabs(m->w[k] - p->c[k]) + m->e[k] * fabs(m->centre[k]));
    }
    return s;
}

static bool is_wrong(const zn_many_contacts *m, const zn_many_problem *p, int k, sizes s, const double *z)
{
    const double slack = 64 * DBL_EPSILON;
    if (k < p->list->equations)
        return false;
    if (m->active[k])
        return z[k] < -fmax(slack * s.z, p->rounding * m->part / m->e[k]);
    return m->w[k] - m->e[k] * m->centre[k] < -fmax(slack * s.w, p->rounding);
}

// Flip all that are wrong, or the last of them alone; how many there are.
static int flip_wrong(zn_many_contacts *m, const zn_many_problem *p, const double *z, bool all)
{
    sizes s = measure(m, p, z);
    int   count = 0, last = 0;
    for (int k = 0; k < p->list->rows; k++)
        if (is_wrong(m, p, k, s, z)) {
            m->active[k] ^= all;
            last = k;
            count++;
        }
    if (count > 0 && !all)
        m->active[last] = !m->active[last];
    return count;
}

// To the next proximal point; what is left of the problem itself.
static double advance(zn_many_contacts *m, const zn_many_problem *p, double *z)
{
    sizes  s = measure(m, p, z);
    double left = 0;
    for (int k = 0; k < p->list->rows; k++) {
        if (k >= p->list->equations)
            z[k] = fmax(0, z[k]);
        left = fmax(left, m->e[k] * fabs(z[k] - m->centre[k]));
        m->centre[k] = z[k];
    }
    return s.w > 0 ? left / s.w : 0;
}

// One proximal point. All contacts that are wrong are flipped at once, which is fast but may go round in circles: where
// they do not become fewer for some sets, the last alone until they do (Murty's rule, as in pivot.c).
static zn_status find_point(zn_many_contacts *m, const zn_many_problem *p, double *z, double *x, bool *factored,
                            zn_solved *out)
{
    enum { PATIENCE = 4, SETS = 40 };
    int fewest = p->list->rows + 1, patience = PATIENCE;
    for (int set = 0; set < SETS; set++) {
        out->iterations++;
        if (!*factored)
            ZN_TRY(factor(m, p));
        ZN_TRY(answer(m, p, z, x));
        int wrong = flip_wrong(m, p, z, patience > 0);
        *factored = wrong == 0;
        if (wrong == 0)
            return ZN_OK;
        patience = wrong < fewest ? PATIENCE : patience - 1;
        fewest = wrong < fewest ? wrong : fewest;
    }
    return ZN_NOT_CONVERGED;
}

// A set to begin with: what acts at the last point.
static void begin(zn_many_contacts *m, const zn_many_problem *p)
{
    for (int k = 0; k < p->list->rows; k++)
        m->active[k] = k < p->list->equations || m->centre[k] > 0;
}

// G A^-1 H' of faces on each other has eigenvalues down to 1e-7 of its diagonal: there larger weights take hundreds of
// points. Smaller ones cost digits of x, which Newton's method finds again, but sets are harder to find: where none is,
// a point with a larger weight comes before. Where points still move after some, the next iteration of whoever asks
// goes on from there.
zn_status zn_many_contacts_solve(zn_many_contacts *m, const zn_many_problem *p, double *z, double *x, zn_solved *out)
{
    enum { POINTS = 12 };
    const double least = 1e-8, most = 1e-2;
    double       part = least;
    bool         factored = false, found = false;
    ZN_ASSERT(!p->list->friction && p->list->rows <= m->capacity);
    *out = (zn_solved){0};
    memcpy(m->centre, z, sizeof *z * (size_t)p->list->rows);
    begin(m, p);
    for (int point = 0; point < POINTS || !found; point++) {
        if (!factored && !weigh(m, p, part))
            return ZN_NOT_CONVERGED;
        zn_status status = find_point(m, p, z, x, &factored, out);
        found = status == ZN_OK;
        if (status != ZN_OK && (status != ZN_NOT_CONVERGED || part >= most))
            return status;
        if (found)
            out->residual = advance(m, p, z);
        else
            begin(m, p);
        if (found && out->residual <= p->tolerance)
            break;
        double next = found ? fmax(least, 0.01 * part) : 100 * part;
        factored = found && next == part;
        part = next;
    }
    return ZN_OK;
}
