// Every pair of shapes that meets, in space and in the plane: two bodies near each other in random poses; rows of all
// contacts that are listed against differences of gaps and displacements, curvature against differences of rows.
#include "contact_derivatives.h"

#include "mesh_samples.h"
#include "model/contact/meet.h"
#include "system/system.h"

static const zn_vec3 hull_points[] = {{0.5, 0, -0.3},   {-0.4, 0.3, -0.2}, {-0.3, -0.4, -0.3}, {0.2, 0.1, 0.5},
                                      {-0.2, 0.2, 0.4}, {0.1, 0.5, 0.1},   {0.4, -0.3, 0.3},   {0, -0.5, 0.2}};

static const zn_contour_side sides[] = {
    {{-0.6, -0.4, 0}, 0.3}, {{0.5, -0.5, 0}, 0}, {{0.6, 0.4, 0}, -0.2}, {{0, 0.2, 0}, 0}, {{-0.3, 0.6, 0}, 0.4}};

static zn_shape_def shape_of(zn_shape_kind kind, bool planar, double length, const sample *mesh)
{
    zn_shape_def def = zn_shape_def_default();
    def.kind = kind;
    def.radius = kind == ZN_SHAPE_CAPSULE ? 0.2 : 0.4;
    def.length = kind == ZN_SHAPE_CYLINDER ? length : 0.7;
    def.box = zn_vec3_make(0.6, 0.8, planar ? 0 : 1.1);
    def.normal = zn_vec3_make(1, 2, planar ? 0 : -2);
    def.rotation = zn_so3_exp(planar ? zn_vec3_make(0, 0, 0.7) : zn_vec3_make(0.3, -0.5, 0.7));
    def.at.at = zn_vec3_make(0.02, -0.03, planar ? 0 : 0.04);
    if (kind == ZN_SHAPE_HULL)
        def.points = hull_points, def.point_count = sizeof hull_points / sizeof *hull_points;
    if (kind == ZN_SHAPE_MESH) {
        def.points = mesh->point, def.point_count = mesh->points;
        def.triangles = mesh->corner, def.triangle_count = mesh->triangles;
    }
    if (kind == ZN_SHAPE_CONTOUR)
        def.sides = sides, def.side_count = sizeof sides / sizeof *sides;
    return def;
}

static zn_model *make_pair(bool planar, zn_shape_def a, zn_shape_def b)
{
    zn_model     *model = make_model(planar, zn_vec3_make(0, 0, 0), NULL);
    zn_body_def   body = zn_body_def_default();
    const char   *names[] = {"first", "second"};
    zn_shape_def *shape[] = {&a, &b};
    body.mass = 2;
    body.inertia = planar ? 0.3 : 0;
    body.inertia3 = planar ? body.inertia3 : (zn_mat3){{{1, 0, 0}, {0, 2, 0}, {0, 0, 2.5}}};
    for (int i = 0; i < 2; i++) {
        CHECK_OK(zn_model_add_body(model, &body, &shape[i]->at.node));
        shape[i]->name = names[i];
        CHECK_OK(zn_model_add_shape(model, shape[i]));
    }
    zn_pairs_def pairs = zn_pairs_def_default();
    pairs.name = "rub";
    pairs.between = names;
    pairs.between_count = 2;
    pairs.friction = 0.3;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model;
}

static double least_of(const zn_contact_set *set)
{
    double least = INFINITY;
    for (int i = 0; i < set->count; i++)
        least = fmin(least, set->gap[i]);
    return least;
}

// The first body comes from afar until it is a centimetre away. False: it passes the other one.
static bool approach(const zn_system *sys, zn_contact_set *set, uint64_t *seed, double *q)
{
    int    n = sys->info.n_all, half = n / 2, axes = sys->info.planar ? 2 : 3;
    double turn[FIXTURE_MAX], step[FIXTURE_MAX] = {0}, way[3], length = 0;
    random_fill(seed, 2, n, turn);
    random_fill(seed, 1, axes, way);
    for (int i = 0; i < axes; i++)
        length += way[i] * way[i];
    for (int i = 0; i < axes; i++) {
        way[i] /= sqrt(length);
        turn[half + i] *= 0.1;
        turn[i] = 0.1 * turn[i] - 3 * way[i];
    }
    zn_system_retract(sys, sys->q0, turn, q);
    for (int k = 0; k < 60; k++) {
        CHECK_OK(zn_contact_set_refresh_within(set, sys, q, 0, (zn_reach){.margin = 6}));
        double least = least_of(set);
        if (!(least > 0) || least > 5)
            return false;
        if (least < 0.012)
            break;
        for (int i = 0; i < axes; i++)
            step[i] = (least - 0.01) * way[i];
        zn_system_retract(sys, q, step, q);
    }
    CHECK_OK(zn_contact_set_refresh_within(set, sys, q, 0, (zn_reach){.margin = 0.013}));
    return set->count > 0 && set->count < 40;
}

// Near where tangents take another axis (contact.c) they jump and have no derivative.
static bool tangents_jump(const zn_contact_set *set)
{
    for (int i = 0; i < set->count && set->stride == 3; i++) {
        const double *row = &set->row_value[set->row_start[3 * i]];
        double        a = fabs(row[0]), b = fabs(row[1]) + 0.1, c = fabs(row[2]) + 0.2;
        double        low = fmin(a, fmin(b, c)), middle = fmax(fmin(a, b), fmin(fmax(a, b), c));
        if (middle - low < 0.02)
            return true;
    }
    return false;
}

// Normals that turn fast (edges at a small angle, rims that lie nearly flat) have no differences at this step.
static bool is_steep(contact_probe *p, const double *q, const double *x)
{
    double exact[FIXTURE_MAX], most = 0;
    CHECK_OK(zn_contact_set_evaluate(p->set, p->sys, q, 0));
    CHECK_OK(zn_contact_set_curvature(p->set, p->sys, q, 0, p->lambda, x, exact));
    for (int k = 0; k < p->sys->info.n_all; k++)
        most = fmax(most, fabs(exact[k]));
    return most > 5;
}

// `length`: of cylinders, 0: they are discs.
static int check_pair(bool planar, zn_shape_kind a, zn_shape_kind b, double length, const sample *mesh, uint64_t *seed)
{
    zn_shape_def  first = shape_of(a, planar, length, mesh), second = shape_of(b, planar, length, mesh);
    fixture       f = compile_fixture(make_pair(planar, first, second));
    contact_probe p = {.sys = f.sys};
    int           n = f.sys->info.n_all, checked = 0;
    CHECK_OK(zn_contact_set_create(f.sys, &p.set));
    for (int trial = 0; trial < 200 && checked < 6; trial++) {
        double q[FIXTURE_MAX], x[FIXTURE_MAX], lambda[FIXTURE_MAX];
        if (!approach(f.sys, p.set, seed, q) || tangents_jump(p.set))
            continue;
        random_fill(seed, 1, n, x);
        random_fill(seed, 1, p.set->count * p.set->stride, lambda);
        p.from = q;
        p.lambda = lambda;
        if (is_steep(&p, q, x))
            continue;
        check_no_slip(&p, q, false);
        check_contact_rows(&p, q, x, 1e-6);
        check_contact_curvature(&p, q, x, 1e-5);
        checked++;
    }
    zn_contact_set_destroy(p.set);
    destroy_fixture(&f);
    return checked;
}

static void check_all(bool planar)
{
    sample   mesh = sample_slab(2, 2, 1, 1, 0.5, hills);
    uint64_t seed = 7;
    for (zn_shape_kind a = 0; a < ZN_SHAPE_KINDS; a++)
        for (zn_shape_kind b = 0; b <= a; b++) {
            bool swapped, spheres = a == ZN_SHAPE_SPHERE && b == ZN_SHAPE_SPHERE;
            if (!spheres && !zn_meet_of(a, b, planar, &swapped))
                continue;
            int checked = check_pair(planar, a, b, 0.7, &mesh, &seed);
            if (a == ZN_SHAPE_CYLINDER || b == ZN_SHAPE_CYLINDER)
                checked = (int)fmin(checked, check_pair(planar, a, b, 0, &mesh, &seed));

            if (checked < 5)
                fail_msg("shapes %d and %d: %d poses", a, b, checked);
        }
    sample_clear(&mesh);
}

static void test_space(void **state)
{
    (void)state;
    check_all(false);
}

static void test_plane(void **state)
{
    (void)state;
    check_all(true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_space), cmocka_unit_test(test_plane)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
