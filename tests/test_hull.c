// Convex hulls against what they are: closed surfaces that bend outwards, with all points inside, of known volumes; and
// that points which are hardly a hull, near to planes through others, end the search.
#include "fixtures.h"

#include <math.h>
#include <time.h>

#include "model/contact/hull.h"

static double of_state(uint64_t *state) // uniform in [-1, 1]
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

static zn_vec3 on_sphere(int i, int count)
{
    double z = 1 - 2 * (i + 0.5) / count, r = sqrt(1 - z * z), angle = 2.399963 * i;
    return zn_vec3_make(r * cos(angle), r * sin(angle), z);
}

// Six times the volume, by tetrahedra to the origin.
static double volume_of(const zn_hull *h, const zn_vec3 *x)
{
    double sum = 0;
    for (int i = 0; i < h->count; i++) {
        const int *c = h->triangle[i];
        sum += zn_vec3_dot(x[c[0]], zn_vec3_cross(x[c[1]], x[c[2]]));
    }
    return sum / 6;
}

// Points are at most the tolerance outside of every triangle.
static void check_inside(const zn_hull *h, int points, const zn_vec3 *x)
{
    for (int i = 0; i < h->count; i++) {
        const int *c = h->triangle[i];
        zn_vec3    n = zn_vec3_cross(zn_vec3_sub(x[c[1]], x[c[0]]), zn_vec3_sub(x[c[2]], x[c[0]]));
        double     size = zn_vec3_norm(n);
        for (int p = 0; p < points; p++)
            assert_true(zn_vec3_dot(n, zn_vec3_sub(x[p], x[c[0]])) <= 1.01 * h->tolerance * size);
    }
}

// All points are corners: F = 2 V - 4. Their time is that of their number: 40 times as many would take 1600 times as
// long with the square, and take some 70 times as long.
static void test_sphere(void **state)
{
    (void)state;
    static zn_vec3 x[80000];
    double         seconds[2];
    for (int k = 0; k < 2; k++) {
        int         points = k == 0 ? 2000 : 80000;
        zn_hull     hull;
        const char *why;
        for (int i = 0; i < points; i++)
            x[i] = on_sphere(i, points);
        clock_t begin = clock();
        CHECK_OK(zn_hull_create(points, x, &hull, &why));
        seconds[k] = (double)(clock() - begin) / CLOCKS_PER_SEC;
        assert_int_equal(hull.count, 2 * points - 4);
        double missing = 4.18879020478639 - volume_of(&hull, x); // of the ball: falls with the square of the distances
        assert_true(missing > 0 && missing < 40.0 / points);
        if (k == 0)
            check_inside(&hull, points, x);
        free(hull.triangle);
    }
    assert_true(seconds[1] < 400 * (seconds[0] + 0.001));
}

// A cube of many points, of which eight are corners.
static void test_grid(void **state)
{
    (void)state;
    enum { SIDE = 20, ALL = SIDE * SIDE * SIDE };
    static zn_vec3 x[ALL];
    zn_hull        hull;
    const char    *why;
    for (int i = 0; i < ALL; i++)
        x[i] = zn_vec3_make(i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE);
    CHECK_OK(zn_hull_create(ALL, x, &hull, &why));
    assert_int_equal(hull.count, 12);
    assert_true(fabs(volume_of(&hull, x) - pow(SIDE - 1, 3)) < 1e-6);
    check_inside(&hull, ALL, x);
    free(hull.triangle);
}

// Rings of a prism and small grids, moved by about the tolerance: triangles grew in number without an end. A hull, or
// none, but soon.
static void test_near_planes(void **state)
{
    (void)state;
    enum { MOST = 400, TRIES = 600 };
    static zn_vec3 x[MOST];
    uint64_t       random = 1;
    int            hulls = 0;
    for (int k = 0; k < TRIES; k++) {
        int         points = 12 + k % (MOST - 12);
        double      jitter = pow(10, -9 + 2 * of_state(&random));
        zn_hull     hull;
        const char *why;
        for (int i = 0; i < points; i++) {
            double angle = floor(12 * (of_state(&random) + 1)) * 3.14159265358979 / 12;
            double level = floor(2.5 * (of_state(&random) + 1)), grid = k % 2;
            x[i] = zn_vec3_make(grid ? floor(4 * of_state(&random)) : cos(angle),
                                grid ? floor(4 * of_state(&random)) : sin(angle), level);
            x[i].x += jitter * of_state(&random);
            x[i].y += jitter * of_state(&random);
            x[i].z += jitter * of_state(&random);
        }
        if (zn_hull_create(points, x, &hull, &why) != ZN_OK)
            continue;
        hulls++;
        check_inside(&hull, points, x);
        free(hull.triangle);
    }
    assert_true(hulls > TRIES / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sphere), cmocka_unit_test(test_grid),
                                       cmocka_unit_test(test_near_planes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
