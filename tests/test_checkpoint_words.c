// Checkpoints with one word replaced, as somebody could who makes their checksum good again: a restart either refuses
// or goes on, and no counter overflows.
#include "fixtures.h"

#include <limits.h>

#include "zn/io.h"

static const char text[] = "zeno: 1\n"
                           "planar: true\n"
                           "gravity: [0, -9.81]\n"
                           "bodies:\n"
                           "  ball: {mass: 1, position: [0, 1e-3]}\n"
                           "contacts:\n"
                           "  floor: {point: ball, surface: {plane: [0, 1]}, friction: 0.3}\n"
                           "record: {height: ball.position.y}\n"
                           "run: {scheme: moreau_jean, step: 1e-2, until: 0.3, frames: 3, checkpoint_every: 10}\n";

static log_capture messages;
static uint64_t   *kept; // words of the last checkpoint
static size_t      words;

static zn_status keep(void *user, double t, const void *data, size_t size)
{
    (void)user, (void)t;
    assert_int_equal(size % 8, 0);
    free(kept);
    kept = malloc(size);
    memcpy(kept, data, size);
    words = size / 8;
    return ZN_OK;
}

static zn_status pass_row(void *user, double t, const double *values)
{
    (void)user, (void)t, (void)values;
    return ZN_OK;
}

static zn_status pass_begin(void *user, int count, const zn_series *series, int columns)
{
    (void)user, (void)count, (void)series, (void)columns;
    return ZN_OK;
}

static zn_status pass_event(void *user, const zn_event *event)
{
    (void)user, (void)event;
    return ZN_OK;
}

static zn_status pass_end(void *user, const zn_certificate *certificate, zn_status outcome)
{
    (void)user, (void)certificate, (void)outcome;
    return ZN_OK;
}

static zn_status pass_frame(void *user, const zn_frame *frame)
{
    (void)user, (void)frame;
    return ZN_OK;
}

static zn_status pass_checkpoint(void *user, double t, const void *data, size_t size)
{
    (void)user, (void)t, (void)data, (void)size;
    return ZN_OK;
}

// From the start (data NULL) or from a checkpoint.
static zn_status run(double until, const void *data)
{
    zn_problem *problem = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    log_capture_clear(&messages);
    CHECK_OK(zn_problem_parse(text, strlen(text), "ball.yaml", 0, NULL, log_into(&messages), &problem));
    CHECK_OK(zn_system_create(problem->model, &sys));
    zn_sim_def def = problem->sim;
    def.log = log_into(&messages);
    def.until = until;
    def.recorder = (zn_recorder){.begin = pass_begin,
                                 .row = pass_row,
                                 .event = pass_event,
                                 .end = pass_end,
                                 .frame = pass_frame,
                                 .checkpoint = data == NULL ? keep : pass_checkpoint};
    CHECK_OK(zn_sim_create(sys, &def, &sim));
    zn_status status = data != NULL ? zn_sim_restart(sim, data, 8 * words) : ZN_OK;
    if (status == ZN_OK)
        status = zn_sim_run(sim);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    return status;
}

static void test_words(void **state)
{
    (void)state;
    const uint64_t wrong[] = {INT64_MAX, (uint64_t)INT64_MIN, INT_MAX, (uint64_t)INT_MAX << 32, UINT64_MAX};
    CHECK_OK(run(0.3, NULL));
    CHECK_OK(run(0.33, kept));
    for (size_t i = 0; i < words; i++)
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            uint64_t good = kept[i];
            kept[i] = wrong[k];
            zn_status status = run(0.33, kept);
            if (status != ZN_OK && status != ZN_ERR_MEMORY)
                assert_true(messages.count > 0);
            kept[i] = good;
        }
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
