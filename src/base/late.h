/// Libraries that few runs need are loaded when they are first called: with all they need themselves they would be half
/// of what a short run takes.
#ifndef ZN_BASE_LATE_H
#define ZN_BASE_LATE_H

#include "zn/base.h"

typedef struct zn_late_call {
    const char *name;
    void       *pointer; ///< to a pointer to the function; NULL is left there when it is not in the library
    bool        optional;
} zn_late_call;

/// Load `library` ("libcairo.so.2") and find what is listed. It stays loaded; whoever calls sees to it that one thread
/// at a time does. ZN_ERR_MEMORY, or ZN_ERR_UNSUPPORTED with a message in the log, which may be NULL: it is not there.
zn_status zn_late_load(const char *library, int count, const zn_late_call *calls, const zn_log *log);

#endif
