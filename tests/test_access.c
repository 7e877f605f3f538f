// Which files a model may read: those in its own folder and below, and in folders that are allowed, wherever links
// lead.
#define _XOPEN_SOURCE 700 // realpath
#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/text_file.h"
#include "zn/io.h"

enum { MESSAGES = 4 };

typedef struct messages {
    int  count;
    char text[MESSAGES][400];
} messages;

static void remember(void *user, zn_severity severity, const char *message)
{
    messages *m = user;
    (void)severity;
    if (m->count < MESSAGES)
        snprintf(m->text[m->count++], sizeof m->text[0], "%s", message);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

// A folder with home/m.yaml, which reads a table, and tables about it.
typedef struct tree {
    char folder[32], text[400];
} tree;

static void in_tree(const tree *t, const char *name, char path[96]) { snprintf(path, 96, "%s/%s", t->folder, name); }

static void plant(tree *t)
{
    static const char *const folders[] = {"home", "home/sub", "home2", "other"};
    static const char *const tables[] = {"home/f.csv", "home/sub/f.csv", "home2/f.csv", "other/f.csv", "f.csv"};
    char                     path[96];
    strcpy(t->folder, "/tmp/zeno_test_XXXXXX");
    assert_non_null(mkdtemp(t->folder));
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        in_tree(t, folders[i], path);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        in_tree(t, tables[i], path);
        write_file(path, "0,1\n1,2\n");
    }
    in_tree(t, "home/link.csv", path);
    assert_int_equal(symlink("../other/f.csv", path), 0);
    in_tree(t, "home/way", path);
    assert_int_equal(symlink("../other", path), 0);
    in_tree(t, "home/near.csv", path);
    assert_int_equal(symlink("sub/f.csv", path), 0);
}

static void fell(const tree *t)
{
    static const char *const all[] = {"home/f.csv",  "home/sub/f.csv", "home/link.csv", "home/way", "home/near.csv",
                                      "home/m.yaml", "home2/f.csv",    "other/f.csv",   "f.csv",    "home/sub",
                                      "home",        "home2",          "other",         ""};
    char                     path[96];
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        in_tree(t, all[i], path);
        remove(path);
    }
}

// Status of reading a model at home that names `file`; of what is said the first stays in `m`.
static zn_status read_table(tree *t, const char *file, int count, const char *const *allow, messages *m)
{
    char           path[96];
    zn_problem    *p = NULL;
    zn_problem_def def = zn_problem_def_default();
    in_tree(t, "home/m.yaml", path);
    snprintf(
        t->text, sizeof t->text,
        "zeno: 1\nplanar: true\nbodies: {p: {mass: 1, inertia: 1}}\nloads: {l: {body: p, force: [{csv: '%s'}, 0]}}\n"
        "run: {step: 0.1, until: 1}\n",
        file);
    def.path = path;
    def.text = t->text;
    def.text_size = strlen(t->text);
    def.allow_count = count;
    def.allow = allow;
    m->count = 0;
    zn_status status = zn_problem_create(&def, (zn_log){remember, m}, &p);
    zn_problem_destroy(p);
    return status;
}

static void test_access(void **state)
{
    (void)state;
    static messages m;
    tree            t;
    char            absolute[96], outside[96], other[96], wanted[200];
    plant(&t);
    in_tree(&t, "home/sub/f.csv", absolute);
    in_tree(&t, "other/f.csv", outside);
    in_tree(&t, "other", other);
    const char *const open[] = {"f.csv", "sub/f.csv", "sub/../f.csv", "../home/f.csv", "near.csv", absolute};
    const char *const shut[] = {"../f.csv", "../other/f.csv", "../home2/f.csv", "link.csv", "way/f.csv", outside};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        assert_int_equal(read_table(&t, open[i], 0, NULL, &m), ZN_OK);
    for (size_t i = 0; i < sizeof shut / sizeof *shut; i++) {
        assert_int_equal(read_table(&t, shut[i], 0, NULL, &m), ZN_ERR_MODEL);
        assert_int_equal(m.count, 1);
        assert_non_null(strstr(m.text[0], "it is outside the folder of the model; to let it be read: --allow-path /"));
        assert_int_equal(read_table(&t, shut[i], 1, (const char *[]){t.folder}, &m), ZN_OK);
    }
    snprintf(wanted, sizeof wanted,
             "link.csv: it is outside the folder of the model; to let it be read: --allow-path %s", other);
    read_table(&t, "link.csv", 0, NULL, &m);
    assert_non_null(strstr(m.text[0], wanted)); // where it leads to, not where it is
    assert_int_equal(read_table(&t, "link.csv", 2, (const char *[]){"/usr", other}, &m), ZN_OK);
    assert_int_equal(read_table(&t, "../f.csv", 2, (const char *[]){"/usr", other}, &m), ZN_ERR_MODEL);
    assert_int_equal(read_table(&t, "../none.csv", 0, NULL, &m), ZN_ERR_MODEL);
    assert_non_null(strstr(m.text[0], "No such file"));
    assert_int_equal(read_table(&t, "f.csv", 1, (const char *[]){outside}, &m), ZN_ERR_IO);
    assert_non_null(strstr(m.text[0], "not a folder"));
    assert_int_equal(read_table(&t, "f.csv", 1, (const char *[]){"/nowhere"}, &m), ZN_ERR_IO);
    assert_string_equal(m.text[0], "allowed path '/nowhere': No such file or directory");
    assert_int_equal(read_table(&t, "f.csv", 1, (const char *[]){NULL}, &m), ZN_ERR_ARGUMENT);
    assert_int_equal(read_table(&t, "f.csv", 1, NULL, &m), ZN_ERR_ARGUMENT);
    fell(&t);
}

// A file that is open but has no name any more is in no folder, though /proc leads to it: a process in the way of a
// model would be read.
static void test_nameless(void **state)
{
    (void)state;
    static messages          m;
    static const char *const ways[] = {"/proc/self/fd/%d", "/dev/fd/%d", "/proc/thread-self/fd/%d",
                                       "/proc/self/fd/../fd/%d"};
    tree                     t;
    char                     path[96], proc[64];
    plant(&t);
    for (int named = 1; named >= 0; named--) {
        in_tree(&t, named ? "other/f.csv" : "gone.csv", path);
        write_file(path, "0,1\n1,2\n");
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        if (!named)
            remove(path);
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            snprintf(proc, sizeof proc, ways[i], fileno(file));
            assert_int_equal(read_table(&t, proc, 0, NULL, &m), ZN_ERR_MODEL);
            assert_int_equal(m.count, 1);
            assert_int_equal(read_table(&t, proc, 1, (const char *[]){"/proc"}, &m), ZN_ERR_MODEL);
        }
        fclose(file);
    }
    fell(&t);
}

// A link that is laid in the way between looking and opening, in place of the file or of a folder above it.
static void test_followed(void **state)
{
    static const char *const links[] = {"home/link.csv", "home/way/f.csv", "home/near.csv"};
    tree                     t;
    char                     path[96], message[300], *text = NULL, *there;
    size_t                   length;
    (void)state;
    plant(&t);
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        in_tree(&t, links[i], path);
        CHECK_STATUS(zn_text_file_read_followed(path, &text, &length, message, sizeof message), ZN_ERR_IO);
        assert_null(text);
        there = realpath(path, NULL);
        CHECK_STATUS(zn_text_file_read_followed(there, &text, &length, message, sizeof message), ZN_OK);
        assert_string_equal(text, "0,1\n1,2\n");
        free(there);
        free(text);
        text = NULL;
    }
    fell(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_access), cmocka_unit_test(test_nameless),
                                       cmocka_unit_test(test_followed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
