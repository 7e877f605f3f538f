// Patches as arrays over all frames: numbers, corners, names.
#include "view/report_patches.h"

#include <stdlib.h>

#include "base/array.h"

enum { VALUES = 12 }; // normal, centre, impulse, force, area, pressure

void zn_report_patches_free(zn_report_patches *p)
{
    zn_contact_patches_free(&p->found);
    free(p->end);
    free(p->patch);
    free(p->corner);
    free(p->names.patch);
    *p = (zn_report_patches){0};
}

static int larger(const void *a, const void *b)
{
    double p = *(const double *)a, q = *(const double *)b;
    return p < q ? 1 : p > q ? -1 : 0;
}

// The force of the patch number `most`, counted from the strongest; 0: there are not so many.
static zn_status find_weakest(const zn_contact_patches *found, int most, double *out)
{
    double *force = found->count > most ? ZN_NEW(double, found->count) : NULL;
    *out = 0;
    if (force == NULL)
        return found->count > most ? ZN_ERR_MEMORY : ZN_OK;
    for (int i = 0; i < found->count; i++)
        force[i] = found->patch[i].force;
    qsort(force, (size_t)found->count, sizeof *force, larger);
    *out = force[most];
    free(force);
    return ZN_OK;
}

zn_status zn_report_patches_add(zn_report_patches *p, bool planar, const zn_vec3 *position, int count,
                                zn_scene_contact *contacts, double time, int most)
{
    zn_contact_patches *found = &p->found;
    double              weakest;
    ZN_TRY(zn_contact_patches_find(found, planar, position, count, contacts, time));
    ZN_TRY(find_weakest(found, most, &weakest));
    for (int i = 0; i < found->count; i++) {
        zn_scene_patch patch = found->patch[i];
        if (!(patch.force > weakest))
            continue;
        for (int k = 0; k < patch.corners; k++)
            ZN_TRY(ZN_PUSH(p->corner, p->corner_count, p->corner_capacity, found->corner[patch.first + k]));
        patch.first = p->corner_count - patch.corners;
        ZN_TRY(ZN_PUSH(p->patch, p->count, p->capacity, patch));
    }
    for (int i = 0; i < count; i++) // of those that are not shown contacts are seen alone
        if (contacts[i].patch >= 0 && !(found->patch[contacts[i].patch].force > weakest))
            contacts[i].patch = -1;
    return ZN_PUSH(p->end, p->frames, p->frame_capacity, p->count);
}

static void put_vectors(float *out, int count, const zn_vec3 *v)
{
    for (int i = 0; i < count; i++, out += 3) {
        out[0] = (float)v[i].x;
        out[1] = (float)v[i].y;
        out[2] = (float)v[i].z;
    }
}

static void put_numbers(zn_report *report, const zn_report_patches *p)
{
    zn_report_out *out = &report->out;
    char           name[ZN_REPORT_NAME];
    zn_report_array(out, zn_report_name(report, "patch_end", -1, name), "i4", p->end, sizeof(int) * (size_t)p->frames);
    zn_report_array_begin(out, zn_report_name(report, "patch", -1, name), "f4");
    for (int i = 0; i < p->count; i++) {
        const zn_scene_patch *q = &p->patch[i];
        float                 values[VALUES];
        put_vectors(values, 3, (zn_vec3[3]){q->normal, q->centre, q->impulse});
        values[9] = (float)q->force;
        values[10] = (float)q->area;
        values[11] = (float)q->pressure;
        zn_report_bytes(out, values, sizeof values);
    }
    zn_report_array_end(out);
    zn_report_array_begin(out, zn_report_name(report, "patch_corner", -1, name), "f4");
    for (int i = 0; i < p->corner_count; i++) {
        float at[3];
        put_vectors(at, 1, &p->corner[i]);
        zn_report_bytes(out, at, sizeof at);
    }
    zn_report_array_end(out);
}

zn_status zn_report_patches_put(zn_report *report, zn_report_patches *p, const zn_scene_info *info)
{
    zn_report_out *out = &report->out;
    char           name[ZN_REPORT_NAME], text[ZN_PATCH_NAME];
    put_numbers(report, p);
    zn_report_array_begin(out, zn_report_name(report, "patch_count", -1, name), "i4"); // corners, name
    for (int i = 0, at; i < p->count; i++) {
        ZN_TRY(zn_patch_names_find(&p->names, &p->patch[i], &at));
        zn_report_bytes(out, (int[2]){p->patch[i].corners, at}, 2 * sizeof(int));
    }
    zn_report_array_end(out);
    zn_report_json_begin(out, zn_report_name(report, "patch_names", -1, name));
    zn_report_open(out, NULL, '[');
    for (int i = 0; i < p->names.count; i++)
        zn_report_text(out, NULL, zn_patch_name(info, &p->names.patch[i], text));
    zn_report_close(out, ']');
    zn_report_json_end(out);
    return ZN_OK;
}
