// Blocks of contacts from a dense or a sparse matrix, and products with them.
#include "solve/friction_blocks.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/wide.h"
#include "solve/friction.h"

// --- reading the caller's matrix -----------------------------------------------------------------

static void list_blocks(const zn_fc_problem *p, zn_fc_blocks *b, int *owner)
{
    ZN_ASSERT(p->contacts == 0 || p->first[0] == p->bilateral);
    for (int i = 0; i < p->bilateral; i++) {
        b->first[i] = owner[i] = i;
        b->mu[i] = b->leader[i] = -1;
    }
    for (int c = 0; c < p->contacts; c++) {
        int k = p->bilateral + c;
        b->first[k] = p->first[c];
        b->mu[k] = p->mu[c];
        b->leader[k] = zn_fc_leader(p, c) >= 0 ? p->bilateral + zn_fc_leader(p, c) : -1;
        b->follow |= b->leader[k] >= 0;
        for (int i = p->first[c]; i < p->first[c + 1]; i++)
            owner[i] = k;
    }
    b->first[b->count] = p->n;
    b->even = true;
    for (int k = 0; k < b->count; k++)
        b->even &= zn_fc_block_rows(b, k) == 3;
}

// Rows of a block that have entries in the same columns: one of them tells the neighbours of all.
static bool are_alike(const zn_fc_problem *p, int first, int last)
{
    zn_fc_row one = zn_fc_row_of(p, first);
    for (int i = first + 1; i < last; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        if (row.count != one.count || memcmp(row.column, one.column, sizeof *one.column * (size_t)one.count) != 0)
            return false;
    }
    return true;
}

// Neighbours of block c in b->other from b->start[c] on; `seen` is c for those that are listed. `room` of b->other.
static int list_neighbours(const zn_fc_problem *p, const zn_fc_blocks *b, int c, const int *owner, int *seen, int *out)
{
    ZN_ASSERT(c >= 0 && c < b->count);
    int count = 0, leader = b->leader[c];
    seen[c] = c;
    if (leader >= 0) { // its law has the leader's reaction, whatever W has
        seen[leader] = c;
        if (out != NULL)
            out[count] = leader;
        count++;
    }
    bool alike = p->W == NULL && are_alike(p, b->first[c], b->first[c + 1]);
    for (int i = b->first[c]; i < (alike ? b->first[c] + 1 : b->first[c + 1]); i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        for (int k = 0; k < row.count; k++) {
            int o = owner[row.column != NULL ? row.column[k] : k];
            if ((row.value[k] == 0 && !alike) || seen[o] == c)
                continue;
            seen[o] = c;
            if (out != NULL)
                out[count] = o;
            count++;
        }
    }
    return count;
}

static void clear_marks(int count, int *seen)
{
    for (int c = 0; c < count; c++)
        seen[c] = -1;
}

// Pattern: two passes, the first one counts. Returns the number of values.
static zn_status list_pattern(const zn_fc_problem *p, zn_fc_workspace *memory, zn_fc_blocks *b, const int *owner,
                              int *seen, size_t *values)
{
    clear_marks(b->count, seen);
    b->start[0] = 0;
    for (int c = 0; c < b->count; c++)
        b->start[c + 1] = b->start[c] + list_neighbours(p, b, c, owner, seen, NULL);
    int total = b->start[b->count];
    b->other = ZN_FC_TAKE(memory, int, total);
    b->at = ZN_FC_TAKE(memory, size_t, total);
    if (b->other == NULL || b->at == NULL)
        return ZN_ERR_MEMORY;
    clear_marks(b->count, seen);
    *values = 0;
    for (int c = 0; c < b->count; c++) {
        list_neighbours(p, b, c, owner, seen, b->other + b->start[c]);
        for (int k = b->start[c]; k < b->start[c + 1]; k++) {
            b->at[k] = *values;
            *values += (size_t)(zn_fc_block_rows(b, c) * zn_fc_block_rows(b, b->other[k]));
        }
    }
    return ZN_OK;
}

static double scale_blocks(const zn_fc_problem *p, zn_fc_blocks *b)
{
    double total = 0, squares = 0;
    b->data = 0;
    for (int c = 0; c < b->count; c++) {
        double d = zn_fc_block_size(p, b->first[c], b->first[c + 1]);
        b->scale[c] = d <= DBL_MAX ? zn_lcp_scale_of(d) : 1;
        b->size[c] = d * b->scale[c] * b->scale[c];
        if (b->leader[c] >= 0) // s' |r'| <= mu s r'_N
            b->mu[c] *= b->scale[b->leader[c]] / b->scale[c];
        total += b->mu[c];
        for (int i = b->first[c]; i < b->first[c + 1]; i++) {
            b->q[i] = p->q[i] * b->scale[c];
            b->data = fmax(b->data, fabs(b->q[i]) / sqrt(b->size[c]));
            total += fabs(p->q[i]);
            squares += p->q[i] * p->q[i];
        }
    }
    b->q_norm = sqrt(squares);
    return total;
}

// Values; `slot` says where the neighbour's values begin, and is not read for others.
static double fill_values(const zn_fc_problem *p, zn_fc_blocks *b, const int *owner, size_t *slot)
{
    double total = 0;
    for (int c = 0; c < b->count; c++) {
        int rows = zn_fc_block_rows(b, c);
        for (int k = b->start[c]; k < b->start[c + 1]; k++) {
            int o = b->other[k], columns = zn_fc_block_rows(b, o);
            slot[o] = b->at[k];
            memset(b->value + b->at[k], 0, sizeof(double) * (size_t)(rows * columns));
        }
        double *diagonal = b->diagonal + 9 * (size_t)c;
        memset(diagonal, 0, 9 * sizeof *diagonal);
        for (int i = 0; i < rows; i++) {
            zn_fc_row row = zn_fc_row_of(p, b->first[c] + i);
            for (int k = 0; k < row.count; k++) {
                if (row.value[k] == 0)
                    continue;
                int    j = row.column != NULL ? row.column[k] : k, o = owner[j];
                double v = row.value[k] * b->scale[c] * b->scale[o];
                total += fabs(row.value[k]);
                if (o == c)
                    diagonal[3 * i + j - b->first[c]] += v;
                else
                    b->value[slot[o] + (size_t)((j - b->first[o]) * rows + i)] += v;
            }
        }
    }
    return total;
}

zn_status zn_fc_blocks_create(const zn_fc_problem *p, zn_fc_workspace *memory, zn_fc_blocks *b)
{
    ZN_ASSERT(p->n > 0 && memory && b);
    int    count = p->bilateral + p->contacts;
    size_t values;
    b->n = p->n;
    b->count = count;
    b->first = ZN_FC_TAKE(memory, int, count + 1);
    b->start = ZN_FC_TAKE(memory, int, count + 1);
    b->follow = false;
    b->near = ZN_FC_EXACTLY;
    b->leader = ZN_FC_TAKE(memory, int, count);
    b->mu = ZN_FC_TAKE(memory, double, count);
    b->scale = ZN_FC_TAKE(memory, double, count);
    b->size = ZN_FC_TAKE(memory, double, count);
    b->q = ZN_FC_TAKE(memory, double, p->n);
    b->diagonal = ZN_FC_TAKE(memory, double, 9 * (size_t)count);
    b->local = ZN_FC_TAKE(memory, zn_fc_local, count);
    int    *owner = ZN_FC_TAKE(memory, int, p->n), *seen = ZN_FC_TAKE(memory, int, count);
    size_t *slot = ZN_FC_TAKE(memory, size_t, count);
    if (!b->first || !b->start || !b->leader || !b->mu || !b->scale || !b->size || !b->q || !b->diagonal || !b->local ||
        !owner || !seen || !slot)
        return ZN_ERR_MEMORY;
    list_blocks(p, b, owner);
    ZN_TRY(list_pattern(p, memory, b, owner, seen, &values));
    b->value = ZN_FC_TAKE(memory, double, values + 1);
    if (b->value == NULL)
        return ZN_ERR_MEMORY;
    b->value[values] = 0;
    double total = scale_blocks(p, b);
    total += fill_values(p, b, owner, slot);
    for (int c = 0; c < count; c++)
        if (zn_fc_block_rows(b, c) == 3)
            b->local[c] = zn_fc_local_of(b->diagonal + 9 * (size_t)c, 3);
    ZN_ASSERT(b->first[count] == p->n);
    return total <= DBL_MAX ? ZN_OK : ZN_NOT_FINITE;
}

// --- products ------------------------------------------------------------------------------------

static void add_general(int rows, int columns, const double *v, const double *x, double *y)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            y[i] += v[j * rows + i] * x[j];
}

static void row_general(const zn_fc_blocks *b, int c, const double *r, double *u)
{
    int rows = zn_fc_block_rows(b, c);
    for (int k = b->start[c]; k < b->start[c + 1]; k++) {
        int o = b->other[k];
        add_general(rows, zn_fc_block_rows(b, o), b->value + b->at[k], r + b->first[o], u);
    }
}

// Neighbours that have as many rows are the rule.
static void row_of_two(const zn_fc_blocks *b, int c, const double *r, double *u)
{
    double y0 = u[0], y1 = u[1];
    for (int k = b->start[c]; k < b->start[c + 1]; k++) {
        int           o = b->other[k];
        const double *v = b->value + b->at[k], *x = r + b->first[o];
        if (zn_fc_block_rows(b, o) != 2) {
            double y[2] = {y0, y1};
            add_general(2, zn_fc_block_rows(b, o), v, x, y);
            y0 = y[0], y1 = y[1];
            continue;
        }
        y0 += v[0] * x[0] + v[2] * x[1];
        y1 += v[1] * x[0] + v[3] * x[1];
    }
    u[0] = y0;
    u[1] = y1;
}

// Where all blocks have three rows their values lie one after the other. The fourth of four numbers is the first one of
// the next column, and its sum is nobody's.
ZN_WIDE static void row_of_threes(const zn_fc_blocks *b, int c, const double *r, double *u)
{
    zn_four       y = {u[0], u[1], u[2], 0};
    const double *v = b->value + 9 * (size_t)b->start[c];
    for (int k = b->start[c]; k < b->start[c + 1]; k++, v += 9) {
        const double *x = r + 3 * (size_t)b->other[k];
        y += x[0] * *(const zn_four *)v + x[1] * *(const zn_four *)(v + 3) + x[2] * *(const zn_four *)(v + 6);
    }
    u[0] = y[0];
    u[1] = y[1];
    u[2] = y[2];
}

static void row_of_three(const zn_fc_blocks *b, int c, const double *r, double *u)
{
    double y0 = u[0], y1 = u[1], y2 = u[2];
    for (int k = b->start[c]; k < b->start[c + 1]; k++) {
        int           o = b->other[k];
        const double *v = b->value + b->at[k], *x = r + b->first[o];
        if (zn_fc_block_rows(b, o) != 3) {
            double y[3] = {y0, y1, y2};
            add_general(3, zn_fc_block_rows(b, o), v, x, y);
            y0 = y[0], y1 = y[1], y2 = y[2];
            continue;
        }
        y0 += v[0] * x[0] + v[3] * x[1] + v[6] * x[2];
        y1 += v[1] * x[0] + v[4] * x[1] + v[7] * x[2];
        y2 += v[2] * x[0] + v[5] * x[1] + v[8] * x[2];
    }
    u[0] = y0;
    u[1] = y1;
    u[2] = y2;
}

void zn_fc_blocks_row(const zn_fc_blocks *b, int c, const double *r, double *u)
{
    ZN_ASSERT(c >= 0 && c < b->count && r != u);
    int rows = zn_fc_block_rows(b, c);
    for (int i = 0; i < rows; i++)
        u[i] = b->q[b->first[c] + i];
    if (b->even)
        row_of_threes(b, c, r, u);
    else if (rows == 3)
        row_of_three(b, c, r, u);
    else if (rows == 2)
        row_of_two(b, c, r, u);
    else
        row_general(b, c, r, u);
}

void zn_fc_blocks_multiply(const zn_fc_blocks *b, const double *r, double *u)
{
    ZN_ASSERT(r != u);
    for (int c = 0; c < b->count; c++) {
        const double *d = b->diagonal + 9 * (size_t)c, *x = r + b->first[c];
        double       *y = u + b->first[c];
        int           rows = zn_fc_block_rows(b, c);
        zn_fc_blocks_row(b, c, r, y);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < rows; j++)
                y[i] += d[3 * i + j] * x[j];
    }
}

// --- measures ------------------------------------------------------------------------------------

// max_i (|q_i| + sum_j |W_ij r_j|) / sqrt(d)
static double natural_scale(const zn_fc_blocks *b, const double *r)
{
    double scale = 0;
    for (int c = 0; c < b->count; c++) {
        int           rows = zn_fc_block_rows(b, c);
        double        sum[3], root = sqrt(b->size[c]);
        const double *d = b->diagonal + 9 * (size_t)c, *x = r + b->first[c];
        for (int i = 0; i < rows; i++) {
            sum[i] = fabs(b->q[b->first[c] + i]);
            for (int j = 0; j < rows; j++)
                sum[i] += fabs(d[3 * i + j] * x[j]);
        }
        for (int k = b->start[c]; k < b->start[c + 1]; k++) {
            int           o = b->other[k], columns = zn_fc_block_rows(b, o);
            const double *v = b->value + b->at[k], *y = r + b->first[o];
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++)
                    sum[i] += fabs(v[j * rows + i] * y[j]);
        }
        for (int i = 0; i < rows; i++)
            scale = sum[i] / root > scale ? sum[i] / root : scale;
    }
    return scale;
}

// |q| and what FCLIB's measure divides by, in the caller's units.
static double fclib_size(const zn_fc_blocks *b, double reactions, double velocities)
{
    double size = fmax(b->q_norm, sqrt(fmax(reactions, velocities)));
    return size > DBL_EPSILON ? size : 1;
}

double zn_fc_blocks_grown(const zn_fc_blocks *b, double measure, const double *r, const double *u)
{
    double reactions = 0, velocities = 0, scale = b->data > 0 ? natural_scale(b, r) : 0;
    if (!(scale > ZN_FC_MOST_GROWTH * b->data))
        return measure;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++) {
            double s = b->scale[c];
            reactions += s * s * r[i] * r[i];
            velocities += u[i] * u[i] / (s * s);
        }
    return measure * fclib_size(b, reactions, velocities) / fclib_size(b, 0, 0) + zn_fc_hidden(scale, b->data);
}

double zn_fc_blocks_measure(const zn_fc_blocks *b, zn_fc_measure measure, const double *r, const double *u)
{
    ZN_ASSERT(r && u && r != u);
    double worst = 0, squares = 0, total = 0, reactions = 0, velocities = 0;
    bool   fclib = measure == ZN_FC_MEASURE_FCLIB;
    for (int c = 0; c < b->count; c++) {
        double        s = b->scale[c], d = fclib ? s * s : b->size[c], violation;
        const double *x = r + b->first[c], *y = u + b->first[c];
        if (b->mu[c] < 0)
            violation = fclib ? fabs(y[0]) / s : fabs(y[0]) / sqrt(d);
        else if (b->leader[c] >= 0)
            violation =
                (fclib ? s : sqrt(d)) * zn_fc_disk_map(zn_fc_block_rows(b, c), zn_fc_block_radius(b, c, r), d, x, y);
        else
            violation = (fclib ? s : sqrt(d)) * zn_fc_natural_map(zn_fc_block_rows(b, c), b->mu[c], d, x, y);
        worst = violation > worst ? violation : worst;
        squares += violation * violation;
        total += violation + fabs(x[0]);
        for (int i = 0; fclib && i < zn_fc_block_rows(b, c); i++) {
            reactions += s * s * x[i] * x[i];
            velocities += y[i] * y[i] / (s * s);
        }
    }
    if (!(total <= DBL_MAX))
        return INFINITY;
    if (fclib)
        return sqrt(squares) / fclib_size(b, reactions, velocities);
    double scale = natural_scale(b, r), most = ZN_FC_MOST_GROWTH * b->data;
    if (most > 0 && scale > most)
        return worst / most + zn_fc_hidden(scale, b->data) / ZN_FC_MOST_GROWTH;
    return scale > 0 ? worst / scale : 0;
}
