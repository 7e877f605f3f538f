// Problems without a warm start. Nothing is known of their statuses, so what comes first follows from what it costs.
// The path through the interior nearly always ends, after a few steps and one for each digit: what it will cost can be
// told before, in sweeps, from the size of the problem and the front that factors carry along. Everything else is tried
// only as long as it is likely to cost less. What that is depends on how contacts share loads:
//
//   full matrices   few contacts decide: accelerated sweeps, Newton's method on those that are closed
//   tables          one body on many feet: a path of six unknowns
//   few rows        some steps of Newton's method, the path
//   faces           redundant contacts: accelerated sweeps, the path
//   piles           accelerated sweeps, the path; then no rate says when sweeps will have found the statuses: plain and
//                   accelerated ones by turns
//
// Turns keep both points: together they take little more than twice the sweeps of the better one.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction_call.h"
#include "solve/friction_newton.h"
#include "solve/friction_twins.h"

// Rows. Small piles are solved as faces are; beyond the last number the path is not followed.
enum { HANDFUL = 64, SMALL_PILE = 300, MOST_ROWS = 20000 };
enum { TWO_BOXES = 24 }; // one on the other, on their corners
enum { MOTIONS = 6 };    // of a body
enum { FAIR = 8 };       // sweeps before their pace counts

// --- what the problem is like --------------------------------------------------------------------

// Does every contact act on most of the others? On all of them, where there is a handful: two boxes are no table.
static bool is_full(const zn_fc_blocks *b)
{
    double all = (double)b->count * (b->count - 1);
    return b->start[b->count] > (b->n <= HANDFUL ? 0.99 : 0.5) * all;
}

// --- stages --------------------------------------------------------------------------------------

// Sweeps on from task->r while no more than task->limit are expected in all. Where many are granted, their pace counts
// after a part of them. What is nearly there has half as many more.
static zn_status accelerated(zn_fc_task *task)
{
    const double near = 3; // tolerances
    int          limit = task->limit;
    zn_fc_look(task);
    zn_status status = zn_fc_anderson_within(task, limit > 10 * FAIR ? limit / 10 : FAIR, limit);
    if (status != ZN_NOT_CONVERGED || !(task->best_measure <= near * task->tolerance))
        return status;
    zn_fc_recall(task);
    zn_fc_look(task);
    task->limit = limit > 1 ? limit / 2 : 1;
    return zn_fc_anderson_within(task, limit / 4, limit / 2);
}

// Newton's method from where sweeps have come ends soon where they have set the statuses right.
static zn_status steps_on(zn_fc_task *task)
{
    zn_fc_recall(task);
    return zn_fc_newton_within(task, ZN_FC_JEAN_MOREAU, 1e-9, task->limit, 1);
}

static const double near_enough = 1e-4;

// Near an answer Newton's method adds the digits that sweeps would take long for.
static zn_status add_digits(zn_fc_task *task)
{
    enum { STEPS = 20, PATIENCE = 2 };
    return zn_fc_newton_within(task, ZN_FC_JEAN_MOREAU, 1e-9, STEPS, PATIENCE);
}

static zn_status last_steps(zn_fc_task *task)
{
    zn_fc_recall(task);
    return task->best_measure < near_enough ? add_digits(task) : ZN_NOT_CONVERGED;
}

// Newton's method from zero, as long as it comes nearer, and less than what the path costs.
static zn_status first_steps(zn_fc_task *task)
{
    enum { STEPS = 8, PATIENCE = 1 };
    return zn_fc_newton_within(task, ZN_FC_JEAN_MOREAU, 1e-9, STEPS, PATIENCE);
}

// Some sweeps smooth what is left before the steps.
static zn_status sweeps_and_steps(zn_fc_task *task)
{
    zn_fc_recall(task);
    zn_fc_look(task);
    task->limit = FAIR;
    zn_status status = zn_fc_anderson(task);
    return status == ZN_NOT_CONVERGED ? zn_fc_newton_within(task, ZN_FC_JEAN_MOREAU, 1e-9, 20, 3) : status;
}

typedef struct turns {
    zn_fc_accelerated accelerated;
    double           *r[2]; // n: of plain and of accelerated sweeps
    int               plain;
    double            near; // from here on steps of Newton's method are tried
} turns;

// Each time after another digit.
static zn_status steps_if_near(zn_fc_task *task, turns *w)
{
    if (!(task->seen < w->near))
        return ZN_NOT_CONVERGED;
    w->near = 0.1 * task->seen;
    return add_digits(task);
}

// One slice of those that have had fewer sweeps.
static zn_status take_turn(zn_fc_task *task, turns *w)
{
    enum { SLICE = 32 };
    bool      plain = w->plain <= w->accelerated.step;
    int       done = plain ? w->plain : w->accelerated.step, slice = done / 4 > SLICE ? done / 4 : SLICE;
    double   *r = w->r[plain ? 0 : 1];
    size_t    bytes = sizeof(double) * (size_t)task->b.n;
    zn_status status;
    memcpy(task->r, r, bytes);
    task->solver = plain ? "gauss_seidel" : "anderson";
    task->limit = slice;
    if (plain)
        status = zn_fc_gauss_seidel(task);
    else
        status = zn_fc_anderson_go_on(task, &w->accelerated, done + slice, 0, 0);
    w->plain += plain ? slice : 0;
    w->accelerated.step = plain ? w->accelerated.step : done + slice;
    memcpy(r, task->r, bytes);
    return status == ZN_NOT_CONVERGED ? steps_if_near(task, w) : status;
}

// Accelerated sweeps on from task->r while half of task->limit is expected; then, by turns, these and plain ones
// from zero, up to task->limit of each.
static zn_status by_turns(zn_fc_task *task)
{
    int        most = task->limit;
    size_t     n = (size_t)task->b.n;
    zn_fc_mark mark = zn_fc_get_mark(task->memory);
    turns      w = {.near = near_enough};
    for (int k = 0; k < 2; k++)
        if ((w.r[k] = ZN_FC_TAKE(task->memory, double, n)) == NULL)
            return ZN_ERR_MEMORY;
    memset(w.r[0], 0, n * sizeof(double));
    zn_fc_look(task);
    task->solver = "anderson";
    zn_status status = zn_fc_anderson_begin(task, &w.accelerated);
    if (status == ZN_OK)
        status = zn_fc_anderson_go_on(task, &w.accelerated, most, FAIR, most / 2);
    memcpy(w.r[1], task->r, n * sizeof(double));
    if (status == ZN_NOT_CONVERGED)
        status = steps_if_near(task, &w);
    while (status == ZN_NOT_CONVERGED && (w.plain < most || w.accelerated.step < most))
        status = take_turn(task, &w);
    zn_fc_rewind(task->memory, mark);
    return status;
}

typedef struct stage {
    const char   *name;
    zn_fc_method *method;
    double        limit;
    bool          goes_on; // from where the last one ended; else from zero
} stage;

static zn_status try_stages(zn_fc_call *call, zn_fc_task *task, const stage *stages)
{
    zn_status status = ZN_NOT_CONVERGED;
    for (const stage *s = stages; s->method != NULL && status == ZN_NOT_CONVERGED; s++) {
        if (s->method == zn_fc_interior_path && (task->b.follow || task->b.n > MOST_ROWS))
            continue;
        if (!s->goes_on) { // what others have found leads astray
            memset(task->r, 0, sizeof *task->r * (size_t)task->b.n);
            task->best_measure = INFINITY;
        }
        task->limit = (int)fmin(s->limit, 1e5);
        status = zn_fc_call_blocks(call, task, s->name, s->method);
    }
    return status;
}

// What a problem is like, and what the path takes.
typedef struct likeness {
    bool   full, many; // all contacts act on all; more than a handful of rows
    bool   rigid;      // full: of few ranks
    bool   pair;       // full: of two bodies, one on the other
    bool   twins, small;
    double steps, path; // of factorizations, of sweeps
} likeness;

static zn_status look_at(zn_fc_call *call, zn_fc_task *task, zn_fc_twins *groups, likeness *out)
{
    const zn_fc_blocks *b = &task->b;
    const double        few_feet = 0.4; // four under each box
    double              part = 1;       // of the rows: motions of pairs of bodies
    *out = (likeness){.full = is_full(b), .many = b->n > HANDFUL, .small = b->n <= SMALL_PILE};
    if (b->n >= TWO_BOXES) {
        ZN_TRY(zn_fc_twins_find(b, call->memory, groups));
        task->twins = groups;
    }
    if (b->n >= TWO_BOXES && (out->many || out->full))
        part = zn_fc_twins_part(groups, 2 * MOTIONS, call->memory);
    out->rigid = out->full && part < 1;
    out->pair = out->rigid && part * b->n > MOTIONS && part > few_feet;
    out->twins = 2 * groups->twins > b->count;
    out->steps = 4 - 0.5 * zn_ln(fmax(task->tolerance, 1e-14)) / zn_ln(10); // its end is Newton's method
    out->path = out->steps * zn_fc_twin_sweeps(task, out->many ? part : 1);
    return ZN_OK;
}

zn_status zn_fc_solve_cold(zn_fc_call *call)
{
    zn_fc_task  task;
    zn_fc_twins groups = {0};
    likeness    is;
    ZN_TRY(zn_fc_call_prepare_blocks(call, call->trial, &task));
    ZN_TRY(look_at(call, &task, &groups, &is));
    double      steps = is.steps, path = is.path;
    double      shared = !is.twins ? 1.5 : is.small ? 0.6 : 1; // of the path, for sweeps
    const stage few[] = {{"newton_jean_moreau", first_steps, 0, false},
                         {"interior_point", zn_fc_interior_path, 0, false},
                         {"newton_alart_curnier", zn_fc_newton_alart_curnier, 80, false},
                         {"interior_point", zn_fc_interior_point, 0, false},
                         {"anderson", accelerated, 60 * path, false},
                         {0}};
    const stage full[] = {{"anderson", accelerated, 2 * path, true},
                          {"newton_jean_moreau", steps_on, 8, true},
                          {"newton_jean_moreau", zn_fc_newton_jean_moreau, 3 * steps, false},
                          {"interior_point", zn_fc_interior_path, 0, false},
                          {"newton_alart_curnier", zn_fc_newton_alart_curnier, 3 * steps, false},
                          {0}};
    const stage tables[] = {{"anderson", accelerated, 1.1 * path, true},
                            {"interior_point", zn_fc_interior_path, 0, false},
                            {"newton_jean_moreau", zn_fc_newton_jean_moreau, 3 * steps, false},
                            {"newton_alart_curnier", zn_fc_newton_alart_curnier, 3 * steps, false},
                            {0}};
    const stage faces[] = {{"anderson", accelerated, shared * path, true},
                           {"interior_point", zn_fc_interior_path, 0, false},
                           {"anderson", accelerated, 60 * path, false},
                           {"newton_alart_curnier", zn_fc_newton_alart_curnier, 3 * steps, false},
                           {0}};
    const stage piles[] = {{"anderson", accelerated, shared * path, true},
                           {"newton_jean_moreau", last_steps, 0, true},
                           {"interior_point", zn_fc_interior_path, 0, false},
                           {NULL, by_turns, 3 * path, false},
                           {"newton_jean_moreau", sweeps_and_steps, 0, true},
                           {"anderson", accelerated, 60 * path, false},
                           {"newton_alart_curnier", zn_fc_newton_alart_curnier, 6 * steps, false},
                           {0}};
    bool        few_rows = task.b.n < TWO_BOXES || (!is.many && is.twins);
    if (is.full && !(is.pair && few_rows))
        return try_stages(call, &task, is.rigid && is.many ? tables : full);
    return try_stages(call, &task, few_rows ? few : is.small || is.twins ? faces : piles);
}
