/// How a body looks, in a model file, and its table.
#ifndef ZN_IO_SCHEMA_DRAW_H
#define ZN_IO_SCHEMA_DRAW_H

#include "io/schema.h"

/// {sphere: r}, {box: [a, b, c]}, {cylinder: r, length: l, axis: [x, y, z]}, {capsule: ...}, {polygon: [[x, y], ...]}
/// or {stl: file, scale: s}, with `at`
typedef struct zn_draw_entry {
    double              sphere, cylinder, capsule, length, thickness; ///< 0: not given
    const char         *colour;
    double              opacity;
    zn_vec3             box, axis, at;
    const zn_yaml_node *polygon;
    int                 around; ///< how often the corners of the polygon come
    const char         *stl;
    double              scale;
} zn_draw_entry;

extern const zn_schema zn_schema_draw;

#endif
