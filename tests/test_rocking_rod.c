// A rod falls on two supports with friction (Galvez et al., section 5.2): nsga against an event-driven solution that
// knows nothing of it. Flight and contact are integrated by Runge-Kutta in the modes free, slip and stick; impacts are
// found by bisection and obey the laws of Newton and Coulomb; bounces that pile up end in a lasting contact.
#include "gallery_fixtures.h"
#include "zn/sim.h"

static const double mass = 0.48, gravity = 9.8, restitution = 0.6262, window = 0.3;
#define INERTIA (mass / 12)

typedef struct rod_case {
    const char *name;
    double      h2, mu[2];
    const char *reading; ///< "2": B, "1": A
} rod_case;

static const rod_case cases[] = {
    {"I", 0, {0.1, 0.1}, "2"},        {"II", 0, {0, 0.1}, "2"},      {"III", 0.4, {0.3, 0.3}, "2"},
    {"IV", 0.4, {0, 0.3}, "2"},       {"I, A", 0, {0.1, 0.1}, "1"},  {"II, A", 0, {0, 0.1}, "1"},
    {"III, A", 0.4, {0.3, 0.3}, "1"}, {"IV, A", 0.4, {0, 0.3}, "1"},
};

enum { CASES = sizeof cases / sizeof *cases, IMPACTS = 64 };

// --- event-driven reference: y = x, y, angle and their rates --------------------------------------

typedef enum mode { FREE, SLIP, STICK } mode;

typedef struct machine {
    const rod_case *c;
    double          y[6], t;
    mode            mode; ///< at `held`; never more than one support in lasting contact here
    int             held;
    double          sense;  ///< of slip: sign of the tangential velocity
    double          normal; ///< force in the last evaluation
    int             impacts, support[IMPACTS];
    double          time[IMPACTS], impulse[IMPACTS];
} machine;

static void arm(const machine *m, int i, double r[2])
{
    r[0] = (i == 0 ? -0.2 : 0.2) - m->y[0];
    r[1] = (i == 0 ? 0 : -m->c->h2) - m->y[1];
}

// Distance of support i below the line of the rod.
static double gap(const machine *m, int i)
{
    double r[2];
    arm(m, i, r);
    return r[0] * sin(m->y[2]) - r[1] * cos(m->y[2]);
}

// Rows of the velocity of the support relative to the rod: along the normal n = (sin, -cos), along t = (cos, sin).
static void rows(const machine *m, int i, double G[2][3])
{
    double r[2], s = sin(m->y[2]), c = cos(m->y[2]);
    arm(m, i, r);
    G[0][0] = -s, G[0][1] = c, G[0][2] = c * r[0] + s * r[1];
    G[1][0] = -c, G[1][1] = -s, G[1][2] = -(r[0] * s - r[1] * c);
}

static double dot(const double *g, const double *v) { return g[0] * v[0] + g[1] * v[1] + g[2] * v[2]; }

static double compliance(const double *a, const double *b)
{
    return (a[0] * b[0] + a[1] * b[1]) / mass + a[2] * b[2] / INERTIA;
}

// Rates of G v at constant v: n' = t w, t' = -n w, r' = -v.
static void drift(const machine *m, int i, double d[2])
{
    double        G[2][3], w = m->y[5];
    const double *v = m->y + 3;
    rows(m, i, G);
    double along = -G[1][0] * v[0] - G[1][1] * v[1], across = -G[0][0] * v[0] - G[0][1] * v[1]; // t.v, n.v
    double reach = G[0][2];                                                                     // t.r
    d[0] = -2 * w * along - w * w * gap(m, i);
    d[1] = w * across - w * (w * reach - across);
}

// Accelerations in the current mode.
static void slope(machine *m, const double *y, double *d)
{
    double keep[6], G[2][3], b[2], f[2] = {0};
    memcpy(keep, m->y, sizeof keep);
    memcpy(m->y, y, sizeof keep);
    double a[3] = {0, -gravity, 0};
    if (m->mode != FREE) {
        rows(m, m->held, G);
        drift(m, m->held, b);
        double bn = dot(G[0], a) + b[0], bt = dot(G[1], a) + b[1];
        double nn = compliance(G[0], G[0]), nt = compliance(G[0], G[1]), tt = compliance(G[1], G[1]);
        if (m->mode == STICK) {
            double det = nn * tt - nt * nt;
            f[0] = (-bn * tt + bt * nt) / det;
            f[1] = (-bt * nn + bn * nt) / det;
        } else {
            double pull = -m->sense * m->c->mu[m->held];
            f[0] = -bn / (nn + pull * nt);
            f[1] = pull * f[0];
        }
        for (int k = 0; k < 3; k++)
            a[k] += (G[0][k] * f[0] + G[1][k] * f[1]) / (k < 2 ? mass : INERTIA);
    }
    m->normal = f[0];
    memcpy(d, y + 3, 3 * sizeof *d);
    memcpy(d + 3, a, sizeof a);
    memcpy(m->y, keep, sizeof keep);
}

static void advance(machine *m, double h)
{
    static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    double              k[4][6], z[6];
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 6; i++)
            z[i] = m->y[i] + (s > 0 ? part[s] * h * k[s - 1][i] : 0);
        slope(m, z, k[s]);
    }
    for (int i = 0; i < 6; i++)
        for (int s = 0; s < 4; s++)
            m->y[i] += h * weight[s] * k[s][i];
    m->t += h;
}

// Newton's law along the normal, Coulomb's along the tangent, at one support.
static void impact(machine *m, int i)
{
    double G[2][3], P[2], mu = m->c->mu[i];
    rows(m, i, G);
    double *v = m->y + 3, un = dot(G[0], v), ut = dot(G[1], v);
    double  nn = compliance(G[0], G[0]), nt = compliance(G[0], G[1]), tt = compliance(G[1], G[1]);
    double  bn = (1 + restitution) * un, det = nn * tt - nt * nt;
    P[0] = (-bn * tt + ut * nt) / det;
    P[1] = (-ut * nn + bn * nt) / det;
    for (int sense = -1; fabs(P[1]) > mu * P[0] && sense < 2; sense += 2) {
        double p = -bn / (nn - sense * mu * nt);
        if (p > 0 && sense * (ut + nt * p - sense * mu * tt * p) >= 0)
            P[0] = p, P[1] = -sense * mu * p * (1 - 1e-15);
    }
    for (int k = 0; k < 3; k++)
        v[k] += (G[0][k] * P[0] + G[1][k] * P[1]) / (k < 2 ? mass : INERTIA);
    assert_true(m->impacts < IMPACTS);
    m->support[m->impacts] = i;
    m->time[m->impacts] = m->t;
    m->impulse[m->impacts++] = P[0];
    if (-un < 1e-7) { // the rest of infinitely many bounces
        m->mode = SLIP;
        m->held = i;
        m->sense = ut > 0 ? 1 : -1;
        for (int k = 0; k < 3; k++)
            v[k] -= G[0][k] * dot(G[0], v) / nn / (k < 2 ? mass : INERTIA);
    }
}

// The support that is reached within h, or -1.
static int reached(const machine *m, const machine *before)
{
    for (int i = 0; i < 2; i++)
        if (gap(m, i) < 0 && !(m->mode != FREE && m->held == i) && gap(before, i) >= -1e-15)
            return i;
    return -1;
}

// Slip that stops becomes stick when friction can hold it.
static void settle(machine *m)
{
    double G[2][3];
    if (m->mode != SLIP || m->c->mu[m->held] == 0)
        return;
    rows(m, m->held, G);
    if (m->sense * dot(G[1], m->y + 3) < 0) {
        m->mode = STICK;
        m->sense = 0;
    }
}

static void machine_start(machine *m, const rod_case *c)
{
    double tilt = 12 * acos(-1) / 180;
    *m = (machine){.c = c, .mode = FREE};
    m->y[1] = c->reading[0] == '1' ? 0.104 : 0.104 - 0.2 * tan(tilt);
    m->y[2] = tilt;
}

// Until t, never past an impact in one go.
static void machine_run(machine *m, double t)
{
    while (m->t < t - 1e-15) {
        machine before = *m;
        double  h = fmin(1e-4, t - m->t);
        advance(m, h);
        int hit = reached(m, &before);
        if (hit >= 0) {
            double left = 0, right = h;
            for (int k = 0; k < 60; k++) {
                double middle = 0.5 * (left + right);
                *m = before;
                advance(m, middle);
                *(gap(m, hit) < 0 ? &right : &left) = middle;
            }
            *m = before;
            advance(m, right);
            impact(m, hit);
        }
        settle(m);
    }
    assert_true(m->mode == FREE || m->normal > 0); // lift-off is not needed here
}

// --- the reference, checked ------------------------------------------------------------------------

// Rates of the rows along free flight by differences.
static void test_reference_differentiates_its_rows(void **state)
{
    (void)state;
    machine m;
    machine_start(&m, &cases[2]);
    m.y[0] = 0.03, m.y[2] = -0.4, m.y[3] = 0.7, m.y[4] = -0.9, m.y[5] = 1.3;
    for (int i = 0; i < 2; i++) {
        double u[3][2], d[2], eps = 1e-5, G[2][3], g[2];
        for (int k = 0; k < 3; k++) {
            machine moved = m;
            for (int j = 0; j < 3; j++)
                moved.y[j] += (k - 1) * eps * m.y[3 + j];
            rows(&moved, i, G);
            u[k][0] = dot(G[0], m.y + 3);
            u[k][1] = dot(G[1], m.y + 3);
            if (k != 1)
                g[k / 2] = gap(&moved, i);
        }
        drift(&m, i, d);
        CHECK_NEAR((g[1] - g[0]) / (2 * eps), u[1][0], 1e-9);
        for (int r = 0; r < 2; r++)
            CHECK_NEAR((u[2][r] - u[0][r]) / (2 * eps), d[r], 1e-8);
    }
}

// --- nsga ------------------------------------------------------------------------------------------

typedef struct rod_result {
    int    impacts, support[IMPACTS];
    double time[IMPACTS], error, penetration, law, normal;
} rod_result;

static rod_result run_rod(const rod_case *c, double h, const char *scheme)
{
    char        word[4][32];
    const char *set[4] = {word[0], word[1], word[2], word[3]};
    snprintf(word[0], sizeof word[0], "h2=%g", c->h2);
    snprintf(word[1], sizeof word[1], "mu1=%g", c->mu[0]);
    snprintf(word[2], sizeof word[2], "mu2=%g", c->mu[1]);
    snprintf(word[3], sizeof word[3], "reading=%s", c->reading);
    gallery_rig g = gallery_open("rocking-rod", set, scheme_named(scheme, 0.5));
    rod_result  out = {0};
    bool        was[2] = {false, false};
    machine     m;
    machine_start(&m, c);
    while (g.r.state->t + h <= window) {
        rig_step(&g.r, h);
        const zn_contact_set *set_now = g.r.state->contacts;
        machine_run(&m, g.r.state->t);
        for (int i = 0; i < 2; i++) {
            double p = set_now->impulse[i * set_now->stride];
            if (p > 0 && !was[i] && out.impacts < IMPACTS) {
                out.support[out.impacts] = i;
                out.time[out.impacts++] = g.r.state->t;
            }
            was[i] = p > 0;
            out.penetration = fmax(out.penetration, -set_now->gap[i]);
        }
        out.law = fmax(out.law, fmax(g.r.info.coulomb_position, g.r.info.coulomb_velocity));
        for (int i = 0; i < 3; i++) // mean error of positions
            out.error += h / window * fabs(g.r.state->q[i] - m.y[i]);
        out.normal = set_now->impulse[0] / h;
    }
    gallery_close(&g);
    return out;
}

// Impacts of the reference that stand apart from the next: later ones pile up.
static int distinct(const machine *m, double apart)
{
    int n = 0;
    while (n < m->impacts && (n + 1 == m->impacts || m->time[n + 1] - m->time[n] > apart))
        n++;
    return n;
}

static void check_case(const rod_case *c, const char *scheme, const double *steps, int count)
{
    machine   m;
    slope_fit fit = {0};
    double    first = 0, last = 0;
    machine_start(&m, c);
    machine_run(&m, window);
    int n = distinct(&m, 0.01);
    assert_true(n >= 2);
    for (int k = 0; k < count; k++) {
        rod_result r = run_rod(c, steps[k], scheme);
        CHECK_BELOW(r.penetration, 1e-10);
        CHECK_BELOW(r.law, 1e-10);
        assert_true(r.impacts >= n);
        for (int i = 0; i < n; i++) { // each impact changes the next flight by O(h)
            assert_int_equal(r.support[i], m.support[i]);
            CHECK_NEAR(r.time[i], m.time[i], (i == 0 ? 1.01 : 12) * steps[k]);
        }
        slope_add(&fit, steps[k], r.error);
        first = k == 0 ? r.error : first;
        last = r.error;
        if (m.mode != FREE && k + 1 == count)
            CHECK_NEAR(r.normal, m.normal, 0.02 * m.normal);
    }
    print_message("case %-6s %s: %d impacts at", c->name, scheme, n);
    for (int i = 0; i < n; i++)
        print_message(" %.7f (%d)", m.time[i], m.support[i] + 1);
    print_message("%s; end x %.6f, y %.6f, angle %.6f; mean error %.1e to %.1e, order %.2f\n",
                  m.mode == FREE ? "" : ", then lasting contact", m.y[0], m.y[1], m.y[2], first, last, slope_of(&fit));
    CHECK_NEAR(slope_of(&fit), 1, 0.25);
}

static void test_all_cases(void **state)
{
    (void)state;
    double steps[20]; // many: the place of each impact in its step makes single errors erratic
    zn_study_steps(20, 1e-3, 4e-5, false, steps);
    for (int i = 0; i < CASES; i++)
        check_case(&cases[i], "nsga", steps, 20);
}

static void test_coupled_scheme(void **state)
{
    (void)state;
    double steps[12];
    zn_study_steps(12, 1e-3, 1e-4, false, steps);
    for (int i = 0; i < 4; i++)
        check_case(&cases[i], "nsga_coupled", steps, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_differentiates_its_rows),
        cmocka_unit_test(test_all_cases),
        cmocka_unit_test(test_coupled_scheme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
