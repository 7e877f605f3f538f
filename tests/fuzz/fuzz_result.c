// libFuzzer target: a good result file with changes. An input is a list of changes of seven bytes each: place (three),
// how (one), and three values. Opening it, reading its values and going on from its checkpoint end with a status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "zn/io.h"
#include "zn/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char model[] = "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
                            "bodies: {ball: {mass: 1, position: [0, 0.1]}}\n"
                            "contacts: {floor: {point: ball, surface: {plane: [0, 1]}, restitution: 0.5}}\n"
                            "record: {height: ball.position.y}\n"
                            "run: {scheme: moreau_jean, step: 1e-2, until: 0.3, frames: 3, checkpoint_every: 10}\n";

static unsigned char *whole;
static size_t         whole_size;
static char           path[64];

enum { CHANGE = 7, HEAD = 8192 };

static void remove_file(void)
{
    unlink(path);
    free(whole);
}

static bool make(void)
{
    zn_problem       *problem = NULL;
    zn_system        *sys = NULL;
    zn_sim           *sim = NULL;
    zn_result_writer *writer = NULL;
    snprintf(path, sizeof path, "%s/zeno-fuzz-%ld.h5", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : ".",
             (long)getpid());
    bool       ok = zn_problem_parse(model, sizeof model - 1, "ball.yaml", 0, NULL, (zn_log){0}, &problem) == ZN_OK;
    zn_sim_def def = problem->sim;
    ok = ok && zn_result_writer_create(path, problem, &def, "fuzz", (zn_log){0}, &writer) == ZN_OK;
    if (ok)
        def.recorder = zn_result_writer_recorder(writer);
    ok = ok && zn_system_create(problem->model, &sys) == ZN_OK && zn_sim_create(sys, &def, &sim) == ZN_OK &&
         zn_sim_run(sim) == ZN_OK;
    zn_result_writer_destroy(writer);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    FILE *file = ok ? fopen(path, "rb") : NULL;
    whole = malloc(1 << 22);
    whole_size = file != NULL && whole != NULL ? fread(whole, 1, 1 << 22, file) : 0;
    if (file != NULL)
        fclose(file);
    atexit(remove_file);
    return whole_size > 0;
}

// Where, and what: bits, bytes, a small or large number, the end.
static size_t change(unsigned char *bytes, size_t length, const uint8_t *c)
{
    size_t place = (size_t)c[0] | (size_t)c[1] << 8 | (size_t)c[2] << 16;
    place %= (c[3] & 8) != 0 || length < HEAD ? length : HEAD; // most of the structure is at the beginning
    size_t room = length - place;
    switch (c[3] & 7) {
    case 0:
        bytes[place] ^= (unsigned char)(1u << (c[4] & 7));
        break;
    case 1:
        memset(bytes + place, c[4], room < 8 ? room : 8);
        break;
    case 2:
        memcpy(bytes + place, c + 4, room < 3 ? room : 3);
        break;
    case 3:
        memmove(bytes + place, bytes + length / 2, room < c[4] && room < length / 2 ? room : room / 256);
        break;
    default:
        if (c[5] == 0)
            return place + 1;
        bytes[place] = c[4];
    }
    return length;
}

static void look(void)
{
    zn_result *result = NULL;
    if (zn_result_open(path, (zn_log){0}, &result) != ZN_OK)
        return;
    int64_t rows = zn_result_rows(result), events = zn_result_event_count(result);
    for (int i = 0; i < zn_result_series_count(result) && rows < 100000; i++) {
        size_t  columns = (size_t)zn_result_series_at(result, i).columns;
        double *values = columns < 1000 ? calloc((size_t)rows * columns + 1, sizeof *values) : NULL;
        if (values != NULL)
            zn_result_read(result, i, values);
        free(values);
    }
    zn_result_event *list = events < 100000 ? calloc((size_t)events + 1, sizeof *list) : NULL;
    if (list != NULL)
        zn_result_events(result, list);
    free(list);
    zn_result_close(result);
}

static void go_on(void)
{
    zn_problem *problem = NULL;
    zn_restart *restart = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    size_t      size = 0;
    if (zn_problem_parse(model, sizeof model - 1, "ball.yaml", 0, NULL, (zn_log){0}, &problem) != ZN_OK)
        return;
    zn_sim_def def = problem->sim;
    def.until = 0.32;
    if (zn_restart_open(path, problem, &def, &restart) == ZN_OK && zn_system_create(problem->model, &sys) == ZN_OK &&
        zn_sim_create(sys, &def, &sim) == ZN_OK) {
        const void *data = zn_restart_data(restart, &size);
        if (zn_sim_restart(sim, data, size) == ZN_OK)
            zn_sim_run(sim);
    }
    zn_restart_close(restart);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (whole_size == 0 && !make())
        __builtin_trap();
    unsigned char *bytes = malloc(whole_size);
    size_t         length = whole_size;
    if (bytes == NULL)
        return 0;
    memcpy(bytes, whole, whole_size);
    for (size_t i = 0; i + CHANGE <= size && i < 8 * CHANGE; i += CHANGE)
        length = change(bytes, length, data + i);
    FILE *file = fopen(path, "wb");
    if (file != NULL) {
        fwrite(bytes, 1, length, file);
        fclose(file);
        look();
        go_on();
    }
    free(bytes);
    return 0;
}
