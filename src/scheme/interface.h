/// The operator of an interface between two parts: the inverse of the sum of their responses, taken once. Links that do
/// not feel each other (cuts of pieces that nothing connects, directions that do not couple) fall apart into blocks,
/// each inverted on its own. Four blocks of a size are worked on side by side: the product is fastest when links come
/// in the order of zn_interface_sort, which has the first links of four blocks as neighbours, then their second ones,
/// ...
#ifndef ZN_SCHEME_INTERFACE_H
#define ZN_SCHEME_INTERFACE_H

#include <stdbool.h>
#include <stddef.h>

#include "zn/base.h"

/// Four blocks of `size` links each, or one.
typedef struct zn_interface_group {
    int    size, blocks;
    size_t values; ///< of the inverse
} zn_interface_group;

typedef struct zn_interface {
    int                 links, groups;
    zn_interface_group *group;
    int                *block;    ///< of each link, named by its first link
    int                *order;    ///< links, group by group
    bool                in_order; ///< they are sorted: order[i] = i
    int                *scratch;
    double             *value; ///< of the inverse, group by group: entries of four rows as neighbours
    double             *x, *y; ///< in that order
    double             *work;  ///< links x links and links
} zn_interface;

/// Order of links by the blocks they belong to, block[i] the first link of the block of link i. Returns the number of
/// groups, which has room for `links`; scratch: 2 links.
int zn_interface_sort(int links, const int *block, int *scratch, int *order, zn_interface_group *group);

zn_status zn_interface_create(int links, zn_interface *out);
void      zn_interface_destroy(zn_interface *f);
/// Inverse of a + b (links x links, symmetric). ZN_SINGULAR: a block has none.
zn_status zn_interface_invert(zn_interface *f, const double *a, const double *b);
/// y = (a + b)^-1 x; y and x are different vectors, y has room for three more than there are links.
void      zn_interface_apply(const zn_interface *f, const double *x, double *y);

#endif
