// Which facet is nearest to a point. At the start of a step each point goes down a tree of boxes around the facets
// (facet_tree.h), the nearer ones first, and looks no farther than the nearest facet so far. Inside a step a point
// walks from its facet to neighbours. A point is near while its distance from the surface is at most the reach. It is
// released at the border: when its foot is beyond an edge without a neighbour, by more than a hundredth of the size of
// the facet. Points that are nodes of a surface with normal m meet facets whose normal n opposes it only, n.m < -c: so
// the other side of a thin body does not capture what went far into it. Where facets end that oppose, at a sharp edge,
// the surface ends for this point. The other side of the point's own body opposes it as well, and so does the far side
// of whatever is beyond; what is behind a facet therefore counts to less than the thickness of the own body there only.
// Most points need not go down the tree: the nearest facet of an earlier search still is, see facet_memory.h.
#include "model/contact/facet_sweep.h"

#include "base/assert.h"
#include "model/contact/facet_memory.h"
#include "model/contact/facet_tree.h"
#include "model/contact/point_grid.h"

static const double tie = 1e-9;     // relative difference of distances from the same edge
static const double overlap = 0.01; // by how much a foot may leave the surface
static const double beside = 0.5;   // and its facet over a convex edge, where neither neighbour has it, of nodes

static void place_corners(const zn_layout *layout, int corners, const int *number, bool planar, const double *q,
                          zn_vec3 *x)
{
    for (int a = 0; a < corners; a++) {
        const zn_layout_node *node = &layout->node[number[a]];
        const double         *u = q + node->q;
        x[a] = zn_vec3_add(node->origin, (zn_vec3){u[0], u[1], planar ? 0 : u[2]});
    }
}

void zn_facet_corners(const zn_nodes_facets *p, const zn_layout *layout, int facet, const double *q, zn_vec3 *x)
{
    ZN_ASSERT(facet >= 0 && facet < p->facets);
    place_corners(layout, p->corners, p->node + facet * p->corners, p->planar, q, x);
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

// --- points that are nodes of a surface ----------------------------------------------------------

zn_vec3 zn_point_normal(const zn_nodes_facets *p, const zn_layout *layout, int number, const double *q)
{
    const zn_own_facets *own = &p->own;
    zn_vec3              x[ZN_FACET_CORNERS], sum = {0, 0, 0};
    ZN_ASSERT(own->around && number >= 0 && number < p->points);
    for (int k = own->around_start[number]; k < own->around_start[number + 1]; k++) {
        place_corners(layout, own->corners, own->node + own->around[k] * own->corners, p->planar, q, x);
        sum = zn_vec3_add(sum, zn_facet_normal(own->corners, x));
    }
    double length = zn_vec3_norm(sum);
    return length > 0 ? zn_vec3_scale(1 / length, sum) : sum;
}

static bool is_barred(const zn_nodes_facets *p, int point, int facet)
{
    for (int k = p->own.barred ? p->own.barred_start[point] : 0; p->own.barred && k < p->own.barred_start[point + 1];
         k++)
        if (p->own.barred[k] == facet)
            return true;
    return false;
}

bool zn_facet_opposes(const zn_nodes_facets *p, int point, int facet, const zn_foot *foot, zn_vec3 normal)
{
    return !p->own.around || (zn_vec3_dot(foot->normal, normal) < -p->own.opposed && !is_barred(p, point, facet));
}

// Does it count here? Not when it is farther behind the point than it could have come through.
static bool counts(const zn_nodes_facets *p, int point, int facet, const zn_foot *foot, zn_vec3 normal)
{
    bool behind = p->own.around && foot->gap < 0 && foot->distance > p->own.depth[point];
    return !behind && zn_facet_opposes(p, point, facet, foot, normal);
}

// --- walking -------------------------------------------------------------------------------------

bool zn_facet_known(const zn_nodes_facets *p, const zn_layout *layout, int number, int facet, const zn_found_feet *feet,
                    const double *q, zn_on_facet *out)
{
    const zn_nearest *best = feet[0].rule == p   ? &feet[0].best[number]
                             : feet[1].rule == p ? &feet[1].best[number]
                                                 : NULL;
    if (!best || best->facet != facet || !is_clear(&best->foot))
        return false;
    out->body = zn_rigid_at(layout, p->point[number].node, q);
    out->centre = zn_rigid_point(&out->body, p->point[number].at);
    out->facet = facet;
    out->foot = best->foot;
    return true;
}

zn_status zn_facet_stay(const zn_nodes_facets *p, const zn_layout *layout, int number, int facet, const double *q,
                        zn_on_facet *out)
{
    zn_vec3 x[ZN_FACET_CORNERS];
    out->body = zn_rigid_at(layout, p->point[number].node, q);
    out->centre = zn_rigid_point(&out->body, p->point[number].at);
    out->facet = facet;
    zn_facet_corners(p, layout, facet, q, x);
    return zn_facet_foot(p->corners, x, out->centre, &out->foot) ? ZN_OK : no_foot(p, facet);
}

zn_status zn_facet_walk(const zn_nodes_facets *p, const zn_layout *layout, int number, int facet, const double *q,
                        zn_on_facet *out)
{
    zn_vec3 x[ZN_FACET_CORNERS], normal = {0, 0, 0};
    ZN_TRY(zn_facet_stay(p, layout, number, facet, q, out));
    if (p->own.around && !is_clear(&out->foot))
        normal = zn_point_normal(p, layout, number, q);
    for (int steps = 0, from = -1; out->facet != from && steps < p->facets && !is_clear(&out->foot); steps++) {
        from = out->facet;
        for (int k = p->star_start[from]; k < p->star_start[from + 1]; k++) {
            zn_foot other;
            zn_facet_corners(p, layout, p->star[k], q, x);
            if (zn_facet_foot(p->corners, x, out->centre, &other) && zn_foot_is_nearer(&other, &out->foot) &&
                counts(p, number, p->star[k], &other, normal)) {
                out->foot = other;
                out->facet = p->star[k];
            }
        }
    }
    return ZN_OK;
}

// --- looking everywhere --------------------------------------------------------------------------

typedef struct search {
    const zn_nodes_facets *rule;
    const zn_layout       *layout;
    const double          *q;
    zn_vec3               *position; // of the points
    zn_nearest            *best;
    zn_facet_tree          tree;
    bool                   fitted; // the tree is
    int                    point;  // that looks
    double                 within; // how far it looks
    double                 clear;  // distance of the nearest of the other facets
    bool                   faces;  // its normal is known
    zn_vec3                normal;
} search;

// Of the point that looks, where that counts; most points are far away and never ask.
static zn_vec3 own_normal(search *s)
{
    if (s->rule->own.around && !s->faces)
        s->normal = zn_point_normal(s->rule, s->layout, s->point, s->q);
    s->faces = true;
    return s->normal;
}

// Nearer facets are better; of those that are as near, the one of the lowest number.
static bool is_better(const zn_foot *foot, int facet, const zn_nearest *best)
{
    if (best->facet < 0 || zn_foot_is_nearer(foot, &best->foot))
        return true;
    return facet < best->facet && !zn_foot_is_nearer(&best->foot, foot);
}

static void meet(void *user, int facet)
{
    search     *s = user;
    zn_nearest *best = &s->best[s->point];
    zn_vec3     corner[ZN_FACET_CORNERS];
    zn_foot     foot;
    zn_facet_corners(s->rule, s->layout, facet, s->q, corner);
    if (!zn_facet_foot(s->rule->corners, corner, s->position[s->point], &foot) ||
        !counts(s->rule, s->point, facet, &foot, own_normal(s)) || !is_better(&foot, facet, best))
        return;
    best->foot = foot;
    best->facet = facet;
    s->within = fmin(s->within, (1 + 10 * tie) * foot.distance + tie * s->rule->reach);
}

static bool has_node(const zn_nodes_facets *p, int facet, int node)
{
    for (int a = 0; a < p->corners; a++)
        if (p->node[facet * p->corners + a] == node)
            return true;
    return false;
}

// Beyond an edge of its facet, does the surface end for this point? Where there is no facet, or one that does not
// oppose the point.
static bool is_border(search *s, int facet, int edge)
{
    const zn_nodes_facets *p = s->rule;
    const int             *node = p->node + facet * p->corners;
    int                    from = node[edge], to = p->corners == 2 ? from : node[(edge + 1) % p->corners];
    if (p->border[facet] >> edge & 1)
        return true;
    for (int k = p->own.around ? p->star_start[facet] : p->star_start[facet + 1]; k < p->star_start[facet + 1]; k++) {
        zn_vec3 x[ZN_FACET_CORNERS];
        zn_foot foot;
        if (!has_node(p, p->star[k], from) || !has_node(p, p->star[k], to))
            continue;
        zn_facet_corners(p, s->layout, p->star[k], s->q, x);
        if (zn_facet_foot(p->corners, x, s->position[s->point], &foot))
            return !zn_facet_opposes(p, s->point, p->star[k], &foot, own_normal(s));
    }
    return false;
}

// The foot is beyond the border of the surface.
static bool is_beyond(search *s)
{
    const zn_nodes_facets *p = s->rule;
    const zn_nearest      *n = &s->best[s->point];
    double                 size = p->corners == 2 ? n->foot.stretch : sqrt(n->foot.stretch) * (p->corners == 4 ? 2 : 1);
    if (p->own.around && n->foot.margin < -beside * size)
        return true;
    return n->foot.margin < -overlap * size && is_border(s, n->facet, n->foot.edge);
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

size_t zn_facet_search_bytes(const zn_nodes_facets *p)
{
    return (size_t)p->points * sizeof(zn_vec3) +
           larger(zn_point_grid_bytes(p->points), zn_facet_tree_bytes(p->facets)); // the first: zn_facet_sweep
}

static void fit_tree(const zn_nodes_facets *p, const zn_layout *layout, const double *q, void *memory,
                     zn_facet_tree *tree)
{
    zn_facet_tree_begin(p->facets, p->order, memory, tree);
    for (int f = 0; f < p->facets; f++) {
        zn_vec3 x[ZN_FACET_CORNERS] = {{0, 0, 0}};
        zn_facet_corners(p, layout, f, q, x);
        zn_facet_box_make(p->corners, x, &tree->facet[f]);
    }
    zn_facet_tree_fit(tree);
}

// The nearest facet of the point that looks, from anywhere.
static void look_everywhere(search *s)
{
    const zn_nodes_facets *p = s->rule;
    if (!s->fitted)
        fit_tree(p, s->layout, s->q, s->position + p->points, &s->tree);
    s->fitted = true;
    s->within = p->reach + p->radius;
    zn_facet_tree_visit(&s->tree, s->position[s->point], &s->within, meet, s);
}

// Is the facet of memory still the nearest? Then its foot is found, or that there is none within reach.
static bool recall(search *s, const zn_facet_memory *past, zn_facet_shift shift)
{
    const zn_nodes_facets *p = s->rule;
    zn_nearest            *best = &s->best[s->point];
    zn_vec3                corner[ZN_FACET_CORNERS];
    int                    facet = past->facet[s->point];
    double                 clear = zn_facet_memory_clear(past, s->point, s->position[s->point], shift);
    if (facet < 0)
        return clear > (1 + tie) * (p->reach + p->radius);
    if (!(clear > 0))
        return false;
    zn_facet_corners(p, s->layout, facet, s->q, corner);
    if (!zn_facet_foot(p->corners, corner, s->position[s->point], &best->foot) ||
        !((1 + 10 * tie) * best->foot.distance + tie * p->reach < clear) ||
        !counts(p, s->point, facet, &best->foot, own_normal(s)))
        return false;
    best->facet = facet;
    return true;
}

// A distance that changes by no more than what moves: on a facet that is bent much a foot may jump.
static double sure_distance(const zn_foot *foot)
{
    const double bent = 0.01;
    double       twist = zn_vec3_dot(foot->twist, foot->twist), d = foot->distance;
    return twist * (d * d + foot->stretch) <= bent * foot->stretch * foot->stretch ? d : 0;
}

// How near is a facet that is not the nearest, whatever its normal?
static void pass(void *user, int facet)
{
    search *s = user;
    zn_vec3 corner[ZN_FACET_CORNERS];
    zn_foot foot;
    if (facet == s->best[s->point].facet || is_barred(s->rule, s->point, facet))
        return;
    zn_facet_corners(s->rule, s->layout, facet, s->q, corner);
    bool found = zn_facet_foot(s->rule->corners, corner, s->position[s->point], &foot);
    s->clear = fmin(s->clear, found ? sure_distance(&foot) : 0);
    s->within = fmin(s->within, s->clear);
}

// What the next search may build upon.
static void remember(search *s, zn_facet_memory *past)
{
    const zn_nearest *best = &s->best[s->point];
    double            reach = s->rule->reach + s->rule->radius;
    bool              far = best->facet < 0 || best->foot.distance > reach;
    past->position[s->point] = s->position[s->point];
    past->facet[s->point] = far ? -1 : best->facet;
    s->clear = s->within = (far ? reach : best->foot.distance) + past->slack;
    if (far && best->facet >= 0)
        s->clear = sure_distance(&best->foot);
    zn_facet_tree_visit(&s->tree, s->position[s->point], &s->within, pass, s);
    past->clear[s->point] = s->clear;
}

static bool is_place(zn_vec3 x) { return isfinite(x.x + x.y + x.z); }

int zn_facet_search(const zn_nodes_facets *p, const zn_layout *layout, const double *q, zn_facet_memory *past,
                    zn_nearest *best, void *memory)
{
    search         s = {.rule = p, .layout = layout, .q = q, .best = best, .position = memory};
    zn_facet_shift shift = zn_facet_memory_shift(past, layout, q);
    bool           anew = !(shift.most < past->slack);
    int            missed = 0;
    if (anew)
        zn_facet_memory_begin(past, layout, q);
    for (s.point = 0; s.point < p->points; s.point++) {
        int      i = s.point;
        zn_rigid body = zn_rigid_at(layout, p->point[i].node, q);
        s.position[i] = zn_rigid_point(&body, p->point[i].at);
        best[i].facet = -1;
        s.faces = false;
        if (anew)
            zn_facet_memory_forget(past, i);
        if (!is_place(s.position[i]))
            continue;
        if (anew || !recall(&s, past, shift)) {
            missed++;
            best[i].facet = -1;
            look_everywhere(&s);
        }
        if (anew)
            remember(&s, past);
        if (best[i].facet >= 0 && (best[i].foot.distance > p->reach + p->radius || is_beyond(&s)))
            best[i].facet = -1;
    }
    if (!anew)
        zn_facet_memory_judge(past, missed);
    return missed;
}

size_t zn_facet_scratch(const void *rule)
{
    const zn_nodes_facets *p = rule;
    return (size_t)p->points * sizeof(zn_nearest) + zn_facet_search_bytes(p);
}

zn_status zn_facet_detect(const void *rule, const zn_layout *layout, const double *q, double t, zn_contact_list *out)
{
    (void)t;
    const zn_nodes_facets *p = rule;
    zn_nearest            *best = out->scratch;
    zn_facet_memory       *past;
    ZN_TRY(zn_facet_memory_of(&out->facets, p, &past));
    zn_facet_search(p, layout, q, past, best, best + p->points);
    out->feet[0] = (zn_found_feet){p, best};
    ZN_TRY(zn_facet_sweep(p, layout, q, out->motion, best, best + p->points));
    for (int i = 0; i < p->points; i++) {
        if (best[i].facet < 0)
            continue;
        out->piece[out->count] = zn_facet_piece(p, best[i].facet, &best[i].foot);
        out->number[out->count++] = i;
    }
    return ZN_OK;
}
