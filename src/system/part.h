/// A part of a system: some of its elements, in the numbering of the whole. What the multi-time-step coupling hands to the
/// scheme of a part: its degrees of freedom, its own share of mass and force, and where it meets another part.
/// Masses and forces of parts that make up the system add up to those of the system.
#ifndef ZN_SYSTEM_PART_H
#define ZN_SYSTEM_PART_H

#include "model/element.h"
#include "zn/system.h"

typedef struct zn_part {
    const zn_system  *sys; ///< borrowed
    int               blocks;
    zn_element_block *block; ///< elements of the part
    int               dofs;
    int              *dof;    ///< free degrees of freedom that its elements use, ascending
    bool             *uses;   ///< n_all
    int               elements;
} zn_part;

/// `chosen(user, block, element)` tells which elements belong to the part.
zn_status zn_part_create(const zn_system *sys, bool (*chosen)(void *user, const zn_element_block *b, int element),
                         void *user, zn_part **out);
zn_part *zn_part_destroy(zn_part *part); ///< accepts NULL, returns NULL

/// f = internal forces of the part (n_all entries, of which those of other parts are untouched), with their energy.
zn_status zn_part_force(const zn_part *part, zn_at at, double *f, double *strain);
/// f = M a over the elements of the part, likewise.
zn_status zn_part_inertia(const zn_part *part, const double *a, double *f);
/// Free degrees of freedom that both use, ascending, into `dof` (room for the fewer of both); returns their number.
int zn_part_interface(const zn_part *a, const zn_part *b, int *dof);

#endif
