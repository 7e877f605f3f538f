/// A bound of the highest frequency of a model from products with its stiffness alone: no matrix, any size.
///
/// k steps of Lanczos' method on M^-1 K from a random vector find an eigenvalue x from below, and whatever the others
/// are, the largest one is above x / (1 - e) with a probability of at most 1.648 sqrt(n) exp(-(2 k - 1) sqrt(e))
/// (J. Kuczynski, H. Wozniakowski, SIAM J. Matrix Anal. Appl. 13 (1992) 1094-1122, theorem 4.2). With k = 100 and a
/// probability of 1e-12 e is 3 %, for the frequency half of it. Lost orthogonality repeats values, and raises none
/// above the largest (Paige).
#ifndef ZN_SYSTEM_CRITICAL_LANCZOS_H
#define ZN_SYSTEM_CRITICAL_LANCZOS_H

#include "zn/system.h"

typedef struct zn_lanczos zn_lanczos;

/// NULL: a model that it is not made for (bodies whose inertia is no diagonal, many processes).
zn_status   zn_lanczos_create(const zn_system *sys, zn_lanczos **out);
zn_lanczos *zn_lanczos_destroy(zn_lanczos *l); ///< accepts NULL, returns NULL
/// A longer step than that in `out`, which is a bound by elements with its damping, where it is worth 5 %: costs 100
/// forces, 200 where the model is not linear. Does not allocate.
zn_status   zn_lanczos_sharpen(zn_lanczos *l, zn_at at, zn_critical *out);

#endif
