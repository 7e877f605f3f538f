// What the writers of grids share.
#include "view/grid_export.h"

#include <locale.h>

#include "io/result_reader.h"
#include "view/scene.h"

const zn_log *zn_grid_log(const zn_grid *grid) { return &grid->scene->log; }

zn_status zn_grid_export(zn_scene *scene, const char *path, zn_status (*write)(zn_grid *grid, const char *path))
{
    zn_grid *grid;
    if (zn_scene_get_info(scene).frame_count == 0)
        return zn_fail(&scene->log, ZN_ERR_UNSUPPORTED, "%s: it holds no frames (was it run with frames: 0?)",
                       zn_result_path(scene->result));
    ZN_TRY(zn_result_spare(scene->result, path));
    ZN_TRY(zn_grid_create(scene, &grid));
    locale_t  c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = c != (locale_t)0 ? uselocale(c) : (locale_t)0;
    zn_status status = c != (locale_t)0 ? write(grid, path) : ZN_ERR_MEMORY;
    if (c != (locale_t)0) {
        uselocale(before);
        freelocale(c);
    }
    zn_grid_destroy(grid);
    return status;
}
