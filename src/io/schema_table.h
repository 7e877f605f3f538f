/// The structs a model file is read into, and the tables that say how. The tables are the model language: reader,
/// checks and manual follow them.
#ifndef ZN_IO_SCHEMA_TABLE_H
#define ZN_IO_SCHEMA_TABLE_H

#include "io/schema.h"
#include "zn/sim.h"

typedef struct zn_spring_entry {
    zn_reference  from, to;
    zn_spring_def def;
} zn_spring_entry;

typedef struct zn_material_entry {
    double young, poisson, density;
} zn_material_entry;

typedef struct zn_part_entry {
    int          element;
    zn_reference material;
    zn_bar_def   def;
} zn_part_entry;

typedef struct zn_load_entry {
    zn_reference  body;
    zn_vec3       at;
    zn_signal    *force[3];
    zn_signal    *torque;
    zn_signal    *acceleration[3];
    zn_references on;
} zn_load_entry;

/// {csv: file, column: n}
typedef struct zn_series_entry {
    const char *csv;
    int         column;
} zn_series_entry;

/// {axis: [1, 0], width: w}
typedef struct zn_slot_entry {
    zn_vec3 axis;
    double  width;
} zn_slot_entry;

typedef struct zn_surface_entry {
    zn_reference  body;
    zn_vec3       at, plane;
    double        circle, hole;
    zn_slot_entry slot;
} zn_surface_entry;

typedef struct zn_contact_entry {
    zn_reference     point;
    zn_surface_entry surface;
    zn_contact_def   def;
} zn_contact_entry;

typedef struct zn_joint_entry {
    zn_reference        body, to;
    const zn_yaml_node *dofs;
    zn_signal          *motion[4]; ///< of x, y, z, angle
    zn_joint_def        def;
} zn_joint_entry;

/// {code: word, parameters: {name: number}}
typedef struct zn_system_entry {
    zn_reference        code;
    const zn_yaml_node *values;
} zn_system_entry;

typedef struct zn_run_entry {
    const zn_yaml_node *scheme;
    zn_sim_def          sim;
} zn_run_entry;

/// The file as a whole. Sections stay nodes until they are bound to the model.
typedef struct zn_file_entry {
    int                 version;
    const char         *title;
    bool                planar;
    zn_vec3             gravity;
    const zn_yaml_node *parameters, *bodies, *springs, *materials, *parts, *systems, *joints, *loads, *contacts, *record,
        *reference;
    zn_run_entry        run;
} zn_file_entry;

extern const zn_schema zn_schema_file, zn_schema_body, zn_schema_spring, zn_schema_material, zn_schema_part,
    zn_schema_joint, zn_schema_load, zn_schema_series, zn_schema_contact, zn_schema_surface, zn_schema_slot,
    zn_schema_limits, zn_schema_run, zn_schema_scheme, zn_schema_system;

/// All tables in the order of the manual.
extern const zn_schema *const zn_schemas[];
extern const int              zn_schema_count;

#endif
