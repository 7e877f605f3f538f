// Which element belongs to which process. See partition.h.
#include "parallel/partition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/sets.h"

// Work, in that of an element (hex8 of linear material). Nodes that may touch others are looked for while elements are
// evaluated; contacts are solved after that, while other processes wait: that cannot be made up for by less elements.
static const double load_work = 1e-6, search_work = 4, solve_work = 30; // solve: of many that are closed together
static const double row_work = 0.2; // with matrices: in products with them, to which all come together

// What stays together: elements, and contacts that several nodes take part in.
typedef struct unit {
    double x[3], weight;
    int    first;    // of its members, which names it
    bool   contacts; // some of them are, which others wait for
} unit;

typedef struct split {
    const zn_system *whole;
    const zn_model  *model;
    zn_partition    *out;
    bool             waits;   // for contacts that one process solves
    int             *cluster; // of nodes: disjoint sets of those that act on each other
    int             *size;    // of each cluster, at its name
    int             *node_of; // n_all: the node of a degree of freedom
    int             *unit;    // of elements, then of the contacts of clusters, by name: disjoint sets
    int             *rank;    // of these, once they are dealt out
    int              last;    // node that was visited before this one; -1: none
    bool             bare;    // a node was visited that has no element
    const bool      *has;     // nodes: some element is there
    // rows of a contact
    int              dof[ZN_CONTACT_ENTRIES];
    double           value[ZN_CONTACT_ROWS][ZN_CONTACT_ENTRIES];
} split;

// --- what acts on each other ---------------------------------------------------------------------

static void visit_node(void *user, int node)
{
    split *s = user;
    if (node < 0)
        return;
    s->bare |= !s->has[node];
    if (s->last >= 0)
        zn_sets_join(s->cluster, s->last, node);
    s->last = node;
}

// The node that a contact of a rule without detection acts on; -2: several, -1: none. `join`: these stay together.
static zn_status visit_contact(split *s, const zn_contact_rule *rule, int number, bool join, int *single)
{
    zn_contact_product product = {.dof = s->dof, .value = s->value[0]};
    for (int r = 1; r < rule->rows; r++)
        product.tangent[r - 1] = s->value[r];
    ZN_ASSERT(rule->ops->max_entries <= ZN_CONTACT_ENTRIES);
    ZN_TRY(rule->ops->evaluate(rule->parameter, &s->whole->layout, (zn_contact_key){.number = number}, s->whole->q0,
                               s->model->start, &product));
    *single = -1;
    for (int e = 0; e < product.entries; e++) {
        int node = s->node_of[s->dof[e]];
        *single = *single == -1 || *single == node ? node : -2;
        s->bare |= !s->has[node];
        if (join)
            visit_node(s, node);
    }
    return ZN_OK;
}

// The nodes of all contacts, if each acts on one only; else *out stays NULL.
static zn_status list_single(split *s, const zn_contact_rule *rule, int **out)
{
    int      *node = ZN_NEW(int, rule->max_contacts);
    zn_status status = node ? ZN_OK : ZN_ERR_MEMORY;
    bool      all = true;
    for (int k = 0; k < rule->max_contacts && status == ZN_OK && all; k++) {
        status = visit_contact(s, rule, k, false, &node[k]);
        all = node[k] >= 0;
    }
    if (status == ZN_OK && all)
        *out = node;
    else
        free(node);
    return status;
}

static zn_status join_rule(split *s, const zn_contact_rule *rule)
{
    int single;
    s->last = -1;
    if (rule->ops->detect)
        rule->ops->visit(rule->parameter, visit_node, s);
    for (int k = 0; !rule->ops->detect && k < rule->max_contacts; k++)
        ZN_TRY(visit_contact(s, rule, k, true, &single));
    return ZN_OK;
}

// Contacts of a rule that each act on one node may go with it. Others, equations, and what is found anew in each step
// stay together.
static zn_status visit_rule(split *s, int r)
{
    const zn_contact_rule *rule = &s->model->rule[r];
    s->last = -1;
    s->bare = false;
    if (!rule->ops->detect && !rule->ops->bilateral && rule->max_contacts > 1)
        ZN_TRY(list_single(s, rule, &s->out->member_of[r]));
    if (!s->out->member_of[r])
        ZN_TRY(join_rule(s, rule));
    s->out->rule[r] = s->last; // so far a node of it
    if (s->bare)
        return zn_fail(&s->model->log, ZN_ERR_UNSUPPORTED,
                       "contact '%s' acts on a node without elements, which no process would have: use one process",
                       rule->name);
    return ZN_OK;
}

// Frames of linear beams move otherwise than those of others. Where both meet, whoever is there must know of both.
static zn_status keep_frames(split *s)
{
    char *kind = ZN_NEW(char, s->model->nodes); // bits
    if (!kind)
        return ZN_ERR_MEMORY;
    for (int g = 0; g < s->model->groups; g++) {
        const zn_element_group *group = &s->model->group[g];
        for (int i = 0; i < group->count * group->ops->nodes; i++)
            if (group->node[i] >= 0 && !group->ops->load)
                kind[group->node[i]] |= group->ops->small_rotations ? 1 : 2;
    }
    for (int i = 0; i < s->model->nodes; i++)
        if (kind[i] == 3 && zn_node_rotates(s->model->node[i].kind))
            s->size[zn_sets_find(s->cluster, i)]++; // more than one: its elements stay together
    free(kind);
    return ZN_OK;
}

static zn_status find_clusters(split *s)
{
    zn_sets_start(s->model->nodes, s->cluster);
    for (int i = 0; i < s->model->nodes; i++)
        for (int slot = 0; slot < 6; slot++)
            if (s->whole->layout.node[i].dof[slot] >= 0)
                s->node_of[s->whole->layout.node[i].dof[slot]] = i;
    for (int r = 0; r < s->model->rules; r++)
        ZN_TRY(visit_rule(s, r));
    for (int i = 0; i < s->model->nodes; i++)
        s->size[zn_sets_find(s->cluster, i)]++;
    return keep_frames(s);
}

// --- units ---------------------------------------------------------------------------------------

// The contacts of a node with others, as a member of a unit; -1: it has none.
static int contacts_of(const split *s, int node)
{
    int name = zn_sets_find(s->cluster, node);
    return s->size[name] > 1 ? s->out->elements + name : -1;
}

// Only points may be without their elements: how a frame moves is known to whoever has those.
static bool is_guest(const split *s, int node) { return !zn_node_rotates(s->model->node[node].kind); }

static void join_elements(split *s)
{
    zn_sets_start(s->out->elements + s->model->nodes, s->unit);
    for (int g = 0, number = 0; g < s->model->groups; g++) {
        const zn_element_group *group = &s->model->group[g];
        for (int e = 0; e < group->count; e++, number++)
            for (int i = 0; i < group->ops->nodes; i++) {
                int node = group->node[e * group->ops->nodes + i];
                if (node >= 0 && contacts_of(s, node) >= 0 && !is_guest(s, node))
                    zn_sets_join(s->unit, contacts_of(s, node), number);
            }
    }
}

// Middle of the nodes of an element.
static zn_vec3 place_of(const zn_model *model, const zn_element_group *group, int e)
{
    zn_vec3 sum = {0, 0, 0};
    int     count = 0;
    for (int i = 0; i < group->ops->nodes; i++) {
        int node = group->node[e * group->ops->nodes + i];
        if (node < 0)
            continue;
        sum = zn_vec3_add(sum, model->node[node].position);
        count++;
    }
    return count > 0 ? zn_vec3_scale(1.0 / count, sum) : sum;
}

typedef struct unit_list {
    int   count, *place; // place: of the unit of each name, from 1 on
    unit *list;
} unit_list;

// One more member of a unit.
static void add_member(split *s, unit_list *u, int member, double weight, zn_vec3 x)
{
    int name = zn_sets_find(s->unit, member);
    if (u->place[name] == 0) {
        u->list[u->count] = (unit){.first = name};
        u->place[name] = ++u->count;
    }
    unit *own = &u->list[u->place[name] - 1];
    own->contacts |= s->waits && member >= s->out->elements;
    own->weight += weight;
    own->x[0] += weight * x.x;
    own->x[1] += weight * x.y;
    own->x[2] += weight * x.z;
}

// Work of a contact as elements are dealt out: those of one process keep all others from a share of their own at most.
static double weight_of_contact(const split *s, int node)
{
    double share = (double)s->out->elements / (s->out->ranks > 1 ? s->out->ranks - 1 : 1);
    return fmin(s->waits ? search_work : row_work, share / s->size[contacts_of(s, node) - s->out->elements]);
}

// Their places, weighted by their work. Returns how many of them have elements.
static int list_units(split *s, unit_list *u)
{
    for (int g = 0, number = 0; g < s->model->groups; g++)
        for (int e = 0; e < s->model->group[g].count; e++, number++)
            add_member(s, u, number, s->model->group[g].ops->load ? load_work : 1,
                       place_of(s->model, &s->model->group[g], e));
    int count = u->count;
    for (int i = 0; i < s->model->nodes; i++)
        if (is_guest(s, i) && contacts_of(s, i) >= 0)
            add_member(s, u, contacts_of(s, i), weight_of_contact(s, i), s->model->node[i].position);
    for (int i = 0; i < u->count; i++)
        for (int k = 0; k < 3; k++)
            u->list[i].x[k] /= u->list[i].weight;
    return count;
}

// --- bisection -----------------------------------------------------------------------------------

// Contacts, each as heavy as many elements, come first, wherever they are: elements fill what is left.
#define COMPARE(axis)                                                                                                  \
    static int compare_##axis(const void *a, const void *b)                                                            \
    {                                                                                                                  \
        const unit *p = a, *q = b;                                                                                     \
        if (p->contacts != q->contacts)                                                                                \
            return p->contacts ? -1 : 1;                                                                               \
        return p->x[axis] != q->x[axis] ? (p->x[axis] > q->x[axis] ? 1 : -1)                                           \
                                        : (p->first > q->first) - (p->first < q->first);                               \
    }
COMPARE(0)
COMPARE(1)
COMPARE(2)

static int longest_side(int count, const unit *list)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int    axis = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], list[i].x[k]);
            high[k] = fmax(high[k], list[i].x[k]);
        }
    for (int k = 1; k < 3; k++) // a little longer is not longer: rounding must not decide
        if (high[k] - low[k] > (1 + 1e-9) * (high[axis] - low[axis]))
            axis = k;
    return axis;
}

// Units of `list` go to processes [first, first + ranks); each gets one at least, as long as there are enough.
static void bisect(int count, unit *list, int first, int ranks, int *rank_of)
{
    static int (*const compare[3])(const void *, const void *) = {compare_0, compare_1, compare_2};
    if (ranks == 1 || count == 0) {
        for (int i = 0; i < count; i++)
            rank_of[list[i].first] = first;
        return;
    }
    int    low = ranks / 2, cut = 0;
    double all = 0, sum = 0;
    qsort(list, (size_t)count, sizeof *list, compare[longest_side(count, list)]);
    for (int i = 0; i < count; i++)
        all += list[i].weight;
    double wanted = all * low / ranks;
    while (cut < count && fabs(sum + list[cut].weight - wanted) <= fabs(sum - wanted))
        sum += list[cut++].weight;
    int most = count - (ranks - low), least = low < count ? low : count;
    cut = cut > most && most >= least ? most : cut < least ? least : cut;
    bisect(cut, list, first, low, rank_of);
    bisect(count - cut, list + cut, first + low, ranks - low, rank_of);
}

static zn_status deal_out(split *s)
{
    zn_partition *out = s->out;
    int           members = out->elements + out->nodes;
    unit_list     u = {.place = ZN_NEW(int, members), .list = ZN_NEW(unit, members)};
    zn_status     status = u.list && u.place ? ZN_OK : ZN_ERR_MEMORY;
    if (status == ZN_OK) {
        int count = list_units(s, &u);
        if (count < out->ranks)
            status = zn_fail(&s->model->log, ZN_ERR_ARGUMENT,
                             "%d processes for %d element%s that may be apart: use at most %d", out->ranks, count,
                             count == 1 ? "" : "s", count);
        else
            bisect(u.count, u.list, 0, out->ranks, s->rank);
    }
    for (int i = 0; i < members && status == ZN_OK; i++)
        s->rank[i] = s->rank[zn_sets_find(s->unit, i)];
    if (status == ZN_OK)
        memcpy(out->rank, s->rank, sizeof *out->rank * (size_t)out->elements);
    free(u.list);
    free(u.place);
    return status;
}

// Elements that are kept together, the most of them.
static int largest_unit(split *s, int *size)
{
    int largest = 0;
    for (int e = 0; e < s->out->elements; e++) {
        int together = ++size[zn_sets_find(s->unit, e)];
        largest = together > largest ? together : largest;
    }
    return largest;
}

// Nodes whose contacts with each other one process has to solve, the most of them.
static int most_contacts(split *s, int *count)
{
    int most = 0;
    for (int i = 0; i < s->out->nodes; i++)
        if (is_guest(s, i) && contacts_of(s, i) >= 0) {
            int own = ++count[s->rank[contacts_of(s, i)]];
            most = own > most ? own : most;
        }
    return most;
}

// Processes wait for the one with most elements, and then for the one with most contacts.
static void tell_balance(split *s)
{
    const zn_partition *out = s->out;
    int                *count = ZN_NEW(int, out->ranks), *contacts = ZN_NEW(int, out->ranks), most = 0;
    int                *size = ZN_NEW(int, out->elements + out->nodes);
    bool                room = count && contacts && size;
    for (int e = 0; room && e < out->elements; e++) {
        int own = ++count[out->rank[e]];
        most = own > most ? own : most;
    }
    int    largest = room ? largest_unit(s, size) : 0, nodes = room ? most_contacts(s, contacts) : 0;
    double mean = (double)out->elements / out->ranks;
    free(count);
    free(contacts);
    free(size);
    if (most > 1.2 * mean && largest > 0.2 * mean)
        zn_log_write(&s->model->log, ZN_LOG_INFO,
                     "one of %d processes has %d of %d elements: contacts or joints keep %d together", out->ranks, most,
                     out->elements, largest);
    if (s->waits && solve_work * nodes > 0.2 * mean)
        zn_log_write(
            &s->model->log, ZN_LOG_INFO,
            "one of %d processes solves the contacts of %d nodes with each other, while the others wait: where "
            "all are closed about %.1f times as long as it takes for its elements, longer with friction",
            out->ranks, nodes, solve_work * nodes / mean);
}

// --- nodes, rules and parts ----------------------------------------------------------------------

// A load goes to the process that keeps its node.
static void place_loads(split *s)
{
    for (int g = 0, number = 0; g < s->model->groups; number += s->model->group[g++].count) {
        const zn_element_group *group = &s->model->group[g];
        for (int e = 0; e < group->count && group->ops->load; e++)
            for (int i = 0; i < group->ops->nodes; i++) {
                int node = group->node[e * group->ops->nodes + i];
                if (node >= 0 && s->out->keeper[node] >= 0) {
                    s->out->rank[number + e] = s->out->keeper[node];
                    break;
                }
            }
    }
}

// Whoever has the contacts of a node with others owns it, with or without elements there.
static void give_to_contacts(split *s)
{
    zn_partition *out = s->out;
    for (int i = 0; i < out->nodes; i++) {
        if (contacts_of(s, i) < 0 || out->owner[i] < 0)
            continue;
        int rank = s->rank[contacts_of(s, i)];
        out->shared[i] |= out->owner[i] != rank;
        out->owner[i] = rank;
    }
}

static void find_owners(split *s, bool loads)
{
    zn_partition *out = s->out;
    for (int g = 0, number = 0; g < s->model->groups; g++) {
        const zn_element_group *group = &s->model->group[g];
        for (int e = 0; e < group->count; e++, number++)
            for (int i = 0; i < group->ops->nodes && !(group->ops->load && !loads); i++) {
                int node = group->node[e * group->ops->nodes + i], rank = out->rank[number];
                if (node < 0)
                    continue;
                out->shared[node] |= out->keeper[node] >= 0 && out->keeper[node] != rank;
                if (out->keeper[node] < 0 || (rank < out->keeper[node] && !group->ops->load))
                    out->keeper[node] = rank;
            }
    }
    memcpy(out->owner, out->keeper, sizeof *out->owner * (size_t)out->nodes);
    give_to_contacts(s);
}

// Shared degrees of freedom of each owner by node and place: all processes know them without asking.
static void number_shared(split *s)
{
    zn_partition *out = s->out;
    for (int i = 0; i < out->nodes; i++) {
        out->number[i] = out->shared[i] ? out->roots[out->owner[i]] : -1;
        for (int slot = 0; out->shared[i] && slot < 6; slot++)
            out->roots[out->owner[i]] += zn_node_has(s->model->node[i].kind, slot);
    }
}

static void find_parts(split *s)
{
    zn_partition *out = s->out;
    for (int i = 0; i < s->model->parts; i++)
        out->part[i] = -2; // nobody has it
    for (int g = 0, number = 0; g < s->model->groups; g++)
        for (int e = 0; e < s->model->group[g].count; e++, number++) {
            int *of = &out->part[s->model->group[g].part[e]];
            *of = *of == -2 || *of == out->rank[number] ? out->rank[number] : ZN_SCATTERED;
        }
}

static void place_rules(split *s)
{
    for (int r = 0; r < s->model->rules; r++) {
        int node = s->out->rule[r];
        s->out->rule[r] = s->out->member_of[r] ? ZN_SCATTERED : node >= 0 ? s->out->owner[node] : 0;
    }
}

// One more of the nodes that a process has, which had all before it.
static void count_node(int *has, int rank, int before)
{
    if (rank >= 0 && has[rank] == before)
        has[rank]++;
}

zn_status zn_partition_holder(const zn_partition *p, const zn_model *model, int count, const int *node, int *rank)
{
    int *has = ZN_NEW(int, p->ranks), all = 0; // of the nodes so far
    if (!has)
        return ZN_ERR_MEMORY;
    for (int k = 0; k < count; k++) {
        if (node[k] < 0)
            continue;
        count_node(has, p->owner[node[k]], all);
        for (int g = 0, number = 0; g < model->groups; number += model->group[g++].count)
            for (int i = 0; i < model->group[g].count * model->group[g].ops->nodes; i++)
                if (model->group[g].node[i] == node[k])
                    count_node(has, p->rank[number + i / model->group[g].ops->nodes], all);
        all++;
    }
    *rank = 0;
    while (*rank < p->ranks && has[*rank] < all)
        ++*rank;
    *rank = *rank < p->ranks ? *rank : -1;
    free(has);
    return ZN_OK;
}

// --- life ----------------------------------------------------------------------------------------

static bool *list_used(const zn_model *model)
{
    bool *used = ZN_NEW(bool, model->nodes);
    for (int g = 0; used && g < model->groups; g++)
        for (int i = 0; i < model->group[g].count * model->group[g].ops->nodes; i++)
            if (model->group[g].node[i] >= 0)
                used[model->group[g].node[i]] = true;
    return used;
}

static zn_status fill(split *s)
{
    ZN_TRY(find_clusters(s));
    join_elements(s);
    ZN_TRY(deal_out(s));
    tell_balance(s);
    for (int i = 0; i < s->model->nodes; i++)
        s->out->keeper[i] = -1;
    find_owners(s, false);
    place_loads(s);
    find_owners(s, true);
    number_shared(s);
    place_rules(s);
    find_parts(s);
    return ZN_OK;
}

zn_status zn_partition_create(const zn_system *whole, int ranks, bool waits, zn_partition *out)
{
    const zn_model *model = whole->model;
    zn_partition    p = {.ranks = ranks, .nodes = model->nodes, .rules = model->rules};
    for (int g = 0; g < model->groups; g++)
        p.elements += model->group[g].count;
    p.rank = ZN_NEW(int, p.elements);
    p.owner = ZN_NEW(int, p.nodes);
    p.keeper = ZN_NEW(int, p.nodes);
    p.shared = ZN_NEW(bool, p.nodes);
    p.number = ZN_NEW(int, p.nodes);
    p.roots = ZN_NEW(int, ranks);
    p.rule = ZN_NEW(int, p.rules);
    p.member_of = ZN_NEW(int *, p.rules);
    p.part = ZN_NEW(int, model->parts);
    split s = {.whole = whole,
               .model = model,
               .out = &p,
               .waits = waits,
               .cluster = ZN_NEW(int, p.nodes),
               .size = ZN_NEW(int, p.nodes),
               .node_of = ZN_NEW(int, whole->info.n_all),
               .unit = ZN_NEW(int, p.elements + p.nodes),
               .rank = ZN_NEW(int, p.elements + p.nodes),
               .has = list_used(model)};
    bool  room = p.rank && p.owner && p.keeper && p.shared && p.number && p.roots && p.rule && p.member_of && p.part &&
                s.cluster && s.size && s.node_of && s.unit && s.rank && s.has;
    zn_status status = room ? fill(&s) : ZN_ERR_MEMORY;
    free(s.cluster);
    free(s.size);
    free(s.node_of);
    free(s.unit);
    free(s.rank);
    free((void *)s.has);
    if (status != ZN_OK)
        zn_partition_destroy(&p);
    else
        *out = p;
    return status;
}

void zn_partition_destroy(zn_partition *p)
{
    for (int i = 0; p->member_of && i < p->rules; i++)
        free(p->member_of[i]);
    free(p->rank);
    free(p->owner);
    free(p->keeper);
    free(p->shared);
    free(p->number);
    free(p->roots);
    free(p->rule);
    free(p->member_of);
    free(p->part);
    *p = (zn_partition){0};
}
