// Contacts between two states: rows of the force beside the gradients of gaps at the end, those of straight rules and
// those of a rule with operations of its own.
#include "between_models.h"

enum { MAX = FIXTURE_MAX };

// A rule between two states, the simplest there is: the distance of a point of the plane from the origin, less its
// place. With g = |x| - 1 and the force along m = (x0 + x)/(|x0| + |x|), m.(x - x0) = |x| - |x0|, and the same with
// slip.
static zn_vec3 position_of(const void *rule, const zn_layout *layout, const double *q, int dof[2])
{
    const zn_layout_node *node = &layout->node[((const zn_point_plane *)rule)->point.node.value - 1];
    if (dof)
        dof[0] = node->dof[0], dof[1] = node->dof[1];
    return (zn_vec3){node->origin.x + q[node->q], node->origin.y + q[node->q + 1], 0};
}

static zn_status evaluate_round(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                double t, zn_contact_product *out)
{
    (void)key, (void)t;
    zn_vec3 x = position_of(rule, layout, q, out->dof);
    double  r = zn_vec3_norm(x);
    out->gap = r - 1;
    out->restitution = 0.5;
    out->friction = 0.2;
    if (!out->dof)
        return ZN_OK;
    out->entries = 2;
    memcpy(out->value, (double[2]){x.x / r, x.y / r}, 2 * sizeof(double));
    if (out->tangent[0])
        memcpy(out->tangent[0], (double[2]){-x.y / r, x.x / r}, 2 * sizeof(double));
    return ZN_OK;
}

static zn_status round_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                               zn_contact_product *out, double *const force[3])
{
    ZN_TRY(evaluate_round(rule, layout, key, s.to.q, s.to.t, out));
    zn_vec3 x0 = position_of(rule, layout, s.from.q, NULL), x = position_of(rule, layout, s.to.q, NULL);
    zn_vec3 m = zn_vec3_scale(1 / (zn_vec3_norm(x0) + zn_vec3_norm(x)), zn_vec3_add(x0, x));
    memcpy(force[0], (double[2]){m.x, m.y}, 2 * sizeof(double));
    memcpy(force[1], (double[2]){-m.y, m.x}, 2 * sizeof(double));
    memcpy(out->tangent[0], (double[2]){7, 8}, 2 * sizeof(double)); // whatever it says is taken
    *out = (zn_contact_product){.gap = out->gap - 0.25,
                                .rate = 1,
                                .restitution = 2,
                                .friction = 3,
                                .tangential_restitution = 4,
                                .entries = out->entries,
                                .dof = out->dof,
                                .value = out->value,
                                .tangent = {out->tangent[0]}};
    assert_true(force[2] == NULL && out->tangent[1] == NULL);
    return ZN_OK;
}

static zn_status round_curvature(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                 const double *lambda, const double *x, double *y)
{
    (void)key, (void)s;
    int dof[2];
    position_of(rule, layout, s.to.q, dof);
    y[dof[0]] += lambda[0] * x[dof[1]];
    y[dof[1]] += 10 * lambda[1];
    return ZN_OK;
}

static const zn_contact_ops round_ops = {.name = "round",
                                         .max_entries = 2,
                                         .evaluate = evaluate_round,
                                         .evaluate_between = round_between,
                                         .curvature_between = round_curvature};

// Two balls, the first on a fixed plane, with straight rows, the second on the rule above; both with friction.
static fixture make_balls(void)
{
    zn_model *model = make_model(true, zn_vec3_make(0, -1, 0), NULL);
    for (int i = 0; i < 2; i++) {
        zn_contact_def def = zn_contact_def_default();
        def.name = i == 0 ? "plane" : "round";
        def.point.node = add_body(model, i == 0 ? "low" : "high", zn_vec3_make(2, 3 + 4 * i, 0), 0);
        def.normal = zn_vec3_make(0.6, 0.8, 0);
        def.friction = 0.3;
        CHECK_OK(zn_model_add_contact(model, &def));
    }
    return compile_fixture(model);
}

static double row_times(const zn_contact_set *set, int row, const double *value, const double *d)
{
    double sum = 0;
    for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++)
        sum += value[k] * d[set->row_dof[k]];
    return sum;
}

typedef struct setting {
    fixture         f;
    zn_contact_set *set;
    two_ends        e;
    double          force[MAX];
} setting;

// The rule above takes the place of the second one.
static void make_setting(setting *t)
{
    uint64_t seed = 11;
    t->f = make_balls();
    t->f.model->rule[1].ops = &round_ops;
    t->f.sys->straight_contacts = false; // as if it had been so from the start
    t->set = NULL;
    CHECK_OK(zn_contact_set_create(t->f.sys, &t->set));
    assert_true(t->set->row_capacity <= MAX);
    random_ends(t->f.sys, 0.5, 0.4, &seed, &t->e);
    CHECK_OK(zn_contact_set_refresh(t->set, t->f.sys, t->e.q[0], 0));
    CHECK_OK(zn_contact_set_evaluate_between(t->set, t->f.sys, t->e.s, t->force));
}

static void destroy_setting(setting *t)
{
    zn_contact_set_destroy(t->set);
    destroy_fixture(&t->f);
}

// Rows of the force times the change of q are the change of the gap.
static void test_work(void **state)
{
    (void)state;
    setting t;
    double  d[MAX], gap[2][2];
    make_setting(&t);
    for (int k = 0; k < 2; k++)
        CHECK_OK(zn_contact_set_gaps(t.set, t.f.sys, t.e.q[k], 0, gap[k]));
    zn_system_difference(t.f.sys, t.e.q[1], t.e.q[0], d);
    for (int i = 0; i < 2; i++) {
        assert_true(t.set->gap[i] == gap[1][i] - 0.25 * i);
        CHECK_NEAR(row_times(t.set, 2 * i, t.force, d), gap[1][i] - gap[0][i], 1e-14);
        assert_true(fabs(gap[1][i] - gap[0][i]) > 0.1);
    }
    assert_true(fabs(row_times(t.set, 2, t.set->row_value, d) - gap[1][1] + gap[0][1]) >
                1e-3); // a gradient is not enough
    destroy_setting(&t);
}

// What a rule says arrives in its places, rows of the force beside its own; straight rules say it by their rows.
static void test_rows(void **state)
{
    (void)state;
    setting t;
    make_setting(&t);
    const int *start = t.set->row_start;
    for (int k = start[0]; k < start[2]; k++)
        assert_true(t.force[k] == t.set->row_value[k]);
    assert_true(start[2] > 0 && start[4] == start[2] + 4);
    assert_true(t.force[start[3]] == -t.force[start[2] + 1] && t.force[start[3] + 1] == t.force[start[2]]);
    assert_true(t.set->row_value[start[3]] == 7 && t.set->row_value[start[3] + 1] == 8);
    assert_true(t.set->friction[0] == 0.3 && t.set->rate[1] == 1 && t.set->restitution[1] == 2);
    assert_true(t.set->friction[1] == 3 && t.set->tangential_restitution[1] == 4);
    destroy_setting(&t);
}

static void test_curvature(void **state)
{
    (void)state;
    setting t;
    double  y[MAX], x[MAX] = {1, 2, 3, 4};
    int     dof[2];
    make_setting(&t);
    CHECK_OK(zn_contact_set_curvature_between(t.set, t.f.sys, t.e.s, (double[4]){1, 1, 5, 6}, x, y));
    position_of(t.f.model->rule[1].parameter, &t.f.sys->layout, t.e.q[1], dof);
    for (int i = 0; i < t.f.sys->info.n; i++)
        assert_true(y[i] == (i == dof[0] ? 5 * x[dof[1]] : i == dof[1] ? 60 : 0));
    zn_fault_inject(1);
    CHECK_STATUS(zn_contact_set_curvature_between(t.set, t.f.sys, t.e.s, (double[4]){1}, x, y), ZN_INVALID_STATE);
    zn_fault_inject(1);
    CHECK_STATUS(zn_contact_set_evaluate_between(t.set, t.f.sys, t.e.s, t.force), ZN_INVALID_STATE);
    destroy_setting(&t);
}

// A rule without straight rows and without the operation is named, and does not pass for one that has it.
static void test_lacking(void **state)
{
    (void)state;
    setting        t;
    zn_lacking     lack;
    zn_contact_ops none = round_ops;
    make_setting(&t);
    assert_false(zn_system_lacks_between(t.f.sys, &lack));
    none.evaluate_between = NULL;
    t.f.model->rule[1].ops = &none;
    assert_true(zn_system_lacks_between(t.f.sys, &lack));
    assert_string_equal(lack.what, "contact");
    assert_string_equal(lack.name, "round");
    CHECK_STATUS(zn_contact_set_evaluate_between(t.set, t.f.sys, t.e.s, t.force), ZN_ERR_UNSUPPORTED);
    destroy_setting(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_curvature),
        cmocka_unit_test(test_lacking),
    };
    return cmocka_run_group_tests_name("between contacts", tests, NULL, NULL);
}
