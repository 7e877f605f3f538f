// How a body looks: table and reader of the key `draw`.
#include <math.h>

#include "io/bind.h"

#define LENGTH_KEY(word, text)                                                                                         \
    {                                                                                                                  \
#word, ZN_KEY_NUMBER, .dimension = ZN_DIM_LENGTH,                                                              \
                              .range = {0, INFINITY, true }, .offset = offsetof(zn_draw_entry, word),                  \
                                                             .default_text = "none", .help = text                      \
    }

static const zn_schema_key draw_keys[] = {
    LENGTH_KEY(sphere, "radius; in the plane of a disc"),
    {"box", ZN_KEY_VECTOR, .axes = ZN_AXES_OWN, .dimension = ZN_DIM_LENGTH, .range = {0, INFINITY, true},
     .offset = offsetof(zn_draw_entry, box), .default_text = "none", .help = "sides along the axes of the body"},
    LENGTH_KEY(cylinder, "radius; in space"),
    LENGTH_KEY(length, "of the cylinder"),
    {"axis", ZN_KEY_VECTOR, .axes = ZN_AXES_OWN, .offset = offsetof(zn_draw_entry, axis),
     .help = "of the cylinder, any length"},
    {"polygon", ZN_KEY_NODE, .offset = offsetof(zn_draw_entry, polygon), .default_text = "none",
     .help = "corners [x, y] of a closed outline; in the plane"},
    {"stl", ZN_KEY_TEXT, .offset = offsetof(zn_draw_entry, stl), .default_text = "none",
     .help = "STL file with triangles, binary or ASCII, in the axes of the body; in the plane their shadow along z"},
    {"scale", ZN_KEY_NUMBER, .range = {0, INFINITY, true}, .offset = offsetof(zn_draw_entry, scale),
     .help = "of the triangles: 0.001 for a file in millimetres"},
    {"at", ZN_KEY_VECTOR, .axes = ZN_AXES_OWN, .dimension = ZN_DIM_LENGTH, .offset = offsetof(zn_draw_entry, at),
     .help = "middle of the shape, of triangles their origin; in the axes of the body from its centre of mass"},
};

static void draw_defaults(void *out) { *(zn_draw_entry *)out = (zn_draw_entry){.axis = {1, 0, 0}, .scale = 1}; }

const zn_schema zn_schema_draw = {
    "draw",
    "bodies: draw",
    "How a body looks in pictures: one of sphere, box, cylinder, polygon and stl. It has no part "
    "in the motion. Without it the shape follows from contacts, joints and inertia.",
    sizeof(zn_draw_entry),
    draw_defaults,
    .count = sizeof draw_keys / sizeof *draw_keys,
    .keys = draw_keys};

enum { CORNERS_MAX = 1000 };

static bool read_corner(zn_reader *r, const zn_yaml_node *node, zn_vec3 at, zn_vec3 *out)
{
    if (node->kind != ZN_YAML_LIST || node->count != 2) {
        zn_complain(r, node, "a corner is [x, y]");
        return false;
    }
    *out = at;
    double x, y;
    if (!zn_read_number(r, node->first, "polygon", ZN_DIM_LENGTH, (zn_range){0}, &x) ||
        !zn_read_number(r, node->first->next, "polygon", ZN_DIM_LENGTH, (zn_range){0}, &y))
        return false;
    out->x += x;
    out->y += y;
    return true;
}

static bool read_polygon(zn_reader *r, const zn_yaml_node *node, zn_vec3 at, zn_drawing *out)
{
    if (node->kind != ZN_YAML_LIST || node->count < 3 || node->count > CORNERS_MAX) {
        zn_complain(r, node, "a polygon is a list of 3 to %d corners", (int)CORNERS_MAX);
        return false;
    }
    zn_vec3 *points = zn_pool_alloc(r->pool, (size_t)node->count, sizeof *points);
    r->faults->out_of_memory |= points == NULL;
    for (const zn_yaml_node *n = points != NULL ? node->first : NULL; n != NULL; n = n->next)
        if (!read_corner(r, n, at, &points[out->point_count++]))
            return false;
    out->points = points;
    out->kind = ZN_DRAWING_POLYGON;
    return points != NULL;
}

// What is wrong with the choice of shapes, or NULL.
static const char *fault_of(const zn_draw_entry *e, bool planar)
{
    int shapes = (e->sphere > 0) + (e->box.x > 0) + (e->cylinder > 0) + (e->polygon != NULL) + (e->stl != NULL);
    if (shapes != 1)
        return "give one of sphere, box, cylinder, polygon and stl";
    if (e->cylinder > 0 && (planar || !(e->length > 0) || !(zn_vec3_norm(e->axis) > 0)))
        return "a cylinder is in space and has a length and an axis";
    if (e->polygon != NULL && !planar)
        return "polygons are planar";
    return NULL;
}

void zn_bind_draw(zn_builder *b, const zn_yaml_node *node, const char *name, const zn_draw_entry *e)
{
    zn_reader  *r = &b->reader;
    int         before = r->faults->count;
    zn_drawing  d = {.centre = e->at, .axis = e->axis};
    const char *fault = fault_of(e, r->planar);
    if (fault != NULL) {
        zn_complain_key(r, node, "draw: %s", fault);
        return;
    }
    if ((e->polygon != NULL && !read_polygon(r, e->polygon, e->at, &d)) ||
        (e->stl != NULL && !zn_bind_stl(b, zn_yaml_get(node, "stl"), e->stl, 0, 0, e->scale, e->at, &d)))
        return;
    d.radius = e->sphere > 0 ? e->sphere : e->cylinder;
    d.size = e->cylinder > 0 ? zn_vec3_make(e->length, 0, 0) : e->box;
    if (d.kind == ZN_DRAWING_NONE)
        d.kind = e->sphere > 0 ? ZN_DRAWING_SPHERE : e->box.x > 0 ? ZN_DRAWING_BOX : ZN_DRAWING_CYLINDER;
    zn_node_id id = zn_model_find_node(b->model, name);
    if (id.value != 0) // otherwise the body has faults of its own
        zn_bind_check(b, zn_model_draw(b->model, id, &d), before);
}
