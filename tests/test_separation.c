// How far convex shapes are apart, told by their farthest points alone, beside what is known otherwise: of hulls by
// trying all pairs of triangles, and all directions that can tell them apart; of all kinds in poses in which a point of
// each with opposite normals is known, which is the distance of convex shapes.
#include "model/contact/separation.h"
#include "polyhedra.h"
#include "pose_figure.h"

#define REAL       double
#define NAME(word) plain_##word
#define ROOT(x)    sqrt(x)
#include "mesh_brute.h"

typedef struct couple {
    const figure *a, *b;
} couple;

// Points that the shapes have, so that what is found cannot be an error of theirs.
static zn_vec3 lowest(const void *user, zn_vec3 n)
{
    const couple *c = user;
    quad3         m = quad_of(n);
    return quad_round(quad_sub(farthest(c->a, quad_scale(-1, m)), farthest(c->b, m)));
}

static zn_separation separate(const couple *c, double enough)
{
    zn_vec3 first = zn_vec3_sub(zn_rigid_point(&c->a->body, c->a->s.at), zn_rigid_point(&c->b->body, c->b->s.at));
    return zn_separate(lowest, c, first, 1e-12, enough);
}

static zn_polyhedron *solid_of(figure *f, zn_shape_kind kind, uint64_t *rng)
{
    double thick = part(rng);
    *f = figure_make(kind, 0.2 + part(rng), thick < 0.3 ? 0.2 : thick < 0.6 ? 0.5 : 2, rng);
    if (kind == ZN_SHAPE_CYLINDER && part(rng) < 0.2)
        f->s.length = 0;
    if (kind == ZN_SHAPE_BOX || kind == ZN_SHAPE_HULL)
        f->s.data = f->solid = figure_solid(kind == ZN_SHAPE_BOX, rng);
    f->body.rotation = zn_quat_matrix(rotation(rng));
    f->body.position = zn_vec3_scale(2.5 * part(rng), direction(rng));
    return f->solid;
}

// What it says is so, by quadruple precision: along its normal they are apart by that.
static void check_proof(const couple *c, const zn_separation *s)
{
    CHECK_NEAR(zn_vec3_norm(s->normal), 1, 1e-15);
    CHECK_NEAR((double)above(c->a, c->b, quad_of(s->normal)), s->gap, 4e-15);
}

// --- hulls, by all triangles ---------------------------------------------------------------------

static void triangle_of(const figure *f, const zn_polyhedron_face *face, int k, plain_vec out[3])
{
    const int at[3] = {0, k, k + 1};
    for (int i = 0; i < 3; i++)
        out[i] = plain_from(zn_rigid_point(&f->body, f->solid->vertex[f->solid->corner[face->first + at[i]]]));
}

static double distance_by_triangles(const figure *a, const figure *b)
{
    plain_near n = {.square = INFINITY};
    for (int i = 0; i < a->solid->faces; i++)
        for (int k = 1; k < a->solid->face[i].count - 1; k++)
            for (int j = 0; j < b->solid->faces; j++)
                for (int l = 1; l < b->solid->face[j].count - 1; l++) {
                    plain_vec s[3], t[3];
                    triangle_of(a, &a->solid->face[i], k, s);
                    triangle_of(b, &b->solid->face[j], l, t);
                    plain_triangles(&n, s, t);
                }
    return sqrt(n.square);
}

static void test_hulls(void **state)
{
    uint64_t rng = 7;
    int      far = 0;
    (void)state;
    for (int i = 0; i < 600; i++) {
        figure         a, b;
        couple         c = {&a, &b};
        zn_polyhedron *p = solid_of(&a, i % 3 ? ZN_SHAPE_HULL : ZN_SHAPE_BOX, &rng),
                      *q = solid_of(&b, ZN_SHAPE_HULL, &rng);
        zn_separation s = separate(&c, INFINITY);
        check_proof(&c, &s);
        if (s.gap > 0) {
            CHECK_NEAR(s.gap, distance_by_triangles(&a, &b), 1e-13);
            far++;
        } else {
            double least = apart(p, &a.body, q, &b.body);
            assert_true(least < 0 && s.gap <= least + 1e-14);
        }
        assert_int_equal(separate(&c, 0).gap >= 0, s.gap > 0);
        assert_true(s.asked < 30);
        zn_polyhedron_destroy(p);
        zn_polyhedron_destroy(q);
    }
    assert_in_range(far, 150, 550);
}

// --- any, where they are known to be apart ---------------------------------------------------------

// The shortest difference is known to the rounding of points, so that its direction is to that over its length; along
// another direction shapes of size 1 are less apart by as much. By how much they are also tells the direction.
static void check_known(const couple *c, double gap, zn_vec3 n)
{
    zn_separation s = separate(c, INFINITY), sign = separate(c, 0);
    double        known = 2e-14 + 4e-15 / gap;
    check_proof(c, &s);
    CHECK_NEAR(s.gap, gap, known);
    assert_true(zn_vec3_norm(zn_vec3_sub(s.normal, n)) <= sqrt(2 * known / gap));
    assert_true(sign.gap >= 0 && sign.asked <= 40);
}

static void test_known_distances(void **state)
{
    static const zn_shape_kind kinds[] = {ZN_SHAPE_SPHERE, ZN_SHAPE_BOX, ZN_SHAPE_CAPSULE, ZN_SHAPE_CYLINDER,
                                          ZN_SHAPE_HULL};
    uint64_t                   rng = 3;
    (void)state;
    for (int i = 0; i < 5000; i++) {
        figure         a, b;
        zn_polyhedron *p = solid_of(&a, kinds[i % 5], &rng), *q = solid_of(&b, kinds[i / 5 % 5], &rng);
        touch          of_a = touch_of(&a, &rng), of_b = touch_of(&b, &rng);
        double         about, gap = pow(10, 1 - 8 * part(&rng));
        zn_vec3        n = figure_place(&a, &of_a, &b, &of_b, gap, i, &rng, &about);
        check_known(&(couple){&a, &b}, gap, n);
        zn_polyhedron_destroy(p);
        zn_polyhedron_destroy(q);
    }
}

// One on another, by centres that are the same.
static void test_same_place(void **state)
{
    uint64_t rng = 5;
    (void)state;
    for (int i = 0; i < 200; i++) {
        figure a, b;
        (void)solid_of(&a, ZN_SHAPE_CAPSULE, &rng), (void)solid_of(&b, ZN_SHAPE_CYLINDER, &rng);
        a.body = b.body, a.s.at = b.s.at;
        couple        c = {&a, &b};
        zn_separation s = separate(&c, 0);
        assert_true(s.gap < 0 && s.asked <= 40);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hulls), cmocka_unit_test(test_known_distances),
                                       cmocka_unit_test(test_same_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
