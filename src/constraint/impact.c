// Targets of impact laws: Poisson's two problems, and what a sequence of hits needs before and after it. See impact.h.
#include "constraint/impact.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "constraint/redundant.h"
#include "system/restitution.h"

// --- life ----------------------------------------------------------------------------------------

zn_status zn_impact_create(const zn_system *sys, zn_impact_law law, const zn_constraint_settings *settings,
                           zn_impact *out)
{
    ZN_ASSERT(sys && settings && out);
    *out = (zn_impact){.law = law};
    return law == ZN_IMPACT_SEQUENTIAL ? zn_constraints_create(sys, settings, &out->together) : ZN_OK;
}

static void release(zn_impact *w)
{
    zn_row_list_destroy(&w->list);
    zn_row_list_destroy(&w->rows);
    w->memory = zn_arena_destroy(w->memory);
    w->capacity = 0;
}

void zn_impact_destroy(zn_impact *w)
{
    release(w);
    if (w->law == ZN_IMPACT_SEQUENTIAL)
        zn_constraints_destroy(&w->together);
    *w = (zn_impact){0};
}

zn_status zn_impact_reserve(zn_impact *w, int contacts, int stride)
{
    ZN_ASSERT(contacts >= 0 && stride > 0);
    if (w->law == ZN_IMPACT_NEWTON || (contacts <= w->capacity && w->memory))
        return ZN_OK;
    enum { FEW = 64 }; // as fast as each other; more of them are given room when they come
    double **vectors[] = {&w->target, &w->excess, &w->U,     &w->P,    &w->before,
                          &w->work,   &w->p,      &w->share, &w->gain, &w->size};
    int    **lists[] = {&w->queue, &w->place, &w->batch, &w->group, &w->mark};
    int      few = contacts < FEW ? contacts : FEW;
    release(w);
    ZN_TRY(zn_arena_create_growing(4096, &w->memory));
    ZN_TRY(zn_arena_vectors(w->memory, ZN_COUNT(vectors), vectors, (size_t)contacts * (size_t)stride));
    for (size_t i = 0; i < ZN_COUNT(lists); i++)
        if (!(*lists[i] = ZN_ARENA_NEW(w->memory, int, contacts *stride)))
            return ZN_ERR_MEMORY;
    if (!(w->bounds = ZN_ARENA_NEW(w->memory, zn_impact_bounds, contacts)))
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_row_list_create(contacts * stride, contacts, &w->list));
    ZN_TRY(zn_row_list_create(contacts, contacts, &w->rows));
    if (w->law == ZN_IMPACT_SEQUENTIAL)
        ZN_TRY(zn_constraints_reserve(&w->together, few, few, few));
    w->capacity = contacts;
    return ZN_OK;
}

// --- lists ---------------------------------------------------------------------------------------

void zn_impact_clear(zn_impact *w)
{
    ZN_ASSERT(w->law != ZN_IMPACT_NEWTON);
    w->unfinished = 0;
    zn_row_list_clear(&w->list);
}

void zn_impact_begin(zn_impact *w, const zn_contact_set *set)
{
    ZN_ASSERT(set->count <= w->capacity);
    zn_impact_clear(w);
    memset(w->target, 0, sizeof *w->target * (size_t)set->count);
    memset(w->excess, 0, sizeof *w->excess * (size_t)set->count);
    for (int i = 0; i < set->count; i++)
        if (set->bilateral[i])
            zn_impact_add_equation(w, i * set->stride);
}

void zn_impact_add_equation(zn_impact *w, int row)
{
    w->U[w->list.rows] = 0; // joints keep the velocities they have
    zn_row_list_add_equation(&w->list, row);
}

int zn_impact_rows(const zn_contact_set *set, int contact)
{
    return set->friction[contact] > 0 ? zn_contact_parts_of(set, contact, zn_contact_row_count(set, contact)).own : 1;
}

// Without moments against rolling and spinning, which act in the step.
static void list_contact(zn_impact *w, const zn_contact_set *set, int contact, int rows)
{
    zn_row_list_add_part(&w->list, contact * set->stride, rows, set->friction[contact], -1);
    w->list.friction |= rows > 1;
}

void zn_impact_add(zn_impact *w, const zn_contact_set *set, int contact, const double *before)
{
    ZN_ASSERT(!set->bilateral[contact]);
    int rows = zn_impact_rows(set, contact);
    memcpy(w->U + w->list.rows, before, sizeof *before * (size_t)rows);
    w->target[contact] = w->excess[contact] = 0;
    list_contact(w, set, contact, rows);
}

static bool approaches(const zn_impact *w)
{
    for (int c = 0; c < w->list.contacts; c++)
        if (w->U[w->list.first[c]] < 0)
            return true;
    return false;
}

bool zn_impact_needs_matrix(const zn_impact *w) { return (w->list.contacts > 1 || w->list.friction) && approaches(w); }

double zn_impact_at(const zn_constraints *c, int m, int k, int column)
{
    if (!c->sparse)
        return c->W[(size_t)k * (size_t)m + (size_t)column];
    for (int e = c->sparse->start[k]; e < c->sparse->start[k + 1]; e++)
        if (c->sparse->column[e] == column)
            return c->sparse->value[e];
    return 0;
}

// --- work ----------------------------------------------------------------------------------------

static void add_solved(const zn_solved *own, zn_solved *sum)
{
    sum->iterations += own->iterations;
    sum->failed += own->failed;
    sum->wasted += own->wasted;
    sum->residual = fmax(sum->residual, own->residual);
}

// Rows of contact c of the list end here.
static int end_of(const zn_impact *w, int c) { return w->list.first[c + 1]; }

static double work_of(const zn_impact *w, int c, const double *p, const double *from, const double *to)
{
    double work = 0;
    for (int k = w->list.first[c]; k < end_of(w, c); k++)
        work += 0.5 * p[k] * (from[k] + to[k]);
    return work;
}

// What is compressed in one contact expands in others: their work is that of all, by normal impulses.
static void share_work(zn_impact *w, const double *p, const double *from, const double *to)
{
    double work = 0, impulse = 0;
    for (int c = 0; c < w->list.contacts; c++) {
        work += work_of(w, c, p, from, to);
        impulse += p[w->list.first[c]];
    }
    for (int c = 0; c < w->list.contacts; c++)
        w->work[w->list.first[c]] += impulse > 0 ? work * p[w->list.first[c]] / impulse : 0;
}

zn_status zn_impact_solve(const zn_impact *w, zn_constraints *c, double t, zn_solved *solved)
{
    const zn_demand demand = {.level = "impact", .t = t};
    zn_solved       own;
    memset(c->z, 0, sizeof *c->z * (size_t)w->list.rows);
    zn_status status = zn_constraints_solve(c, &w->list, &demand, &own);
    add_solved(&own, solved);
    return status;
}

// --- joints --------------------------------------------------------------------------------------

// The joints of W z answer to impulses of contacts: W of contacts becomes W_cc - W_cj W_jj^-1 W_jc, and the list
// theirs. Equations that repeat others have been taken out, so that W_jj has an inverse.
static zn_status eliminate_joints(zn_impact *w, zn_constraints *c)
{
    int     joints = w->list.equations, rows = w->list.rows, m = rows - joints;
    double *W = c->W, *lu = c->scratch, *x = lu + (size_t)joints * (size_t)joints;
    int    *pivot = (int *)(x + joints); // of rows (rows + 1) doubles, one contact at least
    for (int k = 0; k < joints; k++)
        memcpy(lu + k * joints, W + k * rows, sizeof *lu * (size_t)joints);
    ZN_TRY(zn_dense_lu_factor(joints, lu, pivot));
    for (int l = joints; l < rows; l++) {
        for (int k = 0; k < joints; k++)
            x[k] = W[k * rows + l];
        zn_dense_lu_solve(joints, lu, pivot, x);
        for (int k = joints; k < rows; k++)
            for (int j = 0; j < joints; j++)
                W[k * rows + l] -= W[k * rows + j] * x[j];
    }
    for (int k = 0; k < m; k++)
        for (int l = 0; l < m; l++)
            W[k * m + l] = W[(joints + k) * rows + joints + l];
    double *const vectors[] = {w->U, w->P, w->before};
    for (size_t i = 0; i < ZN_COUNT(vectors); i++)
        memmove(vectors[i], vectors[i] + joints, sizeof *w->U * (size_t)m);
    return ZN_OK;
}

static zn_status without_joints(zn_impact *w, zn_constraints *c, const zn_contact_set *set)
{
    int joints = w->list.equations, contacts = w->list.contacts, from = joints;
    if (joints == 0)
        return ZN_OK;
    ZN_ASSERT(!c->sparse);
    memset(c->b, 0, sizeof *c->b * (size_t)w->list.rows);
    if (c->redundant)
        zn_redundant_isolate(w->list.rows, joints, joints, false, c->W, c->b, c->scratch);
    ZN_TRY(eliminate_joints(w, c));
    zn_row_list_clear(&w->list);
    for (int i = 0; i < contacts; i++) { // each moves to an earlier place
        int end = end_of(w, i);
        list_contact(w, set, w->list.row[from] / set->stride, end - from);
        from = end;
    }
    return ZN_OK;
}

// --- Poisson -------------------------------------------------------------------------------------

// An impulse of the expansion changes, and with it velocities.
static double push(zn_impact *w, const zn_constraints *c, int k, double to)
{
    int    m = w->list.rows;
    double change = to - w->p[k];
    w->p[k] = to;
    for (int e = 0, l; e < zn_impact_entries(c, m, k) && change != 0; e++) {
        zn_impact_entry(c, m, k, e, &l);
        w->U[l] += zn_impact_at(c, m, l, k) * change;
    }
    return fabs(change) * zn_impact_at(c, m, k, k);
}

// One contact: p_N >= e P_c _|_ U_N >= 0, and p_T against U_T in the disc of radius mu p_N. Returns what moved [m/s].
static double expand(zn_impact *w, const zn_constraints *c, const zn_contact_set *set, int contact)
{
    int    k = w->list.first[contact], end = end_of(w, contact), m = w->list.rows;
    double own = zn_impact_at(c, m, k, k), least = zn_restitution(set, w->list.row[k], w->before[k]) * w->P[k];
    if (!(own > 0))
        return 0;
    double moved = push(w, c, k, fmax(least, w->p[k] - w->U[k] / own)), size = 0, next[2], across = 0;
    for (int l = k + 1; l < end; l++)
        across = fmax(across, zn_impact_at(c, m, l, l));
    for (int l = k + 1; l < end && across > 0; l++) {
        next[l - k - 1] = w->p[l] - w->U[l] / across;
        size = hypot(size, next[l - k - 1]);
    }
    double most = w->list.mu[contact] * w->p[k], keep = size > most ? most / size : 1;
    for (int l = k + 1; l < end && across > 0; l++)
        moved = fmax(moved, push(w, c, l, keep * next[l - k - 1]));
    return moved;
}

// Contact by contact until nothing moves: a lower bound on impulses is none of the laws that the solvers know. What is
// left goes into the residual of the step.
static zn_status expand_with_friction(zn_impact *w, zn_constraints *c, const zn_contact_set *set, zn_solved *solved)
{
    enum { SWEEPS = 2000 };
    double moved = INFINITY, size = 0;
    for (int k = 0; k < w->list.rows; k++) {
        w->P[k] = k < w->list.equations ? 0 : c->z[k];
        w->U[k] = c->u[k];
    }
    ZN_TRY(without_joints(w, c, set));
    for (int k = 0; k < w->list.rows; k++)
        size = fmax(size, fabs(w->before[k]));
    memset(w->p, 0, sizeof *w->p * (size_t)w->list.rows);
    for (int sweep = 0; sweep < SWEEPS && moved > 1e-14 * size; sweep++) {
        moved = 0;
        for (int i = 0; i < w->list.contacts; i++)
            moved = fmax(moved, expand(w, c, set, i));
        solved->iterations++;
    }
    solved->residual = fmax(solved->residual, moved / size);
    for (int k = 0; k < w->list.rows; k++)
        w->P[k] += w->p[k];
    return ZN_OK;
}

// A complementarity problem for what goes beyond (1 + e) P_c.
static zn_status expand_without_friction(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t,
                                         zn_solved *solved)
{
    int rows = w->list.rows;
    for (int k = 0; k < rows; k++)
        w->P[k] = k < w->list.equations ? 0 : (1 + zn_restitution(set, w->list.row[k], w->U[k])) * c->z[k];
    for (int k = 0; k < rows; k++) {
        double u = w->U[k];
        for (int e = 0, l; e < zn_impact_entries(c, rows, k); e++) {
            double entry = zn_impact_entry(c, rows, k, e, &l);
            u += entry * w->P[l];
        }
        c->b[k] = u;
    }
    ZN_TRY(zn_impact_solve(w, c, t, solved));
    for (int k = 0; k < rows; k++) {
        w->P[k] += c->z[k];
        w->U[k] = c->u[k];
    }
    return ZN_OK;
}

// Where no contact rebounds, there is nothing to pass on: all are stopped at once, U* = 0.
static bool rebounds(const zn_impact *w, const zn_contact_set *set)
{
    for (int c = 0; c < w->list.contacts; c++)
        if (zn_restitution(set, w->list.row[w->list.first[c]], w->U[w->list.first[c]]) > 0)
            return true;
    return false;
}

static zn_status stop_all(zn_impact *w)
{
    memset(w->work, 0, sizeof *w->work * (size_t)w->list.rows);
    memset(w->P, 0, sizeof *w->P * (size_t)w->list.rows);
    return ZN_OK;
}

static zn_status poisson(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    ZN_TRY(stop_all(w));
    if (!rebounds(w, set))
        return ZN_OK;
    memcpy(c->b, w->U, sizeof *c->b * (size_t)w->list.rows);
    ZN_TRY(zn_impact_solve(w, c, t, solved)); // compression
    ZN_TRY(w->list.friction ? expand_with_friction(w, c, set, solved) : expand_without_friction(w, c, set, t, solved));
    share_work(w, w->P, w->before, w->U);
    return ZN_OK;
}

// --- sequences -----------------------------------------------------------------------------------

// U = U- + W P at once, without the rounding of many hits: contacts that repeat each other must agree.
static void sum_up(zn_impact *w, const zn_constraints *c)
{
    int m = w->list.rows;
    memcpy(w->U, w->before, sizeof *w->U * (size_t)m);
    for (int k = 0; k < m; k++)
        for (int e = 0, l; e < zn_impact_entries(c, m, k); e++) {
            double entry = zn_impact_entry(c, m, k, e, &l);
            w->U[k] += entry * w->P[l];
        }
}

static zn_status sequential(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    bool ended;
    if (!rebounds(w, set))
        return stop_all(w);
    ZN_TRY(without_joints(w, c, set));
    ZN_TRY(zn_impact_sequence(w, c, set, t, &ended, solved));
    sum_up(w, c);
    if (ended)
        return ZN_OK;
    w->unfinished = 1;
    memcpy(c->b, w->U, sizeof *c->b * (size_t)w->list.rows);
    ZN_TRY(zn_impact_solve(w, c, t, solved));
    share_work(w, c->z, w->U, c->u);
    for (int k = 0; k < w->list.rows; k++) {
        w->P[k] += c->z[k];
        w->U[k] = c->u[k];
    }
    return ZN_OK;
}

// --- any law -------------------------------------------------------------------------------------

// One contact without friction: all laws are Newton's.
static void find_single(zn_impact *w, const zn_contact_set *set)
{
    int k = w->list.equations;
    w->P[k] = 1; // of any size
    w->U[k] *= -zn_restitution(set, w->list.row[k], w->U[k]);
    w->work[k] = 0.5 * w->P[k] * (w->before[k] + w->U[k]);
}

// Targets of the velocities that the law ends with; false: there are none.
static bool set_targets(zn_impact *w, const zn_contact_set *set)
{
    double largest = 0;
    bool   any = false;
    for (int j = 0; j < w->list.contacts; j++)
        largest = fmax(largest, fabs(w->before[w->list.first[j]]));
    for (int j = 0; j < w->list.contacts; j++) {
        int  k = w->list.first[j];
        bool leaves = w->P[k] > 0 && w->U[k] > ZN_IMPACT_NOTHING * largest;
        w->target[w->list.row[k] / set->stride] = leaves ? w->U[k] : 0;
        any |= leaves;
    }
    return any;
}

zn_status zn_impact_find(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    if (!approaches(w))
        return ZN_OK;
    memcpy(w->before, w->U, sizeof *w->U * (size_t)w->list.rows);
    if (w->list.contacts == 1 && !w->list.friction)
        find_single(w, set);
    else
        ZN_TRY(w->law == ZN_IMPACT_POISSON ? poisson(w, c, set, t, solved) : sequential(w, c, set, t, solved));
    bool rebound = set_targets(w, set);
    if (rebound && w->list.friction)
        ZN_TRY(zn_impact_limit(w, c, set, t, solved));
    for (int j = 0; j < w->list.contacts; j++) {
        int k = w->list.first[j];
        w->excess[w->list.row[k] / set->stride] = work_of(w, j, w->P, w->before, w->U) - w->work[k];
    }
    return ZN_OK;
}

zn_status zn_impact_find_by(zn_impact *w, zn_constraints *c, zn_response *r, const zn_contact_set *set, double t,
                            zn_solved *solved)
{
    if (zn_impact_needs_matrix(w))
        ZN_TRY(zn_constraints_assemble(c, &w->list, r, set, zn_gap_rows(set), zn_gap_rows(set)));
    return zn_impact_find(w, c, set, t, solved);
}
