/// How far a position correction moves what it corrects.
///
/// A correction is judged by how far it moves either side of its constraints, along them: what no gap between the sides
/// shows. Sides are nodes: that part of G x which a node has is how far its point of contact goes along the normal,
/// whatever its coordinates are.
#ifndef ZN_SCHEME_FAR_H
#define ZN_SCHEME_FAR_H

#include "constraint/rows.h"
#include "system/system.h"
#include "zn/scheme.h"

typedef struct zn_correction {
    const zn_system      *sys;
    const zn_contact_set *set;
    const double         *shift;       ///< n: what it moves
    double                tolerance;   ///< of gaps
    double               *gap, *moved; ///< n each: room
} zn_correction;

/// Of the size of the model: what moves by that much needs no explanation. More than ZN_REACH_FAR times that and as
/// many times the gaps that it corrects is far.
#define ZN_LITTLE_WAY 1e-5

/// What a linearized problem of positions was solved for and with.
typedef struct zn_pull {
    const zn_row_list *list;   ///< equations: of joints, and of contacts to be closed; then what must not penetrate
    const double      *gap;    ///< of its rows: without the correction
    const double      *push;   ///< of its rows: multipliers
    const zn_row_list *slides; ///< tangents of contacts are in this one; NULL: nowhere
} zn_pull;

/// Is a contact pulled, of any part?
bool zn_pulls(const zn_correction *c, const zn_pull *pull);
/// The place in the list of the contact that is pulled hardest among those pulled from too far away; -1: none is, or
/// one of another part. `found`: one is, of any part.
int  zn_pulled_from_far(const zn_correction *c, const zn_pull *pull, bool *found);

/// What else is known of the motion that a correction ends.
typedef struct zn_way {
    const double *from, *to; ///< velocities at the start and at the end of the step,
    double        time;      ///< and the time they have
    double        part;      ///< of the way that they go: so much a correction may move without an explanation
} zn_way;

/// Of the way of the velocities.
#define ZN_WAY_PART 0.01

/// The largest motion of either side of a joint, or of a contact that the correction acted on (set->projection), of
/// what explains it.
typedef struct zn_reached {
    double        ratio;
    zn_contact_id contact; ///< whose it is
} zn_reached;

/// Does a correction move something further than gaps, as the rows tell them, explain, or so far that rows turn? Then
/// it takes the gaps themselves to judge it; else `out` is that of this part. The same answer for all parts.
bool       zn_correction_is_large(const zn_correction *c, const zn_way *way, zn_reached *out);
/// By gaps without the correction, per contact; those of all that hangs together explain. Of this part.
zn_reached zn_correction_reach(const zn_correction *c, const zn_way *way, const double *gap);

#endif
