/// The critical step of central differences by elements, again and again: a search keeps its memory.
#ifndef ZN_SYSTEM_CRITICAL_H
#define ZN_SYSTEM_CRITICAL_H

#include "zn/system.h"

typedef struct zn_critical_search zn_critical_search;

/// Refuses masses that are not lumped, with a message that begins with the name of the scheme.
zn_status           zn_critical_search_create(const zn_system *sys, const char *scheme, zn_critical_search **out);
zn_critical_search *zn_critical_search_destroy(zn_critical_search *s); ///< accepts NULL, returns NULL
/// As zn_system_critical_step, without allocation.
zn_status           zn_critical_search_run(zn_critical_search *s, zn_at at, zn_critical *out);

#endif
