// The answer of a system with a small dense change. See bent_response.h.
#include "constraint/bent_response.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "system/system.h"

// --- life ----------------------------------------------------------------------------------------

zn_status zn_bent_response_create(const zn_system *sys, zn_bent_response *out)
{
    int n = sys->info.n_all;
    *out =
        (zn_bent_response){.sys = sys, .place = ZN_NEW(int, n), .unit = ZN_NEW(double, n), .image = ZN_NEW(double, n)};
    if (!out->place || !out->unit || !out->image)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        out->place[i] = -1;
    return ZN_OK;
}

static void release(zn_bent_response *r)
{
    free(r->dof);
    free(r->X);
    free(r->S);
    free(r->C);
    free(r->B);
    free(r->pivot);
    free(r->local);
}

void zn_bent_response_destroy(zn_bent_response *r)
{
    release(r);
    free(r->T);
    free(r->place);
    free(r->unit);
    free(r->image);
    *r = (zn_bent_response){0};
}

// Room for so many degrees of freedom; nothing is kept. By a half more, so that growing contacts do not ask each time.
zn_status zn_bent_response_reserve(zn_bent_response *r, int count, int rows)
{
    if (count > r->capacity) {
        size_t room = (size_t)count + (size_t)count / 2;
        release(r);
        r->dof = ZN_NEW(int, room);
        r->X = ZN_NEW(double, room *(size_t)r->sys->info.n);
        r->S = ZN_NEW(double, room *room);
        r->C = ZN_NEW(double, room *room);
        r->B = ZN_NEW(double, room *room);
        r->pivot = ZN_NEW(int, room);
        r->local = ZN_NEW(double, room);
        bool memory = r->dof && r->X && r->S && r->C && r->B && r->pivot && r->local;
        r->capacity = memory ? (int)room : 0;
        r->row_capacity = 0;
        if (!memory)
            return ZN_ERR_MEMORY;
    }
    if (rows > r->row_capacity) {
        size_t room = (size_t)rows + (size_t)rows / 2;
        free(r->T);
        r->T = ZN_NEW(double, room *(size_t)r->capacity);
        r->row_capacity = r->T ? (int)room : 0;
    }
    return r->T || rows == 0 ? ZN_OK : ZN_ERR_MEMORY;
}

// --- what is listed --------------------------------------------------------------------------------

static void forget(zn_bent_response *r)
{
    for (int k = 0; k < r->count; k++)
        r->place[r->dof[k]] = -1;
    r->count = 0;
}

// Degrees of freedom of the listed rows, each once; `place` of each becomes `mark`.
static int mark_dofs(zn_bent_response *r, zn_rows rows, const zn_row_list *list, int mark)
{
    int count = 0;
    for (int k = 0; k < list->rows; k++)
        for (int e = rows.start[list->row[k]]; e < rows.start[list->row[k] + 1]; e++)
            if (rows.dof[e] < r->sys->info.n && r->place[rows.dof[e]] != mark) {
                r->place[rows.dof[e]] = mark;
                count++;
            }
    return count;
}

zn_status zn_bent_response_list(zn_bent_response *r, zn_rows rows, const zn_row_list *list)
{
    enum { SEEN = -2, NOT_THERE = -1 };
    forget(r);
    r->rows = list->rows;
    int       count = mark_dofs(r, rows, list, SEEN);
    zn_status status = zn_bent_response_reserve(r, count, list->rows);
    mark_dofs(r, rows, list, NOT_THERE);
    ZN_TRY(status);
    for (int k = 0; k < list->rows; k++)
        for (int e = rows.start[list->row[k]]; e < rows.start[list->row[k] + 1]; e++) {
            int dof = rows.dof[e];
            if (dof >= r->sys->info.n || r->place[dof] >= 0)
                continue;
            r->place[dof] = r->count;
            r->dof[r->count++] = dof;
        }
    if (r->count > 0)
        memset(r->C, 0, sizeof *r->C * (size_t)r->count * (size_t)r->count);
    r->bends = false;
    return ZN_OK;
}

// Column by column: what the force of contact i changes by with each of its degrees of freedom.
static zn_status bend(zn_bent_response *r, const zn_contact_set *set, int i, zn_between s, const double *p)
{
    const zn_contact_rule *rule = &r->sys->model->rule[zn_contact_id_rule(set->id[i])];
    zn_contact_key         key = zn_contact_key_of(set->id[i], set->piece[i]);
    int                    first = set->row_start[i * set->stride], end = set->row_start[i * set->stride + 1];
    for (int e = first; e < end; e++) {
        int column = r->place[set->row_dof[e]];
        if (column < 0)
            continue;
        r->unit[set->row_dof[e]] = 1;
        zn_status status = rule->ops->curvature_between(rule->parameter, &r->sys->layout, key, s, p, r->unit, r->image);
        for (int k = first; k < end; k++) {
            int row = r->place[set->row_dof[k]];
            if (row >= 0)
                r->C[row * r->count + column] += r->image[set->row_dof[k]];
            r->image[set->row_dof[k]] = r->unit[set->row_dof[k]] = 0;
        }
        ZN_TRY(status);
    }
    return ZN_OK;
}

zn_status zn_bent_response_bend(zn_bent_response *r, const zn_contact_set *set, const zn_row_list *list, zn_between s,
                                const double *p)
{
    ZN_TRY(zn_fault_point());
    for (int k = 0; k < list->rows; k++) {
        int                    i = list->row[k] / set->stride;
        const zn_contact_rule *rule = &r->sys->model->rule[zn_contact_id_rule(set->id[i])];
        const double          *own = p + i * set->stride;
        bool                   pushes = false;
        for (int j = 0; j < set->stride; j++)
            pushes |= own[j] != 0;
        if (!pushes || !rule->ops->curvature_between || list->row[k] % set->stride > 0) // once, with its first row
            continue;
        ZN_TRY(bend(r, set, i, s, own));
        r->bends = true;
    }
    return ZN_OK;
}

// --- factors ---------------------------------------------------------------------------------------

// B = 1 - C S
static zn_status factor_small(zn_bent_response *r)
{
    int m = r->count;
    for (int i = 0; i < m; i++) {
        double *row = r->B + (size_t)i * (size_t)m;
        memset(row, 0, sizeof *row * (size_t)m);
        row[i] = 1;
        for (int k = 0; k < m; k++) {
            double        c = r->C[i * m + k];
            const double *S = r->S + (size_t)k * (size_t)m;
            for (int j = 0; c != 0 && j < m; j++)
                row[j] -= c * S[j];
        }
    }
    zn_status status = zn_dense_lu_factor(m, r->B, r->pivot);
    if (status == ZN_SINGULAR)
        r->bends = false;
    return status == ZN_SINGULAR ? ZN_OK : status;
}

zn_status zn_bent_response_factor(zn_bent_response *r, zn_linsolver *solver)
{
    int n = r->sys->info.n, m = r->count;
    if (m == 0)
        return ZN_OK;
    memset(r->X, 0, sizeof *r->X * (size_t)n * (size_t)m);
    for (int k = 0; k < m; k++)
        r->X[(size_t)k * (size_t)n + (size_t)r->dof[k]] = 1;
    ZN_TRY(zn_linsolver_solve(solver, m, r->X));
    for (int i = 0; i < m; i++)
        for (int k = 0; k < m; k++)
            r->S[i * m + k] = r->X[(size_t)k * (size_t)n + (size_t)r->dof[i]];
    return r->bends ? factor_small(r) : ZN_OK;
}

static void add_columns(const zn_bent_response *r, const double *weight, double *x)
{
    int n = r->sys->info.n;
    for (int k = 0; k < r->count; k++) {
        const double *column = r->X + (size_t)k * (size_t)n;
        for (int i = 0; weight[k] != 0 && i < n; i++)
            x[i] += weight[k] * column[i];
    }
}

// x = y + X B^-1 C U'y with y = A0^-1 x
zn_status zn_bent_response_solve(const zn_bent_response *r, zn_linsolver *solver, double *x)
{
    int m = r->count;
    ZN_TRY(zn_linsolver_solve(solver, 1, x));
    if (!r->bends)
        return ZN_OK;
    for (int i = 0; i < m; i++) {
        r->local[i] = 0;
        for (int k = 0; k < m; k++)
            r->local[i] += r->C[i * m + k] * x[r->dof[k]];
    }
    zn_dense_lu_solve(m, r->B, r->pivot, r->local);
    add_columns(r, r->local, x);
    return ZN_OK;
}

// --- rows ------------------------------------------------------------------------------------------

// S B^-1 h' of one row.
static void respond(const zn_bent_response *r, zn_rows H, int row, double *t)
{
    int m = r->count;
    memset(t, 0, sizeof *t * (size_t)m);
    for (int e = H.start[row]; e < H.start[row + 1]; e++)
        if (r->place[H.dof[e]] >= 0)
            t[r->place[H.dof[e]]] += H.value[e];
    if (r->bends)
        zn_dense_lu_solve(m, r->B, r->pivot, t);
    for (int i = 0; i < m; i++) {
        r->local[i] = 0;
        for (int k = 0; k < m; k++)
            r->local[i] += r->S[i * m + k] * t[k];
    }
}

void zn_bent_response_assemble(zn_bent_response *r, zn_rows G, zn_rows H, const zn_row_list *list, double *W)
{
    ZN_ASSERT(list->rows == r->rows);
    for (int l = 0; l < list->rows; l++) {
        respond(r, H, list->row[l], r->T + (size_t)l * (size_t)r->count);
        for (int k = 0; k < list->rows; k++) {
            double sum = 0;
            for (int e = G.start[list->row[k]]; e < G.start[list->row[k] + 1]; e++)
                if (r->place[G.dof[e]] >= 0)
                    sum += G.value[e] * r->local[r->place[G.dof[e]]];
            W[k * list->rows + l] = sum;
        }
    }
}

void zn_bent_response_add(const zn_bent_response *r, const double *p, double *x)
{
    memset(r->local, 0, sizeof *r->local * (size_t)r->count);
    for (int l = 0; l < r->rows; l++)
        for (int k = 0; p[l] != 0 && k < r->count; k++)
            r->local[k] += p[l] * r->T[(size_t)l * (size_t)r->count + (size_t)k];
    add_columns(r, r->local, x);
}
