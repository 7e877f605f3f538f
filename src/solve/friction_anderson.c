// Gauss-Seidel with Anderson's acceleration (anderson.h). That turns the diffusion of impulses through a pile into
// something like conjugate gradients: the number of sweeps grows with the height of the pile, not with its square.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/anderson.h"
#include "solve/friction.h"

// The multiple of the warm start for which r'Wr/2 + q'r is least, but not more than twice of it. After an impact the
// last reactions have the wrong size, and sweeps would take longer from there than from zero. task->u must be W r + q.
// What is near an answer stays as it is, where many digits are asked for: contacts share loads in many ways, and what W
// does not decide is not to change from one problem of an iteration to the next.
static void scale_start(zn_fc_task *task)
{
    const double near = 1e-3, coarse = 1e-7;
    double       square = 0, linear = 0;
    for (int i = 0; i < task->b.n; i++) {
        square += task->r[i] * (task->u[i] - task->b.q[i]);
        linear += task->r[i] * task->b.q[i];
    }
    double factor = -linear / square;
    if (!(square > 0) || !isfinite(factor) || (task->seen < near && task->tolerance < coarse))
        return;
    factor = fmin(fmax(factor, 0), 2);
    for (int i = 0; i < task->b.n; i++)
        task->r[i] *= factor;
}

// How fast sweeps converge: from the start, and in the last half or more of them, as differences take some to work.
typedef struct pace {
    int    step[2]; // where two looks were, the older first
    double measure[2], first;
} pace;

// Sweeps that are still to come at the better pace; then the look counts as well.
static double expect(pace *p, int step, double measure, double tolerance)
{
    double left = fmin(zn_fc_sweeps_left(p->first, measure, step, tolerance),
                       zn_fc_sweeps_left(p->measure[0], measure, step - p->step[0], tolerance));
    if (step >= 2 * p->step[1]) {
        p->step[0] = p->step[1];
        p->measure[0] = p->measure[1];
        p->step[1] = step;
        p->measure[1] = measure;
    }
    return left;
}

// After a look at the warm start, as zn_fc_solve does. With `patience` it gives up as soon as more sweeps than that are
// expected in all, by their pace after at least `fair` of them.
static zn_status run(zn_fc_task *task, int fair, int patience)
{
    int         limit = task->limit > 0 ? task->limit : 100000, next_look = 4, stays = 0, stuck = 0;
    double      last = INFINITY, ratio = 1; // ratio: of the measure to what the sweep estimates
    pace        p = {{0, 0}, {task->seen, task->seen}, task->seen};
    zn_anderson h;
    double     *memory = ZN_FC_TAKE(task->memory, double, ZN_ANDERSON_VECTORS *(size_t)task->b.n);
    if (memory == NULL)
        return ZN_ERR_MEMORY;
    zn_anderson_begin(task->b.n, memory, &h);
    scale_start(task);
    for (int step = 1; step <= limit; step++) {
        zn_anderson_leave(&h, task->r);
        task->iterations++;
        stuck = 0;
        double estimate = zn_fc_sweep(task, &stuck);
        if (step >= next_look || step == limit || ratio * estimate <= task->tolerance) {
            double measure = zn_fc_look(task);
            if (measure <= task->tolerance)
                return ZN_OK;
            ratio = estimate > 0 ? measure / estimate : 1;
            stays = measure > 0.9 * last ? stays + (step >= next_look) : 0;
            last = fmin(measure, last);
            if (!isfinite(measure) || (stays >= 8 && step >= 64))
                break;
            double all = step + expect(&p, step, last, task->tolerance);
            if (patience > 0 && step >= fair && all > patience)
                break;
            next_look = step + step / 4 + 4;
        }
        if (step < limit)
            zn_anderson_mix(&h, task->r);
    }
    task->reason = stuck > 0 ? "a contact has no solution by itself" : "accelerated Gauss-Seidel has stalled";
    return ZN_NOT_CONVERGED;
}

zn_status zn_fc_anderson_within(zn_fc_task *task, int fair, int patience)
{
    ZN_ASSERT(fair >= 0 && patience >= 0);
    zn_fc_mark mark = zn_fc_get_mark(task->memory);
    zn_status  status = run(task, fair, patience);
    zn_fc_rewind(task->memory, mark);
    return status;
}

zn_status zn_fc_anderson(zn_fc_task *task) { return zn_fc_anderson_within(task, 0, 0); }
