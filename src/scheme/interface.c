// Inverse of the sum of two responses, in blocks. See interface.h.
#include "scheme/interface.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/wide.h"
#include "zn/math.h"

zn_status zn_interface_create(int links, zn_interface *out)
{
    size_t       n = (size_t)links, square = n * n;
    zn_interface f = {.links = links,
                      .first = ZN_NEW(int, 5 * n + 1),
                      .inverse = ZN_NEW(double, 5 * square),
                      .work = ZN_NEW(double, square + 5 * n)};
    if (!f.first || !f.inverse || !f.work) {
        zn_interface_destroy(&f);
        return ZN_ERR_MEMORY;
    }
    f.order = f.first + n + 1;
    f.parent = f.order + n;
    f.pivot = f.parent + n;
    f.place = f.pivot + n;
    f.value = f.inverse + square;
    f.result = f.work + square + n;
    *out = f;
    return ZN_OK;
}

void zn_interface_destroy(zn_interface *f)
{
    free(f->first);
    free(f->inverse);
    free(f->work);
    *f = (zn_interface){0};
}

// --- blocks --------------------------------------------------------------------------------------

static int root_of(const zn_interface *f, int i)
{
    while (f->parent[i] != i)
        i = f->parent[i];
    return i;
}

// Links that a or b ties together, directly or through others; a block is named by its first link.
static void find_blocks(zn_interface *f, const double *a, const double *b)
{
    int n = f->links, next = 0;
    for (int i = 0; i < n; i++)
        f->parent[i] = i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (a[i * n + j] != 0 || b[i * n + j] != 0) {
                int x = root_of(f, i), y = root_of(f, j);
                f->parent[x > y ? x : y] = x > y ? y : x;
            }
    f->blocks = 0;
    for (int k = 0; k < n; k++) {
        if (f->parent[k] != k)
            continue;
        f->first[f->blocks++] = next;
        for (int i = k; i < n; i++)
            if (root_of(f, i) == k)
                f->order[next++] = i;
    }
    f->first[f->blocks] = next;
}

static zn_status invert_block(zn_interface *f, const int *own, int m, const double *a, const double *b, double *inverse)
{
    int     n = f->links;
    double *column = f->work + (size_t)n * (size_t)n;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            f->work[i * m + j] = a[own[i] * n + own[j]] + b[own[i] * n + own[j]];
    ZN_TRY(zn_dense_lu_factor(m, f->work, f->pivot));
    for (int j = 0; j < m; j++) {
        memset(column, 0, sizeof *column * (size_t)m);
        column[j] = 1;
        zn_dense_lu_solve(m, f->work, f->pivot, column);
        memcpy(inverse + j * m, column, sizeof *column * (size_t)m);
    }
    return ZN_OK;
}

// --- product -------------------------------------------------------------------------------------

static int fours(int rows) { return (rows + 3) / 4; }

static void list_columns(zn_interface *f)
{
    const double *A = f->inverse;
    double       *value = f->value;
    int           row = 0;
    for (int k = 0; k < f->blocks; k++) {
        int m = f->first[k + 1] - f->first[k], padded = 4 * fours(m);
        for (int j = 0; j < m; j++) {
            f->place[f->order[f->first[k] + j]] = row + j;
            memset(value, 0, sizeof *value * (size_t)padded);
            memcpy(value, A, sizeof *value * (size_t)m);
            value += padded;
            A += m;
        }
        row += padded;
    }
}

zn_status zn_interface_invert(zn_interface *f, const double *a, const double *b)
{
    double *inverse = f->inverse;
    find_blocks(f, a, b);
    for (int k = 0; k < f->blocks; k++) {
        int m = f->first[k + 1] - f->first[k];
        ZN_TRY(invert_block(f, f->order + f->first[k], m, a, b, inverse));
        inverse += (size_t)m * (size_t)m;
    }
    list_columns(f);
    return ZN_OK;
}

// result = A x of a block with m columns of n fours each, n a constant: all of its rows side by side.
ZN_INLINE void multiply_block(int m, int n, const double *value, const int *own, const double *x, double *result)
{
    zn_four sum[4] = {{0}, {0}, {0}, {0}};
    for (int j = 0; j < m; j++)
        for (int k = 0; k < n; k++)
            sum[k] += *(const zn_four *)(value + 4 * (n * j + k)) * x[own[j]];
    for (int k = 0; k < n; k++)
        *(zn_four *)(result + 4 * k) = sum[k];
}

// Any number of fours, one after the other.
ZN_INLINE void multiply_large(int m, int n, const double *value, const int *own, const double *x, double *result)
{
    for (int k = 0; k < n; k++) {
        zn_four sum = {0};
        for (int j = 0; j < m; j++)
            sum += *(const zn_four *)(value + 4 * (n * j + k)) * x[own[j]];
        *(zn_four *)(result + 4 * k) = sum;
    }
}

ZN_WIDE static void multiply(const zn_interface *f, const double *x)
{
    const double *value = f->value;
    double       *result = f->result;
    for (int b = 0; b < f->blocks; b++) {
        const int *own = f->order + f->first[b];
        int        m = f->first[b + 1] - f->first[b], n = fours(m);
        switch (n) {
        case 1:
            multiply_block(m, 1, value, own, x, result);
            break;
        case 2:
            multiply_block(m, 2, value, own, x, result);
            break;
        case 3:
            multiply_block(m, 3, value, own, x, result);
            break;
        default:
            multiply_large(m, n, value, own, x, result);
        }
        value += 4 * (size_t)n * (size_t)m;
        result += 4 * n;
    }
}

void zn_interface_apply(const zn_interface *f, const double *x, double *y)
{
    multiply(f, x);
    for (int i = 0; i < f->links; i++)
        y[i] = f->result[f->place[i]];
}
