/// Pairs of features that another pair keeps apart.
#ifndef ZN_MODEL_CONTACT_KEPT_APART_H
#define ZN_MODEL_CONTACT_KEPT_APART_H

#include "model/contact/meet.h"

/// Takes those out of what a search has found, from `first` on.
void zn_drop_kept_apart(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *list,
                        int first);

#endif
