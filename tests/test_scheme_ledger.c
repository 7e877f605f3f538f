// The energy ledger: it closes on every model, no line is idle, and every line has the value its own formula gives.
#include "scheme_fixtures.h"
#include "zn/sim.h"

static const char *const scheme_word[] = {"moreau_jean", "combined_projection"};
static const double      thetas[] = {0.5, 0.7, 1};

// --- a model in which every line moves -----------------------------------------------------------

static zn_signal *expression(const char *text)
{
    zn_signal *signal = NULL;
    char       message[128];
    CHECK_OK(zn_signal_expression(text, 0, NULL, NULL, message, sizeof message, &signal));
    return signal;
}

#define LOAD_X(t) cos(3 * (t))
#define LOAD_Y(t) (2 * sin(5 * (t)))

/// A mass on an oblique spring-damper, with gravity, a load that varies, and a floor it hits.
static zn_model *everything_model(void)
{
    zn_model   *model = planar_model(-9.81, (zn_log){0});
    zn_body_def body = zn_body_def_default();
    body.name = "mass";
    body.mass = 1.3;
    body.position = zn_vec3_make(0.3, 0.8, 0);
    body.velocity = zn_vec3_make(0.4, -0.2, 0);
    zn_node_id node = {0};
    CHECK_OK(zn_model_add_body(model, &body, &node));
    zn_spring_def spring = zn_spring_def_default();
    spring.name = "spring";
    spring.from.at = zn_vec3_make(-1, 1.7, 0);
    spring.to.node = node;
    spring.stiffness = 25;
    spring.damping = 0.4;
    spring.rest_length = 1.2;
    CHECK_OK(zn_model_add_spring(model, &spring));
    zn_force_def load = zn_force_def_default();
    load.name = "load";
    load.point.node = node;
    load.force[0] = expression("cos(3*t)");
    load.force[1] = expression("2*sin(5*t)");
    CHECK_OK(zn_model_add_force(model, &load));
    add_plane_contact(model, "floor", node, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), 0.5);
    return model;
}

// --- closure -------------------------------------------------------------------------------------

/// Closure recomputed from the reports of the steps, with one line left out (-1: none).
typedef struct closure {
    int    deleted;
    double start[ZN_LEDGER_STORED], last[ZN_LEDGER_STORED], entered, magnitude, worst;
} closure;

static closure closure_start(const zn_state *s, int deleted)
{
    return (closure){.deleted = deleted,
                     .start = {s->energy.kinetic, s->energy.strain, s->energy.gravity},
                     .last = {s->energy.kinetic, s->energy.strain, s->energy.gravity}};
}

static void closure_add(closure *c, const double *ledger)
{
    double change = 0, level = 0;
    for (int i = 0; i < ZN_LEDGER_LINES; i++) {
        bool stored = i < ZN_LEDGER_STORED;
        if (i == c->deleted)
            continue;
        c->magnitude += stored ? fabs(ledger[i] - c->last[i]) : fabs(ledger[i]);
        change += stored ? ledger[i] - c->start[i] : 0;
        level += stored ? fabs(ledger[i]) : 0;
        c->entered += stored ? 0 : ledger[i];
        if (stored)
            c->last[i] = ledger[i];
    }
    double scale = c->magnitude + level;
    if (scale > 0)
        c->worst = fmax(c->worst, fabs(change - c->entered) / scale);
}

// The lines that this model moves; those of other mechanisms (friction, joints) stay zero.
static const zn_ledger_line moving[] = {
    ZN_LEDGER_KINETIC, ZN_LEDGER_STRAIN,  ZN_LEDGER_GRAVITY,    ZN_LEDGER_LOAD,
    ZN_LEDGER_DAMPER,  ZN_LEDGER_CONTACT, ZN_LEDGER_PROJECTION, ZN_LEDGER_NUMERICAL,
};

enum { MOVING = sizeof moving / sizeof *moving };

static void check_deleting(const char *scheme, double theta, bool projects)
{
    rig     r = rig_open(everything_model(), scheme_named(scheme, theta));
    closure whole = closure_start(r.state, -1), without[MOVING];
    double  sum[ZN_LEDGER_LINES] = {0}, all = 0, moved = 0;
    for (int i = 0; i < MOVING; i++)
        without[i] = closure_start(r.state, moving[i]);
    for (int k = 0; k < 1000; k++) {
        rig_step(&r, 0.00317);
        closure_add(&whole, r.info.ledger);
        for (int i = 0; i < MOVING; i++)
            closure_add(&without[i], r.info.ledger);
        for (int i = 0; i < ZN_LEDGER_LINES; i++)
            sum[i] += fabs(r.info.ledger[i]);
    }
    print_message("closure %.2e; without", whole.worst);
    for (int i = 0; i < MOVING; i++)
        print_message(" %s %.1e", zn_ledger_name(moving[i]), without[i].worst);
    print_message("\n");
    CHECK_BELOW(whole.worst, 1e-10);
    for (int i = 0; i < MOVING; i++) {
        if (moving[i] == ZN_LEDGER_PROJECTION && !projects)
            continue;
        assert_true(sum[moving[i]] > 0);
        assert_true(without[i].worst > 1e-5); // far above 1e-10
        moved += sum[moving[i]];
    }
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        all += sum[i];
    CHECK_NEAR(all, moved, 1e-12 * all);
    rig_close(&r);
}

static void test_deleting_a_line_breaks_the_closure(void **state)
{
    (void)state;
    check_deleting("combined_projection", 0.7, true);
    check_deleting("nsga", 0.5, false); // its projection is part of the numerical line
}

// --- every model, scheme and theta ---------------------------------------------------------------

typedef struct test_case {
    const char *name;
    zn_model *(*build)(void);
    double h, until;
    double weight; ///< constant force downwards where it is the only one, else 0
} test_case;

static zn_model *ball(void) { return ball_model(1, 0.2, 0.5); }
static zn_model *elastic_ball(void) { return ball_model(1, 0, 1); }
static zn_model *oscillator(void) { return oscillator_model(1, 0, 0, 0.5); }
static zn_model *damped_oscillator(void) { return oscillator_model(1, 0, 0.2, 0.5); }
static zn_model *block(void) { return block_model(paper_block()); }
static zn_model *lively_block(void)
{
    block_case c = paper_block();
    c.e = 0.9, c.vx = 0.3;
    return block_model(c);
}
static zn_model *bar(void) { return bar_model(100, 5.013e-5, 0); }
static zn_model *rattling_bar(void) { return bar_model(100, 5.013e-5, 0.95); }

static const test_case cases[] = {
    {"everything", everything_model, 0.00317, 3, 0},
    {"ball", ball, 0.00317, 5, 2},
    {"elastic ball", elastic_ball, 0.00317, 5, 2},
    {"oscillator", oscillator, 0.00713, 10, 0},
    {"damped oscillator", damped_oscillator, 0.00713, 10, 0},
    {"block", block, 1e-3, 1.5, 9.81},
    {"lively block", lively_block, 1e-3, 1.5, 9.81},
    {"bar", bar, 2e-6, 1.2e-3, 0},
    {"rattling bar", rattling_bar, 2e-6, 1.2e-3, 0},
};

static zn_status account(void *user, const zn_sim *sim)
{
    closure_add(user, zn_sim_last_step(sim)->ledger);
    return ZN_OK;
}

static zn_certificate certify(const test_case *c, const char *scheme, double theta)
{
    zn_model  *model = c->build();
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    closure    own;
    zn_sim_def def = zn_sim_def_default();
    def.scheme = scheme_named(scheme, theta);
    def.step = c->h;
    def.until = c->until;
    def.progress = account;
    def.progress_user = &own;
    CHECK_OK(zn_system_create(model, &sys));
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    own = closure_start(zn_sim_state(sim), -1);
    CHECK_OK(zn_sim_run(sim));
    zn_certificate certificate = *zn_sim_certificate(sim);
    CHECK_NEAR(certificate.closure.value, own.worst, 1e-13);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return certificate;
}

// Numerical dissipation. A force linear in q at theta = 1/2: none. A constant force: the sum of -(th - 1/2) h F.dv
// telescopes, so it depends on the velocity at the end alone, and impacts give back what flights took.
static void check_smooth_lines(const test_case *p, const zn_certificate *c, double theta)
{
    double numerical = c->ledger[ZN_LEDGER_NUMERICAL], tiny = 1e-11 * c->energy_start;
    CHECK_NEAR(c->ledger[ZN_LEDGER_LOAD], 0, 0);
    if (theta == 0.5)
        CHECK_NEAR(numerical, 0, tiny);
    else if (p->weight > 0)
        CHECK_NEAR(numerical, (theta - 0.5) * p->h * p->weight * (c->momentum.y - c->momentum_start.y), tiny);
    else
        assert_true(numerical < -1e-4 * c->energy_start);
}

static void test_every_run_closes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int s = 0; s < 2; s++) {
            double worst[3], *line = NULL;
            for (int t = 0; t < 3; t++) {
                zn_certificate c = certify(&cases[i], scheme_word[s], thetas[t]);
                line = c.ledger;
                worst[t] = c.closure.value;
                CHECK_BELOW(c.closure.value, 1e-10);
                CHECK_BELOW(line[ZN_LEDGER_DAMPER], 0);
                CHECK_BELOW(line[ZN_LEDGER_CONTACT], 1e-12 * c.energy_start); // impacts take energy
                if (s == 0)
                    CHECK_NEAR(line[ZN_LEDGER_PROJECTION], 0, 0);
                if (i > 0)
                    check_smooth_lines(&cases[i], &c, thetas[t]);
            }
            print_message("%-18s %-20s closure %.1e %.1e %.1e\n", cases[i].name, scheme_word[s], worst[0], worst[1],
                          worst[2]);
        }
}

// --- each line by its own formula ----------------------------------------------------------------

// Loads at the theta point, contacts at the mean velocity, dampers never positive.
static void test_lines_of_everything(void **state)
{
    (void)state;
    const double h = 0.00317;
    for (int s = 0; s < 2; s++)
        for (int j = 0; j < 3; j++) {
            double theta = thetas[j];
            rig    r = rig_open(everything_model(), scheme_named(scheme_word[s], theta));
            for (int k = 0; k < 900; k++) {
                double t = r.state->t + theta * h, before[2] = {r.state->v[0], r.state->v[1]};
                rig_step(&r, h);
                const double *v = r.state->v, *ledger = r.info.ledger;
                double        vx = (1 - theta) * before[0] + theta * v[0], vy = (1 - theta) * before[1] + theta * v[1];
                CHECK_NEAR(ledger[ZN_LEDGER_KINETIC], 0.5 * 1.3 * (v[0] * v[0] + v[1] * v[1]), 1e-13);
                CHECK_NEAR(ledger[ZN_LEDGER_GRAVITY], 1.3 * 9.81 * r.state->q[1], 1e-13);
                CHECK_NEAR(ledger[ZN_LEDGER_LOAD], h * (LOAD_X(t) * vx + LOAD_Y(t) * vy), 1e-15);
                CHECK_NEAR(ledger[ZN_LEDGER_CONTACT], impulse_of(&r, 0) * (before[1] + v[1]) / 2, 1e-14);
                CHECK_BELOW(ledger[ZN_LEDGER_DAMPER], 0);
            }
            rig_close(&r);
        }
}

// Linear, no contact in reach: strain k q^2 / 2, damper - h c v_th^2, numerical - (th - 1/2) (m dv^2 + k dq^2).
static void test_lines_of_the_oscillator(void **state)
{
    (void)state;
    const double h = 0.0317;
    for (int s = 0; s < 2; s++)
        for (int j = 0; j < 3; j++)
            for (int damped = 0; damped < 2; damped++) {
                double theta = thetas[j], c = damped * 0.2;
                rig    r = rig_open(oscillator_model(1, 0, c, 0.5), scheme_named(scheme_word[s], theta));
                while (r.state->t < 1.5) {
                    double q = gap_of(&r, 0), v = r.state->v[0];
                    rig_step(&r, h);
                    double dq = gap_of(&r, 0) - q, dv = r.state->v[0] - v, v_theta = v + theta * dv;
                    CHECK_NEAR(r.info.ledger[ZN_LEDGER_STRAIN], 0.5 * gap_of(&r, 0) * gap_of(&r, 0), 1e-14);
                    CHECK_NEAR(r.info.ledger[ZN_LEDGER_DAMPER], -h * c * v_theta * v_theta, 1e-15);
                    CHECK_NEAR(r.info.ledger[ZN_LEDGER_NUMERICAL], -(theta - 0.5) * (dv * dv + dq * dq), 1e-14);
                }
                rig_close(&r);
            }
}

// The ball: projection is weight times displacement, the impact takes (1 - e^2) m v^2 / 2 up to the motion of a step.
static void test_lines_of_the_ball(void **state)
{
    (void)state;
    for (int j = 0; j < 3; j++) {
        rig    r = rig_open(ball_model(1, 0, 0.5), scheme_named("combined_projection", thetas[j]));
        double first = 0, moved = 0;
        for (int k = 0; k < 1000; k++) {
            rig_step(&r, 0.00317);
            CHECK_NEAR(r.info.ledger[ZN_LEDGER_PROJECTION], 2 * r.state->contacts->projection[0], 1e-15);
            moved = fmax(moved, fabs(r.state->contacts->projection[0]));
            if (first == 0)
                first = r.info.ledger[ZN_LEDGER_CONTACT];
        }
        assert_true(moved > 1e-4);
        CHECK_NEAR(first, -0.5 * (1 - 0.25) * 4, 0.02);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deleting_a_line_breaks_the_closure),
        cmocka_unit_test(test_every_run_closes),
        cmocka_unit_test(test_lines_of_everything),
        cmocka_unit_test(test_lines_of_the_oscillator),
        cmocka_unit_test(test_lines_of_the_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
