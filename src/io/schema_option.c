// Keys of `scheme` and `static`: the lists of options of the C API, as the model language sees them.
#include "base/option.h"
#include "io/schema_table.h"
#include "math/linsolver.h"
#include "solve/solvers.h"

#include "io/schema_rows.h"

#define KIND(type)                                                                                                     \
    _Generic((type){0},                                                                                                \
        double: ZN_KEY_NUMBER,                                                                                         \
        int: ZN_KEY_INTEGER,                                                                                           \
        bool: ZN_KEY_BOOL,                                                                                             \
        const char *: ZN_KEY_TEXT,                                                                                     \
        default: ZN_KEY_CHOICE)
#define ROW(def, type, key, dimension, text, ...)                                                                      \
    {#key, KIND(type), UNIT(dimension), FIELD(def, key), HELP(text), __VA_ARGS__},

_Static_assert(sizeof(zn_forecast) == sizeof(int), "choices fill enums as int");

// --- schemes -------------------------------------------------------------------------------------

static const zn_schema_key scheme_keys[] = {
#define SCHEME(type, key, value, admissible, dimension, group, role, text)                                             \
    ROW(zn_scheme_def, type, key, dimension, text, admissible)
    ZN_SCHEME_OPTION_LIST(SCHEME)
#undef SCHEME
};

static void scheme_defaults(void *out) { *(zn_scheme_def *)out = zn_scheme_def_default(); }

const zn_schema zn_schema_scheme = {"scheme",
                                    "run: scheme",
                                    "`scheme: NAME`, or with options `scheme: {NAME: {theta: 0.5}}`. An option that "
                                    "does not belong to the scheme is an error.",
                                    sizeof(zn_scheme_def),
                                    scheme_defaults,
                                    KEYS(scheme_keys),
                                    zn_scheme_options};

// --- static runs ---------------------------------------------------------------------------------

static const zn_schema_key static_keys[] = {
#define STATIC(type, key, value, admissible, dimension, group, role, text)                                             \
    ROW(zn_equilibrium_def, type, key, dimension, text, admissible)
    ZN_EQUILIBRIUM_OPTION_LIST(STATIC)
#undef STATIC
};

static void static_defaults(void *out) { *(zn_equilibrium_def *)out = zn_equilibrium_def_default(); }

const zn_schema zn_schema_static = {
    "static",
    "run: static",
    "A run without motion, such as `run: {static: {load_steps: 10}}`. One row is recorded "
    "for the model as given and one per load step; their time is the share of gravity "
    "and loads that acts, from 0 to 1, and `force` and `reaction` are static forces. "
    "Friction holds from where a load step begins; systems keep all their forces in every load step. A "
    "force along a direction that nothing holds is an error.",
    sizeof(zn_equilibrium_def),
    static_defaults,
    KEYS(static_keys),
    zn_equilibrium_options};
