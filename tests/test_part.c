// Parts of a system: they add up to the whole, and meet where they should.
#include "scheme_fixtures.h"
#include "system/forces.h"
#include "system/lumped.h"
#include "system/part.h"
#include "system/system.h"

static int border; // elements below it belong to the first part

static bool in_first(void *user, const zn_element_block *b, int element)
{
    (void)b;
    return (element < border) == *(bool *)user;
}

static void test_two_halves(void **test)
{
    (void)test;
    zn_model  *model = bar_model(10, 0.1, 0);
    zn_system *sys = NULL;
    zn_part   *part[2] = {NULL, NULL};
    bool       side[2] = {true, false};
    double     q[22], x[22], f[3][22] = {{0}}, V[3], m[3][22] = {{0}};
    int        meet[22];
    border = 4;
    CHECK_OK(zn_system_create(model, &sys));
    for (int i = 0; i < 22; i++) {
        q[i] = 1e-5 * sin(3 * i);
        x[i] = cos(i);
    }
    zn_at at = {q, sys->v0, 0, 0};
    for (int k = 0; k < 2; k++) {
        CHECK_OK(zn_part_create(sys, in_first, &side[k], &part[k]));
        CHECK_OK(zn_part_force(part[k], at, f[k], &V[k]));
        CHECK_OK(zn_part_inertia(part[k], x, m[k]));
    }
    assert_int_equal(part[0]->elements, 4);
    assert_int_equal(part[1]->elements, 6);
    assert_int_equal(part[0]->dofs, 5);
    assert_int_equal(part[1]->dofs, 7);
    assert_int_equal(zn_part_interface(part[0], part[1], meet), 1);
    assert_int_equal(meet[0], sys->layout.node[4].dof[0]);
    CHECK_OK(zn_system_internal_force(sys, NULL, at, f[2], &V[2]));
    CHECK_OK(zn_system_inertia(sys, q, x, m[2]));
    CHECK_NEAR(V[0] + V[1], V[2], 1e-13 * V[2]);
    for (int i = 0; i < sys->info.n; i++) {
        CHECK_NEAR(f[0][i] + f[1][i], f[2][i], 1e-12 * BAR_YOUNG * BAR_AREA);
        CHECK_NEAR(m[0][i] + m[1][i], m[2][i], 1e-13);
    }
    for (int k = 0; k < 2; k++)
        zn_part_destroy(part[k]);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
