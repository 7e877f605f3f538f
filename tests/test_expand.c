// Model files for machines: `repeat`, groups and include give the model that is written without them, to the last bit;
// what is in a group that is moved and turned moves as it does outside, moved and turned; faults name file, line, copy.
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/schema_table.h"
#include "system/system.h"
#include "zn/io.h"

// --- texts and runs --------------------------------------------------------------------------------

typedef struct messages {
    int  count;
    char text[32][512];
} messages;

static void remember(void *user, zn_severity severity, const char *message)
{
    messages *m = user;
    (void)severity;
    if (m->count < 32)
        snprintf(m->text[m->count++], sizeof m->text[0], "%s", message);
}

static zn_problem *read_model(const char *text)
{
    static messages m;
    zn_problem     *p = NULL;
    m.count = 0;
    if (zn_problem_parse(text, strlen(text), "m.yaml", 0, NULL, (zn_log){remember, &m}, &p) != ZN_OK)
        fail_msg("refused: %s", m.count > 0 ? m.text[0] : "without a message");
    return p;
}

// A text that is put together.
typedef struct book {
    size_t length;
    char   text[1 << 16];
} book;

static void add(book *b, const char *format, ...) ZN_PRINTF(2, 3);

static void add(book *b, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    b->length += (size_t)vsnprintf(b->text + b->length, sizeof b->text - b->length, format, arguments);
    va_end(arguments);
    assert_true(b->length < sizeof b->text);
}

// A run from beginning to end; its final state is in sim.
typedef struct outcome {
    zn_problem *problem;
    zn_system  *sys;
    zn_sim     *sim;
} outcome;

// `steps` 0: all of them.
static outcome run_model(const char *text, int steps)
{
    outcome o = {.problem = read_model(text)};
    CHECK_OK(zn_system_create(o.problem->model, &o.sys));
    zn_sim_def def = o.problem->sim;
    def.until = steps > 0 ? steps * def.step : def.until;
    CHECK_OK(zn_sim_def_resolve(o.sys, &def));
    CHECK_OK(zn_sim_create(o.sys, &def, &o.sim));
    CHECK_OK(zn_sim_run(o.sim));
    return o;
}

static void close_run(outcome *o)
{
    zn_sim_destroy(o->sim);
    zn_system_destroy(o->sys);
    zn_problem_destroy(o->problem);
}

static void check_equal_bits(const char *short_text, const char *long_text, int steps)
{
    outcome        a = run_model(short_text, steps), b = run_model(long_text, steps);
    zn_system_info i = zn_system_get_info(a.sys), j = zn_system_get_info(b.sys);
    assert_int_equal(i.nq, j.nq);
    assert_int_equal(i.n_all, j.n_all);
    assert_memory_equal(zn_sim_state(a.sim)->q, zn_sim_state(b.sim)->q, sizeof(double) * (size_t)i.nq);
    assert_memory_equal(zn_sim_state(a.sim)->v, zn_sim_state(b.sim)->v, sizeof(double) * (size_t)i.n_all);
    const double *v = zn_sim_state(a.sim)->v;
    double        moved = 0;
    for (int k = 0; k < i.n_all; k++)
        moved = fmax(moved, fabs(v[k]));
    assert_true(moved > 1e-3); // otherwise nothing was compared
    close_run(&a);
    close_run(&b);
}

// The models of examples/machines as they are written without their short forms.
static char *example(const char *name)
{
    char   path[512];
    size_t size = 1 << 16;
    char  *text = calloc(size, 1);
    snprintf(path, sizeof path, "%s/examples/machines/%s.yaml", ZN_SOURCE_DIR, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(text);
    assert_true(fread(text, 1, size - 1, file) > 0);
    fclose(file);
    return text;
}

static void test_chain(void **state)
{
    (void)state;
    static book b;
    b.length = 0;
    char *text = example("chain");
    add(&b, "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < 30; i++)
        add(&b, "  k%d: {mass: 0.1, inertia: 0.1*0.05^2/12, position: [0.05*%d + 0.05/2, 0]}\n", i, i);
    add(&b, "joints:\n  hook: {type: revolute, body: k0, at: [-0.05/2, 0]}\n");
    for (int i = 0; i < 29; i++)
        add(&b, "  p%d: {type: revolute, body: k%d, at: [-0.05/2, 0], to: k%d}\n", i, i + 1, i);
    add(&b, "run: {step: 1 ms, until: 0.2 s}\n");
    check_equal_bits(text, b.text, 10);
    free(text);
}

static void test_stack(void **state)
{
    (void)state;
    static book b;
    b.length = 0;
    char *text = example("stack");
    add(&b, "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nbodies:\n");
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= 5 - i; j++)
            add(&b,
                "  ball%d%d: {mass: 0.1, inertia: 0.1*0.02^2/2, sphere: 0.02, position: [2.02*0.02*(%d + %d/2), "
                "0.02 + 1.8*0.02*%d]}\n",
                i, j, j, i, i);
    add(&b, "shapes: {floor: {plane: [0, 1]}}\ncontacts:\n  balls: {friction: 0.3, between: [");
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= 5 - i; j++)
            add(&b, "ball%d%d, ", i, j);
    add(&b, "floor]}\nrun: {step: 1 ms, until: 0.1 s}\n");
    check_equal_bits(text, b.text, 12);
    free(text);
}

static void test_teeth(void **state)
{
    (void)state;
    static book b;
    b.length = 0;
    char *text = example("teeth");
    add(&b,
        "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nbodies:\n"
        "  pawl: {mass: 0.2, inertia: 1e-4, position: [0.02, 0.02], velocity: [0.4, 0]}\n"
        "springs: {press: {from: ground, from_at: [0.02, 0.2], to: pawl, stiffness: 20, damping: 0.1}}\ncontacts:\n");
    for (int i = 0; i < 12; i++)
        add(&b, "  tooth%d: {point: pawl, radius: 0.004, friction: 0.1, surface: {at: [0.01*%d, 0], circle: 0.005}}\n",
            i, i);
    add(&b, "run: {step: 0.1 ms, until: 0.2 s}\n");
    check_equal_bits(text, b.text, 500);
    free(text);
}

// Indices of parts and of their nodes; `repeat` beside an old name with an index; names of names.
static void test_names(void **state)
{
    (void)state;
    zn_problem *p =
        read_model("zeno: 1\n"
                   "planar: true\n"
                   "parameters: {N: 3}\n"
                   "materials: {steel: {young: 1e9, density: 1e3}}\n"
                   "parts:\n"
                   "  rod: {element: bar, material: steel, area: 1e-4, from: [0, 1], to: [1, 1], elements: N}\n"
                   "  rope: {repeat: {i: 0..1, j: 0..N-1}, element: bar, material: steel, area: 1e-4,\n"
                   "         from: [i, j], to: [i + 1, j], elements: 2}\n"
                   "springs:\n"
                   "  s: {repeat: {i: 0..N-2}, from: 'rope[0][i][2]', to: 'rope[1][i + 1][N - 1]', stiffness: 1}\n"
                   "  tie: {from: 'rod[N - 1]', to: 'rope[1][N - 1][0]', stiffness: 1}\n"
                   "record: {a: 'rope[1][2][1].position', b: 'rod[3].position.x'}\n"
                   "run: {step: 1e-3, until: 1}\n");
    assert_true(zn_model_find_node(p->model, "rope[1][2][2]").value > 0);
    assert_true(zn_model_find_node(p->model, "rod[3]").value > 0);
    assert_int_equal(zn_model_find_node(p->model, "rope[2][0][0]").value, 0);
    assert_true(zn_model_has_name(p->model, "s[1]") && !zn_model_has_name(p->model, "s[2]"));
    zn_problem_destroy(p);
}

// --- groups ----------------------------------------------------------------------------------------

// A machine of all sections, in its own axes; indented to stand at the top or in a group.
static void add_planar(book *b, const char *indent)
{
    static const char *const lines[] = {
        "bodies:",
        "  point: {mass: 1, position: [0.3, 0.2], velocity: [0.1, 0.4]}",
        "  hub: {mass: 2, inertia: 0.1}",
        "  arm: {mass: 1, inertia: 0.02, position: [0.5, 0], angle: 10 deg, velocity: [0, 0.5], spin: 0.4}",
        "  slider: {mass: 1, inertia: 0.02, position: [1, 0.5], angle: 0.2, velocity: [0.2, 0]}",
        "  ball: {mass: 0.3, inertia: 1e-3, sphere: 0.1, position: [2, 0.41], velocity: [0.1, -1]}",
        "  held: {mass: 1, inertia: 1, fixed: [x, y], spin: 1}",
        "materials: {rubber: {young: 1e6, density: 1e3}}",
        "parts:",
        "  beam: {element: beam, material: rubber, section: {width: 0.02, height: 0.03}, from: [0, -1], to: [1, -1.2], "
        "elements: 3, velocity: [0, 0.3], fix_first: [x, y, rotation]}",
        "  curve: {element: beam, material: rubber, section: {radius: 0.02}, from: [0, 2], arc: {radius: 0.5, angle: "
        "1, tangent: [1, 0.2]}, elements: 2}",
        "  sheet: {element: solid, material: rubber, mesh: {rectangle: {from: [3, 0], to: [3.4, 0.2], elements: [2, "
        "1]}}, angle: 0.1, velocity: [0.1, 0], model: saint_venant_kirchhoff}",
        "springs:",
        "  s: {from: ground, from_at: [0.1, 0.7], to: arm, to_at: [0.1, 0.05], stiffness: 30, damping: 0.2, "
        "rest_length: 0.3}",
        "  u: {from: point, to: hub, stiffness: 10}",
        "joints:",
        "  pin: {type: revolute, body: arm, at: [-0.5, 0], to: ground}",
        "  guide: {type: prismatic, body: slider, to: ground, to_at: [1, 0.5], axis: [1, 0.3]}",
        "  rod: {type: rod, body: hub, at: [0, 0.2]}",
        "loads:",
        "  push: {body: slider, force: ['2*cos(3*t) N', '-1 + t'], torque: 0.01}",
        "  wind: {acceleration: [0.3, '0.2*t'], on: [point, beam]}",
        "shapes: {floor: {plane: [0.1, 1], at: [0, 0.2]}, block: {box: [0.2, 0.1], at: [2.2, 0.3], angle: 0.3}}",
        "contacts:",
        "  drop: {between: [ball, floor, block], friction: 0.3, restitution: 0.5}",
        "  rest: {point: point, restitution: 0.2, friction: 0.1, surface: {plane: [0, 1], at: [0, 0.1], bounded: "
        "{length: 2}}}",
        "  inside: {point: arm, at: [0.5, 0], surface: {hole: 2, at: [1, 0]}}",
        "  track: {point: slider, surface: {slot: {axis: [1, 0.3], width: 0.5}, at: [1, 0.5]}}",
        "  on: {point: point, radius: 0.01, surface: {body: arm, plane: [0, 1], at: [0, 0.02]}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        add(b, "%s%s\n", indent, lines[i]);
}

static void add_spatial(book *b, const char *indent)
{
    static const char *const lines[] = {
        "bodies:",
        "  point: {mass: 1, position: [0.3, 0.2, 1], velocity: [0.1, 0.4, 0.2]}",
        "  top: {mass: 1, inertia: [0.02, 0.03, 0.04], rotation: {axis: [1, 1, 0], angle: 0.4}, velocity: [0, 0.5, 0], "
        "spin: [0.4, 3, 1]}",
        "  box: {mass: 1, inertia: [0.1, 0.1, 0.1], position: [1, 0, 1], corners: {box: [0.2, 0.2, 0.1]}}",
        "  ball: {mass: 0.3, inertia: 1e-3, sphere: 0.1, position: [2, 0, 0.41], velocity: [0.1, 0.2, -1]}",
        "materials: {rubber: {young: 1e6, density: 1e3, poisson: 0.3}}",
        "parts:",
        "  beam: {element: beam, material: rubber, section: {width: 0.02, height: 0.05}, from: [0, -1, 0], to: [1, "
        "-1.2, "
        "0.3], elements: 2, velocity: [0, 0.3, 0.2], fix_first: [x, y, z, rotation]}",
        "  pole: {element: beam, material: rubber, section: {width: 0.02, height: 0.05}, from: [5, 0, 1], to: [5, 0, "
        "0], "
        "elements: 2, fix_first: [x, y, z, rotation], velocity: [0.2, 0.1, 0]}",
        "  lump: {element: solid, material: rubber, mesh: {box: {from: [3, 0, 0], to: [3.4, 0.2, 0.1], elements: [1, "
        "1, "
        "1]}}, rotation: {axis: [0, 0, 1], angle: 0.2}, velocity: [0.1, 0, 0.3], fix: {xmin: [x, y, z]}}",
        "springs: {s: {from: ground, from_at: [0.1, 0.7, 0], to: top, to_at: [0.1, 0.05, 0], stiffness: 30}}",
        "joints:",
        "  pin: {type: revolute, body: box, at: [-0.5, 0, 0], axis: [0, 1, 0.2]}",
        "  rod: {type: rod, body: top, at: [0, 0.2, 0.1]}",
        "loads:",
        "  push: {body: top, at: [0.1, 0, 0], force: ['2*cos(3*t)', 1, t]}",
        "  turn: {body: top, moment: [0.1, '0.1*t', 0.3]}",
        "  follow: {body: top, moment: [0.1, 0.2, 0], follower: true}",
        "shapes: {floor: {plane: [0.1, 0, 1], at: [0, 0, 0.2]}, block: {box: [0.2, 0.1, 0.2], at: [2.2, 0, 0.3], "
        "rotation: {axis: [0, 1, 0], angle: 0.3}}}",
        "contacts:",
        "  drop: {between: [ball, floor, block], friction: 0.3}",
        "  rest: {point: point, friction: 0.1, surface: {plane: [0, 0, 1], at: [0, 0, 0.9], bounded: {length: 2, "
        "breadth: "
        "1, along: [1, 0.2, 0]}}}",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        add(b, "%s%s\n", indent, lines[i]);
}

// Position or velocity of a node.
static zn_vec3 vector_of(const outcome *o, const char *name, bool velocity)
{
    zn_node_id id = zn_model_find_node(o->problem->model, name);
    assert_true(id.value > 0);
    const zn_layout_node *n = &o->sys->layout.node[id.value - 1];
    const zn_state       *s = zn_sim_state(o->sim);
    double                x[3] = {n->origin.x, n->origin.y, n->origin.z};
    for (int i = 0; i < (zn_system_get_info(o->sys).planar ? 2 : 3); i++)
        x[i] = velocity ? s->v[n->dof[i]] : x[i] + s->q[n->q + i];
    return zn_vec3_make(x[0], x[1], x[2]);
}

// Names of the nodes of interest; the group adds its prefix.
static void check_moved(const outcome *home, const outcome *away, zn_quat turn, zn_vec3 at, const char *const *names)
{
    for (int i = 0; names[i] != NULL; i++) {
        char name[80];
        snprintf(name, sizeof name, "g::%s", names[i]);
        zn_vec3 q = vector_of(home, names[i], false);
        zn_vec3 v = vector_of(home, names[i], true);
        zn_vec3 x = vector_of(away, name, false);
        zn_vec3 w = vector_of(away, name, true);
        zn_vec3 there = zn_vec3_add(at, zn_quat_rotate(turn, q));
        if (!(zn_vec3_norm(zn_vec3_sub(x, there)) < 1e-9) ||
            !(zn_vec3_norm(zn_vec3_sub(w, zn_quat_rotate(turn, v))) < 1e-7))
            fail_msg("%s: at %g %g %g, should be %g %g %g", name, x.x, x.y, x.z, there.x, there.y, there.z);
        assert_true(zn_vec3_norm(v) > 1e-4 || strcmp(names[i], "held") == 0);
    }
}

static void test_planar_group(void **state)
{
    (void)state;
    static const char *const names[] = {"point", "hub",     "arm",      "slider",   "ball",
                                        "held",  "beam[3]", "curve[2]", "sheet[4]", NULL};
    static book              home, away;
    double                   angle = 0.7;
    zn_quat                  turn = zn_so3_exp(zn_vec3_make(0, 0, angle));
    zn_vec3                  g = zn_quat_rotate(turn, zn_vec3_make(0, -9.81, 0));
    home.length = away.length = 0;
    add(&home, "zeno: 1\nplanar: true\ngravity: [0, -9.81]\nrun: {step: 1e-3, until: 0.05}\n");
    add_planar(&home, "");
    // two groups, one in the other
    add(&away, "zeno: 1\nplanar: true\ngravity: [%.17g, %.17g]\nrun: {step: 1e-3, until: 0.05}\n", g.x, g.y);
    add(&away, "groups:\n  g:\n    at: [2, -3]\n    angle: 0.7\n");
    add_planar(&away, "    ");
    outcome a = run_model(home.text, 0), b = run_model(away.text, 0);
    check_moved(&a, &b, turn, zn_vec3_make(2, -3, 0), names);
    close_run(&a);
    close_run(&b);
}

static void test_spatial_group(void **state)
{
    (void)state;
    static const char *const names[] = {"point", "top", "box", "ball", "beam[2]", "pole[2]", "lump[7]", NULL};
    static book              home, away;
    zn_quat                  turn = zn_so3_exp(zn_vec3_scale(0.9 / 3, zn_vec3_make(1, 2, 2)));
    zn_vec3                  g = zn_quat_rotate(turn, zn_vec3_make(0, 0, -9.81));
    home.length = away.length = 0;
    add(&home, "zeno: 1\ngravity: [0, 0, -9.81]\nrun: {step: 1e-3, until: 0.03}\n");
    add_spatial(&home, "");
    add(&away, "zeno: 1\ngravity: [%.17g, %.17g, %.17g]\nrun: {step: 1e-3, until: 0.03}\n", g.x, g.y, g.z);
    add(&away, "groups:\n  g:\n    at: [2, -3, 1]\n    rotation: {axis: [1, 2, 2], angle: 0.9}\n");
    add_spatial(&away, "    ");
    outcome a = run_model(home.text, 0), b = run_model(away.text, 0);
    check_moved(&a, &b, turn, zn_vec3_make(2, -3, 1), names);
    close_run(&a);
    close_run(&b);
}

// A group that stays where it is changes no bit; frames of groups in groups add up.
static void test_nested_groups(void **state)
{
    (void)state;
    check_equal_bits(
        "{zeno: 1, planar: true, gravity: [0, -9.81], run: {step: 1e-3, until: 0.1}, groups: {a: {repeat: {i: "
        "0..1}, parameters: {L: 0.1 + i}, bodies: {p: {mass: 1, inertia: 0.1, position: [L, 0]}}, joints: "
        "{h: {type: revolute, body: p, at: [-L, 0]}}}}}",
        "{zeno: 1, planar: true, gravity: [0, -9.81], run: {step: 1e-3, until: 0.1}, bodies: {p: {mass: 1, "
        "inertia: 0.1, position: [0.1, 0]}, q: {mass: 1, inertia: 0.1, position: [1.1, 0]}}, joints: {h: "
        "{type: revolute, body: p, at: [-0.1, 0]}, i: {type: revolute, body: q, at: [-1.1, 0]}}}",
        20);
    zn_problem *p =
        read_model("{zeno: 1, planar: true, run: {step: 1e-3, until: 0.1}, materials: {m: {young: 1, density: "
                   "1}}, bodies: {base: {mass: 1}}, groups: {a: {at: [1, 0], angle: 90 deg, groups: {b: {at: "
                   "[2, 0], angle: 90 deg, bodies: {p: {mass: 1, position: [3, 0]}}, springs: {s: {from: p, "
                   "to: base, stiffness: 1}, w: {from: p, to: top, stiffness: 1}}}}, bodies: {top: {mass: "
                   "1}}}}, springs: {u: {from: 'a::b::p', to: 'a::top', stiffness: 1}}}");
    zn_system *sys = NULL;
    zn_state  *start = NULL;
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_state_create(sys, &start));
    const double *x = start->q + sys->layout.node[zn_model_find_node(p->model, "a::b::p").value - 1].q;
    CHECK_NEAR(x[0], -2, 1e-14); // (1, 0) + R90 ((2, 0) + R90 (3, 0))
    CHECK_NEAR(x[1], 2, 1e-14);
    zn_state_destroy(start);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
}

// Whoever adds a key with axes says which they are: otherwise groups refuse it.
static void test_axes_are_said(void **state)
{
    (void)state;
    for (int i = 0; i < zn_schema_count; i++)
        for (int k = 0; k < zn_schemas[i]->count; k++) {
            const zn_schema_key *key = &zn_schemas[i]->keys[k];
            bool axes = key->kind == ZN_KEY_VECTOR || key->kind == ZN_KEY_SIGNALS || key->kind == ZN_KEY_ROTATION ||
                        key->kind == ZN_KEY_AXIAL ||
                        (key->kind == ZN_KEY_FLAGS && strncmp(key->choices, "x y", 3) == 0);
            if (axes && key->axes == ZN_AXES_UNSAID)
                fail_msg("%s: '%s' does not say in which axes it is", zn_schemas[i]->title, key->name);
        }
}

// --- faults ----------------------------------------------------------------------------------------

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#define HEAD  "zeno: 1\nplanar: true\nrun: {step: 1, until: 2}\n"
#define SPACE "zeno: 1\nrun: {step: 1, until: 2}\n"

static const struct {
    const char *text, *message;
} bad[] = {
    {HEAD "bodies: {a: {repeat: {i: 0..2}, mass: 1, position: [i, 0]}}\nsprings: {s: {repeat: {i: 0..2}, from: 'a[i]', "
          "to: 'a[i+1]', "
          "stiffness: 1}}",
     "m.yaml:5:52: (i = 2) spring 's[2]': 'to': there is no 'a[3]'; they go from a[0] to a[2]"},
    {HEAD "bodies: {a: {repeat: {i: 0..9}, mass: 5 - i}}",
     "m.yaml:4:39: (i = 5, and 4 more) body 'a[5]': 'mass' must be > 0 kg, but is 0"},
    {HEAD "bodies: {a: {repeat: {i: 0..1e9}, mass: 1}}", "'i' goes from 0 to 1000000000: more than a million copies"},
    {HEAD "bodies: {a: {repeat: {i: 0..9999, j: 0..9999}, mass: 1}}",
     "m.yaml:4:22: body 'a': more than a million copies"},
    {HEAD "bodies: {a: {repeat: {i: 0..999999, j: 0..-1, k: 0..9}, mass: 1}}", "more than a million"},
    {HEAD "bodies: {a: {repeat: {i: 0..-1}, mass: 1}}\nsprings: {s: {from: 'a[0]', to: ground, stiffness: 1}}",
     "there is no body or node 'a[0]'"},
    {HEAD "bodies: {a: {repeat: {i: 2..0}, mass: 1}}", "'i' goes backwards, from 2 to 0"},
    {HEAD "bodies: {a: {repeat: {i: -1..0}, mass: 1}}", "'i' begins with -1"},
    {HEAD "bodies: {a: {repeat: {i: 3}, mass: 1}}", "'i' needs a first and a last value, such as 0..9"},
    {HEAD "bodies: {a: {repeat: {i: 0..x}, mass: 1}}", "m.yaml:4:26: body 'a': 'i': unknown name 'x'"},
    {HEAD "bodies: {a: {repeat: {sin: 0..2}, mass: 1}}", "'sin' cannot be the name of an index"},
    {HEAD "parameters: {i: 1}\nbodies: {a: {repeat: {i: 0..2}, mass: 1}}", "the index 'i' has the name of a parameter"},
    {HEAD "bodies: {a: {repeat: 3, mass: 1}}",
     "'repeat' is one to 3 indices with their bounds, {i: 0..9}, found a single value"},
    {HEAD "bodies: {a: {mass: 1, spin: i}}", "unknown name 'i'"},
    {HEAD "bodies: {a: {repeat: {i: 0..1}, mass: 1}}\nsprings: {a: {from: 'a[0]', to: ground, stiffness: 1}}",
     "the name 'a' is already used at line 4"},
    {HEAD "groups: {a: {bodies: {b: {mass: 0}}}}", "m.yaml:4:33: body 'a::b': 'mass' must be > 0 kg, but is 0"},
    {HEAD "groups: {a: {angle: 1, bodies: {b: {mass: 1, fixed: [x]}}}}",
     "body 'a::b': 'fixed' cannot be turned with the group 'a'"},
    {HEAD "groups: {a: {at: [1, 0], bodies: {b: {mass: 1}}, joints: {m: {type: motion, body: b, x: t}}}}",
     "joint 'a::m': 'x' cannot be moved with the group 'a'"},
    {HEAD "groups: {a: {angle: 1, bodies: {b: {mass: 1, inertia: 1}}, joints: {m: {type: motion, body: b, angle: t}}}}",
     "joint 'a::m': 'angle' of a motion cannot be turned with its group"},
    {HEAD
     "groups: {a: {angle: 1, bodies: {b: {mass: 1, inertia: 1}}, springs: {s: {type: torsion, from: ground, to: b, "
     "stiffness: 1, free_angle: 0}}}}",
     "spring 'a::s': 'free_angle' against the ground cannot be turned with a group"},
    {HEAD "groups: {a: {angle: 1, bodies: {b: {mass: 1, inertia: 1}}, motors: {m: {body: b, torque: -b.angle}}}}",
     "motor 'a::m': 'torque': 'b.angle' is in world axes, which do not move with a group"},
    {HEAD "groups: {a: {at: [1, 0], bodies: {b: {mass: 1}}, loads: {l: {body: b, force: [-b.position.x, 0]}}}}",
     "load 'a::l': 'force': 'b.position.x' is in world axes"},
    {HEAD "groups: {a: {angle: 1, bodies: {b: {mass: 1}}, loads: {l: {body: b, force: [-b.velocity.x, 0]}}}}",
     "load 'a::l': 'force': 'b.velocity.x' is in world axes"},
    {SPACE
     "groups: {a: {rotation: {axis: [0, 0, 1], angle: 1}, bodies: {b: {mass: 1, inertia: [1, 1, 1]}}, joints: {p: "
     "{type: prismatic, body: b, axis: [1, 0, 0], play: {radius: 1e-3, length: 0.1}}}}}",
     "joint 'a::p': 'across' is needed in a turned group"},
    {SPACE
     "groups: {a: {rotation: {axis: [0, 0, 1], angle: 1}, bodies: {b: {mass: 1}}, contacts: {p: {point: b, surface: "
     "{plane: [0, 0, 1], bounded: {length: 1, breadth: 1}}}}}}",
     "'along' is needed in a turned group"},
    {HEAD "groups: {a: {angle: 1, bodies: {b: {mass: 1, lattice: {count: [2, 2], spacing: [1, 1]}}}}}",
     "'spacing' cannot be turned with the group 'a'"},
    {HEAD "groups: {a: {at: [1, 0], systems: {s: {code: rocking_block}}}}", "cannot be moved with a group"},
    {HEAD "groups: {a: {body: {}}}", "group 'a': unknown key 'body', did you mean 'bodies'?"},
    {HEAD "groups: {a: {rotation: {axis: [0, 0, 1], angle: 1}}}", "'rotation' is for spatial models"},
    {HEAD "groups: {a: {bodies: {b: {mass: 1}}}}\nsprings: {s: {from: b, to: ground, stiffness: 1}}",
     "'from': there is no body or node 'b'"},
    {HEAD "include: expand_circle.yaml",
     "expand_turn.yaml:2:28: the file includes itself: expand_circle.yaml -> expand_turn.yaml -> expand_circle.yaml"},
    {HEAD "include: expand_missing.yaml", "m.yaml:4:10: expand_missing.yaml: No such file or directory"},
    {HEAD "include: {file: expand_part.yaml, parameters: {masse: 1}}",
     "m.yaml:4:48: the file 'expand_part.yaml' has no parameter 'masse', did you mean 'mass'?"},
    {HEAD "include: {file: expand_part.yaml, parameters: {mass: -1}}",
     "expand_part.yaml:4:13: body 'b': 'mass' must be > 0 kg, but is -1"},
    {HEAD "groups: {g: {repeat: {i: 1..4}, include: expand_part.yaml, parameters: {mass: 2 - i}}}",
     "expand_part.yaml:4:13: (i = 2, and 2 more) body 'g[2]::b': 'mass' must be > 0 kg, but is 0"},
    {HEAD "include: [expand_part.yaml, expand_part.yaml]", "the name 'b' is already used"},
    {HEAD "include: expand_run.yaml", "expand_run.yaml:2:1: 'run' has no place in a file that is included"},
    {HEAD "include: expand_space.yaml", "expand_space.yaml:2:9: the file that includes it is planar"},
    {HEAD "include: expand_broken.yaml",
     "expand_broken.yaml:3:1: a '}' or ',' is missing before this: the '{' of line 2, column 9 is open"},
    {HEAD "bodies: {a: {mass: 1, inertia: 1, draw: {sphere: 1, colour: greeen}}}", "did you mean 'green'?"},
    {HEAD "bodies: {a: {mass: 1, inertia: 1, draw: [{sphere: 1}, {at: [1, 0]}]}}", "draw: give one of sphere"},
    {HEAD "bodies: {a: {mass: 1, inertia: 1, draw: {sphere: 1, around: 3}}}", "draw: 'around' is of a polygon"},
    {HEAD "bodies: {a: {mass: 1, inertia: 1, draw: {polygon: [[0, 0], [1, 0], [0, 1]], around: 400}}}",
     "3 corners 400 times are more than 1000"},
};

static void test_faults(void **state)
{
    (void)state;
    static messages m;
    int             wrong = 0;
    write_file("expand_circle.yaml", "zeno: 1\ninclude: expand_turn.yaml\n");
    write_file("expand_turn.yaml", "zeno: 1\ngroups: {inner: {include: [expand_circle.yaml]}}\n");
    write_file("expand_part.yaml", "zeno: 1\nparameters: {mass: 1}\nbodies:\n  b: {mass: 'mass'}\n");
    write_file("expand_run.yaml", "zeno: 1\nrun: {step: 1, until: 2}\n");
    write_file("expand_space.yaml", "zeno: 1\nplanar: false\n");
    write_file("expand_broken.yaml", "zeno: 1\nbodies: {a\n");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        zn_problem *p = NULL;
        m.count = 0;
        zn_status status =
            zn_problem_parse(bad[i].text, strlen(bad[i].text), "m.yaml", 0, NULL, (zn_log){remember, &m}, &p);
        zn_problem_destroy(p);
        if (status != ZN_ERR_MODEL || m.count == 0 || strstr(m.text[0], bad[i].message) == NULL)
            wrong++,
                print_error("%s\nsays %s\nnot  %s\n", bad[i].text, m.count > 0 ? m.text[0] : "nothing", bad[i].message);
    }
    assert_int_equal(wrong, 0);
}

// A file in a folder, with a table beside it, in two groups; then from a result, when all of them are gone.
static void test_result_carries_files(void **state)
{
    (void)state;
    static const char text[] = "zeno: 1\nplanar: true\nparameters: {m: 3}\n"
                               "groups:\n  l: {include: expand_part.yaml, parameters: {mass: 2*m}}\n"
                               "  r: {include: expand_part.yaml, at: [1, 0]}\n"
                               "run: {step: 1e-3, until: 1e-2}\n";
    zn_problem       *p = NULL, *again = NULL;
    zn_result_writer *writer = NULL;
    const char *const set[] = {"m=5"};
    write_file("expand_part.yaml", "zeno: 1\nparameters: {mass: 1}\nbodies:\n  b: {mass: 'mass'}\n");
    CHECK_OK(zn_problem_parse(text, strlen(text), "m.yaml", 1, set, (zn_log){0}, &p));
    assert_int_equal(p->input_count, 1);
    assert_string_equal(p->inputs[0].name, "expand_part.yaml");
    CHECK_OK(zn_result_writer_create("expand.zeno.h5", p, &p->sim, "", (zn_log){0}, &writer));
    zn_system *sys = NULL;
    zn_sim    *sim = NULL;
    zn_sim_def def = p->sim;
    def.recorder = zn_result_writer_recorder(writer);
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    CHECK_OK(zn_sim_run(sim));
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_result_writer_destroy(writer);
    assert_int_equal(remove("expand_part.yaml"), 0);
    CHECK_OK(zn_problem_from_result("expand.zeno.h5", 0, NULL, (zn_log){0}, &again));
    assert_string_equal(again->inputs[0].digest, p->inputs[0].digest);
    assert_string_equal(again->inputs[0].text, p->inputs[0].text);
    CHECK_NEAR(again->parameters[0].value, 5, 0);
    CHECK_OK(zn_system_create(again->model, &sys));
    assert_true(zn_model_find_node(again->model, "l::b").value > 0 &&
                zn_model_find_node(again->model, "r::b").value > 0);
    zn_system_destroy(sys);
    zn_problem_destroy(again);
    zn_problem_destroy(p);
    remove("expand.zeno.h5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain),         cmocka_unit_test(test_stack),
        cmocka_unit_test(test_teeth),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_planar_group),  cmocka_unit_test(test_spatial_group),
        cmocka_unit_test(test_nested_groups), cmocka_unit_test(test_axes_are_said),
        cmocka_unit_test(test_faults),        cmocka_unit_test(test_result_carries_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
