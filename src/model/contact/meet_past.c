// Tiles that are flush: what slides on one of them comes to the side of the next exactly at its upper edge. The place
// belongs to that side and to the top of the tile, and either could hold it; but as all of what slides stays above the
// plane of the top, nothing is in its way. So a pair of features is no contact where another face meets its place
// whose plane keeps the bodies apart now and at the end of the horizon, as they move. Where no such plane is, at a
// step of any height or when a corner comes from above, the pair stays.
#include "model/contact/meet_past.h"

#include <math.h>

// Is all of the other body in front of a plane of body `which`, after t seconds of straight motion? The gap is linear
// in the point, n . (x + t v(x)) with v = origin + spin x x, that is (n + t n x spin) . x and a constant.
static bool is_in_front(const zn_two_polyhedra *two, int which, const zn_polyhedron_face *f, double t)
{
    const zn_view       *v = &two->view[1 - which];
    const zn_polyhedron *p = two->P[1 - which];
    zn_vec3              rise = zn_vec3_add(f->normal, zn_vec3_scale(t, zn_vec3_cross(f->normal, v->spin)));
    double low = zn_vec3_dot(rise, v->p) - zn_polyhedron_height(p, zn_view_back(v, zn_vec3_scale(-1, rise)), 0);
    return low + t * zn_vec3_dot(f->normal, v->origin) - f->offset >= -two->tiny;
}

static bool stays_in_front(const zn_two_polyhedra *two, int which, int face)
{
    const zn_polyhedron_face *f = &two->P[which]->face[face];
    return is_in_front(two, which, f, 0) && is_in_front(two, which, f, two->view[0].horizon);
}

// Many places ask for the same face.
static bool keeps_apart(const zn_two_polyhedra *two, int which, int face)
{
    if (face >= ZN_FRONTS)
        return stays_in_front(two, which, face);
    signed char *known = &two->fronts->of[which][face];
    if (*known == 0)
        *known = stays_in_front(two, which, face) ? 1 : -1;
    return *known > 0;
}

bool zn_slides_past(const zn_two_polyhedra *two, int which, zn_vec3 place, zn_vec3 normal, double closing)
{
    const zn_polyhedron *p = two->P[which];
    double               same = zn_past_cosine(closing, two->tiny);
    for (int i = zn_cap_face(&two->faces[which], 0); i < p->faces; i = zn_cap_face(&two->faces[which], i + 1)) {
        const zn_polyhedron_face *f = &p->face[i];
        if ((i < ZN_FRONTS && two->fronts->of[which][i] < 0) ||
            fabs(zn_vec3_dot(f->normal, place) - f->offset) > two->tiny || zn_vec3_dot(f->normal, normal) > same)
            continue;
        if (keeps_apart(two, which, i))
            return true;
    }
    return false;
}
