// Bodies from CAD: mass, inertia and looks are those of solids of a STEP file, and triangles of STL files. The axes of
// the body are those of the file. With the origin o of the file, the rotation R and the centre of mass c in the axes of
// the file the body is at o + R c.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/bind.h"
#include "io/cad.h"
#include "io/stl.h"
#include "io/text_file.h"

// --- triangles -----------------------------------------------------------------------------------

// Of a closed surface those that look upwards cover its shadow.
static bool looks_up(const zn_vec3 *p)
{
    return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x) > 0;
}

static bool place_triangles(zn_reader *r, const zn_stl *stl, int first, int count, double scale, zn_vec3 at,
                            zn_drawing *out)
{
    zn_vec3 *point = zn_pool_alloc(r->pool, 3 * (size_t)count, sizeof *point);
    r->faults->out_of_memory |= point == NULL;
    for (int i = first; point != NULL && i < first + count; i++) {
        if (r->planar && !looks_up(&stl->corner[3 * i]))
            continue;
        for (int k = 0; k < 3; k++) {
            zn_vec3 p = zn_vec3_add(at, zn_vec3_scale(scale, stl->corner[3 * i + k]));
            point[out->point_count++] = zn_vec3_make(p.x, p.y, r->planar ? 0 : p.z);
        }
    }
    out->kind = ZN_DRAWING_TRIANGLES;
    out->points = point;
    return point != NULL;
}

static bool choose_triangles(zn_reader *r, const zn_yaml_node *node, const char *file, const zn_stl *stl, int first,
                             int *count)
{
    int all = stl->count / 3;
    if (*count > all - first) {
        zn_complain(r, node, "%s has %d triangles, but %d to %d are wanted: run 'zeno cad --extract' again", file, all,
                    first, first + *count - 1);
        return false;
    }
    *count = *count > 0 ? *count : all;
    return true;
}

// What is only drawn is no input of the run: a restart may look otherwise.
bool zn_bind_stl(zn_builder *b, const zn_yaml_node *node, const char *file, int first, int count, double scale,
                 zn_vec3 at, zn_drawing *out)
{
    zn_reader    *r = &b->reader;
    char          message[600] = "";
    zn_input_text input;
    zn_stl        stl = {0};
    zn_status     status = zn_inputs_read_drawing(r->inputs, r->path, file, &input, message, sizeof message);
    if (status == ZN_OK)
        status = zn_stl_parse(input.text, input.length, input.path, &stl, message, sizeof message);
    free(input.text);
    free(input.path);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        zn_complain(r, node, "%s", message);
    bool good = status == ZN_OK && choose_triangles(r, node, file, &stl, first, &count) &&
                place_triangles(r, &stl, first, count, scale, at, out);
    if (good && out->point_count == 0)
        zn_complain(r, node, "%s: it throws no shadow on the plane", file);
    zn_stl_clear(&stl);
    return good && out->point_count > 0;
}

// --- bodies --------------------------------------------------------------------------------------

static bool has(uint64_t given, const char *key) { return zn_schema_given(&zn_schema_body, given, key); }

// Keys that want each other, or do not go together.
static bool check_keys(zn_builder *b, const zn_yaml_node *node, uint64_t given)
{
    static const char *const with[] = {"solid"}, *const without[] = {"inertia", "corners", "lattice", "hull",
                                                                     "mesh",    "contour", "cam",     "gear"};
    zn_reader *r = &b->reader;
    int        before = r->faults->count;
    bool       cad = has(given, "cad");
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        if (!cad && has(given, with[i]))
            zn_complain_key(r, zn_yaml_get(node, with[i]), "'%s' goes with 'cad'", with[i]);
    for (size_t i = 0; cad && i < sizeof without / sizeof *without; i++)
        if (has(given, without[i]))
            zn_complain_key(r, zn_yaml_get(node, without[i]), "'%s' does not go with 'cad'", without[i]);
    if (cad && has(given, "mass") == has(given, "density"))
        zn_complain_key(r, zn_yaml_get(node, "cad"), "'cad' wants one of 'density' and 'mass'");
    if (cad && has(given, "position") && has(given, "origin"))
        zn_complain_key(r, zn_yaml_get(node, "origin"),
                        "give one of 'position' (of the centre of mass) and 'origin' (of the file)");
    return r->faults->count == before;
}

static const zn_cad_solid *find_solid(zn_reader *r, const zn_cad *cad, const zn_cad_entry *e)
{
    char     hint[96];
    zn_guess guess = zn_guess_begin(e->solid.name != NULL ? e->solid.name : "");
    if (e->solid.name == NULL)
        return &cad->whole;
    for (int i = 0; i < cad->solid_count; i++) {
        if (strcmp(cad->solids[i].name, e->solid.name) == 0)
            return &cad->solids[i];
        zn_guess_offer(&guess, cad->solids[i].name);
    }
    zn_complain_at(r, e->solid.line, e->solid.column, "%s has no solid '%s'%s (it has %d, the first is '%s')", e->file,
                   e->solid.name, zn_guess_text(&guess, hint), cad->solid_count, cad->solids[0].name);
    return NULL;
}

static zn_vec3 turned(const zn_builder *b, const zn_body_entry *e, zn_vec3 v)
{
    double c = zn_cos(e->def.angle), s = zn_sin(e->def.angle);
    return b->reader.planar ? zn_vec3_make(c * v.x - s * v.y, s * v.x + c * v.y, 0)
                            : zn_quat_rotate(e->def.rotation, v);
}

static void take_mass(zn_builder *b, uint64_t given, const zn_cad_solid *s, zn_body_entry *e)
{
    double density = has(given, "mass") ? e->def.mass / s->volume : e->cad.density;
    if (!has(given, "mass"))
        e->def.mass = density * s->volume;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e->inertia.m[i][k] = density * s->inertia.m[i][k];
    if (!has(given, "position"))
        e->def.position = zn_vec3_add(e->cad.origin, turned(b, e, s->centre));
}

bool zn_bind_cad(zn_builder *b, const zn_yaml_node *node, uint64_t given, zn_body_entry *e, zn_drawing *out)
{
    zn_reader *r = &b->reader;
    char       message[600] = "";
    zn_cad    *cad = NULL;
    if (!check_keys(b, node, given))
        return false;
    if (e->cad.file == NULL)
        return true;
    zn_status status = zn_cad_from_files(r->inputs, r->path, e->cad.file, &cad, message, sizeof message);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        zn_complain(r, zn_yaml_get(node, "cad"), "%s", message);
    const zn_cad_solid *s = status == ZN_OK ? find_solid(r, cad, &e->cad) : NULL;
    char               *file = s != NULL ? zn_text_file_beside(e->cad.file, cad->triangulation) : NULL;
    bool                good = file != NULL;
    r->faults->out_of_memory |= s != NULL && file == NULL;
    if (good)
        take_mass(b, given, s, e);
    if (good && !has(given, "draw"))
        good = zn_bind_stl(b, zn_yaml_get(node, "cad"), file, s->first_triangle, s->triangles, 1,
                           zn_vec3_scale(-1, s->centre), out);
    free(file);
    zn_cad_destroy(cad);
    return good;
}
