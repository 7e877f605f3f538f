/// What a scene holds, and what its files offer each other.
#ifndef ZN_IO_SCENE_H
#define ZN_IO_SCENE_H

#include <hdf5.h>

#include "system/system.h"
#include "zn/scene.h"

/// Datasets of /frames, in this order.
enum { ZN_FRAMES_Q, ZN_FRAMES_V, ZN_FRAMES_LEDGER, ZN_FRAMES_EFFORT, ZN_FRAMES_END, ZN_FRAMES_TIME, ZN_FRAMES_SETS };

typedef struct zn_frame_reader {
    hid_t   set[ZN_FRAMES_SETS], contacts;
    int64_t count; ///< frames that are complete
    int     contact_capacity, contact_count;
    zn_frame_contact *contact; ///< of the frame last read
    double  t, ledger[ZN_LEDGER_LINES], effort[ZN_EFFORT_COLUMNS];
} zn_frame_reader;

/// Open /frames of a result for configurations of these sizes; a file without frames has a count of 0.
zn_status zn_frame_reader_open(const zn_result *result, int nq, int n_all, zn_frame_reader *out);
void      zn_frame_reader_close(zn_frame_reader *reader);
/// Read frame `index` into the reader, q and v (NULL: not wanted, nor contacts).
zn_status zn_frame_reader_read(zn_frame_reader *reader, const zn_result *result, int64_t index, double *q, double *v);

struct zn_scene {
    const zn_result *result; ///< borrowed
    zn_log           log;
    zn_problem      *problem;
    zn_system       *sys;
    zn_frame_reader  frames;
    zn_contact_set  *set;
    zn_scene_info    info;
    int              link_capacity, surface_capacity, body_capacity, hull_capacity, contact_capacity;
    zn_node_kind     *kind;
    zn_vec3          *reference;
    zn_scene_block   *block;
    double           *measure; ///< of all cells
    zn_scene_part    *part;
    zn_scene_body    *body;
    zn_vec3         **hull; ///< points of derived drawings, body_count
    zn_scene_link    *link;
    zn_scene_surface *surface;
    // of the frame last read
    double           *q, *v;
    zn_vec3          *position, *displacement, *velocity, *spin, *outline;
    zn_quat          *rotation;
    double           *energy, *stress;
    int              *outline_size;
    zn_scene_contact *contact;
};

/// Cells, parts and what is measured in them.
zn_status zn_scene_add_cells(zn_scene *scene);
void      zn_scene_measure_cells(zn_scene *scene);
/// Bodies with their drawings; call after links and surfaces.
zn_status zn_scene_add_bodies(zn_scene *scene);
/// Springs and joints, surfaces of contacts.
zn_status zn_scene_add_links(zn_scene *scene);
zn_status zn_scene_add_surfaces(zn_scene *scene);
/// Contacts of the frame last read.
zn_status zn_scene_place_contacts(zn_scene *scene, int *count);

#endif
