// Which features of meshes meet those of other shapes, against distances by trying all triangles, in quadruple
// precision.
//
//     test_mesh_meet [ROUNDS]     more random poses of each pair
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mesh_samples.h"
#include "model/contact/hull.h"
#include "model/contact/meet_mesh.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape_capsule.h"

typedef __float128 quad;

static quad root(quad x) // Newton's method from the root in double precision
{
    quad r = sqrt((double)x);
    for (int i = 0; i < 3 && r > 0; i++)
        r = (r + x / r) / 2;
    return r;
}

#define REAL       double
#define NAME(word) d_##word
#include "mesh_brute.h"
#undef REAL
#undef NAME
#define REAL       quad
#define NAME(word) q_##word
#include "mesh_brute.h"

static int rounds = 3;

// --- solids --------------------------------------------------------------------------------------

// A shape, the triangles around its core and the radius around them.
typedef struct solid {
    zn_pair_shape shape;
    sample        skin;
    double        radius;
} solid;

static solid solid_mesh(sample skin)
{
    zn_mesh_shape *m = sample_mesh(&skin);
    assert_non_null(m);
    return (solid){{.ops = &zn_mesh_ops, .kind = ZN_SHAPE_MESH, .axes = zn_mat3_identity(), .data = m}, skin, 0};
}

static solid solid_hull(int points, uint64_t *seed, bool box)
{
    solid          s = {.shape = {.kind = box ? ZN_SHAPE_BOX : ZN_SHAPE_HULL, .axes = zn_mat3_identity()}};
    zn_polyhedron *p = NULL;
    zn_hull        hull = {0};
    const char    *why;
    s.skin = sample_room(points, 2 * points);
    for (int i = 0; i < points; i++)
        if (box)
            sample_point(&s.skin, i & 1 ? 0.3 : -0.3, i & 2 ? 0.2 : -0.2, i & 4 ? 0.25 : -0.25);
        else
            sample_point(&s.skin, sample_random(seed) - 0.5, sample_random(seed) - 0.5, sample_random(seed) - 0.5);
    assert_int_equal(zn_polyhedron_hull((zn_vec3){0, 0, 0}, zn_mat3_identity(), points, s.skin.point, &p, &why), ZN_OK);
    assert_int_equal(zn_hull_create(points, s.skin.point, &hull, &why), ZN_OK);
    for (int i = 0; i < hull.count; i++)
        sample_triangle(&s.skin, hull.triangle[i][0], hull.triangle[i][1], hull.triangle[i][2]);
    free(hull.triangle);
    s.shape.ops = zn_shape_ops_of(s.shape.kind);
    s.shape.data = p;
    return s;
}

// Its core is a triangle without area.
static solid solid_round(double radius, double length)
{
    solid s = {.radius = radius, .skin = sample_room(3, 1)};
    s.shape = (zn_pair_shape){.ops = length > 0 ? &zn_capsule_ops : &zn_sphere_ops,
                              .kind = length > 0 ? ZN_SHAPE_CAPSULE : ZN_SHAPE_SPHERE,
                              .radius = radius,
                              .length = length,
                              .axes = zn_mat3_identity()};
    for (int i = 0; i < 3; i++)
        sample_point(&s.skin, 0, 0, i == 0 ? -length / 2 : length / 2);
    sample_triangle(&s.skin, 0, 1, 2);
    return s;
}

static void solid_clear(solid *s)
{
    if (s->shape.data)
        s->shape.ops->destroy((void *)s->shape.data);
    sample_clear(&s->skin);
}

// --- trying everything ---------------------------------------------------------------------------

typedef struct pose {
    zn_mat3 R;
    zn_vec3 p;
} pose;

static zn_vec3 put(const pose *at, zn_vec3 x) { return zn_vec3_add(zn_mat3_apply(at->R, x), at->p); }

static zn_vec3 triangle_corner(const sample *s, int i, int k) { return s->point[s->corner[3 * i + k]]; }

// How far apart the boxes of two triangles are, at least.
static double boxes_apart(const d_vec *a, const d_vec *b)
{
    double most = 0;
    for (int axis = 0; axis < 3; axis++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int k = 0; k < 6; k++) {
            const d_vec *v = k < 3 ? &a[k] : &b[k - 3];
            double       x = axis == 0 ? v->x : axis == 1 ? v->y : v->z;
            low[k / 3] = fmin(low[k / 3], x);
            high[k / 3] = fmax(high[k / 3], x);
        }
        most = fmax(most, fmax(low[0] - high[1], low[1] - high[0]));
    }
    return most;
}

// Nearest triangles of a, at rest, and b, in double precision.
static d_near nearest(const sample *a, const sample *b, const pose *at, int pair[2])
{
    d_near best = {.square = INFINITY};
    for (int i = 0; i < b->triangles; i++) {
        d_vec tb[3];
        for (int k = 0; k < 3; k++)
            tb[k] = d_from(put(at, triangle_corner(b, i, k)));
        for (int j = 0; j < a->triangles; j++) {
            d_vec ta[3];
            for (int k = 0; k < 3; k++)
                ta[k] = d_from(triangle_corner(a, j, k));
            double before = best.square, apart = boxes_apart(ta, tb);
            if (apart * apart < before)
                d_triangles(&best, ta, tb);
            if (best.square < before)
                pair[0] = j, pair[1] = i;
        }
    }
    return best;
}

// The same two in quadruple precision, from the pose as it is in double precision.
static q_near refine(const sample *a, const sample *b, const pose *at, const int pair[2])
{
    q_vec ta[3], tb[3];
    for (int k = 0; k < 3; k++) {
        zn_vec3 x = triangle_corner(b, pair[1], k);
        ta[k] = q_from(triangle_corner(a, pair[0], k));
        const double(*m)[3] = at->R.m;
        tb[k] = (q_vec){(quad)m[0][0] * x.x + (quad)m[0][1] * x.y + (quad)m[0][2] * x.z + at->p.x,
                        (quad)m[1][0] * x.x + (quad)m[1][1] * x.y + (quad)m[1][2] * x.z + at->p.y,
                        (quad)m[2][0] * x.x + (quad)m[2][1] * x.y + (quad)m[2][2] * x.z + at->p.z};
    }
    q_near best = {.square = 1e30};
    q_triangles(&best, ta, tb);
    return best;
}

static zn_mat3 random_turn(uint64_t *seed)
{
    zn_quat q;
    double  norm;
    do {
        q = (zn_quat){sample_random(seed) - 0.5, sample_random(seed) - 0.5, sample_random(seed) - 0.5,
                      sample_random(seed) - 0.5};
        norm = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    } while (norm > 0.25 || norm < 1e-4);
    return zn_quat_matrix(zn_quat_normalize(q));
}

// From far away along a direction until the surfaces are `apart`: b never passes a while it comes.
static bool approach(const solid *a, const solid *b, double apart, pose *at, zn_vec3 along, int pair[2])
{
    for (int i = 0; i < 400; i++) {
        double left = sqrt(nearest(&a->skin, &b->skin, at, pair).square) - b->radius;
        if (left <= apart)
            return left > 0.1 * apart;
        at->p = zn_vec3_add(at->p, zn_vec3_scale(left - 0.5 * apart, along));
        if (zn_vec3_dot(at->p, along) > 4)
            return false;
    }
    return false;
}

// --- what the library says -----------------------------------------------------------------------

typedef struct listed {
    int              count;
    zn_feature_place place[400];
    zn_feature_kind  kind[400][2];
} listed;

static zn_meet *meet_of(const solid *b)
{
    bool swapped;
    return zn_meet_of(ZN_SHAPE_MESH, b->shape.kind, false, &swapped);
}

static void ask(const solid *a, const solid *b, const zn_near *at, listed *out)
{
    zn_feature_list list = {0};
    assert_int_equal(meet_of(b)(&a->shape, &b->shape, at, &list), ZN_OK);
    assert_in_range(list.count, 0, 400);
    out->count = list.count;
    for (int i = 0; i < list.count; i++) {
        zn_feature f = {0}, g = {.kind = ZN_FEATURE_POINT, .at = b->shape.at, .radius = b->shape.radius};
        assert_true(a->shape.ops->feature(&a->shape, zn_feature_first(list.pair[i]), false, &f));
        if (!b->shape.ops->sphere)
            assert_true(b->shape.ops->feature(&b->shape, zn_feature_second(list.pair[i]), false, &g));
        f = zn_feature_at(&at->A, &f);
        g = zn_feature_at(&at->B, &g);
        assert_true(zn_feature_meet(&f, &g, &out->place[i]));
        out->kind[i][0] = f.kind;
        out->kind[i][1] = g.kind;
        for (int k = 0; k < i; k++)
            assert_true(list.pair[k] != list.pair[i]);
    }
    free(list.pair);
}

// Is there a contact with this gap and normal, from b to a?
static bool has(const listed *l, double gap, zn_vec3 normal)
{
    for (int i = 0; i < l->count; i++)
        if (fabs(l->place[i].gap - gap) < 1e-14 && zn_vec3_norm(zn_vec3_sub(l->place[i].normal, normal)) < 1e-13)
            return true;
    return false;
}

// The same after a way, with its rounding.
static bool has_about(const listed *l, double gap, zn_vec3 normal)
{
    bool found = false;
    for (int i = 0; i < l->count; i++)
        found |= fabs(l->place[i].gap - gap) < 1e-13 && zn_vec3_norm(zn_vec3_sub(l->place[i].normal, normal)) < 1e-13;
    return found;
}

static zn_near near_of(const pose *at, double slack)
{
    return (zn_near){
        .A = {.rotation = zn_mat3_identity()}, .B = {.position = at->p, .rotation = at->R}, .slack = slack};
}

// --- touching ------------------------------------------------------------------------------------

// At a small distance from each other, then inside each other, then on the way: the nearest features are listed with
// their gap, and no gap is less than the distance.
static void check_touching(const solid *a, const solid *b, const pose *at, zn_vec3 along, const int pair[2],
                           uint64_t *seed)
{
    static listed l;
    q_near        n = refine(&a->skin, &b->skin, at, pair);
    quad          length = root(n.square);
    double        gap = (double)(length - b->radius);
    q_vec         d = q_sub(n.a, n.b);
    zn_vec3       normal = {(double)(d.x / length), (double)(d.y / length), (double)(d.z / length)};
    zn_near       near = near_of(at, 1e-3);
    ask(a, b, &near, &l);
    for (int i = 0; i < l.count; i++)
        if (!(l.place[i].gap > gap - 1e-14))
            fail_msg("kind %d: features %d, %d: gap %g, distance %g", b->shape.kind, l.kind[i][0], l.kind[i][1],
                     l.place[i].gap, gap);
    bool corner = !n.inner && b->radius == 0; // a corner or an edge opposite a corner: sharp ones never touch
    if (corner)
        return;
    assert_true(has(&l, gap, normal));
    double slope = -zn_vec3_dot(along, normal); // d(gap)/d(way)
    if (slope > -0.05)
        return;
    zn_vec3 velocity = zn_vec3_scale(2, along);
    near = near_of(at, 1e-6);
    near.B.position = zn_vec3_sub(at->p, zn_vec3_scale(0.05 * sample_random(seed), along));
    near.b.origin = velocity;
    near.horizon = (zn_vec3_norm(zn_vec3_sub(near.B.position, at->p)) - 2 * gap / slope) / 2;
    bool listed_before = false;
    ask(a, b, &near, &l);
    for (int i = 0; i < l.count; i++)
        listed_before |= zn_vec3_norm(zn_vec3_sub(l.place[i].normal, normal)) < (b->radius > 0 ? INFINITY : 1e-12);
    assert_true(listed_before);
    if (b->radius > 0)
        return; // its normal turns on the way
    pose in = {at->R, zn_vec3_sub(at->p, zn_vec3_scale((gap + 1e-7) / slope, along))};
    near = near_of(&in, 1e-3);
    ask(a, b, &near, &l);
    if (!has_about(&l, -1e-7, normal))
        fail_msg("kind %d: 1e-7 inside, slope %g, the contact is not among %d", b->shape.kind, slope, l.count);
}

static void try_poses(solid *a, solid *b, uint64_t seed)
{
    int tried = 0;
    for (int i = 0; tried < rounds && i < 100 * rounds; i++) {
        pose    at = {random_turn(&seed), {0, 0, 0}};
        zn_mat3 turn = random_turn(&seed);
        zn_vec3 along = zn_mat3_apply(turn, (zn_vec3){1, 0, 0});
        zn_vec3 beside = zn_mat3_apply(turn, (zn_vec3){0, sample_random(&seed) - 0.5, sample_random(&seed) - 0.5});
        int     pair[2];
        at.p = zn_vec3_add(zn_vec3_scale(-3, along), zn_vec3_scale(0.8, beside));
        if (!approach(a, b, 1e-7, &at, along, pair))
            continue;
        check_touching(a, b, &at, along, pair, &seed);
        tried++;
    }
    assert_int_equal(tried, rounds);
}

static void test_poses(void **state)
{
    (void)state;
    uint64_t seed = 5;
    solid mesh[3] = {solid_mesh(make_ell()), solid_mesh(make_star()), solid_mesh(sample_slab(5, 4, 1, 1, 0.5, hills))};
    solid other[4] = {solid_round(0.2, 0), solid_round(0.1, 0.5), solid_hull(8, &seed, true),
                      solid_hull(14, &seed, false)};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++)
            try_poses(&mesh[i], &other[k], (uint64_t)(17 * i + k));
        for (int k = 0; k < 3; k++)
            try_poses(&mesh[i], &mesh[k], (uint64_t)(100 + 17 * i + k));
    }
    for (int i = 0; i < 4; i++)
        solid_clear(&other[i]);
    for (int i = 0; i < 3; i++)
        solid_clear(&mesh[i]);
}

// --- balls in hollows ----------------------------------------------------------------------------

// The nearest points of all triangles that no triangle around them has a nearer point than: local minima.
static int find_minima(const sample *s, zn_vec3 centre, double within, quad *distance, q_vec *normal)
{
    enum { MOST = 400 };
    q_near n[MOST];
    q_vec  x = q_from(centre), same[3] = {x, x, x};
    int    count = 0;
    for (int i = 0; i < s->triangles; i++) {
        q_vec t[3];
        for (int k = 0; k < 3; k++)
            t[k] = q_from(triangle_corner(s, i, k));
        n[i] = (q_near){.square = 1e30};
        q_triangles(&n[i], t, same);
    }
    for (int i = 0; i < s->triangles; i++) {
        bool least = n[i].square < (quad)within * within;
        for (int k = 0; k < s->triangles && least; k++) {
            q_vec  t[3], at = n[i].a;
            q_near to = {.square = 1e30};
            for (int c = 0; c < 3; c++)
                t[c] = q_from(triangle_corner(s, k, c));
            q_vec there[3] = {at, at, at};
            q_triangles(&to, t, there);
            if (to.square > 1e-40)
                continue; // it is not one of those around
            q_vec apart = q_sub(n[k].a, n[i].a);
            least = q_dot(apart, apart) < 1e-40 ? k >= i : n[k].square >= n[i].square; // each once
        }
        if (!least)
            continue;
        distance[count] = root(n[i].square);
        q_vec d = q_sub(n[i].a, x);
        normal[count] = (q_vec){d.x / distance[count], d.y / distance[count], d.z / distance[count]};
        count++;
    }
    return count;
}

static void test_hollows(void **state)
{
    (void)state;
    static listed l;
    uint64_t      seed = 11;
    int           several = 0;
    solid         mesh = solid_mesh(sample_slab(5, 4, 1, 1, 0.5, hills)), ball = solid_round(0.3, 0);
    for (int i = 0; i < 3 * rounds; i++) {
        pose at = {zn_mat3_identity(), {sample_random(&seed) - 0.5, sample_random(&seed) - 0.5, 0.6}};
        int  pair[2];
        if (!approach(&mesh, &ball, 1e-3, &at, (zn_vec3){0, 0, -1}, pair))
            continue;
        quad         distance[400];
        q_vec        normal[400];
        const double slack = 0.02;
        int          count = find_minima(&mesh.skin, at.p, ball.radius + slack, distance, normal);
        zn_near      near = near_of(&at, slack);
        ask(&mesh, &ball, &near, &l);
        several += count > 1;
        assert_true(l.count >= count);
        for (int k = 0; k < count; k++)
            assert_true(has(&l, (double)(distance[k] - ball.radius),
                            (zn_vec3){(double)normal[k].x, (double)normal[k].y, (double)normal[k].z}));
    }
    assert_true(several > 0);
    solid_clear(&mesh);
    solid_clear(&ball);
}

// --- nothing catches -----------------------------------------------------------------------------

// Over a flat slab of many triangles a ball, a box and a mesh have the contacts that they have over one with two, bit
// for bit the same planes, wherever they are.
static void test_flat(void **state)
{
    (void)state;
    static listed fine, coarse;
    uint64_t      seed = 2;
    solid  many = solid_mesh(sample_slab(9, 7, 2, 2, 0.5, NULL)), few = solid_mesh(sample_slab(1, 1, 2, 2, 0.5, NULL));
    sample ell = make_ell();
    solid  other[4] = {solid_round(0.2, 0), solid_round(0.1, 0.5), solid_hull(8, &seed, true), solid_mesh(ell)};
    const double height[4] = {0.2, 0.35, 0.25, 0.2};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 5 * rounds; i++) {
            double  a = 6.3 * sample_random(&seed);
            pose    at = {{{{cos(a), -sin(a), 0}, {sin(a), cos(a), 0}, {0, 0, 1}}},
                          {1.8 * sample_random(&seed) - 0.9, 1.8 * sample_random(&seed) - 0.9, height[k]}};
            zn_near near = near_of(&at, 1e-3);
            if (i % 3 == 0) // over a corner of the squares
                near.B.position.x = 2.0 / 9 * (i % 7) - 1 + 2.0 / 9,
                near.B.position.y = 2.0 / 7 * (i % 5) - 1 + 2.0 / 7;
            ask(&many, &other[k], &near, &fine);
            ask(&few, &other[k], &near, &coarse);
            assert_int_equal(fine.count, coarse.count);
            for (int c = 0; c < fine.count; c++)
                assert_true(has(&coarse, fine.place[c].gap, fine.place[c].normal));
        }
    for (int k = 0; k < 4; k++)
        solid_clear(&other[k]);
    solid_clear(&many);
    solid_clear(&few);
}

// Two cubes flush on each other, shifted and turned: the corners of what both cover.
static void test_flush(void **state)
{
    (void)state;
    static listed l;
    static const struct {
        double x, y, angle;
        int    contacts;
    } cases[] = {{0, 0, 0, 4}, {0.2, 0.1, 0, 4}, {0, 0, 0.785398163397448, 8}, {0.5, 0, 0, 4}, {0, 0, 0.3, 8}};
    uint64_t seed = 1;
    solid    low = solid_mesh(sample_slab(3, 2, 0.6, 0.4, 0.5, NULL)), box = solid_hull(8, &seed, true);
    sample   skin = sample_slab(2, 2, 0.6, 0.4, 0.5, NULL);
    for (int i = 0; i < skin.points; i++)
        skin.point[i].z += 0.25;
    solid mesh = solid_mesh(skin);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 2; k++) {
            double  c = cos(cases[i].angle), s = sin(cases[i].angle);
            pose    at = {{{{c, -s, 0}, {s, c, 0}, {0, 0, 1}}}, {cases[i].x, cases[i].y, 0.25}};
            zn_near near = near_of(&at, 1e-6);
            ask(&low, k ? &mesh : &box, &near, &l);
            int touching = 0;
            for (int j = 0; j < l.count; j++)
                touching += fabs(l.place[j].gap) < 1e-12 && l.place[j].normal.z < -0.999999;
            if (touching != cases[i].contacts || touching != l.count)
                fail_msg("case %zu, %s: %d of %d contacts touch, not %d", i, k ? "mesh" : "box", touching, l.count,
                         cases[i].contacts);
        }
    solid_clear(&low);
    solid_clear(&box);
    solid_clear(&mesh);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_poses), cmocka_unit_test(test_hollows),
                                       cmocka_unit_test(test_flat), cmocka_unit_test(test_flush)};
    if (argc > 1)
        rounds = atoi(argv[1]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
