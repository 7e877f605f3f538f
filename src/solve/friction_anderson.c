// Gauss-Seidel with Anderson's acceleration (anderson.h). That turns the diffusion of impulses through a pile into
// something like conjugate gradients: the number of sweeps grows with the height of the pile, not with its square.
// Piles of bodies whose contacts share loads in many ways are accelerated by the momentum of single contacts instead
// (friction_momentum.h).
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

// Sweeps that are still to come at the better pace; then the look counts as well.
static double expect(zn_fc_pace *p, int step, double measure, double tolerance)
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

// Momentum pays while a heap moves. From near an answer it ends, each time, a little off in the same way, so that a
// heap creeps where differences let it come to rest.
static bool is_far(const zn_fc_task *task)
{
    const double near = 300; // tolerances
    return task->seen > near * task->tolerance;
}

static zn_status begin_history(zn_fc_task *task, zn_fc_accelerated *w)
{
    double *memory = ZN_FC_TAKE(task->memory, double, ZN_ANDERSON_VECTORS *(size_t)task->b.n);
    if (memory == NULL)
        return ZN_ERR_MEMORY;
    zn_anderson_begin(task->b.n, memory, &w->h);
    w->gathers = task->momentum && is_far(task);
    return w->gathers ? zn_fc_momentum_begin(&task->b, task->memory, &w->momentum) : ZN_OK;
}

zn_status zn_fc_anderson_begin(zn_fc_task *task, zn_fc_accelerated *w)
{
    *w = (zn_fc_accelerated){
        .pace = {{0, 0}, {task->seen, task->seen}, task->seen}, .next_look = 4, .last = INFINITY, .ratio = 1};
    ZN_TRY(begin_history(task, w));
    scale_start(task);
    return ZN_OK;
}

// Where the next sweep starts.
static void accelerate(zn_fc_task *task, zn_fc_accelerated *w)
{
    if (w->gathers && w->step > 0)
        zn_fc_momentum_mix(&task->b, &w->momentum, task->r);
    else if (w->gathers)
        zn_fc_momentum_leave(&task->b, &w->momentum, task->r);
    else {
        if (w->step > w->began)
            zn_anderson_mix(&w->h, task->r);
        zn_anderson_leave(&w->h, task->r);
    }
}

// Where looks in a row tell that momentum brings nothing there is less of it, and then differences instead.
static void calm_down(zn_fc_accelerated *w)
{
    enum { PATIENT = 3 };
    zn_fc_momentum_calm(&w->momentum);
    if (w->stays < PATIENT)
        return;
    w->gathers = false;
    w->began = w->step;
    w->stays = 0;
}

// A look at task->r: is it worth while to go on?
static bool look(zn_fc_task *task, zn_fc_accelerated *w, double estimate, int fair, int patience)
{
    double measure = zn_fc_look(task);
    w->ratio = estimate > 0 ? measure / estimate : 1;
    w->stays = measure > 0.9 * w->last ? w->stays + (w->step >= w->next_look) : 0;
    w->last = fmin(measure, w->last);
    if (w->gathers && w->stays > 0)
        calm_down(w);
    if (measure <= task->tolerance || !isfinite(measure) || (w->stays >= 8 && w->step >= 64))
        return false;
    double all = w->step + expect(&w->pace, w->step, w->last, task->tolerance);
    w->next_look = w->step + w->step / 4 + 4;
    return patience == 0 || w->step < fair || all <= patience;
}

zn_status zn_fc_anderson_go_on(zn_fc_task *task, zn_fc_accelerated *w, int end, int fair, int patience)
{
    int  stuck = 0;
    bool goes_on = true;
    while (w->step < end && goes_on && zn_fc_afford(task->effort, 1)) {
        accelerate(task, w);
        w->step++;
        task->iterations++;
        stuck = 0;
        double estimate = zn_fc_sweep(task, &stuck);
        if (w->step >= w->next_look || w->step == end || w->ratio * estimate <= task->tolerance)
            goes_on = look(task, w, estimate, fair, patience);
    }
    if (task->seen <= task->tolerance)
        return ZN_OK;
    task->reason = stuck > 0 ? "a contact has no solution by itself" : "accelerated Gauss-Seidel has stalled";
    return ZN_NOT_CONVERGED;
}

zn_status zn_fc_anderson_within(zn_fc_task *task, int fair, int patience)
{
    ZN_ASSERT(fair >= 0 && patience >= 0);
    zn_fc_mark        mark = zn_fc_get_mark(task->memory);
    zn_fc_accelerated w;
    zn_status         status = zn_fc_anderson_begin(task, &w);
    if (status == ZN_OK)
        status = zn_fc_anderson_go_on(task, &w, task->limit > 0 ? task->limit : 100000, fair, patience);
    zn_fc_rewind(task->memory, mark);
    return status;
}

zn_status zn_fc_anderson(zn_fc_task *task) { return zn_fc_anderson_within(task, 0, 0); }
