// A compiled system is constant: two simulations of one system in two threads at a time give the bits of one alone. The
// test runs under ThreadSanitizer as well, which sees a write to the system even where the bits survive it.
#include <pthread.h>
#include <string.h>

#include "fixtures.h"
#include "restart_models.h"
#include "zn/io.h"

enum { STEPS = 24, THREADS = 2, MOST_THREADS = 3 };

// Enough elements to be shared among threads in themselves, pushed by a formula.
static const char large[] = HEAD
    "gravity: [0, 0, -9.81]\n"
    "parameters: {mu: 0.3}\n"
    "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
    "parts:\n"
    "  cube: {element: solid, material: soft, model: saint_venant_kirchhoff, velocity: [0.2, 0, -1], mass: lumped,\n"
    "    mesh: {box: {from: [0, 0, 0.0001], to: [0.17, 0.16, 0.16], elements: [17, 16, 16]}}}\n"
    "loads:\n"
    "  push: {body: 'cube[3]', force: ['1e-3*sin(300*t)', 0, 0]}\n"
    "contacts:\n"
    "  floor: {points: cube.zmin, surface: {plane: [0.03, 0.04, 1]}, restitution: 0.3, friction: mu}\n";

// A formula, and motion by another.
static const char driven[] =
    HEAD "planar: true\n"
         "parameters: {mu: 0.2}\n"
         "materials: {soft: {young: 1e6, poisson: 0.3, density: 1000}}\n"
         "parts:\n"
         "  rod: {element: bar, material: soft, area: 1e-4, from: [0, 0], to: [1, 0], elements: 24, mass: lumped, "
         "fixed: [y]}\n"
         "loads:\n"
         "  push: {body: 'rod[20]', force: ['5*sin(40*t) + 3*cos(70*t)', 0]}\n"
         "contacts:\n"
         "  wall: {point: 'rod[0]', surface: {plane: [1, 0], at: [-0.0001, 0]}, restitution: 0.3}\n";

// Boxes, hulls and capsules, turned any way, fall on each other in a corner and come to rest.
static const char heap[] =
    HEAD "gravity: [0, 0, -9.81]\n"
         "parameters: {mu: 0.3}\n"
         "bodies:\n"
         "  box: {repeat: {i: 0..5}, density: 1000, box: [0.2, 0.2, 0.2],\n"
         "    position: ['0.17 + 0.3*(i - 3*floor(i/3))', '0.17 + 0.3*floor(i/3)', 0.15], velocity: [0, 0, -1],\n"
         "    rotation: {axis: [1, 2, 3], angle: '0.3*sin(9*i)'}}\n"
         "  stone: {repeat: {i: 0..5}, density: 1000,\n"
         "    hull: {points: [[0.1, 0, 0], [-0.09, 0.02, 0], [0, 0.11, 0], [0.01, -0.1, 0.01], [0, 0, 0.1], [0, 0.01, "
         "-0.09]]},\n"
         "    position: ['0.17 + 0.3*(i - 3*floor(i/3))', '0.17 + 0.3*floor(i/3)', 0.39], velocity: [0, 0, -2],\n"
         "    rotation: {axis: [3, 1, 2], angle: '2*sin(7*i)'}}\n"
         "  pill: {repeat: {i: 0..5}, density: 1000, capsule: {radius: 0.07, length: 0.1},\n"
         "    position: ['0.17 + 0.3*(i - 3*floor(i/3))', '0.17 + 0.3*floor(i/3)', 0.63], velocity: [0, 0, -3],\n"
         "    rotation: {axis: [2, 3, 1], angle: '3*sin(5*i)'}}\n"
         "shapes: {floor: {plane: [0, 0, 1]}, west: {plane: [1, 0, 0]}, south: {plane: [0, 1, 0]}}\n"
         "contacts:\n"
         "  heap: {between: [box, stone, pill], friction: mu}\n"
         "  walls: {between: [box, stone, pill], against: [floor, west, south], friction: mu}\n";

// Four layers of 18 that fall onto each other: a search with more than a hundred candidates is shared among threads.
static const char layers[] = HEAD
    "gravity: [0, 0, -9.81]\n"
    "parameters: {mu: 0.3}\n"
    "bodies:\n"
    "  stone: {hull: {points: [[0.1, 0, 0], [-0.09, 0.02, 0], [0, 0.11, 0], [0.01, -0.1, 0.01], [0, 0, 0.1], [0, 0, "
    "-0.1]]},\n"
    "    repeat: {i: 0..17}, density: 1000, velocity: [0, 0, -1], rotation: {axis: [3, 1, 2], angle: '2*sin(7*i)'},\n"
    "    position: ['0.14 + 0.26*(i - 6*floor(i/6))', '0.14 + 0.26*floor(i/6)', 0.12]}\n"
    "  box: {box: [0.15, 0.14, 0.13],\n"
    "    repeat: {i: 0..17}, density: 1000, velocity: [0, 0, -2.5], rotation: {axis: [1, 2, 3], angle: '2*sin(7*i)'},\n"
    "    position: ['0.14 + 0.26*(i - 6*floor(i/6))', '0.14 + 0.26*floor(i/6)', 0.37]}\n"
    "  pill: {capsule: {radius: 0.06, length: 0.09},\n"
    "    repeat: {i: 0..17}, density: 1000, velocity: [0, 0, -4], rotation: {axis: [2, 3, 1], angle: '2*sin(7*i)'},\n"
    "    position: ['0.14 + 0.26*(i - 6*floor(i/6))', '0.14 + 0.26*floor(i/6)', 0.61]}\n"
    "  ball: {sphere: 0.1,\n"
    "    repeat: {i: 0..17}, density: 1000, velocity: [0, 0, -5.5], rotation: {axis: [1, 1, 1], angle: '2*sin(7*i)'},\n"
    "    position: ['0.14 + 0.26*(i - 6*floor(i/6))', '0.14 + 0.26*floor(i/6)', 0.83]}\n"
    "shapes: {floor: {plane: [0, 0, 1]}, west: {plane: [1, 0, 0]}, south: {plane: [0, 1, 0]}}\n"
    "contacts:\n"
    "  heap: {between: [box, stone, pill, ball], friction: mu}\n"
    "  walls: {between: [box, stone, pill, ball], against: [floor, west, south], friction: mu}\n";

typedef struct thread_case {
    const char *text, *scheme, *solver; // solver: of linear equations
    double      step;
    const char *fine;
    int         ratio, threads, steps;
    int         together;  // simulations; 0: THREADS
    int         contacts;  // that act at the end, at least
    double      tolerance; // of contact solvers; 0: the usual one
    bool        frozen_rows;
} thread_case;

// What one thread does: no assertion in it, these are of the main thread.
typedef struct job {
    const thread_case *c;
    const zn_system   *sys;
    pthread_barrier_t *barrier; // NULL: nobody else
    zn_status          status;
    int                steps;
    int                acting; // contacts of the last step
    uint64_t           mark[STEPS];
} job;

static uint64_t mark_of(uint64_t mark, const void *data, size_t size)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++)
        mark = (mark ^ byte[i]) * 1099511628211u;
    return mark;
}

static uint64_t mark_of_state(const zn_system *sys, const zn_state *state)
{
    zn_system_info        info = zn_system_get_info(sys);
    const zn_contact_set *set = state->contacts;
    uint64_t              mark = mark_of(14695981039346656037u, state->q, sizeof *state->q * (size_t)info.nq);
    mark = mark_of(mark, state->v, sizeof *state->v * (size_t)info.n_all);
    mark = mark_of(mark, set->gap, sizeof *set->gap * (size_t)set->count);
    mark = mark_of(mark, set->impulse, sizeof *set->impulse * (size_t)(set->count * set->stride));
    return mark_of(mark, &state->energy, sizeof state->energy);
}

static zn_status run_all(job *j, zn_sim **sim)
{
    const thread_case *c = j->c;
    zn_sim_def         def = zn_sim_def_default();
    def.scheme = scheme_named(c->scheme, 0.5);
    def.scheme.fine = c->fine;
    def.scheme.ratio = c->ratio;
    def.scheme.threads = c->threads;
    def.scheme.linear_solver = c->solver;
    def.scheme.frozen_rows = c->frozen_rows;
    if (c->tolerance > 0)
        def.scheme.solver_tolerance = c->tolerance;
    def.step = c->step;
    def.until = c->steps * c->step;
    ZN_TRY(zn_sim_create(j->sys, &def, sim));
    for (; j->steps < c->steps; j->steps++) {
        ZN_TRY(zn_sim_step(*sim));
        j->mark[j->steps] = mark_of_state(j->sys, zn_sim_state(*sim));
        j->acting = zn_sim_last_step(*sim)->active;
    }
    return ZN_OK;
}

static void *run_job(void *user)
{
    job    *j = user;
    zn_sim *sim = NULL;
    if (j->barrier)
        pthread_barrier_wait(j->barrier); // all begin at once, so that what is made at first is made at once, too
    j->status = run_all(j, &sim);
    zn_sim_destroy(sim);
    return NULL;
}

// A fresh system each time: what a system might make late is not there yet.
static void run_together(const thread_case *c, int threads, job *jobs)
{
    zn_problem       *problem = NULL;
    zn_system        *sys = NULL;
    pthread_t         thread[MOST_THREADS];
    pthread_barrier_t barrier;
    log_capture       messages = {0};
    if (zn_problem_parse(c->text, strlen(c->text), "threads.yaml", 0, NULL, log_into(&messages), &problem) != ZN_OK)
        fail_msg("%s", messages.text);
    CHECK_OK(zn_system_create(problem->model, &sys));
    pthread_barrier_init(&barrier, NULL, (unsigned)threads);
    for (int i = 0; i < threads; i++) {
        jobs[i] = (job){.c = c, .sys = sys, .barrier = threads > 1 ? &barrier : NULL};
        assert_int_equal(pthread_create(&thread[i], NULL, run_job, &jobs[i]), 0);
    }
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    pthread_barrier_destroy(&barrier);
    if (jobs[0].status != ZN_OK)
        print_error("%s: %s\n", c->scheme, messages.text);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

static void check_case(thread_case c)
{
    static job alone[1], together[MOST_THREADS];
    c.steps = c.steps > 0 ? c.steps : STEPS;
    run_together(&c, 1, alone);
    CHECK_OK(alone[0].status);
    assert_true(alone[0].acting >= c.contacts);
    int count = c.together > 0 ? c.together : THREADS;
    run_together(&c, count, together);
    for (int i = 0; i < count; i++) {
        CHECK_OK(together[i].status);
        assert_int_equal(together[i].steps, c.steps);
        for (int k = 0; k < c.steps; k++)
            if (together[i].mark[k] != alone[0].mark[k])
                fail_msg("%s: thread %d differs after step %d", c.scheme, i, k + 1);
    }
}

static void test_friction(void **state)
{
    (void)state;
    check_case((thread_case){.text = cube, .scheme = "moreau_jean", .step = 2e-4, .solver = "klu"});
    check_case((thread_case){.text = cube, .scheme = "nsga", .step = 2e-4});
    check_case((thread_case){.text = cube, .scheme = "combined_projection", .step = 2e-4, .steps = 20});
}

static void test_solids(void **state)
{
    (void)state;
    check_case((thread_case){.text = blocks, .scheme = "moreau_jean", .step = 2e-4});
    check_case((thread_case){.text = blocks, .scheme = "cd_lagrange", .step = 1e-4});
    check_case((thread_case){.text = cube, .scheme = "moreau_jean", .step = 2e-4, .solver = "mumps", .steps = 10});
    check_case((thread_case){.text = large, .scheme = "cd_lagrange", .step = 1e-5, .threads = 2, .steps = 4});
}

static void test_piles(void **state)
{
    (void)state;
    check_case((thread_case){.text = balls, .scheme = "moreau_jean", .step = 2e-3, .frozen_rows = true});
    check_case((thread_case){.text = balls, .scheme = "nsga", .step = 2e-3, .steps = 20});
}

static void test_heaps(void **state)
{
    (void)state;
    thread_case c = {
        .text = heap, .scheme = "moreau_jean", .step = 5e-3, .frozen_rows = true, .tolerance = 1e-4, .contacts = 40};
    for (c.together = 2; c.together <= MOST_THREADS; c.together++)
        check_case(c);
}

// Threads within a step: as many as are asked for, with the bits of one.
static void test_shared_search(void **state)
{
    (void)state;
    static job  one, many;
    thread_case c = {.text = layers,
                     .scheme = "moreau_jean",
                     .step = 4e-3,
                     .frozen_rows = true,
                     .tolerance = 1e-4,
                     .threads = 1,
                     .steps = STEPS};
    run_together(&c, 1, &one);
    CHECK_OK(one.status);
    if (one.acting <= 150)
        fail_msg("%d contacts", one.acting);
    for (c.threads = 2; c.threads <= MOST_THREADS; c.threads++) {
        run_together(&c, 1, &many);
        CHECK_OK(many.status);
        for (int k = 0; k < c.steps; k++)
            if (many.mark[k] != one.mark[k])
                fail_msg("%d threads differ after step %d", c.threads, k + 1);
    }
}

static void test_beams(void **state)
{
    (void)state;
    check_case((thread_case){.text = chain, .scheme = "moreau_jean", .step = 1e-3});
    check_case((thread_case){.text = chain, .scheme = "nsga", .step = 1e-3});
}

static void test_parts(void **state)
{
    (void)state;
    check_case((thread_case){.text = driven, .scheme = "multirate", .fine = "rod[0:8]", .ratio = 4, .step = 1e-3});
    check_case((thread_case){.text = driven, .scheme = "cd_lagrange", .step = 1e-3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_friction),      cmocka_unit_test(test_solids),
                                       cmocka_unit_test(test_piles),         cmocka_unit_test(test_heaps),
                                       cmocka_unit_test(test_shared_search), cmocka_unit_test(test_beams),
                                       cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
