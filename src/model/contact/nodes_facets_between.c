// Nodes against facets between two states: contact frames (contact_frame.h). A frame is of the facet that the key
// says, whatever is nearest at the end. Quadrilaterals need not be flat: they are split in four triangles around their
// middle M, the mean of the corners, so that no diagonal is preferred; a force on M is one fourth of it on each corner,
// which keeps resultant, moment about the mean positions and work.
#include "base/assert.h"
#include "model/contact/contact_frame.h"
#include "model/contact/nodes_facets.h"

// A frame, and the nodes that its points are or stand for.
typedef struct place {
    zn_contact_frame      frame;
    int                   point, sector;
    const zn_layout_node *core, *corner[ZN_FACET_CORNERS];
} place;

int zn_facet_piece(const zn_nodes_facets *p, int facet, const zn_foot *foot)
{
    if (p->splits == 1)
        return facet;
    const double *N = foot->N;
    double        xi = N[1] + N[2] - N[0] - N[3], eta = N[2] + N[3] - N[0] - N[1];
    int           sector = fabs(eta) >= fabs(xi) ? (eta < 0 ? 0 : 2) : xi > 0 ? 1 : 3;
    return facet * p->splits + sector;
}

static zn_vec3 position_of(const zn_nodes_facets *p, const zn_layout_node *node, const double *q)
{
    return zn_vec3_add(node->origin, (zn_vec3){q[node->q], q[node->q + 1], p->planar ? 0 : q[node->q + 2]});
}

// Points of the frame from values at the corners.
static void take_corners(const zn_nodes_facets *p, int sector, const zn_vec3 *corner, zn_vec3 *out)
{
    for (int a = 0; a < (p->corners == 2 ? 2 : 3); a++)
        out[a] = corner[(sector + a) % p->corners];
    if (p->corners == 4) {
        zn_vec3 diagonal[2] = {zn_vec3_add(corner[0], corner[2]), zn_vec3_add(corner[1], corner[3])};
        out[2] = zn_vec3_scale(0.25, zn_vec3_add(diagonal[0], diagonal[1]));
    }
}

// What acts on the points of the frame, on the corners.
static void give_corners(const zn_nodes_facets *p, int sector, const zn_vec3 *row, zn_vec3 *out)
{
    zn_vec3 share = p->corners == 4 ? zn_vec3_scale(0.25, row[2]) : (zn_vec3){0};
    for (int a = 0; a < p->corners; a++)
        out[a] = share;
    for (int a = 0; a < (p->corners == 3 ? 3 : 2); a++)
        out[(sector + a) % p->corners] = zn_vec3_add(out[(sector + a) % p->corners], row[a]);
}

static void place_points(const zn_nodes_facets *p, const place *at, const double *q, zn_vec3 *out)
{
    zn_vec3 corner[ZN_FACET_CORNERS];
    for (int a = 0; a < p->corners; a++)
        corner[a] = position_of(p, at->corner[a], q);
    take_corners(p, at->sector, corner, out);
    out[at->frame.corners] = position_of(p, at->core, q);
}

static zn_status find_place(const zn_nodes_facets *p, const zn_layout *layout, zn_contact_key key, zn_between s,
                            place *out)
{
    int facet = key.piece / p->splits;
    ZN_ASSERT(facet >= 0 && facet < p->facets);
    out->point = (int)key.number;
    out->sector = key.piece % p->splits;
    out->core = &layout->node[p->point[out->point].node.value - 1];
    for (int a = 0; a < p->corners; a++)
        out->corner[a] = &layout->node[p->node[facet * p->corners + a]];
    out->frame = (zn_contact_frame){.corners = p->corners == 2 ? 2 : 3, .chord = s.chord, .couple = s.couple};
    place_points(p, out, s.from.q, out->frame.from);
    place_points(p, out, s.to.q, out->frame.to);
    if (!zn_contact_frame_measure(&out->frame))
        return zn_fail_here(p->log, ZN_INVALID_STATE,
                            "contact '%s': facet %d of its surface is flattened or turns too far in a step", p->name,
                            facet);
    return ZN_OK;
}

// --- rows ------------------------------------------------------------------------------------------

static int list_dofs(const zn_nodes_facets *p, const place *at, int *dof)
{
    int dimension = p->planar ? 2 : 3, count = 0;
    for (int a = -1; a < p->corners; a++)
        for (int i = 0; i < dimension; i++)
            dof[count++] = (a < 0 ? at->core : at->corner[a])->dof[i];
    return count;
}

// A row over the points of the frame into one over its nodes, in the order of list_dofs.
static void write_row(const zn_nodes_facets *p, const place *at, const zn_vec3 *row, double *value)
{
    zn_vec3 node[1 + ZN_FACET_CORNERS];
    int     dimension = p->planar ? 2 : 3;
    node[0] = row[at->frame.corners];
    give_corners(p, at->sector, row, node + 1);
    for (int a = 0; a <= p->corners; a++) {
        const double component[3] = {node[a].x, node[a].y, node[a].z};
        for (int i = 0; i < dimension; i++)
            value[a * dimension + i] = component[i];
    }
}

// Gradients at the end of the slips H_T.d: H_T, and what it changes by along d.
static void slip_gradients(const zn_nodes_facets *p, const place *at, const zn_frame_rows *rows,
                           zn_vec3 out[2][ZN_FRAME_POINTS])
{
    const zn_contact_frame *f = &at->frame;
    for (int k = 0; k <= f->corners; k++)
        for (int i = 0; i < (p->planar ? 2 : 3); i++) {
            zn_vec3       unit[ZN_FRAME_POINTS] = {{0}};
            zn_frame_rows change;
            unit[k] = (zn_vec3){i == 0, i == 1, i == 2};
            zn_contact_frame_change(f, unit, &change);
            for (int r = 0; r < f->corners - 1; r++) {
                double sum = zn_vec3_dot(rows->along[r][k], unit[k]);
                for (int l = 0; l <= f->corners; l++)
                    sum += zn_vec3_dot(change.along[r][l], zn_vec3_sub(f->to[l], f->from[l]));
                *(i == 0 ? &out[r][k].x : i == 1 ? &out[r][k].y : &out[r][k].z) = sum;
            }
        }
}

zn_status zn_nodes_facets_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                  zn_contact_product *out, double *const force[3])
{
    const zn_nodes_facets *p = rule;
    place                  at;
    zn_frame_rows          rows;
    ZN_TRY(find_place(p, layout, key, s, &at));
    out->gap = at.frame.gap - p->radius;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    zn_contact_frame_rows(&at.frame, &rows);
    out->entries = list_dofs(p, &at, out->dof);
    write_row(p, &at, rows.gap, out->value);
    write_row(p, &at, rows.normal, force[0]);
    if (!out->tangent[0])
        return ZN_OK;
    zn_vec3 gradient[2][ZN_FRAME_POINTS] = {{{0}}};
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    slip_gradients(p, &at, &rows, gradient);
    for (int r = 0; r < at.frame.corners - 1; r++) {
        write_row(p, &at, gradient[r], out->tangent[r]);
        write_row(p, &at, rows.along[r], force[1 + r]);
    }
    return ZN_OK;
}

static zn_vec3 motion_of(const zn_nodes_facets *p, const zn_layout_node *node, const double *x)
{
    return (zn_vec3){x[node->dof[0]], x[node->dof[1]], p->planar ? 0 : x[node->dof[2]]};
}

zn_status zn_nodes_facets_curvature_between(const void *rule, const zn_layout *layout, zn_contact_key key, zn_between s,
                                            const double *lambda, const double *x, double *y)
{
    const zn_nodes_facets *p = rule;
    place                  at;
    zn_frame_rows          change;
    zn_vec3                corner[ZN_FACET_CORNERS], dx[ZN_FRAME_POINTS];
    int                    dof[3 * (1 + ZN_FACET_CORNERS)];
    double                 value[3 * (1 + ZN_FACET_CORNERS)];
    ZN_TRY(find_place(p, layout, key, s, &at));
    for (int a = 0; a < p->corners; a++)
        corner[a] = motion_of(p, at.corner[a], x);
    take_corners(p, at.sector, corner, dx);
    dx[at.frame.corners] = motion_of(p, at.core, x);
    zn_contact_frame_change(&at.frame, dx, &change);
    for (int k = 0; k <= at.frame.corners; k++) {
        change.normal[k] = zn_vec3_scale(lambda[0], change.normal[k]);
        for (int r = 0; p->friction > 0 && r < at.frame.corners - 1; r++)
            change.normal[k] = zn_vec3_add(change.normal[k], zn_vec3_scale(lambda[1 + r], change.along[r][k]));
    }
    int count = list_dofs(p, &at, dof);
    write_row(p, &at, change.normal, value);
    for (int i = 0; i < count; i++)
        y[dof[i]] += value[i];
    return ZN_OK;
}

// --- places ----------------------------------------------------------------------------------------

// Where the node is above its own facet, or beyond the edge by no more than that, it stays there.
zn_status zn_nodes_facets_settle(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                                 int *piece)
{
    const double           beyond = 1e-3; // of the size of a facet
    const zn_nodes_facets *p = rule;
    int                    facet = key.piece / p->splits;
    const zn_layout_node  *core = &layout->node[p->point[key.number].node.value - 1];
    zn_vec3                x[ZN_FACET_CORNERS];
    zn_on_facet            at;
    zn_facet_corners(p, layout, facet, q, x);
    *piece = key.piece;
    if (p->splits == 1 && zn_facet_project(p->corners, x, position_of(p, core, q), &at.foot) &&
        at.foot.margin > -beyond * zn_vec3_norm(zn_vec3_sub(x[1], x[0])))
        return ZN_OK;
    ZN_TRY(zn_facet_walk(p, layout, (int)key.number, facet, q, &at));
    *piece = zn_facet_piece(p, at.facet, &at.foot);
    return ZN_OK;
}

const char *zn_nodes_facets_lack_between(const void *rule, const zn_layout *layout)
{
    const zn_nodes_facets *p = rule;
    for (int i = 0; i < p->points; i++)
        if (layout->node[p->point[i].node.value - 1].kind > ZN_POINT3)
            return "its points are on rigid bodies or beams";
    return p->radius > 0 && p->friction > 0 ? "its points have a radius and friction" : NULL;
}
