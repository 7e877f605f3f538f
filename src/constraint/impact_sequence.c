// Impacts one after the other: a queue of the contacts that approach, the fastest on top. See impact.h.
//
// Contacts that approach equally fast are hit at once, so that what is symmetric stays so: those that do not act on
// each other each alone, the others by Newton's law together, 0 <= U+ + e U- _|_ p >= 0. The list may have tangents,
// of which a sequence takes no notice.
#include <math.h>

#include "base/assert.h"
#include "constraint/impact.h"
#include "system/restitution.h"

static const double equal = 1e-9; // relative difference of speeds that are taken for the same

// --- the queue: a heap by velocity, then by place in the list ------------------------------------

static bool before(const zn_impact *w, int a, int b) { return w->U[a] < w->U[b] || (w->U[a] == w->U[b] && a < b); }

static void put(zn_impact *w, int at, int contact)
{
    w->queue[at] = contact;
    w->place[contact] = at;
}

static void rise(zn_impact *w, int at)
{
    int contact = w->queue[at];
    for (; at > 0 && before(w, contact, w->queue[(at - 1) / 2]); at = (at - 1) / 2)
        put(w, at, w->queue[(at - 1) / 2]);
    put(w, at, contact);
}

static void sink(zn_impact *w, int at)
{
    int contact = w->queue[at];
    for (int child; (child = 2 * at + 1) < w->queued; at = child) {
        child += child + 1 < w->queued && before(w, w->queue[child + 1], w->queue[child]);
        if (!before(w, w->queue[child], contact))
            break;
        put(w, at, w->queue[child]);
    }
    put(w, at, contact);
}

static void leave(zn_impact *w, int contact)
{
    int at = w->place[contact], last = w->queue[--w->queued];
    w->place[contact] = -1;
    if (last == contact)
        return;
    put(w, at, last);
    sink(w, at);
    rise(w, w->place[last]);
}

// The velocity of a contact has changed.
static void move(zn_impact *w, int contact, bool approaches)
{
    if (!approaches) {
        if (w->place[contact] >= 0)
            leave(w, contact);
        return;
    }
    if (w->place[contact] < 0)
        put(w, w->queued++, contact);
    sink(w, w->place[contact]);
    rise(w, w->place[contact]);
}

// --- hits ----------------------------------------------------------------------------------------

static double rebound(const zn_impact *w, const zn_contact_set *set, int k)
{
    return (1 + zn_restitution(set, w->list.row[k], w->U[k])) * w->U[k];
}

// Contacts of the batch that act on the first one of the group, or on others that do. Their marks go.
static int gather(zn_impact *w, const zn_constraints *c, int batch)
{
    int members = 1, m = w->list.rows;
    w->mark[w->group[0]] = 0;
    for (int g = 0; g < members; g++) {
        int    k = w->group[g];
        double own = zn_impact_at(c, m, k, k);
        for (int e = 0, l; e < zn_impact_entries(c, m, k); e++) {
            double value = zn_impact_entry(c, m, k, e, &l);
            if (w->mark[l] != batch || fabs(value) <= 1e-14 * own)
                continue;
            w->mark[l] = 0;
            w->group[members++] = l;
        }
    }
    return members;
}

static zn_status reserve(zn_impact *w, int members)
{
    int room = members + members / 2;
    return members <= w->together.dense ? ZN_OK : zn_constraints_reserve(&w->together, room, room, room);
}

// Newton's law for all contacts of a group.
static zn_status hit_together(zn_impact *w, const zn_constraints *c, const zn_contact_set *set, int members, double t,
                              zn_solved *solved)
{
    const zn_demand demand = {.level = "impact", .t = t};
    zn_constraints *own = &w->together;
    zn_solved       work;
    ZN_TRY(reserve(w, members));
    zn_row_list_clear(&w->rows);
    for (int a = 0; a < members; a++) {
        int k = w->group[a];
        zn_row_list_add_contact(&w->rows, set, w->list.row[k] / set->stride, 1);
        own->b[a] = rebound(w, set, k);
        own->z[a] = 0;
        for (int b = 0; b < members; b++)
            own->W[a * members + b] = zn_impact_at(c, w->list.rows, k, w->group[b]);
    }
    own->sparse = NULL;
    own->set = set;
    ZN_TRY(zn_constraints_solve(own, &w->rows, &demand, &work));
    for (int a = 0; a < members; a++)
        w->p[w->group[a]] = own->z[a];
    solved->iterations += work.iterations;
    solved->residual = fmax(solved->residual, work.residual);
    return ZN_OK;
}

// Impulses of a batch, in p.
static zn_status find_hits(zn_impact *w, const zn_constraints *c, const zn_contact_set *set, int size, double t,
                           zn_solved *solved)
{
    int batch = w->mark[w->batch[0]];
    for (int i = 0; i < size; i++) {
        int k = w->batch[i];
        if (w->mark[k] != batch)
            continue; // in a group already
        w->group[0] = k;
        int members = size > 1 ? gather(w, c, batch) : 1;
        if (members > 1)
            ZN_TRY(hit_together(w, c, set, members, t, solved));
        else
            w->p[k] = -rebound(w, set, k) / zn_impact_at(c, w->list.rows, k, k);
    }
    return ZN_OK;
}

// U += W_:k p; whoever changes is queued anew.
static void hit(zn_impact *w, const zn_constraints *c, const zn_contact_set *set, int k, double slow)
{
    int m = w->list.rows;
    w->P[k] += w->p[k];
    for (int e = 0, l; e < zn_impact_entries(c, m, k); e++) {
        if (zn_impact_entry(c, m, k, e, &l) == 0 || w->list.row[l] % set->stride != 0)
            continue; // hits are without friction
        w->U[l] += zn_impact_at(c, m, l, k) * w->p[k];
        move(w, l, w->U[l] < -slow && zn_impact_at(c, m, l, l) > 0);
    }
}

// Half of p U of a batch, before and after.
static void add_work(zn_impact *w, int size)
{
    for (int i = 0; i < size; i++)
        w->work[w->batch[i]] += 0.5 * w->p[w->batch[i]] * w->U[w->batch[i]];
}

// Take those from the queue that are as fast as the one on top.
static int take_batch(zn_impact *w, int number)
{
    int    size = 0;
    double fastest = w->U[w->queue[0]];
    while (w->queued > 0 && w->U[w->queue[0]] <= fastest * (1 - equal)) {
        int k = w->queue[0];
        leave(w, k);
        w->mark[k] = number;
        w->batch[size++] = k;
    }
    return size;
}

static double start(zn_impact *w, const zn_constraints *c)
{
    double largest = 0;
    int    m = w->list.rows;
    w->queued = 0;
    for (int k = 0; k < m; k++) {
        w->P[k] = w->work[k] = 0;
        w->place[k] = -1;
        w->mark[k] = 0;
    }
    for (int i = 0; i < w->list.contacts; i++)
        largest = fmax(largest, fabs(w->U[w->list.first[i]]));
    for (int i = 0; i < w->list.contacts; i++) {
        int k = w->list.first[i];
        move(w, k, w->U[k] < -ZN_IMPACT_NOTHING * largest && zn_impact_at(c, m, k, k) > 0);
    }
    return ZN_IMPACT_NOTHING * largest;
}

zn_status zn_impact_sequence(zn_impact *w, const zn_constraints *c, const zn_contact_set *set, double t, bool *ended,
                             zn_solved *solved)
{
    ZN_ASSERT(w->list.equations == 0);
    enum { HITS = 1000, HITS_EACH = 100 };
    double slow = start(w, c);
    int    most = HITS + HITS_EACH * w->list.contacts, hits = 0;
    for (int batch = 1; w->queued > 0 && hits < most; batch++) {
        int size = take_batch(w, batch);
        ZN_TRY(find_hits(w, c, set, size, t, solved));
        add_work(w, size);
        for (int i = 0; i < size; i++)
            hit(w, c, set, w->batch[i], slow);
        add_work(w, size);
        hits += size;
    }
    *ended = w->queued == 0;
    solved->iterations += hits;
    return ZN_OK;
}
