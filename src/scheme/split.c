// Contacts without columns: which models and options allow them.
#include <string.h>

#include "base/option.h"
#include "constraint/response.h"
#include "scheme/scheme.h"
#include "system/system.h"

bool zn_scheme_may_split(const zn_system *sys, const zn_scheme_def *def)
{
    if (def->impact != ZN_IMPACT_NEWTON || (def->observer.problem != NULL && !def->observer.faults) ||
        def->solver_measure != ZN_FC_MEASURE_NATURAL ||
        (strcmp(def->solver, "auto") != 0 && strcmp(def->solver, "admm") != 0))
        return false;
    for (int i = 0; i < sys->model->rules; i++)
        if (sys->model->rule[i].cohesion > 0 || sys->model->rule[i].turns > 0)
            return false;
    return true;
}

static double column_bytes(const zn_system *sys)
{
    return (double)sizeof(double) * sys->info.n * sys->contact_capacity * sys->contact_rows;
}

// Of contacts that come and go nobody knows how many there will be.
void zn_scheme_warn_columns(const zn_system *sys, const zn_scheme_def *def, const char *scheme, const zn_log *log)
{
    const zn_option *option = zn_option_find(zn_scheme_options(), "column_memory");
    bool             able = zn_option_belongs(option, scheme);
    if (sys->halo || sys->info.contacts_grow || !(column_bytes(sys) > 1e6 * def->column_memory) ||
        !zn_option_belongs(zn_option_find(zn_scheme_options(), "linear_solver"), scheme) ||
        (able && zn_scheme_may_split(sys, def)))
        return;
    zn_log_write(log, ZN_LOG_WARNING,
                 "%s: columns of %d contacts take %.3g MB for one matrix, more than column_memory, %g MB: %s", scheme,
                 sys->contact_capacity, column_bytes(sys) / 1e6, def->column_memory,
                 able ? "laws of impact other than Newton's, cohesion, rolling friction, solvers other than admm and "
                        "dumps of problems need them"
                      : "this scheme needs them; moreau_jean, schatzman_paoli, nsga and nsga_coupled do not");
}

void zn_scheme_tell_split(const zn_system *sys, const zn_scheme_def *def, zn_linsolver_info info, const zn_log *log)
{
    if (sys->halo) // always so
        return;
    if (info.backend != NULL && strstr(info.backend, ZN_WITHOUT_COLUMNS) != NULL)
        zn_log_write(log, ZN_LOG_INFO,
                     "%s: columns of up to %d contacts would take %.3g MB for one matrix, column_memory is %g MB: "
                     "contacts are solved without them",
                     def->scheme, sys->contact_capacity, column_bytes(sys) / 1e6, def->column_memory);
}
