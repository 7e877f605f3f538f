// Groups of one mesh file as parts of their own: nodes that they share in the file are one node of the model, unless
// the model says that they are apart.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/bind.h"
#include "io/msh.h"

static int compare(const void *a, const void *b)
{
    const zn_vec3 *x = a, *y = b;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    if (x->y != y->y)
        return x->y < y->y ? -1 : 1;
    return (x->z > y->z) - (x->z < y->z);
}

// A node with its number in the mesh.
typedef struct place {
    zn_vec3 at; // first: compare looks at it alone
    int     number;
} place;

// Nodes of a mesh that are nodes of the part of another one: where `shared` has none yet.
static bool share(const zn_model *model, const char *part, const zn_mesh *other, const zn_mesh *mesh,
                  zn_node_id *shared)
{
    size_t count = (size_t)other->node_count;
    place *sorted = ZN_NEW(place, count);
    if (!sorted)
        return false;
    for (int i = 0; i < other->node_count; i++)
        sorted[i] = (place){other->nodes[i], i};
    qsort(sorted, count, sizeof *sorted, compare);
    for (int i = 0; i < mesh->node_count; i++) {
        const place key = {.at = mesh->nodes[i]}, *found = bsearch(&key, sorted, count, sizeof key, compare);
        char        name[2 * ZN_NAME_LENGTH];
        if (!found || shared[i].value > 0)
            continue;
        snprintf(name, sizeof name, "%.63s[%d]", part, found->number);
        shared[i] = zn_model_find_node(model, name);
    }
    free(sorted);
    return true;
}

static const char *text_of(const zn_yaml_node *map, const char *key)
{
    const zn_yaml_node *node = map != NULL && map->kind == ZN_YAML_MAP ? zn_yaml_get(map, key) : NULL;
    return node != NULL && node->kind == ZN_YAML_SCALAR ? node->text : NULL;
}

// A part of the same file that stays where the file has it, and is not said to be apart.
static bool could_touch(const zn_yaml_node *part, const char *file)
{
    if (!zn_bind_is_solid(part) || zn_yaml_get(part, "angle") != NULL || zn_yaml_get(part, "rotation") != NULL)
        return false;
    const zn_yaml_node *mesh = zn_yaml_get(part, "mesh");
    const char         *own = text_of(mesh, "file"), *apart = text_of(mesh, "apart");
    return own != NULL && strcmp(own, file) == 0 && !(apart != NULL && strcmp(apart, "true") == 0);
}

// Parts of other groups are elsewhere, and other files may call another mesh by that name.
static bool is_beside(const zn_yaml_node *a, const zn_yaml_node *b)
{
    return (a->scope != NULL ? a->scope->level : NULL) == (b->scope != NULL ? b->scope->level : NULL);
}

static bool share_with(zn_builder *b, const zn_yaml_node *before, const zn_mesh *mesh, const zn_msh *msh,
                       zn_node_id *shared)
{
    const zn_yaml_node *other = zn_yaml_get(before, "mesh");
    zn_mesh            *found = NULL;
    char                message[256];
    if (zn_msh_mesh(msh, text_of(other, "group"), b->reader.planar, "", &found, message, sizeof message) != ZN_OK)
        return true; // it has been told
    bool room = share(b->model, before->key, found, mesh, shared);
    zn_mesh_destroy(found);
    return room;
}

zn_node_id *zn_bind_groups(zn_builder *b, const zn_yaml_node *node, const zn_mesh *mesh, const zn_msh *msh)
{
    const zn_yaml_node *parts = zn_yaml_get(b->root, "parts");
    const char         *file = text_of(zn_yaml_get(node, "mesh"), "file");
    if (file == NULL || parts == NULL || !could_touch(node, file))
        return NULL;
    zn_node_id *shared = ZN_NEW(zn_node_id, mesh->node_count);
    bool        room = shared != NULL;
    for (const zn_yaml_node *n = parts->first; n != NULL && n != node && room; n = n->next)
        if (could_touch(n, file) && is_beside(n, node))
            room = share_with(b, n, mesh, msh, shared);
    b->reader.faults->out_of_memory |= !room;
    return shared;
}
