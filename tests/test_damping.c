// Rayleigh damping of bars and linear beams: modes decay as the schemes say, exactly; operators are derivatives of the
// force; parts are the whole; the ledger closes; refusals.
#include "multirate_models.h"
#include "system/system.h"
#include "zn/io.h"

static const double pi = 3.14159265358979323846;

enum { N = 8, STEPS = 300 };

// A mode of a discrete model, frequency w: node i moves by shape[i] on its coordinate, angle[i] on its rotation.
typedef struct mode {
    double w, shape[N + 1], angle[N + 1];
} mode;

typedef struct damping {
    double mass, stiffness;
} damping;

// --- models with closed forms ---------------------------------------------------------------------------

// Free bar with lumped mass, E = rho = A = 1: w = (2/l) sin(k/2), shape cos(k i), k = j pi/N.
static zn_model *free_bar(damping d)
{
    return bar_of((bar_case){
        .elements = N, .gap = -1, .mass = ZN_MASS_LUMPED, .mass_damping = d.mass, .stiffness_damping = d.stiffness});
}

static mode bar_mode(int j)
{
    mode m = {.w = 2 * N * sin(j * pi / (2 * N))};
    for (int i = 0; i <= N; i++)
        m.shape[i] = cos(j * pi * i / N);
    return m;
}

// Beam on two supports in the plane, E I = rho A = 1, lumped mass.
static zn_model *supported_beam(damping d, log_capture *log)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), log);
    zn_beam_def def = zn_beam_def_default();
    def.name = "beam";
    def.to = zn_vec3_make(1, 0, 0);
    def.elements = N;
    def.young = def.density = 1;
    def.section = (zn_beam_section){.area = 1, .moment_z = 1};
    def.theory = ZN_BEAM_EULER_BERNOULLI;
    def.mass = ZN_MASS_LUMPED;
    def.fixed = ZN_FIX_X;
    def.fix_first = def.fix_last = ZN_FIX_Y;
    def.mass_damping = d.mass;
    def.stiffness_damping = d.stiffness;
    CHECK_OK(zn_model_add_beam(model, &def));
    return model;
}

// w_i = sin(k i), angle b cos(k i): [24 (1 - c)  -12 l s; -12 l s  (8 + 4 c) l^2] / l^3 against l, l^3/39.
static mode beam_mode(int j)
{
    double k = j * pi / N, l = 1.0 / N, c = cos(k), s = sin(k), l3 = l * l * l;
    double a = 24 * (1 - c) / l3 / l, off = -12 * l * s / l3, d = (8 + 4 * c) * l * l / l3 / (l3 / 39);
    double cross = off * off / l / (l3 / 39), middle = (a + d) / 2;
    double square = middle - sqrt((a - d) * (a - d) / 4 + cross); // the lower one
    mode   m = {.w = sqrt(square)};
    for (int i = 0; i <= N; i++) {
        m.shape[i] = sin(k * i);
        m.angle[i] = (square - a) * l / off * cos(k * i);
    }
    return m;
}

// --- decay ------------------------------------------------------------------------------------------------

static void put_mode(const rig *r, bool beam, const mode *m, double q, double v)
{
    for (int i = 0; i <= N; i++) {
        const zn_layout_node *node = &r->sys->layout.node[i];
        int                   place = node->q + (beam ? 1 : 0), dof = node->dof[beam ? 1 : 0];
        r->state->q[place] = q * m->shape[i];
        r->state->v[dof] = dof < r->sys->info.n ? v * m->shape[i] : 0;
        if (beam) {
            r->state->q[node->q + 2] = q * m->angle[i];
            r->state->v[node->dof[5]] = v * m->angle[i];
        }
    }
    CHECK_OK(zn_state_update(r->sys, r->state));
}

// Distance of the state from the mode with amplitude q.
static double distance(const rig *r, bool beam, const mode *m, double q)
{
    double worst = 0;
    for (int i = 0; i <= N; i++) {
        int place = r->sys->layout.node[i].q;
        worst = fmax(worst, fabs(r->state->q[place + (beam ? 1 : 0)] - q * m->shape[i]));
        if (beam)
            worst = fmax(worst, fabs(r->state->q[place + 2] - q * m->angle[i]) / N);
    }
    return worst;
}

// Amplitudes of the first two positions, then q'' = trace q' - determinant q.
static void check_decay(zn_model *model, const char *scheme, bool beam, mode m, double h, double second, double trace,
                        double determinant)
{
    rig     r = rig_open(model, scheme_named(scheme, 0.5));
    account a;
    double  last = 1, now = second, worst = 0;
    put_mode(&r, beam, &m, 1, 0);
    account_begin(&a, &r);
    for (int k = 0; k < STEPS; k++) {
        rig_step(&r, h);
        account_step(&a, &r);
        worst = fmax(worst, distance(&r, beam, &m, now));
        double next = trace * now - determinant * last;
        last = now;
        now = next;
    }
    CHECK_BELOW(worst, 1e-10);
    CHECK_BELOW(a.worst, 1e-12 * a.size);
    assert_true(a.entered[ZN_LEDGER_DAMPER] < -1e-3 * a.start);
    rig_close(&r);
}

// Central differences with the damping of half a step before: q' = q + h v, v' = (1 - h c) v - h w^2 q', so that the
// amplitude decays by sqrt(1 - h c) a step. First half step from rest: v = -h w^2 q/2.
static void check_explicit(zn_model *model, bool beam, mode m, damping d, double cfl)
{
    double c = d.mass + d.stiffness * m.w * m.w, h = cfl;
    check_decay(model, "cd_lagrange", beam, m, h, 1 - 0.5 * h * h * m.w * m.w, 2 - h * c - h * h * m.w * m.w,
                1 - h * c);
}

// Newmark (1/4, 1/2) is the trapezoidal rule: with e = h/2, D = 1 + e c + e^2 w^2, trace (2 - 2 e^2 w^2)/D, determinant
// (1 - e c + e^2 w^2)/D. From rest with the acceleration -w^2 q: q_1 = (1 + e c - e^2 w^2)/D.
static void check_implicit(zn_model *model, bool beam, mode m, damping d, double h)
{
    double c = d.mass + d.stiffness * m.w * m.w, e = h / 2, s = e * e * m.w * m.w, D = 1 + e * c + s;
    check_decay(model, "newmark", beam, m, h, (1 + e * c - s) / D, (2 - 2 * s) / D, (1 - e * c + s) / D);
}

static void test_decay(void **test)
{
    (void)test;
    const damping bar[] = {{0.3, 0}, {0, 0.004}, {0.2, 0.003}}, beam[] = {{2, 0}, {0, 2e-4}, {1, 1e-4}};
    for (int i = 0; i < 3; i++)
        for (int j = 1; j <= 5; j += 2) {
            check_explicit(free_bar(bar[i]), false, bar_mode(j), bar[i], 0.05);
            check_implicit(free_bar(bar[i]), false, bar_mode(j), bar[i], 0.1);
            check_explicit(supported_beam(beam[i], NULL), true, beam_mode(j), beam[i], 5e-4);
            check_implicit(supported_beam(beam[i], NULL), true, beam_mode(j), beam[i], 5e-3);
        }
}

// --- operators -------------------------------------------------------------------------------------------

// Beams of both theories and a bar in any direction, one of them without damping.
static zn_model *beams_in_space(void)
{
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_beam_def beam = zn_beam_def_default();
    zn_bar_def  bar = zn_bar_def_default();
    beam.young = beam.density = bar.young = bar.density = 3;
    beam.section = zn_beam_section_rectangle(0.1, 0.2, 0);
    beam.elements = bar.elements = 2;
    bar.name = "rod";
    bar.area = 0.1;
    bar.to = zn_vec3_make(-0.3, 0.4, 1);
    bar.mass_damping = 0.7;
    bar.stiffness_damping = 0.2;
    CHECK_OK(zn_model_add_bar(model, &bar));
    for (int k = 0; k < 3; k++) {
        beam.name = k == 0 ? "shear" : k == 1 ? "slender" : "free";
        beam.from = zn_vec3_make(0.3, k, -0.2);
        beam.to = zn_vec3_make(1, 0.7 + k, 0.4);
        beam.theory = k == 0 ? ZN_BEAM_TIMOSHENKO : ZN_BEAM_EULER_BERNOULLI;
        beam.mass = k == 0 ? ZN_MASS_CONSISTENT : ZN_MASS_LUMPED;
        beam.mass_damping = k < 2 ? 0.4 : 0;
        beam.stiffness_damping = k < 2 ? 0.3 : 0;
        CHECK_OK(zn_model_add_beam(model, &beam));
    }
    return model;
}

// C v by the operators, by the force (which is linear in v) and its power.
static void test_operators(void **test)
{
    (void)test;
    zn_model  *model = beams_in_space();
    zn_system *sys = NULL;
    zn_sparse *C = NULL;
    uint64_t   seed = 5;
    CHECK_OK(zn_system_create(model, &sys));
    int     n = sys->info.n;
    double *v = calloc((size_t)(6 * n), sizeof *v), *w = v + n, *moving = w + n, *still = moving + n, *Cv = still + n,
           *none = Cv + n;
    for (int i = 0; i < n; i++) {
        v[i] = random_unit(&seed);
        w[i] = random_unit(&seed);
    }
    CHECK_OK(zn_system_matrix(sys, &C));
    CHECK_OK(zn_system_operators(sys, (zn_at){sys->q0, v, 0, 0}, 0, 1, 0, C));
    zn_sparse_multiply(C, v, Cv);
    CHECK_OK(zn_system_force(sys, (zn_at){sys->q0, v, 0, 0}, moving));
    CHECK_OK(zn_system_force(sys, (zn_at){sys->q0, none, 0, 0}, still));
    double power = 0, size = 0;
    for (int i = 0; i < n; i++) {
        CHECK_NEAR(moving[i] - still[i], -Cv[i], 1e-13);
        power -= w[i] * Cv[i];
        size = fmax(size, fabs(Cv[i]));
    }
    assert_true(size > 0.01);
    zn_power out = {0};
    CHECK_OK(zn_system_power(sys, (zn_at){sys->q0, v, 0, 0}, w, &out));
    CHECK_NEAR(out.damper, power, 1e-13);
    zn_sparse_destroy(C);
    free(v);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

// --- parts ------------------------------------------------------------------------------------------------

static void test_parts(void **test)
{
    (void)test;
    for (int ratio = 1; ratio <= 10; ratio += 9)
        for (int implicit = 0; implicit < 2; implicit++) {
            bar_case      c = {.elements = 20,
                               .load = 0.3,
                               .speed = 1,
                               .gap = -1,
                               .fixed = true,
                               .mass = ZN_MASS_LUMPED,
                               .mass_damping = 0.2,
                               .stiffness_damping = 0.002};
            zn_scheme_def def = parts("rod[0:7]", ratio);
            def.fine_implicit = implicit;
            def.coarse_explicit = !implicit && ratio == 1;
            rig whole = rig_open(bar_of(c), scheme_named(implicit ? "newmark" : "cd_lagrange", 0.5)),
                r = rig_open(bar_of(c), def);
            account a;
            double  worst = 0, size = 0;
            account_begin(&a, &r);
            for (int k = 0; k < 400; k++) {
                rig_step(&whole, 0.03);
                rig_step(&r, 0.03);
                account_step(&a, &r);
                for (int i = 0; i < whole.sys->info.nq; i++) {
                    worst = fmax(worst, fabs(whole.state->q[i] - r.state->q[i]));
                    size = fmax(size, fabs(whole.state->q[i]));
                }
            }
            if (ratio == 1) // the whole
                CHECK_BELOW(worst, 1e-12 * size);
            CHECK_BELOW(a.worst, 1e-12 * a.size);
            assert_true(a.entered[ZN_LEDGER_DAMPER] < -0.1 * a.start);
            rig_close(&whole);
            rig_close(&r);
        }
}

// --- the critical step ----------------------------------------------------------------------------------------

// Of one element, all modes known: h^2 w^2 + 2 h c = 4 with the highest frequency; damping makes it smaller.
static void test_critical(void **test)
{
    (void)test;
    zn_system  *sys = NULL;
    zn_critical c;
    damping     d = {0.2, 0.003};
    zn_model   *model = free_bar(d);
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_OK(zn_system_critical_step(sys, (zn_at){sys->q0, sys->v0, 0, 0}, &c));
    double w = 2 * N, rate = d.mass + d.stiffness * w * w;
    CHECK_NEAR(c.frequency, w, 1e-12 * w);
    CHECK_NEAR(c.damping, rate, 1e-12 * rate);
    CHECK_NEAR(c.step * c.step * w * w + 2 * c.step * rate, 4, 1e-12);
    zn_system_destroy(sys);
    zn_model_destroy(model);
}

// --- refusals, model files ------------------------------------------------------------------------------------

static void test_refusals(void **test)
{
    (void)test;
    const double bad[] = {-1, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        log_capture log = {0};
        zn_model   *model = make_model(true, zn_vec3_make(0, 0, 0), &log);
        zn_bar_def  bar = zn_bar_def_default();
        bar.name = "rod";
        bar.to = zn_vec3_make(1, 0, 0);
        bar.elements = 2;
        bar.young = bar.density = bar.area = 1;
        bar.mass_damping = bad[i];
        CHECK_STATUS(zn_model_add_bar(model, &bar), ZN_ERR_MODEL);
        CHECK_LOGGED(&log, "bar 'rod': damping must be at least 0");
        zn_beam_def beam = zn_beam_def_default();
        beam.name = "beam";
        beam.to = zn_vec3_make(1, 0, 0);
        beam.elements = 2;
        beam.young = beam.density = 1;
        beam.section = zn_beam_section_rectangle(0.1, 0.1, 0);
        beam.theory = ZN_BEAM_TIMOSHENKO;
        beam.stiffness_damping = bad[i];
        CHECK_STATUS(zn_model_add_beam(model, &beam), ZN_ERR_MODEL);
        CHECK_LOGGED(&log, "beam 'beam': damping must be at least 0");
        beam.theory = ZN_BEAM_EXACT;
        beam.stiffness_damping = 1e-3;
        CHECK_STATUS(zn_model_add_beam(model, &beam), ZN_ERR_UNSUPPORTED);
        CHECK_LOGGED(&log, "only linear beams have damping");
        zn_model_destroy(model);
    }
}

static void test_model_file(void **test)
{
    (void)test;
    const char *text =
        "zeno: 1\nplanar: true\nmaterials: {m: {young: 1, density: 1}}\n"
        "parts:\n  rod: {element: bar, material: m, area: 1, from: [0, 0], to: [1, 0], elements: 1, fixed: [y], "
        "mass: lumped, damping: {mass: 0.5, stiffness: 0.25}}\n"
        "  beam: {element: beam, theory: timoshenko, material: m, section: {width: 1, height: 1}, from: [0, 1], "
        "to: [1, 1], elements: 1, damping: {stiffness: 0.1}}\n"
        "run: {scheme: newmark, step: 0.1, until: 1}\n";
    zn_problem *problem = NULL;
    zn_system  *sys = NULL;
    CHECK_OK(zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, (zn_log){0}, &problem));
    CHECK_OK(zn_system_create(problem->model, &sys));
    // the bar pulled apart at speed 1 feels alpha m/2 + beta 2 E A/l at each end
    double *v = calloc((size_t)sys->info.n_all, sizeof *v), *f = calloc((size_t)sys->info.n_all, sizeof *f);
    v[sys->layout.node[0].dof[0]] = -1;
    v[sys->layout.node[1].dof[0]] = 1;
    CHECK_OK(zn_system_force(sys, (zn_at){sys->q0, v, 0, 0}, f));
    CHECK_NEAR(f[sys->layout.node[0].dof[0]], 0.5 * 0.5 + 0.25 * 2, 1e-15);
    CHECK_NEAR(f[sys->layout.node[1].dof[0]], -0.5 * 0.5 - 0.25 * 2, 1e-15);
    free(v);
    free(f);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decay),    cmocka_unit_test(test_operators), cmocka_unit_test(test_parts),
        cmocka_unit_test(test_critical), cmocka_unit_test(test_refusals),  cmocka_unit_test(test_model_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
