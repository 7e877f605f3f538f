// What processes do in shares gives what one does alone: pairs of spheres, the judge of friction problems, sweeps, and
// Anderson's acceleration.
#include "check.h"

#include <stdlib.h>

#include "model/contact/broad_phase.h"
#include "solve/anderson.h"
#include "solve/friction.h"

static uint64_t seed_now;

static double chance(void) { return 0.5 * (1 + draw(&seed_now)); }

// --- pairs ---------------------------------------------------------------------------------------

static void release(zn_contact_list *list)
{
    free(list->number);
    free(list->spare);
    free(list->feature);
    free(list->piece);
    *list = (zn_contact_list){0};
}

static void test_shares_of_pairs_are_the_list_of_one(void **state)
{
    (void)state;
    enum { BALLS = 700 };
    static zn_ball  ball[BALLS];
    void           *scratch = malloc(zn_broad_phase_scratch(BALLS));
    zn_contact_list whole = {0};
    seed_now = 5;
    for (int i = 0; i < BALLS; i++)
        ball[i] = (zn_ball){{chance(), chance(), chance()}, i % 50 == 0 ? 0.2 : 0.01 + 0.05 * chance()};
    CHECK_OK(zn_broad_phase(BALLS, ball, BALLS, scratch, &whole));
    assert_true(whole.count > BALLS);
    for (int parts = 1; parts <= 5; parts++) {
        int at = 0;
        for (int part = 0; part < parts; part++) {
            zn_contact_list list = {0};
            CHECK_OK(zn_broad_phase_share(BALLS, ball, BALLS, part, parts, scratch, &list));
            assert_true(at + list.count <= whole.count);
            if (list.count > 0)
                assert_memory_equal(list.number, whole.number + at, sizeof *list.number * (size_t)list.count);
            at += list.count;
            release(&list);
        }
        assert_int_equal(at, whole.count);
    }
    release(&whole);
    free(scratch);
}

// --- the judge -----------------------------------------------------------------------------------

enum { CONTACTS = 12, ROWS = 3 * CONTACTS };

// W = B B' and q at random, by rows; contacts in the order that `turn` begins with.
typedef struct problem {
    int           start[ROWS + 1], column[ROWS * ROWS], first[CONTACTS + 1];
    double        value[ROWS * ROWS], q[ROWS], mu[CONTACTS], r[ROWS], u[ROWS];
    zn_fc_matrix  W;
    zn_fc_problem p;
} problem;

static void make_problem(unsigned seed, int turn, problem *out)
{
    static double B[ROWS][ROWS], q[ROWS], mu[CONTACTS], r[ROWS];
    seed_now = seed;
    for (int i = 0; i < ROWS; i++) {
        q[i] = chance() - 0.7;
        r[i] = i % 3 == 0 ? chance() : 0.2 * (chance() - 0.5);
        mu[i / 3] = 0.1 + 0.1 * (i / 3);
        for (int j = 0; j < ROWS; j++)
            B[i][j] = chance() - 0.5;
    }
    for (int i = 0; i < ROWS; i++) {
        int from = (i + 3 * turn) % ROWS;
        out->q[i] = q[from];
        out->r[i] = r[from];
        out->mu[i / 3] = mu[from / 3];
        out->first[i / 3] = i - i % 3;
        out->start[i] = ROWS * i;
        for (int j = 0; j < ROWS; j++) {
            double sum = 0;
            for (int k = 0; k < ROWS; k++)
                sum += B[from][k] * B[(j + 3 * turn) % ROWS][k];
            out->column[ROWS * i + j] = j;
            out->value[ROWS * i + j] = sum;
        }
    }
    out->first[CONTACTS] = ROWS;
    out->start[ROWS] = ROWS * ROWS;
    out->W = (zn_fc_matrix){ROWS, ROWS, out->start, out->column, out->value};
    out->p = (zn_fc_problem){
        .n = ROWS, .contacts = CONTACTS, .first = out->first, .q = out->q, .mu = out->mu, .sparse = &out->W};
}

static void test_terms_of_shares_are_those_of_the_whole(void **state)
{
    (void)state;
    static problem whole, one;
    for (unsigned seed = 1; seed < 6; seed++) {
        zn_fc_terms all = {0}, own;
        make_problem(seed, 0, &whole);
        for (int turn = 0, share; turn < CONTACTS; turn += share) { // 5, 5 and 2 contacts, each with its own first
            share = CONTACTS - turn < 5 ? CONTACTS - turn : 5;
            make_problem(seed, turn, &one);
            one.p.contacts = share;
            one.p.n = 3 * share;
            zn_fc_judge_terms(&one.p, one.r, one.u, &own);
            zn_fc_add_terms(&own, &all);
        }
        for (int measure = ZN_FC_MEASURE_NATURAL; measure <= ZN_FC_MEASURE_FCLIB; measure++) {
            zn_fc_verdict a = zn_fc_judge_both(&whole.p, (zn_fc_measure)measure, whole.r, whole.u);
            zn_fc_verdict b = zn_fc_judge_all((zn_fc_measure)measure, &all);
            assert_true(a.natural > 1e-3);
            CHECK_NEAR(a.natural, b.natural, 1e-12 * a.natural);
            CHECK_NEAR(a.fclib, b.fclib, 1e-12 * a.fclib);
            CHECK_NEAR(a.asked, b.asked, 1e-12 * a.asked);
        }
        own.total = NAN;
        zn_fc_add_terms(&own, &all);
        assert_true(isinf(zn_fc_judge_all(ZN_FC_MEASURE_NATURAL, &all).asked)); // what one cannot judge nobody can
    }
}

// --- sweeps --------------------------------------------------------------------------------------

static void test_sweeps_in_pieces(void **state)
{
    (void)state;
    static problem   one;
    zn_fc_workspace *memory;
    zn_fc_blocks     b;
    double           whole[ROWS], pieces[ROWS];
    zn_fc_swept      a = {0}, c = {0};
    make_problem(3, 0, &one);
    CHECK_OK(zn_fc_workspace_create(&memory));
    CHECK_OK(zn_fc_blocks_create(&one.p, memory, &b));
    memcpy(whole, one.r, sizeof whole);
    memcpy(pieces, one.r, sizeof pieces);
    zn_fc_sweep_some(&b, 0, CONTACTS, whole, &a);
    zn_fc_sweep_some(&b, 0, 4, pieces, &c);
    zn_fc_sweep_some(&b, 4, 4, pieces, &c);
    zn_fc_sweep_some(&b, 4, CONTACTS, pieces, &c);
    assert_memory_equal(whole, pieces, sizeof whole);
    assert_true(a.squares == c.squares && a.largest == c.largest && a.reactions == c.reactions && a.squares > 0);
    zn_fc_workspace_destroy(memory);
}

// Two processes, each with half of the vector and a copy of the other half: both come to what one comes to alone.
static void test_acceleration_by_two(void **state)
{
    (void)state;
    enum { N = 10, HALF = 4 };
    double      memory[3][ZN_ANDERSON_VECTORS * N], x[3][N], terms[2][ZN_ANDERSON_TERMS];
    zn_anderson h[3];
    for (int k = 0; k < 3; k++)
        zn_anderson_begin(N, memory[k], &h[k]);
    for (int i = 0; i < N; i++)
        x[0][i] = x[1][i] = x[2][(i + N - HALF) % N] = 1; // the second has its own half first
    for (int step = 0; step < 6; step++) {
        for (int k = 0; k < 3; k++) {
            zn_anderson_leave(&h[k], x[k]);
            for (int i = 0; i < N; i++) {
                int place = k < 2 ? i : (i + HALF) % N;
                x[k][i] = 0.1 * place + (0.3 + 0.06 * place) * x[k][i];
            }
        }
        zn_anderson_mix(&h[0], x[0]);
        zn_anderson_take(&h[1], HALF, x[1], terms[0]);
        zn_anderson_take(&h[2], N - HALF, x[2], terms[1]);
        for (int i = 0; i < ZN_ANDERSON_TERMS; i++)
            terms[0][i] += terms[1][i];
        zn_anderson_use(&h[1], terms[0], x[1]);
        zn_anderson_use(&h[2], terms[0], x[2]);
        for (int i = 0; i < N; i++) {
            assert_true(x[1][i] == x[2][(i + N - HALF) % N]);
            CHECK_NEAR(x[0][i], x[1][i], 1e-9);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_of_pairs_are_the_list_of_one),
        cmocka_unit_test(test_terms_of_shares_are_those_of_the_whole),
        cmocka_unit_test(test_sweeps_in_pieces),
        cmocka_unit_test(test_acceleration_by_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
