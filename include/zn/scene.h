/// @file scene.h
/// A run as pictures need it: the machine rebuilt from the model text in a result file, and its frames as arrays of
/// positions, velocities, stresses and contacts. Reports and exports stand on this.
#ifndef ZN_SCENE_H
#define ZN_SCENE_H

#include "zn/io.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct zn_scene zn_scene;

// --- what does not move --------------------------------------------------------------------------

/// Elements of one kind. Cells are numbered through all blocks: those of this one are `first` ... `first + count - 1`.
typedef struct zn_scene_block {
    const char   *kind;     ///< "bar", "beam", "quad4", "tet4", "hex8"
    int           vtk_type; ///< of its cells, by the numbers of VTK
    int           dim;      ///< 1: lines, 2: in the plane, 3: in space
    int           nodes;    ///< of one cell
    int           first, count;
    const int    *node;                   ///< count x nodes, in the order of VTK
    const int    *part;                   ///< of each cell
    const double *measure;                ///< volume, in the plane with the thickness [m^3]; bars and beams: length [m]
    int           face_count, face_nodes; ///< of one cell; lines have none
    const int    *faces; ///< face_count x face_nodes, numbers in the cell: normal outward by the right hand; in the
                         ///< plane edges, counter-clockwise
    const char   *stress_name; ///< of zn_scene_frame.stress: "von Mises stress", "axial force"; NULL: there is none
    const char   *stress_unit;
    const zn_quat
        *axes; ///< lines with a section: its axes in those of the node, count x nodes; NULL: its nodes carry none
} zn_scene_block;

/// Bar, beam or solid.
typedef struct zn_scene_part {
    const char *name;
    bool        held;          ///< some of its degrees of freedom never move
    double      height, width; ///< beams: outer sides of the section along its y and z [m]; 0: none
    bool        round;         ///< beams: the section is a circle of diameter `height`
    bool equivalent; ///< the model gives no shape but area and second moments, this is the rectangle that has its
                     ///< second moments over the area (in the plane: its area, too)
} zn_scene_part;

/// Rigid body or point mass, or a shape that rests.
typedef struct zn_scene_body {
    const char *name;
    int         node;    ///< -1: the ground
    double      mass;    ///< [kg]
    zn_drawing  drawing; ///< ZN_DRAWING_NONE: a point mass of no size
    bool        derived; ///< the model gives no shape; this one follows from contacts, joints or inertia
    bool        piece;   ///< one more shape of the body before it; without mass
    int left_out; ///< triangles that the drawing does without, because there are more than ZN_SCENE_TRIANGLES of them
} zn_scene_body;

enum { ZN_SCENE_TRIANGLES = 50000 }; ///< of meshes, in all bodies together

/// Spring, rod or other joint between two carried points.
typedef struct zn_scene_link {
    const char   *name;
    zn_link_kind  kind;
    zn_attachment a, b;
} zn_scene_link;

/// What a contact point cannot enter.
typedef struct zn_scene_surface {
    const char     *name; ///< of the first contact with it
    zn_surface_kind kind;
    int             node;      ///< that carries it; -1: the ground
    zn_vec3         through;   ///< in the axes of the node
    zn_vec3         direction; ///< plane: normal out of the obstacle; slot: across its axis; cylinder, bore, rim: axis
    zn_vec3         along;     ///< bounded plane: of its first side
    double          size;      ///< circle, hole, cylinder, bore, rim: radius; slot: half its width
    double          half[2];   ///< bounded plane: half its sides; cylinder, bore: half the length; 0: unbounded
    double          taper;     ///< cylinder, bore: half the angle of a cone, wider along the axis [rad]
    bool            rim;       ///< it is no surface but a circle across `direction` that meets one of this kind
} zn_scene_surface;

/// Faces of a solid that hang together and that contacts may press on.
typedef struct zn_scene_boundary {
    const char *name;         ///< of the part
    bool        closed;       ///< in the plane: the last node is beside the first
    int         first, count; ///< its nodes in boundary_nodes; in the plane one after the other along it: from left to
                              ///< right, or upwards; a closed one with the solid on its left
} zn_scene_boundary;

typedef struct zn_scene_info {
    bool                     planar;
    bool                     statics; ///< frames are load steps, impulses are forces
    int                      node_count;
    const zn_node_kind      *node_kind; ///< ZN_SCALAR nodes have no position
    const zn_vec3           *reference; ///< positions that displacements count from: undeformed, or at the start
    int                      block_count, cell_count;
    const zn_scene_block    *blocks;
    int                      part_count; ///< of all owners of elements, as numbered in the blocks
    const zn_scene_part     *parts;
    int                      body_count;
    const zn_scene_body     *bodies;
    int                      link_count;
    const zn_scene_link     *links;
    int                      surface_count;
    const zn_scene_surface  *surfaces;
    int                      boundary_count, boundary_node_count;
    const zn_scene_boundary *boundaries;
    const int               *boundary_nodes;
    int                      outline_count; ///< closed outlines of systems in minimal coordinates
    int64_t                  frame_count;
} zn_scene_info;

// --- what moves ----------------------------------------------------------------------------------

typedef struct zn_scene_contact {
    zn_contact_id    id;
    const char      *name;
    zn_contact_state state;     ///< open: it did not act since the frame before
    double           gap;       ///< [m]
    zn_vec3          position;  ///< on the body
    zn_vec3          normal;    ///< unit, out of the obstacle
    zn_vec3          impulse;   ///< on the body, since the frame before [N s]; statics: force [N]
    int              corners;   ///< of the facet of a solid it acts on: 2 in the plane, 3 or 4; 0: none
    int              corner[4]; ///< its nodes; -1: none
    int              node[2];   ///< of the two things it is between, the one with the point first; -1: the ground
    const char      *shape[2];  ///< names of their shapes; NULL: they have none, "": nobody knows
    int              patch;     ///< of the frame, that it belongs to; -1: none
} zn_scene_contact;

/// Contacts of the same two things with nearly one normal, in nearly one plane, together: a polygon, or a line that
/// has a length in place of an area and a load per length in place of a pressure.
typedef struct zn_scene_patch {
    const char *name; ///< of the contacts
    int         node[2];
    const char *shape[2];       ///< as in zn_scene_contact
    int         first, corners; ///< in patch_corners; counter-clockwise seen against the normal
    bool        line;
    zn_vec3     normal;   ///< unit, out of the obstacle
    zn_vec3     centre;   ///< of pressure
    zn_vec3     impulse;  ///< of all of them, on the body [N s]; statics: force [N]
    double      force;    ///< along the normal, mean since the frame before [N]
    double      area;     ///< of the convex hull [m^2]; line: [m]
    double      pressure; ///< force over area [Pa]; line: [N/m]
} zn_scene_patch;

/// World axes. Arrays belong to the scene and hold until the next call of zn_scene_read.
typedef struct zn_scene_frame {
    double                  t;
    const zn_vec3          *position, *displacement, *velocity; ///< node_count
    const zn_quat          *rotation;     ///< node_count, body to world; none where nodes do not turn
    const zn_vec3          *spin;         ///< node_count [rad/s]; 0 where nodes do not turn
    const double           *energy;       ///< cell_count: strain energy over measure [J/m^3; bars and beams J/m]
    const double           *stress;       ///< cell_count: see zn_scene_block; NaN: none
    const int              *outline_size; ///< outline_count: points of each
    const zn_vec3          *outline;      ///< outline_count x ZN_OUTLINE_POINTS
    int                     contact_count;
    const zn_scene_contact *contacts; ///< ascending ids; those whose place is known
    int                     patch_count;
    const zn_scene_patch   *patches;
    const zn_vec3          *patch_corners; ///< of all patches, in world axes
    const double           *pressure;      ///< boundary_node_count: contact pressure, mean since the frame before [Pa]
    const double           *ledger;        ///< ZN_LEDGER_LINES
    const double           *effort;        ///< ZN_EFFORT_COLUMNS
} zn_scene_frame;

/// Rebuild the machine. Files the model refers to are sought beside the model file, then beside the result. A result
/// without frames has a scene of none. `result` is borrowed.
ZN_API zn_status     zn_scene_open(const zn_result *result, zn_log log, zn_scene **out);
ZN_API zn_scene     *zn_scene_close(zn_scene *scene); ///< accepts NULL, returns NULL
ZN_API zn_scene_info zn_scene_get_info(const zn_scene *scene);
/// Frame number `index`, from 0.
ZN_API zn_status     zn_scene_read(zn_scene *scene, int64_t index, zn_scene_frame *out);
/// The frame without what has to be computed from it: time, ledger and effort only.
ZN_API zn_status     zn_scene_read_ledger(zn_scene *scene, int64_t index, zn_scene_frame *out);

// --- other programs ------------------------------------------------------------------------------

/// Write the frames for ParaView and others that read VTK files, see docs/paraview.md. Both need at least one frame.
/// VTU: into `folder`, made when it is missing: one file per frame for the machine and one for its contacts, and
/// scene.pvd and contacts.pvd that give their times.
ZN_API zn_status zn_scene_export_vtu(zn_scene *scene, const char *folder);
/// XDMF: `path` is NAME.xdmf; beside it NAME.xdmf.h5 with the numbers, and NAME-contacts.xdmf.
ZN_API zn_status zn_scene_export_xdmf(zn_scene *scene, const char *path);

#ifdef __cplusplus
}
#endif
#endif
