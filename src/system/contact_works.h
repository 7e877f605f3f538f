/// What contacts gave in a step: the works of all that act on each other, together.
///
/// Impulses act at once. A contact that was opening and is pressed shut by what another one does works P (U+ + U-)/2 >
/// 0 while the other takes more than that: only their sum tells whether energy came from nowhere. Contacts act on each
/// other where they push the same body or node, or such as joints hold together; the ground hands nothing on.
///
/// What others take must not hide what a contact gives beyond its own law, though: P (U+ - U*)/2 with the velocity U*
/// that its law wants of the one before along the rows of its impulse. It is zero for what is pressed shut, and not
/// positive with friction that opposes slip. A contact gives that, but no more than it works; of a group the larger of
/// both sums counts.
#ifndef ZN_SYSTEM_CONTACT_WORKS_H
#define ZN_SYSTEM_CONTACT_WORKS_H

#include "base/assert.h"
#include "system/contact_scratch.h"

/// Nothing acts.
static inline void zn_contact_works_begin(zn_contact_set *set)
{
    set->scratch->works.gave = false;
    for (int i = 0; i < set->count; i++)
        set->scratch->works.group[i] = -1;
}

/// A contact that acts, with its work and that beyond its law, friction included; or an equation, which hands on what
/// contacts do.
static inline void zn_contact_works_add(zn_contact_set *set, int contact, double work, double beyond)
{
    ZN_ASSERT(contact >= 0 && contact < set->count);
    zn_contact_works *w = &set->scratch->works;
    double            gift = work < beyond ? work : beyond;
    w->group[contact] = contact;
    w->work[contact] = set->bilateral[contact] ? 0 : work;
    w->gift[contact] = set->bilateral[contact] || gift < 0 ? 0 : gift;
    w->gave |= w->work[contact] > 0;
}

/// What all groups gave; the largest of them; of this group the contact that gave most.
typedef struct zn_contact_gifts {
    double gave, most;
    int    giver; ///< -1: none gave
} zn_contact_gifts;

zn_contact_gifts zn_contact_works_sum(const zn_contact_set *set, const zn_system *sys);

#endif
