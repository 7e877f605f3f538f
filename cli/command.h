/// A verb of the program, and what all verbs share: exit statuses.
#ifndef ZENO_COMMAND_H
#define ZENO_COMMAND_H

#include <stdbool.h>

#include "zn/base.h"

enum {
    EXIT_FINE = 0,
    EXIT_BROKEN = 1,  ///< a limit of the model was broken, or a verification failed
    EXIT_INPUT = 2,   ///< bad input, or a file that cannot be read or written
    EXIT_NUMERIC = 3, ///< numerical failure, interrupted, or no memory
};

/// Exit status of a library status: positive ones are numerical, negative ones the caller's. Memory that ran out is
/// told, unless it was.
int exit_of(zn_status status);

typedef struct command {
    const char *name;
    const char *summary;               ///< one line
    const char *help;                  ///< usage, options, examples
    int (*run)(int argc, char **argv); ///< argv[0] is the verb
    bool guarded;                      ///< reads HDF5 files of others: in a process of its own
} command;

extern const command run_command, check_command, info_command, plot_command, export_command, converge_command,
    sweep_command, cad_command, import_command, modes_command, solve_command, view_command, gallery_command,
    reference_command, help_command;

/// All of them, ended by NULL.
const command *const *all_commands(void);

#endif
