/// The four models on which schemes are tested, a rig that steps them, and slopes of errors.
#ifndef ZN_TESTS_SCHEME_FIXTURES_H
#define ZN_TESTS_SCHEME_FIXTURES_H

#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "zn/scheme.h"

// --- models: each contact is the last thing added, so contact 0 is the first one named here -----------------------

static inline zn_model *planar_model(double gravity, zn_log log)
{
    zn_model_def def = zn_model_def_default();
    def.planar = true;
    def.gravity = zn_vec3_make(0, gravity, 0);
    def.log = log;
    zn_model *model = NULL;
    CHECK_OK(zn_model_create(&def, &model));
    return model;
}

/// Contact of a point with the plane through the origin.
static inline void add_plane_contact(zn_model *model, const char *name, zn_node_id node, zn_vec3 at, zn_vec3 normal,
                                     double e)
{
    zn_contact_def def = zn_contact_def_default();
    def.name = name;
    def.point = (zn_attachment){node, at};
    def.normal = normal;
    def.restitution = e;
    CHECK_OK(zn_model_add_contact(model, &def));
}

/// Mass 1 at height q above the floor, moving vertically; v[0] is its velocity.
static inline zn_node_id add_point(zn_model *model, double q, double v)
{
    zn_body_def def = zn_body_def_default();
    def.name = "ball";
    def.mass = 1;
    def.position = zn_vec3_make(0, q, 0);
    def.velocity = zn_vec3_make(0, v, 0);
    def.fixed = ZN_FIX_X;
    zn_node_id node = {0};
    CHECK_OK(zn_model_add_body(model, &def, &node));
    return node;
}

/// Bouncing ball: m = 1, f = -2, floor at 0.
static inline zn_model *ball_model(double q0, double v0, double e)
{
    zn_model  *model = planar_model(-2, (zn_log){0});
    zn_node_id ball = add_point(model, q0, v0);
    add_plane_contact(model, "floor", ball, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), e);
    return model;
}

/// Spring from the ground at depth 1 with rest length 1: the force on a vertically moving point is -k q - c v.
static inline void add_ground_spring(zn_model *model, zn_node_id node, double k, double c)
{
    zn_spring_def def = zn_spring_def_default();
    def.name = "spring";
    def.from.at = zn_vec3_make(0, -1, 0);
    def.to.node = node;
    def.stiffness = k;
    def.damping = c;
    def.rest_length = 1;
    CHECK_OK(zn_model_add_spring(model, &def));
}

/// Linear oscillator m = k = 1 on one side of a wall at 0.
static inline zn_model *oscillator_model(double q0, double v0, double c, double e)
{
    zn_model  *model = planar_model(0, (zn_log){0});
    zn_node_id mass = add_point(model, q0, v0);
    add_ground_spring(model, mass, 1, c);
    add_plane_contact(model, "wall", mass, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 1, 0), e);
    return model;
}

/// Rocking block: thickness l (vertical) and length L, m = 1, g = 9.81, both lower corners against the floor.
typedef struct block_case {
    double l, L, x, y, angle, vx, vy, spin, e;
} block_case;

static inline block_case paper_block(void)
{
    return (block_case){.l = 1.5, .L = 1, .y = 1, .angle = 0.2, .spin = 0.2, .e = 0.5};
}

static inline zn_model *block_model(block_case c)
{
    zn_model   *model = planar_model(-9.81, (zn_log){0});
    zn_body_def def = zn_body_def_default();
    def.name = "block";
    def.mass = 1;
    def.inertia = (c.l * c.l + c.L * c.L) / 12;
    def.position = zn_vec3_make(c.x, c.y, 0);
    def.angle = c.angle;
    def.velocity = zn_vec3_make(c.vx, c.vy, 0);
    def.spin = c.spin;
    zn_node_id block = {0};
    CHECK_OK(zn_model_add_body(model, &def, &block));
    add_plane_contact(model, "A", block, zn_vec3_make(-c.L / 2, -c.l / 2, 0), zn_vec3_make(0, 1, 0), c.e);
    add_plane_contact(model, "B", block, zn_vec3_make(c.L / 2, -c.l / 2, 0), zn_vec3_make(0, 1, 0), c.e);
    return model;
}

/// Steel bar of the paper, moving at BAR_SPEED against a wall at x = 0; the tip is node 0.
#define BAR_YOUNG   210e9
#define BAR_DENSITY 7800.0
#define BAR_AREA    (3.14159265358979323846e-4)
#define BAR_SPEED   0.1

static inline zn_model *bar_model(int elements, double gap, double e)
{
    zn_model  *model = planar_model(0, (zn_log){0});
    zn_bar_def def = zn_bar_def_default();
    def.name = "rod";
    def.from = zn_vec3_make(gap, 0, 0);
    def.to = zn_vec3_make(gap + 1, 0, 0);
    def.elements = elements;
    def.young = BAR_YOUNG;
    def.density = BAR_DENSITY;
    def.area = BAR_AREA;
    def.velocity = zn_vec3_make(-BAR_SPEED, 0, 0);
    def.fixed = ZN_FIX_Y;
    CHECK_OK(zn_model_add_bar(model, &def));
    add_plane_contact(model, "wall", zn_model_find_node(model, "rod[0]"), zn_vec3_make(0, 0, 0), zn_vec3_make(1, 0, 0),
                      e);
    return model;
}

/// Rigid body (m = 2, J = 0.1) on a hinge half a metre above it, turned by a small angle; w gets its frequency.
static inline zn_model *hinged_body_model(double angle, double *w)
{
    zn_model   *model = planar_model(-9.81, (zn_log){0});
    zn_body_def body = zn_body_def_default();
    zn_node_id  node = {0};
    double      l = 0.5;
    body.mass = 2;
    body.inertia = 0.1;
    body.angle = angle;
    body.position = zn_vec3_make(l * sin(angle), -l * cos(angle), 0);
    CHECK_OK(zn_model_add_body(model, &body, &node));
    zn_joint_def joint = zn_joint_def_default();
    joint.kind = ZN_JOINT_REVOLUTE;
    joint.a = (zn_attachment){node, zn_vec3_make(0, l, 0)};
    CHECK_OK(zn_model_add_joint(model, &joint));
    *w = sqrt(9.81 * l * 2 / (0.1 + 2 * l * l));
    return model;
}

// --- the rig ------------------------------------------------------------------------------------------------------

typedef struct rig {
    zn_model    *model;
    zn_system   *sys;
    zn_scheme   *scheme;
    zn_state    *state;
    zn_step_info info;
} rig;

static inline zn_scheme_def scheme_named(const char *name, double theta)
{
    zn_scheme_def def = zn_scheme_def_default();
    def.scheme = name;
    def.theta = theta;
    return def;
}

/// Takes the model over.
static inline rig rig_open(zn_model *model, zn_scheme_def def)
{
    rig r = {.model = model};
    CHECK_OK(zn_system_create(model, &r.sys));
    CHECK_OK(zn_scheme_create(&def, r.sys, &r.scheme));
    CHECK_OK(zn_state_create(r.sys, &r.state));
    return r;
}

static inline void rig_close(rig *r)
{
    zn_state_destroy(r->state);
    zn_scheme_destroy(r->scheme);
    zn_system_destroy(r->sys);
    zn_model_destroy(r->model);
    *r = (rig){0};
}

static inline void rig_step(rig *r, double h) { CHECK_OK(zn_scheme_step(r->scheme, r->state, h, &r->info)); }

static inline double gap_of(const rig *r, int contact) { return r->state->contacts->gap[contact]; }
static inline double impulse_of(const rig *r, int contact) { return r->state->contacts->impulse[contact]; }
static inline double energy_of(const rig *r)
{
    return r->state->energy.kinetic + r->state->energy.strain + r->state->energy.gravity;
}

// --- states, bit by bit -------------------------------------------------------------------------------------------

#define CHECK_SAME_BITS(a, b, count) check_same_bits((a), (b), sizeof *(a) * (size_t)(count), #a, __FILE__, __LINE__)

static inline void check_same_bits(const void *a, const void *b, size_t size, const char *what, const char *file,
                                   int line)
{
    if (memcmp(a, b, size) == 0)
        return;
    print_error("%s differs\n", what);
    _fail(file, line);
}

/// Everything a state holds, results of contacts included.
static inline void check_same_state(const zn_system *sys, const zn_state *a, const zn_state *b)
{
    zn_system_info        info = zn_system_get_info(sys);
    const zn_contact_set *x = a->contacts, *y = b->contacts;
    CHECK_SAME_BITS(&a->t, &b->t, 1);
    CHECK_SAME_BITS(a->q, b->q, info.nq);
    CHECK_SAME_BITS(a->v, b->v, info.n_all);
    CHECK_SAME_BITS(a->reaction, b->reaction, info.n_all - info.n);
    CHECK_SAME_BITS(&a->energy, &b->energy, 1);
    assert_int_equal(x->count, y->count);
    int rows = x->count * x->stride;
    CHECK_SAME_BITS(x->id, y->id, x->count);
    CHECK_SAME_BITS(x->gap, y->gap, x->count);
    CHECK_SAME_BITS(x->restitution, y->restitution, x->count);
    CHECK_SAME_BITS(x->row_start, y->row_start, rows + 1);
    CHECK_SAME_BITS(x->row_dof, y->row_dof, x->row_start[rows]);
    CHECK_SAME_BITS(x->row_value, y->row_value, x->row_start[rows]);
    CHECK_SAME_BITS(x->impulse, y->impulse, rows);
    CHECK_SAME_BITS(x->velocity, y->velocity, rows);
    CHECK_SAME_BITS(x->projection, y->projection, rows);
    CHECK_SAME_BITS(x->approach, y->approach, rows);
}

// --- slopes -------------------------------------------------------------------------------------------------------

/// Least-squares fit of log(error) over log(h).
typedef struct slope_fit {
    int    n;
    double x, y, xx, xy;
} slope_fit;

static inline void slope_add(slope_fit *fit, double h, double error)
{
    double x = log(h), y = log(error);
    fit->n++;
    fit->x += x;
    fit->y += y;
    fit->xx += x * x;
    fit->xy += x * y;
}

static inline double slope_of(const slope_fit *fit)
{
    return (fit->n * fit->xy - fit->x * fit->y) / (fit->n * fit->xx - fit->x * fit->x);
}

#endif
