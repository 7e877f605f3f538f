// Rigid bodies in space under every scheme of the event-capturing family: the free asymmetric top against its closed
// form, balls and boxes on a floor, tops and pendulums on joints, repeated equations, tied corners, and the ledger.
#include "scheme_fixtures.h"

#include "zn/sim.h"

enum { SCHEMES = 5 };
static const char *const schemes[SCHEMES] = {"moreau_jean", "schatzman_paoli", "trapezoidal", "direct_projection",
                                             "combined_projection"};
enum { MOREAU_JEAN, SCHATZMAN_PAOLI, TRAPEZOIDAL, DIRECT, COMBINED };

static zn_model *spatial_model(double gravity)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    def.gravity = zn_vec3_make(0, 0, -gravity);
    CHECK_OK(zn_model_create(&def, &model));
    return model;
}

static zn_mat3 diagonal(double x, double y, double z) { return (zn_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

static zn_body_def body_named(const char *name, double mass, zn_mat3 inertia)
{
    zn_body_def def = zn_body_def_default();
    def.name = name;
    def.mass = mass;
    def.inertia3 = inertia;
    return def;
}

static zn_vec3 angular_momentum(const rig *r)
{
    double  scratch[64];
    zn_vec3 linear, angular;
    CHECK_OK(
        zn_system_momentum(r->sys, (zn_at){r->state->q, r->state->v, r->state->t, 0}, -1, scratch, &linear, &angular));
    return angular;
}

static double distance(zn_vec3 a, zn_vec3 b) { return zn_vec3_norm(zn_vec3_sub(a, b)); }

// --- the free asymmetric top ---------------------------------------------------------------------

// Jacobi's sn, cn, dn by descending Landen transformation.
static void jacobi(double u, double k2, double *sn, double *cn, double *dn)
{
    double a[20] = {1}, c[20] = {sqrt(k2)}, b = sqrt(1 - k2), phi;
    int    n = 0;
    for (; fabs(c[n]) > 1e-16 && n < 18; n++) {
        a[n + 1] = 0.5 * (a[n] + b);
        c[n + 1] = 0.5 * (a[n] - b);
        b = sqrt(a[n] * b);
    }
    phi = ldexp(a[n] * u, n);
    for (; n > 0; n--)
        phi = 0.5 * (phi + asin(c[n] / a[n] * sin(phi)));
    *sn = sin(phi);
    *cn = cos(phi);
    *dn = sqrt(1 - k2 * *sn * *sn);
}

// Spin in body axes with I1 < I2 < I3, started at w2 = 0 (Landau and Lifshitz, Mechanics, section 37).
static const double I1 = 1, I2 = 2, I3 = 2.5, w1 = 1.5, w3 = 2;

static zn_vec3 exact_spin(double t)
{
    double E = 0.5 * (I1 * w1 * w1 + I3 * w3 * w3), L2 = I1 * I1 * w1 * w1 + I3 * I3 * w3 * w3, sn, cn, dn;
    double rate = sqrt((I3 - I2) * (L2 - 2 * E * I1) / (I1 * I2 * I3));
    double k2 = (I2 - I1) * (2 * E * I3 - L2) / ((I3 - I2) * (L2 - 2 * E * I1));
    jacobi(rate * t, k2, &sn, &cn, &dn);
    double w2 = sqrt((2 * E * I3 - L2) / (I2 * (I3 - I2)));
    return zn_vec3_make(w1 * cn, w2 * sn, w3 * dn);
}

static zn_model *top_model(void)
{
    zn_model   *model = spatial_model(0);
    zn_body_def top = body_named("top", 3, diagonal(I1, I2, I3));
    top.rotation = zn_so3_exp(zn_vec3_make(0.3, -0.5, 0.8));
    top.spin3 = zn_vec3_make(w1, 0, w3);
    CHECK_OK(zn_model_add_body(model, &top, NULL));
    return model;
}

// Spin of order 2, energy and |L| kept to rounding, the direction of L in space of order 2; Schatzman-Paoli, whose
// velocity is one of the step before, is of order 1 in all of them.
static void test_free_top(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; k++) {
        slope_fit spin = {0}, momentum = {0};
        for (int level = 0; level < 4; level++) {
            double  h = 0.02 / (1 << level), energy = 0, length = 0, direction = 0, error = 0;
            rig     r = rig_open(top_model(), scheme_named(schemes[k], 0.5));
            double  E0 = energy_of(&r);
            zn_vec3 L0 = angular_momentum(&r);
            for (int i = 1; i <= 200 << level; i++) {
                rig_step(&r, h);
                zn_vec3 L = angular_momentum(&r), w = {r.state->v[3], r.state->v[4], r.state->v[5]};
                energy = fmax(energy, fabs(energy_of(&r) / E0 - 1));
                length = fmax(length, fabs(zn_vec3_norm(L) / zn_vec3_norm(L0) - 1));
                direction = fmax(direction, distance(L, L0) / zn_vec3_norm(L0));
                error = fmax(error, distance(w, exact_spin(i * h)));
            }
            slope_add(&spin, h, error);
            slope_add(&momentum, h, direction);
            if (k != SCHATZMAN_PAOLI) {
                CHECK_BELOW(energy, 1e-12);
                CHECK_BELOW(length, 1e-12);
                CHECK_BELOW(direction, 1 * h * h);
            }
            rig_close(&r);
        }
        CHECK_NEAR(slope_of(&spin), k == SCHATZMAN_PAOLI ? 1 : 2, 0.1);
        CHECK_NEAR(slope_of(&momentum), k == SCHATZMAN_PAOLI ? 1 : 2, 0.1);
    }
}

// --- on a floor ----------------------------------------------------------------------------------

static void add_floor(zn_model *model, const char *name, zn_node_id node, zn_vec3 at, double radius, double e,
                      double mu)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = name;
    def.point = (zn_attachment){node, at};
    def.normal = zn_vec3_make(0, 0, 1);
    def.radius = radius;
    def.restitution = e;
    def.friction = mu;
    CHECK_OK(zn_model_add_contact(model, &def));
}

static zn_model *ball3_model(bool rigid, double mu)
{
    zn_model   *model = spatial_model(9.81);
    zn_body_def ball = body_named("ball", 2, diagonal(0, 0, 0));
    zn_node_id  node;
    if (rigid) {
        ball.inertia3 = diagonal(0.4 * 2 * 0.01, 0.4 * 2 * 0.01, 0.4 * 2 * 0.01); // radius 0.1
        ball.rotation = zn_so3_exp(zn_vec3_make(1, 0.2, -0.4));
        ball.spin3 = mu > 0 ? zn_vec3_make(0, 0, 0) : zn_vec3_make(20, -7, 3);
    }
    ball.position = zn_vec3_make(0, 0, mu > 0 ? 0.1 : 1.03);
    ball.velocity = zn_vec3_make(1, 0.5, 0);
    CHECK_OK(zn_model_add_body(model, &ball, &node));
    add_floor(model, "floor", node, zn_vec3_make(0, 0, 0), 0.1, mu > 0 ? 0 : 0.7, mu);
    return model;
}

// A spinning ball bounces like a point at its centre, and its spin stays.
static void test_ball(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; k++) {
        rig r = rig_open(ball3_model(true, 0), scheme_named(schemes[k], 0.5));
        rig p = rig_open(ball3_model(false, 0), scheme_named(schemes[k], 0.5));
        int impacts = 0;
        for (int i = 0; i < 2000; i++) {
            rig_step(&r, 1e-3);
            rig_step(&p, 1e-3);
            impacts += impulse_of(&p, 0) > 0;
            for (int j = 0; j < 3; j++) {
                CHECK_NEAR(r.state->q[j], p.state->q[j], 1e-11);
                CHECK_NEAR(r.state->v[j], p.state->v[j], 1e-9);
            }
        }
        assert_true(impacts > 2);
        CHECK_NEAR(r.state->v[3], 20, 1e-11);
        CHECK_NEAR(r.state->v[4], -7, 1e-11);
        CHECK_NEAR(r.state->v[5], 3, 1e-11);
        rig_close(&r);
        rig_close(&p);
    }
}

// A ball that starts sliding ends rolling with 5/7 of its speed, after 2 v / 7 mu g.
static void test_rolling(void **state)
{
    (void)state;
    const int with_friction[] = {MOREAU_JEAN, DIRECT, COMBINED};
    for (int k = 0; k < 3; k++) {
        rig          r = rig_open(ball3_model(true, 0.2), scheme_named(schemes[with_friction[k]], 0.5));
        const double start[2] = {1, 0.5}, *v = r.state->v, *q = r.state->q;
        double       done = 2 * hypot(1, 0.5) / (7 * 0.2 * 9.81);
        int          steps = (int)(done / 1e-3);
        for (int i = 0; i < steps; i++)
            rig_step(&r, 1e-3);
        for (int j = 0; j < 2; j++)
            CHECK_NEAR(v[j], start[j] * (1 - 0.2 * 9.81 * steps * 1e-3 / hypot(1, 0.5)), 1e-9);
        for (int i = 0; i < 200; i++)
            rig_step(&r, 1e-3);
        zn_vec3 spin = zn_quat_rotate((zn_quat){q[3], q[4], q[5], q[6]}, zn_vec3_make(v[3], v[4], v[5]));
        CHECK_NEAR(v[0], 5.0 / 7, 1e-9);
        CHECK_NEAR(v[1], 2.5 / 7, 1e-9);
        CHECK_NEAR(spin.x, -25.0 / 7, 1e-8);
        CHECK_NEAR(spin.y, 50.0 / 7, 1e-8);
        CHECK_NEAR(spin.z, 0, 1e-9);
        rig_close(&r);
    }
}

static zn_model *box_model(double tilt, double e)
{
    zn_model   *model = spatial_model(9.81);
    zn_body_def box = body_named("box", 3, diagonal(0.25, 0.4, 0.5));
    zn_node_id  node;
    char        name[16];
    box.position = zn_vec3_make(0, 0, 0.8);
    box.rotation = zn_so3_exp(zn_vec3_make(tilt, -0.7 * tilt, 0.3));
    CHECK_OK(zn_model_add_body(model, &box, &node));
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "c%d", i);
        add_floor(model, name, node, zn_vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 0.4 : -0.4, i & 4 ? 0.3 : -0.3), 0, e, 0);
    }
    return model;
}

// Dropped flat on four corners, one more than needed, and tilted: at rest with no penetration at any step.
static void test_box(void **state)
{
    (void)state;
    for (int tilted = 0; tilted < 2; tilted++)
        for (int k = 0; k < SCHEMES; k++) {
            zn_scheme_def def = scheme_named(schemes[k], 0.5);
            def.gap_tolerance = 1e-13;
            rig    r = rig_open(box_model(tilted ? 0.2 : 0, 0.5), def);
            double depth = 0;
            for (int i = 0; i < 3000; i++) {
                rig_step(&r, 1e-3);
                for (int c = 0; c < 8; c++)
                    depth = fmax(depth, -gap_of(&r, c));
            }
            if (k == DIRECT || k == COMBINED || k == TRAPEZOIDAL)
                CHECK_BELOW(depth, 1e-12);
            if (k == COMBINED) {
                double load = 0;
                CHECK_NEAR(r.state->q[2], 0.3, 1e-11);
                for (int i = 0; i < 6; i++)
                    CHECK_NEAR(r.state->v[i], 0, i == 5 ? 0.5 : 1e-10); // frictionless: turning about z may stay
                for (int c = 0; c < 4; c++)
                    load += impulse_of(&r, c);
                CHECK_NEAR(load, 3 * 9.81 * 1e-3, 1e-12);
            }
            rig_close(&r);
        }
}

// --- on joints -----------------------------------------------------------------------------------

// A symmetric top or pendulum on a spherical joint in the origin: A about the pivot across, C about its axis, centre of
// mass at l along it. At the angle th from the vertical and the axial spin w it precesses steadily with
//     A p^2 cos(th) - C w p + m g l = 0.
typedef struct steady {
    double th, w, p;
} steady;

static const double top_mass = 2, top_l = 0.3, top_A = 0.21, top_C = 0.05;

static zn_model *precessing_model(steady s)
{
    zn_model    *model = spatial_model(9.81);
    double       across = top_A - top_mass * top_l * top_l;
    zn_body_def  top = body_named("top", top_mass, diagonal(across, across, top_C));
    zn_vec3      axis = {sin(s.th), 0, cos(s.th)}, up = {0, 0, 1};
    zn_joint_def joint = zn_joint_def_default();
    top.rotation = zn_so3_exp(zn_vec3_make(0, s.th, 0));
    top.position = zn_vec3_scale(top_l, axis);
    zn_vec3 spin = zn_vec3_add(zn_vec3_scale(s.p, up), zn_vec3_scale(s.w - s.p * cos(s.th), axis));
    top.spin3 = zn_quat_rotate(zn_quat_conjugate(top.rotation), spin);
    top.velocity = zn_vec3_cross(spin, top.position);
    CHECK_OK(zn_model_add_body(model, &top, &joint.a.node));
    joint.name = "pivot";
    joint.kind = ZN_JOINT_SPHERICAL;
    joint.a.at = zn_vec3_make(0, 0, -top_l);
    CHECK_OK(zn_model_add_joint(model, &joint));
    return model;
}

// Largest errors of height and azimuth over `until`, relative to l and in radians.
static void precession_errors(const char *scheme, steady s, double h, double until, double *height, double *azimuth)
{
    rig r = rig_open(precessing_model(s), scheme_named(scheme, 0.5));
    *height = *azimuth = 0;
    for (int i = 1; i <= (int)(until / h + 0.5); i++) {
        rig_step(&r, h);
        const double *q = r.state->q;
        double        turn = s.p * i * h,
               off = atan2(q[1] * cos(turn) - q[0] * sin(turn), q[0] * cos(turn) + q[1] * sin(turn));
        *height = fmax(*height, fabs(q[2] / top_l - cos(s.th)));
        *azimuth = fmax(*azimuth, fabs(off));
    }
    rig_close(&r);
}

static void test_precession(void **state)
{
    (void)state;
    double mgl = top_mass * 9.81 * top_l, th = 0.6, w = 200, hang = 2.4;
    double root = sqrt(top_C * top_C * w * w - 4 * top_A * mgl * cos(th));
    steady fast = {th, w, (top_C * w - root) / (2 * top_A * cos(th))};
    // hanging, without a spin of its own: the spherical pendulum p^2 cos(th) (A - C) + m g l = 0
    double p = sqrt(-mgl / ((top_A - top_C) * cos(hang)));
    steady conical = {hang, p * cos(hang), p};
    CHECK_NEAR(fast.p, mgl / (top_C * w), 0.02 * fast.p); // the fast top
    for (int k = 0; k < SCHEMES; k++) {
        double height[2], azimuth[2];
        for (int level = 0; level < 2; level++)
            precession_errors(schemes[k], fast, 4e-4 / (1 << level), 1, &height[level], &azimuth[level]);
        CHECK_BELOW(azimuth[0], 0.005);
        CHECK_BELOW(height[0], 0.02);
        CHECK_BELOW(1.7, azimuth[0] / azimuth[1]);
        for (int level = 0; level < 2; level++)
            precession_errors(schemes[k], conical, 1e-3 / (1 << level), 1, &height[level], &azimuth[level]);
        CHECK_BELOW(azimuth[0], 0.04);
        CHECK_BELOW(height[0], 0.02);
        CHECK_BELOW(1.7, azimuth[0] / azimuth[1]);
    }
}

// Joints hold at both levels for ten thousand steps.
static void test_drift(void **state)
{
    (void)state;
    zn_scheme_def def = scheme_named("combined_projection", 0.5);
    def.newton_tolerance = 1e-12;
    rig    r = rig_open(precessing_model((steady){1, 60, 3}), def);
    double position = 0, velocity = 0;
    for (int i = 0; i < 10000; i++) {
        rig_step(&r, 1e-3);
        for (int c = 0; c < 3; c++)
            position = fmax(position, fabs(gap_of(&r, c)));
        velocity = fmax(velocity, r.info.joint_velocity);
    }
    CHECK_BELOW(position, 1e-14);
    CHECK_BELOW(velocity, 1e-12);
    rig_close(&r);
}

// Those that take joints but are not tested with everything here: nsga has a file of its own.
enum { ALL_SCHEMES = SCHEMES + 2 };
static const char *const all_schemes[ALL_SCHEMES] = {"moreau_jean",       "schatzman_paoli",     "trapezoidal",
                                                     "direct_projection", "combined_projection", "nsga",
                                                     "nsga_coupled"};

// --- repeated equations --------------------------------------------------------------------------

// Four-bar linkage in the plane of x and y, gravity along -y: with planar bodies (8 equations), or with bodies in space
// and four revolute joints (20 equations, 3 of them repeated).
static zn_model *linkage_model(bool planar)
{
    const zn_vec3 p[4] = {{0, 0, 0}, {0.1, 0.4, 0}, {0.9, 0.7, 0}, {0.8, 0, 0}};
    zn_model_def  def = zn_model_def_default();
    zn_model     *model = NULL;
    zn_node_id    id[3];
    char          name[16];
    def.planar = planar;
    def.gravity = zn_vec3_make(0, -9.81, 0);
    CHECK_OK(zn_model_create(&def, &model));
    for (int i = 0; i < 3; i++) {
        zn_body_def body = zn_body_def_default();
        snprintf(name, sizeof name, "b%d", i);
        body.name = name;
        body.mass = 1 + i;
        body.position = zn_vec3_scale(0.5, zn_vec3_add(p[i], p[i + 1]));
        if (planar)
            body.inertia = 0.03;
        else
            body.inertia3 = diagonal(0.02, 0.025, 0.03);
        CHECK_OK(zn_model_add_body(model, &body, &id[i]));
    }
    for (int i = 0; i < 4; i++) {
        zn_joint_def joint = zn_joint_def_default();
        int          k = i < 3 ? i : 2;
        joint.kind = ZN_JOINT_REVOLUTE;
        joint.a = (zn_attachment){id[k], zn_vec3_sub(p[i], zn_vec3_scale(0.5, zn_vec3_add(p[k], p[k + 1])))};
        if (i == 1 || i == 2)
            joint.b.node = id[i - 1];
        joint.axis = zn_vec3_make(0, 0, 1);
        CHECK_OK(zn_model_add_joint(model, &joint));
    }
    return model;
}

static void test_linkage(void **state)
{
    (void)state;
    for (int k = 0; k < ALL_SCHEMES; k++) {
        rig    s = rig_open(linkage_model(false), scheme_named(all_schemes[k], 0.5));
        rig    p = rig_open(linkage_model(true), scheme_named(all_schemes[k], 0.5));
        double gap = 0;
        for (int i = 0; i < 500; i++) {
            rig_step(&s, 2e-3);
            rig_step(&p, 2e-3);
            for (int b = 0; b < 3; b++)
                for (int j = 0; j < 2; j++)
                    CHECK_NEAR(s.state->q[7 * b + j], p.state->q[3 * b + j], 1e-9);
            for (int c = 0; c < 20; c++)
                gap = fmax(gap, fabs(gap_of(&s, c)));
        }
        if (k != MOREAU_JEAN)
            CHECK_BELOW(gap, 1e-12);
        rig_close(&s);
        rig_close(&p);
    }
}

// A door with two hinges, out of line with its axes: ten equations for five.
static void test_door(void **state)
{
    (void)state;
    for (int k = 0; k < ALL_SCHEMES; k++) {
        zn_model   *model = spatial_model(9.81);
        zn_body_def door = body_named("door", 2, (zn_mat3){{{0.1, 0.02, 0}, {0.02, 0.12, 0}, {0, 0, 0.09}}});
        zn_node_id  id;
        zn_vec3     spin = {0, 2, 0};
        door.position = zn_vec3_make(0.5, 0, 0);
        door.rotation = zn_so3_exp(zn_vec3_make(0.3, 0.4, -0.6));
        door.spin3 = zn_quat_rotate(zn_quat_conjugate(door.rotation), spin);
        door.velocity = zn_vec3_cross(spin, door.position);
        CHECK_OK(zn_model_add_body(model, &door, &id));
        for (int i = 0; i < 2; i++) {
            zn_joint_def hinge = zn_joint_def_default();
            hinge.kind = ZN_JOINT_REVOLUTE;
            hinge.axis = zn_vec3_make(0, 1, 0);
            hinge.b.at = zn_vec3_make(0, i ? 0.7 : -0.7, 0);
            hinge.a.node = id;
            hinge.a.at = zn_quat_rotate(zn_quat_conjugate(door.rotation), zn_vec3_sub(hinge.b.at, door.position));
            CHECK_OK(zn_model_add_joint(model, &hinge));
        }
        rig    r = rig_open(model, scheme_named(all_schemes[k], 0.5));
        double gap = 0;
        for (int i = 0; i < 1000; i++) {
            rig_step(&r, 1e-3);
            for (int c = 0; c < 10; c++)
                gap = fmax(gap, fabs(gap_of(&r, c)));
        }
        CHECK_BELOW(gap, k == MOREAU_JEAN ? 1e-4 : 1e-13);
        rig_close(&r);
    }
}

// --- tied corners --------------------------------------------------------------------------------

static zn_model *impact_model(bool tied)
{
    zn_model        *model = spatial_model(9.81);
    zn_tied_body_def def = zn_tied_body_def_default();
    zn_node_id       id;
    char             name[16], corner[24];
    def.body = body_named("block", 46.8, diagonal(46.8 * 0.13 / 12, 46.8 * 0.1 / 12, 46.8 * 0.05 / 12));
    def.box = zn_vec3_make(0.1, 0.2, 0.3);
    def.body.position = zn_vec3_make(0, 0, 0.3);
    def.body.velocity = zn_vec3_make(3, 0, 0);
    def.body.spin3 = zn_vec3_make(6, 6, 0);
    def.share = 1e-3;
    CHECK_OK(tied ? zn_model_add_tied_body(model, &def, &id) : zn_model_add_body(model, &def.body, &id));
    for (int i = 0; i < 8; i++) {
        zn_vec3 at = {i & 1 ? 0.05 : -0.05, i & 2 ? 0.1 : -0.1, i & 4 ? 0.15 : -0.15};
        snprintf(name, sizeof name, "c%d", i);
        snprintf(corner, sizeof corner, "block[%d]", i);
        add_floor(model, name, tied ? zn_model_find_node(model, corner) : id, tied ? zn_vec3_make(0, 0, 0) : at, 0, 0.8,
                  0);
    }
    return model;
}

// Contacts at tied corners do the same as contacts at points of the body, through an impact.
static void test_tied(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; k++) {
        rig    t = rig_open(impact_model(true), scheme_named(schemes[k], 0.5));
        rig    r = rig_open(impact_model(false), scheme_named(schemes[k], 0.5));
        double gap = 0;
        bool   hit = false;
        for (int i = 0; i < 1000; i++) {
            rig_step(&t, 2e-4);
            rig_step(&r, 2e-4);
            for (int c = 0; c < 24; c++)
                gap = fmax(gap, fabs(gap_of(&t, c)));
            for (int c = 0; c < 8; c++)
                hit |= impulse_of(&r, c) > 0;
        }
        assert_true(hit);
        CHECK_BELOW(gap, k == MOREAU_JEAN ? 1e-5 : 1e-12);
        if (k == TRAPEZOIDAL) { // what it makes of an impact depends on everything
            rig_close(&t);
            rig_close(&r);
            continue;
        }
        for (int j = 0; j < 7; j++)
            CHECK_NEAR(t.state->q[j], r.state->q[j], 2e-3);
        for (int j = 0; j < 6; j++)
            CHECK_NEAR(t.state->v[j], r.state->v[j], j < 3 ? 0.02 : 0.2);
        rig_close(&t);
        rig_close(&r);
    }
}

// --- ledger and records --------------------------------------------------------------------------

// Top on its pivot, and a box on the floor: the ledger closes; rotation, spin and momenta are recorded.
static void check_run(const char *scheme, zn_model *model, const char *name)
{
    zn_system *sys;
    zn_sim    *sim;
    zn_sim_def def = zn_sim_def_default();
    char       path[3][32];
    double     values[10];
    snprintf(path[0], sizeof path[0], "%s.rotation", name);
    snprintf(path[1], sizeof path[1], "%s.spin", name);
    snprintf(path[2], sizeof path[2], "%s.angular_momentum", name);
    const zn_record_def records[] = {{"r", path[0], NULL}, {"s", path[1], NULL}, {"l", path[2], NULL}};
    def.scheme = scheme_named(scheme, strcmp(scheme, "moreau_jean") == 0 ? 0.7 : 0.5);
    def.step = 1e-3;
    def.until = 1;
    def.records = records;
    def.record_count = 3;
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    assert_int_equal(zn_sim_columns(sim), 10);
    CHECK_OK(zn_sim_values(sim, values));
    const zn_state *state = zn_sim_state(sim);
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(values[i], state->q[3 + i], 0);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(values[4 + i], state->v[3 + i], 0);
    zn_vec3 angular = zn_sim_certificate(sim)->angular;
    CHECK_NEAR(values[7], angular.x, 1e-12);
    CHECK_NEAR(values[9], angular.z, 1e-12);
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-11);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

static void test_ledger(void **state)
{
    (void)state;
    for (int k = 0; k < SCHEMES; k++) {
        check_run(schemes[k], top_model(), "top");
        check_run(schemes[k], precessing_model((steady){1, 60, 3}), "top");
        check_run(schemes[k], box_model(0.2, 0.5), "box");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_top), cmocka_unit_test(test_ball),  cmocka_unit_test(test_rolling),
        cmocka_unit_test(test_box),      cmocka_unit_test(test_drift), cmocka_unit_test(test_precession),
        cmocka_unit_test(test_linkage),  cmocka_unit_test(test_door),  cmocka_unit_test(test_tied),
        cmocka_unit_test(test_ledger),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
