/// Newmark's scheme for a linear part: what its files share.
///     newmark_linear.c         the step, as a partner
///     newmark_linear_links.c   matrices, and how velocities answer to links
///     newmark_linear_ledger.c  energies, works and the residual at its end
#ifndef ZN_SCHEME_NEWMARK_LINEAR_H
#define ZN_SCHEME_NEWMARK_LINEAR_H

#include "base/wide.h"
#include "math/columns.h"
#include "math/linsolver.h"
#include "math/stripes.h"
#include "scheme/partner.h"
#include "scheme/scheme.h"
#include "system/forces.h"
#include "system/system.h"

/// The matrix of the step, its factors and what it is made of.
typedef struct newmark_operators {
    zn_sparse    *matrix;
    zn_linsolver *solver;
    const char   *backend;
    zn_sparse    *system; // what the solver factors: matrix without zeros
    zn_sparse    *mass;   // likewise; its columns are its rows
    zn_stripes    stiffness;
    bool          lumped;         // the mass is diagonal:
    double       *diagonal;       // this one
    bool          plain;          // it is, and neither the scheme nor supports need M a': only the residual looks at it
    bool          heavy_supports; // fixed degrees of freedom feel the acceleration of others: consistent masses
    double        size;           // of the step that the factors belong to; negative: there are none
    zn_columns    columns;        // of A^-1 at the links
    bool          condensed;      // they are kept
    zn_linsolver *joined;         // factors of A~; NULL: columns or A do it
    double       *other;          // response of the other part, at the links
    double       *x;              // A~ x = what was asked last
} newmark_operators;

typedef struct newmark_past {
    bool    started;
    double  load_time; // of the load at the beginning; t of the state but for rounding
    double *u, *a, *push;
    double *last_u; // of the step before
} newmark_past;

/// Of the start, and of the beginning of the next step, recomputed when not `known`.
typedef struct newmark_begin {
    bool      known;
    double   *first_strain; // f_0
    zn_energy first;        // E_0
    double   *strain, *last_strain, *inertia, *load, *damper;
} newmark_begin;

/// At the end of the step.
typedef struct newmark_linear_end {
    double *a, *push, *strain, *d, *v, *u, *load, *damper, *inertia;
} newmark_linear_end;

typedef struct newmark_linear {
    const zn_system   *sys;
    double             beta, gamma;
    int                n, n_all;
    zn_force_kinds     kinds;
    newmark_operators  op;
    newmark_past       past;
    newmark_begin      begin;
    double             h;
    double            *free_v, *free_d;
    newmark_linear_end end;
    double            *still, *zero;
    double            *gravity; // its forces
    zn_energy          energy;
    zn_step_info      *info;
    double            *memory; // of all vectors
} newmark_linear;

// Four neighbours of a vector from i on; all have room for a multiple of four.
#define AT(vector)         (*(const zn_four *)((vector) + i))
#define PUT(vector, value) (*(zn_four *)((vector) + i) = (value))

/// The next multiple of four.
static inline int  newmark_linear_pad(int n) { return (n + 3) / 4 * 4; }
/// Does the scheme itself take energy?
static inline bool newmark_linear_dissipates(const newmark_linear *s)
{
    return s->gamma != 0.5 || 2 * s->beta != s->gamma;
}

extern const zn_response_ops newmark_linear_response;
/// Factor the matrix of a step of size h; 0: the mass.
zn_status                    newmark_linear_factor(newmark_linear *s, double h, const zn_state *from);
/// out += A^-1 links over the free degrees of freedom; they are in end.push, too.
zn_status                    newmark_linear_add_links(newmark_linear *s, const double *force, double *out);
/// out = M x at free degrees of freedom, up to the next multiple of four.
void                         newmark_linear_times_mass(const newmark_linear *s, const double *x, double *out);
/// Energies, ledger and residual of the step from `from`, whose forces at the end are known; `work` of the links.
/// ZN_NOT_FINITE: an energy is no number.
zn_status                    newmark_linear_book(newmark_linear *s, const zn_state *from, double *work);

#endif
