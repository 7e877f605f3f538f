// Shapes in the plane that slide off an edge, rock, and roll over an edge of another one: each pair of kinds, side on
// side and turned at random.
#include "contour_poses.h"
#include "shape_paths.h"

static const zn_contour_side rounded[] = {
    {{-0.4, -0.3, 0}, 0}, {{0.4, -0.3, 0}, 0.4}, {{0.5, 0.2, 0}, 0}, {{0.1, 0.4, 0}, 0.2}, {{-0.4, 0.1, 0}, 0}};

typedef struct scene {
    part   a, b;
    double tilt[2];
} scene;

static void make_part(zn_shape_kind kind, part *p)
{
    *p = (part){.shape = simple(kind, 0.4, 0.25)};
    if (kind != ZN_SHAPE_CONTOUR)
        return;
    for (size_t i = 0; i < sizeof rounded / sizeof *rounded; i++)
        add_side(p, rounded[i].start.x, rounded[i].start.y, rounded[i].bulge);
    finish(p);
}

static double gap_of(void *user, const perch *at, double *rise)
{
    static answer found;
    scene        *s = user;
    zn_near       near = {.A = placed(s->tilt[0] + at->angle, (zn_vec3){at->x, at->height, 0}),
                          .B = placed(s->tilt[1], (zn_vec3){0, 0, 0}),
                          .a.origin = {0, -1, 0},
                          .horizon = 0.04,
                          .slack = 1e-3,
                          .planar = true};
    double        least_gap = INFINITY;
    ask(&s->a.shape, &s->b.shape, &near, &found);
    *rise = 1;
    for (int i = 0; i < found.count; i++) {
        least_gap = fmin(least_gap, found.item[i].at.gap);
        if (found.item[i].at.gap < 1e-9)
            *rise = fmin(*rise, found.item[i].at.normal.y);
    }
    return least_gap;
}

static void test_paths(void **state)
{
    static const zn_shape_kind kinds[] = {ZN_SHAPE_SPHERE, ZN_SHAPE_BOX, ZN_SHAPE_CAPSULE, ZN_SHAPE_CONTOUR,
                                          ZN_SHAPE_PLANE};
    static const double        paths[3][2] = {{1, 0}, {0, 0.7}, {1, 2}}; // slides, rocks, rolls
    uint64_t                   seed = 3;
    (void)state;
    for (int k = 0; k < 4 * 5 * 3 * 3; k++) {
        static scene  s;
        zn_shape_kind a = kinds[k % 4], b = kinds[k / 4 % 5];
        const double *path = paths[k / 20 % 3];
        bool          swapped;
        if (!zn_meet_of(a, b, true, &swapped))
            continue;
        make_part(a, &s.a), make_part(b, &s.b);
        s.tilt[0] = k < 60 ? 0 : pi * draw(&seed);
        s.tilt[1] = k < 60 ? 0 : 0.2 * draw(&seed);
        double way = follow(gap_of, &s, path[0], path[1], 0);
        if (!(way > 0.1))
            fail_msg("kinds %d on %d, path %d: came %g", a, b, k / 20 % 3, way);
        drop(&s.a), drop(&s.b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
