// One list of what is saved counts, checks, saves and loads it; what is not of this version or these sizes is refused
// before anything changes.
#include <string.h>

#include "base/blob.h"
#include "check.h"

typedef struct thing {
    int    version, count, phase;
    bool   begun;
    double t, vector[4];
} thing;

static void list(thing *x, zn_blob *blob)
{
    zn_blob_version(blob, x->version);
    zn_blob_bool(blob, &x->begun);
    zn_blob_int(blob, &x->phase, 0, 9);
    zn_blob_double(blob, &x->t);
    zn_blob_doubles(blob, x->vector, x->count);
}

enum { WORDS = 5 + 3 };

static const thing full = {1, 3, 7, true, 0.1, {1, 2, 3, 4}};

static zn_status load(thing *x, const double *data, size_t words)
{
    zn_blob check = zn_blob_checking(data, sizeof *data * words), blob = zn_blob_of(data, sizeof *data * words);
    list(x, &check);
    if (check.failed)
        return ZN_ERR_ARGUMENT;
    list(x, &blob);
    assert_false(blob.failed);
    return ZN_OK;
}

static void save(thing x, double data[WORDS])
{
    zn_blob blob = zn_blob_into(data, sizeof *data * WORDS);
    list(&x, &blob);
    assert_false(blob.failed);
    assert_int_equal(blob.size, sizeof *data * WORDS);
}

static void test_round_trip(void **state)
{
    (void)state;
    thing   x = full, y = {.version = 1, .count = 3, .vector = {0, 0, 0, 5}};
    zn_blob count = zn_blob_counting();
    double  data[WORDS];
    list(&x, &count);
    assert_int_equal(count.size, sizeof data);
    assert_false(count.failed);
    save(x, data);
    CHECK_OK(load(&y, data, WORDS));
    assert_true(y.begun && y.phase == 7 && y.t == 0.1);
    assert_memory_equal(y.vector, x.vector, 3 * sizeof(double));
    assert_true(y.vector[3] == 5); // one more than there are
    for (int i = 0; i < WORDS; i++)
        assert_true(isfinite(data[i])); // numbers all, as a history must be
}

static void test_refused(void **state)
{
    (void)state;
    const thing other[] = {{2, 3, 0, 0, 0, {0}}, {1, 2, 0, 0, 0, {0}}, {1, 4, 0, 0, 0, {0}}};
    double      data[WORDS];
    save(full, data);
    for (int i = 0; i < 3; i++) { // another version, fewer and more values
        thing x = other[i];
        CHECK_STATUS(load(&x, data, WORDS), ZN_ERR_ARGUMENT);
        assert_memory_equal(&x, &other[i], sizeof x);
    }
    const struct {
        int    place;
        double value;
    } damage[] = {{0, NAN}, {1, 2}, {1, 0.5}, {2, 10}, {2, -1}, {2, 1e300}, {2, NAN}, {4, 3.5}, {4, -3}};
    for (size_t i = 0; i < sizeof damage / sizeof *damage; i++) {
        thing  x = {.version = 1, .count = 3}, before = x;
        double bad[WORDS];
        memcpy(bad, data, sizeof bad);
        bad[damage[i].place] = damage[i].value;
        CHECK_STATUS(load(&x, bad, WORDS), ZN_ERR_ARGUMENT);
        assert_memory_equal(&x, &before, sizeof x);
    }
    for (size_t words = 0; words < WORDS; words++) { // cut off
        thing x = {.version = 1, .count = 3}, before = x;
        CHECK_STATUS(load(&x, data, words), ZN_ERR_ARGUMENT);
        assert_memory_equal(&x, &before, sizeof x);
    }
}

// Memory of others does not grow; what has not begun is saved as zeros, its version and lengths all the same.
static void test_saving(void **state)
{
    (void)state;
    thing   x = full, y = {.version = 1, .count = 3, .begun = true};
    double  data[WORDS];
    zn_blob small = zn_blob_into(data, sizeof data - 1), blank = zn_blob_into(data, sizeof data);
    list(&x, &small);
    assert_true(small.failed);
    blank.blank = true;
    list(&x, &blank);
    CHECK_OK(load(&y, data, WORDS));
    assert_true(!y.begun && y.phase == 0 && y.t == 0 && y.vector[2] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_round_trip), cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_saving)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
