// Contact problems without columns. See splitting.h.
#include "constraint/splitting.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/linsolver.h"
#include "math/sparse_find.h"
#include "solve/friction.h"
#include "system/system.h"

static const double first_part = 0.3; // of 1/d: on solid meshes within a factor of three of the best

// --- life ----------------------------------------------------------------------------------------

zn_status zn_splitting_create(const zn_system *sys, const char *linear_solver, const zn_near_null *near,
                              zn_splitting **out)
{
    zn_splitting *s = ZN_NEW(zn_splitting, 1);
    if (!s)
        return ZN_ERR_MEMORY;
    *s = (zn_splitting){.sys = sys,
                        .linear_solver = linear_solver,
                        .near = near,
                        .x = ZN_NEW(double, sys->info.n),
                        .right = ZN_NEW(double, sys->info.n),
                        .dx = ZN_NEW(double, sys->info.n),
                        .diagonal = ZN_NEW(double, sys->info.n_all)};
    *out = s;
    return s->x && s->right && s->dx && s->diagonal ? ZN_OK : ZN_ERR_MEMORY;
}

static void release_rows(zn_splitting *s)
{
    double *const vectors[] = {s->size, s->b,      s->v,     s->z,           s->w,   s->next,
                               s->kept, s->change, s->basis, s->listed_size, s->best};
    for (size_t i = 0; i < ZN_COUNT(vectors); i++)
        free(vectors[i]);
    free(s->row_start);
    free(s->row_dof);
    free(s->row_value);
    free(s->cell);
    s->row_start = NULL;
    s->row_room = s->rows = s->entries = 0;
}

zn_splitting *zn_splitting_destroy(zn_splitting *s)
{
    if (!s)
        return NULL;
    release_rows(s);
    zn_operator_destroy(&s->shifted);
    zn_sparse_destroy(s->sum);
    free(s->x);
    free(s->right);
    free(s->dx);
    free(s->diagonal);
    free(s);
    return NULL;
}

zn_status zn_splitting_reserve(zn_splitting *s, int contacts)
{
    int rows = contacts * s->sys->contact_rows, entries = rows * s->sys->max_entries;
    if (s->row_start && rows <= s->row_room) // where other parts have contacts, room for none is needed, too
        return ZN_OK;
    release_rows(s);
    double **const vectors[] = {&s->size, &s->b,    &s->v,      &s->z,           &s->w,
                                &s->next, &s->kept, &s->change, &s->listed_size, &s->best};
    bool           there = true;
    for (size_t i = 0; i < ZN_COUNT(vectors); i++)
        there = (*vectors[i] = ZN_NEW(double, rows)) != NULL && there;
    s->basis = ZN_NEW(double, (size_t)rows *(ZN_SPLITTING_KRYLOV + 1));
    s->row_start = ZN_NEW(int, rows + 1);
    s->row_dof = ZN_NEW(int, entries);
    s->row_value = ZN_NEW(double, entries);
    s->cell = ZN_NEW(zn_splitting_cell, rows);
    s->row_room = rows;
    s->entry_room = entries;
    zn_splitting_invalidate(s);
    return there && s->basis && s->row_start && s->row_dof && s->row_value && s->cell ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_splitting_invalidate(zn_splitting *s) { s->prepared = false; }

void zn_splitting_forget(zn_splitting *s)
{
    s->prepared = false;
    zn_linsolver_forget(s->shifted.solver);
}

void zn_splitting_add_work(const zn_splitting *s, zn_linsolver_info *sum)
{
    const zn_linsolver_info own = s->shifted.solver ? zn_linsolver_get_info(s->shifted.solver) : (zn_linsolver_info){0};
    sum->factorizations += own.factorizations + s->done.factorizations;
    sum->refactorizations += own.refactorizations + s->done.refactorizations;
    sum->solves += own.solves + s->done.solves;
}

// --- pattern -------------------------------------------------------------------------------------

typedef struct place {
    int column, row;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *p = a, *q = b;
    return p->column != q->column ? (p->column > q->column) - (p->column < q->column)
                                  : (p->row > q->row) - (p->row < q->row);
}

// Pairs of degrees of freedom of rows of the set that A has no entry for; `out` NULL: counted only.
static size_t list_missing(const zn_sparse *A, const zn_contact_set *set, place *out)
{
    size_t count = 0;
    for (int k = 0; k < set->count * set->stride; k++)
        for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++)
            for (int f = set->row_start[k]; f < set->row_start[k + 1]; f++) {
                int i = set->row_dof[e], j = set->row_dof[f];
                if (i >= A->n || j >= A->n || zn_sparse_find(A, i, j) >= 0)
                    continue;
                if (out)
                    out[count] = (place){j, i};
                count++;
            }
    return count;
}

// Room for A and `count` more entries, sorted.
static zn_status merge_pattern(const zn_sparse *A, size_t count, const place *more, zn_sparse **out)
{
    size_t     entries = (size_t)A->start[A->n] + count;
    zn_sparse *sum = ZN_NEW(zn_sparse, 1);
    if (!sum)
        return ZN_ERR_MEMORY;
    *out = sum;
    *sum = (zn_sparse){A->n, ZN_NEW(int, A->n + 1), ZN_NEW(int, entries), ZN_NEW(double, entries)};
    if (!sum->start || !sum->row || !sum->value)
        return ZN_ERR_MEMORY;
    size_t next = 0;
    for (int j = 0, e = 0; j < A->n; j++) {
        for (int k = A->start[j]; k < A->start[j + 1] || (next < count && more[next].column == j);) {
            bool extra = next < count && more[next].column == j && (k == A->start[j + 1] || more[next].row < A->row[k]);
            sum->row[e++] = extra ? more[next++].row : A->row[k++];
        }
        sum->start[j + 1] = e;
    }
    return ZN_OK;
}

// Of A and of all rows of the set; each pair once.
static zn_status build_pattern(zn_splitting *s, const zn_sparse *A, const zn_contact_set *set)
{
    size_t            count = list_missing(A, set, NULL), kept = 0;
    place            *more = ZN_NEW(place, count);
    zn_linsolver_info done = {0};
    zn_splitting_add_work(s, &done);
    s->done = done;
    zn_operator_destroy(&s->shifted);
    s->sum = zn_sparse_destroy(s->sum);
    if (more) {
        list_missing(A, set, more);
        if (count > 0)
            qsort(more, count, sizeof *more, compare_places);
        for (size_t i = 0; i < count; i++)
            if (kept == 0 || compare_places(&more[i], &more[kept - 1]) != 0)
                more[kept++] = more[i];
    }
    zn_status status = zn_system_agree(s->sys, more ? merge_pattern(A, kept, more, &s->sum) : ZN_ERR_MEMORY);
    free(more);
    if (status == ZN_OK)
        status = zn_system_linsolver(s->sys, s->sum, s->linear_solver, s->near, &s->shifted.solver);
    s->shifted.matrix = s->sum;
    return status;
}

// --- matrix --------------------------------------------------------------------------------------

// Are these the rows that the matrix has; or at least their degrees of freedom?
static bool same_rows(const zn_splitting *s, const zn_contact_set *set, bool values)
{
    int rows = set->count * set->stride, entries = set->row_start[rows];
    if (!s->sum || s->rows != rows || s->entries != entries ||
        memcmp(s->row_start, set->row_start, sizeof(int) * (size_t)(rows + 1)) != 0)
        return false;
    if (entries == 0)
        return true;
    return memcmp(s->row_dof, set->row_dof, sizeof(int) * (size_t)entries) == 0 &&
           (!values || memcmp(s->row_value, set->row_value, sizeof(double) * (size_t)entries) == 0);
}

static void keep_rows(zn_splitting *s, const zn_contact_set *set)
{
    s->rows = set->count * set->stride;
    s->entries = set->row_start[s->rows];
    ZN_ASSERT(s->rows <= s->row_room && s->entries <= s->entry_room);
    memcpy(s->row_start, set->row_start, sizeof(int) * (size_t)(s->rows + 1));
    if (s->entries > 0) {
        memcpy(s->row_dof, set->row_dof, sizeof(int) * (size_t)s->entries);
        memcpy(s->row_value, set->row_value, sizeof(double) * (size_t)s->entries);
    }
}

// Guess of the diagonal of W from that of A; the mean over the rows of a contact.
static zn_status measure_rows(zn_splitting *s, const zn_sparse *A, const zn_contact_set *set)
{
    memset(s->diagonal, 0, sizeof *s->diagonal * (size_t)s->sys->info.n_all);
    for (int i = 0; i < A->n; i++) {
        int entry = zn_sparse_find(A, i, i); // none of a node whose elements other parts have
        s->diagonal[i] = entry >= 0 ? A->value[entry] : 0;
    }
    ZN_TRY(zn_system_assemble(s->sys, ZN_OK, s->diagonal));
    for (int i = 0; i < set->count; i++) {
        double sum = 0;
        int    rows = zn_contact_row_count(set, i), first = i * set->stride;
        for (int e = set->row_start[first]; e < set->row_start[first + rows]; e++)
            if (set->row_dof[e] < A->n)
                sum += set->row_value[e] * set->row_value[e] / s->diagonal[set->row_dof[e]];
        for (int r = 0; r < set->stride; r++)
            s->size[first + r] = sum > 0 ? sum / rows : 1;
    }
    return ZN_OK;
}

static zn_status prepare(zn_splitting *s, const zn_sparse *A, double part)
{
    const zn_rows G = {s->row_start, s->row_dof, s->row_value};
    s->part = part;
    s->prepared = false;
    memset(s->sum->value, 0, sizeof(double) * (size_t)s->sum->start[s->sum->n]);
    for (int j = 0; j < A->n; j++)
        for (int k = A->start[j], p = s->sum->start[j]; k < A->start[j + 1]; k++) {
            while (s->sum->row[p] < A->row[k])
                p++;
            s->sum->value[p] = A->value[k];
        }
    for (int k = 0; k < s->rows; k++)
        for (int e = G.start[k]; e < G.start[k + 1]; e++)
            for (int f = G.start[k]; f < G.start[k + 1]; f++)
                if (G.dof[e] < A->n && G.dof[f] < A->n)
                    s->sum->value[zn_sparse_find(s->sum, G.dof[e], G.dof[f])] +=
                        zn_splitting_weight(s, k) * G.value[e] * G.value[f];
    ZN_TRY(zn_operator_prepare(&s->shifted));
    s->prepared = true;
    return ZN_OK;
}

// --- the problem ---------------------------------------------------------------------------------

// What of the set is in the problem, and what is not.
static void list_cells(zn_splitting *s, const zn_contact_set *set)
{
    const zn_row_list *list = s->list;
    double            *seen = s->next;
    memset(seen, 0, sizeof *seen * (size_t)s->rows);
    s->cells = 0;
    for (int k = 0; k < list->equations; k++)
        s->cell[s->cells++] = (zn_splitting_cell){list->row[k], 1, -1, false};
    for (int c = 0; c < list->contacts; c++) {
        int first = list->first[c], rows = list->first[c + 1] - first;
        s->cell[s->cells++] = (zn_splitting_cell){list->row[first], rows, list->mu[c], false};
    }
    for (int k = 0; k < list->rows; k++) {
        seen[list->row[k]] = 1;
        s->listed_size[k] = s->size[list->row[k]];
    }
    for (int k = 0; k < s->rows; k++)
        if (seen[k] == 0 && !zn_row_is_empty(set, k))
            s->cell[s->cells++] = (zn_splitting_cell){k, 1, 0, true};
}

zn_status zn_splitting_assemble(zn_splitting *s, const zn_sparse *A, const zn_contact_set *set, zn_rows G,
                                const zn_row_list *list)
{
    ZN_ASSERT(G.value == set->row_value && !list->follow && !list->bonds);
    if (zn_system_max(s->sys, !same_rows(s, set, false)) > 0) {
        s->prepared = false;
        keep_rows(s, set);
        ZN_TRY(build_pattern(s, A, set));
    }
    if (zn_system_max(s->sys, !s->prepared || !same_rows(s, set, true)) > 0) {
        s->prepared = false;
        keep_rows(s, set);
        ZN_TRY(measure_rows(s, A, set));
    }
    s->G = (zn_rows){s->row_start, s->row_dof, s->row_value};
    s->list = list;
    list_cells(s, set);
    return ZN_OK;
}

// --- one step ------------------------------------------------------------------------------------

static double slip_of(const zn_splitting_cell *c, const double *w)
{
    return c->rows < 2 ? 0 : c->rows == 2 ? fabs(w[c->row + 1]) : hypot(w[c->row + 1], w[c->row + 2]);
}

// z and w of v, and s of each cell on its normal.
static void project(zn_splitting *s, const zn_splitting_cell *c)
{
    double R = zn_splitting_weight(s, c->row);
    if (c->absent)
        s->z[c->row] = 0;
    else
        zn_fc_project(c->rows, c->mu, s->v + c->row, s->z + c->row);
    for (int k = c->row; k < c->row + c->rows; k++)
        s->w[k] = (s->z[k] - s->v[k]) / R;
}

static double shift_of(const zn_splitting *s, const zn_splitting_cell *c)
{
    return c->mu > 0 ? c->mu * slip_of(c, s->w) : 0;
}

zn_status zn_splitting_map(zn_splitting *s, double tolerance)
{
    int n = s->sys->info.n;
    memset(s->right, 0, sizeof *s->right * (size_t)n);
    for (int i = 0; i < s->cells; i++) {
        const zn_splitting_cell *c = &s->cell[i];
        project(s, c);
        double shift = shift_of(s, c), R = zn_splitting_weight(s, c->row);
        for (int k = c->row; k < c->row + c->rows; k++)
            zn_rows_add(s->G, k, n, s->z[k] + R * (s->w[k] - s->b[k] - (k == c->row ? shift : 0)), s->right);
    }
    ZN_TRY(zn_operator_solve(&s->shifted, s->right, tolerance, s->x));
    for (int i = 0; i < s->cells; i++) {
        const zn_splitting_cell *c = &s->cell[i];
        double                   shift = shift_of(s, c), R = zn_splitting_weight(s, c->row);
        for (int k = c->row; k < c->row + c->rows; k++) {
            double u = zn_rows_dot(s->G, k, n, s->x) + s->b[k] + (k == c->row ? shift : 0);
            s->next[k] = s->z[k] - R * (ZN_SPLITTING_RELAXATION * u + (1 - ZN_SPLITTING_RELAXATION) * s->w[k]);
        }
    }
    return ZN_OK;
}

double zn_splitting_norm(const zn_splitting *s, const double *v)
{
    double sum = 0;
    for (int i = 0; i < s->cells; i++)
        for (int k = s->cell[i].row; k < s->cell[i].row + s->cell[i].rows; k++)
            sum += v[k] * v[k] / zn_splitting_weight(s, k);
    return sqrt(zn_system_sum(s->sys, sum));
}

double zn_splitting_rest(const zn_splitting *s)
{
    double sum = 0;
    for (int i = 0; i < s->cells; i++)
        for (int k = s->cell[i].row; k < s->cell[i].row + s->cell[i].rows; k++)
            sum += (s->next[k] - s->v[k]) * (s->next[k] - s->v[k]) / zn_splitting_weight(s, k);
    return sqrt(zn_system_sum(s->sys, sum));
}

// --- judging -------------------------------------------------------------------------------------

// By the judge, of the contacts of all parts.
static double judge_all(const zn_splitting *s, const zn_splitting_task *task)
{
    zn_fc_weights v = zn_fc_weigh_velocities(&task->problem, s->listed_size, task->z, task->u);
    double        of_all[4] = {v.worst, v.scale, v.data, v.total};
    zn_system_maxima(s->sys, of_all, 4);
    return zn_fc_judge_weights(&(zn_fc_weights){of_all[0], of_all[1], of_all[2], of_all[3]});
}

// Of z and x as they are, x being that of A + G'RG.
static double estimate(zn_splitting *s, zn_splitting_task *task)
{
    int n = s->sys->info.n;
    for (int k = 0; k < s->list->rows; k++) {
        int row = s->list->row[k];
        task->z[k] = s->z[row];
        task->u[k] = zn_rows_dot(s->G, row, n, s->x) + task->problem.q[k];
    }
    return judge_all(s, task);
}

// Of task->z, with A x = G'z.
static zn_status judge(zn_splitting *s, zn_splitting_task *task)
{
    const double exact = 1e-16; // as exact as it can be
    int          n = s->sys->info.n;
    memset(s->right, 0, sizeof *s->right * (size_t)n);
    for (int k = 0; k < s->list->rows; k++)
        zn_rows_add(s->G, s->list->row[k], n, task->z[k], s->right);
    ZN_TRY(zn_operator_solve(task->A, s->right, exact, s->x));
    for (int k = 0; k < s->list->rows; k++)
        task->u[k] = zn_rows_dot(s->G, s->list->row[k], n, s->x) + task->problem.q[k];
    task->residual = judge_all(s, task);
    return ZN_OK;
}

// --- iteration -----------------------------------------------------------------------------------

// v of the impulses and velocities of the task.
static void begin(zn_splitting *s, const zn_splitting_task *task)
{
    memset(s->v, 0, sizeof *s->v * (size_t)s->rows);
    memset(s->b, 0, sizeof *s->b * (size_t)s->rows);
    memset(s->w, 0, sizeof *s->w * (size_t)s->rows);
    for (int k = 0; k < s->list->rows; k++) {
        s->b[s->list->row[k]] = task->problem.q[k];
        s->w[s->list->row[k]] = task->u[k];
        s->z[s->list->row[k]] = task->z[k];
    }
    for (int i = 0; i < s->cells; i++) {
        const zn_splitting_cell *c = &s->cell[i];
        double                   shift = shift_of(s, c);
        for (int k = c->row; k < c->row + c->rows; k++)
            s->v[k] = c->absent ? -zn_splitting_weight(s, k) * zn_rows_dot(s->G, k, s->sys->info.n, s->x)
                                : s->z[k] - zn_splitting_weight(s, k) * (s->w[k] + (k == c->row ? shift : 0));
    }
}

// With another R: z and w stay.
static zn_status change_part(zn_splitting *s, const zn_sparse *A, double part)
{
    ZN_TRY(prepare(s, A, part));
    for (int i = 0; i < s->cells; i++)
        for (int k = s->cell[i].row; k < s->cell[i].row + s->cell[i].rows; k++)
            s->v[k] = s->z[k] - zn_splitting_weight(s, k) * s->w[k];
    return ZN_OK;
}

// Open, sticking, sliding: the region of v.
static int region(const zn_splitting *s, const zn_splitting_cell *c)
{
    const double *v = s->v + c->row;
    if (c->absent || c->mu < 0)
        return 0;
    double length = slip_of(c, s->v);
    return v[0] >= 0 && length <= c->mu * v[0] ? 1 : c->mu * length <= -v[0] ? 2 : 3;
}

static uint64_t regions(const zn_splitting *s)
{
    uint64_t hash = UINT64_C(1469598103934665603);
    for (int i = 0; i < s->cells; i++)
        hash = (hash ^ (uint64_t)region(s, &s->cell[i])) * UINT64_C(1099511628211);
    return hash;
}

// sqrt of |G x + b + s - w| over |w - w of the step before|.
static double imbalance(const zn_splitting *s)
{
    double primal = 0, dual = 0;
    for (int i = 0; i < s->cells; i++) {
        const zn_splitting_cell *c = &s->cell[i];
        double                   shift = shift_of(s, c);
        for (int k = c->row; k < c->row + c->rows; k++) {
            double R = zn_splitting_weight(s, k), u = zn_rows_dot(s->G, k, s->sys->info.n, s->x) + s->b[k];
            double p = u + (k == c->row ? shift : 0) - s->w[k], d = s->w[k] - s->kept[k];
            primal += R * p * p;
            dual += R * d * d;
        }
    }
    double both[2] = {primal, dual};
    zn_system_sums(s->sys, both, 2);
    return sqrt(sqrt(both[0] / fmax(both[1], 1e-300)));
}

typedef struct course {
    int      step, looks, same, wait, next_change;
    double   size, rest, inner, wanted;
    double   least; // rest of all steps since R changed
    int      flat;  // steps since then
    double   best;  // residual of s->best
    uint64_t set;
} course;

// Where rounding is all that moves: steps no longer lead anywhere, and what they say of R means nothing.
static bool is_rounding(const course *c)
{
    enum { FLAT = 3 };
    return c->rest <= 1e-15 * c->size || (c->rest <= 1e-14 * c->size && c->flat >= FLAT);
}

static zn_status advance(zn_splitting *s, course *c)
{
    memcpy(s->kept, s->w, sizeof *s->w * (size_t)s->rows);
    ZN_TRY(zn_splitting_map(s, c->inner));
    c->rest = zn_splitting_rest(s);
    c->size = zn_splitting_norm(s, s->v);
    c->inner = fmin(fmax(0.01 * c->rest / fmax(c->size, DBL_MIN), 1e-14), 1e-4);
    c->flat = c->rest < c->least ? 0 : c->flat + 1;
    c->least = fmin(c->least, c->rest);
    uint64_t set = regions(s);
    c->same = zn_system_max(s->sys, set != c->set) == 0 ? c->same + 1 : 0;
    c->set = set;
    return ZN_OK;
}

static void follow(zn_splitting *s) { memcpy(s->v, s->next, sizeof *s->v * (size_t)s->rows); }

// Newton's method as long as it gains; then the iteration goes on from where it led.
static zn_status finish(zn_splitting *s, zn_splitting_task *task, course *c)
{
    enum { STEPS = 8 };
    for (int k = 0; k < STEPS && c->rest > 1e-15 * c->size; k++) {
        bool better;
        ZN_TRY(zn_splitting_newton(s, c->inner, &better, &task->iterations));
        c->rest = zn_splitting_rest(s);
        c->inner = fmin(fmax(0.01 * c->rest / fmax(c->size, DBL_MIN), 1e-14), 1e-4);
        c->next_change = c->step + 10; // how w changed is lost
        if (!better) {
            c->wait = c->step + 20;
            return ZN_OK;
        }
        if (estimate(s, task) <= c->wanted)
            return ZN_OK;
    }
    c->wait = c->step + 5;
    return ZN_OK;
}

// What the judge says of z and x as they are; the best answer is kept.
static zn_status look(zn_splitting *s, zn_splitting_task *task, course *c)
{
    ZN_TRY(judge(s, task));
    c->looks++;
    if (!(task->residual < c->best))
        return ZN_OK;
    c->best = task->residual;
    memcpy(s->best, task->z, sizeof *s->best * (size_t)s->list->rows);
    return ZN_OK;
}

// Back to the best answer where the last one is not.
static zn_status end_with_best(zn_splitting *s, zn_splitting_task *task, course *c)
{
    if (c->looks == 0) {
        estimate(s, task);
        ZN_TRY(judge(s, task));
    } else if (c->best < task->residual) {
        memcpy(task->z, s->best, sizeof *s->best * (size_t)s->list->rows);
        ZN_TRY(judge(s, task));
    }
    return task->residual <= task->enough ? ZN_OK : ZN_NOT_CONVERGED;
}

static zn_status iterate(zn_splitting *s, zn_splitting_task *task, course *c)
{
    enum { STEPS = 1000, LOOKS = 8, STABLE = 4 };
    double before = INFINITY;
    for (c->step = 1; c->step <= STEPS && c->looks < LOOKS; c->step++) {
        task->iterations++;
        ZN_TRY(advance(s, c));
        if (c->same >= STABLE && c->step >= c->wait && c->rest < 1e-2 * c->size)
            ZN_TRY(finish(s, task, c));
        double measure = estimate(s, task);
        if (!isfinite(measure))
            return ZN_NOT_CONVERGED;
        bool stays = measure <= task->tolerance && c->rest > 0.5 * before; // rounding
        before = c->rest;
        if (measure <= c->wanted || stays || is_rounding(c)) {
            ZN_TRY(look(s, task, c));
            if (task->residual <= task->tolerance)
                return ZN_OK;
            c->wanted = 0.1 * measure;
        }
        double ratio = imbalance(s);
        if (c->step >= c->next_change && (ratio > 4 || ratio < 0.25) && !is_rounding(c)) {
            ZN_TRY(change_part(s, task->A->matrix, fmin(fmax(s->part * fmin(fmax(ratio, 0.1), 10), 1e-6), 1e6)));
            c->next_change = c->step + 20 + c->step / 2;
            c->least = INFINITY;
            c->flat = 0;
        } else
            follow(s);
    }
    return end_with_best(s, task, c);
}

zn_status zn_splitting_solve(zn_splitting *s, zn_splitting_task *task)
{
    course c = {.wait = 5,
                .next_change = 40,
                .inner = 1e-4,
                .wanted = 0.1 * task->tolerance,
                .least = INFINITY,
                .best = INFINITY};
    task->iterations = 0;
    if (!s->prepared || s->part != first_part)
        ZN_TRY(prepare(s, task->A->matrix, first_part));
    memset(s->x, 0, sizeof *s->x * (size_t)s->sys->info.n);
    ZN_TRY(judge(s, task));
    if (task->residual <= 0.1 * task->tolerance)
        return ZN_OK;
    begin(s, task);
    return iterate(s, task, &c);
}
