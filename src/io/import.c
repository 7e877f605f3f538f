// Model files from files of others: robots (URDF) and parts (STL, OBJ).
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/def.h"
#include "io/mesh_file.h"
#include "io/robot.h"
#include "io/text_file.h"
#include "model/contact/mesh_shape.h"
#include "model/contact/polyhedron.h"

ZN_DEFINE_DEF(zn_import_def, .scale = NAN, .density = NAN)

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), more = strlen(end);
    return length >= more && strcasecmp(name + length - more, end) == 0;
}

// --- robots --------------------------------------------------------------------------------------

static zn_status read_robot(const zn_import_def *def, const zn_access *allowed, const char *text, size_t length,
                            zn_robot *robot, char *message, size_t size)
{
    ZN_TRY(zn_urdf_parse(text, length, def->file, robot, message, size));
    for (int i = 0; i < def->value_count; i++)
        ZN_TRY(zn_robot_set(robot, def->values[i].name, def->values[i].value, message, size));
    ZN_TRY(zn_robot_place(robot, def->file, def->free_root, message, size));
    return zn_robot_find_meshes(robot, def, allowed, message, size);
}

static zn_status import_robot(const zn_import_def *def, const zn_access *allowed, const char *text, size_t length,
                              FILE *out, char *message, size_t size)
{
    zn_robot  robot;
    zn_status status = read_robot(def, allowed, text, length, &robot, message, size);
    if (status == ZN_OK)
        zn_robot_write(&robot, def->file, def->part, out);
    zn_robot_clear(&robot);
    return status;
}

// --- parts ---------------------------------------------------------------------------------------

static void bounds_of(const zn_triangles *t, zn_vec3 *low, zn_vec3 *high)
{
    *low = *high = t->point[0];
    for (int i = 1; i < t->points; i++) {
        *low = zn_vec3_make(fmin(low->x, t->point[i].x), fmin(low->y, t->point[i].y), fmin(low->z, t->point[i].z));
        *high = zn_vec3_make(fmax(high->x, t->point[i].x), fmax(high->y, t->point[i].y), fmax(high->z, t->point[i].z));
    }
}

// One body over a floor: it falls by half its height.
static void write_part(const zn_import_def *def, const zn_triangles *t, const char *seen, FILE *out)
{
    char        name[ZN_ROBOT_NAME], stem[ZN_ROBOT_NAME];
    const char *file = zn_file_name(def->file);
    zn_vec3     low, high;
    bounds_of(t, &low, &high);
    zn_vec3 size = zn_vec3_sub(high, low), origin = {-(low.x + high.x) / 2, -(low.y + high.y) / 2, size.z / 2 - low.z};
    snprintf(stem, sizeof stem, "%.*s", (int)(strrchr(file, '.') - file), file);
    zn_model_name(stem, name);
    if (strcmp(name, "floor") == 0 || strcmp(name, "touch") == 0) // names of others here
        strcat(name, "_part");
    fprintf(out, "# Made by 'zeno import' from %s: %d triangles, %g x %g x %g m.\n", file, t->count, size.x, size.y,
            size.z);
    fputs("# Assumed:", out);
    if (!(def->scale > 0))
        fputs(" one unit of the file is 1 mm ('scale'),", out);
    if (!(def->density > 0))
        fputs(" a density of 1000 kg/m^3,", out);
    fputs(" a floor below, friction 0.3.\nzeno: 1\n", out);
    fputs(def->part ? "" : "gravity: [0, 0, -9.81]\n", out);
    fprintf(out, "bodies:\n  %s: {%s: {file: ", name, def->hull ? "hull" : "mesh");
    zn_put_text(out, seen);
    fputs(", scale: ", out);
    zn_put_number(out, def->scale > 0 ? def->scale : 1e-3);
    fputs("}, density: ", out);
    zn_put_number(out, def->density > 0 ? def->density : 1000);
    fputs(", origin: ", out);
    zn_put_vector(out, origin);
    fputs("}\nshapes:\n  floor: {plane: [0, 0, 1]}\n", out);
    fprintf(out, "contacts:\n  touch: {between: [all], friction: 0.3}\nrecord:\n  position: %s.position\n", name);
    fputs(def->part ? "" : "run: {scheme: combined_projection, step: 1 ms, until: 0.6 s}\n", out);
}

static zn_status check_hull(const zn_import_def *def, const zn_triangles *t, char *message, size_t size)
{
    zn_polyhedron *hull = NULL;
    const char    *why = "have no hull";
    zn_status status = zn_polyhedron_hull(zn_vec3_make(0, 0, 0), zn_mat3_identity(), t->points, t->point, &hull, &why);
    zn_polyhedron_destroy(hull);
    if (status == ZN_ERR_MODEL)
        snprintf(message, size, "%s: its points %s", def->file, why);
    return status;
}

static zn_status check_mesh(const zn_import_def *def, const zn_triangles *t, char *message, size_t size)
{
    zn_mesh_shape *mesh = NULL;
    char           fault[300] = "out of memory";
    int            lost;
    zn_status status = zn_mesh_shape_make(t->points, t->point, t->count, t->corner, &mesh, &lost, fault, sizeof fault);
    zn_mesh_shape_destroy(mesh);
    if (status == ZN_ERR_MODEL)
        snprintf(message, size, "%s: %s; '--hull' takes its hull", def->file, fault);
    return status;
}

static zn_status import_part(const zn_import_def *def, const char *text, size_t length, FILE *out, char *message,
                             size_t size)
{
    zn_triangles t;
    ZN_TRY(zn_mesh_file_parse(text, length, def->file, NULL, def->scale > 0 ? def->scale : 1e-3, &t, message, size));
    char     *seen = zn_path_from(def->output, def->file);
    zn_status status = ZN_ERR_MEMORY;
    if (seen != NULL)
        status = (def->hull ? check_hull : check_mesh)(def, &t, message, size);
    if (status == ZN_OK)
        write_part(def, &t, seen, out);
    free(seen);
    zn_triangles_clear(&t);
    return status;
}

// --- by the end of the name ----------------------------------------------------------------------

zn_status zn_import(const zn_import_def *def, zn_log log, FILE *out)
{
    ZN_TAKE_DEF(zn_import_def, def, &log);
    if (def->file == NULL || def->output == NULL)
        return zn_fail(&log, ZN_ERR_ARGUMENT, "zn_import: it needs the names of both files");
    char   message[800] = "out of memory", *text = NULL;
    size_t length = 0;
    bool   robot = ends_with(def->file, ".urdf"), part = ends_with(def->file, ".stl") || ends_with(def->file, ".obj");
    if (!robot && !part)
        return zn_fail(&log, ZN_ERR_MODEL, "%s: what is imported is a .urdf, .stl, .obj or .xml (MJCF) file",
                       def->file);
    if (strpbrk(def->file, "'\n\r") != NULL)
        return zn_fail(&log, ZN_ERR_MODEL, "%s: a name with a quote or a line break cannot stand in a model file",
                       def->file);
    zn_access allowed = {0};
    zn_status status = zn_access_open(def->file, def->allow_count, def->allow, &log, &allowed);
    if (status != ZN_OK) {
        zn_access_close(&allowed);
        return status;
    }
    status = zn_text_file_read(def->file, &text, &length, message, sizeof message);
    if (status == ZN_OK)
        status = robot ? import_robot(def, &allowed, text, length, out, message, sizeof message)
                       : import_part(def, text, length, out, message, sizeof message);
    zn_access_close(&allowed);
    free(text);
    return status == ZN_OK ? ZN_OK : zn_fail(&log, status, "%s", message);
}
