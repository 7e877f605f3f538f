// Options and models that do not apply to a scheme: refused when the scheme is created, with the reason.
#include <string.h>

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

// `given`: the option differs from its default. `schemes`: those it belongs to, each followed by a blank.
static zn_status refuse_option(const char *name, bool given, const char *schemes, const char *scheme, const zn_log *log)
{
    size_t length = strlen(scheme);
    for (const char *s = schemes; *s; s = strchr(s, ' ') + 1)
        if (strncmp(s, scheme, length) == 0 && s[length] == ' ')
            return ZN_OK;
    return given ? zn_fail(log, ZN_ERR_ARGUMENT, "%s: %s does not apply, it belongs to: %s", scheme, name, schemes)
                 : ZN_OK;
}

zn_status zn_scheme_refuse_strangers(const zn_scheme_def *def, const char *scheme, const zn_log *log)
{
    static const char   theta[] = "moreau_jean direct_projection combined_projection schatzman_paoli trapezoidal ";
    static const char   nsga[] = "nsga nsga_coupled ", multirate[] = "multirate ";
    const zn_scheme_def usual = zn_scheme_def_default();
    const struct {
        const char *name;
        bool        given;
        const char *schemes;
    } option[] = {
        {"theta", def->theta != usual.theta, theta},
        {"beta", def->beta != usual.beta, "newmark multirate "},
        {"rho_inf", def->rho_inf != usual.rho_inf, nsga},
        {"neglect", def->neglect, nsga},
        {"smooth", def->smooth != usual.smooth, nsga},
        {"position_friction", !def->position_friction, nsga},
        {"characteristic_mass", def->characteristic_mass != usual.characteristic_mass, nsga},
        {"penalty_factor", def->penalty_factor != usual.penalty_factor, nsga},
        {"fine", def->fine != NULL, multirate},
        {"within", def->within != usual.within, multirate},
        {"ratio", def->ratio != usual.ratio, multirate},
        {"fine_implicit", def->fine_implicit, multirate},
        {"coarse_explicit", def->coarse_explicit, multirate},
        {"threads", def->threads != usual.threads, "cd_lagrange multirate "},
    };
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        ZN_TRY(refuse_option(option[i].name, option[i].given, option[i].schemes, scheme, log));
    return ZN_OK;
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
