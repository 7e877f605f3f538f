// Which element belongs to which level.
//
// Each element has a step it would bear by itself, h_e = 2/w_e with its own mass (critical.h). With H the step of the
// scheme an element of level k takes steps H/2^k <= h_e; H is the one with the least work per time, sum_e 2^k / H.
// Elements that must step together are one group, with the smallest step of all: those at a node where one of them has
// no mass of its own (springs), at a frame in space that turns, and all that contacts and joints act on. So contacts
// live on one level, that of the stiffest element they may touch, and never between levels. Around small elements the
// levels go down one by one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/sets.h"
#include "scheme/levels.h"
#include "zn/math.h"

typedef struct split {
    const zn_system *sys;
    const zn_log    *log;
    int              most;
    double          *stiffness, *damping; // of each element: eigenvalues
    double          *step;                // of each element, then of its group
    double          *sorted;
    double          *memory;         // of these
    bool            *shared;         // n_all
    int             *group;          // elements: disjoint sets
    int             *first;          // nodes: an element there whose group is that of all; -1: none so far
    bool            *together;       // nodes whose elements step together
    int             *exponent;       // of each element
    unsigned        *present;        // nodes: bits of the levels with mass there
    int             *owner;          // n_all: node
    int              touched;        // an element that contacts act on; -1: none so far
    bool            *contact;        // nodes that contacts and joints may act on
    bool            *element, *rule; // of the level that is made
    zn_contact_set  *set;
} split;

// --- groups --------------------------------------------------------------------------------------

static void mark_contact(void *user, int node) { ((split *)user)->contact[node] = true; }

static zn_status find_contacts(split *s)
{
    const zn_model *model = s->sys->model;
    ZN_TRY(zn_contact_set_create(s->sys, &s->set));
    ZN_TRY(zn_contact_set_refresh(s->set, s->sys, s->sys->q0, model->start));
    for (int i = 0; i < model->rules; i++)
        if (model->rule[i].ops->detect)
            model->rule[i].ops->visit(model->rule[i].parameter, mark_contact, s);
    for (int e = 0; e < s->set->row_start[s->set->count * s->set->stride]; e++)
        s->contact[s->owner[s->set->row_dof[e]]] = true;
    return ZN_OK;
}

static void find_together(split *s)
{
    const zn_layout *layout = &s->sys->layout;
    for (int i = 0; i < layout->nodes; i++) {
        const zn_layout_node *node = &layout->node[i];
        s->together[i] = s->contact[i] || (node->kind == ZN_FRAME3 && !node->small);
        s->first[i] = -1;
        for (int slot = 0; slot < 6; slot++)
            s->together[i] |= node->dof[slot] >= 0 && s->shared[node->dof[slot]];
    }
}

static void join_element(split *s, const zn_element_block *b, int e, int number)
{
    for (int i = 0; i < b->ops->nodes; i++) {
        int node = b->node[e * b->ops->nodes + i];
        if (node < 0 || !s->together[node])
            continue;
        if (s->first[node] >= 0)
            zn_sets_join(s->group, s->first[node], number);
        s->first[node] = number;
        if (s->contact[node] && s->touched >= 0)
            zn_sets_join(s->group, s->touched, number);
        if (s->contact[node])
            s->touched = number;
    }
}

// The smallest step of all members, for each of them.
static void find_groups(split *s)
{
    int elements = s->sys->info.elements;
    zn_sets_start(elements, s->group);
    s->touched = -1;
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count)
        for (int e = 0; e < s->sys->block[g].count && !s->sys->block[g].ops->load; e++)
            join_element(s, &s->sys->block[g], e, first + e);
    for (int e = 0; e < elements; e++) {
        int name = zn_sets_find(s->group, e);
        s->step[name] = fmin(s->step[name], s->step[e]);
    }
    for (int e = 0; e < elements; e++)
        s->step[e] = s->step[zn_sets_find(s->group, e)];
}

// --- levels --------------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int exponent_of(double H, double step)
{
    double exponent = ceil(zn_log2(H / step) - 1e-9);
    return exponent > 0 ? (int)exponent : 0;
}

// Elements per time, sum_e 2^k / H: count[j] elements have the step step[j], ascending.
static double cost_of(double H, int count, const double *step)
{
    double sum = 0;
    for (int i = 0; i < count;) { // all of one level at once: steps up to H / 2^(k - 1)
        int k = exponent_of(H, step[i]), low = i, high = count;
        while (low + 1 < high) {
            int middle = low + (high - low) / 2;
            *(exponent_of(H, step[middle]) == k ? &low : &high) = middle;
        }
        sum += ldexp(high - i, k);
        i = high;
    }
    return sum / H;
}

// The step of the scheme: that of some element, or 2^j times the smallest, whichever is least work. Levels must save a
// tenth.
static double choose_coarsest(split *s)
{
    enum { TRIALS = 128 };
    int count = 0;
    for (int e = 0; e < s->sys->info.elements; e++)
        if (isfinite(s->step[e]))
            s->sorted[count++] = s->step[e];
    if (count == 0)
        return INFINITY;
    qsort(s->sorted, (size_t)count, sizeof *s->sorted, compare);
    double least = s->sorted[0], best = least, cost = 0.9 * count / least;
    for (int i = 0; i < TRIALS + LEVELS_MOST; i++) {
        double H = i < TRIALS ? s->sorted[(size_t)count * (size_t)i / TRIALS] : ldexp(least, i - TRIALS);
        H = i == TRIALS ? s->sorted[count - 1] : H;
        double own = cost_of(H, count, s->sorted);
        if (exponent_of(H, least) < s->most && own < cost) {
            cost = own;
            best = H;
        }
    }
    return best;
}

// Members of a group have the exponent of the finest.
static void raise_groups(split *s)
{
    for (int pass = 0; pass < 2; pass++)
        for (int e = 0; e < s->sys->info.elements; e++) {
            int name = zn_sets_find(s->group, e), *to = &s->exponent[pass == 0 ? name : e];
            int from = s->exponent[pass == 0 ? e : name];
            *to = from > *to ? from : *to;
        }
}

// Elements at a node of one with this exponent get at least the one before.
static void raise_neighbours(split *s, int exponent)
{
    memset(s->present, 0, sizeof *s->present * (size_t)s->sys->layout.nodes);
    for (int pass = 0; pass < 2; pass++)
        for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count) {
            const zn_element_block *b = &s->sys->block[g];
            for (int e = 0; e < b->count && !b->ops->load; e++)
                for (int i = 0; i < b->ops->nodes; i++) {
                    int  node = b->node[e * b->ops->nodes + i];
                    int *own = &s->exponent[first + e];
                    if (node >= 0 && pass == 0 && *own >= exponent)
                        s->present[node] = 1;
                    if (node >= 0 && pass == 1 && s->present[node] && *own < exponent - 1)
                        *own = exponent - 1;
                }
        }
    raise_groups(s);
}

// Levels that meet differ by one: a wave that the coarse elements carry is smooth in their steps. With longer jumps
// an impact loses a hundredth of its momentum there, so a few millionths.
static void grade(split *s)
{
    int top = 0;
    for (int e = 0; e < s->sys->info.elements; e++)
        top = s->exponent[e] > top ? s->exponent[e] : top;
    for (int k = top; k > 1; k--)
        raise_neighbours(s, k);
    memset(s->present, 0, sizeof *s->present * (size_t)s->sys->layout.nodes);
}

// --- parts ---------------------------------------------------------------------------------------

static void note_mass(split *s, int index, int exponent)
{
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count) {
        const zn_element_block *b = &s->sys->block[g];
        for (int e = 0; e < b->count && b->ops->inertia && !b->ops->load; e++)
            for (int i = 0; i < b->ops->nodes && s->exponent[first + e] == exponent; i++)
                if (b->node[e * b->ops->nodes + i] >= 0)
                    s->present[b->node[e * b->ops->nodes + i]] |= 1U << index;
    }
}

// A load goes to the finest level that has all its nodes.
static zn_status place_load(const split *s, const zn_element_block *b, int e, int *out)
{
    unsigned common = ~0U;
    char     name[80];
    int      culprit = -1;
    for (int i = 0; i < b->ops->nodes; i++)
        if (b->node[e * b->ops->nodes + i] >= 0) {
            culprit = b->node[e * b->ops->nodes + i];
            common &= s->present[culprit];
        }
    for (*out = culprit < 0 ? 0 : LEVELS_MOST - 1; culprit >= 0 && *out > 0 && !(common >> *out & 1);)
        --*out;
    if (culprit < 0 || (common & 1U << *out))
        return ZN_OK;
    return zn_fail(s->log, ZN_ERR_UNSUPPORTED,
                   "cd_lagrange: levels: the load '%s' acts on nodes of several levels, '%s' "
                   "among them",
                   b->part[e] >= 0 ? s->sys->model->part_name[b->part[e]] : b->ops->name,
                   zn_model_node_name(s->sys->model, culprit, name, sizeof name));
}

static zn_status choose_members(split *s, const levels_parts *p, int index, int *count)
{
    *count = 0;
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count) {
        const zn_element_block *b = &s->sys->block[g];
        for (int e = 0; e < b->count; e++) {
            int owner = 0;
            if (b->ops->load)
                ZN_TRY(place_load(s, b, e, &owner));
            s->element[first + e] = b->ops->load ? owner == index : s->exponent[first + e] == p->level[index].exponent;
            *count += s->element[first + e] && !b->ops->load;
        }
    }
    return ZN_OK;
}

static zn_status create_level(split *s, levels_parts *p, int index)
{
    level *own = &p->level[index];
    ZN_TRY(choose_members(s, p, index, &own->elements));
    for (int i = 0; i < s->sys->model->rules; i++)
        s->rule[i] = index == p->contacts;
    ZN_TRY(zn_subsystem_create(s->sys, s->element, s->rule, (zn_leading){0, NULL}, &own->part));
    return zn_state_create(own->part.sys, &own->state);
}

// Degrees of freedom that several levels move, and which of each.
static zn_status create_links(split *s, levels_parts *p)
{
    const zn_layout *layout = &s->sys->layout;
    for (int pass = 0; pass < 2; pass++) {
        p->knots = 0;
        for (int k = 0; k < p->count; k++)
            p->level[k].links = 0;
        for (int i = 0; i < layout->nodes; i++)
            for (int slot = 0; slot < 6 && (s->present[i] & (s->present[i] - 1)); slot++) {
                int dof = layout->node[i].dof[slot];
                if (dof < 0 || dof >= s->sys->info.n)
                    continue;
                for (int k = 0; k < p->count; k++) {
                    level *own = &p->level[k];
                    if (!(s->present[i] >> k & 1))
                        continue;
                    if (pass == 1) {
                        own->dof[own->links] = own->part.sys->layout.node[i].dof[slot];
                        own->knot[own->links] = p->knots;
                        p->finest[p->knots] = k;
                    }
                    own->links++;
                }
                p->knots++;
            }
        for (int k = 0; k < p->count && pass == 0; k++) {
            p->level[k].dof = ZN_NEW(int, p->level[k].links);
            p->level[k].knot = ZN_NEW(int, p->level[k].links);
            if (!p->level[k].dof || !p->level[k].knot)
                return ZN_ERR_MEMORY;
        }
        if (pass == 0 && !(p->finest = ZN_NEW(int, p->knots)))
            return ZN_ERR_MEMORY;
    }
    return ZN_OK;
}

// The longest step of each level, from the largest eigenvalues of its elements, and of the scheme.
static void find_critical(split *s, levels_parts *p)
{
    double stiffness[LEVELS_MOST] = {0}, damping[LEVELS_MOST] = {0};
    p->critical = INFINITY;
    for (int e = 0; e < s->sys->info.elements; e++) {
        stiffness[s->exponent[e]] = fmax(stiffness[s->exponent[e]], s->stiffness[e]);
        damping[s->exponent[e]] = fmax(damping[s->exponent[e]], s->damping[e]);
    }
    for (int k = 0; k < p->count; k++) {
        level *own = &p->level[k];
        double w = sqrt(stiffness[own->exponent]), c = damping[own->exponent];
        own->critical = (zn_critical){zn_critical_step_of(w, c), w, c, NULL};
        p->critical = fmin(p->critical, ldexp(own->critical.step, own->exponent));
    }
}

// The levels there are, from the exponents of the elements.
static void list_levels(split *s, levels_parts *p)
{
    bool there[LEVELS_MOST] = {false};
    for (int g = 0, first = 0; g < s->sys->blocks; first += s->sys->block[g++].count)
        for (int e = 0; e < s->sys->block[g].count && !s->sys->block[g].ops->load; e++)
            there[s->exponent[first + e]] = true;
    for (int k = 0; k < LEVELS_MOST; k++)
        if (there[k])
            p->level[p->count++].exponent = k;
    for (int k = 0; k < p->count; k++) {
        note_mass(s, k, p->level[k].exponent);
        if (s->touched >= 0 && s->exponent[s->touched] == p->level[k].exponent)
            p->contacts = k;
    }
}

// --- all -----------------------------------------------------------------------------------------

static zn_status find_steps(split *s)
{
    zn_critical_search *search = NULL;
    ZN_TRY(zn_critical_search_create(s->sys, "cd_lagrange", &search));
    zn_at     at = {s->sys->q0, s->sys->v0, s->sys->model->start, 0};
    zn_status status = zn_critical_search_elements(search, at, s->stiffness, s->damping, s->shared);
    zn_critical_search_destroy(search);
    for (int e = 0; e < s->sys->info.elements; e++)
        s->step[e] = zn_critical_step_of(sqrt(s->stiffness[e]), s->damping[e]);
    return status;
}

static zn_status allocate(split *s)
{
    size_t         elements = (size_t)s->sys->info.elements, nodes = (size_t)s->sys->layout.nodes;
    double **const vector[] = {&s->stiffness, &s->damping, &s->step, &s->sorted};
    s->memory = zn_new_vectors(sizeof vector / sizeof *vector, vector, elements);
    s->shared = ZN_NEW(bool, s->sys->info.n_all);
    s->group = ZN_NEW(int, elements);
    s->exponent = ZN_NEW(int, elements);
    s->element = ZN_NEW(bool, elements);
    s->rule = ZN_NEW(bool, s->sys->model->rules);
    s->first = ZN_NEW(int, nodes);
    s->together = ZN_NEW(bool, nodes);
    s->contact = ZN_NEW(bool, nodes);
    s->present = ZN_NEW(unsigned, nodes);
    s->owner = ZN_NEW(int, s->sys->info.n_all);
    return s->memory && s->shared && s->group && s->exponent && s->element && s->rule && s->first && s->together &&
                   s->contact && s->present && s->owner
               ? ZN_OK
               : ZN_ERR_MEMORY;
}

static zn_status run(split *s, levels_parts *p)
{
    ZN_TRY(allocate(s));
    for (int i = 0; i < s->sys->layout.nodes; i++)
        for (int slot = 0; slot < 6; slot++)
            if (s->sys->layout.node[i].dof[slot] >= 0)
                s->owner[s->sys->layout.node[i].dof[slot]] = i;
    ZN_TRY(find_contacts(s));
    ZN_TRY(find_steps(s));
    find_together(s);
    find_groups(s);
    double H = choose_coarsest(s);
    for (int e = 0; e < s->sys->info.elements; e++)
        s->exponent[e] = exponent_of(H, s->step[e]);
    grade(s);
    list_levels(s, p);
    find_critical(s, p);
    for (int k = 0; k < p->count && p->count > 1; k++)
        ZN_TRY(create_level(s, p, k));
    return p->count > 1 ? create_links(s, p) : ZN_OK;
}

zn_status levels_split(const zn_system *sys, int most, levels_parts *out)
{
    split s = {.sys = sys, .log = &sys->model->log, .most = most};
    *out = (levels_parts){0};
    zn_status status = run(&s, out);
    if (status != ZN_OK)
        levels_parts_destroy(out);
    void *own[] = {s.memory,  s.shared,  s.group, s.first,   s.together, s.exponent,
                   s.present, s.contact, s.owner, s.element, s.rule};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
    zn_contact_set_destroy(s.set);
    return status;
}

void levels_parts_destroy(levels_parts *p)
{
    for (int k = 0; k < p->count; k++) {
        level *own = &p->level[k];
        if (own->self)
            zn_cd_lagrange_ops.destroy(own->self);
        zn_state_destroy(own->state);
        zn_subsystem_destroy(&own->part);
        zn_contact_set_destroy(own->kept_contacts);
        free(own->dof);
        free(own->knot);
        free(own->memory);
        free(own->kept);
    }
    free(p->finest);
    *p = (levels_parts){0};
}

int levels_most(const char *word) { return strcmp(word, "auto") == 0 ? LEVELS_MOST : atoi(word); }
