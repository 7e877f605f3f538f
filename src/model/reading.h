/// Numbers that one element is asked for by name, as "spring.force": records show them, feedback reads them.
#ifndef ZN_MODEL_READING_H
#define ZN_MODEL_READING_H

#include "model/gradient.h"
#include "model/layout.h"

typedef struct zn_reading {
    const char *name, *unit, *help;
} zn_reading;

/// Most entries of a gradient of any reading or sensor.
enum { ZN_READING_DOFS = 24 };

typedef struct zn_element_block zn_element_block;

/// What a kind of element tells of itself; `which` is the place in the list. Blocks have no places of degrees of
/// freedom here: those are in the layout.
typedef struct zn_readings {
    int               count;
    const zn_reading *reading;
    /// NaN: it cannot be told there.
    double (*value)(const zn_element_block *b, int e, int which, zn_at at);
    /// Adds to `out`, ZN_READING_DOFS entries at most. NULL: nobody knows; feedback reads it with a delay.
    void (*gradient)(const zn_element_block *b, int e, int which, zn_at at, zn_gradient *out);
} zn_readings;

#endif
