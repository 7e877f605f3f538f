// From the file to a mesh: the solids of one group, the nodes they use, and the other groups as node sets.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "io/msh.h"

enum { QUAD4 = 3, TET4 = 4, HEX8 = 5 }; // types of Gmsh

// A tag with the place of its node in the file; later its number in the mesh.
typedef struct node_place {
    int tag, node, number;
} node_place;

typedef struct builder {
    const zn_msh *msh;
    const char   *name;
    bool          planar;
    int           type;  // of the solids
    node_place   *place; // sorted by tag
    int          *order; // place of each node of the file
    zn_mesh      *mesh;
    char         *message;
    size_t        size;
} builder;

static zn_status bad(const builder *b, int line, const char *format, ...) ZN_PRINTF(3, 4);

static zn_status bad(const builder *b, int line, const char *format, ...)
{
    char where[24] = "";
    if (line > 0)
        snprintf(where, sizeof where, "%d: ", line);
    int n = snprintf(b->message, b->size, "%s:%s%s", b->name, line > 0 ? "" : " ", where);
    if (n >= 0 && (size_t)n < b->size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(b->message + n, b->size - (size_t)n, format, arguments);
        va_end(arguments);
    }
    return ZN_ERR_MODEL;
}

// --- groups --------------------------------------------------------------------------------------

static const zn_msh_group *find_group(const zn_msh *m, const char *name)
{
    for (int i = 0; i < m->group_count; i++)
        if (strcmp(m->group[i].name, name) == 0)
            return &m->group[i];
    return NULL;
}

static bool belongs(const zn_msh *m, const zn_msh_element *e, const zn_msh_group *group)
{
    if (e->dim >= 0 && e->dim != group->dim)
        return false;
    if (!m->entities_own)
        return e->owner == group->tag;
    if (e->owner < 0)
        return false;
    const zn_msh_entity *entity = &m->entity[e->owner];
    for (int i = 0; i < entity->count; i++)
        if (m->physical[entity->first + i] == group->tag)
            return true;
    return false;
}

static int unsupported_line(const zn_msh *m, const zn_msh_group *group)
{
    for (int i = 0; i < m->element_count; i++)
        if (zn_msh_type_nodes(m->element[i].type) == 0 && belongs(m, &m->element[i], group))
            return m->element[i].line;
    return 0;
}

int zn_msh_unsupported(const zn_msh *msh, const char *group)
{
    const zn_msh_group *found = find_group(msh, group);
    return found ? unsupported_line(msh, found) : 0;
}

// --- nodes ---------------------------------------------------------------------------------------

static int by_tag(const void *a, const void *b)
{
    const node_place *x = a, *y = b;
    return (x->tag > y->tag) - (x->tag < y->tag);
}

static zn_status sort_nodes(builder *b)
{
    int count = b->msh->node_count;
    b->place = ZN_NEW(node_place, count);
    b->order = ZN_NEW(int, count);
    if (!b->place || !b->order)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < count; i++)
        b->place[i] = (node_place){b->msh->node[i].tag, i, -1};
    qsort(b->place, (size_t)count, sizeof *b->place, by_tag);
    for (int i = 0; i < count; i++) {
        if (i > 0 && b->place[i].tag == b->place[i - 1].tag)
            return bad(b, 0, "node %d occurs twice", b->place[i].tag);
        b->order[b->place[i].node] = i;
    }
    return ZN_OK;
}

static node_place *find_node(const builder *b, int tag)
{
    node_place key = {.tag = tag};
    return bsearch(&key, b->place, (size_t)b->msh->node_count, sizeof key, by_tag);
}

// --- elements ------------------------------------------------------------------------------------

// Whether the element is part of the body.
static bool is_chosen(const builder *b, const zn_msh_element *e, const zn_msh_group *group)
{
    return group ? belongs(b->msh, e, group) : e->dim == (b->planar ? 2 : 3) || e->dim < 0;
}

// All chosen elements are of one supported solid type; marks their nodes.
static zn_status choose_elements(builder *b, const zn_msh_group *group, int *count)
{
    *count = 0;
    for (int i = 0; i < b->msh->element_count; i++) {
        const zn_msh_element *e = &b->msh->element[i];
        if (!is_chosen(b, e, group))
            continue;
        bool good = b->planar ? e->type == QUAD4 : e->type == TET4 || e->type == HEX8;
        if (!good)
            return bad(b, e->line, "an element of type %d cannot be part of a solid; %s can", e->type,
                       b->planar ? "quadrilaterals of 4 nodes (3)"
                                 : "tetrahedra of 4 nodes (4) and hexahedra of 8 (5)");
        if (b->type != 0 && e->type != b->type)
            return bad(b, e->line, "elements of type %d and %d in one solid", b->type, e->type);
        b->type = e->type;
        for (int k = 0; k < zn_msh_type_nodes(e->type); k++) {
            node_place *place = find_node(b, e->node[k]);
            if (!place)
                return bad(b, e->line, "there is no node %d", e->node[k]);
            place->number = 0;
        }
        ++*count;
    }
    if (*count == 0)
        return bad(b, 0, "there are no solid elements%s%s%s", group ? " in group '" : "", group ? group->name : "",
                   group ? "'" : "");
    return ZN_OK;
}

static zn_status take_nodes(builder *b)
{
    int     count = 0;
    zn_vec3 low = {INFINITY, INFINITY, 0}, high = {-INFINITY, -INFINITY, 0};
    for (int i = 0; i < b->msh->node_count; i++)
        if (b->place[b->order[i]].number >= 0)
            b->place[b->order[i]].number = count++;
    b->mesh->nodes = ZN_NEW(zn_vec3, count);
    if (!b->mesh->nodes)
        return ZN_ERR_MEMORY;
    b->mesh->node_count = count;
    for (int i = 0; i < b->msh->node_count; i++) {
        const node_place *place = &b->place[b->order[i]];
        zn_vec3           at = b->msh->node[i].at;
        if (place->number < 0)
            continue;
        low = (zn_vec3){fmin(low.x, at.x), fmin(low.y, at.y), 0};
        high = (zn_vec3){fmax(high.x, at.x), fmax(high.y, at.y), 0};
        b->mesh->nodes[place->number] = at;
    }
    for (int i = 0; b->planar && i < count; i++) {
        if (fabs(b->mesh->nodes[i].z) > 1e-9 * zn_vec3_norm(zn_vec3_sub(high, low)))
            return bad(b, 0, "a node at z = %g in a planar model", b->mesh->nodes[i].z);
        b->mesh->nodes[i].z = 0;
    }
    return ZN_OK;
}

// Quadrilaterals may be clockwise, depending on how the surface was drawn.
static void turn_around(const zn_mesh *mesh, int *element)
{
    const zn_vec3 *X = mesh->nodes;
    zn_vec3        a = zn_vec3_sub(X[element[2]], X[element[0]]), b = zn_vec3_sub(X[element[3]], X[element[1]]);
    if (zn_vec3_cross(a, b).z >= 0)
        return;
    int swap = element[1];
    element[1] = element[3];
    element[3] = swap;
}

static zn_status take_elements(builder *b, const zn_msh_group *group, int count)
{
    int nodes = zn_msh_type_nodes(b->type), *next = ZN_NEW(int, (size_t)count *(size_t)nodes);
    if (!next)
        return ZN_ERR_MEMORY;
    b->mesh->elements = next;
    b->mesh->element_count = count;
    b->mesh->shape = b->type == QUAD4 ? ZN_QUAD4 : b->type == TET4 ? ZN_TET4 : ZN_HEX8;
    for (int i = 0; i < b->msh->element_count; i++) {
        const zn_msh_element *e = &b->msh->element[i];
        if (!is_chosen(b, e, group))
            continue;
        for (int k = 0; k < nodes; k++)
            next[k] = find_node(b, e->node[k])->number;
        if (b->type == QUAD4)
            turn_around(b->mesh, next);
        next += nodes;
    }
    return ZN_OK;
}

// --- sets ----------------------------------------------------------------------------------------

// Marks the nodes of the mesh in a group; their number.
static zn_status mark_group(const builder *b, const zn_msh_group *group, bool *marked, int *count)
{
    *count = 0;
    memset(marked, 0, sizeof *marked * (size_t)b->mesh->node_count);
    for (int i = 0; i < b->msh->element_count; i++) {
        const zn_msh_element *e = &b->msh->element[i];
        for (int k = 0; k < zn_msh_type_nodes(e->type) && belongs(b->msh, e, group); k++) {
            const node_place *place = find_node(b, e->node[k]);
            if (!place)
                return bad(b, e->line, "there is no node %d", e->node[k]);
            if (place->number < 0 || marked[place->number])
                continue;
            marked[place->number] = true;
            ++*count;
        }
    }
    return ZN_OK;
}

static zn_status add_set(builder *b, const char *name, const bool *marked, int count)
{
    zn_mesh_set *set = &b->mesh->sets[b->mesh->set_count++];
    *set = (zn_mesh_set){zn_copy_string(name), count, ZN_NEW(int, count)};
    if (!set->name || !set->nodes)
        return ZN_ERR_MEMORY;
    for (int i = 0, next = 0; i < b->mesh->node_count; i++)
        if (marked[i])
            set->nodes[next++] = i;
    return ZN_OK;
}

static zn_status take_sets(builder *b)
{
    bool *marked = ZN_NEW(bool, b->mesh->node_count);
    b->mesh->sets = ZN_NEW(zn_mesh_set, b->msh->group_count);
    zn_status status = marked && b->mesh->sets ? ZN_OK : ZN_ERR_MEMORY;
    for (int i = 0; status == ZN_OK && i < b->msh->group_count; i++) {
        const zn_msh_group *group = &b->msh->group[i];
        int                 count = 0;
        if (unsupported_line(b->msh, group) > 0)
            continue;
        status = mark_group(b, group, marked, &count);
        if (status == ZN_OK && count > 0)
            status = add_set(b, group->name, marked, count);
    }
    free(marked);
    return status;
}

static zn_status build(builder *b, const char *group_name)
{
    const zn_msh_group *group = NULL;
    int                 count;
    if (group_name && !(group = find_group(b->msh, group_name)))
        return bad(b, 0, "there is no physical group '%s'", group_name);
    ZN_TRY(sort_nodes(b));
    ZN_TRY(choose_elements(b, group, &count));
    ZN_TRY(take_nodes(b));
    ZN_TRY(take_elements(b, group, count));
    return take_sets(b);
}

zn_status zn_msh_mesh(const zn_msh *msh, const char *group, bool planar, const char *name, zn_mesh **out, char *message,
                      size_t size)
{
    builder   b = {.msh = msh, .name = name, .planar = planar, .message = message, .size = size};
    zn_status status = (b.mesh = ZN_NEW(zn_mesh, 1)) ? build(&b, group) : ZN_ERR_MEMORY;
    free(b.place);
    free(b.order);
    if (status == ZN_ERR_MEMORY)
        snprintf(message, size, "%s: out of memory", name);
    if (status == ZN_OK)
        *out = b.mesh;
    else
        zn_mesh_destroy(b.mesh);
    return status;
}
