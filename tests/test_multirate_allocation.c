// Memory of two parts: when it runs out while they are made or first stepped, every call says so and leaks nothing; and
// a step allocates nothing.
#include "allocation_wrap.h"
#include "multirate_models.h"

typedef struct pieces {
    zn_system *sys;
    zn_scheme *scheme;
    zn_state  *state;
    long       before_steps; ///< allocations
} pieces;

static int way; ///< links by a dense inverse, a sparse matrix, a diagonal

static zn_status run(const zn_model *model, pieces *p)
{
    zn_scheme_def def = parts("beam[5:8]", 4);
    def.coarse_explicit = way == 2;
    def.interface = way == 1 ? ZN_INTERFACE_SPARSE : ZN_INTERFACE_AUTO;
    zn_step_info info;
    ZN_TRY(zn_system_create(model, &p->sys));
    ZN_TRY(zn_scheme_create(&def, p->sys, &p->scheme));
    ZN_TRY(zn_state_create(p->sys, &p->state));
    ZN_TRY(zn_scheme_step(p->scheme, p->state, way == 2 ? 0.003 : 0.01, &info));
    p->before_steps = allocations;
    for (int i = 0; i < 300; i++) {
        ZN_TRY(zn_scheme_step(p->scheme, p->state, way == 2 ? 0.003 : 0.01, &info));
    }
    return ZN_OK;
}

static zn_status run_once(void *model)
{
    pieces    p = {0};
    zn_status status = run(model, &p);
    if (status == ZN_OK)
        assert_int_equal(allocations, p.before_steps);
    zn_state_destroy(p.state);
    zn_scheme_destroy(p.scheme);
    zn_system_destroy(p.sys);
    return status;
}

static void test_running_out(void **test)
{
    (void)test;
    zn_model *model = cantilever(8, 1e-3, ZN_MASS_LUMPED, NULL);
    for (way = 0; way < 3; way++)
        fail_each_allocation(run_once, model);
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_running_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
