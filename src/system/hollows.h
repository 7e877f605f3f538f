/// Contacts that rest on several facets of a surface at once, in a hollow between them: a step that finds no answer
/// with one row for each of them is taken again with one for each facet, and so are the next ones as long as they are
/// there.
#ifndef ZN_SYSTEM_HOLLOWS_H
#define ZN_SYSTEM_HOLLOWS_H

#include "system/system.h"

/// A contact as it is found, and the pieces that it is split into.
typedef struct zn_hollow {
    zn_contact_id id;
    int           count, piece[ZN_HOLLOW_PIECES];
} zn_hollow;

/// Begins as {0} and ends with zn_hollows_clear. Empty but within a step.
typedef struct zn_hollows {
    int        count, capacity;
    zn_hollow *hollow; ///< ascending
} zn_hollows;

void zn_hollows_clear(zn_hollows *h);

/// Before the first attempt at a step.
static inline void zn_hollows_begin(zn_hollows *h) { h->count = 0; }

/// Splits contacts of the set that was found at the start of the step, q at t: those of earlier attempts, and those
/// that were split at the end of the last step and are still in their hollow. The set is evaluated anew where there are
/// any.
zn_status zn_hollows_split(zn_hollows *h, const zn_system *sys, zn_contact_set *set, const zn_contact_set *last,
                           const double *q, double t);

/// An attempt with this set found no answer and ended at q: are closed contacts there in hollows that nobody knew of?
/// Then the step is to be taken again with them: `*more`.
zn_status zn_hollows_find(zn_hollows *h, const zn_system *sys, const zn_contact_set *set, const double *q, bool *more);

#endif
