// A chain of masses and springs on a rough table (Galvez et al., section 5.3): nsga against another discretization, a
// leapfrog in one dimension whose friction is a soft threshold on the staggered velocities.
#include "gallery_fixtures.h"
#include "zn/sim.h"

enum { MASSES = 21, ROWS = 201 };
static const double mass = 0.0025, stiffness = 20, mu = 0.3, gravity = 9.81, force = 0.4, push = 0.1, window = 2;

typedef struct chain {
    double x[ROWS][MASSES]; ///< displacements every 0.01 s
    double rest;            ///< largest |v| at the end
    double force;           ///< largest spring force on a mass at the end, over mu m g
    double moves;           ///< when the last mass starts
} chain;

static double spring_force(const double *x, int i)
{
    return stiffness * ((i + 1 < MASSES ? x[i + 1] - x[i] : 0) - (i > 0 ? x[i] - x[i - 1] : 0));
}

// v_{n+1/2} = S(v_{n-1/2} + h f(x_n)/m), S: towards zero by h mu g and not beyond.
static void solve_chain(int steps_per_row, chain *out)
{
    double x[MASSES] = {0}, v[MASSES] = {0}, h = 0.01 / steps_per_row, hold = h * mu * gravity;
    *out = (chain){.moves = -1};
    for (int row = 1; row < ROWS; row++) {
        for (int k = 0; k < steps_per_row; k++) {
            double t = (row - 1) * 0.01 + k * h;
            for (int i = 0; i < MASSES; i++) {
                double load = i == 0 && t < push - h / 4 ? (t == 0 ? force / 2 : force) : 0;
                double free = v[i] + h * (spring_force(x, i) + load) / mass;
                v[i] = fabs(free) <= hold ? 0 : free - (free > 0 ? hold : -hold);
            }
            for (int i = 0; i < MASSES; i++)
                x[i] += h * v[i];
            if (out->moves < 0 && v[MASSES - 1] != 0)
                out->moves = t;
        }
        memcpy(out->x[row], x, sizeof x);
    }
    for (int i = 0; i < MASSES; i++) {
        out->rest = fmax(out->rest, fabs(v[i]));
        out->force = fmax(out->force, fabs(spring_force(x, i)) / (mu * mass * gravity));
    }
}

typedef struct outcome {
    double mean, final; ///< errors of the displacements [m]
    double law, rest;   ///< largest |v| at the end [m/s]
} outcome;

static double chain_at(const chain *c, double t, int i)
{
    double times[ROWS];
    for (int k = 0; k < ROWS; k++)
        times[k] = 0.01 * k;
    return zn_interpolate(ROWS, times, &c->x[0][i], MASSES, t);
}

static outcome run_masses(double h, const chain *ref)
{
    gallery_rig g = gallery_open("sliding-masses", NULL, scheme_named("nsga", 0.5));
    outcome     out = {0};
    int         compared = 0;
    while (g.r.state->t + h <= window + 1e-9) {
        double before = g.r.state->t, x[MASSES];
        for (int i = 0; i < MASSES; i++)
            x[i] = g.r.state->q[2 * i];
        rig_step(&g.r, h);
        out.law = fmax(out.law, fmax(g.r.info.coulomb_position, g.r.info.coulomb_velocity));
        double row = ceil(before / 0.01) * 0.01; // compare at the rows of the reference, linear within the step
        if (row > before && row <= g.r.state->t) {
            double s = (row - before) / h;
            compared++;
            for (int i = 0; i < MASSES; i++)
                out.mean += fabs((1 - s) * x[i] + s * g.r.state->q[2 * i] - 0.05 * i - chain_at(ref, row, i)) / MASSES;
        }
    }
    out.mean /= compared;
    for (int i = 0; i < MASSES; i++)
        out.final = fmax(out.final, fabs(g.r.state->q[2 * i] - 0.05 * i - ref->x[ROWS - 1][i]));
    for (int i = 0; i < MASSES; i++)
        out.rest = fmax(out.rest, fabs(g.r.state->v[2 * i]));
    gallery_close(&g);
    return out;
}

static void test_chain_against_leapfrog(void **state)
{
    (void)state;
    static chain coarse, ref;
    const double steps[] = {2e-3, 1e-3, 5e-4}; // the push ends with a step
    double       worst = 0;
    slope_fit    mean = {0}, final = {0};
    solve_chain(500, &coarse);
    solve_chain(1000, &ref);
    for (int i = 0; i < MASSES; i++)
        worst = fmax(worst, fabs(coarse.x[ROWS - 1][i] - ref.x[ROWS - 1][i]));
    print_message("leapfrog: x0 %.6f, x20 %.6f m at the end (off by %.1e), |v| <= %.1e, forces %.3f mu m g, last mass "
                  "moves at %.3f s\n",
                  ref.x[ROWS - 1][0], ref.x[ROWS - 1][MASSES - 1], worst, ref.rest, ref.force, ref.moves);
    CHECK_BELOW(worst, 1e-5);
    CHECK_BELOW(ref.force, 1);
    CHECK_BELOW(ref.rest, 0);
    for (int k = 0; k < 3; k++) {
        outcome o = run_masses(steps[k], &ref);
        print_message("h %.3e: mean error %.2e m, at the end %.2e m, law %.1e\n", steps[k], o.mean, o.final, o.law);
        CHECK_BELOW(o.law, 1e-10);
        CHECK_BELOW(o.rest, 1e-12);
        slope_add(&mean, steps[k], o.mean);
        slope_add(&final, steps[k], o.final);
        CHECK_BELOW(o.final, 4 * steps[k]); // F h/2 more or less of the push, m/s times h
    }
    print_message("order %.2f of the mean error, %.2f of that at the end\n", slope_of(&mean), slope_of(&final));
    CHECK_NEAR(slope_of(&mean), 1, 0.3);
    CHECK_NEAR(slope_of(&final), 1, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_against_leapfrog),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
