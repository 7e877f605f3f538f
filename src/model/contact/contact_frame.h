/// A contact frame: a core node against a segment (plane) or a triangle (space) of another body, between two states.
/// Miyazaki and Park, reduced to the forces on these nodes: see docs/theory/contact-frames.md.
///
///     n_m = (n_0 + n_1) / |n_0 + n_1|           normals of the segment or triangle at both ends, in the middle
///     sum w_k r_k = c n_m,  sum w_k = 1         r_k = (x_k - x_a) at the mean positions: the lever rule along n_m
///     force  Q n_m on a, -w_k Q n_m on k
///
/// Resultant and moment about the mean positions vanish, and the work is exactly Q (g_1 - g_0)/(n_m.n_0), in the plane
/// and in space alike: with n_m.r_k0 = (-g_0 + s m.r_k0)/c', n_m.r_k1 = (-g_1 - s m.r_k1)/c', where c' and s are cosine
/// and sine of half the turn from n_0 to n_1 = c' n_m + s m, the terms with m sum to m.n_m = 0.
#ifndef ZN_MODEL_CONTACT_CONTACT_FRAME_H
#define ZN_MODEL_CONTACT_CONTACT_FRAME_H

#include "model/between.h"

enum { ZN_FRAME_POINTS = 4 }; ///< three corners and the core node

/// Corners first, in the order in which the normal points out of their body: of a segment turned by -90 degrees, of a
/// triangle counter-clockwise seen from outside; then the core node.
typedef struct zn_contact_frame {
    int     corners; ///< 2 or 3; their sides span the plane of the frame
    bool    chord;   ///< n_m is the normal at the mean positions (Laursen and Love 2002) instead
    bool    couple;  ///< tangential forces with a couple of normal ones that takes their moment
    zn_vec3 from[ZN_FRAME_POINTS], to[ZN_FRAME_POINTS];
    // measured
    zn_vec3 n0, n1;        ///< normals at the ends
    double  gap0, gap;     ///< n.(x_a - x_k)
    zn_vec3 n;             ///< n_m
    zn_vec3 e[2];          ///< e_m: unit tangents; in the plane n turned by +90 degrees
    double  w[3];          ///< weights in the middle
    double  z[3];          ///< those of the foot at the end
    double  c;             ///< distance of a from the frame in the middle, against n_m
    double  f[2][3];       ///< couple: f[i][k] n_m on corner k beside the tangential force along e[i]
    zn_vec3 side[2], r;    ///< mean positions: corners from the first one, the first one from a
    double  inverse[2][2]; ///< of the components of side[k] along e[i]
    double  stretch;       ///< |n_0 + n_1|, or what stands for it
} zn_contact_frame;

/// Everything that is measured from the positions. False: the sides have no area, or turn by more than a right angle.
bool zn_contact_frame_measure(zn_contact_frame *frame);

/// Rows of gap and forces over the points of a frame: `row`[k] acts on point k.
typedef struct zn_frame_rows {
    zn_vec3 gap[ZN_FRAME_POINTS];      ///< G: gradient of the gap at the end
    zn_vec3 normal[ZN_FRAME_POINTS];   ///< H_N
    zn_vec3 along[2][ZN_FRAME_POINTS]; ///< H_T
} zn_frame_rows;

void zn_contact_frame_rows(const zn_contact_frame *frame, zn_frame_rows *out);
/// Change of H_N and H_T when the points move by dx at the end.
void zn_contact_frame_change(const zn_contact_frame *frame, const zn_vec3 dx[ZN_FRAME_POINTS], zn_frame_rows *out);

#endif
