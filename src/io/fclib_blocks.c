// A problem taken apart into the blocks of an FCLIB file.
#include "io/fclib_blocks.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/fclib_matrix.h"
#include "zn/math.h"

void zn_fclib_blocks_free(zn_fclib_blocks *b)
{
    free(b->place);
    free(b->q);
    zn_fc_matrix_free(b->W);
    zn_fc_matrix_free(b->V);
    zn_fc_matrix_free(b->R);
    *b = (zn_fclib_blocks){0};
}

static double diagonal(const zn_fc_problem *p, int i)
{
    if (p->W != NULL)
        return p->W[(size_t)i * (size_t)p->n + (size_t)i];
    for (int e = p->sparse->start[i]; e < p->sparse->start[i + 1]; e++)
        if (p->sparse->column[e] == i)
            return p->sparse->value[e];
    return 0;
}

// Where the rows of each contact go.
static zn_status lay_out(const zn_fc_problem *p, zn_fclib_blocks *b)
{
    b->dimension = 2;
    for (int c = 0; c < p->contacts; c++)
        if (p->first[c + 1] - p->first[c] > b->dimension)
            b->dimension = p->first[c + 1] - p->first[c];
    b->contacts = p->contacts;
    b->rows = p->contacts * b->dimension;
    b->equations = p->bilateral;
    b->mu = p->mu;
    b->s = p->q;
    b->padded = b->rows != p->n - p->bilateral;
    b->place = ZN_NEW(int, p->n);
    b->q = ZN_NEW(double, b->rows);
    if (b->place == NULL || b->q == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < p->bilateral; i++)
        b->place[i] = i;
    for (int c = 0; c < p->contacts; c++)
        for (int i = p->first[c]; i < p->first[c + 1]; i++) {
            b->place[i] = p->bilateral + c * b->dimension + i - p->first[c];
            b->q[b->place[i] - p->bilateral] = p->q[i];
        }
    return ZN_OK;
}

typedef struct block_entries {
    zn_entries W, V, R, transposed; // transposed: of the block beside the equations, to compare with V
} block_entries;

static zn_status add_entry(const zn_fclib_blocks *b, block_entries *to, int i, int j, double value)
{
    int row = b->place[i], column = b->place[j], e = b->equations;
    if (value == 0 && i != j)
        return ZN_OK;
    if (row >= e && column >= e)
        return zn_entries_add(&to->W, row - e, column - e, value);
    if (row >= e)
        return zn_entries_add(&to->V, row - e, column, value);
    if (column >= e)
        return zn_entries_add(&to->transposed, column - e, row, value);
    return zn_entries_add(&to->R, row, column, value);
}

static zn_status add_all(const zn_fc_problem *p, const zn_fclib_blocks *b, block_entries *to)
{
    for (int i = 0; i < p->n; i++) {
        if (p->W != NULL)
            for (int j = 0; j < p->n; j++)
                ZN_TRY(add_entry(b, to, i, j, p->W[(size_t)i * (size_t)p->n + (size_t)j]));
        else
            for (int e = p->sparse->start[i]; e < p->sparse->start[i + 1]; e++)
                ZN_TRY(add_entry(b, to, i, p->sparse->column[e], p->sparse->value[e]));
    }
    for (int c = 0; c < p->contacts; c++) // tangents the problem does not have
        for (int k = p->first[c + 1] - p->first[c]; k < b->dimension; k++)
            ZN_TRY(zn_entries_add(&to->W, c * b->dimension + k, c * b->dimension + k, diagonal(p, p->first[c])));
    return ZN_OK;
}

// Are two matrices equal up to rounding?
static bool same(const zn_fc_matrix *a, const zn_fc_matrix *b)
{
    double scale = 0, difference = 0;
    for (int i = 0; i < a->rows; i++) {
        int e = a->start[i], f = b->start[i];
        while (e < a->start[i + 1] || f < b->start[i + 1]) {
            int    ca = e < a->start[i + 1] ? a->column[e] : INT_MAX, cb = f < b->start[i + 1] ? b->column[f] : INT_MAX;
            double x = ca <= cb ? a->value[e++] : 0, y = cb <= ca ? b->value[f++] : 0;
            scale = fmax(scale, fmax(fabs(x), fabs(y)));
            difference = fmax(difference, fabs(x - y));
        }
    }
    return difference <= 1e-12 * scale;
}

static void spread(const zn_fc_matrix *a, double *dense)
{
    for (int i = 0; i < a->rows; i++)
        for (int e = a->start[i]; e < a->start[i + 1]; e++)
            dense[(size_t)i * (size_t)a->columns + (size_t)a->column[e]] = a->value[e];
}

// W - V R^-1 V2' and q - V R^-1 s, with V2' the block beside the equations: what is left without them.
static zn_status eliminate(zn_fclib_blocks *b, const zn_fc_matrix *transposed)
{
    int        m = b->rows, e = b->equations;
    double    *R = ZN_NEW(double, (size_t)e *(size_t)e), *X = ZN_NEW(double, (size_t)(m + 1) * (size_t)e);
    int       *pivot = ZN_NEW(int, e);
    zn_entries W = {0};
    zn_status  status = R == NULL || X == NULL || pivot == NULL ? ZN_ERR_MEMORY : ZN_OK;
    if (status == ZN_OK) {
        spread(b->R, R);
        spread(transposed, X); // row j: column j of the block beside the equations
        memcpy(X + (size_t)m * (size_t)e, b->s, (size_t)e * sizeof *X);
        status = zn_dense_lu_factor(e, R, pivot);
    }
    for (int j = 0; status == ZN_OK && j <= m; j++)
        zn_dense_lu_solve(e, R, pivot, X + (size_t)j * (size_t)e);
    for (int i = 0; status == ZN_OK && i < m; i++) {
        for (int k = b->W->start[i]; status == ZN_OK && k < b->W->start[i + 1]; k++)
            status = zn_entries_add(&W, i, b->W->column[k], b->W->value[k]);
        for (int j = 0; status == ZN_OK && j <= m; j++) {
            double sum = 0;
            for (int k = b->V->start[i]; k < b->V->start[i + 1]; k++)
                sum += b->V->value[k] * X[(size_t)j * (size_t)e + (size_t)b->V->column[k]];
            if (j == m)
                b->q[i] -= sum;
            else if (sum != 0)
                status = zn_entries_add(&W, i, j, -sum);
        }
    }
    const zn_fc_matrix *left = NULL;
    if (status == ZN_OK)
        status = zn_entries_compress(&W, m, m, &left);
    if (status == ZN_OK) {
        zn_fc_matrix_free(b->W);
        b->W = left;
        b->equations = 0;
        b->eliminated = true;
    }
    zn_entries_free(&W);
    free(R);
    free(X);
    free(pivot);
    return status;
}

zn_status zn_fclib_blocks_make(const zn_fc_problem *p, zn_fclib_blocks *out)
{
    zn_fclib_blocks     b = {0};
    block_entries       entries = {0};
    const zn_fc_matrix *transposed = NULL;
    zn_status           status = lay_out(p, &b);
    if (status == ZN_OK)
        status = add_all(p, &b, &entries);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries.W, b.rows, b.rows, &b.W);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries.V, b.rows, b.equations, &b.V);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries.R, b.equations, b.equations, &b.R);
    if (status == ZN_OK)
        status = zn_entries_compress(&entries.transposed, b.rows, b.equations, &transposed);
    if (status == ZN_OK && !same(b.V, transposed))
        status = eliminate(&b, transposed);
    zn_entries_free(&entries.W);
    zn_entries_free(&entries.V);
    zn_entries_free(&entries.R);
    zn_entries_free(&entries.transposed);
    zn_fc_matrix_free(transposed);
    if (status == ZN_OK)
        *out = b;
    else
        zn_fclib_blocks_free(&b);
    return status;
}
