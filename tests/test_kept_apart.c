// A cuboid lies with its lowest corner on the top of another one, is inside of it or 10 nm above it at most, near
// the end of that, leans, and slides and turns on: as boxes, as meshes, and one of each. Judged by brute force, along
// the 15 directions along which two cuboids can be apart: what is in the way where the horizon ends has been foreseen,
// and what slides off straight on meets nothing. With a number as argument so many of each.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "check.h"
#include "mesh_samples.h"
#include "model/contact/meet.h"
#include "model/contact/near_pair.h"
#include "model/contact/polyhedron.h"

static int poses = 400;

typedef struct cuboid {
    zn_vec3        half;
    zn_polyhedron *box;
    zn_mesh_shape *mesh;
    zn_rigid       body;
} cuboid;

static double between(uint64_t *rng, double low, double high) { return low + (high - low) * sample_random(rng); }

static double any_size(uint64_t *rng, double low, double high) { return low * pow(high / low, sample_random(rng)); }

static cuboid make_cuboid(zn_vec3 half)
{
    const zn_mat3 same = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    cuboid        c = {.half = half, .body.rotation = same};
    sample        s = sample_slab(2, 3, 2 * half.x, 2 * half.y, 2 * half.z, NULL);
    for (int i = 0; i < s.points; i++)
        s.point[i].z += half.z;
    c.mesh = sample_mesh(&s);
    sample_clear(&s);
    CHECK_OK(zn_polyhedron_box((zn_vec3){0, 0, 0}, same, half, &c.box));
    assert_non_null(c.mesh);
    return c;
}

static void drop_cuboid(cuboid *c)
{
    zn_polyhedron_destroy(c->box);
    zn_mesh_shape_destroy(c->mesh);
}

static zn_vec3 corner_of(const cuboid *c, int i)
{
    zn_vec3 own = {i & 1 ? c->half.x : -c->half.x, i & 2 ? c->half.y : -c->half.y, i & 4 ? c->half.z : -c->half.z};
    return zn_rigid_point(&c->body, own);
}

static zn_vec3 axis_of(const cuboid *c, int i)
{
    return (zn_vec3){c->body.rotation.m[0][i], c->body.rotation.m[1][i], c->body.rotation.m[2][i]};
}

// --- brute force ---------------------------------------------------------------------------------

static double apart_along(const cuboid *a, const cuboid *b, zn_vec3 n)
{
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 8; i++) {
        low = fmin(low, zn_vec3_dot(n, corner_of(a, i)));
        high = fmax(high, zn_vec3_dot(n, corner_of(b, i)));
    }
    return low - high;
}

static double apart(const cuboid *a, const cuboid *b)
{
    double most = -INFINITY;
    for (int i = 0; i < 15; i++) {
        zn_vec3 n = i < 3   ? axis_of(a, i)
                    : i < 6 ? axis_of(b, i - 3)
                            : zn_vec3_cross(axis_of(a, (i - 6) / 3), axis_of(b, (i - 6) % 3));
        double  length = zn_vec3_norm(n);
        if (length > 1e-9)
            most = fmax(most, fmax(apart_along(a, b, n), apart_along(a, b, zn_vec3_scale(-1, n))) / length);
    }
    return most;
}

// --- one pose ------------------------------------------------------------------------------------

typedef struct pose {
    cuboid  a, b; // b slides on a
    zn_near at;
    double  deep, room; // of b in a, negative: they are apart; what turning takes off the straight way
} pose;

static pose make_pose(uint64_t *rng, bool turns)
{
    pose    p = {.a = make_cuboid((zn_vec3){between(rng, 0.1, 0.3), between(rng, 0.1, 0.5), between(rng, 0.05, 0.2)}),
                 .b = make_cuboid((zn_vec3){between(rng, 0.1, 0.3), between(rng, 0.1, 0.5), between(rng, 0.05, 0.2)})};
    double  speed = between(rng, 0.2, 3), h = any_size(rng, 1e-4, 2e-2), lean = any_size(rng, 1e-3, turns ? 0.1 : 1.2);
    zn_vec3 y = {0, -1, 0}, x = {sample_random(rng) < 0.5 ? 0 : any_size(rng, 1e-3, 0.2), 0, 0},
            z = {0, 0, sample_random(rng) < 0.5 ? 0 : between(rng, -0.5, 0.5)};
    p.b.body.rotation = zn_mat3_product(
        zn_quat_matrix(zn_so3_exp(z)),
        zn_mat3_product(zn_quat_matrix(zn_so3_exp(x)), zn_quat_matrix(zn_so3_exp(zn_vec3_scale(lean, y)))));
    int lowest = 0;
    for (int i = 1; i < 8; i++)
        if (corner_of(&p.b, i).z < corner_of(&p.b, lowest).z)
            lowest = i;
    double kind = sample_random(rng);
    p.deep = kind < 0.4 ? 0 : kind < 0.6 ? -any_size(rng, 1e-13, 1e-8) : any_size(rng, 1e-7, 1e-1 * lean * p.a.half.x);
    p.deep = fmin(p.deep, 0.02 * p.a.half.z);
    zn_vec3 place = {p.a.half.x - speed * h * between(rng, -0.1, 1.5), between(rng, -0.9, 0.9) * p.a.half.y,
                     p.a.half.z - p.deep};
    zn_vec3 arm = corner_of(&p.b, lowest), slide = {speed, between(rng, -0.2, 0.2) * speed, 0};
    p.b.body.position = zn_vec3_sub(place, arm);
    p.at = (zn_near){.horizon = h, .slack = 1e-2 * p.a.half.z, .A = p.a.body, .B = p.b.body};
    if (turns)
        p.at.b.spin = (zn_vec3){between(rng, -1, 1), between(rng, -3, 3), between(rng, -1, 1)};
    p.at.b.origin = zn_vec3_sub(slide, zn_vec3_cross(p.at.b.spin, place)); // the corner slides
    p.room = 1e-9 + pow(h * zn_vec3_norm(p.at.b.spin), 2) * (zn_vec3_norm(p.b.half) + zn_vec3_norm(p.a.half));
    return p;
}

static zn_pair_shape shape_of(const cuboid *c, bool mesh)
{
    return mesh ? (zn_pair_shape){.ops = &zn_mesh_ops, .kind = ZN_SHAPE_MESH, .data = c->mesh}
                : (zn_pair_shape){.ops = &zn_box_ops, .kind = ZN_SHAPE_BOX, .data = c->box};
}

static zn_feature_list found, all;

static double gap_of(const zn_feature f, const zn_feature g, const zn_rigid *A, const zn_rigid *B)
{
    zn_feature       there = zn_feature_at(A, &f), other = zn_feature_at(B, &g);
    zn_feature_place at;
    return zn_feature_meet(&there, &other, &at) ? at.gap : INFINITY;
}

// The deepest of these pairs where the horizon ends; `closing`: of those that are deeper then than now.
static double deepest(const zn_feature_list *list, const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *near,
                      bool closing)
{
    double   least = INFINITY;
    zn_rigid A = zn_near_moved(&near->A, &near->a, near->horizon), B = zn_near_moved(&near->B, &near->b, near->horizon);
    for (int i = 0; i < list->count; i++) {
        zn_feature f, g;
        assert_true(a->ops->feature(a, zn_feature_first(list->pair[i]), false, &f));
        assert_true(b->ops->feature(b, zn_feature_second(list->pair[i]), false, &g));
        double then = gap_of(f, g, &A, &B);
        if (!closing || then < gap_of(f, g, &near->A, &near->B))
            least = fmin(least, then);
    }
    return least;
}

typedef struct count {
    long poses, inside, missed, searched, lost, pushed;
} count;

static void judge(pose *p, bool mesh_a, bool mesh_b, bool turns, count *c)
{
    bool          swapped = mesh_b && !mesh_a, never;
    cuboid       *low = swapped ? &p->b : &p->a, *high = swapped ? &p->a : &p->b;
    zn_pair_shape a = shape_of(low, swapped ? mesh_b : mesh_a), b = shape_of(high, swapped ? mesh_a : mesh_b);
    zn_near       at = p->at;
    if (swapped)
        at.A = p->at.B, at.B = p->at.A, at.a = p->at.b, at.b = p->at.a;
    found.count = all.count = 0;
    CHECK_OK(zn_meet_of(a.kind, b.kind, false, &never)(&a, &b, &at, &all));
    CHECK_OK(zn_meet_shapes(&a, &b, &at, &found));
    cuboid a_then = *low, b_then = *high;
    a_then.body = zn_near_moved(&at.A, &at.a, at.horizon);
    b_then.body = zn_near_moved(&at.B, &at.b, at.horizon);
    double then = apart(&a_then, &b_then), least = deepest(&found, &a, &b, &at, false);
    c->poses++;
    if (then < -p->room) {
        bool searched = deepest(&all, &a, &b, &at, false) <= then + p->room;
        c->inside++;
        c->searched += !searched;
        c->missed += searched && !(least <= then + p->room);
    }
    // Bodies get deeper in each other, and nothing is in their way.
    c->lost += then < -fmax(0, p->deep) - p->room && !(deepest(&found, &a, &b, &at, true) < 0);
    c->pushed += !turns && deepest(&found, &a, &b, &at, true) < -fmax(0, p->deep) - p->room;
}

static count try_all(bool turns, uint64_t seed)
{
    count c = {0};
    for (int i = 0; i < poses; i++) {
        uint64_t rng = seed + (uint64_t)i;
        pose     p = make_pose(&rng, turns);
        for (int k = 0; k < 4; k++)
            judge(&p, k & 1, k & 2, turns, &c);
        drop_cuboid(&p.a);
        drop_cuboid(&p.b);
    }
    print_message("%ld poses: %ld inside at the end, %ld of them not found, %ld kept apart, %ld lost; %ld push\n",
                  c.poses, c.inside, c.searched, c.missed, c.lost, c.pushed);
    return c;
}

static void test_nothing_is_missed(void **state)
{
    (void)state;
    count c = try_all(true, 1000000);
    assert_true(c.inside > c.poses / 10);
    assert_int_equal(c.missed, 0);
    assert_true(1000 * c.lost <= c.poses); // corners that are deep: what lands beside them is found a step later
}

static void test_nothing_pushes(void **state)
{
    (void)state;
    count c = try_all(false, 2000000);
    assert_int_equal(c.missed, 0);
    assert_int_equal(c.pushed, 0);
}

static bool is_found(int64_t pair)
{
    for (int i = 0; i < found.count; i++)
        if (found.pair[i] == pair)
            return true;
    return false;
}

// Searches for boxes with the weight of a body. How many pairs are left out, of those with a normal that is less than
// 25 degrees from upward?
static int left_out(const pose *p, const zn_near *at, bool *closes)
{
    zn_pair_shape a = shape_of(&p->a, false), b = shape_of(&p->b, false);
    zn_near       near = *at;
    bool          never;
    int           without = 0;
    near.fall = near.weight = 10 * at->horizon * at->horizon;
    found.count = all.count = 0;
    CHECK_OK(zn_meet_of(a.kind, b.kind, false, &never)(&a, &b, &near, &all));
    CHECK_OK(zn_meet_shapes(&a, &b, &near, &found));
    *closes = deepest(&all, &a, &b, &near, true) < 0;
    for (int i = 0; i < all.count; i++) {
        zn_feature f, g;
        assert_true(a.ops->feature(&a, zn_feature_first(all.pair[i]), false, &f));
        assert_true(b.ops->feature(&b, zn_feature_second(all.pair[i]), false, &g));
        zn_feature       there = zn_feature_at(&near.A, &f), other = zn_feature_at(&near.B, &g);
        zn_feature_place place;
        without += zn_feature_meet(&there, &other, &place) && fabs(place.normal.z) > 0.91 && !is_found(all.pair[i]);
    }
    return without;
}

static zn_vec3 lowest_corner(const cuboid *c)
{
    zn_vec3 low = corner_of(c, 0);
    for (int k = 1; k < 8; k++)
        low = corner_of(c, k).z < low.z ? corner_of(c, k) : low;
    return low;
}

// What turns about its lowest corner and slides nowhere comes past nothing: it lands, or rocks while it is inside. And
// what slides so slowly that weight does more in a step is held by all that is near upward.
static void test_what_holds_stays(void **state)
{
    long closing[2] = {0, 0}, without[2] = {0, 0};
    (void)state;
    for (int i = 0; i < poses; i++) {
        uint64_t rng = 3000000 + (uint64_t)i;
        pose     p = make_pose(&rng, true);
        double   angle = between(&rng, 0, 6.3), h = p.at.horizon;
        zn_vec3  along = {cos(angle), sin(angle), 0};
        for (int slides = 0; slides < 2; slides++) {
            zn_near at = p.at;
            bool    closes;
            at.b.spin = zn_vec3_scale(slides ? 0 : any_size(&rng, 1e-6, 1e-2) / h, along);
            at.b.origin = slides ? zn_vec3_scale(any_size(&rng, 1e-4, 1) * 10 * h, along)
                                 : zn_vec3_scale(-1, zn_vec3_cross(at.b.spin, lowest_corner(&p.b)));
            without[slides] += left_out(&p, &at, &closes) > 0;
            closing[slides] += closes;
        }
        drop_cuboid(&p.a);
        drop_cuboid(&p.b);
    }
    print_message("%d turn, %ld get deeper, %ld of them are held by less; %d slide slowly, %ld and %ld\n", poses,
                  closing[0], without[0], poses, closing[1], without[1]);
    assert_true(5 * closing[0] > poses && 20 * closing[1] > poses);
    assert_int_equal(without[0], 0);
    assert_int_equal(without[1], 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_is_missed), cmocka_unit_test(test_nothing_pushes),
                                       cmocka_unit_test(test_what_holds_stays)};
    if (argc > 1)
        poses = atoi(argv[1]);
    int status = cmocka_run_group_tests(tests, NULL, NULL);
    free(found.pair);
    free(all.pair);
    return status;
}
