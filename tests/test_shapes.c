// Spheres against spheres, boxes and planes: gaps against closed forms, normal rows and curvature against finite
// differences, tangential rows against the velocity of material points, and what the rule refuses.
#include "fixtures.h"

#include "system/system.h"

// Two bodies that turn and move, or one and the ground; the sphere sits off the centre of the first.
static zn_model *make_pair(bool planar, zn_shape_def other, bool ground, double friction)
{
    zn_model   *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_node_id  a, b = {0};
    const char *names[] = {"ball", "other"};
    body.mass = 2;
    body.inertia = planar ? 0.3 : 0;
    body.inertia3 = planar ? body.inertia3 : (zn_mat3){{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}};
    body.position = zn_vec3_make(0.2, 0.1, 0);
    CHECK_OK(zn_model_add_body(model, &body, &a));
    body.position = zn_vec3_make(-0.1, 0.3, 0);
    CHECK_OK(zn_model_add_body(model, &body, &b));
    zn_shape_def ball = zn_shape_def_default();
    ball.name = names[0];
    ball.at = (zn_attachment){a, {0.05, -0.1, planar ? 0 : 0.2}};
    ball.radius = 0.7;
    CHECK_OK(zn_model_add_shape(model, &ball));
    other.name = names[1];
    other.at.node = ground ? (zn_node_id){0} : b;
    CHECK_OK(zn_model_add_shape(model, &other));
    zn_pairs_def pairs = zn_pairs_def_default();
    pairs.name = "rub";
    pairs.between = names;
    pairs.between_count = 2;
    pairs.friction = friction;
    pairs.restitution = 0.5;
    pairs.tangential_restitution = -0.25;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model;
}

typedef struct probe {
    const zn_system *sys;
    zn_contact_set  *set;
} probe;

static void gap_of(void *user, const double *q, double *out)
{
    probe *p = user;
    CHECK_OK(zn_contact_set_gaps(p->set, p->sys, q, 0, out));
}

static const double weight[3] = {1, -0.7, 0.4}; // of normal and tangents

static void rows_of(void *user, const double *q, double *out)
{
    probe *p = user;
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, 0));
    memset(out, 0, sizeof *out * (size_t)p->sys->info.n_all);
    for (int r = 0; r < p->set->stride; r++)
        for (int k = p->set->row_start[r]; k < p->set->row_start[r + 1]; k++)
            out[p->set->row_dof[k]] += weight[r] * p->set->row_value[k];
}

static double row_velocity(const zn_contact_set *set, int row, const double *v)
{
    double sum = 0;
    for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++)
        sum += set->row_value[k] * v[set->row_dof[k]];
    return sum;
}

// Near where another axis becomes the smallest component of the normal, tangents jump and have no derivative.
static bool tangents_jump(const zn_contact_set *set)
{
    double a = fabs(set->row_value[0]), b = fabs(set->row_value[1]), c = fabs(set->row_value[2]);
    double low = fmin(a, fmin(b, c)), middle = fmax(fmin(a, b), fmin(fmax(a, b), c));
    return set->stride == 3 && middle - low < 0.1;
}

static void check_derivatives(zn_model *model, uint64_t *seed, double range)
{
    fixture f = compile_fixture(model);
    probe   p = {.sys = f.sys};
    int     n = f.sys->info.n_all, checked = 0;
    CHECK_OK(zn_contact_set_create(f.sys, &p.set));
    for (int trial = 0; trial < 20; trial++) {
        double q[FIXTURE_MAX], dq[FIXTURE_MAX], v[FIXTURE_MAX], rate, numeric[FIXTURE_MAX], exact[FIXTURE_MAX];
        double speed = 0;
        random_fill(seed, range, n, dq);
        random_fill(seed, 1, n, v);
        zn_system_retract(f.sys, f.sys->q0, dq, q);
        CHECK_OK(zn_contact_set_refresh_within(p.set, f.sys, q, 0, (zn_reach){.margin = 100}));
        assert_true(p.set->count == 1 ||
                    (p.set->count > 1 && f.sys->info.planar)); // deep in a rectangle: several sides
        p.set->count = 1;
        derivative_along(f.sys, gap_of, &p, q, v, 1, &rate);
        CHECK_OK(zn_contact_set_evaluate(p.set, f.sys, q, 0));
        CHECK_NEAR(row_velocity(p.set, 0, v), rate, 1e-8);
        if (tangents_jump(p.set))
            continue;
        checked++;
        for (int r = 0; r < p.set->stride; r++) // normal and tangents are orthonormal: rows of a unit motion of A
            for (int k = p.set->row_start[r]; k < p.set->row_start[r] + (f.sys->info.planar ? 2 : 3); k++)
                speed += p.set->row_value[k] * p.set->row_value[k];
        CHECK_NEAR(speed, p.set->stride, 1e-13);
        derivative_along(f.sys, rows_of, &p, q, v, n, numeric);
        CHECK_OK(zn_contact_set_curvature(p.set, f.sys, q, 0, weight, v, exact));
        for (int k = 0; k < n; k++)
            CHECK_NEAR(exact[k], numeric[k], 1e-7);
    }
    assert_true(checked >= 5);
    zn_contact_set_destroy(p.set);
    destroy_fixture(&f);
}

static zn_shape_def shape_of(zn_shape_kind kind, bool planar)
{
    zn_shape_def def = zn_shape_def_default();
    def.kind = kind;
    def.radius = 0.4;
    def.box = zn_vec3_make(0.6, 0.8, planar ? 0 : 1.1);
    def.normal = zn_vec3_make(1, 2, planar ? 0 : -2);
    def.rotation = zn_so3_exp(planar ? zn_vec3_make(0, 0, 0.7) : zn_vec3_make(0.3, -0.5, 0.7));
    def.at.at = zn_vec3_make(0.02, -0.03, planar ? 0 : 0.04);
    return def;
}

static void test_derivatives(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int kind = ZN_SHAPE_SPHERE; kind <= ZN_SHAPE_PLANE; kind++)
        for (int planar = 0; planar < 2; planar++)
            for (int ground = 0; ground < 2; ground++)
                check_derivatives(make_pair(planar, shape_of((zn_shape_kind)kind, planar), ground, 0.3), &seed, 1.5);
}

// Box with sides 2, 4, 6 around (1, 2, 3), unturned: the sphere at x.
static double box_gap(zn_vec3 x, zn_vec3 *normal)
{
    zn_model   *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def body = zn_body_def_default();
    zn_node_id  id;
    const char *names[] = {"ball", "box"};
    body.mass = 1;
    body.position = x;
    CHECK_OK(zn_model_add_body(model, &body, &id));
    zn_shape_def ball = zn_shape_def_default(), box = zn_shape_def_default();
    ball.name = "ball";
    ball.at.node = id;
    ball.radius = 0.5;
    box.name = "box";
    box.kind = ZN_SHAPE_BOX;
    box.at.at = zn_vec3_make(1, 2, 3);
    box.box = zn_vec3_make(2, 4, 6);
    CHECK_OK(zn_model_add_shape(model, &ball));
    CHECK_OK(zn_model_add_shape(model, &box));
    zn_pairs_def pairs = zn_pairs_def_default();
    pairs.between = names;
    pairs.between_count = 2;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    fixture         f = compile_fixture(model);
    zn_contact_set *set = NULL;
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    CHECK_OK(zn_contact_set_refresh_within(set, f.sys, f.sys->q0, 0, (zn_reach){.margin = 100}));
    assert_int_equal(set->count, 1);
    *normal = zn_vec3_make(set->row_value[0], set->row_value[1], set->row_value[2]);
    double gap = set->gap[0];
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
    return gap;
}

static void test_box(void **state)
{
    (void)state;
    const struct {
        zn_vec3 x;
        double  gap;
        zn_vec3 n;
    } cases[] = {
        {{3, 2.5, 4}, 0.5, {1, 0, 0}}, // face
        {{1, -1, 3}, 0.5, {0, -1, 0}},
        {{5, 8, 4}, 4.5, {0.6, 0.8, 0}}, // edge, 3 and 4 away
        {{-1, 1, -2}, sqrt(5) - 0.5, {-1 / sqrt(5), 0, -2 / sqrt(5)}},
        {{3, 6, 8}, sqrt(9) - 0.5, {1.0 / 3, 2.0 / 3, 2.0 / 3}}, // corner (2, 4, 6)
        {{1.7, 2, 3}, -0.3 - 0.5, {1, 0, 0}},                    // centre inside: the nearest face
        {{1, 2, 0.1}, -0.1 - 0.5, {0, 0, -1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        zn_vec3 n;
        CHECK_NEAR(box_gap(cases[i].x, &n), cases[i].gap, 1e-14);
        CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(n, cases[i].n)), 0, 1e-14);
    }
}

// --- what is refused -----------------------------------------------------------------------------

static void test_refusals(void **state)
{
    (void)state;
    zn_model    *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def  body = zn_body_def_default();
    zn_node_id   id;
    zn_shape_def shape = zn_shape_def_default();
    zn_pairs_def pairs = zn_pairs_def_default();
    const char  *names[] = {"a", "b"}, *unknown[] = {"c"};
    body.mass = 1;
    CHECK_OK(zn_model_add_body(model, &body, &id));
    shape.name = "a";
    CHECK_STATUS(zn_model_add_shape(model, &shape), ZN_ERR_MODEL); // no radius
    shape.radius = NAN;
    CHECK_STATUS(zn_model_add_shape(model, &shape), ZN_ERR_MODEL);
    shape.kind = ZN_SHAPE_PLANE;
    CHECK_STATUS(zn_model_add_shape(model, &shape), ZN_ERR_MODEL); // no normal
    shape.kind = ZN_SHAPE_BOX;
    shape.box = zn_vec3_make(1, -1, 1);
    CHECK_STATUS(zn_model_add_shape(model, &shape), ZN_ERR_MODEL);
    shape.box = zn_vec3_make(1, 1, 1);
    shape.at.node = id;
    CHECK_OK(zn_model_add_shape(model, &shape));
    shape.name = "b";
    shape.at.node = (zn_node_id){0};
    CHECK_OK(zn_model_add_shape(model, &shape));
    pairs.between = names;
    CHECK_STATUS(zn_model_add_pairs(model, &pairs), ZN_ERR_MODEL); // no names
    pairs.between_count = 2;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    pairs.between_count = 1;
    CHECK_STATUS(zn_model_add_pairs(model, &pairs), ZN_ERR_MODEL); // a single box
    pairs.against = unknown;
    pairs.against_count = 1;
    CHECK_STATUS(zn_model_add_pairs(model, &pairs), ZN_ERR_MODEL);
    zn_lattice_def lattice = zn_lattice_def_default();
    lattice.body.mass = 1;
    CHECK_STATUS(zn_model_add_lattice(model, &lattice), ZN_ERR_MODEL); // no name
    lattice.body.name = "grain";
    lattice.count[1] = 0;
    CHECK_STATUS(zn_model_add_lattice(model, &lattice), ZN_ERR_MODEL);
    lattice.count[1] = 2;
    lattice.limit = 3;
    CHECK_STATUS(zn_model_add_lattice(model, &lattice), ZN_ERR_MODEL);
    zn_model_destroy(model);
}

// Many spheres, of which the set finds those that are near.
static fixture make_row(int count)
{
    zn_model      *model = make_model(false, zn_vec3_make(0, 0, 0), NULL);
    zn_lattice_def def = zn_lattice_def_default();
    zn_pairs_def   pairs = zn_pairs_def_default();
    const char    *names[] = {"grain"};
    def.body.name = "grain";
    def.body.mass = 1;
    def.count[0] = count;
    def.spacing = zn_vec3_make(1, 0, 0);
    def.sphere = 0.5;
    CHECK_OK(zn_model_add_lattice(model, &def));
    pairs.between = names;
    pairs.between_count = 1;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return compile_fixture(model);
}

static void test_positions_that_are_no_numbers(void **state)
{
    (void)state;
    fixture         f = make_row(20);
    zn_contact_set *set = NULL;
    double          q[FIXTURE_MAX];
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    q[1] = NAN;
    CHECK_STATUS(zn_contact_set_refresh(set, f.sys, q, 0), ZN_NOT_FINITE);
    q[1] = INFINITY;
    CHECK_STATUS(zn_contact_set_refresh(set, f.sys, q, 0), ZN_NOT_FINITE);
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

// A row of touching spheres: neighbours are contacts, ids are those of the pairs, and results stay with them.
static void test_contacts_come_and_go(void **state)
{
    (void)state;
    enum { COUNT = 20 };
    fixture         f = make_row(COUNT);
    zn_contact_set *set = NULL;
    double          q[FIXTURE_MAX];
    CHECK_OK(zn_contact_set_create(f.sys, &set));
    memcpy(q, f.sys->q0, sizeof *q * (size_t)f.sys->info.nq);
    CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
    assert_int_equal(set->count, COUNT - 1);
    for (int i = 0; i < set->count; i++) {
        assert_int_equal(zn_contact_id_number(set->id[i]), i * COUNT + i + 1);
        CHECK_NEAR(set->gap[i], 0, 1e-14);
        set->impulse[i] = i + 1;
    }
    q[3 * 7] += 0.3; // the eighth leaves the seventh and meets the ninth, and the tenth hides behind the first
    q[3 * 9] = -1;
    CHECK_OK(zn_contact_set_refresh(set, f.sys, q, 0));
    assert_int_equal(set->count, COUNT - 3);
    assert_int_equal(zn_contact_id_number(set->id[0]), 1);
    assert_int_equal(zn_contact_id_number(set->id[1]), 9); // 0 and 9
    CHECK_NEAR(set->impulse[1], 0, 0);
    for (int i = 0; i < set->count; i++)
        if (zn_contact_id_number(set->id[i]) != 9)
            CHECK_NEAR(set->impulse[i], (double)(zn_contact_id_number(set->id[i]) / COUNT + 1), 0);
    zn_contact_set_destroy(set);
    destroy_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_positions_that_are_no_numbers),
        cmocka_unit_test(test_contacts_come_and_go),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
