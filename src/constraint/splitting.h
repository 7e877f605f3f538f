/// The nonsmooth problem of constraints without W and without a column of the inverse matrix for any row:
///
///     A x = G'z,   u = G x + b,     equations: u = 0;   contacts: Coulomb's law between u and z
///
/// by the alternating direction method of multipliers, one solve with a sparse matrix A + G'RG for each step. R is
/// diagonal, equal on the rows of a contact. With s = mu |w_T| on the normals (De Saxce's change of variables), K the
/// product of the cones |z_T| <= mu z_N (equations: all numbers), and a = 1.6, a step takes v to T(v):
///
///     z = P_K(v),   w = (z - v)/R,   (A + G'RG) x = G'(z + R (w - b - s)),
///     T(v) = z - R (a (G x + b + s) + (1 - a) w)
///
/// At a fixed point w = G x + b + s is in the dual cone, z in K, z'w = 0 and A x = G'z: an answer. Where the contacts
/// no longer change between open, sticking and sliding, Newton's method finishes, T'(v) d - d = v - T(v), by GMRES with
/// one solve for each product (splitting_newton.c). What counts is neither: z is an answer when the judge says so of u
/// = G x + b with A x = G'z solved for anew.
///
/// R is a part of 1/d, d = G diag(A)^-1 G', and follows the ratio of the residuals as in friction_admm.c. A + G'RG
/// holds all rows of the contact set; rows that are not in a problem take no part (z = 0), so that the matrix does not
/// depend on which are.
///
/// Reference: S. Boyd et al., Foundations and Trends in Machine Learning 3 (2011) 1-122; V. Acary, M. Bremond, O. Huber
/// in Advanced Topics in Nonsmooth Dynamics (2018), chapter 10.
#ifndef ZN_CONSTRAINT_SPLITTING_H
#define ZN_CONSTRAINT_SPLITTING_H

#include "constraint/rows.h"
#include "math/operator.h"
#include "zn/solve.h"

/// Rows of the set that are projected together; mu < 0: an equation.
typedef struct zn_splitting_cell {
    int    row, rows;
    double mu;
    bool   absent; ///< not in the problem
} zn_splitting_cell;

typedef struct zn_splitting {
    const zn_system    *sys;
    const char         *linear_solver;
    const zn_near_null *near;
    zn_sparse          *sum;
    zn_operator         shifted;  ///< of `sum`, A + G'RG
    zn_linsolver_info   done;     ///< by solvers that are no more
    bool                prepared; ///< for the matrix, rows and R that it has
    // rows that the matrix has
    int                 rows, entries, row_room, entry_room;
    int                *row_start, *row_dof;
    double             *row_value;
    double             *size;     ///< per row: d, the same for all rows of a contact
    double             *diagonal; ///< n_all: of A
    double              part;     ///< R = part / size
    // the problem at hand
    zn_rows             G;
    const zn_row_list  *list;
    int                 cells;
    zn_splitting_cell  *cell;
    double             *b;                ///< per row of the set
    double             *v, *z, *w, *next; ///< per row of the set
    double             *kept, *change;    ///< likewise: v before a step of Newton's method, and what it adds
    double             *x, *right, *dx;   ///< n
    double             *basis;            ///< ZN_SPLITTING_KRYLOV + 1 vectors of rows
    double             *listed_size;      ///< d per place of the list
    double             *best;             ///< likewise: the best of the answers that were judged
} zn_splitting;

enum { ZN_SPLITTING_KRYLOV = 40 }; ///< products of a step of Newton's method at most

zn_status     zn_splitting_create(const zn_system *sys, const char *linear_solver, const zn_near_null *near,
                                  zn_splitting **out);
zn_splitting *zn_splitting_destroy(zn_splitting *s); ///< accepts NULL, returns NULL
/// Room for so many contacts.
zn_status     zn_splitting_reserve(zn_splitting *s, int contacts);
/// The matrix has other values, or has been forgotten.
void          zn_splitting_invalidate(zn_splitting *s);
void          zn_splitting_forget(zn_splitting *s); ///< factors, pivots and all
/// What its factors did, added to `sum`.
void          zn_splitting_add_work(const zn_splitting *s, zn_linsolver_info *sum);

/// What is asked of an answer, and what it is.
typedef struct zn_splitting_task {
    zn_operator  *A;
    zn_fc_problem problem; ///< without matrix
    double        tolerance, enough;
    double       *z, *u;      ///< per place of the list: warm start and answer
    int           iterations; ///< steps and products
    double        residual;
} zn_splitting_task;

/// Which rows: those of the list, of the whole set in the matrix.
zn_status zn_splitting_assemble(zn_splitting *s, const zn_sparse *A, const zn_contact_set *set, zn_rows G,
                                const zn_row_list *list);
/// ZN_NOT_CONVERGED: z and u are the best answer that was judged. s->x is A^-1 G'z.
zn_status zn_splitting_solve(zn_splitting *s, zn_splitting_task *task);

// --- between the files ---------------------------------------------------------------------------

#define ZN_SPLITTING_RELAXATION 1.6 ///< a

/// R of a row.
static inline double zn_splitting_weight(const zn_splitting *s, int row) { return s->part / s->size[row]; }

/// next = T(v); z, w and x of v.
zn_status zn_splitting_map(zn_splitting *s, double tolerance);
/// |T(v) - v| in the norm of R^-1, and |v| there.
double    zn_splitting_rest(const zn_splitting *s);
double    zn_splitting_norm(const zn_splitting *s, const double *v);
/// One step of Newton's method on T(v) = v from v and `next`; not `better`: it leads nowhere, and they are as before.
/// Solves are counted on.
zn_status zn_splitting_newton(zn_splitting *s, double exact, bool *better, int *products);

#endif
