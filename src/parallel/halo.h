/// What parts tell each other about the nodes between them: a PetscSF whose roots are the degrees of freedom that this
/// process owns and others have as well, and whose leaves are those that it has and others own.
#ifndef ZN_PARALLEL_HALO_H
#define ZN_PARALLEL_HALO_H

#include "parallel/partition.h"
#include "parallel/world.h"

typedef struct zn_exchange zn_exchange;

/// `sys`: the part of this process; node numbers are those of the whole model. All processes call it.
zn_status zn_exchange_create(zn_world *world, const zn_partition *partition, const zn_system *sys, zn_exchange **out);
zn_exchange   *zn_exchange_destroy(zn_exchange *exchange); ///< accepts NULL, returns NULL
/// Valid as long as the exchange.
const zn_halo *zn_exchange_halo(const zn_exchange *exchange);

#endif
