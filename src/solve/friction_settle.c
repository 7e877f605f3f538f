// Contacts at rest. A tolerance on all contacts together lets each of a heap creep a little, in every step the same
// way; a tower that creeps leans until it falls. So where the tolerance is met and most contacts move by little more
// than they miss their law by, sweeps go on until these miss it by much less. Reactions of a heap at rest are the warm
// start of its next step: what one call leaves the next ones do, and then there is nothing left to do.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/anderson.h"
#include "solve/friction.h"

enum { SWEEPS = 8 };
static const double finer = 1e-3; // of the tolerance
static const double slow = 10;    // times what it misses that a contact at rest may move by
static const double most = 0.8;   // of all contacts

typedef struct rest {
    bool   *at; // per block
    double *miss;
    double  goal; // of what they miss together
} rest;

static double square_of(int rows, const double *x)
{
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += x[i] * x[i];
    return sum;
}

// |u| of bilateral rows, |r - P(r - u)| of contacts.
static double miss_of(const zn_fc_task *task, int c)
{
    const zn_fc_blocks *b = &task->b;
    const double       *r = task->r + b->first[c], *u = task->u + b->first[c];
    double              s = b->scale[c];
    int                 rows = zn_fc_block_rows(b, c);
    if (b->mu[c] < 0)
        return fabs(u[0]) / s;
    if (b->leader[c] >= 0)
        return s * zn_fc_disk_map(rows, zn_fc_block_radius(b, c, task->r), s * s, r, u);
    return s * zn_fc_natural_map(rows, b->mu[c], s * s, r, u);
}

// Do most of them rest?
static bool find_rest(const zn_fc_task *task, rest *s)
{
    const zn_fc_blocks *b = &task->b;
    double              sum = 0;
    int                 count = 0;
    for (int c = 0; c < b->count; c++) {
        s->miss[c] = miss_of(task, c);
        sum += s->miss[c] * s->miss[c];
    }
    s->goal = finer * task->tolerance * sqrt(sum) / task->seen;
    for (int c = 0; c < b->count; c++) {
        double motion = sqrt(square_of(zn_fc_block_rows(b, c), task->u + b->first[c])) / b->scale[c];
        s->at[c] = motion <= slow * s->miss[c] || motion <= 2 * sqrt(sum / b->count);
        count += s->at[c];
    }
    return count > most * b->count;
}

// A sweep over all; how far reactions at rest went, which is about what they missed.
static double sweep(zn_fc_task *task, const rest *s)
{
    const zn_fc_blocks *b = &task->b;
    double              sum = 0;
    for (int c = 0; c < b->count; c++) {
        int    rows = zn_fc_block_rows(b, c);
        double q[3], change[3], *r = task->r + b->first[c];
        zn_fc_blocks_row(b, c, task->r, q);
        memcpy(change, r, sizeof *r * (size_t)rows);
        zn_fc_solve_block(b, c, q, task->r); // or they stay
        for (int i = 0; i < rows; i++)
            change[i] -= r[i];
        if (s->at[c])
            sum += square_of(rows, change) / (b->scale[c] * b->scale[c]);
    }
    return sqrt(sum);
}

static void sweep_on(zn_fc_task *task, const rest *s, double *memory)
{
    zn_anderson h;
    zn_anderson_begin(task->b.n, memory, &h);
    for (int step = 1; step <= SWEEPS; step++) {
        zn_anderson_leave(&h, task->r);
        task->iterations++;
        if (sweep(task, s) <= s->goal || step == SWEEPS)
            break;
        zn_anderson_mix(&h, task->r);
    }
    if (!(zn_fc_look(task) <= task->tolerance))
        zn_fc_recall(task); // as it was
}

zn_status zn_fc_settle(zn_fc_task *task)
{
    ZN_ASSERT(task->best_measure <= task->tolerance);
    zn_fc_mark mark = zn_fc_get_mark(task->memory);
    rest       s = {.at = ZN_FC_TAKE(task->memory, bool, task->b.count),
                    .miss = ZN_FC_TAKE(task->memory, double, task->b.count)};
    double    *memory = ZN_FC_TAKE(task->memory, double, ZN_ANDERSON_VECTORS *(size_t)task->b.n);
    if (!s.at || !s.miss || !memory)
        return ZN_ERR_MEMORY;
    if (task->seen > 0 && find_rest(task, &s))
        sweep_on(task, &s, memory);
    zn_fc_rewind(task->memory, mark);
    return ZN_OK;
}
