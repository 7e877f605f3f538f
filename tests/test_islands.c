// Islands of contacts of an explicit scheme: sweeps without W against the judge on a dense W made here, the sparse W of
// rows with triads, and the same bits for any number of threads.
#include <stdlib.h>
#include <string.h>

#include "base/team.h"
#include "check.h"
#include "constraint/island_gradients.h"
#include "constraint/islands.h"
#include "fixtures.h"
#include "system/system.h"
#include "zn/io.h"
#include "zn/solve.h"

// Two pairs of blocks, 81 contacts each; of the second one a side is held in one direction, so that masses differ
// there.
static const char blocks[] =
    "zeno: 1\n"
    "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
    "parameters: {mu: 0.3}\n"
    "parts:\n"
    "  a: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [0, 0, -0.1], to: [0.1, 0.1, 0], elements: "
    "[9, 9, 1]}}}\n"
    "  b: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [0.003, 0.004, 1e-9], to: [0.097, "
    "0.095, "
    "0.1], elements: [8, 8, 1]}}}\n"
    "  c: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [1, 0, -0.1], to: [1.1, 0.1, 0], elements: "
    "[5, 5, 1]}}, fix: {xmin: [x]}}\n"
    "  d: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [1.003, 0.004, 1e-9], to: [1.097, "
    "0.095, "
    "0.1], elements: [8, 8, 1]}}}\n"
    "contacts:\n"
    "  one: {points: b.zmin, surface: {part: a, face: zmax}, friction: mu}\n"
    "  two: {points: d.zmin, surface: {part: c, face: zmax}, friction: mu}\n"
    "run: {step: 1e-3, until: 1}\n";

// Nodes of both sides on facets of the other: rows that nearly repeat each other, or exactly where the meshes match.
static const char sides[] =
    "zeno: 1\n"
    "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
    "parameters: {n: 13, inset: 0.003}\n"
    "parts:\n"
    "  a: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [0, 0, -0.1], to: [0.1, 0.1, 0], elements: "
    "[13, 13, 1]}}}\n"
    "  b: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [inset, inset, 1e-9], to: [0.1 - inset, "
    "0.1 "
    "- inset, 0.1], elements: [n, n, 1]}}}\n"
    "contacts: {one: {surfaces: [a.zmax, b.zmin]}}\n"
    "run: {step: 1e-3, until: 1}\n";

// One island of 4356 contacts, several chunks of units.
static const char wide[] =
    "zeno: 1\n"
    "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
    "parameters: {mu: 0.3}\n"
    "parts:\n"
    "  a: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [0, 0, -0.1], to: [0.1, 0.1, 0], elements: "
    "[61, 61, 1]}}}\n"
    "  b: {element: solid, material: soft, mass: lumped, mesh: {box: {from: [0.003, 0.004, 1e-9], to: [0.097, 0.095, "
    "0.1], elements: [65, 65, 1]}}}\n"
    "contacts: {one: {points: b.zmin, surface: {part: a, face: zmax}, friction: mu}}\n"
    "run: {step: 1e-3, until: 1}\n";

// Bodies whose inertia is no diagonal, in one heap.
static const char heap[] =
    "zeno: 1\n"
    "parameters: {mu: 0.4}\n"
    "bodies:\n"
    "  s: {mass: 1, inertia: [[0.005, 0.001, 0], [0.001, 0.004, 0], [0, 0, 0.006]], position: [0, 0, 0.0995], sphere: "
    "0.1, lattice: {count: [4, 4, 2], spacing: [0.199, 0.199, 0.199], jitter: [3e-4, 3e-4, 3e-4]}}\n"
    "shapes: {floor: {plane: [0, 0, 1]}}\n"
    "contacts: {heap: {between: [s, floor], friction: mu}}\n"
    "run: {step: 1e-3, until: 1}\n";

typedef struct rig {
    zn_problem     *problem;
    zn_system      *sys;
    zn_lumped_mass  mass;
    zn_contact_set *set;
    zn_islands      islands;
    bool           *active;
    double         *target, *before, *v, *P;
    zn_solved       solved;
} rig;

static rig *open_rig(const char *text, const char *set, const char *solver)
{
    rig        *r = calloc(1, sizeof *r); // islands hold the address of its mass
    log_capture told = {0};
    CHECK_OK(zn_problem_parse(text, strlen(text), "test", set != NULL, &set, log_into(&told), &r->problem));
    CHECK_OK(zn_system_create(r->problem->model, &r->sys));
    CHECK_OK(zn_lumped_mass_create(r->sys, "test", &r->mass));
    CHECK_OK(zn_contact_set_create(r->sys, &r->set));
    CHECK_OK(zn_contact_set_refresh(r->set, r->sys, r->sys->q0, 0));
    const zn_constraint_settings settings = {.solver = solver, .tolerance = 1e-12};
    CHECK_OK(zn_islands_create(r->sys, &r->mass, &settings, ZN_IMPACT_NEWTON, &r->islands));
    size_t contacts = (size_t)r->set->count, n = (size_t)r->sys->info.n_all;
    r->active = calloc(contacts, sizeof *r->active);
    r->target = calloc(contacts, sizeof *r->target);
    r->before = calloc(n, sizeof *r->before);
    r->v = calloc(n, sizeof *r->v);
    r->P = calloc(contacts * (size_t)r->set->stride, sizeof *r->P);
    uint64_t seed = 7;
    for (int i = 0; i < r->sys->info.n; i++)
        r->v[i] = r->before[i] = 0.3 * draw(&seed);
    for (int i = 0; i < r->set->count; i++)
        r->active[i] = r->set->gap[i] <= 1e-3;
    return r;
}

static void close_rig(rig *r)
{
    zn_islands_destroy(&r->islands);
    zn_contact_set_destroy(r->set);
    zn_lumped_mass_destroy(&r->mass);
    zn_system_destroy(r->sys);
    zn_problem_destroy(r->problem);
    free(r->active);
    free(r->target);
    free(r->before);
    free(r->v);
    free(r->P);
    free(r);
}

// W = G M^-1 G', column by column from dense vectors.
static void fill_dense(const rig *r, const zn_row_list *list, double *W)
{
    size_t  n = (size_t)r->sys->info.n_all;
    double *g = calloc(n, sizeof *g), *y = calloc(n, sizeof *y);
    for (int l = 0; l < list->rows; l++) {
        memset(g, 0, n * sizeof *g);
        zn_row_add(r->set, list->row[l], r->sys->info.n, 1, g);
        zn_lumped_mass_solve(&r->mass, g, y);
        for (int k = 0; k < list->rows; k++)
            W[k * list->rows + l] = zn_row_dot(r->set, list->row[k], r->sys->info.n, y);
    }
    free(g);
    free(y);
}

// All active rows as one dense problem.
typedef struct dense {
    zn_row_list   list;
    double       *W, *q, *z;
    zn_fc_problem p;
} dense;

static dense make_dense(const rig *r)
{
    dense d = {0};
    CHECK_OK(zn_row_list_create(r->set->count * r->set->stride, r->set->count, &d.list));
    zn_row_list_clear(&d.list);
    for (int i = 0; i < r->set->count; i++)
        if (r->active[i])
            zn_row_list_add_contact(&d.list, r->set, i, zn_contact_row_count(r->set, i));
    size_t n = (size_t)d.list.rows;
    d.W = calloc(n * n, sizeof *d.W);
    d.q = calloc(n, sizeof *d.q);
    d.z = calloc(n, sizeof *d.z);
    for (int k = 0; k < d.list.rows; k++)
        d.q[k] = zn_row_dot(r->set, d.list.row[k], r->sys->info.n, r->before);
    fill_dense(r, &d.list, d.W);
    d.p = (zn_fc_problem){d.list.rows, 0, d.list.contacts, d.list.first, d.W, d.q, d.list.mu, NULL, NULL};
    return d;
}

static void free_dense(dense *d)
{
    zn_row_list_destroy(&d->list);
    free(d->W);
    free(d->q);
    free(d->z);
}

static void solve(rig *r)
{
    CHECK_OK(zn_islands_solve(&r->islands, r->set, r->active, r->target, r->before, r->v, r->P, &r->solved));
}

// The judge on the dense problem, and v = before + M^-1 G' P.
static void check_answer(const rig *r, double tolerance)
{
    dense   d = make_dense(r);
    int     n = r->sys->info.n_all;
    double *push = calloc((size_t)n, sizeof *push), *dv = calloc((size_t)n, sizeof *dv);
    for (int k = 0; k < d.list.rows; k++) {
        d.z[k] = r->P[d.list.row[k]];
        zn_row_add(r->set, d.list.row[k], r->sys->info.n, d.z[k], push);
    }
    CHECK_BELOW(zn_fc_residual(&d.p, d.z), tolerance);
    CHECK_BELOW(zn_fc_residual(&d.p, d.z), r->solved.residual + 1e-15); // what is reported is never better
    zn_lumped_mass_solve(&r->mass, push, dv);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(r->v[i], r->before[i] + dv[i], 1e-13);
    free(push);
    free(dv);
    free_dense(&d);
}

static void check_model(const char *text, const char *set, int large)
{
    rig *r = open_rig(text, set, "auto");
    solve(r);
    assert_int_equal(r->islands.large, large);
    assert_true(r->solved.iterations > 0);
    assert_int_equal(r->solved.failed, 0);
    check_answer(r, 1e-12);
    close_rig(r);
}

static void test_sweeps_solve_the_problem(void **state)
{
    (void)state;
    check_model(blocks, NULL, 2);
    check_model(blocks, "mu=0", 2);
    check_model(heap, NULL, 1);
    check_model(heap, "mu=0", 1);
}

// Newton's method on the set of closed contacts, or conjugate gradients, from no impulses, in place of what the island
// was moved by.
static void start_anew(rig *r, bool gradients)
{
    zn_sweeps       *sweeps = &r->islands.sweeps;
    zn_sweep_island *island = &sweeps->island[0];
    memset(sweeps->r + island->first, 0, sizeof *sweeps->r * (size_t)island->rows);
    for (int i = island->dof; i < island->dof + island->dofs; i++)
        if (sweeps->dof[i] >= 0)
            r->v[sweeps->dof[i]] -= sweeps->moved[i];
    island->status = ZN_NOT_CONVERGED;
    island->iterations = 0;
    assert_true(zn_sweeps_are_smooth(sweeps, island));
    if (gradients)
        zn_island_gradients_solve(sweeps, island);
    else
        CHECK_OK(zn_island_newton_solve(&r->islands.newton, &r->islands.matrix, sweeps, island));
    CHECK_OK(island->status);
    assert_true(island->iterations < (gradients ? 2500 : 40));
    r->solved.residual = island->residual;
    zn_sweeps_apply(sweeps, 0, r->v, r->P);
}

// Pressed on each other: whether sweeps are fast enough or not, all three find an answer.
static void test_both_sides(void **state)
{
    (void)state;
    const char *const set[] = {NULL, "inset=0", "n=9"};
    for (int i = 0; i < 3; i++) {
        rig     *r = open_rig(sides, set[i], "auto");
        uint64_t seed = 11;
        for (int k = 0; k < r->sys->layout.nodes; k++) { // towards each other, but for little
            int dof = r->sys->layout.node[k].dof[2];
            r->v[dof] = r->before[dof] = (r->sys->layout.node[k].origin.z > 0 ? -1 : 1) + 0.1 * draw(&seed);
        }
        solve(r);
        assert_int_equal(r->islands.large, 1);
        assert_int_equal(r->solved.failed, 0);
        check_answer(r, 1e-12);
        for (int gradients = 0; gradients < 2; gradients++) {
            start_anew(r, gradients == 1);
            check_answer(r, 1e-12);
        }
        close_rig(r);
    }
}

// Another solver by name: the sparse W of the island.
static void test_sparse_matrix(void **state)
{
    (void)state;
    const char *const text[] = {blocks, heap};
    for (int i = 0; i < 2; i++) {
        rig  *r = open_rig(text[i], NULL, "newton_alart_curnier");
        dense d = make_dense(r);
        CHECK_OK(zn_island_matrix_assemble(&r->islands.matrix, r->set, d.list.rows, d.list.row));
        const zn_fc_matrix *W = &r->islands.matrix.W;
        int                 entries = 0;
        for (int k = 0; k < d.list.rows; k++)
            for (int l = 0, e = W->start[k]; l < d.list.rows; l++) {
                bool   there = e < W->start[k + 1] && W->column[e] == l;
                double size = sqrt(d.W[k * d.list.rows + k] * d.W[l * d.list.rows + l]);
                CHECK_NEAR(there ? W->value[e] : 0, d.W[k * d.list.rows + l], 1e-14 * size);
                e += there;
                entries += there;
            }
        assert_int_equal(entries, W->start[d.list.rows]);
        assert_true(entries < d.list.rows * d.list.rows / 2);
        solve(r);
        check_answer(r, 1e-12);
        free_dense(&d);
        close_rig(r);
    }
}

static void test_threads_keep_the_bits(void **state)
{
    (void)state;
    rig     *alone = open_rig(blocks, NULL, "auto"), *shared = open_rig(blocks, NULL, "auto");
    zn_team *team = NULL;
    CHECK_OK(zn_team_create(3, &team));
    shared->islands.team = team;
    solve(alone);
    solve(shared);
    assert_memory_equal(alone->v, shared->v, sizeof *alone->v * (size_t)alone->sys->info.n_all);
    assert_memory_equal(alone->P, shared->P, sizeof *alone->P * (size_t)(alone->set->count * alone->set->stride));
    zn_team_destroy(team);
    close_rig(alone);
    close_rig(shared);
}

// Every unit is in one chunk, and chunks of a colour share no degree of freedom.
static void check_chunks(const zn_sweeps *w, const zn_sweep_island *island)
{
    int *met = calloc((size_t)w->dofs, sizeof *met), units = 0;
    for (int k = 0; k < island->chunks; k++) {
        const zn_sweep_chunk *c = &w->chunk[island->chunk + k];
        int                   stamp = island->chunks * (c->colour + 1) + k; // of this chunk and colour
        assert_true(c->colour >= 0 && c->colour < island->colours);
        for (const zn_sweep_unit *u = w->unit + c->unit; u < w->unit + c->unit + c->units; u++, units++)
            for (int e = 0; e < u->entries * (u->even ? 3 : 1); e++) {
                int place = w->place[u->place + (u->even ? e / 3 : e)] + (u->even ? e % 3 : 0);
                assert_true(met[place] / island->chunks != c->colour + 1 || met[place] == stamp);
                met[place] = stamp;
            }
    }
    assert_int_equal(units, island->units);
    free(met);
}

// The law in the velocities afterwards, v = before + M^-1 G'P.
static void check_law(const rig *r, double mu, double tolerance)
{
    int     n = r->sys->info.n, closed = 0;
    double *push = calloc((size_t)r->sys->info.n_all, sizeof *push), *dv = calloc((size_t)n, sizeof *dv), most = 0;
    for (int k = 0; k < r->set->count * r->set->stride; k++) {
        zn_row_add(r->set, k, n, r->P[k], push);
        most = fmax(most, r->P[k]);
    }
    zn_lumped_mass_solve(&r->mass, push, dv);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(r->v[i], r->before[i] + dv[i], 1e-13);
    for (int i = 0; i < r->set->count; i++) {
        int           row = i * r->set->stride;
        const double *P = r->P + row;
        double        U[3], slip, drag = P[1] * P[1] + P[2] * P[2];
        for (int k = 0; k < 3; k++)
            U[k] = zn_row_dot(r->set, row + k, n, r->v);
        slip = sqrt(U[1] * U[1] + U[2] * U[2]);
        assert_true(P[0] >= 0 && U[0] >= -tolerance);
        CHECK_BELOW(fabs(P[0] * U[0]), tolerance * most);
        CHECK_BELOW(sqrt(drag) - mu * P[0], tolerance * most);
        CHECK_BELOW(fabs(P[1] * U[1] + P[2] * U[2] + mu * P[0] * slip), tolerance * most); // opposed to sliding
        closed += P[0] > 0;
    }
    assert_true(closed > r->set->count / 4 && closed < r->set->count);
    free(push);
    free(dv);
}

static void test_chunks(void **state)
{
    (void)state;
    rig *one = open_rig(wide, NULL, "auto");
    solve(one);
    assert_int_equal(one->islands.large, 1);
    const zn_sweep_island *island = &one->islands.sweeps.island[0];
    print_message("%d units in %d chunks of %d colours, %d sweeps\n", island->units, island->chunks, island->colours,
                  island->iterations);
    assert_true(island->chunks > 4 && island->colours > 1 && island->colours <= 4);
    check_chunks(&one->islands.sweeps, island);
    check_law(one, 0.3, 1e-10);
    for (int threads = 2; threads <= 4; threads++) {
        rig     *many = open_rig(wide, NULL, "auto");
        zn_team *team = NULL;
        CHECK_OK(zn_team_create(threads, &team));
        many->islands.team = team;
        solve(many);
        assert_memory_equal(one->v, many->v, sizeof *one->v * (size_t)one->sys->info.n_all);
        assert_memory_equal(one->P, many->P, sizeof *one->P * (size_t)(one->set->count * one->set->stride));
        zn_team_destroy(team);
        close_rig(many);
    }
    close_rig(one);
}

// From its own answer: one sweep, to look.
static void test_warm_start(void **state)
{
    (void)state;
    rig *r = open_rig(blocks, NULL, "auto");
    solve(r);
    assert_true(r->solved.iterations > 8);
    r->solved = (zn_solved){0};
    memcpy(r->v, r->before, sizeof *r->v * (size_t)r->sys->info.n_all);
    solve(r);
    CHECK_BELOW(r->solved.iterations, 2 * 3);
    check_answer(r, 1e-12);
    close_rig(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sweeps_solve_the_problem),
        cmocka_unit_test(test_both_sides),
        cmocka_unit_test(test_sparse_matrix),
        cmocka_unit_test(test_threads_keep_the_bits),
        cmocka_unit_test(test_chunks),
        cmocka_unit_test(test_warm_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
