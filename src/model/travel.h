/// How far one body has moved against another in the way a joint with one degree of freedom lets it: an angle,
/// unwrapped over many turns, or a displacement. Drives, limits, gears, springs and records of joints stand on this.
#ifndef ZN_MODEL_TRAVEL_H
#define ZN_MODEL_TRAVEL_H

#include "model/rigid_row.h"

/// Fill it with zn_travel_angle or zn_travel_along.
typedef struct zn_travel {
    bool          turn;   ///< an angle [rad] of a against b, positive about `axis`; else a displacement [m] along it
    zn_attachment a, b;   ///< of an angle their nodes alone; null: the ground
    zn_vec3       axis;   ///< unit, in the axes of b
    zn_vec3       u[2];   ///< angle in space: across the axis, in the axes of a; s and t at the start
    zn_vec3       s, t;   ///< in the axes of b; s, t, axis are right-handed
    int           memory; ///< angle in space: its entry of q, see memory.h; -1: it needs none
    double        offset; ///< what is measured less this is the value
} zn_travel;

enum { ZN_TRAVEL_ENTRIES = 2 * ZN_RIGID_DOFS }; ///< the most of a row

double zn_travel_value(const zn_travel *p, const zn_layout *layout, const double *q);
/// Its gradient; pairs (dof, value), returns their number. Times v it is the rate.
int    zn_travel_row(const zn_travel *p, const zn_layout *layout, const double *q, int *dof, double *value);
/// y += scale * the change of that row when the degrees of freedom move with x.
void   zn_travel_change(const zn_travel *p, const zn_layout *layout, const double *q, double scale, const double *x,
                        double *y);
double zn_travel_rate(const zn_travel *p, const zn_layout *layout, const double *q, const double *v);
/// Gradient of the rate with respect to q, v held.
int    zn_travel_rate_row(const zn_travel *p, const zn_layout *layout, const double *q, const double *v, int *dof,
                          double *value);
/// Angle in space: the value at q nearest to `near`.
double zn_travel_unwrap(const zn_travel *p, const zn_layout *layout, const double *q, double near);
/// True when the row does not depend on q.
bool   zn_travel_is_straight(const zn_travel *p);

#endif
