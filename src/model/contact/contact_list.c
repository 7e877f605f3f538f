// Memory of the list of contacts that are near.
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/blame.h"
#include "model/contact/contact.h"

zn_status zn_contact_list_reserve(zn_contact_list *list, int count)
{
    int same[3] = {list->capacity, list->capacity, list->capacity}; // the arrays grow alike
    ZN_TRY(zn_grow(&list->spare, &same[0], count, sizeof *list->spare));
    ZN_TRY(zn_grow(&list->piece, &same[1], count, sizeof *list->piece));
    ZN_TRY(zn_grow(&list->feature, &same[2], count, sizeof *list->feature));
    return zn_grow(&list->number, &list->capacity, count, sizeof *list->number);
}

zn_status zn_contact_list_room(zn_contact_list *list)
{
    enum { MOST = 1 << 26 }; // those of one rule: a model that is meant has fewer, and memory for them
    ZN_ASSERT(list->count <= list->capacity);
    if (list->count == MOST)
        return zn_blame_crowd(MOST, "contacts or more of one rule are near");
    return list->count < list->capacity ? ZN_OK : zn_contact_list_reserve(list, list->count + 1);
}

zn_status zn_contact_list_scratch(zn_contact_list *list, size_t size)
{
    if (size <= list->scratch_size)
        return ZN_OK;
    free(list->scratch);
    list->scratch = zn_new_array(size, 1);
    list->scratch_size = list->scratch ? size : 0;
    return list->scratch ? ZN_OK : ZN_ERR_MEMORY;
}
