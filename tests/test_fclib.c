// FCLIB files: what is written is read back, in every storage; what is damaged is refused with one clear message.
#include "fclib_fixtures.h"

#include <hdf5.h>

static zn_fclib_file *read_back(const char *path)
{
    log_capture    log = {0};
    zn_fclib_file *file = NULL;
    if (zn_fclib_read(path, log_into(&log), &file) != ZN_OK)
        fail_msg("%s", log.text);
    return file;
}

static double entry(const zn_fc_matrix *a, int i, int j)
{
    for (int e = a->start[i]; e < a->start[i + 1]; e++)
        if (a->column[e] == j)
            return a->value[e];
    return 0;
}

// --- round trips ---------------------------------------------------------------------------------

static void test_reduced(void **state)
{
    (void)state;
    double W[N * N];
    fill_W(W);
    write_mixed(scratch_file());
    zn_fclib_file       *file = read_back(scratch_file());
    const zn_fc_problem *p = file->reduced;
    assert_null(file->global);
    assert_non_null(p);
    assert_string_equal(file->title, "two contacts");
    assert_string_equal(file->description, "made by a test");
    assert_string_equal(file->math_info, "");
    assert_int_equal(file->dimension, 3);
    assert_int_equal(p->n, N);
    assert_int_equal(p->bilateral, EQUATIONS);
    assert_int_equal(p->contacts, CONTACTS);
    assert_memory_equal(p->first, first, sizeof first);
    assert_memory_equal(p->q, q, sizeof q);
    assert_memory_equal(p->mu, mu, sizeof mu);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) // the block beside the equations is stored once: equal up to rounding of W
            CHECK_NEAR(entry(p->sparse, i, j), W[i * N + j], 1e-15);
    zn_fclib_destroy(file);
    remove(scratch_file());
}

// A contact without tangents beside one with one: the missing rows come as rows that change nothing.
static void test_padding(void **state)
{
    (void)state;
    const double        W[9] = {2, 0.5, 0.25, 0.5, 3, 1, 0.25, 1, 4}, load[3] = {-1, -2, 0.5}, friction[2] = {0, 0.4};
    const int           rows[] = {0, 1, 3};
    const zn_fc_problem p = {3, 0, 2, rows, W, load, friction, NULL, NULL};
    CHECK_OK(zn_fclib_write(scratch_file(), &p, NULL, (zn_log){0}));
    zn_fclib_file       *file = read_back(scratch_file());
    const zn_fc_problem *r = file->reduced;
    const int            place[3] = {0, 2, 3};
    assert_int_equal(file->dimension, 2);
    assert_int_equal(r->n, 4);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(r->q[place[i]], load[i], 0);
        for (int j = 0; j < 3; j++)
            CHECK_NEAR(entry(r->sparse, place[i], place[j]), W[3 * i + j], 0);
    }
    assert_int_equal(r->sparse->start[2] - r->sparse->start[1], 1);
    CHECK_NEAR(entry(r->sparse, 1, 1), 2, 0);
    CHECK_NEAR(r->q[1], 0, 0);
    assert_non_null(strstr(file->description, "tangents that nothing acts on"));
    zn_fclib_destroy(file);
    remove(scratch_file());
}

// Equations whose action on contacts is not the transpose of the contacts' on them: eliminated. With r of the contacts
// given, u must be what the full problem gives once its equation holds.
static void test_elimination(void **state)
{
    (void)state;
    const double        W[9] = {2, 1, -0.5, 3, 5, 1, 0.25, 1, 4}, load[3] = {0.7, -2, 0.5}, friction[1] = {0.4};
    const double        r[2] = {1.25, -0.5};
    const int           rows[] = {1, 3};
    const zn_fc_problem p = {3, 1, 1, rows, W, load, friction, NULL, NULL};
    CHECK_OK(zn_fclib_write(scratch_file(), &p, NULL, (zn_log){0}));
    zn_fclib_file *file = read_back(scratch_file());
    assert_int_equal(file->reduced->bilateral, 0);
    assert_non_null(strstr(file->description, "eliminated"));
    double l = -(load[0] + W[1] * r[0] + W[2] * r[1]) / W[0];
    for (int i = 0; i < 2; i++) {
        double full = W[3 * (i + 1)] * l + W[3 * (i + 1) + 1] * r[0] + W[3 * (i + 1) + 2] * r[1] + load[i + 1];
        double left = file->reduced->q[i];
        for (int j = 0; j < 2; j++)
            left += entry(file->reduced->sparse, i, j) * r[j];
        CHECK_NEAR(left, full, 1e-14);
    }
    zn_fclib_destroy(file);
    const double  singular[9] = {0, 1, -0.5, 3, 5, 1, 0.25, 1, 4};
    zn_fc_problem bad = p;
    bad.W = singular;
    CHECK_STATUS(zn_fclib_write(scratch_file(), &bad, NULL, (zn_log){0}), ZN_SINGULAR);
    remove(scratch_file());
}

static void test_global(void **state)
{
    (void)state;
    const int    M_start[] = {0, 2, 4}, M_column[] = {0, 1, 0, 1}, H_start[] = {0, 2, 4}, H_column[] = {0, 1, 1, 2};
    const double M_value[] = {2, 0.5, 0.5, 3}, H_value[] = {1, -1, 0.5, 2}, f[] = {1, -9}, w[] = {0.25, 0, 1};
    const zn_fc_matrix M = {2, 2, M_start, M_column, M_value}, H = {2, 3, H_start, H_column, H_value};
    const int          rows[] = {1, 3};
    const double       friction[] = {0.5};
    const zn_fc_global g = {2, 3, 1, 1, rows, &M, &H, f, w, friction};
    CHECK_OK(zn_fclib_write_global(scratch_file(), &g, NULL, (zn_log){0}));
    zn_fclib_file *file = read_back(scratch_file());
    assert_null(file->reduced);
    assert_int_equal(file->dimension, 2);
    assert_int_equal(file->global->n, 2);
    assert_int_equal(file->global->rows, 3);
    assert_int_equal(file->global->bilateral, 1);
    assert_memory_equal(file->global->M->value, M_value, sizeof M_value);
    assert_memory_equal(file->global->H->start, H_start, sizeof H_start);
    assert_memory_equal(file->global->H->column, H_column, sizeof H_column);
    assert_memory_equal(file->global->H->value, H_value, sizeof H_value);
    assert_memory_equal(file->global->f, f, sizeof f);
    assert_memory_equal(file->global->w, w, sizeof w);

    double          r[] = {7, 8, 9}, u[] = {0, 2, 3}, v[] = {4, 5};
    zn_fclib_answer answer = {r, u, v};
    for (int twice = 0; twice < 2; twice++) // the second replaces the first
        CHECK_OK(zn_fclib_write_solution(scratch_file(), file, &answer, (zn_log){0}));
    zn_fclib_destroy(file);
    file = read_back(scratch_file());
    assert_non_null(file->solution);
    assert_memory_equal(file->solution->r, r, sizeof r);
    assert_memory_equal(file->solution->u, u, sizeof u);
    assert_memory_equal(file->solution->v, v, sizeof v);
    zn_fclib_destroy(file);
    remove(scratch_file());
}

// --- files changed from outside ------------------------------------------------------------------

static void put(hid_t file, const char *path, hid_t type, int count, const void *values)
{
    hsize_t size = (hsize_t)count;
    hid_t   space = H5Screate_simple(1, &size, NULL);
    if (H5Lexists(file, path, H5P_DEFAULT) > 0)
        H5Ldelete(file, path, H5P_DEFAULT);
    hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(dataset >= 0);
    if (count > 0)
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(dataset);
    H5Sclose(space);
}

static hid_t reopen(void)
{
    hid_t file = H5Fopen(scratch_file(), H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    return file;
}

// The same 2 x 2 matrix as compressed columns, as rows and as triplets with one entry in two halves, in longer arrays.
static void test_storages(void **state)
{
    (void)state;
    const double        W[4] = {2, 0.5, 0, 3}, load[2] = {-1, 0.5}, friction[1] = {0.4};
    const int           rows[] = {0, 2};
    const zn_fc_problem p = {2, 0, 1, rows, W, load, friction, NULL, NULL};
    static const struct {
        int    nz, pointers, p[6], i[6];
        double x[6];
    } storages[] = {
        {-1, 3, {0, 1, 3}, {0, 0, 1, 77, 77, 77}, {2, 0.5, 3, 9, 9, 9}},
        {-1, 3, {0, 1, 3}, {0, 1, 0, 77, 77, 77}, {2, 3, 0.5, 9, 9, 9}}, // columns not in order
        {-2, 3, {0, 2, 3}, {0, 1, 1, 77, 77, 77}, {2, 0.5, 3, 9, 9, 9}},
        {4, 6, {1, 1, 0, 1, 9, 9}, {1, 0, 0, 1, 9, 9}, {1, 0.5, 2, 2, 9, 9}},
    };
    for (size_t k = 0; k < sizeof storages / sizeof *storages; k++) {
        CHECK_OK(zn_fclib_write(scratch_file(), &p, NULL, (zn_log){0}));
        hid_t file = reopen();
        put(file, "fclib_local/W/nz", H5T_NATIVE_INT, 1, &storages[k].nz);
        put(file, "fclib_local/W/p", H5T_NATIVE_INT, storages[k].pointers, storages[k].p);
        put(file, "fclib_local/W/i", H5T_NATIVE_INT, 6, storages[k].i);
        put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, 6, storages[k].x);
        H5Fclose(file);
        zn_fclib_file      *read = read_back(scratch_file());
        const zn_fc_matrix *a = read->reduced->sparse;
        const int           start[] = {0, 2, 3}, column[] = {0, 1, 1};
        const double        value[] = {2, 0.5, 3};
        assert_memory_equal(a->start, start, sizeof start);
        assert_memory_equal(a->column, column, sizeof column);
        assert_memory_equal(a->value, value, sizeof value);
        zn_fclib_destroy(read);
    }
    remove(scratch_file());
}

static void test_guesses(void **state)
{
    (void)state;
    const int    two = 2;
    const double r[6] = {1, 2, 3, 4, 5, 6}, l[1] = {7};
    write_mixed(scratch_file());
    hid_t file = reopen();
    H5Gclose(H5Gcreate2(file, "guesses", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put(file, "guesses/number_of_guesses", H5T_NATIVE_INT, 1, &two);
    for (int k = 0; k < two; k++) {
        H5Gclose(H5Gcreate2(file, k == 0 ? "guesses/1" : "guesses/2", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        put(file, k == 0 ? "guesses/1/r" : "guesses/2/r", H5T_NATIVE_DOUBLE, 6, r);
        put(file, k == 0 ? "guesses/1/u" : "guesses/2/u", H5T_NATIVE_DOUBLE, 6, r);
    }
    put(file, "guesses/2/l", H5T_NATIVE_DOUBLE, 1, l);
    H5Fclose(file);
    zn_fclib_file *read = read_back(scratch_file());
    assert_int_equal(read->guess_count, 2);
    CHECK_NEAR(read->guesses[0].r[0], 0, 0);
    CHECK_NEAR(read->guesses[1].r[0], 7, 0);
    CHECK_NEAR(read->guesses[1].r[6], 6, 0);
    CHECK_NEAR(read->guesses[1].u[1], 1, 0);
    assert_null(read->guesses[1].v);
    zn_fclib_destroy(read);
    remove(scratch_file());
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        const char *dataset;
        int         count; // -1: remove it; -2: text; else integers or numbers
        int         integers[8];
        double      numbers[8];
        const char *message;
    } faults[] = {
        {"fclib_local", -1, {0}, {0}, "neither group fclib_local nor fclib_global"},
        {"fclib_local/spacedim", -1, {0}, {0}, "fclib_local/spacedim: missing"},
        {"fclib_local/spacedim", 1, {4}, {0}, "fclib_local/spacedim: must be 2 or 3, is 4"},
        {"fclib_local/spacedim", 2, {3, 3}, {0}, "fclib_local/spacedim: must be one integer, has 2"},
        {"fclib_local/spacedim", 1, {2}, {0}, "fclib_local/vectors/q: has 6 values, expected 4"},
        {"fclib_local/vectors", -1, {0}, {0}, "fclib_local/vectors/s: missing"},
        {"fclib_local/vectors/q", -1, {0}, {0}, "fclib_local/vectors/q: missing"},
        {"fclib_local/vectors/q", -2, {0}, {0}, "fclib_local/vectors/q: not a list of numbers"},
        {"fclib_local/vectors/q", 6, {0}, {1, 2, NAN, 4, 5, 6}, "fclib_local/vectors/q: value 2 is not finite"},
        {"fclib_local/vectors/q", 5, {0}, {1, 2, 3, 4, 5}, "fclib_local/vectors/q: has 5 values, expected 6"},
        {"fclib_local/vectors/mu", 0, {0}, {0}, "fclib_local/vectors/mu: the problem has no contacts"},
        {"fclib_local/vectors/mu", 2, {0}, {0.5, -0.25}, "fclib_local/vectors/mu: value 1 is negative (-0.25)"},
        {"fclib_local/vectors/mu", 2, {0}, {INFINITY, 0.5}, "fclib_local/vectors/mu: value 0 is not finite"},
        {"fclib_local/vectors/s", 2, {0}, {1, 2}, "fclib_local/V: is 6 x 1, expected 6 x 2"},
        {"fclib_local/W/m", 1, {7}, {0}, "fclib_local/W: is 7 x 6, expected 6 x 6"},
        {"fclib_local/W/n", 1, {-1}, {0}, "fclib_local/W: is 6 x -1, expected 6 x 6"},
        {"fclib_local/W/nz", 1, {-3}, {0}, "fclib_local/W/nz: unknown storage -3"},
        {"fclib_local/W/nz", 1, {3}, {0}, "fclib_local/W/p: index 6 of entry 1 is out of range 0..5"},
        {"fclib_local/W/nz", 1, {2000000000}, {0}, "fclib_local/W/p: has 7 values, expected 2000000000"},
        {"fclib_local/W/p", 3, {0, 1, 2}, {0}, "fclib_local/W/p: has 3 values, expected 7"},
        {"fclib_local/W/p", 7, {1, 6, 12, 18, 24, 30, 36}, {0}, "fclib_local/W/p: starts with 1"},
        {"fclib_local/W/p", 7, {0, 6, 12, 8, 24, 30, 36}, {0}, "fclib_local/W/p: decreases at 3"},
        {"fclib_local/W/p", 7, {0, 6, 12, 18, 24, 30, 37}, {0}, "fclib_local/W/i: has 36 values, expected 37"},
        {"fclib_local/W/i", 3, {0, 1, 2}, {0}, "fclib_local/W/i: has 3 values, expected 36"},
        {"fclib_local/W/x", 3, {0}, {0, 1, 2}, "fclib_local/W/x: has 3 values, expected 36"},
        {"fclib_local/W/x", 1, {0}, {NAN}, "fclib_local/W/x: value 0 is not finite"},
        {"fclib_local/W/i", -1, {0}, {0}, "fclib_local/W/i: missing"},
        {"fclib_local/V/i", 6, {0, 0, 0, 0, 1, 0}, {0}, "fclib_local/V/i: index 1 of entry 4 is out of range 0..0"},
        {"fclib_local/V/i", 6, {0, -1, 0, 0, 0, 0}, {0}, "fclib_local/V/i: index -1 of entry 1 is out of range"},
        {"fclib_local/R", -1, {0}, {0}, "fclib_local/R/m: missing"},
    };
    for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
        bool real = !isnan(faults[k].numbers[0]) ? false : true;
        for (int i = 0; i < 8; i++)
            real |= faults[k].numbers[i] != 0;
        write_mixed(scratch_file());
        hid_t file = reopen();
        if (faults[k].count == -1)
            H5Ldelete(file, faults[k].dataset, H5P_DEFAULT);
        else if (faults[k].count == -2)
            put(file, faults[k].dataset, H5T_C_S1, 1, "x");
        else
            put(file, faults[k].dataset, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, faults[k].count,
                real ? (const void *)faults[k].numbers : faults[k].integers);
        H5Fclose(file);
        log_capture    log = {0};
        zn_fclib_file *read = NULL;
        CHECK_STATUS(zn_fclib_read(scratch_file(), log_into(&log), &read), ZN_ERR_IO);
        assert_null(read);
        assert_int_equal(log.count, 1);
        assert_int_equal(H5Fget_obj_count(H5F_OBJ_ALL, H5F_OBJ_ALL), 0); // nothing is left open
        CHECK_LOGGED(&log, faults[k].message);
        CHECK_LOGGED(&log, scratch_file());
    }
    remove(scratch_file());
}

// A dataset that claims far more values than the file has bytes must not be allocated.
static void test_claims(void **state)
{
    (void)state;
    write_mixed(scratch_file());
    hid_t   file = reopen();
    hsize_t size = (hsize_t)1 << 30;
    hid_t   space = H5Screate_simple(1, &size, NULL);
    H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
    H5Dclose(
        H5Dcreate2(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Sclose(space);
    H5Fclose(file);
    log_capture    log = {0};
    zn_fclib_file *read = NULL;
    CHECK_STATUS(zn_fclib_read(scratch_file(), log_into(&log), &read), ZN_ERR_IO);
    CHECK_LOGGED(&log, "more than the file can hold");
    remove(scratch_file());
}

// --- other faults --------------------------------------------------------------------------------

static void test_no_file(void **state)
{
    (void)state;
    log_capture    log = {0};
    zn_fclib_file *read = NULL;
    CHECK_STATUS(zn_fclib_read("no such file.hdf5", log_into(&log), &read), ZN_ERR_IO);
    CHECK_LOGGED(&log, "no such file.hdf5: No such file");
    CHECK_STATUS(zn_fclib_read("/", log_into(&log), &read), ZN_ERR_IO);
    CHECK_LOGGED(&log, "/: Is a directory");
    double W[N * N];
    fill_W(W);
    const zn_fc_problem p = {N, EQUATIONS, CONTACTS, first, W, q, mu, NULL, NULL};
    log_capture_clear(&log);
    CHECK_STATUS(zn_fclib_write("no such folder/a.hdf5", &p, NULL, log_into(&log)), ZN_ERR_IO);
    CHECK_LOGGED(&log, "no such folder/a.hdf5: cannot be written");
    zn_fc_problem none = p;
    none.contacts = 0;
    CHECK_STATUS(zn_fclib_write("a.hdf5", &none, NULL, log_into(&log)), ZN_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reduced), cmocka_unit_test(test_padding),  cmocka_unit_test(test_elimination),
        cmocka_unit_test(test_global),  cmocka_unit_test(test_storages), cmocka_unit_test(test_guesses),
        cmocka_unit_test(test_faults),  cmocka_unit_test(test_claims),   cmocka_unit_test(test_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
