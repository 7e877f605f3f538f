// Boxes that overlap against all pairs, tried one by one: of equal and of wildly different size, flat, long, without
// end, all in one place; who is not wanted is not listed; cost against number.
#include "check.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "model/contact/broad_boxes.h"

static double uniform(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static bool overlap(const zn_broad_box *a, const zn_broad_box *b)
{
    return !(a->low.x > b->high.x || b->low.x > a->high.x || a->low.y > b->high.y || b->low.y > a->high.y ||
             a->low.z > b->high.z || b->low.z > a->high.z) &&
           ((a->is & b->meets) != 0 || (b->is & a->meets) != 0);
}

// Every pair is found once, in order; returns their number.
static int check_all_pairs(int count, const zn_broad_box *box, zn_broad_wants *wants, const void *user)
{
    zn_broad_pairs list = {0};
    int            k = 0;
    void          *scratch = malloc(zn_broad_boxes_scratch(count));
    assert_non_null(scratch);
    CHECK_OK(zn_broad_boxes(count, box, wants, user, scratch, &list));
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            if (overlap(&box[i], &box[j]) && (!wants || wants(user, i, j))) {
                assert_true(k < list.count);
                assert_int_equal(zn_broad_first(list.pair[k]), i);
                assert_int_equal(zn_broad_second(list.pair[k++]), j);
            }
    assert_int_equal(k, list.count);
    zn_broad_pairs_clear(&list);
    free(scratch);
    return k;
}

// Around a random place in a cube, each side between `small` and `large` by itself, equally many in each decade.
static zn_broad_box random_box(uint64_t *seed, double size, double small, double large)
{
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        double middle = size * (uniform(seed) - 0.5), half = 0.5 * small * pow(large / small, uniform(seed));
        low[a] = middle - half;
        high[a] = middle + half;
    }
    return (zn_broad_box){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}, 1, 1};
}

static int check_random(uint64_t seed, int count, double size, double small, double large)
{
    zn_broad_box box[300];
    assert_true(count <= 300);
    for (int i = 0; i < count; i++)
        box[i] = random_box(&seed, size, small, large);
    return check_all_pairs(count, box, NULL, NULL);
}

static void test_random_boxes(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        assert_true(check_random(seed, 300, 5, 0.6, 0.6) > 100);   // grains
        assert_true(check_random(seed, 300, 5, 1e-3, 5) > 100);    // rods and plates of all kinds
        assert_true(check_random(seed, 300, 1, 1e-12, 1e3) > 100); // wildly different
        for (int count = 0; count <= 12; count++)                  // every shape of a small tree
            check_random(seed, count, 1, 0.1, 1);
    }
    assert_int_equal(check_random(3, 60, 0.1, 1, 1), 60 * 59 / 2); // all of them
}

// A lattice whose boxes touch exactly: faces, edges and corners count. 3 x 3 x 3 neighbours but for the border.
static void test_touching_lattice(void **state)
{
    (void)state;
    enum { SIDE = 6, COUNT = SIDE * SIDE * SIDE };
    zn_broad_box box[COUNT];
    for (int i = 0; i < COUNT; i++) {
        zn_vec3 low = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        box[i] = (zn_broad_box){low, {low.x + 1, low.y + 1, low.z + 1}, 1, 1};
    }
    int around = (3 * SIDE - 2) * (3 * SIDE - 2) * (3 * SIDE - 2);
    assert_int_equal(check_all_pairs(COUNT, box, NULL, NULL), (around - COUNT) / 2);
}

// Half-spaces and slabs without end, a point, boxes with the same centre, far away.
static void test_extremes(void **state)
{
    (void)state;
    const double without = INFINITY;
    zn_broad_box box[40] = {{{-without, -without, -without}, {without, without, 0}, 1, 1},
                            {{-without, -without, -without}, {without, without, without}, 1, 1},
                            {{-without, 1, -without}, {without, 2, without}, 1, 1},
                            {{3, 3, 3}, {3, 3, 3}, 1, 1},
                            {{1e300, 0, 0}, {1.5e308, 1, 1}, 1, 1},
                            {{-1.7e308, -1.7e308, -1}, {1.7e308, 1.7e308, 1}, 1, 1}};
    for (int i = 6; i < 40; i++)
        box[i] = (zn_broad_box){{-i, -i, 5 - 0.1 * i}, {i, i, 5 + 0.1 * i}, 1, 1};
    assert_true(check_all_pairs(40, box, NULL, NULL) > 34 * 33 / 2);
}

static bool not_of_one_body(const void *user, int i, int j)
{
    const int *body = user;
    return body[i] != body[j];
}

// Sides that meet only each other, ground that does not meet ground, and shapes of one body.
static void test_who_is_wanted(void **state)
{
    (void)state;
    static const struct {
        unsigned is, meets;
    } kinds[] = {{1, 2 | 8}, {2, 1 | 4}, {4, 2}, {8, 1}}; // between, against; the same on the ground
    uint64_t     seed = 5;
    zn_broad_box box[200];
    int          body[200], all = 0, some = 0;
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 200; i++) {
            int kind = (int)(4 * uniform(&seed));
            box[i] = random_box(&seed, 4, 0.1, 2);
            box[i].is = kinds[kind].is;
            box[i].meets = kinds[kind].meets;
            body[i] = (int)(20 * uniform(&seed));
        }
        all += check_all_pairs(200, box, NULL, NULL);
        some += check_all_pairs(200, box, not_of_one_body, body);
    }
    assert_true(some > 0 && some < all);
    for (int i = 0; i < 200; i++)
        box[i].is = 1, box[i].meets = 2; // a floor of many pieces and nothing else
    assert_int_equal(check_all_pairs(200, box, NULL, NULL), 0);
}

// --- cost ----------------------------------------------------------------------------------------

typedef enum scene { GRAINS, GRAINS_ON_PLATES, SHEETS, LOGS, ALL_SIZES, IN_ONE_PLACE } scene;

static zn_broad_box box_of(scene what, int i, int count, uint64_t *seed)
{
    double side = cbrt(count), large = 1e3 * side;
    switch (what) {
    case GRAINS_ON_PLATES:
        if (i % (count / 4) == 0) // four of them
            return (zn_broad_box){{-large, -large, -0.01}, {large, large, 0}, 1, 1};
        return random_box(seed, side, 0.5, 0.5);
    case SHEETS:
        return (zn_broad_box){{-large, -large, i}, {large, large, i + 0.9}, 1, 1};
    case LOGS:
        return (zn_broad_box){{-large, i % 100, i / 100}, {large, i % 100 + 0.9, i / 100 + 0.9}, 1, 1};
    case ALL_SIZES:
        return random_box(seed, side, 1e-6, 2);
    case IN_ONE_PLACE:
        return (zn_broad_box){{0, 0, 0}, {0, 0, 0}, 1, 2}; // that nobody wants
    default:
        return random_box(seed, side, 0.5, 0.5);
    }
}

// CPU time of one search [s], the least of some.
static double measure(scene what, int count)
{
    zn_broad_pairs list = {0};
    uint64_t       seed = 1;
    double         least = INFINITY;
    zn_broad_box  *box = calloc((size_t)count, sizeof *box);
    void          *scratch = malloc(zn_broad_boxes_scratch(count));
    assert_true(box && scratch);
    for (int i = 0; i < count; i++)
        box[i] = box_of(what, i, count, &seed);
    for (int k = 0; k < 3; k++) {
        clock_t start = clock();
        CHECK_OK(zn_broad_boxes(count, box, NULL, NULL, scratch, &list));
        least = fmin(least, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    zn_broad_pairs_clear(&list);
    free(scratch);
    free(box);
    return least;
}

// Sixteen times as many boxes cost a bit more than sixteen times as much; all pairs would cost 256 times as much.
static void test_growth(void **state)
{
    (void)state;
    for (scene what = GRAINS; what <= IN_ONE_PLACE; what++) {
        double few = measure(what, 1000), many = measure(what, 16000);
        if (!(many < 64 * few + 1e-3))
            fail_msg("scene %d: 1000 boxes take %g s, 16000 take %g s", what, few, many);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_boxes),  cmocka_unit_test(test_touching_lattice), cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_who_is_wanted), cmocka_unit_test(test_growth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
