/// Programs beside zeno that read files with large libraries, each as a process of its own, so that whatever such a
/// file makes of them happens there.
#ifndef ZENO_HELPER_H
#define ZENO_HELPER_H

#include <stdbool.h>

typedef struct helper {
    const char *name;     ///< of the program
    const char *variable; ///< of the environment, that may say where it is
    const char *folder;   ///< in a build tree, and what `make` is to make
    const char *task;     ///< "reads STEP files with OpenCASCADE"
} helper;

/// Let it read `file` within `seconds`. `arguments` ends with NULL; the first one is filled in. False after a message.
bool helper_run(const helper *h, const char *file, char **arguments, double seconds);

#endif
