// How far corrections of positions reach: against shifts that are given, in the certificate, and after a restart.
#include "parsed_run.h"

#include "base/array.h"
#include "scheme/far.h"
#include "sim/sim.h"

static run begin(const char *text) { return start_run(parse_run(text)); }

// --- shifts --------------------------------------------------------------------------------------

// Block b on block a on the floor; the centre of b is `aside` of the place where it stands.
static run stack(double aside)
{
    char text[600];
    snprintf(text, sizeof text,
             "zeno: 1\nplanar: true\n"
             "bodies: {a: {mass: 1, inertia: 1, position: [0, 0.5]}, b: {mass: 1, inertia: 1, position: [%g, 1.5]}}\n"
             "contacts: {floor: {point: a, at: [0, -0.5], surface: {plane: [0, 1]}},\n"
             "  between: {point: b, at: [%g, -0.5], surface: {body: a, at: [0, 0.5], plane: [0, 1]}}}\n"
             "run: {scheme: nsga, step: 0.01, until: 1}\n",
             -aside, aside);
    return begin(text);
}

typedef struct shift {
    double x, y, turn;
} shift;

static void put(const zn_system *sys, int node, shift s, double *out)
{
    const int *dof = sys->layout.node[node].dof;
    out[dof[0]] = s.x;
    out[dof[1]] = s.y;
    out[dof[5]] = s.turn;
}

enum { FLOOR = 1, BETWEEN = 2 };

// Reach of a correction that moves a and b, acts on some contacts and had these gaps to close (NULL: as rows tell).
static double reach(run r, shift a, shift b, int acts, const double *gap, double speed, const char **whose)
{
    zn_contact_set *set;
    double          x[6] = {0}, v[6] = {0}, room[12];
    CHECK_OK(zn_contact_set_create(r.sys, &set));
    CHECK_OK(zn_contact_set_refresh(set, r.sys, r.sys->q0, 0));
    assert_int_equal(set->count, 2);
    put(r.sys, 0, a, x);
    put(r.sys, 1, b, x);
    put(r.sys, 1, (shift){0, speed, 0}, v);
    for (int i = 0; i < 2; i++)
        set->projection[i * set->stride] = acts & (1 << i) ? 1 : 0;
    zn_correction c = {r.sys, set, x, 1e-12, room, room + 6};
    zn_way        way = {v, v, 0.01, 0.5};
    zn_reached    found;
    zn_correction_is_large(&c, &way, &found);
    if (gap)
        found = zn_correction_reach(&c, &way, gap);
    *whose = zn_contact_id_is_none(found.contact) ? "" : zn_contact_name(r.sys, found.contact);
    zn_contact_set_destroy(set);
    return found.ratio;
}

static void test_shifts(void **state)
{
    (void)state;
    run         r = stack(0);
    const char *whose;
    shift       down = {0, -1e-2, 0}, none = {0, 0, 0};
    // b alone is pushed out of a: what moves is what is corrected
    CHECK_NEAR(reach(r, none, down, BETWEEN, NULL, 0, &whose), 1, 1e-12);
    // both go where no gap between them tells
    CHECK_NEAR(reach(r, down, down, BETWEEN, (const double[]){0, 1e-3}, 0, &whose), 10, 1e-12);
    assert_string_equal(whose, "between");
    // the gap of the floor explains it, if the correction closes that gap
    CHECK_NEAR(reach(r, down, down, FLOOR | BETWEEN, (const double[]){1e-2, 0}, 0, &whose), 1, 1e-12);
    CHECK_NEAR(reach(r, down, down, BETWEEN, (const double[]){1e-2, 1e-3}, 0, &whose), 10, 1e-12);
    // rows alone do not tell of gaps elsewhere: that there is something to ask is all they say
    assert_true(reach(r, down, down, FLOOR | BETWEEN, NULL, 0, &whose) > 100);
    // a part (0.5) of the way of velocities in the step of 0.01 s needs no explanation
    CHECK_NEAR(reach(r, down, down, BETWEEN, (const double[]){0, 1e-4}, 1, &whose), 2, 1e-12);
    // neither does what is little of the model
    CHECK_NEAR(reach(r, down, down, BETWEEN, (const double[]){0, 0}, 0, &whose), 1e-2 / (ZN_LITTLE_WAY * r.sys->size),
               1e-9);
    // nothing acted; along the contact no normal goes anywhere
    assert_true(reach(r, down, down, 0, NULL, 0, &whose) == 0);
    assert_true(reach(r, (shift){1, 0, 0}, (shift){1, 0, 0}, BETWEEN, (const double[]){0, 0}, 0, &whose) == 0);
    end(&r);
}

// Points of contact tell how far things went, wherever the centre of the body is: b turns about the place where it
// stands and goes down with a.
static void test_frames(void **state)
{
    (void)state;
    const char  *whose;
    const double asides[] = {0, 3, -40};
    for (size_t i = 0; i < ZN_COUNT(asides); i++) {
        run          r = stack(asides[i]);
        const double gap[] = {0, 1e-3}, turn = 1e-2;
        shift        down = {0, -1e-2, 0}, b = {-0.5 * turn, -1e-2 - asides[i] * turn, turn};
        CHECK_NEAR(reach(r, down, b, BETWEEN, gap, 0, &whose), 10, 1e-11);
        end(&r);
    }
}

// What asks for the gaps themselves: motions that rows do not explain, or so long that rows turn.
static void test_large(void **state)
{
    (void)state;
    run r = stack(0);
    static const struct {
        shift  a, b;
        double speed;
        bool   large;
    } cases[] = {{{0, 0, 0}, {0, 1e-6, 0}, 0, false},
                 {{0, 0, 0}, {0, 1e-2, 0}, 0, true},
                 {{0, 0, 0}, {0, 1e-2, 0}, 2, false},
                 {{0, 1e-2, 0}, {0, 1e-2, 0}, 1, true}};
    for (size_t i = 0; i < ZN_COUNT(cases); i++) {
        zn_contact_set *set;
        double          x[6] = {0}, v[6] = {0}, room[12];
        CHECK_OK(zn_contact_set_create(r.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, r.sys, r.sys->q0, 0));
        put(r.sys, 0, cases[i].a, x);
        put(r.sys, 1, cases[i].b, x);
        put(r.sys, 1, (shift){0, cases[i].speed, 0}, v);
        set->projection[set->stride] = 1;
        zn_correction c = {r.sys, set, x, 1e-12, room, room + 6};
        zn_way        way = {v, v, 0.01, ZN_WAY_PART};
        zn_reached    found;
        assert_true(zn_correction_is_large(&c, &way, &found) == cases[i].large);
        zn_contact_set_destroy(set);
    }
    end(&r);
}

// --- certificate ---------------------------------------------------------------------------------

#define BALL(scheme, rest)                                                                                             \
    "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nbodies: {b: {mass: 1, position: [0, 1]}}\n"                           \
    "contacts: {floor: {point: b, surface: {plane: [0, 1]}, restitution: 0.5}}\n" rest "run: {scheme: " scheme         \
    ", step: 0.01, until: 1, checkpoint_every: 50}\n"

// A step that went too far warns; with a limit it breaks that.
static void test_warning(void **state)
{
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        run r = begin(limited ? BALL("nsga", "limits: {reach: 20}\n") : BALL("nsga", ""));
        for (int i = 0; i < 3; i++) {
            CHECK_OK(zn_sim_step(r.sim));
            r.sim->last.reach = i == 1 ? 9.9 : 1;
            r.sim->last.reach_contact = zn_sim_state(r.sim)->contacts->id[0];
            CHECK_OK(zn_certificate_account(r.sim, 0.01));
        }
        assert_int_equal(judge(&r), 0);
        assert_true(strstr(messages.text, "position correction") == NULL);
        r.sim->last.reach = 21.5;
        CHECK_OK(zn_certificate_account(r.sim, 0.01));
        assert_int_equal(judge(&r), limited);
        CHECK_LOGGED(&messages,
                     limited ? "limit broken: reach of projection 21.5 exceeds 20 at t = 0.03 s (contact 'floor')"
                             : "it moved the sides of 'floor' 21.5 times as far as the gaps that it closed");
        end(&r);
    }
}

static double reach_of_run(const char *text)
{
    run r = begin(text);
    CHECK_OK(zn_sim_run(r.sim));
    double reach = zn_sim_certificate(r.sim)->reach.value;
    end(&r);
    return reach;
}

// A ball is put onto the floor, by what it was inside; other schemes do not correct positions.
static void test_measured(void **state)
{
    (void)state;
    CHECK_NEAR(reach_of_run(BALL("nsga", "")), 1, 1e-9);
    CHECK_NEAR(reach_of_run(BALL("nsga_coupled", "")), 1, 1e-9);
    CHECK_NEAR(reach_of_run(BALL("combined_projection", "")), 1, 1e-9);
    CHECK_NEAR(reach_of_run(BALL("direct_projection", "")), 1, 1e-9);
    assert_true(isnan(reach_of_run(BALL("moreau_jean", ""))));
    assert_true(isnan(reach_of_run(BALL("schatzman_paoli", ""))));
}

typedef struct kept_bytes {
    void  *data;
    size_t size;
} kept_bytes;

static zn_status keep(void *user, double t, const void *data, size_t size)
{
    kept_bytes *k = user;
    (void)t;
    if (k->data)
        return ZN_OK;
    *k = (kept_bytes){malloc(size), size};
    memcpy(k->data, data, size);
    return ZN_OK;
}

// The largest one was before the checkpoint.
static void test_restart(void **state)
{
    (void)state;
    kept_bytes kept = {0};
    run        r = begin(BALL("combined_projection", ""));
    zn_sim    *sim = NULL;
    r.problem->sim.recorder = (zn_recorder){.user = &kept, .checkpoint = keep};
    zn_sim_destroy(r.sim);
    CHECK_OK(zn_sim_create(r.sys, &r.problem->sim, &r.sim));
    CHECK_OK(zn_sim_step(r.sim));
    r.sim->last.reach = 7;
    r.sim->last.reach_contact = zn_sim_state(r.sim)->contacts->id[0];
    CHECK_OK(zn_certificate_account(r.sim, 0.01));
    CHECK_OK(zn_sim_run(r.sim));
    CHECK_OK(zn_sim_create(r.sys, &r.problem->sim, &sim));
    CHECK_OK(zn_sim_restart(sim, kept.data, kept.size));
    CHECK_OK(zn_sim_run(sim));
    const zn_worst *a = &zn_sim_certificate(r.sim)->reach, *b = &zn_sim_certificate(sim)->reach;
    assert_true(a->value == 7 && b->value == 7 && a->time == 0.01 && b->time == 0.01);
    assert_true(zn_contact_id_same(a->contact, b->contact));
    zn_sim_destroy(sim);
    free(kept.data);
    end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shifts),  cmocka_unit_test(test_frames),   cmocka_unit_test(test_large),
        cmocka_unit_test(test_warning), cmocka_unit_test(test_measured), cmocka_unit_test(test_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
