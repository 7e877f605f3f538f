// Shares of a pile. See pile_split.h.
#include "parallel/pile_split.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

// --- life ----------------------------------------------------------------------------------------

zn_status zn_pile_split_create(int ranks, int rank, int nodes, zn_pile_split *out)
{
    ZN_ASSERT(ranks > 1 && rank >= 0 && rank < ranks);
    *out = (zn_pile_split){.ranks = ranks,
                           .rank = rank,
                           .nodes = nodes,
                           .owner = ZN_NEW(int, nodes),
                           .first_at = ZN_NEW(int, nodes),
                           .begin = ZN_NEW(int, ranks + 1),
                           .border = ZN_NEW(int, ranks),
                           .colour = ZN_NEW(int, ranks),
                           .meets = ZN_NEW(bool, (size_t)ranks *(size_t)ranks),
                           .neighbour = ZN_NEW(zn_pile_neighbour, ranks)};
    return out->owner && out->first_at && out->begin && out->border && out->colour && out->meets && out->neighbour
               ? ZN_OK
               : ZN_ERR_MEMORY;
}

void zn_pile_split_destroy(zn_pile_split *s)
{
    free(s->node);
    free(s->owner);
    free(s->first_at);
    free(s->at);
    free(s->body);
    free(s->order);
    free(s->begin);
    free(s->border);
    free(s->colour);
    free(s->meets);
    free(s->contact);
    free(s->neighbour);
    free(s->sent);
    *s = (zn_pile_split){0};
}

static zn_status reserve(zn_pile_split *s, int contacts)
{
    int same[3] = {2 * s->capacity, s->capacity, s->capacity};
    ZN_TRY(zn_grow(&s->node, &same[0], 2 * contacts, sizeof *s->node));
    ZN_TRY(zn_grow(&s->order, &same[1], contacts, sizeof *s->order));
    ZN_TRY(zn_grow(&s->contact, &same[2], contacts, sizeof *s->contact));
    s->capacity = same[1] < same[2] ? same[1] : same[2];
    s->capacity = 2 * s->capacity > same[0] ? same[0] / 2 : s->capacity;
    ZN_TRY(zn_grow(&s->at, &s->at_capacity, 2 * contacts, sizeof *s->at));
    return zn_grow(&s->body, &s->body_capacity, s->nodes, sizeof *s->body);
}

// --- bodies --------------------------------------------------------------------------------------

// The nodes that the rows of contact c move; false: there are more than two.
static bool find_nodes(const zn_pile_task *task, int c, int *node)
{
    const zn_rows *G = &task->G;
    node[0] = node[1] = -1;
    for (int k = task->list->first[c]; k < task->list->first[c + 1]; k++)
        for (int row = task->list->row[k], e = G->start[row]; e < G->start[row + 1]; e++) {
            if (G->dof[e] >= task->blocks->n || G->value[e] == 0)
                continue;
            int one = task->blocks->node[G->dof[e]];
            if (one == node[0] || one == node[1])
                continue;
            if (node[1] >= 0)
                return false;
            node[node[0] >= 0] = one;
        }
    if (node[1] >= 0 && node[1] < node[0]) {
        int higher = node[0];
        node[0] = node[1];
        node[1] = higher;
    }
    return true;
}

static void add_body(zn_pile_split *s, const zn_pile_task *task, int node)
{
    const zn_layout_node *place = &task->sys->layout.node[node];
    const double         *q = task->q + place->q;
    int                   size = zn_node_dimension(place->kind);
    s->owner[node] = s->bodies;
    s->body[s->bodies++] = (zn_pile_body){
        {place->origin.x + q[0], size > 1 ? place->origin.y + q[1] : 0, size > 2 ? place->origin.z + q[2] : 0},
        node,
        0};
}

// Those that touch something, each with the number of its contacts.
static zn_status list_bodies(zn_pile_split *s, const zn_pile_task *task)
{
    s->contacts = task->list->contacts;
    s->bodies = 0;
    for (int k = 0; k < s->nodes; k++)
        s->owner[k] = s->first_at[k] = -1;
    for (int c = 0; c < s->contacts; c++) {
        int *node = s->node + 2 * c;
        if (!find_nodes(task, c, node))
            return ZN_ERR_UNSUPPORTED;
        for (int i = 0; i < 2 && node[i] >= 0; i++) {
            if (s->owner[node[i]] < 0)
                add_body(s, task, node[i]);
            s->body[s->owner[node[i]]].contacts++;
        }
    }
    return ZN_OK;
}

// --- bisection -----------------------------------------------------------------------------------

static bool comes_before(const zn_pile_body *a, const zn_pile_body *b, int axis)
{
    return a->x[axis] != b->x[axis] ? a->x[axis] < b->x[axis] : a->node < b->node;
}

static void swap(zn_pile_body *a, zn_pile_body *b)
{
    zn_pile_body old = *a;
    *a = *b;
    *b = old;
}

// Bodies [first, last) so that the wanted number of contacts comes first along the axis, as nearly as bodies allow;
// where the others begin. Quickselect, but for the weights: which bodies come first does not depend on the order.
static int divide(zn_pile_body *body, int first, int last, int axis, double wanted)
{
    while (last - first > 1) {
        int    middle = first + (last - first) / 2, end = first;
        double less = 0;
        swap(&body[middle], &body[last - 1]);
        for (int i = first; i < last - 1; i++)
            if (comes_before(&body[i], &body[last - 1], axis)) {
                less += body[i].contacts;
                swap(&body[i], &body[end++]);
            }
        swap(&body[end], &body[last - 1]);
        if (wanted <= less)
            last = end;
        else if (wanted - less <= 0.5 * body[end].contacts)
            return end;
        else {
            wanted -= less + body[end].contacts;
            first = end + 1;
            if (wanted <= 0)
                return first;
        }
    }
    return first < last && wanted > 0.5 * body[first].contacts ? last : first;
}

static int longest_axis(const zn_pile_body *body, int first, int last)
{
    int    axis = 0;
    double longest = -1;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = first; i < last; i++) {
            low = fmin(low, body[i].x[k]);
            high = fmax(high, body[i].x[k]);
        }
        axis = high - low > longest ? k : axis;
        longest = fmax(longest, high - low);
    }
    return axis;
}

static void bisect(zn_pile_split *s, int first, int last, int rank, int ranks)
{
    if (ranks == 1) {
        for (int i = first; i < last; i++)
            s->owner[s->body[i].node] = rank;
        return;
    }
    double all = 0;
    int    half = ranks / 2;
    for (int i = first; i < last; i++)
        all += s->body[i].contacts;
    int cut = divide(s->body, first, last, longest_axis(s->body, first, last), all * half / ranks);
    bisect(s, first, cut, rank, half);
    bisect(s, cut, last, rank + half, ranks - half);
}

// --- contacts ------------------------------------------------------------------------------------

static int owner_of(const zn_pile_split *s, int c)
{
    int node = s->node[2 * c];
    return node >= 0 ? s->owner[node] : 0;
}

static bool is_inner(const zn_pile_split *s, int c)
{
    int other = s->node[2 * c + 1];
    return other < 0 || s->owner[other] == owner_of(s, c);
}

// Process after process, inner ones first.
static void sort_contacts(zn_pile_split *s)
{
    memset(s->begin, 0, sizeof *s->begin * ((size_t)s->ranks + 1));
    memset(s->border, 0, sizeof *s->border * (size_t)s->ranks);
    for (int c = 0; c < s->contacts; c++) {
        s->begin[owner_of(s, c) + 1]++;
        s->border[owner_of(s, c)] += is_inner(s, c);
    }
    for (int r = 0; r < s->ranks; r++) {
        s->begin[r + 1] += s->begin[r];
        s->border[r] += s->begin[r];
    }
    for (int c = s->contacts - 1; c >= 0; c--) { // from behind: what is counted down is where it belongs
        int r = owner_of(s, c);
        s->order[is_inner(s, c) ? --s->border[r] : --s->begin[r + 1]] = c;
    }
    for (int r = 0; r < s->ranks; r++) { // inner ones went down to the beginning, the others to where these end
        int begin = s->border[r];
        s->border[r] = s->begin[r + 1];
        s->begin[r] = begin;
    }
    s->begin[s->ranks] = s->contacts;
}

// --- who meets whom ------------------------------------------------------------------------------

static bool has_contact_at(const zn_pile_split *s, int node, int rank)
{
    for (int k = s->first_at[node]; k >= 0; k = s->at[k].next)
        if (s->at[k].rank == rank)
            return true;
    return false;
}

static bool acts_with(const zn_pile_split *s, int c, int rank)
{
    for (int i = 0; i < 2 && s->node[2 * c + i] >= 0; i++)
        if (has_contact_at(s, s->node[2 * c + i], rank))
            return true;
    return false;
}

static void list_at_nodes(zn_pile_split *s)
{
    s->ats = 0;
    for (int c = 0; c < s->contacts; c++)
        for (int i = 0; i < 2 && s->node[2 * c + i] >= 0; i++) {
            int node = s->node[2 * c + i], rank = owner_of(s, c);
            if (has_contact_at(s, node, rank))
                continue;
            s->at[s->ats] = (zn_pile_at){rank, s->first_at[node]};
            s->first_at[node] = s->ats++;
        }
}

static void find_meetings(zn_pile_split *s)
{
    memset(s->meets, 0, sizeof *s->meets * (size_t)s->ranks * (size_t)s->ranks);
    for (int i = 0; i < s->bodies; i++)
        for (int k = s->first_at[s->body[i].node]; k >= 0; k = s->at[k].next)
            for (int l = s->first_at[s->body[i].node]; l >= 0; l = s->at[l].next)
                s->meets[s->at[k].rank * s->ranks + s->at[l].rank] = k != l;
}

// The lowest that none of the processes before has whom it meets.
static void choose_colours(zn_pile_split *s)
{
    s->colours = 1;
    for (int r = 0; r < s->ranks; r++) {
        bool taken = true;
        for (s->colour[r] = -1; taken;) {
            s->colour[r]++;
            taken = false;
            for (int o = 0; o < r; o++)
                taken |= s->meets[r * s->ranks + o] && s->colour[o] == s->colour[r];
        }
        s->colours = s->colour[r] >= s->colours ? s->colour[r] + 1 : s->colours;
    }
}

// --- this process --------------------------------------------------------------------------------

// Own contacts, then ghosts, as the split has them: those of one process follow each other.
static void list_local(zn_pile_split *s)
{
    s->own = s->begin[s->rank + 1] - s->begin[s->rank];
    s->inner = s->border[s->rank] - s->begin[s->rank];
    s->local = s->own;
    s->neighbours = 0;
    for (int k = 0; k < s->own; k++)
        s->contact[k] = s->order[s->begin[s->rank] + k];
    for (int r = 0; r < s->ranks; r++) {
        if (r == s->rank || !s->meets[s->rank * s->ranks + r])
            continue;
        zn_pile_neighbour *n = &s->neighbour[s->neighbours++];
        *n = (zn_pile_neighbour){.rank = r, .colour = s->colour[r], .take = s->local, .take_inner = s->local};
        for (int k = s->begin[r]; k < s->begin[r + 1]; k++) {
            if (k == s->border[r])
                n->take_inner = s->local;
            if (acts_with(s, s->order[k], s->rank))
                s->contact[s->local++] = s->order[k];
        }
        n->take_end = s->local;
        if (s->border[r] == s->begin[r + 1])
            n->take_inner = s->local;
    }
}

static zn_status list_sent(zn_pile_split *s)
{
    s->sends = 0;
    for (int i = 0; i < s->neighbours; i++) {
        zn_pile_neighbour *n = &s->neighbour[i];
        n->send = s->sends;
        for (int k = 0; k < s->own; k++) {
            if (k == s->inner)
                n->send_inner = s->sends;
            if (acts_with(s, s->contact[k], n->rank))
                ZN_TRY(ZN_PUSH(s->sent, s->sends, s->sent_capacity, k));
        }
        n->send_end = s->sends;
        if (s->inner == s->own)
            n->send_inner = s->sends;
    }
    return ZN_OK;
}

zn_status zn_pile_split_make(zn_pile_split *s, const zn_pile_task *task)
{
    ZN_TRY(reserve(s, task->list->contacts));
    ZN_TRY(list_bodies(s, task));
    bisect(s, 0, s->bodies, 0, s->ranks);
    sort_contacts(s);
    list_at_nodes(s);
    find_meetings(s);
    choose_colours(s);
    list_local(s);
    return list_sent(s);
}
