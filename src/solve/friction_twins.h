/// Contacts between the same two bodies, twins, have more rows than the two have motions: W = T V T', where T has a
/// block for each group of twins with as many columns as W has ranks there. Equations of W and a block diagonal are
/// then solved with as many unknowns as V has rows: half of them where boxes stand on boxes, six for a table on any
/// feet.
#ifndef ZN_SOLVE_FRICTION_TWINS_H
#define ZN_SOLVE_FRICTION_TWINS_H

#include <stdint.h>

#include "solve/friction_system.h"

enum { ZN_FC_MOST_RANK = 24 }; // of a group of which something is gained

typedef struct zn_fc_twins {
    const zn_fc_blocks *b;
    int                 groups, twins; ///< blocks that have a twin
    int                 m;             ///< rows of V; 0: nothing is gained
    int                *group;         ///< count: of a block
    int                *start;         ///< groups + 1: places in `member`
    int                *member;        ///< count: blocks, group by group
    int                *first;         ///< groups + 1: rows of V
    size_t             *at;            ///< count: place of the block's rows x rank values in T, row by row
    double             *T;
    int                *row;   ///< n: of V, where it is a row of W; or -1
    int                *near;  ///< groups + 1: places in `other`
    int                *other; ///< groups that share something with one, itself first
    size_t             *place; ///< of their rank x rank values in V, row by row
    double             *V;
    double             *s, *z;     ///< m: work
    double             *x, *rest;  ///< n: work
    double              largest;   ///< entry of own^-1
    zn_fc_blocks        equations; ///< their pattern, up to three rows in a block
} zn_fc_twins;

static inline int zn_fc_twins_rank(const zn_fc_twins *t, int g) { return t->first[g + 1] - t->first[g]; }

/// A number that looks like chance.
static inline uint64_t zn_fc_scatter(int c) { return ((uint64_t)c + 1) * 0x9e3779b97f4a7c15u ^ ((uint64_t)c << 32); }

/// Groups of blocks with the same neighbours, themselves included.
zn_status zn_fc_twins_find(const zn_fc_blocks *b, zn_fc_workspace *memory, zn_fc_twins *out);
/// Rows of V over those of W, as rigid bodies have them; 1 where too little is gained, or a large group has more than
/// `most` ranks.
double    zn_fc_twins_part(const zn_fc_twins *t, int most, zn_fc_workspace *memory);
/// T and V of groups that were found: m = 0 where too little is gained, or W is not T V T'.
zn_status zn_fc_twins_create(zn_fc_workspace *memory, zn_fc_twins *t);

/// (left W + own) x = b with own^-1 given; blocks of 9, stride 3. In rows where own^-1 is zero x = 0.
typedef struct zn_fc_twin_system {
    const double *left, *own, *inverse;
} zn_fc_twin_system;

/// Is W = T V T'? Then the pattern of the equations, else m = 0.
zn_status zn_fc_twins_lay_out(zn_fc_workspace *memory, zn_fc_twins *t);
/// As zn_fc_factor.
zn_status zn_fc_twins_factor(zn_fc_twins *t, const zn_fc_twin_system *s, zn_fc_workspace *memory, bool keep,
                             zn_fc_factors *factors);
/// x: the right-hand side, then the solution. ZN_SINGULAR where too much is lost by rounding; x is kept then.
zn_status zn_fc_twins_solve(zn_fc_twins *t, const zn_fc_twin_system *s, const zn_fc_factors *factors, double *x);

#endif
