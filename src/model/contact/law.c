// Pairs of shapes that do not meet, though a rule names both. A shape is in two groups, that of its name and that of
// its body, and stays apart from all in a group as soon as one of its own is listed with it.
#include "model/contact/law.h"

#include <stdlib.h>

#include "base/array.h"

zn_pair_table *zn_pair_table_create(int materials, int pairs)
{
    zn_pair_table *table = ZN_NEW(zn_pair_table, 1);
    if (!table)
        return NULL;
    table->materials = materials;
    table->law = ZN_NEW(zn_law, (size_t)materials * (size_t)materials);
    table->groups = ZN_NEW(int64_t, pairs);
    if (table->law && table->groups)
        return table;
    zn_pair_table_destroy(table);
    return NULL;
}

void zn_pair_table_destroy(zn_pair_table *table)
{
    if (!table)
        return;
    free(table->law);
    free(table->groups);
    free(table);
}

static bool is_listed(const zn_pair_table *t, int a, int b)
{
    int64_t key = a < b ? (int64_t)a << 32 | b : (int64_t)b << 32 | a;
    int     low = 0, high = t->apart;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (t->groups[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < t->apart && t->groups[low] == key;
}

bool zn_pair_table_parts(const zn_pair_table *t, const zn_pair_shape *a, const zn_pair_shape *b)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (is_listed(t, a->group[i], b->group[j]))
                return true;
    return false;
}
