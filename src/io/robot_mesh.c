// Files of meshes that a robot names: found, seen from the model file that is written, and tried. "package://NAME/REST"
// is sought as NAME/REST in the folders above the URDF file and as REST beside it; "file://" is a path. A surface that
// is not closed, as those for pictures often are, becomes its hull.
#define _XOPEN_SOURCE 700 // realpath
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "io/mesh_file.h"
#include "io/robot.h"
#include "io/text_file.h"
#include "model/contact/mesh_shape.h"
#include "model/contact/polyhedron.h"

enum { ANCESTORS = 8 };

#define SAY(...) (snprintf(message, size, __VA_ARGS__), ZN_ERR_MODEL)

// --- paths ---------------------------------------------------------------------------------------

char *zn_path_from(const char *from, const char *path)
{
    char   here[PATH_MAX + 1], there[PATH_MAX];
    char  *beside = zn_text_file_beside(from, ".");
    bool   known = beside != NULL && realpath(beside, here) != NULL && realpath(path, there) != NULL;
    size_t same = 0, up = 0; // same: up to the last '/' that both have
    free(beside);
    if (!known)
        return zn_copy_string(path);
    strcat(here, here[1] == '\0' ? "" : "/");
    for (size_t i = 0; here[i] != '\0' && here[i] == there[i]; i++)
        if (here[i] == '/')
            same = i + 1;
    for (size_t i = same; here[i] != '\0'; i++)
        up += here[i] == '/';
    char *out = ZN_NEW(char, 3 * up + strlen(there) + 1);
    for (size_t i = 0; out != NULL && i < up; i++)
        strcat(out, "../");
    return out != NULL ? strcat(out, there + same) : NULL;
}

static bool starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

// `file` beside `from` if it is there, malloc'ed; NULL: errno says why not.
static char *existing(const char *from, const char *file)
{
    char *path = zn_text_file_beside(from, file);
    if (path != NULL && access(path, F_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static char *find_package(const char *urdf, const char *rest)
{
    const char *inside = strchr(rest, '/');
    char       *found = inside != NULL ? existing(urdf, inside + 1) : NULL;
    char        up[PATH_MAX] = "";
    for (int i = 0; i <= ANCESTORS && found == NULL && errno != ENOMEM; i++) {
        char file[PATH_MAX + 4];
        if ((size_t)snprintf(file, sizeof file, "%s%s", up, rest) < sizeof file)
            found = existing(urdf, file);
        if (found == NULL && errno != ENOMEM && inside != NULL &&
            (size_t)snprintf(file, sizeof file, "%s%s", up, inside + 1) < sizeof file)
            found = existing(urdf, file);
        strcat(up, "../");
    }
    return found;
}

char *zn_package_folder(const char *urdf, const char *package, size_t length)
{
    char  here[PATH_MAX + sizeof "/package.xml"];
    char *beside = zn_text_file_beside(urdf, ".");
    bool  known = beside != NULL && realpath(beside, here) != NULL;
    free(beside);
    for (int i = 0; known && i <= ANCESTORS; i++) {
        char  *slash = strrchr(here, '/');
        size_t end = strlen(here);
        bool   named = strlen(slash + 1) == length && strncmp(slash + 1, package, length) == 0;
        if (slash == here)
            break;
        strcpy(here + end, "/package.xml");
        bool told = access(here, F_OK) == 0;
        here[end] = '\0';
        if (named || told)
            return zn_copy_string(here);
        *slash = '\0';
    }
    return NULL;
}

static char *find_mesh(const char *urdf, const char *name)
{
    errno = 0;
    if (starts(name, "package://"))
        return find_package(urdf, name + strlen("package://"));
    if (starts(name, "file://"))
        name += strlen("file://");
    return existing(urdf, name);
}

// --- what a file holds ---------------------------------------------------------------------------

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), more = strlen(end);
    return length >= more && strcasecmp(name + length - more, end) == 0;
}

bool zn_is_stl(const char *file) { return ends_with(file, ".stl"); }

// A Collada file cannot be read; one of another format with the same name beside it can.
static zn_status replace_collada(zn_robot *robot, const zn_robot_shape *shape, const char *urdf, char **path,
                                 char *message, size_t size)
{
    static const char *const ends[] = {".stl", ".STL", ".obj"};
    char                    *other = zn_copy_string(*path);
    for (size_t i = 0; i < ZN_COUNT(ends) && other != NULL; i++) {
        strcpy(other + strlen(other) - 4, ends[i]);
        if (access(other, F_OK) == 0) {
            free(*path);
            *path = other;
            return zn_robot_note(robot, "%s:%d: Collada is not read: '%s' in its place", zn_file_name(urdf),
                                 shape->line, other);
        }
    }
    free(other);
    return SAY("%s:%d: mesh '%s': Collada files are not read: put the same surface as .stl or .obj beside it ('assimp "
               "export part.dae part.stl', or with Blender or MeshLab)",
               urdf, shape->line, shape->file);
}

static zn_status try_surface(zn_robot *robot, zn_robot_shape *shape, const zn_triangles *t, const char *urdf, bool hull,
                             char *message, size_t size)
{
    zn_mesh_shape *mesh = NULL;
    zn_polyhedron *body = NULL;
    const char    *why = "have no hull";
    char           fault[300];
    int            lost;
    shape->form = ZN_ROBOT_MESH;
    if (!hull) {
        zn_status status =
            zn_mesh_shape_make(t->points, t->point, t->count, t->corner, &mesh, &lost, fault, sizeof fault);
        zn_mesh_shape_destroy(mesh);
        if (status == ZN_OK || status == ZN_ERR_MEMORY)
            return status;
        ZN_TRY(zn_robot_note(robot, "%s:%d: '%s' is taken as its hull: %s", zn_file_name(urdf), shape->line,
                             shape->file, fault));
    }
    shape->form = ZN_ROBOT_HULL;
    zn_status status = zn_polyhedron_hull(zn_vec3_make(0, 0, 0), zn_mat3_identity(), t->points, t->point, &body, &why);
    zn_polyhedron_destroy(body);
    return status == ZN_ERR_MODEL ? SAY("%s:%d: mesh '%s': its points %s", urdf, shape->line, shape->file, why)
                                  : status;
}

// `there`: where the path leads to.
static zn_status try_mesh(zn_robot *robot, zn_robot_shape *shape, const char *path, const char *there, const char *urdf,
                          bool hull, char *message, size_t size)
{
    zn_triangles t = {0};
    char         fault[300] = "out of memory", *text = NULL;
    size_t       length = 0;
    zn_status    status = zn_text_file_read_followed(there, &text, &length, fault, sizeof fault);
    if (status == ZN_OK)
        status = zn_mesh_file_parse(text, length, path, NULL, shape->scale, &t, fault, sizeof fault);
    free(text);
    if (status != ZN_OK) {
        snprintf(message, size, "%s:%d: mesh %s", urdf, shape->line, fault);
        return status;
    }
    status = shape->visual ? ZN_OK : try_surface(robot, shape, &t, urdf, hull, message, size);
    zn_triangles_clear(&t);
    return status;
}

// --- all of them ---------------------------------------------------------------------------------

// Is what is only seen going to be drawn? Not where something of the same body can be touched, or on the ground.
static bool is_wanted(const zn_robot *robot, const zn_robot_shape *shape)
{
    int body = robot->link[shape->link].body;
    if (!shape->visual)
        return true;
    for (int i = 0; i < robot->shapes; i++)
        if (!robot->shape[i].visual && robot->link[robot->shape[i].link].body == body)
            return false;
    return body >= 0 && zn_is_stl(shape->file);
}

// May it be read? What a package holds belongs to the URDF file that is in it.
// `*there`: where it is, malloc'ed.
static zn_status check_access(const zn_import_def *def, const zn_robot_shape *shape, const zn_access *allowed,
                              const char *path, char **there, char *message, size_t size)
{
    const char *package = starts(shape->file, "package://") ? shape->file + strlen("package://") : NULL;
    errno = 0;
    char     *folder = package != NULL ? zn_package_folder(def->file, package, strcspn(package, "/")) : NULL;
    bool      full = folder == NULL && errno == ENOMEM; // "out of memory" is in the message already
    zn_access own = {.home = folder};
    bool      good;
    *there = zn_access_follow(allowed, path, &good);
    full |= *there == NULL && errno == ENOMEM;
    if (!good) {
        free(*there);
        *there = zn_access_follow(&own, path, &good);
        full |= *there == NULL && errno == ENOMEM;
    }
    if (!good && !full) {
        int  n = snprintf(message, size, "%s:%d: mesh ", def->file, shape->line);
        bool room = n >= 0 && (size_t)n < size;
        if (room && *there == NULL)
            zn_access_missing(shape->file, message + n, size - (size_t)n);
        else if (room)
            zn_access_explain(shape->file, *there, message + n, size - (size_t)n);
    }
    free(folder);
    return good ? ZN_OK : full ? ZN_ERR_MEMORY : ZN_ERR_MODEL;
}

static zn_status find_one(zn_robot *robot, zn_robot_shape *shape, const zn_import_def *def, const zn_access *allowed,
                          char *message, size_t size)
{
    const char *file = def->file;
    char       *path = find_mesh(file, shape->file);
    if (path == NULL && errno == ENOMEM)
        return ZN_ERR_MEMORY;
    if (path == NULL)
        return SAY("%s:%d: mesh '%s': no such file%s", file, shape->line, shape->file,
                   starts(shape->file, "package://") ? " in the folders around the URDF file" : "");
    zn_status status = ends_with(path, ".dae") ? replace_collada(robot, shape, file, &path, message, size) : ZN_OK;
    char     *there = NULL;
    if (status == ZN_OK)
        status = check_access(def, shape, allowed, path, &there, message, size);
    if (status == ZN_OK)
        status = try_mesh(robot, shape, path, there, file, def->hull, message, size);
    free(there);
    if (status == ZN_OK) {
        char *seen = zn_path_from(def->output, path);
        free(shape->file);
        shape->file = seen;
        status = seen == NULL ? ZN_ERR_MEMORY : ZN_OK;
    }
    free(path);
    return status;
}

zn_status zn_robot_find_meshes(zn_robot *robot, const zn_import_def *def, const zn_access *allowed, char *message,
                               size_t size)
{
    bool outside = false;
    snprintf(message, size, "%s: out of memory", def->file);
    for (int i = 0; i < robot->shapes; i++)
        if (robot->shape[i].form == ZN_ROBOT_MESH && is_wanted(robot, &robot->shape[i])) {
            ZN_TRY(find_one(robot, &robot->shape[i], def, allowed, message, size));
            outside |= starts(robot->shape[i].file, "../") || starts(robot->shape[i].file, "/");
        }
    return outside ? zn_robot_note(robot, "meshes are outside the folder of this file: --allow-path lets them be read")
                   : ZN_OK;
}
