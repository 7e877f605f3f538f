/// What the friction solvers share: a copy of the problem without units, the solution for given statuses of the
/// contacts, and the exact solution of one contact. Solvers propose, zn_fc_residual disposes.
#ifndef ZN_SOLVE_FRICTION_H
#define ZN_SOLVE_FRICTION_H

#include <stdbool.h>

#include "solve/lcp.h"
#include "zn/solve.h"

/// Of a contact. Frictionless ones are open or slipping.
typedef enum zn_fc_status { ZN_FC_OPEN, ZN_FC_STICK, ZN_FC_SLIP } zn_fc_status;

/// One unknown of the equations for given statuses: r changes by `right` in the rows from `row` on, and the equation is
/// `left` times u there, plus `shift` times the unknown.
typedef struct zn_fc_unknown {
    int row, left_rows, right_rows;
    double shift, left[3], right[3];
} zn_fc_unknown;

/// What one solver works on; all memory is the caller's scratch.
typedef struct zn_fc_work {
    zn_fc_problem p;    ///< scaled to a diagonal of about 1, one factor per contact
    int max_iterations; ///< 0: the solver's choice
    double tolerance;
    double *r;               ///< n, warm start in, proposal out
    double *u;               ///< n, free for the solver
    int *status;             ///< contacts: zn_fc_status
    double *slip;            ///< 2 per contact: direction of slip, a unit vector along u_T
    zn_fc_unknown *unknowns; ///< n, for zn_fc_solve_statuses, as are
    double *equations;       ///< n (n + 2)
    int *pivots;             ///< n
    double *table;           ///< ZN_FC_TABLE(zn_fc_lcp_rows), free for the solver
    int *index;              ///< 4 zn_fc_lcp_rows, free for the solver
} zn_fc_work;

/// Rows of friction_lemke.c's problem: two more than n per tangent, and no more tangents than either count allows.
static inline size_t zn_fc_lcp_rows(int n, int contacts)
{
    int tangents = contacts < n - contacts ? contacts : n - contacts;
    return (size_t)n + 2 * (size_t)(tangents > 0 ? tangents : 0);
}

/// Doubles of zn_fc_work.table for `rows` = zn_fc_lcp_rows: matrix, right-hand side, z, w and the table of an LCP.
#define ZN_FC_TABLE(rows) ((rows) * (rows) + 3 * (rows) + ZN_LCP_TABLE(rows))

/// One solver: ZN_OK with a proposal in work->r, or why there is none. `iterations` is counted on.
typedef zn_status zn_fc_method(const zn_fc_work *work, int *iterations);

zn_fc_method zn_fc_newton, zn_fc_enumerate, zn_fc_lemke, zn_fc_gauss_seidel;

/// Largest number of status combinations for zn_fc_enumerate: five planar contacts.
enum { ZN_FC_ENUMERATE_SETS = 1024 };
/// How many combinations there are, or -1 when they are too many or a contact has two tangents.
int zn_fc_count_sets(const zn_fc_problem *p);

/// zn_fc_residual of r, and u = W r + q unless NULL.
double zn_fc_judge(const zn_fc_problem *p, const double *r, double *u);

/// Tangents that matter: none without friction.
static inline int zn_fc_tangents(const zn_fc_problem *p, int c)
{
    return p->mu[c] > 0 ? p->first[c + 1] - p->first[c] - 1 : 0;
}

/// Statuses and slip directions that the reactions work->r belong to.
void zn_fc_read_statuses(const zn_fc_work *work);

/// Solve for the statuses and slip directions of `work`, starting from work->r: what the equations leave undetermined
/// stays as it is there. With two tangents this is one Newton step. Overwrites u.
void zn_fc_solve_statuses(const zn_fc_work *work);

/// Exact solution of one contact u = W r + q with 1 to 3 rows of a matrix with `stride`. False when there is none (or,
/// without positive definite W, none was found); r is then as before.
bool zn_fc_solve_contact(int rows, const double *W, int stride, const double *q, double mu, double *r);

#endif
