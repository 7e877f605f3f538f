/// What a contact set holds beside what everybody sees, and the rules behind its contacts.
#ifndef ZN_SYSTEM_CONTACT_SCRATCH_H
#define ZN_SYSTEM_CONTACT_SCRATCH_H

#include "system/system.h"

/// What a set needs while it is brought up to date.
struct zn_contact_scratch {
    zn_contact_list near;   ///< of refresh
    double         *change; ///< of slip, n_all
};

static inline const zn_contact_rule *zn_contact_rule_of(const zn_system *sys, zn_contact_id id)
{
    ZN_ASSERT(!zn_contact_id_is_none(id) && zn_contact_id_rule(id) < sys->model->rules);
    return &sys->model->rule[zn_contact_id_rule(id)];
}

/// Contact i of the set as its rule wants it.
static inline zn_contact_key zn_contact_key_at(const zn_contact_set *set, int i)
{
    ZN_ASSERT(i >= 0 && i < set->count && set->piece[i] >= 0);
    return zn_contact_key_of(set->id[i], set->piece[i]);
}

#endif
