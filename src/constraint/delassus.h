/// Delassus operator W = G A^-1 G', column by column, one per row i of the contact set. A column A^-1 G_i' is kept as
/// long as neither the factors nor the row change, so that a linear model with straight contacts solves for it once.
/// Its bits must then not depend on when that was, or a restart would change them: see zn_linsolver_group.
#ifndef ZN_CONSTRAINT_DELASSUS_H
#define ZN_CONSTRAINT_DELASSUS_H

#include "zn/system.h"

typedef struct zn_delassus {
    int      n, capacity, max_entries;
    double  *column;    ///< capacity * n, by row
    int64_t *stamp;     ///< of the factors a column was solved with; -1: none
    int64_t *id;        ///< contact a column belongs to
    int     *entries;   ///< row a column belongs to
    int     *row_dof;   ///< capacity * max_entries
    double  *row_value; ///< capacity * max_entries
    int64_t  factors;   ///< stamp of the current factors
    bool     lasting;   ///< factors outlive a step: columns are solved in groups of fixed size and place
} zn_delassus;

/// For as many contacts as the system has, or for a number of them.
zn_status          zn_delassus_create(const zn_system *sys, zn_delassus *out);
zn_status          zn_delassus_create_for(const zn_system *sys, int contacts, zn_delassus *out);
void               zn_delassus_destroy(zn_delassus *d);
/// The factors changed: every column is out of date.
static inline void zn_delassus_invalidate(zn_delassus *d) { d->factors++; }
/// Bring the column of row i up to date.
zn_status          zn_delassus_column(zn_delassus *d, zn_linsolver *solver, const zn_contact_set *set, int i);
/// The same for rows list[0] * stride, list[1] * stride, ...: neighbours are solved together, which a large factor
/// likes.
zn_status          zn_delassus_columns(zn_delassus *d, zn_linsolver *solver, const zn_contact_set *set, int count,
                                       const int *list, int stride);

/// G_i G_j' over the degrees of freedom below n.
double zn_row_product(const zn_contact_set *set, int i, int j, int n);

/// G_i x over the degrees of freedom below n (n_all: all of them).
static inline double zn_row_dot(const zn_contact_set *set, int i, int n, const double *x)
{
    double sum = 0;
    for (int k = set->row_start[i]; k < set->row_start[i + 1]; k++)
        if (set->row_dof[k] < n)
            sum += set->row_value[k] * x[set->row_dof[k]];
    return sum;
}

/// y += factor G_i', likewise.
static inline void zn_row_add(const zn_contact_set *set, int i, int n, double factor, double *y)
{
    for (int k = set->row_start[i]; k < set->row_start[i + 1]; k++)
        if (set->row_dof[k] < n)
            y[set->row_dof[k]] += factor * set->row_value[k];
}

#endif
