/// How the system answers to impulses on rows of constraints:  x += A^-1 H' p,  and W = G A^-1 H'.
///
/// A is a M + b C + c K of the system, factored; or the unit matrix. W comes in two forms: dense, from columns A^-1 H';
/// of a pile, in which no two nodes are coupled, sparse, from one small block per node. Where the columns would take
/// too much memory there is no W: contacts are split from the matrix (splitting.h). Nothing else assembles W, but for a
/// lumped mass (islands.h) and for both levels at once (two_levels.h), which stand on this.
#ifndef ZN_CONSTRAINT_RESPONSE_H
#define ZN_CONSTRAINT_RESPONSE_H

#include "base/blob.h"
#include "constraint/curvature.h"
#include "base/assert.h"
#include "constraint/delassus.h"
#include "math/linsolver.h"
#include "constraint/node_blocks.h"
#include "constraint/splitting.h"
#include "zn/math.h"

enum { ZN_BENT_ROWS = 400 }; ///< of a pile, at most: where contacts bend, W is dense

typedef struct zn_response {
    const zn_system *sys;
    zn_sparse       *matrix;    ///< A; NULL: the unit matrix
    zn_linsolver    *solver;    ///< its factors
    zn_delassus      columns;   ///< A^-1 H'; not where there are blocks
    zn_node_blocks  *blocks;    ///< of a pile; NULL: none
    zn_splitting    *splitting; ///< instead of columns; NULL: none
    double           most;      ///< bytes that columns may take
    zn_near_null    *near;      ///< of a matrix that may be solved with by iteration; NULL: nobody asks
    double           step;      ///< step size that the factors are for; 0: none
    bool             lent;      ///< matrix and factors are somebody else's
    zn_curvature *curvature; ///< NULL: constraints do not bend, or nobody asked. While it is in use, a pile has columns
} zn_response;

/// What the backend's name ends with where contacts are split from the matrix.
#define ZN_WITHOUT_COLUMNS " without columns"

/// `piles`: by blocks where the system allows it. Room for columns: zn_response_reserve.
zn_status zn_response_create(const zn_system *sys, const char *linear_solver, bool piles, zn_response *out);
/// Let columns take so many bytes at most: beyond there are none. Before room is asked for; the caller needs neither
/// W nor columns but for zn_constraints_solve and zn_response_add.
zn_status zn_response_limit_columns(zn_response *r, const char *linear_solver, double bytes);
zn_status zn_response_create_unit(const zn_system *sys, bool piles, zn_response *out);
/// Of factors that somebody else makes: zn_response_lend whenever they are new.
zn_status zn_response_create_lent(const zn_system *sys, int contacts, zn_response *out);
void      zn_response_lend(zn_response *r, zn_linsolver *solver);
void      zn_response_destroy(zn_response *r);
/// Columns for so many contacts; those that were there are lost.
zn_status zn_response_reserve(zn_response *r, int contacts);

/// A = abc[0] M + abc[1] C + abc[2] K at a point, factored, for steps of this size; 0: for what is done at once.
zn_status          zn_response_factor(zn_response *r, zn_at at, const double abc[3], double step);
/// The same with the curvature of constraints, A - d(H'p)/dq for multipliers p per row of the set; where it cannot be
/// factored so, without. Only where that was allowed at creation.
zn_status          zn_response_allow_curvature(zn_response *r, const char *linear_solver);
zn_status          zn_response_bend(zn_response *r, zn_at at, const double abc[3], double step, const zn_bend *bend);
static inline bool zn_response_can_bend(const zn_response *r) { return r->curvature != NULL; }
/// The same for so many listed rows of so many contacts: in large piles the dense W would cost too much.
bool               zn_response_bends(const zn_response *r, int contacts, int rows);
/// W comes from blocks: of a pile whose constraints are not bent.
static inline bool zn_response_in_blocks(const zn_response *r)
{
    return r->blocks && !(r->curvature && r->curvature->used);
}
/// There are factors for steps of this size, without curvature.
bool                  zn_response_is_for(const zn_response *r, double step);
/// Number of these factors, counted from 1; 0: there are none.
static inline int64_t zn_response_factors(const zn_response *r) { return r->step > 0 ? r->columns.factors : 0; }
/// Factors in the history of a scheme: they are not saved, but whoever goes on from a checkpoint starts without, and so
/// does the run that wrote it, to give the same bits; unless, for steps of this size, it will find the same ones again.
void                  zn_response_history(zn_response *r, const zn_blob *blob, double step);
/// x = A^-1 x; a place where a test can make a step fail.
zn_status             zn_response_solve(zn_response *r, double *x);
zn_linsolver_info     zn_response_info(const zn_response *r);

/// Are answers only as exact as an iteration makes them?
static inline bool zn_response_iterates(const zn_response *r) { return zn_linsolver_iterates(r->solver); }

/// Is W of so many rows sparse, in blocks->W?
static inline bool zn_response_is_sparse(const zn_response *r, int rows)
{
    return zn_response_in_blocks(r) && rows > ZN_DENSE_ROWS;
}
/// W = G A^-1 H' of the listed rows, row by row into `W` unless it is sparse.
zn_status zn_response_assemble(zn_response *r, const zn_contact_set *set, zn_rows G, zn_rows H, const zn_row_list *list,
                               double *W);
/// x += A^-1 H' p for the listed rows, which were assembled last.
void      zn_response_add(const zn_response *r, zn_rows H, const zn_row_list *list, const double *p, double *x);
/// x += A^-1 f of a pile that is not bent.
void      zn_response_push(const zn_response *r, const double *f, double *x);
/// Bring the columns of the listed rows up to date, and one of them; NULL for the unit matrix. Not where there are
/// blocks.
zn_status zn_response_update(zn_response *r, const zn_contact_set *set, zn_rows H, const zn_row_list *list);
static inline const double *zn_response_column(const zn_response *r, int row)
{
    ZN_ASSERT(row >= 0 && (!r->solver || row < r->columns.capacity));
    return r->solver ? r->columns.column + (size_t)row * (size_t)r->columns.n : NULL;
}
/// y += factor A^-1 H_row'
void   zn_response_add_row(const zn_response *r, zn_rows H, int row, double factor, double *y);
/// G_i A^-1 H_j'
double zn_response_product(const zn_response *r, zn_rows G, int i, zn_rows H, int j);

#endif
