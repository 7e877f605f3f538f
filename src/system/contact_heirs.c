// Features change while shapes roll over each other: an edge takes over from a vertex, and what the pair pressed with
// is known though the contact is new. Starting there, iterative solvers need a seventh fewer sweeps in heaps of hulls.
#include "base/assert.h"
#include "system/contact_scratch.h"

enum { ROWS = 3 }; // normal and tangents, which follow the normal; moments do not pass on

// Contacts of one pair of shapes, from `first` to before `last`.
typedef struct group {
    const zn_contact_set *set;
    int                   first, last;
} group;

static group group_from(const zn_contact_set *set, int first)
{
    group g = {set, first, first};
    while (g.last < set->count && set->id[g.last].contact == set->id[first].contact)
        g.last++;
    return g;
}

static bool has(const group *g, zn_contact_id id)
{
    for (int i = g->first; i < g->last; i++)
        if (zn_contact_id_same(g->set->id[i], id))
            return true;
    return false;
}

// What contacts of `old` that are not in `now` had, in equal parts to those of `now` that are not in `old`.
static void pass_on(const group *old, const group *now, double *impulse)
{
    int    stride = now->set->stride, rows = stride < ROWS ? stride : ROWS, heirs = 0;
    double left[ROWS] = {0};
    for (int j = old->first; j < old->last; j++)
        for (int r = 0; r < rows && !has(now, old->set->id[j]); r++)
            left[r] += old->set->impulse[j * stride + r];
    for (int i = now->first; i < now->last && left[0] > 0; i++)
        heirs += !has(old, now->set->id[i]);
    for (int i = now->first; i < now->last && heirs > 0; i++)
        for (int r = 0; r < rows && !has(old, now->set->id[i]); r++)
            impulse[i * stride + r] = left[r] / heirs;
}

void zn_contact_set_inherit(zn_contact_set *set, const zn_contact_set *from)
{
    ZN_ASSERT(set != from && set->stride == from->stride);
    for (int i = 0, j = 0; i < set->count && j < from->count;) { // both lists ascend
        group now = group_from(set, i), old = group_from(from, j);
        if (set->id[i].contact == from->id[j].contact)
            pass_on(&old, &now, set->impulse);
        bool next = set->id[i].contact <= from->id[j].contact, last = set->id[i].contact >= from->id[j].contact;
        i = next ? now.last : i;
        j = last ? old.last : j;
    }
}
