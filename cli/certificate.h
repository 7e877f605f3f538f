/// The certificate of a run as a table.
#ifndef ZENO_CERTIFICATE_H
#define ZENO_CERTIFICATE_H

#include <stdio.h>

#include "summary.h"

void certificate_print(FILE *out, const summary *s);

/// 12345.6 -> "12.3 k". `text` has at least 16 bytes.
const char *format_rate(double rate, char *text, size_t size);

#endif
