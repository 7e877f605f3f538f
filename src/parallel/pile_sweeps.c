// Sweeps over a pile by several processes. See pile_sweeps.h; on one process the solver "anderson" does the same.
//
//     u_c = q_c + sum over o of W_co r_o      c: own contacts, o: own ones and ghosts that share a body with c
//
// Reactions of ghosts come from their owners: of inner contacts once these are swept, of those on borders after their
// colour. Numbers about all contacts (how far a sweep went, products of the acceleration, terms of the judge) are
// gathered by all and added in the order of the processes. Ghosts are mixed by the acceleration as their owners do it,
// with the same numbers: that takes no message.
#include "parallel/pile_sweeps.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { TAG = 41, MOST_TOLD = 16 };
static const double coarse = 1e-7, roughly = 1e-3; // see friction_call.c

// --- life ----------------------------------------------------------------------------------------

zn_status zn_pile_sweeps_create(zn_world *world, const zn_system *sys, zn_pile_sweeps **out)
{
    zn_pile_sweeps *w = ZN_NEW(zn_pile_sweeps, 1);
    if (!w)
        return ZN_ERR_MEMORY;
    w->world = world;
    w->count = ZN_NEW(int, world->size);
    w->place = ZN_NEW(int, world->size);
    w->told = ZN_NEW(double, MOST_TOLD *(size_t)world->size);
    w->request = ZN_NEW(MPI_Request, 2 * (size_t)world->size);
    zn_status status = w->count && w->place && w->told && w->request ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_pile_split_create(world->size, world->rank, sys->layout.nodes, &w->split);
    if (status == ZN_OK)
        status = zn_fc_workspace_create(&w->memory);
    if (status != ZN_OK)
        zn_pile_sweeps_destroy(w);
    else
        *out = w;
    return status;
}

static void release_list(zn_row_list *list)
{
    free(list->row);
    free(list->first);
    free(list->mu);
    *list = (zn_row_list){0};
}

zn_pile_sweeps *zn_pile_sweeps_destroy(zn_pile_sweeps *w)
{
    if (!w)
        return NULL;
    zn_pile_split_destroy(&w->split);
    zn_node_blocks_return(&w->blocks);
    release_list(&w->list);
    zn_fc_workspace_destroy(w->memory);
    free(w->q);
    free(w->all);
    free(w->count);
    free(w->place);
    free(w->told);
    free(w->request);
    free(w);
    return NULL;
}

// --- numbers of all ------------------------------------------------------------------------------

// `count` numbers of each process, one process after the other.
static const double *tell(zn_pile_sweeps *w, int count, const double *own)
{
    ZN_ASSERT(count <= MOST_TOLD);
    zn_clock start = zn_clock_now();
    zn_world_gather(w->world, own, sizeof *own * (size_t)count, w->told);
    zn_clock_stop(w->world, start, &w->world->times.wait);
    return w->told;
}

static void add_up(zn_pile_sweeps *w, int count, double *values)
{
    const double *told = tell(w, count, values);
    for (int k = 0; k < count; k++) {
        values[k] = told[k];
        for (int r = 1; r < w->world->size; r++)
            values[k] += told[r * count + k];
    }
}

// --- the local problem ---------------------------------------------------------------------------

static zn_status reserve_list(zn_pile_sweeps *w, int contacts, int rows)
{
    int same[2] = {w->row_capacity, w->contact_capacity};
    ZN_TRY(zn_grow(&w->list.row, &same[0], rows, sizeof *w->list.row));
    ZN_TRY(zn_grow(&w->q, &w->row_capacity, rows, sizeof *w->q));
    ZN_TRY(zn_grow(&w->list.mu, &same[1], contacts + 1, sizeof *w->list.mu));
    return zn_grow(&w->list.first, &w->contact_capacity, contacts + 1, sizeof *w->list.first);
}

static int count_rows(const zn_pile_split *s, const zn_row_list *all)
{
    int rows = 0;
    for (int k = 0; k < s->local; k++)
        rows += all->first[s->contact[k] + 1] - all->first[s->contact[k]];
    return rows;
}

// Rows of local contacts.
static zn_status take_list(zn_pile_sweeps *w, const zn_row_list *all)
{
    const zn_pile_split *s = &w->split;
    zn_row_list         *list = &w->list;
    ZN_TRY(reserve_list(w, s->local, count_rows(s, all)));
    list->rows = list->equations = 0;
    list->contacts = s->local;
    list->friction = all->friction;
    for (int k = 0; k < s->local; k++) {
        int c = s->contact[k];
        list->first[k] = list->rows;
        list->mu[k] = all->mu[c];
        for (int i = all->first[c]; i < all->first[c + 1]; i++)
            list->row[list->rows++] = all->row[i];
    }
    list->first[s->local] = list->rows;
    return ZN_OK;
}

// Vectors, which live as long as the blocks.
static bool take_vectors(zn_pile_sweeps *w, int all_rows)
{
    int rows = w->list.rows, own = w->list.first[w->split.own], sent = 3 * w->split.sends;
    w->r = ZN_FC_TAKE(w->memory, double, rows);
    w->trial = ZN_FC_TAKE(w->memory, double, rows);
    w->u = ZN_FC_TAKE(w->memory, double, own);
    w->best = ZN_FC_TAKE(w->memory, double, 2 * (size_t)own);
    w->history = ZN_FC_TAKE(w->memory, double, ZN_ANDERSON_VECTORS *(size_t)rows);
    w->miss = ZN_FC_TAKE(w->memory, double, w->split.own);
    w->rests = ZN_FC_TAKE(w->memory, bool, w->split.own);
    w->sending = ZN_FC_TAKE(w->memory, double, sent);
    return w->r && w->trial && w->u && w->best && w->history && w->miss && w->rests && w->sending &&
           zn_grow(&w->all, &w->all_capacity, 2 * all_rows, sizeof *w->all) == ZN_OK;
}

static void take_right(zn_pile_sweeps *w, const zn_pile_task *task)
{
    const zn_pile_split *s = &w->split;
    for (int k = 0; k < s->local; k++)
        for (int i = 0; i < w->list.first[k + 1] - w->list.first[k]; i++)
            w->q[w->list.first[k] + i] = k < s->own ? task->b[task->list->first[s->contact[k]] + i] : 0;
}

// The blocks of own contacts; ghosts are blocks without rows of W, and scaled by 1.
static zn_status make_blocks(zn_pile_sweeps *w, const zn_pile_task *task)
{
    zn_row_list  *list = &w->list;
    zn_fc_problem local = {.n = list->rows,
                           .contacts = list->contacts,
                           .first = list->first,
                           .q = w->q,
                           .mu = list->mu,
                           .sparse = &w->blocks.W};
    ZN_TRY(zn_node_blocks_lend(task->blocks, &w->blocks));
    ZN_TRY(zn_node_blocks_assemble_first(&w->blocks, task->G, task->G, list, w->split.own));
    ZN_TRY(zn_fc_begin(w->memory));
    if (!take_vectors(w, task->list->rows))
        return ZN_ERR_MEMORY;
    if (list->rows > 0)
        ZN_TRY(zn_fc_blocks_create(&local, w->memory, &w->b));
    w->p = local;
    w->p.n = list->first[w->split.own];
    w->p.contacts = w->split.own;
    return ZN_OK;
}

// Room in `all`: reactions of own rows, then their velocities.
static void place_answers(zn_pile_sweeps *w, const zn_row_list *all)
{
    const zn_pile_split *s = &w->split;
    for (int r = 0, place = 0; r < s->ranks; place += w->count[r++]) {
        w->count[r] = 0;
        w->place[r] = place;
        for (int k = s->begin[r]; k < s->begin[r + 1]; k++)
            w->count[r] += 2 * (all->first[s->order[k] + 1] - all->first[s->order[k]]);
    }
}

static zn_status divide(zn_pile_sweeps *w, const zn_pile_task *task)
{
    zn_status status = zn_pile_split_make(&w->split, task);
    if (status == ZN_ERR_UNSUPPORTED)
        return zn_fail(&task->sys->model->log, status, "a contact moves more than two bodies: use one process");
    ZN_TRY(status);
    ZN_TRY(take_list(w, task->list));
    take_right(w, task);
    place_answers(w, task->list);
    w->world->times.elements = w->split.own;
    w->world->times.shared = w->split.local - w->split.inner;
    return make_blocks(w, task);
}

// The same rows with another right-hand side.
static void change_right(zn_pile_sweeps *w, const zn_pile_task *task)
{
    take_right(w, task);
    for (int c = 0; c < w->split.own; c++)
        for (int i = w->b.first[c]; i < w->b.first[c + 1]; i++)
            w->b.q[i] = w->q[i] * w->b.scale[c];
}

static double scale_of(const zn_pile_sweeps *w, int k) { return k < w->split.own ? w->b.scale[k] : 1; }

static void take_start(zn_pile_sweeps *w, const zn_pile_task *task)
{
    const zn_pile_split *s = &w->split;
    for (int k = 0; k < s->local; k++)
        for (int i = 0; i < w->list.first[k + 1] - w->list.first[k]; i++) {
            double z = task->z[task->list->first[s->contact[k]] + i];
            w->r[w->list.first[k] + i] = isfinite(z) ? z / scale_of(w, k) : 0;
        }
}

// --- messages ------------------------------------------------------------------------------------

// Reactions of local contacts [from, to) of `sent`; where they end.
static double *pack(const zn_pile_sweeps *w, int from, int to, double *out)
{
    for (int i = from; i < to; i++) {
        int k = w->split.sent[i];
        for (int row = w->list.first[k]; row < w->list.first[k + 1]; row++)
            *out++ = w->r[row] * w->b.scale[k];
    }
    return out;
}

// Inner contacts of all (`colour` < 0), or those on borders of one colour.
static void exchange(zn_pile_sweeps *w, int colour)
{
    zn_clock             start = zn_clock_now();
    const zn_pile_split *s = &w->split;
    const int           *first = w->list.first;
    int                  requests = 0;
    double              *out = w->sending;
    for (int i = 0; i < s->neighbours; i++) {
        const zn_pile_neighbour *n = &s->neighbour[i];
        int from = colour < 0 ? n->take : n->take_inner, to = colour < 0 ? n->take_inner : n->take_end;
        if (from < to && (colour < 0 || n->colour == colour))
            MPI_Irecv(w->r + first[from], first[to] - first[from], MPI_DOUBLE, n->rank, TAG, w->world->comm,
                      &w->request[requests++]);
    }
    for (int i = 0; i < s->neighbours; i++) {
        const zn_pile_neighbour *n = &s->neighbour[i];
        int from = colour < 0 ? n->send : n->send_inner, to = colour < 0 ? n->send_inner : n->send_end;
        if (from == to || (colour >= 0 && s->colour[s->rank] != colour))
            continue;
        double *end = pack(w, from, to, out);
        MPI_Isend(out, (int)(end - out), MPI_DOUBLE, n->rank, TAG, w->world->comm, &w->request[requests++]);
        out = end;
    }
    MPI_Waitall(requests, w->request, MPI_STATUSES_IGNORE);
    zn_clock_stop(w->world, start, &w->world->times.halo);
}

// --- sweeps --------------------------------------------------------------------------------------

typedef void sweep_some(zn_pile_sweeps *w, int from, int to, zn_fc_swept *sums);

static void sweep_all(zn_pile_sweeps *w, sweep_some *some, zn_fc_swept *sums)
{
    const zn_pile_split *s = &w->split;
    some(w, 0, s->inner, sums);
    exchange(w, -1);
    for (int colour = 0; colour < s->colours; colour++) {
        if (s->colour[s->rank] == colour)
            some(w, s->inner, s->own, sums);
        exchange(w, colour);
    }
}

static void sweep_plainly(zn_pile_sweeps *w, int from, int to, zn_fc_swept *sums)
{
    zn_fc_sweep_some(&w->b, from, to, w->r, sums);
}

// One sweep, and its products for the acceleration: numbers of all. Returns the estimate of the measure.
static double sweep(zn_pile_sweeps *w, sweep_some *some, zn_fc_measure measure, zn_anderson *h, double *terms)
{
    zn_fc_swept sums = {0};
    double      own[ZN_ANDERSON_TERMS + 4];
    int         count = ZN_ANDERSON_TERMS;
    zn_anderson_leave(h, w->r);
    sweep_all(w, some, &sums);
    zn_anderson_take(h, w->p.n, w->r, own);
    own[count] = sums.squares;
    own[count + 1] = sums.reactions;
    own[count + 2] = sums.stuck;
    own[count + 3] = sums.largest;
    const double *told = tell(w, count + 4, own);
    sums = (zn_fc_swept){0};
    memset(terms, 0, sizeof *terms * ZN_ANDERSON_TERMS);
    for (int r = 0; r < w->world->size; r++, told += count + 4) {
        for (int k = 0; k < count; k++)
            terms[k] += told[k];
        sums.squares += told[count];
        sums.reactions += told[count + 1];
        sums.largest = fmax(sums.largest, told[count + 3]);
    }
    return zn_fc_sweep_estimate(measure, w->q_norm, &sums);
}

// --- the judge -----------------------------------------------------------------------------------

static zn_fc_verdict judge(zn_pile_sweeps *w, zn_fc_measure measure)
{
    zn_fc_terms all = {0}, own = {0};
    enum { TERMS = sizeof own / sizeof(double) };
    double numbers[TERMS];
    if (w->p.n > 0)
        zn_fc_judge_terms(&w->p, w->trial, w->u, &own);
    memcpy(numbers, &own, sizeof own);
    const double *told = tell(w, TERMS, numbers);
    for (int r = 0; r < w->world->size; r++) {
        memcpy(&own, told + r * TERMS, sizeof own);
        zn_fc_add_terms(&own, &all);
    }
    w->q_norm = sqrt(all.q);
    return zn_fc_judge_all(measure, &all);
}

// The measure of r, in the caller's units in `trial`; the best is kept.
static double look(zn_pile_sweeps *w, zn_fc_measure measure)
{
    for (int k = 0; k < w->split.local; k++)
        for (int i = w->list.first[k]; i < w->list.first[k + 1]; i++)
            w->trial[i] = w->r[i] * scale_of(w, k);
    zn_fc_verdict verdict = judge(w, measure);
    if (verdict.asked < w->best_measure) {
        w->best_measure = verdict.asked;
        w->best_natural = verdict.natural;
        memcpy(w->best, w->trial, sizeof *w->best * (size_t)w->p.n);
        memcpy(w->best + w->p.n, w->u, sizeof *w->u * (size_t)w->p.n);
    }
    return verdict.asked;
}

// The best, brought back into the cones unless that does harm. (Of ghosts their owners do the same.)
static void clean(zn_pile_sweeps *w, const zn_pile_task *task)
{
    zn_fc_problem local = w->p;
    local.n = w->list.rows;
    local.contacts = w->list.contacts;
    zn_fc_clean(&local, w->trial);
    zn_fc_verdict verdict = judge(w, task->measure);
    if (!(verdict.asked <= task->tolerance))
        return;
    w->best_measure = verdict.asked;
    w->best_natural = verdict.natural;
    memcpy(w->best, w->trial, sizeof *w->best * (size_t)w->p.n);
    memcpy(w->best + w->p.n, w->u, sizeof *w->u * (size_t)w->p.n);
}

// --- contacts at rest, as friction_settle.c has them ----------------------------------------------

enum { REST_SWEEPS = 8 };
static const double finer = 1e-3, slow = 10, most_rest = 0.8;

// Do most of them rest? By how much these may miss their law together.
static bool find_rest(zn_pile_sweeps *w, double tolerance, double seen, double *goal)
{
    double sums[2] = {0, w->split.own}, own;
    for (int c = 0; c < w->split.own; c++) {
        int first = w->list.first[c];
        w->miss[c] = zn_fc_natural_map(w->list.first[c + 1] - first, w->list.mu[c], 1, w->trial + first, w->u + first);
        sums[0] += w->miss[c] * w->miss[c];
    }
    add_up(w, 2, sums);
    own = 0;
    for (int c = 0; c < w->split.own; c++) {
        double motion = 0;
        for (int i = w->list.first[c]; i < w->list.first[c + 1]; i++)
            motion += w->u[i] * w->u[i];
        motion = sqrt(motion);
        w->rests[c] = motion <= slow * w->miss[c] || motion <= 2 * sqrt(sums[0] / sums[1]);
        own += w->rests[c];
    }
    *goal = finer * tolerance * sqrt(sums[0]) / seen;
    add_up(w, 1, &own);
    return own > most_rest * sums[1];
}

// `squares` of the changes of contacts at rest.
static void sweep_at_rest(zn_pile_sweeps *w, int from, int to, zn_fc_swept *sums)
{
    for (int c = from; c < to; c++) {
        zn_fc_swept own = {0};
        double      before[3], change = 0, *r = w->r + w->b.first[c];
        int         rows = zn_fc_block_rows(&w->b, c);
        memcpy(before, r, sizeof *r * (size_t)rows);
        zn_fc_sweep_some(&w->b, c, c + 1, w->r, &own);
        for (int i = 0; i < rows; i++)
            change += (r[i] - before[i]) * (r[i] - before[i]);
        if (w->rests[c])
            sums->squares += change / (w->b.scale[c] * w->b.scale[c]);
    }
}

// The measure of r, which is in `trial` with its u, meets the tolerance: contacts at rest are held better than that.
// False: they are not, and the best stays what it was.
static bool settle(zn_pile_sweeps *w, zn_pile_task *task)
{
    double      goal, terms[ZN_ANDERSON_TERMS], seen = w->best_measure;
    zn_anderson h;
    if (!(seen > 0) || task->tolerance < coarse || !find_rest(w, task->tolerance, seen, &goal))
        return true;
    zn_anderson_begin(w->list.rows, w->history, &h);
    w->q_norm = 1; // the estimate is then of changes themselves
    for (int step = 1; step <= REST_SWEEPS; step++) {
        task->iterations++;
        double went = sweep(w, sweep_at_rest, ZN_FC_MEASURE_FCLIB, &h, terms);
        if (went <= goal || step == REST_SWEEPS)
            break;
        zn_anderson_use(&h, terms, w->r);
    }
    w->best_measure = task->tolerance * (1 + DBL_EPSILON); // what is as good is taken
    bool held = look(w, task->measure) <= task->tolerance;
    w->best_measure = held ? w->best_measure : seen;
    return held;
}

// --- all of it -----------------------------------------------------------------------------------

// The multiple of the warm start for which r'Wr/2 + q'r is least, but not more than twice of it: see
// friction_anderson.c. After a look.
static void scale_start(zn_pile_sweeps *w, double seen, double tolerance)
{
    const double near = 1e-3;
    double       sums[2] = {0, 0};
    for (int i = 0; i < w->p.n; i++) {
        sums[0] += w->trial[i] * (w->u[i] - w->q[i]);
        sums[1] += w->trial[i] * w->q[i];
    }
    add_up(w, 2, sums);
    double factor = -sums[1] / sums[0];
    if (!(sums[0] > 0) || !isfinite(factor) || (seen < near && tolerance < coarse))
        return;
    factor = fmin(fmax(factor, 0), 2);
    for (int i = 0; i < w->list.rows; i++)
        w->r[i] *= factor;
}

static zn_status run(zn_pile_sweeps *w, zn_pile_task *task, double seen)
{
    double      last = INFINITY, ratio = 1, terms[ZN_ANDERSON_TERMS]; // ratio: of the measure to its estimate
    int         next_look = 4, stays = 0;
    zn_anderson h;
    zn_anderson_begin(w->list.rows, w->history, &h);
    scale_start(w, seen, task->tolerance);
    for (int step = 1; step <= task->most; step++) {
        task->iterations++;
        double estimate = sweep(w, sweep_plainly, task->measure, &h, terms);
        if (step >= next_look || step == task->most || ratio * estimate <= task->tolerance) {
            double measure = look(w, task->measure);
            if (measure <= task->tolerance)
                return ZN_OK;
            ratio = estimate > 0 ? measure / estimate : 1;
            stays = measure > 0.9 * last ? stays + (step >= next_look) : 0;
            last = fmin(measure, last);
            if (!isfinite(measure) || (stays >= 8 && step >= 64))
                break;
            next_look = step + step / 4 + 4;
        }
        if (step < task->most)
            zn_anderson_use(&h, terms, w->r);
    }
    return ZN_NOT_CONVERGED;
}

// The best of all to all.
static void gather(zn_pile_sweeps *w, zn_pile_task *task)
{
    const zn_pile_split *s = &w->split;
    zn_clock             start = zn_clock_now();
    MPI_Allgatherv(w->best, 2 * w->p.n, MPI_DOUBLE, w->all, w->count, w->place, MPI_DOUBLE, w->world->comm);
    zn_clock_stop(w->world, start, &w->world->times.halo);
    for (int r = 0; r < s->ranks; r++) {
        const double *z = w->all + w->place[r], *u = z + w->count[r] / 2;
        for (int k = s->begin[r]; k < s->begin[r + 1]; k++)
            for (int i = task->list->first[s->order[k]]; i < task->list->first[s->order[k] + 1]; i++) {
                task->z[i] = *z++;
                task->u[i] = *u++;
            }
    }
    task->residual = w->best_natural;
}

// --- one problem for all -------------------------------------------------------------------------

static void mix_in(const void *data, size_t bytes, uint64_t *sum)
{
    const unsigned char *at = data;
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        *sum = (*sum ^ word) * 0x9e3779b97f4a7c15u;
        *sum ^= *sum >> 29;
    }
}

// Do all processes hold the same one? They would wait for each other, or agree on nonsense.
static bool is_one(zn_pile_sweeps *w, const zn_pile_task *task)
{
    uint64_t sum = (uint64_t)task->list->rows * 31 + (uint64_t)task->list->contacts + task->same;
    mix_in(task->q, sizeof *task->q * (size_t)task->sys->info.nq, &sum);
    mix_in(task->b, sizeof *task->b * (size_t)task->list->rows, &sum);
    mix_in(task->z, sizeof *task->z * (size_t)task->list->rows, &sum);
    double        own[2] = {(double)(sum >> 32), (double)(sum & 0xffffffffu)};
    const double *told = tell(w, 2, own);
    for (int r = 1; r < w->world->size; r++)
        if (told[2 * r] != told[0] || told[2 * r + 1] != told[1])
            return false;
    return true;
}

zn_status zn_pile_sweeps_solve(zn_pile_sweeps *w, zn_pile_task *task)
{
    const zn_log *log = &task->sys->model->log;
    zn_status     status = ZN_OK;
    if (!is_one(w, task))
        return zn_fail(
            log, ZN_ERR_ARGUMENT,
            "processes that began alike have come to different states: their processors or libraries differ");
    if (!task->same)
        status = zn_world_agree(w->world, divide(w, task));
    else
        change_right(w, task);
    if (status != ZN_OK)
        return status;
    take_start(w, task);
    w->b.near = task->tolerance >= coarse ? roughly : ZN_FC_EXACTLY;
    w->best_measure = w->best_natural = INFINITY;
    double seen = look(w, task->measure);
    if (!(task->settled > 0 && seen <= task->settled)) {
        status = run(w, task, seen);
        if (status == ZN_OK && settle(w, task))
            clean(w, task);
    }
    if (status == ZN_NOT_CONVERGED && w->best_measure <= task->enough)
        status = ZN_OK;
    if (status == ZN_OK)
        gather(w, task);
    return status;
}
