// Global problems: the velocities are eliminated,
//     W = H' M^-1 H,   q = w + H' M^-1 f,   v = M^-1 (H r + f),
// with sparse W. M is split into its connected parts (bodies: blocks of 1 to 6 rows; a finite element mesh is one
// part); every part is factored by itself and couples only the rows of H that touch it. M need not be symmetric: a
// solve with M gives a column of W.
#include <math.h>
#include <string.h>

#include "base/alive.h"
#include "base/assert.h"
#include "base/sets.h"
#include "solve/friction.h"
#include "zn/math.h"

// Parts of M: rows sorted by part, and where in its part a row is.
typedef struct parts {
    int  count;
    int *start;  // count + 1
    int *member; // n
    int *part;   // n: of a row
    int *place;  // n: in its part
} parts;

// Columns of a matrix: compressed rows of its transpose.
typedef struct transposed {
    int    *start;  // rows + 1
    int    *column; // velocities
    double *value;
} transposed;

static zn_status find_parts(const zn_fc_global *p, zn_fc_workspace *memory, parts *out)
{
    int  n = p->n;
    int *parent = ZN_FC_TAKE(memory, int, n);
    out->start = ZN_FC_TAKE(memory, int, n + 2);
    out->member = ZN_FC_TAKE(memory, int, n);
    out->part = ZN_FC_TAKE(memory, int, n);
    out->place = ZN_FC_TAKE(memory, int, n);
    if (!parent || !out->start || !out->member || !out->part || !out->place)
        return ZN_ERR_MEMORY;
    zn_sets_start(n, parent);
    for (int i = 0; i < n; i++)
        for (int k = p->M->start[i]; k < p->M->start[i + 1]; k++)
            if (p->M->value[k] != 0) // parts are numbered by their first row
                zn_sets_join(parent, i, p->M->column[k]);
    memset(out->start, 0, sizeof(int) * (size_t)(n + 2));
    out->count = 0;
    for (int i = 0; i < n; i++) {
        int root = zn_sets_find(parent, i);
        out->part[i] = root == i ? out->count++ : out->part[root];
        out->place[i] = out->start[out->part[i] + 1]++;
    }
    for (int k = 0; k < out->count; k++)
        out->start[k + 1] += out->start[k];
    for (int i = 0; i < n; i++)
        out->member[out->start[out->part[i]] + out->place[i]] = i;
    return ZN_OK;
}

static zn_status transpose(const zn_fc_matrix *a, zn_fc_workspace *memory, transposed *out)
{
    int total = a->rows > 0 ? a->start[a->rows] : 0;
    out->start = ZN_FC_TAKE(memory, int, a->columns + 2);
    out->column = ZN_FC_TAKE(memory, int, total);
    out->value = ZN_FC_TAKE(memory, double, total);
    if (!out->start || !out->column || !out->value)
        return ZN_ERR_MEMORY;
    memset(out->start, 0, sizeof(int) * (size_t)(a->columns + 2));
    int *next = out->start + 1;
    for (int k = 0; k < total; k++)
        next[a->column[k] + 1]++;
    for (int i = 0; i < a->columns; i++)
        next[i + 1] += next[i];
    for (int i = 0; i < a->rows; i++)
        for (int k = a->start[i]; k < a->start[i + 1]; k++) {
            int at = next[a->column[k]]++;
            out->column[at] = i;
            out->value[at] = a->value[k];
        }
    return ZN_OK;
}

// --- factors of the parts ------------------------------------------------------------------------

typedef struct mass {
    parts         parts;
    double      **lu; // per part, dense
    int         **pivot;
    zn_linsolver *large; // one part of many rows: sparse factors of all of M
    zn_sparse     matrix;
} mass;

enum { LARGE_PART = 200 };

static zn_status factor_large(const zn_fc_global *p, zn_fc_workspace *memory, mass *m)
{
    transposed columns;
    ZN_TRY(transpose(p->M, memory, &columns));
    m->matrix = (zn_sparse){p->n, columns.start, columns.column, columns.value};
    ZN_TRY(zn_linsolver_create(&m->matrix, NULL, &m->large));
    return zn_linsolver_factor(m->large, &m->matrix);
}

static zn_status factor_parts(const zn_fc_global *p, zn_fc_workspace *memory, mass *m)
{
    const parts *s = &m->parts;
    m->lu = ZN_FC_TAKE(memory, double *, s->count);
    m->pivot = ZN_FC_TAKE(memory, int *, s->count);
    if (!m->lu || !m->pivot)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < s->count; k++)
        if (s->start[k + 1] - s->start[k] > LARGE_PART)
            return factor_large(p, memory, m);
    for (int k = 0; k < s->count; k++) {
        int size = s->start[k + 1] - s->start[k];
        m->lu[k] = ZN_FC_TAKE(memory, double, (size_t)size *size);
        m->pivot[k] = ZN_FC_TAKE(memory, int, size);
        if (!m->lu[k] || !m->pivot[k])
            return ZN_ERR_MEMORY;
        memset(m->lu[k], 0, sizeof(double) * (size_t)size * size);
        for (int l = 0; l < size; l++) {
            int i = s->member[s->start[k] + l];
            for (int e = p->M->start[i]; e < p->M->start[i + 1]; e++)
                if (p->M->value[e] != 0)
                    m->lu[k][(size_t)l * size + s->place[p->M->column[e]]] += p->M->value[e];
        }
        ZN_TRY(zn_dense_lu_factor(size, m->lu[k], m->pivot[k]));
    }
    return ZN_OK;
}

// x = M^-1 x, all of it. `part`: n doubles.
static zn_status solve_mass(const mass *m, double *x, double *part)
{
    const parts *s = &m->parts;
    if (m->large != NULL)
        return zn_linsolver_solve(m->large, 1, x);
    for (int k = 0; k < s->count; k++) {
        int size = s->start[k + 1] - s->start[k];
        for (int l = 0; l < size; l++)
            part[l] = x[s->member[s->start[k] + l]];
        zn_dense_lu_solve(size, m->lu[k], m->pivot[k], part);
        for (int l = 0; l < size; l++)
            x[s->member[s->start[k] + l]] = part[l];
    }
    return ZN_OK;
}

// x = M^-1 x where x is zero outside of the parts listed.
static zn_status solve_some(const mass *m, int count, const int *list, double *x, double *part)
{
    ZN_ASSERT(count >= 0 && count <= m->parts.count);
    const parts *s = &m->parts;
    if (m->large != NULL)
        return zn_linsolver_solve(m->large, 1, x);
    for (int k = 0; k < count; k++) {
        int first = s->start[list[k]], size = s->start[list[k] + 1] - first;
        for (int l = 0; l < size; l++)
            part[l] = x[s->member[first + l]];
        zn_dense_lu_solve(size, m->lu[list[k]], m->pivot[list[k]], part);
        for (int l = 0; l < size; l++)
            x[s->member[first + l]] = part[l];
    }
    return ZN_OK;
}

// --- the reduced matrix --------------------------------------------------------------------------

typedef struct reduction {
    mass       mass;
    transposed Ht;
    double    *x, *part; // n
    int       *list;     // parts that a row touches; count of parts
    int       *seen;     // per part, per row of u
    int       *columns;  // rows: of one row of W
} reduction;

static zn_status take_reduction(const zn_fc_global *p, zn_fc_workspace *memory, reduction *r)
{
    r->x = ZN_FC_TAKE(memory, double, p->n);
    r->part = ZN_FC_TAKE(memory, double, p->n);
    r->list = ZN_FC_TAKE(memory, int, p->n);
    r->seen = ZN_FC_TAKE(memory, int, p->n + p->rows);
    r->columns = ZN_FC_TAKE(memory, int, p->rows);
    if (!r->x || !r->part || !r->list || !r->seen || !r->columns)
        return ZN_ERR_MEMORY;
    memset(r->x, 0, sizeof(double) * (size_t)p->n);
    for (int i = 0; i < p->n + p->rows; i++)
        r->seen[i] = -1;
    return ZN_OK;
}

// Put the last of a list in its place.
static void insert_last(int *a, int count)
{
    ZN_ASSERT(count > 0);
    int i = count - 1, last = a[i];
    for (; i > 0 && a[i - 1] > last; i--)
        a[i] = a[i - 1];
    a[i] = last;
}

// Parts that row i touches, and the columns of W they lead to, ascending. Returns the number of parts.
static int list_row(const zn_fc_global *p, reduction *r, int i, int *columns)
{
    ZN_ASSERT(i >= 0 && i < p->rows);
    const parts *s = &r->mass.parts;
    int          count = 0, *seen_row = r->seen + p->n;
    *columns = 0;
    for (int k = r->Ht.start[i]; k < r->Ht.start[i + 1]; k++) {
        int part = s->part[r->Ht.column[k]];
        if (r->seen[part] == i)
            continue;
        r->seen[part] = i;
        r->list[count++] = part;
        for (int l = s->start[part]; l < s->start[part + 1]; l++) {
            int v = s->member[l];
            for (int e = p->H->start[v]; e < p->H->start[v + 1]; e++) {
                int j = p->H->column[e];
                if (seen_row[j] == i)
                    continue;
                seen_row[j] = i;
                r->columns[(*columns)++] = j;
                insert_last(r->columns, *columns);
            }
        }
    }
    return count;
}

// Column i of W: x = M^-1 h_i, then h_j . x into row j, at the next place there: columns come in ascending order.
static zn_status fill_column(const zn_fc_global *p, reduction *r, int i, int count, int columns, int *next, int *column,
                             double *value)
{
    ZN_ASSERT(count >= 0 && columns >= 0 && columns <= p->rows);
    const transposed *Ht = &r->Ht;
    const parts      *s = &r->mass.parts;
    for (int k = Ht->start[i]; k < Ht->start[i + 1]; k++)
        r->x[Ht->column[k]] = Ht->value[k];
    ZN_TRY(solve_some(&r->mass, count, r->list, r->x, r->part));
    for (int c = 0; c < columns; c++) {
        double sum = 0;
        int    j = r->columns[c];
        for (int k = Ht->start[j]; k < Ht->start[j + 1]; k++)
            sum += Ht->value[k] * r->x[Ht->column[k]];
        column[next[j]] = i;
        value[next[j]++] = sum;
    }
    for (int k = 0; k < count; k++)
        for (int l = s->start[r->list[k]]; l < s->start[r->list[k] + 1]; l++)
            r->x[s->member[l]] = 0;
    if (r->mass.large != NULL)
        memset(r->x, 0, sizeof(double) * (size_t)p->n);
    return ZN_OK;
}

static zn_status fill_matrix(const zn_fc_global *p, zn_fc_workspace *memory, reduction *r, zn_fc_matrix *W)
{
    int  rows = p->rows, columns;
    int *start = ZN_FC_TAKE(memory, int, rows + 1), *next = ZN_FC_TAKE(memory, int, rows);
    if (start == NULL || next == NULL)
        return ZN_ERR_MEMORY;
    start[0] = 0;
    for (int i = 0; i < rows; i++) {
        list_row(p, r, i, &columns); // who shares a part with whom is symmetric
        next[i] = start[i];
        start[i + 1] = start[i] + columns;
    }
    for (int i = 0; i < p->n + rows; i++)
        r->seen[i] = -1;
    int    *column = ZN_FC_TAKE(memory, int, start[rows]);
    double *value = ZN_FC_TAKE(memory, double, start[rows]);
    if (!column || !value)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < rows; i++) {
        int count = list_row(p, r, i, &columns);
        ZN_TRY(fill_column(p, r, i, count, columns, next, column, value));
    }
    *W = (zn_fc_matrix){rows, rows, start, column, value};
    return ZN_OK;
}

// q = w + H' M^-1 f
static zn_status fill_vector(const zn_fc_global *p, reduction *r, double *q)
{
    memcpy(r->x, p->f, sizeof(double) * (size_t)p->n);
    ZN_TRY(solve_mass(&r->mass, r->x, r->part));
    for (int i = 0; i < p->rows; i++) {
        q[i] = p->w[i];
        for (int k = r->Ht.start[i]; k < r->Ht.start[i + 1]; k++)
            q[i] += r->Ht.value[k] * r->x[r->Ht.column[k]];
    }
    return ZN_OK;
}

static zn_status reduce(const zn_fc_global *p, zn_fc_workspace *memory, reduction *r, zn_fc_problem *out)
{
    zn_fc_matrix *W = ZN_FC_TAKE(memory, zn_fc_matrix, 1);
    double       *q = ZN_FC_TAKE(memory, double, p->rows);
    if (W == NULL || q == NULL)
        return ZN_ERR_MEMORY;
    ZN_TRY(find_parts(p, memory, &r->mass.parts));
    ZN_TRY(transpose(p->H, memory, &r->Ht));
    ZN_TRY(take_reduction(p, memory, r));
    ZN_TRY(factor_parts(p, memory, &r->mass));
    ZN_TRY(fill_matrix(p, memory, r, W));
    ZN_TRY(fill_vector(p, r, q));
    *out = (zn_fc_problem){p->rows, p->bilateral, p->contacts, p->first, NULL, q, p->mu, W, NULL};
    return ZN_OK;
}

static bool fits(const zn_fc_matrix *m, int rows, int columns)
{
    return m != NULL && m->rows == rows && m->columns == columns;
}

static zn_status begin(const zn_fc_global *p, zn_fc_workspace *memory)
{
    if (p->n < 0 || p->rows < 0 || !fits(p->M, p->n, p->n) || !fits(p->H, p->n, p->rows))
        return ZN_ERR_ARGUMENT;
    return zn_fc_begin(memory);
}

zn_status zn_fc_reduce(const zn_fc_global *p, zn_fc_workspace *workspace, zn_fc_problem *out)
{
    ZN_ALIVE(workspace);
    ZN_ASSERT(p && workspace && out);
    reduction r = {0};
    ZN_TRY(begin(p, workspace));
    zn_status status = reduce(p, workspace, &r, out);
    zn_linsolver_destroy(r.mass.large);
    return status;
}

// v = M^-1 (H r + f)
static zn_status velocities(const zn_fc_global *p, const reduction *r, const double *reaction, double *v)
{
    for (int i = 0; i < p->n; i++) {
        v[i] = p->f[i];
        for (int k = p->H->start[i]; k < p->H->start[i + 1]; k++)
            v[i] += p->H->value[k] * reaction[p->H->column[k]];
    }
    return solve_mass(&r->mass, v, r->part);
}

zn_status zn_fc_solve_global(const zn_fc_global *p, const zn_fc_settings *settings, zn_fc_workspace *workspace,
                             double *v, double *r, double *u, zn_fc_info *info)
{
    ZN_ALIVE(workspace);
    ZN_ASSERT(p && settings && workspace);
    ZN_ASSERT(p->rows <= 0 || (r && u));
    reduction     work = {0};
    zn_fc_problem reduced;
    ZN_TRY(begin(p, workspace));
    zn_status status = reduce(p, workspace, &work, &reduced);
    if (status == ZN_OK)
        status = zn_fc_solve_within(&reduced, settings, workspace, r, u, info);
    if (v != NULL && (status == ZN_OK || (status == ZN_NOT_CONVERGED && settings->keep_best))) {
        zn_status last = velocities(p, &work, r, v);
        status = last != ZN_OK ? last : status;
    }
    zn_linsolver_destroy(work.mass.large);
    return status;
}
