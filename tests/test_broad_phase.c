// The broad phase against all pairs, on random configurations of balls of equal and of very different size.
#include "check.h"

#include <stdlib.h>

#include "model/contact/broad_phase.h"
#include "zn/io.h"
#include "zn/sim.h"

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

// Sizes that overflow, vanish or are no numbers: nothing is written beyond what is there, no pair is missed.
static void test_wild_sizes(void **state)
{
    (void)state;
    static const double size[] = {0, 4e-324, 1e-320, 1e-308, 1e-3, 1, 1e200, 1e308, INFINITY, NAN};
    enum { SIZES = sizeof size / sizeof *size };
    uint64_t seed = 5;
    for (int i = 0; i < SIZES; i++)
        for (int j = 0; j < SIZES; j++) {
            zn_ball ball[20];
            for (int k = 0; k < 20; k++)
                ball[k] = (zn_ball){
                    {uniform(&seed), uniform(&seed), k == 7 && !(fmax(size[i], size[j]) > 1e150) ? -1e308 : 0},
                    k % 3 ? size[i] : size[j]};
            check_all_pairs(20, ball);
        }
    zn_ball same[2] = {{{0, 0, 0}, 0}, {{0, 0, 0}, 0}};
    assert_int_equal(check_all_pairs(2, same), 1);
}

// A fall without end within a step reaches everything; that is refused in a word.
static void test_endless_fall(void **state)
{
    (void)state;
    static const char *const far[] = {"gravity: [1e308, 0, -9.81]\n", "gravity: [0, 0, 1e300]\n",
                                      "gravity: [1e154, 1e154, 1e154]\n"};
    static const char *const shape[] = {"sphere: 0.1", "box: [0.1, 0.1, 0.1]"};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
            char        text[1024];
            zn_problem *problem = NULL;
            zn_system  *sys = NULL;
            zn_sim     *sim = NULL;
            snprintf(
                text, sizeof text,
                "zeno: 1\n%sbodies: {a: {mass: 1, inertia: 1, position: [0, 0, 1], %s}, b: {mass: 1, inertia: 1, %s}}\n"
                "shapes: {floor: {plane: [0, 0, 1]}}\ncontacts: {touch: {between: [a, b, floor]}}\n"
                "run: {scheme: moreau_jean, step: 1e-2, until: 0.1, max_subdivisions: 0}\n",
                far[i], shape[k], shape[k]);
            CHECK_OK(zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, (zn_log){0}, &problem));
            CHECK_OK(zn_system_create(problem->model, &sys));
            zn_sim_def def = problem->sim;
            zn_status  status = zn_sim_create(sys, &def, &sim);
            if (status == ZN_OK)
                status = zn_sim_run(sim);
            assert_int_not_equal(status, ZN_OK);
            zn_sim_destroy(sim);
            zn_system_destroy(sys);
            zn_problem_destroy(problem);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_balls),      cmocka_unit_test(test_different_balls),
        cmocka_unit_test(test_touching_lattice), cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_large_ball),       cmocka_unit_test(test_wild_sizes),
        cmocka_unit_test(test_endless_fall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
