// Cylinders against every shape that they meet, near touching. The judge is a proof in quadruple precision, for each
// pose anew: two points of the shapes are no nearer than the shapes, and a normal along which all of one shape is above
// all of the other by s says that they are no nearer than s. A contact whose points are in the shapes and whose gap is
// that s for its normal is therefore the distance; no other contact may be below it.
#include "check.h"

#include <stdlib.h>

#include "mesh_samples.h"
#include "model/contact/hull.h"
#include "model/contact/meet.h"
#include "model/contact/polyhedron.h"
#include "model/contact/shape_cylinder.h"
#include "quad.h"

static int poses = 300;

static double part(uint64_t *rng) { return (1 + draw(rng)) / 2; }

static zn_vec3 direction(uint64_t *rng)
{
    for (;;) {
        zn_vec3 v = {draw(rng), draw(rng), draw(rng)};
        double  length = zn_vec3_norm(v);
        if (length > 0.1 && length < 1)
            return zn_vec3_scale(1 / length, v);
    }
}

static zn_quat rotation(uint64_t *rng) { return zn_so3_exp(zn_vec3_scale(3 * part(rng), direction(rng))); }

// --- shapes --------------------------------------------------------------------------------------

typedef struct figure {
    zn_pair_shape  s;
    zn_rigid       body;
    zn_polyhedron *solid;
    zn_mesh_shape *mesh; // its skin, as a shape in its place
} figure;

static void clear(figure *f)
{
    zn_polyhedron_destroy(f->solid);
    zn_mesh_shape_destroy(f->mesh);
}

static zn_mesh_shape *skin_of(const zn_polyhedron *p)
{
    zn_hull     hull = {0};
    const char *why;
    CHECK_OK(zn_hull_create(p->vertices, p->vertex, &hull, &why));
    sample         s = {p->vertices, hull.count, p->vertex, hull.triangle[0]};
    zn_mesh_shape *m = sample_mesh(&s);
    assert_non_null(m);
    free(hull.triangle);
    return m;
}

static figure make(zn_shape_kind kind, double radius, double length, zn_quat turn, zn_vec3 at)
{
    figure f = {.s = {.ops = zn_shape_ops_of(kind), .kind = kind, .name = "it", .at = at, .radius = radius}};
    f.s.length = length;
    f.s.axes = zn_quat_matrix(turn);
    f.s.half = (zn_vec3){radius, radius + length, 0.7 * radius};
    f.s.normal = (zn_vec3){f.s.axes.m[0][2], f.s.axes.m[1][2], f.s.axes.m[2][2]};
    f.body.rotation = zn_mat3_identity();
    if (kind == ZN_SHAPE_BOX || (kind == ZN_SHAPE_MESH && length < 0.4)) {
        CHECK_OK(zn_polyhedron_box(at, f.s.axes, f.s.half, &f.solid));
    } else if (kind == ZN_SHAPE_HULL || kind == ZN_SHAPE_MESH) {
        const char *why;
        zn_vec3     point[12];
        uint64_t    rng = 7;
        for (int i = 0; i < 12; i++)
            point[i] = zn_vec3_scale(radius + length / 2, direction(&rng));
        CHECK_OK(zn_polyhedron_hull(at, f.s.axes, 12, point, &f.solid, &why));
    }
    f.s.data = f.solid;
    if (kind == ZN_SHAPE_MESH)
        f.s.data = f.mesh = skin_of(f.solid);
    return f;
}

static quad3 turned(const zn_mat3 *m, quad3 x, bool back)
{
    quad in[3] = {x.x, x.y, x.z}, out[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i] += (back ? m->m[j][i] : m->m[i][j]) * in[j];
    return (quad3){out[0], out[1], out[2]};
}

static quad3 axis_of(const figure *f) { return quad_unit(quad_of(zn_cylinder_axis(&f->s))); }

// The farthest point of a shape along n, in the axes of its body.
static quad3 farthest_own(const figure *f, quad3 n)
{
    quad3 at = quad_of(f->s.at), axis = axis_of(f), best = at;
    quad  up = quad_dot(n, axis), side = up < 0 ? -f->s.length / 2 : f->s.length / 2;
    quad3 flat = quad_sub(n, quad_scale(up, axis));
    if (f->solid) {
        best = quad_of(f->solid->vertex[0]);
        for (int i = 1; i < f->solid->vertices; i++)
            if (quad_dot(n, quad_of(f->solid->vertex[i])) > quad_dot(n, best))
                best = quad_of(f->solid->vertex[i]);
        return best;
    }
    if (f->s.kind != ZN_SHAPE_CYLINDER)
        flat = n;
    if (f->s.kind != ZN_SHAPE_SPHERE)
        best = quad_add(at, quad_scale(side, axis));
    return quad_norm(flat) > 0 ? quad_add(best, quad_scale(f->s.radius / quad_norm(flat), flat)) : best;
}

static quad3 farthest(const figure *f, quad3 n)
{
    return quad_add(quad_of(f->body.position),
                    turned(&f->body.rotation, farthest_own(f, turned(&f->body.rotation, n, true)), false));
}

// How far a is above b along n.
static double above(const figure *a, const figure *b, quad3 n)
{
    quad3 low = farthest(a, quad_scale(-1, n));
    if (b->s.kind == ZN_SHAPE_PLANE)
        return (double)quad_dot(
            n, quad_sub(low, quad_add(quad_of(b->body.position), turned(&b->body.rotation, quad_of(b->s.at), false))));
    return (double)quad_dot(n, quad_sub(low, farthest(b, n)));
}

// How far x is outside of a shape.
static double outside(const figure *f, quad3 x)
{
    quad3 y = turned(&f->body.rotation, quad_sub(x, quad_of(f->body.position)), true), axis = axis_of(f);
    quad3 d = quad_sub(y, quad_of(f->s.at));
    quad  worst = -1, z = quad_dot(d, axis), half = f->s.length / 2;
    for (int i = 0; f->solid && i < f->solid->faces; i++) {
        quad over = quad_dot(quad_of(f->solid->face[i].normal), y) - f->solid->face[i].offset;
        worst = over > worst ? over : worst;
    }
    if (f->solid)
        return (double)worst;
    if (f->s.kind == ZN_SHAPE_PLANE)
        return (double)quad_dot(quad_of(f->s.normal), d);
    if (f->s.kind == ZN_SHAPE_SPHERE)
        return (double)(quad_norm(d) - f->s.radius);
    if (f->s.kind == ZN_SHAPE_CAPSULE) {
        z = z > half ? half : z < -half ? -half : z;
        return (double)(quad_norm(quad_sub(d, quad_scale(z, axis))) - f->s.radius);
    }
    quad beside = quad_norm(quad_sub(d, quad_scale(z, axis))) - f->s.radius, over = quad_abs(z) - half;
    return (double)(beside > over ? beside : over);
}

// --- poses ---------------------------------------------------------------------------------------

// They touch first: a feature of the other shape, a normal that it has, a point of it; then the cylinder with a point
// that has the opposite normal. Then they are moved apart along it.
typedef struct touch {
    zn_vec3 n, x; // in the axes of the solid's body
} touch;

static zn_vec3 unit(zn_vec3 a) { return zn_vec3_scale(1 / zn_vec3_norm(a), a); }

static touch on_face(const zn_polyhedron *p, uint64_t *rng)
{
    const zn_polyhedron_face *f = &p->face[(int)(part(rng) * p->faces)];
    zn_vec3                   x = {0, 0, 0};
    double                    sum = 0;
    for (int i = 0; i < f->count; i++) {
        double w = part(rng);
        x = zn_vec3_add(x, zn_vec3_scale(w, p->vertex[p->corner[f->first + i]])), sum += w;
    }
    return (touch){f->normal, zn_vec3_scale(1 / sum, x)};
}

static touch on_edge(const zn_polyhedron *p, uint64_t *rng)
{
    const zn_polyhedron_edge *e = &p->edge[(int)(part(rng) * p->edges)];
    zn_vec3 n = zn_vec3_add(zn_vec3_scale(part(rng), p->face[e->face[0]].normal), p->face[e->face[1]].normal);
    return (touch){unit(n), zn_vec3_add(p->vertex[e->vertex[0]], zn_vec3_scale(part(rng) * e->length, e->along))};
}

static touch on_vertex(const zn_polyhedron *p, uint64_t *rng)
{
    int     v = (int)(part(rng) * p->vertices);
    zn_vec3 n = {0, 0, 0};
    for (int i = 0; i < p->edges; i++)
        for (int k = 0; k < 2; k++)
            if (p->edge[i].vertex[0] == v || p->edge[i].vertex[1] == v)
                n = zn_vec3_add(n, zn_vec3_scale(part(rng), p->face[p->edge[i].face[k]].normal));
    return (touch){unit(n), p->vertex[v]};
}

// A point of a round shape with its normal: somewhere, on its line, on its cap.
static touch on_round(const figure *f, uint64_t *rng)
{
    zn_vec3 any = direction(rng), u = zn_cylinder_axis(&f->s);
    int     kind = f->s.kind == ZN_SHAPE_SPHERE || f->s.length == 0 ? 0 : (int)(3 * part(rng));
    if (kind == 1) {
        zn_vec3 n = unit(zn_vec3_cross(u, any)), x = zn_vec3_add(f->s.at, zn_vec3_scale(f->s.radius, n));
        return (touch){n, zn_vec3_add(x, zn_vec3_scale(0.49 * f->s.length * draw(rng), u))};
    }
    if (kind == 2 && f->s.kind == ZN_SHAPE_CYLINDER) {
        zn_vec3 x = zn_vec3_add(f->s.at, zn_vec3_scale(f->s.length / 2, u));
        return (touch){u, zn_vec3_add(x, zn_vec3_scale(0.96 * f->s.radius * draw(rng), unit(zn_vec3_cross(u, any))))};
    }
    return (touch){any, quad_round(farthest_own(f, quad_of(any)))};
}

static touch touch_of(const figure *f, int kind, uint64_t *rng)
{
    if (f->s.kind == ZN_SHAPE_PLANE)
        return (touch){f->s.normal, f->s.at};
    if (!f->solid)
        return on_round(f, rng);
    return kind == 0                ? on_face(f->solid, rng)
           : kind == 1 || kind == 3 ? on_edge(f->solid, rng)
                                    : on_vertex(f->solid, rng);
}

// Turns the body of the cylinder so that its axis is along u in world axes.
static void turn_axis(figure *a, zn_vec3 u, uint64_t *rng)
{
    zn_vec3 x = unit(zn_vec3_cross(u, direction(rng))), y = zn_vec3_cross(u, x);
    zn_mat3 to = {{{x.x, y.x, u.x}, {x.y, y.y, u.y}, {x.z, y.z, u.z}}};
    a->body.rotation = zn_mat3_product(to, zn_mat3_transpose(a->s.axes));
}

// The cylinder touches with its rim (kinds 0 and 1), its cap (2) or its mantle.
static void place(figure *a, figure *b, double gap, uint64_t *rng)
{
    int kind = (int)(part(rng) * 5);
    if (a->s.length == 0 && kind > 2)
        kind -= 2;
    touch t = touch_of(b, kind, rng);
    b->body.rotation = zn_quat_matrix(rotation(rng));
    b->body.position = (zn_vec3){draw(rng), draw(rng), draw(rng)};
    a->body.position = (zn_vec3){0, 0, 0};
    zn_vec3 n = zn_rigid_vector(&b->body, t.n), x = zn_rigid_point(&b->body, t.x), any = direction(rng);
    turn_axis(a, kind == 2 ? n : kind > 2 ? unit(zn_vec3_cross(n, any)) : any, rng);
    zn_vec3 low = quad_round(farthest(a, quad_of(zn_vec3_scale(-1, n)))), centre = zn_rigid_point(&a->body, a->s.at);
    zn_vec3 u = zn_rigid_vector(&a->body, zn_cylinder_axis(&a->s)), side = unit(zn_vec3_cross(n, any));
    if (kind > 2) // any point of the line
        low = zn_vec3_add(zn_vec3_add(centre, zn_vec3_scale(-a->s.radius, n)),
                          zn_vec3_scale(0.49 * a->s.length * draw(rng), u));
    if (kind == 2) // any point of the cap; against lines within the chords, which stand for a rim that lies flat
        low = zn_vec3_add(zn_vec3_add(centre, zn_vec3_scale(-a->s.length / 2, n)),
                          zn_vec3_scale((b->solid ? 1 : 0.96) * a->s.radius * draw(rng), side));
    a->body.position = zn_vec3_add(zn_vec3_sub(x, low), zn_vec3_scale(gap, n));
}

// --- contacts ------------------------------------------------------------------------------------

typedef struct contact {
    zn_feature_place at;
    int              number[2];
} contact;

enum { MOST = 200 };

static int find(const figure *a, const figure *b, double slack, contact *out)
{
    zn_feature_list list = {0};
    bool            swapped;
    zn_meet        *meet = zn_meet_of(a->s.kind, b->s.kind, false, &swapped);
    const figure   *first = swapped ? b : a, *second = swapped ? a : b;
    zn_near         at = {.A = first->body, .B = second->body, .horizon = 1e-3, .slack = slack};
    assert_non_null(meet);
    CHECK_OK(meet(&first->s, &second->s, &at, &list));
    for (int i = 0; i < list.count && i < MOST; i++) {
        int        k[2] = {zn_feature_first(list.pair[i]), zn_feature_second(list.pair[i])};
        int        of_a = swapped ? k[1] : k[0], of_b = swapped ? k[0] : k[1];
        zn_feature fa = {.kind = ZN_FEATURE_POINT, .at = a->s.at, .radius = a->s.radius}, fb = fa;
        fb.at = b->s.at, fb.radius = b->s.radius;
        if (!a->s.ops->sphere)
            assert_true(a->s.ops->feature(&a->s, of_a, false, &fa));
        if (!b->s.ops->sphere)
            assert_true(b->s.ops->feature(&b->s, of_b, false, &fb));
        fa = zn_feature_at(&a->body, &fa), fb = zn_feature_at(&b->body, &fb);
        assert_true(zn_feature_meet(&fa, &fb, &out[i].at));
        out[i].number[0] = of_a, out[i].number[1] = of_b;
        // points of the surfaces: the radii are part of the shapes
        out[i].at.on[0] = zn_vec3_add(out[i].at.on[0], zn_vec3_scale(-fa.radius, out[i].at.normal));
        out[i].at.on[1] = zn_vec3_add(out[i].at.on[1], zn_vec3_scale(fb.radius, out[i].at.normal));
    }
    free(list.pair);
    return list.count;
}

// Is it proved that the smallest gap is the distance, to this tolerance?
static bool prove(const figure *a, const figure *b, int count, const contact *c, double tolerance)
{
    double distance = INFINITY;
    for (int i = 0; i < count; i++) {
        double s = above(a, b, quad_unit(quad_of(c[i].at.normal)));
        double off = fmax(outside(a, quad_of(c[i].at.on[0])), outside(b, quad_of(c[i].at.on[1])));
        if (fabs(s - c[i].at.gap) <= tolerance && off <= tolerance)
            distance = fmin(distance, c[i].at.gap);
    }
    for (int i = 0; i < count; i++)
        if (!(c[i].at.gap >= distance - tolerance))
            return false;
    return count > 0;
}

// A rim that is nearly flat says where its point is no better than 1e-16 over its angle: such poses are few.
typedef struct tally {
    int poses, rough;
} tally;

static void check_pose(const figure *a, const figure *b, double slack, tally *t)
{
    contact c[MOST];
    int     count = find(a, b, slack, c);
    assert_in_range(count, 1, MOST);
    for (int i = 0; i < count; i++)
        assert_true(c[i].at.gap < slack);
    t->poses++;
    if (prove(a, b, count, c, 1e-14))
        return;
    t->rough++;
    assert_true(prove(a, b, count, c, 1e-11));
}

static void try_kind(zn_shape_kind kind, double length, uint64_t seed)
{
    uint64_t rng = seed;
    tally    t = {0, 0};
    for (int i = 0; i < poses; i++) {
        zn_vec3 at = zn_vec3_scale(0.3 * part(&rng), direction(&rng));
        double  thick = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.2 : 2; // disc, coin, rod
        figure  a = make(ZN_SHAPE_CYLINDER, 0.3 + part(&rng), thick, rotation(&rng), at);
        figure  b = make(kind, 0.3 + part(&rng), length, rotation(&rng), zn_vec3_scale(-0.5, at));
        place(&a, &b, (b.solid ? 1e-7 : 1e-3) * (1 + 5 * part(&rng)), &rng);
        check_pose(&a, &b, 0.02, &t);
        if (kind != ZN_SHAPE_PLANE)
            check_pose(&b, &a, 0.02, &t);
        clear(&b);
    }
    assert_true(t.rough <= 1 + 0.03 * t.poses);
}

static void test_plane(void **state)
{
    (void)state;
    try_kind(ZN_SHAPE_PLANE, 0, 1);
}

static void test_sphere(void **state)
{
    (void)state;
    try_kind(ZN_SHAPE_SPHERE, 0, 2);
}

static void test_capsule(void **state)
{
    (void)state;
    try_kind(ZN_SHAPE_CAPSULE, 1, 3);
}

static void test_cylinder(void **state)
{
    (void)state;
    try_kind(ZN_SHAPE_CYLINDER, 1, 4);
    try_kind(ZN_SHAPE_CYLINDER, 0, 5);
}

static void test_box(void **state)
{
    (void)state;
    try_kind(ZN_SHAPE_BOX, 0.5, 6);
}

static void test_hull(void **state)
{
    (void)state;
    try_kind(ZN_SHAPE_HULL, 0.5, 7);
}

static void test_mesh(void **state)
{
    (void)state;
    try_kind(ZN_SHAPE_MESH, 0.5, 8);
    try_kind(ZN_SHAPE_MESH, 0.2, 9);
}

// --- known poses ---------------------------------------------------------------------------------

static const zn_quat none = {1, 0, 0, 0};
static const zn_vec3 middle = {0, 0, 0};

static double smallest(int count, const contact *c)
{
    double gap = INFINITY;
    for (int i = 0; i < count; i++)
        gap = fmin(gap, c[i].at.gap);
    return gap;
}

// From standing over the rim to lying: the smallest gap is the height of the lowest point, but where corners stand for
// the rim, and there it is above by what a chord is.
static void test_tilting(void **state)
{
    (void)state;
    figure  a = make(ZN_SHAPE_CYLINDER, 0.5, 2, none, middle), b = make(ZN_SHAPE_PLANE, 1, 0, none, middle);
    contact c[MOST];
    double  quarter = acos(0.0);
    for (int i = 0; i <= 400; i++) {
        double tilt = i == 0 ? 0 : i == 400 ? quarter : quarter * pow(10, -6 + 6 * i / 400.0);
        a.body.rotation = zn_quat_matrix(zn_so3_exp((zn_vec3){tilt * cos(0.13), tilt * sin(0.13), 0}));
        a.body.position = (zn_vec3){0.3, -0.2, cos(tilt) + 0.5 * sin(tilt) + 1e-3};
        int    count = find(&a, &b, 0.02, c);
        double off = smallest(count, c) - 1e-3;
        assert_true(count >= 1);
        CHECK_NEAR(off, 0, tilt < 1e-3 ? 0.5 * tilt * (1 - cos(quarter / 6)) + 1e-15 : 4e-16);
        if (tilt == 0)
            assert_int_equal(count, 12);
        if (tilt == quarter)
            assert_int_equal(count, 2); // both ends of its lowest line
    }
}

// A can on a can of the same size: its corners once, not twice.
static void test_stack(void **state)
{
    (void)state;
    figure  a = make(ZN_SHAPE_CYLINDER, 0.5, 2, none, middle), b = a;
    contact c[MOST];
    a.body.position.z = 2;
    assert_int_equal(find(&a, &b, 0.01, c), 12);
    CHECK_NEAR(smallest(12, c), 0, 0);
    a.body.rotation = zn_quat_matrix(zn_so3_exp((zn_vec3){0, 0, 0.2})); // corners of both
    assert_int_equal(find(&a, &b, 0.01, c), 24);
    a.body.position.x = 0.6; // the overlap is a lens, which has two corners
    int    count = find(&a, &b, 0.01, c);
    double low = 0, high = 0;
    for (int i = 0; i < count; i++) {
        CHECK_NEAR(c[i].at.normal.z, 1, 1e-15);
        CHECK_NEAR(c[i].at.gap, 0, 1e-15);
        low = fmin(low, c[i].at.point.y), high = fmax(high, c[i].at.point.y);
    }
    CHECK_NEAR(high, 0.4, 0.02); // that of the circles is at sqrt(0.5^2 - 0.3^2)
    CHECK_NEAR(low, -0.4, 0.02);
}

// Two rollers side by side, the shorter one within the length of the other: both ends of the line.
static void test_parallel(void **state)
{
    (void)state;
    figure  a = make(ZN_SHAPE_CYLINDER, 0.5, 1, none, middle), b = make(ZN_SHAPE_CYLINDER, 0.25, 3, none, middle);
    contact c[MOST];
    a.body.position = (zn_vec3){0.75 + 1e-4, 0, 0.3};
    assert_int_equal(find(&a, &b, 0.01, c), 2);
    for (int i = 0; i < 2; i++) {
        CHECK_NEAR(c[i].at.gap, 1e-4, 4e-16);
        CHECK_NEAR(fabs(c[i].at.point.z - 0.3), 0.5, 1e-15);
    }
    b.s.length = 1, a.body.position.z = 0; // of equal length: not four
    assert_int_equal(find(&a, &b, 0.01, c), 2);
}

// A can that hangs over the edge of a table rests on the edge, not on its last corner on the table.
static void test_overhang(void **state)
{
    (void)state;
    figure  a = make(ZN_SHAPE_CYLINDER, 0.5, 1, none, middle), b = make(ZN_SHAPE_BOX, 2, 1, none, middle);
    contact c[MOST];
    for (int k = 0; k < 20; k++) {
        double over = 0.04 * k - 0.4;
        a.body.position = (zn_vec3){2 + over, 0.1, 0.5 + 1.4};
        a.body.rotation = zn_quat_matrix(zn_so3_exp((zn_vec3){0, 0, 0.3 * k}));
        int    count = find(&a, &b, 0.01, c);
        double right = -INFINITY;
        for (int i = 0; i < count; i++) {
            CHECK_NEAR(c[i].at.gap, 0, 1e-15);
            right = fmax(right, c[i].at.point.x);
        }
        CHECK_NEAR(right, 2, 1e-15);
        assert_true(count >= 3);
    }
    zn_polyhedron_destroy(b.solid);
}

// Beside the table, falling: its top does not hold what comes past it, its side is near.
static void test_past_an_edge(void **state)
{
    (void)state;
    figure          a = make(ZN_SHAPE_CYLINDER, 0.5, 1, none, middle), b = make(ZN_SHAPE_BOX, 2, 1, none, middle);
    zn_feature_list list = {0};
    int             top = 0;
    a.body.position = (zn_vec3){2.5 + 1e-4, 0, 1.4 + 0.5 + 1e-3};
    zn_near at = {.A = a.body, .B = b.body, .horizon = 1e-2, .slack = 1e-3};
    at.a.origin.z = -5;
    CHECK_OK(zn_meet_of(ZN_SHAPE_CYLINDER, ZN_SHAPE_BOX, false, &(bool){0})(&a.s, &b.s, &at, &list));
    for (int i = 0; i < list.count; i++) {
        zn_feature f;
        zn_polyhedron_feature(b.solid, zn_feature_second(list.pair[i]), &f);
        top += f.kind == ZN_FEATURE_FACE && f.along.z > 0.5;
    }
    assert_int_equal(top, 0);
    free(list.pair);
    zn_polyhedron_destroy(b.solid);
}

// A capsule along the tangent of a rim.
static void test_along_the_rim(void **state)
{
    (void)state;
    double  quarter = acos(0.0), half = sqrt(0.5), way = half * (0.1 + 1e-4);
    zn_quat lying = zn_so3_exp((zn_vec3){-quarter, 0, 0});
    figure  a = make(ZN_SHAPE_CYLINDER, 0.5, 1, none, middle), b = make(ZN_SHAPE_CAPSULE, 0.1, 1, lying, middle);
    contact c[MOST];
    b.body.position = (zn_vec3){0.5 + way, 0, 0.5 + way};
    assert_int_equal(find(&a, &b, 0.01, c), 1);
    CHECK_NEAR(c[0].at.gap, 1e-4, 2e-16);
    CHECK_NEAR(c[0].at.normal.x, -half, 1e-15);
    CHECK_NEAR(c[0].at.normal.z, -half, 1e-15);
}

// A box that touches the mantle with an edge whose lower end is 5 mm below the cap: it is not in the cap.
static void test_below_a_cap(void **state)
{
    (void)state;
    zn_quat turned_box = zn_so3_exp((zn_vec3){0, 0, acos(0.0) / 2});
    figure  a = make(ZN_SHAPE_CYLINDER, 0.5, 1, none, middle), b = make(ZN_SHAPE_BOX, 0.2, 0, turned_box, middle);
    contact c[MOST];
    b.body.position = (zn_vec3){0.5 + 0.2 * sqrt(2), 0, 0.495 + 0.14};
    int count = find(&a, &b, 0.02, c);
    assert_in_range(count, 1, MOST);
    for (int i = 0; i < count; i++)
        assert_true(c[i].at.gap > -1e-15);
    clear(&b);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        poses = atoi(argv[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),         cmocka_unit_test(test_sphere),       cmocka_unit_test(test_capsule),
        cmocka_unit_test(test_cylinder),      cmocka_unit_test(test_box),          cmocka_unit_test(test_hull),
        cmocka_unit_test(test_tilting),       cmocka_unit_test(test_stack),        cmocka_unit_test(test_parallel),
        cmocka_unit_test(test_overhang),      cmocka_unit_test(test_past_an_edge), cmocka_unit_test(test_mesh),
        cmocka_unit_test(test_along_the_rim), cmocka_unit_test(test_below_a_cap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
