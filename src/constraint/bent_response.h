/// How a system answers to impulses on constraints whose forces turn with the unknowns:
///
///     A = A0 - U C U',   C = d(H'p)/dx on the degrees of freedom U of the listed rows,
///     A^-1 U = X B^-1,   X = A0^-1 U,  S = U'X,  B = 1 - C S,      W = G A^-1 H' = g S B^-1 h',   H = h U', G = g U'
///
/// A0 has the pattern of the system and keeps its symbolic factors while contacts come and go; what they add is small
/// and dense. Costs one solve per degree of freedom of the listed rows.
#ifndef ZN_CONSTRAINT_BENT_RESPONSE_H
#define ZN_CONSTRAINT_BENT_RESPONSE_H

#include "constraint/rows.h"
#include "system/between.h"
#include "zn/math.h"

typedef struct zn_bent_response {
    const zn_system *sys;
    int              count, capacity; ///< degrees of freedom of the listed rows; room for so many
    int             *dof;             ///< their numbers
    int             *place;           ///< n_all: place of each in `dof`, -1: not there
    int              rows, row_capacity;
    double          *X;     ///< column by column
    double          *S, *C; ///< row by row
    double          *B;     ///< its factors
    int             *pivot;
    bool             bends;        ///< C is not zero
    double          *T;            ///< B^-1 h', one column of `count` after the other
    double          *local;        ///< capacity
    double          *unit, *image; ///< n_all, zeros between calls
} zn_bent_response;

zn_status zn_bent_response_create(const zn_system *sys, zn_bent_response *out);
void      zn_bent_response_destroy(zn_bent_response *r);
/// Room for so many degrees of freedom and rows; what is kept is lost where there was less.
zn_status zn_bent_response_reserve(zn_bent_response *r, int dofs, int rows);

/// Room for the listed rows; grows, and allocates only then. C is zero.
zn_status zn_bent_response_list(zn_bent_response *r, zn_rows rows, const zn_row_list *list);
/// C of contacts with multipliers p per row of the set, where each listed one adds its part: changes with q at the end.
zn_status zn_bent_response_bend(zn_bent_response *r, const zn_contact_set *set, const zn_row_list *list, zn_between s,
                                const double *p);
/// With the factors of A0. Where B is singular, as without C.
zn_status zn_bent_response_factor(zn_bent_response *r, zn_linsolver *solver);
/// x = A^-1 x
zn_status zn_bent_response_solve(const zn_bent_response *r, zn_linsolver *solver, double *x);
/// W of the listed rows, row by row.
void      zn_bent_response_assemble(zn_bent_response *r, zn_rows G, zn_rows H, const zn_row_list *list, double *W);
/// x += A^-1 H' p for the listed rows, which were assembled last.
void      zn_bent_response_add(const zn_bent_response *r, const double *p, double *x);

#endif
