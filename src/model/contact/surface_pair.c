// The rule of two surfaces: it finds which node meets which facet, all else is done by the rule of points on facets,
// once for each side.
//
// A node a of A at the place of a node b of B would be met twice: a on the facet at b and b on the facet at a, the same
// constraint. Then (the weights N of both corners at the feet are 1 up to a ten-thousandth) only the deeper one is
// kept, of equal ones a of side 0, with self-contact that of the lower number. Nodes that are only near each other are
// both kept: then uniform pressure goes through meshes that do not match without a trace (two-sided node-to-segment
// contact passes the patch test), which it does not when one of two nodes within 0.3 of a segment is left out. Their
// rows are nearly parallel, and the contact problem must stand that.
#include "model/contact/surface_pair.h"

#include "base/assert.h"
#include "model/contact/facet_memory.h"
#include "model/contact/facet_sweep.h"

static const double coincident = 0.9999; // weight of a corner from where on a foot counts as being there
static const double equal = 1e-6;        // difference of gaps over the reach that is none

// --- numbers -------------------------------------------------------------------------------------

typedef struct sided {
    const zn_nodes_facets *rule;
    zn_contact_key         key; // of the contact there
} sided;

static int pieces_of(const zn_nodes_facets *side) { return side->facets * side->splits; }

// The side of a contact, and its key there. A piece that the side does not have, as a damaged checkpoint may say, is
// its first one.
static sided side_of(const zn_surface_pair *p, zn_contact_key key)
{
    int first = p->side[0]->points, s = key.number >= first;
    key.number -= s ? first : 0;
    key.piece -= s ? pieces_of(p->side[0]) : 0;
    if (key.piece < 0 || key.piece >= pieces_of(p->side[s]))
        key.piece = 0;
    return (sided){p->side[s], key};
}

// --- what a side does ----------------------------------------------------------------------------

#define DELEGATE(operation, parameters, ...)                                                                           \
    static zn_status operation parameters                                                                              \
    {                                                                                                                  \
        sided at = side_of(rule, key);                                                                                 \
        return zn_nodes_facets_ops.operation(at.rule, layout, at.key, __VA_ARGS__);                                    \
    }
#define CONTACT const void *rule, const zn_layout *layout, zn_contact_key key

DELEGATE(evaluate, (CONTACT, const double *q, double t, zn_contact_product *out), q, t, out)
DELEGATE(curvature, (CONTACT, const double *q, double t, const double *lambda, const double *x, double *y), q, t,
         lambda, x, y)
DELEGATE(locate, (CONTACT, const double *q, zn_contact_location *out), q, out)

DELEGATE(evaluate_between, (CONTACT, zn_between s, zn_contact_product *out, double *const force[3]), s, out, force)
DELEGATE(curvature_between, (CONTACT, zn_between s, const double *lambda, const double *x, double *y), s, lambda, x, y)

static const char *lacks_between(const void *rule, const zn_layout *layout)
{
    const zn_surface_pair *p = rule;
    return zn_nodes_facets_ops.lacks_between(p->side[0], layout);
}

static bool grounded(const void *rule, zn_vec3 *along)
{
    const zn_surface_pair *p = rule;
    return zn_nodes_facets_ops.grounded(p->side[0], along);
}

static bool reverse(const void *rule, zn_contact_key key)
{
    const zn_surface_pair *p = rule;
    return key.number >= p->side[0]->points;
}

static zn_status settle(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q, int *piece)
{
    const zn_surface_pair *p = rule;
    sided                  at = side_of(p, key);
    ZN_TRY(zn_nodes_facets_ops.settle(at.rule, layout, at.key, q, piece));
    *piece += at.rule == p->side[0] ? 0 : pieces_of(p->side[0]);
    return ZN_OK;
}

static bool knows(const void *rule, zn_contact_key key)
{
    const zn_surface_pair *p = rule;
    int                    points = p->side[0]->points + (p->sides == 2 ? p->side[1]->points : 0);
    return key.number >= 0 && key.number < points && key.feature >= 0 && key.feature <= ZN_HOLLOW_PIECES;
}

static int hollow(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                  int piece[ZN_HOLLOW_PIECES])
{
    const zn_surface_pair *p = rule;
    sided                  at = side_of(p, key);
    int                    count = zn_facet_hollow(at.rule, layout, at.key, q, piece);
    for (int k = 0; k < count; k++)
        piece[k] += at.rule == p->side[0] ? 0 : pieces_of(p->side[0]);
    return count;
}

static void visit_nodes(const void *rule, void (*visit)(void *user, int node), void *user)
{
    const zn_surface_pair *p = rule; // the facets of each side have the points of the other one
    zn_nodes_facets_ops.visit(p->side[0], visit, user);
}

static double depth(const void *rule) { return zn_nodes_facets_ops.depth(((const zn_surface_pair *)rule)->side[0]); }

// --- search --------------------------------------------------------------------------------------

// The point of a side that is this node; all nodes of a surface are points.
static int point_at(const zn_nodes_facets *p, int node)
{
    int low = 0, high = p->points - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->point[middle].node.value - 1 < node)
            low = middle + 1;
        else
            high = middle;
    }
    ZN_ASSERT(p->point[low].node.value - 1 == node);
    return low;
}

// The node where the foot of a point is; -1: it is at none.
static int node_below(const zn_nodes_facets *p, const zn_nearest *n)
{
    for (int a = 0; n->facet >= 0 && a < p->corners; a++)
        if (n->foot.N[a] >= coincident)
            return p->node[n->facet * p->corners + a];
    return -1;
}

// Is point i of side s met already by the node that it is above?
static bool is_met(const zn_surface_pair *p, zn_nearest *const best[2], int s, int i)
{
    int                    o = p->sides == 2 ? 1 - s : 0;
    const zn_nodes_facets *own = p->side[s], *other = p->side[o];
    int                    node = node_below(own, &best[s][i]);
    if (node < 0)
        return false;
    int k = point_at(other, node);
    if (node_below(other, &best[o][k]) != own->point[i].node.value - 1)
        return false;
    double deeper = best[o][k].foot.gap - best[s][i].foot.gap;
    bool   first = p->sides == 2 ? s == 0 : i < k;
    return first ? deeper < -equal * own->reach : deeper <= equal * own->reach;
}

static zn_status detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    const zn_surface_pair *p = rule;
    zn_nearest            *best[2] = {out->scratch, (zn_nearest *)out->scratch + p->side[0]->points};
    void                  *memory = best[p->sides - 1] + p->side[p->sides - 1]->points;
    for (int s = 0; s < p->sides; s++) {
        zn_facet_memory *past;
        ZN_TRY(zn_facet_memory_of(&out->facets, p->side[s], &past));
        zn_facet_search(p->side[s], layout, q, past, best[s], memory);
        ZN_TRY(zn_facet_sweep(p->side[s], layout, q, out->motion, best[s], memory));
        out->feet[s] = (zn_found_feet){p->side[s], best[s]};
    }
    for (int s = 0; s < p->sides; s++)
        for (int i = 0; i < p->side[s]->points; i++) {
            if (best[s][i].facet < 0 || is_met(p, best, s, i))
                continue;
            int piece = zn_facet_piece(p->side[s], best[s][i].facet, &best[s][i].foot);
            out->piece[out->count] = piece + (s == 1 ? pieces_of(p->side[0]) : 0);
            out->number[out->count++] = i + (s == 1 ? p->side[0]->points : 0);
        }
    return ZN_OK;
}

static size_t scratch(const void *rule)
{
    const zn_surface_pair *p = rule;
    size_t                 size = 0, most = 0;
    for (int s = 0; s < p->sides; s++) {
        size_t bytes = zn_facet_search_bytes(p->side[s]);
        size += sizeof(zn_nearest) * (size_t)p->side[s]->points;
        most = bytes > most ? bytes : most;
    }
    return size + most;
}

static zn_contact_pair between_what(const void *rule, zn_contact_key key)
{
    sided at = side_of(rule, key);
    return zn_nodes_facets_ops.pair(at.rule, at.key);
}

const zn_contact_ops zn_surface_pair_ops = {
    .name = "surface pair",
    .max_entries = ZN_RIGID_DOFS + 3 * ZN_FACET_CORNERS,
    .detect = detect,
    .visit = visit_nodes,
    .depth = depth,
    .tells_inside = true,
    .scratch = scratch,
    .knows = knows,
    .hollow = hollow,
    .evaluate = evaluate,
    .curvature = curvature,
    .lacks_between = lacks_between,
    .evaluate_between = evaluate_between,
    .curvature_between = curvature_between,
    .settle = settle,
    .reverse = reverse,
    .grounded = grounded,
    .locate = locate,
    .pair = between_what,
};
