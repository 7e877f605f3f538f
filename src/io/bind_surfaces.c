// Contacts between surfaces of solids: their parts and sets.
#include "io/bind.h"

#include <string.h>

// Part and set of a surface, PART.SET or PART, as the model calls them; face: NULL without a set. False after a
// message.
static bool bind_surface(zn_builder *b, const zn_reference *ref, char text[ZN_FACE_LENGTH], const char **part,
                         const char **face)
{
    const char  *dot = strchr(ref->name, '.');
    zn_reference of = *ref, set = *ref;
    char        *name = zn_pool_string(b->reader.pool, ref->name);
    if (name == NULL) {
        b->reader.faults->out_of_memory = true;
        return false;
    }
    set.name = dot != NULL ? dot + 1 : NULL;
    if (dot != NULL)
        name[dot - ref->name] = '\0';
    of.name = *part = name;
    *face = dot != NULL ? text : NULL;
    return zn_bind_face(b, &of, &set, text);
}

static bool check_keys(zn_reader *r, const zn_yaml_node *node, int surfaces)
{
    static const char *const others[] = {"point", "points", "at", "radius", "rim", "hole", "surface", "against"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (zn_yaml_get(node, others[i]) != NULL) {
            zn_complain_key(r, zn_yaml_get(node, others[i]), "'%s' does not go with 'surfaces'", others[i]);
            return false;
        }
    if (surfaces < 1 || surfaces > 2)
        zn_complain(r, zn_yaml_get(node, "surfaces"),
                    "'surfaces': expected two names, or one of a surface that meets itself, found %d", surfaces);
    return surfaces == 1 || surfaces == 2;
}

void zn_bind_surfaces(zn_builder *b, const zn_yaml_node *node, const zn_contact_entry *e)
{
    zn_surfaces_def def = zn_surfaces_def_default();
    char            face_a[ZN_FACE_LENGTH], face_b[ZN_FACE_LENGTH];
    if (!check_keys(&b->reader, node, e->surfaces.count))
        return;
    bool good = bind_surface(b, &e->surfaces.items[0], face_a, &def.part_a, &def.face_a);
    if (e->surfaces.count == 2)
        good = bind_surface(b, &e->surfaces.items[1], face_b, &def.part_b, &def.face_b) && good;
    if (!good)
        return;
    def.name = node->key;
    def.friction = e->def.friction;
    def.tangential_restitution = e->def.tangential_restitution;
    def.restitution_from = e->def.restitution_from;
    if (zn_yaml_get(node, "restitution") != NULL)
        def.restitution = e->def.restitution;
    def.reach = e->reach;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_surfaces(b->model, &def), before);
}
