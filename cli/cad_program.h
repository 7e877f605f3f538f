/// zeno-cad: the program on OpenCASCADE that reads STEP files, run as a process of its own, so that whatever such a
/// file makes of it happens there.
#ifndef ZENO_CAD_PROGRAM_H
#define ZENO_CAD_PROGRAM_H

#include <stdbool.h>
#include <stdio.h>

/// What it found out; both are gone when they are closed.
typedef struct cad_output {
    FILE *data;      ///< YAML
    FILE *triangles; ///< binary STL
} cad_output;

/// Let it read a STEP file within `seconds`; `deflection` [m] of the triangles, 0: its own choice. False after a
/// message.
bool cad_program_run(const char *step, double deflection, double seconds, cad_output *out);
void cad_output_close(cad_output *output);

#endif
