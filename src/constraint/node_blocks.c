// Sparse Delassus operator from the blocks of the nodes. With G_u,k and H_u,k the rows of unit u on node k and A_k the
// block of that node,
//     W_uv = sum over the nodes k that u and v share of G_u,k A_k^-1 H_v,k'.
#include "constraint/node_blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "system/system.h"

enum { DOFS = ZN_NODE_DOFS, MAX_SHARES = 8 }; // nodes of one unit

// --- life ----------------------------------------------------------------------------------------

static void number_nodes(zn_node_blocks *b, const zn_system *sys)
{
    for (int k = 0; k < b->nodes; k++)
        for (int slot = 0, place = 0; slot < DOFS; slot++) {
            int dof = sys->layout.node[k].dof[slot];
            b->dof[k * DOFS + slot] = -1;
            if (dof < 0 || dof >= b->n)
                continue;
            b->node[dof] = k;
            b->place[dof] = place;
            b->dof[k * DOFS + place++] = dof;
        }
}

static bool is_decoupled(const zn_node_blocks *b, const zn_sparse *pattern)
{
    for (int j = 0; j < pattern->n; j++)
        for (int e = pattern->start[j]; e < pattern->start[j + 1]; e++)
            if (b->node[pattern->row[e]] != b->node[j])
                return false;
    return true;
}

zn_status zn_node_blocks_create(const zn_system *sys, zn_node_blocks **out)
{
    ZN_ASSERT(sys && out);
    *out = NULL;
    if (!sys->info.contacts_grow || sys->info.joints > 0)
        return ZN_OK;
    zn_node_blocks *b = ZN_NEW(zn_node_blocks, 1);
    if (!b)
        return ZN_ERR_MEMORY;
    b->n = sys->info.n;
    b->nodes = sys->layout.nodes;
    b->node = ZN_NEW(int, b->n);
    b->place = ZN_NEW(int, b->n);
    b->dof = ZN_NEW(int, (size_t)b->nodes *DOFS);
    b->inverse = ZN_NEW(double, (size_t)b->nodes *DOFS *DOFS);
    b->block = ZN_NEW(double, (size_t)b->nodes *DOFS *DOFS);
    b->node_start = ZN_NEW(int, b->nodes + 1);
    bool memory = b->node && b->place && b->dof && b->inverse && b->block && b->node_start;
    if (memory)
        number_nodes(b, sys);
    zn_sparse *pattern = NULL;
    zn_status  status = memory ? zn_system_matrix(sys, &pattern) : ZN_ERR_MEMORY;
    if (status != ZN_OK || !is_decoupled(b, pattern))
        zn_node_blocks_destroy(b);
    else
        *out = b;
    zn_sparse_destroy(pattern);
    return status;
}

zn_node_blocks *zn_node_blocks_destroy(zn_node_blocks *b)
{
    if (!b)
        return NULL;
    free(b->node);
    free(b->place);
    free(b->dof);
    free(b->inverse);
    free(b->block);
    free(b->first);
    free(b->share_start);
    free(b->share);
    free(b->node_start);
    free(b->node_share);
    free(b->start);
    free(b->column);
    free(b->value);
    free(b);
    return NULL;
}

// --- the blocks of A -----------------------------------------------------------------------------

// Gauss-Jordan elimination with row pivoting; A is overwritten.
static bool invert(int size, double A[DOFS][DOFS], double out[DOFS][DOFS])
{
    ZN_ASSERT(size >= 0 && size <= DOFS);
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            out[i][j] = i == j;
    for (int k = 0; k < size; k++) {
        int pivot = k;
        for (int i = k + 1; i < size; i++)
            pivot = fabs(A[i][k]) > fabs(A[pivot][k]) ? i : pivot;
        if (!(fabs(A[pivot][k]) > 0))
            return false;
        for (int j = 0; j < size; j++) {
            double a = A[k][j], o = out[k][j];
            A[k][j] = A[pivot][j];
            A[pivot][j] = a;
            out[k][j] = out[pivot][j];
            out[pivot][j] = o;
        }
        double divisor = A[k][k];
        for (int j = 0; j < size; j++) {
            A[k][j] /= divisor;
            out[k][j] /= divisor;
        }
        for (int i = 0; i < size; i++) {
            double factor = A[i][k];
            for (int j = 0; j < size && i != k && factor != 0; j++) {
                A[i][j] -= factor * A[k][j];
                out[i][j] -= factor * out[k][j];
            }
        }
    }
    return true;
}

zn_status zn_node_blocks_factor(zn_node_blocks *b, const zn_sparse *A)
{
    ZN_ASSERT(A->n == b->n);
    for (int k = 0; k < b->nodes; k++) {
        const int *dof = b->dof + k * DOFS;
        double     block[DOFS][DOFS] = {{0}}, inverse[DOFS][DOFS] = {{0}};
        int        size = 0;
        for (; size < DOFS && dof[size] >= 0; size++)
            for (int e = A->start[dof[size]]; e < A->start[dof[size] + 1]; e++)
                block[b->place[A->row[e]]][size] = A->value[e];
        double *own = b->block + (size_t)k * DOFS * DOFS;
        memcpy(own, block, sizeof block);
        for (int i = size; i < DOFS; i++)
            own[i * DOFS + i] = 1;
        if (!invert(size, block, inverse))
            return ZN_SINGULAR;
        double *columns = b->inverse + (size_t)k * DOFS * DOFS;
        for (int i = 0; i < DOFS; i++)
            for (int j = 0; j < DOFS; j++)
                columns[j * DOFS + i] = inverse[i][j];
    }
    return ZN_OK;
}

void zn_node_blocks_identity(zn_node_blocks *b)
{
    for (int k = 0; k < b->nodes * DOFS * DOFS; k++)
        b->inverse[k] = b->block[k] = k % (DOFS * DOFS) % (DOFS + 1) == 0;
}

// --- the shares of a problem ----------------------------------------------------------------------

static zn_status reserve(zn_node_blocks *b, int units, int shares, int rows)
{
    int same[2] = {b->unit_capacity, b->share_capacity}; // arrays that grow alike
    ZN_TRY(zn_grow(&b->first, &same[0], units + 1, sizeof *b->first));
    ZN_TRY(zn_grow(&b->share_start, &b->unit_capacity, units + 1, sizeof *b->share_start));
    ZN_TRY(zn_grow(&b->node_share, &same[1], shares, sizeof *b->node_share));
    ZN_TRY(zn_grow(&b->share, &b->share_capacity, shares, sizeof *b->share));
    return zn_grow(&b->start, &b->row_capacity, rows + 1, sizeof *b->start);
}

// The share of unit u on a node; NULL when there are too many.
static zn_node_share *share_on(zn_node_share *share, int *count, int node, int u)
{
    ZN_ASSERT(*count >= 0 && *count <= MAX_SHARES && node >= 0);
    int k = 0;
    while (k < *count && share[k].node != node)
        k++;
    if (k == MAX_SHARES)
        return NULL;
    if (k == *count)
        share[(*count)++] = (zn_node_share){.node = node, .unit = u};
    return &share[k];
}

// Entries of one row of unit u: into `row`, or those of H into `response`, from where A^-1 takes them on.
static bool add_row(zn_node_blocks *b, zn_rows rows, int row, int r, bool force, int u, int *count)
{
    zn_node_share *share = NULL; // entries of a node come one after the other
    for (int e = rows.start[row]; e < rows.start[row + 1]; e++) {
        int dof = rows.dof[e];
        if (dof >= b->n || rows.value[e] == 0)
            continue;
        if (!share || share->node != b->node[dof])
            share = share_on(b->share + b->share_start[u], count, b->node[dof], u);
        if (!share)
            return false;
        (force ? share->response : share->row)[r][b->place[dof]] += rows.value[e];
    }
    return true;
}

// response = A^-1 H'; `same`: H is G.
static void set_response(const zn_node_blocks *b, zn_node_share *share, bool same)
{
    ZN_ASSERT(share->node < b->nodes && share->unit < b->units);
    const double *inverse = b->inverse + (size_t)share->node * DOFS * DOFS;
    for (int r = 0; r < b->first[share->unit + 1] - b->first[share->unit]; r++) {
        const double *push = same ? share->row[r] : share->response[r];
        double        sum[DOFS] = {0};
        for (int j = 0; j < DOFS; j++)
            for (int i = 0; i < DOFS; i++)
                sum[i] += inverse[j * DOFS + i] * push[j];
        memcpy(share->response[r], sum, sizeof sum);
    }
}

// The shares of unit u, whose rows of the set begin at row[0]; returns their number, -1 when there are too many nodes.
static int add_shares(zn_node_blocks *b, zn_rows G, zn_rows H, const int *row, int u)
{
    int count = 0;
    for (int r = 0; r < b->first[u + 1] - b->first[u]; r++)
        if (!add_row(b, G, row[r], r, false, u, &count) ||
            (H.value != G.value && !add_row(b, H, row[r], r, true, u, &count)))
            return -1;
    return count;
}

static zn_status collect_shares(zn_node_blocks *b, zn_rows G, zn_rows H, const zn_row_list *list)
{
    int joints = list->equations;
    b->units = joints + list->contacts;
    ZN_TRY(reserve(b, b->units, 0, list->rows));
    for (int u = 0; u <= b->units; u++)
        b->first[u] = u < joints ? u : list->first[u - joints];
    b->share_start[0] = 0;
    for (int u = 0; u < b->units; u++) {
        ZN_TRY(reserve(b, b->units, b->share_start[u] + MAX_SHARES, 0));
        int count = add_shares(b, G, H, list->row + b->first[u], u);
        if (count < 0)
            return ZN_ERR_UNSUPPORTED;
        b->share_start[u + 1] = b->share_start[u] + count;
        for (int k = 0; k < count; k++)
            set_response(b, b->share + b->share_start[u] + k, H.value == G.value);
    }
    return ZN_OK;
}

// Shares by node; units ascend.
static void sort_shares(zn_node_blocks *b)
{
    int shares = b->share_start[b->units];
    memset(b->node_start, 0, sizeof *b->node_start * ((size_t)b->nodes + 1));
    for (int k = 0; k < shares; k++)
        b->node_start[b->share[k].node + 1]++;
    for (int k = 0; k < b->nodes; k++)
        b->node_start[k + 1] += b->node_start[k];
    for (int k = shares - 1; k >= 0; k--)
        b->node_share[--b->node_start[b->share[k].node + 1]] = k;
    memmove(b->node_start, b->node_start + 1, sizeof *b->node_start * (size_t)b->nodes);
    b->node_start[b->nodes] = shares;
}

// --- W -------------------------------------------------------------------------------------------

// block += G_u A^-1 H_v' on one node
static void add_block(const zn_node_share *u, int rows, const zn_node_share *v, int columns, double block[3][3])
{
    ZN_ASSERT(u->node == v->node && rows <= 3 && columns <= 3);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            double sum = 0;
            for (int i = 0; i < DOFS; i++)
                sum += u->row[r][i] * v->response[c][i];
            block[r][c] += sum;
        }
}

// All blocks of unit u, by merging the ascending lists of units on its nodes. `entry`: first free place; the rows of u
// are laid out one after the other once their length is known.
static zn_status add_rows(zn_node_blocks *b, int u, int *entry)
{
    int rows = b->first[u + 1] - b->first[u], shares = b->share_start[u + 1] - b->share_start[u], length = 0, room = 0;
    const zn_node_share *own = b->share + b->share_start[u];
    int                  head[MAX_SHARES];
    for (int k = 0; k < shares; k++) {
        head[k] = b->node_start[own[k].node];
        room += 3 * (b->node_start[own[k].node + 1] - head[k]);
    }
    int same = b->entry_capacity;
    ZN_TRY(zn_grow(&b->column, &same, *entry + rows * room, sizeof *b->column));
    ZN_TRY(zn_grow(&b->value, &b->entry_capacity, *entry + rows * room, sizeof *b->value));
    for (;;) {
        int    next = b->units;
        double block[3][3] = {{0}};
        for (int k = 0; k < shares; k++)
            if (head[k] < b->node_start[own[k].node + 1] && b->share[b->node_share[head[k]]].unit < next)
                next = b->share[b->node_share[head[k]]].unit;
        if (next == b->units)
            break;
        int columns = b->first[next + 1] - b->first[next];
        for (int k = 0; k < shares; k++)
            if (head[k] < b->node_start[own[k].node + 1] && b->share[b->node_share[head[k]]].unit == next)
                add_block(&own[k], rows, &b->share[b->node_share[head[k]++]], columns, block);
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++) { // `room` apart until the length is known
                b->column[*entry + r * room + length + c] = b->first[next] + c;
                b->value[*entry + r * room + length + c] = block[r][c];
            }
        length += columns;
    }
    for (int r = 0; r < rows; r++) {
        b->start[b->first[u] + r] = *entry + r * length;
        memmove(b->column + *entry + r * length, b->column + *entry + r * room, sizeof *b->column * (size_t)length);
        memmove(b->value + *entry + r * length, b->value + *entry + r * room, sizeof *b->value * (size_t)length);
    }
    *entry += rows * length;
    return ZN_OK;
}

zn_status zn_node_blocks_collect(zn_node_blocks *b, zn_rows G, zn_rows H, const zn_row_list *list)
{
    ZN_ASSERT(list->first[0] == list->equations && list->first[list->contacts] == list->rows);
    ZN_TRY(collect_shares(b, G, H, list));
    sort_shares(b);
    return ZN_OK;
}

zn_status zn_node_blocks_assemble(zn_node_blocks *b, zn_rows G, zn_rows H, const zn_row_list *list)
{
    return zn_node_blocks_assemble_first(b, G, H, list, list->equations + list->contacts);
}

zn_status zn_node_blocks_assemble_first(zn_node_blocks *b, zn_rows G, zn_rows H, const zn_row_list *list, int units)
{
    int entry = 0;
    ZN_TRY(zn_node_blocks_collect(b, G, H, list));
    ZN_ASSERT(units <= b->units);
    for (int u = 0; u < units; u++)
        ZN_TRY(add_rows(b, u, &entry));
    for (int k = b->first[units]; k <= list->rows; k++)
        b->start[k] = entry;
    b->W = (zn_fc_matrix){list->rows, list->rows, b->start, b->column, b->value};
    return ZN_OK;
}

void zn_node_blocks_write(const zn_node_blocks *b, double *W)
{
    ZN_ASSERT(W || b->W.rows == 0);
    size_t n = (size_t)b->W.rows;
    memset(W, 0, sizeof *W * n * n);
    for (int k = 0; k < b->W.rows; k++)
        for (int e = b->start[k]; e < b->start[k + 1]; e++)
            W[(size_t)k * n + (size_t)b->column[e]] = b->value[e];
}

void zn_node_blocks_respond(const zn_node_blocks *b, const double *P, double *v)
{
    ZN_ASSERT(b->units == 0 || (P && v));
    for (int k = 0; k < b->share_start[b->units]; k++) {
        const zn_node_share *share = &b->share[k];
        const int           *dof = b->dof + share->node * DOFS;
        for (int i = 0; i < DOFS && dof[i] >= 0; i++)
            for (int r = 0; r < b->first[share->unit + 1] - b->first[share->unit]; r++)
                v[dof[i]] += share->response[r][i] * P[b->first[share->unit] + r];
    }
}

void zn_node_blocks_push(const zn_node_blocks *b, const double *f, double *v)
{
    for (int k = 0; k < b->nodes; k++) {
        const int    *dof = b->dof + k * DOFS;
        const double *inverse = b->inverse + (size_t)k * DOFS * DOFS;
        for (int j = 0; j < DOFS && dof[j] >= 0; j++)
            for (int i = 0; i < DOFS && dof[i] >= 0; i++)
                v[dof[i]] += inverse[j * DOFS + i] * f[dof[j]];
    }
}

// --- blocks that are borrowed ---------------------------------------------------------------------

zn_status zn_node_blocks_lend(const zn_node_blocks *from, zn_node_blocks *to)
{
    ZN_ASSERT(!to->node_start || to->nodes == from->nodes);
    if (!to->node_start)
        to->node_start = ZN_NEW(int, from->nodes + 1);
    to->n = from->n;
    to->nodes = from->nodes;
    to->node = from->node;
    to->place = from->place;
    to->dof = from->dof;
    to->block = from->block;
    to->inverse = from->inverse;
    return to->node_start ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_node_blocks_return(zn_node_blocks *b)
{
    free(b->first);
    free(b->share_start);
    free(b->share);
    free(b->node_start);
    free(b->node_share);
    free(b->start);
    free(b->column);
    free(b->value);
    *b = (zn_node_blocks){0};
}
