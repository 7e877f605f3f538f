/// Contact pressure on the surfaces of solids, as a value at each node: the normal forces that contacts put on it over
/// the part of the surface that belongs to it.
///
///     p_i = sum over contacts of s_i F / sum over faces of A / corners
///
/// s_i is 1 at the node of the point and the share of a corner on a facet that is touched; A is the present area of a
/// face, in the plane its length times the thickness. Faces are the outer ones of solids all of whose nodes a contact
/// rule may act on.
#ifndef ZN_SYSTEM_CONTACT_PRESSURE_H
#define ZN_SYSTEM_CONTACT_PRESSURE_H

#include "model/element/solid_faces.h"
#include "system/system.h"

typedef struct zn_contact_pressure {
    const zn_system *sys; ///< borrowed
    zn_outer_faces   faces;
    int              nodes;        ///< of these faces
    int             *node, *place; ///< number of each in the system; of each node of the system, -1: none
    double          *force, *area; ///< of each
} zn_contact_pressure;

/// No contact acts on a face: no nodes.
zn_status            zn_contact_pressure_create(const zn_system *sys, zn_contact_pressure **out);
zn_contact_pressure *zn_contact_pressure_destroy(zn_contact_pressure *pressure); ///< accepts NULL, returns NULL
/// Begin anew; add the normal force [N] of a contact.
void                 zn_contact_pressure_clear(zn_contact_pressure *pressure);
void      zn_contact_pressure_add(zn_contact_pressure *pressure, const zn_contact_location *at, double force);
/// Measure areas at q; then zn_contact_pressure_at is known, NaN where the area is zero.
void      zn_contact_pressure_measure(zn_contact_pressure *pressure, const double *q);
double    zn_contact_pressure_at(const zn_contact_pressure *pressure, int place);
/// Does a rule act on a face? The largest pressure at its nodes.
bool      zn_contact_pressure_has(const zn_contact_pressure *pressure, int rule);
double    zn_contact_pressure_largest(const zn_contact_pressure *pressure, int rule);
/// Add what the contacts of a set do: their normal impulses over a time [s].
zn_status zn_contact_pressure_add_set(zn_contact_pressure *pressure, const zn_contact_set *set, const double *q,
                                      double time);

#endif
