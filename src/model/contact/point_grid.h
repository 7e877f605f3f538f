/// Points sorted into equal cells, so that those in a box are found without looking at all of them.
#ifndef ZN_MODEL_CONTACT_POINT_GRID_H
#define ZN_MODEL_CONTACT_POINT_GRID_H

#include <stddef.h>

#include "zn/math.h"

typedef struct zn_point_grid {
    const zn_vec3 *point; ///< borrowed
    zn_vec3        low;
    double         size; ///< of a cell
    int            cells[3];
    int           *start; ///< points of cell c: order[start[c]] ... order[start[c + 1] - 1]
    int           *order;
} zn_point_grid;

/// Bytes of memory a grid of `count` points needs.
size_t zn_point_grid_bytes(int count);
/// Sort points into cells at least as large as `size`; points that are not finite are left out. `memory` is borrowed.
void   zn_point_grid_build(int count, const zn_vec3 *point, double size, void *memory, zn_point_grid *out);

/// First and last cell in each direction that a box meets; false when it meets none.
bool zn_point_grid_range(const zn_point_grid *grid, zn_vec3 low, zn_vec3 high, int first[3], int last[3]);

/// Every point in a box around the `count` corners of something, `margin` larger on all sides.
void zn_point_grid_visit(const zn_point_grid *grid, int count, const zn_vec3 *corner, double margin,
                         void (*visit)(void *user, int point), void *user);

#endif
