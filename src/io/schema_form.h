/// The forms that shapes and bodies have in a model file, and their tables.
#ifndef ZN_IO_SCHEMA_FORM_H
#define ZN_IO_SCHEMA_FORM_H

#include "io/schema.h"

/// {radius: r, length: l, axis: [x, y, z]}: a capsule or a cylinder
typedef struct zn_rod_entry {
    double  radius, length;
    zn_vec3 axis; ///< zero: not given
} zn_rod_entry;

/// {file: part.stl, scale: 0.001}, {points: [...]}: a mesh or a hull
typedef struct zn_skin_entry {
    const char         *file, *group;
    double              scale; ///< 0: not given
    const zn_yaml_node *points;
} zn_skin_entry;

/// One of them.
typedef struct zn_form_entry {
    double        sphere;
    zn_vec3       box;
    zn_rod_entry  capsule, cylinder;
    zn_skin_entry hull, mesh;
} zn_form_entry;

extern const zn_schema zn_schema_capsule_shape, zn_schema_cylinder_shape, zn_schema_hull_shape, zn_schema_mesh_shape;

/// Rows of a table whose struct has a zn_form_entry `form`.
#define ZN_FORM_KEYS(type, of)                                                                                         \
    {"sphere",                                                                                                         \
     ZN_KEY_NUMBER,                                                                                                    \
     .dimension = ZN_DIM_LENGTH,                                                                                       \
     .range = {0, INFINITY, true},                                                                                     \
     FIELD(type, form.sphere),                                                                                         \
     .default_text = "none",                                                                                           \
     .help = "radius of a sphere; in the plane: of a disc" of},                                                        \
        {"box",                                                                                                        \
         ZN_KEY_VECTOR,                                                                                                \
         OWN_AXES,                                                                                                     \
         .dimension = ZN_DIM_LENGTH,                                                                                   \
         .range = {0, INFINITY, true},                                                                                 \
         FIELD(type, form.box),                                                                                        \
         .default_text = "none",                                                                                       \
         .help = "sides of a box; in the plane: of a rectangle" of},                                                   \
        {"capsule", ZN_KEY_OBJECT, .object = &zn_schema_capsule_shape, FIELD(type, form.capsule),                      \
         .help = "all that is near a straight line" of},                                                               \
        {"cylinder", ZN_KEY_OBJECT, .object = &zn_schema_cylinder_shape, FIELD(type, form.cylinder),                   \
         .help = "in space" of},                                                                                       \
        {"hull", ZN_KEY_OBJECT, .object = &zn_schema_hull_shape, FIELD(type, form.hull),                               \
         .help = "convex hull of points, in space" of},                                                                \
    {                                                                                                                  \
        "mesh", ZN_KEY_OBJECT, .object = &zn_schema_mesh_shape, FIELD(type, form.mesh),                                \
                               .help = "closed surface of triangles, in space" of                                      \
    }

#endif
