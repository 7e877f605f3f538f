// The same friction problem in all its forms: dense, sparse, global, in other units, with contacts of different rows;
// and both measures by hand.
#include "friction_fixtures.h"

enum { MOST_ROWS = 240 }; // of a sparse matrix, with up to MAX * MAX entries

// Compressed rows of a dense matrix, zeros left out.
typedef struct rows {
    int          start[MOST_ROWS + 1], column[MAX * MAX];
    double       value[MAX * MAX];
    zn_fc_matrix m;
} rows;

static rows *compress(int count, int columns, const double *a, int stride)
{
    rows *s = calloc(1, sizeof *s);
    for (int i = 0; i < count; i++) {
        int k = s->start[i];
        for (int j = 0; j < columns; j++)
            if (a[i * stride + j] != 0) {
                s->column[k] = j;
                s->value[k++] = a[i * stride + j];
            }
        s->start[i + 1] = k;
    }
    s->m = (zn_fc_matrix){count, columns, s->start, s->column, s->value};
    return s;
}

static void sparse_is_dense(void **state)
{
    (void)state;
    uint64_t  seed = 41;
    const int sizes[][3] = {{1, 0, 1}, {3, 0, 3}, {4, 2, 4}, {15, 0, 30}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int repeat = 0; repeat < 10; repeat++) {
            sample       *s = make_bodies(sizes[k][0], sizes[k][1], sizes[k][2], 0.5, &seed);
            rows         *W = compress(s->p.n, s->p.n, s->W, s->p.n);
            zn_fc_problem sparse = s->p;
            sparse.W = NULL;
            sparse.sparse = &W->m;
            char message[100];
            CHECK_OK(zn_fc_check(&sparse, message, sizeof message));
            for (int i = 0; i < s->p.n; i++)
                s->r[i] = draw(&seed);
            CHECK_NEAR(zn_fc_residual(&sparse, s->r), zn_fc_residual(&s->p, s->r), 1e-14);
            CHECK_NEAR(zn_fc_residual_fclib(&sparse, s->r), zn_fc_residual_fclib(&s->p, s->r), 1e-13);
            for (int i = 0; i < SOLVERS; i++) {
                answer a = run(&s->p, solvers[i].name, NULL), b = run(&sparse, solvers[i].name, NULL);
                assert_int_equal(a.status, b.status);
                for (int j = 0; j < s->p.n; j++)
                    CHECK_NEAR(a.r[j], b.r[j], 1e-10 * (1 + fabs(a.r[j])));
            }
            free(W);
            free(s);
        }
}

// --- global --------------------------------------------------------------------------------------

// Bodies whose masses are blocks (coupled pairs of velocities), or all of whose velocities are coupled.
static void global_is_reduced(void **state)
{
    (void)state;
    uint64_t seed = 42;
    for (int repeat = 0; repeat < 40; repeat++) {
        enum { N = 24, ROWS = 12 };
        static double M[N * N], H[N * ROWS];
        double        f[N], w[ROWS], mu[4] = {0.3, 0.3, 0.6, 0.1}, v[N], r[ROWS] = {0}, u[ROWS];
        const int     first[5] = {0, 3, 6, 9, 12};
        memset(M, 0, sizeof M);
        memset(H, 0, sizeof H);
        for (int i = 0; i < N; i++) {
            M[i * N + i] = 2 + draw(&seed);
            f[i] = draw(&seed);
            if (i % 2 == 1 || (repeat % 4 == 0 && i > 0))
                M[i * N + i - 1] = M[(i - 1) * N + i] = 0.4 * draw(&seed);
            for (int j = 0; j < ROWS; j++) // a contact touches two bodies of six velocities
                if (i / 6 == j / 3 || i / 6 == (j / 3 + 1) % 4)
                    H[i * ROWS + j] = draw(&seed);
        }
        for (int j = 0; j < ROWS; j++)
            w[j] = 0.1 * draw(&seed);
        rows            *sparse_M = compress(N, N, M, N), *sparse_H = compress(N, ROWS, H, ROWS);
        zn_fc_global     p = {N, ROWS, 0, 4, first, &sparse_M->m, &sparse_H->m, f, w, mu};
        zn_fc_workspace *workspace;
        CHECK_OK(zn_fc_workspace_create(&workspace));
        zn_fc_settings settings = zn_fc_settings_default();
        zn_fc_info     info;
        char           message[100];
        CHECK_OK(zn_fc_check_global(&p, message, sizeof message));
        CHECK_OK(zn_fc_solve_global(&p, &settings, workspace, v, r, u, &info));
        for (int i = 0; i < N; i++) { // M v = H r + f
            double sum = -f[i];
            for (int j = 0; j < N; j++)
                sum += M[i * N + j] * v[j];
            for (int j = 0; j < ROWS; j++)
                sum -= H[i * ROWS + j] * r[j];
            CHECK_NEAR(sum, 0, 1e-12);
        }
        for (int j = 0; j < ROWS; j++) { // u = H' v + w
            double sum = w[j] - u[j];
            for (int i = 0; i < N; i++)
                sum += H[i * ROWS + j] * v[i];
            CHECK_NEAR(sum, 0, 1e-12);
        }
        for (int c = 0; c < 4; c++)
            assert_true(obeys_coulomb(3, mu[c], r + 3 * c, u + 3 * c, 1e-10, 1e-10));
        zn_fc_problem reduced;
        CHECK_OK(zn_fc_reduce(&p, workspace, &reduced));
        CHECK_NEAR(zn_fc_residual(&reduced, r), info.residual, 1e-15);
        for (int i = 0; i < ROWS; i++) // W is as sparse as bodies are coupled, and symmetric
            for (int k = reduced.sparse->start[i] + 1; k < reduced.sparse->start[i + 1]; k++)
                assert_true(reduced.sparse->column[k] > reduced.sparse->column[k - 1]);
        zn_fc_workspace_destroy(workspace);
        free(sparse_M);
        free(sparse_H);
    }
}

// M need not be symmetric: v, r and u belong together by the matrices as they are given, in parts of few rows and in
// one of many.
static void unsymmetric_masses(void **state)
{
    (void)state;
    enum { MOST = MOST_ROWS, ROWS = 9 };
    static double M[MOST * MOST], H[MOST * ROWS];
    uint64_t      seed = 77;
    for (int repeat = 0; repeat < 6; repeat++) {
        int       n = repeat % 2 ? MOST : 12;
        double    f[MOST], w[ROWS] = {0}, mu[3] = {0.3, 0.7, 0}, v[MOST], r[ROWS] = {0}, u[ROWS];
        const int first[4] = {0, 3, 6, 9};
        memset(M, 0, sizeof M);
        for (int i = 0; i < n; i++) {
            M[i * n + i] = 3 + draw(&seed);
            f[i] = draw(&seed);
            if (i > 0) {
                M[i * n + i - 1] = 0.8 * draw(&seed);
                M[(i - 1) * n + i] = 0.8 * draw(&seed);
            }
            for (int j = 0; j < ROWS; j++)
                H[i * ROWS + j] = i < 12 ? draw(&seed) : 0;
        }
        rows            *sparse_M = compress(n, n, M, n), *sparse_H = compress(n, ROWS, H, ROWS);
        zn_fc_global     p = {n, ROWS, 0, 3, first, &sparse_M->m, &sparse_H->m, f, w, mu};
        zn_fc_workspace *workspace;
        zn_fc_settings   settings = zn_fc_settings_default();
        CHECK_OK(zn_fc_workspace_create(&workspace));
        CHECK_OK(zn_fc_solve_global(&p, &settings, workspace, v, r, u, NULL));
        for (int i = 0; i < n; i++) {
            double sum = -f[i];
            for (int j = 0; j < n; j++)
                sum += M[i * n + j] * v[j];
            for (int j = 0; j < ROWS; j++)
                sum -= H[i * ROWS + j] * r[j];
            CHECK_NEAR(sum, 0, 1e-12);
        }
        for (int j = 0; j < ROWS; j++) {
            double sum = w[j] - u[j];
            for (int i = 0; i < n; i++)
                sum += H[i * ROWS + j] * v[i];
            CHECK_NEAR(sum, 0, 1e-11);
        }
        for (int c = 0; c < 3; c++)
            assert_true(obeys_coulomb(3, mu[c], r + 3 * c, u + 3 * c, 1e-10, 1e-10));
        zn_fc_workspace_destroy(workspace);
        free(sparse_M);
        free(sparse_H);
    }
}

static void faults_of_global_problems(void **state)
{
    (void)state;
    double    M[4] = {1, 0.5, 0.5, 1}, H[2] = {1, 2}, f[2] = {0, -1}, w[1] = {0}, mu[1] = {0};
    const int first[2] = {0, 1};
    char      message[100];
    for (int k = 0; k < 4; k++) {
        M[1] = k == 1 ? 0 : k == 2 ? NAN : 0.5;
        M[3] = k == 3 ? -1 : 1;
        rows        *m = compress(2, 2, M, 2), *h = compress(2, 1, H, 1);
        zn_fc_global p = {2, 1, 0, 1, first, &m->m, &h->m, f, w, mu};
        zn_status    expected = k == 0 ? ZN_OK : k == 2 ? ZN_NOT_FINITE : ZN_ERR_ARGUMENT;
        assert_int_equal(zn_fc_check_global(&p, message, sizeof message), expected);
        const char *part[] = {"", "M is not symmetric: M(1, 0) = 0.5, M(0, 1) = 0", "M(0, 1) is not finite",
                              "M is not positive"};
        assert_non_null(strstr(message, part[k]));
        free(m);
        free(h);
    }
}

// --- heavy loads -----------------------------------------------------------------------------------

// Masses one on the other, each heavier than the one below, up to 1e6 times the lowest: terms of u are as many times
// larger than q, and legitimately so. Contact i carries all above it.
static void heavy_loads(void **state)
{
    (void)state;
    enum { BODIES = 8, ROWS = 3 * BODIES };
    static double W[ROWS * ROWS];
    double        q[ROWS] = {0}, mu[BODIES], m[BODIES], r[ROWS], u[ROWS], load = 0;
    int           first[BODIES + 1] = {0};
    memset(W, 0, sizeof W);
    for (int i = 0; i < BODIES; i++) {
        m[i] = pow(10, 6.0 * i / (BODIES - 1));
        mu[i] = 0.4;
        first[i + 1] = 3 * (i + 1);
        for (int k = 0; k < 3; k++) {
            W[(3 * i + k) * ROWS + 3 * i + k] = 1 / m[i] + (i > 0 ? 1 / m[i - 1] : 0);
            if (i > 0)
                W[(3 * i + k) * ROWS + 3 * (i - 1) + k] = W[(3 * (i - 1) + k) * ROWS + 3 * i + k] = -1 / m[i - 1];
        }
    }
    q[0] = -0.1; // all fall
    zn_fc_problem    p = {.n = ROWS, .contacts = BODIES, .first = first, .W = W, .q = q, .mu = mu};
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    for (int measure = 0; measure < 2; measure++) {
        zn_fc_settings settings = zn_fc_settings_default();
        settings.tolerance = 1e-8;
        settings.measure = measure == 0 ? ZN_FC_MEASURE_NATURAL : ZN_FC_MEASURE_FCLIB;
        memset(r, 0, sizeof r);
        CHECK_OK(zn_fc_solve(&p, &settings, workspace, r, u, NULL));
        load = 0;
        for (int i = BODIES - 1; i >= 0; i--) {
            load += 0.1 * m[i];
            CHECK_NEAR(r[3 * i] / load, 1, 1e-6);
            CHECK_NEAR(u[3 * i], 0, 1e-6);
        }
    }
    zn_fc_workspace_destroy(workspace);
}

// --- units ---------------------------------------------------------------------------------------

// Mass, length and time in other units: W ~ 1/mass, q ~ length/time, r ~ mass length/time. The natural residual of any
// r stays; that of FCLIB need not.
static void other_units(void **state)
{
    (void)state;
    uint64_t seed = 43;
    for (int repeat = 0; repeat < 20; repeat++) {
        sample *s = make_bodies(4, 1, 4, 0.5, &seed);
        double  mass = pow(10, 4 * draw(&seed)), speed = pow(10, 4 * draw(&seed));
        for (int i = 0; i < s->p.n; i++)
            s->r[i] = draw(&seed);
        double before = zn_fc_residual(&s->p, s->r);
        answer a = run(&s->p, "auto", NULL);
        for (int i = 0; i < s->p.n; i++) {
            for (int j = 0; j < s->p.n; j++)
                s->W[i * s->p.n + j] /= mass;
            s->q[i] *= speed;
            s->r[i] *= mass * speed;
        }
        CHECK_NEAR(zn_fc_residual(&s->p, s->r), before, 1e-13 * before);
        answer b = run(&s->p, "auto", NULL);
        CHECK_OK(a.status);
        CHECK_OK(b.status);
        check_law(&s->p, &b, "auto");
        free(s);
    }
}

// --- measures by hand ----------------------------------------------------------------------------

static void the_fclib_measure_by_hand(void **state)
{
    (void)state;
    // rho = 1: r = (1, 0), W = 4 I, q = (-8, 4): u = (-4, 4), mu = 3/4: x = r - (-4 + 3, 4) = (2, -4), |x_T| > mu x_N:
    // P = (2 + 3)/(25/16) (1, -3/4) = (16/5)(1, -3/4); r - P = (-11/5, 12/5), over |q| = sqrt(80),
    // which is larger than |r| and |u|
    const double W[4] = {4, 0, 0, 4}, q[2] = {-8, 4}, r[2] = {1, 0};
    sample      *s = make_given(0, 1, 0.75, W, q);
    CHECK_NEAR(zn_fc_residual_fclib(&s->p, r), sqrt((121 + 144) / 25.0 / 80), 1e-15);
    s->q[0] = s->q[1] = 0; // over |u|: u = (4, 0), x = (-3, 0), P = 0
    CHECK_NEAR(zn_fc_residual_fclib(&s->p, r), 1.0 / 4, 1e-15);
    s->p = (zn_fc_problem){1, 1, 0, s->first, s->W, s->q, s->mu, NULL, NULL}; // bilateral: |u|
    CHECK_NEAR(zn_fc_residual_fclib(&s->p, r), 1, 1e-15);
    const double small[2] = {1e-20, 0}; // nothing to divide by
    CHECK_NEAR(zn_fc_residual_fclib(&s->p, small), 4e-20, 1e-30);
    free(s);
}

// The tolerance may be about either measure.
static void either_measure_is_met(void **state)
{
    (void)state;
    uint64_t         seed = 44;
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    for (int repeat = 0; repeat < 20; repeat++)
        for (int k = 0; k < SOLVERS; k++) {
            if (!(solvers[k].bit & (AUTO | NEWTON | ADMM)))
                continue;
            sample        *s = make_bodies(10, 0, 15, 0.5, &seed);
            zn_fc_settings settings = {.solver = solvers[k].name, .tolerance = 1e-7, .measure = ZN_FC_MEASURE_FCLIB};
            zn_fc_info     info;
            CHECK_OK(zn_fc_solve(&s->p, &settings, workspace, s->r, s->u, &info));
            CHECK_BELOW(info.residual_fclib, 1e-7);
            CHECK_NEAR(zn_fc_residual_fclib(&s->p, s->r), info.residual_fclib, 0);
            free(s);
        }
    zn_fc_workspace_destroy(workspace);
}

// One, two and three rows, with an equation, in one problem.
static void contacts_of_different_rows(void **state)
{
    (void)state;
    uint64_t seed = 45;
    for (int repeat = 0; repeat < 40; repeat++) {
        sample       *s = make_sample(1, 3, 2, 0.4);
        static double G[MAX][MAX];
        double        inverse_mass[MAX], v[MAX];
        s->first[1] = 2, s->first[2] = 4, s->first[3] = 7;
        for (int k = 0; k < 12; k++) {
            inverse_mass[k] = 1 + 0.5 * draw(&seed);
            v[k] = draw(&seed);
            for (int i = 0; i < s->p.n; i++)
                G[i][k] = draw(&seed);
        }
        fill_sample(s, 12, G, inverse_mass, v);
        answer reference = run(&s->p, "auto", NULL);
        CHECK_OK(reference.status);
        check_all(&s->p, AUTO | ITERATIVE, reference.r, 1e-7, NULL);
        free(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sparse_is_dense),
        cmocka_unit_test(global_is_reduced),
        cmocka_unit_test(unsymmetric_masses),
        cmocka_unit_test(heavy_loads),
        cmocka_unit_test(faults_of_global_problems),
        cmocka_unit_test(other_units),
        cmocka_unit_test(the_fclib_measure_by_hand),
        cmocka_unit_test(either_measure_is_met),
        cmocka_unit_test(contacts_of_different_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
