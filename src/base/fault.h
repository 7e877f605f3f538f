/// A fault point: where an evaluation may fail, a test can make it fail. The counter belongs to the thread, so that two
/// simulations of one system never meet in it.
#ifndef ZN_BASE_FAULT_H
#define ZN_BASE_FAULT_H

#include <stdbool.h>

#include "zn/base.h"

/// Fault points that this thread passes until one fails; 0: none does. Found without a call, also in a shared library.
extern _Thread_local int zn_fault_countdown __attribute__((tls_model("initial-exec")));

/// Every evaluation that may fail passes here; as if the state could not be evaluated, which a scheme does not try
/// again in another way, but from another start where it has one.
static inline zn_status zn_fault_point(void)
{
    return zn_fault_countdown > 0 && --zn_fault_countdown == 0 ? ZN_INVALID_STATE : ZN_OK;
}

/// The n-th fault point that this thread passes from now on fails once (n >= 1); 0: none. For tests.
static inline void zn_fault_inject(int n) { zn_fault_countdown = n; }

/// Has the injected one failed?
static inline bool zn_fault_is_spent(void) { return zn_fault_countdown == 0; }

#endif
