/// Parts from CAD while a model is read.
#ifndef ZN_IO_CAD_H
#define ZN_IO_CAD_H

#include "io/inputs.h"
#include "zn/cad.h"

/// Data in memory. On an error `message` says what is wrong, with file and line.
zn_status zn_cad_from_text(const char *text, size_t length, const char *name, zn_cad **out, char *message, size_t size);
/// The data beside the STEP file `step`, which stands beside `model`; both are remembered (`inputs` NULL: not). Refused
/// if they are missing or come from another content of the STEP file.
zn_status zn_cad_from_files(zn_inputs *inputs, const char *model, const char *step, zn_cad **out, char *message,
                            size_t size);

#endif
