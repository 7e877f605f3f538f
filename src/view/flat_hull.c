// Convex hull by monotone chains.
#include "view/flat_hull.h"

#include <stdlib.h>

static int compare_points(const void *a, const void *b)
{
    const zn_vec3 *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->y < q->y ? -1 : p->y > q->y;
}

static double turn(zn_vec3 a, zn_vec3 b, zn_vec3 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

int zn_flat_hull(int count, zn_vec3 *point, zn_vec3 *hull)
{
    int size = 0;
    qsort(point, (size_t)count, sizeof *point, compare_points);
    for (int pass = 0, base = 1; pass < 2; pass++, base = size) {
        for (int k = pass; k < count; k++) {
            zn_vec3 p = point[pass == 0 ? k : count - 1 - k];
            while (size > base && turn(hull[size - 2], hull[size - 1], p) <= 0)
                size--;
            hull[size++] = p;
        }
    }
    return size > 1 ? size - 1 : size; // the first point came again
}

double zn_flat_area(int count, const zn_vec3 *hull)
{
    double sum = 0;
    for (int i = 2; i < count; i++)
        sum += 0.5 * turn(hull[0], hull[i - 1], hull[i]);
    return sum;
}
