// Options and models that do not apply to a scheme: refused when the scheme is created, with the reason.
#include <string.h>

#include "base/array.h"
#include "base/option.h"
#include "math/linsolver.h"
#include "scheme/scheme.h"
#include "solve/solvers.h"
#include "system/system.h"

// A solver that could not take any problem with the friction of this model, or would take none at all.
static zn_status refuse_solver(const zn_scheme_def *def, const zn_system *sys, const char *scheme, const zn_log *log)
{
    const zn_solver_kind *kind = zn_solver_find(def->solver);
    bool                  friction = false;
    if (zn_solver_is_augmented(def->solver) && strncmp(scheme, "nsga", 4) != 0)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: solver '%s' is Newton's method on the augmented Lagrangian of a law in each of its "
                       "nonlinear problems, which nsga and nsga_coupled have; newton_alart_curnier solves linear ones",
                       scheme, def->solver);
    for (int i = 0; kind && i < sys->model->rules; i++) {
        const zn_contact_rule *rule = &sys->model->rule[i];
        friction |= rule->rows > 1;
        if (rule->turns > 0 && (kind->tangents == 1 || strcmp(kind->name, "interior_point") == 0))
            return zn_fail(log, ZN_ERR_ARGUMENT,
                           "%s: solver '%s' does not take rolling and spinning friction, which contact '%s' has",
                           scheme, def->solver, rule->name);
        if (kind->tangents > 0 && rule->rows - rule->turns - 1 > kind->tangents)
            return zn_fail(log, ZN_ERR_ARGUMENT,
                           "%s: solver '%s' takes friction along a line only, contact '%s' has it in a plane", scheme,
                           def->solver, rule->name);
    }
    if (kind && !kind->complementarity && !friction)
        return zn_fail(log, ZN_ERR_ARGUMENT, "%s: solver '%s' takes problems with friction, no contact has any", scheme,
                       def->solver);
    return ZN_OK;
}

// Explicit schemes take forces of the beginning of a step, conserving ones forces between two states.
static zn_status refuse_motors(const zn_system *sys, const char *scheme, const zn_log *log)
{
    const char *motor = zn_system_motor(sys);
    if (!motor)
        return ZN_OK;
    return zn_fail(
        log, ZN_ERR_UNSUPPORTED,
        "%s: '%s' is a motor or depends on the motion (feedback), which this scheme cannot follow; the theta schemes, "
        "schatzman_paoli, newmark, nsga and nsga_coupled do",
        scheme, motor);
}

// Contacts that pull: an impulse of at least -c h in each step, which these schemes have.
static zn_status refuse_cohesion(const zn_scheme_def *def, const zn_system *sys, const char *scheme, const zn_log *log)
{
    static const char *const with[] = {"moreau_jean", "direct_projection", "combined_projection"};
    bool                     has = false;
    for (int i = 0; i < 3; i++)
        has |= strcmp(scheme, with[i]) == 0;
    for (int i = 0; i < sys->model->rules; i++) {
        const zn_contact_rule *rule = &sys->model->rule[i];
        if (rule->cohesion > 0 && !has)
            return zn_fail(log, ZN_ERR_UNSUPPORTED,
                           "%s: contact '%s' has cohesion; moreau_jean, direct_projection and combined_projection "
                           "take it",
                           scheme, rule->name);
        if (rule->cohesion > 0 && def->impact != ZN_IMPACT_NEWTON)
            return zn_fail(log, ZN_ERR_UNSUPPORTED, "%s: contact '%s' has cohesion, which goes with 'impact: newton'",
                           scheme, rule->name);
    }
    return ZN_OK;
}

static zn_status refuse_linear_solver(const zn_scheme_def *def, const zn_system *sys, const zn_log *log)
{
    static const char *const shared[] = {"auto", "amg", "mumps", "boomeramg"};
    const char              *word = def->linear_solver;
    bool                     there = false;
    for (size_t i = 0; i < ZN_COUNT(shared); i++)
        there |= strcmp(word, shared[i]) == 0;
    if (sys->halo && !there)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "scheme: linear_solver '%s' is for one process; several take amg, boomeramg or mumps", word);
    if (!sys->halo && strcmp(word, "boomeramg") == 0)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "scheme: linear_solver 'boomeramg' is for several processes (zeno-mpi); one takes amg");
    if (!sys->halo && !zn_linsolver_is_built(word))
        return zn_fail(log, ZN_ERR_ARGUMENT, "scheme: linear_solver '%s' is not part of this build", word);
    return ZN_OK;
}

zn_status zn_scheme_refuse_options(const zn_scheme_def *def, const zn_system *sys, const char *scheme,
                                   const zn_log *log)
{
    static const char *const without_motors[] = {"cd_lagrange", "multirate", "energy_momentum"};
    ZN_TRY(zn_options_check(zn_scheme_options(), def, "scheme", log));
    ZN_TRY(refuse_linear_solver(def, sys, log));
    ZN_TRY(zn_options_refuse(zn_scheme_options(), def, scheme, log));
    if (strcmp(def->linear_solver, "amg") == 0 &&
        (strcmp(scheme, "energy_momentum") == 0 || strcmp(scheme, "multirate") == 0))
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: linear_solver 'amg' takes symmetric matrices of one solid mesh, which this scheme does not "
                       "have; use klu or mumps",
                       scheme);
    if (def->theta < 0.5 && strcmp(scheme, "schatzman_paoli") != 0)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: theta = %g is below 1/2, where oscillations grow at any step; schatzman_paoli takes it",
                       scheme, def->theta);
    if (def->forecast == ZN_FORECAST_FREE && def->gamma != 0)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: gamma does not apply with forecast 'free', it is how far the explicit one looks ahead",
                       scheme);
    if (def->mass_scaling > 0 && strcmp(def->levels, "1") != 0)
        return zn_fail(log, ZN_ERR_ARGUMENT,
                       "%s: with 'levels' small elements have steps of their own and need no 'mass_scaling'", scheme);
    for (int i = 0; i < 3; i++)
        if (strcmp(scheme, without_motors[i]) == 0)
            ZN_TRY(refuse_motors(sys, scheme, log));
    ZN_TRY(refuse_cohesion(def, sys, scheme, log));
    return refuse_solver(def, sys, scheme, log);
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
