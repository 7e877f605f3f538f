/// Patches of contacts of all frames of a report.
#ifndef ZN_VIEW_REPORT_PATCHES_H
#define ZN_VIEW_REPORT_PATCHES_H

#include "view/contact_patches.h"
#include "view/patch_name.h"
#include "view/report.h"

/// Zeroed at the start.
typedef struct zn_report_patches {
    zn_contact_patches found; ///< of one frame
    int                frames, frame_capacity, *end;
    int                count, capacity; ///< of all frames; their first corners are in `corner`
    zn_scene_patch    *patch;
    int                corner_count, corner_capacity;
    zn_vec3           *corner;
    zn_patch_names     names;
} zn_report_patches;

/// The patches of one more frame from its contacts; of very many the strongest `most`.
zn_status zn_report_patches_add(zn_report_patches *patches, bool planar, const zn_vec3 *position, int count,
                                zn_scene_contact *contacts, double time, int most);
zn_status zn_report_patches_put(zn_report *report, zn_report_patches *patches, const zn_scene_info *info);
void      zn_report_patches_free(zn_report_patches *patches);

#endif
