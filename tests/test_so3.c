// Rotations: closed forms, group laws, round trips and finite differences.
#include "check.h"
#include "zn/math.h"

static const double pi = 3.14159265358979323846;

static const zn_vec3 axes[] = {
    {1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0.6, -0.8, 0}, {2.0 / 3, -1.0 / 3, 2.0 / 3}, {-3.0 / 13, 4.0 / 13, 12.0 / 13}};
enum { AXES = 6 };

static double distance(zn_mat3 a, zn_mat3 b)
{
    double worst = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            worst = fmax(worst, fabs(a.m[i][j] - b.m[i][j]));
    return worst;
}

static double vector_distance(zn_vec3 a, zn_vec3 b) { return zn_vec3_norm(zn_vec3_sub(a, b)); }

// Rodrigues: R = cos t I + sin t u~ + (1 - cos t) u u'.
static zn_mat3 rodrigues(zn_vec3 u, double t)
{
    double  p[3] = {u.x, u.y, u.z};
    zn_mat3 r = zn_mat3_skew(u);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            r.m[i][j] = sin(t) * r.m[i][j] + (1 - cos(t)) * p[i] * p[j] + (i == j ? cos(t) : 0);
    return r;
}

static void small_matrices(void **state)
{
    (void)state;
    zn_mat3 a = {{{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}}, b = {{{0, 1, 0}, {2, 0, 1}, {1, 1, 1}}};
    zn_mat3 ab = {{{7, 4, 5}, {16, 10, 11}, {26, 17, 18}}}; // by hand
    assert_true(distance(zn_mat3_product(a, b), ab) == 0);
    zn_mat3 t = {{{1, 4, 7}, {2, 5, 8}, {3, 6, 10}}};
    assert_true(distance(zn_mat3_transpose(a), t) == 0);
    zn_vec3 u = {1, -2, 3}, v = {5, 7, -11};
    zn_vec3 cross = {1.0, 26.0, 17.0}; // (-2)(-11) - 3*7, 3*5 - 1*(-11), 1*7 - (-2)*5
    assert_true(vector_distance(zn_mat3_apply(zn_mat3_skew(u), v), cross) == 0);
    assert_true(vector_distance(zn_vec3_cross(u, v), cross) == 0);
}

static void exponential_is_rodrigues(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-12, 1e-4, 0.3, 1, 2, 3, pi, 4, 6};
    zn_vec3      x = {0.3, -1.1, 0.7};
    for (int a = 0; a < AXES; a++)
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            zn_mat3 expected = rodrigues(axes[a], angles[k]);
            zn_quat q = zn_so3_exp(zn_vec3_scale(angles[k], axes[a]));
            CHECK_BELOW(distance(zn_quat_matrix(q), expected), 2e-15);
            CHECK_BELOW(vector_distance(zn_quat_rotate(q, x), zn_mat3_apply(expected, x)), 4e-15);
        }
}

static void quaternion_product_composes(void **state)
{
    (void)state;
    zn_quat a = zn_so3_exp((zn_vec3){0.4, -1.2, 0.9}), b = zn_so3_exp((zn_vec3){-2, 0.1, 0.5});
    zn_mat3 both = zn_mat3_product(zn_quat_matrix(a), zn_quat_matrix(b));
    CHECK_BELOW(distance(zn_quat_matrix(zn_quat_product(a, b)), both), 2e-15);
    zn_mat3 back = zn_mat3_transpose(zn_quat_matrix(a));
    CHECK_BELOW(distance(zn_quat_matrix(zn_quat_conjugate(a)), back), 1e-15);
    zn_quat n = zn_quat_normalize((zn_quat){2, -4, 5, 6}); // norm 9
    CHECK_NEAR(n.w, 2.0 / 9, 1e-16);
    CHECK_NEAR(n.x, -4.0 / 9, 1e-16);
    CHECK_NEAR(n.y, 5.0 / 9, 2e-16);
    CHECK_NEAR(n.z, 6.0 / 9, 2e-16);
}

// log(exp(psi)) = psi, relative to |psi|, from denormal squares up to just below pi.
static void logarithm_inverts_exponential(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 1e-2, 0.5, 1, 3, pi - 1e-9};
    for (int a = 0; a < AXES; a++)
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            zn_vec3 psi = zn_vec3_scale(angles[k], axes[a]);
            zn_vec3 back = zn_so3_log(zn_so3_exp(psi));
            CHECK_NEAR(back.x, psi.x, 1e-15 * angles[k]);
            CHECK_NEAR(back.y, psi.y, 1e-15 * angles[k]);
            CHECK_NEAR(back.z, psi.z, 1e-15 * angles[k]);
        }
}

// At pi both signs of the axis are the same rotation.
static void logarithm_at_half_a_turn(void **state)
{
    (void)state;
    for (int a = 0; a < AXES; a++) {
        zn_vec3 psi = zn_vec3_scale(pi, axes[a]), back = zn_so3_log(zn_so3_exp(psi));
        double  same = vector_distance(back, psi), opposite = vector_distance(back, zn_vec3_scale(-1, psi));
        CHECK_BELOW(fmin(same, opposite), 4e-15);
        zn_quat exact = {0, axes[a].x, axes[a].y, axes[a].z};
        CHECK_BELOW(vector_distance(zn_so3_log(exact), psi), 2e-15);
    }
}

static void logarithm_ignores_the_sign_of_the_quaternion(void **state)
{
    (void)state;
    for (int a = 0; a < AXES; a++) {
        zn_vec3 psi = zn_vec3_scale(2.5, axes[a]);
        zn_quat q = zn_so3_exp(psi), minus = {-q.w, -q.x, -q.y, -q.z};
        CHECK_BELOW(vector_distance(zn_so3_log(minus), psi), 2e-15);
        // 4 rad about u is 4 - 2 pi about u
        zn_vec3 beyond = zn_so3_log(zn_so3_exp(zn_vec3_scale(4, axes[a])));
        CHECK_BELOW(vector_distance(beyond, zn_vec3_scale(4 - 2 * pi, axes[a])), 4e-15);
    }
}

static void tangent_times_inverse_is_identity(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-200, 1e-12, 1e-8, 1e-4, 1e-2, 0.49999, 0.5, 0.99999, 1, 2, 3, pi, 5, 6};
    for (int a = 0; a < AXES; a++)
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            zn_vec3 psi = zn_vec3_scale(angles[k], axes[a]);
            zn_mat3 product = zn_mat3_product(zn_so3_tangent(psi), zn_so3_tangent_inverse(psi));
            CHECK_BELOW(distance(product, zn_mat3_identity()), 1e-13);
        }
}

// R(psi)' R(psi + e d) = exp((e T d)~) + O(e^2); the central difference leaves O(e^2) in T.
static void tangent_is_the_derivative_of_the_exponential(void **state)
{
    (void)state;
    const double angles[] = {0, 1e-6, 0.1, 0.8, 1.5, 3.0, 5.0};
    const double e = 1e-5;
    zn_vec3      d = {0.3, -0.5, 0.8};
    for (int a = 0; a < AXES; a++)
        for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
            zn_vec3 psi = zn_vec3_scale(angles[k], axes[a]);
            zn_quat back = zn_quat_conjugate(zn_so3_exp(psi));
            zn_vec3 plus = zn_so3_log(zn_quat_product(back, zn_so3_exp(zn_vec3_add(psi, zn_vec3_scale(e, d)))));
            zn_vec3 minus = zn_so3_log(zn_quat_product(back, zn_so3_exp(zn_vec3_sub(psi, zn_vec3_scale(e, d)))));
            zn_vec3 slope = zn_vec3_scale(0.5 / e, zn_vec3_sub(plus, minus));
            CHECK_BELOW(vector_distance(slope, zn_mat3_apply(zn_so3_tangent(psi), d)), 2e-10);
        }
}

// T psi = psi and T^-1 psi = psi: the axis does not turn.
static void tangent_keeps_the_axis(void **state)
{
    (void)state;
    zn_vec3 psi = {0.7, -1.3, 0.4};
    CHECK_BELOW(vector_distance(zn_mat3_apply(zn_so3_tangent(psi), psi), psi), 1e-15);
    CHECK_BELOW(vector_distance(zn_mat3_apply(zn_so3_tangent_inverse(psi), psi), psi), 1e-15);
}

// About z the coefficients stand alone: T_01 = (1 - cos t)/t, T_00 = sin t/t, and of the inverse T^-1_00 =
// t/2 cot(t/2). Series and closed form must agree with these on both sides of the hand-over.
static void series_and_closed_form_meet(void **state)
{
    (void)state;
    const double angles[] = {0.1, 0.3, nextafter(0.5, 0), 0.5, 0.7, nextafter(1, 0), 1, 1.2};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        double  t = angles[k];
        zn_vec3 psi = {0, 0, t};
        zn_mat3 direct = zn_so3_tangent(psi), inverse = zn_so3_tangent_inverse(psi);
        CHECK_NEAR(direct.m[0][0], sin(t) / t, 4e-16);
        CHECK_NEAR(direct.m[0][1], (1 - cos(t)) / t, 2e-15);
        CHECK_NEAR(direct.m[1][0], -(1 - cos(t)) / t, 2e-15);
        CHECK_NEAR(inverse.m[0][0], 0.5 * t / tan(0.5 * t), 4e-16);
        CHECK_NEAR(inverse.m[0][1], -0.5 * t, 1e-16);
    }
}

// Tiny angles: T = I - psi~/2 + psi~^2/6 to leading order, all three terms visible relative to their own size.
static void tiny_angles_keep_their_leading_terms(void **state)
{
    (void)state;
    zn_vec3 psi = {1e-9, 2e-9, -3e-9};
    zn_mat3 direct = zn_so3_tangent(psi), inverse = zn_so3_tangent_inverse(psi);
    CHECK_NEAR(direct.m[0][1], -0.5 * 3e-9, 1e-17); // -1/2 psi~_01 = psi_z/2; second order 3e-19
    CHECK_NEAR(direct.m[2][1], -0.5 * 1e-9, 1e-17);
    CHECK_NEAR(inverse.m[0][1], 0.5 * 3e-9, 1e-17);
    CHECK_NEAR(inverse.m[2][1], 0.5 * 1e-9, 1e-17);
    assert_true(direct.m[0][0] == 1 && inverse.m[2][2] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_matrices),
        cmocka_unit_test(exponential_is_rodrigues),
        cmocka_unit_test(quaternion_product_composes),
        cmocka_unit_test(logarithm_inverts_exponential),
        cmocka_unit_test(logarithm_at_half_a_turn),
        cmocka_unit_test(logarithm_ignores_the_sign_of_the_quaternion),
        cmocka_unit_test(tangent_times_inverse_is_identity),
        cmocka_unit_test(tangent_is_the_derivative_of_the_exponential),
        cmocka_unit_test(tangent_keeps_the_axis),
        cmocka_unit_test(series_and_closed_form_meet),
        cmocka_unit_test(tiny_angles_keep_their_leading_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
