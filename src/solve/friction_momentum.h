/// Momentum of single contacts between sweeps: a sweep takes x to g, and the next one starts from
///     P(g + b (g - g'))      g' where the sweep before ended, P onto the cones
/// with b of each contact. It grows while sweeps move the contact on in the direction in which it came, and shrinks
/// when one moves it back; then its limit shrinks, too, and grows again slowly: what swings to and fro comes to an end.
///
/// In heaps of boxes and hulls what is left after some sweeps are many slow changes, each of the few contacts of some
/// body, at a steady pace until one of them opens or slides: products of whole vectors (anderson.h) do not see them,
/// and every end of one makes their differences worthless.
#ifndef ZN_SOLVE_FRICTION_MOMENTUM_H
#define ZN_SOLVE_FRICTION_MOMENTUM_H

#include "solve/friction_blocks.h"

typedef struct zn_fc_momentum {
    double *start; ///< n: of the last sweep
    double *end;   ///< n: of the sweep before
    double *part;  ///< count: b
    double *limit; ///< count: the most of it
    double  most;  ///< of all limits
} zn_fc_momentum;

/// ZN_ERR_MEMORY, or a start without momentum.
zn_status zn_fc_momentum_begin(const zn_fc_blocks *b, zn_fc_workspace *memory, zn_fc_momentum *out);
/// The first sweep begins at r.
void      zn_fc_momentum_leave(const zn_fc_blocks *b, zn_fc_momentum *m, const double *r);
/// It has come to r: the start of the next one, in r.
void      zn_fc_momentum_mix(const zn_fc_blocks *b, zn_fc_momentum *m, double *r);

/// Sweeps bring nothing: less momentum for all.
void zn_fc_momentum_calm(zn_fc_momentum *m);

#endif
