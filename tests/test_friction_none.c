// Friction problems without solution, with several, and hostile ones.
#include "friction_fixtures.h"

// --- no solution, several, hostile ---------------------------------------------------------------

// W = [1 3; 1 1], mu = 1, q = (-1, q_T): slip forwards has W_NN - mu W_NT = -2 and jams (Painleve). Slip backwards
// needs q_T <= -1/2, and so does stick: above there is no solution, below there are two.
static void painleve_at_one_contact(void **state)
{
    (void)state;
    const double W[4] = {1, 3, 1, 1};
    for (double tangent = -3; tangent < 3; tangent += 0.2) {
        const double q[2] = {-1, tangent};
        sample      *s = make_given(0, 1, 1, W, q);
        if (tangent > -0.5)
            check_refused(&s->p, ZN_NOT_CONVERGED);
        else
            check_all(&s->p, AUTO | ENUMERATE | GAUSS_SEIDEL, NULL, 0, NULL);
        s->q[0] = 1; // and it may lift off, whatever else it could do
        check_all(&s->p, EVERY, NULL, 0, NULL);
        free(s);
    }
    // the sliding rod with its direction given is W_NN - mu W_NT < 0 alone: no solution, or two, of which it takes r =
    // 0
    sample *rod = make_sample(0, 1, 1, 0);
    rod->W[0] = -0.5;
    rod->q[0] = -1;
    check_refused(&rod->p, ZN_NOT_CONVERGED);
    rod->q[0] = 1;
    check_all(&rod->p, EVERY, rod->r, 0, NULL);
    free(rod);
}

// The same block between others: answers must obey the law, and there is none when its block has none.
static void painleve_among_others(void **state)
{
    (void)state;
    uint64_t seed = 9;
    int      solved = 0;
    for (int repeat = 0; repeat < 60; repeat++) {
        sample *s = make_bodies(3, 0, 3, 6, &seed);
        disturb(s, 0.5, &seed);
        check_all(&s->p, 0, NULL, 0, NULL);
        bool found = run(&s->p, "auto", NULL).status == ZN_OK;
        for (int k = 1; k < SOLVERS; k++) // auto finds what any finds
            assert_true(found || run(&s->p, solvers[k].name, NULL).status != ZN_OK);
        solved += found;
        free(s);
    }
    assert_true(solved > 30);
    const double W[16] = {1, 3, 0, 0, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2}, q[4] = {-1, 0, -1, 0.3};
    sample      *s = make_given(0, 2, 1, W, q);
    check_refused(&s->p, ZN_NOT_CONVERGED);
    free(s);
}

static void infeasible_problems(void **state)
{
    (void)state;
    // a body squeezed from both sides: u_N1 + u_N2 = -2 whatever r is
    const double squeezed[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, push[4] = {-1, 0.5, -1, 0.5};
    // two equations that contradict each other
    const double twice[16] = {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, contradict[4] = {-1, -2, -1, 0};
    const double zero[4] = {0}; // nothing moves, but it should
    sample      *s[3] = {make_given(0, 2, 0.3, squeezed, push), make_given(2, 1, 0.3, twice, contradict),
                         make_given(0, 1, 0.3, zero, push)};
    for (int k = 0; k < 3; k++) {
        check_refused(&s[k]->p, ZN_NOT_CONVERGED);
        free(s[k]);
    }
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    uint64_t seed = 10;
    for (int contacts = 1; contacts <= 3; contacts++) {
        sample       *s = make_bodies(contacts, 0, contacts, 0.5, &seed);
        double *const places[] = {&s->q[1], &s->W[1], &s->q[0], &s->mu[0]};
        for (int k = 0; k < 4; k++) {
            double good = *places[k];
            *places[k] = NAN;
            check_refused(&s->p, ZN_NOT_FINITE);
            *places[k] = INFINITY;
            check_refused(&s->p, ZN_NOT_FINITE);
            *places[k] = good;
        }
        assert_int_equal(run(&s->p, "abacus", NULL).status, ZN_ERR_ARGUMENT);
        assert_int_equal(run(&s->p, "automatic", NULL).status, ZN_ERR_ARGUMENT);
        s->mu[contacts - 1] = -0.1;
        check_refused(&s->p, ZN_ERR_ARGUMENT);
        s->mu[contacts - 1] = 0.1;
        s->first[contacts]--;
        check_refused(&s->p, ZN_ERR_ARGUMENT);
        s->first[contacts]++;
        s->p.bilateral = 1;
        check_refused(&s->p, ZN_ERR_ARGUMENT);
        free(s);
    }
    zn_fc_problem empty = {0};
    check_all(&empty, EVERY, NULL, 0, NULL);
}

// --- what is said about it -----------------------------------------------------------------------

static void reasons_are_given(void **state)
{
    (void)state;
    const double zero[4] = {0}, push[2] = {-1, 0.5};
    sample      *s = make_given(0, 1, 0.3, zero, push);
    for (int k = 0; k < SOLVERS; k++) {
        answer a = run(&s->p, solvers[k].name, NULL);
        assert_int_equal(a.status, ZN_NOT_CONVERGED);
        assert_non_null(strstr(a.info.reason, "closes whatever"));
    }
    free(s);
    // stopped early: the best iterate is there on request, with its true residual, and worse than asked for
    uint64_t seed = 21;
    s = make_bodies(15, 0, 30, 0.6, &seed);
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    zn_fc_settings settings = zn_fc_settings_default();
    settings.solver = "gauss_seidel";
    settings.max_iterations = 3;
    settings.keep_best = true;
    zn_fc_info info;
    assert_int_equal(zn_fc_solve(&s->p, &settings, workspace, s->r, s->u, &info), ZN_NOT_CONVERGED);
    assert_non_null(info.reason);
    assert_true(info.residual > 1e-12);
    CHECK_NEAR(info.residual, zn_fc_residual(&s->p, s->r), 0);
    CHECK_NEAR(info.residual_fclib, zn_fc_residual_fclib(&s->p, s->r), 0);
    zn_fc_workspace_destroy(workspace);
    free(s);
}

static void check_says(const sample *s, zn_status expected, const char *part)
{
    char message[200];
    assert_int_equal(zn_fc_check(&s->p, message, sizeof message), expected);
    if (strstr(message, part) == NULL)
        fail_msg("'%s' lacks '%s'", message, part);
}

static void faults_are_named(void **state)
{
    (void)state;
    uint64_t seed = 22;
    sample  *s = make_bodies(3, 0, 3, 0.5, &seed);
    char     message[100];
    CHECK_OK(zn_fc_check(&s->p, message, sizeof message));
    assert_string_equal(message, "");
    s->mu[1] = -0.1;
    check_says(s, ZN_ERR_ARGUMENT, "mu of contact 1 is negative");
    s->mu[1] = NAN;
    check_says(s, ZN_NOT_FINITE, "mu of contact 1");
    s->mu[1] = 0.1;
    s->q[2] = INFINITY;
    check_says(s, ZN_NOT_FINITE, "q(2)");
    s->q[2] = 1;
    double good = s->W[7];
    s->W[7] = NAN;
    check_says(s, ZN_NOT_FINITE, "W(1, 1)");
    s->W[7] = -1;
    check_says(s, ZN_ERR_ARGUMENT, "positive semidefinite");
    s->W[7] = good;
    s->W[1] += 0.5 * sqrt(s->W[0] * s->W[7]);
    check_says(s, ZN_ERR_ARGUMENT, "not symmetric");
    s->W[1] -= 0.5 * sqrt(s->W[0] * s->W[7]);
    s->first[1] = 5;
    check_says(s, ZN_ERR_ARGUMENT, "rows");
    s->first[1] = 2;
    s->first[3] = 5;
    check_says(s, ZN_ERR_ARGUMENT, "contacts own rows");
    free(s);
    // [1 t t; t 1 t; t t 1] has the eigenvalue 1 - 2 |t| for t < 0 while its 2 x 2 minors are positive
    sample *three = make_sample(0, 3, 1, 0);
    for (int i = 0; i < 9; i++)
        three->W[i] = i % 4 == 0 ? 1 : -0.6;
    check_says(three, ZN_ERR_ARGUMENT, "1 negative");
    free(three);
    zn_fc_problem empty = {0};
    CHECK_OK(zn_fc_check(&empty, message, sizeof message));
}

// A push goes through a chain of contacts from one end to the other: the bound holds for all that is tried, and is
// told.
static void effort_is_bounded(void **state)
{
    (void)state;
    enum { COUNT = 120, ROWS = 3 * COUNT };
    static double W[ROWS * ROWS], q[ROWS], r[ROWS], u[ROWS], mu[COUNT];
    int           first[COUNT + 1] = {0};
    for (int c = 0; c < COUNT; c++) {
        int i = 3 * c;
        first[c + 1] = i + 3;
        mu[c] = 0.3;
        for (int k = 0; k < 3; k++)
            W[(i + k) * ROWS + i + k] = k == 0 ? 2 : 1;
        if (c > 0)
            W[i * ROWS + i - 3] = W[(i - 3) * ROWS + i] = -1;
    }
    q[0] = -1;
    const zn_fc_problem p = {.n = ROWS, .contacts = COUNT, .first = first, .W = W, .q = q, .mu = mu};
    zn_fc_workspace    *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    for (int k = 0; k < SOLVERS; k++) {
        zn_fc_settings settings = {.solver = solvers[k].name, .tolerance = 1e-10, .effort = 20};
        zn_fc_info     info;
        if (strcmp(settings.solver, "lemke") == 0 || strcmp(settings.solver, "enumerate") == 0)
            continue;
        memset(r, 0, sizeof r);
        CHECK_STATUS(zn_fc_solve(&p, &settings, workspace, r, u, &info), ZN_NOT_CONVERGED);
        assert_non_null(strstr(info.reason, "effort"));
        assert_in_range(info.iterations, 1, 60);
        settings.effort = 0;
        settings.time_limit = 1e-9;
        CHECK_STATUS(zn_fc_solve(&p, &settings, workspace, r, u, &info), ZN_NOT_CONVERGED);
        assert_non_null(strstr(info.reason, "time limit"));
    }
    zn_fc_settings settings = {.solver = "auto", .tolerance = 1e-10, .effort = INFINITY};
    CHECK_OK(zn_fc_solve(&p, &settings, workspace, r, u, NULL));
    zn_fc_workspace_destroy(workspace);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(painleve_at_one_contact), cmocka_unit_test(painleve_among_others),
        cmocka_unit_test(infeasible_problems),     cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(effort_is_bounded),       cmocka_unit_test(reasons_are_given),
        cmocka_unit_test(faults_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
