// Alternating direction method of multipliers on  min 1/2 r'Wr + (q + s)'r, r in the cones, where s = mu |u_T| on the
// normals is taken from the last iterate.
//
//     (W + rho I) r = rho (z - y) - q - s
//     x = a r + (1 - a) z                       over-relaxation, a = 1.6
//     z = P_K(x + y),   y = y + x - z           -rho y is the velocity u + s
// rho follows the ratio of the residuals |r - z| and |rho (z - z_last)|; W + rho I is factored anew only when rho has
// to change by more than a factor of four.
//
// Reference: S. Boyd et al., Foundations and Trends in Machine Learning 3 (2011) 1-122, section 3;
// V. Acary, M. Bremond, O. Huber in Advanced Topics in Nonsmooth Dynamics (2018), chapter 10.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction_system.h"

typedef struct admm {
    zn_fc_task   *task;
    double       *z, *y, *x; // n
    int          *place;
    double        rho;
    zn_fc_factors factors;
    bool          factored;
} admm;

static zn_status allocate(zn_fc_task *task, admm *w)
{
    w->task = task;
    w->z = ZN_FC_TAKE(task->memory, double, task->b.n);
    w->y = ZN_FC_TAKE(task->memory, double, task->b.n);
    w->x = ZN_FC_TAKE(task->memory, double, task->b.n);
    w->place = ZN_FC_TAKE(task->memory, int, task->b.count);
    if (!w->z || !w->y || !w->x || !w->place)
        return ZN_ERR_MEMORY;
    for (int c = 0; c < task->b.count; c++)
        w->place[c] = task->b.first[c];
    return ZN_OK;
}

void zn_fc_project(int rows, double mu, const double *v, double *z)
{
    ZN_ASSERT(rows >= 1 && rows <= 3 && z != v);
    double length = rows == 3 ? sqrt(v[1] * v[1] + v[2] * v[2]) : rows == 2 ? fabs(v[1]) : 0, factor = 1;
    z[0] = v[0];
    if (mu >= 0 && !(v[0] >= 0 && length <= mu * v[0])) {
        if (mu * length <= -v[0])
            factor = z[0] = 0;
        else {
            z[0] = (v[0] + mu * length) / (1 + mu * mu);
            factor = length > 0 ? mu * z[0] / length : 0;
        }
    }
    for (int k = 1; k < rows; k++)
        z[k] = factor * v[k];
}

// z = P(v) on |v_k| <= mu_k v_N of a contact c and its followers up to `last`. With the disks that v leaves,
//     z_N = (v_N + sum mu_k |v_k|) / (1 + sum mu_k^2)     over all k with |v_k| > mu_k z_N,
// which are found from none on: each that comes makes z_N larger and may not go again.
static void project_group(const zn_fc_blocks *b, int c, int last, const double *v, double *z)
{
    enum { DISKS = 3 };
    double length[DISKS] = {0}, mu[DISKS] = {0}, sum = v[0], weight = 1, normal = v[0] > 0 ? v[0] : 0;
    int    base = b->first[c];
    for (int d = c; d < last; d++)
        for (int i = b->first[d] + (d == c); i < b->first[d + 1]; i++)
            length[d - c] = hypot(length[d - c], v[i - base]);
    for (int d = 0; d < last - c; d++)
        mu[d] = b->mu[c + d];
    for (bool used[DISKS] = {false};;) {
        int next = -1;
        for (int d = 0; d < last - c; d++)
            if (!used[d] && length[d] > mu[d] * normal && (next < 0 || length[d] * mu[next] > length[next] * mu[d]))
                next = d;
        if (next < 0)
            break;
        used[next] = true;
        sum += mu[next] * length[next];
        weight += mu[next] * mu[next];
        normal = sum > 0 ? sum / weight : 0;
    }
    z[0] = normal;
    for (int d = c; d < last; d++)
        for (int i = b->first[d] + (d == c); i < b->first[d + 1]; i++) {
            double radius = mu[d - c] * normal;
            z[i - base] = v[i - base] * (length[d - c] > radius ? radius / length[d - c] : 1);
        }
}

// z, y and both residuals from r in w->x.
static void update(admm *w, double *primal, double *dual)
{
    const zn_fc_blocks *b = &w->task->b;
    const double        a = 1.6;
    *primal = *dual = 0;
    for (int c = 0, last; c < b->count; c = last) {
        for (last = c + 1; last < b->count && b->leader[last] == c;)
            last++;
        int    i = b->first[c], rows = b->first[last] - i;
        double v[6] = {0}, z[6];
        for (int k = 0; k < rows; k++)
            v[k] = a * w->x[i + k] + (1 - a) * w->z[i + k] + w->y[i + k];
        if (last > c + 1)
            project_group(b, c, last, v, z);
        else
            zn_fc_project(rows, b->mu[c], v, z);
        for (int k = 0; k < rows; k++) {
            double p = w->x[i + k] - z[k], d = z[k] - w->z[i + k];
            *primal += p * p;
            *dual += d * d;
            w->y[i + k] = v[k] - z[k];
            w->z[i + k] = z[k];
        }
    }
    *primal = sqrt(*primal);
    *dual = w->rho * sqrt(*dual);
}

static zn_status solve_linear(admm *w)
{
    ZN_ASSERT(w->factored && w->rho > 0);
    const zn_fc_blocks *b = &w->task->b;
    for (int c = 0; c < b->count; c++) {
        int    i = b->first[c], rows = zn_fc_block_rows(b, c);
        int    follower = b->leader[c] >= 0;
        double slip = follower    ? hypot(w->y[i], rows > 1 ? w->y[i + 1] : 0)
                      : rows == 3 ? hypot(w->y[i + 1], w->y[i + 2])
                      : rows == 2 ? fabs(w->y[i + 1])
                                  : 0;
        for (int k = 0; k < rows; k++)
            w->x[i + k] = w->rho * (w->z[i + k] - w->y[i + k]) - b->q[i + k];
        if (b->mu[c] > 0)
            w->x[follower ? b->first[b->leader[c]] : i] -= b->mu[c] * w->rho * slip;
    }
    return zn_fc_factor_solve(&w->factors, w->x);
}

static zn_status refactor(admm *w, double rho, zn_fc_mark mark)
{
    ZN_ASSERT(rho > 0);
    const zn_fc_blocks *b = &w->task->b;
    zn_fc_system        system = {.b = b, .place = w->place, .m = b->n, .shift = rho, .band = true};
    for (int i = 0; i < b->n && w->factored; i++)
        w->y[i] *= w->rho / rho;
    zn_fc_rewind(w->task->memory, mark);
    if (!zn_fc_afford_factors(w->task, b->n))
        return ZN_NOT_CONVERGED;
    w->rho = rho;
    zn_status status = zn_fc_factor(&system, w->task->memory, w->factored, &w->factors);
    w->factored = true;
    return status;
}

static zn_status iterate(admm *w, int limit)
{
    ZN_ASSERT(limit > 0);
    enum { SOLUTION = 4 }; // what an iteration costs, in sweeps
    zn_fc_task *task = w->task;
    zn_fc_mark  mark = zn_fc_get_mark(task->memory);
    int         next_look = 4, next_change = 20;
    if (zn_fc_look(task) <= task->tolerance)
        return ZN_OK;
    ZN_TRY(refactor(w, 0.1, mark));
    for (int i = 0; i < task->b.n; i++) {
        w->z[i] = task->r[i];
        w->y[i] = 0;
    }
    for (int step = 1; step <= limit && zn_fc_afford(task->effort, SOLUTION); step++) {
        double primal, dual;
        task->iterations++;
        ZN_TRY(solve_linear(w));
        update(w, &primal, &dual);
        if (step >= next_look || step == limit) {
            memcpy(task->r, w->z, sizeof(double) * (size_t)task->b.n);
            double measure = zn_fc_look(task);
            if (measure <= task->tolerance)
                return ZN_OK;
            if (!isfinite(measure))
                break;
            next_look = step + 3 + step / 20;
        }
        double ratio = sqrt(primal / fmax(dual, 1e-300));
        if (step >= next_change && (ratio > 4 || ratio < 0.25) && step < limit) {
            double rho = fmin(fmax(w->rho * fmin(fmax(ratio, 0.1), 10), 1e-8), 1e4);
            ZN_TRY(refactor(w, rho, mark));
            next_change = step + 20 + step / 2;
        }
    }
    task->reason = "the iteration limit of ADMM was reached";
    return ZN_NOT_CONVERGED;
}

zn_status zn_fc_admm(zn_fc_task *task)
{
    zn_fc_mark mark = zn_fc_get_mark(task->memory);
    admm       w = {0};
    zn_status  status = allocate(task, &w);
    if (status == ZN_OK)
        status = iterate(&w, task->limit > 0 ? task->limit : 20000);
    zn_fc_factors_free(&w.factors);
    zn_fc_rewind(task->memory, mark);
    return status == ZN_SINGULAR ? ZN_NOT_CONVERGED : status;
}
