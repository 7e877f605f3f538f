// Nodes that turn at will on the interface of multirate: two parts with equal steps are the whole, the copies of a node
// stay together for many turns, angular momentum, order. Balances, restart, failure and threads:
// test_multirate_curved.c.
#include "gallery_fixtures.h"
#include "multirate_models.h"
#include "multirate_spinners.h"
#include "scheme/multirate.h"
#include "system/system.h"

static gallery_rig open_text(const char *text, zn_scheme_def def)
{
    gallery_rig g = {0};
    char        all[1500];
    snprintf(all, sizeof all, "%srun: {step: 1, until: 1}\n", text);
    CHECK_OK(zn_problem_parse(all, strlen(all), "model.yaml", 0, NULL, (zn_log){gallery_print, NULL}, &g.problem));
    g.r = rig_open(g.problem->model, def);
    return g;
}

static double largest(int count, const double *a, const double *b)
{
    double worst = 0;
    for (int i = 0; i < count; i++)
        worst = fmax(worst, fabs(a[i] - (b ? b[i] : 0)));
    return worst;
}

// --- two parts are the whole -------------------------------------------------------------------------

static void check_whole(const char *text, const char *fine, double h, int steps, double bound)
{
    zn_scheme_def two = parts(fine, 1);
    two.coarse_explicit = true;
    gallery_rig    a = open_text(text, scheme_named("cd_lagrange", 0.5)), b = open_text(text, two);
    zn_system_info info = zn_system_get_info(a.r.sys);
    double         moved = 0, worst = 0;
    for (int k = 0; k < steps; k++) {
        rig_step(&a.r, h);
        rig_step(&b.r, h);
        worst = fmax(worst, largest(info.nq, a.r.state->q, b.r.state->q));
        moved = fmax(moved, largest(info.nq, a.r.state->q, a.r.sys->q0));
    }
    print_message("%s: %.1e\n", fine, worst);
    CHECK_BELOW(worst, bound);
    assert_true(moved > 0.5);
    gallery_close(&a);
    gallery_close(&b);
}

static void test_whole(void **test)
{
    (void)test;
    check_whole(spinner, "hub", 5e-5, 6000, 1e-12);
    check_whole(spinner, "hub, rope[0:2]", 5e-5, 6000, 1e-12);
    check_whole(spinner, "rope[3:6]", 5e-5, 6000, 1e-12);
}

// --- the copies of a node ----------------------------------------------------------------------------

// A scheme whose parts can be looked at.
typedef struct opened {
    gallery_rig g;
    multirate  *self;
} opened;

static opened open_parts(const char *text, int ratio, bool coarse_explicit)
{
    zn_scheme_def def = parts("rope[3:6]", ratio);
    void         *self = NULL;
    def.coarse_explicit = coarse_explicit;
    opened o = {.g = open_text(text, def)};
    CHECK_OK(zn_multirate_ops.create(&def, o.g.r.sys, &(zn_log){0}, &self));
    o.self = self;
    return o;
}

static void close_parts(opened *o)
{
    zn_multirate_ops.destroy(o->self);
    gallery_close(&o->g);
}

static void step_parts(opened *o, double h, bool held)
{
    multirate_part *c = &o->self->parts.part[COARSE];
    for (int i = 0; i < c->links && !held; i++)
        c->shift[i] = 0;
    CHECK_OK(zn_multirate_ops.step(o->self, o->g.r.state, h, &o->g.r.info));
    zn_multirate_ops.complete(o->self, o->g.r.state);
}

// Angle between the copies.
static double angle_of(const opened *o)
{
    const multirate_part *c = &o->self->parts.part[COARSE], *f = &o->self->parts.part[FINE];
    assert_int_equal(c->turns, 1);
    const double *a = f->state->q + c->turn[0].fine, *b = c->state->q + c->turn[0].coarse;
    return zn_vec3_norm(zn_so3_log(
        zn_quat_product(zn_quat_conjugate((zn_quat){a[0], a[1], a[2], a[3]}), (zn_quat){b[0], b[1], b[2], b[3]})));
}

static zn_vec3 angular_of(const opened *o)
{
    const zn_state *state = o->g.r.state;
    zn_vec3         p, l;
    double          scratch[200];
    assert_true(o->g.r.sys->info.n_all <= 200);
    CHECK_OK(zn_system_momentum(o->g.r.sys, (zn_at){state->q, state->v, state->t, 0}, -1, scratch, &p, &l));
    return l;
}

typedef struct flight {
    double early, late; // largest angle between the copies in both halves
    double drift;       // of the angular momentum since the moment has ended, of itself
} flight;

static flight fly(int ratio, bool coarse_explicit, double h, double until, bool held)
{
    opened  o = open_parts(twirl, ratio, coarse_explicit);
    flight  out = {0};
    zn_vec3 first = {0};
    int     steps = (int)lround(until / h);
    for (int k = 1; k <= steps; k++) {
        step_parts(&o, h, held);
        double t = k * h;
        if (!o.g.r.state->whole || t < 1 - 1e-9)
            continue;
        zn_vec3 now = angular_of(&o);
        first = zn_vec3_norm(first) == 0 ? now : first;
        out.drift = fmax(out.drift, zn_vec3_norm(zn_vec3_sub(now, first)) / zn_vec3_norm(first));
        double *worst = t < until / 2 ? &out.early : &out.late;
        *worst = fmax(*worst, angle_of(&o));
    }
    close_parts(&o);
    return out;
}

// Held, the angle between them does not grow; else it does. A momentum is kept to the order of the coarse step.
static void test_together(void **test)
{
    (void)test;
    for (int e = 0; e < 2; e++) {
        flight held = fly(3, e, 4e-4, 16, true), loose = fly(3, e, 4e-4, 16, false), half = fly(3, e, 2e-4, 4, true);
        print_message("angle %.1e, then %.1e; not held %.1e, %.1e; momentum %.1e, with half the step %.1e\n",
                      held.early, held.late, loose.early, loose.late, held.drift, half.drift);
        CHECK_BELOW(held.late, 1.05 * held.early);
        CHECK_BELOW(3 * held.late, loose.late);
        CHECK_BELOW(held.late, 2e-3);
        CHECK_BELOW(held.drift, 4e-3);
        CHECK_BELOW(half.drift, 2e-3);
    }
}

// --- order -------------------------------------------------------------------------------------------

static zn_vec3 tip_at(zn_scheme_def def, double h)
{
    gallery_rig g = open_text(twirl, def);
    for (int k = 0; k < (int)lround(0.6 / h); k++)
        rig_step(&g.r, h);
    const double *x = g.r.state->q + g.r.sys->layout.node[g.r.sys->layout.nodes - 1].q;
    zn_vec3       tip = {x[0], x[1], x[2]};
    gallery_close(&g);
    return tip;
}

// The coarse part feels the mass that the fine one has at the interface with the mean acceleration of its step: of
// first order, in the plane as in space. With one step for all it is the second order of the whole.
static void test_order(void **test)
{
    (void)test;
    zn_vec3 exact = tip_at(scheme_named("cd_lagrange", 0.5), 2e-5);
    for (int e = 0; e < 2; e++) {
        zn_scheme_def def = parts("rope[3:6]", 4);
        slope_fit     fit = {0};
        double        error = 0;
        def.coarse_explicit = e;
        for (int k = 0; k < 3; k++) {
            double h = 3e-4 / (1 << k);
            error = zn_vec3_norm(zn_vec3_sub(tip_at(def, h), exact));
            slope_add(&fit, h, error);
        }
        print_message("%s coarse part: order %.2f\n", e ? "explicit" : "implicit", slope_of(&fit));
        assert_true(slope_of(&fit) > 0.8 && slope_of(&fit) < 2.3);
        CHECK_BELOW(error, 5e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_together),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
