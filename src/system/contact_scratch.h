/// What a contact set holds beside what everybody sees, and the rules behind its contacts.
#ifndef ZN_SYSTEM_CONTACT_SCRATCH_H
#define ZN_SYSTEM_CONTACT_SCRATCH_H

#include "system/system.h"

/// Works of contacts in a step, contact_works.h.
typedef struct zn_contact_works {
    int     capacity;
    bool    gave;        ///< some contact did
    double *work, *gift; ///< of each contact; what it gave beyond its law, then what its group gave
    double *sum;         ///< of the works of its group
    int    *group;       ///< of each contact: another one of its group, -1: does not act
    int    *owner;       ///< n_all: the last contact that pushed it
} zn_contact_works;

/// What a set needs while it is brought up to date, and for what it tells of a step.
struct zn_contact_scratch {
    zn_contact_list  near;   ///< of refresh
    double          *change; ///< of slip, n_all
    bool             placed; ///< the set is as zn_contact_set_evaluate left it at:
    double          *q, t;
    zn_contact_works works;
};

/// What a rule finds near q, into the list.
zn_status zn_contact_rule_find(const zn_system *sys, const zn_contact_rule *rule, const double *q, double t,
                               zn_contact_list *list);

/// The next search takes everything to be at rest.
static inline void zn_contact_list_rest(zn_contact_list *list)
{
    list->v = NULL;
    list->horizon = list->margin = list->deeper = 0;
    list->motion = (zn_motion){0};
}

/// Threads, and processes that hold the same system, share searches of a set from now on, borrowed; NULL: none. What
/// they find is the same.
static inline void zn_contact_set_share(zn_contact_set *set, struct zn_team *team, const zn_peers *peers)
{
    set->scratch->near.team = team;
    set->scratch->near.peers = peers ? peers->search : NULL;
}

/// Somebody has changed contacts or rows.
static inline void zn_contact_set_forget_place(zn_contact_set *set) { set->scratch->placed = false; }

/// zn_contact_set_evaluate_found of a set that follows another one: what that has evaluated at the same q and t is
/// taken over.
zn_status zn_contact_set_evaluate_after(zn_contact_set *set, const zn_contact_set *from, const zn_system *sys,
                                        const double *q, double t);

/// zn_contact_set_evaluate right after the search at the same q that listed the contacts.
zn_status zn_contact_set_evaluate_found(zn_contact_set *set, const zn_system *sys, const double *q, double t);

/// New contacts of a set that follows another one begin with what others of their pair of shapes, which are gone, had.
void zn_contact_set_inherit(zn_contact_set *set, const zn_contact_set *from);

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
