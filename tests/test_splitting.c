// Contacts without columns of the inverse matrix: the same motion as with them, by direct and iterative solvers; the
// judge against the dense one; refusals, failures, restarts.
#include "splitting_models.h"

#include <stdlib.h>

#include "base/fault.h"
#include "solve/friction.h"
#include "system/system.h"

static zn_scheme_def scheme_of(const char *name, const char *linear_solver, double column_memory)
{
    zn_scheme_def def = scheme_named(name, 0.5);
    def.linear_solver = linear_solver;
    def.column_memory = column_memory;
    return def;
}

static double largest(int n, const double *x)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double farthest(int n, const double *x, const double *y)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

static int pushing(const soft_run *x)
{
    const zn_contact_set *set = x->r.state->contacts;
    int                   count = 0;
    for (int i = 0; i < set->count; i++)
        count += !set->bilateral[i] && set->impulse[i * set->stride] > 0;
    return count;
}

// Velocities and, where they are unique, impulses agree relative to the largest.
static void check_equal(const soft_run *x, const soft_run *y, bool impulses, double tolerance)
{
    zn_system_info        info = zn_system_get_info(x->r.sys);
    const zn_contact_set *a = x->r.state->contacts, *b = y->r.state->contacts;
    CHECK_BELOW(farthest(info.n_all, x->r.state->v, y->r.state->v), tolerance * largest(info.n_all, x->r.state->v));
    CHECK_BELOW(farthest(info.nq, x->r.state->q, y->r.state->q), tolerance * 0.1);
    assert_int_equal(a->count, b->count);
    int rows = a->count * a->stride;
    if (impulses)
        CHECK_BELOW(farthest(rows, a->impulse, b->impulse), 10 * tolerance * largest(rows, a->impulse));
}

typedef struct soft_case {
    const char *text, *mu, *more, *scheme, *solver;
    int         steps;
    bool        unique;    // impulses are
    double      tolerance; // of velocities
} soft_case;

static void check_case(const soft_case *c)
{
    const double h = 1e-3;
    soft_run     x = soft_start(c->text, c->mu, c->more, scheme_of(c->scheme, "auto", 1000));
    soft_run     y = soft_start(c->text, c->mu, c->more, scheme_of(c->scheme, c->solver, 0));
    int          touched = 0;
    assert_false(soft_is_split(&x));
    assert_true(soft_is_split(&y));
    for (int k = 0; k < c->steps; k++) {
        rig_step(&x.r, h);
        rig_step(&y.r, h);
        touched = pushing(&x) > touched ? pushing(&x) : touched;
        CHECK_BELOW(y.r.info.complementarity, 1e-12);
    }
    assert_true(touched > 3);
    check_equal(&x, &y, c->unique, c->tolerance);
    soft_end(&x);
    soft_end(&y);
}

static void test_equal_to_columns(void **state)
{
    (void)state;
    static const char *const mu[] = {"mu=0", "mu=0.3", "mu=0.6"};
    static const char *const scheme[] = {"moreau_jean", "nsga"};
    for (int i = 0; i < 6; i++)
        check_case(&(soft_case){thrown_block, mu[i % 3], NULL, scheme[i / 3], "auto", i < 3 ? 6 : 3, true, 1e-9});
    check_case(&(soft_case){thrown_block, "mu=0.3", "e=0.5", "moreau_jean", "klu", 4, true, 1e-9});
    check_case(&(soft_case){thrown_block, "mu=0.3", "e=0.5", "nsga", "klu", 2, true, 1e-9});
    check_case(&(soft_case){thrown_block, "mu=0", "n=3", "nsga_coupled", "klu", 2, true, 1e-9});
    check_case(&(soft_case){thrown_block, "mu=0", NULL, "schatzman_paoli", "klu", 6, true, 1e-9});
}

static void test_equal_to_columns_of_a_larger_block(void **state)
{
    (void)state;
    check_case(&(soft_case){thrown_block, "mu=0.3", "n=10", "moreau_jean", "auto", 2, true, 1e-9});
    check_case(&(soft_case){thrown_block, "mu=0.6", "n=10", "moreau_jean", "amg", 2, true, 1e-9});
}

static void test_equal_by_iteration(void **state)
{
    (void)state;
    check_case(&(soft_case){thrown_block, "mu=0", NULL, "moreau_jean", "amg", 4, true, 1e-9});
    check_case(&(soft_case){thrown_block, "mu=0.6", NULL, "nsga", "amg", 2, true, 1e-9});
}

static void test_contacts_on_facets(void **state)
{
    (void)state;
    check_case(&(soft_case){two_blocks, "mu=0.3", NULL, "moreau_jean", "auto", 6, true, 1e-9});
    check_case(&(soft_case){two_blocks, "mu=0.6", NULL, "nsga", "amg", 3, true, 1e-9});
}

static void test_contacts_that_repeat_each_other(void **state)
{
    (void)state;
    check_case(&(soft_case){doubled_block, "mu=0.3", "n=3", "moreau_jean", "auto", 6, false, 1e-9});
    check_case(&(soft_case){doubled_block, "mu=0.6", "n=3", "nsga", "auto", 4, false, 1e-9});
}

static void test_joints_beside_contacts(void **state)
{
    (void)state;
    check_case(&(soft_case){jointed_block, "mu=0.3", "n=3", "moreau_jean", "klu", 6, true, 1e-9});
    check_case(&(soft_case){jointed_block, "mu=0", "n=3", "nsga", "klu", 4, true, 1e-9});
}

// The judge of velocities is never milder than that of the matrix when it weighs by the same diagonal.
static void test_judge_without_matrix(void **state)
{
    (void)state;
    enum { N = 6 };
    static const int    first[] = {0, 3, 6};
    static const double mu[] = {0.3, 0.6};
    uint64_t            seed = 7;
    for (int round = 0; round < 200; round++) {
        double B[N * N], W[N * N], q[N], r[N], u[N], size[N];
        for (int i = 0; i < N * N; i++)
            B[i] = draw(&seed);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                W[i * N + j] = 0;
                for (int k = 0; k < N; k++)
                    W[i * N + j] += B[i * N + k] * B[j * N + k];
            }
        for (int i = 0; i < N; i++) {
            q[i] = draw(&seed);
            r[i] = i % 3 == 0 ? fabs(draw(&seed)) : 0.2 * draw(&seed);
        }
        zn_fc_problem p = {N, 0, 2, first, W, q, mu, NULL, NULL};
        double        dense = zn_fc_judge(&p, NULL, ZN_FC_MEASURE_NATURAL, r, u);
        for (int i = 0; i < N; i++)
            size[i] = zn_fc_block_size(&p, i / 3 * 3, i / 3 * 3 + 3);
        p.W = NULL;
        zn_fc_weights weights = zn_fc_weigh_velocities(&p, size, r, u);
        double        without = zn_fc_judge_weights(&weights);
        assert_true(without >= dense * (1 - 1e-12) && without <= 10 * dense);
    }
}

// One contact parts and one pushes, without friction, beside one with it.
static void test_cone_without_friction(void **state)
{
    (void)state;
    double z[3];
    zn_fc_project(1, 0, (double[]){-2}, z);
    assert_true(z[0] == 0);
    zn_fc_project(1, 0, (double[]){3}, z);
    assert_true(z[0] == 3);
    zn_fc_project(3, 0, (double[]){3, 1, 1}, z);
    assert_true(z[0] == 3 && z[1] == 0 && z[2] == 0);
    zn_fc_project(3, 0.5, (double[]){-1, 0, 0}, z);
    assert_true(z[0] == 0 && z[1] == 0 && z[2] == 0);
    zn_fc_project(1, -1, (double[]){-2}, z); // an equation
    assert_true(z[0] == -2);
}

static void test_what_needs_columns_has_them(void **state)
{
    (void)state;
    zn_scheme_def def = scheme_of("moreau_jean", "klu", 0);
    def.impact = ZN_IMPACT_POISSON;
    soft_run x = soft_start(thrown_block, "mu=0.3", "n=2", def);
    assert_false(soft_is_split(&x));
    CHECK_LOGGED(&soft_messages, "columns of 9 contacts take 0.0175 MB"); // 8 bytes, 3 x 27 unknowns, 9 x 3 rows
    soft_end(&x);
    def = scheme_of("nsga", "klu", 0);
    def.solver = "gauss_seidel";
    x = soft_start(thrown_block, "mu=0.3", "n=2", def);
    assert_false(soft_is_split(&x));
    CHECK_LOGGED(&soft_messages, "columns of 9 contacts take 0.0175 MB");
    soft_end(&x);
    def.solver = "admm";
    x = soft_start(thrown_block, "mu=0.3", "n=2", def);
    assert_true(soft_is_split(&x));
    assert_null(strstr(soft_messages.text, "contacts take"));
    soft_end(&x);
}

// A step of y fails in every place: the state is as it was, and the step after it as if nothing had happened. (Trials
// of a line search that fail are mended.)
static int fail_everywhere(soft_run *y, double h)
{
    int       n = zn_system_get_info(y->r.sys).n_all, size = zn_scheme_history_size(y->r.scheme), failures = 0;
    double   *history = calloc((size_t)size + 1, sizeof *history);
    zn_state *old = NULL;
    CHECK_OK(zn_state_create(y->r.sys, &old));
    CHECK_OK(zn_state_copy(y->r.sys, y->r.state, old));
    zn_scheme_history_save(y->r.scheme, history);
    for (bool fired = true; fired;) {
        zn_fault_inject(++failures);
        zn_status status = zn_scheme_step(y->r.scheme, y->r.state, h, &y->r.info);
        fired = zn_fault_is_spent();
        zn_fault_inject(0);
        if (status != ZN_OK) {
            assert_true(y->r.state->t == old->t);
            assert_memory_equal(y->r.state->v, old->v, sizeof(double) * (size_t)n);
        }
        CHECK_OK(zn_state_copy(y->r.sys, old, y->r.state));
        CHECK_OK(zn_scheme_history_load(y->r.scheme, history, size));
    }
    zn_state_destroy(old);
    free(history);
    return failures;
}

static void test_failures_leave_the_state(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "nsga"};
    const double             h = 1e-3;
    for (int s = 0; s < 2; s++) {
        soft_run x = soft_start(thrown_block, "mu=0.3", "n=2", scheme_of(schemes[s], "klu", 0));
        soft_run y = soft_start(thrown_block, "mu=0.3", "n=2", scheme_of(schemes[s], "klu", 0));
        int      n = zn_system_get_info(x.r.sys).n_all;
        for (int k = 0; k < 3; k++) {
            assert_true(fail_everywhere(&y, h) > 4);
            rig_step(&x.r, h);
            rig_step(&y.r, h);
            assert_memory_equal(x.r.state->v, y.r.state->v, sizeof(double) * (size_t)n);
        }
        soft_end(&x);
        soft_end(&y);
    }
}

// A run that goes on from a saved history has the bits of the one that was saved; on these linear models also those of
// a run that nobody looked at.
static void test_restart(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "nsga"}, *const solvers[] = {"klu", "amg"};
    const double h = 1e-3;
    for (int s = 0; s < 4; s++) {
        zn_scheme_def def = scheme_of(schemes[s % 2], solvers[s / 2], 0);
        soft_run x = soft_start(thrown_block, "mu=0.3", "n=3", def), y = soft_start(thrown_block, "mu=0.3", "n=3", def);
        soft_run z = soft_start(thrown_block, "mu=0.3", "n=3", def);
        int      n = zn_system_get_info(x.r.sys).n_all, size = zn_scheme_history_size(x.r.scheme);
        double  *history = calloc((size_t)size + 1, sizeof *history);
        for (int k = 0; k < 3; k++) {
            rig_step(&x.r, h);
            rig_step(&z.r, h);
        }
        zn_scheme_history_save(x.r.scheme, history);
        CHECK_OK(zn_state_copy(x.r.sys, x.r.state, y.r.state));
        CHECK_OK(zn_scheme_history_load(y.r.scheme, history, size));
        for (int k = 0; k < 3; k++) {
            rig_step(&x.r, h);
            rig_step(&y.r, h);
            rig_step(&z.r, h);
            assert_memory_equal(x.r.state->v, y.r.state->v, sizeof(double) * (size_t)n);
            assert_memory_equal(x.r.state->v, z.r.state->v, sizeof(double) * (size_t)n);
        }
        assert_true(pushing(&x) > 0);
        free(history);
        soft_end(&x);
        soft_end(&y);
        soft_end(&z);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_to_columns),
        cmocka_unit_test(test_equal_to_columns_of_a_larger_block),
        cmocka_unit_test(test_equal_by_iteration),
        cmocka_unit_test(test_contacts_on_facets),
        cmocka_unit_test(test_contacts_that_repeat_each_other),
        cmocka_unit_test(test_joints_beside_contacts),
        cmocka_unit_test(test_judge_without_matrix),
        cmocka_unit_test(test_cone_without_friction),
        cmocka_unit_test(test_what_needs_columns_has_them),
        cmocka_unit_test(test_failures_leave_the_state),
        cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
