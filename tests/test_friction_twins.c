// Contacts between the same two bodies: W = T V T' with six rows of V for a face, whatever its corners; equations with
// it against those of all rows; what is no such W is refused, and rounding near the end of a path is told.
#include "friction_fixtures.h"
#include "solve/friction_call.h"
#include "solve/friction_twins.h"

// Row of H' for one body: three freedoms in the plane (two rows), six in space.
static void fill_row(int rows, double sign, const double p[3], int axis, double *row)
{
    const double e[3] = {axis == 1, rows == 2 ? axis == 0 : axis == 2, rows == 2 ? 0 : axis == 0};
    for (int k = 0; k < rows; k++)
        row[k] = sign * e[k];
    for (int k = rows == 2 ? 2 : 0; k < 3; k++)
        row[rows == 2 ? 2 : 3 + k] = sign * (p[(k + 1) % 3] * e[(k + 2) % 3] - p[(k + 2) % 3] * e[(k + 1) % 3]);
}

// Boxes one on the other, `feet` contacts of two or three rows under each.
static sample *make_stack(int boxes, int feet, int rows, double mu, uint64_t *seed)
{
    int           freedoms = rows == 2 ? 3 : 6, up = rows == 2 ? 1 : 2;
    sample       *s = make_sample(0, boxes * feet, rows, mu);
    static double G[MAX][MAX];
    double        inverse_mass[MAX], v[MAX];
    memset(G, 0, sizeof G);
    for (int i = 0; i < freedoms * boxes; i++) {
        inverse_mass[i] = i % freedoms < rows ? 1 : 12 + 4 * draw(seed);
        v[i] = draw(seed) - (i % freedoms == up ? 2 : 0);
    }
    for (int c = 0; c < boxes * feet; c++) {
        double low[3] = {draw(seed), rows == 2 ? 0 : draw(seed), 0}, high[3] = {low[0], low[1], 0};
        low[up] = -0.5;
        high[up] = 0.5;
        for (int k = 0; k < rows; k++) {
            fill_row(rows, 1, low, k, G[rows * c + k] + freedoms * (c / feet));
            if (c >= feet)
                fill_row(rows, -1, high, k, G[rows * c + k] + freedoms * (c / feet - 1));
        }
    }
    fill_sample(s, freedoms * boxes, G, inverse_mass, v);
    return s;
}

typedef struct problem {
    sample          *s;
    zn_fc_workspace *memory;
    zn_fc_blocks     b;
    zn_fc_twins      twins;
} problem;

static void open_problem(sample *s, problem *p)
{
    p->s = s;
    CHECK_OK(zn_fc_workspace_create(&p->memory));
    CHECK_OK(zn_fc_blocks_create(&s->p, p->memory, &p->b));
    CHECK_OK(zn_fc_twins_find(&p->b, p->memory, &p->twins));
}

static void close_problem(problem *p)
{
    zn_fc_workspace_destroy(p->memory);
    free(p->s);
}

// own = A' A of a size between 10^low and 10^high, and its inverse; left = 1 but for the first row. Of blocks with two
// rows the third stands by itself.
typedef struct diagonal {
    double left[9 * MAX / 2], own[9 * MAX / 2], inverse[9 * MAX / 2];
} diagonal;

static void draw_diagonal(int count, int rows, double low, double high, uint64_t *seed, diagonal *d)
{
    for (int c = 0; c < count; c++) {
        double size = pow(10, low + (high - low) * (0.5 + 0.5 * draw(seed))), A[9],
               identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        double *own = d->own + 9 * c, *left = d->left + 9 * c, LU[9];
        int     pivot[3];
        for (int i = 0; i < 9; i++)
            A[i] = identity[i] + (rows == 2 && (i % 3 == 2 || i / 3 == 2) ? 0 : 0.5 * draw(seed));
        for (int i = 0; i < 9; i++) {
            own[i] = size * (A[i / 3] * A[i % 3] + A[3 + i / 3] * A[3 + i % 3] + A[6 + i / 3] * A[6 + i % 3]);
            LU[i] = own[i];
            left[i] = identity[i] + (i == 1 || (i == 2 && rows == 3) ? 0.5 * draw(seed) : 0);
        }
        CHECK_OK(zn_dense_lu_factor(3, LU, pivot));
        for (int k = 0; k < 3; k++) {
            double x[3] = {k == 0, k == 1, k == 2};
            zn_dense_lu_solve(3, LU, pivot, x);
            for (int i = 0; i < 3; i++)
                d->inverse[9 * c + 3 * i + k] = x[i];
        }
    }
}

// Largest entry of b - (left W + own) x, for b of 1 and for what rounding leaves of W x: x is large where W gives way.
static double find_rest(const zn_fc_blocks *b, const diagonal *d, const double *right, const double *x)
{
    double u[MAX], worst = 0, largest = 0;
    zn_fc_blocks_multiply(b, x, u);
    for (int c = 0; c < b->count; c++) {
        int at = b->first[c], rows = b->first[c + 1] - at;
        for (int i = 0; i < rows; i++) {
            double sum = right[at + i];
            for (int j = 0; j < rows; j++)
                sum -= d->left[9 * c + 3 * i + j] * (u[at + j] - b->q[at + j]) + d->own[9 * c + 3 * i + j] * x[at + j];
            worst = fmax(worst, fabs(sum));
            largest = fmax(largest, fabs(x[at + i]));
        }
    }
    return worst / (1 + 1e-6 * largest);
}

static zn_status solve_drawn(problem *p, double low, double high, uint64_t *seed, double *rest, bool *kept)
{
    diagonal          d;
    zn_fc_factors     factors = {0};
    zn_fc_twin_system system = {d.left, d.own, d.inverse};
    double            right[MAX], x[MAX];
    draw_diagonal(p->b.count, p->b.n / p->b.count, low, high, seed, &d);
    for (int i = 0; i < p->b.n; i++)
        x[i] = right[i] = draw(seed);
    CHECK_OK(zn_fc_twins_factor(&p->twins, &system, p->memory, false, &factors));
    zn_status status = zn_fc_twins_solve(&p->twins, &system, &factors, x);
    *rest = find_rest(&p->b, &d, right, x);
    *kept = memcmp(x, right, sizeof *x * (size_t)p->b.n) == 0;
    zn_fc_factors_free(&factors);
    return status;
}

// Six motions for a face in space, three in the plane, however many its contacts are.
static void check_motions(int boxes, int feet, int rows, uint64_t *seed)
{
    int     motions = rows == 2 ? 3 : 6, groups = boxes == 2 ? 1 : boxes; // with two all contacts act on all
    problem p;
    open_problem(make_stack(boxes, feet, rows, 0.5, seed), &p);
    assert_int_equal(p.twins.groups, groups);
    assert_int_equal(p.twins.twins, p.b.count);
    CHECK_NEAR(zn_fc_twins_part(&p.twins, 12, p.memory), (double)motions / (rows * feet), 1e-15);
    CHECK_OK(zn_fc_twins_create(p.memory, &p.twins));
    assert_int_equal(p.twins.m, motions * boxes);
    for (int k = 0; k < 7; k++) {
        double rest;
        bool   kept;
        CHECK_OK(solve_drawn(&p, -k, 2, seed, &rest, &kept));
        CHECK_BELOW(rest, 1e-8); // what is promised
    }
    close_problem(&p);
}

static void motions_of_a_face(void **state)
{
    (void)state;
    uint64_t seed = 3;
    for (int boxes = 1; boxes <= 8; boxes++)
        for (int feet = 4; feet * boxes <= 32; feet += 3)
            for (int rows = 2; rows <= 3; rows++)
                check_motions(boxes, feet, rows, &seed);
}

// Where contacts have next to no compliance of their own, beside others that have, digits are lost: told, or made good.
static void lost_digits(void **state)
{
    (void)state;
    uint64_t seed = 5;
    int      lost = 0;
    problem  p;
    open_problem(make_stack(8, 4, 3, 0.5, &seed), &p);
    CHECK_OK(zn_fc_twins_create(p.memory, &p.twins));
    for (int k = 0; k < 100; k++) {
        double    rest;
        bool      kept;
        zn_status status = solve_drawn(&p, -6 - 0.1 * k, 6, &seed, &rest, &kept);
        assert_true(status == ZN_OK || (status == ZN_SINGULAR && kept));
        if (status == ZN_OK)
            CHECK_BELOW(rest, 1e-5);
        lost += status != ZN_OK;
    }
    assert_in_range(lost, 1, 90);
    close_problem(&p);
}

// One number of W is another one: on the diagonal that is one more rank, between two groups W is not T V T'.
static void no_such_matrix(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int between = 0; between < 2; between++) {
        sample *s = make_stack(4, 8, 3, 0.5, &seed);
        int     i = 10, j = between ? 31 : 10, n = s->p.n;
        s->W[i * n + j] += 1e-6;
        s->W[j * n + i] += between ? 1e-6 : 0;
        for (int k = 0; k < n && between; k++)
            s->q[k] *= 1e6; // hides nothing
        problem p;
        open_problem(s, &p);
        assert_int_equal(p.twins.groups, 4);
        CHECK_OK(zn_fc_twins_create(p.memory, &p.twins));
        assert_int_equal(p.twins.m, between ? 0 : 25);
        close_problem(&p);
    }
    sample *even = make_sample(0, 12, 3, 0.5); // all act on all, and none repeats another
    for (int i = 0; i < 36 * 36; i++)
        even->W[i] = i % 37 == 0 ? 1 : 0.01;
    problem body;
    open_problem(even, &body);
    assert_int_equal(body.twins.groups, 1);
    CHECK_NEAR(zn_fc_twins_part(&body.twins, 12, body.memory), 1, 0);
    close_problem(&body);
    problem alone;
    open_problem(make_stack(8, 1, 3, 0.5, &seed), &alone); // nothing is gained with a contact for each
    assert_int_equal(alone.twins.twins, 0);
    CHECK_NEAR(zn_fc_twins_part(&alone.twins, 12, alone.memory), 1, 0);
    CHECK_OK(zn_fc_twins_create(alone.memory, &alone.twins));
    assert_int_equal(alone.twins.m, 0);
    close_problem(&alone);
}

// The path through the interior with these equations: Coulomb's law, case by case.
static void whole_paths(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int k = 0; k < 48; k++) {
        int     feet = k % 3 == 0 ? 4 : k % 3 == 1 ? 10 : 30;
        int     boxes = feet == 4 ? 8 : 32 / feet, rows = k < 24 ? 3 : 2;
        sample *s = make_stack(boxes, feet, rows, 0.1 * (k % 8), &seed);
        for (int c = 0; k % 5 == 0 && c < s->p.contacts; c += 3) // some without friction, or with next to none
            s->mu[c] = c % 2 == 0 ? 0 : 1e-6;
        const char *const words[] = {"interior_point", "auto"};
        for (int word = 0; word < 2; word++) {
            answer a = run(&s->p, words[word], NULL);
            CHECK_OK(a.status);
            check_law(&s->p, &a, words[word]);
        }
        free(s);
    }
}

static int path_steps(const zn_fc_problem *p, double tolerance)
{
    zn_fc_settings   settings = zn_fc_settings_default();
    zn_fc_workspace *workspace;
    answer           a = {0};
    settings.solver = "interior_point";
    settings.tolerance = tolerance;
    CHECK_OK(zn_fc_workspace_create(&workspace));
    CHECK_OK(zn_fc_solve(p, &settings, workspace, a.r, a.u, &a.info));
    zn_fc_workspace_destroy(workspace);
    if (tolerance < 1e-8)
        check_law(p, &a, "interior_point");
    return a.info.iterations;
}

// Newton's method doubles the digits where the path wins about one with a step: seven more of them cost three steps at
// most, on an average, with the equations of twins (8 boxes on 4 corners) and with all (one or two).
static void end_of_a_path(void **state)
{
    (void)state;
    enum { DRAWS = 24 };
    uint64_t seed = 23;
    for (int boxes = 1; boxes <= 8; boxes *= 2) {
        int more = 0;
        for (int k = 0; k < DRAWS; k++) {
            sample *s = make_stack(boxes, 4, 3, 0.2 + 0.1 * (k % 8), &seed);
            more += path_steps(&s->p, 1e-11) - path_steps(&s->p, 1e-4);
            free(s);
        }
        CHECK_BELOW(more, 3 * DRAWS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(motions_of_a_face), cmocka_unit_test(lost_digits),   cmocka_unit_test(no_such_matrix),
        cmocka_unit_test(whole_paths),       cmocka_unit_test(end_of_a_path),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
