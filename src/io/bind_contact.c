// The sections of contacts and their surfaces: exactly one shape each.
#include "io/bind.h"

#include <stdio.h>
#include <string.h>

enum { SHAPES = ZN_SURFACE_SHAPE + 1 };
static const char *const shapes[SHAPES] = {
    [ZN_SURFACE_PLANE] = "plane", [ZN_SURFACE_CIRCLE] = "circle",     [ZN_SURFACE_HOLE] = "hole",
    [ZN_SURFACE_SLOT] = "slot",   [ZN_SURFACE_CYLINDER] = "cylinder", [ZN_SURFACE_BORE] = "bore",
    [ZN_SURFACE_FACETS] = "part", [ZN_SURFACE_SHAPE] = "shape"};

// Keys that go with one shape only, and those that do not go with a part or a shape.
static const struct {
    const char *key;
    int         shape;
    bool        only; // false: with all but this one
} companions[] = {
    {"bounded", ZN_SURFACE_PLANE, true}, {"face", ZN_SURFACE_FACETS, true}, {"reach", ZN_SURFACE_FACETS, true},
    {"body", ZN_SURFACE_FACETS, false},  {"at", ZN_SURFACE_FACETS, false},  {"through", ZN_SURFACE_FACETS, false},
    {"body", ZN_SURFACE_SHAPE, false},   {"at", ZN_SURFACE_SHAPE, false},   {"through", ZN_SURFACE_SHAPE, false}};

static bool check_companions(zn_reader *r, const zn_yaml_node *surface, int shape)
{
    for (size_t i = 0; i < sizeof companions / sizeof *companions; i++) {
        const zn_yaml_node *n = zn_yaml_get(surface, companions[i].key);
        if (n != NULL && (shape == companions[i].shape) != companions[i].only) {
            zn_complain_key(r, n, "'%s' does not go with '%s'", companions[i].key, shapes[shape]);
            return false;
        }
    }
    const zn_yaml_node *bounded = zn_yaml_get(surface, "bounded"), *body = zn_yaml_get(surface, "body");
    if (bounded != NULL && bounded->kind == ZN_YAML_MAP && zn_yaml_get(bounded, "along") == NULL && !r->planar &&
        r->level != NULL && r->level->frame.turned && (body == NULL || strcmp(body->text, "ground") == 0)) {
        zn_complain_key(r, bounded,
                        "'along' is needed in a turned group: else it is any direction, another than before");
        return false;
    }
    return true;
}

// The shape of the surface; -1 after a message when there is none or more than one.
static int find_shape(zn_reader *r, const zn_yaml_node *surface)
{
    const zn_yaml_node *at = zn_yaml_get(surface, "at"), *through = zn_yaml_get(surface, "through");
    int                 found = -1;
    if (at != NULL && through != NULL) {
        zn_complain_key(r, through, "'through' is another word for 'at': give one of them");
        return -1;
    }
    for (const zn_yaml_node *n = surface->first; n != NULL; n = n->next)
        for (int i = 0; i < SHAPES; i++) {
            if (strcmp(n->key, shapes[i]) != 0)
                continue;
            if (found >= 0) {
                zn_complain_key(r, n, "'%s' does not go with '%s'", shapes[i], shapes[found]);
                return -1;
            }
            found = i;
        }
    if (found < 0)
        zn_complain_key(r, surface,
                        "key 'plane', 'circle', 'hole', 'slot', 'cylinder', 'bore', 'part' or 'shape' is missing");
    return found >= 0 && check_companions(r, surface, found) ? found : -1;
}

// The same, with the surface named in messages.
static int read_shape(zn_reader *r, const zn_yaml_node *surface)
{
    size_t used = strlen(r->where);
    snprintf(r->where + used, sizeof r->where - used, ", surface");
    int shape = find_shape(r, surface);
    r->where[used] = '\0';
    return shape;
}

static void set_surface(const zn_surface_entry *s, int shape, zn_contact_def *def)
{
    def->surface = (zn_surface_kind)shape;
    def->through = s->at;
    def->normal = s->plane;
    def->surface_radius = shape == ZN_SURFACE_HOLE ? s->hole : s->circle;
    def->axis = s->slot.axis;
    def->width = s->slot.width;
    def->length = s->bounds.length;
    def->breadth = s->bounds.breadth;
    def->along = s->bounds.along;
    def->depth = s->bounds.depth;
    def->reach = s->reach;
    def->shape = s->shape.name;
    if (shape == ZN_SURFACE_CYLINDER || shape == ZN_SURFACE_BORE) {
        const zn_cylinder_entry *c = shape == ZN_SURFACE_BORE ? &s->bore : &s->cylinder;
        def->axis = c->axis;
        def->surface_radius = c->radius;
        def->length = c->length;
        def->depth = c->depth;
        def->taper = c->taper;
    }
}

// A circle across an axis in place of a ball.
static bool bind_rim(zn_builder *b, const zn_yaml_node *node, zn_contact_entry *e)
{
    const zn_yaml_node *rim = zn_yaml_get(node, "rim"), *radius = zn_yaml_get(node, "radius");
    if (rim == NULL)
        return true;
    if (radius != NULL) {
        zn_complain_key(&b->reader, radius, "'radius' does not go with 'rim', which has its own");
        return false;
    }
    e->def.rim = e->rim.axis;
    e->def.radius = e->rim.radius;
    e->def.ring = e->rim.ring;
    if (zn_vec3_norm(e->rim.axis) > 0)
        return true;
    zn_complain_key(&b->reader, zn_yaml_get(rim, "axis"), "the rim has no direction");
    return false;
}

// --- pins ------------------------------------------------------------------------------------------

static bool bind_pin_part(zn_builder *b, const zn_pin_entry *e, zn_attachment *middle)
{
    middle->at = e->at;
    return e->body.name == NULL || zn_bind_node(b, "body", &e->body, true, &middle->node);
}

static void bind_pin(zn_builder *b, const zn_yaml_node *node, const zn_contact_entry *e)
{
    static const char *const others[] = {"point", "points", "at", "radius", "rim", "surface", "between", "surfaces"};
    zn_pin_def               def = zn_pin_def_default();
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (zn_yaml_get(node, others[i]) != NULL) {
            zn_complain_key(&b->reader, zn_yaml_get(node, others[i]), "'%s' does not go with 'pin'", others[i]);
            return;
        }
    if (zn_yaml_get(node, "hole") == NULL) {
        zn_complain_key(&b->reader, node, "key 'hole' is missing: what the pin is in");
        return;
    }
    bool pin = bind_pin_part(b, &e->pin, &def.pin), hole = bind_pin_part(b, &e->hole, &def.hole);
    int  before = b->reader.faults->count;
    if (!pin || !hole)
        return;
    def.name = node->key;
    def.pin_axis = e->pin.axis;
    def.pin_radius = e->pin.radius;
    def.pin_length = e->pin.length;
    def.hole_axis = e->hole.axis;
    def.hole_radius = e->hole.radius;
    def.hole_length = e->hole.length;
    def.restitution = e->def.restitution;
    def.friction = e->def.friction;
    def.tangential_restitution = e->def.tangential_restitution;
    def.restitution_from = e->def.restitution_from;
    zn_bind_check(b, zn_model_add_pin(b->model, &def), before);
}

// --- points ----------------------------------------------------------------------------------------

// The part and the set of facets; false when they do not exist.
static bool bind_facets(zn_builder *b, const zn_surface_entry *s, char face[ZN_FACE_LENGTH], zn_contact_def *def)
{
    if (s->part.name == NULL)
        return true;
    def->part = s->part.name;
    def->face = s->face.name != NULL ? face : NULL;
    return zn_bind_face(b, &s->part, &s->face, face);
}

// A set "part.name" or a shape, found in the model unless its part has faults of its own.
static bool bind_set(zn_builder *b, const zn_reference *set)
{
    char   part[ZN_NAME_LENGTH + 1];
    size_t length = strcspn(set->name, ".");
    snprintf(part, sizeof part, "%.*s", (int)(length < sizeof part ? length : 0), set->name);
    if (zn_model_find_node_set(b->model, set->name, NULL) != NULL)
        return true;
    if (set->name[length] == '\0' && zn_yaml_get(b->file.parts, set->name) != NULL)
        return zn_model_has_name(b->model, set->name); // all nodes of the part
    if (zn_model_count_shapes(b->model, set->name) > 0)
        return true;
    if (zn_yaml_get(b->file.shapes, set->name) != NULL) // it has faults of its own
        return false;
    if (zn_model_has_name(b->model, part) || zn_bind_find(b, part) == NULL)
        zn_complain_at(&b->reader, set->line, set->column,
                       "'points': there is no set or shape '%s'; sets are called PART.SET", set->name);
    return false;
}

// Either one point or a set of them.
static bool bind_points(zn_builder *b, const zn_yaml_node *node, zn_contact_entry *e)
{
    if (e->point.name == NULL && e->points.name == NULL)
        zn_complain_key(&b->reader, node, "key 'point' is missing");
    else if (e->point.name != NULL && e->points.name != NULL)
        zn_complain_key(&b->reader, zn_yaml_get(node, "points"), "'points' does not go with 'point'");
    else if (e->point.name != NULL)
        return zn_bind_node(b, "point", &e->point, e->surface.body.name != NULL, &e->def.point.node);
    else if (zn_yaml_get(node, "at") != NULL)
        zn_complain_key(&b->reader, zn_yaml_get(node, "at"), "'at' does not go with 'points'");
    else {
        e->def.points = e->points.name;
        return bind_set(b, &e->points);
    }
    return false;
}

// Keys that need another one, which is not there.
static bool check_lonely(zn_reader *r, const zn_yaml_node *node)
{
    static const char *const keys[][2] = {
        {"against", "between"}, {"except", "between"}, {"joined", "between"}, {"reach", "surfaces"}, {"hole", "pin"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (zn_yaml_get(node, keys[i][0]) != NULL) {
            zn_complain_key(r, zn_yaml_get(node, keys[i][0]), "'%s' goes with '%s' only", keys[i][0], keys[i][1]);
            return false;
        }
    return true;
}

bool zn_bind_law(zn_reader *r, const zn_yaml_node *node)
{
    static const char *const keys[][2] = {{"tangential_restitution", "friction"},
                                          {"rolling_friction", "friction"},
                                          {"spinning_friction", "friction"},
                                          {"restitution_from", "restitution"}};
    static const char *const apart[][2] = {{"rolling_friction", "pin"},  {"rolling_friction", "surfaces"},
                                           {"spinning_friction", "pin"}, {"spinning_friction", "surfaces"},
                                           {"cohesion", "pin"},          {"cohesion", "surfaces"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (zn_yaml_get(node, keys[i][0]) != NULL && zn_yaml_get(node, keys[i][1]) == NULL) {
            zn_complain_key(r, zn_yaml_get(node, keys[i][0]), "'%s' is nothing without '%s'", keys[i][0], keys[i][1]);
            return false;
        }
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if (zn_yaml_get(node, apart[i][0]) != NULL && zn_yaml_get(node, apart[i][1]) != NULL) {
            zn_complain_key(r, zn_yaml_get(node, apart[i][0]), "'%s' does not go with '%s'", apart[i][0], apart[i][1]);
            return false;
        }
    return true;
}

void zn_bind_contact(zn_builder *b, const zn_yaml_node *node)
{
    zn_contact_entry e;
    if (!zn_bind_entry(b, &zn_schema_contact, node, &e, NULL))
        return;
    if (!zn_bind_law(&b->reader, node))
        return;
    if (zn_yaml_get(node, "pin") != NULL) {
        bind_pin(b, node, &e);
        return;
    }
    if (zn_yaml_get(node, "between") != NULL) {
        zn_bind_pairs(b, node, &e);
        return;
    }
    if (zn_yaml_get(node, "surfaces") != NULL) {
        zn_bind_surfaces(b, node, &e);
        return;
    }
    if (!check_lonely(&b->reader, node))
        return;
    int  shape = read_shape(&b->reader, zn_yaml_get(node, "surface"));
    bool point = bind_points(b, node, &e) && bind_rim(b, node, &e);
    bool surface = e.surface.body.name == NULL || zn_bind_node(b, "body", &e.surface.body, true, &e.def.surface_node);
    char face[ZN_FACE_LENGTH];
    surface = bind_facets(b, &e.surface, face, &e.def) && surface;
    if (e.surface.shape.name != NULL)
        surface = zn_bind_find_shape(b, "shape", &e.surface.shape, false) && surface;
    int before = b->reader.faults->count;
    if (shape < 0 || !point || !surface)
        return;
    set_surface(&e.surface, shape, &e.def);
    e.def.name = node->key;
    zn_bind_check(b, zn_model_add_contact(b->model, &e.def), before);
}
