/// Laws of contacts by pairs of materials, and which shapes do not meet: what a rule of pairs looks up for two of its
/// shapes.
#ifndef ZN_MODEL_CONTACT_LAW_H
#define ZN_MODEL_CONTACT_LAW_H

#include "model/contact/contact.h"

typedef struct zn_law {
    double restitution, friction, tangential_restitution;
    double restitution_from;  ///< speed of approach below which both restitutions are 0
    double rolling, spinning; ///< friction against them [m]
} zn_law;

/// Owned by the model.
struct zn_pair_table {
    int      materials; ///< with number 0, that of shapes without one
    zn_law  *law;       ///< of materials a and b at a * materials + b, and the same at b * materials + a
    int      apart;
    int64_t *groups; ///< pairs of groups whose shapes do not meet: lower << 32 | higher, ascending
};

/// Room for so many materials and pairs of groups, of which there are none. NULL: out of memory.
zn_pair_table *zn_pair_table_create(int materials, int pairs);
void           zn_pair_table_destroy(zn_pair_table *table); ///< accepts NULL

static inline const zn_law *zn_pair_law(const zn_pair_table *t, const zn_pair_shape *a, const zn_pair_shape *b)
{
    return &t->law[a->material * t->materials + b->material];
}

/// The law between shapes i and j of the rule.
static inline const zn_law *zn_shape_pairs_law(const zn_shape_pairs *p, int i, int j)
{
    return zn_pair_law(p->table, &p->shape[i], &p->shape[j]);
}

#endif
