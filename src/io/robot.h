/// A robot as a URDF file describes it: links with masses and geometry, a tree of joints. Where everything is in the
/// world and which links are one body follows from it (zn_robot_place); zn_robot_write makes a model file of the whole.
#ifndef ZN_IO_ROBOT_H
#define ZN_IO_ROBOT_H

#include <stdio.h>

#include "io/access.h"
#include "zn/io.h"
#include "zn/math.h"

enum { ZN_ROBOT_NAME = 96, ZN_ROBOT_NOTE = 400, ZN_ROBOT_LINKS = 2000, ZN_ROBOT_SHAPES = 5000 };

/// Axes in other axes: x there is at + turn x.
typedef struct zn_pose {
    zn_vec3 at;
    zn_quat turn;
} zn_pose;

zn_pose zn_pose_identity(void);
zn_pose zn_pose_product(zn_pose outer, zn_pose inner);
zn_pose zn_pose_inverse(zn_pose pose);
zn_vec3 zn_pose_apply(zn_pose pose, zn_vec3 x);

typedef enum zn_robot_form {
    ZN_ROBOT_NO_FORM,
    ZN_ROBOT_BOX,
    ZN_ROBOT_SPHERE,
    ZN_ROBOT_CYLINDER,
    ZN_ROBOT_CAPSULE,
    ZN_ROBOT_MESH,
    ZN_ROBOT_HULL, ///< of the points of a file
} zn_robot_form;

typedef struct zn_robot_shape {
    zn_robot_form form;
    int           line, link; ///< link: its number
    bool          visual;     ///< only seen; else only touched
    zn_pose       pose;       ///< in the axes of the link
    zn_vec3       size;       ///< sides; else radius, length
    double        scale;      ///< of a file
    char         *file;       ///< as the URDF file says; zn_robot_find_meshes: where it is, seen from the output
    char          colour[8];  ///< "#rrggbb", ""
    char          material[ZN_ROBOT_NAME];
} zn_robot_shape;

typedef struct zn_robot_link {
    char    name[ZN_ROBOT_NAME], own[ZN_ROBOT_NAME]; ///< own: in the model file
    int     line;
    double  mass;   ///< 0: none
    zn_vec3 centre; ///< of mass, in its axes
    zn_mat3 inertia;
    int     joint; ///< that holds it, -1: none
    int     body;  ///< link whose axes those of its body are, -1: it belongs to the ground
    zn_pose world; ///< at the start
} zn_robot_link;

typedef enum zn_robot_motion {
    ZN_ROBOT_FIXED,
    ZN_ROBOT_REVOLUTE,
    ZN_ROBOT_PRISMATIC,
    ZN_ROBOT_PLANAR,
    ZN_ROBOT_FLOATING
} zn_robot_motion;

typedef struct zn_robot_joint {
    char            name[ZN_ROBOT_NAME], own[ZN_ROBOT_NAME];
    char            parent_name[ZN_ROBOT_NAME], child_name[ZN_ROBOT_NAME], leader_name[ZN_ROBOT_NAME];
    int             line, parent, child, leader; ///< leader: joint whose travel it follows, -1: none
    zn_robot_motion motion;
    zn_pose         origin;           ///< in the axes of the parent
    zn_vec3         axis;             ///< unit, in the axes of the joint
    double          lower, upper;     ///< infinite: none
    double          effort, velocity; ///< 0: not said
    double          damping, friction;
    double          multiplier, offset; ///< value = multiplier (value of leader) + offset
    double          value;              ///< at the start
    bool            set;                ///< by the user
} zn_robot_joint;

typedef struct zn_robot {
    char            name[ZN_ROBOT_NAME];
    int             links, link_room, joints, joint_room, shapes, shape_room, notes, note_room;
    zn_robot_link  *link;
    zn_robot_joint *joint;
    zn_robot_shape *shape;
    char (*note)[ZN_ROBOT_NOTE]; ///< what has no counterpart, a line each
    int *order;                  ///< links from the root on; made by zn_robot_place
} zn_robot;

/// A URDF file in memory; `name` stands for it. On an error `message` says what is wrong, with file and line. `out` is
/// to be cleared whatever happens.
zn_status zn_urdf_parse(const char *text, size_t length, const char *name, zn_robot *out, char *message, size_t size);
void      zn_robot_clear(zn_robot *robot);
zn_status zn_robot_note(zn_robot *robot, const char *format, ...) ZN_PRINTF(2, 3);

/// Travels at the start, given by the name of a joint; a name that is none, or a value beyond its limits, is refused.
zn_status zn_robot_set(zn_robot *robot, const char *joint, double value, char *message, size_t size);
/// Check the tree, place all links, join those that are fixed to each other, name everything. `free_root`: the root is
/// no part of the ground.
zn_status zn_robot_place(zn_robot *robot, const char *file, bool free_root, char *message, size_t size);
/// Where the files of meshes are: sought from the file, told from the output. What is no closed surface becomes a hull.
zn_status zn_robot_find_meshes(zn_robot *robot, const zn_import_def *def, const zn_access *access, char *message,
                               size_t size);
/// The folder (links followed, malloc'ed) of the package that a URDF file belongs to: the nearest above it that is
/// named like the package or has a package.xml; NULL: none.
char     *zn_package_folder(const char *urdf, const char *package, size_t length);
/// Mass, centre (in the axes of the link) and inertia (about it, same axes) of all links of a body.
void      zn_robot_mass(const zn_robot *robot, int body, double *mass, zn_vec3 *centre, zn_mat3 *inertia);
/// `part`: without gravity and run, to be included by another file.
void      zn_robot_write(const zn_robot *robot, const char *file, bool part, FILE *out);

/// Has a link or a joint this name in the model file?
bool        zn_robot_has_name(const zn_robot *robot, const char *name);
/// Does a file name end as those of STL files do?
bool        zn_is_stl(const char *file);
/// A name that a model file takes: other characters become '_'.
void        zn_model_name(const char *text, char out[ZN_ROBOT_NAME]);
/// A number, with a point whatever the locale.
void        zn_put_number(FILE *out, double x);
void        zn_put_vector(FILE *out, zn_vec3 x);
/// What stands behind the last '/'.
const char *zn_file_name(const char *path);
/// A file name in quotes.
void        zn_put_text(FILE *out, const char *text);
/// `path` as seen from the folder of `from`; both exist, `from` perhaps only its folder. Malloc'ed; NULL: no memory.
char       *zn_path_from(const char *from, const char *path);

#endif
