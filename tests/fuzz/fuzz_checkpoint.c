// libFuzzer target: a good checkpoint with changes. The first byte says of which machine and scheme; then come changes
// of seven bytes each: place (three), how (one), and three values. Going on from it ends with a status, and a run that
// says it went well has a state that is finite.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hdf5_changes.h"
#include "zn/io.h"
#include "zn/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// For mutate.c: checkpoints that a run went on from; inputs are not text; mass ratios of 1e10 may take long.
extern long       zn_fuzz_reached;
extern const bool zn_fuzz_binary;
extern const int  zn_fuzz_seconds;
long              zn_fuzz_reached;
const bool        zn_fuzz_binary = true;
const int         zn_fuzz_seconds = 60;

// clang-format off
#define PLANE "zeno: 1\nplanar: true\ngravity: [0, -9.81]\n"
#define BLOCK(law) PLANE \
    "bodies: {block: {mass: 1, inertia: 0.1, position: [0, 0.305], spin: 2, velocity: [1, 0]}}\n" \
    "contacts:\n" \
    "  A: {point: block, at: [-0.2, -0.3], surface: {plane: [0, 1]}" law "}\n" \
    "  B: {point: block, at: [0.2, -0.3], surface: {plane: [0, 1]}" law "}\n" \
    "record: {y: block.position.y}\n"
#define ROUGH ", restitution: 0.3, friction: 0.3"
#define SOLIDS(law) PLANE \
    "materials: {soft: {young: 900, poisson: 0.3, density: 1}}\n" \
    "parts:\n" \
    "  lower: {element: solid, material: soft, model: saint_venant_kirchhoff, mass: lumped,\n" \
    "    mesh: {rectangle: {from: [0, -0.05], to: [0.1, 0], elements: [3, 2]}}}\n" \
    "  upper: {element: solid, material: soft, model: saint_venant_kirchhoff, velocity: [1.5, -1], mass: lumped,\n" \
    "    mesh: {rectangle: {from: [0.021, 0.001], to: [0.087, 0.05], elements: [3, 2]}}}\n" \
    "contacts:\n  rub: {surfaces: [upper, lower]" law "}\n"
#define BALLS \
    "zeno: 1\ngravity: [0, 0, -9.81]\n" \
    "bodies:\n" \
    "  ball: {mass: 1, inertia: 0.004, position: [0.11, 0.11, 0.1005], sphere: 0.1, velocity: [0.5, 0.2, -1],\n" \
    "    lattice: {count: [2, 2, 2], spacing: [0.2002, 0.2003, 0.2004]}}\n" \
    "shapes: {floor: {plane: [0, 0, 1]}}\n" \
    "contacts:\n" \
    "  pile: {between: [ball], restitution: 0.2, friction: 0.3}\n" \
    "  base: {between: [ball], against: [floor], friction: 0.3}\n"
#define ROD \
    "zeno: 1\nplanar: true\nmaterials: {soft: {young: 900, density: 1}}\n" \
    "parts: {rod: {element: bar, area: 1, material: soft, from: [0.01, 0], to: [1, 0], elements: 8,\n" \
    "  velocity: [-1, 0], fixed: [y], mass: lumped}}\n"
#define BAR ROD "contacts: {wall: {point: 'rod[0]', surface: {plane: [1, 0]}}}\n"
#define ARM PLANE \
    "bodies: {arm: {mass: 1, inertia: 0.1, position: [0.5, 0]}}\n" \
    "joints: {pin: {type: revolute, body: arm, at: [-0.5, 0], play: {radius: 1 mm, pin_radius: 8 mm, friction: 0.1}}}\n"
#define RUN(words) "run: {scheme: " words ", step: 1e-3, until: 0.03, frames: 3, checkpoint_every: 10}\n"
// clang-format on

static const char *const models[] = {
    BLOCK(ROUGH) RUN("moreau_jean"),
    BLOCK(ROUGH) RUN("direct_projection"),
    BLOCK(ROUGH) RUN("combined_projection"),
    BLOCK(ROUGH) RUN("nsga"),
    BLOCK(ROUGH) RUN("nsga_coupled"),
    BLOCK("") RUN("schatzman_paoli"),
    BLOCK("") RUN("trapezoidal"),
    BALLS RUN("moreau_jean"),
    BALLS RUN("combined_projection"),
    SOLIDS(", friction: 0.3") RUN("nsga"),
    SOLIDS("") RUN("energy_momentum"),
    BAR RUN("cd_lagrange"),
    BAR RUN("{cd_lagrange: {levels: auto}}"),
    BAR RUN("{multirate: {within: 0.3, ratio: 5}}"),
    ROD RUN("newmark"),
    ARM RUN("combined_projection"),
};

enum { MODELS = sizeof models / sizeof *models, CHANGES = 6 };

typedef struct machine {
    zn_problem    *problem;
    zn_system     *sys;
    unsigned char *checkpoint;
    size_t         size;
} machine;

static machine machines[MODELS];
static bool    making; // what is told then is a fault of the machine

static zn_status keep(void *user, double t, const void *data, size_t size)
{
    (void)t;
    machine *m = user;
    if (m->size > 0)
        return ZN_OK; // the first one: there is a way to go from it
    m->checkpoint = malloc(size);
    if (m->checkpoint == NULL)
        return ZN_ERR_MEMORY;
    memcpy(m->checkpoint, data, size);
    m->size = size;
    return ZN_OK;
}

static void tell(void *user, zn_severity severity, const char *message)
{
    (void)user, (void)severity;
    if (making)
        fprintf(stderr, "%s\n", message);
}

static void make(int i)
{
    machine     *m = &machines[i];
    zn_sim      *sim = NULL;
    const zn_log log = {.write = tell};
    zn_status    status = zn_problem_parse(models[i], strlen(models[i]), "machine.yaml", 0, NULL, log, &m->problem);
    if (status == ZN_OK)
        status = zn_system_create(m->problem->model, &m->sys);
    if (status == ZN_OK) {
        zn_sim_def def = m->problem->sim;
        def.log = log;
        def.recorder = (zn_recorder){.user = m, .checkpoint = keep};
        status = zn_sim_create(m->sys, &def, &sim);
    }
    if (status == ZN_OK)
        status = zn_sim_run(sim);
    zn_sim_destroy(sim);
    if (status != ZN_OK || m->size == 0) {
        fprintf(stderr, "machine %d does not run: %s\n", i, zn_status_text(status));
        __builtin_trap();
    }
}

static void remove_machines(void)
{
    for (int i = 0; i < MODELS; i++) {
        zn_system_destroy(machines[i].sys);
        zn_problem_destroy(machines[i].problem);
        free(machines[i].checkpoint);
    }
}

// A checkpoint consists of numbers of eight and four bytes.
static size_t change(unsigned char *bytes, size_t length, const uint8_t *c)
{
    static const double  reals[] = {0, -1, NAN, INFINITY, -INFINITY, 1e308, 1e-320, 1e15, 3, 0.5};
    static const int64_t whole[] = {0, -1, 1, INT64_MAX, INT64_MIN, INT32_MAX, (int64_t)1 << 40, 1000, 3, -1000000};
    size_t               place = (size_t)c[0] | (size_t)c[1] << 8 | (size_t)c[2] << 16;
    int32_t              small = (int32_t)whole[c[4] % 10];
    if (length < 16)
        return length;
    size_t eight = place % (length / 8) * 8, four = place % (length / 4) * 4;
    switch (c[3] % 5) {
    case 0:
        memcpy(bytes + eight, &reals[c[4] % 10], 8);
        return length;
    case 1:
        memcpy(bytes + eight, &whole[c[4] % 10], 8);
        return length;
    case 2:
        memcpy(bytes + four, &small, 4);
        return length;
    case 3: // a value of another place
        memcpy(bytes + eight, bytes + ((size_t)c[4] | (size_t)c[5] << 8) % (length / 8) * 8, 8);
        return length;
    default:
        return fuzz_change_bytes(bytes, length, c);
    }
}

static void go_on(const machine *m, const void *data, size_t size)
{
    zn_sim    *sim = NULL;
    zn_sim_def def = m->problem->sim;
    def.log = (zn_log){0};
    def.until = 0.013;
    def.max_subdivisions = 2;
    if (zn_sim_create(m->sys, &def, &sim) == ZN_OK && zn_sim_restart(sim, data, size) == ZN_OK) {
        zn_fuzz_reached++;
        if (zn_sim_run(sim) == ZN_OK && zn_sim_state(sim)->whole) // not in the middle of a coarse step of multirate
            for (int i = 0; i < zn_system_get_info(m->sys).n; i++)
                if (!isfinite(zn_sim_state(sim)->v[i]))
                    __builtin_trap();
    }
    zn_sim_destroy(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const machine *m = size > 0 ? &machines[data[0] % MODELS] : NULL;
    if (machines[0].size == 0) {
        making = true;
        for (int i = 0; i < MODELS; i++)
            make(i);
        making = false;
        atexit(remove_machines);
    }
    unsigned char *bytes = m != NULL ? malloc(m->size) : NULL;
    size_t         length = m != NULL ? m->size : 0;
    if (bytes == NULL)
        return 0;
    memcpy(bytes, m->checkpoint, m->size);
    for (size_t i = 1, k = 0; i + FUZZ_CHANGE <= size && k < CHANGES; i += FUZZ_CHANGE, k++)
        length = change(bytes, length, data + i);
    go_on(m, bytes, length);
    free(bytes);
    return 0;
}
