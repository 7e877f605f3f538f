// Shares of a pile: what processes find out for themselves fits together, by brute force over all pairs of contacts.
#include "check.h"

#include <stdlib.h>

#include "parallel/pile_split.h"

enum { MOST_CONTACTS = 4000, MOST_BODIES = 1000, MOST_RANKS = 9 };

// A problem of contacts with three rows each; body k has the degrees of freedom 6 k to 6 k + 5.
typedef struct scene {
    zn_system      sys;
    zn_layout_node place[MOST_BODIES];
    double         q[7 * MOST_BODIES];
    zn_node_blocks blocks;
    int            node[6 * MOST_BODIES];
    int            contacts, body[MOST_CONTACTS][2]; // -1: the ground
    int            row[3 * MOST_CONTACTS], first[MOST_CONTACTS + 1];
    int            start[3 * MOST_CONTACTS + 1], dof[12 * 3 * MOST_CONTACTS];
    double         value[12 * 3 * MOST_CONTACTS];
    zn_row_list    list;
    zn_pile_task   task;
} scene;

static void add_contact(scene *s, int a, int b)
{
    int c = s->contacts++, entry = s->start[3 * c];
    s->body[c][0] = a;
    s->body[c][1] = b;
    for (int r = 0; r < 3; r++) {
        s->row[3 * c + r] = 3 * c + r;
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 6 && s->body[c][i] >= 0; k++) {
                s->dof[entry] = 6 * s->body[c][i] + k;
                s->value[entry++] = 1 + k;
            }
        s->start[3 * c + r + 1] = entry;
    }
    s->first[c + 1] = 3 * (c + 1);
}

static int pick(uint64_t *seed, int count) { return (int)(0.5 * (1 + draw(seed)) * count) % count; }

// Bodies on a lattice, thrown about a little, numbered at random; contacts of neighbours and with the floor.
static scene *make_scene(int nx, int ny, int nz, uint64_t seed)
{
    scene *s = calloc(1, sizeof *s);
    int    bodies = nx * ny * nz, number[MOST_BODIES];
    assert_non_null(s);
    for (int i = 0; i < bodies; i++)
        number[i] = i;
    for (int i = bodies - 1; i > 0; i--) {
        int k = pick(&seed, i + 1), old = number[i];
        number[i] = number[k];
        number[k] = old;
    }
    for (int i = 0; i < bodies; i++) {
        int     k = number[i];
        double *q = s->q + 7 * k;
        q[0] = i % nx + 0.3 * draw(&seed);
        q[1] = i / nx % ny + 0.3 * draw(&seed);
        q[2] = i / nx / ny + 0.3 * draw(&seed);
        s->place[k] = (zn_layout_node){.kind = ZN_FRAME3, .q = 7 * k};
        for (int d = 0; d < 6; d++)
            s->node[6 * k + d] = k;
    }
    for (int i = 0; i < bodies; i++) {
        if (i / nx / ny == 0)
            add_contact(s, number[i], -1);
        if (i % nx + 1 < nx && pick(&seed, 4) > 0)
            add_contact(s, number[i], number[i + 1]);
        if (i / nx % ny + 1 < ny && pick(&seed, 4) > 0)
            add_contact(s, number[i + nx], number[i]);
        if (i + nx * ny < bodies)
            add_contact(s, number[i], number[i + nx * ny]);
    }
    s->sys.layout = (zn_layout){.nodes = bodies, .node = s->place};
    s->blocks = (zn_node_blocks){.n = 6 * bodies, .nodes = bodies, .node = s->node};
    s->list = (zn_row_list){.rows = 3 * s->contacts,
                            .contacts = s->contacts,
                            .row = s->row,
                            .first = s->first,
                            .capacity = 3 * s->contacts};
    s->task = (zn_pile_task){
        .sys = &s->sys, .q = s->q, .blocks = &s->blocks, .G = {s->start, s->dof, s->value}, .list = &s->list};
    return s;
}

static bool share_body(const scene *s, int c, int d)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (s->body[c][i] >= 0 && s->body[c][i] == s->body[d][j])
                return true;
    return false;
}

static void make_splits(scene *s, int ranks, zn_pile_split *split)
{
    for (int r = 0; r < ranks; r++) {
        CHECK_OK(zn_pile_split_create(ranks, r, s->sys.layout.nodes, &split[r]));
        CHECK_OK(zn_pile_split_make(&split[r], &s->task));
    }
}

static void destroy_splits(int ranks, zn_pile_split *split)
{
    for (int r = 0; r < ranks; r++)
        zn_pile_split_destroy(&split[r]);
}

// Every contact has one owner, that of its body with the lower number; owner[c].
static void check_owners(const scene *s, int ranks, const zn_pile_split *split, int *owner)
{
    int seen = 0;
    for (int c = 0; c < s->contacts; c++)
        owner[c] = -1;
    for (int r = 0; r < ranks; r++)
        for (int k = 0; k < split[r].own; k++, seen++) {
            int c = split[r].contact[k], a = s->body[c][0], b = s->body[c][1];
            assert_int_equal(owner[c], -1);
            owner[c] = r;
            int lower = b >= 0 && b < a ? b : a, higher = b >= 0 && b < a ? a : b;
            assert_int_equal(split[0].owner[lower], r);
            bool inner = higher < 0 || split[0].owner[higher] == r;
            assert_int_equal(inner, k < split[r].inner);
        }
    assert_int_equal(seen, s->contacts);
}

// Inner contacts of different processes share no body, and neither do contacts of different processes of one colour:
// what is swept at once has nothing to do with each other.
static void check_colours(const scene *s, const zn_pile_split *split, const int *owner)
{
    bool inner[MOST_CONTACTS] = {0};
    for (int r = 0; r < split->ranks; r++)
        for (int k = 0; k < split[r].inner; k++)
            inner[split[r].contact[k]] = true;
    for (int c = 0; c < s->contacts; c++)
        for (int d = 0; d < c; d++) {
            if (owner[c] == owner[d] || !share_body(s, c, d))
                continue;
            assert_false(inner[c] && inner[d]);
            assert_int_not_equal(split->colour[owner[c]], split->colour[owner[d]]);
        }
}

// Ghosts are what shares a body with own contacts, and nothing else.
static void check_ghosts(const scene *s, const zn_pile_split *split, const int *owner)
{
    bool local[MOST_CONTACTS] = {0};
    for (int k = 0; k < split->local; k++) {
        assert_false(local[split->contact[k]]);
        local[split->contact[k]] = true;
    }
    for (int c = 0; c < s->contacts; c++) {
        bool wanted = owner[c] == split->rank;
        for (int k = 0; k < split->own && !wanted; k++)
            wanted = share_body(s, c, split->contact[k]);
        assert_int_equal(wanted, local[c]);
    }
}

static const zn_pile_neighbour *neighbour_of(const zn_pile_split *split, int rank)
{
    for (int i = 0; i < split->neighbours; i++)
        if (split->neighbour[i].rank == rank)
            return &split->neighbour[i];
    return NULL;
}

// What one sends another one takes, in the same order, inner ones first.
static void check_messages(int ranks, const zn_pile_split *split)
{
    for (int a = 0; a < ranks; a++)
        for (int b = 0; b < ranks; b++) {
            const zn_pile_neighbour *to = neighbour_of(&split[a], b), *from = neighbour_of(&split[b], a);
            assert_int_equal(to == NULL, from == NULL);
            if (!to)
                continue;
            assert_int_equal(to->send_end - to->send, from->take_end - from->take);
            assert_int_equal(to->send_inner - to->send, from->take_inner - from->take);
            assert_int_equal(from->colour, split[a].colour[a]);
            for (int k = 0; k < to->send_end - to->send; k++)
                assert_int_equal(split[a].contact[split[a].sent[to->send + k]], split[b].contact[from->take + k]);
        }
}

static void check_balance(const scene *s, int ranks, const zn_pile_split *split)
{
    for (int r = 0; r < ranks; r++) {
        assert_true(split[r].own > 0.6 * s->contacts / ranks);
        assert_true(split[r].own < 1.5 * s->contacts / ranks);
    }
}

static void test_shares_fit_together(void **state)
{
    (void)state;
    static const int size[][3] = {{6, 6, 6}, {20, 2, 1}, {4, 4, 9}}, many[] = {2, 3, 4, MOST_RANKS};
    for (unsigned i = 0; i < sizeof size / sizeof *size; i++)
        for (unsigned k = 0; k < sizeof many / sizeof *many; k++) {
            int           ranks = many[k];
            zn_pile_split split[MOST_RANKS];
            int           owner[MOST_CONTACTS];
            scene        *s = make_scene(size[i][0], size[i][1], size[i][2], 7 * i + (unsigned)ranks);
            make_splits(s, ranks, split);
            check_owners(s, ranks, split, owner);
            check_colours(s, split, owner);
            for (int r = 0; r < ranks; r++)
                check_ghosts(s, &split[r], owner);
            check_messages(ranks, split);
            if (i == 0)
                check_balance(s, ranks, split);
            destroy_splits(ranks, split);
            free(s);
        }
}

// More processes than bodies, and no contact at all.
static void test_few_bodies(void **state)
{
    (void)state;
    zn_pile_split split[MOST_RANKS];
    int           owner[MOST_CONTACTS];
    scene        *s = make_scene(2, 1, 1, 3);
    make_splits(s, MOST_RANKS, split);
    check_owners(s, MOST_RANKS, split, owner);
    check_messages(MOST_RANKS, split);
    destroy_splits(MOST_RANKS, split);
    s->list.contacts = s->list.rows = s->contacts = 0;
    make_splits(s, 3, split);
    for (int r = 0; r < 3; r++)
        assert_int_equal(split[r].local, 0);
    destroy_splits(3, split);
    free(s);
}

// A third body: refused.
static void test_three_bodies(void **state)
{
    (void)state;
    zn_pile_split split;
    scene        *s = make_scene(3, 1, 1, 3);
    add_contact(s, 0, 1);
    s->list.contacts = s->contacts;
    s->list.rows = 3 * s->contacts;
    CHECK_OK(zn_pile_split_create(2, 0, 3, &split));
    CHECK_OK(zn_pile_split_make(&split, &s->task));
    s->dof[s->start[3 * s->contacts - 1]] = 6 * 2;
    CHECK_STATUS(zn_pile_split_make(&split, &s->task), ZN_ERR_UNSUPPORTED);
    zn_pile_split_destroy(&split);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares_fit_together),
        cmocka_unit_test(test_few_bodies),
        cmocka_unit_test(test_three_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
