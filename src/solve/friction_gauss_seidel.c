// Nonlinear Gauss-Seidel: contact after contact is solved exactly, with the newest reactions of the others.
//
// Converges in practice for W = G M^-1 G' and moderate mu, slowly when contacts are coupled strongly; it gives up when
// the residual stays. A sweep costs one product with W.
//
// Reference: F. Jourdan, P. Alart, M. Jean, Comput. Methods Appl. Mech. Engrg. 155 (1998) 31-47.
#include <float.h>
#include <math.h>

#include "base/assert.h"
#include "solve/friction.h"

bool zn_fc_solve_block(const zn_fc_blocks *b, int c, const double *q, double *all)
{
    ZN_ASSERT(c >= 0 && c < b->count);
    const double *W = b->diagonal + 9 * (size_t)c;
    double       *r = all + b->first[c];
    if (b->leader[c] >= 0)
        return zn_fc_solve_disk(zn_fc_block_rows(b, c), W, 3, q, zn_fc_block_radius(b, c, all), r);
    if (b->mu[c] > 0 && zn_fc_block_rows(b, c) == 3)
        return zn_fc_solve_local(&b->local[c], q, b->mu[c], b->near, r);
    if (b->mu[c] >= 0)
        return zn_fc_solve_contact(zn_fc_block_rows(b, c), W, 3, q, b->mu[c], r);
    if (!(W[0] > 0))
        return q[0] == 0;
    r[0] = -q[0] / W[0];
    return true;
}

void zn_fc_sweep_some(const zn_fc_blocks *b, int from, int to, double *all, zn_fc_swept *out)
{
    zn_fc_swept own = *out, *sums = &own; // which nothing else writes to
    ZN_ASSERT(from >= 0 && to <= b->count);
    for (int c = from; c < to; c++) {
        double q[3], change = 0, *r = all + b->first[c], before[3];
        int    rows = zn_fc_block_rows(b, c);
        zn_fc_blocks_row(b, c, all, q);
        for (int i = 0; i < rows; i++)
            before[i] = r[i];
        sums->stuck += !zn_fc_solve_block(b, c, q, all);
        double s = b->scale[c];
        for (int i = 0; i < rows; i++) {
            change += (r[i] - before[i]) * (r[i] - before[i]);
            sums->reactions += s * s * r[i] * r[i];
        }
        double weight = s < 1 ? s * s : 1 / (s * s);
        sums->squares += weight * change;
        sums->largest = change > sums->largest ? change : sums->largest;
    }
    *out = own;
}

// A change by dr is a violation of about |dr| in units where d = 1, and of min(1, d) |dr| for rho = 1.
double zn_fc_sweep_estimate(zn_fc_measure measure, double q_norm, const zn_fc_swept *sums)
{
    if (measure == ZN_FC_MEASURE_FCLIB)
        return sqrt(sums->squares) / fmax(fmax(q_norm, sqrt(sums->reactions)), DBL_MIN);
    return sqrt(sums->largest);
}

double zn_fc_sweep(zn_fc_task *task, int *stuck)
{
    ZN_ASSERT(stuck);
    zn_fc_swept sums = {0};
    zn_fc_sweep_some(&task->b, 0, task->b.count, task->r, &sums);
    *stuck += sums.stuck;
    return zn_fc_sweep_estimate(task->measure, task->b.q_norm, &sums);
}

zn_status zn_fc_gauss_seidel(zn_fc_task *task)
{
    int    limit = task->limit > 0 ? task->limit : 100000, next_look = limit <= 16 ? limit : 4, stays = 0, stuck = 0;
    double last = INFINITY;
    for (int step = 1; step <= limit && zn_fc_afford(task->effort, 1); step++) {
        task->iterations++;
        stuck = 0;
        double estimate = zn_fc_sweep(task, &stuck);
        bool   hopeful = task->measure == ZN_FC_MEASURE_FCLIB && estimate <= task->tolerance;
        if (!hopeful && step < next_look && step < limit)
            continue;
        double measure = zn_fc_look(task);
        if (measure <= task->tolerance)
            return ZN_OK;
        if (step < next_look)
            continue;
        next_look = step + (step < 100 ? step / 4 + 4 : step / 4);
        stays = measure > 0.9 * last ? stays + 1 : 0;
        last = measure < last ? measure : last;
        if (!isfinite(measure) || (stays >= 8 && step >= 64))
            break;
    }
    task->reason = stuck > 0 ? "a contact has no solution by itself" : "Gauss-Seidel has stalled";
    return ZN_NOT_CONVERGED;
}
