/// Momenta of a simulation: measuring them, and which of them nothing outside changes.
#ifndef ZN_SIM_MOMENTA_H
#define ZN_SIM_MOMENTA_H

#include "sim/sim.h"

typedef struct zn_momenta {
    double  mass;
    zn_vec3 centre;                ///< of mass
    zn_vec3 linear, angular, spin; ///< angular: about the origin; spin: about the centre of mass
} zn_momenta;

/// Of the state as it is; part < 0: of everything. Leaves M v in sim->work.
zn_status zn_momenta_of(const zn_sim *sim, int part, zn_momenta *out);
/// Velocity 1 of all nodes along an axis, into sim->unit.
void      zn_momenta_set_unit(const zn_sim *sim, int axis);
/// Along (linear) and about (others) which axes nothing acts from outside.
zn_status zn_momenta_find_kept(zn_sim *sim, bool kept[ZN_MOMENTA][3]);

#endif
