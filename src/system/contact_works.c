// What groups of contacts gave. See contact_works.h.
#include "system/contact_works.h"

#include "base/sets.h"

// Contacts that have a degree of freedom in common are one group.
static void join(const zn_contact_set *set, int n)
{
    zn_contact_works *w = &set->scratch->works;
    for (int pass = 0; pass < 2; pass++) // the owners of earlier steps are forgotten first
        for (int i = 0; i < set->count; i++) {
            int end = w->group[i] < 0 ? 0 : set->row_start[(i + 1) * set->stride];
            for (int e = set->row_start[i * set->stride]; e < end; e++) {
                int dof = set->row_dof[e];
                if (dof >= n)
                    continue;
                if (pass == 1 && w->owner[dof] >= 0)
                    zn_sets_join(w->group, i, w->owner[dof]);
                w->owner[dof] = pass == 0 ? -1 : i;
            }
        }
}

// The first one of a group has the sum of its works, and what it gave.
static void sum_up(const zn_contact_set *set)
{
    zn_contact_works *w = &set->scratch->works;
    for (int i = 0; i < set->count; i++) {
        int first = w->group[i] < 0 ? i : zn_sets_find(w->group, i); // not behind i
        w->sum[i] = w->group[i] < 0 ? 0 : w->work[i];
        if (first == i)
            continue;
        w->sum[first] += w->work[i];
        w->gift[first] += w->gift[i];
    }
    for (int i = 0; i < set->count; i++)
        if (w->group[i] == i && w->sum[i] > w->gift[i])
            w->gift[i] = w->sum[i];
}

zn_contact_gifts zn_contact_works_sum(const zn_contact_set *set, const zn_system *sys)
{
    zn_contact_works *w = &set->scratch->works;
    zn_contact_gifts  out = {.giver = -1};
    if (!w->gave)
        return out;
    join(set, sys->info.n);
    sum_up(set);
    for (int i = 0; i < set->count; i++)
        out.gave += w->group[i] == i ? w->gift[i] : 0;
    for (int i = 0; i < set->count; i++) {
        int first = w->group[i] < 0 ? -1 : zn_sets_find(w->group, i);
        if (first < 0 || !(w->gift[first] > 0) || w->gift[first] < out.most)
            continue;
        if (w->gift[first] > out.most || out.giver < 0 || w->work[i] > w->work[out.giver])
            out.giver = i;
        out.most = w->gift[first];
    }
    return out;
}
