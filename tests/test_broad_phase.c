// The broad phase against all pairs, on random configurations of balls of equal and of very different size.
#include "check.h"

#include <stdlib.h>

#include "model/contact/broad_phase.h"

static double uniform(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static bool overlap(const zn_ball *a, const zn_ball *b)
{
    zn_vec3 d = zn_vec3_sub(a->centre, b->centre);
    return zn_vec3_dot(d, d) <= (a->radius + b->radius) * (a->radius + b->radius);
}

static void release(zn_contact_list *list)
{
    free(list->number);
    free(list->spare);
    free(list->piece);
    free(list->feature);
    free(list->scratch);
}

// Every pair is found once, sorted; returns their number.
static int check_all_pairs(int count, const zn_ball *ball)
{
    zn_contact_list list = {0};
    int             k = 0;
    CHECK_OK(zn_contact_list_scratch(&list, zn_broad_phase_scratch(count)));
    CHECK_OK(zn_broad_phase(count, ball, count, list.scratch, &list));
    zn_broad_phase_sort(count, count, list.scratch, &list);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (overlap(&ball[i], &ball[j])) {
                assert_true(k < list.count);
                assert_int_equal(list.number[k++], i * count + j);
            }
    assert_int_equal(k, list.count);
    release(&list);
    return k;
}

// Balls in a cube; radii between `small` and `large`, equally many in each decade.
static int check_random(uint64_t seed, int count, double size, double small, double large)
{
    zn_ball *ball = calloc((size_t)count, sizeof *ball);
    assert_non_null(ball);
    for (int i = 0; i < count; i++) {
        ball[i].centre =
            zn_vec3_make(size * (uniform(&seed) - 0.5), size * (uniform(&seed) - 0.5), size * (uniform(&seed) - 0.5));
        ball[i].radius = small * pow(large / small, uniform(&seed));
    }
    int found = check_all_pairs(count, ball);
    free(ball);
    return found;
}

static void test_equal_balls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++)
        assert_true(check_random(seed, 300, 5, 0.3, 0.3) > 100);
    assert_int_equal(check_random(1, 1, 1, 0.1, 0.1), 0);
    assert_true(check_random(3, 60, 0.1, 1, 1) == 60 * 59 / 2); // all of them
}

static void test_different_balls(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        assert_true(check_random(seed, 300, 5, 1e-3, 1) > 100);
        assert_true(check_random(seed, 300, 20, 1e-12, 5) > 10); // more levels than there are
    }
}

// A lattice whose balls touch exactly: each has up to six neighbours, whatever rounding does to the cells.
static void test_touching_lattice(void **state)
{
    (void)state;
    enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };
    const double origin[] = {0, 0.1, -1e3, 12345.678};
    for (int o = 0; o < 4; o++) {
        zn_ball ball[COUNT];
        for (int i = 0; i < COUNT; i++)
            ball[i] = (zn_ball){{origin[o] + i % SIDE, origin[o] + i / SIDE % SIDE, origin[o] + i / SIDE / SIDE},
                                0.5 + 1e-12 * (1 + fabs(origin[o]))};
        assert_int_equal(check_all_pairs(COUNT, ball), 3 * SIDE * SIDE * (SIDE - 1));
    }
}

static void test_far_away(void **state)
{
    (void)state;
    const double far[] = {1e9, 1e15, 1e100, 1e300};
    for (int k = 0; k < 4; k++) {
        zn_ball ball[6] = {{{0, 0, 0}, 1},
                           {{1, 1, 0}, 1},
                           {{far[k], 0, 0}, 1},
                           {{far[k], 0.5, 0}, 1},
                           {{-far[k], 0, far[k]}, 1},
                           {{far[k], far[k], far[k]}, 1}};
        assert_int_equal(check_all_pairs(6, ball), 2);
    }
}

// One that all others touch, the first or the last of them.
static void test_large_ball(void **state)
{
    (void)state;
    enum { COUNT = 1000 };
    zn_ball  ball[COUNT];
    uint64_t seed = 4;
    for (int large = 0; large < COUNT; large += COUNT - 1) {
        for (int i = 0; i < COUNT; i++)
            ball[i] = (zn_ball){{uniform(&seed), uniform(&seed), uniform(&seed)}, i == large ? 2 : 1e-3};
        assert_true(check_all_pairs(COUNT, ball) >= COUNT - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_balls),      cmocka_unit_test(test_different_balls),
        cmocka_unit_test(test_touching_lattice), cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_large_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
