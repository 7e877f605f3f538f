/// Delassus operator W = G A^-1 H' of a system in which no two nodes are coupled (rigid bodies without springs between
/// them): A is block diagonal, one block per node, and W has a block for every two contacts that share a node. All
/// costs are proportional to the number of these blocks.
#ifndef ZN_CONSTRAINT_NODE_BLOCKS_H
#define ZN_CONSTRAINT_NODE_BLOCKS_H

#include "constraint/rows.h"
#include "zn/friction.h"

enum { ZN_NODE_DOFS = 6 };

/// Problems with at most so many rows are solved dense in any case: direct methods are exact.
enum { ZN_DENSE_ROWS = 48 };

/// What one contact or joint equation (a unit) does to one node: its rows of G there, and A^-1 times those of H.
typedef struct zn_node_share {
    int    node, unit;
    double row[3][ZN_NODE_DOFS], response[3][ZN_NODE_DOFS];
} zn_node_share;

typedef struct zn_node_blocks {
    int            n, nodes;
    int           *node;            ///< n: of a degree of freedom
    int           *place;           ///< n: inside its node
    int           *dof;             ///< nodes * ZN_NODE_DOFS, -1 beyond the last
    double        *block, *inverse; ///< nodes * ZN_NODE_DOFS^2: of A, 1 on the diagonal beyond the last
    // one problem
    int            units, unit_capacity;
    int           *first;       ///< units + 1: rows
    int           *share_start; ///< units + 1
    int            share_capacity;
    zn_node_share *share;
    int           *node_start; ///< nodes + 1: shares by node, units ascending
    int           *node_share;
    // W by compressed rows
    int            row_capacity, entry_capacity;
    int           *start, *column;
    double        *value;
    zn_fc_matrix   W;
} zn_node_blocks;

/// A pile: many contacts that come and go, on nodes that nothing else couples. NULL in `out` when the system is none.
zn_status       zn_node_blocks_create(const zn_system *sys, zn_node_blocks **out);
zn_node_blocks *zn_node_blocks_destroy(zn_node_blocks *b); ///< accepts NULL, returns NULL
/// Invert the blocks of A. ZN_SINGULAR when one is.
zn_status       zn_node_blocks_factor(zn_node_blocks *b, const zn_sparse *A);
/// A = I.
void            zn_node_blocks_identity(zn_node_blocks *b);
/// The shares of the listed rows of the contact set, which push along H; then W.
zn_status       zn_node_blocks_collect(zn_node_blocks *b, zn_rows G, zn_rows H, const zn_row_list *list);
zn_status       zn_node_blocks_assemble(zn_node_blocks *b, zn_rows G, zn_rows H, const zn_row_list *list);
/// The same with the rows of W of the first `units` units only; those of others are empty.
zn_status zn_node_blocks_assemble_first(zn_node_blocks *b, zn_rows G, zn_rows H, const zn_row_list *list, int units);
/// Blocks for other problems with the same A, which is borrowed; destroy with zn_node_blocks_return.
zn_status zn_node_blocks_lend(const zn_node_blocks *from, zn_node_blocks *to);
void      zn_node_blocks_return(zn_node_blocks *b);
/// v += A^-1 f
void      zn_node_blocks_push(const zn_node_blocks *b, const double *f, double *v);
/// All entries of W, row by row.
void      zn_node_blocks_write(const zn_node_blocks *b, double *W);
/// v += A^-1 H' P
void      zn_node_blocks_respond(const zn_node_blocks *b, const double *P, double *v);

#endif
