// Planes carried by bodies as faces that end, and sets of nodes against any surface: derivatives, release at the edge,
// a ball that rolls off a table, nodes of beams.
#include "contact_derivatives.h"

#include "solid_models.h"

// --- derivatives ---------------------------------------------------------------------------------

// A bounded plane or a round surface on a body that turns, against the nodes of a solid or a beam.
static fixture make_carried(zn_surface_kind kind, bool planar, bool beam, double radius, bool ground)
{
    zn_model      *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_contact_def def = zn_contact_def_default();
    zn_body_def    table = zn_body_def_default();
    table.mass = 1;
    table.inertia = planar ? 1 : 0;
    table.inertia3 = planar ? (zn_mat3){0} : zn_mat3_identity();
    table.position = zn_vec3_make(0.2, -0.3, planar ? 0 : 0.1);
    table.angle = planar ? 0.4 : 0;
    if (!planar)
        table.rotation = zn_so3_exp(zn_vec3_make(0.1, 0.2, 0.3));
    zn_node_id body;
    CHECK_OK(zn_model_add_body(model, &table, &body));
    if (!ground)
        def.surface_node = body;
    if (beam) {
        zn_beam_def b = zn_beam_def_default();
        b.name = "body";
        b.from = zn_vec3_make(0, 0.5, 0);
        b.to = zn_vec3_make(0.5, 0.6, 0);
        b.elements = 2;
        b.young = b.density = 1;
        b.section = zn_beam_section_rectangle(0.1, 0.1, 0);
        CHECK_OK(zn_model_add_beam(model, &b));
        def.points = "body";
    } else {
        zn_mesh     *mesh = make_mesh(planar ? ZN_QUAD4 : ZN_HEX8, zn_vec3_make(0.5, 0.5, 0.5), 1, 1, 1);
        zn_solid_def solid = soft_solid((solid_case){mesh->shape, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
        CHECK_OK(zn_model_add_solid(model, &solid));
        zn_mesh_destroy(mesh);
        def.points = "body.xmin";
    }
    def.surface = kind;
    def.surface_radius = kind == ZN_SURFACE_HOLE ? 9 : 0.1;
    def.through = kind == ZN_SURFACE_PLANE ? zn_vec3_make(0.1, -0.2, planar ? 0 : 0.3)
                                           : zn_vec3_make(-1, -3, planar ? 0 : -2); // far from where tangents jump
    def.normal = zn_vec3_make(0.2, 1, planar ? 0 : 0.3);
    def.radius = radius;
    def.friction = 0.3;
    def.restitution = 0.5;
    if (kind == ZN_SURFACE_PLANE) {
        def.length = 20;
        def.breadth = planar ? 0 : 30;
        def.along = planar ? zn_vec3_make(0, 0, 0) : zn_vec3_make(1, 0, 1);
    }
    CHECK_OK(zn_model_add_contact(model, &def));
    return compile_fixture(model);
}

static void test_derivatives(void **state)
{
    (void)state;
    for (int kind = ZN_SURFACE_PLANE; kind <= ZN_SURFACE_HOLE; kind++)
        for (int k = 0; k < 16; k++) {
            bool    planar = k & 1, ground = k & 8;
            double  radius = k & 4 ? 0.05 : 0;
            fixture f = make_carried((zn_surface_kind)kind, planar, k & 2, radius, ground);
            bool    exact = kind == ZN_SURFACE_PLANE && (planar || radius == 0);
            check_contact_derivatives(f.sys, 50 + k, 0.2, exact, 5e-9);
            destroy_fixture(&f);
        }
}

// Nodes on a fixed plane, with friction: the fast rule.
static void test_fixed_plane(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        zn_model      *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
        zn_mesh       *mesh = make_mesh(planar ? ZN_QUAD4 : ZN_TET4, zn_vec3_make(1, 1, 1), 1, 1, 1);
        zn_solid_def   solid = soft_solid((solid_case){mesh->shape, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, mesh);
        zn_contact_def def = zn_contact_def_default();
        CHECK_OK(zn_model_add_solid(model, &solid));
        zn_mesh_destroy(mesh);
        def.points = "body.xmin";
        def.normal = zn_vec3_make(1, 2, planar ? 0 : 3);
        def.friction = 0.5;
        def.radius = 0.1;
        CHECK_OK(zn_model_add_contact(model, &def));
        fixture f = compile_fixture(model);
        check_contact_derivatives(f.sys, 91, 0.3, true, 1e-10);
        destroy_fixture(&f);
    }
}

// --- where a face ends ---------------------------------------------------------------------------

static void test_edges(void **state)
{
    (void)state;
    zn_model      *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def    body = zn_body_def_default();
    zn_contact_def def = zn_contact_def_default();
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, &def.point.node));
    body.inertia3 = zn_mat3_identity();
    body.position = zn_vec3_make(5, 0, 0);
    body.rotation = zn_so3_exp(zn_vec3_make(0, 0, 1.5707963267948966)); // its x axis is the world's y axis
    CHECK_OK(zn_model_add_body(model, &body, &def.surface_node));
    def.through = zn_vec3_make(0, 0, 2);
    def.normal = zn_vec3_make(0, 0, 1);
    def.along = zn_vec3_make(3, 0, 7); // made perpendicular: x of the body
    def.length = 4;
    def.breadth = 1;
    def.depth = 0.25;
    CHECK_OK(zn_model_add_contact(model, &def));
    fixture         f = compile_fixture(model);
    zn_contact_set *set = NULL;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    static const struct {
        double x, y, z;
        int    count;
    } place[] = {{5, 0, 2, 1},    {5, 1.99, 9, 1}, {5, 2.01, 2, 0}, {5, -1.99, 2, 1}, {5, -2.01, 2, 0}, {5.49, 0, 2, 1},
                 {5.51, 0, 2, 0}, {4.51, 0, 2, 1}, {4.49, 0, 2, 0}, {5, 0, 1.76, 1},  {5, 0, 1.74, 0},  {5, 0, -9, 0}};
    for (size_t i = 0; i < sizeof place / sizeof *place; i++) {
        double q[FIXTURE_MAX];
        memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
        q[0] = place[i].x, q[1] = place[i].y, q[2] = place[i].z;
        CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
        assert_int_equal(set->count, place[i].count);
        if (set->count)
            CHECK_NEAR(set->gap[0], place[i].z - 2, 1e-14);
    }
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// A ball rolls along a table that ends at x = 0 and falls: y = -g s^2/2 with s = t - t_e, in x at constant speed. It
// leaves within a step of its time.
static void test_off_the_table(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection"};
    for (int s = 0; s < 3; s++) {
        zn_model      *model = make_model(true, zn_vec3_make(0, -10, 0), NULL);
        zn_body_def    ball = zn_body_def_default();
        zn_contact_def def = zn_contact_def_default();
        const double   r = 0.1, v = 1.3, h = 1e-3, start = -0.513, edge = -start / v;
        ball.mass = 2;
        ball.inertia = 0.5 * 2 * r * r;
        ball.position = zn_vec3_make(start, r, 0);
        ball.velocity = zn_vec3_make(v, 0, 0);
        ball.spin = -v / r; // rolls
        CHECK_OK(zn_model_add_body(model, &ball, &def.point.node));
        def.through = zn_vec3_make(-1, 0, 0);
        def.normal = zn_vec3_make(0, 1, 0);
        def.length = 2;
        def.radius = r;
        def.friction = 0.4;
        CHECK_OK(zn_model_add_contact(model, &def));
        fixture    f = compile_fixture(model);
        zn_sim_def sim_def = zn_sim_def_default();
        zn_sim    *sim = NULL;
        sim_def.scheme.scheme = schemes[s];
        sim_def.step = h;
        sim_def.until = 1;
        CHECK_OK(zn_sim_create(f.sys, &sim_def, &sim));
        for (int k = 1; k <= 1000; k++) {
            bool above = zn_sim_state(sim)->q[0] <= 0; // at the start of the step
            CHECK_OK(zn_sim_step(sim));
            const zn_state *now = zn_sim_state(sim);
            double          fall = fmax(0, k * h - edge);
            CHECK_NEAR(now->q[0], start + v * k * h, 1e-9);
            CHECK_NEAR(now->q[2], -v / r * k * h, 1e-8);
            CHECK_NEAR(now->q[1] - r, -5 * fall * fall, 10 * fall * h + 5 * h * h + 1e-12);
            assert_int_equal(now->contacts->count, above);
        }
        CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
        zn_sim_destroy(sim);
        destroy_fixture(&f);
    }
}

// A face that falls with its body carries a point in free fall along without a force, and lifts it when it stops.
static void test_moving_face(void **state)
{
    (void)state;
    zn_model      *model = make_model(false, zn_vec3_make(0, 0, -10), NULL);
    zn_body_def    body = zn_body_def_default();
    zn_contact_def def = zn_contact_def_default();
    const double   h = 1e-3, w = 2, x = 0.3;
    body.name = "ball";
    body.mass = 1e-6; // next to nothing
    body.position = zn_vec3_make(x, 0, 0);
    body.velocity = zn_vec3_make(0, 0, -w * x);
    CHECK_OK(zn_model_add_body(model, &body, &def.point.node));
    body.name = "disc";
    body.mass = 1;
    body.inertia3 = zn_mat3_identity();
    body.position = zn_vec3_make(0, 0, 0);
    body.velocity = zn_vec3_make(0, 0, 0);
    body.spin3 = zn_vec3_make(0, w, 0);
    CHECK_OK(zn_model_add_body(model, &body, &def.surface_node));
    def.normal = zn_vec3_make(0, 0, 1);
    def.length = 1;
    def.breadth = 1;
    def.friction = 0.9;
    CHECK_OK(zn_model_add_contact(model, &def));
    fixture    f = compile_fixture(model);
    zn_sim_def sim_def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    sim_def.scheme.scheme = "combined_projection";
    sim_def.step = h;
    sim_def.until = 0.2;
    CHECK_OK(zn_sim_create(f.sys, &sim_def, &sim));
    for (int k = 1; k <= 200; k++) {
        CHECK_OK(zn_sim_step(sim));
        const zn_state *now = zn_sim_state(sim);
        CHECK_BELOW(-now->contacts->gap[0], 1e-9); // it turns away from below the ball
        CHECK_BELOW(now->contacts->impulse[0], 1e-6 * 10 * h);
    }
    CHECK_BELOW(zn_sim_certificate(sim)->closure.value, 1e-10);
    zn_sim_destroy(sim);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),   cmocka_unit_test(test_fixed_plane), cmocka_unit_test(test_edges),
        cmocka_unit_test(test_off_the_table), cmocka_unit_test(test_moving_face),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
