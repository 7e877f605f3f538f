// Who meets whom, and by which law: names of shapes and bodies, joints, exceptions and materials in model files.
#include "check.h"

#include "model/contact/law.h"
#include "model/model.h"
#include "zn/io.h"

typedef struct capture {
    char text[4096];
    int  count;
} capture;

static void keep(void *user, zn_severity severity, const char *message)
{
    capture *c = user;
    (void)severity;
    size_t used = strlen(c->text);
    snprintf(c->text + used, sizeof c->text - used, "%s\n", message);
    c->count++;
}

static zn_status parse(const char *text, capture *c, zn_problem **out)
{
    *c = (capture){.count = 0};
    *out = NULL;
    return zn_problem_parse(text, strlen(text), "pairs.yaml", 0, NULL, (zn_log){.user = c, .write = keep}, out);
}

#define HEAD "zeno: 1\nplanar: true\nrun: {step: 1 ms, until: 1 s}\n"
// a chain of three discs, the first on the ground; a hat on the second; a free disc; ground
#define CHAIN                                                                                                          \
    "bodies:\n"                                                                                                        \
    "  a: {mass: 1, inertia: 1, sphere: 1, position: [3, 0]}\n"                                                        \
    "  b: {mass: 1, inertia: 1, sphere: 1, position: [6, 0]}\n"                                                        \
    "  c: {mass: 1, inertia: 1, sphere: 1, position: [9, 0]}\n"                                                        \
    "  f: {mass: 1, inertia: 1, sphere: 1, position: [12, 0]}\n"                                                       \
    "joints:\n"                                                                                                        \
    "  ground_a: {type: revolute, body: a, at: [-1, 0]}\n"                                                             \
    "  a_b: {type: revolute, body: a, at: [1, 0], to: b}\n"                                                            \
    "  b_c: {type: prismatic, body: b, to: c, axis: [1, 0], play: {radius: 0.1, length: 1}}\n"                         \
    "  c_f: {type: rod, body: c, to: f}\n"                                                                             \
    "shapes:\n"                                                                                                        \
    "  hat: {body: b, at: [0, 2], sphere: 0.5}\n"                                                                      \
    "  floor: {plane: [0, 1], at: [0, -9]}\n"                                                                          \
    "contacts:\n"

// The pairs of the last rule of the model that meet, as "a-hat a-c ...": by place of their names in the rule.
static void list_pairs(const zn_problem *problem, char *text, size_t size)
{
    const zn_shape_pairs *p = problem->model->rule[problem->model->rules - 1].parameter;
    text[0] = '\0';
    for (int i = 0; i < p->shapes; i++)
        for (int j = i + 1; j < p->shapes; j++) {
            assert_int_equal(zn_shape_pairs_wants(p, i, j), zn_shape_pairs_wants(p, j, i));
            size_t used = strlen(text);
            if (zn_shape_pairs_wants(p, i, j))
                snprintf(text + used, size - used, "%s%s-%s", used > 0 ? " " : "", p->shape[i].name, p->shape[j].name);
        }
}

static void test_who_meets(void **state)
{
    (void)state;
    const struct {
        const char *contact, *pairs;
    } cases[] = {
        // a is on the ground, a and b are hinged, b and c have play; a rod holds nothing
        {"k: {between: [all]}", "a-c a-f b-f b-floor c-f c-floor f-hat f-floor hat-floor"},
        {"k: {between: [all], joined: true}",
         "a-b a-c a-f a-hat a-floor b-c b-f b-floor c-f c-hat c-floor f-hat f-floor hat-floor"},
        {"k: {between: [b], against: [ground], joined: true}", "b-floor"}, // the shape, not the body
        {"k: {between: [a, c], against: [hat, f]}", "a-f c-f"},            // the hat is on b
        {"k: {between: [all], except: [[f, ground], [hat, all_but]]}", NULL},
        {"k: {between: [all], except: [[f, ground], [c, f], [floor, c], [hat, f]]}", "a-c a-f b-f b-floor hat-floor"},
        {"k: {between: [floor], against: [all], except: [[b, floor]]}", "c-floor f-floor hat-floor"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char        text[4096], found[1024];
        capture     log;
        zn_problem *problem;
        snprintf(text, sizeof text, HEAD CHAIN "  %s\n", cases[i].contact);
        zn_status status = parse(text, &log, &problem);
        if (!cases[i].pairs) {
            assert_int_not_equal(status, ZN_OK);
            continue;
        }
        if (status != ZN_OK)
            fail_msg("%s: %s", cases[i].contact, log.text);
        list_pairs(problem, found, sizeof found);
        assert_string_equal(found, cases[i].pairs);
        zn_problem_destroy(problem);
    }
}

// What a joint keeps from the ground is told; not when it is asked for, nor where there is no ground in the contact.
static void test_ground_is_told(void **state)
{
    (void)state;
    const struct {
        const char *contact;
        bool        told;
    } cases[] = {{"k: {between: [all]}", true},
                 {"k: {between: [a, floor]}", true}, // and then nothing is left
                 {"k: {between: [all], joined: true}", false},
                 {"k: {between: [a, f]}", false},
                 {"k: {between: [a, floor], against: [f]}", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char        text[4096];
        capture     log;
        zn_problem *problem;
        snprintf(text, sizeof text, HEAD CHAIN "  %s\n", cases[i].contact);
        parse(text, &log, &problem);
        if ((strstr(log.text, "a joint holds the body of 'a' to the ground") != NULL) != cases[i].told)
            fail_msg("%s: %s", cases[i].contact, log.text);
        zn_problem_destroy(problem);
    }
}

#define MATERIALS                                                                                                      \
    "materials:\n"                                                                                                     \
    "  steel-rubber: {friction: 0.9, restitution: 0.2, tangential_restitution: 0.1, restitution_from: 2 cm/s}\n"       \
    "  ice-rubber: {friction: 0.1}\n"                                                                                  \
    "  steel-steel: {restitution: 0.7}\n"                                                                              \
    "  beam: {young: 2e11, density: 7800}\n"
#define BALLS                                                                                                          \
    "bodies:\n"                                                                                                        \
    "  s: {mass: 1, inertia: 1, sphere: 1, material: steel}\n"                                                         \
    "  r: {mass: 1, inertia: 1, sphere: 1, material: rubber, position: [3, 0]}\n"                                      \
    "  i: {mass: 1, inertia: 1, sphere: 1, material: ice, position: [6, 0]}\n"                                         \
    "  n: {mass: 1, inertia: 1, sphere: 1, position: [9, 0]}\n"                                                        \
    "shapes:\n  floor: {plane: [0, 1], at: [0, -9], material: steel}\n"                                                \
    "contacts:\n"

static const zn_law *law_of(const zn_shape_pairs *p, const char *a, const char *b)
{
    int i = 0, j = 0;
    while (strcmp(p->shape[i].name, a) != 0)
        i++;
    while (strcmp(p->shape[j].name, b) != 0)
        j++;
    assert_memory_equal(zn_shape_pairs_law(p, i, j), zn_shape_pairs_law(p, j, i), sizeof(zn_law));
    return zn_shape_pairs_law(p, i, j);
}

static void test_laws(void **state)
{
    (void)state;
    const struct {
        const char *a, *b;
        zn_law      law;
    } cases[] = {{"s", "r", {0.2, 0.9, 0.1, 0.02, 0, 0}}, {"r", "floor", {0.2, 0.9, 0.1, 0.02, 0, 0}},
                 {"s", "floor", {0.7, 0, 0, 0, 0, 0}},    {"i", "r", {0, 0.1, 0, 0, 0, 0}},
                 {"s", "i", {0.5, 0.3, 0, 0.01, 0, 0}},   {"n", "floor", {0.5, 0.3, 0, 0.01, 0, 0}},
                 {"n", "r", {0.5, 0.3, 0, 0.01, 0, 0}}};
    zn_problem *problem;
    capture     log;
    zn_state   *start = NULL;
    zn_system  *sys = NULL;
    CHECK_OK(parse(HEAD MATERIALS BALLS
                   "  k: {between: [all], friction: 0.3, restitution: 0.5, restitution_from: 1 cm/s}\n",
                   &log, &problem));
    const zn_shape_pairs *p = problem->model->rule[0].parameter;
    assert_int_equal(problem->model->rule[0].rows, 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const zn_law *law = law_of(p, cases[i].a, cases[i].b);
        CHECK_NEAR(law->restitution, cases[i].law.restitution, 0);
        CHECK_NEAR(law->friction, cases[i].law.friction, 0);
        CHECK_NEAR(law->tangential_restitution, cases[i].law.tangential_restitution, 0);
        CHECK_NEAR(law->restitution_from, cases[i].law.restitution_from, 1e-18);
    }
    CHECK_OK(zn_system_create(problem->model, &sys)); // and so they reach the contact set
    CHECK_OK(zn_state_create(sys, &start));
    assert_int_equal(start->contacts->count, 10);
    const zn_law *first = zn_shape_pairs_law(p, 0, 1);
    CHECK_NEAR(start->contacts->restitution[0], first->restitution, 0);
    CHECK_NEAR(start->contacts->friction[0], first->friction, 0);
    CHECK_NEAR(start->contacts->restitution_from[0], first->restitution_from, 0);
    zn_state_destroy(start);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

static void test_faults(void **state)
{
    (void)state;
#define BAD(materials, balls, contact) HEAD "materials:\n" materials balls "  k: {" contact "}\n"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {HEAD CHAIN "  k: {between: [a, b]}\n",
         "k': its shapes have no pair that can meet: joints, which 'joined: true'"},
        {HEAD CHAIN "  k: {between: [hut]}\n", "there is no shape 'hut', did you mean 'hat'?"},
        {HEAD CHAIN "  k: {between: [all], except: [[hat, grund]]}\n", "'except': there is no shape 'grund'"},
        {HEAD CHAIN "  k: {between: [all], except: [hat, a]}\n", "'except': a pair is two names"},
        {HEAD CHAIN "  k: {between: [all], except: hat}\n", "'except' is a list of pairs"},
        {HEAD CHAIN "  k: {point: a, surface: {plane: [0, 1]}, joined: true}\n", "'joined' goes with 'between' only"},
        {HEAD CHAIN "  k: {between: [all], restitution_from: 1}\n", "'restitution_from' is nothing without"},
        {HEAD MATERIALS BALLS "  k: {between: [all]}\n", "'n' (no material) and 's' (steel) have no law"},
        {HEAD MATERIALS BALLS "  k: {between: [s, i]}\n", "'s' (steel) and 'i' (ice) have no law"},
        {BAD("  steel: {friction: 1}\n", BALLS, "between: [all]"), "are of a pair of materials, such as steel-rubber"},
        {BAD("  a-b-c: {friction: 1}\n", BALLS, "between: [all]"), "are of a pair of materials"},
        {BAD("  a-b: {friction: 1, young: 1}\n", BALLS, "between: [all]"), "'young' is of one material"},
        {BAD("  a-b: {friction: 1}\n  b-a: {friction: 1}\n", BALLS, "between: [all]"), "this pair has a law already"},
        {BAD("  steel-ruber: {friction: 1}\n  ice-steel: {friction: 1}\n", BALLS, "between: [all]"),
         "body 'r': 'material': 'materials' has no pair with 'rubber', did you mean 'ruber'?"},
        {HEAD MATERIALS "bodies:\n  s: {mass: 1, material: steel}\n", "which has none"},
        {HEAD MATERIALS "parts:\n  rod: {element: bar, from: [0, 0], to: [1, 0], elements: 1, area: 1, material: "
                        "steel-steel}\n",
         "there is no material 'steel-steel'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zn_problem *problem;
        capture     log;
        zn_status   status = parse(cases[i].text, &log, &problem);
        if (status == ZN_OK || !strstr(log.text, cases[i].message))
            fail_msg("case %d: '%s' instead of '%s'", (int)i, log.text, cases[i].message);
        assert_null(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_who_meets), cmocka_unit_test(test_ground_is_told),
                                       cmocka_unit_test(test_laws), cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
