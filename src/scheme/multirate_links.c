// The forces on the interface, (R_fine + R_coarse) L = difference, in one of three ways:
//     diagonal  both parts have a diagonal response: explicit ones, or accelerations of lumped masses
//     sparse    the fine one has, and the coarse one solves with its matrix and that (newmark_linear_links.c): memory
//     and
//               start grow with the links as those of the coarse part do, a step costs a solve with it
//     dense     the inverse of the sum is made once, in blocks (interface.h): fastest in a step while links are few
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/wide.h"
#include "scheme/multirate.h"

enum { FEW = 1000 }; // links whose dense inverse takes some seconds

static const zn_response_ops *response_of(const multirate_part *p) { return p->ops->partner->response; }

zn_status multirate_links_create(int count, zn_interface_way wanted, multirate_links *out)
{
    multirate_links l = {.count = count, .wanted = wanted, .inverse = ZN_NEW(double, 3 * (size_t)count)};
    if (!l.inverse)
        return ZN_ERR_MEMORY;
    l.diagonal[FINE] = l.inverse + count;
    l.diagonal[COARSE] = l.diagonal[FINE] + count;
    *out = l;
    return ZN_OK;
}

void multirate_links_destroy(multirate_links *l)
{
    zn_interface_destroy(&l->dense);
    free(l->response);
    free(l->inverse);
    *l = (multirate_links){0};
}

static zn_status prepare_dense(multirate_links *l, multirate_part part[PARTS])
{
    size_t square = (size_t)l->count * (size_t)l->count;
    if (!l->response)
        l->response = ZN_NEW(double, 2 * square);
    if (!l->response)
        return ZN_ERR_MEMORY;
    if (!l->dense.group)
        ZN_TRY(zn_interface_create(l->count, &l->dense));
    for (int k = 0; k < PARTS; k++)
        ZN_TRY(response_of(&part[k])->full(part[k].self, multirate_links_of(l, &part[k]),
                                           l->response + (k == FINE ? 0 : square)));
    l->way = LINKS_DENSE;
    return zn_interface_invert(&l->dense, l->response, l->response + square);
}

zn_status multirate_links_prepare(multirate_links *l, multirate_part part[PARTS], const double h[PARTS])
{
    const zn_response_ops *coarse = response_of(&part[COARSE]);
    bool                   diagonal[PARTS];
    for (int k = 0; k < PARTS; k++) {
        zn_links links = multirate_links_of(l, &part[k]);
        ZN_TRY(response_of(&part[k])->prepare(part[k].self, part[k].state, h[k], links));
        diagonal[k] = response_of(&part[k])->diagonal(part[k].self, links, l->diagonal[k]);
    }
    bool many = l->wanted == ZN_INTERFACE_SPARSE || (l->wanted == ZN_INTERFACE_AUTO && l->count > FEW);
    if (diagonal[FINE] && diagonal[COARSE]) {
        for (int i = 0; i < l->count; i++)
            l->inverse[i] = 1 / (l->diagonal[FINE][i] + l->diagonal[COARSE][i]);
        l->way = LINKS_DIAGONAL;
        return ZN_OK;
    }
    if (!diagonal[FINE] || !coarse->join || !many)
        return prepare_dense(l, part);
    l->way = LINKS_SPARSE;
    return coarse->join(part[COARSE].self, multirate_links_of(l, &part[COARSE]), l->diagonal[FINE]);
}

ZN_WIDE static void scale(int count, const double *factor, const double *x, double *restrict out)
{
    for (int i = 0; i < count; i++)
        out[i] = factor[i] * x[i];
}

zn_status multirate_links_solve(const multirate_links *l, multirate_part part[PARTS], const double *difference,
                                double *link)
{
    ZN_ASSERT(difference != link);
    if (l->way == LINKS_SPARSE)
        return response_of(&part[COARSE])
            ->solve(part[COARSE].self, multirate_links_of(l, &part[COARSE]), difference, link);
    if (l->way == LINKS_DIAGONAL)
        scale(l->count, l->inverse, difference, link);
    else
        zn_interface_apply(&l->dense, difference, link);
    return ZN_OK;
}

zn_status multirate_links_add_coarse(const multirate_links *l, multirate_part part[PARTS], const double *link,
                                     double *scratch, double *velocity)
{
    zn_links links = multirate_links_of(l, &part[COARSE]);
    ZN_TRY(response_of(&part[COARSE])->answer(part[COARSE].self, links, link, scratch));
    for (int i = 0; i < l->count; i++)
        velocity[i] += scratch[i];
    return ZN_OK;
}
