// What a caller can forget: functions that make and use objects refuse NULL instead of following it.
#include "fixtures.h"

#include "zn/io.h"
#include "zn/sim.h"

static void test_null(void **state)
{
    (void)state;
    zn_problem     *problem = NULL;
    zn_system      *sys = NULL;
    zn_state       *at = NULL;
    zn_sim         *sim = NULL;
    zn_contact_set *set = NULL;
    zn_sim_def      def = zn_sim_def_default();
    const char      text[] = "zeno: 1";
    CHECK_STATUS(zn_problem_parse(NULL, 0, "a", 0, NULL, (zn_log){0}, &problem), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_problem_parse(text, 7, NULL, 0, NULL, (zn_log){0}, &problem), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_problem_parse(text, 7, "a", 2, NULL, (zn_log){0}, &problem), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_problem_parse(text, 7, "a", 0, NULL, (zn_log){0}, NULL), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_system_create(NULL, &sys), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_state_create(NULL, &at), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_contact_set_create(NULL, &set), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_sim_create(NULL, &def, &sim), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_sim_create(NULL, NULL, &sim), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_sim_run(NULL), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_sim_restart(NULL, NULL, 0), ZN_ERR_ARGUMENT);
    assert_true(problem == NULL && sys == NULL && at == NULL && set == NULL && sim == NULL);
}

static void test_null_result(void **state)
{
    (void)state;
    double value = 0;
    assert_int_equal(zn_result_rows(NULL), 0);
    assert_int_equal(zn_result_series_count(NULL), 0);
    assert_null(zn_result_text(NULL, "title"));
    CHECK_STATUS(zn_result_read(NULL, 0, &value), ZN_ERR_ARGUMENT);
    CHECK_STATUS(zn_result_export_csv(NULL, "-"), ZN_ERR_ARGUMENT);
    assert_null(zn_result_close(NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_null), cmocka_unit_test(test_null_result)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
