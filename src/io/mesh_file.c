#include "io/mesh_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/obj.h"
#include "io/stl.h"
#include "math/finite.h"

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), more = strlen(end);
    return length >= more && strcasecmp(name + length - more, end) == 0;
}

static zn_status parse_corners(const char *bytes, size_t length, const char *name, const char *group, int *count,
                               zn_vec3 **corner, char *message, size_t size)
{
    if (ends_with(name, ".obj"))
        return zn_obj_parse(bytes, length, name, group, count, corner, message, size);
    zn_stl stl = {0};
    if (!ends_with(name, ".stl"))
        snprintf(message, size, "%s: surfaces are read from .stl and .obj files", name);
    else if (group != NULL)
        snprintf(message, size, "%s: an STL file has no groups, so no '%s'", name, group);
    else {
        ZN_TRY(zn_stl_parse(bytes, length, name, &stl, message, size));
        *count = stl.count / 3;
        *corner = stl.corner;
        return ZN_OK;
    }
    return ZN_ERR_MODEL;
}

zn_status zn_mesh_file_parse(const char *bytes, size_t length, const char *name, const char *group, double scale,
                             zn_triangles *out, char *message, size_t size)
{
    int      count = 0;
    zn_vec3 *corner = NULL;
    *out = (zn_triangles){0};
    ZN_TRY(parse_corners(bytes, length, name, group, &count, &corner, message, size));
    zn_status status = ZN_OK;
    for (int i = 0; i < 3 * count && status == ZN_OK; i++) {
        corner[i] = zn_vec3_scale(scale, corner[i]);
        if (!(zn_vec3_norm(corner[i]) < 1e100)) { // its cube is still a number
            snprintf(message, size, "%s: a corner of triangle %d is 1e100 m away or farther", name, i / 3 + 1);
            status = ZN_ERR_MODEL;
        }
    }
    if (status == ZN_OK && count > ZN_TRIANGLES_MAX) {
        snprintf(message, size, "%s: %d triangles are more than the limit of %d: make the mesh coarser", name, count,
                 (int)ZN_TRIANGLES_MAX);
        status = ZN_ERR_MODEL;
    }
    if (status == ZN_OK)
        status = zn_triangles_weld(count, corner, ZN_WELD_TOLERANCE * zn_points_extent(3 * count, corner), out);
    free(corner);
    return status;
}

zn_status zn_mesh_file_read(zn_inputs *inputs, const char *model, const char *file, const char *group, double scale,
                            zn_triangles *out, char *message, size_t size)
{
    zn_input_text input;
    *out = (zn_triangles){0};
    zn_status status = zn_inputs_read(inputs, model, file, &input, message, size);
    if (status == ZN_OK)
        status = zn_mesh_file_parse(input.text, input.length, input.path, group, scale, out, message, size);
    free(input.text);
    free(input.path);
    return status;
}
