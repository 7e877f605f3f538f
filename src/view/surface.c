// Surfaces of rigid bodies.
#include "view/surface.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "view/outline.h"

enum { AROUND = 24, BANDS = 12, COARSE = 3 };

static int around(const zn_surface_mesh *mesh) { return mesh->coarse ? AROUND / COARSE : AROUND; }

void zn_surface_free(zn_surface_mesh *mesh)
{
    free(mesh->points);
    free(mesh->faces);
    *mesh = (zn_surface_mesh){0};
}

static int put_point(zn_surface_mesh *mesh, zn_vec3 point)
{
    zn_status status = ZN_PUSH(mesh->points, mesh->point_count, mesh->point_capacity, point);
    if (status != ZN_OK) {
        mesh->status = status;
        return 0;
    }
    return mesh->point_count - 1;
}

void zn_surface_face(zn_surface_mesh *mesh, int a, int b, int c, int d)
{
    zn_face   face = {{a, b, c, d}};
    zn_status status = ZN_PUSH(mesh->faces, mesh->face_count, mesh->face_capacity, face);
    if (status != ZN_OK)
        mesh->status = status;
}

// --- round ---------------------------------------------------------------------------------------

// Directions that make a right-handed frame with `axis`.
typedef struct frame {
    zn_vec3 axis, side, other;
} frame;

static frame frame_of(zn_vec3 axis)
{
    double length = zn_vec3_norm(axis);
    frame  f = {.axis = length > 0 ? zn_vec3_scale(1 / length, axis) : zn_vec3_make(0, 0, 1)};
    f.side = zn_vec3_cross(fabs(f.axis.x) < 0.9 ? zn_vec3_make(1, 0, 0) : zn_vec3_make(0, 1, 0), f.axis);
    f.side = zn_vec3_scale(1 / zn_vec3_norm(f.side), f.side);
    f.other = zn_vec3_cross(f.axis, f.side);
    return f;
}

// A circle of points; the number of the first.
static int add_ring(zn_surface_mesh *mesh, const frame *f, zn_vec3 centre, double radius)
{
    int first = mesh->point_count, count = around(mesh);
    for (int i = 0; i < count; i++) {
        double  angle = 2 * acos(-1.0) * i / count;
        zn_vec3 out =
            zn_vec3_add(zn_vec3_scale(radius * cos(angle), f->side), zn_vec3_scale(radius * sin(angle), f->other));
        put_point(mesh, zn_vec3_add(centre, out));
    }
    return first;
}

static void add_band(zn_surface_mesh *mesh, int low, int high)
{
    int count = around(mesh);
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        zn_surface_face(mesh, low + i, low + next, high + next, high + i);
    }
}

static void add_cap(zn_surface_mesh *mesh, int ring, zn_vec3 centre, bool up)
{
    int middle = put_point(mesh, centre), count = around(mesh);
    for (int i = 0; i < count; i++) {
        int next = (i + 1) % count;
        zn_surface_face(mesh, middle, ring + (up ? i : next), ring + (up ? next : i), -1);
    }
}

// Two half spheres around the ends of a line; its equator is a ring at both ends when the line has a length.
static void add_rounded(zn_surface_mesh *mesh, const frame *f, const zn_drawing *d, double length)
{
    int before = -1, bands = mesh->coarse ? BANDS / COARSE : BANDS;
    for (int k = 1; k < bands; k++) {
        double latitude = acos(-1.0) * (k / (double)bands - 0.5), up = d->radius * sin(latitude);
        int    first = 2 * k > bands, last = first || (2 * k == bands && length > 0); // ends of the line
        for (int end = first; end <= last; end++) {
            zn_vec3 centre = zn_vec3_add(d->centre, zn_vec3_scale(up + (end - 0.5) * length, f->axis));
            int     ring = add_ring(mesh, f, centre, d->radius * cos(latitude));
            if (before >= 0)
                add_band(mesh, before, ring);
            before = ring;
        }
    }
    zn_vec3 top = zn_vec3_scale(d->radius + 0.5 * length, f->axis);
    add_cap(mesh, 0, zn_vec3_sub(d->centre, top), false);
    add_cap(mesh, before, zn_vec3_add(d->centre, top), true);
}

static void add_sphere(zn_surface_mesh *mesh, const zn_drawing *d)
{
    frame f = frame_of(zn_vec3_make(0, 0, 1));
    add_rounded(mesh, &f, d, 0);
}

static void add_capsule(zn_surface_mesh *mesh, const zn_drawing *d)
{
    frame f = frame_of(d->axis);
    add_rounded(mesh, &f, d, d->size.x);
}

static void add_cylinder(zn_surface_mesh *mesh, const zn_drawing *d)
{
    frame   f = frame_of(d->axis);
    zn_vec3 half = zn_vec3_scale(0.5 * d->size.x, f.axis);
    zn_vec3 low = zn_vec3_sub(d->centre, half), high = zn_vec3_add(d->centre, half);
    int     bottom = add_ring(mesh, &f, low, d->radius), top = add_ring(mesh, &f, high, d->radius);
    add_band(mesh, bottom, top);
    add_cap(mesh, bottom, low, false);
    add_cap(mesh, top, high, true);
}

static void add_disc(zn_surface_mesh *mesh, const zn_drawing *d)
{
    frame f = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};
    add_cap(mesh, add_ring(mesh, &f, d->centre, d->radius), d->centre, true);
}

// --- with corners --------------------------------------------------------------------------------

static void add_corners(zn_surface_mesh *mesh, const zn_drawing *d, int count)
{
    bool turned = zn_vec3_norm((zn_vec3){d->rotation.x, d->rotation.y, d->rotation.z}) > 0;
    for (int i = 0; i < count; i++) {
        zn_vec3 side = {i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, count == 4 ? 0 : i & 4 ? 0.5 : -0.5};
        zn_vec3 away = {side.x * d->size.x, side.y * d->size.y, side.z * d->size.z};
        put_point(mesh, zn_vec3_add(d->centre, turned ? zn_quat_rotate(d->rotation, away) : away));
    }
}

static void add_rectangle(zn_surface_mesh *mesh, const zn_drawing *d)
{
    add_corners(mesh, d, 4);
    zn_surface_face(mesh, 0, 1, 3, 2);
}

static void add_box(zn_surface_mesh *mesh, const zn_drawing *d)
{
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    add_corners(mesh, d, 8);
    for (int i = 0; i < 6; i++)
        zn_surface_face(mesh, face[i][0], face[i][1], face[i][2], face[i][3]);
}

static double turn(zn_vec3 a, zn_vec3 b, zn_vec3 c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

static bool is_ear(const zn_vec3 *p, int count, const int *ring, int i)
{
    int a = ring[(i + count - 1) % count], b = ring[i], c = ring[(i + 1) % count];
    if (turn(p[a], p[b], p[c]) <= 0)
        return false;
    for (int k = 0; k < count; k++) {
        int o = ring[k];
        if (o != a && o != b && o != c && turn(p[a], p[b], p[o]) >= 0 && turn(p[b], p[c], p[o]) >= 0 &&
            turn(p[c], p[a], p[o]) >= 0)
            return false;
    }
    return true;
}

// Does the outline go counter-clockwise?
static bool goes_left(int count, const zn_vec3 *points)
{
    double area = 0;
    for (int i = 0; i < count; i++)
        area += turn(points[0], points[i], points[(i + 1) % count]);
    return area >= 0;
}

// Triangles of a simple polygon, by cutting off ears; of one that crosses itself: some.
static void cut_ears(zn_surface_mesh *mesh, int count, const zn_vec3 *points)
{
    int *ring = ZN_NEW(int, count);
    if (ring == NULL) {
        mesh->status = ZN_ERR_MEMORY;
        return;
    }
    for (int i = 0; i < count; i++)
        put_point(mesh, points[i]);
    bool left = goes_left(count, points);
    for (int i = 0; i < count; i++)
        ring[i] = left ? i : count - 1 - i;
    while (count >= 3) {
        int ear = 0;
        while (ear < count && count > 3 && !is_ear(points, count, ring, ear))
            ear++;
        ear = ear < count ? ear : 0; // nothing but flat corners is left
        zn_surface_face(mesh, ring[(ear + count - 1) % count], ring[ear], ring[(ear + 1) % count], -1);
        count--;
        for (int k = ear; k < count; k++)
            ring[k] = ring[k + 1];
    }
    free(ring);
}

// Faces of two corners.
static void put_line(zn_surface_mesh *mesh, int count, const zn_vec3 *points)
{
    for (int i = 0; i < count; i++) {
        put_point(mesh, points[i]);
        if (i > 0)
            zn_surface_face(mesh, i - 1, i, -1, -1);
    }
}

static void add_outline(zn_surface_mesh *mesh, const zn_drawing *d)
{
    zn_vec3 *points = NULL;
    int      count = 0;
    mesh->status = zn_outline_of(d, true, &count, &points);
    if (mesh->status == ZN_OK && d->open)
        put_line(mesh, count, points);
    else if (mesh->status == ZN_OK)
        cut_ears(mesh, count, points);
    free(points);
}

// A plate: the outline below and above, and its sides.
static void add_plate(zn_surface_mesh *mesh, const zn_drawing *d)
{
    zn_vec3 half = {0, 0, 0.5 * d->size.z};
    add_outline(mesh, d);
    int  faces = mesh->face_count, count = mesh->point_count;
    bool left = mesh->status == ZN_OK && goes_left(count, mesh->points);
    for (int i = 0; i < count && mesh->status == ZN_OK; i++) {
        zn_vec3 middle = mesh->points[i];
        mesh->points[i] = zn_vec3_sub(middle, half);
        put_point(mesh, zn_vec3_add(middle, half));
    }
    for (int i = 0; i < faces && mesh->status == ZN_OK; i++) {
        int *c = mesh->faces[i].corner, first = c[0];
        zn_surface_face(mesh, c[0] + count, c[1] + count, c[2] + count, -1);
        c = mesh->faces[i].corner; // the other way round below
        c[0] = c[1];
        c[1] = first;
    }
    for (int i = 0; i < count && mesh->status == ZN_OK; i++) {
        int a = left ? i : (i + 1) % count, b = left ? (i + 1) % count : i;
        zn_surface_face(mesh, a, b, b + count, a + count);
    }
}

static void add_mesh(zn_surface_mesh *mesh, const zn_drawing *d)
{
    for (int i = 0; i < d->point_count; i++)
        put_point(mesh, d->points[i]);
    for (int i = 0; i < d->triangle_count && mesh->status == ZN_OK; i++)
        zn_surface_face(mesh, d->triangles[3 * i], d->triangles[3 * i + 1], d->triangles[3 * i + 2], -1);
}

static void add_hull(zn_surface_mesh *mesh, const zn_drawing *d)
{
    add_mesh(mesh, d);
    if (mesh->status == ZN_OK && d->triangle_count == 0)
        zn_surface_hull(mesh);
}

static void add_triangles(zn_surface_mesh *mesh, const zn_drawing *d)
{
    for (int i = 0; i + 2 < d->point_count; i += 3) {
        for (int k = 0; k < 3; k++)
            put_point(mesh, d->points[i + k]);
        zn_surface_face(mesh, i, i + 1, i + 2, -1);
    }
}

// In space and in the plane.
static void (*const add[][2])(zn_surface_mesh *, const zn_drawing *) = {
    [ZN_DRAWING_SPHERE] = {add_sphere, add_disc},
    [ZN_DRAWING_BOX] = {add_box, add_rectangle},
    [ZN_DRAWING_CYLINDER] = {add_cylinder, add_cylinder},
    [ZN_DRAWING_POLYGON] = {add_plate, add_outline},
    [ZN_DRAWING_HULL] = {add_hull, add_hull},
    [ZN_DRAWING_TRIANGLES] = {add_triangles, add_triangles},
    [ZN_DRAWING_CAPSULE] = {add_capsule, add_outline},
    [ZN_DRAWING_MESH] = {add_mesh, add_mesh},
};

zn_status zn_surface_of(const zn_drawing *d, bool planar, zn_surface_mesh *out)
{
    out->point_count = out->face_count = 0;
    out->status = ZN_OK;
    if ((size_t)d->kind < sizeof add / sizeof *add && add[d->kind][planar] != NULL)
        add[d->kind][planar](out, d);
    return out->status;
}
