// A wall of boxes at rest, held in the space of its bodies: the same motion as with the Delassus matrix, forces that
// carry the weight, laws met, and no problem for a solver once the impulses are known.
#include "pile_models.h"

#include <math.h>

enum { ROWS = 4, COLUMNS = 3 };
static const double gravity = 9.81, mu = 0.5, h = 1e-3;

static zn_model *wall(void)
{
    zn_model    *model = space(-gravity);
    const char  *names[] = {"brick", "floor"};
    zn_shape_def box = zn_shape_def_default(), floor = zn_shape_def_default();
    box.name = names[0];
    box.kind = ZN_SHAPE_BOX;
    box.box = zn_vec3_make(0.2, 0.1, 0.1);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            zn_body_def body = zn_body_def_default();
            body.mass = mass;
            body.inertia3 = (zn_mat3){{{mass * 0.02 / 12, 0, 0}, {0, mass * 0.05 / 12, 0}, {0, 0, mass * 0.05 / 12}}};
            body.position = zn_vec3_make(0.204 * c + 0.051 * (r % 2), 0, 0.05 + 0.1 * r);
            CHECK_OK(zn_model_add_body(model, &body, &box.at.node));
            CHECK_OK(zn_model_add_shape(model, &box));
        }
    floor.name = names[1];
    floor.kind = ZN_SHAPE_PLANE;
    floor.normal = zn_vec3_make(0, 0, 1);
    CHECK_OK(zn_model_add_shape(model, &floor));
    zn_pairs_def pairs = zn_pairs_def_default();
    pairs.between = names;
    pairs.between_count = 2;
    pairs.friction = mu;
    CHECK_OK(zn_model_add_pairs(model, &pairs));
    return model;
}

static void count_problems(void *user, const zn_fc_problem *problem, const char *level, double t, zn_status status)
{
    (void)problem, (void)level, (void)t;
    CHECK_OK(status);
    ++*(int *)user;
}

static zn_scheme_def scheme_of(const char *name, bool faults, int *seen)
{
    zn_scheme_def def = zn_scheme_def_default();
    def.scheme = name;
    def.observer = (zn_observer){count_problems, seen, faults};
    return def;
}

// Vertical impulse on everything, and how far it is from the cones.
static double lifted(const zn_contact_set *set, double *outside)
{
    double up = 0;
    for (int i = 0; i < set->count; i++) {
        const double *P = set->impulse + i * set->stride;
        *outside = fmax(*outside, hypot(P[1], P[2]) - mu * P[0]);
        for (int row = i * set->stride; row < (i + 1) * set->stride; row++)
            for (int k = set->row_start[row]; k < set->row_start[row + 1]; k++)
                if (set->row_dof[k] % 6 == 2)
                    up += set->row_value[k] * set->impulse[row];
    }
    return up;
}

static void check_scheme(const char *name)
{
    int all = 0, some = 0;
    rig solved = rig_open(wall(), scheme_of(name, false, &all)), held = rig_open(wall(), scheme_of(name, true, &some));
    double outside = 0;
    for (int k = 0; k < 12; k++) {
        rig_step(&solved, h);
        int before = some;
        rig_step(&held, h);
        assert_true(k == 0 || some == before); // nothing left for a solver
        CHECK_BELOW(held.info.complementarity, 1e-12);
    }
    assert_true(all >= 12);
    for (int i = 0; i < zn_system_get_info(held.sys).n_all; i++) {
        CHECK_NEAR(held.state->v[i], 0, 1e-13);
        CHECK_NEAR(held.state->v[i], solved.state->v[i], 1e-11);
    }
    CHECK_NEAR(lifted(held.state->contacts, &outside) / (ROWS * COLUMNS * mass * gravity * h), 1, 1e-10);
    CHECK_BELOW(outside, 1e-12 * mass * gravity * h);
    rig_close(&solved);
    rig_close(&held);
}

static void test_wall(void **state)
{
    (void)state;
    check_scheme("moreau_jean");
    check_scheme("combined_projection");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
