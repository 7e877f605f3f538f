/// Processes that all hold the whole of a system, in the same state with the same bits, and share the work on its
/// contacts: everything else each of them does for itself. All of them call these functions in the same order.
#ifndef ZN_SYSTEM_PEERS_H
#define ZN_SYSTEM_PEERS_H

#include "zn/base.h"

struct zn_pile_task;

typedef struct zn_peers {
    void *user;
    /// One status for all: that of the first process that failed.
    zn_status (*agree)(void *user, zn_status own);
    /// Solve a problem of contacts together (constraint/pile_task.h).
    zn_status (*solve)(void *user, struct zn_pile_task *task);
    const struct zn_search_peers *search; ///< for contacts (model/contact/contact.h)
} zn_peers;

#endif
