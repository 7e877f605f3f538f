/// Restitution of an impact: e_N and e_T of a contact, nothing where it was approached (or left) slowly.
#ifndef ZN_SYSTEM_RESTITUTION_H
#define ZN_SYSTEM_RESTITUTION_H

#include "system/contact_rows.h"
#include "zn/system.h"

/// That of a row of the set. `approach`: velocity of the contact along its normal before the impact. Both restitutions
/// go with the normal: a contact at rest has none in its tangents, either.
static inline double zn_restitution(const zn_contact_set *set, int row, double approach)
{
    int i = zn_row_contact(set, row);
    if (fabs(approach) < set->restitution_from[i])
        return 0;
    if (zn_row_place(set, row) == 0)
        return set->restitution[i];
    return zn_row_turns(set, row) ? 0 : set->tangential_restitution[i]; // rolling and spinning have none
}

#endif
