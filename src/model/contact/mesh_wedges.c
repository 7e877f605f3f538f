// The nearest point keeps one, two or three of the four half spaces just so.
#include "model/contact/mesh_wedges.h"

#include <math.h>

zn_wedge zn_wedge_of(zn_vec3 at, zn_vec3 along, const zn_vec3 beyond[2])
{
    return (zn_wedge){at, {zn_vec3_cross(beyond[0], along), zn_vec3_cross(along, beyond[1])}};
}

// Four half spaces, normal . x <= limit.
typedef struct wedges {
    zn_vec3 normal[4];
    double  limit[4];
} wedges;

// The point where those of `which`, three at most, are just kept that is nearest to the origin. False: their normals
// are not independent.
static bool corner_of(const wedges *w, int count, const int *which, zn_vec3 *x)
{
    zn_vec3 n[3] = {w->normal[which[0]]};
    double  c[3] = {w->limit[which[0]], 0, 0};
    for (int i = 1; i < count; i++)
        n[i] = w->normal[which[i]], c[i] = w->limit[which[i]];
    if (count == 1) {
        *x = zn_vec3_scale(c[0], n[0]);
        return true;
    }
    if (count == 2)
        n[2] = zn_vec3_cross(n[0], n[1]); // and of the line along it no more
    zn_vec3 u = zn_vec3_cross(n[1], n[2]), v = zn_vec3_cross(n[2], n[0]), t = zn_vec3_cross(n[0], n[1]);
    double  det = zn_vec3_dot(n[0], u);
    if (!(fabs(det) > 1e-12))
        return false;
    *x = zn_vec3_add(zn_vec3_scale(c[0] / det, u),
                     zn_vec3_add(zn_vec3_scale(c[1] / det, v), zn_vec3_scale(c[2] / det, t)));
    return true;
}

static bool is_behind(const wedges *w, zn_vec3 x, double slack)
{
    for (int i = 0; i < 4; i++)
        if (zn_vec3_dot(w->normal[i], x) > w->limit[i] + slack)
            return false;
    return true;
}

bool zn_wedges_inner(const zn_wedge *a, const zn_wedge *b, double behind, zn_vec3 *out)
{
    wedges  w;
    zn_vec3 middle = zn_vec3_scale(0.5, zn_vec3_add(a->at, b->at)), x = {0, 0, 0};
    double  least = INFINITY;
    for (int i = 0; i < 4; i++) {
        const zn_wedge *of = i < 2 ? a : b;
        w.normal[i] = of->normal[i % 2];
        w.limit[i] = zn_vec3_dot(w.normal[i], zn_vec3_sub(of->at, middle)) - behind;
    }
    if (is_behind(&w, x, 0)) {
        *out = middle;
        return true;
    }
    for (int set = 1; set < 15; set++) {
        int count = 0, which[4];
        for (int i = 0; i < 4; i++)
            if (set & 1 << i)
                which[count++] = i;
        if (count < 4 && corner_of(&w, count, which, &x) && is_behind(&w, x, 0.5 * behind) && zn_vec3_norm(x) < least)
            least = zn_vec3_norm(x), *out = zn_vec3_add(middle, x);
    }
    return least < INFINITY;
}
