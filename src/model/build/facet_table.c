// Facets of a surface: which are at a node, which are neighbours, which edges have none.
#include "model/build/facet_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/contact/facet_tree.h"

static zn_status map_corners(const zn_model *model, zn_facet_table *out)
{
    const zn_solid_faces *faces = &out->faces;
    int                   total = faces->count * faces->corners;
    out->start = ZN_NEW(int, model->nodes + 2);
    out->facet = ZN_NEW(int, total);
    out->seen = ZN_NEW(int, faces->count);
    if (!out->start || !out->facet || !out->seen)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < total; k++)
        out->start[faces->node[k] + 2]++;
    for (int n = 0; n < model->nodes; n++)
        out->start[n + 2] += out->start[n + 1];
    for (int k = 0; k < total; k++)
        out->facet[out->start[faces->node[k] + 1]++] = k / faces->corners;
    return ZN_OK;
}

static bool has_node(const zn_solid_faces *faces, int facet, int node)
{
    for (int a = 0; a < faces->corners; a++)
        if (faces->node[facet * faces->corners + a] == node)
            return true;
    return false;
}

// Other facets that share a node with `facet`, each once; returns their number. `seen` marks by facet + 1.
static int list_star(const zn_facet_table *map, int facet, int *out)
{
    const zn_solid_faces *faces = &map->faces;
    int                  *seen = map->seen, count = 0;
    seen[facet] = facet + 1;
    for (int a = 0; a < faces->corners; a++) {
        int node = faces->node[facet * faces->corners + a];
        for (int k = map->start[node]; k < map->start[node + 1]; k++) {
            int other = map->facet[k];
            if (seen[other] == facet + 1)
                continue;
            seen[other] = facet + 1;
            if (out)
                out[count] = other;
            count++;
        }
    }
    return count;
}

// Edges (ends of segments) without a second facet.
static unsigned border_of(const zn_facet_table *map, int facet)
{
    const zn_solid_faces *faces = &map->faces;
    unsigned              bits = 0;
    const int            *node = faces->node + facet * faces->corners;
    for (int a = 0; a < faces->corners; a++) {
        bool shared = false;
        int  other = faces->corners == 2 ? node[a] : node[(a + 1) % faces->corners];
        for (int k = map->start[node[a]]; k < map->start[node[a] + 1]; k++)
            shared |= map->facet[k] != facet && has_node(faces, map->facet[k], other);
        bits |= shared ? 0 : 1u << a;
    }
    return bits;
}

double zn_facet_table_longest_side(const zn_facet_table *table, const zn_model *model)
{
    const zn_solid_faces *faces = &table->faces;
    double                longest = 0;
    for (int f = 0; f < faces->count; f++)
        for (int a = 0; a < faces->corners; a++) {
            int from = faces->node[f * faces->corners + a];
            int to = faces->node[f * faces->corners + (a + 1) % faces->corners];
            longest = fmax(longest, zn_vec3_norm(zn_vec3_sub(model->node[from].position, model->node[to].position)));
        }
    return longest;
}

// Facets in a tree, by their middles.
static zn_status order_facets(const zn_model *model, zn_facet_table *out)
{
    const zn_solid_faces *faces = &out->faces;
    zn_vec3              *middle = ZN_NEW(zn_vec3, faces->count);
    out->order = ZN_NEW(int, faces->count);
    zn_status status = middle && out->order ? ZN_OK : ZN_ERR_MEMORY;
    for (int k = 0; status == ZN_OK && k < faces->count * faces->corners; k++) {
        zn_vec3 *sum = &middle[k / faces->corners];
        *sum = zn_vec3_add(*sum, zn_vec3_scale(1.0 / faces->corners, model->node[faces->node[k]].position));
    }
    if (status == ZN_OK)
        status = zn_facet_tree_order(faces->count, middle, out->order);
    free(middle);
    return status;
}

zn_status zn_facet_table_make(const zn_model *model, const char *name, const char *part, const char *face,
                              zn_facet_table *out)
{
    *out = (zn_facet_table){0};
    ZN_TRY(zn_solid_faces_find(model, "contact", name, part, face, &out->faces));
    ZN_TRY(map_corners(model, out));
    ZN_TRY(order_facets(model, out));
    for (int f = 0; f < out->faces.count; f++)
        out->stars += list_star(out, f, NULL);
    return ZN_OK;
}

void zn_facet_table_free(zn_facet_table *table)
{
    free(table->faces.node);
    free(table->start);
    free(table->facet);
    free(table->seen);
    free(table->order);
    *table = (zn_facet_table){0};
}

// --- the block of memory -------------------------------------------------------------------------

size_t zn_facet_table_lay_out(zn_nodes_facets *p, int stars)
{
    size_t at = sizeof *p, points = sizeof *p->point * (size_t)p->points, facets = sizeof(int) * (size_t)p->facets;
    char  *block = (char *)p;
    p->point = (zn_attachment *)(block + at);
    at += points;
    p->node = (int *)(block + at);
    at += facets * (size_t)p->corners;
    p->border = (unsigned *)(block + at);
    at += facets;
    p->star_start = (int *)(block + at);
    at += facets + sizeof(int);
    p->order = (int *)(block + at);
    at += facets;
    p->star = (int *)(block + at);
    return at + sizeof(int) * (size_t)stars;
}

void zn_facet_table_fill(const zn_facet_table *table, const zn_contact_points *points, zn_nodes_facets *p)
{
    const zn_solid_faces *faces = &table->faces;
    memcpy(p->point, points->point, sizeof *p->point * (size_t)points->count);
    memcpy(p->node, faces->node, sizeof(int) * (size_t)(faces->count * faces->corners));
    memset(table->seen, 0, sizeof *table->seen * (size_t)faces->count);
    memcpy(p->order, table->order, sizeof(int) * (size_t)faces->count);
    p->star_start[0] = 0;
    for (int f = 0; f < faces->count; f++) {
        p->border[f] = border_of(table, f);
        p->star_start[f + 1] = p->star_start[f] + list_star(table, f, p->star + p->star_start[f]);
    }
}
