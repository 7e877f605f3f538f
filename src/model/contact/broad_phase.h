/// Which balls of many are near each other, in time proportional to their number.
#ifndef ZN_MODEL_CONTACT_BROAD_PHASE_H
#define ZN_MODEL_CONTACT_BROAD_PHASE_H

#include "model/contact/contact.h"

typedef struct zn_ball {
    zn_vec3 centre;
    double  radius; ///< > 0
} zn_ball;

/// Bytes of scratch for `count` balls.
size_t zn_broad_phase_scratch(int count);

/// Append i * factor + j to the list for every pair i < j < count of balls that overlap, in no particular order. All
/// numbers are finite. `scratch`: zn_broad_phase_scratch bytes.
zn_status zn_broad_phase(int count, const zn_ball *ball, int factor, void *scratch, zn_contact_list *list);
/// Only part `part` of `parts`, which one after the other are the list of all.
zn_status zn_broad_phase_share(int count, const zn_ball *ball, int factor, int part, int parts, void *scratch,
                               zn_contact_list *list);

/// Sort numbers i * factor + j by i, then j, both below count; `scratch`: count + 1 integers.
void zn_broad_phase_sort(int count, int factor, int *scratch, zn_contact_list *list);

#endif
