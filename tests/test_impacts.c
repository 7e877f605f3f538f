// Random impacts of blocks and rings in the plane by energy_momentum: every run ends, no step is repeated, energy (and
// what friction took), linear and angular momentum stay, neither body enters the other.
//
// Steps that are made to fail are halved, and keep all of it as well.
//
//   test_impacts                 20 impacts, short runs
//   test_impacts COUNT [STEPS]   so many
//   test_impacts --seed N [STEPS]  one of them, told step by step
#include "impacts/impact.h"

static int  impacts = 20, steps = 25, only = -1;
static bool hindered; // every step meets a failure somewhere

enum { HALVINGS = 8, MOST_ITERATIONS = 40 };

/// What all runs had.
static struct {
    int     faults, touched, with_friction;
    int64_t steps, in_contact, halved, newton[MOST_ITERATIONS + 1];
    double  energy, linear, angular, free_angular, depth;
} all;

typedef struct totals {
    double  energy, angular;
    zn_vec3 linear;
} totals;

static totals totals_of(const rig *r)
{
    static double scratch[1024];
    zn_at         at = {r->state->q, r->state->v, r->state->t, 0};
    zn_energy     e;
    zn_vec3       angular;
    totals        out;
    assert_true(r->sys->info.n_all <= 1024);
    CHECK_OK(zn_system_energy(r->sys, at, &e));
    CHECK_OK(zn_system_momentum(r->sys, at, -1, scratch, &out.linear, &angular));
    out.energy = e.kinetic + e.strain;
    out.angular = angular.z;
    return out;
}

static void fault(const impact *m, const char *cause, double value, double bound)
{
    all.faults++;
    if (all.faults < 50)
        print_error("    seed %llu: %s %.3g, at most %.3g\n", (unsigned long long)m->seed, cause, value, bound);
}

// --- one impact ----------------------------------------------------------------------------------

/// What a run keeps an account of.
typedef struct account {
    double friction;   ///< taken so far [J], <= 0
    double gave;       ///< most that friction gave in a step [J]
    int    in_contact; ///< steps
    int    newton;     ///< iterations of the last step, halves included
} account;

/// A step, in halves when it fails. Hindered ones fail at another evaluation each, where that ends the step.
static zn_status advance(rig *r, double h, int halvings, account *a)
{
    zn_fault_inject(hindered && halvings == HALVINGS ? 1 + (int)(all.steps * 7 % 80) : 0);
    zn_status status = zn_scheme_step(r->scheme, r->state, h, &r->info);
    zn_fault_inject(0);
    if (status == ZN_OK) {
        a->friction += r->info.ledger[ZN_LEDGER_FRICTION];
        a->gave = fmax(a->gave, r->info.ledger[ZN_LEDGER_FRICTION]);
        a->newton += r->info.newton_iterations;
        return ZN_OK;
    }
    if (halvings == 0)
        return status;
    all.halved++;
    status = advance(r, h / 2, halvings - 1, a);
    return status == ZN_OK ? advance(r, h / 2, halvings - 1, a) : status;
}

static double largest(double *worst, double value)
{
    *worst = fmax(*worst, value);
    return value;
}

/// How far a node of one body can come in a step as the other one sees it.
static double way_of(const impact *m)
{
    double fastest = 0;
    for (int k = 0; k < 2; k++)
        fastest += zn_vec3_norm(m->body[k].velocity) + fabs(m->body[k].spin) * radius_of(&m->body[k]);
    return fastest * m->step;
}

static void judge(const impact *m, const rig *r, const totals *first, const account *a, double depth)
{
    totals now = totals_of(r);
    double mass = first->energy / (m->speed * m->speed); // of its size
    double energy = largest(&all.energy, fabs(now.energy - a->friction - first->energy) / first->energy);
    double linear = zn_vec3_norm(zn_vec3_sub(now.linear, first->linear)) / (mass * m->speed);
    double angular = fabs(now.angular - first->angular) / (mass * m->speed * m->size);
    bool   free = m->friction == 0 || m->couple;
    largest(&all.linear, linear);
    largest(free ? &all.angular : &all.free_angular, angular);
    largest(&all.depth, depth / m->finest);
    if (!(energy <= 1e-10))
        fault(m, "energy", energy, 1e-10);
    if (!(linear <= 1e-10))
        fault(m, "momentum", linear, 1e-10);
    if (!(angular <= (free ? 1e-10 : 0.02)))
        fault(m, "angular momentum", angular, free ? 1e-10 : 0.02);
    if (!(depth <= way_of(m))) // a corner that comes around a corner is found when it is inside, and kept from going on
        fault(m, "depth", depth, way_of(m));
    if (!(a->gave <= 1e-12 * first->energy))
        fault(m, "friction gave", a->gave, 1e-12 * first->energy);
}

static void run_impact(const impact *m)
{
    rig     r = open_impact(m);
    rim     a = rim_nodes(&r, m, 0), b = rim_nodes(&r, m, 1);
    totals  first = totals_of(&r);
    account kept = {0};
    double  depth = 0;
    for (int k = 0; k < steps; k++) {
        int64_t halved = all.halved;
        kept.newton = 0;
        zn_status status = advance(&r, m->step, HALVINGS, &kept);
        all.steps++;
        if (status != ZN_OK || (all.halved > halved && !hindered))
            fault(m, status != ZN_OK ? "failed at step" : "halved step", k, 0);
        if (status != ZN_OK)
            break;
        if (r.info.active > 0) {
            kept.in_contact++;
            all.newton[kept.newton < MOST_ITERATIONS ? kept.newton : MOST_ITERATIONS]++;
        }
        depth = fmax(depth, deepest_node(&r, &a, &b));
        if (only >= 0)
            print_message("%3d active %d newton %d energy %.3e depth %.1e\n", k, r.info.active, kept.newton,
                          totals_of(&r).energy - kept.friction - first.energy, depth);
    }
    judge(m, &r, &first, &kept, depth);
    all.touched += kept.in_contact > 0;
    all.in_contact += kept.in_contact;
    all.with_friction += kept.friction < 0;
    rig_close(&r);
}

// --- many ----------------------------------------------------------------------------------------

static void print_newton(void)
{
    print_message("Newton iterations of a step with contact:\n");
    for (int k = 0; k <= MOST_ITERATIONS; k++)
        if (all.newton[k] > 0)
            print_message("  %2d%s %7lld\n", k, k == MOST_ITERATIONS ? "+" : " ", (long long)all.newton[k]);
}

static void test_impacts(void **state)
{
    (void)state;
    int from = only >= 0 ? only : 1, to = only >= 0 ? only : impacts;
    for (int k = from; k <= to; k++) {
        impact m = draw_impact((uint64_t)k);
        run_impact(&m);
    }
    print_message("seeds %d to %d: %lld steps, %lld in contact, %d runs touched, %d with friction work, halved %lld, "
                  "faults %d\n",
                  from, to, (long long)all.steps, (long long)all.in_contact, all.touched, all.with_friction,
                  (long long)all.halved, all.faults);
    print_message("worst: energy %.1e, momentum %.1e, angular momentum %.1e (with friction and no couple %.1e), depth "
                  "%.1e of an element\n",
                  all.energy, all.linear, all.angular, all.free_angular, all.depth);
    print_newton();
    assert_int_equal(all.faults, 0);
    if (only < 0)
        assert_true(all.touched >= 0.9 * impacts && all.with_friction >= 0.3 * impacts);
}

static void test_halved_steps(void **state)
{
    (void)state;
    memset(&all, 0, sizeof all);
    hindered = true;
    for (int k = 1; k <= 10; k++) {
        impact m = draw_impact((uint64_t)k);
        run_impact(&m);
    }
    hindered = false;
    print_message("%lld steps, %lld halved; worst: energy %.1e, momentum %.1e, angular momentum %.1e\n",
                  (long long)all.steps, (long long)all.halved, all.energy, all.linear, all.angular);
    assert_int_equal(all.faults, 0);
    assert_true(all.touched >= 9 && all.halved > all.steps / 5);
}

int main(int argc, char **argv)
{
    bool one = argc > 2 && strcmp(argv[1], "--seed") == 0;
    if (one)
        only = atoi(argv[2]);
    else if (argc > 1)
        impacts = atoi(argv[1]);
    if (argc > 1)
        steps = argc > 2 + one ? atoi(argv[2 + one]) : 100;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_impacts), cmocka_unit_test(test_halved_steps)};
    return only < 0 ? cmocka_run_group_tests(tests, NULL, NULL)
                    : cmocka_run_group_tests_name("one impact", (struct CMUnitTest[]){tests[0]}, NULL, NULL);
}
