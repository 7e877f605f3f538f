// Matrices of a preconditioner in blocks: the same products as of the sparse matrix that they are made of.
#include "check.h"

#include <stdlib.h>

#include "math/amg_blocks.h"

enum { NODES = 40, MOST = 7, SIDE = ZN_BLOCK_SIDE, STEP = ZN_BLOCK_STEP };

// Nodes of 0 to MOST unknowns, in any order, coupled with some others.
typedef struct mesh {
    int        n;
    int        node[NODES * MOST];
    zn_sparse *a;
    int        place[NODES * MOST], rows;
    double     scale[NODES * MOST];
} mesh;

static double entry(int i, int j)
{
    return i == j ? 3 + 1e-3 * i : sin(1.0 + (double)(i < j ? 1000 * i + j : 1000 * j + i));
}

static bool coupled(const mesh *m, int i, int j)
{
    int a = m->node[i], b = m->node[j], apart = a > b ? a - b : b - a;
    return apart <= 1 || apart == 13;
}

static mesh make(int most, uint64_t seed)
{
    mesh m = {0};
    for (int k = 0; k < NODES; k++)
        for (int left = (int)((double)(most + 1) * (0.5 + 0.499 * draw(&seed))); left > 0; left--)
            m.node[m.n++] = k;
    for (int i = 0; i < m.n; i++) { // in another order
        int j = (i * 7 + 3) % m.n, other = m.node[i];
        m.node[i] = m.node[j];
        m.node[j] = other;
    }
    m.a = calloc(1, sizeof *m.a);
    *m.a = (zn_sparse){m.n, calloc((size_t)m.n + 1, sizeof(int)), calloc((size_t)(m.n * m.n), sizeof(int)),
                       calloc((size_t)(m.n * m.n), sizeof(double))};
    for (int j = 0, e = 0; j < m.n; j++) {
        for (int i = 0; i < m.n; i++)
            if (coupled(&m, i, j)) {
                m.a->row[e] = i;
                m.a->value[e++] = entry(i, j);
            }
        m.a->start[j + 1] = e;
        m.scale[j] = exp(10 * draw(&seed));
    }
    CHECK_OK(zn_blocks_place(m.n, NODES, m.node, m.place, &m.rows));
    return m;
}

// A place each; the unknowns of a node are in one row if three are enough, and rows are not wasted.
static void check_places(const mesh *m, int most)
{
    bool *taken = calloc((size_t)(m->rows * STEP), sizeof *taken);
    for (int i = 0; i < m->n; i++) {
        assert_in_range(m->place[i], 0, m->rows * STEP - 1);
        assert_true(m->place[i] % STEP < SIDE && !taken[m->place[i]]);
        taken[m->place[i]] = true;
    }
    for (int i = 0; i < m->n; i++)
        for (int j = 0; j < m->n && most <= SIDE; j++)
            assert_true(m->node[i] != m->node[j] || m->place[i] / STEP == m->place[j] / STEP);
    assert_true(most > 1 || m->rows == (m->n + SIDE - 1) / SIDE);
    free(taken);
}

// By the sparse matrix, scaled or not; vectors in places, whose fourth ones are to be left out.
static void check_half(const mesh *m)
{
    zn_blocks half;
    size_t    room = (size_t)(m->rows * STEP);
    float    *x = calloc(room, sizeof *x), *y = calloc(room, sizeof *y);
    double   *X = calloc(room, sizeof *X), *Y = calloc(room, sizeof *Y);
    CHECK_OK(zn_blocks_halve(m->a, m->rows, m->place, m->scale, true, &half));
    for (size_t k = 0; k < room; k++)
        X[k] = x[k] = 1e6f; // what must not count
    for (int i = 0; i < m->n; i++)
        X[m->place[i]] = x[m->place[i]] = (float)cos(i);
    zn_blocks_multiply_half(&half, 0, m->rows / 3, x, y);
    zn_blocks_multiply_half(&half, m->rows / 3, m->rows, x, y);
    zn_blocks_multiply_exact(&half, 0, m->rows, X, Y);
    for (int j = 0; j < m->n; j++) {
        double sum = 0, scaled = 0, size = 0, size_scaled = 0;
        for (int e = m->a->start[j]; e < m->a->start[j + 1]; e++) {
            int    i = m->a->row[e];
            double own = m->a->value[e] * X[m->place[i]], weight = m->scale[i] * m->scale[j];
            sum += own;
            size += fabs(own);
            scaled += weight * own;
            size_scaled += fabs(weight * own);
        }
        CHECK_BELOW(fabs(Y[m->place[j]] - sum), 1e-14 * size);
        CHECK_BELOW(fabs(y[m->place[j]] - scaled), 1e-6 * size_scaled);
    }
    zn_blocks_destroy(&half);
    free(x);
    free(y);
    free(X);
    free(Y);
}

static void drop(mesh *m) { zn_sparse_destroy(m->a); }

static void test_products_of_half_a_matrix(void **state)
{
    (void)state;
    static const int most[] = {1, 2, 3, 6, MOST};
    for (size_t k = 0; k < sizeof most / sizeof *most; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            mesh m = make(most[k], seed);
            check_places(&m, most[k]);
            check_half(&m);
            drop(&m);
        }
}

// P of unknown i: aggregates i mod 3 and 3 + i mod 2.
static void fill_rows(int n, zn_amg_rows *P)
{
    *P = (zn_amg_rows){calloc((size_t)n + 1, sizeof(int)), calloc(2 * (size_t)n, sizeof(int)),
                       calloc(2 * (size_t)n * ZN_AMG_BLOCK, sizeof(double))};
    for (int i = 0; i < n; i++) {
        P->aggregate[2 * i] = i % 3;
        P->aggregate[2 * i + 1] = 3 + i % 2;
        P->start[i + 1] = 2 * i + 2;
        for (int c = 0; c < 2 * ZN_AMG_BLOCK; c++)
            P->value[(size_t)i * 2 * ZN_AMG_BLOCK + (size_t)c] = sin(0.3 * i + c);
    }
}

static void test_prolongation(void **state)
{
    (void)state;
    enum { COARSE = 5 * ZN_AMG_BLOCK, ROOM = COARSE / SIDE * STEP };
    mesh        m = make(3, 5);
    zn_amg_rows P;
    zn_blocks   blocks;
    double      coarse_scale[COARSE], expected[COARSE] = {0};
    float       x[ROOM] = {0}, b[ROOM] = {0};
    size_t      room = (size_t)(m.rows * STEP);
    float      *y = calloc(room, sizeof *y), *r = calloc(room, sizeof *r);
    fill_rows(m.n, &P);
    for (int j = 0; j < COARSE; j++) {
        coarse_scale[j] = 1 + j;
        x[j + j / SIDE] = (float)cos(j);
    }
    CHECK_OK(zn_blocks_prolong(&P, m.n, m.rows, m.place, m.scale, coarse_scale, &blocks));
    for (int i = 0; i < m.n; i++) {
        y[m.place[i]] = 7;
        r[m.place[i]] = (float)(m.scale[i] * sin(i));
    }
    zn_blocks_add(&blocks, x, y);
    zn_blocks_add_transposed(&blocks, r, b);
    for (int i = 0; i < m.n; i++) {
        double sum = 0;
        for (int k = 2 * i; k < 2 * i + 2; k++)
            for (int c = 0; c < ZN_AMG_BLOCK; c++) {
                int    j = P.aggregate[k] * ZN_AMG_BLOCK + c;
                double own = P.value[k * ZN_AMG_BLOCK + c] * coarse_scale[j];
                sum += own / m.scale[i] * x[j + j / SIDE];
                expected[j] += own * sin(i);
            }
        CHECK_BELOW(fabs(y[m.place[i]] - 7 - sum), 1e-5 * (7 + 300 / m.scale[i]));
    }
    for (int j = 0; j < COARSE; j++)
        CHECK_BELOW(fabs(b[j + j / SIDE] - expected[j]), 1e-6 * (1 + j) * m.n);
    zn_amg_release_rows(&P);
    zn_blocks_destroy(&blocks);
    free(y);
    free(r);
    drop(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_products_of_half_a_matrix),
                                       cmocka_unit_test(test_prolongation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
