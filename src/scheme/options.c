// The list of options as a table, and the schemes that each belongs to. An option is a row of ZN_SCHEME_OPTION_LIST and
// its use; here is something to do only when it belongs to schemes that share no other.
#include "base/def.h"
#include "base/option.h"
#include "math/linsolver.h"
#include "scheme/scheme.h"
#include "solve/solvers.h"

// --- to whom options belong, and why they do not apply to others ---------------------------------

#define THETA_RULE                                                                                                     \
    "moreau_jean direct_projection combined_projection schatzman_paoli "                                               \
    "trapezoidal"
#define GENERALIZED_ALPHA "nsga nsga_coupled"

#define OF_ALL      NULL, NULL
#define OF_THETA    THETA_RULE, NULL
#define OF_FORECAST "moreau_jean direct_projection", "contacts are not activated by a forecast"
#define OF_NEWTON_LAW                                                                                                  \
    "moreau_jean direct_projection combined_projection " GENERALIZED_ALPHA,                                            \
        "it has no law of impact between velocities, or one with the rows of the end"
#define OF_IMPACT                                                                                                      \
    "moreau_jean direct_projection combined_projection cd_lagrange multirate " GENERALIZED_ALPHA,                      \
        "it has no law of impact between velocities"
#define OF_GAMMA     "moreau_jean direct_projection newmark multirate", "contacts are not activated by a forecast"
#define OF_NEWMARK   "newmark multirate", NULL
#define OF_PROJECTED "direct_projection combined_projection", "nothing is projected"
#define OF_FROZEN    "moreau_jean", "positions depend on the rows at their end"
#define OF_NSGA      GENERALIZED_ALPHA, NULL
#define OF_MULTIRATE "multirate", NULL
#define OF_NEWTON    THETA_RULE " " GENERALIZED_ALPHA " newmark multirate energy_momentum", "no step needs iterations"
#define OF_CONTACTS  THETA_RULE " " GENERALIZED_ALPHA " cd_lagrange multirate energy_momentum", "there are no contacts"
#define OF_MEASURE                                                                                                     \
    "moreau_jean direct_projection combined_projection", "it has no friction or measures it by the natural residual"
#define OF_IMPLICIT                                                                                                    \
    THETA_RULE " " GENERALIZED_ALPHA " newmark multirate energy_momentum", "there are no linear equations"
#define OF_SPLIT                                                                                                       \
    "moreau_jean schatzman_paoli " GENERALIZED_ALPHA, "it has no contacts with columns, or cannot do without"
#define OF_EXPLICIT   "cd_lagrange multirate", NULL
#define OF_THREADS    "cd_lagrange multirate moreau_jean", "its steps have no work that threads share"
#define OF_LEVELS     "cd_lagrange", NULL
#define OF_CONSERVING "energy_momentum", NULL

// --- the table -----------------------------------------------------------------------------------

static const zn_option table[] = {
#define ROW(type, field, value, admissible, dimension, group, role, text)                                              \
    {ZN_OPTION_ROW(zn_scheme_def, type, field, dimension, role, text, admissible), .owners = OF_##group},
    ZN_SCHEME_OPTION_LIST(ROW)
#undef ROW
};

_Static_assert(ZN_FORECAST_EXPLICIT == 0 && ZN_FORECAST_FREE == 1, "order of the words of forecast");
_Static_assert(ZN_APPROACH_START == 0 && ZN_APPROACH_END == 1, "... of approach");
_Static_assert(ZN_METRIC_IDENTITY == 0 && ZN_METRIC_MASS == 1 && ZN_METRIC_ITERATION == 2, "... of metric");
_Static_assert(ZN_SMOOTH_CONTACTS == 0 && ZN_SMOOTH_JOINTS == 1 && ZN_SMOOTH_FORCES == 2 && ZN_SMOOTH_NONE == 3,
               "... of smooth");
_Static_assert(ZN_CONTACT_FRAMES == 0 && ZN_CONTACT_NODE_TO_SEGMENT == 1, "... of contact");
_Static_assert(ZN_IMPACT_NEWTON == 0 && ZN_IMPACT_POISSON == 1 && ZN_IMPACT_SEQUENTIAL == 2, "... of impact");
_Static_assert(ZN_INTERFACE_AUTO == 0 && ZN_INTERFACE_DENSE == 1 && ZN_INTERFACE_SPARSE == 2, "... of interface");
_Static_assert(ZN_FC_MEASURE_NATURAL == 0 && ZN_FC_MEASURE_FCLIB == 1, "... of solver_measure");

static const zn_scheme_def usual = {.size = sizeof(zn_scheme_def),
                                    .scheme = "moreau_jean",
#define DEFAULT(type, field, value, ...) .field = value,
                                    ZN_SCHEME_OPTION_LIST(DEFAULT)
#undef DEFAULT
};

const zn_def_kind zn_scheme_def_kind = {"zn_scheme_def", sizeof(zn_scheme_def), {{0, 0}}};

void       zn_scheme_def_reset(zn_scheme_def *def) { zn_def_give(&zn_scheme_def_kind, &usual, def); }
zn_options zn_scheme_options(void) { return (zn_options){sizeof table / sizeof *table, table, &usual}; }
