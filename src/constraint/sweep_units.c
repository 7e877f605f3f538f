// Units of sweeps: where they act, and with what weights. See island_sweeps.h.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "constraint/island_sweeps.h"

static void add_gap(zn_sweeps *w)
{
    w->dof[w->dofs] = -1;
    w->inverse[w->dofs++] = 0;
}

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

// Place of the three directions of a node, from a multiple of four on, -1 when they have places of another kind; there
// is room.
static int place_of_node(zn_sweeps *w, const int *dof)
{
    int first = w->at[dof[0]];
    if (first >= 0)
        return first % ZN_SWEEP_LANES == 0 && w->at[dof[1]] == first + 1 && w->at[dof[2]] == first + 2 ? first : -1;
    if (w->at[dof[1]] >= 0 || w->at[dof[2]] >= 0)
        return -1;
    while (w->dofs % ZN_SWEEP_LANES != 0)
        add_gap(w);
    first = w->dofs;
    for (int i = 0; i < 3; i++)
        place_of(w, dof[i]);
    add_gap(w);
    return first;
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
            D[ZN_SWEEP_LANES * r + i] = g[r][i] / length[r];
    }
    for (int r = 0; r < u->rows; r++)
        for (int s = 0; s < r; s++)
            if (!(fabs(zn_sweep_dot(D + ZN_SWEEP_LANES * r, D + ZN_SWEEP_LANES * s)) <= closeness))
                return false;
    for (int e = 0; e < entries; e += 3) {
        const int *dof = set->row_dof + start + e;
        double     own = zn_sweep_dot(g[0] + e, D);
        if (dof[0] >= w->mass->n && dof[1] >= w->mass->n && dof[2] >= w->mass->n)
            continue;
        for (int i = 0; i < 3; i++) {
            if (w->triad_of[dof[i]] >= 0 || inverse[dof[i]] != inverse[dof[0]] || dof[i] >= w->mass->n)
                return false;
            for (int r = 0; r < u->rows; r++)
                if (!(fabs(g[r][e + i] - own * D[ZN_SWEEP_LANES * r + i]) <= closeness * length[0]))
                    return false;
        }
        int first = place_of_node(w, dof);
        if (first < 0)
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
    if (!is_even(w, u, weight)) // no directions then
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

void zn_sweep_unit_make(zn_sweeps *w, zn_sweep_unit *u)
{
    ZN_ASSERT(u->rows >= 1 && u->rows <= 3);
    if (!make_even(w, u))
        make_any(w, u);
}
