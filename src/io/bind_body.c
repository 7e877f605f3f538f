// The section of bodies: point masses, rigid bodies, boxes with nodes at their corners.
#include "io/bind.h"

// What the entry says, as the model wants it: about z in the plane, vectors and tensors in space.
static void set_rotation(const zn_builder *b, uint64_t given, zn_body_entry *e)
{
    const zn_schema *s = &zn_schema_body;
    bool             turns = zn_schema_given(s, given, "inertia") || zn_schema_given(s, given, "corners") ||
                 zn_schema_given(s, given, "cad") || e->inertia.m[2][2] > 0;
    if (!turns) { // a point
        e->def.angle = zn_schema_given(s, given, "angle") ? e->def.angle : 0;
        e->def.rotation = zn_schema_given(s, given, "rotation") ? e->def.rotation : (zn_quat){1, 0, 0, 0};
    }
    if (b->reader.planar) {
        e->def.inertia = e->inertia.m[2][2];
        e->def.spin = e->spin.z;
    } else {
        e->def.inertia3 = e->inertia;
        e->def.spin3 = e->spin;
    }
}

static void bind_lattice(zn_builder *b, const zn_yaml_node *node, uint64_t given, const zn_body_entry *e,
                         const zn_form *form)
{
    if (zn_schema_given(&zn_schema_body, given, "corners"))
        zn_complain_key(&b->reader, zn_yaml_get(node, "lattice"), "'lattice' does not go with 'corners'");
    else if (zn_schema_given(&zn_schema_body, given, "draw"))
        zn_complain_key(&b->reader, zn_yaml_get(node, "draw"), "'draw' does not go with 'lattice'; it has shapes");
    else
        zn_bind_lattice(b, node, e, form);
}

// The body, its shape if its form has a name, and how it looks (`looks`: unless it says otherwise; NULL: nothing).
static void add_body(zn_builder *b, uint64_t given, const zn_body_entry *e, const zn_drawing *looks, zn_form *form)
{
    int              before = b->reader.faults->count;
    zn_node_id       body = {0};
    zn_tied_body_def tied = zn_tied_body_def_default();
    tied.body = e->def;
    tied.box = e->corners.box;
    tied.share = e->corners.share;
    bool corners = zn_schema_given(&zn_schema_body, given, "corners");
    zn_bind_check(
        b, corners ? zn_model_add_tied_body(b->model, &tied, &body) : zn_model_add_body(b->model, &e->def, &body),
        before);
    if (form->def.name != NULL && body.value != 0)
        zn_bind_body_shape(b, body, form);
    if (e->draw != NULL)
        zn_bind_draw(b, e->draw, body);
    else if (looks != NULL && body.value != 0)
        zn_bind_check(b, zn_model_draw(b->model, body, looks), before);
}

// The material of its own shape; NULL after a message.
static const char *material_of(zn_builder *b, const zn_yaml_node *node, const char *material)
{
    if (material != NULL && zn_form_find(node) < 0)
        zn_complain_key(&b->reader, zn_yaml_get(node, "material"),
                        "'material' is that of the shape of a body, which has none");
    else if (zn_bind_surface_material(b, node, material))
        return material;
    return NULL;
}

void zn_bind_body(zn_builder *b, const zn_yaml_node *node)
{
    zn_body_entry e;
    uint64_t      given = 0;
    if (!zn_bind_entry(b, &zn_schema_body, node, &e, &given))
        return;
    if (!b->reader.planar && zn_schema_given(&zn_schema_body, given, "angle")) {
        zn_complain_key(&b->reader, zn_yaml_get(node, "angle"),
                        "'angle' is for planar models; in space there is "
                        "'rotation'");
        return;
    }
    bool       cad = zn_schema_given(&zn_schema_body, given, "cad");
    zn_drawing looks = {0};
    zn_form    form = {.def = zn_shape_def_default()};
    e.def.name = node->key;
    form.def.material = e.material = material_of(b, node, e.material);
    if (zn_bind_cad(b, node, given, &e, &looks) && zn_bind_body_form(b, node, given, &e, &form)) {
        set_rotation(b, given, &e);
        if (zn_schema_given(&zn_schema_body, given, "lattice"))
            bind_lattice(b, node, given, &e, &form);
        else
            add_body(b, given, &e, cad ? &looks : NULL, &form);
    }
    zn_form_clear(&form);
}
