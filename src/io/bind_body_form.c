// Bodies with the key of a form: a shape of their name, and mass, inertia and place from a density. The axes of the
// body are those of the form; with the origin o of a file, the rotation R and the centre of mass c in the axes of the
// file the body is at o + R c, and the shape at -c of it.
#include <math.h>

#include "io/bind.h"

static bool has(uint64_t given, const char *key) { return zn_schema_given(&zn_schema_body, given, key); }

static void refuse(zn_reader *r, const zn_yaml_node *node, uint64_t given, const char *key, const char *with)
{
    if (has(given, key))
        zn_complain_key(r, zn_yaml_get(node, key), "'%s' does not go with '%s'", key, with);
}

// Keys that want each other, or do not go together.
static bool check_keys(zn_reader *r, const zn_yaml_node *node, uint64_t given, int kind)
{
    int  before = r->faults->count;
    bool cad = has(given, "cad"), density = has(given, "density") && !cad,
         file = kind == ZN_SHAPE_HULL || kind == ZN_SHAPE_MESH;
    if (density && kind < 0)
        zn_complain_key(r, zn_yaml_get(node, "density"),
                        "'density' goes with 'cad' or a shape: 'sphere', 'box', 'capsule', 'cylinder', 'hull', 'mesh'");
    if (density) {
        refuse(r, node, given, "mass", "density");
        refuse(r, node, given, "inertia", "density");
        refuse(r, node, given, "corners", "density");
    }
    if (has(given, "thickness") && !(r->planar && density))
        zn_complain_key(r, zn_yaml_get(node, "thickness"), "'thickness' goes with 'density' in the plane");
    if (has(given, "origin") && !cad && !file)
        zn_complain_key(r, zn_yaml_get(node, "origin"), "'origin' goes with 'cad', 'hull' or 'mesh'");
    if (has(given, "origin") && has(given, "position") && !cad)
        zn_complain_key(r, zn_yaml_get(node, "origin"),
                        "give one of 'position' (of the centre of mass) and 'origin' (of the file)");
    if (kind >= 0 && kind != ZN_SHAPE_SPHERE && has(given, "lattice"))
        zn_complain_key(r, zn_yaml_get(node, "lattice"),
                        "'lattice' has bodies with a 'sphere'; for others there is "
                        "'repeat'");
    return r->faults->count == before && zn_form_check(r, node);
}

// A sphere with a mass alone is a point, as ever.
static void take_mass(zn_reader *r, uint64_t given, int kind, const zn_mass_properties *m, zn_body_entry *e)
{
    double density = e->cad.density * (r->planar ? e->thickness : 1);
    if (has(given, "density"))
        e->def.mass = density * m->volume;
    else if (kind == ZN_SHAPE_SPHERE || has(given, "inertia") || has(given, "corners"))
        return;
    else
        density = e->def.mass / m->volume;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e->inertia.m[i][k] = density * m->inertia.m[i][k];
}

bool zn_bind_body_form(zn_builder *b, const zn_yaml_node *node, uint64_t given, zn_body_entry *e, zn_form *out)
{
    zn_reader         *r = &b->reader;
    zn_mass_properties mass;
    int                kind = zn_form_find(node);
    if (!check_keys(r, node, given, kind))
        return false;
    if (kind < 0)
        return true;
    if (!zn_form_take(r, node, kind, &e->form, out) || !zn_form_mass(r, node, out, &mass))
        return false;
    out->def.name = e->def.name;
    if (kind == ZN_SHAPE_HULL || kind == ZN_SHAPE_MESH)
        out->def.at.at = zn_vec3_scale(-1, mass.centre);
    if (!has(given, "cad"))
        take_mass(r, given, kind, &mass, e);
    if (has(given, "origin") && !has(given, "cad"))
        e->def.position = zn_vec3_add(e->cad.origin, zn_quat_rotate(e->def.rotation, mass.centre));
    return true;
}

void zn_bind_body_shape(zn_builder *b, zn_node_id body, zn_form *form)
{
    int before = b->reader.faults->count;
    form->def.at.node = body;
    zn_bind_check(b, zn_model_add_shape(b->model, &form->def), before);
}
