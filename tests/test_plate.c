// A spherical pendulum falls on a plate that can turn on springs (Galvez et al., section 5.5). Until the impact its
// fall is a quadrature; the impact is Newton's and Coulomb's law in three directions, solved here for the direction of
// sliding.
#include "gallery_fixtures.h"

static const double length = 1.3, speed = 1.95, height = 1, gravity = 9.81, bob = 5, friction = 0.3;
static const double plate_inertia = 0.2 * 25 / 6;

// With u the height above the pivot, (l u')^2 = (v0^2 - 2 g u)(l^2 - u^2) - (l v0)^2.
static double radicand(double u)
{
    return (speed * speed - 2 * gravity * u) * (length * length - u * u) - length * length * speed * speed;
}

typedef struct fall {
    double time, turn; ///< until u = -height; azimuth passed
    double v[3], r[3]; ///< velocity and position then, in axes whose x points away from the pivot's vertical
} fall;

// u = -s^2 takes the root at the start away; midpoint rule.
static fall solve_fall(void)
{
    enum { N = 200000 };
    fall   f = {0};
    double moment = length * speed; // about the vertical
    for (int k = 0; k < N; k++) {
        double s = sqrt(height) * (k + 0.5) / N, u = -s * s;
        double dt = length * 2 * s * sqrt(height) / N / sqrt(radicand(u));
        f.time += dt;
        f.turn += moment / (length * length - u * u) * dt;
    }
    double radius = sqrt(length * length - height * height);
    f.r[0] = radius;
    f.v[2] = -sqrt(radicand(-height)) / length;
    f.v[1] = moment / radius;
    f.v[0] = height * f.v[2] / radius; // x x' + u u' = 0
    return f;
}

// Compliance of the relative velocity at the point of contact: bob on its sphere, plate about its centre.
static void compliance(const fall *f, double W[3][3])
{
    double d[3] = {f->r[0] / length, 0, -height / length}, r = f->r[0];
    double lever[3][3] = {{0, 0, 0}, {0, 0, r}, {0, -r, 0}}; // r x e_j
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double turn = lever[i][0] * lever[j][0] + lever[i][1] * lever[j][1] + lever[i][2] * lever[j][2];
            W[i][j] = ((i == j) - d[i] * d[j]) / bob + turn / plate_inertia;
        }
}

// Impulse (x, y, normal) of sliding along the angle a, with e = 0; returns the sine of the angle between the velocity
// after and that direction.
static double slide(double W[3][3], const double *v, double a, double P[3])
{
    double t[3] = {-friction * cos(a), -friction * sin(a), 1}, w = 0, after[2];
    for (int j = 0; j < 3; j++)
        w += W[2][j] * t[j];
    for (int j = 0; j < 3; j++)
        P[j] = -v[2] / w * t[j];
    for (int i = 0; i < 2; i++)
        after[i] = v[i] + W[i][0] * P[0] + W[i][1] * P[1] + W[i][2] * P[2];
    assert_true(after[0] * cos(a) + after[1] * sin(a) > 0);
    return (after[0] * sin(a) - after[1] * cos(a)) / hypot(after[0], after[1]);
}

static void solve_impact(const fall *f, double P[3])
{
    double W[3][3], middle = atan2(f->v[1], f->v[0]), low = middle - 0.5, high = middle + 0.5;
    compliance(f, W);
    assert_true(slide(W, f->v, low, P) < 0 && slide(W, f->v, high, P) > 0);
    for (int k = 0; k < 60; k++) {
        middle = 0.5 * (low + high);
        *(slide(W, f->v, middle, P) > 0 ? &high : &low) = middle;
    }
}

static void test_first_impact(void **state)
{
    (void)state;
    fall      f = solve_fall();
    double    P[3];
    slope_fit fit = {0};
    solve_impact(&f, P);
    print_message("fall: impact at %.7f s with %.6f m/s, azimuth %.6f; impulse %.5f normal, %.5f tangential\n", f.time,
                  f.v[2], f.turn, P[2], hypot(P[0], P[1]));
    CHECK_NEAR(hypot(P[0], P[1]), friction * P[2], 1e-12);
    for (double h = 2.3e-3; h > 1e-4; h /= 1.9) {
        gallery_rig g = gallery_open("pendulum-on-plate", NULL, scheme_named("nsga", 0.5));
        int         row = 0;
        do {
            rig_step(&g.r, h);
            row = gallery_contact(&g, "tip") * g.r.state->contacts->stride;
        } while (g.r.state->contacts->impulse[row] == 0);
        const double *p = g.r.state->contacts->impulse + row;
        double        late = g.r.state->t - f.time;
        print_message("h %.2e: step ends %.2e s after the impact; impulse %.5f, tangential %.5f\n", h, late, p[0],
                      hypot(p[1], p[2]));
        assert_true(late > -2 * h * h && late <= h * 1.01);
        CHECK_NEAR(hypot(p[1], p[2]), friction * p[0], 1e-10);
        CHECK_NEAR(p[0], P[2], 40 * h * P[2]); // the dampers brake the plate with 4 c (side/2)^2/J = 30 per second
        CHECK_BELOW(fmax(g.r.info.coulomb_position, g.r.info.coulomb_velocity), 1e-10);
        slope_add(&fit, h, fabs(p[0] - P[2]) + fabs(hypot(p[1], p[2]) - friction * P[2]));
        gallery_close(&g);
    }
    print_message("order of the impulse %.2f\n", slope_of(&fit));
    assert_true(slope_of(&fit) > 0.6);
}

static void tip_at(double h, double out[3])
{
    gallery_rig g = gallery_open("pendulum-on-plate", NULL, scheme_named("nsga", 0.5));
    for (int k = 0; k < (int)lround(0.8 / h); k++) {
        rig_step(&g.r, h);
        CHECK_BELOW(fmax(g.r.info.coulomb_position, g.r.info.coulomb_velocity), 1e-10);
        CHECK_BELOW(fmax(g.r.info.joint_velocity, -gap_of(&g.r, gallery_contact(&g, "tip"))), 1e-10);
    }
    memcpy(out, g.r.state->q + 7, 3 * sizeof *out); // after the plate's position and rotation
    gallery_close(&g);
}

// Beyond the impact: sliding on the turning plate and lift-off, against a fine run.
static void test_order(void **state)
{
    (void)state;
    const int steps[] = {400, 563, 797, 1129, 1601, 2237};
    double    fine[3], x[3];
    slope_fit fit = {0};
    tip_at(0.8 / 16000, fine);
    for (int k = 0; k < 6; k++) {
        double error = 0;
        tip_at(0.8 / steps[k], x);
        for (int i = 0; i < 3; i++)
            error = fmax(error, fabs(x[i] - fine[i]));
        print_message("h %.2e: tip off by %.2e m\n", 0.8 / steps[k], error);
        slope_add(&fit, 0.8 / steps[k], error);
    }
    print_message("order %.2f\n", slope_of(&fit));
    CHECK_NEAR(slope_of(&fit), 1, 0.35);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_impact),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
