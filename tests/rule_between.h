/// Checks of rules between two states, for the tests of joints and of contacts: two random states of bodies that turn
/// and move far, the work of force rows on the way, gradients and curvature against finite differences, and resultant
/// and moment of the forces.
#ifndef ZN_TESTS_RULE_BETWEEN_H
#define ZN_TESTS_RULE_BETWEEN_H

#include "between_models.h"
#include "model/rigid_row.h"

enum { RULE_MAX = 512 };

typedef struct rule_setting {
    fixture         f;
    zn_contact_set *set;
    double          q[2][FIXTURE_MAX], v[2][FIXTURE_MAX], way[FIXTURE_MAX], force[RULE_MAX], t[2];
} rule_setting;

static inline zn_between rule_states(const rule_setting *t)
{
    return (zn_between){.from = {t->q[0], t->v[0], t->t[0], 0}, .to = {t->q[1], t->v[1], t->t[1], 0}};
}

/// Rows at the end, rows of the force, and the way that leads there.
static inline void rule_evaluate(rule_setting *t)
{
    double d[FIXTURE_MAX];
    zn_system_difference(t->f.sys, t->q[1], t->q[0], d);
    CHECK_OK(zn_system_way(t->f.sys, d, t->way));
    CHECK_OK(zn_contact_set_evaluate_between(t->set, t->f.sys, rule_states(t), t->force));
}

/// Takes the model over. From the initial state a random step of `size`, then another one.
static inline void rule_open(rule_setting *t, zn_model *model, double size, uint64_t *seed)
{
    double d[FIXTURE_MAX];
    *t = (rule_setting){.f = compile_fixture(model), .t = {0.3, 0.7}};
    const zn_system *sys = t->f.sys;
    assert_true(sys->info.n_all <= FIXTURE_MAX && sys->info.nq <= FIXTURE_MAX);
    random_fill(seed, size, sys->info.n_all, d);
    zn_system_retract(sys, sys->q0, d, t->q[0]);
    random_fill(seed, size, sys->info.n_all, d);
    zn_system_retract(sys, t->q[0], d, t->q[1]);
    CHECK_OK(zn_contact_set_create(sys, &t->set));
    assert_true(t->set->row_capacity <= RULE_MAX);
    CHECK_OK(zn_contact_set_refresh(t->set, sys, t->q[1], t->t[1]));
    rule_evaluate(t);
}

static inline void rule_close(rule_setting *t)
{
    zn_contact_set_destroy(t->set);
    destroy_fixture(&t->f);
}

/// Row of the set, of its gradients or of the force, times a vector.
static inline double rule_row(const rule_setting *t, int row, const double *value, const double *x)
{
    double sum = 0;
    for (int k = t->set->row_start[row]; k < t->set->row_start[row + 1]; k++)
        sum += value[k] * x[t->set->row_dof[k]];
    return sum;
}

/// Gaps at the ends of the step, with the contacts of the set.
static inline void rule_gaps(const rule_setting *t, double *gap0, double *gap1)
{
    CHECK_OK(zn_contact_set_gaps(t->set, t->f.sys, t->q[0], t->t[0], gap0));
    CHECK_OK(zn_contact_set_gaps(t->set, t->f.sys, t->q[1], t->t[1], gap1));
}

/// f += H' lambda
static inline void rule_force(const rule_setting *t, const double *lambda, double *f)
{
    memset(f, 0, sizeof *f * (size_t)t->f.sys->info.n_all);
    for (int row = 0; row < t->set->count * t->set->stride; row++)
        for (int k = t->set->row_start[row]; k < t->set->row_start[row + 1]; k++)
            f[t->set->row_dof[k]] += lambda[row] * t->force[k];
}

/// What the step does at an end moved by a small amount: gap or slip of every row, and the force.
static inline void rule_near(const rule_setting *t, double step, const double *x, const double *lambda, double *value,
                             double *f)
{
    rule_setting near = *t;
    CHECK_OK(zn_contact_set_create(t->f.sys, &near.set));
    zn_system_move(t->f.sys, t->q[1], step, x, near.q[1]);
    CHECK_OK(zn_contact_set_refresh(near.set, t->f.sys, near.q[1], t->t[1]));
    assert_int_equal(near.set->count, t->set->count);
    rule_evaluate(&near);
    for (int i = 0; i < near.set->count; i++)
        for (int r = 0; r < near.set->stride; r++) {
            int row = i * near.set->stride + r;
            value[row] = r == 0 ? near.set->gap[i] : rule_row(&near, row, near.force, near.way);
        }
    rule_force(&near, lambda, f);
    zn_contact_set_destroy(near.set);
}

/// Rows of the product are the gradients of gap and slip, and the curvature is that of the force.
static inline void rule_check_derivatives(const rule_setting *t, uint64_t *seed)
{
    double lambda[RULE_MAX], x[FIXTURE_MAX], y[FIXTURE_MAX], f[2][FIXTURE_MAX], value[2][RULE_MAX], step = 1e-5;
    int    rows = t->set->count * t->set->stride, n = t->f.sys->info.n_all;
    for (int trial = 0; trial < 3; trial++) {
        random_fill(seed, 1, rows, lambda);
        random_fill(seed, 1, n, x);
        for (int side = 0; side < 2; side++)
            rule_near(t, side ? step : -step, x, lambda, value[side], f[side]);
        for (int row = 0; row < rows; row++)
            CHECK_NEAR(rule_row(t, row, t->set->row_value, x), (value[1][row] - value[0][row]) / (2 * step), 1e-8);
        CHECK_OK(zn_contact_set_curvature_between(t->set, t->f.sys, rule_states(t), lambda, x, y));
        for (int i = 0; i < n; i++)
            CHECK_NEAR(y[i], (f[1][i] - f[0][i]) / (2 * step), 1e-8);
    }
}

/// Resultant of a force, and its moment about the origin with every node in the middle of the step: moments in the
/// equations of rotation go through the mean of the rotations.
static inline void rule_resultant(const rule_setting *t, const double *f, zn_vec3 *force, zn_vec3 *moment)
{
    const zn_layout *layout = &t->f.sys->layout;
    *force = *moment = (zn_vec3){0, 0, 0};
    for (int i = 0; i < layout->nodes; i++) {
        const int *dof = layout->node[i].dof;
        double     own[6];
        for (int k = 0; k < 6; k++)
            own[k] = dof[k] >= 0 ? f[dof[k]] : 0;
        zn_rigid b[2] = {zn_rigid_at(layout, (zn_node_id){i + 1}, t->q[0]),
                         zn_rigid_at(layout, (zn_node_id){i + 1}, t->q[1])};
        zn_vec3  push = {own[0], own[1], own[2]}, turn = {own[3], own[4], own[5]};
        *force = zn_vec3_add(*force, push);
        for (int k = 0; k < 2; k++) {
            zn_vec3 part = zn_vec3_add(zn_vec3_cross(b[k].position, push), zn_rigid_vector(&b[k], turn));
            *moment = zn_vec3_add(*moment, zn_vec3_scale(0.5, part));
        }
    }
}

/// A body in space or in the plane, at an angle, with a name.
static inline zn_node_id rule_body(zn_model *model, const char *name, bool planar, zn_vec3 position)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  id = {0};
    def.name = name;
    def.mass = 1.5;
    def.position = planar ? zn_vec3_make(position.x, position.y, 0) : position;
    if (planar) {
        def.inertia = 0.6;
        def.angle = 0.4;
    } else {
        def.inertia3 = (zn_mat3){{{1.1, 0.1, -0.05}, {0.1, 1.6, 0.08}, {-0.05, 0.08, 2.1}}};
        def.rotation = zn_so3_exp(zn_vec3_make(0.3, position.x, -0.5));
    }
    CHECK_OK(zn_model_add_body(model, &def, &id));
    return id;
}

#endif
