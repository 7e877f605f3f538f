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

/// A function of time: load.h.
typedef struct zn_signal zn_signal;

/// Ids are small values; a zeroed id is null (for an attachment: the ground).
typedef struct zn_node_id {
    int32_t value;
} zn_node_id;

/// All names of a model share one space of names, so that "name.quantity" is never ambiguous.
typedef struct zn_model_def {
    size_t  size;    ///< set by the default function; do not touch
    bool    planar;  ///< nodes have two coordinates (and one angle); default false
    zn_vec3 gravity; ///< acceleration [m/s^2], world axes; z must be 0 in a planar model
    double  start;   ///< time of the initial state [s], where prescribed motion must match it; default 0
    zn_log  log;     ///< where messages about this model go; default silent
    /// Told, with the user of the log, from which origin (zn_model_set_origin) the object comes that messages are about
    /// from here on; 0: from none. NULL (default): nobody is told.
    void (*locate)(void *user, int origin);
} zn_model_def;

ZN_DECLARE_DEF(zn_model_def);
ZN_API zn_status zn_model_create(const zn_model_def *def, zn_model **out);
ZN_API zn_model *zn_model_destroy(zn_model *model); ///< accepts NULL, returns NULL
/// Objects added from here on come from `origin`, a number > 0 of the caller's such as that of a place in a file; 0:
/// they have none. Messages about them, now and when the model is checked, come after zn_model_def.locate with that
/// number.
ZN_API void      zn_model_set_origin(zn_model *model, int origin);
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
    size_t       size; ///< set by the default function; do not touch
    const char  *name; ///< unique in the model; NULL: generated
    zn_node_kind kind;
    zn_vec3      origin;   ///< reference position: position = origin + (x, y, z) of q; keeps small displacements exact
    zn_vec3      position; ///< initial position [m], world axes
    double       angle;    ///< initial angle [rad], frame2
    zn_quat      rotation; ///< initial rotation, frame3
    zn_vec3      velocity; ///< initial [m/s], world axes
    zn_vec3      spin;     ///< initial [rad/s], body axes; planar: z
    unsigned     fixed;    ///< ZN_FIX_ bits
} zn_node_def;

ZN_DECLARE_DEF(zn_node_def);
ZN_API zn_status  zn_model_add_node(zn_model *model, const zn_node_def *def, zn_node_id *out);
/// Null id when there is no node of that name.
ZN_API zn_node_id zn_model_find_node(const zn_model *model, const char *name);
/// True when any object (node, part, spring, joint, load, contact) has this name.
ZN_API bool       zn_model_has_name(const zn_model *model, const char *name);

// --- bodies --------------------------------------------------------------------------------------

/// Point mass (no inertia, no rotation) or rigid body with its frame at the centre of mass. A planar rigid body has
/// `inertia`, `angle` and `spin`; one in space has `inertia3`, `rotation` and `spin3`.
typedef struct zn_body_def {
    size_t      size; ///< set by the default function; do not touch
    const char *name;
    double      mass;     ///< [kg], > 0
    double      inertia;  ///< planar: [kg m^2] about the centre of mass; 0: a point mass
    zn_vec3     position; ///< initial centre of mass [m]
    double      angle;    ///< planar: initial [rad]
    zn_vec3     velocity; ///< initial [m/s]
    double      spin;     ///< planar: initial [rad/s]
    unsigned    fixed;    ///< ZN_FIX_ bits
    zn_mat3     inertia3; ///< in space: [kg m^2] about the centre of mass, body axes, symmetric positive definite, no
                          ///< principal moment above the sum of the others; all 0: a point mass
    zn_quat     rotation; ///< in space: initial, body to world; default none
    zn_vec3     spin3;    ///< in space: initial [rad/s], body axes
} zn_body_def;

ZN_DECLARE_DEF(zn_body_def);
ZN_API zn_status zn_model_add_body(zn_model *model, const zn_body_def *def, zn_node_id *out);

/// Rigid box in space whose eight corners are nodes of their own, "name[0]" ... "name[7]" (bits of the number: side
/// +x, +y, +z), tied to its frame "name" by three equations each, joints "name_tie[0]" ...: for contacts at nodes that
/// follow a rigid body through bilateral constraints. Mass and inertia are those of the whole: the corners take a share
/// of them from the frame.
typedef struct zn_tied_body_def {
    size_t      size;  ///< set by the default function; do not touch
    zn_body_def body;  ///< inertia3 all 0: homogeneous
    zn_vec3     box;   ///< sides along the body axes [m], > 0; the centre of mass is in the middle
    double      share; ///< of the mass at the corners, in (0, 1), for a homogeneous box below 1/3; default 0.01. The
                       ///< exact motion does not depend on it; a scheme of first order loses energy in the ties in
                       ///< proportion to it.
} zn_tied_body_def;

ZN_DECLARE_DEF_WITH(zn_tied_body_def, body);
ZN_API zn_status zn_model_add_tied_body(zn_model *model, const zn_tied_body_def *def, zn_node_id *out);

// --- points on nodes -----------------------------------------------------------------------------

/// A point carried by a node, or by the ground when `node` is null.
typedef struct zn_attachment {
    zn_node_id node;
    zn_vec3    at; ///< [m] in the axes of the node's body (frames), ignored must be 0 (points); world axes (ground)
} zn_attachment;

/// A name for a carried point: records and feedback find it, springs and loads may hold on to it.
typedef struct zn_point_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    zn_attachment point;
} zn_point_def;

ZN_DECLARE_DEF(zn_point_def);
ZN_API zn_status zn_model_add_point(zn_model *model, const zn_point_def *def);
/// False when there is no point of that name.
ZN_API bool      zn_model_find_point(const zn_model *model, const char *name, zn_attachment *out);

/// The way from one point to another, for records and feedback: its length, and its components in the axes of the world
/// or of a body.
typedef struct zn_span_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    zn_attachment from, to; ///< different points, one of them not of the ground
    zn_node_id    axes;     ///< a frame whose axes components are in, with rates as seen by it; null: world axes
} zn_span_def;

ZN_DECLARE_DEF(zn_span_def);
ZN_API zn_status zn_model_add_span(zn_model *model, const zn_span_def *def);

// --- bars ----------------------------------------------------------------------------------------

typedef enum zn_mass_kind { ZN_MASS_CONSISTENT, ZN_MASS_LUMPED } zn_mass_kind;

/// Straight line of equal linear bar elements (small displacements; stiff along the line only). Creates the nodes
/// "name[0]" ... "name[elements]".
typedef struct zn_bar_def {
    size_t       size; ///< set by the default function; do not touch
    const char  *name;
    zn_vec3      from, to;     ///< ends of the undeformed bar [m]
    int          elements;     ///< >= 1
    double       young;        ///< [Pa], > 0
    double       density;      ///< [kg/m^3], > 0
    double       area;         ///< [m^2], > 0
    zn_mass_kind mass;         ///< default consistent
    zn_vec3      velocity;     ///< initial velocity of all nodes [m/s]
    unsigned     fixed;        ///< ZN_FIX_ bits of all nodes; ZN_FIX_Y | ZN_FIX_Z makes a bar along x one-dimensional
    double       mass_damping; ///< alpha [1/s], >= 0: damping force -(alpha M + beta K) v
    double       stiffness_damping;     ///< beta [s], >= 0
    zn_node_id   first_node, last_node; ///< nodes of others at `from` and `to` to use as ends; null: made here
} zn_bar_def;

ZN_DECLARE_DEF(zn_bar_def);
ZN_API zn_status zn_model_add_bar(zn_model *model, const zn_bar_def *def);

// --- beams ---------------------------------------------------------------------------------------

/// general: nothing is known but the numbers.
typedef enum zn_section_shape { ZN_SECTION_GENERAL, ZN_SECTION_RECTANGLE, ZN_SECTION_CIRCLE } zn_section_shape;

/// Cross section of a beam. The section's y axis is the direction of `height`, z that of `width`; planar beams bend in
/// the plane of x and y, so they need area, shear_y and moment_z only. Fill by hand or by a function below.
typedef struct zn_beam_section {
    double area;                         ///< [m^2], > 0
    double shear_y, shear_z;             ///< areas effective in shear [m^2]; 0: 5/6 of the area
    double moment_y, moment_z;           ///< second moments of area about y and z [m^4], > 0
    double torsion;                      ///< torsion constant [m^4], > 0; spatial beams
    double rotary_x, rotary_y, rotary_z; ///< rotary inertia per length and density [m^4]; 0: moment_y + moment_z,
                                         ///< moment_y, moment_z; about y and z 0 in Euler-Bernoulli beams
    zn_section_shape shape;              ///< for pictures only, as what follows; default general
    double           height, width; ///< outer sides along y and z, of a circle its diameter [m], > 0; general: unused
    double           thickness;     ///< of the wall [m]; 0: solid
} zn_beam_section;

/// Shear areas after Cowper with Poisson's ratio 0 (rectangle 5/6, circle 6/7); thickness 0: solid.
ZN_API zn_beam_section zn_beam_section_rectangle(double width, double height, double thickness);
ZN_API zn_beam_section zn_beam_section_circle(double radius, double thickness);

/// exact: any displacement and rotation. The others are linear, for small displacements and rotations (a few hundredths
/// of a radian): Timoshenko with shear, Euler-Bernoulli without. Rotations of their nodes are rotation vectors, which
/// add.
typedef enum zn_beam_theory { ZN_BEAM_EXACT, ZN_BEAM_TIMOSHENKO, ZN_BEAM_EULER_BERNOULLI } zn_beam_theory;

/// Geometrically exact beam (axial force, shear, torsion, bending; any displacement and rotation, small strains), as a
/// line of equal two-node elements. Creates the nodes "name[0]" ... "name[elements]", frames whose x axis is the axis
/// of the undeformed beam. That configuration is free of stress. Linear beams are straight and their frames have world
/// axes, so that beams of any direction can share a node: one that exists may serve as an end, and keeps its own name
/// beside "name[0]" or "name[elements]".
typedef struct zn_beam_def {
    size_t          size; ///< set by the default function; do not touch
    const char     *name;
    zn_vec3         from, to; ///< ends of the undeformed beam [m]
    double          radius;   ///< of a circular arc from `from`, in place of `to` [m]; 0 (default): straight
    double          angle;    ///< of the arc [rad], positive about `arc_axis`, not 0
    zn_vec3         tangent;  ///< of the arc at `from`, any length; default x
    zn_vec3         arc_axis; ///< of the arc, made perpendicular to the tangent; default z, planar: z
    zn_vec3         y_axis; ///< of the section at `from`, made perpendicular to the beam; 0 (default): in the plane of
                            ///< the arc, or horizontal (perpendicular to z; y for a beam along z). Spatial beams
    int             elements;      ///< >= 1
    double          young;         ///< [Pa], > 0
    double          poisson;       ///< > -1, default 0; gives the shear modulus
    double          shear_modulus; ///< [Pa], > 0; NaN (default): young / (2 (1 + poisson))
    double          density;       ///< [kg/m^3], > 0
    zn_beam_section section;
    zn_mass_kind    mass;             ///< of translations and rotations; default consistent
    zn_vec3         velocity;         ///< initial velocity of all nodes [m/s]
    unsigned        fixed;            ///< ZN_FIX_ bits of all nodes
    unsigned        fix_first;        ///< of name[0]: clamped by all bits, hinged in the plane by ZN_FIX_X | ZN_FIX_Y
    unsigned        fix_last;         ///< of name[elements]
    zn_beam_theory  theory;           ///< default exact
    zn_node_id first_node, last_node; ///< frames at `from` and `to` to use as ends; null: made here. Of an exact beam
                                      ///< in space with the axes of its section there
    double     mass_damping;          ///< linear beams: alpha [1/s], >= 0: damping force -(alpha M + beta K) v
    double     stiffness_damping;     ///< linear beams: beta [s], >= 0
} zn_beam_def;

ZN_DECLARE_DEF(zn_beam_def);
ZN_API zn_status zn_model_add_beam(zn_model *model, const zn_beam_def *def);

// --- meshes and solids ---------------------------------------------------------------------------

/// Elements of solids. Planar: quad4, counter-clockwise. Spatial: tet4 (nodes 0, 1, 2 counter-clockwise seen from 3)
/// and hex8 (0 to 3 counter-clockwise seen from 4 to 7, which lie above them).
typedef enum zn_solid_shape { ZN_QUAD4, ZN_TET4, ZN_HEX8 } zn_solid_shape;

/// Nodes of a mesh that have a name: a face, an edge, a group.
typedef struct zn_mesh_set {
    char *name;
    int   count;
    int  *nodes; ///< numbers from 0
} zn_mesh_set;

/// Nodes and elements of one shape. Fill it by hand, or let one of the functions below make it.
typedef struct zn_mesh {
    zn_solid_shape shape;
    int            node_count;
    zn_vec3       *nodes; ///< reference positions [m]; z = 0 in the plane
    int            element_count;
    int           *elements; ///< numbers of the nodes, from 0: 4 or 8 for each element
    int            set_count;
    zn_mesh_set   *sets;
} zn_mesh;

/// Box of hex8 or of tet4 (six for each cell), sets xmin, xmax, ymin, ymax, zmin, zmax, surface. Node
/// i + (nx + 1)(j + (ny + 1) k).
ZN_API zn_status zn_mesh_box(zn_vec3 from, zn_vec3 to, const int elements[3], zn_solid_shape shape, zn_mesh **out);
/// Rectangle of quad4, sets xmin, xmax, ymin, ymax, surface.
ZN_API zn_status zn_mesh_rectangle(zn_vec3 from, zn_vec3 to, const int elements[2], zn_mesh **out);
/// Circular ring of quad4, elements[0] around and elements[1] across; sets inner and outer. `radius` is the outer one.
/// grading > 0: size of the outermost element over that of the innermost, in equal ratios.
ZN_API zn_status zn_mesh_ring(zn_vec3 centre, double radius, double thickness, const int elements[2], double grading,
                              zn_mesh **out);
/// The same with elements of two sizes: elements[0] of them in the sector within half_angle of `angle` (0: the x axis),
/// elements[1] over the rest, elements[2] across.
ZN_API zn_status zn_mesh_fine_ring(zn_vec3 centre, double radius, double thickness, const int elements[3], double angle,
                                   double half_angle, double grading, zn_mesh **out);
/// Disc of quad4: a square of n x n in the middle, (n + 1)/2 rings around it; set outer (4 n nodes).
ZN_API zn_status zn_mesh_disc(zn_vec3 centre, double radius, int n, zn_mesh **out);
/// Disc of quad4: a grid of elements[0] x elements[1] with fine elements at the bottom, turned by `angle` afterwards;
/// sets contact (the fine side, a quarter of the circle) and outer. s in [-1, 1], t in [0, 1] along the sides of the
/// grid, c the grading > 0: u = sinh(c s)/sinh(c), v = 2 (exp(c t) - 1)/(exp(c) - 1) - 1, x = R u sqrt(1 - v^2/2), y =
/// R v sqrt(1 - u^2/2).
ZN_API zn_status zn_mesh_graded_disc(zn_vec3 centre, double radius, const int elements[2], double grading, double angle,
                                     zn_mesh **out);
/// Ball of hex8, or of tet4 (six for each cell, n even): a cube of n x n x n cells that is made round; set outer.
ZN_API zn_status zn_mesh_ball(zn_vec3 centre, double radius, int n, zn_solid_shape shape, zn_mesh **out);
ZN_API zn_mesh  *zn_mesh_destroy(zn_mesh *mesh); ///< of the functions above; accepts NULL, returns NULL

/// Material laws, all isotropic with Young's modulus and Poisson's ratio about the undeformed state. Linear: small
/// strains and rotations. St. Venant-Kirchhoff: S = lambda tr E I + 2 mu E; large rotations, small strains.
/// Neo-Hookean: W = mu/2 (tr C - 3) - mu ln J + lambda/2 (ln J)^2; large strains.
typedef enum zn_solid_model { ZN_SOLID_LINEAR, ZN_SOLID_SAINT_VENANT_KIRCHHOFF, ZN_SOLID_NEO_HOOKEAN } zn_solid_model;

typedef enum zn_plane_kind { ZN_PLANE_STRAIN, ZN_PLANE_STRESS } zn_plane_kind;

/// What an element makes of the displacements of its nodes. Reduced (hex8, quad4): one point with mean gradients and a
/// resistance against hourglasses, for bending and ratios near 1/2. Mean dilatation (B-bar): the change of volume is
/// one number for each element, of tet4 for each node, for Poisson's ratios near 1/2 (tet4: not below 0); not in plane
/// stress. Enhanced (hex8, quad4): with incompatible modes, for bending; not neo-Hookean.
typedef enum zn_solid_formulation {
    ZN_SOLID_STANDARD,
    ZN_SOLID_REDUCED,
    ZN_SOLID_MEAN_DILATATION,
    ZN_SOLID_ENHANCED
} zn_solid_formulation;

/// Flexible body of solid elements, total Lagrangian. Creates the nodes "name[0]" ..., whose coordinates are
/// displacements from the mesh, and a node set "name.set" for each set of the mesh. An element that turns inside out
/// makes an evaluation fail with ZN_INVALID_STATE.
typedef struct zn_solid_def {
    size_t         size; ///< set by the default function; do not touch
    const char    *name;
    const zn_mesh *mesh;              ///< borrowed during the call
    double         young;             ///< [Pa], > 0
    double         poisson;           ///< > -1, < 0.5
    double         density;           ///< [kg/m^3], > 0
    zn_solid_model model;             ///< default linear
    zn_plane_kind  plane;             ///< planar models; default plane strain
    double         thickness;         ///< planar models [m], > 0, default 1; does not change with the strain
    zn_mass_kind   mass;              ///< default consistent; lumped: row sums
    double         mass_damping;      ///< alpha [1/s], >= 0: damping force -(alpha M + beta K0) v,
    double         stiffness_damping; ///< beta [s], >= 0     K0: stiffness of the undeformed body
    zn_vec3        velocity;          ///< initial velocity of all nodes [m/s]
    unsigned       fixed;             ///< ZN_FIX_ bits of all nodes
    const zn_node_id
        *shared; ///< per node of the mesh: the node of another solid that it is, at the same place and with
                 ///< the same velocity; value 0: a new one. NULL: all are new. Borrowed during the call
    zn_solid_formulation formulation; ///< default standard
    const zn_vec3       *velocities;  ///< per node of the mesh, in place of velocity; NULL: all alike. Borrowed
} zn_solid_def;

ZN_DECLARE_DEF(zn_solid_def);
ZN_API zn_status zn_model_add_solid(zn_model *model, const zn_solid_def *def);

/// A name for several nodes, for contacts, loads and zn_model_fix_node_set. Sets have a space of names of their own.
ZN_API zn_status         zn_model_add_node_set(zn_model *model, const char *name, int count, const zn_node_id *nodes);
/// The nodes of a set, borrowed until the next set is added; NULL when there is none of that name.
ZN_API const zn_node_id *zn_model_find_node_set(const zn_model *model, const char *name, int *count);
/// Fix degrees of freedom (ZN_FIX_ bits) of all nodes of a set, beside those already fixed.
ZN_API zn_status         zn_model_fix_node_set(zn_model *model, const char *name, unsigned fixed);

// --- joints --------------------------------------------------------------------------------------

/// Equations, in the order of their numbers. Those marked * hold as at the start, whatever that is.
typedef enum zn_joint_kind {
    ZN_JOINT_FIXED,       ///< the points coincide along x, y, z; no turning* (planar 1, space 3)
    ZN_JOINT_REVOLUTE,    ///< the points coincide along x, y, z; in space: turning about the axis only* (2)
    ZN_JOINT_PRISMATIC,   ///< no motion across the axis* (planar 1, space 2); no turning* (1, 3)
    ZN_JOINT_ROD,         ///< distance of the points = length
    ZN_JOINT_COUPLING,    ///< sum of factor * degree of freedom, of two*: gears, racks
    ZN_JOINT_MOTION,      ///< degree of freedom = motion(t)
    ZN_JOINT_SPHERICAL,   ///< space: the points coincide along x, y, z
    ZN_JOINT_CYLINDRICAL, ///< space: no motion across the axis* (2); turning about it only* (2)
    ZN_JOINT_PLANAR,      ///< space: no motion along the axis*; turning about it only* (2)
    ZN_JOINT_UNIVERSAL    ///< space: the points coincide along x, y, z; axis of a perpendicular to axis2 of b
} zn_joint_kind;

/// Degrees of freedom by name: position in world axes [m], unwrapped angle [rad] (planar frames). The coordinate of a
/// scalar node is its x.
typedef enum zn_coordinate { ZN_COORDINATE_X, ZN_COORDINATE_Y, ZN_COORDINATE_Z, ZN_COORDINATE_ANGLE } zn_coordinate;

typedef struct zn_joint_dof {
    zn_node_id    node; ///< not the ground
    zn_coordinate coordinate;
    double        factor; ///< coupling only; not 0
} zn_joint_dof;

/// Clearance of a joint: a carries a pin, ball or block in a hole, socket or guide of b that is larger by `radius` on
/// each side. The equations of the joint give way to contacts called name[0], name[1] ... In the plane: revolute and
/// prismatic; in space also cylindrical and spherical.
typedef struct zn_play_def {
    size_t  size;   ///< set by the default function; do not touch
    double  radius; ///< clearance: radius of the hole less that of the pin, half the room of a block [m], > 0
    double  length; ///< of pin or block along the axis, around the point of a [m]: its ends are what touches. Needed by
                    ///< prismatic joints, and in space by all but spherical ones
    double  pin_radius; ///< of pin or ball, the lever of friction [m], >= 0; NaN (default): length / 2
    double  axial;   ///< revolute in space: clearance along the axis, to either side [m], > 0; NaN (default): `radius`
    double  height;  ///< prismatic: of the block across the axis, the lever of friction [m]; NaN (default): length
    double  breadth; ///< prismatic in space: across both [m]; NaN (default): height
    zn_vec3 across;  ///< prismatic in space: direction of the height in world axes at the start; 0 (default): any
    double  restitution, friction, tangential_restitution, restitution_from; ///< as in zn_contact_def
} zn_play_def;

ZN_DECLARE_DEF(zn_play_def);

/// Bilateral constraint between two bodies, or a body and the ground. Equations may repeat what others say already.
typedef struct zn_joint_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    zn_joint_kind kind;
    zn_attachment a;     ///< not the ground; coupling, motion: not used
    zn_attachment b;     ///< at is NaN (default): the point that coincides with a at the start; rod: the centre
    zn_vec3       axis;  ///< any length > 0; planar (prismatic): in the axes of b; in space: in world axes at the start
    zn_vec3       axis2; ///< universal: of b, perpendicular to axis, in world axes at the start
    double        length; ///< rod [m], > 0; NaN (default): the initial distance
    zn_joint_dof  dof[2]; ///< coupling: both; motion: the first
    zn_signal  *motion; ///< motion [m or rad]: absolute value; revolute, prismatic: of their travel, a drive that holds
                        ///< whatever force that needs ("NAME_motion"); the model takes it over, even on failure
    /// Revolute, prismatic: what they leave free is their travel, the angle of a against b about the axis [rad], over
    /// any number of turns, or the displacement along it [m].
    double      start;        ///< its value at the start; NaN (default): that of the motion, else 0
    double      limits[2];    ///< stops, "NAME_limits"; default -infinity, infinity
    double      dry_friction; ///< largest moment [N m] or force [N] of dry friction on the travel, whatever the joint
                              ///< carries, "NAME_friction"; >= 0, default 0
    double      stiffness;    ///< spring on the travel, "NAME_spring": [N m/rad or N/m], >= 0, default 0
    double      damping;      ///< [N m s/rad or N s/m], >= 0, default 0
    double      rest;         ///< travel without a force of the spring; NaN (default): that at the start
    const char *joint[2];     ///< coupling: of the travels of these joints, in place of dof; default NULL
    double      factor[2];    ///< coupling of joints: not 0, default 1
    double      backlash; ///< coupling: the sum may move freely by so much, half to each side of where it starts; >= 0
    double      restitution; ///< e of limits, or of the flanks of a coupling with backlash, in [0, 1]; default 0
    const zn_play_def *play; ///< contacts in place of the equations, b.at is the centre of the hole, socket or guide;
                             ///< NULL (default): the joint is ideal
} zn_joint_def;

ZN_DECLARE_DEF(zn_joint_def);
/// zn_model_validate checks that each equation holds in the initial configuration within 1e-9 m or rad.
ZN_API zn_status zn_model_add_joint(zn_model *model, const zn_joint_def *def);

// --- lattices ------------------------------------------------------------------------------------

typedef struct zn_shape_def zn_shape_def; // in contact.h

/// Equal bodies on a lattice, "name[0]" ...: x runs fastest, then y, then z. Each is moved at random, uniformly and the
/// same for the same seed, by at most `jitter` along each axis.
typedef struct zn_lattice_def {
    size_t              size;     ///< set by the default function; do not touch
    zn_body_def         body;     ///< its position: that of name[0], before jitter
    int                 count[3]; ///< along x, y, z, >= 1; default 1
    int                 limit;    ///< only the first bodies; 0 (default): all of count[0] * count[1] * count[2]
    zn_vec3             spacing;  ///< [m]
    zn_vec3             jitter;   ///< [m], >= 0, default none
    int64_t             seed;     ///< default 1
    double              sphere;   ///< radius of a sphere around each body, a shape called `name` [m]; 0 (default): none
    const char         *material; ///< of the shapes, as of zn_shape_def
    const zn_shape_def *shape; ///< another shape of each body, called `name`: its own name and node are not read; NULL
                               ///< (default): none
} zn_lattice_def;

ZN_DECLARE_DEF_WITH(zn_lattice_def, body);
ZN_API zn_status zn_model_add_lattice(zn_model *model, const zn_lattice_def *def);

// --- pictures ------------------------------------------------------------------------------------

/// Shape of a rigid body, for pictures only: it has no part in the equations. In the axes of the body [m].
typedef enum zn_drawing_kind {
    ZN_DRAWING_NONE,
    ZN_DRAWING_SPHERE,    ///< radius; in the plane a disc
    ZN_DRAWING_BOX,       ///< size: its sides; rotation
    ZN_DRAWING_CYLINDER,  ///< radius; size.x: length, 0: a disc; axis
    ZN_DRAWING_POLYGON,   ///< points: closed outline; in space a plate of the thickness size.z along z
    ZN_DRAWING_HULL,      ///< points: their convex hull, in space; triangles: its faces, where they are known
    ZN_DRAWING_TRIANGLES, ///< points: three corners of each, counter-clockwise seen from outside; any number of them
    ZN_DRAWING_CAPSULE,   ///< radius; size.x: length of its line; axis
    ZN_DRAWING_MESH       ///< points; triangles
} zn_drawing_kind;

typedef struct zn_colour {
    bool          given; ///< false: chosen by whoever draws
    unsigned char red, green, blue;
} zn_colour;

typedef struct zn_drawing {
    zn_drawing_kind kind;
    zn_vec3         centre, size, axis;
    double          radius;
    int             point_count;
    const zn_vec3  *points;
    zn_colour       colour;
    double          transparency; ///< 0 (default): opaque, to 1: not seen
    zn_quat         rotation;     ///< box: its axes to those of the body; all zero: none
    const double *bulges; ///< polygon: of the side behind each point the tangent of a quarter of the angle of its arc,
                          ///< positive: counter-clockwise, 0: straight; NULL: all are
    int           triangle_count;
    const int    *triangles; ///< numbers of three points each, counter-clockwise seen from outside
    bool          open;      ///< polygon in the plane: a line, the side behind the last point is not there
} zn_drawing;

typedef enum zn_link_kind { ZN_LINK_SPRING, ZN_LINK_ROD, ZN_LINK_JOINT } zn_link_kind; ///< as links are drawn

/// Say how a body looks; copied. The last one counts.
ZN_API zn_status zn_model_draw(zn_model *model, zn_node_id node, const zn_drawing *drawing);
/// One more shape of the body, beside what it has.
ZN_API zn_status zn_model_draw_more(zn_model *model, zn_node_id node, const zn_drawing *drawing);

// --- evaluation: what elements and the compiled system exchange -----------------------------------

/// Where forces, energies and operators are evaluated.
typedef struct zn_at {
    const double *q, *v;
    double        t;
    double relief; ///< share of gravity and loads left out: 0 all of them act, 1 none; zn_lagrangian_def ignores it
} zn_at;

typedef struct zn_energy {
    double kinetic, strain, gravity;
} zn_energy; ///< [J]
typedef struct zn_power {
    double strain, gravity, load, motor, damper, gyroscopic;
} zn_power; ///< [W], of each kind of force

// --- systems in minimal coordinates --------------------------------------------------------------

/// Equations given by functions:  M(q) v' = f(t, q, v) - dV/dq + n(q, v) + G' lambda.  All matrices are n x n,
/// row-major. A function returns ZN_OK or says why it cannot be evaluated. Coordinates are named "name[0]" ...
typedef struct zn_lagrangian_def {
    size_t        size; ///< set by the default function; do not touch
    const char   *name;
    int           n;             ///< coordinates, 1 to 64
    const double *q0;            ///< initial coordinates, n
    const double *v0;            ///< initial velocities, n; NULL: at rest
    void         *user;          ///< handed to every function
    void (*destroy)(void *user); ///< called when the model goes, also when adding fails; NULL: `user` is borrowed
    zn_status (*mass)(void *user, const double *q, double *M);                        ///< symmetric, positive definite
    zn_status (*potential)(void *user, const double *q, double *V, double *f);        ///< V and f = -dV/dq; may be NULL
    zn_status (*gyroscopic)(void *user, const double *q, const double *v, double *f); ///< inertia forces n; may be NULL
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
    /// For pictures, all optional: closed outlines, `outlines` of them, of at most ZN_OUTLINE_POINTS points in world
    /// axes; returns their number. And where a contact is, with its normal out of the obstacle and the direction of
    /// sliding.
    int outlines;
    int (*outline)(void *user, int i, const double *q, zn_vec3 *points);
    void (*where)(void *user, int i, const double *q, zn_vec3 *position, zn_vec3 *normal, zn_vec3 *tangent);
} zn_lagrangian_def;

enum { ZN_OUTLINE_POINTS = 64 };

ZN_DECLARE_DEF(zn_lagrangian_def);
ZN_API zn_status zn_model_add_lagrangian(zn_model *model, const zn_lagrangian_def *def);

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

#include "zn/contact.h"
#include "zn/load.h"
#include "zn/spring.h"

#endif
