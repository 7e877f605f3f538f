// FCLIB files cut short, with bits flipped, and made by someone who means harm: refused or read, never a crash. HDF5
// itself loses memory over some of them, and says so when it is closed; both are kept quiet here and here only.
#include "fclib_fixtures.h"

#include "hostile_files.h"

static void write_bytes(const unsigned char *bytes, size_t size)
{
    FILE *file = fopen(scratch_file(), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

// Whatever the bytes, the reader either refuses with one message or gives a problem that keeps its promises.
static void read_damaged(int *refused)
{
    log_capture    log = {0};
    zn_fclib_file *file = NULL;
    zn_status      status = zn_fclib_read(scratch_file(), log_into(&log), &file);
    if (status != ZN_OK) {
        assert_int_equal(log.count, 1);
        assert_null(file);
        ++*refused;
        return;
    }
    const zn_fc_matrix *a = file->reduced->sparse;
    assert_int_equal(a->rows, file->reduced->n);
    for (int i = 0; i < a->rows; i++)
        for (int e = a->start[i]; e < a->start[i + 1]; e++) {
            assert_true(a->column[e] >= 0 && a->column[e] < a->columns && isfinite(a->value[e]));
            assert_true(e == a->start[i] || a->column[e - 1] < a->column[e]);
        }
    zn_fclib_destroy(file);
}

static void test_damage(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 17], changed[1 << 17];
    write_mixed(scratch_file());
    FILE *file = fopen(scratch_file(), "rb");
    assert_non_null(file);
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 1000 && size < sizeof bytes);
    int cut = 0, flipped = 0;
    for (int k = 0; k < 80; k++) {
        write_bytes(bytes, size * (size_t)k / 80);
        read_damaged(&cut);
    }
    assert_int_equal(cut, 80);
    uint32_t random = 1;
    for (int k = 0; k < 250; k++) {
        memcpy(changed, bytes, size);
        for (int flips = 1 + k % 3; flips > 0; flips--) {
            random = random * 1664525u + 1013904223u;
            changed[(random >> 8) % size] ^= (unsigned char)(1u << (random >> 3) % 8);
        }
        write_bytes(changed, size);
        read_damaged(&flipped);
    }
    assert_true(flipped > 5); // most bytes of a small file are unused
    remove(scratch_file());
}

// What FCLIB never writes, and what leads out of the file; only texts may be anything.
static void test_hostile(void **state)
{
    (void)state;
    static const char *const names[] = {"fclib_local/spacedim",  "fclib_local/W/m",       "fclib_local/W/p",
                                        "fclib_local/W/x",       "fclib_local/vectors/q", "fclib_local/vectors/mu",
                                        "fclib_local/info/title"};
    char                     other[96];
    snprintf(other, sizeof other, "%s.other", scratch_file());
    write_mixed(other);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (int kind = 0; kind < HOSTILE_KINDS; kind++) {
            int refused = 0;
            write_mixed(scratch_file());
            assert_true(hostile_dataset(scratch_file(), names[i], (hostile_kind)kind, other));
            read_damaged(&refused);
            bool outside = kind >= HOSTILE_EXTERNAL && kind != HOSTILE_PACKED;
            if (outside && refused == 0 && strstr(names[i], "info") == NULL)
                fail_msg("%s of kind %d is believed", names[i], kind);
        }
    remove(scratch_file());
    remove(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_damage), cmocka_unit_test(test_hostile)};
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
