// Points and circles against surfaces of moving bodies and the ground: gaps against closed forms, normal rows and
// curvature against finite differences, tangential rows against the velocity of material points.
#include "contact_derivatives.h"

#include "model/attachment.h"
#include "system/system.h"

// --- models --------------------------------------------------------------------------------------

// What carries the point (A) and the surface (B).
typedef struct bodies {
    zn_node_kind a, b;
    bool         ground; // instead of b
    bool         fixed;  // the ground instead of a
} bodies;

static const bodies planar_pairs[] = {{ZN_FRAME2, ZN_FRAME2, false, false}, {ZN_FRAME2, ZN_POINT2, false, false},
                                      {ZN_POINT2, ZN_FRAME2, false, false}, {ZN_FRAME2, ZN_FRAME2, true, false},
                                      {ZN_POINT2, ZN_POINT2, true, false},  {ZN_FRAME2, ZN_FRAME2, false, true}};
static const bodies spatial_pairs[] = {{ZN_FRAME3, ZN_FRAME3, false, false},
                                       {ZN_POINT3, ZN_FRAME3, false, false},
                                       {ZN_FRAME3, ZN_POINT3, true, false},
                                       {ZN_FRAME3, ZN_FRAME3, false, true}};

// Nodes without mass are fixed; their degrees of freedom exist all the same. One body can move.
static zn_node_id add_node(zn_model *model, zn_node_kind kind, zn_vec3 position)
{
    zn_node_def node = zn_node_def_default();
    zn_node_id  id = {0};
    bool        planar = kind == ZN_POINT2 || kind == ZN_FRAME2;
    node.kind = kind;
    node.position = position;
    node.position.z = planar ? 0 : position.z;
    node.origin = zn_vec3_make(0.1, -0.2, 0);
    node.angle = kind == ZN_FRAME2 ? 0.3 : 0;
    node.rotation = zn_so3_exp(zn_vec3_make(0.4, -0.2, 0.9));
    node.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &node, &id));
    return id;
}

static zn_model *make_pair(bodies pair, zn_contact_def *def)
{
    bool        planar = pair.a == ZN_POINT2 || pair.a == ZN_FRAME2;
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    if (!pair.fixed)
        def->point.node = add_node(model, pair.a, zn_vec3_make(0.7, 1.9, 0.4));
    if (pair.a == ZN_FRAME2 || pair.a == ZN_FRAME3)
        def->point.at = zn_vec3_make(0.2, -0.3, planar ? 0 : 0.25);
    if (!pair.ground)
        def->surface_node = add_node(model, pair.b, zn_vec3_make(-0.4, -1.2, -0.3));
    if (pair.ground || pair.b == ZN_FRAME2 || pair.b == ZN_FRAME3)
        def->through = zn_vec3_make(-0.15, 0.35, planar ? 0 : -0.1);
    return model;
}

static zn_contact_def make_contact(zn_surface_kind kind, double radius, bool planar)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = "rub";
    def.surface = kind;
    def.radius = radius;
    def.normal = zn_vec3_make(1, 2, planar ? 0 : -2);
    def.axis = zn_vec3_make(3, 4, 0);
    def.width = 0.9;
    def.surface_radius = 0.6;
    def.restitution = 0.5;
    def.friction = 0.3;
    def.tangential_restitution = -0.25;
    return def;
}

// --- the same geometry, written down a second time ----------------------------------------------

typedef struct geometry {
    double  gap;
    zn_vec3 n, c;
} geometry;

// An axis in the body of B, turned to the world: difference of two carried points.
static zn_vec3 carried(const zn_system *sys, zn_node_id node, zn_vec3 axis, const double *q)
{
    if (node.value == 0 || !zn_node_rotates(sys->layout.node[node.value - 1].kind))
        return axis;
    zn_attachment end = {node, axis}, start = {node, {0, 0, 0}};
    return zn_vec3_sub(zn_attachment_position(&sys->layout, &end, q), zn_attachment_position(&sys->layout, &start, q));
}

static geometry expected(const zn_system *sys, const zn_contact_def *def, int number, const double *q)
{
    zn_attachment surface = {def->surface_node, def->through};
    zn_vec3       x = zn_attachment_position(&sys->layout, &def->point, q);
    zn_vec3       d = zn_vec3_sub(x, zn_attachment_position(&sys->layout, &surface, q));
    double        length = zn_vec3_norm(d), r = def->radius;
    zn_vec3       normal = carried(sys, def->surface_node, def->normal, q);
    zn_vec3       axis = carried(sys, def->surface_node, def->axis, q);
    zn_vec3       left = zn_vec3_scale(1 / zn_vec3_norm(axis), zn_vec3_make(-axis.y, axis.x, 0));
    geometry      g;
    switch (def->surface) {
    case ZN_SURFACE_PLANE:
        g.n = zn_vec3_scale(1 / zn_vec3_norm(normal), normal);
        g.gap = zn_vec3_dot(g.n, d) - r;
        break;
    case ZN_SURFACE_CIRCLE:
        g.n = zn_vec3_scale(1 / length, d);
        g.gap = length - def->surface_radius - r;
        break;
    case ZN_SURFACE_HOLE:
        g.n = zn_vec3_scale(-1 / length, d);
        g.gap = def->surface_radius - r - length;
        break;
    default: // left of the axis first
        g.n = zn_vec3_scale(number == 0 ? -1 : 1, left);
        g.gap = def->width / 2 - r - (number == 0 ? 1 : -1) * zn_vec3_dot(left, d);
    }
    g.c = zn_vec3_sub(x, zn_vec3_scale(r, g.n));
    return g;
}

// --- what is compared ----------------------------------------------------------------------------

typedef struct probe {
    contact_probe contacts;
    zn_attachment material; // for velocities
} probe;

static void position_of(void *user, const double *q, double *out)
{
    probe  *p = user;
    zn_vec3 x = zn_attachment_position(&p->contacts.sys->layout, &p->material, q);
    out[0] = x.x, out[1] = x.y, out[2] = x.z;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// Velocity of the material point of a node that is at c, by differences of its position.
static zn_vec3 material_velocity(probe *p, zn_node_id node, zn_vec3 c, const double *q, const double *v)
{
    if (node.value == 0)
        return (zn_vec3){0, 0, 0};
    zn_attachment centre = {node, {0, 0, 0}};
    zn_vec3       lever = zn_vec3_sub(c, zn_attachment_position(&p->contacts.sys->layout, &centre, q));
    p->material = centre;
    if (zn_node_rotates(p->contacts.sys->layout.node[node.value - 1].kind)) // R' lever, axis by axis
        p->material.at =
            zn_vec3_make(zn_vec3_dot(lever, carried(p->contacts.sys, node, zn_vec3_make(1, 0, 0), q)),
                         zn_vec3_dot(lever, carried(p->contacts.sys, node, zn_vec3_make(0, 1, 0), q)),
                         p->contacts.sys->info.planar
                             ? 0
                             : zn_vec3_dot(lever, carried(p->contacts.sys, node, zn_vec3_make(0, 0, 1), q)));
    double rate[3];
    derivative_along(p->contacts.sys, position_of, p, q, v, 3, rate);
    return zn_vec3_make(rate[0], rate[1], rate[2]);
}

// Spin of a node in world axes: how its axes turn, w = sum of e x de / 2.
static zn_vec3 spin_of(probe *p, zn_node_id node, const double *q, const double *v)
{
    const zn_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    zn_vec3       sum = {0, 0, 0}, centre = {0, 0, 0};
    if (node.value == 0 || !zn_node_rotates(p->contacts.sys->layout.node[node.value - 1].kind))
        return sum;
    zn_attachment origin = {node, centre};
    zn_vec3       x = zn_attachment_position(&p->contacts.sys->layout, &origin, q);
    zn_vec3       still = material_velocity(p, node, x, q, v);
    for (int k = 0; k < (p->contacts.sys->info.planar ? 2 : 3); k++) {
        zn_vec3 e = carried(p->contacts.sys, node, axes[k], q);
        zn_vec3 de = zn_vec3_sub(material_velocity(p, node, zn_vec3_add(x, e), q, v), still);
        sum = zn_vec3_add(sum, zn_vec3_scale(0.5, zn_vec3_cross(e, de)));
    }
    return sum;
}

// Rows of rolling and spinning; returns how many there are.
static int turning_rows(probe *p, const zn_contact_def *def, int i, zn_vec3 n, const double *q, const double *v)
{
    const zn_contact_set *set = p->contacts.set;
    bool                  planar = p->contacts.sys->info.planar;
    zn_vec3               w = zn_vec3_sub(spin_of(p, def->point.node, q, v), spin_of(p, def->surface_node, q, v));
    double                row[FIXTURE_MAX], squares = 0, last = 0;
    int                   count = planar ? 1 : 3;
    CHECK_NEAR(set->rolling[i], 0.01, 0);
    CHECK_NEAR(set->spinning[i], planar ? 0 : 0.02, 0);
    for (int r = set->stride - count; r < set->stride; r++) {
        probe_row(&p->contacts, i * set->stride + r, row);
        last = dot(p->contacts.sys->info.n_all, row, v);
        squares += last * last;
    }
    CHECK_NEAR(last, planar ? w.z : zn_vec3_dot(n, w), 1e-9);
    CHECK_NEAR(squares, zn_vec3_dot(w, w), 1e-8);
    return count;
}

static void check_contact(probe *p, const zn_contact_def *def, int i, const double *q, const double *v)
{
    geometry g = expected(p->contacts.sys, def, i, q);
    int      n_all = p->contacts.sys->info.n_all, stride = p->contacts.set->stride;
    double   row[FIXTURE_MAX], tangents = 0;
    CHECK_NEAR(p->contacts.set->gap[i], g.gap, 1e-14);
    CHECK_NEAR(p->contacts.set->restitution[i], 0.5, 0);
    CHECK_NEAR(p->contacts.set->friction[i], 0.3, 0);
    CHECK_NEAR(p->contacts.set->tangential_restitution[i], -0.25, 0);
    CHECK_NEAR(p->contacts.set->rate[i], 0, 0);
    assert_false(p->contacts.set->bilateral[i]);
    zn_vec3 U = zn_vec3_sub(material_velocity(p, def->point.node, g.c, q, v),
                            material_velocity(p, def->surface_node, g.c, q, v));
    probe_row(&p->contacts, i * stride, row);
    double normal = dot(n_all, row, v);
    CHECK_NEAR(normal, zn_vec3_dot(g.n, U), 1e-10);
    for (int r = 1; r < stride - (def->rolling_friction > 0 ? turning_rows(p, def, i, g.n, q, v) : 0); r++) {
        probe_row(&p->contacts, i * stride + r, row);
        double U_t = dot(n_all, row, v);
        tangents += U_t * U_t;
        if (p->contacts.sys->info.planar) // n turned by +90 degrees
            CHECK_NEAR(U_t, -g.n.y * U.x + g.n.x * U.y, 1e-10);
    }
    CHECK_NEAR(tangents, zn_vec3_dot(U, U) - normal * normal, 1e-9); // n and the tangents are orthonormal
}

static void check_pair(bodies pair, zn_surface_kind kind, double radius, bool rolling, uint64_t *seed)
{
    bool           planar = pair.a == ZN_POINT2 || pair.a == ZN_FRAME2;
    zn_contact_def def = make_contact(kind, radius, planar);
    zn_model      *model = make_pair(pair, &def);
    bool           round = kind == ZN_SURFACE_CIRCLE || kind == ZN_SURFACE_HOLE;
    bool           exact = !round && (planar || (radius == 0 && !rolling)); // the tangential displacement
    int            turns = rolling ? (planar ? 1 : 3) : 0;
    def.rolling_friction = rolling ? 0.01 : 0;
    def.spinning_friction = rolling && !planar ? 0.02 : 0;
    CHECK_OK(zn_model_add_contact(model, &def));
    fixture f = compile_fixture(model);
    probe   p = {.contacts.sys = f.sys};
    int     n_all = f.sys->info.n_all;
    CHECK_OK(zn_contact_set_create(f.sys, &p.contacts.set));
    for (int trial = 0; trial < 5; trial++) {
        double q[FIXTURE_MAX], dq[FIXTURE_MAX], v[FIXTURE_MAX], from[FIXTURE_MAX];
        random_fill(seed, 0.8, n_all, dq);
        random_fill(seed, 1, n_all, v);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        CHECK_OK(zn_contact_set_refresh(p.contacts.set, f.sys, q, 0));
        assert_int_equal(p.contacts.set->count, kind == ZN_SURFACE_SLOT ? 2 : 1);
        assert_int_equal(p.contacts.set->stride, (planar ? 2 : 3) + turns);
        for (int i = 0; i < p.contacts.set->count; i++)
            check_contact(&p, &def, i, q, v);
        random_fill(seed, 0.8, n_all, dq);
        zn_system_retract(f.sys, f.sys->q0, dq, from);
        p.contacts.from = exact ? from : q;
        p.contacts.lambda = (double[12]){1, 2, 3, -4, 5, -6, 2, 1, -3, 4, 6, 5};
        check_no_slip(&p.contacts, q, exact);
        check_contact_rows(&p.contacts, q, v, 1e-10);
        check_contact_curvature(&p.contacts, q, v, 2e-9);
    }
    zn_contact_set_destroy(p.contacts.set);
    destroy_fixture(&f);
}

// Does either of the two turn?
static bool turns(bodies pair)
{
    return pair.a == ZN_FRAME2 || pair.b == ZN_FRAME2 || pair.a == ZN_FRAME3 || pair.b == ZN_FRAME3;
}

static void test_planar(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t i = 0; i < sizeof planar_pairs / sizeof *planar_pairs; i++)
        for (int kind = ZN_SURFACE_PLANE; kind <= ZN_SURFACE_SLOT; kind++)
            for (int round = 0; round < 3; round++)
                check_pair(planar_pairs[i], (zn_surface_kind)kind, round ? 0.25 : 0,
                           round == 2 && turns(planar_pairs[i]), &seed);
}

static void test_spatial(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t i = 0; i < sizeof spatial_pairs / sizeof *spatial_pairs; i++)
        for (int kind = ZN_SURFACE_PLANE; kind <= ZN_SURFACE_HOLE; kind++)
            for (int round = 0; round < 3; round++)
                check_pair(spatial_pairs[i], (zn_surface_kind)kind, round ? 0.25 : 0,
                           round == 2 && turns(spatial_pairs[i]), &seed);
}

// Without friction there is one row, whatever the tangential restitution.
static void test_frictionless(void **state)
{
    (void)state;
    for (int kind = ZN_SURFACE_PLANE; kind <= ZN_SURFACE_SLOT; kind++) {
        zn_contact_def def = make_contact((zn_surface_kind)kind, 0.1, true);
        zn_model      *model = make_pair(planar_pairs[0], &def);
        def.friction = 0;
        CHECK_OK(zn_model_add_contact(model, &def));
        fixture         f = compile_fixture(model);
        zn_contact_set *set;
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
        assert_int_equal(set->stride, 1);
        CHECK_NEAR(set->friction[0], 0, 0);
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

// The centre of a node on a plane without friction: its gap, asked for alone as well, and rows by differences.
static void test_central(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (size_t i = 0; i < sizeof spatial_pairs / sizeof *spatial_pairs; i++) {
        zn_contact_def def = make_contact(ZN_SURFACE_PLANE, 0, false);
        zn_model      *model = make_pair(spatial_pairs[i], &def);
        double         q[FIXTURE_MAX], dq[FIXTURE_MAX], v[FIXTURE_MAX], gap;
        def.friction = def.tangential_restitution = 0;
        def.point.at = zn_vec3_make(0, 0, 0);
        CHECK_OK(zn_model_add_contact(model, &def));
        fixture       f = compile_fixture(model);
        contact_probe p = {.sys = f.sys};
        CHECK_OK(zn_contact_set_create(f.sys, &p.set));
        for (int trial = 0; trial < 5; trial++) {
            random_fill(&seed, 0.8, f.sys->info.n_all, dq);
            random_fill(&seed, 1, f.sys->info.n_all, v);
            zn_system_retract(f.sys, f.sys->q0, dq, q);
            CHECK_OK(zn_contact_set_refresh(p.set, f.sys, q, 0));
            CHECK_OK(zn_contact_set_gaps(p.set, f.sys, q, 0, &gap));
            CHECK_NEAR(p.set->gap[0], expected(f.sys, &def, 0, q).gap, 1e-14);
            CHECK_NEAR(gap, p.set->gap[0], 0);
            CHECK_NEAR(p.set->restitution[0], 0.5, 0);
            p.from = q;
            p.lambda = (double[1]){2};
            check_contact_rows(&p, q, v, 1e-10);
            check_contact_curvature(&p, q, v, 2e-9);
        }
        zn_contact_set_destroy(p.set);
        destroy_fixture(&f);
    }
}

// --- known places --------------------------------------------------------------------------------

// A body 'pin' at (x, y) and a surface of the ground.
static fixture make_pin(zn_contact_def *def, double x, double y, log_capture *log)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), log);
    zn_body_def pin = zn_body_def_default();
    pin.name = "pin";
    pin.mass = 1;
    pin.inertia = 1;
    pin.position = zn_vec3_make(x, y, 0);
    CHECK_OK(zn_model_add_body(model, &pin, &def->point.node));
    CHECK_OK(zn_model_add_contact(model, def));
    return compile_fixture(model);
}

static void test_slot_gaps(void **state)
{
    (void)state;
    zn_contact_def  def = zn_contact_def_default();
    zn_contact_set *set;
    def.surface = ZN_SURFACE_SLOT;
    def.axis = zn_vec3_make(5, 0, 0);
    def.width = 1;
    def.radius = 0.2;
    def.through = zn_vec3_make(1, 2, 0);
    fixture f = make_pin(&def, 7, 2.1, NULL); // 0.1 above the axis
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
    assert_int_equal(set->count, 2);
    CHECK_NEAR(set->gap[0], 0.2, 1e-15); // the upper side
    CHECK_NEAR(set->gap[1], 0.4, 1e-15);
    CHECK_NEAR(set->row_value[1], -1, 0); // going up closes it
    CHECK_NEAR(set->row_value[set->row_start[1] + 1], 1, 0);
    assert_string_equal(zn_contact_name(f.sys, set->id[0]), "contact_2");
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// In the centre of a hole there is no direction: any will do, and nothing may become NaN.
static void test_hole_centre(void **state)
{
    (void)state;
    static const double offset[] = {0, 1e-300, 1e-160, 1e-20};
    for (size_t k = 0; k < sizeof offset / sizeof *offset; k++) {
        zn_contact_def  def = zn_contact_def_default();
        zn_contact_set *set;
        def.surface = ZN_SURFACE_HOLE;
        def.surface_radius = 0.5;
        def.radius = 0.4;
        def.friction = 0.1;
        fixture f = make_pin(&def, 0, 0, NULL);
        double  x[3] = {1, 2, 3}, y[3], q[3] = {offset[k], 0, 0};
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
        CHECK_NEAR(set->gap[0], 0.1, 1e-15);
        CHECK_NEAR(hypot(set->row_value[0], set->row_value[1]), 1, 1e-15);
        for (int i = 0; i < set->row_start[2]; i++)
            assert_true(isfinite(set->row_value[i]));
        CHECK_OK(zn_contact_set_curvature(set, f.sys, q, 0, (double[2]){1, 1}, x, y));
        for (int i = 0; i < 3; i++)
            assert_true(isfinite(y[i]));
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

static void test_circle_centre(void **state)
{
    (void)state;
    log_capture     log = {0};
    zn_contact_def  def = zn_contact_def_default();
    zn_contact_set *set;
    double          gap, x[3] = {0}, y[3];
    def.name = "rub";
    def.surface = ZN_SURFACE_CIRCLE;
    def.surface_radius = 0.5;
    def.through = zn_vec3_make(1, 2, 0);
    fixture f = make_pin(&def, 1, 2, &log);
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_STATUS(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0), ZN_INVALID_STATE);
    CHECK_LOGGED(&log, "contact 'rub': the point is in the centre of the circle");
    CHECK_STATUS(zn_contact_set_gaps(set, f.sys, f.sys->q0, 0, &gap), ZN_INVALID_STATE);
    CHECK_STATUS(zn_contact_set_curvature(set, f.sys, f.sys->q0, 0, (double[1]){1}, x, y), ZN_INVALID_STATE);
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// A plane of the ground and the same plane carried by a body that rests give the same.
static void test_ground_plane(void **state)
{
    (void)state;
    zn_contact_def fixed = make_contact(ZN_SURFACE_PLANE, 0.2, true), moving = fixed;
    zn_model      *model = make_pair(planar_pairs[3], &fixed);
    zn_node_def    frame = zn_node_def_default();
    frame.kind = ZN_FRAME2;
    frame.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &frame, &moving.surface_node));
    moving.name = "again";
    moving.point = fixed.point;
    moving.through = fixed.through;
    CHECK_OK(zn_model_add_contact(model, &fixed));
    CHECK_OK(zn_model_add_contact(model, &moving));
    fixture         f = compile_fixture(model);
    zn_contact_set *set;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
    CHECK_NEAR(set->gap[0], set->gap[1], 1e-15);
    for (int r = 0; r < 2; r++)
        for (int k = 0; k < 3; k++) {
            int first = set->row_start[r] + k, second = set->row_start[2 + r] + k;
            assert_int_equal(set->row_dof[first], set->row_dof[second]);
            CHECK_NEAR(set->row_value[first], set->row_value[second], 1e-15);
        }
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// --- what is refused -----------------------------------------------------------------------------

static void refuse(zn_contact_def def, zn_status status, const char *message)
{
    log_capture log = {0};
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
    zn_body_def body = zn_body_def_default();
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, &def.point.node));
    def.name = "rub";
    CHECK_STATUS(zn_model_add_contact(model, &def), status);
    CHECK_LOGGED(&log, message);
    zn_model_destroy(model);
}

static void test_refused(void **state)
{
    (void)state;
    const zn_contact_def good = make_contact(ZN_SURFACE_PLANE, 0, true);
    zn_contact_def       def = good;
    def.friction = -1;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': friction -1 is not at least 0");
    def = good, def.friction = NAN;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': friction");
    def = good, def.tangential_restitution = 1.1;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': tangential restitution 1.1 is not in [-1, 1]");
    def = good, def.radius = -0.1;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': radius -0.1 m is not at least 0");
    def = good, def.surface_node.value = 1;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': point and surface are on the same body");
    def = good, def.surface_node.value = 7;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': no such node");
    def = good, def.surface = ZN_SURFACE_CIRCLE, def.surface_radius = 0;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': the radius 0 m of its surface is not positive");
    def = good, def.surface = ZN_SURFACE_HOLE, def.radius = 0.6;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': a hole of radius 0.6 m is too small for radius 0.6 m");
    def = good, def.surface = ZN_SURFACE_SLOT, def.radius = 0.45;
    refuse(def, ZN_ERR_MODEL, "contact 'rub': a slot of width 0.9 m is too small for radius 0.45 m");
    def = good, def.surface = ZN_SURFACE_SLOT, def.axis = zn_vec3_make(0, 0, 0);
    refuse(def, ZN_ERR_MODEL, "contact 'rub': the slot has no direction");
    def = good, def.surface = (zn_surface_kind)9;
    refuse(def, ZN_ERR_ARGUMENT, "contact 'rub': no such surface");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar),        cmocka_unit_test(test_spatial),      cmocka_unit_test(test_frictionless),
        cmocka_unit_test(test_central),       cmocka_unit_test(test_slot_gaps),    cmocka_unit_test(test_hole_centre),
        cmocka_unit_test(test_circle_centre), cmocka_unit_test(test_ground_plane), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
