// Multigrid on several processes against that of one: mpirun -n N test_multigrid.
//
// A lattice of nodes with springs between all nodes of a cell, whose matrix hardly resists rigid motions, dealt out
// with steps in the boundaries between parts, so that some nodes have three processes and more. The answer is that of
// one process, iterations are nearly those of one process, and bits the same when it is done again.
#include "../check.h"

#include <stdlib.h>

#include "math/linsolver.h"
#include "parallel/multigrid.h"

static zn_world *world;

typedef struct lattice {
    int  cells; // along a side
    bool held;  // nodes of the bottom do not move
} lattice;

static int nodes_of(lattice l) { return (l.cells + 1) * (l.cells + 1) * (l.cells + 1); }

// The process of a cell: slabs with steps.
static int rank_of_cell(lattice l, int ranks, const int *at)
{
    int rank = (2 * at[0] + (at[1] > l.cells / 2) * 3 + (at[2] > l.cells / 3) * 2) * ranks / (2 * l.cells + 5);
    return rank < ranks ? rank : ranks - 1;
}

static int node_at(lattice l, const int *cell, int corner)
{
    int side = l.cells + 1, at[3];
    for (int k = 0; k < 3; k++)
        at[k] = cell[k] + (corner >> k & 1);
    return (at[2] * side + at[1]) * side + at[0];
}

static void place_of(lattice l, int node, double *x)
{
    int side = l.cells + 1;
    x[0] = node % side;
    x[1] = node / side % side;
    x[2] = node / side / side;
}

// --- parts ---------------------------------------------------------------------------------------

typedef struct piece {
    int          n;
    int         *dof;   // per node and direction of the lattice, -1: not here
    bool        *owned; // n
    zn_numbering numbers;
    zn_near_null near;
    zn_sparse   *a;
} piece;

typedef void cell_visitor(lattice l, const int *cell, int rank, void *user);

static void visit_cells(lattice l, int ranks, cell_visitor *visit, void *user)
{
    int cell[3];
    for (cell[2] = 0; cell[2] < l.cells; cell[2]++)
        for (cell[1] = 0; cell[1] < l.cells; cell[1]++)
            for (cell[0] = 0; cell[0] < l.cells; cell[0]++)
                visit(l, cell, rank_of_cell(l, ranks, cell), user);
}

static void lower_owner(lattice l, const int *cell, int rank, void *user)
{
    int *owner = user;
    for (int c = 0; c < 8; c++) {
        int node = node_at(l, cell, c);
        owner[node] = rank < owner[node] ? rank : owner[node];
    }
}

typedef struct marking {
    int   rank;
    bool *here;
} marking;

static void mark_nodes(lattice l, const int *cell, int rank, void *user)
{
    marking *m = user;
    for (int c = 0; c < 8 && rank == m->rank; c++)
        m->here[node_at(l, cell, c)] = true;
}

static bool is_held(lattice l, int node, int direction)
{
    double x[3];
    place_of(l, node, x);
    return l.held && x[2] == 0 && direction != 1;
}

// Unknowns from the last node to the first: the order in which a process has them is its own affair.
static void number_unknowns(lattice l, int rank, const int *owner, const bool *here, const int *first_node, piece *p)
{
    int  nodes = nodes_of(l);
    int *next = calloc((size_t)p->numbers.ranks, sizeof *next), *number = calloc((size_t)nodes, sizeof *number);
    for (int i = 0; i < nodes; i++)
        number[i] = 3 * (first_node[owner[i]] + next[owner[i]]++);
    for (int i = nodes - 1; i >= 0; i--)
        for (int k = 0; k < 3; k++) {
            p->dof[3 * i + k] = -1;
            if (is_held(l, i, k)) {
                if (owner[i] == rank)
                    p->numbers.unit[p->numbers.units++] = number[i] + k;
            } else if (here[i]) {
                p->owned[p->n] = owner[i] == rank;
                p->numbers.number[p->n] = number[i] + k;
                p->near.node[p->n] = i;
                p->dof[3 * i + k] = p->n++;
            }
        }
    free(next);
    free(number);
}

static void write_motions(lattice l, piece *p)
{
    for (int i = 0; i < p->n; i++) {
        double x[3], *motion = p->near.motion + 6 * i;
        int    node = p->near.node[i], k = 0;
        while (p->dof[3 * node + k] != i)
            k++;
        place_of(l, node, x);
        motion[k] = 1;
        motion[3 + (k + 1) % 3] = x[(k + 2) % 3];
        motion[3 + (k + 2) % 3] = -x[(k + 1) % 3];
    }
}

typedef struct filling {
    int    rank, count;
    int   *dof; // 24 per cell
    piece *p;
} filling;

static void list_dofs(lattice l, const int *cell, int rank, void *user)
{
    filling *f = user;
    for (int c = 0; c < 8 && rank == f->rank; c++)
        for (int k = 0; k < 3; k++)
            f->dof[24 * f->count + 3 * c + k] = f->p->dof[3 * node_at(l, cell, c) + k];
    f->count += rank == f->rank;
}

// Springs between all corners of a cell, and a little mass.
static void fill_cell(lattice l, double *k)
{
    const int origin[3] = {0};
    memset(k, 0, sizeof *k * 24 * 24);
    for (int a = 0; a < 8; a++)
        for (int b = 0; b < 8; b++) {
            double x[3], y[3], e[3], length = 0;
            place_of(l, node_at(l, origin, a), x);
            place_of(l, node_at(l, origin, b), y);
            for (int i = 0; i < 3; i++)
                length += (y[i] - x[i]) * (y[i] - x[i]);
            for (int i = 0; i < 3; i++)
                e[i] = a == b ? 0 : (y[i] - x[i]) / sqrt(length);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    k[(3 * a + i) * 24 + 3 * a + j] += e[i] * e[j];
                    k[(3 * a + i) * 24 + 3 * b + j] -= e[i] * e[j];
                }
        }
    for (int i = 0; i < 24; i++)
        k[i * 24 + i] += 1e-3;
}

static void fill_matrix(lattice l, int rank, int ranks, piece *p)
{
    int     cells = l.cells * l.cells * l.cells, *scatter;
    double  k[24 * 24];
    filling f = {.rank = rank, .dof = calloc(24 * (size_t)cells, sizeof(int)), .p = p};
    visit_cells(l, ranks, list_dofs, &f);
    zn_dof_block block = {f.count, 24, f.dof};
    CHECK_OK(zn_sparse_create(p->n, 1, &block, &scatter, &p->a));
    fill_cell(l, k);
    for (int e = 0; e < f.count; e++)
        for (int i = 0; i < 24 * 24; i++)
            if (scatter[e * 24 * 24 + i] >= 0)
                p->a->value[scatter[e * 24 * 24 + i]] += k[i];
    free(scatter);
    free(f.dof);
}

// The part of process `rank` of `ranks`.
static piece make_piece(lattice l, int rank, int ranks)
{
    int     nodes = nodes_of(l), *owner = calloc((size_t)nodes, sizeof *owner);
    bool   *here = calloc((size_t)nodes, sizeof *here);
    int    *first = calloc((size_t)ranks + 1, sizeof *first);
    size_t  n = 3 * (size_t)nodes;
    piece   p = {.dof = calloc(n, sizeof *p.dof), .owned = calloc(n, sizeof *p.owned)};
    marking marks = {rank, here};
    for (int i = 0; i < nodes; i++)
        owner[i] = ranks;
    visit_cells(l, ranks, lower_owner, owner);
    visit_cells(l, ranks, mark_nodes, &marks);
    for (int i = 0; i < nodes; i++)
        first[owner[i] + 1]++;
    for (int r = 0; r < ranks; r++)
        first[r + 1] += first[r];
    p.numbers = (zn_numbering){.block = 3,
                               .ranks = ranks,
                               .begin = calloc((size_t)ranks + 1, sizeof(int)),
                               .number = calloc(n, sizeof(int)),
                               .unit = calloc(n, sizeof(int))};
    for (int r = 0; r <= ranks; r++)
        p.numbers.begin[r] = 3 * first[r];
    p.numbers.first = p.numbers.begin[rank];
    p.numbers.count = p.numbers.begin[rank + 1] - p.numbers.first;
    p.near = (zn_near_null){.nodes = nodes, .node = calloc(n, sizeof(int)), .motion = calloc(6 * n, sizeof(double))};
    number_unknowns(l, rank, owner, here, first, &p);
    p.numbers.n = p.numbers.n_all = p.near.n = p.n;
    write_motions(l, &p);
    fill_matrix(l, rank, ranks, &p);
    free(owner);
    free(here);
    free(first);
    return p;
}

static void drop_piece(piece *p)
{
    zn_numbering_destroy(&p->numbers);
    zn_sparse_destroy(p->a);
    free(p->near.node);
    free(p->near.motion);
    free(p->dof);
    free(p->owned);
}

// --- answers -------------------------------------------------------------------------------------

// A right-hand side that depends on the node only.
static double load(int node, int direction)
{
    uint64_t seed = 7u + 3u * (unsigned)node + (unsigned)direction;
    draw(&seed);
    return draw(&seed);
}

static double *loads_of(lattice l, const piece *p)
{
    double *b = calloc((size_t)p->n, sizeof *b);
    for (int i = 0; i < 3 * nodes_of(l); i++)
        if (p->dof[i] >= 0)
            b[p->dof[i]] = p->owned[p->dof[i]] ? load(i / 3, i % 3) : NAN; // what others own is not read
    return b;
}

static int solve_alone(lattice l, double *x)
{
    piece         whole = make_piece(l, 0, 1);
    double       *b = loads_of(l, &whole), *own = calloc((size_t)whole.n, sizeof *own);
    zn_linsolver *solver;
    CHECK_OK(zn_linsolver_create_near(whole.a, "amg", &whole.near, &solver));
    CHECK_OK(zn_linsolver_factor(solver, whole.a));
    CHECK_OK(zn_linsolver_solve_to(solver, b, 1e-12, own));
    int count = (int)zn_linsolver_iterations(solver);
    for (int i = 0; i < 3 * nodes_of(l); i++)
        x[i] = whole.dof[i] >= 0 ? own[whole.dof[i]] : 0;
    zn_linsolver_destroy(solver);
    drop_piece(&whole);
    free(b);
    free(own);
    return count;
}

static int solve_together(const piece *p, const double *b, double *x)
{
    zn_multigrid *s;
    memset(x, 0, sizeof *x * (size_t)p->n);
    CHECK_OK(zn_multigrid_create(world, &p->numbers, p->owned, &p->near, &s));
    CHECK_OK(zn_multigrid_build(s, p->a, 0));
    CHECK_OK(zn_multigrid_build(s, p->a, 0)); // again: what was there is gone
    CHECK_OK(zn_multigrid_solve(s, b, 1e-12, x));
    int count = (int)zn_multigrid_iterations(s);
    zn_multigrid_destroy(s);
    return count;
}

static void compare(lattice l)
{
    piece   p = make_piece(l, world->rank, world->size);
    size_t  bytes = sizeof(double) * (size_t)p.n;
    double *expected = calloc(3 * (size_t)nodes_of(l), sizeof *expected), *b = loads_of(l, &p), size = 0, off = 0;
    double *x = malloc(bytes + 1), *again = malloc(bytes + 1);
    int     alone = solve_alone(l, expected), together = solve_together(&p, b, x);
    for (int i = 0; i < 3 * nodes_of(l); i++) {
        size = fmax(size, fabs(expected[i]));
        if (p.dof[i] >= 0)
            off = fmax(off, fabs(x[p.dof[i]] - expected[i]));
    }
    if (world->rank == 0)
        print_message("%d cells, %d processes: %d iterations, alone %d, difference %.1e\n", l.cells, world->size,
                      together, alone, off / size);
    CHECK_BELOW(off, 1e-10 * size);
    CHECK_BELOW(together, 1.25 * alone + 1);
    assert_int_equal(solve_together(&p, b, again), together);
    assert_memory_equal(x, again, bytes);
    drop_piece(&p);
    free(expected);
    free(b);
    free(x);
    free(again);
}

// --- tests ---------------------------------------------------------------------------------------

static void test_one_level(void **state)
{
    (void)state;
    compare((lattice){5, false});
    compare((lattice){5, true});
}

static void test_two_levels(void **state)
{
    (void)state;
    compare((lattice){9, false});
    compare((lattice){10, true});
}

static void test_three_levels(void **state)
{
    (void)state;
    compare((lattice){18, false});
}

// The same on all processes, and the solver can be used again.
static void test_indefinite_matrices_are_refused(void **state)
{
    (void)state;
    lattice       l = {10, false};
    piece         p = make_piece(l, world->rank, world->size);
    double       *b = loads_of(l, &p), *x = calloc((size_t)p.n, sizeof *x);
    zn_multigrid *s;
    CHECK_OK(zn_multigrid_create(world, &p.numbers, p.owned, &p.near, &s));
    for (int k = 0; k < p.a->start[p.n]; k++)
        p.a->value[k] *= -1;
    CHECK_STATUS(zn_multigrid_build(s, p.a, 0), ZN_SINGULAR);
    for (int k = 0; k < p.a->start[p.n]; k++)
        p.a->value[k] *= -1;
    CHECK_OK(zn_multigrid_build(s, p.a, 0));
    CHECK_OK(zn_multigrid_solve(s, b, 1e-10, x));
    zn_multigrid_destroy(s);
    drop_piece(&p);
    free(b);
    free(x);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_level),
        cmocka_unit_test(test_two_levels),
        cmocka_unit_test(test_three_levels),
        cmocka_unit_test(test_indefinite_matrices_are_refused),
    };
    if (zn_world_create(&argc, &argv, &world) != ZN_OK)
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    world = zn_world_destroy(world);
    return failed;
}
