// Contours in the plane whose contact is known in closed form, and random ones that are described in other ways. An
// argument is the number of random poses. Against distances: test_poses_planar.c.
#include <stdlib.h>

#include "check.h"
#include "contour_poses.h"

static int poses = 60;

// --- the same contacts from other descriptions ---------------------------------------------------------

static int by_gap(const void *a, const void *b)
{
    double x = ((const listed *)a)->at.gap, y = ((const listed *)b)->at.gap;
    return (x > y) - (x < y);
}

// Another start of the list of sides; all of it mirrored.
static part described_again(const part *p, int shift, bool mirror)
{
    part out = {0};
    int  n = p->profile.count;
    for (int i = 0; i < n; i++) {
        zn_contour_side s = p->profile.side[(i + shift) % n];
        assert_int_equal(
            zn_profile_add(&out.profile, mirror ? -s.start.x : s.start.x, s.start.y, mirror ? -s.bulge : s.bulge),
            ZN_OK);
    }
    if (mirror)
        zn_profile_turn(&out.profile);
    finish(&out);
    return out;
}

static void check_same(approach *p, double t, bool mirror)
{
    static answer first, second;
    zn_near       near = near_at(p, t - 1e-7, 1e-3);
    ask(&p->a.shape, &p->b.shape, &near, &first);
    approach other = *p;
    other.a = described_again(&p->a, 1, mirror);
    other.b = described_again(&p->b, 2, mirror);
    other.a.shape.data = &other.a.contour;
    other.b.shape.data = &other.b.contour;
    if (mirror) {
        other.angle[0] = -p->angle[0];
        other.angle[1] = -p->angle[1];
        other.from.x = -p->from.x;
        other.along.x = -p->along.x;
    }
    near = near_at(&other, t - 1e-7, 1e-3);
    ask(&other.a.shape, &other.b.shape, &near, &second);
    assert_int_equal(first.count, second.count);
    qsort(first.item, (size_t)first.count, sizeof *first.item, by_gap);
    qsort(second.item, (size_t)second.count, sizeof *second.item, by_gap);
    for (int i = 0; i < first.count; i++) {
        CHECK_NEAR(second.item[i].at.gap, first.item[i].at.gap, 1e-13);
        CHECK_NEAR(second.item[i].at.normal.x, (mirror ? -1 : 1) * first.item[i].at.normal.x, 1e-12);
    }
    drop(&other.a);
    drop(&other.b);
}

static void test_other_descriptions(void **state)
{
    (void)state;
    uint64_t seed = 19;
    for (int done = 0; done < poses / 3;) {
        approach p;
        if (!draw_approach(&seed, ZN_SHAPE_CONTOUR, ZN_SHAPE_CONTOUR, &p))
            continue;
        double t = touching(&p);
        if (isfinite(t)) {
            check_same(&p, t, false);
            check_same(&p, t, true);
            done++;
        }
        drop(&p.a);
        drop(&p.b);
    }
}

// --- contacts in closed form ---------------------------------------------------------------------------

static part polygon(int count, const double (*x)[2])
{
    part p = {0};
    for (int i = 0; i < count; i++)
        assert_int_equal(zn_profile_add(&p.profile, x[i][0], x[i][1], 0), ZN_OK);
    finish(&p);
    return p;
}

static const zn_shape_kind box = ZN_SHAPE_BOX, disc = ZN_SHAPE_SPHERE, plane = ZN_SHAPE_PLANE,
                           capsule = ZN_SHAPE_CAPSULE;

static void ask_at(const zn_pair_shape *a, double angle, double x, double y, const zn_pair_shape *b, double slack,
                   answer *out)
{
    zn_near near = {
        .A = placed(angle, (zn_vec3){x, y, 0}), .B = placed(0, (zn_vec3){0, 0, 0}), .slack = slack, .planar = true};
    ask(a, b, &near, out);
}

// How many contacts have this gap; all others are farther.
static int count_near(const answer *a, double gap, double within)
{
    int count = 0;
    for (int i = 0; i < a->count; i++)
        count += fabs(a->item[i].at.gap - gap) <= within;
    return count;
}

// A rectangle with round corners turns above a plane: its lowest point is by its support function.
static void test_rounded_rectangle_rolls(void **state)
{
    (void)state;
    const double  a = 0.7, b = 0.4, r = 0.15, corner[4][2] = {{-a, -b}, {a, -b}, {a, b}, {-a, b}};
    char          message[ZN_PROFILE_MESSAGE];
    static answer list;
    part          p = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(zn_profile_add(&p.profile, corner[i][0], corner[i][1], 0), ZN_OK);
    assert_int_equal(zn_profile_round(&p.profile, r, message), ZN_OK);
    finish(&p);
    zn_pair_shape floor = simple(plane, 0, 0);
    for (int i = 0; i < 1440; i++) {
        double t = pi * i / 720, low = (a - r) * fabs(sin(t)) + (b - r) * fabs(cos(t)) + r;
        for (int k = -1; k < 2; k++) { // inside, touching, above
            ask_at(&p.shape, t, 3, low + 1e-4 * k, &floor, 1e-3, &list);
            assert_non_null(least(&list));
            CHECK_NEAR(least(&list)->at.gap, 1e-4 * k, 5e-16);
            CHECK_NEAR(fabs(least(&list)->at.normal.y), 1, 1e-15);
            assert_true(list.count <= 2 && count_near(&list, 1e-4 * k, 1e-12) == (i % 360 == 0 ? 2 : 1));
        }
    }
    drop(&p);
}

static void test_flush_rectangles(void **state)
{
    (void)state;
    static answer list;
    zn_pair_shape A = simple(box, 0.5, 0.2), B = simple(box, 0.8, 0.3);
    const double  at[] = {0, 0.1, 0.3, 0.3 + 1e-12, 0.3 - 1e-12, 0.9, -0.3, -1.1}; // of the middle; 0.3: ends in line
    for (size_t i = 0; i < sizeof at / sizeof *at; i++)
        for (int k = -1; k < 2; k++) {
            ask_at(&A, 0, at[i], 0.5 + 1e-6 * k, &B, 1e-3, &list);
            assert_int_equal(list.count, 2);
            double low = fmax(at[i] - 0.5, -0.8), high = fmin(at[i] + 0.5, 0.8);
            double x[2] = {list.item[0].at.point.x, list.item[1].at.point.x};
            CHECK_NEAR(fmin(x[0], x[1]), low, 1e-9);
            CHECK_NEAR(fmax(x[0], x[1]), high, 1e-9);
            for (int c = 0; c < 2; c++) {
                CHECK_NEAR(list.item[c].at.gap, 1e-6 * k, 1e-15);
                CHECK_NEAR(list.item[c].at.normal.y, 1, 0);
            }
        }
    A = simple(box, 0.8, 0.2); // the same width: corner on corner
    for (int k = -3; k < 4; k++) {
        ask_at(&A, 0, 1e-10 * k, 0.5, &B, 1e-3, &list);
        assert_int_equal(list.count, 2);
    }
    for (int k = -100; k <= 100; k++) { // rocking on its corners: both stay in the set
        double t = 1e-5 * k;
        ask_at(&A, t, 0, 0.3 + 0.2 * cos(t) + 0.8 * fabs(sin(t)), &B, 1e-2, &list);
        assert_true(list.count >= 2 && list.count <= 4);
        CHECK_NEAR(least(&list)->at.gap, 0, 2e-9);
    }
}

// Off the edge of a table: what is beside it falls, what is on it stays; and nothing holds it beyond.
static void test_table_edge(void **state)
{
    (void)state;
    static answer list;
    zn_pair_shape A = simple(box, 0.1, 0.1), B = simple(box, 1, 0.5);
    for (int k = -20; k <= 20; k++) {
        double  beside = 1.1 + 1e-6 * k; // of the middle
        zn_near near = {.A = placed(0, (zn_vec3){beside, 0.65, 0}),
                        .B = placed(0, (zn_vec3){0, 0, 0}),
                        .a.origin = {0, -1, 0},
                        .horizon = 0.1,
                        .planar = true};
        ask(&A, &B, &near, &list);
        int holding = 0;
        for (int i = 0; i < list.count; i++)
            holding += list.item[i].at.normal.y > 0.5;
        if (k != 0)
            assert_int_equal(holding, k < 0 ? 2 : 0);
    }
}

static void test_corners_and_hollows(void **state)
{
    (void)state;
    static answer list;
    // a diamond on a diamond, tip on tip: one pair
    zn_pair_shape A = simple(box, 0.3, 0.3), B = simple(box, 0.3, 0.3);
    double        half = 0.3 * sqrt(2);
    B.axes = (zn_mat3){{{cos(pi / 4), -sin(pi / 4), 0}, {sin(pi / 4), cos(pi / 4), 0}, {0, 0, 1}}};
    for (int k = -1; k < 2; k++) {
        ask_at(&A, pi / 4, 0, 2 * half + 1e-9 * k, &B, 1e-3, &list);
        assert_int_equal(list.count, 1);
    }
    // a ball on a corner: one
    zn_pair_shape ball = simple(disc, 0.1, 0), block = simple(box, 1, 1);
    ask_at(&ball, 0, 1.08, 1.06, &block, 1e-2, &list);
    assert_int_equal(list.count, 1);
    CHECK_NEAR(list.item[0].at.gap, 0, 1e-15);
    CHECK_NEAR(list.item[0].at.normal.x, 0.8, 1e-14);
    for (int k = -50; k <= 50; k++) { // around it, from one side over the corner to the other
        double t = pi / 4 + 0.02 * k, x = t < 0 ? 1 + t : 1 + 0.1 * sin(t), y = t < 0 ? 1.1 : 1 + 0.1 * cos(t);
        ask_at(&ball, 0, x, t > pi / 2 ? 1 - (t - pi / 2) : y, &block, 1e-2, &list);
        assert_int_equal(list.count, 1);
        if (t <= pi / 2)
            CHECK_NEAR(list.item[0].at.gap, 0, 1e-15);
    }
    // a ball and a square in a right-angled groove: two walls; the square also has corners along them
    const double groove[6][2] = {{-1, -1}, {1, -1}, {1, 0}, {0, 0}, {0, 1}, {-1, 1}};
    part         g = polygon(6, groove);
    g.shape.data = &g.contour;
    zn_pair_shape small = simple(box, 0.1, 0.1);
    for (int k = -1; k < 2; k++) {
        ask_at(&ball, 0, 0.1 + 1e-5 * k, 0.1 + 1e-5 * k, &g.shape, 1e-3, &list);
        assert_int_equal(count_near(&list, 1e-5 * k, 1e-15), 2);
        ask_at(&small, 0, 0.1 + 1e-5 * k, 0.1 + 1e-5 * k, &g.shape, 1e-3, &list);
        assert_int_equal(list.count, 4);
        assert_int_equal(count_near(&list, 1e-5 * k, 1e-15), 4);
    }
    drop(&g);
}

// In a hollow arc of radius 1: a smaller disc, corners, and an arc of the same radius.
static void test_hollow_arc(void **state)
{
    (void)state;
    static answer list;
    part          cup = {0}, lid = {0};
    // a block from y = -2 to 0 with half a circle out of its top
    const double  x[6][3] = {{-2, -2, 0}, {2, -2, 0}, {2, 0, 0}, {1, 0, -1}, {-1, 0, 0}, {-2, 0, 0}};
    for (int i = 0; i < 6; i++)
        assert_int_equal(zn_profile_add(&cup.profile, x[i][0], x[i][1], x[i][2]), ZN_OK);
    finish(&cup);
    zn_pair_shape ball = simple(disc, 0.4, 0), slab = simple(box, 0.6, 0.1);
    for (int i = -8; i <= 8; i++) {
        double t = 0.17 * i, r = 0.6 - 1e-3;
        ask_at(&ball, 0, r * sin(t), -r * cos(t), &cup.shape, 1e-2, &list);
        assert_int_equal(list.count, 1);
        CHECK_NEAR(list.item[0].at.gap, 1e-3, 4e-16);
        CHECK_NEAR(list.item[0].at.normal.y, cos(t), 1e-15);
    }
    ask_at(&slab, 0.3, -0.7 * sin(0.3) * -1, -0.7 * cos(0.3), &cup.shape, 1e-3, &list); // its corners are on the circle
    assert_int_equal(list.count, 2);
    CHECK_NEAR(list.item[0].at.gap, 0, 4e-16);
    CHECK_NEAR(list.item[1].at.gap, 0, 4e-16);
    // the lower part of a disc of the same radius: the ends of its arc
    const double y[2][3] = {{-0.6, -0.8, 0.5}, {0.6, -0.8, 0}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(zn_profile_add(&lid.profile, y[i][0], y[i][1], i == 0 ? tan(asin(0.6) / 2) : 0), ZN_OK);
    finish(&lid);
    ask_at(&lid.shape, 0, 0, 0, &cup.shape, 1e-3, &list);
    assert_int_equal(count_near(&list, 0, 1e-15), 2);
    drop(&cup);
    drop(&lid);
}

// A block with round edges on one with sharp edges of the same width: the ends of its flat bottom, nothing beside them.
static void test_round_on_sharp(void **state)
{
    (void)state;
    static answer list;
    const double  corner[4][2] = {{-0.1, -0.05}, {0.1, -0.05}, {0.1, 0.05}, {-0.1, 0.05}};
    char          message[ZN_PROFILE_MESSAGE];
    zn_pair_shape block = simple(box, 0.1, 0.05);
    part          p = {0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(zn_profile_add(&p.profile, corner[i][0], corner[i][1], 0), ZN_OK);
    assert_int_equal(zn_profile_round(&p.profile, 0.01, message), ZN_OK);
    finish(&p);
    for (int k = -2; k <= 2; k++) {
        ask_at(&p.shape, 0, 0.01 * k, 0.1, &block, 1e-3, &list);
        assert_int_equal(list.count, 2);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(list.item[i].at.gap, 0, 1e-15);
            CHECK_NEAR(list.item[i].at.normal.y, 1, 1e-15);
        }
    }
    drop(&p);
}

static void test_capsules(void **state)
{
    (void)state;
    static answer list;
    zn_pair_shape A = simple(capsule, 1, 0.2), B = simple(capsule, 1, 0.3), floor = simple(plane, 0, 0);
    ask_at(&A, 0, 0.3, 0.2, &floor, 1e-3, &list);
    assert_int_equal(list.count, 2);
    const double at[] = {0, 0.25, -0.4, 1};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) { // aligned: ends of the overlap, one where only tips meet
        ask_at(&A, 0, at[i], 0.5, &B, 1e-3, &list);
        assert_int_equal(list.count, at[i] == 1 ? 1 : 2);
        for (int k = 0; k < list.count; k++)
            CHECK_NEAR(list.item[k].at.gap, 0, 1e-15);
    }
    ask_at(&A, pi / 2, 0.1, 0.3 + 0.5 + 0.2, &B, 1e-3, &list); // a tip on a side
    assert_int_equal(list.count, 1);
    CHECK_NEAR(list.item[0].at.gap, 0, 2e-16);
}

// A wall holds what comes from its right; from behind nothing is held that is deeper than it can have come.
static void test_open_wall(void **state)
{
    (void)state;
    static answer list;
    part          wall = {0};
    assert_int_equal(zn_profile_add(&wall.profile, 1, 0, 0), ZN_OK);
    assert_int_equal(zn_profile_add(&wall.profile, -1, 0, 0), ZN_OK);
    wall.profile.open = true;
    finish(&wall);
    zn_pair_shape ball = simple(disc, 0.1, 0);
    ask_at(&ball, 0, 0.2, 0.1, &wall.shape, 1e-3, &list);
    assert_int_equal(list.count, 1);
    CHECK_NEAR(list.item[0].at.normal.y, 1, 0);
    ask_at(&ball, 0, 1.08, 0.06, &wall.shape, 1e-3, &list); // at its end
    assert_int_equal(list.count, 1);
    CHECK_NEAR(list.item[0].at.gap, 0, 1e-15);
    ask_at(&ball, 0, 0.2, -0.3, &wall.shape, 1e-3, &list);
    assert_int_equal(list.count, 0);
    drop(&wall);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        poses = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_other_descriptions),  cmocka_unit_test(test_rounded_rectangle_rolls),
        cmocka_unit_test(test_flush_rectangles),    cmocka_unit_test(test_table_edge),
        cmocka_unit_test(test_corners_and_hollows), cmocka_unit_test(test_hollow_arc),
        cmocka_unit_test(test_round_on_sharp),      cmocka_unit_test(test_capsules),
        cmocka_unit_test(test_open_wall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
