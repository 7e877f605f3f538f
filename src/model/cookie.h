/// Checks shared by the functions that take a def.
#ifndef ZN_MODEL_COOKIE_H
#define ZN_MODEL_COOKIE_H

#include "zn/math.h"

/// Set by the _default functions: a def that was not made by one is refused.
enum { ZN_COOKIE = 0x7a656e6f };

#define ZN_CHECK_DEF(def, log)                                                                                         \
    do {                                                                                                               \
        if (!(def) || (def)->cookie != ZN_COOKIE)                                                                      \
            return zn_fail((log), ZN_ERR_ARGUMENT, "%s: def not made by its default function", __func__);              \
    } while (0)

static inline bool zn_finite3(zn_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

#endif
