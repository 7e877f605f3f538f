/// What a linear-solver backend offers. One const table per backend file; the list is in linsolver.c.
#ifndef ZN_MATH_LINSOLVER_H
#define ZN_MATH_LINSOLVER_H

#include "math/near_null.h"
#include "zn/math.h"

typedef struct zn_linsolver_ops {
    const char *name;
    /// Analyze the pattern of `a` (n > 0, borrowed during the call) and reserve all memory of ours.
    zn_status (*create)(const zn_sparse *a, void **self);
    /// The same with what the matrix hardly resists, borrowed for the life of the solver; NULL: of no use.
    zn_status (*create_near)(const zn_sparse *a, const zn_near_null *near, void **self);
    /// Factor the values of `a`; `fresh` tells whether new pivots were chosen. After a failure there are no factors.
    zn_status (*factor)(void *self, const zn_sparse *a, bool *fresh);
    /// Solve in place for `count` right-hand sides, one after the other. Called only with valid factors. One that
    /// iterates and finds the matrix not positive definite (ZN_SINGULAR) leaves right-hand sides without an answer as
    /// they are.
    zn_status (*solve)(void *self, int count, double *x);
    /// |b - A x| <= tolerance |b| from the guess in x on; NULL: no iteration.
    zn_status (*solve_to)(void *self, const double *b, double tolerance, double *x);
    int64_t (*iterations)(const void *self); ///< so far; NULL: none
    /// Arrange the factors for many solves, which may cost the next factorization its old pivots; NULL: they are.
    zn_status (*settle)(void *self);
    void (*destroy)(void *self);
    void (*forget)(void *self); ///< the next factorization chooses new pivots; NULL: each one does
    int group;                  ///< see zn_linsolver_group; 0: any
} zn_linsolver_ops;

/// A pivot this small against its column of the row-scaled matrix is what round-off leaves of a zero.
#define ZN_LINSOLVER_ZERO_PIVOT (8 * 2.2204460492503131e-16)

/// All backends by word; those that were not built, too, and one that only several processes have.
#define ZN_LINSOLVER_LIST(X)    X(dense) X(klu) X(mumps) X(amg)
#define ZN_LINSOLVER_WORD(word) " " #word
#define ZN_LINSOLVER_WORDS      "auto" ZN_LINSOLVER_LIST(ZN_LINSOLVER_WORD) " boomeramg"
/// Those for any matrix.
#define ZN_LINSOLVER_DIRECT_WORDS "auto dense klu mumps"
bool zn_linsolver_is_built(const char *word);

extern const zn_linsolver_ops zn_linsolver_dense;
extern const zn_linsolver_ops zn_linsolver_klu;
extern const zn_linsolver_ops zn_linsolver_mumps; ///< create is NULL where the library was not found

enum { ZN_LINSOLVER_GROUP = 16 }; ///< the largest group

/// Conjugate gradients with multigrid, for symmetric positive definite matrices: others are ZN_ERR_UNSUPPORTED or
/// ZN_SINGULAR. The matrix that is factored is borrowed until the next.
extern const zn_linsolver_ops zn_linsolver_amg;

/// Back to before the first factorization, pivots included; accepts NULL.
void      zn_linsolver_forget(zn_linsolver *solver);
/// The pivots were chosen for the matrix factored last, so that a solver which starts with it has the same factors, bit
/// by bit; true for NULL.
bool      zn_linsolver_is_fresh(const zn_linsolver *solver);
/// Many solves with the present factors will follow: arrange them for that, which costs as much as a few solves.
zn_status zn_linsolver_settle(zn_linsolver *solver);
/// zn_linsolver_factor; `kept`: the factors will serve many solves. They have pivots of their own, then, and are
/// settled.
zn_status zn_linsolver_factor_kept(zn_linsolver *solver, const zn_sparse *a, bool kept);
/// A column of x depends, in its last bits, on how many are solved with it unless there are always this many; never on
/// what the others are. 1: it does not.
int       zn_linsolver_group(const zn_linsolver *solver);

/// zn_linsolver_create for a matrix that is symmetric and, of bodies that can move, positive definite. Where `near`
/// says that it is one of a large solid mesh, "auto" iterates, and factors what turns out not to be so; NULL: nothing
/// is known. `near` is borrowed for the life of the solver, and by one that iterates the matrix that is factored is,
/// too, until the next.
zn_status zn_linsolver_create_near(const zn_sparse *a, const char *backend, const zn_near_null *near,
                                   zn_linsolver **out);
/// x with |b - A x| <= tolerance |b|, from the guess in x on where the solver iterates. x is not b.
zn_status zn_linsolver_solve_to(zn_linsolver *solver, const double *b, double tolerance, double *x);
bool      zn_linsolver_iterates(const zn_linsolver *solver);   ///< false for NULL
int64_t   zn_linsolver_iterations(const zn_linsolver *solver); ///< of all solves so far

/// A solver that one of several processes has, of a matrix each of which holds a part: `self` is the backend's own. It
/// is called in all of them together, also where there are no unknowns, and tells them one status. Of a right-hand side
/// it reads what its process owns; the answer is there wherever it is an unknown.
zn_status zn_linsolver_adopt(const zn_linsolver_ops *ops, void *self, const zn_sparse *a, zn_linsolver **out);

/// Floating-point operations of one factorization, estimated by KLU's analysis; negative when unknown.
double zn_klu_estimate(const void *self);

#endif
