// When memory runs out while data and triangles of CAD parts are read, it is told and nothing leaks.
#include "allocation_wrap.h"

#include "io/stl.h"
#include "zn/cad.h"
#include "zn/io.h"

static zn_status read_data(void *user)
{
    zn_cad   *cad = NULL;
    zn_status status = zn_cad_read(user, (zn_log){0}, &cad);
    zn_cad_destroy(cad);
    return status;
}

static zn_status read_model(void *user)
{
    static const char text[] = "zeno: 1\nrun: {step: 1 ms, until: 1 ms}\nbodies:\n"
                               "  part: {cad: block.step, solid: block, density: 7800}\n";
    zn_problem       *problem = NULL;
    zn_status         status = zn_problem_parse(text, sizeof text - 1, user, 0, NULL, (zn_log){0}, &problem);
    zn_problem_destroy(problem);
    return status;
}

static zn_status read_ascii(void *user)
{
    static const char facet[] =
        "facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 endloop endfacet ";
    static char text[9000];
    char        message[400];
    zn_stl      stl;
    (void)user;
    strcpy(text, "solid\n");
    while (strlen(text) + sizeof facet + 20 < sizeof text)
        strcat(text, facet);
    strcat(text, "endsolid");
    zn_status status = zn_stl_parse(text, strlen(text), "a.stl", &stl, message, sizeof message);
    zn_stl_clear(&stl);
    return status;
}

static void test_reading(void **state)
{
    (void)state;
    assert_true(fail_each_allocation(read_data, (void *)(ZN_SOURCE_DIR "/docs/cad/block.step")) > 5);
    assert_true(fail_each_allocation(read_model, (void *)(ZN_SOURCE_DIR "/docs/cad/model.yaml")) > 10);
    assert_true(fail_each_allocation(read_ascii, NULL) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reading)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
