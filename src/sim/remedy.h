/// What helps against a step that failed.
#ifndef ZN_SIM_REMEDY_H
#define ZN_SIM_REMEDY_H

#include "base/blame.h"
#include "sim/sim.h"

/// One remedy, in words of the model file; empty when none is known.
const char *zn_remedy(const zn_sim *sim, zn_status status, const zn_blame *blame, double h, char *text, size_t size);

#endif
