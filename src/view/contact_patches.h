/// Patches: contacts of the same two things with nearly one normal and in nearly one plane, taken together. Forces on
/// the corners of a patch are not unique when it has more of them than equilibrium can tell apart; their resultant and
/// its place are.
#ifndef ZN_VIEW_CONTACT_PATCHES_H
#define ZN_VIEW_CONTACT_PATCHES_H

#include "zn/scene.h"

/// Zeroed at the start; may be filled again and again.
typedef struct zn_contact_patches {
    int             count, capacity, corner_count, corner_capacity;
    zn_scene_patch *patch;
    zn_vec3        *corner; ///< of all patches
    // scratch: contacts of one patch, their points in its plane and the hull of these
    int             room;
    int            *member;
    zn_vec3        *flat, *hull;
    bool           *taken;
} zn_contact_patches;

/// The patches of contacts, which are told their numbers. The contacts are in the order of their ids, which have acted
/// for a time [s]; 1 where impulses are forces. The places of the nodes tell how large parts are; NULL: not known.
zn_status zn_contact_patches_find(zn_contact_patches *patches, bool planar, const zn_vec3 *position, int count,
                                  zn_scene_contact *contacts, double time);
void      zn_contact_patches_free(zn_contact_patches *patches);

#endif
