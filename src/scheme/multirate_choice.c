// Which element, contact and joint belongs to the fine part, which to a coarse one.
//
// Elements: those of the named bodies and parts, and those with all nodes within a distance of a contact, are fine; the
// others belong to the coarse part of their ratio. What has no mass, springs say, and loads go with the mass of their
// nodes. Contacts must act in the fine part and away from the interface, where the links alone decide about velocities:
// where one acts on its border the fine part goes one element further. So it does where a joint or something without
// mass ties nodes of several parts, and where two coarse parts would meet, so that links are between the fine and one
// coarse part. A joint stays in a coarse part that all its nodes belong to, also on the interface of one that is
// implicit. Of contacts that search their partners all that holds for all nodes they may meet.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "model/contact/point_grid.h"
#include "scheme/multirate.h"

typedef struct split {
    const zn_scheme_def *def;
    const zn_system     *sys;
    const zn_log        *log;
    multirate_choice    *choice;
    bool                *near;   // nodes within the distance of a contact
    bool                *held;   // nodes whose elements are fine: what acts on them belongs there
    bool                 border; // some are new
    zn_contact_set      *set;
    int                 *owner; // of degrees of freedom: node
    int                 *home;  // of rules: part
    int                 *count; // of elements seen of each part of the model
    int                 *total; // of all elements of each
    zn_vec3             *place; // of nodes, and the grid they are sorted into
    zn_point_grid        grid;
} split;

static bool is_in_coarse(const split *s, int node)
{
    bool there = false;
    for (int k = COARSE; k < s->choice->parts; k++)
        there = there || s->choice->node[k][node];
    return there;
}

static bool is_in(const split *s, int part, int node) { return s->choice->node[part][node]; }

// --- what is near a contact ----------------------------------------------------------------------

// Nodes within the distance of this one.
static void mark_near(void *user, int node)
{
    split  *s = user;
    double  r = s->def->within * (1 + 1e-9);
    zn_vec3 x = s->place[node], all = {r, r, r};
    int     first[3], last[3];
    if (!zn_point_grid_range(&s->grid, zn_vec3_sub(x, all), zn_vec3_add(x, all), first, last))
        return;
    for (int k = first[2]; k <= last[2]; k++)
        for (int j = first[1]; j <= last[1]; j++) {
            int row = s->grid.cells[0] * (j + s->grid.cells[1] * k);
            for (int e = s->grid.start[row + first[0]]; e < s->grid.start[row + last[0] + 1]; e++)
                s->near[s->grid.order[e]] |= zn_vec3_norm(zn_vec3_sub(s->place[s->grid.order[e]], x)) <= r;
        }
}

// Nodes that contact i acts on.
static void visit_nodes(split *s, int i, void (*visit)(void *user, int node))
{
    const zn_contact_set *set = s->set;
    for (int e = set->row_start[i * set->stride]; e < set->row_start[i * set->stride + 1]; e++)
        visit(s, s->owner[set->row_dof[e]]);
}

static void find_near(split *s)
{
    const zn_model *model = s->sys->model;
    int             nodes = s->sys->layout.nodes;
    for (int i = 0; i < nodes; i++)
        s->place[i] = model->node[i].position;
    zn_point_grid_build(nodes, s->place, s->def->within, s->place + nodes, &s->grid);
    for (int i = 0; i < model->rules; i++)
        if (model->rule[i].ops->detect)
            model->rule[i].ops->visit(model->rule[i].parameter, mark_near, s);
    for (int i = 0; i < s->set->count; i++)
        if (!s->set->bilateral[i])
            visit_nodes(s, i, mark_near);
}

// --- elements ------------------------------------------------------------------------------------

static void count_elements(split *s)
{
    for (int g = 0; g < s->sys->blocks; g++)
        for (int e = 0; e < s->sys->block[g].count && !s->sys->block[g].ops->load; e++)
            if (s->sys->block[g].part[e] >= 0)
                s->total[s->sys->block[g].part[e]]++;
}

static bool is_fine(const split *s, const zn_element_block *b, int e, int index)
{
    int  ignored;
    bool fine = index >= 0 && multirate_is_listed(s->sys, s->def->fine, b->part[e], index, &ignored);
    bool near = s->def->within > 0;
    for (int i = 0; i < b->ops->nodes; i++) {
        int node = b->node[e * b->ops->nodes + i];
        near = near && (node < 0 || s->near[node]);
        fine = fine || (node >= 0 && s->held[node]);
    }
    return fine || near;
}

// The coarse part by name.
static int coarse_of(const split *s, const zn_element_block *b, int e, int index)
{
    int ratio = 0, k = COARSE;
    if (index < 0 || !multirate_is_listed(s->sys, s->def->coarse, b->part[e], index, &ratio))
        return COARSE;
    while (s->choice->ratio[k] != ratio)
        k++;
    return k;
}

// The first part from k on that all nodes have mass in; COARSE: there is none.
static int part_with_nodes(const split *s, const zn_element_block *b, int e, int k)
{
    for (; k < s->choice->parts; k++) {
        bool all = true;
        for (int i = 0; i < b->ops->nodes; i++) {
            int node = b->node[e * b->ops->nodes + i];
            all = all && (node < 0 || is_in(s, k, node));
        }
        if (all)
            return k;
    }
    return COARSE;
}

static int part_of(split *s, const zn_element_block *b, int e)
{
    if (b->ops->load)
        return part_with_nodes(s, b, e, FINE);
    int index = b->part[e] >= 0 ? s->count[b->part[e]]++ : -1;
    if (is_fine(s, b, e, index))
        return FINE;
    return b->ops->inertia ? coarse_of(s, b, e, index) : part_with_nodes(s, b, e, COARSE);
}

// Masses decide about their nodes, springs and loads follow.
static void choose_elements(split *s)
{
    for (int pass = 0; pass < 3; pass++)
        for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count) {
            const zn_element_block *b = &s->sys->block[g];
            if (pass != (b->ops->load ? 2 : b->ops->inertia ? 0 : 1))
                continue;
            for (int e = 0; e < b->count; e++) {
                int k = part_of(s, b, e);
                s->choice->element[k][first + e] = true;
                for (int i = 0; i < b->ops->nodes && b->ops->inertia; i++)
                    if (b->node[e * b->ops->nodes + i] >= 0)
                        s->choice->node[k][b->node[e * b->ops->nodes + i]] = true;
            }
        }
}

static void hold(split *s, int node)
{
    s->border = s->border || !s->held[node];
    s->held[node] = true;
}

// Contacts of a node that would be on the interface: the elements there become fine.
static void mark_border(void *user, int node)
{
    split *s = user;
    if (is_in(s, FINE, node) && is_in_coarse(s, node))
        hold(s, node);
}

// Something without mass has no node without mass in its part: or else the elements at all its nodes become fine.
static void mark_tie(split *s, const zn_element_block *b, int e, int which)
{
    const int *node = b->node + e * b->ops->nodes;
    bool       apart = false;
    for (int i = 0; i < b->ops->nodes; i++)
        apart = apart || (node[i] >= 0 && !is_in(s, which, node[i]));
    for (int i = 0; i < b->ops->nodes && apart; i++)
        if (node[i] >= 0)
            hold(s, node[i]);
}

static int part_of_element(const split *s, int element)
{
    int k = FINE;
    while (!s->choice->element[k][element])
        k++;
    return k;
}

static void find_ties(split *s)
{
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count)
        for (int e = 0; e < s->sys->block[g].count && !s->sys->block[g].ops->inertia; e++)
            mark_tie(s, &s->sys->block[g], e, part_of_element(s, first + e));
}

static void find_border(split *s)
{
    const zn_model *model = s->sys->model;
    for (int i = 0; i < model->rules; i++)
        if (model->rule[i].ops->detect)
            model->rule[i].ops->visit(model->rule[i].parameter, mark_border, s);
    for (int i = 0; i < s->set->count; i++)
        if (!s->set->bilateral[i])
            visit_nodes(s, i, mark_border);
    for (int i = 0; i < s->sys->layout.nodes; i++) {
        int parts = 0;
        for (int k = COARSE; k < s->choice->parts; k++)
            parts += is_in(s, k, i);
        if (parts > 1)
            hold(s, i);
    }
}

// --- joints --------------------------------------------------------------------------------------

// Can part k have a joint with equation i?
static bool may_have(const split *s, int k, int i)
{
    const zn_contact_set *set = s->set;
    bool                  may = true;
    for (int e = set->row_start[i * set->stride]; e < set->row_start[i * set->stride + 1]; e++) {
        int node = s->owner[set->row_dof[e]];
        may = may && is_in(s, k, node) && !(s->def->coarse_explicit && is_in(s, FINE, node));
    }
    return may;
}

static void hold_coarse(void *user, int node)
{
    if (is_in_coarse(user, node))
        hold(user, node);
}

// The part of each joint; elements at the nodes of those that are in none become fine, and they, too.
static void find_joints(split *s)
{
    const zn_contact_set *set = s->set;
    for (int i = 0; i < s->sys->model->rules; i++)
        s->home[i] = s->choice->parts - 1;
    for (int i = 0; i < set->count; i++) {
        int *home = &s->home[zn_contact_id_rule(set->id[i])];
        while (*home > FINE && !(set->bilateral[i] && may_have(s, *home, i)))
            --*home;
    }
    for (int i = 0; i < set->count; i++)
        if (set->bilateral[i] && s->home[zn_contact_id_rule(set->id[i])] == FINE)
            visit_nodes(s, i, hold_coarse);
}

static void choose_all(split *s)
{
    do {
        s->border = false;
        for (int k = 0; k < s->choice->parts; k++) {
            memset(s->choice->element[k], 0, sizeof(bool) * (size_t)s->sys->info.elements);
            memset(s->choice->node[k], 0, sizeof(bool) * (size_t)s->sys->layout.nodes);
        }
        memset(s->count, 0, sizeof *s->count * (size_t)s->sys->info.parts);
        choose_elements(s);
        find_border(s);
        find_joints(s);
        find_ties(s);
    } while (s->border); // which more and more nodes are held for
}

// --- what is refused -----------------------------------------------------------------------------

// A rule and the first node it may act on that is not in the fine part alone.
typedef struct ownership {
    const split *s;
    int          culprit;
} ownership;

static void check_owner(void *user, int node)
{
    ownership *o = user;
    if (o->culprit < 0 && is_in_coarse(o->s, node))
        o->culprit = node;
}

static zn_status check_rule(const split *s, const zn_contact_rule *rule, int culprit)
{
    char name[80];
    if (culprit < 0)
        return ZN_OK;
    return zn_fail(s->log, ZN_ERR_UNSUPPORTED,
                   "multirate: contact '%s' %s on node '%s', which is %s; contacts belong in the fine part, "
                   "away from the interface",
                   rule->name, rule->ops->detect ? "may act" : "acts",
                   zn_model_node_name(s->sys->model, culprit, name, sizeof name),
                   is_in(s, FINE, culprit) ? "on the interface" : "in the coarse part");
}

static zn_status choose_rules(split *s)
{
    const zn_contact_set *set = s->set;
    for (int i = 0; i < s->sys->model->rules; i++) {
        const zn_contact_rule *rule = &s->sys->model->rule[i];
        ownership              o = {s, -1};
        if (!rule->ops->detect)
            continue;
        rule->ops->visit(rule->parameter, check_owner, &o);
        ZN_TRY(check_rule(s, rule, o.culprit));
        s->choice->rule[FINE][i] = true;
    }
    for (int i = 0; i < set->count; i++) {
        int       rule = zn_contact_id_rule(set->id[i]);
        ownership o = {s, -1};
        for (int e = set->row_start[i * set->stride]; e < set->row_start[(i + 1) * set->stride]; e++)
            check_owner(&o, s->owner[set->row_dof[e]]);
        if (!set->bilateral[i])
            ZN_TRY(check_rule(s, &s->sys->model->rule[rule], o.culprit));
        s->choice->rule[set->bilateral[i] ? s->home[rule] : FINE][rule] = true;
    }
    return ZN_OK;
}

static int count_of(const split *s, int part)
{
    int count = 0;
    for (int e = 0; e < s->sys->info.elements; e++)
        count += s->choice->element[part][e];
    return count;
}

static zn_status check_sizes(const split *s)
{
    int fine = count_of(s, FINE), coarse = 0;
    for (int k = COARSE; k < s->choice->parts; k++)
        coarse += count_of(s, k);
    if (coarse == 0)
        return zn_fail(s->log, ZN_ERR_ARGUMENT,
                       "multirate: the coarse part has no elements; then cd_lagrange alone does it");
    if (fine == 0 && s->def->within > 0)
        return zn_fail(s->log, ZN_ERR_ARGUMENT,
                       "multirate: the fine part has no elements: none has all its nodes within %g m of "
                       "a node with a contact",
                       s->def->within);
    if (fine == 0)
        return zn_fail(s->log, ZN_ERR_ARGUMENT,
                       "multirate: the fine part has no elements; name bodies or parts in 'fine', or a "
                       "distance from the contacts in 'within'");
    return ZN_OK;
}

// Coarse parts without elements are none.
static void drop_empty(split *s)
{
    multirate_choice *c = s->choice;
    int               kept = COARSE;
    for (int k = COARSE; k < c->parts; k++) {
        if (count_of(s, k) == 0)
            continue;
        c->element[kept] = c->element[k];
        c->rule[kept] = c->rule[k];
        c->node[kept] = c->node[k];
        c->ratio[kept++] = c->ratio[k];
    }
    c->parts = kept;
}

// A node of an element without mass, of a spring say, has mass in the same part, or none at all.
static zn_status check_mass(const split *s, const zn_element_block *b, int e, int which)
{
    char text[80];
    for (int i = 0; i < b->ops->nodes; i++) {
        int node = b->node[e * b->ops->nodes + i];
        if (node >= 0 && !is_in(s, which, node))
            return zn_fail(s->log, ZN_ERR_MODEL, "multirate: node '%s', which '%s' acts on, has no mass",
                           zn_model_node_name(s->sys->model, node, text, sizeof text),
                           b->part[e] >= 0 ? s->sys->model->part_name[b->part[e]] : b->ops->name);
    }
    return ZN_OK;
}

static zn_status check_masses(const split *s)
{
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count)
        for (int e = 0; e < s->sys->block[g].count; e++)
            ZN_TRY(check_mass(s, &s->sys->block[g], e, part_of_element(s, first + e)));
    return ZN_OK;
}

static zn_status check_ratios(const split *s)
{
    const multirate_choice *c = s->choice;
    int                     most = 1;
    for (int k = COARSE; k < c->parts; k++)
        most = c->ratio[k] > most ? c->ratio[k] : most;
    for (int k = COARSE; k < c->parts; k++)
        if (c->ratio[k] > 0 && most % c->ratio[k] != 0)
            return zn_fail(s->log, ZN_ERR_ARGUMENT,
                           "multirate: ratios of coarse parts divide the largest, so that all their steps end at once; "
                           "%d does not divide %d",
                           c->ratio[k], most);
    if (c->parts > COARSE + 1 && s->def->fine_implicit)
        return zn_fail(s->log, ZN_ERR_UNSUPPORTED,
                       "multirate: with fine_implicit there can be one coarse part only, here are %d ('coarse')",
                       c->parts - 1);
    return ZN_OK;
}

// --- life ----------------------------------------------------------------------------------------

void multirate_choice_destroy(multirate_choice *c)
{
    free(c->lists);
    free(c->memory);
    free(c->ratio);
    *c = (multirate_choice){0};
}

static zn_status create(const zn_scheme_def *def, const zn_system *sys, multirate_choice *c)
{
    size_t elements = (size_t)sys->info.elements, rules = (size_t)sys->model->rules, nodes = (size_t)sys->layout.nodes;
    int    most = multirate_count_words(def->coarse) + 2;
    c->ratio = ZN_NEW(int, most);
    if (!c->ratio)
        return ZN_ERR_MEMORY;
    c->ratio[FINE] = 1;
    c->parts = 1 + multirate_list_ratios(sys, def, c->ratio + 1);
    size_t parts = (size_t)c->parts;
    c->lists = ZN_NEW(bool *, 3 * parts);
    c->memory = ZN_NEW(bool, parts *(elements + rules + nodes));
    if (!c->lists || !c->memory)
        return ZN_ERR_MEMORY;
    c->element = c->lists;
    c->rule = c->lists + parts;
    c->node = c->lists + 2 * parts;
    for (size_t k = 0; k < parts; k++) {
        c->element[k] = c->memory + k * (elements + rules + nodes);
        c->rule[k] = c->element[k] + elements;
        c->node[k] = c->rule[k] + rules;
    }
    return ZN_OK;
}

static void find_owners(split *s)
{
    for (int i = 0; i < s->sys->layout.nodes; i++)
        for (int slot = 0; slot < 6; slot++)
            if (s->sys->layout.node[i].dof[slot] >= 0)
                s->owner[s->sys->layout.node[i].dof[slot]] = i;
}

static zn_status allocate(split *s)
{
    const zn_system *sys = s->sys;
    s->near = ZN_NEW(bool, sys->layout.nodes);
    s->held = ZN_NEW(bool, sys->layout.nodes);
    s->owner = ZN_NEW(int, sys->info.n_all);
    s->home = ZN_NEW(int, sys->model->rules);
    s->count = ZN_NEW(int, sys->info.parts);
    s->total = ZN_NEW(int, sys->info.parts);
    s->place = zn_new_array(1, sizeof *s->place * (size_t)sys->layout.nodes + zn_point_grid_bytes(sys->layout.nodes));
    return s->near && s->held && s->owner && s->home && s->count && s->total && s->place ? ZN_OK : ZN_ERR_MEMORY;
}

static zn_status run(split *s)
{
    const zn_system *sys = s->sys;
    ZN_TRY(allocate(s));
    count_elements(s);
    ZN_TRY(multirate_check_words(sys, "fine", s->def->fine, s->total));
    ZN_TRY(multirate_check_words(sys, "coarse", s->def->coarse, s->total));
    ZN_TRY(create(s->def, sys, s->choice));
    find_owners(s);
    ZN_TRY(zn_contact_set_create(sys, &s->set));
    ZN_TRY(zn_contact_set_refresh(s->set, sys, sys->q0, sys->model->start));
    if (s->def->within > 0)
        find_near(s);
    choose_all(s);
    ZN_TRY(check_sizes(s));
    ZN_TRY(check_masses(s));
    ZN_TRY(choose_rules(s));
    drop_empty(s);
    return check_ratios(s);
}

zn_status multirate_choose(const zn_scheme_def *def, const zn_system *sys, multirate_choice *out)
{
    multirate_choice choice = {0};
    split            s = {.def = def, .sys = sys, .log = &sys->model->log, .choice = &choice};
    zn_status        status = run(&s);
    free(s.near);
    free(s.held);
    free(s.owner);
    free(s.home);
    free(s.count);
    free(s.total);
    free(s.place);
    zn_contact_set_destroy(s.set);
    if (status != ZN_OK)
        multirate_choice_destroy(&choice);
    else
        *out = choice;
    return status;
}
