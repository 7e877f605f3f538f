/// The structs a model file is read into, and the tables that say how. The tables are the model language: reader,
/// checks and manual follow them.
#ifndef ZN_IO_SCHEMA_TABLE_H
#define ZN_IO_SCHEMA_TABLE_H

#include "io/schema.h"
#include "io/schema_shape.h"
#include "io/schema_draw.h"
#include "io/schema_group.h"
#include "io/schema_solid.h"
#include "io/schema_spring.h"
#include "zn/sim.h"

/// {axis: [0, 0, 1], angle: 30 deg}
typedef struct zn_turn_entry {
    zn_vec3 axis;
    double  angle;
} zn_turn_entry;

/// {box: [a, b, c]}
typedef struct zn_corners_entry {
    zn_vec3 box;
    double  share;
} zn_corners_entry;

/// Of a body from CAD.
typedef struct zn_cad_entry {
    const char  *file;
    zn_reference solid;
    double       density;
    zn_vec3      origin;
} zn_cad_entry;

typedef struct zn_body_entry {
    zn_mat3             inertia;
    zn_vec3             spin;
    zn_corners_entry    corners;
    zn_lattice_entry    lattice;
    zn_form_entry       form;
    zn_outline_entry    outline;
    const char         *material; ///< of its own shape
    double              thickness;
    const zn_yaml_node *draw;
    zn_cad_entry        cad;
    zn_body_def         def;
} zn_body_entry;

typedef struct zn_point_entry {
    zn_reference body;
    zn_point_def def;
} zn_point_entry;

typedef struct zn_span_entry {
    zn_reference from, to, axes;
    zn_span_def  def;
} zn_span_entry;

typedef struct zn_material_entry {
    double               young, poisson, density;
    zn_material_pair_def law; ///< of a pair of materials
} zn_material_entry;

/// {width: w, height: h}, {radius: r}, each with a thickness, or {area: a, ...}; zero: not given
typedef struct zn_section_entry {
    double          width, height, radius, thickness;
    zn_beam_section own;
} zn_section_entry;

/// {radius: r, angle: a}
typedef struct zn_arc_entry {
    double  radius, angle;
    zn_vec3 tangent, axis;
} zn_arc_entry;

typedef struct zn_part_entry {
    int              element;
    zn_reference     material;
    zn_bar_def       def; ///< beams take what they share from it
    zn_section_entry section;
    zn_arc_entry     arc;
    zn_vec3          y_axis;
    unsigned         fix_first, fix_last;
    zn_beam_theory   theory;
    zn_reference     first_node, last_node;
    zn_damping_entry damping;
} zn_part_entry;

typedef struct zn_load_entry {
    zn_reference      body;
    zn_vec3           at;
    zn_signal        *force[3];
    zn_signal        *torque;
    zn_signal        *moment[3];
    bool              follower;
    zn_signal        *acceleration[3];
    zn_references     on;
    zn_pressure_entry pressure;
} zn_load_entry;

typedef struct zn_motor_entry {
    zn_reference joint, body, to;
    zn_vec3      axis;
    zn_motor_def def;
} zn_motor_entry;

typedef struct zn_state_entry {
    const zn_yaml_node *rate;
    double              start;
} zn_state_entry;

typedef struct zn_control_entry {
    const zn_yaml_node *value, *lever;
    zn_control_def      def;
} zn_control_entry;

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

/// {length: l, breadth: b, along: [1, 0, 0], depth: d}
typedef struct zn_bounds_entry {
    double  length, breadth, depth;
    zn_vec3 along;
} zn_bounds_entry;

/// {axis: [0, 0, 1], radius: r, length: l, taper: a, depth: d}
typedef struct zn_cylinder_entry {
    zn_vec3 axis;
    double  radius, length, depth, taper;
} zn_cylinder_entry;

/// {axis: [0, 0, 1], radius: r, ring: true}
typedef struct zn_rim_entry {
    zn_vec3 axis;
    double  radius;
    bool    ring;
} zn_rim_entry;

/// {body: name, at: [0, 0, 0], axis: [0, 0, 1], radius: r, length: l}
typedef struct zn_pin_entry {
    zn_reference body;
    zn_vec3      at, axis;
    double       radius, length;
} zn_pin_entry;

typedef struct zn_surface_entry {
    zn_reference      body, part, face, shape;
    zn_vec3           at, plane;
    double            circle, hole, reach;
    zn_slot_entry     slot;
    zn_bounds_entry   bounds;
    zn_cylinder_entry cylinder, bore;
} zn_surface_entry;

typedef struct zn_contact_entry {
    zn_reference        point, points;
    zn_references       between, against, surfaces;
    const zn_yaml_node *except;
    bool                joined;
    double              reach;
    zn_surface_entry    surface;
    zn_rim_entry        rim;
    zn_pin_entry        pin, hole;
    zn_contact_def      def;
} zn_contact_entry;

typedef struct zn_joint_entry {
    zn_reference        body, to;
    const zn_yaml_node *dofs;
    zn_signal          *motion[4]; ///< of x, y, z, angle
    zn_signal          *displacement;
    const zn_yaml_node *limits, *start, *dry_friction, *stiffness, *damping, *rest,
        *joints; ///< their units depend on the type
    zn_joint_def def;
    zn_play_def  play; ///< where def.play points when it is given
} zn_joint_entry;

/// {code: word, parameters: {name: number}}
typedef struct zn_system_entry {
    zn_reference        code;
    const zn_yaml_node *values;
} zn_system_entry;

typedef struct zn_run_entry {
    const zn_yaml_node *scheme;
    zn_when_entry       start;
    zn_step_entry       step;
    zn_sim_def          sim;
} zn_run_entry;

/// The file as a whole. Sections stay nodes until they are bound to the model.
typedef struct zn_file_entry {
    int                 version;
    const char         *title;
    bool                planar;
    zn_vec3             gravity;
    const zn_yaml_node *parameters, *bodies, *springs, *materials, *parts, *systems, *joints, *loads, *shapes,
        *contacts, *points, *spans, *motors, *states, *controls, *record, *reference, *include, *groups;
    zn_run_entry run;
} zn_file_entry;

extern const zn_schema zn_schema_file, zn_schema_body, zn_schema_material, zn_schema_part, zn_schema_joint,
    zn_schema_load, zn_schema_series, zn_schema_contact, zn_schema_surface, zn_schema_slot, zn_schema_bounds,
    zn_schema_limits, zn_schema_run, zn_schema_scheme, zn_schema_system;
extern const zn_schema zn_schema_cylinder, zn_schema_rim, zn_schema_pin, zn_schema_static, zn_schema_play,
    zn_schema_point, zn_schema_span, zn_schema_motor, zn_schema_state, zn_schema_control;
extern const zn_schema zn_schema_turn, zn_schema_corners;
extern const zn_schema zn_schema_section, zn_schema_arc;

/// All tables in the order of the manual.
extern const zn_schema *const zn_schemas[];
extern const int              zn_schema_count;

#endif
