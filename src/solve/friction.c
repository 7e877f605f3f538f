// Frictional contact problems: the public entry and the choice of a solver.
//
// A problem is solved in units of its own: with s ~ 1/sqrt(d) for a contact's rows (d as in zn_fc_residual; a bilateral
// row has its own),
//     W' = S W S,   q' = S q,   r = S r'
// has a diagonal of about 1 and the same cones. The s are powers of two: scaling makes no round-off.
//
// Reference: G. De Saxce, Z.-Q. Feng, Math. Comput. Modelling 28 (1998) 225-245, for the cone complementarity form;
// V. Acary, B. Brogliato, Numerical Methods for Nonsmooth Dynamical Systems (2008), chapter 13, for the solvers.
#include "solve/friction.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/solvers.h"

zn_fc_settings zn_fc_settings_default(void)
{
    return (zn_fc_settings){.solver = "auto", .max_iterations = 0, .tolerance = 1e-12};
}

// --- what all solvers share ----------------------------------------------------------------------

double zn_fc_look(zn_fc_task *task)
{
    zn_fc_blocks_multiply(&task->b, task->r, task->u);
    return zn_fc_note(task);
}

double zn_fc_note(zn_fc_task *task)
{
    double measure = zn_fc_blocks_measure(&task->b, task->measure, task->r, task->u);
    task->seen = measure;
    if (measure < task->best_measure) {
        task->best_measure = measure;
        memcpy(task->best, task->r, sizeof(double) * (size_t)task->b.n);
    }
    return measure;
}

void zn_fc_recall(zn_fc_task *task)
{
    if (task->best_measure < INFINITY)
        memcpy(task->r, task->best, sizeof(double) * (size_t)task->b.n);
}

// Reactions that are outside of their cone by round-off only, or the judge will see it.
static void clean(const zn_fc_problem *p, double *r)
{
    for (int c = 0; c < p->contacts; c++) {
        double *at = r + p->first[c], length = 0;
        int     rows = p->first[c + 1] - p->first[c];
        at[0] = at[0] > 0 ? at[0] : 0;
        for (int k = 1; k < rows; k++)
            length += at[k] * at[k];
        length = rows == 2 ? fabs(at[1]) : sqrt(length);
        double radius = p->mu[c] * at[0];
        for (int k = 1; k < rows && length > radius; k++)
            at[k] *= length > 0 ? radius / length : 0;
    }
}

// One call of zn_fc_solve.
typedef struct solve_call {
    const zn_fc_problem  *p;
    const zn_fc_settings *settings;
    zn_fc_workspace      *memory;
    double               *r, *u;           // the caller's
    double               *trial, *trial_u; // n: a proposal in the caller's units
    double               *raw;             // n: the same before it was cleaned
    double               *best;            // n: the best of those that were refused
    double                best_measure;
    zn_fc_verdict         verdict; // on r, once accepted
    double                zero;    // what r = 0 measures, NAN: not asked
    zn_fc_info            info;
} solve_call;

static void accept(solve_call *call, const char *solver)
{
    call->info.solver = solver;
    memcpy(call->r, call->trial, sizeof(double) * (size_t)call->p->n);
    memcpy(call->u, call->trial_u, sizeof(double) * (size_t)call->p->n);
}

// The verdict on call->trial, in the caller's units: as it is, if bringing it back into the cones does harm.
static zn_status judge_trial(solve_call *call, const char *solver)
{
    const zn_fc_problem *p = call->p;
    size_t               bytes = sizeof(double) * (size_t)p->n;
    memcpy(call->raw, call->trial, bytes);
    clean(p, call->trial);
    call->verdict = zn_fc_judge_both(p, call->settings->measure, call->trial, call->trial_u);
    if (!(call->verdict.asked <= call->settings->tolerance)) {
        memcpy(call->trial, call->raw, bytes);
        call->verdict = zn_fc_judge_both(p, call->settings->measure, call->trial, call->trial_u);
    }
    if (!(call->verdict.asked <= call->settings->tolerance)) {
        if (call->verdict.asked < call->best_measure) {
            call->best_measure = call->verdict.asked;
            memcpy(call->best, call->trial, bytes);
            call->info.solver = solver;
        }
        return ZN_NOT_CONVERGED;
    }
    accept(call, solver);
    return ZN_OK;
}

// --- dense solvers -------------------------------------------------------------------------------

static zn_status attempt_dense(solve_call *call, zn_fc_work *work, const char *name, zn_fc_dense_method *method)
{
    for (int i = 0; i < call->p->n; i++) {
        work->r[i] = call->r[i] / work->scale[i];
        if (!isfinite(work->r[i]))
            work->r[i] = 0;
    }
    ZN_TRY(method(work, &call->info.iterations));
    for (int i = 0; i < call->p->n; i++)
        call->trial[i] = work->r[i] * work->scale[i];
    return judge_trial(call, name);
}

static bool is_planar(const zn_fc_problem *p)
{
    for (int c = 0; c < p->contacts; c++)
        if (p->first[c + 1] - p->first[c] > 2)
            return false;
    return true;
}

static zn_status prepare_dense(solve_call *call, bool tables, zn_fc_work *work)
{
    *work = (zn_fc_work){.measure = call->settings->measure,
                         .max_iterations = call->settings->max_iterations,
                         .tolerance = call->settings->tolerance};
    return zn_fc_work_create(call->p, call->memory, tables, work);
}

// Statuses of the warm start; in the plane and for few contacts also Lemke's method and enumeration.
static zn_status solve_few(solve_call *call)
{
    enum { FEW = 4 };
    zn_fc_work work;
    bool       tables = is_planar(call->p) && call->p->contacts <= FEW;
    ZN_TRY(prepare_dense(call, tables, &work));
    zn_status status = attempt_dense(call, &work, "newton", zn_fc_statuses);
    if (status > ZN_OK && tables)
        status = attempt_dense(call, &work, "lemke", zn_fc_lemke);
    if (status > ZN_OK && tables && zn_fc_count_sets(call->p) > 0)
        status = attempt_dense(call, &work, "enumerate", zn_fc_enumerate);
    return status;
}

static zn_status solve_direct(solve_call *call, const char *name, zn_fc_dense_method *method)
{
    zn_fc_work work;
    ZN_TRY(prepare_dense(call, true, &work));
    return attempt_dense(call, &work, name, method);
}

// --- solvers on blocks ---------------------------------------------------------------------------

static zn_status prepare_task(solve_call *call, const double *start, zn_fc_task *task)
{
    int n = call->p->n;
    *task = (zn_fc_task){.memory = call->memory,
                         .measure = call->settings->measure,
                         .tolerance = call->settings->tolerance,
                         .limit = call->settings->max_iterations,
                         .best_measure = INFINITY,
                         .cold = !isnan(call->zero),
                         .solver = "warm_start"};
    task->r = ZN_FC_TAKE(call->memory, double, n);
    task->u = ZN_FC_TAKE(call->memory, double, n);
    task->best = ZN_FC_TAKE(call->memory, double, n);
    if (!task->r || !task->u || !task->best)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_fc_blocks_create(call->p, call->memory, &task->b));
    const zn_fc_blocks *b = &task->b;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++) {
            task->r[i] = start[i] / b->scale[c];
            if (!isfinite(task->r[i]))
                task->r[i] = 0;
        }
    return ZN_OK;
}

static zn_status attempt_blocks(solve_call *call, zn_fc_task *task, const char *name, zn_fc_method *method)
{
    const zn_fc_blocks *b = &task->b;
    int                 before = task->iterations;
    zn_status           status = method(task);
    call->info.iterations += task->iterations - before;
    if (status != ZN_OK)
        call->info.reason = task->reason;
    if (status < ZN_OK)
        return status;
    const double *r = status == ZN_OK ? task->r : task->best;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++)
            call->trial[i] = r[i] * b->scale[c];
    return judge_trial(call, name != NULL ? name : task->solver);
}

static zn_status attempt_parts(solve_call *call)
{
    zn_fc_mark mark = zn_fc_get_mark(call->memory);
    memcpy(call->trial, call->best, sizeof(double) * (size_t)call->p->n);
    zn_status status = zn_fc_solve_parts(call->p, call->settings, call->memory, call->trial, &call->info.iterations);
    zn_fc_rewind(call->memory, mark);
    return status < ZN_OK ? status : judge_trial(call, "lemke");
}

static bool is_cold(const zn_fc_problem *p, const double *r)
{
    for (int i = 0; i < p->n; i++)
        if (r[i] != 0)
            return false;
    return true;
}

// Problems without a warm start that a few sweeps solve. Where they do not suffice they leave one in call->trial.
static zn_status solve_plainly(solve_call *call)
{
    memset(call->trial, 0, sizeof *call->trial * (size_t)call->p->n);
    enum { TINY = 15 }; // rows of a problem where nothing is cheaper than sweeps
    int       most = call->p->n <= TINY && !is_planar(call->p) ? 24 : 4;
    zn_status status = zn_fc_plain(call->p, call->settings, most, call->zero, call->trial, call->trial_u,
                                   &call->verdict, &call->info.iterations);
    if (status == ZN_OK)
        accept(call, "gauss_seidel");
    return status;
}

static zn_status accelerated(zn_fc_task *task)
{
    zn_fc_look(task);
    return zn_fc_anderson_within(task, 40);
}

// Accelerated sweeps on from the plain ones, then Newton's method from zero: sweeps that stall lead it astray.
static zn_status solve_few_cold(solve_call *call)
{
    zn_fc_task task;
    ZN_TRY(prepare_task(call, call->trial, &task));
    zn_status status = attempt_blocks(call, &task, "anderson", accelerated);
    if (status <= ZN_OK)
        return status;
    memset(task.r, 0, sizeof *task.r * (size_t)task.b.n);
    task.limit = 200; // what takes longer than that is rather a matter of the interior-point method
    return attempt_blocks(call, &task, "newton_alart_curnier", zn_fc_newton_alart_curnier);
}

// Few contacts: without a warm start, whose statuses are anyone's guess, Newton's method in space; equations for their
// statuses.
static zn_status solve_small(solve_call *call, bool cold)
{
    enum { FEW_ROWS = 64 };
    zn_fc_mark mark = zn_fc_get_mark(call->memory);
    zn_status  status = ZN_NOT_CONVERGED;
    if (cold && !is_planar(call->p))
        status = solve_few_cold(call);
    if (status > ZN_OK && status != ZN_NOT_FINITE && call->p->n <= FEW_ROWS) {
        zn_fc_rewind(call->memory, mark);
        status = solve_few(call);
    }
    zn_fc_rewind(call->memory, mark);
    return status;
}

// Sweeps first, few contacts by Newton's method or by equations for their statuses, many on blocks; Lemke's method in
// the plane and a long run of ADMM are the last resorts.
static zn_status solve_auto(solve_call *call)
{
    enum { FEW_COLD_ROWS = 100 };
    zn_fc_task task;
    zn_status  status = ZN_NOT_CONVERGED;
    bool       few = call->p->n <= FEW_COLD_ROWS, cold = !isnan(call->zero) && call->settings->max_iterations == 0;
    if (cold)
        status = solve_plainly(call);
    if (status > ZN_OK && few)
        status = solve_small(call, cold);
    if (status <= ZN_OK || status == ZN_NOT_FINITE)
        return status;
    ZN_TRY(prepare_task(call, cold && !few ? call->trial : call->r, &task));
    status = attempt_blocks(call, &task, NULL, zn_fc_auto);
    if (status > ZN_OK && is_planar(call->p) && call->best_measure < INFINITY)
        status = attempt_parts(call);
    if (status <= ZN_OK || call->settings->max_iterations > 0)
        return status;
    zn_fc_recall(&task);
    return attempt_blocks(call, &task, "admm", zn_fc_admm);
}

typedef struct named_method {
    const char         *name;
    zn_fc_dense_method *dense;
    zn_fc_method       *method;
} named_method;

static const named_method *find_solver(const char *name)
{
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

static zn_status solve_named(solve_call *call, const named_method *solver)
{
    zn_fc_task task;
    if (solver->dense != NULL)
        return solve_direct(call, solver->name, solver->dense);
    ZN_TRY(prepare_task(call, call->r, &task));
    bool known = zn_fc_look(&task) <= task.tolerance; // nothing has changed since the last time
    return attempt_blocks(call, &task, solver->name, known ? nothing : solver->method);
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
    if (p->n > 3 || p->n < 1 || p->bilateral != 0 || p->first[0] != 0 || p->first[1] != p->n || !(p->mu[0] >= 0))
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

static zn_status solve_call_run(solve_call *call, bool automatic, const named_method *solver)
{
    const zn_fc_problem *p = call->p;
    call->trial = ZN_FC_TAKE(call->memory, double, p->n);
    call->trial_u = ZN_FC_TAKE(call->memory, double, p->n);
    call->raw = ZN_FC_TAKE(call->memory, double, p->n);
    call->best = ZN_FC_TAKE(call->memory, double, p->n);
    if (!call->trial || !call->trial_u || !call->raw || !call->best)
        return ZN_ERR_MEMORY;
    return automatic ? solve_auto(call) : solve_named(call, solver);
}

static void finish(solve_call *call, zn_status status)
{
    const zn_fc_problem *p = call->p;
    const double        *answer = status == ZN_OK ? call->r : call->best_measure < INFINITY ? call->best : NULL;
    if (status != ZN_OK && answer != NULL)
        call->verdict = zn_fc_judge_both(p, call->settings->measure, answer, NULL);
    call->info.residual = answer != NULL ? call->verdict.natural : INFINITY;
    call->info.residual_fclib = answer != NULL ? call->verdict.fclib : INFINITY;
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
    solve_call call = {.p = p,
                       .settings = settings,
                       .memory = workspace,
                       .r = r,
                       .u = u,
                       .best_measure = INFINITY,
                       .zero = zero,
                       .info = {.solver = automatic ? "auto" : solver->name}};
    zn_status  status = solve_call_run(&call, automatic, solver);
    finish(&call, status);
    report(info, &call.info);
    return status > ZN_OK && status != ZN_NOT_FINITE ? ZN_NOT_CONVERGED : status;
}
