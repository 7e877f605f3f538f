/// Which points behind a surface that ends are contacts.
#ifndef ZN_SYSTEM_CAPTURE_H
#define ZN_SYSTEM_CAPTURE_H

#include "model/contact/contact.h"
#include "system/system.h"

/// Relative to the size of the model: how deep a point may be for reasons that are nobody's: rounded input.
#define ZN_CAPTURE_ROUNDING 1e-6

typedef struct zn_capture {
    const zn_system      *sys;
    const zn_contact_set *from;  ///< contacts of the last step
    const double         *q, *v; ///< v: NULL: nothing moves
    double                t;
    double                span;    ///< [s] since contacts were listed last
    double                margin;  ///< [m] that is allowed whatever the motion
    double                deepest; ///< [m] of all that were captured so far
    zn_contact_id         id;      ///< whose it is, or none
} zn_capture;

/// The contact with this id in a set; -1: it is not there.
int        zn_contact_set_find(const zn_contact_set *set, zn_contact_id id);
bool       zn_contact_set_has(const zn_contact_set *set, zn_contact_id id);
/// This contact, or those that it is split into in a hollow.
bool       zn_contact_set_holds(const zn_contact_set *set, const zn_system *sys, zn_contact_id id);
/// `moved`: [m] how far things may have moved by other means than velocities.
zn_capture zn_capture_begin(const zn_system *sys, const zn_contact_set *from, const double *q, const double *v,
                            double t, double moved);
/// Drops from the list what rule r has found behind its surface and what has not come through it.
zn_status  zn_capture_filter(zn_capture *c, int r, zn_contact_list *list);

#endif
