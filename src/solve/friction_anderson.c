// Gauss-Seidel with Anderson's acceleration. A sweep maps x to g(x) and moves it by f = g - x; from the last sweeps
// follow differences F of f and G of g, and the next start is
//     x = g - G c   with c that minimizes |f - F c|.
// That turns the diffusion of impulses through a pile into something like conjugate gradients: the number of sweeps
// grows with the height of the pile, not with its square. Two differences do as well as ten. When a sweep moves farther
// than the last ones the differences belong to other statuses of the contacts and are dropped.
//
// Reference: H. F. Walker, P. Ni, SIAM J. Numer. Anal. 49 (2011) 1715-1735.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction.h"

enum { DEPTH = 2 };

typedef struct history {
    int     n;
    int     held;                  // differences
    int     next;                  // the one that is replaced
    bool    empty;                 // no sweep so far
    double *x, *f, *g;             // n each: start, motion and end of the last sweep
    double *F[DEPTH], *G[DEPTH];   // n each
    double  product[DEPTH][DEPTH]; // F'F
    double  least;                 // smallest |f|^2
} history;

static zn_status take_history(zn_fc_task *task, history *h)
{
    size_t  n = (size_t)task->b.n;
    double *memory = ZN_FC_TAKE(task->memory, double, (3 + 2 * DEPTH) * n);
    *h = (history){.n = task->b.n, .empty = true, .least = INFINITY};
    if (memory == NULL)
        return ZN_ERR_MEMORY;
    h->x = memory;
    h->f = memory + n;
    h->g = memory + 2 * n;
    for (int k = 0; k < DEPTH; k++) {
        h->F[k] = memory + (size_t)(3 + k) * n;
        h->G[k] = memory + (size_t)(3 + DEPTH + k) * n;
        memset(h->F[k], 0, n * sizeof(double));
        memset(h->G[k], 0, n * sizeof(double));
    }
    return ZN_OK;
}

// Take the sweep from h->x to r into the history; out: F'f. Returns |f|^2.
static double add_sweep(history *h, const double *r, double *right)
{
    ZN_ASSERT(h->next >= 0 && h->next < DEPTH && h->held <= DEPTH);
    double *new_F = h->F[h->next], *new_G = h->G[h->next], *old_F = h->F[1 - h->next];
    double  length = 0, square = 0, mixed = 0, new_right = 0, old_right = 0;
    for (int i = 0; i < h->n; i++) {
        double f = r[i] - h->x[i], F = h->empty ? 0 : f - h->f[i], G = h->empty ? 0 : r[i] - h->g[i];
        length += f * f;
        square += F * F;
        mixed += F * old_F[i];
        new_right += F * f;
        old_right += old_F[i] * f;
        h->f[i] = f;
        h->g[i] = r[i];
        new_F[i] = F;
        new_G[i] = G;
    }
    h->product[h->next][h->next] = square;
    h->product[0][1] = h->product[1][0] = mixed;
    right[h->next] = new_right;
    right[1 - h->next] = old_right;
    return length;
}

// c of the least squares problem, slightly regularized: differences may be parallel.
static void mix(const history *h, const double *right, double *c)
{
    ZN_ASSERT(h->held > 0);
    double a = h->product[0][0], b = h->product[0][1], d = h->product[1][1], shift = 1e-10 * (a + d);
    c[0] = c[1] = 0;
    if (h->held == 1) {
        int k = 1 - h->next;
        c[k] = h->product[k][k] > 0 ? right[k] / h->product[k][k] : 0;
        return;
    }
    double det = (a + shift) * (d + shift) - b * b;
    if (!(det > 0))
        return;
    c[0] = ((d + shift) * right[0] - b * right[1]) / det;
    c[1] = ((a + shift) * right[1] - b * right[0]) / det;
}

// From the sweep h->x to r the start of the next one, in r.
static void accelerate(history *h, double *r)
{
    const double farther = 4; // of |f|^2
    double       right[DEPTH], c[DEPTH];
    double       length = add_sweep(h, r, right);
    h->held = h->empty ? 0 : h->held < DEPTH ? h->held + 1 : DEPTH;
    h->next = h->empty ? h->next : 1 - h->next;
    h->empty = false;
    if (length > farther * h->least) {
        h->held = 0;
        h->least = length;
        return;
    }
    h->least = fmin(length, h->least);
    if (h->held == 0)
        return;
    mix(h, right, c);
    const double *G0 = h->G[0], *G1 = h->G[1];
    for (int i = 0; i < h->n; i++)
        r[i] -= c[0] * G0[i] + c[1] * G1[i];
}

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

// After a look at the warm start, as zn_fc_solve does. With `patience` it gives up as soon as more sweeps than that are
// expected in all.
static zn_status run(zn_fc_task *task, int patience)
{
    enum { FAIR = 8 }; // sweeps before the rate counts
    int     limit = task->limit > 0 ? task->limit : 100000, next_look = 4, stays = 0, stuck = 0;
    double  last = INFINITY, ratio = 1; // ratio: of the measure to what the sweep estimates
    double  first = task->seen;
    history h;
    ZN_TRY(take_history(task, &h));
    scale_start(task);
    for (int step = 1; step <= limit; step++) {
        memcpy(h.x, task->r, sizeof(double) * (size_t)h.n);
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
            if (patience > 0 && step >= FAIR && step + zn_fc_sweeps_left(first, last, step, task->tolerance) > patience)
                break;
            next_look = step + step / 4 + 4;
        }
        if (step < limit)
            accelerate(&h, task->r);
    }
    task->reason = stuck > 0 ? "a contact has no solution by itself" : "accelerated Gauss-Seidel has stalled";
    return ZN_NOT_CONVERGED;
}

zn_status zn_fc_anderson_within(zn_fc_task *task, int patience)
{
    ZN_ASSERT(patience >= 0);
    zn_fc_mark mark = zn_fc_get_mark(task->memory);
    zn_status  status = run(task, patience);
    zn_fc_rewind(task->memory, mark);
    return status;
}

zn_status zn_fc_anderson(zn_fc_task *task) { return zn_fc_anderson_within(task, 0); }
