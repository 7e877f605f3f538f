// Linear models keep their factors and arrange them for many solves: the motion is that of the dense solver, which
// arranges nothing.
#include "gallery_fixtures.h"

enum { ELEMENTS = 60, STEPS = 200 };

static zn_scheme_def scheme(const char *name, const char *linear_solver)
{
    zn_scheme_def def = zn_scheme_def_default();
    def.scheme = name;
    def.linear_solver = linear_solver;
    return def;
}

// The bar flies, hits the wall, and the wave runs to and fro; returns the impulse of the wall.
static double run_pair(const char *name, gallery_rig *one, gallery_rig *two, double h)
{
    double impulse = 0;
    for (int k = 0; k < STEPS; k++) {
        rig_step(&one->r, h);
        rig_step(&two->r, h);
        for (int i = 0; i <= ELEMENTS; i++) {
            if (!(fabs(one->r.state->v[i] - two->r.state->v[i]) < 1e-10)) // it moves at 0.1 m/s
                print_error("%s, step %d\n", name, k);
            CHECK_NEAR(one->r.state->v[i], two->r.state->v[i], 1e-10);
            CHECK_NEAR(one->r.state->q[i], two->r.state->q[i], 1e-14);
        }
        impulse += one->r.state->contacts->impulse[0];
    }
    return impulse;
}

static void arranged_factors_give_the_same_motion(void **test)
{
    (void)test;
    const char *const names[] = {"moreau_jean", "direct_projection", "combined_projection",
                                 "trapezoidal", "schatzman_paoli",   "nsga"};
    const char *const overrides[] = {"N=60", "gap=5.05e-6", NULL};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        gallery_rig klu = gallery_open("elastic-bar", overrides, scheme(names[k], "klu"));
        gallery_rig dense = gallery_open("elastic-bar", overrides, scheme(names[k], "dense"));
        assert_true(run_pair(names[k], &klu, &dense, 2e-6) > 0);
        zn_linsolver_info info = zn_scheme_linsolver_info(klu.r.scheme);
        assert_string_equal(info.backend, "klu");
        assert_true(info.factorizations <= 4 && info.refactorizations == 0); // once, whatever the start needs
        assert_true(info.solves >= STEPS);
        gallery_close(&klu);
        gallery_close(&dense);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arranged_factors_give_the_same_motion)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
