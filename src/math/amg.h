/// Algebraic multigrid by smoothed aggregation, for symmetric positive definite matrices of solid meshes: what the
/// files share.
///     amg.c            levels one after the other, the table of the linear solver
///     amg_levels.c     the next coarser matrix: smoothed prolongation and P'AP
///     amg_aggregate.c  which nodes belong together, and how rigid motions look on them
///     amg_cycle.c      the cycle, in single precision
///     amg_blocks.c     its matrices
///     conjugate.c      conjugate gradients
///
/// Neighbours that are strongly coupled make aggregates of some 27 nodes. On each the rigid motions, made orthonormal,
/// are its unknowns on the coarser level; one step of Jacobi's method smooths these piecewise motions:
///
///     P = (1 - w D^-1 A) P0,   w = 4/(3 l),   l the largest eigenvalue of D^-1 A,   A_coarse = P'AP
///
/// Reference: P. Vanek, J. Mandel, M. Brezina, Computing 56 (1996) 179-196.
#ifndef ZN_MATH_AMG_H
#define ZN_MATH_AMG_H

#include "math/linsolver.h"

enum { ZN_AMG_BLOCK = ZN_RIGID_MOTIONS }; ///< unknowns of an aggregate

/// Rows of P: row i has the blocks [start[i], start[i + 1]), each of ZN_AMG_BLOCK values for an aggregate.
typedef struct zn_amg_rows {
    int    *start, *aggregate;
    double *value;
} zn_amg_rows;

/// Matrix of a level while the next one is made of it.
typedef struct zn_amg_level {
    const zn_sparse *a;       ///< by columns, which are its rows
    double          *inverse; ///< of the diagonal
    double           largest; ///< eigenvalue of D^-1 A, or a little more
} zn_amg_level;

enum {
    ZN_AMG_LEVELS = 12,
    ZN_AMG_LAST_ROWS = 1500, ///< a level that is not larger is the last
    ZN_AMG_DIRECT_ROWS =
        20000, ///< a last one that is could not be made coarser, hardly anything is coupled: smoothed only
};

/// Unknowns of a level by node, and how they move in rigid motions. Nodes from `nodes` on are those of other processes.
typedef struct zn_amg_nodes {
    int           nodes;
    int          *first, *unknown; ///< those of node i: unknown[first[i]] .. [first[i + 1] - 1]
    const int    *node;            ///< per unknown
    const double *motion;          ///< per unknown ZN_RIGID_MOTIONS
} zn_amg_nodes;

/// What becomes of the nodes of a level.
typedef struct zn_amg_coarsening {
    int     count;        ///< aggregates
    int    *aggregate;    ///< per node; -1: coupled to nobody
    int    *aggregate_of; ///< the same per unknown
    double *P0;           ///< per unknown: rigid motions of its aggregate, orthonormal
    double *motion;       ///< of the next level
} zn_amg_coarsening;

/// Sorts the unknowns by node as well. Whatever it returns, release both.
zn_status zn_amg_find_aggregates(const zn_sparse *a, zn_amg_nodes *nodes, zn_amg_coarsening *out);
void      zn_amg_release_nodes(zn_amg_nodes *nodes); ///< what was made by sorting
void      zn_amg_release_coarsening(zn_amg_coarsening *c);
/// Is a level of so many aggregates worth having?
bool      zn_amg_is_coarser(double aggregates, double unknowns);

/// A P0.
zn_status zn_amg_times(const zn_sparse *a, const int *aggregate_of, const double *P0, int aggregates, zn_amg_rows *out);
/// P from A P0, in place.
void      zn_amg_smooth(double largest, const double *inverse, int n, const int *aggregate_of, const double *P0,
                        zn_amg_rows *P);
/// P'AP, with zeros for motions that an aggregate has not.
zn_status zn_amg_product(const zn_sparse *a, const zn_amg_rows *P, int aggregates, zn_sparse **out);
void      zn_amg_release_rows(zn_amg_rows *rows);
/// P of a level from P0, and the matrix of the next one.
zn_status zn_amg_coarsen(const zn_amg_level *level, const int *aggregate_of, int aggregates, const double *P0,
                         zn_amg_rows *P, zn_sparse **out);

#endif
