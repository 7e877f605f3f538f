/// The facets of a solid's surface as rules of contact hold them: corners, neighbours, and where they end.
#ifndef ZN_MODEL_BUILD_FACET_TABLE_H
#define ZN_MODEL_BUILD_FACET_TABLE_H

#include "model/contact/nodes_facets.h"
#include "model/element/solid_faces.h"

typedef struct zn_facet_table {
    zn_solid_faces faces;
    int           *start, *facet; ///< facets at each node: facet[start[n]] ... facet[start[n + 1] - 1]
    int           *seen;          ///< scratch, one per facet
    int           *order;         ///< facets in a tree
    int            stars;         ///< pairs of a facet and one that shares a node with it
} zn_facet_table;

/// Facets of a part, see zn_solid_faces_find; `name` is that of the contact. Free it also on failure.
zn_status zn_facet_table_make(const zn_model *model, const char *name, const char *part, const char *face,
                              zn_facet_table *out);
void      zn_facet_table_free(zn_facet_table *table);

double zn_facet_table_longest_side(const zn_facet_table *table, const zn_model *model);
/// Sets the pointers of a rule with its numbers of points, facets and corners into the memory behind it; returns the
/// size of both.
size_t zn_facet_table_lay_out(zn_nodes_facets *p, int stars);
/// Fills that memory.
void   zn_facet_table_fill(const zn_facet_table *table, const zn_contact_points *points, zn_nodes_facets *p);

#endif
