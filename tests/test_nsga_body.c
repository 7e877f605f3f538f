// A spatial box thrown with a large spin against a floor (Cosimo et al. 2020, 4.1), both nonsmooth generalized-alpha
// schemes against an event-driven reference: Euler's equations by Runge-Kutta until a corner reaches the floor,
// Newton's impact law there, and on.
#include "scheme_fixtures.h"

static const double mass = 46.8, gravity = 9.81, restitution = 0.8, window = 0.69;
static const double side[3] = {0.1, 0.2, 0.3};
static const double spin0[3] = {60, 60, 0}, velocity0[3] = {3, 0, 0}, height0 = 1;
enum { CORNERS = 8, STATE = 13 }; // x, v (world), quaternion (scalar first), spin (body)

static double moment(int axis)
{
    double a = side[(axis + 1) % 3], b = side[(axis + 2) % 3];
    return mass * (a * a + b * b) / 12;
}

// --- reference -----------------------------------------------------------------------------------

// Row z of the rotation matrix of p.
static void vertical_row(const double *p, double row[3])
{
    row[0] = 2 * (p[1] * p[3] - p[0] * p[2]);
    row[1] = 2 * (p[2] * p[3] + p[0] * p[1]);
    row[2] = p[0] * p[0] - p[1] * p[1] - p[2] * p[2] + p[3] * p[3];
}

static void corner_arm(int corner, double arm[3])
{
    for (int i = 0; i < 3; i++)
        arm[i] = (corner >> i & 1 ? 0.5 : -0.5) * side[i];
}

// dg/d(turn about body axes) = arm x n, n the floor normal in body axes.
static void lever(const double *y, int corner, double out[3])
{
    double arm[3], n[3];
    corner_arm(corner, arm);
    vertical_row(y + 6, n);
    for (int i = 0; i < 3; i++)
        out[i] = arm[(i + 1) % 3] * n[(i + 2) % 3] - arm[(i + 2) % 3] * n[(i + 1) % 3];
}

static double corner_height(const double *y, int corner)
{
    double arm[3], n[3];
    corner_arm(corner, arm);
    vertical_row(y + 6, n);
    return y[2] + n[0] * arm[0] + n[1] * arm[1] + n[2] * arm[2];
}

static int lowest(const double *y)
{
    int best = 0;
    for (int c = 1; c < CORNERS; c++)
        best = corner_height(y, c) < corner_height(y, best) ? c : best;
    return best;
}

static void slope(const double *y, double *d)
{
    const double *p = y + 6, *w = y + 10;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        d[i] = y[3 + i];
        d[3 + i] = i == 2 ? -gravity : 0;
        d[10 + i] = (moment(j) - moment(k)) * w[j] * w[k] / moment(i);
        d[7 + i] = 0.5 * (p[0] * w[i] + p[1 + j] * w[k] - p[1 + k] * w[j]);
    }
    d[6] = -0.5 * (p[1] * w[0] + p[2] * w[1] + p[3] * w[2]);
}

static void runge_kutta(double *y, double h)
{
    double       k[4][STATE], z[STATE];
    const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < STATE; i++)
            z[i] = y[i] + (s > 0 ? part[s] * h * k[s - 1][i] : 0);
        slope(z, k[s]);
    }
    for (int i = 0; i < STATE; i++)
        for (int s = 0; s < 4; s++)
            y[i] += h * weight[s] * k[s][i];
}

// The impulse P of corner c with U+ = -e U-.
static double impact(double *y, int c)
{
    double r[3], approach = y[5], compliance = 1 / mass;
    lever(y, c, r);
    for (int i = 0; i < 3; i++) {
        approach += r[i] * y[10 + i];
        compliance += r[i] * r[i] / moment(i);
    }
    double P = -(1 + restitution) * approach / compliance;
    y[5] += P / mass;
    for (int i = 0; i < 3; i++)
        y[10 + i] += P * r[i] / moment(i);
    return P;
}

typedef struct reference {
    int    impacts, corner; ///< in the window; the first one's corner
    double time, impulse;   ///< of the first one
    double end[STATE];      ///< at the end of the window
} reference;

static reference solve_reference(void)
{
    enum { STEPS = 34500 };
    const double h = window / STEPS;
    reference    r = {0};
    double       y[STATE] = {0, 0, height0, velocity0[0], velocity0[1], velocity0[2], 1,
                             0, 0, 0,       spin0[0],     spin0[1],     spin0[2]};
    for (int k = 0; k < STEPS; k++) {
        double old[STATE], left = 0, right = h;
        memcpy(old, y, sizeof y);
        runge_kutta(y, h);
        if (corner_height(y, lowest(y)) >= 0)
            continue;
        for (int i = 0; i < 60; i++) {
            double middle = 0.5 * (left + right);
            memcpy(y, old, sizeof y);
            runge_kutta(y, middle);
            *(corner_height(y, lowest(y)) < 0 ? &right : &left) = middle;
        }
        memcpy(y, old, sizeof y);
        runge_kutta(y, left);
        int    c = lowest(y);
        double P = impact(y, c);
        if (r.impacts++ == 0) {
            r.corner = c;
            r.time = k * h + left;
            r.impulse = P;
        }
        runge_kutta(y, h - left);
    }
    memcpy(r.end, y, sizeof y);
    return r;
}

// --- the schemes ---------------------------------------------------------------------------------

static zn_model *box_model(void)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    def.gravity = zn_vec3_make(0, 0, -gravity);
    CHECK_OK(zn_model_create(&def, &model));
    zn_body_def body = zn_body_def_default();
    zn_node_id  node = {0};
    body.name = "box";
    body.mass = mass;
    body.inertia3 = (zn_mat3){{{moment(0), 0, 0}, {0, moment(1), 0}, {0, 0, moment(2)}}};
    body.position = zn_vec3_make(0, 0, height0);
    body.velocity = zn_vec3_make(velocity0[0], velocity0[1], velocity0[2]);
    body.spin3 = zn_vec3_make(spin0[0], spin0[1], spin0[2]);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    for (int c = 0; c < CORNERS; c++) {
        char   name[24];
        double arm[3];
        corner_arm(c, arm);
        snprintf(name, sizeof name, "corner%d", c);
        add_plane_contact(model, name, node, zn_vec3_make(arm[0], arm[1], arm[2]), zn_vec3_make(0, 0, 1), restitution);
    }
    return model;
}

typedef struct box_result {
    int    steps_hit, corner;
    double time, impulse; ///< end of the first step with an impulse; its impulse
    double penetration, closure;
    double q[7], v[6]; ///< at the end of the window
    int    most;       ///< linear solves in a step
    double mean;
} box_result;

static box_result run_box(const char *scheme, int steps)
{
    zn_scheme_def def = scheme_named(scheme, 0.5);
    rig           r = rig_open(box_model(), def);
    box_result    b = {.corner = -1};
    double        h = window / steps, start = energy_of(&r), entered = 0;
    for (int k = 0; k < steps; k++) {
        double stored = 0;
        rig_step(&r, h);
        for (int i = 0; i < CORNERS; i++) {
            b.penetration = fmax(b.penetration, -gap_of(&r, i));
            if (impulse_of(&r, i) > 0 && b.steps_hit++ == 0) {
                b.time = r.state->t;
                b.corner = i;
                b.impulse = impulse_of(&r, i);
            }
        }
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            *(i < ZN_LEDGER_STORED ? &stored : &entered) += r.info.ledger[i];
        b.closure = fmax(b.closure, fabs(stored - start - entered) / start);
        b.most = r.info.newton_iterations > b.most ? r.info.newton_iterations : b.most;
        b.mean += (double)r.info.newton_iterations / steps;
    }
    memcpy(b.q, r.state->q, sizeof b.q);
    memcpy(b.v, r.state->v, sizeof b.v);
    rig_close(&r);
    return b;
}

// Of the centre at the end of the window.
static double end_error(const box_result *b, const reference *ref)
{
    double worst = 0;
    for (int i = 0; i < 3; i++)
        worst = fmax(worst, fabs(b->q[i] - ref->end[i]));
    return worst;
}

static void test_box_against_event_driven_reference(void **state)
{
    (void)state;
    const int steps[] = {690, 1380, 2760, 5520, 11040};
    reference ref = solve_reference();
    print_message("reference: impact at %.6f s, corner %d, impulse %.4f N s; %d impact in the window\n", ref.time,
                  ref.corner, ref.impulse, ref.impacts);
    assert_int_equal(ref.impacts, 1);
    for (int c = 0; c < 2; c++) {
        slope_fit fit = {0};
        for (int i = 0; i < 5; i++) {
            double     h = window / steps[i];
            box_result b = run_box(c ? "nsga_coupled" : "nsga", steps[i]);
            print_message("%-12s h %.2e: impact at %.6f s, corner %d, %.3f N s (%d steps); centre off by %.2e m; "
                          "penetration %.1e m; ledger %.1e; solves %.2f, at most %d\n",
                          c ? "nsga_coupled" : "nsga", h, b.time, b.corner, b.impulse, b.steps_hit, end_error(&b, &ref),
                          b.penetration, b.closure, b.mean, b.most);
            CHECK_BELOW(b.penetration, 1e-10);
            CHECK_BELOW(b.closure, 1e-10);
            if (c == 0) // Newton with the tangent of the papers
                assert_true(b.most <= 8);
            slope_add(&fit, h, end_error(&b, &ref));
            assert_int_equal(b.steps_hit, 1);
            assert_int_equal(b.corner, ref.corner);
            CHECK_NEAR(b.time, ref.time + h / 2, h); // the end of its step
            CHECK_NEAR(b.impulse, ref.impulse,
                       0.04 * ref.impulse * h / 1e-3 + 2); // the box turns by 85 rad/s h within it
        }
        print_message("%s: order %.2f\n", c ? "nsga_coupled" : "nsga", slope_of(&fit));
        CHECK_NEAR(slope_of(&fit), 1, 0.2);
    }
}

// The difference falls with h and stays far below the error.
static void test_both_schemes_agree(void **state)
{
    (void)state;
    double    first = 0, last = 0;
    reference ref = solve_reference();
    for (int steps = 690; steps < 12000; steps *= 2) {
        box_result a = run_box("nsga", steps), b = run_box("nsga_coupled", steps);
        double     worst = 0;
        for (int i = 0; i < 3; i++)
            worst = fmax(worst, fabs(a.q[i] - b.q[i]));
        print_message("box, h %.2e: nsga and nsga_coupled differ by %.2e m\n", window / steps, worst);
        CHECK_BELOW(worst, 0.1 * end_error(&a, &ref));
        first = steps == 690 ? worst : first;
        last = worst;
    }
    CHECK_BELOW(last, first / 4);
}

// Free flight for 0.4 s: spin, turn and height of a corner, of order two.
static void test_free_flight_is_of_order_two(void **state)
{
    (void)state;
    enum { STEPS = 20000 };
    double y[STATE] = {0, 0, height0, velocity0[0], velocity0[1], velocity0[2], 1,
                       0, 0, 0,       spin0[0],     spin0[1],     spin0[2]};
    for (int k = 0; k < STEPS; k++)
        runge_kutta(y, 0.4 / STEPS);
    slope_fit spin = {0}, height = {0};
    for (int steps = 800; steps < 10000; steps *= 2) {
        rig    r = rig_open(box_model(), scheme_named("nsga", 0.5));
        double error = 0;
        for (int k = 0; k < steps; k++)
            rig_step(&r, 0.4 / steps);
        for (int i = 0; i < 3; i++)
            error = fmax(error, fabs(r.state->v[3 + i] - y[10 + i]));
        slope_add(&spin, 0.4 / steps, error);
        slope_add(&height, 0.4 / steps, fabs(gap_of(&r, 5) - corner_height(y, 5)));
        print_message("box, h %.1e: spin off by %.2e rad/s, corner by %.2e m\n", 0.4 / steps, error,
                      fabs(gap_of(&r, 5) - corner_height(y, 5)));
        rig_close(&r);
    }
    print_message("box in flight: order %.2f in spin, %.2f in the height of a corner\n", slope_of(&spin),
                  slope_of(&height));
    CHECK_NEAR(slope_of(&spin), 2, 0.15);
    CHECK_NEAR(slope_of(&height), 2, 0.15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_free_flight_is_of_order_two),
        cmocka_unit_test(test_box_against_event_driven_reference),
        cmocka_unit_test(test_both_schemes_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
