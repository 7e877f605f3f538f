/// What the friction solvers share. Two families: dense ones for few contacts, which work on a scaled copy of W
/// (zn_fc_work), and those for any number, which work on blocks (zn_fc_task). Solvers propose, zn_fc_judge disposes.
#ifndef ZN_SOLVE_FRICTION_H
#define ZN_SOLVE_FRICTION_H

#include <math.h>
#include <stdbool.h>

#include "base/assert.h"
#include "solve/anderson.h"
#include "solve/friction_blocks.h"
#include "solve/friction_momentum.h"
#include "solve/lcp.h"
#include "zn/solve.h"
#include "zn/math.h"

// --- the caller's problem ------------------------------------------------------------------------

/// Entries of a row of W; `column` is NULL when there is one for each column.
typedef struct zn_fc_row {
    int           count;
    const int    *column;
    const double *value;
} zn_fc_row;

static inline zn_fc_row zn_fc_row_of(const zn_fc_problem *p, int i)
{
    ZN_ASSERT(i >= 0 && i < p->n && (p->W || p->sparse));
    if (p->W != NULL)
        return (zn_fc_row){p->n, NULL, p->W + (size_t)i * p->n};
    const zn_fc_matrix *m = p->sparse;
    return (zn_fc_row){m->start[i + 1] - m->start[i], m->column + m->start[i], m->value + m->start[i]};
}

/// The contact whose normal reaction bounds contact c; -1: its own.
static inline int zn_fc_leader(const zn_fc_problem *p, int c)
{
    ZN_ASSERT(c >= 0 && c < p->contacts);
    return p->leader != NULL ? p->leader[c] : -1;
}

/// Radius of the disk of a follower.
static inline double zn_fc_radius(const zn_fc_problem *p, int c, const double *r)
{
    double normal = r[p->first[zn_fc_leader(p, c)]];
    return normal > 0 ? p->mu[c] * normal : 0;
}

/// Tangents that matter: none without friction.
static inline int zn_fc_tangents(const zn_fc_problem *p, int c)
{
    ZN_ASSERT(c >= 0 && c < p->contacts);
    return p->mu[c] > 0 ? p->first[c + 1] - p->first[c] - 1 : 0;
}

/// d of the rows [first, last), as in zn_fc_residual.
double zn_fc_block_size(const zn_fc_problem *p, int first, int last);
/// | r - P(r - (u_N + mu |u_T|, u_T) / d) | of one contact.
double zn_fc_natural_map(int rows, double mu, double d, const double *r, const double *u);
/// | r - P(r - u / d) | of a follower, P the projection on the disk of this radius.
double zn_fc_disk_map(int rows, double radius, double d, const double *r, const double *u);
/// The measure of r, and u = W r + q unless NULL. `scale`: NULL, or by which factor the rows were scaled (W = S W0 S);
/// the measure is about what it was before.
double zn_fc_judge(const zn_fc_problem *p, const double *scale, zn_fc_measure measure, const double *r, double *u);
/// Both measures at once, as zn_fc_info has them, and the one asked for, which reactions that grow without bound cannot
/// fool.
typedef struct zn_fc_verdict {
    double asked, natural, fclib;
} zn_fc_verdict;
zn_fc_verdict zn_fc_judge_both(const zn_fc_problem *p, zn_fc_measure measure, const double *r, double *u);
/// The same of a problem that several processes share: the terms of the contacts of one, whose rows come first and may
/// have columns beyond n; terms of all; the verdict on them.
typedef struct zn_fc_terms {
    double worst, scale, data; ///< natural: the largest violation, its scale, that of q alone
    double squares;            ///< FCLIB: sum of squares
    double total;              ///< of all magnitudes: finite or not
    double q, r, u;            ///< |q|^2, |r|^2, |u|^2 in the caller's units
} zn_fc_terms;
void          zn_fc_judge_terms(const zn_fc_problem *p, const double *r, double *u, zn_fc_terms *out);
void          zn_fc_add_terms(const zn_fc_terms *more, zn_fc_terms *sum);
zn_fc_verdict zn_fc_judge_all(zn_fc_measure measure, const zn_fc_terms *all);
/// Bring reactions that are outside of their cone by round-off back into it.
void          zn_fc_clean(const zn_fc_problem *p, double *r);
/// The natural measure of r with its velocities u, of a problem whose matrix nobody has: `size` of each row, the mean
/// diagonal of W over its contact, only weighs. |W r| stands for the sum of |W_ij r_j| in its scale: never less.
/// What it is made of comes first, so that several processes can judge one problem: the largest of each.
typedef struct zn_fc_weights {
    double worst, scale, data, total;
} zn_fc_weights;
zn_fc_weights zn_fc_weigh_velocities(const zn_fc_problem *p, const double *size, const double *r, const double *u);
double        zn_fc_judge_weights(const zn_fc_weights *w);
/// The measure of r = 0 in a problem without equations, without touching W but for its diagonal.
double        zn_fc_judge_zero(const zn_fc_problem *p, zn_fc_measure measure);

/// z = P(v) on the cone |v_T| <= mu v_N; mu < 0: on the whole space.
void zn_fc_project(int rows, double mu, const double *v, double *z);

/// Exact solution of one contact u = W r + q with 1 to 3 rows of a matrix with `stride`. False when there is none (or,
/// without positive definite W, none was found); r is then as before. In: a guess, or zero.
bool zn_fc_solve_contact(int rows, const double *W, int stride, const double *q, double mu, double *r);

/// The same with three rows and what was made of W before; W with a stride. `near`: how far |r_T| may be from mu r_N,
/// relative, before a last step of Newton's method, which leaves about the square of it.
#define ZN_FC_EXACTLY 1e-8
zn_fc_local zn_fc_local_of(const double *W, int stride);
bool        zn_fc_solve_local(const zn_fc_local *local, const double *q, double mu, double near, double *r);

/// Exact solution of u = W r + q with 1 or 2 rows, r in the disk of this radius and opposite to u on its border. False
/// when there is none; r is then as before.
bool zn_fc_solve_disk(int rows, const double *W, int stride, const double *q, double radius, double *r);

/// Sweeps that are left at the rate of `count` of them, which changed the measure from `before` to `after`.
static inline double zn_fc_sweeps_left(double before, double after, int count, double tolerance)
{
    ZN_ASSERT(count > 0);
    return after < before ? count * zn_ln(after / fmax(tolerance, 1e-300)) / zn_ln(before / after) : INFINITY;
}

/// Up to `most` Gauss-Seidel sweeps from r = 0, whose measure is `zero`, in the caller's units; no bilateral rows.
/// Gives up as soon as the rate says that they will not do; r is then where it stopped. `iterations` is counted on.
zn_status zn_fc_plain(const zn_fc_problem *p, const zn_fc_settings *settings, int most, double zero, double *r,
                      double *u, zn_fc_verdict *verdict, int *iterations);

// --- dense solvers for few contacts --------------------------------------------------------------

/// Of a contact. Frictionless ones are open or slipping.
typedef enum zn_fc_status { ZN_FC_OPEN, ZN_FC_STICK, ZN_FC_SLIP } zn_fc_status;

/// One unknown of the equations for given statuses: r changes by `right` in the rows from `row` on, and the equation is
/// `left` times u there, plus `shift` times the unknown.
typedef struct zn_fc_unknown {
    int    row, left_rows, right_rows;
    double shift, left[3], right[3];
} zn_fc_unknown;

typedef struct zn_fc_work {
    zn_fc_problem  p;     ///< scaled to a diagonal of about 1, one factor per contact
    double        *scale; ///< n: the factors
    zn_fc_measure  measure;
    int            max_iterations; ///< 0: the solver's choice
    double         tolerance;
    double        *r;         ///< n, warm start in, proposal out
    double        *u;         ///< n, free for the solver
    int           *status;    ///< contacts: zn_fc_status
    double        *slip;      ///< 2 per contact: direction of slip, a unit vector along u_T
    zn_fc_unknown *unknowns;  ///< n, for zn_fc_solve_statuses, as are
    double        *equations; ///< n (n + 2)
    int           *pivots;    ///< n
    double        *table;     ///< ZN_FC_TABLE(zn_fc_lcp_rows), free for the solver; NULL: not for this one
    int           *index;     ///< 4 zn_fc_lcp_rows, free for the solver
} zn_fc_work;

/// Rows of friction_lemke.c's problem: two more than n per tangent, and no more tangents than either count allows.
static inline size_t zn_fc_lcp_rows(int n, int contacts)
{
    int tangents = contacts < n - contacts ? contacts : n - contacts;
    return (size_t)n + 2 * (size_t)(tangents > 0 ? tangents : 0);
}

/// Doubles of zn_fc_work.table for `rows` = zn_fc_lcp_rows: matrix, right-hand side, z, w and the table of an LCP.
#define ZN_FC_TABLE(rows) ((rows) * (rows) + 3 * (rows) + ZN_LCP_TABLE(rows))

/// The scaled copy, with r not set; `tables`: with the memory that enumeration and Lemke's method need.
zn_status zn_fc_work_create(const zn_fc_problem *p, zn_fc_workspace *memory, bool tables, zn_fc_work *work);
/// What it takes of a workspace.
size_t    zn_fc_work_bytes(int n, int contacts);

/// One solver: ZN_OK with a proposal in work->r, or why there is none. `iterations` is counted on.
typedef zn_status zn_fc_dense_method(const zn_fc_work *work, int *iterations);

zn_fc_dense_method zn_fc_statuses, zn_fc_enumerate, zn_fc_lemke;

/// Largest number of status combinations for zn_fc_enumerate: five planar contacts.
enum { ZN_FC_ENUMERATE_SETS = 1024 };
/// Largest number of rows for which zn_fc_workspace_reserve makes room for Lemke's method, whose table has up to 36
/// times as many entries as W, and of a part for zn_fc_solve_parts.
enum { ZN_FC_LEMKE_ROWS = 300, ZN_FC_LEMKE_PART_ROWS = 600 };
/// How many combinations there are, or -1 when they are too many or a contact has two tangents.
int zn_fc_count_sets(const zn_fc_problem *p);

/// zn_fc_judge of work->p.
static inline double zn_fc_judge_work(const zn_fc_work *work, double *u)
{
    return zn_fc_judge(&work->p, work->scale, work->measure, work->r, u);
}

/// Statuses and slip directions that the reactions work->r belong to.
void zn_fc_read_statuses(const zn_fc_work *work);

/// Solve for the statuses and slip directions of `work`, starting from work->r: what the equations leave undetermined
/// stays as it is there. With two tangents this is one Newton step. Overwrites u.
void zn_fc_solve_statuses(const zn_fc_work *work);

// --- solvers on blocks ---------------------------------------------------------------------------

/// What a call has done and may do, in sweeps: all solvers together. All zero: no bounds.
typedef struct zn_fc_effort {
    double spent, most; ///< most: 0: any
    double end;         ///< of the clock [s]; 0: none
    bool   over, late;
} zn_fc_effort;

/// May work of this cost begin? Once it may not, nothing may. NULL: it may.
bool zn_fc_afford(zn_fc_effort *effort, double sweeps);

typedef struct zn_fc_task {
    zn_fc_blocks        b;
    zn_fc_effort       *effort;        ///< NULL: no bounds
    double              factor_sweeps; ///< cost of factors of all blocks; 0: not yet asked for
    struct zn_fc_twins *twins;         ///< groups that were found (friction_twins.h); NULL: not looked for
    zn_fc_workspace    *memory;
    zn_fc_measure       measure;
    double              tolerance, enough;
    int                 limit;      ///< iterations of this solver; 0: its choice
    bool                cold;       ///< no warm start was given
    bool                momentum;   ///< accelerated sweeps: by the momentum of single contacts
    int                 iterations; ///< of all solvers so far
    double             *r, *u;      ///< n, scaled: warm start in, proposal out; u = W r + q after zn_fc_look
    double             *best;       ///< n: the r of the smallest measure that was looked at
    double              best_measure;
    double              seen;   ///< the last measure that was looked at
    const char         *solver; ///< the one that is at work, when a method calls others
    const char         *reason; ///< why a solver gave up
} zn_fc_task;

/// One solver: ZN_OK when the measure of task->r meets the tolerance, ZN_NOT_CONVERGED with a reason otherwise (task->r
/// is then where it stopped), or an error.
typedef zn_status zn_fc_method(zn_fc_task *task);

zn_fc_method zn_fc_gauss_seidel, zn_fc_anderson, zn_fc_newton_alart_curnier, zn_fc_newton_jean_moreau, zn_fc_admm,
    zn_fc_interior_point;
zn_fc_method zn_fc_interior_path; ///< the first half of it: where that stalls the point is a good start for others

/// Block c with what the others do to it in q, its reactions in r of all. False when it has no solution: they stay.
bool      zn_fc_solve_block(const zn_fc_blocks *b, int c, const double *q, double *r);
/// task->r meets the tolerance and task->u and task->seen belong to it: contacts at rest are held better than that.
zn_status zn_fc_settle(zn_fc_task *task);

/// What a sweep did: weighted squares of changes, the largest of them, squares of reactions, blocks without solution.
typedef struct zn_fc_swept {
    double squares, largest, reactions;
    int    stuck;
} zn_fc_swept;
/// The blocks [from, to) of one sweep, added to `sums`.
void   zn_fc_sweep_some(const zn_fc_blocks *b, int from, int to, double *r, zn_fc_swept *sums);
/// The estimate of a whole one; `q_norm` as in zn_fc_blocks.
double zn_fc_sweep_estimate(zn_fc_measure measure, double q_norm, const zn_fc_swept *sums);
/// One sweep of Gauss-Seidel; returns an estimate of the measure from how far the reactions went. `stuck` counts on
/// blocks without solution.
double zn_fc_sweep(zn_fc_task *task, int *stuck);

/// How fast sweeps converge: from the start, and in the last half or more of them, as differences take some to work.
typedef struct zn_fc_pace {
    int    step[2]; ///< where two looks were, the older first
    double measure[2], first;
} zn_fc_pace;

/// Accelerated sweeps that can be interrupted.
typedef struct zn_fc_accelerated {
    zn_anderson    h;
    zn_fc_momentum momentum; ///< instead of `h` while `gathers`
    bool           gathers;
    int            began; ///< step from which `h` is in use
    zn_fc_pace     pace;
    int            step, next_look, stays;
    double         last, ratio; ///< ratio: of the measure to what a sweep estimates
} zn_fc_accelerated;

/// From task->r, after a look at it. Takes memory.
zn_status zn_fc_anderson_begin(zn_fc_task *task, zn_fc_accelerated *w);
/// Up to `end` sweeps in all, from where they were interrupted, which is in task->r. With `patience` they end as soon
/// as more than that are expected in all, by their pace after at least `fair` of them.
zn_status zn_fc_anderson_go_on(zn_fc_task *task, zn_fc_accelerated *w, int end, int fair, int patience);

/// Accelerated sweeps that give up as soon as more than `patience` of them are expected; task->seen and task->u belong
/// to task->r.
zn_status zn_fc_anderson_within(zn_fc_task *task, int fair, int patience);

/// zn_fc_solve without giving back the memory that is in use.
zn_status zn_fc_solve_within(const zn_fc_problem *p, const zn_fc_settings *settings, zn_fc_workspace *workspace,
                             double *r, double *u, zn_fc_info *info);

/// Solve parts that are not connected with others by Lemke's method, the worst first, beginning from r in the caller's
/// units. In the plane only.
zn_status zn_fc_solve_parts(const zn_fc_problem *p, const zn_fc_settings *settings, zn_fc_workspace *memory, double *r,
                            int *iterations);

/// Why there is no answer, from the best reactions (or NULL) and what the solver says (or NULL).
const char *zn_fc_explain(const zn_fc_problem *p, zn_status status, const double *r, const char *reason);

/// u = W r + q, the measure of r, and a note when it is the best so far.
double zn_fc_look(zn_fc_task *task);
/// The same with u known.
double zn_fc_note(zn_fc_task *task);
/// Go back to the best.
void   zn_fc_recall(zn_fc_task *task);

#endif
