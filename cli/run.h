/// Running a model, for `zeno run` and `zeno gallery run`.
#ifndef ZENO_RUN_H
#define ZENO_RUN_H

#include "simulation.h"

/// Run the model at `path`; `stem` names the result file unless the options do. argv is stored as the command.
/// Returns the exit status.
int run_model(const char *path, const char *stem, const run_options *options, int argc, char **argv);

#endif
