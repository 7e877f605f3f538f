/// W = G M^-1 G' of listed rows with a lumped mass, by compressed rows: entries only where two rows share a node. For
/// islands that are too large for a dense matrix, where somebody asks for W.
#ifndef ZN_CONSTRAINT_ISLAND_MATRIX_H
#define ZN_CONSTRAINT_ISLAND_MATRIX_H

#include "constraint/rows.h"
#include "system/lumped.h"
#include "zn/friction.h"

/// An entry of a row at a degree of freedom, and the next one there.
typedef struct zn_island_entry {
    int    row, next;
    double value;
} zn_island_entry;

typedef struct zn_island_matrix {
    const zn_lumped_mass *mass;
    const int            *triad_of;
    int                  *head; ///< n_all: the first entry at a degree of freedom, -1 between calls
    int                   entry_capacity, row_capacity, value_capacity;
    zn_island_entry      *entry;
    int                  *start, *column; ///< of W
    double               *value;
    int                  *other, *seen; ///< columns of the row at hand; per row: the last one that met it
    double               *sum;          ///< per row: of the row at hand
    zn_fc_matrix          W;
} zn_island_matrix;

zn_status zn_island_matrix_create(const zn_system *sys, const zn_lumped_mass *mass, const int *triad_of,
                                  zn_island_matrix *out);
void      zn_island_matrix_destroy(zn_island_matrix *m);
/// m->W, which lasts until the next. Allocates only where there is more than ever before.
zn_status zn_island_matrix_assemble(zn_island_matrix *m, const zn_contact_set *set, int rows, const int *row);

#endif
