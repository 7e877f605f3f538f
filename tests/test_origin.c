// Faults have an origin: whoever fills a model says where each object comes from, and is told so with each message
// about it, whatever its name and the message say.
#include "check.h"

#include "zn/io.h"

enum { MOST = 32 };

typedef struct messages {
    int  origin; // told last
    int  count;
    int  from[MOST];
    char text[MOST][256];
} messages;

static void remember(void *user, zn_severity severity, const char *message)
{
    messages *m = user;
    (void)severity;
    assert_true(m->count < MOST);
    m->from[m->count] = m->origin;
    snprintf(m->text[m->count++], sizeof m->text[0], "%s", message);
}

static void locate(void *user, int origin) { ((messages *)user)->origin = origin; }

static zn_model *create(messages *m, bool located)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    def.planar = true;
    def.log = (zn_log){remember, m};
    def.locate = located ? locate : NULL;
    CHECK_OK(zn_model_create(&def, &model));
    return model;
}

static zn_node_id add_node(zn_model *model, int origin, const char *name, double x)
{
    zn_node_def node = zn_node_def_default();
    zn_node_id  id = {0};
    node.name = name;
    node.kind = ZN_FRAME2;
    node.position.x = x;
    zn_model_set_origin(model, origin);
    CHECK_OK(zn_model_add_node(model, &node, &id));
    return id;
}

// A revolute joint between points that are 1 m apart.
static void add_bad_joint(zn_model *model, int origin, const char *name, zn_node_id a)
{
    zn_joint_def joint = zn_joint_def_default();
    joint.name = name;
    joint.kind = ZN_JOINT_REVOLUTE;
    joint.a.node = a;
    joint.b.at = (zn_vec3){1, 0, 0};
    zn_model_set_origin(model, origin);
    CHECK_OK(zn_model_add_joint(model, &joint));
}

// Names with quotes, names that are parts of others, names that another message quotes.
static const struct {
    int         origin;
    const char *name;
} nodes[] = {{3, "it's"}, {14, "it"}, {15, "s': node 'it"}, {9, "a"}, {2, "aa"}, {6, "node"}};
enum { NODES = sizeof nodes / sizeof *nodes };

static void test_nodes(void **state)
{
    (void)state;
    messages  m = {0};
    zn_model *model = create(&m, true);
    for (int i = 0; i < NODES; i++)
        add_node(model, nodes[i].origin, nodes[i].name, 0);
    zn_model_set_origin(model, 0);
    CHECK_STATUS(zn_model_validate(model), ZN_ERR_MODEL);
    assert_int_equal(m.count, NODES); // none of them has mass
    for (int i = 0; i < NODES; i++) {
        char begin[80];
        snprintf(begin, sizeof begin, "node '%s': ", nodes[i].name);
        assert_int_equal(strncmp(m.text[i], begin, strlen(begin)), 0);
        assert_int_equal(m.from[i], nodes[i].origin);
    }
    assert_int_equal(m.origin, 0); // what comes later is about something else
    zn_model_destroy(model);
}

static void test_joints(void **state)
{
    (void)state;
    messages    m = {0};
    zn_model   *model = create(&m, true);
    zn_body_def body = zn_body_def_default();
    zn_node_id  id;
    body.mass = 1;
    body.inertia = 1;
    body.name = "b";
    zn_model_set_origin(model, 41);
    CHECK_OK(zn_model_add_body(model, &body, &id));
    add_bad_joint(model, 42, "'b'", id);
    add_bad_joint(model, 43, "joint 'b", id);
    zn_model_set_origin(model, 0);
    CHECK_STATUS(zn_model_validate(model), ZN_ERR_MODEL);
    assert_int_equal(m.count, 2);
    assert_int_equal(m.from[0], 42);
    assert_int_equal(m.from[1], 43);
    assert_int_equal(m.origin, 0);
    zn_model_destroy(model);
}

// A fault of what is being added comes from there, also when it names another object.
static void test_adding(void **state)
{
    (void)state;
    messages      m = {0};
    zn_model     *model = create(&m, true);
    zn_spring_def spring = zn_spring_def_default();
    spring.from.node = add_node(model, 5, "near", 0);
    spring.to.node = add_node(model, 6, "far", 0);
    spring.name = "near";
    zn_model_set_origin(model, 7);
    CHECK_STATUS(zn_model_add_spring(model, &spring), ZN_ERR_MODEL); // no length
    assert_int_equal(m.from[0], 7);
    spring.to.at.x = 1;
    CHECK_STATUS(zn_model_add_spring(model, &spring), ZN_ERR_MODEL); // "the name 'near' is used twice"
    assert_int_equal(m.from[1], 7);
    zn_model_destroy(model);
}

static void test_nobody(void **state)
{
    (void)state;
    messages  m = {.origin = -1};
    zn_model *model = create(&m, false);
    add_node(model, 5, "n", 0);
    CHECK_STATUS(zn_model_validate(model), ZN_ERR_MODEL);
    assert_int_equal(m.count, 1);
    assert_int_equal(m.origin, -1);
    zn_model_destroy(model);
    m = (messages){.origin = -1};
    model = create(&m, true);
    CHECK_STATUS(zn_model_validate(model), ZN_ERR_MODEL); // nothing in it
    assert_int_equal(m.count, 1);
    assert_int_equal(m.from[0], 0);
    zn_model_destroy(model);
}

// --- files -----------------------------------------------------------------------------------------

// Faults that only the whole model shows: each at the line of its joint, in the order of the file.
static void test_file(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\nplanar: true\n"
                               "bodies: {a: {mass: 1, inertia: 1}}\n"
                               "springs: {jjj: {from: a, to: ground, to_at: [1, 0], stiffness: 1}}\n"
                               "joints:\n"
                               "  jj: {type: revolute, body: a, to_at: [1, 0]}\n"
                               "  j: {type: revolute, body: a, to_at: [2, 0]}\n"
                               "  joint: {type: revolute, body: a, to_at: [3, 0]}\n"
                               "run: {step: 0.1, until: 1}\n";
    messages          m = {0};
    zn_problem       *problem = NULL;
    CHECK_STATUS(zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, (zn_log){remember, &m}, &problem),
                 ZN_ERR_MODEL);
    assert_int_equal(m.count, 3);
    assert_int_equal(strncmp(m.text[0], "m.yaml:6:3: joint 'jj'", 22), 0);
    assert_int_equal(strncmp(m.text[1], "m.yaml:7:3: joint 'j'", 21), 0);
    assert_int_equal(strncmp(m.text[2], "m.yaml:8:3: joint 'joint'", 25), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodes), cmocka_unit_test(test_joints),
                                       cmocka_unit_test(test_adding), cmocka_unit_test(test_nobody),
                                       cmocka_unit_test(test_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
