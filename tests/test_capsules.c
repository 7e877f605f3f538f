// Spheres and capsules against each other, planes and polyhedra: what is listed has the distance of the two bodies as
// its least gap, by brute force in quadruple precision, at rest and where they touch. With a number as argument so
// many random poses of each kind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/contact/meet_capsule.h"
#include "model/contact/meet_half_space.h"
#include "polyhedra.h"

static int poses = 12;

static zn_feature_list found;

static int free_found(void **state)
{
    (void)state;
    free(found.pair);
    found = (zn_feature_list){0};
    return 0;
}

// --- distances -----------------------------------------------------------------------------------

typedef struct segment {
    qvec x[2];
} segment;

static quad q_clamp(quad s) { return s < 0 ? 0 : s > 1 ? 1 : s; }

static quad q_norm(qvec a) { return q_sqrt(q_dot(a, a)); }

static quad point_segment(qvec x, segment s)
{
    qvec way = q_sub(s.x[1], s.x[0]), from = q_sub(x, s.x[0]);
    quad square = q_dot(way, way);
    return q_norm(q_sub(from, q_scale(square > 0 ? q_clamp(q_dot(from, way) / square) : 0, way)));
}

static quad segment_segment(segment a, segment b)
{
    quad least = 1e30;
    for (int i = 0; i < 2; i++) {
        quad d = point_segment(a.x[i], b), e = point_segment(b.x[i], a);
        least = d < least ? d : least;
        least = e < least ? e : least;
    }
    qvec u = q_sub(a.x[1], a.x[0]), w = q_sub(b.x[1], b.x[0]), c = q_cross(u, w), d = q_sub(b.x[0], a.x[0]);
    quad square = q_dot(c, c);
    if (square > 1e-24) {
        quad s = q_dot(q_cross(d, w), c) / square, r = q_dot(q_cross(d, u), c) / square;
        quad gap = q_dot(c, d) / q_sqrt(square);
        if (s >= 0 && s <= 1 && r >= 0 && r <= 1)
            least = gap < 0 ? (-gap < least ? -gap : least) : (gap < least ? gap : least);
    }
    return least;
}

// Outside, or inside negative.
static quad point_polyhedron(qvec x, const zn_polyhedron *p, const zn_rigid *body)
{
    quad most = -1e30, least = 1e30;
    for (int i = 0; i < p->faces; i++) {
        const zn_polyhedron_face *f = &p->face[i];
        quad up = q_dot(q_vector(body, f->normal), q_sub(x, q_point(body, p->vertex[p->corner[f->first]])));
        most = up > most ? up : most;
        if (up > 0 && up < least && q_over(p, body, i, x) >= 0)
            least = up;
    }
    for (int i = 0; i < p->edges && most > 0; i++) {
        segment e = {{q_point(body, p->vertex[p->edge[i].vertex[0]]), q_point(body, p->vertex[p->edge[i].vertex[1]])}};
        quad    d = point_segment(x, e);
        least = d < least ? d : least;
    }
    return most > 0 ? least : most;
}

static quad segment_polyhedron(segment s, const zn_polyhedron *p, const zn_rigid *body)
{
    quad a = point_polyhedron(s.x[0], p, body), b = point_polyhedron(s.x[1], p, body), least = a < b ? a : b;
    quad enter = 0, leave = 1; // what part of it is inside all faces
    for (int i = 0; i < p->faces; i++) {
        const zn_polyhedron_face *f = &p->face[i];
        qvec                      n = q_vector(body, f->normal), on = q_point(body, p->vertex[p->corner[f->first]]);
        quad                      from = q_dot(n, q_sub(s.x[0], on)), to = q_dot(n, q_sub(s.x[1], on));
        if (from > 0 && to > 0)
            leave = -1;
        else if (from > 0)
            enter = from / (from - to) > enter ? from / (from - to) : enter;
        else if (to > 0)
            leave = from / (from - to) < leave ? from / (from - to) : leave;
    }
    if (enter < leave)
        return -1;
    for (int i = 0; i < p->edges && least > 0; i++) {
        segment e = {{q_point(body, p->vertex[p->edge[i].vertex[0]]), q_point(body, p->vertex[p->edge[i].vertex[1]])}};
        quad    d = segment_segment(s, e);
        least = d < least ? d : least;
    }
    return least;
}

// --- two shapes ----------------------------------------------------------------------------------

typedef struct couple {
    zn_meet      *meet;
    zn_pair_shape shape[2];
    zn_rigid      body[2];
    zn_vec3       velocity[2], spin[2];
    double        reach[2];
} couple;

static segment core_of(const zn_pair_shape *s, const zn_rigid *body)
{
    zn_vec3 half = zn_vec3_scale(0.5 * s->length, (zn_vec3){s->axes.m[0][2], s->axes.m[1][2], s->axes.m[2][2]});
    return (segment){{q_point(body, zn_vec3_sub(s->at, half)), q_point(body, zn_vec3_add(s->at, half))}};
}

// How far the bodies are apart; the second is a polyhedron, a plane, a capsule or a sphere (of length 0).
static quad distance(const couple *c, const zn_rigid body[2])
{
    segment              s = core_of(&c->shape[0], &body[0]);
    const zn_pair_shape *b = &c->shape[1];
    quad                 radius = (quad)c->shape[0].radius + b->radius;
    if (b->kind == ZN_SHAPE_BOX || b->kind == ZN_SHAPE_HULL)
        return segment_polyhedron(s, b->data, &body[1]) - radius;
    if (b->kind != ZN_SHAPE_PLANE)
        return segment_segment(s, core_of(b, &body[1])) - radius;
    qvec n = q_vector(&body[1], b->normal), on = q_point(&body[1], b->at);
    quad d = q_dot(n, q_sub(s.x[0], on)), e = q_dot(n, q_sub(s.x[1], on));
    return (d < e ? d : e) - radius;
}

static zn_feature feature_of(const zn_pair_shape *s, const zn_rigid *body, int index)
{
    zn_feature f = {.kind = ZN_FEATURE_POINT, .at = s->at, .radius = s->radius};
    if (s->kind != ZN_SHAPE_SPHERE)
        assert_true(s->ops->feature(s, index, false, &f));
    return zn_feature_at(body, &f);
}

static double gap_of(const couple *c, const zn_rigid body[2], int64_t pair)
{
    zn_feature       a = feature_of(&c->shape[0], &body[0], zn_feature_first(pair));
    zn_feature       b = feature_of(&c->shape[1], &body[1], zn_feature_second(pair));
    zn_feature_place at;
    assert_true(zn_feature_meet(&a, &b, &at));
    return at.gap;
}

// Spheres come second in all searches, here they are first.
static zn_status sphere_polyhedron(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                   zn_feature_list *out)
{
    zn_near   other = {.A = at->B, .B = at->A, .a = at->b, .b = at->a, .horizon = at->horizon, .slack = at->slack};
    zn_status status = zn_meet_polyhedron_sphere(b, a, &other, out);
    for (int k = 0; k < out->count; k++)
        out->pair[k] = zn_feature_pair(zn_feature_second(out->pair[k]), zn_feature_first(out->pair[k]));
    return status;
}

static zn_pair_shape any_capsule(void)
{
    return (zn_pair_shape){.ops = &zn_capsule_ops,
                           .kind = ZN_SHAPE_CAPSULE,
                           .at = any_vector(0.2),
                           .axes = any_rotation(3),
                           .radius = uniform(0.05, 0.3),
                           .length = uniform(0.1, 2)};
}

enum { SPHERE_BOX, SPHERE_HULL, CAPSULE_BOX, CAPSULE_HULL, CAPSULES, CAPSULE_SPHERE, CAPSULE_PLANE, KINDS };

static couple any_couple(int kind)
{
    couple c = {.shape = {any_capsule(), any_capsule()}};
    if (kind <= SPHERE_HULL) {
        c.shape[0].kind = ZN_SHAPE_SPHERE;
        c.shape[0].length = 0;
        c.shape[0].radius *= 2;
    }
    c.meet = kind <= SPHERE_HULL    ? sphere_polyhedron
             : kind <= CAPSULE_HULL ? zn_meet_capsule_polyhedron
                                    : zn_meet_capsules;
    if (kind <= CAPSULE_HULL) {
        bool box = kind == SPHERE_BOX || kind == CAPSULE_BOX;
        c.shape[1] = (zn_pair_shape){
            .ops = &zn_hull_ops, .kind = box ? ZN_SHAPE_BOX : ZN_SHAPE_HULL, .data = any_polyhedron(box)};
    } else if (kind == CAPSULE_SPHERE) {
        c.meet = zn_meet_capsule_sphere;
        c.shape[1].kind = ZN_SHAPE_SPHERE;
        c.shape[1].length = 0;
    } else if (kind == CAPSULE_PLANE) {
        zn_vec3 n = any_vector(1);
        c.meet = zn_meet_capsule_plane;
        c.shape[1] = (zn_pair_shape){.ops = &zn_plane_ops,
                                     .kind = ZN_SHAPE_PLANE,
                                     .at = any_vector(1),
                                     .normal = zn_vec3_scale(1 / zn_vec3_norm(n), n)};
    }
    return c;
}

// At this distance of each other, somewhere; now and then with the capsule along an edge or a face.
static void place(couple *c, double gap, bool lying)
{
    zn_vec3 n = any_vector(1);
    double  low = 0, high = 6;
    c->body[0] = placed(any_vector(1), any_rotation(3));
    c->body[1] = placed(any_vector(1), any_rotation(3));
    const zn_polyhedron *p = c->shape[1].data;
    if (c->shape[1].kind == ZN_SHAPE_PLANE)
        n = zn_rigid_vector(&c->body[1], c->shape[1].normal);
    else if (lying) {
        zn_vec3 axis = p ? zn_rigid_vector(&c->body[1], p->edge[(int)uniform(0, p->edges)].along)
                         : zn_rigid_vector(&c->body[1], (zn_vec3){c->shape[1].axes.m[0][2], c->shape[1].axes.m[1][2],
                                                                  c->shape[1].axes.m[2][2]});
        zn_vec3 own = {c->shape[0].axes.m[0][2], c->shape[0].axes.m[1][2], c->shape[0].axes.m[2][2]};
        zn_vec3 from = own, x = zn_vec3_cross(from, axis);
        zn_quat q = zn_quat_normalize((zn_quat){1 + zn_vec3_dot(from, axis), x.x, x.y, x.z});
        c->body[0].rotation = zn_mat3_product(any_rotation(uniform(0, 1) < 0.5 ? 0 : 1e-3), zn_quat_matrix(q));
    }
    zn_vec3 start = zn_vec3_add(c->body[1].position, any_vector(0.3));
    n = zn_vec3_scale(1 / zn_vec3_norm(n), n);
    for (int k = 0; k < 30; k++) {
        double far = 0.5 * (low + high);
        c->body[0].position = zn_vec3_add(start, zn_vec3_scale(far, n));
        *(distance(c, c->body) < gap ? &low : &high) = far;
    }
    c->body[0].position = zn_vec3_add(start, zn_vec3_scale(high, n));
}

static void drop(couple *c)
{
    if (c->shape[1].kind == ZN_SHAPE_BOX || c->shape[1].kind == ZN_SHAPE_HULL)
        zn_polyhedron_destroy((void *)c->shape[1].data);
}

static void ask(const couple *c, double horizon, double slack)
{
    zn_near at = {.A = c->body[0], .B = c->body[1], .horizon = horizon, .slack = slack};
    at.a = motion(&c->body[0], c->velocity[0], c->spin[0]);
    at.b = motion(&c->body[1], c->velocity[1], c->spin[1]);
    found.count = 0;
    assert_int_equal(c->meet(&c->shape[0], &c->shape[1], &at, &found), ZN_OK);
    for (int k = 0; k < found.count; k++)
        for (int l = 0; l < k; l++)
            assert_true(found.pair[k] != found.pair[l]);
}

// --- at rest -------------------------------------------------------------------------------------

static void test_rest(void **state)
{
    const double slack = 0.01;
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int trial = 0; trial < poses; trial++) {
            couple c = any_couple(kind);
            double gap = trial % 4 == 0 ? 0 : uniform(-0.04, 0.015), least = INFINITY;
            place(&c, gap, trial % 3 == 0);
            ask(&c, 0, slack);
            for (int k = 0; k < found.count; k++)
                least = fmin(least, gap_of(&c, c.body, found.pair[k]));
            double exact = (double)distance(&c, c.body);
            if (exact < slack) {
                if (!(fabs(least - exact) < 3e-14))
                    print_message("kind %d: least gap %g of %d, distance %g\n", kind, least, found.count, exact);
                assert_true(fabs(least - exact) < 3e-14);
            } else
                assert_true(found.count == 0 || least < slack + 1e-14);
            if (kind <= SPHERE_HULL || kind == CAPSULE_SPHERE)
                assert_int_equal(found.count, exact < slack);
            drop(&c);
        }
}

// --- moving --------------------------------------------------------------------------------------

static void go(const couple *c, double t, zn_rigid out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = after(&c->body[i], c->velocity[i], c->spin[i], t);
}

static double distance_after(const couple *c, double t)
{
    zn_rigid body[2];
    go(c, t, body);
    return (double)distance(c, body);
}

static double first_touch(const couple *c, double h)
{
    enum { LOOKS = 20 };
    double low = 0, high = INFINITY;
    for (int k = 1; k <= LOOKS && high == INFINITY; k++)
        *(distance_after(c, h * k / LOOKS) < 0 ? &high : &low) = h * k / LOOKS;
    while (high < INFINITY && high - low > 1e-12)
        *(distance_after(c, 0.5 * (low + high)) < 0 ? &high : &low) = 0.5 * (low + high);
    return high < INFINITY ? low : INFINITY;
}

// What touches within the horizon is there: when they touch, its gap is zero. A ball that passes an edge at a distance
// within the bend of its way may be seen at the feature next to it.
static void check_touch(const couple *c, double h, double bend)
{
    zn_rigid body[2];
    double   t = first_touch(c, h), zero = INFINITY;
    ask(c, h, 1e-3);
    if (t == INFINITY)
        return;
    go(c, t, body);
    for (int k = 0; k < found.count; k++)
        zero = fmin(zero, fabs(gap_of(c, body, found.pair[k])));
    if (!(zero < 1e-9 + bend))
        print_message("touch at %g, gap %g of %d\n", t, zero, found.count);
    assert_true(zero < 1e-9 + bend);
}

static void test_moving(void **state)
{
    const double h = 1e-2;
    (void)state;
    for (int kind = 0; kind < KINDS; kind++)
        for (int trial = 0; trial < poses / 2; trial++) {
            couple c = any_couple(kind);
            double spin = trial % 2 ? 1 : 0;
            place(&c, uniform(0.001, 0.03), trial % 3 == 0);
            c.velocity[1] = any_vector(2);
            c.velocity[0] = zn_vec3_add(zn_vec3_add(any_vector(2), c.velocity[1]),
                                        zn_vec3_scale(4, zn_vec3_sub(c.body[1].position, c.body[0].position)));
            c.spin[0] = any_vector(spin);
            c.spin[1] = any_vector(spin);
            check_touch(&c, h, spin * spin * h * h * 30);
            drop(&c);
        }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        poses = atoi(argv[1]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rest), cmocka_unit_test(test_moving)};
    return cmocka_run_group_tests(tests, NULL, free_found);
}
