/// Friction problems of planar bodies and of chosen answers, and one check run over every solver. Answers come from
/// mechanics by hand, or are chosen first (for r*, u* that obey Coulomb's law, q = u* - W r* has the solution r*), and
/// are judged by the law's cases themselves.
#ifndef ZN_TEST_FRICTION_FIXTURES_H
#define ZN_TEST_FRICTION_FIXTURES_H

#include <stdbool.h>
#include <stdlib.h>

#include "check.h"
#include "zn/solve.h"

enum {
    AUTO = 1,
    LEMKE = 2,
    ENUMERATE = 4,
    GAUSS_SEIDEL = 8,
    NEWTON = 16, // both
    ADMM = 32,
    INTERIOR = 64,
    DIRECT = AUTO | LEMKE | ENUMERATE,
    ITERATIVE = GAUSS_SEIDEL | NEWTON | ADMM | INTERIOR,
    EVERY = DIRECT | ITERATIVE
};

static const struct {
    const char *name;
    int         bit;
} solvers[] = {{"auto", AUTO},
               {"lemke", LEMKE},
               {"enumerate", ENUMERATE},
               {"gauss_seidel", GAUSS_SEIDEL},
               {"anderson", GAUSS_SEIDEL},
               {"newton_alart_curnier", NEWTON},
               {"newton_jean_moreau", NEWTON},
               {"admm", ADMM},
               {"interior_point", INTERIOR}};
enum { SOLVERS = 9, MAX = 96 };

// --- running -------------------------------------------------------------------------------------

typedef struct answer {
    zn_status  status;
    double     r[MAX], u[MAX];
    zn_fc_info info;
} answer;

static inline answer run(const zn_fc_problem *p, const char *solver, const double *warm)
{
    answer           a = {0};
    zn_fc_settings   settings = zn_fc_settings_default();
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
static inline bool obeys_coulomb(int rows, double mu, const double *r, const double *u, double speed, double force)
{
    double rt = rows == 1 ? 0 : rows == 2 ? fabs(r[1]) : hypot(r[1], r[2]);
    double ut = rows == 1 ? 0 : rows == 2 ? fabs(u[1]) : hypot(u[1], u[2]);
    bool   open = r[0] <= force && rt <= force && u[0] >= -speed;
    bool   closed = r[0] >= 0 && fabs(u[0]) <= speed && rt <= mu * r[0] + force;
    bool   against = true;
    for (int k = 1; k < rows; k++)
        against = against && fabs(r[k] * ut + mu * r[0] * u[k]) <= force * ut + mu * r[0] * speed;
    return open || (closed && (ut <= speed || against));
}

// Of all contacts and bilateral rows; u computed anew.
static inline void check_law(const zn_fc_problem *p, const answer *a, const char *solver)
{
    double scale[MAX], worst = 0; // of each block: sqrt(d), as units of rows may differ
    for (int c = -p->bilateral; c < p->contacts; c++) {
        int    first = c < 0 ? c + p->bilateral : p->first[c], last = c < 0 ? first + 1 : p->first[c + 1];
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
static inline void check_all(const zn_fc_problem *p, int must, const double *expected, double tolerance,
                             const double *warm)
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
        double slack =
            tolerance + (solvers[s].bit & (NEWTON | ADMM | INTERIOR) ? 1e-11 : 0); // these stop at the tolerance
        for (int i = 0; i < p->n && expected != NULL; i++)
            if (!(fabs(a.r[i] - expected[i]) <= slack * (1 + fabs(expected[i]))))
                fail_msg("%s: r[%d] = %.17g, expected %.17g", solvers[s].name, i, a.r[i], expected[i]);
    }
}

static inline void check_refused(const zn_fc_problem *p, zn_status expected)
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
    double        W[MAX * MAX], q[MAX], mu[MAX], r[MAX], u[MAX];
    int           first[MAX + 1];
    zn_fc_problem p;
} sample;

static inline sample *make_sample(int bilateral, int contacts, int rows, double mu)
{
    sample *s = calloc(1, sizeof *s);
    for (int c = 0; c <= contacts; c++)
        s->first[c] = bilateral + rows * c;
    for (int c = 0; c < contacts; c++)
        s->mu[c] = mu;
    s->p = (zn_fc_problem){bilateral + rows * contacts, bilateral, contacts, s->first, s->W, s->q, s->mu, NULL, NULL};
    return s;
}

static inline sample *make_given(int bilateral, int contacts, double mu, const double *W, const double *q)
{
    sample *s = make_sample(bilateral, contacts, 2, mu);
    memcpy(s->W, W, (size_t)(s->p.n * s->p.n) * sizeof *W);
    memcpy(s->q, q, (size_t)s->p.n * sizeof *q);
    return s;
}

// W = G M^-1 G', q = G v
static inline void fill_sample(sample *s, int dofs, double (*G)[MAX], const double *inverse_mass, const double *v)
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
static inline void add_contact(double (*G)[MAX], int rows, int body, double sign, double angle, double x, double y)
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
static inline sample *make_bodies(int bodies, int bilateral, int contacts, double mu, uint64_t *seed)
{
    sample       *s = make_sample(bilateral, contacts, 2, 0);
    static double G[MAX][MAX];
    double        inverse_mass[MAX], v[MAX];
    memset(G, 0, sizeof G);
    for (int k = 0; k < 3 * bodies; k++) {
        inverse_mass[k] = pow(10, k % 3 == 2 ? 1.5 * draw(seed) : 0.5 * draw(seed));
        v[k] = draw(seed);
    }
    for (int i = 0; i < bilateral; i++)
        for (int k = 0; k < 3 * bodies; k++)
            G[i][k] = draw(seed);
    for (int c = 0; c < contacts; c++) {
        int    body = c % bodies, other = (c + c / bodies) % bodies;
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
static inline void choose_answer(sample *s, uint64_t *seed)
{
    const zn_fc_problem *p = &s->p;
    for (int i = 0; i < p->bilateral; i++)
        s->r[i] = draw(seed);
    for (int c = 0; c < p->contacts; c++) {
        double *r = s->r + s->first[c], *u = s->u + s->first[c], value = 0.1 + fabs(draw(seed)), t = draw(seed);
        int     kind = (int)(1.5 * (1 + draw(seed)));
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

// Rows that force and gap do not share.
static inline void disturb(sample *s, double part, uint64_t *seed)
{
    int n = s->p.n;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s->W[i * n + j] += i == j ? 0 : part * draw(seed) * sqrt(s->W[i * n + i] * s->W[j * n + j]);
}

#endif
