// Model files: good ones bind to what they say, bad ones are refused with the place and the culprit.
#include "check.h"

#include <stdlib.h>
#include <unistd.h>

#include "zn/io.h"
#include "bad_models.h" // last: its macros are short

#include "bad_models.h" // its macros have short names

// --- a log that remembers --------------------------------------------------------------------------

typedef struct messages {
    int  count;
    char text[32][512];
} messages;

static void remember(void *user, zn_severity severity, const char *message)
{
    messages *m = user;
    (void)severity;
    if (m->count < 32)
        snprintf(m->text[m->count++], sizeof m->text[0], "%s", message);
}

static zn_status parse(const char *text, int count, const char *const *overrides, messages *m, zn_problem **out)
{
    m->count = 0;
    return zn_problem_parse(text, strlen(text), "m.yaml", count, overrides, (zn_log){remember, m}, out);
}

static zn_problem *good(const char *text, int count, const char *const *overrides)
{
    static messages m;
    zn_problem     *p = NULL;
    if (parse(text, count, overrides, &m, &p) != ZN_OK)
        fail_msg("refused: %s", m.count > 0 ? m.text[0] : "without a message");
    assert_int_equal(m.count, 0);
    return p;
}

static double parameter(const zn_problem *p, const char *name)
{
    for (int i = 0; i < p->parameter_count; i++)
        if (strcmp(p->parameters[i].name, name) == 0)
            return p->parameters[i].value;
    return NAN;
}

// --- good models -----------------------------------------------------------------------------------

static void test_minimal(void **state)
{
    (void)state;
    zn_problem *p = good("{zeno: 1, bodies: {a: {mass: 1}}, run: {step: 0.1, until: 1}}", 0, NULL);
    zn_sim_def  d = zn_sim_def_default();
    assert_string_equal(p->title, "");
    assert_string_equal(p->path, "m.yaml");
    assert_int_equal(p->text_size, strlen(p->text));
    assert_int_equal(p->parameter_count, 0);
    assert_string_equal(p->sim.scheme.scheme, "moreau_jean");
    CHECK_NEAR(p->sim.step, 0.1, 0);
    CHECK_NEAR(p->sim.until, 1, 0);
    CHECK_NEAR(p->sim.start, 0, 0);
    CHECK_NEAR(p->sim.scheme.theta, d.scheme.theta, 0);
    assert_int_equal(p->sim.max_subdivisions, d.max_subdivisions);
    assert_int_equal(p->sim.record_every, d.record_every);
    assert_int_equal(p->sim.record_count, 0);
    assert_string_equal(p->sim.scheme.linear_solver, "auto");
    assert_true(isnan(p->sim.limits.penetration) && isnan(p->sim.limits.closure));
    assert_null(zn_problem_destroy(p));
    assert_null(zn_problem_destroy(NULL));
}

// Initial state and mass of every degree of freedom, as the compiled system has them.
typedef struct compiled {
    zn_system     *sys;
    zn_state      *state;
    zn_system_info info;
    double         mass[64]; // M 1, by degree of freedom
    double         force[64];
} compiled;

static compiled compile(const zn_problem *p)
{
    compiled c = {0};
    double   one[64];
    CHECK_OK(zn_system_create(p->model, &c.sys));
    CHECK_OK(zn_state_create(c.sys, &c.state));
    c.info = zn_system_get_info(c.sys);
    assert_true(c.info.n_all <= 64);
    for (int i = 0; i < 64; i++)
        one[i] = 1;
    CHECK_OK(zn_system_inertia(c.sys, c.state->q, one, c.mass));
    return c;
}

static void clear(compiled *c)
{
    zn_state_destroy(c->state);
    zn_system_destroy(c->sys);
}

static void force_at(compiled *c, double t)
{
    CHECK_OK(zn_system_force(c->sys, (zn_at){c->state->q, c->state->v, t, 0}, c->force));
}

static void test_rigid_body(void **state)
{
    (void)state;
    zn_problem *p = good(HEAD "title: A block\n"
                              "planar: true\n"
                              "gravity: [0, -10]\n"
                              "parameters: {a: 10 cm, b: 2*a, w: 90 deg, F: 3 kN}\n"
                              "bodies:\n"
                              "  block: {mass: 200 g, inertia: 5e-3, position: [a, b + 1e-3 m], angle: w,\n"
                              "          velocity: [36 km/h, -1], spin: 60 rpm}\n"
                              "loads:\n"
                              "  push: {body: block, force: [F*(t > 0.5), 2*t kN], torque: 7 N m}\n"
                              "  field: {acceleration: [3, 0 m/s^2]}\n"
                              "contacts: {floor: {point: block, at: [0, -a], surface: {plane: [0, 2]}}}\n"
                              "record: {phi: block.angle, y: block.position.y, energy: ledger}\n" RUN,
                         0, NULL);
    assert_string_equal(p->title, "A block");
    assert_int_equal(p->parameter_count, 4);
    CHECK_NEAR(parameter(p, "b"), 0.2, 0);
    assert_int_equal(p->sim.record_count, 3);
    assert_string_equal(p->sim.records[1].name, "y");
    assert_string_equal(p->sim.records[1].path, "block.position.y");
    assert_string_equal(p->sim.records[2].path, "ledger");

    const double pi = 3.14159265358979323846;
    compiled     c = compile(p);
    assert_true(c.info.planar);
    assert_int_equal(c.info.n, 3);
    assert_int_equal(c.info.contacts_max, 1);
    CHECK_NEAR(c.mass[0], 0.2, 1e-16);
    CHECK_NEAR(c.mass[2], 5e-3, 1e-18);
    CHECK_NEAR(c.state->q[0], 0.1, 1e-16);
    CHECK_NEAR(c.state->q[1], 0.201, 1e-16);
    CHECK_NEAR(c.state->q[2], pi / 2, 1e-15);
    CHECK_NEAR(c.state->v[0], 10, 1e-14);
    CHECK_NEAR(c.state->v[1], -1, 0);
    CHECK_NEAR(c.state->v[2], 2 * pi, 1e-14);
    force_at(&c, 0.25);
    CHECK_NEAR(c.force[0], 0.2 * 3, 1e-12);
    CHECK_NEAR(c.force[1], 500 - 0.2 * 10, 1e-12);
    CHECK_NEAR(c.force[2], 7, 1e-12);
    force_at(&c, 1);
    CHECK_NEAR(c.force[0], 3000 + 0.2 * 3, 1e-12);
    clear(&c);
    zn_problem_destroy(p);
}

// A unit applies to all of a product, to all in brackets, and may follow a sum only when it changes nothing.
static void test_units_of_expressions(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double      value;
    } cases[] = {
        {"2*3 mm", 0.006},        {"(1 + 2) mm", 0.003},
        {"-5 mm", -0.005},        {"2*-5e-1 mm", -0.001},
        {"1 + 2 m", 3},           {"3 * (2 - 1) km", 3000},
        {"1e+3 mm", 1},           {"8^(1 - 2) m", 0.125},
        {"(2 > 1) * 4 cm", 0.04}, {"\"(2 > 1 ? 5 : 6) km\"", 5000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 HEAD "parameters: {a: %s}\n"
                      "bodies: {b: {mass: 1}}\n" RUN,
                 cases[i].text);
        zn_problem *p = good(text, 0, NULL);
        if (!(fabs(parameter(p, "a") - cases[i].value) <= 1e-16))
            fail_msg("'%s' is %.17g", cases[i].text, parameter(p, "a"));
        zn_problem_destroy(p);
    }
}

static void test_spring_and_scheme(void **state)
{
    (void)state;
    zn_problem *p =
        good(HEAD "bodies:\n"
                  "  m1: {mass: 1, position: [1, 0, 0], fixed: [y, z]}\n"
                  "  m2: {mass: 2, position: [3, 0, 0], velocity: [1, 0, 0]}\n"
                  "springs:\n"
                  "  k1: {from: ground, to: m1, stiffness: 10 N/cm, rest_length: 400 mm}\n"
                  "  k2: {from: m1, to: m2, stiffness: 0, damping: 3 N s/m}\n"
                  "limits: {penetration: 1 um, velocity: 2, complementarity: 3, closure: 4}\n"
                  "run:\n"
                  "  scheme: {direct_projection: {theta: 0.75, forecast: free, gamma: 1, newton_tolerance: 1e-9,\n"
                  "    newton_iterations: 7, gap_tolerance: 1 nm, solver_tolerance: 1e-8, solver: lemke,\n"
                  "    linear_solver: klu}}\n"
                  "  step: 5 ms\n  until: 2 min\n  start: 1\n  record_every: 10\n  max_subdivisions: 3\n",
             0, NULL);
    const zn_scheme_def *s = &p->sim.scheme;
    assert_string_equal(s->scheme, "direct_projection");
    CHECK_NEAR(s->theta, 0.75, 0);
    assert_int_equal(s->forecast, ZN_FORECAST_FREE);
    CHECK_NEAR(s->gamma, 1, 0);
    CHECK_NEAR(s->newton_tolerance, 1e-9, 0);
    assert_int_equal(s->newton_iterations, 7);
    CHECK_NEAR(s->gap_tolerance, 1e-9, 0);
    CHECK_NEAR(s->solver_tolerance, 1e-8, 0);
    assert_string_equal(s->solver, "lemke");
    assert_string_equal(s->linear_solver, "klu");
    CHECK_NEAR(p->sim.step, 0.005, 0);
    CHECK_NEAR(p->sim.until, 120, 0);
    CHECK_NEAR(p->sim.start, 1, 0);
    assert_int_equal(p->sim.record_every, 10);
    assert_int_equal(p->sim.max_subdivisions, 3);
    CHECK_NEAR(p->sim.limits.penetration, 1e-6, 0);
    CHECK_NEAR(p->sim.limits.velocity, 2, 0);
    CHECK_NEAR(p->sim.limits.complementarity, 3, 0);
    CHECK_NEAR(p->sim.limits.closure, 4, 0);

    compiled c = compile(p);
    assert_int_equal(c.info.n, 4);
    assert_int_equal(c.info.n_all, 6);
    force_at(&c, 0); // free: m1 x, m2 x y z
    CHECK_NEAR(c.force[0], -1000 * (1 - 0.4) + 3, 1e-12);
    CHECK_NEAR(c.force[1], -3, 1e-12);
    clear(&c);
    zn_problem_destroy(p);
}

// --- joints and surfaces ---------------------------------------------------------------------------

#define MACHINE                                                                                                        \
    "parameters: {R: 0.1, mu: 0.3}\n"                                                                                  \
    "bodies:\n"                                                                                                        \
    "  roller: {mass: 2, inertia: 0.01, position: [0, 1], angle: 90 deg}\n"                                            \
    "  slider: {mass: 1, inertia: 1e-3, position: [0, 2*R + 1.1]}\n"                                                   \
    "  p: {mass: 1, position: [3, 5]}\n"

// Every type of joint, with the equations it gives and the rows of G it starts with.
static void test_joint_language(void **state)
{
    (void)state;
    zn_problem *p = good(PLANAR MACHINE "joints:\n"
                                        "  weld: {type: fixed, body: slider, at: [0, 0.2], to: roller}\n"
                                        "  axle: {type: revolute, body: roller, at: [R, 0]}\n"
                                        "  guide: {type: prismatic, body: slider, axis: [0, 2]}\n"
                                        "  link: {type: rod, body: p, to: roller, to_at: [4, -3]}\n"
                                        "  gear: {type: coupling, dofs: {roller.angle: 2*R m, slider.y: -1}}\n"
                                        "  crank: {type: motion, body: roller, angle: (90 + 20*(t - 1)) deg}\n"
                                        "contacts: {floor: {point: p, surface: {plane: [0, 1]}}}\n"
                                        "record: {f: axle.force}\n"
                                        "run: {step: 0.1, until: 2, start: 1}\n",
                         0, NULL);
    compiled    c = compile(p);
    assert_int_equal(c.info.joints, 3 + 2 + 2 + 1 + 1 + 1);
    assert_int_equal(c.info.contacts_max, 11);
    const zn_contact_set *set = c.state->contacts;
    const char *const     names[] = {"weld",  "weld", "weld", "axle",  "axle", "guide",
                                     "guide", "link", "gear", "crank", "floor"};
    CHECK_OK(zn_contact_set_refresh(c.state->contacts, c.sys, c.state->q, 1));
    for (int i = 0; i < set->count; i++) {
        assert_string_equal(zn_contact_name(c.sys, set->id[i]), names[i]);
        assert_int_equal(set->bilateral[i], i < 10);
        if (i < 10)
            CHECK_NEAR(set->gap[i], 0, 1e-15);
    }
    const double pi = 3.14159265358979323846;
    CHECK_NEAR(set->rate[9], -20 * pi / 180, 1e-12);
    const double *gear = set->row_value + set->row_start[8 * set->stride];
    CHECK_NEAR(gear[0], 0.2, 1e-16);
    CHECK_NEAR(gear[1], -1, 0);
    const double *axle = set->row_value + set->row_start[3 * set->stride]; // lever R along y: turning moves it along -x
    CHECK_NEAR(axle[0], 1, 0);
    CHECK_NEAR(axle[2], -0.1, 1e-15);
    clear(&c);
    zn_problem_destroy(p);
}

static void test_surface_language(void **state)
{
    (void)state;
    zn_problem *p =
        good(PLANAR MACHINE "contacts:\n"
                            "  rub: {point: slider, at: [0, -R], radius: 0, surface: {body: roller, circle: R},\n"
                            "        restitution: 0.5, friction: mu, tangential_restitution: 0.25}\n"
                            "  pin: {point: roller, radius: 5 cm, surface: {at: [0, 1.01], hole: 8 cm}}\n"
                            "  groove: {point: p, radius: 1, surface: {body: roller, at: [0, 0],\n"
                            "           slot: {axis: [1, 0], width: 20}}}\n"
                            "  wall: {point: p, radius: 1, surface: {through: [1, 0], plane: [2, 0]}, friction: 1}\n"
                            "  lid: {point: p, surface: {body: roller, at: [1, 0], plane: [1, 0]}}\n" RUN,
             0, NULL);
    compiled              c = compile(p);
    const zn_contact_set *set = c.state->contacts;
    assert_int_equal(c.info.joints, 0);
    assert_int_equal(set->count, 6);
    assert_int_equal(set->stride, 2);
    // the slot turned by 90 degrees is along y through x = 0: p is 3 to its right
    static const double gap[6] = {0.1, 0.02, 10 - 1 + 3, 10 - 1 - 3, 1, 3};
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(set->gap[i], gap[i], 1e-14);
    CHECK_NEAR(set->restitution[0], 0.5, 0);
    CHECK_NEAR(set->friction[0], 0.3, 0);
    CHECK_NEAR(set->tangential_restitution[0], 0.25, 0);
    CHECK_NEAR(set->friction[1], 0, 0);
    CHECK_NEAR(set->friction[4], 1, 0);
    assert_int_equal(set->row_start[2] - set->row_start[1], 6); // tangential row of rub: two bodies
    assert_int_equal(set->row_start[4] - set->row_start[3], 0); // none without friction
    clear(&c);
    zn_problem_destroy(p);
}

// The bar of the fuzzing corpus, with its CSV file beside it.
static void test_bar_and_csv(void **state)
{
    (void)state;
    static messages m;
    zn_problem     *p = NULL;
    zn_status       status = zn_problem_read(ZN_SOURCE_DIR "/tests/fuzz/corpus/bar.yaml", 1, (const char *[]){"n=20"},
                                             (zn_log){remember, &m}, &p);
    if (status != ZN_OK)
        fail_msg("%s", m.count > 0 ? m.text[0] : "no message");
    compiled c = compile(p);
    assert_int_equal(c.info.n, 21); // y is fixed
    assert_int_equal(c.info.n_all, 42);
    double total = 0, mass = 7800 * 3.14159265358979323846e-4 * 0.99;
    for (int i = 0; i < c.info.n; i++)
        total += c.mass[i];
    CHECK_NEAR(total, mass, 1e-12);
    CHECK_NEAR(c.mass[0], mass / 40, 1e-14); // lumped: half an element
    CHECK_NEAR(c.state->v[0], -1, 0);
    force_at(&c, 0.25e-3); // column 3 of the file, and the field 0.5 m/s^2
    CHECK_NEAR(c.force[20], 2.5 + 0.5 * mass / 40, 1e-9);
    CHECK_NEAR(c.force[0], 0.5 * mass / 40, 1e-9);
    clear(&c);
    zn_problem_destroy(p);
}

static void test_corpus(void **state)
{
    (void)state;
    static const char *const files[] = {"ball", "block", "bar", "minimal", "machine"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char            path[512];
        static messages m;
        zn_problem     *p = NULL;
        snprintf(path, sizeof path, ZN_SOURCE_DIR "/tests/fuzz/corpus/%s.yaml", files[i]);
        m.count = 0;
        if (zn_problem_read(path, 0, NULL, (zn_log){remember, &m}, &p) != ZN_OK)
            fail_msg("%s: %s", path, m.count > 0 ? m.text[0] : "no message");
        // what the reader lets through, the simulation must be able to resolve
        zn_system *sys;
        zn_sim    *sim;
        CHECK_OK(zn_system_create(p->model, &sys));
        CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
        zn_sim_destroy(sim);
        zn_system_destroy(sys);
        zn_problem_destroy(p);
    }
}

// --- parameters ------------------------------------------------------------------------------------

#define BODY "bodies: {x: {mass: m, position: [2*m, 0, 0]}}\n"

static void test_overrides(void **state)
{
    (void)state;
    static const char text[] = HEAD "parameters: {a: 2, m: a + 1, c: 10*m}\n" BODY RUN;
    zn_problem                                                                    *p = good(text, 0, NULL);
    CHECK_NEAR(parameter(p, "m"), 3, 0);
    CHECK_NEAR(parameter(p, "c"), 30, 0);
    zn_problem_destroy(p);
    p = good(text, 1, (const char *[]){"a=5"}); // what depends on it follows
    CHECK_NEAR(parameter(p, "c"), 60, 0);
    zn_problem_destroy(p);
    p = good(text, 3, (const char *[]){"m=7", "m=(2*a + 500) g", "a=1"}); // the last one counts; unit on all of it
    CHECK_NEAR(parameter(p, "a"), 1, 0);
    CHECK_NEAR(parameter(p, "m"), 0.502, 1e-16);
    compiled c = compile(p);
    CHECK_NEAR(c.mass[0], 0.502, 1e-16);
    CHECK_NEAR(c.state->q[0], 1.004, 1e-15);
    clear(&c);
    zn_problem_destroy(p);

    static const struct {
        const char *override, *message;
    } bad[] = {
        {"aa=1", "m.yaml: override 'aa=1': there is no parameter 'aa', did you mean 'a'?"},
        {"a", "m.yaml: override 'a': expected name=value"},
        {"run.step", "m.yaml: override 'run.step': expected name=value"},
        {"=1", "m.yaml: override '=1': expected name=value"},
        {"a=", "m.yaml: override 'a=': the expression is empty"},
        {"a=1/0", "m.yaml: override 'a=1/0': the value is not finite"},
        {"a=3 furlong", "m.yaml: override 'a=3 furlong': unknown unit 'furlong'"},
        {"a=m", "m.yaml: override 'a=m': unknown name 'm'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        static messages m;
        CHECK_STATUS(parse(text, 1, &bad[i].override, &m, &p), ZN_ERR_MODEL);
        if (strstr(m.text[0], bad[i].message) != m.text[0])
            fail_msg("'%s', expected '%s'", m.text[0], bad[i].message);
    }
}

// --- bad models ------------------------------------------------------------------------------------

static void test_bad_models(void **state)
{
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof bad_models / sizeof bad_models[0]; i++) {
        static messages m;
        zn_problem     *p = NULL;
        zn_status       status = parse(bad_models[i].text, 0, NULL, &m, &p);
        const char     *expected = bad_models[i].message;
        bool            good_message = m.count == 1 && strncmp(m.text[0], expected, strlen(expected)) == 0;
        if (status == ZN_ERR_MODEL && p == NULL && good_message)
            continue;
        wrong++;
        print_error("---\n%sexpected: %s\n", bad_models[i].text, expected);
        for (int k = 0; k < m.count; k++)
            print_error("     got: %s\n", m.text[k]);
        if (status == ZN_OK)
            zn_problem_destroy(p);
    }
    assert_int_equal(wrong, 0);
}

// One slip, one message: what refers to a broken object is not reported as well; several slips come in file order.
static void test_several(void **state)
{
    (void)state;
    static messages m;
    zn_problem     *p = NULL;
    CHECK_STATUS(parse(PLANAR "bodies:\n"
                              "  a: {mass: -1}\n"
                              "  b: {mass: 1, positoin: [0, 0]}\n"
                              "contacts: {c: {point: a, surface: {plane: [0, 1]}}}\n"
                              "springs: {s: {from: b, to: a}}\n"
                              "loads: {l: {acceleration: [t, t], on: [a]}, k: {body: b, force: [t, q]}}\n"
                              "record: {x: a.position, y: c.force}\n"
                              "run: {step: 1 m, until: 1}\n",
                       0, NULL, &m, &p),
                 ZN_ERR_MODEL);
    assert_int_equal(m.count, 4);
    assert_non_null(strstr(m.text[0], "m.yaml:4:13: body 'a': 'mass' must be > 0"));
    assert_non_null(strstr(m.text[1], "m.yaml:5:16: body 'b': unknown key 'positoin'"));
    assert_non_null(strstr(m.text[2], "m.yaml:8:69: load 'k': 'force': unknown name 'q'"));
    assert_non_null(strstr(m.text[3], "m.yaml:10:15: run: wrong unit 'm' for 'step'"));
}

static void test_too_many(void **state)
{
    (void)state;
    static messages m;
    char            text[4096] = HEAD "bodies:\n";
    zn_problem     *p = NULL;
    for (int i = 0; i < 25; i++) {
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "  b%d: {mass: -1}\n", i);
    }
    strcat(text, RUN);
    CHECK_STATUS(parse(text, 0, NULL, &m, &p), ZN_ERR_MODEL);
    assert_int_equal(m.count, 21);
    assert_string_equal(m.text[20], "m.yaml: too many errors, 5 more are not shown");
}

// --- files and manual ------------------------------------------------------------------------------

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_true(fputs(text, f) >= 0);
    assert_int_equal(fclose(f), 0);
}

static void test_csv_faults(void **state)
{
    (void)state;
    static const struct {
        const char *csv, *message; // NULL: good
    } cases[] = {
        {"0,1\n1,2\n", NULL},
        {"t,y\r\n0 , 1\r\n\r\n1, 2\r\n# end\n", NULL},
        {"", "there are no rows"},
        {"t,y\n", ":1: there are no rows"},
        {"0,1\n1\n", ":2: a row needs at least two columns"},
        {"0,1\n1,2,3\n", ":2: 3 columns, but the rows before have 2"},
        {"0,1\n\n1,x\n", ":3: 'x' in column 2 is not a number"},
        {"t,y\na,b\n", ":2: 'a' in column 1 is not a number"},
        {"0,1\n1,nan\n", ":2: 'nan' in column 2"},
        {"0,1\n1,\n", ":2: '' in column 2"},
        {"0,1\n1,1e999\n", ":2: '1e999' in column 2"},
        {"0,1\n0,2\n", ":2: time 0 does not come after 0"},
        {"0;1\n1;2\n", ":1: a row needs at least two columns"},
    };
    char folder[] = "/tmp/zeno_test_XXXXXX", csv[64], model[64];
    assert_non_null(mkdtemp(folder));
    snprintf(csv, sizeof csv, "%s/f.csv", folder);
    snprintf(model, sizeof model, "%s/m.yaml", folder);
    write_file(model, PLANAR B "loads: {l: {body: p, force: [{csv: f.csv}, 0]}}\n" RUN);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        static messages m;
        zn_problem     *p = NULL;
        m.count = 0;
        write_file(csv, cases[i].csv);
        zn_status status = zn_problem_read(model, 0, NULL, (zn_log){remember, &m}, &p);
        if ((status == ZN_OK) != (cases[i].message == NULL))
            fail_msg("'%s': status %d, %s", cases[i].csv, (int)status, m.count > 0 ? m.text[0] : "");
        if (status != ZN_OK && strstr(m.text[0], cases[i].message) == NULL)
            fail_msg("'%s': %s", cases[i].csv, m.text[0]);
        zn_problem_destroy(p);
    }
    unlink(csv);
    unlink(model);
    rmdir(folder);
}

static void test_unreadable(void **state)
{
    (void)state;
    static messages m;
    zn_problem     *p = NULL;
    m.count = 0;
    CHECK_STATUS(zn_problem_read("/nowhere/m.yaml", 0, NULL, (zn_log){remember, &m}, &p), ZN_ERR_IO);
    assert_string_equal(m.text[0], "/nowhere/m.yaml: No such file or directory");
    CHECK_STATUS(zn_problem_read("/tmp", 0, NULL, (zn_log){remember, &m}, &p), ZN_ERR_IO);
    assert_string_equal(m.text[1], "/tmp: not a regular file");
}

static void test_reference(void **state)
{
    (void)state;
    char *text = zn_problem_reference();
    assert_non_null(text);
    static const char *const parts[] = {
        "| `mass` | number | kg | required unless `cad` or `density` | > 0 | mass |",
        "| `theta` | number |  | 0.5 | 0 to 1 |",
        "| `forecast` | one of `explicit`, `free` |  | `explicit` |",
        "| `rest_length` | signal | m | initial length |  |",
        "| `penetration` | number | m | none | >= 0 |",
        "| `record_every` | whole number |  | 1 | 1 to 1e+09 |",
        "| `solver` | one of `auto`, `gauss_seidel`",
        "| `combined_projection` |",
        "| `type` | one of `fixed`, `revolute`, `prismatic`, `rod`, `coupling`, `motion`, `spherical`, `cylindrical`, "
        "`planar`, `universal` |  | required |",
        "| `inertia` | number; in space three moments or three rows | kg m^2 | point mass | >= 0 |",
        "| `rotation` | quaternion, or axis and angle |  | none |",
        "| `length` | number | m | initial distance | > 0 | of a rod |",
        "| `tangential_restitution` | number |  | 0 | -1 to 1 |",
        "| `hole` | number | m | none | > 0 |",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (strstr(text, parts[i]) == NULL)
            fail_msg("the manual lacks '%s'", parts[i]);
    for (int i = 0; i < zn_quantity_count(); i++) {
        const char *owner, *name, *unit, *help;
        char        row[300];
        zn_quantity_describe(i, &owner, &name, &unit, &help);
        snprintf(row, sizeof row, "| `%s` | %s | %s |", name, unit, help);
        assert_non_null(strstr(text, row));
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_minimal),
        cmocka_unit_test(test_rigid_body),
        cmocka_unit_test(test_units_of_expressions),
        cmocka_unit_test(test_spring_and_scheme),
        cmocka_unit_test(test_bar_and_csv),
        cmocka_unit_test(test_joint_language),
        cmocka_unit_test(test_surface_language),
        cmocka_unit_test(test_corpus),
        cmocka_unit_test(test_overrides),
        cmocka_unit_test(test_bad_models),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_too_many),
        cmocka_unit_test(test_csv_faults),
        cmocka_unit_test(test_unreadable),
        cmocka_unit_test(test_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
