// A search of boxes asks for memory only while its list is too short, and says when there is none.
#include "allocation_wrap.h"

#include <stdlib.h>

#include "model/contact/broad_boxes.h"

enum { COUNT = 100 };

typedef struct search {
    zn_broad_box   box[COUNT];
    void          *scratch;
    zn_broad_pairs list;
} search;

static void begin(search *s)
{
    s->list = (zn_broad_pairs){0};
    for (int i = 0; i < COUNT; i++)
        s->box[i] = (zn_broad_box){{i, 0, 0}, {i + 5, 1, 1}, 1, 1};
    s->scratch = malloc(zn_broad_boxes_scratch(COUNT));
    assert_non_null(s->scratch);
}

static zn_status run_once(void *user)
{
    search *s = user;
    zn_broad_pairs_clear(&s->list);
    return zn_broad_boxes(COUNT, s->box, NULL, NULL, s->scratch, &s->list);
}

static void test_memory_lasts(void **state)
{
    (void)state;
    search s;
    begin(&s);
    CHECK_OK(run_once(&s));
    assert_int_equal(s.list.count, 5 * COUNT - 15);
    allocations = 0;
    for (int k = 0; k < 10; k++) {
        for (int i = 0; i < COUNT; i++)
            s.box[i].high.x -= 0.05; // fewer pairs
        CHECK_OK(zn_broad_boxes(COUNT, s.box, NULL, NULL, s.scratch, &s.list));
    }
    assert_int_equal(allocations, 0);
    zn_broad_pairs_clear(&s.list);
    free(s.scratch);
}

static void test_no_memory(void **state)
{
    (void)state;
    search s;
    begin(&s);
    assert_true(fail_each_allocation(run_once, &s) > 2);
    zn_broad_pairs_clear(&s.list);
    free(s.scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_memory_lasts), cmocka_unit_test(test_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
