/// Defs of other headers than the one the library was built with. A def begins with its size; fields are only ever
/// added at the end, so that an older def is the beginning of ours, and what it lacks has the default. (A new field
/// must not fit into the padding at the end of the old struct, or the size would not tell them apart.) A def may hold
/// others by value, which grow by themselves: what follows them is found by their own sizes.
#ifndef ZN_BASE_DEF_H
#define ZN_BASE_DEF_H

#include <stdbool.h>

#include "zn/base.h"

enum { ZN_DEF_INNER = 2 };

typedef struct zn_def_kind {
    const char *name;
    size_t      size;
    struct {
        size_t offset, size; ///< size 0: there are no more
    } inner[ZN_DEF_INNER];   ///< defs that it holds, ascending
} zn_def_kind;

/// Take a def from outside: its fields over those of `own`, a complete def of defaults. Refuses, with a message that
/// names the kind, NULL, a def that was not made by its default function, and one of a newer header.
zn_status zn_def_take(const zn_def_kind *kind, const void *given, void *own, const zn_log *log);
/// Write the fields of `own`, a complete def, into one from outside, whose sizes are set and stay. What a newer header
/// has beyond ours is left alone: such a def will be refused.
void      zn_def_give(const zn_def_kind *kind, const void *own, void *out);

/// Defines zn_..._def_kind and zn_..._def_reset; the defaults follow, as designated initializers.
#define ZN_DEFINE_DEF(type, ...) ZN_DEFINE_DEF_WITH(type, ({0, 0}), __VA_ARGS__)
/// The same for a def that holds others: (ZN_INNER_DEF(type, field), ...) in parentheses.
#define ZN_DEFINE_DEF_WITH(type, inner_defs, ...)                                                                      \
    extern const zn_def_kind type##_kind;                                                                              \
    const zn_def_kind        type##_kind = {#type, sizeof(type), {ZN_UNPACK inner_defs}};                              \
    void                     type##_reset(type *def)                                                                   \
    {                                                                                                                  \
        const type usual = {.size = sizeof(type), __VA_ARGS__};                                                        \
        zn_def_give(&type##_kind, &usual, def);                                                                        \
    }
#define ZN_UNPACK(...) __VA_ARGS__
#define ZN_INNER_DEF(type, field)                                                                                      \
    {                                                                                                                  \
        offsetof(type, field), sizeof(((type *)0)->field)                                                              \
    }

/// First in a function that takes `const type *def`, which from here on points to a complete copy.
#define ZN_TAKE_DEF(type, def, log)                                                                                    \
    type def##_own = type##_default();                                                                                 \
    ZN_TRY(zn_def_take(&type##_kind, def, &def##_own, log));                                                           \
    def = &def##_own

#endif
