/// The structs of solid parts and pressure loads in a model file, and their tables.
#ifndef ZN_IO_SCHEMA_SOLID_H
#define ZN_IO_SCHEMA_SOLID_H

#include "io/schema.h"

typedef struct zn_box_entry {
    zn_vec3 from, to, elements;
    int     shape;
} zn_box_entry;

/// {angle: a, half_angle: b, elements: n}
typedef struct zn_sector_entry {
    double angle, half_angle;
    int    elements;
} zn_sector_entry;

typedef struct zn_ring_entry {
    zn_vec3         centre, elements;
    double          radius, thickness, grading;
    zn_sector_entry fine;
} zn_ring_entry;

typedef struct zn_disc_entry {
    zn_vec3 centre;
    double  radius;
    int     elements;
} zn_disc_entry;

typedef struct zn_graded_disc_entry {
    zn_vec3 centre, elements;
    double  radius, grading, angle;
} zn_graded_disc_entry;

typedef struct zn_ball_entry {
    zn_vec3 centre;
    double  radius;
    int     elements, shape;
} zn_ball_entry;

typedef struct zn_mesh_entry {
    zn_box_entry         box, rectangle;
    zn_ring_entry        ring;
    zn_disc_entry        disc;
    zn_graded_disc_entry graded_disc;
    zn_ball_entry        ball;
    const char          *file;
    zn_reference         group;
    bool                 apart;
} zn_mesh_entry;

typedef struct zn_damping_entry {
    double mass, stiffness;
} zn_damping_entry;

typedef struct zn_solid_entry {
    int                 element;
    zn_reference        material;
    zn_mesh_entry       mesh;
    double              angle;
    zn_quat             rotation;
    zn_damping_entry    damping;
    const zn_yaml_node *fix, *velocity;
    zn_solid_def        def;
} zn_solid_entry;

/// {part: name, face: set, value: signal}
typedef struct zn_pressure_entry {
    zn_reference part, face;
    zn_signal   *value;
    bool         follower;
} zn_pressure_entry;

extern const zn_schema zn_schema_solid, zn_schema_mesh, zn_schema_box, zn_schema_rectangle, zn_schema_ring,
    zn_schema_sector, zn_schema_disc, zn_schema_graded_disc, zn_schema_ball, zn_schema_solid_damping,
    zn_schema_pressure;

#endif
