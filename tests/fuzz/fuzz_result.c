// libFuzzer target: a good result file with changes (hdf5_changes.h). Opening it, reading its values and going on from
// its checkpoint end with a status.
#include <stdlib.h>
#include <unistd.h>

#include "hdf5_changes.h"
#include "zn/io.h"
#include "zn/scene.h"
#include "zn/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// For mutate.c: inputs are not text.
extern const bool zn_fuzz_binary;
const bool        zn_fuzz_binary = true;

static const char model[] = "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
                            "bodies: {ball: {mass: 1, position: [0, 0.1]}}\n"
                            "contacts: {floor: {point: ball, surface: {plane: [0, 1]}, restitution: 0.5}}\n"
                            "record: {height: ball.position.y}\n"
                            "run: {scheme: moreau_jean, step: 1e-2, until: 0.3, frames: 3, checkpoint_every: 10}\n";

// Inputs that were gone on from.
extern long zn_fuzz_reached;
long        zn_fuzz_reached = 0;

static fuzz_file whole;
static char      path[64];

static void remove_file(void)
{
    unlink(path);
    free(whole.bytes);
}

static bool make(void)
{
    zn_problem       *problem = NULL;
    zn_system        *sys = NULL;
    zn_sim           *sim = NULL;
    zn_result_writer *writer = NULL;
    fuzz_path("result.h5", path);
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
    atexit(remove_file);
    return ok && fuzz_load(path, &whole);
}

// The model in it is read again, and frames become places.
static void draw(const zn_result *result)
{
    zn_scene      *scene = NULL;
    zn_scene_frame frame;
    if (zn_scene_open(result, (zn_log){0}, &scene) != ZN_OK)
        return;
    int64_t count = zn_scene_get_info(scene).frame_count;
    for (int64_t i = 0; i < count && i < 4; i++)
        zn_scene_read(scene, i, &frame);
    zn_scene_close(scene);
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
    draw(result);
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
        if (zn_sim_restart(sim, data, size) == ZN_OK && zn_sim_run(sim) == ZN_OK)
            zn_fuzz_reached++;
    }
    zn_restart_close(restart);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (whole.size == 0 && !make())
        __builtin_trap();
    if (fuzz_write_changed(&whole, data, size, path)) {
        look();
        go_on();
    }
    return 0;
}
