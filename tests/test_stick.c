// zn_stick: impulses of least norm, in the metric of the diagonal of W, that hold every contact of a body on more feet
// than it needs.
#include "check.h"
#include "constraint/stick.h"

#include <stdbool.h>
#include <stdlib.h>

enum { FEET = 4, ROWS = 3 * FEET };

typedef struct table {
    double        G[ROWS][6], W[ROWS * ROWS], q[ROWS], mu[FEET];
    int           first[FEET + 1];
    zn_fc_problem problem;
    double        z[ROWS], scratch[ROWS * (ROWS + 4)];
} table;

// A table of mass 2 with feet at the corners of a square; W has rank 6 of 12. `push`: free velocity along x, y, z.
static table *make_table(double friction, const double push[6])
{
    static const double inverse[6] = {0.5, 0.5, 0.5, 3, 2, 1};
    static const double foot[FEET][3] = {{1, 1, -0.5}, {-1, 1, -0.5}, {-1, -1, -0.5}, {1, -1, -0.5}};
    static const int    axis[3] = {2, 0, 1}; // normal z, tangents x and y
    table              *t = calloc(1, sizeof *t);
    assert_non_null(t);
    for (int f = 0; f < FEET; f++)
        for (int k = 0; k < 3; k++) {
            double *g = t->G[3 * f + k];
            int     a = axis[k], b = (a + 1) % 3, c = (a + 2) % 3;
            g[a] = 1; // velocity of the foot along a: v_a + w_b r_c - w_c r_b
            g[3 + b] = foot[f][c];
            g[3 + c] = -foot[f][b];
        }
    for (int i = 0; i < ROWS; i++) {
        for (int k = 0; k < 6; k++)
            t->q[i] += t->G[i][k] * push[k];
        for (int j = 0; j < ROWS; j++)
            for (int k = 0; k < 6; k++)
                t->W[i * ROWS + j] += t->G[i][k] * inverse[k] * t->G[j][k];
        t->z[i] = -7; // must stay unless it succeeds
    }
    for (int f = 0; f < FEET; f++) {
        t->mu[f] = friction;
        t->first[f + 1] = 3 * (f + 1);
    }
    assert_true(zn_stick_scratch(ROWS) <= sizeof t->scratch / sizeof *t->scratch);
    t->problem = (zn_fc_problem){.n = ROWS, .contacts = FEET, .first = t->first, .W = t->W, .q = t->q, .mu = t->mu};
    return t;
}

static void check_refused(table *t)
{
    assert_false(zn_stick(&t->problem, 0, t->z, t->scratch));
    for (int i = 0; i < ROWS; i++)
        assert_true(t->z[i] == -7);
    free(t);
}

// W z = -q, and D z = G y for some y, with D the diagonal of W: z is D-orthogonal to all that does nothing, so that no
// answer has a smaller z'D z.
static void check_least_norm(const table *t)
{
    double A[6][7] = {{0}}, y[6];
    for (int i = 0; i < ROWS; i++) {
        double left = t->q[i];
        for (int j = 0; j < ROWS; j++)
            left += t->W[i * ROWS + j] * t->z[j];
        CHECK_NEAR(left, 0, 1e-13);
    }
    for (int a = 0; a < 6; a++) // normal equations of D z = G y
        for (int i = 0; i < ROWS; i++) {
            for (int b = 0; b < 6; b++)
                A[a][b] += t->G[i][a] * t->G[i][b];
            A[a][6] += t->G[i][a] * t->W[i * ROWS + i] * t->z[i];
        }
    for (int a = 0; a < 6; a++)
        for (int r = 0; r < 6; r++)
            for (int c = 6; r != a && c >= a; c--)
                A[r][c] -= A[r][a] / A[a][a] * A[a][c];
    for (int a = 0; a < 6; a++)
        y[a] = A[a][6] / A[a][a];
    for (int i = 0; i < ROWS; i++) {
        double image = 0;
        for (int a = 0; a < 6; a++)
            image += t->G[i][a] * y[a];
        CHECK_NEAR(t->W[i * ROWS + i] * t->z[i], image, 2e-6); // rounding, over the regularization of 1e-9
    }
}

static void test_weight_is_shared(void **state)
{
    (void)state;
    table *t = make_table(0.3, (double[]){0, 0, -1, 0, 0, 0});
    assert_true(zn_stick(&t->problem, 0, t->z, t->scratch));
    check_least_norm(t);
    for (int f = 0; f < FEET; f++) {
        CHECK_NEAR(t->z[3 * f], 0.5, 1e-6); // m v / 4
        CHECK_NEAR(hypot(t->z[3 * f + 1], t->z[3 * f + 2]), 0, 1e-6);
    }
    free(t);
}

static void test_pushed_sideways_and_turned(void **state)
{
    (void)state;
    table *t = make_table(0.5, (double[]){0.2, -0.1, -1, 0.05, -0.04, 0.1});
    assert_true(zn_stick(&t->problem, 0, t->z, t->scratch));
    check_least_norm(t);
    free(t);
}

static void test_leaves_what_would_slide_or_lift(void **state)
{
    (void)state;
    check_refused(make_table(0.1, (double[]){0.2, -0.1, -1, 0, 0, 0})); // outside of the cones
    check_refused(make_table(0.5, (double[]){0, 0, -1, 9, 0, 0}));      // a foot would have to be pulled
    check_refused(make_table(0.5, (double[]){0, 0, 0.1, 0, 0, 0}));     // all of them
}

// A right side that no impulse can answer: the feet move apart. Only rounding of that kind is forgiven, up to the
// floor.
static void test_floor(void **state)
{
    (void)state;
    table *t = make_table(0.5, (double[]){0, 0, -1, 0, 0, 0});
    t->q[1] += 1e-12;
    t->q[4] -= 1e-12;
    assert_false(zn_stick(&t->problem, 1e-13, t->z, t->scratch));
    assert_true(zn_stick(&t->problem, 1e-11, t->z, t->scratch));
    for (int f = 0; f < FEET; f++)
        CHECK_NEAR(t->z[3 * f], 0.5, 1e-3);
    t->q[1] += 1e-3;
    assert_false(zn_stick(&t->problem, 1e-11, t->z, t->scratch));
    free(t);
}

static void test_rows_without_compliance_are_refused(void **state)
{
    (void)state;
    table *t = make_table(0.5, (double[]){0, 0, -1, 0, 0, 0});
    for (int j = 0; j < ROWS; j++)
        t->W[4 * ROWS + j] = t->W[j * ROWS + 4] = 0;
    check_refused(t);
    t = make_table(0.5, (double[]){0, 0, -1, 0, 0, 0});
    t->q[3] = NAN;
    check_refused(t);
    t = make_table(0.5, (double[]){0, 0, -1, 0, 0, 0});
    t->W[5] = NAN;
    check_refused(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weight_is_shared),
        cmocka_unit_test(test_pushed_sideways_and_turned),
        cmocka_unit_test(test_leaves_what_would_slide_or_lift),
        cmocka_unit_test(test_floor),
        cmocka_unit_test(test_rows_without_compliance_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
