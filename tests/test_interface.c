// The operator of an interface: links that fall apart into blocks, in any order.
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "scheme/interface.h"

enum { MOST = 80 };

// Names of blocks with these sizes, their links dealt out in turn (`mixed`) or one block after the other.
static int deal(const int *size, int blocks, bool mixed, int *name)
{
    int left[MOST], links = 0, total = 0;
    for (int k = 0; k < blocks; k++)
        total += left[k] = size[k];
    for (int k = 0; links < total; k = mixed ? (k + 1) % blocks : k + (left[k] == 0))
        if (left[k] > 0) {
            left[k]--;
            name[links++] = k;
        }
    return links;
}

// block[i]: first link of the block of link i
static void name_by_first(int links, int *name)
{
    int first[MOST];
    memset(first, -1, sizeof first);
    for (int i = 0; i < links; i++) {
        first[name[i]] = first[name[i]] < 0 ? i : first[name[i]];
        name[i] = first[name[i]];
    }
}

// a: diagonal, b: full in each block, both symmetric and definite.
static void fill(int links, const int *block, double *a, double *b)
{
    uint64_t seed = 9;
    for (int i = 0; i < links; i++)
        for (int j = 0; j <= i; j++) {
            double value = block[i] == block[j] ? draw(&seed) / 10 + (i == j ? 3 : 0) : 0;
            a[i * links + j] = a[j * links + i] = i == j ? 1 + i : 0;
            b[i * links + j] = b[j * links + i] = value;
        }
}

static void check_inverse(int links, const int *block, bool in_order)
{
    double       a[MOST * MOST], b[MOST * MOST], x[MOST], y[MOST + 4];
    uint64_t     seed = 13;
    zn_interface f;
    fill(links, block, a, b);
    CHECK_OK(zn_interface_create(links, &f));
    CHECK_OK(zn_interface_invert(&f, a, b));
    assert_true(f.in_order || !in_order);
    for (int i = 0; i < links; i++)
        x[i] = draw(&seed);
    y[links + 3] = 17; // room for three more
    zn_interface_apply(&f, x, y);
    assert_true(y[links + 3] == 17);
    for (int i = 0; i < links; i++) {
        double sum = 0;
        for (int j = 0; j < links; j++)
            sum += (a[i * links + j] + b[i * links + j]) * y[j];
        CHECK_NEAR(sum, x[i], 1e-12);
    }
    zn_interface_destroy(&f);
}

// In the order that is asked for nothing has to be gathered.
static void check_sorted(int links, const int *block)
{
    int                scratch[2 * MOST], order[MOST], sorted[MOST], seen[MOST] = {0}, count = 0;
    zn_interface_group group[MOST];
    int                groups = zn_interface_sort(links, block, scratch, order, group);
    for (int g = 0; g < groups; g++)
        count += group[g].size * group[g].blocks;
    assert_int_equal(count, links);
    for (int i = 0; i < links; i++) {
        seen[order[i]]++;
        sorted[i] = block[order[i]];
    }
    for (int i = 0; i < links; i++)
        assert_int_equal(seen[i], 1);
    name_by_first(links, sorted);
    check_inverse(links, sorted, true);
}

static void test_blocks(void **test)
{
    (void)test;
    static const struct {
        int count, size[24];
    } list[] = {
        {24, {6, 6, 2, 4, 4, 2, 6, 6, 2, 4, 4, 2, 4, 2, 2, 4, 2, 2, 4, 2, 2, 4, 2, 2}}, // the bridge crane
        {1, {1}},
        {1, {23}},
        {3, {5, 5, 5}},
        {5, {5, 5, 5, 5, 5}},
        {4, {1, 1, 1, 1}},
        {7, {3, 1, 3, 2, 3, 3, 7}},
        {8, {8, 8, 8, 8, 8, 8, 8, 8}},
    };
    for (size_t k = 0; k < sizeof list / sizeof *list; k++)
        for (int mixed = 0; mixed < 2; mixed++) {
            int block[MOST], links = deal(list[k].size, list[k].count, mixed, block);
            name_by_first(links, block);
            check_inverse(links, block, false);
            check_sorted(links, block);
        }
}

static void test_singular(void **test)
{
    (void)test;
    double       a[4] = {0}, b[4] = {1, 1, 1, 1};
    zn_interface f;
    CHECK_OK(zn_interface_create(2, &f));
    CHECK_STATUS(zn_interface_invert(&f, a, b), ZN_SINGULAR);
    zn_interface_destroy(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks), cmocka_unit_test(test_singular)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
