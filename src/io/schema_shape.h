/// The structs of shapes and lattices of bodies in a model file, and their tables.
#ifndef ZN_IO_SCHEMA_SHAPE_H
#define ZN_IO_SCHEMA_SHAPE_H

#include "io/schema.h"

/// {radius: r, length: l}
typedef struct zn_round_entry {
    double radius, length;
} zn_round_entry;

/// {sphere: r}, {box: [a, b, c]}, {plane: normal}, {cylinder: {radius: r, length: l}} or {disc: r}
typedef struct zn_shape_entry {
    zn_reference   body;
    zn_vec3        at, box, plane, axis;
    double         sphere, angle, disc;
    zn_quat        rotation;
    zn_round_entry cylinder;
} zn_shape_entry;

/// {count: [10, 10, 10], spacing: [d, d, d]}
typedef struct zn_lattice_entry {
    zn_vec3 count, spacing, jitter;
    int     limit, seed;
} zn_lattice_entry;

extern const zn_schema zn_schema_shape, zn_schema_round, zn_schema_lattice;

#endif
