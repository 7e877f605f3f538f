// Contacts of points and balls with rigid surfaces between two states: the force acts along a unit vector between the
// normals of the ends and works as much as the gap changes, divided by what it lacks of their mean; forces and moments
// cancel about the middle; bodies that move as one neither close the gap nor slip; gradients and curvature.
#include "rule_between.h"

#include "model/contact/contact.h"

typedef struct touch_case {
    zn_surface_kind surface;
    bool            planar, ground, central, bounded;
    double          radius, friction;
} touch_case;

static zn_model *make_touch(touch_case c)
{
    zn_model      *model = make_model(c.planar, zn_vec3_make(0, 0, 0), NULL);
    zn_node_id     a = rule_body(model, "a", c.planar, zn_vec3_make(0.9, 0.8, -0.4));
    zn_node_id     b = rule_body(model, "b", c.planar, zn_vec3_make(0.2, 0.1, 0.3));
    zn_contact_def def = zn_contact_def_default();
    double         deep = c.planar ? 0 : 1;
    def.name = "touch";
    def.point.node = a;
    if (!c.central)
        def.point.at = zn_vec3_make(0.3, -0.4, 0.2 * deep);
    def.surface = c.surface;
    def.surface_node = c.ground ? (zn_node_id){0} : b;
    def.through = zn_vec3_make(-0.3, 0.1, 0.2 * deep);
    def.normal = c.surface == ZN_SURFACE_PLANE ? zn_vec3_make(0.5, 0.7, 0.4 * deep) : def.normal;
    def.axis = zn_vec3_make(0.7, 0.3, 0);
    def.surface_radius = c.surface == ZN_SURFACE_PLANE || c.surface == ZN_SURFACE_SLOT ? def.surface_radius : 0.8;
    def.width = c.surface == ZN_SURFACE_SLOT ? 1.5 : def.width;
    def.radius = c.radius;
    def.friction = c.friction;
    def.length = c.bounded ? 20 : 0;
    def.breadth = c.bounded && !c.planar ? 20 : 0;
    def.depth = c.bounded ? 20 : 0;
    def.along = c.bounded && !c.planar ? zn_vec3_make(0.1, 0.2, 0.9) : def.along;
    if (c.surface != ZN_SURFACE_SLOT)
        def.axis = zn_contact_def_default().axis;
    CHECK_OK(zn_model_add_contact(model, &def));
    return model;
}

// --- what forces must do ---------------------------------------------------------------------------

static zn_contact_location location(const rule_setting *t, int i, int end)
{
    const zn_contact_rule *rule = &t->f.model->rule[0];
    zn_contact_location    at;
    CHECK_OK(
        rule->ops->locate(rule->parameter, &t->f.sys->layout, zn_contact_key_of(t->set->id[i], 0), t->q[end], &at));
    return at;
}

// Along what the force of a row pushes the first body.
static zn_vec3 push_of(const rule_setting *t, int row)
{
    const double *value = t->force + t->set->row_start[row];
    return (zn_vec3){value[0], value[1], t->f.sys->info.planar ? 0 : value[2]};
}

// Mean of the normals; of a round surface, of the distances from its centre, the sum of which it is relative to.
static zn_vec3 mean_normal(const rule_setting *t, int i, const double *gap0, const double *gap1, double round,
                           double sizes)
{
    zn_vec3 n0 = location(t, i, 0).normal, n1 = location(t, i, 1).normal;
    double  d0 = round != 0 ? sizes + round * gap0[i] : 1, d1 = round != 0 ? sizes + round * gap1[i] : 1;
    return zn_vec3_scale(1 / (d0 + d1), zn_vec3_add(zn_vec3_scale(d0, n0), zn_vec3_scale(d1, n1)));
}

static void check_forces(const rule_setting *t, int i, double round, double sizes, bool ground)
{
    double  gap[2][RULE_MAX], lambda[RULE_MAX] = {0}, f[FIXTURE_MAX];
    int     stride = t->set->stride, row = i * stride;
    zn_vec3 n = push_of(t, row), force, moment;
    rule_gaps(t, gap[0], gap[1]);
    zn_vec3 mean = mean_normal(t, i, gap[0], gap[1], round, sizes);
    CHECK_NEAR(zn_vec3_norm(n), 1, 1e-15);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_cross(n, mean)), 0, 1e-14);
    CHECK_NEAR(rule_row(t, row, t->force, t->way) * zn_vec3_norm(mean), gap[1][i] - gap[0][i], 1e-14);
    assert_true(zn_vec3_dot(n, mean) > 0 && fabs(gap[1][i] - gap[0][i]) > 1e-4);
    for (int r = 1; r < stride; r++) {
        zn_vec3 tangent = push_of(t, row + r);
        CHECK_NEAR(zn_vec3_norm(tangent), 1, 1e-15);
        CHECK_NEAR(zn_vec3_dot(tangent, n), 0, 1e-15);
        assert_true(r < 2 || fabs(zn_vec3_dot(tangent, push_of(t, row + 1))) < 1e-15);
        assert_true(zn_vec3_dot(tangent, location(t, i, 1).tangent[r - 1]) > 0.4);
    }
    for (int r = 0; r < stride && !ground; r++) {
        memset(lambda, 0, sizeof lambda);
        lambda[row + r] = 1;
        rule_force(t, lambda, f);
        rule_resultant(t, f, &force, &moment);
        CHECK_NEAR(zn_vec3_norm(force), 0, 1e-15);
        CHECK_NEAR(zn_vec3_norm(moment), 0, 1e-14);
    }
}

// Every body turns about the origin and moves, all in the same way.
static void move_as_one(rule_setting *t, zn_vec3 turn, zn_vec3 shift)
{
    const zn_layout *layout = &t->f.sys->layout;
    zn_quat          R = zn_so3_exp(turn);
    for (int i = 0; i < layout->nodes; i++) {
        const zn_layout_node *node = &layout->node[i];
        zn_rigid              b = zn_rigid_at(layout, (zn_node_id){i + 1}, t->q[0]);
        zn_vec3               x = zn_vec3_sub(zn_vec3_add(zn_quat_rotate(R, b.position), shift), node->origin);
        double               *q = t->q[1] + node->q, *from = t->q[0] + node->q;
        q[0] = x.x;
        q[1] = x.y;
        if (node->kind == ZN_FRAME2)
            q[2] = from[2] + turn.z;
        else {
            zn_quat r = zn_quat_product(R, (zn_quat){from[3], from[4], from[5], from[6]});
            memcpy(q + 2, (double[5]){x.z, r.w, r.x, r.y, r.z}, 5 * sizeof(double));
        }
    }
    rule_evaluate(t);
}

static void check_as_one(rule_setting *t)
{
    bool planar = t->f.sys->info.planar;
    move_as_one(t, zn_vec3_make(planar ? 0 : 0.7, planar ? 0 : -0.5, 1.1), zn_vec3_make(2, -1, planar ? 0 : 3));
    for (int row = 0; row < t->set->count * t->set->stride; row++)
        CHECK_NEAR(rule_row(t, row, t->force, t->way), 0, 3e-15);
}

// --- surfaces --------------------------------------------------------------------------------------

static void check_case(touch_case c, uint64_t *seed)
{
    rule_setting t;
    double       round = c.surface == ZN_SURFACE_CIRCLE ? 1 : c.surface == ZN_SURFACE_HOLE ? -1 : 0;
    rule_open(&t, make_touch(c), 0.3, seed);
    assert_int_equal(t.set->count, c.surface == ZN_SURFACE_SLOT ? 2 : 1);
    for (int i = 0; i < t.set->count; i++)
        check_forces(&t, i, round, 0.8 + round * c.radius, c.ground);
    rule_check_derivatives(&t, seed);
    if (!c.ground)
        check_as_one(&t);
    rule_close(&t);
}

static void test_surfaces(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int way = 0; way < 16; way++)
        for (int surface = ZN_SURFACE_PLANE; surface <= ZN_SURFACE_SLOT; surface++) {
            bool       planar = way & 1, central = way & 8;
            touch_case c = {(zn_surface_kind)surface, planar,           way & 2, central, false,
                            central ? 0 : 0.2,        way & 4 ? 0.3 : 0};
            if (surface == ZN_SURFACE_SLOT && !planar)
                continue;
            check_case(c, &seed);
            c.radius = 0.1; // also in the centre of a body: a wheel
            check_case(c, &seed);
        }
}

static void test_bounded(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int way = 0; way < 4; way++)
        check_case((touch_case){ZN_SURFACE_PLANE, way & 1, way & 2, false, true, 0.1, 0.3}, &seed);
}

// A journal that crosses its bearing: the force is that of the end. In the very centre it still has a direction.
static void check_crossing(bool planar)
{
    uint64_t     seed = 13;
    rule_setting t;
    rule_open(&t, make_touch((touch_case){ZN_SURFACE_HOLE, planar, true, true, false, 0, 0.3}), 0.3, &seed);
    const zn_vec3 centre = {-0.3, 0.1, 0.2}, origin = t.f.sys->layout.node[0].origin;
    const double  end[2][3] = {{0.5, 0.2, 0.1}, {-0.6, 0.1, 0.2}};
    for (int k = 0; k < 2; k++) {
        t.q[k][0] = centre.x - origin.x + end[k][0];
        t.q[k][1] = centre.y - origin.y + end[k][1];
        if (!planar)
            t.q[k][2] = centre.z - origin.z + end[k][2];
    }
    rule_evaluate(&t);
    CHECK_NEAR(zn_vec3_norm(zn_vec3_sub(push_of(&t, 0), location(&t, 0, 1).normal)), 0, 1e-15);
    rule_check_derivatives(&t, &seed);
    t.q[1][0] = centre.x - origin.x;
    t.q[1][1] = centre.y - origin.y;
    if (!planar)
        t.q[1][2] = centre.z - origin.z;
    rule_evaluate(&t);
    for (int row = 0; row < t.set->stride; row++)
        CHECK_NEAR(zn_vec3_norm(push_of(&t, row)), 1, 1e-15);
    rule_close(&t);
}

static void test_crossing(void **state)
{
    (void)state;
    check_crossing(true);
    check_crossing(false);
}

// --- pairs -----------------------------------------------------------------------------------------

static zn_model *make_shapes(bool planar, bool sphere, double friction)
{
    zn_model    *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_shape_def ball = zn_shape_def_default(), other = zn_shape_def_default();
    zn_pairs_def def = zn_pairs_def_default();
    double       deep = planar ? 0 : 1;
    ball.name = other.name = "shapes";
    ball.at = (zn_attachment){rule_body(model, "a", planar, zn_vec3_make(0.9, 0.8, -0.4)), {0.3, -0.4, 0.2 * deep}};
    other.at = (zn_attachment){rule_body(model, "b", planar, zn_vec3_make(0.2, 0.1, 0.3)), {-0.3, 0.1, 0.2 * deep}};
    ball.radius = 0.3;
    other.kind = sphere ? ZN_SHAPE_SPHERE : ZN_SHAPE_PLANE;
    other.radius = sphere ? 0.5 : other.radius;
    other.normal = sphere ? other.normal : zn_vec3_make(0.5, 0.7, 0.4 * deep);
    CHECK_OK(zn_model_add_shape(model, &ball));
    CHECK_OK(zn_model_add_shape(model, &other));
    def.name = "pairs";
    def.between = (const char *const[]){"shapes"};
    def.between_count = 1;
    def.friction = friction;
    CHECK_OK(zn_model_add_pairs(model, &def));
    return model;
}

static void test_pairs(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int way = 0; way < 8; way++) {
        rule_setting t;
        bool         sphere = way & 2;
        rule_open(&t, make_shapes(way & 1, sphere, way & 4 ? 0.4 : 0), 0.3, &seed);
        assert_int_equal(t.set->count, 1);
        check_forces(&t, 0, sphere, 0.8, false);
        rule_check_derivatives(&t, &seed);
        check_as_one(&t);
        rule_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_surfaces), cmocka_unit_test(test_bounded),
                                       cmocka_unit_test(test_crossing), cmocka_unit_test(test_pairs)};
    return cmocka_run_group_tests_name("rigid contacts between two states", tests, NULL, NULL);
}
