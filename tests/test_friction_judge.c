// No false "converged": every answer of every solver, judged by a formula of its own in quadruple precision.
//
//   test_friction_judge [SEED [PROBLEMS]]
//
// Problems are drawn from a seed: masses that differ by up to 1e9, contacts that are there twice, friction of 0 to 5,
// contacts that nothing moves, equations beside the contacts, matrices that are not symmetric (which need not have an
// answer). Where a solver says that it has one,
//   - u = W r + q, and the measure that was asked for is below the tolerance, both in quadruple precision;
//   - the cases of Coulomb's law hold by as much: nothing penetrates, nothing pulls, reactions are in their cones and
//     oppose the slip. (Natural map e: y = P(x) and w = y - x obey the law exactly, and r, u are no farther than e from
//     them. So each case holds within (1 + mu) e, and where it slides with speed s, the reaction m = mu r_N is off its
//     direction by t with s t <= (1 + mu) e (s + 2 m).)
// Terms of more than 1000 times the data do not count: reactions that run away must not hide what is missing.
#include <float.h>

#include "friction_fixtures.h"
#include "quad.h"

enum { LARGEST = 30 };
static const quad most_growth = 1e3;

typedef struct verdict {
    quad natural, fclib; // the measures as zn/friction.h defines them
    quad law;            // largest violation of a case of the law over 1 + mu, as the natural measure
    quad data, scale;    // largest |q| and sum of |terms| in units where the mean diagonal is 1
    quad rounding[2];    // of u in double precision, in both measures: no solver can see through it
    quad last_digit;     // of reactions: none is nearer to the border of its cone, where W has small entries and large
} verdict;

static quad larger(quad a, quad b) { return a > b ? a : b; }

// |r - P(r - (u_N + mu |u_T|, u_T) / d)| with P the projection on |x_T| <= mu x_N.
static quad natural_map(int rows, quad mu, quad d, const double *r, const quad *u)
{
    quad x[3] = {0}, tangent = 0, slip = 0, sum = 0, factor = 1;
    for (int k = 1; k < rows; k++) {
        x[k] = r[k] - u[k] / d;
        tangent += x[k] * x[k];
        slip += u[k] * u[k];
    }
    tangent = quad_sqrt(tangent);
    x[0] = r[0] - (u[0] + mu * quad_sqrt(slip)) / d;
    if (mu * tangent <= -x[0])
        factor = x[0] = 0;
    else if (tangent > mu * x[0]) {
        x[0] = (x[0] + mu * tangent) / (1 + mu * mu);
        factor = mu * x[0] / tangent;
    }
    for (int k = 0; k < rows; k++)
        sum += (r[k] - (k > 0 ? factor : 1) * x[k]) * (r[k] - (k > 0 ? factor : 1) * x[k]);
    return quad_sqrt(sum);
}

// The cases of the law themselves. `root`: sqrt(d).
static quad law_violation(int rows, quad mu, quad root, const double *r, const quad *u)
{
    quad tangent = 0, slip = 0, along = 0;
    for (int k = 1; k < rows; k++) {
        tangent += (quad)r[k] * r[k];
        slip += u[k] * u[k];
    }
    tangent = quad_sqrt(tangent);
    slip = quad_sqrt(slip);
    for (int k = 1; k < rows; k++) // r_T + mu r_N u_T / |u_T| where it slides
        along += slip > 0 ? (r[k] + mu * r[0] * u[k] / slip) * (r[k] + mu * r[0] * u[k] / slip) : 0;
    quad press = root * quad_abs(r[0]), lift = quad_abs(u[0]) / root;
    quad s = slip / root, t = root * quad_sqrt(along), m = mu * press;
    quad worst = larger(-u[0] / root, -root * r[0]);
    worst = larger(worst, press < lift ? press : lift);
    worst = larger(worst, root * (tangent - mu * r[0]));
    return larger(worst, s > 0 ? s * t / (s + 2 * m) : 0);
}

static void judge_block(const zn_fc_problem *p, int c, const answer *a, verdict *v, quad sums[5])
{
    int  first = c < 0 ? c + p->bilateral : p->first[c], last = c < 0 ? first + 1 : p->first[c + 1];
    quad u[3] = {0}, d = 0, size = 0, data = 0, most = 0;
    for (int i = first; i < last; i++) {
        quad terms = quad_abs(p->q[i]);
        u[i - first] = p->q[i];
        for (int j = 0; j < p->n; j++) {
            quad term = (quad)p->W[i * p->n + j] * a->r[j];
            u[i - first] += term;
            terms += quad_abs(term);
            most = larger(most, quad_abs(p->W[i * p->n + j]));
        }
        d += quad_abs(p->W[i * p->n + i]) / (last - first);
        size = larger(size, terms);
        data = larger(data, quad_abs(p->q[i]));
        assert_true(quad_abs(a->u[i] - u[i - first]) <= 1e-14 * terms);
        sums[4] += terms * terms;
        sums[1] += (quad)p->q[i] * p->q[i];
        sums[2] += (quad)a->r[i] * a->r[i];
        sums[3] += u[i - first] * u[i - first];
    }
    d = d > 0 ? d : most > 0 ? most : 1;
    int  rows = last - first;
    quad root = quad_sqrt(d), one = c < 0 ? quad_abs(u[0]) : natural_map(rows, p->mu[c], 1, a->r + first, u);
    quad own = c < 0 ? quad_abs(u[0]) / root : root * natural_map(rows, p->mu[c], d, a->r + first, u);
    quad law = c < 0 ? quad_abs(u[0]) / root : law_violation(rows, p->mu[c], root, a->r + first, u);
    sums[0] += one * one;
    v->natural = larger(v->natural, own);
    v->law = larger(v->law, law / (1 + (c < 0 ? 0 : p->mu[c])));
    for (int i = first; i < last; i++)
        v->last_digit = larger(v->last_digit, DBL_EPSILON * root * quad_abs(a->r[i]));
    v->data = larger(v->data, data / root);
    v->scale = larger(v->scale, size / root);
}

static verdict judge(const zn_fc_problem *p, const answer *a)
{
    verdict v = {0};
    quad    sums[5] = {0}; // violations by FCLIB's measure, q, r, u, terms of u, all squared
    for (int c = -p->bilateral; c < p->contacts; c++)
        judge_block(p, c, a, &v, sums);
    quad scale = v.data > 0 && v.scale > most_growth * v.data ? most_growth * v.data : v.scale;
    v.natural = scale > 0 ? v.natural / scale : 0;
    v.law = scale > 0 ? v.law / scale : 0;
    quad whole = quad_sqrt(larger(sums[1], larger(sums[2], sums[3])));
    v.fclib = quad_sqrt(sums[0]) / (whole > 1e-15 ? whole : 1);
    v.rounding[0] = scale > 0 ? (4 * DBL_EPSILON * v.scale + v.last_digit) / scale : 0;
    v.rounding[1] = 4 * DBL_EPSILON * quad_sqrt(sums[4]) / (whole > 1e-15 ? whole : 1);
    return v;
}

// --- problems ------------------------------------------------------------------------------------

static int choose(uint64_t *seed, int count) { return (int)(0.4999999 * count * (1 + draw(seed))); }

static void draw_friction(sample *s, uint64_t *seed)
{
    const double of_all[] = {0, 0.3, 1, 5};
    int          kind = choose(seed, 6);
    for (int c = 0; c < s->p.contacts; c++) {
        double own[] = {0, 0.5 * (1 + draw(seed)), 5};
        s->mu[c] = kind < 4 ? of_all[kind] : own[choose(seed, 3)];
    }
}

// Normals lean to one side, so that a motion opens all contacts; equations do not stop it.
static sample *draw_problem(uint64_t *seed)
{
    static double G[MAX][MAX];
    const double  spread[] = {0, 3, 6, 9}; // decades of mass
    double        inverse_mass[MAX], v[MAX];
    int     rows = 1 + choose(seed, 3), contacts = 1 + choose(seed, LARGEST / rows / 2), dofs = 2 + choose(seed, 14);
    int     bilateral = choose(seed, 3) == 0 ? choose(seed, dofs > 3 ? 3 : 1) : 0, decades = choose(seed, 4);
    bool    twice = choose(seed, 3) == 0, idle = choose(seed, 5) == 0;
    sample *s = make_sample(bilateral, contacts, rows, 0);
    memset(G, 0, sizeof G);
    for (int k = 0; k < dofs; k++) {
        inverse_mass[k] = pow(10, 0.5 * spread[decades] * draw(seed));
        v[k] = draw(seed) - (k == 0 ? 1 : 0);
    }
    for (int i = 0; i < s->p.n; i++)
        for (int k = 0; k < dofs; k++) {
            bool   normal = i >= bilateral && (i - bilateral) % rows == 0;
            double own = choose(seed, 2) == 0 ? draw(seed) : 0;
            G[i][k] = k == 0 ? (normal ? 1.2 + draw(seed) : i < bilateral ? 0 : draw(seed)) : own;
        }
    for (int c = 1; c < contacts && twice; c += 2) // the one before, once more
        memcpy(G[s->first[c]], G[s->first[c - 1]], (size_t)rows * sizeof G[0]);
    if (idle)
        memset(G[s->first[choose(seed, contacts)]], 0, (size_t)rows * sizeof G[0]);
    fill_sample(s, dofs, G, inverse_mass, v);
    draw_friction(s, seed);
    if (choose(seed, 5) == 0)
        disturb(s, 0.5, seed);
    return s;
}

// --- campaign ------------------------------------------------------------------------------------

static struct {
    long asked, solved, wrong;
    quad natural, fclib, law; // worst of the answers, in units of the tolerance
} count;

static void check_answer(const zn_fc_problem *p, const answer *a, const zn_fc_settings *s, uint64_t seed)
{
    const quad more = 1 + 1e-3; // rounding
    verdict    v = judge(p, a);
    bool       natural = s->measure == ZN_FC_MEASURE_NATURAL;
    quad       tolerance = s->tolerance + v.rounding[!natural], asked = natural ? v.natural : v.fclib;
    bool       wrong = asked > more * tolerance || (natural && v.law > more * tolerance);
    count.solved++;
    count.wrong += wrong;
    count.natural = larger(count.natural, natural ? v.natural / tolerance : 0);
    count.fclib = larger(count.fclib, natural ? 0 : v.fclib / tolerance);
    count.law = larger(count.law, natural ? v.law / tolerance : 0);
    if (wrong)
        print_message("false: %s, tolerance %g, measure %d, problem %llu: measure %.3g, law %.3g (n %d)\n", s->solver,
                      s->tolerance, (int)s->measure, (unsigned long long)seed, (double)asked, (double)v.law, p->n);
}

static void try_problem(uint64_t seed, zn_fc_workspace *workspace)
{
    const double tolerances[] = {1e-4, 1e-8, 1e-12};
    uint64_t     state = seed;
    sample      *s = draw_problem(&state);
    for (int k = 0; k < SOLVERS; k++)
        for (int t = 0; t < 6; t++) {
            zn_fc_settings settings = zn_fc_settings_default();
            answer         a = {0};
            settings.solver = solvers[k].name;
            settings.tolerance = tolerances[t % 3];
            settings.measure = t < 3 ? ZN_FC_MEASURE_NATURAL : ZN_FC_MEASURE_FCLIB;
            settings.max_iterations = k == 0 ? 0 : 200;
            count.asked++;
            a.status = zn_fc_solve(&s->p, &settings, workspace, a.r, a.u, &a.info);
            if (a.status == ZN_OK)
                check_answer(&s->p, &a, &settings, seed);
        }
    free(s);
}

static uint64_t first_seed = 1;
static long     problems = 150;

static void answers_are_answers(void **state)
{
    (void)state;
    zn_fc_workspace *workspace;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    for (long k = 0; k < problems; k++)
        try_problem(first_seed * 1000003u + (uint64_t)k, workspace);
    zn_fc_workspace_destroy(workspace);
    print_message(
        "%ld problems, %ld calls, %ld answers, %ld false; worst over the tolerance: natural %.3f, FCLIB %.3f, "
        "law %.3f\n",
        problems, count.asked, count.solved, count.wrong, (double)count.natural, (double)count.fclib,
        (double)count.law);
    assert_true(count.solved > count.asked / 3);
    assert_int_equal(count.wrong, 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_are_answers)};
    first_seed = argc > 1 ? strtoull(argv[1], NULL, 10) : first_seed;
    problems = argc > 2 ? atol(argv[2]) : problems;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
