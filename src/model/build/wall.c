// Thickness of a body below a node with normal m: the distance of the nearest facet of its surface that opposes m and
// has the node behind it. Between them there is material only.
#include "model/build/wall.h"

#include <stdlib.h>

#include "base/array.h"
#include "model/contact/point_grid.h"

static const double opposed = 0.1;   // the product of both normals is below minus this
static const double rounding = 1e-6; // of the limit: a facet so near is one that touches, as of a closed crack

typedef struct wall {
    const zn_solid_faces *faces;
    zn_vec3              *position, *normal;
    double               *thickness, least;
    zn_vec3               corner[ZN_FACET_CORNERS]; // of the facet that is looked at
} wall;

void zn_faces_place(const zn_model *model, const zn_solid_faces *faces, int facet, zn_vec3 *x)
{
    for (int a = 0; a < faces->corners; a++)
        x[a] = model->node[faces->node[facet * faces->corners + a]].position;
}

zn_vec3 zn_wall_normal(const zn_model *model, const zn_facet_table *own, int node)
{
    zn_vec3 x[ZN_FACET_CORNERS], sum = {0, 0, 0};
    for (int k = own->start[node]; k < own->start[node + 1]; k++) {
        zn_faces_place(model, &own->faces, own->facet[k], x);
        sum = zn_vec3_add(sum, zn_facet_normal(own->faces.corners, x));
    }
    double length = zn_vec3_norm(sum);
    return length > 0 ? zn_vec3_scale(1 / length, sum) : sum;
}

static void meet(void *user, int point)
{
    wall   *w = user;
    zn_foot foot;
    if (zn_facet_project(w->faces->corners, w->corner, w->position[point], &foot) && foot.gap < 0 &&
        foot.distance > w->least && zn_vec3_dot(foot.normal, w->normal[point]) < -opposed &&
        foot.distance < w->thickness[point])
        w->thickness[point] = foot.distance;
}

zn_status zn_wall_find(const zn_model *model, const zn_facet_table *own, const zn_facet_table *whole,
                       const zn_contact_points *points, double limit, double *thickness)
{
    size_t        count = (size_t)points->count;
    zn_vec3      *place = ZN_NEW(zn_vec3, 2 * count);
    void         *memory = malloc(zn_point_grid_bytes(points->count));
    wall          w = {.faces = &whole->faces,
                       .position = place,
                       .normal = place + count,
                       .thickness = thickness,
                       .least = rounding * limit};
    zn_point_grid grid;
    if (!place || !memory) {
        free(place);
        free(memory);
        return ZN_ERR_MEMORY;
    }
    for (int i = 0; i < points->count; i++) {
        int node = points->point[i].node.value - 1;
        w.position[i] = model->node[node].position;
        w.normal[i] = zn_wall_normal(model, own, node);
        thickness[i] = limit;
    }
    zn_point_grid_build(points->count, w.position, limit, memory, &grid);
    for (int f = 0; f < whole->faces.count; f++) {
        zn_faces_place(model, &whole->faces, f, w.corner);
        zn_point_grid_visit(&grid, whole->faces.corners, w.corner, limit, meet, &w);
    }
    free(place);
    free(memory);
    return ZN_OK;
}
