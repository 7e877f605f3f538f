/// Contacts that a step closes although they were not near at its start: an impact within it has turned something.
#ifndef ZN_SYSTEM_LATE_CONTACTS_H
#define ZN_SYSTEM_LATE_CONTACTS_H

#include "system/held_places.h"

/// Begins as {0} and ends with zn_late_contacts_clear. Empty but within a step.
typedef struct zn_late_contacts {
    int            count, capacity;
    zn_contact_id *id; ///< ascending; capacity, as piece
    int           *piece;
    int            found;          ///< how many all parts of a system have
    int            looks;          ///< of this step that have found some
    double        *way, *strayed;  ///< n_all: of the step, and what of it the search at its start did not know
    int            others, spares; ///< those found last, before they are among the ids
    zn_contact_id *other;
    int           *other_piece;
    zn_held_places places; ///< of contacts that run along lines
} zn_late_contacts;

/// A system where nothing can be late needs no memory.
zn_status zn_late_contacts_create(const zn_system *sys, zn_late_contacts *out);
void      zn_late_contacts_clear(zn_late_contacts *late);

/// Before the first attempt at a step.
static inline void zn_late_contacts_begin(zn_late_contacts *late)
{
    late->count = late->found = late->looks = 0;
    zn_held_places_begin(&late->places);
}

/// Those of earlier looks at this step join the set that was found at its start, which is evaluated there anew.
/// Contacts that run along lines are held; `last`: the contacts of the last step.
zn_status zn_late_contacts_join(zn_late_contacts *late, const zn_system *sys, zn_contact_set *set,
                                const zn_contact_set *last, const double *q, double t);

/// A step of size h from `from` that would end at q, with this set: what is deeper than the tolerance there without
/// being in the set, and has come in during the step? Where there is such, the step is to be taken again with them:
/// `*more`. Likewise with other places of those that run along lines. Fails when it was taken again too often. The set
/// lends its scratch and stays as it is.
zn_status zn_late_contacts_look(zn_late_contacts *late, const zn_system *sys, const zn_contact_set *set, zn_at from,
                                const double *q, double h, double tolerance, zn_held_acts who, bool *more);

#endif
