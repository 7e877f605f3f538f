/// Single values of a model file: see also zn_read_number, zn_read_bool and zn_read_signal in io/schema.h.
#ifndef ZN_IO_SCALAR_H
#define ZN_IO_SCALAR_H

#include "io/schema.h"

/// Evaluate "expression unit" that is not in the tree, such as a value from the command line. On a fault `message`
/// says what is wrong.
bool zn_scalar_evaluate(const char *text, zn_constants constants, double *out, char *message, size_t size);

#endif
