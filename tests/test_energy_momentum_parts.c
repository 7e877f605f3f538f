// Everything that has a force between two states, in motion by the scheme energy_momentum: energy and momenta stay to
// rounding for solids of every element and material, bodies tied by springs on levers, beams; order two; the ledger
// closes with dampers and loads on bodies that turn. With a number as its argument the first runs so many steps.
#include "parts_between.h"
#include "model/rigid_row.h"
#include "invariants.h"

static int long_steps = 100;

static const zn_vec3 nowhere = {0, 0, 0};

static zn_vec3 momentum_of(const rig *r)
{
    static double scratch[FIXTURE_MAX];
    zn_vec3       linear, angular;
    CHECK_OK(zn_system_momentum(r->sys, (zn_at){r->state->q, r->state->v, 0, 0}, -1, scratch, &linear, &angular));
    return linear;
}

static void add_velocity(rig *r, zn_vec3 v)
{
    const double part[3] = {v.x, v.y, v.z};
    for (int i = 0; i < r->sys->layout.nodes; i++)
        for (int k = 0; k < zn_node_dimension(r->sys->layout.node[i].kind); k++)
            r->state->v[r->sys->layout.node[i].dof[k]] += part[k];
}

// A turn where it is not linear, and some more at random, with little momentum: far from the origin positions are
// rounded more.
static void set_in_motion(rig *r, bool turns, double more)
{
    uint64_t seed = 3;
    bool     planar = r->sys->info.planar;
    zn_vec3  w = {planar || !turns ? 0 : 0.8, planar || !turns ? 0 : -0.4, turns ? 1.3 : 0};
    add_velocity(r, zn_vec3_make(1, 0, 0));
    double mass = momentum_of(r).x;
    memset(r->state->v, 0, sizeof *r->state->v * (size_t)r->sys->info.n_all);
    for (int i = 0; i < r->sys->layout.nodes; i++) {
        const zn_layout_node *node = &r->sys->layout.node[i];
        zn_vec3               x = zn_rigid_at(&r->sys->layout, (zn_node_id){i + 1}, r->state->q).position;
        zn_vec3               v = zn_vec3_cross(w, x);
        const double          field[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
        for (int k = 0; k < 6; k++)
            if (node->dof[k] >= 0 && node->dof[k] < r->sys->info.n)
                r->state->v[node->dof[k]] = field[k] + more * random_unit(&seed);
    }
    if (r->sys->info.n == r->sys->info.n_all) // nothing is held
        add_velocity(r, zn_vec3_add(zn_vec3_scale(-1 / mass, momentum_of(r)), zn_vec3_make(0.01, -0.005, 0)));
    CHECK_OK(zn_system_energy(r->sys, (zn_at){r->state->q, r->state->v, 0, 0}, &r->state->energy));
}

// Sum of the magnitudes of all momenta.
static double size_of(const rig *r)
{
    double p[FIXTURE_MAX], sum = 0;
    CHECK_OK(zn_system_inertia(r->sys, r->state->q, r->state->v, p));
    for (int i = 0; i < r->sys->info.n; i++)
        sum += fabs(p[i]);
    return sum;
}

typedef struct change {
    double energy, linear, angular, strain; // largest on the way; share of strain in the energy
    int    iterations;
} change;

static change run(rig *r, int steps, double h)
{
    invariants first = invariants_of(r);
    double     size = size_of(r);
    change     out = {0};
    for (int k = 1; k <= steps; k++) {
        rig_step(r, h);
        out.iterations = r->info.newton_iterations > out.iterations ? r->info.newton_iterations : out.iterations;
        out.strain = fmax(out.strain, r->state->energy.strain / first.energy);
        if (k % 20 != 0)
            continue;
        invariants now = invariants_of(r);
        out.energy = fmax(out.energy, fabs(now.energy / first.energy - 1));
        out.linear = fmax(out.linear, zn_vec3_norm(zn_vec3_sub(now.linear, first.linear)) / size);
        out.angular = fmax(out.angular, zn_vec3_norm(zn_vec3_sub(now.angular, first.angular)) / size);
    }
    return out;
}

// A linear material does not keep angular momentum, something held no momentum.
static void check_kept(const char *what, rig *r, bool turns, double h)
{
    bool   held = r->sys->info.n < r->sys->info.n_all;
    change c = run(r, long_steps, h);
    print_message("%-32s energy %.1e, momentum %.1e, angular momentum %.1e, strain %.0f %%\n", what, c.energy, c.linear,
                  c.angular, 100 * c.strain);
    assert_true(c.energy < 1e-11 && (held || c.linear < 1e-11));
    assert_true(!turns || c.angular < 1e-11);
    assert_true(c.strain > 0.02);
    rig_close(r);
}

static rig open_solid(solid_case c)
{
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 2, 1, 1);
    zn_model    *model = make_model(solid_case_planar(c), nowhere, NULL);
    zn_solid_def def = soft_solid(c, mesh);
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
    return rig_open(model, scheme_named("energy_momentum", 0.5));
}

static void test_solids(void **state)
{
    (void)state;
    static const char *shape[3] = {"quad4", "tet4", "hex8"},
                      *model[3] = {"linear", "St. Venant-Kirchhoff", "neo-Hookean"};
    for (int i = 0; i < SOLID_CASES; i++) {
        solid_case c = solid_case_at(i);
        rig        r = open_solid(c);
        char       text[64];
        set_in_motion(&r, c.model != ZN_SOLID_LINEAR, 0.3);
        snprintf(text, sizeof text, "%s%s %s", shape[c.shape], c.plane == ZN_PLANE_STRESS ? " thin" : "",
                 model[c.model]);
        check_kept(text, &r, c.model != ZN_SOLID_LINEAR, 0.1);
    }
}

static void test_parts(void **state)
{
    (void)state;
    static const char *name[PART_KINDS] = {"bodies on springs", "exact beam", "linear beam"};
    for (int i = 0; i < 2 * PART_KINDS; i++) {
        part_kind kind = (part_kind)(i / 2);
        bool      planar = i % 2 == 0;
        if (!parts_exist(kind, planar))
            continue;
        rig  r = rig_open(make_parts(kind, planar, 0, nowhere), scheme_named("energy_momentum", 0.5));
        char text[64];
        set_in_motion(&r, kind != LINEAR_BEAM, 0.3);
        snprintf(text, sizeof text, "%s, %s", name[kind], planar ? "plane" : "space");
        check_kept(text, &r, kind != LINEAR_BEAM, 0.05);
    }
}

// Far away positions have fewer digits, and strains with them: steps go on until that is all that is left.
static void check_far(rig *r, double h, double tolerance)
{
    const double away = 1e4;
    bool         held = r->sys->info.n < r->sys->info.n_all;
    for (int k = 0; k < r->sys->layout.nodes; k++)
        r->state->q[r->sys->layout.node[k].q] += away;
    CHECK_OK(zn_state_update(r->sys, r->state));
    change c = run(r, 200, h);
    print_message("%d nodes far away: energy %.1e, momentum %.1e, strain %.0f %%, at most %d iterations\n",
                  r->sys->layout.nodes, c.energy, c.linear, 100 * c.strain, c.iterations);
    assert_true(c.energy < tolerance && (held || c.linear < 1e-13) && c.iterations <= 8);
    rig_close(r);
}

// A slender rod of steel that flies and bends: K u of its rigid motion is zero as a difference of large numbers:
// rounding of 1e4 m makes forces of 2e-3 N, whose work over the way of a step is 1e-7 of the energy.
static rig open_slender(zn_beam_theory theory)
{
    zn_beam_def def = zn_beam_def_default();
    zn_model   *model = make_model(true, nowhere, NULL);
    def.name = "rod";
    def.to = zn_vec3_make(1.6, 1.2, 0);
    def.elements = 24;
    def.young = 2e11;
    def.density = 7800;
    def.section = zn_beam_section_rectangle(0.02, 0.02, 0);
    def.theory = theory;
    CHECK_OK(zn_model_add_beam(model, &def));
    rig r = rig_open(model, scheme_named("energy_momentum", 0.5));
    for (int i = 0; i < r.sys->layout.nodes; i++) {
        const zn_layout_node *node = &r.sys->layout.node[i];
        double                s = node->origin.x / 1.6 - 0.5, bend = 3 * (s * s - 1.0 / 12);
        r.state->v[node->dof[0]] = 5 - 0.6 * bend;
        r.state->v[node->dof[1]] = 2 + 0.8 * bend;
    }
    return r;
}

static void test_far_away(void **state)
{
    (void)state;
    for (int i = 0; i < SOLID_CASES; i++) {
        rig r = open_solid(solid_case_at(i));
        set_in_motion(&r, solid_case_at(i).model != ZN_SOLID_LINEAR, 0.3);
        check_far(&r, 0.1, 1e-9);
    }
    for (int i = 0; i < 2 * PART_KINDS; i++) {
        if (!parts_exist((part_kind)(i / 2), i % 2 == 0))
            continue;
        rig r = rig_open(make_parts((part_kind)(i / 2), i % 2 == 0, 0, nowhere), scheme_named("energy_momentum", 0.5));
        set_in_motion(&r, i / 2 != LINEAR_BEAM, 0.3);
        check_far(&r, 0.05, 1e-9);
    }
    const zn_beam_theory theories[] = {ZN_BEAM_TIMOSHENKO, ZN_BEAM_EXACT};
    for (int i = 0; i < 2; i++) {
        rig r = open_slender(theories[i]);
        check_far(&r, 1e-3, 1e-7);
    }
}

// --- order -----------------------------------------------------------------------------------------

typedef rig (*opener)(int i);

static rig open_rubber(int i)
{
    const solid_case c[3] = {{ZN_QUAD4, ZN_SOLID_NEO_HOOKEAN, ZN_PLANE_STRAIN},
                             {ZN_QUAD4, ZN_SOLID_NEO_HOOKEAN, ZN_PLANE_STRESS},
                             {ZN_HEX8, ZN_SOLID_NEO_HOOKEAN, ZN_PLANE_STRAIN}};
    rig              r = open_solid(c[i]);
    set_in_motion(&r, true, 0.3);
    return r;
}

static rig open_parts(int i)
{
    zn_model *model = make_parts(i == 2 ? BEAM : SPRINGS, i != 1, i == 2 ? 0 : 0.5, zn_vec3_make(0, -1, 0));
    rig       r = rig_open(model, scheme_named("energy_momentum", 0.5));
    set_in_motion(&r, true, 0.3);
    return r;
}

// Coordinates at t = 1.
static void coordinates(opener open, int i, int steps, double *q)
{
    rig r = open(i);
    for (int k = 0; k < steps; k++)
        rig_step(&r, 1.0 / steps);
    memcpy(q, r.state->q, sizeof *q * (size_t)r.sys->info.nq);
    for (int k = r.sys->info.nq; k < FIXTURE_MAX; k++)
        q[k] = 0;
    rig_close(&r);
}

// From three steps, each half of the one before: no reference is needed.
static void check_order(opener open, int i, int steps)
{
    double q[3][FIXTURE_MAX], far[2] = {0, 0};
    for (int k = 0; k < 3; k++)
        coordinates(open, i, steps << k, q[k]);
    for (int k = 0; k < FIXTURE_MAX; k++) {
        far[0] = fmax(far[0], fabs(q[1][k] - q[0][k]));
        far[1] = fmax(far[1], fabs(q[2][k] - q[1][k]));
    }
    assert_true(far[1] > 1e-9 && far[1] < 1e-2);
    CHECK_NEAR(log2(far[0] / far[1]), 2, 0.1);
}

static void test_order(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        check_order(open_rubber, i, 40);
        check_order(open_parts, i, i == 2 ? 400 : 80); // a beam has fast shear
    }
}

// --- ledger ----------------------------------------------------------------------------------------

// Bodies tied by damped springs, one of them pushed on a lever and turned: each step closes, and dampers only take.
static void test_ledger(void **state)
{
    (void)state;
    for (int planar = 0; planar < 2; planar++) {
        zn_model    *model = make_parts(SPRINGS, planar, 2, zn_vec3_make(0, -1, 0));
        zn_force_def push = zn_force_def_default();
        push.name = "push";
        push.point = (zn_attachment){zn_model_find_node(model, "a"), {0.4, -0.3, 0}};
        push.force[0] = make_wave(2);
        push.torque = planar ? make_wave(0.7) : NULL;
        CHECK_OK(zn_model_add_force(model, &push));
        if (!planar) {
            zn_moment_def turn = zn_moment_def_default();
            turn.name = "turn";
            turn.node = zn_model_find_node(model, "b");
            turn.moment[1] = make_wave(0.9);
            CHECK_OK(zn_model_add_moment(model, &turn));
        }
        rig    r = rig_open(model, scheme_named("energy_momentum", 0.5));
        double load = 0, damper = 0;
        set_in_motion(&r, true, 0.3);
        for (int k = 0; k < 100; k++) {
            double before = energy_of(&r), *ledger = r.info.ledger;
            rig_step(&r, 0.05);
            CHECK_NEAR(energy_of(&r) - before, ledger[ZN_LEDGER_LOAD] + ledger[ZN_LEDGER_DAMPER], 1e-12);
            CHECK_NEAR(ledger[ZN_LEDGER_NUMERICAL], 0, 1e-12);
            assert_true(ledger[ZN_LEDGER_DAMPER] <= 0);
            load += fabs(ledger[ZN_LEDGER_LOAD]);
            damper += ledger[ZN_LEDGER_DAMPER];
        }
        assert_true(load > 1 && damper < -1);
        rig_close(&r);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_solids), cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_far_away), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_ledger)};
    long_steps = argc > 1 ? atoi(argv[1]) : long_steps;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
