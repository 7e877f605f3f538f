/// A verb that reads HDF5 files of others runs in a process of its own: a file that is damaged so that HDF5 crashes
/// over it ends in a message.
#ifndef ZENO_GUARDED_H
#define ZENO_GUARDED_H

#include "command.h"

/// Exit status of the verb; after a crash a message and EXIT_INPUT.
int run_guarded(const command *verb, int argc, char **argv);

#endif
