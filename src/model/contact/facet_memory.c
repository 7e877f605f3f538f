// Memory of a search of points on facets. See facet_memory.h.
#include "model/contact/facet_memory.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

static const double share = 0.25; // of a facet, or of the reach: how far motions may go before all is looked at again

static void destroy(zn_facet_memory *m)
{
    free(m->corner);
    free(m->position);
    free(m->facet);
    free(m->clear);
    free(m);
}

static zn_status create(const zn_nodes_facets *p, zn_facet_memory **out)
{
    zn_facet_memory *m = ZN_NEW(zn_facet_memory, 1);
    if (!m)
        return ZN_ERR_MEMORY;
    m->rule = p;
    m->corner = ZN_NEW(zn_vec3, (size_t)p->facets * (size_t)p->corners);
    m->position = ZN_NEW(zn_vec3, p->points);
    m->facet = ZN_NEW(int, p->points);
    m->clear = ZN_NEW(double, p->points);
    if (!m->corner || !m->position || !m->facet || !m->clear) {
        destroy(m);
        return ZN_ERR_MEMORY;
    }
    *out = m;
    return ZN_OK;
}

zn_status zn_facet_memory_of(zn_facet_memory **list, const zn_nodes_facets *rule, zn_facet_memory **out)
{
    ZN_ASSERT(list && rule && out);
    for (*out = *list; *out; *out = (*out)->next)
        if ((*out)->rule == rule)
            return ZN_OK;
    ZN_TRY(create(rule, out));
    (*out)->next = *list;
    *list = *out;
    return ZN_OK;
}

void zn_facet_memories_destroy(zn_facet_memory *list)
{
    while (list) {
        zn_facet_memory *next = list->next;
        destroy(list);
        list = next;
    }
}

zn_facet_shift zn_facet_memory_shift(const zn_facet_memory *m, const zn_layout *layout, const double *q)
{
    const zn_nodes_facets *p = m->rule;
    zn_facet_shift         shift = {{0, 0, 0}, 0};
    double                 square = 0, sum = 0;
    for (int f = 0; f < p->facets && m->slack > 0; f++) {
        zn_vec3 x[ZN_FACET_CORNERS];
        zn_facet_corners(p, layout, f, q, x);
        if (f == 0)
            shift.common = zn_vec3_sub(x[0], m->corner[0]);
        for (int a = 0; a < p->corners; a++) {
            zn_vec3 d = zn_vec3_sub(zn_vec3_sub(x[a], m->corner[f * p->corners + a]), shift.common);
            double  own = zn_vec3_dot(d, d);
            square = own > square ? own : square;
            sum += own;
        }
    }
    shift.most = isfinite(sum) ? sqrt(square) : INFINITY;
    return shift;
}

void zn_facet_memory_begin(zn_facet_memory *m, const zn_layout *layout, const double *q)
{
    const zn_nodes_facets *p = m->rule;
    double                 sum = 0;
    for (int f = 0; f < p->facets; f++) {
        zn_vec3 *x = m->corner + f * p->corners;
        zn_facet_corners(p, layout, f, q, x);
        sum += zn_vec3_norm(zn_vec3_sub(x[1], x[0]));
    }
    m->slack = isfinite(sum) && p->facets > 0 ? share * fmin(p->reach, sum / p->facets) : 0;
    m->missed = -1;
}

// Points above an edge miss always; what counts is how many more have come to miss since.
void zn_facet_memory_judge(zn_facet_memory *m, int missed)
{
    m->missed = m->missed < 0 ? missed : m->missed;
    if (missed > m->missed + m->rule->points / 8)
        m->slack = 0;
}
