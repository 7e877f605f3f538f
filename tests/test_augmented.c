// One step on the augmented Lagrangian in the rows of the constraints is Newton's step of the whole problem,
//     A x + f - G' l = 0,   joint G_0 x + w_0 = 0,   contact l - P(l - p (G x + w)) = 0,
// whose matrix is found here by differences, for any iterate and status.
#include <math.h>
#include <string.h>

#include "fixtures.h"
#include "solve/friction_augmented.h"

enum { N = 5, ROWS = 4, ALL = N + ROWS }; // degrees of freedom; a joint and a contact with two tangents

typedef struct whole {
    double A[N][N], f[N], G[ROWS][N], w[ROWS], mu, penalty;
} whole;

static whole make(double penalty)
{
    whole p = {.mu = 0.35, .penalty = penalty};
    for (int i = 0; i < N; i++) {
        p.f[i] = sin(2.1 * i + 1);
        for (int j = 0; j < N; j++)
            p.A[i][j] = (i == j) * (2 + 0.3 * i) + 0.2 * cos(1.3 * (i + j));
    }
    for (int k = 0; k < ROWS; k++) {
        p.w[k] = 0.1 * cos(1.7 * k);
        for (int j = 0; j < N; j++)
            p.G[k][j] = sin(0.9 * (k + 1) * (j + 2) + k);
    }
    return p;
}

static double gap(const whole *p, const double *z, int k)
{
    double sum = p->w[k];
    for (int j = 0; j < N; j++)
        sum += p->G[k][j] * z[j];
    return sum;
}

// z = (x, l)
static void residual(const whole *p, const double *z, double *r)
{
    const double *l = z + N;
    for (int i = 0; i < N; i++) {
        r[i] = p->f[i];
        for (int j = 0; j < N; j++)
            r[i] += p->A[i][j] * z[j];
        for (int k = 0; k < ROWS; k++)
            r[i] -= p->G[k][i] * l[k];
    }
    r[N] = gap(p, z, 0);
    double xi[3], radius, length;
    for (int k = 0; k < 3; k++)
        xi[k] = l[1 + k] - p->penalty * gap(p, z, 1 + k);
    xi[0] = fmax(xi[0], 0);
    radius = p->mu * xi[0];
    length = hypot(xi[1], xi[2]);
    for (int k = 0; k < 3; k++)
        r[N + 1 + k] = l[1 + k] - xi[k] * (k > 0 && length > radius ? radius / length : 1);
}

// Multipliers after Newton's step of the whole problem from z.
static void whole_step(const whole *p, const double *z, double *l)
{
    double J[ALL * ALL], r[ALL], near[ALL], plus[ALL], minus[ALL];
    int    pivot[ALL];
    residual(p, z, r);
    for (int j = 0; j < ALL; j++) {
        double d = 1e-6;
        memcpy(near, z, sizeof near);
        near[j] = z[j] + d;
        residual(p, near, plus);
        near[j] = z[j] - d;
        residual(p, near, minus);
        for (int i = 0; i < ALL; i++)
            J[i * ALL + j] = (plus[i] - minus[i]) / (2 * d);
    }
    CHECK_OK(zn_dense_lu_factor(ALL, J, pivot));
    zn_dense_lu_solve(ALL, J, pivot, r);
    for (int k = 0; k < ROWS; k++)
        l[k] = z[N + k] - r[N + k];
}

// The same from W = G A^-1 G' and what the motion without multipliers gives.
static void condensed_step(const whole *p, const double *z, zn_fc_workspace *memory, double *l)
{
    double        A[N * N], y[N], W[ROWS * ROWS], q[ROWS], u[ROWS];
    int           pivot[N];
    const int     first[] = {1, ROWS};
    zn_fc_problem problem = {ROWS, 1, 1, first, W, q, &p->mu, NULL, NULL};
    memcpy(A, p->A, sizeof A);
    CHECK_OK(zn_dense_lu_factor(N, A, pivot));
    for (int i = 0; i < N; i++)
        y[i] = -p->f[i];
    zn_dense_lu_solve(N, A, pivot, y); // x without multipliers: the equations of motion are linear
    for (int k = 0; k < ROWS; k++) {
        q[k] = gap(p, y, k);
        u[k] = gap(p, z, k);
        l[k] = z[N + k];
    }
    for (int c = 0; c < ROWS; c++) {
        memcpy(y, p->G[c], sizeof y);
        zn_dense_lu_solve(N, A, pivot, y);
        for (int k = 0; k < ROWS; k++)
            W[k * ROWS + c] = gap(p, y, k) - p->w[k];
    }
    CHECK_OK(zn_fc_augmented_step(&problem, memory, p->penalty, u, l));
}

static void test_same_step(void **state)
{
    (void)state;
    static const double normal[] = {-0.8, 0.3, 2, 9}; // l_N: open, slip and stick
    zn_fc_workspace    *memory;
    int                 open = 0, slip = 0, stick = 0;
    CHECK_OK(zn_fc_workspace_create(&memory));
    for (double penalty = 1e-2; penalty < 200; penalty *= 10)
        for (int k = 0; k < 4; k++) {
            whole  p = make(penalty);
            double z[ALL] = {0.1, -0.2, 0.05, 0.3, -0.1, 0.7, normal[k], 0.5, -0.4}, expected[ROWS], l[ROWS];
            whole_step(&p, z, expected);
            condensed_step(&p, z, memory, l);
            for (int i = 0; i < ROWS; i++)
                CHECK_NEAR(l[i], expected[i], 1e-6 * (1 + fabs(expected[i])));
            double xi[3];
            for (int i = 0; i < 3; i++)
                xi[i] = z[N + 1 + i] - penalty * gap(&p, z, 1 + i);
            open += xi[0] < 0;
            slip += xi[0] > 0 && hypot(xi[1], xi[2]) > p.mu * xi[0];
            stick += xi[0] > 0 && hypot(xi[1], xi[2]) < p.mu * xi[0];
        }
    assert_true(open > 2 && slip > 2 && stick > 2);
    zn_fc_workspace_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_step)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
