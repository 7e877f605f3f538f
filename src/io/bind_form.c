// The form of a shape or a body: one of `sphere`, `box`, `capsule`, `cylinder`, `hull`, `mesh` and contours, and what a
// body of that form weighs. How contours are read: bind_contour.c.
#include "io/bind_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_file.h"
#include "model/contact/contour.h"
#include "model/contact/hull.h"

typedef struct form_word {
    const char *word;
    int         kind;
} form_word;

static const form_word words[] = {{"sphere", ZN_SHAPE_SPHERE},     {"box", ZN_SHAPE_BOX},
                                  {"plane", ZN_SHAPE_PLANE},       {"capsule", ZN_SHAPE_CAPSULE},
                                  {"cylinder", ZN_SHAPE_CYLINDER}, {"hull", ZN_SHAPE_HULL},
                                  {"mesh", ZN_SHAPE_MESH},         {"contour", ZN_SHAPE_CONTOUR},
                                  {"cam", ZN_SHAPE_CONTOUR},       {"gear", ZN_SHAPE_CONTOUR}};
enum { WORDS = (int)(sizeof words / sizeof *words) };

const char *zn_form_word(int kind)
{
    int i = 0;
    while (words[i].kind != kind)
        i++;
    return words[i].word;
}

static int find_word(const zn_yaml_node *node, int from)
{
    while (from < WORDS && zn_yaml_get(node, words[from].word) == NULL)
        from++;
    return from;
}

int zn_form_find(const zn_yaml_node *node)
{
    int i = find_word(node, 0);
    return i < WORDS ? words[i].kind : ZN_FORM_NONE;
}

bool zn_form_check(zn_reader *r, const zn_yaml_node *node)
{
    int first = find_word(node, 0), before = r->faults->count;
    if (first == WORDS)
        return true;
    for (int i = find_word(node, first + 1); i < WORDS; i = find_word(node, i + 1))
        zn_complain_key(r, zn_yaml_get(node, words[i].word), "'%s' does not go with '%s'", words[i].word,
                        words[first].word);
    int kind = words[first].kind;
    if (r->planar && (kind == ZN_SHAPE_CYLINDER || kind == ZN_SHAPE_HULL || kind == ZN_SHAPE_MESH))
        zn_complain_key(r, zn_yaml_get(node, words[first].word), "a %s is in space", words[first].word);
    return r->faults->count == before;
}

// --- rods ----------------------------------------------------------------------------------------

// The turn that takes z to the axis, about what is across both.
static zn_quat turn_of(zn_vec3 axis)
{
    zn_vec3 u = zn_vec3_scale(1 / zn_vec3_norm(axis), axis);
    if (u.z < -1 + 1e-14)
        return (zn_quat){0, 1, 0, 0};
    return zn_quat_normalize((zn_quat){1 + u.z, -u.y, u.x, 0});
}

static bool take_rod(zn_reader *r, const zn_yaml_node *node, const zn_rod_entry *e, zn_shape_def *def)
{
    const zn_yaml_node *axis = zn_yaml_get(node, "axis");
    def->radius = e->radius;
    def->length = e->length;
    if (axis == NULL)
        return true;
    if (r->planar)
        zn_complain_key(r, axis, "'axis' is for spatial models; in the plane there is 'angle'");
    else if (!(zn_vec3_norm(e->axis) > 1e-100))
        zn_complain_key(r, axis, "'axis' has no direction");
    else {
        def->rotation = zn_quat_product(def->rotation, turn_of(e->axis));
        return true;
    }
    return false;
}

// --- points and files ----------------------------------------------------------------------------

static bool read_point(zn_reader *r, const zn_yaml_node *node, zn_vec3 *out)
{
    if (node->kind != ZN_YAML_LIST || node->count != 3) {
        zn_complain(r, node, "a point is [x, y, z]");
        return false;
    }
    double *const to[3] = {&out->x, &out->y, &out->z};
    int           i = 0;
    for (const zn_yaml_node *n = node->first; n != NULL; n = n->next)
        if (!zn_read_number(r, n, "points", ZN_DIM_LENGTH, (zn_range){0}, to[i++]))
            return false;
    return true;
}

static bool read_points(zn_reader *r, const zn_yaml_node *node, zn_triangles *out)
{
    if (node->kind != ZN_YAML_LIST || node->count < 4) {
        zn_complain(r, node, "'points' is a list of at least four points");
        return false;
    }
    out->point = calloc((size_t)node->count, sizeof *out->point);
    r->faults->out_of_memory |= out->point == NULL;
    for (const zn_yaml_node *n = out->point != NULL ? node->first : NULL; n != NULL; n = n->next)
        if (!read_point(r, n, &out->point[out->points++]))
            return false;
    return out->point != NULL;
}

static bool read_file(zn_reader *r, const zn_yaml_node *node, const zn_skin_entry *e, zn_triangles *out)
{
    char        message[500] = "";
    const char *name = zn_reader_file(r, e->file);
    if (name == NULL) {
        r->faults->out_of_memory = true;
        return false;
    }
    zn_status status = zn_mesh_file_read(r->inputs, r->path, name, e->group, e->scale, out, message, sizeof message);
    if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else if (status != ZN_OK)
        zn_complain(r, zn_yaml_get(node, "file"), "%s", message);
    return status == ZN_OK;
}

static bool take_surface(zn_reader *r, const zn_yaml_node *node, const zn_skin_entry *e, zn_form *out)
{
    bool points = e->points != NULL, file = e->file != NULL;
    if (points == file)
        zn_complain_key(r, node, "'%s' wants one of 'points' and 'file'", node->key);
    else if (points && (e->scale > 0 || e->group != NULL))
        zn_complain_key(r, zn_yaml_get(node, e->scale > 0 ? "scale" : "group"), "'%s' goes with 'file'",
                        e->scale > 0 ? "scale" : "group");
    else if (file && !(e->scale > 0))
        zn_complain_key(r, node, "key 'scale' is missing: metres of one unit of the file, 0.001 for millimetres");
    else if (points ? read_points(r, e->points, &out->surface) : read_file(r, node, e, &out->surface)) {
        out->def.point_count = out->surface.points;
        out->def.points = out->surface.point;
        out->def.triangle_count = out->surface.count;
        out->def.triangles = out->surface.corner;
        return true;
    }
    return false;
}

bool zn_form_take(zn_reader *r, const zn_yaml_node *node, int kind, const zn_form_entry *e, zn_form *out)
{
    const zn_yaml_node *own = zn_yaml_get(node, zn_form_word(kind));
    out->def.kind = (zn_shape_kind)kind;
    switch (kind) {
    case ZN_SHAPE_SPHERE:
        out->def.radius = e->sphere;
        return true;
    case ZN_SHAPE_BOX:
        out->def.box = e->box;
        return true;
    case ZN_SHAPE_CAPSULE:
        return take_rod(r, own, &e->capsule, &out->def);
    case ZN_SHAPE_CYLINDER:
        return take_rod(r, own, &e->cylinder, &out->def);
    case ZN_SHAPE_HULL:
        return take_surface(r, own, &e->hull, out);
    default:
        return take_surface(r, own, &e->mesh, out);
    }
}

void zn_form_clear(zn_form *form)
{
    zn_triangles_clear(&form->surface);
    zn_profile_clear(&form->profile);
}

// --- mass ----------------------------------------------------------------------------------------

static bool mass_of_hull(zn_reader *r, const zn_yaml_node *node, const zn_shape_def *def, zn_mass_properties *out)
{
    zn_hull     hull = {0};
    const char *why = "";
    zn_status   status = zn_hull_create(def->point_count, def->points, &hull, &why);
    if (status == ZN_OK)
        *out = zn_mass_of_triangles(def->point_count, def->points, hull.count, hull.triangle[0]);
    else if (status == ZN_ERR_MEMORY)
        r->faults->out_of_memory = true;
    else
        zn_complain(r, node, "its points %s", why);
    free(hull.triangle);
    return status == ZN_OK;
}

// Second moment about the centre: that about the origin less area times its distance squared. What has no inside may
// still have an inertia of its own.
static bool mass_of_contour(zn_reader *r, const zn_yaml_node *node, const zn_shape_def *def, zn_mass_properties *out)
{
    zn_contour_moments m = zn_contour_integrate(def->side_count, def->sides);
    *out = (zn_mass_properties){0};
    if (def->open || def->hole) {
        if (zn_yaml_get(node, "inertia") != NULL)
            return true;
        zn_complain_key(r, node, "%s has no inside that weighs: give 'mass' and 'inertia'",
                        def->open ? "an open contour" : "a hole");
        return false;
    }
    out->volume = m.area;
    out->centre = zn_vec3_scale(1 / m.area, m.moment);
    out->inertia.m[2][2] = m.second - m.area * zn_vec3_dot(out->centre, out->centre);
    return true;
}

bool zn_form_mass(zn_reader *r, const zn_yaml_node *node, const zn_form *form, zn_mass_properties *out)
{
    const zn_shape_def *d = &form->def;
    switch (d->kind) {
    case ZN_SHAPE_SPHERE:
        *out = r->planar ? zn_mass_of_disc(d->radius) : zn_mass_of_sphere(d->radius);
        return true;
    case ZN_SHAPE_BOX:
        *out = r->planar ? zn_mass_of_rectangle(d->box.x, d->box.y) : zn_mass_of_box(d->box);
        return true;
    case ZN_SHAPE_CAPSULE:
        *out = r->planar ? zn_mass_of_stadium(d->radius, d->length) : zn_mass_of_capsule(d->radius, d->length);
        break;
    case ZN_SHAPE_CYLINDER:
        *out = zn_mass_of_cylinder(d->radius, d->length);
        break;
    case ZN_SHAPE_CONTOUR:
        return mass_of_contour(r, node, d, out);
    case ZN_SHAPE_HULL:
        return mass_of_hull(r, zn_yaml_get(node, "hull"), d, out);
    default:
        *out = zn_mass_of_triangles(d->point_count, d->points, d->triangle_count, d->triangles);
        if (out->volume > 0)
            return true;
        zn_complain(r, zn_yaml_get(node, "mesh"), "its volume is %g m^3: %s", out->volume,
                    out->volume < 0 ? "it is inside out (all of its triangles are to be turned over), or not closed"
                                    : "it bounds nothing");
        return false;
    }
    *out = zn_mass_moved(out, zn_quat_normalize(d->rotation), (zn_vec3){0, 0, 0});
    return true;
}
