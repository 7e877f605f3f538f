// Frictional contact: one suite run over every solver. Answers come from mechanics by hand, or are chosen first (for
// r*, u* that obey Coulomb's law, q = u* - W r* has the solution r*), and are judged by the law's cases themselves.
#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "zn/solve.h"

enum { AUTO = 1, LEMKE = 2, ENUMERATE = 4, GAUSS_SEIDEL = 8, EVERY = 15, DIRECT = AUTO | LEMKE | ENUMERATE };

static const struct {
    const char *name;
    int bit;
} solvers[] = {{"auto", AUTO}, {"lemke", LEMKE}, {"enumerate", ENUMERATE}, {"gauss_seidel", GAUSS_SEIDEL}};
enum { SOLVERS = 4, MAX = 64 };

static double draw(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-52 - 1;
}

// --- running -------------------------------------------------------------------------------------

typedef struct answer {
    zn_status status;
    double r[MAX], u[MAX];
    zn_fc_info info;
} answer;

static answer run(const zn_fc_problem *p, const char *solver, const double *warm)
{
    answer a = {0};
    zn_fc_settings settings = zn_fc_settings_default();
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    settings.solver = solver;
    for (int i = 0; i < p->n && warm != NULL; i++)
        a.r[i] = warm[i];
    a.status = zn_fc_solve(p, &settings, workspace, a.r, a.u, &a.info);
    zn_fc_workspace_destroy(workspace);
    return a;
}

// Open: r = 0, u_N >= 0. Closed: u_N = 0, and r_T is within the cone with u_T = 0, or on it and against u_T. `speed`
// and `force` are what counts as zero.
static bool obeys_coulomb(int rows, double mu, const double *r, const double *u, double speed, double force)
{
    double rt = rows == 1 ? 0 : rows == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
    double ut = rows == 1 ? 0 : rows == 2 ? fabs(u[1]) : hypot(u[1], u[2]);
    bool open = r[0] <= force && rt <= force && u[0] >= -speed;
    bool closed = r[0] >= 0 && fabs(u[0]) <= speed && rt <= mu * r[0] + force;
    bool against = true;
    for (int k = 1; k < rows; k++)
        against = against && fabs(r[k] * ut + mu * r[0] * u[k]) <= force * ut + mu * r[0] * speed;
    return open || (closed && (ut <= speed || against));
}

// Of all contacts and bilateral rows; u computed anew.
static void check_law(const zn_fc_problem *p, const answer *a, const char *solver)
{
    double scale[MAX], worst = 0; // of each block: sqrt(d), as units of rows may differ
    for (int c = -p->bilateral; c < p->contacts; c++) {
        int first = c < 0 ? c + p->bilateral : p->first[c], last = c < 0 ? first + 1 : p->first[c + 1];
        double d = 0;
        for (int i = first; i < last; i++)
            d += fabs(p->W[i * p->n + i]) / (last - first);
        for (int i = first; i < last; i++)
            scale[i] = d > 0 ? sqrt(d) : 1;
    }
    for (int i = 0; i < p->n; i++) {
        double sum = p->q[i], size = fabs(p->q[i]);
        for (int j = 0; j < p->n; j++) {
            sum += p->W[i * p->n + j] * a->r[j];
            size += fabs(p->W[i * p->n + j] * a->r[j]);
        }
        CHECK_NEAR(a->u[i], sum, 1e-14 * size);
        worst = fmax(worst, size / scale[i]);
    }
    double zero = 1e-10 * worst;
    for (int i = 0; i < p->bilateral; i++)
        CHECK_NEAR(a->u[i] / scale[i], 0, zero);
    for (int c = 0; c < p->contacts; c++) {
        int i = p->first[c];
        if (!obeys_coulomb(p->first[c + 1] - i, p->mu[c], a->r + i, a->u + i, zero * scale[i], zero / scale[i]))
            fail_msg("%s: contact %d of %d", solver, c, p->contacts);
    }
}

// Every solver in `must` has to solve the problem; the others may refuse, but never lie or touch r.
static void check_all(const zn_fc_problem *p, int must, const double *expected, double tolerance, const double *warm)
{
    for (int s = 0; s < SOLVERS; s++) {
        answer a = run(p, solvers[s].name, warm);
        if (a.status != ZN_OK) {
            if (must & solvers[s].bit)
                fail_msg("%s: %s", solvers[s].name, zn_status_text(a.status));
            for (int i = 0; i < p->n; i++)
                CHECK_NEAR(a.r[i], warm != NULL ? warm[i] : 0, 0);
            continue;
        }
        CHECK_BELOW(a.info.residual, 1e-12);
        CHECK_NEAR(a.info.residual, zn_fc_residual(p, a.r), 1e-15);
        assert_non_null(a.info.solver);
        if (s > 0 && p->n > 0)
            assert_string_equal(a.info.solver, solvers[s].name);
        check_law(p, &a, solvers[s].name);
        for (int i = 0; i < p->n && expected != NULL; i++)
            if (!(fabs(a.r[i] - expected[i]) <= tolerance * (1 + fabs(expected[i]))))
                fail_msg("%s: r[%d] = %.17g, expected %.17g", solvers[s].name, i, a.r[i], expected[i]);
    }
}

static void check_refused(const zn_fc_problem *p, zn_status expected)
{
    double warm[MAX];
    for (int i = 0; i < p->n; i++)
        warm[i] = 0.25 + i;
    for (int s = 0; s < SOLVERS; s++) {
        answer a = run(p, solvers[s].name, warm);
        if (a.status != expected)
            fail_msg("%s: %s", solvers[s].name, zn_status_text(a.status));
        for (int i = 0; i < p->n; i++)
            CHECK_NEAR(a.r[i], warm[i], 0);
    }
}

// --- problems ------------------------------------------------------------------------------------

typedef struct sample {
    double W[MAX * MAX], q[MAX], mu[MAX], r[MAX], u[MAX];
    int first[MAX + 1];
    zn_fc_problem p;
} sample;

static sample *make_sample(int bilateral, int contacts, int rows, double mu)
{
    sample *s = calloc(1, sizeof *s);
    for (int c = 0; c <= contacts; c++)
        s->first[c] = bilateral + rows * c;
    for (int c = 0; c < contacts; c++)
        s->mu[c] = mu;
    s->p = (zn_fc_problem){bilateral + rows * contacts, bilateral, contacts, s->first, s->W, s->q, s->mu, NULL};
    return s;
}

static sample *make_given(int bilateral, int contacts, double mu, const double *W, const double *q)
{
    sample *s = make_sample(bilateral, contacts, 2, mu);
    memcpy(s->W, W, (size_t)(s->p.n * s->p.n) * sizeof *W);
    memcpy(s->q, q, (size_t)s->p.n * sizeof *q);
    return s;
}

// W = G M^-1 G', q = G v
static void fill_sample(sample *s, int dofs, double (*G)[MAX], const double *inverse_mass, const double *v)
{
    int n = s->p.n;
    for (int i = 0; i < n; i++) {
        s->q[i] = 0;
        for (int k = 0; k < dofs; k++)
            s->q[i] += G[i][k] * v[k];
        for (int j = 0; j < n; j++) {
            s->W[i * n + j] = 0;
            for (int k = 0; k < dofs; k++)
                s->W[i * n + j] += G[i][k] * inverse_mass[k] * G[j][k];
        }
    }
}

// Rows of a point (x, y) of planar body b in contact, normal at `angle`, tangent a quarter turn on.
static void add_contact(double (*G)[MAX], int rows, int body, double sign, double angle, double x, double y)
{
    for (int k = 0; k < rows; k++) {
        double dx = k == 0 ? cos(angle) : -sin(angle), dy = k == 0 ? sin(angle) : cos(angle);
        G[k][3 * body] = sign * dx;
        G[k][3 * body + 1] = sign * dy;
        G[k][3 * body + 2] = sign * (x * dy - y * dx);
    }
}

// Planar bodies of random mass and speed, contacts between two of them or with the ground. A solution always exists,
// as q is in the range of G; it is not unique with more rows than degrees of freedom.
static sample *make_bodies(int bodies, int bilateral, int contacts, double mu, uint64_t *seed)
{
    sample *s = make_sample(bilateral, contacts, 2, 0);
    static double G[MAX][MAX];
    double inverse_mass[MAX], v[MAX];
    memset(G, 0, sizeof G);
    for (int k = 0; k < 3 * bodies; k++) {
        inverse_mass[k] = pow(10, k % 3 == 2 ? 1.5 * draw(seed) : 0.5 * draw(seed));
        v[k] = draw(seed);
    }
    for (int i = 0; i < bilateral; i++)
        for (int k = 0; k < 3 * bodies; k++)
            G[i][k] = draw(seed);
    for (int c = 0; c < contacts; c++) {
        int body = c % bodies, other = (c + c / bodies) % bodies;
        double angle = 3 * draw(seed);
        add_contact(G + s->first[c], 2, body, 1, angle, draw(seed), draw(seed));
        if (other != body)
            add_contact(G + s->first[c], 2, other, -1, angle, draw(seed), draw(seed));
        s->mu[c] = mu * (1 + draw(seed)) / 2;
    }
    fill_sample(s, 3 * bodies, G, inverse_mass, v);
    return s;
}

// Choose r*, u* by status, one third each, and q to suit them.
static void choose_answer(sample *s, uint64_t *seed)
{
    const zn_fc_problem *p = &s->p;
    for (int i = 0; i < p->bilateral; i++)
        s->r[i] = draw(seed);
    for (int c = 0; c < p->contacts; c++) {
        double *r = s->r + s->first[c], *u = s->u + s->first[c], value = 0.1 + fabs(draw(seed)), t = draw(seed);
        int kind = (int)(1.5 * (1 + draw(seed)));
        memset(r, 0, 2 * sizeof *r);
        memset(u, 0, 2 * sizeof *u);
        if (kind == 0) {
            u[0] = value;
            u[1] = t;
        } else {
            r[0] = value;
            u[1] = kind == 1 ? 0 : t;
            r[1] = s->mu[c] * value * (kind == 1 ? 0.9 * t : t > 0 ? -1 : 1);
        }
    }
    for (int i = 0; i < p->n; i++) {
        s->q[i] = s->u[i];
        for (int j = 0; j < p->n; j++)
            s->q[i] -= s->W[i * p->n + j] * s->r[j];
    }
}

// --- mechanics by hand ---------------------------------------------------------------------------

// A block of mass m on an incline of angle a, in one step of length h from rest: q = h g (-cos a, -sin a). It sticks
// for tan a <= mu with r = m h g (cos a, sin a); above, r = m h g cos a (1, mu), u_T = -h g (sin a - mu cos a).
static void block_on_an_incline(void **state)
{
    (void)state;
    const double m = 2.5, step = 0.01 * 9.81, mu = 0.4;
    for (int k = 0; k <= 20; k++) {
        double angle = k == 20 ? atan(mu) : 0.04 * k, sine = sin(angle), cosine = cos(angle);
        const double W[4] = {1 / m, 0, 0, 1 / m}, q[2] = {-step * cosine, -step * sine};
        sample *s = make_given(0, 1, mu, W, q);
        double friction = fmin(sine, mu * cosine), r[2] = {m * step * cosine, m * step * friction};
        check_all(&s->p, EVERY, r, 1e-14, NULL);
        check_all(&s->p, EVERY, r, 1e-14, r);
        for (int i = 0; i < SOLVERS; i++)
            CHECK_NEAR(run(&s->p, solvers[i].name, NULL).u[1], -step * (sine - friction), 1e-15);
        free(s);
    }
}

static void one_contact_in_every_status(void **state)
{
    (void)state;
    // W = [2 1; 1 3], mu = 1/2. Stick: W r = -q. Slip: r_T = -+r_N/2, r_N = -q_N/(2 -+ 1/2).
    const struct {
        double q[2], r[2];
    } cases[] = {{{1, 5}, {0, 0}},        {{0, -2}, {0, 0}},      {{-3, -4}, {1, 1}},
                 {{-5, -5}, {2, 1}},      {{-5, -2.5}, {2.5, 0}}, {{-3, 5}, {2, -1}},
                 {{-2.5, -20}, {1, 0.5}}, {{0, 0}, {0, 0}},       {{-1.5, 0.5}, {1, -0.5}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double W[4] = {2, 1, 1, 3}, warm[2] = {1, 0.2}, odd[2] = {NAN, 1e300};
        sample *s = make_given(0, 1, k == 2 ? 1 : 0.5, W, cases[k].q);
        check_all(&s->p, EVERY, cases[k].r, 1e-14, NULL);
        check_all(&s->p, EVERY, cases[k].r, 1e-14, warm);
        CHECK_OK(run(&s->p, "enumerate", odd).status);
        free(s);
    }
}

// A block on two corners (+-a, -b), pushed at its centre: r_N share the weight w, friction's moment b (r_T1 + r_T2)
// shifts it to the front: r_N = w/2 -+ b r_T / (2 a).
static void pushed_block(void **state)
{
    (void)state;
    const double a = 0.5, b = 0.2, mu = 0.3, inverse_mass[3] = {1, 1, 6};
    for (int k = 0; k < 2; k++) {
        double push = k == 0 ? 0.2 : 0.5, v[3] = {push, -1, 0}, G[4][MAX] = {{0}};
        sample *s = make_sample(0, 2, 2, mu);
        for (int c = 0; c < 2; c++) // the normal up, the tangent to the left
            add_contact(G + 2 * c, 2, 0, 1, 2 * atan(1), c == 0 ? -a : a, -b);
        fill_sample(s, 3, G, inverse_mass, v);
        check_all(&s->p, EVERY, NULL, 0, NULL);
        double friction = fmin(push, mu), back = 0.5 - b * friction / (2 * a), front = 1 - back;
        for (int i = 0; i < SOLVERS; i++) {
            answer x = run(&s->p, solvers[i].name, NULL);
            CHECK_NEAR(x.r[0], back, 1e-12);
            CHECK_NEAR(x.r[2], front, 1e-12);
            CHECK_NEAR(x.r[1] + x.r[3], friction, 1e-12); // of the sticking block only the sum is determined
            CHECK_NEAR(x.u[1], friction - push, 1e-12);
        }
        free(s);
    }
}

// A slider in a guide, one side or both touching: the small inertia couples its corners so strongly that sweeps
// contract by no more than 0.94.
static void strongly_coupled_corners(void **state)
{
    (void)state;
    const double inverse_mass[3] = {1 / 0.076, 1 / 0.076, 1 / 2.7e-6}, up = 2 * atan(1);
    const double speed[][3] = {{3, -0.1, 0}, {3, -0.1, 5}, {-2, -0.01, -30}, {0.5, 0.2, 80}, {1, 0, -60}};
    for (size_t k = 0; k < sizeof speed / sizeof *speed; k++)
        for (int corners = 2; corners <= 4; corners += 2) {
            double G[8][MAX] = {{0}};
            sample *s = make_sample(0, corners, 2, 0.01);
            for (int c = 0; c < corners; c++)
                add_contact(G + 2 * c, 2, 0, 1, c < 2 ? up : -up, c % 2 ? 0.05 : -0.05, c < 2 ? -0.025 : 0.025);
            fill_sample(s, 3, G, inverse_mass, speed[k]);
            CHECK_NEAR(pow(s->W[2] / s->W[0], 2), 0.945, 0.001);
            check_all(&s->p, EVERY, NULL, 0, NULL);
            answer a = run(&s->p, "auto", NULL);
            CHECK_BELOW(a.info.iterations, 20); // no sweeps: they would be hundreds
            assert_string_not_equal(a.info.solver, "gauss_seidel");
            a = run(&s->p, "auto", a.r);
            assert_int_equal(a.info.iterations, 0); // known
            free(s);
        }
}

// --- random problems -----------------------------------------------------------------------------

// Rows that force and gap do not share.
static void disturb(sample *s, double part, uint64_t *seed)
{
    int n = s->p.n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->W[i * n + j] += i == j ? 0 : part * draw(seed) * sqrt(s->W[i * n + i] * s->W[j * n + j]);
}

static void random_problems(void **state)
{
    (void)state;
    enum { LARGE = AUTO | LEMKE, UNSYMMETRIC = AUTO | ENUMERATE };
    const struct { // with more rows than degrees of freedom answers are not unique
        int bodies, bilateral, contacts, must;
        double mu, unsymmetric;
    } cases[] = {{1, 0, 1, DIRECT, 0.5, 0},        {2, 0, 2, DIRECT, 0.5, 0},        {3, 0, 3, DIRECT, 1, 0},
                 {4, 0, 4, DIRECT, 0.5, 0},        {5, 0, 5, DIRECT, 0.5, 0},        {2, 3, 0, DIRECT, 0, 0},
                 {3, 1, 2, DIRECT, 0.5, 0},        {4, 3, 3, DIRECT, 0.5, 0},        {4, 5, 1, DIRECT, 0.5, 0},
                 {1, 0, 2, DIRECT, 0.5, 0},        {1, 0, 3, DIRECT, 3, 0},          {1, 0, 4, DIRECT, 0.5, 0},
                 {2, 0, 4, DIRECT, 3, 0},          {2, 1, 5, DIRECT, 0.5, 0},        {1, 2, 3, DIRECT, 0.5, 0},
                 {4, 0, 8, LARGE, 0.6, 0},         {8, 0, 16, LARGE, 0.6, 0},        {15, 0, 30, LARGE, 0.6, 0},
                 {1, 0, 1, UNSYMMETRIC, 0.5, 0.1}, {2, 0, 2, UNSYMMETRIC, 0.5, 0.1}, {3, 1, 3, UNSYMMETRIC, 0.5, 0.1}};
    uint64_t seed = 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int repeat = 0; repeat < (cases[k].contacts > 5 ? 4 : 40); repeat++) {
            sample *s = make_bodies(cases[k].bodies, cases[k].bilateral, cases[k].contacts, cases[k].mu, &seed);
            bool chosen = repeat % 2 || cases[k].unsymmetric > 0;
            double warm[MAX];
            disturb(s, cases[k].unsymmetric, &seed);
            if (chosen) // else q = G v, which has a solution by mechanics
                choose_answer(s, &seed);
            for (int i = 0; i < s->p.n; i++)
                warm[i] = draw(&seed);
            check_all(&s->p, cases[k].must, NULL, 0, NULL);
            check_all(&s->p, cases[k].must, NULL, 0, warm);
            if (chosen && s->p.n > 2) { // started from an answer it stays there, even one of many
                answer a = run(&s->p, "auto", s->r);
                for (int i = 0; i < s->p.n; i++)
                    CHECK_NEAR(a.r[i], s->r[i], 1e-6);
            }
            free(s);
        }
}

// --- relations to linear complementarity ---------------------------------------------------------

static void without_friction_it_is_an_lcp(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int contacts = 1; contacts <= 5; contacts++)
        for (int repeat = 0; repeat < 10; repeat++) {
            sample *s = make_bodies(contacts, 0, contacts, 0, &seed), *t = make_sample(0, contacts, 1, 0.7);
            double z[MAX] = {0}, w[MAX], r[MAX] = {0};
            for (int i = 0; i < contacts; i++) {
                t->q[i] = s->q[2 * i];
                for (int j = 0; j < contacts; j++)
                    t->W[i * contacts + j] = s->W[4 * i * contacts + 2 * j];
            }
            zn_lcp_problem lcp = {contacts, 0, t->W, t->q};
            zn_lcp_settings settings = zn_lcp_settings_default();
            void *scratch = malloc(zn_lcp_scratch(contacts));
            CHECK_OK(zn_lcp_solve(&lcp, &settings, z, w, scratch, NULL));
            free(scratch);
            for (int i = 0; i < contacts; i++)
                r[2 * i] = z[i];
            check_all(&s->p, EVERY, r, 1e-9, NULL); // tangents and mu = 0
            check_all(&t->p, EVERY, z, 1e-9, NULL); // no tangents: mu means nothing
            free(s);
            free(t);
        }
}

// Every bilateral row twice, the second time as the sum of all before: consistent, singular, must be solved.
static void dependent_bilateral_rows(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int repeat = 0; repeat < 60; repeat++) {
        enum { DOFS = 12 };
        int half = 1 + repeat % 3;
        sample *s = make_sample(2 * half, 3, 2, 0.4);
        double G[MAX][MAX] = {{0}}, inverse_mass[DOFS], v[DOFS];
        for (int k = 0; k < DOFS; k++) {
            v[k] = draw(&seed);
            inverse_mass[k] = 1.5 + draw(&seed);
            for (int i = 0; i < s->p.n; i++)
                G[i][k] = i < half || i >= 2 * half ? draw(&seed)
                          : repeat % 2              ? G[i - half][k]
                                                    : G[0][k] + G[half - 1][k];
        }
        fill_sample(s, DOFS, G, inverse_mass, v);
        check_all(&s->p, DIRECT, NULL, 0, NULL);
        free(s);
    }
}

// A multiplier whose own diagonal is zero cannot be eliminated alone: r_0 with u_0 = r_N - 1 holds r_N = 1.
static void a_bilateral_row_without_diagonal(void **state)
{
    (void)state;
    const double W[9] = {0, 1, 0, -1, 2, 0, 0, 0, 1}, q[3] = {-1, 0, -2}, r[3] = {2, 1, 0.5};
    sample *s = make_given(1, 1, 0.5, W, q);
    check_all(&s->p, AUTO | ENUMERATE, r, 1e-14, NULL);
    free(s);
}

// --- units ---------------------------------------------------------------------------------------

static void change_units(sample *s, const double *unit)
{
    int n = s->p.n;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            s->W[i * n + j] *= unit[i] * unit[j];
        s->q[i] *= unit[i];
        s->r[i] /= unit[i];
    }
}

static void units_do_not_matter(void **state)
{
    (void)state;
    uint64_t seed = 8;
    for (int repeat = 0; repeat < 40; repeat++) {
        sample *s = make_bodies(4, 2, 4, 0.5, &seed);
        choose_answer(s, &seed);
        double unit[MAX];
        answer before[3];
        for (int k = 0; k < 3; k++) // the direct solvers
            before[k] = run(&s->p, solvers[k].name, NULL);
        for (int i = 0; i < s->p.n; i++) {
            unit[i] = i < 2 || i % 2 == 0 ? pow(10, 6 * draw(&seed)) : unit[i - 1]; // one unit per contact
            s->r[i] += 0.1 * draw(&seed);                                           // wrong, to have a residual
        }
        double residual = zn_fc_residual(&s->p, s->r);
        change_units(s, unit);
        assert_true(residual > 1e-4);
        CHECK_NEAR(zn_fc_residual(&s->p, s->r), residual, 1e-12 * residual);
        for (int k = 0; k < 3; k++) {
            answer a = run(&s->p, solvers[k].name, NULL);
            CHECK_OK(a.status);
            check_law(&s->p, &a, solvers[k].name);
            for (int i = 0; i < s->p.n; i++)
                CHECK_NEAR(unit[i] * a.r[i], before[k].r[i], 1e-8 * (1 + fabs(before[k].r[i])));
        }
        free(s);
    }
}

static void the_residual_by_hand(void **state)
{
    (void)state;
    // d = 4; r = (1, 0), u = (4 - 8, 4) = (-4, 4), mu = 3/4: x = r - (-4 + 3, 4)/4 = (5/4, -1), |x_T| > mu x_N:
    // P = (5/4 + 3/4)/(25/16) (1, -3/4) = (32/25)(1, -3/4), r - P = (-7, 24)/25, length 1; times sqrt(d) = 2,
    // over (8 + 4)/2 = 6
    const double W[4] = {4, 0, 0, 4}, q[2] = {-8, 4};
    sample *s = make_given(0, 1, 0.75, W, q);
    const double r[2] = {1, 0}, bad[2] = {NAN, 0}, none[2] = {0, 0};
    CHECK_NEAR(zn_fc_residual(&s->p, r), 1.0 / 3, 1e-15);
    assert_false(zn_fc_residual(&s->p, bad) <= 1e300);
    s->q[0] = s->q[1] = 0;
    CHECK_NEAR(zn_fc_residual(&s->p, none), 0, 0);
    s->p = (zn_fc_problem){1, 1, 0, s->first, s->W, s->q, s->mu, NULL}; // bilateral: |u|/2 over |W r|/2
    CHECK_NEAR(zn_fc_residual(&s->p, r), 1, 0);
    free(s);
}

// --- no solution, several, hostile ---------------------------------------------------------------

// W = [1 3; 1 1], mu = 1, q = (-1, q_T): slip forwards has W_NN - mu W_NT = -2 and jams (Painleve). Slip backwards
// needs q_T <= -1/2, and so does stick: above there is no solution, below there are two.
static void painleve_at_one_contact(void **state)
{
    (void)state;
    const double W[4] = {1, 3, 1, 1};
    for (double tangent = -3; tangent < 3; tangent += 0.2) {
        const double q[2] = {-1, tangent};
        sample *s = make_given(0, 1, 1, W, q);
        if (tangent > -0.5)
            check_refused(&s->p, ZN_NOT_CONVERGED);
        else
            check_all(&s->p, AUTO | ENUMERATE | GAUSS_SEIDEL, NULL, 0, NULL);
        s->q[0] = 1; // and it may lift off, whatever else it could do
        check_all(&s->p, EVERY, NULL, 0, NULL);
        free(s);
    }
    // the sliding rod with its direction given is W_NN - mu W_NT < 0 alone: no solution, or two, of which it takes r =
    // 0
    sample *rod = make_sample(0, 1, 1, 0);
    rod->W[0] = -0.5;
    rod->q[0] = -1;
    check_refused(&rod->p, ZN_NOT_CONVERGED);
    rod->q[0] = 1;
    check_all(&rod->p, EVERY, rod->r, 0, NULL);
    free(rod);
}

// The same block between others: answers must obey the law, and there is none when its block has none.
static void painleve_among_others(void **state)
{
    (void)state;
    uint64_t seed = 9;
    int solved = 0;
    for (int repeat = 0; repeat < 60; repeat++) {
        sample *s = make_bodies(3, 0, 3, 6, &seed);
        disturb(s, 0.5, &seed);
        check_all(&s->p, 0, NULL, 0, NULL);
        bool found = run(&s->p, "auto", NULL).status == ZN_OK;
        for (int k = 1; k < SOLVERS; k++) // auto finds what any finds
            assert_true(found || run(&s->p, solvers[k].name, NULL).status != ZN_OK);
        solved += found;
        free(s);
    }
    assert_true(solved > 30);
    const double W[16] = {1, 3, 0, 0, 1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2}, q[4] = {-1, 0, -1, 0.3};
    sample *s = make_given(0, 2, 1, W, q);
    check_refused(&s->p, ZN_NOT_CONVERGED);
    free(s);
}

static void infeasible_problems(void **state)
{
    (void)state;
    // a body squeezed from both sides: u_N1 + u_N2 = -2 whatever r is
    const double squeezed[16] = {1, 0, -1, 0, 0, 1, 0, 1, -1, 0, 1, 0, 0, 1, 0, 1}, push[4] = {-1, 0.5, -1, 0.5};
    // two equations that contradict each other
    const double twice[16] = {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, contradict[4] = {-1, -2, -1, 0};
    const double zero[4] = {0}; // nothing moves, but it should
    sample *s[3] = {make_given(0, 2, 0.3, squeezed, push), make_given(2, 1, 0.3, twice, contradict),
                    make_given(0, 1, 0.3, zero, push)};
    for (int k = 0; k < 3; k++) {
        check_refused(&s[k]->p, ZN_NOT_CONVERGED);
        free(s[k]);
    }
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    uint64_t seed = 10;
    for (int contacts = 1; contacts <= 3; contacts++) {
        sample *s = make_bodies(contacts, 0, contacts, 0.5, &seed);
        double *const places[] = {&s->q[1], &s->W[1], &s->q[0], &s->mu[0]};
        for (int k = 0; k < 4; k++) {
            double good = *places[k];
            *places[k] = NAN;
            check_refused(&s->p, ZN_NOT_FINITE);
            *places[k] = INFINITY;
            check_refused(&s->p, ZN_NOT_FINITE);
            *places[k] = good;
        }
        assert_int_equal(run(&s->p, "abacus", NULL).status, ZN_ERR_ARGUMENT);
        assert_int_equal(run(&s->p, "automatic", NULL).status, ZN_ERR_ARGUMENT);
        s->mu[contacts - 1] = -0.1;
        check_refused(&s->p, ZN_ERR_ARGUMENT);
        s->mu[contacts - 1] = 0.1;
        s->first[contacts]--;
        check_refused(&s->p, ZN_ERR_ARGUMENT);
        s->first[contacts]++;
        s->p.bilateral = 1;
        check_refused(&s->p, ZN_ERR_ARGUMENT);
        free(s);
    }
    zn_fc_problem empty = {0};
    check_all(&empty, EVERY, NULL, 0, NULL);
}

// --- space ---------------------------------------------------------------------------------------

// Three rows with W = I: r = -q where it is in the cone, else -q_N (1, -mu t).
static void one_spatial_contact(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int repeat = 0; repeat < 200; repeat++) {
        sample *s = make_sample(0, 1, 3, 0.5);
        s->W[0] = s->W[4] = s->W[8] = 1;
        for (int i = 0; i < 3; i++)
            s->q[i] = draw(&seed);
        double speed = hypot(s->q[1], s->q[2]), normal = fmax(-s->q[0], 0);
        double r[3] = {normal, -s->q[1], -s->q[2]};
        for (int k = 1; k < 3 && speed > 0.5 * normal; k++)
            r[k] *= 0.5 * normal / speed;
        assert_int_equal(run(&s->p, "lemke", NULL).status, ZN_ERR_ARGUMENT);
        assert_int_equal(run(&s->p, "enumerate", NULL).status, ZN_ERR_ARGUMENT);
        check_all(&s->p, AUTO | GAUSS_SEIDEL, r, 1e-13, NULL);
        free(s);
    }
}

static void spatial_contacts(void **state)
{
    (void)state;
    uint64_t seed = 12;
    for (int contacts = 1; contacts <= 5; contacts++)
        for (int repeat = 0; repeat < 40; repeat++) {
            sample *s = make_sample(contacts % 3, contacts, 3, 0.5);
            static double G[MAX][MAX];
            double inverse_mass[MAX], v[MAX];
            int dofs = 6 * contacts;
            for (int k = 0; k < dofs; k++) {
                inverse_mass[k] = pow(10, 0.5 * draw(&seed));
                v[k] = draw(&seed);
                for (int i = 0; i < s->p.n; i++)
                    G[i][k] = draw(&seed);
            }
            fill_sample(s, dofs, G, inverse_mass, v);
            s->mu[0] = repeat % 4 == 0 ? 0 : 0.3;
            check_all(&s->p, AUTO | GAUSS_SEIDEL, NULL, 0, NULL);
            free(s);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_on_an_incline),
        cmocka_unit_test(one_contact_in_every_status),
        cmocka_unit_test(pushed_block),
        cmocka_unit_test(strongly_coupled_corners),
        cmocka_unit_test(random_problems),
        cmocka_unit_test(without_friction_it_is_an_lcp),
        cmocka_unit_test(dependent_bilateral_rows),
        cmocka_unit_test(a_bilateral_row_without_diagonal),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(the_residual_by_hand),
        cmocka_unit_test(painleve_at_one_contact),
        cmocka_unit_test(painleve_among_others),
        cmocka_unit_test(infeasible_problems),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(one_spatial_contact),
        cmocka_unit_test(spatial_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
