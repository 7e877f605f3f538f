// Contacts that hold: q + W z = 0 for those that are closed, W = G A^-1 G' singular where they repeat each other. As in
// stick.c proximal points are followed, with D the diagonal of W and e small,
//     (W + e D) dz = -(q + W z),   z <- z + dz,
// which leaves z as it is where W does not decide. W is never made: with dv = A^-1 G'z,
//     q + W z = q + G dv,   (W + e D)^-1 r = D^-1 (r - G y)/e,   (A + G'D^-1 G/e) y = G'D^-1 r/e.
// The last matrix has a row for each degree of freedom and a block for every two bodies that touch. It is factored by
// Cholesky's method inside its envelope, bodies in the order of Cuthill and McKee. What is not symmetric in A (the
// gyroscopic part) is left out of it: corrections are found by it, residuals not.
#include "constraint/hold.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

enum { DOFS = ZN_NODE_DOFS, ROUNDS = 8, SETS = 4 };
static const double weight = 1e-8; // e
static const double near = 0.5;    // of the velocities without impulses that a warm start may leave
static const double dear = 5e7;    // operations of a factorization that nobody waits for

void zn_hold_destroy(zn_hold *h)
{
    free(h->place);
    free(h->queue);
    free(h->first);
    free(h->row);
    free(h->y);
    free(h->closed);
    free(h->diagonal);
    free(h->residual);
    free(h->answer);
    free(h->factor);
    *h = (zn_hold){0};
}

static zn_status reserve(zn_hold *h, const zn_node_blocks *b, int rows)
{
    int same[7] = {h->nodes, h->nodes, h->nodes, h->nodes, h->nodes * DOFS, h->rows, h->rows};
    ZN_TRY(zn_grow(&h->place, &same[0], b->nodes, sizeof *h->place));
    ZN_TRY(zn_grow(&h->queue, &same[1], b->nodes, sizeof *h->queue));
    ZN_TRY(zn_grow(&h->first, &same[2], b->nodes, sizeof *h->first));
    ZN_TRY(zn_grow(&h->row, &same[3], b->nodes + 1, sizeof *h->row));
    ZN_TRY(zn_grow(&h->y, &same[4], b->nodes * DOFS + 1, sizeof *h->y));
    h->nodes = b->nodes;
    ZN_TRY(zn_grow(&h->closed, &h->units, b->units, sizeof *h->closed));
    ZN_TRY(zn_grow(&h->diagonal, &same[5], rows, sizeof *h->diagonal));
    ZN_TRY(zn_grow(&h->residual, &same[6], rows, sizeof *h->residual));
    return zn_grow(&h->answer, &h->rows, rows, sizeof *h->answer);
}

// --- the order of the bodies ---------------------------------------------------------------------

// The node on the other end of a share's unit; -1: there is none.
static int other_end(const zn_node_blocks *b, const zn_node_share *s)
{
    for (int k = b->share_start[s->unit]; k < b->share_start[s->unit + 1]; k++)
        if (b->share[k].node != s->node)
            return b->share[k].node;
    return -1;
}

static int degree(const zn_node_blocks *b, int node) { return b->node_start[node + 1] - b->node_start[node]; }

// All nodes that `node` leads to, nearest first.
static void follow(zn_hold *h, const zn_node_blocks *b, int node, int *count)
{
    int next = *count;
    h->place[node] = *count;
    h->queue[(*count)++] = node;
    for (; next < *count; next++)
        for (int k = b->node_start[h->queue[next]]; k < b->node_start[h->queue[next] + 1]; k++) {
            const zn_node_share *s = &b->share[b->node_share[k]];
            int                  other = h->closed[s->unit] ? other_end(b, s) : -1;
            if (other < 0 || h->place[other] >= 0)
                continue;
            h->place[other] = *count;
            h->queue[(*count)++] = other;
        }
}

// Places of the nodes that closed units hold; returns their number. Each part begins at its loosest node.
static int order_nodes(zn_hold *h, const zn_node_blocks *b)
{
    int count = 0;
    for (int k = 0; k < b->nodes; k++)
        h->place[k] = -1;
    for (;;) {
        int best = -1;
        for (int k = 0; k < b->nodes; k++)
            if (h->place[k] < 0 && degree(b, k) > 0 && (best < 0 || degree(b, k) < degree(b, best)))
                best = k;
        if (best < 0)
            return count;
        follow(h, b, best, &count);
    }
}

// Rows of the factor from the first neighbour on; false: they are too long.
static zn_status lay_out(zn_hold *h, const zn_node_blocks *b, int count, bool *cheap)
{
    double work = 0;
    size_t entry = 0;
    for (int p = 0; p < count; p++)
        h->first[p] = p;
    for (int u = 0; u < b->units; u++)
        for (int k = b->share_start[u]; h->closed[u] && k < b->share_start[u + 1]; k++) {
            int place = h->place[b->share[k].node], other = other_end(b, &b->share[k]);
            if (other >= 0 && h->place[other] < h->first[place])
                h->first[place] = h->place[other];
        }
    for (int p = 0; p < count; p++) {
        int left = (p - h->first[p]) * DOFS;
        h->row[p] = entry;
        entry += (size_t)(left + DOFS) * DOFS;
        for (int i = 1; i <= DOFS; i++)
            work += (double)(left + i) * (left + i);
    }
    h->row[count] = entry;
    *cheap = work < dear;
    if (!*cheap || entry <= h->entries)
        return ZN_OK;
    size_t  room = entry + entry / 4;
    double *larger = realloc(h->factor, room * sizeof *larger);
    if (!larger)
        return ZN_ERR_MEMORY;
    h->factor = larger;
    h->entries = room;
    return ZN_OK;
}

// --- the matrix of the bodies --------------------------------------------------------------------

// Column j of the six rows of node p, which begin alike and lie beside each other.
static double *column_of(const zn_hold *h, int p, int j)
{
    return h->factor + h->row[p] + (size_t)(j - h->first[p] * DOFS) * DOFS;
}

static void add_blocks(zn_hold *h, const zn_node_blocks *b, int count)
{
    memset(h->factor, 0, h->row[count] * sizeof *h->factor);
    for (int p = 0; p < count; p++) {
        const double *block = b->block + (size_t)h->queue[p] * DOFS * DOFS;
        for (int i = 0; i < DOFS; i++)
            for (int j = 0; j <= i; j++)
                column_of(h, p, p * DOFS + j)[i] = 0.5 * (block[i * DOFS + j] + block[j * DOFS + i]);
    }
}

// += row_s' row_t of two shares of a unit, where that is not above the diagonal; `row` are those of s, divided by e D.
static void add_product(zn_hold *h, const zn_node_share *s, const zn_node_share *t, int rows, double row[3][DOFS])
{
    int ps = h->place[s->node], pt = h->place[t->node];
    if (ps < pt)
        return;
    double *to = column_of(h, ps, pt * DOFS);
    for (int j = 0; j < DOFS; j++, to += DOFS) {
        double sum[DOFS];
        memcpy(sum, to, sizeof sum);
        for (int r = 0; r < rows; r++)
            for (int i = 0; i < DOFS; i++) // above the diagonal nobody looks
                sum[i] += row[r][i] * t->row[r][j];
        memcpy(to, sum, sizeof sum);
    }
}

static void add_contacts(zn_hold *h, const zn_node_blocks *b)
{
    for (int u = 0; u < b->units; u++) {
        int rows = b->first[u + 1] - b->first[u];
        for (int k = b->share_start[u]; h->closed[u] && k < b->share_start[u + 1]; k++) {
            double row[3][DOFS];
            for (int r = 0; r < rows; r++)
                for (int i = 0; i < DOFS; i++)
                    row[r][i] = b->share[k].row[r][i] / (weight * h->diagonal[b->first[u] + r]);
            for (int l = b->share_start[u]; l < b->share_start[u + 1]; l++)
                add_product(h, &b->share[k], &b->share[l], rows, row);
        }
    }
}

// Columns left of the diagonal block of node p: six sums at once, each in its own order.
static void factor_left(zn_hold *h, int p)
{
    int           from = h->first[p] * DOFS;
    const double *own = column_of(h, p, from);
    for (int j = from; j < p * DOFS; j++) {
        int           low = h->first[j / DOFS] * DOFS, start = low > from ? low : from;
        const double *other = column_of(h, j / DOFS, start) + j % DOFS, *mine = own + (size_t)(start - from) * DOFS;
        double       *to = column_of(h, p, j), sum[DOFS];
        memcpy(sum, to, sizeof sum);
        for (int k = start; k < j; k++, mine += DOFS, other += DOFS)
            for (int i = 0; i < DOFS; i++)
                sum[i] -= mine[i] * *other;
        for (int i = 0; i < DOFS; i++)
            to[i] = sum[i] / *other;
    }
}

// The block on the diagonal; false: it is not positive.
static bool factor_block(zn_hold *h, int p)
{
    const double *own = column_of(h, p, h->first[p] * DOFS);
    int           left = (p - h->first[p]) * DOFS;
    for (int j = 0; j < DOFS; j++) {
        double *to = column_of(h, p, p * DOFS + j), sum[DOFS];
        memcpy(sum, to, sizeof sum);
        for (int k = 0; k < left + j; k++)
            for (int i = 0; i < DOFS; i++) // above the diagonal nobody looks
                sum[i] -= own[k * DOFS + i] * own[k * DOFS + j];
        memcpy(to + j, sum + j, sizeof *to * (size_t)(DOFS - j));
        if (!(to[j] > 0))
            return false;
        to[j] = sqrt(to[j]);
        for (int i = j + 1; i < DOFS; i++)
            to[i] /= to[j];
    }
    return true;
}

// L of A = L L', the rows of one node after the other.
static bool factor(zn_hold *h, int nodes)
{
    for (int p = 0; p < nodes; p++) {
        factor_left(h, p);
        if (!factor_block(h, p))
            return false;
    }
    return true;
}

static void substitute(const zn_hold *h, int nodes, double *y)
{
    for (int p = 0; p < nodes; p++) {
        double       *own = y + p * DOFS;
        const double *l = column_of(h, p, h->first[p] * DOFS);
        for (const double *k = y + h->first[p] * DOFS; k < own; k++, l += DOFS)
            for (int i = 0; i < DOFS; i++)
                own[i] -= l[i] * *k;
        for (int j = 0; j < DOFS; j++, l += DOFS) {
            own[j] /= l[j];
            for (int i = j + 1; i < DOFS; i++)
                own[i] -= l[i] * own[j];
        }
    }
    for (int p = nodes - 1; p >= 0; p--) {
        double       *own = y + p * DOFS;
        const double *l = column_of(h, p, h->first[p] * DOFS), *block = column_of(h, p, p * DOFS);
        for (int i = DOFS - 1; i >= 0; i--) {
            own[i] /= block[i * DOFS + i];
            for (int k = 0; k < i; k++)
                own[k] -= block[k * DOFS + i] * own[i];
        }
        for (double *k = y + h->first[p] * DOFS; k < own; k++, l += DOFS)
            for (int i = DOFS - 1; i >= 0; i--)
                *k -= l[i] * own[i];
    }
}

// --- residuals and corrections -------------------------------------------------------------------

static double product(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < DOFS; i++)
        sum += a[i] * b[i];
    return sum;
}

static void find_diagonal(zn_hold *h, const zn_node_blocks *b, int rows)
{
    memset(h->diagonal, 0, sizeof *h->diagonal * (size_t)rows);
    for (int k = 0; k < b->share_start[b->units]; k++) {
        const zn_node_share *s = &b->share[k];
        for (int r = b->first[s->unit]; r < b->first[s->unit + 1]; r++)
            h->diagonal[r] += product(s->row[r - b->first[s->unit]], s->response[r - b->first[s->unit]]);
    }
}

// residual = q + G A^-1 G'z of all rows.
static void find_residual(zn_hold *h, const zn_node_blocks *b, int count, int rows, const double *q, const double *z)
{
    memset(h->y, 0, sizeof *h->y * (size_t)(count * DOFS));
    memcpy(h->residual, q, sizeof *q * (size_t)rows);
    for (int k = 0; k < b->share_start[b->units]; k++) {
        const zn_node_share *s = &b->share[k];
        double              *y = h->y + h->place[s->node] * DOFS;
        for (int r = b->first[s->unit]; r < b->first[s->unit + 1]; r++) {
            const double *response = s->response[r - b->first[s->unit]];
            if (z[r] == 0)
                continue;
            for (int i = 0; i < DOFS; i++)
                y[i] += response[i] * z[r];
        }
    }
    for (int k = 0; k < b->share_start[b->units]; k++) {
        const zn_node_share *s = &b->share[k];
        for (int r = b->first[s->unit]; r < b->first[s->unit + 1]; r++)
            h->residual[r] += product(s->row[r - b->first[s->unit]], h->y + h->place[s->node] * DOFS);
    }
}

static void correct(zn_hold *h, const zn_node_blocks *b, int count, double *z)
{
    memset(h->y, 0, sizeof *h->y * (size_t)(count * DOFS));
    for (int k = 0; k < b->share_start[b->units]; k++) {
        const zn_node_share *s = &b->share[k];
        for (int r = b->first[s->unit]; r < b->first[s->unit + 1] && h->closed[s->unit]; r++)
            for (int i = 0; i < DOFS; i++)
                h->y[h->place[s->node] * DOFS + i] +=
                    s->row[r - b->first[s->unit]][i] * h->residual[r] / (weight * h->diagonal[r]);
    }
    substitute(h, count, h->y);
    for (int u = 0; u < b->units; u++)
        for (int r = b->first[u]; r < b->first[u + 1] && h->closed[u]; r++) {
            double rest = h->residual[r];
            for (int k = b->share_start[u]; k < b->share_start[u + 1]; k++)
                rest -= product(b->share[k].row[r - b->first[u]], h->y + h->place[b->share[k].node] * DOFS);
            z[r] -= rest / (weight * h->diagonal[r]);
        }
}

// --- the law -------------------------------------------------------------------------------------

// Distance of contact c from its law, in the measure of zn_fc_residual: |r - P(r - (u_N + mu |u_T|, u_T)/d)| sqrt(d).
static double miss_of(const zn_hold *h, const zn_row_list *list, int c, const double *z, const double *u)
{
    int    first = list->first[c], rows = list->first[c + 1] - first;
    double d = 0, slip = 0, x[3] = {0}, size = 0, sum = 0;
    for (int r = 0; r < rows; r++)
        d += h->diagonal[first + r] / rows;
    for (int r = 1; r < rows; r++)
        slip = hypot(slip, u[first + r]);
    for (int r = 0; r < rows; r++)
        x[r] = z[first + r] - (u[first + r] + (r == 0 ? list->mu[c] * slip : 0)) / d;
    for (int r = 1; r < rows; r++)
        size = hypot(size, x[r]);
    double mu = list->mu[c], normal = x[0], keep = 1;
    if (rows == 1 || mu == 0)
        normal = fmax(normal, 0), keep = 0;
    else if (mu * size <= -x[0])
        normal = keep = 0;
    else if (size > mu * x[0]) {
        normal = (x[0] + mu * size) / (1 + mu * mu);
        keep = mu * normal / size;
    }
    for (int r = 0; r < rows; r++) {
        double off = z[first + r] - (r == 0 ? normal : keep * x[r]);
        sum += off * off;
    }
    return sqrt(sum * d);
}

static double measure(const zn_hold *h, const zn_row_list *list, const double *q, const double *z, const double *u)
{
    double worst = 0, scale = DBL_MIN;
    for (int r = 0; r < list->rows; r++)
        scale = fmax(scale, fabs(q[r]) / sqrt(h->diagonal[r]));
    for (int c = 0; c < list->contacts; c++)
        worst = fmax(worst, miss_of(h, list, c, z, u));
    return worst / scale;
}

// Contacts that pull open, those that are passed close. Returns whether any does.
static bool change_set(zn_hold *h, const zn_row_list *list, double floor, double *z)
{
    bool changed = false;
    for (int c = 0; c < list->contacts; c++) {
        int first = list->first[c];
        if (h->closed[c] && z[first] < 0) {
            h->closed[c] = false;
            memset(z + first, 0, sizeof *z * (size_t)(list->first[c + 1] - first));
            changed = true;
        } else if (!h->closed[c] && h->residual[first] < -floor) {
            h->closed[c] = true;
            changed = true;
        }
    }
    return changed;
}

// Does every impulse stay in its cone, up to `slack` of the largest one?
static bool in_cones(const zn_row_list *list, const double *z, double slack)
{
    double largest = 0;
    for (int c = 0; c < list->contacts; c++)
        largest = fmax(largest, z[list->first[c]]);
    for (int c = 0; c < list->contacts; c++) {
        double tangent = 0;
        for (int r = list->first[c] + 1; r < list->first[c + 1]; r++)
            tangent = hypot(tangent, z[r]);
        if (tangent > list->mu[c] * z[list->first[c]] + slack * largest && list->first[c + 1] > list->first[c] + 1)
            return false;
    }
    return true;
}

// --- one set of closed contacts ------------------------------------------------------------------

static double largest_of(const zn_hold *h, const zn_row_list *list, const double *value, bool closed)
{
    double largest = 0;
    for (int c = 0; c < list->contacts; c++)
        for (int r = list->first[c]; r < list->first[c + 1] && (!closed || h->closed[c]); r++)
            largest = fmax(largest, fabs(value[r]));
    return largest;
}

// Proximal points until nothing is left of the residual, which is known at first; false: it stays.
static bool hold_set(zn_hold *h, const zn_node_blocks *b, const zn_row_list *list, const double *q, int count,
                     double goal)
{
    for (int round = 0; round < ROUNDS; round++) {
        if (largest_of(h, list, h->residual, true) <= goal)
            return true;
        correct(h, b, count, h->answer);
        if (round == 0 && !in_cones(list, h->answer, 1e-6))
            return false; // rounds to come change digits only
        find_residual(h, b, count, list->rows, q, h->answer);
    }
    return largest_of(h, list, h->residual, true) <= goal;
}

static bool begin(zn_hold *h, const zn_row_list *list, const double *q, const double *z)
{
    bool warm = false;
    for (int c = 0; c < list->contacts; c++)
        warm |= z[list->first[c]] > 0;
    for (int c = 0; c < list->contacts; c++)
        h->closed[c] = warm ? z[list->first[c]] > 0 : q[list->first[c]] < 0;
    for (int r = 0; r < list->rows; r++)
        if (!(h->diagonal[r] > 0))
            return false;
    memcpy(h->answer, z, sizeof *z * (size_t)list->rows);
    return warm;
}

zn_status zn_hold_solve(zn_hold *h, const zn_node_blocks *b, const zn_row_list *list, const double *q, double tolerance,
                        double *z, double *u, double *residual, bool *held)
{
    ZN_ASSERT(list->equations == 0 && b->units == list->contacts);
    *held = false;
    ZN_TRY(reserve(h, b, list->rows));
    find_diagonal(h, b, list->rows);
    bool   warm = begin(h, list, q, z);
    double size = largest_of(h, list, q, false), goal = fmin(0.01 * tolerance, 1e-14) * size;
    for (int set = 0; set < SETS; set++) {
        bool cheap;
        int  count = order_nodes(h, b);
        find_residual(h, b, count, list->rows, q, h->answer);
        if (warm && set == 0 && largest_of(h, list, h->residual, true) > near * size)
            return ZN_OK;
        ZN_TRY(lay_out(h, b, count, &cheap));
        if (!cheap)
            return ZN_OK;
        add_blocks(h, b, count);
        add_contacts(h, b);
        if (!factor(h, count) || !hold_set(h, b, list, q, count, fmax(goal, 4 * DBL_EPSILON * size)))
            return ZN_OK;
        if (!change_set(h, list, tolerance * size, h->answer))
            break;
        if (set == SETS - 1)
            return ZN_OK;
    }
    *residual = measure(h, list, q, h->answer, h->residual);
    if (!(*residual <= tolerance))
        return ZN_OK;
    memcpy(z, h->answer, sizeof *z * (size_t)list->rows);
    memcpy(u, h->residual, sizeof *u * (size_t)list->rows);
    *held = true;
    return ZN_OK;
}
