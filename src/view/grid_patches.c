// Patches of contacts as cells of an unstructured grid.
#include <stdlib.h>

#include "base/array.h"
#include "view/grid.h"

static zn_status reserve(zn_grid_patches *p, int count)
{
    int end = p->capacity, type = end, pair = end, normal = end, centre = end, impulse = end, force = end, area = end;
    ZN_TRY(zn_grow(&p->end, &end, count, sizeof *p->end));
    ZN_TRY(zn_grow(&p->type, &type, count, sizeof *p->type));
    ZN_TRY(zn_grow(&p->pair, &pair, count, sizeof *p->pair));
    ZN_TRY(zn_grow(&p->normal, &normal, count, sizeof *p->normal));
    ZN_TRY(zn_grow(&p->centre, &centre, count, sizeof *p->centre));
    ZN_TRY(zn_grow(&p->impulse, &impulse, count, sizeof *p->impulse));
    ZN_TRY(zn_grow(&p->force, &force, count, sizeof *p->force));
    ZN_TRY(zn_grow(&p->area, &area, count, sizeof *p->area));
    return zn_grow(&p->pressure, &p->capacity, count, sizeof *p->pressure);
}

zn_status zn_grid_place_patches(zn_grid_patches *p, const zn_scene_frame *frame)
{
    ZN_TRY(reserve(p, frame->patch_count));
    p->count = frame->patch_count;
    p->corner = frame->patch_corners;
    p->corner_count = 0;
    for (int i = 0; i < p->count; i++) {
        const zn_scene_patch *q = &frame->patches[i];
        ZN_TRY(zn_patch_names_find(&p->names, q, &p->pair[i]));
        p->corner_count += q->corners; // they follow each other
        p->end[i] = p->corner_count;
        p->type[i] = q->line ? ZN_GRID_LINE : ZN_GRID_POLYGON;
        p->normal[i] = q->normal;
        p->centre[i] = q->centre;
        p->impulse[i] = q->impulse;
        p->force[i] = q->force;
        p->area[i] = q->area;
        p->pressure[i] = q->pressure;
    }
    return ZN_OK;
}

void zn_grid_patch_arrays(const zn_grid_patches *p, zn_grid_array out[ZN_GRID_PATCH_ARRAYS])
{
    const zn_grid_array arrays[ZN_GRID_PATCH_ARRAYS] = {
        {"pair", true, true, 1, p->pair},        {"force", true, false, 1, p->force},
        {"area", true, false, 1, p->area},       {"pressure", true, false, 1, p->pressure},
        {"impulse", true, false, 3, p->impulse}, {"normal", true, false, 3, p->normal},
        {"centre", true, false, 3, p->centre}};
    for (int i = 0; i < ZN_GRID_PATCH_ARRAYS; i++)
        out[i] = arrays[i];
}

void zn_grid_patches_free(zn_grid_patches *p)
{
    void *const owned[] = {p->end,     p->type,  p->pair, p->normal,   p->centre,
                           p->impulse, p->force, p->area, p->pressure, p->names.patch};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
}
