/// Kinds of recordable quantities: what the files about them share.
///     quantity.c          of nodes, parts and the run; the list of all
///     quantity_contact.c  of contacts and equations of joints
///     quantity_joint.c    reactions of joints as vectors
///     quantity_sensor.c   of points, spans, springs, beams, joints: numbers that sensors read
///     quantity_detail.c   what a step leaves beside the state
///     quantity_play.c     of joints with play
///     quantity_resolve.c  from paths to quantities
///     formula.c           formulas of them
#ifndef ZN_SIM_QUANTITY_H
#define ZN_SIM_QUANTITY_H

#include <math.h>

#include "sim/sim.h"

/// Components of a quantity: a string of names separated by blanks, which may depend on the kind of object.
struct zn_quantity_kind {
    const char *owner, *name, *unit, *help;
    const char *(*components)(const zn_sim *sim, int index);          ///< NULL when the object does not have it
    zn_status (*evaluate)(const zn_sim *sim, int index, double *out); ///< NULL: sensors read it
};

typedef struct zn_quantity_list {
    int                     count;
    const zn_quantity_kind *kind;
} zn_quantity_list;

extern const zn_quantity_list zn_quantity_of_points, zn_quantity_of_elements, zn_quantity_of_contacts,
    zn_quantity_of_joints, zn_quantity_of_plays;

// q~ and v~ of nsga at a node, before any step those of the state; U and W, before any step zero.
zn_status zn_quantity_smooth_position(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_smooth_velocity(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_smooth_angle(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_smooth_rotation(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_smooth_spin(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_correction(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_correction_rotation(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_jump(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_jump_spin(const zn_sim *sim, int node, double *out);
/// Of the scheme, translations only.
zn_status zn_quantity_scheme_acceleration(const zn_sim *sim, int node, double *out);
/// Balances of the parts of multirate.
zn_status zn_quantity_fine_ledger(const zn_sim *sim, int index, double *out);
zn_status zn_quantity_coarse_ledger(const zn_sim *sim, int index, double *out);
zn_status zn_quantity_coarse_ledger_1(const zn_sim *sim, int index, double *out);
zn_status zn_quantity_coarse_ledger_2(const zn_sim *sim, int index, double *out);
zn_status zn_quantity_coarse_ledger_3(const zn_sim *sim, int index, double *out);
zn_status zn_quantity_coarse_ledger_4(const zn_sim *sim, int index, double *out);
/// Length of the tangential displacement in the last step: of a rule, where the gap is smallest; of a contact.
zn_status zn_quantity_contact_slip(const zn_sim *sim, int rule, double *out);
zn_status zn_quantity_slip(const zn_sim *sim, int contact, double *out);
/// Values of states (by their node) and controls.
zn_status zn_quantity_state(const zn_sim *sim, int node, double *out);
zn_status zn_quantity_control(const zn_sim *sim, int index, double *out);
/// Not every scheme knows every detail: false where it is NaN all the time.
bool      zn_quantity_is_known(const zn_sim *sim, const zn_quantity_kind *kind);

/// What a step did over its length; before the first step nothing has changed, but what is not known stays so.
static inline double zn_quantity_rate(double change, double h)
{
    return h > 0 ? change / h : isnan(change) ? change : 0;
}

/// The kind that sensors read of this object; NULL: there is none.
const zn_quantity_kind *zn_quantity_find_sensor(const zn_sim *sim, const char *object, const char *quantity);
/// Sensors of such a quantity, one for each column; `components` gets their names.
zn_status zn_quantity_sense(const zn_sim *sim, const zn_record_def *record, char word[3][64], zn_quantity *out,
                            int *columns, const char **components);
void      zn_quantity_read(const zn_sim *sim, const zn_quantity *quantity, int columns, double *values);

/// In the table; NULL: there is none.
const zn_quantity_kind *zn_quantity_find(const char *owner, const char *name);
/// One coordinate or velocity of a node needs no call for each row, nor do impulses of a contact that is always there.
void                    zn_quantity_find_shortcut(const zn_sim *sim, int columns, zn_quantity *out);
bool                    zn_quantity_find_impulse(const zn_sim *sim, zn_quantity *out);
static inline bool      zn_quantity_is_joint(const zn_sim *sim, int rule)
{
    return sim->sys->model->rule[rule].ops->bilateral;
}

#endif
