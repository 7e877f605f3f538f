// Damped Newton iteration on a problem that owns its unknowns.
//
//     d = direction,   x <- x + s d,   s = 1, 1/2, 1/4, ... until  |r(x + s d)| <= (1 - c s) |r(x)|
//
// When no s of the line search satisfies that, the best finite trial is taken all the same: a piecewise linear
// residual must sometimes climb to get across a kink.
//
// With `patience` p, full steps are taken although the residual grows, until p of them in a row have not led below the
// least one so far (the watchdog of Chamberlain et al., Math. Program. Study 16, 1982, without the way back): problems
// whose equations change from iteration to iteration have no residual that must fall.
#include "zn/math.h"

#include "base/assert.h"
#include "base/blame.h"

#define SUFFICIENT_DECREASE 1e-4 // c of Armijo's rule

zn_newton_settings zn_newton_settings_default(void)
{
    return (zn_newton_settings){.max_iterations = 50, .max_halvings = 8};
}

// Evaluate a trial. A state that cannot be evaluated is only a bad trial (infinite norm); what cannot be mended by a
// shorter step is passed on.
static zn_status try_step(const zn_newton_problem *p, double s, double *norm)
{
    ZN_ASSERT(s > 0 && s <= 1);
    *norm = INFINITY;
    zn_status status = p->trial(p->user, s, norm);
    if (status < ZN_OK || status == ZN_INTERRUPTED)
        return status;
    if (status != ZN_OK || !isfinite(*norm))
        *norm = INFINITY;
    return ZN_OK;
}

// Find a step; on ZN_OK it is the last trial of the problem and `norm` is its residual.
// A patient search takes the full step wherever it can be evaluated.
static zn_status search(const zn_newton_problem *p, int max_halvings, bool patient, double *norm)
{
    ZN_ASSERT(max_halvings >= 0 && *norm > 1);
    double best = INFINITY, best_s = 0, s = 1, trial = INFINITY;
    for (int halving = 0; halving <= max_halvings; halving++, s *= 0.5) {
        ZN_TRY(try_step(p, s, &trial));
        if (trial <= 1 || trial <= (1 - SUFFICIENT_DECREASE * s) * *norm || (patient && s == 1 && isfinite(trial))) {
            *norm = trial;
            return ZN_OK;
        }
        if (trial < best) {
            best = trial;
            best_s = s;
        }
    }
    if (!isfinite(best))
        return ZN_NOT_FINITE;
    if (best_s != 2 * s) // the loop ends one halving further than its last trial
        ZN_TRY(try_step(p, best_s, &trial));
    else
        trial = best;
    *norm = trial;
    return isfinite(trial) ? ZN_OK : ZN_NOT_FINITE;
}

static zn_status iterate(const zn_newton_problem *p, const zn_newton_settings *settings, zn_newton_info *info)
{
    double middle = info->norm, least = info->norm;
    int    waited = 0; // full steps since the least
    while (info->norm > 1) {
        if (info->iterations == settings->max_iterations) {
            zn_blame_iterations(info->iterations, middle, info->norm);
            return ZN_NOT_CONVERGED;
        }
        if (info->iterations == settings->max_iterations / 2)
            middle = info->norm;
        ZN_TRY(p->direction(p->user));
        ZN_TRY(search(p, settings->max_halvings, waited < settings->patience, &info->norm));
        p->accept(p->user);
        info->iterations++;
        waited = info->norm < least ? 0 : waited + 1;
        least = info->norm < least ? info->norm : least;
    }
    return ZN_OK;
}

zn_status zn_newton_solve(const zn_newton_problem *problem, const zn_newton_settings *settings, double norm,
                          zn_newton_info *info)
{
    ZN_ASSERT(problem && problem->direction && problem->trial && problem->accept);
    ZN_ASSERT(settings);
    zn_newton_info result = {.iterations = 0, .norm = norm};
    zn_status      status = ZN_OK;
    if (settings->max_iterations <= 0 || settings->max_halvings < 0 || settings->patience < 0)
        status = ZN_ERR_ARGUMENT;
    else if (!isfinite(norm))
        status = ZN_NOT_FINITE;
    else
        status = iterate(problem, settings, &result);
    if (info != NULL)
        *info = result;
    return status;
}
