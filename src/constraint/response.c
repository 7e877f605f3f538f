// A^-1 in its forms, and W from them. See response.h.
#include "constraint/response.h"

#include <string.h>

#include "base/assert.h"
#include "math/linsolver.h"
#include "system/near_null.h"
#include "system/system.h"

// --- life ----------------------------------------------------------------------------------------

zn_status zn_response_create(const zn_system *sys, const char *linear_solver, bool piles, zn_response *out)
{
    ZN_ASSERT(sys && out);
    *out = (zn_response){.sys = sys, .most = INFINITY};
    ZN_TRY(zn_system_matrix(sys, &out->matrix));
    ZN_TRY(zn_system_near_null(sys, linear_solver, &out->near));
    ZN_TRY(zn_system_linsolver(sys, out->matrix, linear_solver, out->near, &out->solver));
    return piles && !sys->halo ? zn_node_blocks_create(sys, &out->blocks) : ZN_OK;
}

zn_status zn_response_create_unit(const zn_system *sys, bool piles, zn_response *out)
{
    *out = (zn_response){.sys = sys};
    if (piles)
        ZN_TRY(zn_node_blocks_create(sys, &out->blocks));
    if (out->blocks)
        zn_node_blocks_identity(out->blocks);
    return ZN_OK;
}

zn_status zn_response_create_lent(const zn_system *sys, int contacts, zn_response *out)
{
    *out = (zn_response){.sys = sys, .lent = true};
    return zn_delassus_create(sys, contacts, &out->columns);
}

void zn_response_lend(zn_response *r, zn_linsolver *solver)
{
    ZN_ASSERT(r->lent);
    r->solver = solver;
    zn_delassus_invalidate(&r->columns);
}

void zn_response_destroy(zn_response *r)
{
    zn_delassus_destroy(&r->columns);
    zn_node_blocks_destroy(r->blocks);
    zn_curvature_destroy(r->curvature);
    zn_splitting_destroy(r->splitting);
    zn_sparse_destroy(r->matrix);
    if (!r->lent)
        zn_linsolver_destroy(r->solver);
    zn_near_null_destroy(r->near);
    *r = (zn_response){0};
}

// Instead of columns that take too much; from then on.
static zn_status split(zn_response *r, const char *linear_solver, int contacts)
{
    double bytes = (double)sizeof(double) * r->sys->info.n * contacts * r->sys->contact_rows;
    bool   always = r->sys->halo != NULL; // columns would be those of all parts
    if (r->blocks || r->splitting || (!always && (contacts == 0 || !(bytes > r->most))))
        return ZN_OK;
    return zn_splitting_create(r->sys, linear_solver, r->near, &r->splitting);
}

zn_status zn_response_limit_columns(zn_response *r, const char *linear_solver, double bytes)
{
    ZN_ASSERT(r->solver && !r->lent);
    r->most = bytes;
    return split(r, linear_solver, r->sys->contact_capacity);
}

zn_status zn_response_reserve(zn_response *r, int contacts)
{
    ZN_ASSERT(contacts >= 0 && !r->lent);
    if (r->blocks || !r->solver)
        return ZN_OK;
    if (r->splitting)
        return zn_splitting_reserve(r->splitting, contacts);
    int64_t factors = r->columns.factors; // are still there
    zn_delassus_destroy(&r->columns);
    zn_status status = zn_delassus_create(r->sys, contacts, &r->columns);
    r->columns.factors = factors;
    return status;
}

// --- factors -------------------------------------------------------------------------------------

zn_status zn_response_factor(zn_response *r, zn_at at, const double abc[3], double step)
{
    ZN_ASSERT(r->solver && !r->lent);
    if (r->curvature)
        r->curvature->used = false;
    r->step = 0;
    zn_delassus_invalidate(&r->columns);
    if (r->splitting)
        zn_splitting_invalidate(r->splitting);
    ZN_TRY(zn_system_agree(r->sys, zn_system_operators(r->sys, at, abc[0], abc[1], abc[2], r->matrix)));
    ZN_TRY(zn_linsolver_factor_kept(r->solver, r->matrix, r->sys->info.linear && step > 0));
    if (r->blocks)
        ZN_TRY(zn_node_blocks_factor(r->blocks, r->matrix));
    r->step = step;
    return ZN_OK;
}

zn_status zn_response_allow_curvature(zn_response *r, const char *linear_solver)
{
    return r->splitting || zn_response_iterates(r)
               ? ZN_OK
               : zn_curvature_create(r->sys, r->matrix, linear_solver, r->blocks != NULL, &r->curvature);
}

bool zn_response_bends(const zn_response *r, int contacts, int rows)
{
    const double most = 64e6; // bytes of columns
    double       bytes = (double)sizeof(double) * r->sys->info.n * contacts * r->sys->contact_rows;
    return r->curvature && (!r->blocks || (rows <= ZN_BENT_ROWS && bytes <= most));
}

// Columns of a pile, which it has while it is bent only: this is where Newton's method would fail without.
static zn_status reserve_bent(zn_response *r, int contacts)
{
    if (!r->blocks || contacts * r->sys->contact_rows <= r->columns.capacity)
        return ZN_OK;
    int64_t factors = r->columns.factors;
    zn_delassus_destroy(&r->columns);
    r->columns = (zn_delassus){0};
    zn_status status = zn_delassus_create(r->sys, contacts + contacts / 4, &r->columns);
    r->columns.factors = factors;
    return status;
}

zn_status zn_response_bend(zn_response *r, zn_at at, const double abc[3], double step, const zn_bend *bend)
{
    ZN_ASSERT(r->curvature);
    r->step = 0;
    ZN_TRY(reserve_bent(r, bend->set->count));
    zn_delassus_invalidate(&r->columns);
    ZN_TRY(zn_system_operators(r->sys, at, abc[0], abc[1], abc[2], r->matrix));
    zn_status status = zn_curvature_factor(r->curvature, r->sys, r->matrix, bend);
    if (status == ZN_SINGULAR)
        status = zn_linsolver_factor(r->solver, r->matrix);
    if (status == ZN_OK && zn_response_in_blocks(r))
        status = zn_node_blocks_factor(r->blocks, r->matrix);
    ZN_TRY(status);
    r->step = step;
    return ZN_OK;
}

// Those of the curved matrix while it is in use.
static zn_linsolver *factors(const zn_response *r)
{
    return r->curvature && r->curvature->used ? r->curvature->matrix.solver : r->solver;
}

bool zn_response_is_for(const zn_response *r, double step)
{
    return r->step == step && !(r->curvature && r->curvature->used);
}

void zn_response_history(zn_response *r, const zn_blob *blob, double step)
{
    bool found_again = r->sys->info.linear && r->step == step && zn_linsolver_is_fresh(r->solver);
    if (blob->dry || (!blob->loading && found_again))
        return;
    r->step = 0;
    zn_linsolver_forget(r->solver);
    if (r->splitting)
        zn_splitting_forget(r->splitting);
    if (r->curvature)
        zn_curvature_forget(r->curvature);
}

zn_status zn_response_solve(zn_response *r, double *x)
{
    ZN_ASSERT(r->solver && x);
    ZN_TRY(zn_fault_point());
    return zn_linsolver_solve(factors(r), 1, x);
}

// The name of the backend, of a response that has no columns.
static const char *named_without(const char *backend)
{
    static const char *const names[] = {"dense" ZN_WITHOUT_COLUMNS, "klu" ZN_WITHOUT_COLUMNS,
                                        "mumps" ZN_WITHOUT_COLUMNS, "amg" ZN_WITHOUT_COLUMNS,
                                        "boomeramg" ZN_WITHOUT_COLUMNS};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(names[i], backend, strlen(backend)) == 0)
            return names[i];
    return backend;
}

zn_linsolver_info zn_response_info(const zn_response *r)
{
    zn_linsolver_info info = zn_linsolver_get_info(r->solver), sum = info;
    if (r->curvature)
        zn_curved_matrix_add_work(&r->curvature->matrix, &sum);
    if (r->splitting)
        zn_splitting_add_work(r->splitting, &sum);
    sum.backend = r->splitting ? named_without(info.backend) : info.backend;
    return sum;
}

// --- rows ----------------------------------------------------------------------------------------

zn_status zn_response_update(zn_response *r, const zn_contact_set *set, zn_rows H, const zn_row_list *list)
{
    ZN_ASSERT(!zn_response_in_blocks(r));
    return r->solver ? zn_delassus_columns(&r->columns, factors(r), set, H, list->rows, list->row) : ZN_OK;
}

// Which degrees of freedom row i has: bits of their last digits.
static uint64_t row_bits(zn_rows G, int i)
{
    uint64_t bits = 0;
    for (int k = G.start[i]; k < G.start[i + 1]; k++)
        bits |= UINT64_C(1) << (G.dof[k] % 64);
    return bits;
}

// G_i H_j' over the free degrees of freedom.
static double row_product(zn_rows G, int i, zn_rows H, int j, int n)
{
    double sum = 0;
    for (int k = G.start[i]; k < G.start[i + 1]; k++)
        for (int l = H.start[j]; G.dof[k] < n && l < H.start[j + 1]; l++)
            if (G.dof[k] == H.dof[l])
                sum += G.value[k] * H.value[l];
    return sum;
}

double zn_response_product(const zn_response *r, zn_rows G, int i, zn_rows H, int j)
{
    const double *column = zn_response_column(r, j);
    return column ? zn_rows_dot(G, i, r->columns.n, column) : row_product(G, i, H, j, r->sys->info.n);
}

void zn_response_add_row(const zn_response *r, zn_rows H, int row, double factor, double *y)
{
    ZN_ASSERT(y && y != zn_response_column(r, row));
    const double *column = zn_response_column(r, row);
    if (!column)
        zn_rows_add(H, row, r->sys->info.n, factor, y);
    for (int i = 0; column && i < r->columns.n; i++)
        y[i] += factor * column[i];
}

// --- W -------------------------------------------------------------------------------------------

// G H' itself; half of it where H is G.
static void multiply_rows(zn_rows G, zn_rows H, const zn_row_list *list, int n, double *W)
{
    int  m = list->rows;
    bool symmetric = H.value == G.value;
    for (int k = 0; k < m; k++) {
        uint64_t bits = row_bits(G, list->row[k]);
        for (int l = 0; l < (symmetric ? k + 1 : m); l++) {
            bool common = (bits & row_bits(H, list->row[l])) != 0;
            W[k * m + l] = common ? row_product(G, list->row[k], H, list->row[l], n) : 0;
            if (symmetric)
                W[l * m + k] = W[k * m + l];
        }
    }
}

// What row i has in common with columns.
static uint64_t touched_by_row(const zn_delassus *d, zn_rows G, int i)
{
    uint64_t bits = 0;
    for (int k = G.start[i]; k < G.start[i + 1]; k++)
        bits |= G.dof[k] < d->n ? zn_delassus_bit(d, G.dof[k]) : 0;
    return bits;
}

static zn_status assemble_dense(zn_response *r, const zn_contact_set *set, zn_rows G, zn_rows H,
                                const zn_row_list *list, double *W)
{
    int m = list->rows, n = r->sys->info.n;
    if (!r->solver) {
        multiply_rows(G, H, list, n, W);
        return ZN_OK;
    }
    ZN_TRY(zn_response_update(r, set, H, list));
    for (int k = 0; k < m; k++) {
        uint64_t bits = touched_by_row(&r->columns, G, list->row[k]);
        for (int l = 0; l < m; l++) {
            bool common = (bits & r->columns.touched[list->row[l]]) != 0;
            W[k * m + l] = common ? zn_rows_dot(G, list->row[k], n, zn_response_column(r, list->row[l])) : 0;
        }
    }
    return ZN_OK;
}

zn_status zn_response_assemble(zn_response *r, const zn_contact_set *set, zn_rows G, zn_rows H, const zn_row_list *list,
                               double *W)
{
    ZN_ASSERT(zn_response_is_sparse(r, list->rows) || list->rows == 0 || W || r->splitting);
    if (r->splitting)
        return zn_splitting_assemble(r->splitting, r->matrix, set, G, list);
    if (!zn_response_in_blocks(r))
        return assemble_dense(r, set, G, H, list, W);
    ZN_TRY(zn_node_blocks_assemble(r->blocks, G, H, list));
    if (!zn_response_is_sparse(r, list->rows))
        zn_node_blocks_write(r->blocks, W);
    return ZN_OK;
}

void zn_response_add(const zn_response *r, zn_rows H, const zn_row_list *list, const double *p, double *x)
{
    ZN_ASSERT(list->rows == 0 || (p && x));
    if (zn_response_in_blocks(r)) {
        zn_node_blocks_respond(r->blocks, p, x);
        return;
    }
    int n = r->sys->info.n;
    for (int i = 0; i < n && r->splitting; i++)
        x[i] += r->splitting->x[i];
    for (int k = 0; k < list->rows && !r->splitting; k++) {
        const double *column = zn_response_column(r, list->row[k]);
        if (!column)
            zn_rows_add(H, list->row[k], n, p[k], x);
        for (int i = 0; column && i < n; i++)
            x[i] += p[k] * column[i];
    }
}

void zn_response_push(const zn_response *r, const double *f, double *x)
{
    ZN_ASSERT(zn_response_in_blocks(r));
    zn_node_blocks_push(r->blocks, f, x);
}
