// Laws of impact beside Newton's. Of random matrices W: what the laws demand, against a second program for them;
// energy, works along the way, joints eliminated, W dense and sparse. Of schemes: restart with equal bits. Whole runs
// with closed forms are in tests/cases (newtons-cradle.yaml and others).
#include "constraint/impact.h"
#include "fixtures.h"
#include "scheme_fixtures.h"

enum { MOST = 9, TRIALS = 300 };

// A problem of `joints` equations and contacts after them, with a set that has just what laws ask for.
typedef struct drawn {
    int            n, joints;
    double         W[MOST * MOST], U[MOST], e;
    zn_contact_set set;
    bool           bilateral[MOST];
    double         restitution[MOST], tangential[MOST], from[MOST], friction[MOST];
} drawn;

static void draw_problem(uint64_t *seed, drawn *d)
{
    double r[4], A[MOST * (MOST + 2)];
    random_fill(seed, 1, 4, r);
    *d = (drawn){.e = 0.5 + 0.5 * r[0]};
    d->joints = (int)(1.5 + 1.49 * r[1]);
    d->n = d->joints + 2 + (int)(2.5 + 2.49 * r[2]);
    random_fill(seed, 1, MOST * (MOST + 2), A);
    random_fill(seed, 1, MOST, d->U);
    for (int i = 0; i < d->n; i++)
        for (int j = 0; j < d->n; j++)
            for (int k = 0; k < MOST + 2; k++)
                d->W[i * d->n + j] += A[i * (MOST + 2) + k] * A[j * (MOST + 2) + k];
    for (int i = 0; i < d->n; i++) {
        d->bilateral[i] = i < d->joints;
        d->restitution[i] = d->e;
    }
}

// Pointers into itself: once it stays where it is.
static void point(drawn *d)
{
    d->set = (zn_contact_set){.count = d->n,
                              .stride = 1,
                              .bilateral = d->bilateral,
                              .restitution = d->restitution,
                              .tangential_restitution = d->tangential,
                              .restitution_from = d->from,
                              .friction = d->friction};
}

typedef struct bench {
    fixture        f;
    zn_constraints c;
    zn_impact      law;
} bench;

static bench open_bench(zn_impact_law law)
{
    const zn_constraint_settings settings = {"auto", 1e-14, ZN_FC_MEASURE_NATURAL, {0}};
    bench                        b = {.f = make_ball_at(1, 0)};
    CHECK_OK(zn_constraints_create(b.f.sys, &settings, &b.c));
    CHECK_OK(zn_constraints_reserve(&b.c, MOST, MOST, MOST));
    CHECK_OK(zn_impact_create(b.f.sys, law, &settings, &b.law));
    CHECK_OK(zn_impact_reserve(&b.law, MOST, 1));
    return b;
}

static void close_bench(bench *b)
{
    zn_impact_destroy(&b->law);
    zn_constraints_destroy(&b->c);
    destroy_fixture(&b->f);
}

static void find(bench *b, const drawn *d)
{
    zn_solved solved = {0};
    memcpy(b->c.W, d->W, sizeof *d->W * (size_t)(d->n * d->n));
    b->c.sparse = NULL;
    b->c.set = &d->set;
    zn_impact_begin(&b->law, &d->set);
    for (int i = d->joints; i < d->n; i++)
        zn_impact_add(&b->law, &d->set, i, &d->U[i]);
    CHECK_OK(zn_impact_find(&b->law, &b->c, &d->set, 0, &solved));
}

// --- a second program --------------------------------------------------------------------------------------------

// W of the contacts, joints taken out one after the other by Gauss's elimination.
static void reduce(const drawn *d, double *W)
{
    double full[MOST * MOST];
    int    n = d->n, m = n - d->joints;
    memcpy(full, d->W, sizeof full);
    for (int j = 0; j < d->joints; j++)
        for (int k = j + 1; k < n; k++)
            for (int l = n - 1; l >= j; l--)
                full[k * n + l] -= full[k * n + j] / full[j * n + j] * full[j * n + l];
    for (int k = 0; k < m; k++)
        for (int l = 0; l < m; l++)
            W[k * m + l] = full[(d->joints + k) * n + d->joints + l];
}

static void hits(const drawn *d, const double *W, double *U, double *P)
{
    int m = d->n - d->joints;
    memset(P, 0, sizeof *P * (size_t)m);
    for (int count = 0; count < 100000; count++) {
        int fastest = 0;
        for (int k = 1; k < m; k++)
            fastest = U[k] < U[fastest] ? k : fastest;
        if (U[fastest] > -1e-13)
            return;
        double p = -(1 + d->e) * U[fastest] / W[fastest * m + fastest];
        P[fastest] += p;
        for (int k = 0; k < m; k++)
            U[k] += W[k * m + fastest] * p;
    }
    fail();
}

static void phases(const drawn *d, const double *W, double *U, double *P)
{
    int             m = d->n - d->joints;
    double          b[MOST], z[MOST] = {0}, c[MOST] = {0}, u[MOST];
    void           *scratch = malloc(zn_lcp_scratch(m));
    zn_lcp_settings settings = {"enumerate", 0, 1e-14};
    zn_lcp_problem  problem = {m, 0, W, U};
    zn_lcp_info     info;
    CHECK_OK(zn_lcp_solve(&problem, &settings, c, u, scratch, &info));
    for (int k = 0; k < m; k++) {
        b[k] = U[k];
        for (int l = 0; l < m; l++)
            b[k] += (1 + d->e) * W[k * m + l] * c[l];
    }
    problem.b = b;
    CHECK_OK(zn_lcp_solve(&problem, &settings, z, u, scratch, &info));
    for (int k = 0; k < m; k++) {
        P[k] = (1 + d->e) * c[k] + z[k];
        U[k] = u[k];
    }
    free(scratch);
}

// --- random matrices ---------------------------------------------------------------------------------------------

// Targets, works and energy of one problem against impulses P and velocities U of the second program.
static double compare(const drawn *d, const bench *b, const double *U, const double *P, double e_tolerance)
{
    double energy = 0, excess = 0, worst = 0;
    for (int i = d->joints; i < d->n; i++) {
        int k = i - d->joints;
        worst = fmax(worst, fabs(b->law.target[i] - (P[k] > 1e-12 ? fmax(U[k], 0) : 0)));
        energy += 0.5 * P[k] * (d->U[i] + U[k]);
        excess += b->law.excess[i];
        assert_true(U[k] >= -1e-10 && P[k] >= 0);
        double along = 0.5 * P[k] * (d->U[i] + U[k]) - b->law.excess[i];
        assert_true(along <= e_tolerance); // no contact gives energy along the way
    }
    assert_true(energy <= 1e-11);
    CHECK_NEAR(excess, 0, 1e-8 * (1 - energy));
    return worst;
}

static void check_law(zn_impact_law law)
{
    bench    b = open_bench(law);
    uint64_t seed = 5;
    int      ended = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        drawn  d;
        double W[MOST * MOST], U[MOST], P[MOST];
        draw_problem(&seed, &d);
        point(&d);
        find(&b, &d);
        if (b.law.unfinished)
            continue;
        reduce(&d, W);
        memcpy(U, d.U + d.joints, sizeof *U * (size_t)(d.n - d.joints));
        (law == ZN_IMPACT_POISSON ? phases : hits)(&d, W, U, P);
        double size = 0;
        for (int k = 0; k < d.n - d.joints; k++)
            size = fmax(size, P[k]);
        assert_true(compare(&d, &b, U, P, 1e-9 * (1 + size)) <= 1e-9 * (1 + size));
        ended++;
    }
    assert_true(ended > TRIALS * 9 / 10);
    close_bench(&b);
}

static void test_poisson(void **state)
{
    (void)state;
    check_law(ZN_IMPACT_POISSON);
}

static void test_sequence(void **state)
{
    (void)state;
    check_law(ZN_IMPACT_SEQUENTIAL);
}

// --- many contacts: W sparse, a queue of them --------------------------------------------------------------------

// Two carts of `length` equal balls run into the ends of a row at rest, e = 1: as many leave on either side, and those
// in the middle stay. By rows of W with three entries.
static void test_long_row(void **state)
{
    (void)state;
    enum { BALLS = 201, CONTACTS = BALLS - 1, CART = 20 };
    bench          b = open_bench(ZN_IMPACT_SEQUENTIAL);
    static int     start[CONTACTS + 1], column[3 * CONTACTS];
    static double  value[3 * CONTACTS], e[CONTACTS], none[CONTACTS];
    static bool    joint[CONTACTS];
    zn_fc_matrix   W = {CONTACTS, CONTACTS, start, column, value};
    zn_solved      solved = {0};
    zn_contact_set set = {.count = CONTACTS,
                          .stride = 1,
                          .bilateral = joint,
                          .restitution = e,
                          .tangential_restitution = none,
                          .restitution_from = none,
                          .friction = none};
    CHECK_OK(zn_impact_reserve(&b.law, CONTACTS, 1));
    b.c.sparse = &W;
    zn_impact_begin(&b.law, &set);
    for (int i = 0; i < CONTACTS; i++) {
        e[i] = 1;
        start[i + 1] = start[i];
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < CONTACTS) {
                column[start[i + 1]] = j;
                value[start[i + 1]++] = j == i ? 2 : -1;
            }
        double before = i == CART - 1 || i == CONTACTS - CART ? -1 : 0;
        zn_impact_add(&b.law, &set, i, &before);
    }
    CHECK_OK(zn_impact_find(&b.law, &b.c, &set, 0, &solved));
    for (int i = 0; i < CONTACTS; i++)
        CHECK_NEAR(b.law.target[i], i == CART - 1 || i == CONTACTS - CART ? 1 : 0, 1e-12);
    assert_int_equal(b.law.unfinished, 0);
    print_message("%d hits\n", solved.iterations);
    close_bench(&b);
}

// --- friction ----------------------------------------------------------------------------------------------------

// A chain of bodies that touch, some of them long, on a floor or not, with random motions: spheres whose centres are
// not those of their bodies, so that friction acts on normals.
static zn_model *draw_chain(uint64_t *seed, double e, double mu)
{
    enum { BODIES = 5 };
    zn_model_def def = zn_model_def_default();
    zn_pairs_def pairs = zn_pairs_def_default();
    zn_model    *model = NULL;
    double       x = 0;
    static char  names[BODIES][8];
    const char  *between[BODIES + 1];
    def.planar = true;
    CHECK_OK(zn_model_create(&def, &model));
    for (int i = 0; i < BODIES; i++) {
        zn_body_def  body = zn_body_def_default();
        zn_shape_def shape = zn_shape_def_default();
        double       r[8], turn, length;
        random_fill(seed, 1, 8, r);
        turn = 0.9 * r[0], length = 0.05 + 0.04 * r[1];
        shape.radius = 0.06 + 0.03 * r[2];
        snprintf(names[i], sizeof names[i], "b%d", i);
        between[i] = body.name = shape.name = names[i];
        body.mass = 1 + 0.9 * r[3];
        body.inertia = 0.004 * body.mass * (1 + 0.8 * r[4]);
        x += i > 0 ? shape.radius : 0;
        body.position = zn_vec3_make(x - length * cos(turn), shape.radius - length * sin(turn), 0);
        x += shape.radius;
        body.angle = turn;
        body.velocity = zn_vec3_make(r[5], r[6], 0);
        body.spin = 10 * r[7];
        CHECK_OK(zn_model_add_body(model, &body, &shape.at.node));
        shape.at.at = zn_vec3_make(length, 0, 0);
        CHECK_OK(zn_model_add_shape(model, &shape));
    }
    zn_shape_def floor = zn_shape_def_default();
    floor.name = between[BODIES] = "floor";
    floor.kind = ZN_SHAPE_PLANE;
    floor.normal = zn_vec3_make(0, 1, 0);
    CHECK_OK(zn_model_add_shape(model, &floor));
    pairs.name = "touch";
    pairs.between = between;
    pairs.between_count = BODIES + 1;
    pairs.restitution = e;
    pairs.friction = mu;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model;
}

// Nothing but contacts acts: whatever the chain, its energy does not grow.
static void test_friction(void **state)
{
    (void)state;
    const char *const schemes[] = {"moreau_jean", "nsga", "cd_lagrange"};
    uint64_t          seed = 77;
    double            most = 0;
    for (int trial = 0; trial < 120; trial++) {
        zn_scheme_def def = scheme_named(schemes[trial % 3], 0.5);
        def.impact = trial % 2 ? ZN_IMPACT_SEQUENTIAL : ZN_IMPACT_POISSON;
        rig    r = rig_open(draw_chain(&seed, trial % 4 < 2 ? 1 : 0.7, trial % 5 < 3 ? 0.6 : 2), def);
        double before = energy_of(&r);
        rig_step(&r, 1e-9);
        most = fmax(most, energy_of(&r) / before - 1);
        rig_close(&r);
    }
    CHECK_BELOW(most, 1e-10); // turns within the step are below that
}

// --- restart -------------------------------------------------------------------------------------------------------

// A block on two corners that hops and rocks, with friction.
static zn_model *hopping(void)
{
    block_case c = paper_block();
    c.e = 0.8;
    c.y = 0.8;
    return block_model(c);
}

static void check_restart(const char *scheme, zn_impact_law law)
{
    enum { STEPS = 120, AT = 70 };
    zn_scheme_def def = scheme_named(scheme, 0.5);
    def.impact = law;
    rig     a = rig_open(hopping(), def), b = rig_open(hopping(), def);
    double *history = calloc((size_t)zn_scheme_history_size(a.scheme) + 1, sizeof *history);
    int     impacts = 0;
    for (int k = 0; k < STEPS; k++) {
        if (k == AT) {
            zn_scheme_history_save(a.scheme, history);
            CHECK_OK(zn_scheme_history_load(b.scheme, history, zn_scheme_history_size(a.scheme)));
            CHECK_OK(zn_state_copy(a.sys, a.state, b.state));
        }
        rig_step(&a, 5e-3);
        impacts += k >= AT && impulse_of(&a, 0) + impulse_of(&a, 1) > 0;
        if (k < AT)
            continue;
        rig_step(&b, 5e-3);
        check_same_state(a.sys, a.state, b.state);
    }
    assert_true(impacts > 1);
    free(history);
    rig_close(&a);
    rig_close(&b);
}

static void test_restart(void **state)
{
    (void)state;
    const char *const schemes[] = {"moreau_jean", "direct_projection", "combined_projection",
                                   "nsga",        "nsga_coupled",      "cd_lagrange"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        check_restart(schemes[i], ZN_IMPACT_POISSON);
        check_restart(schemes[i], ZN_IMPACT_SEQUENTIAL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poisson),  cmocka_unit_test(test_sequence), cmocka_unit_test(test_long_row),
        cmocka_unit_test(test_friction), cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
