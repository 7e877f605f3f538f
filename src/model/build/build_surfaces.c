// Contacts between surfaces of solids: check the def, then add the rule of the pair in one block of memory.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alive.h"
#include "base/array.h"
#include "base/def.h"
#include "model/build/overlap.h"
#include "model/build/wall.h"
#include "model/contact/surface_pair.h"

ZN_DEFINE_DEF(zn_surfaces_def, .restitution = NAN)

// How clearly normals must oppose: of two surfaces, where edges and corners meet flat ones at up to 84 degrees; of one
// surface, whose neighbouring facets must not meet where it bends.
static const double opposed_pair = 0.1, opposed_self = 0.5;

// How much of the thickness of its own body a node may be behind a facet.
static const double share = 0.75;

static const char *name_of(const zn_surfaces_def *def) { return def->name ? def->name : "contact"; }

// What the rule is made of; side s has the nodes of surface s as its points, on the facets of the other one.
typedef struct plan {
    const zn_surfaces_def *def;
    int                    sides;
    zn_facet_table         table[2]; // of surface A and B
    zn_facet_table         whole[2]; // of all of their parts
    zn_contact_points      points[2];
    double                 reach;
    double                *depth[2]; // of each point, see zn_own_facets
    zn_overlap             overlap;
} plan;

static const zn_facet_table *facets_of(const plan *p, int side) { return &p->table[p->sides == 2 ? 1 - side : 0]; }

// --- checks --------------------------------------------------------------------------------------

static zn_status check_def(const zn_model *model, const zn_surfaces_def *def)
{
    zn_contact_def law = zn_contact_def_default();
    law.name = def->name;
    law.restitution = isnan(def->restitution) ? 0 : def->restitution;
    law.friction = def->friction;
    law.tangential_restitution = def->tangential_restitution;
    law.restitution_from = def->restitution_from;
    ZN_TRY(zn_model_check_law(model, &law));
    if (!(def->reach >= 0) || !isfinite(def->reach))
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': the reach %g m is not at least 0", name_of(def),
                       def->reach);
    if (!def->part_b && def->face_b)
        return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': the set '%s' of its second surface has no part",
                       name_of(def), def->face_b);
    return ZN_OK;
}

static bool is_same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static zn_status check_nodes(const zn_model *model, const plan *p)
{
    const zn_surfaces_def *def = p->def;
    char                   text[ZN_NODE_TEXT];
    if (is_same(def->part_a, def->part_b) && is_same(def->face_a, def->face_b))
        return zn_fail(&model->log, ZN_ERR_MODEL,
                       "contact '%s': both its surfaces are '%s'; a surface that meets itself is given once",
                       name_of(def), def->face_a ? def->face_a : def->part_a);
    for (int i = 0; p->sides == 2 && i < p->points[0].count; i++) {
        int node = p->points[0].point[i].node.value - 1;
        if (p->table[1].start[node + 1] > p->table[1].start[node])
            return zn_fail(&model->log, ZN_ERR_MODEL, "contact '%s': node '%s' is on both its surfaces", name_of(def),
                           zn_model_node_name(model, node, text, sizeof text));
    }
    double points = p->points[0].count + (double)p->points[1].count;
    double facets = p->table[0].faces.count + (double)p->table[1].faces.count;
    if (4 * facets > INT_MAX)
        return zn_fail(&model->log, ZN_ERR_UNSUPPORTED, "contact '%s': %.0f nodes and %.0f facets are too many",
                       name_of(def), points, facets);
    return ZN_OK;
}

// --- the plan ------------------------------------------------------------------------------------

// The nodes of a surface, ascending.
static zn_status list_nodes(const zn_model *model, const zn_facet_table *table, zn_contact_points *out)
{
    int count = 0;
    for (int n = 0; n < model->nodes; n++)
        count += table->start[n + 1] > table->start[n];
    out->point = ZN_NEW(zn_attachment, count);
    if (!out->point)
        return ZN_ERR_MEMORY;
    for (int n = 0; n < model->nodes; n++)
        if (table->start[n + 1] > table->start[n])
            out->point[out->count++].node.value = n + 1;
    return ZN_OK;
}

static double default_reach(const zn_model *model, const plan *p)
{
    double longest = 0;
    for (int s = 0; s < p->sides; s++)
        longest = fmax(longest, zn_facet_table_longest_side(&p->table[s], model));
    return longest;
}

// How deep nodes may be behind facets, and whether one is.
static zn_status find_depths(const zn_model *model, plan *p, int side)
{
    p->depth[side] = ZN_NEW(double, p->points[side].count);
    if (!p->depth[side])
        return ZN_ERR_MEMORY;
    ZN_TRY(zn_wall_find(model, &p->table[side], &p->whole[side], &p->points[side], p->reach / share, p->depth[side]));
    if (p->sides == 1 || is_same(p->def->part_a, p->def->part_b))
        zn_overlap_find_own(model, &p->whole[side], &p->table[side], &p->points[side], p->depth[side], p->reach / share,
                            &p->overlap);
    else
        zn_overlap_find(model, &p->whole[1 - side], &p->points[side], &p->overlap);
    for (int i = 0; i < p->points[side].count; i++)
        p->depth[side][i] *= share;
    return ZN_OK;
}

// Bodies must not be in each other when they start.
static zn_status check_overlap(const zn_model *model, const plan *p)
{
    char text[ZN_NODE_TEXT];
    if (p->overlap.depth == 0)
        return ZN_OK;
    return zn_fail(&model->log, ZN_ERR_MODEL,
                   "contact '%s': its surfaces overlap at the start: node '%s' is %.3g m behind the other one",
                   name_of(p->def), zn_model_node_name(model, p->overlap.node, text, sizeof text), p->overlap.depth);
}

static zn_status make_plan(const zn_model *model, const zn_surfaces_def *def, plan *out)
{
    const char *part[2] = {def->part_a, def->part_b}, *face[2] = {def->face_a, def->face_b};
    *out = (plan){.def = def, .sides = def->part_b ? 2 : 1};
    for (int s = 0; s < out->sides; s++) {
        ZN_TRY(zn_facet_table_make(model, name_of(def), part[s], face[s], &out->table[s]));
        ZN_TRY(zn_facet_table_make(model, name_of(def), part[s], NULL, &out->whole[s]));
        ZN_TRY(list_nodes(model, &out->table[s], &out->points[s]));
    }
    ZN_TRY(check_nodes(model, out));
    out->reach = def->reach > 0 ? def->reach : default_reach(model, out);
    for (int s = 0; s < out->sides; s++)
        ZN_TRY(find_depths(model, out, s));
    return check_overlap(model, out);
}

static void free_plan(plan *p)
{
    for (int s = 0; s < 2; s++) {
        zn_facet_table_free(&p->table[s]);
        zn_facet_table_free(&p->whole[s]);
        free(p->points[s].point);
        free(p->depth[s]);
    }
}

// --- the block of memory -------------------------------------------------------------------------

static zn_nodes_facets side_head(const zn_model *model, const plan *p, int side)
{
    const zn_facet_table *table = facets_of(p, side);
    return (zn_nodes_facets){
        .restitution = isnan(p->def->restitution) ? 0 : p->def->restitution,
        .friction = p->def->friction,
        .tangential_restitution = p->def->tangential_restitution,
        .reach = p->reach,
        .depth = p->reach, // normals and zn_own_facets.depth tell what has come through
        .planar = model->planar,
        .log = &model->log,
        .points = p->points[side].count,
        .facets = table->faces.count,
        .splits = zn_facet_splits(table->faces.corners),
        .corners = table->faces.corners,
        .own = {.corners = p->table[side].faces.corners, .opposed = p->sides == 2 ? opposed_pair : opposed_self},
    };
}

// Lengths of the arrays of zn_own_facets; barred: those around each point and their neighbours, at most.
typedef struct own_sizes {
    size_t depth, starts, around, barred_starts, barred;
} own_sizes;

static own_sizes sizes_of(const plan *p, int side)
{
    const zn_facet_table *table = &p->table[side];
    size_t                starts = (size_t)p->points[side].count + 1, corners = (size_t)table->faces.corners;
    bool                  self = p->sides == 1;
    return (own_sizes){starts - 1, starts, corners * (size_t)table->faces.count, self ? starts : 0,
                       self ? corners * (size_t)(table->faces.count + table->stars) : 0};
}

static size_t rounded(size_t size) { return (size + 15) / 16 * 16; }

static size_t size_of_own(const plan *p, int side)
{
    own_sizes n = sizes_of(p, side);
    return rounded(sizeof(double) * n.depth) +
           rounded(sizeof(int) * (n.starts + n.around + n.barred_starts + n.barred));
}

static size_t size_of_pair(const plan *p, const zn_nodes_facets head[2])
{
    size_t size = rounded(sizeof(zn_surface_pair));
    for (int s = 0; s < p->sides; s++) {
        zn_nodes_facets side = head[s];
        size += rounded(zn_facet_table_lay_out(&side, facets_of(p, s)->stars)) + size_of_own(p, s);
    }
    return size;
}

// The facets around a point and those that touch them never count for it.
static void bar_facets(const plan *p, zn_nodes_facets *side)
{
    int *seen = p->table[0].seen;
    memset(seen, 0, sizeof *seen * (size_t)side->facets);
    side->own.barred_start[0] = 0;
    for (int i = 0; i < side->points; i++) {
        int count = side->own.barred_start[i];
        for (int k = side->own.around_start[i]; k < side->own.around_start[i + 1]; k++)
            for (int f = side->own.around[k], e = side->star_start[f] - 1; e < side->star_start[f + 1]; e++) {
                int facet = e < side->star_start[f] ? f : side->star[e]; // the facet itself, then its neighbours
                if (seen[facet] == i + 1)
                    continue;
                seen[facet] = i + 1;
                side->own.barred[count++] = facet;
            }
        side->own.barred_start[i + 1] = count;
    }
}

// The surface whose nodes are the points of a side, its corners held by the other one.
static void fill_own(const plan *p, int s, int *corners, char *memory, zn_nodes_facets *side)
{
    const zn_facet_table *table = &p->table[s];
    own_sizes             n = sizes_of(p, s);
    zn_own_facets        *own = &side->own;
    own->node = corners;
    own->depth = (double *)memory;
    memcpy(own->depth, p->depth[s], sizeof(double) * n.depth);
    own->around_start = (int *)(memory + rounded(sizeof(double) * n.depth));
    own->around = own->around_start + n.starts;
    own->around_start[0] = 0;
    for (int i = 0; i < side->points; i++) {
        int node = side->point[i].node.value - 1, count = table->start[node + 1] - table->start[node];
        memcpy(own->around + own->around_start[i], table->facet + table->start[node], sizeof(int) * (size_t)count);
        own->around_start[i + 1] = own->around_start[i] + count;
    }
    if (n.barred_starts == 0)
        return;
    own->barred_start = own->around + n.around;
    own->barred = own->barred_start + n.barred_starts;
    bar_facets(p, side);
}

static void fill_pair(const plan *p, const char *name, const zn_nodes_facets head[2], zn_surface_pair *pair)
{
    char *next = (char *)pair + rounded(sizeof *pair);
    pair->restitution = p->def->restitution;
    pair->sides = p->sides;
    for (int s = 0; s < p->sides; s++) {
        zn_nodes_facets *side = pair->side[s] = (zn_nodes_facets *)next;
        *side = head[s];
        side->name = name;
        next += rounded(zn_facet_table_lay_out(side, facets_of(p, s)->stars));
        zn_facet_table_fill(facets_of(p, s), &p->points[s], side);
    }
    for (int s = 0; s < p->sides; s++) {
        fill_own(p, s, pair->side[p->sides == 2 ? 1 - s : 0]->node, next, pair->side[s]);
        next += size_of_own(p, s);
    }
}

// --- the rule ------------------------------------------------------------------------------------

static zn_status add_rule(zn_model *model, const plan *p)
{
    zn_nodes_facets head[2] = {side_head(model, p, 0)};
    if (p->sides == 2)
        head[1] = side_head(model, p, 1);
    size_t size = size_of_pair(p, head);
    int    rows = p->def->friction == 0 ? 1 : model->planar ? 2 : 3;
    char  *empty = ZN_NEW(char, size);
    if (!empty)
        return ZN_ERR_MEMORY;
    zn_status status = zn_model_add_rows_rule(model, p->def->name, &zn_surface_pair_ops,
                                              p->points[0].count + p->points[1].count, rows, empty, size);
    free(empty);
    ZN_TRY(status);
    zn_contact_rule *added = &model->rule[model->rules - 1];
    added->pieces = 0;
    for (int s = 0; s < p->sides; s++)
        added->pieces += head[s].facets * head[s].splits;
    fill_pair(p, added->name, head, added->parameter);
    return ZN_OK;
}

zn_status zn_model_add_surfaces(zn_model *model, const zn_surfaces_def *def)
{
    ZN_ALIVE(model);
    if (!model)
        return ZN_ERR_ARGUMENT;
    ZN_TAKE_DEF(zn_surfaces_def, def, &model->log);
    ZN_TRY(check_def(model, def));
    plan      p;
    int       first = model->rules;
    zn_status status = make_plan(model, def, &p);
    if (status == ZN_OK)
        status = add_rule(model, &p);
    zn_model_set_restitution_from(model, first, def->restitution_from);
    free_plan(&p);
    return status;
}
