/// The operator of an interface between two parts: the inverse of the sum of their responses, taken once. Links that do
/// not feel each other (cuts of pieces that nothing connects, directions that do not couple) fall apart into blocks,
/// each inverted on its own.
#ifndef ZN_SCHEME_INTERFACE_H
#define ZN_SCHEME_INTERFACE_H

#include "zn/base.h"

typedef struct zn_interface {
    int     links, blocks;
    int    *first;   ///< blocks + 1: places of `order`
    int    *order;   ///< links, block by block
    int    *parent;  ///< scratch of the search for blocks
    int    *pivot;
    double *inverse; ///< the blocks, one after the other
    // for the product: columns of the blocks, filled up to fours
    int    *place; ///< of each link among the rows
    double *value, *result;
    double *work;    ///< links x links and links
} zn_interface;

zn_status zn_interface_create(int links, zn_interface *out);
void      zn_interface_destroy(zn_interface *f);
/// Inverse of a + b (links x links, symmetric). ZN_SINGULAR: a block has none.
zn_status zn_interface_invert(zn_interface *f, const double *a, const double *b);
/// y = (a + b)^-1 x; y and x are different vectors.
void zn_interface_apply(const zn_interface *f, const double *x, double *y);

#endif
