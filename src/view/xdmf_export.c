// Frames as XDMF: a text that describes a series of grids, and an HDF5 file with their numbers.
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alive.h"
#include "base/array.h"
#include "view/grid_export.h"
#include "io/new_file.h"
#include "io/result.h"
#include "io/result_reader.h"
#include "io/text_file.h"
#include "view/scene.h"

typedef struct writer {
    zn_grid     *grid;
    const char  *path;                      // of the text
    char        *data, *contacts, *patches; // other files: numbers, contacts, patches of them
    char        *part;                      // of the numbers, while they are written
    const char  *data_name;                 // without folders
    zn_new_file *text_file, *contacts_file, *patches_file;
    FILE        *text, *contacts_text, *patches_text;
    hid_t        file;
    int          error; // of the HDF5 file, an errno value
    bool         wrong; // HDF5 failed
    int          topology_size;
} writer;

// --- numbers -------------------------------------------------------------------------------------

static void put_data(writer *w, const char *path, bool whole, int rows, int columns, const void *values)
{
    hsize_t size[2] = {(hsize_t)rows, (hsize_t)columns};
    hid_t   links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(columns > 1 ? 2 : 1, size, NULL), set = -1;
    hid_t   type = whole ? H5T_NATIVE_INT32 : H5T_NATIVE_DOUBLE;
    bool    ok = links >= 0 && space >= 0 && H5Pset_create_intermediate_group(links, 1) >= 0;
    if (ok)
        set = H5Dcreate2(w->file, path, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    ok = ok && set >= 0 && (rows == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (set >= 0)
        H5Dclose(set);
    if (space >= 0)
        H5Sclose(space);
    if (links >= 0)
        H5Pclose(links);
    w->wrong = w->wrong || !ok;
}

static void put_escaped(FILE *file, const char *text)
{
    for (; *text != '\0'; text++)
        if (strchr("&<>\"", *text) != NULL)
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
}

static void put_item(const writer *w, FILE *text, const char *path, bool whole, int rows, int columns)
{
    fprintf(text, "<DataItem DataType=\"%s\" Precision=\"%d\" Dimensions=\"%d", whole ? "Int" : "Float", whole ? 4 : 8,
            rows);
    if (columns > 1)
        fprintf(text, " %d", columns);
    fputs("\" Format=\"HDF\">", text);
    put_escaped(text, w->data_name);
    fprintf(text, ":%s</DataItem>\n", path);
}

// Types of cells in XDMF, by the numbers of VTK: triangle, quadrilateral, tetrahedron, hexahedron, wedge, pyramid.
// Lines (2) are followed by the number of their points. A vertex is a line that begins where it ends: readers do not
// agree on the other form.
static zn_status put_topology(writer *w)
{
    static const int types[] = {[1] = 2, [3] = 2, [5] = 4, [9] = 5, [10] = 6, [12] = 9, [13] = 8, [14] = 7};
    const zn_grid   *g = w->grid;
    int             *item = ZN_NEW(int, 3 * (size_t)g->cell_count + (size_t)g->corner_count), count = 0;
    if (item == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0, at = 0; i < g->cell_count; i++) {
        int type = (size_t)g->type[i] < sizeof types / sizeof *types ? types[g->type[i]] : 0;
        if (type == 0) {
            free(item);
            return zn_fail(zn_grid_log(g), ZN_ERR_UNSUPPORTED, "XDMF knows no cells of type %d of VTK", g->type[i]);
        }
        item[count++] = type;
        if (type == 2)
            item[count++] = 2;
        if (g->type[i] == ZN_GRID_VERTEX)
            item[count++] = g->corner[at];
        for (; at < g->end[i]; at++)
            item[count++] = g->corner[at];
    }
    w->topology_size = count;
    put_data(w, "/topology", true, count, 1, item);
    free(item);
    return ZN_OK;
}

// --- text ----------------------------------------------------------------------------------------

static void put_attributes(writer *w, FILE *text, const char *group, int arrays, const zn_grid_array *array, int points,
                           int cells)
{
    for (int i = 0; i < arrays; i++) {
        const zn_grid_array *a = &array[i];
        int                  rows = a->of_cells ? cells : points;
        char                 path[96];
        // what stays the same is stored once
        bool fixed = a->values == w->grid->part || a->values == w->grid->node || a->values == w->grid->colour;
        snprintf(path, sizeof path, "%s/%s", fixed ? "" : group, a->name);
        fprintf(text, "<Attribute Name=\"%s\" AttributeType=\"%s\" Center=\"%s\">", a->name,
                a->components == 1   ? "Scalar"
                : a->components == 3 ? "Vector"
                                     : "Matrix",
                a->of_cells ? "Cell" : "Node");
        put_item(w, text, path, a->whole, rows, a->components);
        fputs("</Attribute>\n", text);
        if (!fixed)
            put_data(w, path, a->whole, rows, a->components, a->values);
    }
}

static void put_grid_begin(const writer *w, FILE *text)
{
    fprintf(text, "<Grid Name=\"frame\" GridType=\"Uniform\">\n<Time Value=\"%.17g\"/>\n", w->grid->t);
}

static void put_geometry(writer *w, FILE *text, const char *group, int count, const zn_vec3 *points)
{
    char path[96];
    snprintf(path, sizeof path, "%s/points", group);
    fputs("<Geometry GeometryType=\"XYZ\">", text);
    put_item(w, text, path, false, count, 3);
    fputs("</Geometry>\n", text);
    put_data(w, path, false, count, 3, points);
}

// Names of the parts by their numbers.
static void put_parts(const writer *w)
{
    for (int i = 0; i < w->grid->info.part_count; i++) {
        fprintf(w->text, "<Information Name=\"part %d\" Value=\"", i);
        put_escaped(w->text, w->grid->info.parts[i].name);
        fputs("\"/>\n", w->text);
    }
}

static void put_scene(writer *w, int64_t index)
{
    const zn_grid *g = w->grid;
    zn_grid_array  array[ZN_GRID_ARRAYS];
    char           group[40];
    snprintf(group, sizeof group, "/frames/%06lld", (long long)index);
    put_grid_begin(w, w->text);
    if (index == 0)
        put_parts(w);
    fprintf(w->text, "<Topology TopologyType=\"Mixed\" NumberOfElements=\"%d\">", g->cell_count);
    put_item(w, w->text, "/topology", true, w->topology_size, 1);
    fputs("</Topology>\n", w->text);
    put_geometry(w, w->text, group, g->point_count, g->position);
    zn_grid_arrays(g, array);
    put_attributes(w, w->text, group, ZN_GRID_ARRAYS, array, g->point_count, g->cell_count);
    fputs("</Grid>\n", w->text);
}

// Grids without points are not read by all programs: a frame without contacts has one point with status -1.
static zn_status put_contacts(writer *w, int64_t index)
{
    const zn_grid *g = w->grid;
    int            count = g->contact_count > 0 ? g->contact_count : 1, *number = ZN_NEW(int, count);
    const int      none[4] = {-1, -1, -1, -1};
    const zn_vec3  zero = {0, 0, 0};
    const double   gap = NAN;
    char           group[40], path[64];
    zn_grid_array  array[ZN_GRID_CONTACT_ARRAYS];
    if (number == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < count; i++)
        number[i] = i;
    snprintf(group, sizeof group, "/contacts/%06lld", (long long)index);
    snprintf(path, sizeof path, "%s/cells", group);
    zn_grid_contact_arrays(g, array);
    for (int i = 0; i < ZN_GRID_CONTACT_ARRAYS && g->contact_count == 0; i++)
        array[i].values = array[i].whole ? (const void *)none : array[i].components == 3 ? (const void *)&zero : &gap;
    put_grid_begin(w, w->contacts_text);
    fprintf(w->contacts_text, "<Topology TopologyType=\"Polyvertex\" NumberOfElements=\"%d\" NodesPerElement=\"1\">",
            count);
    put_item(w, w->contacts_text, path, true, count, 1);
    put_data(w, path, true, count, 1, number);
    fputs("</Topology>\n", w->contacts_text);
    put_geometry(w, w->contacts_text, group, count, g->contact_count > 0 ? g->contact_position : &zero);
    put_attributes(w, w->contacts_text, group, ZN_GRID_CONTACT_ARRAYS, array, count, count);
    fputs("</Grid>\n", w->contacts_text);
    free(number);
    return ZN_OK;
}

// A frame without patches has one line without length, whose pair is -1.
static void put_no_patch(writer *w, const char *group)
{
    const int     none = -1, cell[4] = {2, 2, 0, 0};
    const zn_vec3 zero = {0, 0, 0}, nothing = {NAN, NAN, NAN};
    zn_grid_array array[ZN_GRID_PATCH_ARRAYS];
    char          path[64];
    zn_grid_patch_arrays(&w->grid->patches, array);
    for (int i = 0; i < ZN_GRID_PATCH_ARRAYS; i++)
        array[i].values = array[i].whole ? (const void *)&none : &nothing;
    snprintf(path, sizeof path, "%s/cells", group);
    fputs("<Topology TopologyType=\"Mixed\" NumberOfElements=\"1\">", w->patches_text);
    put_item(w, w->patches_text, path, true, 4, 1);
    put_data(w, path, true, 4, 1, cell);
    fputs("</Topology>\n", w->patches_text);
    put_geometry(w, w->patches_text, group, 1, &zero);
    put_attributes(w, w->patches_text, group, ZN_GRID_PATCH_ARRAYS, array, 1, 1);
}

// Polygons (3) and lines (2) are followed by the number of their points.
static zn_status put_some_patches(writer *w, const char *group)
{
    const zn_grid_patches *p = &w->grid->patches;
    zn_grid_array          array[ZN_GRID_PATCH_ARRAYS];
    char                   path[64];
    int                   *item = ZN_NEW(int, 2 * (size_t)p->count + (size_t)p->corner_count), count = 0;
    if (item == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0, at = 0; i < p->count; i++) {
        item[count++] = p->type[i] == ZN_GRID_LINE ? 2 : 3;
        item[count++] = p->end[i] - at;
        for (; at < p->end[i]; at++)
            item[count++] = at;
    }
    snprintf(path, sizeof path, "%s/cells", group);
    fprintf(w->patches_text, "<Topology TopologyType=\"Mixed\" NumberOfElements=\"%d\">", p->count);
    put_item(w, w->patches_text, path, true, count, 1);
    put_data(w, path, true, count, 1, item);
    fputs("</Topology>\n", w->patches_text);
    put_geometry(w, w->patches_text, group, p->corner_count, p->corner);
    zn_grid_patch_arrays(p, array);
    put_attributes(w, w->patches_text, group, ZN_GRID_PATCH_ARRAYS, array, p->corner_count, p->count);
    free(item);
    return ZN_OK;
}

static zn_status put_patches(writer *w, int64_t index)
{
    char      group[40];
    zn_status status = ZN_OK;
    snprintf(group, sizeof group, "/patches/%06lld", (long long)index);
    put_grid_begin(w, w->patches_text);
    if (w->grid->patches.count > 0)
        status = put_some_patches(w, group);
    else
        put_no_patch(w, group);
    fputs("</Grid>\n", w->patches_text);
    return status;
}

// What patches are between, by the numbers of the pairs.
static void put_pairs(const writer *w)
{
    char text[ZN_PATCH_NAME];
    for (int i = 0; i < w->grid->patches.names.count; i++) {
        fprintf(w->patches_text, "<Information Name=\"pair %d\" Value=\"", i);
        put_escaped(w->patches_text, zn_patch_name(&w->grid->info, &w->grid->patches.names.patch[i], text));
        fputs("\"/>\n", w->patches_text);
    }
}

static zn_status open_text(const writer *w, const char *path, const char *name, zn_new_file **file, FILE **out)
{
    ZN_TRY(zn_new_file_open(path, *zn_grid_log(w->grid), file));
    *out = zn_new_file_stream(*file);
    fprintf(*out,
            "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n<Grid Name=\"%s\" GridType=\"Collection\" "
            "CollectionType=\"Temporal\">\n",
            name);
    return ZN_OK;
}

static zn_status close_text(zn_new_file *file, zn_status status)
{
    if (file != NULL)
        fputs("</Grid>\n</Domain>\n</Xdmf>\n", zn_new_file_stream(file));
    return zn_new_file_close(file, status);
}

// --- files ---------------------------------------------------------------------------------------

static zn_status name_files(writer *w)
{
    size_t length = strlen(w->path);
    if (length < 6 || strcmp(w->path + length - 5, ".xdmf") != 0 || w->path[length - 6] == '/')
        return zn_fail(zn_grid_log(w->grid), ZN_ERR_ARGUMENT, "%s: the name of the file must end in '.xdmf'", w->path);
    w->data = zn_new_array(length + 8, 1);
    w->contacts = zn_new_array(length + 16, 1);
    w->patches = zn_new_array(length + 16, 1);
    if (w->data == NULL || w->contacts == NULL || w->patches == NULL)
        return ZN_ERR_MEMORY;
    sprintf(w->data, "%s.h5", w->path);
    w->part = zn_part_name(w->data);
    if (w->part == NULL)
        return ZN_ERR_MEMORY;
    sprintf(w->contacts, "%.*s-contacts.xdmf", (int)(length - 5), w->path);
    sprintf(w->patches, "%.*s-patches.xdmf", (int)(length - 5), w->path);
    const char *slash = strrchr(w->data, '/');
    w->data_name = slash != NULL ? slash + 1 : w->data;
    struct stat result, data;
    if (stat(zn_result_path(w->grid->scene->result), &result) == 0 && stat(w->data, &data) == 0 &&
        result.st_dev == data.st_dev && result.st_ino == data.st_ino)
        return zn_fail(zn_grid_log(w->grid), ZN_ERR_ARGUMENT, "%s: this is the result itself; choose another name",
                       w->data);
    return ZN_OK;
}

static zn_status fail_data(const writer *w)
{
    return zn_fail(zn_grid_log(w->grid), ZN_ERR_IO, "%s: %s", w->data,
                   w->error != 0 ? zn_new_file_error(w->error) : "it cannot be written");
}

static zn_status open_data(writer *w)
{
    const char *why = zn_file_in_the_way(w->data);
    if (why != NULL)
        return zn_fail(zn_grid_log(w->grid), ZN_ERR_IO, "%s: %s", w->data, why);
    ZN_TRY(zn_result_room());
    w->file = zn_result_file_create(w->part, H5F_LIBVER_LATEST, &w->error);
    if (w->file < 0)
        return fail_data(w);
    put_data(w, "/node", true, w->grid->point_count, 1, w->grid->node);
    put_data(w, "/part", true, w->grid->cell_count, 1, w->grid->part);
    put_data(w, "/colour", false, w->grid->cell_count, 4, w->grid->colour);
    return put_topology(w);
}

static zn_status put_frames(writer *w)
{
    for (int64_t i = 0; i < w->grid->info.frame_count && !w->wrong; i++) {
        ZN_TRY(zn_grid_read(w->grid, i));
        ZN_TRY(zn_result_room());
        put_scene(w, i);
        ZN_TRY(put_contacts(w, i));
        ZN_TRY(put_patches(w, i));
    }
    put_pairs(w);
    return ZN_OK;
}

static zn_status close_data(writer *w, zn_status status)
{
    if (w->file < 0)
        return status;
    if (zn_result_file_close(w->file) < 0)
        w->wrong = true;
    bool whole = status == ZN_OK && !w->wrong && w->error == 0;
    if (whole)
        w->error = zn_new_file_place(w->part, w->data);
    if (!whole || w->error != 0)
        unlink(w->part);
    return status == ZN_OK && (w->wrong || w->error != 0) ? fail_data(w) : status;
}

static zn_status write_all(zn_grid *grid, const char *path)
{
    writer          w = {.grid = grid, .path = path, .file = H5I_INVALID_HID};
    zn_result_quiet quiet = zn_result_quiet_begin();
    zn_status       status = name_files(&w);
    if (status == ZN_OK)
        status = open_text(&w, path, "scene", &w.text_file, &w.text);
    if (status == ZN_OK)
        status = open_text(&w, w.contacts, "contacts", &w.contacts_file, &w.contacts_text);
    if (status == ZN_OK)
        status = open_text(&w, w.patches, "patches", &w.patches_file, &w.patches_text);
    if (status == ZN_OK)
        status = open_data(&w);
    if (status == ZN_OK)
        status = put_frames(&w);
    status = close_data(&w, status);
    status = close_text(w.contacts_file, status);
    status = close_text(w.patches_file, status);
    status = close_text(w.text_file, status); // last: it names the others
    zn_result_quiet_end(quiet);
    free(w.part);
    free(w.data);
    free(w.contacts);
    free(w.patches);
    return status;
}

zn_status zn_scene_export_xdmf(zn_scene *scene, const char *path)
{
    ZN_ALIVE(scene);
    if (!scene || !path)
        return ZN_ERR_ARGUMENT;
    return zn_grid_export(scene, path, write_all);
}
