// Options and models that do not apply to a scheme: refused when the scheme is created, with the reason.
#include "scheme/scheme.h"
#include "system/system.h"

zn_status zn_scheme_refuse_forecast(const zn_scheme_def *def, const char *scheme, const zn_log *log)
{
    if (def->forecast == ZN_FORECAST_EXPLICIT && def->gamma == 0)
        return ZN_OK;
    return zn_fail(log, ZN_ERR_ARGUMENT, "%s: forecast and gamma do not apply, contacts are activated by position",
                   scheme);
}

zn_status zn_scheme_refuse_projection(const zn_scheme_def *def, const char *scheme, const zn_log *log)
{
    if (def->metric == ZN_METRIC_IDENTITY && !def->coupled)
        return ZN_OK;
    return zn_fail(log, ZN_ERR_ARGUMENT, "%s: metric and coupled do not apply, nothing is projected", scheme);
}

zn_status zn_scheme_refuse_friction(const zn_system *sys, const char *scheme, const zn_log *log)
{
    for (int i = 0; i < sys->model->rules; i++)
        if (sys->model->rule[i].rows > 1)
            return zn_fail(log, ZN_ERR_UNSUPPORTED,
                           "%s: contact '%s' has friction, which is not defined for contact laws at position level",
                           scheme, sys->model->rule[i].name);
    return ZN_OK;
}
