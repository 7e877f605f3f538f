// Frictional contact problems: the public entry and the choice of a solver.
//
// A problem is solved in units of its own: with s ~ 1/sqrt(d) for a contact's rows (d as in zn_fc_residual; a bilateral
// row has its own),
//     W' = S W S,   q' = S q,   r = S r'
// has a diagonal of about 1 and the same cones. The s are powers of two: scaling makes no round-off.
//
// Reference: G. De Saxce, Z.-Q. Feng, Math. Comput. Modelling 28 (1998) 225-245, for the cone complementarity form;
// V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), chapter 13, for the solvers.
#include "solve/friction_call.h"

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/alive.h"
#include "base/assert.h"
#include "solve/solvers.h"

zn_fc_settings zn_fc_settings_default(void)
{
    return (zn_fc_settings){.solver = "auto", .max_iterations = 0, .tolerance = 1e-12};
}

// --- effort --------------------------------------------------------------------------------------

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool zn_fc_afford(zn_fc_effort *effort, double sweeps)
{
    if (effort == NULL)
        return true;
    effort->spent += sweeps;
    effort->late = effort->late || (effort->end > 0 && now() > effort->end);
    effort->over = effort->over || effort->late || (effort->most > 0 && effort->spent > effort->most);
    return !effort->over;
}

// Of auto: sweeps that take two minutes at 13 ns for a row and 0.13 ns for an entry, but at least 5000.
static zn_fc_effort effort_of(const zn_fc_problem *p, const zn_fc_settings *settings, bool automatic)
{
    const double least = 5000, most = 1.2e11;
    double       n = p->n, entries = p->W != NULL ? n * n : p->sparse->start[p->n];
    zn_fc_effort effort = {0};
    if (settings->effort > 0)
        effort.most = settings->effort;
    else if (automatic)
        effort.most = fmax(least, most / (13 * n + 0.13 * entries));
    if (settings->time_limit > 0)
        effort.end = now() + settings->time_limit;
    return effort;
}

// --- solvers by name -----------------------------------------------------------------------------

static zn_status solve_direct(zn_fc_call *call, const char *name, zn_fc_dense_method *method)
{
    zn_fc_work work;
    ZN_TRY(zn_fc_call_prepare_dense(call, true, &work));
    return zn_fc_call_dense(call, &work, name, method);
}

typedef struct named_method {
    const char         *name;
    zn_fc_dense_method *dense;
    zn_fc_method       *method;
} named_method;

static const named_method *find_solver(const char *name)
{
    ZN_ASSERT(name);
    static const named_method table[] = {
#define NO(word)
#define DENSE(word)                     {#word, zn_fc_##word, NULL},
#define BLOCKS(word)                    {#word, NULL, zn_fc_##word},
#define ROW(word, friction, unilateral) friction(word)
        ZN_SOLVER_LIST(ROW)
#undef NO
#undef DENSE
#undef BLOCKS
#undef ROW
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table + i;
    return NULL;
}

static zn_status nothing(zn_fc_task *task)
{
    (void)task;
    return ZN_OK;
}

static zn_status solve_named(zn_fc_call *call, const named_method *solver)
{
    ZN_ASSERT(solver->dense || solver->method);
    zn_fc_task task;
    if (call->p->leader != NULL && (solver->dense != NULL || solver->method == zn_fc_interior_point)) {
        call->info.reason = "this solver does not take moments against rolling and spinning";
        return ZN_ERR_UNSUPPORTED;
    }
    if (solver->dense != NULL)
        return solve_direct(call, solver->name, solver->dense);
    ZN_TRY(zn_fc_call_prepare_blocks(call, call->r, &task));
    bool known = zn_fc_look(&task) <= task.tolerance; // nothing has changed since the last time
    return zn_fc_call_blocks(call, &task, solver->name, known ? nothing : solver->method);
}

static bool is_cold(const zn_fc_problem *p, const double *r)
{
    for (int i = 0; i < p->n; i++)
        if (r[i] != 0)
            return false;
    return true;
}

// --- entry ---------------------------------------------------------------------------------------

static zn_status check_arguments(const zn_fc_problem *p)
{
    if (p->n < 0 || p->bilateral < 0 || p->bilateral > p->n || p->contacts < 0)
        return ZN_ERR_ARGUMENT;
    if (p->n > 0 && p->W == NULL && (p->sparse == NULL || p->sparse->rows != p->n || p->sparse->columns != p->n))
        return ZN_ERR_ARGUMENT;
    if (p->contacts == 0)
        return p->bilateral == p->n ? ZN_OK : ZN_ERR_ARGUMENT;
    if (p->first[0] != p->bilateral || p->first[p->contacts] != p->n)
        return ZN_ERR_ARGUMENT;
    for (int c = 0; c < p->contacts; c++) {
        int rows = p->first[c + 1] - p->first[c];
        if (rows < 1 || rows > 3 || p->mu[c] < 0)
            return ZN_ERR_ARGUMENT;
        int l = zn_fc_leader(p, c);
        if (l >= 0 && (rows > 2 || l >= c || p->leader[l] >= 0 || (l < c - 1 && p->leader[c - 1] != l)))
            return ZN_ERR_ARGUMENT;
    }
    return ZN_OK;
}

static inline void report(zn_fc_info *info, const zn_fc_info *result)
{
    if (info != NULL)
        *info = *result;
}

// One contact and nothing else, from its closed form.
static inline bool solve_single(const zn_fc_problem *p, const zn_fc_settings *settings, double *r, double *u,
                                zn_fc_info *info)
{
    double x[3] = {0}, y[3];
    if (p->n > 3 || p->n < 1 || p->bilateral != 0 || p->leader != NULL || p->first[0] != 0 || p->first[1] != p->n ||
        !(p->mu[0] >= 0))
        return false;
    if (!zn_fc_solve_contact(p->n, p->W, p->n, p->q, p->mu[0], x))
        return false;
    zn_fc_verdict verdict = zn_fc_judge_both(p, settings->measure, x, y);
    if (!(verdict.asked <= settings->tolerance))
        return false;
    for (int i = 0; i < p->n; i++) {
        r[i] = x[i];
        u[i] = y[i];
    }
    report(info, &(zn_fc_info){.solver = "closed_form", .residual = verdict.natural, .residual_fclib = verdict.fclib});
    return true;
}

// Nothing pushes and nothing needs to, within the tolerance: r stays zero, u = q.
static bool stays_zero(const zn_fc_problem *p, double zero, const zn_fc_settings *settings, double *u, zn_fc_info *info)
{
    if (!(zero <= settings->tolerance))
        return false;
    memcpy(u, p->q, sizeof *u * (size_t)p->n);
    bool fclib = settings->measure == ZN_FC_MEASURE_FCLIB;
    if (info != NULL)
        *info = (zn_fc_info){.solver = "closed_form",
                             .residual = fclib ? zn_fc_judge_zero(p, ZN_FC_MEASURE_NATURAL) : zero,
                             .residual_fclib = fclib ? zero : zn_fc_judge_zero(p, ZN_FC_MEASURE_FCLIB)};
    return true;
}

static zn_status solve_call_run(zn_fc_call *call, bool automatic, const named_method *solver)
{
    const zn_fc_problem *p = call->p;
    call->trial = ZN_FC_TAKE(call->memory, double, p->n);
    call->trial_u = ZN_FC_TAKE(call->memory, double, p->n);
    call->raw = ZN_FC_TAKE(call->memory, double, p->n);
    call->best = ZN_FC_TAKE(call->memory, double, p->n);
    if (!call->trial || !call->trial_u || !call->raw || !call->best)
        return ZN_ERR_MEMORY;
    return automatic ? zn_fc_solve_auto(call) : solve_named(call, solver);
}

static void finish(zn_fc_call *call, zn_status status)
{
    ZN_ASSERT(status != ZN_OK || call->verdict.asked <= call->settings->tolerance);
    const zn_fc_problem *p = call->p;
    const double        *answer = status == ZN_OK ? call->r : call->best_measure < INFINITY ? call->best : NULL;
    if (status != ZN_OK && answer != NULL)
        call->verdict = zn_fc_judge_both(p, call->settings->measure, answer, NULL);
    call->info.residual = answer != NULL ? call->verdict.natural : INFINITY;
    call->info.residual_fclib = answer != NULL ? call->verdict.fclib : INFINITY;
    if (call->effort.over)
        call->info.reason = call->effort.late ? "the time limit was reached" : "the bound on the effort was reached";
    call->info.reason = status == ZN_OK ? NULL : zn_fc_explain(p, status, answer, call->info.reason);
    if (status != ZN_OK && answer != NULL && call->settings->keep_best) {
        zn_fc_judge(p, NULL, ZN_FC_MEASURE_NATURAL, answer, call->u);
        memcpy(call->r, answer, sizeof(double) * (size_t)p->n);
    }
}

static inline bool is_automatic(const zn_fc_settings *settings) // without strcmp: see zn_fc_solve
{
    const char *s = settings->solver;
    return s == NULL || (s[0] == 'a' && s[1] == 'u' && s[2] == 't' && s[3] == 'o' && s[4] == '\0');
}

zn_status zn_fc_solve(const zn_fc_problem *p, const zn_fc_settings *settings, zn_fc_workspace *workspace, double *r,
                      double *u, zn_fc_info *info)
{
    ZN_ALIVE(workspace);
    if (!p || !settings || !workspace)
        return ZN_ERR_ARGUMENT;
    ZN_ASSERT(p && settings && workspace);
    ZN_ASSERT(p->n <= 0 || (r && u && r != u));
    // one contact is the inner loop of many simulations: no memory, no search of a solver
    if (p->contacts == 1 && p->W != NULL && is_automatic(settings) && solve_single(p, settings, r, u, info))
        return ZN_OK;
    ZN_TRY(zn_fc_begin(workspace));
    return zn_fc_solve_within(p, settings, workspace, r, u, info);
}

// One contact of a sparse matrix, too.
static bool solve_gathered(const zn_fc_problem *p, const zn_fc_settings *settings, double *r, double *u,
                           zn_fc_info *info)
{
    double        W[9] = {0};
    zn_fc_problem dense = *p;
    if (p->n > 3)
        return false;
    for (int i = 0; i < p->n; i++) {
        zn_fc_row row = zn_fc_row_of(p, i);
        for (int k = 0; k < row.count; k++)
            W[i * p->n + (row.column != NULL ? row.column[k] : k)] += row.value[k];
    }
    dense.W = W;
    return solve_single(&dense, settings, r, u, info);
}

zn_status zn_fc_solve_within(const zn_fc_problem *p, const zn_fc_settings *settings, zn_fc_workspace *workspace,
                             double *r, double *u, zn_fc_info *info)
{
    ZN_ASSERT(p && settings && workspace);
    bool                automatic = is_automatic(settings);
    const named_method *solver = automatic ? NULL : find_solver(settings->solver);
    if (!automatic && solver == NULL)
        return ZN_ERR_ARGUMENT;
    ZN_TRY(check_arguments(p));
    if (p->n == 0) {
        report(info, &(zn_fc_info){.solver = "closed_form"});
        return ZN_OK;
    }
    double zero = NAN;
    if (automatic && p->bilateral == 0 && is_cold(p, r))
        zero = zn_fc_judge_zero(p, settings->measure);
    if (stays_zero(p, zero, settings, u, info))
        return ZN_OK;
    if (automatic && p->contacts == 1 && p->W == NULL && solve_gathered(p, settings, r, u, info))
        return ZN_OK;
    zn_fc_call call = {.p = p,
                       .settings = settings,
                       .memory = workspace,
                       .r = r,
                       .u = u,
                       .best_measure = INFINITY,
                       .zero = zero,
                       .effort = effort_of(p, settings, automatic),
                       .info = {.solver = automatic ? "auto" : solver->name}};
    zn_status  status = solve_call_run(&call, automatic, solver);
    finish(&call, status);
    report(info, &call.info);
    return status > ZN_OK && status != ZN_NOT_FINITE ? ZN_NOT_CONVERGED : status;
}
