// The forces on the interface between the fine and a coarse part, (R_fine + R_coarse) L = difference, in one of three
// ways:
//     diagonal  both parts have a diagonal response: explicit ones, or accelerations of lumped masses
//     sparse    the fine one has, and the coarse one solves with its matrix and that (newmark_linear_links.c,
//               newmark_partner.c): memory and start grow with the links as those of the coarse part do, a step costs a
//               solve with it
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
    size_t          n = (size_t)count;
    multirate_links l = {.count = count, .wanted = wanted, .inverse = ZN_NEW(double, 3 * n + 3)};
    if (!l.inverse)
        return ZN_ERR_MEMORY;
    l.own = l.inverse + n;
    l.padded = l.own + n; // see zn_interface_apply
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

static zn_status prepare_dense(multirate_part *fine, multirate_part *coarse)
{
    multirate_links *l = &coarse->interface;
    size_t           square = (size_t)l->count * (size_t)l->count;
    if (!l->response)
        l->response = ZN_NEW(double, 2 * square);
    if (!l->response)
        return ZN_ERR_MEMORY;
    if (!l->dense.group)
        ZN_TRY(zn_interface_create(l->count, &l->dense));
    zn_links there = {l->count, fine->dof + coarse->first};
    ZN_TRY(response_of(fine)->full(fine->self, there, l->response));
    ZN_TRY(response_of(coarse)->full(coarse->self, multirate_links_of(coarse), l->response + square));
    l->way = LINKS_DENSE;
    return zn_interface_invert(&l->dense, l->response, l->response + square);
}

zn_status multirate_links_prepare(multirate_part *fine, multirate_part *coarse, const double *other)
{
    multirate_links       *l = &coarse->interface;
    const zn_response_ops *own = response_of(coarse);
    zn_links               links = multirate_links_of(coarse);
    bool many = l->wanted == ZN_INTERFACE_SPARSE || (l->wanted == ZN_INTERFACE_AUTO && l->count > FEW);
    if (other && own->diagonal(coarse->self, links, l->own)) {
        for (int i = 0; i < l->count; i++)
            l->inverse[i] = 1 / (other[i] + l->own[i]);
        l->way = LINKS_DIAGONAL;
        return ZN_OK;
    }
    if (!other || !own->join || !many)
        return prepare_dense(fine, coarse);
    l->way = LINKS_SPARSE;
    return own->join(coarse->self, links, other);
}

ZN_WIDE static void scale(int count, const double *factor, const double *x, double *restrict out)
{
    for (int i = 0; i < count; i++)
        out[i] = factor[i] * x[i];
}

zn_status multirate_links_solve(const multirate_part *coarse, const double *difference, double *link)
{
    const multirate_links *l = &coarse->interface;
    ZN_ASSERT(difference != link);
    if (l->way == LINKS_SPARSE)
        return response_of(coarse)->solve(coarse->self, multirate_links_of(coarse), difference, link);
    if (l->way == LINKS_DIAGONAL) {
        scale(l->count, l->inverse, difference, link);
        return ZN_OK;
    }
    zn_interface_apply(&l->dense, difference, l->padded);
    memcpy(link, l->padded, sizeof *link * (size_t)l->count);
    return ZN_OK;
}

zn_status multirate_links_add_coarse(const multirate_part *coarse, const double *link, double *scratch,
                                     double *velocity)
{
    ZN_TRY(response_of(coarse)->answer(coarse->self, multirate_links_of(coarse), link, scratch));
    for (int i = 0; i < coarse->links; i++)
        velocity[i] += scratch[i];
    return ZN_OK;
}
