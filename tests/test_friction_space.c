// Frictional contact in space: closed forms, redundant contacts, frames, and the functions of Newton's method.
#include "friction_fixtures.h"
#include "solve/friction_newton.h"

// Three rows with W = I: r = -q where it is in the cone, else -q_N (1, -mu t).
static void one_spatial_contact(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int repeat = 0; repeat < 200; repeat++) {
        sample *s = make_sample(0, 1, 3, 0.5);
        s->W[0] = s->W[4] = s->W[8] = 1;
        for (int i = 0; i < 3; i++)
            s->q[i] = draw(&seed);
        double speed = hypot(s->q[1], s->q[2]), normal = fmax(-s->q[0], 0);
        double r[3] = {normal, -s->q[1], -s->q[2]};
        for (int k = 1; k < 3 && speed > 0.5 * normal; k++)
            r[k] *= 0.5 * normal / speed;
        assert_int_equal(run(&s->p, "lemke", NULL).status, ZN_ERR_ARGUMENT);
        assert_int_equal(run(&s->p, "enumerate", NULL).status, ZN_ERR_ARGUMENT);
        check_all(&s->p, AUTO | GAUSS_SEIDEL, r, 1e-13, NULL);
        free(s);
    }
}

static void spatial_contacts(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int contacts = 1; contacts <= 5; contacts++)
        for (int repeat = 0; repeat < 40; repeat++) {
            sample       *s = make_sample(contacts % 3, contacts, 3, 0.5);
            static double G[MAX][MAX];
            double        inverse_mass[MAX], v[MAX];
            int           dofs = 6 * contacts;
            for (int k = 0; k < dofs; k++) {
                inverse_mass[k] = pow(10, 0.5 * draw(&seed));
                v[k] = draw(&seed);
                for (int i = 0; i < s->p.n; i++)
                    G[i][k] = draw(&seed);
            }
            fill_sample(s, dofs, G, inverse_mass, v);
            s->mu[0] = repeat % 4 == 0 ? 0 : 0.3;
            check_all(&s->p, AUTO | GAUSS_SEIDEL, NULL, 0, NULL);
            free(s);
        }
}

// W is coupled and has two different tangents: the answer obeys the law and does not depend on the guess, good, bad or
// absurd.
static void any_guess_finds_the_contact(void **state)
{
    (void)state;
    uint64_t     seed = 13;
    const double mu = 0.4, absurd[] = {NAN, INFINITY, 1e300, 1e-300};
    int          slips = 0;
    for (int repeat = 0; repeat < 500; repeat++) {
        double L[9], W[9] = {0}, q[3], r[3] = {0}, u[3];
        for (int i = 0; i < 9; i++)
            L[i] = 0.15 * draw(&seed) + (i % 4 == 0 ? 1 + 0.5 * draw(&seed) : 0);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                W[i] += L[3 * (i / 3) + k] * L[3 * (i % 3) + k];
        for (int i = 0; i < 3; i++)
            q[i] = i == 0 ? -0.1 - fabs(draw(&seed)) : draw(&seed);
        assert_true(zn_fc_solve_contact(3, W, 3, q, mu, r));
        for (int i = 0; i < 3; i++)
            u[i] = q[i] + W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2];
        double slip = hypot(u[1], u[2]), force = hypot(r[1], r[2]);
        CHECK_NEAR(u[0], 0, 1e-14);
        CHECK_BELOW(force - mu * r[0], 1e-15);
        CHECK_NEAR(slip * mu * r[0] + u[1] * r[1] + u[2] * r[2], 0, 1e-14); // against the slip, all of the friction
        slips += slip > 1e-6;
        for (int guess = 0; guess < 8; guess++) {
            double other[3];
            for (int i = 0; i < 3; i++)
                other[i] = guess < 4 ? absurd[guess] : draw(&seed) * (guess < 6 ? 1 : 0.01) + (guess % 2 ? r[i] : 0);
            assert_true(zn_fc_solve_contact(3, W, 3, q, mu, other));
            for (int i = 0; i < 3; i++)
                CHECK_NEAR(other[i], r[i], 1e-13);
        }
    }
    assert_true(slips > 100 && slips < 490);
}

// Contacts that do not feel each other: one sweep does, whatever the solver would do next.
static void uncoupled_contacts(void **state)
{
    (void)state;
    uint64_t seed = 14;
    sample  *s = make_sample(0, 6, 3, 0.3);
    for (int i = 0; i < s->p.n; i++) {
        s->W[i * s->p.n + i] = 1 + i % 3;
        s->q[i] = draw(&seed) - (i % 3 == 0 ? 1 : 0);
    }
    answer a = run(&s->p, "auto", NULL);
    assert_int_equal(a.status, ZN_OK);
    assert_int_equal(a.info.iterations, 1);
    for (int c = 0; c < 6; c++) { // tangents differ: the law itself
        const double *r = a.r + 3 * c;
        double        u[3], slip;
        for (int i = 0; i < 3; i++)
            u[i] = s->q[3 * c + i] + (1 + i) * r[i];
        slip = hypot(u[1], u[2]);
        CHECK_NEAR(u[0], 0, 1e-14);
        CHECK_NEAR(slip * 0.3 * r[0] + u[1] * r[1] + u[2] * r[2], 0, 1e-14);
        CHECK_BELOW(hypot(r[1], r[2]) - 0.3 * r[0], 1e-15);
    }
    free(s);
}

// --- a box on a plane ----------------------------------------------------------------------------

// A box of unit mass on `corners` points of a rectangle at height -b below its centre: 6 velocities, three rows each.
static sample *make_box(int corners, double mu, const double *v)
{
    sample       *s = make_sample(0, corners, 3, mu);
    static double G[MAX][MAX];
    const double  inverse_mass[6] = {1, 1, 1, 8, 5, 3}, b = 0.2;
    memset(G, 0, sizeof G);
    for (int c = 0; c < corners; c++) {
        double x = c % 2 == 0 ? -0.5 : 0.5, y = (c / 2) % 2 == 0 ? -0.3 : 0.3;
        if (c >= 4) // on the edges
            x *= 0.4, y *= 0.7;
        const double e[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
        for (int k = 0; k < 3; k++) { // e . (v + omega x p), p = (x, y, -b)
            const double *d = e[k];
            double       *row = G[3 * c + k];
            memcpy(row, d, 3 * sizeof *d);
            row[3] = y * d[2] + b * d[1];
            row[4] = -b * d[0] - x * d[2];
            row[5] = x * d[1] - y * d[0];
        }
    }
    fill_sample(s, 6, G, inverse_mass, v);
    return s;
}

// Pushed sideways while it falls: it sticks for |v_T| <= mu |v_N|, else it slides and only mu |v_N| is taken. Reactions
// are not unique; their sums are.
static void box_on_redundant_corners(void **state)
{
    (void)state;
    for (int corners = 4; corners <= 8; corners++)
        for (int k = 0; k < 4; k++) {
            double  mu = 0.4, push = k < 2 ? 0.2 : 0.9, angle = 0.3 + k;
            double  v[6] = {push * cos(angle), push * sin(angle), -1, 0, 0, 0}, sum[3] = {0};
            sample *s = make_box(corners, mu, v);
            for (int i = 0; i < SOLVERS; i++) {
                if (!(solvers[i].bit & (AUTO | NEWTON)))
                    continue;
                answer a = run(&s->p, solvers[i].name, NULL);
                if (a.status != ZN_OK)
                    fail_msg("%s: %d corners, push %g: %g %s", solvers[i].name, corners, push, a.info.residual,
                             a.info.reason);
                check_law(&s->p, &a, solvers[i].name);
                memset(sum, 0, sizeof sum);
                for (int c = 0; c < corners; c++)
                    for (int l = 0; l < 3; l++)
                        sum[l] += a.r[3 * c + l];
                if (corners % 4 != 0)
                    continue; // the others turn as well
                double friction = fmin(push, mu);
                CHECK_NEAR(sum[0], 1, 1e-10);
                CHECK_NEAR(sum[1], -friction * cos(angle), 1e-10);
                CHECK_NEAR(sum[2], -friction * sin(angle), 1e-10);
            }
            free(s);
        }
}

// --- frames and units ----------------------------------------------------------------------------

static sample *make_spatial(int bodies, int contacts, uint64_t *seed)
{
    sample       *s = make_sample(0, contacts, 3, 0.5);
    static double G[MAX][MAX];
    double        inverse_mass[MAX], v[MAX];
    for (int k = 0; k < 6 * bodies; k++) {
        inverse_mass[k] = pow(10, 0.5 * draw(seed));
        v[k] = draw(seed);
        for (int i = 0; i < s->p.n; i++)
            G[i][k] = draw(seed);
    }
    fill_sample(s, 6 * bodies, G, inverse_mass, v);
    return s;
}

// Tangents turned by an angle in each contact: W' = R W R', q' = R q. Residuals stay, answers turn.
static void tangents_may_turn(void **state)
{
    (void)state;
    uint64_t seed = 31;
    for (int repeat = 0; repeat < 20; repeat++) {
        sample *s = make_spatial(4, 4, &seed), *t = make_sample(0, 4, 3, 0.5);
        int     n = s->p.n;
        double  R[MAX][MAX] = {{0}}, turned[MAX] = {0};
        for (int c = 0; c < 4; c++) {
            double angle = 3 * draw(&seed);
            R[3 * c][3 * c] = 1;
            R[3 * c + 1][3 * c + 1] = R[3 * c + 2][3 * c + 2] = cos(angle);
            R[3 * c + 2][3 * c + 1] = sin(angle);
            R[3 * c + 1][3 * c + 2] = -sin(angle);
        }
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++) {
                t->q[i] += R[i][k] * s->q[k];
                for (int l = 0; l < n; l++)
                    for (int j = 0; j < n; j++)
                        t->W[i * n + j] += R[i][k] * s->W[k * n + l] * R[j][l];
            }
        for (int i = 0; i < n; i++)
            s->r[i] = draw(&seed);
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n; k++)
                turned[i] += R[i][k] * s->r[k];
        CHECK_NEAR(zn_fc_residual(&t->p, turned) / zn_fc_residual(&s->p, s->r), 1,
                   0.5); // its scale is a maximum of rows
        CHECK_NEAR(zn_fc_residual_fclib(&t->p, turned), zn_fc_residual_fclib(&s->p, s->r), 1e-12);
        answer a = run(&s->p, "auto", NULL), b = run(&t->p, "auto", NULL);
        CHECK_OK(a.status);
        CHECK_OK(b.status);
        for (int i = 0; i < n; i++) {
            double expected = 0;
            for (int k = 0; k < n; k++)
                expected += R[i][k] * a.r[k];
            CHECK_NEAR(b.r[i], expected, 1e-9 * (1 + fabs(expected)));
        }
        free(s);
        free(t);
    }
}

// Every solver finds the one answer (more velocities than rows: W is positive definite, mu is small).
static void all_solvers_agree(void **state)
{
    (void)state;
    uint64_t seed = 32;
    for (int contacts = 1; contacts <= 6; contacts++)
        for (int repeat = 0; repeat < 10; repeat++) {
            sample *s = make_spatial(contacts + 1, contacts, &seed);
            answer  reference = run(&s->p, "gauss_seidel", NULL);
            CHECK_OK(reference.status);
            check_all(&s->p, AUTO | ITERATIVE, reference.r, 1e-7, NULL);
            for (int k = 0; k < SOLVERS; k++) { // known: at most one iteration
                if (!(solvers[k].bit & (AUTO | ITERATIVE)))
                    continue;
                answer again = run(&s->p, solvers[k].name, reference.r);
                CHECK_OK(again.status);
                assert_true(again.info.iterations <= 1);
            }
            free(s);
        }
}

// --- sweeps --------------------------------------------------------------------------------------

// Accelerated sweeps from zero, 40 of them in all, interrupted after each number in `ends`; what the task holds
// meanwhile is another's.
static void sweep_to(const zn_fc_problem *p, const int *ends, double *out)
{
    zn_fc_workspace  *memory;
    zn_fc_accelerated w;
    double            r[MAX] = {0}, u[MAX], best[MAX];
    CHECK_OK(zn_fc_workspace_create(&memory));
    CHECK_OK(zn_fc_begin(memory));
    zn_fc_task task = {.memory = memory, .tolerance = 1e-300, .best_measure = INFINITY, .r = r, .u = u, .best = best};
    CHECK_OK(zn_fc_blocks_create(p, memory, &task.b));
    zn_fc_look(&task);
    CHECK_OK(zn_fc_anderson_begin(&task, &w));
    for (memcpy(out, r, sizeof r); *ends > 0; ends++) {
        memcpy(r, out, sizeof r);
        assert_int_equal(zn_fc_anderson_go_on(&task, &w, *ends, 0, 0), ZN_NOT_CONVERGED);
        assert_int_equal(w.step, *ends);
        memcpy(out, r, sizeof r);
        for (int i = 0; i < p->n; i++)
            r[i] = 1e3;
    }
    zn_fc_workspace_destroy(memory);
}

// Interrupted sweeps are those that are not interrupted, bit by bit.
static void sweeps_go_on(void **state)
{
    (void)state;
    uint64_t seed = 33;
    for (int repeat = 0; repeat < 20; repeat++) {
        sample *s = make_spatial(3, 8, &seed);
        double  once[MAX], slices[MAX];
        sweep_to(&s->p, (const int[]){40, 0}, once);
        sweep_to(&s->p, (const int[]){1, 4, 9, 23, 24, 40, 0}, slices);
        assert_memory_equal(once, slices, sizeof(double) * (size_t)s->p.n);
        free(s);
    }
}

// --- derivatives ---------------------------------------------------------------------------------

// dF = A du + B dr against central differences, at random points of every case; a point within the step of a kink is
// drawn again.
static void newton_functions_have_these_derivatives(void **state)
{
    (void)state;
    uint64_t     seed = 33;
    const double h = 1e-6, rho[2] = {0.7, 1.3};
    int          slips = 0, sticks = 0, opens = 0;
    for (int repeat = 0; repeat < 3000; repeat++) {
        zn_fc_function kind = repeat % 2 == 0 ? ZN_FC_ALART_CURNIER : ZN_FC_JEAN_MOREAU;
        int            rows = 1 + repeat % 3;
        double         x[6], F[3], A[9], B[9], mu = repeat % 7 == 0 ? -1 : 0.5 + 0.4 * draw(&seed);
        rows = mu < 0 ? 1 : rows;
        for (int k = 0; k < 6; k++)
            x[k] = draw(&seed);
        double normal = x[0] - rho[0] * x[3], pressure = kind == ZN_FC_ALART_CURNIER ? normal : x[0], length = 0;
        for (int k = 1; k < rows; k++)
            length = hypot(length, x[k] - rho[1] * x[3 + k]);
        if (fabs(normal) < 1e-3 || fabs(pressure) < 1e-3 || fabs(length - mu * pressure) < 1e-3 || length < 1e-2)
            if (rows > 1 || fabs(normal) < 1e-3)
                continue;
        bool part = zn_fc_newton_function(kind, rows, mu, rho, x, x + 3, F, A, B);
        opens += !part;
        slips += part && rows > 1 && pressure > 0 && length > mu * pressure;
        sticks += part && rows > 1 && pressure > 0 && length < mu * pressure;
        for (int j = 0; j < 6; j++) {
            if (j % 3 >= rows)
                continue;
            double y[6], plus[3], minus[3], C[9], D[9];
            memcpy(y, x, sizeof y);
            y[j] += h;
            zn_fc_newton_function(kind, rows, mu, rho, y, y + 3, plus, C, D);
            y[j] -= 2 * h;
            zn_fc_newton_function(kind, rows, mu, rho, y, y + 3, minus, C, D);
            for (int i = 0; i < rows; i++)
                CHECK_NEAR((j < 3 ? B : A)[3 * i + j % 3], (plus[i] - minus[i]) / (2 * h), 1e-6);
        }
    }
    assert_true(opens > 50);
    assert_true(slips > 50);
    assert_true(sticks > 50);
}

// Their roots are the answers: F = 0 exactly for the law's cases.
static void newton_functions_vanish_at_answers(void **state)
{
    (void)state;
    const double rho[2] = {0.7, 1.3}, mu = 0.5;
    const double answers[][6] = {{0, 0, 0, 1, 2, -1}, {2, 0.3, 0.4, 0, 0, 0}, {2, -0.6, 0.8, 0, 1.2, -1.6}};
    for (int k = 0; k < 3; k++)
        for (int kind = 0; kind < 2; kind++) {
            double F[3], A[9], B[9];
            zn_fc_newton_function((zn_fc_function)kind, 3, mu, rho, answers[k], answers[k] + 3, F, A, B);
            for (int i = 0; i < 3; i++)
                CHECK_NEAR(F[i], 0, 1e-15);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_spatial_contact),
        cmocka_unit_test(spatial_contacts),
        cmocka_unit_test(any_guess_finds_the_contact),
        cmocka_unit_test(uncoupled_contacts),
        cmocka_unit_test(box_on_redundant_corners),
        cmocka_unit_test(tangents_may_turn),
        cmocka_unit_test(all_solvers_agree),
        cmocka_unit_test(sweeps_go_on),
        cmocka_unit_test(newton_functions_have_these_derivatives),
        cmocka_unit_test(newton_functions_vanish_at_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
