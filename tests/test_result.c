// Result files: what is written is read back, also when the writer was killed or the disk was full.
#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "zn/io.h"

enum { COLUMNS = 4, BUFFER = 16384 }; // BUFFER: rows that are written in one go

static const zn_series series[] = {
    {.name = "height", .path = "ball.position.y", .unit = "m", .components = "", .offset = 0, .columns = 1},
    {.name = "velocity", .path = "ball.velocity", .unit = "m/s", .components = "x y", .offset = 1, .columns = 2},
    {.name = "ratio", .path = "ball.ratio", .unit = "", .components = "", .offset = 3, .columns = 1},
};
enum { SERIES = sizeof series / sizeof *series };

// Each test works in a folder of its own.
typedef struct place {
    char folder[64], file[96], part[112], log[2048];
} place;

static void keep_message(void *user, zn_severity severity, const char *message)
{
    place *p = user;
    size_t used = strlen(p->log);
    (void)severity;
    snprintf(p->log + used, sizeof p->log - used, "%s\n", message);
}

static zn_log log_of(place *p) { return (zn_log){.write = keep_message, .user = p}; }

static int make_place(void **state)
{
    place *p = calloc(1, sizeof *p);
    strcpy(p->folder, "/tmp/zeno-result-XXXXXX");
    if (mkdtemp(p->folder) == NULL)
        return -1;
    snprintf(p->file, sizeof p->file, "%s/out.zeno.h5", p->folder);
    snprintf(p->part, sizeof p->part, "%s.part", p->file);
    *state = p;
    return 0;
}

static int remove_place(void **state)
{
    place *p = *state;
    char   csv[128];
    snprintf(csv, sizeof csv, "%s/out.csv", p->folder);
    unlink(csv);
    unlink(p->file);
    unlink(p->part);
    int left = rmdir(p->folder); // fails when a test left something behind
    free(p);
    return left;
}

static double height(int64_t i) { return 1 / (1.0 + (double)i); }

static zn_status write_rows(zn_recorder r, int64_t first, int64_t count)
{
    for (int64_t i = first; i < first + count; i++) {
        const double values[COLUMNS] = {height(i), (double)i, -0.25 * (double)i, 1e-300};
        ZN_TRY(r.row(r.user, 1e-3 * (double)i, values));
    }
    return ZN_OK;
}

static zn_status write_event(zn_recorder r, int64_t i)
{
    zn_event e = {.contact = zn_contact_id_make((int)(i % 2), 0, 0),
                  .name = i % 2 ? "wall" : "floor",
                  .impact = i % 3 == 0,
                  .open = i % 5 != 0};
    e.closed_at = 0.5 * (double)i;
    e.opened_at = e.closed_at + 0.125;
    e.impulse = 2;
    e.peak_force = 3;
    e.approach = -4;
    return r.event(r.user, &e);
}

static zn_certificate certificate(void)
{
    zn_certificate c = {.steps = 12345678901, .retries = 3};
    c.penetration = (zn_worst){.value = 1e-12, .time = 0.75, .contact = zn_contact_id_make(1, 0, 0)};
    c.velocity = (zn_worst){.value = 0, .time = 0, .contact = zn_contact_id_none()};
    c.newton_iterations = (zn_iterations){.total = 77, .max = 5};
    c.closure.value = 2e-16;
    c.momentum = (zn_vec3){1, 2, 3};
    c.linear_solver = (zn_linsolver_info){.backend = "klu", .factorizations = 4};
    for (int i = 0; i < ZN_LEDGER_LINES; i++)
        c.ledger[i] = i + 0.5;
    return c;
}

static zn_status create(place *p, double until, zn_result_writer **out)
{
    zn_parameter parameters[] = {{.name = (char *)"mu", .value = 0.3}};
    zn_problem   problem = {.title = (char *)"Bouncing b\xc3\xa4ll",
                            .path = (char *)"ball.yaml",
                            .text = (char *)"zeno: 1\n",
                            .text_size = 8,
                            .parameter_count = 1,
                            .parameters = parameters};
    zn_sim_def   sim = zn_sim_def_default();
    sim.step = 1e-3;
    sim.until = until;
    sim.frames = sim.checkpoint_every = 0;
    sim.scheme.theta = 0.75;
    sim.limits = (zn_limits){.penetration = 1e-9, .velocity = NAN, .complementarity = NAN, .closure = NAN};
    return zn_result_writer_create(p->file, &problem, &sim, "zeno run ball.yaml", log_of(p), out);
}

static zn_status create_and_begin(place *p, double until, zn_result_writer **out, zn_recorder *recorder)
{
    ZN_TRY(create(p, until, out));
    *recorder = zn_result_writer_recorder(*out);
    return recorder->begin(recorder->user, SERIES, series, COLUMNS);
}

static void write_whole(place *p, int64_t rows, int64_t events, zn_status outcome)
{
    zn_result_writer *writer;
    zn_recorder       r = {0};
    zn_certificate    c = certificate();
    CHECK_OK(create_and_begin(p, 1e-3 * (double)rows, &writer, &r));
    CHECK_OK(write_rows(r, 0, rows));
    for (int64_t i = 0; i < events; i++)
        CHECK_OK(write_event(r, i));
    CHECK_OK(r.end(r.user, &c, outcome));
    zn_result_writer_destroy(writer);
    assert_string_equal(p->log, "");
}

static void check_rows(const zn_result *result)
{
    int64_t rows = zn_result_rows(result);
    double *t = calloc((size_t)rows, sizeof *t), *y = calloc((size_t)rows, sizeof *y);
    double *v = calloc(2 * (size_t)rows, sizeof *v);
    CHECK_OK(zn_result_time(result, t));
    CHECK_OK(zn_result_read(result, zn_result_find(result, "height"), y));
    CHECK_OK(zn_result_read(result, zn_result_find(result, "velocity"), v));
    for (int64_t i = 0; i < rows; i++) {
        CHECK_NEAR(t[i], 1e-3 * (double)i, 0);
        CHECK_NEAR(y[i], height(i), 0);
        CHECK_NEAR(v[2 * i], (double)i, 0);
        CHECK_NEAR(v[2 * i + 1], -0.25 * (double)i, 0);
    }
    free(t);
    free(y);
    free(v);
}

static void round_trip(void **state)
{
    place     *p = *state;
    zn_result *result;
    write_whole(p, 20011, 0, ZN_OK); // more than two buffers, no multiple of anything
    assert_int_equal(access(p->part, F_OK), -1);
    CHECK_OK(zn_result_open(p->file, log_of(p), &result));
    assert_true(zn_result_is_finished(result));
    assert_int_equal(zn_result_rows(result), 20011);
    assert_int_equal(zn_result_event_count(result), 0);
    assert_int_equal(zn_result_series_count(result), SERIES);
    for (int i = 0; i < SERIES; i++) {
        zn_result_series s = zn_result_series_at(result, i);
        assert_string_equal(s.name, series[i].name);
        assert_string_equal(s.path, series[i].path);
        assert_string_equal(s.unit, series[i].unit);
        assert_string_equal(s.components, series[i].components);
        assert_int_equal(s.columns, series[i].columns);
    }
    assert_int_equal(zn_result_find(result, "nothing"), -1);
    check_rows(result);
    zn_result_close(result);
}

static void description(void **state)
{
    place     *p = *state;
    zn_result *result;
    write_whole(p, 3, 2, ZN_INTERRUPTED);
    CHECK_OK(zn_result_open(p->file, log_of(p), &result));
    assert_true(zn_result_is_finished(result));
    assert_string_equal(zn_result_text(result, "outcome"), "interrupted");
    assert_string_equal(zn_result_text(result, "title"), "Bouncing b\xc3\xa4ll");
    assert_string_equal(zn_result_text(result, "model"), "zeno: 1\n");
    assert_string_equal(zn_result_text(result, "command"), "zeno run ball.yaml");
    assert_string_equal(zn_result_text(result, "scheme"), "moreau_jean");
    assert_string_equal(zn_result_text(result, "version"), zn_version());
    assert_string_equal(zn_result_text(result, "linear_backend"), "klu");
    assert_string_equal(zn_result_text(result, "penetration_contact"), "wall");
    assert_string_equal(zn_result_text(result, "velocity_contact"), "");
    assert_null(zn_result_text(result, "nothing"));
    CHECK_NEAR(zn_result_number(result, "theta"), 0.75, 0);
    CHECK_NEAR(zn_result_number(result, "step"), 1e-3, 0);
    CHECK_NEAR(zn_result_number(result, "limit_penetration"), 1e-9, 0);
    CHECK_NEAR(zn_result_number(result, "steps"), 12345678901, 0);
    CHECK_NEAR(zn_result_number(result, "penetration"), 1e-12, 0);
    CHECK_NEAR(zn_result_number(result, "penetration_time"), 0.75, 0);
    CHECK_NEAR(zn_result_number(result, "newton_iterations_max"), 5, 0);
    CHECK_NEAR(zn_result_number(result, "momentum_z"), 3, 0);
    CHECK_NEAR(zn_result_number(result, "ledger_strain"), 1.5, 0);
    assert_true(isnan(zn_result_number(result, "limit_velocity")));
    assert_true(isnan(zn_result_number(result, "nothing")));
    zn_result_close(result);
}

static void events(void **state)
{
    place     *p = *state;
    zn_result *result;
    write_whole(p, 1, 1300, ZN_OK); // more than two buffers of events
    CHECK_OK(zn_result_open(p->file, log_of(p), &result));
    assert_int_equal(zn_result_event_count(result), 1300);
    zn_result_event *e = calloc(1300, sizeof *e);
    CHECK_OK(zn_result_events(result, e));
    for (int i = 0; i < 1300; i++) {
        assert_string_equal(e[i].name, i % 2 ? "wall" : "floor");
        assert_int_equal(e[i].impact, i % 3 == 0);
        assert_int_equal(e[i].open, i % 5 != 0);
        CHECK_NEAR(e[i].closed_at, 0.5 * i, 0);
        CHECK_NEAR(e[i].opened_at, 0.5 * i + 0.125, 0);
        CHECK_NEAR(e[i].impulse + e[i].peak_force + e[i].approach, 1, 0);
    }
    free(e);
    zn_result_close(result);
}

// A child writes `rows` rows and a late one after `seconds`, says so, and waits to be killed.
static pid_t start_writer(place *p, int64_t rows, unsigned seconds)
{
    int pipe_ends[2];
    assert_int_equal(pipe(pipe_ends), 0);
    pid_t child = fork();
    if (child == 0) {
        zn_result_writer *writer;
        zn_recorder       r = {0};
        bool              ok = create_and_begin(p, 1e-3 * (double)rows, &writer, &r) == ZN_OK;
        ok = ok && write_rows(r, 0, rows) == ZN_OK;
        if (seconds > 0) {
            struct timespec wait = {.tv_sec = seconds, .tv_nsec = 50000000};
            nanosleep(&wait, NULL);
            ok = ok && write_rows(r, rows, 1) == ZN_OK;
        }
        if (write(pipe_ends[1], ok ? "y" : "n", 1) == 1)
            for (;;)
                pause();
        _exit(1);
    }
    char answer = 0;
    assert_int_equal(read(pipe_ends[0], &answer, 1), 1);
    assert_int_equal(answer, 'y');
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    return child;
}

static void kill_writer(pid_t child)
{
    int status;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
}

static void check_unfinished(place *p, int64_t rows)
{
    zn_result *result;
    CHECK_OK(zn_result_open(p->part, log_of(p), &result));
    assert_false(zn_result_is_finished(result));
    assert_int_equal(zn_result_rows(result), rows);
    assert_true(isnan(zn_result_number(result, "steps")));
    check_rows(result);
    zn_result_close(result);
}

static void killed_run_is_readable(void **state)
{
    place *p = *state;
    pid_t  child = start_writer(p, 2 * BUFFER + 3000, 0);
    check_unfinished(p, 2 * BUFFER); // while it runs: whole buffers
    kill_writer(child);
    assert_int_equal(access(p->file, F_OK), -1);
    check_unfinished(p, 2 * BUFFER);
}

static void flushed_every_second(void **state)
{
    place *p = *state;
    pid_t  child = start_writer(p, 10, 1);
    kill_writer(child);
    check_unfinished(p, 11);
}

static void second_writer_is_refused(void **state)
{
    place            *p = *state;
    zn_result_writer *writer;
    pid_t             child = start_writer(p, BUFFER + 1000, 0);
    CHECK_STATUS(create(p, 1, &writer), ZN_ERR_IO);
    assert_non_null(strstr(p->log, "another run is writing this file"));
    check_unfinished(p, BUFFER); // untouched
    kill_writer(child);
    p->log[0] = '\0';
    write_whole(p, 5, 0, ZN_OK); // a leftover does not block the next run
}

// Exit status of a child that writes against a limit of `bytes`: 0 when all went as it should.
static int write_against_limit(place *p, rlim_t bytes)
{
    zn_result_writer *writer = NULL;
    zn_recorder       r = {0};
    struct rlimit     limit = {bytes, bytes};
    zn_certificate    c = certificate();
    signal(SIGXFSZ, SIG_IGN);
    if (create_and_begin(p, 1e9, &writer, &r) != ZN_OK || setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    if (write_rows(r, 0, 1000000) != ZN_ERR_IO)
        return 2;
    if (strstr(p->log, p->part) == NULL || strstr(p->log, "File too large") == NULL)
        return 3;
    if (r.row(r.user, 0, (double[COLUMNS]){0}) != ZN_ERR_IO || r.end(r.user, &c, ZN_ERR_IO) != ZN_ERR_IO)
        return 4;
    zn_result_writer_destroy(writer);
    return 0;
}

static void full_disk(void **state)
{
    place *p = *state;
    // some limits fall between the datasets of one flush
    for (rlim_t bytes = 800000; bytes < 2400000; bytes += 140003) {
        pid_t child = fork();
        if (child == 0)
            exit(write_against_limit(p, bytes)); // with HDF5's own end
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
        assert_int_equal(access(p->file, F_OK), -1);

        zn_result *result;
        CHECK_OK(zn_result_open(p->part, log_of(p), &result));
        assert_false(zn_result_is_finished(result));
        assert_true(zn_result_rows(result) >= BUFFER);
        check_rows(result);
        zn_result_close(result);
    }
}

static void nothing_left_without_rows(void **state)
{
    place            *p = *state;
    zn_result_writer *writer;
    zn_recorder       r = {0};
    CHECK_OK(create(p, 1, &writer));
    assert_int_equal(access(p->part, F_OK), 0);
    zn_result_writer_destroy(writer);
    assert_int_equal(access(p->part, F_OK), -1);

    // given up after some rows: they stay
    CHECK_OK(create_and_begin(p, 1, &writer, &r));
    CHECK_OK(write_rows(r, 0, 7));
    zn_result_writer_destroy(writer);
    zn_result *result;
    CHECK_OK(zn_result_open(p->part, log_of(p), &result));
    assert_false(zn_result_is_finished(result));
    assert_int_equal(zn_result_rows(result), 7);
    check_rows(result);
    zn_result_close(result);
    assert_null(zn_result_writer_destroy(NULL));
    assert_null(zn_result_close(NULL));
}

static void bad_places(void **state)
{
    place            *p = *state;
    zn_result_writer *writer;
    place             other = *p;
    strcpy(other.file, "/nonexistent/out.zeno.h5");
    CHECK_STATUS(create(&other, 1, &writer), ZN_ERR_IO);
    assert_non_null(strstr(other.log, "/nonexistent/out.zeno.h5.part: cannot be created: No such file"));
    strcpy(other.file, p->folder);
    CHECK_STATUS(create(&other, 1, &writer), ZN_ERR_IO);
    assert_non_null(strstr(other.log, "Is a directory"));
}

static void bad_record_name(void **state)
{
    place            *p = *state;
    zn_result_writer *writer;
    const zn_series   bad = {.name = "a/b", .path = "x", .unit = "", .components = "", .columns = 1};
    CHECK_OK(create(p, 1, &writer));
    zn_recorder r = zn_result_writer_recorder(writer);
    CHECK_STATUS(r.begin(r.user, 1, &bad, 1), ZN_ERR_ARGUMENT);
    assert_non_null(strstr(p->log, "'a/b'"));
    zn_result_writer_destroy(writer);
    assert_int_equal(access(p->part, F_OK), -1);
}

static void unreadable_files(void **state)
{
    place     *p = *state;
    zn_result *result = NULL;
    CHECK_STATUS(zn_result_open(p->file, log_of(p), &result), ZN_ERR_IO);
    assert_non_null(strstr(p->log, "No such file or directory"));
    CHECK_STATUS(zn_result_open(p->folder, log_of(p), &result), ZN_ERR_IO);
    assert_non_null(strstr(p->log, "Is a directory"));
    FILE *f = fopen(p->file, "w");
    fputs("zeno: 1\n", f);
    fclose(f);
    CHECK_STATUS(zn_result_open(p->file, log_of(p), &result), ZN_ERR_IO);
    assert_non_null(strstr(p->log, "not a result file"));
    assert_null(result);
}

static void cut_file(void **state)
{
    place     *p = *state;
    zn_result *result;
    write_whole(p, 20000, 3, ZN_OK);
    assert_int_equal(truncate(p->file, 30000), 0);
    CHECK_STATUS(zn_result_open(p->file, log_of(p), &result), ZN_ERR_IO);
    assert_true(strlen(p->log) > 0);
}

static void csv(void **state)
{
    place     *p = *state;
    zn_result *result;
    char       path[128], line[512];
    write_whole(p, 50000, 0, ZN_OK); // more than one block
    snprintf(path, sizeof path, "%s/out.csv", p->folder);
    CHECK_OK(zn_result_open(p->file, log_of(p), &result));
    CHECK_OK(zn_result_export_csv(result, path));
    CHECK_STATUS(zn_result_export_csv(result, p->folder), ZN_ERR_IO);
    zn_result_close(result);

    FILE *f = fopen(path, "r");
    assert_non_null(fgets(line, sizeof line, f));
    assert_string_equal(line, "t [s],height [m],velocity.x [m/s],velocity.y [m/s],ratio\n");
    int64_t rows = 0;
    for (; fgets(line, sizeof line, f) != NULL; rows++) {
        double t, y, vx, vy, ratio;
        assert_int_equal(sscanf(line, "%lf,%lf,%lf,%lf,%lf", &t, &y, &vx, &vy, &ratio), 5);
        CHECK_NEAR(t, 1e-3 * (double)rows, 0);
        CHECK_NEAR(y, height(rows), 0);
        CHECK_NEAR(vy, -0.25 * (double)rows, 0);
        CHECK_NEAR(ratio, 1e-300, 0);
    }
    assert_int_equal(rows, 50000);
    fclose(f);
}

static void small_runs_make_small_files(void **state)
{
    place      *p = *state;
    struct stat status;
    write_whole(p, 100, 1, ZN_OK);
    assert_int_equal(stat(p->file, &status), 0);
    assert_true(status.st_size < 200000);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)
    const struct CMUnitTest tests[] = {
        TEST(round_trip),
        TEST(description),
        TEST(events),
        TEST(killed_run_is_readable),
        TEST(flushed_every_second),
        TEST(second_writer_is_refused),
        TEST(full_disk),
        TEST(nothing_left_without_rows),
        TEST(bad_places),
        TEST(bad_record_name),
        TEST(unreadable_files),
        TEST(cut_file),
        TEST(csv),
        TEST(small_runs_make_small_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
