/// The structs of shapes and lattices of bodies in a model file, and their tables.
#ifndef ZN_IO_SCHEMA_SHAPE_H
#define ZN_IO_SCHEMA_SHAPE_H

#include "io/schema_contour.h"
#include "io/schema_form.h"

/// {sphere: r}, {box: [a, b, c]}, {plane: normal} ...
typedef struct zn_shape_entry {
    zn_reference     body;
    zn_vec3          at, plane;
    zn_form_entry    form;
    const char      *material;
    double           angle;
    zn_quat          rotation;
    zn_outline_entry outline;
} zn_shape_entry;

/// {count: [10, 10, 10], spacing: [d, d, d]}
typedef struct zn_lattice_entry {
    zn_vec3 count, spacing, jitter;
    int     limit, seed;
} zn_lattice_entry;

extern const zn_schema zn_schema_shape, zn_schema_lattice;

#endif
