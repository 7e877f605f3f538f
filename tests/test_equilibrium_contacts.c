// Static equilibrium of what only rests on other things: closed forms of beams that lift off, tables, stacks, grooves,
// and the work that it takes.
#include "equilibrium_solved.h"

// Directly: no pseudo-time. Balanced up to `residual`, nothing pulls, nothing is penetrated.
static solved settle(zn_model *model, double residual)
{
    solved                s = solve(model, 1);
    const zn_contact_set *set = s.state->contacts;
    assert_int_equal(s.info.relaxations, 0);
    CHECK_BELOW(s.info.residual, residual);
    CHECK_BELOW(s.info.penetration, 1e-13);
    for (int i = 0; i < set->count; i++)
        assert_true(set->bilateral[i] || set->impulse[i * set->stride] >= 0);
    return s;
}

static int64_t factorizations(const solved *r)
{
    return r->info.linear_solver.factorizations + r->info.linear_solver.refactorizations;
}

// --- beams on supports ---------------------------------------------------------------------------

static const double EI = 210e9 * 0.02 * 1e-6 / 12, weight = 7800 * 0.02 * 0.01 * 9.81; // 0.02 x 0.01 m; [N/m]

static zn_model *make_beam(double length, int elements, double gravity)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, -gravity, 0), NULL);
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.to = zn_vec3_make(length, 0, 0);
    def.elements = elements;
    def.young = 210e9;
    def.density = 7800;
    def.theory = ZN_BEAM_EULER_BERNOULLI;
    def.section = zn_beam_section_rectangle(0.02, 0.01, 0);
    CHECK_OK(zn_model_add_beam(model, &def));
    return model;
}

static void support(zn_model *model, const char *name, const char *node, double y)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = name;
    def.point.node = zn_model_find_node(model, node);
    def.normal = zn_vec3_make(0, 1, 0);
    def.through = zn_vec3_make(0, y, 0);
    CHECK_OK(zn_model_add_contact(model, &def));
}

// Two spans of 1 m, P in the middle of the first, R in the middle of the second. All closed: A = (13 P - 3 R)/32,
// B = 11 (P + R)/16, C = (13 R - 3 P)/32. Below R = 3 P/13 C would pull: it opens, A = P/2 - R/2, B = P/2 + 3 R/2, and
// the end rises by (P/16 - 13 R/48)/EI.
static void test_three_supports(void **state)
{
    (void)state;
    const double P = 100, load[] = {0, 10, 23, 24, 60};
    for (int i = 0; i < 5; i++) {
        double    R = load[i];
        bool      open = R < 3 * P / 13;
        zn_model *model = make_beam(2, 40, 0);
        support(model, "A", "beam[0]", 0);
        support(model, "B", "beam[20]", 0);
        support(model, "C", "beam[40]", 0);
        push(model, "P", "beam[10]", zn_vec3_make(0, 0, 0), 0, -P);
        push(model, "R", "beam[30]", zn_vec3_make(0, 0, 0), 0, -R);
        solved r = settle(model, 1e-9);
        CHECK_NEAR(force_of(&r, "A"), open ? P / 2 - R / 2 : (13 * P - 3 * R) / 32, 1e-8);
        CHECK_NEAR(force_of(&r, "B"), open ? P / 2 + 3 * R / 2 : 11 * (P + R) / 16, 1e-8);
        CHECK_NEAR(force_of(&r, "C"), open ? 0 : (13 * R - 3 * P) / 32, 1e-8);
        double slope = (P / 16 - R / 6) / EI,
               bent = R / EI * (1.0 / 24 + 1.0 / 16); // at B; own bending of the second span
        CHECK_NEAR(coordinate(&r, "beam[40]", 1), open ? slope - bent : 0, 1e-10);
        CHECK_NEAR(coordinate(&r, "beam[20]", 0), 0, 1e-12); // nothing holds it along
        assert_true(factorizations(&r) < 10);
        close_solved(&r);
    }
}

// A support 2 mm lower takes no force until the others let the beam down that far: P/48 EI in the middle of one span.
static void test_low_support(void **state)
{
    (void)state;
    const double low = 2e-3, close = 48 * EI * low;
    for (int i = 0; i < 2; i++) {
        double    P = i == 0 ? 0.9 * close : 1.5 * close;
        zn_model *model = make_beam(1, 20, 0);
        support(model, "A", "beam[0]", 0);
        support(model, "M", "beam[10]", -low);
        support(model, "B", "beam[20]", 0);
        push(model, "P", "beam[10]", zn_vec3_make(0, 0, 0), 0, -P);
        solved r = settle(model, 1e-9);
        CHECK_NEAR(force_of(&r, "M"), i == 0 ? 0 : P - close, 1e-8 * P);
        CHECK_NEAR(force_of(&r, "A"), i == 0 ? P / 2 : close / 2, 1e-8 * P);
        CHECK_NEAR(coordinate(&r, "beam[10]", 1), i == 0 ? -0.9 * low : -low, 1e-12);
        close_solved(&r);
    }
}

// A heavy beam on a floor, lifted at its end by F: it leaves the floor over a = 2 F/w, where moment and slope are zero,
// and the end rises by w a^4/(24 EI). With a node every h the floor ends up to h away from there: an error of order
// h^2.
static void test_lifted_end(void **state)
{
    (void)state;
    const double F = 6, a = 2 * F / weight, rise = weight * pow(a, 4) / (24 * EI);
    double       before = 0;
    for (int elements = 40; elements <= 640; elements *= 4) {
        zn_model      *model = make_beam(2, elements, 9.81);
        zn_contact_def def = zn_contact_def_default();
        char           end[24];
        def.name = "floor";
        def.points = "beam";
        def.normal = zn_vec3_make(0, 1, 0);
        CHECK_OK(zn_model_add_contact(model, &def));
        snprintf(end, sizeof end, "beam[%d]", elements);
        push(model, "F", end, zn_vec3_make(0, 0, 0), 0, F);
        solved r = settle(model, 1e-7);
        double h = 2.0 / elements, off = fabs(coordinate(&r, end, 1) / rise - 1), sum = 0;
        CHECK_BELOW(off, 2 * h * h / (a * a));
        assert_true(before == 0 || off < before / 4);
        before = off;
        for (int i = 0; i < r.state->contacts->count; i++) {
            double x = i * h, carried = r.state->contacts->impulse[i];
            sum += carried;
            assert_true(x < 2 - a + 3 * h || carried == 0);
            if (i > 12 && x < 2 - a - 20 * h) // what the ends do dies out by 2 - sqrt(3) from node to node
                CHECK_NEAR(carried, weight * h, 1e-3 * weight * h);
        }
        CHECK_NEAR(sum, 2 * weight - F, 1e-9);
        assert_true(factorizations(&r) < 150);
        close_solved(&r);
    }
}

// --- rigid bodies --------------------------------------------------------------------------------

static zn_model *make_table(double lift, double tilt, double x, double y)
{
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, -10), NULL);
    zn_body_def  def = zn_body_def_default();
    zn_node_id   table = {0};
    zn_force_def force = zn_force_def_default();
    def.name = "table";
    def.mass = 4;
    def.inertia3 = (zn_mat3){{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}};
    def.position = zn_vec3_make(0.3, -0.2, 1 + lift);
    def.rotation = zn_so3_exp(zn_vec3_make(tilt, -0.5 * tilt, 0.2 * tilt));
    CHECK_OK(zn_model_add_body(model, &def, &table));
    for (int i = 0; i < 4; i++) {
        char name[] = {(char)('A' + i), 0};
        add_plane(model, name, table, zn_vec3_make(i % 3 == 0 ? -1 : 1, i < 2 ? -1 : 1, -1), zn_vec3_make(0, 0, 1), 0);
    }
    force.name = "load";
    force.point = (zn_attachment){table, zn_vec3_make(x, y, 0)};
    force.force[2] = constant(-20);
    CHECK_OK(zn_model_add_force(model, &force));
    return model;
}

// Four feet at (+-1, +-1) of a rigid table: any share of the forces with the right sum and moments is an equilibrium.
// The one of equally soft feet is W/4 + (W x + ...)/4 linear in the place of the load, as long as none of them pulls.
static void test_table(void **state)
{
    (void)state;
    const double lift[] = {0, 0.4, 0.02}, tilt[] = {0, 0, 0.03}, x = 0.3, y = -0.5;
    for (int i = 0; i < 3; i++) {
        solved r = settle(make_table(lift[i], tilt[i], x, y), 1e-12);
        for (int k = 0; k < 4; k++) {
            char   name[] = {(char)('A' + k), 0};
            double u = k % 3 == 0 ? -1 : 1, v = k < 2 ? -1 : 1, share = 10 + 5 + 5 * x * u + 5 * y * v;
            if (i < 2) // shared alike only from all feet at once
                CHECK_NEAR(force_of(&r, name), share, 1e-9);
        }
        CHECK_NEAR(coordinate(&r, "table", 2), 1, 1e-12);
        CHECK_NEAR(r.info.support.z, 60, 1e-11);
        if (i < 2) {
            CHECK_NEAR(coordinate(&r, "table", 0), 0.3, 1e-12); // stays where it stands
            CHECK_NEAR(coordinate(&r, "table", 1), -0.2, 1e-12);
            assert_true(factorizations(&r) < 10);
        }
        close_solved(&r);
    }
}

// Blocks shifted to and fro, each on the corners of the one below: the interface below block i carries all above it,
// with the lever of their centre of mass.
static void test_stack(void **state)
{
    (void)state;
    enum { BLOCKS = 8 };
    const double half = 0.4, g = 10;
    double       x[BLOCKS];
    zn_node_id   node[BLOCKS];
    zn_model    *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
    for (int i = 0; i < BLOCKS; i++) {
        char name[24];
        snprintf(name, sizeof name, "block%d", i);
        x[i] = 0.07 * (i % 3) - 0.05 * (i % 2);
        node[i] = add_body(model, name, 1 + i, 0.3, x[i], 0.5 + i, 0);
        for (int side = -1; side <= 1; side += 2) {
            zn_contact_def def = zn_contact_def_default();
            snprintf(name, sizeof name, "%s%d", side < 0 ? "left" : "right", i);
            def.name = name;
            def.point = (zn_attachment){node[i], zn_vec3_make(side * half, -0.5, 0)};
            def.normal = zn_vec3_make(0, 1, 0);
            def.surface_node = i > 0 ? node[i - 1] : (zn_node_id){0};
            def.through = zn_vec3_make(0, i > 0 ? 0.5 : 0, 0);
            CHECK_OK(zn_model_add_contact(model, &def));
        }
    }
    solved r = settle(model, 1e-12);
    double mass = 0, moment = 0;
    for (int i = BLOCKS - 1; i >= 0; i--) {
        char left[24], right[24];
        snprintf(left, sizeof left, "left%d", i);
        snprintf(right, sizeof right, "right%d", i);
        moment += (1 + i) * x[i];
        mass += 1 + i;
        double lever = moment / mass - x[i];
        CHECK_NEAR(force_of(&r, right), mass * g / 2 * (1 + lever / half), 1e-9);
        CHECK_NEAR(force_of(&r, left), mass * g / 2 * (1 - lever / half), 1e-9);
    }
    assert_true(factorizations(&r) < 10);
    close_solved(&r);
}

// A ball falls into a groove of slopes a and b: forces W sin b/sin(a + b) and W sin a/sin(a + b).
static void test_groove(void **state)
{
    (void)state;
    const double a = 0.6, b = 0.9, W = 10, radius = 0.5;
    zn_model    *model = make_model(true, zn_vec3_make(0, -10, 0), NULL);
    zn_node_id   ball = add_body(model, "ball", 1, 0.1, 0.1, 1.2, 0);
    for (int i = 0; i < 2; i++) {
        zn_contact_def def = zn_contact_def_default();
        def.name = i == 0 ? "A" : "B";
        def.point.node = ball;
        def.radius = radius;
        def.normal = i == 0 ? zn_vec3_make(sin(a), cos(a), 0) : zn_vec3_make(-sin(b), cos(b), 0);
        CHECK_OK(zn_model_add_contact(model, &def));
    }
    solved r = settle(model, 1e-12);
    CHECK_NEAR(force_of(&r, "A"), W * sin(b) / sin(a + b), 1e-11);
    CHECK_NEAR(force_of(&r, "B"), W * sin(a) / sin(a + b), 1e-11);
    double x = coordinate(&r, "ball", 0), y = coordinate(&r, "ball", 1);
    CHECK_NEAR(x * sin(a) + y * cos(a), radius, 1e-13);
    CHECK_NEAR(-x * sin(b) + y * cos(b), radius, 1e-13);
    assert_true(factorizations(&r) < 10);
    close_solved(&r);
}

// --- deformable stack ----------------------------------------------------------------------------

// Vertical forces of all contacts on the nodes of a set.
static double lift_on(const solved *r, const char *name)
{
    const zn_contact_set *set = r->state->contacts;
    int                   count = 0;
    const zn_node_id     *node = zn_model_find_node_set(r->f.model, name, &count);
    double                sum = 0;
    assert_true(count > 0);
    for (int k = 0; k < count; k++) {
        int dof = r->f.sys->layout.node[node[k].value - 1].dof[1];
        for (int i = 0; i < set->count; i++)
            for (int p = set->row_start[i]; p < set->row_start[i + 1]; p++)
                sum += set->row_dof[p] == dof ? set->row_value[p] * set->impulse[i] : 0;
    }
    return sum;
}

// Blocks on top of each other, meshes that do not match: the lower face of each carries what is above it.
static void test_soft_stack(void **state)
{
    (void)state;
    const double rho = 1000, g = 9.81, H = 0.4;
    zn_model    *model = make_model(true, zn_vec3_make(0, -g, 0), NULL);
    for (int i = 0; i < 2; i++) {
        zn_mesh     *mesh = NULL;
        zn_solid_def def = zn_solid_def_default();
        CHECK_OK(zn_mesh_rectangle(zn_vec3_make(i == 0 ? 0 : 0.13, i * H, 0),
                                   zn_vec3_make(i == 0 ? 1 : 0.87, i * H + H, 0), (int[2]){i == 0 ? 9 : 5, 4}, &mesh));
        def.name = i == 0 ? "lower" : "upper";
        def.mesh = mesh;
        def.young = 1e6;
        def.poisson = 0;
        def.density = rho;
        CHECK_OK(zn_model_add_solid(model, &def));
        zn_mesh_destroy(mesh);
    }
    zn_contact_def def = zn_contact_def_default();
    def.name = "floor";
    def.points = "lower.ymin";
    def.normal = zn_vec3_make(0, 1, 0);
    CHECK_OK(zn_model_add_contact(model, &def));
    def = zn_contact_def_default();
    def.name = "between";
    def.points = "upper.ymin";
    def.surface = ZN_SURFACE_FACETS;
    def.part = "lower";
    def.face = "lower.ymax";
    CHECK_OK(zn_model_add_contact(model, &def));
    solved r = settle(model, 1e-10);
    CHECK_NEAR(lift_on(&r, "lower.ymin"), rho * g * H * 1.74, 1e-8);
    CHECK_NEAR(lift_on(&r, "upper.ymin"), rho * g * H * 0.74, 1e-8);
    assert_true(factorizations(&r) < 30);
    close_solved(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_supports), cmocka_unit_test(test_low_support), cmocka_unit_test(test_lifted_end),
        cmocka_unit_test(test_table),          cmocka_unit_test(test_stack),       cmocka_unit_test(test_groove),
        cmocka_unit_test(test_soft_stack),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
