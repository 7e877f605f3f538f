// Energy from nowhere in the certificate: what contacts, projection and the scheme gave, by their own definitions; that
// healthy runs stay quiet; and that what is not measured is not shown as zero.
#include "parsed_run.h"

#include "system/contact_works.h"

static run begin(const char *text, const char *scheme, double limit)
{
    run r = parse_run(text);
    if (scheme != NULL)
        take_scheme(&r, scheme);
    r.problem->sim.limits.energy_created = limit;
    return start_run(r);
}

// A square plate in a square hole hardly wider than itself: Newton's law with e = 1 creates energy there.
#define CORNER(name, x, y)                                                                                             \
    "  " name "w: {point: p, at: [" x ", " y "], surface: {plane: [1, 0], through: [-0.402, 0]}, restitution: 1}\n"    \
    "  " name "e: {point: p, at: [" x ", " y "], surface: {plane: [-1, 0], through: [0.402, 0]}, restitution: 1}\n"    \
    "  " name "s: {point: p, at: [" x ", " y "], surface: {plane: [0, 1], through: [0, -0.402]}, restitution: 1}\n"    \
    "  " name "n: {point: p, at: [" x ", " y "], surface: {plane: [0, -1], through: [0, 0.402]}, restitution: 1}\n"
static const char slot[] =
    "zeno: 1\n"
    "planar: true\n"
    "bodies:\n"
    "  p: {mass: 2, inertia: 0.21, velocity: [2, 1.5], spin: 4}\n"
    "contacts:\n" CORNER("a", "-0.4", "-0.4") CORNER("b", "0.4", "-0.4") CORNER("c", "0.4", "0.4")
        CORNER("d", "-0.4", "0.4") "run: {scheme: moreau_jean, step: 1e-3, until: 0.5}\n";

static void test_slot(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "combined_projection"};
    for (int k = 0; k < 2; k++) {
        run                   r = begin(slot, schemes[k], NAN);
        const zn_certificate *c = zn_sim_certificate(r.sim);
        double                gave = 0, told = 0, most = 0, when = 0;
        zn_contact_id         who = zn_contact_id_none();
        CHECK_OK(zn_sim_step(r.sim));
        assert_false(zn_certificate_is_created(c)); // nothing has touched
        for (int i = 1; i < 800; i++) {
            const zn_step_info *s = zn_sim_last_step(r.sim);
            told = c->gave[ZN_LEDGER_CONTACT];
            CHECK_OK(zn_sim_step(r.sim));
            if (c->retries > 0)
                break; // steps in between are not seen here
            told = c->gave[ZN_LEDGER_CONTACT];
            if (s->contact_gave > most) {
                most = s->contact_gave;
                when = zn_sim_state(r.sim)->t;
                who = s->giver;
            }
            // what some groups gave is what all did and the others took
            assert_true(s->contact_gave >= s->ledger[ZN_LEDGER_CONTACT] - 1e-12 * c->energy_moved);
            assert_true(s->giver_gave <= s->contact_gave * (1 + 1e-15));
            gave += s->contact_gave;
        }
        CHECK_NEAR(told / gave, 1, 1e-12);
        assert_int_equal(c->created_line, ZN_LEDGER_CONTACT);
        if (c->retries == 0) {
            assert_true(zn_contact_id_same(c->energy_created.contact, who));
            CHECK_NEAR(c->energy_created.time, when, 1.5e-3);
        }
        assert_true(zn_certificate_is_created(c) && c->energy_created.value > ZN_CREATED_BY_CONTACTS);
        assert_true(c->energy_moved >= c->ledger[ZN_LEDGER_KINETIC]);
        assert_int_equal(judge(&r), 0);
        CHECK_LOGGED(&messages, "energy created: ");
        CHECK_LOGGED(&messages, zn_contact_name(r.sys, c->energy_created.contact));
        r.problem->sim.limits.energy_created = 0.5 * c->energy_created.value;
        assert_int_equal(judge(&r), 1);
        CHECK_LOGGED(&messages, "limit broken: energy created");
        r.problem->sim.limits.energy_created = 2 * c->energy_created.value;
        r.problem->sim.limits.reach = 2 * c->reach.value; // a plate that gained so much is put far, too
        assert_int_equal(judge(&r), 0);
        assert_int_equal(messages.count, 0); // who sets a limit knows
        end(&r);
    }
}

// A light ball that leaves the floor is pressed back onto it by a heavy one. Without restitution both are at rest then:
// the floor's work is positive, (M V - m u) u/2, that of the heavy ball takes more, and all energy is gone.
static void test_pressed_back(void **state)
{
    (void)state;
    static const char        text[] = "zeno: 1\n"
                                      "planar: true\n"
                                      "bodies:\n"
                                      "  a: {mass: 10, inertia: 1, position: [0, 0.011], velocity: [0, -20]}\n"
                                      "  b: {mass: 0.5, position: [0, 0.001], velocity: [0, 3]}\n"
                                      "contacts:\n"
                                      "  floor: {point: b, surface: {plane: [0, 1]}}\n"
                                      "  press: {point: b, surface: {body: a, plane: [0, -1]}}\n"
                                      "run: {scheme: nsga, step: 1e-3, until: 1e-3}\n";
    static const char *const schemes[] = {"nsga", "combined_projection"};
    const double             M = 10, V = 20, m = 0.5, u = 3, energy = (M * V * V + m * u * u) / 2;
    for (int k = 0; k < 2; k++) {
        run r = begin(text, schemes[k], NAN);
        CHECK_OK(zn_sim_run(r.sim));
        const zn_contact_set *set = zn_sim_state(r.sim)->contacts;
        const zn_step_info   *last = zn_sim_last_step(r.sim);
        CHECK_NEAR(set->impulse[0] * (set->approach[0] + set->velocity[0]) / 2, (M * V - m * u) * u / 2,
                   1e-12 * energy);
        CHECK_NEAR(last->ledger[ZN_LEDGER_CONTACT], -energy, 1e-12 * energy);
        assert_true(last->contact_gave == 0 && last->giver_gave == 0);
        assert_true(zn_sim_certificate(r.sim)->gave[ZN_LEDGER_CONTACT] == 0);
        end(&r);
    }
}

// What one group takes does not hide what another one gives; a joint that acts makes one of two.
static void test_groups(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\n"
                               "planar: true\n"
                               "bodies:\n"
                               "  a: {mass: 1, inertia: 1, position: [0, 1]}\n"
                               "  b: {mass: 1, inertia: 1, position: [0, 2]}\n"
                               "  c: {mass: 1, inertia: 1, position: [3, 1]}\n"
                               "contacts:\n"
                               "  under: {point: a, surface: {plane: [0, 1]}}\n"
                               "  between: {point: b, surface: {body: a, plane: [0, 1]}}\n"
                               "  left: {point: c, at: [-1, 0], surface: {plane: [0, 1]}}\n"
                               "  right: {point: c, at: [1, 0], surface: {plane: [0, 1]}}\n"
                               "joints: {tie: {type: rod, body: b, to: c}}\n"
                               "run: {scheme: moreau_jean, step: 1e-3, until: 1}\n";
    static const struct {
        const char *names[5];
        double      work[5], gave, most;
        const char *giver;
        double      beyond[5];
    } cases[] = {
        {{"under", "between", "left", "right"}, {3, -2, 0.5, -0.75}, 1, 1, "under", {0}},
        {{"under", "between", "left", "right", "tie"}, {3, -2, 0.5, -0.75, 9}, 0.75, 0.75, "under", {0}},
        {{"under", "left", "right"}, {-3, 0.25, 0.5}, 0.75, 0.75, "right", {0}},
        {{"under", "between", "left"}, {1, 2, 4}, 7, 4, "left", {0}},
        {{"under", "between", "left"}, {-1, -2, 2}, 2, 2, "left", {0}},
        {{"under", "between"}, {2, -2}, 0, 0, NULL, {0}},
        // what others take does not hide what is beyond a law, as far as it is worked; nor does it count twice
        {{"under", "between"}, {2, -2}, 1.5, 1.5, "under", {1.5, 0}},
        {{"under", "between"}, {2, -2}, 2, 2, "under", {2.5, -1}},
        {{"under", "between"}, {-1, -2}, 0, 0, NULL, {0.5, 0.25}},
        {{"under", "between"}, {1, 2}, 3, 3, "between", {1, 0.5}},
        {{"under", "between", "left", "right", "tie"}, {3, -2, 0.5, -2, 9}, 1.25, 1.25, "under", {1, 7, 0.25, 1, 9}},
    };
    run             r = begin(text, NULL, NAN);
    zn_contact_set *set = zn_sim_state(r.sim)->contacts;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        zn_contact_works_begin(set);
        for (int k = 0; k < 5 && cases[c].names[k]; k++)
            for (int i = 0; i < set->count; i++)
                if (strcmp(zn_contact_name(r.sys, set->id[i]), cases[c].names[k]) == 0)
                    zn_contact_works_add(set, i, cases[c].work[k], cases[c].beyond[k]);
        zn_contact_gifts gifts = zn_contact_works_sum(set, r.sys);
        assert_true(gifts.gave == cases[c].gave && gifts.most == cases[c].most);
        if (cases[c].giver)
            assert_string_equal(zn_contact_name(r.sys, set->id[gifts.giver]), cases[c].giver);
        else
            assert_int_equal(gifts.giver, -1);
    }
    end(&r);
}

// A rod that bounces with e = 1 in a room that slides: what its hits give is their own, however much the feet of the
// room, which are pushed by them, lose at once. With e = 1 and no friction a contact works P (U+ + G v_k)/2, and all of
// it is beyond the law.
#define WALL(name, end, normal, through)                                                                               \
    "  " name ": {point: rod, at: [" end ", 0], surface: {body: room, plane: " normal ", through: " through "}, "      \
    "restitution: 1}\n"
#define WALLS(name, end)                                                                                               \
    WALL(name "w", end, "[1, 0]", "[-0.505, 0]")                                                                       \
    WALL(name "e", end, "[-1, 0]", "[0.505, 0]")                                                                       \
    WALL(name "s", end, "[0, 1]", "[0, -0.505]") WALL(name "n", end, "[0, -1]", "[0, 0.505]")
static const char sliding[] =
    "zeno: 1\n"
    "planar: true\n"
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  room: {mass: 5, inertia: 50, velocity: [10, 0]}\n"
    "  rod: {mass: 1, inertia: 0.0833, velocity: [12, 1], spin: 6}\n"
    "contacts:\n"
    "  back: {point: room, at: [-5, -1], surface: {plane: [0, 1], through: [0, -1]}, friction: 0.5}\n"
    "  front: {point: room, at: [5, -1], surface: {plane: [0, 1], through: [0, -1]}, friction: 0.5}\n" WALLS(
        "a", "-0.5") WALLS("b", "0.5") "run: {scheme: moreau_jean, step: 1e-3, until: 0.3}\n";

static double work_with(const zn_contact_set *set, int i, const double *before)
{
    double work = 0;
    for (int k = i * set->stride; k < (i + 1) * set->stride; k++) {
        double sum = set->velocity[k];
        for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++)
            sum += set->row_value[e] * before[set->row_dof[e]];
        work += 0.5 * set->impulse[k] * sum;
    }
    return work;
}

static void test_hidden(void **state)
{
    (void)state;
    static const char *const schemes[] = {"moreau_jean", "nsga"};
    for (int k = 0; k < 2; k++) {
        run    r = begin(sliding, schemes[k], NAN);
        double own = 0, together = 0, before[6];
        while (zn_sim_state(r.sim)->t < 0.2995) {
            memcpy(before, zn_sim_state(r.sim)->v, sizeof before);
            CHECK_OK(zn_sim_step(r.sim));
            const zn_contact_set *set = zn_sim_state(r.sim)->contacts;
            const zn_step_info   *last = zn_sim_last_step(r.sim);
            double                sum = 0, gifts = 0;
            for (int i = 0; i < set->count; i++) {
                double work = work_with(set, i, before);
                sum += work;
                gifts += set->restitution[i] == 1 ? fmax(0, work) : 0;
            }
            CHECK_NEAR(last->contact_gave, fmax(gifts, sum), 1e-9);
            own += last->contact_gave;
            together += fmax(0, sum);
        }
        assert_int_equal(zn_sim_certificate(r.sim)->retries, 0);
        CHECK_NEAR(zn_sim_certificate(r.sim)->gave[ZN_LEDGER_CONTACT], own, 1e-12);
        assert_true(own > 0.02 && own > 2 * together);
        end(&r);
    }
}

// Impacts of schatzman_paoli take several steps. What they took does not hide what later ones give: a plate in a hole
// hardly wider than itself, while a stone loses 160 J.
static void test_hidden_later(void **state)
{
    (void)state;
    static const char text[] =
        "zeno: 1\n"
        "planar: true\n"
        "bodies:\n"
        "  p: {mass: 2, inertia: 0.21, velocity: [2, 1.5], spin: 4}\n"
        "  stone: {mass: 5, position: [5, 0.01], velocity: [0, -8]}\n"
        "contacts:\n"
        "  stop: {point: stone, surface: {plane: [0, 1]}}\n" CORNER("a", "-0.4", "-0.4") CORNER("b", "0.4", "-0.4")
            CORNER("c", "0.4", "0.4")
                CORNER("d", "-0.4", "0.4") "run: {scheme: schatzman_paoli, step: 1e-3, until: 0.5}\n";
    run                   r = begin(text, NULL, NAN);
    const zn_certificate *c = zn_sim_certificate(r.sim);
    double                start = 0, least = INFINITY, rise = 0; // kinetic energy while nothing touches
    while (zn_sim_state(r.sim)->t < 0.4995) {
        CHECK_OK(zn_sim_step(r.sim));
        const zn_step_info *last = zn_sim_last_step(r.sim);
        start = start > 0 ? start : last->ledger[ZN_LEDGER_KINETIC];
        if (last->active > 0)
            continue;
        least = fmin(least, last->ledger[ZN_LEDGER_KINETIC]);
        rise = fmax(rise, last->ledger[ZN_LEDGER_KINETIC] - least);
    }
    assert_true(c->ledger[ZN_LEDGER_KINETIC] < start);
    assert_true(rise > 10 && c->gave[ZN_LEDGER_CONTACT] >= rise * (1 - 1e-9));
    assert_true(zn_certificate_is_created(c));
    end(&r);
}

// A mass on an oblique spring, hitting a floor: the numerical line goes up and down.
static const char swing[] = "zeno: 1\n"
                            "planar: true\n"
                            "gravity: [0, -9.81]\n"
                            "bodies: {m: {mass: 1.3, position: [0.3, 0.8], velocity: [2.4, -0.2]}}\n"
                            "springs: {s: {from: ground, from_at: [-1, 1.7], to: m, stiffness: 40, rest_length: 1.2}}\n"
                            "contacts: {floor: {point: m, surface: {plane: [0, 1]}, restitution: 0.4}}\n"
                            "run: {scheme: combined_projection, step: 1e-2, until: 3}\n";

enum { STEPS = 300 };

// Largest rise of a line by its definition, and its largest size.
static void rise_of(const double *sum, int count, double *rise, double *size)
{
    *rise = *size = 0;
    for (int t = 0; t <= count; t++)
        for (int s = 0; s <= t; s++)
            *rise = fmax(*rise, sum[t] - sum[s]);
    for (int t = 0; t <= count; t++)
        *size = fmax(*size, fabs(sum[t]));
}

static void test_lines(void **state)
{
    (void)state;
    static const char *const    schemes[] = {"combined_projection", "direct_projection", "nsga", "moreau_jean"};
    static const zn_ledger_line lines[] = {ZN_LEDGER_PROJECTION, ZN_LEDGER_NUMERICAL};
    for (int k = 0; k < 4; k++) {
        run                   r = begin(swing, schemes[k], NAN);
        const zn_certificate *c = zn_sim_certificate(r.sim);
        double sum[2][STEPS + 1] = {{0}}, kinetic = 0, low = INFINITY, high = -INFINITY, rise[2], size[2];
        for (int i = 0; i <= STEPS; i++) {
            const zn_state *s = zn_sim_state(r.sim);
            kinetic = fmax(kinetic, s->energy.kinetic);
            low = fmin(low, s->energy.strain + s->energy.gravity);
            high = fmax(high, s->energy.strain + s->energy.gravity);
            if (i == STEPS)
                break;
            CHECK_OK(zn_sim_step(r.sim));
            for (int l = 0; l < 2; l++)
                sum[l][i + 1] = sum[l][i] + zn_sim_last_step(r.sim)->ledger[lines[l]];
        }
        assert_int_equal(c->retries, 0);
        CHECK_NEAR(c->energy_moved / (kinetic + high - low), 1, 1e-8);
        for (int l = 0; l < 2; l++) {
            rise_of(sum[l], STEPS, &rise[l], &size[l]);
            CHECK_NEAR(c->gave[lines[l]], rise[l], 1e-13 * c->energy_moved);
            CHECK_NEAR((l == 0 ? c->projection : c->numerical).value * c->energy_moved, size[l],
                       1e-13 * c->energy_moved);
        }
        assert_true(rise[1] > 1e-5 * c->energy_moved); // the test is about something
        CHECK_NEAR(c->energy_created.value * c->energy_moved, c->gave[ZN_LEDGER_CONTACT] + rise[0] + rise[1],
                   1e-13 * c->energy_moved);
        r.problem->sim.limits.numerical = 0.5 * c->numerical.value;
        assert_int_equal(judge(&r), 1);
        CHECK_LOGGED(&messages, "limit broken: numerical energy");
        end(&r);
    }
}

static void test_projection_limit(void **state)
{
    (void)state;
    run                   r = begin(swing, "combined_projection", NAN);
    const zn_certificate *c = zn_sim_certificate(r.sim);
    CHECK_OK(zn_sim_run(r.sim));
    assert_true(c->projection.value > 0 && c->projection.time > 0);
    r.problem->sim.limits.projection = 0.5 * c->projection.value;
    assert_int_equal(judge(&r), 1);
    CHECK_LOGGED(&messages, "limit broken: projection energy");
    end(&r);
}

// Nothing moves, on contacts or on a hinge: rounding over rounding is no alarm.
static void test_rest(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "zeno: 1\n"
        "planar: true\n"
        "gravity: [0.3, -9.81]\n"
        "bodies: {b: {mass: 7, inertia: 0.4, position: [0.3, 0.25]}}\n"
        "contacts:\n"
        "  l: {point: b, at: [-0.4, -0.25], surface: {plane: [0, 1]}, friction: 0.4, restitution: 0.3}\n"
        "  r: {point: b, at: [0.4, -0.25], surface: {plane: [0, 1]}, friction: 0.4, restitution: 0.3}\n"
        "run: {scheme: moreau_jean, step: 1e-3, until: 1}\n",
        "zeno: 1\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies: {door: {mass: 20, inertia: [1, 1, 2], position: [0.4, 0, 1]}}\n"
        "joints: {hinge: {type: revolute, body: door, at: [-0.4, 0, 0], axis: [0, 0, 1]}}\n"
        "run: {scheme: moreau_jean, step: 1e-3, until: 1}\n"};
    static const char *const schemes[] = {"moreau_jean", "combined_projection", "nsga"};
    for (int k = 0; k < 6; k++) {
        run r = begin(texts[k / 3], schemes[k % 3], NAN);
        CHECK_OK(zn_sim_run(r.sim));
        assert_true(zn_sim_certificate(r.sim)->energy_created.value < 1e-3);
        assert_int_equal(judge(&r), 0);
        assert_int_equal(messages.count, 0);
        end(&r);
    }
}

// --- what is not measured ------------------------------------------------------------------------

static const char ball[] = "zeno: 1\n"
                           "planar: true\n"
                           "gravity: [0, -9.81]\n"
                           "bodies: {b: {mass: 0.8, position: [0, 0.6]}}\n"
                           "contacts: {floor: {point: b, surface: {plane: [0, 1]}, restitution: 0.6}}\n"
                           "limits: {velocity: 1e-6}\n"
                           "run: {scheme: moreau_jean, step: 1e-3, until: 1}\n";

static void test_unmeasured(void **state)
{
    (void)state;
    run r = begin(ball, "schatzman_paoli", NAN);
    assert_int_equal(zn_sim_refuse_limits(r.sim), 1);
    CHECK_LOGGED(&messages, "limit: velocity violation is not measured by this scheme");
    CHECK_OK(zn_sim_run(r.sim));
    const zn_certificate *c = zn_sim_certificate(r.sim);
    assert_true(isnan(c->velocity.value) && isnan(c->coulomb_velocity.value) && isnan(c->coulomb_position.value));
    assert_true(c->penetration.value > 0);
    assert_false(zn_certificate_is_created(c)); // its impacts take several steps: only their sum tells
    assert_int_equal(judge(&r), 1);
    end(&r);
    r = begin(ball, "moreau_jean", NAN);
    assert_int_equal(zn_sim_refuse_limits(r.sim), 0);
    CHECK_OK(zn_sim_run(r.sim));
    assert_true(zn_sim_certificate(r.sim)->velocity.value <= 1e-12);
    end(&r);
    r = begin(ball, "nsga", NAN);
    assert_true(zn_sim_certificate(r.sim)->coulomb_velocity.value == 0); // measured, nothing yet
    end(&r);
}

// A block that comes down on its corners: q' - q - h (v' + v)/2 - G(q')' tau, recomputed from the states.
static void test_shift(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\n"
                               "planar: true\n"
                               "gravity: [0, -9.81]\n"
                               "bodies: {b: {mass: 1.4, inertia: 0.3, position: [0, 0.9], angle: 0.25, spin: 0.3}}\n"
                               "contacts:\n"
                               "  l: {point: b, at: [-0.45, -0.7], surface: {plane: [0, 1]}, restitution: 0.5}\n"
                               "  r: {point: b, at: [0.45, -0.7], surface: {plane: [0, 1]}, restitution: 0.5}\n"
                               "run: {scheme: {direct_projection: {gap_tolerance: 1e-5}}, step: 1e-2, until: 1}\n";
    run               r = begin(text, NULL, NAN);
    double            worst = 0, q[3], v[3];
    for (int i = 0; i < 100; i++) {
        const zn_state *s = zn_sim_state(r.sim);
        memcpy(q, s->q, sizeof q);
        memcpy(v, s->v, sizeof v);
        CHECK_OK(zn_sim_step(r.sim));
        const zn_contact_set *set = s->contacts;
        for (int k = 0; k < 3; k++) {
            double rest = s->q[k] - q[k] - 1e-2 * (s->v[k] + v[k]) / 2;
            for (int c = 0; c < set->count * set->stride; c++)
                for (int e = set->row_start[c]; e < set->row_start[c + 1]; e++)
                    rest -= set->row_dof[e] == k ? set->row_value[e] * set->projection[c] : 0;
            worst = fmax(worst, fabs(rest));
        }
    }
    assert_true(worst > 1e-12); // the test is about something
    CHECK_NEAR(zn_sim_certificate(r.sim)->shift.value, worst, 1e-14);
    assert_true(zn_sim_certificate(r.sim)->coulomb_velocity.value < 1e-10);
    end(&r);
    r = begin(text, "moreau_jean", NAN);
    assert_true(isnan(zn_sim_certificate(r.sim)->shift.value));
    end(&r);
}

// A pendulum in coarse steps: its joint does work, though nobody drives it. The same joint driven: that work is real.
static void test_joints(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\n"
                               "planar: true\n"
                               "gravity: [0, -9.81]\n"
                               "bodies:\n"
                               "  p: {mass: 1.2, inertia: 0.02, position: [0.3, 0], velocity: [0, 1.5], spin: 5}\n"
                               "joints:\n"
                               "  j: {type: revolute, body: p, at: [-0.3, 0]}\n%s"
                               "run: {scheme: moreau_jean, step: 1e-2, until: 1}\n";
    char              model[1024];
    for (int driven = 0; driven < 2; driven++) {
        snprintf(model, sizeof model, text, driven ? "  m: {type: motion, body: p, angle: 5*t + 2*t^2}\n" : "");
        run                   r = begin(model, "moreau_jean", NAN);
        const zn_certificate *c = zn_sim_certificate(r.sim);
        double                sum = 0, least = 0, rise = 0;
        for (int i = 0; i < 100; i++) {
            CHECK_OK(zn_sim_step(r.sim));
            sum += zn_sim_last_step(r.sim)->ledger[ZN_LEDGER_JOINT];
            least = fmin(least, sum);
            rise = fmax(rise, sum - least);
        }
        assert_true(rise > 1e-6 * c->energy_moved); // the test is about something
        CHECK_NEAR(c->gave[ZN_LEDGER_JOINT], driven ? 0 : rise, 1e-12 * c->energy_moved);
        if (!driven)
            assert_true(c->energy_created.value * c->energy_moved >= rise * (1 - 1e-12));
        end(&r);
    }
}

// A ledger that does not close is told, unless a limit says what is allowed.
static void test_closure(void **state)
{
    (void)state;
    run            r = begin(swing, NULL, NAN);
    zn_certificate c = *zn_sim_certificate(r.sim);
    zn_limits      limits = zn_limits_none();
    zn_log         log = log_into(&messages);
    log_capture_clear(&messages);
    assert_int_equal(zn_certificate_check(&c, &limits, r.sys, &log), 0);
    assert_int_equal(messages.count, 0);
    c.closure = (zn_worst){.value = 0.02, .time = 0.5, .contact = zn_contact_id_none()};
    assert_int_equal(zn_certificate_check(&c, &limits, r.sys, &log), 0);
    CHECK_LOGGED(&messages, "the energy ledger does not close: 0.02 of its changes in the step to t = 0.5 s");
    limits.closure = 0.1;
    log_capture_clear(&messages);
    assert_int_equal(zn_certificate_check(&c, &limits, r.sys, &log), 0);
    assert_int_equal(messages.count, 0);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_slot),
                                       cmocka_unit_test(test_pressed_back),
                                       cmocka_unit_test(test_groups),
                                       cmocka_unit_test(test_hidden),
                                       cmocka_unit_test(test_hidden_later),
                                       cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_projection_limit),
                                       cmocka_unit_test(test_rest),
                                       cmocka_unit_test(test_unmeasured),
                                       cmocka_unit_test(test_shift),
                                       cmocka_unit_test(test_joints),
                                       cmocka_unit_test(test_closure)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
