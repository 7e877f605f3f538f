/// What a scene holds, and what its files offer each other.
#ifndef ZN_VIEW_SCENE_H
#define ZN_VIEW_SCENE_H

#include "io/frame_reader.h"
#include "system/contact_pressure.h"
#include "system/system.h"
#include "view/contact_patches.h"
#include "zn/scene.h"

/// What a drawing of the scene owns; the rest is borrowed from the model.
typedef struct zn_scene_arrays {
    zn_vec3 *points;
    int     *triangles;
} zn_scene_arrays;

struct zn_scene {
    const zn_result     *result; ///< borrowed
    zn_log               log;
    zn_problem          *problem;
    zn_system           *sys;
    zn_frame_reader      frames;
    zn_contact_set      *set;
    zn_scene_info        info;
    int                  link_capacity, surface_capacity, body_capacity, kept_capacity, contact_capacity;
    zn_node_kind        *kind;
    zn_vec3             *reference;
    zn_scene_block      *block;
    double              *measure; ///< of all cells
    zn_quat            **axes;    ///< of each block; NULL: it has none
    zn_scene_part       *part;
    zn_scene_body       *body;
    zn_scene_arrays     *kept; ///< of the drawings, body_count
    zn_scene_link       *link;
    zn_scene_surface    *surface;
    zn_contact_pressure *pressure;
    zn_scene_boundary   *boundary;
    int                 *boundary_node;
    int                  boundary_capacity, boundary_node_capacity;
    // of the frame last read
    double               before; ///< time of the frame before it; its own: there is none
    double              *boundary_pressure;
    double              *q_before; ///< of the frame before it
    double              *q, *v;
    zn_vec3             *position, *displacement, *velocity, *spin, *outline;
    zn_quat             *rotation;
    double              *energy, *stress;
    int                 *outline_size;
    zn_scene_contact    *contact;
    zn_contact_patches   patches;
};

/// Cells, parts and what is measured in them.
zn_status zn_scene_add_cells(zn_scene *scene);
void      zn_scene_measure_cells(zn_scene *scene);
/// Bodies with their drawings; call after links and surfaces.
zn_status zn_scene_add_bodies(zn_scene *scene);
/// Springs and joints, surfaces of contacts.
zn_status zn_scene_add_links(zn_scene *scene);
zn_status zn_scene_add_surfaces(zn_scene *scene);
/// Does the rule belong to a pin or ball of a joint with play? These are joints of a body, not its shape.
bool      zn_scene_is_pin(const zn_model *model, int rule);
/// Boundaries that contacts press on; the pressure of the contacts that were placed.
zn_status zn_scene_add_boundaries(zn_scene *scene);
void      zn_scene_measure_pressure(zn_scene *scene);
/// Contacts of the frame last read.
zn_status zn_scene_place_contacts(zn_scene *scene, int *count);

#endif
