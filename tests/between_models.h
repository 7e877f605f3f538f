/// Pairs of states, and a model of everything that has a force between two states.
#ifndef ZN_TESTS_BETWEEN_MODELS_H
#define ZN_TESTS_BETWEEN_MODELS_H

#include "solid_models.h"

#include "element_models.h"
#include "system/between.h"

typedef struct two_ends {
    double     q[2][FIXTURE_MAX], v[2][FIXTURE_MAX];
    zn_between s;
} two_ends;

/// Every node displaced at random by up to `size`, then all turned about an axis through the origin and moved.
static inline void random_placement(const zn_system *sys, double size, double turn, uint64_t *seed, double *q)
{
    bool    planar = sys->info.planar;
    zn_vec3 axis = {planar ? 0 : random_unit(seed), planar ? 0 : random_unit(seed), 1};
    zn_mat3 R = zn_quat_matrix(zn_so3_exp(zn_vec3_scale(turn / zn_vec3_norm(axis), axis)));
    for (int i = 0; i < sys->layout.nodes; i++) {
        const zn_layout_node *node = &sys->layout.node[i];
        const double          X[3] = {node->origin.x, node->origin.y, node->origin.z};
        double                x[3] = {0, 0, 0};
        for (int k = 0; k < zn_node_dimension(node->kind); k++)
            x[k] = X[k] + size * random_unit(seed);
        for (int k = 0; k < zn_node_dimension(node->kind); k++)
            q[node->q + k] = R.m[k][0] * x[0] + R.m[k][1] * x[1] + R.m[k][2] * x[2] + 3 * turn * (1 + k) - X[k];
    }
}

/// Two placements with a large turn between them (none for the linear model, whose strains would be huge).
static inline void random_ends(const zn_system *sys, double size, double turn, uint64_t *seed, two_ends *e)
{
    assert_true(sys->info.n_all <= FIXTURE_MAX);
    for (int k = 0; k < 2; k++) {
        random_placement(sys, size, k == 0 ? 0.3 * turn : turn, seed, e->q[k]);
        random_fill(seed, 1, sys->info.n_all, e->v[k]);
        for (int i = 0; i < sys->info.nq; i++) // what is fixed stays
            if (sys->coordinate_dof[i] >= sys->info.n) {
                e->q[k][i] = sys->q0[i];
                e->v[k][sys->coordinate_dof[i]] = 0;
            }
    }
    e->s = (zn_between){.from = {e->q[0], e->v[0], 0.3, 0}, .to = {e->q[1], e->v[1], 0.7, 0}};
}

// --- tangents --------------------------------------------------------------------------------------

/// The force as a function of the configuration at the end.
typedef struct probe {
    const zn_system *sys;
    zn_between       s;
} probe;

static inline void probe_force(const probe *p, const double *q, double *out)
{
    zn_between s = p->s;
    s.to.q = q;
    CHECK_OK(zn_system_force_between(p->sys, s, out));
}

/// Its derivative along dof j by central differences of sixth order: logarithms have long tails.
static inline void probe_slope(const probe *p, int j, double *out)
{
    static const double weight[3] = {3.0 / 4, -3.0 / 20, 1.0 / 60};
    const double        h = 1e-3;
    int                 n = p->sys->info.n_all;
    double              step[FIXTURE_MAX] = {0}, q[FIXTURE_MAX], plus[FIXTURE_MAX], minus[FIXTURE_MAX];
    memset(out, 0, sizeof *out * (size_t)n);
    for (int k = 0; k < 3; k++) {
        step[j] = (k + 1) * h;
        zn_system_retract(p->sys, p->s.to.q, step, q);
        probe_force(p, q, plus);
        step[j] = -step[j];
        zn_system_retract(p->sys, p->s.to.q, step, q);
        probe_force(p, q, minus);
        for (int i = 0; i < n; i++)
            out[i] += weight[k] * (plus[i] - minus[i]) / h;
    }
}

// --- models ----------------------------------------------------------------------------------------

static inline zn_signal *steady(double value)
{
    zn_signal *s = NULL;
    CHECK_OK(zn_signal_constant(value, &s));
    return s;
}

static inline void add_pressure(zn_model *model, const char *face, zn_signal *value, bool follower)
{
    zn_pressure_def def = zn_pressure_def_default();
    def.name = "wind";
    def.part = "body";
    def.face = face;
    def.value = value;
    def.follower = follower;
    CHECK_OK(zn_model_add_pressure(model, &def));
}

static inline void add_part(zn_model *model, const char *name, solid_case c, double z, double damping)
{
    zn_mesh     *mesh = make_mesh(c.shape, zn_vec3_make(2, 1, 1), 2, 1, 1);
    zn_solid_def def = soft_solid(c, mesh);
    for (int i = 0; i < mesh->node_count; i++)
        mesh->nodes[i].y += z;
    def.name = name;
    def.mass_damping = damping;
    def.stiffness_damping = 0.5 * damping;
    CHECK_OK(zn_model_add_solid(model, &def));
    zn_mesh_destroy(mesh);
}

/// Solids of three shapes, a damped one, one with fixed nodes; a point mass on a plane; loads of every kind, constant
/// or changing with time.
/// A damped spring from the ground to the ball, and a damped bar.
static inline void add_links(zn_model *model, zn_node_id ball, bool planar)
{
    zn_spring_def spring = zn_spring_def_default();
    zn_bar_def    bar = zn_bar_def_default();
    spring.name = "spring";
    spring.from.at = zn_vec3_make(0.4, 6.5, planar ? 0 : 0.3);
    spring.to.node = ball;
    spring.stiffness = 7;
    spring.damping = 0.9;
    spring.rest_length = 1.1;
    CHECK_OK(zn_model_add_spring(model, &spring));
    bar.name = "bar";
    bar.from = zn_vec3_make(0, 10, 0);
    bar.to = zn_vec3_make(0.6, 10.8, planar ? 0 : 0.5);
    bar.elements = 2;
    bar.young = 5;
    bar.density = bar.area = 1;
    bar.mass_damping = 0.3;
    bar.stiffness_damping = 0.2;
    CHECK_OK(zn_model_add_bar(model, &bar));
}

static inline fixture make_workshop(bool planar, bool steady_loads, log_capture *log)
{
    zn_model      *model = make_model(planar, zn_vec3_make(0.3, -2, planar ? 0 : 0.7), log);
    zn_solid_model large = ZN_SOLID_SAINT_VENANT_KIRCHHOFF;
    zn_signal *(*load)(double) = steady_loads ? steady : make_wave;
    zn_force_def        push = zn_force_def_default();
    zn_acceleration_def field = zn_acceleration_def_default();
    add_part(model, "body", (solid_case){planar ? ZN_QUAD4 : ZN_HEX8, large, ZN_PLANE_STRESS}, 0, 0);
    add_part(model, "other", (solid_case){planar ? ZN_QUAD4 : ZN_TET4, large, ZN_PLANE_STRAIN}, 2, 0.4);
    add_part(model, "stiff", (solid_case){planar ? ZN_QUAD4 : ZN_HEX8, ZN_SOLID_LINEAR, ZN_PLANE_STRAIN}, 4, 0.2);
    CHECK_OK(zn_model_fix_node_set(model, "body.xmin", ZN_FIX_X | ZN_FIX_Y | (planar ? 0 : ZN_FIX_Z)));
    zn_node_id ball = add_body(model, "ball", zn_vec3_make(1, 8, 0), 0);
    add_plane(model, "floor", ball, zn_vec3_make(0, 0, 0), zn_vec3_make(0.6, 0.8, 0), 0.5);
    add_links(model, ball, planar);
    push.name = "push";
    push.point.node = ball;
    push.force[0] = load(2);
    push.force[1] = load(-5);
    CHECK_OK(zn_model_add_force(model, &push));
    add_pressure(model, "body.ymax", load(0.5), false);
    field.acceleration[1] = load(0.6);
    CHECK_OK(zn_model_add_acceleration(model, &field));
    return compile_fixture(model);
}

#endif
