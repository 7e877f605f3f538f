// With c = u x w the gap of two lines times the sine is +-c.d, its sign that of c.(out_B - out_A).
#include "model/contact/line_table.h"

#include "base/assert.h"
#include "base/wide.h"

// Room for four more lines.
static void begin_four(zn_line_table *t)
{
    for (int i = 0; i < 3; i++)
        for (int k = t->count; k < t->count + 4; k++)
            t->x[i][k] = t->u[i][k] = t->out[i][k] = 0;
}

void zn_lines_add(zn_line_table *t, const zn_polyhedron *p, int edge)
{
    ZN_ASSERT(t->count < ZN_LINES);
    const zn_polyhedron_edge *e = &p->edge[edge];
    zn_vec3                   x = p->vertex[e->vertex[0]];
    if (t->count % 4 == 0)
        begin_four(t);
    int k = t->count++;
    t->edge[k] = edge;
    t->x[0][k] = x.x, t->x[1][k] = x.y, t->x[2][k] = x.z;
    t->u[0][k] = e->along.x, t->u[1][k] = e->along.y, t->u[2][k] = e->along.z;
    t->out[0][k] = e->out.x, t->out[1][k] = e->out.y, t->out[2][k] = e->out.z;
}

#define FOUR(column) (*(const zn_four *)((column) + k))

ZN_WIDE uint64_t zn_lines_near(const zn_line_table *t, zn_vec3 x, zn_vec3 u, zn_vec3 out, double least, double most)
{
    zn_four_numbers found = {0}, bit = {1, 2, 4, 8};
    for (int k = 0; k < t->count; k += 4) {
        zn_four c0 = u.y * FOUR(t->u[2]) - u.z * FOUR(t->u[1]), c1 = u.z * FOUR(t->u[0]) - u.x * FOUR(t->u[2]),
                c2 = u.x * FOUR(t->u[1]) - u.y * FOUR(t->u[0]), square = c0 * c0 + c1 * c1 + c2 * c2;
        zn_four apart = c0 * (x.x - FOUR(t->x[0])) + c1 * (x.y - FOUR(t->x[1])) + c2 * (x.z - FOUR(t->x[2]));
        zn_four sense =
            c0 * (FOUR(t->out[0]) - out.x) + c1 * (FOUR(t->out[1]) - out.y) + c2 * (FOUR(t->out[2]) - out.z);
        zn_four_numbers turned = (zn_four_numbers)(sense < 0) & INT64_MIN; // the other sign
        apart = (zn_four)((zn_four_numbers)apart ^ turned);
        found |= (zn_four_numbers)(square >= 1e-12) & (zn_four_numbers)(apart >= least) &
                 ((zn_four_numbers)(apart < 0) | (zn_four_numbers)(apart * apart <= most * most * square)) & bit;
        bit <<= 4;
    }
    return (uint64_t)(found[0] | found[1] | found[2] | found[3]);
}
