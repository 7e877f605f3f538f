/// What the LCP solvers share: a copy of the problem without units, and dense eliminations that tolerate dependent
/// rows. Solvers propose, zn_lcp_residual disposes.
#ifndef ZN_SOLVE_LCP_H
#define ZN_SOLVE_LCP_H

#include <stdbool.h>

#include "zn/solve.h"

/// What one solver works on; all memory is the caller's scratch.
typedef struct zn_lcp_work {
    zn_lcp_problem p;              ///< scaled to a diagonal of about 1
    int            max_iterations; ///< 0: the solver's choice
    double         tolerance;
    double        *z;     ///< n, warm start in, proposal out
    double        *w;     ///< n, free for the solver
    double        *table; ///< ZN_LCP_TABLE(n), free for the solver
    int           *index; ///< 4 n, free for the solver
} zn_lcp_work;

/// Doubles of zn_lcp_work.table: the reduced problem and the tableau of Lemke's method, or an active-set matrix.
#define ZN_LCP_TABLE(n) ((size_t)(n) * (3 * (size_t)(n) + 6))

/// One solver: ZN_OK with a proposal in work->z, or why there is none. `iterations` is counted on.
typedef zn_status zn_lcp_method(const zn_lcp_work *work, int *iterations);

zn_lcp_method zn_lcp_pivot, zn_lcp_enumerate, zn_lcp_lemke, zn_lcp_gauss_seidel;

/// Largest number of unilateral rows for zn_lcp_enumerate.
enum { ZN_LCP_ENUMERATE_ROWS = 16 };

/// The power of two nearest below 1/sqrt(d), up to a factor of two; d > 0.
double zn_lcp_scale_of(double d);

/// Solve the count equations in `table`, count x (count + 1), the right-hand side last; it is overwritten. Dependent
/// columns get x = 0 and dependent rows are skipped, which is right when the system is consistent; a pivot counts as
/// zero below `zero` times its column's largest entry. pivots: count integers. Returns the rank.
int zn_lcp_solve_table(int count, double *table, double zero, double *x, int *pivots);

/// Solve A_SS z_S = -b_S for the rows `index` (count of them), z = 0 elsewhere, as zn_lcp_solve_table does.
/// table: count (count + 2) doubles, pivots: count integers. Returns the rank.
int zn_lcp_solve_active(const zn_lcp_problem *p, int count, const int *index, double *z, double *table, int *pivots);

/// Improve work->z: solve for the rows with z > 0 and the bilateral ones. True when that meets the tolerance;
/// work->z then holds the better answer, else it is as before. Overwrites w, index and table from `table` on.
bool zn_lcp_polish(const zn_lcp_work *work, double *table);

/// The problem without its bilateral rows: w = M z + q, and z_B = X z + y to get back.
typedef struct zn_lcp_reduced {
    zn_lcp_problem p;     ///< bilateral = 0
    double        *back;  ///< bilateral x (n + 1): eliminated rows [A_BB A_BU b_B]
    int           *pivot; ///< bilateral: column of each eliminated row
    int            rank;
    double        *rest; ///< what is left of the table
} zn_lcp_reduced;

/// Eliminate the bilateral rows (all of them when they are independent). Uses work->table and work->index.
void zn_lcp_reduce(const zn_lcp_work *work, zn_lcp_reduced *out);
/// z of all rows from the unilateral part in work->z[bilateral ...].
void zn_lcp_expand(const zn_lcp_work *work, const zn_lcp_reduced *reduced);

#endif
