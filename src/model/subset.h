/// Part of a model as a model of its own: some of its elements, the nodes they use, and some of its contacts and
/// joints. Nodes keep their numbers, so that attachments stay as they are; nodes that the part does not have are
/// absent: they have no coordinates. Names, loads and parameters are borrowed from the whole, which must outlive the
/// part.
#ifndef ZN_MODEL_SUBSET_H
#define ZN_MODEL_SUBSET_H

#include "model/model.h"

/// `element`: one entry per element, group after group; `rule`: one per contact rule.
zn_status zn_subset_create(const zn_model *whole, const bool *element, const bool *rule, zn_model **out);
/// The same, but nodes and elements are taken from the whole, which has none afterwards, so that they are never there
/// twice. On failure too. `node`: which it has even without an element of it.
zn_status zn_subset_take(zn_model *whole, const bool *element, const bool *rule, const bool *node, zn_model **out);
zn_model *zn_subset_destroy(zn_model *model); ///< accepts NULL, returns NULL

#endif
