// Sweeps over the contacts of large islands. See island_sweeps.h.
#include "constraint/island_sweeps.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
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
    free(w->moved);
    free(w->ends);
    free(w->inverse);
    free(w->r);
    free(w->q);
    free(w->history);
    *w = (zn_sweeps){0};
}

void zn_sweeps_clear(zn_sweeps *w, const zn_contact_set *set)
{
    for (int i = 0; i < w->dofs; i++)
        w->at[w->dof[i]] = -1;
    w->set = set;
    w->islands = w->units = w->places = w->values = w->dofs = w->rows = 0;
}

static zn_status reserve_dofs(zn_sweeps *w, int count)
{
    int same[2] = {w->dof_capacity, w->dof_capacity}, ends = ZN_SWEEP_ENDS * w->dof_capacity; // arrays that grow alike
    ZN_TRY(zn_grow(&w->ends, &ends, ZN_SWEEP_ENDS * count, sizeof *w->ends));
    ZN_TRY(zn_grow(&w->moved, &same[0], count, sizeof *w->moved));
    ZN_TRY(zn_grow(&w->inverse, &same[1], count, sizeof *w->inverse));
    return zn_grow(&w->dof, &w->dof_capacity, count, sizeof *w->dof);
}

static zn_status reserve_rows(zn_sweeps *w, int count)
{
    int same = w->row_capacity, vectors = ZN_ANDERSON_VECTORS * w->row_capacity;
    ZN_TRY(zn_grow(&w->r, &same, count, sizeof *w->r));
    ZN_TRY(zn_grow(&w->history, &vectors, ZN_ANDERSON_VECTORS * count, sizeof *w->history));
    return zn_grow(&w->q, &w->row_capacity, count, sizeof *w->q);
}

// --- units ---------------------------------------------------------------------------------------

// Place of a degree of freedom that moves; there is room.
static int place_of(zn_sweeps *w, int dof)
{
    if (w->at[dof] >= 0)
        return w->at[dof];
    w->dof[w->dofs] = dof;
    w->inverse[w->dofs] = w->mass->inverse[dof];
    w->at[dof] = w->dofs;
    return w->dofs++;
}

// A unit with a normal, or with a normal and two tangents, that acts on whole nodes with one weight each, all of whose
// masses are equal in three directions: the weights, or false. Its first node gives the directions.
static bool is_even(zn_sweeps *w, zn_sweep_unit *u, double *weight)
{
    const zn_contact_set *set = w->set;
    const double         *inverse = w->mass->inverse;
    int                   start = set->row_start[u->row], entries = set->row_start[u->row + 1] - start, nodes = 0;
    const double         *g[3];
    double               *D = u->W, length[3], closeness = 8 * DBL_EPSILON;
    if (u->rows == 2 || u->mu < 0 || entries % 3 != 0 || entries == 0)
        return false;
    for (int r = 0; r < u->rows; r++) {
        g[r] = set->row_value + set->row_start[u->row + r];
        length[r] = sqrt(g[r][0] * g[r][0] + g[r][1] * g[r][1] + g[r][2] * g[r][2]);
        for (int i = 0; i < 3; i++)
            D[3 * r + i] = g[r][i] / length[r];
    }
    for (int r = 0; r < u->rows; r++)
        for (int s = 0; s < r; s++)
            if (!(fabs(D[3 * r] * D[3 * s] + D[3 * r + 1] * D[3 * s + 1] + D[3 * r + 2] * D[3 * s + 2]) <= closeness))
                return false;
    for (int e = 0; e < entries; e += 3) {
        const int *dof = set->row_dof + start + e;
        double     own = g[0][e] * D[0] + g[0][e + 1] * D[1] + g[0][e + 2] * D[2];
        if (dof[0] >= w->mass->n && dof[1] >= w->mass->n && dof[2] >= w->mass->n)
            continue;
        for (int i = 0; i < 3; i++) {
            if (w->triad_of[dof[i]] >= 0 || inverse[dof[i]] != inverse[dof[0]] || dof[i] >= w->mass->n)
                return false;
            for (int r = 0; r < u->rows; r++)
                if (!(fabs(g[r][e + i] - own * D[3 * r + i]) <= closeness * length[0]))
                    return false;
        }
        int first = place_of(w, dof[0]), second = place_of(w, dof[1]), third = place_of(w, dof[2]);
        if (second != first + 1 || third != first + 2)
            return false;
        w->place[u->place + nodes] = first;
        weight[nodes++] = own;
    }
    u->entries = nodes;
    return true;
}

// Its directions, and weights in units where W = 1.
static bool make_even(zn_sweeps *w, zn_sweep_unit *u)
{
    double *weight = w->value + u->value, W = 0;
    if (!is_even(w, u, weight))
        return false;
    for (int k = 0; k < u->entries; k++)
        W += weight[k] * weight[k] * w->inverse[w->place[u->place + k]];
    if (!(W > 0))
        return false;
    u->even = true;
    u->scale = 1 / sqrt(W);
    for (int k = 0; k < u->entries; k++) {
        weight[k] *= u->scale;
        weight[u->entries + k] = weight[k] * w->inverse[w->place[u->place + k]];
    }
    w->values += 2 * u->entries;
    w->places += u->entries;
    return true;
}

// The degrees of freedom that move with those of a row: all of a triad.
static void place_entries(zn_sweeps *w, zn_sweep_unit *u)
{
    const zn_contact_set *set = w->set;
    u->entries = 0;
    u->turned = false;
    for (int e = set->row_start[u->row]; e < set->row_start[u->row + 1]; e++) {
        int        dof = set->row_dof[e], triad = w->triad_of[dof], count = triad >= 0 ? 3 : 1;
        const int *own = triad >= 0 ? w->mass->triad[triad / 3].dof : &dof;
        if (dof >= w->mass->n)
            continue;
        u->turned |= triad >= 0;
        for (int i = 0; i < count; i++) {
            int place = place_of(w, own[i]), k = 0;
            while (k < u->entries && w->place[u->place + k] != place)
                k++;
            w->place[u->place + k] = place;
            u->entries += k == u->entries;
        }
    }
}

// g of row r at the places of the unit, and M^-1 g behind all of them.
static void write_row(zn_sweeps *w, const zn_sweep_unit *u, int r)
{
    const zn_contact_set *set = w->set;
    const int            *place = w->place + u->place;
    double               *g = w->value + u->value + r * u->entries, *y = g + u->rows * u->entries;
    memset(g, 0, sizeof *g * (size_t)u->entries);
    for (int e = set->row_start[u->row + r]; e < set->row_start[u->row + r + 1]; e++) {
        int k = 0;
        if (set->row_dof[e] >= w->mass->n)
            continue;
        while (place[k] != w->at[set->row_dof[e]])
            k++;
        g[k] += set->row_value[e];
    }
    for (int k = 0; k < u->entries && u->turned; k++) {
        int triad = w->triad_of[w->dof[place[k]]];
        y[k] = triad < 0 ? w->inverse[place[k]] * g[k] : 0;
        for (int l = 0; l < u->entries && triad >= 0; l++) {
            int other = w->triad_of[w->dof[place[l]]];
            if (other >= 0 && other / 3 == triad / 3)
                y[k] += w->mass->triad[triad / 3].inverse.m[triad % 3][other % 3] * g[l];
        }
    }
}

// G_r M^-1 G_s' of a unit that is not even.
static double block_of(const zn_sweeps *w, const zn_sweep_unit *u, int r, int s)
{
    const double *g = w->value + u->value + r * u->entries, *h = w->value + u->value + s * u->entries;
    const int    *place = w->place + u->place;
    double        sum = 0;
    for (int k = 0; k < u->entries; k++)
        sum += g[k] * (u->turned ? h[u->rows * u->entries + k] : w->inverse[place[k]] * h[k]);
    return sum;
}

static void make_any(zn_sweeps *w, zn_sweep_unit *u)
{
    double trace = 0;
    place_entries(w, u);
    for (int r = 0; r < u->rows; r++)
        write_row(w, u, r);
    for (int r = 0; r < u->rows; r++)
        trace += block_of(w, u, r, r);
    u->scale = trace > 0 ? 1 / sqrt(trace / u->rows) : 1;
    int values = (u->turned ? 2 : 1) * u->rows * u->entries;
    for (int k = 0; k < values; k++)
        w->value[u->value + k] *= u->scale;
    for (int r = 0; r < u->rows; r++)
        for (int s = 0; s < u->rows; s++)
            u->W[3 * r + s] = block_of(w, u, r, s);
    if (u->rows == 3)
        w->local[u - w->unit] = zn_fc_local_of(u->W, 3);
    w->places += u->entries;
    w->values += values;
}

static zn_status add_unit(zn_sweeps *w, int row, int rows, double mu, const double *q, const double *r)
{
    int entries = 3 * (w->set->row_start[row + 1] - w->set->row_start[row]); // triads have three for one
    ZN_TRY(zn_grow(&w->place, &w->place_capacity, w->places + entries, sizeof *w->place));
    ZN_TRY(zn_grow(&w->value, &w->value_capacity, w->values + 6 * entries, sizeof *w->value));
    ZN_TRY(reserve_dofs(w, w->dofs + entries));
    zn_sweep_unit *u = &w->unit[w->units++];
    *u = (zn_sweep_unit){.row = row, .rows = rows, .first = w->rows, .place = w->places, .value = w->values, .mu = mu};
    if (!make_even(w, u))
        make_any(w, u);
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
    w->island[w->islands++] = island;
    return ZN_OK;
}

// --- sweeps --------------------------------------------------------------------------------------

// d += M^-1 G' r of one unit
static inline void respond(const zn_sweeps *w, const zn_sweep_unit *u, const double *r)
{
    const int    *place = w->place + u->place;
    const double *g = w->value + u->value, *inverse = w->inverse;
    double       *d = w->moved;
    if (u->even) {
        const double *D = u->W, *share = g + u->entries;
        double        p[3] = {r[0] * D[0], r[0] * D[1], r[0] * D[2]};
        for (int i = 0; i < 3 && u->rows == 3; i++)
            p[i] += r[1] * D[3 + i] + r[2] * D[6 + i];
        for (int k = 0; k < u->entries; k++) {
            double *to = d + place[k], own = share[k];
            to[0] += own * p[0];
            to[1] += own * p[1];
            to[2] += own * p[2];
        }
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
static inline void measure(const zn_sweeps *w, const zn_sweep_unit *u, const double *q, double *out)
{
    const int    *place = w->place + u->place;
    const double *g = w->value + u->value, *d = w->moved;
    if (u->even) {
        double x = 0, y = 0, z = 0;
        for (int k = 0; k < u->entries; k++) {
            const double *from = d + place[k];
            x += g[k] * from[0];
            y += g[k] * from[1];
            z += g[k] * from[2];
        }
        for (int i = 0; i < u->rows; i++)
            out[i] = q[i] + u->W[3 * i] * x + u->W[3 * i + 1] * y + u->W[3 * i + 2] * z;
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
static void solve_even(int rows, double mu, const double *q, double *r)
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
static bool solve_unit(const zn_sweep_unit *u, const zn_fc_local *local, const double *q, double *r)
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

// One unit of a sweep: the square of its change; infinite where it has no solution.
static double relax(const zn_sweeps *w, const zn_sweep_unit *u)
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

// One sweep; the largest change of a unit, in units where W is about 1. Units that come one after the other mostly
// share nodes: it goes on by three, so that a processor need not wait for the last one.
static double sweep(const zn_sweeps *w, const zn_sweep_island *island)
{
    enum { STRIDE = 3 };
    double largest = 0;
    for (int first = 0; first < STRIDE; first++)
        for (int k = first; k < island->units; k += STRIDE) {
            double square = relax(w, &w->unit[island->unit + k]);
            largest = square > largest ? square : largest;
        }
    return sqrt(largest);
}

// d = M^-1 G' r
static void respond_all(const zn_sweeps *w, const zn_sweep_island *island)
{
    memset(w->moved + island->dof, 0, sizeof *w->moved * (size_t)island->dofs);
    for (int k = island->unit; k < island->unit + island->units; k++)
        respond(w, &w->unit[k], w->r + w->unit[k].first);
}

// --- the judge -----------------------------------------------------------------------------------

// d from the rows of the set themselves.
static void respond_by_rows(const zn_sweeps *w, const zn_sweep_island *island)
{
    const zn_contact_set *set = w->set;
    memset(w->moved + island->dof, 0, sizeof *w->moved * (size_t)island->dofs);
    for (int k = island->unit; k < island->unit + island->units; k++) {
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

static double violation_of(const zn_sweep_unit *u, const double *r, const double *v)
{
    return u->mu < 0 ? fabs(v[0]) : zn_fc_natural_map(u->rows, u->mu, 1, r, v);
}

// zn_fc_residual of r, with |W r| in place of the sum of |W_ij r_j| in its scale: never less.
static double judge(const zn_sweeps *w, const zn_sweep_island *island)
{
    const double          most_growth = 1e3;
    const zn_contact_set *set = w->set;
    double                worst = 0, scale = 0, data = 0;
    respond_by_rows(w, island);
    for (int k = island->unit; k < island->unit + island->units; k++) {
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
            scale = fmax(scale, fabs(q[i]) + fabs(sum));
            data = fmax(data, fabs(q[i]));
        }
        violation = violation_of(u, r, v);
        worst = violation > worst || isnan(violation) ? violation : worst;
    }
    scale = data > 0 ? fmin(scale, most_growth * data) : scale;
    return scale > 0 ? worst / scale : worst;
}

// --- an island -----------------------------------------------------------------------------------

// The multiple of the warm start for which r'Wr/2 + q'r is least, up to twice of it: after an impact the last impulses
// have the wrong size. What is near an answer stays. Returns the largest |q|.
static double scale_start(const zn_sweeps *w, const zn_sweep_island *island)
{
    const double near = 0.03;
    double       square = 0, linear = 0, data = 0, worst = 0;
    respond_all(w, island);
    for (int k = island->unit; k < island->unit + island->units; k++) {
        const zn_sweep_unit *u = &w->unit[k];
        const double        *q = w->q + u->first, *r = w->r + u->first;
        double               v[3];
        measure(w, u, q, v);
        for (int i = 0; i < u->rows; i++) {
            square += r[i] * (v[i] - q[i]);
            linear += r[i] * q[i];
            data = fmax(data, fabs(q[i]));
        }
        worst = fmax(worst, violation_of(u, r, v));
    }
    double factor = square > 0 && worst > near * data ? fmin(fmax(-linear / square, 0), 2) : 1;
    for (int i = 0; i < island->rows; i++)
        w->r[island->first + i] *= factor;
    for (int i = 0; i < island->dofs; i++)
        w->moved[island->dof + i] *= factor;
    return data;
}

// What the start of the next sweep is to impulses, d is to d: it is linear in them. The differences of d are those of
// the ends of the last sweeps, in the places that the impulses have theirs.
static void mix_motion(const zn_sweeps *w, const zn_sweep_island *island, zn_anderson *h)
{
    size_t  n = (size_t)island->dofs;
    double *last = w->ends + ZN_SWEEP_ENDS * (size_t)island->dof, *d = w->moved + island->dof;
    double *new = last + (size_t)(1 + h->next) * n, *first = last + n, *second = first + n;
    bool begun = !h->empty;
    for (size_t i = 0; i < n; i++) {
        new[i] = begun ? d[i] - last[i] : 0;
        last[i] = d[i];
    }
    if (!zn_anderson_mix(h, w->r + island->first))
        return;
    for (size_t i = 0; i < n; i++)
        d[i] -= h->c[0] * first[i] + h->c[1] * second[i];
}

static void solve_island(void *user, int number)
{
    enum { SWEEPS = 1000, PATIENCE = 50 };
    const zn_sweeps *w = user;
    zn_sweep_island *island = &w->island[number];
    zn_anderson      h;
    double           scale = scale_start(w, island), enough = w->tolerance, least = INFINITY;
    zn_anderson_begin(island->rows, w->history + (size_t)ZN_ANDERSON_VECTORS * (size_t)island->first, &h);
    memset(w->ends + ZN_SWEEP_ENDS * (size_t)island->dof, 0, sizeof *w->ends * ZN_SWEEP_ENDS * (size_t)island->dofs);
    island->status = ZN_NOT_CONVERGED;
    island->residual = INFINITY;
    for (int since = 0; island->iterations < SWEEPS && since < PATIENCE; since++) {
        island->iterations++;
        zn_anderson_leave(&h, w->r + island->first);
        double change = sweep(w, island);
        if (!isfinite(change))
            return;
        if (change <= enough * scale) {
            island->residual = judge(w, island);
            if (island->residual <= w->tolerance) {
                island->status = ZN_OK;
                return;
            }
            enough = 0.25 * change / scale;
        }
        if (change < 0.5 * least) {
            least = change;
            since = 0;
        }
        mix_motion(w, island, &h);
    }
}

void zn_sweeps_run(zn_sweeps *w, zn_team *team) { zn_team_run(team, 0, w->islands, solve_island, w); }

void zn_sweeps_apply(const zn_sweeps *w, int k, double *v, double *P)
{
    const zn_sweep_island *island = &w->island[k];
    ZN_ASSERT(k >= 0 && k < w->islands && island->status == ZN_OK);
    for (int i = island->dof; i < island->dof + island->dofs; i++)
        v[w->dof[i]] += w->moved[i];
    for (int i = island->unit; i < island->unit + island->units; i++) {
        const zn_sweep_unit *u = &w->unit[i];
        for (int r = 0; r < w->set->stride; r++)
            P[u->row + r] = r < u->rows ? u->scale * w->r[u->first + r] : 0;
    }
}
