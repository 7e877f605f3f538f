/// The answer of a system to many frictionless contacts and joints at once, without a column of the inverse matrix for
/// each of them:
///
///     A x = f + H' z,   w = c + G x,   0 <= w _|_ z >= 0 (contacts),   w = 0 (equations)
///
/// Contacts that repeat each other, as two faces that lie on each other have them, share their load in many ways. So
/// proximal points are followed, each of which has one answer: w + e (z' - z) in place of w, e a small part of the
/// diagonal of G A^-1 H'. While a set of contacts acts, z' can be eliminated from that,
///
///     (A + sum H_k' G_k / e_k) x = f + sum H_k' (z_k - c_k / e_k),
///
/// a sparse matrix that costs about as much as A. The set is changed until no contact pulls and none is passed; once it
/// stays, a proximal point costs one solve. A has the changes of H with q in it, A = A0 - d(H'p)/dq, on the same
/// pattern, which is made anew when a contact comes to degrees of freedom that are not yet in it.
#ifndef ZN_CONSTRAINT_MANY_CONTACTS_H
#define ZN_CONSTRAINT_MANY_CONTACTS_H

#include "constraint/constraints.h"
#include "constraint/curved_matrix.h"
#include "system/between.h"

typedef struct zn_many_contacts {
    const zn_system *sys;
    const char      *linear_solver;
    zn_curved_matrix matrix;
    double          *bent; ///< values of A
    int              capacity;
    bool            *active;         ///< per listed row
    double          *e, *centre, *w; ///< per listed row: weight, proximal point before, gap
    double           part;           ///< of the diagonal of G A^-1 H', that e is
    double          *right;          ///< n
    double          *unit, *image;   ///< n_all, zeros between calls
} zn_many_contacts;

/// What is solved. Rows are those of the list: z of its places is the warm start and the answer.
typedef struct zn_many_problem {
    zn_rows            G, H;
    const zn_row_list *list;
    const double      *c;         ///< per place of the list
    const double      *f;         ///< n
    double             rounding;  ///< of gaps: what is less is nothing
    double             tolerance; ///< of gaps, relative to the largest
} zn_many_problem;

zn_status zn_many_contacts_create(const zn_system *sys, const char *linear_solver, zn_many_contacts *out);
void      zn_many_contacts_destroy(zn_many_contacts *m);
/// Pattern and factors, so that a run that goes on has the same bits as a resumed one.
void      zn_many_contacts_forget(zn_many_contacts *m);

/// A = A0 - d(H'p)/dq of the listed contacts, multipliers p per row of the set, q at the end.
zn_status zn_many_contacts_bend(zn_many_contacts *m, const zn_sparse *A0, const zn_contact_set *set,
                                const zn_row_list *list, zn_between s, const double *p);
/// ZN_NOT_CONVERGED where no set of contacts was found, or matrices were singular: x and z mean nothing then.
zn_status zn_many_contacts_solve(zn_many_contacts *m, const zn_many_problem *problem, double *z, double *x,
                                 zn_solved *out);

#endif
