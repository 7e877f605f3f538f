// Options of static runs as a table.
#include "base/def.h"
#include "base/option.h"
#include "math/linsolver.h"
#include "statics/equilibrium.h"

static const zn_option table[] = {
#define ROW(type, field, value, admissible, dimension, group, role, text)                                              \
    {ZN_OPTION_ROW(zn_equilibrium_def, type, field, dimension, role, text, admissible)},
    ZN_EQUILIBRIUM_OPTION_LIST(ROW)
#undef ROW
};

static const zn_equilibrium_def usual = {.size = sizeof(zn_equilibrium_def),
#define DEFAULT(type, field, value, ...) .field = value,
                                         ZN_EQUILIBRIUM_OPTION_LIST(DEFAULT)
#undef DEFAULT
};

const zn_def_kind zn_equilibrium_def_kind = {"zn_equilibrium_def", sizeof(zn_equilibrium_def), {{0, 0}}};

void       zn_equilibrium_def_reset(zn_equilibrium_def *def) { zn_def_give(&zn_equilibrium_def_kind, &usual, def); }
zn_options zn_equilibrium_options(void) { return (zn_options){sizeof table / sizeof *table, table, &usual}; }
