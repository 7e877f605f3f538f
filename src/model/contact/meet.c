// Which kinds of shapes meet, and how.
#include "model/contact/meet.h"

#include "base/assert.h"

#include "model/contact/kept_apart.h"
#include "model/contact/meet_capsule.h"
#include "model/contact/meet_contour.h"
#include "model/contact/meet_cylinder.h"
#include "model/contact/meet_half_space.h"
#include "model/contact/meet_mesh.h"
#include "model/contact/meet_polyhedra.h"

static zn_status meet_plane_sphere(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                   zn_feature_list *out);

// [kind of a][kind of b], b not above a; in space, then in the plane.
typedef zn_meet *meet_table[ZN_SHAPE_KINDS][ZN_SHAPE_KINDS];

// clang-format off
static const meet_table in_space = {
    [ZN_SHAPE_BOX][ZN_SHAPE_SPHERE] = zn_meet_polyhedron_sphere,
    [ZN_SHAPE_BOX][ZN_SHAPE_BOX] = zn_meet_polyhedra,
    [ZN_SHAPE_PLANE][ZN_SHAPE_SPHERE] = meet_plane_sphere,
    [ZN_SHAPE_PLANE][ZN_SHAPE_BOX] = zn_meet_plane_polyhedron,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_SPHERE] = zn_meet_capsule_sphere,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_BOX] = zn_meet_capsule_polyhedron,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_PLANE] = zn_meet_capsule_plane,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_CAPSULE] = zn_meet_capsules,
    [ZN_SHAPE_CYLINDER][ZN_SHAPE_SPHERE] = zn_meet_cylinder_sphere,
    [ZN_SHAPE_CYLINDER][ZN_SHAPE_BOX] = zn_meet_cylinder_polyhedron,
    [ZN_SHAPE_CYLINDER][ZN_SHAPE_PLANE] = zn_meet_cylinder_plane,
    [ZN_SHAPE_CYLINDER][ZN_SHAPE_CAPSULE] = zn_meet_cylinder_capsule,
    [ZN_SHAPE_CYLINDER][ZN_SHAPE_CYLINDER] = zn_meet_cylinder_cylinder,
    [ZN_SHAPE_HULL][ZN_SHAPE_SPHERE] = zn_meet_polyhedron_sphere,
    [ZN_SHAPE_HULL][ZN_SHAPE_BOX] = zn_meet_polyhedra,
    [ZN_SHAPE_HULL][ZN_SHAPE_PLANE] = zn_meet_polyhedron_plane,
    [ZN_SHAPE_HULL][ZN_SHAPE_CAPSULE] = zn_meet_polyhedron_capsule,
    [ZN_SHAPE_HULL][ZN_SHAPE_CYLINDER] = zn_meet_polyhedron_cylinder,
    [ZN_SHAPE_HULL][ZN_SHAPE_HULL] = zn_meet_polyhedra,
    [ZN_SHAPE_MESH][ZN_SHAPE_SPHERE] = zn_meet_mesh_sphere,
    [ZN_SHAPE_MESH][ZN_SHAPE_BOX] = zn_meet_mesh_polyhedron,
    [ZN_SHAPE_MESH][ZN_SHAPE_PLANE] = zn_meet_mesh_plane,
    [ZN_SHAPE_MESH][ZN_SHAPE_CAPSULE] = zn_meet_mesh_capsule,
    [ZN_SHAPE_MESH][ZN_SHAPE_CYLINDER] = zn_meet_mesh_cylinder,
    [ZN_SHAPE_MESH][ZN_SHAPE_HULL] = zn_meet_mesh_polyhedron,
    [ZN_SHAPE_MESH][ZN_SHAPE_MESH] = zn_meet_mesh_mesh,
};

static const meet_table in_plane = {
    [ZN_SHAPE_BOX][ZN_SHAPE_SPHERE] = zn_meet_contours,
    [ZN_SHAPE_BOX][ZN_SHAPE_BOX] = zn_meet_contours,
    [ZN_SHAPE_PLANE][ZN_SHAPE_SPHERE] = meet_plane_sphere,
    [ZN_SHAPE_PLANE][ZN_SHAPE_BOX] = zn_meet_contours,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_SPHERE] = zn_meet_contours,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_BOX] = zn_meet_contours,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_PLANE] = zn_meet_contours,
    [ZN_SHAPE_CAPSULE][ZN_SHAPE_CAPSULE] = zn_meet_contours,
    [ZN_SHAPE_CONTOUR][ZN_SHAPE_SPHERE] = zn_meet_contours,
    [ZN_SHAPE_CONTOUR][ZN_SHAPE_BOX] = zn_meet_contours,
    [ZN_SHAPE_CONTOUR][ZN_SHAPE_PLANE] = zn_meet_contours,
    [ZN_SHAPE_CONTOUR][ZN_SHAPE_CAPSULE] = zn_meet_contours,
    [ZN_SHAPE_CONTOUR][ZN_SHAPE_CONTOUR] = zn_meet_contours,
};
// clang-format on

zn_meet *zn_meet_of(zn_shape_kind a, zn_shape_kind b, bool planar, bool *swapped)
{
    *swapped = a < b;
    zn_meet *const(*table)[ZN_SHAPE_KINDS] = planar ? in_plane : in_space;
    return *swapped ? table[b][a] : table[a][b];
}

zn_status zn_meet_shapes(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at, zn_feature_list *out)
{
    bool     swapped;
    int      first = out->count;
    zn_meet *meet = zn_meet_of(a->kind, b->kind, at->planar, &swapped);
    ZN_ASSERT(meet && !swapped);
    ZN_TRY(meet(a, b, at, out));
    zn_drop_kept_apart(a, b, at, out, first);
    return ZN_OK;
}

// The one face of a plane, the one point of a sphere.
static zn_status meet_plane_sphere(const zn_pair_shape *a, const zn_pair_shape *b, const zn_near *at,
                                   zn_feature_list *out)
{
    zn_vec3 n = zn_rigid_vector(&at->A, a->normal), x = zn_rigid_point(&at->B, b->at);
    double  gap = zn_vec3_dot(n, zn_vec3_sub(x, zn_rigid_point(&at->A, a->at))) - b->radius;
    return gap <= zn_near_reach(at, x) ? zn_feature_found(out, 0, 0) : ZN_OK;
}

double zn_near_reach(const zn_near *at, zn_vec3 x)
{
    zn_vec3 apart = zn_vec3_sub(zn_feature_velocity(&at->b, x), zn_feature_velocity(&at->a, x));
    return at->slack + at->horizon * zn_vec3_norm(apart);
}
