// The configuration group: retract, difference, tangents, for all kinds of nodes; what is fixed stays.
#include "fixtures.h"

#include "system/system.h"

static const double pi = 3.14159265358979323846;

// A point and a frame of each dimension; the spatial frame has no mass element and is fixed.
static fixture make_mixed(bool planar)
{
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_node_def frame = zn_node_def_default();
    body.mass = 1;
    body.position = zn_vec3_make(1, 2, planar ? 0 : 3);
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    frame.kind = planar ? ZN_FRAME2 : ZN_FRAME3;
    frame.origin = zn_vec3_make(5, 5, planar ? 0 : 5);
    frame.position = zn_vec3_make(4, 6, planar ? 0 : 5);
    frame.angle = 0.7;
    frame.rotation = zn_so3_exp(zn_vec3_make(1, -0.5, 0.25));
    frame.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &frame, NULL));
    CHECK_OK(zn_model_add_node(model, &frame, NULL));
    body.position.x = -1;
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    if (planar) {
        body.inertia = 1;
        CHECK_OK(zn_model_add_body(model, &body, NULL));
    }
    return compile_fixture(model);
}

// Scale the rotation vectors in dq to a given length.
static void set_rotation(const zn_system *sys, double length, double *dq)
{
    for (int k = 0; k < sys->frames3; k++) {
        const int *dof = sys->layout.node[sys->frame3[k]].dof + 3;
        double     norm = sqrt(dq[dof[0]] * dq[dof[0]] + dq[dof[1]] * dq[dof[1]] + dq[dof[2]] * dq[dof[2]]);
        for (int i = 0; i < 3; i++)
            dq[dof[i]] *= length / norm;
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    static const double length[] = {0, 1e-12, 1e-6, 0.1, 1, 3, 3.1415};
    uint64_t            seed = 3;
    for (int planar = 0; planar < 2; planar++) {
        fixture f = make_mixed(planar);
        int     n_all = f.sys->info.n_all, nq = f.sys->info.nq;
        for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
            double q0[FIXTURE_MAX], q1[FIXTURE_MAX], again[FIXTURE_MAX], dq[FIXTURE_MAX], back[FIXTURE_MAX];
            random_fill(&seed, 1, n_all, dq);
            zn_system_retract(f.sys, f.sys->q0, dq, q0);
            random_fill(&seed, 1, n_all, dq);
            set_rotation(f.sys, length[k], dq);
            zn_system_retract(f.sys, q0, dq, q1);
            zn_system_difference(f.sys, q1, q0, back);
            for (int i = 0; i < n_all; i++)
                CHECK_NEAR(back[i], dq[i], 1e-13);
            // and the other way, up to the sign of a quaternion
            zn_system_retract(f.sys, q0, back, again);
            for (int i = 0; i < nq; i++)
                CHECK_NEAR(again[i], q1[i], 1e-13);
            zn_system_difference(f.sys, q0, q0, back);
            CHECK_NEAR(largest_of(n_all, back), 0, 1e-15);
        }
        destroy_fixture(&f);
    }
}

// A frame3 turns by R exp(dtheta~): about its own axes, after what it did before.
static void test_body_axes(void **state)
{
    (void)state;
    fixture f = make_mixed(false);
    double  dq[FIXTURE_MAX] = {0}, q[FIXTURE_MAX];
    int     node = f.sys->frame3[0];
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    const zn_layout_node *layout = &f.sys->layout.node[node];
    memcpy(q + layout->q + 3, (double[4]){1, 0, 0, 0}, 4 * sizeof(double));
    dq[layout->dof[5]] = pi / 2; // a quarter about z: body x points along world y
    zn_system_retract(f.sys, q, dq, q);
    dq[layout->dof[5]] = 0;
    dq[layout->dof[3]] = pi / 2; // a quarter about body x = world y: body z (world z) goes to world x
    zn_system_retract(f.sys, q, dq, q);
    const double *r = q + layout->q + 3;
    zn_vec3       z = zn_quat_rotate((zn_quat){r[0], r[1], r[2], r[3]}, zn_vec3_make(0, 0, 1));
    CHECK_NEAR(z.x, 1, 1e-15);
    CHECK_NEAR(z.y, 0, 1e-15);
    CHECK_NEAR(z.z, 0, 1e-15);
    destroy_fixture(&f);
}

static void test_alias(void **state)
{
    (void)state;
    uint64_t seed = 4;
    for (int planar = 0; planar < 2; planar++) {
        fixture f = make_mixed(planar);
        double  dq[FIXTURE_MAX], apart[FIXTURE_MAX], same[FIXTURE_MAX], x[FIXTURE_MAX], y[FIXTURE_MAX];
        int     n_all = f.sys->info.n_all, nq = f.sys->info.nq;
        random_fill(&seed, 1, n_all, dq);
        memcpy(same, f.sys->q0, sizeof *same * (size_t)nq);
        zn_system_retract(f.sys, f.sys->q0, dq, apart);
        zn_system_retract(f.sys, same, dq, same);
        assert_memory_equal(apart, same, sizeof *same * (size_t)nq);
        random_fill(&seed, 1, n_all, x);
        zn_system_tangent(f.sys, dq, x, y);
        memcpy(same, x, sizeof *same * (size_t)n_all);
        zn_system_tangent(f.sys, dq, same, same);
        assert_memory_equal(y, same, sizeof *same * (size_t)n_all);
        destroy_fixture(&f);
    }
}

static void test_quaternion_stays_unit(void **state)
{
    (void)state;
    fixture  f = make_mixed(false);
    uint64_t seed = 5;
    double   q[FIXTURE_MAX], dq[FIXTURE_MAX], worst = 0;
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    for (int step = 0; step < 100000; step++) {
        random_fill(&seed, step % 100 == 0 ? 4 : 0.01, f.sys->info.n_all, dq);
        zn_system_retract(f.sys, q, dq, q);
        for (int k = 0; k < f.sys->frames3; k++) {
            const double *r = q + f.sys->layout.node[f.sys->frame3[k]].q + 3;
            double        off = fabs(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3] - 1);
            worst = off > worst || isnan(off) ? off : worst;
        }
    }
    CHECK_BELOW(worst, 2e-15);
    destroy_fixture(&f);
}

// T(dq) x = d/ds difference(q (+) (dq + s x), q (+) dq) at s = 0, by central differences of fourth order.
static void numeric_tangent(const zn_system *sys, const double *dq, const double *x, double *out)
{
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, place[4] = {-2, -1, 1, 2};
    const double        h = 1e-3;
    int                 n_all = sys->info.n_all;
    double              base[FIXTURE_MAX], moved[FIXTURE_MAX], step[FIXTURE_MAX], change[FIXTURE_MAX];
    zn_system_retract(sys, sys->q0, dq, base);
    memset(out, 0, sizeof *out * (size_t)n_all);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < n_all; i++)
            step[i] = dq[i] + place[k] * h * x[i];
        zn_system_retract(sys, sys->q0, step, moved);
        zn_system_difference(sys, moved, base, change);
        for (int i = 0; i < n_all; i++)
            out[i] += weight[k] * change[i] / h;
    }
}

static void test_tangent(void **state)
{
    (void)state;
    static const double length[] = {0, 1e-9, 1e-4, 1e-2, 1, 3.14, 5};
    uint64_t            seed = 6;
    for (int planar = 0; planar < 2; planar++) {
        fixture f = make_mixed(planar);
        int     n_all = f.sys->info.n_all;
        for (size_t k = 0; k < sizeof length / sizeof *length; k++) {
            double dq[FIXTURE_MAX], x[FIXTURE_MAX], exact[FIXTURE_MAX], numeric[FIXTURE_MAX], back[FIXTURE_MAX];
            random_fill(&seed, 1, n_all, dq);
            random_fill(&seed, 1, n_all, x);
            set_rotation(f.sys, length[k], dq);
            zn_system_tangent(f.sys, dq, x, exact);
            numeric_tangent(f.sys, dq, x, numeric);
            zn_system_tangent_inverse(f.sys, dq, exact, back);
            for (int i = 0; i < n_all; i++) {
                CHECK_NEAR(exact[i], numeric[i], 1e-10);
                CHECK_NEAR(back[i], x[i], 1e-12);
            }
            double turned = 0; // the tangent does something where a spatial frame turns, and nothing elsewhere
            for (int i = 0; i < n_all; i++)
                turned = fabs(exact[i] - x[i]) > turned ? fabs(exact[i] - x[i]) : turned;
            assert_int_equal(turned > 0.1, !planar && length[k] > 0.5);
        }
        destroy_fixture(&f);
    }
}

static void test_angle_is_unwrapped(void **state)
{
    (void)state;
    fixture f = make_block(0);
    double  q[3], dq[3] = {0, 0, 1.5};
    int     turns = 20;
    memcpy(q, f.sys->q0, sizeof q);
    for (int i = 0; i < turns; i++)
        zn_system_retract(f.sys, q, dq, q);
    CHECK_NEAR(q[2], 0.2 + turns * 1.5, 1e-13);
    zn_system_difference(f.sys, q, f.sys->q0, dq);
    CHECK_NEAR(dq[2], turns * 1.5, 1e-13);
    destroy_fixture(&f);
}

// A spinning body passes 2 pi in a run: no force, so the angle is exactly linear in time.
static void test_spin_run(void **state)
{
    (void)state;
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    body.mass = 1;
    body.inertia = 0.5;
    body.spin = 7;
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    fixture    f = compile_fixture(model);
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.scheme.scheme = "moreau_jean";
    def.step = 0.125;
    def.until = 4;
    CHECK_OK(zn_sim_create(f.sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    CHECK_NEAR(zn_sim_state(sim)->q[2], 28, 1e-13);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

// Fixed degrees of freedom keep their bits under gravity, springs, contact and an initial velocity they cannot have.
static void test_fixed_never_move(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection"};
    for (int s = 0; s < 2; s++) {
        zn_model     *model = make_model(true, zn_vec3_make(3, -9.81, 0), NULL);
        zn_body_def   body = zn_body_def_default();
        zn_spring_def spring = zn_spring_def_default();
        zn_node_id    slider, turner;
        body.mass = 1;
        body.inertia = 0.1;
        body.position = zn_vec3_make(0.1, 0.3, 0);
        body.angle = 0.123;
        body.velocity = zn_vec3_make(1, 1, 0);
        body.spin = 2;
        body.fixed = ZN_FIX_X | ZN_FIX_ROTATION;
        CHECK_OK(zn_model_add_body(model, &body, &slider));
        body.position.x = 0.7;
        body.fixed = ZN_FIX_X | ZN_FIX_Y;
        CHECK_OK(zn_model_add_body(model, &body, &turner));
        spring.from = (zn_attachment){slider, {0.1, 0.05, 0}};
        spring.to = (zn_attachment){turner, {-0.2, 0.1, 0}};
        spring.stiffness = 100;
        spring.damping = 1;
        CHECK_OK(zn_model_add_spring(model, &spring));
        add_plane(model, "floor", slider, zn_vec3_make(0.1, -0.2, 0), zn_vec3_make(0.6, 0.8, 0), 0.4);
        fixture    f = compile_fixture(model);
        zn_sim_def def = zn_sim_def_default();
        zn_sim    *sim = NULL;
        def.scheme.scheme = schemes[s];
        def.step = 1e-2;
        def.until = 2;
        assert_int_equal(f.sys->info.n, 2);
        assert_int_equal(f.sys->info.n_all, 6);
        CHECK_OK(zn_sim_create(f.sys, &def, &sim));
        CHECK_OK(zn_sim_run(sim));
        const zn_state *end = zn_sim_state(sim);
        for (int i = 0; i < f.sys->info.nq; i++)
            assert_int_equal(end->q[i] == f.sys->q0[i], f.sys->coordinate_dof[i] >= f.sys->info.n);
        for (int i = f.sys->info.n; i < f.sys->info.n_all; i++)
            assert_true(end->v[i] == 0 && f.sys->v0[i] == 0);
        assert_true(zn_sim_certificate(sim)->impacts > 0); // the contact took part
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_body_axes),
        cmocka_unit_test(test_alias),      cmocka_unit_test(test_quaternion_stays_unit),
        cmocka_unit_test(test_tangent),    cmocka_unit_test(test_angle_is_unwrapped),
        cmocka_unit_test(test_spin_run),   cmocka_unit_test(test_fixed_never_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
