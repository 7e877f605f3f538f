/// Decimal numbers in text, whatever the locale.
#ifndef ZN_MODEL_NUMBER_H
#define ZN_MODEL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/// A decimal number that fills the whole text, in any locale. False for anything else, overflow included.
bool zn_number_parse(const char *text, double *out);

/// Length of the decimal number at s: 12, 1.5, .5, 2., 1e-3 (no sign); 0 when there is none.
size_t zn_number_length(const char *s);

/// strtod of the "C" locale, where the point is a point.
double zn_number_read(const char *text);

#endif
