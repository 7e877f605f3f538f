// Sweeps whose contacts have momentum: starts within the cones, an answer stays, momentum that grows and shrinks by its
// rule, and heaps of blocks, every two of which touch at four points, that take fewer sweeps than with differences of
// all.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "solve/friction.h"
#include "zn/friction.h"

// --- a heap of blocks ----------------------------------------------------------------------------

enum { SIDE = 4, BODIES = SIDE * SIDE * SIDE, POINTS = 4, MOST = POINTS * 3 * BODIES, NEAR = 2 * 6 * POINTS };

// Columns of the six velocities of each of the two bodies of a contact, -1: the floor.
typedef struct touch {
    int    body[2];
    double G[2][3][6];
} touch;

typedef struct heap {
    zn_fc_problem p;
    zn_fc_matrix  W;
    touch         touch[MOST];
    int           first[MOST + 1], start[3 * MOST + 1], column[9 * MOST * NEAR];
    double        value[9 * MOST * NEAR], q[3 * MOST], mu[MOST], v[BODIES][6];
} heap;

// A point `at` from the centre, with the frame e of its normal and tangents.
static void fill_side(touch *t, int side, int body, double sign, const double at[3], double e[3][3])
{
    t->body[side] = body;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            t->G[side][i][k] = sign * e[i][k];
            t->G[side][i][3 + k] = sign * (at[a] * e[i][b] - at[b] * e[i][a]);
        }
}

// Four points of the faces that meet along `axis`, the normal off it by some degrees; below < 0: the floor.
static void add_face(heap *s, int below, int above, int axis, uint64_t *seed)
{
    double normal[3] = {0.1 * draw(seed), 0.1 * draw(seed), 0.1 * draw(seed)}, e[3][3], length = 0;
    normal[axis] += 1;
    for (int k = 0; k < 3; k++)
        length += normal[k] * normal[k];
    double dot = 0, second[3] = {0}, size = 0;
    second[(axis + 1) % 3] = 1;
    for (int k = 0; k < 3; k++) {
        e[0][k] = normal[k] / sqrt(length);
        dot += e[0][k] * second[k];
    }
    for (int k = 0; k < 3; k++) {
        e[1][k] = second[k] - dot * e[0][k];
        size += e[1][k] * e[1][k];
    }
    for (int k = 0; k < 3; k++)
        e[1][k] /= sqrt(size);
    for (int k = 0; k < 3; k++)
        e[2][k] = e[0][(k + 1) % 3] * e[1][(k + 2) % 3] - e[0][(k + 2) % 3] * e[1][(k + 1) % 3];
    for (int point = 0; point < POINTS; point++) {
        touch *t = s->touch + s->p.contacts++;
        double at[3] = {0, 0, 0}, other[3];
        at[axis] = -0.5;
        at[(axis + 1) % 3] = (point % 2 ? 0.5 : -0.5) * (0.75 + 0.25 * draw(seed));
        at[(axis + 2) % 3] = (point / 2 ? 0.5 : -0.5) * (0.75 + 0.25 * draw(seed));
        for (int k = 0; k < 3; k++)
            other[k] = at[k] + (k == axis);
        fill_side(t, 0, above, 1, at, e);
        fill_side(t, 1, below, -1, other, e);
    }
}

static double product(const touch *a, const touch *b, int i, int j)
{
    double sum = 0;
    for (int s = 0; s < 2; s++)
        for (int o = 0; o < 2; o++)
            for (int k = 0; k < 6 && a->body[s] >= 0 && a->body[s] == b->body[o]; k++)
                sum += a->G[s][i][k] * b->G[o][j][k] * (k < 3 ? 1 : 6); // mass 1, cubes of side 1
    return sum;
}

static bool share(const touch *a, const touch *b)
{
    for (int s = 0; s < 2; s++)
        if (a->body[s] >= 0 && (a->body[s] == b->body[0] || a->body[s] == b->body[1]))
            return true;
    return false;
}

static void assemble(heap *s)
{
    int entry = 0;
    for (int c = 0; c < s->p.contacts; c++) {
        const touch *t = s->touch + c;
        s->first[c] = 3 * c;
        s->mu[c] = 0.3;
        for (int i = 0; i < 3; i++) {
            s->start[3 * c + i] = entry;
            for (int side = 0; side < 2; side++)
                for (int k = 0; k < 6 && t->body[side] >= 0; k++)
                    s->q[3 * c + i] += t->G[side][i][k] * s->v[t->body[side]][k];
            for (int o = 0; o < s->p.contacts; o++)
                for (int j = 0; j < 3 && share(t, s->touch + o); j++) {
                    s->column[entry] = 3 * o + j;
                    s->value[entry++] = product(t, s->touch + o, i, j);
                }
        }
    }
    int n = 3 * s->p.contacts;
    s->first[s->p.contacts] = s->start[n] = n;
    s->start[n] = entry;
    s->W = (zn_fc_matrix){n, n, s->start, s->column, s->value};
    s->p = (zn_fc_problem){n, 0, s->p.contacts, s->first, NULL, s->q, s->mu, &s->W, NULL};
}

// Blocks of a lattice that fall and turn a little.
static heap *make_heap(uint64_t seed)
{
    heap *s = calloc(1, sizeof *s);
    assert_non_null(s);
    for (int b = 0; b < BODIES; b++) {
        for (int k = 0; k < 6; k++)
            s->v[b][k] = 0.2 * draw(&seed) - (k == 2);
        add_face(s, b >= SIDE * SIDE ? b - SIDE * SIDE : -1, b, 2, &seed);
        if (b % SIDE > 0)
            add_face(s, b - 1, b, 0, &seed);
        if (b / SIDE % SIDE > 0)
            add_face(s, b - SIDE, b, 1, &seed);
    }
    assemble(s);
    return s;
}

static int count_sweeps(const heap *s, bool momentum)
{
    zn_fc_workspace *workspace;
    zn_fc_info       info = {0};
    zn_fc_settings   settings = {
          .solver = "anderson", .tolerance = 1e-4, .measure = ZN_FC_MEASURE_FCLIB, .settle = momentum};
    double *r = calloc((size_t)s->p.n, sizeof *r), *u = calloc((size_t)s->p.n, sizeof *u);
    assert_true(r && u);
    CHECK_OK(zn_fc_workspace_create(&workspace));
    CHECK_OK(zn_fc_solve(&s->p, &settings, workspace, r, u, &info));
    assert_true(zn_fc_residual_fclib(&s->p, r) <= settings.tolerance);
    zn_fc_workspace_destroy(workspace);
    free(r);
    free(u);
    return info.iterations;
}

static void heaps_take_fewer_sweeps(void **state)
{
    (void)state;
    int with = 0, without = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        heap *s = make_heap(seed);
        int   a = count_sweeps(s, true), b = count_sweeps(s, false);
        print_message("%d contacts: %d sweeps with momentum, %d without\n", s->p.contacts, a, b);
        with += a;
        without += b;
        free(s);
    }
    CHECK_BELOW(with, 0.8 * without);
}

// --- the rule ------------------------------------------------------------------------------------

// Two contacts that nothing couples, of a problem that is there for its sizes only.
static zn_fc_blocks two_contacts(zn_fc_workspace *memory)
{
    static const int    first[] = {0, 3, 6};
    static const double W[36] = {1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                                 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1};
    static const double q[6] = {0}, mu[] = {0.5, 0.5};
    zn_fc_problem       p = {6, 0, 2, first, W, q, mu, NULL, NULL};
    zn_fc_blocks        b;
    CHECK_OK(zn_fc_blocks_create(&p, memory, &b));
    return b;
}

// A contact that moves on steadily gains momentum, up to a limit below one. One that sweeps move back, half of the way
// that momentum took it, loses a quarter of it and a tenth of its limit each time. Where a sweep moves nothing nothing
// moves.
static void momentum_follows_motion(void **state)
{
    (void)state;
    zn_fc_workspace *memory;
    zn_fc_momentum   m;
    CHECK_OK(zn_fc_workspace_create(&memory));
    zn_fc_blocks b = two_contacts(memory);
    double       r[6] = {10, 0, 0, 10, 0, 0}, before = 0, end[6];
    CHECK_OK(zn_fc_momentum_begin(&b, memory, &m));
    zn_fc_momentum_leave(&b, &m, r);
    for (int sweep = 0; sweep < 40; sweep++) {
        double last = m.part[1];
        r[0] += 0.1 - (sweep > 0 ? 0.9 * (r[0] - end[0]) : 0);
        r[3] = sweep == 0 ? 11 : 0.5 * (r[3] + end[3]);
        memcpy(end, r, sizeof r);
        zn_fc_momentum_mix(&b, &m, r);
        assert_true(m.part[0] > before && m.part[0] < 1);
        if (sweep > 0 && sweep < 6) {
            CHECK_NEAR(m.part[1], 0.75 * last, 1e-15);
            CHECK_NEAR(m.limit[1], m.most * pow(0.9, sweep), 1e-15);
        }
        before = m.part[0];
    }
    assert_true(before > 0.9); // a steady change is made ten times as fast
    for (int sweep = 0; sweep < 2; sweep++) {
        memcpy(r, end, sizeof r);
        zn_fc_momentum_mix(&b, &m, r);
    }
    assert_memory_equal(r, end, sizeof r);
    double most = m.most;
    for (int k = 0; k < 3; k++)
        zn_fc_momentum_calm(&m);
    zn_fc_momentum_mix(&b, &m, r);
    CHECK_BELOW(m.part[0], 0.35 * most); // at once
    zn_fc_workspace_destroy(memory);
}

// What momentum would carry out of the cone starts on it.
static void starts_are_in_the_cones(void **state)
{
    (void)state;
    zn_fc_workspace *memory;
    zn_fc_momentum   m;
    uint64_t         seed = 5;
    int              bound = 0;
    CHECK_OK(zn_fc_workspace_create(&memory));
    zn_fc_blocks b = two_contacts(memory);
    double       r[6] = {1, 0, 0, 1, 0, 0};
    CHECK_OK(zn_fc_momentum_begin(&b, memory, &m));
    zn_fc_momentum_leave(&b, &m, r);
    for (int sweep = 0; sweep < 200; sweep++) {
        for (int c = 0; c < 2; c++) {
            double normal = 0.5 + 0.5 * draw(&seed), way = 3 * draw(&seed), slip = 0.5 * normal * draw(&seed);
            r[3 * c] = normal;
            r[3 * c + 1] = slip * cos(way);
            r[3 * c + 2] = slip * sin(way);
        }
        zn_fc_momentum_mix(&b, &m, r);
        for (int c = 0; c < 2; c++) {
            double length = hypot(r[3 * c + 1], r[3 * c + 2]);
            assert_true(r[3 * c] >= 0);
            CHECK_BELOW(length, 0.5 * r[3 * c] * (1 + 1e-14) + 1e-300);
            bound += length > 0.5 * r[3 * c] * (1 - 1e-14);
        }
    }
    assert_true(bound > 20);
    zn_fc_workspace_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_take_fewer_sweeps),
        cmocka_unit_test(momentum_follows_motion),
        cmocka_unit_test(starts_are_in_the_cones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
