/// What the writers of grids share: frames one by one, in the C locale, and files that fail with a clear message.
#ifndef ZN_VIEW_GRID_EXPORT_H
#define ZN_VIEW_GRID_EXPORT_H

#include <stdio.h>

#include "view/grid.h"

/// Open `path` for a new file; a message in the log of the scene when that fails.
zn_status     zn_grid_file_open(const zn_grid *grid, const char *path, FILE **out);
/// Close it; the message tells what could not be written. `status` is handed back when it is a failure already.
zn_status     zn_grid_file_close(const zn_grid *grid, const char *path, FILE *file, zn_status status);
const zn_log *zn_grid_log(const zn_grid *grid);
/// Make a grid, let `write` have it in the C locale, destroy the grid.
zn_status     zn_grid_export(zn_scene *scene, const char *path, zn_status (*write)(zn_grid *grid, const char *path));

#endif
