// What contact rules share: unit tangents to a normal, and how they turn with it.
#include "model/contact/contact.h"

#include "base/assert.h"

// An axis that a unit normal is far from: the farthest one, but not where two are as far for a normal along the third,
// about which bodies rock; tangents must not jump there.
static zn_vec3 least_axis(zn_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y) + 0.1, z = fabs(n.z) + 0.2;
    return x <= y && x <= z ? (zn_vec3){1, 0, 0} : y <= z ? (zn_vec3){0, 1, 0} : (zn_vec3){0, 0, 1};
}

int zn_contact_tangents_like(zn_vec3 like, zn_vec3 n, bool planar, zn_vec3 tangent[2])
{
    ZN_ASSERT(tangent);
    if (planar) {
        tangent[0] = (zn_vec3){-n.y, n.x, 0};
        return 1;
    }
    zn_vec3 across = zn_vec3_cross(n, least_axis(like));
    tangent[0] = zn_vec3_scale(1 / zn_vec3_norm(across), across);
    tangent[1] = zn_vec3_cross(n, tangent[0]);
    return 2;
}

int zn_contact_tangents(zn_vec3 n, bool planar, zn_vec3 tangent[2])
{
    return zn_contact_tangents_like(n, n, planar, tangent);
}

void zn_contact_tangents_like_change(zn_vec3 like, zn_vec3 n, zn_vec3 dn, bool planar, zn_vec3 out[2])
{
    if (planar) {
        out[0] = (zn_vec3){-dn.y, dn.x, 0};
        return;
    }
    zn_vec3 axis = least_axis(like), across = zn_vec3_cross(n, axis), change = zn_vec3_cross(dn, axis);
    double  length = zn_vec3_norm(across);
    zn_vec3 t = zn_vec3_scale(1 / length, across);
    out[0] = zn_vec3_scale(1 / length, zn_vec3_sub(change, zn_vec3_scale(zn_vec3_dot(t, change), t)));
    out[1] = zn_vec3_add(zn_vec3_cross(dn, t), zn_vec3_cross(n, out[0]));
}

void zn_contact_tangents_change(zn_vec3 n, zn_vec3 dn, bool planar, zn_vec3 out[2])
{
    zn_contact_tangents_like_change(n, n, dn, planar, out);
}
