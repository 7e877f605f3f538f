/// The summary of a run as one JSON object.
#ifndef ZENO_JSON_H
#define ZENO_JSON_H

#include <stdio.h>

#include "summary.h"

void json_print(FILE *out, const summary *s);

#endif
