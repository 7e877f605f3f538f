// Points against the surface of a solid: its facets, which of them are neighbours, and where they end.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/contact/nodes_facets.h"
#include "model/element/solid_faces.h"

static const char *name_of(const zn_contact_def *def) { return def->name ? def->name : "contact"; }

// Facets at each node: facet[start[n]] ... facet[start[n + 1] - 1].
typedef struct corner_map {
    int *start, *facet;
} corner_map;

static zn_status map_corners(const zn_model *model, const zn_solid_faces *faces, corner_map *out)
{
    int total = faces->count * faces->corners;
    out->start = ZN_NEW(int, model->nodes + 2);
    out->facet = ZN_NEW(int, total);
    if (!out->start || !out->facet)
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
static int list_star(const zn_solid_faces *faces, const corner_map *map, int facet, int *seen, int *out)
{
    int count = 0;
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
static unsigned border_of(const zn_solid_faces *faces, const corner_map *map, int facet)
{
    unsigned   bits = 0;
    const int *node = faces->node + facet * faces->corners;
    for (int a = 0; a < faces->corners; a++) {
        bool shared = false;
        int  other = faces->corners == 2 ? node[a] : node[(a + 1) % faces->corners];
        for (int k = map->start[node[a]]; k < map->start[node[a] + 1]; k++)
            shared |= map->facet[k] != facet && has_node(faces, map->facet[k], other);
        bits |= shared ? 0 : 1u << a;
    }
    return bits;
}

static double longest_side(const zn_model *model, const zn_solid_faces *faces)
{
    double longest = 0;
    for (int f = 0; f < faces->count; f++)
        for (int a = 0; a < faces->corners; a++) {
            int from = faces->node[f * faces->corners + a];
            int to = faces->node[f * faces->corners + (a + 1) % faces->corners];
            longest = fmax(longest, zn_vec3_norm(zn_vec3_sub(model->node[from].position, model->node[to].position)));
        }
    return longest;
}

// --- the block of memory -------------------------------------------------------------------------

// Sets the pointers into the block; returns its size.
static size_t lay_out(zn_nodes_facets *p, int stars)
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
    p->star = (int *)(block + at);
    return at + sizeof(int) * (size_t)stars;
}

static void fill(const zn_solid_faces *faces, const corner_map *map, const zn_contact_points *points, int *seen,
                 zn_nodes_facets *p)
{
    memcpy(p->point, points->point, sizeof *p->point * (size_t)points->count);
    memcpy(p->node, faces->node, sizeof(int) * (size_t)(faces->count * faces->corners));
    memset(seen, 0, sizeof *seen * (size_t)faces->count);
    p->star_start[0] = 0;
    for (int f = 0; f < faces->count; f++) {
        p->border[f] = border_of(faces, map, f);
        p->star_start[f + 1] = p->star_start[f] + list_star(faces, map, f, seen, p->star + p->star_start[f]);
    }
}

static int splits_of(const zn_solid_faces *faces) { return faces->corners == 4 ? 4 : 1; }

static zn_status add_rule(zn_model *model, const zn_contact_def *def, const zn_solid_faces *faces,
                          const corner_map *map, const zn_contact_points *points, int *seen, int rows)
{
    zn_nodes_facets head = {
        .restitution = def->restitution,
        .friction = def->friction,
        .tangential_restitution = def->tangential_restitution,
        .radius = def->radius,
        .reach = def->reach > 0 ? def->reach : longest_side(model, faces),
        .depth = def->reach,
        .planar = model->planar,
        .log = &model->log,
        .points = points->count,
        .facets = faces->count,
        .corners = faces->corners,
        .splits = splits_of(faces),
    };
    int stars = 0;
    for (int f = 0; f < faces->count; f++)
        stars += list_star(faces, map, f, seen, NULL);
    size_t           size = lay_out(&head, stars);
    zn_nodes_facets *p = malloc(size);
    if (!p)
        return ZN_ERR_MEMORY;
    *p = head;
    lay_out(p, stars);
    fill(faces, map, points, seen, p);
    zn_status status = zn_model_add_rows_rule(model, def->name, &zn_nodes_facets_ops, points->count, rows, p, size);
    free(p);
    ZN_TRY(status);
    zn_contact_rule *added = &model->rule[model->rules - 1];
    added->pieces = faces->count * splits_of(faces);
    p = added->parameter; // a copy
    lay_out(p, stars);
    p->name = added->name;
    return ZN_OK;
}

// --- checks --------------------------------------------------------------------------------------

static zn_status check_def(const zn_model *model, const zn_contact_def *def)
{
    if (!(def->reach >= 0) || !isfinite(def->reach))
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': the reach %g m is not at least 0", name_of(def),
                       def->reach);
    if (def->surface_node.value != 0)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': its surface is on a solid and on a body",
                       name_of(def));
    return ZN_OK;
}

static zn_status check_nodes(const zn_model *model, const zn_contact_def *def, const zn_solid_faces *faces,
                             const corner_map *map, const zn_contact_points *points)
{
    char text[ZN_NODE_TEXT];
    for (int i = 0; i < points->count; i++) {
        int node = points->point[i].node.value - 1;
        if (map->start[node + 1] > map->start[node])
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': node '%s' is one of its points and on its surface",
                           name_of(def), zn_model_node_name(model, node, text, sizeof text));
    }
    if ((double)points->count * ((double)faces->count * splits_of(faces) + 1) > INT_MAX)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "contact '%s': %d points and %d facets are too many",
                       name_of(def), points->count, faces->count);
    return ZN_OK;
}

zn_status zn_model_add_nodes_facets(zn_model *model, const zn_contact_def *def, const zn_contact_points *points,
                                    int rows)
{
    zn_solid_faces faces = {0};
    corner_map     map = {0};
    ZN_TRY(check_def(model, def));
    ZN_TRY(zn_solid_faces_find(model, "contact", name_of(def), def->part, def->face, &faces));
    int      *seen = ZN_NEW(int, faces.count);
    zn_status status = seen ? map_corners(model, &faces, &map) : ZN_ERR_MEMORY;
    if (status == ZN_OK)
        status = check_nodes(model, def, &faces, &map, points);
    if (status == ZN_OK)
        status = add_rule(model, def, &faces, &map, points, seen, rows);
    free(seen);
    free(map.start);
    free(map.facet);
    free(faces.node);
    return status;
}
