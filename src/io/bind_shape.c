// Shapes and lattices of bodies.
#include "io/bind.h"
#include "io/bind_form.h"

#include <math.h>
#include <string.h>

// The kind of a shape; ZN_FORM_NONE after a message when there is none or more than one.
static int find_kind(zn_reader *r, const zn_yaml_node *node)
{
    int found = zn_form_find(node);
    if (found < 0)
        zn_complain_key(r, node,
                        "key 'sphere', 'box', 'plane', 'capsule', 'cylinder', 'hull', 'mesh', 'contour', 'cam' "
                        "or 'gear' is missing");
    return found >= 0 && zn_form_check(r, node) ? found : ZN_FORM_NONE;
}

// Spheres and planes do not turn; others about z in the plane, by a rotation in space.
static bool check_turn(zn_reader *r, const zn_yaml_node *node, int kind)
{
    const char         *right = r->planar ? "angle" : "rotation", *wrong = r->planar ? "rotation" : "angle";
    const zn_yaml_node *given = zn_yaml_get(node, right), *other = zn_yaml_get(node, wrong);
    if (other != NULL)
        zn_complain_key(r, other, "'%s' is for %s models; here there is '%s'", wrong, r->planar ? "spatial" : "planar",
                        right);
    else if (given != NULL && (kind == ZN_SHAPE_SPHERE || kind == ZN_SHAPE_PLANE))
        zn_complain_key(r, given, "'%s' does not go with '%s'", right, zn_form_word(kind));
    else
        return true;
    return false;
}

static bool take_form(zn_builder *b, const zn_yaml_node *node, int kind, const zn_shape_entry *e, zn_form *form)
{
    if (kind == ZN_SHAPE_PLANE)
        return true;
    return kind == ZN_SHAPE_CONTOUR ? zn_bind_contour(b, node, &e->outline, &form->def, &form->profile)
                                    : zn_form_take(&b->reader, node, kind, &e->form, form);
}

void zn_bind_shape(zn_builder *b, const zn_yaml_node *node)
{
    zn_shape_entry e;
    zn_form        form = {.def = zn_shape_def_default()};
    zn_shape_def  *def = &form.def;
    if (!zn_bind_entry(b, &zn_schema_shape, node, &e, NULL))
        return;
    int  kind = find_kind(&b->reader, node);
    bool good = kind >= 0 && check_turn(&b->reader, node, kind);
    if (e.body.name != NULL && !zn_bind_node(b, "body", &e.body, true, &def->at.node))
        good = false;
    good = zn_bind_surface_material(b, node, e.material) && good;
    def->material = e.material;
    def->kind = (zn_shape_kind)kind;
    def->name = node->key;
    def->at.at = e.at;
    def->normal = e.plane;
    def->rotation = b->reader.planar ? (zn_quat){zn_cos(e.angle / 2), 0, 0, zn_sin(e.angle / 2)} : e.rotation;
    int before = b->reader.faults->count;
    if (good && take_form(b, node, kind, &e, &form))
        zn_bind_check(b, zn_model_add_shape(b->model, def), before);
    zn_form_clear(&form);
}

// --- bodies --------------------------------------------------------------------------------------

static bool read_count(zn_reader *r, const zn_yaml_node *node, zn_vec3 count, int out[3])
{
    const double value[3] = {count.x, count.y, r->planar ? 1 : count.z};
    for (int i = 0; i < 3; i++) {
        out[i] = (int)value[i];
        if (value[i] != out[i]) {
            zn_complain_key(r, zn_yaml_get(node, "count"), "'count': %g is not a whole number", value[i]);
            return false;
        }
    }
    return true;
}

void zn_bind_lattice(zn_builder *b, const zn_yaml_node *node, const zn_body_entry *e, const zn_form *form)
{
    zn_lattice_def def = zn_lattice_def_default();
    if (!read_count(&b->reader, zn_yaml_get(node, "lattice"), e->lattice.count, def.count))
        return;
    def.body = e->def;
    def.limit = e->lattice.limit;
    def.spacing = e->lattice.spacing;
    def.jitter = e->lattice.jitter;
    def.seed = e->lattice.seed;
    def.sphere = e->form.sphere;
    def.material = e->material;
    if (form->def.name != NULL && form->def.kind != ZN_SHAPE_SPHERE)
        def.shape = &form->def;
    double bodies = def.limit > 0 ? def.limit : (double)def.count[0] * def.count[1] * def.count[2];
    if (!zn_bind_room(b, node, "bodies", bodies, zn_room_bodies_meet(b) ? ZN_ROOM_MEETING_BODY : ZN_ROOM_BODY))
        return;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_lattice(b->model, &def), before);
}
