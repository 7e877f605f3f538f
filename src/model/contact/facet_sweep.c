// Between two searches a point may move farther than a search looks. Then it can pass a facet that nobody has shown to
// the step, or be through a thin wall when the search comes. With velocities v taken as constant, from `since` before
// the search to `ahead` after it:
//     a point and a facet that move against each other by no more than the reach, and since the start by no more than a
//     node may be behind a facet (zn_own_facets.depth), cannot miss each other: nothing is looked at;
//     else the time is found at which the point is in the plane of the facet, coming from its front. When it is on the
//     facet then and the search has not found the point there, the step is too long.
// That all velocities are nearly the same is known after looking at each of them once; so a common flight costs nothing
// more, however fast it is.
#include "model/contact/facet_sweep.h"

#include <float.h>

#include "base/assert.h"
#include "model/contact/facet_tree.h"
#include "model/contact/point_grid.h"

static const double beyond = 0.1; // of the size of a facet: how far from its edge it still counts as passed

typedef struct sweep {
    const zn_nodes_facets *rule;
    const zn_layout       *layout;
    const double          *q;
    zn_motion              motion;
    double                 span; // the longer of both times
    const zn_nearest      *best;
    zn_vec3               *position; // of the points
    int                    facet;    // that is looked at, its corners and their velocities
    zn_vec3                corner[ZN_FACET_CORNERS], velocity[ZN_FACET_CORNERS];
    int                    point; // that passes a facet; -1: none
    double                 way;   // of that point against the facet
} sweep;

// --- velocities ----------------------------------------------------------------------------------

typedef struct range {
    zn_vec3 low, high;
} range;

static const range nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void widen(range *r, zn_vec3 v)
{
    r->low = zn_lower(r->low, v);
    r->high = zn_upper(r->high, v);
}

static double farther(double low, double high, double other_low, double other_high)
{
    return fmax(high - other_low, other_high - low);
}

// The largest difference of a velocity of one and a velocity of the other, or more.
static double spread(const range *a, const range *b)
{
    return zn_vec3_norm((zn_vec3){farther(a->low.x, a->high.x, b->low.x, b->high.x),
                                  farther(a->low.y, a->high.y, b->low.y, b->high.y),
                                  farther(a->low.z, a->high.z, b->low.z, b->high.z)});
}

static zn_vec3 node_velocity(const sweep *s, int node)
{
    const zn_layout_node *n = &s->layout->node[node];
    const double         *v = s->motion.v;
    return (zn_vec3){v[n->dof[0]], v[n->dof[1]], s->rule->planar ? 0 : v[n->dof[2]]};
}

static zn_vec3 point_velocity(const sweep *s, int point)
{
    zn_rigid body = zn_rigid_at(s->layout, s->rule->point[point].node, s->q);
    return zn_rigid_velocity(&body, s->motion.v, s->position[point]);
}

// How fast anything may move against anything else.
static double fastest(const sweep *s)
{
    const zn_nodes_facets *p = s->rule;
    range                  points = nothing, facets = nothing;
    for (int i = 0; i < p->points; i++)
        widen(&points, point_velocity(s, i));
    for (int k = 0; k < p->facets * p->corners; k++)
        widen(&facets, node_velocity(s, p->node[k]));
    return p->points > 0 && p->facets > 0 ? spread(&points, &facets) : 0;
}

// --- a point and a facet -------------------------------------------------------------------------

// How far a point may move against a facet without being lost: it may be behind it only when it has moved already.
static double limit_of(const sweep *s, int point)
{
    const zn_nodes_facets *p = s->rule;
    return p->own.around && s->motion.since > 0 ? fmin(p->reach, p->own.depth[point]) : p->reach;
}

static double least_limit(const sweep *s)
{
    double least = s->rule->reach;
    for (int i = 0; i < s->rule->points; i++)
        least = fmin(least, limit_of(s, i));
    return least;
}

static double size_of(const zn_nodes_facets *p, const zn_foot *foot)
{
    return p->corners == 2 ? foot->stretch : sqrt(foot->stretch) * (p->corners == 4 ? 2 : 1);
}

static bool foot_after(const sweep *s, int point, zn_vec3 velocity, double time, zn_foot *out)
{
    zn_vec3 x[ZN_FACET_CORNERS];
    for (int a = 0; a < s->rule->corners; a++)
        x[a] = zn_vec3_add(s->corner[a], zn_vec3_scale(time, s->velocity[a]));
    return zn_facet_project(s->rule->corners, x, zn_vec3_add(s->position[point], zn_vec3_scale(time, velocity)), out);
}

// Newton's method for the time at which the gap is zero: does the point come through the facet from its front then?
static bool passes(const sweep *s, int point, zn_vec3 velocity, zn_foot foot)
{
    const zn_nodes_facets *p = s->rule;
    double                 time = 0;
    for (int k = 0; k < 8; k++) {
        zn_vec3 against = velocity;
        double  gap = foot.gap - p->radius, size = size_of(p, &foot);
        for (int a = 0; a < p->corners; a++)
            against = zn_vec3_sub(against, zn_vec3_scale(foot.N[a], s->velocity[a]));
        double rate = zn_vec3_dot(against, foot.normal);
        if (!(rate < 0))
            return false;
        if (k > 0 && fabs(gap) <= 1e-3 * size)
            return foot.margin >= -beyond * size;
        time -= gap / rate;
        if (!(time >= -s->motion.since && time <= s->motion.ahead) || !foot_after(s, point, velocity, time, &foot))
            return false;
    }
    return false;
}

// A point that the search has found is held by its facet and those around it.
static bool is_held(const sweep *s, int point, const zn_foot *foot)
{
    return s->best[point].facet >= 0 &&
           (s->best[point].facet == s->facet || fabs(foot->gap - s->rule->radius) <= 0.5 * limit_of(s, point));
}

static zn_vec3 normal_of(const sweep *s, int point)
{
    return s->rule->own.around ? zn_point_normal(s->rule, s->layout, point, s->q) : (zn_vec3){0, 0, 0};
}

static void look(void *user, int point)
{
    sweep                 *s = user;
    const zn_nodes_facets *p = s->rule;
    zn_vec3                velocity = point_velocity(s, point);
    double                 way = 0;
    zn_foot                foot;
    for (int a = 0; a < p->corners; a++)
        way = fmax(way, s->span * zn_vec3_norm(zn_vec3_sub(velocity, s->velocity[a])));
    if (way <= limit_of(s, point) || s->point >= 0 || !foot_after(s, point, velocity, 0, &foot))
        return;
    if (!zn_facet_opposes(p, point, s->facet, &foot, normal_of(s, point)) || is_held(s, point, &foot) ||
        !passes(s, point, velocity, foot))
        return;
    s->point = point;
    s->way = way;
}

static zn_status refuse(const sweep *s)
{
    const zn_nodes_facets *p = s->rule;
    double                 whole = (s->motion.ahead + s->motion.since) / s->span * s->way;
    double                 limit = limit_of(s, s->point);
    if (limit < p->reach)
        return zn_fail_here(p->log, ZN_INVALID_STATE,
                            "contact '%s': a node moves %.3g m against the surface in a step, too far for a wall as "
                            "thin as its own, and would pass it unseen: a smaller step",
                            p->name, whole);
    return zn_fail_here(p->log, ZN_INVALID_STATE,
                        "contact '%s': a point moves %.3g m against the surface in a step, its reach is %.3g m, and "
                        "would pass it unseen: a smaller step or a larger reach",
                        p->name, whole, p->reach);
}

zn_status zn_facet_sweep(const zn_nodes_facets *p, const zn_layout *layout, const double *q, zn_motion motion,
                         const zn_nearest *best, void *memory)
{
    ZN_ASSERT(best && memory);
    zn_point_grid grid;
    sweep         s = {.rule = p, .layout = layout, .q = q, .motion = motion, .best = best, .point = -1};
    s.span = fmax(motion.ahead, motion.since);
    s.position = memory; // as zn_facet_search has left it
    if (!motion.v || !(s.span > 0))
        return ZN_OK;
    double way = s.span * fastest(&s), margin = p->reach + p->radius + way;
    if (!isfinite(way) || way <= least_limit(&s))
        return ZN_OK;
    zn_point_grid_build(p->points, s.position, margin, s.position + p->points, &grid);
    for (s.facet = 0; s.facet < p->facets && s.point < 0; s.facet++) {
        zn_facet_corners(p, layout, s.facet, q, s.corner);
        for (int a = 0; a < p->corners; a++)
            s.velocity[a] = node_velocity(&s, p->node[s.facet * p->corners + a]);
        zn_point_grid_visit(&grid, p->corners, s.corner, margin, look, &s);
    }
    return s.point >= 0 ? refuse(&s) : ZN_OK;
}
