/// Disjoint sets of numbers: parent[i] is another member of the set of i, or i itself for the smallest one, which names
/// it.
#ifndef ZN_BASE_SETS_H
#define ZN_BASE_SETS_H

static inline void zn_sets_start(int count, int *parent)
{
    for (int i = 0; i < count; i++)
        parent[i] = i;
}

static inline int zn_sets_find(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static inline void zn_sets_join(int *parent, int i, int j)
{
    i = zn_sets_find(parent, i);
    j = zn_sets_find(parent, j);
    parent[i > j ? i : j] = i > j ? j : i;
}

#endif
