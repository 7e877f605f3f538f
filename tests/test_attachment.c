// A point carried by a node: position, velocity, row and curvature for the four kinds of nodes and the ground.
// Positions are checked against closed forms, all derivatives against central differences through zn_system_retract.
#include "fixtures.h"

#include "model/attachment.h"
#include "system/system.h"

static const zn_node_kind kinds[] = {ZN_POINT2, ZN_FRAME2, ZN_POINT3, ZN_FRAME3};

// One node of each kind, its initial values, and a second node before it so that indices are not all zero. The nodes
// are fixed because nothing gives them mass; their degrees of freedom exist all the same.
static fixture make_node(zn_node_kind kind, zn_node_id *out)
{
    bool        planar = kind == ZN_POINT2 || kind == ZN_FRAME2;
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_node_def node = zn_node_def_default();
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, NULL));
    node.kind = kind;
    node.origin = zn_vec3_make(10, -20, planar ? 0 : 30);
    node.position = zn_vec3_make(10.5, -19, planar ? 0 : 29.5);
    node.angle = 0.3;
    node.rotation = zn_so3_exp(zn_vec3_make(0.4, -0.2, 0.9));
    node.fixed = ZN_FIX_X | ZN_FIX_Y | ZN_FIX_Z | ZN_FIX_ROTATION;
    CHECK_OK(zn_model_add_node(model, &node, out));
    return compile_fixture(model);
}

static zn_attachment make_point(zn_node_kind kind, zn_node_id node)
{
    zn_attachment a = {.node = node};
    if (zn_node_rotates(kind))
        a.at = zn_vec3_make(0.7, -0.4, kind == ZN_FRAME3 ? 0.6 : 0);
    return a;
}

static void random_configuration(const zn_system *sys, uint64_t *seed, double *q)
{
    double dq[FIXTURE_MAX];
    random_fill(seed, 1, sys->info.n_all, dq);
    zn_system_retract(sys, sys->q0, dq, q);
}

typedef struct probe {
    const zn_layout     *layout;
    const zn_attachment *a;
    zn_vec3              n;
    int                  n_all;
} probe;

static void position_of(void *user, const double *q, double *out)
{
    const probe *p = user;
    zn_vec3      x = zn_attachment_position(p->layout, p->a, q);
    out[0] = x.x, out[1] = x.y, out[2] = x.z;
}

// The row, spread over all degrees of freedom.
static void row_of(void *user, const double *q, double *out)
{
    const probe *p = user;
    int          dof[ZN_ATTACHMENT_DOFS];
    double       value[ZN_ATTACHMENT_DOFS];
    int          count = zn_attachment_row(p->layout, p->a, q, p->n, dof, value);
    memset(out, 0, sizeof *out * (size_t)p->n_all);
    for (int i = 0; i < count; i++) {
        assert_in_range(dof[i], 0, p->n_all - 1);
        out[dof[i]] += value[i];
    }
}

static void test_position(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        zn_node_id    id;
        fixture       f = make_node(kinds[k], &id);
        zn_attachment a = make_point(kinds[k], id);
        zn_vec3       x = zn_attachment_position(&f.sys->layout, &a, f.sys->q0);
        zn_vec3       expected = {10.5, -19, kinds[k] == ZN_POINT3 || kinds[k] == ZN_FRAME3 ? 29.5 : 0};
        if (kinds[k] == ZN_FRAME2) { // R(phi) a
            expected.x += cos(0.3) * 0.7 + sin(0.3) * 0.4;
            expected.y += sin(0.3) * 0.7 - cos(0.3) * 0.4;
        }
        if (kinds[k] == ZN_FRAME3) { // Rodrigues: a cos + (u x a) sin + u (u.a)(1 - cos)
            zn_vec3 psi = {0.4, -0.2, 0.9}, u = zn_vec3_scale(1 / zn_vec3_norm(psi), psi);
            double  phi = zn_vec3_norm(psi);
            zn_vec3 turned =
                zn_vec3_add(zn_vec3_scale(cos(phi), a.at), zn_vec3_scale(sin(phi), zn_vec3_cross(u, a.at)));
            turned = zn_vec3_add(turned, zn_vec3_scale((1 - cos(phi)) * zn_vec3_dot(u, a.at), u));
            expected = zn_vec3_add(expected, turned);
        }
        CHECK_NEAR(x.x, expected.x, 1e-14);
        CHECK_NEAR(x.y, expected.y, 1e-14);
        CHECK_NEAR(x.z, expected.z, 1e-14);
        destroy_fixture(&f);
    }
}

// dx/dt along the motion v from q is the velocity; n . of it is row . v.
static void test_velocity_and_row(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        zn_node_id    id;
        fixture       f = make_node(kinds[k], &id);
        int           n_all = f.sys->info.n_all;
        zn_attachment a = make_point(kinds[k], id);
        for (int trial = 0; trial < 10; trial++) {
            double q[FIXTURE_MAX], v[FIXTURE_MAX], row[FIXTURE_MAX], rate[3];
            probe  p = {&f.sys->layout, &a, {random_unit(&seed), random_unit(&seed), 0}, n_all};
            p.n.z = f.sys->info.planar ? 0 : random_unit(&seed);
            random_configuration(f.sys, &seed, q);
            random_fill(&seed, 1, n_all, v);
            derivative_along(f.sys, position_of, &p, q, v, 3, rate);
            zn_vec3 velocity = zn_attachment_velocity(&f.sys->layout, &a, q, v);
            CHECK_NEAR(velocity.x, rate[0], 1e-10);
            CHECK_NEAR(velocity.y, rate[1], 1e-10);
            CHECK_NEAR(velocity.z, rate[2], 1e-10);
            row_of(&p, q, row);
            double along = 0;
            for (int i = 0; i < n_all; i++)
                along += row[i] * v[i];
            CHECK_NEAR(along, p.n.x * rate[0] + p.n.y * rate[1] + p.n.z * rate[2], 1e-10);
            CHECK_NEAR(along, zn_vec3_dot(p.n, velocity), 1e-14);
        }
        destroy_fixture(&f);
    }
}

// d(row)/dq x: the curvature block on the rotations, nothing on the translations.
static void test_curvature(void **state)
{
    (void)state;
    uint64_t seed = 2;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        zn_node_id    id;
        fixture       f = make_node(kinds[k], &id);
        int           n_all = f.sys->info.n_all, dof[ZN_ATTACHMENT_DOFS];
        zn_attachment a = make_point(kinds[k], id);
        zn_attachment_dofs(&f.sys->layout, &a, dof);
        for (int trial = 0; trial < 10; trial++) {
            double q[FIXTURE_MAX], x[FIXTURE_MAX], numeric[FIXTURE_MAX], exact[FIXTURE_MAX] = {0};
            probe  p = {&f.sys->layout, &a, {random_unit(&seed), random_unit(&seed), 0}, n_all};
            p.n.z = f.sys->info.planar ? 0 : random_unit(&seed);
            random_configuration(f.sys, &seed, q);
            random_fill(&seed, 1, n_all, x);
            zn_mat3 S = zn_attachment_curvature(&f.sys->layout, &a, q, p.n);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    if (dof[3 + i] >= 0 && dof[3 + j] >= 0)
                        exact[dof[3 + i]] += S.m[i][j] * x[dof[3 + j]];
                    else
                        CHECK_NEAR(S.m[i][j], 0, 0);
                }
            derivative_along(f.sys, row_of, &p, q, x, n_all, numeric);
            for (int i = 0; i < n_all; i++)
                CHECK_NEAR(exact[i], numeric[i], 1e-10);
            if (zn_node_rotates(kinds[k])) // the check above must see something
                assert_true(largest_of(n_all, exact) > 1e-3);
        }
        destroy_fixture(&f);
    }
}

static void test_ground(void **state)
{
    (void)state;
    zn_node_id    id;
    fixture       f = make_node(ZN_FRAME3, &id);
    zn_attachment ground = {.at = {1, 2, 3}};
    double        v[FIXTURE_MAX], value[ZN_ATTACHMENT_DOFS];
    int           dof[ZN_ATTACHMENT_DOFS];
    for (int i = 0; i < FIXTURE_MAX; i++)
        v[i] = 1;
    zn_vec3 n = {0.6, 0, 0.8}, x = zn_attachment_position(&f.sys->layout, &ground, f.sys->q0);
    zn_vec3 speed = zn_attachment_velocity(&f.sys->layout, &ground, f.sys->q0, v);
    CHECK_NEAR(x.x, 1, 0);
    CHECK_NEAR(x.y, 2, 0);
    CHECK_NEAR(x.z, 3, 0);
    CHECK_NEAR(zn_vec3_norm(speed), 0, 0);
    assert_int_equal(zn_attachment_row(&f.sys->layout, &ground, f.sys->q0, n, dof, value), 0);
    zn_attachment_dofs(&f.sys->layout, &ground, dof);
    zn_mat3 S = zn_attachment_curvature(&f.sys->layout, &ground, f.sys->q0, n);
    for (int i = 0; i < ZN_ATTACHMENT_DOFS; i++)
        assert_int_equal(dof[i], -1);
    for (int i = 0; i < 9; i++)
        CHECK_NEAR(S.m[i / 3][i % 3], 0, 0);
    destroy_fixture(&f);
}

// Absent degrees of freedom are -1 and present ones distinct, for each kind.
static void test_dofs(void **state)
{
    (void)state;
    static const char *const present[] = {"xy....", "xy...z", "xyz...", "xyzxyz"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        zn_node_id    id;
        fixture       f = make_node(kinds[k], &id);
        zn_attachment a = make_point(kinds[k], id);
        int           dof[ZN_ATTACHMENT_DOFS];
        zn_attachment_dofs(&f.sys->layout, &a, dof);
        for (int i = 0; i < ZN_ATTACHMENT_DOFS; i++) {
            assert_int_equal(dof[i] >= 0, present[k][i] != '.');
            for (int j = 0; j < i; j++)
                assert_true(dof[i] < 0 || dof[i] != dof[j]);
        }
        destroy_fixture(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_position),  cmocka_unit_test(test_velocity_and_row),
        cmocka_unit_test(test_curvature), cmocka_unit_test(test_ground),
        cmocka_unit_test(test_dofs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
