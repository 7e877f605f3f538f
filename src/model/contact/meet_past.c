// Tiles that are flush: what slides on one of them comes to the side of the next exactly at its upper edge. The place
// belongs to that side and to the top of the tile, and either could hold it; but as all of what slides stays above the
// plane of the top, nothing is in its way. So a pair of features is no contact where another face meets its place
// whose plane keeps the bodies apart now and at the end of the horizon, as they move. Where no such plane is, at a
// step of any height or when a corner comes from above, the pair stays.
#include "model/contact/meet_past.h"

#include <math.h>

// How far all of the other body is in front of a plane of body `which`, after t seconds of straight motion. The gap is
// linear in the point, n . (x + t v(x)) with v = origin + spin x x, that is (n + t n x spin) . x and a constant.
static double in_front(const zn_two_polyhedra *two, int which, const zn_polyhedron_face *f, double t)
{
    const zn_view       *v = &two->view[1 - which];
    const zn_polyhedron *p = two->P[1 - which];
    zn_vec3              rise = zn_vec3_add(f->normal, zn_vec3_scale(t, zn_vec3_cross(f->normal, v->spin)));
    double low = zn_vec3_dot(rise, v->p) - zn_polyhedron_height(p, zn_view_back(v, zn_vec3_scale(-1, rise)), 0);
    return low + t * zn_vec3_dot(f->normal, v->origin) - f->offset;
}

enum { NOT_APART = -1, APART = 1, LIES = 2 };

// What lies on the plane is held there, though turning takes the straight way into it.
static signed char stays_in_front(const zn_two_polyhedra *two, int which, int face)
{
    const zn_polyhedron_face *f = &two->P[which]->face[face];
    double                    now = in_front(two, which, f, 0);
    if (now < -two->tiny)
        return NOT_APART;
    bool lies = now <= two->tiny;
    if (in_front(two, which, f, two->view[0].horizon) < -two->tiny - (lies ? two->view[1 - which].bend : 0))
        return NOT_APART;
    return lies ? LIES : APART;
}

// Many places ask for the same face.
static signed char keeps_apart(const zn_two_polyhedra *two, int which, int face)
{
    if (face >= ZN_FRONTS)
        return stays_in_front(two, which, face);
    signed char *known = &two->fronts->of[which][face];
    if (*known == 0)
        *known = stays_in_front(two, which, face);
    return *known;
}

bool zn_slides_past(const zn_two_polyhedra *two, int which, zn_vec3 place, zn_vec3 normal, double closing)
{
    const zn_polyhedron *p = two->P[which];
    double               same = zn_past_cosine(closing, two->tiny);
    for (int i = zn_cap_face(&two->faces[which], 0); i < p->faces; i = zn_cap_face(&two->faces[which], i + 1)) {
        const zn_polyhedron_face *f = &p->face[i];
        double                    off = fabs(zn_vec3_dot(f->normal, place) - f->offset);
        if ((i < ZN_FRONTS && two->fronts->of[which][i] < 0) || off > two->tiny + two->view[1 - which].bend ||
            zn_vec3_dot(f->normal, normal) > same)
            continue;
        signed char known = keeps_apart(two, which, i);
        if (known == LIES || (known == APART && off <= two->tiny))
            return true;
    }
    return false;
}
