/// Solvers by word, in one list: which problems each of them takes.
#ifndef ZN_SOLVE_SOLVERS_H
#define ZN_SOLVE_SOLVERS_H

#include "zn/solve.h"

/// X(word, friction, complementarity). Friction: NO; DENSE, few contacts with at most one tangent; BLOCKS, any. The
/// functions are zn_fc_<word> and zn_lcp_<word>. "auto" is not in it.
#define ZN_SOLVER_LIST(X)                                                                                              \
    X(gauss_seidel, BLOCKS, YES)                                                                                       \
    X(anderson, BLOCKS, NO)                                                                                            \
    X(newton_alart_curnier, BLOCKS, NO)                                                                                \
    X(newton_jean_moreau, BLOCKS, NO)                                                                                  \
    X(admm, BLOCKS, NO)                                                                                                \
    X(interior_point, BLOCKS, NO)                                                                                      \
    X(lemke, DENSE, YES)                                                                                               \
    X(enumerate, DENSE, YES)                                                                                           \
    X(pivot, NO, YES)

/// Solves no problem of an iteration but the nonlinear ones of nsga as a whole; problems that are left go to "auto".
#define ZN_SOLVER_AUGMENTED "alart_curnier"

/// All words with "auto", separated by blanks.
#define ZN_SOLVER_WORDS                            "auto" ZN_SOLVER_LIST(ZN_SOLVER_WORD) " " ZN_SOLVER_AUGMENTED
#define ZN_SOLVER_WORD(word, friction, unilateral) " " #word

typedef struct zn_solver_kind {
    const char *name;
    int         tangents;        ///< per contact that it takes at most; 0: none, no problem with friction
    bool        complementarity; ///< takes problems without friction
} zn_solver_kind;

/// Is it ZN_SOLVER_AUGMENTED?
bool                  zn_solver_is_augmented(const char *word);
/// NULL for "auto", ZN_SOLVER_AUGMENTED and what is no solver.
const zn_solver_kind *zn_solver_find(const char *word);
/// The word, or "auto" where it is a solver for the other kind of problems.
const char           *zn_solver_for_friction(const char *word);
const char           *zn_solver_for_complementarity(const char *word);

#endif
