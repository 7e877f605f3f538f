// Groups of contacts between the same two bodies. See friction_twins.h.
//
// Rows J of a group, as many as its rank, are chosen by Cholesky's factors with pivots; its other rows are combinations
// of these, T_p, so that W_pq = T_p W(J_p, J_q) T_q' with every other group q.
#include "solve/friction_twins.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

enum { SIZE = 3, MOST_RANK = ZN_FC_MOST_RANK };

// --- groups --------------------------------------------------------------------------------------

// Blocks between the same two bodies have the same neighbours, themselves included. Sum over these.
static uint64_t sum_neighbours(const zn_fc_blocks *b, int c)
{
    uint64_t sum = zn_fc_scatter(c);
    for (int k = b->start[c]; k < b->start[c + 1]; k++)
        sum += zn_fc_scatter(b->other[k]);
    return sum;
}

static void put_member(zn_fc_twins *t, int g, int c, int *used)
{
    t->group[c] = g;
    t->member[(*used)++] = c;
}

static void group_blocks(zn_fc_twins *t, const uint64_t *sum)
{
    const zn_fc_blocks *b = t->b;
    int                 used = 0;
    for (int c = 0; c < b->count; c++)
        t->group[c] = -1;
    for (int c = 0; c < b->count; c++) {
        if (t->group[c] >= 0)
            continue;
        t->start[t->groups] = used;
        put_member(t, t->groups, c, &used);
        for (int k = b->start[c]; k < b->start[c + 1]; k++)
            if (t->group[b->other[k]] < 0 && sum[b->other[k]] == sum[c])
                put_member(t, t->groups, b->other[k], &used);
        int size = used - t->start[t->groups++];
        t->twins += size > 1 ? size : 0;
    }
    t->start[t->groups] = used;
}

zn_status zn_fc_twins_find(const zn_fc_blocks *b, zn_fc_workspace *memory, zn_fc_twins *out)
{
    *out = (zn_fc_twins){.b = b};
    out->group = ZN_FC_TAKE(memory, int, b->count);
    out->start = ZN_FC_TAKE(memory, int, b->count + 1);
    out->member = ZN_FC_TAKE(memory, int, b->count);
    zn_fc_mark mark = zn_fc_get_mark(memory);
    uint64_t  *sum = ZN_FC_TAKE(memory, uint64_t, b->count);
    if (!out->group || !out->start || !out->member || !sum)
        return ZN_ERR_MEMORY;
    for (int c = 0; c < b->count; c++)
        sum[c] = sum_neighbours(b, c);
    group_blocks(out, sum);
    zn_fc_rewind(memory, mark);
    return ZN_OK;
}

static int group_rows(const zn_fc_twins *t, int g)
{
    int rows = 0;
    for (int k = t->start[g]; k < t->start[g + 1]; k++)
        rows += zn_fc_block_rows(t->b, t->member[k]);
    return rows;
}

// --- ranks ---------------------------------------------------------------------------------------

// W of block c and its k-th neighbour, or with itself (k < 0): entry (i, j).
static double entry(const zn_fc_blocks *b, int c, int k, int i, int j)
{
    return k < 0 ? b->diagonal[9 * (size_t)c + (size_t)(SIZE * i + j)]
                 : b->value[b->at[k] + (size_t)(j * zn_fc_block_rows(b, c) + i)];
}

// Rows of group g, one block after the other. `offset`: count, of blocks in it.
static int number_rows(const zn_fc_twins *t, int g, int *offset)
{
    int rows = 0;
    for (int k = t->start[g]; k < t->start[g + 1]; k++) {
        offset[t->member[k]] = rows;
        rows += zn_fc_block_rows(t->b, t->member[k]);
    }
    return rows;
}

// Row p of W within group g, n numbers.
static void fetch_row(const zn_fc_twins *t, int g, int p, int n, const int *offset, double *row)
{
    const zn_fc_blocks *b = t->b;
    int                 m = t->start[g];
    while (m + 1 < t->start[g + 1] && offset[t->member[m + 1]] <= p)
        m++;
    int c = t->member[m];
    memset(row, 0, sizeof *row * (size_t)n);
    for (int k = b->start[c] - 1; k < b->start[c + 1]; k++) {
        int o = k < b->start[c] ? c : b->other[k], from = k < b->start[c] ? -1 : k;
        for (int j = 0; j < zn_fc_block_rows(b, o) && t->group[o] == g; j++)
            row[offset[o] + j] = entry(b, c, from, p - offset[c], j);
    }
}

// The diagonal of W within group g. Returns its largest number.
static double fetch_diagonal(const zn_fc_twins *t, int g, double *out)
{
    double largest = 0;
    for (int k = t->start[g], at = 0; k < t->start[g + 1]; k++)
        for (int i = 0; i < zn_fc_block_rows(t->b, t->member[k]); i++) {
            out[at] = entry(t->b, t->member[k], -1, i, i);
            largest = fmax(largest, out[at++]);
        }
    return largest;
}

enum { WORK = 2 + MOST_RANK }; // numbers per row

// Cholesky's factors W = L L' of group g by columns of the largest pivots: L, n x `most`, row by row, in `work` (WORK
// n). Returns the rank, or `most` + 1 where it is larger.
static int factor_group(const zn_fc_twins *t, int g, int n, int most, const int *offset, double *work, int *pivot)
{
    ZN_ASSERT(most <= MOST_RANK);
    const double tiny = 1e-12; // of the largest
    double      *L = work, *rest = L + (size_t)n * (size_t)most, *row = rest + n, largest = fetch_diagonal(t, g, rest);
    for (int k = 0;; k++) {
        int p = 0;
        for (int i = 1; i < n; i++)
            p = rest[i] > rest[p] ? i : p;
        if (!(rest[p] > tiny * largest))
            return k;
        if (k == most)
            return most + 1;
        double root = sqrt(rest[p]);
        pivot[k] = p;
        fetch_row(t, g, p, n, offset, row);
        for (int i = 0; i < n; i++) {
            double sum = row[i], *own = L + (size_t)i * (size_t)most;
            for (int l = 0; l < k; l++)
                sum -= own[l] * L[(size_t)p * (size_t)most + (size_t)l];
            bool chosen = rest[i] < 0 && i != p;
            own[k] = chosen ? 0 : i == p ? root : sum / root;
            rest[i] = chosen ? rest[i] : i == p ? -1 : fmax(rest[i] - own[k] * own[k], 0);
        }
    }
}

// T = L L_J^-1, whose rows J are those of the identity, in place.
static void divide_rows(int n, int rank, int stride, const int *pivot, double *L)
{
    double J[MOST_RANK][MOST_RANK];
    for (int k = 0; k < rank; k++)
        for (int l = 0; l < rank; l++)
            J[k][l] = L[pivot[k] * stride + l];
    for (int i = 0; i < n; i++)
        for (int k = rank - 1; k >= 0; k--) {
            double sum = L[i * stride + k];
            for (int l = k + 1; l < rank; l++)
                sum -= L[i * stride + l] * J[l][k];
            L[i * stride + k] = sum / J[k][k];
        }
}

// T of group g from t->first[g] on; t->T has room for `used` more. False where nothing is gained for it.
static bool find_rank(zn_fc_twins *t, int g, int *offset, double *work, size_t *used)
{
    const zn_fc_blocks *b = t->b;
    double             *L = work;
    int n = number_rows(t, g, offset), most = n < MOST_RANK ? n : MOST_RANK, count = t->start[g + 1] - t->start[g];
    int pivot[MOST_RANK], rank = factor_group(t, g, n, most, offset, work, pivot);
    if (rank > most || rank == 0)
        return false;
    divide_rows(n, rank, most, pivot, L);
    t->first[g + 1] = t->first[g] + rank;
    for (int k = 0; k < count; k++) {
        int c = t->member[t->start[g] + k];
        t->at[c] = *used;
        for (int i = 0; i < zn_fc_block_rows(b, c); i++) {
            t->row[b->first[c] + i] = -1;
            for (int l = 0; l < rank; l++) {
                t->T[(*used)++] = L[(offset[c] + i) * most + l];
                if (pivot[l] == offset[c] + i)
                    t->row[b->first[c] + i] = t->first[g] + l;
            }
        }
    }
    return true;
}

// A group of one block: T is the identity.
static void keep_block(zn_fc_twins *t, int g, size_t *used)
{
    int c = t->member[t->start[g]], rows = zn_fc_block_rows(t->b, c);
    t->first[g + 1] = t->first[g] + rows;
    t->at[c] = *used;
    for (int i = 0; i < rows; i++) {
        t->row[t->b->first[c] + i] = t->first[g] + i;
        for (int j = 0; j < rows; j++)
            t->T[(*used)++] = i == j;
    }
}

static int largest_group(const zn_fc_twins *t)
{
    int largest = 0;
    for (int g = 0; g < t->groups; g++)
        largest = group_rows(t, g) > largest ? group_rows(t, g) : largest;
    return largest;
}

static zn_status find_ranks(zn_fc_twins *t, zn_fc_workspace *memory, bool *gains)
{
    size_t  used = 0;
    int    *offset = ZN_FC_TAKE(memory, int, t->b->count);
    double *work = ZN_FC_TAKE(memory, double, WORK *(size_t)largest_group(t));
    if (offset == NULL || work == NULL)
        return ZN_ERR_MEMORY;
    *gains = true;
    t->first[0] = 0;
    for (int g = 0; g < t->groups && *gains; g++)
        if (t->start[g + 1] - t->start[g] == 1)
            keep_block(t, g, &used);
        else
            *gains = find_rank(t, g, offset, work, &used);
    return ZN_OK;
}

// --- what is gained ------------------------------------------------------------------------------

static const double most_part = 0.6;

static int most_rows(const zn_fc_blocks *b)
{
    int most = 0;
    for (int c = 0; c < b->count; c++)
        most = zn_fc_block_rows(b, c) > most ? zn_fc_block_rows(b, c) : most;
    return most;
}

// Rank of a group: that of two rigid bodies, where it is small. A large one may also be of three, or none of rigid
// bodies: in an elastic half-space all contacts act on all, too. Its rank is asked for then, and -1 where it is larger.
static int expect_rank(const zn_fc_twins *t, int g, int motions, int most, int *offset, double *work)
{
    int n = number_rows(t, g, offset), pivot[MOST_RANK];
    if (n <= 2 * motions)
        return n < motions ? n : motions;
    int rank = factor_group(t, g, n, most, offset, work, pivot);
    return rank <= most ? rank : -1;
}

double zn_fc_twins_part(const zn_fc_twins *t, int most, zn_fc_workspace *memory)
{
    ZN_ASSERT(most <= MOST_RANK);
    zn_fc_mark mark = zn_fc_get_mark(memory);
    int        motions = most_rows(t->b) > 2 ? 6 : 3, rows = 0, rank = 0;
    int       *offset = ZN_FC_TAKE(memory, int, t->b->count);
    double    *work = ZN_FC_TAKE(memory, double, WORK *(size_t)largest_group(t));
    bool       there = offset != NULL && work != NULL;
    for (int g = 0; g < t->groups && there && rank >= 0; g++, rows += rank)
        rank = expect_rank(t, g, motions, most, offset, work);
    zn_fc_rewind(memory, mark);
    return there && rank >= 0 && rows <= most_part * t->b->n ? (double)rows / t->b->n : 1;
}

// --- V -------------------------------------------------------------------------------------------

// Groups beside g, itself first, into `out` unless NULL; `seen` is g for those that are listed.
static int list_groups(const zn_fc_twins *t, int g, int *seen, int *out)
{
    const zn_fc_blocks *b = t->b;
    int                 c = t->member[t->start[g]], count = 1; // twins have the same neighbours
    seen[g] = g;
    if (out != NULL)
        out[0] = g;
    for (int k = b->start[c]; k < b->start[c + 1]; k++) {
        int o = t->group[b->other[k]];
        if (seen[o] == g)
            continue;
        seen[o] = g;
        if (out != NULL)
            out[count] = o;
        count++;
    }
    return count;
}

static void clear_marks(int count, int *seen)
{
    for (int g = 0; g < count; g++)
        seen[g] = -1;
}

// Rows of V that block c has.
static void fill_rows(const zn_fc_twins *t, int c, const size_t *slot)
{
    const zn_fc_blocks *b = t->b;
    int                 g = t->group[c];
    for (int k = b->start[c] - 1; k < b->start[c + 1]; k++) {
        int o = k < b->start[c] ? c : b->other[k], from = k < b->start[c] ? -1 : k, h = t->group[o];
        for (int i = 0; i < zn_fc_block_rows(b, c); i++)
            for (int j = 0; j < zn_fc_block_rows(b, o); j++) {
                int row = t->row[b->first[c] + i], column = t->row[b->first[o] + j];
                if (row >= 0 && column >= 0)
                    t->V[slot[h] + (size_t)((row - t->first[g]) * zn_fc_twins_rank(t, h) + column - t->first[h])] =
                        entry(b, c, from, i, j);
            }
    }
}

// Groups beside each other, and places in V: how many numbers it has.
static zn_status list_pattern(zn_fc_twins *t, zn_fc_workspace *memory, size_t *total)
{
    int *seen = ZN_FC_TAKE(memory, int, t->groups);
    if (seen == NULL)
        return ZN_ERR_MEMORY;
    t->near[0] = 0;
    clear_marks(t->groups, seen);
    for (int g = 0; g < t->groups; g++)
        t->near[g + 1] = t->near[g] + list_groups(t, g, seen, NULL);
    t->other = ZN_FC_TAKE(memory, int, t->near[t->groups]);
    t->place = ZN_FC_TAKE(memory, size_t, t->near[t->groups]);
    if (t->other == NULL || t->place == NULL)
        return ZN_ERR_MEMORY;
    *total = 0;
    clear_marks(t->groups, seen);
    for (int g = 0; g < t->groups; g++) {
        list_groups(t, g, seen, t->other + t->near[g]);
        for (int k = t->near[g]; k < t->near[g + 1]; k++) {
            t->place[k] = *total;
            *total += (size_t)(zn_fc_twins_rank(t, g) * zn_fc_twins_rank(t, t->other[k]));
        }
    }
    return ZN_OK;
}

static zn_status find_values(zn_fc_twins *t, zn_fc_workspace *memory)
{
    size_t total = 0;
    ZN_TRY(list_pattern(t, memory, &total));
    t->V = ZN_FC_TAKE(memory, double, total);
    zn_fc_mark mark = zn_fc_get_mark(memory);
    size_t    *slot = ZN_FC_TAKE(memory, size_t, t->groups);
    if (t->V == NULL || slot == NULL)
        return ZN_ERR_MEMORY;
    memset(t->V, 0, sizeof *t->V * total);
    for (int g = 0; g < t->groups; g++) {
        for (int k = t->near[g]; k < t->near[g + 1]; k++)
            slot[t->other[k]] = t->place[k];
        for (int k = t->start[g]; k < t->start[g + 1]; k++)
            fill_rows(t, t->member[k], slot);
    }
    zn_fc_rewind(memory, mark);
    return ZN_OK;
}

zn_status zn_fc_twins_create(zn_fc_workspace *memory, zn_fc_twins *t)
{
    const zn_fc_blocks *b = t->b;
    bool                gains = false;
    size_t              most = 0;
    t->m = 0;
    for (int g = 0; g < t->groups; g++) {
        int rows = group_rows(t, g);
        most += (size_t)rows * (size_t)(rows < MOST_RANK ? rows : MOST_RANK);
    }
    t->first = ZN_FC_TAKE(memory, int, t->groups + 1);
    t->near = ZN_FC_TAKE(memory, int, t->groups + 1);
    t->row = ZN_FC_TAKE(memory, int, b->n);
    t->at = ZN_FC_TAKE(memory, size_t, b->count);
    t->T = ZN_FC_TAKE(memory, double, most);
    if (!t->first || !t->near || !t->row || !t->at || !t->T)
        return ZN_ERR_MEMORY;
    zn_fc_mark mark = zn_fc_get_mark(memory);
    ZN_TRY(find_ranks(t, memory, &gains));
    zn_fc_rewind(memory, mark);
    if (!gains || t->first[t->groups] > most_part * b->n)
        return ZN_OK;
    t->m = t->first[t->groups];
    ZN_TRY(find_values(t, memory));
    return zn_fc_twins_lay_out(memory, t);
}
