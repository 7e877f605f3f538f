// Sums of what several processes know. See meeting.h.
#include "parallel/meeting.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"

enum { TAG = 29, PIECE = 4000 }; // bytes: below 4 kB MPI does not ask the other side first, whatever it sends by

// --- creation ------------------------------------------------------------------------------------

// By process, then by number: both sides have the same order.
static int compare_entries(const void *a, const void *b)
{
    const zn_acquaintance *p = a, *q = b;
    return p->rank != q->rank ? (p->rank > q->rank) - (p->rank < q->rank)
                              : (p->number > q->number) - (p->number < q->number);
}

static int pieces_of(int count) { return (int)(((size_t)count * sizeof(double) + PIECE - 1) / PIECE); }

static zn_status allocate(const zn_world *world, int count, int unknowns, zn_meeting *m)
{
    m->begin = ZN_NEW(int, world->size + 1);
    m->unknown = ZN_NEW(int, count);
    m->out = ZN_NEW(double, count);
    m->in = ZN_NEW(double, count);
    m->who = ZN_NEW(int, unknowns);
    m->term = ZN_NEW(int, unknowns + 1);
    m->from = ZN_NEW(int, count + unknowns);
    m->request = ZN_NEW(MPI_Request, 2 * (pieces_of(count) + world->size));
    bool room = m->begin && m->unknown && m->out && m->in && m->who && m->term && m->from && m->request;
    return room ? ZN_OK : ZN_ERR_MEMORY;
}

// Unknowns of the list, each once, and how many entries each has; slot: where it is in `who`, per unknown.
static int count_unknowns(int count, const zn_acquaintance *list, int unknowns, int *slot)
{
    int next = 0;
    for (int i = 0; i < unknowns; i++)
        slot[i] = -1;
    for (int k = 0; k < count; k++)
        if (slot[list[k].unknown] < 0)
            slot[list[k].unknown] = next++;
    return next;
}

// Terms of each unknown in the order of those that have it; its own is ~(any entry of `out`).
static void order_terms(int count, const zn_acquaintance *list, const int *slot, zn_meeting *m)
{
    for (int k = 0; k < count; k++) {
        m->who[slot[list[k].unknown]] = list[k].unknown;
        m->term[slot[list[k].unknown] + 1]++;
    }
    for (int i = 0; i < m->count; i++)
        m->term[i + 1] += m->term[i] + 1; // and its own
    for (int k = 0; k < count; k++) {
        int first = m->term[slot[list[k].unknown]];
        m->from[first + list[k].place] = k;
        m->from[first + list[k].own_place] = ~k;
    }
}

static int largest_unknown(int count, const zn_acquaintance *list)
{
    int largest = -1;
    for (int k = 0; k < count; k++)
        largest = list[k].unknown > largest ? list[k].unknown : largest;
    return largest;
}

zn_status zn_meeting_create(zn_world *world, int count, zn_acquaintance *list, zn_meeting *out)
{
    int  unknowns = largest_unknown(count, list) + 1;
    int *slot = ZN_NEW(int, unknowns);
    *out = (zn_meeting){.world = world};
    if (!slot)
        return zn_world_agree(world, ZN_ERR_MEMORY);
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, compare_entries);
    out->count = count_unknowns(count, list, unknowns, slot);
    zn_status status = allocate(world, count, out->count, out);
    if (status == ZN_OK) {
        for (int k = 0; k < count; k++) {
            out->unknown[k] = list[k].unknown;
            out->begin[list[k].rank + 1]++;
        }
        for (int r = 0; r < world->size; r++)
            out->begin[r + 1] += out->begin[r];
        order_terms(count, list, slot, out);
    }
    free(slot);
    return zn_world_agree(world, status);
}

void zn_meeting_destroy(zn_meeting *m)
{
    free(m->begin);
    free(m->unknown);
    free(m->out);
    free(m->in);
    free(m->who);
    free(m->term);
    free(m->from);
    free(m->request);
    *m = (zn_meeting){0};
}

// --- sums ----------------------------------------------------------------------------------------

ZN_INLINE size_t place_in(zn_met_vector v, int i) { return (size_t)(v.place ? v.place[i] : i); }

// Entries of process r, in pieces, to or from `buffer`.
static void post(zn_meeting *m, int r, bool comes, size_t size, double *buffer)
{
    char  *at = (char *)buffer + size * (size_t)m->begin[r];
    size_t left = size * (size_t)(m->begin[r + 1] - m->begin[r]);
    while (left > 0) {
        int          bytes = left < PIECE ? (int)left : PIECE;
        MPI_Request *request = &m->request[m->requests++];
        if (comes)
            MPI_Irecv(at, bytes, MPI_BYTE, r, TAG, m->world->comm, request);
        else
            MPI_Isend(at, bytes, MPI_BYTE, r, TAG, m->world->comm, request);
        at += bytes;
        left -= (size_t)bytes;
    }
}

void zn_meeting_begin(zn_meeting *m, zn_met_vector v)
{
    ZN_TOGETHER(m->world, 0);
    ZN_ASSERT(m->requests == 0);
    zn_clock start = zn_clock_now();
    int      ranks = m->world->size, count = m->begin[ranks];
    size_t   size = v.single ? sizeof(float) : sizeof(double);
    for (int r = 0; r < ranks; r++)
        post(m, r, true, size, m->in);
    for (int k = 0; k < count && v.single; k++)
        ((float *)m->out)[k] = v.single[place_in(v, m->unknown[k])];
    for (int k = 0; k < count && !v.single; k++)
        m->out[k] = v.x[place_in(v, m->unknown[k])];
    for (int r = 0; r < ranks; r++)
        post(m, r, false, size, m->out);
    zn_clock_stop(m->world, start, &m->world->times.halo);
}

ZN_INLINE double read_term(const zn_meeting *m, bool single, int from)
{
    const double *buffer = from < 0 ? m->out : m->in;
    int           k = from < 0 ? ~from : from;
    return single ? ((const float *)buffer)[k] : buffer[k];
}

// In double precision, as far as the terms are.
ZN_INLINE double add_terms(const zn_meeting *m, bool single, int i)
{
    double sum = read_term(m, single, m->from[m->term[i]]);
    for (int e = m->term[i] + 1; e < m->term[i + 1]; e++)
        sum += read_term(m, single, m->from[e]);
    return sum;
}

void zn_meeting_end(zn_meeting *m, zn_met_vector v)
{
    zn_clock start = zn_clock_now();
    MPI_Waitall(m->requests, m->request, MPI_STATUSES_IGNORE);
    m->requests = 0;
    for (int i = 0; i < m->count && v.single; i++)
        v.single[place_in(v, m->who[i])] = (float)add_terms(m, true, i);
    for (int i = 0; i < m->count && !v.single; i++)
        v.x[place_in(v, m->who[i])] = add_terms(m, false, i);
    zn_clock_stop(m->world, start, &m->world->times.halo);
}
