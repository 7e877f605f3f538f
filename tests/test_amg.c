// Conjugate gradients with multigrid: iterations that do not depend on the mesh, answers of a direct solver, equal
// bits, and refusals of what is not symmetric or not positive definite.
#include "splitting_models.h"

#include <float.h>
#include <stdlib.h>

#include "math/operator.h"
#include "math/linsolver.h"
#include "system/near_null.h"
#include "system/system.h"

#define CUBE(fix)                                                                                                      \
    SOFT_HEAD "parts:\n"                                                                                               \
              "  block: {element: solid, material: soft, " fix                                                         \
              "mesh: {box: {from: [0, 0, 0], to: [0.1, 0.1, 0.1], elements: [n, n, n]}}}\n"

/// Nothing holds it; or its bottom is fixed.
static const char free_cube[] = CUBE("");
static const char fixed_cube[] = CUBE("fix: {zmin: [x, y, z]}, ");

static const char rod[] = SOFT_HEAD "parts:\n"
                                    "  rod: {element: solid, material: soft, fix: {zmin: [x, y, z]}, "
                                    "mesh: {box: {from: [0, 0, 0], to: [0.01, 0.01, 1], elements: [2, 2, n]}}}\n";

typedef struct matrix_case {
    zn_problem   *problem;
    zn_system    *sys;
    zn_sparse    *a;
    zn_near_null *near;
    double       *b, *x;
} matrix_case;

static matrix_case open_matrix(const char *text, const char *n, double mass, double stiffness)
{
    static log_capture messages;
    matrix_case        c = {0};
    uint64_t           seed = 3;
    log_capture_clear(&messages);
    if (zn_problem_parse(text, strlen(text), "cube", 1, &n, log_into(&messages), &c.problem))
        fail_msg("%s", messages.text);
    CHECK_OK(zn_system_create(c.problem->model, &c.sys));
    CHECK_OK(zn_system_matrix(c.sys, &c.a));
    CHECK_OK(zn_system_operators(c.sys, (zn_at){c.sys->q0, c.sys->v0, 0, 0}, mass, 0, stiffness, c.a));
    CHECK_OK(zn_system_near_null(c.sys, "amg", &c.near));
    c.b = calloc((size_t)c.a->n, sizeof *c.b);
    c.x = calloc((size_t)c.a->n, sizeof *c.x);
    for (int i = 0; i < c.a->n; i++)
        c.b[i] = draw(&seed);
    return c;
}

static void close_matrix(matrix_case *c)
{
    zn_near_null_destroy(c->near);
    zn_sparse_destroy(c->a);
    zn_system_destroy(c->sys);
    zn_problem_destroy(c->problem);
    free(c->b);
    free(c->x);
}

static double residual(const matrix_case *c)
{
    double *y = calloc((size_t)c->a->n, sizeof *y), sum = 0, size = 0;
    zn_sparse_multiply(c->a, c->x, y);
    for (int i = 0; i < c->a->n; i++) {
        sum += (c->b[i] - y[i]) * (c->b[i] - y[i]);
        size += c->b[i] * c->b[i];
    }
    free(y);
    return sqrt(sum / size);
}

// Iterations to 1e-12; the residual is looked at from outside: no more than that, and what rounding leaves.
static int iterations_beside(double rounding, const char *text, const char *n, double mass, double stiffness)
{
    matrix_case c = open_matrix(text, n, mass, stiffness);
    zn_operator op;
    CHECK_OK(zn_linsolver_create_near(c.a, "amg", c.near, &op.solver));
    op.matrix = c.a;
    assert_true(zn_operator_iterates(&op));
    CHECK_OK(zn_operator_prepare(&op));
    CHECK_OK(zn_operator_solve(&op, c.b, 1e-12, c.x));
    CHECK_BELOW(residual(&c), 1e-12 + rounding);
    int count = (int)zn_linsolver_iterations(op.solver);
    zn_operator_destroy(&op);
    close_matrix(&c);
    return count;
}

static int iterations(const char *text, const char *n, double mass, double stiffness)
{
    return iterations_beside(0, text, n, mass, stiffness);
}

// The stiffness alone with its bottom fixed is the hardest; with the mass of a long step it is nearly as hard.
static void test_iterations_do_not_depend_on_the_mesh(void **state)
{
    (void)state;
    int small = iterations(fixed_cube, "n=8", 0, 1), large = iterations(fixed_cube, "n=14", 0, 1);
    print_message("stiffness: %d and %d iterations\n", small, large);
    assert_true(large <= 30 && large <= small + small / 3 + 2);
    int free_small = iterations(free_cube, "n=8", 1, 2.5e-5), free_large = iterations(free_cube, "n=14", 1, 2.5e-5);
    print_message("with mass: %d and %d iterations\n", free_small, free_large);
    assert_true(free_large <= 30 && free_large <= free_small + free_small / 3 + 2);
}

// A rod of 2 x 2 x 60 elements hardly resists bending. What it has to bear in single precision costs nothing: with
// cycles in double precision it takes 106 iterations. Its residual is what rounding leaves where the condition number
// is 1e8.
static void test_slender(void **state)
{
    (void)state;
    int count = iterations_beside(1e8 * 64 * DBL_EPSILON, rod, "n=60", 0, 1);
    print_message("rod: %d iterations\n", count);
    assert_true(count <= 116);
}

// Whatever the unit is in which entries are told: the range of single precision does not matter.
static void test_units(void **state)
{
    (void)state;
    int usual = iterations(fixed_cube, "n=8", 1, 1e-4);
    for (int k = -1; k <= 1; k++)
        assert_in_range(iterations(fixed_cube, "n=8", pow(10, 60 * k), 1e-4 * pow(10, 60 * k)), usual - 1, usual + 1);
}

// Where the mass is all there is, nothing needs a coarser level.
static void test_mass_alone(void **state)
{
    (void)state;
    assert_true(iterations(free_cube, "n=12", 1, 0) <= 40);
}

static void test_answers_of_a_direct_solver(void **state)
{
    (void)state;
    matrix_case   c = open_matrix(fixed_cube, "n=8", 1, 1e-4);
    zn_linsolver *direct = NULL, *amg = NULL;
    double       *y = calloc((size_t)c.a->n, sizeof *y), size = 0, off = 0;
    CHECK_OK(zn_linsolver_create(c.a, "klu", &direct));
    CHECK_OK(zn_linsolver_create_near(c.a, "amg", c.near, &amg));
    CHECK_OK(zn_linsolver_factor(direct, c.a));
    CHECK_OK(zn_linsolver_factor(amg, c.a));
    memcpy(c.x, c.b, sizeof *y * (size_t)c.a->n);
    memcpy(y, c.b, sizeof *y * (size_t)c.a->n);
    CHECK_OK(zn_linsolver_solve(direct, 1, c.x));
    CHECK_OK(zn_linsolver_solve(amg, 1, y));
    for (int i = 0; i < c.a->n; i++) {
        size = fmax(size, fabs(c.x[i]));
        off = fmax(off, fabs(c.x[i] - y[i]));
    }
    CHECK_BELOW(off, 1e-12 * size);
    memcpy(c.x, c.b, sizeof *y * (size_t)c.a->n); // again, by a solver made anew
    zn_linsolver_destroy(amg);
    CHECK_OK(zn_linsolver_create_near(c.a, "amg", c.near, &amg));
    CHECK_OK(zn_linsolver_factor(amg, c.a));
    CHECK_OK(zn_linsolver_solve(amg, 1, c.x));
    assert_memory_equal(c.x, y, sizeof *y * (size_t)c.a->n);
    zn_linsolver_destroy(direct);
    zn_linsolver_destroy(amg);
    free(y);
    close_matrix(&c);
}

// From the answer on there is nothing to do.
static void test_guess(void **state)
{
    (void)state;
    matrix_case c = open_matrix(fixed_cube, "n=8", 1, 1e-4);
    zn_operator op;
    CHECK_OK(zn_linsolver_create_near(c.a, "amg", c.near, &op.solver));
    op.matrix = c.a;
    CHECK_OK(zn_operator_prepare(&op));
    CHECK_OK(zn_operator_solve(&op, c.b, 1e-10, c.x));
    int64_t before = zn_linsolver_iterations(op.solver);
    CHECK_OK(zn_operator_solve(&op, c.b, 1e-9, c.x));
    assert_true(zn_linsolver_iterations(op.solver) == before && before > 0);
    zn_operator_destroy(&op);
    close_matrix(&c);
}

static void test_what_it_does_not_take(void **state)
{
    (void)state;
    matrix_case   c = open_matrix(fixed_cube, "n=8", 1, 1e-4);
    zn_linsolver *amg = NULL;
    CHECK_OK(zn_linsolver_create_near(c.a, "amg", c.near, &amg));
    int    entry = c.a->start[1] - 1; // below the diagonal of the first column
    double kept = c.a->value[entry];
    c.a->value[entry] += 0.1 * c.a->value[0];
    CHECK_STATUS(zn_linsolver_factor(amg, c.a), ZN_ERR_UNSUPPORTED);
    c.a->value[entry] = kept;
    for (int e = 0; e < c.a->start[c.a->n]; e++)
        c.a->value[e] = -c.a->value[e];
    CHECK_STATUS(zn_linsolver_factor(amg, c.a), ZN_SINGULAR);
    CHECK_OK(zn_system_operators(c.sys, (zn_at){c.sys->q0, c.sys->v0, 0, 0}, -1e5, 0, 1, c.a)); // indefinite
    zn_status status = zn_linsolver_factor(amg, c.a);
    if (status == ZN_OK)
        status = zn_linsolver_solve(amg, 1, c.b);
    assert_true(status == ZN_SINGULAR || status == ZN_NOT_CONVERGED);
    zn_linsolver_destroy(amg);
    close_matrix(&c);
}

// Pairs of unknowns with the matrix (1 2; 2 1), whose eigenvalues are 3 and -1, or (-1 0; 0 1), which shows at once.
static void fill_pairs(zn_sparse *a, double corner, double side)
{
    for (int j = 0, e = 0; j < a->n; j++) {
        a->start[j] = e;
        for (int i = j - j % 2; i <= j - j % 2 + 1; i++) {
            a->row[e] = i;
            a->value[e++] = i != j ? side : j % 2 == 0 ? corner : 1;
        }
        a->start[j + 1] = e;
    }
}

// Chosen by "auto", which knows nothing of the values, it gives way to a direct solver, and the report says so.
static void test_what_is_not_definite_is_factored(void **state)
{
    (void)state;
    enum { N = ZN_ITERATE_ROWS };
    zn_sparse     a = {N, calloc(N + 1, sizeof(int)), calloc(2 * N, sizeof(int)), calloc(2 * N, sizeof(double))};
    zn_near_null  near = {.n = N, .nodes = N / 2, .node = calloc(N, sizeof(int)), .solid = true};
    double       *x = calloc(N, sizeof *x);
    zn_linsolver *solver = NULL;
    near.motion = calloc((size_t)N * ZN_RIGID_MOTIONS, sizeof *near.motion);
    fill_pairs(&a, 1, 2);
    for (int i = 0; i < N; i++) {
        near.node[i] = i / 2;
        near.motion[(size_t)i * ZN_RIGID_MOTIONS + (size_t)(i % 2)] = 1;
    }
    CHECK_OK(zn_linsolver_create_near(&a, "auto", &near, &solver));
    assert_string_equal(zn_linsolver_get_info(solver).backend, "amg");
    for (int k = 0; k < 2; k++) {
        fill_pairs(&a, k == 0 ? 1 : -1, k == 0 ? 2 : 0);
        CHECK_OK(zn_linsolver_factor(solver, &a));
        for (int i = 0; i < N; i++)
            x[i] = i % 2 == 0 ? 4 : 5; // of x = (2, 1), or of (-4, 5)
        CHECK_OK(zn_linsolver_solve(solver, 1, x));
        for (int i = 0; i < N; i++)
            assert_true(fabs(x[i] - (i % 2 == 0 ? (k == 0 ? 2 : -4) : (k == 0 ? 1 : 5))) < 1e-12);
        assert_non_null(strstr(zn_linsolver_get_info(solver).backend, "amg, then "));
    }
    zn_linsolver_destroy(solver);
    free(a.start);
    free(a.row);
    free(a.value);
    free(near.node);
    free(near.motion);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_iterations_do_not_depend_on_the_mesh),
        cmocka_unit_test(test_slender),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_mass_alone),
        cmocka_unit_test(test_answers_of_a_direct_solver),
        cmocka_unit_test(test_guess),
        cmocka_unit_test(test_what_it_does_not_take),
        cmocka_unit_test(test_what_is_not_definite_is_factored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
