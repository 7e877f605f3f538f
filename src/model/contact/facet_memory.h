/// What a search of points on facets remembers for the next one. At some time facet f was the nearest to a point, and
/// all others were at least c away. While nothing has moved against anything else by more than m since then (in the
/// axes of a corner of the surface, so that a common flight does not count), f is still the nearest if its distance is
/// below c - m: one foot is all there is to find. The answer is that of a search everywhere, to the last bit.
#ifndef ZN_MODEL_CONTACT_FACET_MEMORY_H
#define ZN_MODEL_CONTACT_FACET_MEMORY_H

#include "model/contact/nodes_facets.h"

typedef struct zn_facet_memory {
    struct zn_facet_memory *next; ///< of another rule
    const zn_nodes_facets  *rule;
    int                     missed; ///< points that looked everywhere in the first search after that one; -1: none yet
    double                  slack;  ///< how far beyond the nearest facet others were looked for; 0: nothing is known
    zn_vec3                *corner; ///< of all facets, at that time
    zn_vec3                *position;
    int                    *facet; ///< of each point; -1: none within reach and slack
    double                 *clear; ///< distance of all others, or less
} zn_facet_memory;

/// The one of this rule in a list, made when there is none yet.
zn_status zn_facet_memory_of(zn_facet_memory **list, const zn_nodes_facets *rule, zn_facet_memory **out);
void      zn_facet_memories_destroy(zn_facet_memory *list);

/// How far the surface has moved since: a corner, and all others against it.
typedef struct zn_facet_shift {
    zn_vec3 common;
    double  most;
} zn_facet_shift;

zn_facet_shift zn_facet_memory_shift(const zn_facet_memory *m, const zn_layout *layout, const double *q);
/// Begins anew with the surface at q.
void           zn_facet_memory_begin(zn_facet_memory *m, const zn_layout *layout, const double *q);
/// After a search in which so many points had to look everywhere: is it still worth having?
void           zn_facet_memory_judge(zn_facet_memory *m, int missed);

/// Nothing is known of a point.
static inline void zn_facet_memory_forget(zn_facet_memory *m, int point)
{
    m->facet[point] = -1;
    m->clear[point] = 0;
}

/// How far all facets but its own are from a point at least that is now at x.
static inline double zn_facet_memory_clear(const zn_facet_memory *m, int point, zn_vec3 x, zn_facet_shift shift)
{
    zn_vec3 moved = zn_vec3_sub(zn_vec3_sub(x, m->position[point]), shift.common);
    return m->clear[point] - shift.most - zn_vec3_norm(moved);
}

#endif
