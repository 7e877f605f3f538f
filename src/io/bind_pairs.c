// Contacts between shapes: who meets whom, and by which law.
#include "io/bind.h"

#include <stdio.h>
#include <string.h>

// --- materials -----------------------------------------------------------------------------------

// The name of a pair without the groups around it, and where its second word begins; NULL: it is not that of a pair.
static const char *split(const char *key, const char **second)
{
    const char *mark, *dash;
    while ((mark = strstr(key, ZN_SCOPE_MARK)) != NULL)
        key = mark + strlen(ZN_SCOPE_MARK);
    dash = strchr(key, '-');
    *second = dash != NULL ? dash + 1 : NULL;
    return dash != NULL && dash > key && dash[1] != '\0' && strchr(dash + 1, '-') == NULL ? key : NULL;
}

bool zn_bind_is_pair(const zn_yaml_node *node)
{
    return zn_yaml_get(node, "friction") != NULL || zn_yaml_get(node, "restitution") != NULL;
}

void zn_bind_material_pair(zn_builder *b, const zn_yaml_node *node, const zn_material_entry *e)
{
    static const char *const elastic[] = {"young", "poisson", "density"};
    zn_material_pair_def     def = e->law;
    const char              *second, *first = split(node->key, &second);
    for (size_t i = 0; i < sizeof elastic / sizeof *elastic; i++)
        if (zn_yaml_get(node, elastic[i]) != NULL) {
            zn_complain_key(&b->reader, zn_yaml_get(node, elastic[i]),
                            "'%s' is of one material, friction and restitution are of a pair such as steel-rubber",
                            elastic[i]);
            return;
        }
    if (!zn_bind_law(&b->reader, node))
        return;
    if (first == NULL) {
        zn_complain_key(&b->reader, node, "friction and restitution are of a pair of materials, such as steel-rubber");
        return;
    }
    char word[ZN_NAME_LENGTH + 1];
    snprintf(word, sizeof word, "%.*s", (int)(second - first - 1), first);
    def.a = word;
    def.b = second;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_material_pair(b->model, &def), before);
}

bool zn_bind_surface_material(zn_builder *b, const zn_yaml_node *node, const char *material)
{
    if (material == NULL || zn_model_has_material(b->model, material))
        return true;
    char     hint[96], word[ZN_NAME_LENGTH + 1];
    zn_guess guess = zn_guess_begin(material);
    for (const zn_yaml_node *n = b->file.materials != NULL ? b->file.materials->first : NULL; n != NULL; n = n->next) {
        const char *second, *first = split(n->key, &second);
        if (first == NULL || !zn_bind_is_pair(n))
            continue;
        snprintf(word, sizeof word, "%.*s", (int)(second - first - 1), first);
        if (strcmp(word, material) == 0 || strcmp(second, material) == 0)
            return false; // it is there, but wrong: told already
        zn_guess_offer(&guess, second);
        zn_guess_offer(&guess, word);
    }
    zn_complain_key(&b->reader, zn_yaml_get(node, "material"), "'material': 'materials' has no pair with '%s'%s",
                    material, zn_guess_text(&guess, hint));
    return false;
}

// --- names ---------------------------------------------------------------------------------------

// Is there something of that name with a fault of its own, which was told already?
static bool is_faulty(const zn_builder *b, const char *name)
{
    return (b->file.shapes != NULL && zn_yaml_get(b->file.shapes, name) != NULL) ||
           (b->file.bodies != NULL && zn_yaml_get(b->file.bodies, name) != NULL);
}

bool zn_bind_find_shape(zn_builder *b, const char *key, const zn_reference *ref, bool all)
{
    const char *name = ref->name;
    if (zn_model_count_shapes(b->model, name) == 0 && is_faulty(b, name) && b->reader.faults->count > 0)
        return false; // its shape may be what was told
    if (zn_model_count_shapes(b->model, name) > 0 || strcmp(name, "ground") == 0 || (all && strcmp(name, "all") == 0) ||
        zn_model_find_node(b->model, name).value != 0)
        return true;
    if (is_faulty(b, name))
        return false;
    char     hint[96];
    zn_guess guess = zn_guess_begin(name);
    for (const zn_yaml_node *n = b->file.shapes != NULL ? b->file.shapes->first : NULL; n != NULL; n = n->next)
        zn_guess_offer(&guess, n->key);
    for (const zn_yaml_node *n = b->file.bodies != NULL ? b->file.bodies->first : NULL; n != NULL; n = n->next)
        zn_guess_offer(&guess, n->key);
    zn_guess_offer(&guess, "ground");
    zn_complain_at(&b->reader, ref->line, ref->column, "'%s': there is no shape '%s'%s", key, name,
                   zn_guess_text(&guess, hint));
    return false;
}

static const char **make_names(zn_builder *b, int count)
{
    const char **names = zn_pool_alloc(b->reader.pool, (size_t)count, sizeof *names);
    b->reader.faults->out_of_memory |= names == NULL;
    return names;
}

static bool find_shapes(zn_builder *b, const char *key, const zn_references *list, const char ***out)
{
    const char **names = *out = make_names(b, list->count);
    bool         good = names != NULL;
    for (int i = 0; names != NULL && i < list->count; i++) {
        names[i] = list->items[i].name;
        good = zn_bind_find_shape(b, key, &list->items[i], true) && good;
    }
    return good;
}

// [[a, b], [c, d] ...]
static bool find_pairs(zn_builder *b, const zn_yaml_node *list, const char ***out)
{
    const char **names = *out = make_names(b, list->kind == ZN_YAML_LIST ? 2 * list->count : 0);
    bool         good = names != NULL;
    if (list->kind != ZN_YAML_LIST) {
        zn_complain(&b->reader, list, "'except' is a list of pairs of names, [[door, frame], [door, ground]]");
        return false;
    }
    for (const zn_yaml_node *pair = list->first; names != NULL && pair != NULL; pair = pair->next) {
        if (pair->kind != ZN_YAML_LIST || pair->count != 2 || pair->first->kind != ZN_YAML_SCALAR ||
            pair->first->next->kind != ZN_YAML_SCALAR) {
            zn_complain(&b->reader, pair, "'except': a pair is two names, [door, frame]");
            return false;
        }
        for (const zn_yaml_node *n = pair->first; n != NULL; n = n->next) {
            zn_reference ref = {n->text, n->line, n->column};
            good = zn_read_reference(&b->reader, "except", false, &ref) &&
                   zn_bind_find_shape(b, "except", &ref, false) && good;
            *names++ = ref.name;
        }
    }
    return good;
}

// --- contacts ------------------------------------------------------------------------------------

static bool check_others(zn_reader *r, const zn_yaml_node *node)
{
    static const char *const others[] = {"point", "points",  "at",       "radius", "rim",
                                         "hole",  "surface", "surfaces", "reach"};
    bool                     good = true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (zn_yaml_get(node, others[i]) != NULL) {
            zn_complain_key(r, zn_yaml_get(node, others[i]), "'%s' does not go with 'between'", others[i]);
            good = false;
        }
    return good;
}

void zn_bind_pairs(zn_builder *b, const zn_yaml_node *node, const zn_contact_entry *e)
{
    const char **between = NULL, **against = NULL, **except = NULL;
    zn_pairs_def def = zn_pairs_def_default();
    bool         good = check_others(&b->reader, node);
    if (!find_shapes(b, "between", &e->between, &between) || !find_shapes(b, "against", &e->against, &against) ||
        (e->except != NULL && !find_pairs(b, e->except, &except)) || !good)
        return;
    def.name = node->key;
    def.between_count = e->between.count;
    def.between = between;
    def.against_count = e->against.count;
    def.against = against;
    def.except_count = e->except != NULL ? e->except->count : 0;
    def.except = except;
    def.joined = e->joined;
    def.restitution = e->def.restitution;
    def.friction = e->def.friction;
    def.tangential_restitution = e->def.tangential_restitution;
    def.rolling_friction = e->def.rolling_friction;
    def.spinning_friction = e->def.spinning_friction;
    def.restitution_from = e->def.restitution_from;
    def.cohesion = e->def.cohesion;
    // it has neither friction nor restitution; nor has a shape lost its material by a fault, which was told
    def.listed = !zn_bind_is_pair(node) && b->reader.faults->count == 0;
    int before = b->reader.faults->count;
    zn_bind_check(b, zn_model_add_pairs(b->model, &def), before);
}
