/// @file friction.h
/// Coulomb friction problems, usable on their own: matrices and cones only, never bodies or time.
#ifndef ZN_FRICTION_H
#define ZN_FRICTION_H

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
typedef struct zn_fc_problem {
    int                 n;         ///< all rows
    int                 bilateral; ///< the first rows, which are equations
    int                 contacts;
    const int          *first; ///< contacts + 1, first[0] == bilateral, first[contacts] == n
    const double       *W;     ///< n x n, row-major; NULL: given by `sparse`
    const double       *q;     ///< n
    const double       *mu;    ///< contacts, >= 0
    const zn_fc_matrix *sparse; ///< instead of W: n x n
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

typedef struct zn_fc_settings {
    const char   *solver;         ///< "auto", "gauss_seidel", "lemke" (at most one tangent), "enumerate" (likewise, few contacts)
    int           max_iterations; ///< 0: chosen by the solver
    double        tolerance;      ///< on the measure
    zn_fc_measure measure;        ///< default natural
} zn_fc_settings;

typedef struct zn_fc_info {
    const char *solver; ///< the one that gave the answer
    int         iterations;
    double      residual; ///< zn_fc_residual of the answer
} zn_fc_info;

ZN_API zn_fc_settings zn_fc_settings_default(void);

/// Bytes of scratch that zn_fc_solve needs.
ZN_API size_t zn_fc_scratch(int n, int contacts);

/// r: warm start in, answer out (untouched unless ZN_OK); u: W r + q out.
ZN_API zn_status zn_fc_solve(const zn_fc_problem *p, const zn_fc_settings *settings, double *r, double *u,
                             void *scratch, zn_fc_info *info);

/// The judge: natural map of the cones, computed from r alone and independent of units. With d the mean diagonal of
/// W over a contact's rows (bilateral: of the row itself), rho = 1 / d and P the projection on the contact's cone,
///     max over contacts of sqrt(d) | r - P(r - rho (u_N + mu |u_T|, u_T)) |,  bilateral |u_i| / sqrt(d_i),
/// over max_i (|q_i| + sum_j |W_ij r_j|) / sqrt(d); 0 when that scale is zero.
ZN_API double zn_fc_residual(const zn_fc_problem *p, const double *r);

#ifdef __cplusplus
}
#endif
#endif
