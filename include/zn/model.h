/// @file model.h
/// The editable description of a machine: nodes, bodies, elements, joints, loads and contacts, each with a name.
/// Units are SI throughout; angles are in radians. Fill a def from its default function, change what differs.
#ifndef ZN_MODEL_H
#define ZN_MODEL_H

#include "zn/math.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zn_model zn_model;

/// Ids are small values; a zeroed id is null (for an attachment: the ground).
typedef struct zn_node_id { int32_t value; } zn_node_id;

/// All names of a model share one space of names, so that "name.quantity" is never ambiguous.
typedef struct zn_model_def {
    bool    planar;  ///< nodes have two coordinates (and one angle); default false
    zn_vec3 gravity; ///< acceleration [m/s^2], world axes; z must be 0 in a planar model
    double  start;   ///< time of the initial state [s], where prescribed motion must match it; default 0
    zn_log  log;     ///< where messages about this model go; default silent
    int     cookie;  ///< set by the default function; do not touch
} zn_model_def;

ZN_API zn_model_def zn_model_def_default(void);
ZN_API zn_status    zn_model_create(const zn_model_def *def, zn_model **out);
ZN_API zn_model    *zn_model_destroy(zn_model *model); ///< accepts NULL, returns NULL
/// Check the model as a whole; every fault is logged with the name of its object. Returns ZN_ERR_MODEL if any.
ZN_API zn_status zn_model_validate(const zn_model *model);

// --- nodes ---------------------------------------------------------------------------------------

/// Configuration of one node. q: point2 (x, y), point3 (x, y, z), frame2 (x, y, unwrapped angle),
/// frame3 (x, y, z, unit quaternion body -> world, scalar first). v: the derivatives; for frame3 velocity in world
/// axes, then spin in body axes.
/// scalar: one generalized coordinate of a zn_lagrangian_def.
typedef enum zn_node_kind { ZN_POINT2, ZN_POINT3, ZN_FRAME2, ZN_FRAME3, ZN_SCALAR } zn_node_kind;

/// Bits of `fixed`: degrees of freedom that never move and leave the equations.
enum { ZN_FIX_X = 1, ZN_FIX_Y = 2, ZN_FIX_Z = 4, ZN_FIX_ROTATION = 8 };

typedef struct zn_node_def {
    const char  *name; ///< unique in the model; NULL: generated
    zn_node_kind kind;
    zn_vec3      origin;   ///< reference position: position = origin + (x, y, z) of q; keeps small displacements exact
    zn_vec3      position; ///< initial position [m], world axes
    double       angle;    ///< initial angle [rad], frame2
    zn_quat      rotation; ///< initial rotation, frame3
    zn_vec3      velocity; ///< initial [m/s], world axes
    zn_vec3      spin;     ///< initial [rad/s], body axes; planar: z
    unsigned     fixed;    ///< ZN_FIX_ bits
    int          cookie;
} zn_node_def;

ZN_API zn_node_def zn_node_def_default(void);
ZN_API zn_status   zn_model_add_node(zn_model *model, const zn_node_def *def, zn_node_id *out);
/// Null id when there is no node of that name.
ZN_API zn_node_id zn_model_find_node(const zn_model *model, const char *name);
/// True when any object (node, part, spring, joint, load, contact) has this name.
ZN_API bool zn_model_has_name(const zn_model *model, const char *name);

// --- bodies --------------------------------------------------------------------------------------

/// Point mass (inertia 0, no angle) or planar rigid body (inertia > 0, frame at the centre of mass).
typedef struct zn_body_def {
    const char *name;
    double      mass;     ///< [kg], > 0
    double      inertia;  ///< [kg m^2] about the centre of mass; 0: a point mass. Rigid bodies are planar.
    zn_vec3     position; ///< initial centre of mass [m]
    double      angle;    ///< initial [rad]; rigid bodies only
    zn_vec3     velocity; ///< initial [m/s]
    double      spin;     ///< initial [rad/s]; rigid bodies only
    unsigned    fixed;    ///< ZN_FIX_ bits
    int         cookie;
} zn_body_def;

ZN_API zn_body_def zn_body_def_default(void);
ZN_API zn_status   zn_model_add_body(zn_model *model, const zn_body_def *def, zn_node_id *out);

// --- points on nodes -----------------------------------------------------------------------------

/// A point carried by a node, or by the ground when `node` is null.
typedef struct zn_attachment {
    zn_node_id node;
    zn_vec3    at; ///< [m] in the axes of the node's body (frames), ignored must be 0 (points); world axes (ground)
} zn_attachment;

// --- springs and bars ----------------------------------------------------------------------------

/// Spring-damper between two points, geometrically nonlinear: force k (l - l0) + c dl/dt along the line.
typedef struct zn_spring_def {
    const char   *name;
    zn_attachment from, to;
    double        stiffness;   ///< k [N/m], >= 0
    double        damping;     ///< c [N s/m], >= 0
    double        rest_length; ///< l0 [m], >= 0; NaN (default): the initial length
    int           cookie;
} zn_spring_def;

ZN_API zn_spring_def zn_spring_def_default(void);
ZN_API zn_status     zn_model_add_spring(zn_model *model, const zn_spring_def *def);

typedef enum zn_mass_kind { ZN_MASS_CONSISTENT, ZN_MASS_LUMPED } zn_mass_kind;

/// Straight line of equal linear bar elements (small displacements; stiff along the line only). Creates the nodes
/// "name[0]" ... "name[elements]".
typedef struct zn_bar_def {
    const char  *name;
    zn_vec3      from, to; ///< ends of the undeformed bar [m]
    int          elements; ///< >= 1
    double       young;    ///< [Pa], > 0
    double       density;  ///< [kg/m^3], > 0
    double       area;     ///< [m^2], > 0
    zn_mass_kind mass;     ///< default consistent
    zn_vec3      velocity; ///< initial velocity of all nodes [m/s]
    unsigned     fixed;    ///< ZN_FIX_ bits of all nodes; ZN_FIX_Y | ZN_FIX_Z makes a bar along x one-dimensional
    int          cookie;
} zn_bar_def;

ZN_API zn_bar_def zn_bar_def_default(void);
ZN_API zn_status  zn_model_add_bar(zn_model *model, const zn_bar_def *def);

// --- loads ---------------------------------------------------------------------------------------

/// A function of time.
typedef struct zn_signal zn_signal;

ZN_API zn_status zn_signal_constant(double value, zn_signal **out);
/// Piecewise linear through (t[i], y[i]), t ascending; constant before the first and after the last.
ZN_API zn_status zn_signal_series(int count, const double *t, const double *y, zn_signal **out);
/// Expression of t and the named parameters. On an error `message` (size bytes) says what and where.
ZN_API zn_status zn_signal_expression(const char *text, int count, const char *const *names, const double *values,
                                      char *message, size_t size, zn_signal **out);
/// Any function. `destroy` (may be NULL) is called on `user` when the signal goes.
ZN_API zn_status  zn_signal_callback(double (*at)(void *user, double t), void *user, void (*destroy)(void *user),
                                     zn_signal **out);
ZN_API zn_signal *zn_signal_destroy(zn_signal *signal); ///< accepts NULL, returns NULL
ZN_API double     zn_signal_at(const zn_signal *signal, double t);
/// True when the signal has the same value at all times.
ZN_API bool zn_signal_is_constant(const zn_signal *signal);

/// Force at a point, world axes, and (planar frames) a torque. The model takes the signals over, even on failure.
typedef struct zn_force_def {
    const char   *name;
    zn_attachment point;    ///< not the ground
    zn_signal    *force[3]; ///< [N] world x, y, z; NULL: zero
    zn_signal    *torque;   ///< [N m] about z; frame2 only; NULL: zero
    int           cookie;
} zn_force_def;

ZN_API zn_force_def zn_force_def_default(void);
ZN_API zn_status    zn_model_add_force(zn_model *model, const zn_force_def *def);

/// Uniform acceleration field, added to gravity, on named bodies and bars. Signals as in zn_force_def.
typedef struct zn_acceleration_def {
    const char        *name;
    int                part_count; ///< 0: everything
    const char *const *parts;
    zn_signal         *acceleration[3]; ///< [m/s^2] world x, y, z; NULL: zero
    int                cookie;
} zn_acceleration_def;

ZN_API zn_acceleration_def zn_acceleration_def_default(void);
ZN_API zn_status           zn_model_add_acceleration(zn_model *model, const zn_acceleration_def *def);

// --- joints --------------------------------------------------------------------------------------

/// Equations, in the order of their numbers. Those marked * hold as at the start, whatever that is.
typedef enum zn_joint_kind {
    ZN_JOINT_FIXED,     ///< the points coincide along x, y; equal angle*
    ZN_JOINT_REVOLUTE,  ///< the points coincide along x, y
    ZN_JOINT_PRISMATIC, ///< no motion across the axis*; equal angle*
    ZN_JOINT_ROD,       ///< distance of the points = length
    ZN_JOINT_COUPLING,  ///< sum of factor * degree of freedom, of two*: gears, racks
    ZN_JOINT_MOTION     ///< degree of freedom = motion(t)
} zn_joint_kind;

/// Degrees of freedom by name: position in world axes [m], unwrapped angle [rad] (planar frames). The coordinate of a
/// scalar node is its x.
typedef enum zn_coordinate {
    ZN_COORDINATE_X,
    ZN_COORDINATE_Y,
    ZN_COORDINATE_Z,
    ZN_COORDINATE_ANGLE
} zn_coordinate;

typedef struct zn_joint_dof {
    zn_node_id    node; ///< not the ground
    zn_coordinate coordinate;
    double        factor; ///< coupling only; not 0
} zn_joint_dof;

/// Bilateral constraint between two bodies, or a body and the ground. Fixed, revolute and prismatic joints are planar.
typedef struct zn_joint_def {
    const char   *name;
    zn_joint_kind kind;
    zn_attachment a;      ///< fixed, revolute, prismatic, rod: not the ground
    zn_attachment b;      ///< at is NaN (default): the point that coincides with a at the start; rod: the centre
    zn_vec3       axis;   ///< prismatic: in the axes of b, any length > 0
    double        length; ///< rod [m], > 0; NaN (default): the initial distance
    zn_joint_dof  dof[2]; ///< coupling: both; motion: the first
    zn_signal    *motion; ///< motion [m or rad]: absolute value; the model takes it over, even on failure
    int           cookie;
} zn_joint_def;

ZN_API zn_joint_def zn_joint_def_default(void);
/// zn_model_validate checks that each equation holds in the initial configuration within 1e-9 m or rad.
ZN_API zn_status zn_model_add_joint(zn_model *model, const zn_joint_def *def);

// --- contacts ------------------------------------------------------------------------------------

/// What a point cannot enter.
typedef enum zn_surface_kind {
    ZN_SURFACE_PLANE,  ///< the half-space { x : normal . (x - through) >= 0 } is free
    ZN_SURFACE_CIRCLE, ///< the outside of a circle is free (in space: a sphere)
    ZN_SURFACE_HOLE,   ///< the inside of a circle is free: clearance of a journal
    ZN_SURFACE_SLOT    ///< between two sides: contact number 0 left of the axis, 1 right of it; planar
} zn_surface_kind;

/// A point, or a circle around it, against a surface carried by a body or the ground. Vectors of the surface are in
/// the axes of its body.
typedef struct zn_contact_def {
    const char     *name;
    zn_attachment   point;          ///< not the ground
    zn_vec3         normal;         ///< plane: out of the obstacle, any length > 0
    zn_vec3         through;        ///< plane: a point of the boundary; circle, hole: the centre; slot: a point of its
                                    ///< axis [m]
    double          restitution;    ///< e_N in [0, 1], default 0
    double          radius;         ///< of the point [m], >= 0, default 0
    zn_node_id      surface_node;   ///< carries the surface; null: the ground
    zn_surface_kind surface;        ///< default plane
    double          surface_radius; ///< circle, hole [m], > 0; a hole is larger than the point
    zn_vec3         axis;           ///< slot: any length > 0
    double          width;          ///< slot [m], larger than the point
    double          friction;       ///< mu, >= 0, default 0
    double          tangential_restitution; ///< e_T in [-1, 1], default 0; acts with friction only
    int             cookie;
} zn_contact_def;

ZN_API zn_contact_def zn_contact_def_default(void);
ZN_API zn_status      zn_model_add_contact(zn_model *model, const zn_contact_def *def);

// --- evaluation: what elements and the compiled system exchange -----------------------------------

/// Where forces, energies and operators are evaluated.
typedef struct zn_at {
    const double *q, *v;
    double        t;
} zn_at;

typedef struct zn_energy { double kinetic, strain, gravity; } zn_energy;      ///< [J]
typedef struct zn_power { double strain, gravity, load, damper, gyroscopic; } zn_power; ///< [W], of each kind of force

// --- systems in minimal coordinates --------------------------------------------------------------

/// Equations given by functions:  M(q) v' = f(t, q, v) - dV/dq + n(q, v) + G' lambda.  All matrices are n x n,
/// row-major. A function returns ZN_OK or says why it cannot be evaluated. Coordinates are named "name[0]" ...
typedef struct zn_lagrangian_def {
    const char   *name;
    int           n;  ///< coordinates, 1 to 64
    const double *q0; ///< initial coordinates, n
    const double *v0; ///< initial velocities, n; NULL: at rest
    void         *user; ///< handed to every function
    void (*destroy)(void *user); ///< called when the model goes, also when adding fails; NULL: `user` is borrowed
    zn_status (*mass)(void *user, const double *q, double *M);                         ///< symmetric, positive definite
    zn_status (*potential)(void *user, const double *q, double *V, double *f);         ///< V and f = -dV/dq; may be NULL
    zn_status (*gyroscopic)(void *user, const double *q, const double *v, double *f);  ///< inertia forces n; may be NULL
    zn_status (*force)(void *user, double t, const double *q, const double *v, double *f); ///< applied; may be NULL
    /// K = -df/dq and C = -df/dv of the sum of all forces; NULL: by finite differences.
    zn_status (*tangent)(void *user, double t, const double *q, const double *v, double *K, double *C);
    int                contacts;      ///< unilateral constraints
    const char *const *contact_names; ///< NULL: generated
    const double      *restitution;   ///< one per contact; NULL: 0
    const double      *friction;      ///< one per contact; NULL: 0. Needs the tangent row.
    /// Gap, its gradient and the row of the sliding velocity (`tangent` is NULL without friction).
    zn_status (*contact)(void *user, int i, const double *q, double *gap, double *normal, double *tangent);
    int joints; ///< bilateral constraints
    /// Value, gradient and rate dg/dt at fixed q.
    zn_status (*joint)(void *user, int i, double t, const double *q, double *g, double *row, double *rate);
    int cookie;
} zn_lagrangian_def;

ZN_API zn_lagrangian_def zn_lagrangian_def_default(void);
ZN_API zn_status         zn_model_add_lagrangian(zn_model *model, const zn_lagrangian_def *def);

/// Systems that come compiled in; a model file names one by its word and gives numbers for its parameters.
typedef struct zn_code_parameter {
    const char *name;
    double      standard; ///< used when the model file does not give it
    const char *unit, *help;
} zn_code_parameter;

typedef struct zn_code_system {
    const char              *word, *help;
    int                      parameters;
    const zn_code_parameter *parameter;
    zn_status (*add)(zn_model *model, const char *name, const double *values); ///< values: one per parameter
} zn_code_system;

ZN_API int                   zn_code_system_count(void);
ZN_API const zn_code_system *zn_code_system_at(int index);

#ifdef __cplusplus
}
#endif
#endif
