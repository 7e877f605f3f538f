// Evaluation between two states allocates nothing: it runs in every iteration of a step.
#include "allocation_wrap.h"

#include "between_models.h"

static void test_evaluation_allocates_nothing(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int planar = 0; planar < 2; planar++) {
        fixture         f = make_workshop(planar, false, NULL);
        zn_sparse      *matrix = NULL;
        zn_contact_set *set = NULL;
        two_ends        e;
        double          force[FIXTURE_MAX], rows[FIXTURE_MAX], lambda[3] = {1, 1, 1};
        zn_lacking      lack;
        random_ends(f.sys, 0.2, 0, &seed, &e);
        CHECK_OK(zn_system_matrix(f.sys, &matrix));
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, f.sys, e.q[0], 0));
        assert_true(set->count == 1 && set->row_capacity <= FIXTURE_MAX);
        long before = allocations;
        assert_false(zn_system_lacks_between(f.sys, &lack));
        CHECK_OK(zn_system_force_between(f.sys, e.s, force));
        CHECK_OK(zn_system_operators_between(f.sys, e.s, 1, 2, 3, matrix));
        CHECK_OK(zn_contact_set_evaluate_between(set, f.sys, e.s, rows));
        CHECK_OK(zn_contact_set_curvature_between(set, f.sys, e.s, lambda, e.v[0], force));
        assert_int_equal(allocations, before);
        assert_true(before > 0);
        zn_contact_set_destroy(set);
        zn_sparse_destroy(matrix);
        destroy_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_evaluation_allocates_nothing)};
    return cmocka_run_group_tests_name("between allocation", tests, NULL, NULL);
}
