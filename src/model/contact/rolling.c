// Rows of rolling and spinning. With axes a_k, the tangents and the normal (in the plane z),
//     G_k v = a_k.(spin of A - spin of B),    row of a body: R' a_k on its rotations.
// They are no gradients of anything in space; in the plane G v is the rate of the angle of A against B.
#include "model/contact/rolling.h"

#include <string.h>

#include "base/assert.h"

int zn_rolling_count(const zn_rolling *p)
{
    return (p->rolling > 0 ? p->planar ? 1 : 2 : 0) + (p->spinning > 0 && !p->planar ? 1 : 0);
}

// Axes of the rows, or their changes.
static int list_axes(const zn_rolling *p, zn_vec3 normal, const zn_vec3 tangent[2], zn_vec3 spin, zn_vec3 out[3])
{
    int count = 0;
    if (p->rolling > 0 && p->planar)
        out[count++] = spin;
    for (int k = 0; k < 2 && p->rolling > 0 && !p->planar; k++)
        out[count++] = tangent[k];
    if (p->spinning > 0 && !p->planar)
        out[count++] = normal;
    return count;
}

// Of one body from entry `at` on: nothing on its translations; the next entry.
static int turn_row(const zn_rigid *b, zn_vec3 axis, int at, double *value)
{
    int    places[3], count = b->node ? zn_node_dimension(b->node->kind) : 0;
    double turn[3];
    int    turns = zn_rigid_turn_row(b, axis, places, turn);
    memset(value + at, 0, sizeof *value * (size_t)count);
    memcpy(value + at + count, turn, sizeof *value * (size_t)turns);
    return at + count + turns;
}

void zn_rolling_rows(const zn_rolling *p, const zn_rigid *A, const zn_rigid *B, zn_vec3 normal,
                     const zn_vec3 tangent[2], double radius, zn_contact_product *out)
{
    zn_vec3 axis[3];
    int     count = list_axes(p, normal, tangent, (zn_vec3){0, 0, 1}, axis), first = p->planar ? 1 : 2;
    out->rolling = p->rolling;
    out->spinning = p->planar ? 0 : p->spinning;
    double larger = out->rolling > out->spinning ? out->rolling : out->spinning;
    out->lever = radius > larger ? radius : larger;
    for (int k = 0; k < count; k++) {
        double *value = out->tangent[first + k];
        int     end = turn_row(B, zn_vec3_scale(-1, axis[k]), turn_row(A, axis[k], 0, value), value);
        ZN_ASSERT(end == out->entries);
        (void)end;
    }
}

void zn_rolling_curvature(const zn_rolling *p, const zn_rigid *A, const zn_rigid *B, zn_vec3 normal,
                          const zn_vec3 tangent[2], zn_vec3 dn, const zn_vec3 dt[2], const double *lambda,
                          const double *x, double *y)
{
    zn_vec3 axis[3], change[3];
    int     count = list_axes(p, normal, tangent, (zn_vec3){0, 0, 1}, axis);
    list_axes(p, dn, dt, (zn_vec3){0, 0, 0}, change);
    for (int k = 0; k < count; k++) {
        zn_rigid_turn_row_change(A, axis[k], change[k], lambda[k], x, y);
        zn_rigid_turn_row_change(B, axis[k], change[k], -lambda[k], x, y);
    }
}
