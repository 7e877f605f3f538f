/// Contacts of round lines that lie nearly along each other are held at a place of the line while a step is solved
/// (round_lines.h), and the step is taken again with better places until they are where the lines are nearest at its
/// end.
#ifndef ZN_SYSTEM_HELD_PLACES_H
#define ZN_SYSTEM_HELD_PLACES_H

#include "system/system.h"

/// One contact, by its id: where it was held the last time, and where the step ended then.
typedef struct zn_held_place {
    zn_contact_id id;
    double        place;
    double        last, missed; ///< the place before, and f of it; NAN: there was none
    bool          acts;         ///< a take of this step had an impulse in mind: all later ones have
    double        low, high;    ///< the highest place below which f falls to zero, the lowest above; NAN: none
    bool          counts;       ///< matters at the end of the step looked at:
    bool          wrong;        ///< and is not where it should be
    double        f, ends[2];   ///< f there, and the ends of the lines
} zn_held_place;

/// Begins as {0} and ends with zn_held_places_clear.
typedef struct zn_held_places {
    int            count, capacity;
    zn_held_place *held; ///< ascending
    int            looks;
    int            known, room; ///< lines whose slope is known; room for numbers in
    double        *slope;       ///< d f_i / d s_j of lines that act together, known x known
} zn_held_places;

void zn_held_places_clear(zn_held_places *h);

/// Before the first attempt at a step.
static inline void zn_held_places_begin(zn_held_places *h) { h->count = h->looks = h->known = 0; }

/// What a step that looks at places knows beside the set.
typedef struct zn_held_ends {
    const zn_contact_set *last; ///< contacts of the last step
    int                   count;
    const zn_contact_id  *id; ///< contacts that stay in any case, though they may be ends of a line
} zn_held_ends;

/// Holds the contacts of a set that was found at the start of the step, q at t, and evaluates it there if there are
/// any: where earlier looks say, or else where it was in the last step, and ends of these lines leave the set. `ends`
/// NULL, of a step that will not look: all are held where they are nearest now, and the ends stay.
zn_status zn_held_places_hold(zn_held_places *h, const zn_system *sys, zn_contact_set *set, const zn_held_ends *ends,
                              const double *q, double t);

/// Contact i of the set, where it is held; NULL: it is not.
zn_held_place *zn_held_places_of(const zn_held_places *h, const zn_contact_set *set, int i);

/// Is a contact an end of a line that is held, where it touches at q?
bool zn_held_places_have(const zn_held_places *h, const zn_system *sys, zn_contact_id id, const double *q);

/// Does contact i act in the step, so that it matters where it is held?
typedef struct zn_held_acts {
    bool (*acts)(const void *scheme, int i);
    const void *scheme;
} zn_held_acts;

/// A step with this set would end at q. `*more`: lines are deeper in each other there than the tolerance, or by so much
/// nearer beside the place where a contact acts, and there is a better one. Fails when that does not end.
zn_status zn_held_places_look(zn_held_places *h, const zn_system *sys, const zn_contact_set *set, const double *q,
                              double tolerance, zn_held_acts who, bool *more);

#endif
