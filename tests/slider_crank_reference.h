/// Event-driven reference of the slider-crank (Acary 2013, section 6.3.1, Table 2 with errata), independent of the
/// schemes: smooth motion by Dormand-Prince 5(4), impacts located to rounding, impact law solved on the local W.
///
/// The four corners come in two pairs, upper and lower wall, and the slider never turns: with both corners of a pair
/// closed the law asks the same normal velocity of both, which fixes the slider's spin to zero; friction acts with the
/// lever b, which shifts load from one corner to the other but lifts none as long as mu b < a. So the smooth motion has
/// the unknowns (crank, rod), in flight or sliding along one wall, S = l1 sin q1 + l2 sin q2 = +-c.
#ifndef ZN_TESTS_SLIDER_CRANK_REFERENCE_H
#define ZN_TESTS_SLIDER_CRANK_REFERENCE_H

#include <stdbool.h>

#include "check.h"
#include "zn/solve.h"

#define CRANK_L1     0.153
#define CRANK_L2     0.306
#define CRANK_A      0.05
#define CRANK_B      0.025
#define CRANK_C      0.001
#define CRANK_M1     0.038
#define CRANK_M2     0.038
#define CRANK_M3     0.076
#define CRANK_J1     7.4e-5
#define CRANK_J2     5.9e-4
#define CRANK_J3     2.7e-6
#define CRANK_G      9.81
#define CRANK_E      0.4
#define CRANK_MU     0.01
#define CRANK_W1     150.0
#define CRANK_W2     (-75.0)
#define CRANK_PERIOD (2 * 3.14159265358979323846 / CRANK_W1)

enum { REFERENCE_IMPACTS = 512, REFERENCE_SAMPLES = 2048 };

typedef enum crank_mode { LOWER = -1, FLIGHT, UPPER } crank_mode; ///< which wall the slider slides along

typedef struct crank_impact {
    double     t, approach; ///< normal velocity before, < 0
    crank_mode wall;
} crank_impact;

typedef struct crank_reference {
    double       t, y[4]; ///< q1, q2, v1, v2
    crank_mode   mode;
    double       slides; ///< sign of the sliding velocity while on a wall
    int          impacts, samples;
    crank_impact impact[REFERENCE_IMPACTS];
    double       closed_at, opened_at; ///< of the first stay on a wall; NaN: none
    double       closed_time;          ///< on walls, all together
    double       energy_worst;         ///< change of energy over a free arc, relative
    double       sample[REFERENCE_SAMPLES][4];
} crank_reference;

// --- mechanics -----------------------------------------------------------------------------------

/// 2 x 2 mass matrix of (q1, q2).
static inline void crank_mass(const double *y, double M[3])
{
    double reach = (0.5 * CRANK_M2 + CRANK_M3) * CRANK_L1 * CRANK_L2;
    M[0] = CRANK_J1 + 0.25 * CRANK_M1 * CRANK_L1 * CRANK_L1 + (CRANK_M2 + CRANK_M3) * CRANK_L1 * CRANK_L1;
    M[1] = reach * cos(y[0] - y[1]);
    M[2] = CRANK_J2 + 0.25 * CRANK_M2 * CRANK_L2 * CRANK_L2 + CRANK_M3 * CRANK_L2 * CRANK_L2;
}

static inline void crank_solve(const double M[3], double b0, double b1, double *x)
{
    double det = M[0] * M[2] - M[1] * M[1];
    x[0] = (M[2] * b0 - M[1] * b1) / det;
    x[1] = (M[0] * b1 - M[1] * b0) / det;
}

/// Height of the slider, positive upwards, and its rate.
static inline double crank_height(const double *y) { return CRANK_L1 * sin(y[0]) + CRANK_L2 * sin(y[1]); }
static inline double crank_rise(const double *y) { return CRANK_L1 * cos(y[0]) * y[2] + CRANK_L2 * cos(y[1]) * y[3]; }
/// Velocity of the slider along the guide.
static inline double crank_slide(const double *y) { return -CRANK_L1 * sin(y[0]) * y[2] - CRANK_L2 * sin(y[1]) * y[3]; }

static inline double crank_energy(const double *y)
{
    double M[3];
    crank_mass(y, M);
    return 0.5 * (M[0] * y[2] * y[2] + M[2] * y[3] * y[3]) + M[1] * y[2] * y[3] +
           CRANK_G * ((0.5 * CRANK_M1 + CRANK_M2 + CRANK_M3) * CRANK_L1 * sin(y[0]) +
                      (0.5 * CRANK_M2 + CRANK_M3) * CRANK_L2 * sin(y[1]));
}

/// Acceleration; returns the normal force (both corners together), 0 in flight. On a wall, with n = -wall dS/dq,
/// t = dx/dq:  M a = f + (n - mu slides t)' lambda,  n.a + dn/dt.v = 0.
static inline double crank_acceleration(const crank_reference *r, const double *y, double *a)
{
    double M[3], free[2], push[2], sine = (0.5 * CRANK_M2 + CRANK_M3) * CRANK_L1 * CRANK_L2 * sin(y[0] - y[1]);
    crank_mass(y, M);
    double f0 = -sine * y[3] * y[3] - CRANK_G * (0.5 * CRANK_M1 + CRANK_M2 + CRANK_M3) * CRANK_L1 * cos(y[0]);
    double f1 = sine * y[2] * y[2] - CRANK_G * (0.5 * CRANK_M2 + CRANK_M3) * CRANK_L2 * cos(y[1]);
    crank_solve(M, f0, f1, free);
    a[0] = free[0], a[1] = free[1];
    if (r->mode == FLIGHT)
        return 0;
    double wall = (double)r->mode, slip = CRANK_MU * r->slides;
    double n0 = -wall * CRANK_L1 * cos(y[0]), n1 = -wall * CRANK_L2 * cos(y[1]);
    double curve = wall * (CRANK_L1 * sin(y[0]) * y[2] * y[2] + CRANK_L2 * sin(y[1]) * y[3] * y[3]);
    crank_solve(M, n0 + slip * CRANK_L1 * sin(y[0]), n1 + slip * CRANK_L2 * sin(y[1]), push);
    double lambda = -(n0 * free[0] + n1 * free[1] + curve) / (n0 * push[0] + n1 * push[1]);
    a[0] += lambda * push[0];
    a[1] += lambda * push[1];
    return lambda;
}

static inline double crank_force(const crank_reference *r, const double *y)
{
    double a[2];
    return crank_acceleration(r, y, a);
}

/// Normal acceleration away from the wall in free motion.
static inline double crank_lift(crank_reference *r, const double *y, crank_mode wall)
{
    double     a[2];
    crank_mode mode = r->mode;
    r->mode = FLIGHT;
    crank_acceleration(r, y, a);
    r->mode = mode;
    double rise = CRANK_L1 * (cos(y[0]) * a[0] - sin(y[0]) * y[2] * y[2]) +
                  CRANK_L2 * (cos(y[1]) * a[1] - sin(y[1]) * y[3] * y[3]);
    return -(double)wall * rise;
}

/// Newton's law with e, Coulomb's with mu and e_T = 0 at both corners of one wall, all three coordinates.
static inline void crank_hit(double *y, crank_mode wall, double e)
{
    double M[3], G[4][3], column[4][3], W[16], q[4], P[4] = {0}, u[4], mu[2] = {CRANK_MU, CRANK_MU}, sy = (double)wall;
    int    first[3] = {0, 2, 4};
    zn_fc_workspace *workspace;
    crank_mass(y, M);
    for (int k = 0; k < 4; k++) { // corner k / 2; normal, then tangent
        double sx = k < 2 ? -1 : 1;
        if (k % 2 == 0)
            memcpy(G[k], (double[3]){-sy * CRANK_L1 * cos(y[0]), -sy * CRANK_L2 * cos(y[1]), -sy * sx * CRANK_A},
                   sizeof G[k]);
        else
            memcpy(G[k], (double[3]){-CRANK_L1 * sin(y[0]), -CRANK_L2 * sin(y[1]), -sy * CRANK_B}, sizeof G[k]);
        crank_solve(M, G[k][0], G[k][1], column[k]);
        column[k][2] = G[k][2] / CRANK_J3;
        q[k] = (G[k][0] * y[2] + G[k][1] * y[3]) * (k % 2 == 0 ? 1 + e : 1);
    }
    for (int k = 0; k < 4; k++)
        for (int l = 0; l < 4; l++)
            W[4 * k + l] = G[k][0] * column[l][0] + G[k][1] * column[l][1] + G[k][2] * column[l][2];
    zn_fc_problem  problem = {4, 0, 2, first, W, q, mu, NULL, NULL};
    zn_fc_settings settings = zn_fc_settings_default();
    zn_fc_info     info;
    settings.tolerance = 1e-13;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    CHECK_OK(zn_fc_solve(&problem, &settings, workspace, P, u, &info));
    zn_fc_workspace_destroy(workspace);
    double spin = 0;
    for (int k = 0; k < 4; k++) {
        y[2] += column[k][0] * P[k];
        y[3] += column[k][1] * P[k];
        spin += column[k][2] * P[k];
    }
    CHECK_NEAR(spin, 0, 1e-8); // rad/s, of velocities of 1 m/s on levers of 5 cm
    assert_true(P[0] > 0 && P[2] > 0);
}

// --- Dormand-Prince 5(4) -------------------------------------------------------------------------

static inline void crank_slope(const crank_reference *r, const double *y, double *dy)
{
    dy[0] = y[2], dy[1] = y[3];
    crank_acceleration(r, y, dy + 2);
}

/// One step of size h from y; returns the error estimate relative to 1e-13 of each component's size.
static inline double crank_step(const crank_reference *r, const double *y, double h, double *out)
{
    static const double a[7][6] = {{0},
                                   {1.0 / 5},
                                   {3.0 / 40, 9.0 / 40},
                                   {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                   {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                   {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                   {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double d[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    double              k[7][4], error = 0;
    for (int s = 0; s < 7; s++) {
        for (int i = 0; i < 4; i++) {
            out[i] = y[i];
            for (int j = 0; j < s; j++)
                out[i] += h * a[s][j] * k[j][i];
        }
        crank_slope(r, out, k[s]); // the last stage is the result itself
    }
    for (int i = 0; i < 4; i++) {
        double e = 0;
        for (int s = 0; s < 7; s++)
            e += h * d[s] * k[s][i];
        error = fmax(error, fabs(e) / (1e-13 * (fabs(out[i]) + (i < 2 ? 1 : 100))));
    }
    return error;
}

/// What ends the smooth motion when it becomes negative: a gap in flight, the force or the direction on a wall.
static inline double crank_event(const crank_reference *r, const double *y)
{
    if (r->mode == FLIGHT)
        return CRANK_C - fabs(crank_height(y));
    return fmin(crank_force(r, y), r->slides * crank_slide(y));
}

/// The time in (0, h] at which the event function vanishes, by bisection on the size of the step from y.
static inline double crank_locate(const crank_reference *r, const double *y, double h)
{
    double low = 0, high = h, at[4];
    for (int i = 0; i < 100 && high - low > 1e-18; i++) {
        double middle = 0.5 * (low + high);
        crank_step(r, y, middle, at);
        *(crank_event(r, at) < 0 ? &high : &low) = middle;
    }
    return high;
}

// --- events --------------------------------------------------------------------------------------

/// [m/s] Slower impacts close for good. What they leave out is over in 1e-8 s and lifts by 1e-13 m; gaps have 1e-17 m.
#define CRANK_PLASTIC 1e-5

static inline void crank_touch(crank_reference *r)
{
    crank_mode wall = crank_height(r->y) > 0 ? UPPER : LOWER;
    double     approach = -(double)wall * crank_rise(r->y);
    assert_true(approach < 0 && r->impacts < REFERENCE_IMPACTS);
    r->impact[r->impacts++] = (crank_impact){r->t, approach, wall};
    bool closes = -approach < CRANK_PLASTIC && crank_lift(r, r->y, wall) < 0;
    crank_hit(r->y, wall, closes ? 0 : CRANK_E);
    if (closes) {
        r->mode = wall;
        r->slides = crank_slide(r->y) > 0 ? 1 : -1;
        if (isnan(r->closed_at))
            r->closed_at = r->t;
    }
}

static inline void crank_leave(crank_reference *r)
{
    if (crank_force(r, r->y) > 1e-6) { // it was the direction
        r->slides = -r->slides;
        return;
    }
    r->mode = FLIGHT;
    if (isnan(r->opened_at))
        r->opened_at = r->t;
}

/// First step after an event: half a flight back to the wall at most, so that it is not stepped over.
static inline double crank_first_step(crank_reference *r)
{
    double height = crank_height(r->y);
    if (r->mode != FLIGHT || CRANK_C - fabs(height) > 1e-9)
        return 1e-5;
    crank_mode wall = height > 0 ? UPPER : LOWER;
    double     speed = -(double)wall * crank_rise(r->y), lift = crank_lift(r, r->y, wall);
    return lift < 0 && speed > 1e-9 ? fmin(1e-5, speed / -lift) : 1e-5; // slower: it just left
}

/// Integrate to `until`; samples every `every` seconds go into r->sample, the first at every, not at 0.
static inline void crank_reference_run(crank_reference *r, double until, double every)
{
    *r = (crank_reference){.y = {0, 0, CRANK_W1, CRANK_W2}, .closed_at = NAN, .opened_at = NAN};
    double h = 1e-5, next[4], energy = crank_energy(r->y);
    while (r->t < until - 1e-15) {
        double sample = (r->samples + 1) * every, end = fmin(sample, until), left = end - r->t;
        bool   reaches = h >= left;
        double step = reaches ? left : h, error = crank_step(r, r->y, step, next);
        if (error > 1) {
            h = step * fmax(0.2, 0.9 * pow(error, -0.2));
            continue;
        }
        bool event = crank_event(r, next) < 0;
        if (event) {
            step = crank_locate(r, r->y, step);
            crank_step(r, r->y, step, next);
        }
        memcpy(r->y, next, sizeof next);
        r->t = reaches && !event ? end : r->t + step;
        r->closed_time += r->mode == FLIGHT ? 0 : step;
        if (r->mode == FLIGHT)
            r->energy_worst = fmax(r->energy_worst, fabs(crank_energy(r->y) - energy) / energy);
        h = fmin(1e-4, reaches ? h : step * fmin(4, 0.9 * pow(error + 1e-10, -0.2)));
        if (event) {
            r->mode == FLIGHT ? crank_touch(r) : crank_leave(r);
            h = crank_first_step(r);
        }
        if (event || r->mode != FLIGHT)
            energy = crank_energy(r->y);
        assert_true(r->samples < REFERENCE_SAMPLES);
        if (!event && reaches && end == sample)
            memcpy(r->sample[r->samples++], r->y, sizeof next);
    }
}

#endif
