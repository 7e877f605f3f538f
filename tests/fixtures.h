/// Small models that many tests share, a log that remembers, random numbers and finite differences.
#ifndef ZN_TESTS_FIXTURES_H
#define ZN_TESTS_FIXTURES_H

#include "check.h"

#include <stdlib.h>

#include "zn/scheme.h"
#include "zn/sim.h"
#include "zn/system.h"

// --- a log that remembers ------------------------------------------------------------------------

/// All messages, one per line. Hand log_into(&capture) to a def.
typedef struct log_capture {
    char   text[8192];
    size_t length;
    int    count;
} log_capture;

static inline void log_capture_write(void *user, zn_severity severity, const char *message)
{
    log_capture *c = user;
    (void)severity;
    int    written = snprintf(c->text + c->length, sizeof c->text - c->length, "%s\n", message);
    size_t room = sizeof c->text - c->length - 1;
    if (written > 0)
        c->length += (size_t)written < room ? (size_t)written : room;
    c->count++;
}

static inline zn_log log_into(log_capture *c) { return (zn_log){log_capture_write, c}; }

static inline void log_capture_clear(log_capture *c) { *c = (log_capture){0}; }

/// The log holds `part`; prints what it holds when it does not.
#define CHECK_LOGGED(capture, part) check_logged((capture), (part), __FILE__, __LINE__)

static inline void check_logged(const log_capture *c, const char *part, const char *file, int line)
{
    if (strstr(c->text, part))
        return;
    print_error("the log lacks '%s'; it holds: '%s'\n", part, c->text);
    _fail(file, line);
}

/// Creating the scheme for a model, which is taken over and writes to `log`, fails with these words. Returns the
/// status.
static inline zn_status refusal_of(zn_scheme_def def, zn_model *model, log_capture *log, const char *words)
{
    zn_system *sys = NULL;
    zn_scheme *scheme = NULL;
    CHECK_OK(zn_system_create(model, &sys));
    *log = (log_capture){0};
    zn_status status = zn_scheme_create(&def, sys, &scheme);
    assert_true(status != ZN_OK && scheme == NULL);
    CHECK_LOGGED(log, words);
    zn_system_destroy(sys);
    zn_model_destroy(model);
    return status;
}

// --- models, compiled ----------------------------------------------------------------------------

typedef struct fixture {
    zn_model  *model;
    zn_system *sys;
} fixture;

/// Empty model; silent when `log` is NULL.
static inline zn_model *make_model(bool planar, zn_vec3 gravity, log_capture *log)
{
    zn_model_def def = zn_model_def_default();
    zn_model    *model = NULL;
    def.planar = planar;
    def.gravity = gravity;
    if (log)
        def.log = log_into(log);
    CHECK_OK(zn_model_create(&def, &model));
    return model;
}

static inline fixture compile_fixture(zn_model *model)
{
    fixture f = {model, NULL};
    CHECK_OK(zn_system_create(model, &f.sys));
    return f;
}

static inline void destroy_fixture(fixture *f)
{
    f->sys = zn_system_destroy(f->sys);
    f->model = zn_model_destroy(f->model);
}

/// Contact `name` of a point with the half-space normal . x >= 0.
static inline void add_plane(zn_model *model, const char *name, zn_node_id node, zn_vec3 at, zn_vec3 normal, double e)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = name;
    def.point = (zn_attachment){node, at};
    def.normal = normal;
    def.restitution = e;
    CHECK_OK(zn_model_add_contact(model, &def));
}

/// Bouncing ball: point mass 1 kg 'ball' at height y0, x fixed, gravity (0, -2), contact 'floor' y >= 0.
static inline fixture make_ball_at(double y0, double e)
{
    zn_model   *model = make_model(true, zn_vec3_make(0, -2, 0), NULL);
    zn_body_def ball = zn_body_def_default();
    zn_node_id  node = {0};
    ball.name = "ball";
    ball.mass = 1;
    ball.position = zn_vec3_make(0, y0, 0);
    ball.fixed = ZN_FIX_X;
    CHECK_OK(zn_model_add_body(model, &ball, &node));
    add_plane(model, "floor", node, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), e);
    return compile_fixture(model);
}

static inline fixture make_ball(double e) { return make_ball_at(1, e); }

/// Rocking block: 1 kg, 1 m wide, 1.5 m high, tilted and turning; corners 'A' and 'B' above y >= 0.
static inline fixture make_block(double e)
{
    const double width = 1, height = 1.5;
    zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_body_def  block = zn_body_def_default();
    zn_node_id   node = {0};
    block.name = "block";
    block.mass = 1;
    block.inertia = (width * width + height * height) / 12;
    block.position = zn_vec3_make(0, 1, 0);
    block.angle = 0.2;
    block.spin = 0.2;
    CHECK_OK(zn_model_add_body(model, &block, &node));
    add_plane(model, "A", node, zn_vec3_make(-width / 2, -height / 2, 0), zn_vec3_make(0, 1, 0), e);
    add_plane(model, "B", node, zn_vec3_make(width / 2, -height / 2, 0), zn_vec3_make(0, 1, 0), e);
    return compile_fixture(model);
}

/// Steel bar 'rod' of N elements and 1 m along x, flying at -0.1 m/s, its tip rod[0] `gap` before 'wall' x >= 0.
static inline fixture make_bar(int elements, double gap, double e, zn_mass_kind mass)
{
    zn_model  *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_bar_def bar = zn_bar_def_default();
    bar.name = "rod";
    bar.from = zn_vec3_make(gap, 0, 0);
    bar.to = zn_vec3_make(gap + 1, 0, 0);
    bar.elements = elements;
    bar.young = 210e9;
    bar.density = 7800;
    bar.area = 3.14159265358979323846e-4;
    bar.mass = mass;
    bar.velocity = zn_vec3_make(-0.1, 0, 0);
    bar.fixed = ZN_FIX_Y;
    CHECK_OK(zn_model_add_bar(model, &bar));
    add_plane(model, "wall", zn_model_find_node(model, "rod[0]"), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0), e);
    return compile_fixture(model);
}

/// Oscillator: 1 kg 'mass' at y = 1, x fixed, on 'spring' (k = 1, c, rest length 1) from (0, -1), so that it
/// would rest at y = 0, where 'floor' y >= 0 stops it. No gravity.
static inline fixture make_oscillator(double c, double e)
{
    zn_model     *model = make_model(true, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def   mass = zn_body_def_default();
    zn_spring_def spring = zn_spring_def_default();
    zn_node_id    node = {0};
    mass.name = "mass";
    mass.mass = 1;
    mass.position = zn_vec3_make(0, 1, 0);
    mass.fixed = ZN_FIX_X;
    CHECK_OK(zn_model_add_body(model, &mass, &node));
    spring.name = "spring";
    spring.from.at = zn_vec3_make(0, -1, 0);
    spring.to.node = node;
    spring.stiffness = 1;
    spring.damping = c;
    spring.rest_length = 1;
    CHECK_OK(zn_model_add_spring(model, &spring));
    add_plane(model, "floor", node, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), e);
    return compile_fixture(model);
}

// --- random numbers and finite differences -------------------------------------------------------

/// Uniform in [-1, 1); the same sequence on every machine (splitmix64).
static inline double random_unit(uint64_t *seed)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (double)(z >> 11) * 0x1p-52 - 1;
}

static inline void random_fill(uint64_t *seed, double scale, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = scale * random_unit(seed);
}

static inline double largest_of(int n, const double *x)
{
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = fabs(x[i]) > worst || isnan(x[i]) ? fabs(x[i]) : worst;
    return worst;
}

/// Something of `size` numbers that depends on the configuration.
typedef void (*configuration_function)(void *user, const double *q, double *out);

enum { FIXTURE_MAX = 256 }; ///< room for q, v and results in the helpers below

/// Derivative of `function` at q along dq, by central differences of fourth order in steps of 1e-3:
/// truncation ~1e-12, rounding ~1e-13 of the size of the values.
static inline void derivative_along(const zn_system *sys, configuration_function function, void *user, const double *q,
                                    const double *dq, int size, double *out)
{
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12}, place[4] = {-2, -1, 1, 2};
    const double        h = 1e-3;
    zn_system_info      info = zn_system_get_info(sys);
    double              step[FIXTURE_MAX], moved[FIXTURE_MAX], value[FIXTURE_MAX];
    assert_true(info.nq <= FIXTURE_MAX && info.n_all <= FIXTURE_MAX && size <= FIXTURE_MAX);
    memset(out, 0, sizeof *out * (size_t)size);
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < info.n_all; i++)
            step[i] = place[k] * h * dq[i];
        zn_system_retract(sys, q, step, moved);
        function(user, moved, value);
        for (int i = 0; i < size; i++)
            out[i] += weight[k] * value[i] / h;
    }
}

#endif
