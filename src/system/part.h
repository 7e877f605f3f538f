/// Part of a system as a system of its own: some of its elements, with the contacts and joints of their nodes. What
/// moves is copied between the two; rules of contacts have the same numbers, so contacts have the same ids.
#ifndef ZN_SYSTEM_PART_H
#define ZN_SYSTEM_PART_H

#include "base/assert.h"
#include "system/system.h"

typedef struct zn_part {
    const zn_system *whole; ///< borrowed
    zn_model        *model;
    zn_system       *sys;
    int             *coordinate; ///< nq of the part: place in q of the whole
    int             *dof;        ///< n_all of the part: degree of freedom of the whole
} zn_part;

/// `element`: one entry per element, block after block; `rule`: one per contact rule; `leading`: degrees of freedom
/// that come first in the part.
zn_status          zn_part_create(const zn_system *whole, const bool *element, const bool *rule, zn_leading leading,
                                  zn_part *out);
void               zn_part_destroy(zn_part *part);
/// Does an element of the part use this node?
static inline bool zn_part_has(const zn_part *part, int node)
{
    ZN_ASSERT(node >= 0 && node < part->sys->layout.nodes);
    return (int)part->sys->layout.node[node].kind != ZN_ABSENT;
}
/// State of the part from that of the whole, and back.
void zn_part_take(const zn_part *part, const zn_state *whole, zn_state *own);
void zn_part_give(const zn_part *part, const double *q, const double *v, zn_state *whole);
/// Reactions of the whole += factor times those of the part.
void zn_part_give_reactions(const zn_part *part, const zn_state *own, double factor, zn_state *whole);
/// Contacts of the whole, all of which are in the part, as the part has them. None of its rules grows, so room
/// suffices.
void zn_part_give_contacts(const zn_part *part, const zn_contact_set *own, zn_contact_set *whole);

#endif
