/// Columns A^-1 H_i', one per row i of the contact set. A column is kept as long as neither the factors nor the row
/// change, so that a linear model with straight contacts solves for it once. Its bits must then not depend on when that
/// was, or a restart would change them: see zn_linsolver_group.
#ifndef ZN_CONSTRAINT_DELASSUS_H
#define ZN_CONSTRAINT_DELASSUS_H

#include "constraint/rows.h"

typedef struct zn_delassus {
    int            n, capacity, max_entries;
    double        *column;    ///< capacity * n, by row
    uint64_t      *touched;   ///< per column: bits of the degrees of freedom that it moves, zn_delassus_bit
    int64_t       *stamp;     ///< of the factors a column was solved with; -1: none
    zn_contact_id *id;        ///< contact a column belongs to
    int           *entries;   ///< row a column belongs to
    int           *row_dof;   ///< capacity * max_entries
    double        *row_value; ///< capacity * max_entries
    int64_t        factors;   ///< stamp of the current factors
    int            shift;     ///< degrees of freedom to a bit, as a power of two
    bool           lasting;   ///< factors outlive a step: columns are solved in groups of fixed size and place
} zn_delassus;

zn_status              zn_delassus_create(const zn_system *sys, int contacts, zn_delassus *out);
void                   zn_delassus_destroy(zn_delassus *d);
/// The factors changed: every column is out of date.
static inline void     zn_delassus_invalidate(zn_delassus *d) { d->factors++; }
/// Rows and columns without a common bit have the product zero: bodies that neither touch nor hang together.
static inline uint64_t zn_delassus_bit(const zn_delassus *d, int dof) { return UINT64_C(1) << (dof >> d->shift); }
/// Bring the columns of rows list[0], list[1], ... up to date: neighbours are solved together, which a large factor
/// likes.
zn_status zn_delassus_columns(zn_delassus *d, zn_linsolver *solver, const zn_contact_set *set, zn_rows H, int count,
                              const int *list);

#endif
