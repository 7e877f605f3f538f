/// The rule of contacts between shapes, and the search for what is near.
#ifndef ZN_MODEL_CONTACT_SHAPE_PAIRS_H
#define ZN_MODEL_CONTACT_SHAPE_PAIRS_H

#include "model/contact/meet.h"

/// Two shapes of a rule, that of the lower number first.
typedef struct zn_shape_couple {
    const zn_pair_shape *a, *b;
} zn_shape_couple;

/// Operations `detect` and `scratch` of zn_many_pairs_ops.
zn_status zn_shape_search(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out);
size_t    zn_shape_search_bytes(const void *rule);

#endif
