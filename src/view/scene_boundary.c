// Boundaries that contacts press on: connected faces of solids, in the plane as chains of nodes, and the pressure
// there.
#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "view/scene.h"

static zn_status push_node(zn_scene *s, int node)
{
    return ZN_PUSH(s->boundary_node, s->info.boundary_node_count, s->boundary_node_capacity, node);
}

static zn_status push_boundary(zn_scene *s, int part, int first, bool closed)
{
    zn_scene_boundary b = {.name = s->sys->model->part_name[part],
                           .closed = closed,
                           .first = first,
                           .count = s->info.boundary_node_count - first};
    return ZN_PUSH(s->boundary, s->info.boundary_count, s->boundary_capacity, b);
}

// --- in the plane --------------------------------------------------------------------------------

// Edges from a node and to it; a chain goes on where there is one.
typedef struct chains {
    const zn_outer_faces *faces;
    int                  *from; // edge that begins at a node, -1: none
    int                  *into; // number of edges that end there
    bool                 *seen; // of each edge
} chains;

// From left to right, or upwards where it is steeper.
static void run_forward(zn_scene *s, int first)
{
    int    *from = s->boundary_node + first, *to = s->boundary_node + s->info.boundary_node_count - 1;
    zn_vec3 way = zn_vec3_sub(s->reference[*to], s->reference[*from]);
    bool    back = fabs(way.x) >= fabs(way.y) ? way.x < 0 : way.y < 0;
    for (; back && from < to; from++, to--) {
        int swap = *from;
        *from = *to;
        *to = swap;
    }
}

static zn_status walk(zn_scene *s, chains *c, int edge)
{
    int first = s->info.boundary_node_count, part = c->faces->face[edge].part, start = c->faces->face[edge].node[0];
    ZN_TRY(push_node(s, start));
    while (edge >= 0 && !c->seen[edge]) {
        c->seen[edge] = true;
        ZN_TRY(push_node(s, c->faces->face[edge].node[1]));
        edge = c->from[c->faces->face[edge].node[1]];
    }
    bool closed = s->boundary_node[s->info.boundary_node_count - 1] == start;
    s->info.boundary_node_count -= closed;
    if (!closed)
        run_forward(s, first);
    return push_boundary(s, part, first, closed);
}

static zn_status walk_all(zn_scene *s, chains *c)
{
    for (int i = 0; i < s->info.node_count; i++)
        c->from[i] = -1;
    for (int i = 0; i < c->faces->count; i++) {
        c->from[c->faces->face[i].node[0]] = i;
        c->into[c->faces->face[i].node[1]]++;
    }
    for (int open = 1; open >= 0; open--) // chains that begin somewhere first, then those that are closed
        for (int i = 0; i < c->faces->count; i++)
            if (!c->seen[i] && (open == 0 || c->into[c->faces->face[i].node[0]] == 0))
                ZN_TRY(walk(s, c, i));
    return ZN_OK;
}

static zn_status add_chains(zn_scene *s, const zn_outer_faces *faces)
{
    chains    c = {.faces = faces,
                   .from = ZN_NEW(int, s->info.node_count),
                   .into = ZN_NEW(int, s->info.node_count),
                   .seen = ZN_NEW(bool, faces->count)};
    zn_status status = c.from && c.into && c.seen ? walk_all(s, &c) : ZN_ERR_MEMORY;
    free(c.from);
    free(c.into);
    free(c.seen);
    return status;
}

// --- in space ------------------------------------------------------------------------------------

static int root_of(int *up, int node)
{
    while (up[node] != node)
        node = up[node] = up[up[node]];
    return node;
}

// Faces that share nodes are one boundary: each node knows the root of its own.
static void join(const zn_outer_faces *faces, int *up, int *part)
{
    for (int i = 0; i < faces->count; i++) {
        const zn_outer_face *f = &faces->face[i];
        for (int a = 0; a < f->corners; a++) {
            part[f->node[a]] = f->part;
            up[root_of(up, f->node[a])] = root_of(up, f->node[0]);
        }
    }
}

// place: of each root the number of nodes, then the next free place of its boundary.
static zn_status fill_patches(zn_scene *s, const zn_contact_pressure *p, int *up, int *part, int *place)
{
    int first = 0;
    join(&p->faces, up, part);
    for (int i = 0; i < p->nodes; i++)
        place[root_of(up, p->node[i])]++;
    for (int i = 0; i < p->nodes; i++) {
        int node = p->node[i], count = place[node];
        ZN_TRY(push_node(s, node));
        if (up[node] != node)
            continue;
        zn_scene_boundary b = {.name = s->sys->model->part_name[part[node]], .first = first, .count = count};
        ZN_TRY(ZN_PUSH(s->boundary, s->info.boundary_count, s->boundary_capacity, b));
        place[node] = first;
        first += count;
    }
    for (int i = 0; i < p->nodes; i++)
        s->boundary_node[place[root_of(up, p->node[i])]++] = p->node[i];
    return ZN_OK;
}

static zn_status add_patches(zn_scene *s, const zn_contact_pressure *p)
{
    int  nodes = s->info.node_count;
    int *up = ZN_NEW(int, nodes), *part = ZN_NEW(int, nodes), *place = ZN_NEW(int, nodes);
    for (int i = 0; up && i < nodes; i++)
        up[i] = i;
    zn_status status = up && part && place ? fill_patches(s, p, up, part, place) : ZN_ERR_MEMORY;
    free(up);
    free(part);
    free(place);
    return status;
}

// --- both ----------------------------------------------------------------------------------------

zn_status zn_scene_add_boundaries(zn_scene *s)
{
    ZN_TRY(zn_contact_pressure_create(s->sys, &s->pressure));
    ZN_TRY(s->info.planar ? add_chains(s, &s->pressure->faces) : add_patches(s, s->pressure));
    s->info.boundaries = s->boundary;
    s->info.boundary_nodes = s->boundary_node;
    s->boundary_pressure = ZN_NEW(double, s->info.boundary_node_count);
    return s->boundary_pressure ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_scene_measure_pressure(zn_scene *s)
{
    zn_contact_pressure_measure(s->pressure, s->q);
    for (int i = 0; i < s->info.boundary_node_count; i++)
        s->boundary_pressure[i] = zn_contact_pressure_at(s->pressure, s->pressure->place[s->boundary_node[i]]);
}
