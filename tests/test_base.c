// Status texts, log, arena, arrays.
#include <stdlib.h>

#include "base/array.h"
#include "check.h"

static void every_status_has_its_own_text(void **state)
{
    (void)state;
#define VALUE(name, value, text) name,
    const zn_status all[] = {ZN_STATUS_LIST(VALUE)};
#undef VALUE
    int count = (int)(sizeof all / sizeof *all);
    for (int i = 0; i < count; i++) {
        assert_string_not_equal(zn_status_text(all[i]), "unknown status");
        for (int j = 0; j < i; j++)
            assert_string_not_equal(zn_status_text(all[i]), zn_status_text(all[j]));
    }
    assert_string_equal(zn_status_text(ZN_OK), "ok");
    assert_string_equal(zn_status_text((zn_status)99), "unknown status");
    assert_string_equal(zn_status_text((zn_status)-99), "unknown status");
}

static void the_version_has_three_numbers(void **state)
{
    (void)state;
    int  major = -1, minor = -1, patch = -1;
    char rest = 0;
    assert_int_equal(sscanf(zn_version(), "%d.%d.%d%c", &major, &minor, &patch, &rest), 3);
}

// --- log -----------------------------------------------------------------------------------------

typedef struct note {
    int         count;
    zn_severity severity;
    char        text[4096];
} note;

static void take(void *user, zn_severity severity, const char *message)
{
    note *n = user;
    n->count++;
    n->severity = severity;
    snprintf(n->text, sizeof n->text, "%s", message);
}

static void messages_reach_the_handler(void **state)
{
    (void)state;
    note   n = {0};
    zn_log log = {take, &n};
    zn_log_write(&log, ZN_LOG_WARNING, "joint '%s': %d rows", "crank", 3);
    assert_int_equal(n.count, 1);
    assert_int_equal(n.severity, ZN_LOG_WARNING);
    assert_string_equal(n.text, "joint 'crank': 3 rows");
    assert_int_equal(zn_fail(&log, ZN_ERR_MODEL, "body %d", 7), ZN_ERR_MODEL);
    assert_int_equal(n.severity, ZN_LOG_ERROR);
    assert_string_equal(n.text, "body 7");
    assert_int_equal(zn_fail_here(&log, ZN_INVALID_STATE, "spring %d", 8), ZN_INVALID_STATE);
    assert_int_equal(n.severity, ZN_LOG_REASON);
    assert_string_equal(n.text, "spring 8");
}

static void a_silent_log_is_allowed(void **state)
{
    (void)state;
    zn_log silent = {0};
    zn_log_write(&silent, ZN_LOG_ERROR, "nobody hears %s", "this");
    assert_int_equal(zn_fail(NULL, ZN_ERR_IO, "nor this"), ZN_ERR_IO);
}

static void a_long_message_is_cut_and_says_so(void **state)
{
    (void)state;
    note   n = {0};
    zn_log log = {take, &n};
    char   name[3000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    zn_log_write(&log, ZN_LOG_INFO, "body '%s'", name);
    size_t length = strlen(n.text);
    assert_true(length > 100 && length < sizeof name);
    assert_string_equal(n.text + length - 3, "...");
    assert_memory_equal(n.text, "body 'xxx", 9);
}

// --- arena ---------------------------------------------------------------------------------------

static void arena_pieces_are_aligned_zeroed_and_apart(void **state)
{
    (void)state;
    zn_arena *arena = NULL;
    CHECK_OK(zn_arena_create(1000, &arena));
    unsigned char *a = zn_arena_alloc(arena, 3, 7), *b = zn_arena_alloc(arena, 100, 1);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_int_equal((uintptr_t)b % 64, 0);
    assert_true(b >= a + 21);
    memset(a, 0xff, 21);
    for (int i = 0; i < 100; i++)
        assert_int_equal(b[i], 0);
    zn_arena_destroy(arena);
}

static void arena_rewind_gives_back_and_clears(void **state)
{
    (void)state;
    zn_arena *arena = NULL;
    CHECK_OK(zn_arena_create(256, &arena));
    assert_non_null(zn_arena_alloc(arena, 1, 64));
    size_t         mark = zn_arena_mark(arena);
    unsigned char *first = zn_arena_alloc(arena, 64, 1);
    memset(first, 0xff, 64);
    zn_arena_rewind(arena, mark);
    unsigned char *again = zn_arena_alloc(arena, 64, 1);
    assert_ptr_equal(again, first);
    for (int i = 0; i < 64; i++)
        assert_int_equal(again[i], 0);
    zn_arena_destroy(arena);
}

static void arena_refuses_what_does_not_fit(void **state)
{
    (void)state;
    zn_arena *arena = NULL;
    CHECK_OK(zn_arena_create(128, &arena));
    assert_null(zn_arena_alloc(arena, 129, 1));
    assert_null(zn_arena_alloc(arena, SIZE_MAX / 2, 4)); // the product overflows
    assert_non_null(zn_arena_alloc(arena, 128, 1));
    assert_null(zn_arena_alloc(arena, 1, 1));
    assert_null(zn_arena_destroy(arena));
    assert_null(zn_arena_destroy(NULL));
    zn_arena *never = NULL;
    CHECK_STATUS(zn_arena_create(SIZE_MAX, &never), ZN_ERR_MEMORY);
    assert_null(never);
}

static void a_growing_arena_takes_more_and_keeps_it(void **state)
{
    (void)state;
    zn_arena *arena = NULL;
    CHECK_OK(zn_arena_create_growing(128, &arena));
    unsigned char *a = zn_arena_alloc(arena, 100, 1);
    size_t         mark = zn_arena_mark(arena);
    unsigned char *b = zn_arena_alloc(arena, 1000, 1), *c = zn_arena_alloc(arena, 10, 1);
    assert_true(a && b && c);
    memset(a, 1, 100);
    memset(b, 2, 1000);
    memset(c, 3, 10);
    for (int i = 0; i < 100; i++)
        assert_int_equal(a[i], 1);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(b[i], 2);
    zn_arena_rewind(arena, mark);
    assert_ptr_equal(zn_arena_alloc(arena, 1000, 1), b); // the blocks are still there
    assert_int_equal(b[999], 0);
    zn_arena_rewind(arena, mark);
    assert_non_null(zn_arena_alloc(arena, 5000, 1)); // larger than what was there
    zn_arena_rewind(arena, 0);
    assert_ptr_equal(zn_arena_alloc(arena, 1, 1), a);
    assert_null(zn_arena_alloc(arena, SIZE_MAX / 2, 4));
    zn_arena_destroy(arena);
}

// --- arrays --------------------------------------------------------------------------------------

static void a_growing_array_keeps_its_values(void **state)
{
    (void)state;
    int *list = NULL, count = 0, capacity = 0;
    for (int i = 0; i < 1000; i++)
        CHECK_OK(ZN_PUSH(list, count, capacity, i * i));
    assert_int_equal(count, 1000);
    assert_true(capacity >= 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list[i], i * i);
    for (int i = count; i < capacity; i++)
        assert_int_equal(list[i], 0);
    int before = capacity;
    CHECK_OK(zn_grow(&list, &capacity, 10, sizeof *list)); // never shrinks
    assert_int_equal(capacity, before);
    CHECK_STATUS(zn_grow(&list, &capacity, 2000000000, SIZE_MAX / 1000), ZN_ERR_MEMORY);
    assert_int_equal(capacity, before);
    assert_int_equal(list[999], 999 * 999);
    free(list);
}

static void new_arrays_are_zero_and_checked(void **state)
{
    (void)state;
    double *a = ZN_NEW(double, 5);
    for (int i = 0; i < 5; i++)
        assert_true(a[i] == 0);
    free(a);
    void *empty = zn_new_array(0, 8);
    assert_non_null(empty);
    free(empty);
    assert_null(zn_new_array(SIZE_MAX / 2, 8));
}

static void strings_are_copied(void **state)
{
    (void)state;
    char  text[] = "crank";
    char *copy = zn_copy_string(text);
    text[0] = 'X';
    assert_string_equal(copy, "crank");
    free(copy);
    assert_null(zn_copy_string(NULL));
}

// Zeroed, apart from each other, in lines of the cache, with room for a multiple of eight.
static void vectors_are_aligned(void **state)
{
    (void)state;
    for (size_t n = 0; n < 20; n++) {
        double *a = NULL, *b = NULL, *c = NULL, **const vector[] = {&a, &b, &c};
        double *memory = zn_new_vectors(3, vector, n);
        size_t  room = (n + 7) / 8 * 8;
        assert_non_null(memory);
        for (int k = 0; k < 3; k++) {
            assert_int_equal((uintptr_t)*vector[k] % 64, 0);
            for (size_t i = 0; i < room; i++) {
                assert_true((*vector[k])[i] == 0);
                (*vector[k])[i] = k + 1;
            }
        }
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < room; i++)
                assert_true((*vector[k])[i] == k + 1);
        free(memory);
    }
    double *one = NULL, **const list[] = {&one, &one};
    assert_null(zn_new_vectors(2, list, SIZE_MAX / 16));
    assert_null(zn_new_vectors(1, list, SIZE_MAX));
    assert_null(one);
}

// What would steer a terminal, or turn what it shows around, becomes question marks; other letters stay.
static void test_text_tame(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"plain\n\ttext", "plain\n\ttext"},
        {"\x1b[31m", "?[31m"},
        {"a\rb\r\n", "a?b\r\n"},
        {"\xc2\x9b"
         "2J",
         "??2J"}, // U+009B
        {"\x9b"
         "2J \xff \xc3",
         "?2J ? ?"}, // no UTF-8
        {"\xe2\x80\xae"
         "abc\xe2\x81\xa6 \xe2\x80\xa8",
         "???abc??? ???"}, // U+202E, U+2066, U+2028
        {"\xc3\xa4 \xc2\xb5 \xe2\x82\xac \xf0\x9f\x8e\xb1 \xe2\x80\x93",
         "\xc3\xa4 \xc2\xb5 \xe2\x82\xac \xf0\x9f\x8e\xb1 \xe2\x80\x93"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char text[64];
        snprintf(text, sizeof text, "%s", pairs[i][0]);
        assert_true((zn_text_control(text) != NULL) == (strcmp(pairs[i][0], pairs[i][1]) != 0));
        zn_text_tame(text);
        assert_string_equal(text, pairs[i][1]);
        assert_null(zn_text_control(text));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_are_aligned),
        cmocka_unit_test(every_status_has_its_own_text),
        cmocka_unit_test(the_version_has_three_numbers),
        cmocka_unit_test(messages_reach_the_handler),
        cmocka_unit_test(a_silent_log_is_allowed),
        cmocka_unit_test(a_long_message_is_cut_and_says_so),
        cmocka_unit_test(arena_pieces_are_aligned_zeroed_and_apart),
        cmocka_unit_test(arena_rewind_gives_back_and_clears),
        cmocka_unit_test(arena_refuses_what_does_not_fit),
        cmocka_unit_test(a_growing_arena_takes_more_and_keeps_it),
        cmocka_unit_test(a_growing_array_keeps_its_values),
        cmocka_unit_test(new_arrays_are_zero_and_checked),
        cmocka_unit_test(strings_are_copied),
        cmocka_unit_test(test_text_tame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
