// Linear complementarity: one suite run over every solver. Answers come from closed forms or are chosen first: for
// z*, w* >= 0 with w*_i z*_i = 0, the problem b = w* - A z* has the solution z*.
#include <stdlib.h>

#include "check.h"
#include "zn/solve.h"

enum { AUTO = 1, LEMKE = 2, PIVOT = 4, ENUMERATE = 8, GAUSS_SEIDEL = 16, EVERY = 31 };

static const struct {
    const char *name;
    int         bit;
} solvers[] = {
    {"auto", AUTO}, {"lemke", LEMKE}, {"pivot", PIVOT}, {"enumerate", ENUMERATE}, {"gauss_seidel", GAUSS_SEIDEL}};
enum { SOLVERS = 5, MAX = 60 };

// --- running -------------------------------------------------------------------------------------

typedef struct answer {
    zn_status   status;
    double      z[MAX], w[MAX];
    zn_lcp_info info;
} answer;

static answer run(const zn_lcp_problem *p, const char *solver, const double *warm)
{
    answer          a = {0};
    zn_lcp_settings settings = zn_lcp_settings_default();
    void           *scratch = malloc(zn_lcp_scratch(p->n)); // exact: the sanitizer sees any step beyond
    settings.solver = solver;
    for (int i = 0; i < p->n && warm != NULL; i++)
        a.z[i] = warm[i];
    a.status = zn_lcp_solve(p, &settings, a.z, a.w, scratch, &a.info);
    free(scratch);
    return a;
}

// The conditions themselves, not the residual: signs, complementarity, w = A z + b.
static void check_conditions(const zn_lcp_problem *p, const answer *a)
{
    double size = 0, reach = 0;
    for (int i = 0; i < p->n; i++) {
        double sum = p->b[i], row = fabs(p->b[i]);
        for (int j = 0; j < p->n; j++) {
            sum += p->A[i * p->n + j] * a->z[j];
            row += fabs(p->A[i * p->n + j] * a->z[j]);
        }
        CHECK_NEAR(a->w[i], sum, 1e-14 * row);
        size = fmax(size, row);
        reach = fmax(reach, fabs(a->z[i]));
    }
    for (int i = 0; i < p->n; i++) {
        if (i < p->bilateral) {
            CHECK_NEAR(a->w[i], 0, 1e-10 * size);
            continue;
        }
        CHECK_BELOW(-a->z[i], 0);
        CHECK_BELOW(-a->w[i], 1e-10 * size);
        CHECK_BELOW(fabs(a->w[i] * a->z[i]), 1e-10 * size * reach);
    }
}

// Every solver in `must` has to solve the problem; the others may refuse, but never lie or touch z.
static void check_all(const zn_lcp_problem *p, int must, const double *expected, double tolerance, const double *warm)
{
    for (int s = 0; s < SOLVERS; s++) {
        answer a = run(p, solvers[s].name, warm);
        if (a.status != ZN_OK) {
            if (must & solvers[s].bit)
                fail_msg("%s: %s", solvers[s].name, zn_status_text(a.status));
            for (int i = 0; i < p->n; i++)
                CHECK_NEAR(a.z[i], warm != NULL ? warm[i] : 0, 0);
            continue;
        }
        CHECK_BELOW(a.info.residual, 1e-12);
        CHECK_NEAR(a.info.residual, zn_lcp_residual(p, a.z), 1e-15);
        assert_non_null(a.info.solver);
        if (s > 0 && p->n > 0)
            assert_string_equal(a.info.solver, solvers[s].name);
        check_conditions(p, &a);
        for (int i = 0; i < p->n && expected != NULL; i++)
            if (!(fabs(a.z[i] - expected[i]) <= tolerance * (1 + fabs(expected[i]))))
                fail_msg("%s: z[%d] = %.17g, expected %.17g", solvers[s].name, i, a.z[i], expected[i]);
    }
}

static void check_refused(const zn_lcp_problem *p, zn_status expected)
{
    double warm[MAX];
    for (int i = 0; i < p->n; i++)
        warm[i] = 0.25 + i;
    for (int s = 0; s < SOLVERS; s++) {
        answer a = run(p, solvers[s].name, warm);
        if (a.status != expected)
            fail_msg("%s: %s", solvers[s].name, zn_status_text(a.status));
        for (int i = 0; i < p->n; i++)
            CHECK_NEAR(a.z[i], warm[i], 0);
    }
}

// --- random problems -----------------------------------------------------------------------------

typedef struct sample {
    double         A[MAX * MAX], b[MAX], z[MAX], w[MAX];
    zn_lcp_problem p;
} sample;

// A = G M^-1 G' with n rows on `dofs` degrees of freedom; about half of the unilateral rows active, one in eight
// with z = w = 0. Singular when dofs < n.
static sample *make_sample(int n, int bilateral, int dofs, uint64_t *seed)
{
    sample *s = calloc(1, sizeof *s);
    double  G[MAX * MAX], inverse_mass[MAX];
    for (int k = 0; k < dofs; k++)
        inverse_mass[k] = 1 + 0.9 * draw(seed);
    for (int k = 0; k < n * dofs; k++)
        G[k] = draw(seed);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < dofs; k++)
                s->A[i * n + j] += G[i * dofs + k] * inverse_mass[k] * G[j * dofs + k];
    for (int i = 0; i < n; i++) {
        double value = draw(seed), dice = draw(seed);
        if (i < bilateral)
            s->z[i] = value;
        else if (dice < -0.75)
            continue;
        else if (value > 0)
            s->z[i] = value;
        else
            s->w[i] = -value;
    }
    for (int i = 0; i < n; i++) {
        s->b[i] = s->w[i];
        for (int j = 0; j < n; j++)
            s->b[i] -= s->A[i * n + j] * s->z[j];
    }
    s->p = (zn_lcp_problem){n, bilateral, s->A, s->b};
    return s;
}

static int every_for(int n, int bilateral) { return n - bilateral <= 16 ? EVERY : EVERY & ~ENUMERATE; }

// --- closed forms --------------------------------------------------------------------------------

static void one_row(void **state)
{
    (void)state;
    const struct {
        int    bilateral;
        double A, b, z;
    } cases[] = {{0, 2, -3, 1.5}, {0, 2, 3, 0}, {0, 2, 0, 0}, {1, 2, 3, -1.5},   {1, -4, 2, 0.5},
                 {0, 0, 1, 0},    {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1e-9, -2, 2e9}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        zn_lcp_problem p = {1, cases[k].bilateral, &cases[k].A, &cases[k].b};
        check_all(&p, EVERY, &cases[k].z, 1e-15, NULL);
    }
}

static void two_rows_in_every_region(void **state)
{
    (void)state;
    // A = [2 1; 1 2]: the plane of b splits into four regions, one per active set
    const double A[4] = {2, 1, 1, 2};
    const struct {
        double b[2], z[2];
    } cases[] = {{{1, 2}, {0, 0}},   {{-2, 1}, {1, 0}},  {{1, -2}, {0, 1}}, {{-3, -3}, {1, 1}},
                 {{-4, -5}, {1, 2}}, {{-2, -1}, {1, 0}}, {{0, 0}, {0, 0}},  {{-2, 3}, {1, 0}},
                 {{0, -2}, {0, 1}},  {{-1, -2}, {0, 1}}, {{0, 1}, {0, 0}},  {{3, -1}, {0, 0.5}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        zn_lcp_problem p = {2, 0, A, cases[k].b};
        check_all(&p, EVERY, cases[k].z, 1e-14, NULL);
        const double warm[2] = {1, 1};
        check_all(&p, EVERY, cases[k].z, 1e-14, warm);
    }
    const double   b[2] = {-3, -3}, mixed_z[2] = {1, 1}, free_b[2] = {2, 5}, free_z[2] = {-1, 0};
    zn_lcp_problem mixed = {2, 1, A, b}, free_row = {2, 1, A, free_b}, both = {2, 2, A, b};
    check_all(&mixed, EVERY, mixed_z, 1e-14, NULL);
    check_all(&free_row, EVERY, free_z, 1e-14, NULL);
    check_all(&both, EVERY, mixed_z, 1e-14, NULL);
}

static void no_rows(void **state)
{
    (void)state;
    zn_lcp_problem p = {0, 0, NULL, NULL};
    check_all(&p, EVERY, NULL, 0, NULL);
}

// Three balls in a row, the first one arrives: an impulse passes on. Diagonal 2/m, neighbours -1/m.
static void a_chain(void **state)
{
    (void)state;
    const double   A[9] = {2, -1, 0, -1, 2, -1, 0, -1, 2}, b[3] = {-1, 0, 0};
    const double   z[3] = {0.75, 0.5, 0.25}; // inverse of the second difference
    zn_lcp_problem p = {3, 0, A, b};
    check_all(&p, EVERY, z, 1e-14, NULL);
}

// --- conformance on random problems --------------------------------------------------------------

static void random_definite_problems(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int n = 1; n <= 10; n++)
        for (int repeat = 0; repeat < 10; repeat++) {
            sample *s = make_sample(n, 0, 2 * n + 1, &seed);
            double  warm[MAX];
            for (int i = 0; i < n; i++)
                warm[i] = draw(&seed);
            check_all(&s->p, EVERY, s->z, 1e-9, NULL);
            check_all(&s->p, EVERY, s->z, 1e-9, warm);
            check_all(&s->p, EVERY, s->z, 1e-9, s->z);
            free(s);
        }
}

static void random_mixed_problems(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (int n = 2; n <= 12; n++)
        for (int bilateral = 1; bilateral <= n; bilateral += 2) {
            sample *s = make_sample(n, bilateral, 2 * n, &seed);
            check_all(&s->p, EVERY, s->z, 1e-8, NULL);
            free(s);
        }
}

static void large_problems(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int bilateral = 0; bilateral <= 20; bilateral += 10) {
        sample *s = make_sample(50, bilateral, 60, &seed);
        check_all(&s->p, every_for(50, bilateral), s->z, 1e-6, NULL);
        answer a = run(&s->p, "enumerate", NULL);
        assert_int_equal(a.status, ZN_ERR_ARGUMENT);
        free(s);
    }
}

// More contacts than degrees of freedom: z is not unique, w = A z + b is.
static void redundant_contacts(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int n = 2; n <= 10; n++)
        for (int repeat = 0; repeat < 10; repeat++) {
            sample *s = make_sample(n, 0, (n + 1) / 2, &seed);
            int     must = EVERY & ~PIVOT & ~GAUSS_SEIDEL; // these two promise definite problems only
            check_all(&s->p, must, NULL, 0, NULL);
            answer a = run(&s->p, "auto", NULL);
            for (int i = 0; i < n; i++)
                CHECK_NEAR(a.w[i], s->w[i], 1e-8);
            free(s);
        }
}

// A block on four equal supports: rank 3, load sum known.
static void four_legs(void **state)
{
    (void)state;
    const double x[4] = {1, 1, -1, -1}, y[4] = {1, -1, -1, 1};
    double       A[16], b[4] = {-1, -1, -1, -1};
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            A[4 * i + j] = 1 + 3 * x[i] * x[j] + 3 * y[i] * y[j];
    zn_lcp_problem p = {4, 0, A, b};
    check_all(&p, EVERY, NULL, 0, NULL);
    for (int s = 0; s < SOLVERS; s++) {
        answer a = run(&p, solvers[s].name, NULL);
        CHECK_NEAR(a.z[0] + a.z[1] + a.z[2] + a.z[3], 1, 1e-12); // m g, and no tilting moment
        CHECK_NEAR(a.z[0] + a.z[1] - a.z[2] - a.z[3], 0, 1e-12);
        CHECK_NEAR(a.z[0] - a.z[1] - a.z[2] + a.z[3], 0, 1e-12);
    }
}

// Every bilateral row twice: consistent, singular, must be solved.
static void duplicated_bilateral_rows(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int half = 1; half <= 3; half++)
        for (int repeat = 0; repeat < 10; repeat++) {
            enum { CONTACTS = 3 };
            int     n = 2 * half + CONTACTS, m = half + CONTACTS;
            sample *s = make_sample(m, half, 2 * m, &seed);
            double  A[MAX * MAX], b[MAX], expected[MAX] = {0};
            for (int i = 0; i < n; i++) {
                int r = i < half ? i : i - half;
                b[i] = s->b[r];
                for (int j = 0; j < n; j++)
                    A[i * n + j] = s->A[r * m + (j < half ? j : j - half)];
            }
            zn_lcp_problem p = {n, 2 * half, A, b};
            check_all(&p, EVERY, NULL, 0, NULL);
            answer a = run(&p, "auto", NULL);
            for (int i = 0; i < n; i++) // only the sum of the two multipliers is determined
                expected[i < half ? i : i - half] += a.z[i];
            for (int i = 0; i < m; i++)
                CHECK_NEAR(expected[i], s->z[i], 1e-9);
            free(s);
        }
}

// --- units ---------------------------------------------------------------------------------------

static sample *change_units(const sample *s, const double *unit)
{
    sample *t = calloc(1, sizeof *t);
    int     n = s->p.n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            t->A[i * n + j] = unit[i] * s->A[i * n + j] * unit[j];
        t->b[i] = unit[i] * s->b[i];
        t->z[i] = s->z[i] / unit[i];
    }
    t->p = (zn_lcp_problem){n, s->p.bilateral, t->A, t->b};
    return t;
}

static void badly_scaled_rows_are_solved_alike(void **state)
{
    (void)state;
    uint64_t seed = 6;
    for (int n = 2; n <= 10; n++)
        for (int bilateral = 0; bilateral <= n / 2; bilateral += 2) {
            sample *s = make_sample(n, bilateral, 2 * n, &seed);
            double  unit[MAX];
            for (int i = 0; i < n; i++)
                unit[i] = pow(10, 6 * draw(&seed));
            sample *t = change_units(s, unit);
            for (int k = 0; k < SOLVERS; k++) {
                answer a = run(&t->p, solvers[k].name, NULL);
                CHECK_OK(a.status);
                for (int i = 0; i < n; i++)
                    CHECK_NEAR(unit[i] * a.z[i], s->z[i], 1e-8);
            }
            free(s);
            free(t);
        }
}

static void the_residual_does_not_depend_on_units(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int repeat = 0; repeat < 20; repeat++) {
        sample *s = make_sample(6, 2, 12, &seed);
        double  unit[MAX];
        for (int i = 0; i < 6; i++) {
            unit[i] = pow(10, 6 * draw(&seed));
            s->z[i] += 0.1 * draw(&seed); // wrong on purpose: there must be a residual to compare
        }
        if (repeat % 2) // a zero diagonal takes the largest entry of its row instead
            s->A[7 * 3] = 0;
        sample *t = change_units(s, unit);
        double  before = zn_lcp_residual(&s->p, s->z), after = zn_lcp_residual(&t->p, t->z);
        assert_true(before > 1e-4);
        if (repeat % 2 == 0)
            CHECK_NEAR(after, before, 1e-12 * before);
        // one unit for all leaves even a zero diagonal's row its weight relative to the others
        for (int i = 0; i < 6; i++)
            unit[i] = 1e5;
        sample *u = change_units(s, unit);
        CHECK_NEAR(zn_lcp_residual(&u->p, u->z), before, 1e-12 * before);
        free(s);
        free(t);
        free(u);
    }
}

static void the_residual_by_hand(void **state)
{
    (void)state;
    // w = (4*1 + 0 - 3, 9*2 + 1) = (1, 19), d = (4, 9); rows: min(1/2, 2) = 1/2 and min(19/3, 6) = 6;
    // scale: max((3 + 4)/2, (1 + 18)/3) = 19/3
    const double   A[4] = {4, 0, 0, 9}, b[2] = {-3, 1}, z[2] = {1, 2};
    zn_lcp_problem p = {2, 0, A, b}, mixed = {2, 2, A, b};
    CHECK_NEAR(zn_lcp_residual(&p, z), 6 / (19.0 / 3), 1e-15);
    CHECK_NEAR(zn_lcp_residual(&mixed, z), 1, 1e-15); // |w_2|/3 over 19/3
    const double negative[2] = {0.75, -1};            // z_2 < 0: w = (0, -8), min(-8/3, -3) = -3, scale 10/3
    CHECK_NEAR(zn_lcp_residual(&p, negative), 0.9, 1e-15);
    const double   zero_b[2] = {0, 0}, zero_z[2] = {0, 0}, bad[2] = {NAN, 0};
    zn_lcp_problem empty = {2, 0, A, zero_b};
    CHECK_NEAR(zn_lcp_residual(&empty, zero_z), 0, 0);
    assert_false(zn_lcp_residual(&p, bad) <= 1e300);
}

// --- degenerate and hostile ----------------------------------------------------------------------

static void degenerate_right_hand_sides(void **state)
{
    (void)state;
    uint64_t     seed = 8;
    const double zero[MAX] = {0}, ones[MAX] = {1, 1, 1, 1, 1, 1, 1, 1};
    for (int n = 1; n <= 8; n++) {
        sample *s = make_sample(n, 0, 2 * n, &seed);
        for (int i = 0; i < n; i++)
            s->b[i] = 0;
        check_all(&s->p, EVERY, zero, 1e-14, NULL);
        check_all(&s->p, EVERY, zero, 1e-14, ones);
        free(s);
    }
}

static void zero_rows(void **state)
{
    (void)state;
    // row 1 is empty: w_1 = b_1 = 1 keeps z_1 = 0
    const double   A[9] = {2, 0, 1, 0, 0, 0, 1, 0, 2}, b[3] = {-3, 1, -3}, z[3] = {1, 0, 1};
    zn_lcp_problem p = {3, 0, A, b};
    check_all(&p, EVERY, z, 1e-14, NULL);
    const double   b0[3] = {-3, 0, -3}; // and w_1 = 0 is fine, too
    zn_lcp_problem p0 = {3, 0, A, b0};
    check_all(&p0, EVERY, NULL, 0, NULL);
}

// Murty's P matrix on which flipping all violated rows at once goes round and round: z = 1/3.
static void block_flips_would_cycle(void **state)
{
    (void)state;
    const double   A[9] = {1, 2, 0, 0, 1, 2, 2, 0, 1}, b[3] = {-1, -1, -1}, z[3] = {1.0 / 3, 1.0 / 3, 1.0 / 3};
    const double   warm[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 1}};
    zn_lcp_problem p = {3, 0, A, b};
    for (int k = 0; k < 4; k++)
        check_all(&p, AUTO | LEMKE | PIVOT | ENUMERATE, z, 1e-14, warm[k]);
}

// Every row of the first ratio test is tied. (I + 1 1') z = 1 has z = 1/(n + 1).
static void ties_everywhere(void **state)
{
    (void)state;
    for (int n = 2; n <= 12; n++) {
        double A[MAX * MAX], b[MAX], z[MAX];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                A[i * n + j] = 1 + (i == j);
            b[i] = -1;
            z[i] = 1.0 / (n + 1);
        }
        zn_lcp_problem p = {n, 0, A, b};
        check_all(&p, EVERY, z, 1e-13, NULL);
    }
}

// Beale's linear program, on which the simplex method cycles without an anti-cycling rule, as the complementarity
// problem of its optimality conditions: M = [0 C'; -C 0], q = (c, r) for min c'x, C x <= r. x = (1, 0, 1, 0), c'x =
// -5/4.
static void beales_cycling_program(void **state)
{
    (void)state;
    const double C[3][4] = {{0.25, -8, -1, 9}, {0.5, -12, -0.5, 3}, {0, 0, 1, 0}};
    double       A[49] = {0}, b[7] = {-0.75, 20, -0.5, 6, 0, 0, 1};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            A[7 * j + 4 + i] = C[i][j];
            A[7 * (4 + i) + j] = -C[i][j];
        }
    zn_lcp_problem p = {7, 0, A, b};
    check_all(&p, AUTO | LEMKE | ENUMERATE, NULL, 0, NULL);
    const char *const names[] = {"auto", "lemke", "enumerate"};
    for (int k = 0; k < 3; k++) {
        answer a = run(&p, names[k], NULL);
        CHECK_NEAR(a.z[0], 1, 1e-12);
        CHECK_NEAR(a.z[1], 0, 1e-12);
        CHECK_NEAR(a.z[2], 1, 1e-12);
        CHECK_NEAR(a.z[3], 0, 1e-12);
    }
}

// A multiplier whose own diagonal is zero: minimise x^2 + 2 y^2 with x + y = 1, x, y >= 0. x = 2/3, y = 1/3.
static void a_bilateral_row_without_diagonal(void **state)
{
    (void)state;
    const double   A[9] = {0, 1, 1, -1, 2, 0, -1, 0, 4}, b[3] = {-1, 0, 0}, z[3] = {4.0 / 3, 2.0 / 3, 1.0 / 3};
    zn_lcp_problem p = {3, 1, A, b};
    check_all(&p, AUTO | ENUMERATE, z, 1e-14, NULL);
}

static void problems_without_solution(void **state)
{
    (void)state;
    const double         zero = 0, minus = -1;
    const double         push[4] = {1, -1, -1, 1}, pushed[2] = {-1, -1}; // w_1 + w_2 = -2 whatever z is
    const double         same[4] = {1, 1, 1, 1}, contradict[2] = {-1, -2};
    const zn_lcp_problem cases[] = {{1, 0, &zero, &minus},
                                    {1, 0, &minus, &minus},
                                    {2, 0, push, pushed},
                                    {1, 1, &zero, &minus},
                                    {2, 2, same, contradict}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_refused(&cases[k], ZN_NOT_CONVERGED);
    // an empty row that must not be negative, among five good ones
    double A[36] = {0}, b[6] = {-1, -1, -1, -1, -1, -1};
    for (int i = 0; i < 5; i++)
        A[7 * i] = 1;
    zn_lcp_problem p = {6, 0, A, b};
    check_refused(&p, ZN_NOT_CONVERGED);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    double         A[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, b[3] = {-1, NAN, 1};
    zn_lcp_problem p = {3, 0, A, b}, one = {1, 0, A, b + 1}, two = {2, 0, A, b};
    check_refused(&p, ZN_NOT_FINITE);
    check_refused(&one, ZN_NOT_FINITE);
    check_refused(&two, ZN_NOT_FINITE);
    b[1] = INFINITY;
    check_refused(&one, ZN_NOT_FINITE);
    check_refused(&p, ZN_NOT_FINITE);
    b[1] = -1;
    A[4] = -INFINITY;
    check_refused(&p, ZN_NOT_FINITE);
    A[4] = 2;
    assert_int_equal(run(&p, "abacus", NULL).status, ZN_ERR_ARGUMENT);
    assert_int_equal(run(&p, "automatic", NULL).status, ZN_ERR_ARGUMENT);
    zn_lcp_problem wrong = {3, 4, A, b};
    assert_int_equal(run(&wrong, "pivot", NULL).status, ZN_ERR_ARGUMENT);
}

// A warm start with the right active set needs one look.
static void a_warm_start_is_used(void **state)
{
    (void)state;
    uint64_t seed = 9;
    sample  *s = make_sample(8, 0, 16, &seed);
    answer   a = run(&s->p, "pivot", s->z);
    CHECK_OK(a.status);
    assert_int_equal(a.info.iterations, 1);
    a = run(&s->p, "enumerate", s->z);
    assert_int_equal(a.info.iterations, 1);
    free(s);
}

// What a drive at rest holds comes to the smallest numbers by a rounding of a rounding in each step. Their products are
// not known to the last digit, and mean nothing.
static void the_smallest_numbers(void **state)
{
    (void)state;
    const double A[4] = {1754.3, 311.7, 311.7, 926.1}, size[] = {1e-290, 1e-300, 3e-305, 7e-308, 5e-320, 5e-324};
    for (size_t k = 0; k < sizeof size / sizeof *size; k++)
        for (int n = 1; n <= 2; n++)
            for (int bilateral = 0; bilateral <= n; bilateral++) {
                double         b[2] = {-size[k], 0.7 * size[k]};
                zn_lcp_problem p = {n, bilateral, A, b};
                answer         a = run(&p, "auto", NULL);
                CHECK_OK(a.status);
                CHECK_BELOW(a.info.residual, 1e-12);
                for (int i = 0; i < n; i++)
                    CHECK_BELOW(fabs(a.z[i]), size[k]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_row),
        cmocka_unit_test(two_rows_in_every_region),
        cmocka_unit_test(no_rows),
        cmocka_unit_test(a_chain),
        cmocka_unit_test(random_definite_problems),
        cmocka_unit_test(random_mixed_problems),
        cmocka_unit_test(large_problems),
        cmocka_unit_test(redundant_contacts),
        cmocka_unit_test(four_legs),
        cmocka_unit_test(duplicated_bilateral_rows),
        cmocka_unit_test(badly_scaled_rows_are_solved_alike),
        cmocka_unit_test(the_residual_does_not_depend_on_units),
        cmocka_unit_test(the_residual_by_hand),
        cmocka_unit_test(degenerate_right_hand_sides),
        cmocka_unit_test(zero_rows),
        cmocka_unit_test(block_flips_would_cycle),
        cmocka_unit_test(ties_everywhere),
        cmocka_unit_test(beales_cycling_program),
        cmocka_unit_test(a_bilateral_row_without_diagonal),
        cmocka_unit_test(problems_without_solution),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(a_warm_start_is_used),
        cmocka_unit_test(the_smallest_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
