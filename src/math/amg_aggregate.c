// Aggregates of nodes, and the rigid motions on them. See amg.h.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "math/amg.h"

enum { M = ZN_RIGID_MOTIONS, FREE = -1 };

// Nodes are strongly coupled where |A_ij| > strong sqrt(|A_ii| |A_jj|), in Frobenius' norm of their blocks.
static const double strong = 0.01;

typedef struct graph {
    int *start, *neighbour;
} graph;

// Squares of the blocks of node i into sum[], zero before; the neighbours are listed. Nodes of others do not count.
static int add_blocks(const zn_sparse *a, const zn_amg_nodes *nodes, int i, double *sum, int *list)
{
    int count = 0;
    for (int k = nodes->first[i]; k < nodes->first[i + 1]; k++) {
        int column = nodes->unknown[k];
        for (int e = a->start[column]; e < a->start[column + 1]; e++) {
            int j = nodes->node[a->row[e]];
            if (j >= nodes->nodes)
                continue;
            if (sum[j] == 0 && a->value[e] != 0)
                list[count++] = j;
            sum[j] += a->value[e] * a->value[e];
        }
    }
    return count;
}

static void measure_nodes(const zn_sparse *a, const zn_amg_nodes *nodes, double *own)
{
    for (int i = 0; i < nodes->nodes; i++) {
        own[i] = 0;
        for (int k = nodes->first[i]; k < nodes->first[i + 1]; k++) {
            int column = nodes->unknown[k];
            for (int e = a->start[column]; e < a->start[column + 1]; e++)
                own[i] += nodes->node[a->row[e]] == i ? a->value[e] * a->value[e] : 0;
        }
    }
}

// Strong neighbours of all nodes; `neighbour` NULL: only counted.
static void link_nodes(const zn_sparse *a, const zn_amg_nodes *nodes, const double *own, double *sum, int *list,
                       graph *g)
{
    int entries = 0;
    g->start[0] = 0;
    for (int i = 0; i < nodes->nodes; i++) {
        int count = add_blocks(a, nodes, i, sum, list);
        for (int k = 0; k < count; k++) {
            int    j = list[k];
            double bound = strong * strong * sqrt(own[i] * own[j]);
            if (j != i && sum[j] > bound) {
                if (g->neighbour)
                    g->neighbour[entries] = j;
                entries++;
            }
            sum[j] = 0;
        }
        g->start[i + 1] = entries;
    }
}

static bool is_free(const graph *g, const int *aggregate, int i)
{
    if (aggregate[i] != FREE)
        return false;
    for (int k = g->start[i]; k < g->start[i + 1]; k++)
        if (aggregate[g->neighbour[k]] != FREE)
            return false;
    return g->start[i + 1] > g->start[i];
}

// A node with all of its neighbours, while there are such; then the others join one; what is left stays together.
static int gather(const graph *g, int nodes, int *aggregate)
{
    int count = 0;
    for (int i = 0; i < nodes; i++)
        if (is_free(g, aggregate, i)) {
            aggregate[i] = count;
            for (int k = g->start[i]; k < g->start[i + 1]; k++)
                aggregate[g->neighbour[k]] = count;
            count++;
        }
    for (int i = 0; i < nodes; i++)
        for (int k = g->start[i]; k < g->start[i + 1] && aggregate[i] == FREE; k++)
            if (aggregate[g->neighbour[k]] >= 0)
                aggregate[i] = -2 - aggregate[g->neighbour[k]]; // not for others to follow
    for (int i = 0; i < nodes; i++)
        if (aggregate[i] < FREE)
            aggregate[i] = -2 - aggregate[i];
    for (int i = 0; i < nodes; i++)
        if (aggregate[i] == FREE && g->start[i + 1] > g->start[i]) {
            aggregate[i] = count;
            for (int k = g->start[i]; k < g->start[i + 1]; k++)
                if (aggregate[g->neighbour[k]] == FREE)
                    aggregate[g->neighbour[k]] = count;
            count++;
        }
    return count;
}

static int aggregate_nodes(const zn_sparse *a, const zn_amg_nodes *nodes, int *aggregate)
{
    int     m = nodes->nodes, count = -1;
    double *own = ZN_NEW(double, m), *sum = ZN_NEW(double, m);
    int    *list = ZN_NEW(int, m);
    graph   g = {.start = ZN_NEW(int, m + 1)};
    if (own && sum && list && g.start) {
        measure_nodes(a, nodes, own);
        link_nodes(a, nodes, own, sum, list, &g);
        g.neighbour = ZN_NEW(int, g.start[m]);
    }
    if (g.neighbour) {
        link_nodes(a, nodes, own, sum, list, &g);
        for (int i = 0; i < m; i++)
            aggregate[i] = FREE;
        count = gather(&g, m, aggregate);
    }
    free(own);
    free(sum);
    free(list);
    free(g.start);
    free(g.neighbour);
    return count;
}

// --- rigid motions -------------------------------------------------------------------------------

// Q R = B with orthonormal columns Q, in place, twice for rounding; a column that follows from those before is zero.
static void orthonormalize(int rows, double *b, double R[M][M])
{
    const double nothing = 1e-8;
    memset(R, 0, sizeof(double) * M * M);
    for (int c = 0; c < M; c++) {
        double before = 0, after = 0;
        for (int i = 0; i < rows; i++)
            before += b[i * M + c] * b[i * M + c];
        for (int pass = 0; pass < 2; pass++)
            for (int p = 0; p < c; p++) {
                double part = 0;
                for (int i = 0; i < rows; i++)
                    part += b[i * M + p] * b[i * M + c];
                R[p][c] += part;
                for (int i = 0; i < rows; i++)
                    b[i * M + c] -= part * b[i * M + p];
            }
        for (int i = 0; i < rows; i++)
            after += b[i * M + c] * b[i * M + c];
        bool there = after > nothing * nothing * before;
        R[c][c] = there ? sqrt(after) : 0;
        for (int i = 0; i < rows; i++)
            b[i * M + c] = there ? b[i * M + c] / R[c][c] : 0;
    }
}

// Unknowns by aggregate.
static void sort_unknowns(const zn_amg_nodes *nodes, int n, int aggregates, const int *aggregate, int *first, int *list)
{
    memset(first, 0, sizeof *first * (size_t)(aggregates + 2));
    for (int i = 0; i < n; i++)
        if (aggregate[nodes->node[i]] >= 0)
            first[aggregate[nodes->node[i]] + 2]++;
    for (int g = 0; g < aggregates; g++)
        first[g + 2] += first[g + 1];
    for (int i = 0; i < n; i++)
        if (aggregate[nodes->node[i]] >= 0)
            list[first[aggregate[nodes->node[i]] + 1]++] = i;
}

// Rigid motions of each aggregate, orthonormal: P0 per unknown, and the motions of the next level in terms of them.
static zn_status split_motions(const zn_amg_nodes *nodes, int n, int aggregates, const int *aggregate, double *P0,
                               double *motion)
{
    int    *first = ZN_NEW(int, aggregates + 2), *list = ZN_NEW(int, n);
    double *b = ZN_NEW(double, (size_t)n *M);
    if (first && list && b) {
        sort_unknowns(nodes, n, aggregates, aggregate, first, list);
        memset(P0, 0, sizeof *P0 * (size_t)n * M);
        for (int g = 0; g < aggregates; g++) {
            int    rows = first[g + 1] - first[g];
            double R[M][M];
            for (int i = 0; i < rows; i++)
                memcpy(b + (size_t)i * M, nodes->motion + (size_t)list[first[g] + i] * M, sizeof *b * M);
            orthonormalize(rows, b, R);
            for (int i = 0; i < rows; i++)
                memcpy(P0 + (size_t)list[first[g] + i] * M, b + (size_t)i * M, sizeof *b * M);
            memcpy(motion + (size_t)g * M * M, R, sizeof R);
        }
    }
    zn_status status = first && list && b ? ZN_OK : ZN_ERR_MEMORY;
    free(first);
    free(list);
    free(b);
    return status;
}

// --- aggregates ----------------------------------------------------------------------------------

static zn_status sort_nodes(int n, zn_amg_nodes *nodes)
{
    nodes->first = ZN_NEW(int, nodes->nodes + 2);
    nodes->unknown = ZN_NEW(int, n);
    if (!nodes->first || !nodes->unknown)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < n; i++)
        if (nodes->node[i] < nodes->nodes)
            nodes->first[nodes->node[i] + 2]++;
    for (int k = 0; k < nodes->nodes; k++)
        nodes->first[k + 2] += nodes->first[k + 1];
    for (int i = 0; i < n; i++)
        if (nodes->node[i] < nodes->nodes)
            nodes->unknown[nodes->first[nodes->node[i] + 1]++] = i;
    return ZN_OK;
}

zn_status zn_amg_find_aggregates(const zn_sparse *a, zn_amg_nodes *nodes, zn_amg_coarsening *c)
{
    ZN_TRY(sort_nodes(a->n, nodes));
    c->aggregate = ZN_NEW(int, nodes->nodes + 1);
    c->aggregate_of = ZN_NEW(int, a->n);
    c->P0 = ZN_NEW(double, (size_t)a->n *M);
    if (!c->aggregate || !c->aggregate_of || !c->P0)
        return ZN_ERR_MEMORY;
    c->aggregate[nodes->nodes] = FREE;
    c->count = aggregate_nodes(a, nodes, c->aggregate);
    if (c->count < 0)
        return ZN_ERR_MEMORY;
    c->motion = ZN_NEW(double, (size_t)c->count *M *M);
    if (!c->motion)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < a->n; i++)
        c->aggregate_of[i] = c->aggregate[nodes->node[i]];
    return split_motions(nodes, a->n, c->count, c->aggregate, c->P0, c->motion);
}

bool zn_amg_is_coarser(double aggregates, double unknowns)
{
    return aggregates > 0 && 10 * aggregates * M <= 9 * unknowns;
}

void zn_amg_release_nodes(zn_amg_nodes *nodes)
{
    free(nodes->first);
    free(nodes->unknown);
    nodes->first = nodes->unknown = NULL;
}

void zn_amg_release_coarsening(zn_amg_coarsening *c)
{
    free(c->aggregate);
    free(c->aggregate_of);
    free(c->P0);
    free(c->motion);
    *c = (zn_amg_coarsening){0};
}
