// A tree of boxes, made anew for each search: each node is cut at the median of the centres along the direction in
// which they spread most, so that its depth is that of the logarithm whatever the sizes, and meets itself and its
// sibling. Of two nodes that overlap the larger one is opened first: a plate among grains is found at the bottom of its
// branch before anything else is opened, so it costs as many tests as it has neighbours. A grid would have to choose
// cells: of the size of the plate they hold all grains, of the size of the grains the plate is in all of them.
// Nodes hold the bits of all that is in them: what never meets (ground and ground) is not opened.
#include "model/contact/broad_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/blame.h"

enum { LEAF = 4 }; // boxes that are not worth a node

typedef struct item {
    double centre[3];
    int    box;
} item;

typedef struct node {
    zn_broad_box around;
    int          first, last; // boxes, in the order of the tree
    int          right;       // the second child, the first follows its parent; 0: a leaf
} node;

typedef struct leaf_box {
    zn_broad_box at;
    int          number;
} leaf_box;

typedef struct tree {
    item           *item; // in the order of the tree
    leaf_box       *box;  // likewise
    node           *node; // parents first
    int             nodes;
    zn_broad_wants *wants;
    const void     *user;
    zn_broad_pairs *out;
} tree;

// --- pairs ---------------------------------------------------------------------------------------

zn_status zn_broad_pairs_reserve(zn_broad_pairs *list, int count)
{
    int same = list->capacity; // the arrays grow alike
    ZN_TRY(zn_grow(&list->spare, &same, count, sizeof *list->spare));
    return zn_grow(&list->pair, &list->capacity, count, sizeof *list->pair);
}

void zn_broad_pairs_clear(zn_broad_pairs *list)
{
    free(list->pair);
    free(list->spare);
    *list = (zn_broad_pairs){0};
}

static zn_status add(zn_broad_pairs *list, int64_t pair)
{
    enum { MOST = 1 << 26 }; // as in zn_contact_list_room
    if (list->count == MOST)
        return zn_blame_crowd(MOST, "pairs or more are near each other");
    if (list->count == list->capacity)
        ZN_TRY(zn_broad_pairs_reserve(list, list->count + 1));
    list->pair[list->count++] = pair;
    return ZN_OK;
}

// Into the other array by one of the two numbers, those with the same number in the order in which they are.
static void sort_by(int (*number)(int64_t pair), int count, int *start, zn_broad_pairs *list)
{
    memset(start, 0, sizeof *start * ((size_t)count + 1));
    for (int k = 0; k < list->count; k++)
        start[number(list->pair[k]) + 1]++;
    for (int i = 0; i < count; i++)
        start[i + 1] += start[i];
    for (int k = 0; k < list->count; k++)
        list->spare[start[number(list->pair[k])]++] = list->pair[k];
    int64_t *sorted = list->spare;
    list->spare = list->pair;
    list->pair = sorted;
}

// --- the tree ------------------------------------------------------------------------------------

static bool before(const item *a, const item *b, int axis)
{
    return a->centre[axis] != b->centre[axis] ? a->centre[axis] < b->centre[axis] : a->box < b->box;
}

static void swap(item *a, item *b)
{
    item kept = *a;
    *a = *b;
    *b = kept;
}

// The middle one of three comes to the middle: then halves that are sorted already are cut where they should be.
static void order_three(item *low, item *middle, item *high, int axis)
{
    if (before(middle, low, axis))
        swap(middle, low);
    if (before(high, middle, axis))
        swap(high, middle);
    if (before(middle, low, axis))
        swap(middle, low);
}

// What is below place `middle` in the order along the axis comes before it, the rest behind.
static void cut(item *item_, int count, int middle, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        order_three(&item_[low], &item_[low + (high - low) / 2], &item_[high], axis);
        item pivot = item_[low + (high - low) / 2];
        int  i = low, j = high;
        while (i <= j) {
            while (before(&item_[i], &pivot, axis))
                i++;
            while (before(&pivot, &item_[j], axis))
                j--;
            if (i <= j)
                swap(&item_[i++], &item_[j--]);
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

static int widest_axis(const item *item_, int count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < count; k++)
        for (int a = 0; a < 3; a++) {
            low[a] = item_[k].centre[a] < low[a] ? item_[k].centre[a] : low[a];
            high[a] = item_[k].centre[a] > high[a] ? item_[k].centre[a] : high[a];
        }
    int axis = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
    return high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
}

static void enlarge(zn_broad_box *box, const zn_broad_box *by)
{
    zn_vec3 low = box->low, high = box->high;
    box->low.x = by->low.x < low.x ? by->low.x : low.x;
    box->low.y = by->low.y < low.y ? by->low.y : low.y;
    box->low.z = by->low.z < low.z ? by->low.z : low.z;
    box->high.x = by->high.x > high.x ? by->high.x : high.x;
    box->high.y = by->high.y > high.y ? by->high.y : high.y;
    box->high.z = by->high.z > high.z ? by->high.z : high.z;
    box->is |= by->is;
    box->meets |= by->meets;
}

static void make_leaf(tree *t, node *n, const zn_broad_box *box)
{
    for (int k = n->first; k < n->last; k++) {
        t->box[k] = (leaf_box){box[t->item[k].box], t->item[k].box};
        if (k == n->first)
            n->around = t->box[k].at;
        else
            enlarge(&n->around, &t->box[k].at);
    }
}

// The number of the node of items first .. last - 1.
static int make_node(tree *t, int first, int last, const zn_broad_box *box)
{
    int   number = t->nodes++;
    node *n = &t->node[number];
    *n = (node){.first = first, .last = last};
    if (last - first <= LEAF) {
        make_leaf(t, n, box);
        return number;
    }
    int middle = (last - first) / 2;
    cut(t->item + first, last - first, middle, widest_axis(t->item + first, last - first));
    make_node(t, first, first + middle, box);
    n->right = make_node(t, first + middle, last, box);
    n->around = t->node[number + 1].around;
    enlarge(&n->around, &t->node[n->right].around);
    return number;
}

// Boxes without an end have no centre: any place will do.
static double centre(double low, double high)
{
    double middle = 0.5 * low + 0.5 * high;
    return isfinite(middle) ? middle : 0;
}

static void place_items(tree *t, int count, const zn_broad_box *box)
{
    for (int i = 0; i < count; i++) {
        zn_vec3 low = box[i].low, high = box[i].high;
        ZN_ASSERT(low.x <= high.x && low.y <= high.y && low.z <= high.z);
        t->item[i] = (item){{centre(low.x, high.x), centre(low.y, high.y), centre(low.z, high.z)}, i};
    }
}

// --- search --------------------------------------------------------------------------------------

static bool overlap(const zn_broad_box *a, const zn_broad_box *b)
{
    return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
           a->low.z <= b->high.z && b->low.z <= a->high.z && ((a->is & b->meets) | (b->is & a->meets));
}

static zn_status try_pair(const tree *t, const leaf_box *a, const leaf_box *b)
{
    if (!overlap(&a->at, &b->at))
        return ZN_OK;
    int i = a->number < b->number ? a->number : b->number, j = a->number < b->number ? b->number : a->number;
    return !t->wants || t->wants(t->user, i, j) ? add(t->out, zn_broad_pair(i, j)) : ZN_OK;
}

static double extent(const zn_broad_box *b)
{
    return b->high.x - b->low.x + (b->high.y - b->low.y) + (b->high.z - b->low.z);
}

// Pairs of one box in a and one in b.
static zn_status meet(const tree *t, const node *a, const node *b)
{
    if (!overlap(&a->around, &b->around))
        return ZN_OK;
    if (b->right && (!a->right || extent(&b->around) > extent(&a->around))) {
        const node *larger = b;
        b = a;
        a = larger;
    }
    if (a->right) {
        ZN_TRY(meet(t, a + 1, b));
        return meet(t, &t->node[a->right], b);
    }
    for (int i = a->first; i < a->last; i++)
        for (int j = b->first; j < b->last; j++)
            ZN_TRY(try_pair(t, &t->box[i], &t->box[j]));
    return ZN_OK;
}

// Pairs of two boxes in a.
static zn_status meet_itself(const tree *t, const node *a)
{
    if (!(a->around.is & a->around.meets))
        return ZN_OK;
    if (a->right) {
        ZN_TRY(meet_itself(t, a + 1));
        ZN_TRY(meet_itself(t, &t->node[a->right]));
        return meet(t, a + 1, &t->node[a->right]);
    }
    for (int i = a->first; i < a->last; i++)
        for (int j = i + 1; j < a->last; j++)
            ZN_TRY(try_pair(t, &t->box[i], &t->box[j]));
    return ZN_OK;
}

// A node with more than LEAF boxes has children with two or more: there are fewer nodes than boxes, or one.
size_t zn_broad_boxes_scratch(int count)
{
    ZN_ASSERT(count >= 0);
    return ((size_t)count + 1) * (sizeof(leaf_box) + sizeof(node) + sizeof(item));
}

zn_status zn_broad_boxes(int count, const zn_broad_box *box, zn_broad_wants *wants, const void *user, void *scratch,
                         zn_broad_pairs *out)
{
    ZN_ASSERT(count >= 0 && (count == 0 || (box && scratch)) && out);
    tree t = {.box = scratch, .wants = wants, .user = user, .out = out};
    t.node = (node *)(void *)(t.box + count + 1);
    t.item = (item *)(void *)(t.node + count + 1);
    out->count = 0;
    if (count == 0)
        return ZN_OK;
    place_items(&t, count, box);
    make_node(&t, 0, count, box);
    ZN_TRY(meet_itself(&t, t.node));
    int *start = (int *)(void *)t.item; // the tree is not needed any more
    sort_by(zn_broad_second, count, start, out);
    sort_by(zn_broad_first, count, start, out);
    return ZN_OK;
}
