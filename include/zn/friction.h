/// @file friction.h
/// Coulomb friction problems, usable on their own: matrices and cones only, never bodies or time.
#ifndef ZN_FRICTION_H
#define ZN_FRICTION_H

#include <stdbool.h>

#include "zn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Matrix by compressed rows: row i is entries [start[i], start[i + 1]), columns ascending.
typedef struct zn_fc_matrix {
    int           rows, columns;
    const int    *start;
    const int    *column;
    const double *value;
} zn_fc_matrix;

/// Frictional contact problem in reduced form, equations first:
///     u = W r + q,    u_i = 0, r_i free                                   for i < bilateral
///     contact c owns rows [first[c], first[c + 1]): the normal, then 0, 1 or 2 tangents, with Coulomb's law
///     K* contains (u_N + mu |u_T|, u_T), orthogonal to r in K = { |r_T| <= mu r_N }.
/// A contact without tangents (or mu = 0) is frictionless. W need not be symmetric.
/// Moments against rolling and spinning are followers: contact c with leader[c] >= 0 owns 1 or 2 rows without a normal,
///     |r_c| <= mu_c r_N of the leader,  u_c = 0 inside,  u_c opposite to r_c on the border,
/// and comes after its leader with nothing but followers of the same one between them.
typedef struct zn_fc_problem {
    int                 n;         ///< all rows
    int                 bilateral; ///< the first rows, which are equations
    int                 contacts;
    const int          *first;  ///< contacts + 1, first[0] == bilateral, first[contacts] == n
    const double       *W;      ///< n x n, row-major; NULL: given by `sparse`
    const double       *q;      ///< n
    const double       *mu;     ///< contacts, >= 0
    const zn_fc_matrix *sparse; ///< instead of W: n x n
    const int          *leader; ///< contacts: whose normal reaction bounds it, -1: it has its own; NULL: all have
} zn_fc_problem;

/// The same before the velocities v are eliminated:  M v = H r + f,  u = H' v + w.
typedef struct zn_fc_global {
    int                 n;    ///< velocities
    int                 rows; ///< of u and r
    int                 bilateral;
    int                 contacts;
    const int          *first;
    const zn_fc_matrix *M;  ///< n x n, symmetric positive definite, both triangles
    const zn_fc_matrix *H;  ///< n x rows
    const double       *f;  ///< n
    const double       *w;  ///< rows
    const double       *mu; ///< contacts
} zn_fc_global;

/// Which residual the tolerance is about.
typedef enum zn_fc_measure {
    ZN_FC_MEASURE_NATURAL, ///< zn_fc_residual, independent of units
    ZN_FC_MEASURE_FCLIB    ///< zn_fc_residual_fclib, as Siconos and FCLIB judge
} zn_fc_measure;

/// Solvers by word: "auto"; "gauss_seidel", "anderson"; "newton_alart_curnier", "newton_jean_moreau"; "admm";
/// "interior_point"; and for few contacts with at most one tangent "lemke" and "enumerate".
typedef struct zn_fc_settings {
    const char   *solver;
    int           max_iterations; ///< 0: chosen by the solver
    double        tolerance;      ///< on the measure
    zn_fc_measure measure;        ///< default natural
    bool          keep_best;      ///< also without convergence: the best iterate goes to r and u
    double enough; ///< > tolerance: where an iterate is as good and solvers stall, auto tries no slow ones; 0: none
    bool   settle; ///< sweeps over piles of bodies: contacts have momentum of their own from one to the next, and
                   ///< those at rest are to miss their law by much less than the tolerance
    double effort; ///< most work of a call, told in sweeps (products with W), no matter how it is split between
                   ///< solvers; 0: of auto what takes some minutes (at least 5000), of others no bound; INFINITY: none
    double time_limit; ///< [s], asked for between iterations; 0: none. The only setting that makes answers depend on a
                       ///< clock
} zn_fc_settings;

typedef struct zn_fc_info {
    const char *solver; ///< the one that gave the answer; also "closed_form", "newton" (few contacts), "warm_start"
    int         iterations;
    double      residual;       ///< zn_fc_residual of the answer, or of the best iterate
    double      residual_fclib; ///< likewise zn_fc_residual_fclib
    const char *reason;         ///< why there is no answer; NULL with ZN_OK
} zn_fc_info;

ZN_API zn_fc_settings zn_fc_settings_default(void);
ZN_API const char    *zn_fc_solver_name(int index); ///< all words, "auto" first; NULL beyond

/// Memory of the solvers. It grows when a problem needs more, and is kept for the next one: problems of a size that has
/// been solved before need no heap (but for factors of large sparse matrices, which Newton and ADMM may make).
typedef struct zn_fc_workspace zn_fc_workspace;

ZN_API zn_status        zn_fc_workspace_create(zn_fc_workspace **out);
ZN_API zn_fc_workspace *zn_fc_workspace_destroy(zn_fc_workspace *workspace); ///< accepts NULL, returns NULL
/// Make room for any reduced problem with a dense W of this size, whatever "auto" may try.
ZN_API zn_status        zn_fc_workspace_reserve(zn_fc_workspace *workspace, int n, int contacts);

/// r: warm start in (zero is fine), answer out; u: W r + q out; both untouched unless ZN_OK (or keep_best). ZN_OK means
/// that the measure recomputed from r meets the tolerance. info may be NULL.
ZN_API zn_status zn_fc_solve(const zn_fc_problem *p, const zn_fc_settings *settings, zn_fc_workspace *workspace,
                             double *r, double *u, zn_fc_info *info);

/// The same for a global problem; v (n) may be NULL. The measures are those of the reduced problem.
ZN_API zn_status zn_fc_solve_global(const zn_fc_global *p, const zn_fc_settings *settings, zn_fc_workspace *workspace,
                                    double *v, double *r, double *u, zn_fc_info *info);

/// Eliminate v:  W = H' M^-1 H (sparse), q = w + H' M^-1 f. `out` lives in the workspace until its next use.
ZN_API zn_status zn_fc_reduce(const zn_fc_global *p, zn_fc_workspace *workspace, zn_fc_problem *out);

/// What is wrong with a problem, as one sentence in `message` (`size` bytes): sizes, numbers that are not finite,
/// mu < 0, and W that is not symmetric (by more than 1 % of its diagonal) or not positive semidefinite, both of which
/// zn_fc_solve itself tolerates. ZN_OK and an empty message when nothing is.
ZN_API zn_status zn_fc_check(const zn_fc_problem *p, char *message, size_t size);
ZN_API zn_status zn_fc_check_global(const zn_fc_global *p, char *message, size_t size);

/// The judge: natural map of the cones, computed from r alone and independent of units. With d the mean diagonal of
/// W over a contact's rows (bilateral: of the row itself), rho = 1 / d and P the projection on the contact's cone,
///     max over contacts of sqrt(d) | r - P(r - rho (u_N + mu |u_T|, u_T)) |,  bilateral |u_i| / sqrt(d_i),
/// followers sqrt(d) | r - P(r - rho u) | with P the projection on their disk,
/// over max_i (|q_i| + sum_j |W_ij r_j|) / sqrt(d), at most a thousand times max_i |q_i| / sqrt(d), plus what rounding
/// of larger terms may hide, so that reactions that grow without bound hide nothing; 0 when that scale is zero.
ZN_API double zn_fc_residual(const zn_fc_problem *p, const double *r);

/// As Siconos' fc3d_compute_error and FCLIB measure it, which depends on units: rho = 1, the norm over all contacts
///     sqrt(sum | r - P(r - (u_N + mu |u_T|, u_T)) |^2 + sum of bilateral u_i^2) / max(|q|, |r|, |u|),
/// not divided when that is below the machine's epsilon.
ZN_API double zn_fc_residual_fclib(const zn_fc_problem *p, const double *r);

#ifdef __cplusplus
}
#endif
#endif
