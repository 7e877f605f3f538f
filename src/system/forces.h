/// The forces of zn_system_force kind by kind, for schemes that book the work of each without evaluating it twice.
#ifndef ZN_SYSTEM_FORCES_H
#define ZN_SYSTEM_FORCES_H

#include "model/element/element.h"
#include "zn/system.h"

/// Is some block large enough to be shared among threads?
bool zn_system_is_large(const zn_system *sys);

/// Which kinds of force there are beside internal ones.
typedef struct zn_force_kinds {
    bool gravity, load, damper, gyroscopic;
} zn_force_kinds;

zn_force_kinds zn_system_force_kinds(const zn_system *sys);

/// Threads that share the elements of large blocks, with room for what each chunk of them finds.
typedef struct zn_force_team zn_force_team;

/// `threads` as in zn_team_create.
zn_status      zn_force_team_create(const zn_system *sys, int threads, zn_force_team **out);
zn_force_team *zn_force_team_destroy(zn_force_team *team); ///< accepts NULL, returns NULL

/// Its threads, for other work; borrowed.
struct zn_team *zn_force_team_threads(const zn_force_team *team);

/// f = internal forces at rest, with their strain energy. Large blocks are shared among the threads of the
/// team (NULL: the caller alone); the sums have the same order for any number of them.
zn_status zn_system_internal_force(const zn_system *sys, zn_force_team *team, zn_at at, double *f, double *strain);
/// f = applied loads, without gravity.
zn_status zn_system_load_force(const zn_system *sys, zn_at at, double *f);
/// f = what of one kind of force depends on the velocity at.v, `still` (n_all) is scratch: f(q, v) - f(q, 0).
zn_status zn_system_velocity_force(const zn_system *sys, zn_velocity_force kind, zn_at at, const double *zero,
                                   double *still, double *f);
/// dV/dt at rest of potentials that depend on time: the power of what moves them, a load. Of this process alone.
zn_status zn_system_growth(const zn_system *sys, zn_at at, double *out);
/// -gravity force . position: the potential of gravity.
double    zn_system_gravity_potential(const zn_system *sys, const double *q);

#endif
