// A box on its four corners, a little tilted: the restitution of its last rotation asks the corners to part at
// different speeds, while corners that stick hold the body (three points that stay fix it). The equations of sticking
// contradict each other by e w tilt; the law has an answer all the same, whose slip is as small as the contradiction.
#include "friction_fixtures.h"
#include "solve/friction_call.h"
#include "solve/friction_even.h"
#include "solve/friction_newton.h"

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

// Corners (+-0.3, +-0.2, -0.1) turned by `tilt` about (1, 0.7, 0); v0 the velocities before the impact, gravity acts
// for 0.01 s.
static sample *make_box(double mu, double e, double tilt, const double v0[6])
{
    const double normal[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
                 inverse_mass[6] = {1 / 3., 1 / 3., 1 / 3., 20, 10, 7.7};
    double        v[6], U[12], axis[3] = {tilt, 0.7 * tilt, 0}, turned[3];
    static double G[MAX][MAX];
    sample       *s = make_sample(0, 4, 3, mu);
    for (int c = 0; c < 4; c++) {
        double p[3] = {c % 2 ? 0.3 : -0.3, c / 2 ? 0.2 : -0.2, -0.1};
        cross(axis, p, turned);
        for (int k = 0; k < 3; k++)
            p[k] += turned[k]; // to first order: the corners stay those of a body
        for (int k = 0; k < 3; k++) {
            double *row = G[3 * c + k];
            memcpy(row, normal[k], sizeof normal[k]);
            cross(p, normal[k], row + 3);
            U[3 * c + k] = 0;
            for (int i = 0; i < 6; i++)
                U[3 * c + k] += row[i] * v0[i];
        }
    }
    for (int i = 0; i < 6; i++)
        v[i] = v0[i] - (i == 2 ? 0.0981 : 0);
    fill_sample(s, 6, G, inverse_mass, v);
    for (int c = 0; c < 4; c++)
        s->q[3 * c] += e * U[3 * c];
    return s;
}

static double largest_slip(const answer *a)
{
    double slip = 0;
    for (int c = 0; c < 4; c++)
        slip = fmax(slip, hypot(a->u[3 * c + 1], a->u[3 * c + 2]));
    return slip;
}

// Corners that stick and rebound: two velocities of the body differ by e w, which turns the tilted corners against each
// other.
static void check_box(double mu, double e, double tilt, double spin)
{
    const double v0[6] = {0, 0, -spin / 10, spin, -0.6 * spin, 0};
    sample      *s = make_box(mu, e, tilt, v0);
    check_all(&s->p, AUTO | INTERIOR, NULL, 0, NULL);
    answer a = run(&s->p, "auto", NULL);
    CHECK_BELOW(largest_slip(&a), e * spin * tilt);
    CHECK_BELOW(1e-3 * e * spin * tilt, largest_slip(&a));
    answer again = run(&s->p, "auto", a.r);
    CHECK_OK(again.status);
    for (int i = 0; i < s->p.n; i++) // known: nothing is to be done
        CHECK_NEAR(again.r[i], a.r[i], 1e-15);
    free(s);
}

static void corners_that_contradict(void **state)
{
    (void)state;
    for (int m = 0; m < 3; m++)
        for (double tilt = 1e-1; tilt > 5e-5; tilt *= 0.1)
            for (double spin = 1e-2; spin > 5e-5; spin *= 0.1)
                check_box(0.3 + 0.3 * m, m == 1 ? 0.5 : 0.1, tilt, spin);
}

// Without restitution nothing contradicts: the box stays, and so it does where it is not tilted.
static void corners_that_agree(void **state)
{
    (void)state;
    const double v0[6] = {0, 0, -1e-4, 1e-3, -6e-4, 0};
    for (int k = 0; k < 2; k++) {
        sample *s = make_box(0.6, k == 0 ? 0 : 0.1, k == 0 ? 1e-2 : 0, v0);
        check_all(&s->p, AUTO | INTERIOR, NULL, 0, NULL);
        answer a = run(&s->p, "interior_point", NULL);
        CHECK_BELOW(largest_slip(&a), 1e-13);
        free(s);
    }
}

// A box that slides on corners whose normals differ by `off`: with all four closed the velocities contradict each other
// by the speed times that, and W knows nothing of it (off^2 is below its rounding). Three carry, the fourth parts.
static sample *make_slider(double off, double spin)
{
    const double  inverse_mass[6] = {1 / 3., 1 / 3., 1 / 3., 20, 10, 7.7}, v[6] = {1, 0.3, -0.0981, 0, 0, spin};
    static double G[MAX][MAX];
    sample       *s = make_sample(0, 4, 3, 0.3);
    for (int c = 0; c < 4; c++) {
        double p[3] = {c % 2 ? 0.3 : -0.3, c / 2 ? 0.2 : -0.2, -0.1}, a = c == 2 ? off : 0;
        double axes[3][3] = {{a, 0, 1}, {1, 0, -a}, {0, 1, 0}};
        for (int k = 0; k < 3; k++) {
            memcpy(G[3 * c + k], axes[k], sizeof axes[k]);
            cross(p, axes[k], G[3 * c + k] + 3);
        }
    }
    fill_sample(s, 6, G, inverse_mass, v);
    return s;
}

// Proximal points alone, from impulses that share the load evenly: to the last digits, judged apart from them.
static void corners_that_nearly_agree(void **state)
{
    (void)state;
    for (double off = 1e-7; off > 5e-12; off *= 0.1)
        for (int k = 0; k < 6; k++) {
            sample          *s = make_slider(k % 2 ? off : -off, 0.4 * (k / 2));
            zn_fc_workspace *memory;
            zn_fc_task       task;
            zn_fc_settings   settings = {.tolerance = 1e-13};
            double           r[12] = {0};
            for (int c = 0; c < 4; c++)
                r[3 * c] = 0.07;
            CHECK_OK(zn_fc_workspace_create(&memory));
            zn_fc_call call = {.p = &s->p, .settings = &settings, .memory = memory, .zero = NAN};
            CHECK_OK(zn_fc_call_prepare_blocks(&call, r, &task));
            CHECK_OK(zn_fc_proximal(&task));
            for (int c = 0; c < 4; c++)
                for (int i = 3 * c; i < 3 * c + 3; i++)
                    r[i] = task.r[i] * task.b.scale[c];
            CHECK_BELOW(zn_fc_residual(&s->p, r), 2e-13);
            zn_fc_workspace_destroy(memory);
            free(s);
        }
}

// Slip far from any contradiction, equations, no friction, other units: where sweeps do, so does the path through the
// interior.
static void any_bodies(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int repeat = 0; repeat < 60; repeat++) {
        sample *s = make_bodies(3, repeat % 3, 2 + repeat % 3, repeat % 5 == 0 ? 0 : 0.6, &seed);
        check_all(&s->p, AUTO | INTERIOR, NULL, 0, NULL);
        free(s);
    }
}

// A can that spins as it slides on twelve points of its rim, alone or beside another one.
static sample *make_cans(int cans, double mu)
{
    enum { POINTS = 12 };
    const double  normal[3][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}, one[6] = {1 / 6.3, 1 / 6.3, 1 / 6.3, 27, 27, 32};
    const double  moves[6] = {0.2, 0.05, -0.02, 0, 0, 3};
    double        inverse_mass[12], v[12];
    static double G[MAX][MAX];
    sample       *s = make_sample(0, POINTS * cans, 3, mu);
    memset(G, 0, sizeof G);
    for (int i = 0; i < 6 * cans; i++) {
        inverse_mass[i] = one[i % 6];
        v[i] = (i < 6 ? 1 : 0.7) * moves[i % 6];
    }
    for (int c = 0; c < POINTS * cans; c++) {
        double p[3] = {0.1 * cos(0.3 + c * acos(-1) / 6), 0.1 * sin(0.3 + c * acos(-1) / 6), -0.1};
        for (int k = 0; k < 3; k++) {
            double *row = G[3 * c + k] + 6 * (c / POINTS);
            memcpy(row, normal[k], sizeof normal[k]);
            cross(p, normal[k], row + 3);
        }
    }
    fill_sample(s, 6 * cans, G, inverse_mass, v);
    return s;
}

// Of equally soft points on a floor: normal reactions are linear in x and y.
static void check_linear(const double *r)
{
    double mean = 0, along[2] = {0, 0};
    for (int c = 0; c < 12; c++) {
        double angle = 0.3 + c * acos(-1) / 6;
        mean += r[3 * c] / 12;
        along[0] += r[3 * c] * cos(angle) / 6;
        along[1] += r[3 * c] * sin(angle) / 6;
    }
    for (int c = 0; c < 12; c++) {
        double angle = 0.3 + c * acos(-1) / 6;
        CHECK_NEAR(r[3 * c], mean + along[0] * cos(angle) + along[1] * sin(angle), 1e-10 * mean);
    }
    assert_true(hypot(along[0], along[1]) > 1e-3 * mean);
}

// One answer of many, whatever the start: without it solvers differ.
static void shares(void **state)
{
    (void)state;
    const char *const words[] = {"auto", "gauss_seidel", "newton_alart_curnier", "interior_point"};
    for (int cans = 1; cans <= 2; cans++) {
        sample          *s = make_cans(cans, 0.3);
        double           first[MAX] = {0}, apart = 0;
        zn_fc_workspace *workspace;
        CHECK_OK(zn_fc_workspace_create(&workspace));
        for (int k = 0; k < 4; k++) {
            double start[MAX];
            int    iterations = 0;
            for (int i = 0; i < s->p.n; i++)
                start[i] = i % 3 == 0 ? (1 + i * k % 5) * 0.001 : 0;
            answer a = run(&s->p, words[k], start);
            assert_int_equal(a.status, ZN_OK);
            for (int i = 0; i < s->p.n && k > 0; i++)
                apart = fmax(apart, fabs(a.r[i] - first[i]));
            CHECK_OK(zn_fc_even(&s->p, 1e-12, workspace, a.r, a.u, &iterations));
            assert_true(iterations > 0 && zn_fc_residual(&s->p, a.r) <= 1e-12);
            for (int i = 0; i < s->p.n; i++)
                CHECK_NEAR(a.r[i], k == 0 ? a.r[i] : first[i], 1e-10 * a.r[0]); // rounding of u over e, twelve points
            memcpy(first, a.r, sizeof first);
            for (int can = 0; can < cans; can++)
                check_linear(a.r + 36 * can);
        }
        assert_true(apart > 1e-4 * first[0]);
        zn_fc_workspace_destroy(workspace);
        free(s);
    }
}

// The first corners of a sliding box, and `open` contacts far from anything.
static sample *take_corners(const sample *box, int corners, int open)
{
    sample *s = make_sample(0, corners + open, 3, box->mu[0]);
    int     n = s->p.n;
    for (int i = 0; i < n; i++) {
        s->q[i] = i < 3 * corners ? box->q[i] : i % 3 == 0;
        for (int k = 0; k < n; k++)
            s->W[i * n + k] = i < 3 * corners && k < 3 * corners ? box->W[i * box->p.n + k] : i == k;
    }
    return s;
}

// Of few rows all parts are looked at in one go, of many one by one: a box that slides on so many corners shares its
// weight, or not, as with contacts beside it that make the problem larger.
static void few_and_many(void **state)
{
    (void)state;
    const double v0[6] = {1, 0.2, 0, 0, 0, 0.5};
    sample      *box = make_box(0.3, 0, 0, v0);
    for (int corners = 2; corners <= 4; corners++) {
        sample          *s[2] = {take_corners(box, corners, 0), take_corners(box, corners, 4)};
        double           r[2][MAX];
        int              iterations[2] = {0};
        zn_fc_workspace *workspace;
        CHECK_OK(zn_fc_workspace_create(&workspace));
        answer a = run(&s[0]->p, "auto", NULL);
        assert_int_equal(a.status, ZN_OK);
        for (int k = 0; k < 2; k++) {
            double u[MAX];
            memset(r[k], 0, sizeof r[k]);
            memcpy(r[k], a.r, sizeof(double) * (size_t)s[0]->p.n);
            CHECK_OK(zn_fc_even(&s[k]->p, 1e-12, workspace, r[k], u, &iterations[k]));
        }
        assert_memory_equal(r[0], r[1], sizeof(double) * (size_t)s[0]->p.n);
        assert_int_equal(iterations[0], iterations[1]);
        assert_true((iterations[0] > 0) == (corners == 4));
        zn_fc_workspace_destroy(workspace);
        free(s[0]);
        free(s[1]);
    }
    free(box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corners_that_contradict),
        cmocka_unit_test(corners_that_agree),
        cmocka_unit_test(corners_that_nearly_agree),
        cmocka_unit_test(any_bodies),
        cmocka_unit_test(shares),
        cmocka_unit_test(few_and_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
