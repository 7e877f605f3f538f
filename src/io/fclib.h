/// What reader and writer of FCLIB files share: the layout.
///
///     /fclib_local/{spacedim, W/, V/, R/, vectors/{q, mu, s}}        u = W r + V l + q,   0 = V' r + R l + s
///     /fclib_global/{spacedim, M/, H/, G/, vectors/{f, w, mu, b}}    M v = H r + G l + f, u = H' v + w, 0 = G' v + b
///     .../info/{title, description, math_info}
///     /solution/{r, u, v, l}, /guesses/number_of_guesses, /guesses/1/{r, u, v, l} ...
///
/// V, R, s and G, b are there only with equations (multipliers l). A matrix is a group {m, n, nzmax, nz, p, i, x}:
/// nz >= 0: nz triplets (row i, column p); -1: compressed columns; -2: compressed rows. Indices count from 0.
#ifndef ZN_IO_FCLIB_H
#define ZN_IO_FCLIB_H

#include "zn/io.h"

#define ZN_FCLIB_LOCAL    "fclib_local"
#define ZN_FCLIB_GLOBAL   "fclib_global"
#define ZN_FCLIB_SOLUTION "solution"
#define ZN_FCLIB_GUESSES  "guesses"

enum { ZN_FCLIB_COLUMNS = -1, ZN_FCLIB_ROWS = -2 };

#endif
