// Nodes are split at the median of the middles of their triangles along the longest side of the box around these, so
// that the depth is that of a balanced tree whatever the triangles are.
#include "model/contact/mesh_tree.h"

#include <stdlib.h>

#include "base/array.h"

typedef struct maker {
    const zn_vec3 *point;
    const int     *corner;
    zn_vec3       *middle; // of each triangle, times three
    zn_mesh_tree  *tree;
} maker;

static double along(zn_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void widen(zn_vec3 p, zn_vec3 *low, zn_vec3 *high)
{
    *low = (zn_vec3){fmin(low->x, p.x), fmin(low->y, p.y), fmin(low->z, p.z)};
    *high = (zn_vec3){fmax(high->x, p.x), fmax(high->y, p.y), fmax(high->z, p.z)};
}

static const zn_vec3 far_low = {INFINITY, INFINITY, INFINITY}, far_high = {-INFINITY, -INFINITY, -INFINITY};

static bool comes_before(const maker *m, int a, int b, int axis) // equal middles: by number, so that there is one order
{
    double x = along(m->middle[a], axis), y = along(m->middle[b], axis);
    return x < y || (x == y && a < b);
}

// Put the `rank` first of order[0 ... count - 1] along an axis before the others (Hoare).
static void select_first(const maker *m, int *order, int count, int rank, int axis)
{
    int low = 0, high = count - 1;
    while (low < high) {
        int pivot = order[low + (high - low) / 2], i = low, k = high;
        while (i <= k) {
            while (comes_before(m, order[i], pivot, axis))
                i++;
            while (comes_before(m, pivot, order[k], axis))
                k--;
            if (i <= k) {
                int old = order[i];
                order[i++] = order[k];
                order[k--] = old;
            }
        }
        if (rank <= k)
            high = k;
        else if (rank >= i)
            low = i;
        else
            return;
    }
}

static int longest(const maker *m, const int *order, int count)
{
    zn_vec3 low = far_low, high = far_high;
    for (int i = 0; i < count; i++)
        widen(m->middle[order[i]], &low, &high);
    zn_vec3 side = zn_vec3_sub(high, low);
    return side.x >= side.y && side.x >= side.z ? 0 : side.y >= side.z ? 1 : 2;
}

// The node of order[first ... first + count - 1] and all below it; recursion is as deep as the tree.
static int make_node(maker *m, int first, int count)
{
    zn_mesh_tree *t = m->tree;
    int           number = t->nodes++;
    zn_tree_node  node = {far_low, far_high, first, count, 0};
    if (count > ZN_TREE_LEAF) {
        int *order = t->order + first, half = count / 2;
        select_first(m, order, count, half, longest(m, order, count));
        int left = make_node(m, first, half), right = make_node(m, first + half, count - half);
        node.count = 0;
        node.second = right;
        const int child[2] = {left, right};
        for (int i = 0; i < 2; i++) {
            widen(t->node[child[i]].low, &node.low, &node.high);
            widen(t->node[child[i]].high, &node.low, &node.high);
        }
    }
    for (int i = 0; i < 3 * node.count; i++)
        widen(m->point[m->corner[3 * t->order[first + i / 3] + i % 3]], &node.low, &node.high);
    t->node[number] = node;
    return number;
}

zn_status zn_mesh_tree_make(int triangles, const zn_vec3 *point, const int *corner, zn_mesh_tree *out)
{
    *out = (zn_mesh_tree){0};
    maker m = {.point = point, .corner = corner, .tree = out};
    m.middle = ZN_NEW(zn_vec3, triangles);
    out->order = ZN_NEW(int, triangles);
    out->node = ZN_NEW(zn_tree_node, 2 * triangles); // leaves hold at least one triangle
    if (m.middle && out->order && out->node) {
        for (int i = 0; i < triangles; i++) {
            const int *c = &corner[3 * i];
            m.middle[i] = zn_vec3_add(point[c[0]], zn_vec3_add(point[c[1]], point[c[2]]));
            out->order[i] = i;
        }
        make_node(&m, 0, triangles);
    } else
        zn_mesh_tree_clear(out);
    free(m.middle);
    return out->node ? ZN_OK : ZN_ERR_MEMORY;
}

void zn_mesh_tree_clear(zn_mesh_tree *tree)
{
    free(tree->node);
    free(tree->order);
    *tree = (zn_mesh_tree){0};
}

zn_tree_walk zn_tree_walk_begin(const zn_mesh_tree *tree, zn_vec3 low, zn_vec3 high)
{
    return (zn_tree_walk){.tree = tree, .low = low, .high = high, .depth = tree->nodes > 0};
}

static bool meets(const zn_tree_walk *w, const zn_tree_node *n)
{
    bool boxes = w->low.x <= n->high.x && n->low.x <= w->high.x && w->low.y <= n->high.y && n->low.y <= w->high.y &&
                 w->low.z <= n->high.z && n->low.z <= w->high.z;
    if (!boxes || !(w->radius > 0))
        return boxes;
    zn_vec3 c = w->centre;
    double  x = fmax(0, fmax(n->low.x - c.x, c.x - n->high.x)), y = fmax(0, fmax(n->low.y - c.y, c.y - n->high.y)),
           z = fmax(0, fmax(n->low.z - c.z, c.z - n->high.z));
    return x * x + y * y + z * z <= w->radius * w->radius;
}

const zn_tree_node *zn_tree_walk_next(zn_tree_walk *w)
{
    while (w->depth > 0) {
        int                 number = w->stack[--w->depth];
        const zn_tree_node *n = &w->tree->node[number];
        if (!meets(w, n))
            continue;
        if (n->count > 0)
            return n;
        w->stack[w->depth++] = n->second;
        w->stack[w->depth++] = number + 1;
    }
    return NULL;
}
