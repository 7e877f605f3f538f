// Contact events made few: nothing is lost, ends are where they were to the length of a part, and what stands out
// stays.
#include "check.h"

#include <stdlib.h>

#include "view/event_groups.h"

typedef struct list {
    int64_t          count, room, fail_at; // reading fails from that one on; 0: never
    zn_result_event *event;
} list;

static zn_status read_list(const void *user, int64_t first, int64_t count, zn_result_event *events)
{
    const list *l = user;
    if (l->fail_at > 0 && first + count > l->fail_at)
        return ZN_ERR_IO;
    memcpy(events, l->event + first, sizeof *events * (size_t)count);
    return ZN_OK;
}

static list make_list(int64_t room)
{
    list l = {.room = room, .event = calloc((size_t)room, sizeof(zn_result_event))};
    assert_non_null(l.event);
    return l;
}

static void add(list *l, const char *name, double from, double to, double impulse, bool impact)
{
    assert_true(l->count < l->room);
    zn_result_event *e = &l->event[l->count++];
    snprintf(e->name, sizeof e->name, "%s", name);
    e->closed_at = from;
    e->opened_at = to;
    e->impulse = impulse;
    e->impact = impact;
    e->open = true;
}

static double random_share(uint64_t *seed) // in [0, 1)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

static int by_opening(const void *a, const void *b)
{
    double p = ((const zn_result_event *)a)->opened_at, q = ((const zn_result_event *)b)->opened_at;
    return (p > q) - (p < q);
}

// Is the event in a group that begins and ends where it does?
static bool is_drawn(const zn_event_groups *g, const zn_result_event *e)
{
    for (int64_t i = 0; i < g->count; i++) {
        const zn_event_group *p = &g->group[i];
        if (strcmp(p->strongest.name, e->name) == 0 && p->from <= e->closed_at && e->closed_at <= p->from + g->within &&
            p->to >= e->opened_at && e->opened_at >= p->to - g->within)
            return true;
    }
    return false;
}

static bool is_alone(const zn_event_groups *g, int64_t number)
{
    for (int64_t i = 0; i < g->count; i++)
        if (g->group[i].first == number)
            return g->group[i].count == 1;
    return false;
}

// Numbers of the longest and the strongest of the same name, the first of equals.
static void find_best(const list *l, int64_t of, int64_t *longest, int64_t *strongest)
{
    double length = -1, impulse = -1;
    for (int64_t i = 0; i < l->count; i++) {
        const zn_result_event *e = &l->event[i];
        if (strcmp(e->name, l->event[of].name) != 0)
            continue;
        if (e->opened_at - e->closed_at > length) {
            length = e->opened_at - e->closed_at;
            *longest = i;
        }
        if (e->impulse > impulse) {
            impulse = e->impulse;
            *strongest = i;
        }
    }
}

// What every grouping must be.
static void check_groups(const list *l, const zn_event_groups *g, int64_t most)
{
    int64_t events = 0, impacts = 0, merged = 0;
    double  impulse = 0, expected = 0;
    assert_true(g->count <= most);
    for (int64_t i = 0; i < g->count; i++) {
        const zn_event_group *p = &g->group[i];
        events += p->count;
        impacts += p->impacts;
        impulse += p->impulse;
        merged += p->count > 1 ? p->count : 0;
        assert_true(i == 0 || p->first > p[-1].first);
        assert_true(p->from <= p->strongest.closed_at && p->strongest.opened_at <= p->to);
        if (p->count == 1) {
            const zn_result_event *e = &l->event[p->first];
            assert_string_equal(p->strongest.name, e->name);
            assert_true(p->from == e->closed_at && p->to == e->opened_at && p->impulse == e->impulse &&
                        p->open == e->open);
        }
    }
    for (int64_t i = 0; i < l->count; i++) {
        impacts -= l->event[i].impact;
        expected += l->event[i].impulse;
        if (i % 17 == 0)
            assert_true(is_drawn(g, &l->event[i]));
        if (i % 499 == 0) {
            int64_t longest = 0, strongest = 0;
            find_best(l, i, &longest, &strongest);
            assert_true(is_alone(g, longest) && is_alone(g, strongest));
        }
    }
    assert_int_equal(events, l->count);
    assert_int_equal(merged, g->merged);
    assert_int_equal(impacts, 0);
    CHECK_NEAR(impulse, expected, 1e-12 * expected);
}

static void few_stay_as_they_are(void **state)
{
    (void)state;
    list            l = make_list(100);
    zn_event_groups g;
    CHECK_OK(zn_event_groups_make(0, 100, read_list, &l, &g));
    assert_int_equal(g.count, 0);
    zn_event_groups_clear(&g);
    for (int i = 0; i < 100; i++)
        add(&l, i % 2 ? "a" : "b", 0.5, 0.5, 1, true); // all at once, and yet
    CHECK_OK(zn_event_groups_make(l.count, 100, read_list, &l, &g));
    check_groups(&l, &g, 100);
    assert_int_equal(g.count, 100);
    assert_int_equal(g.merged, 0);
    assert_true(g.within == 0);
    zn_event_groups_clear(&g);
    free(l.event);
}

// Four wheels that stand, lift off together and hammer afterwards: the long contacts end within one step of each other.
static void wheels_that_lift_off_together(void **state)
{
    (void)state;
    static const char *const wheel[] = {"w1", "w2", "w3", "w4"};
    list                     l = make_list(8004);
    zn_event_groups          g;
    uint64_t                 seed = 1;
    for (int k = 0; k < 4; k++)
        add(&l, wheel[k], 0, 0.078 + 1e-7 * k, 1000.0 - 100 * k, false);
    for (int i = 0; i < 8000; i++) {
        double from = 0.1 + 0.2 * i / 8000;
        bool   impact = i % 10 == 0;
        add(&l, wheel[i % 4], from, from + (impact ? 2.85e-7 : 2e-5 * random_share(&seed)), 5 * random_share(&seed),
            impact);
    }
    CHECK_OK(zn_event_groups_make(l.count, 2000, read_list, &l, &g));
    check_groups(&l, &g, 2000);
    for (int k = 0; k < 4; k++)
        assert_true(is_alone(&g, k));
    for (int64_t i = 0; i < l.count; i++)
        assert_true(is_drawn(&g, &l.event[i]));
    assert_true(g.count > 2000 / 4); // no more than needed: of twice as many parts at most four groups become one
    CHECK_BELOW(g.within, 0.3 / 256);
    zn_event_groups_clear(&g);
    free(l.event);
}

// A pile: very many of one name at once, long ones among short ones.
static void many_of_one_name_at_once(void **state)
{
    (void)state;
    list            l = make_list(20000);
    zn_event_groups g, again;
    uint64_t        seed = 2;
    for (int i = 0; i < 20000; i++) {
        double from = random_share(&seed), share = random_share(&seed);
        add(&l, "between", from, from + (1 - from) * pow(share, 6), random_share(&seed), false);
    }
    qsort(l.event, (size_t)l.count, sizeof *l.event, by_opening); // as they are written
    CHECK_OK(zn_event_groups_make(l.count, 1000, read_list, &l, &g));
    check_groups(&l, &g, 1000);
    CHECK_BELOW(g.within, 1.0 / 32); // n (n + 1)/2 groups of n parts are fewer than 1000 for n = 32
    CHECK_OK(zn_event_groups_make(l.count, 1000, read_list, &l, &again));
    assert_int_equal(again.count, g.count);
    for (int64_t i = 0; i < g.count; i++)
        assert_true(again.group[i].first == g.group[i].first && again.group[i].impulse == g.group[i].impulse);
    zn_event_groups_clear(&again);
    zn_event_groups_clear(&g);
    free(l.event);
}

// More names than there is room for: each keeps its longest and its strongest, and the rest in one.
static void every_name_is_there(void **state)
{
    (void)state;
    list            l = make_list(5 * 400);
    zn_event_groups g;
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 400; k++) {
            char   name[16];
            double from = i + 1e-3 * k;
            snprintf(name, sizeof name, "c%d", k);
            add(&l, name, from, from + (i == 1 ? 0.5 : 0.1), i == 3 ? 2 : 1, false);
        }
    CHECK_OK(zn_event_groups_make(l.count, 100, read_list, &l, &g));
    check_groups(&l, &g, 1200);
    assert_int_equal(g.count, 1200);
    assert_int_equal(g.merged, 1200);
    for (int k = 0; k < 400; k++)
        assert_true(is_alone(&g, 400 + k) && is_alone(&g, 1200 + k));
    zn_event_groups_clear(&g);
    free(l.event);
}

// Times and impulses that are none, ends before beginnings: all are counted.
static void damaged_numbers(void **state)
{
    (void)state;
    const double    odd[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 0, 1};
    list            l = make_list(7 * 7 * 7 * 8);
    zn_event_groups g;
    int64_t         events = 0;
    for (int i = 0; i < 7 * 7 * 7 * 8; i++)
        add(&l, i % 2 ? "" : "x", odd[i % 7], odd[i / 7 % 7], odd[i / 49 % 7], i % 3 == 0);
    CHECK_OK(zn_event_groups_make(l.count, 50, read_list, &l, &g));
    assert_true(g.count <= 50);
    for (int64_t i = 0; i < g.count; i++)
        events += g.group[i].count;
    assert_int_equal(events, l.count);
    zn_event_groups_clear(&g);
    free(l.event);
}

static void a_file_that_cannot_be_read(void **state)
{
    (void)state;
    list            l = make_list(5000);
    zn_event_groups g;
    for (int i = 0; i < 5000; i++)
        add(&l, "a", i, i + 0.5, 1, false);
    l.fail_at = 3000;
    CHECK_STATUS(zn_event_groups_make(l.count, 100, read_list, &l, &g), ZN_ERR_IO);
    free(l.event);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_stay_as_they_are),     cmocka_unit_test(wheels_that_lift_off_together),
        cmocka_unit_test(many_of_one_name_at_once), cmocka_unit_test(every_name_is_there),
        cmocka_unit_test(damaged_numbers),          cmocka_unit_test(a_file_that_cannot_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
