/// Curvature of constraints in Newton's iteration of a scheme: how forces H'p turn with the configuration goes into the
/// matrix, A - d(H'p)/dq, and how velocities of rows turn goes into rows of equations, G + k d(G v)/dq (Cosimo et al.
/// 2020, eqs. 47-50). Without it heavy loads on light links are beyond Newton's method: their forces turn the links
/// faster than inertia resists.
///
/// Of contacts that come and go only the joints beside them are in the matrix, whose pattern must not change. In a
/// pile, which has no joints, all of them are: `loose`. Its matrix is made for the contacts of the day when it is asked
/// for, which is where Newton's method fails without.
#ifndef ZN_CONSTRAINT_CURVATURE_H
#define ZN_CONSTRAINT_CURVATURE_H

#include "constraint/curved_matrix.h"

/// Multipliers p per row of a set that was evaluated at q and t, as they enter the matrix.
typedef struct zn_bend {
    const zn_contact_set *set;
    const double         *q, *p;
    double                t;
    const double         *increment; ///< U with q = q_0 (+) U, the matrix being about changes of U; NULL: changes of q
} zn_bend;

typedef struct zn_curvature {
    zn_curved_matrix matrix;
    bool             used;          ///< its factors are those of the response
    bool             loose;         ///< made for contacts that come and go
    const char      *linear_solver; ///< borrowed
    double          *zero, *work;   ///< n_all, zeros between calls
    int              capacity;
    double          *turned; ///< values of turned rows
} zn_curvature;

/// NULL in `out` where no row depends on the configuration. `loose`: for all contacts, whichever there are.
zn_status     zn_curvature_create(const zn_system *sys, const zn_sparse *system, const char *linear_solver, bool loose,
                                  zn_curvature **out);
zn_curvature *zn_curvature_destroy(zn_curvature *c); ///< accepts NULL, returns NULL
void          zn_curvature_forget(zn_curvature *c);  ///< factors, pivots and all

/// Factor a matrix of the system with curvature. `used` says whether that went well.
zn_status zn_curvature_factor(zn_curvature *c, const zn_system *sys, const zn_sparse *system, const zn_bend *bend);
/// Rows G + k d(G v)/dq of the listed equations, at q, v and t of `at`; the other rows are those of the set.
zn_status zn_curvature_turn(zn_curvature *c, const zn_system *sys, const zn_contact_set *set, const zn_row_list *list,
                            zn_at at, double k, zn_rows *out);
/// Rows G T(U) of the listed rows, by which gaps change with U in q = q_0 (+) U; the other rows are those of the set.
zn_status zn_curvature_pull(zn_curvature *c, const zn_system *sys, const zn_contact_set *set, const zn_row_list *list,
                            const double *increment, zn_rows *out);

#endif
