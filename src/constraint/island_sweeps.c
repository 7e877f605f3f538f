// Sweeps over the contacts of large islands. See island_sweeps.h.
#include "constraint/island_sweeps.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"
#include "constraint/island_chunks.h"
#include "constraint/island_gradients.h"
#include "solve/anderson.h"
#include "system/system.h"

// --- life ----------------------------------------------------------------------------------------

zn_status zn_sweeps_create(const zn_system *sys, const zn_lumped_mass *mass, const int *triad_of, double tolerance,
                           zn_sweeps *out)
{
    ZN_ASSERT(sys && mass && triad_of && tolerance > 0 && out);
    *out = (zn_sweeps){.mass = mass, .triad_of = triad_of, .tolerance = tolerance, .at = ZN_NEW(int, sys->info.n_all)};
    if (!out->at)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < sys->info.n_all; i++)
        out->at[i] = -1;
    return ZN_OK;
}

void zn_sweeps_destroy(zn_sweeps *w)
{
    free(w->at);
    free(w->island);
    free(w->unit);
    free(w->local);
    free(w->place);
    free(w->value);
    free(w->dof);
    free(w->motion);
    free(w->inverse);
    free(w->r);
    free(w->q);
    free(w->history);
    free(w->chunk);
    free(w->used);
    *w = (zn_sweeps){0};
}

void zn_sweeps_clear(zn_sweeps *w, const zn_contact_set *set)
{
    for (int i = 0; i < w->dofs; i++)
        if (w->dof[i] >= 0)
            w->at[w->dof[i]] = -1;
    w->set = set;
    w->islands = w->units = w->places = w->values = w->dofs = w->rows = w->chunks = 0;
}

// The motion is not kept from here to the sweeps.
static zn_status reserve_dofs(zn_sweeps *w, int count)
{
    int same = w->dof_capacity,
        longer = w->dof_capacity > 0 ? w->dof_capacity + ZN_SWEEP_LANES : 0; // arrays that grow alike
    if (count <= w->dof_capacity)
        return ZN_OK;
    ZN_TRY(zn_grow(&w->motion, &longer, count + ZN_SWEEP_LANES, sizeof *w->motion));
    ZN_TRY(zn_grow(&w->inverse, &same, count, sizeof *w->inverse));
    w->moved = w->motion + (ZN_SWEEP_LANES - (uintptr_t)w->motion / sizeof(double) % ZN_SWEEP_LANES) % ZN_SWEEP_LANES;
    return zn_grow(&w->dof, &w->dof_capacity, count, sizeof *w->dof);
}

static zn_status reserve_rows(zn_sweeps *w, int count)
{
    int same = w->row_capacity, vectors = ZN_ANDERSON_VECTORS * w->row_capacity;
    ZN_TRY(zn_grow(&w->r, &same, count, sizeof *w->r));
    ZN_TRY(zn_grow(&w->history, &vectors, ZN_ANDERSON_VECTORS * count, sizeof *w->history));
    return zn_grow(&w->q, &w->row_capacity, count, sizeof *w->q);
}

// --- islands -------------------------------------------------------------------------------------

static zn_status add_unit(zn_sweeps *w, int row, int rows, double mu, const double *q, const double *r)
{
    int entries = 3 * (w->set->row_start[row + 1] - w->set->row_start[row]); // triads have three for one
    ZN_TRY(zn_grow(&w->place, &w->place_capacity, w->places + entries, sizeof *w->place));
    ZN_TRY(zn_grow(&w->value, &w->value_capacity, w->values + 6 * entries, sizeof *w->value));
    ZN_TRY(reserve_dofs(w, w->dofs + entries));
    zn_sweep_unit *u = &w->unit[w->units++];
    *u = (zn_sweep_unit){.row = row, .rows = rows, .first = w->rows, .place = w->places, .value = w->values, .mu = mu};
    zn_sweep_unit_make(w, u);
    for (int i = 0; i < rows; i++) {
        w->q[w->rows + i] = u->scale * q[i];
        w->r[w->rows + i] = r[i] / u->scale;
    }
    w->rows += rows;
    return ZN_OK;
}

zn_status zn_sweeps_add(zn_sweeps *w, const zn_row_list *list, const double *q, const double *r)
{
    ZN_ASSERT(w->set && !list->follow && list->rows > 0);
    int count = list->equations + list->contacts;
    ZN_TRY(zn_grow(&w->island, &w->island_capacity, w->islands + 1, sizeof *w->island));
    int same = w->unit_capacity;
    ZN_TRY(zn_grow(&w->local, &same, w->units + count, sizeof *w->local));
    ZN_TRY(zn_grow(&w->unit, &w->unit_capacity, w->units + count, sizeof *w->unit));
    ZN_TRY(reserve_rows(w, w->rows + list->rows));
    zn_sweep_island island = {.unit = w->units, .units = count, .first = w->rows, .rows = list->rows, .dof = w->dofs};
    for (int k = 0; k < list->equations; k++)
        ZN_TRY(add_unit(w, list->row[k], 1, -1, q + k, r + k));
    for (int c = 0; c < list->contacts; c++) {
        int k = list->first[c], rows = list->mu[c] > 0 ? list->first[c + 1] - k : 1;
        ZN_TRY(add_unit(w, list->row[k], rows, list->mu[c], q + k, r + k));
    }
    island.dofs = w->dofs - island.dof;
    island.rows = w->rows - island.first;
    ZN_TRY(zn_island_chunks_make(w, &island));
    w->island[w->islands++] = island;
    return ZN_OK;
}

// --- sweeps --------------------------------------------------------------------------------------

// Of an even unit: the weighted motion of its nodes, and how an impulse moves them. Most have five of them, a node and
// the corners of a facet: loops that the compiler writes out.
ZN_INLINE void gather_some(int nodes, const int *place, const double *weight, const double *d, double *out)
{
    zn_four sum = weight[0] * *(const zn_four *)(d + place[0]);
    for (int k = 1; k < nodes; k++)
        sum += weight[k] * *(const zn_four *)(d + place[k]);
    *(zn_four *)out = sum;
}

ZN_INLINE void spread_some(int nodes, const int *place, const double *share, const double *push, double *d)
{
    zn_four p = *(const zn_four *)push;
    for (int k = 0; k < nodes; k++)
        *(zn_four *)(d + place[k]) += share[k] * p;
}

ZN_INLINE void gather(const zn_sweeps *w, const zn_sweep_unit *u, double *out)
{
    const int    *place = w->place + u->place;
    const double *weight = w->value + u->value;
    if (u->entries == 5)
        gather_some(5, place, weight, w->moved, out);
    else
        gather_some(u->entries, place, weight, w->moved, out);
}

ZN_INLINE void spread(const zn_sweeps *w, const zn_sweep_unit *u, const double *r)
{
    const int     *place = w->place + u->place;
    const double  *share = w->value + u->value + u->entries;
    const zn_four *D = (const zn_four *)u->W;
    zn_four        p = r[0] * D[0];
    if (u->rows == 3)
        p += r[1] * D[1] + r[2] * D[2];
    if (u->entries == 5)
        spread_some(5, place, share, (const double *)&p, w->moved);
    else
        spread_some(u->entries, place, share, (const double *)&p, w->moved);
}

// d += M^-1 G' r of one unit
ZN_INLINE void respond(const zn_sweeps *w, const zn_sweep_unit *u, const double *r)
{
    const int    *place = w->place + u->place;
    const double *g = w->value + u->value, *inverse = w->inverse;
    double       *d = w->moved;
    if (u->even) {
        spread(w, u, r);
        return;
    }
    const double *y = g + (u->turned ? u->rows * u->entries : 0);
    for (int k = 0; k < u->entries; k++) {
        double sum = 0;
        for (int i = 0; i < u->rows; i++)
            sum += y[i * u->entries + k] * r[i];
        d[place[k]] += (u->turned ? 1 : inverse[place[k]]) * sum;
    }
}

// u = q + G d of one unit
ZN_INLINE void measure(const zn_sweeps *w, const zn_sweep_unit *u, const double *q, double *out)
{
    const int    *place = w->place + u->place;
    const double *g = w->value + u->value, *d = w->moved;
    if (u->even) {
        double sum[ZN_SWEEP_LANES];
        gather(w, u, sum);
        for (int i = 0; i < u->rows; i++)
            out[i] = q[i] + zn_sweep_dot(u->W + ZN_SWEEP_LANES * i, sum);
        return;
    }
    for (int i = 0; i < u->rows; i++, g += u->entries) {
        double sum = q[i];
        for (int k = 0; k < u->entries; k++)
            sum += g[k] * d[place[k]];
        out[i] = sum;
    }
}

// W = 1: the normal alone, and tangents in the disk it allows.
ZN_INLINE void solve_even(int rows, double mu, const double *q, double *r)
{
    r[0] = q[0] < 0 ? -q[0] : 0;
    if (rows == 1)
        return;
    double most = mu * r[0], square = q[1] * q[1] + q[2] * q[2];
    double keep = square > most * most ? most / sqrt(square) : 1;
    r[1] = -keep * q[1];
    r[2] = -keep * q[2];
}

// The unit by itself. False: it has no solution, and r stays.
ZN_INLINE bool solve_unit(const zn_sweep_unit *u, const zn_fc_local *local, const double *q, double *r)
{
    if (u->even) {
        solve_even(u->rows, u->mu, q, r);
        return true;
    }
    if (u->rows == 3)
        return zn_fc_solve_local(local, q, u->mu, ZN_FC_EXACTLY, r);
    if (u->mu >= 0)
        return zn_fc_solve_contact(u->rows, u->W, 3, q, u->mu, r);
    if (!(u->W[0] > 0))
        return q[0] == 0;
    r[0] = -q[0] / u->W[0];
    return true;
}

// A unit with W = 1 and its normal alone.
ZN_INLINE double relax_normal(const zn_sweeps *w, const zn_sweep_unit *u)
{
    double *r = w->r + u->first, sum[ZN_SWEEP_LANES];
    gather(w, u, sum);
    double next = *r - (w->q[u->first] + zn_sweep_dot(u->W, sum)), change = (next > 0 ? next : 0) - *r;
    if (change == 0)
        return 0;
    *r = next > 0 ? next : 0;
    spread(w, u, &change);
    return change * change;
}

// One unit of a sweep: the square of its change; infinite where it has no solution.
ZN_INLINE double relax(const zn_sweeps *w, const zn_sweep_unit *u)
{
    double *r = w->r + u->first, q[3], change[3], square = 0;
    measure(w, u, w->q + u->first, q);
    for (int i = 0; i < u->rows; i++) {
        change[i] = r[i];
        if (u->even)
            q[i] -= r[i];
        for (int j = 0; j < u->rows && !u->even; j++)
            q[i] -= u->W[3 * i + j] * r[j];
    }
    if (!solve_unit(u, w->local + (u - w->unit), q, r))
        return INFINITY;
    for (int i = 0; i < u->rows; i++) {
        change[i] = r[i] - change[i];
        square += change[i] * change[i];
    }
    if (square > 0)
        respond(w, u, change);
    return square;
}

// Units of a sweep; the largest square of a change, in units where W is about 1. Units that come one after the other
// mostly share nodes: it goes on by three, so that a processor need not wait for the last one.
ZN_WIDE static double sweep_some(const zn_sweeps *w, int unit, int units)
{
    enum { STRIDE = 3 };
    double largest = 0;
    for (int first = 0; first < STRIDE; first++)
        for (int k = first; k < units; k += STRIDE) {
            const zn_sweep_unit *u = &w->unit[unit + k];
            double               square = u->even && u->rows == 1 ? relax_normal(w, u) : relax(w, u);
            largest = square > largest ? square : largest;
        }
    return largest;
}

static void sweep_chunk(void *user, int k)
{
    const zn_sweeps *w = user;
    w->chunk[k].worst = sweep_some(w, w->chunk[k].unit, w->chunk[k].units);
}

// One sweep; the largest change of a unit.
static double sweep(zn_sweeps *w, const zn_sweep_island *island)
{
    double largest = 0;
    zn_island_chunks_run(w, island, true, sweep_chunk, w);
    for (int k = island->chunk; k < island->chunk + island->chunks; k++)
        largest = w->chunk[k].worst > largest ? w->chunk[k].worst : largest;
    return sqrt(largest);
}

// Of rows of an island: x in, its motion; W x out, where it is asked for.
typedef struct product {
    const zn_sweeps *w;
    int              first;
    const double    *x;
    double          *out;
} product;

ZN_WIDE static void respond_some(const zn_sweeps *w, int unit, int units, int first, const double *x)
{
    for (int k = unit; k < unit + units; k++)
        respond(w, &w->unit[k], x + w->unit[k].first - first);
}

ZN_WIDE static void measure_some(const zn_sweeps *w, int unit, int units, int first, double *out)
{
    static const double none[3] = {0, 0, 0};
    for (int k = unit; k < unit + units; k++)
        measure(w, &w->unit[k], none, out + w->unit[k].first - first);
}

static void respond_chunk(void *user, int k)
{
    const product        *p = user;
    const zn_sweep_chunk *c = &p->w->chunk[k];
    respond_some(p->w, c->unit, c->units, p->first, p->x);
}

static void measure_chunk(void *user, int k)
{
    const product        *p = user;
    const zn_sweep_chunk *c = &p->w->chunk[k];
    measure_some(p->w, c->unit, c->units, p->first, p->out);
}

// d = M^-1 G' x
static void respond_all(const zn_sweeps *w, const zn_sweep_island *island, const double *x)
{
    product p = {w, island->first, x, NULL};
    memset(w->moved + island->dof, 0, sizeof *w->moved * (size_t)island->dofs);
    zn_island_chunks_run(w, island, true, respond_chunk, &p);
}

void zn_sweeps_multiply(const zn_sweeps *w, const zn_sweep_island *island, const double *x, double *out)
{
    product p = {w, island->first, x, out};
    respond_all(w, island, x);
    zn_island_chunks_run(w, island, false, measure_chunk, &p);
}

// --- the judge -----------------------------------------------------------------------------------

// d from the rows of the set themselves.
static void respond_by_rows(void *user, int chunk)
{
    const zn_sweeps      *w = user;
    const zn_contact_set *set = w->set;
    for (int k = w->chunk[chunk].unit; k < w->chunk[chunk].unit + w->chunk[chunk].units; k++) {
        const zn_sweep_unit *u = &w->unit[k];
        for (int i = 0; i < u->rows; i++) {
            double r = u->scale * w->r[u->first + i];
            for (int e = set->row_start[u->row + i]; e < set->row_start[u->row + i + 1] && r != 0; e++) {
                int dof = set->row_dof[e], triad = w->triad_of[dof];
                if (dof >= w->mass->n)
                    continue;
                if (triad < 0)
                    w->moved[w->at[dof]] += w->mass->inverse[dof] * set->row_value[e] * r;
                const zn_lumped_triad *f = triad >= 0 ? &w->mass->triad[triad / 3] : NULL;
                for (int j = 0; f && j < 3; j++)
                    w->moved[w->at[f->dof[j]]] += f->inverse.m[j][triad % 3] * set->row_value[e] * r;
            }
        }
    }
}

// Without a call, as fmax is one.
ZN_INLINE double larger(double a, double b) { return b > a ? b : a; }

static double violation_of(const zn_sweep_unit *u, const double *r, const double *v)
{
    return u->mu < 0 ? fabs(v[0]) : zn_fc_natural_map(u->rows, u->mu, 1, r, v);
}

// What the units of a chunk leave of the law, how large their terms are and the data.
static void judge_chunk(void *user, int chunk)
{
    const zn_sweeps      *w = user;
    const zn_contact_set *set = w->set;
    zn_sweep_chunk       *c = &w->chunk[chunk];
    double                worst = 0, scale = 0, data = 0;
    for (int k = c->unit; k < c->unit + c->units; k++) {
        const zn_sweep_unit *u = &w->unit[k];
        const double        *q = w->q + u->first, *r = w->r + u->first;
        double               v[3], violation;
        for (int i = 0; i < u->rows; i++) {
            double sum = 0;
            for (int e = set->row_start[u->row + i]; e < set->row_start[u->row + i + 1]; e++)
                if (set->row_dof[e] < w->mass->n)
                    sum += set->row_value[e] * w->moved[w->at[set->row_dof[e]]];
            sum *= u->scale;
            v[i] = q[i] + sum;
            scale = larger(scale, fabs(q[i]) + fabs(sum));
            data = larger(data, fabs(q[i]));
        }
        violation = violation_of(u, r, v);
        worst = violation > worst || isnan(violation) ? violation : worst;
    }
    c->worst = worst;
    c->scale = scale;
    c->data = data;
}

// zn_fc_residual of r, with |W r| in place of the sum of |W_ij r_j| in its scale: never less.
double zn_sweeps_judge(const zn_sweeps *w, const zn_sweep_island *island)
{
    const double most_growth = 1e3;
    double       worst = 0, scale = 0, data = 0;
    memset(w->moved + island->dof, 0, sizeof *w->moved * (size_t)island->dofs);
    zn_island_chunks_run(w, island, true, respond_by_rows, (void *)w);
    zn_island_chunks_run(w, island, false, judge_chunk, (void *)w);
    for (const zn_sweep_chunk *c = w->chunk + island->chunk; c < w->chunk + island->chunk + island->chunks; c++) {
        worst = c->worst > worst || isnan(c->worst) ? c->worst : worst;
        scale = larger(scale, c->scale);
        data = larger(data, c->data);
    }
    scale = data > 0 ? fmin(scale, most_growth * data) : scale;
    return scale > 0 ? worst / scale : worst;
}

// --- an island -----------------------------------------------------------------------------------

// The multiple of the warm start for which r'Wr/2 + q'r is least, up to twice of it: after an impact the last impulses
// have the wrong size. What is near an answer stays. Returns the largest |q|.
ZN_WIDE static double scale_start(const zn_sweeps *w, const zn_sweep_island *island)
{
    const double near = 0.03;
    double       square = 0, linear = 0, data = 0, worst = 0;
    respond_all(w, island, w->r + island->first);
    for (int k = island->unit; k < island->unit + island->units; k++) {
        const zn_sweep_unit *u = &w->unit[k];
        const double        *q = w->q + u->first, *r = w->r + u->first;
        double               v[3];
        measure(w, u, q, v);
        for (int i = 0; i < u->rows; i++) {
            square += r[i] * (v[i] - q[i]);
            linear += r[i] * q[i];
            data = larger(data, fabs(q[i]));
        }
        worst = larger(worst, violation_of(u, r, v));
    }
    double factor = square > 0 && worst > near * data ? fmin(fmax(-linear / square, 0), 2) : 1;
    for (int i = 0; i < island->rows; i++)
        w->r[island->first + i] *= factor;
    for (int i = 0; i < island->dofs; i++)
        w->moved[island->dof + i] *= factor;
    return data;
}

bool zn_sweeps_are_smooth(const zn_sweeps *w, const zn_sweep_island *island)
{
    for (int k = island->unit; k < island->unit + island->units; k++)
        if (w->unit[k].rows != 1 || w->unit[k].mu < 0)
            return false;
    return true;
}

// How many more it takes from `change` to `enough` at the rate of the last `sweeps`; `before` is infinite at first.
static double sweeps_left(double before, double change, int sweeps, double enough)
{
    if (!(change > enough) || isinf(before))
        return 0;
    return change < before ? sweeps * zn_ln(change / enough) / zn_ln(before / change) : INFINITY;
}

static void solve_island(void *user, int number)
{
    enum { SWEEPS = 1000, PATIENCE = 50, WINDOW = 24, SLOW = 300 };
    zn_sweeps       *w = user;
    zn_sweep_island *island = &w->island[number];
    zn_anderson      h;
    double           scale = scale_start(w, island), enough = w->tolerance, least = INFINITY, before = INFINITY;
    bool             smooth = zn_sweeps_are_smooth(w, island);
    zn_anderson_begin(island->rows, w->history + (size_t)ZN_ANDERSON_VECTORS * (size_t)island->first, &h);
    island->status = ZN_NOT_CONVERGED;
    island->residual = INFINITY;
    for (int since = 0; island->iterations < SWEEPS && since < PATIENCE; since++) {
        island->iterations++;
        zn_anderson_leave(&h, w->r + island->first);
        double change = sweep(w, island);
        if (!isfinite(change))
            return;
        if (change <= enough * scale) {
            island->residual = zn_sweeps_judge(w, island);
            if (island->residual <= w->tolerance) {
                island->status = ZN_OK;
                return;
            }
            enough = 0.25 * change / scale;
        }
        if (smooth && island->iterations % WINDOW == 1) {
            if (sweeps_left(before, change, WINDOW, w->tolerance * scale) >
                SLOW) { // rows that nearly repeat each other
                if (zn_island_gradients_suit(w, island))
                    zn_island_gradients_solve(w, island);
                return;
            }
            before = change;
        }
        if (change < 0.5 * least) {
            least = change;
            since = 0;
        }
        if (zn_anderson_mix(&h, w->r + island->first))
            respond_all(w, island, w->r + island->first);
    }
}

// Islands of one chunk each by a thread.
static void solve_small(void *user, int number)
{
    if (((zn_sweeps *)user)->island[number].chunks == 1)
        solve_island(user, number);
}

void zn_sweeps_run(zn_sweeps *w, zn_team *team)
{
    w->team = team;
    zn_team_run(team, 0, w->islands, solve_small, w);
    for (int k = 0; k < w->islands; k++)
        if (w->island[k].chunks > 1)
            solve_island(w, k);
}

void zn_sweeps_apply(const zn_sweeps *w, int k, double *v, double *P)
{
    const zn_sweep_island *island = &w->island[k];
    ZN_ASSERT(k >= 0 && k < w->islands && island->status == ZN_OK);
    for (int i = island->dof; i < island->dof + island->dofs; i++)
        if (w->dof[i] >= 0)
            v[w->dof[i]] += w->moved[i];
    for (int i = island->unit; i < island->unit + island->units; i++) {
        const zn_sweep_unit *u = &w->unit[i];
        for (int r = 0; r < w->set->stride; r++)
            P[u->row + r] = r < u->rows ? u->scale * w->r[u->first + r] : 0;
    }
}
