// Options of static runs as a table.
#include "base/option.h"
#include "math/linsolver.h"
#include "model/cookie.h"
#include "zn/statics.h"

static const zn_option table[] = {
#define ROW(type, field, value, admissible, dimension, group, role, text)                                              \
    {ZN_OPTION_ROW(zn_equilibrium_def, type, field, dimension, role, text, admissible)},
    ZN_EQUILIBRIUM_OPTION_LIST(ROW)
#undef ROW
};

static const zn_equilibrium_def usual = {
#define DEFAULT(type, field, value, ...) .field = value,
    ZN_EQUILIBRIUM_OPTION_LIST(DEFAULT)
#undef DEFAULT
        .cookie = ZN_COOKIE,
};

zn_equilibrium_def zn_equilibrium_def_default(void) { return usual; }
zn_options         zn_equilibrium_options(void) { return (zn_options){sizeof table / sizeof *table, table, &usual}; }
