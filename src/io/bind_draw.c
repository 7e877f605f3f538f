// How a body looks: table and reader of the key `draw`.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/bind.h"

#define LENGTH_KEY(word, text)                                                                                         \
    {                                                                                                                  \
#word, ZN_KEY_NUMBER, .dimension = ZN_DIM_LENGTH,                                                              \
                              .range = {0, INFINITY, true }, .offset = offsetof(zn_draw_entry, word),                  \
                                                             .default_text = "none", .help = text                      \
    }

enum { CORNERS_MAX = 1000 };

static const zn_schema_key draw_keys[] = {
    LENGTH_KEY(sphere, "radius; in the plane of a disc"),
    {"box", ZN_KEY_VECTOR, .axes = ZN_AXES_OWN, .dimension = ZN_DIM_LENGTH, .range = {0, INFINITY, true},
     .offset = offsetof(zn_draw_entry, box), .default_text = "none", .help = "sides along the axes of the body"},
    LENGTH_KEY(cylinder, "radius; in space"),
    LENGTH_KEY(capsule, "radius of a cylinder with half spheres at its ends; in the plane of a bar with round ends"),
    LENGTH_KEY(length, "of the cylinder; of a capsule that of its line, without the round ends"),
    {"axis", ZN_KEY_VECTOR, .axes = ZN_AXES_OWN, .offset = offsetof(zn_draw_entry, axis),
     .help = "of the cylinder or capsule, any length"},
    {"polygon", ZN_KEY_NODE, .offset = offsetof(zn_draw_entry, polygon), .default_text = "none",
     .help = "corners [x, y] of a closed outline; in space a plate across z of the body"},
    {"around", ZN_KEY_INTEGER, .range = {1, CORNERS_MAX, false}, .offset = offsetof(zn_draw_entry, around),
     .help = "of a polygon: the corners come so often, turned evenly about `at`, as one outline; those of one tooth "
             "make a gear"},
    LENGTH_KEY(thickness, "of a polygon in space, along z of the body"),
    {"stl", ZN_KEY_TEXT, .offset = offsetof(zn_draw_entry, stl), .default_text = "none",
     .help = "STL file with triangles, binary or ASCII, in the axes of the body; in the plane their shadow along z"},
    {"scale", ZN_KEY_NUMBER, .range = {0, INFINITY, true}, .offset = offsetof(zn_draw_entry, scale),
     .help = "of the triangles: 0.001 for a file in millimetres"},
    {"at", ZN_KEY_VECTOR, .axes = ZN_AXES_OWN, .dimension = ZN_DIM_LENGTH, .offset = offsetof(zn_draw_entry, at),
     .help = "middle of the shape, of triangles their origin; in the axes of the body from its centre of mass; added "
             "to the corners of a polygon"},
    {"colour", ZN_KEY_TEXT, .offset = offsetof(zn_draw_entry, colour), .default_text = "one for each body",
     .help = "name or #rrggbb"},
    {"opacity", ZN_KEY_NUMBER, .range = {0, 1, false}, .offset = offsetof(zn_draw_entry, opacity),
     .help = "1: nothing shines through; 0: not seen"},
};

static void draw_defaults(void *out)
{
    *(zn_draw_entry *)out = (zn_draw_entry){.axis = {1, 0, 0}, .opacity = 1, .scale = 1, .around = 1};
}

const zn_schema zn_schema_draw = {
    "draw",
    "bodies: draw",
    "How a body looks in pictures: one of sphere, box, cylinder, capsule, polygon and stl, or a list of such objects; "
    "or a "
    "colour and opacity alone. It has no part in the motion. Without it the shapes of the body are drawn, or what "
    "follows from contacts, joints and inertia. Colours are black, white, grey, "
    "silver, red, green, blue, yellow, orange, purple, pink, brown, cyan, magenta, navy, teal, olive, maroon, gold, "
    "steel, brass, copper, or #rrggbb.",
    sizeof(zn_draw_entry),
    draw_defaults,
    .count = sizeof draw_keys / sizeof *draw_keys,
    .keys = draw_keys};

// --- colours ---------------------------------------------------------------------------------------

static const struct {
    const char *name;
    unsigned    value;
} colours[] = {
    {"black", 0x000000},  {"white", 0xffffff}, {"grey", 0x808080},   {"gray", 0x808080},   {"silver", 0xc0c0c0},
    {"red", 0xd62728},    {"green", 0x2ca02c}, {"blue", 0x1f77b4},   {"yellow", 0xf0d020}, {"orange", 0xff7f0e},
    {"purple", 0x9467bd}, {"pink", 0xe377c2},  {"brown", 0x8c564b},  {"cyan", 0x17becf},   {"magenta", 0xd01c8b},
    {"navy", 0x1b2a6b},   {"teal", 0x008080},  {"olive", 0xbcbd22},  {"maroon", 0x800000}, {"gold", 0xd4a017},
    {"steel", 0x7b8794},  {"brass", 0xb5a642}, {"copper", 0xb87333},
};

// Six digits behind '#'.
static bool read_digits(const char *text, unsigned *value)
{
    if (text[0] != '#' || strlen(text) != 7 || strspn(text + 1, "0123456789abcdefABCDEF") != 6)
        return false;
    *value = (unsigned)strtoul(text + 1, NULL, 16);
    return true;
}

static bool read_colour(zn_reader *r, const zn_yaml_node *node, const char *word, zn_colour *out)
{
    char     hint[96];
    unsigned value = 0;
    bool     found = read_digits(word, &value);
    zn_guess guess = zn_guess_begin(word);
    for (size_t i = 0; i < sizeof colours / sizeof *colours && !found; i++) {
        zn_guess_offer(&guess, colours[i].name);
        found = strcmp(colours[i].name, word) == 0;
        value = found ? colours[i].value : 0;
    }
    if (!found)
        zn_complain(r, node, "'colour': '%.40s' is neither the name of a colour nor #rrggbb%s", word,
                    zn_guess_text(&guess, hint));
    *out = (zn_colour){found, (unsigned char)(value >> 16), (unsigned char)(value >> 8 & 255),
                       (unsigned char)(value & 255)};
    return found;
}

// --- shapes ----------------------------------------------------------------------------------------

static bool read_corner(zn_reader *r, const zn_yaml_node *node, zn_vec3 *out)
{
    if (node->kind != ZN_YAML_LIST || node->count != 2) {
        zn_complain(r, node, "a corner is [x, y]");
        return false;
    }
    *out = (zn_vec3){0};
    return zn_read_number(r, node->first, "polygon", ZN_DIM_LENGTH, (zn_range){0}, &out->x) &&
           zn_read_number(r, node->first->next, "polygon", ZN_DIM_LENGTH, (zn_range){0}, &out->y);
}

// The first `count` corners turned by each of `around` equal parts of a turn, then moved to `at`.
static void turn_corners(zn_vec3 *points, int count, int around, zn_vec3 at)
{
    for (int i = count * around - 1; i >= 0; i--) { // backwards: the first ones are what is copied
        double  angle = 2 * zn_acos(-1) * (i / count) / around, c = zn_cos(angle), s = zn_sin(angle);
        zn_vec3 p = points[i % count];
        points[i] = zn_vec3_make(at.x + c * p.x - s * p.y, at.y + s * p.x + c * p.y, at.z);
    }
}

static bool read_polygon(zn_reader *r, const zn_yaml_node *node, int around, zn_vec3 at, zn_drawing *out)
{
    if (node->kind != ZN_YAML_LIST || node->count < 3 || node->count > CORNERS_MAX) {
        zn_complain(r, node, "a polygon is a list of 3 to %d corners", (int)CORNERS_MAX);
        return false;
    }
    if (node->count > CORNERS_MAX / around) {
        zn_complain(r, node, "%d corners %d times are more than %d", node->count, around, (int)CORNERS_MAX);
        return false;
    }
    zn_vec3 *points = zn_pool_alloc(r->pool, (size_t)node->count * (size_t)around, sizeof *points);
    r->faults->out_of_memory |= points == NULL;
    for (const zn_yaml_node *n = points != NULL ? node->first : NULL; n != NULL; n = n->next)
        if (!read_corner(r, n, &points[out->point_count++]))
            return false;
    if (points != NULL)
        turn_corners(points, out->point_count, around, at);
    out->point_count *= around;
    out->points = points;
    out->kind = ZN_DRAWING_POLYGON;
    return points != NULL;
}

// One shape, with all that it needs; false after a message.
static bool check_draw(zn_reader *r, const zn_yaml_node *node, const zn_draw_entry *e)
{
    int shapes = (e->sphere > 0) + (e->box.x > 0) + (e->cylinder > 0) + (e->capsule > 0) + (e->polygon != NULL) +
                 (e->stl != NULL),
        before = r->faults->count;
    if (shapes > 1 || (shapes == 0 && e->colour == NULL && e->opacity == 1))
        zn_complain_key(r, node,
                        "draw: give one of sphere, box, cylinder, capsule, polygon and stl, or a colour alone");
    else if (e->cylinder > 0 && (r->planar || !(e->length > 0) || !(zn_vec3_norm(e->axis) > 0)))
        zn_complain_key(r, node, "draw: a cylinder is in space and has a length and an axis");
    else if (e->capsule > 0 && (!(e->length > 0) || !(zn_vec3_norm(e->axis) > 0)))
        zn_complain_key(r, node, "draw: a capsule has a length and an axis");
    else if (e->polygon != NULL && !r->planar && !(e->thickness > 0))
        zn_complain_key(r, node, "draw: a polygon in space has a thickness");
    else if (e->thickness > 0 && (r->planar || e->polygon == NULL))
        zn_complain_key(r, node, "draw: a thickness is of a polygon in space");
    else if (e->around > 1 && e->polygon == NULL)
        zn_complain_key(r, node, "draw: 'around' is of a polygon");
    return r->faults->count == before;
}

static bool make_drawing(zn_builder *b, const zn_yaml_node *node, const zn_draw_entry *e, zn_drawing *d)
{
    zn_reader *r = &b->reader;
    *d = (zn_drawing){.centre = e->at, .axis = e->axis, .transparency = 1 - e->opacity};
    if (!check_draw(r, node, e) || (e->polygon != NULL && !read_polygon(r, e->polygon, e->around, e->at, d)) ||
        (e->stl != NULL && !zn_bind_stl(b, zn_yaml_get(node, "stl"), e->stl, 0, 0, e->scale, e->at, d)))
        return false;
    if (e->colour != NULL && !read_colour(r, zn_yaml_get(node, "colour"), e->colour, &d->colour))
        return false;
    d->radius = fmax(e->sphere, fmax(e->cylinder, e->capsule));
    d->size = e->cylinder > 0 || e->capsule > 0 ? zn_vec3_make(e->length, 0, 0) : e->box;
    if (e->polygon != NULL)
        d->size = zn_vec3_make(0, 0, e->thickness);
    else if (e->stl == NULL)
        d->kind = e->sphere > 0     ? ZN_DRAWING_SPHERE
                  : e->box.x > 0    ? ZN_DRAWING_BOX
                  : e->cylinder > 0 ? ZN_DRAWING_CYLINDER
                  : e->capsule > 0  ? ZN_DRAWING_CAPSULE
                                    : ZN_DRAWING_NONE;
    return true;
}

void zn_bind_draw(zn_builder *b, const zn_yaml_node *node, zn_node_id body)
{
    bool                list = node->kind == ZN_YAML_LIST;
    const zn_yaml_node *first = list ? node->first : node;
    for (const zn_yaml_node *n = first; n != NULL; n = list ? n->next : NULL) {
        int           before = b->reader.faults->count;
        zn_draw_entry e;
        zn_drawing    d;
        draw_defaults(&e);
        if (!zn_schema_read(&b->reader, &zn_schema_draw, n, &e, NULL) || !make_drawing(b, n, &e, &d) || body.value == 0)
            continue;
        zn_bind_check(b, n == first ? zn_model_draw(b->model, body, &d) : zn_model_draw_more(b->model, body, &d),
                      before);
    }
}
