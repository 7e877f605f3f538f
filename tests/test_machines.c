// All schemes on random small machines: laws, energy, agreement between schemes and with the same machine in other axes
// and units.
//
//   test_machines                40 machines and some that once were faults, short runs
//   test_machines COUNT [STEPS]  so many machines
//   test_machines --seed N [STEPS]  one of them, every check told; its model file goes to machines_failed/ when it
//   fails
#include "machines/judge.h"

#include "machines/travelling.h"
#include "machines/playing.h"

typedef struct family {
    const char *name;
    void (*draw)(machine *, uint64_t *);
} family;

static const family families[] = {
    {"flight", draw_flight},   {"chain", draw_chain},     {"flying chain", draw_flying_chain},
    {"rope", draw_rope},       {"rockers", draw_rockers}, {"driven", draw_driven},
    {"balls", draw_balls},     {"box", draw_box},         {"stack", draw_stack},
    {"column", draw_column},   {"table", draw_table},     {"ring", draw_ring},
    {"bearing", draw_bearing}, {"arm", draw_arm},         {"journal", draw_journal},
    {"wheel", draw_wheel},     {"stops", draw_stops},     {"drive", draw_drive},
    {"gears", draw_gears},     {"bush", draw_bush},       {"motor", draw_motor},
};

enum { FIRST = 14, FAMILIES = sizeof families / sizeof *families };

/// The first families have the blocks of 14 seeds that they had alone but two of five, so that seeds keep their
/// machines.
static const family *family_of(uint64_t seed)
{
    bool later = seed >= FIRST && seed / FIRST % 5 < 2;
    return &families[later ? FIRST + seed % (FAMILIES - FIRST) : seed % FIRST];
}

static machine draw_machine(uint64_t seed, int steps)
{
    machine       m = {.seed = seed};
    uint64_t      r = seed * 0x9e3779b97f4a7c15u + 1;
    const family *f = family_of(seed);
    image         turned = identity;
    for (int i = 0; i < 8; i++)
        draw(&r);
    m.family = f->name;
    m.planar = chance(&r, 0.5);
    m.gravity = times(-9.81, up_of(&m));
    m.step = scale(&r, 5e-4, 5e-3);
    m.steps = steps;
    m.shortest = 0.2;
    f->draw(&m, &r);
    turned.turn = any_turn(&r, m.planar);
    return m.world_motion ? m : machine_image(&turned, &m);
}

// --- one machine ---------------------------------------------------------------------------------

enum { MOST_SCHEMES = 16 };

/// What all schemes made of a machine, with its step and with half of it.
typedef struct trial {
    machine machine, fine;
    int     count;
    char    scheme[MOST_SCHEMES][48];
    motion  coarse[MOST_SCHEMES], half[MOST_SCHEMES];
} trial;

/// Restitution: the impact law with the rows of the end, under which energy cannot grow, in every other machine.
static void list_schemes(trial *t)
{
    for (int k = 0; k < zn_scheme_count(); k++) {
        const traits *s = traits_of(zn_scheme_name(k));
        bool          end = s->approach && t->machine.restitution > 0 && t->machine.seed / 14 % 2 == 0;
        if (takes(s, &t->machine))
            snprintf(t->scheme[t->count++], sizeof t->scheme[0], "%s%s", s->name, end ? ":approach=end" : "");
    }
}

static const traits *traits_at(const trial *t, int k)
{
    char name[48];
    snprintf(name, sizeof name, "%s", t->scheme[k]);
    name[strcspn(name, ":")] = 0;
    return traits_of(name);
}

static bool is_resolved(const trial *t, int k)
{
    return t->coarse[k].status == ZN_OK && is_fine(&t->machine, &t->coarse[k]);
}

/// Before anything touches all schemes follow the same smooth motion. With e = 0 and an outcome that does not hang on
/// the last digit they do so to the end, to the first order: impacts happen within a step.
static void judge_schemes(trial *t)
{
    const machine *m = &t->machine;
    bool           tame = m->restitution == 0 && !m->touchy && !m->ambiguous;
    for (int k = 1; k < t->count; k++) {
        int end = m->steps;
        if (!is_resolved(t, 0) || !is_resolved(t, k) || t->half[0].status != ZN_OK || t->half[k].status != ZN_OK)
            continue;
        end = t->coarse[0].touched < end ? t->coarse[0].touched : end;
        end = t->coarse[k].touched < end ? t->coarse[k].touched : end;
        judge_agreement(m, "smooth agreement", &t->coarse[k], &t->half[k], &t->coarse[0], &t->half[0], end, 0);
        if (touches(m) && tame && traits_at(t, k)->impacts)
            judge_agreement(m, "agreement", &t->coarse[k], &t->half[k], &t->coarse[0], &t->half[0], m->steps,
                            5 * m->step * fastest(m, &t->coarse[0]));
    }
}

/// One image of the machine by one scheme after the other.
static void judge_images(trial *t)
{
    static const char *const causes[] = {"turned", "mirrored", "units", "backwards"};
    const machine           *m = &t->machine;
    for (int k = 0; k < t->count; k++) {
        int           kind = (int)((t->machine.seed + (uint64_t)k) % 4);
        image         f = identity;
        uint64_t      r = t->machine.seed;
        const traits *s = traits_at(t, k);
        if (kind == 0)
            f.turn = any_turn(&r, m->planar);
        if (kind == 1)
            f.reflect = mirror;
        if (kind == 2)
            f.metre = 1000, f.kilogram = 1e-3;
        f.backwards = kind == 3;
        if ((kind == 0 && m->world_motion) || (kind == 2 && s->identity) || !is_resolved(t, k))
            continue;
        int     end = m->touchy || m->ambiguous ? t->coarse[k].touched : m->steps;
        machine other = machine_image(&f, m);
        motion  y = motion_of(&other, t->scheme[k], f.metre, f.backwards);
        judge_image(m, &f, &t->coarse[k], &y, end, causes[kind]);
        motion_end(&y);
    }
}

static trial trial_of(uint64_t seed, int steps)
{
    trial t = {.machine = draw_machine(seed, steps)};
    faults.now = &t.machine;
    t.fine = t.machine;
    t.fine.step /= 2;
    t.fine.steps *= 2;
    list_schemes(&t);
    return t;
}

static void judge_machine(uint64_t seed, int steps)
{
    static trial t;
    t = trial_of(seed, steps);
    faults.now = &t.machine;
    for (int k = 0; k < t.count; k++) {
        t.coarse[k] = motion_of(&t.machine, t.scheme[k], 1, false);
        t.half[k] = motion_of(&t.fine, t.scheme[k], 1, false);
        judge_run(&t.machine, traits_at(&t, k), &t.coarse[k]);
        faults.now = &t.fine;
        judge_run(&t.fine, traits_at(&t, k), &t.half[k]);
        faults.now = &t.machine;
        judge_created(&t.machine, traits_at(&t, k), &t.coarse[k], &t.half[k]);
    }
    judge_schemes(&t);
    judge_images(&t);
    for (int k = 0; k < t.count; k++) {
        motion_end(&t.coarse[k]);
        motion_end(&t.half[k]);
    }
}

// --- many ----------------------------------------------------------------------------------------

static int  machines = 40, steps = 30, only = -1;
static bool is_short = true;

// Beyond the first: machines that once were faults. A rope, an arm that may jam, spheres hit through their
// centres, springs between bodies that turn, a heavy pendulum in a light one.
static const int pinned[] = {115, 461, 616, 695, 978};

static void test_machines(void **state)
{
    (void)state;
    faults.talk = only >= 0;
    for (int k = only >= 0 ? only : 1; k <= (only >= 0 ? only : machines); k++)
        judge_machine((uint64_t)k, steps);
    for (size_t k = 0; k < sizeof pinned / sizeof *pinned && is_short; k++)
        judge_machine((uint64_t)pinned[k], steps);
    print_message("seeds %d to %d, %d steps, %ld checks, %d faults\n", only >= 0 ? only : 1,
                  only >= 0 ? only : machines, steps, faults.checks, faults.count);
    print_faults();
    assert_int_equal(faults.count, 0);
}

int main(int argc, char **argv)
{
    bool one = argc > 2 && strcmp(argv[1], "--seed") == 0;
    is_short = argc == 1;
    if (one)
        only = atoi(argv[2]);
    else if (argc > 1)
        machines = atoi(argv[1]);
    if (argc > 1)
        steps = argc > 2 + one ? atoi(argv[2 + one]) : 100;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
