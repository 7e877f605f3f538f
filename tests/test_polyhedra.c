// Polyhedra: hulls of points, and which features of two of them are near, against brute force in quadruple precision.
// With a number as argument so many random poses of each kind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "polyhedra.h"

static int poses = 40;

static const double pi = 3.14159265358979323846;

static zn_feature_list found;

static void ask(const zn_polyhedron *A, const zn_polyhedron *B, const zn_near *at)
{
    zn_pair_shape a = {.ops = &zn_hull_ops, .data = A}, b = {.ops = &zn_hull_ops, .data = B};
    found.count = 0;
    assert_int_equal(zn_meet_polyhedra(&a, &b, at, &found), ZN_OK);
}

static bool has(int i, int j)
{
    for (int k = 0; k < found.count; k++)
        if (found.pair[k] == zn_feature_pair(i, j))
            return true;
    return false;
}

static void forget(void **state)
{
    (void)state;
    free(found.pair);
    found = (zn_feature_list){0};
}

static int free_found(void **state)
{
    forget(state);
    return 0;
}

static zn_feature_place meet_at(const zn_polyhedron *A, const zn_rigid *a, const zn_polyhedron *B, const zn_rigid *b,
                                int64_t pair)
{
    zn_feature       f, g;
    zn_feature_place at;
    assert_true(zn_polyhedron_feature(A, zn_feature_first(pair), &f));
    assert_true(zn_polyhedron_feature(B, zn_feature_second(pair), &g));
    f = zn_feature_at(a, &f);
    g = zn_feature_at(b, &g);
    assert_true(zn_feature_meet(&f, &g, &at));
    return at;
}

// --- hulls ---------------------------------------------------------------------------------------

static zn_polyhedron *hull_of(int count, const zn_vec3 *x)
{
    zn_polyhedron *p = NULL;
    const char    *why;
    assert_int_equal(zn_polyhedron_hull((zn_vec3){0, 0, 0}, zn_mat3_identity(), count, x, &p, &why), ZN_OK);
    return p;
}

static void check_shape(const zn_polyhedron *p, int vertices, int edges, int faces)
{
    assert_int_equal(p->vertices, vertices);
    assert_int_equal(p->edges, edges);
    assert_int_equal(p->faces, faces);
}

// Convex, closed, every side of a face an edge that knows it, volume by the divergence theorem.
static void check_sound(const zn_polyhedron *p, double volume)
{
    double six = 0;
    assert_int_equal(p->vertices - p->edges + p->faces, 2);
    for (int i = 0; i < p->faces; i++) {
        const zn_polyhedron_face *f = &p->face[i];
        assert_true(fabs(zn_vec3_norm(f->normal) - 1) < 1e-14);
        for (int k = 0; k < p->vertices; k++)
            assert_true(zn_vec3_dot(f->normal, p->vertex[k]) - f->offset < 3e-8 * p->radius);
        for (int k = 0; k < f->count; k++) {
            int                       a = p->corner[f->first + k], b = p->corner[f->first + (k + 1) % f->count];
            const zn_polyhedron_edge *e = &p->edge[p->side[f->first + k]];
            assert_true((e->face[0] == i && e->vertex[0] == a && e->vertex[1] == b) ||
                        (e->face[1] == i && e->vertex[0] == b && e->vertex[1] == a));
            assert_true(fabs(zn_vec3_dot(f->normal, p->vertex[a]) - f->offset) < 3e-8 * p->radius);
            six += zn_vec3_dot(p->vertex[p->corner[f->first]], zn_vec3_cross(p->vertex[a], p->vertex[b]));
        }
    }
    if (volume > 0)
        assert_true(fabs(six / 6 - volume) < 1e-7 * volume);
}

// A cube of points, with points inside its faces, sides and body and copies; in any order.
static void test_cube(void **state)
{
    zn_vec3 x[200];
    int     count = 0;
    (void)state;
    for (int i = 0; i < 125; i++)
        x[count++] = (zn_vec3){i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2};
    for (int i = 0; i < 50; i++, count++)
        x[count] = x[(int)uniform(0, 125)];
    for (int trial = 0; trial < 20; trial++) {
        for (int i = count - 1; i > 0; i--) {
            int     k = (int)uniform(0, i + 0.999);
            zn_vec3 swap = x[i];
            x[i] = x[k];
            x[k] = swap;
        }
        zn_polyhedron *p = hull_of(count, x);
        check_shape(p, 8, 12, 6);
        check_sound(p, 64);
        zn_polyhedron_destroy(p);
    }
}

// Five solids of Plato in any position; prisms.
static void test_solids(void **state)
{
    const double  g = 0.5 * (1 + sqrt(5));
    const zn_vec3 cube[] = {{1, 1, 1},  {1, 1, -1},  {1, -1, 1},  {1, -1, -1},
                            {-1, 1, 1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1}};
    (void)state;
    for (int trial = 0; trial < 10; trial++) {
        zn_mat3 R = any_rotation(3);
        zn_vec3 x[60], shift = any_vector(5);
        int     n = 0;
        for (int i = 0; i < 8; i++)
            x[n++] = cube[i];
        for (int i = 0; i < 12; i++) {
            double a = i & 1 ? g : -g, b = i & 2 ? 1 / g : -1 / g;
            x[n++] = i < 4 ? (zn_vec3){0, b, a} : i < 8 ? (zn_vec3){b, a, 0} : (zn_vec3){a, 0, b};
        }
        for (int i = 0; i < n; i++)
            x[i] = zn_vec3_add(shift, zn_mat3_apply(R, x[i]));
        zn_polyhedron *p = hull_of(n, x);
        check_shape(p, 20, 30, 12);
        check_sound(p, 0);
        zn_polyhedron_destroy(p);
        for (int i = 0; i < 30; i++)
            for (int k = 0; k < 2; k++)
                x[2 * i + k] = zn_vec3_add(
                    shift, zn_mat3_apply(R, (zn_vec3){cos(i * pi / 15), sin(i * pi / 15), k == 0 ? 0.01 : -0.01}));
        p = hull_of(60, x);
        check_shape(p, 60, 90, 32);
        check_sound(p, 0.02 * 15 * sin(pi / 15));
        zn_polyhedron_destroy(p);
    }
}

static void test_points(void **state)
{
    enum { POINTS = 300 };
    zn_vec3 x[POINTS];
    (void)state;
    for (int trial = 0; trial < 40; trial++) {
        int count = 4 + (int)uniform(0, trial < 35 ? 40 : POINTS - 4);
        for (int i = 0; i < count; i++) {
            x[i] = any_vector(1);
            if (trial % 3 == 1) // on a sphere
                x[i] = zn_vec3_scale(1 / zn_vec3_norm(x[i]), x[i]);
            if (trial % 3 == 2 && i > 3) // near planes and lines of others
                x[i] =
                    zn_vec3_add(zn_vec3_scale(uniform(0, 1), x[i % 4]), zn_vec3_scale(uniform(0, 1), x[(i / 4) % 4]));
        }
        zn_polyhedron *p = hull_of(count, x);
        check_sound(p, 0);
        for (int i = 0; i < p->faces; i++) // nothing is left out
            for (int k = 0; k < count; k++)
                assert_true(zn_vec3_dot(p->face[i].normal, x[k]) - p->face[i].offset < 3e-8 * p->radius);
        for (int i = 0; i < 50; i++) { // uphill leads to the top
            zn_vec3 n = any_vector(1);
            double  top = -INFINITY;
            for (int k = 0; k < p->vertices; k++)
                top = fmax(top, zn_vec3_dot(n, p->vertex[k]));
            assert_true(zn_vec3_dot(n, p->vertex[zn_polyhedron_farthest(p, n, 0)]) == top);
        }
        zn_polyhedron_destroy(p);
    }
}

static void test_no_hull(void **state)
{
    zn_polyhedron *p = NULL;
    const char    *why;
    zn_vec3        x[30];
    zn_mat3        R = any_rotation(3);
    (void)state;
    static const char *const says[] = {"are fewer than four", "are all at one place", "lie on a line", "lie in a plane",
                                       "are not all finite"};
    for (int fault = 0; fault < 5; fault++) {
        for (int i = 0; i < 30; i++) {
            zn_vec3 at = {fault > 1 ? uniform(-1, 1) : 0, fault > 2 ? uniform(-1, 1) : 0, fault > 3 ? i : 0};
            x[i] = zn_vec3_add((zn_vec3){1, 2, 3}, zn_mat3_apply(R, at));
        }
        if (fault == 4)
            x[7].y = NAN;
        zn_status status = zn_polyhedron_hull((zn_vec3){0, 0, 0}, R, fault == 0 ? 3 : 30, x, &p, &why);
        assert_int_equal(status, ZN_ERR_MODEL);
        assert_string_equal(why, says[fault]);
    }
}

// --- pairs, at rest ------------------------------------------------------------------------------

// A somewhere around B, turned as it is, just so far away that they are apart by `gap`.
static zn_rigid beside(const zn_polyhedron *A, const zn_polyhedron *B, const zn_rigid *b, double gap)
{
    zn_vec3  n = any_vector(1), start = zn_vec3_add(zn_rigid_point(b, B->centre), any_vector(0.3));
    zn_rigid a = placed(start, any_rotation(3));
    double   low = 0, high = 4;
    n = zn_vec3_scale(1 / zn_vec3_norm(n), n);
    for (int k = 0; k < 40; k++) {
        double far = 0.5 * (low + high);
        a.position = zn_vec3_add(start, zn_vec3_scale(far, n));
        *(apart(A, &a, B, b) < gap ? &low : &high) = far;
    }
    a.position = zn_vec3_add(start, zn_vec3_scale(high, n));
    return a;
}

static zn_vec3 any_point(const zn_polyhedron *p, const zn_polyhedron_face *f)
{
    zn_vec3 sum = {0, 0, 0};
    double  all = 0;
    for (int k = 0; k < f->count; k++) {
        double part = uniform(0, 1);
        sum = zn_vec3_add(sum, zn_vec3_scale(part, p->vertex[p->corner[f->first + k]]));
        all += part;
    }
    return zn_vec3_scale(1 / all, sum);
}

// A with a face on one of B, tilted by a little; sides often parallel.
static zn_rigid flush(const zn_polyhedron *A, const zn_polyhedron *B, const zn_rigid *b, double tilt, double gap)
{
    const zn_polyhedron_face *f = &A->face[(int)uniform(0, A->faces)], *g = &B->face[(int)uniform(0, B->faces)];
    zn_vec3                   from = f->normal, to = zn_vec3_scale(-1, zn_rigid_vector(b, g->normal));
    zn_vec3                   c = zn_vec3_cross(from, to), on = zn_rigid_point(b, any_point(B, g));
    zn_quat                   turn = {1 + zn_vec3_dot(from, to), c.x, c.y, c.z};
    if (turn.w < 1e-3)
        return flush(A, B, b, tilt, gap);
    double  about = uniform(0, 1) < 0.5 ? 0 : uniform(-3, 3);
    zn_mat3 R =
        zn_mat3_product(zn_quat_matrix(zn_so3_exp(zn_vec3_scale(about, to))), zn_quat_matrix(zn_quat_normalize(turn)));
    zn_rigid a = placed((zn_vec3){0, 0, 0}, zn_mat3_product(any_rotation(tilt), R));
    a.position = zn_vec3_sub(on, zn_rigid_vector(&a, any_point(A, f)));
    double far = apart_along(A, &a, B, b, zn_vec3_scale(-1, to));
    a.position = zn_vec3_sub(a.position, zn_vec3_scale(gap - far, to));
    return a;
}

// Nothing moves: all pairs whose point is inside both are there, none whose point is outside; gaps and normals exact.
static int check_rest(const zn_polyhedron *A, const zn_rigid *a, const zn_polyhedron *B, const zn_rigid *b)
{
    const double slack = 0.02, sure = 1e-7;
    zn_near      at = {.A = *a, .B = *b, .slack = slack};
    int          na = A->vertices + A->edges + A->faces, nb = B->vertices + B->edges + B->faces, must = 0;
    ask(A, B, &at);
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) {
            qpair p;
            bool  listed = has(i, j);
            if ((!listed && !is_worth(A, a, i, B, b, j, slack + 1e-3)) || !q_pair(A, a, i, B, b, j, &p))
                continue;
            if (p.gap >= 0 && p.gap < slack - sure && p.inside > sure && p.arc > sure) {
                if (is_hidden(A, a, i, B, b, j, p.n))
                    continue;
                must++;
                if (!listed)
                    print_message("missing %d %d: gap %g inside %g arc %g\n", i, j, (double)p.gap, (double)p.inside,
                                  (double)p.arc);
                assert_true(listed);
            }
            if (!listed)
                continue;
            assert_true(p.gap > -sure && p.gap < slack + sure && p.inside > -sure && p.arc > -0.1 - sure);
            zn_feature_place place = meet_at(A, a, B, b, zn_feature_pair(i, j));
            double           sine = i >= A->vertices && i < A->vertices + A->edges
                                        ? zn_vec3_norm(zn_vec3_cross(zn_rigid_vector(a, A->edge[i - A->vertices].along),
                                                                     zn_rigid_vector(b, B->edge[j - B->vertices].along)))
                                        : 1;
            qvec             d = q_sub(q_of(place.normal), p.n);
            assert_true(fabs((double)(place.gap - p.gap)) < 1e-14 / sine);
            assert_true((double)q_sqrt(q_dot(d, d)) < 2e-15 / sine);
        }
    return must;
}

static void test_rest(void **state)
{
    int pairs = 0;
    (void)state;
    for (int trial = 0; trial < poses; trial++) {
        zn_polyhedron *A = any_polyhedron(trial % 2 == 0), *B = any_polyhedron(trial % 3 != 0);
        zn_rigid       b = placed(any_vector(1), any_rotation(3));
        for (int k = 0; k < 4; k++) {
            double   gap = uniform(0, 0.015);
            zn_rigid a = k < 1 ? beside(A, B, &b, gap) : flush(A, B, &b, k == 1 ? 0 : k == 2 ? 1e-8 : 1e-2, gap);
            pairs += check_rest(A, &a, B, &b);
        }
        zn_polyhedron_destroy(A);
        zn_polyhedron_destroy(B);
    }
    assert_true(pairs > 3 * poses);
}

// --- pairs that move -----------------------------------------------------------------------------

typedef struct flight {
    const zn_polyhedron *A, *B;
    zn_rigid             a, b;
    zn_vec3              v, w, spin[2];
    double               h;
} flight;

static double apart_after(const flight *f, double t)
{
    zn_rigid a = after(&f->a, f->v, f->spin[0], t), b = after(&f->b, f->w, f->spin[1], t);
    return apart(f->A, &a, f->B, &b);
}

static flight any_flight(const zn_polyhedron *A, const zn_polyhedron *B, double spin, int kind)
{
    flight f = {.A = A, .B = B, .b = placed(any_vector(1), any_rotation(3)), .h = 1e-2};
    double gap = uniform(0, 0.03);
    f.a = kind < 2 ? beside(A, B, &f.b, gap) : flush(A, B, &f.b, kind == 2 ? 0 : 1e-2, gap);
    f.w = any_vector(3);
    f.v = zn_vec3_add(
        f.w, zn_vec3_add(any_vector(2), zn_vec3_scale(uniform(0, 5), zn_vec3_sub(f.b.position, f.a.position))));
    f.spin[0] = any_vector(spin);
    f.spin[1] = any_vector(spin);
    return f;
}

static void ask_flight(const flight *f)
{
    zn_near at = {.A = f->a, .B = f->b, .horizon = f->h, .slack = 1e-3};
    at.a = motion(&f->a, f->v, f->spin[0]);
    at.b = motion(&f->b, f->w, f->spin[1]);
    ask(f->A, f->B, &at);
}

// Of what was listed, after a time: the least gap, and the one nearest to zero.
static double least_gap(const flight *f, double t, double *zero)
{
    zn_rigid a = after(&f->a, f->v, f->spin[0], t), b = after(&f->b, f->w, f->spin[1], t);
    double   least = INFINITY;
    *zero = INFINITY;
    for (int k = 0; k < found.count; k++) {
        double gap = meet_at(f->A, &a, f->B, &b, found.pair[k]).gap;
        least = fmin(least, gap);
        *zero = fmin(*zero, fabs(gap));
    }
    return least;
}

// How far turning takes points off a straight line.
static double bend_of(const flight *f)
{
    double a = zn_vec3_norm(f->spin[0]), b = zn_vec3_norm(f->spin[1]);
    double speed = zn_vec3_norm(zn_vec3_sub(f->v, f->w)) + (a + b) * (f->A->reach + f->B->reach);
    return f->h * f->h * (a * a * f->A->reach + b * b * f->B->reach + 2 * fmax(a, b) * speed);
}

// When they touch first, 1e-12 s early; INFINITY: not within the horizon.
static double first_touch(const flight *f)
{
    enum { LOOKS = 40 };
    double low = 0, high = INFINITY;
    for (int k = 1; k <= LOOKS && high == INFINITY; k++) {
        double t = f->h * k / LOOKS;
        if (apart_after(f, t) < 0)
            high = t;
        else
            low = t;
    }
    while (high < INFINITY && high - low > 1e-13)
        *(apart_after(f, 0.5 * (low + high)) < 0 ? &high : &low) = 0.5 * (low + high);
    return high < INFINITY ? low : INFINITY;
}

// What touches within the horizon is listed, its gap is zero then, and nothing else has held them before.
static int check_flight(const flight *f)
{
    if (apart_after(f, 0) < 1e-9)
        return 0;
    ask_flight(f);
    double zero, t = first_touch(f), least = least_gap(f, t < INFINITY ? t : f->h, &zero), bend = bend_of(f);
    if (t == INFINITY) {
        assert_true(bend > 0 || least >= -1e-9); // who turns may pass a face beside it, by the bend of the way
        return 0;
    }
    if (!(zero <= 1e-9) || !(least >= -1e-9 - bend))
        print_message("touch at %g, least gap %g, nearest %g of %d\n", t, least, zero, found.count);
    assert_true(zero <= 1e-9 && least >= -1e-9 - bend);
    return 1;
}

static void test_straight(void **state)
{
    int touches = 0;
    (void)state;
    for (int trial = 0; trial < poses; trial++) {
        zn_polyhedron *A = any_polyhedron(trial % 2 == 0), *B = any_polyhedron(trial % 3 != 0);
        flight         f = any_flight(A, B, 0, trial % 4);
        touches += check_flight(&f);
        zn_polyhedron_destroy(A);
        zn_polyhedron_destroy(B);
    }
    assert_true(touches > poses / 4);
}

static void test_turning(void **state)
{
    int touches = 0;
    (void)state;
    for (int trial = 0; trial < poses; trial++) {
        zn_polyhedron *A = any_polyhedron(trial % 2 == 0), *B = any_polyhedron(trial % 3 != 0);
        flight         f = any_flight(A, B, trial % 2 ? 1 : 5, trial % 4);
        touches += check_flight(&f);
        zn_polyhedron_destroy(A);
        zn_polyhedron_destroy(B);
    }
    assert_true(touches > poses / 4);
}

// --- known cases ---------------------------------------------------------------------------------

static zn_polyhedron *box_of(double a, double b, double c)
{
    zn_polyhedron *p = NULL;
    assert_int_equal(zn_polyhedron_box((zn_vec3){0, 0, 0}, zn_mat3_identity(), (zn_vec3){a / 2, b / 2, c / 2}, &p),
                     ZN_OK);
    return p;
}

static zn_mat3 about(double x, double y, double z) { return zn_quat_matrix(zn_so3_exp((zn_vec3){x, y, z})); }

// A box of 1 m on another one: asks, and returns how many.
static int ask_boxes(const zn_polyhedron *p, zn_vec3 at, zn_mat3 R, zn_vec3 v, double horizon, double slack)
{
    zn_near near = {
        .A = placed(at, R), .B = placed((zn_vec3){0, 0, 0}, zn_mat3_identity()), .horizon = horizon, .slack = slack};
    near.a = motion(&near.A, v, (zn_vec3){0, 0, 0});
    ask(p, p, &near);
    return found.count;
}

static void test_patches(void **state)
{
    const zn_vec3  still = {0, 0, 0};
    const zn_mat3  one = zn_mat3_identity();
    zn_polyhedron *p = box_of(1, 1, 1);
    (void)state;
    assert_int_equal(ask_boxes(p, (zn_vec3){0, 0, 1}, one, still, 0, 0.01), 4);     // equal and flush: no copies
    assert_int_equal(ask_boxes(p, (zn_vec3){0.3, 0.2, 1}, one, still, 0, 0.01), 4); // 1 + 1 vertices, 2 crossings
    assert_int_equal(ask_boxes(p, (zn_vec3){0.3, 0, 1}, one, still, 0, 0.01), 4);   // sides in a line
    assert_int_equal(ask_boxes(p, (zn_vec3){0, 0, 1}, about(0, 0, pi / 4), still, 0, 0.01), 8);
    assert_int_equal(ask_boxes(p, (zn_vec3){0, 0, 1.02}, one, still, 0, 0.01), 0);
    assert_int_equal(ask_boxes(p, (zn_vec3){0.9999999, 0.9999999, 1}, one, still, 0, 0.01), 4); // hardly a corner
    // corner to corner without a common point
    assert_int_equal(ask_boxes(p, (zn_vec3){1.001, 1.001, 1.001}, one, still, 0, 0.01), 0);
    // an edge across an edge
    assert_int_equal(ask_boxes(p, (zn_vec3){0, 0, 0.5 + sqrt(0.5)}, about(0, pi / 4, 0), still, 0, 0.01), 2);
    zn_polyhedron_destroy(p);
}

// A box slides over the edge of a table: what is listed always spans the part that lies on it.
static void test_over_edge(void **state)
{
    zn_polyhedron *p = box_of(1, 1, 1);
    (void)state;
    for (int k = -100; k <= 100; k++)
        for (int turned = 0; turned < 2; turned++) {
            double x = 0.5 + 0.499 * k / 100 + (turned ? 1e-9 * k : 0), right = -INFINITY, left = INFINITY;
            ask_boxes(p, (zn_vec3){x, 0.1, 1}, about(0, 0, turned ? 1e-3 : 0), (zn_vec3){3, 0, 0}, 1e-3, 1e-3);
            for (int i = 0; i < found.count; i++) {
                zn_rigid         a = placed((zn_vec3){x, 0.1, 1}, about(0, 0, turned ? 1e-3 : 0));
                zn_rigid         b = placed((zn_vec3){0, 0, 0}, zn_mat3_identity());
                zn_feature_place at = meet_at(p, &a, p, &b, found.pair[i]);
                right = fmax(right, at.point.x);
                left = fmin(left, at.point.x);
                assert_true(fabs(at.gap) < 1e-14 && at.normal.z > 1 - 1e-14);
            }
            assert_true(fabs(right - fmin(0.5, x + 0.5)) < 1e-9 && left < x - 0.49);
        }
    zn_polyhedron_destroy(p);
}

// A block rocks on its edges, a tenth of a degree to each side and back: the least gap is the height of its corner.
static void test_rocking(void **state)
{
    zn_polyhedron *p = box_of(1, 1, 1);
    (void)state;
    for (int k = -200; k <= 200; k++) {
        double   angle = 1e-5 * k, least = INFINITY;
        double   height = 0.5 + 0.5 * cos(angle) + 0.5 * fabs(sin(angle));
        zn_rigid a = placed((zn_vec3){0.2, 0, height}, about(0, angle, 0)),
                 b = placed((zn_vec3){0, 0, 0}, zn_mat3_identity());
        ask_boxes(p, a.position, a.rotation, (zn_vec3){0, 0, 0}, 0, 1e-2);
        for (int i = 0; i < found.count; i++)
            least = fmin(least, meet_at(p, &a, p, &b, found.pair[i]).gap);
        double over = 0.2 + 0.5 * cos(angle) - 0.5 * sin(angle); // the corner at the right, beyond the edge at 0.5
        double exact = angle > 0 && over > 0.5 ? (over - 0.5) * sin(angle) : 0; // then the block lies on the edge
        assert_true(found.count >= 4 && fabs(least - exact) < 1e-12);
    }
    zn_polyhedron_destroy(p);
}

// How many of those push up.
static int ask_holding(const zn_polyhedron *p, zn_vec3 at, zn_vec3 v)
{
    zn_rigid a = placed(at, zn_mat3_identity()), b = placed((zn_vec3){0, 0, 0}, zn_mat3_identity());
    int      count = 0;
    ask_boxes(p, at, a.rotation, v, 1e-3, 1e-4);
    for (int i = 0; i < found.count; i++)
        count += meet_at(p, &a, p, &b, found.pair[i]).normal.z > 0.5;
    return count;
}

// Falling past an edge, by a hair beside it or on it, with a horizon that covers it: it is not held in the air. The
// hair may be crossed on the way, either way.
static void test_past_edge(void **state)
{
    zn_polyhedron *p = box_of(1, 1, 1);
    (void)state;
    for (int k = 2; k <= 8; k++) {
        double hair = pow(10, -k), fast = 4e3 * hair;
        assert_int_equal(ask_holding(p, (zn_vec3){1 + hair, 0, 1.005}, (zn_vec3){0, 0, -10}), 0);
        assert_int_equal(ask_holding(p, (zn_vec3){1 - hair, 0, 1.005}, (zn_vec3){0, 0, -10}), 4);
        assert_int_equal(ask_holding(p, (zn_vec3){1 - hair, 0, 1.005}, (zn_vec3){fast, 0, -10}), 0);
        assert_int_equal(ask_holding(p, (zn_vec3){1 + hair, 0, 1.005}, (zn_vec3){-fast, 0, -10}), 4);
    }
    zn_polyhedron_destroy(p);
}

// Inside each other by what a step leaves: the face by which they came, whatever is nearer.
static void test_deep(void **state)
{
    const zn_vec3  way[] = {{0, 0, -4}, {0, 0, 4}, {1, 0, -4}, {-1, 0, -4}, {0, 0, 0}};
    zn_polyhedron *p = box_of(1, 1, 1);
    (void)state;
    for (int k = 0; k < 5; k++)
        for (int near = 0; near < 2; near++) {
            double   x = near && k < 4 ? 0.998 : 0.6; // 2 mm from the edge of the table, and 3 mm deep
            zn_rigid a = placed((zn_vec3){x, 0.2, 0.997}, zn_mat3_identity());
            zn_rigid b = placed((zn_vec3){0, 0, 0}, zn_mat3_identity());
            assert_int_equal(ask_boxes(p, a.position, a.rotation, way[k], 1e-3, 1e-4), 4);
            for (int i = 0; i < 4; i++) {
                zn_feature_place at = meet_at(p, &a, p, &b, found.pair[i]);
                assert_true(fabs(at.gap + 0.003) < 1e-14 && at.normal.z > 1 - 1e-14);
            }
        }
    zn_polyhedron_destroy(p);
}

// Edges of two boxes in each other by half a millimetre; the direction by which they came crosses other edges beyond
// their ends, so that nothing lies about it. What is listed is as deep as they are.
static void test_shallow(void **state)
{
    zn_polyhedron *p = box_of(0.2, 0.2, 0.2);
    double         depth = 0, zero;
    flight         f = {.A = p, .B = p, .h = 1e-3, .v = {1.4725, 2.6259, -0.4073}, .spin = {{-6.2216, 3.352, -2.7239}}};
    (void)state;
    f.a = placed((zn_vec3){-0.189049, 0.212467, 0.165202}, about(-0.785472, 0.848491, 0.673779));
    f.b = placed((zn_vec3){0, 0, 0}, zn_mat3_identity());
    ask_flight(&f);
    depth = -apart(p, &f.a, p, &f.b);
    assert_true(depth > 4e-4 && depth < 6e-4);
    assert_true(found.count > 0 && fabs(least_gap(&f, 0, &zero) + depth) < 1e-12);
    zn_polyhedron_destroy(p);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        poses = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cube),    cmocka_unit_test(test_solids),    cmocka_unit_test(test_points),
        cmocka_unit_test(test_no_hull), cmocka_unit_test(test_rest),      cmocka_unit_test(test_straight),
        cmocka_unit_test(test_turning), cmocka_unit_test(test_patches),   cmocka_unit_test(test_over_edge),
        cmocka_unit_test(test_rocking), cmocka_unit_test(test_past_edge), cmocka_unit_test(test_deep),
        cmocka_unit_test(test_shallow),
    };
    return cmocka_run_group_tests(tests, NULL, free_found);
}
