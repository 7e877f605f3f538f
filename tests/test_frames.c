// Impacts under energy_momentum against what it promises: energy, linear and angular momentum stay to rounding while
// elastic bodies hit each other, with friction what it takes is in the ledger and the momenta stay, nothing enters
// anything, and the steps satisfy the equations of the paper as they are printed there.
#include "between_models.h"
#include "invariants.h"
#include "system/between.h"
#include "system/system.h"

#include "zn/io.h"

typedef struct impact {
    zn_problem *problem;
    rig         r;
} impact;

static const char *const plane_text =
    "zeno: 1\n"
    "planar: true\n"
    "parameters: {mu: 0, e: 0}\n"
    "materials: {soft: {young: 900 Pa, poisson: 0.3, density: 1.5 kg/m^3}}\n"
    "parts:\n"
    "  low: {element: solid, material: soft, model: saint_venant_kirchhoff, plane: stress,\n"
    "        mesh: {rectangle: {from: [-2, -1], to: [2, 0], elements: [9, 2]}}}\n"
    "  top: {element: solid, material: soft, model: saint_venant_kirchhoff, plane: stress, angle: 0.11,\n"
    "        mesh: {rectangle: {from: [-0.4, 0.1], to: [0.9, 0.9], elements: [4, 3]}}, velocity: [0.7, -1.6]}\n"
    "contacts:\n"
    "  touch: {points: top.ymin, surface: {part: low, face: ymax, reach: 0.4}, friction: mu, restitution: e}\n"
    "run: {scheme: energy_momentum, step: 0.01, until: 1}\n";

static const char *const space_text =
    "zeno: 1\n"
    "parameters: {mu: 0}\n"
    "materials: {soft: {young: 900 Pa, poisson: 0.3, density: 1.5 kg/m^3}}\n"
    "parts:\n"
    "  low: {element: solid, material: soft, model: saint_venant_kirchhoff,\n"
    "        mesh: {box: {from: [-1, -1, -0.5], to: [1, 1, 0], elements: [3, 3, 1], shape: tet4}}}\n"
    "  top: {element: solid, material: soft, model: saint_venant_kirchhoff,\n"
    "        mesh: {box: {from: [-0.3, -0.5, 0.05], to: [0.7, 0.4, 0.6], elements: [2, 2, 1]}}, velocity: [0.6, 0.4, "
    "-1.2],\n"
    "        rotation: {axis: [1, 2, 0], angle: 0.05}}\n"
    "contacts:\n"
    "  touch: {points: top.zmin, surface: {part: low, face: zmax, reach: 0.4}, friction: mu}\n"
    "  other: {points: low.zmax, surface: {part: top, face: zmin, reach: 0.2}, friction: mu}\n"
    "run: {scheme: energy_momentum, step: 0.01, until: 1}\n";

static log_capture messages;

static impact open_impact(const char *text, int count, const char *const *overrides)
{
    impact x = {0};
    log_capture_clear(&messages);
    if (zn_problem_parse(text, strlen(text), "impact", count, overrides, log_into(&messages), &x.problem))
        fail_msg("%s", messages.text);
    CHECK_OK(zn_system_create(x.problem->model, &x.r.sys));
    CHECK_OK(zn_state_create(x.r.sys, &x.r.state));
    return x;
}

static void start(impact *x, zn_scheme_def def)
{
    def.scheme = "energy_momentum";
    if (zn_scheme_create(&def, x->r.sys, &x->r.scheme) != ZN_OK)
        fail_msg("%s", messages.text);
}

static void close_impact(impact *x)
{
    rig_close(&x->r);
    x->problem = zn_problem_destroy(x->problem);
}

static double distance(zn_vec3 a, zn_vec3 b) { return zn_vec3_norm(zn_vec3_sub(a, b)); }

// --- what is kept ----------------------------------------------------------------------------------

typedef struct tally {
    int    acted;    // sum of contacts over the steps
    double friction; // its work
    double contact;  // that of contacts
    double deepest;  // smallest gap
    int    newton;   // most iterations of a step
} tally;

static tally run(impact *x, int steps, double h)
{
    tally y = {0};
    for (int k = 0; k < steps; k++) {
        rig_step(&x->r, h);
        y.acted += x->r.info.active;
        y.friction += x->r.info.ledger[ZN_LEDGER_FRICTION];
        y.contact += x->r.info.ledger[ZN_LEDGER_CONTACT];
        y.newton = x->r.info.newton_iterations > y.newton ? x->r.info.newton_iterations : y.newton;
        assert_true(x->r.info.ledger[ZN_LEDGER_FRICTION] <= 1e-14);
        for (int i = 0; i < x->r.state->contacts->count; i++)
            y.deepest = fmin(y.deepest, x->r.state->contacts->gap[i]);
    }
    return y;
}

static void check_kept(const char *text, const char *friction, bool couple, bool frames, double angular)
{
    impact        x = open_impact(text, 1, &friction);
    zn_scheme_def def = zn_scheme_def_default();
    def.couple = couple;
    def.contact = frames ? ZN_CONTACT_FRAMES : ZN_CONTACT_NODE_TO_SEGMENT;
    start(&x, def);
    invariants first = invariants_of(&x.r);
    double     size = zn_vec3_norm(first.linear) + zn_vec3_norm(first.angular);
    tally      y = run(&x, 40, 0.01);
    invariants last = invariants_of(&x.r);
    assert_true(y.acted > 20);
    CHECK_NEAR(last.energy, first.energy + y.friction, 1e-10 * first.energy);
    CHECK_NEAR(y.contact, 0, 1e-10 * first.energy);
    CHECK_NEAR(distance(last.linear, first.linear), 0, 1e-10 * size);
    CHECK_NEAR(distance(last.angular, first.angular), 0, angular * size);
    assert_true(y.deepest > -5e-3 && y.newton <= 15);
    if (strcmp(friction, "mu=0") != 0)
        assert_true(y.friction < -1e-3 * first.energy);
    close_impact(&x);
}

static void test_frictionless(void **state)
{
    (void)state;
    check_kept(plane_text, "mu=0", true, true, 1e-10);
    check_kept(plane_text, "mu=0", false, true, 1e-10);
    check_kept(plane_text, "mu=0", false, false, 1e-10);
    check_kept(space_text, "mu=0", false, true, 1e-10);
}

// Without the couple friction changes angular momentum a little, as the paper says.
static void test_friction(void **state)
{
    (void)state;
    check_kept(plane_text, "mu=0.4", true, true, 1e-10);
    check_kept(plane_text, "mu=0.4", false, true, 1e-3);
    check_kept(space_text, "mu=0.3", true, true, 1e-10);
}

// Without the velocity jump what contacts take while they close is lost, to the last digit of the ledger.
static void test_without_jump(void **state)
{
    (void)state;
    impact        x = open_impact(plane_text, 0, NULL);
    zn_scheme_def def = zn_scheme_def_default();
    def.velocity_jump = false;
    start(&x, def);
    invariants first = invariants_of(&x.r);
    tally      y = run(&x, 40, 0.01);
    invariants last = invariants_of(&x.r);
    assert_true(y.contact < -1e-3 * first.energy);
    CHECK_NEAR(last.energy, first.energy + y.contact, 1e-11 * first.energy);
    CHECK_NEAR(distance(last.linear, first.linear), 0, 1e-11);
    close_impact(&x);
}

// Many contacts at once are solved in another way: faces of unequal meshes that lie on each other, pressed together by
// their speed. Energy and momenta stay, nothing enters anything, nothing pulls, and what is open does not push.
static const char *const faces_text =
    "zeno: 1\n"
    "planar: true\n"
    "materials: {soft: {young: 900 Pa, poisson: 0.3, density: 1.5 kg/m^3}}\n"
    "parts:\n"
    "  low: {element: solid, material: soft, model: saint_venant_kirchhoff, plane: stress,\n"
    "        mesh: {rectangle: {from: [0, -0.5], to: [4, 0], elements: [31, 2]}}}\n"
    "  top: {element: solid, material: soft, model: saint_venant_kirchhoff, plane: stress,\n"
    "        mesh: {rectangle: {from: [0.1, 0.003], to: [3.8, 0.5], elements: [24, 2]}}, velocity: [0.1, -0.8]}\n"
    "contacts: {touch: {surfaces: [low.ymax, top.ymin], reach: 0.2}}\n"
    "run: {scheme: energy_momentum, step: 0.01, until: 1}\n";

static void test_many_contacts(void **state)
{
    (void)state;
    impact x = open_impact(faces_text, 0, NULL);
    int    most = 0;
    start(&x, zn_scheme_def_default());
    invariants first = invariants_of(&x.r);
    double     size = zn_vec3_norm(first.linear) + zn_vec3_norm(first.angular);
    for (int k = 0; k < 25; k++) {
        rig_step(&x.r, 0.01);
        const zn_contact_set *set = x.r.state->contacts;
        most = x.r.info.active > most ? x.r.info.active : most;
        for (int i = 0; i < set->count; i++) {
            assert_true(set->gap[i] > -1e-12 && set->impulse[i] >= 0);
            if (set->impulse[i] > 0)
                CHECK_NEAR(set->gap[i], 0, 1e-12);
        }
    }
    invariants last = invariants_of(&x.r);
    assert_true(most > 40);
    CHECK_NEAR(last.energy, first.energy, 1e-10 * first.energy);
    CHECK_NEAR(distance(last.linear, first.linear), 0, 1e-10 * size);
    CHECK_NEAR(distance(last.angular, first.angular), 0, 1e-10 * size);
    close_impact(&x);
}

// A ball that nothing damps: it comes back with the speed it had, whenever within a step it hits.
static void test_rigid_ball(void **state)
{
    (void)state;
    for (int k = 0; k < 20; k++) {
        rig    r = rig_open(ball_model(1 + 0.0137 * k, -1, 1), scheme_named("energy_momentum", 0.5));
        double energy = energy_of(&r), lowest = 1;
        for (int step = 0; step < 400; step++) {
            rig_step(&r, 0.02);
            lowest = fmin(lowest, r.state->q[1]);
            CHECK_NEAR(energy_of(&r), energy, 1e-12 * energy);
        }
        assert_true(lowest > -1e-13 && lowest < 0.1);
        rig_close(&r);
    }
}

// --- the equations of the paper ----------------------------------------------------------------------

typedef struct segment {
    zn_vec3 from[3], to[3]; // p_o, p_e and the node a, before and after
    int     dof[3];         // first degree of freedom of each
} segment;

// A row of G says what a contact is about: the node first, then the ends.
static segment segment_of(const rig *r, const double *before, int i)
{
    const zn_contact_set *set = r->state->contacts;
    const int            *dof = set->row_dof + set->row_start[i * set->stride], order[3] = {2, 4, 0};
    segment               out;
    for (int k = 0; k < 3; k++)
        for (int n = 0; n < r->sys->layout.nodes; n++) {
            const zn_layout_node *node = &r->sys->layout.node[n];
            if (node->dof[0] != dof[order[k]])
                continue;
            out.from[k] = zn_vec3_add(node->origin, (zn_vec3){before[node->q], before[node->q + 1], 0});
            out.to[k] = zn_vec3_add(node->origin, (zn_vec3){r->state->q[node->q], r->state->q[node->q + 1], 0});
            out.dof[k] = dof[order[k]];
        }
    return out;
}

static zn_vec3 unit(zn_vec3 a) { return zn_vec3_scale(1 / zn_vec3_norm(a), a); }
static zn_vec3 right(zn_vec3 a) { return zn_vec3_make(a.y, -a.x, 0); }
static zn_vec3 mean(zn_vec3 a, zn_vec3 b) { return zn_vec3_scale(0.5, zn_vec3_add(a, b)); }

// One frame of three nodes with its own nodes y1, y2, which lie on the ends before the step: what follows for it from
// the motion of the body nodes by (C5) and (C6), and what the multipliers must satisfy. Subtracts -lambda from R.
static void check_frame(const segment *x, double Q, double work, double *R)
{
    zn_vec3 e0 = unit(zn_vec3_sub(x->from[1], x->from[0])), e1 = unit(zn_vec3_sub(x->to[1], x->to[0]));
    zn_vec3 n0 = right(e0), n1 = right(e1), nm = unit(zn_vec3_add(n0, n1)); // (51), (52)
    double  length = distance(x->from[1], x->from[0]);
    zn_vec3 y0[2] = {x->from[0], x->from[1]};
    zn_vec3 y[2] = {x->to[0], zn_vec3_add(x->to[0], zn_vec3_scale(length, e1))}; // (C5), (C6): xi of p_o stays
    double  Delta = -zn_vec3_dot(n0, zn_vec3_sub(x->from[2], x->from[0]));       // (41): of a; 0 at the ends
    zn_vec3 na = zn_vec3_scale(-1, n1), ma = zn_vec3_scale(-1, nm);              // eta = -1 of a
    zn_vec3 w = zn_vec3_sub(na, zn_vec3_scale(1 / zn_vec3_dot(ma, na), ma));     // (57)
    double  xi0[3] = {0, 1, zn_vec3_dot(e0, zn_vec3_sub(x->from[2], y0[0])) / length};
    zn_vec3 on = zn_vec3_sub(x->to[2], zn_vec3_scale(Delta, w)); // (43): on the frame
    double  xi1[3] = {0, zn_vec3_dot(e1, zn_vec3_sub(x->to[1], y[0])) / length,
                      zn_vec3_dot(e1, zn_vec3_sub(on, y[0])) / length};
    CHECK_NEAR(zn_vec3_dot(w, n1), 0, 1e-14); // (44)
    CHECK_NEAR(distance(on, zn_vec3_add(y[0], zn_vec3_scale(xi1[2], zn_vec3_sub(y[1], y[0])))), 0, 1e-13);
    double  xb = 0.5 * (xi0[2] + xi1[2]) / (0.5 * (xi0[1] + xi1[1])); // from (36), m = 2
    zn_vec3 lambda[3] = {zn_vec3_scale((1 - xb) * Q, nm), zn_vec3_scale(xb * Q, nm), zn_vec3_scale(-Q, nm)};
    zn_vec3 sum = {0}, moment = {0}, slip = zn_vec3_sub(mean(y0[1], y[1]), mean(y0[0], y[0])); // (38)
    double  done = 0;
    for (int p = 0; p < 3; p++) {
        sum = zn_vec3_add(sum, zn_vec3_scale(1 - 0.5 * (xi0[p] + xi1[p]), lambda[p])); // (36), m = 1
        moment = zn_vec3_add(moment, zn_vec3_cross(mean(x->from[p], x->to[p]), lambda[p]));
        done += zn_vec3_dot(lambda[p], zn_vec3_sub(x->to[p], x->from[p]));
        CHECK_NEAR(zn_vec3_dot(slip, lambda[p]), 0, 1e-12 * Q); // (37)
        R[x->dof[p]] += lambda[p].x;
        R[x->dof[p] + 1] += lambda[p].y;
    }
    CHECK_NEAR(zn_vec3_norm(sum), 0, 1e-12 * Q);
    CHECK_NEAR(zn_vec3_norm(moment), 0, 1e-12 * Q);                // (48)
    CHECK_NEAR(done, -Delta * Q / zn_vec3_dot(nm, n1), 1e-12 * Q); // (59) is (62)
    CHECK_NEAR(done, -work, 1e-12 * Q);
}

static void test_literal_form(void **state)
{
    (void)state;
    static double before[FIXTURE_MAX], v[FIXTURE_MAX], R[FIXTURE_MAX], f[FIXTURE_MAX], a[FIXTURE_MAX];
    const double  h = 0.01;
    impact        x = open_impact(plane_text, 0, NULL);
    rig          *r = &x.r;
    int           n = r->sys->info.n_all, frames = 0, closing = 0;
    zn_scheme_def def = zn_scheme_def_default();
    def.velocity_jump = false; // v at the end is v* then
    start(&x, def);
    for (int k = 0; k < 40; k++) {
        memcpy(before, r->state->q, sizeof *before * (size_t)r->sys->info.nq);
        memcpy(v, r->state->v, sizeof *v * (size_t)n);
        rig_step(r, h);
        zn_between s = {.from = {before, v, 0, 0}, .to = {r->state->q, r->state->v, h, 0}};
        double     scale = 0;
        CHECK_OK(zn_system_force_between(r->sys, s, f));
        for (int i = 0; i < n; i++)
            a[i] = (r->state->v[i] - v[i]) / h;
        CHECK_OK(zn_system_inertia(r->sys, r->state->q, a, R));
        for (int i = 0; i < n; i++) {
            scale = fmax(scale, fabs(R[i]));
            R[i] -= f[i];
        }
        for (int i = 0; i < r->state->contacts->count; i++) {
            double  Q = r->state->contacts->impulse[i] / h;
            segment at = segment_of(r, before, i);
            if (!(Q > 0) || r->state->contacts->gap[i] < -1e-13)
                continue;
            zn_vec3 n0 = right(unit(zn_vec3_sub(at.from[1], at.from[0]))),
                    n1 = right(unit(zn_vec3_sub(at.to[1], at.to[0])));
            double g0 = zn_vec3_dot(n0, zn_vec3_sub(at.from[2], at.from[0])),
                   cosine = sqrt(0.5 * (1 + zn_vec3_dot(n0, n1)));
            check_frame(&at, Q, -Q * g0 / cosine, R);
            frames++;
            closing += g0 > 1e-6;
        }
        for (int i = 0; i < n; i++) // (C1)'
            CHECK_NEAR(R[i], 0, 1e-10 * (1 + scale));
    }
    assert_true(frames > 20 && closing > 2);
    close_impact(&x);
}

// --- what is refused -------------------------------------------------------------------------------

static void test_restitution(void **state)
{
    (void)state;
    const char   *half = "e=0.5", *one = "e=1";
    zn_scheme_def def = scheme_named("energy_momentum", 0.5);
    impact        x = open_impact(plane_text, 1, &half);
    CHECK_STATUS(zn_scheme_create(&def, x.r.sys, &x.r.scheme), ZN_ERR_UNSUPPORTED);
    CHECK_LOGGED(&messages, "energy_momentum: contact 'touch': restitution 0.5: an impact keeps energy here");
    close_impact(&x);
    x = open_impact(plane_text, 1, &one);
    start(&x, def);
    close_impact(&x);
    log_capture log = {0};
    zn_model   *model = make_model(true, zn_vec3_make(0, -1, 0), &log);
    add_plane(model, "floor", add_body(model, "ball", zn_vec3_make(1, 8, 0), 0), zn_vec3_make(0, 0, 0),
              zn_vec3_make(0, 1, 0), 0);
    fixture    f = compile_fixture(model);
    zn_scheme *scheme = NULL;
    CHECK_STATUS(zn_scheme_create(&def, f.sys, &scheme), ZN_ERR_UNSUPPORTED);
    CHECK_LOGGED(&log, "contact 'floor': restitution 0: an impact keeps energy here, say restitution: 1, or take");
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frictionless),  cmocka_unit_test(test_friction),   cmocka_unit_test(test_without_jump),
        cmocka_unit_test(test_many_contacts), cmocka_unit_test(test_rigid_ball), cmocka_unit_test(test_literal_form),
        cmocka_unit_test(test_restitution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
