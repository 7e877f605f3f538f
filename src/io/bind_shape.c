// Shapes, lattices of bodies, and contacts between shapes.
#include "io/bind.h"
#include "io/bind_form.h"

#include <math.h>
#include <string.h>

// The kind of a shape; ZN_FORM_NONE after a message when there is none or more than one.
static int find_kind(zn_reader *r, const zn_yaml_node *node)
{
    int found = zn_form_find(node);
    if (found < 0)
        zn_complain_key(r, node, "key 'sphere', 'box', 'plane', 'capsule', 'cylinder', 'hull' or 'mesh' is missing");
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
    def->kind = (zn_shape_kind)kind;
    def->name = node->key;
    def->at.at = e.at;
    def->normal = e.plane;
    def->rotation = b->reader.planar ? (zn_quat){cos(e.angle / 2), 0, 0, sin(e.angle / 2)} : e.rotation;
    int before = b->reader.faults->count;
    if (good && (kind == ZN_SHAPE_PLANE || zn_form_take(&b->reader, node, kind, &e.form, &form)))
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

void zn_bind_lattice(zn_builder *b, const zn_yaml_node *node, const zn_body_entry *e)
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
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_lattice(b->model, &def), before);
}

// --- contacts ------------------------------------------------------------------------------------

// Names of shapes, found in the model unless they have faults of their own.
static bool find_shapes(zn_builder *b, const char *key, const zn_references *list, const char ***out)
{
    const char **names = zn_pool_alloc(b->reader.pool, (size_t)list->count, sizeof *names);
    bool         good = names != NULL;
    if (!good)
        b->reader.faults->out_of_memory = true;
    for (int i = 0; names != NULL && i < list->count; i++) {
        const zn_reference *ref = &list->items[i];
        names[i] = ref->name;
        if (zn_model_count_shapes(b->model, ref->name) > 0)
            continue;
        good = false;
        const zn_yaml_node *round = b->file.bodies != NULL ? zn_yaml_get(b->file.bodies, ref->name) : NULL;
        if ((b->file.shapes != NULL && zn_yaml_get(b->file.shapes, ref->name) != NULL) ||
            (round != NULL && zn_form_find(round) >= 0))
            continue; // it is there, but wrong: told already
        char     hint[96];
        zn_guess guess = zn_guess_begin(ref->name);
        for (const zn_yaml_node *n = b->file.shapes != NULL ? b->file.shapes->first : NULL; n != NULL; n = n->next)
            zn_guess_offer(&guess, n->key);
        for (const zn_yaml_node *n = b->file.bodies != NULL ? b->file.bodies->first : NULL; n != NULL; n = n->next)
            if (zn_form_find(n) >= 0)
                zn_guess_offer(&guess, n->key);
        zn_complain_at(&b->reader, ref->line, ref->column, "'%s': there is no shape '%s'%s", key, ref->name,
                       zn_guess_text(&guess, hint));
    }
    *out = names;
    return good;
}

void zn_bind_pairs(zn_builder *b, const zn_yaml_node *node, const zn_contact_entry *e)
{
    static const char *const others[] = {"point", "points",  "at",       "radius", "rim",
                                         "hole",  "surface", "surfaces", "reach"};
    const char             **between = NULL, **against = NULL;
    zn_pairs_def             def = zn_pairs_def_default();
    bool                     good = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (zn_yaml_get(node, others[i]) != NULL) {
            zn_complain_key(&b->reader, zn_yaml_get(node, others[i]), "'%s' does not go with 'between'", others[i]);
            good = false;
        }
    if (!find_shapes(b, "between", &e->between, &between) || !find_shapes(b, "against", &e->against, &against) || !good)
        return;
    def.name = node->key;
    def.between_count = e->between.count;
    def.between = between;
    def.against_count = e->against.count;
    def.against = against;
    def.restitution = e->def.restitution;
    def.friction = e->def.friction;
    def.tangential_restitution = e->def.tangential_restitution;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_pairs(b->model, &def), before);
}
