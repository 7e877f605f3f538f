// Lists of rows.
#include "constraint/rows.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

zn_status zn_row_list_create(int rows, int contacts, zn_row_list *out)
{
    ZN_ASSERT(rows >= 0 && contacts >= 0 && out);
    int         most = rows > contacts ? rows : contacts; // each has a row, followers too
    zn_row_list list = {.row = ZN_NEW(int, rows),
                        .first = ZN_NEW(int, most + 1),
                        .mu = ZN_NEW(double, most),
                        .leader = ZN_NEW(int, most),
                        .bond = ZN_NEW(double, most),
                        .capacity = rows};
    *out = list;
    return list.row && list.first && list.mu && list.leader && list.bond ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_row_list_destroy(zn_row_list *list)
{
    free(list->row);
    free(list->first);
    free(list->mu);
    free(list->leader);
    free(list->bond);
    *list = (zn_row_list){0};
}

void zn_row_list_add_turns(zn_row_list *list, const zn_contact_set *set, int contact, zn_contact_parts parts,
                           int leader)
{
    int row = contact * set->stride + parts.own;
    if (parts.rolls > 0)
        zn_row_list_add_part(list, row, parts.rolls, set->rolling[contact], leader);
    if (parts.spins > 0)
        zn_row_list_add_part(list, row + parts.rolls, 1, set->spinning[contact], leader);
}

void zn_row_list_add_joints(zn_row_list *list, const zn_contact_set *set)
{
    ZN_ASSERT(list->rows == 0);
    for (int i = 0; i < set->count; i++)
        if (set->bilateral[i])
            zn_row_list_add_equation(list, i * set->stride);
}
