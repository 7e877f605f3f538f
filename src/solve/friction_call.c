// Proposals of solvers and the verdict on them. See friction_call.h.
#include "solve/friction_call.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"

double zn_fc_look(zn_fc_task *task)
{
    ZN_ASSERT(task->r && task->u && task->r != task->u);
    zn_fc_blocks_multiply(&task->b, task->r, task->u);
    return zn_fc_note(task);
}

double zn_fc_note(zn_fc_task *task)
{
    ZN_ASSERT(task->best != task->r);
    double measure = zn_fc_blocks_measure(&task->b, task->measure, task->r, task->u);
    if (measure <= task->tolerance && task->measure == ZN_FC_MEASURE_FCLIB)
        measure = zn_fc_blocks_grown(&task->b, measure, task->r, task->u);
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

static void clean_disk(int rows, double radius, double *r)
{
    double length = rows > 1 ? hypot(r[0], r[1]) : fabs(r[0]);
    for (int k = 0; k < rows && length > radius; k++)
        r[k] *= radius / length;
}

// Only by round-off, or the judge will see it.
void zn_fc_clean(const zn_fc_problem *p, double *r)
{
    for (int c = 0; c < p->contacts; c++) {
        double *at = r + p->first[c], length = 0;
        int     rows = p->first[c + 1] - p->first[c];
        if (zn_fc_leader(p, c) >= 0) {
            clean_disk(rows, zn_fc_radius(p, c, r), at);
            continue;
        }
        at[0] = at[0] > 0 ? at[0] : 0;
        for (int k = 1; k < rows; k++)
            length += at[k] * at[k];
        length = rows == 2 ? fabs(at[1]) : sqrt(length);
        double radius = p->mu[c] * at[0];
        for (int k = 1; k < rows && length > radius; k++)
            at[k] *= length > 0 ? radius / length : 0;
    }
}

void zn_fc_call_accept(zn_fc_call *call, const char *solver)
{
    call->info.solver = solver;
    memcpy(call->r, call->trial, sizeof(double) * (size_t)call->p->n);
    memcpy(call->u, call->trial_u, sizeof(double) * (size_t)call->p->n);
}

zn_status zn_fc_call_judge(zn_fc_call *call, const char *solver)
{
    ZN_ASSERT(solver && call->trial != call->r && call->trial_u != call->u);
    const zn_fc_problem *p = call->p;
    size_t               bytes = sizeof(double) * (size_t)p->n;
    memcpy(call->raw, call->trial, bytes);
    zn_fc_clean(p, call->trial);
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
    zn_fc_call_accept(call, solver);
    return ZN_OK;
}

// --- dense solvers -------------------------------------------------------------------------------

zn_status zn_fc_call_dense(zn_fc_call *call, zn_fc_work *work, const char *name, zn_fc_dense_method *method)
{
    ZN_ASSERT(work->p.n == call->p->n && name && method);
    for (int i = 0; i < call->p->n; i++) {
        work->r[i] = call->r[i] / work->scale[i];
        if (!isfinite(work->r[i]))
            work->r[i] = 0;
    }
    ZN_TRY(method(work, &call->info.iterations));
    for (int i = 0; i < call->p->n; i++)
        call->trial[i] = work->r[i] * work->scale[i];
    return zn_fc_call_judge(call, name);
}

bool zn_fc_is_planar(const zn_fc_problem *p)
{
    for (int c = 0; c < p->contacts; c++)
        if (p->first[c + 1] - p->first[c] > 2)
            return false;
    return true;
}

zn_status zn_fc_call_prepare_dense(zn_fc_call *call, bool tables, zn_fc_work *work)
{
    ZN_ASSERT(call->memory);
    *work = (zn_fc_work){.measure = call->settings->measure,
                         .max_iterations = call->settings->max_iterations,
                         .tolerance = call->settings->tolerance};
    return zn_fc_work_create(call->p, call->memory, tables, work);
}

// --- solvers on blocks ---------------------------------------------------------------------------

// Sweeps begin where the last ones ended: what a contact is off by the next sweep has the square of.
static const double coarse = 1e-7, roughly = 1e-3;

zn_status zn_fc_call_prepare_blocks(zn_fc_call *call, const double *start, zn_fc_task *task)
{
    ZN_ASSERT(start && call->memory);
    int n = call->p->n;
    *task = (zn_fc_task){.memory = call->memory,
                         .effort = &call->effort,
                         .measure = call->settings->measure,
                         .tolerance = call->settings->tolerance,
                         .enough = call->settings->enough,
                         .limit = call->settings->max_iterations,
                         .best_measure = INFINITY,
                         .cold = !isnan(call->zero),
                         .momentum = call->settings->settle,
                         .solver = "warm_start"};
    task->r = ZN_FC_TAKE(call->memory, double, n);
    task->u = ZN_FC_TAKE(call->memory, double, n);
    task->best = ZN_FC_TAKE(call->memory, double, n);
    if (!task->r || !task->u || !task->best)
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_fc_blocks_create(call->p, call->memory, &task->b));
    if (task->tolerance >= coarse)
        task->b.near = roughly;
    const zn_fc_blocks *b = &task->b;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++) {
            task->r[i] = start[i] / b->scale[c];
            if (!isfinite(task->r[i]))
                task->r[i] = 0;
        }
    return ZN_OK;
}

zn_status zn_fc_call_blocks(zn_fc_call *call, zn_fc_task *task, const char *name, zn_fc_method *method)
{
    ZN_ASSERT(task->b.n == call->p->n && method);
    const zn_fc_blocks *b = &task->b;
    int                 before = task->iterations;
    zn_status           status = method(task);
    if (status == ZN_OK && call->settings->settle)
        status = zn_fc_settle(task);
    call->info.iterations += task->iterations - before;
    if (status != ZN_OK)
        call->info.reason = task->reason;
    if (status < ZN_OK)
        return status;
    const double *r = status == ZN_OK ? task->r : task->best;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++)
            call->trial[i] = r[i] * b->scale[c];
    return zn_fc_call_judge(call, name != NULL ? name : task->solver);
}
