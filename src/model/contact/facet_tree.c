// Boxes around facets in a binary tree without pointers: node i of level l has the facets from F i / 2^l to
// F (i + 1) / 2^l of the order. See facet_tree.h.
#include "model/contact/facet_tree.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

enum { LEAF = 3, DEPTH = 32 }; // facets of a leaf at most; levels

static int levels_of(int facets)
{
    int levels = 0;
    while (facets > ((int64_t)LEAF << levels))
        levels++;
    return levels;
}

// Where part i of 2^level begins.
static int first_of(int facets, int level, int i) { return (int)((int64_t)facets * i >> level); }

// --- order ---------------------------------------------------------------------------------------

typedef struct place {
    double key;
    int    facet;
} place;

static int by_key(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->facet < y->facet ? -1 : 1;
}

// Along the longest side of the box around the middles.
static void sort(int count, const zn_vec3 *middle, place *list)
{
    zn_vec3 low = middle[list[0].facet], high = low;
    for (int i = 1; i < count; i++) {
        zn_vec3 m = middle[list[i].facet];
        low = zn_lower(low, m);
        high = zn_upper(high, m);
    }
    zn_vec3 side = zn_vec3_sub(high, low);
    for (int i = 0; i < count; i++) {
        zn_vec3 m = middle[list[i].facet];
        list[i].key = side.x >= side.y && side.x >= side.z ? m.x : side.y >= side.z ? m.y : m.z;
    }
    qsort(list, (size_t)count, sizeof *list, by_key);
}

zn_status zn_facet_tree_order(int facets, const zn_vec3 *middle, int *order)
{
    ZN_ASSERT(facets >= 0 && (facets == 0 || (middle && order)));
    place *list = ZN_NEW(place, facets);
    if (!list)
        return ZN_ERR_MEMORY;
    for (int i = 0; i < facets; i++)
        list[i].facet = i;
    for (int level = 0, levels = levels_of(facets); level < levels; level++)
        for (int i = 0; i < 1 << level; i++) {
            int first = first_of(facets, level, i);
            sort(first_of(facets, level, i + 1) - first, middle, list + first);
        }
    for (int i = 0; i < facets; i++)
        order[i] = list[i].facet;
    free(list);
    return ZN_OK;
}

// --- boxes ---------------------------------------------------------------------------------------

size_t zn_facet_tree_bytes(int facets)
{
    return sizeof(zn_facet_box) * ((size_t)facets + ((size_t)2 << levels_of(facets)));
}

void zn_facet_tree_begin(int facets, const int *order, void *memory, zn_facet_tree *out)
{
    ZN_ASSERT(facets >= 0 && memory && out);
    *out = (zn_facet_tree){.facets = facets, .levels = levels_of(facets), .order = order, .facet = memory};
    out->node = out->facet + facets;
}

static void join(zn_facet_box *to, const zn_facet_box *other)
{
    to->low = zn_lower(to->low, other->low);
    to->high = zn_upper(to->high, other->high);
}

void zn_facet_tree_fit(zn_facet_tree *tree)
{
    int leaves = 1 << tree->levels;
    for (int i = 0; i < leaves && tree->facets > 0; i++) {
        int first = first_of(tree->facets, tree->levels, i), last = first_of(tree->facets, tree->levels, i + 1);
        zn_facet_box *box = &tree->node[leaves - 1 + i];
        *box = tree->facet[tree->order[first]];
        for (int k = first + 1; k < last; k++)
            join(box, &tree->facet[tree->order[k]]);
    }
    for (int k = leaves - 2; k >= 0; k--) {
        tree->node[k] = tree->node[2 * k + 1];
        join(&tree->node[k], &tree->node[2 * k + 2]);
    }
}

// --- search --------------------------------------------------------------------------------------

// How far x is outside; without branches, which would be guesses.
static double beyond(double x, double low, double high)
{
    double below = low - x, above = x - high, outside = below > above ? below : above;
    return outside > 0 ? outside : 0;
}

static double square_of(const zn_facet_box *b, zn_vec3 p)
{
    double x = beyond(p.x, b->low.x, b->high.x), y = beyond(p.y, b->low.y, b->high.y),
           z = beyond(p.z, b->low.z, b->high.z);
    return x * x + y * y + z * z;
}

static void visit_leaf(const zn_facet_tree *tree, int leaf, zn_vec3 p, const double *within,
                       void (*visit)(void *user, int facet), void *user)
{
    int last = first_of(tree->facets, tree->levels, leaf + 1);
    for (int k = first_of(tree->facets, tree->levels, leaf); k < last; k++)
        if (square_of(&tree->facet[tree->order[k]], p) <= *within * *within)
            visit(user, tree->order[k]);
}

typedef struct waiting {
    int    node;
    double square; // of its distance
} waiting;

// Down to the leaf below the nearer boxes; what is within reach of the others waits. -1: nothing is.
static int descend(const zn_facet_tree *tree, int node, zn_vec3 p, double within, waiting *stack, int *count)
{
    int inner = (1 << tree->levels) - 1;
    while (node < inner) {
        int    left = 2 * node + 1;
        double first = square_of(&tree->node[left], p), second = square_of(&tree->node[left + 1], p);
        bool   turned = second < first;
        double nearer = turned ? second : first, farther = turned ? first : second;
        if (farther <= within * within)
            stack[(*count)++] = (waiting){left + !turned, farther};
        if (!(nearer <= within * within))
            return -1;
        node = left + turned;
    }
    return node - inner;
}

void zn_facet_tree_visit(const zn_facet_tree *tree, zn_vec3 p, const double *within,
                         void (*visit)(void *user, int facet), void *user)
{
    waiting stack[DEPTH];
    int     count = 0;
    if (tree->facets == 0)
        return;
    ZN_ASSERT(tree->levels < DEPTH);
    stack[count++] = (waiting){0, square_of(&tree->node[0], p)};
    while (count > 0) {
        waiting next = stack[--count];
        int     leaf = next.square <= *within * *within ? descend(tree, next.node, p, *within, stack, &count) : -1;
        if (leaf >= 0)
            visit_leaf(tree, leaf, p, within, visit, user);
    }
}
