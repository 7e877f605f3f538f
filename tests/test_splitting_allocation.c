// Contacts without columns: a step allocates nothing once a linear model runs, and what they take does not grow with
// contacts times unknowns.
#include "allocation_wrap.h"
#include "splitting_models.h"

static void test_steps_allocate_nothing(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "nsga"}, *const solvers[] = {"klu", "amg"};
    for (int s = 0; s < 4; s++) {
        zn_scheme_def def = scheme_named(schemes[s % 2], 0.5);
        def.linear_solver = solvers[s / 2];
        def.column_memory = 0;
        soft_run x = soft_start(thrown_block, "mu=0.3", "n=6", def);
        bool     touched = false;
        for (int k = 0; k < 3; k++)
            rig_step(&x.r, 1e-3);
        long before = allocations;
        for (int k = 0; k < 4; k++) {
            rig_step(&x.r, 1e-3);
            touched |= x.r.info.active > 0;
        }
        assert_int_equal(allocations - before, 0);
        assert_true(touched && soft_is_split(&x));
        soft_end(&x);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps_allocate_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
