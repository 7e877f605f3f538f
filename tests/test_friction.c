// Frictional contact in the plane: one suite run over every solver.
#include "friction_fixtures.h"

// --- mechanics by hand ---------------------------------------------------------------------------

// A block of mass m on an incline of angle a, in one step of length h from rest: q = h g (-cos a, -sin a). It sticks
// for tan a <= mu with r = m h g (cos a, sin a); above, r = m h g cos a (1, mu), u_T = -h g (sin a - mu cos a).
static void block_on_an_incline(void **state)
{
    (void)state;
    const double m = 2.5, step = 0.01 * 9.81, mu = 0.4;
    for (int k = 0; k <= 20; k++) {
        double       angle = k == 20 ? atan(mu) : 0.04 * k, sine = sin(angle), cosine = cos(angle);
        const double W[4] = {1 / m, 0, 0, 1 / m}, q[2] = {-step * cosine, -step * sine};
        sample      *s = make_given(0, 1, mu, W, q);
        double       friction = fmin(sine, mu * cosine), r[2] = {m * step * cosine, m * step * friction};
        check_all(&s->p, EVERY, r, 1e-14, NULL);
        check_all(&s->p, EVERY, r, 1e-14, r);
        for (int i = 0; i < SOLVERS; i++) {
            double exact = solvers[i].bit & (NEWTON | ADMM | INTERIOR) ? 1e-12 : 1e-15;
            CHECK_NEAR(run(&s->p, solvers[i].name, NULL).u[1], -step * (sine - friction), exact);
        }
        free(s);
    }
}

static void one_contact_in_every_status(void **state)
{
    (void)state;
    // W = [2 1; 1 3], mu = 1/2. Stick: W r = -q. Slip: r_T = -+r_N/2, r_N = -q_N/(2 -+ 1/2).
    const struct {
        double q[2], r[2];
    } cases[] = {{{1, 5}, {0, 0}},        {{0, -2}, {0, 0}},      {{-3, -4}, {1, 1}},
                 {{-5, -5}, {2, 1}},      {{-5, -2.5}, {2.5, 0}}, {{-3, 5}, {2, -1}},
                 {{-2.5, -20}, {1, 0.5}}, {{0, 0}, {0, 0}},       {{-1.5, 0.5}, {1, -0.5}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double W[4] = {2, 1, 1, 3}, warm[2] = {1, 0.2}, odd[2] = {NAN, 1e300};
        sample      *s = make_given(0, 1, k == 2 ? 1 : 0.5, W, cases[k].q);
        check_all(&s->p, EVERY, cases[k].r, 1e-14, NULL);
        check_all(&s->p, EVERY, cases[k].r, 1e-14, warm);
        CHECK_OK(run(&s->p, "enumerate", odd).status);
        free(s);
    }
}

// A block on two corners (+-a, -b), pushed at its centre: r_N share the weight w, friction's moment b (r_T1 + r_T2)
// shifts it to the front: r_N = w/2 -+ b r_T / (2 a).
static void pushed_block(void **state)
{
    (void)state;
    const double a = 0.5, b = 0.2, mu = 0.3, inverse_mass[3] = {1, 1, 6};
    for (int k = 0; k < 2; k++) {
        double  push = k == 0 ? 0.2 : 0.5, v[3] = {push, -1, 0}, G[4][MAX] = {{0}};
        sample *s = make_sample(0, 2, 2, mu);
        for (int c = 0; c < 2; c++) // the normal up, the tangent to the left
            add_contact(G + 2 * c, 2, 0, 1, 2 * atan(1), c == 0 ? -a : a, -b);
        fill_sample(s, 3, G, inverse_mass, v);
        check_all(&s->p, EVERY, NULL, 0, NULL);
        double friction = fmin(push, mu), back = 0.5 - b * friction / (2 * a), front = 1 - back;
        for (int i = 0; i < SOLVERS; i++) {
            answer x = run(&s->p, solvers[i].name, NULL);
            CHECK_NEAR(x.r[0], back, 1e-12);
            CHECK_NEAR(x.r[2], front, 1e-12);
            CHECK_NEAR(x.r[1] + x.r[3], friction, 1e-12); // of the sticking block only the sum is determined
            CHECK_NEAR(x.u[1], friction - push, 1e-12);
        }
        free(s);
    }
}

// A slider in a guide, one side or both touching: the small inertia couples its corners so strongly that sweeps
// contract by no more than 0.94.
static void strongly_coupled_corners(void **state)
{
    (void)state;
    const double inverse_mass[3] = {1 / 0.076, 1 / 0.076, 1 / 2.7e-6}, up = 2 * atan(1);
    const double speed[][3] = {{3, -0.1, 0}, {3, -0.1, 5}, {-2, -0.01, -30}, {0.5, 0.2, 80}, {1, 0, -60}};
    for (size_t k = 0; k < sizeof speed / sizeof *speed; k++)
        for (int corners = 2; corners <= 4; corners += 2) {
            double  G[8][MAX] = {{0}};
            sample *s = make_sample(0, corners, 2, 0.01);
            for (int c = 0; c < corners; c++)
                add_contact(G + 2 * c, 2, 0, 1, c < 2 ? up : -up, c % 2 ? 0.05 : -0.05, c < 2 ? -0.025 : 0.025);
            fill_sample(s, 3, G, inverse_mass, speed[k]);
            CHECK_NEAR(pow(s->W[2] / s->W[0], 2), 0.945, 0.001);
            check_all(&s->p, EVERY, NULL, 0, NULL);
            answer a = run(&s->p, "auto", NULL);
            CHECK_BELOW(a.info.iterations, 20); // sweeps alone would be hundreds
            a = run(&s->p, "auto", a.r);
            assert_int_equal(a.info.iterations, 0); // known
            free(s);
        }
}

// --- random problems -----------------------------------------------------------------------------

static void random_problems(void **state)
{
    (void)state;
    enum { LARGE = AUTO | LEMKE, UNSYMMETRIC = AUTO | ENUMERATE };
    const struct { // with more rows than degrees of freedom answers are not unique
        int    bodies, bilateral, contacts, must;
        double mu, unsymmetric;
    } cases[] = {{1, 0, 1, DIRECT, 0.5, 0},        {2, 0, 2, DIRECT, 0.5, 0},        {3, 0, 3, DIRECT, 1, 0},
                 {4, 0, 4, DIRECT, 0.5, 0},        {5, 0, 5, DIRECT, 0.5, 0},        {2, 3, 0, DIRECT, 0, 0},
                 {3, 1, 2, DIRECT, 0.5, 0},        {4, 3, 3, DIRECT, 0.5, 0},        {4, 5, 1, DIRECT, 0.5, 0},
                 {1, 0, 2, DIRECT, 0.5, 0},        {1, 0, 3, DIRECT, 3, 0},          {1, 0, 4, DIRECT, 0.5, 0},
                 {2, 0, 4, DIRECT, 3, 0},          {2, 1, 5, DIRECT, 0.5, 0},        {1, 2, 3, DIRECT, 0.5, 0},
                 {4, 0, 8, LARGE, 0.6, 0},         {8, 0, 16, LARGE, 0.6, 0},        {15, 0, 30, LARGE, 0.6, 0},
                 {1, 0, 1, UNSYMMETRIC, 0.5, 0.1}, {2, 0, 2, UNSYMMETRIC, 0.5, 0.1}, {3, 1, 3, UNSYMMETRIC, 0.5, 0.1}};
    uint64_t seed = 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int repeat = 0; repeat < (cases[k].contacts > 5 ? 4 : 40); repeat++) {
            sample *s = make_bodies(cases[k].bodies, cases[k].bilateral, cases[k].contacts, cases[k].mu, &seed);
            bool    chosen = repeat % 2 || cases[k].unsymmetric > 0;
            double  warm[MAX];
            disturb(s, cases[k].unsymmetric, &seed);
            if (chosen) // else q = G v, which has a solution by mechanics
                choose_answer(s, &seed);
            for (int i = 0; i < s->p.n; i++)
                warm[i] = draw(&seed);
            check_all(&s->p, cases[k].must, NULL, 0, NULL);
            check_all(&s->p, cases[k].must, NULL, 0, warm);
            if (chosen && s->p.n > 2) { // started from an answer it stays there, even one of many
                answer a = run(&s->p, "auto", s->r);
                for (int i = 0; i < s->p.n; i++)
                    CHECK_NEAR(a.r[i], s->r[i], 1e-6);
            }
            free(s);
        }
}

// --- relations to linear complementarity ---------------------------------------------------------

static void without_friction_it_is_an_lcp(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int contacts = 1; contacts <= 5; contacts++)
        for (int repeat = 0; repeat < 10; repeat++) {
            sample *s = make_bodies(contacts, 0, contacts, 0, &seed), *t = make_sample(0, contacts, 1, 0.7);
            double  z[MAX] = {0}, w[MAX], r[MAX] = {0};
            for (int i = 0; i < contacts; i++) {
                t->q[i] = s->q[2 * i];
                for (int j = 0; j < contacts; j++)
                    t->W[i * contacts + j] = s->W[4 * i * contacts + 2 * j];
            }
            zn_lcp_problem  lcp = {contacts, 0, t->W, t->q};
            zn_lcp_settings settings = zn_lcp_settings_default();
            void           *scratch = malloc(zn_lcp_scratch(contacts));
            CHECK_OK(zn_lcp_solve(&lcp, &settings, z, w, scratch, NULL));
            free(scratch);
            for (int i = 0; i < contacts; i++)
                r[2 * i] = z[i];
            check_all(&s->p, EVERY, r, 1e-9, NULL); // tangents and mu = 0
            check_all(&t->p, EVERY, z, 1e-9, NULL); // no tangents: mu means nothing
            free(s);
            free(t);
        }
}

// Every bilateral row twice, the second time as the sum of all before: consistent, singular, must be solved.
static void dependent_bilateral_rows(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int repeat = 0; repeat < 60; repeat++) {
        enum { DOFS = 12 };
        int     half = 1 + repeat % 3;
        sample *s = make_sample(2 * half, 3, 2, 0.4);
        double  G[MAX][MAX] = {{0}}, inverse_mass[DOFS], v[DOFS];
        for (int k = 0; k < DOFS; k++) {
            v[k] = draw(&seed);
            inverse_mass[k] = 1.5 + draw(&seed);
            for (int i = 0; i < s->p.n; i++)
                G[i][k] = i < half || i >= 2 * half ? draw(&seed)
                          : repeat % 2              ? G[i - half][k]
                                                    : G[0][k] + G[half - 1][k];
        }
        fill_sample(s, DOFS, G, inverse_mass, v);
        check_all(&s->p, DIRECT, NULL, 0, NULL);
        free(s);
    }
}

// A multiplier whose own diagonal is zero cannot be eliminated alone: r_0 with u_0 = r_N - 1 holds r_N = 1.
static void a_bilateral_row_without_diagonal(void **state)
{
    (void)state;
    const double W[9] = {0, 1, 0, -1, 2, 0, 0, 0, 1}, q[3] = {-1, 0, -2}, r[3] = {2, 1, 0.5};
    sample      *s = make_given(1, 1, 0.5, W, q);
    check_all(&s->p, AUTO | ENUMERATE, r, 1e-14, NULL);
    free(s);
}

// --- units ---------------------------------------------------------------------------------------

static void change_units(sample *s, const double *unit)
{
    int n = s->p.n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            s->W[i * n + j] *= unit[i] * unit[j];
        s->q[i] *= unit[i];
        s->r[i] /= unit[i];
    }
}

static void units_do_not_matter(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int repeat = 0; repeat < 40; repeat++) {
        sample *s = make_bodies(4, 2, 4, 0.5, &seed);
        choose_answer(s, &seed);
        double unit[MAX];
        answer before[3];
        for (int k = 0; k < 3; k++) // the direct solvers
            before[k] = run(&s->p, solvers[k].name, NULL);
        for (int i = 0; i < s->p.n; i++) {
            unit[i] = i < 2 || i % 2 == 0 ? pow(10, 6 * draw(&seed)) : unit[i - 1]; // one unit per contact
            s->r[i] += 0.1 * draw(&seed);                                           // wrong, to have a residual
        }
        double residual = zn_fc_residual(&s->p, s->r);
        change_units(s, unit);
        assert_true(residual > 1e-4);
        CHECK_NEAR(zn_fc_residual(&s->p, s->r), residual, 1e-12 * residual);
        for (int k = 0; k < 3; k++) {
            answer a = run(&s->p, solvers[k].name, NULL);
            CHECK_OK(a.status);
            check_law(&s->p, &a, solvers[k].name);
            for (int i = 0; i < s->p.n; i++)
                CHECK_NEAR(unit[i] * a.r[i], before[k].r[i], 1e-8 * (1 + fabs(before[k].r[i])));
        }
        free(s);
    }
}

static void the_residual_by_hand(void **state)
{
    (void)state;
    // d = 4; r = (1, 0), u = (4 - 8, 4) = (-4, 4), mu = 3/4: x = r - (-4 + 3, 4)/4 = (5/4, -1), |x_T| > mu x_N:
    // P = (5/4 + 3/4)/(25/16) (1, -3/4) = (32/25)(1, -3/4), r - P = (-7, 24)/25, length 1; times sqrt(d) = 2,
    // over (8 + 4)/2 = 6
    const double W[4] = {4, 0, 0, 4}, q[2] = {-8, 4};
    sample      *s = make_given(0, 1, 0.75, W, q);
    const double r[2] = {1, 0}, bad[2] = {NAN, 0}, none[2] = {0, 0};
    CHECK_NEAR(zn_fc_residual(&s->p, r), 1.0 / 3, 1e-15);
    assert_false(zn_fc_residual(&s->p, bad) <= 1e300);
    s->q[0] = s->q[1] = 0;
    CHECK_NEAR(zn_fc_residual(&s->p, none), 0, 0);
    s->p = (zn_fc_problem){1, 1, 0, s->first, s->W, s->q, s->mu, NULL, NULL}; // bilateral: |u|/2 over |W r|/2
    CHECK_NEAR(zn_fc_residual(&s->p, r), 1, 0);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_an_incline),
        cmocka_unit_test(one_contact_in_every_status),
        cmocka_unit_test(pushed_block),
        cmocka_unit_test(strongly_coupled_corners),
        cmocka_unit_test(random_problems),
        cmocka_unit_test(without_friction_it_is_an_lcp),
        cmocka_unit_test(dependent_bilateral_rows),
        cmocka_unit_test(a_bilateral_row_without_diagonal),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(the_residual_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
