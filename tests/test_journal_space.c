// Journals in space: in planar motion they are the holes of the plane, step by step, whatever their direction; under a
// load that turns they neither drift nor creep, however many steps they take.
#include "fixtures.h"
#include "scheme_fixtures.h"

#include "zn/contact.h"

static const double r = 0.02, R = 0.0205, force = 50, whirl = 40;

// --- a shaft, or a wheel on a pin, in the plane and in space --------------------------------------

typedef enum bearing { RIM_IN_BORE, RING_ON_PIN, PIN_IN_HOLE, BEARINGS } bearing;

typedef struct setting {
    bearing kind;
    zn_quat turned; // of everything; the plane of motion is that of x and y, turned
    double  friction, restitution;
    double  offset;    // of the load from the middle, along the axis
    double  short_pin; // its length; 0: longer than the hole
} setting;

static zn_signal *signal(double size, double phase)
{
    zn_signal        *s = NULL;
    const char *const name[] = {"f", "w", "p"};
    const double      value[] = {size, whirl, phase};
    char              message[128];
    CHECK_OK(zn_signal_expression("f*cos(w*t + p)", 3, name, value, message, sizeof message, &s));
    return s;
}

// force (cos, sin, 0), turned: components are cosines with a phase.
static void add_load(zn_model *model, zn_node_id node, zn_vec3 at, zn_quat turned)
{
    zn_force_def load = zn_force_def_default();
    zn_vec3      x = zn_quat_rotate(turned, zn_vec3_make(force, 0, 0));
    zn_vec3      y = zn_quat_rotate(turned, zn_vec3_make(0, force, 0));
    load.point = (zn_attachment){node, at};
    load.force[0] = signal(hypot(x.x, y.x), atan2(-y.x, x.x));
    load.force[1] = signal(hypot(x.y, y.y), atan2(-y.y, x.y));
    if (x.z != 0 || y.z != 0)
        load.force[2] = signal(hypot(x.z, y.z), atan2(-y.z, x.z));
    CHECK_OK(zn_model_add_force(model, &load));
}

static zn_model *make_flat(setting s, double spin, double eccentricity, double speed)
{
    zn_model      *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def    body = zn_body_def_default();
    zn_contact_def rub = zn_contact_def_default();
    zn_node_id     node = {0};
    body.mass = 1;
    body.inertia = 2e-3;
    body.spin = spin;
    body.position = zn_vec3_make(eccentricity, 0, 0);
    body.velocity = zn_vec3_make(0, speed, 0);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    rub.surface = ZN_SURFACE_HOLE;
    rub.radius = r;
    rub.surface_radius = R;
    rub.friction = s.friction;
    rub.restitution = s.restitution;
    *(s.kind == RING_ON_PIN ? &rub.surface_node : &rub.point.node) = node;
    CHECK_OK(zn_model_add_contact(model, &rub));
    add_load(model, node, zn_vec3_make(0, 0, 0), (zn_quat){1, 0, 0, 0});
    return model;
}

static void add_bearing(zn_model *model, setting s, zn_node_id node)
{
    zn_vec3 axis = zn_quat_rotate(s.turned, zn_vec3_make(0, 0, 1)), body = zn_vec3_make(0, 0, 1);
    if (s.kind == PIN_IN_HOLE) {
        zn_pin_def pin = zn_pin_def_default();
        pin.pin.node = node;
        pin.pin_axis = body;
        pin.hole_axis = axis;
        pin.pin_radius = r;
        pin.hole_radius = R;
        pin.hole_length = 0.03;
        pin.pin_length = s.short_pin > 0 ? s.short_pin : 0.05;
        pin.friction = s.friction;
        pin.restitution = s.restitution;
        CHECK_OK(zn_model_add_pin(model, &pin));
        return;
    }
    zn_contact_def rub = zn_contact_def_default();
    rub.point.node = node;
    rub.rim = body;
    rub.ring = s.kind == RING_ON_PIN;
    rub.radius = rub.ring ? R : r;
    rub.surface = rub.ring ? ZN_SURFACE_CYLINDER : ZN_SURFACE_BORE;
    rub.surface_radius = rub.ring ? r : R;
    rub.axis = axis;
    rub.friction = s.friction;
    rub.restitution = s.restitution;
    CHECK_OK(zn_model_add_contact(model, &rub));
}

static zn_model *make_deep(setting s, double spin, double eccentricity, double speed)
{
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_node_id  node = {0};
    body.mass = 1;
    body.inertia3 = (zn_mat3){{{3e-3, 0, 0}, {0, 3e-3, 0}, {0, 0, 2e-3}}};
    body.spin3 = zn_vec3_make(0, 0, spin);
    body.rotation = s.turned;
    body.position = zn_quat_rotate(s.turned, zn_vec3_make(eccentricity, 0, 0));
    body.velocity = zn_quat_rotate(s.turned, zn_vec3_make(0, speed, 0));
    CHECK_OK(zn_model_add_body(model, &body, &node));
    add_bearing(model, s, node);
    add_load(model, node, zn_vec3_make(0, 0, s.offset), s.turned);
    return model;
}

// --- what is compared ----------------------------------------------------------------------------

typedef struct motion {
    zn_vec3 x, v;
    double  turn, spin; // about the axis
    double  tilt;       // of the axis
    double  gap, impulse;
} motion;

static void sum_contacts(const zn_state *s, motion *m)
{
    const zn_contact_set *set = s->contacts;
    m->gap = INFINITY;
    for (int i = 0; i < set->count; i++) {
        m->gap = fmin(m->gap, set->gap[i]);
        m->impulse += set->impulse[i * set->stride];
    }
}

static motion flat_motion(const zn_state *s)
{
    motion m = {.x = {s->q[0], s->q[1], 0}, .v = {s->v[0], s->v[1], 0}, .turn = s->q[2], .spin = s->v[2]};
    sum_contacts(s, &m);
    return m;
}

static motion deep_motion(const zn_state *s, zn_quat turned)
{
    zn_quat back = {turned.w, -turned.x, -turned.y, -turned.z};
    zn_quat now = zn_quat_product(back, (zn_quat){s->q[3], s->q[4], s->q[5], s->q[6]});
    motion  m = {.x = zn_quat_rotate(back, zn_vec3_make(s->q[0], s->q[1], s->q[2])),
                 .v = zn_quat_rotate(back, zn_vec3_make(s->v[0], s->v[1], s->v[2])),
                 .turn = 2 * atan2(now.z, now.w),
                 .spin = s->v[5],
                 .tilt = 2 * hypot(now.x, now.y) + hypot(s->v[3], s->v[4]) / 1e3};
    sum_contacts(s, &m);
    return m;
}

static double apart(double a, double b, double worst) { return fmax(fabs(a - b), worst); }

// The largest difference so far, of each quantity by its size.
static double difference(motion a, motion b, double worst)
{
    const double size = R - r, full = 2 * acos(-1);
    worst = apart(a.x.x / size, b.x.x / size, apart(a.x.y / size, b.x.y / size, apart(0, b.x.z / size, worst)));
    worst = apart(a.v.x, b.v.x, apart(a.v.y, b.v.y, apart(0, b.v.z, worst)));
    worst = apart(a.spin / 60, b.spin / 60, apart(0, b.tilt, worst));
    worst = apart(remainder(a.turn - b.turn, full), 0, worst);
    return apart(a.gap / size, b.gap / size, apart(a.impulse / (force * 1e-4), b.impulse / (force * 1e-4), worst));
}

static zn_scheme_def scheme_of(const char *name)
{
    zn_scheme_def def = scheme_named(name, 0.5);
    def.solver_tolerance = 1e-14;
    def.newton_tolerance = 1e-13;
    return def;
}

static double compare(setting s, const char *scheme, int steps)
{
    zn_scheme_def def = scheme_of(scheme);
    rig           flat = rig_open(make_flat(s, 60, 4e-4, 0), def), deep = rig_open(make_deep(s, 60, 4e-4, 0), def);
    double        worst = 0;
    for (int i = 0; i < steps; i++) {
        rig_step(&flat, 1e-4);
        rig_step(&deep, 1e-4);
        worst = difference(flat_motion(flat.state), deep_motion(deep.state, s.turned), worst);
    }
    assert_true(flat_motion(flat.state).spin < 59); // friction was at work
    rig_close(&flat);
    rig_close(&deep);
    return worst;
}

// Moreau-Jean leaves gaps, and where there is one it matters which of the two sides carries the contact point: the rim
// in space, the smaller circle in the plane. They are the same for rims in bores and pins that are shorter than holes.
static void test_planar_motion(void **state)
{
    (void)state;
    static const char *const schemes[] = {"combined_projection", "nsga", "moreau_jean"};
    const zn_quat            none = {1, 0, 0, 0}, askew = zn_so3_exp(zn_vec3_make(0.7, -0.4, 1.1));
    for (int i = 0; i < 3; i++)
        for (int kind = 0; kind < BEARINGS; kind++)
            for (int k = 0; k < 2 && !(i == 2 && kind == RING_ON_PIN); k++) {
                setting s = {.kind = (bearing)kind, .turned = k ? askew : none, .friction = 0.2, .restitution = 0.3};
                s.short_pin = i == 2 ? 0.025 : 0;
                CHECK_NEAR(compare(s, schemes[i], 120), 0, 1e-10);
            }
}

// --- whirling ------------------------------------------------------------------------------------

// Rolling along the wall in front of a load that turns with it is a motion for ever, in which nothing slides: with the
// clearance c = R - r the centre goes round with the load, the spin is -whirl c / r, the normal force
// force + m c whirl^2, of which rims at the ends of a hole of length L take one half each, and +- force offset/L. The
// first step sets the shaft swinging about the load by little; the swing may not grow. The axis is free to turn in the
// tangential plane: a roll that is askew by ψ creeps along the hole with whirl R ψ, so that both wander with rounding
// errors; after 1e6 steps (100 s) they were seen at 3e-10 rad and 7e-9 m.
static int whirl_steps = 300;

static void check_whirl(const rig *whirling, setting s, double h)
{
    const double          c = R - r, t = whirling->state->t, push = h * (force + c * whirl * whirl);
    const zn_contact_set *set = whirling->state->contacts;
    motion                m = deep_motion(whirling->state, s.turned);
    CHECK_NEAR(m.gap, 0, 1.1e-13); // the tolerance of gaps
    CHECK_NEAR(hypot(m.x.x, m.x.y), c, 1.1e-13);
    CHECK_NEAR(hypot(m.x.x - c * cos(whirl * t), m.x.y - c * sin(whirl * t)) / c, 0, 5e-3);
    CHECK_NEAR(m.spin / (-whirl * c / r), 1, 7e-3);
    CHECK_NEAR(remainder(m.turn + whirl * c / r * t, 2 * acos(-1)), 0, 2e-4);
    CHECK_NEAR(m.tilt, 0, 1e-12 * pow(1 + t, 2));
    CHECK_NEAR(m.x.z, 0, whirl * R * 1e-12 * pow(1 + t, 3));
    CHECK_NEAR(m.impulse / push, 1, 3e-4);
    assert_int_equal(set->count, 2);
    for (int i = 0; i < 2; i++)
        CHECK_NEAR(set->impulse[i * set->stride] / push, 0.5 + (i == 0 ? -1 : 1) * h * force / push * s.offset / 0.03,
                   3e-4);
}

static void test_whirl(void **state)
{
    (void)state;
    const double h = 1e-4, c = R - r;
    setting      s = {.kind = PIN_IN_HOLE, .friction = 0.2, .offset = 0.006};
    s.turned = zn_so3_exp(zn_vec3_make(0.7, -0.4, 1.1));
    rig whirling = rig_open(make_deep(s, -whirl * c / r, c, c * whirl), scheme_of("combined_projection"));
    for (int i = 0; i < whirl_steps; i++) {
        rig_step(&whirling, h);
        if (i > 0)
            check_whirl(&whirling, s, h);
    }
    rig_close(&whirling);
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planar_motion),
        cmocka_unit_test(test_whirl),
    };
    if (count > 1)
        whirl_steps = atoi(argument[1]);
    return cmocka_run_group_tests_name("journals in space", tests, NULL, NULL);
}
