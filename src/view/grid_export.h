/// What the writers of grids share: frames one by one, in the C locale.
#ifndef ZN_VIEW_GRID_EXPORT_H
#define ZN_VIEW_GRID_EXPORT_H

#include "view/grid.h"

const zn_log *zn_grid_log(const zn_grid *grid); ///< of the scene
/// Make a grid, let `write` have it in the C locale, destroy the grid.
zn_status     zn_grid_export(zn_scene *scene, const char *path, zn_status (*write)(zn_grid *grid, const char *path));

#endif
