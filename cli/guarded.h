/// A verb that reads HDF5 files of others runs in a process of its own: a file that is damaged so that HDF5 crashes
/// over it ends in a message.
#ifndef ZENO_GUARDED_H
#define ZENO_GUARDED_H

#include "command.h"

/// Exit status of the verb; after a crash a message and EXIT_INPUT.
int  run_guarded(const command *verb, int argc, char **argv);
/// Does `read` come to an end over `what`? In a process of its own, whose end says nothing else; a message after a
/// crash.
bool reads_guarded(const char *verb, void (*read)(const void *what), const void *what);

#endif
