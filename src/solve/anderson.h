/// Anderson's acceleration of a fixed-point iteration. A sweep maps x to g(x) and moves it by f = g - x; from the last
/// sweeps follow differences F of f and G of g, and the next start is
///     x = g - G c   with c that minimizes |f - F c|.
/// When a sweep moves farther than any since they were dropped last, the differences belong to other statuses of the
/// contacts and are dropped: the next start is where the sweep ended. (Not until it moves twice as far, heaps of hulls
/// take half as many sweeps again.) Two differences do as well as ten.
///
/// Reference: H. F. Walker, P. Ni, SIAM J. Numer. Anal. 49 (2011) 1715-1735.
#ifndef ZN_SOLVE_ANDERSON_H
#define ZN_SOLVE_ANDERSON_H

#include <stdbool.h>
#include <stddef.h>

enum { ZN_ANDERSON_DEPTH = 2, ZN_ANDERSON_VECTORS = 3 + 2 * ZN_ANDERSON_DEPTH };

typedef struct zn_anderson {
    int     n;
    int     held;                                          ///< differences
    int     next;                                          ///< the one that is replaced
    bool    empty;                                         ///< no sweep so far
    double *x, *f, *g;                                     ///< n each: start, motion and end of the last sweep
    double *F[ZN_ANDERSON_DEPTH], *G[ZN_ANDERSON_DEPTH];   ///< n each
    double  product[ZN_ANDERSON_DEPTH][ZN_ANDERSON_DEPTH]; ///< F'F
    double  c[ZN_ANDERSON_DEPTH];                          ///< of the last mix
    double  least;                                         ///< smallest |f|^2
} zn_anderson;

/// `memory`: ZN_ANDERSON_VECTORS * n, borrowed.
void zn_anderson_begin(int n, double *memory, zn_anderson *out);
/// A sweep begins at x.
void zn_anderson_leave(zn_anderson *h, const double *x);
/// It has come to r: the start of the next one, in r. False: r has stayed as it is.
bool zn_anderson_mix(zn_anderson *h, double *r);

enum { ZN_ANDERSON_TERMS = 5 };
/// The same in two halves, for vectors that several processes share: products of the first `counted` entries, which are
/// added up over all of them before they are used.
void zn_anderson_take(zn_anderson *h, int counted, const double *r, double *terms);
bool zn_anderson_use(zn_anderson *h, const double *terms, double *r);

#endif
