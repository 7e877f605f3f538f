// What helps against a step that failed, by who is to blame and how far it was off. See remedy.h.
//
// Newton's method whose residual still falls needs iterations; else the step is too long for it, and is halved unless
// that was forbidden. A contact problem near its tolerance is as good as rounding allows and needs a coarser one; far
// from it the solver that tries them all, or a shorter step.
#include "sim/remedy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "system/blame.h"

static const double near = 1e5;      // residuals over tolerances that are a matter of rounding
static const double coarsest = 1e-6; // a tolerance that nobody is told to take beyond

// The next power of ten.
static double above(double x) { return pow(10, ceil(log10(x))); }

static bool is_near(const zn_blame *b)
{
    return b->relative > b->tolerance && b->relative <= fmin(near * b->tolerance, coarsest);
}

static const char *shorter_step(const zn_sim *sim, double h, char *text, size_t size)
{
    if (zn_scheme_keeps_step(sim->scheme))
        snprintf(text, size, "a smaller step (this scheme cannot halve it)");
    else if (sim->def.max_subdivisions == 0)
        snprintf(text, size, "max_subdivisions: 8, so that steps which fail are halved");
    else
        snprintf(text, size, "a smaller step, below %.2g s", h);
    return text;
}

static const char *for_newton(const zn_sim *sim, const zn_blame *b, double h, char *text, size_t size)
{
    int more = zn_blame_more(b);
    if (more == 0)
        return shorter_step(sim, h, text, size);
    snprintf(text, size, "newton_iterations: %d", more);
    return text;
}

static const char *for_constraints(const zn_sim *sim, const zn_blame *b, double h, char *text, size_t size)
{
    const char *solver = sim->def.scheme.solver;
    if (solver && strcmp(solver, "auto") != 0)
        snprintf(text, size, "solver: auto");
    else if (is_near(b))
        snprintf(text, size, "solver_tolerance: %.0e", above(b->relative));
    else
        return shorter_step(sim, h, text, size);
    return text;
}

const char *zn_remedy(const zn_sim *sim, zn_status status, const zn_blame *b, double h, char *text, size_t size)
{
    text[0] = '\0';
    if (status < 0 || status == ZN_INTERRUPTED)
        return text;
    switch (b->kind) {
    case ZN_BLAME_BALANCE:
    case ZN_BLAME_GAP:
        return for_newton(sim, b, h, text, size);
    case ZN_BLAME_CONSTRAINT:
        return for_constraints(sim, b, h, text, size);
    case ZN_BLAME_SINGULAR:
        snprintf(text, size, "mass, stiffness or a joint that holds it");
        return text;
    default:
        return shorter_step(sim, h, text, size);
    }
}
