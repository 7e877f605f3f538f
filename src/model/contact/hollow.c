// Hollows of a surface of facets. A point p that touches facets A and B at once obeys g_A >= 0 and g_B >= 0, each with
// a multiplier of its own, where the surface is hollow between them: where the middle of each is in front of the other.
// The gap of a single contact is the smaller one of the two and its row that of the nearer facet, which no multiplier
// makes one that lies between them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/contact/nodes_facets.h"

static const double near = 0.05;  // over the size of the facet: beside its edge
static const double flat = 1e-12; // sine of an angle between facets that is none

typedef struct side {
    int     facet;
    zn_foot foot;
    zn_vec3 middle;
} side;

static zn_vec3 middle_of(int corners, const zn_vec3 *x)
{
    zn_vec3 sum = {0, 0, 0};
    for (int a = 0; a < corners; a++)
        sum = zn_vec3_add(sum, zn_vec3_scale(1.0 / corners, x[a]));
    return sum;
}

static double size_of(int corners, const zn_foot *foot) { return corners == 2 ? foot->stretch : sqrt(foot->stretch); }

// Does a point that is so deep behind the surface touch the facet of this foot? Schemes with laws of velocities alone
// let it enter: how far it is from the edge between two facets is what one of them is farther away than the other.
static bool touches(int corners, const zn_foot *foot, double depth)
{
    return foot->distance <= depth + near * size_of(corners, foot);
}

// Is the middle of b in front of a?
static bool rises(int corners, const side *a, zn_vec3 foot, const side *b)
{
    double height = zn_vec3_dot(a->foot.normal, zn_vec3_sub(b->middle, foot));
    return height > flat * size_of(corners, &a->foot);
}

static bool is_hollow(int corners, zn_vec3 point, const side *a, const side *b)
{
    zn_vec3 on_a = zn_vec3_sub(point, zn_vec3_scale(a->foot.gap, a->foot.normal));
    zn_vec3 on_b = zn_vec3_sub(point, zn_vec3_scale(b->foot.gap, b->foot.normal));
    return rises(corners, a, on_a, b) && rises(corners, b, on_b, a);
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int zn_facet_hollow(const void *rule, const zn_layout *layout, zn_contact_key key, const double *q,
                    int piece[ZN_HOLLOW_PIECES])
{
    const zn_nodes_facets *p = rule;
    zn_on_facet            at;
    side                   sides[ZN_HOLLOW_PIECES];
    zn_vec3                x[ZN_FACET_CORNERS], normal = {0, 0, 0};
    int                    count = 1;
    if (zn_facet_walk(p, layout, (int)key.number, key.piece / p->splits, q, &at) != ZN_OK ||
        !touches(p->corners, &at.foot, fmax(0, -at.foot.gap)))
        return 0;
    if (p->own.around)
        normal = zn_point_normal(p, layout, (int)key.number, q);
    zn_facet_corners(p, layout, at.facet, q, x);
    sides[0] = (side){at.facet, at.foot, middle_of(p->corners, x)};
    for (int k = p->star_start[at.facet]; k < p->star_start[at.facet + 1] && count < ZN_HOLLOW_PIECES; k++) {
        side *b = &sides[count];
        bool  all = p->star[k] != at.facet;
        zn_facet_corners(p, layout, p->star[k], q, x);
        all = all && zn_facet_project(p->corners, x, at.centre, &b->foot) &&
              touches(p->corners, &b->foot, fmax(0, -at.foot.gap)) &&
              zn_facet_opposes(p, (int)key.number, p->star[k], &b->foot, normal);
        b->facet = p->star[k];
        b->middle = middle_of(p->corners, x);
        for (int other = 0; other < count && all; other++)
            all = is_hollow(p->corners, at.centre, &sides[other], b);
        count += all;
    }
    for (int k = 0; k < count; k++)
        piece[k] = zn_facet_piece(p, sides[k].facet, &sides[k].foot);
    qsort(piece, (size_t)count, sizeof *piece, ascending);
    return count;
}
