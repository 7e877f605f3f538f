/// Beams for tests: defs, random states, statics by Newton's method, derivatives by finite differences.
#ifndef ZN_TESTS_BEAM_MODELS_H
#define ZN_TESTS_BEAM_MODELS_H

#include "fixtures.h"

#include "system/system.h"

enum { BEAM_MAX = FIXTURE_MAX, CLAMPED = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION };

#define TEST_PI 3.14159265358979323846

/// Soft beam along x, stiffnesses of the same order: derivatives are then well scaled.
static inline zn_beam_def soft_beam(const char *name, double length, int elements)
{
    zn_beam_def def = zn_beam_def_default();
    def.name = name;
    def.to = zn_vec3_make(length, 0, 0);
    def.elements = elements;
    def.young = 50;
    def.poisson = 0.3;
    def.density = 3;
    def.section = zn_beam_section_rectangle(0.9, 1.2, 0);
    return def;
}

static inline const zn_layout_node *node_at(const zn_system *sys, int i) { return &sys->layout.node[i]; }

/// Position of a node in world axes.
static inline zn_vec3 position_of(const zn_system *sys, const double *q, int i)
{
    const zn_layout_node *node = node_at(sys, i);
    bool                  spatial = zn_node_dimension(node->kind) == 3;
    return zn_vec3_add(node->origin, zn_vec3_make(q[node->q], q[node->q + 1], spatial ? q[node->q + 2] : 0));
}

static inline zn_quat rotation_of(const zn_system *sys, const double *q, int i)
{
    const double *r = q + node_at(sys, i)->q;
    return node_at(sys, i)->kind == ZN_FRAME2 ? zn_so3_exp(zn_vec3_make(0, 0, r[2]))
                                              : (zn_quat){r[3], r[4], r[5], r[6]};
}

/// Put a node somewhere.
static inline void place_node(const zn_system *sys, int i, zn_vec3 x, zn_quat r, double angle, double *q)
{
    const zn_layout_node *node = node_at(sys, i);
    zn_vec3               u = zn_vec3_sub(x, node->origin);
    q[node->q] = u.x;
    q[node->q + 1] = u.y;
    q[node->q + 2] = node->kind == ZN_FRAME2 ? angle : u.z;
    if (node->kind == ZN_FRAME3)
        memcpy(q + node->q + 3, (double[4]){r.w, r.x, r.y, r.z}, 4 * sizeof(double));
}

/// A state away from the reference: displacements of `scale` and rotations likewise.
static inline void random_beam_state(const zn_system *sys, uint64_t *seed, double scale, double *q, double *v)
{
    double dq[BEAM_MAX];
    random_fill(seed, scale, sys->info.n_all, dq);
    zn_system_retract(sys, sys->q0, dq, q);
    random_fill(seed, 1, sys->info.n_all, v);
}

/// Constant strain Gamma and curvature kappa (axes of the section) from the first node of the initial state on.
static inline void place_uniformly(const zn_system *sys, double l, zn_vec3 gamma, zn_vec3 kappa, double *q)
{
    zn_vec3 x = position_of(sys, sys->q0, 0), psi = zn_vec3_scale(0.5 * l, kappa);
    zn_quat r = rotation_of(sys, sys->q0, 0);
    double  angle = node_at(sys, 0)->kind == ZN_FRAME2 ? sys->q0[2] : 0;
    for (int i = 0; i < sys->layout.nodes; i++) {
        place_node(sys, i, x, r, angle, q);
        r = zn_quat_product(r, zn_so3_exp(psi));
        x = zn_vec3_add(x, zn_quat_rotate(r, zn_vec3_scale(l, zn_vec3_add(zn_vec3_make(1, 0, 0), gamma))));
        r = zn_quat_product(r, zn_so3_exp(psi));
        angle += l * kappa.z;
    }
}

// --- derivatives -----------------------------------------------------------------------------------

typedef struct beam_probe {
    const zn_system *sys;
    zn_at            at;
} beam_probe;

static inline void beam_force_at(void *user, const double *q, double *out)
{
    const beam_probe *p = user;
    CHECK_OK(zn_system_force(p->sys, (zn_at){q, p->at.v, p->at.t, 0}, out));
}

static inline void beam_energy_at(void *user, const double *q, double *out)
{
    const beam_probe *p = user;
    zn_energy         e;
    CHECK_OK(zn_system_energy(p->sys, (zn_at){q, p->at.v, p->at.t, 0}, &e));
    out[0] = e.strain, out[1] = e.gravity, out[2] = e.kinetic;
}

/// K = -df/dq and C = -df/dv column by column; returns the largest deviation relative to the largest entry.
static inline double check_beam_operators(const zn_system *sys, zn_at at)
{
    int        n = sys->info.n;
    double     unit[BEAM_MAX] = {0}, column[BEAM_MAX], numeric[BEAM_MAX], plus[BEAM_MAX], minus[BEAM_MAX], v[BEAM_MAX];
    double     worst = 0, size = 0;
    zn_sparse *K = NULL, *C = NULL;
    beam_probe p = {sys, at};
    CHECK_OK(zn_system_matrix(sys, &K));
    CHECK_OK(zn_system_matrix(sys, &C));
    CHECK_OK(zn_system_operators(sys, at, 0, 0, 1, K));
    CHECK_OK(zn_system_operators(sys, at, 0, 1, 0, C));
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        derivative_along(sys, beam_force_at, &p, at.q, unit, sys->info.n_all, numeric);
        zn_sparse_multiply(K, unit, column);
        for (int i = 0; i < n; i++) {
            size = fmax(size, fabs(column[i]));
            worst = fmax(worst, fabs(column[i] + numeric[i]));
        }
        memcpy(v, at.v, sizeof *v * (size_t)sys->info.n_all); // f is quadratic in v: central differences are exact
        v[j] = at.v[j] + 0.5;
        CHECK_OK(zn_system_force(sys, (zn_at){at.q, v, at.t, 0}, plus));
        v[j] = at.v[j] - 0.5;
        CHECK_OK(zn_system_force(sys, (zn_at){at.q, v, at.t, 0}, minus));
        zn_sparse_multiply(C, unit, column);
        unit[j] = 0;
        for (int i = 0; i < n; i++)
            CHECK_NEAR(column[i], minus[i] - plus[i], 1e-11);
    }
    zn_sparse_destroy(K);
    zn_sparse_destroy(C);
    return worst / size;
}

/// Force against the gradient of the energy, and the powers against their definitions.
static inline void check_beam_energy(const zn_system *sys, zn_at at, uint64_t *seed)
{
    double     w[BEAM_MAX], zero[BEAM_MAX] = {0}, still[BEAM_MAX], moving[BEAM_MAX], gradient[3];
    double     along = 0, turning = 0;
    beam_probe p = {sys, at};
    zn_power   power;
    random_fill(seed, 1, sys->info.n_all, w);
    memset(w + sys->info.n, 0, sizeof *w * (size_t)(sys->info.n_all - sys->info.n));
    CHECK_OK(zn_system_force(sys, (zn_at){at.q, zero, at.t, 0}, still));
    CHECK_OK(zn_system_force(sys, at, moving));
    derivative_along(sys, beam_energy_at, &p, at.q, w, 3, gradient);
    for (int i = 0; i < sys->info.n; i++) {
        along += still[i] * w[i];
        turning += (moving[i] - still[i]) * w[i];
    }
    CHECK_NEAR(along, -gradient[0] - gradient[1], 1e-8);
    CHECK_NEAR(gradient[2], 0, 1e-11); // the mass is constant
    CHECK_OK(zn_system_power(sys, at, w, &power));
    CHECK_NEAR(power.strain, -gradient[0], 1e-8);
    CHECK_NEAR(power.gravity, -gradient[1], 1e-9);
    CHECK_NEAR(power.gyroscopic, turning, 1e-11);
    CHECK_OK(zn_system_power(sys, at, at.v, &power));
    CHECK_NEAR(power.gyroscopic, 0, 1e-13); // turns momentum, does no work
}

/// M by columns through the inertia operation, against the operator and the kinetic energy.
static inline void check_beam_mass(const zn_system *sys, zn_at at)
{
    double     unit[BEAM_MAX] = {0}, column[BEAM_MAX], product[BEAM_MAX], kinetic = 0;
    zn_sparse *M = NULL;
    zn_energy  e;
    CHECK_OK(zn_system_matrix(sys, &M));
    CHECK_OK(zn_system_operators(sys, at, 1, 0, 0, M));
    for (int j = 0; j < sys->info.n_all; j++) {
        unit[j] = 1;
        CHECK_OK(zn_system_inertia(sys, at.q, unit, column));
        if (j < sys->info.n) {
            zn_sparse_multiply(M, unit, product);
            for (int i = 0; i < sys->info.n; i++)
                CHECK_NEAR(product[i], column[i], 1e-14);
        }
        unit[j] = 0;
        for (int i = 0; i < sys->info.n_all; i++)
            kinetic += 0.5 * at.v[i] * column[i] * at.v[j];
    }
    CHECK_OK(zn_system_energy(sys, at, &e));
    CHECK_NEAR(e.kinetic, kinetic, 1e-12);
    zn_sparse_destroy(M);
}

// --- rigid motions ---------------------------------------------------------------------------------

/// x -> R x + shift of every node.
static inline void move_beam(const zn_system *sys, zn_vec3 psi, zn_vec3 shift, const double *q, double *out)
{
    zn_quat R = zn_so3_exp(psi);
    for (int i = 0; i < sys->layout.nodes; i++)
        place_node(sys, i, zn_vec3_add(zn_quat_rotate(R, position_of(sys, q, i)), shift),
                   zn_quat_product(R, rotation_of(sys, q, i)), q[node_at(sys, i)->q + 2] + psi.z, out);
}

/// A deformed beam moved rigidly: the same energy; forces turn along, moments (in body axes) stay. All forces together
/// have no resultant and no moment.
static inline void check_objectivity(const zn_system *sys, zn_vec3 psi, const double *q)
{
    double    moved[BEAM_MAX], zero[BEAM_MAX] = {0}, before[BEAM_MAX], after[BEAM_MAX];
    zn_energy a, b;
    zn_vec3   sum = {0, 0, 0}, moment = {0, 0, 0};
    move_beam(sys, psi, zn_vec3_make(3, -2, sys->info.planar ? 0 : 5), q, moved);
    CHECK_OK(zn_system_energy(sys, (zn_at){q, zero, 0, 0}, &a));
    CHECK_OK(zn_system_energy(sys, (zn_at){moved, zero, 0, 0}, &b));
    assert_true(a.strain > 1e-2);
    CHECK_NEAR(b.strain, a.strain, 1e-12 * a.strain);
    CHECK_OK(zn_system_force(sys, (zn_at){q, zero, 0, 0}, before));
    CHECK_OK(zn_system_force(sys, (zn_at){moved, zero, 0, 0}, after));
    for (int i = 0; i < sys->layout.nodes; i++) {
        const int *dof = node_at(sys, i)->dof;
        bool       planar = sys->info.planar;
        zn_vec3    f = {before[dof[0]], before[dof[1]], planar ? 0 : before[dof[2]]};
        zn_vec3    turned = zn_quat_rotate(zn_so3_exp(psi), f);
        CHECK_NEAR(after[dof[0]], turned.x, 1e-11);
        CHECK_NEAR(after[dof[1]], turned.y, 1e-11);
        for (int k = planar ? 5 : 2; k < 6; k++)
            CHECK_NEAR(after[dof[k]], k == 2 ? turned.z : before[dof[k]], 1e-11);
        zn_vec3 m = {planar ? 0 : before[dof[3]], planar ? 0 : before[dof[4]], before[dof[5]]};
        sum = zn_vec3_add(sum, f);
        moment = zn_vec3_add(moment, zn_vec3_cross(position_of(sys, q, i), f));
        moment = zn_vec3_add(moment, planar ? m : zn_quat_rotate(rotation_of(sys, q, i), m));
    }
    CHECK_NEAR(zn_vec3_norm(sum), 0, 1e-11);
    CHECK_NEAR(zn_vec3_norm(moment), 0, 1e-11);
}

// --- statics ---------------------------------------------------------------------------------------

/// Equilibrium at time t from q by Newton's method with full steps, rotations limited to half a radian each; returns
/// the number of iterations. Converged when the increment is below `tolerance`.
static inline int solve_statics(const zn_system *sys, double t, double tolerance, double *q)
{
    int           n = sys->info.n, iterations = 0;
    double       *f = calloc(3 * (size_t)sys->info.n_all, sizeof *f), *v = f + sys->info.n_all;
    double        size = INFINITY;
    zn_sparse    *K = NULL;
    zn_linsolver *solver = NULL;
    assert_non_null(f);
    CHECK_OK(zn_system_matrix(sys, &K));
    CHECK_OK(zn_linsolver_create(K, NULL, &solver));
    while (size > tolerance && iterations < 100) {
        CHECK_OK(zn_system_force(sys, (zn_at){q, v, t, 0}, f));
        CHECK_OK(zn_system_operators(sys, (zn_at){q, v, t, 0}, 0, 0, 1, K));
        CHECK_OK(zn_linsolver_factor(solver, K));
        CHECK_OK(zn_linsolver_solve(solver, 1, f));
        size = largest_of(n, f);
        double turn = 0;
        for (int i = 0; i < n; i++)
            turn = sys->rotational[i] ? fmax(turn, fabs(f[i])) : turn;
        for (int i = 0; i < n; i++)
            f[i] *= turn > 0.5 ? 0.5 / turn : 1;
        memset(f + n, 0, sizeof *f * (size_t)(sys->info.n_all - n));
        zn_system_retract(sys, q, f, q);
        iterations++;
    }
    assert_true(size <= tolerance);
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(K);
    free(f);
    return iterations;
}

/// Load that grows with time: `value` at t = 1.
static inline zn_signal *ramp(double value)
{
    zn_signal *signal = NULL;
    CHECK_OK(zn_signal_series(2, (double[]){0, 1}, (double[]){0, value}, &signal));
    return signal;
}

/// In `steps` steps from t = 0 to 1; returns all iterations.
static inline int solve_ramp(const zn_system *sys, int steps, double tolerance, double *q)
{
    int iterations = 0;
    for (int k = 1; k <= steps; k++)
        iterations += solve_statics(sys, (double)k / steps, tolerance, q);
    return iterations;
}

/// First angular frequency at q0 by inverse iteration with the Rayleigh quotient.
static inline double first_frequency(const zn_system *sys)
{
    int           n = sys->info.n;
    double        x[BEAM_MAX], y[BEAM_MAX], zero[BEAM_MAX] = {0}, quotient = 0;
    uint64_t      seed = 3;
    zn_sparse    *K = NULL, *M = NULL;
    zn_linsolver *solver = NULL;
    zn_at         at = {sys->q0, zero, 0, 0};
    CHECK_OK(zn_system_matrix(sys, &K));
    CHECK_OK(zn_system_matrix(sys, &M));
    CHECK_OK(zn_system_operators(sys, at, 0, 0, 1, K));
    CHECK_OK(zn_system_operators(sys, at, 1, 0, 0, M));
    CHECK_OK(zn_linsolver_create(K, NULL, &solver));
    CHECK_OK(zn_linsolver_factor(solver, K));
    random_fill(&seed, 1, n, x);
    for (int k = 0; k < 60; k++) { // K y = M x;  w^2 = y.M x / y.M y
        double above = 0, below = 0, size;
        zn_sparse_multiply(M, x, y);
        double right[BEAM_MAX];
        memcpy(right, y, sizeof *y * (size_t)n);
        CHECK_OK(zn_linsolver_solve(solver, 1, y));
        zn_sparse_multiply(M, y, x);
        for (int i = 0; i < n; i++) {
            above += y[i] * right[i];
            below += y[i] * x[i];
        }
        quotient = above / below;
        size = largest_of(n, y);
        for (int i = 0; i < n; i++)
            x[i] = y[i] / size;
    }
    zn_linsolver_destroy(solver);
    zn_sparse_destroy(K);
    zn_sparse_destroy(M);
    return sqrt(quotient);
}

// --- dynamics --------------------------------------------------------------------------------------

/// A run ready to be stepped.
static inline zn_sim *start_sim(const zn_system *sys, const char *scheme, double theta, double step, double until)
{
    zn_sim_def def = zn_sim_def_default();
    zn_sim    *sim = NULL;
    def.scheme.scheme = scheme;
    def.scheme.theta = theta;
    def.step = step;
    def.until = until;
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    return sim;
}

#endif
