/// What the rows of a contact are: the normal; tangents; with friction against them, rows of rolling and of spinning.
#ifndef ZN_SYSTEM_CONTACT_ROWS_H
#define ZN_SYSTEM_CONTACT_ROWS_H

#include "base/assert.h"
#include "zn/system.h"

/// Contact of a row, and which of its rows it is. Divisions are dear, and without friction there is one row only.
/// (Asked with ==, compilers know that row / 1 is row, and divide.)
static inline int zn_row_contact(const zn_contact_set *set, int row)
{
    return set->stride > 1 ? row / set->stride : row;
}
static inline int zn_row_place(const zn_contact_set *set, int row) { return set->stride > 1 ? row % set->stride : 0; }

static inline bool zn_row_is_empty(const zn_contact_set *set, int i)
{
    ZN_ASSERT(i >= 0 && i < set->count * set->stride);
    return set->row_start[i + 1] == set->row_start[i];
}

/// Rows of a contact: its normal, and the tangents it has.
static inline int zn_contact_row_count(const zn_contact_set *set, int contact)
{
    ZN_ASSERT(contact >= 0 && contact < set->count);
    int rows = 1, first = contact * set->stride;
    while (rows < set->stride && !zn_row_is_empty(set, first + rows))
        rows++;
    return rows;
}

/// How many of the first `rows` rows of a contact are its normal and tangents, rows of rolling, and of spinning.
typedef struct zn_contact_parts {
    int own, rolls, spins;
} zn_contact_parts;

static inline zn_contact_parts zn_contact_parts_of(const zn_contact_set *set, int contact, int rows)
{
    ZN_ASSERT(contact >= 0 && contact < set->count && rows >= 1 && rows <= set->stride);
    if (rows == 1 || set->turns[contact] == 0)
        return (zn_contact_parts){rows, 0, 0};
    ZN_ASSERT(rows == zn_contact_row_count(set, contact));
    int rolls = set->turns[contact] % 4, spins = set->turns[contact] / 4;
    return (zn_contact_parts){rows - rolls - spins, rolls, spins};
}

/// Is it a row of rolling or spinning, whose velocity is a spin and whose impulse a moment?
static inline bool zn_row_turns(const zn_contact_set *set, int row)
{
    int i = zn_row_contact(set, row);
    if (set->bilateral[i] || set->turns[i] == 0)
        return false;
    return zn_row_place(set, row) >= zn_contact_parts_of(set, i, zn_contact_row_count(set, i)).own;
}

#endif
