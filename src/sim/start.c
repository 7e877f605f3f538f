// Gaps at the start. A contact that begins inside is pushed out by the first step, or never: mostly the model has a
// wrong sign or length. So it is refused unless the model says that it is meant.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"

// Relative to the size of the model: larger than what data of three digits leave.
static const double usual = 1e-3;
// What a limit cannot ask for: rounding of positions.
static const double rounding = 1e-9;

typedef struct deepest {
    double          gap;
    zn_contact_id   id;
    int             others; // that are inside as well
    int             rule;
    zn_contact_pair pair; // shapes; without names: the contact tells
} deepest;

static zn_status find_deepest(const zn_sim *sim, deepest *out)
{
    const zn_contact_set *set = sim->state->contacts;
    zn_depth              found;
    *out = (deepest){.gap = INFINITY, .id = zn_contact_id_none(), .others = -1};
    for (int i = 0; i < set->count; i++) {
        if (set->bilateral[i])
            continue;
        out->others += set->gap[i] < 0;
        if (set->gap[i] < out->gap)
            out->gap = set->gap[i], out->id = set->id[i];
    }
    if (sim->sys->missable_contacts)
        ZN_TRY(zn_contact_set_deepest(set, sim->sys, sim->state->q, sim->state->t, 0, &found));
    if (sim->sys->missable_contacts && found.gap < out->gap)
        out->gap = found.gap, out->id = found.id;
    if (out->gap < INFINITY) {
        const zn_contact_rule *rule = &sim->sys->model->rule[out->rule = zn_contact_id_rule(out->id)];
        if (rule->ops->pair)
            out->pair = rule->ops->pair(rule->parameter, zn_contact_key_of(out->id, 0));
    }
    return ZN_OK;
}

// Solids that are deeper inside each other than any contact tells.
static zn_status find_deeper(const zn_sim *sim, deepest *out)
{
    for (int i = 0; i < sim->sys->model->rules; i++) {
        const zn_contact_rule *rule = &sim->sys->model->rule[i];
        zn_contact_pair        pair;
        double                 depth = 0;
        if (rule->ops->overlap)
            ZN_TRY(rule->ops->overlap(rule->parameter, &sim->sys->layout, sim->state->q, &pair, &depth));
        if (depth > 0 && -depth < out->gap) {
            out->others += out->gap >= 0; // no contact was counted for this one
            out->gap = -depth;
            out->rule = i;
            out->pair = pair;
        }
    }
    return ZN_OK;
}

static int node_of(const zn_layout *layout, int dof)
{
    for (int i = 0; i < layout->nodes; i++)
        for (int k = 0; k < 6; k++)
            if (layout->node[i].dof[k] == dof)
                return i;
    return -1;
}

// The nodes that the contact acts on, the first two: a point and what carries its obstacle; -1: the ground.
static void find_pair(const zn_sim *sim, zn_contact_id id, int node[2])
{
    const zn_contact_set *set = sim->state->contacts;
    node[0] = node[1] = -1;
    for (int i = 0; i < set->count; i++) {
        int row = i * set->stride;
        for (int e = set->row_start[row]; zn_contact_id_same(set->id[i], id) && e < set->row_start[row + 1]; e++) {
            int other = node_of(&sim->sys->layout, set->row_dof[e]);
            if (node[0] < 0)
                node[0] = other;
            else if (other != node[0] && node[1] < 0)
                node[1] = other;
        }
    }
}

enum { SIDE_TEXT = 2 * ZN_NODE_TEXT + 16 };

// "'hat' of 'man'": the shape and what carries it, unless that has its name (`pile` of `pile[3]`); without a shape
// (NULL) the node alone, -1: the ground.
static void name_side(const zn_model *model, const char *shape, int node, char text[SIDE_TEXT])
{
    char        own[ZN_NODE_TEXT], body[ZN_NODE_TEXT + 4] = "the ground";
    const char *name = node < 0 ? "" : zn_model_node_name(model, node, own, sizeof own);
    if (node >= 0)
        snprintf(body, sizeof body, "'%s'", name);
    size_t length = shape ? strlen(shape) : 0;
    if (length == 0 || (strncmp(shape, name, length) == 0 && (name[length] == '\0' || name[length] == '[')))
        snprintf(text, SIDE_TEXT, "%s", body);
    else
        snprintf(text, SIDE_TEXT, "'%s' of %s", shape, body);
}

static void name_sides(const zn_sim *sim, const deepest *d, char text[2][SIDE_TEXT])
{
    bool shapes = d->pair.name[0] && *d->pair.name[0];
    int  node[2];
    find_pair(sim, d->id, node);
    for (int i = 0; i < 2; i++)
        name_side(sim->sys->model, d->pair.name[i], shapes ? d->pair.node[i].value - 1 : node[i], text[i]);
    if (!shapes && node[0] < 0)
        snprintf(text[0], SIDE_TEXT, "'a point'");
}

static zn_status refuse(const zn_sim *sim, const deepest *d, double allowed)
{
    char side[2][SIDE_TEXT], more[48] = "";
    name_sides(sim, d, side);
    if (d->others > 0)
        snprintf(more, sizeof more, "; %d other contact%s inside, too", d->others, d->others > 1 ? "s are" : " is");
    return zn_fail(&sim->def.log, ZN_ERR_MODEL,
                   "contact '%s': at t = %g s, the start, %s is %.3g m inside %s, more than %.3g m%s. If that is "
                   "meant, 'start_penetration' in run allows it",
                   sim->sys->model->rule[d->rule].name, sim->state->t, side[0], -d->gap, side[1], allowed, more);
}

// Of the model, as far as its nodes and this contact are from the origin.
static double size_of(const zn_sim *sim, zn_contact_id id)
{
    const zn_contact_set *set = sim->state->contacts;
    double                size = sim->sys->extent;
    zn_contact_location   at;
    for (int i = 0; i < set->count; i++) {
        const zn_contact_rule *rule = &sim->sys->model->rule[zn_contact_id_rule(set->id[i])];
        zn_contact_key         key = zn_contact_key_of(set->id[i], set->piece[i]);
        if (zn_contact_id_same(set->id[i], id) && rule->ops->locate &&
            rule->ops->locate(rule->parameter, &sim->sys->layout, key, sim->state->q, &at) == ZN_OK)
            size = fmax(size, zn_vec3_norm(at.position));
    }
    return size;
}

zn_status zn_start_check(const zn_sim *sim)
{
    const zn_sim_def *def = &sim->def;
    double            allowed = def->start_penetration;
    deepest           found;
    ZN_TRY(find_deepest(sim, &found));
    ZN_TRY(find_deeper(sim, &found));
    if (!(found.gap < 0))
        return ZN_OK;
    if (isnan(allowed)) {
        double size = size_of(sim, found.id);
        allowed = isnan(def->limits.penetration) ? usual * size : fmax(def->limits.penetration, rounding * size);
    }
    return -found.gap > allowed ? refuse(sim, &found, allowed) : ZN_OK;
}
