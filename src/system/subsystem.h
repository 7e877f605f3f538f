/// Part of a system as a system of its own: some of its elements, with the contacts and joints of their nodes. What
/// moves is copied between the two; rules of contacts have the same numbers, so contacts have the same ids.
#ifndef ZN_SYSTEM_SUBSYSTEM_H
#define ZN_SYSTEM_SUBSYSTEM_H

#include "base/assert.h"
#include "system/system.h"

typedef struct zn_subsystem {
    const zn_system *whole; ///< borrowed
    zn_model        *model;
    zn_system       *sys;
    int             *coordinate; ///< nq of the subsystem: place in q of the whole
    int             *dof;        ///< n_all of the subsystem: degree of freedom of the whole
} zn_subsystem;

/// `element`: one entry per element, block after block; `rule`: one per contact rule; `leading`: degrees of freedom
/// that come first in the subsystem.
zn_status zn_subsystem_create(const zn_system *whole, const bool *element, const bool *rule, zn_leading leading,
                              zn_subsystem *out);
void      zn_subsystem_destroy(zn_subsystem *subsystem);
/// Does an element of the subsystem use this node?
static inline bool zn_subsystem_has(const zn_subsystem *subsystem, int node)
{
    ZN_ASSERT(node >= 0 && node < subsystem->sys->layout.nodes);
    return (int)subsystem->sys->layout.node[node].kind != ZN_ABSENT;
}
/// State of the subsystem from that of the whole, and back.
void zn_subsystem_take(const zn_subsystem *subsystem, const zn_state *whole, zn_state *own);
void zn_subsystem_give(const zn_subsystem *subsystem, const double *q, const double *v, zn_state *whole);
/// Reactions of the whole += factor times those of the subsystem.
void zn_subsystem_give_reactions(const zn_subsystem *subsystem, const zn_state *own, double factor, zn_state *whole);
/// Contacts of the whole, all of which are in the subsystem, as the subsystem has them. There is room
/// (zn_contact_set_make_room).
void zn_subsystem_give_contacts(const zn_subsystem *subsystem, const zn_contact_set *own, zn_contact_set *whole);

#endif
