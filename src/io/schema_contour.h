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
    int                 around; ///< how often points or path come
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

/// One of them.
typedef struct zn_outline_entry {
    zn_contour_entry contour;
    zn_cam_entry     cam;
    zn_gear_entry    gear;
} zn_outline_entry;

extern const zn_schema zn_schema_contour, zn_schema_path, zn_schema_cam, zn_schema_gear;

void zn_outline_defaults(zn_outline_entry *entry);

/// Rows of a table whose struct has a zn_outline_entry `outline`.
#define ZN_OUTLINE_KEYS(type, of)                                                                                      \
    {"contour",                                                                                                        \
     ZN_KEY_OBJECT,                                                                                                    \
     .object = &zn_schema_contour,                                                                                     \
     FIELD(type, outline.contour),                                                                                     \
     .default_text = "none",                                                                                           \
     .help = "straight sides and arcs, in the plane" of},                                                              \
        {"cam",                                                                                                        \
         ZN_KEY_OBJECT,                                                                                                \
         .object = &zn_schema_cam,                                                                                     \
         FIELD(type, outline.cam),                                                                                     \
         .default_text = "none",                                                                                       \
         .help = "disc with a radius that depends on the angle, in the plane" of},                                     \
    {                                                                                                                  \
        "gear", ZN_KEY_OBJECT, .object = &zn_schema_gear, FIELD(type, outline.gear), .default_text = "none",           \
                               .help = "involute gear, in the plane" of                                                \
    }

#endif
