// Option `smooth: contacts` of nsga: contacts that stay closed take part in the smooth motion, so that what rests is at
// rest. A bar that stands on the floor, by its closed form; order two in lasting contact; order one and the soft bar of
// Cosimo et al. (2020) across impacts; friction that holds; runs that go on.
#include "fixtures.h"
#include "nsga_models.h"

static const double g = 7, length = 1.4, young = 2e5, density = 1300, area = 0.02;
enum { ELEMENTS = 9 };

static zn_scheme_def holding(zn_smooth smooth, double rho)
{
    zn_scheme_def def = nsga_def("nsga", rho);
    def.smooth = smooth;
    return def;
}

// --- a bar that stands -----------------------------------------------------------------------------

// Along x, gravity -g, its first node on the floor x = 0.
static zn_model *standing_bar(double damping, zn_mass_kind mass)
{
    zn_model  *model = make_model(true, zn_vec3_make(-g, 0, 0), NULL);
    zn_bar_def def = zn_bar_def_default();
    def.name = "rod";
    def.to = zn_vec3_make(length, 0, 0);
    def.elements = ELEMENTS;
    def.young = young;
    def.density = density;
    def.area = area;
    def.mass = mass;
    def.stiffness_damping = damping;
    def.fixed = ZN_FIX_Y;
    CHECK_OK(zn_model_add_bar(model, &def));
    add_plane_contact(model, "floor", zn_model_find_node(model, "rod[0]"), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0),
                      0);
    return model;
}

static double weight(void) { return density * area * length * g; }

// Displacement of node i: each element carries half of its own weight and what is above it.
static double at_rest(int i)
{
    double l = length / ELEMENTS, x = 0;
    for (int e = 0; e < i; e++)
        x -= weight() * (ELEMENTS - e - 0.5) / ELEMENTS * l / (young * area);
    return x;
}

static rig open_standing(zn_scheme_def def, double damping, zn_mass_kind mass)
{
    rig r = rig_open(standing_bar(damping, mass), def);
    for (int i = 0; i <= ELEMENTS; i++)
        r.state->q[2 * i] = at_rest(i);
    CHECK_OK(zn_state_update(r.sys, r.state));
    return r;
}

typedef struct found {
    double speed, moved, force, damper, numerical; ///< largest over the steps
} found;

static found stand(zn_scheme_def def, double damping, zn_mass_kind mass, double h)
{
    rig   r = open_standing(def, damping, mass);
    found out = {0};
    for (int k = 0; k < 300; k++) {
        rig_step(&r, h);
        for (int i = 0; i < zn_system_get_info(r.sys).n_all; i++)
            out.speed = fmax(out.speed, fabs(r.state->v[i]));
        for (int i = 0; i <= ELEMENTS; i++)
            out.moved = fmax(out.moved, fabs(r.state->q[2 * i] - at_rest(i)));
        out.force = fmax(out.force, fabs(impulse_of(&r, 0) / h - weight()));
        out.damper = fmax(out.damper, fabs(r.info.ledger[ZN_LEDGER_DAMPER]));
        out.numerical = fmax(out.numerical, fabs(r.info.ledger[ZN_LEDGER_NUMERICAL]));
    }
    rig_close(&r);
    return out;
}

static void test_a_standing_bar_stands(void **state)
{
    (void)state;
    const double steps[] = {1e-1, 1e-2, 1e-3}, rho[] = {0, 0.8, 1}, energy = weight() * length;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 4; k++) {
                zn_mass_kind mass = k % 2 ? ZN_MASS_LUMPED : ZN_MASS_CONSISTENT;
                double       damping = k / 2 ? 2e-2 : 0;
                found        x = stand(holding(ZN_SMOOTH_CONTACTS, rho[j]), damping, mass, steps[i]);
                CHECK_BELOW(x.speed, 1e-10 * g * steps[i]);
                CHECK_BELOW(x.moved, 1e-13);
                CHECK_BELOW(x.force, 1e-10 * weight());
                CHECK_BELOW(x.damper, 1e-20 * energy);
                CHECK_BELOW(x.numerical, 1e-13 * energy);
            }
    found x = stand(holding(ZN_SMOOTH_JOINTS, 0.8), 2e-2, ZN_MASS_CONSISTENT, 1e-2); // what the option is for
    print_message("without: speed %.3f g h, dampers %.1e J a step\n", x.speed / (g * 1e-2), x.damper);
    assert_true(x.speed > 0.1 * g * 1e-2 && x.damper > 1e-6 * energy);
}

// --- order -----------------------------------------------------------------------------------------

// Stretched by a tenth of what its weight compresses it, it swings and never leaves the floor.
static void swing(zn_smooth smooth, double h, double end, double *x)
{
    rig r = open_standing(holding(smooth, 0.8), 0, ZN_MASS_CONSISTENT);
    for (int i = 0; i <= ELEMENTS; i++)
        r.state->q[2 * i] *= 0.9;
    CHECK_OK(zn_state_update(r.sys, r.state));
    for (int k = 0; k < (int)lround(end / h); k++) {
        rig_step(&r, h);
        assert_true(impulse_of(&r, 0) > 0);
    }
    x[0] = r.state->q[2 * ELEMENTS];
    x[1] = r.state->v[zn_system_get_info(r.sys).n - 1];
    rig_close(&r);
}

static void test_order_two_in_lasting_contact(void **state)
{
    (void)state;
    slope_fit position = {0}, velocity = {0};
    double    exact[2], x[2], h0 = 1e-3, end = 0.4;
    swing(ZN_SMOOTH_CONTACTS, h0 / 64, end, exact);
    for (int k = 0; k < 4; k++) {
        double h = h0 / (1 << k);
        swing(ZN_SMOOTH_CONTACTS, h, end, x);
        slope_add(&position, h, fabs(x[0] - exact[0]));
        slope_add(&velocity, h, fabs(x[1] - exact[1]));
    }
    print_message("swinging bar: order %.3f in position, %.3f in velocity\n", slope_of(&position), slope_of(&velocity));
    CHECK_NEAR(slope_of(&position), 2, 0.1);
    CHECK_NEAR(slope_of(&velocity), 2, 0.1);
}

// f = -2, e = 1/2 from 1: impacts at 1, 2, 2.5; up to 2.4.
static double ball_at(double t)
{
    double s = t - (t < 2 ? 1 : 2), v = t < 2 ? 1 : 0.5;
    return t < 1 ? 1 - t * t : s * (v - s);
}

static void test_order_one_across_impacts(void **state)
{
    (void)state;
    slope_fit fit = {0};
    for (int octave = 0; octave < 5; octave++) {
        enum { NEIGHBOURS = 6 };
        double coarse = 0.01 / (1 << octave), error = 0;
        for (int k = 0; k < NEIGHBOURS; k++) {
            double h = 1 / (1 / coarse + (k + 0.41) / NEIGHBOURS);
            rig    r = rig_open(ball_model(1, 0, 0.5), holding(ZN_SMOOTH_CONTACTS, 0.8));
            for (int i = 1; i * h <= 2.4; i++) {
                rig_step(&r, h);
                error += h * fabs(gap_of(&r, 0) - ball_at(i * h)) / NEIGHBOURS;
            }
            rig_close(&r);
        }
        slope_add(&fit, coarse, error);
    }
    print_message("bouncing ball: order %.3f\n", slope_of(&fit));
    CHECK_NEAR(slope_of(&fit), 1, 0.1);
}

// It comes to rest and stays: exact after the last bounce, which a step of h ends when it is below 2 h.
static void test_a_ball_comes_to_rest(void **state)
{
    (void)state;
    rig r = rig_open(ball_model(1, 0, 0.5), holding(ZN_SMOOTH_CONTACTS, 0.8));
    for (int k = 0; k < 700; k++)
        rig_step(&r, 0.00713);
    CHECK_NEAR(gap_of(&r, 0), 0, 1e-12);
    CHECK_NEAR(r.state->v[0], 0, 1e-12);
    CHECK_NEAR(impulse_of(&r, 0), 2 * 0.00713, 1e-14);
    rig_close(&r);
}

// --- an impact with waves --------------------------------------------------------------------------

// Contact from 0.5005 s to 1.1672 s with 300 N, 200 N s.
static void test_soft_bar(void **state)
{
    (void)state;
    rig    r = rig_open(soft_bar(200, ZN_MASS_CONSISTENT), holding(ZN_SMOOTH_CONTACTS, 0.8));
    double impulse = 0, plateau = 0, last = 0, h = 1e-3, start = momentum_x(&r);
    for (int k = 0; k < 1500; k++) {
        rig_step(&r, h);
        double P = impulse_of(&r, 0);
        impulse += P;
        plateau += r.state->t > 0.55 && r.state->t <= 1.1 ? P : 0;
        last = P > 0 ? r.state->t : last;
        assert_true(gap_of(&r, 0) >= -1e-10);
    }
    print_message("soft bar: %.2f N s, %.2f N, until %.3f s, tip %.4f m\n", impulse, plateau / 0.55, last,
                  gap_of(&r, 0));
    CHECK_NEAR(impulse, 200, 2);
    CHECK_NEAR(plateau / 0.55, 300, 1.5);
    CHECK_NEAR(last, 1.1672, 5e-3);
    CHECK_NEAR(momentum_x(&r) - start, impulse, 1e-9 * 200);
    CHECK_NEAR(gap_of(&r, 0), 3.328, 0.05);
    rig_close(&r);
}

// --- friction --------------------------------------------------------------------------------------

// A block on two feet, gravity tilted within the cone of friction: it stays, spinning neither.
static zn_model *leaning_block(double mu, double e)
{
    zn_model   *model = make_model(true, zn_vec3_make(2, -9, 0), NULL);
    zn_body_def def = zn_body_def_default();
    zn_node_id  node = {0};
    def.mass = 3;
    def.inertia = 0.4;
    def.position = zn_vec3_make(0, 0.3, 0);
    CHECK_OK(zn_model_add_body(model, &def, &node));
    for (int k = 0; k < 2; k++) {
        zn_contact_def foot = zn_contact_def_default();
        foot.name = k ? "right" : "left";
        foot.point = (zn_attachment){node, zn_vec3_make(k ? 0.5 : -0.5, -0.3, 0)};
        foot.normal = zn_vec3_make(0, 1, 0);
        foot.friction = mu;
        foot.restitution = e;
        CHECK_OK(zn_model_add_contact(model, &foot));
    }
    return model;
}

static void test_friction_holds(void **state)
{
    (void)state;
    rig r = rig_open(leaning_block(0.5, 0.3), holding(ZN_SMOOTH_CONTACTS, 0.8));
    for (int k = 0; k < 500; k++) {
        rig_step(&r, 5e-3);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(r.state->v[i], 0, 1e-10 * 9 * 5e-3);
    }
    CHECK_NEAR(r.state->q[0], 0, 1e-12);
    rig_close(&r);
}

// mu = 0.1 < 2/9: it slides with 2 - 0.9, from rest.
static void test_sliding(void **state)
{
    (void)state;
    const double h = 2e-3;
    rig          r = rig_open(leaning_block(0.1, 0), holding(ZN_SMOOTH_CONTACTS, 0.8));
    for (int k = 0; k < 500; k++)
        rig_step(&r, h);
    CHECK_NEAR(r.state->v[0], 1.1 * 500 * h, 1e-10);
    CHECK_NEAR(r.state->v[1], 0, 1e-10);
    CHECK_NEAR(r.state->v[2], 0, 1e-10);
    rig_close(&r);
}

// mu = 0.5, thrown with 3 against gravity: brakes with 2 + 4.5, stops at the right place and stays.
static void test_sliding_ends(void **state)
{
    (void)state;
    const double h = 1e-3, a = 6.5;
    rig          r = rig_open(leaning_block(0.5, 0), holding(ZN_SMOOTH_CONTACTS, 0.8));
    r.state->v[0] = -3;
    CHECK_OK(zn_state_update(r.sys, r.state));
    for (int k = 0; k < 300; k++)
        rig_step(&r, h);
    CHECK_NEAR(r.state->v[0], -3 + a * 300 * h, 1e-9);
    CHECK_NEAR(r.state->q[0], -3 * 0.3 + a * 0.3 * 0.3 / 2, 1e-9);
    for (int k = 0; k < 700; k++)
        rig_step(&r, h);
    double stop = r.state->q[0];
    CHECK_NEAR(stop, -9 / (2 * a), a * h * h);
    for (int k = 0; k < 300; k++) {
        rig_step(&r, h);
        CHECK_NEAR(r.state->v[0], 0, 1e-12);
    }
    CHECK_NEAR(r.state->q[0], stop, 1e-14);
    rig_close(&r);
}

// --- runs that go on -------------------------------------------------------------------------------

// A bar falls on the floor, jumps and comes to rest; at every 7th step another scheme object takes over for a while.
static void test_continued_with_equal_bits(void **state)
{
    (void)state;
    zn_scheme_def def = holding(ZN_SMOOTH_CONTACTS, 0.6);
    rig           r = open_standing(def, 5e-2, ZN_MASS_CONSISTENT);
    for (int i = 0; i <= ELEMENTS; i++)
        r.state->q[2 * i] += 0.05;
    CHECK_OK(zn_state_update(r.sys, r.state));
    int     size = zn_scheme_history_size(r.scheme), touched = 0, free_steps = 0;
    double *history = calloc((size_t)size + 1, sizeof *history);
    for (int k = 0; k < 70; k++) {
        rig other = {.model = r.model, .sys = r.sys};
        CHECK_OK(zn_scheme_create(&def, r.sys, &other.scheme));
        CHECK_OK(zn_state_create(r.sys, &other.state));
        zn_state_copy(r.sys, r.state, other.state);
        zn_scheme_history_save(r.scheme, history);
        CHECK_OK(zn_scheme_history_load(other.scheme, history, size));
        for (int j = 0; j < 7; j++) {
            rig_step(&r, 4e-3);
            rig_step(&other, 4e-3);
            check_same_state(r.sys, r.state, other.state);
            touched += impulse_of(&r, 0) > 0;
            free_steps += !(impulse_of(&r, 0) > 0);
        }
        zn_state_destroy(other.state);
        zn_scheme_destroy(other.scheme);
    }
    assert_true(touched > 20 && free_steps > 20);
    free(history);
    rig_close(&r);
}

static void test_refused(void **state)
{
    (void)state;
    log_capture   log = {0};
    zn_model     *model = planar_model(-2, log_into(&log));
    zn_scheme_def def = nsga_def("nsga_coupled", 0.8);
    def.smooth = ZN_SMOOTH_CONTACTS;
    add_plane_contact(model, "floor", add_point(model, 1, 0), zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0);
    assert_true(refusal_of(def, model, &log, "smooth contacts belongs to nsga") == ZN_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_standing_bar_stands),
        cmocka_unit_test(test_order_two_in_lasting_contact),
        cmocka_unit_test(test_order_one_across_impacts),
        cmocka_unit_test(test_a_ball_comes_to_rest),
        cmocka_unit_test(test_soft_bar),
        cmocka_unit_test(test_friction_holds),
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_continued_with_equal_bits),
        cmocka_unit_test(test_sliding_ends),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
