/// @file base.h
/// Status codes, log handler, scratch memory: what every layer of Zeno shares.
#ifndef ZN_BASE_H
#define ZN_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ZN_API                         __attribute__((visibility("default")))
#define ZN_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))

/// Version of the library, "major.minor.patch".
ZN_API const char *zn_version(void);

/// First character of a text that would steer a terminal instead of being shown: a control character but line ends and
/// tabs, of ASCII or beyond (U+0080 to U+009F), what turns the direction of text, or a byte that is no UTF-8. NULL:
/// none.
ZN_API const char *zn_text_control(const char *text);
/// Put '?' in the place of every one of them.
ZN_API void        zn_text_tame(char *text);

// --- status --------------------------------------------------------------------------------------

/// Every status with its text. Negative: the caller must change something. Positive: the same call may
/// succeed with other numbers (a smaller step), so a driver may try again.
#define ZN_STATUS_LIST(X)                                                                                              \
    X(ZN_ERR_IO, -5, "a file could not be read or written")                                                            \
    X(ZN_ERR_UNSUPPORTED, -4, "not available for this model")                                                          \
    X(ZN_ERR_ARGUMENT, -3, "an argument is out of range")                                                              \
    X(ZN_ERR_MODEL, -2, "the model is inconsistent")                                                                   \
    X(ZN_ERR_MEMORY, -1, "out of memory")                                                                              \
    X(ZN_OK, 0, "ok")                                                                                                  \
    X(ZN_NOT_CONVERGED, 1, "an iteration did not converge")                                                            \
    X(ZN_SINGULAR, 2, "a matrix is singular")                                                                          \
    X(ZN_NOT_FINITE, 3, "a value is not finite")                                                                       \
    X(ZN_INVALID_STATE, 4, "the model cannot be evaluated in this state")                                              \
    X(ZN_INTERRUPTED, 5, "interrupted")                                                                                \
    X(ZN_NOT_STABLE, 6, "the equilibrium is not stable")

typedef enum zn_status {
#define ZN_STATUS_ENUM(name, value, text) name = value,
    ZN_STATUS_LIST(ZN_STATUS_ENUM)
#undef ZN_STATUS_ENUM
} zn_status;

/// Text of a status; "unknown status" for a value outside the list.
ZN_API const char *zn_status_text(zn_status status);

/// Leave the calling function with the status of `call` unless it is ZN_OK.
#define ZN_TRY(call)                                                                                                   \
    do {                                                                                                               \
        zn_status zn_try_status_ = (call);                                                                             \
        if (zn_try_status_ != ZN_OK)                                                                                   \
            return zn_try_status_;                                                                                     \
    } while (0)

// --- defs ----------------------------------------------------------------------------------------

/// A def describes something that is to be made. Start from its default function, change what differs. It begins with
/// its size, by which a library knows a def of an older header: fields are only ever added at the end, and what an
/// older def lacks has its default. One that no default function made, or of a newer header, is refused. The function
/// is made here, in the caller's program, because only that knows the size; zn_..._def_reset, in the library, writes
/// the defaults into as much as there is (all sizes must be set).
#define ZN_DECLARE_DEF(type)                                                                                           \
    ZN_API void        type##_reset(type *def);                                                                        \
    static inline type type##_default(void)                                                                            \
    {                                                                                                                  \
        type def;                                                                                                      \
        def.size = sizeof def;                                                                                         \
        type##_reset(&def);                                                                                            \
        return def;                                                                                                    \
    }                                                                                                                  \
    ZN_API void type##_reset(type *def)
/// The same for a def that holds another one.
#define ZN_DECLARE_DEF_WITH(type, inner)                                                                               \
    ZN_API void        type##_reset(type *def);                                                                        \
    static inline type type##_default(void)                                                                            \
    {                                                                                                                  \
        type def;                                                                                                      \
        def.size = sizeof def;                                                                                         \
        def.inner.size = sizeof def.inner;                                                                             \
        type##_reset(&def);                                                                                            \
        return def;                                                                                                    \
    }                                                                                                                  \
    ZN_API void type##_reset(type *def)

// --- ids of contacts -------------------------------------------------------------------------------

/// A contact or an equation of a joint, as long as it is one: which contact of which rule, and which pair of features
/// of the two things that touch. The order is by both numbers.
typedef struct zn_contact_id {
    int64_t contact; ///< rule << 40 | number inside the rule; -1: none
    int64_t feature; ///< 0: there is one pair only
} zn_contact_id;

enum { ZN_CONTACT_NUMBER_BITS = 40 }; ///< of the number inside a rule

static inline zn_contact_id zn_contact_id_make(int rule, int64_t number, int64_t feature)
{
    zn_contact_id id = {(int64_t)rule << ZN_CONTACT_NUMBER_BITS | number, feature};
    return id;
}
static inline zn_contact_id zn_contact_id_none(void)
{
    zn_contact_id id = {-1, 0};
    return id;
}
static inline bool    zn_contact_id_is_none(zn_contact_id id) { return id.contact < 0; }
static inline int     zn_contact_id_rule(zn_contact_id id) { return (int)(id.contact >> ZN_CONTACT_NUMBER_BITS); }
static inline int64_t zn_contact_id_number(zn_contact_id id)
{
    return id.contact & (((int64_t)1 << ZN_CONTACT_NUMBER_BITS) - 1);
}
static inline bool zn_contact_id_same(zn_contact_id a, zn_contact_id b)
{
    return a.contact == b.contact && a.feature == b.feature;
}
/// Negative, 0 or positive: a is before b, the same, or after it.
static inline int zn_contact_id_compare(zn_contact_id a, zn_contact_id b)
{
    if (a.contact != b.contact)
        return a.contact < b.contact ? -1 : 1;
    return (a.feature > b.feature) - (a.feature < b.feature);
}

// --- log -----------------------------------------------------------------------------------------

/// A reason tells why the model could not be evaluated in some state. Whoever tried that state may succeed with
/// another one (a shorter step); if not, an error follows.
typedef enum zn_severity { ZN_LOG_INFO, ZN_LOG_WARNING, ZN_LOG_ERROR, ZN_LOG_REASON } zn_severity;

/// Where messages go. A zeroed struct is silent. The library never prints.
typedef struct zn_log {
    void (*write)(void *user, zn_severity severity, const char *message); ///< NULL: silent
    void *user;                                                           ///< borrowed, handed to write
} zn_log;

ZN_API void zn_log_write(const zn_log *log, zn_severity severity, const char *format, ...) ZN_PRINTF(3, 4);

/// Write an error and hand back `status`, so that a check reads: return zn_fail(log, ZN_ERR_MODEL, "...").
ZN_API zn_status zn_fail(const zn_log *log, zn_status status, const char *format, ...) ZN_PRINTF(3, 4);

/// The same with a reason in place of an error: for states that cannot be evaluated.
ZN_API zn_status zn_fail_here(const zn_log *log, zn_status status, const char *format, ...) ZN_PRINTF(3, 4);

// --- memory --------------------------------------------------------------------------------------

/// Scratch memory: allocate between a mark and a rewind; nothing is freed one by one.
typedef struct zn_arena zn_arena;

ZN_API zn_status zn_arena_create(size_t capacity, zn_arena **out);
/// One that takes more memory when it needs it, at least `growth` bytes at a time, and keeps it.
ZN_API zn_status zn_arena_create_growing(size_t growth, zn_arena **out);
ZN_API zn_arena *zn_arena_destroy(zn_arena *arena); ///< accepts NULL, returns NULL
ZN_API size_t    zn_arena_mark(const zn_arena *arena);
ZN_API void      zn_arena_rewind(zn_arena *arena, size_t mark);
/// 64-byte aligned, zeroed; NULL when the capacity or memory is exhausted.
ZN_API void     *zn_arena_alloc(zn_arena *arena, size_t count, size_t size);

#ifdef __cplusplus
}
#endif
#endif
