// Groups of one mesh file as parts of their own. Parts have nodes of their own, so two groups that share nodes in the
// file come apart there: that is refused unless the model says that it is meant.
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

// Nodes of one mesh that are nodes of the other; -1 without memory.
static int count_shared(const zn_mesh *a, const zn_mesh *b)
{
    size_t   size = sizeof *a->nodes, count = (size_t)a->node_count;
    zn_vec3 *sorted = ZN_NEW(zn_vec3, count);
    int      shared = 0;
    if (!sorted)
        return -1;
    memcpy(sorted, a->nodes, size * count);
    qsort(sorted, count, size, compare);
    for (int i = 0; i < b->node_count; i++)
        shared += bsearch(&b->nodes[i], sorted, count, size, compare) != NULL;
    free(sorted);
    return shared;
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

static void check_pair(zn_reader *r, const zn_yaml_node *node, const zn_yaml_node *before, const zn_mesh *mesh,
                       const zn_msh *msh)
{
    const zn_yaml_node *other = zn_yaml_get(before, "mesh");
    zn_mesh            *found = NULL;
    char                message[256];
    if (zn_msh_mesh(msh, text_of(other, "group"), r->planar, "", &found, message, sizeof message) != ZN_OK)
        return; // it has been told
    int shared = count_shared(found, mesh);
    zn_mesh_destroy(found);
    r->faults->out_of_memory |= shared < 0;
    if (shared > 0)
        zn_complain_key(
            r, zn_yaml_get(node, "mesh"),
            "its group shares %d node%s with that of part '%s', but parts have nodes of their own and would come "
            "apart there. Make one part of both, or say 'apart: true' here if that is meant",
            shared, shared > 1 ? "s" : "", before->key);
}

void zn_bind_groups(zn_builder *b, const zn_yaml_node *node, const zn_mesh *mesh, const zn_msh *msh)
{
    const zn_yaml_node *parts = zn_yaml_get(b->root, "parts");
    const char         *file = text_of(zn_yaml_get(node, "mesh"), "file");
    if (file == NULL || parts == NULL || !could_touch(node, file))
        return;
    for (const zn_yaml_node *n = parts->first; n != NULL && n != node; n = n->next)
        if (could_touch(n, file))
            check_pair(&b->reader, node, n, mesh, msh);
}
