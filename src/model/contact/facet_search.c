// Which facet is nearest to a point. At the start of a step a grid of the points tells which are near each facet, so
// the work grows with the number of both, not with their product. Inside a step a point walks from its facet to
// neighbours. A point is near while its distance from the surface is at most the reach. It is released at the border:
// when its foot is beyond an edge without a neighbour, by more than a hundredth of the size of the facet.
#include "model/contact/nodes_facets.h"

#include <float.h>

#include "base/assert.h"
#include "model/contact/point_grid.h"

static const double tie = 1e-9;     // relative difference of distances from the same edge
static const double overlap = 0.01; // by how much a foot may leave the surface

void zn_facet_corners(const zn_nodes_facets *p, const zn_layout *layout, int facet, const double *q, zn_vec3 *x)
{
    ZN_ASSERT(facet >= 0 && facet < p->facets);
    for (int a = 0; a < p->corners; a++) {
        const zn_layout_node *node = &layout->node[p->node[facet * p->corners + a]];
        const double         *u = q + node->q;
        x[a] = zn_vec3_add(node->origin, (zn_vec3){u[0], u[1], p->planar ? 0 : u[2]});
    }
}

bool zn_foot_is_nearer(const zn_foot *a, const zn_foot *b)
{
    if (fabs(a->distance - b->distance) > tie * (a->distance + b->distance))
        return a->distance < b->distance;
    return fabs(a->gap) > fabs(b->gap) * (1 + tie);
}

static zn_status no_foot(const zn_nodes_facets *p, int facet)
{
    return zn_fail_here(p->log, ZN_INVALID_STATE,
                        "contact '%s': facet %d of its surface is flattened or turned inside out", p->name, facet);
}

// When even a neighbour cannot be nearer. (Edges less than 60 degrees sharp are not looked at.)
static bool is_clear(const zn_foot *foot) { return foot->margin > 2 * foot->distance; }

zn_status zn_facet_walk(const zn_nodes_facets *p, const zn_layout *layout, int number, int facet, const double *q,
                        zn_on_facet *out)
{
    zn_vec3 x[ZN_FACET_CORNERS];
    out->body = zn_rigid_at(layout, p->point[number].node, q);
    out->centre = zn_rigid_point(&out->body, p->point[number].at);
    out->facet = facet;
    zn_facet_corners(p, layout, facet, q, x);
    if (!zn_facet_project(p->corners, x, out->centre, &out->foot))
        return no_foot(p, facet);
    for (int steps = 0, from = -1; out->facet != from && steps < p->facets && !is_clear(&out->foot); steps++) {
        from = out->facet;
        for (int k = p->star_start[from]; k < p->star_start[from + 1]; k++) {
            zn_foot other;
            zn_facet_corners(p, layout, p->star[k], q, x);
            if (zn_facet_project(p->corners, x, out->centre, &other) && zn_foot_is_nearer(&other, &out->foot)) {
                out->foot = other;
                out->facet = p->star[k];
            }
        }
    }
    return ZN_OK;
}

// --- looking everywhere --------------------------------------------------------------------------

// What is known of each point.
typedef struct nearest {
    zn_foot foot;
    int     facet; // -1: none is near
} nearest;

typedef struct search {
    const zn_nodes_facets *rule;
    zn_vec3               *position;
    nearest               *best;
    zn_point_grid          grid;
} search;

static bool is_in_box(zn_vec3 p, zn_vec3 low, zn_vec3 high)
{
    return p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
}

static void meet(search *s, int point, int facet, const zn_vec3 *x)
{
    nearest *best = &s->best[point];
    zn_foot  foot;
    if (!zn_facet_project(s->rule->corners, x, s->position[point], &foot))
        return;
    if (best->facet < 0 || zn_foot_is_nearer(&foot, &best->foot)) {
        best->foot = foot;
        best->facet = facet;
    }
}

static void meet_facet(search *s, const zn_layout *layout, const double *q, int facet)
{
    zn_vec3 x[ZN_FACET_CORNERS], low, high;
    int     first[3], last[3];
    double  r = s->rule->reach + s->rule->radius;
    zn_facet_corners(s->rule, layout, facet, q, x);
    low = high = x[0];
    for (int a = 1; a < s->rule->corners; a++) {
        low = (zn_vec3){fmin(low.x, x[a].x), fmin(low.y, x[a].y), fmin(low.z, x[a].z)};
        high = (zn_vec3){fmax(high.x, x[a].x), fmax(high.y, x[a].y), fmax(high.z, x[a].z)};
    }
    low = zn_vec3_sub(low, (zn_vec3){r, r, r});
    high = zn_vec3_add(high, (zn_vec3){r, r, r});
    if (!zn_point_grid_range(&s->grid, low, high, first, last))
        return;
    for (int k = first[2]; k <= last[2]; k++)
        for (int j = first[1]; j <= last[1]; j++) {
            int row = s->grid.cells[0] * (j + s->grid.cells[1] * k);
            for (int e = s->grid.start[row + first[0]]; e < s->grid.start[row + last[0] + 1]; e++)
                if (is_in_box(s->position[s->grid.order[e]], low, high))
                    meet(s, s->grid.order[e], facet, x);
        }
}

// The foot is beyond the border of the surface.
static bool is_beyond(const zn_nodes_facets *p, const nearest *n)
{
    double size = p->corners == 2 ? n->foot.stretch : sqrt(n->foot.stretch) * (p->corners == 4 ? 2 : 1);
    return n->foot.margin < -overlap * size && (p->border[n->facet] >> n->foot.edge & 1);
}

size_t zn_facet_scratch(const void *rule)
{
    int points = ((const zn_nodes_facets *)rule)->points;
    return (size_t)points * (sizeof(nearest) + sizeof(zn_vec3)) + zn_point_grid_bytes(points);
}

zn_status zn_facet_detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    const zn_nodes_facets *p = rule;
    size_t                 count = (size_t)p->points;
    search                 s = {.rule = p};
    s.best = out->scratch;
    s.position = (zn_vec3 *)(s.best + count);
    for (int i = 0; i < p->points; i++) {
        zn_rigid body = zn_rigid_at(layout, p->point[i].node, q);
        s.position[i] = zn_rigid_point(&body, p->point[i].at);
        s.best[i].facet = -1;
    }
    zn_point_grid_build(p->points, s.position, p->reach + p->radius, s.position + count, &s.grid);
    for (int f = 0; f < p->facets; f++)
        meet_facet(&s, layout, q, f);
    for (int i = 0; i < p->points; i++) {
        const nearest *n = &s.best[i];
        if (n->facet < 0 || n->foot.distance > p->reach + p->radius || is_beyond(p, n))
            continue;
        out->piece[out->count] = zn_facet_piece(p, n->facet, &n->foot);
        out->number[out->count++] = i;
    }
    return ZN_OK;
}
