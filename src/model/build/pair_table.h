/// What a rule of pairs of shapes is told about pairs of them: groups that stay apart, laws by materials.
#ifndef ZN_MODEL_BUILD_PAIR_TABLE_H
#define ZN_MODEL_BUILD_PAIR_TABLE_H

#include "model/contact/law.h"
#include "model/model.h"

typedef struct zn_material_law {
    int    a, b; ///< numbers of materials, a <= b
    zn_law law;
} zn_material_law;

/// The group of shapes that a name stands for: those of that name or, if there are none, on that body or the ground.
/// -1: there is none. A shape is in two of them, see law.c.
int zn_pair_group(const zn_model *model, const char *name);
/// Groups are 0 .. count - 1: one of each name, one of each body, one of the ground.
int zn_pair_group_count(const zn_model *model);

/// The number of a material, which may be a new one; NULL: 0. `what` and `name`: for messages.
zn_status zn_material_number(zn_model *model, const char *material, const char *what, const char *name, int *out);

/// Fill in what the rule looks up for pairs of the shapes that it has: table, parts, friction.
zn_status zn_pair_table_make(zn_model *model, const zn_pairs_def *def, zn_shape_pairs *p);

#endif
