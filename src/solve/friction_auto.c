// The automatic choice. Plain sweeps first. Few contacts with a warm start: equations for their statuses. Without a
// warm start by cost (friction_cold.c). What is left, and many contacts with a warm start, on blocks in phases:
// accelerated sweeps; when what is left would cost more than a few steps of Newton's method, Newton goes on from there;
// when Newton stalls, proximal points and a path through the interior; then sweeps go on from the best point and a
// longer phase begins; ADMM takes the place of Newton once, or from the beginning where factorizations are dear.
// Lemke's method in the plane and a long run of ADMM are the last resorts.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction_call.h"
#include "solve/friction_newton.h"

// --- many contacts: phases ----------------------------------------------------------------------

// What a step of Newton's method costs, in sweeps: fill-in grows with the number of neighbours, up to a full matrix.
static double newton_cost(const zn_fc_blocks *b)
{
    ZN_ASSERT(b->count > 0);
    double neighbours = 1 + (double)b->start[b->count] / b->count;
    return fmin(3 + 0.2 * neighbours * neighbours, 3 + b->n / 8.0);
}

// One factorization and many solutions, where a factorization is dear.
static bool factors_are_dear(const zn_fc_blocks *b) { return b->n > 300 && newton_cost(b) > 50; }

// Sweeps before their rate counts.
enum { FAIR = 8 };

// Another solver; without its answer back to the best so far.
static zn_status try_solver(zn_fc_task *task, const char *name, zn_status (*solve)(zn_fc_task *), int limit)
{
    task->solver = name;
    task->limit = limit;
    zn_status status = solve(task);
    if (status == ZN_NOT_CONVERGED)
        zn_fc_recall(task);
    return status;
}

// Accelerated sweeps, as many as some steps of Newton's method cost.
static zn_status first_phase(zn_fc_task *task)
{
    if (zn_fc_look(task) <= task->tolerance)
        return ZN_OK;
    task->solver = "anderson";
    return zn_fc_anderson_within(task, FAIR, (int)fmin(fmax(8 * newton_cost(&task->b), 150), 5000));
}

// Sweeps that lead Newton's method to another start, or to the end while that costs less than some of its steps.
static zn_status sweep_phase(zn_fc_task *task, int phase)
{
    ZN_ASSERT(phase >= 0);
    double before = zn_fc_look(task);
    if (before <= task->tolerance)
        return ZN_OK;
    zn_status status = ZN_NOT_CONVERGED;
    double    affordable = (factors_are_dear(&task->b) ? 1 : 8) * newton_cost(&task->b) * (1 << phase);
    task->solver = "gauss_seidel";
    for (int done = 0, sweeps = phase == 0 ? 5 : 10 << phase; status == ZN_NOT_CONVERGED; sweeps = done) {
        task->limit = sweeps;
        status = zn_fc_gauss_seidel(task);
        done += sweeps;
        double left = zn_fc_sweeps_left(before, task->seen, sweeps, task->tolerance);
        before = task->seen;
        if (left > affordable || done > 2 * affordable + 10)
            break;
    }
    return status;
}

static zn_status newton_phase(zn_fc_task *task, int phase)
{
    zn_fc_function kind = phase % 4 < 2 ? ZN_FC_JEAN_MOREAU : ZN_FC_ALART_CURNIER;
    task->solver = kind == ZN_FC_JEAN_MOREAU ? "newton_jean_moreau" : "newton_alart_curnier";
    double shift = phase % 2 == 0 ? 1e-9 : 1e-3;
    if (phase == 0 && task->cold) // without a warm start others may be faster
        return zn_fc_newton_within(task, kind, shift, 20, 3);
    return zn_fc_newton(task, kind, shift, 60);
}

// Few contacts that share loads in many ways: from zero Newton's method may find what it misses from where sweeps
// stalled.
static zn_status restart_phase(zn_fc_task *task)
{
    memset(task->r, 0, sizeof *task->r * (size_t)task->b.n);
    return try_solver(task, "newton_alart_curnier", zn_fc_newton_alart_curnier, 300);
}

// Sweeps go astray where many contacts share a load; without a warm start ADMM rather begins at zero.
static zn_status admm_phase(zn_fc_task *task, bool first, int iterations)
{
    if (first && task->cold)
        memset(task->r, 0, sizeof *task->r * (size_t)task->b.n);
    task->solver = "admm";
    task->limit = iterations;
    return zn_fc_admm(task);
}

// Contacts that repeat or contradict each other: some twenty factorizations, where one is not dear.
static zn_status interior_phase(zn_fc_task *task, bool dear)
{
    enum { FEW_ROWS = 600, MOST_ROWS = 20000 };
    if (task->b.follow || (task->b.n > FEW_ROWS && (dear || task->b.n > MOST_ROWS)))
        return ZN_NOT_CONVERGED;
    return try_solver(task, "interior_point", zn_fc_interior_point, 0);
}

// What is tried where Newton's method has stalled. Proximal points change little: near an answer they go first.
static zn_status between_phases(zn_fc_task *task, int phase, bool unlimited, bool dear)
{
    enum { FEW_ROWS = 300, PROXIMAL_ROWS = 1500 };
    bool      few = task->b.n <= FEW_ROWS, near = !task->cold && few && !task->b.follow;
    zn_status status = ZN_NOT_CONVERGED;
    if (task->b.n <= PROXIMAL_ROWS && phase == (near ? 0 : 1))
        status = try_solver(task, "newton_alart_curnier", zn_fc_proximal, 0);
    if (status == ZN_NOT_CONVERGED && phase == 1 && unlimited)
        status = interior_phase(task, dear);
    if (status == ZN_NOT_CONVERGED && phase == 1 && unlimited && task->cold && few)
        status = restart_phase(task);
    return status;
}

static zn_status phases(zn_fc_task *task)
{
    enum { PHASES = 6, FEW_ROWS = 300 };
    int       limit = task->limit, start = task->iterations;
    zn_status status = ZN_NOT_CONVERGED;
    bool      dear = factors_are_dear(&task->b);
    for (int phase = 0; phase < PHASES && status == ZN_NOT_CONVERGED; phase++) {
        status = between_phases(task, phase, limit == 0, dear);
        if (status != ZN_NOT_CONVERGED || (phase >= 1 && task->best_measure <= task->enough))
            break;
        // few contacts near their answer need a hint only, and differences of sweeps would carry them away from it
        bool near = !task->cold && task->b.n <= FEW_ROWS;
        status = phase == 0 && !near ? first_phase(task) : sweep_phase(task, phase);
        if (status != ZN_NOT_CONVERGED || (limit > 0 && task->iterations - start >= limit))
            break;
        bool direct = dear ? phase % 2 == 1 : phase != 4;
        status = direct ? newton_phase(task, phase) : admm_phase(task, phase == 0, 300 << phase);
        if (status == ZN_NOT_CONVERGED)
            zn_fc_recall(task);
    }
    task->limit = limit;
    return status;
}

// --- few contacts ---------------------------------------------------------------------------------

// Statuses of the warm start; in the plane and for few contacts also Lemke's method and enumeration.
static zn_status solve_few(zn_fc_call *call)
{
    enum { FEW = 4 };
    zn_fc_work work;
    bool       tables = zn_fc_is_planar(call->p) && call->p->contacts <= FEW;
    ZN_TRY(zn_fc_call_prepare_dense(call, tables, &work));
    zn_status status = zn_fc_call_dense(call, &work, "newton", zn_fc_statuses);
    if (status > ZN_OK && tables)
        status = zn_fc_call_dense(call, &work, "lemke", zn_fc_lemke);
    if (status > ZN_OK && tables && zn_fc_count_sets(call->p) > 0)
        status = zn_fc_call_dense(call, &work, "enumerate", zn_fc_enumerate);
    return status;
}

// Problems without a warm start that a few sweeps solve. Where they do not suffice they leave one in call->trial.
static zn_status solve_plainly(zn_fc_call *call)
{
    ZN_ASSERT(call->p->bilateral == 0 && !isnan(call->zero));
    memset(call->trial, 0, sizeof *call->trial * (size_t)call->p->n);
    enum { TINY = 15 }; // rows of a problem where nothing is cheaper than sweeps
    int       most = call->p->n <= TINY && !zn_fc_is_planar(call->p) ? 24 : 4;
    zn_status status = zn_fc_plain(call->p, call->settings, most, call->zero, call->trial, call->trial_u,
                                   &call->verdict, &call->info.iterations);
    if (status == ZN_OK)
        zn_fc_call_accept(call, "gauss_seidel");
    return status;
}

// Statuses that changed since the warm start: Newton's method from zero is on its way in a dozen steps, or not at all.
static zn_status solve_few_again(zn_fc_call *call)
{
    zn_fc_task task;
    ZN_TRY(zn_fc_call_prepare_blocks(call, call->r, &task));
    memset(task.r, 0, sizeof *task.r * (size_t)task.b.n);
    task.limit = 25;
    return zn_fc_call_blocks(call, &task, "newton_alart_curnier", zn_fc_newton_alart_curnier);
}

// With followers, on from the warm start.
static zn_status solve_few_warm(zn_fc_call *call)
{
    zn_fc_task task;
    ZN_TRY(zn_fc_call_prepare_blocks(call, call->r, &task));
    task.limit = 25;
    return zn_fc_call_blocks(call, &task, "newton_alart_curnier", zn_fc_newton_alart_curnier);
}

static zn_status solve_small_following(zn_fc_call *call, bool cold)
{
    zn_fc_mark mark = zn_fc_get_mark(call->memory);
    zn_status  status = cold ? zn_fc_solve_cold(call) : solve_few_warm(call);
    zn_fc_rewind(call->memory, mark);
    if (status > ZN_OK && status != ZN_NOT_FINITE && !cold)
        status = solve_few_again(call);
    zn_fc_rewind(call->memory, mark);
    return status;
}

// Few contacts: without a warm start, whose statuses are anyone's guess, Newton's method; equations for their statuses.
static zn_status solve_small(zn_fc_call *call, bool cold)
{
    enum { FEW_ROWS = 64, HANDFUL_IN_PLANE = 8 };
    zn_fc_mark mark = zn_fc_get_mark(call->memory);
    zn_status  status = ZN_NOT_CONVERGED;
    if (cold && (!zn_fc_is_planar(call->p) || call->p->n > HANDFUL_IN_PLANE))
        status = zn_fc_solve_cold(call);
    if (status > ZN_OK && status != ZN_NOT_FINITE && call->p->n <= FEW_ROWS) {
        zn_fc_rewind(call->memory, mark);
        status = solve_few(call);
    }
    if (status > ZN_OK && status != ZN_NOT_FINITE && !cold && !zn_fc_is_planar(call->p)) {
        zn_fc_rewind(call->memory, mark);
        status = solve_few_again(call);
    }
    zn_fc_rewind(call->memory, mark);
    return status;
}

static zn_status solve_large(zn_fc_call *call)
{
    zn_fc_mark mark = zn_fc_get_mark(call->memory);
    zn_status  status = zn_fc_solve_cold(call);
    zn_fc_rewind(call->memory, mark);
    return status;
}

// --- any problem ----------------------------------------------------------------------------------

static zn_status attempt_parts(zn_fc_call *call)
{
    ZN_ASSERT(call->best_measure < INFINITY);
    zn_fc_mark mark = zn_fc_get_mark(call->memory);
    memcpy(call->trial, call->best, sizeof(double) * (size_t)call->p->n);
    zn_status status = zn_fc_solve_parts(call->p, call->settings, call->memory, call->trial, &call->info.iterations);
    zn_fc_rewind(call->memory, mark);
    return status < ZN_OK ? status : zn_fc_call_judge(call, "lemke");
}

zn_status zn_fc_solve_auto(zn_fc_call *call)
{
    ZN_ASSERT(call->p->n > 0);
    enum { FEW_COLD_ROWS = 100 };
    zn_fc_task task;
    zn_status  status = ZN_NOT_CONVERGED;
    bool       few = call->p->n <= FEW_COLD_ROWS, cold = !isnan(call->zero) && call->settings->max_iterations == 0;
    bool       follow = call->p->leader != NULL;
    if (cold && !follow)
        status = solve_plainly(call);
    else if (cold)
        memset(call->trial, 0, sizeof *call->trial * (size_t)call->p->n);
    if (status > ZN_OK && few)
        status = follow ? solve_small_following(call, cold) : solve_small(call, cold);
    else if (status > ZN_OK && cold && !follow)
        status = solve_large(call);
    if (status <= ZN_OK || status == ZN_NOT_FINITE)
        return status;
    ZN_TRY(
        zn_fc_call_prepare_blocks(call, cold && !few && call->best_measure < INFINITY ? call->best : call->r, &task));
    status = zn_fc_call_blocks(call, &task, NULL, phases);
    if (status > ZN_OK && !follow && zn_fc_is_planar(call->p) && call->best_measure < INFINITY && !call->effort.over)
        status = attempt_parts(call);
    if (status <= ZN_OK || call->settings->max_iterations > 0 || call->best_measure <= call->settings->enough)
        return status;
    zn_fc_recall(&task);
    return zn_fc_call_blocks(call, &task, "admm", zn_fc_admm);
}
