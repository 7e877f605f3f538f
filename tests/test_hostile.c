// Result files that someone means harm with, or that were damaged: every reader either refuses them with a message or
// reads what is good, in bounded time; nothing leads out of the file. Under the address sanitizer.
#include "fixtures.h"
#include "hostile_files.h"

#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/result.h"
#include "zn/io.h"
#include "zn/scene.h"
#include "zn/view.h"

static const char model[] = "zeno: 1\n"
                            "title: Bouncing ball\n"
                            "planar: true\n"
                            "gravity: [0, -9.81]\n"
                            "parameters: {e: 0.5, deepest: 1e-1}\n"
                            "bodies:\n"
                            "  ball: {mass: 1, position: [0, 1]}\n"
                            "contacts:\n"
                            "  floor: {point: ball, surface: {plane: [0, 1]}, restitution: e}\n"
                            "record: {height: ball.position.y, velocity: ball.velocity}\n"
                            "limits: {penetration: deepest}\n"
                            "run: {scheme: moreau_jean, step: 1e-2, until: 0.6, frames: 5, checkpoint_every: 10}\n";

static char        folder[32];
static char        good[64], hurt[64], other[64], page[64], table[64], secret[64];
static char       *good_bytes;
static size_t      good_size;
static log_capture messages;

static zn_problem *read_problem(void)
{
    zn_problem *problem = NULL;
    log_capture_clear(&messages);
    if (zn_problem_parse(model, strlen(model), "ball.yaml", 0, NULL, log_into(&messages), &problem))
        fail_msg("%s", messages.text);
    return problem;
}

// A run into `path`, from a checkpoint or from the start.
static zn_status run(const char *path, const char *from, double until)
{
    zn_problem       *problem = read_problem();
    zn_system        *sys = NULL;
    zn_sim           *sim = NULL;
    zn_result_writer *writer = NULL;
    zn_restart       *restart = NULL;
    zn_sim_def        def = problem->sim;
    size_t            size = 0;
    def.log = log_into(&messages);
    def.until = until;
    zn_status status = from != NULL ? zn_restart_open(from, problem, &def, &restart) : ZN_OK;
    if (status == ZN_OK)
        status = zn_result_writer_continue(path, problem, &def, "test", restart, def.log, &writer);
    if (status == ZN_OK) {
        def.recorder = zn_result_writer_recorder(writer);
        CHECK_OK(zn_system_create(problem->model, &sys));
        CHECK_OK(zn_sim_create(sys, &def, &sim));
        const void *data = restart != NULL ? zn_restart_data(restart, &size) : NULL;
        status = restart != NULL ? zn_sim_restart(sim, data, size) : ZN_OK;
        if (status == ZN_OK)
            status = zn_sim_run(sim);
    }
    zn_result_writer_destroy(writer);
    zn_restart_close(restart);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    return status;
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/zeno-XXXXXX" : "/tmp/zeno-XXXXXX"); // many small files
    assert_non_null(mkdtemp(folder));
    char *const       paths[] = {good, hurt, other, page, table, secret};
    const char *const names[] = {"good.h5", "hurt.h5", "other.h5", "page.html", "table.csv", "secret"};
    for (int i = 0; i < 6; i++)
        snprintf(paths[i], sizeof good, "%s/%s", folder, names[i]);
    CHECK_OK(run(good, NULL, 0.6));
    FILE *file = fopen(good, "rb");
    assert_non_null(file);
    good_bytes = calloc(1, 1 << 22);
    good_size = fread(good_bytes, 1, 1 << 22, file);
    fclose(file);
    assert_true(good_size > 1000 && good_size < 1 << 22);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        unlink(path);
    }
    closedir(open);
    rmdir(folder);
    free(good_bytes);
    return 0;
}

// --- what reads --------------------------------------------------------------------------------------

// A failure must be told.
static zn_status told(zn_status status)
{
    if (status != ZN_OK && status != ZN_ERR_MEMORY)
        assert_true(messages.count > 0);
    return status;
}

static void evaluate(const zn_result *result, const char *expression)
{
    char    message[256];
    double *values = calloc((size_t)zn_result_rows(result) + 1, sizeof *values);
    if (zn_result_evaluate(result, expression, values, message, sizeof message) != ZN_OK)
        assert_true(message[0] != '\0');
    free(values);
}

static void read_values(const zn_result *result)
{
    int64_t rows = zn_result_rows(result), events = zn_result_event_count(result);
    for (int i = 0; i < zn_result_series_count(result); i++) {
        zn_result_series s = zn_result_series_at(result, i);
        double          *values = calloc((size_t)rows * (size_t)s.columns + 1, sizeof *values);
        assert_true(strlen(s.name) + strlen(s.unit) + strlen(s.path) + strlen(s.components) > 0);
        told(zn_result_read(result, i, values));
        free(values);
    }
    zn_result_event *list = calloc((size_t)events + 1, sizeof *list);
    if (told(zn_result_events(result, list)) == ZN_OK)
        for (int64_t i = 0; i < events; i++)
            assert_true(strlen(list[i].name) < sizeof list[i].name && (list[i].impact || !list[i].impact));
    free(list);
    evaluate(result, "height + velocity.y * t");
    evaluate(result, "velocity.0 + height");
    zn_result_unit(result, "height");
    zn_result_checkpoint_time(result);
    for (size_t i = 0; i < sizeof hostile_datasets / sizeof *hostile_datasets; i++)
        if (zn_result_text(result, hostile_datasets[i]) != NULL)
            assert_null(strstr(zn_result_text(result, hostile_datasets[i]), "root:x:0"));
}

// Which readers get to see it; all of them open it.
enum { TABLES = 1, PICTURES = 2, RUNS = 4, ALL = 7 };

// Who looks at this attribute or dataset again, after the file was opened?
static int readers_of(const char *name)
{
    if (strncmp(name, "checkpoint/", 11) == 0)
        return RUNS;
    if (strncmp(name, "frames/", 7) == 0 || strncmp(name, "parameters@", 11) == 0)
        return PICTURES | RUNS;
    if (strncmp(name, "series/", 7) == 0 || strcmp(name, "time") == 0 || strcmp(name, "events") == 0)
        return ALL;
    return name[0] == '.' ? RUNS : PICTURES;
}

// What reads results, on the file `hurt`; how opening it went.
static zn_status read_by(int readers)
{
    zn_result *result = NULL;
    log_capture_clear(&messages);
    zn_status status = told(zn_result_open(hurt, log_into(&messages), &result));
    if (status == ZN_OK) {
        const zn_result *const results[] = {result};
        read_values(result);
        if (readers & TABLES)
            told(zn_result_export_csv(result, table));
        if (readers & PICTURES)
            told(zn_report_write(page, 1, results, 0, NULL, log_into(&messages)));
        zn_result_close(result);
        if (readers & RUNS)
            told(run(other, hurt, 0.65));
    }
    return status;
}

static zn_status read_all(void) { return read_by(ALL); }

static void restore(void) { write_bytes(hurt, good_bytes, good_size); }

// --- attributes and datasets --------------------------------------------------------------------------

static void test_good(void **state)
{
    (void)state;
    restore();
    CHECK_OK(read_all());
    CHECK_OK(run(other, hurt, 0.65));
}

static void test_attributes(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostile_attributes / sizeof *hostile_attributes; i++)
        for (int kind = 0; kind < HOSTILE_VALUES; kind++) {
            restore();
            if (!hostile_attribute(hurt, hostile_attributes[i], (hostile_kind)kind))
                fail_msg("%s, kind %d: it cannot be made", hostile_attributes[i], kind);
            zn_status status = read_by(readers_of(hostile_attributes[i]));
            if (strcmp(hostile_attributes[i], ".@format") == 0 && status == ZN_OK)
                fail_msg("format of kind %d is believed", kind);
        }
}

// All but frames and checkpoints is looked at when a result is opened; a series or a line of the
// certificate may be missing.
static bool is_needed(const char *name, int kind)
{
    return strncmp(name, "frames", 6) != 0 && strncmp(name, "checkpoint", 10) != 0 &&
           (kind != HOSTILE_MISSING || strchr(name, '/') == NULL);
}

static void test_datasets(void **state)
{
    (void)state;
    static const char passwords[] =
        "root:x:0:0:root:/root:/bin/bash, and more so that it is long enough for all that is read of "
        "it, which are a hundred bytes and then some";
    write_bytes(secret, passwords, sizeof passwords);
    for (size_t i = 0; i < sizeof hostile_datasets / sizeof *hostile_datasets; i++)
        for (int kind = 0; kind < HOSTILE_KINDS; kind++) {
            restore();
            if (!hostile_dataset(hurt, hostile_datasets[i], (hostile_kind)kind, secret))
                fail_msg("%s, kind %d: it cannot be made", hostile_datasets[i], kind);
            zn_status status = read_by(readers_of(hostile_datasets[i]));
            if (kind >= HOSTILE_EXTERNAL && status == ZN_OK && is_needed(hostile_datasets[i], kind))
                fail_msg("%s, kind %d is believed", hostile_datasets[i], kind);
        }
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Columns whose number cannot be added up.
static void test_many_columns(void **state)
{
    (void)state;
    const hsize_t size[2] = {0, (1 << 30) - 1}, most[2] = {H5S_UNLIMITED, (1 << 30) - 1}, chunk[2] = {1, 1024};
    restore();
    hid_t file = H5Fopen(hurt, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(2, size, most);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 2, chunk);
    for (int i = 0; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "series/many%d", i);
        hid_t made = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
        assert_true(made >= 0);
        H5Dclose(made);
    }
    H5Pclose(creation);
    H5Sclose(space);
    H5Fclose(file);
    CHECK_STATUS(read_all(), ZN_ERR_IO);
    assert_non_null(strstr(messages.text, "a series cannot be read"));
}

// A few bytes that links show as often as they like, and texts of which the file has no byte: 2 GB of memory, or more
// of a page, if they were believed.
typedef struct shown {
    const char *group;
    bool    text, stored; // a text of `size` bytes or a table with as many columns; whether its bytes are in the file
    hsize_t size;
    int     links;
    bool    opens; // what it holds is looked at later
} shown;

static const shown all_shown[] = {
    {"certificate", true, false, 60 << 20, 1, false},  {"certificate", true, false, 60 << 20, 40, false},
    {"certificate", true, true, 1 << 20, 2000, false}, {"files", true, false, 60 << 20, 40, true},
    {"files", true, true, 1 << 20, 2000, true},        {"series", false, false, 5000000, 1, false},
    {"series", false, false, 600000, 3, false},        {"series", false, true, 100000, 2000, false},
};

static void make_shown(const shown *s)
{
    char    path[64];
    hsize_t size[2] = {s->stored ? 1 : 0, s->size}, most[2] = {H5S_UNLIMITED, s->size}, chunk[2] = {1, 1000};
    hid_t   file = H5Fopen(hurt, H5F_ACC_RDWR, H5P_DEFAULT), creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t   space = s->text ? H5Screate(H5S_SCALAR) : H5Screate_simple(2, size, most);
    hid_t   type = H5Tcopy(s->text ? H5T_C_S1 : H5T_NATIVE_DOUBLE);
    if (s->text)
        H5Tset_size(type, s->size);
    else
        H5Pset_chunk(creation, 2, chunk);
    snprintf(path, sizeof path, "%s/zz", s->group);
    hid_t set = H5Dcreate2(file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    char *bytes = calloc(s->size, 8);
    memset(bytes, 'a', s->size);
    assert_true(set >= 0);
    if (s->stored)
        assert_true(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    hid_t name = H5Screate(H5S_SCALAR), attribute = H5Acreate2(set, "name", H5T_C_S1, name, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, H5T_C_S1, "a");
    H5Aclose(attribute);
    H5Sclose(name);
    for (int i = 1; i < s->links; i++) {
        char other_path[64];
        snprintf(other_path, sizeof other_path, "%s/zz%d", s->group, i);
        assert_true(H5Lcreate_hard(file, path, file, other_path, H5P_DEFAULT, H5P_DEFAULT) >= 0);
    }
    free(bytes);
    H5Dclose(set);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(creation);
    H5Fclose(file);
}

static void test_shown_often(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof all_shown / sizeof *all_shown; i++) {
        restore();
        make_shown(&all_shown[i]);
        double start = seconds();
        CHECK_STATUS(read_by(PICTURES), all_shown[i].opens ? ZN_OK : ZN_ERR_IO);
        assert_true(messages.count > 0); // refused, or a report without a scene
        if (seconds() - start > 5)
            fail_msg("number %zu: %g s", i, seconds() - start);
    }
}

// Flags of events are bytes in the file, and names may have no end.
static void test_event_bytes(void **state)
{
    (void)state;
    struct {
        unsigned char name[64], impact, open;
    } wild;
    restore();
    memset(&wild, 0xee, sizeof wild);
    hid_t text = H5Tcopy(H5T_C_S1), type = H5Tcreate(H5T_COMPOUND, sizeof wild);
    H5Tset_size(text, sizeof wild.name);
    H5Tset_cset(text, H5T_CSET_UTF8);
    H5Tset_strpad(text, H5T_STR_NULLPAD);
    H5Tinsert(type, "name", 0, text);
    H5Tinsert(type, "impact", sizeof wild.name, H5T_NATIVE_UINT8);
    H5Tinsert(type, "open", sizeof wild.name + 1, H5T_NATIVE_UINT8);
    hid_t         file = H5Fopen(hurt, H5F_ACC_RDWR, H5P_DEFAULT), events = H5Dopen2(file, "events", H5P_DEFAULT);
    const hsize_t one = 1, zero = 0;
    hid_t         space = H5Dget_space(events), single = H5Screate_simple(1, &one, NULL);
    assert_true(H5Sselect_hyperslab(space, H5S_SELECT_SET, &zero, NULL, &one, NULL) >= 0);
    assert_true(H5Dwrite(events, type, single, space, H5P_DEFAULT, &wild) >= 0);
    H5Sclose(single);
    H5Sclose(space);
    H5Dclose(events);
    H5Fclose(file);
    H5Tclose(type);
    H5Tclose(text);
    CHECK_OK(read_all());
}

// What a terminal would obey comes out of no text of a file.
static void test_escapes(void **state)
{
    (void)state;
    static const char title[16] = "a\033[31m\xc2\x9b\r\xc3\xa9\tb";
    restore();
    hid_t file = H5Fopen(hurt, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate(H5S_SCALAR), text = H5Tcopy(H5T_C_S1);
    assert_true(H5Tset_size(text, sizeof title) >= 0 && H5Adelete(file, "title") >= 0);
    hid_t made = H5Acreate2(file, "title", text, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(H5Awrite(made, text, title) >= 0);
    H5Aclose(made);
    H5Tclose(text);
    H5Sclose(space);
    assert_true(H5Lmove(file, "series/height", file, "series/he\033ight", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    zn_result *result = NULL;
    CHECK_OK(zn_result_open(hurt, log_into(&messages), &result));
    assert_string_equal(zn_result_text(result, "title"), "a?[31m???\xc3\xa9\tb");
    assert_true(zn_result_find(result, "he?ight") >= 0);
    zn_result_close(result);
}

// A name that a spreadsheet would compute is text in a table.
static void test_formula(void **state)
{
    (void)state;
    char line[256] = "";
    restore();
    hid_t file = H5Fopen(hurt, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(H5Lmove(file, "series/height", file, "series/=1+2", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    zn_result *result = NULL;
    CHECK_OK(zn_result_open(hurt, log_into(&messages), &result));
    CHECK_OK(zn_result_export_csv(result, table));
    zn_result_close(result);
    FILE *written = fopen(table, "r");
    assert_non_null(written);
    assert_non_null(fgets(line, sizeof line, written));
    fclose(written);
    assert_non_null(strstr(line, ",'=1+2"));
    assert_null(strstr(line, ",=1+2"));
}

// --- filters ------------------------------------------------------------------------------------------

enum { FILTER = 305 };

static size_t same(unsigned flags, size_t count, const unsigned *values, size_t bytes, size_t *size, void **buffer)
{
    (void)flags, (void)count, (void)values, (void)size, (void)buffer;
    return bytes;
}

// A filter that only this process knows is not let near the data; and HDF5 would load no other.
static void test_filter(void **state)
{
    (void)state;
    const H5Z_class2_t class = {.version = H5Z_CLASS_T_VERS,
                                .id = FILTER,
                                .encoder_present = 1,
                                .decoder_present = 1,
                                .name = "same",
                                .filter = same};
    const hsize_t size[1] = {61};
    assert_true(H5Zregister(&class) >= 0);
    restore();
    hid_t file = H5Fopen(hurt, H5F_ACC_RDWR, H5P_DEFAULT), space = H5Screate_simple(1, size, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    assert_true(H5Ldelete(file, "time", H5P_DEFAULT) >= 0 && H5Pset_chunk(creation, 1, size) >= 0);
    assert_true(H5Pset_filter(creation, FILTER, H5Z_FLAG_MANDATORY, 0, NULL) >= 0);
    hid_t  made = H5Dcreate2(file, "time", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    double t[61] = {0};
    assert_true(made >= 0 && H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t) >= 0);
    H5Dclose(made);
    H5Pclose(creation);
    H5Sclose(space);
    H5Fclose(file);
    CHECK_STATUS(read_all(), ZN_ERR_IO);
    assert_true(H5Zunregister(FILTER) >= 0);
    CHECK_STATUS(read_all(), ZN_ERR_IO);
}

static void test_no_plugins(void **state)
{
    (void)state;
    unsigned before = 0, within = 1, after = 0;
    H5PLget_loading_state(&before);
    zn_result_quiet quiet = zn_result_quiet_begin();
    H5PLget_loading_state(&within);
    zn_result_quiet_end(quiet);
    H5PLget_loading_state(&after);
    assert_true(before != 0);
    assert_int_equal(within, 0);
    assert_int_equal(after, before);
}

// --- damage -------------------------------------------------------------------------------------------

// A damaged piece is not waited for.
static void read_in_time(const char *what, size_t place)
{
    double start = seconds();
    read_all();
    if (seconds() - start > 5)
        fail_msg("%s at %zu: %g s", what, place, seconds() - start);
}

static void test_cut(void **state)
{
    (void)state;
    for (size_t k = 0; k < 24; k++) {
        write_bytes(hurt, good_bytes, good_size * k / 24);
        read_in_time("cut", good_size * k / 24);
    }
}

static void test_flips(void **state)
{
    (void)state;
    char *bytes = malloc(good_size);
    for (size_t k = 0; k < 120; k++) {
        // every byte of the first ones, then wider and wider apart
        size_t place = k < 48 ? k : 48 + (k - 48) * (k - 48) * (k - 48) / 16;
        if (place >= good_size)
            break;
        memcpy(bytes, good_bytes, good_size);
        bytes[place] ^= (char)(1 << k % 8);
        write_bytes(hurt, bytes, good_size);
        read_in_time("flipped", place);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),         cmocka_unit_test(test_attributes),  cmocka_unit_test(test_datasets),
        cmocka_unit_test(test_many_columns), cmocka_unit_test(test_event_bytes), cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_formula),      cmocka_unit_test(test_cut),         cmocka_unit_test(test_flips),
        cmocka_unit_test(test_filter),       cmocka_unit_test(test_no_plugins),  cmocka_unit_test(test_shown_often),
    };
    H5dont_atexit();
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
