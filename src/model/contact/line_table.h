/// Lines of edges of a polyhedron side by side, so that those near another line are found several at once.
#ifndef ZN_MODEL_CONTACT_LINE_TABLE_H
#define ZN_MODEL_CONTACT_LINE_TABLE_H

#include "model/contact/polyhedron.h"

enum { ZN_LINES = 48 }; ///< a multiple of four, at most 64

typedef struct zn_line_table {
    int    count, edge[ZN_LINES];
    double x[3][ZN_LINES], u[3][ZN_LINES], out[3][ZN_LINES]; ///< zeros up to a multiple of four
} zn_line_table;

/// The line of one more edge; there is room.
void zn_lines_add(zn_line_table *t, const zn_polyhedron *p, int edge);

/// The line of another body through x along u, with `out` between the normals beside it, all in the axes of the table.
/// Bit k is set unless line k is parallel to it, or they are deeper in each other than `least`, or farther apart than
/// `most`.
uint64_t zn_lines_near(const zn_line_table *t, zn_vec3 x, zn_vec3 u, zn_vec3 out, double least, double most);

#endif
