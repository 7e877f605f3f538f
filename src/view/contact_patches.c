// With x_i the points, n_i the normals and P_i the impulses of the contacts of a patch:
//     n = sum of n_i, normed             P = sum of P_i              p_i = n_i.P_i
//     centre of pressure  c = sum of p_i x_i / sum of p_i
//     pressure            sum of p_i / (time x area of the convex hull of the x_i across n)
// A patch along a line has a length in place of the area, and a load per length in place of the pressure; in the plane
// all have. Corners that touch belong to a patch whether or not they carry something.
#include "view/contact_patches.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "view/flat_hull.h"

#define SAME_NORMAL 0.999 // cosine: 2.6 degrees
#define SAME_PLANE  1e-3  // of the extent of all contacts of the two things
#define TOUCHING    1e-6  // of the same: gap
#define A_LINE      1e-6  // area over the square of the extent
#define A_POINT     1e-4 // extent over the distance to the middle of a body: two arcs that meet at one place are no patch

void zn_contact_patches_free(zn_contact_patches *p)
{
    free(p->patch);
    free(p->corner);
    free(p->member);
    free(p->flat);
    free(p->hull);
    free(p->taken);
    *p = (zn_contact_patches){0};
}

static zn_status reserve(zn_contact_patches *p, int count)
{
    int member = p->room, flat = p->room, hull = p->room;
    ZN_TRY(zn_grow(&p->member, &member, count + 1, sizeof *p->member));
    ZN_TRY(zn_grow(&p->flat, &flat, count + 1, sizeof *p->flat));
    ZN_TRY(zn_grow(&p->hull, &hull, count + 1, sizeof *p->hull));
    return zn_grow(&p->taken, &p->room, count + 1, sizeof *p->taken);
}

// Several shapes of a body may have one name, but pairs of shapes have a number of their own. Contacts with facets of
// solids have a pressure of their own.
static bool same_pair(const zn_scene_contact *a, const zn_scene_contact *b)
{
    if (a->shape[0] != NULL && a->id.contact != b->id.contact)
        return false;
    return a->name == b->name && a->corners == 0 && b->corners == 0 && a->node[0] == b->node[0] &&
           a->node[1] == b->node[1] && a->shape[0] == b->shape[0] && a->shape[1] == b->shape[1];
}

static double extent_of(int count, const zn_scene_contact *c)
{
    double size = 0; // within a factor of two, which is enough
    for (int i = 1; i < count; i++)
        size = fmax(size, zn_vec3_norm(zn_vec3_sub(c[i].position, c[0].position)));
    return size;
}

static double normal_impulse(const zn_scene_contact *c) { return zn_vec3_dot(c->impulse, c->normal); }

// Contacts like the first one that nobody has taken, among those of one pair; their number.
static int gather(zn_contact_patches *p, int first, int count, const zn_scene_contact *c, double size)
{
    int members = 0;
    for (int i = first; i < count; i++) {
        double height = zn_vec3_dot(c[first].normal, zn_vec3_sub(c[i].position, c[first].position));
        bool   touches = c[i].state != ZN_CONTACT_OPEN || c[i].gap <= TOUCHING * size;
        if (p->taken[i] || !touches || zn_vec3_dot(c[i].normal, c[first].normal) < SAME_NORMAL ||
            fabs(height) > SAME_PLANE * size)
            continue;
        p->taken[i] = true;
        p->member[members++] = i;
    }
    return members;
}

// Sums over the contacts: normal, impulse, centre of pressure. Returns the normal impulse.
static double sum_up(const zn_contact_patches *p, int members, const zn_scene_contact *c, zn_scene_patch *out)
{
    double  all = 0;
    zn_vec3 weighted = {0, 0, 0}, from = c[p->member[0]].position; // from there: no digits are lost far from the origin
    for (int k = 0; k < members; k++) {
        const zn_scene_contact *m = &c[p->member[k]];
        double                  pushed = normal_impulse(m);
        out->normal = zn_vec3_add(out->normal, m->normal);
        out->impulse = zn_vec3_add(out->impulse, m->impulse);
        weighted = zn_vec3_add(weighted, zn_vec3_scale(pushed, zn_vec3_sub(m->position, from)));
        all += pushed;
    }
    out->normal = zn_vec3_scale(1 / zn_vec3_norm(out->normal), out->normal);
    out->centre = all > 0 ? zn_vec3_add(from, zn_vec3_scale(1 / all, weighted)) : from;
    return all;
}

// The two points farthest from each other; their distance.
static double farthest(int count, const zn_vec3 *point, zn_vec3 ends[2])
{
    double length = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++)
            if (zn_vec3_norm(zn_vec3_sub(point[i], point[k])) > length) {
                ends[0] = point[k];
                ends[1] = point[i];
                length = zn_vec3_norm(zn_vec3_sub(point[i], point[k]));
            }
    return length;
}

// How far the contact is from the middle of its bodies: a size of the parts that touch. 0: not known.
static double reach_of(const zn_scene_contact *c, const zn_vec3 *position)
{
    double reach = 0;
    for (int side = 0; side < 2 && position != NULL; side++)
        if (c->node[side] >= 0)
            reach = fmax(reach, zn_vec3_norm(zn_vec3_sub(c->position, position[c->node[side]])));
    return reach;
}

// The convex hull across the normal, through the first point; a patch without extent has no corners.
static zn_status put_corners(zn_contact_patches *p, bool planar, double reach, int members, const zn_scene_contact *c,
                             zn_scene_patch *out)
{
    zn_vec3 n = out->normal, from = c[p->member[0]].position, ends[2] = {0};
    zn_vec3 u = zn_vec3_cross(fabs(n.x) < 0.9 ? zn_vec3_make(1, 0, 0) : zn_vec3_make(0, 1, 0), n);
    u = planar ? zn_vec3_make(-n.y, n.x, 0) : zn_vec3_scale(1 / zn_vec3_norm(u), u);
    zn_vec3 w = planar ? zn_vec3_make(0, 0, 1) : zn_vec3_cross(n, u);
    for (int k = 0; k < members; k++) {
        zn_vec3 away = zn_vec3_sub(c[p->member[k]].position, from);
        p->flat[k] = zn_vec3_make(zn_vec3_dot(u, away), planar ? 0 : zn_vec3_dot(w, away), 0);
    }
    int    corners = zn_flat_hull(members, p->flat, p->hull);
    double size = farthest(corners, p->hull, ends);
    out->area = zn_flat_area(corners, p->hull);
    out->line = !(out->area > A_LINE * size * size);
    if (out->line) {
        p->hull[0] = ends[0];
        p->hull[1] = ends[1];
        out->area = size;
        corners = 2;
    }
    if (!(size > A_POINT * reach))
        corners = 0;
    out->first = p->corner_count;
    out->corners = corners;
    for (int k = 0; k < corners; k++) {
        zn_vec3 at = zn_vec3_add(zn_vec3_scale(p->hull[k].x, u), zn_vec3_scale(p->hull[k].y, w));
        ZN_TRY(ZN_PUSH(p->corner, p->corner_count, p->corner_capacity, zn_vec3_add(from, at)));
    }
    return ZN_OK;
}

// The patches of contacts that are all of one pair.
static zn_status find_of_pair(zn_contact_patches *p, bool planar, const zn_vec3 *position, int count,
                              zn_scene_contact *c, double time)
{
    double size = extent_of(count, c);
    for (int i = 0; i < count; i++)
        p->taken[i] = false;
    for (int i = 0; i < count; i++) {
        int            members = gather(p, i, count, c, size);
        zn_scene_patch patch = {
            .name = c[i].name, .shape = {c[i].shape[0], c[i].shape[1]}, .node = {c[i].node[0], c[i].node[1]}};
        double pushed = members > 1 ? sum_up(p, members, c, &patch) : 0;
        if (!(pushed > 0))
            continue;
        ZN_TRY(put_corners(p, planar, reach_of(&c[i], position), members, c, &patch));
        if (patch.corners < 2)
            continue;
        patch.force = time > 0 ? pushed / time : 0;
        patch.pressure = patch.force / patch.area;
        for (int k = 0; k < members; k++)
            c[p->member[k]].patch = p->count;
        ZN_TRY(ZN_PUSH(p->patch, p->count, p->capacity, patch));
    }
    return ZN_OK;
}

zn_status zn_contact_patches_find(zn_contact_patches *p, bool planar, const zn_vec3 *position, int count,
                                  zn_scene_contact *c, double time)
{
    p->count = p->corner_count = 0;
    for (int i = 0; i < count; i++)
        c[i].patch = -1;
    for (int first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && same_pair(&c[first], &c[end]);)
            end++;
        if (end == first + 1)
            continue;
        ZN_TRY(reserve(p, end - first));
        ZN_TRY(find_of_pair(p, planar, position, end - first, c + first, time));
    }
    return ZN_OK;
}
