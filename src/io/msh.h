/// Meshes from Gmsh files (.msh), versions 2.2 and 4.1, ASCII.
#ifndef ZN_IO_MSH_H
#define ZN_IO_MSH_H

#include "zn/model.h"

enum { ZN_MSH_NAME = 63, ZN_MSH_NODES = 8 };

/// A named physical group.
typedef struct zn_msh_group {
    int  dim, tag;
    char name[ZN_MSH_NAME + 1];
} zn_msh_group;

/// Version 4: a geometric entity, with `count` physical tags from `first` on.
typedef struct zn_msh_entity {
    int dim, tag, first, count;
} zn_msh_entity;

typedef struct zn_msh_node {
    int     tag;
    zn_vec3 at;
} zn_msh_node;

typedef struct zn_msh_element {
    int type; ///< number of Gmsh
    int line;
    int dim;                ///< -1: of an unknown type
    int owner;              ///< version 2: physical tag, 0 for none; version 4: place of the entity, -1 for none
    int node[ZN_MSH_NODES]; ///< tags; none of types that are not supported
} zn_msh_element;

/// The file as it is.
typedef struct zn_msh {
    bool            entities_own; ///< version 4: physical tags belong to entities
    int             group_count, group_capacity;
    zn_msh_group   *group;
    int             entity_count, entity_capacity;
    zn_msh_entity  *entity; ///< sorted by dimension and tag
    int             physical_count, physical_capacity;
    int            *physical;
    int             node_count, node_capacity;
    zn_msh_node    *node; ///< in the order of the file
    int             element_count, element_capacity;
    zn_msh_element *element;
} zn_msh;

/// Nodes of an element type that is supported (point, line2, tri3, quad4, tet4, hex8), else 0.
int zn_msh_type_nodes(int type);

/// A file in memory; `name` stands for it. On an error `message` says what is wrong, with file and line.
zn_status zn_msh_parse(const char *text, size_t length, const char *name, zn_msh **out, char *message, size_t size);
zn_msh   *zn_msh_destroy(zn_msh *msh); ///< accepts NULL, returns NULL

/// The elements of a physical group (NULL: of all solids in the file) as a mesh; all must have one shape, quad4 in the
/// plane, tet4 or hex8 in space. Nodes keep the order of the file. Each other named group that touches the mesh becomes
/// a set; one with elements of an unsupported type does not. `name` stands for the file in messages.
zn_status zn_msh_mesh(const zn_msh *msh, const char *group, bool planar, const char *name, zn_mesh **out, char *message,
                      size_t size);
/// Why a named group is no set: line of an element of unsupported type in it, or 0.
int       zn_msh_unsupported(const zn_msh *msh, const char *group);

#endif
