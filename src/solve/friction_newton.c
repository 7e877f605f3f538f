// Semi-smooth Newton on Alart-Curnier's or Jean-Moreau's function, with a line search on |F|.
//
//     (A (W + e I) + B) dr = -F,   u = W r + q
// Open contacts have A = 0 and dr = -r: they take no part in the equations. The small e leaves r where it is along
// directions that a singular W (redundant contacts) does not determine. e grows when no step makes |F| smaller, which
// turns the step towards that of a proximal method, and shrinks again with every full step.
//
// Faces that touch have more contacts than they need, whose rows nearly repeat each other: which of them carry and
// which part by next to nothing is decided by reactions that change a lot while velocities hardly do, where no step
// makes |F| smaller. Proximal points go there: u = W r + q + e (r - a) has one answer near the last one, a.
#include "solve/friction_newton.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "solve/friction_system.h"

typedef struct newton {
    zn_fc_task    *task;
    zn_fc_function kind;
    double        *F, *step, *r, *u; // n; r, u: trial
    double        *A, *B;            // 9 per block
    double        *couple;           // 2 per block: of followers, see friction_newton.h
    int           *place;            // per block
    int            m;
    double         shift;
    const double  *anchor; // n: a of a proximal point; NULL: none
} newton;

void zn_fc_newton_rho(const zn_fc_blocks *b, int c, double rho[2])
{
    const double *d = b->diagonal + 9 * (size_t)c;
    int           rows = zn_fc_block_rows(b, c);
    double        tangent = rows == 3 ? 0.5 * (d[4] + d[8]) : rows == 2 ? d[4] : 1;
    rho[0] = d[0] > 0 ? 1 / d[0] : 1;
    rho[1] = tangent > 0 ? 1 / tangent : 1;
}

static bool evaluate_follower(newton *w, int c, const double *r, const double *u)
{
    const zn_fc_blocks *b = &w->task->b;
    const double       *d = b->diagonal + 9 * (size_t)c;
    int                 i = b->first[c], rows = zn_fc_block_rows(b, c), normal = b->first[b->leader[c]];
    double              rho[2], mean = rows > 1 ? 0.5 * (d[0] + d[4]) : d[0];
    zn_fc_newton_rho(b, b->leader[c], rho);
    return zn_fc_newton_follower(rows, b->mu[c], mean > 0 ? 1 / mean : 1, r[normal] - rho[0] * u[normal], r + i, u + i,
                                 w->F + i, w->A + 9 * (size_t)c, w->B + 9 * (size_t)c, w->couple + 2 * (size_t)c);
}

static bool evaluate_block(newton *w, int c, const double *r, const double *u)
{
    const zn_fc_blocks *b = &w->task->b;
    double              rho[2];
    int                 i = b->first[c];
    if (b->leader[c] >= 0)
        return evaluate_follower(w, c, r, u);
    zn_fc_newton_rho(b, c, rho);
    return zn_fc_newton_function(w->kind, zn_fc_block_rows(b, c), b->mu[c], rho, r + i, u + i, w->F + i,
                                 w->A + 9 * (size_t)c, w->B + 9 * (size_t)c);
}

// F, A, B at (r, u) and |F|; the blocks that take part.
static double evaluate(newton *w, const double *r, const double *u)
{
    const zn_fc_blocks *b = &w->task->b;
    double              squares = 0;
    w->m = 0;
    for (int c = 0; c < b->count; c++) {
        int  i = b->first[c], rows = zn_fc_block_rows(b, c);
        bool part = evaluate_block(w, c, r, u);
        w->place[c] = part ? w->m : -1;
        w->m += part ? rows : 0;
        for (int k = 0; k < rows; k++)
            squares += w->F[i + k] * w->F[i + k];
    }
    return sqrt(squares);
}

// What the step of the leader's normal velocity, which ends at zero, does to the radius.
static void add_follower(const newton *w, int c, double *x)
{
    const zn_fc_blocks *b = &w->task->b;
    double              rho[2];
    zn_fc_newton_rho(b, b->leader[c], rho);
    for (int k = 0; k < zn_fc_block_rows(b, c); k++)
        x[k] -= w->couple[2 * (size_t)c + (size_t)k] * rho[0] * w->task->u[b->first[b->leader[c]]];
}

// Right-hand side -F - A W dr of those that take part, with the steps of the others known. Uses w->r and w->u.
static void right_hand_side(newton *w, double *x)
{
    ZN_ASSERT(w->m == 0 || x);
    const zn_fc_blocks *b = &w->task->b;
    for (int c = 0; c < b->count; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++)
            w->r[i] = w->place[c] < 0 ? -w->task->r[i] : 0;
    zn_fc_blocks_multiply(b, w->r, w->u); // W dr + q
    for (int c = 0; c < b->count; c++) {
        const double *A = w->A + 9 * (size_t)c;
        int           i = b->first[c], rows = zn_fc_block_rows(b, c);
        for (int k = 0; k < rows; k++) {
            double sum = -w->F[i + k];
            for (int l = 0; l < rows; l++)
                sum -= A[3 * k + l] * (w->u[i + l] - b->q[i + l]);
            if (w->place[c] >= 0)
                x[w->place[c] + k] = sum;
        }
    }
    for (int c = 0; c < b->count && b->follow; c++)
        if (b->leader[c] >= 0 && w->place[c] >= 0)
            add_follower(w, c, x + w->place[c]);
}

static zn_status direction(newton *w, zn_fc_factors *factors)
{
    ZN_ASSERT(w->m <= w->task->b.n && w->shift > 0);
    const zn_fc_blocks *b = &w->task->b;
    zn_fc_workspace    *memory = w->task->memory;
    zn_fc_mark          mark = zn_fc_get_mark(memory);
    zn_fc_system        system = {.b = b, .place = w->place, .m = w->m, .left = w->A, .own = w->B, .shift = w->shift};
    system.couple = b->follow ? w->couple : NULL;
    system.band = w->task->cold && w->m > ZN_FC_FEW_EQUATIONS; // from a warm start bits stay what they were
    double *x = ZN_FC_TAKE(memory, double, w->m);
    if (x == NULL)
        return ZN_ERR_MEMORY;
    if (!zn_fc_afford_factors(w->task, w->m))
        return ZN_NOT_CONVERGED;
    right_hand_side(w, x);
    zn_status status = w->m > 0 ? zn_fc_factor(&system, memory, false, factors) : ZN_OK;
    if (status == ZN_OK && w->m > 0)
        status = zn_fc_factor_solve(factors, x);
    for (int c = 0; c < b->count && status == ZN_OK; c++)
        for (int i = b->first[c]; i < b->first[c + 1]; i++)
            w->step[i] = w->place[c] < 0 ? -w->task->r[i] : x[w->place[c] + i - b->first[c]];
    zn_fc_rewind(memory, mark);
    return status;
}

// u = W r + q, + e (r - a) of a proximal point.
static void find_velocities(const newton *w, const double *r, double *u)
{
    zn_fc_blocks_multiply(&w->task->b, r, u);
    for (int i = 0; i < w->task->b.n && w->anchor != NULL; i++)
        u[i] += w->shift * (r[i] - w->anchor[i]);
}

// Go by t along the step: r and u there in w, F, A and B, |F|.
static double try_step(newton *w, double t)
{
    ZN_ASSERT(t >= 0 && t <= 1); // 0: no trial was finite, back to where we are
    for (int i = 0; i < w->task->b.n; i++)
        w->r[i] = w->task->r[i] + t * w->step[i];
    find_velocities(w, w->r, w->u);
    return evaluate(w, w->r, w->u);
}

// The first of the steps 1, 1/2, 1/4... that makes |F| smaller; the best of them when none does. Returns |F| there,
// with r and u in the task.
static double line_search(newton *w, double norm, double *length)
{
    enum { HALVINGS = 6 };
    size_t bytes = sizeof(double) * (size_t)w->task->b.n;
    double best = INFINITY, t = 1, trial = INFINITY;
    for (int k = 0; k < HALVINGS; k++, t *= 0.5) {
        trial = try_step(w, t);
        if (trial < best) {
            best = trial;
            *length = t;
        }
        if (trial < (1 - 1e-4 * t) * norm)
            break;
    }
    if (*length != t) // not the one that was tried last
        trial = try_step(w, *length);
    memcpy(w->task->r, w->r, bytes);
    memcpy(w->task->u, w->u, bytes);
    return trial;
}

static zn_status allocate(zn_fc_task *task, newton *w)
{
    zn_fc_workspace *memory = task->memory;
    double         **vectors[] = {&w->F, &w->step, &w->r, &w->u};
    bool             there = true;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        there = (*vectors[i] = ZN_FC_TAKE(memory, double, task->b.n)) != NULL && there;
    w->A = ZN_FC_TAKE(memory, double, 9 * (size_t)task->b.count);
    w->B = ZN_FC_TAKE(memory, double, 9 * (size_t)task->b.count);
    w->couple = ZN_FC_TAKE(memory, double, task->b.follow ? 2 * (size_t)task->b.count : 0);
    w->place = ZN_FC_TAKE(memory, int, task->b.count);
    return there && w->A && w->B && w->couple && w->place ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status iterate(newton *w, int limit, int patience, zn_fc_factors *factors)
{
    zn_fc_task *task = w->task;
    int         failures = 0;
    double      measure = zn_fc_look(task), norm = evaluate(w, task->r, task->u), lowest = norm;
    for (int step = 0; step < limit && measure > task->tolerance; step++) {
        double length = 0;
        if (direction(w, factors) == ZN_OK) { // a singular matrix asks for a larger e
            norm = line_search(w, norm, &length);
            measure = zn_fc_note(task);
        }
        task->iterations++;
        if (!zn_fc_afford(task->effort, 0))
            break;
        bool good = norm < 0.9 * lowest && isfinite(measure);
        w->shift = length == 1 && good ? fmax(0.1 * w->shift, 1e-12) : good ? w->shift : fmin(100 * w->shift, 1e-2);
        failures = good ? 0 : failures + 1;
        lowest = norm < lowest ? norm : lowest;
        if (failures > patience || !isfinite(norm))
            break;
    }
    return measure <= task->tolerance ? ZN_OK : ZN_NOT_CONVERGED;
}

zn_status zn_fc_newton_within(zn_fc_task *task, zn_fc_function kind, double shift, int limit, int patience)
{
    ZN_ASSERT(shift > 0 && limit >= 0);
    zn_fc_mark    mark = zn_fc_get_mark(task->memory);
    newton        w = {.task = task, .kind = kind, .shift = shift};
    zn_fc_factors factors = {0};
    zn_status     status = allocate(task, &w);
    if (status == ZN_OK)
        status = iterate(&w, limit, patience, &factors);
    zn_fc_factors_free(&factors);
    zn_fc_rewind(task->memory, mark);
    if (status == ZN_NOT_CONVERGED)
        task->reason = "Newton's method has stalled";
    return status;
}

zn_status zn_fc_newton(zn_fc_task *task, zn_fc_function kind, double shift, int limit)
{
    return zn_fc_newton_within(task, kind, shift, limit, 6);
}

// --- proximal points -----------------------------------------------------------------------------

static void take_step(newton *w)
{
    size_t bytes = sizeof(double) * (size_t)w->task->b.n;
    memcpy(w->task->r, w->r, bytes);
    memcpy(w->task->u, w->u, bytes);
}

// The point of w->anchor; e stays. Full steps change the statuses of many contacts at once and often end; where they do
// not, a line search goes on.
static zn_status find_point(newton *w, zn_fc_factors *factors)
{
    enum { FULL = 12, STEPS = 40, PATIENCE = 6 };
    zn_fc_task *task = w->task;
    int         failures = 0;
    find_velocities(w, task->r, task->u);
    double norm = evaluate(w, task->r, task->u), lowest = INFINITY, measure = INFINITY;
    for (int step = 0; step < STEPS && failures <= PATIENCE && isfinite(norm); step++) {
        measure = zn_fc_blocks_measure(&task->b, task->measure, task->r, task->u);
        if (measure <= 0.5 * task->tolerance)
            return ZN_OK;
        double length = 0;
        task->iterations++;
        if (direction(w, factors) != ZN_OK)
            return ZN_NOT_CONVERGED;
        norm = step < FULL ? try_step(w, 1) : line_search(w, norm, &length);
        if (step < FULL)
            take_step(w);
        failures = step < FULL || norm < 0.9 * lowest ? 0 : failures + 1;
        lowest = step < FULL || norm < lowest ? norm : lowest;
    }
    return ZN_NOT_CONVERGED;
}

// e shrinks with every point found, and grows where one is not.
static zn_status follow_points(newton *w, double *anchor, zn_fc_factors *factors)
{
    enum { POINTS = 30 };
    const double least = 1e-10, most = 1e-2;
    zn_fc_task  *task = w->task;
    size_t       bytes = sizeof(double) * (size_t)task->b.n;
    memcpy(anchor, task->r, bytes);
    for (int point = 0; point < POINTS && w->shift <= most && zn_fc_afford(task->effort, 0); point++) {
        bool found = find_point(w, factors) == ZN_OK;
        if (zn_fc_look(task) <= task->tolerance)
            return ZN_OK;
        memcpy(found ? anchor : task->r, found ? task->r : anchor, bytes);
        w->shift = found ? fmax(0.25 * w->shift, least) : 5 * w->shift;
    }
    return ZN_NOT_CONVERGED;
}

zn_status zn_fc_proximal(zn_fc_task *task)
{
    zn_fc_mark    mark = zn_fc_get_mark(task->memory);
    newton        w = {.task = task, .kind = ZN_FC_ALART_CURNIER, .shift = 1e-5};
    double       *anchor = ZN_FC_TAKE(task->memory, double, task->b.n);
    zn_fc_factors factors = {0};
    zn_status     status = anchor != NULL ? allocate(task, &w) : ZN_ERR_MEMORY;
    w.anchor = anchor;
    if (status == ZN_OK)
        status = follow_points(&w, anchor, &factors);
    zn_fc_factors_free(&factors);
    zn_fc_rewind(task->memory, mark);
    if (status == ZN_NOT_CONVERGED)
        task->reason = "proximal points have stalled";
    return status;
}

// The globally convergent fallback: where Newton stalls, Gauss-Seidel sweeps lead to another start from the best point
// so far, and e begins larger.
static zn_status solve_by_name(zn_fc_task *task, zn_fc_function kind)
{
    int limit = task->limit > 0 ? task->limit : 2000, end = task->iterations + limit;
    for (int round = 0; task->iterations < end && zn_fc_afford(task->effort, 0); round++) {
        int       steps = end - task->iterations < 50 ? end - task->iterations : 50;
        zn_status status = zn_fc_newton(task, kind, zn_fc_newton_shift(round), steps);
        if (status != ZN_NOT_CONVERGED || task->iterations >= end)
            return status;
        zn_fc_recall(task);
        task->limit = 4 << (round < 8 ? round : 8);
        status = zn_fc_gauss_seidel(task);
        task->limit = limit;
        if (status != ZN_NOT_CONVERGED)
            return status;
    }
    task->reason = "Newton's method has stalled";
    return ZN_NOT_CONVERGED;
}

zn_status zn_fc_newton_alart_curnier(zn_fc_task *task) { return solve_by_name(task, ZN_FC_ALART_CURNIER); }

zn_status zn_fc_newton_jean_moreau(zn_fc_task *task) { return solve_by_name(task, ZN_FC_JEAN_MOREAU); }
