// Frames as files of VTK: one unstructured grid (VTU, XML with base64) per frame and a collection (PVD) with the times.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alive.h"
#include "base/array.h"
#include "view/base64.h"
#include "io/new_file.h"
#include "view/grid_export.h"

// One array: the number of its bytes and the bytes themselves, as one text.
static void put_array(FILE *file, const char *type, const char *name, int components, uint64_t bytes,
                      const void *values)
{
    zn_base64 code = {0};
    fprintf(file, "<DataArray type=\"%s\" Name=\"%s\" ", type, name);
    if (components > 1)
        fprintf(file, "NumberOfComponents=\"%d\" ", components);
    fputs("format=\"binary\">\n", file);
    zn_base64_put(&code, file, &bytes, sizeof bytes);
    if (bytes > 0)
        zn_base64_put(&code, file, values, bytes);
    zn_base64_end(&code, file);
    fputs("\n</DataArray>\n", file);
}

static void put_values(FILE *file, int arrays, const zn_grid_array *array, bool of_cells, int count)
{
    fprintf(file, "<%s>\n", of_cells ? "CellData" : "PointData");
    for (int i = 0; i < arrays; i++)
        if (array[i].of_cells == of_cells)
            put_array(file, array[i].whole ? "Int32" : "Float64", array[i].name, array[i].components,
                      (uint64_t)count * (uint64_t)array[i].components *
                          (array[i].whole ? sizeof(int32_t) : sizeof(double)),
                      array[i].values);
    fprintf(file, "</%s>\n", of_cells ? "CellData" : "PointData");
}

static void put_head(FILE *file, int points, int cells, const zn_vec3 *position)
{
    fprintf(
        file,
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"%d\" NumberOfCells=\"%d\">\n<Points>\n",
        points, cells);
    put_array(file, "Float64", "Points", 3, (uint64_t)points * sizeof *position, position);
    fputs("</Points>\n", file);
}

static void put_cells(FILE *file, int cells, int corners, const int *corner, const int *end, const unsigned char *type)
{
    fputs("<Cells>\n", file);
    put_array(file, "Int32", "connectivity", 1, (uint64_t)corners * sizeof *corner, corner);
    put_array(file, "Int32", "offsets", 1, (uint64_t)cells * sizeof *end, end);
    put_array(file, "UInt8", "types", 1, (uint64_t)cells, type);
    fputs("</Cells>\n", file);
}

static void put_end(FILE *file) { fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", file); }

static zn_status put_scene(FILE *file, const zn_grid *g)
{
    zn_grid_array array[ZN_GRID_ARRAYS];
    zn_grid_arrays(g, array);
    put_head(file, g->point_count, g->cell_count, g->position);
    put_cells(file, g->cell_count, g->corner_count, g->corner, g->end, g->type);
    put_values(file, ZN_GRID_ARRAYS, array, false, g->point_count);
    put_values(file, ZN_GRID_ARRAYS, array, true, g->cell_count);
    put_end(file);
    return ZN_OK;
}

// Each contact is a point with a cell of its own, so that it can be seen without glyphs too.
static zn_status put_contacts(FILE *file, const zn_grid *g)
{
    zn_grid_array  array[ZN_GRID_CONTACT_ARRAYS];
    int            count = g->contact_count, *number = ZN_NEW(int, 2 * (size_t)count);
    unsigned char *type = ZN_NEW(unsigned char, count);
    bool           ok = number != NULL && type != NULL;
    for (int i = 0; i < count && ok; i++) {
        number[i] = i;
        number[count + i] = i + 1;
        type[i] = ZN_GRID_VERTEX;
    }
    if (ok) {
        zn_grid_contact_arrays(g, array);
        put_head(file, count, count, g->contact_position);
        put_cells(file, count, count, number, number + count, type);
        put_values(file, ZN_GRID_CONTACT_ARRAYS, array, false, count);
        put_end(file);
    }
    free(number);
    free(type);
    return ok ? ZN_OK : ZN_ERR_MEMORY;
}

// Polygons and lines with points of their own.
static zn_status put_patches(FILE *file, const zn_grid *g)
{
    const zn_grid_patches *p = &g->patches;
    zn_grid_array          array[ZN_GRID_PATCH_ARRAYS];
    int                   *number = ZN_NEW(int, p->corner_count);
    if (number == NULL)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < p->corner_count; i++)
        number[i] = i;
    zn_grid_patch_arrays(p, array);
    put_head(file, p->corner_count, p->count, p->corner);
    put_cells(file, p->count, p->corner_count, number, p->end, p->type);
    put_values(file, ZN_GRID_PATCH_ARRAYS, array, true, p->count);
    put_end(file);
    free(number);
    return ZN_OK;
}

// --- the series ----------------------------------------------------------------------------------

typedef struct series {
    const char *name;
    zn_status (*put)(FILE *file, const zn_grid *grid);
    zn_new_file *file; // the list of frames
    FILE        *list;
} series;

static zn_status begin(const zn_grid *g, const char *folder, series *s)
{
    char *path = zn_new_array(strlen(folder) + 40, 1);
    if (path == NULL)
        return ZN_ERR_MEMORY;
    sprintf(path, "%s/%s.pvd", folder, s->name);
    zn_status status = zn_new_file_open(path, *zn_grid_log(g), &s->file);
    free(path);
    ZN_TRY(status);
    s->list = zn_new_file_stream(s->file);
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" "
          "byte_order=\"LittleEndian\">\n<Collection>\n",
          s->list);
    return ZN_OK;
}

static zn_status end(series *s, zn_status status)
{
    if (s->list != NULL)
        fputs("</Collection>\n</VTKFile>\n", s->list);
    return zn_new_file_close(s->file, status);
}

static zn_status put_frame(const zn_grid *g, const char *folder, series *s, int64_t index)
{
    zn_new_file *file;
    char         name[64], *path = zn_new_array(strlen(folder) + sizeof name + 2, 1);
    if (path == NULL)
        return ZN_ERR_MEMORY;
    snprintf(name, sizeof name, "%s-%06lld.vtu", s->name, (long long)index);
    sprintf(path, "%s/%s", folder, name);
    zn_status status = zn_new_file_open(path, *zn_grid_log(g), &file);
    if (status == ZN_OK) {
        zn_new_file_hurry(file);
        status = zn_new_file_close(file, s->put(zn_new_file_stream(file), g));
    }
    free(path);
    fprintf(s->list, "<DataSet timestep=\"%.17g\" part=\"0\" file=\"%s\"/>\n", g->t, name);
    return status;
}

// Names of the parts by their numbers.
static void list_parts(const zn_grid *g, FILE *file)
{
    fputs("part,name\n", file);
    for (int i = 0; i < g->info.part_count; i++)
        fprintf(file, "%d,%s\n", i, g->info.parts[i].name);
}

// What patches are between, by the numbers of the pairs.
static void list_pairs(const zn_grid *g, FILE *file)
{
    fputs("pair,contact,first,second\n", file);
    for (int i = 0; i < g->patches.names.count; i++) {
        const zn_scene_patch *p = &g->patches.names.patch[i];
        fprintf(file, "%d,%s,%s,%s\n", i, p->name, zn_patch_side(&g->info, p, 0), zn_patch_side(&g->info, p, 1));
    }
}

static zn_status put_list(const zn_grid *g, const char *folder, const char *name,
                          void (*list)(const zn_grid *grid, FILE *file))
{
    zn_new_file *file;
    char        *path = zn_new_array(strlen(folder) + 40, 1);
    if (path == NULL)
        return ZN_ERR_MEMORY;
    sprintf(path, "%s/%s.csv", folder, name);
    zn_status status = zn_new_file_open(path, *zn_grid_log(g), &file);
    if (status == ZN_OK) {
        list(g, zn_new_file_stream(file));
        status = zn_new_file_close(file, ZN_OK);
    }
    free(path);
    return status;
}

static zn_status write_series(zn_grid *g, const char *folder)
{
    enum { SERIES = 3 };
    series all[SERIES] = {
        {"scene", put_scene, NULL, NULL}, {"contacts", put_contacts, NULL, NULL}, {"patches", put_patches, NULL, NULL}};
    zn_status   status = ZN_OK;
    struct stat there;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return zn_fail(zn_grid_log(g), ZN_ERR_IO, "%s: %s", folder, strerror(errno));
    if (stat(folder, &there) != 0 || !S_ISDIR(there.st_mode))
        return zn_fail(zn_grid_log(g), ZN_ERR_IO, "%s: not a folder", folder);
    status = put_list(g, folder, "parts", list_parts);
    for (int k = 0; k < SERIES && status == ZN_OK; k++)
        status = begin(g, folder, &all[k]);
    for (int64_t i = 0; i < g->info.frame_count && status == ZN_OK; i++) {
        status = zn_grid_read(g, i);
        for (int k = 0; k < SERIES && status == ZN_OK; k++)
            status = put_frame(g, folder, &all[k], i);
    }
    for (int k = 0; k < SERIES; k++)
        status = end(&all[k], status);
    return status == ZN_OK ? put_list(g, folder, "pairs", list_pairs) : status;
}

zn_status zn_scene_export_vtu(zn_scene *scene, const char *folder)
{
    ZN_ALIVE(scene);
    if (!scene || !folder)
        return ZN_ERR_ARGUMENT;
    return zn_grid_export(scene, folder, write_series);
}
