// Friction problems go to the friction solvers, the others to those of complementarity problems.
#include "constraint/nonsmooth.h"

#include <math.h>
#include <string.h>

#include "constraint/observe.h"
#include "constraint/stick.h"
#include "solve/solvers.h"

size_t zn_nonsmooth_scratch(int n)
{
    size_t lcp = zn_lcp_scratch(n), stick = zn_stick_scratch(n < ZN_STICK_ROWS ? n : ZN_STICK_ROWS) * sizeof(double);
    size_t equations = (size_t)n * (size_t)(n + 1) * sizeof(double); // zn_redundant_isolate
    size_t most = lcp > stick ? lcp : stick;
    return most > equations ? most : equations;
}

static zn_status solve_friction(const zn_nonsmooth *p, double *z, double *u, void *scratch, zn_fc_info *report)
{
    zn_fc_problem  problem = {p->n, p->bilateral, p->contacts, p->first, p->W, p->b, p->mu, NULL};
    zn_fc_settings settings = {zn_solver_for_friction(p->solver), 0, p->tolerance, p->measure, false};
    zn_status      status = ZN_OK;
    if (p->n <= ZN_STICK_ROWS && zn_stick(&problem, 0, z, scratch)) {
        memset(u, 0, sizeof *u * (size_t)p->n);
        *report = (zn_fc_info){0};
    } else
        status = zn_fc_solve(&problem, &settings, p->workspace, z, u, report);
    return zn_observe(&p->observer, &problem, p->level, p->t, status);
}

zn_status zn_nonsmooth_solve(const zn_nonsmooth *p, double *z, double *u, void *scratch, zn_effort effort)
{
    int    iterations;
    double residual;
    if (p->friction) {
        zn_fc_info report;
        ZN_TRY(solve_friction(p, z, u, scratch, &report));
        iterations = report.iterations;
        residual = report.residual;
    } else {
        zn_lcp_problem  problem = {p->n, p->bilateral, p->W, p->b};
        zn_lcp_settings settings = {zn_solver_for_complementarity(p->solver), 0, p->tolerance};
        zn_lcp_info     report;
        ZN_TRY(zn_observe_lcp(&p->observer, &problem, p->level, p->t,
                              zn_lcp_solve(&problem, &settings, z, u, scratch, &report)));
        iterations = report.iterations;
        residual = report.residual;
    }
    *effort.iterations += iterations;
    *effort.residual = fmax(*effort.residual, residual);
    return ZN_OK;
}

zn_status zn_nonsmooth_solve_sparse(const zn_sparse_problem *p, double *z, double *u, double *residual,
                                    zn_effort effort)
{
    enum { WARM_ITERATIONS = 150, COLD_ITERATIONS = 2000 };
    zn_fc_settings settings = {zn_solver_for_friction(p->solver), WARM_ITERATIONS, p->tolerance, p->measure, false};
    zn_fc_info     report;
    zn_status      status = zn_fc_solve(&p->problem, &settings, p->workspace, z, u, &report);
    *effort.iterations += report.iterations;
    if (status == ZN_NOT_CONVERGED) {
        memset(z, 0, sizeof *z * (size_t)p->problem.n);
        settings.max_iterations = COLD_ITERATIONS;
        settings.tolerance = fmax(p->tolerance, p->enough);
        status = zn_fc_solve(&p->problem, &settings, p->workspace, z, u, &report);
        *effort.iterations += report.iterations;
    }
    *residual = report.residual;
    return zn_observe(&p->observer, &p->problem, p->level, p->t, status);
}
