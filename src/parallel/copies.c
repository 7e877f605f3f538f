// Sums and copies of unknowns that several processes have. See copies.h.
#include "parallel/copies.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

enum { M = ZN_AMG_BLOCK, TAG = 23 };

// --- owners --------------------------------------------------------------------------------------

int zn_copies_owner(const zn_copies *c, int number)
{
    int low = 0, high = c->world->size;
    while (high - low > 1) {
        int middle = (low + high) / 2;
        if (c->begin[middle] <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool is_own(const zn_copies *c, int i)
{
    return c->number[i] >= c->begin[c->world->rank] && c->number[i] < c->begin[c->world->rank + 1];
}

// Where the entries of each process begin, from how many there are at [rank + 1].
static void accumulate(int ranks, int *begin)
{
    for (int r = 0; r < ranks; r++)
        begin[r + 1] += begin[r];
}

static zn_status list_leaves(zn_copies *c)
{
    int  ranks = c->world->size;
    int *next = ZN_NEW(int, ranks);
    for (int i = 0; i < c->n; i++)
        if (!is_own(c, i))
            c->leaf_begin[zn_copies_owner(c, c->number[i]) + 1]++;
    accumulate(ranks, c->leaf_begin);
    c->leaf = ZN_NEW(int, c->leaf_begin[ranks]);
    c->leaf_value = ZN_NEW(double, c->leaf_begin[ranks]);
    bool room = next && c->leaf && c->leaf_value;
    for (int i = 0; room && i < c->n; i++)
        if (!is_own(c, i)) {
            int owner = zn_copies_owner(c, c->number[i]);
            c->leaf[c->leaf_begin[owner] + next[owner]++] = i;
        }
    free(next);
    return room ? ZN_OK : ZN_ERR_MEMORY;
}

// Which of its unknowns others have is told to the owner.
static zn_status list_roots(zn_copies *c)
{
    int  ranks = c->world->size, first = c->begin[c->world->rank], own = c->begin[c->world->rank + 1] - first;
    int  leaves = c->leaf_begin[ranks];
    int *count = ZN_NEW(int, 2 * ranks), *number = ZN_NEW(int, leaves), *place = ZN_NEW(int, own);
    ZN_ASSERT(c->world->size > 0);
    zn_status status = zn_world_agree(c->world, count && number && place ? ZN_OK : ZN_ERR_MEMORY);
    if (status == ZN_OK) {
        int *came = count + ranks;
        for (int r = 0; r < ranks; r++)
            count[r] = c->leaf_begin[r + 1] - c->leaf_begin[r];
        MPI_Alltoall(count, 1, MPI_INT, came, 1, MPI_INT, c->world->comm);
        for (int r = 0; r < ranks; r++)
            c->root_begin[r + 1] = c->root_begin[r] + came[r];
        c->root = ZN_NEW(int, c->root_begin[ranks]);
        c->root_value = ZN_NEW(double, c->root_begin[ranks]);
        status = zn_world_agree(c->world, c->root && c->root_value ? ZN_OK : ZN_ERR_MEMORY);
    }
    if (status == ZN_OK) {
        for (int k = 0; k < leaves; k++)
            number[k] = c->number[c->leaf[k]];
        MPI_Alltoallv(number, count, c->leaf_begin, MPI_INT, c->root, count + ranks, c->root_begin, MPI_INT,
                      c->world->comm);
        for (int i = 0; i < c->n; i++)
            if (is_own(c, i))
                place[c->number[i] - first] = i;
        for (int k = 0; k < c->root_begin[ranks]; k++)
            c->root[k] = place[c->root[k] - first];
    }
    free(count);
    free(number);
    free(place);
    return status;
}

// --- values --------------------------------------------------------------------------------------

// Values by process, from one buffer to the other.
static void exchange(zn_copies *c, const double *from, const int *from_begin, double *to, const int *to_begin)
{
    int count = 0;
    for (int r = 0; r < c->world->size; r++)
        if (to_begin[r + 1] > to_begin[r])
            MPI_Irecv(to + to_begin[r], to_begin[r + 1] - to_begin[r], MPI_DOUBLE, r, TAG, c->world->comm,
                      &c->request[count++]);
    for (int r = 0; r < c->world->size; r++)
        if (from_begin[r + 1] > from_begin[r])
            MPI_Isend(from + from_begin[r], from_begin[r + 1] - from_begin[r], MPI_DOUBLE, r, TAG, c->world->comm,
                      &c->request[count++]);
    MPI_Waitall(count, c->request, MPI_STATUSES_IGNORE);
}

void zn_copies_sum(zn_copies *c, double *x)
{
    zn_meeting_begin(&c->meeting, (zn_met_vector){.x = x});
    zn_meeting_end(&c->meeting, (zn_met_vector){.x = x});
}

void zn_copies_share(zn_copies *c, double *x)
{
    ZN_TOGETHER(c->world, 0);
    zn_clock start = zn_clock_now();
    int      ranks = c->world->size;
    for (int k = 0; k < c->root_begin[ranks]; k++)
        c->root_value[k] = x[c->root[k]];
    exchange(c, c->root_value, c->root_begin, c->leaf_value, c->leaf_begin);
    for (int k = 0; k < c->leaf_begin[ranks]; k++)
        x[c->leaf[k]] = c->leaf_value[k];
    zn_clock_stop(c->world, start, &c->world->times.halo);
}

// --- who else has an unknown ---------------------------------------------------------------------

// What is found out about unknowns on the way.
typedef struct inquiry {
    double          *x;      // n: what owners tell
    int             *others; // n: how many processes have it beside its owner
    int             *start;  // n + 2: of own unknowns, where those begin in `holder`
    int             *holder;
    int             *at, *filled; // n: its entries in the list, and how many are there
    int             *own_place;   // n
    zn_acquaintance *list;
} inquiry;

static void release_inquiry(inquiry *q)
{
    free(q->x);
    free(q->others);
    free(q->start);
    free(q->holder);
    free(q->at);
    free(q->filled);
    free(q->own_place);
    free(q->list);
}

// For each own unknown the others that have it, in their order.
static zn_status list_holders(const zn_copies *c, inquiry *q)
{
    *q = (inquiry){.x = ZN_NEW(double, c->n),
                   .others = ZN_NEW(int, c->n),
                   .start = ZN_NEW(int, c->n + 2),
                   .holder = ZN_NEW(int, c->root_begin[c->world->size]),
                   .at = ZN_NEW(int, c->n + 1),
                   .filled = ZN_NEW(int, c->n),
                   .own_place = ZN_NEW(int, c->n)};
    if (!q->x || !q->others || !q->start || !q->holder || !q->at || !q->filled || !q->own_place)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < c->root_begin[c->world->size]; k++)
        q->start[c->root[k] + 2]++;
    accumulate(c->n + 1, q->start);
    for (int r = 0; r < c->world->size; r++)
        for (int k = c->root_begin[r]; k < c->root_begin[r + 1]; k++)
            q->holder[q->start[c->root[k] + 1]++] = r;
    return ZN_OK;
}

// How many there are, and room for them; others have the owner first.
static zn_status count_others(zn_copies *c, inquiry *q, double *most)
{
    *most = 0;
    for (int i = 0; i < c->n; i++)
        q->x[i] = q->start[i + 1] - q->start[i];
    zn_copies_share(c, q->x);
    for (int i = 0; i < c->n; i++) {
        q->others[i] = (int)q->x[i];
        q->at[i + 1] = q->at[i] + q->others[i];
        *most = q->x[i] > *most ? q->x[i] : *most;
    }
    q->list = ZN_NEW(zn_acquaintance, q->at[c->n]);
    for (int i = 0; q->list && i < c->n; i++)
        if (!is_own(c, i))
            q->list[q->at[i] + q->filled[i]++] =
                (zn_acquaintance){.unknown = i, .number = c->number[i], .rank = zn_copies_owner(c, c->number[i])};
    return zn_world_agree(c->world, q->list ? ZN_OK : ZN_ERR_MEMORY);
}

// Owners tell of the process in this place, if there is one.
static void ask_for(zn_copies *c, inquiry *q, int place)
{
    for (int i = 0; i < c->n; i++)
        q->x[i] = is_own(c, i) && place <= q->others[i] ? q->holder[q->start[i] + place - 1] : -1;
    zn_copies_share(c, q->x);
    for (int i = 0; i < c->n; i++) {
        int rank = (int)q->x[i];
        if (rank == c->world->rank)
            q->own_place[i] = place;
        else if (rank >= 0)
            q->list[q->at[i] + q->filled[i]++] =
                (zn_acquaintance){.unknown = i, .number = c->number[i], .rank = rank, .place = place};
    }
}

static zn_status get_acquainted(zn_copies *c)
{
    inquiry   q;
    double    most;
    zn_status status = zn_world_agree(c->world, list_holders(c, &q));
    if (status == ZN_OK)
        status = count_others(c, &q, &most);
    if (status == ZN_OK) {
        zn_world_max(c->world, &most, 1);
        for (int place = 1; place <= (int)most; place++)
            ask_for(c, &q, place);
        for (int k = 0; k < q.at[c->n]; k++)
            q.list[k].own_place = q.own_place[q.list[k].unknown];
        status = zn_meeting_create(c->world, q.at[c->n], q.list, &c->meeting);
    }
    release_inquiry(&q);
    return status;
}

zn_status zn_copies_create(zn_world *world, int n, const int *number, const int *begin, zn_copies *out)
{
    *out = (zn_copies){.world = world,
                       .n = n,
                       .number = number,
                       .begin = begin,
                       .leaf_begin = ZN_NEW(int, world->size + 1),
                       .root_begin = ZN_NEW(int, world->size + 1),
                       .request = ZN_NEW(MPI_Request, 2 * world->size)};
    bool room = out->leaf_begin && out->root_begin && out->request;
    ZN_TRY(zn_world_agree(world, room ? list_leaves(out) : ZN_ERR_MEMORY));
    ZN_TRY(list_roots(out));
    return get_acquainted(out);
}

void zn_copies_destroy(zn_copies *c)
{
    free(c->leaf);
    free(c->leaf_begin);
    free(c->root);
    free(c->root_begin);
    free(c->leaf_value);
    free(c->root_value);
    free(c->request);
    zn_meeting_destroy(&c->meeting);
    *c = (zn_copies){0};
}

// --- rows ----------------------------------------------------------------------------------------

static zn_status allocate_blocks(zn_amg_rows *rows, int count)
{
    rows->aggregate = ZN_NEW(int, count);
    rows->value = ZN_NEW(double, (size_t)count *M);
    return rows->aggregate && rows->value ? ZN_OK : ZN_ERR_MEMORY;
}

static void copy_row(const zn_amg_rows *from, int i, zn_amg_rows *to, int place)
{
    size_t count = (size_t)(from->start[i + 1] - from->start[i]);
    memcpy(to->aggregate + place, from->aggregate + from->start[i], sizeof *to->aggregate * count);
    memcpy(to->value + (size_t)place * M, from->value + (size_t)from->start[i] * M, sizeof *to->value * count * M);
}

static int row_length(const zn_amg_rows *rows, int i) { return rows->start[i + 1] - rows->start[i]; }

// Which rows go to whom, and how many come: an end of an exchange.
typedef struct address {
    const int *index, *begin;
} address;

// Lengths first: `out->start` of the rows that come.
static void exchange_lengths(const zn_copies *c, const zn_amg_rows *packed, address to, address from, int *count,
                             zn_amg_rows *out)
{
    int  ranks = c->world->size, came = from.begin[ranks];
    int *length = packed->aggregate; // has room for them: see pack
    for (int k = 0; k < to.begin[ranks]; k++)
        length[k] = row_length(packed, k);
    for (int r = 0; r < ranks; r++) {
        count[r] = to.begin[r + 1] - to.begin[r];
        count[ranks + r] = from.begin[r + 1] - from.begin[r];
    }
    MPI_Alltoallv(length, count, to.begin, MPI_INT, out->start + 1, count + ranks, from.begin, MPI_INT, c->world->comm);
    accumulate(came, out->start);
}

static zn_status pack(const zn_amg_rows *rows, int count, const int *index, zn_amg_rows *out)
{
    out->start = ZN_NEW(int, count + 1);
    for (int k = 0; out->start && k < count; k++)
        out->start[k + 1] = out->start[k] + row_length(rows, index[k]);
    return out->start ? allocate_blocks(out, out->start[count] > count ? out->start[count] : count) : ZN_ERR_MEMORY;
}

static void exchange_blocks(const zn_copies *c, const zn_amg_rows *packed, address to, address from, int *count,
                            zn_amg_rows *out)
{
    int          ranks = c->world->size, *came = count + ranks, *at = count + 2 * ranks, *came_at = count + 3 * ranks;
    MPI_Datatype block;
    for (int r = 0; r < ranks; r++) {
        at[r] = packed->start[to.begin[r]];
        count[r] = packed->start[to.begin[r + 1]] - at[r];
        came_at[r] = out->start[from.begin[r]];
        came[r] = out->start[from.begin[r + 1]] - came_at[r];
    }
    MPI_Type_contiguous(M, MPI_DOUBLE, &block);
    MPI_Type_commit(&block);
    MPI_Alltoallv(packed->aggregate, count, at, MPI_INT, out->aggregate, came, came_at, MPI_INT, c->world->comm);
    MPI_Alltoallv(packed->value, count, at, block, out->value, came, came_at, block, c->world->comm);
    MPI_Type_free(&block);
}

// Rows `to.index` go, `from` come, in their order.
static zn_status exchange_rows(const zn_copies *c, const zn_amg_rows *rows, address to, address from, zn_amg_rows *out)
{
    int         ranks = c->world->size;
    zn_amg_rows packed = {0};
    int        *count = ZN_NEW(int, 4 * ranks);
    zn_status   own = pack(rows, to.begin[ranks], to.index, &packed);
    out->start = ZN_NEW(int, from.begin[ranks] + 1);
    zn_status status = zn_world_agree(c->world, own == ZN_OK && count && out->start ? ZN_OK : ZN_ERR_MEMORY);
    if (status == ZN_OK) {
        exchange_lengths(c, &packed, to, from, count, out);
        status = zn_world_agree(c->world, allocate_blocks(out, out->start[from.begin[ranks]]));
    }
    if (status == ZN_OK) {
        for (int k = 0; k < to.begin[ranks]; k++)
            copy_row(rows, to.index[k], &packed, packed.start[k]);
        exchange_blocks(c, &packed, to, from, count, out);
    }
    zn_amg_release_rows(&packed);
    free(count);
    return status;
}

// What has come for each own row, in the order of the processes: next[n + k] after k, -1: no more.
static void chain(const zn_copies *c, int *next)
{
    for (int i = 0; i < c->n; i++)
        next[i] = -1;
    for (int k = c->root_begin[c->world->size] - 1; k >= 0; k--) {
        next[c->n + k] = next[c->root[k]];
        next[c->root[k]] = k;
    }
}

// Add row i to one of `length` blocks at `place` of `sum`; its new length.
static int add_row(const zn_amg_rows *rows, int i, zn_amg_rows *sum, int place, int length)
{
    for (int e = rows->start[i]; e < rows->start[i + 1]; e++) {
        int k = place;
        while (k < place + length && sum->aggregate[k] != rows->aggregate[e])
            k++;
        if (k == place + length) {
            sum->aggregate[k] = rows->aggregate[e];
            memset(sum->value + (size_t)k * M, 0, sizeof *sum->value * M);
            length++;
        }
        for (int m = 0; m < M; m++)
            sum->value[(size_t)k * M + (size_t)m] += rows->value[(size_t)e * M + (size_t)m];
    }
    return length;
}

// Sums of own rows that others have; other rows are empty.
static zn_status add_rows(const zn_copies *c, const zn_amg_rows *own, const zn_amg_rows *came, const int *next,
                          zn_amg_rows *sum)
{
    int most = 0;
    for (int i = 0; i < c->n; i++)
        for (int k = next[i], first = 1; k >= 0; k = next[c->n + k], first = 0)
            most += row_length(came, k) + (first ? row_length(own, i) : 0);
    sum->start = ZN_NEW(int, c->n + 1);
    if (!sum->start || allocate_blocks(sum, most) != ZN_OK)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < c->n; i++) {
        int place = sum->start[i], length = next[i] >= 0 ? add_row(own, i, sum, place, 0) : 0;
        for (int k = next[i]; k >= 0; k = next[c->n + k])
            length = add_row(came, k, sum, place, length);
        sum->start[i + 1] = place + length;
    }
    return ZN_OK;
}

// Rows of nobody else as they were, own ones that others have from `sum`, those of others from `back`.
static zn_status put_together(const zn_copies *c, const int *next, const zn_amg_rows *sum, const zn_amg_rows *back,
                              zn_amg_rows *rows)
{
    zn_amg_rows out = {.start = ZN_NEW(int, c->n + 1)};
    int        *leaf = ZN_NEW(int, c->n);
    bool        room = out.start && leaf;
    for (int k = 0; room && k < c->leaf_begin[c->world->size]; k++)
        leaf[c->leaf[k]] = k + 1;
    for (int pass = 0; room && pass < 2; pass++) {
        for (int i = 0; i < c->n; i++) {
            const zn_amg_rows *from = leaf[i] > 0 ? back : next[i] >= 0 ? sum : rows;
            int                row = leaf[i] > 0 ? leaf[i] - 1 : i;
            out.start[i + 1] = out.start[i] + row_length(from, row);
            if (pass == 1)
                copy_row(from, row, &out, out.start[i]);
        }
        room = pass == 1 || allocate_blocks(&out, out.start[c->n]) == ZN_OK;
    }
    free(leaf);
    if (!room) {
        zn_amg_release_rows(&out);
        return ZN_ERR_MEMORY;
    }
    zn_amg_release_rows(rows);
    *rows = out;
    return ZN_OK;
}

zn_status zn_copies_sum_rows(zn_copies *c, zn_amg_rows *rows)
{
    const address leaves = {c->leaf, c->leaf_begin}, roots = {c->root, c->root_begin};
    zn_amg_rows   came = {0}, sum = {0}, back = {0};
    int          *next = ZN_NEW(int, c->n + c->root_begin[c->world->size]);
    zn_status     status = exchange_rows(c, rows, leaves, roots, &came);
    if (status == ZN_OK) {
        if (next)
            chain(c, next);
        status = zn_world_agree(c->world, next ? add_rows(c, rows, &came, next, &sum) : ZN_ERR_MEMORY);
    }
    if (status == ZN_OK)
        status = exchange_rows(c, &sum, roots, leaves, &back);
    if (status == ZN_OK)
        status = zn_world_agree(c->world, put_together(c, next, &sum, &back, rows));
    free(next);
    zn_amg_release_rows(&came);
    zn_amg_release_rows(&sum);
    zn_amg_release_rows(&back);
    return status;
}
