// Contacts without columns: which models and options allow them.
#include <string.h>

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

void zn_scheme_tell_split(const zn_system *sys, const zn_scheme_def *def, zn_linsolver_info info, const zn_log *log)
{
    double bytes = (double)sizeof(double) * sys->info.n * sys->contact_capacity * sys->contact_rows;
    if (info.backend != NULL && strstr(info.backend, ZN_WITHOUT_COLUMNS) != NULL)
        zn_log_write(log, ZN_LOG_INFO,
                     "%s: columns of up to %d contacts would take %.3g MB for one matrix, column_memory is %g MB: "
                     "contacts are solved without them",
                     def->scheme, sys->contact_capacity, bytes / 1e6, def->column_memory);
}
