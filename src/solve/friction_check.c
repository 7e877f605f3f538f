// What is wrong with a problem: one sentence for the person who made it.
//
// Positive semidefinite: the scaled matrix plus a shift, (W + W')/2 + e I with e = 1e-4, must have an LDL' without
// negative pivots. It is made of the dense matrix up to a limit; above, all 2 x 2 minors are tested instead, which is
// necessary only.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/assert.h"
#include "solve/friction.h"
#include "zn/math.h"

typedef struct reply {
    char  *message;
    size_t size;
} reply;

#define REFUSE(out, status, ...) (snprintf((out)->message, (out)->size, __VA_ARGS__), (status))

static zn_status check_contacts(int n, int bilateral, int contacts, const int *first, const double *mu,
                                const reply *out)
{
    if (n < 0 || contacts < 0 || bilateral < 0 || bilateral > n)
        return REFUSE(out, ZN_ERR_ARGUMENT, "negative size: %d rows, %d bilateral, %d contacts", n, bilateral,
                      contacts);
    if (contacts == 0)
        return bilateral == n ? ZN_OK : REFUSE(out, ZN_ERR_ARGUMENT, "%d rows belong to no contact", n - bilateral);
    if (first == NULL || mu == NULL)
        return REFUSE(out, ZN_ERR_ARGUMENT, "rows or friction coefficients of the contacts are missing");
    if (first[0] != bilateral || first[contacts] != n)
        return REFUSE(out, ZN_ERR_ARGUMENT, "contacts own rows %d to %d, not %d to %d", first[0], first[contacts],
                      bilateral, n);
    for (int c = 0; c < contacts; c++) {
        int rows = first[c + 1] - first[c];
        if (rows < 1 || rows > 3)
            return REFUSE(out, ZN_ERR_ARGUMENT, "contact %d has %d rows, not 1 to 3", c, rows);
        if (!isfinite(mu[c]))
            return REFUSE(out, ZN_NOT_FINITE, "mu of contact %d is not finite", c);
        if (mu[c] < 0)
            return REFUSE(out, ZN_ERR_ARGUMENT, "mu of contact %d is negative: %g", c, mu[c]);
    }
    return ZN_OK;
}

// Followers have one or two rows and come right after their leader.
static zn_status check_followers(const zn_fc_problem *p, const reply *out)
{
    for (int c = 0; c < p->contacts && p->leader != NULL; c++) {
        int l = p->leader[c], before = c > 0 ? c - 1 : 0;
        if (l < 0)
            continue;
        if (l >= c || p->leader[l] >= 0 || (l != before && p->leader[before] != l))
            return REFUSE(out, ZN_ERR_ARGUMENT, "contact %d does not come right after its leader %d", c, l);
        if (p->first[c + 1] - p->first[c] > 2)
            return REFUSE(out, ZN_ERR_ARGUMENT, "contact %d follows another one and has 3 rows, not 1 or 2", c);
    }
    return ZN_OK;
}

static zn_status check_matrix(const char *name, const zn_fc_matrix *m, int rows, int columns, const reply *out)
{
    if (m == NULL || m->rows != rows || m->columns != columns)
        return REFUSE(out, ZN_ERR_ARGUMENT, "%s is %d x %d, not %d x %d", name, m ? m->rows : 0, m ? m->columns : 0,
                      rows, columns);
    if (rows > 0 && m->start[0] != 0)
        return REFUSE(out, ZN_ERR_ARGUMENT, "%s: row 0 does not begin at entry 0", name);
    for (int i = 0; i < rows; i++) {
        if (m->start[i + 1] < m->start[i])
            return REFUSE(out, ZN_ERR_ARGUMENT, "%s: row %d ends before it begins", name, i);
        for (int k = m->start[i]; k < m->start[i + 1]; k++) {
            if (m->column[k] < 0 || m->column[k] >= columns || (k > m->start[i] && m->column[k] <= m->column[k - 1]))
                return REFUSE(out, ZN_ERR_ARGUMENT, "%s: columns of row %d do not ascend within %d", name, i, columns);
            if (!isfinite(m->value[k]))
                return REFUSE(out, ZN_NOT_FINITE, "%s(%d, %d) is not finite", name, i, m->column[k]);
        }
    }
    return ZN_OK;
}

static zn_status check_vector(const char *name, const double *x, int n, const reply *out)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return REFUSE(out, ZN_NOT_FINITE, "%s(%d) is not finite", name, i);
    return ZN_OK;
}

// W(i, j) by bisection.
static double entry(const zn_fc_problem *p, int i, int j)
{
    ZN_ASSERT(j >= 0 && j < p->n);
    zn_fc_row row = zn_fc_row_of(p, i);
    if (row.column == NULL)
        return row.value[j];
    int low = 0, high = row.count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (row.column[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < row.count && row.column[low] == j ? row.value[low] : 0;
}

// Entries that W and W' (or M and M': `name`) do not share, and 2 x 2 minors.
static zn_status check_pairs(const zn_fc_problem *p, const char *name, const double *size, const reply *out)
{
    for (int i = 0; i < p->n; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        for (int k = 0; k < row.count; k++) {
            int    j = row.column != NULL ? row.column[k] : k;
            double a = row.value[k], b = entry(p, j, i), scale = size[i] * size[j];
            if (fabs(a - b) > 0.01 * scale)
                return REFUSE(out, ZN_ERR_ARGUMENT, "%s is not symmetric: %s(%d, %d) = %g, %s(%d, %d) = %g", name, name,
                              i, j, a, name, j, i, b);
            if (i == j ? a < -1e-4 * scale : 0.5 * fabs(a + b) > scale * (1 + 1e-4))
                return REFUSE(out, ZN_ERR_ARGUMENT, "%s is not positive semidefinite: see rows %d and %d", name, i, j);
        }
    }
    return ZN_OK;
}

// Row sizes: sqrt(W_ii), or what makes any entry beside a zero diagonal too large.
static void row_sizes(const zn_fc_problem *p, double *size)
{
    double largest = 0;
    for (int i = 0; i < p->n; i++) {
        size[i] = sqrt(fabs(entry(p, i, i)));
        largest = size[i] > largest ? size[i] : largest;
    }
    for (int i = 0; i < p->n; i++)
        size[i] = size[i] > 1e-8 * largest ? size[i] : 1e-8 * largest;
}

static zn_status check_definite(const zn_fc_problem *p, const double *size, const reply *out)
{
    enum { DENSE = 600 };
    int n = p->n, negative = 0;
    if (n > DENSE)
        return ZN_OK;
    double *a = calloc((size_t)n * n + 1, sizeof *a);
    int    *pivot = malloc(((size_t)n + 1) * sizeof *pivot);
    if (a == NULL || pivot == NULL) {
        free(a);
        free(pivot);
        return REFUSE(out, ZN_ERR_MEMORY, "out of memory");
    }
    for (int i = 0; i < n; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        for (int k = 0; k < row.count; k++) {
            int    j = row.column != NULL ? row.column[k] : k;
            double scale = size[i] * size[j], v = scale > 0 ? 0.5 * row.value[k] / scale : 0;
            a[(size_t)i * n + j] += v;
            a[(size_t)j * n + i] += v;
        }
        a[(size_t)i * n + i] += 1e-4;
    }
    zn_status status = zn_dense_ldl_factor(n, a, pivot, &negative);
    free(a);
    free(pivot);
    if (status == ZN_OK && negative > 0)
        return REFUSE(out, ZN_ERR_ARGUMENT, "W is not positive semidefinite: %d negative eigenvalues", negative);
    return ZN_OK;
}

zn_status zn_fc_check(const zn_fc_problem *p, char *message, size_t size)
{
    if (!p)
        return ZN_ERR_ARGUMENT;
    ZN_ASSERT(p && (message || size == 0));
    reply out = {message, size};
    if (size > 0)
        message[0] = '\0';
    ZN_TRY(check_contacts(p->n, p->bilateral, p->contacts, p->first, p->mu, &out));
    ZN_TRY(check_followers(p, &out));
    if (p->n == 0)
        return ZN_OK;
    if (p->q == NULL || (p->W == NULL && p->sparse == NULL))
        return REFUSE(&out, ZN_ERR_ARGUMENT, "W or q is missing");
    ZN_TRY(check_vector("q", p->q, p->n, &out));
    if (p->W == NULL)
        ZN_TRY(check_matrix("W", p->sparse, p->n, p->n, &out));
    for (int i = 0; i < p->n && p->W != NULL; i++)
        for (int j = 0; j < p->n; j++)
            if (!isfinite(p->W[(size_t)i * p->n + j]))
                return REFUSE(&out, ZN_NOT_FINITE, "W(%d, %d) is not finite", i, j);
    double *sizes = malloc(sizeof *sizes * (size_t)p->n);
    if (sizes == NULL)
        return REFUSE(&out, ZN_ERR_MEMORY, "out of memory");
    row_sizes(p, sizes);
    zn_status status = check_pairs(p, "W", sizes, &out);
    if (status == ZN_OK)
        status = check_definite(p, sizes, &out);
    free(sizes);
    return status;
}

zn_status zn_fc_check_global(const zn_fc_global *p, char *message, size_t size)
{
    if (!p)
        return ZN_ERR_ARGUMENT;
    ZN_ASSERT(p && (message || size == 0));
    reply out = {message, size};
    if (size > 0)
        message[0] = '\0';
    ZN_TRY(check_contacts(p->rows, p->bilateral, p->contacts, p->first, p->mu, &out));
    if (p->n < 0 || (p->n == 0 && p->rows > 0))
        return REFUSE(&out, ZN_ERR_ARGUMENT, "%d velocities for %d rows", p->n, p->rows);
    if (p->f == NULL || p->w == NULL)
        return REFUSE(&out, ZN_ERR_ARGUMENT, "f or w is missing");
    ZN_TRY(check_matrix("M", p->M, p->n, p->n, &out));
    ZN_TRY(check_matrix("H", p->H, p->n, p->rows, &out));
    ZN_TRY(check_vector("f", p->f, p->n, &out));
    ZN_TRY(check_vector("w", p->w, p->rows, &out));
    zn_fc_problem mass = {.n = p->n, .bilateral = p->n, .sparse = p->M};
    double       *sizes = malloc(sizeof *sizes * ((size_t)p->n + 1));
    if (sizes == NULL)
        return REFUSE(&out, ZN_ERR_MEMORY, "out of memory");
    row_sizes(&mass, sizes);
    zn_status status = check_pairs(&mass, "M", sizes, &out);
    free(sizes);
    return status;
}

// --- why there is no answer ----------------------------------------------------------------------

// A contact that closes whatever the reactions are.
static bool closes_anyway(const zn_fc_problem *p)
{
    for (int c = 0; c < p->contacts; c++) {
        zn_fc_row row = zn_fc_row_of(p, p->first[c]);
        double    sum = zn_fc_leader(p, c) >= 0; // no normal, nothing closes
        for (int k = 0; k < row.count; k++)
            sum += fabs(row.value[k]);
        if (sum == 0 && p->q[p->first[c]] < 0)
            return true;
    }
    return false;
}

// Terms of u that are this much larger than q cancel each other: reactions along a direction that W does not see.
static bool has_grown(const zn_fc_problem *p, const double *r)
{
    double terms = 0, q = 0;
    for (int i = 0; i < p->n; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        q = fmax(q, fabs(p->q[i]));
        for (int k = 0; k < row.count; k++)
            terms = fmax(terms, fabs(row.value[k] * r[row.column != NULL ? row.column[k] : k]));
    }
    return terms > 1e8 * q;
}

const char *zn_fc_explain(const zn_fc_problem *p, zn_status status, const double *r, const char *reason)
{
    if (status < ZN_OK || status == ZN_NOT_FINITE)
        return zn_status_text(status);
    if (closes_anyway(p))
        return "no solution: a contact closes whatever the reactions are";
    if (r != NULL && has_grown(p, r))
        return "probably no solution: the reactions grow without bound";
    return reason != NULL ? reason : "no solver has reached the tolerance";
}
