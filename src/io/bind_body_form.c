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

// Does it have an origin of its own, which need not be its centre of mass?
static bool has_origin(int kind) { return kind == ZN_SHAPE_HULL || kind == ZN_SHAPE_MESH || kind == ZN_SHAPE_CONTOUR; }

// Keys that want each other, or do not go together.
static bool check_keys(zn_reader *r, const zn_yaml_node *node, uint64_t given, int kind)
{
    int  before = r->faults->count;
    bool cad = has(given, "cad"), density = has(given, "density") && !cad, file = has_origin(kind);
    if (density && kind < 0)
        zn_complain_key(r, zn_yaml_get(node, "density"),
                        "'density' goes with 'cad' or a shape: 'sphere', 'box', 'capsule', 'cylinder', 'hull', 'mesh', "
                        "'contour', 'cam', 'gear'");
    if (density) {
        refuse(r, node, given, "mass", "density");
        refuse(r, node, given, "inertia", "density");
        refuse(r, node, given, "corners", "density");
    }
    if (has(given, "thickness") && !(r->planar && density))
        zn_complain_key(r, zn_yaml_get(node, "thickness"), "'thickness' goes with 'density' in the plane");
    if (has(given, "origin") && !cad && !file)
        zn_complain_key(r, zn_yaml_get(node, "origin"),
                        "'origin' goes with 'cad', 'hull', 'mesh', 'contour', 'cam' or 'gear'");
    if (has(given, "origin") && has(given, "position") && !cad)
        zn_complain_key(r, zn_yaml_get(node, "origin"),
                        "give one of 'position' (of the centre of mass) and 'origin' (of the file)");
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

static zn_quat turn_of(const zn_reader *r, const zn_body_def *def)
{
    return r->planar ? (zn_quat){zn_cos(def->angle / 2), 0, 0, zn_sin(def->angle / 2)} : def->rotation;
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
    bool taken = kind == ZN_SHAPE_CONTOUR ? zn_bind_contour(b, node, &e->outline, &out->def, &out->profile)
                                          : zn_form_take(r, node, kind, &e->form, out);
    if (!taken || !zn_form_mass(r, node, out, &mass))
        return false;
    out->def.name = e->def.name;
    if (has_origin(kind))
        out->def.at.at = zn_vec3_scale(-1, mass.centre);
    if (!has(given, "cad"))
        take_mass(r, given, kind, &mass, e);
    if (has(given, "origin") && !has(given, "cad"))
        e->def.position = zn_vec3_add(e->cad.origin, zn_quat_rotate(turn_of(r, &e->def), mass.centre));
    return true;
}

void zn_bind_body_shape(zn_builder *b, zn_node_id body, zn_form *form)
{
    int before = b->reader.faults->count;
    form->def.at.node = body;
    zn_bind_check(b, zn_model_add_shape(b->model, &form->def), before);
}
