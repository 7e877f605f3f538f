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

zn_status zn_impact_reserve(zn_impact *w, int contacts)
{
    ZN_ASSERT(contacts >= 0);
    if (w->law == ZN_IMPACT_NEWTON || (contacts <= w->capacity && w->memory))
        return ZN_OK;
    enum { FEW = 64 }; // as fast as each other; more of them are given room when they come
    double **vectors[] = {&w->target, &w->excess, &w->U, &w->P, &w->before, &w->work, &w->p};
    int    **lists[] = {&w->queue, &w->place, &w->batch, &w->group, &w->mark};
    int      few = contacts < FEW ? contacts : FEW;
    release(w);
    ZN_TRY(zn_arena_create_growing(4096, &w->memory));
    ZN_TRY(zn_arena_vectors(w->memory, ZN_COUNT(vectors), vectors, (size_t)contacts));
    for (size_t i = 0; i < ZN_COUNT(lists); i++)
        if (!(*lists[i] = ZN_ARENA_NEW(w->memory, int, contacts)))
            return ZN_ERR_MEMORY;
    ZN_TRY(zn_row_list_create(contacts, contacts, &w->list));
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

void zn_impact_add(zn_impact *w, const zn_contact_set *set, int contact, double before)
{
    ZN_ASSERT(!set->bilateral[contact]);
    w->U[w->list.rows] = before;
    w->target[contact] = w->excess[contact] = 0;
    zn_row_list_add_contact(&w->list, set, contact, 1);
}

static bool approaches(const zn_impact *w)
{
    for (int k = w->list.equations; k < w->list.rows; k++)
        if (w->U[k] < 0)
            return true;
    return false;
}

bool zn_impact_needs_matrix(const zn_impact *w) { return w->list.contacts > 1 && approaches(w); }

// --- Poisson -------------------------------------------------------------------------------------

static void add_work(const zn_solved *own, zn_solved *sum)
{
    sum->iterations += own->iterations;
    sum->failed += own->failed;
    sum->wasted += own->wasted;
    sum->residual = fmax(sum->residual, own->residual);
}

// z >= 0 and u = W z + b >= 0 for b of the problem; joints u = 0.
static zn_status solve(zn_impact *w, zn_constraints *c, double t, zn_solved *solved)
{
    const zn_demand demand = {.level = "impact", .t = t};
    zn_solved       own;
    memset(c->z, 0, sizeof *c->z * (size_t)w->list.rows);
    zn_status status = zn_constraints_solve(c, &w->list, &demand, &own);
    add_work(&own, solved);
    return status;
}

// What is compressed in one contact expands in others: their work is that of all, by impulses.
static void share_work(zn_impact *w, const double *p, const double *from, const double *to)
{
    double work = 0, impulse = 0;
    for (int k = w->list.equations; k < w->list.rows; k++) {
        work += 0.5 * p[k] * (from[k] + to[k]);
        impulse += p[k];
    }
    for (int k = w->list.equations; k < w->list.rows; k++)
        w->work[k] += impulse > 0 ? work * p[k] / impulse : 0;
}

static zn_status poisson(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    int rows = w->list.rows;
    memcpy(c->b, w->U, sizeof *c->b * (size_t)rows);
    ZN_TRY(solve(w, c, t, solved)); // compression
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
    ZN_TRY(solve(w, c, t, solved)); // expansion
    for (int k = 0; k < rows; k++) {
        w->P[k] += c->z[k];
        w->U[k] = c->u[k];
    }
    memset(w->work, 0, sizeof *w->work * (size_t)rows);
    share_work(w, w->P, w->before, w->U);
    return ZN_OK;
}

// --- sequences -----------------------------------------------------------------------------------

// The joints of W z answer to impulses of contacts: W of contacts becomes W_cc - W_cj W_jj^-1 W_jc, and the list
// theirs. Equations that repeat others have been taken out, so that W_jj has an inverse.
static zn_status eliminate_joints(zn_impact *w, zn_constraints *c)
{
    int     joints = w->list.equations, rows = w->list.rows, contacts = rows - joints;
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
    for (int k = 0; k < contacts; k++) {
        for (int l = 0; l < contacts; l++)
            W[k * contacts + l] = W[(joints + k) * rows + joints + l];
        w->U[k] = w->before[k] = w->U[joints + k];
    }
    return ZN_OK;
}

static zn_status without_joints(zn_impact *w, zn_constraints *c, const zn_contact_set *set)
{
    int joints = w->list.equations, contacts = w->list.contacts;
    if (joints == 0)
        return ZN_OK;
    ZN_ASSERT(!c->sparse);
    memset(c->b, 0, sizeof *c->b * (size_t)w->list.rows);
    if (c->redundant)
        zn_redundant_isolate(w->list.rows, joints, false, c->W, c->b, c->scratch);
    ZN_TRY(eliminate_joints(w, c));
    zn_row_list_clear(&w->list);
    for (int k = 0; k < contacts; k++) // each moves to an earlier place
        zn_row_list_add_contact(&w->list, set, w->list.row[joints + k] / set->stride, 1);
    return ZN_OK;
}

static zn_status sequential(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    bool ended;
    ZN_TRY(without_joints(w, c, set));
    ZN_TRY(zn_impact_sequence(w, c, set, t, &ended, solved));
    if (ended)
        return ZN_OK;
    w->unfinished = 1;
    memcpy(c->b, w->U, sizeof *c->b * (size_t)w->list.rows);
    ZN_TRY(solve(w, c, t, solved));
    share_work(w, c->z, w->U, c->u);
    for (int k = 0; k < w->list.rows; k++) {
        w->P[k] += c->z[k];
        w->U[k] = c->u[k];
    }
    return ZN_OK;
}

// --- any law -------------------------------------------------------------------------------------

// One contact: all laws are Newton's.
static void find_single(zn_impact *w, const zn_contact_set *set)
{
    int k = w->list.equations;
    w->P[k] = 1; // of any size
    w->U[k] *= -zn_restitution(set, w->list.row[k], w->U[k]);
    w->work[k] = 0.5 * w->P[k] * (w->before[k] + w->U[k]);
}

zn_status zn_impact_find(zn_impact *w, zn_constraints *c, const zn_contact_set *set, double t, zn_solved *solved)
{
    if (!approaches(w))
        return ZN_OK;
    memcpy(w->before, w->U, sizeof *w->U * (size_t)w->list.rows);
    if (w->list.contacts == 1)
        find_single(w, set);
    else
        ZN_TRY(w->law == ZN_IMPACT_POISSON ? poisson(w, c, set, t, solved) : sequential(w, c, set, t, solved));
    for (int k = w->list.equations; k < w->list.rows; k++) {
        int i = w->list.row[k] / set->stride;
        w->target[i] = w->P[k] > 0 ? fmax(w->U[k], 0) : 0;
        w->excess[i] = 0.5 * w->P[k] * (w->before[k] + w->U[k]) - w->work[k];
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
