// Points, balls and rims against cylinders, bores and planes in space: gaps against a search over the rim, rows and
// curvature against finite differences, tangential rows against the velocity of material points; ends; pins in holes;
// what is refused.
#include "contact_derivatives.h"

#include "model/attachment.h"
#include "model/contact/rim.h"
#include "system/system.h"

// --- models --------------------------------------------------------------------------------------

// What carries the point (A) and the surface (B); nodes without mass are fixed, their degrees of freedom exist.
typedef struct bodies {
    zn_node_kind a;
    bool         a_ground, b_ground;
} bodies;

static const bodies pairs[] = {{ZN_FRAME3, false, false}, {ZN_FRAME3, false, true}, {ZN_FRAME3, true, false}};

typedef struct shape {
    zn_surface_kind kind;
    double          radius;
    bool            rim, ring;
    double          taper;
} shape;

static const shape shapes[] = {
    {ZN_SURFACE_CYLINDER, 0, false, false, 0},     {ZN_SURFACE_CYLINDER, 0.7, false, false, 0},
    {ZN_SURFACE_BORE, 0, false, false, 0},         {ZN_SURFACE_BORE, 1.2, false, false, 0},
    {ZN_SURFACE_CYLINDER, 0.9, true, false, 0},    {ZN_SURFACE_CYLINDER, 5.5, true, true, 0},
    {ZN_SURFACE_BORE, 2.2, true, false, 0},        {ZN_SURFACE_PLANE, 1.3, true, false, 0},
    {ZN_SURFACE_CYLINDER, 0.7, false, false, 0.4}, {ZN_SURFACE_CYLINDER, 0, false, false, -0.2},
    {ZN_SURFACE_BORE, 1.2, false, false, 0.3},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, PAIRS = sizeof pairs / sizeof *pairs };

static zn_node_id add_node(zn_model *model, zn_node_kind kind, zn_vec3 position)
{
    zn_node_def node = zn_node_def_default();
    zn_node_id  id = {0};
    node.kind = kind;
    node.position = position;
    node.origin = zn_vec3_make(0.1, -0.2, 0);
    node.rotation = zn_so3_exp(zn_vec3_make(0.4, -0.2, 0.9));
    node.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &node, &id));
    return id;
}

static zn_contact_def make_contact(shape s)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = "rub";
    def.surface = s.kind;
    def.radius = s.radius;
    def.normal = zn_vec3_make(1, 2, -2);
    def.axis = zn_vec3_make(1, -2, 3);
    def.surface_radius = 3.1;
    def.rim = s.rim ? zn_vec3_make(0.7, -1.4, 2) : def.rim;
    if (s.kind == ZN_SURFACE_PLANE) // far from flat, where it has no lowest point
        def.rim = zn_vec3_make(2, 0.3, 0.8);
    def.ring = s.ring;
    def.taper = s.taper;
    def.length = s.taper != 0 ? 1.999 * def.surface_radius / tan(fabs(s.taper)) : 0;
    def.depth = s.taper != 0 ? 100 : 0;
    def.restitution = 0.5;
    def.friction = 0.3;
    def.tangential_restitution = -0.25;
    return def;
}

static zn_model *make_pair(bodies pair, zn_contact_def *def)
{
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    if (pair.a == ZN_FRAME3)
        def->point.at = zn_vec3_make(0.2, -0.3, 0.25);
    def->through = zn_vec3_make(-0.15, 0.35, -0.1);
    if (!pair.a_ground)
        def->point.node = add_node(model, pair.a, zn_vec3_make(0.7, 1.9, 0.4));
    if (!pair.b_ground)
        def->surface_node = add_node(model, ZN_FRAME3, zn_vec3_make(-0.4, -1.2, -0.3));
    return model;
}

// --- the same geometry, written down a second time ----------------------------------------------

static zn_vec3 carried(const zn_system *sys, zn_node_id node, zn_vec3 axis, const double *q)
{
    zn_attachment end = {node, axis}, start = {node, {0, 0, 0}};
    if (node.value > 0 && !zn_node_rotates(sys->layout.node[node.value - 1].kind))
        return axis;
    return zn_vec3_sub(zn_attachment_position(&sys->layout, &end, q), zn_attachment_position(&sys->layout, &start, q));
}

static zn_vec3 unit(zn_vec3 a) { return zn_vec3_scale(1 / zn_vec3_norm(a), a); }

typedef struct place {
    zn_vec3 x, s, e, u; // centre, point of the surface, axis or normal, axis of the rim
    double  r;
    bool    plane;
} place;

static place place_of(const zn_system *sys, const zn_contact_def *def, const double *q)
{
    zn_attachment surface = {def->surface_node, def->through};
    bool          plane = def->surface == ZN_SURFACE_PLANE;
    return (place){.x = zn_attachment_position(&sys->layout, &def->point, q),
                   .s = zn_attachment_position(&sys->layout, &surface, q),
                   .e = unit(carried(sys, def->surface_node, plane ? def->normal : def->axis, q)),
                   .u = carried(sys, def->point.node, def->rim, q),
                   .r = def->radius,
                   .plane = plane};
}

// Distance of a point of the rim from the axis or plane.
static double distance(const place *p, double angle, zn_vec3 *y)
{
    zn_vec3 u = unit(p->u), a = unit(zn_vec3_cross(u, zn_vec3_make(0.3, 0.5, -0.8))), b = zn_vec3_cross(u, a);
    *y = zn_vec3_add(p->x, zn_vec3_add(zn_vec3_scale(p->r * cos(angle), a), zn_vec3_scale(p->r * sin(angle), b)));
    zn_vec3 f = zn_vec3_sub(*y, p->s);
    return p->plane ? zn_vec3_dot(p->e, f) : zn_vec3_norm(zn_vec3_cross(p->e, f));
}

// Its extreme: the best of many points, then by golden section around it.
static double search(const place *p, bool farthest, zn_vec3 *y)
{
    enum { MANY = 720 };
    const double turn = 2 * acos(-1), ratio = (sqrt(5) - 1) / 2;
    double       sign = farthest ? -1 : 1, best = INFINITY, at = 0;
    for (int i = 0; i < MANY; i++) {
        double value = sign * distance(p, turn * i / MANY, y);
        if (value < best)
            best = value, at = turn * i / MANY;
    }
    double low = at - turn / MANY, high = at + turn / MANY;
    while (high - low > 1e-7) {
        double a = high - ratio * (high - low), b = low + ratio * (high - low);
        if (sign * distance(p, a, y) < sign * distance(p, b, y))
            high = b;
        else
            low = a;
    }
    return distance(p, 0.5 * (low + high), y);
}

typedef struct geometry {
    double  gap;
    zn_vec3 n, c;
} geometry;

static geometry expected(const zn_system *sys, const zn_contact_def *def, const double *q)
{
    place    p = place_of(sys, def, q);
    bool     bore = def->surface == ZN_SURFACE_BORE, rim = zn_vec3_norm(def->rim) > 0;
    zn_vec3  y = p.x, f;
    geometry g;
    double   far = rim ? search(&p, bore, &y) : zn_vec3_norm(zn_vec3_cross(p.e, zn_vec3_sub(p.x, p.s)));
    if (p.plane)
        return (geometry){far, p.e, y};
    f = zn_vec3_sub(y, p.s);
    zn_vec3 m = zn_vec3_sub(f, zn_vec3_scale(zn_vec3_dot(f, p.e), p.e));
    double  sign = bore ? -1 : 1;
    if (rim && !bore && (zn_vec3_dot(m, zn_vec3_sub(y, p.x)) > 0) != def->ring)
        sign = -1;
    g.n = zn_vec3_scale(sign / zn_vec3_norm(m), m);
    g.gap = bore ? def->surface_radius - far : sign * far - def->surface_radius;
    g.gap -= rim ? 0 : def->radius;
    if (def->taper != 0) { // the distance from a line of the surface, in the plane through the axis
        double c = cos(def->taper), s = sin(def->taper), along = zn_vec3_dot(f, p.e);
        g.gap = sign * (c * far - s * along - c * def->surface_radius) - def->radius;
        g.n = zn_vec3_scale(sign, zn_vec3_sub(zn_vec3_scale(c / far, m), zn_vec3_scale(s, p.e)));
    }
    g.c = rim ? y : zn_vec3_sub(y, zn_vec3_scale(def->radius, g.n));
    return g;
}

// --- rows ----------------------------------------------------------------------------------------

typedef struct probe {
    contact_probe contacts;
    zn_attachment material;
} probe;

static void position_of(void *user, const double *q, double *out)
{
    probe  *p = user;
    zn_vec3 x = zn_attachment_position(&p->contacts.sys->layout, &p->material, q);
    out[0] = x.x, out[1] = x.y, out[2] = x.z;
}

// Velocity of the material point of a node that is at c, by differences of its position.
static zn_vec3 material_velocity(probe *p, zn_node_id node, zn_vec3 c, const double *q, const double *v)
{
    const zn_system *sys = p->contacts.sys;
    if (node.value == 0)
        return (zn_vec3){0, 0, 0};
    zn_attachment centre = {node, {0, 0, 0}};
    zn_vec3       lever = zn_vec3_sub(c, zn_attachment_position(&sys->layout, &centre, q));
    double        rate[3];
    p->material = centre;
    if (zn_node_rotates(sys->layout.node[node.value - 1].kind))
        p->material.at = zn_vec3_make(zn_vec3_dot(lever, carried(sys, node, zn_vec3_make(1, 0, 0), q)),
                                      zn_vec3_dot(lever, carried(sys, node, zn_vec3_make(0, 1, 0), q)),
                                      zn_vec3_dot(lever, carried(sys, node, zn_vec3_make(0, 0, 1), q)));
    derivative_along(sys, position_of, p, q, v, 3, rate);
    return zn_vec3_make(rate[0], rate[1], rate[2]);
}

static double times(const contact_probe *p, int row, const double *v)
{
    double entry[FIXTURE_MAX], sum = 0;
    probe_row(p, row, entry);
    for (int k = 0; k < zn_system_get_info(p->sys).n_all; k++)
        sum += entry[k] * v[k];
    return sum;
}

static void check_contact(probe *p, const zn_contact_def *def, const double *q, const double *v)
{
    const zn_contact_set *set = p->contacts.set;
    geometry              g = expected(p->contacts.sys, def, q);
    place                 at = place_of(p->contacts.sys, def, q);
    CHECK_NEAR(set->gap[0], g.gap, 1e-13);
    CHECK_NEAR(set->restitution[0], 0.5, 0);
    CHECK_NEAR(set->friction[0], 0.3, 0);
    CHECK_NEAR(set->tangential_restitution[0], -0.25, 0);
    zn_vec3 U = zn_vec3_sub(material_velocity(p, def->point.node, g.c, q, v),
                            material_velocity(p, def->surface_node, g.c, q, v));
    double  normal = times(&p->contacts, 0, v), first = times(&p->contacts, 1, v), second = times(&p->contacts, 2, v);
    CHECK_NEAR(normal, zn_vec3_dot(g.n, U), 1e-6); // of the search
    CHECK_NEAR(first * first + second * second + normal * normal, zn_vec3_dot(U, U), 1e-5);
    if (!at.plane && def->taper == 0) {
        CHECK_NEAR(first, zn_vec3_dot(at.e, U), 1e-5);
        CHECK_NEAR(second, zn_vec3_dot(zn_vec3_cross(g.n, at.e), U), 1e-5);
    }
}

static void check_pair(bodies pair, shape s, double reach, uint64_t *seed)
{
    zn_contact_def def = make_contact(s);
    zn_model      *model = make_pair(pair, &def);
    CHECK_OK(zn_model_add_contact(model, &def));
    fixture f = compile_fixture(model);
    probe   p = {.contacts.sys = f.sys};
    int     n_all = f.sys->info.n_all;
    CHECK_OK(zn_contact_set_create(f.sys, &p.contacts.set));
    for (int trial = 0; trial < 5; trial++) {
        double q[FIXTURE_MAX], dq[FIXTURE_MAX], v[FIXTURE_MAX];
        random_fill(seed, reach, n_all, dq);
        random_fill(seed, 1, n_all, v);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        CHECK_OK(zn_contact_set_refresh(p.contacts.set, f.sys, q, 0));
        assert_int_equal(p.contacts.set->count, 1);
        assert_int_equal(p.contacts.set->stride, 3);
        check_contact(&p, &def, q, v);
        p.contacts.from = q;
        p.contacts.lambda = (double[3]){1, 2, 3};
        check_no_slip(&p.contacts, q, false);
        check_contact_rows(&p.contacts, q, v, 1e-9);
        check_contact_curvature(&p.contacts, q, v, 2e-8);
    }
    zn_contact_set_destroy(p.contacts.set);
    destroy_fixture(&f);
}

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < PAIRS; i++)
        for (int k = 0; k < SHAPES; k++)
            check_pair(pairs[i], shapes[k], k == 6 ? 0.3 : 0.5, &seed);
    for (int k = 0; k < 4; k++) // balls may be on masses that do not turn
        check_pair((bodies){ZN_POINT3, false, false}, shapes[k], 0.5, &seed);
}

// Circles of all tilts and places: the point that is found is the extreme one, also where several are near to it.
static void test_extreme(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int trial = 0; trial < 300; trial++) {
        bool    far = trial % 2;
        double  tilt = pow(10, -1 - 2 * fabs(random_unit(&seed))), off = pow(10, -4 * fabs(random_unit(&seed)));
        zn_vec3 e = unit(zn_vec3_make(random_unit(&seed), random_unit(&seed), random_unit(&seed)));
        zn_vec3 aside = zn_vec3_make(random_unit(&seed), random_unit(&seed), random_unit(&seed));
        zn_vec3 u = trial % 5 == 0 ? unit(aside) : unit(zn_vec3_add(e, zn_vec3_scale(tilt, aside)));
        place   p = {.x = zn_vec3_scale(off, unit(zn_vec3_cross(e, aside))), .e = e, .u = u, .r = 1.5};
        zn_vec3 y, w = zn_rim_extreme(u, e, p.x, p.r, far);
        zn_vec3 m = zn_vec3_cross(e, zn_vec3_add(p.x, zn_vec3_scale(p.r, w)));
        CHECK_NEAR(zn_vec3_norm(w), 1, 1e-15);
        CHECK_NEAR(zn_vec3_dot(w, u), 0, 1e-15);
        CHECK_NEAR(zn_vec3_norm(m), search(&p, far, &y), 1e-13);
    }
}

// --- centres, ends, pins -------------------------------------------------------------------------

// A body 'pin' at (x, y, z), turned about x, with a contact.
static fixture make_body(zn_contact_def *def, zn_vec3 at, double tilt, log_capture *log)
{
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), log);
    zn_body_def body = zn_body_def_default();
    body.name = "pin";
    body.mass = 1;
    body.inertia3 = zn_mat3_identity();
    body.position = at;
    body.rotation = zn_so3_exp(zn_vec3_make(tilt, 0, 0));
    CHECK_OK(zn_model_add_body(model, &body, &def->point.node));
    CHECK_OK(zn_model_add_contact(model, def));
    return compile_fixture(model);
}

static zn_contact_def make_simple(zn_surface_kind kind, double radius, bool rim)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = "rub";
    def.surface = kind;
    def.axis = zn_vec3_make(0, 0, 2);
    def.surface_radius = 0.5;
    def.radius = radius;
    def.friction = 0.1;
    def.rim = rim ? zn_vec3_make(0, 0, 3) : def.rim;
    return def;
}

// On the axis of a bore there is no direction: any will do, and nothing may become NaN.
static void test_centre(void **state)
{
    (void)state;
    static const double offset[] = {0, 1e-300, 1e-160, 1e-20}, tilt[] = {0, 1e-17, 0.1};
    for (int k = 0; k < 24; k++) {
        zn_contact_def def = make_simple(ZN_SURFACE_BORE, 0.4, k < 12);
        zn_vec3        at = zn_vec3_make(offset[k % 4], 0, 0.7);
        fixture        f = make_body(&def, at, tilt[k / 4 % 3], NULL);
        contact_probe  p = {.sys = f.sys, .lambda = (double[3]){1, 2, 3}};
        double         x[6] = {1, 2, 3, 4, 5, 6}, y[6];
        CHECK_OK(zn_contact_set_create(f.sys, &p.set));
        CHECK_OK(zn_contact_set_refresh(p.set, f.sys, f.sys->q0, 0));
        CHECK_NEAR(p.set->gap[0], 0.1, 1e-15); // of a tilted rim its longer axis counts
        CHECK_NEAR(hypot(p.set->row_value[0], p.set->row_value[1]), 1, 1e-15);
        CHECK_OK(zn_contact_set_curvature(p.set, f.sys, f.sys->q0, 0, p.lambda, x, y));
        for (int i = 0; i < p.set->row_start[3]; i++)
            assert_true(isfinite(p.set->row_value[i]));
        for (int i = 0; i < 6; i++)
            assert_true(isfinite(y[i]));
        zn_contact_set_destroy(p.set);
        destroy_fixture(&f);
    }
}

static void test_axis(void **state)
{
    (void)state;
    log_capture     log = {0};
    zn_contact_def  def = make_simple(ZN_SURFACE_CYLINDER, 0, false);
    fixture         f = make_body(&def, zn_vec3_make(0, 0, 3), 0, &log);
    zn_contact_set *set;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_STATUS(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0), ZN_INVALID_STATE);
    CHECK_LOGGED(&log, "contact 'rub': the point is on the axis of the cylinder");
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// A small clearance between large circles: the gap has the digits of the clearance, not of the circles.
static void test_digits(void **state)
{
    (void)state;
    for (int ring = 0; ring < 2; ring++) {
        zn_contact_def  def = make_simple(ring ? ZN_SURFACE_CYLINDER : ZN_SURFACE_BORE, 1, true);
        zn_contact_set *set;
        def.ring = ring;
        def.radius = ring ? 1 + 0x1p-30 : 1;
        def.surface_radius = ring ? 1 : 1 + 0x1p-30;
        fixture f = make_body(&def, zn_vec3_make(0x1p-32, 0, 0), 0, NULL);
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
        CHECK_NEAR(set->gap[0] / 0x1p-30, 0.75, 1e-9); // rounding of the row; the formula is exact
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

static int count_at(zn_contact_def def, zn_vec3 at, double tilt)
{
    fixture         f = make_body(&def, at, tilt, NULL);
    zn_contact_set *set;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
    int count = set->count;
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
    return count;
}

// Beyond the ends nothing is met; what is behind the surface without having come through it is not, unless said.
static void test_ends(void **state)
{
    (void)state;
    zn_contact_def bore = make_simple(ZN_SURFACE_BORE, 0.1, false), rim = make_simple(ZN_SURFACE_BORE, 0.4, true);
    bore.length = rim.length = 2;
    assert_int_equal(count_at(bore, zn_vec3_make(0.3, 0, 0.99), 0), 1);
    assert_int_equal(count_at(bore, zn_vec3_make(0.3, 0, -1.01), 0), 0);
    assert_int_equal(count_at(bore, zn_vec3_make(0.9, 0, 0.5), 0), 0);  // outside the tube
    assert_int_equal(count_at(bore, zn_vec3_make(0.49, 0, 0.5), 0), 1); // its centre is inside
    assert_int_equal(count_at(bore, zn_vec3_make(0.51, 0, 0.5), 0), 0);
    bore.depth = 0.6;
    assert_int_equal(count_at(bore, zn_vec3_make(0.9, 0, 0.5), 0), 1);
    assert_int_equal(count_at(bore, zn_vec3_make(1.1, 0, 0.5), 0), 0);
    // the contact point of a rim counts: turned about x, that on the side of y is raised
    assert_int_equal(count_at(rim, zn_vec3_make(0, 0.05, 0.99), 0), 1);
    assert_int_equal(count_at(rim, zn_vec3_make(0, 0.05, 0.99), 0.1), 0);
    assert_int_equal(count_at(rim, zn_vec3_make(0, 0.05, 0.99), -0.1), 1);
    zn_contact_def ring = make_simple(ZN_SURFACE_CYLINDER, 0.6, true);
    ring.ring = true;
    ring.length = 2;
    assert_int_equal(count_at(ring, zn_vec3_make(0.59, 0, 0.5), 0), 1); // the axis is in the ring
    assert_int_equal(count_at(ring, zn_vec3_make(0.61, 0, 0.5), 0), 0);
    zn_contact_def disc = make_simple(ZN_SURFACE_PLANE, 0.4, true);
    disc.normal = zn_vec3_make(0, 1, 0);
    disc.length = disc.breadth = 1;
    disc.along = zn_vec3_make(1, 0, 0);
    assert_int_equal(count_at(disc, zn_vec3_make(0.49, 0.5, 0), 0), 1);
    assert_int_equal(count_at(disc, zn_vec3_make(0.51, 0.5, 0), 0), 0);
}

// Gaps of a shaft in a hole of length 1 at z = 0: rims of the pin, then those of the hole; tilted about x by a.
static int pin_gaps(double length, double z, double tilt, double gap[4], int id[4])
{
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_pin_def  pin = zn_pin_def_default();
    body.mass = 1;
    body.inertia3 = zn_mat3_identity();
    body.position = zn_vec3_make(0.01, 0, z);
    body.rotation = zn_so3_exp(zn_vec3_make(tilt, 0, 0));
    CHECK_OK(zn_model_add_body(model, &body, &pin.pin.node));
    pin.pin_axis = pin.hole_axis = zn_vec3_make(0, 0, 2);
    pin.pin_radius = 0.2;
    pin.hole_radius = 0.25;
    pin.pin_length = length;
    pin.hole_length = 1;
    CHECK_OK(zn_model_add_pin(model, &pin));
    fixture         f = compile_fixture(model);
    zn_contact_set *set;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
    int count = set->count;
    for (int i = 0; i < count; i++) {
        gap[i] = set->gap[i];
        id[i] = (int)zn_contact_id_number(set->id[i]);
    }
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
    return count;
}

static void test_pin(void **state)
{
    (void)state;
    double gap[4];
    int    id[4];
    assert_int_equal(pin_gaps(2, 0, 0, gap, id), 2); // longer than the hole: rims of the hole
    assert_true(id[0] == 2 && id[1] == 3);
    CHECK_NEAR(gap[0], 0.04, 1e-15);
    assert_int_equal(pin_gaps(0.5, 0, 0, gap, id), 2); // shorter
    assert_true(id[0] == 0 && id[1] == 1);
    CHECK_NEAR(gap[1], 0.04, 1e-15);
    assert_int_equal(pin_gaps(1, 0, 0, gap, id), 2); // as long: the rims of the hole, not both
    assert_true(id[0] == 2 && id[1] == 3);
    assert_int_equal(pin_gaps(1, 0.1, 0, gap, id), 2); // moved: one of each
    assert_true(id[0] == 0 && id[1] == 3);
    assert_int_equal(pin_gaps(0, 5, 0, gap, id), 2);   // without end
    assert_int_equal(pin_gaps(2, 1.6, 0, gap, id), 0); // has left its hole
    // tilted by a about x, x = 0.01: the end of the pin is at y = -+ sin(a)/4, the ellipse has half axes 0.2, 0.2 cos a
    double a = 0.05, worst = 0;
    for (int i = 0; i < 100000; i++) {
        double t = 2 * acos(-1) * i / 100000;
        worst = fmax(worst, hypot(0.01 + 0.2 * cos(t), 0.25 * sin(a) + 0.2 * cos(a) * sin(t)));
    }
    assert_int_equal(pin_gaps(0.5, 0, a, gap, id), 2);
    CHECK_NEAR(gap[0], 0.25 - worst, 1e-9);
    CHECK_NEAR(gap[1], 0.25 - worst, 1e-9);
}

// --- what is refused -----------------------------------------------------------------------------

static void refuse(bool planar, zn_contact_def def, zn_status status, const char *message)
{
    log_capture log = {0};
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), &log);
    zn_body_def body = zn_body_def_default();
    body.mass = 1;
    body.inertia3 = planar || strstr(message, "point mass") ? body.inertia3 : zn_mat3_identity();
    CHECK_OK(zn_model_add_body(model, &body, &def.point.node));
    CHECK_STATUS(zn_model_add_contact(model, &def), status);
    CHECK_LOGGED(&log, message);
    zn_model_destroy(model);
}

static void test_refused(void **state)
{
    (void)state;
    const zn_contact_def bore = make_simple(ZN_SURFACE_BORE, 0.4, true);
    zn_contact_def       def = bore;
    refuse(true, def, ZN_ERR_UNSUPPORTED, "contact 'rub': cylinders, bores and rims are in space");
    def.radius = 0.5;
    refuse(false, def, ZN_ERR_MODEL, "the rim of radius 0.5 m does not fit in the bore of radius 0.5 m");
    def.rim = zn_vec3_make(0, 0, 0);
    refuse(false, def, ZN_ERR_MODEL, "the ball of radius 0.5 m does not fit in the bore of radius 0.5 m");
    def = bore, def.ring = true;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': a ring is around a cylinder only");
    def.surface = ZN_SURFACE_CYLINDER;
    refuse(false, def, ZN_ERR_MODEL, "the ring of radius 0.4 m does not go around the cylinder of radius 0.5 m");
    def.rim = zn_vec3_make(0, 0, 0);
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': a ring needs a rim");
    def = bore, def.rim.x = NAN;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': the axis of its rim is not finite");
    def = bore, def.surface = ZN_SURFACE_HOLE;
    refuse(false, def, ZN_ERR_UNSUPPORTED, "contact 'rub': rims meet planes, cylinders and bores only");
    def = bore, def.radius = 0;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': the radius 0 m of its rim is not positive");
    def = bore, def.axis = zn_vec3_make(0, 0, 0);
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': the cylinder has no direction");
    def = bore, def.surface_radius = NAN;
    refuse(false, def, ZN_ERR_MODEL, "of its surface is not positive");
    def = bore, def.length = -1;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': the length -1 m of its surface is not at least 0");
    def = bore, def.length = 1, def.depth = -1;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': the depth -1 m is not at least 0");
    def = bore, def.taper = 0.1, def.length = 1;
    refuse(false, def, ZN_ERR_UNSUPPORTED, "contact 'rub': rims do not meet cones");
    def.rim = zn_vec3_make(0, 0, 0), def.length = 10;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': a cone has a length and ends before its apex, 4.98");
    def.taper = 2;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': the taper of 2 rad is not below 1.5 rad");
    def = bore, def.surface_node.value = 1;
    refuse(false, def, ZN_ERR_MODEL, "contact 'rub': point and surface are on the same body");
    refuse(false, bore, ZN_ERR_MODEL, "contact 'rub': a point mass has no rim");
}

static void refuse_pin(bool planar, zn_pin_def def, const char *message)
{
    log_capture log = {0};
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), &log);
    zn_body_def body = zn_body_def_default();
    zn_node_id  node;
    body.mass = 1;
    body.inertia3 = planar || strstr(message, "point mass") ? body.inertia3 : zn_mat3_identity();
    CHECK_OK(zn_model_add_body(model, &body, &node));
    assert_true(zn_model_add_pin(model, &def) != ZN_OK);
    CHECK_LOGGED(&log, message);
    zn_model_destroy(model);
}

static void test_pin_refused(void **state)
{
    (void)state;
    zn_pin_def good = zn_pin_def_default(), def;
    good.name = "journal";
    good.pin.node.value = 1;
    good.pin_axis = good.hole_axis = zn_vec3_make(0, 0, 1);
    good.pin_radius = 0.1;
    good.hole_radius = 0.2;
    good.hole_length = 1;
    refuse_pin(true, good, "contact 'journal': pins are in space");
    def = good, def.pin.node.value = 0;
    refuse_pin(false, def, "contact 'journal': pin and hole are on the same body");
    def = good, def.pin.node.value = 5;
    refuse_pin(false, def, "contact 'journal': no such node");
    def = good, def.pin_radius = 0.2;
    refuse_pin(false, def, "contact 'journal': the pin of radius 0.2 m does not fit in the hole of radius 0.2 m");
    def = good, def.hole_length = 0;
    refuse_pin(false, def, "contact 'journal': neither its pin nor its hole has a length");
    def = good, def.pin_length = -1;
    refuse_pin(false, def, "contact 'journal': the length -1 m of its pin is not at least 0");
    def = good, def.pin_axis = zn_vec3_make(0, 0, 0);
    refuse_pin(false, def, "contact 'journal': the pin has no direction");
    def = good, def.friction = -1;
    refuse_pin(false, def, "contact 'journal': friction -1 is not at least 0");
    def = good, def.pin_length = 1; // of a point mass
    refuse_pin(false, def, "contact 'journal': a point mass has no pin");
    def = good, def.size = 0;
    refuse_pin(false, def, "zn_pin_def: not made");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives), cmocka_unit_test(test_extreme), cmocka_unit_test(test_centre),
        cmocka_unit_test(test_axis),        cmocka_unit_test(test_digits),  cmocka_unit_test(test_ends),
        cmocka_unit_test(test_pin),         cmocka_unit_test(test_refused), cmocka_unit_test(test_pin_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
