/// Rows of tables of options, and what the owner of a def does with its table.
#ifndef ZN_BASE_OPTION_H
#define ZN_BASE_OPTION_H

#include <math.h>

#include "zn/option.h"

// Words for the column of admissible values in a list of options.
#define ZN_BETWEEN(low, high) .range = {low, high, false}
#define ZN_BEYOND(low, high)  .range = {low, high, true}
#define ZN_AT_LEAST(low)      .range = {low, INFINITY, false}
#define ZN_WORDS(words)       .choices = words
#define ZN_ANY                .range = {0, 0, false}

/// Kind of a field by its C type; enumerations are what remains.
#define ZN_OPTION_KIND(type)                                                                                           \
    _Generic((type){0},                                                                                                \
        double: ZN_OPTION_NUMBER,                                                                                      \
        int: ZN_OPTION_COUNT,                                                                                          \
        bool: ZN_OPTION_FLAG,                                                                                          \
        const char *: ZN_OPTION_TEXT,                                                                                  \
        default: ZN_OPTION_CHOICE)

// The column of units.
#define ZN_UNIT_NONE   ""
#define ZN_UNIT_LENGTH "m"
#define ZN_UNIT_MASS   "kg"
#define ZN_UNIT_TIME   "s"

// The column that tells whether another value gives another motion.
#define ZN_MOTION false
#define ZN_EFFORT true

/// A row of a table from a row of a list for the fields of `def`; admissible values come last.
#define ZN_OPTION_ROW(def, type, field, dimension, role, text, ...)                                                    \
    .name = #field, .kind = ZN_OPTION_KIND(type), .offset = offsetof(def, field), .unit = ZN_UNIT_##dimension,         \
    .effort = ZN_##role, .help = text, __VA_ARGS__

/// "[0.5, 1]", "(0, 0.1]", "[0, inf)".
const char *zn_range_interval(zn_range range, char buffer[64]);

/// Texts that are NULL though there are words for them become the default.
void      zn_options_complete(zn_options options, void *def);
/// Refuse values out of range and unknown words; `what` begins the message.
zn_status zn_options_check(zn_options options, const void *def, const char *what, const zn_log *log);
enum { ZN_OPTION_REFUSAL = 400 };
/// Why the option has no meaning for `owner`; false: it has one.
bool      zn_option_refusal(const zn_option *option, const char *owner, char text[ZN_OPTION_REFUSAL]);
/// Refuse what differs from its default and does not belong to `owner`.
zn_status zn_options_refuse(zn_options options, const void *def, const char *owner, const zn_log *log);
bool      zn_option_is_default(const zn_option *option, zn_options options, const void *def);

#endif
