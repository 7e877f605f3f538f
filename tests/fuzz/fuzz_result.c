// libFuzzer target: a good result file of one of several machines with changes (hdf5_changes.h). Opening it, reading
// its values, telling and drawing them and going on from its checkpoint end with a status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hdf5.h>

#include "hdf5_changes.h"
#include "zn/io.h"
#include "zn/scene.h"
#include "zn/sim.h"
#include "zn/view.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// For mutate.c: inputs are not text.
extern const bool zn_fuzz_binary;
const bool        zn_fuzz_binary = true;

// clang-format off
static const char *const models[] = {
    "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
    "bodies: {ball: {mass: 1, position: [0, 0.1]}}\n"
    "contacts: {floor: {point: ball, surface: {plane: [0, 1]}, restitution: 0.5}}\n"
    "record: {height: ball.position.y}\n"
    "run: {scheme: moreau_jean, step: 1e-2, until: 0.3, frames: 3, checkpoint_every: 10}\n",
    "zeno: 1\nplanar: true\nparameters: {mu: 0.3}\n"
    "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n"
    "parts:\n"
    "  lower: {element: solid, material: soft, mesh: {rectangle: {from: [0, -0.05], to: [0.1, 0], elements: [3, 2]}}}\n"
    "  upper: {element: solid, material: soft, velocity: [1.5, -1],\n"
    "    mesh: {rectangle: {from: [0.021, 0.001], to: [0.087, 0.05], elements: [3, 2]}}}\n"
    "contacts: {rub: {surfaces: [upper, lower], friction: mu}}\n"
    "record: {height: upper.centre.y, force: rub.force, energy: upper.energy}\n"
    "run: {scheme: nsga, step: 1e-3, until: 0.03, frames: 4, checkpoint_every: 10}\n",
    "zeno: 1\ngravity: [0, 0, -9.81]\n"
    "bodies:\n"
    "  ball: {mass: 1, inertia: 0.004, position: [0.11, 0.11, 0.1005], sphere: 0.1, velocity: [0.5, 0.2, -1],\n"
    "    lattice: {count: [2, 2, 1], spacing: [0.2002, 0.2003, 0.2004]}}\n"
    "  brick: {box: [0.1, 0.2, 0.1], density: 1000, position: [1, 0, 0.051], spin: [1, 2, 3]}\n"
    "shapes: {floor: {plane: [0, 0, 1]}}\n"
    "contacts: {pile: {between: [ball, brick], against: [floor], restitution: 0.2, friction: 0.3}}\n"
    "record: {height: 'ball[0].position.z', place: brick.position}\n"
    "run: {scheme: moreau_jean, step: 1e-3, until: 0.03, frames: 4, checkpoint_every: 10}\n",
};
// clang-format on

enum { MODELS = sizeof models / sizeof *models };

// Inputs that were gone on from.
extern long zn_fuzz_reached;
long        zn_fuzz_reached = 0;

static fuzz_file whole[MODELS];
static char      path[64];

static void remove_files(void)
{
    unlink(path);
    for (int i = 0; i < MODELS; i++)
        free(whole[i].bytes);
}

static bool make(const char *model, fuzz_file *out)
{
    zn_problem       *problem = NULL;
    zn_system        *sys = NULL;
    zn_sim           *sim = NULL;
    zn_result_writer *writer = NULL;
    bool       ok = zn_problem_parse(model, strlen(model), "model.yaml", 0, NULL, (zn_log){0}, &problem) == ZN_OK;
    zn_sim_def def = ok ? problem->sim : zn_sim_def_default();
    ok = ok && zn_result_writer_create(path, problem, &def, "fuzz", (zn_log){0}, &writer) == ZN_OK;
    if (ok)
        def.recorder = zn_result_writer_recorder(writer);
    ok = ok && zn_system_create(problem->model, &sys) == ZN_OK && zn_sim_create(sys, &def, &sim) == ZN_OK &&
         zn_sim_run(sim) == ZN_OK;
    zn_result_writer_destroy(writer);
    zn_sim_destroy(sim);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    return ok && fuzz_load(path, out);
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

// All that is told and drawn, into nothing.
static void show(const zn_result *result)
{
    char    message[256];
    int64_t rows = zn_result_rows(result);
    double *values = rows < 100000 ? calloc((size_t)rows + 1, sizeof *values) : NULL;
    if (values != NULL)
        zn_result_evaluate(result, "height*t + 1", values, message, sizeof message);
    free(values);
    zn_result_export_csv(result, "/dev/null");
    zn_report_write("/dev/null", 1, &result, 0, NULL, (zn_log){0});
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
    show(result);
    zn_result_close(result);
}

static void go_on(const char *model)
{
    zn_problem *problem = NULL;
    zn_restart *restart = NULL;
    zn_system  *sys = NULL;
    zn_sim     *sim = NULL;
    size_t      size = 0;
    if (zn_problem_parse(model, strlen(model), "model.yaml", 0, NULL, (zn_log){0}, &problem) != ZN_OK)
        return;
    zn_sim_def def = problem->sim;
    def.until += 2 * def.step;
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

static void make_all(void)
{
    fuzz_path("result.h5", path);
    atexit(remove_files);
    for (int i = 0; i < MODELS; i++)
        if (!make(models[i], &whole[i])) {
            fprintf(stderr, "machine %d does not run\n", i);
            __builtin_trap();
        }
}

// The last byte says which of them is changed.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int which = size > 0 ? data[size - 1] % MODELS : 0;
    if (whole[0].size == 0)
        make_all();
    if (fuzz_write_changed(&whole[which], data, size, path)) {
        look();
        go_on(models[which]);
        if (H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) > 0) // closed is closed, whatever was in it
            __builtin_trap();
    }
    return 0;
}
