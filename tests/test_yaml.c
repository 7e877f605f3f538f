// The tree of a YAML text: shape, places, and everything that must be refused.
#include "check.h"

#include <stdlib.h>

#include "io/yaml.h"

typedef struct fixture {
    zn_pool       *pool;
    zn_faults      faults;
    zn_fault_entry entry[ZN_FAULTS_MAX];
    zn_yaml_node  *root;
} fixture;

static zn_status load(fixture *f, const char *text, size_t size)
{
    memset(f, 0, sizeof *f);
    f->faults = (zn_faults){.file = "x", .entry = f->entry};
    f->pool = zn_pool_create();
    assert_non_null(f->pool);
    return zn_yaml_parse(text, size, f->pool, &f->faults, &f->root);
}

static void check_place(const zn_yaml_node *n, int line, int column, int key_line, int key_column)
{
    assert_non_null(n);
    assert_int_equal(n->line, line);
    assert_int_equal(n->column, column);
    assert_int_equal(n->key_line, key_line);
    assert_int_equal(n->key_column, key_column);
}

static void test_tree(void **state)
{
    (void)state;
    static const char text[] = "a: 1\n"
                               "b:\n"
                               "  - [x, yes]\n"
                               "  - 'two  words'\n"
                               "c: {d: , e: ~, f: \"q\\x41\"}\n";
    fixture           f;
    CHECK_OK(load(&f, text, strlen(text)));
    assert_int_equal(f.root->kind, ZN_YAML_MAP);
    assert_int_equal(f.root->count, 3);
    const zn_yaml_node *a = zn_yaml_get(f.root, "a"), *b = zn_yaml_get(f.root, "b"), *c = zn_yaml_get(f.root, "c");
    check_place(a, 1, 4, 1, 1);
    assert_string_equal(a->text, "1");
    assert_true(a->plain && a->verbatim);
    check_place(b, 3, 3, 2, 1);
    assert_int_equal(b->kind, ZN_YAML_LIST);
    assert_int_equal(b->count, 2);
    check_place(b->first->first->next, 3, 9, 0, 0);
    assert_string_equal(b->first->first->next->text, "yes"); // a word, not a truth value
    assert_string_equal(b->first->next->text, "two  words");
    assert_false(b->first->next->plain);
    assert_int_equal(zn_yaml_column(b->first->next, 5), 5 + 1 + 5); // after the quote
    check_place(zn_yaml_get(c, "f"), 5, 19, 5, 16);
    assert_true(zn_yaml_is_null(zn_yaml_get(c, "d")) && zn_yaml_is_null(zn_yaml_get(c, "e")));
    assert_string_equal(zn_yaml_get(c, "f")->text, "qA");
    assert_int_equal(zn_yaml_column(zn_yaml_get(c, "f"), 1), 19); // escapes: only the beginning is known
    assert_null(zn_yaml_get(c, "g"));
    assert_null(zn_yaml_get(a, "g"));
    zn_pool_destroy(f.pool);
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int         line, column;
        const char *part;
    } bad[] = {
        {"", 1, 1, "empty"},
        {"# nothing\n", 1, 1, "empty"},
        {"a: 1\nb: 2\na: 3\n", 3, 1, "duplicate key 'a', first given at line 1, column 1"},
        {"x: {k: 1, j: 2, k: 3}", 1, 17, "duplicate key 'k', first given at line 1, column 5"},
        {"a: &x 1\n", 1, 4, "anchors"},
        {"a: &x [1]\n", 1, 4, "anchors"},
        {"a: *x\n", 1, 4, "aliases"},
        {"*x : 1\n", 1, 1, "key"},
        {"&x a: 1\n", 1, 1, "anchors"},
        {"a: !!str 1\n", 1, 4, "tags"},
        {"a: !t {b: 1}\n", 1, 4, "tags"},
        {"[1, 2]: 3\n", 1, 1, "key"},
        {"? {a: 1}\n: 3\n", 1, 3, "key"},
        {"a: 1\n---\nb: 2\n", 2, 1, "second document"},
        {"length: [1, 2\nb: 3\n", 2, 2, "a ']' or ',' is missing before this: the '[' of line 1, column 9 is open"},
        {"a: 'x\n", 2, 1, "the quote of line 1, column 4 is open"},
        {"a: b: c\n", 1, 5, "a text with ': ' needs quotes"},
        {"a:\n\t- 1\n", 2, 1, "a tab"},
        {"a: \"\\q\"\n", 1, 5, "escape"},
        {"a: \"x\\0y\"\n", 1, 4, "zero byte"},
        {"a: \"x\\e[31my\"\n", 1, 4, "control character"},
        {"a: \"x\\x7fy\"\n", 1, 4, "control character"},
        {"a: \"x\\x9by\"\n", 1, 4, "control character"},
        {"\"x\\ay\": 1\n", 1, 1, "control character"},
        {"a: 1\n  b: 2\n", 2, 4, "indented too far"},
        {"@", 1, 1, "no value begins with '@'"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fixture   f;
        zn_status status = load(&f, bad[i].text, strlen(bad[i].text));
        if (status != ZN_ERR_MODEL || f.faults.count != 1 || f.root != NULL)
            fail_msg("'%s': status %d, %d faults", bad[i].text, (int)status, f.faults.count);
        const zn_fault_entry *e = &f.entry[0];
        if (e->line != bad[i].line || e->column != bad[i].column || strstr(e->text, bad[i].part) == NULL)
            fail_msg("'%s': %d:%d: %s, expected %d:%d: %s", bad[i].text, e->line, e->column, e->text, bad[i].line,
                     bad[i].column, bad[i].part);
        zn_pool_destroy(f.pool);
    }
}

static void test_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t      size;
        int         line, column;
    } bad[] = {
        {"a: 1\nb: \xff\n", 10, 2, 4}, {"a: 1\nb: x\xc3(\n", 12, 2, 6}, // the '(' where a second byte should be
        {"a: \xed\xa0\x80", 6, 1, 4},  {"a: \0 1", 6, 1, 4},
        {"\xc3\xa9: \x01", 5, 1, 4},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fixture f;
        CHECK_STATUS(load(&f, bad[i].text, bad[i].size), ZN_ERR_MODEL);
        assert_non_null(strstr(f.entry[0].text, "not valid text"));
        if (f.entry[0].line != bad[i].line || f.entry[0].column != bad[i].column)
            fail_msg("case %zu: %d:%d", i, f.entry[0].line, f.entry[0].column);
        zn_pool_destroy(f.pool);
    }
}

static zn_status load_nested(int depth, const char *open, fixture *f)
{
    size_t step = strlen(open);
    char  *text = calloc((size_t)depth * step + 1, 1);
    assert_non_null(text);
    for (int i = 0; i < depth; i++)
        memcpy(text + (size_t)i * step, open, step);
    zn_status status = load(f, text, strlen(text));
    free(text);
    zn_pool_destroy(f->pool);
    return status;
}

static void test_depth(void **state)
{
    (void)state;
    static const struct {
        const char *open;
        int         depth;
    } deep[] = {{"[", 200000}, {"{a: ", 200000}, {"- ", 5000}, {"? ", 5000}};
    for (size_t i = 0; i < sizeof deep / sizeof deep[0]; i++) {
        fixture f;
        CHECK_STATUS(load_nested(deep[i].depth, deep[i].open, &f), ZN_ERR_MODEL);
        assert_int_equal(f.faults.count, 1);
        if (deep[i].open[0] != '?')
            assert_non_null(strstr(f.entry[0].text, "64 deep"));
    }
    fixture f; // 63 lists around a number are as deep as it goes
    char    text[200] = "";
    memset(text, '[', 63);
    text[63] = '1';
    memset(text + 64, ']', 63);
    CHECK_OK(load(&f, text, strlen(text)));
    zn_pool_destroy(f.pool);
    memset(text, '[', 64);
    text[64] = '1';
    memset(text + 65, ']', 64);
    CHECK_STATUS(load(&f, text, strlen(text)), ZN_ERR_MODEL);
    assert_non_null(strstr(f.entry[0].text, "64 deep"));
    zn_pool_destroy(f.pool);
}

static void test_size(void **state)
{
    (void)state;
    size_t items = ZN_YAML_NODES + 10, size = 2 * items + 1;
    char  *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t i = 0; i < items; i++)
        memcpy(text + 2 * i, i == 0 ? "[1" : ",1", 2);
    memcpy(text + size - 1, "]", 2);
    fixture f;
    CHECK_STATUS(load(&f, text, size), ZN_ERR_MODEL);
    assert_non_null(strstr(f.entry[0].text, "million"));
    zn_pool_destroy(f.pool);
    free(text);
    CHECK_STATUS(load(&f, "a: 1", (size_t)ZN_YAML_BYTES + 1), ZN_ERR_MODEL); // refused before it is touched
    assert_non_null(strstr(f.entry[0].text, "64 MB"));
    zn_pool_destroy(f.pool);
}

static void test_guess(void **state)
{
    (void)state;
    static const struct {
        const char *word, *hint;
    } cases[] = {
        {"mas", ", did you mean 'mass'?"},
        {"masss", ", did you mean 'mass'?"},
        {"Mass", ", did you mean 'mass'?"},
        {"postion", ", did you mean 'position'?"},
        {"psoition", ", did you mean 'position'?"},
        {"restit", ", did you mean 'restitution'?"},
        {"friction", ""},
        {"xyz", ""},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char     hint[96];
        zn_guess guess = zn_guess_begin(cases[i].word);
        zn_guess_offer_words(&guess, "mass position velocity restitution");
        assert_string_equal(zn_guess_text(&guess, hint), cases[i].hint);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),  cmocka_unit_test(test_refused), cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_depth), cmocka_unit_test(test_size),    cmocka_unit_test(test_guess),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
