// A disc that rolls on a plane in a circle without sliding: with the inclination θ of its axis against the vertical,
// the rate of precession W, the spin about its axis
//     w = (A W^2 sin θ - m g r) cos θ / ((C + m r^2) W sin θ)
// and the radius -r w / W of the circle of its centre (angular momentum about the centre, force of the contact).
#include "fixtures.h"
#include "scheme_fixtures.h"

#include "zn/contact.h"

static const double r = 0.3, m = 2, g = 9.81, tilt = 1.4, W = 0.7;

typedef struct rolling {
    double  spin, radius;
    zn_vec3 axis, at, velocity, turn;
} rolling;

// At the start the disc is over the x axis.
static rolling steady(void)
{
    double  A = 0.25 * m * r * r, C = 0.5 * m * r * r;
    rolling s = {.spin = (A * W * W * sin(tilt) - m * g * r) * cos(tilt) / ((C + m * r * r) * W * sin(tilt))};
    s.radius = -r * s.spin / W;
    s.axis = zn_vec3_make(sin(tilt), 0, cos(tilt));
    s.at = zn_vec3_make(s.radius, 0, r * sin(tilt));
    s.velocity = zn_vec3_make(0, W * s.radius, 0);
    s.turn = zn_vec3_add(zn_vec3_make(0, 0, W), zn_vec3_scale(s.spin - W * cos(tilt), s.axis));
    return s;
}

static zn_model *make_disc(rolling s)
{
    zn_model      *model = make_model(false, zn_vec3_make(0, 0, -g), NULL);
    zn_body_def    disc = zn_body_def_default();
    zn_contact_def rim = zn_contact_def_default();
    double         A = 0.25 * m * r * r;
    disc.mass = m;
    disc.inertia3 = (zn_mat3){{{A, 0, 0}, {0, A, 0}, {0, 0, 2 * A}}};
    disc.position = s.at;
    disc.velocity = s.velocity;
    disc.rotation = zn_so3_exp(zn_vec3_make(0, tilt, 0));
    disc.spin3 = zn_quat_rotate(zn_so3_exp(zn_vec3_make(0, -tilt, 0)), s.turn);
    CHECK_OK(zn_model_add_body(model, &disc, &rim.point.node));
    rim.normal = zn_vec3_make(0, 0, 1);
    rim.rim = zn_vec3_make(0, 0, 1);
    rim.radius = r;
    rim.friction = 0.5;
    CHECK_OK(zn_model_add_contact(model, &rim));
    return model;
}

// How far the centre gets from the circle within two seconds.
static double error_of(const char *scheme, int steps)
{
    rolling s = steady();
    rig     disc = rig_open(make_disc(s), scheme_named(scheme, 0.5));
    double  h = 2.0 / steps, worst = 0;
    for (int i = 0; i < steps; i++) {
        rig_step(&disc, h);
        double  t = disc.state->t, *q = disc.state->q;
        zn_vec3 at = zn_vec3_make(s.radius * cos(W * t), s.radius * sin(W * t), s.at.z);
        worst = fmax(worst, zn_vec3_norm(zn_vec3_sub(zn_vec3_make(q[0], q[1], q[2]), at)));
    }
    rig_close(&disc);
    return worst;
}

static void test_circle(void **state)
{
    (void)state;
    rolling s = steady();
    assert_true(s.radius > 2 * r && fabs(W * r * s.spin) < 0.5 * g); // a wide circle, held by friction
    static const char *const schemes[] = {"combined_projection", "moreau_jean", "nsga"};
    for (int i = 0; i < 3; i++) {
        double coarse = error_of(schemes[i], 200), fine = error_of(schemes[i], 400);
        assert_true(fine < 0.15 && coarse / fine > 1.9 && coarse / fine < 2.2); // first order, to this motion
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_circle),
    };
    return cmocka_run_group_tests_name("a disc that rolls", tests, NULL, NULL);
}
