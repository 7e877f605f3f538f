// Rigid bodies in space: tensors of inertia, forces and operators against finite differences, momenta, contacts of body
// points, boxes tied at their corners.
#include "fixtures.h"

#include "model/attachment.h"
#include "model/element/inertia.h"
#include "system/system.h"

// --- tensors of inertia --------------------------------------------------------------------------

static zn_mat3 diagonal(double x, double y, double z) { return (zn_mat3){{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

// R D R'
static zn_mat3 turned(zn_mat3 D, zn_vec3 psi)
{
    zn_mat3 R = zn_quat_matrix(zn_so3_exp(psi));
    return zn_mat3_product(zn_mat3_product(R, D), zn_mat3_transpose(R));
}

static const zn_mat3 skewed = {{{1.2, 0.1, -0.2}, {0.1, 1.5, 0.15}, {-0.2, 0.15, 1.1}}};

static void test_principal(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int trial = 0; trial < 100; trial++) {
        double  moment[3], a = 1 + random_unit(&seed), b = a + 1 + random_unit(&seed), c = b + 1e-9 * (trial % 3);
        zn_vec3 psi = {3 * random_unit(&seed), 3 * random_unit(&seed), 3 * random_unit(&seed)};
        zn_inertia_principal(turned(diagonal(b, c, a), psi), moment);
        CHECK_NEAR(moment[0], a, 1e-14);
        CHECK_NEAR(moment[1], b, 1e-14);
        CHECK_NEAR(moment[2], c, 1e-14);
    }
    zn_mat3 box = zn_inertia_of_box(12, zn_vec3_make(1, 2, 3)), rest = box;
    CHECK_NEAR(box.m[0][0], 13, 0);
    CHECK_NEAR(box.m[1][1], 10, 0);
    CHECK_NEAR(box.m[2][2], 5, 0);
    for (int i = 0; i < 8; i++) // corners alone have three times the inertia of a box of the same mass
        rest = zn_inertia_without(rest, 0.5, zn_vec3_make(i & 1 ? 0.5 : -0.5, i & 2 ? 1 : -1, i & 4 ? 1.5 : -1.5));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            CHECK_NEAR(rest.m[i][j], 0, 1e-14);
}

static zn_body_def make_def(zn_mat3 inertia)
{
    zn_body_def def = zn_body_def_default();
    def.name = "top";
    def.mass = 2;
    def.inertia3 = inertia;
    return def;
}

static void refuse(zn_body_def def, bool planar, const char *message)
{
    log_capture log = {0};
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), &log);
    CHECK_STATUS(zn_model_add_body(model, &def, NULL), ZN_ERR_MODEL);
    CHECK_LOGGED(&log, message);
    assert_int_equal(log.count, 1);
    zn_model_destroy(model);
}

static void test_refused(void **state)
{
    (void)state;
    zn_body_def def = make_def(diagonal(1, 2, 3.1));
    refuse(def, false,
           "body 'top': no body has the principal moments of inertia 1, 2, 3.1 kg m^2: the largest exceeds "
           "the sum of the others");
    refuse(make_def(turned(diagonal(1, 2, 3.1), zn_vec3_make(1, 2, 3))), false, "moments of inertia 1, 2, 3.1 kg m^2");
    refuse(make_def(diagonal(1, 1, 0)), false,
           "body 'top': its inertia is not positive definite: principal moments 0, 1, 1 kg m^2");
    refuse(make_def(diagonal(1, -1, 1)), false, "body 'top': its inertia is not positive definite");
    refuse(make_def((zn_mat3){{{1, 2, 0}, {2, 1, 0}, {0, 0, 1}}}), false, "principal moments -1, 1, 3 kg m^2");
    refuse(make_def((zn_mat3){{{1, 0.1, 0}, {0.2, 1, 0}, {0, 0, 1}}}), false,
           "body 'top': its inertia is not symmetric");
    refuse(make_def(diagonal(1, NAN, 1)), false, "body 'top': its inertia is not finite");
    refuse(make_def(diagonal(1e200, 1e200, 1e200)), false, "body 'top': its inertia is too large");
    def = make_def(diagonal(0, 0, 0));
    def.spin3.y = 1;
    refuse(def, false, "body 'top': a point mass has no rotation; give it an inertia");
    def = make_def(diagonal(0, 0, 0));
    def.rotation = zn_so3_exp(zn_vec3_make(1, 0, 0));
    refuse(def, false, "body 'top': a point mass has no rotation; give it an inertia");
    def = make_def(skewed);
    def.rotation.w = 2;
    refuse(def, false, "node 'top': the rotation is not a unit quaternion");
    def = make_def(skewed);
    def.spin = 2;
    refuse(def, false, "body 'top': in space it has a tensor of inertia, a rotation and a spin vector");
    refuse(make_def(skewed), true, "body 'top': a planar body has inertia, angle and spin about z only");
    def = make_def(diagonal(1, 2, 3)); // a flat body: equality is allowed
    zn_model *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    CHECK_OK(zn_model_add_body(model, &def, NULL));
    zn_model_destroy(model);
}

// --- the element ---------------------------------------------------------------------------------

// Two rigid bodies and a point mass, moving.
static fixture make_scene(void)
{
    zn_model   *model = make_model(false, zn_vec3_make(0.3, -2, 5), NULL);
    zn_body_def def = make_def(skewed);
    def.position = zn_vec3_make(1, -2, 0.5);
    def.rotation = zn_so3_exp(zn_vec3_make(0.4, -1.1, 2));
    def.velocity = zn_vec3_make(0.1, 0.2, -0.3);
    def.spin3 = zn_vec3_make(3, -2, 1);
    CHECK_OK(zn_model_add_body(model, &def, NULL));
    def.name = "ball";
    def.inertia3 = diagonal(0, 0, 0);
    def.rotation = (zn_quat){1, 0, 0, 0};
    def.spin3 = zn_vec3_make(0, 0, 0);
    CHECK_OK(zn_model_add_body(model, &def, NULL));
    def = make_def(diagonal(0.5, 0.6, 0.7));
    def.name = "held";
    def.fixed = ZN_FIX_X | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_body(model, &def, NULL));
    return compile_fixture(model);
}

static void dense_of(const zn_system *sys, const double *q, const double *v, double a, double b, double c, zn_sparse *A,
                     double *out)
{
    CHECK_OK(zn_system_operators(sys, (zn_at){q, v, 0, 0}, a, b, c, A));
    int n = sys->info.n;
    memset(out, 0, sizeof *out * (size_t)(n * n));
    for (int j = 0; j < n; j++)
        for (int k = A->start[j]; k < A->start[j + 1]; k++)
            out[A->row[k] * n + j] = A->value[k];
}

// M a = inertia, C by differences of the force over v (it is quadratic: central differences are exact), K = 0.
static void test_operators(void **state)
{
    (void)state;
    fixture    f = make_scene();
    int        n = f.sys->info.n, n_all = f.sys->info.n_all;
    uint64_t   seed = 7;
    zn_sparse *A;
    assert_int_equal(n, 6 + 3 + 2);
    assert_int_equal(n_all, 15);
    assert_false(f.sys->info.linear);
    CHECK_OK(zn_system_matrix(f.sys, &A));
    for (int trial = 0; trial < 10; trial++) {
        double v[20], dq[20], q[30], M[400], C[400], K[400], column[20], plus[20], minus[20];
        random_fill(&seed, 3, n, v);
        memset(v + n, 0, sizeof *v * (size_t)(n_all - n));
        random_fill(&seed, 1, n_all, dq);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        dense_of(f.sys, q, v, 1, 0, 0, A, M);
        dense_of(f.sys, q, v, 0, 1, 0, A, C);
        dense_of(f.sys, q, v, 0, 0, 1, A, K);
        for (int j = 0; j < n; j++) {
            double unit[20] = {0}, ahead[20], behind[20];
            unit[j] = 1;
            CHECK_OK(zn_system_inertia(f.sys, q, unit, column));
            memcpy(ahead, v, sizeof v);
            memcpy(behind, v, sizeof v);
            ahead[j] += 0.5;
            behind[j] -= 0.5;
            CHECK_OK(zn_system_force(f.sys, (zn_at){q, ahead, 0, 0}, plus));
            CHECK_OK(zn_system_force(f.sys, (zn_at){q, behind, 0, 0}, minus));
            for (int i = 0; i < n; i++) {
                CHECK_NEAR(M[i * n + j], column[i], 0);
                CHECK_NEAR(C[i * n + j], minus[i] - plus[i], 1e-13);
                CHECK_NEAR(K[i * n + j], 0, 0);
            }
        }
    }
    zn_sparse_destroy(A);
    destroy_fixture(&f);
}

static void test_energy(void **state)
{
    (void)state;
    fixture   f = make_scene();
    double    Mv[20], force[20];
    zn_energy energy;
    zn_power  power;
    zn_vec3   linear, angular, x = {1, -2, 0.5}, v = {0.1, 0.2, -0.3}, w = {3, -2, 1};
    zn_at     at = {f.sys->q0, f.sys->v0, 0, 0};
    zn_quat   R = zn_so3_exp(zn_vec3_make(0.4, -1.1, 2));
    CHECK_OK(zn_system_part_energy(f.sys, at, 0, &energy));
    CHECK_NEAR(energy.kinetic, 0.5 * (2 * zn_vec3_dot(v, v) + zn_vec3_dot(w, zn_mat3_apply(skewed, w))), 1e-14);
    CHECK_NEAR(energy.gravity, -2 * (0.3 * 1 + -2 * -2 + 5 * 0.5), 1e-14);
    CHECK_OK(zn_system_energy(f.sys, at, &energy));
    CHECK_OK(zn_system_inertia(f.sys, f.sys->q0, f.sys->v0, Mv));
    CHECK_NEAR(energy.kinetic, 0.5 * zn_system_dot(f.sys, f.sys->v0, Mv), 1e-14);
    CHECK_OK(zn_system_force(f.sys, at, force));
    CHECK_OK(zn_system_power(f.sys, at, f.sys->v0, &power));
    CHECK_NEAR(power.gravity + power.gyroscopic, zn_system_dot(f.sys, force, f.sys->v0), 1e-13);
    CHECK_NEAR(power.gyroscopic, 0, 1e-14); // at the spin itself
    double other[20] = {0};
    other[3] = 1;
    CHECK_OK(zn_system_power(f.sys, at, other, &power)); // on any other motion: -(w x J w).x
    CHECK_NEAR(power.gyroscopic, -zn_vec3_cross(w, zn_mat3_apply(skewed, w)).x, 1e-14);
    CHECK_OK(zn_system_momentum(f.sys, at, 0, Mv, &linear, &angular));
    zn_vec3 exact = zn_vec3_add(zn_vec3_cross(x, zn_vec3_scale(2, v)), zn_quat_rotate(R, zn_mat3_apply(skewed, w)));
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(linear, zn_vec3_scale(2, v))), 0, 1e-15);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(angular, exact)), 0, 1e-14);
    destroy_fixture(&f);
}

// --- contacts of body points ---------------------------------------------------------------------

typedef struct probe {
    const zn_system *sys;
    zn_contact_set  *set;
} probe;

static void gaps_of(void *user, const double *q, double *out)
{
    probe *p = user;
    CHECK_OK(zn_contact_set_gaps(p->set, p->sys, q, 0, out));
}

static void row_of(const probe *p, int i, int r, double *out)
{
    int row = i * p->set->stride + r;
    memset(out, 0, sizeof *out * (size_t)p->sys->info.n_all);
    for (int k = p->set->row_start[row]; k < p->set->row_start[row + 1]; k++)
        out[p->set->row_dof[k]] += p->set->row_value[k];
}

static void weighted_rows(void *user, const double *q, double *out)
{
    probe *p = user;
    double row[FIXTURE_MAX];
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, 0));
    memset(out, 0, sizeof *out * (size_t)p->sys->info.n_all);
    for (int i = 0; i < p->set->count; i++) {
        row_of(p, i, 0, row);
        for (int k = 0; k < p->sys->info.n_all; k++)
            out[k] += (i + 1) * row[k];
    }
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void add_contact(zn_model *model, zn_node_id point, zn_node_id surface, zn_surface_kind kind, double radius)
{
    zn_contact_def def = zn_contact_def_default();
    def.point = (zn_attachment){point, {0.3, -0.2, 0.4}};
    def.surface_node = surface;
    def.surface = kind;
    def.through = surface.value ? zn_vec3_make(-0.2, 0.1, 0.3) : zn_vec3_make(0.5, 0.5, -1);
    def.normal = zn_vec3_make(1, -2, 3);
    def.radius = radius;
    def.surface_radius = kind == ZN_SURFACE_HOLE ? 5 : 0.4;
    def.friction = 0.3;
    CHECK_OK(zn_model_add_contact(model, &def));
}

// A point that a body, or the ground, carries.
typedef struct carried {
    const zn_system *sys;
    zn_attachment    point;
} carried;

static void place_of(void *user, const double *q, double *out)
{
    const carried *c = user;
    zn_vec3        x = zn_attachment_position(&c->sys->layout, &c->point, q);
    memcpy(out, (double[3]){x.x, x.y, x.z}, 3 * sizeof *out);
}

// The material point of a body that is at x.
static carried material_point(const zn_system *sys, zn_node_id id, const double *q, zn_vec3 x)
{
    carried c = {sys, {id, x}};
    if (id.value == 0)
        return c;
    const double *p = q + sys->layout.node[id.value - 1].q;
    zn_vec3       lever = zn_vec3_sub(x, zn_vec3_make(p[0], p[1], p[2]));
    c.point.at = zn_quat_rotate(zn_quat_conjugate((zn_quat){p[3], p[4], p[5], p[6]}), lever);
    return c;
}

// Tangential rows: the relative velocity of the material points at the contact point x_a - r n.
static void check_tangents(const probe *p, int i, zn_node_id a, zn_node_id b, double radius, const double *q,
                           const double *x)
{
    double  row[3][FIXTURE_MAX], va[3], vb[3];
    zn_vec3 direction[3];
    for (int r = 0; r < 3; r++) {
        row_of(p, i, r, row[r]);
        direction[r] = zn_vec3_make(row[r][0], row[r][1], row[r][2]);
        CHECK_NEAR(zn_vec3_norm(direction[r]), 1, 1e-14);
    }
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(zn_vec3_cross(direction[0], direction[1]), direction[2])), 0, 1e-14);
    zn_attachment centre = {a, {0.3, -0.2, 0.4}};
    zn_vec3 at = zn_vec3_sub(zn_attachment_position(&p->sys->layout, &centre, q), zn_vec3_scale(radius, direction[0]));
    carried on_a = material_point(p->sys, a, q, at), on_b = material_point(p->sys, b, q, at);
    derivative_along(p->sys, place_of, &on_a, q, x, 3, va);
    derivative_along(p->sys, place_of, &on_b, q, x, 3, vb);
    for (int r = 1; r < 3; r++) {
        zn_vec3 t = direction[r];
        double  sliding = t.x * (va[0] - vb[0]) + t.y * (va[1] - vb[1]) + t.z * (va[2] - vb[2]);
        CHECK_NEAR(dot(p->sys->info.n_all, row[r], x), sliding, 1e-10);
    }
}

static void test_contacts(void **state)
{
    (void)state;
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def def = make_def(skewed);
    zn_node_id  a, b, ground = {0};
    uint64_t    seed = 12;
    def.position = zn_vec3_make(1, 0.5, 2);
    CHECK_OK(zn_model_add_body(model, &def, &a));
    def.name = "other";
    def.position = zn_vec3_make(-1, 0.4, -0.7);
    CHECK_OK(zn_model_add_body(model, &def, &b));
    add_contact(model, a, ground, ZN_SURFACE_PLANE, 0.1);
    add_contact(model, a, ground, ZN_SURFACE_CIRCLE, 0.1);
    add_contact(model, a, ground, ZN_SURFACE_HOLE, 0.1);
    add_contact(model, a, b, ZN_SURFACE_PLANE, 0.1);
    add_contact(model, a, b, ZN_SURFACE_CIRCLE, 0.1);
    add_contact(model, a, b, ZN_SURFACE_HOLE, 0);
    fixture f = compile_fixture(model);
    probe   p = {.sys = f.sys};
    int     n = f.sys->info.n_all;
    CHECK_OK(zn_contact_set_create(f.sys, &p.set));
    assert_int_equal(p.set->stride, 3);
    for (int trial = 0; trial < 10; trial++) {
        double dq[FIXTURE_MAX], q[FIXTURE_MAX], x[FIXTURE_MAX], slope[6], row[FIXTURE_MAX], exact[FIXTURE_MAX],
            numeric[FIXTURE_MAX];
        const double lambda[18] = {[0] = 1, [3] = 2, [6] = 3, [9] = 4, [12] = 5, [15] = 6}; // normals
        random_fill(&seed, 0.4, n, dq);
        random_fill(&seed, 1, n, x);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        CHECK_OK(zn_contact_set_refresh(p.set, f.sys, q, 0));
        derivative_along(f.sys, gaps_of, &p, q, x, 6, slope);
        for (int i = 0; i < 6; i++) {
            row_of(&p, i, 0, row);
            CHECK_NEAR(dot(n, row, x), slope[i], 1e-10);
        }
        for (int i = 0; i < 6; i++)
            check_tangents(&p, i, a, i < 3 ? ground : b, i < 5 ? 0.1 : 0, q, x);
        derivative_along(f.sys, weighted_rows, &p, q, x, n, numeric);
        CHECK_OK(zn_contact_set_curvature(p.set, f.sys, q, 0, lambda, x, exact));
        for (int k = 0; k < n; k++)
            CHECK_NEAR(exact[k], numeric[k], 1e-8);
    }
    zn_contact_set_destroy(p.set);
    destroy_fixture(&f);
}

// --- boxes with nodes at their corners -----------------------------------------------------------

static zn_tied_body_def make_box(double share)
{
    zn_tied_body_def def = zn_tied_body_def_default();
    def.body.name = "block";
    def.body.mass = 46.8;
    def.box = zn_vec3_make(0.1, 0.2, 0.3);
    def.body.position = zn_vec3_make(0, 0.5, 1);
    def.body.rotation = zn_so3_exp(zn_vec3_make(0.2, -0.4, 0.9));
    def.body.velocity = zn_vec3_make(3, 0, -1);
    def.body.spin3 = zn_vec3_make(60, 60, 5);
    def.share = share;
    return def;
}

static void test_tied(void **state)
{
    (void)state;
    const double shares[] = {0.01, 0.1, 0.3};
    for (int k = 0; k < 3; k++) {
        zn_model        *model = make_model(false, zn_vec3_make(0, 0, -9.81), NULL);
        zn_tied_body_def def = make_box(shares[k]);
        zn_node_id       id;
        CHECK_OK(zn_model_add_tied_body(model, &def, &id));
        assert_int_equal(zn_model_find_node(model, "block").value, id.value);
        fixture         f = compile_fixture(model);
        zn_contact_set *set;
        zn_energy       energy;
        zn_vec3         linear, angular, w = def.body.spin3, v = def.body.velocity;
        double          scratch[40];
        zn_at           at = {f.sys->q0, f.sys->v0, 0, 0};
        assert_int_equal(f.sys->info.n, 6 + 24);
        assert_int_equal(f.sys->info.joints, 24);
        assert_int_equal(f.sys->info.parts, 1);
        // mass, inertia and momentum of the whole
        zn_mat3 J = diagonal(46.8 * 0.13 / 12, 46.8 * 0.10 / 12, 46.8 * 0.05 / 12);
        CHECK_OK(zn_system_part_energy(f.sys, at, 0, &energy));
        CHECK_NEAR(energy.kinetic, 0.5 * (46.8 * zn_vec3_dot(v, v) + zn_vec3_dot(w, zn_mat3_apply(J, w))), 1e-10);
        CHECK_NEAR(energy.gravity, 46.8 * 9.81, 1e-12);
        CHECK_OK(zn_system_momentum(f.sys, at, 0, scratch, &linear, &angular));
        zn_vec3 exact = zn_vec3_add(zn_vec3_cross(def.body.position, zn_vec3_scale(46.8, v)),
                                    zn_quat_rotate(def.body.rotation, zn_mat3_apply(J, w)));
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(linear, zn_vec3_scale(46.8, v))), 0, 1e-13);
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(angular, exact)), 0, 1e-12);
        // corners are where they should be and move along
        CHECK_OK(zn_contact_set_create(f.sys, &set));
        CHECK_OK(zn_contact_set_refresh(set, f.sys, f.sys->q0, 0));
        CHECK_BELOW(largest_of(24, set->gap), 1e-15);
        for (int i = 0; i < 24; i++) {
            double speed = 0;
            for (int e = set->row_start[i]; e < set->row_start[i + 1]; e++)
                speed += set->row_value[e] * f.sys->v0[set->row_dof[e]];
            CHECK_NEAR(speed, 0, 1e-14);
        }
        assert_string_equal(zn_contact_name(f.sys, set->id[23]), "block_tie[7]");
        assert_int_equal(zn_model_find_node(model, "block[7]").value, id.value + 8);
        assert_int_equal(zn_model_find_node(model, "block[8]").value, 0);
        zn_contact_set_destroy(set);
        destroy_fixture(&f);
    }
}

static void refuse_box(zn_tied_body_def def, bool planar, zn_status status, const char *message)
{
    log_capture log = {0};
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), &log);
    CHECK_STATUS(zn_model_add_tied_body(model, &def, NULL), status);
    CHECK_LOGGED(&log, message);
    zn_model_destroy(model);
}

static void test_tied_refused(void **state)
{
    (void)state;
    zn_tied_body_def def = make_box(0.34);
    refuse_box(def, false, ZN_ERR_MODEL,
               "body 'block': its inertia is too small for a share 0.34 of the mass at the corners of its box");
    refuse_box(make_box(0), false, ZN_ERR_MODEL, "body 'block': the share 0 of mass at the corners");
    refuse_box(make_box(1), false, ZN_ERR_MODEL, "body 'block': the share 1 of mass at the corners");
    refuse_box(make_box(0.1), true, ZN_ERR_UNSUPPORTED, "body 'block': corners are spatial");
    def = make_box(0.1);
    def.box.y = 0;
    refuse_box(def, false, ZN_ERR_MODEL, "body 'block': a side of its box is not positive and finite");
    def = make_box(0.1);
    def.body.mass = -1;
    refuse_box(def, false, ZN_ERR_MODEL, "body 'block': ");
    def = make_box(0.1);
    def.body.inertia3 = diagonal(0.01, 0.01, 0.01);
    refuse_box(def, false, ZN_ERR_MODEL, "body 'block': its inertia is too small");
    def = make_box(0.1);
    def.size = 0;
    refuse_box(def, false, ZN_ERR_ARGUMENT, "_def: not made by its default function");
    // a held box: its corners hold too
    zn_model *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    def = make_box(0.1);
    def.body.fixed = ZN_FIX_X | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_tied_body(model, &def, NULL));
    fixture f = compile_fixture(model);
    for (int i = 0; i < 8; i++) {
        const int *dof = f.sys->layout.node[1 + i].dof;
        CHECK_NEAR(f.sys->v0[dof[0]], 0, 0);
        CHECK_NEAR(f.sys->v0[dof[2]], -1, 0);
    }
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_principal),    cmocka_unit_test(test_refused),  cmocka_unit_test(test_operators),
        cmocka_unit_test(test_energy),       cmocka_unit_test(test_contacts), cmocka_unit_test(test_tied),
        cmocka_unit_test(test_tied_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
