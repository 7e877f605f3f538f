// Which element, contact and joint belongs to the fine part, which to the coarse one.
//
// Elements: those of the named bodies and parts, and those with all nodes within a distance of a contact, are fine. Loads go
// with the mass of their node. Contacts must act in the fine part and away from the interface, where the links alone
// decide about velocities; so must joints.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "scheme/multirate.h"

typedef struct split {
    const zn_scheme_def *def;
    const zn_system     *sys;
    const zn_log        *log;
    bool                *element[PARTS]; // of all elements, block after block
    bool                *rule[PARTS];
    bool                *node[PARTS]; // nodes that elements with mass use
    bool                *near;        // nodes within the distance of a contact
    zn_contact_set      *set;
    int                 *owner; // of degrees of freedom: node
    int                 *count; // of elements seen of each part
} split;

// --- elements ------------------------------------------------------------------------------------

// A word of the list `fine`: a body or part, or some elements of a part, "beam[10:30]" (from the 10th up to the 29th).
typedef struct word {
    int    part; // -1: there is no such part
    int    first, end;
    size_t length; // in the list
} word;

static word read_word(const split *s, const char *text)
{
    word   w = {.part = -1, .end = INT_MAX, .length = strcspn(text, ", ")};
    size_t name = strcspn(text, ", [");
    int    used = 0;
    if (name < w.length && (sscanf(text + name, "[%d:%d]%n", &w.first, &w.end, &used) != 2 || used != (int)(w.length - name)))
        return w;
    for (int i = 0; i < s->sys->info.parts && w.part < 0; i++)
        if (strlen(s->sys->model->part_name[i]) == name && strncmp(text, s->sys->model->part_name[i], name) == 0)
            w.part = i;
    return w;
}

// Is element number `index` of this part in the list?
static bool is_listed(const split *s, int part, int index)
{
    for (const char *p = s->def->fine + strspn(s->def->fine, ", "); *p; p += strspn(p, ", ")) {
        word w = read_word(s, p);
        if (w.part == part && index >= w.first && index < w.end)
            return true;
        p += w.length;
    }
    return false;
}

static zn_status check_words(const split *s)
{
    if (!s->def->fine)
        return ZN_OK;
    for (const char *p = s->def->fine + strspn(s->def->fine, ", "); *p; p += strspn(p, ", ")) {
        word w = read_word(s, p);
        if (w.part < 0)
            return zn_fail(s->log, ZN_ERR_ARGUMENT, "multirate: fine: there is no body or part '%.*s'; names, or elements "
                           "as in beam[10:30], are separated by blanks or commas", (int)w.length, p);
        p += w.length;
    }
    return ZN_OK;
}

static zn_vec3 position(const split *s, int node) { return s->sys->model->node[node].position; }

// Nodes within the distance of a node that a contact acts on.
static void find_near(split *s)
{
    const zn_contact_set *set = s->set;
    for (int i = 0; i < set->count && s->def->within > 0; i++) {
        if (set->bilateral[i])
            continue;
        for (int e = set->row_start[i * set->stride]; e < set->row_start[i * set->stride + 1]; e++) {
            zn_vec3 x = position(s, s->owner[set->row_dof[e]]);
            for (int n = 0; n < s->sys->layout.nodes; n++)
                s->near[n] |= zn_vec3_norm(zn_vec3_sub(position(s, n), x)) <= s->def->within * (1 + 1e-9);
        }
    }
}

static bool is_fine(const split *s, const zn_element_block *b, int e)
{
    bool fine = s->def->fine && b->part[e] >= 0 && is_listed(s, b->part[e], s->count[b->part[e]]++);
    bool near = true;
    for (int i = 0; i < b->ops->nodes; i++)
        near = near && (b->node[e * b->ops->nodes + i] < 0 || s->near[b->node[e * b->ops->nodes + i]]);
    return fine || near;
}

static void choose_elements(split *s)
{
    for (int pass = 0; pass < 2; pass++) // masses decide about their nodes, loads follow
        for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count) {
            const zn_element_block *b = &s->sys->block[g];
            if (b->ops->load != (pass == 1))
                continue;
            for (int e = 0; e < b->count; e++) {
                int  node = b->node[e * b->ops->nodes];
                bool fine = pass == 0 ? is_fine(s, b, e) : node >= 0 && s->node[FINE][node];
                int  which = fine ? FINE : COARSE;
                s->element[which][first + e] = true;
                for (int i = 0; i < b->ops->nodes && b->ops->inertia; i++)
                    if (b->node[e * b->ops->nodes + i] >= 0)
                        s->node[which][b->node[e * b->ops->nodes + i]] = true;
            }
        }
}

// --- contacts and joints -------------------------------------------------------------------------

static zn_status choose_contact(split *s, int i)
{
    const zn_contact_set  *set = s->set;
    const zn_contact_rule *rule = &s->sys->model->rule[set->id[i] >> 32];
    const char            *what = rule->ops->bilateral ? "joint" : "contact";
    for (int e = set->row_start[i * set->stride]; e < set->row_start[(i + 1) * set->stride]; e++) {
        int  node = s->owner[set->row_dof[e]];
        char name[80];
        if (s->node[COARSE][node])
            return zn_fail(s->log, ZN_ERR_UNSUPPORTED, "multirate: %s '%s' acts on node '%s', which is %s; %ss belong in "
                           "the fine part, away from the interface", what, rule->name,
                           zn_model_node_name(s->sys->model, node, name, sizeof name),
                           s->node[FINE][node] ? "on the interface" : "in the coarse part", what);
    }
    s->rule[FINE][set->id[i] >> 32] = true;
    return ZN_OK;
}

static zn_status choose_rules(split *s)
{
    for (int i = 0; i < s->sys->model->rules; i++)
        if (s->sys->model->rule[i].ops->detect)
            return zn_fail(s->log, ZN_ERR_UNSUPPORTED, "multirate: contact '%s' finds its partners as they move, so it "
                           "cannot be assigned to a part", s->sys->model->rule[i].name);
    for (int i = 0; i < s->set->count; i++)
        ZN_TRY(choose_contact(s, i));
    return ZN_OK;
}

// --- parts ---------------------------------------------------------------------------------------

static zn_status check_linear(const split *s, const zn_system *coarse)
{
    for (int g = 0; g < coarse->blocks; g++) {
        const zn_element_block *b = &coarse->block[g];
        if (b->count > 0 && b->ops->linear && !b->ops->linear(b))
            return zn_fail(s->log, ZN_ERR_UNSUPPORTED, "multirate: the coarse part must be linear, '%s' is not; make it "
                           "fine, or use bars or linear beams and solids",
                           b->part[0] >= 0 ? s->sys->model->part_name[b->part[0]] : b->ops->name);
    }
    return ZN_OK;
}

static zn_status check_sizes(const split *s)
{
    static const char *const name[PARTS] = {"fine", "coarse"};
    for (int k = 0; k < PARTS; k++) {
        int count = 0;
        for (int e = 0; e < s->sys->info.elements; e++)
            count += s->element[k][e];
        if (count == 0)
            return zn_fail(s->log, ZN_ERR_ARGUMENT, "multirate: the %s part has no elements; %s", name[k],
                           k == FINE ? "name bodies or parts in 'fine', or a distance from the contacts in 'within'"
                                     : "then cd_lagrange alone does it");
    }
    return ZN_OK;
}

// A node of an element without mass, of a spring say, must have mass in the same part.
static zn_status check_masses(const split *s)
{
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count) {
        const zn_element_block *b = &s->sys->block[g];
        for (int i = 0; i < b->count * b->ops->nodes; i++) {
            int  which = s->element[FINE][first + i / b->ops->nodes] ? FINE : COARSE;
            char name[80];
            if (b->node[i] >= 0 && !s->node[which][b->node[i]])
                return zn_fail(s->log, ZN_ERR_MODEL, "multirate: node '%s' has no mass in the %s part; '%s' belongs in the other",
                               zn_model_node_name(s->sys->model, b->node[i], name, sizeof name),
                               which == FINE ? "fine" : "coarse",
                               b->part[i / b->ops->nodes] >= 0 ? s->sys->model->part_name[b->part[i / b->ops->nodes]] : b->ops->name);
        }
    }
    return ZN_OK;
}

static zn_status create_parts(split *s, multirate_part part[PARTS])
{
    for (int k = 0; k < PARTS; k++) {
        ZN_TRY(zn_part_create(s->sys, s->element[k], s->rule[k], &part[k].part));
        ZN_TRY(zn_state_create(part[k].part.sys, &part[k].state));
    }
    return check_linear(s, part[COARSE].part.sys);
}

// Degrees of freedom that both parts move.
static zn_status find_links(split *s, multirate_part part[PARTS], int *count)
{
    const zn_layout *layout[PARTS] = {&part[FINE].part.sys->layout, &part[COARSE].part.sys->layout};
    int              n[PARTS] = {part[FINE].part.sys->info.n, part[COARSE].part.sys->info.n}, links = 0;
    for (int k = 0; k < PARTS; k++) {
        part[k].dof = ZN_NEW(int, n[FINE]);
        part[k].force = ZN_NEW(double, n[FINE]);
        if (!part[k].dof || !part[k].force)
            return ZN_ERR_MEMORY;
    }
    for (int i = 0; i < s->sys->layout.nodes; i++)
        for (int slot = 0; slot < 6; slot++) {
            int a = layout[FINE]->node[i].dof[slot], b = layout[COARSE]->node[i].dof[slot];
            if (a < 0 || b < 0 || a >= n[FINE] || b >= n[COARSE])
                continue; // fixed ones need no link
            part[FINE].dof[links] = a;
            part[COARSE].dof[links++] = b;
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
    s->owner = ZN_NEW(int, sys->info.n_all);
    s->count = ZN_NEW(int, sys->info.parts);
    if (!room || !s->near || !s->owner || !s->count)
        return ZN_ERR_MEMORY;
    ZN_TRY(check_words(s));
    find_owners(s);
    ZN_TRY(zn_contact_set_create(sys, &s->set));
    ZN_TRY(zn_contact_set_refresh(s->set, sys, sys->q0, sys->model->start));
    find_near(s);
    choose_elements(s);
    ZN_TRY(check_sizes(s));
    ZN_TRY(check_masses(s));
    ZN_TRY(choose_rules(s));
    ZN_TRY(create_parts(s, part));
    return find_links(s, part, count);
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
    free(s.owner);
    free(s.count);
    zn_contact_set_destroy(s.set);
    return status;
}
