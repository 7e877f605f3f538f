/// A matrix with the curvature of constraints in it, d(H'p)/dq, which couples the bodies they join where elements may
/// not: the pattern is the union of the system's and of one clique per contact, made anew when contacts come or go.
///
///     | A + curvature   border' |     `border` > 0: so many more rows and columns per contact, written by the owner
///     | border             .    |
///
/// A point that slides to another facet within an iteration changes its degrees of freedom: its curvature, which only
/// speeds an iteration up, is left out then.
#ifndef ZN_CONSTRAINT_CURVED_MATRIX_H
#define ZN_CONSTRAINT_CURVED_MATRIX_H

#include "constraint/rows.h"
#include "zn/math.h"

typedef struct zn_curved_matrix {
    int               border; ///< set before it is connected
    zn_sparse        *sum;
    zn_linsolver     *solver;
    int              *place;  ///< entry of the system's pattern -> entry of the sum
    int             **clique; ///< per contact: entries of the sum, those of fixed degrees of freedom -1
    int               contacts;
    zn_contact_id    *known;     ///< their ids
    int              *known_dof; ///< entries of the normal row of each, max_entries apart; -1: beyond the last
    zn_linsolver_info done;      ///< by solvers that are no more
} zn_curved_matrix;

/// Pattern and linear solver for the contacts of the set, or its joints alone; `system`: a matrix of the system.
zn_status zn_curved_matrix_connect(zn_curved_matrix *a, const zn_system *sys, const zn_sparse *system,
                                   const zn_contact_set *set, bool joints, const char *linear_solver);
/// Are these the contacts that it was made for?
bool      zn_curved_matrix_is_connected(const zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set);
void      zn_curved_matrix_destroy(zn_curved_matrix *a); ///< keeps `border` and `done`
/// What all its factors did, added to `sum`.
void      zn_curved_matrix_add_work(const zn_curved_matrix *a, zn_linsolver_info *sum);

/// Clear it and write a matrix of the system, or add a multiple of one.
void      zn_curved_matrix_write(zn_curved_matrix *a, const zn_sparse *system);
void      zn_curved_matrix_add(zn_curved_matrix *a, double factor, const zn_sparse *system);
/// Subtract d(H'p)/dq of all contacts that it is made for, with multipliers p per row of the set, at q and t; with an
/// `increment` U, q = q_0 (+) U, by the chain rule d(H'p)/dU = d(H'p)/dq T(U); NULL: none. `zero`,
/// `work`: n_all zeros, which they are again afterwards.
zn_status zn_curved_matrix_bend(zn_curved_matrix *a, const zn_system *sys, const zn_contact_set *set, const double *p,
                                const double *q, double t, const double *increment, double *zero, double *work);
/// Add factor G_i'G_i of one contact's normal row.
void      zn_curved_matrix_add_square(zn_curved_matrix *a, const zn_contact_set *set, int i, double factor);

#endif
