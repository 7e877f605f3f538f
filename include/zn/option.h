/// @file option.h
/// Options as tables: one row per field of a def says what the field may hold, what it means and to whom it belongs.
/// Defaults, checks, model file, command line, help, result file and manual are made from these rows.
#ifndef ZN_OPTION_H
#define ZN_OPTION_H

#include <stdbool.h>

#include "zn/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the field of an option is.
typedef enum zn_option_kind {
    ZN_OPTION_NUMBER, ///< double
    ZN_OPTION_COUNT,  ///< int
    ZN_OPTION_FLAG,   ///< bool
    ZN_OPTION_CHOICE, ///< enumeration: place in `choices`
    ZN_OPTION_TEXT    ///< const char *: one of `choices`, where there are any; NULL stands for the default
} zn_option_kind;

/// Valid values; `open`: the lower bound itself is not valid. All zero: any finite value.
typedef struct zn_range {
    double min, max;
    bool   open;
} zn_range;

typedef struct zn_option {
    const char    *name; ///< of the field
    zn_option_kind kind;
    size_t         offset; ///< of the field in the def
    zn_range       range;
    const char    *choices; ///< admissible words, separated by blanks; NULL: any text
    const char    *unit;    ///< "" for none
    const char    *owners;  ///< what it belongs to, such as schemes, separated by blanks; NULL: all
    const char    *reason;  ///< why it does not apply to the others; NULL: that it belongs to these says it
    bool           effort;  ///< another value gives the same result
    const char    *help;
} zn_option;

/// A table of options, and the def that holds their defaults.
typedef struct zn_options {
    int              count;
    const zn_option *items;
    const void      *defaults;
} zn_options;

enum { ZN_WORD_BYTES = 32 }; ///< of any word among `choices`, with its end

/// By name; NULL: there is none.
ZN_API const zn_option *zn_option_find(zn_options options, const char *name);
ZN_API bool             zn_option_belongs(const zn_option *option, const char *owner);
/// The word at a place among the choices, in `buffer`; NULL beyond.
ZN_API const char      *zn_option_word(const zn_option *option, int place, char buffer[ZN_WORD_BYTES]);
/// Place of a word among the choices, or -1.
ZN_API int              zn_option_place(const zn_option *option, const char *word);
/// Value of the field in `def`: of a choice its place, of a flag 0 or 1, of a text NAN.
ZN_API double           zn_option_number(const zn_option *option, const void *def);
/// Of a text the text, which may be NULL; of a choice its word, in `buffer`; NULL for others.
ZN_API const char      *zn_option_text(const zn_option *option, const void *def, char buffer[ZN_WORD_BYTES]);
/// "number, 0.5 to 1" or "one of: explicit, free", as help texts have it; returns its length as snprintf does.
ZN_API int              zn_option_describe(const zn_option *option, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
