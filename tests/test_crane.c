// The first natural frequency of the bridge crane against beam theory, and its start at rest.
//
// A girder (E I, rho A, span L) that moves up and down with the other one, ends on the carriages: a spring k_v (bending
// of a carriage, clamped a = 0.4 m outside of the girder, level in the middle b = 1.2 m inside) and a spring of
// rotation k_t = G J/a (its torsion). With w = cos k x + B cosh k x from the middle of the span, at x = L/2:
//     E I w'' = -k_t w',   E I w''' = k_v w,   omega^2 = k^4 E I/(rho A)
#include "gallery_fixtures.h"
#include "system/system.h"
#include "zn/math.h"

static const double E = 2.1e11, I = 8.80970e-3, L = 22, carriage_I = 6.64587e-4, carriage_J = 8.29982e-4, a = 0.4,
                    b = 1.2;

// Second condition once B is taken from the first; its first zero is the frequency.
static double condition(double k)
{
    double x = k * L / 2, EI = E * carriage_I, turn = E / 2.6 * carriage_J / a;
    double lift = 12 * EI / (a * a * a) - 36 * EI * EI / (a * a * a * a) / (4 * EI / a + EI / b);
    // E I k (-cos + B cosh) + k_t (-sin + B sinh) = 0;  E I k^3 (sin + B sinh) - k_v (cos + B cosh) = 0
    double B = (E * I * k * cos(x) + turn * sin(x)) / (E * I * k * cosh(x) + turn * sinh(x));
    return E * I * k * k * k * (sin(x) + B * sinh(x)) - lift * (cos(x) + B * cosh(x));
}

static double theory(void)
{
    double low = 0.5 / L, high = 4.7 / L; // clamped: 4.73
    assert_true(condition(low) * condition(high) < 0);
    for (int i = 0; i < 100; i++) {
        double middle = 0.5 * (low + high);
        *(condition(middle) * condition(low) > 0 ? &low : &high) = middle;
    }
    return low * low * sqrt(E * I / (5422 / 22.0)) / (2 * 3.14159265358979);
}

// The mode at the start with the most mass up and down; wheels are free, so that nothing leaves them: motions of the
// trolley alone, which nothing holds, come before.
static double computed(const zn_system *sys)
{
    zn_modes_def def = zn_modes_def_default();
    zn_state    *state = NULL;
    zn_modes    *modes = NULL;
    CHECK_OK(zn_state_create(sys, &state));
    CHECK_OK(zn_modes_find(sys, &def, state, &modes));
    assert_int_equal(modes->neutral, 3); // up and down, and two ways to turn
    int best = 3;
    for (int i = 3; i < modes->count; i++)
        best = modes->mode[i].mass.z > modes->mode[best].mass.z ? i : best;
    double f = modes->mode[best].frequency;
    zn_modes_destroy(modes);
    zn_state_destroy(state);
    return f;
}

static void test_first_frequency(void **test)
{
    (void)test;
    gallery_rig g = gallery_open("bridge-crane", NULL, scheme_named("cd_lagrange", 0.5));
    double      f = computed(g.r.sys), expected = theory();
    print_message("first natural frequency %.5f Hz, beam theory %.5f Hz\n", f, expected);
    CHECK_NEAR(f, expected, 2e-3 * expected);
    gallery_close(&g);
}

// The trolley only stands on the girders: each wheel carries a quarter of it, found directly.
static void test_start(void **test)
{
    (void)test;
    gallery_rig         g = gallery_open("bridge-crane", NULL, scheme_named("cd_lagrange", 0.5));
    zn_equilibrium_def  def = zn_equilibrium_def_default();
    zn_equilibrium_info info;
    zn_state           *state = NULL;
    CHECK_OK(zn_state_create(g.r.sys, &state));
    CHECK_OK(zn_equilibrium_solve(g.r.sys, &def, state, &info));
    assert_int_equal(info.relaxations, 0);
    assert_true(info.linear_solver.factorizations + info.linear_solver.refactorizations < 10);
    assert_int_equal(state->contacts->count, 4);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(state->contacts->impulse[i], 51500 / 4.0, 1e-3); // rounding of u times 2e13 N/m
    CHECK_NEAR(info.support.z, -info.load.z, 1e-7);
    zn_state_destroy(state);
    gallery_close(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_frequency), cmocka_unit_test(test_start)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
