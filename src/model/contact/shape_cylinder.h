/// Features of a cylinder: its mantle is a line with a radius, its caps are faces, its rims circles whose axes point
/// out. Where a cap lies nearly flat on something, the lowest point of its rim says little about what comes next:
/// ZN_CYLINDER_CORNERS points of the rim and the chords between them stand for it. They are parts of the body, so they
/// are never wrong; between them the rim is lower by as much as a tilt lifts a chord, R (1 - cos(pi / 12)) times it.
#ifndef ZN_MODEL_CONTACT_SHAPE_CYLINDER_H
#define ZN_MODEL_CONTACT_SHAPE_CYLINDER_H

#include "model/contact/shape.h"

enum { ZN_CYLINDER_CORNERS = 12 };
#define ZN_CHORD_HALF 0.25881904510252076 ///< of the radius: half a chord, sin 15 degrees
#define ZN_CHORD_AWAY 0.96592582628906829 ///< of the radius: from the axis to the middle of a chord, cos 15 degrees

/// Numbers of features; `end` is 0 (along the axis) or 1 (against it).
enum {
    ZN_CYLINDER_MANTLE = 0,
    ZN_CYLINDER_CAP = 1,                                             ///< + end
    ZN_CYLINDER_RIM = 3,                                             ///< + end
    ZN_CYLINDER_POINT = 5,                                           ///< + end * corners + i
    ZN_CYLINDER_CHORD = ZN_CYLINDER_POINT + 2 * ZN_CYLINDER_CORNERS, ///< + end * corners + i: point i to the next
    ZN_CYLINDER_FEATURES = ZN_CYLINDER_CHORD + 2 * ZN_CYLINDER_CORNERS
};

/// At which end a feature is that is not the mantle.
static inline int zn_cylinder_end_of(int feature)
{
    return feature < ZN_CYLINDER_RIM     ? feature - ZN_CYLINDER_CAP
           : feature < ZN_CYLINDER_POINT ? feature - ZN_CYLINDER_RIM
                                         : (feature - ZN_CYLINDER_POINT) / ZN_CYLINDER_CORNERS % 2;
}

static inline zn_vec3 zn_cylinder_axis(const zn_pair_shape *s)
{
    return (zn_vec3){s->axes.m[0][2], s->axes.m[1][2], s->axes.m[2][2]};
}

/// Does the point x of a feature, in the axes of the body, belong to the part of it that the cylinder has, with n out
/// of the cylinder there? `length` and `angle`: what may be missing.
bool zn_cylinder_holds(const zn_pair_shape *s, int index, zn_vec3 x, zn_vec3 n, double length, double angle);

/// The lowest point of it along n, times n; from the origin of the body.
double  zn_cylinder_lowest(const zn_pair_shape *s, zn_vec3 n);
/// A farthest point of it along n, in the axes of the body.
zn_vec3 zn_cylinder_farthest(const zn_pair_shape *s, zn_vec3 n);

#endif
