// Motion of bodies that joints or lasting contacts hold, by the mid-point rule and rows between two states, with every
// row an equation: energy and momenta stay to rounding over large steps, and a prescribed motion does the work of its
// multiplier. The step is solved here, by a dense Newton iteration, and converges as one with the right matrix does.
#include "rule_between.h"

enum { MOST = 40 };

typedef struct motion {
    rule_setting s;
    double       lambda[MOST], d[FIXTURE_MAX];
    zn_sparse   *A;
    int          iterations; // of the last step
} motion;

static void open_motion(motion *m, zn_model *model)
{
    uint64_t seed = 1;
    *m = (motion){0};
    rule_open(&m->s, model, 0, &seed);
    const zn_system *sys = m->s.f.sys;
    m->s.t[0] = m->s.t[1] = 0;
    memcpy(m->s.v[0], sys->v0, sizeof *sys->v0 * (size_t)sys->info.n_all);
    CHECK_OK(zn_system_matrix(sys, &m->A));
    assert_true(sys->info.n + m->s.set->count * m->s.set->stride <= MOST);
}

static void close_motion(motion *m)
{
    zn_sparse_destroy(m->A);
    rule_close(&m->s);
}

// Residual of motion and equations at the end that d leads to.
static void evaluate_step(motion *m, double h, double *r)
{
    rule_setting    *s = &m->s;
    const zn_system *sys = s->f.sys;
    double           a[FIXTURE_MAX], f[FIXTURE_MAX], held[FIXTURE_MAX];
    int              n = sys->info.n, stride = s->set->stride;
    zn_system_retract(sys, s->q[0], m->d, s->q[1]);
    CHECK_OK(zn_contact_set_evaluate(s->set, sys, s->q[1], s->t[1]));
    rule_evaluate(s);
    for (int i = 0; i < n; i++) {
        s->v[1][i] = 2 * s->way[i] / h - s->v[0][i];
        a[i] = (s->v[1][i] - s->v[0][i]) / h;
    }
    CHECK_OK(zn_system_inertia(sys, s->q[1], a, r));
    CHECK_OK(zn_system_force_between(sys, rule_states(s), f));
    rule_force(s, m->lambda, held);
    for (int i = 0; i < n; i++)
        r[i] -= f[i] + held[i];
    for (int row = 0; row < s->set->count * stride; row++)
        r[n + row] = row % stride == 0 ? s->set->gap[row / stride] : rule_row(s, row, s->force, s->way);
}

static void correct_step(motion *m, double h, double *r)
{
    static double    J[MOST * MOST];
    rule_setting    *s = &m->s;
    const zn_system *sys = s->f.sys;
    int              n = sys->info.n, rows = s->set->count * s->set->stride, all = n + rows, pivot[MOST];
    double           x[FIXTURE_MAX] = {0}, y[FIXTURE_MAX], c[FIXTURE_MAX];
    memset(J, 0, sizeof J);
    CHECK_OK(zn_system_step_matrix(sys, rule_states(s), s->way, h, m->A));
    for (int j = 0; j < n; j++) {
        x[j] = 1;
        zn_sparse_multiply(m->A, x, y);
        CHECK_OK(zn_contact_set_curvature_between(s->set, sys, rule_states(s), m->lambda, x, c));
        for (int i = 0; i < n; i++)
            J[i * all + j] = y[i] - c[i];
        x[j] = 0;
    }
    for (int row = 0; row < rows; row++)
        for (int k = s->set->row_start[row]; k < s->set->row_start[row + 1]; k++) {
            J[(n + row) * all + s->set->row_dof[k]] += s->set->row_value[k];
            J[s->set->row_dof[k] * all + n + row] -= s->force[k];
        }
    CHECK_OK(zn_dense_lu_factor(all, J, pivot));
    zn_dense_lu_solve(all, J, pivot, r);
    zn_system_tangent_inverse(sys, m->d, r, x);
    for (int i = 0; i < n; i++)
        m->d[i] -= x[i];
    for (int row = 0; row < rows; row++)
        m->lambda[row] -= r[n + row];
}

static void step_motion(motion *m, double h)
{
    rule_setting *s = &m->s;
    double        r[MOST + FIXTURE_MAX];
    int           n = s->f.sys->info.n, all = n + s->set->count * s->set->stride;
    s->t[1] = s->t[0] + h;
    m->iterations = 0;
    for (double before = INFINITY, now = 1e300; now > 1e-9 || now < 0.1 * before;) {
        before = now;
        evaluate_step(m, h, r);
        now = largest_of(all, r);
        if (now > 0)
            correct_step(m, h, r);
        assert_true(++m->iterations < 12);
    }
    evaluate_step(m, h, r);
}

// Make the end of the step the start of the next.
static void advance(motion *m)
{
    memcpy(m->s.q[0], m->s.q[1], sizeof m->s.q[0]);
    memcpy(m->s.v[0], m->s.v[1], sizeof m->s.v[0]);
    m->s.t[0] = m->s.t[1];
}

typedef struct kept {
    double  energy, potential;
    zn_vec3 linear, angular;
} kept;

static kept kept_of(const motion *m)
{
    static double    scratch[FIXTURE_MAX];
    const zn_system *sys = m->s.f.sys;
    zn_at            at = {m->s.q[0], m->s.v[0], m->s.t[0], 0};
    zn_energy        e;
    kept             k;
    CHECK_OK(zn_system_energy(sys, at, &e));
    CHECK_OK(zn_system_momentum(sys, at, -1, scratch, &k.linear, &k.angular));
    k.energy = e.kinetic + e.gravity + e.strain;
    k.potential = e.gravity;
    return k;
}

// --- machines --------------------------------------------------------------------------------------

static zn_node_id add_mover(zn_model *model, const char *name, bool planar, zn_vec3 position, zn_vec3 velocity,
                            zn_vec3 spin)
{
    zn_body_def def = zn_body_def_default();
    zn_node_id  id = {0};
    def.name = name;
    def.mass = 1.5;
    def.position = position;
    def.velocity = velocity;
    if (planar) {
        def.inertia = 0.3;
        def.spin = spin.z;
    } else {
        def.inertia3 = (zn_mat3){{{0.11, 0.01, -0.02}, {0.01, 0.16, 0.03}, {-0.02, 0.03, 0.21}}};
        def.spin3 = spin;
    }
    CHECK_OK(zn_model_add_body(model, &def, &id));
    return id;
}

static void add_joint(zn_model *model, zn_joint_kind kind, zn_node_id a, zn_vec3 at, zn_node_id b)
{
    zn_joint_def def = zn_joint_def_default();
    def.kind = kind;
    def.a = (zn_attachment){a, at};
    def.b.node = b;
    def.axis = zn_vec3_make(1, 0, 0);
    def.axis2 = zn_vec3_make(0, 1, 0);
    CHECK_OK(zn_model_add_joint(model, &def));
}

// Two bodies that are joined; on the ground by a ball joint (a hinge in the plane), with weight, or free.
static zn_model *make_chain(zn_joint_kind kind, bool planar, bool ground)
{
    const double gravity = ground ? -9.81 : 0;
    zn_model    *model = make_model(planar, planar ? zn_vec3_make(0, gravity, 0) : zn_vec3_make(0, 0, gravity), NULL);
    zn_vec3      spin = planar ? zn_vec3_make(0, 0, 2) : zn_vec3_make(0.3, -0.7, 2);
    zn_vec3      first = {0.5, 0, 0}, second = {1.5, 0, 0};
    zn_node_id   a = add_mover(model, "a", planar, first, zn_vec3_cross(spin, first), spin);
    zn_node_id   b = add_mover(model, "b", planar, second, zn_vec3_cross(spin, second), spin); // as one body
    if (ground)
        add_joint(model, planar ? ZN_JOINT_REVOLUTE : ZN_JOINT_SPHERICAL, a, zn_vec3_make(-0.5, 0, 0), (zn_node_id){0});
    add_joint(model, kind, b, zn_vec3_make(-0.5, 0, 0), a);
    return model;
}

// In space a weighty chain keeps the moment of momentum about the vertical through its pivot.
static void check_chain(zn_joint_kind kind, bool planar, bool ground)
{
    motion m;
    open_motion(&m, make_chain(kind, planar, ground));
    kept   first = kept_of(&m);
    double size = fabs(first.energy) + zn_vec3_norm(first.angular), moved = 0, most = 0;
    for (int k = 0; k < 100; k++) {
        step_motion(&m, 0.05);
        advance(&m);
        kept now = kept_of(&m);
        for (int i = 0; i < m.s.f.sys->info.n; i++)
            moved = fmax(moved, fabs(m.s.v[0][i] - m.s.f.sys->v0[i]));
        most = fmax(most, fabs(now.potential)); // what falls or flies far is rounded by as much
        CHECK_NEAR(now.energy, first.energy, 2e-12 * (size + most));
        if (!ground) {
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(now.linear, first.linear)), 0, 2e-12 * size);
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(now.angular, first.angular)), 0, 2e-12 * size);
        } else if (!planar)
            CHECK_NEAR(now.angular.z, first.angular.z, 2e-12 * size);
    }
    assert_true(moved > 0.5); // it does something
    close_motion(&m);
}

static void test_chains(void **state)
{
    (void)state;
    const zn_joint_kind in_plane[] = {ZN_JOINT_REVOLUTE, ZN_JOINT_PRISMATIC};
    const zn_joint_kind in_space[] = {ZN_JOINT_REVOLUTE, ZN_JOINT_PRISMATIC, ZN_JOINT_SPHERICAL, ZN_JOINT_CYLINDRICAL,
                                      ZN_JOINT_PLANAR,   ZN_JOINT_UNIVERSAL, ZN_JOINT_FIXED};
    for (int ground = 0; ground < 2; ground++) {
        for (size_t i = 0; i < sizeof in_plane / sizeof *in_plane; i++)
            check_chain(in_plane[i], true, ground);
        for (size_t i = 0; i < sizeof in_space / sizeof *in_space; i++)
            check_chain(in_space[i], false, ground);
    }
}

static double push(void *user, double t)
{
    (void)user;
    return 0.5 + 0.4 * sin(3 * t) - 1.2 * t * cos(t);
}

// A carriage that is driven to and fro with a pendulum on it: what the drive gives is in the energy.
static void test_drive(void **state)
{
    (void)state;
    zn_model    *model = make_model(true, zn_vec3_make(0, -9.81, 0), NULL);
    zn_vec3      v = {0, 0, 0}, none = {0, 0, 0};
    zn_node_id   car = add_mover(model, "car", true, zn_vec3_make(0.5, 0, 0), v, none);
    zn_node_id   bob = add_mover(model, "bob", true, zn_vec3_make(1.1, 0, 0), v, none);
    zn_joint_def drive = zn_joint_def_default();
    motion       m;
    add_joint(model, ZN_JOINT_REVOLUTE, bob, zn_vec3_make(-0.6, 0, 0), car);
    add_joint(model, ZN_JOINT_PRISMATIC, car, zn_vec3_make(0, 0.1, 0), (zn_node_id){0});
    drive.kind = ZN_JOINT_MOTION;
    drive.dof[0] = (zn_joint_dof){car, ZN_COORDINATE_X, 1};
    CHECK_OK(zn_signal_callback(push, NULL, NULL, &drive.motion));
    CHECK_OK(zn_model_add_joint(model, &drive));
    open_motion(&m, model);
    double work = 0, first = kept_of(&m).energy, most = 0;
    int    row = m.s.set->count - 1;
    for (int k = 0; k < 100; k++) {
        step_motion(&m, 0.05);
        work += m.lambda[row] * (push(NULL, m.s.t[1]) - push(NULL, m.s.t[0]));
        advance(&m);
        CHECK_NEAR(kept_of(&m).energy, first + work, 1e-11 * (1 + fabs(work)));
        most = fmax(most, fabs(work));
    }
    assert_true(most > 1);
    close_motion(&m);
}

// --- contacts that last ----------------------------------------------------------------------------

// A ball that rolls or slides on a surface of another body, which is free, or of the ground.
static zn_model *make_roller(zn_surface_kind surface, bool planar, bool ground, double friction)
{
    zn_model      *model = make_model(planar, ground ? zn_vec3_make(0.4, -3, 0) : zn_vec3_make(0, 0, 0), NULL);
    double         r = surface == ZN_SURFACE_HOLE ? 0.7 : 1.3, spin = surface == ZN_SURFACE_PLANE ? -0.5 : 0.4;
    zn_vec3        at = {0, surface == ZN_SURFACE_PLANE ? 1 : surface == ZN_SURFACE_HOLE ? -r : r, 0};
    zn_vec3        turn = planar ? zn_vec3_make(0, 0, spin) : zn_vec3_make(0.3, 0.2, spin);
    zn_node_id     b = add_mover(model, "b", planar, zn_vec3_make(0, 0, 0), zn_vec3_make(0, 0, 0), turn);
    zn_node_id     a = add_mover(model, "a", planar, at, ground ? zn_vec3_make(0, 0, 0) : zn_vec3_cross(turn, at),
                             ground ? zn_vec3_make(0, 0, 0) : turn);
    zn_contact_def def = zn_contact_def_default();
    def.name = "touch";
    def.point.node = a;
    def.surface = surface;
    def.surface_node = ground ? (zn_node_id){0} : b;
    def.radius = 0.3;
    def.friction = friction;
    def.normal = surface == ZN_SURFACE_PLANE ? zn_vec3_make(0, 1, 0) : def.normal;
    def.through = surface == ZN_SURFACE_PLANE ? zn_vec3_make(0.2, 0.7, 0) : def.through;
    def.surface_radius = surface == ZN_SURFACE_PLANE ? def.surface_radius : 1;
    CHECK_OK(zn_model_add_contact(model, &def));
    return model;
}

// Kicked along the surface; with friction it would stay where it is on it: all rows hold.
static void check_roller(zn_surface_kind surface, bool planar, bool ground, double friction)
{
    motion m;
    open_motion(&m, make_roller(surface, planar, ground, friction));
    double *v = m.s.v[0];
    if (friction == 0) { // slides on
        const int *dof = m.s.f.sys->layout.node[1].dof;
        v[dof[0]] += 0.8;
        if (!planar)
            v[dof[2]] += 0.3;
    }
    kept   first = kept_of(&m);
    double size = fabs(first.energy) + zn_vec3_norm(first.angular) + 1, most = 0;
    for (int k = 0; k < 60; k++) {
        step_motion(&m, 0.05);
        advance(&m);
        kept now = kept_of(&m);
        most = fmax(most, fabs(m.lambda[0]));
        CHECK_NEAR(now.energy, first.energy, 2e-12 * size);
        if (!ground) {
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(now.linear, first.linear)), 0, 2e-12 * size);
            CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(now.angular, first.angular)), 0, 2e-12 * size);
        }
    }
    assert_true(most > 1e-3);
    close_motion(&m);
}

static void test_rollers(void **state)
{
    (void)state;
    for (int surface = ZN_SURFACE_PLANE; surface <= ZN_SURFACE_HOLE; surface++)
        for (int way = 0; way < 8; way++)
            check_roller((zn_surface_kind)surface, way & 1, way & 2, way & 4 ? 0.5 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains), cmocka_unit_test(test_drive),
                                       cmocka_unit_test(test_rollers)};
    return cmocka_run_group_tests_name("held between two states", tests, NULL, NULL);
}
