// Joints with play: the ideal joint is their limit, of first order in the clearance; what they record; values set by
// their path; what is refused.
#include "fixtures.h"

#include "zn/io.h"

enum { STATES = 40000 };

static log_capture messages;

static zn_problem *read_model(const char *text, int count, const char *const *overrides)
{
    zn_problem *p = NULL;
    log_capture_clear(&messages);
    if (zn_problem_parse(text, strlen(text), "m.yaml", count, overrides, log_into(&messages), &p) != ZN_OK)
        fail_msg("%s", messages.text);
    return p;
}

// All coordinates of bodies of a run, one step after the other; returns their number.
static int run_model(const zn_problem *p, double *path, int *steps)
{
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    zn_system_info info = zn_system_get_info(sys);
    int            count = (info.planar ? 3 : 7) * info.nodes; // without what joints remember
    *steps = (int)zn_sim_grid_steps(sim);
    assert_true(count * *steps <= STATES);
    for (int i = 0; i < *steps; i++) {
        CHECK_OK(zn_sim_step(sim));
        memcpy(path + i * count, zn_sim_state(sim)->q, sizeof *path * (size_t)count);
    }
    CHECK_BELOW(zn_sim_certificate(sim)->penetration.value, 1e-12);
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    return count;
}

// --- the limit -------------------------------------------------------------------------------------

#define PLANE "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
#define SPACE "zeno: 1\ngravity: [0, 0, -9.81]\n"
#define RUN   "run: {scheme: combined_projection, step: 1e-3, until: 0.2}\n"

// Each has one joint, between two words PLAY that a clearance replaces or that vanish.
static const struct {
    const char *name, *text;
} limits[] = {
    {"pendulum", PLANE "bodies: {rod: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n"
                       "joints: {pin: {type: revolute, body: rod, at: [-0.5, 0] PLAY}}\n" RUN},
    {"four-bar",
     PLANE "bodies:\n"
           "  crank: {mass: 1, inertia: 0.01, position: [0, 0.05], angle: pi/2, velocity: [-0.5, 0], spin: 10}\n"
           "  coupler: {mass: 1, inertia: 0.05, position: [0.2, 0.1], velocity: [-1, 0]}\n"
           "  rocker: {mass: 1, inertia: 0.01, position: [0.4, -0.05], angle: pi/2, velocity: [-0.5, 0], "
           "spin: 10/3}\n"
           "joints:\n"
           "  axle: {type: revolute, body: crank, at: [-0.05, 0]}\n"
           "  pivot: {type: revolute, body: rocker, at: [-0.15, 0]}\n"
           "  knee: {type: revolute, body: coupler, at: [0.2, 0], to: rocker}\n"
           "  pin: {type: revolute, body: coupler, at: [-0.2, 0], to: crank PLAY}\n" RUN},
    {"guide", PLANE "bodies: {block: {mass: 1, inertia: 1e-3, position: [0, 0], angle: 0.3}}\n"
                    "joints: {slide: {type: prismatic, body: block, axis: [1, 1] BLOCK}}\n"
                    "loads: {push: {body: block, at: [0.1, 0.02], force: [5*cos(20*t), 3]}}\n" RUN},
    {"ball", SPACE "bodies: {bob: {mass: 1, inertia: [0.1, 0.02, 0.1], position: [0.5, 0, 0], velocity: [0, 1, 0], "
                   "spin: [0, 0, 2]}}\n"
                   "joints: {socket: {type: spherical, body: bob, at: [-0.5, 0, 0] PLAY}}\n" RUN},
    {"pin in space",
     SPACE "bodies: {rod: {mass: 1, inertia: [0.02, 0.1, 0.1], position: [0.5, 0, 0], spin: [0, 0, 0]}}\n"
           "joints: {pin: {type: revolute, body: rod, at: [-0.5, 0, 0], axis: [0, 1, 0.2] BLOCK}}\n" RUN},
    {"sleeve", SPACE "bodies: {rod: {mass: 1, inertia: [0.02, 0.1, 0.1], position: [0.5, 0, 0]}}\n"
                     "joints: {pin: {type: cylindrical, body: rod, at: [-0.5, 0, 0], axis: [0, 1, 0.2] BLOCK}}\n" RUN},
    {"guide in space",
     SPACE "bodies: {block: {mass: 1, inertia: [1e-3, 2e-3, 2e-3], position: [0, 0, 0], rotation: {axis: [1, 2, 3], "
           "angle: 0.7}}}\n"
           "joints: {slide: {type: prismatic, body: block, axis: [1, 1, 1] BLOCK}}\n"
           "loads: {push: {body: block, at: [0.1, 0.02, 0], force: [5*cos(20*t), 3, 1]}}\n" RUN},
};

// The text with `play` in place of its word.
static void with_play(const char *text, const char *play, const char *block, char *out, size_t size)
{
    const char *at = strstr(text, " PLAY");
    bool        pin = at != NULL;
    at = pin ? at : strstr(text, " BLOCK");
    assert_non_null(at);
    snprintf(out, size, "%.*s%s%s", (int)(at - text), text, pin ? play : block, at + (pin ? 5 : 6));
}

static double distance(const char *text, const double *ideal, int expected)
{
    static double path[STATES];
    int           steps;
    double        most = 0;
    zn_problem   *p = read_model(text, 0, NULL);
    int           count = run_model(p, path, &steps);
    assert_int_equal(count * steps, expected);
    for (int i = 0; i < expected; i++)
        most = fmax(most, fabs(path[i] - ideal[i]));
    zn_problem_destroy(p);
    return most;
}

static void test_limit(void **state)
{
    (void)state;
    static double ideal[STATES];
    for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
        char     text[2048], play[100], block[100];
        double   radius[3] = {1e-3, 1e-4, 1e-5}, error[3];
        zn_order order;
        int      steps;
        with_play(limits[k].text, "", "", text, sizeof text);
        zn_problem *p = read_model(text, 0, NULL);
        int         count = run_model(p, ideal, &steps);
        zn_problem_destroy(p);
        for (int i = 0; i < 3; i++) {
            snprintf(play, sizeof play, ", play: {radius: %g}", radius[i]);
            snprintf(block, sizeof block, ", play: {radius: %g, length: 0.2}", radius[i]);
            with_play(limits[k].text, play, block, text, sizeof text);
            error[i] = distance(text, ideal, count * steps);
        }
        CHECK_OK(zn_fit_order(3, radius, error, &order));
        CHECK_NEAR(order.order, 1, 0.1);
    }
}

// --- plane and space -------------------------------------------------------------------------------

#define SWING(vector, inertia, spin, axis)                                                                             \
    "bodies: {rod: {mass: 1, inertia: " inertia                                                                        \
    ", position: " vector("0.5", "0") ", spin: " spin "}}\n"                                                           \
                                      "joints: {pin: {type: revolute, body: rod, at: " vector("-0.5", "0") axis        \
        ", play: {radius: 1e-3, length: 0.02, "                                                                        \
        "friction: 0.2, restitution: 0.3}}}\n"                                                                         \
        "record: {p: rod.position, f: pin.force, e: pin.eccentricity}\n" RUN
#define TWO(x, y)   "[" x ", " y "]"
#define THREE(x, y) "[" x ", " y ", 0]"

// A pin that bounces and slides on two rims is a disc in a hole as long as nothing leaves the plane, and nothing does.
static void test_plane_in_space(void **state)
{
    (void)state;
    static const char flat[] = PLANE SWING(TWO, "0.1", "-0.6", "");
    static const char                solid[] =
        "zeno: 1\ngravity: [0, -9.81, 0]\n" SWING(THREE, "[0.01, 0.1, 0.1]", "[0, 0, -0.6]", ", axis: [0, 0, 1]");
    const int   from[] = {0, 1, 3, 4, 6, 7, 9}; // of x, y, z: the place of what the plane has
    zn_problem *p[2] = {read_model(flat, 0, NULL), read_model(solid, 0, NULL)};
    zn_system  *sys[2] = {NULL, NULL};
    zn_sim     *sim[2] = {NULL, NULL};
    double      two[7], three[10];
    for (int k = 0; k < 2; k++) {
        CHECK_OK(zn_system_create(p[k]->model, &sys[k]));
        CHECK_OK(zn_sim_create(sys[k], &p[k]->sim, &sim[k]));
    }
    for (int i = 0; i < 200; i++) {
        CHECK_OK(zn_sim_step(sim[0]));
        CHECK_OK(zn_sim_step(sim[1]));
        CHECK_OK(zn_sim_values(sim[0], two));
        CHECK_OK(zn_sim_values(sim[1], three));
        for (int c = 0; c < 7; c++)
            CHECK_NEAR(three[from[c]], two[c], c == 2 || c == 3 ? 1e-7 : 1e-10);
        CHECK_NEAR(three[2], 0, 1e-12);
    }
    assert_true(zn_sim_certificate(sim[0])->impacts > 0);
    for (int k = 0; k < 2; k++) {
        zn_sim_destroy(sim[k]);
        zn_system_destroy(sys[k]);
        zn_problem_destroy(p[k]);
    }
}

// --- records and paths -----------------------------------------------------------------------------

#define SHAFT                                                                                                          \
    PLANE "parameters: {c: 1e-4}\n"                                                                                    \
          "bodies: {shaft: {mass: 2, inertia: 1e-3, position: [1, 2]}}\n"                                              \
          "joints: {pin: {type: revolute, body: shaft, to_at: [1, 2 + 1e-4], play: {radius: c}}}\n"                    \
          "record: {e: pin.eccentricity, f: pin.force, i: pin.impulse, n: pin.closed, g: 'pin[0].gap', "               \
          "p: 'pin[0].force'}\n"

// A shaft that lies in its hole: the hole carries its weight.
static void test_records(void **state)
{
    (void)state;
    zn_problem *p = read_model(SHAFT RUN, 0, NULL);
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    double      value[10];
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    assert_int_equal(zn_sim_columns(sim), 10);
    assert_string_equal(zn_sim_series(sim)[0].components, "x y size");
    assert_string_equal(zn_sim_series(sim)[1].components, "x y");
    for (int i = 0; i < 3; i++)
        CHECK_OK(zn_sim_step(sim));
    CHECK_OK(zn_sim_values(sim, value));
    const double expected[] = {0, -1, 1, 0, 2 * 9.81, 0, 2 * 9.81e-3, 1, 0, 2 * 9.81};
    for (int i = 0; i < 10; i++)
        CHECK_NEAR(value[i], expected[i], 1e-11);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

// A value of the file by its path: as if it had been written there, the last one counts, and it is listed.
static void test_path(void **state)
{
    (void)state;
    const char *set[] = {"joints.pin.play.radius=1 mm", "joints.pin.play.radius=3*c", "c=2e-4", "bodies.shaft.mass=7"};
    zn_problem *p = read_model(SHAFT RUN, 4, set);
    assert_int_equal(p->parameter_count, 3);
    assert_string_equal(p->parameters[1].name, "joints.pin.play.radius");
    CHECK_NEAR(p->parameters[1].value, 6e-4, 1e-18);
    assert_string_equal(p->parameters[2].name, "bodies.shaft.mass");
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    double     value[10];
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    CHECK_OK(zn_sim_values(sim, value));
    CHECK_NEAR(value[2], 1.0 / 6, 1e-12); // 0.1 mm of 0.6 mm
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

static void test_bad_path(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"joints.pin.pley.radius=1", "override 'joints.pin.pley.radius=1': there is no 'joints.pin.pley' in the model"},
        {"joints.pin.play=1", "'joints.pin.play' is no single value"},
        {"joints.pin.to_at.2=1", "there is no 'joints.pin.to_at.2'"},
        {"joints.pin.play.radius=d", "override 'joints.pin.play.radius=d': unknown name 'd'"},
        {"joints.pin.play.radius=-1", "'radius' must be > 0 m, but is -1"},
        {"parameters.c=1", "a parameter is set by its name alone"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        zn_problem *p = NULL;
        log_capture_clear(&messages);
        assert_true(zn_problem_parse(SHAFT RUN, strlen(SHAFT RUN), "m.yaml", 1, bad[i], log_into(&messages), &p) !=
                    ZN_OK);
        CHECK_LOGGED(&messages, bad[i][1]);
        assert_int_equal(messages.count, 1);
    }
}

// --- refusals --------------------------------------------------------------------------------------

#define B(joint) PLANE "bodies: {b: {mass: 1, inertia: 1}, p: {mass: 1}}\njoints: {j: {" joint "}}\n" RUN
#define S(joint) SPACE "bodies: {b: {mass: 1, inertia: 1}, p: {mass: 1}}\njoints: {j: {" joint "}}\n" RUN

static const struct {
    const char *text, *message;
} refused[] = {
    {B("type: revolute, body: b, play: {length: 1}"), "m.yaml:5:39: joint 'j', play: key 'radius' is missing"},
    {B("type: revolute, body: b, play: {radius: 0}"), "joint 'j', play: 'radius' must be > 0 m, but is 0"},
    {B("type: revolute, body: b, play: 3"), "joint 'j', play: expected a map"},
    {B("type: revolute, body: b, play: {radius: 1 mm, axial: 1 mm}"),
     "'play': 'axial' does not go with type 'revolute' in the plane"},
    {B("type: revolute, body: b, play: {radius: 1 mm, friction: 0.1}"),
     "m.yaml:5:10: joint 'j': friction in its play needs the radius of the pin"},
    {B("type: revolute, body: b, play: {radius: 1 mm, tangential_restitution: 0.1}"),
     "'tangential_restitution' is nothing without 'friction'"},
    {B("type: revolute, body: b, to_at: [3 mm, 4 mm], play: {radius: 4 mm}"),
     "m.yaml:5:10: joint 'j': its centres are 0.005 m apart at the start, more than the play of 0.004 m"},
    {B("type: fixed, body: b, play: {radius: 1 mm}"), "'play' does not go with type 'fixed'"},
    {B("type: rod, body: b, to_at: [1, 1], play: {radius: 1 mm}"), "'play' does not go with type 'rod'"},
    {B("type: motion, body: b, x: 0, play: {radius: 1 mm}"), "'play' does not go with type 'motion'"},
    {B("type: prismatic, body: b, axis: [1, 0], play: {radius: 1 mm}"),
     "joint 'j': its play needs a length: of the block, along the axis"},
    {B("type: prismatic, body: b, axis: [1, 0], play: {radius: 1 mm, length: 1 mm}"),
     "joint 'j': the play of 0.001 m is not smaller than the length 0.001 m of the block"},
    {B("type: prismatic, body: b, axis: [0, 0], play: {radius: 1 mm, length: 1}"), "joint 'j': zero axis"},
    {B("type: prismatic, body: p, axis: [1, 0], play: {radius: 1 mm, length: 1}"),
     "joint 'j': 'p' is a point mass and has no rotation"},
    {B("type: prismatic, body: b, axis: [1, 0], to_at: [9, 2 mm], play: {radius: 1 mm, length: 1}"),
     "joint 'j': its centres are 0.002 m apart across the axis at the start"},
    {B("type: revolute, body: b, play: {radius: 1 mm}, limits: [0, 1]"),
     "m.yaml:5:61: joint 'j': 'limits' does not go with 'play': it is for joints without clearance"},
    {B("type: revolute, body: b, angle: 3*t, play: {radius: 1 mm}"), "joint 'j': 'angle' does not go with 'play'"},
    {S("type: universal, body: b, axis: [1, 0, 0], axis2: [0, 1, 0], play: {radius: 1 mm}"),
     "'play' does not go with type 'universal'"},
    {S("type: spherical, body: b, play: {radius: 1 mm, length: 1}"),
     "'play': 'length' does not go with type 'spherical'"},
    {S("type: prismatic, body: b, axis: [1, 0, 0], play: {radius: 1 mm, length: 1, across: [2, 0, 0]}"),
     "joint 'j': 'across' is along the axis"},
};

static void test_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        zn_problem *p = NULL;
        log_capture_clear(&messages);
        assert_true(zn_problem_parse(refused[i].text, strlen(refused[i].text), "m.yaml", 0, NULL, log_into(&messages),
                                     &p) != ZN_OK);
        CHECK_LOGGED(&messages, refused[i].message);
        assert_int_equal(messages.count, 1);
    }
}

// What a file cannot say.
static void test_refused_defs(void **state)
{
    (void)state;
    zn_model    *model = make_model(true, zn_vec3_make(0, 0, 0), &messages);
    zn_body_def  body = zn_body_def_default();
    zn_joint_def joint = zn_joint_def_default();
    zn_play_def  play = zn_play_def_default();
    zn_node_id   node = {0};
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, &node));
    joint.kind = ZN_JOINT_ROD;
    joint.a.node = node;
    joint.b.at = zn_vec3_make(1, 0, 0);
    joint.play = &play;
    log_capture_clear(&messages);
    CHECK_STATUS(zn_model_add_joint(model, &joint), ZN_ERR_UNSUPPORTED);
    CHECK_LOGGED(&messages, "only revolute, prismatic, cylindrical and spherical joints have play");
    joint.kind = ZN_JOINT_REVOLUTE;
    joint.b.at = zn_vec3_make(0, 0, 0);
    CHECK_STATUS(zn_model_add_joint(model, &joint), ZN_ERR_MODEL);
    CHECK_LOGGED(&messages, "the radius 0 m of its play is not positive");
    play.radius = 1;
    joint.limits[0] = -1;
    CHECK_STATUS(zn_model_add_joint(model, &joint), ZN_ERR_MODEL);
    CHECK_LOGGED(&messages, "motion, limits, friction, springs and dampers are of joints without play");
    joint.limits[0] = -INFINITY;
    CHECK_OK(zn_model_add_joint(model, &joint)); // a point mass has a centre
    zn_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit),        cmocka_unit_test(test_plane_in_space), cmocka_unit_test(test_records),
        cmocka_unit_test(test_path),         cmocka_unit_test(test_bad_path),       cmocka_unit_test(test_refused),
        cmocka_unit_test(test_refused_defs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
