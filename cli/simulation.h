/// From a model file and run options to a simulation, the same way for every verb.
#ifndef ZENO_SIMULATION_H
#define ZENO_SIMULATION_H

#include "zn/io.h"

#include "options.h"

/// Options of `zeno run`, also taken by `zeno gallery run` and by reference values.
typedef struct run_options {
    const char *scheme, *output, *dump_problems, *restart; ///< NULL: not given
    step_option step;
    double      until, dump_every, checkpoint_every, time_limit; ///< NaN: not given
    double      memory_limit, output_limit;                      ///< in GB; NaN: none
    text_list   set, rest;
    bool        no_output, json, quiet, view;
} run_options;

bool run_options_parse(const char *verb, int argc, char **argv, run_options *out);
void run_options_free(run_options *options);

typedef struct simulation {
    zn_problem *problem;
    zn_sim_def  def; ///< of the problem, with the options applied
    char       *scheme_memory;
    zn_system  *sys;
    zn_sim     *sim;
} simulation;

/// --memory-limit, as `ulimit -v`: models are refused by it before they are built, and what runs out later ends in a
/// message. --output-limit, as `ulimit -f`: records are refused by it before the first step. False after a message.
bool      limit_resources(const run_options *options);
/// Without the bound that main() sets.
void      unbind_memory(void);
/// A model file, or the model of a result, with the folders of --allow-path; `set` NULL: nothing is set.
zn_status problem_read(const char *path, bool result, const text_list *set, zn_log log, zn_problem **out);
/// A result whose model will be needed, with them.
zn_status result_open(const char *path, zn_result **out);

/// Read and compile; `simulation_create` does the rest once the recorder is in `def`. simulation_close accepts a
/// zeroed or half-made simulation.
zn_status simulation_read(const char *path, const run_options *options, zn_log log, simulation *out);
zn_status simulation_create(simulation *s);
void      simulation_close(simulation *s);

#endif
