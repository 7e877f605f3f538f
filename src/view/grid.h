/// A scene as an unstructured grid, the form in which VTK and XDMF want it: points, cells and values on both. Cells
/// stay the same in all frames.
#ifndef ZN_VIEW_GRID_H
#define ZN_VIEW_GRID_H

#include "view/patch_name.h"
#include "zn/scene.h"

/// Types of cells that are not elements, with the numbers of VTK.
enum {
    ZN_GRID_VERTEX = 1,
    ZN_GRID_LINE = 3,
    ZN_GRID_TRIANGLE = 5,
    ZN_GRID_POLYGON = 7,
    ZN_GRID_QUAD = 9,
};

/// Patches of contacts as cells with points of their own.
typedef struct zn_grid_patches {
    int            count, capacity;
    int            corner_count;
    const zn_vec3 *corner; ///< borrowed from the scene
    int           *end;    ///< of each cell, in the corners, which have the numbers 0, 1, ...
    unsigned char *type;   ///< ZN_GRID_
    int           *pair;   ///< number of the name, in `names`
    zn_vec3       *normal, *centre, *impulse;
    double        *force, *area, *pressure;
    zn_patch_names names;
} zn_grid_patches;

typedef struct zn_grid {
    zn_scene      *scene; ///< borrowed
    zn_scene_info  info;
    int            point_count, point_capacity, cell_count, cell_capacity, corner_count, corner_capacity;
    // points: first those of the nodes that have a position, then those of bodies, links and outlines
    int           *node;    ///< that carries the point; -1: none
    zn_vec3       *arm;     ///< in the axes of the node; without one in world axes
    int           *place;   ///< of each node of the scene: its point, or -1
    int            outline; ///< first point of the outlines
    // cells
    int           *corner; ///< points of all cells
    int           *end;    ///< of each cell, in `corner`
    unsigned char *type;   ///< ZN_GRID_
    int           *part;   ///< in zn_scene_info; -1: none (rods, outlines)
    zn_quat       *colour; ///< red, green, blue and opacity from 0 to 1; NaN: the model says none
    // the first frame, which displacements of bodies count from
    zn_quat       *start_rotation;
    zn_vec3       *start_outline;
    // the frame last read
    double         t;
    zn_vec3       *position, *displacement, *velocity;
    double        *pressure; ///< of each point; NaN: it is not on a boundary that contacts press on
    zn_quat       *rotation;
    double        *energy, *stress; ///< of each cell; NaN: there is none
    int            contact_count, contact_capacity;
    zn_vec3       *contact_position, *contact_normal, *contact_impulse;
    double        *contact_gap;
    int           *contact_state;
    int (*contact_facet)[4]; ///< points of the facet that it acts on; -1: none
    zn_grid_patches patches;
} zn_grid;

/// One array of values, for writers that go through all of them.
typedef struct zn_grid_array {
    const char *name;
    bool        of_cells;
    bool        whole; ///< 32-bit integers; else doubles
    int         components;
    const void *values;
} zn_grid_array;

/// `scene` is borrowed and must have frames.
zn_status zn_grid_create(zn_scene *scene, zn_grid **out);
zn_grid  *zn_grid_destroy(zn_grid *grid); ///< accepts NULL, returns NULL
zn_status zn_grid_read(zn_grid *grid, int64_t frame);

enum { ZN_GRID_ARRAYS = 9, ZN_GRID_CONTACT_ARRAYS = 5, ZN_GRID_PATCH_ARRAYS = 7 };
/// Values on points and cells of the machine; on the points of its contacts.
void zn_grid_arrays(const zn_grid *grid, zn_grid_array out[ZN_GRID_ARRAYS]);
void zn_grid_contact_arrays(const zn_grid *grid, zn_grid_array out[ZN_GRID_CONTACT_ARRAYS]);

/// Patches of a frame, and the values on them.
zn_status zn_grid_place_patches(zn_grid_patches *patches, const zn_scene_frame *frame);
void      zn_grid_patches_free(zn_grid_patches *patches);
void      zn_grid_patch_arrays(const zn_grid_patches *patches, zn_grid_array out[ZN_GRID_PATCH_ARRAYS]);

#endif
