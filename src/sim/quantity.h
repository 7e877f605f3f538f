/// Kinds of recordable quantities: what the files about them share.
///     quantity.c          of nodes, parts, contacts and the run; the table
///     quantity_detail.c   what a step leaves beside the state
///     quantity_play.c     of joints with play
///     quantity_resolve.c  from paths to quantities
#ifndef ZN_SIM_QUANTITY_H
#define ZN_SIM_QUANTITY_H

#include "sim/sim.h"

/// Components of a quantity: a string of names separated by blanks, which may depend on the kind of object.
struct zn_quantity_kind {
    const char *owner, *name, *unit, *help;
    const char *(*components)(const zn_sim *sim, int index); ///< NULL when the object does not have it
    zn_status (*evaluate)(const zn_sim *sim, int index, double *out);
};

// q~ and v~ of nsga at a node, before any step those of the state; U and W, before any step zero.
zn_status   zn_quantity_smooth_position(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_smooth_velocity(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_smooth_angle(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_smooth_rotation(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_smooth_spin(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_correction(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_correction_rotation(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_jump(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_jump_spin(const zn_sim *sim, int node, double *out);
/// Of the scheme, translations only.
zn_status   zn_quantity_scheme_acceleration(const zn_sim *sim, int node, double *out);
/// Balances of the parts of multirate.
zn_status   zn_quantity_fine_ledger(const zn_sim *sim, int index, double *out);
zn_status   zn_quantity_coarse_ledger(const zn_sim *sim, int index, double *out);
/// Values of states (by their node) and controls.
zn_status   zn_quantity_state(const zn_sim *sim, int node, double *out);
zn_status   zn_quantity_control(const zn_sim *sim, int index, double *out);
/// Length of the tangential displacement in the last step, of a contact.
zn_status   zn_quantity_slip(const zn_sim *sim, int contact, double *out);
// Of joints with play.
const char *zn_quantity_play_place(const zn_sim *sim, int journal); ///< components of the eccentricity
zn_status   zn_quantity_eccentricity(const zn_sim *sim, int journal, double *out);
zn_status   zn_quantity_play_impulse(const zn_sim *sim, int journal, double *out);
zn_status   zn_quantity_play_force(const zn_sim *sim, int journal, double *out);
zn_status   zn_quantity_play_closed(const zn_sim *sim, int journal, double *out);
/// Not every scheme knows every detail: false where it is NaN all the time.
bool        zn_quantity_is_known(const zn_sim *sim, const zn_quantity_kind *kind);

/// In the table; NULL: there is none.
const zn_quantity_kind *zn_quantity_find(const char *owner, const char *name);
/// One coordinate or velocity of a node needs no call for each row.
void                    zn_quantity_find_shortcut(const zn_sim *sim, int columns, zn_quantity *out);
static inline bool      zn_quantity_is_joint(const zn_sim *sim, int rule)
{
    return sim->sys->model->rule[rule].ops->bilateral;
}

#endif
