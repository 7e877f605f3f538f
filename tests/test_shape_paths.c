// Shapes in space that slide off an edge, rock, and roll over an edge of another one: each pair of kinds, face on face
// and turned at random. All are convex, the mesh as well, a block of many triangles: over hollows heights may jump.
#include "pose_contacts.h"
#include "shape_paths.h"

static zn_polyhedron *box, *hull;
static zn_mesh_shape *mesh;
static sample         slab;

static double level(double x, double y) { return (void)x, (void)y, 0; }

static int make_shapes(void **state)
{
    static const zn_vec3 points[] = {{0.5, 0.1, -0.3}, {-0.4, 0.3, -0.3}, {-0.3, -0.4, -0.3}, {0.4, -0.3, -0.3},
                                     {0.2, 0.1, 0.3},  {-0.2, 0.2, 0.3},  {0.1, 0.5, 0.1},    {0, -0.27, 0.3}};
    const char          *why;
    (void)state;
    CHECK_OK(zn_polyhedron_box((zn_vec3){0, 0, 0}, zn_mat3_identity(), (zn_vec3){0.5, 0.4, 0.3}, &box));
    CHECK_OK(zn_polyhedron_hull((zn_vec3){0, 0, 0}, zn_mat3_identity(), 8, points, &hull, &why));
    slab = sample_slab(3, 3, 1, 0.9, 0.5, level);
    mesh = sample_mesh(&slab);
    return mesh == NULL;
}

static int drop_shapes(void **state)
{
    (void)state;
    zn_polyhedron_destroy(box);
    zn_polyhedron_destroy(hull);
    zn_mesh_shape_destroy(mesh);
    sample_clear(&slab);
    return 0;
}

typedef struct scene {
    figure  a, b;
    zn_mat3 turned; // of a, before it turns along the way
    zn_vec3 ahead;  // horizontal
} scene;

static figure make_figure(zn_shape_kind kind, double length)
{
    figure f = {.s = {.ops = zn_shape_ops_of(kind), .kind = kind, .name = "it", .radius = 0.3, .length = length}};
    f.s.axes = zn_mat3_identity();
    f.s.normal = (zn_vec3){0, 0, 1};
    f.body.rotation = zn_mat3_identity();
    f.solid = kind == ZN_SHAPE_BOX ? box : kind == ZN_SHAPE_HULL ? hull : NULL;
    f.mesh = kind == ZN_SHAPE_MESH ? mesh : NULL;
    f.s.data = f.solid ? (void *)f.solid : f.mesh;
    return f;
}

static double gap_of(void *user, const perch *at, double *rise)
{
    static contact c[MOST];
    scene         *s = user;
    tally          t = {.poses = 0};
    zn_vec3        across = zn_vec3_cross((zn_vec3){0, 0, 1}, s->ahead);
    double         least = INFINITY;
    s->a.body.rotation = zn_mat3_product(zn_quat_matrix(zn_so3_exp(zn_vec3_scale(at->angle, across))), s->turned);
    s->a.body.position = (zn_vec3){at->x * s->ahead.x, at->x * s->ahead.y, at->height};
    int count = find(&s->a, &s->b, (zn_vec3){0, 0, -1}, 0.04, 1e-3, c);
    place_contacts(&s->a, &s->b, count, c, &t);
    *rise = 1;
    for (int i = 0; i < count; i++) {
        least = fmin(least, c[i].at.gap);
        if (c[i].at.gap < 1e-9)
            *rise = fmin(*rise, c[i].at.normal.z);
    }
    return least;
}

static void try_shapes(zn_shape_kind a, zn_shape_kind b, double length, uint64_t *rng)
{
    static const double paths[3][2] = {{1, 0}, {0, 0.7}, {1, 2}}; // slides, rocks, rolls
    for (int path = 0; path < 3; path++)
        for (int flat = 0; flat < 2; flat++) {
            scene  s = {.a = make_figure(a, length), .b = make_figure(b, 0.6), .ahead = {1, 0, 0}};
            double angle = 6.3 * part(rng);
            s.turned = zn_mat3_identity();
            if (!flat) {
                s.turned = zn_quat_matrix(rotation(rng));
                s.b.body.rotation = zn_quat_matrix(zn_so3_exp(zn_vec3_scale(0.2 * part(rng), direction(rng))));
                s.ahead = (zn_vec3){cos(angle), sin(angle), 0};
            }
            bool   cap = a == ZN_SHAPE_CYLINDER || b == ZN_SHAPE_CYLINDER;
            double way = follow(gap_of, &s, paths[path][0], paths[path][1], cap && flat ? 0.0341 * s.a.s.radius : 0);
            if (!(way > 0.1))
                fail_msg("%s on %s, path %d, flat %d: came %g", words[a], words[b], path, flat, way);
        }
}

static void test_paths(void **state)
{
    uint64_t rng = 3;
    (void)state;
    for (zn_shape_kind a = 0; a < ZN_SHAPE_KINDS; a++)
        for (zn_shape_kind b = 0; b < ZN_SHAPE_KINDS; b++) {
            bool swapped;
            if (a == ZN_SHAPE_PLANE || !zn_meet_of(a, b, false, &swapped))
                continue;
            try_shapes(a, b, 0.6, &rng);
            if (a == ZN_SHAPE_CYLINDER)
                try_shapes(a, b, 0, &rng);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paths)};
    return cmocka_run_group_tests(tests, make_shapes, drop_shapes);
}
