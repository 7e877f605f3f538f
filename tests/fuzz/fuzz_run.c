// libFuzzer target: any bytes as a model file, and a few steps of what it describes. Whatever comes out has a status,
// and a state that is finite.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "zn/io.h"
#include "zn/sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// For mutate.c: inputs that made steps; and what mass ratios of 1e10 may take until their solvers give up.
extern long      zn_fuzz_reached;
extern const int zn_fuzz_seconds;
long             zn_fuzz_reached;
const int        zn_fuzz_seconds = 120;

enum { STEPS = 4, LARGEST = 60 };

static void run(const zn_problem *problem, const zn_system *sys)
{
    zn_sim    *sim = NULL;
    zn_sim_def def = problem->sim;
    def.log = (zn_log){0};
    def.max_subdivisions = 1;
    if (zn_sim_def_resolve(sys, &def) != ZN_OK)
        return;
    if (!def.statics)
        def.until = fmin(def.until, def.start + STEPS * def.step);
    if (zn_sim_create(sys, &def, &sim) == ZN_OK) {
        const zn_state *state = zn_sim_state(sim);
        zn_system_info  info = zn_system_get_info(sys);
        zn_fuzz_reached++;
        if (zn_sim_run(sim) == ZN_OK)
            for (int i = 0; i < info.n; i++)
                if (!isfinite(state->v[i]))
                    __builtin_trap();
    }
    zn_sim_destroy(sim);
}

// Numbers of many digits after these words make models that are right and large.
static bool is_heavy(const char *text)
{
    static const char *const words[] = {"elements", "..", "count", "lattice", "cells", "sides", "steps"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (const char *s = text; (s = strstr(s, words[i])) != NULL;) {
            s += strlen(words[i]);
            size_t n = strcspn(s, "\n");
            for (size_t k = 0; k < n; k++)
                if (strspn(s + k, "0123456789") > 2 || s[k] == '*' || s[k] == '^' || s[k] == 'e')
                    return true;
        }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    zn_problem *problem = NULL;
    zn_system  *sys = NULL;
    char       *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!is_heavy(text) && zn_problem_parse(text, size, "input", 0, NULL, (zn_log){0}, &problem) == ZN_OK &&
        zn_system_create(problem->model, &sys) == ZN_OK && zn_system_get_info(sys).n <= LARGEST)
        run(problem, sys);
    zn_system_destroy(sys);
    zn_problem_destroy(problem);
    free(text);
    return 0;
}
