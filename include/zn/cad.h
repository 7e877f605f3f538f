/// @file cad.h
/// Parts from CAD (STEP files): what `zeno cad PART.step --extract` has found out about them and put beside, in
/// PART.step.yaml. Reading it needs no CAD library.
#ifndef ZN_CAD_H
#define ZN_CAD_H

#include "zn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum zn_cad_kind {
    ZN_CAD_PLANE,    ///< within a rectangle of `length` along `along` and `breadth` across
    ZN_CAD_CYLINDER, ///< material inside
    ZN_CAD_BORE,     ///< material outside
    ZN_CAD_CONE,     ///< from `radius` to `end_radius` along the axis
    ZN_CAD_SPHERE,   ///< between the heights `from` and `to` along the axis
    ZN_CAD_TORUS,    ///< circle of `radius` around the axis, with a tube of radius `tube`
    ZN_CAD_OTHER     ///< no more than its area is known
} zn_cad_kind;

/// A face of a solid; what does not apply is 0. In the axes of the file [m].
typedef struct zn_cad_face {
    const char *name; ///< "bore1"
    const char *word; ///< of its kind; of others how the surface is made: "bspline"
    zn_cad_kind kind;
    bool        hollow;    ///< cone, sphere, torus: the material is outside
    double      area;      ///< [m^2]
    zn_vec3     at;        ///< middle of the rectangle, or of the axis between the ends; centre of sphere and torus
    zn_vec3     direction; ///< plane: normal out of the material; else the axis. Unit
    zn_vec3     along;
    double      length, breadth, radius, end_radius, tube, from, to;
    double      angle, tube_angle; ///< around the axis and around the tube; 2 pi: all of it
} zn_cad_face;

/// In the axes of the file and from their origin [m].
typedef struct zn_cad_solid {
    const char        *name; ///< of the whole: NULL
    double             volume, area;
    zn_vec3            centre;    ///< of mass
    zn_mat3            inertia;   ///< about the centre of mass for a density of 1 kg/m^3
    zn_vec3            low, high; ///< box around it
    int                first_triangle, triangles;
    int                face_count;
    const zn_cad_face *faces;
} zn_cad_solid;

typedef struct zn_cad {
    const char         *digest;        ///< SHA-256 of the STEP file
    const char         *triangulation; ///< file beside, STL in metres
    int                 solid_count;
    const zn_cad_solid *solids;
    zn_cad_solid        whole;  ///< all solids together, without faces
    struct zn_pool     *memory; ///< what the rest points to
} zn_cad;

/// The data that lie beside a STEP file. It is an error if they are missing or were made from another content of it.
ZN_API zn_status zn_cad_read(const char *step, zn_log log, zn_cad **out);
/// Data in memory; `name` stands for the file in messages.
ZN_API zn_status zn_cad_parse(const char *text, size_t size, const char *name, zn_log log, zn_cad **out);
ZN_API zn_cad   *zn_cad_destroy(zn_cad *cad); ///< accepts NULL, returns NULL

/// SHA-256 of a file, as sha256sum prints it.
ZN_API zn_status zn_file_digest(const char *path, zn_log log, char digest[65]);

#ifdef __cplusplus
}
#endif
#endif
