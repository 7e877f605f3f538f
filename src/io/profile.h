/// Profiles: contours of the plane while they are made or read, before they are shapes.
#ifndef ZN_IO_PROFILE_H
#define ZN_IO_PROFILE_H

#include "model/expression.h"
#include "zn/contact.h"

enum { ZN_PROFILE_SIDES = 100 * 1000, ZN_PROFILE_MESSAGE = 400 };

typedef struct zn_profile {
    int              count, capacity;
    zn_contour_side *side;
    bool             open;  ///< the last entry is where it ends
    double           error; ///< largest distance from the curve it stands for [m]
} zn_profile;

void      zn_profile_clear(zn_profile *profile);
zn_status zn_profile_add(zn_profile *profile, double x, double y, double bulge);
/// The same way backwards.
void      zn_profile_turn(zn_profile *profile);
/// A closed one goes around counter-clockwise, or clockwise, afterwards.
void      zn_profile_orient(zn_profile *profile, bool clockwise);

/// Bulge of an arc of a signed radius (positive: it turns left), less than half a circle; of an arc through a point.
/// False: there is none.
bool zn_bulge_of_radius(zn_vec3 from, zn_vec3 to, double radius, double *out);
bool zn_bulge_through(zn_vec3 from, zn_vec3 through, zn_vec3 to, double *out);

/// Corners that point outwards become arcs of this radius. Messages count points from 1.
zn_status zn_profile_round(zn_profile *profile, double radius, char message[ZN_PROFILE_MESSAGE]);

/// A smooth curve: its point and its direction of increasing parameter, any length but 0.
typedef struct zn_curve {
    void (*at)(const void *user, double t, zn_vec3 *point, zn_vec3 *tangent);
    const void *user;
} zn_curve;

/// Add the curve from parameter a to b as arcs that go over into each other without a corner, nowhere farther from it
/// than the tolerance; the point at b is not added. ZN_ERR_MODEL: it has a jump, or is not finite, at `*where`.
zn_status zn_profile_add_curve(zn_profile *profile, zn_curve curve, double a, double b, double tolerance,
                               double *where);

/// A cam: radius as an expression of its variable 0, the angle.
zn_status zn_profile_cam(const zn_expression *radius, double tolerance, zn_profile *out,
                         char message[ZN_PROFILE_MESSAGE]);

/// An involute gear, the middle of a tooth (internal: of a space) on the x axis.
typedef struct zn_gear {
    double module, pressure_angle; ///< [m], [rad]
    int    teeth;
    double addendum, dedendum; ///< of the tip beyond and the root below the pitch circle [m]
    double backlash;           ///< teeth are thinner than half a pitch by this, on the pitch circle [m]
    bool   internal;           ///< a ring with teeth inside, to be oriented as a hole
    double tolerance;          ///< of the flanks [m]
} zn_gear;
zn_status zn_profile_gear(const zn_gear *gear, zn_profile *out, char message[ZN_PROFILE_MESSAGE]);

/// Points x, y of a CSV file in memory, in its unit; one header line and '#' comments may be there.
zn_status zn_profile_csv(const char *text, size_t length, const char *name, zn_profile *out,
                         char message[ZN_PROFILE_MESSAGE]);

/// LINE, ARC, CIRCLE, LWPOLYLINE and POLYLINE of a DXF file in memory (`layer` NULL: of all layers) as one closed
/// contour; ends closer than `tolerance` of its size are one point.
zn_status zn_profile_dxf(const char *text, size_t length, const char *name, const char *layer, double tolerance,
                         zn_profile *out, char message[ZN_PROFILE_MESSAGE]);

#endif
