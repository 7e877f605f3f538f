// Light bodies among heavy ones, 1 : 1e5: the motion of each is that of the impulses on it, to what velocities are
// solved for, however little it weighs beside the others. With m, J of a body in its axes and the mean W of its spins,
//     m (v - v_k) = h m g + sum of P n,     J (w - w_k) + h W x J W = sum of P (r x n)
// for every step of combined_projection with theta = 1/2, with the impulses and rows that the step leaves.
#include "fixtures.h"

#include <float.h>
#include <math.h>

#include "system/system.h"
#include "zn/io.h"
#include "zn/sim.h"

enum { PLATE, BOX, BALL, BODIES };

// A heavy ball falls on a light box that lies on a light plate, both of them tilted.
static const char scene[] =
    "zeno: 1\ngravity: [0, 0, -9.81]\nbodies:\n"
    "  plate: {density: 0.5, box: [0.09, 0.06, 0.02], position: [0, 0, 0.05], rotation: {axis: [1, 0.4, 0], angle: "
    "0.2}}\n"
    "  box: {density: 0.5, box: [0.05, 0.04, 0.03], position: [0.01, 0, 0.1], rotation: {axis: [0.2, 1, 0], angle: "
    "0.2}}\n"
    "  ball: {density: 80000, sphere: 0.05, position: [0.005, 0, 0.2], velocity: [0, 0, -0.2]}\n"
    "shapes: {floor: {plane: [0, 0, 1]}}\n"
    "contacts: {touch: {between: [plate, box, ball, floor], friction: %g}}\n"
    "run: {step: 1 ms, until: 0.15, scheme: combined_projection}\n";

typedef struct inertia {
    double mass, about[3];
} inertia;

static zn_vec3 spin_of(const double *v) { return zn_vec3_make(v[3], v[4], v[5]); }

static zn_vec3 times(const inertia *m, zn_vec3 w)
{
    return zn_vec3_make(m->about[0] * w.x, m->about[1] * w.y, m->about[2] * w.z);
}

// What is left of body b as a change of its velocity, over the largest velocities there are and what rounding of the
// impulses on it may hide, 64 units of it.
static double left_over(const inertia *m, int b, const double *v_k, const zn_state *s, double h, const double speed[2])
{
    const zn_contact_set *set = s->contacts;
    const double         *v = s->v + 6 * b, *before = v_k + 6 * b;
    zn_vec3               mean = zn_vec3_scale(0.5, zn_vec3_add(spin_of(v), spin_of(before)));
    zn_vec3               turn = zn_vec3_add(times(m, zn_vec3_sub(spin_of(v), spin_of(before))),
                                             zn_vec3_scale(h, zn_vec3_cross(mean, times(m, mean))));
    double                rest[6] = {m->mass * (v[0] - before[0]),
                                     m->mass * (v[1] - before[1]),
                                     m->mass * (v[2] - before[2] + 9.81 * h),
                                     turn.x,
                                     turn.y,
                                     turn.z};
    double                terms[6] = {0}, pushes = 0, worst = 0;
    for (int k = 0; k < set->count * set->stride; k++)
        for (int e = set->row_start[k]; e < set->row_start[k + 1]; e++)
            if (set->row_dof[e] / 6 == b) {
                rest[set->row_dof[e] % 6] -= set->impulse[k] * set->row_value[e];
                terms[set->row_dof[e] % 6] += fabs(set->impulse[k] * set->row_value[e]);
                pushes += fabs(set->impulse[k]);
            }
    for (int i = 0; i < 6; i++) {
        double mass = i < 3 ? m->mass : m->about[i - 3], hidden = 64 * DBL_EPSILON * (terms[i] + (i < 3 ? 0 : pushes));
        worst = fmax(worst, fmax(fabs(rest[i]) - hidden, 0) / mass / speed[i / 3]);
    }
    return worst;
}

static inertia box_of(double density, double a, double b, double c)
{
    double m = density * a * b * c;
    return (inertia){m, {m / 12 * (b * b + c * c), m / 12 * (a * a + c * c), m / 12 * (a * a + b * b)}};
}

static inertia ball_of(double density, double r)
{
    double m = density * 4.0 / 3 * 3.14159265358979323846 * r * r * r, J = 0.4 * m * r * r;
    return (inertia){m, {J, J, J}};
}

// The worst of one step, whole, from v_k.
static double judge(const inertia *known, const double *v_k, const zn_state *s, double h)
{
    const double rounding = 8 * DBL_EPSILON / (h * 1e-12); // of places and angles, over the tolerance
    double       speed[2] = {0.2 * rounding, rounding}, worst = 0;
    for (int i = 0; i < 6 * BODIES; i++)
        speed[i % 6 / 3] = fmax(speed[i % 6 / 3], fabs(s->v[i]) + fabs(v_k[i]));
    for (int b = 0; b < BODIES; b++)
        worst = fmax(worst, left_over(&known[b], b, v_k, s, h, speed));
    return worst;
}

static double run(double friction, int *pressed)
{
    const inertia known[BODIES] = {box_of(0.5, 0.09, 0.06, 0.02), box_of(0.5, 0.05, 0.04, 0.03), ball_of(80000, 0.05)};
    char          text[sizeof scene + 32];
    zn_problem   *p = NULL;
    zn_system    *sys = NULL;
    zn_sim       *sim = NULL;
    double        v_k[6 * BODIES], worst = 0;
    snprintf(text, sizeof text, scene, friction);
    CHECK_OK(zn_problem_parse(text, strlen(text), "light.yaml", 0, NULL, (zn_log){0}, &p));
    CHECK_OK(zn_system_create(p->model, &sys));
    CHECK_OK(zn_sim_create(sys, &p->sim, &sim));
    for (int step = 0; step < 150; step++) {
        const zn_state *s = zn_sim_state(sim);
        int64_t         halved = zn_sim_certificate(sim)->retries;
        memcpy(v_k, s->v, sizeof v_k);
        CHECK_OK(zn_sim_step(sim));
        if (zn_sim_certificate(sim)->retries == halved) // else impulses are those of its last part
            worst = fmax(worst, judge(known, v_k, s, 1e-3));
        *pressed += s->contacts->count > 3;
    }
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(p);
    return worst;
}

static void test_each_body_moves_by_its_impulses(void **state)
{
    (void)state;
    int pressed = 0;
    CHECK_BELOW(run(0, &pressed), 2e-12);
    CHECK_BELOW(run(0.3, &pressed), 2e-12);
    CHECK_BELOW(run(0.8, &pressed), 2e-12);
    assert_true(pressed > 60);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_body_moves_by_its_impulses)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
