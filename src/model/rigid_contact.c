// A point or circle (centre x = p_A + R_A a, radius r >= 0) of one body against a surface carried by another body or
// the ground. Each shape of surface yields the gap and the unit normal n from the surface to the point, with
// s = p_B + R_B b a point of the surface's body and d = x - s:
//     plane    g = n.d - r                n = R_B n_B
//     circle   g = |d| - R - r            n = d / |d|
//     hole     g = R - r - |d|            n = -d / |d|
//     slot     g = w/2 - r -+ m.d         n = -+m, m = R_B m_B across the axis; numbers 0 and 1
// The contact point is the point of A nearest to the surface, c = x - r n. Rows, for n and the tangents alike:
//     + row(A, c, n),  - row(B, c, n)     see rigid_row.c
// The normal row does not change when c moves along n, so its derivative is taken at x, with
//     dn = S_B x n              where n is carried by B (S_B its spin)
//     dn = k (I - n n') dd      where n follows d: k = 1 / |d| for the circle, -1 / |d| for the hole
// In the centre of a hole n is any direction and the derivative of n is left out; a circle has no such case: it fails.
#include "model/contact.h"
#include "model/rigid_row.h"

typedef struct placement {
    zn_rigid A, B;
    zn_vec3  centre; // x
    zn_vec3  base;   // s
    zn_vec3  normal;
    double   gap;
    double   bend; // k; 0: the normal is carried by B
} placement;

// Below this length a direction is lost in underflow.
static const double no_length = 1e-150;

static zn_status plane(const zn_rigid_contact *p, int number, placement *at)
{
    (void)number;
    at->normal = zn_rigid_vector(&at->B, p->normal);
    at->gap = zn_vec3_dot(at->normal, zn_vec3_sub(at->centre, at->base)) - p->radius;
    return ZN_OK;
}

static zn_status circle(const zn_rigid_contact *p, int number, placement *at)
{
    (void)number;
    zn_vec3 d = zn_vec3_sub(at->centre, at->base);
    double  length = zn_vec3_norm(d);
    if (!(length > no_length))
        return zn_fail(p->log, ZN_INVALID_STATE,
                       "contact '%s': the point is in the centre of the circle, so the contact has no direction",
                       p->name);
    at->normal = zn_vec3_scale(1 / length, d);
    at->gap = length - p->size - p->radius;
    at->bend = 1 / length;
    return ZN_OK;
}

static zn_status hole(const zn_rigid_contact *p, int number, placement *at)
{
    (void)number;
    zn_vec3 d = zn_vec3_sub(at->centre, at->base);
    double  length = zn_vec3_norm(d);
    bool    centred = length <= no_length;
    at->normal = centred ? (zn_vec3){-1, 0, 0} : zn_vec3_scale(-1 / length, d);
    at->gap = p->size - p->radius - length;
    at->bend = centred ? 0 : -1 / length;
    return ZN_OK;
}

static zn_status slot(const zn_rigid_contact *p, int number, placement *at)
{
    double side = number == 0 ? -1 : 1;
    at->normal = zn_vec3_scale(side, zn_rigid_vector(&at->B, p->normal));
    at->gap = p->size - p->radius + zn_vec3_dot(at->normal, zn_vec3_sub(at->centre, at->base));
    return ZN_OK;
}

static zn_status (*const surface[])(const zn_rigid_contact *, int, placement *) = {
    [ZN_SURFACE_PLANE] = plane,
    [ZN_SURFACE_CIRCLE] = circle,
    [ZN_SURFACE_HOLE] = hole,
    [ZN_SURFACE_SLOT] = slot,
};

static zn_status place(const zn_rigid_contact *p, const zn_layout *layout, int number, const double *q, placement *at)
{
    at->A = zn_rigid_at(layout, p->point.node, q);
    at->B = zn_rigid_at(layout, p->surface.node, q);
    at->centre = zn_rigid_point(&at->A, p->point.at);
    at->base = zn_rigid_point(&at->B, p->surface.at);
    at->bend = 0;
    return surface[p->kind](p, number, at);
}

// + row(A, c, d), - row(B, c, d); returns the number of entries.
static int relative_row(const placement *at, zn_vec3 c, zn_vec3 d, int *dof, double *value)
{
    int count = zn_rigid_row(&at->A, c, d, dof, value);
    return count + zn_rigid_row(&at->B, c, zn_vec3_scale(-1, d), dof + count, value + count);
}

static zn_status evaluate(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                          zn_contact_product *out)
{
    (void)t;
    const zn_rigid_contact *p = rule;
    placement               at;
    ZN_TRY(place(p, layout, number, q, &at));
    out->gap = at.gap;
    out->restitution = p->restitution;
    if (!out->dof)
        return ZN_OK;
    zn_vec3 c = zn_vec3_sub(at.centre, zn_vec3_scale(p->radius, at.normal));
    out->entries = relative_row(&at, c, at.normal, out->dof, out->value);
    if (!out->tangent[0])
        return ZN_OK;
    out->friction = p->friction;
    out->tangential_restitution = p->tangential_restitution;
    zn_vec3 tangent[2];
    int     count = zn_contact_tangents(at.normal, p->planar, tangent);
    for (int i = 0; i < count; i++)
        relative_row(&at, c, tangent[i], out->dof, out->tangent[i]);
    return ZN_OK;
}

static zn_status curvature(const void *rule, const zn_layout *layout, int number, const double *q, double t,
                           double lambda, const double *x, double *y)
{
    (void)t;
    placement at;
    ZN_TRY(place(rule, layout, number, q, &at));
    zn_vec3 n = at.normal, dx = zn_rigid_velocity(&at.A, x, at.centre), dn;
    if (at.bend != 0) {
        zn_vec3 dd = zn_vec3_sub(dx, zn_rigid_velocity(&at.B, x, at.base));
        dn = zn_vec3_scale(at.bend, zn_vec3_sub(dd, zn_vec3_scale(zn_vec3_dot(n, dd), n)));
    } else
        dn = zn_vec3_cross(zn_rigid_spin(&at.B, x), n);
    zn_rigid_row_change(&at.A, at.centre, n, dx, dn, lambda, x, y);
    zn_rigid_row_change(&at.B, at.centre, n, dx, dn, -lambda, x, y);
    return ZN_OK;
}

int zn_contact_tangents(zn_vec3 n, bool planar, zn_vec3 tangent[2])
{
    if (planar) {
        tangent[0] = (zn_vec3){-n.y, n.x, 0};
        return 1;
    }
    double  x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    zn_vec3 other = x <= y && x <= z ? (zn_vec3){1, 0, 0} : y <= z ? (zn_vec3){0, 1, 0} : (zn_vec3){0, 0, 1};
    zn_vec3 across = zn_vec3_cross(n, other);
    tangent[0] = zn_vec3_scale(1 / zn_vec3_norm(across), across);
    tangent[1] = zn_vec3_cross(n, tangent[0]);
    return 2;
}

const zn_contact_ops zn_rigid_contact_ops = {
    .name = "point on surface",
    .max_entries = 2 * ZN_RIGID_DOFS,
    .evaluate = evaluate,
    .curvature = curvature,
};
