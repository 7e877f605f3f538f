/// The structs of contours of the plane in a model file, and their tables.
#ifndef ZN_IO_SCHEMA_CONTOUR_H
#define ZN_IO_SCHEMA_CONTOUR_H

#include "io/schema.h"

/// {points: [[x, y], ...]}, {path: [{to: [x, y], radius: r}, ...]} or {file: part.dxf, scale: s}
typedef struct zn_contour_entry {
    const zn_yaml_node *points, *path;
    const char         *file, *layer;
    double              scale, rounding, tolerance;
    bool                open, hole;
} zn_contour_entry;

/// One step of a path.
typedef struct zn_path_entry {
    zn_vec3 to, through;
    double  radius;
} zn_path_entry;

/// {radius: expression}
typedef struct zn_cam_entry {
    const zn_yaml_node *radius;
    double              tolerance;
} zn_cam_entry;

/// {module: m, teeth: z}
typedef struct zn_gear_entry {
    double module, pressure_angle, backlash, addendum, dedendum, tolerance;
    int    teeth;
    bool   internal;
} zn_gear_entry;

extern const zn_schema zn_schema_contour, zn_schema_path, zn_schema_cam, zn_schema_gear;

#endif
