// Islands of contacts that share a node, one small problem each. See islands.h for the equations.
#include "constraint/islands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/sets.h"
#include "system/restitution.h"
#include "system/system.h"

// --- life ----------------------------------------------------------------------------------------

// Islands of more rows have no dense W, but for those with joints: equations that repeat each other are found in it.
enum { FEW = ZN_DENSE_ROWS, MANY_JOINTS = 600 };

// Room for an island of that many rows, `dense` of them in a dense W; once large enough nothing is allocated any more.
static zn_status reserve(zn_islands *w, int rows, int dense)
{
    if (rows <= w->list.capacity && dense <= w->problem.dense)
        return ZN_OK;
    int room = rows > w->list.capacity ? rows + rows / 2 + 8 : w->list.capacity;
    int square = dense > w->problem.dense ? dense + dense / 4 : w->problem.dense;
    zn_row_list_destroy(&w->list);
    ZN_TRY(zn_constraints_reserve(&w->problem, room, room, square < room ? square : room));
    zn_status status = zn_row_list_create(room, room, &w->list);
    if (status != ZN_OK)
        zn_row_list_destroy(&w->list);
    return status;
}

// Room for what is kept of each contact.
static zn_status reserve_contacts(zn_islands *w, int contacts, int stride)
{
    if (contacts > w->capacity) {
        int **lists[] = {&w->parent, &w->next, &w->tail, &w->root}, room = 0;
        for (size_t i = 0; i < ZN_COUNT(lists); i++) {
            room = w->capacity;
            ZN_TRY(zn_grow(lists[i], &room, contacts, sizeof **lists[i]));
        }
        ZN_TRY(zn_grow(&w->plain, &w->capacity, contacts, sizeof *w->plain));
    }
    return zn_impact_reserve(&w->impact, w->capacity, stride);
}

zn_status zn_islands_create(const zn_system *sys, const zn_lumped_mass *mass, const zn_constraint_settings *settings,
                            zn_impact_law law, zn_islands *out)
{
    ZN_ASSERT(sys && mass->n == sys->info.n && out);
    int        n = sys->info.n_all, contacts = sys->contact_capacity;
    zn_islands w = {.sys = sys,
                    .mass = mass,
                    .triad_of = ZN_NEW(int, n),
                    .stamp = ZN_NEW(int64_t, n),
                    .owner = ZN_NEW(int, n),
                    .fixed_entry = ZN_NEW(zn_fixed_entry, sys->fixed_contacts ? sys->entry_capacity : 0)};
    bool       memory = w.triad_of && w.stamp && w.owner && w.fixed_entry;
    zn_status  status = memory ? zn_constraints_create(sys, settings, &w.problem) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = zn_impact_create(sys, law, settings, &w.impact);
    if (status == ZN_OK)
        status = reserve_contacts(&w, contacts, sys->contact_rows);
    int few = contacts * sys->contact_rows < FEW ? contacts * sys->contact_rows : FEW;
    if (status == ZN_OK && law != ZN_IMPACT_NEWTON) // also contacts alone are listed
        status = reserve(&w, few, few);
    if (status == ZN_OK)
        status = zn_sweeps_create(sys, mass, w.triad_of, settings->tolerance, &w.sweeps);
    if (status == ZN_OK)
        status = zn_island_matrix_create(sys, mass, w.triad_of, &w.matrix);
    if (status != ZN_OK) {
        zn_islands_destroy(&w);
        return status;
    }
    for (int i = 0; i < n; i++)
        w.triad_of[i] = -1;
    for (int k = 0; k < mass->triads; k++)
        for (int i = 0; i < 3; i++)
            w.triad_of[mass->triad[k].dof[i]] = 3 * k + i;
    *out = w;
    return ZN_OK;
}

void zn_islands_destroy(zn_islands *w)
{
    free(w->triad_of);
    free(w->stamp);
    free(w->owner);
    free(w->parent);
    free(w->next);
    free(w->tail);
    free(w->root);
    free(w->plain);
    free(w->fixed_entry);
    zn_row_list_destroy(&w->list);
    zn_constraints_destroy(&w->problem);
    zn_sweeps_destroy(&w->sweeps);
    zn_island_matrix_destroy(&w->matrix);
    zn_island_newton_destroy(&w->newton);
    zn_impact_destroy(&w->impact);
    *w = (zn_islands){0};
}

// --- products with the inverse mass --------------------------------------------------------------

// G_k M^-1 G_l'
static double product(const zn_islands *w, const zn_contact_set *set, int k, int l)
{
    double sum = 0;
    for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++) {
        int dof = set->row_dof[e], triad = w->triad_of[dof];
        if (set->row_value[e] == 0)
            continue;
        for (int f = set->row_start[l]; f < set->row_start[l + 1]; f++) {
            int other = set->row_dof[f];
            if (triad < 0 && dof == other)
                sum += set->row_value[e] * w->mass->inverse[dof] * set->row_value[f];
            else if (triad >= 0 && w->triad_of[other] >= 0 && triad / 3 == w->triad_of[other] / 3)
                sum += set->row_value[e] * w->mass->triad[triad / 3].inverse.m[triad % 3][w->triad_of[other] % 3] *
                       set->row_value[f];
        }
    }
    return sum;
}

// v += M^-1 G_k' P
static void kick(const zn_islands *w, const zn_contact_set *set, int k, double P, double *v)
{
    for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++) {
        int dof = set->row_dof[e], triad = w->triad_of[dof];
        if (triad < 0) {
            v[dof] += w->mass->inverse[dof] * set->row_value[e] * P;
            continue;
        }
        const zn_lumped_triad *f = &w->mass->triad[triad / 3];
        for (int i = 0; i < 3; i++)
            v[f->dof[i]] += f->inverse.m[i][triad % 3] * set->row_value[e] * P;
    }
}

// --- islands -------------------------------------------------------------------------------------

static bool takes_part(const zn_contact_set *set, const bool *active, int i) { return set->bilateral[i] || active[i]; }

// Contact i meets a degree of freedom, those of a triad as one: the contact that met it last, -1: none.
static int meet(zn_islands *w, int dof, int i)
{
    ZN_ASSERT(dof >= 0 && dof < w->sys->info.n_all);
    int triad = w->triad_of[dof], place = triad >= 0 ? w->mass->triad[triad / 3].dof[0] : dof;
    int before = w->stamp[place] == w->now ? w->owner[place] : -1;
    w->stamp[place] = w->now;
    w->owner[place] = i;
    return before;
}

// Active or not, whatever the values of their entries: do contacts that are always the same share any node?
static void judge(zn_islands *w, const zn_contact_set *set)
{
    ZN_ASSERT(set->count <= w->capacity);
    w->now++;
    w->judged = w->apart = w->sys->fixed_contacts;
    for (int i = 0; i < set->count && w->judged; i++) {
        w->parent[i] = i;
        w->next[i] = -1;
        w->plain[i] = true;
        for (int e = set->row_start[i * set->stride]; e < set->row_start[(i + 1) * set->stride]; e++) {
            int first = meet(w, set->row_dof[e], i);
            w->plain[i] = w->plain[i] && w->triad_of[set->row_dof[e]] < 0 && first < 0;
            w->apart = w->apart && (first < 0 || first == i);
        }
    }
}

// Does a contact act by any of its rows, which have entries for the same degrees of freedom, where the first has `e`?
static bool acts(const zn_contact_set *set, int row, int entries, int e)
{
    for (int r = row; r < row + set->stride && set->row_start[r + 1] > set->row_start[r]; r++, e += entries)
        if (set->row_value[e] != 0)
            return true;
    return false;
}

static void find_islands(zn_islands *w, const zn_contact_set *set, const bool *active)
{
    ZN_ASSERT(set->count <= w->capacity);
    w->now++;
    for (int i = 0; i < set->count; i++) {
        w->parent[i] = i;
        w->plain[i] = true;
        if (!takes_part(set, active, i))
            continue;
        int last = -1; // whom it was joined with; the directions of a node have met the same ones
        int row = i * set->stride, entries = set->row_start[row + 1] - set->row_start[row];
        for (int e = set->row_start[row]; e < set->row_start[row + 1]; e++) {
            int dof = set->row_dof[e];
            if (dof >= w->mass->n || !acts(set, row, entries, e))
                continue;
            int first = meet(w, dof, i);
            if (w->triad_of[dof] >= 0 || first == i)
                w->plain[i] = false;
            if (first >= 0 && first != i && first != last)
                zn_sets_join(w->parent, i, first); // the first contact is the root
            last = first >= 0 ? first : last;
        }
    }
    for (int i = 0; i < set->count; i++) {
        int root = zn_sets_find(w->parent, i);
        w->next[i] = -1;
        if (root != i)
            w->next[w->tail[root]] = i;
        w->tail[root] = i;
    }
}

// --- laws ----------------------------------------------------------------------------------------

// What the law adds to G v.
static double offset(const zn_islands *w, const zn_contact_set *set, const double *target, const double *before,
                     int row)
{
    ZN_ASSERT(row >= 0 && row < set->count * set->stride);
    int i = row / set->stride;
    if (set->bilateral[i])
        return target[i];
    if (zn_row_turns(set, row))
        return 0;
    if (w->impact.law != ZN_IMPACT_NEWTON && row % set->stride == 0)
        return -w->impact.target[i];
    double e = row % set->stride == 0 ? set->restitution[i] : set->tangential_restitution[i];
    if (e != 0 && set->restitution_from[i] > 0)
        e = zn_restitution(set, row, zn_row_dot(set, i * set->stride, w->mass->n, before));
    return e != 0 ? e * zn_row_dot(set, row, w->mass->n, before) : 0;
}

// One contact or equation whose single row meets every degree of freedom once, and those have masses of their own: two
// passes, in which W = G_k M^-1 G_k' and the velocities before and after are found, too. M^-1 and v are zero at fixed
// degrees of freedom.
static void solve_plain_row(zn_islands *w, zn_contact_set *set, int i, const double *target, const double *before,
                            double *v, double *P)
{
    ZN_ASSERT(w->plain[i] && before != v);
    const double *inverse = w->mass->inverse;
    int           row = i * set->stride, entries = set->row_start[row + 1] - set->row_start[row];
    const int    *dof = set->row_dof + set->row_start[row];
    const double *value = set->row_value + set->row_start[row];
    double        W = 0, approach = 0, rate = 0, after = 0;
    for (int e = 0; e < entries; e++) {
        int at = dof[e];
        W += value[e] * inverse[at] * value[e];
        approach += value[e] * before[at];
        rate += value[e] * v[at];
    }
    double law = set->bilateral[i] ? target[i] : zn_restitution(set, row, approach) * approach;
    if (w->impact.law != ZN_IMPACT_NEWTON && !set->bilateral[i])
        law = -w->impact.target[i];
    double b = rate + law, impulse = W > 0 ? -b / W : 0;
    if (!set->bilateral[i] && !(impulse > 0))
        impulse = 0;
    P[row] = impulse;
    for (int e = 0; e < entries; e++) {
        int    at = dof[e];
        double next = v[at] + inverse[at] * value[e] * impulse;
        v[at] = next;
        after += value[e] * next;
    }
    set->approach[row] = approach;
    set->velocity[row] = after;
}

// Any single row alone.
static void solve_row(zn_islands *w, const zn_contact_set *set, int i, const double *target, const double *before,
                      double *v, double *P)
{
    int    row = i * set->stride;
    double W = product(w, set, row, row);
    double b = zn_row_dot(set, row, w->mass->n, v) + offset(w, set, target, before, row), impulse = W > 0 ? -b / W : 0;
    P[row] = set->bilateral[i] || impulse > 0 ? impulse : 0;
    kick(w, set, row, P[row], v);
}

// One contact with friction at a node of equal mass in all directions: W is a multiple of the unit matrix, normal and
// tangent do not meet. False when it is not.
static bool solve_point(zn_islands *w, const zn_contact_set *set, int i, const double *target, const double *before,
                        double *v, double *P)
{
    int    row = i * set->stride, rows = zn_contact_row_count(set, i);
    double W = product(w, set, row, row), b[3];
    if (rows > 3 || set->turns[i] != 0)
        return false;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < r; c++)
            if (fabs(product(w, set, row + r, row + c)) > 1e-14 * W)
                return false;
    double T = rows > 1 ? product(w, set, row + 1, row + 1) : 0, size = 0;
    if (!(W > 0) || (rows > 2 && fabs(product(w, set, row + 2, row + 2) - T) > 1e-14 * T))
        return false;
    for (int r = 0; r < rows; r++)
        b[r] = zn_row_dot(set, row + r, w->mass->n, v) + offset(w, set, target, before, row + r);
    P[row] = b[0] < 0 ? -b[0] / W : 0;
    for (int r = 1; r < rows; r++)
        size += b[r] * b[r];
    size = sqrt(size);
    double slip = T > 0 ? size / T : 0, most = set->friction[i] * P[row], factor = slip > most ? most / slip : 1;
    for (int r = 1; r < rows; r++)
        P[row + r] = T > 0 ? -factor * b[r] / T : 0;
    for (int r = 0; r < rows; r++)
        kick(w, set, row + r, P[row + r], v);
    return true;
}

// Other laws of impact than Newton's eliminate joints from a dense W.
static bool is_large(const zn_islands *w, int rows, int equations)
{
    return rows > FEW && (equations == 0 || (rows > MANY_JOINTS && w->impact.law == ZN_IMPACT_NEWTON));
}

// Rows of an island, equations first.
static zn_status list_rows(zn_islands *w, const zn_contact_set *set, int root)
{
    ZN_ASSERT(root >= 0 && w->parent[root] == root);
    int count = 0, joints = 0;
    for (int i = root; i >= 0; i = w->next[i]) {
        count += set->stride;
        joints += set->bilateral[i];
    }
    ZN_TRY(reserve(w, count, is_large(w, count, joints) ? 0 : count));
    zn_row_list_clear(&w->list);
    for (int i = root; i >= 0; i = w->next[i])
        if (set->bilateral[i])
            zn_row_list_add_equation(&w->list, i * set->stride);
    for (int i = root; i >= 0; i = w->next[i])
        if (!set->bilateral[i])
            zn_row_list_add_contact(&w->list, set, i, zn_contact_row_count(set, i));
    return ZN_OK;
}

// W of listed rows into the problem, which are all or some of those of w->list: dense, or sparse where there are many.
static zn_status assemble(zn_islands *w, const zn_contact_set *set, int n, int equations, const int *row)
{
    zn_constraints *c = &w->problem;
    c->sparse = NULL;
    c->set = set;
    if (n > c->dense || is_large(w, n, equations)) {
        ZN_TRY(zn_island_matrix_assemble(&w->matrix, set, n, row));
        c->sparse = &w->matrix.W;
        return ZN_OK;
    }
    for (int k = 0; k < n; k++)
        for (int l = 0; l <= k; l++)
            c->W[k * n + l] = c->W[l * n + k] = product(w, set, row[k], row[l]);
    return ZN_OK;
}

// U* of the contacts of an island, where the law is not Newton's.
static zn_status find_targets(zn_islands *w, const zn_contact_set *set, int root, const double *before,
                              zn_solved *solved)
{
    zn_impact *law = &w->impact;
    if (law->law == ZN_IMPACT_NEWTON || (set->bilateral[root] && w->next[root] < 0))
        return ZN_OK;
    ZN_TRY(list_rows(w, set, root));
    zn_impact_clear(law);
    for (int k = 0; k < w->list.equations; k++)
        zn_impact_add_equation(law, w->list.row[k]);
    for (int c = 0; c < w->list.contacts; c++) {
        int    row = w->list.row[w->list.first[c]];
        double U[3];
        if (w->list.leader[c] >= 0)
            continue; // laws of impact have no moments
        for (int r = 0; r < zn_impact_rows(set, row / set->stride); r++)
            U[r] = zn_row_dot(set, row + r, w->mass->n, before);
        zn_impact_add(law, set, row / set->stride, U);
    }
    if (zn_impact_needs_matrix(law))
        ZN_TRY(assemble(w, set, law->list.rows, law->list.equations, law->list.row));
    ZN_TRY(zn_impact_find(law, &w->problem, set, w->t, solved));
    w->unfinished += law->unfinished;
    return ZN_OK;
}

double zn_islands_beyond(const zn_islands *w, const zn_contact_set *set, int row)
{
    ZN_ASSERT(row % set->stride == 0);
    if (w->impact.law != ZN_IMPACT_NEWTON)
        return set->velocity[row] - w->impact.target[row / set->stride];
    return set->velocity[row] + zn_restitution(set, row, set->approach[row]) * set->approach[row];
}

static void add_solved(const zn_solved *own, zn_solved *sum)
{
    sum->iterations += own->iterations;
    sum->failed += own->failed;
    sum->wasted += own->wasted;
    sum->residual = fmax(sum->residual, own->residual);
}

// Rows of an island, velocities that the law is about, and warm start, in the problem.
static zn_status pose(zn_islands *w, const zn_contact_set *set, int root, const double *target, const double *before,
                      const double *v, const double *P)
{
    zn_constraints *c = &w->problem;
    ZN_TRY(list_rows(w, set, root));
    const int *row = w->list.row;
    for (int k = 0; k < w->list.rows; k++) {
        c->b[k] = zn_row_dot(set, row[k], w->mass->n, v) + offset(w, set, target, before, row[k]);
        c->z[k] = P[row[k]];
    }
    return ZN_OK;
}

static zn_status solve_island(zn_islands *w, const zn_contact_set *set, int root, const double *target,
                              const double *before, double *v, double *P, zn_solved *solved)
{
    zn_constraints *c = &w->problem;
    const zn_demand demand = {.level = "velocity", .t = w->t};
    zn_solved       own;
    ZN_TRY(pose(w, set, root, target, before, v, P));
    int n = w->list.rows, *row = w->list.row;
    ZN_TRY(assemble(w, set, n, w->list.equations, row));
    ZN_TRY(zn_constraints_solve(c, &w->list, &demand, &own));
    add_solved(&own, solved);
    for (int k = 0; k < n; k++) {
        P[row[k]] = c->z[k];
        kick(w, set, row[k], c->z[k], v);
    }
    return ZN_OK;
}

// --- large islands -------------------------------------------------------------------------------

// Is the island one for sweeps? Then it waits for them.
static zn_status put_off(zn_islands *w, const zn_contact_set *set, int root, const double *target, const double *before,
                         const double *v, const double *P, bool *waits)
{
    const char *solver = w->problem.settings.solver;
    int         rows = 0, joints = 0;
    for (int i = root; i >= 0; i = w->next[i]) {
        rows += set->stride;
        joints += set->bilateral[i];
    }
    *waits = false;
    if (!is_large(w, rows, joints) || (strcmp(solver, "auto") != 0 && strcmp(solver, "anderson") != 0))
        return ZN_OK;
    ZN_TRY(pose(w, set, root, target, before, v, P));
    if (w->list.follow)
        return ZN_OK;
    w->root[w->large++] = root;
    *waits = true;
    return zn_sweeps_add(&w->sweeps, &w->list, w->problem.b, w->problem.z);
}

// The problem of an island that was solved without W, for whoever looks at all of them.
static zn_status show(zn_islands *w, const zn_contact_set *set, int root, const double *target, const double *before,
                      const double *v, const double *P)
{
    const zn_observer *observer = &w->problem.settings.observer;
    if (observer->problem == NULL || observer->faults)
        return ZN_OK;
    ZN_TRY(pose(w, set, root, target, before, v, P));
    ZN_TRY(assemble(w, set, w->list.rows, w->list.equations, w->list.row));
    return zn_constraints_show(&w->problem, &w->list, "velocity", w->t);
}

static zn_status solve_large(zn_islands *w, const zn_contact_set *set, const double *target, const double *before,
                             double *v, double *P, zn_solved *solved)
{
    if (w->large == 0)
        return ZN_OK;
    zn_sweeps_run(&w->sweeps, w->team);
    for (int k = 0; k < w->large; k++) {
        zn_sweep_island *island = &w->sweeps.island[k];
        if (island->status != ZN_OK && zn_sweeps_are_smooth(&w->sweeps, island))
            ZN_TRY(zn_island_newton_solve(&w->newton, &w->matrix, &w->sweeps, island));
        zn_solved own = {island->iterations, island->residual, 0, 0};
        if (island->status == ZN_OK) {
            ZN_TRY(show(w, set, w->root[k], target, before, v, P));
            zn_sweeps_apply(&w->sweeps, k, v, P);
            add_solved(&own, solved);
            continue;
        }
        own = (zn_solved){island->iterations, 0, 1, island->iterations};
        add_solved(&own, solved);
        ZN_TRY(solve_island(w, set, w->root[k], target, before, v, P, solved));
    }
    return ZN_OK;
}

void zn_islands_measure(zn_contact_set *set, const double *before, const double *after)
{
    ZN_ASSERT(set->has_rows || set->count == 0);
    for (int k = 0; k < set->count * set->stride; k++) {
        const int    *dof = set->row_dof + set->row_start[k];
        const double *value = set->row_value + set->row_start[k];
        int           entries = set->row_start[k + 1] - set->row_start[k];
        double        a = 0, b = 0;
        for (int e = 0; e < entries; e++) {
            a += value[e] * before[dof[e]];
            b += value[e] * after[dof[e]];
        }
        set->approach[k] = a;
        set->velocity[k] = b;
    }
}

zn_status zn_islands_solve(zn_islands *w, zn_contact_set *set, const bool *active, const double *target,
                           const double *before, double *v, double *P, zn_solved *solved)
{
    ZN_ASSERT(set->has_rows || set->count == 0);
    ZN_ASSERT(set->count == 0 || (target && before && v && P && before != v));
    int measured = 0;
    w->unfinished = w->large = 0;
    ZN_TRY(zn_fault_point());
    ZN_TRY(reserve_contacts(w, set->count, set->stride));
    zn_sweeps_clear(&w->sweeps, set);
    if (!w->judged)
        judge(w, set);
    if (!w->apart)
        find_islands(w, set, active);
    for (int i = 0; i < set->count; i++) {
        if (!takes_part(set, active, i)) {
            memset(P + i * set->stride, 0, sizeof *P * (size_t)set->stride);
            continue;
        }
        if (w->parent[i] != i)
            continue; // with its root
        ZN_TRY(find_targets(w, set, i, before, solved));
        bool waits = false, alone = w->next[i] < 0,
             single = set->stride == 1 || zn_row_is_empty(set, i * set->stride + 1);
        if (alone && single && w->plain[i]) {
            solve_plain_row(w, set, i, target, before, v, P);
            measured += set->stride;
        } else if (alone && single)
            solve_row(w, set, i, target, before, v, P);
        else if (!alone || !solve_point(w, set, i, target, before, v, P)) {
            ZN_TRY(put_off(w, set, i, target, before, v, P, &waits));
            if (!waits)
                ZN_TRY(solve_island(w, set, i, target, before, v, P, solved));
        }
    }
    ZN_TRY(solve_large(w, set, target, before, v, P, solved));
    if (measured < set->count * set->stride)
        zn_islands_measure(set, before, v);
    return ZN_OK;
}

// --- reactions -----------------------------------------------------------------------------------

// Entries at fixed degrees of freedom, of contacts that are always the same.
static void list_fixed(zn_islands *w, const zn_contact_set *set)
{
    w->fixed_entries = 0;
    for (int k = 0; k < set->count * set->stride; k++)
        for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++)
            if (set->row_dof[e] >= w->mass->n)
                w->fixed_entry[w->fixed_entries++] = (zn_fixed_entry){k, e};
    w->listed = true;
}

void zn_islands_react(zn_islands *w, const zn_contact_set *set, const double *P, double *reaction)
{
    ZN_ASSERT(set->count == 0 || (P && reaction));
    if (w->mass->n == w->sys->info.n_all)
        return;
    if (w->sys->fixed_contacts && !w->listed)
        list_fixed(w, set);
    for (const zn_fixed_entry *f = w->fixed_entry; f < w->fixed_entry + w->fixed_entries; f++)
        reaction[set->row_dof[f->entry]] += set->row_value[f->entry] * P[f->row];
    for (int k = 0; k < set->count * set->stride && !w->listed; k++)
        for (int e = set->row_start[k]; e < set->row_start[k + 1] && P[k] != 0; e++)
            if (set->row_dof[e] >= w->mass->n)
                reaction[set->row_dof[e]] += set->row_value[e] * P[k];
}
