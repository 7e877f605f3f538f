// Elements of mean dilatation: the tetrahedra around each node of a mesh.
#include "model/build/build_dilatation.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/element/solid.h"

// The tetrahedra at each node: those of node i are list[start[i]] to list[start[i + 1] - 1], ascending.
typedef struct around {
    int *start, *list;
} around;

static zn_status find_around(const zn_mesh *mesh, around *out)
{
    int corners = 4 * mesh->element_count;
    out->start = ZN_NEW(int, mesh->node_count + 2);
    out->list = ZN_NEW(int, corners);
    if (!out->start || !out->list)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < corners; k++)
        out->start[mesh->elements[k] + 2]++;
    for (int i = 1; i <= mesh->node_count; i++)
        out->start[i + 1] += out->start[i];
    for (int k = 0; k < corners; k++) // start[i + 1] runs from the first of node i to the first of the next
        out->list[out->start[mesh->elements[k] + 1]++] = k / 4;
    return ZN_OK;
}

// The place of a node in the list of the element, a new one where it is not in it; -1: there is no room.
static int place_of(int node, int *list, int *count)
{
    int k = 0;
    while (k < *count && list[k] != node)
        k++;
    if (k == ZN_DILATATION_NODES)
        return -1;
    list[k] = node;
    *count += k == *count;
    return k;
}

// A tetrahedron of the mesh into the element; false: there is no room.
static bool add_cell(const zn_mesh *mesh, int tetrahedron, zn_nodal_dilatation *p, int *list)
{
    const int          *corner = mesh->elements + 4 * tetrahedron;
    zn_dilatation_cell *c = &p->cell[p->cells];
    zn_vec3             X[4], row[3];
    if (p->cells == ZN_DILATATION_CELLS)
        return false;
    for (int a = 0; a < 4; a++) {
        X[a] = mesh->nodes[corner[a]];
        c->node[a] = place_of(corner[a], list, &p->nodes);
        if (c->node[a] < 0)
            return false;
    }
    const double middle[3] = {0.25, 0.25, 0.25};
    c->weight = zn_solid_map(&zn_tet4_kind, X, middle, row) / 24; // a quarter of the volume
    for (int a = 0; a < 3; a++) {
        c->gradient[a][0] = row[a].x;
        c->gradient[a][1] = row[a].y;
        c->gradient[a][2] = row[a].z;
    }
    p->volume += c->weight;
    p->cells++;
    return true;
}

// The element of node i; `p` has room for the largest.
static zn_status add_node(zn_model *model, const zn_solid_def *def, const around *at, int i, int part,
                          const zn_named *own, zn_nodal_dilatation *p)
{
    int  list[ZN_DILATATION_NODES] = {0}, node[ZN_DILATATION_NODES];
    bool room = true;
    p->number = i;
    p->nodes = p->cells = 0;
    p->volume = 0;
    for (int k = at->start[i]; k < at->start[i + 1]; k++)
        room = room && add_cell(def->mesh, at->list[k], p, list);
    if (p->cells == 0)
        return ZN_OK; // whoever has no mass is told elsewhere
    const zn_element_ops *ops = room ? zn_nodal_dilatation_ops(p->nodes, p->cells) : NULL;
    if (!ops)
        return zn_fail(
            &model->log, ZN_ERR_MODEL,
            "part '%s': node %d has %d elements around it; 'mean_dilatation' of tet4 takes up to %d elements "
            "and %d nodes",
            def->name ? def->name : "solid", i, at->start[i + 1] - at->start[i], ZN_DILATATION_CELLS,
            ZN_DILATATION_NODES);
    for (int a = 0; a < ops->nodes; a++)
        node[a] = a < p->nodes ? zn_named_node(own, list[a]) : -1;
    return zn_model_add_element(model, ops, part, node, p);
}

zn_status zn_model_add_dilatation(zn_model *model, const zn_solid_def *def, const zn_nodal_dilatation *like, int part,
                                  const zn_named *own)
{
    ZN_ASSERT(def->mesh->shape == ZN_TET4 && like->lambda > 0);
    around               at = {0};
    zn_nodal_dilatation *p = calloc(1, sizeof *p + ZN_DILATATION_CELLS * sizeof *p->cell);
    zn_status            status = p ? find_around(def->mesh, &at) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        memcpy(p, like, sizeof *p);
    for (int i = 0; i < def->mesh->node_count && status == ZN_OK; i++)
        status = add_node(model, def, &at, i, part, own, p);
    free(p);
    free(at.start);
    free(at.list);
    return status;
}
