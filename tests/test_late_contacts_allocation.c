// A step that is taken again with contacts it has found at its end allocates nothing once there is room for them, and
// where memory runs out it fails and leaves the state as it was.
#include "allocation_wrap.h"
#include "late_models.h"

static void test_no_allocation_once_there_is_room(void **state)
{
    (void)state;
    for (int s = 0; s < LATE_SCHEMES; s++) {
        rig       r = open_hit(s, 0.02);
        zn_state *start = NULL;
        CHECK_OK(zn_state_create(r.sys, &start));
        for (int k = 0; k < 2; k++) { // sets change places with those of the state
            CHECK_OK(zn_state_copy(r.sys, start, r.state));
            rig_step(&r, late_step);
        }
        CHECK_OK(zn_state_copy(r.sys, start, r.state));
        long before = allocations;
        rig_step(&r, late_step);
        assert_int_equal(allocations - before, 0);
        assert_true(r.info.late_contacts > 0);
        zn_state_destroy(start);
        rig_close(&r);
    }
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    for (int s = 0; s < LATE_SCHEMES; s++) {
        int failures = 0;
        for (bool done = false; !done;) {
            rig       r = open_hit(s, 0.02);
            zn_state *start = NULL;
            CHECK_OK(zn_state_create(r.sys, &start));
            failing = allocations + failures + 1;
            zn_status status = zn_scheme_step(r.scheme, r.state, late_step, &r.info);
            done = allocations < failing;
            failing = 0;
            if (!done) {
                assert_int_equal(status, ZN_ERR_MEMORY);
                check_same_state(r.sys, r.state, start);
                rig_step(&r, late_step); // goes on when there is memory again
                failures++;
            }
            assert_true(r.info.late_contacts > 0);
            zn_state_destroy(start);
            rig_close(&r);
        }
        assert_true(failures > 2);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_allocation_once_there_is_room),
        cmocka_unit_test(test_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
