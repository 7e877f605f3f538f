/// Evaluation between two states, for schemes that conserve energy and momentum: forces whose work is the loss of
/// energy, their tangents at the end, and rows along which multipliers act. A scheme asks once, at its creation,
/// whether everything in the model has them.
#ifndef ZN_SYSTEM_BETWEEN_H
#define ZN_SYSTEM_BETWEEN_H

#include "model/between.h"
#include "zn/system.h"

/// The first element or contact without an operation between two states.
typedef struct zn_lacking {
    const char *what;   ///< "part", "load", "contact" or "joint"
    const char *name;   ///< of it in the model
    const char *kind;   ///< of element or contact
    const char *reason; ///< the end of a sentence
} zn_lacking;

/// `out` is set when something lacks.
bool      zn_system_lacks_between(const zn_system *sys, zn_lacking *out);
/// For the creation of a scheme: ZN_ERR_UNSUPPORTED with a message that names what lacks, ZN_OK where nothing does.
zn_status zn_system_refuse_between(const zn_system *sys, const char *scheme);

// What follows is for systems where nothing lacks.

/// As zn_system_force: with d the way between the states (zn_system_way), f.d is the loss of potential energy, the work
/// of loads at the middle of the times and what dampers take at the mean velocity.
zn_status zn_system_force_between(const zn_system *sys, zn_between s, double *f);
/// The part of it that applied loads have; its work on the way is theirs, but for what a rate adds, a damper's.
zn_status zn_system_load_between(const zn_system *sys, zn_between s, double *f);
/// What potentials that depend on time gain beyond the work of their force: the work of what moves them, a load's.
zn_status zn_system_growth_between(const zn_system *sys, zn_between s, double *out);
/// out = a M + b C + c K with K = -df/dq, C = -df/dv of this force at the end. K is not symmetric.
zn_status zn_system_operators_between(const zn_system *sys, zn_between s, double a, double b, double c, zn_sparse *out);

/// The way of a step by d, on which these forces do their work: h times the mean velocity. Translations are d, a turn
/// d gives 2 tan(|d|/2) d/|d|. ZN_INVALID_STATE where that is more than half a turn.
zn_status zn_system_way(const zn_system *sys, const double *d, double *way);
/// The step that has this way.
void      zn_system_way_inverse(const zn_system *sys, const double *way, double *d);
/// a <- a dw/dq, w the way and q at the end.
void      zn_system_way_columns(const zn_system *sys, const double *way, zn_sparse *a);
/// The derivative by q at the end of M (v' - v)/h - f, where v + v' = 2 way/h: ((2/h^2) M + (2/h) C) dw/dq + K.
zn_status zn_system_step_matrix(const zn_system *sys, zn_between s, const double *way, double h, zn_sparse *out);

/// As zn_contact_set_evaluate at the end; rows of the force, entry by entry beside set->row_value, into `force`
/// (row_capacity).
zn_status zn_contact_set_evaluate_between(zn_contact_set *set, const zn_system *sys, zn_between s, double *force);
/// y = d(H' lambda)/dq x with q at the end and H the rows of the force; lambda per row.
zn_status zn_contact_set_curvature_between(const zn_contact_set *set, const zn_system *sys, zn_between s,
                                           const double *lambda, const double *x, double *y);

#endif
