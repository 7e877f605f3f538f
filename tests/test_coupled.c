// Options of the projected schemes. Both levels in one problem (coupled) or one after the other (decoupled): the same
// equations, so the same step within the tolerances of the solvers. The metric of the projection decides where to a
// penetrating state is moved, not whether: without penetration in each of them, and different from each other wherever
// more than one direction is open.
#include "gallery_fixtures.h"

static const char *const scheme_word[] = {"direct_projection", "combined_projection"};

enum { METRICS = 3, PROBLEMS = 6 };

static zn_scheme_def variant(const char *scheme, int metric, bool coupled)
{
    zn_scheme_def def = scheme_named(scheme, 0.5);
    def.metric = (zn_metric)metric;
    def.coupled = coupled;
    return def;
}

typedef struct test_case {
    const char *name, *folder;
    double      h;
    int         steps;
    double      length, speed; ///< sizes of coordinates and velocities
    bool        metrics;       ///< identity and mass differ: there is more than one way out of the obstacle
    bool        stiff;         ///< mass and iteration differ: forces depend on q
} test_case;

static const test_case cases[PROBLEMS] = {
    {"ball", NULL, 0.00713, 600, 1, 2, false, false},
    {"block", NULL, 1e-2, 200, 1, 5, true, false},
    {"block, small steps", NULL, 1e-3, 1500, 1, 5, true, false},
    {"bar", NULL, 2e-6, 300, 1e-5, 0.1, true, true},
    {"slider-crank", "slider-crank", 1e-4, 800, 1, 150, true, true},
    {"bodies and joints", "slider-crank-bodies", 1e-4, 400, 1, 150, true, false},
};

static gallery_rig open_case(int i, zn_scheme_def def)
{
    gallery_rig g = {0};
    if (cases[i].folder)
        return gallery_open(cases[i].folder, NULL, def);
    zn_model *model = i == 0 ? ball_model(1, 0, 0.5) : i == 3 ? bar_model(30, 5.37e-6, 0) : block_model(paper_block());
    g.r = rig_open(model, def);
    return g;
}

static void close_case(gallery_rig *g)
{
    if (g->problem)
        gallery_close(g);
    else
        rig_close(&g->r);
}

typedef struct difference {
    double q, v, tau; ///< largest, relative to the sizes
    int    projected; ///< steps with a projection
} difference;

static void add_difference(difference *d, const test_case *c, const rig *a, const rig *b)
{
    zn_system_info info = zn_system_get_info(a->sys);
    bool           projected = false;
    for (int i = 0; i < info.nq; i++)
        d->q = fmax(d->q, fabs(a->state->q[i] - b->state->q[i]) / c->length);
    for (int i = 0; i < info.n_all; i++)
        d->v = fmax(d->v, fabs(a->state->v[i] - b->state->v[i]) / c->speed);
    for (int i = 0; i < a->state->contacts->count; i++)
        projected |= a->state->contacts->projection[i * a->state->contacts->stride] != 0;
    d->projected += projected;
}

static double penetration(const rig *r)
{
    double worst = 0;
    for (int i = 0; i < r->state->contacts->count; i++)
        if (!r->state->contacts->bilateral[i])
            worst = fmax(worst, -r->state->contacts->gap[i]);
    return worst;
}

// --- coupled and decoupled -----------------------------------------------------------------------

// Step by step from the same state: nothing but the solvers' tolerances can differ.
static const char *const metric_names[] = {"identity", "mass", "iteration"};

static void check_steps(int i, const char *scheme, int metric)
{
    gallery_rig a = open_case(i, variant(scheme, metric, false)), b = open_case(i, variant(scheme, metric, true));
    difference  d = {0};
    for (int k = 0; k < cases[i].steps; k++) {
        rig_step(&a.r, cases[i].h);
        rig_step(&b.r, cases[i].h);
        add_difference(&d, &cases[i], &a.r, &b.r);
        CHECK_BELOW(penetration(&a.r), 1e-12);
        CHECK_BELOW(penetration(&b.r), 1e-12);
        zn_state_copy(b.r.sys, a.r.state, b.r.state);
    }
    print_message("%-19s %-20s %-10s: q %.1e, v %.1e in one step, %d projected\n", cases[i].name, scheme,
                  metric_names[metric], d.q, d.v, d.projected);
    assert_true(d.projected > 0);
    CHECK_BELOW(d.q, 1e-12);
    CHECK_BELOW(d.v, 1e-10);
    close_case(&a);
    close_case(&b);
}

static void test_one_step_is_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++)
        for (int s = 0; s < 2; s++)
            for (int metric = 0; metric < METRICS; metric++)
                check_steps(i, scheme_word[s], metric);
}

// Without bringing them together after each step: differences grow with the impacts, but stay solver noise.
static void test_trajectories_are_the_same(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++)
        for (int s = 0; s < 2; s++)
            for (int metric = 0; metric < METRICS; metric++) {
                gallery_rig a = open_case(i, variant(scheme_word[s], metric, false));
                gallery_rig b = open_case(i, variant(scheme_word[s], metric, true));
                difference  d = {0};
                for (int k = 0; k < cases[i].steps; k++) {
                    rig_step(&a.r, cases[i].h);
                    rig_step(&b.r, cases[i].h);
                    add_difference(&d, &cases[i], &a.r, &b.r);
                }
                print_message("%-19s %-20s %-10s: q %.1e, v %.1e in all\n", cases[i].name, scheme_word[s],
                              metric_names[metric], d.q, d.v);
                CHECK_BELOW(d.q, 1e-8);
                CHECK_BELOW(d.v, 1e-7);
                close_case(&a);
                close_case(&b);
            }
}

// --- metrics -------------------------------------------------------------------------------------

static void test_metrics_differ(void **state)
{
    (void)state;
    for (int i = 0; i < PROBLEMS; i++)
        for (int s = 0; s < 2; s++)
            for (int one = 0; one < METRICS; one++) {
                int         two = (one + 1) % METRICS;
                gallery_rig a = open_case(i, variant(scheme_word[s], one, false));
                gallery_rig b = open_case(i, variant(scheme_word[s], two, false));
                difference  d = {0};
                for (int k = 0; k < cases[i].steps; k++) {
                    rig_step(&a.r, cases[i].h);
                    rig_step(&b.r, cases[i].h);
                    add_difference(&d, &cases[i], &a.r, &b.r);
                    zn_state_copy(b.r.sys, a.r.state, b.r.state);
                }
                print_message("%-19s %-20s %-9s and %-9s: q %.1e in one step\n", cases[i].name, scheme_word[s],
                              metric_names[one], metric_names[two], d.q);
                bool alike = !cases[i].metrics || (one + two == 3 && !cases[i].stiff);
                if (alike)
                    CHECK_BELOW(d.q, 1e-12);
                else
                    assert_true(d.q > 1e-10);
                close_case(&a);
                close_case(&b);
            }
}

// A block that penetrates with one corner, projected once: shift = N G' tau with g = 0. In the identity metric the
// shift is along the gradient of the gap, in the mass metric along M^-1 times it: with m = 1 the ratio of turn to lift
// differs by the inertia.
static void test_shift_follows_the_metric(void **state)
{
    (void)state;
    block_case c = paper_block();
    c.y = 0.7, c.angle = 0.2, c.spin = 0, c.e = 0; // corner B is below the floor
    double inertia = (c.l * c.l + c.L * c.L) / 12, ratio[METRICS];
    for (int metric = 0; metric < METRICS; metric++) {
        const double h = 1e-9; // the motion itself does nothing
        rig          r = rig_open(block_model(c), variant("direct_projection", metric, false));
        rig_step(&r, h);
        const double *q = r.state->q;
        double        lever = 0;
        for (int side = 0; side < 2; side++)
            if (r.state->contacts->projection[side] != 0) {
                const zn_contact_set *set = r.state->contacts;
                CHECK_NEAR(set->gap[side], 0, 1e-12);
                for (int k = set->row_start[side]; k < set->row_start[side + 1]; k++)
                    lever = set->row_dof[k] == 2 ? set->row_value[k] : lever;
            }
        assert_true(fabs(lever) > 0.1);
        ratio[metric] = (q[2] - c.angle) / (q[1] - c.y) / lever;
        CHECK_NEAR(q[0], 0, 1e-12);
        rig_close(&r);
    }
    CHECK_NEAR(ratio[ZN_METRIC_IDENTITY], 1, 1e-6);
    CHECK_NEAR(ratio[ZN_METRIC_MASS], 1 / inertia, 1e-6);
    CHECK_NEAR(ratio[ZN_METRIC_ITERATION], 1 / inertia, 1e-6); // h is tiny: A = M
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_step_is_the_same),
        cmocka_unit_test(test_trajectories_are_the_same),
        cmocka_unit_test(test_metrics_differ),
        cmocka_unit_test(test_shift_follows_the_metric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
