// Which element, contact and joint belongs to the fine part, which to the coarse one.
//
// Elements: those of the named bodies and parts, those with all nodes within a distance of a contact, and those at a
// node that a joint or a prescribed motion acts on, are fine. Loads go with the mass of their nodes. Contacts must act
// in the fine part and away from the interface, where the links alone decide about velocities; so must joints. Where a
// contact acts on its border the fine part goes one element further; so it does where something without mass, a spring
// say, ties nodes of both parts. Of contacts that search their partners all that holds for all nodes they may meet.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sets.h"
#include "model/contact/point_grid.h"
#include "scheme/interface.h"
#include "scheme/multirate.h"

typedef struct split {
    const zn_scheme_def *def;
    const zn_system     *sys;
    const zn_log        *log;
    bool                *element[PARTS]; // of all elements, block after block
    bool                *rule[PARTS];
    bool                *node[PARTS]; // nodes that elements with mass use
    bool                *near;        // nodes within the distance of a contact
    bool                *held;   // nodes whose elements are fine: joints act on them, or what the border may not have
    bool                 border; // some are new
    zn_contact_set      *set;
    int                 *owner; // of degrees of freedom: node
    int                 *slot;  // of the links, and of all that the coarse part moves: 6 node + slot
    int                 *count; // of elements seen of each part
    int                 *total; // of elements of each part
    zn_vec3             *place; // of nodes, and the grid they are sorted into
    zn_point_grid        grid;
} split;

// --- elements ------------------------------------------------------------------------------------

// A word of the list `fine`: a body or part, or some elements of a part, "beam[10:30]" (from the 10th up to the 29th);
// of many bodies that one name has, "ball[0]", "ball[1]" ..., one or all of them.
typedef struct word {
    int         part; // -1: there is no such part
    int         first, end;
    const char *text;
    size_t      length, name; // in the list; without brackets
    bool        many;         // the name is that of many bodies, not of a part
} word;

// Is the name of a part that of a word? "ball[3]" has the name "ball", too.
static bool has_name(const char *part, const char *text, size_t length, bool many)
{
    return strncmp(part, text, length) == 0 && (part[length] == '\0' || (many && part[length] == '['));
}

static word read_word(const split *s, const char *text)
{
    char *const *part = s->sys->model->part_name;
    word         w = {.part = -1, .end = INT_MAX, .text = text, .length = strcspn(text, ", ")};
    int          used = 0;
    for (int i = 0; i < s->sys->info.parts && w.part < 0; i++)
        if (has_name(part[i], text, w.length, false))
            w.part = i;
    w.name = w.part >= 0 ? w.length : strcspn(text, ", [");
    if (w.part < 0 && w.name < w.length &&
        (sscanf(text + w.name, "[%d:%d]%n", &w.first, &w.end, &used) != 2 || used != (int)(w.length - w.name)))
        return w;
    for (int many = 0; many < 2; many++)
        for (int i = 0; i < s->sys->info.parts && w.part < 0 && (!many || w.name == w.length); i++)
            if (has_name(part[i], text, w.name, many)) {
                w.part = i;
                w.many = many;
            }
    return w;
}

// Is element number `index` of this part in the list?
static bool is_listed(const split *s, int part, int index)
{
    for (const char *p = s->def->fine + strspn(s->def->fine, ", "); *p; p += strspn(p, ", ")) {
        word w = read_word(s, p);
        if (w.many ? has_name(s->sys->model->part_name[part], w.text, w.name, true)
                   : w.part == part && index >= w.first && index < w.end)
            return true;
        p += w.length;
    }
    return false;
}

static void count_elements(split *s)
{
    for (int g = 0; g < s->sys->blocks; g++)
        for (int e = 0; e < s->sys->block[g].count && !s->sys->block[g].ops->load; e++)
            if (s->sys->block[g].part[e] >= 0)
                s->total[s->sys->block[g].part[e]]++;
}

static zn_status check_words(const split *s)
{
    if (!s->def->fine)
        return ZN_OK;
    for (const char *p = s->def->fine + strspn(s->def->fine, ", "); *p; p += strspn(p, ", ")) {
        word w = read_word(s, p);
        if (w.part < 0)
            return zn_fail(s->log, ZN_ERR_ARGUMENT,
                           "multirate: fine: there is no body or part '%.*s'; names, or elements "
                           "as in beam[10:30], are separated by blanks or commas",
                           (int)w.length, p);
        if (w.end != INT_MAX && (w.first < 0 || w.first >= w.end || w.end > s->total[w.part]))
            return zn_fail(s->log, ZN_ERR_ARGUMENT,
                           "multirate: fine: '%.*s': '%s' has %d elements, all of them are [0:%d]", (int)w.length, p,
                           s->sys->model->part_name[w.part], s->total[w.part], s->total[w.part]);
        p += w.length;
    }
    return ZN_OK;
}

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

// --- elements by name and place ------------------------------------------------------------------

static void mark_held(void *user, int node) { ((split *)user)->held[node] = true; }

static void find_held(split *s)
{
    for (int i = 0; i < s->set->count; i++)
        if (s->set->bilateral[i])
            visit_nodes(s, i, mark_held);
}

static bool is_fine(const split *s, const zn_element_block *b, int e)
{
    bool fine = s->def->fine && b->part[e] >= 0 && is_listed(s, b->part[e], s->count[b->part[e]]++);
    bool near = s->def->within > 0;
    for (int i = 0; i < b->ops->nodes; i++) {
        int node = b->node[e * b->ops->nodes + i];
        near = near && (node < 0 || s->near[node]);
        fine = fine || (node >= 0 && s->held[node]);
    }
    return fine || near;
}

// A load acts on nodes of one part, or on them and the ground; those on the interface have mass in both.
static bool is_fine_load(const split *s, const zn_element_block *b, int e)
{
    bool fine = true;
    for (int i = 0; i < b->ops->nodes; i++)
        fine = fine && (b->node[e * b->ops->nodes + i] < 0 || s->node[FINE][b->node[e * b->ops->nodes + i]]);
    return fine;
}

static void choose_elements(split *s)
{
    for (int pass = 0; pass < 2; pass++) // masses decide about their nodes, loads follow
        for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count) {
            const zn_element_block *b = &s->sys->block[g];
            if (b->ops->load != (pass == 1))
                continue;
            for (int e = 0; e < b->count; e++) {
                bool fine = pass == 0 ? is_fine(s, b, e) : is_fine_load(s, b, e);
                int  which = fine ? FINE : COARSE;
                s->element[which][first + e] = true;
                for (int i = 0; i < b->ops->nodes && b->ops->inertia; i++)
                    if (b->node[e * b->ops->nodes + i] >= 0)
                        s->node[which][b->node[e * b->ops->nodes + i]] = true;
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
    if (s->node[FINE][node] && s->node[COARSE][node])
        hold(s, node);
}

// Something without mass has no node without mass in its part: or else the elements at all its nodes become fine.
static void mark_tie(split *s, const zn_element_block *b, int e, int which)
{
    const int *node = b->node + e * b->ops->nodes;
    bool       apart = false;
    for (int i = 0; i < b->ops->nodes; i++)
        apart = apart || (node[i] >= 0 && !s->node[which][node[i]]);
    for (int i = 0; i < b->ops->nodes && apart; i++)
        if (node[i] >= 0)
            hold(s, node[i]);
}

static void find_ties(split *s)
{
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count)
        for (int e = 0; e < s->sys->block[g].count && !s->sys->block[g].ops->inertia; e++)
            mark_tie(s, &s->sys->block[g], e, s->element[FINE][first + e] ? FINE : COARSE);
}

static void find_border(split *s)
{
    const zn_model *model = s->sys->model;
    for (int i = 0; i < model->rules; i++)
        if (model->rule[i].ops->detect)
            model->rule[i].ops->visit(model->rule[i].parameter, mark_border, s);
    for (int i = 0; i < s->set->count; i++)
        visit_nodes(s, i, mark_border);
}

static void choose_all_elements(split *s)
{
    do {
        s->border = false;
        for (int k = 0; k < PARTS; k++) {
            memset(s->element[k], 0, sizeof *s->element[k] * (size_t)s->sys->info.elements);
            memset(s->node[k], 0, sizeof *s->node[k] * (size_t)s->sys->layout.nodes);
        }
        memset(s->count, 0, sizeof *s->count * (size_t)s->sys->info.parts);
        choose_elements(s);
        find_border(s);
        find_ties(s);
    } while (s->border); // which more and more nodes are held for
}

// --- contacts and joints -------------------------------------------------------------------------

// A rule and the first node it may act on that is not in the fine part alone.
typedef struct ownership {
    const split *s;
    int          culprit;
} ownership;

static void check_owner(void *user, int node)
{
    ownership *o = user;
    if (o->culprit < 0 && o->s->node[COARSE][node])
        o->culprit = node;
}

static zn_status check_rule(const split *s, const zn_contact_rule *rule, int culprit)
{
    const char *what = rule->ops->bilateral ? "joint" : "contact";
    char        name[80];
    if (culprit < 0)
        return ZN_OK;
    return zn_fail(s->log, ZN_ERR_UNSUPPORTED,
                   "multirate: %s '%s' %s on node '%s', which is %s; %ss belong in the fine part, "
                   "away from the interface",
                   what, rule->name, rule->ops->detect ? "may act" : "acts",
                   zn_model_node_name(s->sys->model, culprit, name, sizeof name),
                   s->node[FINE][culprit] ? "on the interface" : "in the coarse part", what);
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
        s->rule[FINE][i] = true;
    }
    for (int i = 0; i < set->count; i++) {
        ownership o = {s, -1};
        for (int e = set->row_start[i * set->stride]; e < set->row_start[(i + 1) * set->stride]; e++)
            check_owner(&o, s->owner[set->row_dof[e]]);
        ZN_TRY(check_rule(s, &s->sys->model->rule[zn_contact_id_rule(set->id[i])], o.culprit));
        s->rule[FINE][zn_contact_id_rule(set->id[i])] = true;
    }
    return ZN_OK;
}

// --- parts ---------------------------------------------------------------------------------------

static zn_status check_linear(const split *s, const zn_system *coarse)
{
    for (int g = 0; g < coarse->blocks; g++) {
        const zn_element_block *b = &coarse->block[g];
        if (b->count > 0 && b->ops->linear && !b->ops->linear(b))
            return zn_fail(s->log, ZN_ERR_UNSUPPORTED,
                           "multirate: the coarse part must be linear, '%s' is not; make it "
                           "fine, use bars or linear beams and solids, or coarse_explicit",
                           b->part[0] >= 0 ? s->sys->model->part_name[b->part[0]] : b->ops->name);
    }
    return ZN_OK;
}

static zn_status check_sizes(const split *s)
{
    int count[PARTS] = {0, 0};
    for (int e = 0; e < s->sys->info.elements; e++)
        for (int k = 0; k < PARTS; k++)
            count[k] += s->element[k][e];
    if (count[COARSE] == 0)
        return zn_fail(s->log, ZN_ERR_ARGUMENT,
                       "multirate: the coarse part has no elements; then cd_lagrange alone does it");
    if (count[FINE] == 0 && s->def->within > 0)
        return zn_fail(s->log, ZN_ERR_ARGUMENT,
                       "multirate: the fine part has no elements: none has all its nodes within %g m of "
                       "a node with a contact",
                       s->def->within);
    if (count[FINE] == 0)
        return zn_fail(s->log, ZN_ERR_ARGUMENT,
                       "multirate: the fine part has no elements; name bodies or parts in 'fine', or a "
                       "distance from the contacts in 'within'");
    return ZN_OK;
}

// A node of an element without mass, of a spring say, has mass in the same part, or none at all.
static zn_status check_mass(const split *s, const zn_element_block *b, int e, int which)
{
    char text[80];
    for (int i = 0; i < b->ops->nodes; i++) {
        int node = b->node[e * b->ops->nodes + i];
        if (node >= 0 && !s->node[which][node])
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
            ZN_TRY(check_mass(s, &s->sys->block[g], e, s->element[FINE][first + e] ? FINE : COARSE));
    return ZN_OK;
}

// --- the interface -------------------------------------------------------------------------------

// Free degrees of freedom of the nodes with mass in both parts, as 6 node + slot; fixed ones need no link.
static int list_links(const split *s, int *slot)
{
    int count = 0;
    for (int i = 0; i < s->sys->layout.nodes; i++)
        for (int k = 0; k < 6 && s->node[FINE][i] && s->node[COARSE][i]; k++)
            if (s->sys->layout.node[i].dof[k] >= 0 && s->sys->layout.node[i].dof[k] < s->sys->info.n)
                slot[count++] = 6 * i + k;
    return count;
}

// Spins of a node that turns at will are in axes of its own, which the two parts would carry along differently.
static zn_status check_links(const split *s, int links, const int *slot)
{
    char name[80];
    for (int i = 0; i < links; i++) {
        const zn_layout_node *node = &s->sys->layout.node[slot[i] / 6];
        if (node->kind == ZN_FRAME3 && !node->small)
            return zn_fail(s->log, ZN_ERR_UNSUPPORTED,
                           "multirate: node '%s' turns at will and would be on the interface; the parts meet at nodes "
                           "of solids, bars and linear beams, or in the plane",
                           zn_model_node_name(s->sys->model, slot[i] / 6, name, sizeof name));
    }
    return ZN_OK;
}

// Degrees of freedom that the matrix ties together, directly or through others; named by the first of them.
static void find_tied(const zn_sparse *matrix, int *tied)
{
    zn_sets_start(matrix->n, tied);
    for (int j = 0; j < matrix->n; j++)
        for (int e = matrix->start[j]; e < matrix->start[j + 1]; e++)
            if (matrix->value[e] != 0)
                zn_sets_join(tied, matrix->row[e], j);
}

// Which links feel each other through the coarse part: block[i] is the first link of the block of link i.
static zn_status find_blocks(const zn_system *coarse, int links, const int *slot, int *tied, int *block)
{
    zn_sparse *matrix = NULL;
    zn_at      at = {coarse->q0, coarse->v0, coarse->model->start, 0};
    ZN_TRY(zn_system_matrix(coarse, &matrix));
    zn_status status = zn_system_operators(coarse, at, 1, 1, 1, matrix);
    int      *first = tied + coarse->info.n; // link of what is tied
    if (status == ZN_OK)
        find_tied(matrix, tied);
    zn_sparse_destroy(matrix);
    for (int i = 0; i < coarse->info.n; i++)
        first[i] = -1;
    for (int i = 0; i < links && status == ZN_OK; i++) {
        int name = zn_sets_find(tied, coarse->layout.node[slot[i] / 6].dof[slot[i] % 6]);
        first[name] = first[name] < 0 ? i : first[name];
        block[i] = first[name];
    }
    return status;
}

// Links in the order that the operator of the interface likes best.
static zn_status sort_links(const zn_system *coarse, int links, int *slot)
{
    size_t              n = (size_t)links;
    int                *memory = ZN_NEW(int, 5 * n + 2 * (size_t)coarse->info.n);
    zn_interface_group *group = ZN_NEW(zn_interface_group, n);
    zn_status           status = memory && group ? ZN_OK : ZN_ERR_MEMORY;
    int                *block = memory, *order = memory + n, *scratch = memory + 2 * n, *old = memory + 4 * n;
    if (status == ZN_OK)
        status = find_blocks(coarse, links, slot, memory + 5 * n, block);
    if (status == ZN_OK) {
        memcpy(old, slot, sizeof *old * n);
        zn_interface_sort(links, block, scratch, order, group);
        for (int i = 0; i < links; i++)
            slot[i] = old[order[i]];
    }
    free(group);
    free(memory);
    return status;
}

// All degrees of freedom that the coarse part moves, direction by direction: rows of its matrices look alike then.
static int list_by_direction(const split *s, int *slot)
{
    int count = 0;
    for (int k = 0; k < 6; k++)
        for (int i = 0; i < s->sys->layout.nodes; i++)
            if (s->node[COARSE][i] && s->sys->layout.node[i].dof[k] >= 0 &&
                s->sys->layout.node[i].dof[k] < s->sys->info.n)
                slot[count++] = 6 * i + k;
    return count;
}

// The links are the first degrees of freedom of the fine part, in their order.
static zn_status create_parts(split *s, multirate_part part[PARTS], int *count)
{
    int       *slot = s->slot, *all = slot + s->sys->info.n, links = list_links(s, slot);
    zn_leading leading[PARTS] = {[FINE] = {links, slot}, [COARSE] = {links, slot}};
    ZN_TRY(check_links(s, links, slot));
    if (!s->def->coarse_explicit)
        leading[COARSE] = (zn_leading){list_by_direction(s, all), all};
    for (int k = PARTS - 1; k >= 0; k--) {
        ZN_TRY(zn_subsystem_create(s->sys, s->element[k], s->rule[k], leading[k], &part[k].part));
        ZN_TRY(zn_state_create(part[k].part.sys, &part[k].state));
        if (k == COARSE && !s->def->coarse_explicit) {
            ZN_TRY(check_linear(s, part[k].part.sys));
            ZN_TRY(sort_links(part[k].part.sys, links, slot));
        }
        part[k].dof = ZN_NEW(int, links);
        part[k].force = ZN_NEW(double, links);
        if (!part[k].dof || !part[k].force)
            return ZN_ERR_MEMORY;
        for (int i = 0; i < links; i++)
            part[k].dof[i] = part[k].part.sys->layout.node[slot[i] / 6].dof[slot[i] % 6];
    }
    *count = links;
    return ZN_OK;
}

static void find_owners(split *s)
{
    for (int i = 0; i < s->sys->layout.nodes; i++)
        for (int slot = 0; slot < 6; slot++)
            if (s->sys->layout.node[i].dof[slot] >= 0)
                s->owner[s->sys->layout.node[i].dof[slot]] = i;
}

static zn_status run(split *s, multirate_part part[PARTS], int *count)
{
    const zn_system *sys = s->sys;
    bool             room = true;
    for (int k = 0; k < PARTS; k++) {
        s->element[k] = ZN_NEW(bool, sys->info.elements);
        s->rule[k] = ZN_NEW(bool, sys->model->rules);
        s->node[k] = ZN_NEW(bool, sys->layout.nodes);
        room = room && s->element[k] && s->rule[k] && s->node[k];
    }
    s->near = ZN_NEW(bool, sys->layout.nodes);
    s->held = ZN_NEW(bool, sys->layout.nodes);
    s->owner = ZN_NEW(int, sys->info.n_all);
    s->slot = ZN_NEW(int, 2 * (size_t)sys->info.n);
    s->count = ZN_NEW(int, sys->info.parts);
    s->total = ZN_NEW(int, sys->info.parts);
    s->place = zn_new_array(1, sizeof *s->place * (size_t)sys->layout.nodes + zn_point_grid_bytes(sys->layout.nodes));
    if (!room || !s->near || !s->held || !s->owner || !s->slot || !s->count || !s->total || !s->place)
        return ZN_ERR_MEMORY;
    count_elements(s);
    ZN_TRY(check_words(s));
    find_owners(s);
    ZN_TRY(zn_contact_set_create(sys, &s->set));
    ZN_TRY(zn_contact_set_refresh(s->set, sys, sys->q0, sys->model->start));
    if (s->def->within > 0)
        find_near(s);
    find_held(s);
    choose_all_elements(s);
    ZN_TRY(check_sizes(s));
    ZN_TRY(check_masses(s));
    ZN_TRY(choose_rules(s));
    return create_parts(s, part, count);
}

zn_status multirate_split(const zn_scheme_def *def, const zn_system *sys, multirate_part part[PARTS], int *count)
{
    split     s = {.def = def, .sys = sys, .log = &sys->model->log};
    zn_status status = run(&s, part, count);
    for (int k = 0; k < PARTS; k++) {
        free(s.element[k]);
        free(s.rule[k]);
        free(s.node[k]);
    }
    free(s.near);
    free(s.held);
    free(s.owner);
    free(s.slot);
    free(s.count);
    free(s.total);
    free(s.place);
    zn_contact_set_destroy(s.set);
    return status;
}
